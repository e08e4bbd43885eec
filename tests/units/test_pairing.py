"""Which marks are partners: the best pairing against all pairings, and against GATE's."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from reportgen.units import Pairing, Spans, pair_marks
from tests.units.marked import Marks, copy, spans_of

TEXT = "abcdefghijklmnopqrstuvwxyz"

Found = list[tuple[int, int, str]]


def paired(first: Marks, second: Marks) -> tuple[Spans, Pairing]:
    spans = spans_of(copy("a", TEXT, first), copy("b", TEXT, second))
    return spans, pair_marks(spans)


SPANS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from("XXY")).map(
        lambda each: (min(each[:2]), max(each[:2]), each[2])
    ),
    max_size=4,
    unique=True,
)


def best(first: Found, second: Found) -> tuple[int, int, int]:
    """Matches, overlaps and common characters of the best of all pairings."""
    return max(scores(first, second), default=(0, 0, 0))


def scores(first: Found, second: Found) -> Iterator[tuple[int, int, int]]:
    padded: Sequence[tuple[int, int, str] | None] = [*second, *([None] * len(first))]
    for partners in permutations(padded, len(first)):
        pairs = [(one, other) for one, other in zip(first, partners, strict=True) if other is not None]
        kinds = [kind_of(*pair) for pair in pairs]
        if all(kinds):
            shared = sum(min(a[1], b[1]) - max(a[0], b[0]) for a, b in pairs)
            yield kinds.count("match"), kinds.count("overlap"), shared


def kind_of(one: tuple[int, int, str], other: tuple[int, int, str]) -> str:
    if one[2] != other[2]:
        return ""
    if one[:2] == other[:2]:
        return "match"
    return "overlap" if min(one[1], other[1]) > max(one[0], other[0]) else ""


@given(SPANS, SPANS)
def test_no_pairing_is_better(first: Found, second: Found) -> None:
    spans, pairing = paired(first, second)
    ends = {mark: place for place, mark in enumerate(spans.span_mark.tolist())}
    shared = sum(
        min(int(spans.span_end[ends[a]]), int(spans.span_end[ends[b]]))
        - max(int(spans.span_start[ends[a]]), int(spans.span_start[ends[b]]))
        for a, b in zip(pairing.first.tolist(), pairing.second.tolist(), strict=True)
    )
    assert (int(pairing.exact.sum()), int((~pairing.exact).sum()), shared) == best(first, second)
    assert len(set(pairing.first.tolist())) == len(pairing.first)
    assert len(set(pairing.second.tolist())) == len(pairing.second)


@given(SPANS, SPANS)
def test_greedy_differs_by_what_a_simulation_of_it_finds(first: Found, second: Found) -> None:
    _, pairing = paired(first, second)
    matches, overlaps, _ = best(first, second)
    greedy = simulated(sorted(first), sorted(second))
    differs = sum(pairing.differs.values())
    more, others = matches - greedy[0], overlaps - greedy[1]
    alone = 2 * max(-more - others, 0)
    # Where marks far from each other differ in opposite ways, there are more differences than their sum.
    assert differs >= max(more, 0) + max(others, 0) + alone
    assert differs or (more, others) == (0, 0)


def simulated(key: Found, response: Found) -> tuple[int, int]:
    """GATE's AnnotationDiffer, told from its description: scores first, then best first."""
    values = {"match": 3, "overlap": 2}
    choices = [
        (i, j, values[kind])
        for i, one in enumerate(key)
        for j, other in enumerate(response)
        if (kind := kind_of(one, other))
    ]
    scored = [
        (value - sum(v for x, y, v in choices if (x == i) != (y == j)), place, i, j, value)
        for place, (i, j, value) in enumerate(choices)
    ]
    taken: list[tuple[int, int, int]] = []
    for _, _, i, j, value in sorted(scored, reverse=True):
        if all(i != x and j != y for x, y, _ in taken):
            taken.append((i, j, value))
    return sum(v == 3 for *_, v in taken), sum(v == 2 for *_, v in taken)
