"""Who marks longer, and who marks more: each annotator against the others on the same documents, tested."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.analysis import MOST_ANNOTATORS
from reportgen.agreement.spans.analysis import ANNOTATOR
from reportgen.agreement.two.signs import signs_p
from reportgen.counts import FIRST_LONGER, OUTCOMES, SECOND_LONGER, CaseCounts, SpanCounts
from reportgen.study import Codes, Mask, SpanFrame

PAIR = 2
MATCH, OVERLAP, ONLY_FIRST, ONLY_SECOND = range(len(OUTCOMES))


@dataclass(frozen=True)
class Habit:
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


def habits(spans: SpanFrame, outcomes: SpanCounts, cases: CaseCounts) -> tuple[Habit, ...]:
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


def _habits_of(person: int, lengths: Sequence[Codes], marks: Sequence[Codes]) -> Iterator[Habit]:
    for kind in (None, *np.unique(marks[1]).tolist()):
        longer, shorter, longer_p = _compared(lengths, kind)
        own, others, more_p = _compared(marks, kind)
        yield Habit(person, kind, longer, shorter, longer_p, own, others, more_p)


def _compared(table: Sequence[Codes], kind: int | None) -> tuple[int, int, float | None]:
    """Return what is somebody's and what the others', with the p value of the difference."""
    document, types, own, others = table
    rows = np.full(len(types), fill_value=True) if kind is None else types == kind
    sums = np.zeros(int(document.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(sums, document[rows], own[rows] - others[rows])
    return int(own[rows].sum()), int(others[rows].sum()), signs_p(sums)
