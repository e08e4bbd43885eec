"""A square table of which only the cells that are not empty are kept: inventories have millions of others."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from reportgen.study import Codes

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
