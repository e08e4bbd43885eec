"""Tables where they lie, as rows of labels: which column is what, and the SQL that follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reportgen.readers.engine.duck import listed, literal
from reportgen.readers.engine.sources import FILLED, ORD, DataSource
from reportgen.readers.reader import ReaderOptions
from reportgen.readers.string_tables import StringTable, with_columns
from reportgen.readers.table_columns import RatingsTableLayout, find_layout, said_by_path

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


MARKS = "marks"
# A row's number and its sheet's are one number: so many rows, times annotators, has a sheet at most.
LARGEST_SHEET = 1 << 48
BLANKS = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())


@dataclass(frozen=True, eq=False)
class LaidSheet:
    """A table as it was understood; `said` has what its path says, by column; `rows` is its relation."""

    table: StringTable
    layout: RatingsTableLayout
    said: Mapping[int, str]
    rows: str

    @property
    def width(self) -> int:
        """Return how many labels a row can hold."""
        return len(self.layout.annotators) if self.layout.label is None else 1

    def column(self, column: int | None) -> str:
        """Return SQL for a column's text, empty where there is none."""
        if column is None:
            return "''"
        return literal(self.said[column]) if column in self.said else f"coalesce(c{column}, '')"


def laid(source: DataSource, number: int, options: ReaderOptions) -> LaidSheet:
    """Return a source as it is understood; raise BadInput with all that is wrong in it."""
    table: StringTable = source.table()
    new, columns = said_by_path(table, options)
    first = len(table.header)
    table = with_columns(table, new) if new else table
    layout = find_layout(table, replace(options, columns=columns))
    said = dict(enumerate(new.values(), first))
    rows = source.relation(number, [each for each in layout.used if each not in said])
    # What outlives the connection does not hold it.
    known = StringTable(table.file, table.header, table.columns, table.rows, table.written, table.count_lines)
    return LaidSheet(known, layout, said, rows)


def lay_marks(connection: "DuckDBPyConnection", sheets: Sequence[LaidSheet]) -> None:
    """Make one relation of all sheets: a row for each cell that can hold a label.

    Its columns are `ord`, which rises with the order of files and rows, `file`, the sheet's number,
    `document`, `unit`, `annotator`, `label` and `pass`, empty where there is none, `own`: the number of
    the row where it is the unit, else -1, `unnamed`: the unit has no name, and `n`: how many units it is.
    """
    # A text of blanks begins with one: any other is told at its first letter.
    connection.execute(
        "create temp macro blank(text) as case when text < '!' or text >= chr(127) "
        f"then trim(text, {literal(BLANKS)}) = '' else false end"
    )
    parts = " union all ".join(_marks(each, number) for number, each in enumerate(sheets))
    connection.execute(f"create temp view {MARKS} as {parts}")


def _marks(sheet: LaidSheet, number: int) -> str:
    layout, base = sheet.layout, number * LARGEST_SHEET
    document = sheet.column(layout.document)
    common = (
        f"{number} as file, case when blank({document}) then '' else {document} end as document, "
        f"{sheet.column(layout.unit)} as unit, "
        f"{f'{base} + {ORD}' if layout.unit is None else -1}::bigint as own, "
        f"{'false' if layout.unit is None else f'blank({sheet.column(layout.unit)})'} as unnamed, "
        f"{sheet.column(layout.passes)} as pass, 1 as n"
    )
    if layout.label is not None:
        return (
            f"select {base} + {ORD} as ord, {common}, {sheet.column(layout.annotators[0])} as annotator, "
            f"{sheet.column(layout.label)} as label from {sheet.rows} where {FILLED}"
        )
    names = listed([literal(sheet.table.header[column]) for column in layout.annotators])
    labels = listed([sheet.column(column) for column in layout.annotators])
    places = listed(list(map(str, range(sheet.width))))
    inner = (
        f"select {ORD}, {common}, unnest({names}) as annotator, unnest({labels}) as label, "
        f"unnest({places}) as place from {sheet.rows} where {FILLED}"
    )
    return f"select {base} + {ORD} * {sheet.width} + place as ord, * exclude ({ORD}, place) from ({inner})"
