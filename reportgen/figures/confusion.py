"""A confusion matrix drawn: its counts, the darker the larger their share of the row."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures.drawings import on_axes
from reportgen.figures.intervals import boxes
from reportgen.figures.style import LETTERS, LIGHT, POINT, WIDTH, Look, fitted, widest
from reportgen.results import Confusion, Pair, Results
from reportgen.words import numbers
from reportgen.words.language import _, isolated, say, say_many

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More categories than these are read in the table, not in a figure.
MOST_CELLS = 24
# Cells of nothing are told of up to so many.
LEAST_DESCRIBED = 6
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


def confusion_matrix(
    results: Results, ax: "Axes | None" = None, *, layer: str | None = None, pair: int = 0
) -> "Axes | None":
    """Return the confusion matrix of a pair of annotators of a layer, by its number in the results.

    None where there is no such pair, for one category, and for very many.
    """
    found = results.primary_of(layer or results.layers[0]).pairs
    return on_axes(of_pair(found[pair]) if pair < len(found) else None, ax)


def of_pair(pair: Pair) -> "MatrixPlot | None":
    """Return the matrix of a pair, None for one category and for very many."""
    table = pair.confusion
    if not 1 < len(table.categories) <= MOST_CELLS:
        return None
    return MatrixPlot(table)


@dataclass(frozen=True)
class MatrixPlot:
    """A confusion matrix with each row's shares as shades."""

    table: Confusion

    @property
    def title(self) -> str:
        """Return on how much the two agree."""
        table = self.table
        agreed = sum(units for (row, column), units in table.filled.items() if row == column)
        return say_many(
            "{first} and {second} agree on {agreed} of {units} unit",
            "{first} and {second} agree on {agreed} of {units} units",
            table.units,
            first=table.rows,
            second=table.columns,
            agreed=numbers.count(agreed),
            units=numbers.count(table.units),
        )

    @property
    def described(self) -> str:
        """Return the counts in words; cells of nothing are left out of a large table."""
        small = len(self.table.categories) <= LEAST_DESCRIBED
        said = [text for _row, _column, count, text in self._cells() if count or small]
        head = say("{first}'s label, then {second}'s.", first=self.table.rows, second=self.table.columns)
        return f"{head} {_('; ').join(said)}."

    def _cells(self) -> Iterator[tuple[int, int, int, str]]:
        """Yield each cell: its row, its column, its count, and all of it in words."""
        names = self.table.categories
        for row, counts in enumerate(self.table.grid):
            for column, count in enumerate(counts):
                pair = {"first": names[row], "second": names[column]}
                yield (
                    row,
                    column,
                    count,
                    say("{first} and {second}: {count}", **pair, count=numbers.count(count)),
                )

    @cached_property
    def _names(self) -> list[str]:
        return [fitted(each, LONGEST) for each in self.table.categories]

    @cached_property
    def cell(self) -> tuple[float, float]:
        """Return the size of cells: as large as there is room for, none smaller than its count."""
        size, names = len(self._names), widest(self._names)
        left = 24 + names
        least = max(LEAST, widest(numbers.count(each) for row in self.table.grid for each in row) * BOLD + 6)
        across = max(least, min(MOST, (WIDTH - left - 1) / size))
        if names > across - 4:
            # The last of the slanted names goes beyond its column.
            across = max(least, min(MOST, (WIDTH - left - names * SLANT) / (size - 0.5)))
        return across, min(HIGHEST, across)

    @property
    def _upright(self) -> bool:
        return widest(self._names) <= self.cell[0] - 4

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for the names of rows and columns."""
        names = widest(self._names)
        above = 20 + (LETTERS + 4 if self._upright else names * SLANT + 8)
        beyond = 0.0 if self._upright else names * SLANT - self.cell[0] / 2
        return 24 + names, max(1.0, beyond), above, 1.0

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        left, right, top, foot = self.margins
        count = len(self._names)
        return left + self.cell[0] * count + right, top + self.cell[1] * count + foot

    def paint(self, axes: "Axes") -> None:
        """Paint cells, their counts, and names on axes."""
        count = len(self._names)
        axes.set(xlim=(0, count), ylim=(count, 0))
        middles = [place + 0.5 for place in range(count)]
        axes.set_yticks(middles, self._names)
        axes.xaxis.tick_top()
        slanted: Look = {} if self._upright else {"rotation": 45, "ha": "left", "rotation_mode": "anchor"}
        axes.set_xticks(middles, self._names, **slanted)
        axes.tick_params(labelcolor=LIGHT["ink"], pad=5 * POINT)
        wide, high = (GAP / each for each in self.cell)
        for row, column, units, text in self._cells():
            share = units / max(sum(self.table.grid[row]), 1)
            box = (column + wide, row + high, column + 1 - wide, row + 1 - high)
            shade = (LIGHT["wash"], round(PALEST + DARKER * share, 2))
            axes.add_patch(boxes([box], facecolor=shade, gid=text))
            weight = "bold" if row == column else "normal"
            place = (column + 0.5, row + 0.5)
            axes.text(*place, numbers.count(units), ha="center", va="center_baseline", fontweight=weight)
        self._people(axes)

    def _people(self, axes: "Axes") -> None:
        """Write whose labels the columns are, and the rows."""
        (left, _right, top, _foot), count = self.margins, len(self._names)
        across, down = count * self.cell[0], count * self.cell[1]
        # Beside slanted names there is no room above the middle of the columns.
        x = 0.5 if self._upright else -left / across
        look: Look = {"color": LIGHT["muted"], "transform": axes.transAxes}
        columns = f"{isolated(fitted(self.table.columns, across + left))} →"
        side = "center" if self._upright else "left"
        axes.text(x, 1 + (top - LETTERS) / down, columns, ha=side, va="baseline", **look)
        rows = f"← {isolated(fitted(self.table.rows, max(down, 60) - 16))}"
        turned: Look = {"rotation": 90, "rotation_mode": "anchor", "ha": "center"}
        axes.text(-(left - LETTERS) / across, 0.5, rows, **turned, **look)
