r"""Confusion-matrix CSV: a first cell that reads rows\columns, then a count for each pair of categories."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import as_compared, from_cell, nfc, numbered_rows, rows
from reportgen.readers.annotations import NO_DOCUMENT, Codes, ExcludedMarks, Ratings, factorize
from reportgen.readers.reader import (
    NOT_ASKED_FOR,
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    cleaned_labels,
    require_annotators,
)
from reportgen.readers.string_tables import EXTENSIONS, count_up, first_row, spelled_out

# A confusion matrix as written: its cells, and everything that can be wrong with them.

MARGINS = {
    *("total", "totals", "sum", "sums", "all", "totaux", "somme", "sommes", "ensemble", "gesamt", "summe")
}
THOUSANDS = re.compile(r"[0-9]{1,3}(?:[\s,'’][0-9]{3})+|[0-9]{1,3}(?:\.[0-9]{3}){2,}")
FRACTION = re.compile(r"[+-]?([0-9]*)[.,]([0-9]+)")
# What cells of a published matrix have: counts, shares, both.
AMOUNT = re.compile(r"[0-9][0-9.,'’\s]*%?(?:\s*\([^()]*\))?")
MOST_TITLES = 5
# Names that are so much alike are one name, misspelt.
ALIKE = 0.75
DIGITS = 15  # a longer number is no count, and a sum of such would not fit 64 bits


@dataclass(frozen=True)
class ConfusionMatrix:
    """A matrix as written: the line and text of its first cell, the columns' categories, the rows.

    Each row has its line, its category and its cells.
    """

    file: ExportFile
    line: int
    corner: str
    categories: tuple[str, ...]
    rows: tuple[tuple[int, str, tuple[str, ...]], ...]

    @property
    def annotators(self) -> tuple[str, str]:
        """The annotator of the rows and that of the columns."""
        row, _, column = self.corner.partition("\\")
        return row.strip(), column.strip()

    def counts(self) -> Codes:
        """The counts (rows, columns), in the order of the file."""
        return np.array([[int(cell) for cell in cells] for _, _, cells in self.rows], dtype=np.int64)

    def problem(self, line: int, key: str, message: str, remedy: str) -> Problem:
        """Return a problem of this matrix."""
        return self.file.problem(message, remedy, line, key)


def read_matrix(file: ExportFile, rows: Sequence[tuple[int, Sequence[str]]]) -> ConfusionMatrix:
    """Return the matrix in a file's rows, each with its line.

    Empty rows and columns that spreadsheets leave behind it are passed over. Raises BadInput with everything
    that is wrong with it.
    """
    lines = [(line, [nfc(from_cell(cell.strip())) for cell in row]) for line, row in rows]
    filled = [(line, row) for line, row in lines if any(row)]
    (line, header), *body = filled[_header_at([row for _, row in filled]) :]
    corner, *categories = _without_empty_end(header, 1)
    width = len(categories) + 1
    counted = tuple((at, as_compared(row[0]), tuple(_without_empty_end(row, width)[1:])) for at, row in body)
    matrix = ConfusionMatrix(file, line, corner, tuple(map(as_compared, categories)), counted)
    if problems := list(_faults(matrix)):
        raise BadInput(problems)
    return matrix


def _without_empty_end(row: list[str], width: int) -> list[str]:
    end = next((column for column in range(len(row), width, -1) if row[column - 1]), width)
    return row[:end]


def _faults(matrix: ConfusionMatrix) -> Iterator[Problem]:
    remedy = "Remove the margins: they are computed."
    inner = matrix
    if _has_sum_row(matrix):
        line, category, _ = matrix.rows[-1]
        yield matrix.problem(line, f"row {category}", "has the sums of the columns.", remedy)
        inner = replace(inner, rows=inner.rows[:-1])
    if _has_sum_column(matrix):
        *categories, last = matrix.categories
        yield matrix.problem(matrix.line, f"column {last}", "has the sums of the rows.", remedy)
        rows = tuple((line, name, cells[: len(categories)]) for line, name, cells in inner.rows)
        inner = replace(inner, categories=tuple(categories), rows=rows)
    yield from _corner_faults(inner)
    yield from _name_faults(inner)
    cells = list(_cell_faults(inner))
    yield from cells
    if inner.rows and inner.categories and not cells and not inner.counts().any():
        remedy = "Check that the counts were exported."
        yield inner.problem(inner.line, "", "every count is 0: nothing was rated.", remedy)


def _has_sum_column(matrix: ConfusionMatrix) -> bool:
    """Say whether the last column holds sums: it is called so, or the last row does too."""
    width = len(matrix.categories)
    rows = [cells for _, _, cells in matrix.rows if len(cells) == width]
    named = width > 0 and matrix.categories[-1].casefold() in MARGINS
    both = len(rows) > 2 and _hold_sums(zip(*rows, strict=True))
    return (named or both) and _hold_sums(iter(rows))


def _has_sum_row(matrix: ConfusionMatrix) -> bool:
    rows = [row_cells for _, _, row_cells in matrix.rows]
    is_even = len(rows) > 1 and len(set(map(len, rows))) == 1
    named = is_even and matrix.rows[-1][1].casefold() in MARGINS
    both = len(rows) > 2 and _hold_sums(iter(rows))
    return is_even and (named or both) and _hold_sums(zip(*rows, strict=True))


def _hold_sums(lines: Iterator[tuple[str, ...]]) -> bool:
    """Say whether the last cell is the sum of the others, in all lines where every cell is a count."""
    counted = [[int(cell) for cell in line] for line in lines if line and all(map(_is_count, line))]
    return bool(counted) and all(total == sum(cells) for *cells, total in counted)


def _corner_faults(matrix: ConfusionMatrix) -> Iterator[Problem]:
    remedy = r"Write both annotators as rows\columns, such as A2\A1."
    row, column = matrix.annotators
    if "\\" not in matrix.corner:
        name = next((name for name in matrix.categories if name), "…")
        remedy += (
            f' If people rated each other, say whom rows are about: "of {name}" for "{name}", and so on.'
        )
    unnamed = [where for name, where in ((row, "rows"), (column, "columns")) if not name]
    messages = [f"does not say whose the {where} are." for where in unnamed]
    if "\\" in column:
        messages.append(f'"{matrix.corner}" has more than one backslash.')
    if row and row == column:
        messages.append(f'rows and columns are both "{row}".')
    for message in messages:
        yield matrix.problem(matrix.line, "first cell", message, remedy)


def _name_faults(matrix: ConfusionMatrix) -> Iterator[Problem]:
    remedy = "Write the categories in the first row and again in the first column."
    columns = [(matrix.line, category) for category in matrix.categories]
    rows = [(line, category) for line, category, _ in matrix.rows]
    if not columns:
        yield matrix.problem(matrix.line, "", "the first row has no category.", remedy)
    if not rows:
        yield matrix.problem(matrix.line, "", "there is no row of counts.", remedy)
    for where, names, other_where, others in (
        ("column", columns, "row", rows),
        ("row", rows, "column", columns),
    ):
        times = Counter(name for _, name in names)
        names_there = {name for _, name in others}
        for number, (line, name) in enumerate(names, start=1):
            key = f"{where} {name}"
            if not name:
                yield matrix.problem(line, f"{where} {number}", "has no category.", "Write its name.")
                continue
            if times[name] > 1:
                message = f"the category has {times[name]} {where}s."
                yield matrix.problem(line, key, message, f"Write one {where} a category.")
            if others and name not in names_there:
                remedy = f"Add that {other_where}, with counts of 0 if need be, or correct the name."
                yield matrix.problem(line, key, f"no {other_where} has this name.", remedy)


# Counts


def _cell_faults(matrix: ConfusionMatrix) -> Iterator[Problem]:
    for line, name, cells in matrix.rows:
        if len(cells) != len(matrix.categories):
            message = f"has {len(cells)} counts where the first row has {len(matrix.categories)} categories."
            remedy = "Write one count a category, without thousands separators."
            yield matrix.problem(line, f"row {name}", message, remedy)
        for category, cell in zip(matrix.categories, cells, strict=False):
            if not _is_count(cell):
                yield matrix.problem(line, f"row {name}, column {category}", *_count_fault(cell))


def _is_count(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) <= DIGITS


def _count_fault(cell: str) -> tuple[str, str]:
    """Return what is wrong with a cell that is no count, and how to remedy it."""
    if not cell:
        return "is empty.", "Write 0 where nothing was counted."
    if THOUSANDS.fullmatch(cell):
        plain = "".join(filter(str.isdigit, cell))
        return f'"{cell}" has a thousands separator.', f"Write {plain}."
    if fraction := FRACTION.fullmatch(cell):
        example = fraction[1] if fraction[1] and not fraction[2].strip("0") else "a whole number of units"
        return f'"{cell}" is not a whole number.', f"Write {example}."
    if re.fullmatch(r"[-−][0-9]+", cell):
        return f'"{cell}" is negative.', "Write how many units there are, 0 or more."
    start = " ".join(cell[:DIGITS].split()) + ("…" if len(cell) > DIGITS else "")
    if cell.isascii() and cell.isdigit():
        return f'"{start}" is too large.', f"Write at most {DIGITS} digits."
    return f'"{start}" is not a count.', "Write a whole number, 0 or more."


# Confusion-matrix CSV: a first cell that reads rows\columns, then a count for each pair of categories.


def recognises(file: ExportFile) -> bool:
    """Say whether the file is delimited text with a confusion matrix."""
    if not first_row(file):
        return False
    sample = rows(file.text, file.delimiter, MOST_TITLES)
    start = _header_at(sample)
    # No longer than that: the categories again, and their sums.
    return is_matrix(rows(file.text, file.delimiter, start + len(sample[start]) + 2))


def is_matrix(table: Sequence[Sequence[str]]) -> bool:
    """Say whether a table's first cell holds a backslash, or its rows count what its columns are called.

    Without a backslash nobody knows whose the rows are, which is asked: annotators by units it is not. Nor is
    it where some names are damaged, which is said.
    """
    start = _header_at(table)
    header, *body = (
        [cell.strip() for cell in row] for row in table[start : start + len(table[start]) + 2] if any(row)
    )
    if "\\" in header[0]:
        return True
    names, counted = (
        [name for name in run if name.casefold() not in MARGINS]
        for run in (header[1:], [row[0] for row in body])
    )
    if not _nearly_same(names, counted) or _is_count(header[0]):
        return False  # numbers from the first cell on are data without a header
    cells = {
        (row[0], name): cell for row in body for name, cell in zip(header[1:], row[1:], strict=False) if cell
    }
    # Where each is left out with itself, people rated each other.
    among_themselves = cells.keys() == {(one, other) for one in names for other in names if one != other}
    return bool(cells) and not among_themselves and all(map(AMOUNT.fullmatch, cells.values()))


def _nearly_same(columns: Sequence[str], rows: Sequence[str]) -> bool:
    """Say whether columns and rows are called the same, but for a name that is missing, and others in part.

    Of annotators and units with numbers for names there may be one more.
    """
    if sorted(columns) == sorted(rows):
        return len(rows) > 1
    longest = max(len(columns), len(rows))
    if longest < 2 or abs(len(columns) - len(rows)) > 1 or all(map(count_up, (columns, rows))):
        return False
    folded = {name.casefold() for name in columns if name}
    found = [
        name
        for name in dict.fromkeys(row.casefold() for row in rows if row)
        if name in folded or (name.isalpha() and get_close_matches(name, folded, 1, ALIKE))
    ]
    return 2 * len(found) >= longest


def _header_at(table: Sequence[Sequence[str]]) -> int:
    """Return which row of a table is the first with two cells; titles are above it."""
    filled = (number for number, row in enumerate(table) if sum(map(bool, row)) > 1)
    return 0 if "\\" in table[0][0] else next(filled, 0)


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
    remedy = "Name one file as the export, or add the counts up in one matrix."
    message = "is one of several confusion matrices in one export."
    if len(files) > 1:
        raise BadInput(file.problem(message, remedy) for file in files)


def from_matrix(
    matrix: ConfusionMatrix, options: ReaderOptions, format_name: str, written: str
) -> Annotations:
    """Return a matrix as units, one a cell; `written` says how the file is ("comma-separated, UTF-8")."""
    cleaned = dict(zip(matrix.categories, cleaned_labels(matrix.categories, options), strict=True))
    labels = tuple(dict.fromkeys(filter(None, cleaned.values())))
    # A mark is missing where its category is.
    code = {name: labels.index(label) if label else -1 for name, label in cleaned.items()}
    counts = matrix.counts()
    row, column = np.nonzero(counts)
    of_row = np.array([code[name] for _, name, _ in matrix.rows], dtype=np.int64)
    of_column = np.array([code[name] for name in matrix.categories], dtype=np.int64)
    label = np.stack([of_row[row], of_column[column]], axis=1).ravel()
    all_units = units_of_cells(counts[row, column], label, labels, matrix.annotators)
    require_annotators(options.annotators or (), all_units.annotators)
    names = [
        name for name in all_units.annotators if options.annotators is None or name in options.annotators
    ]
    who = factorize(all_units.annotators, names)[1][all_units.annotator]
    used = (label >= 0) & (who >= 0)
    unit = all_units.unit[used]

    def marks(which: npt.NDArray[np.bool_]) -> int:
        return int(all_units.weight[all_units.unit[which]].sum())

    ratings = replace(
        all_units,
        annotators=tuple(names),
        unit=unit,
        annotator=who[used],
        label=label[used],
        mark_pass=all_units.mark_pass[used],
        location=lambda mark: (matrix.file.name, matrix.rows[row[unit[mark]]][0]),
    )
    left_out = tuple(
        ExcludedMarks(
            *(matrix.file.name, matrix.line, name, NOT_ASKED_FOR),
            marks((label >= 0) & (all_units.annotator == number)),
        )
        for number, name in enumerate(all_units.annotators)
        if name not in names
    )
    # No annotator is named: a report may have to hide who they are.
    shape = "one annotator's categories in rows, the other's in columns"
    reading = f"Confusion matrix: {shape}; {written}."
    return Annotations(ratings, format_name, reading, marks(label >= 0), left_out, (matrix.file.source,))


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
        document=np.full(units, NO_DOCUMENT, dtype=np.int64),
        weight=weight,
        unit=np.repeat(np.arange(units, dtype=np.int64), 2),
        annotator=np.tile(np.arange(2, dtype=np.int64), units),
        label=label,
        mark_pass=np.zeros(2 * units, dtype=np.int64),
        ordered=True,
    )


READER = Reader(
    name="confusion-matrix",
    title="Confusion matrix, CSV",
    tool="any spreadsheet",
    extensions=EXTENSIONS,
    reads=(
        "How many units have each pair of categories of two annotators, whose names are in the first "
        "cell: rows\\columns."
    ),
    leaves_out="Units and documents, because a matrix does not distinguish them.",
    recognises=recognises,
    read=read,
)
