"""Tables as shades, the darker a cell the larger its share: confusion matrices, annotators by annotators."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reportgen.base.dataclass import dataclass
from reportgen.figures.drawings import PlainPlot, on_axes
from reportgen.figures.intervals import boxes
from reportgen.figures.style import LETTERS, LIGHT, POINT, WIDTH, Look, fitted, listed, widest
from reportgen.results import Confusion, Pair, Results
from reportgen.words import numbers
from reportgen.words.language import _, isolated, named_value, say, say_many
from reportgen.words.names import confusion_shown, figure_name

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
    title: str
    url: str | None = None


def grid_plot(
    words: tuple[str, str],
    names: tuple[Sequence[str], Sequence[str]],
    cells: Sequence[GridCell],
    sides: tuple[str, str] = ("", ""),
) -> PlainPlot:
    """Return cells by rows and columns, whose `names` these are; `words` are title and data in words.

    `sides` say what the rows are, and the columns.
    """
    rows, columns = ([fitted(name, LONGEST) for name in side] for side in names)
    # The room for what names the sides.
    edge = 20.0 if any(sides) else 6.0
    left, across = 4 + edge + widest(rows), _across(rows, columns, cells, edge)
    cell, slanted = (across, min(HIGHEST, across)), widest(columns) * SLANT
    upright = widest(columns) <= across - 4
    top = edge + (LETTERS + 4 if upright else slanted + 8)
    margins = (left, max(1.0, 0.0 if upright else slanted - across / 2), top, 1.0)
    inner = across * len(columns), cell[1] * len(rows)

    def paint(axes: "Axes") -> None:
        axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
        axes.set_yticks([row + 0.5 for row in range(len(rows))], rows)
        axes.xaxis.tick_top()
        look: Look = {} if upright else {"rotation": 45, "ha": "left", "rotation_mode": "anchor"}
        axes.set_xticks([column + 0.5 for column in range(len(columns))], columns, **look)
        axes.tick_params(labelcolor=LIGHT["ink"], pad=5 * POINT)
        for cell_of_grid in cells:
            _paint_cell(axes, cell_of_grid, cell, bold=any(sides) and cell_of_grid.row == cell_of_grid.column)
        if any(sides):
            # Beside slanted names there is no room above the middle of the columns.
            _name_sides(axes, sides, margins, inner, 0.5 if upright else -left / inner[0])

    size = (left + inner[0] + margins[1], top + inner[1] + margins[3])
    return PlainPlot(*words, size, margins, paint)


def _across(rows: Sequence[str], columns: Sequence[str], cells: Sequence[GridCell], edge: float) -> float:
    """Return how wide cells are: as wide as there is room for, none narrower than what is in it."""
    size, names, left = len(columns), widest(columns), 4 + edge + widest(rows)
    least = max(LEAST, widest(cell.shown for cell in cells) * BOLD + 6)
    across = max(least, min(MOST, (WIDTH - left - 1) / size))
    if names <= across - 4:
        return across
    # The last of the slanted names goes beyond its column.
    return max(least, min(MOST, (WIDTH - left - names * SLANT) / (size - 0.5)))


def _paint_cell(axes: "Axes", content: GridCell, cell: tuple[float, float], *, bold: bool) -> None:
    wide, high = (GAP / side for side in cell)
    box = (content.column + wide, content.row + high, content.column + 1 - wide, content.row + 1 - high)
    shade = (LIGHT["wash"], round(PALEST + DARKER * content.share, 2))
    look: Look = {"facecolor": shade, "gid": content.title}
    axes.add_patch(boxes([box], **look | ({"url": content.url} if content.url else {})))
    look = {"ha": "center", "va": "center_baseline", "fontweight": "bold" if bold else "normal"}
    axes.text(content.column + 0.5, content.row + 0.5, content.shown, **look)


def _name_sides(
    axes: "Axes", sides: tuple[str, str], margins: Sequence[float], inner: tuple[float, float], x: float
) -> None:
    """Write whose labels the columns are, from `x` on or about it, and the rows."""
    (left, _right, top, _foot), (row, column), (across, down) = margins, sides, inner
    look: Look = {"color": LIGHT["muted"], "transform": axes.transAxes}
    columns = f"{isolated(fitted(column, across + left))} →"
    side = "left" if x < 0 else "center"
    axes.text(x, 1 + (top - LETTERS) / down, columns, ha=side, va="baseline", **look)
    rows = f"← {isolated(fitted(row, max(down, 60) - 16))}"
    turned: Look = {"rotation": 90, "rotation_mode": "anchor", "ha": "center"}
    axes.text(-(left - LETTERS) / across, 0.5, rows, **turned, **look)


# Confusion matrices


# More categories than these are read in the table, not in a figure.
MOST_CELLS = 24
# Up to so many empty cells are described.
LEAST_DESCRIBED = 6


def confusion_matrix(
    results: Results, ax: "Axes | None" = None, *, layer: str | None = None, pair: int = 0
) -> "Axes | None":
    """Return the confusion matrix of a pair of annotators of a layer, by its number in the results.

    None where there is no such pair, for one category, and for very many.
    """
    pairs = results.primary_of(layer or results.layers[0]).pairs
    return on_axes(of_pair(pairs[pair]) if pair < len(pairs) else None, ax)


def of_pair(pair: Pair) -> PlainPlot | None:
    """Return the matrix of a pair, disagreements as shades; None for one category and very many."""
    table = confusion_shown(pair)
    if not 1 < len(table.categories) <= MOST_CELLS:
        return None
    agreed = sum(units for (row, column), units in pair.confusion.filled.items() if row == column)
    title = say_many(
        "{first} and {second} agree on {agreed} of {units} {unit|units}",
        table.units,
        first=table.rows,
        second=table.columns,
        agreed=numbers.count(agreed),
        units=numbers.count(table.units),
    )
    cells = list(_counts(table))
    # The description of a large table leaves out empty cells.
    small = len(table.categories) <= LEAST_DESCRIBED
    head = say("{first}'s label, then {second}'s.", first=table.rows, second=table.columns)
    description = f"{head} {listed(cell.title for cell in cells if cell.shown != '0' or small)}"
    return grid_plot((title, description), (table.categories,) * 2, cells, (table.rows, table.columns))


def _counts(table: Confusion) -> Iterator[GridCell]:
    names, apart = table.categories, [n for (row, column), n in table.filled.items() if row != column]
    for row, counts in enumerate(table.grid):
        for column, units in enumerate(counts):
            shown = numbers.count(units)
            words = say("{first} and {second}: {count}", first=names[row], second=names[column], count=shown)
            # Agreement has no shade: beside it all disagreements would look alike.
            share = units / max(apart) if row != column and units else 0.0
            yield GridCell(row, column, shown, share, words)


# Annotators by annotators, and by layers


# Fewer annotators are one pair, more are too wide for a page.
FEWEST, MOST_PEOPLE = 3, 12
STRICT = "f_measure"

# Two people, by their names in either order, and their agreement.
ByPair = Mapping[frozenset[str], float]
Links = Mapping[frozenset[str], str]


def pairwise_agreement(
    results: Results, ax: "Axes | None" = None, *, layer: str | None = None, links: Links | None = None
) -> "Axes | None":
    """Return the agreement of every two annotators of a layer as a matrix of shades.

    It is the primary coefficient; of marks whose units nobody can count, the F-measure. `links` are the
    addresses of pairs. None where there is one pair, or more than a page is wide.
    """
    return on_axes(of_pairs(results, layer or results.layers[0], links or {}), ax)


def of_pairs(results: Results, layer: str, links: Links) -> PlainPlot | None:
    """Return the matrix of a layer, None where it has too few or too many annotators."""
    unit_set, coefficient = results.primary_of(layer), results.coefficients[layer]
    by_pair = {
        frozenset(pair.annotators): figure.value
        for pair in unit_set.pairs
        if (figure := pair.measures.get(coefficient)) and figure.value is not None
    }
    name = figure_name(results, coefficient)
    if not by_pair:
        by_pair, name = _of_marks(results, layer), _("F, strict")
    people = [annotator for annotator in unit_set.annotators if any(annotator in pair for pair in by_pair)]
    if not FEWEST <= len(people) <= MOST_PEOPLE:
        return None
    cells = [
        _cell(row, column, f"{annotator} / {other}", by_pair[pair], links.get(pair))
        for row, annotator in enumerate(people)
        for column, other in enumerate(people)
        if (pair := frozenset((annotator, other))) in by_pair
    ]
    description = listed(cell.title for cell in cells if cell.row < cell.column)
    return grid_plot((_least_pair(by_pair, name), description), (people, people), cells)


def _of_marks(results: Results, layer: str) -> dict[frozenset[str], float]:
    return {
        frozenset(pair.annotators): value
        for pair in (results.spans.pairs if results.spans else ())
        if pair.layer == layer and (value := pair.strict[STRICT].value) is not None
    }


def _least_pair(by_pair: ByPair, name: str) -> str:
    """Return who agree least; where that is no single pair, from where to where the pairs go."""
    least, *others = sorted(by_pair, key=lambda pair: (by_pair[pair], sorted(pair)))
    value = numbers.short(by_pair[least])
    if not others or by_pair[others[0]] == by_pair[least]:
        return say(
            "{count} pairs of annotators agree between {least} and {most}",
            count=numbers.count(len(by_pair)),
            least=value,
            most=numbers.short(max(by_pair.values())),
        )
    first, second = sorted(least)
    return say(
        "{first} and {second} agree least: {figure} {value}",
        first=first,
        second=second,
        figure=name,
        value=value,
    )


def _cell(row: int, column: int, name: str, value: float, link: str | None = None) -> GridCell:
    shown = numbers.short(value)
    return GridCell(row, column, shown, min(1.0, max(0.0, value)), named_value(name, shown), link)
