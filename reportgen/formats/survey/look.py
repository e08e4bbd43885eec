"""From files of one format to what they hold."""

from collections.abc import Sequence
from dataclasses import replace

from reportgen.errors import BadInput, for_each
from reportgen.formats.annotations import Annotations, Ratings
from reportgen.formats.copies import Export
from reportgen.formats.parsing.workbooks import read_sheets
from reportgen.formats.reader import COLUMN_ROLES, ExportFile, Reader, ReadOptions
from reportgen.formats.readers import counts, excel, ratings
from reportgen.formats.survey.columns import TO_FILL_IN, Columns, columns_of, guess_columns
from reportgen.formats.survey.counts import of_counts
from reportgen.formats.survey.documents import of_documents
from reportgen.formats.survey.found import Found, LayerFound
from reportgen.formats.survey.labels import of_labels
from reportgen.formats.tabular.tables import Table, read_table, table_of

NOTHING = LayerFound(None, {}, "items")
NEEDED = 3  # unit, annotator and label


def look(reader: Reader, files: Sequence[ExportFile]) -> Found:
    """Return what the files hold that a reader reads; raise BadInput for those that are faulty.

    Columns that are not understood are no fault: what a table holds follows from a guess, where there is
    one.
    """
    if reader is counts.READER:
        return of_counts(files)
    try:
        content = reader.read(files, ReadOptions())
    except BadInput as error:
        tables = _tables(reader, files)
        return _by_guess(reader, files, tables, error) if tables else _to_fill_in(error)
    if isinstance(content, Export):
        return of_documents(content, reader.name)
    tables = [] if _is_matrix(content) else _tables(reader, files)
    return of_labels(content, columns_of(tables) if tables else None)


def _is_matrix(annotations: Annotations) -> bool:
    return isinstance(annotations.content, Ratings) and annotations.content.ordered


def _tables(reader: Reader, files: Sequence[ExportFile]) -> list[Table]:
    """Return the tables of a format that has nothing but columns; raise BadInput for faulty ones."""
    if reader is ratings.READER:
        return for_each(files, read_table)
    return for_each(files, _first_sheet) if reader is excel.READER else []


def _first_sheet(file: ExportFile) -> Table:
    return table_of(file, next((sheet.rows for sheet in read_sheets(file)), []), "")


def _to_fill_in(error: BadInput) -> Found:
    """Return nothing but the columns that a reader asks for; raise its error where it asks for none."""
    asked = {problem.key for problem in error.problems}
    roles = [role for role in COLUMN_ROLES if f"columns.{role}" in asked]
    if len(roles) < len(asked):
        raise error
    columns = Columns((), dict.fromkeys(roles, TO_FILL_IN), (), understood=False)
    return Found((), 0, 0, NOTHING, columns=columns, problems=error.problems)


def _by_guess(reader: Reader, files: Sequence[ExportFile], tables: Sequence[Table], error: BadInput) -> Found:
    """Return what tables hold where columns are what they seem to be; raise the error where that is known."""
    columns = columns_of(tables)
    if columns.understood:
        guess = guess_columns(tables)
        if guess.roles == columns.roles or len(guess.roles) < NEEDED:
            raise error
        columns = guess
    try:
        content = reader.read(files, ReadOptions(columns=columns.roles))
    except BadInput:
        content = None
    if isinstance(content, Annotations) and isinstance(content.content, Ratings):
        return replace(of_labels(content, columns), roles={})
    return Found((), 0, 0, NOTHING, columns=columns)
