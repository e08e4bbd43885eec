"""Long, sparse, integer tables: how often each combination of codes occurs."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from reportgen.study import Codes


def tally(columns: Sequence[Codes], weights: Codes) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of `columns`, sorted by the first column first, and the weight of each.

    Every column and `weights` have one entry a row; the sums are integers.
    """
    if len(weights) == 0:
        return [column[:0] for column in columns], weights[:0]
    order = np.lexsort(tuple(reversed(columns)))
    ordered = [column[order] for column in columns]
    starts = np.flatnonzero(is_new(ordered))
    return [column[starts] for column in ordered], np.add.reduceat(weights[order], starts)


def distinct_rows(rows: Codes) -> tuple[Codes, Codes]:
    """Return the distinct rows of a matrix (rows, width), sorted, and the place of each row among them."""
    if len(rows) == 0:
        return rows, np.zeros(0, dtype=np.int64)
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
