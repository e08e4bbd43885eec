"""How near annotators' boundaries in recordings are, within a tolerance: F of boundaries and of stretches.

A boundary is where a stretch begins or ends, once for each moment; the beginning and the end of a recording,
which nobody chose, are none. Two boundaries of two annotators may be a pair where they are no further apart
than the tolerance, each in one pair at most, with as many pairs as there can be: the hit rate of boundaries
of Raffel et al. (2014, section 2, "boundary detection"). F is 2 hits / (boundaries of one + of the other).
Two stretches are a pair where both their ends are near: event-based F with an onset and an offset condition
(Mesaros, Heittola and Virtanen 2016, section 3.2). Sums are over documents and pairs of annotators.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures.analysis import MOST_ANNOTATORS
from reportgen.measures.continua import Continua, continua
from reportgen.measures.distributions import t_quantile, two_sided
from reportgen.measures.estimate import Undefined, figure
from reportgen.measures.retrieval import Ratio
from reportgen.measures.unitizing import of_two
from reportgen.readers import Codes
from reportgen.results import Figure
from reportgen.results.marks import BoundaryAgreement, BoundaryShift
from reportgen.units import Spans
from reportgen.units.coded import ranges, sums_by
from reportgen.units.segmentation import usual_tolerance

# A test of who is early takes so many documents.
LEAST_DOCUMENTS = 6


@dataclass(frozen=True, eq=False)
class PairOfCopies:
    """What two annotators' copies of the recordings have in common, by document.

    - `boundaries`, `stretches`, `labels` (2, documents): twice the pairs, and how much there is of both.
    - `shift` (2, documents): how much later the first's boundaries are than the nearest of the second's,
      summed in milliseconds, and how many they are.
    """

    boundaries: Codes
    stretches: Codes
    labels: Codes
    shift: Codes


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
        shifts=tuple(_shift(spans.people[who], _shifts_of(who, both)) for who in shown),
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
    hits = _pairs(edges, one[0], size)
    amounts = [np.bincount(own[0], minlength=size) for own in (one, other)]
    laid = document * stride + begin
    rows, columns = _near(laid[is_first], laid[~is_first], near)
    ends = np.abs(end[is_first][rows] - end[~is_first][columns]) <= near
    alike = ends & (kind[is_first][rows] == kind[~is_first][columns])
    there = np.bincount(document, minlength=size)
    stretches, labels = (
        _pairs((rows[chosen], columns[chosen]), document[is_first], size) for chosen in (ends, alike)
    )
    return PairOfCopies(
        np.stack([2 * hits, amounts[0] + amounts[1]]),
        np.stack([2 * stretches, there]),
        np.stack([2 * labels, there]),
        _shift_sums(one, other, edges, size),
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


def _pairs(edges: tuple[Codes, Codes], document: Codes, size: int) -> Codes:
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
) -> Codes:
    """Return how much later the first's boundaries are, where each is the other's nearest (2, documents)."""
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
    return sums


def _shifts_of(who: int, both: Mapping[tuple[int, int], PairOfCopies]) -> Codes:
    """Return how much later somebody's boundaries are than those of all others (2, documents)."""
    own = [(1 if pair[0] == who else -1, copies.shift) for pair, copies in both.items() if who in pair]
    summed: Codes = np.sum([shift * np.array([[sign], [1]]) for sign, shift in own], axis=0)
    return summed


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
