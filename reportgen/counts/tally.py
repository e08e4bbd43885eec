"""Long, sparse, integer tables: how often each combination of codes occurs."""

from collections.abc import Sequence

import numpy as np

from reportgen.study import Codes


def tally(columns: Sequence[Codes], weights: Codes) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of `columns`, sorted by the first column first, and the weight of each.

    Every column and `weights` have one entry a row; the sums are integers.
    """
    if len(weights) == 0:
        return [column[:0] for column in columns], weights[:0]
    order = np.lexsort(tuple(reversed(columns)))
    ordered = [column[order] for column in columns]
    starts = np.flatnonzero(_is_new(ordered))
    return [column[starts] for column in ordered], np.add.reduceat(weights[order], starts)


def _is_new(ordered: Sequence[Codes]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell for each row of sorted columns whether it differs from the one before."""
    new = np.zeros(len(ordered[0]), dtype=np.bool_)
    new[0] = True
    for column in ordered:
        new[1:] |= column[1:] != column[:-1]
    return new
