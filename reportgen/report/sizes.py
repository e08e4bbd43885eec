"""Figures by the number of units, which the size of the non-annotated category decides."""

from collections.abc import Sequence

from reportgen.report import numbers
from reportgen.report.contents import slug, suffix
from reportgen.report.language import _, say
from reportgen.report.names import figure_name
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Results, UnitSet

# How many times the largest declared size a table goes up to.
CURVE_FACTORS = (1, 10, 100)


def size_table(results: Results, unit_sets: Sequence[UnitSet], names: Sequence[str]) -> Table | None:
    """Return figures at the sizes that are declared, at some others, and in the limit."""
    curves = [each.size_curve for each in unit_sets if each.size_curve]
    if not curves:
        return None
    curve = max(curves, key=lambda each: each.declared)
    labels: dict[int, str] = {curve.sizes[0]: _("no unmarked unit")}
    labels |= {each.size_curve.declared: each.id for each in unit_sets if each.size_curve}
    for factor in CURVE_FACTORS[1:]:
        near = min(curve.sizes, key=lambda size: abs(size - factor * curve.declared))
        labels[near] = say("about {factor} times {size}", factor=factor, size=numbers.count(curve.declared))
    rows: list[tuple[Cell, ...]] = [
        (label, size, *(curve.values[name][curve.sizes.index(size)] for name in names))
        for size, label in sorted(labels.items())
        if size in curve.sizes
    ]
    rows.append((_("without bound"), None, *(curve.limit.get(name) for name in names)))
    columns = (
        Column("label", _("Unit set")),
        Column("size", _("Units"), "count"),
        *(Column(name, figure_name(results, name), "figure") for name in names),
    )
    return Table(
        f"sizes{suffix(unit_sets)}",
        _("Figures by the number of units; only jointly unmarked units are added."),
        columns,
        tuple(rows),
    )


def size_curve_rows(results: Results, unit_set: UnitSet) -> Table | None:
    """Return the whole size curve, for the CSV."""
    curve = unit_set.size_curve
    if curve is None:
        return None
    names = results.in_order(curve.values)
    columns = (Column("size", _("Units"), "count"), *(Column(name, name, "figure") for name in names))
    rows = [(size, *(curve.values[name][place] for name in names)) for place, size in enumerate(curve.sizes)]
    limit: tuple[Cell, ...] = ("limit", *(curve.limit.get(name) for name in names))
    name = slug(unit_set)
    return Table(f"size-curve-{name}", "", columns, (*rows, limit), file=f"size-curve.{name}.csv")
