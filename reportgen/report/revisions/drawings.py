"""A comparison's figures: values with intervals under both versions, and what confusions contribute."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportgen.report import numbers
from reportgen.report.figures.plots import LETTER, short
from reportgen.report.figures.svg import COLOURS, Frame, draw
from reportgen.report.revisions import wording
from reportgen.report.revisions.changes import Row, furthest
from reportgen.results import Figure
from reportgen.results.revisions import ConfusionChange

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 24
MOST_BARS = 16
# How far above and below the middle of its row a version stands, and half the height of a bar.
APART = 0.17
HALF = 0.5
BAR = 0.58
EARLIER, LATER = ("series-2", "D"), ("series-1", "o")
TICKS = (0, 0.2, 0.4, 0.6, 0.8, 1)


def moves(name: str, versions: tuple[str, str], first: Row | None, rows: Sequence[Row]) -> str | None:
    """Return figures with their intervals, each under both versions; None where there are none to draw.

    `first` is the coefficient, which stands above the others.
    """
    head = [first] if first and _drawn(first) else []
    others = [row for row in furthest(rows, MOST_ROWS) if _drawn(row)]
    shown = [*head, *others]
    if not shown:
        return None

    def paint(axes: "Axes") -> None:
        for place, row in enumerate(shown):
            _paint_row(axes, place, row)
        _scale(axes, shown, divided=bool(head and others))
        _legend(axes, versions)

    names = [_label(row) for row in shown]
    frame = Frame(4.0, 0.46 * len(shown), left=0.15 + LETTER * _widest(names), bottom=0.55, top=0.42)
    title = f"Agreement under guidelines {versions[0]} and {versions[1]}"
    return draw(name, frame, title, f"{'; '.join(_described(row, versions) for row in shown)}.", paint)


def _label(row: Row) -> str:
    """Return a name short enough for an axis; what a figure was computed with has a line of its own."""
    if row.name.endswith("]") and " [" in row.name:
        name, _, bracket = row.name.rpartition(" [")
        return f"{short(name)}\n[{short(bracket)}"
    return short(row.name)


def _widest(names: Sequence[str]) -> int:
    return max(len(line) for name in names for line in name.split("\n"))


def _drawn(row: Row) -> bool:
    return row.change.first.value is not None or row.change.second.value is not None


def _paint_row(axes: "Axes", place: int, row: Row) -> None:
    first, second = row.change.first.value, row.change.second.value
    _paint_estimate(axes, place - APART, row.change.first, EARLIER)
    _paint_estimate(axes, place + APART, row.change.second, LATER)
    if first is not None and second is not None:
        ends = [place - APART, place + APART]
        axes.plot([first, second], ends, color=COLOURS["muted"], linewidth=1, zorder=1)


def _paint_estimate(axes: "Axes", place: float, figure: Figure, style: tuple[str, str]) -> None:
    colour, marker = COLOURS[style[0]], style[1]
    if figure.value is None:
        return
    interval = figure.interval
    if interval is not None and interval.low is not None and interval.high is not None:
        ends = [interval.low, interval.high]
        axes.plot(ends, [place, place], color=colour, linewidth=2.2, solid_capstyle="butt")
    face = COLOURS["paper"] if style == EARLIER else colour
    axes.plot([figure.value], [place], marker, color=colour, markersize=6.5, markerfacecolor=face)


def _scale(axes: "Axes", shown: Sequence[Row], *, divided: bool) -> None:
    values = [value for row in shown for value in _ends(row)]
    low = min(0.0, *values) if len(values) > 1 else min([0.0, *values])
    axes.set_yticks(range(len(shown)), [_label(row) for row in shown])
    axes.set(xlim=(max(-1.02, low - 0.02), 1.02), ylim=(len(shown) - HALF, -HALF))
    axes.set(xlabel="value under each version, with 95% interval")
    axes.set_xticks(TICKS, ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    axes.grid(axis="x")
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)
    if divided:
        axes.axhline(HALF, color=COLOURS["rule"], linewidth=0.8)


def _ends(row: Row) -> list[float]:
    found = [row.change.first.value, row.change.second.value]
    found += [each.interval.low for each in (row.change.first, row.change.second) if each.interval]
    return [value for value in found if value is not None]


def _legend(axes: "Axes", versions: tuple[str, str]) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for version, (colour, marker) in zip(versions, (EARLIER, LATER), strict=True):
        face = COLOURS["paper" if (colour, marker) == EARLIER else colour]
        line = Line2D([], [], color=COLOURS[colour], marker=marker, markersize=6.5, markerfacecolor=face)
        line.set(label=short(version), linewidth=2.2)
        handles.append(line)
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.1, frameon=False, ncols=2
    )


def _described(row: Row, versions: tuple[str, str]) -> str:
    values = (row.change.first, row.change.second)
    said = [f"{numbers.estimate(each)} under {name}" for each, name in zip(values, versions, strict=True)]
    return f"{row.name}: {', '.join(said)}"


def contributions(name: str, found: Sequence[ConfusionChange]) -> str | None:
    """Return what confusions add to the change in observed disagreement, those that fell most first.

    None where there is no confusion, or none that changed.
    """
    far = sorted(found, key=lambda each: -abs(each.contribution))[:MOST_BARS]
    shown = [each for each in found if each in far and each.contribution]
    if not shown:
        return None
    labels = [f"{short(each.categories[0])} / {short(each.categories[1])}" for each in shown]

    def paint(axes: "Axes") -> None:
        for place, each in enumerate(shown):
            _paint_bar(axes, place, each.contribution)
        _scale_bars(axes, labels, [each.contribution for each in shown])

    described = "; ".join(
        f"{' and '.join(each.categories)}: {wording.signed(each.contribution)}" for each in shown
    )
    title = "What each confusion adds to the change in observed disagreement"
    frame = Frame(3.9, 0.36 * len(shown), left=0.15 + LETTER * max(map(len, labels)), bottom=0.75)
    return draw(name, frame, title, f"{described}.", paint)


def _paint_bar(axes: "Axes", place: int, value: float) -> None:
    falls = value < 0
    colour = COLOURS["series-3" if falls else "series-6"]
    axes.barh(place, value, height=BAR, color=colour)
    text = axes.annotate(
        wording.signed(value), (value, place), xytext=(-4 if falls else 4, 0), textcoords="offset points"
    )
    text.set(ha="right" if falls else "left", va="center", fontsize=9.5)


def _scale_bars(axes: "Axes", labels: Sequence[str], values: Sequence[float]) -> None:
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    room = 0.32 * (high - low)
    axes.set_yticks(range(len(labels)), labels)
    axes.set(xlim=(low - room * (low < 0), high + room * (high > 0)), ylim=(len(labels) - HALF, -HALF))
    axes.set(xlabel="← less disagreement  ·  more disagreement →")
    axes.set_xticks([0], ["0"])
    axes.axvline(0, color=COLOURS["ink"], linewidth=0.9)
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)
