"""Everybody against the reference, drawn: a mark with its interval each, and human agreement as a band."""

from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, span
from reportgen.report.comparisons import ANNOTATOR, ComparedView
from reportgen.report.tables import role_in_words
from reportgen.results import Figure
from reportgen.results.annotators import Comparison
from reportgen.words import numbers
from reportgen.words.language import _, say, told

# More rows than these are read in the table, not in a figure.
MOST_DRAWN = 48


def drawn_against(view: ComparedView) -> DotPlot | None:
    """Return the figure of one unit set or of marks; None where there is nothing, or too much, to draw."""
    known = [pair for pair in view.shown if _figure(view, pair).value is not None]
    if not 0 < len(known) <= MOST_DRAWN:
        return None
    axis = say("{figure}, with 95% interval", figure=view.figure)
    data = _("; ").join(_described(view, pair) for pair in known)
    return DotPlot(_title(view, known), f"{data}.", [_row(view, pair) for pair in known], axis)


def _figure(view: ComparedView, pair: Comparison) -> Figure:
    return pair.measures[view.whole.figure]


def _title(view: ComparedView, known: list[Comparison]) -> str:
    """Return what the figure shows, in a sentence."""
    best = max(known, key=lambda pair: _figure(view, pair).value or -1.0)
    message = (
        say("{name} is closest to the reference: {figure} {value}", **_best(view, best))
        if view.against_reference
        else say("{name} agrees most with annotators: {figure} {value}", **_best(view, best))
    )
    return message if len(known) > 1 else told(_label(view, best), view.figure)


def _best(view: ComparedView, best: Comparison) -> dict[str, str]:
    value = numbers.figure(_figure(view, best).value)
    return {"name": _label(view, best), "figure": view.figure, "value": value}


def _row(view: ComparedView, pair: Comparison) -> DotPlotRow:
    found = span(_figure(view, pair))
    mark = "one" if pair.role == ANNOTATOR else "other"
    return DotPlotRow(_label(view, pair), [Dot(found, mark)] if found else [], span(_humans(view, pair)))


def _label(view: ComparedView, pair: Comparison) -> str:
    name = " ".join(filter(None, (pair.system, pair.release))) or pair.other
    return f"{name} / {pair.key}" if view.several_keys else name


def _humans(view: ComparedView, pair: Comparison) -> Figure | None:
    """Return how annotators agree on the same units; beside annotators, on all units of the reference."""
    humans = pair.humans or view.whole.humans.get(pair.key)
    found = humans.measures.get(view.whole.figure) if humans else None
    return found if found and found.value is not None else None


def _described(view: ComparedView, pair: Comparison) -> str:
    humans, own = _humans(view, pair), numbers.estimate(_figure(view, pair))
    name = _label(view, pair)
    if pair.role != ANNOTATOR:
        name = f"{name} ({role_in_words(pair.role)})"
    if humans is None:
        return told(name, own)
    return say(
        "{name}: {value}, annotators with each other {humans}",
        name=name,
        value=own,
        humans=numbers.estimate(humans),
    )
