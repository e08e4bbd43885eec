r"""Confusion-matrix CSV: a first cell that reads rows\columns, then a count for each pair of categories."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import numbered_rows, rows
from reportgen.readers.annotations import NO_DOCUMENT, Codes, ExcludedMarks, Ratings
from reportgen.readers.reader import (
    NOT_ASKED_FOR,
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    clean,
    require_annotators,
)
from reportgen.readers.string_tables import EXTENSIONS, is_table, spelled_out

# A confusion matrix as written: its cells, and everything that can be wrong with them.

MARGINS = {
    *("total", "totals", "sum", "sums", "all", "totaux", "somme", "sommes", "ensemble", "gesamt", "summe")
}
THOUSANDS = re.compile(r"[0-9]{1,3}(?:[\s,'’][0-9]{3})+|[0-9]{1,3}(?:\.[0-9]{3}){2,}")
FRACTION = re.compile(r"[+-]?([0-9]*)[.,]([0-9]+)")
DIGITS = 15  # a longer number is no count, and a sum of such would not fit 64 bits


@dataclass(frozen=True)
class MatrixRow:
    """One row of a matrix: its line in the file, its category, its cells as written."""

    line: int
    category: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class ConfusionMatrix:
    """A matrix as written: the line and text of its first cell, the columns' categories, the rows."""

    file: ExportFile
    line: int
    corner: str
    categories: tuple[str, ...]
    rows: tuple[MatrixRow, ...]

    @property
    def annotators(self) -> tuple[str, str]:
        """The annotator of the rows and that of the columns."""
        row, _, column = self.corner.partition("\\")
        return row.strip(), column.strip()

    def counts(self) -> list[list[int]]:
        """The counts (rows, columns), in the order of the file."""
        return [[int(cell) for cell in row.cells] for row in self.rows]

    def problem(self, line: int, key: str, message: str, mend: str) -> Problem:
        """Return a problem of this matrix."""
        return self.file.problem(message, mend, line, key)


def read_matrix(file: ExportFile, rows: Sequence[tuple[int, Sequence[str]]]) -> ConfusionMatrix:
    """Return the matrix in a file's rows, each with its line.

    Raises BadInput with everything that is wrong with it.
    """
    matrix = _parse(file, rows)
    problems = list(_faults(matrix))
    if problems:
        raise BadInput(problems)
    return matrix


def _parse(file: ExportFile, rows: Sequence[tuple[int, Sequence[str]]]) -> ConfusionMatrix:
    """Return the matrix without the empty rows and columns that spreadsheets leave behind it."""
    lines = [(line, [cell.strip() for cell in row]) for line, row in rows]
    (line, header), *body = [(line, row) for line, row in lines if any(row)]
    corner, *categories = _without_empty_end(header, 1)
    cut = [(line, _without_empty_end(row, len(categories) + 1)) for line, row in body]
    counted = tuple(MatrixRow(line, row[0], tuple(row[1:])) for line, row in cut)
    return ConfusionMatrix(file, line, corner, tuple(categories), counted)


def _without_empty_end(row: list[str], width: int) -> list[str]:
    filled = next((place for place in range(len(row), width, -1) if row[place - 1]), width)
    return row[:filled]


def _faults(matrix: ConfusionMatrix) -> Iterator[Problem]:
    yield from _margin_faults(matrix)
    inner = _without_margins(matrix)
    yield from _corner_faults(inner)
    yield from _name_faults(inner)
    yield from _mismatches(inner)
    cells = [fault for row in inner.rows for fault in _row_faults(inner, row)]
    yield from cells
    if inner.rows and inner.categories and not cells and not any(map(any, inner.counts())):
        mend = "Check that the counts were exported."
        yield inner.problem(inner.line, "", "every count is 0: nothing was rated.", mend)


# Margins


def _margin_faults(matrix: ConfusionMatrix) -> Iterator[Problem]:
    mend = "Remove the margins: they are computed."
    if _has_sum_column(matrix):
        key = f"column {matrix.categories[-1]}"
        yield matrix.problem(matrix.line, key, "holds the sums of the rows.", mend)
    if _has_sum_row(matrix):
        last = matrix.rows[-1]
        yield matrix.problem(last.line, f"row {last.category}", "holds the sums of the columns.", mend)


def _without_margins(matrix: ConfusionMatrix) -> ConfusionMatrix:
    inner = replace(matrix, rows=matrix.rows[:-1]) if _has_sum_row(matrix) else matrix
    if not _has_sum_column(matrix):
        return inner
    rows = tuple(replace(row, cells=row.cells[: len(matrix.categories) - 1]) for row in inner.rows)
    return replace(inner, categories=inner.categories[:-1], rows=rows)


def _has_sum_column(matrix: ConfusionMatrix) -> bool:
    named = bool(matrix.categories) and matrix.categories[-1].casefold() in MARGINS
    width = len(matrix.categories)
    return named and _hold_sums(row.cells for row in matrix.rows if len(row.cells) == width)


def _has_sum_row(matrix: ConfusionMatrix) -> bool:
    named = len(matrix.rows) > 1 and matrix.rows[-1].category.casefold() in MARGINS
    even = len({len(row.cells) for row in matrix.rows}) == 1
    return named and even and _hold_sums(zip(*(row.cells for row in matrix.rows), strict=True))


def _hold_sums(lines: Iterator[tuple[str, ...]]) -> bool:
    """Say whether the last cell is the sum of the others, in all lines where every cell is a count."""
    counted = [[int(cell) for cell in line] for line in lines if all(map(_is_count, line))]
    return bool(counted) and all(total == sum(parts) for *parts, total in counted)


# Names


def _corner_faults(matrix: ConfusionMatrix) -> Iterator[Problem]:
    mend = r"Write both annotators as rows\columns, such as A2\A1."
    row, column = matrix.annotators
    unnamed = [where for name, where in ((row, "rows"), (column, "columns")) if not name]
    messages = [f"does not say whose the {where} are." for where in unnamed]
    if "\\" in column:
        messages.append(f'"{matrix.corner}" has more than one backslash.')
    if row and row == column:
        messages.append(f'rows and columns are both "{row}".')
    for message in messages:
        yield matrix.problem(matrix.line, "first cell", message, mend)


def _name_faults(matrix: ConfusionMatrix) -> Iterator[Problem]:
    mend = "Write the categories in the first row and again in the first column."
    if not matrix.categories:
        yield matrix.problem(matrix.line, "", "the first row holds no category.", mend)
    if not matrix.rows:
        yield matrix.problem(matrix.line, "", "there is no row of counts.", mend)
    yield from _repeated(matrix, "column", [(matrix.line, category) for category in matrix.categories])
    yield from _repeated(matrix, "row", [(row.line, row.category) for row in matrix.rows])


def _repeated(matrix: ConfusionMatrix, where: str, names: Sequence[tuple[int, str]]) -> Iterator[Problem]:
    """Yield a problem for each category that is empty or stands there more than once."""
    times = Counter(name for _, name in names)
    for number, (line, name) in enumerate(names, start=1):
        if not name:
            yield matrix.problem(line, f"{where} {number}", "has no category.", "Write its name.")
        elif times[name] > 1:
            message = f"the category has {times[name]} {where}s."
            yield matrix.problem(line, f"{where} {name}", message, f"Write one {where} a category.")


def _mismatches(matrix: ConfusionMatrix) -> Iterator[Problem]:
    """Yield a problem for each category that has a row or a column only."""
    columns = [(matrix.line, category) for category in matrix.categories]
    rows = [(row.line, row.category) for row in matrix.rows]
    if columns and rows:
        yield from _only_here(matrix, columns, rows, "column", "row")
        yield from _only_here(matrix, rows, columns, "row", "column")


def _only_here(
    matrix: ConfusionMatrix, these: list[tuple[int, str]], those: list[tuple[int, str]], here: str, there: str
) -> Iterator[Problem]:
    others = {name for _, name in those}
    mend = f"Add that {there}, with counts of 0 if need be, or correct the name."
    for line, name in these:
        if name and name not in others:
            yield matrix.problem(line, f"{here} {name}", f"no {there} has this name.", mend)


# Counts


def _row_faults(matrix: ConfusionMatrix, row: MatrixRow) -> Iterator[Problem]:
    if len(row.cells) != len(matrix.categories):
        message = f"has {len(row.cells)} counts where the first row has {len(matrix.categories)} categories."
        mend = "Write one count a category, without thousands separators."
        yield matrix.problem(row.line, f"row {row.category}", message, mend)
    for category, cell in zip(matrix.categories, row.cells, strict=False):
        if not _is_count(cell):
            yield matrix.problem(row.line, f"row {row.category}, column {category}", *_count_fault(cell))


def _is_count(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) <= DIGITS


def _count_fault(cell: str) -> tuple[str, str]:
    """Return what is wrong with a cell that is no count, and how to mend it."""
    if not cell:
        return "is empty.", "Write 0 where nothing was counted."
    if THOUSANDS.fullmatch(cell):
        plain = "".join(filter(str.isdigit, cell))
        return f'"{cell}" has a thousands separator.', f"Write {plain}."
    if fraction := FRACTION.fullmatch(cell):
        whole = fraction[1] if fraction[1] and not fraction[2].strip("0") else "a whole number of units"
        return f'"{cell}" is not a whole number.', f"Write {whole}."
    if re.fullmatch(r"[-−][0-9]+", cell):
        return f'"{cell}" is negative.', "Write how many units there are, 0 or more."
    start = " ".join(cell[:DIGITS].split()) + ("…" if len(cell) > DIGITS else "")
    if cell.isascii() and cell.isdigit():
        return f'"{start}" is too large.', f"Write at most {DIGITS} digits."
    return f'"{start}" is not a count.', "Write a whole number, 0 or more."


# Confusion-matrix CSV: a first cell that reads rows\columns, then a count for each pair of categories.


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a table whose first cell holds a backslash."""
    if not is_table(file) or not file.is_text():
        return False
    first = rows(file.text, file.delimiter, 1)
    return bool(first) and "\\" in first[0][0]


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the matrix as units, one a cell, that weigh as much as was counted there.

    The annotators are those of rows and columns in that order, the labels in the order of the columns.
    Raises BadInput with every fault of the matrix, and for more than one matrix.
    """
    require_one(files)
    (file,) = files
    matrix = read_matrix(file, numbered_rows(file.text, file.delimiter))
    return from_matrix(matrix, options, READER.name, spelled_out(file))


def require_one(files: Sequence[ExportFile]) -> None:
    """Raise BadInput where an export holds more than one matrix."""
    mend = "Name one file as the export, or add the counts up in one matrix."
    message = "is one of several confusion matrices in one export."
    if len(files) > 1:
        raise BadInput(file.problem(message, mend) for file in files)


def from_matrix(
    matrix: ConfusionMatrix, options: ReaderOptions, format_name: str, written: str
) -> Annotations:
    """Return a matrix as units, one a cell; `written` says how the file is ("comma-separated, UTF-8")."""
    ratings = _ratings(matrix, options)
    used, left_out = _asked_for(ratings, options, matrix)
    # No annotator is named: a report may have to hide who they are.
    shape = "one annotator's categories in rows, the other's in columns"
    reading = f"Confusion matrix: {shape}; {written}."
    source = matrix.file.source
    return Annotations(_placed(used, matrix), format_name, reading, _marks(ratings), left_out, (source,))


def _placed(ratings: Ratings, matrix: ConfusionMatrix) -> Ratings:
    """Return the ratings with the place of each mark: the line of its cell."""
    row, _ = np.nonzero(np.array(matrix.counts(), dtype=np.int64))
    return replace(ratings, place=lambda mark: (matrix.file.name, matrix.rows[row[ratings.unit[mark]]].line))


def _marks(ratings: Ratings) -> int:
    return int(ratings.unit_weight[ratings.unit].sum())


def _ratings(matrix: ConfusionMatrix, options: ReaderOptions) -> Ratings:
    """Return a unit for each cell that is not 0; a mark is missing where its category is."""
    cleaned = dict(zip(matrix.categories, clean(matrix.categories, options), strict=True))
    labels = tuple(dict.fromkeys(filter(None, cleaned.values())))
    code = {name: labels.index(label) if label else -1 for name, label in cleaned.items()}
    counts = np.array(matrix.counts(), dtype=np.int64)
    row, column = np.nonzero(counts)
    of_row = np.array([code[row.category] for row in matrix.rows], dtype=np.int64)
    of_column = np.array([code[name] for name in matrix.categories], dtype=np.int64)
    label = np.stack([of_row[row], of_column[column]], axis=1).ravel()
    every_mark = units_of_cells(counts[row, column], label, labels, matrix.annotators)
    return _with_marks(every_mark, label >= 0)


def units_of_cells(
    weight: Codes, label: Codes, labels: tuple[str, ...], annotators: tuple[str, ...]
) -> Ratings:
    """Return units of the given weights, each with one mark of either annotator."""
    units = len(weight)
    return Ratings(
        documents=(),
        annotators=annotators,
        labels=labels,
        unit_names=("",) * units,
        unit_document=np.full(units, NO_DOCUMENT, dtype=np.int64),
        unit_weight=weight,
        unit=np.repeat(np.arange(units, dtype=np.int64), 2),
        annotator=np.tile(np.arange(2, dtype=np.int64), units),
        label=label,
        mark_pass=np.zeros(2 * units, dtype=np.int64),
        ordered=True,
    )


def _with_marks(ratings: Ratings, kept: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Ratings:
    return replace(
        ratings,
        unit=ratings.unit[kept],
        annotator=ratings.annotator[kept],
        label=ratings.label[kept],
        mark_pass=ratings.mark_pass[kept],
    )


def _asked_for(
    ratings: Ratings, options: ReaderOptions, matrix: ConfusionMatrix
) -> tuple[Ratings, tuple[ExcludedMarks, ...]]:
    """Return the ratings of the annotators asked for, and the marks of the other one."""
    if options.annotators is None:
        return ratings, ()
    require_annotators(options.annotators, ratings.annotators)
    left_out = []
    for number, name in enumerate(ratings.annotators):
        if name not in options.annotators:
            marks = _marks(_with_marks(ratings, ratings.annotator == number))
            left_out.append(ExcludedMarks(matrix.file.name, matrix.line, name, NOT_ASKED_FOR, marks))
            ratings = _only(ratings, 1 - number)
    return ratings, tuple(left_out)


def _only(ratings: Ratings, annotator: int) -> Ratings:
    """Return the marks of one of the two annotators, alone."""
    kept = _with_marks(ratings, ratings.annotator == annotator)
    return replace(kept, annotators=(ratings.annotators[annotator],), annotator=np.zeros_like(kept.annotator))


READER = Reader(
    name="confusion-matrix",
    title="Confusion matrix, CSV",
    tool="any spreadsheet",
    extensions=EXTENSIONS,
    reads=r"Counts of units by the categories of two annotators, named rows\columns in the first cell.",
    leaves_out="Units and documents, which a matrix does not tell apart.",
    recognises=recognises,
    read=read,
)
