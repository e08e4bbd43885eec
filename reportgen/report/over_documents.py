"""Means over documents beside the figures of all units pooled."""

from reportgen.report.contents import slug
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Figure, Results, UnitSet

CAPTION = "Mean over documents beside the figure of all units pooled [95% interval]."
COLUMNS = (
    Column("figure", "Figure"),
    Column("mean", "Mean over documents", "estimate"),
    Column("documents", "Documents", "count"),
    Column("left_out", "Left out, undefined there", "count"),
    Column("pooled", "Pooled", "estimate"),
)


def over_documents(results: Results, unit_set: UnitSet) -> Table | None:
    """Return the table, None where no document is known."""
    found = unit_set.macro_over_documents
    if not found:
        return None
    rows: list[tuple[Cell, ...]] = [
        (results.name_of(name), each, each.units, each.left_out, _pooled(unit_set, name))
        for name, each in ((name, found[name]) for name in results.in_order(found))
    ]
    name = slug(unit_set)
    return Table(
        f"over-documents-{name}", CAPTION, COLUMNS, tuple(rows), file=f"mean-over-documents.{name}.csv"
    )


def _pooled(unit_set: UnitSet, name: str) -> Figure | None:
    return unit_set.measures.get(name)
