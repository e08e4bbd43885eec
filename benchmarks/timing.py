"""Times of several things in turn, so that a busy moment meets them all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Timed:
    """Something to be timed, and how often."""

    run: Callable[[], object]
    repeats: int


def medians(things: Sequence[Timed]) -> list[float]:
    """Return the median of each thing's times in seconds; the caller has warmed them up."""
    times: list[list[float]] = [[] for _ in things]
    for turn in range(max(thing.repeats for thing in things)):
        for place, thing in enumerate(things):
            if turn < thing.repeats:
                start = perf_counter()
                thing.run()
                times[place].append(perf_counter() - start)
    return [median(each) for each in times]
