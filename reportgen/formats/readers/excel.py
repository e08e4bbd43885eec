"""Excel workbooks: the ratings tables, wide or long, and confusion matrices that CSV can hold too."""

from collections.abc import Sequence

from reportgen.errors import for_each
from reportgen.formats.annotations import Annotations
from reportgen.formats.parsing.workbooks import EXTENSIONS, Rows, Sheet, is_workbook, read_sheets
from reportgen.formats.reader import ExportFile, Reader, ReadOptions
from reportgen.formats.readers import confusion
from reportgen.formats.readers.ratings import Sheet as Understood
from reportgen.formats.readers.ratings import from_sheets, understood
from reportgen.formats.tabular.matrix import read_matrix
from reportgen.formats.tabular.tables import table_of

FIRST_SHEET = "Excel, first sheet that holds anything"
EVERY_SHEET = "Excel, all sheets"


class _OneOfSeveral(ExportFile):
    """A sheet of a workbook, called "workbook.xlsx[sheet]" where several of it are read."""

    def __init__(self, file: ExportFile, sheet: Sheet) -> None:
        super().__init__(file.path, f"{file.name}[{sheet.name}]")


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a workbook."""
    return is_workbook(file)


def read(files: Sequence[ExportFile], options: ReadOptions) -> Annotations:
    """Return the ratings in the workbooks, taken together; raise BadInput with all that is wrong."""
    every = for_each(files, read_sheets)
    if any(_is_matrix(sheets) for sheets in every):
        confusion.require_one(files)
        matrix = read_matrix(files[0], every[0][0].rows)
        return confusion.from_matrix(matrix, options, READER.name, FIRST_SHEET)
    known = dict(zip(files, every, strict=True))
    tables = for_each(files, lambda file: _tables(file, known[file], options))
    sheets = [sheet for of_file in tables for sheet in of_file]
    return from_sheets(sheets, options, READER.name, tuple(file.source for file in files))


def _is_matrix(sheets: Sequence[Sheet]) -> bool:
    return bool(sheets) and "\\" in sheets[0].rows[0][1][0]


def _tables(file: ExportFile, sheets: Sequence[Sheet], options: ReadOptions) -> list[Understood]:
    """Return all sheets where they have one header, else the first."""
    headers = {tuple(sheet.rows[0][1]) for sheet in sheets}
    if len(sheets) < 2 or len(headers) > 1:  # noqa: PLR2004 - one sheet, or none
        rows = sheets[0].rows if sheets else []
        return [understood(table_of(file, rows, FIRST_SHEET), options)]
    parts: dict[ExportFile, Rows] = {_OneOfSeveral(file, sheet): sheet.rows for sheet in sheets}
    return for_each(list(parts), lambda part: understood(table_of(part, parts[part], EVERY_SHEET), options))


READER = Reader(
    name="excel",
    title="Excel workbook",
    tool="Excel, LibreOffice",
    extensions=EXTENSIONS,
    reads="The ratings tables and confusion matrices that CSV can hold too, from the first sheet that holds "
    "anything, or from all where they have the same columns.",
    leaves_out="Other sheets, formatting and comments; workbooks of Excel 97 to 2003, which have to be saved "
    "anew.",
    recognises=recognises,
    read=read,
)
