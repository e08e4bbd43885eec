"""Means over pairs of annotators, and each against the majority: against loops over ratings."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.counts import Cells, count
from reportgen.measures import ConfidenceInterval, NoInterval, figures_of_sums
from reportgen.measures.distances import CategoryDistance, ConditionalDistance, Nominal, linear
from reportgen.measures.estimate import Method
from reportgen.measures.figures_of_sums import (
    ByChance,
    against_others,
    each_against_majority,
    light_kappa,
    share,
    siegel_castellan,
    weighted_kappa,
)
from reportgen.measures.unit_profiles import (
    MOST_PLACES,
    PairTables,
    UnitRatings,
    pair_figures,
    paired_profiles,
    places_of,
    table_cells,
    unit_ratings,
)
from tests.measures.made import Matrix, annotations, intervals_asked, units_of, value
from tests.properties import examples

LABELS = "abcd"
# a and b are as good as the same.
NEAR: Matrix = [[0, 0, 2, 1], [0, 0, 2, 1], [2, 2, 0, 0.25], [1, 1, 0.25, 0]]
TABLE = CategoryDistance("near", np.array(NEAR))
PLAIN = Nominal(4)
SCALE = linear(np.arange(4.0))
Row = tuple[int | None, ...]
ROWS = st.integers(3, 4).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.sampled_from([None, 0, 0, 0, 1, 2, 3])] * width), min_size=2, max_size=9
    )
)  # fmt: skip
Weighed = Sequence[tuple[Row, float]]


def rated_of(rows: Sequence[Row], documents: Sequence[str | None] = ()) -> UnitRatings:
    named = [[None if label is None else LABELS[label] for label in row] for row in rows]
    return unit_ratings(units_of(annotations(named, documents=documents), categories=list(LABELS)))


def weighed(rated: UnitRatings) -> list[tuple[Row, float]]:
    """The units as kinds in the order of `rated`, with how many there are."""
    rows: list[tuple[Row, float]] = []
    for unit, times in enumerate(rated.weight.tolist()):
        own = rated.unit == unit
        labels = dict(zip(rated.annotator[own].tolist(), rated.label[own].tolist(), strict=True))
        rows.append((tuple(labels.get(who) for who in range(len(rated.annotators))), times))
    return rows


def by_pair(rows: Weighed, apart: Matrix) -> list[tuple[float, float, float]]:
    """Of every two who share a unit: units, observed disagreement and that by chance."""
    found = []
    for one, other in combinations(range(len(rows[0][0])), 2):
        both = [(row[one], row[other], n) for row, n in rows]
        met = [(a, b, n) for a, b, n in both if a is not None and b is not None]
        units = math.fsum(n for *_, n in met)
        if met:
            seen = math.fsum(n * apart[a][b] for a, b, n in met) / units
            chance = math.fsum(n * m * apart[a][b] for a, _, n in met for _, b, m in met)
            found.append((units, seen, chance / units**2))
    return found


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def mean_seen(rows: Weighed, apart: Matrix) -> float:
    return mean([each for _, each, _ in by_pair(rows, apart)])


def mean_by_chance(rows: Weighed, apart: Matrix) -> float:
    return mean([each for *_, each in by_pair(rows, apart)])


def moved(rows: Weighed, place: int, figure: Any, step: float = 1e-5) -> float:  # noqa: ANN401
    """How a figure of weighed rows moves with the weight of one, times the weight of all."""
    ends = [
        figure([(row, n + sign * step * (number == place)) for number, (row, n) in enumerate(rows)])
        for sign in (1, -1)
    ]
    return float(ends[0] - ends[1]) / (2 * step) * math.fsum(n for _, n in rows)


DISTANCES: Mapping[str, tuple[CategoryDistance, Matrix]] = {
    "table": (TABLE, NEAR),
    "plain": (PLAIN, PLAIN.matrix.tolist()),
    "scale": (SCALE, SCALE.matrix.tolist()),
}


@pytest.mark.parametrize("name", DISTANCES)
@given(rows=ROWS)
@examples(60)
def test_weighted_kappa_is_asked_an_interval_with_what_it_rests_on(name: str, rows: list[Row]) -> None:
    rated, (distance, apart) = rated_of(rows).paired, DISTANCES[name]
    units = weighed(rated)
    assume(units)
    chance = mean_by_chance(units, apart)
    assume(chance > 0)
    (asked,) = intervals_asked(figures_of_sums, lambda: weighted_kappa(rated, distance))
    used = {label for row, _ in units for label in row if label is not None}
    far = max(apart[one][other] for one in used for other in used)
    seen = mean_seen(units, apart)
    estimate = asked["estimate"]
    assert estimate.value == pytest.approx(1 - seen / chance)
    assert (estimate.units, estimate.observed, estimate.expected) == (
        sum(n for _, n in units),
        pytest.approx(seen),
        pytest.approx(chance),
    )
    differing = sum(n for row, n in units if len({label for label in row if label is not None}) > 1)
    assert asked["disagreements"] == (differing if seen > 0 else 0)
    assert asked["worst"] == pytest.approx(far / chance)
    assert asked["least"] == (-1 if name != "table" else pytest.approx(1 - far / chance))
    # Of ranks and numbers: how often two of all labels differ, and how rare those of a unit are.
    labels = [(label, n) for row, n in units for label in row if label is not None]
    total = sum(n for _, n in labels)
    others = {label: 1 - sum(n for each, n in labels if each == label) / total for label in used}
    differ = sum(n * others[label] for label, n in labels) / total
    expected = {"plain": chance, "scale": differ}.get(name)
    assert asked["chance"] == (None if expected is None else pytest.approx(expected))
    assert (asked["of_units"], asked["on_a_scale"]) == (True, name == "scale")
    if name == "scale":
        rarity = [sum(others[label] for label in row if label is not None) for row, _ in units]
        mean = sum(each * n for each, (_, n) in zip(rarity, units, strict=True)) / estimate.units
        assert asked["rarity"] == pytest.approx([each / mean for each in rarity])
    assert asked["bounds"] == (-math.inf, 1)
    for place in range(len(units)):
        by_chance = moved(units, place, lambda rows: mean_by_chance(rows, apart))
        kappa = moved(units, place, lambda rows: 1 - mean_seen(rows, apart) / mean_by_chance(rows, apart))
        assert asked["weight"][place] == pytest.approx(1 + by_chance / chance, abs=1e-5)
        assert asked["influence"][place] == pytest.approx(kappa, abs=1e-5)


def meetings(rows: Weighed) -> Matrix:
    """How often a label meets another: of a unit's ratings each with all others, as one."""
    met = [[0.0] * 4 for _ in range(4)]
    for row, n in rows:
        labels = [label for label in row if label is not None]
        for one, other in permutations(labels, 2):
            met[one][other] += n / (len(labels) - 1)
    return met


def apart_by_meetings(rows: Weighed, *, product: bool) -> Matrix:
    apart = [[1 - n / sum(row) if sum(row) else 1.0 for n in row] for row in meetings(rows)]

    def between(one: int, other: int) -> float:
        there, back = apart[one][other], apart[other][one]
        return 0.0 if one == other else there * back if product else (there + back) / 2

    return [[between(one, other) for other in range(4)] for one in range(4)]


COMPUTED: Mapping[str, Callable[[Weighed], Matrix]] = {
    "mean": partial(apart_by_meetings, product=False),
    "product": partial(apart_by_meetings, product=True),
}


@pytest.mark.parametrize("name", COMPUTED)
@given(rows=ROWS)
@examples(30)
def test_a_unit_moves_kappa_through_distances_computed_of_it(name: str, rows: list[Row]) -> None:
    rated, computed = rated_of(rows).paired, COMPUTED[name]
    units = weighed(rated)
    assume(units)
    assume(mean_by_chance(units, computed(units)) > 1e-9)
    met = np.array(meetings(units)).reshape(-1)
    cells, number = Cells(4, np.flatnonzero(met), met[met > 0]), sum(rated.weight.tolist())
    distance = ConditionalDistance(cells, number, product=name == "product")
    (asked,) = intervals_asked(figures_of_sums, lambda: weighted_kappa(rated, distance))

    def kappa(rows: Weighed) -> float:
        apart = computed(rows)
        return 1 - mean_seen(rows, apart) / mean_by_chance(rows, apart)

    assert asked["estimate"].value == pytest.approx(kappa(units))
    for place in range(len(units)):
        assert asked["influence"][place] == pytest.approx(moved(units, place, kappa), abs=1e-5)


@given(ROWS)
@examples(60)
def test_lights_kappa_is_asked_an_interval_with_what_it_rests_on(rows: list[Row]) -> None:
    rated, apart = rated_of(rows).paired, PLAIN.matrix.tolist()
    assume(len(rated.weight) > 0)
    units = weighed(rated)

    def of_defined(rows: Weighed) -> list[tuple[float, float]]:
        # Of two units or more, as their weights are moved a little.
        return [(seen, chance) for n, seen, chance in by_pair(rows, apart) if n > 1.5 and chance > 1e-9]

    defined = of_defined(units)
    assume(defined)
    (asked,) = intervals_asked(figures_of_sums, lambda: light_kappa(rated))
    seen, chance = (mean(column) for column in zip(*defined, strict=True))
    estimate = asked["estimate"]
    assert estimate.value == pytest.approx(mean([1 - one / other for one, other in defined]))
    assert (estimate.observed, estimate.expected) == (pytest.approx(seen), pytest.approx(chance))
    assert estimate.units == sum(n for _, n in units)
    differing = sum(n for row, n in units if len({label for label in row if label is not None}) > 1)
    assert asked["disagreements"] == (differing if seen > 0 else 0)
    assert asked["worst"] == pytest.approx(mean([1 / each for _, each in defined]))
    assert (asked["of_units"], asked["chance"]) == (True, pytest.approx(chance))
    assert asked["bounds"] == (-1, 1)
    for place in range(len(units)):
        kappa = moved(units, place, lambda rows: mean([1 - one / other for one, other in of_defined(rows)]))
        assert asked["influence"][place] == pytest.approx(kappa, abs=1e-5)


def test_the_kappa_of_all_at_once_has_its_largest_disagreement_and_chance() -> None:
    rows: list[Row] = [(0, 0, 0)] * 5 + [(1, 1, 1)] * 3 + [(0, 0, 1), (0, None, 1), (2, 1, 0)]
    units = units_of(annotations([[None if each is None else LABELS[each] for each in row] for row in rows]))
    profiles = paired_profiles(count(units).profiles, 3)
    complete = profiles.only(profiles.ratings == 3)
    (asked,) = intervals_asked(figures_of_sums, lambda: siegel_castellan(complete, 3))
    times = Counter(label for row in rows for label in row if None not in row)
    agreeing = sum((n / 30) ** 3 for n in times.values())
    assert asked["estimate"].value == pytest.approx((0.8 - agreeing) / (1 - agreeing))
    assert asked["worst"] == pytest.approx(1 / (1 - agreeing))
    assert (asked["least"], asked["bounds"], asked["on_a_scale"]) == (-1, (-1, 1), False)
    assert (asked["disagreements"], asked["chance"]) == (2, pytest.approx(1 - agreeing))


def test_labels_that_are_as_good_as_the_same_are_no_disagreement() -> None:
    """All that differs has distance 0: the interval is the exact one, from all alike."""
    rated = rated_of([(0, 1, 0)] * 10 + [(2, 2, 2)] * 10).paired
    found = weighted_kappa(rated, TABLE)
    assert value(found) == 1
    assert isinstance(found.interval, ConfidenceInterval)
    assert found.interval.method == Method.EXACT_BOUND
    # Two of the three pairs, and the third, have the same chance: half of distance 2.
    assert found.interval.low == pytest.approx(1 - (1 - 0.05 ** (1 / 20)) * 2)


def test_a_distance_of_its_own_takes_no_twenty_units_as_a_scale_does() -> None:
    rated = rated_of([(0, 0, 0)] * 8 + [(2, 2, 2)] * 8 + [(0, 2, 2), (2, 0, 2), (0, 3, 2)]).paired
    assert rated.units == 19
    assert isinstance(weighted_kappa(rated, TABLE).interval, ConfidenceInterval)
    assert weighted_kappa(rated, SCALE).interval == NoInterval.FEW_ON_A_SCALE


def test_why_there_is_no_kappa() -> None:
    nobody = rated_of([(0, None, None), (None, 1, None)]).paired
    assert [str(each.undefined)[:7] for each in (weighted_kappa(nobody, PLAIN), light_kappa(nobody))] == [
        "no unit"
    ] * 2
    once = rated_of([(0, 1, None)]).paired
    assert light_kappa(once).undefined == "it is undefined for every pair of annotators"
    same = rated_of([(0, 0, None)] * 3).paired
    assert str(light_kappa(same).undefined).startswith("only one category was used")
    assert str(weighted_kappa(same, PLAIN).undefined).startswith("only one category was used")
    close = rated_of([(0, 1, None)] * 3).paired
    assert str(weighted_kappa(close, TABLE).undefined).startswith("the distances between the categories")


# Some pairs at a time.


@pytest.mark.parametrize(("block", "sizes"), [(3, [1] * 6), (8, [2] * 3), (20, [5, 1]), (24, [6])])
def test_chance_is_computed_for_so_many_pairs_at_a_time(
    block: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four people have six pairs; of four categories each."""
    tables = rated_of([(0, 1, 2, 3), (0, 0, 1, 2), (3, 1, 1, 0), (2, None, 1, 2)]).tables
    whole = ByChance(tables, TABLE)
    monkeypatch.setattr(figures_of_sums, "BLOCK", block)
    taken: list[int] = []
    blocks = PairTables.blocks

    def watched(self: PairTables, size: int) -> Any:  # noqa: ANN401
        for part, cells in blocks(self, size):
            taken.append(part.pairs)
            yield part, cells

    monkeypatch.setattr(PairTables, "blocks", watched)
    found = ByChance(tables, TABLE)
    assert taken == sizes
    assert found.expected.tolist() == whole.expected.tolist()
    assert found.moved.tolist() == whole.moved.tolist()


@pytest.mark.parametrize(("block", "most", "sums"), [(8, 28, 7), (8, 27, 9), (24, 28, 7)])
def test_chance_of_known_shares(block: int, most: int, sums: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rated all units, a fourth not: some pairs have the same shares, others their own."""
    tables = rated_of([(0, 1, 2, 3), (0, 0, 1, 2), (3, 1, 1, 0), (2, None, 1, 2)]).tables
    whole = ByChance(tables, TABLE)
    monkeypatch.setattr(figures_of_sums, "BLOCK", block)
    monkeypatch.setattr(figures_of_sums, "FEW_CATEGORIES", 3)
    monkeypatch.setattr(figures_of_sums, "MOST_KNOWN", most)
    asked: list[Any] = []

    def toward(self: CategoryDistance, weights: Any) -> Any:  # noqa: ANN401
        asked.append(weights)
        return np.einsum("...l,kl->...k", weights, self.matrix)

    monkeypatch.setattr(CategoryDistance, "toward", toward)
    found = ByChance(tables, TABLE)
    assert found.expected.tolist() == whole.expected.tolist()
    assert found.moved.tolist() == whole.moved.tolist()
    assert len(asked) == sums, (
        "four people, and three others' shares on the units of the fourth; or some again"
    )


# Each against the majority.


@given(ROWS, st.booleans())
@examples(100)
def test_each_is_compared_with_what_most_others_say(rows: list[Row], in_documents: bool) -> None:  # noqa: FBT001
    documents = [f"d{place % 3}" for place in range(len(rows))] if in_documents else []
    rated = rated_of(rows, documents)
    against = against_others(rated)
    due, hits = [], []
    for row, n in weighed(rated):
        assert n >= 1
        for who, label in enumerate(row):
            if label is None:
                continue
            others = Counter(each for place, each in enumerate(row) if place != who and each is not None)
            first = others.most_common(2)
            compared = len(first) == 1 or (len(first) > 1 and first[0][1] > first[1][1])
            due.append(compared)
            hits.append(compared and first[0][0] == label)
    assert against.compared.tolist() == due
    assert against.agrees.tolist() == hits
    for who, found in enumerate(each_against_majority(rated, against)):
        tries: dict[int, list[tuple[int, int]]] = {}
        for place, annotator in enumerate(rated.annotator.tolist()):
            unit = int(rated.unit[place])
            if annotator == who and due[place]:
                cluster = int(rated.document[unit]) if in_documents else unit
                tries.setdefault(cluster, []).append((int(rated.weight[unit]), int(hits[place])))
        every = sum(n for own in tries.values() for n, _ in own)
        if not every:
            assert str(found.undefined).startswith("the other annotators have no majority")
            continue
        right = sum(n * hit for own in tries.values() for n, hit in own)
        assert (found.value, found.units, found.recomputable) == (right / every, every, False)
        if in_documents and found.standard_error is not None:
            gaps = [sum(n * (hit - right / every) for n, hit in own) for own in tries.values()]
            groups = len(gaps)
            error = math.sqrt(groups / (groups - 1) * math.fsum(gap * gap for gap in gaps)) / every
            assert found.standard_error == pytest.approx(error)


def test_who_always_says_what_most_do_has_an_exact_bound() -> None:
    rated = rated_of([(0, 0, 0)] * 5 + [(1, 1, 0)] * 5)
    first, _, third = each_against_majority(rated, against_others(rated))
    assert (first.value, first.units) == (1, 5)
    assert isinstance(first.interval, ConfidenceInterval)
    assert first.interval.low == pytest.approx(0.05 ** (1 / 5))
    assert (third.value, third.units) == (0.5, 10)
    assert isinstance(third.interval, ConfidenceInterval)
    assert third.interval.method != Method.EXACT_BOUND
    assert share(rated, against_others(rated)).units == 10


# Ratings unit by unit.


# Six labels, more than annotators.
RATED = st.tuples(*[st.sampled_from([None, *range(6)])] * 3)


@given(st.lists(st.tuples(RATED, st.integers(0, 3))))
@examples(60)
def test_units_of_one_document_with_the_same_labels_are_one(units: list[tuple[Row, int]]) -> None:
    # Each annotator rates something.
    units, names = [*units, ((0, 0, 0), 0)], "abcdef"
    rows = [[None if label is None else names[label] for label in row] for row, _ in units]
    documents = [None if where == 0 else f"d{where}" for _, where in units]
    coded = units_of(annotations(rows, documents=documents), categories=list(names))
    rated = unit_ratings(coded)
    known = list(coded.documents)
    due = Counter(
        (-1 if name is None else known.index(name), row)
        for (row, _), name in zip(units, documents, strict=True)
        if any(label is not None for label in row)
    )
    found = {(int(rated.document[place]), row): n for place, (row, n) in enumerate(weighed(rated))}
    assert found == due
    assert len(rated.weight) == len(due)
    assert rated.document.tolist() == sorted(rated.document.tolist())
    assert (len(rated.annotators), len(rated.categories)) == (3, 6)
    places = list(zip(rated.unit.tolist(), rated.annotator.tolist(), strict=True))
    assert places == sorted(places)
    assert rated.disagreements == sum(n for (_, row), n in due.items() if len(set(row) - {None}) > 1)
    labels = np.zeros((3, 6), dtype=int)
    for (_, row), n in due.items():
        for who, label in enumerate(row):
            if label is not None:
                labels[who, label] += n
    assert rated.labels_by_annotator.tolist() == labels.tolist()
    _check_pairs(rated)


def _check_pairs(rated: UnitRatings) -> None:
    """Compare the tables of every two with a literal count."""
    cells: Counter[tuple[int, int, int, int]] = Counter()
    for row, n in weighed(rated):
        for one, other in combinations(range(len(row)), 2):
            first, second = row[one], row[other]
            if first is not None and second is not None:
                cells[one, other, first, second] += int(n)
    tables, pairs = rated.tables, sorted({cell[:2] for cell in cells})
    assert tables.pairs == len(pairs)
    columns = (tables.pair, tables.first, tables.second, tables.weight)
    found = zip(*(column.tolist() for column in columns), strict=True)
    assert {(*pairs[pair], first, second): n for pair, first, second, n in found} == dict(cells)
    units = [sum(n for cell, n in cells.items() if cell[:2] == two) for two in pairs]
    margins: list[tuple[Counter[int], Counter[int]]] = [(Counter(), Counter()) for _ in pairs]
    for (one, other, first, second), n in cells.items():
        own = margins[pairs.index((one, other))]
        own[0][first] += n
        own[1][second] += n
    assert tables.units.tolist() == units
    both = [sum(first[each] * second[each] for each in first) for first, second in margins]
    chance = [n * n - alike for n, alike in zip(units, both, strict=True)]
    assert tables.chance.tolist() == chance
    shares = [each / n**2 for each, n in zip(chance, units, strict=True)]
    assert tables.expected_by_chance == pytest.approx(shares)
    apart = [sum(n for cell, n in cells.items() if cell[:2] == two and cell[2] != cell[3]) for two in pairs]
    assert tables.apart.tolist() == apart
    assert tables.differ.tolist() == [len({*first, *second}) > 1 for first, second in margins]
    for unit, (row, _) in enumerate(weighed(rated)):
        two = list(combinations([label for label in row if label is not None], 2))
        due = mean([abs(one - other) for one, other in two]) if two else 0
        assert rated.mean_distance(linear(np.arange(6.0)))[unit] == pytest.approx(due)
    turned = tables.count_of(tables.second, tables.first), tables.count_of(tables.first, tables.second)
    for place, (pair, first, second, _) in enumerate(zip(*(each.tolist() for each in columns), strict=True)):
        own = margins[pair]
        assert (turned[0][place], turned[1][place]) == (own[1][first], own[0][second])


def test_kappa_of_two_in_a_crowd_takes_two_units_and_two_labels() -> None:
    """Of one unit with two labels chance says nothing yet; of two units it does."""
    rows: list[Row] = [(0, 1, None, 0), (None, None, 0, 0), (None, None, 0, 1)]
    named = [[None if each is None else LABELS[each] for each in row] for row in rows]
    counts = count(units_of(annotations(named)))
    found = pair_figures(counts.pairs, 2)
    assert list(zip(found.first.tolist(), found.second.tolist(), found.units.tolist(), strict=True)) == [
        (0, 1, 1),
        (0, 3, 1),
        (1, 3, 1),
        (2, 3, 2),
    ]
    assert found.observed.tolist() == [0, 1, 0, 0.5]
    assert np.isnan(found.kappa).tolist() == [True, True, True, False]
    # n² - Σ n_k n_k = 4 - 2 · 1: as often as chance would.
    assert found.kappa[3] == 0
    assert table_cells(counts.pairs, 2) == 4 + 1 + 4 + 4


def test_places_are_the_same_by_a_table_as_by_search() -> None:
    keys = np.array([2, 5, 9])
    for most in (10, MOST_PLACES, MOST_PLACES + 1):
        assert places_of(keys, most)(np.array([9, 2, 5])).tolist() == [2, 0, 1]
