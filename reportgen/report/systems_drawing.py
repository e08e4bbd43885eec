"""Systems against a reference twice, drawn: a dot with its interval each time, human agreement as a band."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportgen.report import numbers
from reportgen.report.figures.plots import LETTER, short
from reportgen.report.figures.svg import COLOURS, Frame, draw
from reportgen.results import Figure
from reportgen.results.changes import Change

if TYPE_CHECKING:
    from matplotlib.axes import Axes

APART = 0.15
HALF = 0.5
TICKS = (0, 0.2, 0.4, 0.6, 0.8, 1)

# Who it is, the figure twice, and annotators on the same units.
Drawn = tuple[str, Change, Figure | None]


def systems(name: str, figure: str, times: tuple[str, str], views: Sequence[Drawn]) -> str | None:
    """Return the figure; None where there is nothing to draw."""
    shown = [each for each in views if any(_value(side) for side in (each[1].first, each[1].second))]
    if not shown:
        return None
    labels = [short(who) for who, *_ in shown]

    def paint(axes: "Axes") -> None:
        for place, (_, change, humans) in enumerate(shown):
            _band(axes, place, humans)
            _once(axes, place - APART, change.first, later=False)
            _once(axes, place + APART, change.second, later=True)
        _scale(axes, labels, _lowest(shown), figure)

    title = f"{figure} with the reference: {times[0]} and {times[1]}"
    described = "; ".join(_described(each, times) for each in shown)
    frame = Frame(4.2, 0.46 * len(shown), left=0.15 + LETTER * max(map(len, labels)), bottom=0.55)
    return draw(name, frame, title, f"{described}.", paint)


def _value(figure: Figure | None) -> bool:
    return figure is not None and figure.value is not None


def _ends(figure: Figure) -> tuple[float, float]:
    value, interval = figure.value or 0.0, figure.interval
    if interval is None or interval.low is None or interval.high is None:
        return value, value
    return interval.low, interval.high


def _band(axes: "Axes", place: int, humans: Figure | None) -> None:
    from matplotlib.patches import Rectangle

    if humans is None or humans.value is None:
        return
    low, high = _ends(humans)
    band = Rectangle((low, place - HALF), high - low, 1, facecolor=COLOURS["shade"], alpha=0.16)
    band.set(linewidth=0)
    axes.add_patch(band)
    axes.plot([humans.value] * 2, [place - HALF, place + HALF], color=COLOURS["muted"], linewidth=1)


def _once(axes: "Axes", place: float, figure: Figure, *, later: bool) -> None:
    if figure.value is None:
        return
    colour = COLOURS["series-1" if later else "series-2"]
    axes.plot(_ends(figure), [place, place], color=colour, linewidth=2.2, solid_capstyle="butt")
    face = colour if later else COLOURS["paper"]
    marker = "o" if later else "D"
    axes.plot([figure.value], [place], marker, color=colour, markersize=6.5, markerfacecolor=face)


def _lowest(shown: Sequence[Drawn]) -> float:
    figures = [each for _, change, humans in shown for each in (change.first, change.second, humans)]
    return min((_ends(each)[0] for each in figures if each is not None and each.value is not None), default=0)


def _scale(axes: "Axes", labels: Sequence[str], lowest: float, figure: str) -> None:
    axes.set_yticks(range(len(labels)), labels)
    start = 0.0 if lowest >= 0 else max(-1.02, lowest - 0.02)
    axes.set(xlim=(start, 1.02), ylim=(len(labels) - HALF, -HALF), xlabel=f"{figure}, with 95% interval")
    axes.set_xticks(TICKS, ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    axes.grid(axis="x")
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)


def _described(each: Drawn, times: tuple[str, str]) -> str:
    who, change, humans = each
    sides = (change.first, change.second)
    said = [f"{name} {numbers.estimate(side)}" for name, side in zip(times, sides, strict=True)]
    beside = f", annotators with each other {numbers.estimate(humans)}" if _value(humans) else ""
    return f"{who}: {', '.join(said)}{beside}"
