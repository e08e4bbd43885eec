"""Copies of a text that differ in white space alone: marks are shifted onto the first of them."""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.readers import (
    Annotations,
    DocumentCopy,
    Export,
    ParsedMark,
    ReaderOptions,
    TextMarks,
    read_export,
)
from reportgen.readers.annotations import without_space
from reportgen.readers.layers_of_marks import assemble
from reportgen.readers.places import WhiteSpaceShift, trimmed
from reportgen.words import names

FIRST = "Anna met  Ben.\nIn Paris"
OTHER = "Anna  met Ben. In\r\n\tParis \n"
SPACE = " \t\n\r\u00a0\u2028"


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """Return two texts of the same letters, each with white space of its own anywhere."""
    letter = st.characters(codec="utf-8").filter(lambda each: not each.isspace())
    letters = draw(st.lists(letter, min_size=1, max_size=12))
    gaps = st.text(SPACE, max_size=3)
    return tuple(  # type: ignore[return-value]
        draw(gaps) + "".join(letter + draw(gaps) for letter in letters) for _ in range(2)
    )


def exported(*copies: tuple[str, list[tuple[int, int]]]) -> Export:
    """Return copies of one document: each annotator's text and stretches."""
    return Export(
        [
            DocumentCopy(
                "d1", f"A{place}", f"A{place}.ann", text, [ParsedMark("X", (span,), {}, 7) for span in spans]
            )
            for place, (text, spans) in enumerate(copies, 1)
        ],
        "Read.",
        (),
    )


def aligned(*copies: tuple[str, list[tuple[int, int]]]) -> Annotations:
    (found,) = assemble(exported(*copies), [ReaderOptions()], "made")
    return found


def stretches(found: Annotations) -> list[tuple[int, int]]:
    assert isinstance(found.content, TextMarks)
    return list(zip(found.content.span_start.tolist(), found.content.span_end.tolist(), strict=True))


def test_marks_are_shifted_onto_the_first_text_and_the_report_says_so() -> None:
    places = [(OTHER.index(word), OTHER.index(word) + len(word)) for word in ("Anna", "Ben", "Paris")]
    found = aligned((FIRST, [(0, 4)]), (OTHER, [*places, (0, len("Anna  met Ben"))]))
    assert isinstance(found.content, TextMarks)
    assert found.content.texts == (FIRST,)
    words = [FIRST[start:end] for start, end in stretches(found)]
    assert words == ["Anna", "Anna", "Ben", "Paris", "Anna met  Ben"]
    said = "White space differs from the first annotator's text in 1 of 2 copies; marks shifted onto it: 1."
    assert found.reading == f"Read. {said}"
    assert found.warnings == ()
    assert found.marks_read == 5
    assert names.reading(said) == said


def test_white_space_at_the_ends_of_marks_is_no_difference_and_counted() -> None:
    found = aligned((FIRST, [(0, 4)]), (OTHER, [(4, 9), (5, 9), (6, 9), (15, 18)]))
    assert [FIRST[start:end] for start, end in stretches(found)] == ["Anna", "met", "met", "met", "In"]
    said = (
        "White space at the ends of a mark, or alone between its stretches, is no difference; marks compared "
        "without it: 3 of 5, at most 3 of one annotator."
    )
    assert found.reading.endswith(said)
    assert names.reading(said) == said


def test_a_mark_of_white_space_alone_stays_as_it_is_and_is_counted() -> None:
    found = aligned((FIRST, [(8, 10), (14, 15), (3, 3)]), (FIRST, [(7, 15)]))
    assert stretches(found) == [(8, 10), (14, 15), (3, 3), (7, 14)]
    said = "Marks of nothing but white space, which are compared as they are: 2."
    assert found.reading.endswith(f"without it: 1 of 4, at most 1 of one annotator. {said}")
    assert names.reading(said) == said


def test_what_nothing_but_white_space_divides_is_one_stretch() -> None:
    assert trimmed(FIRST, ((0, 5), (5, 8), (8, 10), (10, 14), (15, 17))) == ((0, 17),)
    assert trimmed(FIRST, ((0, 5), (10, 13))) == ((0, 4), (10, 13))
    assert trimmed(FIRST, ((4, 5), (8, 10))) == ((4, 5), (8, 10))


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """Return a text, and stretches of it that begin and end with a letter."""
    text = draw(edited())[0]
    letters = [place for place, letter in enumerate(text) if not letter.isspace()]
    ends = st.tuples(*[st.sampled_from(letters)] * 2).map(sorted)
    return text, [(first, last + 1) for first, last in draw(st.lists(ends, min_size=1, max_size=5))]


@given(marked(), st.data())
def test_white_space_in_or_out_at_the_ends_changes_no_mark(
    text_and_spans: tuple[str, list[tuple[int, int]]], data: st.DataObject
) -> None:
    text, spans = text_and_spans
    wider = []
    for start, end in spans:
        before = len(text[:start]) - len(text[:start].rstrip())
        behind = len(text[end:]) - len(text[end:].lstrip())
        wider.append((start - data.draw(st.integers(0, before)), end + data.draw(st.integers(0, behind))))
    assert stretches(aligned((text, wider))) == spans


@given(marked(), st.data())
def test_a_mark_in_pieces_that_white_space_divides_is_the_mark(
    text_and_spans: tuple[str, list[tuple[int, int]]], data: st.DataObject
) -> None:
    text, ((start, end), *_) = text_and_spans
    gaps = [place for place in range(start, end) if text[place].isspace()]
    cut = sorted(data.draw(st.sets(st.sampled_from(gaps)))) if gaps else []
    edges = [start, *(edge for place in cut for edge in (place, place + 1)), end]
    pieces = tuple(zip(edges[::2], edges[1::2], strict=True))
    assert trimmed(text, pieces) == ((start, end),)


@given(marked())
def test_a_copy_with_other_line_ends_has_the_same_marks(
    text_and_spans: tuple[str, list[tuple[int, int]]],
) -> None:
    text, spans = text_and_spans
    text = text.replace("\r", " ")
    shift = WhiteSpaceShift(text, longer := text.replace("\n", "\r\n") + "\r\n")
    found = aligned((text, spans), (longer, list(map(shift.span, spans))))
    assert stretches(found) == [*spans, *spans]


def test_a_mark_outside_its_own_text_is_refused_before_it_is_shifted() -> None:
    with pytest.raises(BadInput) as error:
        aligned((FIRST, []), (OTHER, [(0, len(OTHER) + 1)]))
    assert "does not lie within the text" in error.value.problems[0].message


@given(edited(), st.data())
def test_every_stretch_between_letters_covers_the_same_letters(
    texts: tuple[str, str], data: st.DataObject
) -> None:
    one, other = texts
    letters = [place for place, letter in enumerate(other) if not letter.isspace()]
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(letters) - 1)] * 2)))
    span = letters[first], letters[last] + 1
    shift = WhiteSpaceShift(other, one)
    start, end = shift.span(span)
    assert without_space(one[start:end]) == without_space(other[slice(*span)])
    assert without_space(one[:start]) == without_space(other[: span[0]])
    assert not one[start].isspace()
    assert not one[end - 1].isspace()
    assert WhiteSpaceShift(one, other).span((start, end)) == span


@given(edited(), st.data())
def test_any_stretch_lies_within_the_text_and_loses_no_letter(
    texts: tuple[str, str], data: st.DataObject
) -> None:
    one, other = texts
    span = tuple(sorted(data.draw(st.tuples(*[st.integers(0, len(other))] * 2))))
    start, end = WhiteSpaceShift(other, one).span((span[0], span[1]))
    assert 0 <= start <= end <= len(one)
    assert without_space(one[start:end]) == without_space(other[slice(*span)])


@given(edited())
def test_only_texts_of_the_same_letters_are_one(texts: tuple[str, str]) -> None:
    one, other = texts
    assume(without_space(one) != "")
    assert aligned((one, []), (other, [])).warnings == ()
    with pytest.raises(BadInput):
        aligned((one, []), (other + "x", []))


def test_files_whose_texts_differ_in_white_space_are_copies_of_one_document(tmp_path: Path) -> None:
    texts = {
        "d1_anna.xml": "<d><PER>Anna</PER> met  Ben</d>",
        "d1_ben.xml": "<d>Anna\n  met <PER>Ben</PER></d>",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = read_export([(tmp_path / name, name) for name in texts])
    assert isinstance(found.content, TextMarks)
    assert (found.content.documents, found.content.annotators) == (("d1",), ("anna", "ben"))
    assert stretches(found) == [(0, 4), (10, 13)]


def test_candidates_of_all_annotators_are_shifted_too() -> None:
    export = exported((FIRST, [(0, 4)]), (OTHER, [(10, 13)]))
    options = ReaderOptions(annotators=("A1",), candidates={"unit_sets.1.layer": None})
    (found,) = assemble(export, [options], "made")
    places = found.candidates["unit_sets.1.layer"]
    assert [FIRST[a:b] for a, b in zip(places.span_start, places.span_end, strict=True)] == ["Anna", "Ben"]
