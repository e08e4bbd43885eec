"""A comparison's figures: values with intervals under both versions, and what confusions contribute."""

from collections.abc import Sequence

from reportgen.report import numbers
from reportgen.report.figures.axes import span
from reportgen.report.figures.bars import Bar, bars
from reportgen.report.figures.rows import Dot, Rows, draw
from reportgen.report.figures.rows import Row as Drawn
from reportgen.report.figures.svg import Drawing, Said
from reportgen.report.language import _, say
from reportgen.report.revisions import wording
from reportgen.report.revisions.changes import Row, furthest
from reportgen.results.revisions import ConfusionChange

MOST_ROWS = 24
MOST_BARS = 16


def moves(name: str, versions: tuple[str, str], first: Row | None, rows: Sequence[Row]) -> Drawing | None:
    """Return figures with their intervals, each under both versions; None where there are none to draw.

    `first` is the coefficient, which stands above the others.
    """
    head = [first] if first and _dots(first) else []
    others = [row for row in furthest(rows, MOST_ROWS) if _dots(row)]
    shown = [*head, *others]
    if not shown:
        return None
    title = say("Agreement under guidelines {first} and {second}", first=versions[0], second=versions[1])
    data = _("; ").join(_described(row, versions) for row in shown)
    drawn = Rows(
        rows=[_drawn(row) for row in shown],
        axis=_("value under each version, with 95% interval"),
        keys=((versions[0], "earlier"), (versions[1], "one")),
        divided=bool(head and others),
    )
    return draw(name, Said(title, f"{data}."), drawn)


def _drawn(row: Row) -> Drawn:
    """Return a row; what its figure was computed with has a line of its own."""
    name, bracket, inside = row.name.partition(" [")
    if not bracket or not inside.endswith("]"):
        return Drawn(row.name, _dots(row))
    return Drawn(name, _dots(row), second=f"[{inside}")


def _dots(row: Row) -> list[Dot]:
    """Return the values of a row that are known, the earlier version's first."""
    sides = ((row.change.first, "earlier"), (row.change.second, "one"))
    return [Dot(found, mark) for figure, mark in sides if (found := span(figure))]


def _described(row: Row, versions: tuple[str, str]) -> str:
    return say(
        "{name}: {first_value} under {first}, {second_value} under {second}",
        name=row.name,
        first_value=numbers.estimate(row.change.first),
        second_value=numbers.estimate(row.change.second),
        first=versions[0],
        second=versions[1],
    )


def contributions(name: str, found: Sequence[ConfusionChange]) -> Drawing | None:
    """Return what confusions add to the change in observed disagreement, those that fell most first.

    None where there is no confusion, or none that changed.
    """
    far = sorted(found, key=lambda each: -abs(each.contribution))[:MOST_BARS]
    shown = [each for each in found if each in far and each.contribution]
    if not shown:
        return None
    data = _("; ").join(
        say(
            "{confusion}: {value}", confusion=wording.confusion(each), value=wording.signed(each.contribution)
        )
        for each in shown
    )
    said = Said(_("What each confusion adds to the change in observed disagreement"), f"{data}.")
    drawn = [
        Bar(wording.confusion(each), each.contribution, wording.signed(each.contribution)) for each in shown
    ]
    return bars(name, said, drawn, _("← less disagreement  ·  more disagreement →"))
