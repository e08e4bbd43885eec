"""In what way marks disagree: made cases, and what holds of any marks, told naively."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts.tables import count_cases, count_pairs
from reportgen.readers import DocumentCopy, ParsedMark
from reportgen.results.marks import CASE_KINDS
from reportgen.units import MarkCases, Spans, mark_cases, pair_marks
from tests.units.marked import copy, spans_of

TEXT = "abcdefghijklmnopqrstuvwxyz"
Found = list[tuple[int, int, str]]


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
