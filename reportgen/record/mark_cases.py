"""From cases of marks that disagree to what results.json says of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from reportgen.agreement import Habit, SpanAgreement, habits
from reportgen.counts import ENDS, NO_ENDS, NO_TYPE, CaseCounts, SpanCounts, tally
from reportgen.study import CASE_KINDS, OMISSION, Codes, Mask, SpanFrame

Row = tuple[int, int | None, int | None, int]


def with_disagreements(
    spans: dict[str, Any] | None,
    agreements: Sequence[SpanAgreement],
    counted: Mapping[str, tuple[SpanCounts, CaseCounts]],
) -> dict[str, Any] | None:
    """Return the part `spans` of results.json with the layers' cases; None where there is no such part."""
    found = [_layer(each, *counted[each.spans.layer]) for each in agreements if each.spans.layer in counted]
    return spans and spans | {"disagreements": found or None}


def _layer(agreement: SpanAgreement, outcomes: SpanCounts, cases: CaseCounts) -> dict[str, Any]:
    spans = agreement.spans
    annotates = np.array([role == "annotator" for role in spans.roles], dtype=np.bool_)
    ours = annotates[cases.first] & annotates[cases.second]
    seen = annotates[outcomes.seen_first] & annotates[outcomes.seen_second]
    return {
        "layer": spans.layer,
        "documents": len(np.unique(outcomes.seen_document[seen])),
        "cases": [_case(spans, row) for row in _whole(cases, ours)],
        "pairs": list(_pairs(agreement, cases)),
        "boundaries": list(_boundaries(spans, cases, ours)),
        "habits": [_habit(spans, each) for each in habits(spans, outcomes, cases)],
    }


def _whole(cases: CaseCounts, kept: Mask) -> Iterator[Row]:
    """Yield the cases of some pairs of people together: whose mark is of which type is not told."""
    low, high = (each(cases.first_type, cases.second_type)[kept] for each in (np.minimum, np.maximum))
    alone = cases.kind[kept] == OMISSION
    first, second = np.where(alone, high, low), np.where(alone, NO_TYPE, high)
    yield from _rows(cases.kind[kept], first, second, cases.n[kept])


def _rows(kind: Codes, first: Codes, second: Codes, n: Codes) -> Iterator[Row]:
    columns, sums = tally([kind, first, second], n)
    for each, one, other, number in zip(*(column.tolist() for column in (*columns, sums)), strict=True):
        yield each, (None if one == NO_TYPE else one), (None if other == NO_TYPE else other), number


def _case(spans: SpanFrame, row: Row) -> dict[str, Any]:
    kind, first, second, n = row
    names = {
        side: None if code is None else spans.types[code]
        for side, code in (("first", first), ("second", second))
    }
    return {"kind": CASE_KINDS[kind], "cases": n, **names}


def _pairs(agreement: SpanAgreement, cases: CaseCounts) -> Iterator[dict[str, Any]]:
    """Yield the cases between every two people who share a document, none where they never disagree."""
    spans = agreement.spans
    people = len(spans.people)
    key = cases.first * people + cases.second
    for pair in agreement.pairs:
        ends = [pair.first * people + pair.second + past for past in (0, 1)]
        here = slice(*np.searchsorted(key, ends).tolist())
        rows = _rows(cases.kind[here], cases.first_type[here], cases.second_type[here], cases.n[here])
        yield {
            "annotators": (spans.people[pair.first], spans.people[pair.second]),
            "roles": (spans.roles[pair.first], spans.roles[pair.second]),
            "cases": [_case(spans, row) for row in rows],
        }


def _boundaries(spans: SpanFrame, cases: CaseCounts, kept: Mask) -> Iterator[dict[str, Any]]:
    """Yield for each type how often which ends differ, the most frequent type first."""
    found: dict[str, Counter[str]] = {}
    rows = kept & (cases.ends != NO_ENDS)
    (kind, ends), n = tally([cases.first_type[rows], cases.ends[rows]], cases.n[rows])
    for code, end, number in zip(kind.tolist(), ends.tolist(), n.tolist(), strict=True):
        found.setdefault(spans.types[code], Counter())[ENDS[end]] += number
    for label in sorted(found, key=lambda label: (-found[label].total(), label)):
        yield {"label": label, **found[label]}


def _habit(spans: SpanFrame, habit: Habit) -> dict[str, Any]:
    names = {
        "annotator": spans.people[habit.annotator],
        "type": None if habit.type is None else spans.types[habit.type],
    }
    return asdict(habit) | names
