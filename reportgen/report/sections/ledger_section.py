"""The ledger where there are no small charts: as a table, and below it what was found row by row."""

from collections.abc import Iterator

from reportgen.report.blocks import Block, Details, Items, Section, TableBlock, paragraph
from reportgen.report.ledger import Ledger, shown_count
from reportgen.report.sections.opening import claims
from reportgen.report.tables import ReportTable, table_of
from reportgen.report.view import ReportView
from reportgen.words.language import _, listed, named_value


def ledger_section(view: ReportView) -> Section | None:
    """Return the rows of a report with what to do; None where there are no two."""
    return Section("ledger", view.ledger.title, tuple(_blocks(view, view.ledger))) if view.ledger else None


def _blocks(view: ReportView, rows: Ledger) -> Iterator[Block]:
    yield paragraph(rows.figure_said)
    yield TableBlock(ledger_table(rows))
    for row in rows.rows:
        found = tuple(claim for advice in row.advice for claim in claims(view, advice, None, named=False))
        if found:
            yield Details(row.name, (Items(found),))


def ledger_table(rows: Ledger) -> ReportTable:
    """Return the rows as a table: figure, verdict in a word, who differs, and what to do."""
    settled = _("If the cause were settled")
    return table_of(
        "ledger",
        "",
        rows.rows,
        ("name", rows.head, "text", lambda row: row.name),
        ("figure", rows.figure, "estimate", lambda row: row.figure),
        ("word", _("Verdict"), "text", lambda row: row.word) if rows.banded else None,
        ("settled", settled, "figure", lambda row: row.settled) if rows.with_settled else None,
        (
            *("who", rows.bars, "text"),
            lambda row: listed([named_value(part.name, shown_count(part.cases)) for part in row.slices]),
        ),
        ("act", _("What to do"), "text", lambda row: " ".join(filter(None, (row.act, row.why)))),
    )
