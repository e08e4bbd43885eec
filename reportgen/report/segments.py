"""A text cut at the ends of all marks on it, and what each annotator says of every piece."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from reportgen.report.context import MORE, POINT
from reportgen.report.heads import role_in_words
from reportgen.report.language import say_many
from reportgen.report.numbers import NONE, count
from reportgen.results.texts import Mark, Span

# Nobody marked it; all made the same mark; the same label on other stretches; other labels; one reader.
State = Literal["", "agreed", "boundary", "different", "alone"]
SIGNS = {"boundary": "≈", "different": "≠"}
# More who say the same than these are counted, not named.
MOST_NAMED = 6

Said = tuple[tuple[str, str], ...]


class Piece(NamedTuple):
    """A piece of a text: who says what of it. Where all say the same, nobody is named."""

    start: int
    end: int
    text: str
    state: State = ""
    said: Said = ()
    id: str = ""

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

    def pieces(self, text: str, prefix: str) -> list[Piece]:
        """Return the text in pieces; those on which readers differ have ids that begin with `prefix`."""
        return [self._piece(text, each, prefix) for each in stretches(self.marks, len(text))]

    def whole(self, prefix: str) -> Piece | None:
        """Return what is said of the document as a whole, None where nothing is."""
        found = tuple(number for number, mark in enumerate(self.marks) if not mark.spans)
        if not found:
            return None
        state, said = self._judged(Stretch(0, 0, found))
        return Piece(0, 0, "", state, said, f"{prefix}whole")

    def _piece(self, text: str, stretch: Stretch, prefix: str) -> Piece:
        start, end, marks = stretch
        shown = text[start:end] or POINT
        if not marks:
            return Piece(start, end, shown)
        state, said = self._judged(stretch)
        name = f"{prefix}{start}{'' if end > start else '-point'}" if state in SIGNS else ""
        return Piece(start, end, shown, state, said, name)

    def _judged(self, stretch: Stretch) -> tuple[State, Said]:
        """Return whether readers agree on a stretch, and who says what."""
        own: dict[str, list[Mark]] = {name: [] for name in self.names}
        for number in stretch.marks:
            own[self.marks[number].annotator].append(self.marks[number])
        state = _state(list(own.values()))
        what = {self.shown(name): _labels(marks, stretch) for name, marks in own.items()}
        if state in ("agreed", "alone"):
            return state, (("", next(label for label in what.values() if label != NONE)),)
        return state, grouped(what.items())


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
