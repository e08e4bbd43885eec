"""Values with their intervals, a row each, on one scale: of categories, pairs, layers and systems."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.figures.style import (
    LIGHT,
    POINT,
    THRESHOLDS,
    WIDTH,
    Look,
    all_fitted,
    fitted,
    lowest,
    name_below,
    ticks,
    widest,
    width_of,
    written,
)
from reportgen.results import Figure
from reportgen.words import numbers
from reportgen.words.language import named_value, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A mark's colour and shape, and whether it is hollow: who does not see the colours apart sees the shapes.
MARKS = {
    "one": ("series-1", "o", False),
    "other": ("series-2", "D", False),
    "earlier": ("series-2", "D", True),
    "plain": ("ink", "o", False),
    "short": ("short", "o", False),
    "settled": ("ink", "o", True),
}
LONGEST = 150.0
HIGH, HIGHER, SECOND = 24.0, 34.0, 0.22
KEYS, FOOT, NUMBERS = 22.0, 40.0, 22.0
# Between a narrower scale's second threshold and its end there is room for one number.
NARROW = 125.0
# How far the values of one row are apart, and how high a band behind it is, as shares of its height.
APART, BAND = 0.4, 0.66
# How far below zero a scale with bands begins at most, unless an estimate is there.
CUT = -0.25
BOLD = 1.1


@dataclass(frozen=True)
class Span:
    """A value with the ends of its interval, which are the value itself where there is none."""

    value: float
    low: float
    high: float

    @property
    def in_words(self) -> str:
        """Return the value with its interval as it is written."""
        ends = f" [{numbers.figure(self.low)}, {numbers.figure(self.high)}]"
        return numbers.figure(self.value) + ends * (self.high > self.low)


def span(figure: Figure | None) -> Span | None:
    """Return a figure's value and interval; None where it has no value."""
    if figure is None or figure.value is None:
        return None
    interval = figure.interval
    if interval is None or interval.low is None or interval.high is None:
        return Span(figure.value, figure.value, figure.value)
    return Span(figure.value, interval.low, interval.high)


def value_of(figure: Figure) -> float:
    """Return a figure's value, 0 where it has none."""
    return 0.0 if figure.value is None else figure.value


@dataclass(frozen=True)
class Dot:
    """A value with its interval, and how it is marked."""

    span: Span
    mark: str = "one"


@dataclass(frozen=True)
class DotPlotRow:
    """A name, perhaps with a second line, and its values.

    The band behind is what they are compared with; `shown` and `word` are written at the right; `settled` is
    what the value would be if something were settled.
    """

    name: str
    dots: Sequence[Dot]
    band: Span | None = None
    second: str = ""
    shown: str = ""
    word: str = ""
    settled: float | None = None


@dataclass(frozen=True)
class DotPlot:
    """Rows under each other; `keys` say what marks mean, and the first row may be set apart from others.

    `banded` rows are on the three bands that Krippendorff's thresholds make.
    """

    title: str
    described: str
    rows: Sequence[DotPlotRow]
    axis: str = ""
    keys: Sequence[tuple[str, str]] = ()
    divided: bool = False
    banded: bool = False
    width: float = WIDTH

    @property
    def high(self) -> float:
        """Return how high a row is."""
        higher = any(len(row.dots) > 1 or row.second for row in self.rows)
        return HIGHER if higher else HIGH

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        _left, _right, top, foot = self.margins
        return self.width, top + self.high * len(self.rows) + foot

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for names, for what is written at the right, for keys, and for the scale."""
        names = [fitted(text, LONGEST) for row in self.rows for text in (row.name, row.second)]
        beside = widest(map(_shown, self.rows)) * BOLD + widest(row.word for row in self.rows)
        gaps = 12 + 6 * any(row.word for row in self.rows)
        foot = FOOT if self.axis else NUMBERS
        return 8 + widest(names), gaps + beside, KEYS if self.keys else 4.0, foot

    @cached_property
    def low(self) -> float:
        """Return where the scale begins; on bands not far below the estimates, wherever intervals begin."""
        spans = [
            interval
            for row in self.rows
            for interval in (*(dot.span for dot in row.dots), row.band)
            if interval
        ]
        low = lowest(end for interval in spans for end in (interval.low, interval.value))
        least = min((interval.value for interval in spans), default=0.0)
        return max(low, min(CUT, math.floor(20 * (least + CUT / 5)) / 20)) if self.banded else low

    def paint(self, axes: "Axes") -> None:
        """Paint the rows on axes."""
        # Write names and numbers at the axes.
        values = [self.low, *THRESHOLDS, 1.0] if self.banded else ticks(self.low)
        shown = self._scale_numbers(written([round(value, 2) for value in values]))
        axes.set(xlim=(self.low, 1), ylim=(len(self.rows) - 0.5, -0.5))
        axes.set_xticks(values, shown)
        names = all_fitted([row.name for row in self.rows], LONGEST)
        # A name with a second line is lifted by half a line.
        axes.set_yticks(
            [position - SECOND * bool(row.second) for position, row in enumerate(self.rows)], names
        )
        axes.tick_params(axis="y", labelcolor=LIGHT["ink"], pad=6 * POINT)
        if self.banded:
            # The two thresholds are near each other: their numbers lean away.
            _least, first, second, _one = axes.get_xticklabels()
            first.set_horizontalalignment("right")
            second.set_horizontalalignment("left")
        else:
            axes.grid(axis="x")
        if self.low < 0:
            axes.axvline(0, color=LIGHT["muted"], linewidth=0.6, zorder=0.9)
        if self.axis:
            name_below(axes, self.axis, self.width, self.margins)
        if self.banded:
            # Paint the three bands behind every row.
            edges = (self.low, *THRESHOLDS, 1.0)
            for low, high, colour in zip(edges, edges[1:], ("too-low", "between", "enough"), strict=False):
                thick = BAND / 2 * (HIGH / self.high)
                places = [(low, y - thick, high, y + thick) for y in range(len(self.rows))]
                axes.add_patch(boxes(places, facecolor=LIGHT[colour], zorder=0.5))
        for position, row in enumerate(self.rows):
            self._row(axes, position, row)
        if self.divided and len(self.rows) > 1:
            axes.axhline(0.5, color=LIGHT["rule"], linewidth=0.7)
        self._beside(axes)
        self._keys(axes)

    def _scale_numbers(self, shown: list[str]) -> list[str]:
        """Return the numbers at a scale, the two thresholds with what they mean where there is room."""
        if not self.banded:
            return shown
        low, first, second, end = shown
        named = say("{threshold} minimum", threshold=first), say("{threshold} good", threshold=second)
        room = self._inner * (1 - THRESHOLDS[1]) / (1 - self.low)
        if room >= width_of(named[1]) + width_of(end):
            return [low, *named, end]
        return [low, first, second, "" if self._inner < NARROW else end]

    def _row(self, axes: "Axes", position: int, row: DotPlotRow) -> None:
        if row.second:
            text = fitted(row.second, LONGEST)
            across = axes.get_yaxis_transform()
            look: Look = {"color": LIGHT["muted"], "ha": "right", "va": "center_baseline"}
            axes.text(-6 / self._inner, position + SECOND, text, transform=across, **look)
        if row.band:
            low, high = max(row.band.low, self.low), row.band.high
            box = (low, position - 0.5, max(high, low + 0.002), position + 0.5)
            axes.add_patch(boxes([box], facecolor=LIGHT["wash"], alpha=0.16, zorder=0.6))
            axes.vlines([row.band.value], position - 0.5, position + 0.5, color=LIGHT["muted"], linewidth=0.9)
        ys = [position + APART / 2 * (2 * number - len(row.dots) + 1) for number in range(len(row.dots))]
        if len(ys) > 1:
            axes.plot([dot.span.value for dot in row.dots], ys, color=LIGHT["muted"], linewidth=0.75)
        if row.settled is not None and row.dots:
            self._settled(axes, row, row.settled, position)
        for dot, y in zip(row.dots, ys, strict=True):
            self._dot(axes, row, dot, y)

    def _settled(self, axes: "Axes", row: DotPlotRow, value: float, line: float) -> None:
        """Paint what a value would be as an open circle, with dots on the way."""
        ends = row.dots[0].span.value, value
        axes.plot(ends, [line] * 2, ":", color=LIGHT["muted"], linewidth=1)
        name = named_value(row.name, say("settled {value}", value=numbers.figure(value)))
        axes.plot([value], [line], linestyle="", gid=name, clip_on=False, **mark_look("settled"))

    @property
    def _inner(self) -> float:
        return self.width - self.margins[0] - self.margins[1]

    def _dot(self, axes: "Axes", row: DotPlotRow, dot: Dot, y: float) -> None:
        """Paint an interval and, in its midst, its value: one mark with a title."""
        name = next((f"{row.name} ({text})" for text, mark in self.keys if mark == dot.mark), row.name)
        xs = [max(self.low, end) for end in (dot.span.low, dot.span.value, dot.span.high)]
        line = LIGHT["ink"] if self.banded else LIGHT[MARKS[dot.mark][0]]
        look: Look = {"gid": named_value(name, dot.span.in_words), "clip_on": False, "zorder": 3} | mark_look(
            dot.mark
        )
        wide = 1.8 * (dot.span.high > dot.span.low)
        axes.plot(xs, [y] * 3, color=line, linewidth=wide, markevery=[1], **look)
        if dot.span.low < self.low:
            # The interval goes on: an arrow, within the band.
            end = self.low + 3 * (1 - self.low) / self._inner
            axes.plot([end], [y], "<", color=line, markersize=5, zorder=3)

    def _beside(self, axes: "Axes") -> None:
        """Write the values of rows of one each at the right, and a word."""
        across = axes.get_yaxis_transform()
        weight = "bold" if self.banded else "normal"
        first = 1 + (8 + widest(map(_shown, self.rows)) * BOLD + 6) / self._inner
        for position, row in enumerate(self.rows):
            end = 1 + (8 + widest(map(_shown, self.rows)) * BOLD) / self._inner
            if _shown(row) and all(len(other.dots) <= 1 for other in self.rows):
                look: Look = {"ha": "right", "fontweight": weight}
                axes.text(end, position, _shown(row), va="center_baseline", transform=across, **look)
            if row.word:
                look = {"color": LIGHT["muted"]}
                axes.text(first, position, row.word, va="center_baseline", transform=across, **look)

    def _keys(self, axes: "Axes") -> None:
        """Name the marks above the rows."""
        for text, mark in self.keys:
            axes.plot([], [], linestyle="", label=fitted(text, LONGEST), **mark_look(mark))
        if self.keys:
            corner: Look = {"loc": "lower left", "bbox_to_anchor": (-self.margins[0] / self._inner, 1.0)}
            axes.legend(ncols=len(self.keys), handletextpad=0.2, **corner)


def _shown(row: DotPlotRow) -> str:
    """Return what is written beside a row of one value."""
    if row.shown or len(row.dots) != 1:
        return row.shown
    return numbers.figure(row.dots[0].span.value)


def mark_look(mark: str) -> dict[str, Any]:
    """Return how a value's mark looks, as matplotlib's lines take it."""
    colour, shape, hollow = MARKS[mark]
    look: Look = {"marker": shape, "markerfacecolor": LIGHT[colour], "markersize": 6.6}
    if shape == "D":
        look["markersize"] = 5.6
    if hollow:
        look |= {"markerfacecolor": LIGHT["paper"], "markeredgecolor": LIGHT[colour], "markeredgewidth": 1.2}
    return look


def boxes(places: Sequence[tuple[float, float, float, float]], **look: Any) -> Any:  # noqa: ANN401 - matplotlib's
    """Return rectangles as one patch; each is left, top, right, and foot."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    points = [
        corner
        for left, top, right, foot in places
        for corner in ((left, top), (right, top), (right, foot), (left, foot), (left, top))
    ]
    return PathPatch(Path(points, codes * len(places)), linewidth=0, **look)


def described(shown: Mapping[str, Figure], between: str) -> str:
    """Return figures in words, for a text alternative."""
    return f"{between.join(named_value(name, numbers.estimate(figure)) for name, figure in shown.items())}."
