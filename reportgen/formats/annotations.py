"""What annotators exported, whatever the tool: the one type that every reader hands on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reportgen.files import Source

Codes = npt.NDArray[np.int64]

NO_DOCUMENT = -1


@dataclass(frozen=True, eq=False)
class Ratings:
    """Labels that annotators gave to units, as integer codes.

    `documents`, `annotators` and `labels` are the names behind the codes. A unit is a row of a
    ratings table, or a cell of a confusion matrix, which stands for as many units as were counted.

    - `unit_names`: a name each unit, empty where the export gives none.
    - `unit_document` (units,): the document of each unit, or NO_DOCUMENT: the unit is its own.
    - `unit_weight` (units,): how many units it stands for: 1, or the count of a matrix's cell.
    - `unit`, `annotator`, `label` (marks,): who gave which label to which unit, in the order of the
      file. A rating that is missing has no mark.
    - `mark_pass` (marks,): 0 for a first pass, 1 for a second, as far as the export says.

    `ordered` says whether the order of `labels` is the export's own (the columns of a confusion
    matrix) or merely that of first occurrence.
    """

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    unit_names: tuple[str, ...]
    unit_document: Codes
    unit_weight: Codes
    unit: Codes
    annotator: Codes
    label: Codes
    mark_pass: Codes
    ordered: bool = False


@dataclass(frozen=True, order=True)
class LeftOut:
    """`marks` marks of one place that were read and are not used, and why."""

    file: str
    line: int
    annotator: str
    reason: str
    marks: int


@dataclass(frozen=True, eq=False)
class Annotations:
    """The exports of one guidelines version: ratings, what was left out, and the files read.

    `marks_read` counts every mark that the files hold: those of `ratings` (by weight) and those of
    `left_out` add up to it. `format` is the reader's name, `reading` one sentence on how the file was
    understood, `unread` the files that no reader knows.
    """

    ratings: Ratings
    format: str
    reading: str
    marks_read: int
    left_out: tuple[LeftOut, ...] = ()
    sources: tuple[Source, ...] = ()
    unread: tuple[str, ...] = ()
