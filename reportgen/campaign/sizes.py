"""How many units each document holds, where a campaign declares it."""

import re
from collections.abc import Iterator
from pathlib import Path

from reportgen.campaign.table import NumberedRow, read_table
from reportgen.campaign.wording import alternatives, printable, quoted
from reportgen.errors import BadInput, Problem

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
