"""What follows from a coefficient being a function of sums, what must change nothing, what turns round."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.agreement import of
from reportgen.catalogue import CATALOGUE
from reportgen.counts import count
from reportgen.measures import ConfidenceInterval, Estimate
from reportgen.measures.distances import CategoryDistance, interval, nominal, ordinal, ratio
from reportgen.measures.figures_of_sums import (
    MovedSums,
    UnitsByAnnotators,
    UnitsByKind,
    UnitsByLabels,
    by_document,
    coefficient,
    observed_agreement,
    specific_agreement,
)
from reportgen.measures.formulas import (
    OWN,
    Dual,
    Formula,
    VectorizedSums,
    conger_kappa,
    formula_of,
    krippendorff_alpha,
    values_of,
)
from reportgen.measures.size_curve import GrowingSums, shortfall_polynomial
from reportgen.measures.unit_profiles import LabelPatterns, UnitRatings, paired_profiles
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY
from tests.measures.made import Matrix, Table, annotations, figures, pair_of, units_of, value
from tests.properties import examples

FORMULAS = {each.id: formula_of(each) for each in CATALOGUE if each.coefficient}
OF_TWO = {"cohen_kappa", "weighted_kappa"}
SIZE = 3
FAR = np.array([[0.0, 0.3, 1.0], [0.3, 0.0, 0.7], [1.0, 0.7, 0.0]])
STEP = 1e-6


@st.composite
def profiles(draw: st.DrawFn, width: int) -> LabelPatterns:
    """Kinds of units with their labels, missing ones too where there are more than two annotators."""
    least = 0 if width == 2 else -1
    label = st.integers(least, SIZE - 1)
    rows = draw(st.lists(st.lists(label, min_size=width, max_size=width), min_size=2, max_size=6))
    labels = np.array(rows, dtype=np.int64)
    labels = labels[(labels != NO_CATEGORY).any(axis=1)]
    assume(len(labels) > 1)
    kinds = len(labels)
    document = sorted(draw(st.lists(st.integers(0, 2), min_size=kinds, max_size=kinds)))
    times = draw(st.lists(st.integers(1, 9), min_size=kinds, max_size=kinds))
    return LabelPatterns(labels, np.array(document), np.arange(kinds), np.array(times), SIZE)


def distance(*, weighted: bool) -> CategoryDistance:
    return CategoryDistance("far", FAR) if weighted else nominal(SIZE)


def parts(formula: Formula, found: LabelPatterns, apart: CategoryDistance) -> UnitsByKind:
    """Return what units add to the sums; the labels of a kind stand in the order of the annotators."""
    if formula is not conger_kappa:
        return UnitsByLabels(found, apart)
    unit, annotator = np.nonzero(found.labels[found.profile] != NO_CATEGORY)
    label = found.labels[found.profile[unit], annotator]
    width = found.labels.shape[1]
    rated = UnitRatings(
        annotators=tuple(map(str, range(width))),
        categories=tuple(map(str, range(SIZE))),
        document=found.document,
        weight=found.n,
        unit=unit,
        annotator=annotator,
        label=label,
    )
    return UnitsByAnnotators(rated, apart)


def moved(total: VectorizedSums, by: VectorizedSums, step: float) -> VectorizedSums:
    """Return sums with a little more of others."""
    labels = {name: total.labels[name] + step * by.labels[name] for name in total.labels}
    more = {
        name: getattr(total, name) + step * getattr(by, name) for name in ("units", "ratings", "apart", "met")
    }
    return replace(total, **more, labels=labels)


def some(found: LabelPatterns, here: Codes, *, once: bool = False) -> LabelPatterns:
    """Return some of the units, or one of each of these kinds."""
    n = np.ones_like(found.n) if once else found.n
    return LabelPatterns(found.labels, found.document[here], found.profile[here], n[here], SIZE)


def alone(formula: Formula, found: LabelPatterns, apart: CategoryDistance, kind: int) -> VectorizedSums:
    """Return what one unit of a kind adds to every sum."""
    return parts(formula, some(found, np.array([kind]), once=True), apart).total


def population(formula: Formula, total: VectorizedSums) -> tuple[float, float]:
    """Return observed and expected disagreement of so many units that putting back makes no difference."""
    many = moved(total, total, 1e9)
    observed, expected = formula(many)
    return float(observed[0]), float(np.asarray(expected).reshape(-1)[0])


def figure(formula: Formula, total: VectorizedSums) -> float:
    observed, expected = population(formula, total)
    return 1 - observed / expected


def asked(name: str, found: LabelPatterns, apart: CategoryDistance) -> tuple[Formula, UnitsByKind]:
    formula = FORMULAS[name]
    whole = parts(formula, found, apart)
    assume(whole.total.units[0] > 0)
    expected = population(formula, whole.total)[1]
    assume(expected > 0.05)
    return formula, whole


@pytest.mark.parametrize("name", FORMULAS)
@examples(15)
@given(data=st.data())
def test_a_unit_moves_a_coefficient_as_adding_a_little_of_it_does(name: str, data: st.DataObject) -> None:
    """The slope is the derivative: what is computed of duals is what two sums a little apart differ by."""
    found = data.draw(profiles(2 if name in OF_TWO else data.draw(st.integers(2, 4))))
    apart = distance(weighted=data.draw(st.booleans()))
    formula, whole = asked(name, found, apart)
    along = MovedSums(whole, drifting=True)
    observed, expected = formula(along)
    slope = (1.0 - observed / expected).slope
    for kind in range(len(found.labels)):
        one = alone(formula, found, apart, kind)
        up, down = (figure(formula, moved(whole.total, one, step)) for step in (STEP, -STEP))
        assert slope[kind] == pytest.approx((up - down) / (2 * STEP), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("name", FORMULAS)
@examples(15)
@given(data=st.data())
def test_the_standard_error_is_that_of_the_infinitesimal_jackknife(name: str, data: st.DataObject) -> None:
    """Σ of the squares of what a little less of each document does, with G / (G - 1)."""
    found = data.draw(profiles(2 if name in OF_TWO else data.draw(st.integers(2, 4))))
    apart = distance(weighted=data.draw(st.booleans()))
    formula, whole = asked(name, found, apart)
    estimate = coefficient(formula, whole)
    assume(estimate.standard_error is not None and found.clusters.groups == len(np.unique(found.document)))
    squares = 0.0
    for document in np.unique(found.document).tolist():
        own = parts(formula, some(found, np.flatnonzero(found.document == document)), apart).total
        up, down = (figure(formula, moved(whole.total, own, step)) for step in (STEP, -STEP))
        squares += ((up - down) / (2 * STEP)) ** 2
    groups = found.clusters.groups
    assert estimate.standard_error == pytest.approx(math.sqrt(groups / (groups - 1) * squares), rel=1e-4)


@pytest.mark.parametrize("name", FORMULAS)
@examples(15)
@given(data=st.data())
def test_a_document_has_the_figure_of_a_campaign_of_it_alone(name: str, data: st.DataObject) -> None:
    found = data.draw(profiles(2 if name in OF_TWO else data.draw(st.integers(2, 4))))
    formula, apart = FORMULAS[name], distance(weighted=data.draw(st.booleans()))
    each = [some(found, np.flatnonzero(found.document == document)) for document in range(3)]
    own = [parts(formula, document, apart).total for document in each]
    if formula is conger_kappa:
        values, units = values_of(formula, side_by_side(own)), side_by_side(own).units
    else:
        values, units = by_document(formula, UnitsByLabels(found, apart), 3)
    for document, alone in enumerate(own):
        assert units[document] == alone.units[0]
        assert values[document] == pytest.approx(values_of(formula, alone)[0], abs=1e-12, nan_ok=True)


def side_by_side(rows: list[VectorizedSums]) -> VectorizedSums:
    """Return several sums as rows of one."""
    names = ("units", "ratings", "apart", "met")
    sums: dict[str, Any] = {name: np.concatenate([getattr(each, name) for each in rows]) for name in names}
    return replace(rows[0], **sums, labels={OWN: np.concatenate([each.labels[OWN] for each in rows])})


@pytest.mark.parametrize("name", FORMULAS)
@examples(15)
@given(data=st.data())
def test_a_larger_size_is_that_of_a_campaign_with_those_units_added(name: str, data: st.DataObject) -> None:
    width = 2 if name in OF_TWO else data.draw(st.integers(2, 4))
    found = data.draw(profiles(width))
    assume((found.ratings == width).all())
    formula, more = FORMULAS[name], data.draw(st.integers(0, 50))
    apart = distance(weighted=data.draw(st.booleans()))
    labels = np.vstack([found.labels, np.full((1, width), SIZE - 1)])
    document, profile = np.append(found.document, 0), np.arange(len(labels))
    larger = LabelPatterns(labels, document, profile, np.append(found.n, more), SIZE)
    counts = np.array([np.bincount(column, found.times, SIZE) for column in found.labels.T]).astype(np.int64)
    distances = float(UnitsByLabels(found, apart).total.apart[0] * width * (width - 1) / 2)
    fallen = shortfall_polynomial(formula, GrowingSums(apart, found.units, distances, counts, SIZE - 1))
    added = values_of(formula, parts(formula, larger, apart).total)[0]
    assert 1 - fallen.at(np.array([more]))[0] == pytest.approx(added, abs=1e-12, nan_ok=True)
    far = 1 - fallen.at(np.array([10**12]))[0]
    limit = None if fallen.limit is None else 1 - float(fallen.limit)
    assert limit == pytest.approx(None if math.isnan(far) else far, abs=1e-9)


def test_duals_are_derived_by_the_rules_of_calculus() -> None:
    x = Dual(3.0, np.array([1.0, 0.0]))
    y = Dual(2.0, np.array([0.0, 1.0]))
    found = 1.0 - (x * y + 2.0 * x) / (y * y) - x / 4.0
    assert found.value == 1 - 12 / 4 - 3 / 4
    assert found.slope.tolist() == [-4 / 4 - 1 / 4, -(3 * 4 - 12 * 4) / 16]


SQUARE = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3)
TABLE_4: Matrix = [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]


def same(one: Estimate, other: Estimate, *, sign: int = 1) -> None:
    """See that two estimates are equal but for rounding, or opposite."""
    assert (one.units, one.undefined) == (other.units, other.undefined)
    if one.value is not None:
        assert sign * value(other) == pytest.approx(one.value, abs=1e-9)
        assert one.observed == pytest.approx(one.observed if other.observed is None else other.observed)
    assert (one.standard_error is None) == (other.standard_error is None)
    if one.standard_error is not None:
        assert other.standard_error == pytest.approx(one.standard_error, rel=1e-6, abs=1e-12)
    assert isinstance(one.interval, ConfidenceInterval) == isinstance(other.interval, ConfidenceInterval)
    if (
        isinstance(one.interval, ConfidenceInterval)
        and isinstance(other.interval, ConfidenceInterval)
        and sign == 1
    ):
        assert other.interval.low == pytest.approx(one.interval.low, abs=1e-6)
        assert other.interval.high == pytest.approx(one.interval.high, abs=1e-6)
        assert other.interval.method == one.interval.method
    elif not isinstance(one.interval, ConfidenceInterval):
        assert one.interval == other.interval


@examples(60)
@given(SQUARE)
def test_values_and_ends_keep_the_bounds_of_their_measure(table: Table) -> None:
    assume(sum(map(sum, table)) > 0)
    pair = pair_of(table, ("1", "2", "3"), {"d": TABLE_4}, scale="ordinal")
    lowest = {"observed_agreement": 0.0, "bennett_s": -0.5, "finn_r": -math.inf}
    for name, each in pair.measures.items():
        low = -math.inf if "[" in name else lowest.get(name, -1.0)
        if each.value is not None:
            assert low - 1e-12 <= each.value <= 1 + 1e-12
        if isinstance(each.interval, ConfidenceInterval):
            assert low <= each.interval.low <= value(each) <= each.interval.high <= 1 + 1e-12
    for each in pair.specific:
        assert each.value is None or 0 <= each.value <= 1
    ceiling, kappa = pair.measures["kappa_max"], pair.measures["cohen_kappa"]
    assert ceiling.value is None or value(kappa) <= ceiling.value + 1e-12


@examples(40)
@given(
    st.lists(
        st.tuples(st.sampled_from("124"), st.sampled_from("124"), st.integers(0, 3), st.integers(1, 4)),
        min_size=1,
        max_size=8,
    )
)
def test_the_route_of_any_number_of_annotators_equals_that_of_two(
    units: list[tuple[str, str, int, int]],
) -> None:
    assume(sum(row[3] for row in units) > 1)
    export = annotations(
        [row[:2] for row in units],
        annotators="xy",
        documents=[f"d{row[2]}" if row[2] else None for row in units],
        weights=[row[3] for row in units],
    )
    coded = units_of(export, categories=list("124"), scale="ratio")
    pair = figures(coded, {"d": TABLE_4}).pairs[0]
    profiles = paired_profiles(count(coded).profiles, 3)
    same(pair.measures["observed_agreement"], observed_agreement(profiles))
    numbers = np.array([1.0, 2.0, 4.0])
    for name, distance in {
        "krippendorff_alpha": nominal(3),
        "krippendorff_alpha[d]": CategoryDistance("d", np.array(TABLE_4, dtype=np.float64)),
        "krippendorff_alpha[interval]": interval(numbers),
        "krippendorff_alpha[ratio]": ratio(numbers),
    }.items():
        same(pair.measures[name], relabelled(alpha_of(profiles, distance), pair.measures[name]))
    ranks = figures(replace(coded, scale="ordinal")).pairs[0].measures["krippendorff_alpha[ordinal]"]
    same(ranks, relabelled(alpha_of(profiles, ordinal(profiles.totals)), ranks))
    for code, each in enumerate(pair.specific):
        same(each, specific_agreement(profiles, code))


def alpha_of(profiles: LabelPatterns, distance: CategoryDistance) -> Estimate:
    return coefficient(krippendorff_alpha, UnitsByLabels(profiles, distance))


def relabelled(estimate: Estimate, like: Estimate) -> Estimate:
    """The reason that the route of many gives for no units is worded for many."""
    return (
        replace(estimate, undefined=like.undefined)
        if estimate.value is None and like.value is None
        else estimate
    )


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_no_figure_of_numbers_depends_on_the_unit_that_they_are_in(unit: float) -> None:
    """Neither a value nor an interval: what is tiny is no less of a disagreement."""
    numbers = [[1, 2, 1], [4, 4, 5], [2, 2, 2], [5, 3, 4], [1, 1, 2], [3, 4, 3], [5, 5, 5], [2, 1, 1]] * 3
    here, there = (
        of([[each * times for each in row] for row in numbers], scale="interval").measures
        for times in (1, unit)
    )
    for name in ("krippendorff_alpha[interval]", "weighted_kappa[quadratic]", "observed_agreement"):
        # Disagreement itself is in that unit, squared.
        same(here[name], replace(there[name], observed=None))
