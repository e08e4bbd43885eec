"""All unitizing figures of one layer: of its annotators together, of each category, and of every two."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from reportgen.measures.analysis import MOST_ANNOTATORS
from reportgen.measures.continua import TWO, Continua, continua, of_two, over_documents, ranges, undefined
from reportgen.measures.estimate import Estimate, Floats, Undefined
from reportgen.measures.figures import figure, figures_by_name
from reportgen.measures.gamma_method import GammaFigures
from reportgen.measures.u_alpha import segments, u_alphas
from reportgen.readers import Codes
from reportgen.results.marks import Unitizing, UnitizingPair
from reportgen.units import Spans

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
    overall = _estimate(found, used) if used else undefined(Undefined.NOTHING_MARKED)
    each = [_estimate(found, [part]) if part.units else undefined(Undefined.NOT_MARKED) for part in parts]
    return overall, each


def _estimate(found: Continua, parts: Sequence[TypeOfUnit]) -> Estimate:
    units = sum(part.units for part in parts)
    length = sum(found.lengths.tolist())
    squares = [_sum(part.squares, found.raters - 1) for part in parts]
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


def _sum(numbers: Codes, divisors: Codes) -> Fraction:
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
    gap, gap_document = _gaps(found, line, begin, end)
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


def _gaps(found: Continua, line: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes]:
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


# All unitizing figures of one layer: of its annotators together, of each category, and of every two.


def analyse_unitizing(spans: Spans, gamma: GammaFigures | None = None) -> Unitizing:
    """Return every unitizing figure of one layer; `gamma` are those that were asked for beside.

    There are no pairs of two annotators, whose figures are those of all, and none of more than 50.
    """
    found = continua(spans)
    overall, by_kind = alpha_u(found)
    measures, by_value = u_alphas(found)
    categories = {name: {"alpha_u": figure(each)} for name, each in zip(found.kinds, by_kind, strict=True)}
    for name, each in by_value.items():
        categories.setdefault(name, {})["ku_alpha"] = figure(each)
    if gamma:
        for name, gamma_k in gamma.by_category.items():
            categories.setdefault(name, {})["gamma_k"] = gamma_k
    return Unitizing(
        layer=spans.layer,
        annotators=spans.annotators,
        documents=len(found.documents),
        documents_alone=found.alone,
        characters=sum(found.lengths.tolist()),
        characters_read=found.read,
        units=len(found.line),
        joined=found.joined,
        empty=found.empty,
        several=int((segments(found).value >= len(found.kinds)).sum()),
        measures={
            **figures_by_name({"alpha_u": overall, **measures}),
            **(gamma.measures if gamma else {}),
        },
        by_category=categories,
        categories=tuple(categories),
        pairs=tuple(_pairs(spans, found)),
        gamma=gamma.how if gamma else None,
    )


def _pairs(spans: Spans, found: Continua) -> Iterator[UnitizingPair]:
    annotators = [code for code, role in enumerate(spans.roles) if role == "annotator"]
    if not TWO < len(annotators) <= MOST_ANNOTATORS:
        return
    for first, second in combinations(annotators, TWO):
        both = of_two(found, first, second)
        if len(both.documents):
            yield UnitizingPair(
                annotators=(spans.people[first], spans.people[second]),
                documents=len(both.documents),
                measures=figures_by_name({"alpha_u": alpha_u(both)[0], **u_alphas(both)[0]}),
            )
