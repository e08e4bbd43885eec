"""A scale from 0, or below where something is, to 1: where values stand on it, and which are written."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.results import Figure

# With values far below 0 there is room for fewer numbers.
FAR = -0.2


@dataclass(frozen=True)
class Span:
    """A value with the ends of its interval, which are the value itself where there is none."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Scale:
    """Values from `low` to 1 between two places of a figure; what is below stands at the end."""

    low: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return where a value stands."""
        share = (min(1.0, max(self.low, value)) - self.low) / (1 - self.low)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """Return the values that are written."""
        step = 0.2 if self.low >= FAR else 0.5
        return [round(step * each, 1) for each in range(round(self.low / step), round(1 / step) + 1)]


def lowest(values: Iterable[float]) -> float:
    """Return where a scale begins that has to show some values: at 0, or at a round number below."""
    low = min(values, default=0.0)
    if low >= 0:
        return 0.0
    return FAR if low >= FAR else max(-1.0, math.floor(low * 2) / 2)


def tick(value: float) -> str:
    """Return a number as it is written at a scale."""
    return numbers.pointed(f"{value:g}".replace("-", "−"))


def span(figure: Figure | None) -> Span | None:
    """Return a figure's value and interval; None where it has no value."""
    if figure is None or figure.value is None:
        return None
    found = figure.interval
    if found is None or found.low is None or found.high is None:
        return Span(figure.value, figure.value, figure.value)
    return Span(figure.value, found.low, found.high)
