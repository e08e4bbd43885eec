"""What the number of unmarked units makes of each coefficient, drawn over a logarithmic scale."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
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
    listed,
    lowest,
    series,
    ticks,
    widest,
    width_of,
    written,
)
from reportgen.results import Figure, Pair, Results, SizeCurve, UnitSet
from reportgen.words import numbers
from reportgen.words.language import _, named_value, say, say_many
from reportgen.words.names import is_shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# So many coefficients are beside each other, and so many lines of pairs.
MOST_FIGURES, MOST_PAIRS = 4, 6
LONGEST = 130.0
LINE = 16.0
LEFT, RIGHT = 32.0, 12.0
HIGH, FOOT = 170.0, 42.0
# Lines that are nowhere farther apart than they are wide look like one.
ALIKE = 0.008


def size_curve(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return a layer's coefficients against the number of units, only jointly unmarked ones being added."""
    chosen = layer or results.layers[0]
    unit_sets = [unit_set for unit_set in results.unit_sets if unit_set.layer == chosen]
    return on_axes(of_unit_sets(results, unit_sets), ax)


def widest_set(unit_sets: Sequence[UnitSet]) -> UnitSet | None:
    """Return the unit set with most units of those that have a curve, else of those whose pairs have one."""
    with_curve = [own for own in unit_sets if own.size_curve]
    with_pairs = [own for own in unit_sets if any(pair.size_curve for pair in own.pairs)]
    return max(with_curve or with_pairs, key=lambda unit_set: unit_set.units_compared, default=None)


def curves_of_pairs(results: Results, unit_set: UnitSet) -> list[tuple[Pair, SizeCurve]]:
    """Return the curves of a unit set's pairs, over the units that both rated, the lowest limit first.

    Of many pairs those with the lowest limits and the highest.
    """
    figure = figure_of_pairs(results, unit_set)
    curves = [(pair, pair.size_curve) for pair in unit_set.pairs if pair.size_curve]
    ranked = sorted(curves, key=lambda each: each[1].limit.get(figure) or 0.0)
    half = MOST_PAIRS // 2
    return ranked if len(ranked) <= MOST_PAIRS else [*ranked[:half], *ranked[-half:]]


def figure_of_pairs(results: Results, unit_set: UnitSet) -> str:
    """Return the figure that curves of pairs show: the primary one, else one that any two have."""
    primary = results.coefficients[unit_set.layer]
    known = [pair.size_curve.limit for pair in unit_set.pairs if pair.size_curve]
    usual = ids_with(lambda measure: measure.any_two and measure.kind == "coefficient")
    return next(name for name in (primary, *usual) if all(name in limits for limits in known))


def coefficients_of_sizes(results: Results, unit_sets: Sequence[UnitSet]) -> list[str]:
    """Return the ids of the coefficients that are shown of each of a layer's unit sets, weighted alike."""
    first, primary = unit_sets[0], results.coefficients[unit_sets[0].layer]
    places = {each.id: each.curve_place for each in CATALOGUE if each.curve_place and each.kind != "share"}
    weights = primary.removeprefix(base_id(primary))
    alike = (f"{name}{weights}" for name in sorted(places, key=places.__getitem__))
    shown = [name for name in alike if name in first.measures and is_shown(results, first, name)]
    chosen = [*[name for name in shown if name != primary][: MOST_FIGURES - 1], primary]
    return sorted(chosen, key=lambda name: places.get(base_id(name), 0))


def of_unit_sets(results: Results, unit_sets: Sequence[UnitSet]) -> "CurvePlot | None":
    """Return the size curve of a layer's unit sets, that of the largest, or of each of its pairs.

    None where none has one.
    """
    largest = widest_set(unit_sets)
    if largest is None:
        return None
    limited = figure_of_pairs(results, largest)
    symbol = symbol_of(results, limited)
    if largest.size_curve is None:
        return CurvePlot(
            [
                CurveLine(limited, curve, (" / ".join(pair.annotators),), {"": pair.measures[limited]})
                for pair, curve in curves_of_pairs(results, largest)
            ],
            symbol,
        )
    curve = largest.size_curve
    with_curve = {own.id: own for own in unit_sets if own.size_curve}
    lines: list[CurveLine] = []
    for figure in coefficients_of_sizes(results, unit_sets):
        if figure in curve.values:
            at = {name: own.measures[figure] for name, own in with_curve.items() if figure == limited}
            line = CurveLine(figure, curve, (symbol_of(results, figure),), at)
            same = next((number for number, own in enumerate(lines) if own.is_like(line)), len(lines))
            lines[same : same + 1] = [lines[same].with_line(line) if same < len(lines) else line]
    sizes = {name: own.size_curve.declared for name, own in with_curve.items() if own.size_curve}
    return CurvePlot(lines, symbol, sizes)


def symbol_of(results: Results, figure: str) -> str:
    """Return the symbol of a figure, with what it was weighted with."""
    base, _between, bracket = figure.partition("[")
    symbol = results.catalogue[base].symbol
    return f"{symbol} [{bracket}" if bracket else symbol


@dataclass(frozen=True)
class CurveLine:
    """One figure of a curve, by its names; `estimates` have it with its interval by unit set.

    The line is that of all figures that coincide with it.
    """

    figure: str
    curve: SizeCurve
    names: tuple[str, ...]
    estimates: Mapping[str, Figure] = field(default_factory=dict)

    @property
    def values(self) -> Sequence[float | None]:
        """Return the figure at each size."""
        return self.curve.values[self.figure]

    @property
    def limit(self) -> float | None:
        """Return what it tends to."""
        return self.curve.limit.get(self.figure)

    @property
    def name(self) -> str:
        """Return its names, and what it tends to."""
        names = fitted(", ".join(self.names), LONGEST)
        return names if self.limit is None else f"{names} → {numbers.figure(self.limit)}"

    def is_like(self, other: "CurveLine") -> bool:
        """Tell whether two lines of the same curve look like one."""
        pairs = zip(self.values, other.values, strict=True)
        return all(
            a is b is None or (a is not None and b is not None and abs(a - b) < ALIKE) for a, b in pairs
        )

    def with_line(self, other: "CurveLine") -> "CurveLine":
        """Return a line that is another too; the one that has estimates is drawn."""
        drawn = other if other.estimates else self
        return replace(drawn, names=(*self.names, *other.names))

    def at(self, size: int) -> str:
        """Return its value at a size in words."""
        return say_many(
            "{symbol} at {units} {unit|units}: {value}",
            size,
            symbol=", ".join(self.names),
            units=numbers.count(size),
            value=numbers.figure(self.curve.value_at(self.figure, size)),
        )


@dataclass(frozen=True)
class CurvePlot:
    """Lines against the number of units; the limit of `symbol` is said, `sizes` are those of unit sets."""

    lines: Sequence[CurveLine]
    symbol: str
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Return what the primary coefficient tends to; a limit at 1 says nothing."""
        limits = [line.limit for line in self.lines if line.estimates and line.limit is not None]
        if not limits or min(limits) >= 1:
            return _("What the number of unmarked units makes of each coefficient")
        least, most = numbers.figure(min(limits)), numbers.figure(max(limits))
        limit = least if least == most else say("{low} to {high}", low=least, high=most)
        return say(
            "With ever more unmarked units {symbol} tends to {limit}, not to 1",
            symbol=self.symbol,
            limit=limit,
        )

    @property
    def described(self) -> str:
        """Return each line at its first size and at each unit set's own."""
        return listed(
            line.at(size)
            for line in self.lines
            for size in sorted({line.curve.sizes[0], line.curve.declared, *self.sizes.values()})
            if size in line.curve.sizes
        )

    @property
    def low(self) -> float:
        """Return the lowest value of the scale."""
        return lowest(value for line in self.lines for value in line.values if value is not None)

    @property
    def ends(self) -> tuple[int, int]:
        """Return the first size and the last."""
        sizes = [size for line in self.lines for size in (line.curve.sizes[0], line.curve.sizes[-1])]
        return min(sizes), max(sizes)

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        return WIDTH, self.margins[2] + HIGH + FOOT

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for numbers, and for the names of unit sets."""
        rows = max((row for _text, _size, row in self._placed()), default=-1) + 1
        return LEFT, RIGHT, LINE * rows + 12, FOOT

    def share(self, size: int) -> float:
        """Return where a number of units lies between the first size and the last."""
        first, last = self.ends
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
        first, last = self.ends
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
        for number, line in enumerate(self.lines):
            self._line(axes, line, series(number), dashed(number))
        self._names(axes)

    def _decades(self) -> list[int]:
        """Return the powers of ten on the scale, of many some of them; its ends where one is."""
        first, last = map(math.log10, self.ends)
        powers = [10**power for power in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)]
        if len(powers) <= 1:
            return list(dict.fromkeys(self.ends))
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

    def _line(self, axes: "Axes", line: CurveLine, colour: str, dashes: object) -> None:
        """Draw a line, broken where it is undefined, and its estimates with their intervals."""
        values = [math.nan if value is None else value for value in line.values]
        gid = line.at(line.curve.declared)
        look: Look = {"color": colour, "linestyle": dashes, "gid": gid}
        axes.plot(line.curve.sizes, values, zorder=2, **look)
        for name, figure in line.estimates.items():
            interval = span(figure)
            if interval is None:
                continue
            xs = [self.sizes.get(name, line.curve.declared)] * 3
            ys = [max(self.low, y) for y in (interval.low, interval.value, interval.high)]
            look = {"marker": "o", "markersize": 6, "markevery": [1], "clip_on": False, "zorder": 3}
            gid = named_value(name or line.names[0], interval.in_words)
            axes.plot(xs, ys, color=colour, linewidth=1.8, gid=gid, **look)

    def _names(self, axes: "Axes") -> None:
        """Write each line's name below its end; where names have no room between ends, below the last."""
        last = [next((y for y in reversed(line.values) if y is not None), self.low) for line in self.lines]
        heights = {number: HIGH * (y - self.low) / (1 - self.low) for number, y in enumerate(last)}
        groups: list[list[int]] = []
        for number in sorted(heights, key=lambda number: -heights[number]):
            near = groups and heights[groups[-1][-1]] - heights[number] < LINE * len(groups[-1]) + LETTERS
            groups[-1:] = [[*groups[-1], number]] if near else [*groups[-1:], [number]]
        look: Look = {"transform": axes.transAxes, "ha": "right", "va": "baseline", "bbox": HALO}
        for group in groups:
            for place, number in enumerate(group):
                y = heights[group[-1]] - LETTERS - 4 - LINE * place
                axes.text(1, y / HIGH, self.lines[number].name, color=series(number), zorder=2.5, **look)


# What is on rules has the paper behind it.
HALO: Look = {"boxstyle": "square,pad=0.08", "facecolor": LIGHT["paper"], "linewidth": 0}


def dashed(number: int) -> Any:  # noqa: ANN401 - as matplotlib takes it
    """Return the dashes of a line by its number."""
    return (0, [dash * POINT for dash in DASHES[number]]) if DASHES[number] else "solid"


def names_by_size(sizes: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """Yield each size of unit sets with the names of those that have it, the smallest first."""
    for size in sorted(set(sizes.values())):
        yield size, ", ".join(name for name, own_size in sizes.items() if own_size == size)
