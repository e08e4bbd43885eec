"""A filled sheet as rows: CSV as spreadsheets write it, or a workbook, with the line of each."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.adjudication.names import COLUMNS, REQUIRED
from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.files import DELIMITERS, decode, numbered_rows, rows
from reportgen.formats.parsing.workbooks import EXTENSIONS, is_workbook, read_sheets
from reportgen.formats.reader import ExportFile

NumberedRow = tuple[int, list[str]]

# The first row that holds anything may stand below empty ones.
FIRST_ROWS = 5
MEND_COLUMNS = "Keep the first row of the sheet as it was written."


@dataclass(frozen=True)
class Row:
    """One row of a sheet: its cells by column, and the labels of the annotators in their order."""

    file: str
    line: int
    cells: Mapping[str, str]
    labels: tuple[str, ...]

    def problem(self, column: str, message: str, mend: str) -> Problem:
        """Return a problem of one of its cells."""
        return Problem(self.file, self.line, f"column {column}", message, mend)


def read_sheet(path: Path, name: str) -> list[Row]:
    """Return the rows of a filled sheet that hold anything.

    `name` is what errors call the file. Raises BadInput where it can't be read, is empty, lacks columns, or
    has a row that is longer than the first.
    """
    file = ExportFile(path, name)
    found = _workbook(file) if is_workbook(file) or file.suffix in EXTENSIONS else _csv(file)
    filled = [(line, row) for line, row in found if any(cell.strip() for cell in row)]
    if not filled:
        raise BadInput(
            [Problem(name, message="is empty.", mend="Fill it in, or take it out of campaign.toml.")]
        )
    (first, head), *body = filled
    columns = _columns(name, first, head)
    labels = _label_columns(head, columns)
    problems = list(_too_long(name, body, len(head)))
    if problems:
        raise BadInput(problems)
    padded = ((line, [*row, *[""] * (len(head) - len(row))]) for line, row in body)
    return [
        Row(
            name,
            line,
            {column: row[place] for column, place in columns.items()},
            tuple(row[place] for place in labels),
        )
        for line, row in padded
    ]


def _workbook(file: ExportFile) -> list[NumberedRow]:
    sheets = read_sheets(file)
    return sheets[0].rows if sheets else []


def _csv(file: ExportFile) -> list[NumberedRow]:
    """Return the rows of a CSV by the delimiter that finds the sheet's columns in its first row."""
    text = decode(file.content, file.name)
    try:
        return numbered_rows(text, max(DELIMITERS, key=lambda mark: _known_columns(text, mark)))
    except csv.Error as error:
        problem = Problem(file.name, message=f"is no CSV table: {error}.", mend="Save it as CSV.")
        raise BadInput([problem]) from None


def _known_columns(text: str, mark: str) -> int:
    heads = rows(text, mark, FIRST_ROWS)
    return max((len({*map(_folded, row)} & {*COLUMNS}) for row in heads), default=0)


def _folded(cell: str) -> str:
    return cell.strip().casefold()


def _columns(file: str, line: int, head: Sequence[str]) -> dict[str, int]:
    """Return where each column of the sheet stands; raise BadInput where one is missing or there twice."""
    folded = [_folded(cell) for cell in head]
    problems = [
        *(_missing(file, line, name, head) for name in REQUIRED if name not in folded),
        *(_twice(file, line, name) for name in COLUMNS if folded.count(name) > 1),
    ]
    if problems:
        raise BadInput(problems)
    return {name: folded.index(name) for name in COLUMNS if name in folded}


def _missing(file: str, line: int, name: str, head: Sequence[str]) -> Problem:
    near = did_you_mean(name, [cell for cell in head if cell.strip()])
    mend = f"{near} {MEND_COLUMNS}" if near.startswith("Did") else MEND_COLUMNS
    return Problem(file, line, "first row", f'has no column "{name}".', mend)


def _twice(file: str, line: int, name: str) -> Problem:
    return Problem(file, line, "first row", f'has two columns "{name}".', "Rename one of them.")


def _label_columns(head: Sequence[str], columns: Mapping[str, int]) -> list[int]:
    """Return the columns of labels: the others before the decision; behind it there may be notes."""
    known: Iterable[int] = columns.values()
    return [place for place in range(columns["decision"]) if place not in known and head[place].strip()]


def _too_long(file: str, body: Sequence[NumberedRow], width: int) -> Iterator[Problem]:
    for line, row in body:
        if any(cell.strip() for cell in row[width:]):
            message = f"has {len(row)} cells; {width} were expected, one a column."
            yield Problem(
                file, line, message=message, mend="Put cells that hold commas into quotation marks."
            )
