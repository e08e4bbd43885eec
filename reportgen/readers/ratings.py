"""Ratings tables, CSV or TSV: wide (a column of labels for each annotator) or long (a row for each label)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.base.files import InputFile
from reportgen.readers import confusion_matrix
from reportgen.readers.engine.duck import Unreadable
from reportgen.readers.engine.read import by_duckdb, by_spark, is_for_duckdb, table_in_memory, unchanged
from reportgen.readers.engine.remote import SPARK
from reportgen.readers.engine.sources import kind_of
from reportgen.readers.layer import Annotations
from reportgen.readers.reader import ExportFile, Reader, ReaderOptions, shortened
from reportgen.readers.string_tables import (
    EXTENSIONS,
    Strings,
    StringTable,
    is_table,
    read_table,
    with_columns,
)
from reportgen.readers.table_columns import (
    RatingsTableLayout,
    Understood,
    find_layout,
    reading_of,
    require_comparable,
    said_by_path,
    set_names,
)
from reportgen.readers.table_marks import TableMarks, all_marks, as_marks, coded, is_blank, left_out


@dataclass(frozen=True, eq=False)
class RatingsFile:
    """One file as it was understood: its table, what the columns are, and its marks."""

    table: StringTable
    layout: RatingsTableLayout
    marks: TableMarks

    @property
    def understood(self) -> Understood:
        """The table with who has a column or a row, in the order of the file."""
        if self.layout.label is None:
            names = [self.table.header[column] for column in self.layout.annotators]
        else:
            names = [name for name in dict.fromkeys(self.marks.annotator) if name.strip()]
        return Understood(self.table, self.layout, names)


def recognises(file: ExportFile) -> bool:
    """Say whether the file is delimited text and no confusion matrix."""
    return is_table(file) and not confusion_matrix.recognises(file)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the ratings in the files, taken together, as `from_sheets` does.

    Large ones are read by DuckDB, as far as it understands them as we do. Raises BadInput with the problems
    of all files.
    """
    if options.engine.name == SPARK:
        with suppress(Unreadable):
            return by_spark(files, options, READER.name)
    elif is_for_duckdb(files, options.engine):
        with suppress(Unreadable):
            return by_duckdb(files, options, READER.name)
    sheets = for_each(files, lambda file: understood(*with_names(read_table(file), options)))
    return from_sheets(sheets, options, READER.name, tuple(file.source for file in files))


def with_names(table: StringTable, options: ReaderOptions) -> tuple[StringTable, ReaderOptions]:
    """Return a table with columns for what its path says: annotator, document or pass."""
    new, columns = said_by_path(table, options)
    return (with_columns(table, new) if new else table), replace(options, columns=columns)


def understood(table: StringTable, options: ReaderOptions) -> RatingsFile:
    """Return a table with what its columns are, and its marks; raise BadInput with all that is wrong."""
    layout = find_layout(table, options)
    marks = as_marks(table, layout, options)
    if options.faulty == "refused":
        problems = [*_nameless(table, marks, "annotator", marks.annotator, layout.annotators[0])]
        if layout.unit is not None:
            problems += _nameless(table, marks, "unit", marks.unit, layout.unit)
        if problems:
            raise BadInput(problems)
    return RatingsFile(table, layout, marks)


def from_sheets(
    sheets: Sequence[RatingsFile], options: ReaderOptions, format_name: str, sources: tuple[InputFile, ...]
) -> Annotations:
    """Return the ratings in one or more tables, taken together.

    Units of the same name in the same document are one unit, in whichever table; where a table does
    not name its units, each of its rows is one. Raises BadInput where there is a single annotator, or one
    is asked for who is not there.
    """
    tables = [sheet.table for sheet in sheets]
    marks = all_marks([sheet.marks for sheet in sheets])
    found = [sheet.understood for sheet in sheets]
    require_comparable(found, options)
    ratings = coded(marks, options.annotators, tables)
    return Annotations(
        content=replace(ratings, labels=set_names(ratings.labels, options)),
        format=format_name,
        reading=reading_of(found, options),
        marks_read=int(marks.is_labelled.sum()),
        missing=int((~marks.is_labelled).sum()),
        left_out=left_out(marks, tables),
        sources=sources,
    )


def _nameless(table: StringTable, marks: TableMarks, role: str, names: Strings, column: int) -> list[Problem]:
    """Return a problem for each row that has a label and no unit, or no annotator."""
    rows = dict.fromkeys(marks.row[marks.is_labelled & is_blank(names)].tolist())
    key = f"column {table.header[column] or column + 1}"
    mend = f"Name the {role}, or empty the label."
    return shortened([table.problem(table.lines[row], key, f"a label has no {role}.", mend) for row in rows])


READER = Reader(
    name="ratings",
    title="Ratings table, CSV or TSV",
    tool="spreadsheets, crowdsourcing platforms, pandas, R",
    extensions=EXTENSIONS,
    reads="Labels by unit and annotator: a column each annotator, or a row each label; documents and passes.",
    leaves_out="Columns that are neither, such as texts and comments.",
    recognises=recognises,
    read=read,
)


# Ratings tables that are no text: Parquet files, and tables of DuckDB and SQLite databases.

PARQUET = (".parquet",)
DATABASES = (".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db")


def _read(files: Sequence[ExportFile], options: ReaderOptions, name: str) -> Annotations:
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


def read_parquet(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the ratings in Parquet files, taken together."""
    return _read(files, options, PARQUET_READER.name)


def read_database(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
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
