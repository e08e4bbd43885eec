r"""Confusion-matrix CSV: a first cell that reads rows\columns, then a count for each pair of categories."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.errors import BadInput, Problem
from reportgen.files import numbered_rows, rows
from reportgen.formats.annotations import NO_DOCUMENT, Annotations, Codes, LeftOut, Ratings
from reportgen.formats.labels import clean
from reportgen.formats.reader import NOT_ASKED_FOR, ExportFile, Reader, ReadOptions, require_annotators
from reportgen.formats.tabular.matrix import Matrix, read_matrix
from reportgen.formats.tabular.tables import EXTENSIONS, is_table, spelled_out


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a table whose first cell holds a backslash."""
    if not is_table(file) or not file.is_text():
        return False
    first = rows(file.text, file.delimiter, 1)
    return bool(first) and "\\" in first[0][0]


def read(files: Sequence[ExportFile], options: ReadOptions) -> Annotations:
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
        raise BadInput(Problem(file.name, message=message, mend=mend) for file in files)


def from_matrix(matrix: Matrix, options: ReadOptions, format_name: str, written: str) -> Annotations:
    """Return a matrix as units, one a cell; `written` says how the file is ("comma-separated, UTF-8")."""
    ratings = _ratings(matrix, options)
    used, left_out = _asked_for(ratings, options, matrix)
    # No annotator is named: a report may have to hide who they are.
    shape = "one annotator's categories in rows, the other's in columns"
    reading = f"Confusion matrix: {shape}; {written}."
    source = matrix.file.source
    return Annotations(_placed(used, matrix), format_name, reading, _marks(ratings), left_out, (source,))


def _placed(ratings: Ratings, matrix: Matrix) -> Ratings:
    """Return the ratings with the place of each mark: the line of its cell."""
    row, _ = np.nonzero(np.array(matrix.counts(), dtype=np.int64))
    return replace(ratings, place=lambda mark: (matrix.file.name, matrix.rows[row[ratings.unit[mark]]].line))


def _marks(ratings: Ratings) -> int:
    return int(ratings.unit_weight[ratings.unit].sum())


def _ratings(matrix: Matrix, options: ReadOptions) -> Ratings:
    """Return a unit for each cell that is not 0; a mark is missing where its category is."""
    cleaned = dict(zip(matrix.categories, clean(matrix.categories, options), strict=True))
    labels = tuple(dict.fromkeys(filter(None, cleaned.values())))
    code = {name: labels.index(label) if label else -1 for name, label in cleaned.items()}
    counts = np.array(matrix.counts(), dtype=np.int64)
    row, column = np.nonzero(counts)
    of_row = np.array([code[row.category] for row in matrix.rows], dtype=np.int64)
    of_column = np.array([code[name] for name in matrix.categories], dtype=np.int64)
    label = np.stack([of_row[row], of_column[column]], axis=1).ravel()
    every_mark = _cells(counts[row, column], label, labels, matrix.annotators)
    return _with_marks(every_mark, label >= 0)


def _cells(weight: Codes, label: Codes, labels: tuple[str, ...], annotators: tuple[str, ...]) -> Ratings:
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


def _asked_for(ratings: Ratings, options: ReadOptions, matrix: Matrix) -> tuple[Ratings, tuple[LeftOut, ...]]:
    """Return the ratings of the annotators asked for, and the marks of the other one."""
    if options.annotators is None:
        return ratings, ()
    require_annotators(options.annotators, ratings.annotators)
    left_out = []
    for number, name in enumerate(ratings.annotators):
        if name not in options.annotators:
            marks = _marks(_with_marks(ratings, ratings.annotator == number))
            left_out.append(LeftOut(matrix.file.name, matrix.line, name, NOT_ASKED_FOR, marks))
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
