"""Our dataclasses are as Python's, but for what is checked when nothing runs."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from reportgen.base.dataclass import dataclass


def made_by(kind: Callable[..., Any], **choices: bool) -> list[Any]:
    """Return a class of two fields, one of one, and one that is a child of the first."""

    @kind(frozen=True, **choices)
    class Two:
        name: str
        seen: int = dataclasses.field(default=0, compare=False, repr=False)
        rest: tuple[int, ...] = ()

    @kind(frozen=True, **choices)
    class One:
        name: str

    @kind(frozen=True, **choices)
    class Child(Two):
        last: int = 1

        def __repr__(self) -> str:
            return "a child"

    return [Two, One, Child]


OURS, PYTHONS = made_by(dataclass), made_by(dataclasses.dataclass)


@pytest.mark.parametrize("number", range(3))
def test_they_are_written_compared_and_hashed_as_pythons_own(number: int) -> None:
    ours, pythons = ([kind("a"), kind("a"), kind("b")] for kind in (OURS[number], PYTHONS[number]))
    assert list(map(hash, ours)) == list(map(hash, pythons))
    written = [[repr(each).rpartition(".")[2] for each in some] for some in (ours, pythons)]
    assert written[0] == written[1]
    assert ours[0] == ours[1] != ours[2]
    assert ours[0] != pythons[0]
    assert OURS[0]("a", 1) == OURS[0]("a", 2)
    # One in the order of its fields is Python's own.
    ordered = made_by(dataclass, order=True)[number]
    assert ordered("a") < ordered("b")
    with pytest.raises(dataclasses.FrozenInstanceError):
        ordered("a").name = "b"


def test_what_a_class_says_of_itself_stays() -> None:
    @dataclass(frozen=True)
    class Own:  # noqa: PLW1641 - the decorator adds it
        name: str

        def __eq__(self, other: object) -> bool:
            return other == "own"

    assert Own("a") == "own"
    assert hash(Own("a")) == hash(("a",))
    with_identity = made_by(dataclass, eq=False)[0]
    assert with_identity("a") != with_identity("a")
