"""All figures of one layer's spans: for every two people who share a document, and the means over pairs."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reportgen.counts import FIRST_LONGER, SECOND_LONGER, CaseCounts, CreditCounts, SpanCounts, starts
from reportgen.measures.analysis import MOST_ANNOTATORS, MeanOverPairs
from reportgen.measures.estimate import Estimate, Floats
from reportgen.measures.retrieval import (
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
from reportgen.measures.symmetry import signs_p
from reportgen.readers import Codes
from reportgen.readers.counted import KINDS, OUTCOMES
from reportgen.units import Mask, SpanFrame

ANNOTATOR = "annotator"

Means = Mapping[str, Mapping[str, MeanOverPairs]]
Values = Mapping[str, Mapping[str, list[float | None]]]


@dataclass(frozen=True, eq=False)
class TypeAgreement:
    """One type between two people: the number of each outcome (outcomes,), and every share."""

    counts: Codes
    shares: Retrieval


@dataclass(frozen=True, eq=False)
class SpanPairAgreement:
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
    pairs: tuple[SpanPairAgreement, ...]
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


def _pairs(spans: SpanFrame, counts: SpanCounts) -> list[SpanPairAgreement]:
    """Return the figures of every two people who share a document."""
    begin = starts(counts.seen_first, counts.seen_second)
    people = len(spans.people)
    key = counts.first * people + counts.second
    found: list[SpanPairAgreement] = []
    for start, end in pairwise([*begin.tolist(), len(counts.seen_first)]):
        first, second = int(counts.seen_first[start]), int(counts.seen_second[start])
        rows = slice(*np.searchsorted(key, [first * people + second, first * people + second + 1]).tolist())
        found.append(_pair(spans, counts, (first, second), counts.seen_document[start:end], rows))
    return found


def _pair(
    spans: SpanFrame, counts: SpanCounts, people: tuple[int, int], documents: Codes, rows: slice
) -> SpanPairAgreement:
    place = np.searchsorted(documents, counts.document[rows])
    kinds, outcomes, n = counts.type[rows], counts.outcome[rows], counts.n[rows]

    def outcomes_by_document(kind: int | None = None) -> Codes:
        here = slice(None) if kind is None else kinds == kind
        table = np.zeros((len(documents), len(OUTCOMES)), dtype=np.int64)
        np.add.at(table, (place[here], outcomes[here]), n[here])
        return table

    whole = outcomes_by_document()
    by_type = {kind: outcomes_by_document(kind) for kind in np.unique(kinds).tolist()}
    return SpanPairAgreement(
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


# Precision, recall and F-measure of spans where pairs of different types earn credit by a distance.
#
# A pair of marks of different types earns 1 - δ, for BDM distances the BDM. Strict counts matches and the
# credit of coextensive pairs, lenient adds overlaps and the credit of overlapping pairs, average is their
# mean. The denominators are those without credit: all marks of the response (precision), of the key (recall),
# of both (F). As a mark is in one pair at most and earns 1 at most, no figure exceeds 1; GATE's lenient one
# may, as it counts partial matches in the numerator and not among the response's marks. (Maynard, Peters and
# Li 2006; GATE user guide, 10.5.3.)


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
            pairs={
                (pair.first, pair.second): _credits_pair(agreement, counts, pair) for pair in agreement.pairs
            },
            mean_over_pairs=_credits_means(agreement, counts),
        )
        for counts in counted
    )


def _credits_pair(agreement: SpanAgreement, counts: CreditCounts, pair: SpanPairAgreement) -> CreditPair:
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


def _credits_means(agreement: SpanAgreement, counts: CreditCounts) -> Means:
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


# Who marks longer, and who marks more: each annotator against the others on the same documents, tested.

PAIR = 2
MATCH, OVERLAP, ONLY_FIRST, ONLY_SECOND = range(len(OUTCOMES))


@dataclass(frozen=True)
class MarkingHabit:
    """How somebody's marks of a type, or of all where it is None, compare with those of the others.

    Of pairs of marks of one type that overlap with other ends, theirs is the longer one in `longer` and the
    shorter one in `shorter`; `longer_p` tests that both are as likely. `marks` are theirs, `others` those of
    whom they are compared with, each once for every pair of annotators; `more_p` tests that there are as
    many. Both test the signs of sums over documents: None where nothing differs.
    """

    annotator: int
    type: int | None
    longer: int
    shorter: int
    longer_p: float | None
    marks: int
    others: int
    more_p: float | None


@dataclass(frozen=True, eq=False)
class _Table:
    """Differences between two people as columns, sums by document and type: of lengths or of marks."""

    first: Codes
    second: Codes
    document: Codes
    type: Codes
    of_first: Codes
    of_second: Codes

    def of(self, person: int, annotates: Mask) -> tuple[Codes, Codes, Codes, Codes]:
        """Return documents, types, what is somebody's and what is the other annotators'."""
        rows = annotates[self.first] & annotates[self.second]
        first, second = rows & (self.first == person), rows & (self.second == person)
        joined = [
            np.concatenate([one[first], other[second]])
            for one, other in (
                (self.document, self.document),
                (self.type, self.type),
                (self.of_first, self.of_second),
                (self.of_second, self.of_first),
            )
        ]
        return joined[0], joined[1], joined[2], joined[3]


def habits(spans: SpanFrame, outcomes: SpanCounts, cases: CaseCounts) -> tuple[MarkingHabit, ...]:
    """Return each annotator's habits, by type and of all together; of two annotators only the first one's."""
    annotates = np.array([role == ANNOTATOR for role in spans.roles], dtype=np.bool_)
    people = np.flatnonzero(annotates).tolist()
    if not PAIR <= len(people) <= MOST_ANNOTATORS:
        return ()
    shown = people[:1] if len(people) == PAIR else people
    lengths, marks = _lengths(cases), _marks(outcomes)
    return tuple(
        each
        for person in shown
        for each in _habits_of(person, lengths.of(person, annotates), marks.of(person, annotates))
    )


def _lengths(cases: CaseCounts) -> _Table:
    ones = [np.where(cases.longer == which, cases.n, 0) for which in (FIRST_LONGER, SECOND_LONGER)]
    return _Table(cases.first, cases.second, cases.document, cases.first_type, *ones)


def _marks(outcomes: SpanCounts) -> _Table:
    both = np.isin(outcomes.outcome, (MATCH, OVERLAP))
    ones = [
        np.where(both | (outcomes.outcome == which), outcomes.n, 0) for which in (ONLY_FIRST, ONLY_SECOND)
    ]
    return _Table(outcomes.first, outcomes.second, outcomes.document, outcomes.type, *ones)


def _habits_of(person: int, lengths: Sequence[Codes], marks: Sequence[Codes]) -> Iterator[MarkingHabit]:
    for kind in (None, *np.unique(marks[1]).tolist()):
        longer, shorter, longer_p = _compared(lengths, kind)
        own, others, more_p = _compared(marks, kind)
        yield MarkingHabit(person, kind, longer, shorter, longer_p, own, others, more_p)


def _compared(table: Sequence[Codes], kind: int | None) -> tuple[int, int, float | None]:
    """Return what is somebody's and what the others', with the p value of the difference."""
    document, types, own, others = table
    rows = np.full(len(types), fill_value=True) if kind is None else types == kind
    sums = np.zeros(int(document.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(sums, document[rows], own[rows] - others[rows])
    return int(own[rows].sum()), int(others[rows].sum()), signs_p(sums)
