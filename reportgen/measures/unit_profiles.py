"""Units that are alike: by the labels they have, whoever gave them, and by who gave which."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.counts import Cells, ContingencyTable, DocumentProducts, ProfileCounts, sum_cells, tally
from reportgen.counts.tables import PairCounts, dense_codes, twos_by_annotator
from reportgen.measures.distances import CategoryDistance, DistanceInfluence
from reportgen.measures.estimate import Clusters, Floats
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY, CodedUnits, Mask
from reportgen.units.labels import (
    Labels,
    all_equal_row_pairs,
    equal_row_pairs,
    nothing,
    quotient,
    ranges,
    sums_by,
)


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """Two different labels within a profile: `one`, `other` and in how many ways they pair up there."""

    profile: Codes
    one: Codes
    other: Codes
    ways: Codes


@dataclass(frozen=True, eq=False)
class LabelPatterns(ProfileCounts):
    """Units by their labels: those that at least two annotators rated, or all with a rating.

    `products` is what is known of single documents of two annotators where `document` has groups of them.
    """

    categories: int
    products: DocumentProducts | None = None

    def only(self, chosen: Mask) -> "LabelPatterns":
        """Return some of the profiles (profiles,), and the units that have them."""
        rows, new_number = chosen[self.profile], np.cumsum(chosen) - 1
        profile = new_number[self.profile[rows]]
        labels, document = self.labels[chosen], self.document[rows]
        return LabelPatterns(labels, document, profile, self.n[rows], self.categories, self.products)

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
        one, other = all_equal_row_pairs(profile)
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
        return quotient(self._sum_over_pairs(values), self.ratings * (self.ratings - 1) / 2, 0.0)

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
        return sum_cells(self.categories, [*beside, (label[again], label[again], same)])

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
def profiles_of_pair(table: ContingencyTable) -> LabelPatterns:
    """Return the units of two annotators; the labels of each are in the annotators' order."""
    cells = table.cells
    labels = np.stack([cells.row, cells.column], axis=1)
    return LabelPatterns(labels, table.document, table.cell, table.n, table.categories, table.products)


def paired_profiles(counts: ProfileCounts, categories: int, least: int = 2) -> LabelPatterns:
    """Return the profiles of the units that at least two annotators rated, or at least so many."""
    every = LabelPatterns(counts.labels, counts.document, counts.profile, counts.n, categories)
    return every.only(every.ratings >= least)


def without(profiles: LabelPatterns, category: int, least: int = 2) -> LabelPatterns:
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
def categories_of(profiles: LabelPatterns) -> ByCategory:
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


def one_category(profiles: LabelPatterns, category: int) -> LabelPatterns:
    """Return the same units with one category (code 0) against all others (code 1)."""
    document, way, n = categories_of(profiles).of(category)
    ways, way_index = np.unique(way, return_inverse=True)
    width = profiles.labels.shape[1]
    times, ratings = (numbers[:, None] for numbers in np.divmod(ways, width + 1))
    column = np.arange(width)
    labels = np.where(column < ratings, (column >= times).astype(np.int64), NO_CATEGORY)
    return LabelPatterns(labels, document, way_index.reshape(-1), n, 2)


# Cells of all pairs' tables that are looked up by their place, which takes a tenth of the time: 128 MB.
MOST_PLACES = 32_000_000


def with_others(labels: Labels) -> Floats:
    """Return the share of the unit's other annotators who gave the same label (rows,)."""
    shares: Floats = (labels.alike - 1) / (labels.per_unit[labels.unit] - 1)
    return shares


def among_others(labels: Labels) -> Floats:
    """Return the agreeing share of pairs of the unit's other annotators (rows,), NaN with fewer than two."""
    others, same = labels.per_unit[labels.unit] - 1, labels.alike - 1
    agreeing = sums_by(labels.unit, same, len(labels.weight))[labels.unit] // 2 - same
    pairs = others * (others - 1) // 2
    return quotient(agreeing, pairs, np.nan)


@dataclass(frozen=True, eq=False, kw_only=True)
class UnitRatings(Labels):
    """The labels of the units that anybody rated, units of a kind being one of their weight.

    Rows are sorted by unit and annotator, units by document. `in_pairs` says that no unit had more than two
    ratings, those included that were left out since.
    """

    in_pairs: bool = True

    @property
    def times(self) -> Codes:
        """Return how many units are of each kind (units,)."""
        return self.weight

    @property
    def ratings(self) -> Codes:
        """Return how many ratings each unit has (units,)."""
        return self.per_unit

    @cached_property
    def units(self) -> int:
        """Return how many units there are, weights counted."""
        return int(self.weight.sum())

    @cached_property
    def labels_by_annotator(self) -> Codes:
        """Return how often each annotator gave each label (annotators, categories)."""
        size = len(self.annotators), len(self.categories)
        return sums_by((self.annotator, self.label), self.row_weight, size)

    @cached_property
    def disagreements(self) -> int:
        """Return on how many units not all ratings are the same."""
        apart = np.zeros(len(self.weight), dtype=np.bool_)
        here = self.unit[1:] == self.unit[:-1]
        apart[self.unit[1:][here & (self.label[1:] != self.label[:-1])]] = True
        return int(self.weight[apart].sum())

    @cached_property
    def clusters(self) -> Clusters:
        """Return what influence values of units are clustered by; a cell is a unit.

        Documents in which no two annotators rated the same unit are no groups of their own.
        """
        kind, compared = np.arange(len(self.weight), dtype=np.int64), self.ratings >= 2
        return Clusters.of_units(
            self.document, kind, self.weight, corrected=self._beyond_pairs, compared=compared
        )

    def clusters_of(self, here: Mask) -> Clusters:
        """Return the clusters of some of the units (units,), numbered from 0."""
        weight = self.weight[here]
        kind = np.arange(len(weight), dtype=np.int64)
        return Clusters.of_units(self.document[here], kind, weight, corrected=self._beyond_pairs)

    def sum_by_unit(self, values: Floats) -> Floats:
        """Return for each unit the sum of a value of its ratings (ratings,)."""
        return sums_by(self.unit, values, len(self.weight))

    def without(self, category: int) -> "UnitRatings":
        """Return the ratings without those of the last category; nothing is left out where it is not one."""
        if category < 0:
            return self
        return replace(self._part(self.label != category), categories=self.categories[:-1])

    @cached_property
    def paired(self) -> "UnitRatings":
        """Return the units with at least two ratings."""
        return self._part((self.ratings >= 2)[self.unit])

    def _part(self, chosen: Mask) -> "UnitRatings":
        """Return some ratings (ratings,), and the units that have any of them."""
        some = self.where(chosen)
        return replace(some.of_units(some.per_unit > 0), in_pairs=not self._beyond_pairs)

    @cached_property
    def _beyond_pairs(self) -> bool:
        return not self.in_pairs or int(self.ratings.max(initial=0)) > 2

    def _people(self, one: Codes, other: Codes) -> Codes:
        """Return a number for the annotators of two ratings each."""
        return self.annotator[one] * len(self.annotators) + self.annotator[other]

    @property
    def tables(self) -> "PairTables":
        """Return the tables of every two annotators who rated a unit, without a row for each unit."""
        return self._tables[0]

    @cached_property
    def _tables(self) -> tuple["PairTables", Codes]:
        """Return the tables, and a number for the annotators and labels of each of their cells, ascending."""
        parts, size = [[nothing()] * 4], len(self.categories)
        for one, other in twos_by_annotator(self.unit, self.annotator):
            columns = [self._people(one, other), self.label[one], self.label[other]]
            rows, times = tally(columns, self.row_weight[one])
            parts.append([*rows, times])
        people, first, second, n = (np.concatenate(column) for column in zip(*parts, strict=True))
        distinct, pair = dense_codes(people, len(self.annotators) ** 2)
        keys = (people * size + first) * size + second
        return PairTables(pair, first, second, n, len(distinct), size), keys

    def mean_distance(self, distance: CategoryDistance) -> Floats:
        """Return the mean distance of each unit's pairs of ratings (units,), 0 without a pair."""
        unit, label, times, _ = self.cells
        one, other = all_equal_row_pairs(unit)
        apart = distance.at(label[one], label[other]) * (times[one] * times[other])
        sums = sums_by(unit[one], apart, len(self.weight))
        return sums / np.maximum(self.ratings * (self.ratings - 1) / 2, 1)

    def sum_over_tables(self, values: Floats) -> Floats:
        """Return for each unit the sum over its pairs of ratings of a value by cell of the tables."""
        sums, size = np.zeros(len(self.weight)), len(self.categories)
        cell_of = places_of(self._tables[1], (len(self.annotators) * size) ** 2)
        for one, other in equal_row_pairs(self.unit):
            labels = self.label[one] * size + self.label[other]
            cell = cell_of(self._people(one, other) * size * size + labels)
            np.add.at(sums, self.unit[one], values[cell])
        return sums


def places_of(keys: Codes, most: int) -> Callable[[Codes], npt.NDArray[np.signedinteger]]:
    """Return the function that gives the places of numbers among ascending ones, all less than `most`."""
    if most > MOST_PLACES:
        return lambda asked: np.searchsorted(keys, asked)
    table = np.zeros(most, dtype=np.int32)
    table[keys] = np.arange(len(keys), dtype=np.int32)
    return lambda asked: table[asked]


@dataclass(frozen=True, eq=False)
class PairTables:
    """The tables of every two annotators, cell by cell: which pair of annotators, the label of each.

    `weight` is how many units there are with both, one cell for each two labels of a pair; pairs of
    annotators are numbered from 0 to `pairs`, and `start` is the number of the first among all, where these
    are a part.
    """

    pair: Codes
    first: Codes
    second: Codes
    weight: Codes
    pairs: int
    categories: int
    start: int = 0

    @property
    def numbers(self) -> slice:
        """Return the numbers of these pairs among all."""
        return slice(self.start, self.start + self.pairs)

    def blocks(self, size: int) -> Iterator[tuple["PairTables", Codes]]:
        """Yield so many pairs at a time, with the places of their labels."""
        if self.pairs <= size:
            yield self, np.arange(len(self.pair), dtype=np.int64)
            return
        order = np.argsort(self.pair, kind="stable")
        for start in range(0, self.pairs, size):
            end = min(start + size, self.pairs)
            cells = order[slice(*np.searchsorted(self.pair, [start, end], sorter=order).tolist())]
            part = PairTables(
                pair=self.pair[cells] - start,
                first=self.first[cells],
                second=self.second[cells],
                weight=self.weight[cells],
                pairs=end - start,
                categories=self.categories,
                start=start,
            )
            yield part, cells

    @cached_property
    def units(self) -> Codes:
        """Return how many units each pair of annotators shares (pairs,)."""
        return sums_by(self.pair, self.weight, self.pairs)

    @cached_property
    def apart(self) -> Codes:
        """Return on how many units each pair of annotators disagrees (pairs,)."""
        return sums_by(self.pair, np.where(self.first != self.second, self.weight, 0), self.pairs)

    def mean_distance(self, distance: CategoryDistance) -> Floats:
        """Return the mean distance of the labels of each pair of annotators (pairs,)."""
        apart = distance.at(self.first, self.second) * self.weight
        return sums_by(self.pair, apart, self.pairs) / self.units

    @cached_property
    def _used_by_both(self) -> tuple[Codes, Codes, Codes]:
        """Return the pair of annotators, n_k. and n_.k of each label k that both of a pair used."""
        rows, columns = (tally([self.pair, label], self.weight) for label in (self.first, self.second))
        first, second = (pair * self.categories + label for (pair, label), _ in (rows, columns))
        both, one, other = np.intersect1d(first, second, assume_unique=True, return_indices=True)
        return both // max(self.categories, 1), rows[1][one], columns[1][other]

    @property
    def chance(self) -> Codes:
        """Return n² - Σ_k n_k. n_.k, n² times the expected disagreement of each pair (pairs,)."""
        pair, first, second = self._used_by_both
        return self.units * self.units - sums_by(pair, first * second, self.pairs)

    @property
    def expected_by_chance(self) -> Floats:
        """Return the share of units on which chance would have each pair disagree (pairs,).

        1 - Σ n_k. n_.k / n², each annotator keeping their own distribution.
        """
        pair, first, second = self._used_by_both
        return 1 - sums_by(pair, first / self.units[pair] * (second / self.units[pair]), self.pairs)

    @cached_property
    def differ(self) -> Mask:
        """Tell of each pair whether the two used more than one category between them (pairs,)."""
        low = np.full(self.pairs, self.categories, dtype=np.int64)
        high = np.full(self.pairs, -1, dtype=np.int64)
        for label in (self.first, self.second):
            np.minimum.at(low, self.pair, label)
            np.maximum.at(high, self.pair, label)
        return low < high

    def count_of(self, label: Codes, asked: Codes) -> Codes:
        """Return for each two ratings how often their pair has the label `asked` in the column `label`."""
        keys, position = dense_codes(self.pair * self.categories + label, self.pairs * self.categories)
        counts = sums_by(position, self.weight, len(keys))
        asked_key = self.pair * self.categories + asked
        nearest = np.minimum(np.searchsorted(keys, asked_key), max(len(keys) - 1, 0))
        return np.where(keys[nearest] == asked_key, counts[nearest], 0)

    def shares(self, label: Codes) -> Floats:
        """Return the share of each label in a column, by pair of annotators (pairs, categories)."""
        counts = sums_by((self.pair, label), self.weight, (self.pairs, self.categories))
        return counts / self.units[:, None]


def unit_ratings(units: CodedUnits) -> UnitRatings:
    """Return the ratings of a unit set; units without a rating are left out.

    Units of one document with the same labels by the same annotators are one, with their number as weight,
    so that neither their order nor their number matters to what is computed from them.
    """
    labels = units.in_order
    unit, annotator, label = labels.unit, labels.annotator, labels.label
    starts = np.flatnonzero(np.diff(unit, prepend=-1))
    sizes = np.diff(np.append(starts, len(unit)))
    document = units.document[unit[starts]]
    kind, first = _kinds(document, annotator * len(units.categories) + label, starts, sizes)
    weight = sums_by(kind, units.weight[unit[starts]], len(first))
    rows = ranges(starts[first], starts[first] + sizes[first])[1]
    return UnitRatings(
        unit=np.repeat(np.arange(len(first), dtype=np.int64), sizes[first]),
        annotator=annotator[rows],
        label=label[rows],
        document=document[first],
        weight=weight,
        annotators=units.annotators,
        categories=units.categories,
    )


def _kinds(document: Codes, rating: Codes, starts: Codes, sizes: Codes) -> tuple[Codes, Codes]:
    """Return the kind of each unit (units,), and the first unit of each kind in an order of their own.

    `rating` (ratings,) is a code of who gave which label, those of a unit being together.
    """
    least = int(document.min(initial=0))
    distinct, kind = dense_codes(document - least, int(document.max(initial=least)) - least + 1)
    base, kinds = int(rating.max(initial=0)) + 2, len(distinct)
    for rank in range(int(sizes.max(initial=0))):
        here = sizes > rank
        more = np.zeros(len(sizes), dtype=np.int64)
        more[here] = rating[starts[here] + rank] + 1
        distinct, kind = dense_codes(kind * base + more, kinds * base)
        kinds = len(distinct)
    first = np.zeros(kinds, dtype=np.int64)
    first[kind[::-1]] = np.arange(len(kind), dtype=np.int64)[::-1]
    return kind, first


# Figures of every two annotators of a crowd at once, where a table for each pair would be too much.

OBSERVED = "observed_agreement"
KAPPA = "cohen_kappa"


@dataclass(frozen=True, eq=False)
class PairFigures:
    """Observed agreement and Cohen's kappa of every two annotators that share a unit: columns (pairs,).

    `first` and `second` are annotators' codes, `units` how many units both rated. `kappa` is NaN where
    both used one and the same category only, so that the expected disagreement is zero, and where they
    shared one unit alone.
    """

    first: Codes
    second: Codes
    units: Codes
    observed: Floats
    kappa: Floats

    @property
    def by_id(self) -> Mapping[str, Floats]:
        """Return the figures by their ids."""
        return {OBSERVED: self.observed, KAPPA: self.kappa}


def _tables_of(pairs: PairCounts, categories: int) -> PairTables:
    """Return the tables of all pairs, documents apart."""
    counted = np.diff(pairs.starts, append=len(pairs.n))
    pair = np.repeat(np.arange(len(counted)), counted)
    return PairTables(pair, pairs.first_label, pairs.second_label, pairs.n, len(counted), categories)


def pair_figures(pairs: PairCounts, categories: int) -> PairFigures:
    """Return the figures of all pairs, sorted by first and second annotator."""
    tables, starts = _tables_of(pairs, categories), pairs.starts
    units, apart, chance = tables.units, tables.apart, tables.chance
    kappa = np.full(len(starts), np.nan)
    # One unit alone has 1 at most, and several have more where there is any.
    np.divide(apart * units, chance, out=kappa, where=chance > 1)
    return PairFigures(pairs.first[starts], pairs.second[starts], units, (units - apart) / units, 1 - kappa)


def table_cells(pairs: PairCounts, categories: int) -> int:
    """Return how many cells the tables of all pairs have, each with the categories that either of it used."""
    tables = _tables_of(pairs, max(categories, 1))
    labels = np.concatenate([tables.first, tables.second])
    keys = np.unique(np.tile(tables.pair, 2) * tables.categories + labels)
    used = np.bincount(keys // tables.categories, minlength=tables.pairs)
    return int((used * used).sum())


def mean_of(values: Floats) -> tuple[float, int]:
    """Return the mean of the values that are defined, and how many those are; at least one is."""
    defined = values[~np.isnan(values)].tolist()
    return math.fsum(defined) / len(defined), len(defined)
