"""A filled sheet as rows: CSV as spreadsheets write it, or a workbook, with the line of each."""

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, in_plain_words, refused
from reportgen.base.files import DELIMITERS, decode, from_cell, numbered_rows, rows
from reportgen.readers.reader import ExportFile
from reportgen.readers.string_tables import PLACE, is_workbook, read_sheets
from reportgen.readers.string_tables import WORKBOOK_EXTENSIONS as EXTENSIONS

# What a sheet calls things: its columns, the causes of a disagreement, and the reference made from it.

# The annotator that the decisions become.
REFERENCE = "adjudicated"

CONTEXT = ("before", "text", "after")
ANSWERS = ("decision", "cause")
COLUMNS = (*PLACE, *CONTEXT, *ANSWERS)
# The column of what an adjudicator notes, to the right of the decision.
NOTE = "note"
# What surrounds a unit is for the reader of the sheet alone.
REQUIRED = (*PLACE, "text", *ANSWERS)
# With more annotators than these, one column says how often each label was given.
MOST_ANNOTATORS = 50
LABELS = "labels"

CAUSES = (
    "slip",
    "guideline silent",
    "guideline forgotten",
    "text ambiguous",
    "pre-annotation missed",
    "other",
)
SILENT, OTHER = "guideline silent", "other"


def cause_of(cell: str) -> str | None:
    """Return the cause that a cell names, whatever its spaces, hyphens and case; None where it names none."""
    return next((cause for cause in CAUSES if _letters(cause) == _letters(cell)), None)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def annotator_column(name: str) -> str:
    """Return what heads an annotator's labels: the name, unless a column of the sheet is called so."""
    return f"annotator {name}" if name.strip().casefold() in (*COLUMNS, LABELS) else name


def annotator_columns(annotators: Sequence[str]) -> list[str]:
    """Return the columns that hold labels."""
    return [annotator_column(name) for name in annotators] if len(annotators) <= MOST_ANNOTATORS else [LABELS]


# A filled sheet as rows: CSV as spreadsheets write it, or a workbook, with the line of each.

NumberedRow = tuple[int, list[str]]

# The first row that holds anything may be below empty ones.
FIRST_ROWS = 5
MEND_COLUMNS = "Keep the first row of the sheet as it was written."


@dataclass(frozen=True)
class SheetRow:
    """One row of a sheet: its cells by column, the labels of the annotators in their order, all its cells."""

    file: str
    line: int
    cells: Mapping[str, str]
    labels: tuple[str, ...]
    whole: tuple[str, ...] = ()

    def problem(self, column: str, message: str, remedy: str) -> Problem:
        """Return a problem of one of its cells."""
        return Problem(self.file, self.line, f"column {column}", message, remedy)


def read_sheet(path: Path, name: str) -> list[SheetRow]:
    """Return the rows of a filled sheet that hold anything; see `read_whole_sheet`."""
    return read_whole_sheet(path, name)[1]


def read_whole_sheet(path: Path, name: str) -> tuple[list[str], list[SheetRow]]:
    """Return the first row of a filled sheet, and the others that hold anything.

    `name` is what errors call the file. Raises BadInput where it can't be read, is empty, lacks columns, or
    has a row that is longer than the first.
    """
    file = ExportFile(path, name)
    workbook = is_workbook(file) or file.suffix in EXTENSIONS
    numbered = next((sheet.rows for sheet in read_sheets(file)), []) if workbook else _csv(file)
    filled = [(line, row) for line, row in numbered if any(cell.strip() for cell in row)]
    if not filled:
        raise refused(name, message="is empty.", remedy="Fill it in, or take it out of campaign.toml.")
    (first, head), *body = filled
    columns = _columns(name, first, head)
    # The columns of labels are the others before the decision; behind it there may be notes.
    earlier = range(columns["decision"])
    labels = [column for column in earlier if column not in columns.values() and head[column].strip()]
    problems = list(_too_long(name, body, len(head)))
    if problems:
        raise BadInput(problems)
    padded = ((line, [*row, *[""] * (len(head) - len(row))]) for line, row in body)
    beyond = range(columns["decision"], len(head))
    note = next((place for place in beyond if _folded(head[place]) == NOTE), None)
    columns |= {} if note is None else {NOTE: note}
    return head, [
        SheetRow(
            name,
            line,
            {column: row[index] for column, index in columns.items()},
            tuple(row[index] for index in labels),
            tuple(row),
        )
        for line, row in padded
    ]


def _csv(file: ExportFile) -> list[NumberedRow]:
    """Return the rows of a CSV by the delimiter that finds the sheet's columns in its first row."""
    text = decode(file.content, file.name)
    try:
        return numbered_rows(text, max(DELIMITERS, key=lambda mark: _known_columns(text, mark)))
    except csv.Error as error:
        raise refused(
            file.name, message=f"is no CSV table: {in_plain_words(error)}.", remedy="Save it as CSV."
        ) from None


def _known_columns(text: str, mark: str) -> int:
    heads = rows(text, mark, FIRST_ROWS)
    return max((len({*map(_folded, row)} & {*COLUMNS}) for row in heads), default=0)


def _folded(cell: str) -> str:
    return cell.strip().casefold()


def _columns(file: str, line: int, head: Sequence[str]) -> dict[str, int]:
    """Return where each column of the sheet is; raise BadInput where one is missing or there twice."""
    folded = [_folded(cell) for cell in head]
    problems = [_missing(file, line, name, head) for name in REQUIRED if name not in folded]
    for name in COLUMNS:
        if folded.count(name) > 1:
            message = f'has two columns "{name}".'
            problems.append(Problem(file, line, "first row", message, "Rename one of them."))
    if problems:
        raise BadInput(problems)
    return {name: folded.index(name) for name in COLUMNS if name in folded}


def _missing(file: str, line: int, name: str, head: Sequence[str]) -> Problem:
    near = did_you_mean(name, [cell for cell in head if cell.strip()])
    remedy = f"{near} {MEND_COLUMNS}" if near.startswith("Did") else MEND_COLUMNS
    return Problem(file, line, "first row", f'has no column "{name}".', remedy)


def _too_long(file: str, body: Sequence[NumberedRow], width: int) -> Iterator[Problem]:
    for line, row in body:
        if any(cell.strip() for cell in row[width:]):
            message = f"has {len(row)} cells; {width} were expected, one a column."
            yield Problem(file, line, "", message, "Put cells with commas into quotation marks.")


# Cells that survive a spreadsheet: read back as they were, with an apostrophe before a formula or without.

Span = tuple[int, int]

# What a CSV, a workbook or UTF-8 can't hold.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
UNKNOWN = "\ufffd"
MORE = "…"
AROUND = 50
LONG_WORD = 16
# A spreadsheet cuts cells at some ten thousand characters.
LONGEST = 1000


def without_controls(text: str) -> str:
    """Return a text as a spreadsheet can have it: what it can't is replaced."""
    return text if text.isprintable() else CONTROL.sub(UNKNOWN, text)


def on_one_line(text: str) -> str:
    """Return a text with every stretch of white space as one space."""
    return re.sub(r"\s+", " ", text)


def plain(text: str) -> str:
    """Return a text as spreadsheets leave it at worst: on one line, without spaces at its ends."""
    return on_one_line(without_controls(text)).strip()


def spelling(text: str) -> str:
    """Return what spellings of one number or truth value have in common; spreadsheets change 007 to 7."""
    simple = plain(text)
    try:
        value = float(simple)
    except ValueError:
        folded = simple.casefold()
        return folded if folded in ("true", "false") else f"text {simple}"
    return repr(value) if math.isfinite(value) else f"text {simple}"


class NameLookup:
    """Names by which a cell can mean something."""

    def __init__(self, names: Iterable[str]) -> None:
        """Number the names in their order."""
        self._exact: dict[str, int] = {}
        self._plain: dict[str, int] = {}
        self._spelt: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            self._exact.setdefault(name, number)
            self._plain.setdefault(plain(name), number)
            self._spelt.setdefault(spelling(name), []).append(number)

    def find(self, cell: str) -> int | None:
        """Return the number of the name that a cell holds, None where it holds none.

        What a spreadsheet did to it is forgiven where one name alone can have been meant.
        """
        for text in (from_cell(cell), cell):
            if text in self._exact:
                return self._exact[text]
        if plain(from_cell(cell)) in self._plain:
            return self._plain[plain(from_cell(cell))]
        meant = self._spelt.get(spelling(from_cell(cell)), [])
        return meant[0] if len(meant) == 1 else None


def covered(text: str, spans: Sequence[Span]) -> str:
    """Return what stretches of a text cover, on one line; what is very long is shortened in the middle."""
    line = plain(f" {MORE} ".join(text[start:end] for start, end in spans))
    half = LONGEST // 2
    return line if len(line) <= LONGEST else f"{line[:half]} {MORE} {line[-half:]}"


def before(text: str, start: int) -> str:
    """Return what is before a place, from the beginning of a word on."""
    near = text[max(0, start - AROUND) : start]
    if start > AROUND:
        near = MORE + re.sub(rf"^\S{{0,{LONG_WORD}}}\s", "", near)
    return on_one_line(near)


def after(text: str, end: int) -> str:
    """Return what is behind a place, up to the end of a word."""
    near = text[end : end + AROUND]
    if end + AROUND < len(text):
        near = re.sub(rf"\s\S{{0,{LONG_WORD}}}$", "", near) + MORE
    return on_one_line(near)


# Offsets in a cell: "12-18" or "12-18;20-22", also where a spreadsheet took them for a date.

STRETCH = re.compile(r"\s*([0-9]{1,9})\s*[-–]\s*([0-9]{1,9})\s*")
# Spreadsheets show 5-9 as 9-May or 05-Sep and 5-40 as May-40, and keep both as a day of some year.
DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?: 00:00:00)?")
DAY_MONTH = re.compile(r"([0-9]{1,2})[-. ]([a-z]{3})[a-z]*\.?", re.IGNORECASE)
MONTH_YEAR = re.compile(r"([a-z]{3})[a-z]*\.?[-. ]([0-9]{2})", re.IGNORECASE)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def shown(spans: Sequence[Span]) -> str:
    """Return stretches as a sheet has them."""
    return ";".join(f"{start}-{end}" for start, end in spans)


def possible(cell: str) -> list[tuple[Span, ...]]:
    """Return the stretches that a cell can mean: none where it holds no offsets, several for a date."""
    stretches = [STRETCH.fullmatch(part) for part in from_cell(cell).split(";")]
    if all(stretches):
        return [tuple((int(stretch[1]), int(stretch[2])) for stretch in stretches if stretch)]
    return [((min(pair), max(pair)),) for pair in dict.fromkeys(_as_date(cell.strip()))]


def _as_date(cell: str) -> Iterator[Span]:
    """Yield the two numbers that a spreadsheet may have taken for a date."""
    if day := DAY.fullmatch(cell):
        yield int(day[2]), int(day[3])
        if int(day[3]) == 1:
            yield int(day[2]), int(day[1]) % 100
    elif (short := DAY_MONTH.fullmatch(cell)) and short[2].casefold() in MONTHS:
        yield MONTHS.index(short[2].casefold()) + 1, int(short[1])
    elif (year := MONTH_YEAR.fullmatch(cell)) and year[1].casefold() in MONTHS:
        yield MONTHS.index(year[1].casefold()) + 1, int(year[2])
