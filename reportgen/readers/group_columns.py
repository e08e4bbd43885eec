"""Columns of what annotators are, beside each of their labels: age, gender, first language."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from reportgen.base.errors import BadInput, Problem
from reportgen.readers.annotations import Codes, Texts
from reportgen.readers.reader import ReaderOptions, shortened
from reportgen.readers.string_tables import StringTable
from reportgen.readers.table_columns import Understood
from reportgen.readers.table_reading import rows_looked_at
from reportgen.readers.table_shapes import Column, is_attribute, joined, values_by

# What each annotator is, by name and by attribute; whoever has no value of an attribute is not under it.
Attributes = Mapping[str, Mapping[str, str]]
KEY = "columns.group"
IN_CAMPAIGN = 'Say it in campaign.toml: [annotators.NAME] group = { age = "18-29" }.'


class InRows(Protocol):
    """Whose cells are in which rows."""

    @property
    def row(self) -> Codes:
        """Return the places of the rows (cells,)."""

    @property
    def annotator(self) -> Texts:
        """Return whose they are (cells,)."""


def attribute_columns(
    tables: Sequence[StringTable], annotator: str | None, units: Sequence[str]
) -> tuple[str, ...]:
    """Return the columns that may be groups: called like what is known of annotators, and one value of each.

    On some unit two annotators differ in it: what follows from units is known of these.
    """
    rows = joined([rows_looked_at(table) for table in tables])
    by_units = [name for name in units if name in rows.all]
    if annotator not in rows.all or not by_units:
        return ()

    def is_group(column: Column) -> bool:
        known = column.is_filled & rows[annotator].is_filled
        of_people, of_units = (
            values_by(rows.codes(by)[known], column.cells.codes[known]) for by in ([annotator], by_units)
        )
        return bool((of_people == 1).all() and (of_units > 1).any())

    others = (column for name, column in rows.all.items() if name != annotator and name not in by_units)
    return tuple(column.name for column in others if is_attribute(column.name) and is_group(column))


def without_groups(tables: Sequence[StringTable], options: ReaderOptions) -> list[StringTable]:
    """Return tables without the columns of groups; raise BadInput for a column that no table has."""
    names = {name for table in tables for name in table.header}
    if tables and (absent := [name for name in options.groups if name not in names]):
        table = tables[0]
        raise BadInput(table.absent(KEY, name) for name in absent)
    return [_without(table, options.groups) for table in tables] if options.groups else list(tables)


def _without(table: StringTable, names: Sequence[str]) -> StringTable:
    return table.only([place for place, name in enumerate(table.header) if name not in names])


def groups_in(
    tables: Sequence[StringTable],
    sheets: Sequence[tuple[Understood, InRows]],
    options: ReaderOptions,
) -> Attributes:
    """Return what each annotator is, as tables say it beside labels; an empty cell says nothing.

    `sheets` are the tables as they were understood, with their cells of labels. Raises BadInput where
    somebody has two values in one column, and where annotators have a column each.
    """
    if not options.groups:
        return {}
    whole = {table.file.name: table for table in tables}
    found: dict[str, dict[str, str]] = {}
    problems: list[Problem] = []
    for sheet, cells in sheets:
        table = whole[sheet.table.file.name]
        if sheet.layout.label is None:
            message = "is about annotators beside their labels, and here each annotator is a column."
            problems.append(table.problem(table.lines[0], KEY, message, IN_CAMPAIGN))
        else:
            problems += _added(found, table, cells, options.groups)
    if problems:
        raise BadInput(shortened(problems))
    return found


def _added(
    found: dict[str, dict[str, str]], table: StringTable, cells: InRows, names: Sequence[str]
) -> Iterator[Problem]:
    """Add what a table says of annotators, and yield a problem for each who has another value already."""
    place = {row: number for number, row in enumerate(table.rows.tolist())}
    told: set[tuple[str, str]] = set()
    for name in names:
        if name not in table.header:
            continue
        column = table.columns[table.header.index(name)]
        for row, annotator in zip(cells.row.tolist(), cells.annotator, strict=True):
            value, own = column[place[row]].strip(), found.setdefault(annotator, {})
            known = own.setdefault(name, value) if value and annotator.strip() else value
            if value != known and (annotator, name) not in told:
                told.add((annotator, name))
                message = f'"{annotator}" has "{known}" in column "{name}" before, and "{value}" here.'
                remedy = "Give each annotator one value, or empty the cells where it is not known."
                yield table.problem(table.lines[row], KEY, message, remedy)
