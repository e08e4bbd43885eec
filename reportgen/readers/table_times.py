"""When labels in tables were given, and how long each took: from columns that are called so."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from reportgen.readers.annotations import Codes, Texts
from reportgen.readers.string_tables import StringTable
from reportgen.readers.table_columns import Understood
from reportgen.readers.table_shapes import values_by
from reportgen.readers.work_times import (
    NO_TIMING,
    UNKNOWN,
    Timing,
    WorkTimes,
    is_of_times,
    of_annotators,
    timings,
    work_times,
)

# A table that was understood, how many of its cells can hold a label, and the table as it was in the file.
Sheet = tuple[Understood, int, StringTable | None]


def table_times(
    sheets: Sequence[Sheet], codes: tuple[Codes, Codes], asked: Collection[str]
) -> WorkTimes | None:
    """Return when the labels of tables were given, None where no column says so.

    `codes` (cells,) have the unit and the annotator of each cell of all tables; `asked` are columns of labels
    of other layers. A date that all labels of a unit share is one of the unit, and nobody's work.
    """
    unit, annotator = codes
    rows: list[tuple[int, int, int, Timing]] = []
    first = 0
    for sheet, size, opened in sheets:
        cells = slice(first, first + size)
        if sheet.layout.label is None:
            own = list(_of_wide(sheet, opened or sheet.table))
        else:
            own = _of_rows(_free(sheet, asked), unit[cells], annotator[cells])
        places = range(first, first + len(own))
        if own:
            rows += zip(places, unit[cells].tolist(), annotator[cells].tolist(), own, strict=False)
        first += size
    return work_times([row for row in rows if row[2] >= 0])


def _free(sheet: Understood, asked: Collection[str]) -> dict[str, Texts]:
    """Return the columns of times of a table with a row for each label."""
    return {
        name: column
        for number, (name, column) in enumerate(zip(sheet.table.header, sheet.table.columns, strict=True))
        if number not in sheet.layout.used and name not in asked and is_of_times(name)
    }


def _of_wide(sheet: Understood, opened: StringTable) -> Iterator[Timing]:
    """Yield the time of each cell of a table with a column for each annotator, nothing where it has none."""
    table, layout = sheet.table, sheet.layout
    if len(opened.rows) != len(table.rows):
        return
    names = [table.header[column] for column in layout.annotators]
    by_annotator: list[dict[str, list[str]]] = [{} for _ in names]
    for who, place in of_annotators(opened.header, names):
        by_annotator[who][opened.header[place]] = opened.columns[place].tolist()
    if not any(by_annotator):
        return
    nothing = [NO_TIMING] * len(table.rows)
    found = [timings(columns) or nothing if columns else nothing for columns in by_annotator]
    for row in zip(*found, strict=True):
        yield from row


def _of_rows(columns: Mapping[str, Texts], unit: Codes, annotator: Codes) -> list[Timing]:
    own = {name: column.tolist() for name, column in columns.items() if _is_of_work(column, unit)}
    found = timings(own) if own else None
    return _each(found, annotator) if found else []


def _is_of_work(column: Texts, unit: Codes) -> bool:
    """Say whether a column differs within a unit; also where no unit has two rows."""
    filled = column.where(str.strip)
    values = values_by(unit[filled], column.codes[filled])
    return bool(len(values) and ((values > 1).any() or len(values) == filled.sum()))


def _each(found: Sequence[Timing], annotator: Codes) -> list[Timing]:
    """Return the time of each label, where rows of one go have that of all of them.

    Rows of one annotator were done in one go where they began and ended together; or all, where everybody's
    rows say the same time, as in surveys.
    """
    times = np.array([timing.taken for timing in found], dtype=np.int64)
    ends = np.array([timing.at for timing in found], dtype=np.int64)
    starts = np.array([timing.start for timing in found], dtype=np.int64)
    size = len(found)
    keys = np.stack([annotator, times, ends, starts])
    _, go, rows = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
    many = rows[go.reshape(-1)]
    people = np.unique(annotator)
    whole = len(rows) == len(people) and size >= 2 * len(people)
    shared = ((starts != UNKNOWN) | whole) & (times != UNKNOWN)
    each = np.where(shared, np.maximum(times // many, 1), times)
    return [
        Timing(timing.at, taken, timing.start) for timing, taken in zip(found, each.tolist(), strict=True)
    ]
