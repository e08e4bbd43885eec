"""Precision, recall and F-measure of spans where pairs of different types earn credit by a distance.

A pair of marks of different types earns 1 - δ, for BDM distances the BDM. Strict counts matches and the
credit of coextensive pairs, lenient adds overlaps and the credit of overlapping pairs, average is their
mean. The denominators are those without credit: all marks of the response (precision), of the key (recall),
of both (F). As a mark is in one pair at most and earns 1 at most, no figure exceeds 1; GATE's lenient one
may, as it counts partial matches in the numerator and not among the response's marks. (Maynard, Peters and
Li 2006; GATE user guide, 10.5.3.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.counts import CreditCounts
from reportgen.measures.estimate import Floats
from reportgen.measures.figures import figures_by_name
from reportgen.measures.retrieval import MODES, retrieval
from reportgen.measures.spans import Means, SpanAgreement, SpanPairAgreement, means_over_pairs
from reportgen.readers import Codes
from reportgen.readers.counted import KINDS
from reportgen.results.marks import CreditedPairs, CreditFigures, SpanCredit


@dataclass(frozen=True, eq=False)
class CreditAgreement:
    """The figures of one layer's spans with credit by one distance, of every two people of its pairs."""

    layer: SpanCredit
    pairs: Mapping[tuple[int, int], CreditFigures]


def analyse_credits(agreement: SpanAgreement, counted: Sequence[CreditCounts]) -> tuple[CreditAgreement, ...]:
    """Return the figures with credit, by each distance that was counted."""
    return tuple(
        CreditAgreement(
            layer=SpanCredit(
                distance=counts.credit.id,
                divisor=counts.credit.divisor,
                mean_over_pairs=_means(agreement, counts),
            ),
            pairs={(pair.first, pair.second): _pair(agreement, counts, pair) for pair in agreement.pairs},
        )
        for counts in counted
    )


def _pair(agreement: SpanAgreement, counts: CreditCounts, pair: SpanPairAgreement) -> CreditFigures:
    own = (counts.first == pair.first) & (counts.second == pair.second)
    earned = np.zeros((len(pair.documents), len(KINDS)), dtype=np.float64)
    document = np.searchsorted(pair.documents, counts.document[own])
    np.add.at(earned, (document, counts.kind[own]), _worth(counts)[own])
    pairs = np.zeros(len(KINDS), dtype=np.int64)
    np.add.at(pairs, counts.kind[own], counts.n[own])
    shares = retrieval(pair.counts, agreement.spans.beta, earned)
    return CreditFigures(
        pairs=_credited(pairs, earned.sum(axis=0)), **{mode: figures_by_name(shares[mode]) for mode in MODES}
    )


def _credited(pairs: Codes, earned: Floats) -> CreditedPairs:
    coextensive, overlap = pairs.tolist()
    earned_coextensive, earned_overlap = earned.tolist()
    return CreditedPairs(
        coextensive=coextensive,
        overlap=overlap,
        earned_coextensive=earned_coextensive,
        earned_overlap=earned_overlap,
    )


def _worth(counts: CreditCounts) -> Floats:
    """Return what the pairs of each row earn together."""
    worth: Floats = counts.n * counts.credit.matrix[counts.first_type, counts.second_type]
    return worth


def _means(agreement: SpanAgreement, counts: CreditCounts) -> Means:
    """Return the mean of each share over the pairs of annotators where it is defined."""
    totals = agreement.totals.among_annotators(agreement.spans)
    people, rows = len(agreement.spans.people), len(totals.first)
    place = np.full(people * people, -1, dtype=np.int64)
    place[totals.first * people + totals.second] = np.arange(rows)
    of = place[counts.first * people + counts.second]
    earned = np.zeros((rows, len(KINDS)), dtype=np.float64)
    np.add.at(earned, (of[of >= 0], counts.kind[of >= 0]), _worth(counts)[of >= 0])
    return means_over_pairs(agreement.spans, totals, earned)
