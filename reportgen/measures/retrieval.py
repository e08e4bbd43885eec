"""Precision, recall and F-measure from the outcomes of spans, and their means over documents and types.

The key is the first of two people, the response the second: precision is a share of the response's marks,
recall one of the key's. (van Rijsbergen 1979, chapter 7; Chinchor 1992; GATE user guide, 10.1.3 and 10.1.4.)
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import ids_with
from reportgen.counts import SpanCounts, tally
from reportgen.measures.estimate import (
    LEAST_UNITS,
    ROUNDING,
    Clusters,
    ConfidenceInterval,
    Estimate,
    Floats,
    NoInterval,
    Undefined,
    macro_figure,
    no_estimate,
    with_interval,
    without_spread,
)
from reportgen.measures.formulas import quotient
from reportgen.readers import Codes
from reportgen.readers.counted import OUTCOMES
from reportgen.results.marks import MacroFigure
from reportgen.units import Mask
from reportgen.units.coded import nothing, sums_by

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
        quotients = quotient(self.numerator, self.denominator)
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
    value = np.divide(above, below, out=np.zeros(len(below)), where=defined)
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
