"""What a terminal shows: `reportgen agree` as tables, the catalogue's entries, lists."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from reportgen.errors import printable
from reportgen.report import estimate as estimate_text
from reportgen.report import figure as figure_text
from reportgen.results import Definition, Figure, Pair, UnitSet

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MOST_COLUMNS = 12
WIDE = 100


def console(*, error: bool = False) -> "Console":
    """Return a console for standard output or error; colours follow the terminal and NO_COLOR."""
    from rich.console import Console

    plain = Console(stderr=error, highlight=False, markup=False, emoji=False, soft_wrap=True)
    if not plain.is_terminal:
        return Console(stderr=error, highlight=False, markup=False, emoji=False, soft_wrap=True, width=WIDE)
    return plain


def _table(*columns: str) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(Text(printable(column)), justify="left" if place == 0 else "right", overflow="fold")
    return table


def _row(table: "Table", *cells: str) -> None:
    from rich.text import Text

    table.add_row(*(Text(printable(cell)) for cell in cells))


def show_unit_set(unit_set: UnitSet, names: dict[str, str], reading: str, out: "Console") -> None:
    """Print a confusion matrix, every figure and specific agreement of one unit set."""
    out.print(printable(reading))
    parts = [
        f"{len(unit_set.annotators)} annotators",
        f"{unit_set.units:,} units",
        f"{len(unit_set.categories)} categories",
        *([f"{unit_set.documents:,} documents"] if unit_set.documents else []),
    ]
    out.print(", ".join(parts))
    if len(unit_set.pairs) == 1 and len(unit_set.categories) <= MOST_COLUMNS:
        out.print(_confusion(unit_set.pairs[0]))
    out.print(_figures(unit_set, names))
    out.print(_specific(unit_set))
    if len(unit_set.pairs) > 1:
        out.print(_means(unit_set, names))


def _confusion(pair: Pair) -> "Table":
    confusion = pair.confusion
    table = _table(f"{confusion.rows} \\ {confusion.columns}", *confusion.categories, "Total")
    for name, row in zip(confusion.categories, confusion.counts, strict=True):
        _row(table, name, *(f"{value:,}" for value in row), f"{sum(row):,}")
    sums = [sum(column) for column in zip(*confusion.counts, strict=True)]
    _row(table, "Total", *(f"{value:,}" for value in sums), f"{sum(sums):,}")
    return table


def _figures(unit_set: UnitSet, names: dict[str, str]) -> "Table":
    table = _table("figure", "value [95% interval]", "observed", "expected", "standard error")
    for name, figure in unit_set.measures.items():
        shown = figure.undefined if figure.value is None else estimate_text(figure)
        _row(table, names.get(name, name), shown or "", *_details(figure))
    return table


def _details(figure: Figure) -> tuple[str, str, str]:
    parts = (figure.observed, figure.expected, figure.standard_error)
    observed, expected, error = ("" if part is None else figure_text(part) for part in parts)
    return observed, expected, error


def _specific(unit_set: UnitSet) -> "Table":
    table = _table("category", "specific agreement [95% interval]")
    for name, figure in unit_set.specific_agreement.items():
        _row(table, name, estimate_text(figure) if figure.value is not None else figure.undefined or "")
    return table


def _means(unit_set: UnitSet, names: dict[str, str]) -> "Table":
    table = _table("mean over pairs", "value", "pairs")
    for name, mean in unit_set.mean_over_pairs.items():
        _row(table, names.get(name, name), figure_text(mean.value), str(mean.pairs))
    return table


def show_definition(id_: str, definition: Definition, out: "Console") -> None:
    """Print one entry of the catalogue."""
    out.print(f"{definition.name} ({id_})")
    out.print(f"  {definition.answers}")
    out.print(f"  {definition.formula}")
    out.print(f"  Chance model: {definition.chance}.")
    out.print(f"  {definition.assumptions}")
    for work in definition.works:
        out.print(f"  {work.citation}" + (f", doi:{work.doi}" if work.doi else ""))


def show_rows(head: Sequence[str], rows: Iterable[Sequence[str]], out: "Console") -> None:
    """Print rows of text under their heads."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in head:
        table.add_column(Text(column), overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    out.print(table)
