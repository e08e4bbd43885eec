"""Offsets that count otherwise than their format says: the marked words show it, or nobody is believed."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.readers import DocumentCopy, Export, ParsedMark, TextMarks, read_export
from reportgen.readers.counting import BYTES, CHARACTERS, LAST_TOKENS, TOKENS, UTF16, Counting, in_code_points
from reportgen.readers.reader import OffsetUnit
from reportgen.words import names

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


def marked(text: str, spans: Sequence[Span], offsets: OffsetUnit | None = CHARACTERS) -> DocumentCopy:
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
        marked(LINES, [(count(start), count(end)) for start, end in due], said),
        marked(LINES, [], None),
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
    (found,), (said,) = recounted([marked(text, [(count(one), count(two)) for one, two in words(text)])])
    assert spans_of(found) == words(text)
    assert "characters, line ends as two characters instead" in said


def test_numbers_of_tokens_are_their_tokens() -> None:
    tokens = [match.span() for match in re.finditer(r"\S+", LINES)]
    numbers = [(place, place + 2) for place in range(0, 40, 3)]
    (found,), (said,) = recounted([marked(LINES, numbers)])
    assert spans_of(found) == [(tokens[first][0], tokens[end - 1][1]) for first, end in numbers]
    assert "count tokens instead" in said
    (found,), (said,) = recounted([marked(LINES, [*numbers, (1, 1)])])
    assert spans_of(found) == [(tokens[one][0], tokens[two][1]) for one, two in [*numbers, (1, 1)]]
    assert f"count {LAST_TOKENS} instead" in said
    # What ends beyond the last token is none, and few may be slips.
    outside = marked(LINES, [*numbers, (40, len(tokens) + 1)])
    assert recounted([outside])[1] == recounted([marked(LINES, numbers[:9])])[1] == []
    assert str(Counting(TOKENS)) == "tokens"


def test_few_slips_and_parts_of_words_show_nothing() -> None:
    due = words(LINES)
    slips = [(start, end + 1) if place in (9, 20) else (start, end) for place, (start, end) in enumerate(due)]
    parts = [(start + 1, end) for start, end in due if end - start > 2]
    for spans in (slips, parts):
        (found,), said = recounted([marked(LINES, spans)])
        assert (spans_of(found), said) == (spans, [])


@pytest.mark.parametrize("gap", [" ", "  "])
def test_marks_that_cut_words_are_refused_where_others_or_those_further_up_do_not(gap: str) -> None:
    """Runs of spaces that are counted as one: nothing that could be known."""
    text = "one two three four five six seven " * 2 + f"eight{gap}nine{gap}ten  " * 12
    squeezed = [marked(text, words(re.sub(" +", " ", text)))]
    beside = replace(marked(text, words(text)), annotator="b")
    for copies in (squeezed, [*squeezed, beside], [beside, *squeezed]):
        with pytest.raises(BadInput) as caught:
            recounted(copies)
        (problem,) = caught.value.problems
        assert (problem.file, problem.line) == ("a.x", 7)
        assert "marks begin or end in a word, and hardly any further up" in problem.message


def test_who_cuts_words_everywhere_as_others_do_means_it() -> None:
    text = "one two three four five six seven eight nine ten " * 4
    parts = marked(text, [(start, end - 1) for start, end in words(text)])
    assert recounted([parts])[1] == recounted([parts, replace(parts, annotator="b")])[1] == []
    with pytest.raises(BadInput, match="hardly any further up, or of other annotators"):
        recounted([parts, replace(marked(text, words(text)), annotator="b")])
    # A script without capitals has no words that one could see cut.
    assert recounted([marked("字" * len(text), words(text))])[1] == []


def test_two_ways_that_explain_it_are_a_question() -> None:
    text = "éééé\n" + "aa " * 9
    # One more, as a line end of two characters; or three less, a word further up, as of bytes.
    with pytest.raises(BadInput) as caught:
        recounted([marked(text, [(start + 1, end + 1) for start, end in words(text)[4:]])])
    (problem,) = caught.value.problems
    assert (
        "if offsets counted characters, line ends as two characters; nor if they counted bytes"
        in problem.message
    )


def test_offsets_within_a_character_are_refused() -> None:
    with pytest.raises(BadInput, match="cut a character in two, counted in UTF-16 units"):
        recounted([marked("a 🚀 b", [(0, 3)], UTF16)])


@given(st.data())
def test_places_that_are_certain_stay(data: st.DataObject) -> None:
    ends = st.tuples(*[st.integers(0, len(LINES))] * 2).map(sorted)
    spans = [(start, end) for start, end in data.draw(st.lists(ends, max_size=20))]
    copy = marked(LINES, spans, None)
    assert recounted([copy]) == ([copy], [])


def test_a_copy_of_doccano_with_line_ends_of_two_characters_that_count_once_has_the_same_marks(
    tmp_path: Path,
) -> None:
    text = LINES.replace("\r", "")
    utf16 = counted(text, Counting(UTF16))
    labels = [[utf16(start), utf16(end), "X"] for start, end in words(text)]
    files = []
    for name, written in {"anna": text, "ben": LINES}.items():
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": 1, "text": written, "label": labels}))
        files.append((tmp_path / f"{name}.jsonl", f"{name}.jsonl"))
    content = read_export(files).content
    assert isinstance(content, TextMarks)
    assert list(zip(content.span_start.tolist(), content.span_end.tolist(), strict=True)) == words(text) * 2
