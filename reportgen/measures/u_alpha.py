"""The u-alpha family: how much of the text annotators mark and value alike, gaps being a value too.

Krippendorff, Mathet, Bouvry and Widlöcher (2016); Krippendorff (2019), Content Analysis, fourth edition,
section 12.6, equations 32 to 38. With lengths l_ck of text that one annotator valued c and another k, each
document's pairs being weighted 1/(m-1), l.. = Σ l_ck is what annotators read in all, and expected is

    e_ck = (l_c. l_.k - [c = k] self_c) / (l.. - self / l..), self_c = Σ length² over segments valued c, of
           gaps Σ length; self is their sum over all values

    u-alpha = 1 - Σ_{c≠k} l_ck / Σ_{c≠k} e_ck; the binary one knows gap and unit alone
    cu-alpha = the same over text that two annotators valued; a segment's length is what another valued too
    (k)u-alpha = 1 - (e_.k / l_.k) (l_.k - l_kk) / (e_.k - e_kk), over the same text

Sums are exact fractions of whole numbers until the last step.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from reportgen.measures.continua import Continua, over_documents, ranges, undefined
from reportgen.measures.estimate import Estimate, Floats, Undefined
from reportgen.readers import Codes
from reportgen.units import SEPARATOR

# How much text annotators value alike: lengths by document and value, from which the u-alpha family is made.
#
# A value is a type, or several joined ("PER|LOC") where one annotator's units of different types overlap:
# each annotator's copy is cut at all ends of his units, and a segment has the types that lie over it.


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
class UnitizingCoincidences:
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


def coincidences(found: Continua) -> UnitizingCoincidences:
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
    return UnitizingCoincidences(where, value, *sums, values=cut.values)


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


@dataclass(frozen=True, eq=False)
class _Lengths:
    """Exact sums, by value where they are lists, and the same by document or row as floats."""

    rows: UnitizingCoincidences
    divisor: Floats
    own: list[int]
    same: list[Fraction]
    joint: list[Fraction]
    squares: list[int]
    joint_squares: list[int]
    units: list[int]
    joint_units: list[int]
    gap: int
    same_gap: Fraction
    read: int
    read_by_document: Floats

    @cached_property
    def jointly(self) -> Fraction:
        """Return the length of text that two annotators marked."""
        return sum(self.joint, start=Fraction())

    @cached_property
    def jointly_by_document(self) -> Floats:
        """Return the same of each document."""
        return self.by_document(self.rows.joint)

    def of_value(self, numbers: Codes, value: int) -> Floats:
        """Return sums over the rows of one value in each document, divided by m-1."""
        here = self.places[self.starts[value] : self.starts[value + 1]]
        found = np.zeros(len(self.divisor))
        found[self.rows.document[here]] = numbers[here]
        return found / self.divisor

    @cached_property
    def places(self) -> Codes:
        """Return the rows by value."""
        return np.argsort(self.rows.value, kind="stable")

    @cached_property
    def starts(self) -> Codes:
        """Return where the rows of each value begin among `places`."""
        return np.searchsorted(self.rows.value[self.places], np.arange(len(self.own) + 1))

    def by_document(self, numbers: Codes, weights: Floats | None = None, *, pairs: bool = True) -> Floats:
        """Return sums over the rows of each document, of pairs of annotators divided by m-1."""
        rows = self.rows
        values = numbers / self.divisor[rows.document] if pairs else numbers.astype(np.float64)
        weighed = values if weights is None else values * weights[rows.value]
        return np.bincount(rows.document, weighed, minlength=len(self.divisor)).astype(np.float64)


def u_alphas(found: Continua) -> tuple[dict[str, Estimate], dict[str, Estimate]]:
    """Return u-alpha, the binary one and cu-alpha by their ids, and (k)u-alpha by value."""
    if not len(found.documents):
        none = undefined(Undefined.NO_SHARED_DOCUMENT)
        return dict.fromkeys(("u_alpha", "u_alpha_binary", "cu_alpha"), none), dict.fromkeys(
            found.kinds, none
        )
    lengths = _lengths(found, coincidences(found))
    each = {name: _ku_alpha(lengths, value) for value, name in enumerate(lengths.rows.values)}
    return {
        "u_alpha": _u_alpha(lengths),
        "u_alpha_binary": _binary(lengths),
        "cu_alpha": _cu_alpha(lengths),
    }, each


def _lengths(found: Continua, rows: UnitizingCoincidences) -> _Lengths:
    divisor = found.raters - 1

    def whole(numbers: Codes) -> list[int]:
        total = np.zeros(len(rows.values), dtype=np.int64)
        np.add.at(total, rows.value, numbers)
        return list(total.tolist())

    def halves(numbers: Codes) -> list[Fraction]:
        total = [Fraction()] * len(rows.values)
        of = divisor[rows.document]
        for each in np.unique(of).tolist():
            part = whole(np.where(of == each, numbers, 0))
            total = [sum_ + Fraction(one, each) for sum_, one in zip(total, part, strict=True)]
        return total

    same_gap = sum((Fraction(n, m) for n, m in _by_divisor(rows.same_gap, divisor)), start=Fraction())
    return _Lengths(
        rows=rows,
        divisor=divisor.astype(np.float64),
        own=whole(rows.own),
        same=halves(rows.same),
        joint=halves(rows.joint),
        squares=whole(rows.squares),
        joint_squares=whole(rows.joint_squares),
        units=whole(rows.units),
        joint_units=whole(rows.joint_units),
        gap=sum(rows.gap.tolist()),
        same_gap=same_gap,
        read=found.read,
        read_by_document=(found.lengths * found.raters).astype(np.float64),
    )


def _by_divisor(numbers: Codes, divisor: Codes) -> list[tuple[int, int]]:
    """Return the sum of the numbers with each different divisor."""
    return [(sum(numbers[divisor == each].tolist()), each) for each in np.unique(divisor).tolist()]


def _u_alpha(of: _Lengths) -> Estimate:
    """Return agreement on where units are and what they are, together."""
    rows = of.rows
    differing = of.read - sum(of.same) - of.same_gap
    same = of.by_document(rows.same) + rows.same_gap / of.divisor
    margins = of.by_document(rows.own, np.array(of.own, dtype=np.float64), pairs=False) + rows.gap * of.gap
    squares = sum(own * own for own in of.own) + of.gap**2
    return _whole(
        of,
        (differing, of.read_by_document - same),
        (squares, margins),
        (Fraction(of.read), of.read_by_document),
        sum(of.squares) + of.gap,
        sum(of.units),
    )


def _binary(of: _Lengths) -> Estimate:
    """Return agreement on where something is marked, whatever it is."""
    rows = of.rows
    marked = of.read - of.gap
    differing = 2 * (of.gap - of.same_gap)
    slope = 2 * (rows.gap - rows.same_gap / of.divisor)
    margins = rows.gap * float(of.gap) + (of.read_by_document - rows.gap) * float(marked)
    return _whole(
        of,
        (differing, slope),
        (marked**2 + of.gap**2, margins),
        (Fraction(of.read), of.read_by_document),
        sum(of.squares) + of.gap,
        sum(of.units),
    )


def _cu_alpha(of: _Lengths) -> Estimate:
    """Return agreement on values in text that two annotators marked."""
    total, joint = of.jointly, of.jointly_by_document
    if total == 0 and any(of.own):
        return undefined(Undefined.NO_JOINT_MARKS, sum(of.units))
    margins = of.by_document(of.rows.joint, np.array(of.joint, dtype=np.float64))
    return _whole(
        of,
        (total - sum(of.same), joint - of.by_document(of.rows.same)),
        (sum(each * each for each in of.joint), margins),
        (total, joint),
        sum(of.joint_squares),
        sum(of.joint_units),
    )


def _whole(  # noqa: PLR0913, PLR0917 - the terms of one formula
    of: _Lengths,
    differing: tuple[Fraction, Floats],
    squares: tuple[Fraction | int, Floats],
    total: tuple[Fraction, Floats],
    own: int,
    units: int,
) -> Estimate:
    """Return 1 - D_o / D_e, D_e = (T² - Q) / (T - self / T), with the interval over documents.

    Each pair is a sum and its derivative by the weight of each document: the differing length D_o, the sum
    of squares Q = Σ l_c.² (half its derivative), and T; `own` is self.
    """
    if not any(of.own):
        return undefined(Undefined.NOTHING_MARKED)
    room, chance = total[0] ** 2 - own, total[0] ** 2 - squares[0]
    if chance == 0:
        return undefined(Undefined.NO_EXPECTED_DISAGREEMENT, units)
    if room <= 0:
        return undefined(Undefined.ONE_UNIT_EACH, units)
    observed, expected = differing[0] / total[0], Fraction(chance, room)
    estimate = Estimate(float(1 - observed / expected), units, float(observed), float(expected))
    whole, by_document = float(total[0]), total[1]
    by_chance = 2 * (whole * by_document - squares[1]) / float(chance)
    slope = by_document / whole - by_chance
    if differing[0]:
        slope = slope + differing[1] / float(differing[0])
    return over_documents(estimate, -float(observed / expected) * slope, disagreements=int(differing[0] > 0))


def _ku_alpha(of: _Lengths, value: int) -> Estimate:
    """Return agreement on one value in text that two annotators marked."""
    total, mine = of.jointly, of.joint[value]
    units = of.joint_units[value]
    if not of.own[value]:
        return undefined(Undefined.NOT_MARKED)
    if mine == 0:
        return undefined(Undefined.NOT_MARKED_JOINTLY, of.units[value])
    if total == mine:
        return undefined(Undefined.NO_EXPECTED_DISAGREEMENT, units)
    room = total * mine - of.joint_squares[value]
    if room <= 0:
        return undefined(Undefined.ONE_UNIT_EACH, units)
    differing = mine - of.same[value]
    observed, expected = differing / mine, mine * (total - mine) / room
    estimate = Estimate(float(1 - observed / expected), units, float(observed), float(expected))
    slope = _ku_slope(of, value, (float(total), float(mine), float(differing)))
    return over_documents(estimate, -float(observed / expected) * slope, disagreements=int(differing > 0))


def _ku_slope(of: _Lengths, value: int, sums: tuple[float, float, float]) -> Floats:
    """Return the logarithmic derivative of (k)u-alpha's D_o / D_e by the weight of each document."""
    total, mine, differing = sums
    all_, own = of.jointly_by_document, of.of_value(of.rows.joint, value)
    slope: Floats = all_ / total - own / mine - (all_ - own) / (total - mine)
    if differing:
        slope = slope + (own - of.of_value(of.rows.same, value)) / differing
    return slope
