"""Systems against a reference twice, drawn: a mark with its interval each time, human agreement as a band."""

from collections.abc import Sequence

from reportgen.report import numbers
from reportgen.report.figures import rows
from reportgen.report.figures.axes import span
from reportgen.report.figures.rows import Dot, Row, Rows
from reportgen.report.figures.svg import Drawing, Said
from reportgen.report.language import _, say
from reportgen.results import Figure
from reportgen.results.changes import Change

MARKS = ("earlier", "one")

# Who it is, the figure twice, and annotators on the same units.
Drawn = tuple[str, Change, Figure | None]


def systems(name: str, figure: str, times: tuple[str, str], views: Sequence[Drawn]) -> Drawing | None:
    """Return the figure; None where there is nothing to draw."""
    lines = [_row(each) for each in views]
    shown = [(each, line) for each, line in zip(views, lines, strict=True) if line.dots]
    if not shown:
        return None
    title = say(
        "{figure} with the reference: {first} and {second}", figure=figure, first=times[0], second=times[1]
    )
    described = _("; ").join(_described(each, times) for each, _ in shown)
    axis = say("{figure}, with 95% interval", figure=figure)
    keys = tuple(zip(times, MARKS, strict=True))
    found = Rows([line for _, line in shown], axis, keys)
    return rows.draw(name, Said(title, f"{described}."), found)


def _row(each: Drawn) -> Row:
    who, change, humans = each
    spans = zip(map(span, (change.first, change.second)), MARKS, strict=True)
    return Row(who, [Dot(found, mark) for found, mark in spans if found], span(humans))


def _described(each: Drawn, times: tuple[str, str]) -> str:
    who, change, humans = each
    sides = (change.first, change.second)
    said = [f"{name} {numbers.estimate(side)}" for name, side in zip(times, sides, strict=True)]
    if span(humans):
        said.append(say("annotators with each other {figure}", figure=numbers.estimate(humans)))
    return say("{who}: {figures}", who=who, figures=", ".join(said))
