"""Judgments of crowds: CrowdFlower or Appen (CSV, JSON) and Mechanical Turk (CSV), a row a judgment."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.errors import BadInput, for_each
from reportgen.files import rows
from reportgen.formats.annotations import Annotations, LeftOut
from reportgen.formats.labels import clean
from reportgen.formats.parsing.crowds import (
    Platform,
    as_label,
    find_label,
    is_unit,
    platform_of,
    read_units,
)
from reportgen.formats.reader import ExportFile, Reader, ReadOptions
from reportgen.formats.readers.ratings import Sheet, from_sheets, understood
from reportgen.formats.records import first_record, is_json
from reportgen.formats.tabular.tables import Table, is_table, read_table

# What the platform writes where it has added judgments up, and workers are gone.
AGGREGATED = ("_unit_id", "_trusted_judgments")
ROLES = ("unit", "annotator", "label", "document", "pass")


def recognises(file: ExportFile) -> bool:
    """Say whether the columns, or the first record, are those of a crowdsourcing platform."""
    if is_json(file):
        return is_unit(first_record(file))
    if not file.is_text() or not is_table(file):
        return False
    header = [name.strip() for name in next(iter(rows(file.text, file.delimiter, 1)), [])]
    return platform_of(header) is not None or set(AGGREGATED) <= set(header)


@dataclass(frozen=True, eq=False)
class _Judgments:
    """The judgments of a file as a long table, and those that are not to be used."""

    sheet: Sheet
    left_out: Sequence[LeftOut]


def read(files: Sequence[ExportFile], options: ReadOptions) -> Annotations:
    """Return the judgments in the files, taken together; raise BadInput with all that is wrong."""
    found = for_each(files, lambda file: _judgments(file, options))
    sources = tuple(file.source for file in files)
    ratings = from_sheets([each.sheet for each in found], options, READER.name, sources)
    left_out = [left for each in found for left in each.left_out]
    return replace(
        ratings,
        marks_read=ratings.marks_read + sum(left.marks for left in left_out),
        left_out=(*ratings.left_out, *left_out),
    )


def _judgments(file: ExportFile, options: ReadOptions) -> _Judgments:
    table = read_units(file) if is_json(file) else read_table(file)
    platform = platform_of(table.header)
    if platform is None:
        message = "holds what was made of the judgments of all workers, and no worker's own."
        mend = "Export the full report, which has a row for each judgment."
        raise BadInput([table.problem(table.lines[0], "", message, mend)])
    columns = _columns(table, platform, options)
    chosen = _chosen(table, columns, options)
    reasons = _reasons(table, platform)
    used = np.array([reason is None for reason in reasons], dtype=np.bool_)
    kept = replace(chosen, cells=chosen.cells[used])
    sheet = understood(kept, replace(options, columns=columns))
    return _Judgments(sheet, _left_out(chosen, reasons, columns, options))


def _columns(table: Table, platform: Platform, options: ReadOptions) -> dict[str, str]:
    """Return the names of the columns that are read, by role."""
    label = find_label(table, platform, options)
    known = {"unit": platform.unit, "annotator": platform.annotator, **options.columns, "label": label}
    return {role: known[role].strip() for role in ROLES if role in known}


def _chosen(table: Table, columns: dict[str, str], options: ReadOptions) -> Table:
    """Return the table with the columns that are read alone, and the answers as labels."""
    names = list(dict.fromkeys(columns.values()))
    cells = table.cells[[table.header.index(name) for name in names]]
    cells = cells.set_axis(list(range(len(names))), axis=1).copy()
    label = names.index(columns["label"])
    cells[label] = [as_label(cell, options) for cell in cells[label]]
    return replace(table, header=tuple(names), cells=cells)


def _reasons(table: Table, platform: Platform) -> list[str | None]:
    """Return for each row why it is not to be used, None where it is."""
    reasons: list[str | None] = [None] * len(table.cells)
    for name, (values, reason) in platform.refuses.items():
        if name in table.header:
            cells = table.cells[table.header.index(name)]
            refused = [cell.strip().lower() in values for cell in cells]
            reasons = [old or (reason if each else None) for each, old in zip(refused, reasons, strict=True)]
    return reasons


def _left_out(
    table: Table, reasons: Sequence[str | None], columns: dict[str, str], options: ReadOptions
) -> list[LeftOut]:
    label, annotator = (table.header.index(columns[role]) for role in ("label", "annotator"))
    labels = clean(table.cells[label], options)
    rows_of = zip(table.cells.index, table.cells[annotator], labels, reasons, strict=True)
    return [
        LeftOut(table.file.name, table.lines[place], who, reason, 1)
        for place, who, said, reason in rows_of
        if reason is not None and said
    ]


READER = Reader(
    name="crowd",
    title="Judgments of a crowd, CSV or JSON",
    tool="CrowdFlower, Appen, Mechanical Turk",
    extensions=(".csv", ".json", ".jsonl"),
    reads="One column of answers by unit and worker; a list of answers is a set.",
    leaves_out="Test questions, judgments that the platform distrusts, rejected assignments, the data shown, "
    "and where workers are, which is nobody's business.",
    recognises=recognises,
    read=read,
)
