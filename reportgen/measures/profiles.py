"""Units as profiles: which labels each has, no matter who gave them, and how many units have the same."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import Cells, ContingencyTable, DocumentProducts, ProfileCounts, added_up, tally
from reportgen.measures.distances import CategoryDistance, DistanceInfluence
from reportgen.measures.estimate import Clusters, Floats
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY, Mask
from reportgen.units.coded import all_twos, ranges, sums_by


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """Two different labels within a profile: `one`, `other` and in how many ways they pair up there."""

    profile: Codes
    one: Codes
    other: Codes
    ways: Codes


@dataclass(frozen=True, eq=False)
class Profiles(ProfileCounts):
    """Units by their labels: those that at least two annotators rated, or all with a rating.

    `products` is what is known of single documents of two annotators where `document` has groups of them.
    """

    categories: int
    products: DocumentProducts | None = None

    def only(self, chosen: Mask) -> "Profiles":
        """Return some of the profiles (profiles,), and the units that have them."""
        rows, new_number = chosen[self.profile], np.cumsum(chosen) - 1
        profile = new_number[self.profile[rows]]
        labels, document = self.labels[chosen], self.document[rows]
        return Profiles(labels, document, profile, self.n[rows], self.categories, self.products)

    @cached_property
    def ratings(self) -> Codes:
        """Return how many ratings a unit of each profile has (profiles,)."""
        counted: Codes = (self.labels != NO_CATEGORY).sum(axis=1)
        return counted

    @cached_property
    def times(self) -> Codes:
        """Return how many units have each profile (profiles,)."""
        return sums_by(self.profile, self.n, len(self.labels))

    @cached_property
    def units(self) -> int:
        """Return how many units there are."""
        return int(self.n.sum())

    @cached_property
    def disagreements(self) -> int:
        """Return on how many units not all ratings are the same."""
        return int(self.times[~self.unanimous].sum())

    @cached_property
    def unanimous(self) -> Mask:
        """Tell of each profile whether all its ratings are the same (profiles,)."""
        lowest = np.where(self.labels == NO_CATEGORY, self.categories, self.labels).min(
            axis=1, initial=self.categories
        )
        same: Mask = lowest == self.labels.max(axis=1, initial=NO_CATEGORY)
        return same

    @cached_property
    def totals(self) -> Codes:
        """Return how many ratings each category has (categories,)."""
        present = self.labels != NO_CATEGORY
        return sums_by(
            self.labels[present],
            np.broadcast_to(self.times[:, None], self.labels.shape)[present],
            self.categories,
        )

    @cached_property
    def label_pairs(self) -> "LabelPairs":
        """Return every two different labels of a profile."""
        profile, label, times = self.cells
        one, other = all_twos(profile)
        return LabelPairs(profile[one], label[one], label[other], times[one] * times[other])

    @cached_property
    def cells(self) -> tuple[Codes, Codes, Codes]:
        """Return the different labels of each profile in order: profile, label, and how often it is there."""
        profile, column = np.nonzero(self.labels != NO_CATEGORY)
        keys = profile * self.categories + self.labels[profile, column]
        cells, times = np.unique(keys, return_counts=True)
        return cells // max(self.categories, 1), cells % max(self.categories, 1), times

    @cached_property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a profile.

        Where no unit has more than two ratings, the standard error by unit is that of two annotators.
        Documents in which no two annotators rated the same unit are no groups of their own: they show
        nothing of how agreement varies.
        """
        compared, many_ratings = self.ratings[self.profile] >= 2, self.labels.shape[1] > 2
        clusters = Clusters.of_units(
            self.document, self.profile, self.n, corrected=many_ratings, compared=compared
        )
        if self.products is None:
            return clusters
        cells = self.labels @ (self.categories, 1)
        products = self.products.sums[np.ix_(cells, cells)]
        return replace(clusters, groups=self.products.documents, products=products)

    def mean_distance(self, distance: CategoryDistance) -> Floats:
        """Return the mean distance of the pairs of ratings of a unit, for each profile; 0 without a pair."""
        return self.mean_of_pairs(distance.at(self.label_pairs.one, self.label_pairs.other))

    def mean_of_pairs(self, values: Floats) -> Floats:
        """Return the mean of a value of two labels over the pairs of ratings of a unit, for each profile.

        `values` are those of `label_pairs`; equal labels have 0.
        """
        sums = self._sum_over_pairs(values)
        pairs = self.ratings * (self.ratings - 1) / 2
        return np.divide(sums, pairs, out=np.zeros_like(sums), where=pairs > 0)

    def _sum_over_pairs(self, values: Floats) -> Floats:
        """Return for each profile the sum of a value of its pairs of labels."""
        return sums_by(self.label_pairs.profile, self.label_pairs.ways * values, len(self.labels))

    @cached_property
    def coincidences(self) -> Cells:
        """Return Krippendorff's coincidence matrix; it sums to the ratings.

        Each unit gives its pairs of labels, both ways, divided by its ratings less one (2004, section 11.2).
        """
        weight = self.times / np.maximum(self.ratings - 1, 1)
        apart = self.label_pairs
        meets = apart.ways * weight[apart.profile]
        profile, label, times = self.cells
        again = times > 1
        same = (times * (times - 1) * weight[profile])[again]
        beside = (apart.one, apart.other, meets), (apart.other, apart.one, meets)
        return added_up(self.categories, [*beside, (label[again], label[again], same)])

    def drift(self, drift: DistanceInfluence) -> Floats:
        """Return what a unit of each profile moves through distances that come from the annotations."""
        moved = self.sum_over_ratings(drift.by_rating)
        if drift.by_pair is None:
            return moved
        apart = drift.by_pair.at(self.label_pairs.one, self.label_pairs.other)
        return moved + self._sum_over_pairs(apart) / np.maximum(self.ratings - 1, 1)

    def sum_over_ratings(self, by_category: Floats) -> Floats:
        """Return for each profile the sum of a value of its labels' categories."""
        present = self.labels != NO_CATEGORY
        values: Floats = np.where(present, by_category[self.labels], 0.0).sum(axis=1)
        return values


@lru_cache(maxsize=2)
def profiles_of_pair(table: ContingencyTable) -> Profiles:
    """Return the units of two annotators; the labels of each are in the annotators' order."""
    cells = table.cells
    labels = np.stack([cells.row, cells.column], axis=1)
    return Profiles(labels, table.document, table.cell, table.n, table.categories, table.products)


def paired_profiles(counts: ProfileCounts, categories: int, least: int = 2) -> Profiles:
    """Return the profiles of the units that at least two annotators rated, or at least so many."""
    every = Profiles(counts.labels, counts.document, counts.profile, counts.n, categories)
    return every.only(every.ratings >= least)


def without(profiles: Profiles, category: int, least: int = 2) -> Profiles:
    """Return the profiles without the ratings of the last category, and without units left with too few.

    The labels of a profile need not be side by side afterwards.
    """
    if category == NO_CATEGORY:
        return profiles
    labels = np.where(profiles.labels == category, NO_CATEGORY, profiles.labels)
    return paired_profiles(replace(profiles, labels=labels), profiles.categories - 1, least)


# Units as each category alone sees them: those that have it one by one, all others by document at once.
#
# What a category's figures cost so grows with how often it occurs, and with documents, not with all units.

T = TypeVar("T")
# Which of two annotators give a unit something else than the category: 1 is the second, 2 the first.
NEITHER = 3


@dataclass(frozen=True, eq=False)
class ByCategory:
    """How many units of each document have each category, and in which way, a whole number.

    Columns `document`, `way`, `n` are sorted by category, `starts` (categories + 1,) being where each begins.
    `of_none` has the same columns of all units, as one that none of them has sees them; `among` is the place
    there that a row takes its units from.
    """

    starts: Codes
    document: Codes
    way: Codes
    n: Codes
    among: Codes
    of_none: tuple[Codes, Codes, Codes]

    def rows(self, category: int) -> slice:
        """Return where a category's own rows are."""
        return slice(*self.starts[category : category + 2].tolist())

    def key(self, category: int) -> bytes:
        """Return what is the same for categories that the same units have: all their figures are the same."""
        rows = self.rows(category)
        return b"".join(column[rows].tobytes() for column in (self.document, self.way, self.n))

    def of(self, category: int) -> tuple[Codes, Codes, Codes]:
        """Return document, way and number of all units as a category sees them."""
        rows = self.rows(category)
        document, way, n = self.of_none
        left = n.copy()
        np.subtract.at(left, self.among[rows], self.n[rows])
        there = left != 0
        return (
            np.concatenate([self.document[rows], document[there]]),
            np.concatenate([self.way[rows], way[there]]),
            np.concatenate([self.n[rows], left[there]]),
        )

    def compute_all(self, compute: Callable[[int], T]) -> tuple[T, ...]:
        """Return what is computed of each category, once for all that the same units have."""
        keys = [self.key(category) for category in range(len(self.starts) - 1)]
        first = {key: category for category, key in reversed([*enumerate(keys)])}
        results = {key: compute(category) for key, category in first.items()}
        return tuple(results[key] for key in keys)


def _by_category(
    columns: tuple[Codes, Codes, Codes, Codes], n: Codes, of_none: tuple[Codes, Codes, Codes], categories: int
) -> ByCategory:
    """Return units by category, given category, document, way, and the way of `of_none` that each was."""
    (label, document, way, before), n = tally(columns, n)
    width = int(of_none[1].max(initial=0)) + 1
    places = (of_none[0] + 1) * width + of_none[1]
    among = np.searchsorted(places, (document + 1) * width + before)
    return ByCategory(np.searchsorted(label, np.arange(categories + 1)), document, way, n, among, of_none)


# Those of two versions, each as it is shown and as it is tested.
@lru_cache(maxsize=4)
def categories_of_pair(table: ContingencyTable) -> ByCategory:
    """Return the units of two annotators by category; a way says who gave something else, as NEITHER does."""
    second = table.column != table.row
    label = np.concatenate([table.row, table.column[second]])
    document = np.concatenate([table.document, table.document[second]])
    way = np.concatenate([second.astype(np.int64), np.full(int(second.sum()), 2)])
    (documents,), n = tally([table.document], table.n)
    return _by_category(
        (label, document, way, np.full(len(label), NEITHER)),
        np.concatenate([table.n, table.n[second]]),
        (documents, np.full(len(documents), NEITHER), n),
        table.categories,
    )


def against_rest(table: ContingencyTable, category: int) -> ContingencyTable:
    """Return the table of one category (code 0) against all others (code 1)."""
    document, way, n = categories_of_pair(table).of(category)
    products = table.products
    if products is not None:
        other = (np.arange(table.categories) != category).astype(np.int64)
        products = products.of((2 * other[:, None] + other).reshape(-1), 4)
    return ContingencyTable(table.first, table.second, 2, document, way // 2, way % 2, n, products=products)


@lru_cache(maxsize=4)
def categories_of(profiles: Profiles) -> ByCategory:
    """Return units by category; a way is how often a unit has it, and how many ratings."""
    profile, label, times = profiles.cells
    order = np.argsort(profiles.profile, kind="stable")
    many = np.bincount(profiles.profile, minlength=len(profiles.labels))
    ends = np.cumsum(many)
    # The documents that have each profile, one after the other.
    cell, position = ranges((ends - many)[profile], ends[profile])
    row, ratings = order[position], profiles.ratings[profile[cell]]
    (document, single), n = tally([profiles.document, profiles.ratings[profiles.profile]], profiles.n)
    # Two numbers as one.
    way = times[cell] * (profiles.labels.shape[1] + 1) + ratings
    columns = label[cell], profiles.document[row], way, ratings
    return _by_category(columns, profiles.n[row], (document, single, n), profiles.categories)


def one_category(profiles: Profiles, category: int) -> Profiles:
    """Return the same units with one category (code 0) against all others (code 1)."""
    document, way, n = categories_of(profiles).of(category)
    ways, way_index = np.unique(way, return_inverse=True)
    width = profiles.labels.shape[1]
    times, ratings = (numbers[:, None] for numbers in np.divmod(ways, width + 1))
    column = np.arange(width)
    labels = np.where(column < ratings, (column >= times).astype(np.int64), NO_CATEGORY)
    return Profiles(labels, document, way_index.reshape(-1), n, 2)
