"""The report's figures, drawn from results."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.report import numbers
from reportgen.report.figures.svg import COLOURS, Frame, draw
from reportgen.results import Confusion, Figure, Pair, SizeCurve, UnitSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_LABEL = 22
# The width of a letter on an axis, in inches.
LETTER = 0.092
# More categories than these are read in the table, not in a figure.
MOST_CELLS = 24
MOST_BARS = 48
# Up to so many categories names stand upright and counts are in the text's size.
FEW_NAMES, FEW_CELLS = 4, 8
STYLES: tuple[tuple[str, str | tuple[int, tuple[float, ...]]], ...] = (
    ("series-1", "solid"),
    ("series-2", (0, (5, 2))),
    ("series-3", (0, (1, 1.4))),
    ("series-4", (0, (6, 2, 1, 2))),
    ("series-5", (0, (3, 1, 1, 1, 1, 1))),
    ("series-6", (0, (8, 3))),
)


def short(name: str) -> str:
    """Return a label short enough for an axis."""
    one_line = " ".join(name.split())
    return one_line if len(one_line) <= LONGEST_LABEL else one_line[: LONGEST_LABEL - 1] + "…"


def confusion_heat_map(name: str, pair: Pair) -> str | None:
    """Return the matrix with each row's shares as shades; None for one category, or very many."""
    table = pair.confusion
    size = len(table.categories)
    if not 1 < size <= MOST_CELLS:
        return None

    def paint(axes: "Axes") -> None:
        for i, row in enumerate(table.counts):
            for j, value in enumerate(row):
                _paint_cell(axes, (i, j), value, value / max(sum(row), 1), small=size > FEW_CELLS)
        _name_cells(axes, table)

    title = f"Where {table.rows} and {table.columns} agree and differ"
    described = "; ".join(
        f"{one} and {other}: {numbers.count(table.count(one, other))}"
        for one in table.categories
        for other in table.categories
    )
    names = _room(table.categories)
    above = 0.55 if size <= FEW_NAMES else 0.35 + 0.72 * names
    frame = Frame(
        max(2.2, 0.62 * size), max(1.8, 0.5 * size), 0.45 + names, 0.1, right=max(0.1, above - 0.5), top=above
    )
    return draw(name, frame, title, f"Rows, then columns. {described}.", paint)


def _room(names: Sequence[str]) -> float:
    """Return how wide the longest of some labels is, in inches."""
    return LETTER * max(len(short(each)) for each in names)


def _paint_cell(axes: "Axes", place: tuple[int, int], value: int, share: float, *, small: bool) -> None:
    from matplotlib.patches import Rectangle

    i, j = place
    cell = Rectangle((j, i), 1, 1, facecolor=COLOURS["shade"], alpha=round(0.04 + 0.56 * share, 2))
    cell.set(edgecolor=COLOURS["paper"], linewidth=1.5)
    axes.add_patch(cell)
    text = axes.text(j + 0.5, i + 0.5, numbers.count(value), ha="center", va="center")
    text.set(fontsize=7 if small else 11, fontweight="bold" if i == j else "normal")


def _name_cells(axes: "Axes", table: Confusion) -> None:
    """Name rows and columns, the columns above as in the table."""
    size = len(table.categories)
    names, places = [short(each) for each in table.categories], [place + 0.5 for place in range(size)]
    axes.set(xlim=(0, size), ylim=(size, 0), xlabel=short(table.columns), ylabel=short(table.rows))
    if size <= FEW_NAMES:
        axes.set_xticks(places, names)
    else:
        axes.set_xticks(places, names, rotation=45, ha="left")
    axes.set_yticks(places, names)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def specific_agreement(name: str, unit_set: UnitSet) -> str | None:
    """Return each category's specific agreement with its interval; None where there is none to draw."""
    figures = {category: unit_set.specific_agreement[category] for category in unit_set.categories}
    known = {category: each for category, each in figures.items() if each.value is not None}
    if not 0 < len(known) <= MOST_BARS:
        return None

    def paint(axes: "Axes") -> None:
        for place, each in enumerate(known.values()):
            _paint_estimate(axes, place, each)
        axes.set_yticks(range(len(known)), [short(category) for category in known])
        axes.set(
            xlim=(0, 1.02), ylim=(len(known) - 0.5, -0.5), xlabel="specific agreement, with 95% interval"
        )
        axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
        axes.grid(axis="x")
        axes.tick_params(length=0)
        axes.spines[["left", "bottom"]].set_visible(False)

    title = "How often one annotator's choice of a category is the other's too"
    described = "; ".join(f"{category}: {numbers.estimate(each)}" for category, each in known.items())
    frame = Frame(3.9, 0.36 * len(known), left=0.15 + _room(list(known)), bottom=0.55)
    return draw(name, frame, title, f"{described}.", paint)


def _paint_estimate(axes: "Axes", place: int, figure: Figure) -> None:
    interval, colour = figure.interval, COLOURS["series-1"]
    if interval is not None and interval.low is not None and interval.high is not None:
        ends = [interval.low, interval.high]
        axes.plot(ends, [place, place], color=colour, linewidth=2.5, solid_capstyle="butt")
    axes.plot([figure.value or 0.0], [place], "o", color=colour, markersize=7)


@dataclass(frozen=True)
class CurveLabels:
    """What a size curve shows.

    `shown` are figures' ids with their symbols, `sizes` the number of units by unit set, `limit_of` the
    figure whose limit is drawn.
    """

    shown: Mapping[str, str]
    sizes: Mapping[str, int]
    limit_of: str


def size_curve(name: str, curve: SizeCurve, labels: CurveLabels) -> str:
    """Return figures against the number of units."""
    places = [math.log10(size) for size in curve.sizes]

    def paint(axes: "Axes") -> None:
        for (colour, dashes), (figure, symbol) in zip(STYLES, labels.shown.items(), strict=False):
            points = [(x, y) for x, y in zip(places, curve.values[figure], strict=True) if y is not None]
            line = axes.plot([x for x, _ in points], [y for _, y in points], linewidth=2, label=symbol)
            line[0].set(color=COLOURS[colour], linestyle=dashes)
        _paint_limit(
            axes, places[-1], curve.limit.get(labels.limit_of), labels.shown.get(labels.limit_of, "")
        )
        _mark_sizes(axes, labels.sizes)
        _name_sizes(axes, places)
        lowest = min((y for each in labels.shown for y in curve.values[each] if y is not None), default=0.0)
        axes.set_ylim(min(0.0, lowest), 1.02)
        axes.legend(loc="lower right", frameon=False, ncols=2)

    title = "What the number of unmarked units makes of each coefficient"
    return draw(
        name,
        Frame(5.7, 2.8, left=0.45, bottom=0.55, top=0.5),
        title,
        f"{'; '.join(_described(curve, labels))}.",
        paint,
    )


def _described(curve: SizeCurve, labels: CurveLabels) -> list[str]:
    return [
        f"{symbol} at {numbers.count(size)} units: {numbers.figure(curve.value_at(figure, size))}"
        for figure, symbol in labels.shown.items()
        for size in sorted(set(labels.sizes.values()))
    ]


def _paint_limit(axes: "Axes", end: float, limit: float | None, symbol: str) -> None:
    """Draw the limit as a line with its value; one at 1 says nothing."""
    if limit is None or limit >= 1:
        return
    colour = COLOURS["muted"]
    axes.axhline(limit, color=colour, linewidth=1, linestyle=(0, (2, 2)))
    axes.text(
        end, limit - 0.015, f"limit of {symbol} {numbers.figure(limit)}", ha="right", va="top", color=colour
    )


def _mark_sizes(axes: "Axes", sizes: Mapping[str, int]) -> None:
    colour, above = COLOURS["muted"], axes.get_xaxis_transform()
    for label, size in sizes.items():
        place, text = math.log10(size), f"{short(label)}\n{numbers.count(size)}"
        axes.axvline(place, color=colour, linewidth=1)
        axes.text(place, 1.03, text, ha="center", va="bottom", fontsize=9.5, color=colour, transform=above)


def _name_sizes(axes: "Axes", places: Sequence[float]) -> None:
    """Name the decades of a logarithmic axis."""
    decades = list(range(math.ceil(places[0]), math.floor(places[-1]) + 1))
    axes.set_xticks(decades, [numbers.count(10**decade) for decade in decades])
    axes.set(xlabel="units, marked or not (logarithmic)", xlim=(places[0], places[-1]))
    axes.grid(axis="y")
    axes.tick_params(length=0)
