"""Which groups of annotators are told of: none of too few people, however figures are subtracted."""

from collections import defaultdict
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures.annotators.groups import ToldGroups, told

ATTRIBUTES = ("age", "gender", "L1")
PEOPLE = st.dictionaries(
    st.integers(0, 40).map("p{}".format),
    st.tuples(
        st.dictionaries(st.sampled_from(ATTRIBUTES), st.sampled_from("wxyz")),
        st.frozensets(st.sampled_from(("1.0", "1.1", "2.0")), min_size=1),
    ),
    max_size=40,
)
SMALLEST = st.integers(1, 4)


def of(people: Mapping[str, tuple[Mapping[str, str], frozenset[str]]], smallest: int) -> ToldGroups:
    known = {name: own for name, (own, _) in people.items()}
    return told(ATTRIBUTES, known, {name: there for name, (_, there) in people.items()}, smallest)


def ages(*sizes: int) -> dict[str, dict[str, str]]:
    """Return people of groups of some sizes, by name."""
    return {
        f"{value}{number}": {"age": value}
        for value, size in zip("abcd", sizes, strict=False)
        for number in range(size)
    }


def sizes(people: Mapping[str, Mapping[str, str]], smallest: int = 3) -> dict[str, int]:
    found = told(("age",), people, dict.fromkeys(people, "1.0"), smallest)
    counted: dict[str, int] = defaultdict(int)
    for own in found.of.values():
        counted[own["age"]] += 1
    return dict(counted)


@given(PEOPLE, SMALLEST)
def test_whoever_is_told_of_is_one_of_enough_alike_in_every_version(
    people: Mapping[str, tuple[Mapping[str, str], frozenset[str]]], smallest: int
) -> None:
    # Whatever is subtracted from whatever, what is left is made of such parts, or of people not told of.
    found = of(people, smallest)
    parts: dict[object, int] = defaultdict(int)
    for name, (_, there) in people.items():
        if own := found.of.get(name):
            parts[there, tuple(sorted(own.items()))] += 1
    assert all(size >= smallest for size in parts.values())


@given(PEOPLE, SMALLEST)
def test_who_is_left_out_is_not_what_others_leave(
    people: Mapping[str, tuple[Mapping[str, str], frozenset[str]]], smallest: int
) -> None:
    found = of(people, smallest)
    for place, attribute in enumerate(ATTRIBUTES):
        parts: dict[object, list[str]] = defaultdict(list)
        for name, (_, there) in people.items():
            earlier = tuple(found.of.get(name, {}).get(before) for before in ATTRIBUTES[:place])
            parts[there, earlier].append(name)
        for part in parts.values():
            rest = [name for name in part if attribute not in found.of.get(name, {})]
            hidden = [name for name in rest if attribute in people[name][0]]
            assert not hidden or len(rest) >= smallest or len(rest) == len(part)


@given(PEOPLE, SMALLEST)
def test_what_is_told_stays_what_is_told_in_any_version_alone(
    people: Mapping[str, tuple[Mapping[str, str], frozenset[str]]], smallest: int
) -> None:
    found = of(people, smallest)
    for version in ("1.0", "1.1", "2.0"):
        there = {name: version for name, (_, places) in people.items() if version in places}
        alone = told(ATTRIBUTES, found.of, there, smallest)
        assert alone.of == {name: own for name, own in found.of.items() if name in there}


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        (ages(3, 3), {"a": 3, "b": 3}),
        (ages(5, 2), {}),
        (ages(5, 4, 2), {"a": 5}),
        (ages(5, 4, 2, 1), {"a": 5, "b": 4}),
        (ages(2), {}),
        (ages(5, 2) | {"unknown": {}}, {"a": 5}),
        (ages(5) | {"unknown": {}}, {"a": 5}),
    ],
)
def test_a_small_group_takes_others_with_it_until_nobody_can_count_it(
    people: Mapping[str, Mapping[str, str]], expected: Mapping[str, int]
) -> None:
    assert sizes(people) == expected


def test_one_joins_nobody() -> None:
    assert sizes(ages(5, 1), smallest=1) == {"a": 5, "b": 1}


def test_combinations_of_too_few_are_not_told() -> None:
    genders = "ffmmm" + "ffffm"
    people = {
        name: own | {"gender": gender}
        for (name, own), gender in zip(ages(5, 5).items(), genders, strict=True)
    }
    found = told(("age", "gender"), people, dict.fromkeys(people, 1), 3)
    assert {name: found.written(name) for name in people} == dict.fromkeys(
        [f"a{number}" for number in range(5)], "age=a"
    ) | dict.fromkeys([f"b{number}" for number in range(5)], "age=b")
