"""Ratings tables, CSV or TSV: wide (a column of labels for each annotator) or long (a row for each label)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from reportgen.errors import BadInput, Problem, for_each
from reportgen.files import Source
from reportgen.formats.annotations import Annotations, Ratings
from reportgen.formats.labels import as_set
from reportgen.formats.naming import named_by_path
from reportgen.formats.reader import ExportFile, Reader, ReadOptions, require_annotators, shortened
from reportgen.formats.readers import confusion
from reportgen.formats.tabular.layout import TWO_SHAPES, Layout, find_layout
from reportgen.formats.tabular.marks import as_marks, coded, is_blank, left_out
from reportgen.formats.tabular.tables import EXTENSIONS, Table, is_table, read_table, with_columns

if TYPE_CHECKING:
    import pandas as pd

READINGS_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Sheet:
    """One file as it was understood: its table, what the columns are, and its marks."""

    table: Table
    layout: Layout
    marks: "pd.DataFrame"

    @property
    def annotators(self) -> list[str]:
        """Who has a column or a row, in the order of the file."""
        if self.layout.label is None:
            return [self.table.header[column] for column in self.layout.annotators]
        return [name for name in self.marks["annotator"].unique().tolist() if name.strip()]


def recognises(file: ExportFile) -> bool:
    """Say whether the file is delimited text and no confusion matrix."""
    return is_table(file) and not confusion.recognises(file)


def read(files: Sequence[ExportFile], options: ReadOptions) -> Annotations:
    """Return the ratings in the files, taken together, as `from_sheets` does.

    Raises BadInput with the problems of all files.
    """
    sheets = for_each(files, lambda file: understood(*_with_names(read_table(file), options)))
    return from_sheets(sheets, options, READER.name, tuple(file.source for file in files))


def _with_names(table: Table, options: ReadOptions) -> tuple[Table, ReadOptions]:
    """Return a table with columns for what its path says: annotator, document or pass.

    They are called "{annotator}" and so on, and a column that the options name goes before them.
    """
    if options.path is None:
        return table, options
    (names,) = named_by_path([table.file], options.path)
    said = {"annotator": names.annotator, "document": names.document, "pass": names.turn}
    new = {role: value for role, value in said.items() if f"{{{role}}}" in options.path}
    columns = {role: f"{{{role}}}" for role in new} | dict(options.columns)
    return with_columns(table, {f"{{{role}}}": value for role, value in new.items()}), replace(
        options, columns=columns
    )


def understood(table: Table, options: ReadOptions) -> Sheet:
    """Return a table with what its columns are, and its marks; raise BadInput with all that is wrong."""
    layout = find_layout(table, options)
    marks = as_marks(table, layout, options)
    problems = [*_nameless(table, marks, "annotator", layout.annotators[0])]
    if layout.unit is not None:
        problems += _nameless(table, marks, "unit", layout.unit)
    if problems:
        raise BadInput(problems)
    return Sheet(table, layout, marks)


def from_sheets(
    sheets: Sequence[Sheet], options: ReadOptions, format_name: str, sources: tuple[Source, ...]
) -> Annotations:
    """Return the ratings in one or more tables, taken together.

    Units of the same name in the same document are one unit, in whichever table; where a table does
    not name its units, each of its rows is one. Raises BadInput where there is a single annotator, or one
    is asked for who is not there.
    """
    import pandas as pd

    tables = [sheet.table for sheet in sheets]
    marks = pd.concat(
        [sheet.marks.assign(file=number) for number, sheet in enumerate(sheets)], ignore_index=True
    )
    found = list(dict.fromkeys(name for sheet in sheets for name in sheet.annotators))
    _require_two(sheets, found)
    require_annotators(options.annotators or (), found)
    asked = options.annotators
    return Annotations(
        content=_with_sets(coded(marks, asked, tables), options),
        format=format_name,
        reading=_reading(sheets, options),
        marks_read=int((marks["label"] != "").sum()),
        missing=int((marks["label"] == "").sum()),
        left_out=() if asked is None else left_out(marks, tables, asked),
        sources=sources,
    )


def _with_sets(ratings: Ratings, options: ReadOptions) -> Ratings:
    """Return the ratings with labels that know their members, where a separator says that they are sets."""
    separator = options.set_separator
    if separator is None:
        return replace(ratings, labels=tuple(map(str, ratings.labels)))
    return replace(ratings, labels=tuple(as_set(label, separator) for label in ratings.labels))


def _nameless(table: Table, marks: "pd.DataFrame", role: str, column: int) -> list[Problem]:
    """Return a problem for each row that has a label and no unit, or no annotator."""
    faulty = (marks["label"] != "").to_numpy(dtype=np.bool_) & is_blank(marks[role])
    rows = dict.fromkeys(marks["row"][faulty].tolist())
    key = f"column {table.header[column] or column + 1}"
    mend = f"Name the {role}, or empty the label."
    return shortened([table.problem(table.lines[row], key, f"a label has no {role}.", mend) for row in rows])


def _require_two(sheets: Sequence[Sheet], annotators: Sequence[str]) -> None:
    """Raise BadInput where wide tables have, all together, a single column of labels."""
    if len(annotators) > 1 or any(sheet.layout.label is not None for sheet in sheets):
        return
    message = f"{annotators[0]} is the only column of labels: two annotators are needed."
    raise BadInput([sheets[0].table.problem(sheets[0].table.lines[0], "", message, TWO_SHAPES)])


# How it was understood


def _reading(sheets: Sequence[Sheet], options: ReadOptions) -> str:
    """Return one sentence where all files were understood in one way, else one for each of the first ways.

    It names no annotator and no file, which may be called like one: a report may have to hide who they are.
    """
    said = Counter(_understood(sheet, options) for sheet in sheets)
    if len(said) == 1:
        return next(iter(said))
    sentences = [f"{count} file{'s' if count > 1 else ''}: {text}" for text, count in said.items()]
    more = sum(list(said.values())[READINGS_SHOWN:])
    rest = [f"And {more} more file{'s' if more > 1 else ''}."] if more else []
    return " ".join([*sentences[:READINGS_SHOWN], *rest])


def _understood(sheet: Sheet, options: ReadOptions) -> str:
    parts = _long_parts(sheet) if sheet.layout.label is not None else _wide_parts(sheet)
    for column, what in ((sheet.layout.document, "documents"), (sheet.layout.passes, "passes")):
        if column is not None:
            parts.append(f"{what} in {sheet.table.header[column]}")
    sets = f"labels are sets separated by {options.set_separator}; " if options.set_separator else ""
    kind = "Wide" if sheet.layout.label is None else "Long"
    return f"{kind} table: {', '.join(parts)}; {sets}{sheet.table.written}."


def _long_parts(sheet: Sheet) -> list[str]:
    header, layout = sheet.table.header, sheet.layout
    return [
        f"units in column {header[layout.unit or 0]}",
        f"annotators in {header[layout.annotators[0]]}",
        f"labels in {header[layout.label or 0]}",
    ]


def _wide_parts(sheet: Sheet) -> list[str]:
    header, layout = sheet.table.header, sheet.layout
    units = "each row is a unit"
    if layout.unit is not None:
        units = (
            f"units in column {header[layout.unit]}" if header[layout.unit] else "units in the first column"
        )
    count = len(sheet.annotators)
    whose = f"{count} columns of labels, one for each annotator" if count > 1 else "one column of labels"
    return [units, whose]


READER = Reader(
    name="ratings",
    title="Ratings table, CSV or TSV",
    tool="spreadsheets, crowdsourcing platforms, pandas, R",
    extensions=EXTENSIONS,
    reads="Labels by unit and annotator: a column each annotator, or a row each label; documents and passes.",
    leaves_out="Columns that are neither, such as texts and comments.",
    recognises=recognises,
    read=read,
)
