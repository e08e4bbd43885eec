"""Rules of sets, resampling, ranks, plans and places at their edges, on what can be counted by hand."""

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import stats

from reportgen.counts import Cells, ContingencyTable, count, pair_tables
from reportgen.measures import (
    ConfidenceInterval,
    Estimate,
    NoInterval,
    comparisons,
    figures_of_sums,
    sets,
    significance_tests,
)
from reportgen.measures.analysis import (
    MOST_CATEGORIES_BY_DOCUMENT,
    _document_cells,
    _with_members,
    cells_by_document,
    over_documents,
    small_cells,
    withheld,
)
from reportgen.measures.causes import KINDS, AllDifferences, LayerDifferences
from reportgen.measures.comparisons import (
    _macro_influence,
    _mean_of_pairs,
    _phi,
    _uses,
)
from reportgen.measures.complete_ratings import _kendall_w, _mid_ranks, _of_w
from reportgen.measures.distances import (
    CategoryDistance,
    ConditionalDistance,
    bipolar,
    circular,
    nominal,
    ordinal,
)
from reportgen.measures.estimate import Clusters, Method, Spread, figure
from reportgen.measures.figures_of_sums import AgainstMajority, UnitsByLabels, _blocks, share
from reportgen.measures.sets import label_confusions, labels_chosen, sets_compared
from reportgen.measures.significance_tests import (
    Contributions,
    EstimateDifference,
    NoDifference,
    _no_more_than,
    change,
    exchange_p,
    signs_p,
    stretched,
    with_holm,
)
from reportgen.measures.standard_errors import plan, units_needed, units_to_tell
from reportgen.measures.unit_profiles import LabelPatterns, UnitRatings
from reportgen.measures.unit_set_data import ScaleSetting, UnitsOfAll, setting_of
from reportgen.readers import NO_DOCUMENT
from reportgen.results import Mean
from reportgen.results.parts import Change, DifferenceTest
from reportgen.results.unit_sets import LabelCounts
from reportgen.units import CodedUnits
from tests.defaults import taken
from tests.measures.made import annotations, intervals_asked, units_of
from tests.present import present
from tests.properties import examples

# Rules of sets, resampling, ranks, plans and places at their edges, on what can be counted by hand.


def whole(units: CodedUnits) -> UnitsOfAll:
    """Return units without any figure of theirs."""
    return UnitsOfAll(units, count(units), setting_of(units, ()))


def test_what_nobody_says_is_nothing() -> None:
    assert taken("measures/**/*.py") == {
        "causes.LayerDifferences.is_nominal": True,
        "coefficients._of_two_categories.of_agreement": True,
        "unitizing.by_document.pairs": True,
        "significance_tests.EstimateDifference.ratio": 1.0,
        "distances.ordinal.ratings": 2.0,
        "estimate.Estimate.recomputable": True,
        "estimate.ends.more": 1.0,
        "estimate.ends.wider": 1.0,
        "figures_of_sums.chance.replaced": True,
        "formulas.chance.replaced": True,
        "groups.ToldGroups.smallest": 1,
        "standard_errors.units_to_inspect.confidence": 0.95,
        "unit_profiles.paired_profiles.least": 2,
        "unit_profiles.without.least": 2,
        "unit_profiles.UnitRatings.in_pairs": True,
        "spans.Ratio.people": 1,
        "spans.estimate.high": 1.0,
        "spans.unless_few.pairs": 1,
        "spans.with_document_interval.high": 1.0,
        "size_curve.chance.replaced": True,
        "size_curve.size_curve.points": True,
        "spans.among_annotators.kind": -1,
        "spans.span_results.smallest": 1,
        "standard_errors.clusters_to_show.ratio": 1.0,
        "unit_set_data.scale_distances.ratings": 2.0,
        "analysis.unit_set.complete": True,
        "analysis.unit_set.smallest": 1,
    }


# Sets of labels.

Rows = Sequence[Sequence[str | None]]
SETS = st.lists(st.tuples(*[st.sampled_from([None, "a", "b", "a|b", "b|c", "c|d", "{}"])] * 3), min_size=1)


def of_sets(rows: Rows) -> UnitsOfAll:
    # Each annotator uses a label.
    export = annotations([*rows, ("a", "a", "a")], separator="|")
    return whole(units_of(export, scale="set"))


def members(label: str) -> frozenset[str]:
    return frozenset() if label == "{}" else frozenset(label.split("|"))


def paired(rows: Rows) -> list[list[frozenset[str]]]:
    """The sets of each unit that two rated."""
    units = [[members(label) for label in row if label is not None] for row in (*rows, ("a", "a", "a"))]
    return [unit for unit in units if len(unit) > 1]


def confused(one: frozenset[str], other: frozenset[str]) -> list[tuple[str, ...]]:
    """Return what two sets confuse: labels of one alone with those of the other alone, or omissions."""
    here, there = one - other, other - one
    if not here or not there:
        return [(label, "") for label in here | there]
    return [tuple(sorted((first, second))) for first in here for second in there]


@given(SETS)
@examples(80)
def test_confused_labels_of_sets_are_those_of_a_literal_count(rows: Rows) -> None:
    units, found = paired(rows), sets_compared(of_sets(rows))
    assert found is not None
    times: Counter[tuple[str, ...]] = Counter()
    differing = 0.0
    totals: Counter[frozenset[str]] = Counter()
    for unit in units:
        totals.update(unit)
        for one, other in combinations(unit, 2):
            if one != other:
                differing += 1 / (len(unit) - 1)
                for two in confused(one, other):
                    times[two] += 1 / (len(unit) - 1)  # type: ignore[assignment]
    assert found.differing == pytest.approx(differing)
    told = {(each.first, each.second or ""): each for each in found.confusions}
    assert set(told) == set(times)
    for two, each in told.items():
        assert each.units == pytest.approx(times[two])
        chance = sum(
            totals[one] * totals[other] / (totals.total() - 1)
            for one, other in combinations(totals, 2)
            for both in confused(one, other)
            if both == two
        )
        assert each.chance == pytest.approx(chance)
    order = [(-each.units, each.first, each.second or "~") for each in found.confusions]
    assert [round(units, 9) for units, *_ in order] == sorted(round(units, 9) for units, *_ in order)
    empty = frozenset[str]()
    met = [two for unit in units for two in combinations(unit, 2)]
    assert found.meetings == len(met)
    assert found.meetings_left_out == sum(one == other == empty for one, other in met)
    blank = sum(all(one == other == empty for one, other in combinations(unit, 2)) for unit in units)
    assert found.units_left_out == blank


@given(SETS)
@examples(80)
def test_labels_chosen_are_counted_in_all_ratings_and_where_two_differ(rows: Rows) -> None:
    found = labels_chosen(of_sets(rows))
    every = [[members(label) for label in row if label is not None] for row in (*rows, ("a", "a", "a"))]
    for name, own in found.items():
        chosen = [sum(name in each for each in unit) for unit in every]
        assert own.chosen == sum(chosen)
        both = [(n, len(unit)) for n, unit in zip(chosen, every, strict=True) if len(unit) > 1]
        due = [n * (size - n) / (size - 1) for n, size in both]
        assert own.apart == pytest.approx(sum(due))


def test_so_many_confusions_and_chances_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    units = of_sets([("a", "b", "b"), ("a", "c|d", None), ("b", "{}", None)])
    every = label_confusions(units)
    assert [(each.first, each.second, each.units) for each in every] == [
        ("a", "b", 1),
        ("a", "c", 1),
        ("a", "d", 1),
        ("b", None, 1),
    ]
    monkeypatch.setattr(sets, "MOST_CONFUSIONS", 3)
    assert label_confusions(units) == every[:3]
    # Four sets are in use, and three meet others.
    monkeypatch.setattr(sets, "MOST_BY_CHANCE", 4)
    assert label_confusions(units) == every[:3]
    monkeypatch.setattr(sets, "MOST_BY_CHANCE", 3)
    assert [each.chance for each in label_confusions(units)] == [None] * 3
    monkeypatch.setattr(sets, "MOST_MEETING", 3)
    assert len(label_confusions(units)) == 3
    monkeypatch.setattr(sets, "MOST_MEETING", 2)
    assert label_confusions(units) == []


def test_agreement_on_sets_moves_up_with_a_unit_on_which_all_agree() -> None:
    rows = [("a", "a")] * 3 + [("a", "b")]
    pair = whole(units_of(annotations(rows, separator="|"), scale="set")).pair
    # Of two labels, a unit with one each agrees on none, explicitly or implicitly.
    for own in (sets.explicit_agreement(pair), sets.implicit_agreement(pair)):
        (found,) = own.values()
        assert found.value == 0.75
        assert present(found.spread).influence.tolist() == [0.25, -0.75]


# Sums and samples.


@pytest.mark.parametrize(("block", "sizes"), [(1, [1] * 5), (6, [2, 2, 1]), (14, [4, 1]), (15, [5])])
def test_documents_come_in_blocks(block: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Five documents, of three categories each."""
    rows = [("x", "y"), ("x", "x"), ("y", "y"), ("x", "z"), ("z", "z")] * 2
    units = whole(units_of(annotations(rows, documents=[f"d{place // 2}" for place in range(10)])))
    every = list(over_documents(units).items())
    monkeypatch.setattr(figures_of_sums, "BLOCK", block)
    blocks = list(_blocks(UnitsByLabels(units.profiles, nominal(3)), 5))
    assert [size for _, size in blocks] == sizes
    assert [int(own.kinds.n.sum()) for own, _ in blocks] == [2 * size for size in sizes]
    assert list(over_documents(units).items()) == every


def test_a_mean_over_pairs_is_of_those_of_whom_one_used_the_category() -> None:
    units = whole(units_of(annotations([("x", "x", "z"), ("x", "y", "x")]), categories=["x", "y", "z", "w"]))
    tables = list(pair_tables(units.counts.pairs, 4))
    x, y, z, w = comparisons.agreement_means(tables, ScaleSetting())
    assert x is not None
    assert x.value == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)
    assert x.pairs == 3
    assert y == z == Mean(value=0, pairs=2)
    assert w is None
    assert comparisons.agreement_means([], ScaleSetting()) == []


def test_a_unit_moves_the_mean_over_categories_as_its_derivative_says() -> None:
    """Of the categories that somebody used but the one for what is not marked."""
    rows = [("x", "x", 9, None), ("x", "y", 4, None), ("y", "y", 5, None), ("n", "x", 3, None)]
    table = table_of([*rows, ("n", "n", 7, None)], categories=["x", "y", "z", "n"])
    setting, own = ScaleSetting(non_annotated=3), table.cells
    numbers = own.value.tolist()
    cells = dict(zip(zip(own.row.tolist(), own.column.tolist(), strict=True), numbers, strict=True))

    def macro(weights: Mapping[tuple[int, int], float]) -> float:
        found = []
        for category in (0, 1):
            uses = sum(n * (list(cell).count(category)) for cell, n in weights.items())
            found.append(2 * weights.get((category, category), 0) / uses)
        return sum(found) / len(found)

    influence = _macro_influence(table, setting, *_uses(table, setting))
    for place, cell in enumerate(cells):
        ends = [
            macro({each: n + step * (each == cell) for each, n in cells.items()}) for step in (1e-4, -1e-4)
        ]
        assert influence[place] == pytest.approx((ends[0] - ends[1]) / 2e-4 * 28, abs=1e-6)


# Ranks, plans, and figures by hand.


def test_a_plan_takes_an_interval_and_two_clusters() -> None:
    ends = ConfidenceInterval(0.1, 0.9, 0.95, Method.BY_UNIT)
    moved = Spread(np.full(9, 0.3), Clusters.of_documents(9), bounds=(-1.0, 1.0))
    known = Estimate(0.5, 9, standard_error=0.1, interval=ends, spread=moved)
    assert plan(known, 1) is None
    two = present(plan(known, 2))
    assert two.half_width == pytest.approx(0.4)
    assert [goal.more for goal in two.goals] == [goal.clusters - 2 for goal in two.goals]
    assert plan(replace(known, interval=NoInterval.FEW_ON_A_SCALE), 9) is None
    assert plan(replace(known, standard_error=None), 9) is None
    assert plan(replace(known, spread=None), 9) is None
    wide = present(plan(replace(known, spread=replace(moved, influence=np.full(9, 0.003))), 9))
    assert [goal.more for goal in wide.goals] == [0, 0, 0]


def test_larger_sums_are_followed_in_coarser_steps() -> None:
    """Of 1,000 exactly one way of nine is as far away; of 1,001, in steps of two, it is two."""
    everybody = np.ones((2, 3), dtype=np.bool_)
    exact = np.array([[500, -499, -1], [500, -500, 0]])
    assert exchange_p(exact, everybody, 0) == pytest.approx(1 / 9)
    coarse = np.array([[500, -499, -1], [501, -501, 0]])
    assert exchange_p(coarse, everybody, 0) == pytest.approx(2 / 9)


def test_kappa_and_threshold_are_less_than_one() -> None:
    assert units_to_tell(0.5, 0.5, 0.0) is not None
    assert units_to_tell(0.0, 0.5, 0.5) is not None
    assert units_to_tell(0.5, 0.5, 0.5) is None
    wrong = (1, 0.5, 0.5), (0.5, 0.5, 1), (0.5, 0, 0.2), (0.5, 1, 0.2), (-0.1, 0.5, 0.5), (0.5, 0.5, -0.1)
    for kappa, prevalence, threshold in wrong:
        with pytest.raises(ValueError, match="less than 1"):
            units_to_tell(kappa, prevalence, threshold)
    too_much = (1, 0.5, 0.1), (-0.1, 0.5, 0.1), (0.5, 0, 0.1), (0.5, 1, 0.1), (0.5, 0.5, 0), (0.5, 0.5, 1)
    for kappa, prevalence, half in too_much:
        with pytest.raises(ValueError, match="between 0 and 1"):
            units_needed(kappa, prevalence, half)
    # v (1.96 / half)², v = (1 - κ)² (1 - 2κ) + (1 - κ) κ (2 - κ) / (2p(1 - p)): .75 at .5 and .5, 1 at 0.
    assert 1 < units_needed(0.5, 0.5, 0.1) / (0.75 * (1.96 / 0.1) ** 2) < 1.1
    assert 1 < units_needed(0, 0.5, 0.1) / (1.96 / 0.1) ** 2 < 1.1


@pytest.mark.parametrize("values", [[], [3.0], [1.0, 2.0, 4.0], [5.0, -1.0]])
def test_a_circle_has_a_step_more_than_lie_between_its_ends(values: list[float]) -> None:
    found = circular(np.array(values)).matrix
    steps = max(values, default=0) - min(values, default=0) + 1
    due = [math.sin(math.pi * (one - other) / steps) ** 2 for one in values for other in values]
    assert found.reshape(-1).tolist() == pytest.approx(due)
    assert found.shape == (len(values), len(values))


@pytest.mark.parametrize("values", [[], [3.0], [1.0, 2.0, 4.0], [5.0, -1.0, 0.0]])
def test_values_are_farther_apart_the_nearer_they_are_to_an_end_of_their_scale(values: list[float]) -> None:
    found = bipolar(np.array(values)).matrix
    assert found.shape == (len(values), len(values))
    least, most = min(values, default=0), max(values, default=0)
    due = [
        (one - other) ** 2 / ((one + other - 2 * least) * (2 * most - one - other)) if one != other else 0
        for one in values
        for other in values
    ]
    assert found.reshape(-1).tolist() == pytest.approx(due)


def test_the_farthest_of_declared_distances_may_be_less_than_one() -> None:
    near = CategoryDistance("near", np.array([[0, 0.5, 0.25], [0.5, 0, 0.25], [0.25, 0.25, 0]]))
    assert near.farthest(np.array([True, True, True])) == 0.5
    assert near.farthest(np.array([True, False, True])) == 0.25
    assert near.farthest(np.array([True, False, False])) == 0


def test_the_farthest_of_computed_distances_is_between_categories_in_use() -> None:
    """Of three categories, of which the first two meet more often than with the third."""
    met = np.array([[4, 6, 1], [6, 2, 2], [1, 2, 5]], dtype=np.float64)
    distance = ConditionalDistance(Cells(3, np.arange(9), met.reshape(-1)), 15, product=False)
    apart = distance.matrix
    for used in ([0, 1], [0, 2], [1, 2], [0, 1, 2]):
        due = max(apart[one, other] for one in used for other in used)
        assert distance.farthest(np.isin(np.arange(3), used)) == pytest.approx(due)
    alone = ConditionalDistance(Cells(3, np.array([0, 1, 3, 8]), np.ones(4)), 2, product=False)
    assert alone.farthest(np.array([True, True, False])) == pytest.approx(0.25)
    assert alone.farthest(np.array([True, True, True])) == 1, "the third never meets another"


def test_a_rating_moves_a_figure_through_the_mean_ranks_of_categories_as_its_derivative_says() -> None:
    totals, slopes = np.array([4.0, 9.0, 2.0, 7.0]), np.random.default_rng(3).random((4, 4))

    def figure_at(totals: npt.NDArray[np.float64]) -> float:
        ranks = (np.cumsum(totals) - totals / 2) / totals.sum()
        return float((slopes * (ranks[:, None] - ranks[None, :]) ** 2).sum())

    distance = ordinal(totals.astype(np.int64), ratings=2.5)
    found = present(distance.drift)(lambda one, other: slopes[one, other])
    assert found.by_pair is None
    for category, step in enumerate(np.eye(4) * 1e-5):
        derivative = (figure_at(totals + step) - figure_at(totals - step)) / 2e-5
        assert found.by_rating[category] == pytest.approx(derivative * totals.sum() / 2.5, abs=1e-7)


@given(st.lists(st.tuples(*[st.sampled_from("1234")] * 3), min_size=3, max_size=6, unique=True))
@examples(40)
def test_a_unit_moves_kendalls_w_as_its_derivative_says(rows: list[tuple[str, ...]]) -> None:
    values = np.arange(4.0)

    def weighed(weights: list[int]) -> tuple[float, LabelPatterns]:
        export = annotations(rows, weights=weights)
        table = whole(units_of(export, scale="ordinal", categories=list("1234"))).complete
        return _kendall_w(table, values).value or 0.0, table

    base = [10**7] * len(rows)
    value, table = weighed(base)
    assume(value > 0)
    found = _of_w(_mid_ranks(table, values), table, value)
    due = []
    for place in range(len(rows)):
        ends = [
            weighed([n + sign * 10**4 * (number == place) for number, n in enumerate(base)])[0]
            for sign in (1, -1)
        ]
        due.append((ends[0] - ends[1]) / (2 * 10**4) * 10**7 * len(rows))
    assert sorted(found.tolist()) == pytest.approx(sorted(due), abs=1e-5)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=20))
@examples(60)
def test_phi_is_asked_an_interval_with_what_it_rests_on(units: list[tuple[bool, bool]]) -> None:
    cells = Counter(units)
    first, second = (sum(unit[side] for unit in units) for side in (0, 1))
    size = len(units)
    row, column = (np.array([key[side] for key in sorted(cells)], dtype=np.int64) for side in (0, 1))
    if not first * second * (size - first) * (size - second):
        return
    times = np.array([cells[key] for key in sorted(cells)])
    profiles = cast("Any", SimpleNamespace(times=times, clusters=None))
    (own,) = intervals_asked(comparisons, lambda: _phi(profiles, row, column))

    def phi(weights: Mapping[tuple[bool, bool], float]) -> float:
        a, b, c, d = (
            weights.get(key, 0) for key in ((True, True), (True, False), (False, True), (False, False))
        )
        return (a * d - b * c) / math.sqrt((a + b) * (c + d) * (a + c) * (b + d))

    assert own["estimate"].value == pytest.approx(phi(cells))
    assert own["disagreements"] == cells[True, False] + cells[False, True]
    assert own["chance"] == pytest.approx((first * (size - second) + second * (size - first)) / size**2)
    assert (own["bounds"], own["of_units"]) == ((-1, 1), True)
    for place, key in enumerate(sorted(cells)):
        ends = [phi({each: n + step * (each == key) for each, n in cells.items()}) for step in (1e-4, -1e-4)]
        assert own["influence"][place] == pytest.approx((ends[0] - ends[1]) / 2e-4 * size, abs=1e-4)
        own_rows = first if key[0] else size - first
        own_columns = second if key[1] else size - second
        assert own["weight"][place] == pytest.approx(size / 4 * (1 / own_rows + 1 / own_columns))


class Asked(NamedTuple):
    """A pair of annotators with so many disagreements, and a figure of theirs that rests on something."""

    disagreements: int
    value: float | None
    worst: float | None = 2.0
    low: float = -1.0
    least: float = -3.0
    on_a_scale: bool = False


def mean_of(*asked: Asked) -> dict[str, Any]:
    """Return the mean over pairs, with what its interval is asked for."""
    clusters = Clusters.of_documents(4)
    pairs, figures = [], []
    for each in asked:
        pairs.append(SimpleNamespace(table=SimpleNamespace(disagreements=each.disagreements)))
        influence, bounds = np.full(4, each.value or 0.0), (each.low, 1.0)
        rest = each.worst, each.least, each.on_a_scale
        spread = Spread(influence, clusters, influence, bounds, *rest)
        figures.append(Estimate(each.value, 4, spread=spread))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(comparisons, "_of_units", lambda _pair, _units, by_kind, _absent: by_kind)
        (told,) = intervals_asked(
            comparisons, lambda: _mean_of_pairs(cast("Any", pairs), figures, clusters, -1)
        )
    return told


def test_the_mean_of_a_figure_over_pairs_rests_on_the_least_and_the_mean_of_theirs() -> None:
    one, other = Asked(3, 0.5), Asked(5, 0.75, 4.0, -math.inf, -5.0, on_a_scale=True)
    told = mean_of(one, Asked(4, None), other)
    found = told.pop("estimate")
    assert (found.value, found.units) == (0.625, 4)
    assert told.pop("weight").tolist() == told.pop("influence").tolist() == [2.5] * 4
    assert told == {
        "disagreements": 8,
        "worst": 3,
        "least": -5,
        "bounds": (-math.inf, 1),
        "on_a_scale": True,
        "of_units": True,
    }
    alike = mean_of(one, one)
    assert (alike["on_a_scale"], alike["worst"], alike["bounds"]) == (False, 2, (-1, 1))
    assert mean_of(one, Asked(1, 0.5, None))["worst"] is None


# Agreement by document.


def test_agreement_by_document_is_looked_for_among_so_many_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three categories, three pairs and two documents."""
    rows = [("x", "y", "z"), ("x", "x", "x")]
    units = units_of(annotations(rows, documents=["d", "e"]))
    pairs = count(units).pairs
    module = sys.modules["reportgen.measures.analysis"]
    monkeypatch.setattr(module, "MOST_GROUPS", 18)
    found = present(cells_by_document(units, pairs, 1))
    assert [(each.document, each.comparisons, each.disagreements) for each in found.documents] == [
        ("d", 3, 3),
        ("e", 3, 0),
    ]
    monkeypatch.setattr(module, "MOST_GROUPS", 17)
    assert cells_by_document(units, pairs, 1) is None
    monkeypatch.setattr(module, "MOST_GROUPS", 18)
    assert cells_by_document(replace(units, grouped=5), pairs, 1) is None
    alone = units_of(annotations(rows))
    assert cells_by_document(alone, count(alone).pairs, 1) is None


# Differences as results have them.


def figure_of(low: float | None, high: float = 1.0, value: float = 0.5) -> Estimate:
    ends = NoInterval.RARE if low is None else ConfidenceInterval(low, high, 0.95, Method.BY_UNIT)
    return Estimate(value, 9, standard_error=0.1, interval=ends)


@pytest.mark.parametrize(
    ("first", "second", "tested", "due"),
    [
        # Above by .1 to .7, as both intervals have it.
        ((0.2, 0.4), (0.5, 0.9), (0.05, 0.8), (0.1, 0.7)),
        ((0.2, 0.4), (0.5, 0.9), (0.2, 0.6), (0.2, 0.6)),
        ((0.2, 0.4), (0.5, 0.9), (0.0, 0.8), (0.0, 0.7)),
        ((0.2, 0.4), (0.5, 0.9), (-0.1, 0.8), (-0.1, 0.7)),
        # Below by as much.
        ((0.5, 0.9), (0.2, 0.4), (-0.8, -0.05), (-0.7, -0.1)),
        ((0.5, 0.9), (0.2, 0.4), (-0.6, -0.2), (-0.6, -0.2)),
        ((0.5, 0.9), (0.2, 0.4), (-0.8, 0.0), (-0.7, 0.0)),
        ((0.5, 0.9), (0.2, 0.4), (-0.8, 0.1), (-0.7, 0.1)),
        # Neither, and intervals that touch.
        ((0.2, 0.6), (0.4, 0.9), (-0.4, 0.9), (-0.2, 0.7)),
        ((0.2, 0.5), (0.5, 0.9), (-0.1, 0.6), (0.0, 0.6)),
        # One has none.
        ((None, 1.0), (0.5, 0.9), (-0.9, 0.9), (-0.9, 0.9)),
        ((0.5, 0.9), (None, 1.0), (-0.9, 0.9), (-0.9, 0.9)),
    ],
)
def test_the_interval_of_a_difference_is_cut_where_both_intervals_allow_no_more(
    first: tuple[float | None, float],
    second: tuple[float | None, float],
    tested: tuple[float, float],
    due: tuple[float, float],
) -> None:
    """But not past 0."""
    figures = figure(figure_of(*first)), figure(figure_of(*second))
    asked = EstimateDifference(0.1, 0.1, 1.0, 5.0, 0.5, *tested)
    found = _no_more_than(figures, asked)
    assert found.low == pytest.approx(due[0])
    assert found.high == pytest.approx(due[1])


def test_a_difference_is_there_without_its_test() -> None:
    one, other = figure_of(0.1, value=0.25), figure_of(0.1, value=0.75)
    found = change((one, other), reason=NoDifference.FEW)
    assert (found.difference, found.untested, found.test) == (0.5, NoDifference.FEW, None)
    assert (found.first.value, found.second.value) == (0.25, 0.75)
    undefined = change((one, Estimate(None, 3)), reason=NoDifference.FEW)
    assert (undefined.difference, undefined.untested) == (None, NoDifference.UNDEFINED)
    assert change((one, other)).untested == NoDifference.NO_SPREAD


def test_tests_of_one_question_have_adjusted_p_values() -> None:
    def tested(p: float) -> Change:
        test = DifferenceTest(method="paired", statistic=1.0, degrees=5.0, p=p)
        return Change(first=figure(figure_of(0.1)), second=figure(figure_of(0.1)), test=test)

    without = Change(first=figure(figure_of(0.1)), second=figure(figure_of(0.1)), untested="few")
    found = with_holm({"a": tested(0.04), "b": without, "c": tested(0.01)})
    assert [each.test and each.test.adjusted for each in found.values()] == [0.04, None, 0.02]
    assert list(found) == ["a", "b", "c"]


def test_figures_that_are_as_near_as_rounding_are_at_one_place_of_the_scale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There a step is that of the middle; of others it is the difference over that on the scale."""
    monkeypatch.setattr(significance_tests, "NEAR", 0.25)
    ones, none = np.ones(1), np.zeros(1, dtype=np.int64)

    def moved(first: float, second: float) -> float:
        figures = [Contributions(value, none, ones, ones, 1.0, 1.0, 2, 2.0) for value in (first, second)]
        one, _ = stretched(figures[0], figures[1], (0.0, 1.0))
        return float(one.moved[0] * first * (1 - first))

    assert moved(0.25, 0.5) == pytest.approx(0.375 * 0.625)
    assert moved(0.25, 0.75) == pytest.approx(0.5 / (2 * math.log(3)))
    assert moved(0.75, 0.25) == pytest.approx(0.5 / (2 * math.log(3)))


def test_units_without_a_document_are_no_groups_beside_documents() -> None:
    """Three documents of 1, 1 and 2 units, and four units without one."""
    documents = np.array([0, 1, 2, NO_DOCUMENT])
    clusters = Clusters.of_units(documents, np.arange(4), np.array([1, 1, 2, 4]), corrected=False)
    assert (clusters.groups, clusters.units) == (3, 8)

    def alike(*weights: float) -> float:
        return Spread(np.zeros(4), clusters, np.array(weights)).alike

    assert Spread(np.zeros(4), clusters).alike == 3
    # (Σw)² / Σw² of what each document and each unit weighs.
    assert alike(2, 1, 1, 0) == pytest.approx(25 / 9)
    assert alike(8, 1, 0, 1) == pytest.approx(13**2 / 69)
    assert alike(0, 0, 0, 0) == 3


# Symmetry.


def table_of(rows: Sequence[tuple[str, str, int, str | None]], **task: Any) -> ContingencyTable:  # noqa: ANN401
    export = annotations(
        [row[:2] for row in rows], weights=[row[2] for row in rows], documents=[row[3] for row in rows]
    )
    return whole(units_of(export, **task)).pair.table


APART = [
    *(("x", "y", 10, "d0"), ("y", "z", 2, "d0")),
    *(("y", "x", 3, "d1"), ("x", "z", 5, "d1"), ("z", "y", 6, "d2")),
]


def test_two_documents_for_each_dimension_are_tested() -> None:
    """Of three categories the margins have two dimensions."""
    few = significance_tests.stuart_maxwell(table_of(APART), ScaleSetting())
    assert (few.undefined, few.discordant, few.by_document) == (
        significance_tests.NoTest.FEW_DOCUMENTS,
        26,
        True,
    )
    enough = significance_tests.stuart_maxwell(table_of([*APART, ("x", "y", 4, "d3")]), ScaleSetting())
    assert (enough.undefined, enough.degrees, enough.method) == (None, 2, "chi-square")
    sums = np.array([[10, -8], [2, 3], [0, -6], [4, -4]], dtype=float)
    total = sums.sum(axis=0)
    statistic = float(total @ np.linalg.inv(sums.T @ sums) @ total)
    assert enough.statistic == pytest.approx(statistic)
    assert enough.p == pytest.approx(float(stats.chi2.sf(statistic, 2)))
    assert enough.least_p == pytest.approx(float(stats.chi2.sf(4, 2)))


# Rules of single functions at their edges, where a campaign's figures would hide a change.


def layer(people: int, *columns: object) -> LayerDifferences:
    """What annotators said of units of no document, by its columns."""
    return LayerDifferences(
        *cast("Any", columns),
        layer="main",
        annotators=tuple("ABCDE"[:people]),
        documents=(),
        labels=("x", "y"),
    )


def without_documents(people: int, n: int) -> LayerDifferences:
    """Pairs of annotators who labelled units of no document, `n` alike and `n` not of each."""
    pairs = [(one, other) for one in range(people) for other in range(one + 1, people)]
    codes = np.array([(*pair, -1, 0, label) for pair in pairs for label in (0, 1)], dtype=np.int64).T
    kind = np.where(codes[4] == 0, 0, KINDS.index("label"))
    return layer(people, *codes, kind, np.full(len(kind), n, dtype=np.int64))


@pytest.mark.parametrize(("people", "beside"), [(2, 1), (3, 2), (5, 4)])
def test_a_unit_without_a_document_is_one_however_many_pairs_labelled_it(people: int, beside: int) -> None:
    every = present(AllDifferences.of([without_documents(people, 4)]))
    influence = np.ones(len(every.n))
    rows = people * (people - 1)
    clusters = rows * 4 // beside
    squares = beside * rows * 4
    error, number = every.error(influence)
    assert error == pytest.approx(math.sqrt(squares * clusters / (clusters - 1)))
    assert number == clusters


def test_people_and_documents_of_several_layers_are_numbered_by_their_names() -> None:
    """In whatever order layers have them: sums over documents have the same digits."""
    names = [f"d{number}" for number in range(12)]
    none = [np.zeros(0, dtype=np.int64) for _ in range(7)]
    layers = [
        LayerDifferences(
            *cast("Any", none),
            layer="main",
            annotators=tuple("ABCDEFGH"[at:][::-1]),
            documents=tuple(names[at::-1]),
            labels=("x",),
        )
        for at in (4, 11)
    ]
    every = present(AllDifferences.of(layers))
    assert every.annotators == list("EFGH")
    assert every.documents == sorted(names)


@pytest.mark.parametrize(
    ("first", "second", "withheld"),
    [(5, 5, False), (4, 5, True), (5, 4, True), (0, 5, False), (0, 4, True), (0, 0, False)],
)
def test_a_label_that_one_of_two_chose_rarely_is_withheld(first: int, second: int, *, withheld: bool) -> None:
    counts = [LabelCounts(first=first, second=second, both=0), LabelCounts(first=9, second=9, both=9)]
    found = _with_members(None, counts, ("rare", "frequent"), 5)
    assert (found is not None) is withheld
    if found:
        assert (found.labels, found.below) == (("rare",), 5)


def cells_of(first: list[int], second: list[int], smallest: int) -> object:
    """The confusion matrices by document of two people who labelled so many units of one document."""
    own = [np.repeat(np.arange(len(uses)), uses) for uses in (first, second)]
    names = tuple(f"label {number}" for number in range(len(first)))
    pairs = SimpleNamespace(
        first_label=own[0],
        second_label=own[1],
        n=np.ones(sum(first), dtype=np.int64),
        document=np.zeros(sum(first), dtype=np.int64),
    )
    fakes = cast("Any", SimpleNamespace(categories=names)), cast("Any", pairs)
    return _document_cells(*fakes, np.ones(sum(first), dtype=np.bool_), smallest)


@pytest.mark.parametrize(
    ("first", "second"), [([4, 2], [3, 3]), ([3, 3], [4, 2]), ([1, 5], [5, 1])], ids=["one", "other", "both"]
)
def test_no_document_has_cells_where_a_label_is_rare(first: list[int], second: list[int]) -> None:
    assert cells_of(first, second, 3) == {}
    assert cells_of(first, second, 1)


def test_documents_have_cells_of_few_categories_alone() -> None:
    assert cells_of([3] * MOST_CATEGORIES_BY_DOCUMENT, [3] * MOST_CATEGORIES_BY_DOCUMENT, 3)
    assert cells_of([3] * (MOST_CATEGORIES_BY_DOCUMENT + 1), [3] * (MOST_CATEGORIES_BY_DOCUMENT + 1), 3) == {}


def test_a_label_that_nobody_used_is_not_rare() -> None:
    assert cells_of([3, 3, 0], [3, 3, 0], 3)


def test_a_share_is_of_the_units_that_have_a_majority() -> None:
    """Three people on two units, a kind of three units and one of one: nobody is compared on the second."""
    one = np.array([0, 0, 0, 1, 1, 1])
    rated = UnitRatings(
        annotators=("A", "B", "C"),
        categories=("x",),
        document=np.zeros(2, dtype=np.int64),
        weight=np.array([3, 1]),
        unit=one,
        annotator=np.array([0, 1, 2, 0, 1, 2]),
        label=np.zeros(6, dtype=np.int64),
    )
    agrees = np.array([True, True, False, False, False, False])
    figure = share(rated, AgainstMajority(one == 0, agrees))
    assert (figure.value, figure.units) == (2 / 3, 3)


# Which labels of people are withheld: no cell below the smallest is shown, and no sum gives one back.


TABLES = arrays(
    np.int64, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6), elements=st.integers(0, 9)
)


@given(TABLES, st.integers(1, 5))
def test_small_cells_are_withheld_and_no_line_has_only_one_of_them(uses: np.ndarray, smallest: int) -> None:
    hidden = small_cells(uses, smallest)
    small = (uses > 0) & (uses < smallest)
    assert hidden[small].all()
    assert hidden.any() == small.any()
    for line in (*hidden, *hidden.T):
        assert line.sum() != 1
    for own, line in zip(uses, hidden, strict=True):
        # Together they are enough, or nothing of the person is shown.
        assert not line.any() or own[line].sum() >= smallest or not own[~line].any()


@pytest.mark.parametrize(
    ("uses", "smallest", "expected"),
    [
        ([[5, 5], [5, 5]], 3, [[0, 0], [0, 0]]),
        ([[3, 5, 9], [3, 5, 9]], 3, [[0, 0, 0], [0, 0, 0]]),
        # The next least beside the small one, of both, so that neither sum gives it back.
        ([[2, 5, 9], [4, 6, 9]], 3, [[1, 1, 0], [1, 1, 0]]),
        ([[2, 5, 9], [4, 6, 9]], 2, [[0, 0, 0], [0, 0, 0]]),
        # Two of one unit each are fewer than three together.
        ([[1, 1, 9, 20], [1, 1, 9, 20]], 3, [[1, 1, 1, 0], [1, 1, 1, 0]]),
        # One that nobody else used: an empty cell beside it hides whose it is.
        ([[1, 4, 30], [0, 7, 30]], 3, [[1, 1, 0], [1, 1, 0]]),
    ],
)
def test_cells_withheld_beside_small(uses: list[list[int]], smallest: int, expected: list[list[int]]) -> None:
    assert small_cells(np.array(uses), smallest).astype(int).tolist() == expected


def test_a_table_of_two_joins_what_either_did_seldom_and_what_other_tables_withhold() -> None:
    names, nothing = ("a", "b", "c", "d"), np.zeros((2, 4), dtype=bool)
    assert withheld(np.array([[9, 9, 9, 9], [9, 9, 9, 9]]), nothing, names, 3) is None
    joined = present(withheld(np.array([[9, 2, 8, 30], [9, 9, 9, 30]]), nothing, names, 3))
    assert (joined.labels, joined.below) == (("b", "c"), 3)
    elsewhere = nothing.copy()
    elsewhere[0, 3] = True
    joined = present(withheld(np.array([[9, 9, 8, 30], [9, 9, 9, 30]]), elsewhere, names, 3))
    # One alone would be given back by the sum of the others.
    assert joined.labels == ("c", "d")


def test_a_label_is_joined_with_the_least_used_and_with_an_unused_one_last() -> None:
    """The first is withheld elsewhere, so that no sum of a line may give it back."""
    two = np.array([[5, 4, 0], [5, 4, 0]])
    hidden = np.array([[True, False, False], [False, False, False]])
    found = present(withheld(two, hidden, ("a", "b", "c"), 2))
    assert (found.labels, found.below) == (("a", "b"), 2)


# How unusual somebody's sums are if people are exchanged within documents: against every exchange.


# Of each document what three people's differences add up to: the third's makes up for the others'.
two = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
documents = st.lists(two, min_size=1, max_size=5)


def table(rows: list[tuple[int, int]]) -> np.ndarray:
    return np.array([(one, other, -one - other) for one, other in rows], dtype=np.int64)


@examples(100)
@given(documents)
def test_it_is_the_share_of_all_exchanges_that_are_as_far_from_nothing(rows: list[tuple[int, int]]) -> None:
    sums = table(rows)
    differing = [row for row in sums.tolist() if any(row)]
    for who in range(3):
        found = exchange_p(sums, np.ones_like(sums, dtype=bool), who)
        if not differing:
            assert found is None
            continue
        observed = abs(sum(row[who] for row in differing))
        every = [abs(sum(chosen)) for chosen in product(*differing)]
        assert found == pytest.approx(sum(far >= observed for far in every) / len(every))


def test_of_two_people_it_is_that_of_signs_and_who_took_no_part_is_not_exchanged() -> None:
    sums = np.array([[3, -3, 0], [2, -2, 0], [1, -1, 0], [4, -4, 0]])
    saw = np.array([[True, True, False]] * 4)
    assert exchange_p(sums, saw, 0) == signs_p(sums[:, 0]) == 2 / 16
    assert exchange_p(sums, saw, 2) is None
    # With a third who saw it, and differs in nothing, it is one of three in each document.
    assert exchange_p(sums, np.ones_like(saw), 0) == pytest.approx(2 / 81)


def test_many_documents_and_large_sums_give_nearly_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.random.default_rng(1).integers(-3, 4, (90, 2))
    sums = table([(int(one), int(other)) for one, other in drawn])
    saw = np.ones_like(sums, dtype=bool)
    exact = [exchange_p(sums, saw, who) for who in range(3)]
    coarse = [exchange_p(sums * 1000, saw, who) for who in range(3)]
    monkeypatch.setattr(significance_tests, "MOST_EXCHANGED", 10)
    by_chi_square = [exchange_p(sums, saw, who) for who in range(3)]
    for one, other, third in zip(exact, coarse, by_chi_square, strict=True):
        assert other == pytest.approx(one, abs=0.02)
        assert third == pytest.approx(one, abs=0.05)


def test_one_who_is_always_longer_is_told_though_the_others_differ_from_nobody_else() -> None:
    sums = np.array([[4, -2, -2]] * 5)
    saw = np.ones_like(sums, dtype=bool)
    assert exchange_p(sums, saw, 0) == pytest.approx(1 / 243)
