"""All figures of one layer's spans: for every two people who share a document, and the means over pairs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reportgen.agreement.analysis import MOST_ANNOTATORS, MeanOverPairs
from reportgen.agreement.estimate import Estimate
from reportgen.agreement.spans.retrieval import (
    MODES,
    SHARES,
    Macro,
    Retrieval,
    by_each_document,
    false_positives,
    macro_over_documents,
    macro_over_types,
    ratios,
    retrieval,
)
from reportgen.counts import OUTCOMES, SpanCounts, starts
from reportgen.study import Codes, SpanFrame

ANNOTATOR = "annotator"

Means = Mapping[str, Mapping[str, MeanOverPairs]]
Values = Mapping[str, Mapping[str, list[float | None]]]


@dataclass(frozen=True, eq=False)
class TypeAgreement:
    """One type between two people: the number of each outcome (outcomes,), and every share."""

    counts: Codes
    shares: Retrieval


@dataclass(frozen=True, eq=False)
class SpanPair:
    """What two people made of the documents that both saw; `first` is the key.

    - `documents` (documents,): which these are; `counts` (documents, outcomes): what became of the marks
      there; `values`: the shares in each.
    - `by_type`: types, by their code, that one of the two used.
    - `differs`: how many outcomes GATE's greedy pairing has not.
    """

    first: int
    second: int
    documents: Codes
    counts: Codes
    shares: Retrieval
    false_positives: Estimate
    macro_documents: Mapping[str, Mapping[str, Macro]]
    macro_types: Mapping[str, Mapping[str, Macro]]
    by_type: Mapping[int, TypeAgreement]
    values: Values
    differs: int


@dataclass(frozen=True, eq=False)
class Totals:
    """Outcomes (rows, outcomes) of every two people in every type, as columns; type is -1 for all together.

    `documents` is how many both saw.
    """

    first: Codes
    second: Codes
    type: Codes
    documents: Codes
    counts: Codes


@dataclass(frozen=True, eq=False)
class SpanAgreement:
    """All figures of one layer's spans.

    `pairs` are those that share a document; with more than 50 annotators there are none, and `totals` has
    what is known of each. Means are over pairs of annotators alone.
    """

    spans: SpanFrame
    pairs: tuple[SpanPair, ...]
    totals: Totals
    mean_over_pairs: Means
    mean_by_type: Mapping[int, Means]

    @property
    def crowded(self) -> bool:
        """Say whether there are too many annotators for the figures of each pair."""
        return len(self.spans.annotators) > MOST_ANNOTATORS


def analyse_spans(spans: SpanFrame, counts: SpanCounts) -> SpanAgreement:
    """Return every figure of one layer's spans."""
    totals = _totals(counts)
    crowded = len(spans.annotators) > MOST_ANNOTATORS
    kinds = [] if crowded else list(range(len(spans.types)))
    used = [kind for kind in kinds if (totals.type == kind).any()]
    return SpanAgreement(
        spans=spans,
        pairs=() if crowded else tuple(_pairs(spans, counts)),
        totals=totals,
        mean_over_pairs=_means(spans, totals, -1),
        mean_by_type={kind: _means(spans, totals, kind) for kind in used},
    )


def _pairs(spans: SpanFrame, counts: SpanCounts) -> list[SpanPair]:
    """Return the figures of every two people who share a document."""
    begin = starts(counts.seen_first, counts.seen_second)
    people = len(spans.people)
    key = counts.first * people + counts.second
    found: list[SpanPair] = []
    for start, end in pairwise([*begin.tolist(), len(counts.seen_first)]):
        first, second = int(counts.seen_first[start]), int(counts.seen_second[start])
        rows = slice(*np.searchsorted(key, [first * people + second, first * people + second + 1]).tolist())
        found.append(_pair(spans, counts, (first, second), counts.seen_document[start:end], rows))
    return found


def _pair(
    spans: SpanFrame, counts: SpanCounts, people: tuple[int, int], documents: Codes, rows: slice
) -> SpanPair:
    place = np.searchsorted(documents, counts.document[rows])
    kinds, outcomes, n = counts.type[rows], counts.outcome[rows], counts.n[rows]

    def outcomes_by_document(kind: int | None = None) -> Codes:
        here = slice(None) if kind is None else kinds == kind
        table = np.zeros((len(documents), len(OUTCOMES)), dtype=np.int64)
        np.add.at(table, (place[here], outcomes[here]), n[here])
        return table

    whole = outcomes_by_document()
    by_type = {kind: outcomes_by_document(kind) for kind in np.unique(kinds).tolist()}
    return SpanPair(
        first=people[0],
        second=people[1],
        documents=documents,
        counts=whole,
        shares=retrieval(whole, spans.beta, documents=documents),
        false_positives=false_positives(whole, spans.tokens[documents]),
        macro_documents=macro_over_documents(whole, spans.beta),
        macro_types=macro_over_types(list(by_type.values()), spans.beta, len(spans.types)),
        by_type={
            kind: TypeAgreement(table.sum(axis=0), retrieval(table, spans.beta, documents=documents))
            for kind, table in by_type.items()
        },
        values=by_each_document(whole, spans.beta),
        differs=counts.differs.get(people, 0),
    )


def _totals(counts: SpanCounts) -> Totals:
    """Return the outcomes of every two people, for all types together and for each."""
    begin = starts(counts.seen_first, counts.seen_second)
    documents = np.diff(begin, append=len(counts.seen_first))
    first, second = counts.seen_first[begin], counts.seen_second[begin]
    size = int(second.max(initial=0)) + 1
    pair = np.searchsorted(first * size + second, counts.first * size + counts.second)
    kinds = int(counts.type.max(initial=0)) + 1
    keys, row = np.unique(pair * kinds + counts.type, return_inverse=True)
    whole, each = (np.zeros((rows, len(OUTCOMES)), dtype=np.int64) for rows in (len(first), len(keys)))
    np.add.at(whole, (pair, counts.outcome), counts.n)
    np.add.at(each, (row, counts.outcome), counts.n)
    of = np.concatenate([np.arange(len(first)), keys // kinds])
    return Totals(
        first=first[of],
        second=second[of],
        type=np.concatenate([np.full(len(first), -1), keys % kinds]),
        documents=documents[of],
        counts=np.concatenate([whole, each]),
    )


def _means(spans: SpanFrame, totals: Totals, kind: int) -> Means:
    """Return the mean of each share over the pairs of annotators where it is defined, in one type or all."""
    annotates = np.array([role == ANNOTATOR for role in spans.roles], dtype=np.bool_)
    rows = (totals.type == kind) & annotates[totals.first] & annotates[totals.second]
    counts = totals.counts[rows]
    found = {mode: ratios(counts, mode, spans.beta) for mode in MODES}
    return {
        mode: {name: mean for name in SHARES if (mean := mean_of_known(measures[name].values)) is not None}
        for mode, measures in found.items()
    }


def mean_of_known(values: Sequence[float | None]) -> MeanOverPairs | None:
    """Return the mean of the values that are defined, None where none is."""
    known = [value for value in values if value is not None]
    return MeanOverPairs(math.fsum(known) / len(known), len(known)) if known else None
