"""What the figures of a unit set depend on beside its counts."""

from collections.abc import Sequence

from reportgen.agreement.analysis import declared_distance
from reportgen.agreement.measure import Setting, ranks_or_values
from reportgen.campaign import DistanceTable
from reportgen.study import CodedUnits, number


def setting_of(units: CodedUnits, tables: Sequence[DistanceTable]) -> Setting:
    """Return what the figures of a unit set depend on beside its counts."""
    numbers = tuple(number(name) for name in units.categories)
    distances = [
        declared_distance(table.id, units.categories, table.rows, table.categories)
        for table in tables
        if set(units.categories) <= set(table.categories)
    ]
    return Setting(
        scale=units.scale,
        non_annotated=units.non_annotated,
        values=ranks_or_values(units.categories, units.scale, numbers),
        distances=tuple(distances),
        sets=units.sets,
        category_count=units.category_count,
    )
