"""What figures of a unit set come from: its units, their scale, and the distances on it."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import astuple, fields, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import DistanceMatrix
from reportgen.campaign.taxonomies import Score
from reportgen.catalogue import Bracket, brackets_on
from reportgen.counts import ContingencyTable, Counts, distinct_rows, pair_table
from reportgen.measures import distances
from reportgen.measures.distances import CategoryDistance, set_distances
from reportgen.measures.estimate import Clusters, Estimate, Floats, Undefined, no_estimate
from reportgen.measures.figures_of_sums import AgainstMajority, UnitsByLabels, against_others
from reportgen.measures.unit_profiles import (
    LabelPatterns,
    PairTables,
    UnitRatings,
    paired_profiles,
    profiles_of_pair,
    unit_ratings,
    without,
)
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import DistanceTable
from reportgen.results.model import csv_text
from reportgen.units import NO_CATEGORY, CodedUnits, Mask, number


@dataclass(frozen=True, eq=False)
class ScaleSetting:
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

    @property
    def fixed_distances(self) -> tuple[CategoryDistance, ...]:
        """Return the distances that are the same whatever is annotated: declared ones, and those of sets."""
        return (*self.distances, *(() if self.sets is None else set_distances(self.sets)))


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


def setting_of(units: CodedUnits, tables: Sequence[DistanceMatrix]) -> ScaleSetting:
    """Return what the figures of a unit set depend on beside its counts."""
    numbers = tuple(number(name) for name in units.categories)
    declared = [
        declared_distance(table.id, units.categories, table.rows, table.categories)
        for table in tables
        if set(units.categories) <= set(table.categories)
    ]
    return ScaleSetting(
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

    Raises ValueError for a category that the table does not know; units/categories.py refuses it before.
    """
    places = np.array([list(of).index(category) for category in categories], dtype=np.int64)
    table = np.array(matrix, dtype=np.float64)
    return CategoryDistance(name, table[np.ix_(places, places)])


def scale_distances(totals: Codes, setting: ScaleSetting, ratings: float = 2.0) -> list[CategoryDistance]:
    """Return alpha's distances on the scale of the study, given how often each category was used.

    `ratings` is how many a unit has on average.
    `totals` and the distances leave the non-annotated category out, which has no place on a scale; of sets
    it is the empty one, and is left in.
    """
    if setting.sets is not None:
        return set_distances(setting.sets)
    if setting.values is None:
        return []
    values = _values_placed(setting, setting.values)
    return [
        distances.ordinal(totals, ratings) if bracket.from_ratings else _of_values(bracket, values)
        for bracket in brackets_on(setting.scale, "distances")
    ]


def _values_placed(setting: ScaleSetting, values: Floats) -> Floats:
    """Return the values of the categories that have a place on the scale."""
    placed_values: Floats = values[np.arange(len(values)) != setting.non_annotated]
    return placed_values


def _of_values(bracket: Bracket, values: Floats) -> CategoryDistance:
    """Return a distance of the catalogue between values."""
    distance: CategoryDistance = getattr(distances, bracket.function)(values)
    return distance


@lru_cache(maxsize=2)
def weights_of(setting: ScaleSetting) -> tuple[CategoryDistance, ...]:
    """Return the distances of the kappas, S and AC2 on the scale of the study, under Gwet's names (2014).

    They leave the non-annotated category out, as `scale_distances` do.
    """
    if setting.values is None:
        return () if setting.sets is None else tuple(set_distances(setting.sets))
    values = _values_placed(setting, setting.values)
    return tuple(_of_values(bracket, values) for bracket in brackets_on(setting.scale, "weights"))


def rated_only(table: ContingencyTable, setting: ScaleSetting) -> ContingencyTable:
    """Return the table without the non-annotated category, its last one; of sets it is a value, and stays."""
    if setting.non_annotated == NO_CATEGORY or setting.sets is not None:
        return table
    both_rated = (table.row != setting.non_annotated) & (table.column != setting.non_annotated)
    return ContingencyTable(
        table.first,
        table.second,
        setting.non_annotated,
        table.document[both_rated],
        table.row[both_rated],
        table.column[both_rated],
        table.n[both_rated],
    )


# Declared tables as results have them.


def distance_table(table: DistanceMatrix) -> DistanceTable:
    """Return a declared distance table, and where 1 - BDM comes from."""
    return DistanceTable(
        id=table.id, why=table.why, categories=table.categories, rows=table.rows, origin=table.origin
    )


def bdm_tables(tables: Sequence[DistanceMatrix]) -> dict[str, str]:
    """Return a CSV table for each of the BDM distances: every two categories with what lies behind."""
    names = tuple(column.name for column in fields(Score))
    return {
        f"tables/bdm-{table.id}.csv": csv_text(names, map(astuple, table.scores))
        for table in tables
        if table.origin
    }


Result = TypeVar("Result")


# The units of two annotators, or of all annotators together, as measures see them.


class Units(Protocol):
    """Units that measures are of, no matter who rated them, and what measures depend on beside.

    `nothing` is why there is no figure where no two annotators rated the same unit, `incomplete` where some
    did, but no unit has a number of all.
    """

    setting: ScaleSetting
    nothing: ClassVar[Undefined]
    incomplete: ClassVar[Undefined]

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""

    @property
    def profiles(self) -> LabelPatterns:
        """Return the units that at least two annotators rated."""

    @property
    def rated(self) -> LabelPatterns:
        """Return all units with a rating."""

    @property
    def complete(self) -> LabelPatterns:
        """Return the units that all annotators gave a number; labels are in the annotators' order."""

    @property
    def points(self) -> int:
        """Return how many categories have a place on the scale."""
        return int(placed(self.setting).sum())

    def too_few(self) -> Estimate:
        """Return the undefined figure where no unit, or one alone, has a number of all annotators."""
        if self.complete.units:
            return no_estimate(Undefined.ONE_UNIT, self.complete.units)
        return no_estimate(self.incomplete if self.profiles.units else self.nothing, 0)

    @property
    def tables(self) -> PairTables:
        """Return the tables of every two annotators."""

    @property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a kind of unit."""

    def by_kind(self, values: Floats) -> Floats:
        """Return for each kind of unit the sum over its pairs of ratings of a value by cell of the tables."""

    def units_with(self, cells: Mask) -> tuple[int, Clusters]:
        """Return how many units have any of some cells of the tables (cells,), and clusters of so many."""
        clusters = self.clusters
        rows = (self.by_kind(cells.astype(np.float64)) > 0)[clusters.cell]
        units, document = int(clusters.n[rows].sum()), clusters.document[rows]
        documents = len(np.unique(document[document != NO_DOCUMENT]))
        return units, replace(clusters, groups=documents if clusters.by_document else units)

    @property
    def unplaced(self) -> int:
        """Return the category that has no place on the scale: the non-annotated one, of ordered scales."""
        return self.setting.non_annotated if self.setting.values is not None else NO_CATEGORY

    def placed(self, profiles: LabelPatterns) -> LabelPatterns:
        """Return the units of some profiles that have a place on the scale, with as many ratings as there."""
        least = 2 if profiles is self.profiles else 1
        return self.cached(("placed", id(profiles)), lambda: without(profiles, self.unplaced, least))

    def by_labels(self, profiles: LabelPatterns, distance: CategoryDistance) -> UnitsByLabels:
        """Return what some of these units add to the sums under a distance."""
        return self.cached(
            ("by labels", id(profiles), id(distance)), lambda: UnitsByLabels(profiles, distance)
        )

    def cached(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return what is made once for all measures; it keeps alive what its key names."""
        if key not in self._cache:
            self._cache[key] = make()
        result: Result = self._cache[key]
        return result

    @cached_property
    def _cache(self) -> dict[Hashable, Any]:
        return {}


@dataclass(frozen=True, eq=False)
class UnitsOfPair(Units):
    """The units that two annotators both rated."""

    table: ContingencyTable
    setting: ScaleSetting
    nothing = Undefined.NO_UNITS
    incomplete = Undefined.NO_UNITS

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""
        return self.table.categories

    @property
    def profiles(self) -> LabelPatterns:
        """Return the units that both rated."""
        return profiles_of_pair(self.table)

    @property
    def rated(self) -> LabelPatterns:
        """Return the same: what one alone rated is not in their table."""
        return self.profiles

    @cached_property
    def complete(self) -> LabelPatterns:
        """Return the units that both gave a number."""
        table, number = self.table, placed(self.setting)
        both_placed = number[table.row] & number[table.column] & (table.n > 0)
        codes = np.stack([table.row[both_placed], table.column[both_placed]], axis=1)
        units = complete(codes, table.document[both_placed], table.n[both_placed], table.categories)
        return replace(units, products=table.products)

    @cached_property
    def tables(self) -> PairTables:
        """Return their table as the only one."""
        cells = self.table.cells
        pair = np.zeros(len(cells.value), dtype=np.int64)
        return PairTables(
            pair, cells.row, cells.column, cells.value, int(self.table.units > 0), self.table.categories
        )

    @property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a kind of unit is a cell of the table."""
        return self.profiles.clusters

    def by_kind(self, values: Floats) -> Floats:
        """Return the values: a unit has the cell of its kind alone."""
        return values


@dataclass(frozen=True, eq=False)
class UnitsOfAll(Units):
    """The units of one unit set, what is counted in them, and what measures depend on beside."""

    units: CodedUnits
    counts: Counts
    setting: ScaleSetting
    nothing = Undefined.NO_SHARED_UNITS
    incomplete = Undefined.NOT_RATED_BY_ALL

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""
        return len(self.units.categories)

    @property
    def annotators(self) -> int:
        """Return how many annotators there are."""
        return len(self.units.annotators)

    @cached_property
    def profiles(self) -> LabelPatterns:
        """Return the units that at least two annotators rated."""
        return paired_profiles(self.counts.profiles, self.categories)

    @cached_property
    def rated(self) -> LabelPatterns:
        """Return all units with a rating."""
        return paired_profiles(self.counts.profiles, self.categories, least=1)

    def too_few(self) -> Estimate:
        """Return the undefined figure where no unit, or one alone, has a number of all annotators."""
        return super().too_few() if self.units.margins is None else no_estimate(Undefined.UNNAMED, 0)

    @cached_property
    def against_others(self) -> AgainstMajority:
        """Return each rating against the commonest label of the unit's other ratings."""
        return against_others(self.ratings)

    @cached_property
    def ratings(self) -> UnitRatings:
        """Return who gave which label to which unit."""
        return unit_ratings(self.units)

    @cached_property
    def complete(self) -> LabelPatterns:
        """Return the units that all annotators gave a number.

        It is built from ratings of such units alone: where thousands of annotators have no unit in common,
        nothing of the size of units by annotators is made.
        """
        units, width = self.units, max(self.annotators, 1)
        is_placed = placed(self.setting)[units.label] & (units.row_weight > 0)
        is_placed &= units.margins is None
        numbers = units.where(is_placed)
        by_all = numbers.where((numbers.per_unit[numbers.unit] == width) & (width >= 2)).in_order
        codes, first = by_all.label.reshape(-1, width), by_all.unit.reshape(-1, width)[:, 0]
        return complete(codes, units.document[first], units.weight[first], self.categories)

    @property
    def tables(self) -> PairTables:
        """Return the tables of every two annotators."""
        return self.ratings.tables

    @property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a kind of unit."""
        return self.ratings.clusters

    def by_kind(self, values: Floats) -> Floats:
        """Return for each kind of unit the sum over its pairs of ratings of a value by cell of the tables."""
        return self.ratings.sum_over_tables(values)

    @cached_property
    def pair(self) -> UnitsOfPair:
        """Return the units that the first two annotators both rated: those of two annotators, if any."""
        return UnitsOfPair(pair_table(self.counts.pairs, self.categories, 0, 1), self.setting)


# The units that all annotators gave a number.


def placed(setting: ScaleSetting) -> Mask:
    """Tell for each category whether it has a place on the scale: it is a number, and not "not annotated"."""
    if setting.values is None:
        return np.zeros(0, dtype=np.bool_)
    is_number: Mask = np.isfinite(setting.values)
    is_number[np.arange(len(is_number)) == setting.non_annotated] = False
    return is_number


def complete(codes: Codes, document: Codes, n: Codes, categories: int) -> LabelPatterns:
    """Return labels (units, annotators), of which each row is `n` units of a document, as profiles.

    Equal rows are joined, so that figures do not depend on the order of units, not even in their last digit.
    """
    labels, row = distinct_rows(codes)
    return LabelPatterns(labels, document, row, n, categories)
