"""A confusion matrix drawn: its counts, the darker the larger their share of the row."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures.drawings import on_axes
from reportgen.figures.grid import GridCell, GridPlot
from reportgen.results import Confusion, Pair, Results
from reportgen.words import numbers
from reportgen.words.language import _, say, say_many

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More categories than these are read in the table, not in a figure.
MOST_CELLS = 24
# Cells of nothing are told of up to so many.
LEAST_DESCRIBED = 6


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


class MatrixPlot(GridPlot):
    """A confusion matrix with each row's shares as shades."""

    def __init__(self, table: Confusion) -> None:
        """Keep the table."""
        self.table = table
        self.sides = table.rows, table.columns

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
        said = [each.told for each in self.cells if each.share or small]
        head = say("{first}'s label, then {second}'s.", first=self.table.rows, second=self.table.columns)
        return f"{head} {_('; ').join(said)}."

    @property
    def names(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the categories."""
        return self.table.categories, self.table.categories

    @cached_property
    def cells(self) -> Sequence[GridCell]:
        """Return each cell with its count."""
        names = self.table.categories
        return [
            GridCell(
                row,
                column,
                numbers.count(units),
                units / max(sum(counts), 1),
                say(
                    "{first} and {second}: {count}",
                    first=names[row],
                    second=names[column],
                    count=numbers.count(units),
                ),
            )
            for row, counts in enumerate(self.table.grid)
            for column, units in enumerate(counts)
        ]
