"""A confusion matrix drawn: its counts, the darker the larger their share of the row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reportgen.report.figures.svg import (
    TEXT,
    WIDTH,
    Drawing,
    Said,
    box,
    drawing,
    fitted,
    short,
    width_of,
    words,
)
from reportgen.results import Confusion, Pair
from reportgen.words import numbers
from reportgen.words.language import _, isolated, say, say_many

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
LIGHT, DARKER = 0.04, 0.56


@dataclass(frozen=True)
class Grid:
    """Where the cells of a matrix stand: their size, and the room before and above them."""

    cell: tuple[float, float]
    left: float
    top: float
    upright: bool

    def corner(self, row: float, column: float) -> tuple[float, float]:
        """Return the left upper corner of a cell."""
        return self.left + column * self.cell[0], self.top + row * self.cell[1]


def confusion_heat_map(name: str, pair: Pair) -> Drawing | None:
    """Return the matrix with each row's shares as shades; None for one category, or very many."""
    table = pair.confusion
    size = len(table.categories)
    if not 1 < size <= MOST_CELLS:
        return None
    agreed = sum(units for (row, column), units in table.filled.items() if row == column)
    title = say_many(
        "{first} and {second} agree on {agreed} of {units} unit",
        "{first} and {second} agree on {agreed} of {units} units",
        table.units,
        first=table.rows,
        second=table.columns,
        agreed=numbers.count(agreed),
        units=numbers.count(table.units),
    )
    grid = _grid(table)
    right, foot = grid.corner(size, size)
    beyond = 0.0 if grid.upright else _room(table) * SLANT
    whole = (right + max(1.0, beyond - grid.cell[0] / 2), foot + 1)
    return drawing(name, Said(title, _described(table)), whole, _parts(table, grid))


def _described(table: Confusion) -> str:
    """Return the text alternative; cells of nothing are left out of a large table."""
    small = len(table.categories) <= LEAST_DESCRIBED
    said = [
        say("{first} and {second}: {count}", first=one, second=other, count=numbers.count(count))
        for one, row in zip(table.categories, table.grid, strict=True)
        for other, count in zip(table.categories, row, strict=True)
        if count or small
    ]
    head = say("{first}'s label, then {second}'s.", first=table.rows, second=table.columns)
    return f"{head} {_('; ').join(said)}."


def _room(table: Confusion) -> float:
    return max(width_of(fitted(each, LONGEST)) for each in table.categories)


def _grid(table: Confusion) -> Grid:
    """Return cells as large as there is room for, none smaller than its count."""
    size, names = len(table.categories), _room(table)
    left = 24 + names
    widest = max(width_of(numbers.count(each)) for row in table.grid for each in row) * BOLD + 6
    across = max(LEAST, widest, min(MOST, (WIDTH - left - 1) / size))
    upright = names <= across - 4
    if not upright:
        # The last of the slanted names goes beyond its column.
        room = (WIDTH - left - names * SLANT) / (size - 0.5)
        across = max(LEAST, widest, min(MOST, room))
    above = 20 + (TEXT + 4 if upright else names * SLANT + 8)
    return Grid((across, min(HIGHEST, across)), left, above, upright)


def _parts(table: Confusion, grid: Grid) -> Iterator[ET.Element]:
    yield from _names(table.categories, grid)
    yield from _people(table, grid)
    for row, counts in enumerate(table.grid):
        whole = max(sum(counts), 1)
        for column, count in enumerate(counts):
            yield from _cell(grid, (row, column), count, count / whole)


def _cell(grid: Grid, place: tuple[int, int], count: int, share: float) -> Iterator[ET.Element]:
    corner = grid.corner(*place)
    (x, y), (width, height) = corner, grid.cell
    opacity = f"{LIGHT + DARKER * share:.2f}"
    yield box((x + 0.8, y + 0.8), (width - 1.6, height - 1.6), fill="shade", fill_opacity=opacity)
    bold = {"font_weight": "bold"} if place[0] == place[1] else {}
    middle = (x + width / 2, y + height / 2 + TEXT / 3)
    yield words(middle, numbers.count(count), text_anchor="middle", fill="ink", **bold)


def _names(names: Sequence[str], grid: Grid) -> Iterator[ET.Element]:
    """Yield the names of categories before the rows and above the columns, slanted where they are long."""
    for place, each in enumerate(names):
        shown = fitted(each, LONGEST)
        x, y = grid.corner(place + 0.5, 0)
        yield words((x - 6, y + TEXT / 3), shown, text_anchor="end", fill="ink")
        x, y = grid.corner(0, place + 0.5)
        if grid.upright:
            yield words((x, y - 6), shown, text_anchor="middle", fill="ink")
        else:
            turned = f"rotate(-45 {short(x + 3)} {short(y - 5)})"
            yield words((x + 3, y - 5), shown, transform=turned, fill="ink")


def _people(table: Confusion, grid: Grid) -> Iterator[ET.Element]:
    """Yield whose labels the columns are, and the rows."""
    size = len(table.categories)
    across, down = size * grid.cell[0], size * grid.cell[1]
    x, y = grid.corner(0, 0)
    # Beside slanted names there is no room above the middle of the columns.
    above = (x + across / 2, TEXT) if grid.upright else (0, TEXT)
    anchor = "middle" if grid.upright else "start"
    yield words(above, f"{isolated(fitted(table.columns, across + x))} →", text_anchor=anchor)
    turned = f"rotate(-90 {TEXT:g} {short(y + down / 2)})"
    yield words(
        (TEXT, y + down / 2),
        f"← {isolated(fitted(table.rows, max(down, 60) - 16))}",
        text_anchor="middle",
        transform=turned,
    )
