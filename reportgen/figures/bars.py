"""Signed values as bars to the left and right of nothing, each with its number."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures.style import LIGHT, POINT, WIDTH, fitted, widest, width_of
from reportgen.words.language import told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 160.0
HIGH, BAR, FOOT = 24.0, 0.58, 26.0


@dataclass(frozen=True)
class Bar:
    """A name, a value, and the value as it is written."""

    name: str
    value: float
    shown: str


@dataclass(frozen=True)
class BarPlot:
    """Bars under each other; `axis` says what is left and right of nothing."""

    title: str
    described: str
    bars: Sequence[Bar]
    axis: str

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        return WIDTH, HIGH * len(self.bars) + FOOT

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for names, and for what is written at either end of the bars."""
        names = 8 + widest(fitted(each.name, LONGEST) for each in self.bars)
        room = 8 + widest(each.shown for each in self.bars)
        falls, rises = (any(each.value * sign > 0 for each in self.bars) for sign in (-1, 1))
        return names + room * falls, 2 + room * rises, 0.0, FOOT

    def paint(self, axes: "Axes") -> None:
        """Paint the bars on axes."""
        values = [each.value for each in self.bars]
        low, high = min(0.0, *values), max(0.0, *values)
        axes.set(xlim=(low, high), ylim=(len(values) - 0.5, -0.5), xticks=[])
        axes.set_yticks(range(len(values)), [fitted(each.name, LONGEST) for each in self.bars])
        left, right, _top, _foot = self.margins
        inner = WIDTH - left - right
        names = 8 + widest(fitted(each.name, LONGEST) for each in self.bars)
        axes.tick_params(axis="y", labelcolor=LIGHT["ink"], pad=(left - names + 8) * POINT)
        for place, each in enumerate(self.bars):
            self._bar(axes, place, each, (high - low) * 4 / inner)
        axes.axvline(0, color=LIGHT["ink"], linewidth=0.7)
        half = width_of(self.axis) / 2
        middle = (max(half, min(left + inner / 2, WIDTH - half)) - left) / inner
        axes.set_xlabel(self.axis, x=middle)

    def _bar(self, axes: "Axes", place: int, each: Bar, gap: float) -> None:
        falls = each.value < 0
        colour = LIGHT["series-3" if falls else "series-6"]
        # In grey a bar that falls is lighter, and to the left; one that rises is full.
        (bar,) = axes.barh([place], [each.value], BAR, color=(colour, 0.45 if falls else 1.0))
        bar.set(edgecolor=colour, linewidth=0.75 * falls, gid=told(each.name, each.shown))
        side = "right" if falls else "left"
        axes.text(
            each.value - gap if falls else each.value + gap, place, each.shown, ha=side, va="center_baseline"
        )
