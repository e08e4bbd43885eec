"""The texts of one layer as continua that annotators cut into units and gaps, and the u-alpha family.

A unit is a stretch of text that one annotator marked with one type; a discontinuous mark is several units.
Stretches of one annotator and type that share a character are one unit, those that only touch are two: within
a type, units do not overlap (Krippendorff 2004, section 11.6).
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import ids_with
from reportgen.measures.estimate import LOWEST, Clusters, Estimate, Floats, Undefined, with_interval
from reportgen.measures.named import function_named
from reportgen.readers import Codes
from reportgen.units import SEPARATOR, Spans
from reportgen.units.coded import ranges, sums_by


@dataclass(frozen=True, eq=False)
class Continua:
    """Documents that at least two annotators saw, and the units in them.

    - `documents` (documents,): their codes in the layer; `lengths`: their code points, at least one;
      `raters`: how many annotators saw each.
    - `line_document`, `line_person` (lines,): every annotator's copy of every document, marked or not, by the
      document's place in `documents`.
    - `line`, `kind`, `begin`, `end` (units,): sorted by type, line and place; ends are exclusive.
    - `kinds`: the types of the layer; `people`: how many people their codes are of.
    - `joined`: stretches that became one unit with another; `empty`: marks that cover no character, left out.
    - `alone`: documents that one annotator only saw, left out too.
    """

    documents: Codes
    lengths: Codes
    raters: Codes
    line_document: Codes
    line_person: Codes
    line: Codes
    kind: Codes
    begin: Codes
    end: Codes
    kinds: tuple[str, ...]
    people: int
    joined: int = 0
    empty: int = 0
    alone: int = 0

    @property
    def document(self) -> Codes:
        """Return the place of each unit's document (units,)."""
        return self.line_document[self.line]

    @property
    def person(self) -> Codes:
        """Return whose unit each is (units,)."""
        return self.line_person[self.line]

    @property
    def stride(self) -> int:
        """Return a number above every offset, so that lines can be laid end to end."""
        return int(self.lengths.max(initial=0)) + 1

    @property
    def read(self) -> int:
        """Return how many code points annotators read: each document as often as it was seen."""
        return sum((self.lengths * self.raters).tolist())


def continua(spans: Spans) -> Continua:
    """Return the continua of a layer's annotators."""
    annotates = np.array([role == "annotator" for role in spans.roles], dtype=np.bool_)
    saw = spans.saw & annotates & (spans.lengths > 0)[:, np.newaxis]
    raters = saw.sum(axis=1, dtype=np.int64)
    documents = np.flatnonzero(raters >= 2)
    line_document, line_person = np.nonzero(saw[documents])
    number = np.full(saw.shape, -1, dtype=np.int64)
    number[documents[line_document], line_person] = np.arange(len(line_document))
    line = number[spans.document, spans.person][spans.span_mark]
    long = spans.span_end > spans.span_start
    used = np.flatnonzero((line >= 0) & long)
    units = _joined(
        line[used], spans.type[spans.span_mark[used]], spans.span_start[used], spans.span_end[used]
    )
    return Continua(
        documents,
        spans.lengths[documents],
        raters[documents],
        line_document,
        line_person,
        *units,
        kinds=spans.types,
        people=len(spans.people),
        joined=len(used) - len(units[0]),
        empty=int(((line >= 0) & ~long).sum()),
        alone=int((raters == 1).sum()),
    )


def _joined(line: Codes, kind: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes, Codes, Codes]:
    """Return units by type, line and place: stretches of one line and type that overlap are one."""
    order = np.lexsort((end, begin, line, kind))
    line, kind, begin, end = line[order], kind[order], begin[order], end[order]
    stride = int(end.max(initial=0)) + 1
    line_and_kind = np.cumsum(np.diff(line, prepend=-1).astype(bool) | np.diff(kind, prepend=-1).astype(bool))
    reach = np.maximum.accumulate(line_and_kind * stride + end)
    starts = np.ones(len(line), dtype=np.bool_)
    starts[1:] = (line_and_kind * stride + begin)[1:] >= reach[:-1]
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(line)) - 1 if len(first) else first
    return line[first], kind[first], begin[first], (reach - line_and_kind * stride)[last]


# Figures of whole documents: one influence value a document, and the interval that follows from it.


def undefined(reason: Undefined, units: int = 0) -> Estimate:
    """Return an undefined figure that counts alone cannot give."""
    return Estimate(None, units, undefined=reason, recomputable=False)


def over_documents(
    estimate: Estimate, slope: Floats, *, disagreements: int, least: float = LOWEST
) -> Estimate:
    """Return a figure with its interval, cut at -1 where the `least` that it can be is not known.

    `slope` (documents,) is the figure's derivative by the weight of each document, which adds up to zero: the
    infinitesimal jackknife (Efron 1982, chapter 6). Its variance is G/(G-1) Σ slope², and t has G-1 degrees.
    """
    return with_interval(
        replace(estimate, recomputable=False),
        len(slope) * slope,
        Clusters.of_documents(len(slope)),
        (-math.inf, 1.0),
        disagreements=disagreements,
        least=least,
    )


def exact_sum(numbers: Codes, divisors: Codes) -> Fraction:
    """Return the exact sum of quotients of whole numbers; few divisors are different."""
    different = np.unique(divisors).tolist()
    quotients = (Fraction(sum(numbers[divisors == divisor].tolist()), divisor) for divisor in different)
    return sum(quotients, start=Fraction())


# The u-alpha family: how much of the text annotators mark and value alike, gaps being a value too.
#
# Krippendorff, Mathet, Bouvry and Widlöcher (2016); Krippendorff (2019), Content Analysis, fourth edition,
# section 12.6, equations 32 to 38. With lengths l_ck of text that one annotator valued c and another k, each
# document's pairs being weighted 1/(m-1), l.. = Σ l_ck is what annotators read in all, and expected is
#
#     e_ck = (l_c. l_.k - [c = k] self_c) / (l.. - self / l..), self_c = Σ length² over segments valued c, of
#            gaps Σ length; self is their sum over all values
#
#     u-alpha = 1 - Σ_{c≠k} l_ck / Σ_{c≠k} e_ck; the binary one knows gap and unit alone
#     cu-alpha = the same over text that two annotators valued; a segment's length is what another valued too
#     (k)u-alpha = 1 - (e_.k / l_.k) (l_.k - l_kk) / (e_.k - e_kk), over the same text
#
# Sums are exact fractions of whole numbers until the last step.

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
    """Lengths of text by document and value; a row is a value in a document of the continua `of`.

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
    of: Continua

    @cached_property
    def divisor(self) -> Floats:
        """Return m - 1 of each document, by which its pairs of annotators are divided (documents,)."""
        return (self.of.raters - 1).astype(np.float64)

    @property
    def read(self) -> Floats:
        """Return how much annotators read of each document (documents,)."""
        return (self.of.lengths * self.of.raters).astype(np.float64)

    def sums(self, numbers: Codes) -> list[int]:
        """Return the sum of numbers by row for each value."""
        return list(sums_by(self.value, numbers, len(self.values)).tolist())

    def of_pairs(self, numbers: Codes) -> list[Fraction]:
        """Return the exact sums of pairs of annotators for each value, divided by m - 1 in each document."""
        total, divisors = [Fraction()] * len(self.values), (self.of.raters - 1)[self.document]
        for divisor in np.unique(divisors).tolist():
            part = self.sums(np.where(divisors == divisor, numbers, 0))
            total = [so_far + Fraction(more, divisor) for so_far, more in zip(total, part, strict=True)]
        return total

    @cached_property
    def jointly(self) -> Fraction:
        """Return the length of text that two annotators marked."""
        return sum(self.of_pairs(self.joint), start=Fraction())

    @cached_property
    def jointly_by_document(self) -> Floats:
        """Return the same of each document."""
        return self.by_document(self.joint)

    def of_value(self, numbers: Codes, value: int) -> Floats:
        """Return sums over the rows of one value in each document, divided by m-1."""
        here = self._by_value[value]
        sums = np.zeros(len(self.divisor))
        sums[self.document[here]] = numbers[here]
        return sums / self.divisor

    @cached_property
    def _by_value(self) -> list[Codes]:
        """Return the rows of each value."""
        order = np.argsort(self.value, kind="stable")
        return np.split(order, np.searchsorted(self.value[order], np.arange(1, len(self.values))))

    def by_document(self, numbers: Codes, weights: Floats | None = None, *, pairs: bool = True) -> Floats:
        """Return sums over the rows of each document, of pairs of annotators divided by m-1."""
        values = numbers / self.divisor[self.document] if pairs else numbers.astype(np.float64)
        weighed = values if weights is None else values * weights[self.value]
        return np.bincount(self.document, weighed, minlength=len(self.divisor)).astype(np.float64)


def segments(texts: Continua) -> Segments:
    """Return every annotator's copy cut into segments with the types that lie over each."""
    base = texts.line * texts.stride
    low, high = base + texts.begin, base + texts.end
    cuts = np.unique(np.concatenate([low, high]))
    unit, piece_index = ranges(np.searchsorted(cuts, low), np.searchsorted(cuts, high))
    order = np.lexsort((texts.kind[unit], piece_index))
    piece, value, values = _values(piece_index[order], texts.kind[unit[order]], texts.kinds)
    line = cuts[piece] // texts.stride
    offset = line * texts.stride
    return Segments(line, value, cuts[piece] - offset, cuts[piece + 1] - offset, values)


def _values(piece: Codes, kind: Codes, kinds: tuple[str, ...]) -> tuple[Codes, Codes, tuple[str, ...]]:
    """Return the different places, the value of each, and the values' names; rows are sorted by both."""
    first = np.flatnonzero(np.diff(piece, prepend=-1))
    depth = np.diff(first, append=len(piece))
    value = kind[first]
    members = [(code,) for code in range(len(kinds))]
    for level in range(1, int(depth.max(initial=0))):
        deep = np.flatnonzero(depth > level)
        size = len(kinds)
        keys, which = np.unique(value[deep] * size + kind[first[deep] + level], return_inverse=True)
        value[deep] = len(members) + which
        members += [(*members[key // size], key % size) for key in keys.tolist()]
    names = tuple(SEPARATOR.join(kinds[code] for code in codes) for codes in members)
    return piece[first], value, names


def coincidences(texts: Continua) -> UnitizingCoincidences:
    """Return the lengths of text by document and value."""
    cut = segments(texts)
    document = texts.line_document[cut.line]
    base = document * texts.stride
    low, high = base + cut.begin, base + cut.end
    cuts = np.unique(np.concatenate([low, high]))
    segment, piece = ranges(np.searchsorted(cuts, low), np.searchsorted(cuts, high))
    length = np.diff(cuts, append=0)
    marked = np.bincount(piece, minlength=len(cuts))
    shared = sums_by(segment, np.where(marked > 1, length, 0)[piece], len(cut.line))
    rows, row = np.unique(document * len(cut.values) + cut.value, return_inverse=True)
    same, joint = _pairs(len(rows), (row[segment], piece), length, marked)
    gap, same_gap = _gaps(texts, cuts // texts.stride, length, marked)
    span = cut.end - cut.begin
    summed = (span, span * span, shared * shared, np.ones_like(span), (shared > 0).astype(np.int64))
    own, squares, joint_squares, units, joint_units = (sums_by(row, numbers, len(rows)) for numbers in summed)
    where, value = rows // max(len(cut.values), 1), rows % max(len(cut.values), 1)
    sums = (own, same, joint, squares, joint_squares, units, joint_units, gap, same_gap)
    return UnitizingCoincidences(where, value, *sums, values=cut.values, of=texts)


def _pairs(rows: int, places: tuple[Codes, Codes], length: Codes, marked: Codes) -> tuple[Codes, Codes]:
    """Return `same` and `joint` of each row; `places` are row and piece of each piece that one marked."""
    row, piece = places
    keys, times = np.unique(piece * max(rows, 1) + row, return_counts=True)
    piece, row = keys // max(rows, 1), keys % max(rows, 1)
    same = sums_by(row, length[piece] * times * (times - 1), rows)
    return same, sums_by(row, length[piece] * times * (marked[piece] - 1), rows)


def _gaps(texts: Continua, document: Codes, length: Codes, marked: Codes) -> tuple[Codes, Codes]:
    """Return the length that annotators left unmarked, and that of ordered pairs who both did."""
    size = len(texts.documents)
    here = np.flatnonzero(marked)
    document, length, marked = document[here], length[here], marked[here]
    covered = sums_by(document, length, size)
    raters = texts.raters
    blank = raters[document] - marked
    outside = texts.lengths - covered
    gap = outside * raters + sums_by(document, length * blank, size)
    return gap, outside * raters * (raters - 1) + sums_by(document, length * blank * (blank - 1), size)


U_ALPHAS = ids_with(lambda measure: measure.coincidences)


def u_alphas(texts: Continua) -> tuple[dict[str, Estimate], dict[str, Estimate]]:
    """Return u-alpha, the binary one and cu-alpha by their ids, and (k)u-alpha by value."""
    if not len(texts.documents):
        none = undefined(Undefined.NO_SHARED_DOCUMENT)
        return dict.fromkeys(U_ALPHAS, none), dict.fromkeys(texts.kinds, none)
    rows = coincidences(texts)
    figures: dict[str, Estimate] = {name: function_named(f"continua.{name}")(rows) for name in U_ALPHAS}
    return figures, dict(zip(rows.values, _ku_alphas(rows), strict=True))


def u_alpha(of: UnitizingCoincidences) -> Estimate:
    """Return agreement on where units are and what they are, together."""
    own, gap, read = of.sums(of.own), sum(of.gap.tolist()), of.of.read
    differing = read - sum(of.of_pairs(of.same)) - exact_sum(of.same_gap, of.of.raters - 1)
    same = of.by_document(of.same) + of.same_gap / of.divisor
    margins = of.by_document(of.own, np.array(own, dtype=np.float64), pairs=False) + of.gap * gap
    squares = sum(length * length for length in own) + gap**2
    own_squares = sum(of.sums(of.squares)) + gap
    return _alpha_of_lengths(
        of, (differing, of.read - same), (squares, margins), (Fraction(read), of.read), own_squares
    )


def u_alpha_binary(of: UnitizingCoincidences) -> Estimate:
    """Return agreement on where something is marked, whatever it is."""
    gap, read = sum(of.gap.tolist()), of.of.read
    marked = read - gap
    differing, slope = (
        2 * (gap - exact_sum(of.same_gap, of.of.raters - 1)),
        2 * (of.gap - of.same_gap / of.divisor),
    )
    margins = of.gap * float(gap) + (of.read - of.gap) * float(marked)
    own_squares = sum(of.sums(of.squares)) + gap
    squares = marked**2 + gap**2
    return _alpha_of_lengths(
        of, (differing, slope), (squares, margins), (Fraction(read), of.read), own_squares
    )


def cu_alpha(of: UnitizingCoincidences) -> Estimate:
    """Return agreement on values in text that two annotators marked."""
    lengths, total, joint = of.of_pairs(of.joint), of.jointly, of.jointly_by_document
    if total == 0 and of.own.any():
        return undefined(Undefined.NO_JOINT_MARKS, int(of.units.sum()))
    differing = total - sum(of.of_pairs(of.same)), joint - of.by_document(of.same)
    by_value = np.array(lengths, dtype=np.float64)
    squares = sum(length * length for length in lengths), of.by_document(of.joint, by_value)
    own_squares = sum(of.sums(of.joint_squares))
    return _alpha_of_lengths(of, differing, squares, (total, joint), own_squares, int(of.joint_units.sum()))


def _alpha_of_lengths(  # noqa: PLR0913, PLR0917 - the terms of one formula
    of: UnitizingCoincidences,
    differing: tuple[Fraction, Floats],
    squares: tuple[Fraction | int, Floats],
    total: tuple[Fraction, Floats],
    own: int,
    units: int | None = None,
) -> Estimate:
    """Return 1 - D_o / D_e, D_e = (T² - Q) / (T - self / T), with the interval over documents.

    Each pair is a sum and its derivative by the weight of each document: the differing length D_o, the sum
    of squares Q = Σ l_c.² (half its derivative), and T; `own` is self. `units` are all where it is None.
    """
    if not of.own.any():
        return undefined(Undefined.NOTHING_MARKED)
    units = int(of.units.sum()) if units is None else units
    room, chance = total[0] ** 2 - own, total[0] ** 2 - squares[0]
    if chance == 0:
        return undefined(Undefined.NO_EXPECTED_DISAGREEMENT, units)
    if room <= 0:
        return undefined(Undefined.ONE_UNIT_EACH, units)
    observed, expected = differing[0] / total[0], Fraction(chance, room)
    estimate = Estimate(float(1 - observed / expected), units, float(observed), float(expected))
    read, by_document = float(total[0]), total[1]
    by_chance = 2 * (read * by_document - squares[1]) / float(chance)
    slope = by_document / read - by_chance
    if differing[0]:
        slope = slope + differing[1] / float(differing[0])
    moved, disagreements = -float(observed / expected) * slope, int(differing[0] > 0)
    return over_documents(estimate, moved, disagreements=disagreements, least=float(1 - 1 / expected))


def _ku_alphas(of: UnitizingCoincidences) -> Iterator[Estimate]:
    """Yield agreement on each value in text that two annotators marked."""
    total, own = of.jointly, of.sums(of.own)
    exact = zip(*(of.of_pairs(lengths) for lengths in (of.joint, of.same)), strict=True)
    counts = zip(*(of.sums(numbers) for numbers in (of.joint_squares, of.units, of.joint_units)), strict=True)
    for value, ((mine, same), (squares, units, joint_units)) in enumerate(zip(exact, counts, strict=True)):
        room = total * mine - squares
        if not own[value]:
            yield undefined(Undefined.NOT_MARKED)
        elif mine == 0:
            yield undefined(Undefined.NOT_MARKED_JOINTLY, units)
        elif total == mine:
            yield undefined(Undefined.NO_EXPECTED_DISAGREEMENT, joint_units)
        elif room <= 0:
            yield undefined(Undefined.ONE_UNIT_EACH, joint_units)
        else:
            observed, expected = (mine - same) / mine, mine * (total - mine) / room
            estimate = Estimate(float(1 - observed / expected), joint_units, float(observed), float(expected))
            slope = _ku_slope(of, value, (float(total), float(mine), float(mine - same)))
            ratio = float(observed / expected)
            least = float(1 - 1 / expected)
            yield over_documents(estimate, -ratio * slope, disagreements=int(same < mine), least=least)


def _ku_slope(of: UnitizingCoincidences, value: int, sums: tuple[float, float, float]) -> Floats:
    """Return the logarithmic derivative of (k)u-alpha's D_o / D_e by the weight of each document."""
    total, mine, differing = sums
    all_, own = of.jointly_by_document, of.of_value(of.joint, value)
    slope: Floats = all_ / total - own / mine - (all_ - own) / (total - mine)
    if differing:
        slope = slope + (own - of.of_value(of.same, value)) / differing
    return slope
