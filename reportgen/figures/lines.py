"""Lines over guidelines versions: agreement, categories, F and systems, with their values in words."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.figures.drawings import Drawing, PlainPlot, drawing, on_axes
from reportgen.figures.intervals import boxes
from reportgen.figures.style import (
    LIGHT,
    MARKERS,
    POINT,
    THRESHOLDS,
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
from reportgen.results.parts import Change
from reportgen.results.versions import History, LayerMove, LayerState, Move
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, named_value, say
from reportgen.words.names import as_heading

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
        # Write the values across, with their rules.
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
        self._versions(axes)
        self._bands(axes)
        self._line(axes)
        # Draw the marks of tested moves above the axes, each between its two versions.
        y = 1 + (ROW - 4) / self._high
        for position, point in enumerate(self.line.points):
            if point.mark:
                marker, size = MOVES[point.mark]
                look: Look = {"color": series(0), "clip_on": False, "linestyle": ""}
                look |= marker_look(marker, size * POINT / 0.75)
                axes.plot([position - 0.5], [y], transform=axes.get_xaxis_transform(), **look)

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


# What a system's figure may be of.
OF_UNITS, OF_MARKS = N_("{name}, units"), N_("{name}, marks in texts")


def agreement_over_versions(history: History, ax: "Axes | None" = None) -> "Axes | None":
    """Return the primary coefficient over versions, of several layers in a small plot each."""
    return on_axes(_one_or_several(history, drawable(lines_of_coefficients(history)), THRESHOLDS), ax)


def f_over_versions(history: History, ax: "Axes | None" = None) -> "Axes | None":
    """Return the strict F of marks over guidelines versions, of several layers in a small plot each."""
    return on_axes(_one_or_several(history, lines_of_strict_f(history)), ax)


def _one_or_several(
    history: History, lines: Sequence[Line], thresholds: tuple[float, ...] = ()
) -> PlainPlot | VersionsPlot | None:
    if len(lines) > 1:
        return panels_plot("", small_plots(history, lines, thresholds))
    return plot_of(history, lines[0], thresholds=thresholds) if lines else None


def categories_over_versions(
    history: History, ax: "Axes | None" = None, *, layer: str | None = None
) -> "Axes | None":
    """Return the specific agreement of each category of a layer over versions, a small plot each."""
    lines = drawable(lines_of_categories(history, layer or history.layers[0]))
    return on_axes(panels_plot("", small_plots(history, lines)) if lines else None, ax)


def drawable(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that have anything to draw."""
    return [line for line in lines if line.has_values]


def plot_of(history: History, line: Line, title: str = "", **more: Any) -> VersionsPlot:  # noqa: ANN401
    """Return a plot of a line over the versions of a history."""
    dates = tuple(date(version.date or "") for version in history.versions)
    return VersionsPlot(title, history.names, line, dates if any(dates) else (), **more)


def small_plots(
    history: History, lines: Sequence[Line], thresholds: tuple[float, ...] = ()
) -> list[VersionsPlot]:
    """Return a small plot of each line, of the first of many, all on the same scale."""
    shown = lines[:MOST_PANELS]
    lowest = min(line.low for line in shown)
    return [
        VersionsPlot(line.label, history.names, line, (), thresholds, small=True, lowest=lowest)
        for line in shown
    ]


def lines_of_coefficients(history: History) -> list[Line]:
    """Return the primary coefficient of each layer."""
    return [Line(name, tuple(_of_layer(history, name, _coefficient))) for name in history.layers]


def lines_of_strict_f(history: History) -> list[Line]:
    """Return the mean strict F of each layer with marks in texts."""
    lines = [Line(name, tuple(_of_layer(history, name, _f))) for name in history.layers]
    return [line for line in lines if line.has_values]


def _of_layer(
    history: History, layer: str, point: Callable[[LayerState, LayerMove | None], Point]
) -> Iterator[Point]:
    for version in history.versions:
        state, step = version.layer(layer), history.step_to(version.version)
        layer_move = step.layer(layer) if step else None
        yield point(state, layer_move) if state else Point(None)


def _coefficient(state: LayerState, moved: LayerMove | None) -> Point:
    same = moved.coefficient if moved and moved.coefficient.figure == state.coefficient else None
    return Point(state.figure, state.coefficient, same)


def _f(state: LayerState, moved: LayerMove | None) -> Point:
    return Point(state.f_measure, "", moved.f_measure if moved else None)


def lines_of_categories(history: History, layer: str) -> list[Line]:
    """Return the specific agreement of each category of a layer, those of the newest version first.

    A category that got another name is one line, called by all its names.
    """
    return [
        Line(" → ".join(dict.fromkeys(names.values())), tuple(_of_category(history, layer, names)))
        for names in _names_of_categories(history, layer)
    ]


def _names_of_categories(history: History, layer: str) -> list[dict[str, str]]:
    """Return for each category its name by version, those of the newest version first."""
    lines: list[dict[str, str]] = []
    now: dict[str, dict[str, str]] = {}
    for version in history.versions:
        state, step = version.layer(layer), history.step_to(version.version)
        move = step.layer(layer) if step else None
        for old, new in ((move.renamed if move else None) or {}).items():
            # A label that is in use under its old name too, or was under the new one, is another.
            if state and old in now and old not in state.categories and new not in now:
                now[new] = now.pop(old)
        for name in state.categories if state else ():
            if name not in now:
                now[name] = {}
                lines.append(now[name])
            now[name][version.version] = name
    newest_first = [state for version in reversed(history.versions) if (state := version.layer(layer))]
    order = list(dict.fromkeys(name for state in newest_first for name in state.categories))
    return sorted(lines, key=lambda names: order.index(list(names.values())[-1]))


def _of_category(history: History, layer: str, names: Mapping[str, str]) -> Iterator[Point]:
    for version in history.versions:
        state, step = version.layer(layer), history.step_to(version.version)
        layer_move, name = step.layer(layer) if step else None, names.get(version.version, "")
        move = layer_move.specific_agreement.get(name) if layer_move else None
        yield Point(state.specific_agreement.get(name) if state else None, "", move)


# On the page of a campaign

# Where versions need more room than a phone has, a figure is drawn a second time, wide.
WIDE = 880.0
# Of many categories so many have a panel; their table has all.
MOST_CATEGORIES = 8


@dataclass(frozen=True)
class Chart:
    """A figure over versions: one plot, perhaps once more for pages that have room, or several small ones.

    Its caption begins with its title; `file` is the figure as one image.
    """

    file: Drawing
    caption: str
    narrow: Drawing | None = None
    panels: tuple[Drawing, ...] = ()


def agreement(history: History) -> Chart | None:
    """Return the primary coefficient of each layer, its intervals, and the moves that were tested."""
    lines = drawable(lines_of_coefficients(history))
    newest = {state.layer: state.name for version in history.versions for state in version.layers}
    names = set(newest.values())
    what = as_heading(names.pop()) if len(names) == 1 else _("The primary coefficient")
    title = say("{name} over guidelines versions, with 95% intervals.", name=what)
    first, second = map(numbers.pointed, map(str, THRESHOLDS))
    lowest = say(
        "Bands begin at Krippendorff's thresholds, {first} and {second}.", first=first, second=second
    )
    return _chart(history, "agreement", (title, *_on_marks(lines), lowest), lines, thresholds=THRESHOLDS)


def _on_marks(lines: Sequence[Line]) -> list[str]:
    """Return what the marks above the axes mean, nothing where there are none."""
    if not any(point.mark for line in lines for point in line.points):
        return []
    return [
        _(
            "▲ and ▼ between two versions mark a rise or fall beyond chance at the level of 5%, – a "
            "difference that chance may explain; tests rest on what both versions share, where they share "
            "anything."
        )
    ]


def _chart(
    history: History,
    name: str,
    caption: Sequence[str],
    lines: Sequence[Line],
    *,
    thresholds: tuple[float, ...] = (),
) -> Chart | None:
    """Return one plot of a line, or a small one each of several; None where there is nothing to draw.

    `caption` is given, sentence by sentence; the first is its title.
    """
    if len(lines) != 1:
        return _small(history, name, caption, lines, thresholds=thresholds) if lines else None
    plot = partial(plot_of, history, lines[0], caption[0], thresholds=thresholds)
    room = min(WIDE, 110.0 + 76.0 * len(history.names))
    if room <= 1.2 * WIDTH:
        image = drawing(name, plot())
        return Chart(image, " ".join(caption)) if image else None
    wide, narrow = drawing(name, plot(width=room)), drawing(f"{name}-narrow", plot())
    return Chart(wide, " ".join(caption), narrow) if wide else None


def _small(
    history: History,
    name: str,
    caption: Sequence[str],
    lines: Sequence[Line],
    *,
    thresholds: tuple[float, ...] = (),
) -> Chart | None:
    plots = small_plots(history, lines, thresholds)
    image = drawing(name, panels_plot(caption[0], plots))
    panels = (drawing(f"{name}-{number}", plot, panel=True) for number, plot in enumerate(plots, 1))
    return Chart(image, " ".join(caption), panels=tuple(filter(None, panels))) if image else None


# The line of a campaign's coefficient in the height of two words: where it came from, at a glance.

SPARK, EDGE = (240.0, 60.0), 7.0
# Of more versions than these, the newest are drawn.
MOST = 24


RULE = {"color": LIGHT["rule"], "linewidth": 0.6, "clip_on": False}


def spark_of(history: History) -> PlainPlot | None:
    """Return the only layer's coefficient over the versions, without axes, the newest larger than others.

    None where there is no line to draw.
    """
    points = lines_of_coefficients(history)[0].points[-MOST:]
    if sum(point.value is not None for point in points) <= 1:
        return None
    figures = [(version.version, version.first.figure) for version in history.versions[-MOST:]]
    values = _("; ").join(f"{version} {numbers.estimate(figure)}" for version, figure in figures)
    title = say("{name}: {values}.", name=as_heading(history.newest.first.name), values=values)

    def paint(axes: "Axes") -> None:
        axes.set_axis_off()
        axes.set(xlim=(0, max(len(points) - 1, 1)), ylim=(0, 1))
        beyond = EDGE / (SPARK[0] - 2 * EDGE)
        for value in (0, 1):
            axes.axhline(value, -beyond, 1 + beyond, **RULE)
        look: Look = {"color": series(0), "clip_on": False}
        for xs, ys in joints(range(len(points)), points):
            axes.plot(xs, [max(0.0, y) for y in ys], linewidth=1.2, **look)
        for x, point in enumerate(points):
            if point.value is not None:
                low, high = point.ends or (point.value, point.value)
                ys = [max(0.0, value) for value in (low, point.value, high)]
                size = 6 if x == len(points) - 1 else 3
                axes.plot([x] * 3, ys, linewidth=1.4, marker="o", markersize=size, markevery=[1], **look)

    return PlainPlot(title, "", SPARK, (EDGE,) * 4, paint)
