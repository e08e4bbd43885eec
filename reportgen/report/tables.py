"""Tables: made once from results, shown as HTML, Markdown and CSV."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, ParamSpec, TypeVar
from unicodedata import combining, east_asian_width

from reportgen.base.dataclass import dataclass
from reportgen.base.files import as_csv
from reportgen.report.escaping import escape_markdown
from reportgen.results import Figure
from reportgen.results.marks import SpanPair
from reportgen.words import numbers
from reportgen.words.language import N_, _, say
from reportgen.words.numbers import pointed

Kind = Literal["text", "count", "figure", "decimal", "percent", "p", "estimate"]
Cell = str | int | float | Figure | None
Record = TypeVar("Record")
Arguments = ParamSpec("Arguments")
# A column of a table whose rows are records: its key, its heading, its kind, and its cell in a record's row.
ColumnOf = tuple[str, str, Kind, Callable[[Record], Cell]]

BLANK = N_("(blank)")
# Short words in brackets in the head of a column.
BRACKETS = re.compile(r"[\[(][^\[\]()]{1,16}[\])]")
# How wide a column of Markdown is at least; of one that would be wider than this, cells are not filled up.
LEAST_WIDE, MOST_WIDE = 3, 48
# More pairs, or people, than these are in the CSV, and on the page those that agree least.
MOST_AGREEING, LEAST_AGREEING = 60, 20
ESTIMATE_PARTS = ("value", "low", "high", "standard_error", "observed", "expected", "units", "undefined")


@dataclass(frozen=True)
class TableColumn:
    """A column: its key in the CSV, its head on a page, the kind of its cells."""

    key: str
    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class ReportTable:
    """A table with a caption; the first column heads the rows, `total` says whether the last row is a margin.

    `file` is the name of its CSV, empty where the rows are in another table's CSV, `what` says what the CSV
    is, in English: the metadata of a bundle have it. `shades` gives each
    cell of each row a shade from 0 to 9, or None; `links` where it leads, from the version's folder.
    """

    id: str
    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    file: str = ""
    what: str = ""
    total: bool = False
    shades: tuple[tuple[int | None, ...], ...] = ()
    links: tuple[tuple[str | None, ...], ...] = ()

    @cached_property
    def interval_columns(self) -> frozenset[int]:
        """Return the indices of the columns some of whose figures have an interval."""
        return frozenset(
            column_index
            for row in self.rows
            for column_index, cell in enumerate(row)
            if isinstance(cell, Figure) and cell.interval is not None
        )


def table_of(  # noqa: PLR0913 - the parts of a table
    name: str,
    caption: str,
    records: Iterable[Record],
    *columns: ColumnOf[Record] | None,
    file: str = "",
    what: str = "",
    href: Callable[[Record], str | None] | None = None,
) -> ReportTable:
    """Return a table with a row for each record; a column that is None is left out.

    `href` says where the first cell of a record's row leads.
    """
    shown, records = [column for column in columns if column], list(records)
    blank = (None,) * (len(shown) - 1)
    return ReportTable(
        name,
        caption,
        tuple(TableColumn(key, title, kind) for key, title, kind, _cell in shown),
        tuple(tuple(cell(record) for _key, _title, _kind, cell in shown) for record in records),
        file=file,
        what=what,
        links=tuple((href(record), *blank) for record in records) if href else (),
    )


def _if_filled(made: Callable[Arguments, ReportTable]) -> Callable[Arguments, ReportTable | None]:
    def table(*args: Arguments.args, **kwargs: Arguments.kwargs) -> ReportTable | None:
        filled = made(*args, **kwargs)
        return filled if filled.rows else None

    return table


# The same table, None where it has no row.
table_if = _if_filled(table_of)


def columns_of(
    titles: Mapping[str, str], kind: Kind, cell: Callable[[Any, str], Cell]
) -> list[ColumnOf[Any]]:
    """Return a column for each title; `cell` gives its cells from a record and the key of the title."""

    def of(key: str) -> Callable[[Any], Cell]:
        return lambda record: cell(record, key)

    return [(key, title, kind, of(key)) for key, title in titles.items()]


def csv_table(
    name: str, what: str, columns: Iterable[TableColumn], rows: Iterable[tuple[Cell, ...]]
) -> ReportTable:
    """Return a table that no page shows, for a CSV of its name."""
    return ReportTable(name, "", tuple(columns), tuple(rows), file=f"{name}.csv", what=what)


def csv_if(
    name: str, what: str, columns: Iterable[TableColumn], rows: Iterable[tuple[Cell, ...]]
) -> Iterator[ReportTable]:
    """Yield the same, nothing where it has no row."""
    table = csv_table(name, what, columns, rows)
    if table.rows:
        yield table


def plain(names: str, kind: Kind = "text") -> tuple[TableColumn, ...]:
    """Return the columns of a CSV that are headed by their keys."""
    return tuple(TableColumn(name, name, kind) for name in names.split())


def fields(part: object, names: str) -> tuple[Any, ...]:
    """Return some fields of a part of results, by their names; blanks where there is no such part."""
    return tuple(None if part is None else getattr(part, name) for name in names.split())


def gathered(names_and_reasons: Iterable[tuple[str, str | None]]) -> dict[str, list[str]]:
    """Return names by the reason, those without one left out."""
    reasons: dict[str, list[str]] = {}
    for name, reason in names_and_reasons:
        if reason:
            reasons.setdefault(reason, []).append(name)
    return reasons


def of_layer(name: str, layer: str) -> str:
    """Return what a table, figure or file is called that a layer has of its own."""
    return name if layer == "main" else f"{name}~{layer}"


def slug_of(layer: str, unit_set: str) -> str:
    """Return what file names and anchors call a unit set; the layer is in it where it is not "main"."""
    return unit_set if layer == "main" else f"{layer}~{unit_set}"


def least(
    records: Sequence[Record], value: Callable[[Record], float | None], most: int = MOST_AGREEING
) -> Sequence[Record]:
    """Return all records, or of more than `most` those with the least value; no value counts as 1."""
    if len(records) <= most:
        return records

    def rank(record: Record) -> float:
        number = value(record)
        return 1.0 if number is None else number

    return sorted(records, key=rank)[:LEAST_AGREEING]


def some_of(message: str, shown: int, every: int) -> Iterator[str]:
    """Yield how many of all are shown, where these are not all of them."""
    if shown < every:
        yield say(message, shown=numbers.count(shown), all=numbers.count(every))


def columns_kept(table: ReportTable, indices: Sequence[int]) -> ReportTable:
    """Return the table with the columns of some indices alone, their shades and links with them."""

    def of_indices(rows: Sequence[Sequence[Record]]) -> tuple[tuple[Record, ...], ...]:
        return tuple(tuple(row[i] for i in indices) for row in rows)

    return replace(
        table,
        columns=tuple(table.columns[i] for i in indices),
        rows=of_indices(table.rows),
        shades=of_indices(table.shades),
        links=of_indices(table.links),
    )


def without(table: ReportTable, keys: Collection[str]) -> ReportTable:
    """Return the table without the columns of some keys."""
    return columns_kept(table, [i for i, column in enumerate(table.columns) if column.key not in keys])


def without_empty_columns(table: ReportTable, keys: Collection[str]) -> ReportTable:
    """Return the table without those of the named columns that have nothing but blanks and zeros."""
    filled = {column.key for i, column in enumerate(table.columns) if any(row[i] for row in table.rows)}
    return without(table, set(keys) - filled)


def unbroken(title: str) -> str:
    """Return the head of a column that does not break within short brackets: "[95% interval]"."""
    return BRACKETS.sub(lambda brackets: brackets[0].replace(" ", "\N{NO-BREAK SPACE}"), title)


def cell_text(value: Cell, kind: Kind) -> str:
    """Return a cell as plain text, rounded."""
    if isinstance(value, Figure):
        return numbers.estimate(value)
    if value is None or value == "":
        return numbers.NONE if kind != "text" else ""
    if isinstance(value, str):
        return value if value.strip() else _(BLANK)
    shown: dict[str, Callable[[float], str]] = {
        "figure": numbers.figure,
        "decimal": numbers.decimal,
        "percent": numbers.percent,
        "p": numbers.p_value,
    }
    return shown[kind](value) if kind in shown else numbers.count(int(value))


def to_markdown(table: ReportTable) -> str:
    """Return the table as Markdown, every text escaped; in an interval nothing needs it.

    Its columns come below each other where it is read as it is, in a terminal.
    """
    kinds = [column.kind for column in table.columns]
    shown = [[escape_markdown(column.title) for column in table.columns]]
    shown += [list(map(_escaped, row, kinds)) for row in table.rows]
    widest = (max(map(_wide, cells)) for cells in zip(*shown, strict=True))
    # A column of long texts is as wide as each of them.
    widths = [max(width, LEAST_WIDE) if width <= MOST_WIDE else LEAST_WIDE for width in widest]
    rule = [
        f":{'-' * (width - 1)}" if kind == "text" else f"{'-' * (width - 1)}:"
        for width, kind in zip(widths, kinds, strict=True)
    ]
    head, *rows = (list(map(_filled, cells, widths, kinds)) for cells in shown)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def _escaped(cell: Cell, kind: Kind) -> str:
    """Return a cell as Markdown; an interval needs no escape, and within a line ">" says nothing."""
    text = cell_text(cell, kind)
    return text if kind == "estimate" else escape_markdown(text).replace("&gt;", ">")


def _wide(text: str) -> int:
    """Return how many letters of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum((east_asian_width(letter) in ("W", "F")) + (not combining(letter)) for letter in text)


def _filled(text: str, width: int, kind: Kind) -> str:
    blanks = " " * (width - _wide(text))
    return f"{text}{blanks}" if kind == "text" else f"{blanks}{text}"


def to_csv(table: ReportTable) -> str:
    """Return the table as CSV at full precision."""
    return as_csv(([key for key, _kind in csv_columns(table)], *csv_rows(table)))


def csv_columns(table: ReportTable) -> list[tuple[str, Kind]]:
    """Return the heads of the CSV's columns with their kinds; an estimate takes one for each of its parts."""
    return [named_part for column in table.columns for named_part in _columns(column)]


def csv_rows(table: ReportTable) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of the CSV, without the margin below the table."""
    for row in table.rows[:-1] if table.total else table.rows:
        yield tuple(
            part for cell, column in zip(row, table.columns, strict=True) for part in _parts(cell, column)
        )


def _columns(column: TableColumn) -> list[tuple[str, Kind]]:
    more = ESTIMATE_PARTS[1:] if column.kind == "estimate" else ()
    kinds: dict[str, Kind] = {"units": "count", "undefined": "text"}
    return [
        (column.key, column.kind),
        *((f"{column.key}_{part}", kinds.get(part, column.kind)) for part in more),
    ]


def _parts(cell: Cell, column: TableColumn) -> tuple[Cell, ...]:
    if column.kind != "estimate":
        return (cell,)
    figure = cell if isinstance(cell, Figure) else Figure(value=None)
    ends = (figure.interval.low, figure.interval.high) if figure.interval else (None, None)
    return (
        *(figure.value, *ends, figure.standard_error),
        *(figure.observed, figure.expected, figure.units, figure.undefined),
    )


# Heads of tables, and the names of people in them, in the language that is written.

ANNOTATOR = "annotator"
# What people are beside annotators.
ROLES = {"reference": N_("reference"), "system": N_("system"), "model": N_("model")}


def role_in_words(role: str) -> str:
    """Return what a role is called."""
    return _(ROLES.get(role, role))


def not_independent(name: str) -> str:
    """Return the name of a reference that was made from the marks of those whom it judges."""
    return say("{name}, not independent", name=name)


def roles(pair: SpanPair) -> tuple[str, str]:
    """Return the roles of two people; a reference that was made from the other's marks too says so."""
    first, second = (role if role == ANNOTATOR else role_in_words(role) for role in pair.roles)
    return (not_independent(first) if pair.independent is False else first), second


def named(name: str, role: str) -> str:
    """Return a name with its role, where it is not an annotator's."""
    return name if role == ANNOTATOR else f"{name} ({role})"


def as_declared(value: float) -> str:
    """Return a number that somebody set, with the decimals that it was given."""
    return pointed(f"{value:g}")
