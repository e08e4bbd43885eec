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

from reportgen.agreement.estimate import Floats
from reportgen.agreement.spans.analysis import ANNOTATOR, Means, SpanAgreement, SpanPair, mean_of_known
from reportgen.agreement.spans.retrieval import MODES, SHARES, Retrieval, ratios, retrieval
from reportgen.counts import KINDS, CreditCounts
from reportgen.study import Codes


@dataclass(frozen=True, eq=False)
class CreditPair:
    """Two people's marks with credit: pairs of each kind (kinds,), what they earn, and every share."""

    pairs: Codes
    earned: Floats
    shares: Retrieval


@dataclass(frozen=True, eq=False)
class CreditAgreement:
    """The figures of one layer's spans with credit by one distance.

    `pairs` has every two people of the agreement's pairs; `mean_over_pairs` is over annotators alone.
    """

    id: str
    divisor: float
    pairs: Mapping[tuple[int, int], CreditPair]
    mean_over_pairs: Means


def analyse_credits(agreement: SpanAgreement, counted: Sequence[CreditCounts]) -> tuple[CreditAgreement, ...]:
    """Return the figures with credit, by each distance that was counted."""
    return tuple(
        CreditAgreement(
            id=counts.credit.id,
            divisor=counts.credit.divisor,
            pairs={(pair.first, pair.second): _pair(agreement, counts, pair) for pair in agreement.pairs},
            mean_over_pairs=_means(agreement, counts),
        )
        for counts in counted
    )


def _pair(agreement: SpanAgreement, counts: CreditCounts, pair: SpanPair) -> CreditPair:
    own = (counts.first == pair.first) & (counts.second == pair.second)
    earned = np.zeros((len(pair.documents), len(KINDS)), dtype=np.float64)
    np.add.at(
        earned,
        (np.searchsorted(pair.documents, counts.document[own]), counts.kind[own]),
        _worth(counts)[own],
    )
    pairs = np.zeros(len(KINDS), dtype=np.int64)
    np.add.at(pairs, counts.kind[own], counts.n[own])
    shares = retrieval(pair.counts, agreement.spans.beta, earned, pair.documents)
    return CreditPair(pairs, earned.sum(axis=0), shares)


def _worth(counts: CreditCounts) -> Floats:
    """Return what the pairs of each row earn together."""
    worth: Floats = counts.n * counts.credit.matrix[counts.first_type, counts.second_type]
    return worth


def _means(agreement: SpanAgreement, counts: CreditCounts) -> Means:
    """Return the mean of each share over the pairs of annotators where it is defined."""
    spans, totals = agreement.spans, agreement.totals
    annotates = np.array([role == ANNOTATOR for role in spans.roles], dtype=np.bool_)
    rows = (totals.type < 0) & annotates[totals.first] & annotates[totals.second]
    people = len(spans.people)
    place = np.full(people * people, -1, dtype=np.int64)
    place[totals.first[rows] * people + totals.second[rows]] = np.arange(int(rows.sum()))
    of = place[counts.first * people + counts.second]
    earned = np.zeros((int(rows.sum()), len(KINDS)), dtype=np.float64)
    np.add.at(earned, (of[of >= 0], counts.kind[of >= 0]), _worth(counts)[of >= 0])
    found = {mode: ratios(totals.counts[rows], mode, spans.beta, earned) for mode in MODES}
    return {
        mode: {name: mean for name in SHARES if (mean := mean_of_known(measures[name].values)) is not None}
        for mode, measures in found.items()
    }
