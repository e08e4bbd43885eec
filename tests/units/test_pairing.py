"""Which marks are partners, what pairs of types earn, in what way marks disagree: against all pairings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.campaign import DistanceMatrix
from reportgen.counts.tables import count_cases, count_pairs
from reportgen.readers import DocumentCopy, ParsedMark
from reportgen.readers.counted import TypePairs
from reportgen.results.marks import CASE_KINDS
from reportgen.units import MarkCases, Pairing, Spans, mark_cases, pair_marks
from reportgen.units import spans as span_module
from reportgen.units.spans import Credit, credits_of, other_distances, pair_by_credit
from tests.units import marked
from tests.units.marked import Marks, copy, spans_of

TEXT = "abcdefghijklmnopqrstuvwxyz"

Found = list[tuple[int, int, str]]


def paired(first: Marks, second: Marks) -> tuple[Spans, Pairing]:
    spans = spans_of(copy("a", TEXT, first), copy("b", TEXT, second))
    return spans, pair_marks(spans)


SPANS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from("XXY")).map(
        lambda each: (min(each[:2]), max(each[:2]), each[2])
    ),
    max_size=4,
    unique=True,
)


def best(first: Found, second: Found) -> tuple[int, int, int]:
    """Matches, overlaps and common characters of the best of all pairings."""
    return max(scores(first, second), default=(0, 0, 0))


def scores(first: Found, second: Found) -> Iterator[tuple[int, int, int]]:
    padded: Sequence[tuple[int, int, str] | None] = [*second, *([None] * len(first))]
    for partners in permutations(padded, len(first)):
        pairs = [(one, other) for one, other in zip(first, partners, strict=True) if other is not None]
        kinds = [kind_of(*pair) for pair in pairs]
        if all(kinds):
            shared = sum(min(a[1], b[1]) - max(a[0], b[0]) for a, b in pairs)
            yield kinds.count("match"), kinds.count("overlap"), shared


def kind_of(one: tuple[int, int, str], other: tuple[int, int, str]) -> str:
    if one[2] != other[2]:
        return ""
    if one[:2] == other[:2]:
        return "match"
    return "overlap" if min(one[1], other[1]) > max(one[0], other[0]) else ""


@given(SPANS, SPANS)
def test_no_pairing_is_better(first: Found, second: Found) -> None:
    spans, pairing = paired(first, second)
    ends = {mark: place for place, mark in enumerate(spans.span_mark.tolist())}
    shared = sum(
        min(int(spans.span_end[ends[a]]), int(spans.span_end[ends[b]]))
        - max(int(spans.span_start[ends[a]]), int(spans.span_start[ends[b]]))
        for a, b in zip(pairing.first.tolist(), pairing.second.tolist(), strict=True)
    )
    assert (int(pairing.exact.sum()), int((~pairing.exact).sum()), shared) == best(first, second)
    assert len(set(pairing.first.tolist())) == len(pairing.first)
    assert len(set(pairing.second.tolist())) == len(pairing.second)


@given(SPANS, SPANS)
def test_greedy_differs_by_what_a_simulation_of_it_finds(first: Found, second: Found) -> None:
    _, pairing = paired(first, second)
    matches, overlaps, _ = best(first, second)
    greedy = simulated(sorted(first), sorted(second))
    differs = sum(pairing.differs.values())
    more, others = matches - greedy[0], overlaps - greedy[1]
    alone = 2 * max(-more - others, 0)
    # Where marks far from each other differ in opposite ways, there are more differences than their sum.
    assert differs >= max(more, 0) + max(others, 0) + alone
    assert differs or (more, others) == (0, 0)


def simulated(key: Found, response: Found) -> tuple[int, int]:
    """GATE's AnnotationDiffer, told from its description: scores first, then best first."""
    values = {"match": 3, "overlap": 2}
    choices = [
        (i, j, values[kind])
        for i, one in enumerate(key)
        for j, other in enumerate(response)
        if (kind := kind_of(one, other))
    ]
    scored = [
        (value - sum(v for x, y, v in choices if (x == i) != (y == j)), place, i, j, value)
        for place, (i, j, value) in enumerate(choices)
    ]
    taken: list[tuple[int, int, int]] = []
    for _, _, i, j, value in sorted(scored, reverse=True):
        if all(i != x and j != y for x, y, _ in taken):
            taken.append((i, j, value))
    return sum(v == 3 for *_, v in taken), sum(v == 2 for *_, v in taken)


def of_people(first: Marks, second: Marks) -> Spans:
    return marked.spans_of(marked.copy("a", TEXT, first), marked.copy("b", TEXT, second))


def by_credit(first: Marks, second: Marks, *earned: float, types: str = "XY") -> list[tuple[object, ...]]:
    """Return pairs, each with the ends of both marks and whether they are exact; two types earn so much."""
    spans = of_people(first, second)
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


TWO_TYPES = of_people([(0, 5, "X")], [(0, 5, "Y")])


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
    assert credits_of(of_people([(0, 5, "X")], [(0, 5, "X")]), tables) == []


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
    spans = of_people([(0, 10, "X")], [(0, 2, "X"), (2, 9, "X")])
    (second,) = pair_marks(spans).second.tolist()
    assert spans.span_end[spans.span_mark == second].tolist() == [end]


@pytest.mark.parametrize("beyond", [False, True])
def test_characters_count_beside_whole_credit(monkeypatch: pytest.MonkeyPatch, *, beyond: bool) -> None:
    """Of one pair and up to 7 characters a credit of one is worth 8 million."""
    monkeypatch.setattr(span_module, "WHOLE", 2 * (span_module.PARTS + 1) * 8 + (not beyond))
    found = by_credit([(0, 10, "X")], [(0, 2, "Y"), (2, 9, "Y")], 0.5)
    assert found == [((0, 10), (0, 2) if beyond else (2, 9), False)]


def cases_of(first: Found, second: Found) -> tuple[Spans, MarkCases]:
    spans = spans_of(copy("a", TEXT, first), copy("b", TEXT, second))
    return spans, mark_cases(spans, pair_marks(spans))


def kinds(first: Found, second: Found) -> dict[str, int]:
    """How many cases of each kind there are."""
    spans, cases = cases_of(first, second)
    counts = count_cases(spans, cases, count_pairs(spans, pair_marks(spans)))
    found: Counter[str] = Counter()
    for kind, number in zip(counts.kind.tolist(), counts.n.tolist(), strict=True):
        found[CASE_KINDS[kind]] += number
    return dict(found)


@pytest.mark.parametrize(
    ("what", "first", "second", "expected"),
    [
        ("one alone", [(2, 5, "X")], [], {"omission": 1}),
        (
            "one marks as two what the other marks as one",
            [(2, 5, "X"), (6, 9, "X")],
            [(2, 9, "X")],
            {"boundary": 2},
        ),
        ("a nested mark that the other has not", [(2, 9, "X"), (4, 6, "Y")], [(2, 9, "X")], {"omission": 1}),
        ("a nested mark of the same type", [(2, 9, "X"), (4, 6, "X")], [(2, 9, "X")], {"omission": 1}),
        ("the same type goes first", [(2, 9, "X")], [(2, 9, "Y"), (3, 4, "X")], {"boundary": 1, "type": 1}),
        ("the same ends go before others", [(2, 9, "X"), (3, 8, "X")], [(3, 8, "Y")], {"type": 1, "both": 1}),
        ("two of two", [(1, 4, "X"), (5, 8, "X")], [(1, 4, "Y"), (6, 9, "Y")], {"type": 1, "both": 1}),
    ],
)
def test_each_kind(what: str, first: Found, second: Found, expected: dict[str, int]) -> None:
    assert kinds(first, second) == expected, what


def test_features_that_differ_are_no_omission() -> None:
    copies = (
        DocumentCopy("d", who, f"{who}.ann", TEXT, [ParsedMark("X", ((2, 5),), {"sure": sure})])
        for who, sure in (("a", "1"), ("b", "2"))
    )
    spans = spans_of(*copies, features=["sure"])
    assert [CASE_KINDS[each] for each in mark_cases(spans, pair_marks(spans)).kind.tolist()] == ["type"]


mark = st.tuples(st.integers(0, 12), st.integers(1, 5), st.sampled_from("XYZ")).map(
    lambda drawn: (drawn[0], drawn[0] + drawn[1], drawn[2])
)
some = st.lists(mark, max_size=7, unique=True)


def overlap(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


@given(some, some)
def test_whatever_the_marks_each_disagreement_is_of_one_kind(first: Found, second: Found) -> None:
    spans, cases = cases_of(first, second)
    place = {}
    for mark_of, start, end in zip(
        spans.span_mark.tolist(), spans.span_start.tolist(), spans.span_end.tolist(), strict=True
    ):
        place[mark_of] = (start, end, spans.types[int(spans.type[mark_of])])
    matched = set(first) & set(second)
    told: list[tuple[str, tuple[int, int, str]]] = []
    rows = (cases.first, cases.second, cases.kind, cases.form)
    for one, other, kind, form in zip(*(each.tolist() for each in rows), strict=True):
        ours, theirs = place[one], place[other]
        same_ends, same_type = ours[:2] == theirs[:2], ours[2] == theirs[2]
        naive = "boundary" if same_type else "type" if same_ends else "both"
        assert overlap(ours, theirs)
        assert not {ours, theirs} <= matched
        assert CASE_KINDS[kind] == naive
        told += [("a", ours)] * (form in (0, 1)) + [("b", theirs)] * (form in (0, 2))
    assert len(told) == len(set(told)), "no mark is in two cases"
    assert not {mark_told for _, mark_told in told} & matched
    for name, own, others in (("a", first, second), ("b", second, first)):
        for each in set(own) - matched - {mark_told for who, mark_told in told if who == name}:
            assert all(other in matched for other in others if overlap(each, other)), "a true omission"
