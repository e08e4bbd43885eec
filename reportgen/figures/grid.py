"""A table drawn: names of rows and columns, and a cell for both, the darker the larger its share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures.intervals import boxes
from reportgen.figures.style import LETTERS, LIGHT, POINT, WIDTH, Look, fitted, widest
from reportgen.words.language import isolated

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 110.0
LEAST, MOST = 26.0, 64.0
HIGHEST = 40.0
BOLD = 1.1
# How wide and high a slanted text is, as a share of its length.
SLANT = 0.72
# The lightest and the darkest shade: text on the darkest has a contrast of 4.5 still.
PALEST, DARKER = 0.04, 0.56
# The gap between cells, in pixels.
GAP = 0.8


@dataclass(frozen=True)
class GridCell:
    """A cell: its place, what is written in it, how dark it is from 0 to 1, all of it in words, its link."""

    row: int
    column: int
    shown: str
    share: float
    told: str
    url: str | None = None


class GridPlot(ABC):
    """Cells by rows and columns; `sides` names what the rows are, and the columns."""

    sides: tuple[str, str] = ("", "")

    @property
    @abstractmethod
    def names(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the names of rows, and of columns."""

    @property
    @abstractmethod
    def cells(self) -> Sequence[GridCell]:
        """Return the cells that are drawn."""

    @cached_property
    def _names(self) -> tuple[list[str], list[str]]:
        rows, columns = ([fitted(each, LONGEST) for each in names] for names in self.names)
        return rows, columns

    @property
    def _edge(self) -> float:
        """Return the room for what names the sides."""
        return 20.0 if any(self.sides) else 6.0

    @cached_property
    def cell(self) -> tuple[float, float]:
        """Return the size of cells: as large as there is room for, none smaller than what is in it."""
        rows, columns = self._names
        size, names = len(columns), widest(columns)
        left = 4 + self._edge + widest(rows)
        least = max(LEAST, widest(each.shown for each in self.cells) * BOLD + 6)
        across = max(least, min(MOST, (WIDTH - left - 1) / size))
        if names > across - 4:
            # The last of the slanted names goes beyond its column.
            across = max(least, min(MOST, (WIDTH - left - names * SLANT) / (size - 0.5)))
        return across, min(HIGHEST, across)

    @property
    def _upright(self) -> bool:
        return widest(self._names[1]) <= self.cell[0] - 4

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for the names of rows and columns."""
        rows, columns = map(widest, self._names)
        above = self._edge + (LETTERS + 4 if self._upright else columns * SLANT + 8)
        beyond = 0.0 if self._upright else columns * SLANT - self.cell[0] / 2
        return 4 + self._edge + rows, max(1.0, beyond), above, 1.0

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        left, right, top, foot = self.margins
        rows, columns = map(len, self._names)
        return left + self.cell[0] * columns + right, top + self.cell[1] * rows + foot

    def paint(self, axes: "Axes") -> None:
        """Paint cells, what is in them, and names on axes."""
        rows, columns = self._names
        axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
        axes.set_yticks([place + 0.5 for place in range(len(rows))], rows)
        axes.xaxis.tick_top()
        slanted: Look = {} if self._upright else {"rotation": 45, "ha": "left", "rotation_mode": "anchor"}
        axes.set_xticks([place + 0.5 for place in range(len(columns))], columns, **slanted)
        axes.tick_params(labelcolor=LIGHT["ink"], pad=5 * POINT)
        for each in self.cells:
            self._cell(axes, each)
        if any(self.sides):
            self._sides(axes)

    def _cell(self, axes: "Axes", each: GridCell) -> None:
        wide, high = (GAP / side for side in self.cell)
        box = (each.column + wide, each.row + high, each.column + 1 - wide, each.row + 1 - high)
        look: Look = {"facecolor": (LIGHT["wash"], round(PALEST + DARKER * each.share, 2)), "gid": each.told}
        axes.add_patch(boxes([box], **look | ({"url": each.url} if each.url else {})))
        weight = "bold" if any(self.sides) and each.row == each.column else "normal"
        place = (each.column + 0.5, each.row + 0.5)
        axes.text(*place, each.shown, ha="center", va="center_baseline", fontweight=weight)

    def _sides(self, axes: "Axes") -> None:
        """Write whose labels the columns are, and the rows."""
        (left, _right, top, _foot), (row, column) = self.margins, self.sides
        across, down = (len(each) * side for each, side in zip(self._names[::-1], self.cell, strict=True))
        # Beside slanted names there is no room above the middle of the columns.
        x = 0.5 if self._upright else -left / across
        look: Look = {"color": LIGHT["muted"], "transform": axes.transAxes}
        columns = f"{isolated(fitted(column, across + left))} →"
        side = "center" if self._upright else "left"
        axes.text(x, 1 + (top - LETTERS) / down, columns, ha=side, va="baseline", **look)
        rows = f"← {isolated(fitted(row, max(down, 60) - 16))}"
        turned: Look = {"rotation": 90, "rotation_mode": "anchor", "ha": "center"}
        axes.text(-(left - LETTERS) / across, 0.5, rows, **turned, **look)
