"""Figures over guidelines versions: agreement, categories, F and systems, as lines or as small plots."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reportgen.figures import lines as found_lines
from reportgen.figures.curve import dashed
from reportgen.figures.drawings import PlainPlot, on_axes
from reportgen.figures.intervals import boxes
from reportgen.figures.lines import Line, Point, described, ends
from reportgen.figures.style import (
    LIGHT,
    MARKERS,
    POINT,
    THRESHOLDS,
    WIDTH,
    Look,
    fitted,
    legend_columns,
    series,
    widest,
    width_of,
    written,
)
from reportgen.results.history import History
from reportgen.words import numbers
from reportgen.words.language import _, date, say, told
from reportgen.words.names import as_heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = len(MARKERS)
# Of many small plots, so many are drawn: the table has the others.
MOST_PANELS = 12
HIGH, HIGHER = 260.0, 290.0
TICKS, FEW_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (0.0, 0.5, 1.0)
PANEL, PANEL_TEXT = (220.0, 132.0), 11.0
# A file with all panels beside each other.
ACROSS, HEAD, APART = 4, 20.0, 12.0
# The marks of moves: up, down, and a dash.
MOVES = {"rise": ("^", 5.4), "fall": ("v", 5.4), "open": ("_", 6.0)}
ROW, LINE = 15.0, 16.0
LONGEST_NAME, LONGEST_KEY = 90.0, 140.0


def agreement_over_versions(history: History, ax: "Axes | None" = None) -> "Axes | None":
    """Return the primary coefficient of each layer over versions; of very many layers the first."""
    return on_axes(
        plot_of(history, known_lines(found_lines.coefficients(history))[:MOST_LINES], thresholds=THRESHOLDS),
        ax,
    )


def f_over_versions(history: History, ax: "Axes | None" = None) -> "Axes | None":
    """Return the strict F of each layer's marks over guidelines versions."""
    return on_axes(plot_of(history, found_lines.strict_f(history)[:MOST_LINES]), ax)


def categories_over_versions(
    history: History, ax: "Axes | None" = None, *, layer: str | None = None
) -> "Axes | None":
    """Return the specific agreement of each category of a layer over versions, a small plot each."""
    known = known_lines(found_lines.categories(history, layer or history.layers[0]))
    return on_axes(panels_plot("", small_plots(history, known)) if known else None, ax)


def known_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that have anything to draw."""
    return [each for each in lines if each.known]


def plot_of(history: History, lines: Sequence[Line], title: str = "", **more: Any) -> "VersionsPlot | None":  # noqa: ANN401
    """Return a plot of lines over the versions of a history; None where there is none."""
    dates = tuple(date(each.date or "") for each in history.versions)
    return VersionsPlot(title, history.names, lines, dates if any(dates) else (), **more) if lines else None


def small_plots(
    history: History, lines: Sequence[Line], thresholds: tuple[float, ...] = ()
) -> "list[VersionsPlot]":
    """Return a small plot of each line, of the first of many."""
    shown = lines[:MOST_PANELS]
    return [VersionsPlot(each.label, history.names, [each], (), thresholds, small=True) for each in shown]


@dataclass(frozen=True)
class VersionsPlot:
    """Lines over versions; `thresholds` are drawn across. A small one is a panel of several."""

    title: str
    names: tuple[str, ...]
    lines: Sequence[Line]
    dates: tuple[str, ...] = ()
    thresholds: tuple[float, ...] = ()
    width: float = WIDTH
    small: bool = False

    @property
    def described(self) -> str:
        """Return the values in words."""
        return described(self.names, self.lines)

    @property
    def _text(self) -> float:
        return PANEL_TEXT if self.small else 12.0

    @property
    def _columns(self) -> int:
        """Return how many names of lines there is room for beside each other; 0 where none is named."""
        if len(self.lines) <= 1:
            return 0
        return legend_columns([fitted(each.label, LONGEST_KEY) for each in self.lines], self.width - 34)

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for numbers, versions, the names of lines and the marks of moves."""
        keys = math.ceil(len(self.lines) / self._columns) * LINE + 8 if self._columns else 0
        marks = ROW * len(self.lines) * any(point.mark for line in self.lines for point in line.points)
        if self.small:
            return 26, 15, 8 + marks, 24
        return 34, 14, 12 + keys + marks, 42 if self.dates else 26

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        _left, _right, top, foot = self.margins
        high = PANEL[1] - 32 if self.small else (HIGHER if self.width > WIDTH else HIGH) - 54
        return PANEL[0] if self.small else self.width, top + high + foot

    @cached_property
    def low(self) -> float:
        """Return where the axis begins: at 0, or below where something is."""
        values = (
            value
            for line in self.lines
            for point in line.points
            for value in (point.value, *(point.ends or ()), *(ends(point.beside) or ()))
            if value is not None
        )
        lowest = min(values, default=0.0)
        return 0.0 if lowest >= 0 else max(-1.0, math.floor(lowest * 5) / 5)

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
        """Paint the lines on axes."""
        self._scale(axes)
        self._versions(axes)
        for number, line in enumerate(self.lines):
            self._bands(axes, line)
            self._line(axes, line, number)
            self._moves(axes, line, number)
        if self._columns:
            above = 1 + (self.margins[2] - 4) / self._high
            place: Look = {"loc": "upper left", "bbox_to_anchor": (-34 / self._inner, above)}
            axes.legend(ncols=self._columns, handletextpad=0.4, **place)

    def _scale(self, axes: "Axes") -> None:
        """Write the values across, with their rules."""
        few = self.small
        below = (
            [self.low] * (self.low < 0) if few else [-each / 5 for each in range(round(-5 * self.low), 0, -1)]
        )
        values = [*below, *(FEW_TICKS if few else TICKS)]
        axes.set(xlim=(-0.5, len(self.names) - 0.5), ylim=(self.low, 1))
        axes.set_yticks(values, written(values))
        axes.tick_params(labelsize=self._text * POINT, pad=5 * POINT)
        axes.grid(axis="y")
        for value in self.thresholds:
            axes.axhline(value, color=LIGHT["muted"], linewidth=0.75, linestyle=(0, (0.75, 2.25)))

    def _versions(self, axes: "Axes") -> None:
        """Write the names of versions, and their dates below: of many, as many as there is room for."""
        names = [fitted(each, LONGEST_NAME, self._text) for each in self.names]
        every = _every(names, self._step, self._text)
        places = _back(len(names), every)
        axes.set_xticks(places, [names[each] for each in places])
        axes.tick_params(axis="x", labelcolor=LIGHT["ink"])
        if not self.dates:
            return
        size = self._text - 1
        for place in _back(len(self.dates), _every(self.dates, self._step * every, size) * every):
            half = width_of(self.dates[place], size) / 2 / self._step
            x = max(min(place, len(self.names) - 0.5 + self.margins[1] / self._step - half), half - 0.5)
            look: Look = {"fontsize": size * POINT, "color": LIGHT["muted"], "ha": "center"}
            axes.text(x, -34 / self._high, self.dates[place], transform=axes.get_xaxis_transform(), **look)

    def _line(self, axes: "Axes", line: Line, number: int) -> None:
        """Draw what joins neighbours of a kind, then each value with its interval."""
        colour, marker = series(number), MARKERS[number % MOST_LINES]
        radius = min(4.5, max(2.5, self._step / 5))
        look: Look = {"color": colour, "clip_on": False}
        # Beside its versions, so that intervals do not hide each other.
        apart = min(9.0, self._step / (len(self.lines) + 1))
        shift = (number - (len(self.lines) - 1) / 2) * apart / self._step
        places = [place + shift for place in range(len(line.points))]
        for xs, ys in _joints(places, line.points):
            axes.plot(xs, ys, linewidth=1.2, linestyle=dashed(number % MOST_LINES), **look)
        mark: Look = {"marker": marker, "markersize": 2 * radius * POINT, "markevery": [1]}
        if marker == "_":
            mark["markeredgewidth"] = 1.6
        for x, name, point in zip(places, self.names, line.points, strict=True):
            if point.value is not None:
                low, high = point.ends or (point.value, point.value)
                ys = [max(self.low, each) for each in (low, point.value, high)]
                gid = told(f"{line.label}, {name}" if self._columns else name, numbers.estimate(point.figure))
                axes.plot([x] * 3, ys, linewidth=1.4 * bool(point.ends), gid=gid, zorder=3, **mark, **look)
        if self._columns:
            label = fitted(line.label, LONGEST_KEY)
            key: Look = {"linestyle": dashed(number % MOST_LINES), "linewidth": 1.2, "label": label}
            axes.plot([], [], **mark | {"markevery": None}, **key, **look)

    def _bands(self, axes: "Axes", line: Line) -> None:
        """Draw what is behind a line's points: an interval as a band, and its figure as a bar across."""
        half = min(14.0, self._step * 0.42) / self._step
        for place, point in enumerate(line.points):
            value = point.beside.value if point.beside else None
            if value is None:
                continue
            low, high = ends(point.beside) or (value, value)
            box = (place - half, max(low, self.low), place + half, high)
            axes.add_patch(boxes([box], facecolor=LIGHT["wash"], alpha=0.13, zorder=0.6))
            axes.hlines([value], place - half, place + half, color=LIGHT["muted"], linewidth=0.9)

    def _moves(self, axes: "Axes", line: Line, number: int) -> None:
        """Draw the marks of tested moves above the axes, each between its two versions, a row a line."""
        y = 1 + (ROW * (len(self.lines) - number) - 4) / self._high
        for place, point in enumerate(line.points):
            if point.mark:
                marker, size = MOVES[point.mark]
                look: Look = {
                    "color": series(number),
                    "marker": marker,
                    "markersize": size * POINT / 0.75,
                    "clip_on": False,
                }
                if marker == "_":
                    look["markeredgewidth"] = 1.6
                axes.plot([place - 0.5], [y], transform=axes.get_xaxis_transform(), linestyle="", **look)


def _joints(places: Sequence[float], points: Sequence[Point]) -> Iterator[tuple[list[float], list[float]]]:
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
    tall = max(each.size[1] for each in panels) + HEAD + APART
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

    described = " ".join(each.described for each in panels)
    return PlainPlot(title, described, (width, height), (0.0, 0.0, 0.0, 0.0), paint)


# The line of a campaign's coefficient in the height of two words: where it came from, at a glance.

SPARK, EDGE = (240.0, 60.0), 7.0
# Of more versions than these, the newest are drawn.
MOST = 24


RULE = {"color": LIGHT["rule"], "linewidth": 0.6, "clip_on": False}


def spark_of(history: History) -> PlainPlot | None:
    """Return the only layer's coefficient over the versions, without axes, the newest larger than others.

    None where there is no line to draw.
    """
    points = found_lines.coefficients(history)[0].points[-MOST:]
    if sum(point.value is not None for point in points) <= 1:
        return None
    known = [(each.version, each.first.figure) for each in history.versions[-MOST:]]
    values = _("; ").join(f"{version} {numbers.estimate(figure)}" for version, figure in known)
    said = say("{name}: {values}.", name=as_heading(history.newest.first.name), values=values)

    def paint(axes: "Axes") -> None:
        axes.set_axis_off()
        axes.set(xlim=(0, max(len(points) - 1, 1)), ylim=(0, 1))
        beyond = EDGE / (SPARK[0] - 2 * EDGE)
        for value in (0, 1):
            axes.axhline(value, -beyond, 1 + beyond, **RULE)
        look: Look = {"color": series(0), "clip_on": False}
        for xs, ys in _joints(range(len(points)), points):
            axes.plot(xs, [max(0.0, y) for y in ys], linewidth=1.2, **look)
        for x, point in enumerate(points):
            if point.value is not None:
                low, high = point.ends or (point.value, point.value)
                ys = [max(0.0, each) for each in (low, point.value, high)]
                size = 6 if x == len(points) - 1 else 3
                axes.plot([x] * 3, ys, linewidth=1.4, marker="o", markersize=size, markevery=[1], **look)

    return PlainPlot(said, "", SPARK, (EDGE,) * 4, paint)
