"""How far apart annotators' marks of one label begin and end: how many pairs of marks by distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures.drawings import on_axes
from reportgen.figures.style import LIGHT, POINT, WIDTH, Look, fitted, listed, widest, width_of
from reportgen.results import Results
from reportgen.results.marks import EndDistances
from reportgen.words import numbers
from reportgen.words.language import _, say, told
from reportgen.words.numbers import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Where each class of distances begins: a letter or two, a word, a phrase; of recordings in milliseconds.
CHARACTERS = (1, 2, 4, 8, 16, 32, 64)
MILLISECONDS = (1, 20, 50, 100, 200, 500, 1000)
HIGH, BAR, KEYS, FOOT = 36.0, 0.36, 22.0, 26.0
# What a bar of starts and one of ends look like: full, and light with an edge for those who see no colours.
STARTS, ENDS = ("series-1", 1.0), ("series-2", 0.35)


def boundary_distances(
    results: Results, ax: "Axes | None" = None, *, layer: str | None = None
) -> "Axes | None":
    """Return by how much the starts and the ends of annotators' marks differ, in classes of distances.

    The marks are those of one label that match or overlap, two annotators' each, of all labels of the layer
    together. None where no texts or recordings were marked, or where all starts and ends are the same.
    """
    return on_axes(of_boundaries(results, layer or results.layers[0]), ax)


@dataclass(frozen=True)
class DistanceClass:
    """How many pairs of marks begin, and how many end, at distances from `low` up to and with `high`."""

    low: int
    high: int | None
    starts: int
    ends: int

    @property
    def name(self) -> str:
        """Return which distances these are."""
        if self.high is None:
            return say("{number} or more", number=count(self.low))
        return count(self.low) if self.low == self.high else f"{count(self.low)}–{count(self.high)}"


def of_boundaries(results: Results, layer: str) -> "BoundaryPlot | None":
    """Return the distances of a layer's marks as a plot; None where nothing lies apart, or none is known."""
    found = results.spans.disagreements_of(layer) if results.spans else None
    distances = (found.distances if found else None) or ()
    pairs = sum(times for each in distances for _apart, times in each.starts)
    limits = MILLISECONDS if results.recorded else CHARACTERS
    classes = _classes(distances, limits)
    return BoundaryPlot(pairs, classes, in_time=results.recorded) if classes and pairs else None


def _classes(distances: Sequence[EndDistances], limits: Sequence[int]) -> list[DistanceClass]:
    """Return the classes up to the last one that has a pair; the last of all has no upper end."""
    upper = [*(limit - 1 for limit in limits[1:]), None]
    found = [
        DistanceClass(
            low,
            high,
            _within([each.starts for each in distances], low, high),
            _within([each.ends for each in distances], low, high),
        )
        for low, high in zip(limits, upper, strict=True)
    ]
    while found and not found[-1].starts + found[-1].ends:
        found.pop()
    return found


def _within(counts: Sequence[Sequence[tuple[int, int]]], low: int, high: int | None) -> int:
    """Return how many pairs of marks have a distance in a class."""
    return sum(times for each in counts for apart, times in each if low <= apart <= (high or apart))


@dataclass(frozen=True)
class BoundaryPlot:
    """Two bars for each class of distances: pairs of marks by their starts, and by their ends.

    Pairs that begin, or end, at the same place are told in the title: beside them no other bar would be seen.
    """

    pairs: int
    classes: Sequence[DistanceClass]
    in_time: bool = False

    @property
    def title(self) -> str:
        """Return how often starts and ends are the same."""
        starts, ends = (
            1 - sum(getattr(each, end) for each in self.classes) / self.pairs for end in ("starts", "ends")
        )
        return say(
            "{starts} of {count} pairs of marks begin at the same place, {ends} end at the same place",
            count=count(self.pairs),
            starts=numbers.percent(starts),
            ends=numbers.percent(ends),
        )

    @property
    def described(self) -> str:
        """Return how many pairs there are in each class."""
        return listed(
            told(
                each.name,
                say("starts {starts}, ends {ends}", starts=count(each.starts), ends=count(each.ends)),
            )
            for each in self.classes
        )

    @property
    def axis(self) -> str:
        """Return what is counted, and in what distances are."""
        if self.in_time:
            return _("pairs of marks by distance, in milliseconds")
        return _("pairs of marks by distance, in characters")

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        return WIDTH, KEYS + HIGH * len(self.classes) + FOOT

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for names of classes, for numbers behind bars, and for what bars mean."""
        names = 10 + widest(each.name for each in self.classes)
        return names, 10 + widest(count(each) for each in self._values), KEYS, FOOT

    @property
    def _values(self) -> list[int]:
        return [value for each in self.classes for value in (each.starts, each.ends)]

    def paint(self, axes: "Axes") -> None:
        """Paint the bars on axes."""
        most, rows = max(self._values), range(len(self.classes))
        axes.set(xlim=(0, most), ylim=(len(self.classes) - 0.5, -0.5), xticks=[])
        axes.set_yticks(rows, [each.name for each in self.classes])
        axes.tick_params(axis="y", labelcolor=LIGHT["ink"], pad=8 * POINT)
        left, right, _top, _foot = self.margins
        inner = WIDTH - left - right
        for place, each in enumerate(self.classes):
            starts, ends = told(_("starts"), each.name), told(_("ends"), each.name)
            self._bar(axes, (place - BAR / 2, each.starts, 4 * most / inner), STARTS, starts)
            self._bar(axes, (place + BAR / 2, each.ends, 4 * most / inner), ENDS, ends)
        axes.axvline(0, color=LIGHT["ink"], linewidth=0.7)
        self._keys(axes, left / inner)
        half = width_of(self.axis) / 2
        axes.set_xlabel(self.axis, x=(max(half, min(left + inner / 2, WIDTH - half)) - left) / inner)

    @staticmethod
    def _bar(axes: "Axes", bar: tuple[float, int, float], look: tuple[str, float], name: str) -> None:
        """Paint a bar and write its number behind it; `bar` is its place, its value and the gap."""
        place, value, gap = bar
        colour, opacity = LIGHT[look[0]], look[1]
        (painted,) = axes.barh([place], [value], BAR * 0.86, color=(colour, opacity))
        painted.set(edgecolor=colour, linewidth=0.75 * (opacity < 1), gid=told(name, count(value)))
        axes.text(value + gap, place, count(value), ha="left", va="center_baseline")

    @staticmethod
    def _keys(axes: "Axes", left: float) -> None:
        """Say above the bars which are of starts and which of ends."""
        from matplotlib.lines import Line2D

        place: Look = {"loc": "lower left", "bbox_to_anchor": (-left, 1.0)}
        handles = []
        for text, (name, opacity) in ((_("starts"), STARTS), (_("ends"), ENDS)):
            colour = LIGHT[name]
            look: Look = {"markerfacecolor": (colour, opacity), "markeredgecolor": colour, "markersize": 7}
            edge = 0.75 * (opacity < 1)
            handles.append(
                Line2D(
                    [],
                    [],
                    linestyle="",
                    marker="s",
                    label=fitted(text, WIDTH / 2),
                    markeredgewidth=edge,
                    **look,
                )
            )
        axes.legend(handles=handles, ncols=2, handletextpad=0.2, **place)
