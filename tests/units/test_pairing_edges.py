"""Pairs of marks of different types: what they earn, and what the numbers behind are, on marks made here."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reportgen.campaign import DistanceMatrix
from reportgen.readers.counted import TypePairs
from reportgen.units import Spans, pair_marks
from reportgen.units import spans as span_module
from reportgen.units.spans import Credit, credits_of, other_distances, pair_by_credit
from tests.units import marked
from tests.units.marked import Marks

TEXT = "abcdefghijklmnopqrstuvwxyz"


def spans_of(first: Marks, second: Marks) -> Spans:
    return marked.spans_of(marked.copy("a", TEXT, first), marked.copy("b", TEXT, second))


def by_credit(first: Marks, second: Marks, *earned: float, types: str = "XY") -> list[tuple[object, ...]]:
    """Return pairs, each with the ends of both marks and whether they are exact; two types earn so much."""
    spans = spans_of(first, second)
    matrix = np.eye(len(spans.types))
    others = iter(earned)
    for row in range(len(types)):
        for column in range(row):
            matrix[row, column] = matrix[column, row] = next(others)
    assert "".join(spans.types) == types
    found = pair_by_credit(spans, pair_marks(spans), Credit("near", matrix))

    def ends(mark: int) -> tuple[int, int]:
        (place,) = np.flatnonzero(spans.span_mark == mark)
        return int(spans.span_start[place]), int(spans.span_end[place])

    rows = zip(found.first.tolist(), found.second.tolist(), found.exact.tolist(), strict=True)
    return [(ends(first), ends(second), exact) for first, second, exact in rows]


def test_a_pair_of_two_types_earns_credit_where_there_is_some() -> None:
    marks: tuple[Marks, Marks] = ([(0, 5, "X")], [(0, 5, "Y")])
    assert by_credit(*marks, 0.1) == [((0, 5), (0, 5), True)]
    assert by_credit(*marks, 0.0) == []
    assert by_credit([(0, 5, "X")], [(3, 8, "Y")], 0.1) == [((0, 5), (3, 8), False)]
    assert by_credit([(0, 5, "X")], [(5, 8, "Y")], 0.1) == []


def test_marks_that_are_pairs_of_one_type_earn_no_credit_with_another() -> None:
    assert by_credit([(0, 5, "X")], [(0, 5, "X"), (0, 5, "Y")], 0.9) == []
    assert by_credit([(0, 5, "X"), (0, 5, "Y")], [(0, 5, "Y")], 0.9) == []


def test_what_covers_the_same_text_comes_before_what_earns_more() -> None:
    found = by_credit([(0, 5, "X")], [(0, 5, "Y"), (0, 4, "Z")], 0.1, 0.9, 0.5, types="XYZ")
    assert found == [((0, 5), (0, 5), True)]


def test_credit_outweighs_characters_and_of_equal_credit_most_characters_are_shared() -> None:
    """X earns 0.5 with Y and 0.500001 with Z, which shares one character alone."""
    first: Marks = [(0, 10, "X")]
    second: Marks = [(0, 9, "Y"), (9, 12, "Z")]
    assert by_credit(first, second, 0.5, 0.500001, 0.0, types="XYZ") == [((0, 10), (9, 12), False)]
    assert by_credit(first, second, 0.5, 0.5, 0.0, types="XYZ") == [((0, 10), (0, 9), False)]
    # Beyond six digits credits are the same.
    assert by_credit(first, second, 0.5, 0.5000001, 0.0, types="XYZ") == [((0, 10), (0, 9), False)]


def test_all_pairs_together_earn_most() -> None:
    """The first could have the better partner, whom the second needs."""
    first: Marks = [(0, 10, "X"), (10, 20, "X")]
    second: Marks = [(0, 5, "Z"), (5, 15, "Y")]
    found = by_credit(first, second, 0.9, 0.5, 0.0, types="XYZ")
    assert sorted(found) == [((0, 10), (0, 5), False), ((10, 20), (5, 15), False)]


# By which distances


def table(*categories: str, beyond: float = 1.0, name: str = "near") -> DistanceMatrix:
    rows = tuple(
        tuple(
            0.0 if row == column else beyond / 2 if "Z" not in (row, column) else beyond
            for column in categories
        )
        for row in categories
    )
    return DistanceMatrix(name, categories, rows, "", "t.csv")


TWO_TYPES = spans_of([(0, 5, "X")], [(0, 5, "Y")])


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        ([table("X", "Y")], ["near"]),
        ([table("Y", "Z", "X"), table("X", "Z", name="other")], ["near"]),
        ([table("X")], []),
        ([], []),
    ],
)
def test_distances_that_know_types_earn(tables: Sequence[DistanceMatrix], expected: list[str]) -> None:
    assert [credit.id for credit in credits_of(TWO_TYPES, tables)] == expected
    assert credits_of(spans_of([(0, 5, "X")], [(0, 5, "X")]), tables) == []


@pytest.mark.parametrize(
    ("beyond", "earned", "divisor"), [(1.0, 0.5, 1.0), (0.5, 0.75, 1.0), (4.0, 0.0, 2.0)]
)
def test_distances_beyond_one_are_divided_by_the_largest_between_two_types(
    beyond: float, earned: float, divisor: float
) -> None:
    """Z is no type here, however far it is from both."""
    (credit,) = credits_of(TWO_TYPES, [table("Y", "Z", "X", beyond=beyond)])
    assert credit.matrix.tolist() == [[1.0, earned], [earned, 1.0]]
    assert credit.divisor == divisor


def test_distances_that_are_not_those_that_were_counted_are_named() -> None:
    (credit,) = credits_of(TWO_TYPES, [table("X", "Y")])
    nothing = TypePairs(*[np.zeros(0, dtype=np.int64)] * 7)
    counted = replace(TWO_TYPES, credits=((credit, nothing),))
    assert other_distances(counted, [table("X", "Y")]) == []
    assert other_distances(counted, [table("X", "Y", beyond=0.5)]) == ["near"]
    assert other_distances(counted, [table("X", "Y", beyond=0.5, name="far")]) == []
    assert other_distances(TWO_TYPES, [table("X", "Y")]) == []


@pytest.mark.parametrize(("whole", "end"), [(49, 9), (48, 2)])
def test_characters_count_in_whole_numbers(monkeypatch: pytest.MonkeyPatch, whole: int, end: int) -> None:
    """An exact pair is worth 2 · 8 for up to 7 characters: with one pair more that is 3 · 2 · 8."""
    monkeypatch.setattr(span_module, "WHOLE", whole)
    spans = spans_of([(0, 10, "X")], [(0, 2, "X"), (2, 9, "X")])
    (second,) = pair_marks(spans).second.tolist()
    assert spans.span_end[spans.span_mark == second].tolist() == [end]


@pytest.mark.parametrize("beyond", [False, True])
def test_characters_count_beside_whole_credit(monkeypatch: pytest.MonkeyPatch, *, beyond: bool) -> None:
    """Of one pair and up to 7 characters a credit of one is worth 8 million."""
    monkeypatch.setattr(span_module, "WHOLE", 2 * (span_module.PARTS + 1) * 8 + (not beyond))
    found = by_credit([(0, 10, "X")], [(0, 2, "Y"), (2, 9, "Y")], 0.5)
    assert found == [((0, 10), (0, 2) if beyond else (2, 9), False)]
