"""The CSV tables of references and systems: every figure of every comparison, and every category."""

from collections.abc import Iterator

from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Results
from reportgen.results.comparisons import Comparison

WHO = tuple(
    Column(name, name)
    for name in ("layer", "unit_set", "key", "other", "role", "system", "release", "independent")
)
FIGURES = (
    *WHO,
    Column("documents", "documents", "count"),
    Column("figure", "figure"),
    Column("value", "value", "estimate"),
    Column("humans_pairs", "pairs of annotators", "count"),
    Column("humans", "mean over pairs of annotators on the same units", "estimate"),
)
CATEGORIES = (
    *WHO,
    Column("category", "category"),
    Column("n_key", "units that the key gave it", "count"),
    Column("n_other", "units that the other gave it", "count"),
    Column("n_both", "units that both gave it", "count"),
    Column("precision", "precision", "estimate"),
    Column("recall", "recall", "estimate"),
    Column("specific_agreement", "specific agreement", "estimate"),
    Column("humans", "mean over pairs of annotators", "figure"),
)


def tables(results: Results) -> Iterator[Table]:
    """Yield the CSV tables: every figure of every comparison, one a row, and every category."""
    if results.comparisons is not None:
        pairs = results.comparisons.pairs
        yield Table("comparisons", "", FIGURES, tuple(_figure_rows(pairs)), file="comparisons.csv")
        rows = tuple(_category_rows(pairs))
        yield Table("comparisons-by-category", "", CATEGORIES, rows, file="comparisons-by-category.csv")


def _who(pair: Comparison) -> tuple[Cell, ...]:
    names = (pair.layer, pair.unit_set or "", pair.key, pair.other, pair.role)
    independent = "no" if pair.independent is False else ""
    return (*names, pair.system or "", pair.release or "", independent)


def _figure_rows(pairs: tuple[Comparison, ...]) -> Iterator[tuple[Cell, ...]]:
    for pair in pairs:
        humans = pair.humans
        for name, figure in pair.measures.items():
            beside = (humans.pairs, humans.measures.get(name)) if humans else (None, None)
            yield (*_who(pair), pair.documents, name, figure, *beside)


def _category_rows(pairs: tuple[Comparison, ...]) -> Iterator[tuple[Cell, ...]]:
    for pair in pairs:
        for name, each in pair.by_category.items():
            counts = (each.key, each.other, each.both)
            scores = (each.precision, each.recall, each.specific_agreement)
            yield (*_who(pair), name, *counts, *scores, each.humans.value if each.humans else None)
