"""Unitizing figures as tables, made from results alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import numbers
from reportgen.report.heads import heads
from reportgen.report.language import N_, _, say
from reportgen.report.names import figure_name
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Figure, Results
from reportgen.results.unitizing import Unitizing

# More pairs than these stand in the CSV, and on the page those that agree least.
MOST_PAIRS = 60
LEAST_AGREEING = 20
# What is smaller is written with a power of ten.
LEAST = 0.001
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PEOPLE = (Column("first", N_("First annotator")), Column("second", N_("Second annotator")))


@dataclass(frozen=True)
class UnitizingView:
    """The unitizing figures of one layer."""

    results: Results
    layer: Unitizing

    @cached_property
    def figures(self) -> Table:
        """Return the figures of all annotators, with observed and expected disagreement."""
        columns = (
            Column("figure", _("Figure")),
            Column("value", _("Value [95% interval]"), "estimate"),
            Column("observed", _("Observed disagreement")),
            Column("expected", _("Expected disagreement")),
            Column("units", _("Units"), "count"),
        )
        names = self.results.in_order(self.layer.measures)
        rows = tuple(self._row(name, self.layer.measures[name]) for name in names)
        return Table(f"unitizing-{self.layer.layer}", _("All annotators together."), columns, rows)

    def _row(self, name: str, figure: Figure) -> tuple[Cell, ...]:
        parts = _small(figure.observed), _small(figure.expected)
        return (figure_name(self.results, name), figure, *parts, figure.units)

    @cached_property
    def categories(self) -> Table | None:
        """Return the figures of each category; None where there is one, whose figures are those of all."""
        if len(self.layer.categories) <= 1:
            return None
        found = self.layer.by_category
        names = self.results.in_order({name for own in found.values() for name in own})
        columns = (
            Column("category", _("Category")),
            *(Column(name, self._with_interval(name), "estimate") for name in names),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (category, *(found[category].get(name) for name in names)) for category in self.layer.categories
        )
        return Table(f"unitizing-categories-{self.layer.layer}", _("By category."), columns, rows)

    def _with_interval(self, name: str) -> str:
        return say("{figure} [95% interval]", figure=figure_name(self.results, name))

    @property
    def partly(self) -> bool:
        """Say whether the page shows only the pairs that agree least."""
        return len(self.layer.pairs) > MOST_PAIRS

    @cached_property
    def pairs(self) -> Table | None:
        """Return the figures of every two annotators, or of those that agree least where they are many."""
        shown = sorted(self.layer.pairs, key=lambda pair: _value(pair.measures["alpha_u"]))
        shown = shown[:LEAST_AGREEING] if self.partly else list(self.layer.pairs)
        if not shown:
            return None
        names = self.results.in_order(shown[0].measures)
        columns = (
            *heads(PEOPLE),
            Column("documents", _("Documents"), "count"),
            *(Column(name, self.results.catalogue[name].symbol, "estimate") for name in names),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (*pair.annotators, pair.documents, *(pair.measures[name] for name in names)) for pair in shown
        )
        return Table(f"unitizing-pairs-{self.layer.layer}", _("Every two annotators."), columns, rows)

    @property
    def reasons(self) -> list[tuple[str, str]]:
        """Return why figures of all annotators are undefined."""
        names = self.results.in_order(self.layer.measures)
        found = ((figure_name(self.results, name), self.layer.measures[name].undefined) for name in names)
        return [(name, _(reason)) for name, reason in found if reason]


def _small(value: float | None) -> str:
    """Return a share of the text, or of its square, which may be very small."""
    if value is None or value == 0 or value >= LEAST:
        return numbers.NONE if value is None else numbers.figure(value)
    digits, _e, power = f"{value:.1e}".partition("e")
    return f"{numbers.pointed(digits)} × 10{str(int(power)).translate(RAISED)}"


def _value(figure: Figure) -> float:
    return 1.0 if figure.value is None else figure.value


def unitizing_views(results: Results) -> tuple[UnitizingView, ...]:
    """Return what a page shows of each layer whose texts are cut into units."""
    layers = (results.spans and results.spans.unitizing) or ()
    return tuple(UnitizingView(results, layer) for layer in layers)


def unitizing_tables(results: Results) -> Iterator[Table]:
    """Yield the CSV tables of all layers: figures overall and by category, and those of pairs."""
    layers = (results.spans and results.spans.unitizing) or ()
    if layers:
        yield _overall(results, layers)
    if any(layer.pairs for layer in layers):
        yield _pairs(results, layers)


def _overall(results: Results, layers: tuple[Unitizing, ...]) -> Table:
    """Return every figure as a row; one of all categories together names none."""
    columns = (
        Column("layer", "Layer"),
        Column("category", "Category"),
        Column("figure", "Figure"),
        Column("value", "Value", "estimate"),
    )
    rows: list[tuple[Cell, ...]] = []
    for layer in layers:
        whole = {"": layer.measures} | {name: layer.by_category[name] for name in layer.categories}
        rows += [
            (layer.layer, category, name, own[name])
            for category, own in whole.items()
            for name in results.in_order(own)
        ]
    return Table("unitizing", "", columns, tuple(rows), file="unitizing.csv")


def _pairs(results: Results, layers: tuple[Unitizing, ...]) -> Table:
    columns = (
        Column("layer", "Layer"),
        *PEOPLE,
        Column("documents", "Documents", "count"),
        Column("figure", "Figure"),
        Column("value", "Value", "estimate"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (layer.layer, *pair.annotators, pair.documents, name, pair.measures[name])
        for layer in layers
        for pair in layer.pairs
        for name in results.in_order(pair.measures)
    )
    return Table("unitizing-pairs", "", columns, rows, file="unitizing-pairs.csv")
