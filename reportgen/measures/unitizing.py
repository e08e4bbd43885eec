"""Marks as cuts of texts and recordings: alphas of unitizing, gamma, and how near boundaries are.

A unit is a stretch of text that one annotator marked with one type; a discontinuous mark is several units.
Stretches of one annotator and type that share a character are one unit, those that only touch are two: within
a type, units do not overlap (Krippendorff 2004, section 11.6).

A boundary is where a stretch begins or ends, once for each moment; the beginning and the end of a recording,
which nobody chose, are none. Two boundaries of two annotators may be a pair where they are no further apart
than the tolerance, each in one pair at most, with as many pairs as there can be: the hit rate of boundaries
of Raffel et al. (2014, section 2, "boundary detection"). F is 2 hits / (boundaries of one + of the other).
Two stretches are a pair where both their ends are near: event-based F with an onset and an offset condition
(Mesaros, Heittola and Virtanen 2016, section 3.2). Sums are over documents and pairs of annotators.
"""

import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from importlib import metadata
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign.toml_tables import Unitizing as UnitizingSetting
from reportgen.catalogue import ids_with
from reportgen.measures.estimate import (
    LOWEST,
    Clusters,
    Estimate,
    Floats,
    Undefined,
    figure,
    figures_by_name,
    t_quantile,
    two_sided,
    with_interval,
)
from reportgen.measures.formulas import function_named
from reportgen.measures.spans import Ratio
from reportgen.measures.thresholds import MOST_ANNOTATORS
from reportgen.readers import Codes
from reportgen.results import Figure
from reportgen.results.marks import BoundaryAgreement, BoundaryShift, Gamma, Unitizing, UnitizingPair
from reportgen.units import SEPARATOR, Spans
from reportgen.units.labels import as_rows, ranges, sums_by
from reportgen.units.segmentation import usual_tolerance


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
    saw = spans.saw & spans.annotates & (spans.lengths > 0)[:, np.newaxis]
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
    same, joint = _agreeing_lengths(len(rows), (row[segment], piece), length, marked)
    gap, same_gap = _gaps(texts, cuts // texts.stride, length, marked)
    span = cut.end - cut.begin
    summed = (span, span * span, shared * shared, np.ones_like(span), (shared > 0).astype(np.int64))
    own, squares, joint_squares, units, joint_units = (sums_by(row, numbers, len(rows)) for numbers in summed)
    where, value = rows // max(len(cut.values), 1), rows % max(len(cut.values), 1)
    sums = (own, same, joint, squares, joint_squares, units, joint_units, gap, same_gap)
    return UnitizingCoincidences(where, value, *sums, values=cut.values, of=texts)


def _agreeing_lengths(
    rows: int, places: tuple[Codes, Codes], length: Codes, marked: Codes
) -> tuple[Codes, Codes]:
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
    figures: dict[str, Estimate] = {name: function_named(f"unitizing.{name}")(rows) for name in U_ALPHAS}
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


# Krippendorff's alpha for unitizing as of 2004: lengths and places of units, type by type.
#
# Krippendorff (2004), Content Analysis, second edition, section 11.6, as its worked example (page 254) has
# it. Of type c, with m annotators of a continuum of length L:
#
#     D_o = Σ_i Σ_{j≠i} δ² / (m(m-1)L²), δ² of two units that share a character being the squares of the
#           distances between their beginnings and between their ends; of a unit that lies in a gap of the
#           other annotator's, its length squared
#     D_e = (2/L) Σ_u [(N-1)(2l³-3l²+l)/3 + l² Σ_{gaps g ≥ l} (g-l+1)] / (mL(mL-1) - Σ_u l(l-1))
#
# over the N units u of all annotators, of length l, and their gaps g. Documents are continua laid end to end,
# in which no gap runs over an end: what is observed adds up over them, m being who saw each, and mL is what
# was read in all. L cancels out. Sums are of integers; alpha = 1 - Σ_c D_o / Σ_c D_e.

# Below this, sums of products of two are exact in 64 bits.
EXACT = 2**62


@dataclass(frozen=True, eq=False)
class TypeOfUnit:
    """What the units of one type amount to, in whole numbers and by document.

    - `units`: N; `squares`: (documents,) the sum of δ² over ordered pairs of annotators.
    - `chance`: the sum in D_e; `pairs`: its divisor.
    - `chance_by_document` (documents,): the derivative of that sum by the weight of a document; they add up
      to twice the sum.
    """

    units: int
    squares: Codes
    chance: int
    pairs: int
    chance_by_document: Floats


def alpha_u(texts: Continua) -> tuple[Estimate, list[Estimate]]:
    """Return alpha over all types, and that of each type."""
    if not len(texts.documents):
        none = undefined(Undefined.NO_SHARED_DOCUMENT)
        return none, [none for _ in texts.kinds]
    bounds = np.searchsorted(texts.kind, np.arange(len(texts.kinds) + 1))
    parts = [
        _type_of_units(texts, slice(*bounds[kind : kind + 2].tolist())) for kind in range(len(texts.kinds))
    ]
    used = [part for part in parts if part.units]
    overall = _alpha_of_types(texts, used) if used else undefined(Undefined.NOTHING_MARKED)
    by_type = [
        _alpha_of_types(texts, [part]) if part.units else undefined(Undefined.NOT_MARKED) for part in parts
    ]
    return overall, by_type


def _alpha_of_types(texts: Continua, parts: Sequence[TypeOfUnit]) -> Estimate:
    units = sum(part.units for part in parts)
    length = sum(texts.lengths.tolist())
    squares = [exact_sum(part.squares, texts.raters - 1) for part in parts]
    observed = math.fsum(float(square / (texts.read * length)) for square in squares)
    expected = math.fsum(float(Fraction(2 * part.chance, length * part.pairs)) for part in parts)
    if expected == 0:
        return undefined(Undefined.NO_EXPECTED_DISAGREEMENT, units)
    estimate = Estimate(1 - observed / expected, units, observed, expected)
    by_document = sum(part.squares.astype(np.float64) for part in parts) / (texts.raters - 1)
    chance = sum(part.chance_by_document / part.pairs for part in parts)
    expected_sum = math.fsum(part.chance / part.pairs for part in parts)
    read = texts.lengths * texts.raters / texts.read
    total = float(sum(squares))
    # The logarithmic derivative of D_o / D_e by the weight of a document; the term for small samples is held.
    slope = by_document / total + read - chance / expected_sum if total else np.zeros(len(read))
    return over_documents(estimate, -(observed / expected) * slope, disagreements=int(total > 0))


def _type_of_units(texts: Continua, here: slice) -> TypeOfUnit:
    """Return what the units of one type amount to; `here` is where they are."""
    document, line = texts.document[here], texts.line[here]
    begin, end = texts.begin[here], texts.end[here]
    length = end - begin
    gap, gap_document = _gaps_of_type(texts, line, begin, end)
    units = len(line)
    lengths, times = np.unique(length, return_counts=True)
    wide, n = lengths.astype(object), times.astype(object)
    # (2l³-3l²+l)/3, which is whole: twice the sum of the squares below l.
    own = int((n * (wide * (wide - 1) * (2 * wide - 1) // 3)).sum())
    near = wide * wide * _room_in_gaps(gap, lengths)
    read = texts.read
    return TypeOfUnit(
        units=units,
        squares=_squares(texts, document, texts.person[here], begin, end),
        chance=(units - 1) * own + int((n * near).sum()),
        pairs=read * (read - 1) - int((n * wide * (wide - 1)).sum()),
        chance_by_document=_derivative(texts, (document, length), (gap_document, gap), (lengths, near), own),
    )


def _gaps_of_type(texts: Continua, line: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes]:
    """Return the length and the document of each gap between one type's units, in every annotator's copy."""
    first = np.diff(line, prepend=-1) != 0
    last = np.diff(line, append=-1) != 0
    before = np.where(first, 0, np.roll(end, 1))
    reached = np.zeros(len(texts.line_document), dtype=np.int64)
    reached[line[last]] = end[last]
    behind = texts.lengths[texts.line_document] - reached
    return np.concatenate([begin - before, behind]), np.concatenate(
        [texts.line_document[line], texts.line_document]
    )


def _room_in_gaps(gap: Codes, lengths: Codes) -> Codes:
    """Return in how many places of the gaps a unit of each length fits: Σ_{g ≥ l} (g-l+1), exactly."""
    ordered = np.sort(gap)
    from_here = np.searchsorted(ordered, lengths)
    behind = np.append(np.cumsum(ordered[::-1])[::-1], 0)[from_here]
    room: Codes = (behind - (len(ordered) - from_here) * (lengths - 1)).astype(object)
    return room


def _derivative(
    texts: Continua,
    units: tuple[Codes, Codes],
    gaps: tuple[Codes, Codes],
    near: tuple[Codes, Codes],
    own: int,
) -> Floats:
    """Return the derivative of the sum in D_e by each document's weight; N-1 is held at its ratio to N.

    `units` and `gaps` have documents and lengths; `near` the different lengths of units, and of each l² times
    the room in all gaps.
    """
    size = len(texts.documents)
    document, length = units
    l = length.astype(np.float64)  # noqa: E741 - the letter of the formula
    pyramids = l * (l - 1) * (2 * l - 1) / 3
    ratio = (len(length) - 1) / max(len(length), 1)
    mixed = float(own) + len(length) * pyramids
    room = near[1].astype(np.float64)[np.searchsorted(near[0], length)]
    of_units = np.bincount(document, ratio * mixed + room, minlength=size)
    of_gaps = np.bincount(gaps[0], _room_of_units(gaps[1], l), minlength=size)
    return (of_units + of_gaps).astype(np.float64)


def _room_of_units(gap: Codes, length: Floats) -> Floats:
    """Return of each gap Σ_{l ≤ g} l² (g-l+1) over all units' lengths."""
    ordered = np.sort(length)
    squares = np.append(0.0, np.cumsum(ordered * ordered))
    cubes = np.append(0.0, np.cumsum(ordered * ordered * ordered))
    up_to = np.searchsorted(ordered, gap, side="right")
    room: Floats = (gap + 1) * squares[up_to] - cubes[up_to]
    return room


def _squares(texts: Continua, document: Codes, person: Codes, begin: Codes, end: Codes) -> Codes:
    """Return of each document the sum of δ² over ordered pairs of annotators (documents,)."""
    one, other = _overlapping(texts.stride, document, begin, end)
    touched = np.unique(
        np.concatenate([one * texts.people + person[other], other * texts.people + person[one]])
    )
    lone = texts.raters[document] - 1 - np.bincount(touched // texts.people, minlength=len(document))
    kind = np.int64 if 4 * texts.stride**2 * (len(one) + len(lone) * texts.people + 1) < EXACT else object
    far = (begin[one] - begin[other]).astype(kind) ** 2 + (end[one] - end[other]).astype(kind) ** 2
    squares = np.zeros(len(texts.documents), dtype=kind)
    np.add.at(squares, document[one], 2 * far)
    np.add.at(squares, document, 2 * (end - begin).astype(kind) ** 2 * lone)
    return squares


def _overlapping(stride: int, document: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes]:
    """Return every two units that share a character, each pair once; those of one annotator never do."""
    low, high = document * stride + begin, document * stride + end
    order = np.lexsort((high, low))
    low, high = low[order], high[order]
    after = np.arange(1, len(low) + 1)
    one, other = ranges(after, np.searchsorted(low, high, side="left"))
    return order[one], order[other]


# Gamma, gamma-cat and gamma-k: units are aligned, and disorder is compared with that of random continua.
#
# Mathet, Widlöcher and Métivier (2015), Computational Linguistics 41(3), sections 4 and 5; Mathet (2017),
# Computational Linguistics 43(3), for gamma-cat and gamma-k. The package pygamma-agreement computes them,
# document by document; it is imported where a campaign asks for them, and nowhere else.
#
# Chance is sampled, from one seed for each document, and an integer program is solved by floats: another
# processor, or another version of a library, may change the last digits and more.

PACKAGE = "pygamma-agreement"
MODULE = "pygamma_agreement"
MOST_SEEDS = 2**32
LIBRARIES = (PACKAGE, "numpy", "numba", "cvxpy")


@dataclass(frozen=True, eq=False)
class GammaFigures:
    """Gamma and gamma-cat by their ids, and gamma-k of each type, with what they were computed with."""

    measures: Mapping[str, Figure]
    by_category: Mapping[str, Figure]
    how: Gamma


def gamma_is_installed() -> bool:
    """Tell whether the package that computes gamma is there, without importing it."""
    return find_spec(MODULE) is not None


# A unit: person, type, begin and end.
Unit = tuple[int, int, int, int]
# What the package calls as we do; gamma-k it has by type.
GAMMAS = ids_with(lambda measure: measure.alignments and not measure.by_category)


def gamma(spans: Spans, setting: UnitizingSetting) -> GammaFigures:
    """Return gamma of a layer's annotators: means over documents, weighted by their numbers of units."""
    texts = continua(spans)
    marked = {document: units for document, units in enumerate(_units(texts)) if units}
    documents = [_document(texts, document, units, setting) for document, units in marked.items()]
    counts = np.array([len(units) for units in marked.values()], dtype=np.int64)
    nothing = Undefined.NOTHING_MARKED if len(texts.documents) else Undefined.NO_SHARED_DOCUMENT
    return GammaFigures(
        measures={name: _mean([by_name[name] for by_name in documents], counts, nothing) for name in GAMMAS},
        by_category={
            name: _mean([by_name.get(code) for by_name in documents], counts, Undefined.NO_EXPECTED_DISORDER)
            for code, name in enumerate(texts.kinds)
        },
        how=Gamma(
            **setting.model_dump(exclude={"gamma"}),
            documents=len(texts.documents),
            left_out=len(texts.documents) - len(marked),
            solver="GLPK_MI" if find_spec("cylp") is None else "CBC",
            libraries={name: metadata.version(name) for name in LIBRARIES},
        ),
    )


def _mean(values: Sequence[float | None], units: Codes, nothing: Undefined) -> Figure:
    """Return the mean of what is defined, weighted by numbers of units, with its interval over documents."""
    if not values:
        return figure(undefined(nothing))
    is_defined = np.array([value is not None for value in values], dtype=np.bool_)
    if not is_defined.any():
        return figure(undefined(Undefined.NO_EXPECTED_DISORDER, int(units.sum())))
    defined: Floats = np.array([value for value in values if value is not None], dtype=np.float64)
    share = units[is_defined] / units[is_defined].sum()
    value = math.fsum((share * defined).tolist())
    estimate = Estimate(value, int(units[is_defined].sum()))
    slope = share * (defined - value)
    return figure(over_documents(estimate, slope, disagreements=int((defined < 1).any())))


def _units(texts: Continua) -> list[list[Unit]]:
    """Return the units of each document."""
    rows: list[list[Unit]] = [[] for _ in texts.documents]
    for document, *unit in as_rows(texts.document, texts.person, texts.kind, texts.begin, texts.end):
        rows[document].append(tuple(unit))
    return rows


def _document(
    texts: Continua, document: int, units: Sequence[Unit], setting: UnitizingSetting
) -> dict[str | int, float | None]:
    """Return gamma and gamma-cat of a document by their ids, and gamma-k by the code of the type."""
    people = texts.line_person[texts.line_document == document].tolist()
    with _drawing_from(setting.seed + document):
        results = _results(people, units, int(texts.lengths[document]), setting)
        return {
            **{name: _finite(getattr(results, name)) for name in GAMMAS},
            **{kind: _finite(results.gamma_k(str(kind))) for kind in sorted({kind for _, kind, *_ in units})},
        }


@contextmanager
def _drawing_from(seed: int) -> Iterator[None]:
    """Let the package draw from a seed and say nothing; its generator is numpy's one for everybody."""
    state, level = np.random.get_state(), logging.root.manager.disable  # noqa: NPY002
    np.random.seed(seed % MOST_SEEDS)  # noqa: NPY002
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)
        np.random.set_state(state)  # noqa: NPY002


def _finite(value: float) -> float | None:
    """Return a figure; None where the expected disorder is zero."""
    return float(value) if math.isfinite(value) else None


def _results(people: Sequence[int], units: Sequence[Unit], length: int, setting: UnitizingSetting) -> Any:  # noqa: ANN401 - the package carries no types
    from pyannote.core import Segment
    from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

    continuum = Continuum()
    for person in people:
        continuum.add_annotator(f"{person:06d}")
    for person, kind, begin, end in units:
        continuum.add(f"{person:06d}", Segment(begin, end), str(kind))
    continuum.bound_inf, continuum.bound_sup = 0.0, float(length)
    return continuum.compute_gamma(
        CombinedCategoricalDissimilarity(
            alpha=setting.alpha, beta=setting.beta, delta_empty=setting.delta_empty
        ),
        n_samples=setting.samples,
        precision_level=setting.precision,
    )


def analyse_unitizing(spans: Spans, gamma: GammaFigures | None = None) -> Unitizing:
    """Return every unitizing figure of one layer; `gamma` are those that were asked for beside.

    There are no pairs of two annotators, whose figures are those of all, and none of more than 50.
    """
    texts = continua(spans)
    overall, by_kind = alpha_u(texts)
    measures, by_value = u_alphas(texts)
    categories = {
        name: {"alpha_u": figure(estimate)} for name, estimate in zip(texts.kinds, by_kind, strict=True)
    }
    for name, estimate in by_value.items():
        categories.setdefault(name, {})["ku_alpha"] = figure(estimate)
    if gamma:
        for name, gamma_k in gamma.by_category.items():
            categories.setdefault(name, {})["gamma_k"] = gamma_k
    return Unitizing(
        layer=spans.layer,
        annotators=spans.annotators,
        documents=len(texts.documents),
        documents_alone=texts.alone,
        characters=sum(texts.lengths.tolist()),
        characters_read=texts.read,
        units=len(texts.line),
        joined=texts.joined,
        empty=texts.empty,
        several=int((segments(texts).value >= len(texts.kinds)).sum()),
        measures={
            **figures_by_name({"alpha_u": overall, **measures}),
            **(gamma.measures if gamma else {}),
        },
        by_category=categories,
        categories=tuple(categories),
        pairs=tuple(_unitizing_pairs(spans, texts)),
        gamma=gamma.how if gamma else None,
    )


def _unitizing_pairs(spans: Spans, texts: Continua) -> Iterator[UnitizingPair]:
    annotators = [code for code, role in enumerate(spans.roles) if role == "annotator"]
    if not 2 < len(annotators) <= MOST_ANNOTATORS:
        return
    for first, second in combinations(annotators, 2):
        both = of_two(texts, first, second)
        if len(both.documents):
            yield UnitizingPair(
                annotators=(spans.people[first], spans.people[second]),
                documents=len(both.documents),
                measures=figures_by_name({"alpha_u": alpha_u(both)[0], **u_alphas(both)[0]}),
            )


def of_two(texts: Continua, first: int, second: int) -> Continua:
    """Return the continua of two annotators, over the documents that both saw."""
    lines = np.flatnonzero((texts.line_person == first) | (texts.line_person == second))
    both = np.bincount(texts.line_document[lines], minlength=len(texts.documents)) == 2
    lines = lines[both[texts.line_document[lines]]]
    number = np.full(len(texts.line_document), -1, dtype=np.int64)
    number[lines] = np.arange(len(lines))
    is_chosen = number[texts.line] >= 0
    return Continua(
        texts.documents[both],
        texts.lengths[both],
        np.full(int(both.sum()), 2, dtype=np.int64),
        (np.cumsum(both) - 1)[texts.line_document[lines]],
        texts.line_person[lines],
        number[texts.line][is_chosen],
        texts.kind[is_chosen],
        texts.begin[is_chosen],
        texts.end[is_chosen],
        kinds=texts.kinds,
        people=texts.people,
    )


# A test of who is early takes so many documents; what is near is so many steps of a histogram to each side.
LEAST_DOCUMENTS, STEPS = 6, 20


@dataclass(frozen=True, eq=False)
class PairOfCopies:
    """What two annotators' copies of the recordings have in common, by document.

    - `boundaries`, `stretches`, `labels` (2, documents): twice the pairs, and how much there is of both.
    - `shift` (2, documents): how much later the first's boundaries are than the nearest of the second's,
      summed in milliseconds, and how many they are; `later` is the same of each boundary.
    """

    boundaries: Codes
    stretches: Codes
    labels: Codes
    shift: Codes
    later: Codes


def boundary_agreement(spans: Spans, tolerance: int | None) -> BoundaryAgreement | None:
    """Return how near the boundaries of a layer's annotators are; None where no two marked a recording.

    `tolerance` is in milliseconds, None for the usual one.
    """
    texts = continua(spans)
    people = np.unique(texts.line_person).tolist()
    if not len(texts.line) or len(people) > MOST_ANNOTATORS:
        return None
    near = usual_tolerance(texts.end - texts.begin) if tolerance is None else tolerance
    both = {pair: _compared(texts, *pair, near) for pair in combinations(people, 2)}
    boundaries, stretches, labels = (
        _estimate(np.sum([getattr(copies, name) for copies in both.values()], axis=0))
        for name in ("boundaries", "stretches", "labels")
    )
    # Of two annotators one is as early as the other is late.
    shown = people[:1] if len(people) == 2 else people
    return BoundaryAgreement(
        layer=spans.layer,
        tolerance=near,
        declared=tolerance is not None,
        documents=len(texts.documents),
        boundaries=boundaries,
        stretches=stretches,
        labels=labels,
        shifts=tuple(
            _shift(spans.people[who], _shifts_of(who, both)).model_copy(
                update={"histogram": _histogram(who, both, near)}
            )
            for who in shown
        ),
    )


def _estimate(counted: Codes) -> Figure:
    """Return F of twice the pairs and of how much there is (2, documents)."""
    twice, there = counted.astype(np.float64)
    ratio = Ratio(
        twice, there, int(there.sum()), int((there - twice).sum()), Undefined.NOTHING_MARKED, people=2
    )
    estimate = replace(ratio.estimate(), recomputable=False)
    return figure(estimate)


def _compared(texts: Continua, first: int, second: int, near: int) -> PairOfCopies:
    """Return what two copies have in common in all documents, none where one of the two did not see one."""
    size, both = len(texts.documents), of_two(texts, first, second)
    place = np.searchsorted(texts.documents, both.documents)
    is_first, document, kind = both.person == first, place[both.document], both.kind
    begin, end = both.begin, both.end
    one, other = (
        _boundaries(document[own], begin[own], end[own], texts.lengths) for own in (is_first, ~is_first)
    )
    stride = int(texts.lengths.max()) + near
    # Documents are laid end to end, further apart than what is near.
    edges = _near(one[0] * stride + one[1], other[0] * stride + other[1], near)
    hits = _matched_boundaries(edges, one[0], size)
    amounts = [np.bincount(own[0], minlength=size) for own in (one, other)]
    laid = document * stride + begin
    rows, columns = _near(laid[is_first], laid[~is_first], near)
    ends = np.abs(end[is_first][rows] - end[~is_first][columns]) <= near
    alike = ends & (kind[is_first][rows] == kind[~is_first][columns])
    there = np.bincount(document, minlength=size)
    stretches, labels = (
        _matched_boundaries((rows[chosen], columns[chosen]), document[is_first], size)
        for chosen in (ends, alike)
    )
    return PairOfCopies(
        np.stack([2 * hits, amounts[0] + amounts[1]]),
        np.stack([2 * stretches, there]),
        np.stack([2 * labels, there]),
        *_shift_sums(one, other, edges, size),
    )


def _boundaries(document: Codes, begin: Codes, end: Codes, lengths: Codes) -> tuple[Codes, Codes]:
    """Return the document and the moment of each boundary of one annotator, in order."""
    documents, moments = np.concatenate([document, document]), np.concatenate([begin, end])
    inside = (moments > 0) & (moments < lengths[documents])
    rows = np.unique(np.stack([documents[inside], moments[inside]]), axis=1)
    return rows[0], rows[1]


def _near(one: Codes, other: Codes, near: int) -> tuple[Codes, Codes]:
    """Return which moments of one are near which of the other: numbers of both (edges,)."""
    order = np.argsort(other, kind="stable")
    low = np.searchsorted(other[order], one - near)
    high = np.searchsorted(other[order], one + near, side="right")
    rows, places = ranges(low, high)
    return rows, order[places]


def _matched_boundaries(edges: tuple[Codes, Codes], document: Codes, size: int) -> Codes:
    """Return the most pairs that there can be of what is near, each thing in one at most, by document."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not len(edges[0]):
        return np.zeros(size, dtype=np.int64)
    graph = csr_array((np.ones(len(edges[0]), dtype=np.int8), edges))
    partner = maximum_bipartite_matching(graph, perm_type="column")
    return np.bincount(document[np.flatnonzero(partner >= 0)], minlength=size)


def _shift_sums(
    one: tuple[Codes, Codes], other: tuple[Codes, Codes], edges: tuple[Codes, Codes], size: int
) -> tuple[Codes, Codes]:
    """Return how much later the first's boundaries are, where each is the other's nearest.

    It is summed by document (2, documents), then told of each boundary.
    """
    rows, columns = edges
    later = one[1][rows] - other[1][columns]
    # The nearest comes first, of two as near the earlier one.
    order = np.lexsort((columns, np.abs(later), rows))
    nearest = order[np.unique(rows[order], return_index=True)[1]]
    back = np.lexsort((rows, np.abs(later), columns))
    nearest_back = back[np.unique(columns[back], return_index=True)[1]]
    mutual = np.intersect1d(nearest, nearest_back)
    documents = one[0][rows[mutual]]
    sums: Codes = np.stack([sums_by(documents, later[mutual], size), np.bincount(documents, minlength=size)])
    return sums, later[mutual]


def _shifts_of(who: int, both: Mapping[tuple[int, int], PairOfCopies]) -> Codes:
    """Return how much later somebody's boundaries are than those of all others (2, documents)."""
    own = [(1 if pair[0] == who else -1, copies.shift) for pair, copies in both.items() if who in pair]
    summed: Codes = np.sum([shift * np.array([[sign], [1]]) for sign, shift in own], axis=0)
    return summed


def _histogram(
    who: int, both: Mapping[tuple[int, int], PairOfCopies], near: int
) -> tuple[tuple[int, int], ...]:
    """Return how many of somebody's boundaries are how much later, in steps from the middle of 0."""
    own = [copies.later if pair[0] == who else -copies.later for pair, copies in both.items() if who in pair]
    later, step = np.concatenate(own), max(near // STEPS, 1)
    places, times = np.unique(
        np.sign(later) * ((np.abs(later) + step // 2) // step) * step, return_counts=True
    )
    return tuple(zip(places.tolist(), times.tolist(), strict=True))


def _shift(annotator: str, sums: Codes) -> BoundaryShift:
    """Return the mean of the differences with the interval of a t of documents; and p of none."""
    later, times = sums[:, sums[1] > 0]
    every, documents = int(times.sum()), len(times)
    if not every:
        return BoundaryShift(annotator=annotator, boundaries=0)
    mean = int(later.sum()) / every
    if documents < LEAST_DOCUMENTS:
        return BoundaryShift(annotator=annotator, boundaries=every, later=mean)
    residuals = [float(value) for value in (later - mean * times).tolist()]
    squares = math.fsum(value * value for value in residuals)
    error = math.sqrt(squares * documents / (documents - 1)) / every
    half = t_quantile(documents - 1) * error
    p = two_sided(mean / error, documents - 1) if error else None
    return BoundaryShift(
        annotator=annotator, boundaries=every, later=mean, low=mean - half, high=mean + half, p=p
    )
