"""Units by their labels, as each category sees them, and with missing ratings (Gwet): against loops."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.counts import count, pair_table
from reportgen.measures import Estimate
from reportgen.measures.coefficients import (
    each_against_rest,
    null_test,
    one_against_rest,
)
from reportgen.measures.comparisons import specific_by_category
from reportgen.measures.complete_ratings import least_finn_r
from reportgen.measures.distances import linear, nominal
from reportgen.measures.unit_profiles import (
    LabelPatterns,
    against_rest,
    categories_of,
    categories_of_pair,
    one_category,
    paired_profiles,
    without,
)
from reportgen.measures.unit_set_data import ScaleSetting, UnitsOfPair
from tests.measures.made import Matrix, annotations, figures, units_of, value
from tests.present import present
from tests.properties import examples

LABELS = "wxyz"
Row = tuple[int | None, ...]
Unit = tuple[Row, int, int]
UNITS = st.lists(
    st.tuples(st.tuples(*[st.sampled_from([None, 0, 0, 1, 2, 3])] * 3), st.integers(0, 2), st.integers(1, 3)),
    min_size=1,
)


def counted(units: Sequence[Unit], least: int = 2) -> LabelPatterns:
    rows = [[None if label is None else LABELS[label] for label in row] for row, *_ in units]
    documents = [f"d{where}" if where else None for _, where, _ in units]
    export = annotations(rows, documents=documents, weights=[n for *_, n in units])
    return paired_profiles(count(units_of(export, categories=list(LABELS))).profiles, 4, least)


def known(units: Sequence[Unit], least: int = 2) -> list[tuple[list[int], int, int]]:
    """Return the labels of each unit with enough ratings, sorted, where it is, and how many there are."""
    rated = [(sorted(label for label in row if label is not None), where, n) for row, where, n in units]
    # Documents are numbered as they come; 0 is none.
    documents = list(dict.fromkeys(where for _, where, _ in units if where))
    places = {where: place for place, where in enumerate(documents)}
    return [(labels, places.get(where, -1), n) for labels, where, n in rated if len(labels) >= least]


Seen = Counter[tuple[int, tuple[int, ...]]]


def seen(profiles: LabelPatterns) -> Seen:
    """Return how many units of each document have which labels."""
    found: Seen = Counter()
    rows = zip(profiles.document.tolist(), profiles.profile.tolist(), profiles.n.tolist(), strict=True)
    for document, profile, n in rows:
        labels = sorted(label for label in profiles.labels[profile].tolist() if label >= 0)
        found[document, tuple(labels)] += n
    return found


@given(UNITS, st.sampled_from([1, 2, 3]))
@examples(150)
def test_units_are_those_of_a_literal_count(units: list[Unit], least: int) -> None:
    units = [*units, ((0, 0, 0), 0, 1)]
    profiles, due = counted(units, least), known(units, least)
    expected: Seen = Counter()
    for labels, where, n in due:
        expected[where, tuple(labels)] += n
    assert seen(profiles) == expected
    assert profiles.units == sum(n for *_, n in due)
    assert profiles.disagreements == sum(n for labels, _, n in due if len(set(labels)) > 1)
    totals = [sum(n * labels.count(label) for labels, _, n in due) for label in range(4)]
    assert profiles.totals.tolist() == totals
    times = Counter(dict.fromkeys({tuple(labels) for labels, *_ in due}, 0))
    for labels, _, n in due:
        times[tuple(labels)] += n
    apart, scale = nominal(4), linear(np.arange(4.0))
    for place, row in enumerate(profiles.labels.tolist()):
        own = sorted(label for label in row if label >= 0)
        assert profiles.ratings[place] == len(own)
        assert profiles.times[place] == times[tuple(own)]
        assert profiles.unanimous[place] == (len(set(own)) == 1)
        two = list(combinations(own, 2))
        unlike = sum(one != other for one, other in two) / max(len(two), 1)
        steps = sum(abs(one - other) for one, other in two) / max(len(two), 1)
        assert profiles.mean_distance(apart)[place] == pytest.approx(unlike)
        assert profiles.mean_distance(scale)[place] == pytest.approx(steps)
        by_category = np.array([1.0, 10.0, 100.0, 1000.0])
        assert profiles.sum_over_ratings(by_category)[place] == sum(10.0**label for label in own)
        assert sorted(
            zip(*(column[profiles.cells[0] == place].tolist() for column in profiles.cells[1:]), strict=True)
        ) == sorted(Counter(own).items())
    met = np.zeros((4, 4))
    for labels, _, n in due:
        for one, other in combinations(labels, 2):
            met[one, other] += n / (len(labels) - 1)
            met[other, one] += n / (len(labels) - 1)
    assert profiles.coincidences.dense(np.arange(4)) == pytest.approx(met)


@given(UNITS, st.sampled_from([1, 2]))
@examples(100)
def test_a_category_is_left_out_with_units_that_keep_too_few(units: list[Unit], least: int) -> None:
    units = [*units, ((0, 0, 0), 0, 1)]
    profiles = counted(units, 1)
    assert without(profiles, -1, least) is profiles
    found = without(profiles, 3, least)
    expected: Seen = Counter()
    for labels, where, n in known(units, 1):
        left = [label for label in labels if label != 3]
        if len(left) >= least:
            expected[where, tuple(left)] += n
    assert seen(found) == expected
    assert found.categories == 3


@given(UNITS)
@examples(100)
def test_each_category_sees_its_units_and_all_others(units: list[Unit]) -> None:
    units = [*units, ((0, 0, 0), 0, 1)]
    profiles = counted(units, 1)
    keys = []
    for category in range(4):
        expected: Seen = Counter()
        for labels, where, n in known(units, 1):
            expected[where, tuple(sorted(int(label != category) for label in labels))] += n
        found = one_category(profiles, category)
        assert seen(found) == expected
        assert found.categories == 2
        keys.append(tuple(sorted(expected.items())))
    # Computed once for all that the same units have.
    asked: list[int] = []

    def compute(category: int) -> int:
        asked.append(category)
        return category

    told = categories_of(profiles).compute_all(compute)
    assert len(told) == 4
    assert len(asked) == len(set(asked))
    for category, first in enumerate(told):
        assert first in asked
        assert keys[first] == keys[category]


@given(UNITS)
@examples(100)
def test_a_category_of_two_annotators_is_seen_from_either_side(units: list[Unit]) -> None:
    rows = [(row[:2], where, n) for row, where, n in units]
    named = [[None if label is None else LABELS[label] for label in row] for row, *_ in rows]
    documents = [f"d{where}" if where else None for _, where, _ in rows]
    export = annotations(
        [*named, ["w", "w"]], documents=[*documents, None], weights=[*(n for *_, n in rows), 1]
    )
    counts = count(units_of(export, categories=list(LABELS)))
    table = pair_table(counts.pairs, 4, 0, 1)
    assert len(categories_of_pair(table).starts) == 5
    rated: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for row, _, n in rows:
        if row[0] is not None and row[1] is not None:
            rated[row[0], row[1]] += n
    for category in range(4):
        alone = against_rest(table, category)
        expected = np.zeros((2, 2), dtype=int)
        for (one, other), n in rated.items():
            expected[int(one != category), int(other != category)] += n
        assert alone.cells.dense(np.arange(2)).tolist() == expected.tolist()
        assert (alone.first, alone.second, alone.categories) == (0, 1, 2)


# Figures by hand.


def pair(cells: Sequence[Sequence[int]]) -> UnitsOfPair:
    names = LABELS[: len(cells)]
    rows = [(names[i], names[j]) for i, row in enumerate(cells) for j in range(len(row))]
    weights = [n for row in cells for n in row]
    kept = [(row, n) for row, n in zip(rows, weights, strict=True) if n]
    export = annotations([row for row, _ in kept], weights=[n for _, n in kept])
    counts = count(units_of(export, categories=list(names)))
    return UnitsOfPair(pair_table(counts.pairs, len(names), 0, 1), ScaleSetting())


def test_specific_agreement_is_of_the_categories_that_one_of_two_used() -> None:
    found = specific_by_category(pair([[3, 1, 0], [0, 2, 0], [0, 0, 0]]).table, ScaleSetting(), LABELS)
    # 2 · 3 / (4 + 3), and 2 · 2 / (2 + 3).
    assert {name: value(each) for name, each in found.items()} == pytest.approx({"w": 6 / 7, "x": 4 / 5})


def test_the_test_of_fleiss_kappa_by_hand() -> None:
    """Six units of three ratings each; x has eleven of eighteen."""
    rows: list[Unit] = [((0, 0, 0), 0, 3), ((0, 0, 1), 0, 1), ((1, 1, 1), 0, 2)]
    found = present(null_test(counted(rows)))
    p, q = 11 / 18, 7 / 18
    total = 2 * p * q
    cubes = p * q * (q - p) + q * p * (p - q)
    error = math.sqrt(2 * (total**2 - cubes) / (total**2 * 6 * 3 * 2))
    kappa = 1 - (1 / 6 * 2 / 3) / total
    assert found.standard_error == pytest.approx(error)
    assert found.z == pytest.approx(kappa / error)
    assert found.p == pytest.approx(math.erfc(kappa / error / math.sqrt(2)))
    assert null_test(counted([*rows, ((0, 0, None), 0, 1)])) is None
    assert null_test(counted([((0, 0, 0), 0, 3)])) is None


def test_one_category_against_the_rest_that_nobody_used_or_two_rated() -> None:
    profiles = counted([((0, 1, 2), 0, 3), ((0, 0, None), 0, 2)], 1)
    assert [name for name, each in each_against_rest(profiles)[3].items() if each.value is not None] == []
    assert {str(each.undefined) for each in each_against_rest(profiles)[3].values()} == {
        "no annotator used this category where labels can be compared"
    }
    alone = counted([((0, None, None), 0, 3), ((None, 1, None), 0, 1), ((None, None, 2), 0, 1)], 1)
    assert {str(each.undefined) for each in one_against_rest(one_category(alone, 0)).values()} == {
        "no unit was rated by two annotators"
    }
    two = paired_profiles(count(units_of(annotations([("x", "y")] * 2))).profiles, 2)
    assert each_against_rest(two) == ()


@pytest.mark.parametrize("points", [2, 3, 5, 7])
def test_the_least_of_finns_r_is_that_of_two_who_say_the_first_and_the_last(points: int) -> None:
    """Variance of 1 and q with n - 1: (q - 1)² / 2, beside (q² - 1) / 12."""
    assert least_finn_r(points) == pytest.approx(1 - 6 * (points - 1) ** 2 / (points**2 - 1))


FOUR_LABELS = "abcd"
Q = len(FOUR_LABELS)
NEAR: Matrix = [[0, 0.5, 2, 1], [0.5, 0, 1, 1], [2, 1, 0, 0.25], [1, 1, 0.25, 0]]
PLAIN: Matrix = [[float(one != other) for other in range(Q)] for one in range(Q)]
ROWS = st.integers(2, 5).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.none() | st.integers(0, Q - 1)] * width), min_size=2, max_size=9
    )
)  # fmt: skip


def given_to(row: Row) -> list[int]:
    return [label for label in row if label is not None]


def mean(values: Iterable[float]) -> float:
    known = list(values)
    return math.fsum(known) / len(known)


def observed(rows: list[Row], apart: Matrix) -> float:
    """The mean distance of two ratings of a unit, over the units with two or more."""
    pairs = [list(combinations(given_to(row), 2)) for row in rows]
    return mean(mean(apart[one][other] for one, other in each) for each in pairs if each)


def shares(rows: list[Row]) -> list[float]:
    """The mean over units of each category's share of the ratings."""
    ratings = [given_to(row) for row in rows if given_to(row)]
    return [mean(each.count(label) / len(each) for each in ratings) for label in range(Q)]


def by_chance(one: list[float], other: list[float], apart: Matrix) -> float:
    return math.fsum(one[i] * other[j] * apart[i][j] for i in range(Q) for j in range(Q))


def fleiss(rows: list[Row], apart: Matrix) -> float | None:
    return ratio(observed(rows, apart), by_chance(shares(rows), shares(rows), apart))


def conger(rows: list[Row], apart: Matrix) -> float | None:
    columns = [given_to(column) for column in zip(*rows, strict=True)]
    own = [[column.count(label) / len(column) for label in range(Q)] for column in columns if column]
    return ratio(observed(rows, apart), mean(by_chance(*two, apart) for two in permutations(own, 2)))


def ratio(apart: float, expected: float) -> float | None:
    return 1 - apart / expected if expected > 1e-12 else None


def brennan(rows: list[Row], apart: Matrix) -> float | None:
    return ratio(observed(rows, apart), math.fsum(map(math.fsum, apart)) / Q**2)


def gwet(rows: list[Row], apart: Matrix) -> float:
    used = shares(rows)
    far = max(map(max, apart))
    weights = math.fsum(1 - each / far for row in apart for each in row)
    chance = weights / (Q * (Q - 1)) * math.fsum(share * (1 - share) for share in used)
    return (1 - observed(rows, apart) / far - chance) / (1 - chance)


def over_pairs(rows: list[Row], apart: Matrix) -> list[tuple[float, float, int]]:
    """Of every two annotators that share a unit: observed and expected disagreement, and units."""
    found = []
    for one, other in combinations(zip(*rows, strict=True), 2):
        met = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
        if met:
            first, second = Counter(a for a, _ in met), Counter(b for _, b in met)
            chance = math.fsum(first[a] * second[b] * apart[a][b] for a in first for b in second)
            found.append((mean(apart[a][b] for a, b in met), chance / len(met) ** 2, len(met)))
    return found


def weighted(rows: list[Row], apart: Matrix) -> float | None:
    pairs = over_pairs(rows, apart)
    return ratio(mean(seen for seen, _, _ in pairs), mean(chance for _, chance, _ in pairs))


def light(rows: list[Row]) -> float | None:
    kappas = [ratio(seen, chance) for seen, chance, units in over_pairs(rows, PLAIN) if units > 1]
    known = [kappa for kappa in kappas if kappa is not None]
    return mean(known) if known else None


def majority(rows: list[Row]) -> float | None:
    hits: list[bool] = []
    for row in rows:
        for who, label in enumerate(row):
            others = Counter(given_to(row[:who] + row[who + 1 :])).most_common(2)
            if label is not None and others and (len(others) == 1 or others[0][1] > others[1][1]):
                hits.append(label == others[0][0])
    return mean(hits) if hits else None


def agrees(estimate: Estimate, figure: float | None) -> None:
    assert estimate.value == (None if figure is None else pytest.approx(figure, abs=1e-9))


@examples(40)
@given(ROWS)
def test_every_figure_of_all_annotators_is_that_of_its_definition(rows: list[Row]) -> None:
    assume(sum(len(given_to(row)) > 1 for row in rows) > 1)
    named = [[None if label is None else FOUR_LABELS[label] for label in row] for row in rows]
    measures = figures(units_of(annotations(named), categories=list(FOUR_LABELS)), {"near": NEAR}).measures
    for apart, bracket in ((PLAIN, ""), (NEAR, "[near]")):
        agrees(measures[f"fleiss_kappa{bracket}"], fleiss(rows, apart))
        agrees(measures[f"conger_kappa{bracket}"], conger(rows, apart))
        agrees(measures[f"bennett_s{bracket}"], brennan(rows, apart))
        agrees(measures["gwet_ac2[near]" if bracket else "gwet_ac1"], gwet(rows, apart))
    agrees(measures["weighted_kappa[near]"], weighted(rows, NEAR))
    agrees(measures["light_kappa"], light(rows))
    agrees(measures["majority_agreement"], majority(rows))
