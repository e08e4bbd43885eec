"""Precision, recall and F-measure of spans: for every two people, by document and type, and means over pairs.

The key is the first of two people, the response the second: precision is a share of the response's marks,
recall one of the key's. (van Rijsbergen 1979, chapter 7; Chinchor 1992; GATE user guide, 10.1.3 and 10.1.4.)
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import ids_with
from reportgen.counts import CreditCounts, SpanCounts, starts, tally
from reportgen.measures.analysis import small_cells, withheld
from reportgen.measures.estimate import (
    LEAST_UNITS,
    ROUNDING,
    Clusters,
    ConfidenceInterval,
    Estimate,
    Floats,
    NoInterval,
    Undefined,
    figure,
    figures_by_name,
    macro_figure,
    no_estimate,
    with_interval,
    without_spread,
)
from reportgen.measures.thresholds import MOST_ANNOTATORS
from reportgen.readers import Codes
from reportgen.readers.counted import KINDS, OUTCOMES
from reportgen.results import Figure, Mean
from reportgen.results.marks import (
    CreditedPairs,
    CreditFigures,
    MacroFigure,
    MarkDisagreements,
    Outcomes,
    SpanCredit,
    SpanDocument,
    SpanFigures,
    SpanLayer,
    SpanMeans,
    SpanPair,
    SpanResults,
    Unitizing,
)
from reportgen.results.model import csv_text
from reportgen.results.parts import Withheld
from reportgen.units import Mask, SpanFrame
from reportgen.units.labels import nothing, quotient, sums_by

# What a partial match counts, in halves of a match.
HALVES = {"strict": 0, "lenient": 2, "average": 1}
MODES = tuple(HALVES)
MARK_FIGURES = ids_with(lambda measure: measure.modes)
PER = 1000

Counted = npt.NDArray[np.integer[Any]] | npt.NDArray[np.floating[Any]]
Retrieval = Mapping[str, Mapping[str, Estimate]]
Result = TypeVar("Result")
ByMode = dict[str, dict[str, Result]]


@dataclass(frozen=True, eq=False)
class Ratio:
    """A figure as a ratio of sums over documents: what it counts, and out of what (documents,).

    `units` is the number of marks or tokens that it is about, of so many `people`, `missed` how much there is
    that keeps it from being perfect, `reason` why it is undefined where there is nothing to count.
    `documents` (documents,) are the documents' codes, None where nobody asks which they are.
    """

    numerator: Floats
    denominator: Floats
    units: int
    missed: int
    reason: Undefined
    documents: Codes | None = None
    people: int = 1

    def unless_few(self, estimate: Estimate, pairs: int = 1) -> Estimate:
        """Return an estimate without its interval where each of the people of so many pairs has few marks."""
        few = self.units < LEAST_UNITS * self.people * pairs
        has_interval = isinstance(estimate.interval, ConfidenceInterval)
        return (
            replace(estimate, standard_error=None, interval=NoInterval.RARE)
            if few and has_interval
            else estimate
        )

    @property
    def value(self) -> float | None:
        """Return the ratio of the sums, None where it is undefined."""
        total = float(self.denominator.sum())
        return float(self.numerator.sum()) / total if total > 0 else None

    @property
    def values(self) -> list[float | None]:
        """Return the ratio of each document, None where it is undefined."""
        quotients = quotient(self.numerator, self.denominator, np.nan)
        return [None if math.isnan(value) else value for value in quotients.tolist()]

    def influence(self) -> Floats:
        """Return how much each document moves a defined ratio (documents,), all together by nothing."""
        value = self.value or 0.0
        return (self.numerator - value * self.denominator) / float(self.denominator.sum())

    def estimate(self, high: float = 1.0) -> Estimate:
        """Return the ratio with its interval; what is drawn are documents with something to count."""
        value = self.value
        if value is None:
            return no_estimate(self.reason, 0)
        counted = self.denominator > 0
        codes = np.arange(len(counted)) if self.documents is None else self.documents
        documents = codes[counted], self.denominator[counted]
        estimate = with_document_interval(
            Estimate(value, self.units),
            self.influence()[counted],
            self.missed,
            high,
            documents,
        )
        estimate = self.unless_few(estimate)
        return without_spread(estimate) if self.documents is None else estimate


def with_document_interval(
    estimate: Estimate,
    influence: Floats,
    missed: int,
    high: float = 1.0,
    documents: tuple[Codes, Floats] | None = None,
) -> Estimate:
    """Return an estimate with its interval, given how much each document moves it (documents,).

    `documents` are their codes, and what each adds to what the figure is divided by; without them nothing is
    said of its spread.
    """
    size = len(influence)
    clusters = Clusters.of_documents(size)
    weight = None if documents is None else documents[1] * size / float(documents[1].sum())
    with_ends = with_interval(
        estimate, influence * size, clusters, (0.0, high), disagreements=missed, weight=weight
    )
    if documents is None or with_ends.spread is None:
        return without_spread(with_ends)
    named = replace(clusters, document=documents[0])
    return replace(with_ends, spread=replace(with_ends.spread, clusters=named))


def ratios(
    counts: Codes,
    mode: str,
    beta: float,
    earned: Floats | None = None,
    documents: Codes | None = None,
) -> dict[str, Ratio]:
    """Return precision, recall, F-measure and error rate as ratios.

    `counts` (documents, outcomes) has the numbers of matches, overlaps and marks of either alone. Halves of
    matches are counted, so that all but beta is whole numbers. `earned` (documents, kinds) adds the credit of
    coextensive and of overlapping pairs of different types, which count as matches and overlaps do.
    `documents` (documents,) are the codes of the documents.
    """
    match, overlap, only_first, only_second = (counts[:, outcome] for outcome in range(len(OUTCOMES)))
    right: Counted = 2 * match + HALVES[mode] * overlap
    if earned is not None:
        right = right + 2 * earned[:, 0] + HALVES[mode] * earned[:, 1]
    key, response = 2 * (match + overlap + only_first), 2 * (match + overlap + only_second)
    found = _FoundMarks(right, key, response, beta * beta)
    return {name: replace(getattr(found, name)(), documents=documents) for name in MARK_FIGURES}


@dataclass(frozen=True, eq=False)
class _FoundMarks:
    """Marks by document, in halves: those that are right, of the key, and of the response; and β²."""

    right: Counted
    key: Counted
    response: Counted
    square: float

    def precision(self) -> Ratio:
        """Return which share of the response is right."""
        return self._of_response(self.right)

    def error_rate(self) -> Ratio:
        """Return which share of the response is not."""
        return self._of_response(self.response - self.right)

    def recall(self) -> Ratio:
        """Return which share of the key was found."""
        missing = _missed(self.key, self.right)
        return _ratio(self.right, self.key, _marks(self.key), missing, Undefined.NO_KEY_MARKS)

    def f_measure(self) -> Ratio:
        """Return (1 + β²) right / (β² key + response): undefined where both are empty, 0 where one is."""
        found = _ratio(
            (1 + self.square) * self.right,
            self.square * self.key + self.response,
            _marks(self.key) + _marks(self.response),
            _missed(self.response, self.right) + _missed(self.key, self.right),
            Undefined.NO_MARKS,
        )
        return replace(found, people=2)

    def _of_response(self, marks: Counted) -> Ratio:
        spurious = _missed(self.response, self.right)
        return _ratio(marks, self.response, _marks(self.response), spurious, Undefined.NO_RESPONSE_MARKS)


def _marks(halves: Counted) -> int:
    return int(halves.sum()) // 2


def _missed(counted: Counted, right: Counted) -> int:
    """Return how much is not right, rounded up: what is 0 is perfect."""
    return math.ceil(float((counted - right).sum()) - ROUNDING)


def _ratio(numerator: Counted, denominator: Counted, units: int, missed: int, reason: Undefined) -> Ratio:
    return Ratio(numerator.astype(np.float64), denominator.astype(np.float64), units, missed, reason)


def retrieval(
    counts: Codes, beta: float, earned: Floats | None = None, documents: Codes | None = None
) -> ByMode[Estimate]:
    """Return every share of outcomes (documents, outcomes), by mode and measure, as `ratios` has them."""
    return _of_each_share(lambda mode: ratios(counts, mode, beta, earned, documents), Ratio.estimate)


def _of_each_share(
    of_mode: Callable[[str], Mapping[str, Ratio]], compute: Callable[[Ratio], Result]
) -> ByMode[Result]:
    return {mode: {name: compute(ratio) for name, ratio in of_mode(mode).items()} for mode in MODES}


def by_each_document(counts: Codes, beta: float) -> ByMode[list[float | None]]:
    """Return the shares of each document, by mode and measure."""
    return _of_each_share(lambda mode: ratios(counts, mode, beta), lambda ratio: ratio.values)


def false_positives(counts: Codes, tokens: Codes) -> Estimate:
    """Return how many of the response's marks are alone, for each 1,000 tokens (documents,) of the texts.

    GATE user guide, equation 10.8, with tokens as the constant.
    """
    alone = counts[:, OUTCOMES.index("only_second")]
    ratio = _ratio(PER * alone, tokens, int(tokens.sum()), int(alone.sum()), Undefined.NO_TOKENS)
    return ratio.estimate(high=math.inf)


def macro_over_documents(counts: Codes, beta: float) -> ByMode[MacroFigure]:
    """Return the mean of each share over the documents where it is defined."""
    return _of_each_share(lambda mode: ratios(counts, mode, beta), _mean)


def _mean(ratio: Ratio) -> MacroFigure:
    values = ratio.values
    defined = np.array([value for value in values if value is not None])
    influence = defined - math.fsum(defined.tolist()) / max(len(defined), 1)
    return _macro(defined, influence / max(len(defined), 1), ratio.missed, ratio.reason, len(values))


def _macro(values: Floats, influence: Floats, missed: int, reason: Undefined, every: int) -> MacroFigure:
    """Return the mean of the known values out of `every` one; `influence` (documents,) moves it."""
    size = len(values)
    if size == 0:
        return macro_figure(no_estimate(reason, 0), every)
    mean = Estimate(math.fsum(values.tolist()) / size, size)
    return macro_figure(with_document_interval(mean, influence, missed), every - size)


def macro_over_types(by_type: Sequence[Codes], beta: float, types: int) -> ByMode[MacroFigure]:
    """Return the mean of each share over the types where it is defined.

    `by_type` has the outcomes (documents, outcomes) of each type that one of the two used, out of `types`.
    """
    nothing = np.zeros((1, len(OUTCOMES)), dtype=np.int64)
    reasons = {name: ratio.reason for name, ratio in ratios(nothing, "strict", beta).items()}
    of_types = {mode: [ratios(counts, mode, beta) for counts in by_type] for mode in MODES}
    return {
        mode: {
            name: _of_types([shares[name] for shares in of], reasons[name], types) for name in MARK_FIGURES
        }
        for mode, of in of_types.items()
    }


def _of_types(of_types: Sequence[Ratio], reason: Undefined, types: int) -> MacroFigure:
    defined = [ratio for ratio in of_types if ratio.value is not None]
    values = np.array([ratio.value for ratio in defined], dtype=np.float64)
    influence = sum((ratio.influence() for ratio in defined), start=np.zeros(1)) / max(len(defined), 1)
    counted = np.logical_or.reduce([ratio.denominator > 0 for ratio in defined]) if defined else [False]
    missed = sum(ratio.missed for ratio in defined)
    return _macro(values, influence[counted], missed, reason, types)


# Outcomes of spans pair by pair, and the mean of a share over pairs with what each document moves it by.

F = "f_measure"


@dataclass(frozen=True, eq=False)
class MarkCells:
    """What became of the marks of some pairs of people, a row for each of their documents and types.

    - `first`, `second`, `document`, `type` (rows,), sorted in this order; the first of two people is the key.
    - `counts` (rows, outcomes).
    - `seen_first`, `seen_second`, `seen_document` (documents,): which document both saw, marked or not.
    """

    first: Codes
    second: Codes
    document: Codes
    type: Codes
    counts: Codes
    seen_first: Codes
    seen_second: Codes
    seen_document: Codes

    def only(self, rows: Mask, seen_rows: Mask) -> "MarkCells":
        """Return some of the rows, and of the documents seen."""
        own = (self.first, self.second, self.document, self.type, self.counts)
        of_seen = (self.seen_first, self.seen_second, self.seen_document)
        return MarkCells(*(column[rows] for column in own), *(column[seen_rows] for column in of_seen))

    def in_documents(self, chosen: Mask) -> "MarkCells":
        """Return what is in some documents; `chosen` (documents of the study,) says which."""
        return self.only(chosen[self.document], chosen[self.seen_document])

    def of_pair(self, first: int, second: int) -> "MarkCells":
        """Return what is of two people."""
        rows: Mask = (self.first == first) & (self.second == second)
        seen_rows: Mask = (self.seen_first == first) & (self.seen_second == second)
        return self.only(rows, seen_rows)

    def among(self, people: Mask) -> "MarkCells":
        """Return what is of two of some people; `people` (people,) says who."""
        seen_rows: Mask = people[self.seen_first] & people[self.seen_second]
        return self.only(people[self.first] & people[self.second], seen_rows)

    def of_type(self, kind: int) -> "MarkCells":
        """Return what is of one type; documents seen stay."""
        rows: Mask = self.type == kind
        return self.only(rows, np.ones(len(self.seen_first), dtype=np.bool_))

    @property
    def documents(self) -> Codes:
        """Return the documents that two people saw, each once."""
        return np.unique(self.seen_document)

    def marks_of_each(self) -> Codes:
        """Return how many marks each person made, of each type and in each document that two saw.

        Whoever the person is compared with, the numbers are the same.
        """
        match, overlap, *alone = (self.counts[:, outcome] for outcome in range(len(OUTCOMES)))
        marks = np.concatenate([match + overlap + only_own for only_own in alone])
        document, kind = (np.tile(column, 2) for column in (self.document, self.type))
        rows, position = _distinct([np.concatenate([self.first, self.second]), document, kind])
        counts = np.zeros(len(rows[0]), dtype=np.int64)
        counts[position] = marks
        return counts

    @cached_property
    def all_types(self) -> "MarkCells":
        """Return the same without types: a row for each document of a pair (type -1)."""
        (first, second, document), position = _distinct([self.first, self.second, self.document])
        counts = sums_by(position, self.counts, (len(first), len(OUTCOMES)))
        seen_columns = (self.seen_first, self.seen_second, self.seen_document)
        return MarkCells(first, second, document, np.full_like(first, -1), counts, *seen_columns)


def _distinct(columns: list[Codes]) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of some columns, sorted, and the place of each row among them."""
    rows, _ = tally(columns, np.ones_like(columns[0]))
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    keys, own = (np.ravel_multi_index(tuple(key_columns), sizes) for key_columns in (rows, columns))
    return rows, np.searchsorted(keys, own).astype(np.int64)


def mark_cells(counts: SpanCounts) -> MarkCells:
    """Return the counts of one layer's spans as rows of outcomes."""
    columns = [counts.first, counts.second, counts.document, counts.type]
    rows, position = _distinct(columns)
    table = sums_by((position, counts.outcome), counts.n, (len(rows[0]), len(OUTCOMES)))
    first, second, document, kind = rows
    seen_columns = (counts.seen_first, counts.seen_second, counts.seen_document)
    return MarkCells(first, second, document, kind, table, *seen_columns)


def pair_ratios(cells: MarkCells, mode: str, beta: float) -> dict[str, Ratio]:
    """Return the shares of two people, of whom `cells` are, as ratios over their documents."""
    all_types = cells.all_types
    return ratios(all_types.counts, mode, beta, documents=all_types.document)


def mean_over_pairs(cells: MarkCells, mode: str, beta: float) -> Estimate:
    """Return the mean of F over the pairs for which it is defined; each document counts once.

    What a document moves the F of each pair by is added up before it is squared, so that people who share
    documents are not taken for independent.
    """
    if not len(cells.seen_first):
        return no_estimate(Undefined.NO_PAIR, 0)
    all_types = cells.all_types
    _, pair = _distinct([all_types.first, all_types.second])
    return mean_of_ratios(pair_ratios(cells, mode, beta)[F], pair)


def mean_of_ratios(ratio: Ratio, pair: Codes) -> Estimate:
    """Return the mean of a ratio over pairs of people; `pair` (rows,) says whose each of its documents is."""
    documents = nothing() if ratio.documents is None else ratio.documents
    above, below = (_sums(pair, counted) for counted in (ratio.numerator, ratio.denominator))
    defined = below > 0
    if not defined.any():
        return no_estimate(Undefined.NO_PAIR_DEFINED, 0)
    value = quotient(above, below, 0.0)
    # F = a / b of a pair is moved by (∂a - F · ∂b) / b in each document.
    moved = (ratio.numerator - value[pair] * ratio.denominator) / np.where(defined, below, 1.0)[pair]
    influence = _sums(documents, moved) / int(defined.sum())
    shares = ratio.denominator / np.where(defined, below, 1.0)[pair]
    divisor = _sums(documents, shares)
    counted = np.flatnonzero(divisor > 0)
    mean = Estimate(math.fsum(value[defined].tolist()) / int(defined.sum()), len(counted))
    estimate = with_document_interval(
        mean, influence[counted], ratio.missed, documents=(counted, divisor[counted])
    )
    return ratio.unless_few(estimate, int(defined.sum()))


def _sums(code: Codes, values: npt.NDArray[np.floating[Any]]) -> Floats:
    return np.bincount(code, weights=values).astype(np.float64)


ANNOTATOR = "annotator"

Means = Mapping[str, Mapping[str, Mean]]
# The columns of counts: what became of marks, and which documents two people saw.
COUNTED = ("first", "second", "document", "type", "outcome", "n")
SEEN = ("seen_first", "seen_second", "seen_document", "tokens")


@dataclass(frozen=True, eq=False)
class SpanPairAgreement:
    """What two people made of the documents that both saw; `first` is the key.

    - `documents` (documents,): which these are; `counts` (documents, outcomes): what became of the marks.
    - `shares`: the figures of all documents, with how much each document moves them.
    - `figures`: everything that results have, but for single documents and credit.
    """

    first: int
    second: int
    documents: Codes
    counts: Codes
    shares: Retrieval
    figures: SpanPair


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

    def where(self, rows: Mask) -> "Totals":
        """Return some of the rows."""
        return Totals(*(column[rows] for column in vars(self).values()))

    def among_annotators(self, spans: SpanFrame, kind: int = -1) -> "Totals":
        """Return the rows of every two annotators in one type, or in all together."""
        return self.where((self.type == kind) & spans.both_annotate(self.first, self.second))


@dataclass(frozen=True, eq=False)
class SpanAgreement:
    """All figures of one layer's spans.

    `pairs` are those that share a document; with more than 50 annotators there are none, and `totals` has
    what is known of each. Means are over pairs of annotators alone.
    """

    spans: SpanFrame
    pairs: tuple[SpanPairAgreement, ...]
    totals: Totals
    means: SpanMeans

    @property
    def crowded(self) -> bool:
        """Say whether there are too many annotators for the figures of each pair."""
        return len(self.spans.annotators) > MOST_ANNOTATORS


def analyse_spans(spans: SpanFrame, counts: SpanCounts) -> SpanAgreement:
    """Return every figure of one layer's spans."""
    totals = _totals(spans, counts)
    crowded = len(spans.annotators) > MOST_ANNOTATORS
    used = [] if crowded else [kind for kind in range(len(spans.types)) if (totals.type == kind).any()]
    return SpanAgreement(
        spans=spans,
        pairs=() if crowded else tuple(_pairs(spans, counts)),
        totals=totals,
        means=SpanMeans(
            overall=means_over_pairs(spans, totals.among_annotators(spans)),
            by_type={
                spans.types[kind]: means_over_pairs(spans, totals.among_annotators(spans, kind))
                for kind in used
            },
            f_measure=_mean_f(spans, counts),
            all_way=_all_way(spans, totals) or None,
        ),
    )


def _all_way(spans: SpanFrame, totals: Totals) -> dict[str, Means]:
    """Return by reference the means of annotators' figures against it, where it has two annotators at least.

    This is what GATE's plugin for inter-annotator agreement calls the all-way F-measure: each annotator is
    the response to one reference, all documents together, and precision, recall and F are averaged over
    annotators (gate.util.IaaCalculation.allwayIaaFmeasure).
    """
    found: dict[str, Means] = {}
    for code, name in enumerate(spans.people):
        rows = (totals.type < 0) & (totals.first == code) & spans.annotates[totals.second]
        if spans.roles[code] == "reference" and rows.sum() > 1:
            means = means_over_pairs(spans, totals.where(rows))
            if means["strict"]:
                found[name] = means
    return found


def _mean_f(spans: SpanFrame, counts: SpanCounts) -> dict[str, Figure]:
    """Return the mean of F over the pairs of annotators, by mode."""
    rows = spans.both_annotate(counts.first, counts.second)
    seen = spans.both_annotate(counts.seen_first, counts.seen_second)
    own = replace(
        counts,
        **{name: getattr(counts, name)[rows] for name in COUNTED},
        **{name: getattr(counts, name)[seen] for name in SEEN},
    )
    cells = mark_cells(own)
    return {mode: figure(mean_over_pairs(cells, mode, spans.beta)) for mode in MODES}


def _pairs(spans: SpanFrame, counts: SpanCounts) -> list[SpanPairAgreement]:
    """Return the figures of every two people who share a document."""
    begin = starts(counts.seen_first, counts.seen_second)
    people = len(spans.people)
    key = counts.first * people + counts.second
    agreements: list[SpanPairAgreement] = []
    for start, end in pairwise([*begin.tolist(), len(counts.seen_first)]):
        first, second = int(counts.seen_first[start]), int(counts.seen_second[start])
        rows = slice(*np.searchsorted(key, [first * people + second, first * people + second + 1]).tolist())
        agreements.append(_pair(spans, counts, (first, second), counts.seen_document[start:end], rows))
    return agreements


def _pair(
    spans: SpanFrame, counts: SpanCounts, people: tuple[int, int], documents: Codes, rows: slice
) -> SpanPairAgreement:
    position = np.searchsorted(documents, counts.document[rows])
    kinds, outcomes, n = counts.type[rows], counts.outcome[rows], counts.n[rows]

    def outcomes_by_document(kind: int | None = None) -> Codes:
        here = slice(None) if kind is None else kinds == kind
        return sums_by((position[here], outcomes[here]), n[here], (len(documents), len(OUTCOMES)))

    all_types = outcomes_by_document()
    by_type = {kind: outcomes_by_document(kind) for kind in np.unique(kinds).tolist()}
    shares = retrieval(all_types, spans.beta, documents=documents)
    figures = SpanPair(
        **dict(_figures(all_types, shares)),
        layer=spans.layer,
        annotators=(spans.people[people[0]], spans.people[people[1]]),
        roles=(spans.roles[people[0]], spans.roles[people[1]]),
        independent=False if spans.made_from(*people) else None,
        documents=len(documents),
        false_positives=figure(false_positives(all_types, spans.tokens[documents])),
        macro_documents=macro_over_documents(all_types, spans.beta),
        macro_types=macro_over_types(list(by_type.values()), spans.beta, len(spans.types)),
        by_type={
            spans.types[kind]: _figures(table, retrieval(table, spans.beta))
            for kind, table in by_type.items()
        },
        differs_from_greedy=counts.differs.get(people, 0),
    )
    return SpanPairAgreement(*people, documents, all_types, shares, figures)


def _figures(counts: Codes, shares: Retrieval) -> SpanFigures:
    """Return outcomes (documents, outcomes) summed, and their shares."""
    modes = {mode: figures_by_name(shares[mode]) for mode in MODES}
    return SpanFigures(counts=outcomes_of(counts.sum(axis=0)), **modes)


def outcomes_of(counts: Codes) -> Outcomes:
    """Return how often each outcome occurs (outcomes,)."""
    return Outcomes(**dict(zip(OUTCOMES, counts.tolist(), strict=True)))


def _totals(spans: SpanFrame, counts: SpanCounts) -> Totals:
    """Return the outcomes of every two people, for all types together and for each."""
    begin = starts(counts.seen_first, counts.seen_second)
    documents = np.diff(begin, append=len(counts.seen_first))
    first, second = counts.seen_first[begin], counts.seen_second[begin]
    people, kinds = len(spans.people), len(spans.types)
    pair = np.searchsorted(first * people + second, counts.first * people + counts.second)
    keys, row = np.unique(pair * kinds + counts.type, return_inverse=True)
    all_types, of_each_type = (
        sums_by((rows, counts.outcome), counts.n, (size, len(OUTCOMES)))
        for rows, size in ((pair, len(first)), (row, len(keys)))
    )
    of = np.concatenate([np.arange(len(first)), keys // kinds])
    return Totals(
        first=first[of],
        second=second[of],
        type=np.concatenate([np.full(len(first), -1), keys % kinds]),
        documents=documents[of],
        counts=np.concatenate([all_types, of_each_type]),
    )


def means_over_pairs(spans: SpanFrame, totals: Totals, earned: Floats | None = None) -> Means:
    """Return the mean of each share over the pairs (rows,) where it is defined.

    `earned` (rows, kinds) is the credit of each pair.
    """
    shares = {mode: ratios(totals.counts, mode, spans.beta, earned) for mode in MODES}
    return {
        mode: {
            name: mean for name in MARK_FIGURES if (mean := _mean_of_known(measures[name].values)) is not None
        }
        for mode, measures in shares.items()
    }


def _mean_of_known(values: Sequence[float | None]) -> Mean | None:
    """Return the mean of the values that are defined, None where none is."""
    defined = [value for value in values if value is not None]
    return Mean(value=math.fsum(defined) / len(defined), pairs=len(defined)) if defined else None


# Precision, recall and F-measure of spans where pairs of different types earn credit by a distance.
#
# A pair of marks of different types earns 1 - δ, for BDM distances the BDM. Strict counts matches and the
# credit of coextensive pairs, lenient adds overlaps and the credit of overlapping pairs, average is their
# mean. The denominators are those without credit: all marks of the response (precision), of the key (recall),
# of both (F). As a mark is in one pair at most and earns 1 at most, no figure exceeds 1; GATE's lenient one
# may, as it counts partial matches in the numerator and not among the response's marks. (Maynard, Peters and
# Li 2006; GATE user guide, 10.5.3.)


# What results have of pairs that earn credit: how many there are of each kind, and what those earn.
OF_PAIRS = ("coextensive", "overlap", "earned_coextensive", "earned_overlap")


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
            pairs={
                (pair.first, pair.second): _credit_pair(agreement, counts, pair) for pair in agreement.pairs
            },
        )
        for counts in counted
    )


def _credit_pair(agreement: SpanAgreement, counts: CreditCounts, pair: SpanPairAgreement) -> CreditFigures:
    own = (counts.first == pair.first) & (counts.second == pair.second)
    earned = np.zeros((len(pair.documents), len(KINDS)), dtype=np.float64)
    document = np.searchsorted(pair.documents, counts.document[own])
    np.add.at(earned, (document, counts.kind[own]), _earned(counts)[own])
    pairs = sums_by(counts.kind[own], counts.n[own], len(KINDS))
    shares = retrieval(pair.counts, agreement.spans.beta, earned)
    of_kinds = (*pairs.tolist(), *earned.sum(axis=0).tolist())
    return CreditFigures(
        pairs=CreditedPairs(**dict(zip(OF_PAIRS, of_kinds, strict=True))),
        **{mode: figures_by_name(shares[mode]) for mode in MODES},
    )


def _earned(counts: CreditCounts) -> Floats:
    """Return what the pairs of each row earn together."""
    return counts.n * counts.credit.matrix[counts.first_type, counts.second_type]


def _means(agreement: SpanAgreement, counts: CreditCounts) -> Means:
    """Return the mean of each share over the pairs of annotators where it is defined."""
    totals = agreement.totals.among_annotators(agreement.spans)
    people, rows = len(agreement.spans.people), len(totals.first)
    row_of = np.full(people * people, -1, dtype=np.int64)
    row_of[totals.first * people + totals.second] = np.arange(rows)
    of = row_of[counts.first * people + counts.second]
    earned = sums_by((of[of >= 0], counts.kind[of >= 0]), _earned(counts)[of >= 0], (rows, len(KINDS)))
    return means_over_pairs(agreement.spans, totals, earned)


# Figures of marks in texts as results have them, and the tables that are too large for results.

# With more documents than these, each pair's counted, results.json leaves them to the table.
MOST_DOCUMENTS = 5000
# The figures of a row in the tables that are written here.
SHOWN = tuple((mode, name) for mode in MODES for name in MARK_FIGURES)


def span_results(
    agreements: Sequence[SpanAgreement],
    credited: Sequence[Sequence[CreditAgreement]],
    disagreements: Sequence[MarkDisagreements] = (),
    unitizing: Sequence[Unitizing] = (),
    smallest: int = 1,
) -> SpanResults | None:
    """Return the figures of all layers; None where no export has marks in texts.

    `credited` has the figures with credit of each agreement. Where a person made fewer than `smallest` marks
    of a type, it is withheld in tables of that person.
    """
    if not agreements:
        return None
    with_documents = _documents(agreements) <= MOST_DOCUMENTS
    layers = list(zip(agreements, credited, strict=True))
    return SpanResults(
        layers=tuple(_layer(agreement, own) for agreement, own in layers),
        pairs=tuple(
            _result_pair(agreement, pair, own, with_documents=with_documents).model_copy(
                update={"withheld": joined}
            )
            for agreement, own in layers
            for pair, joined in zip(agreement.pairs, _withheld(agreement, smallest), strict=True)
        ),
        mean_over_pairs={agreement.spans.layer: agreement.means for agreement in agreements},
        disagreements=tuple(disagreements) or None,
        unitizing=tuple(unitizing),
    )


def _withheld(agreement: SpanAgreement, smallest: int) -> Iterator[Withheld | None]:
    """Yield for each pair which types its tables leave out; of who is no annotator nothing is withheld."""
    spans = agreement.spans
    tables = [_uses_of_types(spans.types, pair.figures) for pair in agreement.pairs]
    most = np.zeros((len(spans.people), len(spans.types)), dtype=np.int64)
    for pair, two in zip(agreement.pairs, tables, strict=True):
        people = [pair.first, pair.second]
        most[people] = np.maximum(most[people], two)
    hidden = small_cells(most * spans.annotates[:, np.newaxis], smallest)
    for pair, two in zip(agreement.pairs, tables, strict=True):
        people = [pair.first, pair.second]
        shown = two * spans.annotates[people][:, np.newaxis]
        yield withheld(shown, hidden[people], spans.types, smallest)


def _uses_of_types(types: Sequence[str], figures: SpanPair) -> Codes:
    """Return how many marks of each type either of two people made (2, types)."""
    uses = np.zeros((2, len(types)), dtype=np.int64)
    for name, own in figures.by_type.items():
        both = own.counts.match + own.counts.overlap
        uses[:, types.index(name)] = both + own.counts.only_first, both + own.counts.only_second
    return uses


def _documents(agreements: Iterable[SpanAgreement]) -> int:
    return sum(len(pair.documents) for agreement in agreements for pair in agreement.pairs)


def _layer(agreement: SpanAgreement, credited: Sequence[CreditAgreement]) -> SpanLayer:
    spans = agreement.spans
    return SpanLayer(
        layer=spans.layer,
        beta=spans.beta,
        features=spans.features,
        feature_match=spans.feature_match,
        spellings=spans.spellings,
        doubled=spans.doubled,
        types=spans.types,
        pairs=int((agreement.totals.type < 0).sum()),
        crowded=agreement.crowded,
        credits=tuple(credit.layer for credit in credited) or None,
    )


def _result_pair(
    agreement: SpanAgreement,
    pair: SpanPairAgreement,
    credited: Sequence[CreditAgreement],
    *,
    with_documents: bool,
) -> SpanPair:
    """Return the figures of two people; `with_documents` says whether those of each document go with them."""
    own = {credit.layer.distance: credit.pairs[pair.first, pair.second] for credit in credited}
    by_document = _by_document(agreement.spans, pair) if with_documents else None
    return pair.figures.model_copy(update={"by_document": by_document, "credits": own or None})


def _by_document(spans: SpanFrame, pair: SpanPairAgreement) -> dict[str, SpanDocument]:
    values = by_each_document(pair.counts, spans.beta)
    return {
        spans.documents[document]: SpanDocument(
            counts=outcomes_of(pair.counts[row]),
            **{mode: {name: values[mode][name][row] for name in MARK_FIGURES} for mode in MODES},
        )
        for row, document in enumerate(pair.documents.tolist())
    }


def span_tables(agreements: Sequence[SpanAgreement], smallest: int) -> dict[str, str]:
    """Return the tables that results.json has only in part: of many annotators, of many documents."""
    tables: dict[str, str] = {}
    figures = (*OUTCOMES, *(f"{name}[{mode}]" for mode, name in SHOWN))
    if any(agreement.crowded for agreement in agreements):
        head = ("layer", "first", "second", "type", "documents", *figures)
        rows = (row for agreement in agreements for row in _total_rows(agreement, smallest))
        tables["tables/spans.csv"] = csv_text(head, rows)
    if _documents(agreements) > MOST_DOCUMENTS:
        head = ("layer", "first", "second", "document", *figures)
        pairs = ((agreement.spans, pair) for agreement in agreements for pair in agreement.pairs)
        rows = (row for pair in pairs for row in _documents_of(*pair))
        tables["tables/spans-by-document.csv"] = csv_text(head, rows)
    return tables


def by_document_and_type(
    agreements: Sequence[SpanAgreement], counted: Sequence[SpanCounts], smallest: int
) -> str | None:
    """Return precision, recall and F of each type in each document, a row each; None where there are none.

    `counted` has the counts of each layer. Of annotators cells that are smaller than `smallest` are
    withheld, and most of these cells are small: with it there are those of systems and references alone.
    """
    head = ("layer", "first", "second", "document", "type", *OUTCOMES)
    figures = tuple(f"{name}[{mode}]" for mode, name in SHOWN)
    rows = [
        row
        for agreement, counts in zip(agreements, counted, strict=True)
        if not agreement.crowded and len(np.unique(counts.type)) > 1
        for row in _rows_by_document_and_type(agreement.spans, counts, smallest)
    ]
    return csv_text((*head, *figures), rows) if rows else None


def _rows_by_document_and_type(
    spans: SpanFrame, counts: SpanCounts, smallest: int
) -> Iterator[Sequence[object]]:
    hidden = spans.annotates & (smallest > 1)
    shown = ~hidden[counts.first] & ~hidden[counts.second]
    columns = [getattr(counts, name)[shown] for name in ("first", "second", "document", "type")]
    if not len(columns[0]):
        return
    keys, row = np.unique(np.stack(columns), axis=1, return_inverse=True)
    table = sums_by((row.reshape(-1), counts.outcome[shown]), counts.n[shown], (keys.shape[1], len(OUTCOMES)))
    values = by_each_document(table, spans.beta)
    for number, (first, second, document, kind) in enumerate(keys.T.tolist()):
        who = spans.layer, spans.people[first], spans.people[second]
        own = (*who, spans.documents[document], spans.types[kind])
        yield (*own, *table[number].tolist(), *_shown(values, number))


def _total_rows(agreement: SpanAgreement, smallest: int) -> Iterator[Sequence[object]]:
    """Yield a row for every two people, and each of their types where neither made few marks of any type."""
    spans, totals = agreement.spans, agreement.totals
    values = by_each_document(totals.counts, spans.beta)
    match, overlap, *alone = totals.counts.T
    uses = np.stack([match + overlap + only for only in alone])
    few = ((uses > 0) & (uses < smallest)).any(axis=0) & (totals.type >= 0)
    pair = totals.first * len(spans.people) + totals.second
    order = np.lexsort((totals.type, totals.second, totals.first))
    for row in order[(totals.type < 0)[order] | ~np.isin(pair, pair[few])[order]].tolist():
        kind = int(totals.type[row])
        names = spans.people[int(totals.first[row])], spans.people[int(totals.second[row])]
        own = (spans.layer, *names, "" if kind < 0 else spans.types[kind], int(totals.documents[row]))
        yield (*own, *totals.counts[row].tolist(), *_shown(values, row))


def _documents_of(spans: SpanFrame, pair: SpanPairAgreement) -> Iterator[Sequence[object]]:
    names = spans.people[pair.first], spans.people[pair.second]
    values = by_each_document(pair.counts, spans.beta)
    for row, document in enumerate(pair.documents.tolist()):
        own = (spans.layer, *names, spans.documents[document])
        yield (*own, *pair.counts[row].tolist(), *_shown(values, row))


def _shown(values: Mapping[str, Mapping[str, Sequence[float | None]]], row: int) -> Iterator[float | None]:
    for mode, name in SHOWN:
        yield values[mode][name][row]
