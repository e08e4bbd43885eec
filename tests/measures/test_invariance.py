"""What must change nothing, what must turn round, and that two routes lead to the same figure."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.agreement import of
from reportgen.counts import count
from reportgen.measures import ConfidenceInterval, Estimate
from reportgen.measures.distances import CategoryDistance, interval, nominal, ordinal, ratio
from reportgen.measures.figures_of_sums import (
    UnitsByLabels,
    coefficient,
    observed_agreement,
    specific_agreement,
)
from reportgen.measures.formulas import krippendorff_alpha
from reportgen.measures.unit_profiles import LabelPatterns, paired_profiles
from tests.measures.made import Matrix, Table, annotations, figures, pair_of, units_of, value
from tests.properties import examples

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
