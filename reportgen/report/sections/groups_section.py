"""Groups of annotators: how many there are, agreement within and between them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reportgen.report.blocks import (
    Block,
    File,
    FilesBlock,
    TableBlock,
    as_section,
    paragraph,
    remark,
)
from reportgen.report.tables import ColumnOf, ReportTable, table_if
from reportgen.report.view import ReportView
from reportgen.results.groups import GroupAgreement, LayerGroups
from reportgen.words import names
from reportgen.words.language import N_, _, say
from reportgen.words.numbers import count

# So many rows are on the page, the surest differences; the CSV has all.
MOST_ROWS = 12
# Differences without p come last.
NO_P = 2.0


@as_section("groups", N_("Groups of annotators"), N_("Groups"))
def groups(view: ReportView) -> Iterator[Block]:
    """Yield what groups of annotators say; nothing where nobody is known to be in any."""
    found = view.results.groups
    tables = [table for table in found.layers if not view.only or table.layer == view.only] if found else []
    if found is None or not tables:
        return
    people, agreement = sizes_table(tables), agreement_table(tables)
    rule = say(
        "Groups of fewer than {smallest} annotators are not shown, nor are combinations of groups that have "
        "fewer. Others are left out with them, so that nobody can compute them by subtraction.",
        smallest=count(found.smallest),
    )
    if found.smallest > 1:
        yield paragraph(rule)
    if people:
        yield TableBlock(people)
    if agreement:
        yield TableBlock(_first(agreement))
        what = _(
            "Pairs of members are compared with pairs of a member and somebody of another group, on the same "
            "units; chance is what all of them said together. Intervals are for other documents, or units, "
            "labelled by the same people. p is that of a permutation test: how often the difference is as "
            "large where membership is exchanged at random among those who are alike in the attributes above."
        )
        yield remark(what, File(agreement.file))
    # Why there is no p, by attribute, once for all layers.
    for reason in dict.fromkeys(table.untested for table in tables if table.untested):
        about = ", ".join(dict.fromkeys(table.attribute for table in tables if table.untested == reason))
        yield remark(say("No p for {attributes}: {reason}.", attributes=about, reason=names.reason(reason)))
    yield FilesBlock(lambda: (people, agreement))


def _first(table: ReportTable) -> ReportTable:
    return replace(table, rows=table.rows[:MOST_ROWS])


def _where(tables: Sequence[LayerGroups]) -> Iterator[ColumnOf[Any] | None]:
    """Yield the columns that all tables begin with."""
    several = len({table.layer for table in tables}) > 1
    yield ("layer", _("Layer"), "text", lambda row: row[0].layer) if several else None
    yield "attribute", _("Attribute"), "text", lambda row: row[0].attribute


def sizes_table(tables: Sequence[LayerGroups]) -> ReportTable | None:
    """Return how many annotators each group has."""
    rows = [
        (table, group, people)
        for table in tables
        for group, people in [
            *((own.group, own.people) for own in table.groups),
            *([(_("(not known, or not told)"), table.others)] if table.others else []),
        ]
    ]
    return table_if(
        "groups",
        _("How many annotators each group has."),
        rows,
        *_where(tables),
        ("group", _("Group"), "text", lambda row: row[1]),
        ("people", _("Annotators"), "count", lambda row: row[2]),
        file="groups.csv",
        what="How many annotators each group has; groups of too few are not shown.",
    )


def agreement_table(tables: Sequence[LayerGroups]) -> ReportTable | None:
    """Return agreement within and between groups, the surest differences first where they are many."""
    rows = [(table, own) for table in tables for own in table.agreement]
    if len(rows) > MOST_ROWS:
        rows.sort(key=lambda row: _surest(row[1]))
    return table_if(
        "groups-agreement",
        _("Agreement within groups, and with other groups on the same units, corrected for chance."),
        rows,
        *_where(tables),
        ("group", _("Group"), "text", lambda row: row[1].group or _("(all groups)")),
        ("people", _("Annotators"), "count", lambda row: row[1].people),
        ("units", _("Units"), "count", lambda row: row[1].units),
        ("within", _("Within"), "estimate", lambda row: row[1].within),
        ("between", _("With others"), "estimate", lambda row: row[1].between),
        ("difference", _("Difference"), "estimate", lambda row: row[1].difference),
        ("p", "p", "p", lambda row: row[1].p),
        ("adjusted_p", _("p, over all"), "p", lambda row: row[1].adjusted_p),
        file="groups-agreement.csv",
        what="Agreement within groups of annotators and between them, with a permutation test.",
    )


def _surest(row: GroupAgreement) -> tuple[float, float]:
    return NO_P if row.adjusted_p is None else row.adjusted_p, -abs(row.difference.value or 0.0)
