"""Tables of labels of every shape, as texts, as Parquet and in databases."""

import csv
import random
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

Rows = Sequence[Sequence[str | None]]
LABELS = ("yes", "no", "maybe")


@dataclass(frozen=True)
class Shape:
    """A table: its header, its rows, and how it is read."""

    header: tuple[str, ...]
    rows: Rows
    separator: str | None = None
    missing: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    non_annotated: str | None = None
    scale: str = "nominal"
    annotators: tuple[str, ...] = ()


def _long(
    chosen: random.Random, *, documents: bool = False, passes: bool = False, gaps: bool = False
) -> Rows:
    found = []
    for unit in range(60):
        for annotator in ("bob", "Ann", "eve|2", "zoé"):
            for turn in ("1", "2") if passes and unit % 3 == 0 else ("1",):
                label = "" if gaps and chosen.random() < 0.3 else chosen.choice(LABELS)
                document = [f"d{unit // 7}" if unit % 11 else ""] if documents else []
                found.append([f"u{unit}", annotator, label, *document, *([turn] if passes else [])])
    chosen.shuffle(found)
    return found


def _wide(chosen: random.Random, *, units: bool = True, documents: bool = False) -> Rows:
    return [
        [
            *([f"u{unit}"] if units else []),
            *([f"d{unit % 5}"] if documents else []),
            *(chosen.choice((*LABELS, "")) for _ in range(4)),
        ]
        for unit in range(80)
    ]


def _repeated(chosen: random.Random) -> Rows:
    return [
        [f"u{chosen.randrange(12)}", chosen.choice("abc"), chosen.choice(LABELS), f"d{chosen.randrange(2)}"]
        for _ in range(150)
    ]


def _faulty(chosen: random.Random) -> Rows:
    rows = [[f"u{unit}", who, chosen.choice(LABELS)] for unit in range(30) for who in "abc"]
    faults = [
        ["", "a", "yes"],
        [" ", "b", "no"],
        ["u1", "", "yes"],
        ["", "", "no"],
        ["", "c", ""],
        ["u40", " ", ""],
    ]
    return [*rows, *faults, ["u2", "d", "perhaps"], ["u3", "a", "n/a"], ["\u3000", "a", "yes"]]


def _sets(chosen: random.Random) -> Rows:
    def given() -> str:
        return "|".join(chosen.sample(("x", "y", "z"), chosen.randrange(4))) or chosen.choice(("", "{}"))

    return [[f"u{unit}", who, given(), f"d{unit // 9}"] for unit in range(50) for who in "abc"]


LONG = ("item", "worker", "label")
SHAPES: dict[str, Callable[[random.Random], Shape]] = {
    "long": lambda r: Shape(LONG, _long(r)),
    "long, missing": lambda r: Shape(LONG, _long(r, gaps=True)),
    "long, documents": lambda r: Shape((*LONG, "document"), _long(r, documents=True, gaps=True)),
    "two passes": lambda r: Shape((*LONG, "pass"), _long(r, passes=True)),
    "two passes, documents": lambda r: Shape(
        (*LONG, "document", "pass"), _long(r, documents=True, passes=True)
    ),
    "wide": lambda r: Shape(("unit", "A", "B", "C", "D"), _wide(r)),
    "wide, documents": lambda r: Shape(("unit", "document", "A", "B", "C", "D"), _wide(r, documents=True)),
    "wide, rows are units": lambda r: Shape(("A", "B", "C", "D"), _wide(r, units=False)),
    "sets": lambda r: Shape((*LONG, "document"), _sets(r), separator="|", scale="set"),
    "sets of several rows": lambda r: Shape((*LONG, "document"), _repeated(r), separator="|", scale="set"),
    "given again": lambda r: Shape((*LONG, "document"), _repeated(r)),
    "faulty": lambda r: Shape(LONG, _faulty(r), missing=("n/a",), categories=LABELS),
    "some annotators": lambda r: Shape(LONG, _faulty(r), annotators=("c", "a")),
    "non-annotated": lambda r: Shape((*LONG, "document"), _long(r, documents=True), non_annotated="no"),
    "reference by its name": lambda r: Shape(
        LONG, [[unit, "gold" if who == "bob" else who, label] for unit, who, label in _long(r)]
    ),
}


def shape(name: str) -> Shape:
    """Return a table of a shape, the same each time."""
    return SHAPES[name](random.Random(name))  # noqa: S311 - no secret


def write_csv(table: Shape, path: Path, mark: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=mark, lineterminator="\n")
        writer.writerows(
            [table.header, *(["" if cell is None else cell for cell in row] for row in table.rows)]
        )
    return path


def _filled(connection: duckdb.DuckDBPyConnection, table: Shape, name: str) -> None:
    columns = ", ".join(f'"{each}" varchar' for each in table.header)
    connection.execute(f'create table "{name}" ({columns})')
    cells = ", ".join("nullif(unnest(?), '')" for _ in table.header)
    # All rows at once: DuckDB takes a millisecond for each statement.
    connection.execute(
        f'insert into "{name}" select {cells}', [list(each) for each in zip(*table.rows, strict=True)]
    )


def write_parquet(table: Shape, path: Path, files: int = 1) -> Path:
    """Write a file, or a folder of several."""
    with duckdb.connect() as connection:
        _filled(connection, table, "labels")
        if files == 1:
            connection.execute(f"copy labels to '{path}' (format parquet)")
            return path
        path.mkdir()
        size = -(-len(table.rows) // files)
        for number in range(files):
            part = f"select * from labels where rowid // {size} = {number} order by rowid"
            connection.execute(f"copy ({part}) to '{path / f'part-{number}.parquet'}' (format parquet)")
    return path


def write_duckdb(table: Shape, path: Path, name: str = "labels") -> Path:
    with duckdb.connect(str(path)) as connection:
        _filled(connection, table, name)
    return path


def write_sqlite(table: Shape, path: Path, name: str = "labels") -> Path:
    with sqlite3.connect(path) as connection:
        columns = ", ".join(f'"{each}" text' for each in table.header)
        connection.execute(f'create table "{name}" ({columns})')
        marks = ", ".join("?" for _ in table.header)
        connection.executemany(f'insert into "{name}" values ({marks})', table.rows)
    connection.close()
    return path
