"""Lines over guidelines versions: their points, how they are drawn, and their values in words."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.base.dataclass import dataclass
from reportgen.figures.drawings import PlainPlot
from reportgen.figures.intervals import boxes
from reportgen.figures.style import (
    LIGHT,
    MARKERS,
    POINT,
    WIDTH,
    Look,
    fitted,
    marker_look,
    series,
    widest,
    width_of,
    written,
)
from reportgen.results import Figure
from reportgen.results.history import Move
from reportgen.results.parts import Change
from reportgen.words import numbers
from reportgen.words.language import N_, _, named_value, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVEL = 0.05


def is_shown(move: Move | None) -> bool:
    """Tell whether a move is more than chance explains, at the level of 5%."""
    return move is not None and move.p is not None and move.p < LEVEL and bool(move.difference)


@dataclass(frozen=True)
class Point:
    """A figure under one version; `kind` is what it was computed as: figures of two kinds are not joined.

    `move` is the move that led to it, where that was compared; `beside` a figure drawn as a band behind it.
    """

    figure: Figure | None
    kind: str = ""
    move: Move | None = None
    beside: Figure | None = None

    @property
    def value(self) -> float | None:
        """Return the value, None where there is none."""
        return self.figure.value if self.figure else None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Return the ends of the interval, None where there is none."""
        return ends(self.figure)

    @property
    def mark(self) -> str:
        """Return how the move to it came out: "rise", "fall", "open" where chance may explain it, or ""."""
        if self.move is None or self.move.p is None or self.move.difference is None:
            return ""
        if not is_shown(self.move):
            return "open"
        return "rise" if self.move.difference > 0 else "fall"


def ends(figure: Figure | Change | Move | None) -> tuple[float, float] | None:
    """Return the ends of a figure's interval, None where there is none."""
    if figure is None or figure.interval is None:
        return None
    low, high = figure.interval.low, figure.interval.high
    return None if low is None or high is None else (low, high)


@dataclass(frozen=True)
class Line:
    """One figure over all versions, the oldest first."""

    label: str
    points: tuple[Point, ...]

    @property
    def has_values(self) -> bool:
        """Tell whether there is anything to draw."""
        return any(point.value is not None for point in self.points)

    @property
    def low(self) -> float:
        """Return where its axis begins: at 0, or below where something is."""
        values = (
            value
            for point in self.points
            for value in (point.value, *(point.ends or ()), *(ends(point.beside) or ()))
            if value is not None
        )
        lowest = min(values, default=0.0)
        return 0.0 if lowest >= 0 else max(-1.0, math.floor(lowest * 5) / 5)


# Of many small plots, so many are drawn: the table has the others.
MOST_PANELS = 12
HIGH, HIGHER = 260.0, 290.0
TICKS, FEW_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (0.0, 0.5, 1.0)
PANEL, PANEL_TEXT = (220.0, 132.0), 11.0
# A file with all panels beside each other.
ACROSS, HEAD, APART = 4, 20.0, 12.0
# The marks of moves: up, down, and a dash.
MOVES = {"rise": ("^", 5.4), "fall": ("v", 5.4), "open": ("_", 6.0)}
ROW = 15.0
BANDS = ("between", "enough")
LONGEST_NAME = 90.0


@dataclass(frozen=True)
class VersionsPlot:
    """A figure over versions; bands begin at `thresholds`. A small one is a panel of several.

    The axis begins at 0, or where something is below it; all panels begin where the `lowest` does.
    """

    title: str
    names: tuple[str, ...]
    line: Line
    dates: tuple[str, ...] = ()
    thresholds: tuple[float, ...] = ()
    width: float = WIDTH
    small: bool = False
    lowest: float = 0.0

    @property
    def described(self) -> str:
        """Return the values in words."""
        return described(self.names, self.line)

    @property
    def _text(self) -> float:
        return PANEL_TEXT if self.small else 12.0

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for numbers, versions and the marks of moves."""
        marks = ROW * any(point.mark for point in self.line.points)
        if self.small:
            return 30, 11, 8 + marks, 24
        return 34, 14, 12 + marks, 42 if self.dates else 26

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        _left, _right, top, foot = self.margins
        high = PANEL[1] - 32 if self.small else (HIGHER if self.width > WIDTH else HIGH) - 54
        return PANEL[0] if self.small else self.width, top + high + foot

    @cached_property
    def low(self) -> float:
        """Return where the axis begins."""
        return min(self.lowest, self.line.low)

    @property
    def _inner(self) -> float:
        return self.size[0] - self.margins[0] - self.margins[1]

    @property
    def _step(self) -> float:
        """Return how far versions are apart, in pixels."""
        return self._inner / max(len(self.names), 1)

    @property
    def _high(self) -> float:
        return self.size[1] - self.margins[2] - self.margins[3]

    def paint(self, axes: "Axes") -> None:
        """Paint the line on axes."""
        self._scale(axes)
        self._versions(axes)
        self._bands(axes)
        self._line(axes)
        self._moves(axes)

    def _scale(self, axes: "Axes") -> None:
        """Write the values across, with their rules."""
        few = self.small
        below = (
            [self.low] * (self.low < 0) if few else [-step / 5 for step in range(round(-5 * self.low), 0, -1)]
        )
        minimum = [round(value, 2) for value in self.thresholds[:1]]
        values = [*below, *((0.0, *(minimum or FEW_TICKS[1:-1]), 1.0) if few else TICKS)]
        axes.set(xlim=(-0.5, len(self.names) - 0.5), ylim=(self.low, 1))
        axes.set_yticks(values, written(values))
        axes.tick_params(labelsize=self._text * POINT, pad=5 * POINT)
        axes.grid(axis="y")
        for low, high, colour in zip(self.thresholds, (*self.thresholds[1:], 1.0), BANDS, strict=False):
            axes.axhspan(low, high, color=LIGHT[colour], linewidth=0, zorder=0.5)
        for value in self.thresholds[:1]:
            axes.axhline(value, color=LIGHT["muted"], linewidth=1)

    def _versions(self, axes: "Axes") -> None:
        """Write the names of versions, and their dates below: of many, as many as there is room for."""
        names = [fitted(name, LONGEST_NAME, self._text) for name in self.names]
        every = _every(names, self._step, self._text)
        places = _back(len(names), every)
        axes.set_xticks(places, [names[position] for position in places])
        axes.tick_params(axis="x", labelcolor=LIGHT["ink"])
        if not self.dates:
            return
        size = self._text - 1
        for position in _back(len(self.dates), _every(self.dates, self._step * every, size) * every):
            half = width_of(self.dates[position], size) / 2 / self._step
            x = max(min(position, len(self.names) - 0.5 + self.margins[1] / self._step - half), half - 0.5)
            look: Look = {"fontsize": size * POINT, "color": LIGHT["muted"], "ha": "center"}
            axes.text(x, -34 / self._high, self.dates[position], transform=axes.get_xaxis_transform(), **look)

    def _line(self, axes: "Axes") -> None:
        """Draw what joins neighbours of a kind, then each value with its interval."""
        radius = min(4.5, max(2.5, self._step / 5))
        look: Look = {"color": series(0), "clip_on": False}
        for xs, ys in joints(range(len(self.line.points)), self.line.points):
            axes.plot(xs, ys, linewidth=1.2, **look)
        mark = marker_look(MARKERS[0], 2 * radius * POINT) | {"markevery": [1]}
        for x, (name, point) in enumerate(zip(self.names, self.line.points, strict=True)):
            if point.value is not None:
                low, high = point.ends or (point.value, point.value)
                ys = [max(self.low, value) for value in (low, point.value, high)]
                gid = named_value(name, numbers.estimate(point.figure))
                axes.plot([x] * 3, ys, linewidth=1.4 * bool(point.ends), gid=gid, zorder=3, **mark, **look)

    def _bands(self, axes: "Axes") -> None:
        """Draw what is behind the points: an interval as a band, and its figure as a bar across."""
        half = min(14.0, self._step * 0.42) / self._step
        for position, point in enumerate(self.line.points):
            value = point.beside.value if point.beside else None
            if value is None:
                continue
            low, high = ends(point.beside) or (value, value)
            box = (position - half, max(low, self.low), position + half, high)
            axes.add_patch(boxes([box], facecolor=LIGHT["wash"], alpha=0.13, zorder=0.6))
            axes.hlines([value], position - half, position + half, color=LIGHT["muted"], linewidth=0.9)

    def _moves(self, axes: "Axes") -> None:
        """Draw the marks of tested moves above the axes, each between its two versions."""
        y = 1 + (ROW - 4) / self._high
        for position, point in enumerate(self.line.points):
            if point.mark:
                marker, size = MOVES[point.mark]
                look: Look = {"color": series(0), "clip_on": False, "linestyle": ""}
                look |= marker_look(marker, size * POINT / 0.75)
                axes.plot([position - 0.5], [y], transform=axes.get_xaxis_transform(), **look)


def joints(places: Sequence[float], points: Sequence[Point]) -> Iterator[tuple[list[float], list[float]]]:
    """Yield the stretches of a line; it begins afresh after a gap, and where the kind is another."""
    xs, ys = list[float](), list[float]()
    before: Point | None = None
    for x, point in zip(places, points, strict=True):
        if point.value is None or (before and before.kind != point.kind):
            if len(xs) > 1:
                yield xs, ys
            xs, ys = [], []
        if point.value is not None:
            xs.append(x)
            ys.append(point.value)
        before = point if point.value is not None else None
    if len(xs) > 1:
        yield xs, ys


def _every(texts: Sequence[str], step: float, size: float) -> int:
    """Return how many steps are from one text to the next that has room."""
    return max(1, math.ceil((widest(texts, size) + 8) / step))


def _back(count: int, every: int) -> list[int]:
    """Return which of some texts are written: the last, and back from it."""
    return list(range(count - 1, -1, -every))[::-1]


def panels_plot(title: str, panels: "Sequence[VersionsPlot]") -> PlainPlot:
    """Return several small plots in rows, each under its heading."""
    tall = max(panel.size[1] for panel in panels) + HEAD + APART
    width = min(ACROSS, len(panels)) * (PANEL[0] + APART)
    height = math.ceil(len(panels) / ACROSS) * tall

    def paint(axes: "Axes") -> None:
        axes.set_axis_off()
        for number, panel in enumerate(panels):
            left, right, top, foot = panel.margins
            x, y = number % ACROSS * (PANEL[0] + APART), number // ACROSS * tall
            inner = (PANEL[0] - left - right, panel.size[1] - top - foot)
            low = height - y - HEAD - top - inner[1]
            inset = axes.inset_axes(((x + left) / width, low / height, inner[0] / width, inner[1] / height))
            panel.paint(inset)
            heading = fitted(panel.title, PANEL[0])
            axes.text(x / width, 1 - (y + 14) / height, heading, transform=axes.transAxes)

    described = " ".join(panel.described for panel in panels)
    return PlainPlot(title, described, (width, height), (0.0, 0.0, 0.0, 0.0), paint)


# The text alternative of a plot over versions: its values in words.

# A line with more points than these is described by some of them.
MOST_DESCRIBED = 12
# A figure under one version in words, by the mark of the move that led to it.
IN_WORDS = {
    "rise": N_("{version} {value}, more than before"),
    "fall": N_("{version} {value}, less than before"),
}


def described(names: Sequence[str], line: Line) -> str:
    """Return the text alternative: every value of few versions, first, lowest, highest and last of many."""
    return say("{name}: {values}.", name=line.label, values=_in_words(names, line))


def _in_words(names: Sequence[str], line: Line) -> str:
    positions = [position for position, point in enumerate(line.points) if point.value is not None]
    if not positions:
        return _("undefined under every version")
    if len(positions) > MOST_DESCRIBED:
        by_value = sorted(positions, key=lambda position: line.points[position].value or 0.0)
        positions = sorted({positions[0], by_value[0], by_value[-1], positions[-1]})
    return _("; ").join(_point_in_words(names[position], line.points[position]) for position in positions)


def _point_in_words(name: str, point: Point) -> str:
    value = numbers.estimate(point.figure)
    form = IN_WORDS.get(point.mark)
    text = say(form, version=name, value=value) if form else f"{name} {value}"
    if not point.beside:
        return text
    return say(
        "{figure}, annotators with each other {beside}", figure=text, beside=numbers.estimate(point.beside)
    )
