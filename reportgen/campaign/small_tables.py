"""The small CSV tables of a campaign: rows with their lines, and numbers as people write them."""

import csv
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import delimiter, numbered_rows, read_text
from reportgen.campaign.values import alternatives, did_you_mean, printable, quoted

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)

NumberedRow = tuple[int, list[str]]


def read_table(path: Path, name: str) -> tuple[str, list[NumberedRow]]:
    """Return a table's delimiter, and its rows with their lines, without blank ones, cells stripped.

    Raises BadInput, which calls the file `name`, where it can't be read or holds nothing.
    """
    text = read_text(path, name)
    try:
        mark = delimiter(text)
        rows = [(line, [cell.strip() for cell in row]) for line, row in numbered_rows(text, mark)]
    except csv.Error as error:
        raise BadInput(
            [Problem(name, message=f"is no CSV table: {error}.", mend="Save it as CSV.")]
        ) from None
    filled = [(line, row) for line, row in rows if any(row)]
    if not filled:
        raise BadInput(
            [Problem(name, message="is empty.", mend="Fill it in, or take it out of campaign.toml.")]
        )
    return mark, filled


def read_number(cell: str, mark: str) -> float | None:
    """Return the number in a cell, infinite or not a number where it says so, None where it is none.

    A decimal comma counts where the delimiter is another sign.
    """
    text = cell if mark == "," else cell.replace(",", ".")
    if NUMBER.fullmatch(text):
        return float(text)
    return math.nan if NOT_FINITE.fullmatch(text) else None


# How many units each document holds, where a campaign declares it.

COLUMNS = ("document", "size")
WHOLE_NUMBER = re.compile(r"[0-9]{1,15}")


def read_sizes(path: Path, name: str) -> dict[str, int]:
    """Return the size of each document, from a CSV file with the columns document and size.

    `name` is what errors call the file. Raises BadInput with everything that is wrong: other columns, a
    row of another length, a document without a name or twice, a size that is no whole number.
    """
    _, rows = read_table(path, name)
    header_line, header = rows[0]
    folded = [cell.casefold() for cell in header]
    if sorted(folded) != sorted(COLUMNS):
        message = f"has the columns {alternatives(header, 'and')}; document and size were expected."
        raise BadInput([Problem(name, header_line, "first row", message, "Write document,size above them.")])
    body = [(line, row if folded[0] == "document" else row[::-1]) for line, row in rows[1:]]
    problems = list(_problems(name, header_line, body))
    if problems:
        raise BadInput(problems)
    return {document: int(size) for _, (document, size) in body}


def _problems(name: str, header_line: int, body: list[NumberedRow]) -> Iterator[Problem]:
    if not body:
        yield Problem(name, header_line, "", "lists no document.", "Write one row a document.")
    first: dict[str, int] = {}
    for line, row in body:
        for key, message, mend in _row_problems(row, first):
            yield Problem(name, line, printable(key), message, mend)
        first.setdefault(row[0], line)


def _row_problems(row: list[str], first: dict[str, int]) -> Iterator[tuple[str, str, str]]:
    if len(row) != len(COLUMNS):
        yield "", f"has {len(row)} cells; a document and its size were expected.", "Correct the row."
        return
    document, size = row
    if not document:
        yield "column document", "is empty; the name of a document was expected.", "Write the name."
    if document in first:
        yield f"row {document}", f"stands on line {first[document]} already.", "Keep one of the two."
    if not WHOLE_NUMBER.fullmatch(size):
        found = f"is {quoted(size)}" if size else "is empty"
        yield f"row {document}, column size", f"{found}; a whole number was expected.", "Write digits only."


# Control items: units whose right label is known, and the rule by which annotators are rejected.

NEEDED = ("unit", "label")
ALLOWED = (*NEEDED, "document", "layer")


@dataclass(frozen=True)
class ControlItem:
    """One control item: its unit, the document where the file names it, the layer, and its right label."""

    line: int
    unit: str
    label: str
    document: str
    layer: str


@dataclass(frozen=True)
class ControlItems:
    """The control items of a campaign, the file that lists them, and the rule of rejection.

    An annotator who labelled at least `minimum` of them is rejected where the upper end of the interval of
    the share of right labels is below `reject_below`; None rejects nobody.
    """

    file: str
    items: tuple[ControlItem, ...]
    reject_below: float | None
    minimum: int


def read_controls(path: Path, name: str, layers: Sequence[str]) -> tuple[ControlItem, ...]:
    """Return the control items of a CSV file with the columns unit and label.

    The columns document and layer are optional; an item without a layer is of the first. `name` is what
    errors call the file. Raises BadInput with everything that is wrong: other columns, a row of another
    length, an empty unit or label, a layer that is none, an item that stands there twice.
    """
    _, rows = read_table(path, name)
    line, header = rows[0][0], [cell.casefold() for cell in rows[0][1]]
    _check_header(name, line, header)
    problems: list[Problem] = []
    found: dict[tuple[str, str, str], ControlItem] = {}
    for row in rows[1:]:
        item = _item(row, header, layers)
        wrong = list(_wrong(name, row, item, layers))
        if item and not wrong:
            key = item.layer, item.document, item.unit
            wrong = list(_again(name, item, found.get(key)))
            found.setdefault(key, item)
        problems += wrong
    if not found and not problems:
        problems = [Problem(name, line, "", "lists no control item.", "Write one row a control item.")]
    if problems:
        raise BadInput(problems)
    return tuple(found.values())


def _check_header(name: str, line: int, header: Sequence[str]) -> None:
    fits = set(NEEDED) <= set(header) <= set(ALLOWED) and len(set(header)) == len(header)
    if not fits:
        message = f"has the columns {alternatives(header, 'and')}; unit and label were expected."
        mend = "Write unit,label above them; document and layer may stand beside."
        raise BadInput([Problem(name, line, "first row", message, mend)])


def _item(row: NumberedRow, header: Sequence[str], layers: Sequence[str]) -> ControlItem | None:
    """Return the control item of a row, None where the row has another length."""
    line, cells = row
    if len(cells) != len(header):
        return None
    named = dict.fromkeys(ALLOWED, "") | dict(zip(header, cells, strict=True))
    return ControlItem(line, named["unit"], named["label"], named["document"], named["layer"] or layers[0])


def _wrong(name: str, row: NumberedRow, item: ControlItem | None, layers: Sequence[str]) -> Iterator[Problem]:
    line, cells = row
    if item is None:
        message = f"has {len(cells)} cell{'s' if len(cells) != 1 else ''}, another number than the first row."
        yield Problem(name, line, "", message, "Correct the row.")
        return
    for column in NEEDED:
        if not getattr(item, column):
            yield Problem(name, line, f"column {column}", "is empty.", f"Write the {column}.")
    if item.layer not in layers:
        mend = did_you_mean(item.layer, layers) or f"It has {alternatives(layers, 'and')}."
        message = f"the campaign has no layer {quoted(item.layer)}."
        yield Problem(name, line, "column layer", message, mend)


def _again(name: str, item: ControlItem, first: ControlItem | None) -> Iterator[Problem]:
    if first is not None:
        message = f"stands on line {first.line} already."
        yield Problem(name, item.line, f"row {printable(item.unit)}", message, "Keep one of the two.")


# Lists of terms: what could have been marked in the texts of a campaign.

COMMENT = "#"


def read_terms(path: Path, name: str) -> tuple[str, ...]:
    """Return the terms of a list, each once, in its order: one a line, without white space around it.

    Blank lines and lines that begin with # are passed over. `name` is what errors call the file. Raises
    BadInput where it can't be read, is no UTF-8, or lists no term.
    """
    lines = (line.strip() for line in read_text(path, name).splitlines())
    terms = tuple(dict.fromkeys(line for line in lines if line and not line.startswith(COMMENT)))
    if not terms:
        mend = "Write one term a line, as the texts have it."
        raise BadInput([Problem(name, message="lists no term.", mend=mend)])
    return terms
