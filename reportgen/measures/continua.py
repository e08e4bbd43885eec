"""The texts of one layer as continua that annotators cut into units and gaps, and alpha of 2004.

A unit is a stretch of text that one annotator marked with one type; a discontinuous mark is several units.
Stretches of one annotator and type that share a character are one unit, those that only touch are two: within
a type, units do not overlap (Krippendorff 2004, section 11.6).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from reportgen.measures.estimate import Clusters, Estimate, Floats, Undefined, with_interval
from reportgen.readers import Codes
from reportgen.units import Spans

TWO = 2


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
        found: Codes = self.line_document[self.line]
        return found

    @property
    def person(self) -> Codes:
        """Return whose unit each is (units,)."""
        found: Codes = self.line_person[self.line]
        return found

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
    documents = np.flatnonzero(raters >= TWO)
    line_document, line_person = np.nonzero(saw[documents])
    number = np.full(saw.shape, -1, dtype=np.int64)
    number[documents[line_document], line_person] = np.arange(len(line_document))
    line = number[spans.document, spans.person][spans.span_mark]
    long = spans.span_end > spans.span_start
    kept = np.flatnonzero((line >= 0) & long)
    units = _joined(
        line[kept], spans.type[spans.span_mark[kept]], spans.span_start[kept], spans.span_end[kept]
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
        joined=len(kept) - len(units[0]),
        empty=int(((line >= 0) & ~long).sum()),
        alone=int((raters == 1).sum()),
    )


def of_two(found: Continua, first: int, second: int) -> Continua:
    """Return the continua of two annotators, over the documents that both saw."""
    lines = np.flatnonzero((found.line_person == first) | (found.line_person == second))
    both = np.bincount(found.line_document[lines], minlength=len(found.documents)) == TWO
    lines = lines[both[found.line_document[lines]]]
    number = np.full(len(found.line_document), -1, dtype=np.int64)
    number[lines] = np.arange(len(lines))
    kept = number[found.line] >= 0
    return Continua(
        found.documents[both],
        found.lengths[both],
        np.full(int(both.sum()), TWO, dtype=np.int64),
        (np.cumsum(both) - 1)[found.line_document[lines]],
        found.line_person[lines],
        number[found.line][kept],
        found.kind[kept],
        found.begin[kept],
        found.end[kept],
        kinds=found.kinds,
        people=found.people,
    )


def _joined(line: Codes, kind: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes, Codes, Codes]:
    """Return units by type, line and place: stretches of one line and type that overlap are one."""
    order = np.lexsort((end, begin, line, kind))
    line, kind, begin, end = line[order], kind[order], begin[order], end[order]
    stride = int(end.max(initial=0)) + 1
    place = np.cumsum(np.diff(line, prepend=-1).astype(bool) | np.diff(kind, prepend=-1).astype(bool))
    reach = np.maximum.accumulate(place * stride + end)
    starts = np.ones(len(line), dtype=np.bool_)
    starts[1:] = (place * stride + begin)[1:] >= reach[:-1]
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(line)) - 1 if len(first) else first
    return line[first], kind[first], begin[first], (reach - place * stride)[last]


def ranges(low: Codes, high: Codes) -> tuple[Codes, Codes]:
    """Return every number from `low` to below `high` of each row, with the row that it is of."""
    number = high - low
    row = np.repeat(np.arange(len(low)), number)
    return row, np.repeat(low - np.cumsum(number) + number, number) + np.arange(len(row))


# Figures of whole documents: one influence value a document, and the interval that follows from it.


def undefined(reason: Undefined, units: int = 0) -> Estimate:
    """Return an undefined figure that counts alone cannot give."""
    return Estimate(None, units, undefined=reason, recomputable=False)


def over_documents(estimate: Estimate, slope: Floats, *, disagreements: int) -> Estimate:
    """Return a figure with its interval.

    `slope` (documents,) is the figure's derivative by the weight of each document, which adds up to zero: the
    infinitesimal jackknife (Efron 1982, chapter 6). Its variance is G/(G-1) Σ slope², and t has G-1 degrees.
    """
    size = len(slope)
    every = np.arange(size)
    clusters = Clusters(every, every, np.ones_like(every), size, size, by_document=True, corrected=True)
    return with_interval(
        replace(estimate, recomputable=False),
        size * slope,
        clusters,
        (-math.inf, 1.0),
        disagreements=disagreements,
    )


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


def alpha_u(found: Continua) -> tuple[Estimate, list[Estimate]]:
    """Return alpha over all types, and that of each type."""
    if not len(found.documents):
        none = undefined(Undefined.NO_SHARED_DOCUMENT)
        return none, [none for _ in found.kinds]
    bounds = np.searchsorted(found.kind, np.arange(len(found.kinds) + 1))
    parts = [_type(found, slice(*bounds[kind : kind + 2].tolist())) for kind in range(len(found.kinds))]
    used = [part for part in parts if part.units]
    overall = _alpha_of_types(found, used) if used else undefined(Undefined.NOTHING_MARKED)
    each = [
        _alpha_of_types(found, [part]) if part.units else undefined(Undefined.NOT_MARKED) for part in parts
    ]
    return overall, each


def _alpha_of_types(found: Continua, parts: Sequence[TypeOfUnit]) -> Estimate:
    units = sum(part.units for part in parts)
    length = sum(found.lengths.tolist())
    squares = [_exact_sum(part.squares, found.raters - 1) for part in parts]
    observed = math.fsum(float(each / (found.read * length)) for each in squares)
    expected = math.fsum(float(Fraction(2 * part.chance, length * part.pairs)) for part in parts)
    if expected == 0:
        return undefined(Undefined.NO_EXPECTED_DISAGREEMENT, units)
    estimate = Estimate(1 - observed / expected, units, observed, expected)
    by_document = sum(part.squares.astype(np.float64) for part in parts) / (found.raters - 1)
    chance = sum(part.chance_by_document / part.pairs for part in parts)
    whole = math.fsum(part.chance / part.pairs for part in parts)
    read = found.lengths * found.raters / found.read
    total = float(sum(squares))
    # The logarithmic derivative of D_o / D_e by the weight of a document; the term for small samples is held.
    slope = by_document / total + read - chance / whole if total else np.zeros(len(read))
    return over_documents(estimate, -(observed / expected) * slope, disagreements=int(total > 0))


def _exact_sum(numbers: Codes, divisors: Codes) -> Fraction:
    """Return the exact sum of quotients of whole numbers; few divisors are different."""
    different = np.unique(divisors).tolist()
    return sum(
        (Fraction(sum(numbers[divisors == each].tolist()), each) for each in different), start=Fraction()
    )


def _type(found: Continua, here: slice) -> TypeOfUnit:
    """Return what the units of one type amount to; `here` is where they stand."""
    document, line = found.document[here], found.line[here]
    begin, end = found.begin[here], found.end[here]
    length = end - begin
    gap, gap_document = _gaps_of_type(found, line, begin, end)
    units = len(line)
    lengths, times = np.unique(length, return_counts=True)
    wide, n = lengths.astype(object), times.astype(object)
    own = int((n * _pyramid(wide)).sum())
    near = wide * wide * _room(gap, lengths)
    read = found.read
    return TypeOfUnit(
        units=units,
        squares=_squares(found, document, found.person[here], begin, end),
        chance=(units - 1) * own + int((n * near).sum()),
        pairs=read * (read - 1) - int((n * wide * (wide - 1)).sum()),
        chance_by_document=_derivative(found, (document, length), (gap_document, gap), (lengths, near), own),
    )


def _pyramid(length: Codes) -> Codes:
    """Return (2l³-3l²+l)/3, which is whole: twice the sum of the squares below l."""
    whole: Codes = length * (length - 1) * (2 * length - 1) // 3
    return whole


def _gaps_of_type(found: Continua, line: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes]:
    """Return the length and the document of each gap between one type's units, in every annotator's copy."""
    first = np.diff(line, prepend=-1) != 0
    last = np.diff(line, append=-1) != 0
    before = np.where(first, 0, np.roll(end, 1))
    reached = np.zeros(len(found.line_document), dtype=np.int64)
    reached[line[last]] = end[last]
    behind = found.lengths[found.line_document] - reached
    return np.concatenate([begin - before, behind]), np.concatenate(
        [found.line_document[line], found.line_document]
    )


def _room(gap: Codes, lengths: Codes) -> Codes:
    """Return in how many places of the gaps a unit of each length fits: Σ_{g ≥ l} (g-l+1), exactly."""
    ordered = np.sort(gap)
    from_here = np.searchsorted(ordered, lengths)
    behind = np.append(np.cumsum(ordered[::-1])[::-1], 0)[from_here]
    room: Codes = (behind - (len(ordered) - from_here) * (lengths - 1)).astype(object)
    return room


def _derivative(
    found: Continua,
    units: tuple[Codes, Codes],
    gaps: tuple[Codes, Codes],
    near: tuple[Codes, Codes],
    own: int,
) -> Floats:
    """Return the derivative of the sum in D_e by each document's weight; N-1 is held at its ratio to N.

    `units` and `gaps` have documents and lengths; `near` the different lengths of units, and of each l² times
    the room in all gaps.
    """
    size = len(found.documents)
    document, length = units
    l = length.astype(np.float64)  # noqa: E741 - the letter of the formula
    pyramids = l * (l - 1) * (2 * l - 1) / 3
    ratio = (len(length) - 1) / max(len(length), 1)
    mixed = float(own) + len(length) * pyramids
    room = near[1].astype(np.float64)[np.searchsorted(near[0], length)]
    of_units = np.bincount(document, ratio * mixed + room, minlength=size)
    of_gaps = np.bincount(gaps[0], _taken(gaps[1], l), minlength=size)
    return (of_units + of_gaps).astype(np.float64)


def _taken(gap: Codes, length: Floats) -> Floats:
    """Return of each gap Σ_{l ≤ g} l² (g-l+1) over all units' lengths."""
    ordered = np.sort(length)
    squares = np.append(0.0, np.cumsum(ordered * ordered))
    cubes = np.append(0.0, np.cumsum(ordered * ordered * ordered))
    up_to = np.searchsorted(ordered, gap, side="right")
    taken: Floats = (gap + 1) * squares[up_to] - cubes[up_to]
    return taken


def _squares(found: Continua, document: Codes, person: Codes, begin: Codes, end: Codes) -> Codes:
    """Return of each document the sum of δ² over ordered pairs of annotators (documents,)."""
    one, other = _overlapping(found.stride, document, begin, end)
    touched = np.unique(
        np.concatenate([one * found.people + person[other], other * found.people + person[one]])
    )
    lone = found.raters[document] - 1 - np.bincount(touched // found.people, minlength=len(document))
    kind = np.int64 if 4 * found.stride**2 * (len(one) + len(lone) * found.people + 1) < EXACT else object
    far = (begin[one] - begin[other]).astype(kind) ** 2 + (end[one] - end[other]).astype(kind) ** 2
    squares = np.zeros(len(found.documents), dtype=kind)
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
