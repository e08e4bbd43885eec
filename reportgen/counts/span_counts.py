"""What is counted of spans: how the marks of every two people fall out, by document and type."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from operator import getitem

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import DistanceMatrix
from reportgen.counts.tally import is_new, tally
from reportgen.readers import Codes
from reportgen.readers.counted import (
    KINDS,
    MARK_HEADS,
    OUTCOMES,
    SPANS,
    TOKENS,
    TYPE_PAIRS,
    SpanCounts,
    TypePairs,
)
from reportgen.results.model import csv_text
from reportgen.units import (
    BOUNDARY,
    OF_FIRST,
    OF_SECOND,
    OMISSION,
    PAIR,
    Credit,
    MarkCases,
    Pairing,
    SpanFrame,
    Spans,
    credits_of,
    extents,
    mark_cases,
    pair_by_credit,
    pair_marks,
)
from reportgen.units.coded import all_twos, ranges

MATCH, OVERLAP, ONLY_FIRST, ONLY_SECOND = range(4)


def count_spans(spans: SpanFrame) -> SpanCounts:
    """Return the counts of one layer's spans: under the best pairing, or as an export has them."""
    return count_pairs(spans, pair_marks(spans)) if isinstance(spans, Spans) else counted(spans)


def counted(spans: SpanFrame) -> SpanCounts:
    """Return the counts that an export has of spans, in place of the marks themselves."""
    if spans.counts is None:
        raise TypeError
    return spans.counts


def count_pairs(spans: Spans, pairing: Pairing) -> SpanCounts:
    """Return the counts of one layer's spans under a pairing."""
    both_saw = seen_by_two(spans)
    parts = [*_marks_of_both(spans, both_saw), *_pairs(spans, pairing)]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    rows, n = tally(columns[:5], columns[5])
    is_counted = n > 0
    first, second, document, kind, outcome = (column[is_counted] for column in rows)
    marks = first, second, document, kind, outcome, n[is_counted]
    return SpanCounts(*marks, *both_saw, spans.tokens[both_saw[2]], differs=pairing.differs)


def seen_by_two(spans: SpanFrame) -> tuple[Codes, Codes, Codes]:
    """Return which two people who are compared saw which document, sorted by both and by document."""
    document, person = np.nonzero(spans.saw)
    one, other = all_twos(document)
    is_compared = spans.compared(person[one], person[other])
    first, second, where = person[one][is_compared], person[other][is_compared], document[one][is_compared]
    order = np.lexsort((where, second, first))
    return first[order], second[order], where[order]


def _marks_of_both(spans: Spans, both_saw: tuple[Codes, Codes, Codes]) -> Iterator[tuple[Codes, ...]]:
    """Yield every mark of the first as one that the second lacks, and the other way round."""
    rows, n = tally([spans.document, spans.person, spans.type], np.ones_like(spans.type))
    key = rows[0] * len(spans.people) + rows[1]
    for who, outcome in ((0, ONLY_FIRST), (1, ONLY_SECOND)):
        pair_key = both_saw[2] * len(spans.people) + both_saw[who]
        pair, row = ranges(*(np.searchsorted(key, pair_key, side) for side in ("left", "right")))
        fixed = np.full(len(pair), outcome, dtype=np.int64)
        yield (*(column[pair] for column in both_saw), rows[2][row], fixed, n[row])


def _pairs(spans: Spans, pairing: Pairing) -> Iterator[tuple[Codes, ...]]:
    """Yield each pair as a match or an overlap, and its two marks as no longer alone."""
    first, second = spans.person[pairing.first], spans.person[pairing.second]
    where = first, second, spans.document[pairing.first], spans.type[pairing.first]
    ones = np.ones_like(first)
    yield (*where, np.where(pairing.exact, MATCH, OVERLAP), ones)
    for outcome in (ONLY_FIRST, ONLY_SECOND):
        yield (*where, np.full_like(first, outcome), -ones)


def starts(first: Codes, second: Codes) -> Codes:
    """Return where the rows of each two people begin, of columns sorted by both."""
    return np.flatnonzero(is_new([first, second]))


# What is counted of marks of different types that are pairs: by document and by the two types.

COEXTENSIVE, OVERLAPPING = range(2)


@dataclass(frozen=True, eq=False, kw_only=True)
class CreditCounts(TypePairs):
    """How many pairs of marks of two types there are by one distance; additive over documents."""

    credit: Credit


def count_credits(spans: Spans, pairing: Pairing, credit: Credit) -> CreditCounts:
    """Return the counts of pairs of marks that `pairing` leaves alone, under the best pairing by credit."""
    pairs = pair_by_credit(spans, pairing, credit)
    columns = [
        spans.person[pairs.first],
        spans.person[pairs.second],
        spans.document[pairs.first],
        spans.type[pairs.first],
        spans.type[pairs.second],
        np.where(pairs.exact, COEXTENSIVE, OVERLAPPING),
    ]
    (first, second, document, first_type, second_type, kind), n = tally(columns, np.ones_like(pairs.first))
    return CreditCounts(first, second, document, first_type, second_type, kind, n, credit=credit)


# What is counted of marks that disagree: in what way, and which ends differ.

NO_TYPE = -1
# Which ends of two marks of one type differ, or only stretches between the ends.
ENDS = ("left", "right", "both", "inside")
NO_ENDS = -1
# How two marks of one type are apart: they begin together, or end together, or the one lies around the other,
# or neither around the other. Twice the place is of the first's mark, one more of the second's.
SHAPES = ("right", "left", "around", "elsewhere")
NO_SHAPE = -1


@dataclass(frozen=True, eq=False)
class CaseCounts:
    """How many cases of each kind there are between two people; additive over documents.

    `first`, `second`, `document`, `kind`, `first_type`, `second_type`, `ends`, `shape`, `n` (rows,), sorted
    in this order. Of an omission the type of the one who has no mark is NO_TYPE. `shape` is for pairs about
    boundaries, `ends` for all cases about boundaries. `distances` are further columns, for annotators' pairs
    of one type that match or overlap: their type, 0 for the start, 1 for the end, how far apart they lie, and
    how many pairs.
    """

    first: Codes
    second: Codes
    document: Codes
    kind: Codes
    first_type: Codes
    second_type: Codes
    ends: Codes
    shape: Codes
    n: Codes
    distances: tuple[Codes, Codes, Codes, Codes] = field(kw_only=True)


def count_cases(spans: Spans, cases: MarkCases, outcomes: SpanCounts) -> CaseCounts:
    """Return the counts of cases; omissions are the marks that are alone in `outcomes` and in no case."""
    parts = [
        _overlapping(spans, cases),
        _alone(spans, cases, outcomes, ONLY_FIRST),
        _alone(spans, cases, outcomes, ONLY_SECOND),
    ]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    rows, n = tally(columns[:-1], columns[-1])
    is_counted = n > 0
    return CaseCounts(*(column[is_counted] for column in (*rows, n)), distances=_distances(spans, cases))


def _distances(spans: Spans, cases: MarkCases) -> tuple[Codes, Codes, Codes, Codes]:
    """Return how far the ends of annotators' pairs of one type lie apart."""
    pairs = (cases.form == PAIR) & (cases.kind == BOUNDARY)
    first = np.concatenate([cases.match_first, cases.first[pairs]])
    second = np.concatenate([cases.match_second, cases.second[pairs]])
    annotates = np.array([role == "annotator" for role in spans.roles], dtype=np.bool_)
    ours = annotates[spans.person[first]] & annotates[spans.person[second]]
    first, second = first[ours], second[ours]
    apart = [np.abs(extent[first] - extent[second]) for extent in extents(spans)]
    end = np.repeat([0, 1], len(first))
    rows, n = tally([np.tile(spans.type[first], 2), end, np.concatenate(apart)], np.ones_like(end))
    return rows[0], rows[1], rows[2], n


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
        np.where(about_ends, _ends(spans, first, second), NO_ENDS),
        np.where(about_ends & (cases.form == PAIR), _shapes(spans, cases), NO_SHAPE),
        np.ones_like(first),
    )


def _ends(spans: Spans, first: Codes, second: Codes) -> Codes:
    """Say which ends of two marks differ."""
    begin, end = extents(spans)
    left, right = begin[first] != begin[second], end[first] != end[second]
    which = [left & right, left, right]
    codes = [ENDS.index(name) for name in ("both", "left", "right")]
    return np.select(which, codes, ENDS.index("inside")).astype(np.int64)


def _shapes(spans: Spans, cases: MarkCases) -> Codes:
    """Say how two marks are apart, and whose is the one that reaches further or lies around."""
    begin, end = extents(spans)
    left = np.sign(begin[cases.second] - begin[cases.first])
    right = np.sign(end[cases.first] - end[cases.second])
    # Who reaches further at the ends that differ: the first where the sum is above 0; nobody at both ways.
    further: Codes = np.sign(left + right)
    right_only, left_only, around, elsewhere = (
        np.full_like(further, 2 * SHAPES.index(name)) for name in ("right", "left", "around", "elsewhere")
    )
    other = (further < 0).astype(np.int64)
    codes = [elsewhere, right_only + other, left_only + other]
    return np.select([further == 0, left == 0, right == 0], codes, around + other)


def _alone(spans: Spans, cases: MarkCases, outcomes: SpanCounts, outcome: int) -> tuple[Codes, ...]:
    """Return the marks of one of two people that the other has not, less those that are in a case."""
    of_first = outcome == ONLY_FIRST
    rows = outcomes.outcome == outcome
    # Of two marks of one type that are a pair, neither is alone in the outcomes.
    pairs = (cases.form == PAIR) & (cases.kind != BOUNDARY)
    in_case = pairs | (cases.form == (OF_FIRST if of_first else OF_SECOND))
    first, second = cases.first[in_case], cases.second[in_case]
    kind = np.concatenate([outcomes.type[rows], spans.type[first if of_first else second]])
    nothing = np.full_like(kind, NO_TYPE)
    return (
        np.concatenate([outcomes.first[rows], spans.person[first]]),
        np.concatenate([outcomes.second[rows], spans.person[second]]),
        np.concatenate([outcomes.document[rows], spans.document[first]]),
        np.full_like(kind, OMISSION),
        *((kind, nothing) if of_first else (nothing, kind)),
        np.full_like(kind, NO_ENDS),
        np.full_like(kind, NO_SHAPE),
        np.concatenate([outcomes.n[rows], np.full_like(first, -1)]),
    )


# Everything that is counted of one layer's marks.


@dataclass(frozen=True, eq=False)
class MarkCounts:
    """What was counted of the marks of one layer; `cases` is None where it is not known how they disagree."""

    spans: SpanFrame
    outcomes: SpanCounts
    credits: Sequence[CreditCounts]
    cases: tuple[MarkCases, CaseCounts] | None = None


def count_marks(spans: SpanFrame, tables: Sequence[DistanceMatrix]) -> MarkCounts:
    """Return all counts of one layer's marks, or of its relations, whose stretches are their arguments'.

    Of counted marks nobody knows which are pairs by a distance that was not counted.
    """
    credited = credits_of(spans, tables)
    if not isinstance(spans, Spans):
        pairs_of = {credit.id: pairs for credit, pairs in spans.credits}
        shared = [credit for credit in credited if credit.id in pairs_of]
        own = [CreditCounts(**vars(pairs_of[credit.id]), credit=credit) for credit in shared]
        return MarkCounts(spans, counted(spans), own)
    pairing = pair_marks(spans)
    outcomes = count_pairs(spans, pairing)
    pairs = [count_credits(spans, pairing, credit) for credit in credited]
    cases = mark_cases(spans, pairing)
    return MarkCounts(spans, outcomes, pairs, (cases, count_cases(spans, cases, outcomes)))


def spans_csv(counted: Iterable[MarkCounts]) -> str:
    """Return the text of counts/spans.csv.

    A row with the outcome "tokens" and no type is a document that both saw, and says how many tokens
    it has.
    """
    rows = (row for marks in counted for row in _rows(marks.spans, marks.outcomes))
    return csv_text(MARK_HEADS[SPANS], rows)


def _rows(spans: SpanFrame, counts: SpanCounts) -> Iterator[Sequence[object]]:
    people, layer = spans.people, spans.layer
    seen_columns = (counts.seen_first, counts.seen_second, counts.seen_document, counts.tokens)
    for first, second, where, n in zip(*(column.tolist() for column in seen_columns), strict=True):
        yield (layer, spans.documents[where], people[first], people[second], "", TOKENS, n)
    columns = (counts.first, counts.second, counts.document, counts.type, counts.outcome, counts.n)
    for first, second, where, kind, outcome, n in zip(*(column.tolist() for column in columns), strict=True):
        names = spans.documents[where], people[first], people[second]
        yield (layer, *names, spans.types[kind], OUTCOMES[outcome], n)


def credits_csv(counted: Iterable[MarkCounts]) -> str:
    """Return the text of counts/type-pairs.csv."""
    return csv_text(MARK_HEADS[TYPE_PAIRS], (row for marks in counted for row in _credit_rows(marks)))


def _credit_rows(marks: MarkCounts) -> Iterator[Sequence[object]]:
    spans = marks.spans
    names = (spans.documents, spans.people, spans.people, spans.types, spans.types, KINDS)
    for counts in marks.credits:
        types = (counts.first_type, counts.second_type)
        columns = (counts.document, counts.first, counts.second, *types, counts.kind, counts.n)
        for *codes, n in zip(*(column.tolist() for column in columns), strict=True):
            yield (spans.layer, counts.credit.id, *map(getitem, names, codes), n)
