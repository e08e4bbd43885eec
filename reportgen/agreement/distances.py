"""Distances between categories: nominal, by rank or value, from a table, computed from the annotations."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.counts import Cells
from reportgen.study import Codes, Mask


@dataclass(frozen=True, eq=False)
class Drift:
    """What a unit moves through distances that themselves come from the annotations.

    A unit with r ratings moves a figure by the sum of `by_rating` (categories,) over its ratings, and of
    `by_pair`, symmetric with a zero diagonal, over every two of them, divided by r - 1.
    """

    by_rating: Floats
    by_pair: Cells | None = None


# The derivative of a figure by the distance of one category from another, at any of them.
Slope = Callable[[Codes, Codes], Floats]
Drifting = Callable[[Slope], Drift]


class Distance:
    """A symmetric distance between categories, zero from each to itself, and its id.

    `drift` is there when the distances themselves come from the annotations: given the derivative of a
    figure by each distance, it returns what a unit moves through them.
    """

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
        found: Floats = self._matrix[one, other]
        return found

    def toward(self, weights: Floats) -> Floats:
        """Return the sum of each category's distances from all, weighted (…, categories)."""
        found: Floats = np.einsum("...l,kl->...k", weights, self._matrix)
        return found

    def within(self, counts: Cells) -> float:
        """Return the sum of distances over the units in the cells of a table."""
        return float((counts.value * self.at(counts.row, counts.column)).sum())

    @property
    def total(self) -> float:
        """Return the sum of all distances."""
        return float(self._matrix.sum())

    def farthest(self, used: Mask) -> float:
        """Return the largest distance of some categories (categories,)."""
        return float(self._matrix[np.ix_(used, used)].max(initial=0.0))

    def alike(self, farthest: float) -> float:
        """Return the sum of the weights 1 - δ / farthest, those below 0 taken for 0."""
        return float(np.maximum(1 - self._matrix / farthest, 0.0).sum())


class Nominal(Distance):
    """Distance 1 between any two categories: every disagreement counts the same."""

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

    def alike(self, farthest: float) -> float:
        """Return what the diagonal weighs, and the cells beside it where 1 is not the farthest."""
        return self.size + self.total * max(1 - 1 / farthest, 0.0)


def of_others(weights: Floats) -> Floats:
    """Return for each category the sum of all other weights (…, categories).

    It is what comes before and behind it: the total less its own weight has no digits left where one
    category is all but everything.
    """
    before, behind = np.zeros_like(weights), np.zeros_like(weights)
    np.cumsum(weights[..., :-1], axis=-1, out=before[..., 1:])
    behind[..., :-1] = np.cumsum(weights[..., :0:-1], axis=-1)[..., ::-1]
    found: Floats = before + behind
    return found


def nominal(categories: int) -> Distance:
    """Return distance 1 between any two categories."""
    return Nominal(categories)


def linear(values: Floats) -> Distance:
    """Return the absolute difference of the categories' values or ranks (Cohen 1968)."""
    return Distance("linear", np.abs(values[:, None] - values[None, :]))


def quadratic(values: Floats) -> Distance:
    """Return the squared difference of the categories' values or ranks (Fleiss and Cohen 1973)."""
    return Distance("quadratic", (values[:, None] - values[None, :]) ** 2)


def radical(values: Floats) -> Distance:
    """Return the square root of the difference of values or ranks (Gwet 2014, radical weights)."""
    return Distance("radical", np.sqrt(np.abs(values[:, None] - values[None, :])))


def by_ranks(size: int) -> Distance:
    """Return Gwet's ordinal distance (2014): how many pairs of ranks lie between two, both ends included."""
    gap = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
    return Distance("ordinal", (gap * (gap + 1) // 2).astype(np.float64))


def circular(values: Floats) -> Distance:
    """Return the squared sine of the angle between two values on a circle (Krippendorff 2004; Gwet 2014).

    The circle has as many steps of one as lie between the least and the largest value, and one more, which
    closes it.
    """
    steps = float(values.max() - values.min()) + 1 if len(values) else 1.0
    gaps, place = np.unique(np.abs(values[:, None] - values[None, :]), return_inverse=True)
    sines = np.array([math.sin(math.pi * gap / steps) ** 2 for gap in gaps.tolist()])
    return Distance("circular", sines[place.reshape(len(values), len(values))])


def bipolar(values: Floats) -> Distance:
    """Return the squared difference of values, the larger the nearer to an end of the scale they are.

    (c - k)² / ((c + k - 2 least)(2 largest - c - k)) (Krippendorff 2004; Gwet 2014).
    """
    if len(values) == 0:
        return Distance("bipolar", np.zeros((0, 0)))
    sums = values[:, None] + values[None, :]
    room = (sums - 2 * values.min()) * (2 * values.max() - sums)
    squares = (values[:, None] - values[None, :]) ** 2
    return Distance("bipolar", np.divide(squares, room, out=np.zeros_like(sums), where=squares > 0))


def interval(values: Floats) -> Distance:
    """Return Krippendorff's interval distance, the squared difference of values (2004, section 11.3)."""
    return Distance("interval", (values[:, None] - values[None, :]) ** 2)


def ratio(values: Floats) -> Distance:
    """Return Krippendorff's ratio distance, the square of difference over sum (2004, section 11.3).

    Values are not negative; study/ has seen to it.
    """
    sums = values[:, None] + values[None, :]
    shares = np.divide(values[:, None] - values[None, :], sums, out=np.zeros_like(sums), where=sums != 0)
    return Distance("ratio", shares**2)


def ordinal(totals: Codes, ratings: float = 2.0) -> Distance:
    """Return Krippendorff's ordinal distance from the number of ratings of each category.

    `ratings` is how many a unit has on average.

    The squared number of ratings between two categories, each end counted half (Krippendorff 2004,
    section 11.3), which is the squared difference of their mean ranks; as a share of all ratings, so
    that it does not grow with the sample.
    """
    shares = totals / max(int(totals.sum()), 1)
    ranks = np.cumsum(shares) - shares / 2
    return Distance(
        "ordinal", (ranks[:, None] - ranks[None, :]) ** 2, lambda slope: _ordinal_drift(slope, ranks, ratings)
    )


def _ordinal_drift(slope: Slope, ranks: Floats, ratings: float) -> Drift:
    """Return the influence that goes through the categories' mean ranks."""
    size = len(ranks)
    code = np.arange(size)
    slopes = slope(code[:, None], code[None, :])
    by_rank = 2 * ((slopes + slopes.T) * (ranks[:, None] - ranks[None, :])).sum(axis=1)
    below = np.tri(size, k=-1) + np.eye(size) / 2
    # below[c, a]: what a rating of category a adds to the rank of category c.
    one = (by_rank[:, None] * below).sum(axis=0)
    return Drift((one - float((by_rank * ranks).sum())) / ratings)
