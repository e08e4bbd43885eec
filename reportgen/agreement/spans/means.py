"""Outcomes of spans pair by pair, and the mean of a share over pairs with what each document moves it by."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from reportgen.agreement.estimate import Estimate, Floats, Undefined, no_estimate
from reportgen.agreement.spans.retrieval import Drawn, Ratio, drawn, ratios
from reportgen.counts import OUTCOMES, SpanCounts, tally
from reportgen.study import Codes, Mask

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

    def only(self, rows: Mask, seen: Mask) -> "MarkCells":
        """Return some of the rows, and of the documents seen."""
        own = (self.first, self.second, self.document, self.type, self.counts)
        of_seen = (self.seen_first, self.seen_second, self.seen_document)
        return MarkCells(*(each[rows] for each in own), *(each[seen] for each in of_seen))

    def in_documents(self, kept: Mask) -> "MarkCells":
        """Return what is in some documents; `kept` (documents of the study,) says which."""
        return self.only(kept[self.document], kept[self.seen_document])

    def of_pair(self, first: int, second: int) -> "MarkCells":
        """Return what is of two people."""
        rows: Mask = (self.first == first) & (self.second == second)
        seen: Mask = (self.seen_first == first) & (self.seen_second == second)
        return self.only(rows, seen)

    def among(self, people: Mask) -> "MarkCells":
        """Return what is of two of some people; `people` (people,) says who."""
        seen: Mask = people[self.seen_first] & people[self.seen_second]
        return self.only(people[self.first] & people[self.second], seen)

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
        match, overlap, *alone = (self.counts[:, place] for place in range(len(OUTCOMES)))
        marks = np.concatenate([match + overlap + each for each in alone])
        document, kind = (np.tile(each, 2) for each in (self.document, self.type))
        rows, place = _distinct([np.concatenate([self.first, self.second]), document, kind])
        found = np.zeros(len(rows[0]), dtype=np.int64)
        found[place] = marks
        return found

    @cached_property
    def whole(self) -> "MarkCells":
        """Return the same without types: a row for each document of a pair (type -1)."""
        (first, second, document), place = _distinct([self.first, self.second, self.document])
        counts = np.zeros((len(first), len(OUTCOMES)), dtype=np.int64)
        np.add.at(counts, place, self.counts)
        seen = (self.seen_first, self.seen_second, self.seen_document)
        return MarkCells(first, second, document, np.full(len(first), -1, dtype=np.int64), counts, *seen)


def _distinct(columns: list[Codes]) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of some columns, sorted, and the place of each row among them."""
    rows, _ = tally(columns, np.ones_like(columns[0]))
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    keys, own = (np.ravel_multi_index(tuple(each), sizes) for each in (rows, columns))
    return rows, np.searchsorted(keys, own).astype(np.int64)


def mark_cells(counts: SpanCounts) -> MarkCells:
    """Return the counts of one layer's spans as rows of outcomes."""
    columns = [counts.first, counts.second, counts.document, counts.type]
    rows, place = _distinct(columns)
    table = np.zeros((len(rows[0]), len(OUTCOMES)), dtype=np.int64)
    np.add.at(table, (place, counts.outcome), counts.n)
    first, second, document, kind = rows
    seen = (counts.seen_first, counts.seen_second, counts.seen_document)
    return MarkCells(first, second, document, kind, table, *seen)


def pair_ratios(cells: MarkCells, mode: str, beta: float) -> dict[str, Ratio]:
    """Return the shares of two people, of whom `cells` are, as ratios over their documents."""
    whole = cells.whole
    return ratios(whole.counts, mode, beta, documents=whole.document)


def mean_over_pairs(cells: MarkCells, mode: str, beta: float) -> Estimate:
    """Return the mean of F over the pairs for which it is defined; each document counts once.

    What a document moves the F of each pair by is added up before it is squared, so that people who share
    documents are not taken for independent.
    """
    whole = cells.whole
    ratio = ratios(whole.counts, mode, beta)[F]
    (first, _), pair = _distinct([whole.first, whole.second])
    above, below = (_sums(pair, each, len(first)) for each in (ratio.numerator, ratio.denominator))
    known = below > 0
    if not known.any():
        reason = Undefined.NO_PAIR_DEFINED if len(cells.seen_first) else Undefined.NO_PAIR
        return no_estimate(reason, 0)
    value = np.divide(above, below, out=np.zeros(len(below)), where=known)
    moved = (ratio.numerator - value[pair] * ratio.denominator) / np.where(known, below, 1.0)[pair]
    size = int(whole.document.max()) + 1
    influence = _sums(whole.document, moved, size) / int(known.sum())
    shares = ratio.denominator / np.where(known, below, 1.0)[pair]
    divisor = _sums(whole.document, shares, size)
    counted = np.flatnonzero(divisor > 0)
    mean = Estimate(math.fsum(value[known].tolist()) / int(known.sum()), len(counted))
    return drawn(mean, influence[counted], ratio.missed, documents=Drawn(counted, divisor[counted]))


def _sums(place: Codes, values: npt.NDArray[np.floating[Any]], size: int) -> Floats:
    found: Floats = np.bincount(place, weights=values, minlength=size).astype(np.float64)
    return found
