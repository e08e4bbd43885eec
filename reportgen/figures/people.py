"""Annotators beside the others, over time, and as a crowd; what adjudication found to be the causes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.figures.agreement import MOST_ROWS
from reportgen.figures.bars import Bar, BarPlot
from reportgen.figures.drawings import on_axes
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
    series,
    written,
)
from reportgen.results import Adjudication, Quality, Results
from reportgen.results.annotators import AnnotatorVsRest
from reportgen.words import numbers
from reportgen.words.language import _, say, told
from reportgen.words.names import cause_in_words
from reportgen.words.numbers import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_CAUSES = 12


def annotators(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return each annotator's agreement with the others, and theirs among themselves, the lowest first."""
    found = _quality(results, layer)
    return on_axes(of_annotators(found) if found else None, ax)


def drift(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return each annotator's agreement with the others over documents, or units, in their order."""
    found = _quality(results, layer)
    return on_axes(of_drift(found) if found else None, ax)


def causes(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return how many disagreements of a layer each cause has that adjudication noted."""
    chosen = layer or results.layers[0]
    found = next((each for each in results.adjudication or () if each.layer == chosen), None)
    return on_axes(of_causes(found) if found else None, ax)


def _quality(results: Results, layer: str | None) -> Quality | None:
    chosen = layer or results.layers[0]
    return next((each for each in results.quality or () if each.layer == chosen), None)


def of_annotators(quality: Quality) -> DotPlot | None:
    """Return annotators beside the others; None where nobody can be held against two others."""
    known = [
        each for each in quality.annotators if each.agreement.value is not None and each.others is not None
    ]
    if not known:
        return None
    shown = sorted(known, key=lambda each: each.difference.value or 0.0)[:MOST_ROWS]
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
            name=each.annotator,
            value=numbers.estimate(each.agreement),
            others=numbers.figure(each.others),
        )
        for each in shown
    )
    keys = ((_("with the others"), "one"), (_("the others"), "earlier"))
    rows = [_standing(each) for each in shown]
    return DotPlot(title, data, rows, _("share of labels that another gave too"), keys)


def _standing(each: AnnotatorVsRest) -> DotPlotRow:
    own, others = span(each.agreement), each.others
    dots = [Dot(own)] if own else []
    if others is not None:
        dots.append(Dot(Span(others, others, others), "earlier"))
    return DotPlotRow(each.annotator, dots)


def of_causes(found: Adjudication) -> BarPlot | None:
    """Return the causes of disagreements, the most frequent first; None where none is noted."""
    ranked = sorted((found.by_cause or {}).items(), key=lambda each: (-each[1], each[0]))
    noted = [(cause_in_words(cause), units) for cause, units in ranked[:MOST_CAUSES]]
    if not noted:
        return None
    title = say(
        "The commonest cause is {cause}: {units}",
        cause=noted[0][0],
        units=counted(noted[0][1], "unit", "units"),
    )
    data = listed(told(cause, numbers.count(units)) for cause, units in noted)
    bars = [Bar(cause, units, numbers.count(units)) for cause, units in noted]
    return BarPlot(title, data, bars, _("units by the cause that was noted"))


# Over time

HIGH, LEFT, RIGHT, FOOT = 150.0, 34.0, 10.0, 40.0
LINE, LONGEST = 16.0, 140.0
# Of more annotators than these, those are drawn whose agreement changes most surely.
MOST_LINES = len(MARKERS)


def of_drift(quality: Quality) -> "DriftPlot | None":
    """Return annotators over time; None where no annotator's documents or units are enough to say."""
    known = [each for each in quality.annotators if each.drift and len(each.drift.blocks) > 1]
    if not known:
        return None
    surest = sorted(known, key=lambda each: each.drift.p if each.drift and each.drift.p is not None else 1.0)
    return DriftPlot(surest[:MOST_LINES], by_document=quality.by_document)


@dataclass(frozen=True)
class DriftPlot:
    """Agreement with the others, block by block, a line for each annotator."""

    annotators: Sequence[AnnotatorVsRest]
    by_document: bool

    @property
    def title(self) -> str:
        """Return what is drawn."""
        return _("Agreement with the others as the work goes on")

    @property
    def described(self) -> str:
        """Return each annotator's agreement in words."""
        said = (
            told(each.annotator, ", ".join(numbers.figure(block.agreement) for block in each.drift.blocks))
            for each in self.annotators
            if each.drift
        )
        return listed(said)

    @property
    def _columns(self) -> int:
        return legend_columns([fitted(each.annotator, LONGEST) for each in self.annotators], WIDTH - LEFT)

    @property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for numbers, and for the names of lines."""
        return LEFT, RIGHT, 12 + LINE * -(-len(self.annotators) // self._columns), FOOT

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        return WIDTH, self.margins[2] + HIGH + FOOT

    def paint(self, axes: "Axes") -> None:
        """Paint the lines on axes."""
        values = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        axes.set(xlim=(-0.03, 1.03), ylim=(0, 1))
        axes.set_yticks(values, written(values))
        axes.set_xticks([0, 1], [_("first"), _("last")])
        axes.grid(axis="y")
        first, last = axes.get_xticklabels()
        first.set_horizontalalignment("left")
        last.set_horizontalalignment("right")
        axes.tick_params(pad=5 * POINT)
        axes.set_xlabel(_("documents in their order") if self.by_document else _("units in their order"))
        for number, each in enumerate(self.annotators):
            self._line(axes, number, each)
        place: Look = {"loc": "upper left", "bbox_to_anchor": (-0.09, 1 + (self.margins[2] - 2) / HIGH)}
        axes.legend(ncols=self._columns, handletextpad=0.4, **place)

    def _line(self, axes: "Axes", number: int, each: AnnotatorVsRest) -> None:
        blocks = each.drift.blocks if each.drift else ()
        xs = [place / (len(blocks) - 1) for place in range(len(blocks))]
        look: Look = {"color": series(number), "marker": MARKERS[number], "markersize": 5, "clip_on": False}
        if MARKERS[number] == "_":
            look["markeredgewidth"] = 1.6
        axes.plot(
            xs, [block.agreement for block in blocks], linewidth=1.2, color=look["color"], clip_on=False
        )
        axes.plot([], [], linewidth=1.2, label=fitted(each.annotator, LONGEST), **look)
        for x, block in zip(xs, blocks, strict=True):
            gid = told(each.annotator, numbers.figure(block.agreement))
            axes.plot([x], [block.agreement], linestyle="", gid=gid, **look)


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
    found = _quality(results, layer)
    return on_axes(of_crowd(found) if found else None, ax)


def of_crowd(quality: Quality) -> "HistogramPlot | None":
    """Return the annotators of a layer by their agreement; None where not all of many are known."""
    values = [each.agreement.value for each in quality.annotators if each.agreement.value is not None]
    if len(values) < FEWEST or len(quality.annotators) < quality.annotators_in_all:
        return None
    return HistogramPlot(sorted(values))


@dataclass(frozen=True)
class HistogramPlot:
    """Shares of labels that agree, one of each annotator, the lowest first."""

    values: Sequence[float]
    size: tuple[float, float] = (WIDTH, TOP + LOW + FOOT)
    margins: tuple[float, float, float, float] = (LEFT, RIGHT, TOP, FOOT)

    @property
    def title(self) -> str:
        """Return between which figures half of the annotators are."""
        count = len(self.values)
        return say(
            "Half of {count} annotators share between {low} and {high} of their labels with another",
            count=numbers.count(count),
            low=numbers.short(self.values[count // 4]),
            high=numbers.short(self.values[-1 - count // 4]),
        )

    @property
    def described(self) -> str:
        """Return how many annotators are in each class that has some."""
        return listed(self._told(place, many) for place, many in enumerate(self.counts) if many)

    @property
    def counts(self) -> list[int]:
        """Return how many annotators are in each class; the last has those who always agree."""
        found = [0] * CLASSES
        for each in self.values:
            found[min(CLASSES - 1, max(0, int(each * CLASSES)))] += 1
        return found

    def _told(self, place: int, many: int) -> str:
        low, high = (numbers.short(each / CLASSES) for each in (place, place + 1))
        stretch = say("{first} to {last}", first=low, last=high)
        return told(stretch, counted(many, "annotator", "annotators"))

    def paint(self, axes: "Axes") -> None:
        """Paint a bar for each class on axes."""
        counts = self.counts
        most = max(counts)
        axes.set(xlim=(0, 1), ylim=(0, most))
        values = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        axes.set_xticks(values, written(values))
        axes.set_yticks([0, most], ["0", numbers.count(most)])
        axes.tick_params(pad=5 * POINT)
        axes.set_xlabel(_("share of labels that another gave too"))
        for place, many in enumerate(counts):
            if many:
                box = (place / CLASSES + 0.004, many, (place + 1) / CLASSES - 0.004, 0)
                look: Look = {"facecolor": LIGHT["wash"], "alpha": 0.6, "gid": self._told(place, many)}
                axes.add_patch(boxes([box], **look))
