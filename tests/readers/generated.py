"""Copies of documents that hypothesis makes up: emoji, overlapping, adjacent and discontinuous marks."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from reportgen.readers import DocumentCopy, ParsedMark

ANNOTATORS = ("anna", "bob", "cléo")
TYPES = ("Person", "Place", "MERGE-ORG")
FEATURES = {"sure": ("true", "no", "a b", "<&>\"'", "😀"), "note": ("x", "é|y")}
TEXTS = st.text(alphabet="ab é😀𝄞.\n\t<&>\"'", min_size=1, max_size=25)
WORDS = st.lists(st.text(alphabet="abé😀<&'", min_size=1, max_size=4), min_size=1, max_size=8)

Told = tuple[str, str, str, str | None, list[tuple[Any, ...]]]


def told(copies: Sequence[DocumentCopy], *, ordered: bool = True) -> list[Told]:
    """Return what copies say, for comparing them: all but lines, ids and files."""
    found: list[Told] = []
    for copy in copies:
        marks = [(mark.type, mark.spans, sorted(mark.features.items())) for mark in copy.marks]
        found.append(
            (copy.document, copy.annotator, copy.state, copy.text, marks if ordered else sorted(marks))
        )
    return sorted(found)


@st.composite
def spans(draw: st.DrawFn, stretches: Sequence[tuple[int, int]], most: int) -> tuple[tuple[int, int], ...]:
    """Return up to `most` stretches of a text that do not touch."""
    chosen = sorted(draw(st.lists(st.sampled_from(stretches), min_size=1, max_size=most)))
    kept = chosen[:1]
    for start, end in chosen[1:]:
        if start > kept[-1][1] + 1:
            kept.append((start, end))
    return tuple(kept)


@st.composite
def marks(draw: st.DrawFn, stretches: Sequence[tuple[int, int]], most: int, *, features: bool) -> ParsedMark:
    """Return a mark over some of the stretches."""
    chosen = {
        name: draw(st.sampled_from(values))
        for name, values in FEATURES.items()
        if features and draw(st.booleans())
    }
    return ParsedMark(draw(st.sampled_from(TYPES)), draw(spans(stretches, most)), chosen)


@st.composite
def copies(
    draw: st.DrawFn,
    *,
    most: int = 1,
    words: bool = False,
    empty: bool = True,
    features: bool = True,
    unseen: bool = True,
) -> list[DocumentCopy]:
    """Return copies of some documents by some annotators.

    `most` stretches a mark, which are of `words` or of any characters, also `empty` ones; some documents
    are `unseen`, though not all of anybody's.
    """
    annotators = draw(st.lists(st.sampled_from(ANNOTATORS), min_size=1, max_size=3, unique=True))
    found: list[DocumentCopy] = []
    for number in range(draw(st.integers(1, 3))):
        parts = [f"d{number}", *draw(WORDS)] if words else [f"d{number} {draw(TEXTS)}"]
        text = " ".join(parts)
        stretches = _words(parts) if words else _characters(text, empty=empty)
        for annotator in annotators:
            made = draw(st.lists(marks(stretches, most, features=features), max_size=5))
            state = "unseen" if unseen and number and draw(st.booleans()) else "seen"
            found.append(_copy(f"doc{number}", annotator, text, made, state))
    return found


def _copy(document: str, annotator: str, text: str, made: Sequence[ParsedMark], state: str) -> DocumentCopy:
    if state == "unseen":
        return DocumentCopy(document, annotator, "", text, state="unseen")
    return DocumentCopy(document, annotator, "", text, made)


def _characters(text: str, *, empty: bool) -> list[tuple[int, int]]:
    first = 0 if empty else 1
    return [
        (start, end)
        for start in range(len(text))
        for end in range(start + first, min(start + 6, len(text)) + 1)
    ]


def _words(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the stretches of one to three words."""
    starts = [sum(len(word) + 1 for word in words[:place]) for place in range(len(words))]
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    return [
        (starts[first], ends[last])
        for first in range(len(words))
        for last in range(first, min(first + 3, len(words)))
    ]


# Letters that quotes, comments and tags are made of, and none that XML can't hold.
SAID = st.text(alphabet="ab é😀\"!<&>'\n", min_size=1, max_size=6).filter(str.strip)


@st.composite
def recordings(draw: st.DrawFn) -> list[DocumentCopy]:
    """Return copies of recordings by several annotators: adjacent, overlapping and pointed marks on tiers."""
    annotators = draw(st.lists(st.sampled_from(ANNOTATORS), min_size=2, max_size=3, unique=True))
    found: list[DocumentCopy] = []
    for number in range(draw(st.integers(1, 3))):
        length = 1000 + number
        times = st.integers(0, length)
        for annotator in annotators:
            rows = draw(st.lists(st.tuples(st.sampled_from(TYPES), times, times, SAID), max_size=6))
            made = [ParsedMark(kind, ((min(a, b), max(a, b)),), {kind: said}) for kind, a, b, said in rows]
            asked = frozenset({TYPES[0], *(mark.type for mark in made)})
            found.append(DocumentCopy(f"doc{number}", annotator, "", marks=made, asked=asked, length=length))
    return found
