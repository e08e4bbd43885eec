"""Annotators beside the others, over time and as a crowd; causes of disagreements; the calendar."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from reportgen.figures.agreement_plots import MOST_ROWS
from reportgen.figures.bars import Bar, bar_plot
from reportgen.figures.drawings import PlainPlot, on_axes
from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, Span, boxes, span
from reportgen.figures.style import (
    LIGHT,
    MARKERS,
    POINT,
    WIDTH,
    Look,
    fitted,
    legend_columns,
    listed,
    lowest,
    marker_look,
    series,
    ticks,
    widest,
    written,
)
from reportgen.results import Adjudication, Quality, Results
from reportgen.results.annotators import AnnotatorVsRest, LayerTimes, Period, Replacement
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, named_value, say
from reportgen.words.names import cause_in_words, figure_name
from reportgen.words.numbers import count, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CAUSES = 12


def annotators(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return each annotator's agreement with the others, and theirs among themselves, the lowest first."""
    quality = _of_layer(results.quality, results, layer)
    return on_axes(of_annotators(quality) if quality else None, ax)


def drift(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return each annotator's agreement with the others over documents, or units, in their order."""
    quality = _of_layer(results.quality, results, layer)
    return on_axes(of_drift(quality) if quality else None, ax)


def causes(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return how many disagreements of a layer each cause has that adjudication noted."""
    adjudication = _of_layer(results.adjudication, results, layer)
    return on_axes(of_causes(adjudication) if adjudication else None, ax)


SomeOfLayer = TypeVar("SomeOfLayer", Quality, Adjudication, Replacement)


def _of_layer(parts: Iterable[SomeOfLayer] | None, results: Results, layer: str | None) -> SomeOfLayer | None:
    """Return what results have of a layer, of the first where none is named."""
    return next((part for part in parts or () if part.layer == (layer or results.layers[0])), None)


def of_annotators(quality: Quality) -> DotPlot | None:
    """Return annotators beside the others; None where nobody can be compared with two others."""
    compared = [
        annotator
        for annotator in quality.annotators
        if annotator.agreement.value is not None and annotator.others is not None
    ]
    if not compared:
        return None
    shown = sorted(compared, key=lambda annotator: annotator.difference.value or 0.0)[:MOST_ROWS]
    least = shown[0]
    title = say(
        "{name} differs most from the others: {value}, they among themselves {others}",
        name=least.annotator,
        value=numbers.figure(least.agreement.value),
        others=numbers.figure(least.others),
    )
    data = listed(
        say(
            "{name}: {value}, the others among themselves {others}",
            name=annotator.annotator,
            value=numbers.estimate(annotator.agreement),
            others=numbers.figure(annotator.others),
        )
        for annotator in shown
    )
    keys = ((_("with the others"), "one"), (_("the others"), "earlier"))
    rows = [_standing(annotator) for annotator in shown]
    return DotPlot(title, data, rows, _measured(quality), keys)


def _measured(quality: Quality) -> str:
    """Return what annotators are compared by."""
    return _("strict F of marks") if quality.compared_by else _("share of labels that another gave too")


def _standing(annotator: AnnotatorVsRest) -> DotPlotRow:
    agreement, others = span(annotator.agreement), annotator.others
    dots = [Dot(agreement)] if agreement else []
    if others is not None:
        dots.append(Dot(Span(others, others, others), "earlier"))
    return DotPlotRow(annotator.annotator, dots)


def of_causes(adjudication: Adjudication) -> PlainPlot | None:
    """Return the causes of disagreements, the most frequent first; None where none is noted."""
    by_cause = adjudication.by_cause or {}
    ranked = sorted(by_cause, key=lambda cause: (-by_cause[cause], cause))
    noted = [(cause_in_words(cause), by_cause[cause]) for cause in ranked[:MOST_CAUSES]]
    if not noted:
        return None
    title = say(
        "The commonest cause is {cause}: {units}",
        cause=noted[0][0],
        units=counted(noted[0][1], "unit", "units"),
    )
    data = listed(named_value(cause, numbers.count(units)) for cause, units in noted)
    bars = [Bar(cause, units, numbers.count(units)) for cause, units in noted]
    return bar_plot(title, data, bars, _("units by the cause that was noted"))


# Over time, and over prices: lines below their names

HIGH, LONGEST = 150.0, 140.0
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
# Of more annotators than these, those are drawn whose agreement changes most surely.
MOST_LINES = len(MARKERS)
# The procedure's own line: who beats half of the annotators may take a place.
HALF = 0.5


def _below_names(
    words: tuple[str, str], names: Sequence[str], room: tuple[float, ...], paint: Callable[["Axes"], None]
) -> PlainPlot:
    """Return lines below their names; `words` are the title, and the data in words.

    `room` is that at the left, at the right, for a row of names, and at the foot.
    """
    left, right, row, foot = room
    columns = legend_columns(names, WIDTH - left)
    top = 12 + row * -(-len(names) // columns)

    def paint_all(axes: "Axes") -> None:
        axes.tick_params(pad=5 * POINT)
        paint(axes)
        corner = (-0.09, 1 + (top - 2) / HIGH)
        axes.legend(loc="upper left", bbox_to_anchor=corner, ncols=columns, handletextpad=0.4)

    return PlainPlot(*words, (WIDTH, top + HIGH + foot), (left, right, top, foot), paint_all)


def of_drift(quality: Quality) -> PlainPlot | None:
    """Return annotators over time; None where no annotator's documents or units are enough to say."""
    drifts = {annotator.annotator: annotator.drift for annotator in quality.annotators if annotator.drift}
    drifting = [(name, drift) for name, drift in drifts.items() if len(drift.blocks) > 1]
    if not drifting:
        return None
    surest = sorted(drifting, key=lambda named: 1.0 if named[1].p is None else named[1].p)[:MOST_LINES]
    values = {name: [block.agreement for block in drift.blocks] for name, drift in surest}
    said = {name: ", ".join(map(numbers.figure, shares)) for name, shares in values.items()}
    described = listed(named_value(name, shares) for name, shares in said.items())

    def paint(axes: "Axes") -> None:
        axes.set(xlim=(-0.03, 1.03), ylim=(0, 1))
        axes.set_yticks(TICKS, written(TICKS))
        axes.set_xticks([0, 1], [_("first"), _("last")])
        axes.grid(axis="y")
        first, last = axes.get_xticklabels()
        first.set_horizontalalignment("left")
        last.set_horizontalalignment("right")
        axes.set_xlabel(_("documents in their order") if quality.by_document else _("units in their order"))
        for number, (name, blocks) in enumerate(values.items()):
            _paint_drift(axes, number, name, blocks)

    words = (_("Agreement with the others as the work goes on"), described)
    return _below_names(words, [fitted(name, LONGEST) for name in values], (34.0, 10.0, 16.0, 40.0), paint)


def _paint_drift(axes: "Axes", number: int, name: str, values: Sequence[float]) -> None:
    """Paint an annotator's agreement block by block: a line, its name, and a mark for each block."""
    xs = [number_of_block / (len(values) - 1) for number_of_block in range(len(values))]
    look: Look = {"color": series(number), "clip_on": False} | marker_look(MARKERS[number], 5)
    axes.plot(xs, values, linewidth=1.2, color=look["color"], clip_on=False)
    axes.plot([], [], linewidth=1.2, label=fitted(name, LONGEST), **look)
    for x, value in zip(xs, values, strict=True):
        axes.plot([x], [value], linestyle="", gid=named_value(name, numbers.figure(value)), **look)


# A crowd: how many annotators agree how much with the others


# Fewer annotators are drawn one by one.
FEWEST = 13
# Classes of agreement from 0 to 1.
CLASSES = 20
LOW, TOP = 120.0, 6.0


def histogram(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return how many annotators of a layer agree how much with the others.

    None where they are few, or so many that results have the worst of them alone.
    """
    quality = _of_layer(results.quality, results, layer)
    return on_axes(of_crowd(quality) if quality else None, ax)


def of_crowd(quality: Quality) -> PlainPlot | None:
    """Return the annotators of a layer by their agreement; None where not all of many are known."""
    values = sorted(
        annotator.agreement.value for annotator in quality.annotators if annotator.agreement.value is not None
    )
    if len(values) < FEWEST or len(quality.annotators) < quality.annotators_in_all:
        return None
    title = say(
        N_("Half of {count} annotators have a strict F between {low} and {high} with the others")
        if quality.compared_by
        else N_("Half of {count} annotators share between {low} and {high} of their labels with another"),
        count=numbers.count(len(values)),
        low=numbers.short(values[len(values) // 4]),
        high=numbers.short(values[-1 - len(values) // 4]),
    )
    # The last class has those who always agree.
    classes = Counter(min(CLASSES - 1, max(0, int(value * CLASSES))) for value in values)
    in_words = {class_: _class_in_words(class_, classes[class_]) for class_ in sorted(classes)}

    def paint(axes: "Axes") -> None:
        most = max(classes.values())
        axes.set(xlim=(0, 1), ylim=(0, most))
        axes.set_xticks(TICKS, written(TICKS))
        axes.set_yticks([0, most], ["0", numbers.count(most)])
        axes.tick_params(pad=5 * POINT)
        axes.set_xlabel(_measured(quality))
        for class_, words in in_words.items():
            box = (class_ / CLASSES + 0.004, classes[class_], (class_ + 1) / CLASSES - 0.004, 0)
            axes.add_patch(boxes([box], facecolor=LIGHT["wash"], alpha=0.6, gid=words))

    margins = (34.0, 10.0, TOP, 40.0)
    return PlainPlot(title, listed(in_words.values()), (WIDTH, TOP + LOW + margins[3]), margins, paint)


def _class_in_words(class_: int, many: int) -> str:
    low, high = (numbers.short(number / CLASSES) for number in (class_, class_ + 1))
    stretch = say("{first} to {last}", first=low, last=high)
    return named_value(stretch, counted(many, "annotator", "annotators"))


# A heading above each of the two, what they are high, and the days below both.
HEAD, PANEL_HIGH, PANEL_LOW, FOOT, RIGHT = 30.0, 130.0, 64.0, 24.0, 12.0
GAP = 0.08


def agreement_over_time(
    results: Results, ax: "Axes | None" = None, *, layer: str | None = None
) -> "Axes | None":
    """Return agreement in stretches of the calendar, and how much had two labels by then.

    None where labels have no dates, or too few of them.
    """
    name, times = layer or results.layers[0], results.times
    own = next((own for own in times.layers if own.layer == name), None) if times else None
    return on_axes(of_time(results, own) if own else None, ax)


def of_time(results: Results, layer: LayerTimes) -> PlainPlot | None:
    """Return a layer over the calendar; None where it has no stretches."""
    periods = layer.periods
    if not periods:
        return None
    most = max(period.labelled for period in periods)
    left = 10 + max(widest(written(ticks(_low(periods)))), widest(["0", count(most)]))
    head = fitted(figure_name(results, layer.coefficient), WIDTH - 20)
    second = (
        _("documents with two labels (full), with one (light)")
        if layer.by_document
        else _("units with two labels (full), with one (light)")
    )
    height = 2 * HEAD + PANEL_HIGH + PANEL_LOW + FOOT

    def paint(axes: "Axes") -> None:
        axes.set_axis_off()
        for foot, high, heading, paint_part in (
            (FOOT + PANEL_LOW + HEAD, PANEL_HIGH, head, _paint_agreement),
            (FOOT, PANEL_LOW, second, _paint_labelled),
        ):
            bounds = (left / WIDTH, foot / height, (WIDTH - left - RIGHT) / WIDTH, high / height)
            part = axes.inset_axes(bounds)
            part.set(xlim=(_day(periods[0].first), _day(periods[-1].last) + 1), xticks=[])
            part.tick_params(pad=4 * POINT)
            part.grid(axis="y")
            paint_part(part, periods)
            look: Look = {"transform": axes.transAxes, "color": LIGHT["muted"]}
            axes.text(8 / WIDTH, (foot + high + 11) / height, fitted(heading, WIDTH - 12), **look)
        ends = (left, "left", periods[0].first), (WIDTH - RIGHT, "right", periods[-1].last)
        for x, side, day in ends:
            look = {"transform": axes.transAxes, "ha": side, "color": LIGHT["ink"]}
            axes.text(x / WIDTH, 6 / height, date(day), **look)

    title = say(
        "{figure} from {first} to {last}",
        figure=figure_name(results, layer.coefficient),
        first=date(periods[0].first),
        last=date(periods[-1].last),
    )
    words = listed(named_value(_stretch(period), _in_words(period, layer)) for period in periods)
    return PlainPlot(title, words, (WIDTH, height), (0.0, 0.0, 0.0, 0.0), paint)


def _in_words(period: Period, layer: LayerTimes) -> str:
    return say(
        N_("{figure}; {doubled} of {labelled} documents with two labels")
        if layer.by_document
        else N_("{figure}; {doubled} of {labelled} units with two labels"),
        figure=numbers.estimate(period.figure),
        doubled=count(period.doubled),
        labelled=count(period.labelled),
    )


def _stretch(period: Period) -> str:
    first, last = date(period.first), date(period.last)
    return first if first == last else say("{first} to {last}", first=first, last=last)


def _day(text: str) -> int:
    return dt.date.fromisoformat(text).toordinal()


def _low(periods: tuple[Period, ...]) -> float:
    return lowest(own.low for period in periods if (own := span(period.figure)))


def _paint_agreement(axes: "Axes", periods: tuple[Period, ...]) -> None:
    """Paint each stretch's value over its days, with its interval."""
    low = _low(periods)
    axes.set(ylim=(low, 1))
    axes.set_yticks(ticks(low), written(ticks(low)))
    look: Look = {"color": series(0), "clip_on": False}
    mark = marker_look(MARKERS[0], 4.5) | {"markevery": [1]}
    for period in periods:
        own, first, end = span(period.figure), _day(period.first), _day(period.last) + 1
        if own is None:
            continue
        ys = [max(low, own.low), own.value, own.high]
        gid = named_value(_stretch(period), numbers.estimate(period.figure))
        axes.plot([(first + end) / 2] * 3, ys, linewidth=1.4 * (own.low < own.high), gid=gid, **mark, **look)
        axes.plot([first + GAP, end - GAP], [own.value] * 2, linewidth=0.9, **look)


def _paint_labelled(axes: "Axes", periods: tuple[Period, ...]) -> None:
    """Paint how much had labels at the end of each stretch: of two annotators, and of one alone."""
    most = max(period.labelled for period in periods)
    axes.set(ylim=(0, most))
    axes.set_yticks([0, most], ["0", count(most)])
    for period in periods:
        first, end = _day(period.first) + GAP, _day(period.last) + 1 - GAP
        in_words = say("{number} of {total}", number=count(period.doubled), total=count(period.labelled))
        gid = named_value(date(period.last), in_words)
        if period.labelled > period.doubled:
            box = (first, period.labelled, end, period.doubled)
            axes.add_patch(boxes([box], facecolor=LIGHT["wash"], alpha=0.25))
        axes.add_patch(boxes([(first, period.doubled, end, 0)], facecolor=LIGHT["wash"], alpha=0.8, gid=gid))
