"""What the figures of a unit set depend on beside its counts: its scale, and the distances on it."""

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, fields
from functools import lru_cache

import numpy as np

from reportgen.campaign import DistanceMatrix
from reportgen.campaign.bdm import Score
from reportgen.counts import ContingencyTable
from reportgen.measures import distances
from reportgen.measures.distances import CategoryDistance, set_distances
from reportgen.measures.estimate import Floats
from reportgen.readers import Codes
from reportgen.results import DistanceTable
from reportgen.results.marks import DistanceOrigin
from reportgen.results.model import csv_text
from reportgen.units import NO_CATEGORY, CodedUnits, number

SCALES = ("nominal", "ordinal", "interval", "ratio", "set")


@dataclass(frozen=True, eq=False)
class Setting:
    """What measures depend on beside counts.

    `values` (categories,) are the categories' values or ranks, None on a nominal scale; `distances` the
    declared tables; `non_annotated` the code of that category, NO_CATEGORY without one. On a scale of sets
    `sets` has the members of each category, and `category_count` is how many members there are to choose
    from, None where the campaign does not say.
    """

    scale: str = "nominal"
    non_annotated: int = NO_CATEGORY
    values: Floats | None = None
    distances: tuple[CategoryDistance, ...] = ()
    sets: tuple[frozenset[str], ...] | None = None
    category_count: int | None = None


def ranks_or_values(
    categories: tuple[str, ...], scale: str, numbers: tuple[float | None, ...]
) -> Floats | None:
    """Return each category's rank on an ordinal scale, its value on an interval or ratio scale, else None.

    A category that is no number (the non-annotated one) has NaN, and is left out of what uses values.
    """
    if scale == "ordinal":
        return np.arange(len(categories), dtype=np.float64)
    if scale in ("interval", "ratio"):
        return np.array([np.nan if value is None else value for value in numbers])
    return None


def setting_of(units: CodedUnits, tables: Sequence[DistanceMatrix]) -> Setting:
    """Return what the figures of a unit set depend on beside its counts."""
    numbers = tuple(number(name) for name in units.categories)
    declared = [
        declared_distance(table.id, units.categories, table.rows, table.categories)
        for table in tables
        if set(units.categories) <= set(table.categories)
    ]
    return Setting(
        scale=units.scale,
        non_annotated=units.non_annotated,
        values=ranks_or_values(units.categories, units.scale, numbers),
        distances=tuple(declared),
        sets=units.sets,
        category_count=units.category_count,
    )


def declared_distance(
    name: str, categories: Sequence[str], matrix: Sequence[Sequence[float]], of: Sequence[str]
) -> CategoryDistance:
    """Return a declared distance table over `categories`, rows and columns of the table being `of`.

    Raises ValueError for a category that the table does not know; study/ has checked before.
    """
    places = np.array([list(of).index(category) for category in categories], dtype=np.int64)
    table = np.array(matrix, dtype=np.float64)
    return CategoryDistance(name, table[np.ix_(places, places)])


def scale_distances(totals: Codes, setting: Setting, ratings: float = 2.0) -> list[CategoryDistance]:
    """Return alpha's distances on the scale of the study, given how often each category was used.

    `ratings` is how many a unit has on average.
    `totals` and the distances leave the non-annotated category out, which has no place on a scale; of sets
    it is the empty one, and is left in.
    """
    if setting.sets is not None:
        return set_distances(setting.sets)
    if setting.values is None:
        return []
    kept = np.arange(len(setting.values)) != setting.non_annotated
    values = setting.values[kept]
    if setting.scale == "ordinal":
        return [distances.ordinal(totals, ratings), distances.circular(values)]
    if setting.scale == "ratio":
        return [distances.interval(values), distances.ratio(values), distances.circular(values)]
    return [distances.interval(values), distances.circular(values)]


@lru_cache(maxsize=2)
def weights_of(setting: Setting) -> tuple[CategoryDistance, ...]:
    """Return the distances of the kappas, S and AC2 on the scale of the study, under Gwet's names (2014).

    They leave the non-annotated category out, as `scale_distances` do.
    """
    if setting.values is None:
        return tuple(scale_distances(np.zeros(0, dtype=np.int64), setting))
    values = setting.values[np.arange(len(setting.values)) != setting.non_annotated]
    ratio = [distances.ratio(values)] if setting.scale == "ratio" else []
    return (
        distances.linear(values),
        distances.quadratic(values),
        distances.by_ranks(len(values)),
        distances.radical(values),
        *ratio,
        distances.circular(values),
        distances.bipolar(values),
    )


def rated_only(table: ContingencyTable, setting: Setting) -> ContingencyTable:
    """Return the table without the non-annotated category, its last one; of sets it is a value, and stays."""
    if setting.non_annotated == NO_CATEGORY or setting.sets is not None:
        return table
    kept = (table.row != setting.non_annotated) & (table.column != setting.non_annotated)
    return ContingencyTable(
        table.first,
        table.second,
        setting.non_annotated,
        table.document[kept],
        table.row[kept],
        table.column[kept],
        table.n[kept],
    )


# Declared tables as results have them.


def distance_table(table: DistanceMatrix) -> DistanceTable:
    """Return a declared distance table, and where 1 - BDM comes from."""
    origin = None
    if table.origin is not None:
        known = asdict(table.origin)
        del known["names"]
        origin = DistanceOrigin(**known, file=table.file)
    return DistanceTable(
        id=table.id, why=table.why, categories=table.categories, rows=table.rows, origin=origin
    )


def bdm_tables(tables: Sequence[DistanceMatrix]) -> dict[str, str]:
    """Return a CSV table for each of the BDM distances: every two categories with what lies behind."""
    names = tuple(each.name for each in fields(Score))
    return {
        f"tables/bdm-{table.id}.csv": csv_text(names, map(astuple, table.scores))
        for table in tables
        if table.origin
    }
