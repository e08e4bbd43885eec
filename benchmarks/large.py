"""Tables of any size: `agree` and `count` beside DuckDB's bare query of pairs of labels, in one run."""

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LARGEST = 10_000_000
SIZES = (100_000, 1_000_000, 3_000_000, 10_000_000, 50_000_000)
CSV_ROWS = 3_000_000
ANNOTATORS, CATEGORIES, ROWS_A_DOCUMENT = 3, 5, 2500
MADE = f"""
import duckdb, sys
units, path, form = int(sys.argv[1]) // {ANNOTATORS}, sys.argv[2], sys.argv[3]
agreed, own = "hash(u) % {CATEGORIES}", "hash(u * 31 + a) % {CATEGORIES}"
columns = (
    "'u' || lpad(u::varchar, 8, '0') as unit, 'd' || u // {ROWS_A_DOCUMENT // ANNOTATORS} as document, "
    "'ann' || a as annotator, "
    "'cat' || (case when hash(u * 7 + a * 13) % 100 < 80 then " + agreed + " else " + own + " end) as label"
)
rows = "range(" + str(units) + ") units (u), range({ANNOTATORS}) people (a) order by u, a"
duckdb.execute("copy (select " + columns + " from " + rows + ") to '" + path + "' (" + form + ")")
"""  # noqa: S608 - nothing of it comes from elsewhere
PAIRS = """
import duckdb, sys
duckdb.execute("select a.annotator, b.annotator, a.label, b.label, count(*) from '{0}' a join '{0}' b "
    "on a.unit = b.unit and a.annotator < b.annotator group by all".format(sys.argv[1])).fetchall()
"""


@dataclass(frozen=True)
class Cost:
    """What a process took: seconds by the clock and of processors, and its largest memory in megabytes."""

    clock: float
    processors: float
    memory: float


def run(largest: int) -> Iterator[str]:
    """Yield a table in Markdown, a line for each size up to the largest, as they are measured."""
    yield "| table | labels | command | seconds | processor seconds | MB | DuckDB's pairs | ratio |"
    yield "|---|---|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        table = _made(Path(folder) / "labels.csv", CSV_ROWS, "format csv, header")
        yield _line("CSV", CSV_ROWS, "agree", ["agree", str(table)], table)
        table.unlink()
        for rows in SIZES:
            if rows <= largest:
                table = _made(Path(folder) / "labels.parquet", rows, "format parquet")
                out = str(Path(folder) / "counts")
                yield _line("Parquet", rows, "count", ["count", str(table), "--out", out], table)


def _line(kind: str, rows: int, name: str, command: Sequence[str], table: Path) -> str:
    own = cost_of([sys.executable, "-m", "reportgen", *command])
    bare = cost_of([sys.executable, "-c", PAIRS, str(table)])
    return (
        f"| {kind} | {rows:,} | `{name}` | {own.clock:.1f} | {own.processors:.1f} | {own.memory:,.0f} | "
        f"{bare.clock:.1f} s, {bare.processors:.1f} s, {bare.memory:,.0f} MB | "
        f"{own.clock / bare.clock:.1f}, {own.processors / bare.processors:.1f} |"
    )


def _made(path: Path, rows: int, form: str) -> Path:
    """Write labels of three annotators in documents, in the form that DuckDB's COPY is told."""
    cost_of([sys.executable, "-c", MADE, str(rows), str(path), form])
    return path


def cost_of(command: Sequence[str]) -> Cost:
    """Run a command to its end and return what it took; raise RuntimeError where it fails."""
    begun = time.perf_counter()
    nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(command[0], list(command), os.environ, file_actions=nowhere)
    _, status, used = os.wait4(process, 0)
    if status:
        message = f"{' '.join(command[:4])} fails"
        raise RuntimeError(message)
    return Cost(time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
