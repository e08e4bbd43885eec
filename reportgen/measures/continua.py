"""The texts of one layer as continua that annotators cut into units and gaps.

A unit is a stretch of text that one annotator marked with one type; a discontinuous mark is several units.
Stretches of one annotator and type that share a character are one unit, those that only touch are two: within
a type, units do not overlap (Krippendorff 2004, section 11.6).
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from reportgen.measures.estimate import Clusters, Estimate, Floats, Undefined, with_interval
from reportgen.readers import Codes
from reportgen.units import Spans

TWO = 2


@dataclass(frozen=True, eq=False)
class Continua:
    """Documents that at least two annotators saw, and the units in them.

    - `documents` (documents,): their codes in the layer; `lengths`: their code points, at least one;
      `raters`: how many annotators saw each.
    - `line_document`, `line_person` (lines,): every annotator's copy of every document, marked or not, by the
      document's place in `documents`.
    - `line`, `kind`, `begin`, `end` (units,): sorted by type, line and place; ends are exclusive.
    - `kinds`: the types of the layer; `people`: how many people their codes are of.
    - `joined`: stretches that became one unit with another; `empty`: marks that cover no character, left out.
    - `alone`: documents that one annotator only saw, left out too.
    """

    documents: Codes
    lengths: Codes
    raters: Codes
    line_document: Codes
    line_person: Codes
    line: Codes
    kind: Codes
    begin: Codes
    end: Codes
    kinds: tuple[str, ...]
    people: int
    joined: int = 0
    empty: int = 0
    alone: int = 0

    @property
    def document(self) -> Codes:
        """Return the place of each unit's document (units,)."""
        found: Codes = self.line_document[self.line]
        return found

    @property
    def person(self) -> Codes:
        """Return whose unit each is (units,)."""
        found: Codes = self.line_person[self.line]
        return found

    @property
    def stride(self) -> int:
        """Return a number above every offset, so that lines can be laid end to end."""
        return int(self.lengths.max(initial=0)) + 1

    @property
    def read(self) -> int:
        """Return how many code points annotators read: each document as often as it was seen."""
        return sum((self.lengths * self.raters).tolist())


def continua(spans: Spans) -> Continua:
    """Return the continua of a layer's annotators."""
    annotates = np.array([role == "annotator" for role in spans.roles], dtype=np.bool_)
    saw = spans.saw & annotates & (spans.lengths > 0)[:, np.newaxis]
    raters = saw.sum(axis=1, dtype=np.int64)
    documents = np.flatnonzero(raters >= TWO)
    line_document, line_person = np.nonzero(saw[documents])
    number = np.full(saw.shape, -1, dtype=np.int64)
    number[documents[line_document], line_person] = np.arange(len(line_document))
    line = number[spans.document, spans.person][spans.span_mark]
    long = spans.span_end > spans.span_start
    kept = np.flatnonzero((line >= 0) & long)
    units = _joined(
        line[kept], spans.type[spans.span_mark[kept]], spans.span_start[kept], spans.span_end[kept]
    )
    return Continua(
        documents,
        spans.lengths[documents],
        raters[documents],
        line_document,
        line_person,
        *units,
        kinds=spans.types,
        people=len(spans.people),
        joined=len(kept) - len(units[0]),
        empty=int(((line >= 0) & ~long).sum()),
        alone=int((raters == 1).sum()),
    )


def of_two(found: Continua, first: int, second: int) -> Continua:
    """Return the continua of two annotators, over the documents that both saw."""
    lines = np.flatnonzero((found.line_person == first) | (found.line_person == second))
    both = np.bincount(found.line_document[lines], minlength=len(found.documents)) == TWO
    lines = lines[both[found.line_document[lines]]]
    number = np.full(len(found.line_document), -1, dtype=np.int64)
    number[lines] = np.arange(len(lines))
    kept = number[found.line] >= 0
    return Continua(
        found.documents[both],
        found.lengths[both],
        np.full(int(both.sum()), TWO, dtype=np.int64),
        (np.cumsum(both) - 1)[found.line_document[lines]],
        found.line_person[lines],
        number[found.line][kept],
        found.kind[kept],
        found.begin[kept],
        found.end[kept],
        kinds=found.kinds,
        people=found.people,
    )


def _joined(line: Codes, kind: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes, Codes, Codes]:
    """Return units by type, line and place: stretches of one line and type that overlap are one."""
    order = np.lexsort((end, begin, line, kind))
    line, kind, begin, end = line[order], kind[order], begin[order], end[order]
    stride = int(end.max(initial=0)) + 1
    place = np.cumsum(np.diff(line, prepend=-1).astype(bool) | np.diff(kind, prepend=-1).astype(bool))
    reach = np.maximum.accumulate(place * stride + end)
    starts = np.ones(len(line), dtype=np.bool_)
    starts[1:] = (place * stride + begin)[1:] >= reach[:-1]
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(line)) - 1 if len(first) else first
    return line[first], kind[first], begin[first], (reach - place * stride)[last]


def ranges(low: Codes, high: Codes) -> tuple[Codes, Codes]:
    """Return every number from `low` to below `high` of each row, with the row that it is of."""
    number = high - low
    row = np.repeat(np.arange(len(low)), number)
    return row, np.repeat(low - np.cumsum(number) + number, number) + np.arange(len(row))


# Figures of whole documents: one influence value a document, and the interval that follows from it.


def undefined(reason: Undefined, units: int = 0) -> Estimate:
    """Return an undefined figure that counts alone cannot give."""
    return Estimate(None, units, undefined=reason, recomputable=False)


def over_documents(estimate: Estimate, slope: Floats, *, disagreements: int) -> Estimate:
    """Return a figure with its interval.

    `slope` (documents,) is the figure's derivative by the weight of each document, which adds up to zero: the
    infinitesimal jackknife (Efron 1982, chapter 6). Its variance is G/(G-1) Σ slope², and t has G-1 degrees.
    """
    size = len(slope)
    every = np.arange(size)
    clusters = Clusters(every, every, np.ones_like(every), size, size, by_document=True, corrected=True)
    return with_interval(
        replace(estimate, recomputable=False),
        size * slope,
        clusters,
        (-math.inf, 1.0),
        disagreements=disagreements,
    )
