"""Gwet (2016), paired test of two coefficients: the data and output of his R package pairedCAC."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from scipy import stats

from reportgen.counts import count
from reportgen.measures import Estimate, NoDifference, ScaleSetting, UnitsOfAll
from reportgen.measures.estimate import Spread
from reportgen.measures.significance_tests import (
    Contributions,
    EstimateDifference,
    clusters_needed,
    contributions_of,
    difference,
    overlapping,
    paired,
    unpaired,
)
from reportgen.units import CodedUnits
from tests.measures.made import annotations, error, figures, units_of, value
from tests.present import present

FIGURES = (
    *("observed_agreement", "bennett_s", "fleiss_kappa", "conger_kappa", "gwet_ac1", "krippendorff_alpha"),
)

# Fifteen subjects, rated by four raters on two occasions.
FIRST, SECOND = (
    rows.split()
    for rows in (
        "1111 1123 1123 2223 1211 2111 2222 2322 3333 1111 1123 3333 3233 1211 2111",
        "1111 3332 3333 1121 1111 1111 2222 2211 3333 1113 2222 3333 3333 1211 3333",
    )
)


def whole(rows: Sequence[str], documents: Sequence[str | None] | None = None) -> UnitsOfAll:
    return _whole(tuple(rows), None if documents is None else tuple(documents))


@cache
def _whole(rows: Sequence[str], documents: Sequence[str | None] | None) -> UnitsOfAll:
    known = [f"{subject}" for subject in range(len(rows))] if documents is None else documents
    labels = [[None if label == "." else label for label in row] for row in rows]
    units = units_of(annotations(labels, documents=known), categories=("1", "2", "3"))
    return UnitsOfAll(units, count(units), ScaleSetting())


@cache
def measures(units: CodedUnits) -> Mapping[str, Estimate]:
    return figures(units).measures


def estimate(figure: str, found: UnitsOfAll) -> Estimate:
    return measures(found.units)[figure]


def compare(figure: str, first: UnitsOfAll, second: UnitsOfAll) -> EstimateDifference | NoDifference:
    return difference(estimate(figure, first), estimate(figure, second))


def known(found: EstimateDifference | NoDifference) -> EstimateDifference:
    assert isinstance(found, EstimateDifference)
    return found


def contributed(found: Estimate) -> Contributions:
    parts = contributions_of(found)
    assert isinstance(parts, Contributions)
    return parts


def his(first: Estimate, second: Estimate) -> EstimateDifference:
    """His own paired test, from differences in influence."""
    return known(paired(contributed(first), contributed(second), linear=True))


def small_sample(found: UnitsOfAll) -> Estimate:
    """Alpha with the small-sample factor in its influence, which his pairedCAC has and his irrCAC has not."""
    shown = estimate("krippendorff_alpha", found)
    factor = 1 - 1 / int(found.profiles.totals.sum())
    return replace(shown, spread=Spread(factor * present(shown.spread).influence, found.profiles.clusters))


def printed(number: float) -> float:
    """Seven significant digits, which R prints."""
    return float(f"{number:.7g}")


@pytest.mark.parametrize(
    ("figure", "output"),
    [
        ("fleiss_kappa", (0.3856655, 0.7248495, 0.1574322, 2.154477, 0.04910569)),
        ("gwet_ac1", (0.4069193, 0.737382, 0.1452689, 2.274835, 0.03917311)),
        ("conger_kappa", (0.3932584, 0.7250859, 0.1527202, 2.172781, 0.04745695)),
        ("krippendorff_alpha", (0.3959044, 0.7294354, 0.1548083, 2.154477, 0.04910569)),
        ("bennett_s", (0.4, 0.7333333, 0.1477342, 2.256304, 0.04056859)),
        ("observed_agreement", (0.6, 0.8222222, 0.09848947, 2.256304, 0.04056859)),
    ],
)
def test_every_printed_digit(figure: str, output: tuple[float, ...]) -> None:
    compute = small_sample if figure == "krippendorff_alpha" else partial(estimate, figure)
    one, other = compute(whole(FIRST)), compute(whole(SECOND))
    found = his(one, other)
    shown = value(one), value(other), found.standard_error, found.statistic, found.p
    assert tuple(map(printed, shown)) == output
    assert found.degrees == 14
    assert found.method == "paired"


def test_fleiss_against_three_of_the_raters() -> None:
    three = whole([row[:3] for row in SECOND])
    found = his(estimate("fleiss_kappa", whole(FIRST)), estimate("fleiss_kappa", three))
    assert (printed(found.value), printed(found.standard_error)) == (0.4085418, 0.1612858)
    assert (round(found.statistic, 5), printed(found.p)) == (2.53303, 0.02389035)


@pytest.mark.parametrize("figure", FIGURES)
def test_contributions_have_the_standard_error_of_the_report(figure: str) -> None:
    documents = [f"d{place % 4}" for place in range(15)]
    rows = [*FIRST[:12], "1.11", "2...", ".3.3"]
    shown = estimate(figure, whole(rows, documents))
    part = contributed(shown)
    assert part.value == value(shown)
    assert part.standard_error == pytest.approx(error(shown), rel=1e-9)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_does_not_differ_from_itself(figure: str) -> None:
    one = whole(FIRST)
    assert compare(figure, one, one) is NoDifference.NO_VARIATION


def made(value: float, documents: Sequence[int], moved: Sequence[float]) -> Contributions:
    """A figure of documents of one weight."""
    each, many = np.array(moved), len(moved)
    return Contributions(value, np.array(documents), each, each * many / (many - 1), 0.0, 0.0, many, many)


def test_documents_that_only_one_has_make_overlapping_the_same_as_not_pairing() -> None:
    one, other = made(0.5, [0, 1, 2], [0.1, -0.1, 0.0]), made(0.7, [3, 4, 5], [0.2, -0.1, -0.1])
    found, apart = known(overlapping(one, other)), known(unpaired(one, other))
    assert found.standard_error**2 == pytest.approx(3 / 2 * (0.02 + 0.06))
    for name in ("standard_error", "degrees", "p", "spread"):
        assert getattr(found, name) == pytest.approx(getattr(apart, name)), name


def test_documents_that_both_have_make_overlapping_the_same_as_pairing() -> None:
    one, other = made(0.5, [0, 1, 2], [0.1, -0.1, 0.0]), made(0.7, [0, 1, 2], [0.2, -0.1, -0.1])
    found, same = known(overlapping(one, other)), known(paired(one, other))
    for name in ("standard_error", "degrees", "p", "spread"):
        assert getattr(found, name) == pytest.approx(getattr(same, name)), name


def test_what_can_not_be_compared_says_why() -> None:
    one_label, single = whole(["1111", "1111"]), whole(["1121"])
    assert compare("fleiss_kappa", one_label, one_label) is NoDifference.UNDEFINED
    assert compare("observed_agreement", single, single) is NoDifference.ONE_DOCUMENT
    alone = estimate("observed_agreement", single)
    assert difference(alone, alone, (np.array([0]), np.array([1]))) is NoDifference.ONE_DOCUMENT
    none = whole(["1...", "2..."])
    for figure in FIGURES:
        assert compare(figure, none, none) is NoDifference.UNDEFINED
    unknown = replace(estimate("observed_agreement", whole(FIRST)), spread=None)
    assert difference(unknown, unknown) is NoDifference.NO_SPREAD


def test_enough_subjects_are_those_with_which_the_test_has_its_power() -> None:
    found = known(compare("fleiss_kappa", whole(FIRST), whole([*SECOND[:13], *FIRST[13:]])))
    assert found.p > 0.05
    needed = present(clusters_needed(found))
    assert _power(found, needed - 1) < 0.8 <= _power(found, needed)
    assert clusters_needed(replace(found, p=0.04)) is None
    assert clusters_needed(replace(found, value=0.0)) is None


def _power(found: EstimateDifference, subjects: int) -> float:
    """The share of samples in which t exceeds its quantile, by the shifted t distribution."""
    degrees = found.ratio * (subjects - 1)
    shift = abs(found.value) / (found.spread / math.sqrt(subjects))
    return float(stats.t.cdf(shift - stats.t.ppf(0.975, degrees), degrees))
