"""Copies that differ in white space, offsets that count otherwise, and texts that are not Unicode."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.base.files import western_codec
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
from reportgen.readers.counting import BYTES, CHARACTERS, LAST_TOKENS, TOKENS, UTF16, Counting, in_code_points
from reportgen.readers.layers_of_marks import assemble
from reportgen.readers.places import WhiteSpaceShift, trimmed
from reportgen.readers.reader import OffsetUnit
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


LINES = "The court held it.\r\nAn act 🚀 is law.\r\nThe café judge read.\r\nThe rule is the text.\r\n" * 3
Span = tuple[int, int]


def words(text: str) -> list[Span]:
    return [match.span() for match in re.finditer(r"\w+", text)]


def counted(text: str, counting: Counting) -> Callable[[int], int]:
    """Return what counts a place, from first principles."""

    def offset(place: int) -> int:
        before = text[:place]
        if counting.ends:
            before = re.sub("\r?\n", "xx"[: counting.ends], before)
        width = {BYTES: "utf-8", UTF16: "utf-16-le", CHARACTERS: "utf-32-le"}[counting.unit]
        return len(before.encode(width)) // {BYTES: 1, UTF16: 2, CHARACTERS: 4}[counting.unit]

    return offset


def counted_copy(text: str, spans: Sequence[Span], offsets: OffsetUnit | None = CHARACTERS) -> DocumentCopy:
    return DocumentCopy(
        "d", "a", "a.x", text, [ParsedMark("X", (span,), line=7) for span in spans], offsets=offsets
    )


def recounted(copies: Sequence[DocumentCopy]) -> tuple[Sequence[DocumentCopy], list[str]]:
    """Return copies in code points, and the sentences on how they were counted."""
    export = in_code_points(Export(copies, "Read.", ()))
    return export.copies, re.findall("Offsets .*?\\.", export.reading)


def spans_of(copy: DocumentCopy) -> list[Span]:
    return [span for mark in copy.marks for span in mark.spans]


WAYS = [Counting(unit, ends) for unit in (CHARACTERS, UTF16, BYTES) for ends in (0, 1)]


@pytest.mark.parametrize("said", [CHARACTERS, UTF16])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_whatever_offsets_count_marks_are_the_words_that_were_marked(way: Counting, said: OffsetUnit) -> None:
    count, due = counted(LINES, way), words(LINES)
    copies = [
        counted_copy(LINES, [(count(start), count(end)) for start, end in due], said),
        counted_copy(LINES, [], None),
    ]
    (found, other), sentences = recounted(copies)
    assert spans_of(found) == due
    assert (found.offsets, other) == (None, copies[1])
    expected = f"Offsets in 1 of 2 copies count {way} instead, as the marked words show."
    assert sentences == ([] if way == Counting(said) else [expected])
    assert names.reading(expected) == expected


def test_a_line_end_may_count_two_where_the_text_has_one_character() -> None:
    text = LINES.replace("\r", "")
    count = counted(text, Counting(CHARACTERS, 2))
    (found,), (said,) = recounted(
        [counted_copy(text, [(count(one), count(two)) for one, two in words(text)])]
    )
    assert spans_of(found) == words(text)
    assert "characters, line ends as two characters instead" in said


def test_numbers_of_tokens_are_their_tokens() -> None:
    tokens = [match.span() for match in re.finditer(r"\S+", LINES)]
    numbers = [(place, place + 2) for place in range(0, 40, 3)]
    (found,), (said,) = recounted([counted_copy(LINES, numbers)])
    assert spans_of(found) == [(tokens[first][0], tokens[end - 1][1]) for first, end in numbers]
    assert "count tokens instead" in said
    (found,), (said,) = recounted([counted_copy(LINES, [*numbers, (1, 1)])])
    assert spans_of(found) == [(tokens[one][0], tokens[two][1]) for one, two in [*numbers, (1, 1)]]
    assert f"count {LAST_TOKENS} instead" in said
    # What ends beyond the last token is none, and few may be slips.
    outside = counted_copy(LINES, [*numbers, (40, len(tokens) + 1)])
    assert recounted([outside])[1] == recounted([counted_copy(LINES, numbers[:9])])[1] == []
    assert str(Counting(TOKENS)) == "tokens"


def test_few_slips_and_parts_of_words_show_nothing() -> None:
    due = words(LINES)
    slips = [(start, end + 1) if place in (9, 20) else (start, end) for place, (start, end) in enumerate(due)]
    parts = [(start + 1, end) for start, end in due if end - start > 2]
    for spans in (slips, parts):
        (found,), said = recounted([counted_copy(LINES, spans)])
        assert (spans_of(found), said) == (spans, [])


@pytest.mark.parametrize("gap", [" ", "  "])
def test_marks_that_cut_words_are_refused_where_others_or_those_further_up_do_not(gap: str) -> None:
    """Runs of spaces that are counted as one: nothing that could be known."""
    text = "one two three four five six seven " * 2 + f"eight{gap}nine{gap}ten  " * 12
    squeezed = [counted_copy(text, words(re.sub(" +", " ", text)))]
    beside = replace(counted_copy(text, words(text)), annotator="b")
    for copies in (squeezed, [*squeezed, beside], [beside, *squeezed]):
        with pytest.raises(BadInput) as caught:
            recounted(copies)
        (problem,) = caught.value.problems
        assert (problem.file, problem.line) == ("a.x", 7)
        assert "marks begin or end in a word, and hardly any further up" in problem.message


def test_who_cuts_words_everywhere_as_others_do_means_it() -> None:
    text = "one two three four five six seven eight nine ten " * 4
    parts = counted_copy(text, [(start, end - 1) for start, end in words(text)])
    assert recounted([parts])[1] == recounted([parts, replace(parts, annotator="b")])[1] == []
    with pytest.raises(BadInput, match="hardly any further up, or of other annotators"):
        recounted([parts, replace(counted_copy(text, words(text)), annotator="b")])
    # A script without capitals has no words that one could see cut.
    assert recounted([counted_copy("字" * len(text), words(text))])[1] == []


def test_two_ways_that_explain_it_are_a_question() -> None:
    text = "éééé\n" + "aa " * 9
    # One more, as a line end of two characters; or three less, a word further up, as of bytes.
    with pytest.raises(BadInput) as caught:
        recounted([counted_copy(text, [(start + 1, end + 1) for start, end in words(text)[4:]])])
    (problem,) = caught.value.problems
    assert (
        "if offsets counted characters, line ends as two characters; nor if they counted bytes"
        in problem.message
    )


def test_offsets_within_a_character_are_refused() -> None:
    with pytest.raises(BadInput, match="cut a character in two, counted in UTF-16 units"):
        recounted([counted_copy("a 🚀 b", [(0, 3)], UTF16)])


@given(st.data())
def test_places_that_are_certain_stay(data: st.DataObject) -> None:
    ends = st.tuples(*[st.integers(0, len(LINES))] * 2).map(sorted)
    spans = [(start, end) for start, end in data.draw(st.lists(ends, max_size=20))]
    copy = counted_copy(LINES, spans, None)
    assert recounted([copy]) == ([copy], [])


def test_a_copy_of_doccano_with_line_ends_of_two_characters_that_count_once_has_the_same_marks(
    tmp_path: Path,
) -> None:
    text = LINES.replace("\r", "")
    utf16 = counted(text, Counting(UTF16))
    labels = [[utf16(start), utf16(end), "X"] for start, end in words(text)]
    files = []
    for name, written in {"anna": text, "ben": LINES}.items():
        (tmp_path / f"{name}.jsonl").write_text(
            json.dumps({"id": 1, "text": written, "label": labels}), encoding="utf-8"
        )
        files.append((tmp_path / f"{name}.jsonl", f"{name}.jsonl"))
    content = read_export(files).content
    assert isinstance(content, TextMarks)
    assert list(zip(content.span_start.tolist(), content.span_end.tolist(), strict=True)) == words(text) * 2


CROWD = "HITId,WorkerId,Answer.mood\n" + "".join(f"h{n % 3},w{n % 2},It\xb4s fine\n" for n in range(6))


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("hôtel", "cp1252"),
        ("It\xb4s 5 € – “fine”", "cp1252"),
        ("créée à Noël, ÉTÉ", "cp1252"),
        ("Nº 1, 1ª", "cp1252"),
        ("hôtel", "mac_roman"),
        ("schön, größer, ähm", "mac_roman"),
        ("créée à Noël, ÉTÉ", "mac_roman"),
    ],
)
def test_western_texts_are_told_apart_by_their_words(text: str, codec: str) -> None:
    assert western_codec(text.encode(codec)) == codec


@pytest.mark.parametrize(
    "content",
    [
        "привет".encode("cp1251"),  # three accents in a row
        "książka".encode("cp1250"),  # a sign within a word
        "hÙtelÙ".encode("cp1252"),  # a capital after a small letter, in both
        "é and é".encode() + "é".encode("cp1252"),  # UTF-8 of which a byte is broken
        "<a>é</a>".encode("latin-1"),  # markup says its encoding itself
        b"\0\xe9",
        b"a\x81b",
    ],
)
def test_what_makes_no_sense_is_no_western_text(content: bytes) -> None:
    assert western_codec(content) is None


def test_an_older_encoding_is_said_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(CROWD.encode("cp1252"))
    found = read_export([(path, "results.csv")])
    assert [(each.file, each.message) for each in found.warnings] == [
        ("results.csv", "is not UTF-8 and was read as Windows-1252.")
    ]
    path.write_text(CROWD, encoding="utf-8")
    assert not read_export([(path, "results.csv")]).warnings
