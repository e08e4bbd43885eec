"""In what way marks disagree, and who makes more: against loops over the cases of some people."""

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts import ENDS, NO_ENDS, NO_SHAPE, SHAPES, CaseCounts
from reportgen.measures import mark_disagreements
from reportgen.measures.significance_tests import exchange_p
from reportgen.results.marks import CASE_KINDS, Habit, MarkDisagreements
from tests.measures.test_spans_by_definition import THREE, TYPES, Layer, as_drawn
from tests.present import present
from tests.properties import examples

OMITTED = CASE_KINDS.index("omission")


class Case(NamedTuple):
    """A row of counts of cases; types are -1 where somebody has no mark."""

    first: int
    second: int
    document: int
    kind: int
    first_type: int
    second_type: int
    ends: int
    shape: int
    n: int


def cases_of(layer: Layer, seed: int) -> list[Case]:
    drawn = random.Random(seed)  # noqa: S311 - made-up marks
    rows: list[Case] = []
    for two in layer.pairs:
        for document in layer.documents(two):
            for _ in range(drawn.randint(0, 4)):
                kind, n = drawn.randrange(4), drawn.randint(1, 3)
                one, other = drawn.sample(range(3), 2)
                more: tuple[int, ...]
                if CASE_KINDS[kind] == "boundary":
                    more = one, one, drawn.randrange(4), drawn.randrange(2 * len(SHAPES))
                elif kind == OMITTED:
                    types = (one, -1) if drawn.random() < 0.5 else (-1, one)
                    more = *types, NO_ENDS, NO_SHAPE
                else:
                    more = one, other, NO_ENDS, NO_SHAPE
                rows.append(Case._make((*two, document, kind, *more, n)))
    return sorted(rows)


# Type, start (0) or end (1), how far apart, and how many pairs.
FAR = [
    *((0, 0, 0, 5), (0, 0, 2, 1), (0, 1, 0, 3), (0, 1, 4, 3)),
    *((1, 0, 0, 6), (1, 1, 0, 6), (2, 0, 1, 9), (2, 1, 3, 9)),
]


def disagreements(
    layer: Layer, rows: Sequence[Case], far: Sequence[tuple[int, int, int, int]] = FAR
) -> MarkDisagreements:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 9).T
    apart = np.array(far, dtype=np.int64).reshape(-1, 4).T
    counts = CaseCounts(*columns, distances=(apart[0], apart[1], apart[2], apart[3]))
    return mark_disagreements(layer.analysed, layer.counts, counts)


def name(kind: int) -> str | None:
    return None if kind < 0 else TYPES[kind]


Told = tuple[str, str | None, str | None]


@given(st.integers(0, 10**6))
@examples(100)
def test_cases_are_those_of_a_literal_count(seed: int) -> None:
    layer = as_drawn(seed)
    rows = cases_of(layer, seed)
    found = disagreements(layer, rows)
    assert found.layer == "main"
    both = [two for two in layer.pairs if layer.annotators(two)]
    assert found.documents == len({document for two in both for document in layer.documents(two)})
    of_all: Counter[Told] = Counter()
    ends: dict[str, Counter[str]] = {}
    for row in rows:
        if layer.annotators((row.first, row.second)):
            types = sorted((row.first_type, row.second_type))
            types = types[::-1] if row.kind == OMITTED else types
            of_all[CASE_KINDS[row.kind], name(types[0]), name(types[1])] += row.n
            if row.ends != NO_ENDS:
                ends.setdefault(TYPES[row.first_type], Counter())[ENDS[row.ends]] += row.n
    assert {(case.kind, case.first, case.second): case.cases for case in found.cases} == of_all
    assert {each.label: Counter({end: getattr(each, end) for end in ENDS}) for each in found.boundaries} == {
        label: Counter({end: own[end] for end in ENDS}) for label, own in ends.items()
    }
    order = [(-ends[each.label].total(), each.label) for each in found.boundaries]
    assert order == sorted(order)
    assert [pair.annotators for pair in found.pairs] == [
        (layer.people[one], layer.people[other]) for one, other in layer.pairs
    ]
    for pair, two in zip(found.pairs, layer.pairs, strict=True):
        assert pair.roles == (layer.roles[two[0]], layer.roles[two[1]])
        own: Counter[Told] = Counter()
        for row in rows:
            if (row.first, row.second) == two:
                own[CASE_KINDS[row.kind], name(row.first_type), name(row.second_type)] += row.n
        assert {(case.kind, case.first, case.second): case.cases for case in pair.cases} == own


def test_distances_of_ends_are_those_of_each_type_the_most_frequent_first() -> None:
    found = disagreements(THREE, [])
    assert [(each.label, each.starts, each.ends) for each in present(found.distances)] == [
        ("Z", ((1, 9),), ((3, 9),)),
        ("X", ((0, 5), (2, 1)), ((0, 3), (4, 3))),
        ("Y", ((0, 6),), ((0, 6),)),
    ]
    assert disagreements(THREE, [], ()).distances is None


# Habits: for each table, what is the first's and what the second's in a row, and of which types it is.
Share = Callable[[Case], tuple[int, int]]


def shaped(shape: str) -> Share:
    places = 2 * SHAPES.index(shape), 2 * SHAPES.index(shape) + 1
    return lambda row: (row.n * (row.shape == places[0]), row.n * (row.shape == places[1]))


def omitted(row: Case) -> tuple[int, int]:
    here = row.kind == OMITTED
    return row.n * (here and row.first_type >= 0), row.n * (here and row.second_type >= 0)


TABLES: dict[str, Share] = {
    **{shape: shaped(shape) for shape in SHAPES},
    "elsewhere": lambda row: (row.n * (row.shape == 2 * SHAPES.index("elsewhere")),) * 2,
    "omitted": omitted,
}
# Whose, document, type, and how much is theirs and the others'.
Part = tuple[int, int, int, int, int, int]


def parts(layer: Layer, rows: Sequence[Case], table: str) -> list[Part]:
    """Return for every two and each document and type what is the first's and what the second's."""
    if table == "marks":
        return [
            (*key, found[0] + found[1] + found[2], found[0] + found[1] + found[3])
            for key, found in layer.outcomes.items()
        ]
    if table == "another":
        differ = [row for row in rows if CASE_KINDS[row.kind] in {"type", "both"}]
        return [
            part
            for row in differ
            for part in (
                (row.first, row.second, row.document, row.first_type, row.n, 0),
                (row.first, row.second, row.document, row.second_type, 0, row.n),
            )
        ]
    return [
        (*row[:3], row.second_type if row.first_type < 0 else row.first_type, *TABLES[table](row))
        for row in rows
    ]


def habit(
    layer: Layer, rows: Sequence[Case], table: str, who: int, kind: int | None
) -> tuple[int, int, float | None]:
    """Return what is somebody's, what the others', and the p value of the difference."""
    took_part = np.zeros((len(layer.saw), len(layer.roles)), dtype=np.bool_)
    for two in layer.pairs:
        if layer.annotators(two):
            for document in layer.documents(two):
                took_part[document, list(two)] = True
    sums = np.zeros(took_part.shape, dtype=np.int64)
    mine = theirs = 0
    for first, second, document, own, one, other in parts(layer, rows, table):
        if layer.annotators((first, second)) and kind in {None, own}:
            sums[document, first] += one - other
            sums[document, second] -= one - other
            if who in {first, second}:
                mine += one if who == first else other
                theirs += other if who == first else one
    return mine, theirs, exchange_p(sums, took_part, who)


@given(st.integers(0, 10**6))
@examples(100)
def test_habits_are_those_of_a_literal_count(seed: int) -> None:
    layer = as_drawn(seed)
    rows = cases_of(layer, seed)
    found = disagreements(layer, rows).habits
    people = [who for who, role in enumerate(layer.roles) if role == "annotator"]
    shown = people[:1] if len(people) == 2 else people
    if len(people) < 2:
        assert found == ()
        return
    used = sorted({key[3] for key in layer.outcomes if layer.annotators(key[:2])})
    due = [
        (who, kind)
        for who in shown
        for kind in (None, *used)
        if kind is None
        or any(who in key[:2] and key[3] == kind and layer.annotators(key[:2]) for key in layer.outcomes)
    ]
    assert [(each.annotator, each.type) for each in found] == [
        (layer.people[who], None if kind is None else TYPES[kind]) for who, kind in due
    ]
    for each, (who, kind) in zip(found, due, strict=True):
        assert (each.marks, each.others, each.more_p) == habit(layer, rows, "marks", who, kind)
        kinds = {
            table: own
            for table in (*SHAPES, "omitted", "another")
            if any((own := habit(layer, rows, table, who, kind))[:2])
        }
        assert {table: (own.own, own.others, own.p) for table, own in each.kinds.items()} == kinds


def test_there_are_habits_of_up_to_fifty_annotators(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["reportgen.measures.mark_disagreements"]
    monkeypatch.setattr(module, "MOST_ANNOTATORS", 2)
    assert isinstance(disagreements(THREE, []).habits[0], Habit)
    monkeypatch.setattr(module, "MOST_ANNOTATORS", 1)
    assert disagreements(THREE, []).habits == ()
