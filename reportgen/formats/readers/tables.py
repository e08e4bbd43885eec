"""Ratings tables that are no text: Parquet files, and tables of DuckDB and SQLite databases."""

from collections.abc import Sequence

from reportgen.errors import for_each
from reportgen.formats.annotations import Annotations
from reportgen.formats.engine.places import SPARK
from reportgen.formats.engine.read import by_duckdb, by_spark, table_in_memory, unchanged
from reportgen.formats.engine.sources import kind_of
from reportgen.formats.reader import ExportFile, Reader, ReadOptions
from reportgen.formats.readers.ratings import from_sheets, understood, with_names

PARQUET = (".parquet",)
DATABASES = (".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db")


def _read(files: Sequence[ExportFile], options: ReadOptions, name: str) -> Annotations:
    """Return the ratings in the files, taken together; raise BadInput with all that is wrong."""
    if options.engine.name == SPARK:
        return by_spark(files, options, name)
    if options.engine.name != "memory":
        return by_duckdb(files, options, name)
    with unchanged(files) as sources:
        tables = table_in_memory(files, options)
        sheets = for_each(tables, lambda table: understood(*with_names(table, options)))
        return from_sheets(sheets, options, name, sources())


def is_parquet(file: ExportFile) -> bool:
    """Say whether the file is Parquet."""
    return kind_of(file) == "parquet"


def is_database(file: ExportFile) -> bool:
    """Say whether the file is a database."""
    return kind_of(file) in {"duckdb", "sqlite"}


def read_parquet(files: Sequence[ExportFile], options: ReadOptions) -> Annotations:
    """Return the ratings in Parquet files, taken together."""
    return _read(files, options, PARQUET_READER.name)


def read_database(files: Sequence[ExportFile], options: ReadOptions) -> Annotations:
    """Return the ratings in a table of a database."""
    return _read(files, options, DATABASE_READER.name)


PARQUET_READER = Reader(
    name="parquet",
    title="Ratings table, Parquet",
    tool="Spark, pandas, DuckDB, data lakes",
    extensions=PARQUET,
    reads="What ratings tables hold, of one file or of many with the same columns.",
    leaves_out="Other columns. Of more than 5 million labels, which unit is which.",
    recognises=is_parquet,
    read=read_parquet,
)
DATABASE_READER = Reader(
    name="database",
    title="Table or view of a database, DuckDB or SQLite",
    tool="DuckDB, SQLite",
    extensions=DATABASES,
    reads="What ratings tables hold, of the table that is named, or of the only one.",
    leaves_out="Other columns and tables. Of more than 5 million labels, which unit is which.",
    recognises=is_database,
    read=read_database,
)
