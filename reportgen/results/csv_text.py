"""Tables beside results.json, as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence

from reportgen.results.model import rounded


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV: floats at 12 significant digits as in results, nothing for what has no value."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return buffer.getvalue()


def _cell(value: object) -> object:
    return "" if value is None else rounded(value)
