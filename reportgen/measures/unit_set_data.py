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
from reportgen.measures.ratings_by_unit import UnitPairs, UnitRatings, unit_ratings
from reportgen.measures.setting import Setting
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import NO_CATEGORY, CodedUnits, Mask

# Every two labels that two annotators gave the same unit, of a pair or of all pairs, with their clusters.


@dataclass(frozen=True, eq=False)
class Meetings:
    """Two labels of a unit at a time.

    - `met`: the labels, and whose they are; units are numbered from 0.
    - `clusters`: what influence values of units are clustered by; a cell is a unit.
    - `apart`: why nothing can be said where no unit is shared.
    """

    met: UnitPairs
    clusters: Clusters
    apart: Undefined

    def units(self, met: Mask) -> int:
        """Return how many units have any of some meetings (meetings,)."""
        return int(self.clusters.n[self._among(met)].sum())

    def clusters_of(self, met: Mask) -> Clusters:
        """Return the clusters, their number being that of those with any of some meetings (meetings,)."""
        among = self._among(met)
        document = self.clusters.document[among]
        known = len(np.unique(document[document != NO_DOCUMENT]))
        groups = known if self.clusters.by_document else self.units(met)
        return replace(self.clusters, groups=groups)

    def by_unit(self, values: Floats) -> Floats:
        """Return the sum of a value of meetings (meetings,) for each unit."""
        sums: Floats = np.zeros(len(self.clusters.n))
        np.add.at(sums, self.met.unit, values)
        return sums

    def _among(self, met: Mask) -> Codes:
        return np.unique(self.met.unit[met])


def of_table(table: ContingencyTable) -> Meetings:
    """Return the meetings of two annotators; a cell of a document is a unit that stands for several."""
    each = np.arange(len(table.n), dtype=np.int64)
    met = UnitPairs(
        unit=each,
        pair=np.zeros_like(each),
        first=table.row,
        second=table.column,
        weight=table.n,
        pairs=int(table.units > 0),
        categories=table.categories,
    )
    return Meetings(met, replace(profiles_of_pair(table).clusters, cell=each), Undefined.NO_UNITS)


def of_all(ratings: UnitRatings) -> Meetings:
    """Return the meetings of every two annotators."""
    return Meetings(ratings.pairs, ratings.clusters, Undefined.NO_SHARED_UNITS)


# The units of two annotators, or of all annotators together, as measures see them.

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
    def meetings(self) -> Meetings:
        """Return every two labels of a unit."""

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
    def meetings(self) -> Meetings:
        """Return every two labels of a unit."""
        return of_table(self.table)


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

    @cached_property
    def meetings(self) -> Meetings:
        """Return every two labels of a unit."""
        return of_all(self.ratings)

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
