"""Gwet (2016), paired test of two coefficients: the data and output of his R package pairedCAC."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.agreement import Setting
from reportgen.agreement.uncertainty.difference import (
    COMPARABLE,
    Contributions,
    Difference,
    NoDifference,
    alpha,
    compare,
    paired,
    unpaired,
)
from reportgen.agreement.whole import Whole
from reportgen.counts import count
from tests.agreement.made import annotations, error, figures, units_of, value

# Fifteen subjects, rated by four raters on two occasions.
FIRST = [
    "1111",
    "1123",
    "1123",
    "2223",
    "1211",
    "2111",
    "2222",
    "2322",
    "3333",
    "1111",
    "1123",
    "3333",
    "3233",
    "1211",
    "2111",
]
SECOND = [
    "1111",
    "3332",
    "3333",
    "1121",
    "1111",
    "1111",
    "2222",
    "2211",
    "3333",
    "1113",
    "2222",
    "3333",
    "3333",
    "1211",
    "3333",
]


def whole(rows: Sequence[str], documents: Sequence[str | None] | None = None) -> Whole:
    known = [f"{subject}" for subject in range(len(rows))] if documents is None else documents
    labels = [[None if label == "." else label for label in row] for row in rows]
    units = units_of(annotations(labels, documents=known), categories=("1", "2", "3"))
    return Whole(units, count(units), Setting())


def difference(found: Difference | NoDifference) -> Difference:
    assert isinstance(found, Difference)
    return found


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
    if figure == "krippendorff_alpha":
        parts = [alpha(whole(rows), small_sample=True) for rows in (FIRST, SECOND)]
    else:
        parts = [COMPARABLE[figure](whole(rows)) for rows in (FIRST, SECOND)]
    one, other = parts
    assert one is not None
    assert other is not None
    found = difference(paired(one, other))
    shown = one.value, other.value, found.standard_error, found.statistic, found.p
    assert tuple(map(printed, shown)) == output
    assert found.degrees == 14


def test_fleiss_against_three_of_the_raters() -> None:
    three = whole([row[:3] for row in SECOND])
    found = difference(compare("fleiss_kappa", whole(FIRST), three, same_documents=True))
    assert (printed(found.value), printed(found.standard_error)) == (0.4085418, 0.1612858)
    assert (round(found.statistic, 5), printed(found.p)) == (2.53303, 0.02389035)


def test_alpha_without_the_small_sample_factor_has_the_test_of_fleiss_kappa_over_it() -> None:
    found = difference(compare("krippendorff_alpha", whole(FIRST), whole(SECOND), same_documents=True))
    fleiss = difference(compare("fleiss_kappa", whole(FIRST), whole(SECOND), same_documents=True))
    assert found.standard_error == pytest.approx(fleiss.standard_error, rel=1e-12)


@pytest.mark.parametrize("figure", COMPARABLE)
def test_contributions_have_the_standard_error_of_the_report(figure: str) -> None:
    documents = [f"d{place % 4}" for place in range(15)]
    rows = [*FIRST[:12], "1.11", "2...", ".3.3"]
    found = whole(rows, documents)
    part = COMPARABLE[figure](found)
    shown = figures(found.units).measures[figure]
    assert part is not None
    assert part.value == pytest.approx(value(shown), rel=1e-12)
    assert part.standard_error == pytest.approx(error(shown), rel=1e-9)


@pytest.mark.parametrize("figure", COMPARABLE)
def test_a_figure_does_not_differ_from_itself(figure: str) -> None:
    one = whole(FIRST)
    assert compare(figure, one, one, same_documents=True) is NoDifference.NO_VARIATION


def test_different_documents_are_compared_by_the_root_of_both_variances() -> None:
    one, other = COMPARABLE["gwet_ac1"](whole(FIRST)), COMPARABLE["gwet_ac1"](whole(SECOND))
    assert one is not None
    assert other is not None
    found = difference(unpaired(one, other))
    assert found.standard_error == pytest.approx(math.hypot(one.standard_error, other.standard_error))
    assert 14 <= found.degrees <= 28
    assert found.low < found.value < found.high


def test_documents_that_only_one_has_make_pairing_the_same_as_not_pairing() -> None:
    one = Contributions(0.5, np.array([0, 1, 2]), np.array([0.1, -0.1, 0.0]), 0.0, 3)
    other = Contributions(0.7, np.array([3, 4, 5]), np.array([0.2, -0.1, -0.1]), 0.0, 3)
    apart = difference(paired(one, other))
    assert apart.standard_error**2 == pytest.approx(6 / 5 * (0.02 + 0.06))


def test_what_can_not_be_compared_says_why() -> None:
    one_label, single = whole(["1111", "1111"]), whole(["1121"])
    assert compare("fleiss_kappa", one_label, one_label, same_documents=True) is NoDifference.UNDEFINED
    assert compare("fleiss_kappa", single, single, same_documents=True) is NoDifference.ONE_DOCUMENT
    assert compare("fleiss_kappa", single, single, same_documents=False) is NoDifference.ONE_DOCUMENT
    none = whole(["1...", "2..."])
    for figure in COMPARABLE:
        assert compare(figure, none, none, same_documents=True) is NoDifference.UNDEFINED


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(15)))
def test_the_order_of_subjects_changes_nothing(order: list[int]) -> None:
    before = difference(compare("gwet_ac1", whole(FIRST), whole(SECOND), same_documents=True))
    moved = [[rows[place] for place in order] for rows in (FIRST, SECOND)]
    after = difference(compare("gwet_ac1", *map(whole, moved), same_documents=True))
    assert after.standard_error == pytest.approx(before.standard_error, rel=1e-12)
