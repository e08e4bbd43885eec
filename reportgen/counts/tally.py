"""Long, sparse, integer tables: how often each combination of codes occurs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from reportgen.readers import Codes

# Keys up to here fit into an integer of 64 bits.
LARGEST_KEY = 2**62
# So many keys more than there are rows are counted in a table of all keys rather than sorted.
DENSE = 1_000_000


def tally(columns: Sequence[Codes], weights: Codes) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of `columns`, sorted by the first column first, and the weight of each.

    Every column and `weights` have one entry a row; the sums are integers.
    """
    if len(weights) == 0:
        return [column[:0] for column in columns], weights[:0]
    keys = combined(columns)
    if keys is None:
        return _sorted_tally(columns, weights)
    key, base = keys
    distinct, sums = _sums(key, prod(size for _, size in base), weights)
    return split(distinct, base), sums


def _sums(keys: Codes, size: int, weights: Codes) -> tuple[Codes, Codes]:
    """Return the distinct keys, which are below `size`, in order, and the weight of each."""
    if size > DENSE + 4 * len(keys):
        distinct, place = np.unique(keys, return_inverse=True)
        sums = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(sums, place, weights)
        return distinct, sums
    there = np.zeros(size, dtype=np.bool_)
    there[keys] = True
    every = np.zeros(size, dtype=np.int64)
    np.add.at(every, keys, weights)
    distinct = np.flatnonzero(there)
    return distinct, every[distinct]


def _sorted_tally(columns: Sequence[Codes], weights: Codes) -> tuple[list[Codes], Codes]:
    order = np.lexsort(tuple(reversed(columns)))
    ordered = [column[order] for column in columns]
    starts = np.flatnonzero(is_new(ordered))
    return [column[starts] for column in ordered], np.add.reduceat(weights[order], starts)


Base = list[tuple[int, int]]


def combined(columns: Sequence[Codes]) -> tuple[Codes, Base] | None:
    """Return one key for each row, in the order of the columns, and the least value and size of each column.

    None where keys would be too large for an integer.
    """
    base = [(int(column.min(initial=0)), 1) for column in columns]
    base = [
        (low, int(column.max(initial=low)) - low + 1) for column, (low, _) in zip(columns, base, strict=True)
    ]
    if prod(size for _, size in base) > LARGEST_KEY:
        return None
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, (low, size) in zip(columns, base, strict=True):
        key *= size
        key += column
        if low:
            key -= low
    return key, base


def split(keys: Codes, base: Base) -> list[Codes]:
    """Return the columns that keys were combined from."""
    columns: list[Codes] = []
    for low, size in reversed(base):
        higher = keys // size
        columns.append(keys - higher * size + low)
        keys = higher
    return columns[::-1]


def ranks(keys: Codes, size: int) -> tuple[Codes, Codes]:
    """Return the distinct keys, which are below `size`, in order, and the place of each key among them."""
    if size > DENSE + 4 * len(keys):
        distinct, place = np.unique(keys, return_inverse=True)
        return distinct, place.reshape(-1)
    there = np.zeros(size, dtype=np.bool_)
    there[keys] = True
    place = np.cumsum(there)
    place -= 1
    return np.flatnonzero(there), place[keys]


def distinct_rows(rows: Codes) -> tuple[Codes, Codes]:
    """Return the distinct rows of a matrix (rows, width), sorted, and the place of each row among them."""
    if rows.size == 0:
        return rows[:1], np.zeros(len(rows), dtype=np.int64)
    keys = combined(list(rows.T))
    if keys is not None:
        key, base = keys
        distinct, place = ranks(key, prod(size for _, size in base))
        return np.stack(split(distinct, base), axis=1), place
    order = np.lexsort(tuple(rows.T[::-1]))
    new = is_new(list(rows[order].T))
    place = np.zeros(len(rows), dtype=np.int64)
    place[order] = np.cumsum(new) - 1
    return rows[order[new]], place


def is_new(ordered: Sequence[Codes]) -> npt.NDArray[np.bool_]:
    """Tell for each row of sorted columns whether it differs from the one before."""
    new = np.zeros(len(ordered[0]), dtype=np.bool_)
    new[:1] = True
    for column in ordered:
        new[1:] |= column[1:] != column[:-1]
    return new


def order_of(first: Codes, second: Codes) -> Codes | None:
    """Return the order of rows by two columns; None where they stand in it already."""
    key, _ = combined([first, second]) or (None, None)
    if key is None:
        return np.lexsort((second, first))
    return None if bool((key[1:] > key[:-1]).all()) else np.argsort(key, kind="stable")


# A square table of which only the cells that are not empty are kept: inventories have millions of others.

Values = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells (cells,) of a square table of `size` categories that hold something, in order.

    `key` is a cell's row times `size` plus its column, `value` what it holds; all others hold 0.
    """

    size: int
    key: Codes
    value: Values

    @cached_property
    def row(self) -> Codes:
        """Return the row of each cell."""
        return self.key // max(self.size, 1)

    @cached_property
    def column(self) -> Codes:
        """Return the column of each cell."""
        return self.key % max(self.size, 1)

    def at(self, row: Codes, column: Codes) -> Values:
        """Return what some cells hold, rows and columns being broadcast."""
        key = row * self.size + column
        if len(self.key) == 0:
            return np.zeros(key.shape, dtype=self.value.dtype)
        place = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[place] == key, self.value[place], np.zeros((), dtype=self.value.dtype))

    @cached_property
    def totals(self) -> Values:
        """Return the sum of each row (categories,)."""
        totals = np.zeros(self.size, dtype=self.value.dtype)
        np.add.at(totals, self.row, self.value)
        return totals

    def whole(self, codes: Codes | None = None) -> Values:
        """Return the table with all its cells, of some categories or all."""
        shown = np.arange(self.size) if codes is None else codes
        return self.at(shown[:, None], shown[None, :])


def added_up(size: int, parts: Iterable[tuple[Codes, Codes, Values]]) -> Cells:
    """Return the cells of rows, columns and values that are added where they meet."""
    rows, columns, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    key, place = np.unique(rows * size + columns, return_inverse=True)
    sums = np.zeros(len(key), dtype=values.dtype)
    np.add.at(sums, place.reshape(-1), values)
    return Cells(size, key, sums)
