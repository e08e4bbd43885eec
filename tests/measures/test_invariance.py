"""What must change nothing, what must turn round, and that two routes lead to the same figure."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.agreement import of
from reportgen.counts import count
from reportgen.measures import ConfidenceInterval, Estimate, UnitSetAgreement, analysis
from reportgen.measures.analysis import PairAgreement
from reportgen.measures.distances import CategoryDistance, interval, nominal, ordinal, ratio
from reportgen.measures.figures_of_sums import (
    UnitsByLabels,
    coefficient,
    observed_agreement,
    specific_agreement,
)
from reportgen.measures.formulas import krippendorff_alpha
from reportgen.measures.unit_profiles import LabelPatterns, pair_figures, paired_profiles, table_cells
from tests.measures.made import Matrix, Table, annotations, figures, pair_of, units_of, value
from tests.properties import examples

SQUARE = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3)
TABLE_4: Matrix = [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]
ON_SCALE = ("[ordinal]", "[interval]", "[linear]", "[quadratic]")


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


def all_same(one: Mapping[str, Estimate], other: Mapping[str, Estimate]) -> None:
    assert one.keys() == other.keys()
    for name, each in one.items():
        same(each, other[name], sign=-1 if name == "bias_index" else 1)


@examples(40)
@given(SQUARE)
def test_swapping_the_annotators_transposes_the_table_and_turns_the_bias_index(table: Table) -> None:
    assume(sum(map(sum, table)) > 0)
    turned = [list(column) for column in zip(*table, strict=True)]
    one, other = (pair_of(each, ("1", "2", "3"), {"d": TABLE_4}, scale="ordinal") for each in (table, turned))
    assert one.table.counts.tolist() == other.table.counts.T.tolist()
    all_same(one.measures, other.measures)
    for mine, theirs in zip(one.against_rest, other.against_rest, strict=True):
        all_same(mine, theirs)
    for code, each in enumerate(one.specific):
        same(each, other.specific[code])
    for name, test in one.tests.items():
        assert other.tests[name].p == (None if test.p is None else pytest.approx(test.p))


@examples(40)
@given(SQUARE, st.permutations(range(3)))
def test_the_order_of_categories_matters_to_no_nominal_figure_but_finn_r(
    table: Table, order: list[int]
) -> None:
    assume(sum(map(sum, table)) > 0)
    moved = [[table[i][j] for j in order] for i in order]
    one, other = pair_of(table), pair_of(moved)
    all_same(*({k: v for k, v in each.measures.items() if k != "finn_r"} for each in (one, other)))
    for place, was in enumerate(order):
        same(one.specific[was], other.specific[place])


@examples(30)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.integers(0, 2)), min_size=1, max_size=9
    ),
    st.randoms(),
)
def test_the_order_of_units_changes_no_digit(units: list[tuple[str, str, int]], random: Random) -> None:
    mixed = list(units)
    random.shuffle(mixed)
    one, other = (
        figures(
            units_of(
                annotations([row[:2] for row in each], documents=[f"d{row[2]}" for row in each]),
                categories=list("abc"),
            )
        )
        for each in (units, mixed)
    )
    assert {name: each.value for name, each in one.measures.items()} == {
        name: each.value for name, each in other.measures.items()
    }
    all_same(one.measures, other.measures)


@examples(20)
@given(st.permutations([(unit, who) for unit in range(24) for who in range(4) if (unit + who) % 5]))
def test_the_order_of_ratings_and_of_documents_changes_nothing(order: list[tuple[int, int]]) -> None:
    one, other = (mixed(each).measures for each in (sorted(order), order))
    all_same(one, other)


def mixed(order: list[tuple[int, int]]) -> UnitSetAgreement:
    """Ratings of 24 units in 7 documents by four annotators, in an order."""
    columns = {
        "document": [f"d{unit % 7}" for unit, _ in order],
        "unit": [unit for unit, _ in order],
        "annotator": [who for _, who in order],
        "label": ["1124"[(unit * 7 + who * unit % 3) % 4] for unit, who in order],
    }
    named = {key: key for key in columns}
    return of(columns, **named, scale="ratio", categories=("1", "2", "4")).analysis  # type: ignore[arg-type]


@examples(40)
@given(SQUARE)
def test_the_names_of_categories_change_no_digit(table: Table) -> None:
    one, other = (figures_of(table, names) for names in (("x", "y", "z"), ("é", '"', "=1+1")))
    assert list(one.measures.values()) == list(other.measures.values())


def figures_of(table: Table, names: tuple[str, str, str]) -> PairAgreement:
    rows = [(names[i], names[j]) for i, row in enumerate(table) for j in range(3) for _ in range(row[j])]
    return (
        figures(units_of(annotations(rows, annotators="xy"), categories=names)).pairs[0]
        if rows
        else pair_of([[1]])
    )


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


def test_alpha_with_distances_of_one_is_nominal_alpha_and_scaling_distances_changes_nothing() -> None:
    table = [[5, 2, 1], [3, 8, 0], [1, 1, 9]]
    ones: Matrix = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    tenfold: Matrix = [[10 * each for each in row] for row in TABLE_4]
    measures = pair_of(table, (), {"ones": ones, "d": TABLE_4, "tenfold": tenfold}).measures
    for name, plain in (("krippendorff_alpha", "krippendorff_alpha"), ("weighted_kappa", "cohen_kappa")):
        assert value(measures[f"{name}[ones]"]) == pytest.approx(value(measures[plain]), rel=1e-12)
        assert value(measures[f"{name}[tenfold]"]) == pytest.approx(value(measures[f"{name}[d]"]), rel=1e-12)
        # The table is used as given: disagreements are ten times as large.
        shown = measures[f"{name}[tenfold]"].observed, measures[f"{name}[d]"].observed
        assert shown[0] == pytest.approx(10 * (shown[1] or 0))


def test_more_annotators_than_two_by_hand() -> None:
    rows = [("a", "a", "b", None), ("b", "b", "b", "b"), ("a", None, None, "b"), (None, "a", None, None)]
    found = figures(units_of(annotations(rows)))
    assert value(found.measures["observed_agreement"]) == pytest.approx((1 / 3 + 1 + 0) / 3)
    # Σ n(n - 1) / Σ n(r - 1): for a 2·1 of 2·2 + 1·1, for b 4·3 of 1·2 + 4·3 + 1·1.
    assert [value(each) for each in found.specific] == pytest.approx([2 / 5, 12 / 15])
    pairs = {(each.table.first, each.table.second): each for each in found.pairs}
    assert set(pairs) == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}
    assert value(pairs[0, 2].measures["observed_agreement"]) == pytest.approx(0.5)
    kappas = [each.measures["cohen_kappa"].value for each in found.pairs]
    defined = [kappa for kappa in kappas if kappa is not None]
    mean = found.mean_over_pairs["cohen_kappa"]
    assert mean.pairs == len(defined) < len(kappas)
    assert mean.value == pytest.approx(math.fsum(defined) / len(defined))


def test_annotators_whose_tables_have_too_many_cells_are_a_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("a", "a", "b"), ("b", "b", "b"), ("a", "b", "b"), ("c", None, "b"), ("c", "c", None)]
    units = units_of(annotations(rows), categories=list("abcde"))
    # Categories that a pair never used have no cell: a1 and a2 use two together, the others three.
    assert table_cells(count(units).pairs, 5) == 9 + 9 + 4
    listed = figures(units)
    monkeypatch.setattr(analysis, "MOST_CELLS", 21)
    crowd = figures(units)
    assert (crowd.pairs, len(listed.pairs)) == ((), 3)
    assert crowd.measures == listed.measures
    assert crowd.against_majority == listed.against_majority
    assert crowd.pair_figures is not None
    kappas = [value(pair.measures["cohen_kappa"]) for pair in listed.pairs]
    assert crowd.pair_figures.kappa.tolist() == pytest.approx(kappas)


def test_one_unit_makes_no_kappa_of_a_pair_of_a_crowd() -> None:
    rows = [("a", "b", None), ("b", None, "b"), ("a", None, "b")]
    found = pair_figures(count(units_of(annotations(rows))).pairs, 2)
    assert [math.isnan(kappa) for kappa in found.kappa.tolist()] == [True, False]
    light = figures(units_of(annotations(rows))).measures["light_kappa"]
    assert light.value == pytest.approx(found.kappa[1])


@pytest.mark.slow
def test_a_crowd_has_every_pairs_figures_without_a_table_for_each() -> None:
    signs = itertools.cycle("aabacabcbb")
    rows: list[list[str | None]] = [[None] * 60 for _ in range(91)]
    for unit, row in enumerate(rows[:90]):
        for rater in range(5):
            row[(unit * 7 + rater * 11) % 60] = next(signs)
    # Two who meet on one unit only, and use one category there.
    rows[90][:2] = ["a", "a"]
    crowd = figures(units_of(annotations(rows), categories=list("abc")))
    assert (crowd.pairs, len(crowd.units.annotators)) == ((), 60)
    found = crowd.pair_figures
    assert found is not None
    for place in range(len(found.first)):
        first, second = int(found.first[place]), int(found.second[place])
        table = [[0] * 3 for _ in range(3)]
        for row in rows:
            one, other = (row[int(crowd.units.annotators[code][1:])] for code in (first, second))
            if one is not None and other is not None:
                table["abc".index(one)]["abc".index(other)] += 1
        alone = pair_of(table).measures
        assert first < second
        assert alone["observed_agreement"].units == found.units[place]
        assert alone["observed_agreement"].value == pytest.approx(found.observed[place])
        kappa = alone["cohen_kappa"].value
        assert found.kappa[place] == pytest.approx(math.nan if kappa is None else kappa, nan_ok=True)
    kappas = [kappa for kappa in found.kappa.tolist() if not math.isnan(kappa)]
    assert crowd.mean_over_pairs["cohen_kappa"].pairs == len(kappas) < len(found.kappa)
    assert crowd.mean_over_pairs["cohen_kappa"].value == pytest.approx(math.fsum(kappas) / len(kappas))
    assert crowd.mean_over_pairs["observed_agreement"].pairs == len(found.first)


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
