"""Distances between categories: nominal, by rank or value, from a table, computed from the annotations."""

import math
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.counts import Cells, ContingencyTable, sum_cells
from reportgen.measures.estimate import ROUNDING, Floats
from reportgen.readers import Codes
from reportgen.units import Mask
from reportgen.units.labels import quotient, sums_by


@dataclass(frozen=True, eq=False)
class DistanceInfluence:
    """What a unit moves through distances that themselves come from the annotations.

    A unit with r ratings moves a figure by the sum of `by_rating` (categories,) over its ratings, and of
    `by_pair`, symmetric with a zero diagonal, over every two of them, divided by r - 1.
    """

    by_rating: Floats
    by_pair: Cells | None = None


# The derivative of a figure by the distance of one category from another, at any of them.
Slope = Callable[[Codes, Codes], Floats]
Drifting = Callable[[Slope], DistanceInfluence]


class CategoryDistance:
    """A symmetric distance between categories, zero from each to itself, and its id.

    `drift` is there when the distances themselves come from the annotations: given the derivative of a
    figure by each distance, it returns what a unit moves through them.
    """

    # Whether categories are ranks or numbers, so that some disagreements are much larger than others.
    on_a_scale = False
    # Whether no kappa or alpha with it falls below -1. So it is where categories can be points, and distances
    # squares of those between them: labels of a unit then differ by at most twice what chance gives.
    ends_at_lowest = False

    def __init__(self, name: str, matrix: Floats, drift: Drifting | None = None) -> None:
        """Keep a matrix of distances (categories, categories)."""
        self.id = name
        self.size = len(matrix)
        self.drift = drift
        self._matrix = matrix

    @property
    def matrix(self) -> Floats:
        """Return all distances (categories, categories)."""
        return self._matrix

    def at(self, one: Codes, other: Codes) -> Floats:
        """Return the distances of some categories from others."""
        return self._matrix[one, other]

    def toward(self, weights: Floats) -> Floats:
        """Return the sum of each category's distances from all, weighted (…, categories)."""
        sums: Floats = np.einsum("...l,kl->...k", weights, self._matrix)
        return sums

    @property
    def total(self) -> float:
        """Return the sum of all distances."""
        return float(self._matrix.sum())

    @property
    def uniform(self) -> float:
        """Return the mean distance of two categories, each as likely."""
        return self.total / self.size**2 if self.size else 0.0

    def farthest(self, used: Mask) -> float:
        """Return the largest distance of some categories (categories,)."""
        return float(self._matrix[np.ix_(used, used)].max(initial=0.0))

    @cached_property
    def largest(self) -> float:
        """Return the largest distance of all: δ_max, at which the weights 1 - δ / δ_max of AC2 are 0.

        Weights belong to the scale, declared or used, and are the same for every pair of annotators.
        """
        return self.farthest(np.ones(self.size, dtype=np.bool_))

    @property
    def weights(self) -> float:
        """Return the sum of these weights over all pairs of categories, T_w, those below 0 taken for 0."""
        return float(np.maximum(1 - self.matrix / self.largest, 0.0).sum())


class Nominal(CategoryDistance):
    """Distance 1 between any two categories: every disagreement counts the same."""

    ends_at_lowest = True

    def __init__(self, size: int) -> None:
        """Keep how many categories there are: a matrix of thousands would fill the memory."""
        self.id = "nominal"
        self.size = size
        self.drift = None

    @property
    def matrix(self) -> Floats:
        """Return all distances (categories, categories)."""
        return 1.0 - np.eye(self.size)

    def at(self, one: Codes, other: Codes) -> Floats:
        """Return 1 where two categories differ."""
        apart: Floats = (one != other).astype(np.float64)
        return apart

    def toward(self, weights: Floats) -> Floats:
        """Return the sum of all other weights (…, categories)."""
        return of_others(weights)

    @property
    def total(self) -> float:
        """Return how many cells are off the diagonal."""
        return float(self.size * (self.size - 1))

    def farthest(self, used: Mask) -> float:
        """Return 1 where there are two categories."""
        return float(np.count_nonzero(used) > 1)

    @property
    def weights(self) -> float:
        """Return how many cells are on the diagonal, which weigh 1."""
        return float(self.size)


def of_others(weights: Floats) -> Floats:
    """Return for each category the sum of all other weights (…, categories).

    It is what comes before and behind it: the total less its own weight has no digits left where one
    category is all but everything.
    """
    before, behind = np.zeros_like(weights), np.zeros_like(weights)
    np.cumsum(weights[..., :-1], axis=-1, out=before[..., 1:])
    behind[..., :-1] = np.cumsum(weights[..., :0:-1], axis=-1)[..., ::-1]
    return before + behind


class ScaleDistance(CategoryDistance):
    """A distance between ranks or numbers, each of which is between points (Schoenberg 1938).

    Powers up to the square of a difference are, and sums of such: Gwet's ordinal is half of the square and of
    the difference. The sine of half an angle on a circle is half a chord. With x = exp u, the ratio distance
    is tanh² of half a difference of u, one minus a positive definite function. The bipolar is half the sum of
    (a - b)² / (a + b) from either end, which is a + b - 4ab / (a + b).
    """

    on_a_scale = True
    ends_at_lowest = True


class SharedMembers(CategoryDistance):
    """One minus a share of members in common, Jaccard's or Dice's, which is a positive definite function."""

    ends_at_lowest = True


@lru_cache(maxsize=64)
def nominal(categories: int) -> CategoryDistance:
    """Return distance 1 between any two categories: the same object, so that sums under it are made once."""
    return Nominal(categories)


def linear(values: Floats) -> CategoryDistance:
    """Return the absolute difference of the categories' values or ranks (Cohen 1968)."""
    return ScaleDistance("linear", np.abs(values[:, None] - values[None, :]))


def quadratic(values: Floats) -> CategoryDistance:
    """Return the squared difference of the categories' values or ranks (Fleiss and Cohen 1973)."""
    return ScaleDistance("quadratic", (values[:, None] - values[None, :]) ** 2)


def radical(values: Floats) -> CategoryDistance:
    """Return the square root of the difference of values or ranks (Gwet 2014, radical weights)."""
    return ScaleDistance("radical", np.sqrt(np.abs(values[:, None] - values[None, :])))


def by_ranks(values: Floats) -> CategoryDistance:
    """Return Gwet's ordinal distance (2014): how many pairs of ranks lie between two, both ends included."""
    size = len(values)
    gap = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
    return ScaleDistance("ordinal", (gap * (gap + 1) // 2).astype(np.float64))


def circular(values: Floats) -> CategoryDistance:
    """Return the squared sine of the angle between two values on a circle (Krippendorff 2004; Gwet 2014).

    The circle has as many steps of one as lie between the least and the largest value, and one more, which
    closes it.
    """
    gaps, gap_index = np.unique(np.abs(values[:, None] - values[None, :]), return_inverse=True)
    sines = np.array([math.sin(math.pi * gap / (float(gaps[-1]) + 1)) ** 2 for gap in gaps.tolist()])
    return ScaleDistance("circular", sines[gap_index.reshape(len(values), len(values))])


def bipolar(values: Floats) -> CategoryDistance:
    """Return the squared difference of values, the larger the nearer to an end of the scale they are.

    (c - k)² / ((c + k - 2 least)(2 largest - c - k)) (Krippendorff 2004; Gwet 2014).
    """
    if len(values) == 0:
        return ScaleDistance("bipolar", np.zeros((0, 0)))
    sums = values[:, None] + values[None, :]
    room = (sums - 2 * values.min()) * (2 * values.max() - sums)
    squares = (values[:, None] - values[None, :]) ** 2
    return ScaleDistance("bipolar", np.divide(squares, room, out=np.zeros_like(sums), where=squares > 0))


def interval(values: Floats) -> CategoryDistance:
    """Return Krippendorff's interval distance, the squared difference of values (2004, section 11.3)."""
    return ScaleDistance("interval", (values[:, None] - values[None, :]) ** 2)


def ratio(values: Floats) -> CategoryDistance:
    """Return Krippendorff's ratio distance, the square of difference over sum (2004, section 11.3).

    Values are not negative: units/categories.py refuses others.
    """
    sums = values[:, None] + values[None, :]
    shares = np.divide(values[:, None] - values[None, :], sums, out=np.zeros_like(sums), where=sums != 0)
    return ScaleDistance("ratio", shares**2)


def ordinal(totals: Codes, ratings: float = 2.0) -> CategoryDistance:
    """Return Krippendorff's ordinal distance from the number of ratings of each category.

    `ratings` is how many a unit has on average.

    The squared number of ratings between two categories, each end counted half (Krippendorff 2004,
    section 11.3), which is the squared difference of their mean ranks; as a share of all ratings, so
    that it does not grow with the sample.
    """
    shares = totals / max(int(totals.sum()), 1)
    ranks = np.cumsum(shares) - shares / 2
    return ScaleDistance(
        "ordinal", (ranks[:, None] - ranks[None, :]) ** 2, lambda slope: _ordinal_drift(slope, ranks, ratings)
    )


def _ordinal_drift(slope: Slope, ranks: Floats, ratings: float) -> DistanceInfluence:
    """Return the influence that goes through the categories' mean ranks."""
    size = len(ranks)
    code = np.arange(size)
    slopes = slope(code[:, None], code[None, :])
    by_rank = 2 * ((slopes + slopes.T) * (ranks[:, None] - ranks[None, :])).sum(axis=1)
    below = np.tri(size, k=-1) + np.eye(size) / 2
    # below[c, a]: what a rating of category a adds to the rank of category c.
    by_category = (by_rank[:, None] * below).sum(axis=0)
    return DistanceInfluence((by_category - float((by_rank * ranks).sum())) / ratings)


# Distances between categories that are sets of labels: Jaccard, MASI, Dice.

Members = frozenset[str]
Shared = npt.NDArray[np.int32]


class Sets:
    """Categories that are sets (categories,): how many members they have, and how many in common.

    `size` (categories,) counts the members of each, `shared` (categories, categories) those that two of them
    have in common. An empty set equals an empty one and shares nothing with any other.
    """

    def __init__(self, sets: Sequence[Members]) -> None:
        """Count members; the sum runs over members, each of which some of the sets have."""
        self.size: Codes = np.array([len(members) for members in sets], dtype=np.int64)
        self.shared: Shared = np.zeros((len(sets), len(sets)), dtype=np.int32)
        holders: dict[str, list[int]] = {}
        for code, members in enumerate(sets):
            for member in members:
                holders.setdefault(member, []).append(code)
        self.members = len(holders)
        for codes in holders.values():
            self.shared[np.ix_(codes, codes)] += 1

    @property
    def blank(self) -> npt.NDArray[np.bool_]:
        """Say of each set whether it is empty (categories,)."""
        empty: npt.NDArray[np.bool_] = self.size == 0
        return empty

    @property
    def _sums(self) -> Codes:
        return self.size[:, None] + self.size[None, :]

    @property
    def apart(self) -> Codes:
        """Return how many members one of two sets has and the other has not (categories, categories)."""
        return self._sums - 2 * self.shared

    @cached_property
    def jaccard(self) -> CategoryDistance:
        """Return 1 - |A ∩ B| / |A ∪ B|; two empty sets are at distance 0 (Jaccard 1908)."""
        return SharedMembers("jaccard", quotient(self.apart, self._sums - self.shared, 0.0))

    @cached_property
    def masi(self) -> CategoryDistance:
        """Return 1 - J M, J being Jaccard's index (Passonneau 2006, section 3).

        M is 1 for equal sets, 2/3 where one contains the other, 1/3 where they merely overlap, and 0 where
        they have nothing in common.
        """
        union = self._sums - self.shared
        least = np.minimum(self.size[:, None], self.size[None, :])
        within, equal = self.shared == least, self.apart == 0
        # Distances as shares of whole numbers: (3 union - weight shared) / (3 union), M being weight / 3.
        weight: Codes = 1 + within.astype(np.int64) + equal
        return CategoryDistance("masi", quotient(3 * union - weight * self.shared, 3 * union, 0.0))

    @cached_property
    def dice(self) -> CategoryDistance:
        """Return 1 - 2|A ∩ B| / (|A| + |B|); two empty sets are at distance 0 (Dice 1945)."""
        return SharedMembers("dice", quotient(self.apart, self._sums, 0.0))


@lru_cache(maxsize=2)
def table_of(sets: tuple[Members, ...]) -> Sets:
    """Return what is counted of sets; every pair of annotators of a unit set asks for the same."""
    return Sets(sets)


def set_distances(sets: tuple[Members, ...]) -> list[CategoryDistance]:
    """Return the distances between sets that coefficients are weighted with."""
    table = table_of(sets)
    return [table.jaccard, table.masi, table.dice]


# Distances computed from the annotations themselves (Fort, François and Ghribi 2010).
#
# Few of thousands of categories ever meet, so that only those that do are looked at: all others are as far
# apart as categories can be.


def conditional_probabilities(coincidences: Cells) -> Cells:
    """Return P(C2|C1), rows C1, columns C2: how often a category C1 by one annotator meets C2 by another.

    `coincidences` are symmetric: how often one label meets another, each pair of annotators counted both
    ways. Of two annotators it is their table with its transpose, so that this is (n12 + n21) / n1 with n1
    all ratings of C1 by both (Fort, François and Ghribi 2010, section 4.2, table 5); of more, Krippendorff's
    coincidence matrix over its row totals. Nothing is in the row of a category that nobody used. The
    diagonal is specific agreement.
    """
    shares = coincidences.value / coincidences.totals[coincidences.row]
    return Cells(coincidences.size, coincidences.key, shares)


def coincidences_of_two(table: ContingencyTable) -> Cells:
    """Return how often each label meets each other one in a pair's table, both ways."""
    cells = table.cells
    both_ways = [(cells.row, cells.column, cells.value), (cells.column, cells.row, cells.value)]
    return sum_cells(cells.size, both_ways)


class ConditionalDistance(CategoryDistance):
    """The mean or the product of the two oriented distances 1 - P(C2|C1), from `units` units.

    Section 4.2, table 6. Distances of a category that no annotator used weigh nothing, whatever they are.
    """

    # The more two categories meet on units, the nearer they are: thousands of searches for the least alpha of
    # a table came as near to -1 as one likes, and never below.
    ends_at_lowest = True

    def __init__(self, coincidences: Cells, units: int, *, product: bool) -> None:
        """Keep what meets, all other distances being 1."""
        self.id = "computed"
        self.size = coincidences.size
        self.drift = self._drift
        self._met, self._units, self._product = coincidences, units, product

    @cached_property
    def shares(self) -> Cells:
        """Return P(C2|C1)."""
        return conditional_probabilities(self._met)

    def _oriented(self, one: Codes, other: Codes) -> Floats:
        return 1 - self.shares.at(one, other)

    def at(self, one: Codes, other: Codes) -> Floats:
        """Return the distances of some categories from others."""
        there, back = self._oriented(one, other), self._oriented(other, one)
        apart = there * back if self._product else (there + back) / 2
        return np.where(one == other, 0.0, apart)

    @property
    def matrix(self) -> Floats:
        """Return all distances (categories, categories)."""
        code = np.arange(self.size)
        return self.at(code[:, None], code[None, :])

    @cached_property
    def _beside(self) -> tuple[Codes, Codes]:
        """Return the rows and columns of different categories that meet."""
        apart = self._met.row != self._met.column
        return self._met.row[apart], self._met.column[apart]

    def toward(self, weights: Floats) -> Floats:
        """Return the sum of each category's distances from all, weighted (…, categories)."""
        one, other = self._beside
        nearer = np.zeros_like(weights)
        np.add.at(nearer.T, one, (weights[..., other] * (1 - self.at(one, other))).T)
        others = of_others(weights)
        sums = others - nearer
        # Where all are at distance zero, rounding is what is left.
        return np.where(sums > ROUNDING * others, sums, 0.0)

    def farthest(self, used: Mask) -> float:
        """Return the largest distance of some categories (categories,): 1 where two of them never meet."""
        one, other = self._beside
        both_used = used[one] & used[other]
        most = int(np.count_nonzero(used))
        if np.count_nonzero(both_used) < most * (most - 1):
            return 1.0
        return float(self.at(one[both_used], other[both_used]).max(initial=0.0))

    def _drift(self, slope: Slope) -> DistanceInfluence:
        """Return the influence that goes through the computed distances.

        Two ratings a ≠ b of a unit move P(b|a) and P(a|b); by being of a and b at all they move every P(j|a)
        and P(j|b), and with them the distance d(a, j), by -1/2 or by -(1 - P(a|j)).
        """
        one, other = self._beside
        by_share = -self._oriented(other, one) if self._product else np.full(len(one), -0.5)
        used = self._met.totals[one] / self._units
        moved = Cells(
            self.size, one * self.size + other, (slope(one, other) + slope(other, one)) * by_share / used
        )
        base = sums_by(one, moved.value * self.shares.at(one, other), self.size)
        both = Cells(self.size, moved.key, moved.value + moved.at(other, one))
        return DistanceInfluence(-base, both)

    def shown(self, codes: Codes) -> Floats:
        """Return the distances of some categories for display: NaN to and from one that nobody used."""
        unused = self._met.totals[codes] == 0
        matrix = self.at(codes[:, None], codes[None, :])
        matrix[unused, :] = matrix[:, unused] = np.nan
        return matrix


# Made for alpha, and for weighted kappa.
computed_mean = partial(ConditionalDistance, product=False)
computed_product = partial(ConditionalDistance, product=True)


def coincidence_tables(coincidences: Cells, codes: Codes) -> dict[str, Floats]:
    """Return what some categories' coincidences are, and what Fort et al. compute from them.

    That is the probabilities and the two distances, NaN where nobody used the category.
    """
    shares = conditional_probabilities(coincidences).dense(codes)
    shares[coincidences.totals[codes] == 0] = np.nan
    return {
        "counts": coincidences.dense(codes),
        "conditional_probabilities": shares,
        "computed_alpha": computed_mean(coincidences, 1).shown(codes),
        "computed_kappa": computed_product(coincidences, 1).shown(codes),
    }
