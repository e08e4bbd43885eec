"""One layer of a document as it is read: its text in pieces, and where those who saw it differ."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import escape

from reportgen.report.context import Context, in_context
from reportgen.report.language import N_, _, told
from reportgen.report.numbers import NONE
from reportgen.report.parts import shared_out
from reportgen.report.segments import Piece, Readers, Said, grouped, overlapping
from reportgen.results.texts import Mark, Span

# With more who saw a document than these, tables say who said what instead of a column for each.
MOST_COLUMNS = 6
# As many of an annotator's marks that overlap a stretch are named.
MOST_OVERLAPS = 3
# In the table below a text.
MOST_DIFFERENCES = 60
# A page is full before it weighs about as much: the bytes of a text, which each layer repeats, and of each
# mark in it and in the table below.
MOST_BYTES, BYTES_A_MARK = 105_000, 200
# Of a layer that has several pages: a piece that somebody marked, and its row where readers differ.
BYTES_A_PIECE, BYTES_A_ROW = 80, 400
# A longer piece is cut, so that it fits on a page.
MOST_LETTERS = 20_000
WHOLE = N_("whole document")


@dataclass(frozen=True)
class Difference:
    """Stretches that readers marked differently: what each said, in the order of the columns."""

    place: str
    context: Context | None
    offsets: str
    labels: tuple[str, ...]
    said: Said


@dataclass(frozen=True)
class LayerText:
    """One layer of one document; `number` counts the layers from 1."""

    id: str
    number: int
    text: str
    readers: Readers
    unseen: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Return the id of its heading."""
        return f"layer-{self.number}"

    @cached_property
    def weight(self) -> int:
        """Return about how many bytes it takes on a page."""
        return _bytes(self.text) + BYTES_A_MARK * len(self.readers.marks)

    @property
    def columns(self) -> tuple[str, ...]:
        """Return who saw the document, as tables head their columns; nobody where they are too many."""
        names = tuple(map(self.readers.shown, self.readers.names))
        return names if len(names) <= MOST_COLUMNS else ()

    @property
    def seen(self) -> tuple[str, ...]:
        """Return who saw the document."""
        return tuple(map(self.readers.shown, self.readers.names))

    @cached_property
    def pieces(self) -> list[Piece]:
        """Return the text in pieces, whose ids are unique in the document."""
        return self.readers.pieces(self.text, f"u-{self.number}-")

    @property
    def leaves(self) -> "Iterator[Leaf]":
        """Yield what one page at most has of the layer: all of it, where that is not too heavy."""
        if self.weight <= MOST_BYTES:
            yield Leaf(self, self.pieces, opens=True, weight=self.weight)
            return
        pieces = [part for piece in self.pieces for part in _cut(piece)]
        weights = [_weight(each) for each in pieces]
        for each in shared_out(weights, MOST_BYTES):
            yield Leaf(self, pieces[each], opens=each.start == 0, weight=sum(weights[each]))

    @cached_property
    def whole(self) -> Piece | None:
        """Return what is said of the document as a whole."""
        return self.readers.whole(f"u-{self.number}-")

    @cached_property
    def stretches(self) -> int:
        """Return how many different stretches somebody marked."""
        return len({mark.spans for mark in self.readers.marks})

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Return the stretches that those who saw the document did not label alike, in order of place."""
        if len(self.readers.names) == 1:
            return ()
        return tuple(Differences(self).rows())

    def place(self, spans: Sequence[Span]) -> str:
        """Return the id of the first piece within some stretches that differs, else of the heading."""
        if not spans and self.whole:
            return self.whole.id
        for span in sorted(spans):
            found = self._piece_at(*span)
            if found:
                return found.id
        return self.anchor

    def _piece_at(self, start: int, end: int) -> Piece | None:
        """Return the first piece that differs and shares a character with a stretch, or its place."""
        pieces, ends = self._differing
        for piece in pieces[bisect_right(ends, start if end > start else start - 1) :]:
            if piece.start > start and piece.start >= end:
                return None
            if piece.start < end or piece.start == piece.end == start:
                return piece
        return None

    @cached_property
    def _differing(self) -> tuple[list[Piece], list[int]]:
        pieces = [piece for piece in self.pieces if piece.differs]
        return pieces, [piece.end for piece in pieces]


@dataclass(frozen=True)
class Leaf:
    """A layer as far as one page has it; `opens` says whether it begins there."""

    layer: LayerText
    pieces: Sequence[Piece]
    opens: bool
    weight: int

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Return the differences that begin here; what has no piece of its own stands at the beginning."""
        own = {piece.id for piece in self.pieces if piece.id}
        if self.opens:
            own |= {self.layer.anchor, self.layer.whole.id if self.layer.whole else ""}
        return tuple(each for each in self.layer.differences if each.place in own)

    @property
    def differences_shown(self) -> tuple[Difference, ...]:
        """Return the first of them, as far as a page shows them."""
        return self.differences[:MOST_DIFFERENCES]


def _cut(piece: Piece) -> Iterator[Piece]:
    """Yield a piece in parts that fit on a page; the first has its id."""
    if len(piece.text) <= MOST_LETTERS:
        yield piece
        return
    for start in range(0, len(piece.text), MOST_LETTERS):
        text, name = piece.text[start : start + MOST_LETTERS], "" if start else piece.id
        first = piece.start + start
        yield piece._replace(start=first, end=first + len(text), text=text, id=name)


def _weight(piece: Piece) -> int:
    """Return about how many bytes a piece takes on a page."""
    said = sum(_bytes(who) + _bytes(what) for who, what in piece.said)
    labels = BYTES_A_PIECE + said if piece.state else 0
    return _bytes(piece.text) + labels + BYTES_A_ROW * piece.differs


def _bytes(text: str) -> int:
    """Return how many bytes a text takes on a page."""
    return len(escape(text).encode(errors="replace"))


class Differences:
    """What those who saw a document say of each stretch that somebody marked."""

    def __init__(self, layer: LayerText) -> None:
        """Sort the marks by stretches and annotators."""
        self._layer = layer
        self._marks = layer.readers.marks
        self._own: dict[tuple[Span, ...], dict[str, list[Mark]]] = defaultdict(dict)
        for mark in self._marks:
            self._own[mark.spans].setdefault(mark.annotator, []).append(mark)
        self._overlapping = overlapping(self._marks, len(layer.text))

    def rows(self) -> Iterator[Difference]:
        """Yield a row for each stretch that is not labelled alike."""
        names = self._layer.readers.names
        for spans in sorted(self._own):
            own = self._own[spans]
            labels = [sorted(mark.label for mark in own.get(name, ())) for name in names]
            if any(each != labels[0] for each in labels):
                yield self._row(spans)

    def _row(self, spans: tuple[Span, ...]) -> Difference:
        readers = self._layer.readers
        labels = tuple(self._said(name, spans) for name in readers.names)
        shown = map(readers.shown, readers.names)
        said = grouped(zip(shown, labels, strict=True))
        context = in_context(self._layer.text, spans) if spans else None
        return Difference(self._layer.place(spans), context, offsets(spans), labels, said)

    def _said(self, name: str, spans: tuple[Span, ...]) -> str:
        """Return somebody's labels of a stretch, else those of marks that overlap it."""
        own = self._own[spans].get(name)
        if own:
            return ", ".join(map(described, own))
        near = [self._marks[number] for number in self._overlapping.get(spans, ())]
        found = [mark for mark in near if mark.annotator == name]
        shown = [f"≈ {mark.label} {offsets(mark.spans)}" for mark in found[:MOST_OVERLAPS]]
        return ", ".join([*shown, *(["…"] if len(found) > MOST_OVERLAPS else [])]) or NONE


def described(mark: Mark) -> str:
    """Return a mark's label with its features."""
    features = ", ".join(told(name, value) for name, value in sorted(mark.features.items()))
    return f"{mark.label} ({features})" if features else mark.label


def offsets(spans: Sequence[Span]) -> str:
    """Return where stretches begin and end, in characters from 0."""
    return ", ".join(f"{start}–{end}" for start, end in spans) or _(WHOLE)
