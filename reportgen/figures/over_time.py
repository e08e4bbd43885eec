"""Agreement over the calendar, and below it how much has two labels: two plots on one scale of days."""

import datetime as dt
from typing import TYPE_CHECKING

from reportgen.figures.drawings import PlainPlot, on_axes
from reportgen.figures.intervals import boxes, span
from reportgen.figures.style import (
    LIGHT,
    MARKERS,
    POINT,
    WIDTH,
    Look,
    fitted,
    listed,
    lowest,
    marker_look,
    series,
    ticks,
    widest,
    written,
)
from reportgen.results import Results
from reportgen.results.times import LayerTimes, Period
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, named_value, say
from reportgen.words.names import figure_name
from reportgen.words.numbers import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A heading above each of the two, what they are high, and the days below both.
HEAD, HIGH, LOW, FOOT, RIGHT = 30.0, 130.0, 64.0, 24.0, 12.0
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
    height = 2 * HEAD + HIGH + LOW + FOOT

    def paint(axes: "Axes") -> None:
        axes.set_axis_off()
        for foot, high, heading, paint_part in (
            (FOOT + LOW + HEAD, HIGH, head, _paint_agreement),
            (FOOT, LOW, second, _paint_labelled),
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
