"""Everybody against the reference, drawn: a dot with its interval each, and human agreement as a band."""

from typing import TYPE_CHECKING

from reportgen.report import numbers
from reportgen.report.comparisons import ANNOTATOR, ComparedView
from reportgen.report.figures.plots import LETTER, short
from reportgen.report.figures.svg import COLOURS, Frame, draw
from reportgen.results import Figure
from reportgen.results.comparisons import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More rows than these are read in the table, not in a figure.
MOST_ROWS = 48
HALF = 0.5


def comparisons(name: str, view: ComparedView) -> str | None:
    """Return the figure of one unit set or of marks; None where there is nothing, or too much, to draw."""
    known = [pair for pair in view.shown if pair.measures[view.whole.figure].value is not None]
    if not 0 < len(known) <= MOST_ROWS:
        return None
    labels = [_label(view, pair) for pair in known]

    def paint(axes: "Axes") -> None:
        for place, pair in enumerate(known):
            _paint_band(axes, place, _humans(view, pair))
            _paint(axes, place, pair, pair.measures[view.whole.figure])
        _scale(axes, labels, _lowest(view, known), view.figure)

    whom = "the reference" if view.against_reference else "annotators"
    title = f"{view.figure}: who agrees how much with {whom}"
    described = "; ".join(_described(view, label, pair) for label, pair in zip(labels, known, strict=True))
    frame = Frame(4.4, 0.36 * len(known), left=0.15 + LETTER * max(map(len, labels)), bottom=0.55)
    return draw(name, frame, title, f"{described}.", paint)


def _label(view: ComparedView, pair: Comparison) -> str:
    name = " ".join(filter(None, (pair.system, pair.release))) or pair.other
    return short(f"{name} / {pair.key}" if view.several_keys else name)


def _humans(view: ComparedView, pair: Comparison) -> Figure | None:
    """Return how annotators agree on the same units; beside annotators, on all units of the reference."""
    humans = pair.humans or view.whole.humans.get(pair.key)
    found = humans.measures.get(view.whole.figure) if humans else None
    return found if found and found.value is not None else None


def _ends(figure: Figure) -> tuple[float, float]:
    value, interval = figure.value or 0.0, figure.interval
    if interval is None or interval.low is None or interval.high is None:
        return value, value
    return interval.low, interval.high


def _paint_band(axes: "Axes", place: int, humans: Figure | None) -> None:
    from matplotlib.patches import Rectangle

    if humans is None:
        return
    low, high = _ends(humans)
    band = Rectangle((low, place - HALF), high - low, 1, facecolor=COLOURS["shade"], alpha=0.16)
    band.set(linewidth=0)
    axes.add_patch(band)
    middle = [humans.value or 0.0] * 2
    axes.plot(middle, [place - HALF, place + HALF], color=COLOURS["muted"], linewidth=1)


def _paint(axes: "Axes", place: int, pair: Comparison, figure: Figure) -> None:
    is_annotator = pair.role == ANNOTATOR
    colour = COLOURS["series-1" if is_annotator else "series-2"]
    low, high = _ends(figure)
    axes.plot([low, high], [place, place], color=colour, linewidth=2.5, solid_capstyle="butt")
    axes.plot([figure.value or 0.0], [place], "o" if is_annotator else "D", color=colour, markersize=7)


def _lowest(view: ComparedView, known: list[Comparison]) -> float:
    figures = [pair.measures[view.whole.figure] for pair in known]
    figures += [humans for pair in known if (humans := _humans(view, pair))]
    return min((_ends(each)[0] for each in figures), default=0.0)


def _scale(axes: "Axes", labels: list[str], lowest: float, figure: str) -> None:
    axes.set_yticks(range(len(labels)), labels)
    start = 0.0 if lowest >= 0 else max(-1.02, lowest - 0.02)
    axes.set(xlim=(start, 1.02), ylim=(len(labels) - HALF, -HALF), xlabel=f"{figure}, with 95% interval")
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    axes.grid(axis="x")
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)


def _described(view: ComparedView, label: str, pair: Comparison) -> str:
    humans = _humans(view, pair)
    beside = f", annotators with each other {numbers.estimate(humans)}" if humans else ""
    return f"{label} ({pair.role}): {numbers.estimate(pair.measures[view.whole.figure])}{beside}"
