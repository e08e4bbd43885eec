"""One layer of a document as it is read: its text in pieces, and where those who saw it differ."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from markupsafe import escape

from reportgen.base.dataclass import dataclass
from reportgen.report.tables import role_in_words
from reportgen.results.texts import MORE, POINT, Context, Mark, Span, in_context
from reportgen.words.language import N_, _, named_value
from reportgen.words.numbers import NONE, counted

# A text cut at the ends of all marks on it, and what each annotator says of every piece.

# Nobody marked it; all made the same mark; the same label on other stretches; other labels; one reader.
State = Literal["", "agreed", "boundary", "different", "alone"]
SIGNS = {"boundary": "≈", "different": "≠"}
# More who say the same than these are counted, not named.
MOST_NAMED = 6

Sayings = tuple[tuple[str, str], ...]


class TextSegment(NamedTuple):
    """A piece of a text: who says what of it. Where all say the same, nobody is named.

    `people` are the positions among the readers of those whom each part of `said` is about.
    """

    start: int
    end: int
    text: str
    state: State = ""
    said: Sayings = ()
    id: str = ""
    people: tuple[tuple[int, ...], ...] = ()

    @property
    def differs(self) -> bool:
        """Tell whether those who saw it disagree."""
        return self.state in SIGNS

    @property
    def sign(self) -> str:
        """Return the sign of their disagreement, empty where there is none."""
        return SIGNS.get(self.state, "")


class Stretch(NamedTuple):
    """A stretch of a text with the marks that cover it, by number; of no length, those at its place."""

    start: int
    end: int
    marks: tuple[int, ...]


def stretches(marks: Sequence[Mark], length: int) -> Iterator[Stretch]:
    """Yield a text of some length as stretches that the same marks cover, in order and without gaps."""
    opening, closing, points = (defaultdict[int, list[int]](list) for _kind in range(3))
    for number, mark in enumerate(marks):
        for start, end in mark.spans:
            first, last = min(max(0, start), length), min(max(0, end), length)
            if first < last:
                opening[first].append(number)
                closing[last].append(number)
            elif start == end:
                points[first].append(number)
    # A sweep over the places where something changes; a mark may cover one several times by its spans.
    active: Counter[int] = Counter()
    covered: tuple[int, ...] = ()
    begin = 0
    for position in sorted({*opening, *closing, *points, length}):
        active.update(opening[position])
        active.subtract(closing[position])
        active = +active
        now = tuple(sorted(active))
        if now == covered and position not in points and position != length:
            continue
        if position > begin:
            yield Stretch(begin, position, covered)
        if position in points:
            yield Stretch(position, position, tuple(points[position]))
        begin, covered = position, now


def _state(by_reader: Sequence[Sequence[Mark]]) -> State:
    if len(by_reader) == 1:
        return "alone"
    if len({tuple(sorted((mark.label, mark.spans) for mark in marks)) for marks in by_reader}) == 1:
        return "agreed"
    alike = len({frozenset(mark.label for mark in marks) for marks in by_reader}) == 1
    return "boundary" if alike else "different"


def _labels(marks: Sequence[Mark], stretch: Stretch) -> str:
    """Return labels of marks on a stretch; an ellipsis shows that a mark goes on before or after it."""
    labels = []
    for mark in marks:
        before = any(start < stretch.start for start, _end in mark.spans)
        after = any(end > stretch.end for _start, end in mark.spans)
        labels.append(f"{MORE * before}{mark.label}{MORE * after}")
    return ", ".join(dict.fromkeys(labels)) or NONE


def grouped(sayings: Iterable[tuple[str, str]]) -> Sayings:
    """Return who says what, those who say the same together, and those who say nothing last."""
    names: dict[str, list[str]] = {}
    for name, what in sayings:
        names.setdefault(what, []).append(name)
    order = sorted(names, key=lambda what: what == NONE)
    return tuple((named(names[what]), what) for what in order)


def named(names: Sequence[str]) -> str:
    """Return names in a row, or their number where they are many."""
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return counted(len(names), "annotator", "annotators")


# What would be too heavy for one page, shared out over several.


def shared_out(weights: Sequence[int], most: int) -> list[slice]:
    """Return stretches of what has these weights, in order, each as long as weighs no more than `most`.

    What is heavier by itself is alone; of nothing there is one stretch, which is empty.
    """
    starts, carried = [0], 0
    for position, weight in enumerate(weights):
        if carried and carried + weight > most:
            starts.append(position)
            carried = 0
        carried += weight
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(weights)], strict=True)]


# One layer of a document as it is read: its text in pieces, and where those who saw it differ.

# With more who saw a document than these, tables say who said what instead of a column for each.
MOST_COLUMNS = 6
# As many of an annotator's marks that overlap a stretch are named.
MOST_OVERLAPS = 3
# A page is full before it weighs about as much: the bytes of its text, of a piece that somebody marked and
# of a row for each piece on which readers differ.
MOST_BYTES, BYTES_A_PIECE, BYTES_A_ROW = 105_000, 80, 400
# A longer piece is cut, so that it fits on a page.
MOST_LETTERS = 20_000
WHOLE = N_("whole document")


@dataclass(frozen=True)
class MarkingDifference:
    """Stretches that readers marked differently: what each said, in the order of the columns."""

    anchor: str
    context: Context | None
    offsets: str
    labels: tuple[str, ...]
    said: Sayings


@dataclass(frozen=True)
class LayerText:
    """One layer of one document with its marks, and who saw it, in the order of their columns.

    `number` counts the layers from 1; `roles` are those of readers who are no annotators.
    """

    id: str
    number: int
    text: str
    names: tuple[str, ...]
    marks: Sequence[Mark]
    roles: Mapping[str, str]
    unseen: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Return the id of its heading."""
        return f"layer-{self.number}"

    @cached_property
    def readers(self) -> tuple[str, ...]:
        """Return who saw the document, those who are no annotator with their role."""
        return tuple(
            f"{name} ({role_in_words(self.roles[name])})" if name in self.roles else name
            for name in self.names
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """Return who saw the document, as tables head their columns; nobody where they are too many."""
        return self.readers if len(self.readers) <= MOST_COLUMNS else ()

    @cached_property
    def pieces(self) -> list[TextSegment]:
        """Return the text in pieces; those on which readers differ have ids, unique in the document."""
        return [self._piece(stretch) for stretch in stretches(self.marks, len(self.text))]

    @cached_property
    def whole_document(self) -> TextSegment | None:
        """Return what is said of the document as a whole, None where nothing is."""
        numbers = tuple(number for number, mark in enumerate(self.marks) if not mark.spans)
        if not numbers:
            return None
        state, said, people = self._judged(Stretch(0, 0, numbers))
        return TextSegment(0, 0, "", state, said, f"u-{self.number}-whole", people)

    def _piece(self, stretch: Stretch) -> TextSegment:
        start, end, marks = stretch
        shown = self.text[start:end] or POINT
        if not marks:
            return TextSegment(start, end, shown)
        state, said, people = self._judged(stretch)
        name = f"u-{self.number}-{start}{'' if end > start else '-point'}" if state in SIGNS else ""
        return TextSegment(start, end, shown, state, said, name, people)

    def _judged(self, stretch: Stretch) -> tuple[State, Sayings, tuple[tuple[int, ...], ...]]:
        """Return whether readers agree on a stretch, who says what, and the places of these people."""
        by_reader: dict[str, list[Mark]] = {name: [] for name in self.names}
        for number in stretch.marks:
            by_reader[self.marks[number].annotator].append(self.marks[number])
        state, labels = (
            _state(list(by_reader.values())),
            [_labels(marks, stretch) for marks in by_reader.values()],
        )
        if state in ("agreed", "alone"):
            return state, (("", next(label for label in labels if label != NONE)),), ()
        said = grouped(zip(self.readers, labels, strict=True))
        people = (
            tuple(position for position, label in enumerate(labels) if label == label_said)
            for _who, label_said in said
        )
        return state, said, tuple(people)

    @cached_property
    def stretches(self) -> int:
        """Return how many different stretches somebody marked."""
        return len({mark.spans for mark in self.marks})

    @property
    def _differently(self) -> dict[tuple[Span, ...], dict[str, list[Mark]]]:
        """Return who marked what on the stretches that those who saw the document did not label alike."""
        by_spans: dict[tuple[Span, ...], dict[str, list[Mark]]] = defaultdict(dict)
        for mark in self.marks:
            by_spans[mark.spans].setdefault(mark.annotator, []).append(mark)
        return {
            spans: by_reader
            for spans, by_reader in by_spans.items()
            if len({tuple(sorted(mark.label for mark in by_reader.get(who, ()))) for who in self.names}) > 1
        }

    @cached_property
    def differing(self) -> int:
        """Return how many differences there are; of thousands of documents nothing else is kept."""
        return len(self._differently)

    @cached_property
    def differences(self) -> tuple[MarkingDifference, ...]:
        """Return the stretches that those who saw the document did not label alike, in order of place."""
        # The numbers of the marks that share a character with the stretches of each mark.
        near: dict[tuple[Span, ...], dict[int, None]] = defaultdict(dict)
        for stretch in stretches(self.marks, len(self.text)):
            for number in stretch.marks:
                near[self.marks[number].spans].update(dict.fromkeys(stretch.marks))
        return tuple(
            self._difference(spans, by_reader, [self.marks[number] for number in near[spans]])
            for spans, by_reader in sorted(self._differently.items())
        )

    def _difference(
        self, spans: tuple[Span, ...], by_reader: Mapping[str, Sequence[Mark]], near: Sequence[Mark]
    ) -> MarkingDifference:
        labels = tuple(
            ", ".join(map(described, by_reader[name]))
            if name in by_reader
            else _overlapping([mark for mark in near if mark.annotator == name])
            for name in self.names
        )
        context = in_context(self.text, spans) if spans else None
        said = grouped(zip(self.readers, labels, strict=True))
        return MarkingDifference(self.anchor_of(spans), context, offsets(spans), labels, said)

    def anchor_of(self, spans: Sequence[Span]) -> str:
        """Return the id of the first piece within some stretches that differs, else of the heading."""
        if not spans and self.whole_document:
            return self.whole_document.id
        pieces = (self._piece_at(*span) for span in sorted(spans))
        return next((piece.id for piece in pieces if piece), self.anchor)

    def _piece_at(self, start: int, end: int) -> TextSegment | None:
        """Return the first piece that differs and shares a character with a stretch, or its place."""
        pieces, ends = self._differing
        for piece in pieces[bisect_right(ends, start if end > start else start - 1) :]:
            if piece.start > start and piece.start >= end:
                return None
            if piece.start < end or piece.start == piece.end == start:
                return piece
        return None

    @cached_property
    def _differing(self) -> tuple[list[TextSegment], list[int]]:
        pieces = [piece for piece in self.pieces if piece.differs]
        return pieces, [piece.end for piece in pieces]


def _bytes(text: str) -> int:
    return len(escape(text).encode(errors="replace"))


def _overlapping(marks: Sequence[Mark]) -> str:
    """Return the labels of marks that overlap a stretch, the first of them where they are many."""
    shown = [f"≈ {mark.label} {offsets(mark.spans)}" for mark in marks[:MOST_OVERLAPS]]
    return ", ".join([*shown, "…"] if len(marks) > MOST_OVERLAPS else shown) or NONE


def described(mark: Mark) -> str:
    """Return a mark's label with its features."""
    features = ", ".join(named_value(name, value) for name, value in sorted(mark.features.items()))
    return f"{mark.label} ({features})" if features else mark.label


def offsets(spans: Sequence[Span]) -> str:
    """Return where stretches begin and end, in characters from 0."""
    return ", ".join(f"{start}–{end}" for start, end in spans) or _(WHOLE)


# A text with the marks of all layers, in pieces that are shared out over pages.


class OverlaidSegment(NamedTuple):
    """A piece of a text with the pieces of the layers that cover it, by the layer's number.

    `opening` and `closing` are those of them that begin and end with it: there the first has its anchor, the
    last its labels.
    """

    text: str
    covering: tuple[tuple[int, TextSegment], ...] = ()
    opening: tuple[tuple[int, TextSegment], ...] = ()
    closing: tuple[tuple[int, TextSegment], ...] = ()

    @property
    def weight(self) -> int:
        """Return about how many bytes it takes on a page, with its rows in the tables of differences."""
        words = sum(_bytes(who) + _bytes(what) for _n, piece in self.closing for who, what in piece.said)
        rows = sum(piece.differs for _n, piece in self.opening)
        return _bytes(self.text) + BYTES_A_PIECE * bool(self.covering) + words + BYTES_A_ROW * rows


def overlaid(text: str, layers: Sequence[LayerText]) -> Iterator[OverlaidSegment]:
    """Yield a text in pieces that the same pieces of layers cover, in order and without gaps."""
    marked = [(layer.number, piece) for layer in layers for piece in layer.pieces if piece.state]
    points: dict[int, list[tuple[int, TextSegment]]] = defaultdict(list)
    long: dict[int, list[tuple[int, TextSegment]]] = defaultdict(list)
    for number, piece in marked:
        (long if piece.end > piece.start else points)[piece.start].append((number, piece))
    cuts = {0, len(text), *range(0, len(text), MOST_LETTERS)}
    places = sorted(cuts | {end for _number, piece in marked for end in (piece.start, piece.end)})
    active: list[tuple[int, TextSegment]] = []
    for start, end in zip(places, [*places[1:], len(text)], strict=True):
        for point in points[start]:
            yield OverlaidSegment(point[1].text, (point,), (point,), (point,))
        active = sorted([*(piece for piece in active if piece[1].end > start), *long[start]])
        if end > start:
            closing = tuple(piece for piece in active if piece[1].end == end)
            yield OverlaidSegment(text[start:end], tuple(active), tuple(long[start]), closing)
