"""Counts as Parquet, beside each CSV: the same rows, whole numbers as numbers and all else as text.

The bytes hang on the version of pyarrow that wrote them, and are no part of what is promised to be the same.
"""

import importlib.util
import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from reportgen.errors import Problem
from reportgen.files import rows
from reportgen.release.names import COUNTS

if TYPE_CHECKING:
    import pyarrow as pa

CSV, PARQUET = ".csv", ".parquet"
# The columns that hold how many; every other one is a name or a label, also where it looks like a number.
NUMBERS = frozenset(("n",))


def missing() -> Iterator[Problem]:
    """Yield a problem where the package that writes Parquet is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        message = "needs the package pyarrow, which is not installed."
        yield Problem("--parquet", message=message, mend='Install reportgen with the extra "parquet".')


def as_parquet(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return each table of counts once more, by its path in the bundle."""
    tables = [name for name in files if name.startswith(COUNTS) and name.endswith(CSV)]
    return {f"{name.removesuffix(CSV)}{PARQUET}": _parquet(files[name].decode()) for name in tables}


def _parquet(text: str) -> bytes:
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    # Nothing is compressed, so that whoever searches the bundle for names finds all that it holds.
    pq.write_table(_table(text), buffer, compression="none")
    return buffer.getvalue()


def _table(text: str) -> "pa.Table":
    import pyarrow as pa

    head, *cells = rows(text, ",")
    columns = list(zip(*cells, strict=True)) or [()] * len(head)
    kinds = [pa.int64() if name in NUMBERS else pa.string() for name in head]
    arrays = [
        pa.array([int(cell) if kind == pa.int64() else cell for cell in column], kind)
        for kind, column in zip(kinds, columns, strict=True)
    ]
    return pa.table(arrays, names=head)
