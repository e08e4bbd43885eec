"""A table of strings, from delimited text, a workbook or any rows: a header, rows as long, their lines."""

import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from functools import cached_property
from string import digits as DIGITS  # noqa: N812 - a constant
from typing import TYPE_CHECKING

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, in_plain_words
from reportgen.base.files import (
    SAMPLE_ROWS,
    WESTERN_CODECS,
    as_compared,
    encoding,
    even_columns,
    from_cell,
    is_quoted,
    nfc,
    numbered_rows,
    rows,
)
from reportgen.readers.annotations import Codes, Texts
from reportgen.readers.reader import ExportFile, ReaderOptions, composed, shortened
from reportgen.readers.scales import (
    are_decimal,
    are_sets_or_decimal,
    decimal_fractions,
    percentages,
    without_missing,
)
from reportgen.readers.table_rows import Mended, are_as_expected, filled_down, mend_rows, to_fill_down
from reportgen.readers.untrusted import is_zip, member_names, unpack

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

AS_FOUND = ReaderOptions()

# Whether the first row of a table names its columns, or is a row of data that would be lost as a header.

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)")
NAMES_SHOWN = 6
MANY_NUMBERED = 6
LONG, OF_ONE_FILE = ("item", "annotator", "label"), ("item", "label")


def data_as_header(table: "StringTable", unit: int | None, labels: Sequence[int]) -> Iterator[Problem]:
    """Yield a problem where the first row seems to be data, with what speaks for it.

    `unit` is the column that was taken for that of units, `labels` those that were taken for annotators'.
    """
    header, columns = table.header, table.columns
    if not header[0] or not len(columns[0]):
        return  # what a program writes above its row numbers
    if len(header) >= MANY_NUMBERED and count_up(header):
        return  # hardly any row of data counts up as far
    first = unit if unit is not None or not all_differ(columns[0]) else 0
    before = {name_stem(unit_name) for unit_name in columns[first].levels} if first is not None else {None}
    if first is not None and len(before) == 1 and before != {None}:
        if name_stem(header[first]) in before:
            yield _problem(table, f'"{header[first]}" is numbered as the units below are')
        return
    labels_below = {label for column in labels for label in columns[column].levels} - {""}
    named = [header[column] for column in labels]
    if recurring := [name for name in named if name in labels_below]:
        yield _problem(table, f'"{recurring[0]}" occurs below')
    elif _may_be_values(named, labels_below):
        yield _problem(table, f'"{named[0]}" is a number, as all labels are')


def data_as_repeated_names(table: "StringTable", repeated: Iterable[str]) -> Iterator[Problem]:
    """Yield a problem where names that several columns have are labels below: a first row of labels."""
    for name in repeated:
        columns = zip(table.header, table.columns, strict=True)
        labels = {label for header, column in columns if header == name for label in column.levels} - {""}
        evidence = f'"{name}" is in it several times'
        if name in labels:
            yield _problem(table, f"{evidence} and occurs below")
            return
        if _may_be_values([name], labels):
            yield _problem(table, f"{evidence}, and a number as all labels are")
            return


def all_differ(texts: Texts) -> bool:
    """Say whether no text is there twice."""
    return len(texts.levels) == len(texts)


def name_stem(name: str) -> str | None:
    """Return what is before the number at the end of a name, None where it ends with none."""
    before = name.rstrip(DIGITS)
    return before if before != name else None


def _may_be_values(names: Sequence[str], labels: Collection[str]) -> bool:
    """Say whether names are numbers that may be among the labels, and no numbers of annotators."""
    numbers = [_number(name) for name in names]
    values = [value for value in map(_number, labels) if value is not None]
    if not values or len(values) < len(labels) or count_up(names):
        return False
    room = max(values) - min(values)
    return all(value is not None and min(values) - room <= value <= max(values) + room for value in numbers)


def _number(name: str) -> float | None:
    """Return the number that a cell holds, with a point or a comma; None where it holds none."""
    return float(name.replace(",", ".")) if NUMBER.fullmatch(name) else None


def count_up(names: Sequence[str]) -> bool:
    """Say whether names are numbers from 0 or 1 on, as annotators and units without names have them."""
    return list(names) in ([str(number) for number in range(start, start + len(names))] for start in (0, 1))


def _problem(table: "StringTable", evidence: str) -> Problem:
    message = f"the first row seems to be data, not a header: {evidence}."
    width = len(table.header)
    first = ["item"] if width > 2 else []
    names = [*first, *(f"A{number}" for number in range(1, width - len(first) + 1))]
    if width == len(LONG) and not all_differ(table.columns[0]):
        names = list(LONG)
    elif width == len(OF_ONE_FILE) and all_differ(table.columns[0]):
        names = list(OF_ONE_FILE)
    line = ",".join(names if width <= NAMES_SHOWN else [*names[: NAMES_SHOWN - 1], "…"])
    remedy = (
        f"Put a line above it that names the columns, such as {line}; if it does name annotators, list them: "
        f"annotators in campaign.toml, --annotators for agree."
    )
    remedy += " Where columns have no names, write header = 0 (agree: --reading FILE, a file with this line)."
    return table.problem(table.lines[0], "header", message, remedy)


# A table of strings, from delimited text or any other rows: a header, rows of equal length, their lines.

EXTENSIONS = (".csv", ".tsv", ".tab")
# The first columns of the tables of units that reportgen writes.
PLACE = ("layer", "document", "unit", "offsets")
OTHER_TEXTS = ("{", "[", "<", "|")  # how JSON, XML, RTF and Markdown tables start
# No text has it: a row of its own behind the last, unless a quotation is still open there.
END = "\0"
DELIMITER_NAMES = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}


@dataclass(frozen=True, eq=False)
class StringTable:
    """A table of strings, nothing reinterpreted; letters with accents are in Unicode's composed form.

    `header` holds the column names without spaces around them, `columns` the strings below each, and `rows`
    the place of each row in `lines`. Rows without any text are gone. `written` says how the file is written:
    "comma-separated, UTF-8". `count_lines` returns `lines`, which are counted once, where they are asked for.
    Where only the first rows are at hand, `unique` tells of all of them whether they differ in a column.
    `mended` says what the file has besides a header and its rows; `is_turned`, whether the file's rows are
    columns here.
    """

    file: ExportFile
    header: tuple[str, ...]
    columns: tuple[Texts, ...]
    rows: Codes
    written: str
    count_lines: Callable[[], Sequence[int]]
    unique: Callable[[int], bool] | None = None
    mended: Mended = field(default_factory=Mended)
    is_turned: bool = False

    @cached_property
    def lines(self) -> Sequence[int]:
        """The line on which each row of the file starts, the header's first."""
        return self.count_lines()

    @property
    def named(self) -> list[str]:
        """The column names that are not empty."""
        return [name for name in self.header if name]

    def is_unique(self, column: int) -> bool:
        """Say whether each row has a value of its own in a column."""
        return self.unique(column) if self.unique else all_differ(self.columns[column])

    def problem(self, line: int, key: str, message: str, remedy: str) -> Problem:
        """Return a problem of this table."""
        return self.file.problem(message, remedy, line, key)

    def only(self, places: Sequence[int]) -> "StringTable":
        """Return the table with some of its columns."""
        return replace(
            self,
            header=tuple(self.header[place] for place in places),
            columns=tuple(self.columns[place] for place in places),
            unique=None if self.unique is None else lambda place: self.is_unique(places[place]),
        )

    def absent(
        self, key: str, name: str, what: str = "column", known: Sequence[str] | None = None
    ) -> Problem:
        """Return the problem that a column, or a question, is not there that a key names."""
        remedy = did_you_mean(name, self.named if known is None else known)
        return self.problem(self.lines[0], key, f'there is no {what} "{name}".', remedy)

    def refused(self, key: str, message: str, remedy: str) -> BadInput:
        """Return the error of what is wrong with the header, which a key of campaign.toml mends."""
        return BadInput([self.problem(self.lines[0], key, message, remedy)])


def with_columns(table: StringTable, values: Mapping[str, str]) -> StringTable:
    """Return the table with a column more for each name, which holds one value in all rows."""
    new = [Texts.alike(value, len(table.rows)) for value in values.values()]
    return replace(table, header=(*table.header, *values), columns=(*table.columns, *new))


def is_ours(header: Sequence[str]) -> bool:
    """Say whether the first row of a table is one of reportgen's own: of a gold standard, or a sheet."""
    return tuple(header[: len(PLACE)]) == PLACE


def is_table(file: ExportFile) -> bool:
    """Say whether the file is delimited text: by its extension, else by its first rows' equal lengths."""
    if "is_table" not in vars(file):
        vars(file)["is_table"] = _is_table(file)
    return bool(vars(file)["is_table"])


def _is_table(file: ExportFile) -> bool:
    if file.suffix in EXTENSIONS:
        return True
    if not file.is_text() or file.text.lstrip().startswith(OTHER_TEXTS):
        return False
    sample = [len(row) for row in rows(file.text, file.delimiter, SAMPLE_ROWS)]
    return len(sample) > 1 and sample[0] > 1 and len(set(sample)) == 1


def first_row(file: ExportFile) -> list[str]:
    """Return the first row of delimited text, without spaces around its cells; nothing of any other file."""
    if not is_table(file) or not file.is_text():
        return []
    return [cell.strip() for cell in next(iter(rows(file.text, file.delimiter, 1)), [])]


def spelled_out(file: ExportFile) -> str:
    """Return how the file is written: "comma-separated, UTF-8"."""
    return f"{DELIMITER_NAMES[file.delimiter]}-separated, {_encoding(file, file.codec)}"


def _encoding(file: ExportFile, codec: str | None) -> str:
    return CODECS.get(codec or "", encoding(file.content))


def read_table(file: ExportFile, options: ReaderOptions = AS_FOUND) -> StringTable:
    """Return the table in the file.

    Raises BadInput with every fault: an empty file, columns of the same name, rows of another length
    than the header, a quotation mark that is never closed.
    """
    file, encoded = decoded(file, options.encoding)
    if not file.text.strip():
        raise file.refused("is empty.", "Export it again, or remove it.")
    written = f"{DELIMITER_NAMES[file.delimiter]}-separated, {_encoding(file, encoded)}"
    if (
        not options.header
        and options.skip_rows is None
        and (plain := even_columns(file.text, file.delimiter))
    ):
        lines, cells = plain
        names, columns = [column[0].strip() for column in cells], [Texts.of(column[1:]) for column in cells]
        if are_as_expected(names, columns):
            table = _table(file, names, columns, np.arange(1, len(lines)), lines, written)
            return _as_written(table, Mended(encoding=encoded), options)
    if not is_quoted(file.text, file.delimiter):
        return table_of(file, numbered_rows(file.text, file.delimiter), written, options, encoded)
    numbered = numbered_rows(f"{file.text}\n{END}", file.delimiter)
    is_closed = numbered[-1][1] == [END]
    if not is_closed and not any(END in cell for cell in numbered[-1][1][:-1]):
        line = numbered[-1][0]
        message = "a quotation mark is opened here and never closed."
        raise file.refused(message, "Close it, or double a quotation mark that belongs to the text.", line)
    numbered.pop()
    return table_of(file, numbered, written, options, encoded)


def table_of(
    file: ExportFile,
    rows: Sequence[tuple[int, Sequence[str]]],
    written: str,
    options: ReaderOptions | None = None,
    encoded: str | None = None,
) -> StringTable:
    """Return rows of any origin as a table: each with its line, the header first.

    With options they are rows that people made: titles, totals and headers that come again are left out, and
    cells that are filled once are filled down.
    Raises BadInput where there is no row, columns have the same name, or rows another length.
    """
    if not rows:
        raise file.refused("is empty.", "Export it again, or remove it.")
    mended, (numbers, columns) = Mended(), _columns(rows)
    if options is not None and (
        options.header
        or options.skip_rows is not None
        or len(numbers) < len(rows) - 1
        or not are_as_expected([name.strip() for name in rows[0][1]], columns)
    ):
        rows, mended = mend_rows(rows, options.header, options.skip_rows)
        numbers, columns = _columns(rows)
    lines = [line for line, _ in rows]
    header = tuple(name.strip() for name in rows[0][1])
    if len(numbers) < len(rows) - 1 and (ragged := _ragged_rows(file, rows[1:], len(header))):
        raise BadInput([*_repeated_names(file, header, lines[0]), *ragged])
    table = _table(file, header, columns, numbers, lines, written)
    return table if options is None else _as_written(table, replace(mended, encoding=encoded), options)


def _table(  # noqa: PLR0913, PLR0917 - the parts of a table
    file: ExportFile,
    names: Sequence[str],
    columns: Sequence[Texts],
    rows: Codes,
    lines: Sequence[int],
    written: str,
) -> StringTable:
    """Return columns as a table; raise BadInput where two have one name, maybe as labels of a first row."""
    header = tuple(map(nfc, names))
    table = StringTable(file, header, _composed(header, columns), rows, written, lambda: lines)
    if repeated := _repeated(header):
        raise BadInput([*data_as_repeated_names(table, repeated)] or _repeated_names(file, header, lines[0]))
    return table


def _columns(rows: Sequence[tuple[int, Sequence[str]]]) -> tuple[Codes, list[Texts]]:
    """Return which rows are as long as the first, and hold any text, and the columns of these."""
    width = len(rows[0][1])
    even = 1 + np.flatnonzero([len(row) == width for _, row in rows[1:]])
    body = [rows[number][1] for number in even.tolist()]
    columns = [Texts.of(column) for column in (zip(*body, strict=True) if body else [()] * width)]
    filled = np.any([cells.where(bool) for cells in columns], axis=0)
    return even[filled], columns if filled.all() else [cells.taken(filled) for cells in columns]


def _as_written(table: StringTable, mended: Mended, options: ReaderOptions) -> StringTable:
    """Return a table with cells filled down, and with what was mended said."""
    names, columns = table.named, list(table.columns)
    if absent := [name for name in options.fill_down if name not in names]:
        raise BadInput(table.absent("fill_down", name) for name in absent)
    own = {name: columns[table.header.index(name)] for name in names}
    fill = options.fill_down
    if fill or not all(all(map(str.strip, cells.levels)) for cells in own.values()):
        import pandas as pd

        stripped = pd.DataFrame(
            {name: cells.mapped(str.strip).tolist() for name, cells in own.items()}, dtype="object"
        )
        fill = fill or to_fill_down(stripped)
        filled = filled_down(stripped, fill)
        for name in fill:
            columns[table.header.index(name)] = Texts.of(filled[name])
    decimal = options.decimal
    if decimal is None and options.set_separator != ",":
        decimal = _decimal(table, own)
    if decimal:
        for number, cells in enumerate(columns):
            if (
                table.header[number]
                and decimal_fractions(without_missing(map(str.strip, own[table.header[number]].levels)))
                is not None
            ):
                columns[number] = cells.mapped(lambda cell: as_compared(cell.replace(decimal, ".")))
    percent = False
    for number, name in enumerate(table.header):
        has_sign = name and "%" in "".join(own[name].levels)
        if has_sign and (numbers := percentages(without_missing(map(str.strip, own[name].levels)))):
            columns[number] = own[name].mapped(lambda cell: numbers.get(cell.strip(), cell.strip()))
            percent = True
    mended = replace(mended, fill_down=tuple(fill), decimal=decimal, percent=percent)
    written = ", ".join([table.written, *mended.sentences])
    return replace(table, columns=tuple(columns), written=written, mended=mended)


def _decimal(table: StringTable, columns: Mapping[str, Texts]) -> str | None:
    """Return the comma where it is in numbers; raise BadInput where it may be in sets as well."""
    for name, cells in columns.items():
        has_comma = "," in "".join(cells.levels)
        values = without_missing(map(str.strip, cells.levels)) if has_comma else set()
        if not any("," in value for value in values):
            continue
        if are_decimal(values):
            return ","
        if are_sets_or_decimal(values):
            message = "has cells such as 1,2, which may be numbers with decimal commas, or sets."
            remedy = 'Say which: decimal = "," or set_separator = "," (agree: --decimal or --set-separator).'
            raise table.refused(f"column {name}", message, remedy)
    return None


def _composed(header: Sequence[str], columns: Sequence[Texts]) -> tuple[Texts, ...]:
    """Return columns as texts are compared; in other people's tables an apostrophe belongs to the cell."""
    ours = is_ours(header)
    return tuple(
        cells
        if not ours and (signs := "".join(cells.levels)).isascii() and ".0" not in signs
        else cells.mapped(lambda cell: composed(from_cell(cell) if ours else cell))
        for cells in columns
    )


# How a text is encoded that is not UTF-8.

CODECS = {**WESTERN_CODECS, "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}


def decoded(file: ExportFile, asked: str | None) -> tuple[ExportFile, str | None]:
    """Return a file as text, and its encoding where it is not Unicode: asked for, or found.

    Raises BadInput where the text makes no sense in any, or can't be read in the one asked for.
    """
    if asked is None:
        try:
            return file, file.codec if file.text else None
        except BadInput as error:
            remedy = 'Save the file as UTF-8, or say its encoding: --encoding cp1252, encoding = "cp1252".'
            raise BadInput(replace(problem, remedy=remedy) for problem in error.problems) from None
    try:
        text = file.content.decode(asked).lstrip("\ufeff")
    except (LookupError, UnicodeError):
        message = f'can not be read as encoding = "{asked}".'
        raise file.refused(message, 'Write for example encoding = "cp1252".', key="encoding") from None
    return ExportFile.with_content(file.path, file.name, content=file.content, text=text), asked


def _repeated(header: Sequence[str]) -> dict[str, int]:
    """Return the names that several columns have, and how many."""
    return {name: times for name, times in Counter(filter(None, header)).items() if times > 1}


def _repeated_names(file: ExportFile, header: Sequence[str], line: int) -> list[Problem]:
    remedy = "Give each column a name of its own."
    return [
        file.problem(f"{times} columns have this name.", remedy, line, f"column {name}")
        for name, times in _repeated(header).items()
    ]


def _ragged_rows(file: ExportFile, rows: Sequence[tuple[int, Sequence[str]]], width: int) -> list[Problem]:
    remedy = "Put quotation marks around a cell that contains the delimiter or a line break."
    ragged = [
        file.problem(f"has {len(row)} cells where the header has {width}.", remedy, line)
        for line, row in rows
        if len(row) != width and any(map(str.strip, row))
    ]
    return shortened(ragged)


# Workbooks as rows of texts: checked before they are opened, cells as they are shown.

WORKBOOK_MEMBER, ODS_MEMBER, ODS_TYPE = "xl/workbook.xml", "content.xml", b"opendocument.spreadsheet"
# How workbooks of Excel 97 to 2003 start, and encrypted ones of any version.
OLD_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
WORKBOOK_EXTENSIONS = (".xlsx", ".xlsm", ".xls", ".ods")
MOST_CELLS = 20_000_000
DOCTYPE = "<!DOCTYPE"
# Excel writes down what a formula gives, also an empty text (t="str"); programs that never computed do not.
FORMULA = re.compile(
    rb"<c\b([^<>]*)>\s*<f\b(?:[^<>]*/>|[^<>]*>[^<]*</f>)\s*+(?:(?:<v\s*/>|<v>\s*</v>)\s*+)?</c>"
)
EMPTY_TEXT = b't="str"'
CELL = re.compile(rb"""\br\s*=\s*["']([A-Z]*)([0-9]+)["']""")
ODS_CELL = re.compile(rb'<table:(?:covered-)?table-cell(?:[^<>]*?columns-repeated="([0-9]+)")?')
ODS_REPEATED = re.compile(rb'rows-repeated="([0-9]+)"')

Rows = list[tuple[int, list[str]]]


@dataclass(frozen=True)
class Worksheet:
    """A sheet that holds anything: its name and its rows, each with its number."""

    name: str
    rows: Rows


def is_workbook(file: ExportFile) -> bool:
    """Say whether a file is a workbook."""
    if file.content.startswith(OLD_MAGIC):
        return file.suffix in WORKBOOK_EXTENSIONS
    if not is_zip(file):
        return False
    names = member_names(file)
    return WORKBOOK_MEMBER in names or (ODS_MEMBER in names and ODS_TYPE in file.content)


def read_sheets(file: ExportFile) -> list[Worksheet]:
    """Return the sheets that hold anything; what merged cells of several rows hold is in each of these.

    Raises BadInput for a workbook that is damaged, unsafe, too large or encrypted, or has formulas that were
    never computed.
    """
    if is_zip(file):
        _refuse_unsafe(file)
    from python_calamine import CalamineError, load_workbook

    try:
        book = load_workbook(io.BytesIO(file.content))
        sheets = [book.get_sheet_by_name(name) for name in book.sheet_names]
        return [Worksheet(sheet.name, rows) for sheet in sheets if (rows := _rows(sheet))]
    except (CalamineError, ValueError) as error:
        message = f"is not a workbook that can be read: {in_plain_words(error)}."
        raise file.refused(message, "Save it again, without a password.") from None


def _refuse_unsafe(file: ExportFile) -> None:
    """Raise BadInput for what no spreadsheet writes: entities and far cells, which fill memory; no values."""
    problems: list[Problem] = []
    for member in unpack(file):
        if any(DOCTYPE.encode(codec) in member.content for codec in ("utf-8", "utf-16-le", "utf-16-be")):
            message = f"{member.name} declares a document type, which no workbook needs."
            problems.append(file.problem(message, "Save the workbook again."))
        is_sheet = "/xl/worksheets/" in member.name
        if is_sheet and (cell := _not_computed(member.content)):
            message = f"cell {cell} of a sheet has a formula whose value was never computed."
            problems.append(file.problem(message, "Open the workbook in a spreadsheet, and save it."))
        size = _ods_size if member.name.endswith(f"/{ODS_MEMBER}") else _sheet_size if is_sheet else None
        if size and size(member.content) > MOST_CELLS:
            message = "has a sheet with more cells than a table of ratings can have."
            problems.append(file.problem(message, "Remove what is no rating, or save the sheet as CSV."))
    if problems:
        raise BadInput(problems)


def _sheet_size(sheet: bytes) -> int:
    """Return how many cells are between the first and the last of a sheet of Excel."""
    rows, widest = 0, b""
    for column, row in {*CELL.findall(sheet)}:
        rows, widest = max(rows, int(row)), max(widest, column, key=lambda name: (len(name), name))
    columns = 0
    for sign in widest:
        columns = 26 * columns + sign - 64
    return rows * columns


def _ods_size(content: bytes) -> int:
    """Return how many cells are between the first and the last of an OpenDocument spreadsheet, at most."""
    row = last = width = 0
    for part in content.split(b"<table:table-row")[1:]:
        head, _, cells = part.partition(b">")
        row += int(times[1]) if (times := ODS_REPEATED.search(head)) else 1
        if (end := max(cells.rfind(b'value="'), cells.rfind(b"<text:"))) >= 0:
            width = max(width, sum(int(times or 1) for times in ODS_CELL.findall(cells[:end])))
            last = row
    return last * width


def _not_computed(sheet: bytes) -> str:
    """Return the first cell whose formula was never computed, empty where there is none."""
    for formula in FORMULA.finditer(sheet):
        if EMPTY_TEXT not in formula[1]:
            name = CELL.search(formula[1])
            return b"".join(name.groups()).decode() if name else "?"
    return ""


def _rows(sheet: "CalamineSheet") -> Rows:
    """Return the rows that hold any text, all as wide as the widest, without empty columns at the end."""
    rows = [[*map(as_text, row)] for row in sheet.to_python(skip_empty_area=False)]
    for (top, left), (bottom, _) in sheet.merged_cell_ranges or ():
        for row in rows[top + 1 : bottom + 1]:
            row[left] = rows[top][left]
    numbered = [(number, row) for number, row in enumerate(rows, 1) if any(map(str.strip, row))]
    filled = (column for _, row in numbered for column, text in enumerate(row, 1) if text.strip())
    width = max(filled, default=0)
    return [(number, row[:width]) for number, row in numbered]


def as_text(value: object) -> str:
    """Return a cell as its text: whole numbers without a point, dates as ISO has them, TRUE and FALSE."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return as_compared(repr(value))
    return value.isoformat(sep=" ") if isinstance(value, datetime) else str(value)
