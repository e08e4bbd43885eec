"""Every two labels that two annotators gave the same unit, of a pair or of all pairs, with their clusters."""

from dataclasses import dataclass, replace

import numpy as np

from reportgen.agreement.estimate import Clusters, Floats, Undefined
from reportgen.agreement.several.profiles import profiles_of_pair
from reportgen.agreement.several.units import UnitPairs, UnitRatings
from reportgen.counts import PairTable
from reportgen.study import NO_DOCUMENT, Codes, Mask


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


def of_table(table: PairTable) -> Meetings:
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
