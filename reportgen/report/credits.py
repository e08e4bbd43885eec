"""Precision, recall and F with credit for close types, as tables made from results alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.report.heads import heads
from reportgen.report.language import N_, say
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Results, SpanPair
from reportgen.results.credits import CreditFigures, SpanCredit

MODES = ("strict", "lenient", "average")
SHARES = ("precision", "recall", "f_measure", "error_rate")
F = "f_measure"
FILE = "spans-credit.csv"
COLUMNS = (
    Column("first", N_("First (key)")),
    Column("second", N_("Second (response)")),
    Column("coextensive", N_("Same text, other type"), "count"),
    Column("overlap", N_("Overlapping, other type"), "count"),
    Column("precision", N_("Precision, strict"), "figure"),
    Column("recall", N_("Recall, strict"), "figure"),
    Column("strict", N_("F, strict [95% interval]"), "estimate"),
    Column("lenient", N_("F, lenient"), "figure"),
    Column("average", N_("F, average"), "figure"),
)


@dataclass(frozen=True)
class CreditView:
    """Credit by one distance in one layer: what is said of it, and its table, None where nobody is compared.

    `bdm` says whether the distances are 1 - BDM.
    """

    facts: SpanCredit
    table: Table | None
    bdm: bool
    file: str = FILE


def credit_table(
    layer: str, distance: str, pairs: Sequence[SpanPair], names: Sequence[tuple[str, ...]]
) -> Table | None:
    """Return the figures of pairs of people, under the names that a page gives them; None where none is."""
    rows = tuple(
        (*shown, *_row(pair.credits[distance]))
        for pair, shown in zip(pairs, names, strict=True)
        if pair.credits and distance in pair.credits
    )
    caption = say(
        "With credit by {distance} for pairs of different types: f_measure[strict,{distance}] and so on.",
        distance=distance,
    )
    return Table(f"span-credit-{distance}-{layer}", caption, heads(COLUMNS), rows) if rows else None


def _row(figures: CreditFigures) -> tuple[Cell, ...]:
    strict = figures.strict
    shares: tuple[Cell, ...] = (strict["precision"].value, strict["recall"].value, strict[F])
    pairs = (figures.pairs.coextensive, figures.pairs.overlap)
    return (*pairs, *shares, figures.lenient[F].value, figures.average[F].value)


def tables(results: Results) -> Iterator[Table]:
    """Yield the CSV table of every figure with credit, under its full id."""
    rows = tuple(row for pair in (results.spans.pairs if results.spans else ()) for row in _rows(pair))
    if rows:
        columns = (
            Column("layer", "Layer"),
            Column("first", "First"),
            Column("second", "Second"),
            Column("figure", "Figure"),
            Column("value", "Value", "estimate"),
        )
        yield Table("spans-credit", "", columns, rows, file=FILE)


def _rows(pair: SpanPair) -> Iterator[tuple[Cell, ...]]:
    for distance, figures in (pair.credits or {}).items():
        by_mode = {"strict": figures.strict, "lenient": figures.lenient, "average": figures.average}
        for mode in MODES:
            for name in SHARES:
                figure = f"{name}[{mode},{distance}]"
                yield (pair.layer, *pair.annotators, figure, by_mode[mode][name])
