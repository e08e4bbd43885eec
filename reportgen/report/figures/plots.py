"""The report's figures, drawn from results."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reportgen.report import numbers
from reportgen.report.figures.svg import COLOURS, draw
from reportgen.results import Figure, Pair, SizeCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_LABEL = 22
MOST_CATEGORIES = 24
SERIES = ("series-1", "series-2", "series-3", "series-4", "series-5", "series-6")
DASHES = ("solid", (0, (5, 2)), (0, (1, 1.4)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 3)))


def short(name: str) -> str:
    """Return a label short enough for an axis."""
    one_line = " ".join(name.split())
    return one_line if len(one_line) <= LONGEST_LABEL else one_line[: LONGEST_LABEL - 1] + "…"


def confusion_heat_map(name: str, pair: Pair) -> str | None:
    """Return the matrix with each row's shares as shades and its counts as numbers; None for very many categories."""
    categories, counts = pair.confusion.categories, pair.confusion.counts
    if not 1 < len(categories) <= MOST_CATEGORIES:
        return None
    size = len(categories)

    def paint(axes: "Axes") -> None:
        from matplotlib.patches import Rectangle

        for i, row in enumerate(counts):
            for j, value in enumerate(row):
                share = value / max(sum(row), 1)
                axes.add_patch(
                    Rectangle(
                        (j, i), 1, 1, facecolor=COLOURS["shade"], alpha=round(0.04 + 0.56 * share, 2),
                        edgecolor=COLOURS["paper"], linewidth=1.5,
                    )
                )  # fmt: skip
                axes.text(
                    j + 0.5, i + 0.5, numbers.count(value), ha="center", va="center",
                    fontsize=11 if size <= 8 else 7, fontweight="bold" if i == j else "normal",
                )  # fmt: skip
        axes.set(
            xlim=(0, size),
            ylim=(size, 0),
            xlabel=short(pair.confusion.columns),
            ylabel=short(pair.confusion.rows),
        )
        names = [short(each) for each in categories]
        places = [place + 0.5 for place in range(size)]
        axes.set_xticks(places, names, rotation=0 if size <= 4 else 45, ha="center" if size <= 4 else "left")
        axes.set_yticks(places, names)
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)

    title = f"Where {pair.confusion.rows} and {pair.confusion.columns} agree and differ"
    description = "; ".join(
        f"{one} and {other}: {numbers.count(value)}"
        for one, row in zip(categories, counts, strict=True)
        for other, value in zip(categories, row, strict=True)
    )
    width = max(3.4, 0.62 * size + 1.9)
    return draw(name, (width, width * 0.78), title, f"Rows, then columns. {description}.", paint)


def specific_agreement(name: str, figures: Mapping[str, Figure]) -> str | None:
    """Return each category's specific agreement with its interval; None where there is none to draw."""
    known = [(category, each) for category, each in figures.items() if each.value is not None]
    if not known or len(known) > 2 * MOST_CATEGORIES:
        return None

    def paint(axes: "Axes") -> None:
        for place, (_, each) in enumerate(known):
            if each.interval is not None and each.interval.low is not None and each.interval.high is not None:
                ends = [each.interval.low, each.interval.high]
                axes.plot(
                    ends, [place, place], color=COLOURS["series-1"], linewidth=2.5, solid_capstyle="butt"
                )
            axes.plot([each.value], [place], "o", color=COLOURS["series-1"], markersize=7)
        axes.set_yticks(range(len(known)), [short(category) for category, _ in known])
        axes.set(
            xlim=(0, 1.02), ylim=(len(known) - 0.5, -0.5), xlabel="specific agreement, with 95% interval"
        )
        axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
        axes.grid(axis="x")
        axes.tick_params(length=0)
        axes.spines[["left", "bottom"]].set_visible(False)

    title = "How often one annotator's choice of a category is the other's too"
    description = "; ".join(f"{category}: {numbers.estimate(each)}" for category, each in known)
    return draw(name, (6.4, 0.8 + 0.36 * len(known)), title, f"{description}.", paint)


def size_curve(
    name: str,
    curve: SizeCurve,
    shown: Sequence[tuple[str, str]],
    declared: Mapping[str, int],
    limit_of: tuple[str, str],
) -> str:
    """Return figures against the number of units.

    `shown` are ids with labels, `declared` the sizes of unit sets, `limit_of` the figure whose limit is drawn.
    """
    places = [math.log10(size) for size in curve.sizes]

    def paint(axes: "Axes") -> None:
        for colour, dash, (figure, label) in zip(SERIES, DASHES, shown, strict=False):
            points = [(x, y) for x, y in zip(places, curve.values[figure], strict=True) if y is not None]
            axes.plot(
                *zip(*points, strict=True), color=COLOURS[colour], linestyle=dash, linewidth=2, label=label
            )
        limit = curve.limit.get(limit_of[0])
        if limit is not None and limit < 1:
            axes.axhline(limit, color=COLOURS["muted"], linewidth=1, linestyle=(0, (2, 2)))
            label = f"limit of {limit_of[1]} {numbers.figure(limit)}"
            axes.text(places[-1], limit - 0.015, label, ha="right", va="top", color=COLOURS["muted"])
        _mark_sizes(axes, declared)
        _decades(axes, places)
        axes.set(xlabel="units, marked or not (logarithmic)", xlim=(places[0], places[-1]))
        axes.set_ylim(
            min(0.0, *(y for figure, _ in shown for y in curve.values[figure] if y is not None)), 1.02
        )
        axes.grid(axis="y")
        axes.tick_params(length=0)
        axes.legend(loc="lower right", frameon=False, ncols=2)

    title = "What the number of unmarked units makes of each coefficient"
    description = "; ".join(
        f"{label} at {numbers.count(size)} units: {numbers.figure(curve.values[figure][curve.sizes.index(size)])}"
        for figure, label in shown
        for size in sorted(set(declared.values()))
        if size in curve.sizes
    )
    return draw(name, (7.4, 3.9), title, f"{description}.", paint)


def _mark_sizes(axes: "Axes", declared: Mapping[str, int]) -> None:
    for label, size in declared.items():
        axes.axvline(math.log10(size), color=COLOURS["muted"], linewidth=1)
        axes.text(
            math.log10(size), 1.03, f"{short(label)}\n{numbers.count(size)}", ha="center", va="bottom", fontsize=9.5,
            color=COLOURS["muted"], transform=axes.get_xaxis_transform(),
        )  # fmt: skip


def _decades(axes: "Axes", places: Sequence[float]) -> None:
    decades = range(math.ceil(places[0]), math.floor(places[-1]) + 1)
    axes.set_xticks(list(decades), [numbers.count(10**decade) for decade in decades])
