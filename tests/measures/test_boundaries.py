"""Boundaries and stretches of recordings: against a literal count, and at the edges of each rule."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportgen.measures import unitizing
from reportgen.measures.unitizing import boundary_agreement
from reportgen.results.marks import BoundaryAgreement, BoundaryShift
from tests.measures.made import value
from tests.measures.unitized import Text, Unit, spans_of
from tests.present import present
from tests.properties import examples


def agreement(
    *texts: Text, tolerance: int | None = 2, roles: Mapping[str, str] | None = None
) -> BoundaryAgreement:
    return present(boundary_agreement(spans_of(texts, types="XY", roles=roles), tolerance))


Thing = TypeVar("Thing")

# A literal count: the most pairs of each pair of annotators and recording, by trying all.


def moments(length: int, units: Sequence[Unit]) -> list[int]:
    return sorted({moment for begin, end, _ in units for moment in (begin, end) if 0 < moment < length})


def most_pairs(one: Sequence[Thing], other: Sequence[Thing], near: set[tuple[Thing, Thing]]) -> int:
    if not one:
        return 0
    first, rest = one[0], one[1:]
    partners = [each for each in other if (first, each) in near]
    without = most_pairs(rest, other, near)
    tried = (1 + most_pairs(rest, [each for each in other if each != two], near) for two in partners)
    return max([without, *tried])


def literal(texts: Sequence[Text], near: int) -> dict[str, tuple[int, int]]:
    """Return twice the pairs and how much there is, of boundaries, stretches and labels."""
    found = dict.fromkeys(("boundaries", "stretches", "labels"), (0, 0))
    for length, copies in texts:
        for one, other in combinations(sorted(copies), 2):
            own, theirs = (moments(length, copies[who]) for who in (one, other))
            close = {(here, there) for here in own for there in theirs if abs(here - there) <= near}
            units = copies[one], copies[other]
            alike = {
                (here, there)
                for here in units[0]
                for there in units[1]
                if abs(here[0] - there[0]) <= near and abs(here[1] - there[1]) <= near
            }
            counted = {
                "boundaries": (most_pairs(own, theirs, close), len(own) + len(theirs)),
                "stretches": (most_pairs(*units, alike), sum(map(len, units))),
                "labels": (
                    most_pairs(*units, {two for two in alike if two[0][2] == two[1][2]}),
                    sum(map(len, units)),
                ),
            }
            for name, (pairs, there) in counted.items():
                found[name] = found[name][0] + 2 * pairs, found[name][1] + there
    return found


def shifts(texts: Sequence[Text], near: int) -> dict[str, list[int]]:
    """Return how much later somebody's boundaries are than others' that are each other's nearest."""
    later: dict[str, list[int]] = {}
    for length, copies in texts:
        for one, other in combinations(sorted(copies), 2):
            own, theirs = (moments(length, copies[who]) for who in (one, other))
            for here in own:
                for there in theirs:
                    nearest = min(theirs, key=lambda each: (abs(here - each), each))
                    back = min(own, key=lambda each: (abs(there - each), each))
                    if nearest == there and back == here and abs(here - there) <= near:
                        later.setdefault(one, []).append(here - there)
                        later.setdefault(other, []).append(there - here)
    return later


@st.composite
def copies(draw: st.DrawFn) -> Text:
    """A recording with stretches of two labels, no two of one copy alike; somebody may not have seen it."""
    length = draw(st.integers(1, 14))
    who = draw(st.sampled_from(["abc", "ab", "bc", "a", ""]))

    def marked() -> list[Unit]:
        found = []
        for kind in "XY":
            cuts = draw(st.lists(st.integers(0, length), max_size=6, unique=True))
            pairs = zip(sorted(cuts)[::2], sorted(cuts)[1::2], strict=False)
            found += [(begin, end, kind) for begin, end in pairs]
        return found

    return length, {name: marked() for name in who}


@given(st.lists(copies(), min_size=1, max_size=4), st.integers(0, 3))
@examples(300, deadline=None)
def test_pairs_and_shifts_are_those_of_a_literal_count(texts: list[Text], near: int) -> None:
    found = boundary_agreement(spans_of(texts, types="XY"), near)
    due = literal(texts, near)
    if not any(units for _, of in texts if len(of) > 1 for units in of.values()):
        assert found is None
        return
    assert found is not None
    assert (found.layer, found.tolerance, found.declared) == ("main", near, True)
    assert found.documents == sum(len(of) > 1 for _, of in texts)
    for name, (twice, there) in due.items():
        figure = getattr(found, name)
        assert figure.value == (twice / there if there else None), name
        assert figure.recomputable is False
        assert figure.units == there
    people = {name for _, of in texts if len(of) > 1 for name in of}
    later = shifts(texts, near)
    shown = sorted(people)[:1] if len(people) == 2 else sorted(people)
    assert [each.annotator for each in found.shifts] == shown
    for shift in found.shifts:
        own = later.get(shift.annotator, [])
        assert shift.boundaries == len(own)
        assert shift.later == (sum(own) / len(own) if own else None)


# What is near.


@pytest.mark.parametrize(("apart", "pairs"), [(2, 2), (3, 1)])
def test_what_is_just_as_far_away_as_the_tolerance_is_near(apart: int, pairs: int) -> None:
    for sign in (-1, 1):
        text = 40, {"a": [(10, 20, "X")], "b": [(10, 20 + sign * apart, "X")]}
        found = agreement(text, tolerance=2)
        assert value(found.boundaries) == pairs / 2
        assert value(found.stretches) == value(found.labels) == (pairs == 2)


def test_the_end_of_a_recording_is_not_near_the_beginning_of_the_next() -> None:
    """Of what both marked to the last moment, and from the first on, no boundary is inside."""
    last = 10, {"a": [(9, 10, "X")], "b": []}
    first = 10, {"a": [], "b": [(0, 1, "X")]}
    for near in (0, 1, 3, 7):
        found = agreement(last, first, tolerance=near)
        assert (value(found.boundaries), value(found.stretches)) == (0, 0)
        assert [shift.boundaries for shift in found.shifts] == [0]


def test_f_has_the_error_of_a_ratio_over_recordings() -> None:
    texts: list[Text] = [
        (40, {"a": [(5, 9, "X")], "b": [(5, end, "X"), *[(at, at + 5, "Y") for at in more]]})
        for end, more in ((9, []), (20, []), (9, [30]), (9, []), (22, [1]), (8, []))
    ]
    found = agreement(*texts, tolerance=1)
    ratios = [literal([text], 1)["boundaries"] for text in texts]
    twice, there = (np.array(column, dtype=float) for column in zip(*ratios, strict=True))
    mean = twice.sum() / there.sum()
    due = math.sqrt(6 / 5 * ((twice - mean * there) ** 2).sum()) / there.sum()
    assert found.boundaries.standard_error == pytest.approx(due)
    alike = agreement(*texts[:1] * 6, tolerance=1)
    # All that there is was paired, so that nothing differs.
    assert str(present(alike.boundaries.interval).undefined).startswith("no disagreement was seen")


def test_nothing_in_a_recording_but_its_ends_has_no_f_of_boundaries() -> None:
    found = agreement((9, {"a": [(0, 9, "X")], "b": [(0, 9, "Y")]}))
    assert found.boundaries.undefined == "nobody marked anything in the documents that two annotators saw"
    assert (value(found.stretches), value(found.labels)) == (1, 0)
    assert found.shifts == (BoundaryShift(annotator="a", boundaries=0),)


@pytest.mark.parametrize(
    ("lengths", "near"),
    [
        ([804], 200),
        ([800], 200),
        ([799], 199),
        ([4], 1),
        ([3], 1),
        ([1], 1),
        ([8, 400], 100),
        ([8, 400, 404], 100),
        ([404, 8, 400, 12], 100),
        ([20, 24, 400], 6),
    ],
)
def test_the_usual_tolerance_is_a_quarter_of_the_median_at_most(lengths: list[int], near: int) -> None:
    ends = np.cumsum(lengths).tolist()
    units = [(end - length, end, "X") for end, length in zip(ends, lengths, strict=True)]
    found = agreement((5000, {"a": units, "b": []}), tolerance=None)
    assert (found.tolerance, found.declared) == (near, False)


def test_no_two_have_marks_of_one_recording() -> None:
    marked: list[Unit] = [(1, 5, "X")]
    apart: list[Text] = [(9, {"a": marked}), (9, {"b": marked})]
    nothing: list[Text] = [(9, {"a": [], "b": []})]
    for texts in (apart, nothing, nothing[:0]):
        assert boundary_agreement(spans_of(texts, types="XY"), 2) is None
    roles = {"b": "reference"}
    assert boundary_agreement(spans_of([(9, {"a": marked, "b": marked})], roles=roles), 2) is None


def test_there_are_figures_of_up_to_fifty_annotators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unitizing, "MOST_ANNOTATORS", 3)
    marked: list[Unit] = [(1, 5, "X")]
    three = spans_of([(9, dict.fromkeys("abc", marked))])
    assert boundary_agreement(three, 2) is not None
    assert boundary_agreement(spans_of([(9, dict.fromkeys("abcd", marked))]), 2) is None


# Who is early.


def shifted(*later: int) -> BoundaryShift:
    """The shift of an annotator whose two boundaries in each recording are later by these."""
    texts: list[Text] = [(100, {"a": [(20 + by, 60 + by, "X")], "b": [(20, 60, "X")]}) for by in later]
    (shift,) = agreement(*texts, tolerance=9).shifts
    return shift


def test_a_shift_has_its_interval_from_six_recordings_on() -> None:
    few = shifted(3, 1, 2, -1, 5)
    assert few == BoundaryShift(annotator="a", boundaries=10, later=2)
    enough = shifted(3, 1, 2, -1, 5, 2)
    mean, error = 2, np.std([3, 1, 2, -1, 5, 2], ddof=1) / math.sqrt(6)
    half = stats.t.ppf(0.975, 5) * error
    assert (enough.boundaries, enough.later) == (12, mean)
    assert enough.low == pytest.approx(mean - half)
    assert enough.high == pytest.approx(mean + half)
    assert enough.p == pytest.approx(stats.ttest_1samp([3, 1, 2, -1, 5, 2], 0).pvalue)


def test_shifts_that_are_all_the_same_have_no_p() -> None:
    alike = shifted(*[2] * 6)
    assert (alike.later, alike.low, alike.high, alike.p) == (2, 2, 2, None)
