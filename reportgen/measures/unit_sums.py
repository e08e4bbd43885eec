"""What one unit adds to each sum, by kind of unit, and the sums of all."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np

from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import Clusters, Floats
from reportgen.measures.profiles import PAIR, Profiles
from reportgen.measures.ratings_by_unit import UnitRatings
from reportgen.measures.vectorized_sums import (
    FIRST,
    OWN,
    SECOND,
    SHARES,
    TOTALS,
    DistanceWeights,
    VectorizedSums,
)
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY


class UnitsByKind(Protocol):
    """Units by kind, and what one of each kind adds to every sum under a distance (kinds,)."""

    scale: DistanceWeights

    @property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a kind."""

    @property
    def times(self) -> Codes:
        """Return how many units are of each kind."""

    @property
    def units(self) -> Floats:
        """Return whether a unit is compared at all."""

    @property
    def ratings(self) -> Floats:
        """Return its ratings, 0 of one that is not compared."""

    @property
    def apart(self) -> Floats:
        """Return the mean distance of its pairs of ratings, 0 without a pair."""

    @property
    def met(self) -> Floats:
        """Return the same, times its ratings."""
        return self.apart * self.ratings

    @property
    def disagreements(self) -> int:
        """Return on how many units not all ratings are the same."""

    def mass(self, name: str) -> Floats:
        """Return what a unit adds to all categories together."""

    def sum_over(self, name: str, by_category: Floats) -> Floats:
        """Return the sum of a value by category over some labels of a unit, each as it adds to the sums."""

    @property
    def sums_of_labels(self) -> Mapping[str, Floats]:
        """Return by name how often each category is among some labels of all units."""

    @cached_property
    def total(self) -> VectorizedSums:
        """Return the sums over all units, as the only row."""
        times = self.times
        return VectorizedSums(
            self.scale,
            units=(times * self.units).sum(keepdims=True),
            ratings=(times * self.ratings).sum(keepdims=True),
            apart=(times * self.apart).sum(keepdims=True),
            met=(times * self.met).sum(keepdims=True),
            labels={name: each[None] for name, each in self.sums_of_labels.items()},
        )


@dataclass(frozen=True, eq=False)
class Parts(UnitsByKind):
    """Units by their labels, whoever gave them."""

    profiles: Profiles
    scale: DistanceWeights

    @property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a profile."""
        return self.profiles.clusters

    @property
    def times(self) -> Codes:
        """Return how many units have each profile."""
        return self.profiles.times

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


@dataclass(frozen=True, eq=False)
class OfAnnotators(UnitsByKind):
    """Units by who gave which label: what takes chance from each annotator's own labels."""

    found: UnitRatings
    scale: DistanceWeights

    @property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a kind of unit."""
        return self.found.clusters

    @property
    def times(self) -> Codes:
        """Return how many units are of each kind."""
        return self.found.weight

    @cached_property
    def units(self) -> Floats:
        """Return whether a unit is compared at all."""
        return (self.found.ratings >= PAIR).astype(np.float64)

    @cached_property
    def ratings(self) -> Floats:
        """Return its ratings, 0 of one that is not compared."""
        found: Floats = self.found.ratings * self.units
        return found

    @cached_property
    def apart(self) -> Floats:
        """Return the mean distance of its pairs of ratings, 0 without a pair."""
        return self.found.mean_distance(self.scale.distance)

    @property
    def disagreements(self) -> int:
        """Return on how many units not all ratings are the same."""
        return self.found.disagreements

    def mass(self, name: str) -> Floats:
        """Return how many labels a unit adds: OWN are all that it has."""
        return self.sum_over(name, np.ones((self.found.annotators, self.found.categories)))

    def sum_over(self, name: str, by_category: Floats) -> Floats:  # noqa: ARG002 - there is OWN alone
        """Return the sum over its labels of a value by annotator and category."""
        return self.found.sum_by_unit(by_category[self.found.annotator, self.found.label])

    @property
    def sums_of_labels(self) -> Mapping[str, Floats]:
        """Return how often each annotator gave each category (annotators, categories)."""
        return {OWN: self.found.labels_by_annotator.astype(np.float64)}


def parts_of(profiles: Profiles, distance: CategoryDistance, farthest: float = 0.0) -> Parts:
    """Return what units add to the sums under a distance; `farthest` as `given` in Scale."""
    return Parts(profiles, DistanceWeights(distance, farthest))


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
