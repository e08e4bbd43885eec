"""Rows of values with their intervals on one scale: categories, pairs, annotators, systems."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reportgen.report import numbers
from reportgen.report.figures.axes import Scale, Span, lowest, tick
from reportgen.report.figures.elements import box, fitted, rule, shape, width_of, words
from reportgen.report.figures.svg import TEXT, WIDTH, Drawing, Said, drawing

# A mark's colour and shape, and whether it is hollow: whoever does not see the colours apart sees the shapes.
MARKS = {
    "one": ("series-1", "circle", False),
    "other": ("series-2", "diamond", False),
    "earlier": ("series-2", "diamond", True),
}
# No figure has many more rows: one with more is read in its table.
MOST_ROWS = 30
LONGEST = 165.0
HIGH, HIGHER, LINE = 24.0, 34.0, 14.0
APART = 7.0
RADIUS, STROKE = 4.5, "2.4"


@dataclass(frozen=True)
class Dot:
    """A value with its interval, and how it is marked."""

    span: Span
    mark: str = "one"


@dataclass(frozen=True)
class Row:
    """A name, perhaps with a second line, and its values; the band behind is what they are held against."""

    name: str
    dots: Sequence[Dot]
    band: Span | None = None
    second: str = ""


@dataclass(frozen=True)
class Rows:
    """Rows under each other; `keys` say what marks mean, and the first row may stand apart from others."""

    rows: Sequence[Row]
    axis: str
    keys: Sequence[tuple[str, str]] = ()
    divided: bool = False

    @property
    def high(self) -> float:
        """Return how high a row is."""
        several = any(len(each.dots) > 1 or each.second for each in self.rows)
        return HIGHER if several else HIGH

    @property
    def top(self) -> float:
        """Return where the rows begin."""
        return 22.0 if self.keys else 4.0

    @property
    def foot(self) -> float:
        """Return where they end."""
        return self.top + self.high * len(self.rows)

    @property
    def values(self) -> list[str]:
        """Return the values as they are written beside rows of one each."""
        if any(len(each.dots) > 1 for each in self.rows):
            return []
        return [numbers.figure(dot.span.value) for each in self.rows for dot in each.dots]

    @property
    def scale(self) -> Scale:
        """Return the scale, between the names and the values."""
        texts = [text for each in self.rows for text in (each.name, each.second)]
        left = 10 + max(width_of(fitted(each, LONGEST)) for each in texts)
        beside = max(map(width_of, self.values), default=0.0)
        ends = [
            each
            for row in self.rows
            for one in (*(dot.span for dot in row.dots), row.band)
            if one
            for each in (one.low, one.value)
        ]
        return Scale(lowest(ends), left, WIDTH - 14 - beside)


def draw(name: str, said: Said, rows: Rows) -> Drawing:
    """Return rows as a figure."""
    return drawing(name, said, (WIDTH, rows.foot + 40), _parts(rows))


def _parts(rows: Rows) -> Iterator[ET.Element]:
    scale = rows.scale
    yield from _keys(rows)
    yield from _axis(rows, scale)
    for place, row in enumerate(rows.rows):
        middle = rows.top + rows.high * (place + 0.5)
        yield from _names(row, (scale.start - 8, middle))
        yield from _band(row, scale, (middle, rows.high))
        yield from _dots(row, scale, middle)
    for place, text in enumerate(rows.values):
        middle = rows.top + rows.high * (place + 0.5)
        yield words((WIDTH - 1, middle + TEXT / 3), text, text_anchor="end", fill="ink")


def _axis(rows: Rows, scale: Scale) -> Iterator[ET.Element]:
    """Yield the rules with their numbers, and what they count."""
    for value in scale.ticks:
        x = scale.at(value)
        yield rule((x, rows.top, x, rows.foot), "muted" if value == 0 > scale.low else "rule", "0.7")
        yield words((x, rows.foot + TEXT + 2), tick(value), text_anchor="middle")
    if rows.divided and len(rows.rows) > 1:
        y = rows.top + rows.high
        yield rule((0, y, scale.end, y), "rule", "0.9")
    middle = (scale.start + scale.end) / 2
    half = width_of(rows.axis) / 2
    yield words((max(half, min(middle, WIDTH - half)), rows.foot + 34), rows.axis, text_anchor="middle")


def _keys(rows: Rows) -> Iterator[ET.Element]:
    x = 6.0
    for text, mark in rows.keys:
        shown = fitted(text, LONGEST)
        yield from _mark(MARKS[mark], (x, 8))
        yield words((x + 10, 8 + TEXT / 3), shown, fill="ink")
        x += 30 + width_of(shown)


def _names(row: Row, place: tuple[float, float]) -> Iterator[ET.Element]:
    x, middle = place
    y = middle + TEXT / 3 - (LINE / 2 if row.second else 0)
    yield words((x, y), fitted(row.name, LONGEST), text_anchor="end", fill="ink")
    if row.second:
        yield words((x, y + LINE), fitted(row.second, LONGEST), text_anchor="end")


def _band(row: Row, scale: Scale, place: tuple[float, float]) -> Iterator[ET.Element]:
    """Yield the interval as a band over the row's height, and its figure as a rule in it."""
    if row.band is None:
        return
    middle, high = place
    low, value, far = (scale.at(each) for each in (row.band.low, row.band.value, row.band.high))
    top = middle - high / 2
    yield box((low, top), (max(far - low, 0.5), high), fill="shade", fill_opacity="0.16")
    yield rule((value, top, value, top + high), "muted", "1.2")


def _dots(row: Row, scale: Scale, middle: float) -> Iterator[ET.Element]:
    """Yield the row's values, several below each other and joined."""
    ys = [middle + APART * (2 * place - len(row.dots) + 1) for place in range(len(row.dots))]
    points = [(scale.at(each.span.value), y) for each, y in zip(row.dots, ys, strict=True)]
    if len(points) > 1:
        yield rule((*points[0], *points[-1]), "muted", "1")
    for dot, point in zip(row.dots, points, strict=True):
        low, high = scale.at(dot.span.low), scale.at(dot.span.high)
        colour = MARKS[dot.mark][0]
        if high - low > 0:
            yield rule((low, point[1], high, point[1]), colour, STROKE)
        yield from _mark(MARKS[dot.mark], point)


def _mark(mark: tuple[str, str, bool], point: tuple[float, float]) -> Iterator[ET.Element]:
    colour, kind, hollow = mark
    yield shape(kind, [point], RADIUS, colour, hollow=hollow)
