"""Categories and their order, and one label where there are several: each rule at its edge."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from reportgen.campaign import DistanceMatrix, Task
from reportgen.readers import EMPTY_SET, Codes
from reportgen.results.marks import DistanceOrigin
from reportgen.units import LayerSettings
from reportgen.units.categories import (
    LARGEST,
    MOST_APART,
    are_sets,
    category_codes,
    natural_order,
    number,
    of_categories,
    one_label_each,
    order_categories,
    unions,
    unknown_to_distances,
)
from tests.measures.made import FILE, declare
from tests.units.refusals import refusal


def codes(*numbers: int) -> Codes:
    return np.array(numbers, dtype=np.int64)


def asking(*, split: bool = False, separator: str = "|", **task: Any) -> LayerSettings:  # noqa: ANN401 - keys of [task]
    return LayerSettings(Task(**task), (declare(),), {}, {}, FILE, split=split, separator=separator)


# Which categories there are, in which order


def order(labels: str, *, ordered: bool = False, **task: Any) -> str:  # noqa: ANN401 - keys of [task]
    return " ".join(order_categories(labels.split(), Task(**task), FILE, ordered=ordered))


def test_declared_categories_come_first_then_those_that_occur_then_that_of_unmarked_units() -> None:
    assert order("b 10 9 a", categories=("z", "a")) == "z a 9 10 b"
    assert order("b 10 9 a", ordered=True, categories=("z", "a")) == "z a b 10 9"
    assert order("b none a", non_annotated="none") == "a b none"
    assert order("b a", categories=("none", "b"), non_annotated="none") == "b a none"
    assert order("b a", non_annotated="none") == "a b"


@pytest.mark.parametrize(
    ("labels", "ordered", "categories", "expected"),
    [
        ("2 1 10", False, (), "1 2 10"),
        ("low high", True, (), "low high"),
        ("high low", False, ("low", "high"), "low high"),
        ("low high", True, ("low",), "low high"),
        ("3", False, ("1", "2"), "1 2 3"),
    ],
)
def test_an_order_is_the_exports_the_declared_one_or_that_of_numbers(
    labels: str, *, ordered: bool, categories: tuple[str, ...], expected: str
) -> None:
    assert order(labels, ordered=ordered, scale="ordinal", categories=categories) == expected


@pytest.mark.parametrize(
    ("labels", "ordered", "categories", "lost"),
    [
        ("low high", False, (), '"high", "low"'),
        ("1 low", False, (), '"low"'),
        ("low mid", False, ("low",), '"mid"'),
        ("high low", True, ("low",), '"high"'),
        ("1", False, ("2", "3"), '"1"'),
        ("f e d c b a", False, (), '"a", "b", "c", "d", "e"'),
    ],
)
def test_a_place_in_an_order_that_nobody_declares_is_asked_for(
    labels: str, *, ordered: bool, categories: tuple[str, ...], lost: str
) -> None:
    problem = refusal(order, labels, ordered=ordered, scale="ordinal", categories=categories)
    assert (problem.key, problem.file) == ("task.categories", FILE)
    assert problem.message == f"the scale is ordinal and the place of {lost} in its order is not declared."


@pytest.mark.parametrize(
    ("scale", "labels", "what"),
    [
        ("interval", "1 x -2", 'on interval scales every category is a number, and "x" is none.'),
        ("ratio", "1 -2", 'ratio scales start at zero, and "-2" is below it.'),
        ("ratio", "x y", 'on ratio scales every category is a number, and "x", "y" is none.'),
    ],
)
def test_on_scales_of_numbers_categories_are_numbers(scale: str, labels: str, what: str) -> None:
    problem = refusal(order, labels, scale=scale)
    assert (problem.key, problem.message) == ("task.scale", what)
    assert order("0 1", scale="ratio") == "0 1"
    assert order("-1 1", scale="interval") == "-1 1"


@pytest.mark.parametrize(
    ("scale", "remedy"),
    [("interval", "Round"), ("ratio", "Round"), ("ordinal", "Set scale"), ("nominal", "")],
)
def test_distances_between_very_many_categories_are_refused(scale: str, remedy: str) -> None:
    names = tuple(map(str, range(MOST_APART + 1)))
    assert order(" ".join(names[1:]), scale=scale).split() == [*names[1:]]
    for labels, listed in ((names, ()), (names[:9], names)):
        if not remedy:
            assert len(order(" ".join(labels), scale=scale, categories=listed).split()) == len(names)
            continue
        problem = refusal(order, " ".join(labels), scale=scale, categories=listed)
        assert problem.key == "task.categories"
        assert problem.message.startswith("there are 5,001 categories")
        assert problem.remedy.startswith(remedy)


def test_an_inventory_of_labels_that_are_sets_is_counted_rather_than_listed() -> None:
    names = tuple(map(str, range(MOST_APART + 1)))
    for listed, remedy in ((names, "category_count = 5001."), (names[:9], "Compare a part of the units.")):
        problem = refusal(of_categories, names, {}, asking(scale="set", categories=listed))
        assert problem.remedy.endswith(remedy)
    counted = asking(scale="set", category_count=110_000)
    assert of_categories(names[1:], {}, counted) is not None


def test_numbers_are_those_whose_squares_stay_finite() -> None:
    assert (number("1e100"), number("-1e100"), number("1.1e100"), number("nan"), number("x")) == (
        LARGEST,
        -LARGEST,
        *(None, None, None),
    )
    assert natural_order(["b", "10", "9", "a", "-1", "0", "1e101"]) == [
        "-1",
        "0",
        "9",
        "10",
        "1e101",
        "a",
        "b",
    ]
    assert category_codes(["b", "a", "b"], ["a", "b"]).tolist() == [1, 0, 1]


# Several labels on one unit


def single(*marks: tuple[int, int, str], **task: Any) -> list[tuple[int, int, str, bool]]:  # noqa: ANN401 - keys of [task]
    """Return the label of each person on each unit; last, of each mark, whether it counts."""
    labels = natural_order({label for *_, label in marks})
    unit, person, code = np.array(
        [(unit, who, labels.index(label)) for unit, who, label in marks], dtype=np.int64
    ).T
    found = one_label_each(unit, person, code, labels, asking(**task))
    rows = zip(found.unit.tolist(), found.person.tolist(), found.label.tolist(), strict=True)
    counts = found.counts.tolist()
    assert len(counts) == len(marks)
    return [(unit, who, found.labels[label], counts[place]) for place, (unit, who, label) in enumerate(rows)]


def test_labels_on_one_unit_are_joined_unless_one_comes_first() -> None:
    """The first unit that somebody marked is not the first, nor is that the first of all people."""
    marks = ((1, 1, "y"), (1, 1, "x"), (2, 0, "y"), (2, 1, "x"))
    assert [row[:3] for row in single(*marks)] == [(1, 1, "x|y"), (2, 0, "y"), (2, 1, "x")]
    assert [row[:3] for row in single(*marks, priority=("y", "x"))] == [(1, 1, "y"), (2, 0, "y"), (2, 1, "x")]
    assert [row[:3] for row in single((1, 1, "y"), (1, 1, "x"), priority=("x",))] == [(1, 1, "x")]
    # What priority does not name comes behind, by name.
    assert [row[:3] for row in single((0, 0, "b"), (0, 0, "a"), priority=("x",))] == [(0, 0, "a")]


def test_a_mark_counts_whose_label_is_the_first_in_priority() -> None:
    labels = ("x", "y")
    unit, person, label = codes(0, 0, 0, 1), codes(0, 0, 0, 0), codes(1, 0, 1, 1)
    found = one_label_each(unit, person, label, labels, asking(priority=("y",)))
    assert (found.counts.tolist(), found.multiple) == ([True, False, True, True], 1)
    joined = one_label_each(unit, person, label, labels, asking())
    assert (joined.counts.tolist(), joined.multiple) == ([True] * 4, 1)


def test_on_an_ordered_scale_a_unit_has_one_label() -> None:
    for scale in ("ordinal", "interval", "ratio"):
        problem = refusal(single, (0, 0, "1"), (0, 0, "2"), (1, 0, "1"), scale=scale)
        assert problem.key == "task.priority"
        assert f"on {scale} scales a unit has one label, and 1 have several" in problem.message
        assert [row[2] for row in single((0, 0, "1"), (0, 0, "2"), scale=scale, priority=("2",))] == ["2"]
        assert [row[2] for row in single((0, 0, "1"), (1, 0, "2"), scale=scale)] == ["1", "2"]


def test_on_a_scale_of_sets_all_members_are_one_set() -> None:
    marks = ((0, 0, "b"), (0, 0, "a"), (0, 0, "b"), (0, 1, "a"), (1, 0, EMPTY_SET))
    assert [row[:3] for row in single(*marks, scale="set")] == [
        (0, 0, "a|b"), (0, 1, "a"), (1, 0, EMPTY_SET)
    ]  # fmt: skip
    assert [row[:3] for row in single((0, 0, "none"), (0, 0, "a"), scale="set", non_annotated="none")] == [
        (0, 0, "a")
    ]


def sets_of(group: Sequence[int], label: Sequence[int], *members: str) -> list[str]:
    codes_of_groups, sets = unions(codes(*group), codes(*label), [frozenset(each) for each in members])
    return ["".join(sorted(sets[code])) for code in codes_of_groups.tolist()]


def test_the_union_of_labels_has_each_member_once_and_equal_unions_are_one() -> None:
    assert sets_of([0, 0, 1, 2, 2], [0, 1, 2, 1, 0], "ab", "bc", "abc") == ["abc", "abc", "abc"]
    assert sets_of([0, 1, 2], [0, 1, 0], "", "b") == ["", "b", ""]
    assert sets_of([], []) == []


@pytest.mark.parametrize(
    ("labels", "task", "sets"),
    [
        (("a", "b"), {}, True),
        (("a", "b"), {"scale": "ordinal"}, False),
        (("a", "b"), {"priority": ("a",)}, False),
        (("a", "b"), {"categories": ("a", "b", "a|b")}, False),
        (("a", "b"), {"categories": ("a|b",)}, False),
        (("a",), {"categories": ("a|b",)}, True),
        ((), {"categories": ("a", "a|c")}, True),
    ],
)
def test_several_labels_are_a_set_unless_the_campaign_says_what_they_are(
    labels: Sequence[str], task: dict[str, Any], *, sets: bool
) -> None:
    assert are_sets(labels, asking(**task)) is sets


def test_categories_of_sets_know_their_members_and_need_room() -> None:
    used = {"a|b": frozenset("ab")}
    task: dict[str, Any] = {"scale": "set", "categories": ("a+c", "a|b"), "non_annotated": "none"}
    names = ("a+c", "a|b", "d", "none")
    assert of_categories(names, used, asking(split=True, separator="+", **task)) == (
        frozenset("ac"), frozenset("ab"), frozenset("d"), frozenset()
    )  # fmt: skip
    assert of_categories(names, used, asking(**task)) == (
        frozenset(("a+c",)), frozenset("ab"), frozenset("d"), frozenset()
    )  # fmt: skip
    assert of_categories(names, used, asking()) is None
    four = asking(split=True, separator="+", **task, category_count=4)
    assert of_categories(names, used, four) is not None
    problem = refusal(of_categories, names, used, asking(split=True, separator="+", **task, category_count=3))
    assert problem.key == "task.category_count"
    assert problem.message == "is 3, and 4 different categories are declared or used."


# Categories that a table of distances does not know


@pytest.mark.parametrize(
    ("name", "message", "remedy"),
    [
        ("animals", 'does not know the category "animals" of the campaign.', 'Did you mean "animal"?'),
        ("mineral", 'has several concepts called "mineral".', "Give one concept this very name."),
        ("q", 'does not know the category "q" of the campaign.', "Give one concept this very name."),
    ],
)
def test_of_a_taxonomy_a_category_is_one_concept(name: str, message: str, remedy: str) -> None:
    origin = DistanceOrigin(kind="taxonomy", form="Turtle", file="t.ttl", concepts=4, unplaced=("none",))
    rows = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    concepts = ("animal", "plant", "mineral", "minerals")
    table = DistanceMatrix(
        "t", ("animal", "plant", "none"), rows, "", "t.ttl", origin=origin, concepts=concepts
    )
    (problem,) = unknown_to_distances([("animal", name)], [Task()], [(table, "t.ttl")])
    assert (problem.message, problem.remedy) == (message, remedy)


def test_a_taxonomy_belongs_to_a_layer_by_its_concepts_alone() -> None:
    origin = DistanceOrigin(kind="taxonomy", form="Turtle", file="t.ttl", concepts=2, unplaced=("none",))
    table = DistanceMatrix("t", ("animal", "none"), ((0, 1), (1, 0)), "", "t.ttl", origin=origin)
    layers, tasks = [("animal",), ("none", "q")], [Task(), Task()]
    assert unknown_to_distances(layers, tasks, [(table, "t.ttl")]) == []
