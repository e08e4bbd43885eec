"""Rows of a table of counts as columns of integers, with everything that is wrong in them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reportgen.errors import Problem, did_you_mean
from reportgen.formats.annotations import Codes
from reportgen.formats.counted import LARGEST
from reportgen.formats.parsing.count_tables import AS_WRITTEN, NUMBER, Row

# The integer of a cell, or what is wrong with it and how to mend it.
Read = Callable[[str], int | tuple[str, str]]


@dataclass(frozen=True, eq=False)
class CountTable:
    """One layer's rows of a table: where they stand, what the columns are called, and what is wrong.

    `file` is the name to show, `head` that of each column; each row has its line and its cells.
    """

    file: str
    head: Sequence[str]
    rows: Sequence[Row]
    problems: list[Problem] = field(default_factory=list)

    def part(self, rows: Sequence[Row]) -> "CountTable":
        """Return some of the rows; what is wrong with them is noted here."""
        return CountTable(self.file, self.head, rows, self.problems)

    def wrong(self, line: int, message: str, key: str = "", mend: str = AS_WRITTEN) -> None:
        """Note what is wrong in a line."""
        self.problems.append(Problem(self.file, line, key and f"column {key}", message, mend))

    def columns(self, read: Mapping[str, Read]) -> dict[str, Codes]:
        """Return some columns as integers, and "line"; rows in which anything is wrong are left out."""
        found = [[line, *values] for line, values in self._read(read)]
        table = np.array(found, dtype=np.int64).reshape(-1, 1 + len(read))
        return dict(zip(("line", *read), table.T, strict=True))

    def _read(self, read: Mapping[str, Read]) -> Iterator[tuple[int, list[int]]]:
        places = [self.head.index(name) for name in read]
        for line, cells in self.rows:
            values = [convert(cells[place]) for place, convert in zip(places, read.values(), strict=True)]
            known = [value for value in values if isinstance(value, int)]
            if len(known) == len(values):
                yield line, known
                continue
            for name, value in zip(read, values, strict=True):
                if not isinstance(value, int):
                    self.wrong(line, value[0], name, value[1])


def one_of(names: Sequence[str], what: str) -> Read:
    """Return what reads the code of one of some names; `what` they are is said in an error."""
    codes = {name: code for code, name in enumerate(names)}

    def code(cell: str) -> int | tuple[str, str]:
        known = codes.get(cell)
        return (
            (f'"{cell}" is no {what}.', did_you_mean(cell, names) or AS_WRITTEN) if known is None else known
        )

    return code


def whole(least: int) -> Read:
    """Return what reads a whole number that is not below `least`."""

    def number(cell: str) -> int | tuple[str, str]:
        value = int(cell) if NUMBER.fullmatch(cell) else -1
        if least <= value <= LARGEST:
            return value
        return f'"{cell}" is no count; a whole number not below {least} was expected.', AS_WRITTEN

    return number
