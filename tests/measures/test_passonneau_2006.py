"""Distances between sets: Passonneau (2006), Jaccard and Dice, and alpha with them against NLTK."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance, masi_distance

from reportgen.measures.distances import Sets
from tests.measures.made import Rows, annotations, figures, units_of, value
from tests.properties import examples

MEMBERS = st.frozensets(st.sampled_from("abcd"))
DISTANCES = ("jaccard", "masi", "dice")


def between(one: str, other: str) -> list[float]:
    """Jaccard, MASI and Dice distance of two sets, each written as its members."""
    table = Sets([frozenset(one), frozenset(other)])
    found = [each.matrix for each in (table.jaccard, table.masi, table.dice)]
    assert all(matrix[0, 1] == matrix[1, 0] for matrix in found)
    assert all((np.diagonal(matrix) == 0).all() for matrix in found)
    return [float(matrix[0, 1]) for matrix in found]


@pytest.mark.parametrize(
    ("one", "other", "jaccard", "masi", "dice"),
    [
        ("ab", "ab", 0, 0, 0),
        ("ab", "abc", 1 / 3, 5 / 9, 1 / 5),
        ("ab", "bc", 2 / 3, 8 / 9, 1 / 2),
        ("a", "ab", 1 / 2, 2 / 3, 1 / 3),
        ("a", "b", 1, 1, 1),
        ("", "", 0, 0, 0),
        ("", "ab", 1, 1, 1),
    ],
)
def test_equal_within_crossing_disjoint_and_empty(
    one: str, other: str, jaccard: float, masi: float, dice: float
) -> None:
    assert between(one, other) == pytest.approx([jaccard, masi, dice], abs=1e-15)


@examples(40)
@given(st.lists(MEMBERS, min_size=1, max_size=6, unique=True))
def test_by_definition(sets: list[frozenset[str]]) -> None:
    table = Sets(sets)
    for (i, one), (j, other) in product(enumerate(sets), repeat=2):
        both, either = len(one & other), len(one | other)
        weight = 1 if one == other else 2 / 3 if one <= other or other <= one else 1 / 3
        index = both / either if either else 1
        assert table.apart[i, j] == len(one ^ other)
        assert table.jaccard.matrix[i, j] == pytest.approx(1 - index, abs=1e-15)
        assert table.masi.matrix[i, j] == pytest.approx(1 - weight * index, abs=1e-15)
        sizes = len(one) + len(other)
        assert table.dice.matrix[i, j] == pytest.approx(1 - (2 * both / sizes if sizes else 1), abs=1e-15)


def rated(width: int) -> st.SearchStrategy[Rows]:
    """Units with sets of no order, written with a bar; none of them is empty."""
    members = st.frozensets(st.sampled_from("abcd"), min_size=1).map(lambda each: "|".join(sorted(each)))
    return st.lists(st.tuples(*[members] * width), min_size=2, max_size=8)


@examples(40)
@given(st.integers(2, 4).flatmap(rated))
def test_alpha_and_weighted_kappa_are_those_of_nltk(rows: Rows) -> None:
    triples = [
        (f"a{who}", unit, frozenset((label or "").split("|")))
        for unit, row in enumerate(rows)
        for who, label in enumerate(row)
    ]
    assume(len({labels for *_, labels in triples}) > 1)
    found = figures(units_of(annotations(rows, separator="|"), scale="set")).measures
    for name, distance in (("masi", masi_distance), ("jaccard", jaccard_distance)):
        task = AnnotationTask(triples, distance)
        assert value(found[f"krippendorff_alpha[{name}]"]) == pytest.approx(task.alpha(), abs=1e-9)
        if len(rows[0]) == 2 and found[f"weighted_kappa[{name}]"].value is not None:
            theirs = task.weighted_kappa(max_distance=1.0)
            assert value(found[f"weighted_kappa[{name}]"]) == pytest.approx(theirs, abs=1e-9)


def test_the_empty_set_is_a_value_and_stays_where_it_stands_for_unmarked_units() -> None:
    rows = [("a", "a"), ("none", "none"), ("a", "none"), ("a|b", "a")]
    one = figures(units_of(annotations(rows, separator="|"), scale="set", non_annotated="none")).measures
    other = [tuple("{}" if label == "none" else label for label in row) for row in rows]
    two = figures(units_of(annotations(other, separator="|"), scale="set")).measures
    for distance in DISTANCES:
        for name in (f"krippendorff_alpha[{distance}]", f"weighted_kappa[{distance}]"):
            assert one[name].units == 4
            assert value(one[name]) == pytest.approx(value(two[name]), rel=1e-12)


def test_many_sets_are_compared_without_a_loop_over_every_two() -> None:
    sets = [frozenset(map(str, each)) for each in combinations(range(24), 3)]
    table = Sets(sets)
    assert len(sets) == 2024
    assert table.members == 24
    places = sets.index(frozenset(("0", "1", "2"))), sets.index(frozenset(("0", "1", "5")))
    assert table.masi.matrix[places] == pytest.approx(1 - 2 / 4 / 3)


def test_no_figure_on_sets_takes_codes_for_numbers() -> None:
    found = figures(units_of(annotations([("a", "b"), ("b", "b")]), scale="set")).measures
    assert "finn_r" not in found
    assert not any(f"[{scale}]" in name for name in found for scale in ("linear", "interval", "ordinal"))
