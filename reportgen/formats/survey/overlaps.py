"""Whether marks of different types stand on the same characters."""

from collections.abc import Iterable, Iterator, Sequence

from reportgen.formats.copies import Copy, Mark

Stretch = tuple[int, int, str, int]


def share_of_overlaps(copies: Iterable[Copy]) -> float:
    """Return the share of marks in texts that share characters with a mark of another type in their copy."""
    marks = overlapping = 0
    for copy in copies:
        marks += sum(bool(mark.spans) for mark in copy.marks)
        overlapping += len(_overlapping(copy.marks))
    return overlapping / marks if marks else 0.0


def _overlapping(marks: Sequence[Mark]) -> set[int]:
    """Return the numbers of the marks that overlap one of another type.

    Of two that overlap one starts within the other: looked at from the left, its start is before the
    furthest end of a type; looked at from the right, the nearest start of a type is before its end.
    """
    stretches = [
        (start, end, mark.type, number)
        for number, mark in enumerate(marks)
        for start, end in mark.spans
        if start < end
    ]
    return {*_starting_within(sorted(stretches)), *_holding_a_start(sorted(stretches, reverse=True))}


def _starting_within(stretches: Sequence[Stretch]) -> Iterator[int]:
    furthest: dict[str, int] = {}
    for start, end, name, number in stretches:
        if any(start < reached for other, reached in furthest.items() if other != name):
            yield number
        furthest[name] = max(end, furthest.get(name, 0))


def _holding_a_start(stretches: Sequence[Stretch]) -> Iterator[int]:
    nearest: dict[str, int] = {}
    for start, end, name, number in stretches:
        if any(begun < end for other, begun in nearest.items() if other != name):
            yield number
        nearest[name] = start
