"""Means over documents beside the figures of all units pooled."""

from reportgen.report.contents import slug
from reportgen.report.language import N_, _, pgettext
from reportgen.report.names import figure_name
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Figure, Results, UnitSet

CAPTION = N_("Mean over documents beside the figure of all units pooled [95% interval].")


def over_documents(results: Results, unit_set: UnitSet) -> Table | None:
    """Return the table, None where no document is known."""
    found = unit_set.macro_over_documents
    if not found:
        return None
    rows: list[tuple[Cell, ...]] = [
        (figure_name(results, name), each, each.units, each.left_out, _pooled(unit_set, name))
        for name, each in ((name, found[name]) for name in results.in_order(found))
    ]
    name, file = f"over-documents-{slug(unit_set)}", f"mean-over-documents.{slug(unit_set)}.csv"
    return Table(name, _(CAPTION), _columns(), tuple(rows), file=file)


def _columns() -> tuple[Column, ...]:
    return (
        Column("figure", pgettext("a number", "Figure")),
        Column("mean", _("Mean over documents"), "estimate"),
        Column("documents", _("Documents"), "count"),
        Column("left_out", _("Left out, undefined there"), "count"),
        Column("pooled", _("Pooled"), "estimate"),
    )


def _pooled(unit_set: UnitSet, name: str) -> Figure | None:
    return unit_set.measures.get(name)
