"""Labels that somebody gave to so few units that a table of people would tell who it was."""

import numpy as np

from reportgen.readers import Codes
from reportgen.results.parts import Withheld
from reportgen.units import Mask

# One cell that is left out follows from the sum of its line.
AT_LEAST = 2


def small_cells(uses: Codes, smallest: int) -> Mask:
    """Return which cells of a table are withheld, given how often each person gave each label.

    These are the cells above 0 and below `smallest`, and so many beside them that no sum of a row or a column
    gives one back: in each line two or more are withheld, and of each person `smallest` units or more.
    """
    hidden = np.array((uses > 0) & (uses < smallest), dtype=np.bool_)
    # Each round hides one more cell in every line that needs it, the smallest first, empty ones last.
    order = np.where(uses > 0, uses, np.iinfo(np.int64).max - 1)
    while True:
        before = hidden.copy()
        number, units = hidden.sum(axis=1), (uses * hidden).sum(axis=1)
        people = (number > 0) & ((number < AT_LEAST) | (units < smallest))
        _hide_next(hidden, order, np.flatnonzero(people))
        _hide_next(hidden.T, order.T, np.flatnonzero(hidden.sum(axis=0) == 1))
        if (hidden == before).all():
            return hidden


def _hide_next(hidden: Mask, order: Codes, lines: Codes) -> None:
    """Hide in some lines the first cell that is not hidden yet, where there is one."""
    left = np.where(hidden, np.iinfo(np.int64).max, order)
    for line in lines.tolist():
        hidden[line, left[line].argmin()] = True


def withheld(two: Codes, hidden: Mask, names: tuple[str, ...], smallest: int) -> Withheld | None:
    """Return which labels a table of two people joins, None where it shows all.

    `two` are the two's uses of each label (2, labels), `hidden` tells which cells are withheld elsewhere.
    """
    small, elsewhere = small_cells(two, smallest).any(axis=0), hidden.any(axis=0) & (two > 0).any(axis=0)
    joined = np.logical_or(small, elsewhere)
    if not joined.any():
        return None
    uses = two.sum(axis=0)
    # The least used come first, those that neither used last.
    for label in np.lexsort((uses, uses == 0)).tolist():
        together = two[:, joined].sum(axis=1)
        if joined.sum() >= AT_LEAST and ((together == 0) | (together >= smallest)).all():
            break
        joined[label] = True
    return Withheld(labels=tuple(names[label] for label in np.flatnonzero(joined)), below=smallest)
