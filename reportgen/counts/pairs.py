"""Two annotators' confusion matrix, whole and by document."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from reportgen.counts.cells import Cells
from reportgen.counts.tables import PairCounts
from reportgen.counts.tally import ranks
from reportgen.study import NO_DOCUMENT, Codes


@dataclass(frozen=True, eq=False)
class PairTable:
    """The units that two annotators both rated.

    `document`, `row`, `column`, `n`: how many units of each document `first` gave the row's category and
    `second` the column's; a document NO_DOCUMENT stands for `n` units that are each their own document.
    """

    first: int
    second: int
    categories: int
    document: Codes
    row: Codes
    column: Codes
    n: Codes

    @property
    def counts(self) -> Codes:
        """Return how many units have each two labels (categories, categories), rows by `first`."""
        return _dense(self)

    @cached_property
    def cells(self) -> Cells:
        """Return the cells that hold units."""
        keys, place = self._ranked
        return Cells(self.categories, keys, _totals(place, self.n, len(keys)))

    @property
    def cell(self) -> Codes:
        """Return the place of each entry's cell among those that hold units."""
        return self._ranked[1]

    @cached_property
    def _ranked(self) -> tuple[Codes, Codes]:
        return ranks(self.row * self.categories + self.column, self.categories**2)

    @cached_property
    def units(self) -> int:
        """Return how many units both rated."""
        return int(self.n.sum())

    @cached_property
    def row_totals(self) -> Codes:
        """Return how many units `first` gave each category (categories,)."""
        return _totals(self.row, self.n, self.categories)

    @cached_property
    def column_totals(self) -> Codes:
        """Return how many units `second` gave each category (categories,)."""
        return _totals(self.column, self.n, self.categories)

    @cached_property
    def agreements(self) -> Codes:
        """Return how many units both gave each category (categories,)."""
        same = self.row == self.column
        return _totals(self.row[same], self.n[same], self.categories)

    @cached_property
    def disagreements(self) -> int:
        """Return how many units the two gave different categories."""
        return int(self.n[self.row != self.column].sum())

    @cached_property
    def documents(self) -> int:
        """Return how many documents are known among the units, 0 where none is."""
        known = self.document[self.document != NO_DOCUMENT]
        steps = np.diff(known)
        # They mostly stand in order.
        return len(np.unique(known)) if (steps < 0).any() else int((steps > 0).sum()) + bool(len(known))


@lru_cache(maxsize=2)
def _dense(table: PairTable) -> Codes:
    """Return a table with all its cells; those of the tables in hand are kept, of hundreds of pairs too many.

    It is for reading: whoever asks next gets the same.
    """
    size = table.categories
    return _totals(table.row * size + table.column, table.n, size * size).reshape(size, size)


def _totals(codes: Codes, n: Codes, size: int) -> Codes:
    totals = np.zeros(size, dtype=np.int64)
    np.add.at(totals, codes, n)
    return totals


def pair_table(cells: PairCounts, categories: int, first: int, second: int) -> PairTable:
    """Return the table of the pair `first` and `second`; `cells` count that pair alone, or nothing."""
    return PairTable(
        first, second, categories, cells.document, cells.first_label, cells.second_label, cells.n
    )


def pair_tables(pairs: PairCounts, categories: int) -> Iterator[PairTable]:
    """Yield the table of every two annotators that share a unit, in the order of their codes."""
    for start, end in pairwise([*pairs.starts.tolist(), len(pairs.n)]):
        cells = pairs.part(start, end)
        yield pair_table(cells, categories, int(cells.first[0]), int(cells.second[0]))
