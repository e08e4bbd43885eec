"""What one unit adds to each sum, by kind of unit, and the sums of all."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from reportgen.agreement.algebra.rows import FIRST, SECOND, SHARES, TOTALS, Rows, Scale
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Floats
from reportgen.agreement.several.profiles import PAIR, Profiles
from reportgen.study import NO_CATEGORY, Codes


@dataclass(frozen=True, eq=False)
class Parts:
    """Units by kind, and what one of each kind adds to every sum under a distance (kinds,)."""

    profiles: Profiles
    scale: Scale

    @cached_property
    def units(self) -> Floats:
        """Return whether a unit is compared at all."""
        return (self.profiles.ratings >= PAIR).astype(np.float64)

    @cached_property
    def ratings(self) -> Floats:
        """Return its ratings, 0 of one that is not compared."""
        found: Floats = self.profiles.ratings * self.units
        return found

    @cached_property
    def apart(self) -> Floats:
        """Return the mean distance of its pairs of ratings, 0 without a pair."""
        return self.profiles.mean_distance(self.scale.distance)

    @property
    def met(self) -> Floats:
        """Return the same, times its ratings."""
        return self.apart * self.profiles.ratings

    @property
    def disagreements(self) -> int:
        """Return on how many units not all ratings are the same."""
        return self.profiles.disagreements

    def mass(self, name: str) -> Floats:
        """Return what a unit adds to all categories together."""
        labels, weight = given(self.profiles, name)
        found: Floats = weight * (labels != NO_CATEGORY).sum(axis=1)
        return found

    def sum_over(self, name: str, by_category: Floats) -> Floats:
        """Return the sum of a value by category over some labels of a unit, each as it adds to the sums."""
        labels, weight = given(self.profiles, name)
        found: Floats = weight * np.where(labels != NO_CATEGORY, by_category[labels], 0.0).sum(axis=1)
        return found

    @property
    def sums_of_labels(self) -> Mapping[str, Floats]:
        """Return by name how often each category is among some labels of all units (categories,)."""
        return _sums_of_labels(self.profiles)

    @cached_property
    def total(self) -> Rows:
        """Return the sums over all units, as the only row."""
        times = self.profiles.times
        return Rows(
            self.scale,
            units=(times * self.units).sum(keepdims=True),
            ratings=(times * self.ratings).sum(keepdims=True),
            apart=(times * self.apart).sum(keepdims=True),
            met=(times * self.met).sum(keepdims=True),
            labels={name: each[None, :] for name, each in self.sums_of_labels.items()},
        )


def parts_of(profiles: Profiles, distance: Distance, farthest: float = 0.0) -> Parts:
    """Return what units add to the sums under a distance; `farthest` as `given` in Scale."""
    return Parts(profiles, Scale(distance, farthest))


def given(profiles: Profiles, name: str) -> tuple[Codes, Floats]:
    """Return some labels of each kind of unit (kinds, labels), and what each adds to its category."""
    labels = profiles.labels
    if name == TOTALS:
        return labels, (profiles.ratings >= PAIR).astype(np.float64)
    if name == SHARES:
        return labels, 1 / profiles.ratings
    column = (FIRST, SECOND).index(name)
    return labels[:, column : column + 1], np.ones(len(labels))


def names_of(profiles: Profiles) -> tuple[str, ...]:
    """Return which labels are summed."""
    return (TOTALS, SHARES, FIRST, SECOND) if profiles.labels.shape[1] == PAIR else (TOTALS, SHARES)


@lru_cache(maxsize=4)
def _sums_of_labels(profiles: Profiles) -> Mapping[str, Floats]:
    """Return how often each category is among some labels: the same under every distance."""
    return {name: _sum_of(profiles, *given(profiles, name)) for name in names_of(profiles)}


def _sum_of(profiles: Profiles, labels: Codes, weight: Floats) -> Floats:
    found = np.zeros(profiles.categories)
    # Whole numbers as far as they go: the units of one weight together.
    for each in sorted(set(weight.tolist())):
        times = np.where(weight == each, profiles.times, 0)
        found += _counted(labels, times, len(found)) * each
    return found


def _counted(labels: Codes, times: Codes, categories: int) -> Codes:
    counts = np.zeros(categories, dtype=np.int64)
    for column in labels.T:
        present = column != NO_CATEGORY
        np.add.at(counts, column[present], times[present])
    return counts
