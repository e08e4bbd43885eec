"""Whether the first row of a table names its columns, or is a row of data that would be lost as a header."""

import re
from collections.abc import Collection, Iterator, Sequence
from string import digits as DIGITS  # noqa: N812 - a constant
from typing import TYPE_CHECKING

from reportgen.errors import Problem

if TYPE_CHECKING:
    import pandas as pd

    from reportgen.formats.tabular.tables import Table

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)")
NAMES_SHOWN = 6
TWO, THREE = 2, 3
LONG = ("item", "annotator", "label")


def headless(table: "Table", unit: int | None, labels: Sequence[int]) -> Iterator[Problem]:
    """Yield a problem where the first row seems to be data, with what speaks for it.

    `unit` is the column that was taken for that of units, `labels` those that were taken for annotators'.
    """
    if evidence := _evidence(table.header, table.cells, unit, labels):
        yield _problem(table, evidence)


def repeated_as_data(table: "Table", repeated: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem where names that several columns have are labels below: a first row of labels."""
    for name in repeated:
        columns = [place for place, each in enumerate(table.header) if each == name]
        if (table.cells[columns] == name).any(axis=None):
            yield _problem(table, f'"{name}" is in it several times and occurs below')
            return


def _evidence(header: Sequence[str], cells: "pd.DataFrame", unit: int | None, labels: Sequence[int]) -> str:
    """Return what shows that the first row is data, empty where nothing does."""
    if not header[0] or not len(cells):
        return ""  # what a program writes above its row numbers
    first = unit if unit is not None or not cells[0].is_unique else 0
    before = (
        {_before_number(each) for each in cells[first].unique().tolist()} if first is not None else {None}
    )
    if first is not None and len(before) == 1 and before != {None}:
        alike = _before_number(header[first]) in before
        return f'"{header[first]}" is numbered as the units below are' if alike else ""
    known = {label for column in labels for label in cells[column].unique().tolist()} - {""}
    named = [header[column] for column in labels]
    if recurring := [name for name in named if name in known]:
        return f'"{recurring[0]}" occurs below as a label'
    return f'"{named[0]}" is a number, as all labels are' if _may_be_values(named, known) else ""


def _before_number(name: str) -> str | None:
    """Return what stands before the number at the end of a name, None where it ends with none."""
    before = name.rstrip(DIGITS)
    return before if before != name else None


def _may_be_values(names: Sequence[str], labels: Collection[str]) -> bool:
    """Say whether names are numbers that may be among the labels, and no numbers of annotators."""
    given = [_number(name) for name in names]
    values = [value for value in map(_number, labels) if value is not None]
    if not values or len(values) < len(labels) or count_up(names):
        return False
    room = max(values) - min(values)
    return all(value is not None and min(values) - room <= value <= max(values) + room for value in given)


def _number(name: str) -> float | None:
    """Return the number that a cell holds, with a point or a comma; None where it holds none."""
    return float(name.replace(",", ".")) if NUMBER.fullmatch(name) else None


def count_up(names: Sequence[str]) -> bool:
    """Say whether names are numbers from 0 or 1 on, as annotators and units without names have them."""
    return list(names) in ([str(place) for place in range(start, start + len(names))] for start in (0, 1))


def _problem(table: "Table", evidence: str) -> Problem:
    message = f"the first row seems to be data and no header: {evidence}."
    line = ",".join(_suggested(table))
    mend = (
        f"Put a line above it that names the columns, such as {line}; if it does name annotators, list them: "
        f"annotators in campaign.toml, --annotators for agree."
    )
    return table.problem(table.lines[0], "", message, mend)


def _suggested(table: "Table") -> list[str]:
    """Return names for the columns: of a long table where the second column has few values and most recur."""
    width = len(table.header)
    if width == THREE and not table.cells[0].is_unique:
        return list(LONG)
    first = ["item"] if width > TWO else []
    names = [*first, *(f"A{number}" for number in range(1, width - len(first) + 1))]
    return names if width <= NAMES_SHOWN else [*names[: NAMES_SHOWN - 1], "…"]
