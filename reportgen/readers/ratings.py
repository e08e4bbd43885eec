"""Ratings tables of any kind: wide (a column of labels for each annotator) or long (a row for each label)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest

import numpy as np

from reportgen.base import SPARK
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each
from reportgen.base.files import InputFile
from reportgen.readers import confusion_matrix
from reportgen.readers.annotations import (
    Chosen,
    Codes,
    ExcludedMarks,
    Location,
    Ratings,
    Texts,
    different_rows,
    factorize,
)
from reportgen.readers.beside_labels import beside_labels
from reportgen.readers.confusion_matrix import is_matrix, read_matrix
from reportgen.readers.engine import (
    are_apart,
    by_duckdb,
    by_spark,
    heads,
    is_for_duckdb,
    table_in_memory,
    unchanged,
)
from reportgen.readers.engine.places import Unreadable, kind_of
from reportgen.readers.group_columns import groups_in, without_groups
from reportgen.readers.reader import (
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    cleaned_labels,
    shortened,
)
from reportgen.readers.recipe import no_longer
from reportgen.readers.string_tables import (
    AS_FOUND,
    EXTENSIONS,
    WORKBOOK_EXTENSIONS,
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
    called,
    columns_of_path,
    find_layout,
    in_turn,
    reading_of,
    reason_left_out,
    require_comparable,
    set_names,
    without_document,
)
from reportgen.readers.table_reading import EVERY_SHEET, is_said, normalise_tables, of_columns, rows_looked_at
from reportgen.readers.table_refusals import JOIN, refuse_as_many, refuse_texts, warn_odd_column
from reportgen.readers.table_rows import mend_rows
from reportgen.readers.table_shapes import CLEAR, ENOUGH, Shape, alike_within, joined
from reportgen.readers.table_times import table_times
from reportgen.readers.turned_tables import unlisted

UNITS_SHOWN = 5


@dataclass(frozen=True, eq=False)
class RatingCells:
    """Cells that can hold a rating, and what is in their rows, as written, empty where there is nothing.

    Columns (cells,), in the order of the file: `row` is the place of the table's row in its `lines`; labels
    are cleaned; `fault` is why the label can't count, "" where it can or where there is none.
    """

    row: Codes
    document: Texts
    unit: Texts
    annotator: Texts
    label: Texts
    turn: Texts
    text: Texts
    fault: Texts

    def __len__(self) -> int:
        """Return how many cells there are."""
        return len(self.row)

    @cached_property
    def is_labelled(self) -> Chosen:
        """Which cells hold a label (cells,)."""
        return self.label.where(bool)

    @classmethod
    def joined(cls, parts: Sequence["RatingCells"]) -> "RatingCells":
        """Return cells behind each other; rows are those of several tables then."""
        if len(parts) == 1:
            return parts[0]
        names = ("document", "unit", "annotator", "label", "turn", "text", "fault")
        texts = (Texts.joined([getattr(part, name) for part in parts]) for name in names)
        return cls(np.concatenate([part.row for part in parts]), *texts)


@dataclass(frozen=True, eq=False)
class RatingsFile(Understood):
    """One file as it was understood, and its cells that can hold a rating, in the order of the file."""

    cells: RatingCells


def understood(table: StringTable, options: ReaderOptions) -> RatingsFile:
    """Return a table with what its columns are, and its cells; raise BadInput with all that is wrong."""
    layout = find_layout(table, options)
    cells = _cells(table, layout, options)
    if options.faulty == "refused":
        problems = _nameless(table, "annotator", layout.annotators[0], cells)
        problems += [] if layout.unit is None else _nameless(table, "unit", layout.unit, cells)
        if problems:
            raise BadInput(problems)
    return RatingsFile(table, layout, layout.named(table, cells.annotator.levels), cells)


def _cells(table: StringTable, layout: RatingsTableLayout, options: ReaderOptions) -> RatingCells:
    """Return the cells of a table that can hold a rating."""
    rows, of_row = len(table.rows), 1 if layout.label is not None else len(layout.annotators)
    document, unit, turn, text = (
        Texts.alike("", rows * of_row) if column is None else table.columns[column].each(of_row)
        for column in (layout.document, layout.unit, layout.passes, layout.text)
    )
    if layout.label is not None:
        annotator, label = (table.columns[column] for column in (layout.annotators[0], layout.label))
    else:
        people = Texts.of(table.header[column] for column in layout.annotators)
        annotator = Texts(np.tile(people.codes, rows), people.levels if rows else ())
        by_column = Texts.joined([table.columns[column] for column in layout.annotators])
        label = by_column.taken(np.arange(rows * of_row).reshape(of_row, rows).T.reshape(-1))
    label = label.renamed(cleaned_labels(label.levels, options))
    named = unit.where(str.strip) if layout.unit is not None else np.ones(len(unit), dtype=np.bool_)
    first, place = different_rows(annotator.codes, label.codes, named.astype(np.int64))
    faults = Texts.of(
        reason_left_out(annotator[cell], label[cell], options, named=bool(named[cell])) if label[cell] else ""
        for cell in first.tolist()
    )
    fault = Texts(faults.codes[place], faults.levels)
    return RatingCells(np.repeat(table.rows, of_row), document, unit, annotator, label, turn, text, fault)


def _nameless(table: StringTable, role: str, column: int, cells: RatingCells) -> list[Problem]:
    """Return a problem for each row that has a label and no unit, or no annotator."""
    names: Texts = getattr(cells, role)
    if all(map(str.strip, names.levels)):
        return []
    rows = dict.fromkeys(cells.row[cells.is_labelled & ~names.where(str.strip)].tolist())
    key = f"column {table.header[column] or column + 1}"
    remedy = f"Name the {role}, or empty the label."
    return shortened(
        [table.problem(table.lines[row], key, f"a label has no {role}.", remedy) for row in rows]
    )


def ratings_of_files(
    sheets: Sequence[RatingsFile],
    options: ReaderOptions,
    format_name: str,
    sources: tuple[InputFile, ...],
    opened: Sequence[StringTable] = (),
) -> Annotations:
    """Return the ratings in one or more tables, taken together; `opened` are these as they were.

    Units of the same name in the same document are one unit, in whichever table; where a table does
    not name its units, each of its rows is one. Units without a rating are units all the same. Raises
    BadInput where there is a single annotator, or one is asked for who is not there.
    """
    require_comparable(sheets, options)
    cells = RatingCells.joined([sheet.cells for sheet in sheets])
    sheet = np.repeat(np.arange(len(sheets)), [len(own.cells) for own in sheets])
    documents, document = _coded(cells.document)
    annotators, annotator = _coded(cells.annotator, options.annotators)
    turn = np.maximum(_coded(cells.turn, in_turn(_coded(cells.turn)[0]))[1], 0)
    used = cells.is_labelled & ~cells.fault.where(bool)
    labels, marks = cells.label.taken(used), np.flatnonzero(used)
    # Where a table does not name its units, each of its rows is one.
    unnamed = np.array([own.layout.unit is None for own in sheets], dtype=np.bool_)[sheet]
    of_file = np.where(unnamed, sheet, -1)
    keys = document, cells.unit.codes, np.where(unnamed, cells.row, -1)
    first, unit = different_rows(*keys, of_file)
    begin_again = options.path is None and _begin_again(
        sheets, np.stack([unit, annotator, turn])[:, used], sheet[used], labels.codes
    )
    if begin_again:
        first, unit = different_rows(*keys, sheet)
    texts, others = _texts(cells.text, unit, len(first))

    def place(mark: int) -> Location:
        table = sheets[sheet[marks[mark]]].table
        return table.file.name, table.lines[cells.row[marks[mark]]]

    ratings = Ratings(
        documents=documents,
        annotators=annotators,
        labels=set_names(labels.levels, options),
        unit_names=tuple(map(cells.unit.levels.__getitem__, cells.unit.codes[first].tolist())),
        document=document[first],
        weight=np.ones(len(first), dtype=np.int64),
        unit=unit[used],
        annotator=annotator[used],
        label=labels.codes,
        mark_pass=turn[used],
        location=place,
        unit_texts=texts,
    )
    labelled = int(cells.is_labelled.sum())
    own_tables = without_groups(opened, options)
    besides = beside_labels(sheets, options.asked, own_tables)
    warnings = (
        *_several_texts(cells, sheet, others, sheets),
        *without_document(sheets, ratings),
        *([_told_apart(sheets)] if begin_again else []),
        *_pasted_rows(sheets),
        *_longer_rows(sheets),
        *_unseen_labels(sheets),
        *_unlike_said(sheets, own_tables, options),
    )
    return Annotations(
        content=ratings,
        format=format_name,
        reading=reading_of(sheets, options),
        marks_read=labelled + sum(besides.values()),
        missing=len(cells) - labelled,
        left_out=_left_out(cells, sheet, sheets),
        sources=sources,
        warnings=warnings,
        called=called(sheets),
        not_compared=besides,
        times=table_times(
            [(own, len(own.cells), table) for own, table in zip_longest(sheets, own_tables[: len(sheets)])],
            (unit, annotator),
            options.asked,
        ),
        groups=groups_in(opened, [(own, own.cells) for own in sheets], options),
    )


# So much of what files say may be about units and annotators that other files have too.
AGAIN = 0.25


def _begin_again(sheets: Sequence[RatingsFile], key: Codes, sheet: Codes, label: Codes) -> bool:
    """Say whether each file has units of its own by the names that others have too.

    It has where what somebody says of a name in two files is the same by chance alone. Raises BadInput where
    it is alike: the files may be rounds, or their units be in some order. `key` are unit, annotator and pass.
    """
    if len(sheets) < 2 or not label.size:
        return False
    whose = np.unique(key, axis=1, return_inverse=True)[1].reshape(-1)
    pairs = np.unique(np.stack([whose, sheet]), axis=1).shape[1]
    again = pairs - int(whose.max()) - 1
    is_told = again >= max(AGAIN * pairs, ENOUGH)
    alike = alike_within(whose, label, are_numbers=False) if is_told else None
    if alike is None or alike <= CLEAR:
        return alike is not None
    message = (
        f"has names of units that other files have too, so that {again:,} labels are given again: each file "
        "may have units of its own, or be another round."
    )
    remedy = 'Say which: path = "{document}" or path = "{pass}", or name a column of documents or passes.'
    raise sheets[1].table.file.refused(message, remedy, key="path")


def _told_apart(sheets: Sequence[RatingsFile]) -> Problem:
    message = "has other units by the names that those of other files have: each file has its own."
    remedy = 'Where these are the same, labelled in several rounds, say path = "{pass}".'
    return sheets[1].table.file.problem(message, remedy)


def _pasted_rows(sheets: Sequence[RatingsFile]) -> Iterator[Problem]:
    """Yield a problem for each wide table in which a row says of a unit what a row before says already."""
    for sheet in sheets:
        table, layout = sheet.table, sheet.layout
        if layout.label is not None or layout.unit is None or table.is_unique(layout.unit):
            continue
        own = (layout.document, layout.unit, layout.passes, *layout.annotators)
        first, place = different_rows(*(table.columns[column].codes for column in own if column is not None))
        again = np.flatnonzero(first[place] != np.arange(len(place)))
        if len(again):
            line = table.lines[table.rows[again[0]]]
            message = "says the same of a unit as a row before, and counts once."
            if len(again) > 1:
                rows_again = f"{len(again):,} rows that say the same of a unit as one before"
                message = f"is the first of {rows_again}: they count once."
            yield table.problem(line, "", message, "Remove it, or name units that differ otherwise.")


def _unlike_said(
    sheets: Sequence[RatingsFile], opened: Sequence[StringTable], options: ReaderOptions
) -> Iterator[Problem]:
    """Yield a problem for each column that is not what was said of columns that are not read."""
    if not options.beside or not opened:
        return
    header, layout = sheets[0].table.header, sheets[0].layout
    used = [header[column] for column in layout.used]
    names = {*options.columns.values(), *options.indicators, *options.asked, *used}
    read = names | {part for name in names for part in name.split(JOIN)}
    columns = joined([*map(rows_looked_at, opened)])
    units = [] if layout.unit is None else header[layout.unit].split(JOIN)
    people = tuple(header[at] for at in layout.annotators)
    is_long = layout.label is not None
    document = None if layout.document is None else header[layout.document]
    shape = Shape(tuple(units), people[0] if is_long else None, () if is_long else people, document)
    if options.turned or options.headers:
        read |= columns.all.keys() - options.beside.keys()
    table = opened[0]
    for name, what in no_longer(options.beside, columns, shape, read).items():
        remedy = f"If the table is read rightly all the same, correct beside: {name} is what it says there."
        yield table.problem(table.lines[0], f"column {name}", f"{what}.", remedy)


def _longer_rows(sheets: Sequence[RatingsFile]) -> Iterator[Problem]:
    """Yield a problem for each table in which some rows, not all, have an empty cell too many."""
    for table in (sheet.table for sheet in sheets if sheet.table.mended.longer):
        first, *more = table.mended.longer
        others = f"; so have {len(more):,} more rows" if more else ""
        message = f"has more cells than the header, and the last are empty: the first are read{others}."
        yield table.problem(
            first, "", message, "See whether a cell too many has moved its labels; remove it."
        )


def _unseen_labels(sheets: Sequence[RatingsFile]) -> Iterator[Problem]:
    """Yield a problem for each column with a tab or a line break, and nothing else, in the place of a label.

    Spaces alone are how people write an empty cell.
    """
    for sheet in sheets:
        table, layout = sheet.table, sheet.layout
        for column in layout.annotators if layout.label is None else (layout.label,):
            unseen = table.columns[column].where(lambda cell: cell.strip(" ") and not cell.strip())
            if unseen.any():
                rows = table.rows[unseen]
                number = "a cell" if len(rows) == 1 else f"{len(rows):,} cells"
                message = f"{number} with nothing but a tab or a line break: counted as a missing label."
                key, remedy = f"column {table.header[column]}", "Write the label, or empty the cell."
                yield table.problem(table.lines[rows[0]], key, message, remedy)


def _coded(texts: Texts, order: Iterable[str] | None = None) -> tuple[tuple[str, ...], Codes]:
    """Return names and each text's place among them, -1 for others and for blank ones.

    The names are those of `order`, else all in order of first occurrence.
    """
    names, codes = factorize(texts.levels, filter(str.strip, texts.levels) if order is None else order)
    return names, codes[texts.codes]


def _texts(texts: Texts, unit: Codes, units: int) -> tuple[tuple[str, ...], Codes]:
    """Return the first text of each unit, nothing where there is none, and the cells with another one."""
    filled = np.flatnonzero(texts.where(bool))
    first = np.full(units, len(texts))
    np.minimum.at(first, unit[filled], filled)
    others = filled[texts.codes[filled] != texts.codes[first[unit[filled]]]]
    return tuple(texts[cell] if cell < len(texts) else "" for cell in first if len(filled)), others


def _left_out(cells: RatingCells, sheet: Codes, sheets: Sequence[RatingsFile]) -> tuple[ExcludedMarks, ...]:
    """Return how many marks of whom are left out and why, with the line of the first, file by file."""
    faulty = np.flatnonzero(cells.fault.where(bool))
    annotator, fault = cells.annotator, cells.fault
    first, place = different_rows(sheet[faulty], annotator.codes[faulty], fault.codes[faulty])
    return tuple(
        ExcludedMarks(
            sheets[sheet[cell]].table.file.name,
            sheets[sheet[cell]].table.lines[cells.row[cell]],
            annotator[cell] if annotator[cell].strip() else "",
            fault[cell],
            marks,
        )
        for cell, marks in zip(faulty[first].tolist(), np.bincount(place).tolist(), strict=True)
    )


def _several_texts(
    cells: RatingCells, sheet: Codes, others: Codes, sheets: Sequence[RatingsFile]
) -> Iterator[Problem]:
    """Yield a warning for each table in which units have another text than before."""
    for number in dict.fromkeys(sheet[others].tolist()):
        table, own = sheets[number].table, others[sheet[others] == number].tolist()
        names = list(dict.fromkeys(cells.unit[cell] or f"row {cells.row[cell]}" for cell in own))
        shown = ", ".join([*names[:UNITS_SHOWN], *(["…"] if len(names) > UNITS_SHOWN else [])])
        message = f"gives units another text than a row before, and the first is kept: {shown}."
        remedy = "Give a unit one text, or units that differ names that differ."
        yield table.problem(table.lines[cells.row[own[0]]], "columns.text", message, remedy)


def recognises(file: ExportFile) -> bool:
    """Say whether the file is delimited text and no confusion matrix."""
    return is_table(file) and not confusion_matrix.recognises(file)


def _read(files: Sequence[ExportFile], options: ReaderOptions, name: str) -> Annotations:
    """Return the ratings in the files, taken together, as `ratings_of_files` does.

    Large texts are read by DuckDB, as far as it understands them as we do. Raises BadInput with the problems
    of all files.
    """
    if options.engine.name == SPARK.name:
        with suppress(Unreadable):
            return by_spark(files, options, name)
    elif is_for_duckdb(files, options) and not are_apart(files, options):
        with suppress(Unreadable):
            return by_duckdb(files, options, name)
    with unchanged(files) as sources:
        is_text = kind_of(files[0]) == "text"
        apart = [[file] for file in files] if are_apart(files, options) else [files]
        tables: Sequence[ExportFile | StringTable] = (
            files if is_text else [table for group in apart for table in table_in_memory(group, options)]
        )
        opened = for_each(
            tables, lambda source: read_table(source, options) if isinstance(source, ExportFile) else source
        )
        opened = [*map(unlisted, opened)] if is_text else opened
        annotations = ratings_of_files(understood_together(opened, options), options, name, sources(), opened)
        if not opened:
            return annotations
        content, place = annotations.ratings, of_columns(opened[0], "columns")
        refuse_texts(len(content.labels), content.labels, place)
        if not is_said(options):
            refuse_as_many(content.labels, len(content.annotators), annotations.marks_read, place)
            if len(opened) == 1:
                told = warn_odd_column(
                    rows_looked_at(without_groups(opened, options)[0]), content.annotators, place
                )
                return replace(annotations, warnings=(*annotations.warnings, *told))
        return annotations


def understood_together(tables: Sequence[StringTable], options: ReaderOptions) -> list[RatingsFile]:
    """Return tables that are read together with what their columns are; raise BadInput with all faults."""
    own = normalise_tables(without_groups(tables, options), options)
    return for_each(own, lambda table: understood(*with_names(*table)))


def opened(
    reader: Reader, files: Sequence[ExportFile], options: ReaderOptions = AS_FOUND
) -> list[StringTable]:
    """Return the tables in files of a reader of tables, none where a workbook has a matrix."""
    if reader is WORKBOOK_READER:
        workbooks = for_each(files, lambda file: (file, read_sheets(file)))
        if any(sheets and is_matrix([row for _, row in sheets[0].rows]) for _, sheets in workbooks):
            return []
        return [table for file, sheets in workbooks for table in _sheets(file, sheets, options)]
    if reader is PARQUET_READER:
        groups = [[file] for file in files] if are_apart(files, ReaderOptions()) else [files]
        return [table for group in groups for table in heads(group, ReaderOptions())]
    return [*map(unlisted, for_each(files, lambda file: read_table(file, options)))]


def with_names(table: StringTable, options: ReaderOptions) -> tuple[StringTable, ReaderOptions]:
    """Return a table with columns for what its path says: annotator, document or pass."""
    new, columns = columns_of_path(table, options)
    return (with_columns(table, new) if new else table), replace(options, columns=columns)


READER = Reader(
    name="ratings",
    title="Ratings table, CSV or TSV",
    tool="spreadsheets, crowdsourcing platforms, pandas, R",
    extensions=EXTENSIONS,
    reads=(
        "Labels by unit and annotator: a column for each annotator, or a row for each label. "
        "Documents, passes and texts of units."
    ),
    leaves_out=(
        "Texts of units, unless you name their column. Other columns: comments, times and whatever "
        "else annotators gave are counted as not compared."
    ),
    recognises=recognises,
    read=lambda files, options: _read(files, options, "ratings"),
)
# Tables that are no text.
PARQUET_READER = Reader(
    name="parquet",
    title="Ratings table, Parquet",
    tool="Spark, pandas, DuckDB, data lakes",
    extensions=(".parquet",),
    reads="The same as from ratings tables, from one file or from several with the same columns.",
    leaves_out=(
        "Other columns. Above 5 million labels, everything that depends on single units, such as drift."
    ),
    recognises=lambda file: kind_of(file) == "parquet",
    read=lambda files, options: _read(files, options, "parquet"),
)
DATABASE_READER = Reader(
    name="database",
    title="Table or view of a database, DuckDB or SQLite",
    tool="DuckDB, SQLite",
    extensions=(".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db"),
    reads="The same as from ratings tables; name the table unless there is only one.",
    leaves_out=(
        "Other columns and tables. Above 5 million labels, everything that depends on single units, "
        "such as drift."
    ),
    recognises=lambda file: kind_of(file) in {"duckdb", "sqlite"},
    read=lambda files, options: _read(files, options, "database"),
)


# Excel workbooks: the ratings tables, wide or long, and confusion matrices that CSV can have too.

FIRST_SHEET = "Excel, first sheet that has anything"
SAME_SHEETS = "Excel, all sheets with the same columns"
LONGEST_SHEET = "Excel, the sheet with most rows"


def read_workbooks(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the ratings in the workbooks, taken together; raise BadInput with all that is wrong."""
    workbooks = for_each(files, lambda file: (file, read_sheets(file)))
    if any(sheets and is_matrix([row for _, row in sheets[0].rows]) for _, sheets in workbooks):
        confusion_matrix.require_one(files)
        matrix = read_matrix(files[0], workbooks[0][1][0].rows)
        return confusion_matrix.from_matrix(matrix, options, WORKBOOK_READER.name, FIRST_SHEET)
    opened = for_each(workbooks, lambda workbook: _sheets(*workbook, options))
    tables = [table for tables in opened for table in tables]
    sources = tuple(file.source for file in files)
    return ratings_of_files(
        understood_together(tables, options), options, WORKBOOK_READER.name, sources, tables
    )


def _sheets(file: ExportFile, sheets: Sequence[Worksheet], options: ReaderOptions) -> list[StringTable]:
    """Return the sheets that have the same header, each called after the file and sheet, else the longest.

    Sheets of one header that name no annotators are those of an annotator each, as files are; titles above
    it may differ, and sheets of another header, such as a codebook, are not read.
    """
    same = sheets_read(sheets, options)
    if options.sheets and not same:
        names = [sheet.name for sheet in sheets]
        message, remedy = f'has no sheet "{options.sheets[0]}".', did_you_mean(options.sheets[0], names)
        raise file.refused(message, remedy, key="sheets")
    if len(same) < 2:
        written = FIRST_SHEET if same == sheets[:1] else LONGEST_SHEET
        return [unlisted(table_of(file, same[0].rows if same else [], written, options))]
    written = EVERY_SHEET if len(same) == len(sheets) else SAME_SHEETS
    sheet_files = {ExportFile(file.path, f"{file.name}[{sheet.name}]"): sheet for sheet in same}
    first, *others = for_each(sheet_files, lambda own: table_of(own, sheet_files[own].rows, written, options))
    spelt = _alike(first.header)
    return [
        first,
        *(replace(own, header=first.header) if _alike(own.header) == spelt else own for own in others),
    ]


def sheets_read(sheets: Sequence[Worksheet], options: ReaderOptions) -> list[Worksheet]:
    """Return the sheets of a workbook that are read: those that are named, else those of one header."""
    if options.sheets:
        return [sheet for sheet in sheets if sheet.name in options.sheets]
    alike: dict[tuple[str, ...], list[Worksheet]] = {}
    for sheet in sheets:
        alike.setdefault(_header(sheet, options), []).append(sheet)
    same = max(alike.values(), key=len, default=[])
    if len(same) > 1:
        return same
    # What has one column is a note, and a codebook is shorter than what it is for.
    tables = [sheet for sheet in sheets if max(len(cells) for _, cells in sheet.rows) > 1] or sheets
    return [max(tables, key=lambda sheet: len(sheet.rows))] if sheets else []


def _header(sheet: Worksheet, options: ReaderOptions) -> tuple[str, ...]:
    """Return what the columns of a sheet are called, however their names are spelt."""
    return _alike(mend_rows(sheet.rows, options.header, options.skip_rows)[0][0][1])


def _alike(header: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(name.casefold().split()) for name in header)


WORKBOOK_READER = Reader(
    name="excel",
    title="Workbook",
    tool="Excel, LibreOffice",
    extensions=WORKBOOK_EXTENSIONS,
    reads=(
        "The same ratings tables and confusion matrices as from CSV, from the sheet with most rows, or from "
        "all sheets that have the same columns. If no column names annotators, each "
        "of these sheets belongs to one annotator."
    ),
    leaves_out="Other sheets, formatting and comments, and cells that show the error of a formula.",
    recognises=is_workbook,
    read=read_workbooks,
)
