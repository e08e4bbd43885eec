"""What is there: a value that may be None, and must not be."""

from typing import TypeVar

Thing = TypeVar("Thing")


def present(thing: Thing | None) -> Thing:
    """Return a thing that has to be there."""
    assert thing is not None
    return thing
