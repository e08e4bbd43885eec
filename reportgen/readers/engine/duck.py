"""DuckDB, embedded: opened within limits, closed with all that it laid down, its refusals said in words."""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, Problem
from reportgen.readers.reader import Engine

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]B)\s*", re.IGNORECASE)
FULL = re.compile(r"no space left|disk quota|failed to offload|max_temp_directory_size", re.IGNORECASE)
# What DuckDB needs before it has read anything.
LEAST = 32 * UNITS["MB"]


class Unreadable(Exception):
    """DuckDB does not take a text for a table: whoever reads it in memory says what is wrong, or reads it."""


@contextmanager
def opened(engine: Engine, name: str) -> Iterator["DuckDBPyConnection"]:
    """Yield a database in memory, which lays down what does not fit there and leaves nothing behind.

    Raises BadInput, with the name of what is read, for all that DuckDB refuses.
    """
    import duckdb

    with tempfile.TemporaryDirectory(prefix=".reportgen-", dir=engine.folder) as below:
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{limit(engine)}B",
            "temp_directory": below,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        if engine.threads:
            config["threads"] = engine.threads
        with _refused(name, engine), duckdb.connect(config=config) as connection:
            connection.execute("set enable_progress_bar = false")
            yield connection


def limit(engine: Engine) -> int:
    """Return how many bytes DuckDB may take; raise BadInput for what is no size."""
    if engine.memory is None:
        return max(LEAST, _memory_there() // 2)
    found = SIZE.fullmatch(engine.memory)
    size = int(float(found[1]) * UNITS[found[2].upper()]) if found else 0
    if size < LEAST:
        message = f'is "{engine.memory}"; a size of at least {LEAST // UNITS["MB"]}MB was expected.'
        raise BadInput([Problem("--memory", message=message, mend="Write for example 2GB.")])
    return size


def _memory_there() -> int:
    """Return how many bytes of memory the machine has; eight gigabytes where it does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 8 * UNITS["GB"]


@contextmanager
def _refused(name: str, engine: Engine) -> Iterator[None]:
    """Raise BadInput where DuckDB refuses."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        said = str(error).splitlines()[0].strip()
        if FULL.search(str(error)):
            message, mend = f"the disk is full: {said}", "Make room there."
        elif isinstance(error, duckdb.OutOfMemoryException):
            message = f"does not fit into {limit(engine) // UNITS['MB']:,} MB of memory: {said}"
            mend = "Give more with --memory."
        else:
            message, mend = f"can't be read: {said}", "Check that it is whole, and that you may read it."
        raise BadInput([Problem(name, message=message, mend=mend)]) from None


def lay_table(connection: "DuckDBPyConnection", name: str, columns: Mapping[str, Sequence[object]]) -> None:
    """Make a table of columns, each given by its name and type, such as "label varchar"."""
    named = (column.split() for column in columns)
    selected = ", ".join(f"unnest(?::{kind}[]) as {column}" for column, kind in named)
    connection.execute(
        f"create temp table {name} as select {selected}", [list(each) for each in columns.values()]
    )


def quoted(name: str) -> str:
    """Return the name of a column or table as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"


def listed(items: Iterator[str] | list[str]) -> str:
    """Return a list as SQL has it."""
    return f"[{', '.join(items)}]"
