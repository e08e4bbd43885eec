"""Whose marks are compared as spans: first copies, with the roles of those who are no annotators."""

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import DocumentCopy, ParsedMark
from reportgen.units import Pseudonyms, Spans, with_pseudonyms
from tests.measures.made import annotations as ratings
from tests.measures.made import study as study_of_ratings
from tests.units.marked import annotations, copy, study

TEXT = "one two three four"


def spans_of(*copies: DocumentCopy, **more: object) -> Spans:
    found = study(annotations(*copies), **more).spans  # type: ignore[arg-type]
    assert isinstance(found, Spans)
    return found


def valued(*values: str | None) -> DocumentCopy:
    marks = [
        ParsedMark("X", ((place, place + 1),), {} if value is None else {"Sure": value}, line=1)
        for place, value in enumerate(values)
    ]
    return DocumentCopy("d", "a", "a.ann", TEXT, marks)


def test_references_come_first_and_systems_last_each_with_its_role() -> None:
    spans = spans_of(
        copy("b", TEXT, [(0, 3, "X")]),
        copy("bot", TEXT),
        copy("a", TEXT),
        copy("gold", TEXT, [(0, 3, "X")], role="reference"),
        roles={"bot": "model"},
    )
    assert spans.people == ("gold", "a", "b", "bot")
    assert spans.roles == ("reference", "annotator", "annotator", "model")
    assert spans.annotators == ("a", "b")
    assert sorted(spans.person.tolist()) == [0, 2]


def test_who_saw_no_document_is_not_there() -> None:
    spans = spans_of(copy("a", TEXT), copy("b", TEXT, state="skipped"), copy("c", TEXT, state="unseen"))
    assert spans.people == ("a",)


def test_a_second_copy_of_a_document_does_not_count() -> None:
    spans = spans_of(
        copy("a", TEXT, [(0, 3, "X")]),
        copy("a2", TEXT, [(4, 7, "Y")]),
        copy("a2", TEXT, [(4, 7, "Y")], document="e"),
        same_as={"a2": "a"},
    )
    assert spans.people == ("a",)
    assert [(spans.documents[d], int(t)) for d, t in zip(spans.document, spans.type, strict=True)] == [
        ("d", 0),
        ("e", 1),
    ]


def test_what_somebody_says_twice_of_the_same_text_counts_once() -> None:
    marks = [(0, 3, "X"), (0, 3, "X"), (0, 3, "Y"), (0, 5, "X")]
    spans = spans_of(copy("a", TEXT, marks), copy("b", TEXT, marks[:1]))
    assert (len(spans.mark), spans.doubled) == (4, 1)
    again = [ParsedMark("X", ((0, 3),), {"Sure": value}, line=1) for value in ("yes", "no", "yes")]
    by_value = spans_of(DocumentCopy("d", "a", "a.ann", TEXT, again), features=("Sure",))
    assert (len(by_value.mark), by_value.doubled) == (2, 1)


def test_a_mark_labelled_as_not_annotated_is_none() -> None:
    spans = spans_of(copy("a", TEXT, [(0, 3, "X"), (4, 7, "none")]), non_annotated="none")
    assert (spans.types, len(spans.mark)) == (("X",), 1)


def test_types_stand_in_declared_order_without_those_nobody_uses() -> None:
    spans = spans_of(
        copy("a", TEXT, [(0, 3, "B"), (4, 7, "A"), (8, 9, "10"), (9, 10, "9")]), categories=("Z", "B")
    )
    assert spans.types == ("B", "9", "10", "A")


def test_values_are_compared_as_text_and_those_that_differ_in_spelling_are_reported() -> None:
    copied = valued("5", "5.0", "05", "true", "True", "yes", "Yes", None, "5", "6")
    spans = spans_of(copied, features=("Sure",))
    assert [(each.feature, each.values, each.marks) for each in spans.spellings] == [
        ("Sure", ("05", "5", "5.0"), 4),
        ("Sure", ("True", "true"), 2),
    ]
    assert len(set(spans.values[:, 0].tolist())) == 9


def test_a_feature_that_no_mark_has_is_refused_with_the_one_that_was_probably_meant() -> None:
    with pytest.raises(BadInput) as caught:
        spans_of(valued("yes"), features=("Sur",))
    (problem,) = caught.value.problems
    assert problem.key == "task.features"
    assert 'no mark of layer "main" has the feature "Sur"' in problem.message
    assert "Sure" in problem.remedy


def test_pseudonyms_stand_for_everybody() -> None:
    found = study(annotations(copy("ada", TEXT), copy("gold", TEXT, role="reference")))
    hidden = with_pseudonyms(found, Pseudonyms({"ada": "A01", "gold": "A02"})).spans
    assert hidden is not None
    assert hidden.people == ("A02", "A01")


def test_ratings_of_units_have_no_spans() -> None:
    assert study_of_ratings(ratings([("a", "b"), ("a", "a")])).spans is None
