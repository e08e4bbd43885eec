"""Marks of different types as pairs that earn credit: what a distance between types gives spans.

BDM-based precision, recall and F-measure give a mark of a type close to the right one a part of a match
(Maynard 2005; GATE user guide, 10.5.3). Any declared distance does the same here: a pair earns 1 - δ, which
for BDM is the score itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from reportgen.campaign import DistanceTable
from reportgen.formats import Codes
from reportgen.study.overlaps import Candidates, candidates
from reportgen.study.pairing import WHOLE, Pairing, components, together
from reportgen.study.people import Mask
from reportgen.study.spans import SpanFrame, Spans

# Credits are compared by this many parts of one, so that sums of them are whole numbers.
PARTS = 10**6


@dataclass(frozen=True, eq=False)
class Credit:
    """What two types earn as a pair, by the distance of the name `id`.

    `matrix` (types, types) is 1 - δ, from 0 to 1 with a diagonal of 1. Where a table goes beyond 1, distances
    are divided by the largest between two types, `divisor`, which is 1 otherwise.
    """

    id: str
    matrix: npt.NDArray[np.float64]
    divisor: float = 1.0


@dataclass(frozen=True, eq=False)
class CreditPairs:
    """Marks of two types that are pairs (pairs,), the key's first; `exact` says which cover the same text."""

    first: Codes
    second: Codes
    exact: Mask


def credits_of(spans: SpanFrame, tables: Sequence[DistanceTable]) -> list[Credit]:
    """Return the credits by each table that knows all types of a layer, which has two at least."""
    several = len(spans.types) > 1
    return [
        _credit(spans, table) for table in tables if several and set(spans.types) <= set(table.categories)
    ]


def _credit(spans: SpanFrame, table: DistanceTable) -> Credit:
    places = [table.categories.index(name) for name in spans.types]
    apart = np.array(table.rows, dtype=np.float64)[np.ix_(places, places)]
    divisor = max(float(apart.max()), 1.0)
    return Credit(table.id, 1.0 - apart / divisor, divisor)


def pair_by_credit(spans: Spans, pairing: Pairing, credit: Credit) -> CreditPairs:
    """Return pairs among the marks that `pairing`, which knows one type at a time, leaves alone.

    First marks that cover the same text are paired, then those that share a character; each time so that the
    sum of credits (to six digits) is the largest, then that of characters in common. Pairs without credit are
    none; significant features have to agree, as within a type.
    """
    found = _across_types(spans, pairing, credit)
    earned = np.rint(PARTS * credit.matrix[spans.type[found.first], spans.type[found.second]])
    return pair_in_turn(spans, found, earned.astype(np.int64))


def pair_in_turn(spans: Spans, found: Candidates, earned: Codes) -> CreditPairs:
    """Return which candidates, of marks that are alone, are pairs, given what each earns (candidates,).

    Those that cover the same text come first, then the others, each so that most is earned.
    """
    exact = _chosen(spans, found, earned, found.exact)
    one, other = in_pairs(spans, found, found.first[exact], found.second[exact])
    partial = _chosen(spans, found, earned, ~found.exact & ~one & ~other)
    rows = np.concatenate([np.flatnonzero(exact), np.flatnonzero(partial)])
    return CreditPairs(found.first[rows], found.second[rows], found.exact[rows])


def _across_types(spans: Spans, pairing: Pairing, credit: Credit) -> Candidates:
    """Return candidates of two types that earn credit, of marks that are alone between the two people."""
    found = of_any_type(spans)
    first, second = spans.type[found.first], spans.type[found.second]
    fits = (first != second) & (credit.matrix[first, second] > 0) & found.agrees
    one, other = in_pairs(spans, found, pairing.first, pairing.second)
    return where(found, fits & ~one & ~other)


def of_any_type(spans: Spans) -> Candidates:
    """Return every two marks that share a character or cover the same, whatever their types."""
    return candidates(replace(spans, type=np.zeros_like(spans.type), types=("",)))


def in_pairs(spans: Spans, found: Candidates, first: Codes, second: Codes) -> tuple[Mask, Mask]:
    """Say of which candidates the first mark is in some pairs of the same two people, and the second."""
    people = len(spans.people)
    one = np.isin(found.first * people + spans.person[found.second], first * people + spans.person[second])
    other = np.isin(found.second * people + spans.person[found.first], second * people + spans.person[first])
    return one, other


def where(found: Candidates, kept: Mask | Codes) -> Candidates:
    """Return some candidates, given as a mask or by their numbers."""
    return Candidates(*(column[kept] for column in vars(found).values()))


def _chosen(spans: Spans, found: Candidates, earned: Codes, kept: Mask) -> Mask:
    """Say which of the kept candidates are pairs; those that hang together are solved as an assignment."""
    places = np.flatnonzero(kept)
    chosen = kept.copy()
    for rows in together(components(spans, where(found, places))):
        chosen[places[rows]] = _best(where(found, places[rows]), earned[places[rows]])
    return chosen


def _best(part: Candidates, earned: Codes) -> Mask:
    """Say which candidates of a component are pairs, given what each earns (candidates,)."""
    from scipy.optimize import linear_sum_assignment

    rows, row = np.unique(part.first, return_inverse=True)
    columns, column = np.unique(part.second, return_inverse=True)
    weights = np.zeros((len(rows), len(columns)))
    weights[row, column] = _weights(part, earned, min(len(rows), len(columns)))
    chosen = np.full(len(rows), -1, dtype=np.int64)
    chosen_rows, chosen_columns = linear_sum_assignment(weights, maximize=True)
    chosen[chosen_rows] = chosen_columns
    best: Mask = chosen[row] == column
    return best


def _weights(part: Candidates, earned: Codes, pairs: int) -> Codes:
    """Return whole numbers: what is earned outweighs all characters, which are left out where many."""
    unit = 1 + pairs * int(part.shared.max(initial=0))
    if (pairs + 1) * (PARTS + 1) * unit >= WHOLE:
        return earned
    return earned * unit + part.shared
