"""Ratings unit by unit, for figures in which it matters who gave which label to which unit."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts.tally import PairCounts, in_order, ranks, tally, twos_by_annotator
from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import Clusters, Floats
from reportgen.readers import Codes
from reportgen.units import CodedUnits, Mask
from reportgen.units.coded import every_two, nothing, ranges, sums_by

# Cells of all pairs' tables that are looked up by their place.
MOST_PLACES = 8_000_000


@dataclass(frozen=True, eq=False)
class PairableRatings:
    """The ratings of units that at least two annotators rated: columns (ratings,).

    `weight` is how many units each is of, `ratings` how many its unit has, `same` how many of those have
    its label, itself counted, and `agreeing` how many pairs of its unit agree. `at` says when it was given,
    UNKNOWN where that is not known; None: nothing says so.
    """

    annotators: tuple[str, ...]
    unit: Codes
    annotator: Codes
    label: Codes
    document: Codes
    weight: Codes
    ratings: Codes
    same: Codes
    agreeing: Codes
    at: Codes | None = None

    @cached_property
    def with_others(self) -> Floats:
        """Return the share of the unit's other annotators who gave the same label."""
        shares: Floats = (self.same - 1) / (self.ratings - 1)
        return shares

    @cached_property
    def among_others(self) -> Floats:
        """Return the agreeing share of pairs of the unit's other annotators, NaN with fewer than two."""
        pairs = (self.ratings - 1) * (self.ratings - 2) // 2
        shares = np.full(len(self.unit), np.nan)
        np.divide(self.agreeing - (self.same - 1), pairs, out=shares, where=pairs > 0)
        return shares


def ratings_of(units: CodedUnits, at: Codes | None = None) -> PairableRatings:
    """Return the ratings of a unit set; a row of weight 0 stands for no unit.

    `at` (ratings,) says when each rating of the unit set was given.
    """
    per_unit = np.bincount(units.unit, minlength=len(units.unit_weight))
    pairable = (per_unit[units.unit] >= 2) & (units.unit_weight[units.unit] > 0)
    unit, label = units.unit[pairable], units.label[pairable]
    size = len(units.categories)
    keys, cell = ranks(unit * size + label, size * len(per_unit))
    same = np.bincount(cell, minlength=len(keys))[cell]
    twice = np.zeros(len(per_unit), dtype=np.int64)
    np.add.at(twice, unit, same - 1)
    return PairableRatings(
        annotators=units.annotators,
        unit=unit,
        annotator=units.annotator[pairable],
        label=label,
        document=units.unit_document[unit],
        weight=units.unit_weight[unit],
        ratings=per_unit[unit],
        same=same,
        agreeing=twice[unit] // 2,
        at=None if at is None else at[pairable],
    )


@dataclass(frozen=True, eq=False)
class UnitRatings:
    """The rated units of a unit set, and who gave each which label.

    - `unit`, `annotator`, `label` (ratings,), sorted by unit and annotator; units are numbered from 0.
    - `document`, `weight` (units,): the document of each, by which units are sorted too, and how many units
      of the same kind it is.

    `in_pairs` says that no unit had more than two ratings, those included that were left out since.
    """

    unit: Codes
    annotator: Codes
    label: Codes
    document: Codes
    weight: Codes
    annotators: int
    categories: int
    in_pairs: bool = True

    @property
    def times(self) -> Codes:
        """Return how many units are of each kind (units,)."""
        return self.weight

    @cached_property
    def ratings(self) -> Codes:
        """Return how many ratings each unit has (units,)."""
        return np.bincount(self.unit, minlength=len(self.weight))

    @cached_property
    def units(self) -> int:
        """Return how many units there are, weights counted."""
        return int(self.weight.sum())

    @cached_property
    def labels_by_annotator(self) -> Codes:
        """Return how often each annotator gave each label (annotators, categories)."""
        places, size = (self.annotator, self.label), (self.annotators, self.categories)
        return sums_by(places, self.weight[self.unit], size)

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
        return self._part(self.label != category, self.categories - 1)

    @cached_property
    def paired(self) -> "UnitRatings":
        """Return the units with at least two ratings."""
        return self._part((self.ratings >= 2)[self.unit], self.categories)

    def _part(self, chosen: Mask, categories: int) -> "UnitRatings":
        """Return some ratings (ratings,), and the units that have any of them."""
        rated = np.bincount(self.unit[chosen], minlength=len(self.weight)) > 0
        new_number = np.cumsum(rated) - 1
        return UnitRatings(
            unit=new_number[self.unit[chosen]],
            annotator=self.annotator[chosen],
            label=self.label[chosen],
            document=self.document[rated],
            weight=self.weight[rated],
            annotators=self.annotators,
            categories=categories,
            in_pairs=not self._beyond_pairs,
        )

    @cached_property
    def _beyond_pairs(self) -> bool:
        return not self.in_pairs or int(self.ratings.max(initial=0)) > 2

    def _people(self, one: Codes, other: Codes) -> Codes:
        """Return a number for the annotators of two ratings each."""
        return self.annotator[one] * self.annotators + self.annotator[other]

    @property
    def tables(self) -> "PairTables":
        """Return the tables of every two annotators who rated a unit, without a row for each unit."""
        return self._tables[0]

    @cached_property
    def _tables(self) -> tuple["PairTables", Codes]:
        """Return the tables, and a number for the annotators and labels of each of their cells, ascending."""
        parts = [[nothing()] * 4]
        for one, other in twos_by_annotator(self.unit, self.annotator):
            columns = [self._people(one, other), self.label[one], self.label[other]]
            rows, times = tally(columns, self.weight[self.unit[one]])
            parts.append([*rows, times])
        people, first, second, n = (np.concatenate(column) for column in zip(*parts, strict=True))
        distinct, pair = ranks(people, self.annotators * self.annotators)
        keys = (people * self.categories + first) * self.categories + second
        return PairTables(pair, first, second, n, len(distinct), self.categories), keys

    def mean_distance(self, distance: CategoryDistance) -> Floats:
        """Return the mean distance of each unit's pairs of ratings (units,), 0 without a pair."""
        sums = self.sum_over_tables(distance.at(self.tables.first, self.tables.second))
        return sums / np.maximum(self.ratings * (self.ratings - 1) / 2, 1)

    def sum_over_tables(self, values: Floats) -> Floats:
        """Return for each unit the sum over its pairs of ratings of a value by cell of the tables."""
        sums: Floats = np.zeros(len(self.weight))
        cell_of = places_of(self._tables[1], (self.annotators * self.categories) ** 2)
        for one, other in every_two(self.unit):
            labels = self.label[one] * self.categories + self.label[other]
            cell = cell_of(self._people(one, other) * self.categories * self.categories + labels)
            np.add.at(sums, self.unit[one], values[cell])
        return sums


def places_of(keys: Codes, most: int) -> Callable[[Codes], Codes]:
    """Return the function that gives the places of numbers among ascending ones, all less than `most`."""
    if most > MOST_PLACES:
        return lambda asked: np.searchsorted(keys, asked)
    table = np.zeros(most, dtype=np.int64)
    table[keys] = np.arange(len(keys), dtype=np.int64)
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
        keys, position = ranks(self.pair * self.categories + label, self.pairs * self.categories)
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
    unit, annotator, label = in_order(units)
    starts = np.flatnonzero(np.diff(unit, prepend=-1))
    sizes = np.diff(np.append(starts, len(unit)))
    document = units.unit_document[unit[starts]]
    kind, first = _kinds(document, annotator * len(units.categories) + label, starts, sizes)
    weight = sums_by(kind, units.unit_weight[unit[starts]], len(first))
    rows = ranges(starts[first], starts[first] + sizes[first])[1]
    return UnitRatings(
        unit=np.repeat(np.arange(len(first), dtype=np.int64), sizes[first]),
        annotator=annotator[rows],
        label=label[rows],
        document=document[first],
        weight=weight,
        annotators=len(units.annotators),
        categories=len(units.categories),
    )


def _kinds(document: Codes, rating: Codes, starts: Codes, sizes: Codes) -> tuple[Codes, Codes]:
    """Return the kind of each unit (units,), and the first unit of each kind in an order of their own.

    `rating` (ratings,) is a code of who gave which label, those of a unit being together.
    """
    least = int(document.min(initial=0))
    distinct, kind = ranks(document - least, int(document.max(initial=least)) - least + 1)
    base, kinds = int(rating.max(initial=0)) + 2, len(distinct)
    for rank in range(int(sizes.max(initial=0))):
        here = sizes > rank
        more = np.zeros(len(sizes), dtype=np.int64)
        more[here] = rating[starts[here] + rank] + 1
        distinct, kind = ranks(kind * base + more, kinds * base)
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
