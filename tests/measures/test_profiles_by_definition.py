"""Units by their labels, and as each category sees them, against loops over units."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts import count, pair_table
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
from tests.measures.made import annotations, units_of, value
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
