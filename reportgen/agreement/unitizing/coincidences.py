"""How much text annotators value alike: lengths by document and value, from which the u-alpha family is made.

A value is a type, or several joined ("PER|LOC") where one annotator's units of different types overlap: each
annotator's copy is cut at all ends of his units, and a segment has the types that lie over it.
"""

from dataclasses import dataclass

import numpy as np

from reportgen.agreement.unitizing.continua import Continua, ranges
from reportgen.study import SEPARATOR, Codes


@dataclass(frozen=True, eq=False)
class Segments:
    """Pieces of annotators' copies that are marked: `line`, `value`, `begin` and `end` (segments,).

    `values` are the names behind the codes; those beyond the types are joined ones.
    """

    line: Codes
    value: Codes
    begin: Codes
    end: Codes
    values: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Coincidences:
    """Lengths of text by document and value; a row is a value in a document.

    - `document`, `value` (rows,).
    - `own`: length that annotators gave the value, `same`: length times ordered pairs of annotators who both
      gave it, `joint`: length times ordered pairs of which one gave it and the other any value at all.
    - `squares`, `joint_squares`: sums of the squared lengths of the segments, and of the part of each that
      somebody else marked too.
    - `units`: segments of the value, `joint_units`: those that somebody else marked in part at least.
    - `gap`, `same_gap` (documents,): the same as `own` and `same`, of what an annotator did not mark.
    """

    document: Codes
    value: Codes
    own: Codes
    same: Codes
    joint: Codes
    squares: Codes
    joint_squares: Codes
    units: Codes
    joint_units: Codes
    gap: Codes
    same_gap: Codes
    values: tuple[str, ...]


def segments(found: Continua) -> Segments:
    """Return every annotator's copy cut into segments with the types that lie over each."""
    base = found.line * found.stride
    low, high = base + found.begin, base + found.end
    cuts = np.unique(np.concatenate([low, high]))
    unit, place = ranges(np.searchsorted(cuts, low), np.searchsorted(cuts, high))
    order = np.lexsort((found.kind[unit], place))
    piece, value, values = _values(place[order], found.kind[unit[order]], found.kinds)
    line = cuts[piece] // found.stride
    offset = line * found.stride
    return Segments(line, value, cuts[piece] - offset, cuts[piece + 1] - offset, values)


def _values(place: Codes, kind: Codes, kinds: tuple[str, ...]) -> tuple[Codes, Codes, tuple[str, ...]]:
    """Return the different places, the value of each, and the values' names; rows are sorted by both."""
    first = np.flatnonzero(np.diff(place, prepend=-1))
    depth = np.diff(first, append=len(place))
    value = kind[first]
    members = [(code,) for code in range(len(kinds))]
    for level in range(1, int(depth.max(initial=0))):
        deep = np.flatnonzero(depth > level)
        size = len(kinds)
        keys, which = np.unique(value[deep] * size + kind[first[deep] + level], return_inverse=True)
        value[deep] = len(members) + which
        members += [(*members[key // size], key % size) for key in keys.tolist()]
    names = tuple(SEPARATOR.join(kinds[code] for code in each) for each in members)
    return place[first], value, names


def coincidences(found: Continua) -> Coincidences:
    """Return the lengths of text by document and value."""
    cut = segments(found)
    document = found.line_document[cut.line]
    base = document * found.stride
    low, high = base + cut.begin, base + cut.end
    cuts = np.unique(np.concatenate([low, high]))
    segment, piece = ranges(np.searchsorted(cuts, low), np.searchsorted(cuts, high))
    length = np.diff(cuts, append=0)
    marked = np.bincount(piece, minlength=len(cuts))
    shared = np.zeros(len(cut.line), dtype=np.int64)
    np.add.at(shared, segment, np.where(marked > 1, length, 0)[piece])
    rows, row = np.unique(document * len(cut.values) + cut.value, return_inverse=True)
    same, joint = _pairs(len(rows), (row[segment], piece), length, marked)
    gap, same_gap = _gaps(found, cuts // found.stride, length, marked)
    whole = cut.end - cut.begin
    summed = (whole, whole * whole, shared * shared, np.ones_like(whole), (shared > 0).astype(np.int64))
    own, squares, joint_squares, units, joint_units = (_summed(row, each, len(rows)) for each in summed)
    where, value = rows // max(len(cut.values), 1), rows % max(len(cut.values), 1)
    sums = (own, same, joint, squares, joint_squares, units, joint_units, gap, same_gap)
    return Coincidences(where, value, *sums, values=cut.values)


def _summed(row: Codes, numbers: Codes, size: int) -> Codes:
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, row, numbers)
    return total


def _pairs(rows: int, places: tuple[Codes, Codes], length: Codes, marked: Codes) -> tuple[Codes, Codes]:
    """Return `same` and `joint` of each row; `places` are row and piece of each piece that one marked."""
    row, piece = places
    keys, times = np.unique(piece * max(rows, 1) + row, return_counts=True)
    piece, row = keys // max(rows, 1), keys % max(rows, 1)
    same = _summed(row, length[piece] * times * (times - 1), rows)
    return same, _summed(row, length[piece] * times * (marked[piece] - 1), rows)


def _gaps(found: Continua, document: Codes, length: Codes, marked: Codes) -> tuple[Codes, Codes]:
    """Return the length that annotators left unmarked, and that of ordered pairs who both did."""
    size = len(found.documents)
    here = np.flatnonzero(marked)
    document, length, marked = document[here], length[here], marked[here]
    covered = _summed(document, length, size)
    raters = found.raters
    blank = raters[document] - marked
    outside = found.lengths - covered
    gap = outside * raters + _summed(document, length * blank, size)
    return gap, outside * raters * (raters - 1) + _summed(document, length * blank * (blank - 1), size)
