"""The small CSV tables of a campaign: rows with their lines, and numbers as people write them."""

import csv
import math
import re
from pathlib import Path

from reportgen.errors import BadInput, Problem
from reportgen.files import delimiter, numbered_rows, read_text

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
