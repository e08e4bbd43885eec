"""What the number of unmarked units makes of each coefficient, drawn over a logarithmic scale."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from reportgen.report.figures.svg import (
    TEXT,
    WIDTH,
    AxisScale,
    Drawing,
    Said,
    drawing,
    element,
    fitted,
    lowest,
    rule,
    shape,
    short,
    span,
    tick,
    width_of,
    words,
)
from reportgen.results import Figure, SizeCurve
from reportgen.words import numbers
from reportgen.words.language import _, say, say_many

# Lines are told apart by colour, by their dashes where there is none, and by their names.
DASHES = ("", "6 3", "1.5 2", "8 3 2 3", "3 1.5 1 1.5", "11 3")
LONGEST = 130.0
LINE = 16.0
LEFT, RIGHT = 32.0, WIDTH - 12
HIGH = 210.0
RADIUS = 4.0
# Text that stands on rules has a rim of the paper's colour.
HALO = {"stroke": "paper", "stroke_width": "3", "paint_order": "stroke"}


@dataclass(frozen=True)
class CurveLabels:
    """What a size curve shows.

    `shown` are figures' ids with their symbols, `sizes` the number of units by unit set, `limit_of` the
    figure whose limit is drawn, and `estimates` that figure with its interval by unit set.
    """

    shown: Mapping[str, str]
    sizes: Mapping[str, int]
    limit_of: str
    estimates: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True)
class Axes:
    """Where sizes and values stand: the first and last size, the lowest value, the head and foot."""

    first: int
    last: int
    low: float
    top: float

    @property
    def foot(self) -> float:
        """Return where the lowest value stands."""
        return self.top + HIGH

    def x(self, size: float) -> float:
        """Return where a number of units stands."""
        room = math.log(self.last / self.first) or 1.0
        return LEFT + (RIGHT - LEFT) * math.log(max(size, self.first) / self.first) / room

    def y(self, value: float) -> float:
        """Return where a value stands."""
        return AxisScale(self.low, self.foot, self.top).at(value)


def size_curve(name: str, curve: SizeCurve, labels: CurveLabels) -> Drawing:
    """Return figures against the number of units."""
    axes = axes_of(curve, labels)
    said = Said(_title(curve, labels), f"{_('; ').join(_described(curve, labels))}.")
    parts = (
        *_keys(labels),
        *_grid(axes),
        *_sizes(axes, labels.sizes),
        *_limit(axes, curve, labels),
        *_lines(axes, curve, labels),
        *_estimates(axes, labels),
    )
    return drawing(name, said, (WIDTH, axes.foot + 40), parts)


def axes_of(curve: SizeCurve, labels: CurveLabels) -> Axes:
    """Return where sizes and values stand in the figure of a curve."""
    values = [y for each in labels.shown for y in curve.values[each] if y is not None]
    rows = max((row for _text, _x, row in _placed(curve.sizes[0], curve.sizes[-1], labels.sizes)), default=0)
    above = LINE * (_key_rows(labels) + rows + 1) + 8
    return Axes(curve.sizes[0], curve.sizes[-1], lowest(values), above)


def _title(curve: SizeCurve, labels: CurveLabels) -> str:
    limit, symbol = curve.limit.get(labels.limit_of), labels.shown.get(labels.limit_of, "")
    if limit is None or limit >= 1 or not symbol:
        return _("What the number of unmarked units makes of each coefficient")
    return say(
        "With ever more unmarked units {symbol} tends to {limit}, not to 1",
        symbol=symbol,
        limit=numbers.figure(limit),
    )


def _described(curve: SizeCurve, labels: CurveLabels) -> list[str]:
    return [
        say_many(
            "{symbol} at {units} unit: {value}",
            "{symbol} at {units} units: {value}",
            size,
            symbol=symbol,
            units=numbers.count(size),
            value=numbers.figure(curve.value_at(figure, size)),
        )
        for figure, symbol in labels.shown.items()
        for size in sorted({curve.sizes[0], *labels.sizes.values()})
    ]


# Names of lines


def _key_places(labels: CurveLabels) -> Iterator[tuple[str, float, int]]:
    """Yield each line's name with its place: how far to the right, and in which row."""
    x, row = LEFT, 0
    for symbol in labels.shown.values():
        text = fitted(symbol, LONGEST)
        wide = 26 + width_of(text) + 10
        if x + wide > WIDTH and x > LEFT:
            x, row = LEFT, row + 1
        yield text, x, row
        x += wide


def _key_rows(labels: CurveLabels) -> int:
    return max((row for _text, _x, row in _key_places(labels)), default=0) + 1


def _keys(labels: CurveLabels) -> Iterator[ET.Element]:
    for number, (text, x, row) in enumerate(_key_places(labels)):
        y = LINE * row + 8
        yield rule((x, y, x + 21, y), f"series-{number + 1}", "2", **_dashed(number))
        yield words((x + 26, y + TEXT / 3), text, fill="ink")


def _dashed(number: int) -> dict[str, str]:
    return {"stroke_dasharray": DASHES[number]} if DASHES[number] else {}


# Axes


def _grid(axes: Axes) -> Iterator[ET.Element]:
    for value in AxisScale(axes.low, 0, 1).ticks:
        y = axes.y(value)
        yield rule((LEFT, y, RIGHT, y), "rule", "0.7")
        yield words((LEFT - 6, y + TEXT / 3), tick(value), text_anchor="end")
    for decade in _decades(axes):
        x, text = axes.x(decade), numbers.count(decade)
        yield rule((x, axes.foot, x, axes.foot + 4), "muted", "0.8")
        half = width_of(text) / 2
        yield words((min(x, WIDTH - half), axes.foot + TEXT + 6), text, text_anchor="middle")
    axis = _("units, marked or not (logarithmic scale)")
    yield words(((LEFT + RIGHT) / 2, axes.foot + 35), axis, text_anchor="middle")


def _decades(axes: Axes) -> list[int]:
    """Return the powers of ten on the scale, every other one where they are many; its ends where one is."""
    first, last = (math.log10(each) for each in (axes.first, axes.last))
    found = [10**each for each in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)]
    room = (RIGHT - LEFT) / max(last - first, 1e-9)
    if len(found) <= 1:
        return [axes.first, axes.last]
    widest = max(width_of(numbers.count(each)) for each in found) + 8
    return found[:: max(1, math.ceil(widest / room))]


def _placed(first: int, last: int, sizes: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """Return the text above each size, and in which row it has room: the lowest that is free there."""
    axes, ends, found = Axes(first, last, 0, 0), list[float](), []
    for size in sorted(set(sizes.values())):
        names = ", ".join(each for each, own in sizes.items() if own == size)
        text = f"{fitted(names, LONGEST)} ({numbers.count(size)})"
        middle, half = _middle(axes.x(size), text), width_of(text) / 2
        row = next((place for place, end in enumerate(ends) if end < middle - half), len(ends))
        ends[row : row + 1] = [middle + half + 8]
        found.append((text, size, row))
    return found


def _middle(x: float, text: str) -> float:
    """Return the middle of a text that stands above a place, and inside the figure."""
    half = width_of(text) / 2
    return max(half, min(x, WIDTH - half))


def _sizes(axes: Axes, sizes: Mapping[str, int]) -> Iterator[ET.Element]:
    """Yield a rule for each unit set's size, its name above it."""
    for text, size, row in _placed(axes.first, axes.last, sizes):
        x, y = axes.x(size), axes.top - 6 - LINE * row
        yield rule((x, y + 3, x, axes.foot), "muted", "0.9")
        yield words((_middle(x, text), y), text, text_anchor="middle", **HALO)


def _limit(axes: Axes, curve: SizeCurve, labels: CurveLabels) -> Iterator[ET.Element]:
    """Yield the limit as a rule with its value; one at 1 says nothing."""
    limit, symbol = curve.limit.get(labels.limit_of), labels.shown.get(labels.limit_of, "")
    if limit is None or limit >= 1:
        return
    y = axes.y(limit)
    yield rule((LEFT, y, RIGHT, y), "muted", "1", stroke_dasharray="2 3")
    text = say("limit of {symbol} {value}", symbol=symbol, value=numbers.figure(limit))
    below = y + TEXT + 4 if y + TEXT + 8 < axes.foot else y - 6
    yield words((RIGHT, below), text, text_anchor="end", fill="ink", **HALO)


# Lines


def _lines(axes: Axes, curve: SizeCurve, labels: CurveLabels) -> Iterator[ET.Element]:
    """Yield each figure as a line; where it is undefined the line begins anew."""
    for number, figure in enumerate(labels.shown):
        path = "".join(_strokes(axes, curve.sizes, curve.values[figure]))
        if path:
            look = {"stroke_width": "2", "stroke_linejoin": "round"} | _dashed(number)
            yield element("path", d=path, fill="none", stroke=f"series-{number + 1}", **look)


def _strokes(axes: Axes, sizes: Sequence[int], values: Sequence[float | None]) -> Iterator[str]:
    before: float | None = None
    for size, value in zip(sizes, values, strict=True):
        if value is not None:
            yield f"{'M' if before is None else 'L'}{short(axes.x(size))} {short(axes.y(value))}"
        before = value


def _estimates(axes: Axes, labels: CurveLabels) -> Iterator[ET.Element]:
    """Yield the figure that comes first with its interval, at each unit set's own size."""
    place = list(labels.shown).index(labels.limit_of) if labels.limit_of in labels.shown else 0
    colour = f"series-{place + 1}"
    for name, figure in labels.estimates.items():
        found = span(figure)
        if found is None or name not in labels.sizes:
            continue
        x = axes.x(labels.sizes[name])
        if found.high > found.low:
            yield rule((x, axes.y(found.low), x, axes.y(found.high)), colour, "2.4")
        yield shape("circle", [(x, axes.y(found.value))], RADIUS, colour)


# What a page needs to move coefficients along the size curve: two polynomials of each.

# What is moved; whatever else a curve has is drawn.
MOVED = (
    *("cohen_kappa", "scott_pi", "conger_kappa", "fleiss_kappa"),
    *("krippendorff_alpha", "bennett_s", "gwet_ac1"),
)
# The places of the slider: the first size, those between at even proportions, the last; then the limit.
STEPS = 240


@dataclass(frozen=True)
class Own:
    """A unit set's size, and its place on the slider."""

    names: str
    size: int
    place: int


@dataclass(frozen=True)
class Explore:
    """The slider over the sizes of a curve, from `first` to `last`.

    `moved` has the symbol of each figure, `quotients` the coefficients of its two polynomials, as results
    have them, and `limits` what it tends to, where it tends to anything.
    """

    figure: str
    first: int
    last: int
    marked: int
    axes: tuple[str, ...]
    moved: Mapping[str, str]
    quotients: Mapping[str, str]
    limits: Mapping[str, float | None]
    series: Mapping[str, int]
    own: tuple[Own, ...]
    start: Own
    steps: int = STEPS


def explore(name: str, curve: SizeCurve, labels: CurveLabels) -> Explore | None:
    """Return what the page needs; None where the curve has nothing that moves."""
    moved = {each: labels.shown[each] for each in MOVED if each in labels.shown and each in curve.quotients}
    if not moved or len(curve.sizes) <= 1:
        return None
    axes, places = axes_of(curve, labels), list(labels.shown)
    own = tuple(_own(axes, labels.sizes))
    return Explore(
        figure=name,
        first=curve.sizes[0],
        last=curve.sizes[-1],
        marked=curve.marked,
        axes=tuple(map(short, (LEFT, RIGHT, axes.foot, axes.top, axes.low))),
        moved=moved,
        quotients={each: _written(curve.quotients[each]) for each in moved},
        limits={each: curve.limit[each] for each in moved},
        series={each: places.index(each) + 1 for each in moved},
        own=own,
        start=max(own, key=lambda each: each.size == curve.declared),
    )


def _written(quotient: Iterable[Iterable[int]]) -> str:
    return "/".join(" ".join(map(str, part)) for part in quotient)


def _own(axes: Axes, sizes: Mapping[str, int]) -> Iterator[Own]:
    before = -1
    for size in sorted(set(sizes.values())):
        names = ", ".join(each for each, found in sizes.items() if found == size)
        # Two sizes that are almost the same have two places still, and the first of all sizes has its own.
        least = before + 1 if size == axes.first else max(before + 1, 1)
        before = max(least, round((axes.x(size) - LEFT) / (RIGHT - LEFT) * STEPS))
        yield Own(names, size, before)
