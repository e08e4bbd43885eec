"""Two annotators' confusion matrix, whole and by document."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from reportgen.counts.tables import PairCounts
from reportgen.study import NO_DOCUMENT, Codes


@dataclass(frozen=True, eq=False)
class PairTable:
    """The units that two annotators both rated.

    - `counts` (categories, categories): how many units `first` gave the row's category and `second`
      the column's.
    - `document`, `row`, `column`, `n`: the same as a sparse table by document; a document NO_DOCUMENT
      stands for `n` units that are each their own document.
    """

    first: int
    second: int
    counts: Codes
    document: Codes
    row: Codes
    column: Codes
    n: Codes

    @cached_property
    def units(self) -> int:
        """Return how many units both rated."""
        return int(self.counts.sum())

    @cached_property
    def row_totals(self) -> Codes:
        """Return how many units `first` gave each category (categories,)."""
        totals: Codes = self.counts.sum(axis=1)
        return totals

    @cached_property
    def column_totals(self) -> Codes:
        """Return how many units `second` gave each category (categories,)."""
        totals: Codes = self.counts.sum(axis=0)
        return totals

    @cached_property
    def disagreements(self) -> int:
        """Return how many units the two gave different categories."""
        return self.units - int(np.trace(self.counts))

    @cached_property
    def documents(self) -> int:
        """Return how many documents are known among the units, 0 where none is."""
        known = self.document[self.document != NO_DOCUMENT]
        steps = np.diff(known)
        # They mostly stand in order.
        return len(np.unique(known)) if (steps < 0).any() else int((steps > 0).sum()) + bool(len(known))


def pair_table(cells: PairCounts, categories: int, first: int, second: int) -> PairTable:
    """Return the table of the pair `first` and `second`; `cells` count that pair alone, or nothing."""
    counts = np.zeros((categories, categories), dtype=np.int64)
    np.add.at(counts, (cells.first_label, cells.second_label), cells.n)
    return PairTable(first, second, counts, cells.document, cells.first_label, cells.second_label, cells.n)


def pair_tables(pairs: PairCounts, categories: int) -> Iterator[PairTable]:
    """Yield the table of every two annotators that share a unit, in the order of their codes."""
    for start, end in pairwise([*pairs.starts.tolist(), len(pairs.n)]):
        cells = pairs.part(start, end)
        yield pair_table(cells, categories, int(cells.first[0]), int(cells.second[0]))
