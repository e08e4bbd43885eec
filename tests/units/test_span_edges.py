"""Marks as spans: which are one, and which could be pairs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import ALL
from reportgen.readers import DocumentCopy, ParsedMark
from reportgen.units import Spans
from reportgen.units.spans import ABSENT, candidates
from tests.units.marked import copy, spans_of
from tests.units.refusals import refusal

TEXT = "one two three"
Told = tuple[str, str, str, tuple[tuple[int, int], ...]]


def told(spans: Spans) -> list[Told]:
    """Return each mark: its document, whose it is, its type and its stretches."""
    ends = list(
        zip(spans.span_mark.tolist(), spans.span_start.tolist(), spans.span_end.tolist(), strict=True)
    )
    rows = zip(spans.document.tolist(), spans.person.tolist(), spans.type.tolist(), strict=True)
    return [
        (
            spans.documents[document],
            spans.people[person],
            spans.types[kind],
            tuple((start, end) for of, start, end in ends if of == number),
        )
        for number, (document, person, kind) in enumerate(rows)
    ]


def featured(name: str, *marks: tuple[Sequence[tuple[int, int]], Mapping[str, str]]) -> DocumentCopy:
    """Return a copy with marks of the type X, of several stretches and with features."""
    parsed = [
        ParsedMark("X", tuple(stretches), dict(features), line=line)
        for line, (stretches, features) in enumerate(marks, 1)
    ]
    return DocumentCopy("d", name, f"{name}.ann", TEXT, parsed)


# Who is compared with whom.


def test_two_are_compared_of_different_kinds_or_where_both_are_annotators() -> None:
    people = ("g1", "g2", "a1", "a2", "s1", "m1")
    roles = ("reference", "reference", "annotator", "annotator", "system", "model")
    spans = spans_of(*(copy(name, TEXT, role=role) for name, role in zip(people, roles, strict=True)))
    assert spans.people == people
    first, second = np.divmod(np.arange(36), 6)
    compared = spans.compared(first, second)
    assert {
        f"{people[one]} {people[other]}" for one, other in np.stack([first, second], axis=1)[compared]
    } == {
        *("g1 a1", "g1 a2", "g1 s1", "g1 m1", "g2 a1", "g2 a2", "g2 s1", "g2 m1"),
        *("a1 a2", "a1 s1", "a1 m1", "a2 s1", "a2 m1"),
    }


def test_a_reference_that_was_made_of_annotators_marks_is_made_from_theirs_alone() -> None:
    spans = spans_of(
        copy("gold", TEXT, role="reference"), copy("ann", TEXT), copy("sys", TEXT, role="system")
    )
    derived = replace(spans, derived=("gold",))
    assert [derived.made_from(0, other) for other in range(3)] == [False, True, False]
    assert not derived.made_from(2, 1)
    assert not spans.made_from(0, 1)


def test_whoever_saw_a_copy_of_a_document_saw_it() -> None:
    spans = spans_of(
        copy("ann", TEXT, state="skipped"),
        copy("ann2", TEXT, [(0, 3, "X")]),
        copy("ann", "four", document="e"),
        copy("bob", "four", document="e", state="unseen"),
        copy("bob", "five six", document="f"),
        same_as={"ann2": "ann"},
    )
    assert spans.people == ("ann", "bob")
    assert spans.saw.tolist() == [[True, False], [True, False], [False, True]]
    assert told(spans) == [("d", "ann", "X", ((0, 3),))]
    assert (spans.tokens.tolist(), spans.lengths.tolist()) == ([3, 1, 2], [13, 4, 8])


# Which marks are one.


def test_marks_are_in_the_order_of_documents_places_and_types() -> None:
    marks = [(4, 7, "B"), (0, 3, "B"), (0, 3, "A"), (0, 7, "A")]
    spans = spans_of(copy("ann", TEXT, marks, "e"), copy("ann", TEXT, marks[:1], "d"))
    documents = spans.documents
    assert [each[0] for each in told(spans)] == [documents[0]] * spans.document.tolist().count(0) + [
        documents[1]
    ] * spans.document.tolist().count(1)
    assert [each[2:] for each in told(spans) if each[0] == "e"] == [
        ("A", ((0, 3),)),
        ("B", ((0, 3),)),
        ("A", ((0, 7),)),
        ("B", ((4, 7),)),
    ]


def test_of_marks_that_say_the_same_the_first_counts_with_all_its_stretches() -> None:
    both = [((0, 3), (8, 13)), ((0, 3),), ((0, 3), (8, 13)), ((0, 3),)]
    spans = spans_of(featured("ann", *((stretches, {}) for stretches in both)))
    assert spans.mark.tolist() == [1, 0]
    assert [each[3] for each in told(spans)] == [((0, 3),), ((0, 3), (8, 13))]
    assert spans.doubled == 2
    # Of two people they are two.
    assert spans_of(copy("ann", TEXT, [(0, 3, "X")]), copy("bob", TEXT, [(0, 3, "X")])).doubled == 0


def test_types_that_become_one_make_one_mark_of_those_that_say_the_same() -> None:
    marks = [(4, 7, "Y"), (0, 3, "Z"), (0, 3, "Y"), (0, 3, "X")]
    spans = spans_of(copy("ann", TEXT, marks), copy("bob", TEXT, marks[2:3]))
    renamed = spans.renamed({"Y": "X"})
    assert (renamed.types, renamed.doubled) == (("X", "Z"), 1)
    assert told(renamed) == [
        ("d", "ann", "X", ((0, 3),)),
        ("d", "bob", "X", ((0, 3),)),
        ("d", "ann", "Z", ((0, 3),)),
        ("d", "ann", "X", ((4, 7),)),
    ]
    assert renamed.mark.tolist() == [3, 4, 1, 0]
    again = spans.renamed({"X": "Y", "Y": "Y"})
    assert (again.types, again.doubled) == (("Y", "Z"), 1)
    other = spans.renamed({"Y": "A"})
    assert (other.types, other.doubled, len(other.mark)) == (("X", "A", "Z"), 0, 5)
    assert told(other)[0] == ("d", "ann", "X", ((0, 3),))


def test_marks_of_different_values_stay_apart_where_types_become_one() -> None:
    parsed = [
        ParsedMark(name, ((0, 3),), {"Sure": sure}) for name, sure in (("X", "1"), ("Y", "2"), ("Z", "1"))
    ]
    spans = spans_of(DocumentCopy("d", "ann", "ann.ann", TEXT, parsed), features=("Sure",))
    renamed = spans.renamed({"Y": "X", "Z": "X"})
    assert renamed.values.tolist() == [[0], [1]]
    assert (renamed.mark.tolist(), renamed.doubled) == ([0, 1], 1)


# Significant features.


def test_all_features_are_those_of_any_mark_by_name() -> None:
    copied = featured("ann", (((0, 3),), {"b": "1", "10": "2"}), (((4, 7),), {"9": "1", "a": "3"}))
    spans = spans_of(copied, features=(ALL,))
    assert spans.features == ("9", "10", "a", "b")
    assert spans.values.tolist() == [[ABSENT, 0, ABSENT, 0], [0, ABSENT, 0, ABSENT]]
    assert spans_of(copied, features=("a",)).features == ("a",)


def test_of_a_layer_without_marks_no_feature_is_unknown() -> None:
    assert spans_of(copy("ann", TEXT), features=("Sure",)).features == ("Sure",)
    with pytest.raises(BadInput) as caught:
        spans_of(copy("ann", TEXT, [(0, 3, "X")]), features=("Sure", "Kind"))
    assert [problem.remedy for problem in caught.value.problems] == [
        "Name it under the layer that has it."
    ] * 2


def test_spellings_of_numbers_and_truth_values_are_one_and_others_are_not() -> None:
    values = (" 5", "5.0", "TRUE", "true ", "false", "inf", "Inf", "nan", "NaN", "Yes", "yes")
    copied = featured(
        "ann", *((((place, place + 1),), {"Sure": value}) for place, value in enumerate(values))
    )
    assert [each.values for each in spans_of(copied, features=("Sure",)).spellings] == [
        (" 5", "5.0"),
        ("TRUE", "true "),
    ]
    assert not math.isfinite(float(values[5]))


@pytest.mark.parametrize(
    ("key", "other", "equal", "subset"),
    [
        ({"a": "1", "b": "1"}, {"a": "1", "b": "1"}, True, True),
        ({"a": "1"}, {"a": "1", "b": "1"}, False, True),
        ({"a": "1", "b": "1"}, {"a": "1"}, False, False),
        ({"a": "1"}, {"a": "2"}, False, False),
        ({}, {"a": "2"}, False, True),
    ],
)
def test_features_agree_all_of_them_or_those_that_the_key_has(
    key: Mapping[str, str], other: Mapping[str, str], *, equal: bool, subset: bool
) -> None:
    copies = featured("ann", (((0, 3),), key)), featured("bob", (((0, 3),), other), (((4, 7),), {"b": "9"}))
    for match, expected in (("equal", equal), ("subset", subset)):
        spans = spans_of(*copies, features=("a", "b"), feature_match=match)
        assert candidates(spans).agrees.tolist() == [expected]


# Which marks could be pairs.


def pairs(*copies: DocumentCopy) -> list[tuple[Told, Told, bool, int]]:
    """Return every two marks that could be a pair, whether they are exact, and how much they share."""
    spans = spans_of(*copies)
    marks, found = told(spans), candidates(spans)
    columns = (found.first, found.second, found.exact, found.shared)
    return [
        (marks[first], marks[second], exact, shared)
        for first, second, exact, shared in zip(*(column.tolist() for column in columns), strict=True)
    ]


def places(
    *copies: DocumentCopy,
) -> list[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], bool, int]]:
    return [(one[3], other[3], exact, shared) for one, other, exact, shared in pairs(*copies)]


def test_marks_of_several_stretches_share_the_characters_of_all() -> None:
    one = featured("ann", (((0, 3), (8, 13)), {}))
    other = featured("bob", (((2, 10),), {}), (((3, 8),), {}), (((0, 3), (8, 13)), {}), (((0, 3),), {}))
    assert sorted(places(one, other)) == [
        (((0, 3), (8, 13)), ((0, 3),), False, 3),
        (((0, 3), (8, 13)), ((0, 3), (8, 13)), True, 8),
        (((0, 3), (8, 13)), ((2, 10),), False, 3),
    ]


def test_the_key_is_first_whoever_begins_earlier_and_documents_are_apart() -> None:
    found = pairs(
        copy("gold", TEXT, [(2, 5, "X")], role="reference"),
        copy("ann", TEXT, [(0, 3, "X")]),
        copy("ann", TEXT, [(2, 5, "X")], document="e"),
        copy("sys", TEXT, [(4, 9, "X")], role="system"),
        copy("sys2", TEXT, [(4, 9, "X")], role="system"),
    )
    assert [(one[1], other[1], shared) for one, other, _, shared in found] == [
        ("gold", "ann", 1),
        ("gold", "sys", 1),
        ("gold", "sys2", 1),
    ]
    assert candidates(spans_of(copy("ann", TEXT), copy("bob", TEXT))).first.tolist() == []


# Which marks are marks of the layer, and of which type.


def test_a_mark_labelled_as_not_annotated_is_none() -> None:
    spans = spans_of(copy("a", TEXT, [(0, 3, "X"), (4, 7, "none")]), non_annotated="none")
    assert (spans.types, len(spans.mark)) == (("X",), 1)


def test_types_stand_in_declared_order_without_those_nobody_uses() -> None:
    marks = [(0, 3, "B"), (4, 7, "A"), (8, 9, "10"), (9, 10, "9")]
    assert spans_of(copy("a", TEXT, marks), categories=("Z", "B")).types == ("B", "9", "10", "A")


def test_a_feature_that_no_mark_has_is_refused_with_the_one_that_was_probably_meant() -> None:
    problem = refusal(spans_of, featured("a", (((0, 1),), {"Sure": "yes"})), features=("Sur",))
    assert problem.key == "task.features"
    assert 'no mark of layer "main" has the feature "Sur"' in problem.message
    assert "Sure" in problem.remedy
