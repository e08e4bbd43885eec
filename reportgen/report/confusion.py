"""Matrices of categories by categories: a pair's confusion matrix, and how large ones are folded.

With many categories those that annotators confuse stand first and beside each other; a page shows as many
as can be read and sums up the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Confusion, Pair
from reportgen.words import numbers
from reportgen.words.language import _, say_many

SHADES = 9
# With more categories a matrix is folded; those of several layers share the room of a page.
MOST = 12
MOST_TOGETHER, FEWEST_TOGETHER = 30, 5
# So it is where their names are too long to head so many columns; fewer columns than these say nothing.
MOST_LETTERS, LETTERS_FOLDED, FEWEST = 180, 120, 4
# With more the whole matrix is too heavy for a page, and stands in the CSV alone.
MOST_WHOLE = 100

Counts = list[list[float]]
Shown = TypeVar("Shown")


def confusion(slug: str, pair: Pair) -> ReportTable | None:
    """Return a pair's confusion matrix with margins; shades are shares of all disagreements.

    None where it is too large for a page and for a table of its own.
    """
    table = pair.confusion
    if table.counts is None and len(table.categories) > MOST_WHOLE:
        return None
    counts = table.grid
    columns = (
        TableColumn("category", f"{table.rows} \\ {table.columns}"),
        *(TableColumn(name, name, "count") for name in table.categories),
        TableColumn("total", _("Total"), "count"),
    )
    rows: list[tuple[Cell, ...]] = [
        (name, *row, sum(row)) for name, row in zip(table.categories, counts, strict=True)
    ]
    sums = [sum(column) for column in zip(*counts, strict=True)]
    return ReportTable(
        id=f"confusion-{slug}",
        caption=_caption(table),
        columns=columns,
        rows=(*rows, (_("Total"), *sums, sum(sums))),
        file=f"confusion.{slug}.csv",
        total=True,
        shades=tuple(_shades(counts)),
    )


def _caption(table: Confusion) -> str:
    return say_many(
        "{count} unit; rows {rows}, columns {columns}.",
        "{count} units; rows {rows}, columns {columns}.",
        table.units,
        count=numbers.count(table.units),
        rows=table.rows,
        columns=table.columns,
    )


def _shades(counts: Sequence[Sequence[int]]) -> Iterator[tuple[int | None, ...]]:
    beside = (value for i, row in enumerate(counts) for j, value in enumerate(row) if i != j)
    most = max(beside, default=0)
    for i, row in enumerate(counts):
        shades = [None if i == j or not most else round(SHADES * value / most) for j, value in enumerate(row)]
        yield (None, *shades, None)
    yield (None,) * (len(counts) + 2)


def by_confusion(table: ReportTable) -> list[int]:
    """Return the places of a matrix's categories, the most confused first and each beside its likest.

    Next comes what is confused most with the last one, else with any before it.
    """
    both = _both_ways(table)
    ranked = sorted(range(len(both)), key=lambda place: -max(both[place]))
    order, left = ranked[:1], dict.fromkeys(ranked[1:])
    near = both[order[0]] if order else []
    while left:
        last, before = both[order[-1]], near
        following = max(left, key=lambda place: (last[place], before[place]))
        del left[following]
        order.append(following)
        near = [max(pair) for pair in zip(near, both[following], strict=True)]
    return order


def _both_ways(table: ReportTable) -> Counts:
    """Return how often two categories meet, in either direction; a category and itself count nothing."""
    width = len(table.columns) - 2
    counts = [
        [float(cell) if isinstance(cell, int | float) else 0.0 for cell in row[1:-1]] for row in table.rows
    ]
    return [[counts[i][j] + counts[j][i] if i != j else 0.0 for j in range(width)] for i in range(width)]


def most_of(layers: int) -> int:
    """Return how many categories of a matrix a page shows, where it has one for each of so many layers."""
    return min(MOST, max(FEWEST_TOGETHER, MOST_TOGETHER // (layers + 1)))


def shown(table: ReportTable, most: int = MOST) -> ReportTable | None:
    """Return a matrix as a page can show it: folded where it is large; None where names are too long."""
    titles = [len(column.title) for column in table.columns]
    if len(titles) - 2 <= most and sum(titles) <= MOST_LETTERS:
        return table
    order = by_confusion(table)
    fitting = next((each for each in range(most, FEWEST - 1, -1) if _fits(titles, order[:each])), None)
    return folded(table, order, fitting) if fitting else None


def _fits(titles: Sequence[int], places: Sequence[int]) -> bool:
    return titles[0] + titles[-1] + sum(titles[1 + place] for place in places) <= LETTERS_FOLDED


def whole(table: ReportTable, most: int = MOST) -> ReportTable | None:
    """Return a folded matrix unfolded, in the same order; None where it is not folded, or too large."""
    count = len(table.columns) - 2
    return reordered(table, by_confusion(table)) if most < count <= MOST_WHOLE else None


def reordered(table: ReportTable, order: Sequence[int]) -> ReportTable:
    """Return a matrix with its categories in another order."""
    width = len(table.columns) - 2
    columns = [0, *(1 + place for place in order), width + 1]
    rows = [*order, *range(width, len(table.rows))]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in columns),
        rows=_taken(table.rows, rows, columns),
        shades=_taken(table.shades, rows, columns),
        links=_taken(table.links, rows, columns),
    )


def _taken(
    cells: Sequence[Sequence[Shown]], rows: Sequence[int], columns: Sequence[int]
) -> tuple[tuple[Shown, ...], ...]:
    return tuple(tuple(cells[row][place] for place in columns) for row in rows) if cells else ()


def folded(table: ReportTable, order: Sequence[int], most: int) -> ReportTable:
    """Return a matrix of the first categories of an order, all others being one row and one column."""
    found, width = reordered(table, order), len(order)
    if width <= most:
        return found
    others = say_many("{count} other", "{count} others", width - most, count=numbers.count(width - most))
    kept = [*found.rows[:most], _summed(others, found.rows[most:width]), *found.rows[width:]]
    return replace(
        found,
        columns=(
            *found.columns[: most + 1],
            TableColumn("others", others, found.columns[1].kind),
            found.columns[-1],
        ),
        rows=tuple(_row(row, most) for row in kept),
        shades=_folded(found.shades, most, width),
        links=_folded(found.links, most, width),
    )


def _summed(name: str, rows: Sequence[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    return (name, *(_sum(column) for column in list(zip(*rows, strict=True))[1:]))


def _sum(cells: Sequence[Cell]) -> float:
    return sum(cell for cell in cells if isinstance(cell, int | float))


def _row(row: tuple[Cell, ...], most: int) -> tuple[Cell, ...]:
    return (*row[: most + 1], _sum(row[most + 1 : -1]), row[-1])


def _folded(
    cells: Sequence[tuple[Shown | None, ...]], most: int, width: int
) -> tuple[tuple[Shown | None, ...], ...]:
    """Return shades or links of a folded matrix: what is summed up has none."""
    if not cells:
        return ()
    rows = [*cells[:most], (None,) * len(cells[0]), *cells[width:]]
    return tuple((*row[: most + 1], None, row[-1]) for row in rows)
