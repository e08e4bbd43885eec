"""Each of several layers with its verdict, in a row of a table."""

from collections.abc import Iterator

from reportgen.report.language import N_, _
from reportgen.report.names import figure_name
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Results

# The word for a layer's verdict, by how grave it is; what no threshold is for is undecided too.
WORDS = {
    "problem": N_("too low"),
    "warning": N_("undecided"),
    "note": N_("acceptable with caution"),
    "good": N_("high"),
}


def by_layer(results: Results) -> Table:
    """Return the layers in their order, each with its coefficient, interval and verdict in a word."""
    columns = (
        Column("layer", _("Layer")),
        Column("verdict", _("Agreement")),
        Column("value", _("Value [95% interval]"), "estimate"),
        Column("coefficient", _("Coefficient")),
    )
    return Table("verdicts", "", columns, tuple(tuple(_row(results, each)) for each in results.layers))


def _row(results: Results, layer: str) -> Iterator[Cell]:
    own = next(each for each in results.findings if each.id == "layer-verdict" and layer in each.layers)
    coefficient = results.coefficients[layer]
    yield layer
    yield _(WORDS[own.severity])
    yield results.primary_of(layer).measures.get(coefficient)
    yield figure_name(results, coefficient)
