"""What is counted of marks that disagree: in what way, who marks longer, and which ends differ."""

from dataclasses import dataclass

import numpy as np

from reportgen.counts.spans import ONLY_FIRST, ONLY_SECOND, SpanCounts
from reportgen.counts.tally import tally
from reportgen.study import BOUNDARY, OF_FIRST, OF_SECOND, OMISSION, PAIR, Codes, MarkCases, Spans

NO_TYPE = -1
# Which of the two marks is the longer one of a pair; of other cases neither is said to be.
NEITHER, FIRST_LONGER, SECOND_LONGER = range(3)
# Which ends of two marks of one type differ, or only stretches between the ends.
ENDS = ("left", "right", "both", "inside")
NO_ENDS = -1


@dataclass(frozen=True, eq=False)
class CaseCounts:
    """How many cases of each kind there are between two people; additive over documents.

    `first`, `second`, `document`, `kind`, `first_type`, `second_type`, `longer`, `ends`, `n` (rows,), sorted
    in this order. Of an omission the type of the one who has no mark is NO_TYPE. `longer` is told of pairs
    about boundaries, `ends` of all cases about boundaries.
    """

    first: Codes
    second: Codes
    document: Codes
    kind: Codes
    first_type: Codes
    second_type: Codes
    longer: Codes
    ends: Codes
    n: Codes


def count_cases(spans: Spans, cases: MarkCases, outcomes: SpanCounts) -> CaseCounts:
    """Return the counts of cases; omissions are the marks that are alone in `outcomes` and in no case."""
    parts = [
        _overlapping(spans, cases),
        _alone(spans, cases, outcomes, ONLY_FIRST),
        _alone(spans, cases, outcomes, ONLY_SECOND),
    ]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    rows, n = tally(columns[:-1], columns[-1])
    kept = n > 0
    return CaseCounts(*(column[kept] for column in (*rows, n)))


def _overlapping(spans: Spans, cases: MarkCases) -> tuple[Codes, ...]:
    first, second = cases.first, cases.second
    about_ends = cases.kind == BOUNDARY
    return (
        spans.person[first],
        spans.person[second],
        spans.document[first],
        cases.kind,
        spans.type[first],
        spans.type[second],
        np.where(about_ends & (cases.form == PAIR), _longer(spans, first, second), NEITHER),
        np.where(about_ends, _ends(spans, first, second), NO_ENDS),
        np.ones_like(first),
    )


def _longer(spans: Spans, first: Codes, second: Codes) -> Codes:
    """Say which of two marks covers more characters."""
    length = np.zeros(len(spans.type), dtype=np.int64)
    np.add.at(length, spans.span_mark, spans.span_end - spans.span_start)
    more = np.sign(length[first] - length[second])
    return np.select([more > 0, more < 0], [FIRST_LONGER, SECOND_LONGER], NEITHER).astype(np.int64)


def _ends(spans: Spans, first: Codes, second: Codes) -> Codes:
    """Say which ends of two marks differ."""
    marks = len(spans.type)
    begin = np.full(marks, np.iinfo(np.int64).max)
    end = np.zeros(marks, dtype=np.int64)
    np.minimum.at(begin, spans.span_mark, spans.span_start)
    np.maximum.at(end, spans.span_mark, spans.span_end)
    left, right = begin[first] != begin[second], end[first] != end[second]
    which = [left & right, left, right]
    codes = [ENDS.index(name) for name in ("both", "left", "right")]
    return np.select(which, codes, ENDS.index("inside")).astype(np.int64)


def _alone(spans: Spans, cases: MarkCases, outcomes: SpanCounts, outcome: int) -> tuple[Codes, ...]:
    """Return the marks of one of two people that the other has not, less those that are in a case."""
    of_first = outcome == ONLY_FIRST
    rows = outcomes.outcome == outcome
    # Of two marks of one type that are a pair, neither is alone in the outcomes.
    pairs = (cases.form == PAIR) & (cases.kind != BOUNDARY)
    held = pairs | (cases.form == (OF_FIRST if of_first else OF_SECOND))
    first, second = cases.first[held], cases.second[held]
    kind = np.concatenate([outcomes.type[rows], spans.type[first if of_first else second]])
    nothing = np.full_like(kind, NO_TYPE)
    return (
        np.concatenate([outcomes.first[rows], spans.person[first]]),
        np.concatenate([outcomes.second[rows], spans.person[second]]),
        np.concatenate([outcomes.document[rows], spans.document[first]]),
        np.full_like(kind, OMISSION),
        *((kind, nothing) if of_first else (nothing, kind)),
        np.full_like(kind, NEITHER),
        np.full_like(kind, NO_ENDS),
        np.concatenate([outcomes.n[rows], np.full_like(first, -1)]),
    )
