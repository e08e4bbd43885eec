"""All disagreements of a report: what they are, and what is behind them."""

from collections.abc import Iterator

from reportgen.figures.all_disagreements import KINDS, of_disagreements
from reportgen.report.blocks import Block, Details, FigureBlock, FilesBlock, Section, TableBlock, paragraph
from reportgen.report.tables import ReportTable, table_if
from reportgen.report.view import ReportView
from reportgen.words.language import N_, _, say
from reportgen.words.numbers import count

# The page has so many rows; all are in the CSV.
MOST_ROWS = 12
WHAT = {"label": N_("another label"), "rest": N_("small parts together"), **KINDS}


def all_disagreements(view: ReportView) -> Section | None:
    """Return all disagreements by what they are, and how causes were looked for; None without any."""
    found = view.results.disagreements
    if found is None or view.only or view.answered:
        return None
    return Section(
        "all-disagreements", _("All disagreements"), tuple(_blocks(view)), short=_("Disagreements")
    )


def _blocks(view: ReportView) -> Iterator[Block]:
    found = view.results.disagreements
    if found is None:
        return
    tested = (
        say(
            "{count} possible causes were compared with all else. One is named if a quarter of all "
            "disagreements or more go beyond what it would have if it were like the rest, and beyond what "
            "chance would give (p below 0.05 after Bonferroni).",
            count=count(found.candidates),
        )
        if found.candidates
        else _("They are too few to look for a cause.")
    )
    yield paragraph(tested)
    if figure := view.drawn("disagreements", lambda: of_disagreements(view.results)):
        yield FigureBlock(figure, "")
    table = parts_table(view)
    if table:
        yield Details(_("The same as a table"), (TableBlock(table),))
        yield FilesBlock(lambda: (parts_table(view, whole=True),))


def parts_table(view: ReportView, *, whole: bool = False) -> ReportTable | None:
    """Return the disagreements by what they are, the most frequent first; they add up to all of them."""
    found = view.results.disagreements
    parts = found.parts if found else ()
    many, total = len(view.results.layers) > 1, found.total if found else 1
    names = [("annotator", _("Who alone marked"), "text", lambda part: part.annotator)]
    return table_if(
        "disagreement-parts",
        _("Disagreements by what they are, the most frequent first."),
        parts if whole else parts[:MOST_ROWS],
        ("layer", _("Layer"), "text", lambda part: part.layer or "") if many else None,
        ("kind", _("What differs"), "text", lambda part: _(WHAT[part.kind])),
        ("first", _("Label"), "text", lambda part: part.first or ""),
        ("second", _("Other label"), "text", lambda part: part.second or ""),
        *(names if any(part.annotator for part in parts) else ()),
        ("cases", _("Cases"), "count", lambda part: part.cases),
        ("share", _("Share"), "percent", lambda part: part.cases / total),
        file="all-disagreements.csv",
        what="All disagreements of two annotators by what differs; the rows add up to the total.",
    )
