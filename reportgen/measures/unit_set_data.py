"""The units of two annotators, or of all annotators together, as measures see them."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from reportgen.counts import ContingencyTable, Counts, pair_table
from reportgen.measures.complete_ratings import Complete, complete, complete_of_pair, placed
from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import Clusters, Floats, Undefined
from reportgen.measures.estimates import Parts, parts_of
from reportgen.measures.over_pairs import Against, against_others
from reportgen.measures.profiles import PAIR, Profiles, paired_profiles, profiles_of_pair, without
from reportgen.measures.ratings_by_unit import PairTables, UnitRatings, unit_ratings
from reportgen.measures.setting import Setting
from reportgen.readers import NO_DOCUMENT
from reportgen.units import NO_CATEGORY, CodedUnits, Mask

Made = TypeVar("Made")


class Units(Protocol):
    """Units that measures are of, whoever rated them, and what measures depend on beside.

    `nothing` is why there is no figure where no two annotators rated the same unit.
    """

    setting: Setting
    nothing: ClassVar[Undefined]

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""

    @property
    def profiles(self) -> Profiles:
        """Return the units that at least two annotators rated."""

    @property
    def rated(self) -> Profiles:
        """Return all units with a rating."""

    @property
    def complete(self) -> Complete:
        """Return the units that all annotators gave a number."""

    @property
    def tables(self) -> PairTables:
        """Return the tables of every two annotators."""

    @property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a kind of unit."""

    def by_kind(self, values: Floats) -> Floats:
        """Return for each kind of unit the sum over its pairs of ratings of a value by cell of the tables."""

    def among(self, cells: Mask) -> tuple[int, Clusters]:
        """Return how many units have any of some cells of the tables (cells,), and clusters of so many."""
        clusters = self.clusters
        rows = (self.by_kind(cells.astype(np.float64)) > 0)[clusters.cell]
        units, document = int(clusters.n[rows].sum()), clusters.document[rows]
        known = len(np.unique(document[document != NO_DOCUMENT]))
        return units, replace(clusters, groups=known if clusters.by_document else units)

    @property
    def unplaced(self) -> int:
        """Return the category that has no place on the scale: the non-annotated one, of ordered scales."""
        return self.setting.non_annotated if self.setting.values is not None else NO_CATEGORY

    def placed(self, profiles: Profiles) -> Profiles:
        """Return the units of some profiles that have a place on the scale, with as many ratings as there."""
        return self.once(("placed", id(profiles)), lambda: self._placed(profiles))

    def _placed(self, profiles: Profiles) -> Profiles:
        return without(profiles, self.unplaced, PAIR if profiles is self.profiles else 1)

    def parts(self, profiles: Profiles, distance: CategoryDistance) -> Parts:
        """Return what some of these units add to the sums under a distance."""
        return self.once(("parts", id(profiles), id(distance)), lambda: parts_of(profiles, distance))

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what is made once for all measures; it keeps alive what its key names."""
        if key not in self._known:
            self._known[key] = make()
        found: Made = self._known[key]
        return found

    @cached_property
    def _known(self) -> dict[Hashable, Any]:
        return {}


@dataclass(frozen=True, eq=False)
class UnitsOfPair(Units):
    """The units that two annotators both rated."""

    table: ContingencyTable
    setting: Setting
    nothing = Undefined.NO_UNITS

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""
        return self.table.categories

    @property
    def profiles(self) -> Profiles:
        """Return the units that both rated."""
        return profiles_of_pair(self.table)

    @property
    def rated(self) -> Profiles:
        """Return the same: what one alone rated is not in their table."""
        return self.profiles

    @cached_property
    def complete(self) -> Complete:
        """Return the units that both gave a number."""
        return complete_of_pair(self.table, self.setting)

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
class Whole(Units):
    """The units of one unit set, what is counted in them, and what measures depend on beside."""

    units: CodedUnits
    counts: Counts
    setting: Setting
    nothing = Undefined.NO_SHARED_UNITS

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""
        return len(self.units.categories)

    @property
    def annotators(self) -> int:
        """Return how many annotators there are."""
        return len(self.units.annotators)

    @cached_property
    def profiles(self) -> Profiles:
        """Return the units that at least two annotators rated."""
        return paired_profiles(self.counts.profiles, self.categories)

    @cached_property
    def rated(self) -> Profiles:
        """Return all units with a rating."""
        return paired_profiles(self.counts.profiles, self.categories, least=1)

    @cached_property
    def against_others(self) -> Against:
        """Return each rating against the commonest label of the unit's other ratings."""
        return against_others(self.ratings)

    @cached_property
    def ratings(self) -> UnitRatings:
        """Return who gave which label to which unit."""
        return unit_ratings(self.units)

    @cached_property
    def complete(self) -> Complete:
        """Return the units that all annotators gave a number."""
        return complete_of_all(self)

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


def complete_of_all(whole: Whole) -> Complete:
    """Return the units that all annotators gave a number.

    It is built from ratings of such units alone: where thousands of annotators have no unit in common,
    nothing of the size of units by annotators is made.
    """
    units, width = whole.units, whole.annotators
    kept = placed(whole.setting)[units.label] & (units.unit_weight[units.unit] > 0)
    unit, annotator, label = units.unit[kept], units.annotator[kept], units.label[kept]
    rated_by_all = np.bincount(unit, minlength=len(units.unit_weight)) == max(width, 1)
    rows = np.flatnonzero(rated_by_all[unit])
    order = rows[np.lexsort((annotator[rows], unit[rows]))]
    codes = label[order].reshape(-1, max(width, 1))
    first = unit[order].reshape(-1, max(width, 1))[:, 0]
    shared = whole.profiles.units > 0
    reason = Undefined.NOT_RATED_BY_ALL if shared else Undefined.NO_SHARED_UNITS
    if width < PAIR:
        codes, first = codes[:0], first[:0]
    return complete(codes, units.unit_document[first], units.unit_weight[first], reason)
