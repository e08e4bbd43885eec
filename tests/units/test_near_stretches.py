"""Marks of recordings: stretches of several people whose ends are near are one unit."""

import random
from collections.abc import Mapping
from itertools import pairwise, permutations

import numpy as np
import pytest

from reportgen.measures.unitizing import boundary_agreement
from reportgen.units import CodedUnits, LayerUnits, Spans
from reportgen.units.segmentation import usual_tolerance
from tests.present import present
from tests.units.marked import Marks, annotations, copy, rated, study

LENGTH = 100_000


def recorded(*, tolerance: str | None = "100 ms", **marks: Marks) -> LayerUnits:
    """The study of what each person marked in one recording."""
    return recorded_by(marks, tolerance)


def recorded_by(marks: Mapping[str, Marks], tolerance: str | None = "100 ms") -> LayerUnits:
    """The same, by their names."""
    copies = [copy(who, "", own, length=LENGTH) for who, own in marks.items()]
    return study(annotations(*copies), "annotated-by-any", tolerance=tolerance)


def units_of(found: LayerUnits) -> CodedUnits:
    (units,) = found.unit_sets
    return units


def labels(found: LayerUnits) -> list[dict[str, str]]:
    return [own for _, own in rated(units_of(found))]


NONE = "(unmarked)"


@pytest.mark.parametrize(("late", "alike"), [(100, True), (101, False)])
def test_marks_are_one_unit_where_both_ends_are_within_the_tolerance(late: int, alike: bool) -> None:  # noqa: FBT001
    found = recorded(a=[(1000, 2000, "x")], b=[(1000 + late, 2000, "x")])
    apart = [{"a": "x", "b": NONE}, {"a": NONE, "b": "x"}]
    assert labels(found) == ([{"a": "x", "b": "x"}] if alike else apart)
    ends = recorded(a=[(1000, 2000, "x")], b=[(1000, 2000 - late, "y")])
    assert sorted(map(len, labels(ends))) == [2] * (2 - alike)
    assert ({"a": "x", "b": "y"} in labels(ends)) == alike


def test_each_mark_is_one_with_the_nearest_and_with_no_second() -> None:
    found = recorded(
        a=[(1000, 1500, "x"), (1080, 1580, "y")], b=[(1070, 1570, "y"), (1030, 1500, "x"), (1090, 1590, "z")]
    )
    assert labels(found) == [{"a": "x", "b": "x"}, {"a": "y", "b": "y"}, {"a": NONE, "b": "z"}]


def test_a_unit_is_where_whoever_has_most_marks_marked_it_whatever_they_are_called() -> None:
    marks = [(1000, 2000, "x")], [(1090, 2000, "x")], [(1180, 2000, "x"), (910, 2000, "y")]
    for names in permutations("abc"):
        one, other, most = names
        found = recorded_by(dict(zip(names, marks, strict=True)))
        assert labels(found) == [{one: "x", other: NONE, most: "y"}, {one: NONE, other: "x", most: "x"}]
        assert units_of(found).places.names == ("0.910–2.000 s", "1.180–2.000 s")


def test_of_those_with_as_many_marks_whose_begin_or_end_first_comes_first() -> None:
    for begins in ((1000, 1090, 1180), (1180, 1000, 1090)):
        found = recorded_by({who: [(begin, 2000, "x")] for who, begin in zip("abc", begins, strict=True)})
        assert units_of(found).places.names == ("1.000–2.000 s", "1.180–2.000 s")
    for stops in ((2000, 2090, 2180), (2180, 2000, 2090)):
        found = recorded_by({who: [(1000, stop, "x")] for who, stop in zip("abc", stops, strict=True)})
        assert units_of(found).places.names == ("1.000–2.000 s", "1.000–2.180 s")


def test_without_a_tolerance_it_is_the_usual_one() -> None:
    assert usual_tolerance(np.array([], dtype=np.int64)) == 200
    assert usual_tolerance(np.array([1, 400, 9000])) == 100
    for lengths, near in (([3], 1), ([4], 1), ([8], 2), ([799], 199), ([800], 200), ([9000], 200)):
        assert usual_tolerance(np.array(lengths)) == near
    assert usual_tolerance(np.array([400, 100])) == 100, "of two the longer"
    assert len(labels(recorded(tolerance=None, a=[(1000, 1400, "x")], b=[(1100, 1500, "x")]))) == 1
    assert len(labels(recorded(tolerance=None, a=[(1000, 1400, "x")], b=[(1101, 1500, "x")]))) == 2


@pytest.mark.parametrize("seed", range(20))
def test_as_many_stretches_are_one_as_f_of_stretches_counts(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - made data

    def cut() -> list[tuple[int, int, str]]:
        ends = [begin + draw.randint(-150, 150) for begin in range(1000, 60_000, 1000)]
        every = [(begin, end, draw.choice("xy")) for begin, end in pairwise(ends)]
        return [mark for mark in every if draw.random() < 0.9]

    a, b = cut(), cut()
    found = recorded(a=a, b=b)
    assert isinstance(found.spans, Spans)
    near = present(boundary_agreement(found.spans, 100))
    both = [own for own in labels(found) if NONE not in own.values()]
    assert 2 * len(both) / (len(a) + len(b)) == pytest.approx(present(near.stretches.value))
    alike = [own for own in both if own["a"] == own["b"]]
    assert 2 * len(alike) / (len(a) + len(b)) == pytest.approx(near.labels.value)
