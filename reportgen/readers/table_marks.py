"""From tables of strings to marks: one row a rating first, then integer codes."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from reportgen.readers.annotations import Codes, ExcludedMarks, Place, Ratings, no_place
from reportgen.readers.reader import NO_ANNOTATOR, NO_UNIT, NOT_ASKED_FOR, UNDECLARED, ReaderOptions, clean
from reportgen.readers.string_tables import StringTable
from reportgen.readers.table_columns import RatingsTableLayout

if TYPE_CHECKING:
    import pandas as pd


Strings = npt.NDArray[np.object_]
NAMED = -1


def as_marks(table: StringTable, layout: RatingsTableLayout, options: ReaderOptions) -> "pd.DataFrame":
    """Return a row for each cell that can hold a rating, in the order of the file.

    The columns are document, unit, annotator, label and pass as written, empty where there is none,
    `row`, the place of the table's row in its `lines`, and `own`: that row where it is the unit, else
    NAMED. Labels are cleaned; one that is missing is empty.
    """
    import pandas as pd

    wide = layout.label is None
    width = len(layout.annotators) if wide else 1
    rows = table.cells.index.to_numpy(dtype=np.int64)
    columns = list(layout.annotators) if layout.label is None else [layout.label]
    names = [table.header[column] for column in layout.annotators]
    annotator = _repeated(table, layout.annotators[0], 1)
    return pd.DataFrame(
        {
            "document": _repeated(table, layout.document, width),
            "unit": _repeated(table, layout.unit, width),
            "annotator": np.tile(np.array(names, dtype=object), len(rows)) if wide else annotator,
            "label": _cleaned(table.cells[columns].to_numpy(dtype=object).ravel(), options),
            "pass": _repeated(table, layout.passes, width),
            "row": np.repeat(rows, width),
            "own": np.repeat(rows, width) if layout.unit is None else NAMED,
        }
    )


def _repeated(table: StringTable, column: int | None, times: int) -> Strings:
    """Return each cell of a column as many times; nothing but "" where there is no column."""
    if column is None:
        return np.full(len(table.cells) * times, "", dtype=object)
    return np.repeat(table.cells[column].to_numpy(dtype=object), times)


def _cleaned(labels: Strings, options: ReaderOptions) -> Strings:
    import pandas as pd

    codes, names = pd.factorize(labels)
    return np.array(clean(names, options), dtype=object)[codes]


def is_blank(strings: "pd.Series[str]") -> npt.NDArray[np.bool_]:
    """Say of each string whether it holds nothing but spaces."""
    import pandas as pd

    codes, names = pd.factorize(strings.to_numpy(dtype=object))
    return np.array([not name.strip() for name in names], dtype=np.bool_)[codes]


def faults(marks: "pd.DataFrame", options: ReaderOptions) -> Strings:
    """Return why each label can't count, "" where it can or where there is none.

    It has no annotator or no unit, or is none of those that count.
    """
    found = np.full(len(marks), "", dtype=object)
    if options.only is not None:
        found[~marks["label"].isin(list(options.only)).to_numpy(dtype=np.bool_)] = UNDECLARED
    if options.annotators is not None:
        found[~marks["annotator"].isin(list(options.annotators)).to_numpy(dtype=np.bool_)] = NOT_ASKED_FOR
    found[is_blank(marks["unit"]) & (marks["own"] == NAMED).to_numpy(dtype=np.bool_)] = NO_UNIT
    found[is_blank(marks["annotator"])] = NO_ANNOTATOR
    found[(marks["label"] == "").to_numpy(dtype=np.bool_)] = ""
    return found


def coded(marks: "pd.DataFrame", asked: Sequence[str] | None, tables: Sequence[StringTable] = ()) -> Ratings:
    """Return the ratings of the annotators asked for, None for everybody's.

    `marks` are those of `as_marks`, of all files below one another, with the number of each file in
    `file`. Units without a rating are units all the same. With `tables`, those of the files, each mark
    has a place.
    """
    documents, document = _codes(marks["document"])
    annotators, annotator = _codes(marks["annotator"], asked)
    unit, first = _units(marks, document)
    used = ((marks["label"] != "") & (marks["fault"] == "")).to_numpy(dtype=np.bool_)
    labels, label = _codes(marks["label"][used])
    return Ratings(
        documents=documents,
        annotators=annotators,
        labels=labels,
        unit_names=tuple(marks["unit"].to_numpy(dtype=object)[first]),
        unit_document=document[first],
        unit_weight=np.ones(len(first), dtype=np.int64),
        unit=unit[used],
        annotator=annotator[used],
        label=label,
        mark_pass=_passes(marks["pass"])[used],
        place=_places(marks, used, tables) if tables else no_place,
    )


def _places(
    marks: "pd.DataFrame", used: npt.NDArray[np.bool_], tables: Sequence[StringTable]
) -> Callable[[int], Place]:
    """Return what gives a mark's file and line; lines are counted when the first is asked for."""
    file = marks["file"].to_numpy(dtype=np.int64)[used]
    row = marks["row"].to_numpy(dtype=np.int64)[used]

    def place(mark: int) -> Place:
        table = tables[file[mark]]
        return table.file.name, table.lines[row[mark]]

    return place


def _codes(strings: "pd.Series[str]", order: Sequence[str] | None = None) -> tuple[tuple[str, ...], Codes]:
    """Return names and each string's place among them, -1 for others and for blank ones.

    The names are those of `order`, else all in order of first occurrence.
    """
    import pandas as pd

    codes, found = pd.factorize(strings.to_numpy(dtype=object))
    names = tuple(dict.fromkeys(order if order is not None else filter(str.strip, found)))
    place = {name: number for number, name in enumerate(names)}
    return names, np.array([place.get(name, -1) for name in found], dtype=np.int64)[codes]


def _units(marks: "pd.DataFrame", document: Codes) -> tuple[Codes, Codes]:
    """Return the unit of each row, in order of first occurrence, and the first row of each unit."""
    import pandas as pd

    name, _ = pd.factorize(marks["unit"].to_numpy(dtype=object))
    own = marks["own"].to_numpy(dtype=np.int64)
    file = np.where(own == NAMED, NAMED, marks["file"].to_numpy(dtype=np.int64))
    unit = name.astype(np.int64)
    for part in (document, own, file):
        joint = unit * (part.max(initial=0) + 2) + part + 1
        unit = pd.factorize(joint)[0].astype(np.int64)
    return unit, np.unique(unit, return_index=True)[1]


def _passes(strings: "pd.Series[str]") -> Codes:
    """Return the pass of each row from 0: in the order of numbers, else of first occurrence."""
    names, _ = _codes(strings)
    _, codes = _codes(strings, in_turn(names))
    return np.maximum(codes, 0)


def in_turn(names: Sequence[str]) -> Sequence[str]:
    """Return names of passes in their order: that of numbers, where all are such, else as they are given."""
    if all(name.isascii() and name.isdigit() for name in names):
        return sorted(names, key=lambda name: (len(name.lstrip("0")), name.lstrip("0")))
    return names


def left_out(marks: "pd.DataFrame", tables: Sequence[StringTable]) -> tuple[ExcludedMarks, ...]:
    """Return how many marks of whom are left out and why, with the line of the first, file by file."""
    others = marks[marks["fault"] != ""]
    groups = others.groupby(["file", "annotator", "fault"], sort=False)["row"].agg(["first", "size"])
    return tuple(
        ExcludedMarks(
            tables[file].file.name,
            tables[file].lines[row],
            annotator if annotator.strip() else "",
            fault,
            int(count),
        )
        for (file, annotator, fault), row, count in zip(
            groups.index, groups["first"], groups["size"], strict=True
        )
    )
