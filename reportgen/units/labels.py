"""Rows of labels and of units: what is found in them, how they are counted and grouped."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.readers import Codes

Values = npt.NDArray[Any]


def nothing() -> Codes:
    """Return no codes."""
    return np.zeros(0, dtype=np.int64)


def aranges(lengths: Codes) -> Codes:
    """Return 0, 1, … for each length, one after another."""
    starts = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(starts, lengths)


def ranges(low: Codes, high: Codes) -> tuple[Codes, Codes]:
    """Return every number from `low` to below `high` of each row, with the row that it is of."""
    sizes = high - low
    return np.repeat(np.arange(len(low)), sizes), np.repeat(low, sizes) + aranges(sizes)


def sums_by(index: Codes | tuple[Codes, ...], values: Values, size: int | tuple[int, ...]) -> Values:
    """Return the sums of values by their index, of integers exactly: an array of a size."""
    sums = np.zeros(size, dtype=values.dtype)
    if isinstance(index, tuple):  # numpy adds up along one index several times as fast
        np.add.at(sums.reshape(-1), np.ravel_multi_index(index, sums.shape), values)
    else:
        np.add.at(sums, index, values)
    return sums


def equal_row_pairs(*columns: Codes) -> Iterator[tuple[Codes, Codes]]:
    """Yield the places of every two equal rows of sorted columns: neighbours first, then those two apart."""
    for distance in range(1, len(columns[0])):
        same = np.logical_and.reduce([column[distance:] == column[:-distance] for column in columns])
        earlier = np.flatnonzero(same)
        if len(earlier) == 0:
            return
        yield earlier, earlier + distance


def all_equal_row_pairs(*columns: Codes) -> tuple[Codes, Codes]:
    """Return the places of every two equal rows of sorted columns, as `every_two` yields them."""
    none = nothing(), nothing()
    first, second = (
        np.concatenate(positions) for positions in zip(none, *equal_row_pairs(*columns), strict=True)
    )
    return first, second


def distinct_codes(*codes: Codes) -> Codes:
    """Return the different codes, which are not below 0, in order: of millions, sorting takes a while."""
    occurs = np.zeros(max((int(column.max(initial=-1)) for column in codes), default=-1) + 1, dtype=np.bool_)
    for column in codes:
        occurs[column] = True
    return np.flatnonzero(occurs)


@dataclass(frozen=True, eq=False)
class Places:
    """What units are called, or where in a text they are.

    `names` has a name for each unit of a table, `texts` its text where the table has such. `unit`, `start`
    and `end` (stretches,) say which stretches of its document make up a unit of a text, in code points, ends
    exclusive.
    """

    names: tuple[str, ...] = ()
    unit: Codes = field(default_factory=nothing)
    start: Codes = field(default_factory=nothing)
    end: Codes = field(default_factory=nothing)
    texts: tuple[str, ...] = ()


Mask = npt.NDArray[np.bool_]
