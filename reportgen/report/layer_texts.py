"""One layer of a document as it is read: its text in pieces, and where those who saw it differ."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from markupsafe import escape

from reportgen.report.tables import role_in_words
from reportgen.results.texts import MORE, POINT, Context, Mark, Span, in_context
from reportgen.words.language import N_, _, say_many, told
from reportgen.words.numbers import NONE, count

# A text cut at the ends of all marks on it, and what each annotator says of every piece.

# Nobody marked it; all made the same mark; the same label on other stretches; other labels; one reader.
State = Literal["", "agreed", "boundary", "different", "alone"]
SIGNS = {"boundary": "≈", "different": "≠"}
# More who say the same than these are counted, not named.
MOST_NAMED = 6

Said = tuple[tuple[str, str], ...]


class TextSegment(NamedTuple):
    """A piece of a text: who says what of it. Where all say the same, nobody is named.

    `people` are the places among the readers of those whom each part of `said` is about.
    """

    start: int
    end: int
    text: str
    state: State = ""
    said: Said = ()
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
    opening, closing, points = _boundaries(marks, length)
    active: Counter[int] = Counter()
    covered: tuple[int, ...] = ()
    start = 0
    for place in sorted({*opening, *closing, *points, length}):
        active.update(opening[place])
        active.subtract(closing[place])
        now = tuple(sorted(number for number, times in active.items() if times > 0))
        active = +active
        if now == covered and place not in points and place != length:
            continue
        if place > start:
            yield Stretch(start, place, covered)
        if place in points:
            yield Stretch(place, place, tuple(points[place]))
        start, covered = place, now


Places = dict[int, list[int]]


def _boundaries(marks: Sequence[Mark], length: int) -> tuple[Places, Places, Places]:
    """Return which marks begin, end, and stand without length at each place."""
    opening: Places = defaultdict(list)
    closing: Places = defaultdict(list)
    points: Places = defaultdict(list)
    for number, mark in enumerate(marks):
        for start, end in mark.spans:
            first, last = min(max(0, start), length), min(max(0, end), length)
            if first < last:
                opening[first].append(number)
                closing[last].append(number)
            elif start == end:
                points[first].append(number)
    return opening, closing, points


@dataclass(frozen=True)
class Readers:
    """The marks of one layer on one text, and who read it, in the order of their columns."""

    names: tuple[str, ...]
    marks: Sequence[Mark]
    roles: Mapping[str, str]

    def shown(self, name: str) -> str:
        """Return a reader's name, with the role of those that are no annotator."""
        return f"{name} ({role_in_words(self.roles[name])})" if name in self.roles else name

    def pieces(self, text: str, prefix: str) -> list[TextSegment]:
        """Return the text in pieces; those on which readers differ have ids that begin with `prefix`."""
        return [self._piece(text, each, prefix) for each in stretches(self.marks, len(text))]

    def whole(self, prefix: str) -> TextSegment | None:
        """Return what is said of the document as a whole, None where nothing is."""
        found = tuple(number for number, mark in enumerate(self.marks) if not mark.spans)
        if not found:
            return None
        state, said, people = self._judged(Stretch(0, 0, found))
        return TextSegment(0, 0, "", state, said, f"{prefix}whole", people)

    def _piece(self, text: str, stretch: Stretch, prefix: str) -> TextSegment:
        start, end, marks = stretch
        shown = text[start:end] or POINT
        if not marks:
            return TextSegment(start, end, shown)
        state, said, people = self._judged(stretch)
        name = f"{prefix}{start}{'' if end > start else '-point'}" if state in SIGNS else ""
        return TextSegment(start, end, shown, state, said, name, people)

    def _judged(self, stretch: Stretch) -> tuple[State, Said, tuple[tuple[int, ...], ...]]:
        """Return whether readers agree on a stretch, who says what, and the places of these people."""
        own: dict[str, list[Mark]] = {name: [] for name in self.names}
        for number in stretch.marks:
            own[self.marks[number].annotator].append(self.marks[number])
        state = _state(list(own.values()))
        what = {self.shown(name): _labels(marks, stretch) for name, marks in own.items()}
        if state in ("agreed", "alone"):
            return state, (("", next(label for label in what.values() if label != NONE)),), ()
        said, labels = grouped(what.items()), list(what.values())
        people = tuple(
            tuple(place for place, label in enumerate(labels) if label == each) for _who, each in said
        )
        return state, said, people


def _state(own: Sequence[Sequence[Mark]]) -> State:
    if len(own) == 1:
        return "alone"
    if _alike(sorted((mark.label, mark.spans) for mark in marks) for marks in own):
        return "agreed"
    return "boundary" if _alike(sorted({mark.label for mark in marks}) for marks in own) else "different"


def _alike(values: Iterable[object]) -> bool:
    iterator = iter(values)
    first = next(iterator)
    return all(each == first for each in iterator)


def _labels(marks: Sequence[Mark], stretch: Stretch) -> str:
    """Return labels of marks on a stretch; an ellipsis shows that a mark goes on before or after it."""
    return ", ".join(dict.fromkeys(_label(mark, stretch) for mark in marks)) or NONE


def _label(mark: Mark, stretch: Stretch) -> str:
    before = any(start < stretch.start for start, _ in mark.spans)
    after = any(end > stretch.end for _, end in mark.spans)
    return f"{MORE if before else ''}{mark.label}{MORE if after else ''}"


def grouped(said: Iterable[tuple[str, str]]) -> Said:
    """Return who says what, those who say the same together, and those who say nothing last."""
    names: dict[str, list[str]] = {}
    for name, what in said:
        names.setdefault(what, []).append(name)
    order = sorted(names, key=lambda what: what == NONE)
    return tuple((named(names[what]), what) for what in order)


def named(names: Sequence[str]) -> str:
    """Return names in a row, or their number where they are many."""
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return say_many("{count} annotator", "{count} annotators", len(names), count=count(len(names)))


def overlapping(marks: Sequence[Mark], length: int) -> dict[tuple[Span, ...], list[int]]:
    """Return for the stretches of each mark the numbers of the marks that share a character with them."""
    found: dict[tuple[Span, ...], dict[int, None]] = defaultdict(dict)
    for stretch in stretches(marks, length):
        for number in stretch.marks:
            found[marks[number].spans].update(dict.fromkeys(stretch.marks))
    return {spans: list(numbers) for spans, numbers in found.items()}


# What would be too heavy for one page, shared out over several.


def shared_out(weights: Sequence[int], most: int) -> list[slice]:
    """Return stretches of what has these weights, in order, each as long as weighs no more than `most`.

    What is heavier by itself stands alone; of nothing there is one stretch, which is empty.
    """
    starts, carried = [0], 0
    for place, weight in enumerate(weights):
        if carried and carried + weight > most:
            starts.append(place)
            carried = 0
        carried += weight
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(weights)], strict=True)]


# One layer of a document as it is read: its text in pieces, and where those who saw it differ.

# With more who saw a document than these, tables say who said what instead of a column for each.
MOST_COLUMNS = 6
# As many of an annotator's marks that overlap a stretch are named.
MOST_OVERLAPS = 3
# In the table below a text.
MOST_DIFFERENCES = 60
# A page is full before it weighs about as much: the bytes of its text, of a piece that somebody marked and
# of a row for each piece on which readers differ.
MOST_BYTES, BYTES_A_PIECE, BYTES_A_ROW = 105_000, 80, 400
# A longer piece is cut, so that it fits on a page.
MOST_LETTERS = 20_000
WHOLE = N_("whole document")


@dataclass(frozen=True)
class MarkingDifference:
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
    def pieces(self) -> list[TextSegment]:
        """Return the text in pieces, whose ids are unique in the document."""
        return self.readers.pieces(self.text, f"u-{self.number}-")

    @cached_property
    def whole(self) -> TextSegment | None:
        """Return what is said of the document as a whole."""
        return self.readers.whole(f"u-{self.number}-")

    @cached_property
    def stretches(self) -> int:
        """Return how many different stretches somebody marked."""
        return len({mark.spans for mark in self.readers.marks})

    @cached_property
    def differences(self) -> tuple[MarkingDifference, ...]:
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

    def rows(self) -> Iterator[MarkingDifference]:
        """Yield a row for each stretch that is not labelled alike."""
        names = self._layer.readers.names
        for spans in sorted(self._own):
            own = self._own[spans]
            labels = [sorted(mark.label for mark in own.get(name, ())) for name in names]
            if any(each != labels[0] for each in labels):
                yield self._row(spans)

    def _row(self, spans: tuple[Span, ...]) -> MarkingDifference:
        readers = self._layer.readers
        labels = tuple(self._said(name, spans) for name in readers.names)
        shown = map(readers.shown, readers.names)
        said = grouped(zip(shown, labels, strict=True))
        context = in_context(self._layer.text, spans) if spans else None
        return MarkingDifference(self._layer.place(spans), context, offsets(spans), labels, said)

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
        said = sum(_bytes(who) + _bytes(what) for _n, each in self.closing for who, what in each.said)
        rows = sum(each.differs for _n, each in self.opening)
        return _bytes(self.text) + BYTES_A_PIECE * bool(self.covering) + said + BYTES_A_ROW * rows


def overlaid(text: str, layers: Sequence[LayerText]) -> Iterator[OverlaidSegment]:
    """Yield a text in pieces that the same pieces of layers cover, in order and without gaps."""
    marked = [(each.number, piece) for each in layers for piece in each.pieces if piece.state]
    points: dict[int, list[tuple[int, TextSegment]]] = defaultdict(list)
    long: dict[int, list[tuple[int, TextSegment]]] = defaultdict(list)
    for number, piece in marked:
        (long if piece.end > piece.start else points)[piece.start].append((number, piece))
    cuts = {0, len(text), *range(0, len(text), MOST_LETTERS)}
    places = sorted(cuts | {end for _number, piece in marked for end in (piece.start, piece.end)})
    active: list[tuple[int, TextSegment]] = []
    for start, end in zip(places, [*places[1:], len(text)], strict=True):
        for each in points[start]:
            yield OverlaidSegment(each[1].text, (each,), (each,), (each,))
        active = sorted([*(each for each in active if each[1].end > start), *long[start]])
        if end > start:
            closing = tuple(each for each in active if each[1].end == end)
            yield OverlaidSegment(text[start:end], tuple(active), tuple(long[start]), closing)
