"""Excel workbooks: the ratings tables, wide or long, and confusion matrices that CSV can hold too."""

import io
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from itertools import islice
from typing import Any

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers import confusion_matrix
from reportgen.readers.confusion_matrix import read_matrix
from reportgen.readers.ratings import from_sheets, understood
from reportgen.readers.reader import Annotations, ExportFile, Reader, ReaderOptions
from reportgen.readers.string_tables import StringTable, table_of, with_columns
from reportgen.readers.table_columns import only_labels
from reportgen.readers.untrusted import is_zip, member_names, unpack

# Excel workbooks as rows of texts: checked before they are opened, cells as they are shown.

WORKBOOK = "xl/workbook.xml"
# How workbooks of Excel 97 to 2003 start, and encrypted ones of any version.
OLD_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
EXTENSIONS = (".xlsx", ".xlsm")
MOST_ROWS = 1_048_576
MOST_CELLS = 20_000_000
MOST_DIGITS = 15
DOCTYPE = "<!DOCTYPE"
# Excel writes down what a formula gives, also an empty text (t="str"); programs that never computed do not.
FORMULA = re.compile(
    rb"<c\b([^<>]*)>\s*<f\b(?:[^<>]*/>|[^<>]*>[^<]*</f>)\s*+(?:(?:<v\s*/>|<v>\s*</v>)\s*+)?</c>"
)
EMPTY_TEXT = b't="str"'
CELL = re.compile(rb'\br="([A-Z]{1,3}[0-9]{1,7})"')

Rows = list[tuple[int, list[str]]]


@dataclass(frozen=True)
class Worksheet:
    """A sheet that holds anything: its name and its rows, each with its number."""

    name: str
    rows: Rows


def is_workbook(file: ExportFile) -> bool:
    """Say whether a file is a workbook, of an old version too, which is then refused with the reason."""
    if file.content.startswith(OLD_MAGIC):
        return file.suffix in (*EXTENSIONS, ".xls")
    return is_zip(file) and WORKBOOK in member_names(file)


def read_sheets(file: ExportFile) -> list[Worksheet]:
    """Return the sheets that hold anything.

    Raises BadInput for a workbook that is damaged, unsafe, too large, of an old version or encrypted, has
    formulas that were never computed, or can't be read without the library that reads workbooks.
    """
    if file.content.startswith(OLD_MAGIC):
        message = "is a workbook of Excel 97 to 2003, or encrypted; neither is read."
        raise file.refused(message, "Save it as .xlsx without a password, or as CSV.")
    _refuse_unsafe(file)
    try:
        from openpyxl import load_workbook
    except ImportError:
        mend = 'Install reportgen with the extra "excel", or save the sheet as CSV.'
        raise file.refused("is an Excel workbook.", mend) from None
    try:
        # What openpyxl warns of is formatting, which is not read.
        with warnings.catch_warnings(action="ignore"):
            book = load_workbook(io.BytesIO(file.content), read_only=True, data_only=True)
            return [
                sheet for each in book.worksheets if (sheet := Worksheet(each.title, _rows(file, each))).rows
            ]
    except BadInput:
        raise
    except Exception as error:  # noqa: BLE001 - openpyxl raises whatever it stumbles over
        raise BadInput([_damaged(file, error)]) from None


def _damaged(file: ExportFile, error: Exception) -> Problem:
    reason = " ".join(str(error).split())[:100].removesuffix(".") or type(error).__name__
    return file.problem(f"is no workbook that can be read: {reason}.", "Save it again.")


def _refuse_unsafe(file: ExportFile) -> None:
    """Raise BadInput for what no spreadsheet writes: entities, which can fill memory; unknown values."""
    problems: list[Problem] = []
    for member in unpack(file):
        if any(DOCTYPE.encode(codec) in member.content for codec in ("utf-8", "utf-16-le", "utf-16-be")):
            message = f"{member.name} declares a document type, which no workbook needs."
            problems.append(file.problem(message, "Save the workbook again."))
        if "/xl/worksheets/" in member.name and (cell := _not_computed(member.content)):
            message = f"cell {cell} of a sheet holds a formula whose value was never computed."
            problems.append(file.problem(message, "Open the workbook in a spreadsheet, and save it."))
    if problems:
        raise BadInput(problems)


def _not_computed(sheet: bytes) -> str:
    """Return the first cell whose formula was never computed, empty where there is none."""
    cells = (each[1] for each in FORMULA.finditer(sheet))
    first = next((cell for cell in cells if EMPTY_TEXT not in cell), None)
    if first is None:
        return ""
    name = CELL.search(first)
    return name[1].decode() if name else "?"


def _rows(file: ExportFile, sheet: Any) -> Rows:  # noqa: ANN401 - the stubs do not know how to iterate it
    """Return the rows that hold any text, all as wide as the widest, without empty columns at the end."""
    sheet.reset_dimensions()  # some programs write wrong ones
    found: Rows = []
    cells = 0
    for number, row in enumerate(islice(sheet.iter_rows(values_only=True), MOST_ROWS + 1), 1):
        cells += len(row)
        if number > MOST_ROWS or cells > MOST_CELLS:
            message = "holds a sheet with more rows or cells than a table of ratings can have."
            raise file.refused(message, "Remove what is no rating, or save the sheet as CSV.")
        texts = [as_text(value) for value in row]
        if any(map(str.strip, texts)):
            found.append((number, texts))
    width = max((_filled(row) for _, row in found), default=0)
    return [(number, [*row[:width], *[""] * (width - len(row))]) for number, row in found]


def _filled(row: Sequence[str]) -> int:
    return max((place for place, text in enumerate(row, 1) if text.strip()), default=0)


def as_text(value: object) -> str:
    """Return a cell as its text: whole numbers without a point, dates as ISO has them, TRUE and FALSE."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 10**MOST_DIGITS
        return str(int(value)) if whole else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, date | time) else str(value)


# Excel workbooks: the ratings tables, wide or long, and confusion matrices that CSV can hold too.

FIRST_SHEET = "Excel, first sheet that holds anything"
EVERY_SHEET = "Excel, all sheets"
OWN_SHEETS = "Excel, a sheet for each annotator"
# The column that says whose a row is, which no file has.
SHEET = "{sheet}"
PAIR = 2


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a workbook."""
    return is_workbook(file)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the ratings in the workbooks, taken together; raise BadInput with all that is wrong."""
    every = for_each(files, read_sheets)
    if any(sheets and "\\" in sheets[0].rows[0][1][0] for sheets in every):
        confusion_matrix.require_one(files)
        matrix = read_matrix(files[0], every[0][0].rows)
        return confusion_matrix.from_matrix(matrix, options, READER.name, FIRST_SHEET)
    known = dict(zip(files, every, strict=True))
    found = for_each(files, lambda file: _tables(file, known[file], options))
    sheets = for_each([each for of_file in found for each in of_file], lambda each: understood(*each))
    return from_sheets(sheets, options, READER.name, tuple(file.source for file in files))


def tables_of(file: ExportFile, options: ReaderOptions) -> list[tuple[StringTable, ReaderOptions]]:
    """Return the tables of a workbook, each with how it is to be read; raise BadInput for a faulty one."""
    return _tables(file, read_sheets(file), options)


def _tables(
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


READER = Reader(
    name="excel",
    title="Excel workbook",
    tool="Excel, LibreOffice",
    extensions=EXTENSIONS,
    reads="The ratings tables and confusion matrices that CSV can hold too, from the first sheet that holds "
    "anything, or from all where they have the same columns, which are an annotator's each where no column "
    "names annotators.",
    leaves_out="Other sheets, formatting and comments; workbooks of Excel 97 to 2003, which have to be saved "
    "anew.",
    recognises=recognises,
    read=read,
)
