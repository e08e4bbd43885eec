"""A small plot of figures over versions, as SVG that a page can restyle: classes for colours, no style.

It is written by hand, not by matplotlib: a campaign's page has many such plots, each as wide as the page
lets it be, and needs no axis that a line of SVG does not give.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from reportgen.report.figures.svg import (
    FONT,
    LARGER,
    SHAPES,
    SVG,
    WIDTH,
    element,
    label,
    rule,
    shape,
    short,
    text_element,
)
from reportgen.report.history.series import Line, Point, described, ends
from reportgen.words import numbers

# The average width of a letter, as a share of the font's size.
LETTER = 0.6
DASHES = ("", "7 3", "2 2.5", "9 3 2 3", "4 2 1 2", "12 4")
MOST_LINES = len(SHAPES)
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
FEW_TICKS = (0.0, 0.5, 1.0)
# The marks of moves: up, down, and a dot.
MARKS = {"rise": "triangle", "fall": "down", "open": "bar"}


@dataclass(frozen=True)
class Size:
    """The size of a plot and the room around its axes, in pixels; `text` is the size of its letters."""

    width: float
    height: float
    left: float = 34
    right: float = 30
    top: float = 12
    bottom: float = 42
    text: float = 12
    ticks: tuple[float, ...] = TICKS


@dataclass(frozen=True)
class Axis:
    """Versions from left to right: what is written under each, and what under that."""

    names: tuple[str, ...]
    dates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plot:
    """Lines over versions; `thresholds` are drawn across, `marked` says whether tested moves are marked."""

    name: str
    title: str
    axis: Axis
    lines: Sequence[Line]
    size: Size
    thresholds: tuple[float, ...] = ()
    marked: bool = True
    low: float = field(init=False)

    def __post_init__(self) -> None:
        """Find where the axis begins: at 0, or below where something is."""
        lowest = min((each for line in self.lines for each in _lowest(line)), default=0.0)
        object.__setattr__(self, "low", 0.0 if lowest >= 0 else max(-1.0, math.floor(lowest * 5) / 5))

    @property
    def rows(self) -> float:
        """Return how high the strip of marks above the axes is."""
        return 15.0 * len(self.lines) if self._marks else 0.0

    @property
    def _marks(self) -> bool:
        return self.marked and any(point.mark for line in self.lines for point in line.points)

    @property
    def top(self) -> float:
        """Return where the axes begin."""
        return self.size.top + self.rows

    @property
    def height(self) -> float:
        """Return the whole height."""
        return self.size.height + self.rows

    def x(self, place: float) -> float:
        """Return where a version stands."""
        size, count = self.size, len(self.axis.names)
        room = size.width - size.left - size.right
        return size.left + room * (place + 0.5) / max(count, 1)

    @property
    def step(self) -> float:
        """Return how far versions are apart."""
        return (self.size.width - self.size.left - self.size.right) / max(len(self.axis.names), 1)

    def y(self, value: float) -> float:
        """Return where a value stands; what is below the axis stands at its foot."""
        room = self.size.height - self.size.top - self.size.bottom
        return self.top + room * (1 - max(value, self.low)) / (1 - self.low)


def _lowest(line: Line) -> Iterator[float]:
    for point in line.points:
        yield from (value for value in (point.value, *(point.ends or ())) if value is not None)
        yield from ends(point.beside) or ()


def _shown(width: float) -> float:
    """Return how wide a plot is shown where a page has room for it."""
    return width if width > WIDTH else width * LARGER


def svg(plot: Plot) -> str:
    """Return a plot as SVG with its text alternative."""
    root = element(
        "svg",
        viewBox=f"0 0 {short(plot.size.width)} {short(plot.height)}",
        width=short(_shown(plot.size.width)),
    )
    labelled = f"{plot.name}-title {plot.name}-description"
    root.attrib |= {"role": "img", "aria-labelledby": labelled, "font-family": FONT, "xmlns": SVG}
    for tag, ending, text in (
        ("title", "title", plot.title),
        ("desc", "description", described(plot.axis.names, plot.lines)),
    ):
        root.append(text_element(tag, text, id=f"{plot.name}-{ending}"))
    root.extend(_scale(plot))
    root.extend(_versions(plot))
    for number, line in enumerate(plot.lines):
        root.extend(_band(plot, line))
        root.extend(_line(plot, line, number))
    if plot.rows:
        root.extend(_moves(plot))
    return ET.tostring(root, encoding="unicode") + "\n"


# Axes


def _scale(plot: Plot) -> Iterator[ET.Element]:
    """Yield the rules across, with their values."""
    left, right = plot.size.left, plot.size.width - plot.size.right
    for value in (*_below_zero(plot), *plot.size.ticks):
        y = plot.y(value)
        yield rule((left, y, right, y), "rule", "0.8")
        shown = numbers.pointed(f"{value:g}".replace("-", "−"))
        yield label((left - 6, y + plot.size.text / 3), shown, plot.size.text, text_anchor="end")
    for value in plot.thresholds:
        y = plot.y(value)
        yield rule((left, y, right, y), "muted", "1", stroke_dasharray="1 3")


def _below_zero(plot: Plot) -> list[float]:
    """Return the values below 0 that are written at the axis, the lowest of them its foot."""
    if len(plot.size.ticks) == len(FEW_TICKS):
        return [plot.low] if plot.low < 0 else []
    return [-each / 5 for each in range(round(-5 * plot.low), 0, -1)]


def _versions(plot: Plot) -> Iterator[ET.Element]:
    """Yield the names of versions, and their dates below: of many, as many as there is room for."""
    size = plot.size
    foot = plot.height - size.bottom + size.text + 6
    names = [_cut(each) for each in plot.axis.names]
    every = _every(names, plot.step, size.text)
    for place in _back(names, every):
        yield label((plot.x(place), foot), names[place], size.text, text_anchor="middle", fill="ink")
    dated = _every(plot.axis.dates, plot.step * every, size.text - 1) * every
    for place in _back(plot.axis.dates, dated):
        half = len(plot.axis.dates[place]) * (size.text - 1) * LETTER / 2
        x = min(plot.x(place), size.width - half)
        yield label((x, foot + size.text + 3), plot.axis.dates[place], size.text - 1, text_anchor="middle")


def _every(texts: Sequence[str], step: float, size: float) -> int:
    """Return how many steps are from one text to the next that has room."""
    longest = max(map(len, texts), default=0) * size * LETTER + 8
    return max(1, math.ceil(longest / step))


def _back(texts: Sequence[str], every: int) -> list[int]:
    """Return which of some texts are written: the last, and back from it."""
    return list(range(len(texts) - 1, -1, -every))[::-1]


def _cut(name: str) -> str:
    return name if len(name) <= 12 else f"{name[:11]}…"  # noqa: PLR2004 - a word's length


# Lines


def _line(plot: Plot, line: Line, number: int) -> Iterator[ET.Element]:
    """Yield a line in three strokes: intervals, what joins neighbours of a kind, points of its shape."""
    colour = f"series-{number % MOST_LINES + 1}"
    shift = _shift(plot, number)
    places = [(plot.x(place) + shift, point) for place, point in enumerate(line.points)]
    spans = [(x, *point.ends) for x, point in places if point.ends]
    upright = "".join(f"M{short(x)} {short(plot.y(low))}V{short(plot.y(high))}" for x, low, high in spans)
    joints = "".join(_joints(plot, places))
    width, dashes = "1.6", DASHES[number % MOST_LINES] or "none"
    if upright:
        yield element("path", d=upright, fill="none", stroke=colour, stroke_width="2", stroke_opacity="0.55")
    if joints:
        yield element(
            "path", d=joints, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes
        )
    radius = min(4.5, max(2.5, plot.step / 5))
    known = [(x, plot.y(point.value)) for x, point in places if point.value is not None]
    if known:
        yield shape(SHAPES[number % MOST_LINES], known, radius, colour)


def _joints(plot: Plot, places: Sequence[tuple[float, Point]]) -> Iterator[str]:
    """Yield a line's path from point to point; it begins anew after a gap, and where the kind is another."""
    before: Point | None = None
    for x, point in places:
        if point.value is not None:
            joined = before is not None and before.value is not None and before.kind == point.kind
            yield f"{'L' if joined else 'M'}{short(x)} {short(plot.y(point.value))}"
        before = point


def _shift(plot: Plot, number: int) -> float:
    """Return how far a line stands beside its versions, so that intervals do not hide each other."""
    apart = min(9.0, plot.step / (len(plot.lines) + 1))
    return (number - (len(plot.lines) - 1) / 2) * apart


def _band(plot: Plot, line: Line) -> Iterator[ET.Element]:
    """Yield what stands behind a line's points: an interval as a band, and its figure as a bar across."""
    half = min(14.0, plot.step * 0.42)
    for place, point in enumerate(line.points):
        value, x = point.beside.value if point.beside else None, plot.x(place)
        if value is None:
            continue
        low, high = ends(point.beside) or (value, value)
        top, height = plot.y(high), max(plot.y(low) - plot.y(high), 0.1)
        box = {"x": short(x - half), "y": short(top), "width": short(2 * half), "height": short(height)}
        yield element("rect", fill="shade", fill_opacity="0.13", **box)
        yield rule((x - half, plot.y(value), x + half, plot.y(value)), "muted", "1.2")


def _moves(plot: Plot) -> Iterator[ET.Element]:
    """Yield the marks of tested moves above the axes, each between its two versions, a row a line."""
    for number, line in enumerate(plot.lines):
        colour, y = f"series-{number % MOST_LINES + 1}", plot.size.top + 15.0 * number + 4
        for mark, kind in MARKS.items():
            places = [
                (plot.x(place - 0.5), y) for place, point in enumerate(line.points) if point.mark == mark
            ]
            if places:
                yield shape(kind, places, 3.0 if mark == "open" else 3.6, colour)
