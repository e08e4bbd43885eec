"""Tables: made once from results, shown as HTML, Markdown and CSV."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar
from unicodedata import combining, east_asian_width

from reportgen.report.escaping import escape_markdown
from reportgen.results import Figure
from reportgen.results.marks import SpanPair
from reportgen.words import numbers
from reportgen.words.language import N_, _, say
from reportgen.words.numbers import pointed

Kind = Literal["text", "count", "figure", "decimal", "percent", "p", "estimate"]
Cell = str | int | float | Figure | None
Thing = TypeVar("Thing")
# A column of a table whose rows are things: its key, its heading, its kind, and its cell in a thing's row.
ColumnOf = tuple[str, str, Kind, Callable[[Thing], Cell]]

BLANK = N_("(blank)")
# Short words in brackets in the head of a column.
BRACKETS = re.compile(r"[\[(][^\[\]()]{1,16}[\])]")
# How wide a column of Markdown is at least; of one that would be wider than this, cells are not filled up.
LEAST_WIDE, MOST_WIDE = 3, 48
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

    `file` is the name of its CSV, empty where the rows are in another table's CSV. `shades` gives each
    cell of each row a shade from 0 to 9, or None; `links` where it leads, from the version's folder.
    """

    id: str
    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    file: str = ""
    total: bool = False
    shades: tuple[tuple[int | None, ...], ...] = ()
    links: tuple[tuple[str | None, ...], ...] = ()

    @property
    def places(self) -> frozenset[int]:
        """Return the columns some of whose figures have an interval, by their places."""
        return frozenset(
            place
            for row in self.rows
            for place, cell in enumerate(row)
            if isinstance(cell, Figure) and cell.interval is not None
        )


def table_of(
    name: str,
    caption: str,
    things: Iterable[Thing],
    *columns: ColumnOf[Thing] | None,
    file: str = "",
    href: Callable[[Thing], str | None] | None = None,
) -> ReportTable:
    """Return a table with a row for each thing; a column that is None is left out.

    `href` says where the first cell of a thing's row leads.
    """
    shown, own = [each for each in columns if each], tuple(things)
    blank = (None,) * (len(shown) - 1)
    return ReportTable(
        name,
        caption,
        tuple(TableColumn(key, title, kind) for key, title, kind, _cell in shown),
        tuple(tuple(cell(thing) for _key, _title, _kind, cell in shown) for thing in own),
        file=file,
        links=tuple((href(thing), *blank) for thing in own) if href else (),
    )


def table_if(
    name: str,
    caption: str,
    things: Iterable[Thing],
    *columns: ColumnOf[Thing] | None,
    file: str = "",
    href: Callable[[Thing], str | None] | None = None,
) -> ReportTable | None:
    """Return the same table, None where it has no row."""
    found = table_of(name, caption, things, *columns, file=file, href=href)
    return found if found.rows else None


def plain(names: str, kind: Kind = "text") -> tuple[TableColumn, ...]:
    """Return the columns of a CSV that are headed by their keys."""
    return tuple(TableColumn(name, name, kind) for name in names.split())


def of_layer(name: str, layer: str) -> str:
    """Return what a table, figure or file is called that a layer has of its own."""
    return name if layer == "main" else f"{name}~{layer}"


def slug_of(layer: str, unit_set: str) -> str:
    """Return what file names and anchors call a unit set; the layer is in it where it is not "main"."""
    return unit_set if layer == "main" else f"{layer}~{unit_set}"


def columns_kept(table: ReportTable, places: Sequence[int]) -> ReportTable:
    """Return the table with the columns at some places alone."""
    rows = tuple(tuple(row[place] for place in places) for row in table.rows)
    return replace(table, columns=tuple(table.columns[place] for place in places), rows=rows)


def without_idle(table: ReportTable, keys: Sequence[str]) -> ReportTable:
    """Return the table without those of the named columns that have nothing but blanks and zeros."""
    return columns_kept(
        table,
        [
            place
            for place, column in enumerate(table.columns)
            if column.key not in keys or any(row[place] for row in table.rows)
        ],
    )


def unbroken(title: str) -> str:
    """Return the head of a column that does not break within short brackets: "[95% interval]"."""
    return BRACKETS.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), title)


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
    head = [escape_markdown(column.title) for column in table.columns]
    rows = [
        [
            text if column.kind == "estimate" else escape_markdown(text)
            for text, column in (
                (cell_text(cell, each.kind), each) for cell, each in zip(row, table.columns, strict=True)
            )
        ]
        for row in table.rows
    ]
    widths = [_narrow(max(map(_wide, cells))) for cells in zip(head, *rows, strict=True)]
    kinds = [column.kind for column in table.columns]
    rule = [
        f":{'-' * (width - 1)}" if kind == "text" else f"{'-' * (width - 1)}:"
        for width, kind in zip(widths, kinds, strict=True)
    ]
    lines = [list(map(_filled, cells, widths, kinds)) for cells in (head, *rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (lines[0], rule, *lines[1:]))


def _narrow(width: int) -> int:
    """Return how wide a column of Markdown is: one of long texts is as wide as each of them."""
    return max(width, LEAST_WIDE) if width <= MOST_WIDE else LEAST_WIDE


def _wide(text: str) -> int:
    """Return how many letters of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum((east_asian_width(each) in ("W", "F")) + (not combining(each)) for each in text)


def _filled(text: str, width: int, kind: Kind) -> str:
    blanks = " " * (width - _wide(text))
    return f"{text}{blanks}" if kind == "text" else f"{blanks}{text}"


def to_csv(table: ReportTable) -> str:
    """Return the table as CSV at full precision; an estimate takes a column for each of its parts."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([name for column in table.columns for name in _names(column)])
    rows = table.rows[:-1] if table.total else table.rows
    for row in rows:
        cells = zip(row, table.columns, strict=True)
        writer.writerow([part for cell, column in cells for part in _parts(cell, column)])
    return buffer.getvalue()


def _names(column: TableColumn) -> Iterator[str]:
    if column.kind != "estimate":
        yield column.key
        return
    yield column.key
    yield from (f"{column.key}_{part}" for part in ESTIMATE_PARTS[1:])


def _parts(cell: Cell, column: TableColumn) -> Iterator[Cell]:
    if column.kind != "estimate":
        yield "" if cell is None else cell
        return
    figure = cell if isinstance(cell, Figure) else Figure(value=None)
    interval = figure.interval
    ends = (interval.low, interval.high) if interval else (None, None)
    values = (figure.value, *ends, figure.standard_error, figure.observed, figure.expected, figure.units)
    yield from ("" if value is None else value for value in values)
    yield figure.undefined or ""


def matrix_csv(corner: str, categories: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return a matrix as CSV with the categories as first row and column, as reportgen reads it."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([corner, *categories])
    for name, row in zip(categories, rows, strict=True):
        writer.writerow([name, *("" if cell is None else cell for cell in row)])
    return buffer.getvalue()


# Heads of tables, and the names of people in them, in the language that is written.

ANNOTATOR = "annotator"
# What people are beside annotators.
ROLES = {"reference": N_("reference"), "system": N_("system"), "model": N_("model")}


def heads(columns: Iterable[TableColumn]) -> tuple[TableColumn, ...]:
    """Return columns whose titles are messages, in the language that is written."""
    return tuple(replace(each, title=_(each.title)) for each in columns)


def role_in_words(role: str) -> str:
    """Return what a role is called."""
    return _(ROLES.get(role, role))


def not_independent(name: str) -> str:
    """Return the name of a reference that was made from the marks of those whom it judges."""
    return say("{name}, not independent", name=name)


def roles(pair: SpanPair) -> tuple[str, str]:
    """Return the roles of two people; a reference that was made from the other's marks too says so."""
    first, second = map(_in_words, pair.roles)
    return (not_independent(first) if pair.independent is False else first), second


def _in_words(role: str) -> str:
    return role if role == ANNOTATOR else role_in_words(role)


def named(name: str, role: str) -> str:
    """Return a name with its role, where it is not an annotator's."""
    return name if role == ANNOTATOR else f"{name} ({role})"


def setting(value: float) -> str:
    """Return a number that somebody set, with the decimals that it was given."""
    return pointed(f"{value:g}")
