"""Figures over guidelines versions: agreement, categories, F and systems, with their captions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.figures.drawings import Drawing, PlainPlot, drawing, on_axes
from reportgen.figures.lines import MOST_PANELS, Line, Point, VersionsPlot, joints, panels_plot
from reportgen.figures.style import LIGHT, THRESHOLDS, WIDTH, Look, series
from reportgen.results.history import History, LayerMove, LayerState, SystemState
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, say
from reportgen.words.names import as_heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


def lines_of_systems(history: History, layer: str) -> list[tuple[str, list[Line]]]:
    """Return each system of a layer against the reference, by the figure, marks in texts and units apart."""
    groups: dict[tuple[bool, str], dict[str, list[tuple[int, SystemState]]]] = {}
    for position, version in enumerate(history.versions):
        state = version.layer(layer)
        for system in state.systems if state else ():
            by_name = groups.setdefault((system.unit_set is not None, system.name), {})
            # A model may have a pseudonym, as people have.
            called = say("{name} (model)", name=system.system) if system.role == "model" else system.system
            by_name.setdefault(called, []).append((position, system))
    size = len(history.versions)
    return [
        (
            say(OF_UNITS if units else OF_MARKS, name=as_heading(name)),
            [_system(*name_and_states, size) for name_and_states in states_by_name.items()],
        )
        for (units, name), states_by_name in groups.items()
    ]


def _system(name: str, states: list[tuple[int, SystemState]], size: int) -> Line:
    points = [Point(None)] * size
    for position, state in states:
        points[position] = Point(state.value, beside=state.humans)
    return Line(name, tuple(points))


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


def categories(history: History, layer: str) -> Chart | None:
    """Return the specific agreement of each category of a layer, a small plot each."""
    lines = drawable(lines_of_categories(history, layer))
    if not lines:
        return None
    shown = lines[:MOST_CATEGORIES]
    caption = [_("Specific agreement of each category, with 95% intervals."), *_on_marks(shown)]
    if len(lines) > len(shown):
        counts = {"shown": numbers.count(len(shown)), "count": numbers.count(len(lines))}
        caption.append(say("Shown are the first {shown} of {count} categories.", **counts))
    return _small(history, _name_of_layer("specific-agreement", history, layer), caption, shown)


def strict_f(history: History) -> Chart | None:
    """Return the strict F of marks in texts, the mean over pairs of annotators."""
    lines = lines_of_strict_f(history)
    what = _("Strict F of marks in texts over guidelines versions, the mean over pairs of annotators.")
    return _chart(history, "f-measure", (what, *_on_marks(lines)), lines)


def systems(history: History, layer: str) -> Iterator[tuple[str, tuple[Line, ...], Chart]]:
    """Yield each figure of systems against the reference with its lines."""
    for number, (title, lines) in enumerate(lines_of_systems(history, layer), 1):
        drawn_lines = tuple(drawable(lines))
        caption = (
            say("{name}: systems against the reference, with 95% intervals.", name=title),
            _("Bands are annotators with each other on the same units, the bar in them their mean."),
        )
        name = f"{_name_of_layer('systems', history, layer)}-{number}"
        chart = _chart(history, name, caption, drawn_lines)
        if chart:
            yield title, drawn_lines, chart


def _name_of_layer(name: str, history: History, layer: str) -> str:
    return name if layer == history.layers[0] else f"{name}-{layer}"


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
