"""What the number of unmarked units makes of each coefficient, drawn over a logarithmic scale."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE, base_id, ids_with
from reportgen.figures.drawings import on_axes
from reportgen.figures.intervals import span
from reportgen.figures.style import (
    DASHES,
    LETTERS,
    LIGHT,
    POINT,
    WIDTH,
    Look,
    fitted,
    legend_columns,
    listed,
    lowest,
    series,
    ticks,
    widest,
    width_of,
    written,
)
from reportgen.results import Figure, Results, SizeCurve, UnitSet
from reportgen.words import numbers
from reportgen.words.language import _, named_value, say, say_many

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CURVES = 6
LONGEST = 130.0
LINE = 16.0
LEFT, RIGHT = 32.0, 12.0
HIGH, FOOT = 210.0, 42.0
# Lines that are nowhere farther apart than they are wide look like one.
ALIKE = 0.008


def size_curve(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return a layer's coefficients against the number of units, only jointly unmarked ones being added."""
    chosen = layer or results.layers[0]
    unit_sets = [unit_set for unit_set in results.unit_sets if unit_set.layer == chosen]
    return on_axes(of_unit_sets(results, unit_sets), ax)


def widest_set(unit_sets: Sequence[UnitSet]) -> UnitSet | None:
    """Return the unit set with most units of those that have a curve."""
    with_curve = (unit_set for unit_set in unit_sets if unit_set.size_curve)
    return max(with_curve, key=lambda unit_set: unit_set.units_compared, default=None)


def curve_ids(results: Results, unit_sets: Sequence[UnitSet]) -> list[str]:
    """Return the ids of the figures that the size curve of a layer's unit sets shows."""
    largest = widest_set(unit_sets)
    figures = results.in_order(largest.size_curve.values) if largest and largest.size_curve else []
    places = {measure.id: measure.curve_place for measure in CATALOGUE if measure.curve_place}
    shown = [name for name in figures if base_id(name) in places]
    return sorted(shown, key=lambda name: places[base_id(name)])[:MOST_CURVES]


def of_unit_sets(results: Results, unit_sets: Sequence[UnitSet]) -> "CurvePlot | None":
    """Return the size curve of a layer's unit sets, that of the largest; None where none has one."""
    largest = widest_set(unit_sets)
    if largest is None or largest.size_curve is None:
        return None
    curve = largest.size_curve
    usual = ids_with(lambda measure: measure.any_two and measure.kind == "coefficient")
    likely = (results.coefficients[largest.layer], *usual)
    limited = next(figure for figure in likely if figure in curve.limit)
    curves = {unit_set.id: unit_set.size_curve for unit_set in unit_sets if unit_set.size_curve}
    return CurvePlot(
        curve,
        shown={figure: _symbol(results, figure) for figure in curve_ids(results, unit_sets)},
        sizes={name: size_curve.declared for name, size_curve in curves.items()},
        limit_of=limited,
        estimates={
            unit_set.id: unit_set.measures[limited]
            for unit_set in unit_sets
            if unit_set.id in curves and limited in unit_set.measures
        },
    )


def _symbol(results: Results, figure: str) -> str:
    base, _between, bracket = figure.partition("[")
    symbol = results.catalogue[base].symbol
    return f"{symbol} [{bracket}" if bracket else symbol


@dataclass(frozen=True)
class CurvePlot:
    """Figures against the number of units.

    `shown` are figures' ids with their symbols, `sizes` the number of units by unit set, `limit_of` the
    figure whose limit is drawn, and `estimates` that figure with its interval by unit set.
    """

    curve: SizeCurve
    shown: Mapping[str, str]
    sizes: Mapping[str, int]
    limit_of: str
    estimates: Mapping[str, Figure]

    @property
    def title(self) -> str:
        """Return what the primary coefficient tends to."""
        limit, symbol = self._limit
        if limit is None:
            return _("What the number of unmarked units makes of each coefficient")
        return say(
            "With ever more unmarked units {symbol} tends to {limit}, not to 1",
            symbol=symbol,
            limit=numbers.figure(limit),
        )

    @property
    def described(self) -> str:
        """Return each figure at the first size and at each unit set's own."""
        values = [
            self._at(figure, size)
            for figure in self.shown
            for size in sorted({self.curve.sizes[0], *self.sizes.values()})
        ]
        return listed(values)

    def _at(self, figure: str, size: int) -> str:
        return say_many(
            "{symbol} at {units} {unit|units}: {value}",
            size,
            symbol=self.shown[figure],
            units=numbers.count(size),
            value=numbers.figure(self.curve.value_at(figure, size)),
        )

    @property
    def _limit(self) -> tuple[float | None, str]:
        """Return the limit with its symbol; one at 1 says nothing."""
        limit, symbol = self.curve.limit.get(self.limit_of), self.shown.get(self.limit_of, "")
        return (None if limit is None or limit >= 1 or not symbol else limit), symbol

    @property
    def low(self) -> float:
        """Return the lowest value of the scale."""
        return lowest(y for figure in self.shown for y in self.curve.values[figure] if y is not None)

    @cached_property
    def lines(self) -> dict[str, list[str]]:
        """Return the figures that are drawn, each with all that coincide with it."""
        groups: dict[str, list[str]] = {}
        for figure in self.shown:
            same = next((first for first in groups if self._alike(first, figure)), figure)
            groups.setdefault(same, []).append(figure)
        return groups

    def _alike(self, first: str, second: str) -> bool:
        pairs = zip(self.curve.values[first], self.curve.values[second], strict=True)
        return all(
            a is b is None or (a is not None and b is not None and abs(a - b) < ALIKE) for a, b in pairs
        )

    @cached_property
    def _names(self) -> list[str]:
        return [
            fitted(", ".join(self.shown[figure] for figure in group), LONGEST)
            for group in self.lines.values()
        ]

    @property
    def _columns(self) -> int:
        """Return how many names of lines there is room for beside each other."""
        return legend_columns(self._names, WIDTH - LEFT)

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        return WIDTH, self.margins[2] + HIGH + FOOT

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for numbers, for the names of lines, and for those of unit sets."""
        keys = math.ceil(len(self._names) / self._columns)
        rows = max((row for _text, _size, row in self._placed()), default=-1) + 1
        return LEFT, RIGHT, 4 + LINE * (keys + rows) + 12, FOOT

    def share(self, size: int) -> float:
        """Return where a number of units lies between the first size and the last."""
        first, last = self.curve.sizes[0], self.curve.sizes[-1]
        # log(n / first) / log(last / first): the scale is logarithmic; a single size is at its left.
        return math.log(max(size, first) / first) / (math.log(last / first) or 1.0)

    def _placed(self) -> list[tuple[str, int, int]]:
        """Return the text above each size, and in which row it has room: the lowest that is free there."""
        ends, texts = list[float](), []
        for size, names in names_by_size(self.sizes):
            text = f"{fitted(names, LONGEST)} ({numbers.count(size)})"
            middle, half = self._middle(size, text), width_of(text) / 2
            row = next((number for number, end in enumerate(ends) if end < middle - half), len(ends))
            ends[row : row + 1] = [middle + half + 8]
            texts.append((text, size, row))
        return texts

    def _middle(self, size: int, text: str) -> float:
        """Return the middle of a text that is above a size, and inside the figure."""
        half = width_of(text) / 2
        return max(half, min(LEFT + (WIDTH - LEFT - RIGHT) * self.share(size), WIDTH - half))

    def paint(self, axes: "Axes") -> None:
        """Paint the curve on axes."""
        first, last = self.curve.sizes[0], self.curve.sizes[-1]
        axes.set_xscale("log")
        axes.minorticks_off()
        axes.set(xlim=(first, last) if last > first else (first * 0.9, first * 1.1), ylim=(self.low, 1))
        decades = self._decades()
        axes.set_xticks(decades, [numbers.count(size) for size in decades])
        for size, label in zip(decades, axes.get_xticklabels(), strict=True):
            if (WIDTH - LEFT - RIGHT) * (1 - self.share(size)) + RIGHT < width_of(label.get_text()) / 2:
                label.set_horizontalalignment("right")
        values = ticks(self.low)
        axes.set_yticks(values, written(values))
        axes.tick_params(axis="x", length=4 * POINT, color=LIGHT["muted"])
        axes.tick_params(axis="y", pad=6 * POINT)
        axes.grid(axis="y")
        axes.set_xlabel(_("units, marked or not (logarithmic scale)"))
        self._sizes(axes)
        self._lines(axes)
        self._limit_line(axes)
        # Draw the figure that comes first with its interval, at each unit set's own size.
        group = next((key for key, names in self.lines.items() if self.limit_of in names), None)
        colour = self._colour(group) if group else series(0)
        for name, figure in self.estimates.items():
            interval = span(figure)
            if interval is None or name not in self.sizes:
                continue
            xs, ys = [self.sizes[name]] * 3, (interval.low, interval.value, interval.high)
            look: Look = {"marker": "o", "markersize": 6, "markevery": [1], "clip_on": False, "zorder": 3}
            gid = named_value(name, interval.in_words)
            axes.plot(xs, [max(self.low, y) for y in ys], color=colour, linewidth=1.8, gid=gid, **look)

    def _decades(self) -> list[int]:
        """Return the powers of ten on the scale, of many some of them; its ends where one is."""
        first, last = (math.log10(size) for size in (self.curve.sizes[0], self.curve.sizes[-1]))
        powers = [10**power for power in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)]
        if len(powers) <= 1:
            return list(dict.fromkeys((self.curve.sizes[0], self.curve.sizes[-1])))
        room = (WIDTH - LEFT - RIGHT) / max(last - first, 1e-9)
        # The last number is inside the figure, and half its width nearer to the one before.
        wide = 1.5 * widest(numbers.count(size) for size in powers) + 8
        return powers[:: max(1, math.ceil(wide / room))]

    def _sizes(self, axes: "Axes") -> None:
        """Draw a rule for each unit set's size, its name above it."""
        inner = WIDTH - LEFT - RIGHT
        for text, size, row in self._placed():
            above = 1 + (10 + LINE * row) / HIGH
            across = axes.get_xaxis_transform()
            rule: Look = {"color": LIGHT["muted"], "linewidth": 0.7, "clip_on": False, "zorder": 1.5}
            axes.plot([size, size], [0, above - 3 / HIGH], transform=across, **rule)
            x = (self._middle(size, text) - LEFT) / inner
            look: Look = {"ha": "center", "va": "baseline", "color": LIGHT["muted"], "bbox": HALO}
            axes.text(x, above, text, transform=axes.transAxes, **look)

    def _lines(self, axes: "Axes") -> None:
        """Draw each figure as a line; where it is undefined the line begins afresh."""
        for number, (figure, group) in enumerate(self.lines.items()):
            values = [math.nan if value is None else value for value in self.curve.values[figure]]
            look: Look = {"color": self._colour(figure), "linestyle": dashed(number)}
            gid = _("; ").join(self._at(name, self.curve.declared) for name in group)
            axes.plot(self.curve.sizes, values, label=self._names[number], gid=gid, zorder=2, **look)
        corner = (-LEFT / (WIDTH - LEFT - RIGHT) + 0.01, 1 + (self.margins[2] - 4) / HIGH)
        axes.legend(loc="upper left", bbox_to_anchor=corner, ncols=self._columns, handletextpad=0.4)

    def _colour(self, figure: str) -> str:
        return series(list(self.shown).index(figure))

    def _limit_line(self, axes: "Axes") -> None:
        limit, symbol = self._limit
        if limit is None:
            return
        dotted = (0, (2 * POINT, 3 * POINT))
        axes.axhline(limit, color=LIGHT["muted"], linewidth=0.75, linestyle=dotted, zorder=1.6)
        text = say("limit of {symbol} {value}", symbol=symbol, value=numbers.figure(limit))
        room = HIGH * (limit - self.low) / (1 - self.low)
        off = -(LETTERS + 4) / HIGH if room > LETTERS + 8 else 6 / HIGH
        height = (limit - self.low) / (1 - self.low) + off
        axes.text(1, height, text, transform=axes.transAxes, ha="right", va="baseline", bbox=HALO, zorder=2.5)


# What is on rules has the paper behind it.
HALO: Look = {"boxstyle": "square,pad=0.08", "facecolor": LIGHT["paper"], "linewidth": 0}


def dashed(number: int) -> Any:  # noqa: ANN401 - as matplotlib takes it
    """Return the dashes of a line by its number."""
    return (0, [dash * POINT for dash in DASHES[number]]) if DASHES[number] else "solid"


def names_by_size(sizes: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """Yield each size of unit sets with the names of those that have it, the smallest first."""
    for size in sorted(set(sizes.values())):
        yield size, ", ".join(name for name, own_size in sizes.items() if own_size == size)
