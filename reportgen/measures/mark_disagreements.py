"""In what way the marks of one layer disagree, and who differs from the others in what way, tested."""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import (
    ENDS,
    NO_ENDS,
    NO_TYPE,
    SHAPES,
    CaseCounts,
    SpanCounts,
    tally,
)
from reportgen.measures.significance_tests import exchange_p
from reportgen.measures.spans import SpanAgreement
from reportgen.measures.thresholds import MOST_ANNOTATORS
from reportgen.readers import Codes
from reportgen.readers.counted import OUTCOMES
from reportgen.results.marks import (
    CASE_KINDS,
    Boundary,
    EndDistances,
    Habit,
    KindOfCase,
    MarkCase,
    MarkDisagreements,
    PairCases,
)
from reportgen.units import BOTH, OMISSION, TYPE, Mask, SpanFrame
from reportgen.units.labels import as_rows, sums_by

MATCH, OVERLAP, ONLY_FIRST, ONLY_SECOND = range(len(OUTCOMES))


def mark_disagreements(
    agreement: SpanAgreement, outcomes: SpanCounts, cases: CaseCounts
) -> MarkDisagreements:
    """Return what results have of the cases of one layer."""
    spans = agreement.spans
    ours = spans.both_annotate(cases.first, cases.second)
    is_seen = spans.both_annotate(outcomes.seen_first, outcomes.seen_second)
    return MarkDisagreements(
        layer=spans.layer,
        documents=len(np.unique(outcomes.seen_document[is_seen])),
        cases=tuple(_cases_of_all(spans, cases, ours)),
        pairs=tuple(_pairs(agreement, cases)),
        boundaries=tuple(_boundaries(spans, cases, ours)),
        habits=tuple(_habits(spans, outcomes, cases)),
        distances=tuple(_distances(spans, cases)) or None,
    )


def _cases_of_all(spans: SpanFrame, cases: CaseCounts, chosen: Mask) -> Iterator[MarkCase]:
    """Return the cases of some pairs of people together: without whose mark is of which type."""
    low, high = (extreme(cases.first_type, cases.second_type)[chosen] for extreme in (np.minimum, np.maximum))
    alone = cases.kind[chosen] == OMISSION
    first, second = np.where(alone, high, low), np.where(alone, NO_TYPE, high)
    return _cases(spans, cases.kind[chosen], first, second, cases.n[chosen])


def _cases(spans: SpanFrame, kind: Codes, first: Codes, second: Codes, n: Codes) -> Iterator[MarkCase]:
    names = {NO_TYPE: None, **dict(enumerate(spans.types))}
    columns, sums = tally([kind, first, second], n)
    for kind_code, first_type, second_type, number in as_rows(*columns, sums):
        yield MarkCase(
            kind=CASE_KINDS[kind_code], cases=number, first=names[first_type], second=names[second_type]
        )


def _pairs(agreement: SpanAgreement, cases: CaseCounts) -> Iterator[PairCases]:
    """Yield the cases between every two people who share a document, none where they never disagree."""
    spans = agreement.spans
    people = len(spans.people)
    key = cases.first * people + cases.second
    for pair in agreement.pairs:
        ends = [pair.first * people + pair.second + past for past in (0, 1)]
        here = slice(*np.searchsorted(key, ends).tolist())
        columns = (cases.kind[here], cases.first_type[here], cases.second_type[here], cases.n[here])
        yield PairCases(
            annotators=pair.figures.annotators,
            roles=pair.figures.roles,
            cases=tuple(_cases(spans, *columns)),
        )


def _boundaries(spans: SpanFrame, cases: CaseCounts, chosen: Mask) -> Iterator[Boundary]:
    """Yield for each type how often which ends differ, the most frequent type first."""
    ends_of_type: dict[str, Counter[str]] = {}
    rows = chosen & (cases.ends != NO_ENDS)
    (kind, ends), n = tally([cases.first_type[rows], cases.ends[rows]], cases.n[rows])
    for code, end, number in zip(kind.tolist(), ends.tolist(), n.tolist(), strict=True):
        ends_of_type.setdefault(spans.types[code], Counter())[ENDS[end]] += number
    for label in sorted(ends_of_type, key=lambda label: (-ends_of_type[label].total(), label)):
        yield Boundary(label=label, **ends_of_type[label])


def _distances(spans: SpanFrame, cases: CaseCounts) -> Iterator[EndDistances]:
    """Yield for each type how far the ends of its pairs lie apart, the type with most pairs first."""
    kinds, end, apart, n = cases.distances
    pairs = sums_by(kinds, n, len(spans.types))
    for kind in sorted(np.flatnonzero(pairs).tolist(), key=lambda kind: (-pairs[kind], spans.types[kind])):
        rows = [(kinds == kind) & (end == which) for which in (0, 1)]
        starts, ends = (tuple(zip(apart[row].tolist(), n[row].tolist(), strict=True)) for row in rows)
        yield EndDistances(label=spans.types[kind], starts=starts, ends=ends)


# Who marks more, and how: each annotator against the others on the same documents, tested.


@dataclass(frozen=True, eq=False)
class _Table:
    """Differences between two people as columns, sums by document and type: of lengths or of marks."""

    first: Codes
    second: Codes
    document: Codes
    type: Codes
    of_first: Codes
    of_second: Codes

    def part(self, rows: Mask) -> "_Table":
        """Return some of the rows."""
        return _Table(*(column[rows] for column in vars(self).values()))


def _habits(spans: SpanFrame, outcomes: SpanCounts, cases: CaseCounts) -> Iterator[Habit]:
    """Yield each annotator's habits, by type and of all together; of two annotators only the first one's."""
    people = np.flatnonzero(spans.annotates).tolist()
    if not 2 <= len(people) <= MOST_ANNOTATORS:
        return
    both = np.isin(outcomes.outcome, (MATCH, OVERLAP))
    marks_made = (
        np.where(both | (outcomes.outcome == which), outcomes.n, 0) for which in (ONLY_FIRST, ONLY_SECOND)
    )
    tables = {
        "marks": _Table(outcomes.first, outcomes.second, outcomes.document, outcomes.type, *marks_made),
        **dict(_tables_of_kinds(cases)),
    }
    ours = {
        name: table.part(spans.both_annotate(table.first, table.second)) for name, table in tables.items()
    }
    took_part = np.zeros((len(spans.documents), len(spans.people)), dtype=np.bool_)
    seen = spans.both_annotate(outcomes.seen_first, outcomes.seen_second)
    for who in (outcomes.seen_first, outcomes.seen_second):
        took_part[outcomes.seen_document[seen], who[seen]] = True
    used = np.unique(ours["marks"].type).tolist()
    shown = people[:1] if len(people) == 2 else people
    met = {person: _types_met(ours["marks"], person) for person in shown}
    habits: dict[int, list[Habit]] = {person: [] for person in shown}
    for kind in (None, *used):
        compared = {name: _Compared(table, kind, took_part) for name, table in ours.items()}
        for person in shown:
            if kind is None or kind in met[person]:
                habits[person].append(_habit(spans, person, kind, compared))
    for own in habits.values():
        yield from own


def _types_met(marks: _Table, person: int) -> set[int]:
    """Return the types of which somebody, or those whom they are compared with, has marks."""
    return set(marks.type[(marks.first == person) | (marks.second == person)].tolist())


class _Compared:
    """What is somebody's and what the others' of one table and type, or of all, for everybody at once."""

    def __init__(self, table: _Table, kind: int | None, took_part: Mask) -> None:
        """Sum up the rows of a type, or all."""
        own = table if kind is None else table.part(table.type == kind)
        self._table, self._took_part = own, took_part
        documents, people = took_part.shape
        difference = own.of_first - own.of_second
        size = documents * people
        self._sums = (
            sums_by(own.document * people + own.first, difference, size)
            - sums_by(own.document * people + own.second, difference, size)
        ).reshape(documents, people)

    def of(self, person: int) -> tuple[int, int, float | None]:
        """Return what is somebody's and what the others', with the p value of the difference."""
        own, (first, second) = self._table, (self._table.first == person, self._table.second == person)
        mine = int(own.of_first[first].sum() + own.of_second[second].sum())
        theirs = int(own.of_second[first].sum() + own.of_first[second].sum())
        return mine, theirs, exchange_p(self._sums, self._took_part, person)


def _tables_of_kinds(cases: CaseCounts) -> Iterator[tuple[str, _Table]]:
    """Yield each kind of case with whose mark it is named after.

    Of two marks that are alike both are; marks of two types are a case of each type, whosever it is.
    """
    kind = np.where(cases.first_type == NO_TYPE, cases.second_type, cases.first_type)
    omitted = cases.kind == OMISSION
    whose = {
        name: (cases.shape == 2 * place, cases.shape == 2 * place + 1) for place, name in enumerate(SHAPES)
    }
    whose |= {"elsewhere": (whose["elsewhere"][0],) * 2}
    whose["omitted"] = omitted & (cases.first_type != NO_TYPE), omitted & (cases.second_type != NO_TYPE)
    for name, of_each in whose.items():
        first, second = (np.where(is_so, cases.n, 0) for is_so in of_each)
        yield name, _Table(cases.first, cases.second, cases.document, kind, first, second)
    rows = np.flatnonzero(np.isin(cases.kind, (TYPE, BOTH)))
    first, second, document = (
        np.tile(column[rows], 2) for column in (cases.first, cases.second, cases.document)
    )
    types = np.concatenate([cases.first_type[rows], cases.second_type[rows]])
    nobody = np.zeros_like(rows)
    of_first, of_second = np.concatenate([cases.n[rows], nobody]), np.concatenate([nobody, cases.n[rows]])
    yield "another", _Table(first, second, document, types, of_first, of_second)


def _habit(spans: SpanFrame, person: int, kind: int | None, compared: Mapping[str, _Compared]) -> Habit:
    figures = {name: table.of(person) for name, table in compared.items()}
    own, others, more_p = figures.pop("marks")
    return Habit(
        annotator=spans.people[person],
        type=None if kind is None else spans.types[kind],
        marks=own,
        others=others,
        more_p=more_p,
        kinds={
            name: KindOfCase(own=mine, others=theirs, p=p)
            for name, (mine, theirs, p) in figures.items()
            if mine or theirs
        },
    )
