"""Ratings tables of any kind: wide (a column of labels for each annotator) or long (a row for each label)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.base.files import InputFile
from reportgen.readers import confusion_matrix
from reportgen.readers.annotations import Codes, ExcludedMarks, Place, Ratings, coded
from reportgen.readers.confusion_matrix import read_matrix
from reportgen.readers.engine import by_duckdb, by_spark, is_for_duckdb, table_in_memory, unchanged
from reportgen.readers.engine.duck import Unreadable, kind_of
from reportgen.readers.engine.remote import SPARK
from reportgen.readers.reader import (
    NO_ANNOTATOR,
    NO_UNIT,
    NOT_ASKED_FOR,
    UNDECLARED,
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    clean,
    shortened,
)
from reportgen.readers.string_tables import (
    EXTENSIONS,
    WORKBOOK_EXTENSIONS,
    Strings,
    StringTable,
    Worksheet,
    is_table,
    is_workbook,
    read_sheets,
    read_table,
    table_of,
    with_columns,
)
from reportgen.readers.table_columns import (
    RatingsTableLayout,
    Understood,
    find_layout,
    in_turn,
    only_labels,
    reading_of,
    require_comparable,
    said_by_path,
    set_names,
)

NAMED = -1
UNITS_SHOWN = 5


@dataclass(frozen=True, eq=False)
class TableMarks:
    """The cells that can hold a rating, in the order of the file, and what is in their rows.

    Each is as written, empty where there is none, but for labels, which are cleaned. `text` is the unit's.
    `row` is the place of the table's row in its `lines`, `own` that row where it is the unit, else NAMED,
    `file` the table's number among several. `fault` says why a label can't count, "" where it can or where
    there is none.
    """

    document: Strings
    unit: Strings
    annotator: Strings
    label: Strings
    turn: Strings
    text: Strings
    fault: Strings
    row: Codes
    own: Codes
    file: Codes

    @property
    def is_labelled(self) -> npt.NDArray[np.bool_]:
        """Say of each cell whether it holds a label."""
        return np.asarray(self.label != "", dtype=np.bool_)


def as_marks(table: StringTable, layout: RatingsTableLayout, options: ReaderOptions) -> TableMarks:
    """Return the cells of a table that can hold a rating."""
    columns = layout.annotators if layout.label is None else (layout.label,)
    width, rows = len(columns), table.rows
    names = np.array([table.header[column] for column in layout.annotators], dtype=object)
    wide = np.tile(names, len(rows))
    row = np.repeat(rows, width)
    marks = TableMarks(
        document=_repeated(table, layout.document, width),
        unit=_repeated(table, layout.unit, width),
        annotator=wide if layout.label is None else _repeated(table, layout.annotators[0], 1),
        label=_cleaned(np.stack([table.columns[column] for column in columns], axis=1).ravel(), options),
        turn=_repeated(table, layout.passes, width),
        text=_repeated(table, layout.text, width),
        fault=np.full(len(row), "", dtype=object),
        row=row,
        own=row if layout.unit is None else np.full(len(row), NAMED),
        file=np.zeros(len(row), dtype=np.int64),
    )
    return replace(marks, fault=_faults(marks, options))


def all_marks(of_tables: Sequence[TableMarks]) -> TableMarks:
    """Return the marks of several tables one behind the other, each with its table's number."""
    numbered = [replace(each, file=each.file + number) for number, each in enumerate(of_tables)]
    return TableMarks(
        **{
            part.name: np.concatenate([getattr(each, part.name) for each in numbered])
            for part in fields(TableMarks)
        }
    )


def _repeated(table: StringTable, column: int | None, times: int) -> Strings:
    """Return each cell of a column as many times; nothing but "" where there is no column."""
    if column is None:
        return np.full(len(table.rows) * times, "", dtype=object)
    return np.repeat(table.columns[column], times)


def _cleaned(labels: Strings, options: ReaderOptions) -> Strings:
    names, codes = coded(labels.tolist())
    return np.array(clean(names, options), dtype=object)[codes]


def is_blank(strings: Strings) -> npt.NDArray[np.bool_]:
    """Say of each string whether it holds nothing but spaces."""
    names, codes = coded(strings.tolist())
    return np.array([not name.strip() for name in names], dtype=np.bool_)[codes]


def _is_none_of(strings: Strings, known: Collection[str]) -> npt.NDArray[np.bool_]:
    names, codes = coded(strings.tolist())
    return np.array([name not in known for name in names], dtype=np.bool_)[codes]


def _faults(marks: TableMarks, options: ReaderOptions) -> Strings:
    """Return why each label can't count: no annotator or no unit, or none of those that count."""
    found = marks.fault.copy()
    if options.only is not None:
        found[_is_none_of(marks.label, options.only)] = UNDECLARED
    if options.annotators is not None:
        found[_is_none_of(marks.annotator, options.annotators)] = NOT_ASKED_FOR
    found[is_blank(marks.unit) & (marks.own == NAMED)] = NO_UNIT
    found[is_blank(marks.annotator)] = NO_ANNOTATOR
    found[~marks.is_labelled] = ""
    return found


def as_ratings(
    marks: TableMarks, asked: Sequence[str] | None, tables: Sequence[StringTable]
) -> tuple[Ratings, Codes]:
    """Return the ratings of the annotators asked for, None for everybody's, and rows with another text.

    Units without a rating are units all the same. `tables` are those of the marks' numbers. Of the texts that
    rows give a unit the first counts; the others are told.
    """
    documents, document = _codes(marks.document)
    annotators, annotator = _codes(marks.annotator, asked)
    unit, first = _units(marks, document)
    used = marks.is_labelled & np.asarray(marks.fault == "", dtype=np.bool_)
    labels, label = _codes(marks.label[used])
    texts, others = _texts(marks.text, unit, len(first))
    ratings = Ratings(
        documents=documents,
        annotators=annotators,
        labels=labels,
        unit_names=tuple(marks.unit[first]),
        unit_document=document[first],
        unit_weight=np.ones(len(first), dtype=np.int64),
        unit=unit[used],
        annotator=annotator[used],
        label=label,
        mark_pass=_passes(marks.turn)[used],
        place=_places(marks.file[used], marks.row[used], tables),
        unit_texts=texts,
    )
    return ratings, others


def _texts(texts: Strings, unit: Codes, units: int) -> tuple[tuple[str, ...], Codes]:
    """Return the first text of each unit, nothing where there is none, and the rows with another one."""
    found, others = [""] * units, list[int]()
    for row, (number, text) in enumerate(zip(unit.tolist(), texts.tolist(), strict=True)):
        found[number] = found[number] or text
        if text and text != found[number]:
            others.append(row)
    return tuple(found) if any(found) else (), np.array(others, dtype=np.int64)


def _places(file: Codes, row: Codes, tables: Sequence[StringTable]) -> Callable[[int], Place]:
    """Return what gives a mark's file and line; lines are counted when the first is asked for."""

    def place(mark: int) -> Place:
        table = tables[file[mark]]
        return table.file.name, table.lines[row[mark]]

    return place


def _codes(strings: Strings, order: Iterable[str] | None = None) -> tuple[tuple[str, ...], Codes]:
    """Return names and each string's place among them, -1 for others and for blank ones.

    The names are those of `order`, else all in order of first occurrence.
    """
    found, codes = coded(strings.tolist())
    names, places = coded(found, filter(str.strip, found) if order is None else order)
    return names, places[codes]


def _units(marks: TableMarks, document: Codes) -> tuple[Codes, Codes]:
    """Return the unit of each row, in order of first occurrence, and the first row of each unit."""
    _, unit = coded(marks.unit.tolist())
    file = np.where(marks.own == NAMED, NAMED, marks.file)
    for part in (document, marks.own, file):
        _, unit = coded((unit * (part.max(initial=0) + 2) + part + 1).tolist())
    return unit, np.unique(unit, return_index=True)[1]


def _passes(strings: Strings) -> Codes:
    """Return the pass of each row from 0: in the order of numbers, else of first occurrence."""
    names, _ = _codes(strings)
    _, codes = _codes(strings, in_turn(names))
    return np.maximum(codes, 0)


def left_out(marks: TableMarks, tables: Sequence[StringTable]) -> tuple[ExcludedMarks, ...]:
    """Return how many marks of whom are left out and why, with the line of the first, file by file."""
    rows: dict[tuple[int, str, str], list[int]] = {}
    faulty = np.flatnonzero(marks.fault != "")
    for place in faulty.tolist():
        key = int(marks.file[place]), marks.annotator[place], marks.fault[place]
        rows.setdefault(key, []).append(int(marks.row[place]))
    return tuple(
        ExcludedMarks(
            tables[file].file.name,
            tables[file].lines[first],
            annotator if annotator.strip() else "",
            fault,
            1 + len(others),
        )
        for (file, annotator, fault), (first, *others) in rows.items()
    )


@dataclass(frozen=True, eq=False)
class RatingsFile:
    """One file as it was understood: its table, what the columns are, and its marks."""

    table: StringTable
    layout: RatingsTableLayout
    marks: TableMarks


def recognises(file: ExportFile) -> bool:
    """Say whether the file is delimited text and no confusion matrix."""
    return is_table(file) and not confusion_matrix.recognises(file)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the ratings in texts, as `_read` does."""
    return _read(files, options, READER.name)


def _read(files: Sequence[ExportFile], options: ReaderOptions, name: str) -> Annotations:
    """Return the ratings in the files, taken together, as `from_sheets` does.

    Large texts are read by DuckDB, as far as it understands them as we do. Raises BadInput with the problems
    of all files.
    """
    if options.engine.name == SPARK:
        with suppress(Unreadable):
            return by_spark(files, options, name)
    elif is_for_duckdb(files, options):
        with suppress(Unreadable):
            return by_duckdb(files, options, name)
    with unchanged(files) as sources:
        is_text = kind_of(files[0]) == "text"
        found: Sequence[ExportFile | StringTable] = files if is_text else table_in_memory(files, options)
        return from_sheets(for_each(found, lambda each: _sheet(each, options)), options, name, sources())


def _sheet(found: ExportFile | StringTable, options: ReaderOptions) -> RatingsFile:
    table = read_table(found) if isinstance(found, ExportFile) else found
    return understood(*with_names(table, options))


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
    found = [Understood.of(each.table, each.layout, each.marks.annotator) for each in sheets]
    require_comparable(found, options)
    ratings, others = as_ratings(marks, options.annotators, tables)
    return Annotations(
        content=replace(ratings, labels=set_names(ratings.labels, options)),
        format=format_name,
        reading=reading_of(found, options),
        marks_read=int(marks.is_labelled.sum()),
        missing=int((~marks.is_labelled).sum()),
        left_out=left_out(marks, tables),
        sources=sources,
        warnings=tuple(_several_texts(marks, others, tables)),
    )


def _several_texts(marks: TableMarks, others: Codes, tables: Sequence[StringTable]) -> Iterator[Problem]:
    """Yield a warning for each table in which units have another text than before."""
    for number in dict.fromkeys(marks.file[others].tolist()):
        table, rows = tables[number], others[marks.file[others] == number].tolist()
        names = list(dict.fromkeys(marks.unit[row] or f"row {marks.row[row]}" for row in rows))
        shown = ", ".join([*names[:UNITS_SHOWN], *(["…"] if len(names) > UNITS_SHOWN else [])])
        message = f"gives units another text than a row before, and the first is kept: {shown}."
        mend = "Give a unit one text, or units that differ names that differ."
        yield table.problem(table.lines[marks.row[rows[0]]], "columns.text", message, mend)


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
    reads="Labels by unit and annotator: a column each annotator, or a row each label; documents, passes, "
    "texts of units.",
    leaves_out="Other columns, such as comments; texts of units, unless their column is named.",
    recognises=recognises,
    read=read,
)


# Ratings tables that are no text: Parquet files, and tables of DuckDB and SQLite databases.

PARQUET = (".parquet",)
DATABASES = (".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db")


PARQUET_READER = Reader(
    name="parquet",
    title="Ratings table, Parquet",
    tool="Spark, pandas, DuckDB, data lakes",
    extensions=PARQUET,
    reads="What ratings tables hold, of one file or of many with the same columns.",
    leaves_out="Other columns. Of more than 5 million labels, which unit is which.",
    recognises=lambda file: kind_of(file) == "parquet",
    read=lambda files, options: _read(files, options, "parquet"),
)
DATABASE_READER = Reader(
    name="database",
    title="Table or view of a database, DuckDB or SQLite",
    tool="DuckDB, SQLite",
    extensions=DATABASES,
    reads="What ratings tables hold, of the table that is named, or of the only one.",
    leaves_out="Other columns and tables. Of more than 5 million labels, which unit is which.",
    recognises=lambda file: kind_of(file) in {"duckdb", "sqlite"},
    read=lambda files, options: _read(files, options, "database"),
)


# Excel workbooks: the ratings tables, wide or long, and confusion matrices that CSV can hold too.

FIRST_SHEET = "Excel, first sheet that holds anything"
EVERY_SHEET = "Excel, all sheets"
OWN_SHEETS = "Excel, a sheet for each annotator"
# The column that says whose a row is, which no file has.
SHEET = "{sheet}"
PAIR = 2


def read_workbooks(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the ratings in the workbooks, taken together; raise BadInput with all that is wrong."""
    every = for_each(files, lambda file: (file, read_sheets(file)))
    if any(sheets and "\\" in sheets[0].rows[0][1][0] for _, sheets in every):
        confusion_matrix.require_one(files)
        matrix = read_matrix(files[0], every[0][1][0].rows)
        return confusion_matrix.from_matrix(matrix, options, WORKBOOK_READER.name, FIRST_SHEET)
    found = for_each(every, lambda each: _sheets(*each, options))
    sheets = for_each([each for of_file in found for each in of_file], lambda each: understood(*each))
    return from_sheets(sheets, options, WORKBOOK_READER.name, tuple(file.source for file in files))


def tables_of(file: ExportFile, options: ReaderOptions) -> list[tuple[StringTable, ReaderOptions]]:
    """Return the tables of a workbook, each with how it is to be read; raise BadInput for a faulty one."""
    return _sheets(file, read_sheets(file), options)


def _sheets(
    file: ExportFile, sheets: Sequence[Worksheet], options: ReaderOptions
) -> list[tuple[StringTable, ReaderOptions]]:
    """Return all sheets where they have one header, else the first.

    Sheets of one header that names no annotators are those of an annotator each.
    """
    headers = {tuple(sheet.rows[0][1]) for sheet in sheets}
    if len(sheets) < PAIR or len(headers) > 1:
        rows = sheets[0].rows if sheets else []
        return [(table_of(file, rows, FIRST_SHEET), options)]
    parts = {ExportFile(file.path, f"{file.name}[{sheet.name}]"): sheet for sheet in sheets}
    tables = for_each(parts, lambda part: table_of(part, parts[part].rows, EVERY_SHEET))
    label = None if "annotator" in options.columns else only_labels(tables[0], options)
    if label is None:
        return [(table, options) for table in tables]
    columns = {**options.columns, "annotator": SHEET, "label": label}
    return [
        (
            replace(with_columns(table, {SHEET: sheet.name}), written=OWN_SHEETS),
            replace(options, columns=columns),
        )
        for table, sheet in zip(tables, sheets, strict=True)
    ]


WORKBOOK_READER = Reader(
    name="excel",
    title="Excel workbook",
    tool="Excel, LibreOffice",
    extensions=WORKBOOK_EXTENSIONS,
    reads="The ratings tables and confusion matrices that CSV can hold too, from the first sheet that holds "
    "anything, or from all where they have the same columns, which are an annotator's each where no column "
    "names annotators.",
    leaves_out="Other sheets, formatting and comments; workbooks of Excel 97 to 2003, which have to be saved "
    "anew.",
    recognises=is_workbook,
    read=read_workbooks,
)
