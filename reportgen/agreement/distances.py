"""Distances between categories: nominal, by rank or value, from a table, computed from the annotations."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.counts import PairTable
from reportgen.study import Codes


@dataclass(frozen=True, eq=False)
class Drift:
    """What a unit moves through distances that themselves come from the annotations.

    A unit with r ratings moves a figure by the sum of `by_rating` (categories,) over its ratings, and of
    `by_pair` (categories, categories), symmetric with a zero diagonal, over every two of them, divided by
    r - 1.
    """

    by_rating: Floats
    by_pair: Floats | None = None

    def of_cells(self) -> Floats:
        """Return the influence of a unit with two ratings in each cell of a table."""
        cells: Floats = self.by_rating[:, None] + self.by_rating[None, :]
        return cells if self.by_pair is None else cells + self.by_pair


@dataclass(frozen=True, eq=False)
class Distance:
    """A symmetric matrix of distances (categories, categories) with a zero diagonal, and its id.

    `drift` is there when the distances themselves come from the annotations: given the derivative of
    a figure by each distance (categories, categories), it returns what a unit moves through them.
    """

    id: str
    matrix: Floats
    drift: Callable[[Floats], Drift] | None = None


def nominal(categories: int) -> Distance:
    """Return distance 1 between any two categories: every disagreement counts the same."""
    return Distance("nominal", 1.0 - np.eye(categories))


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


def _ordinal_drift(slope: Floats, ranks: Floats, ratings: float) -> Drift:
    """Return the influence that goes through the categories' mean ranks."""
    by_rank = 2 * ((slope + slope.T) * (ranks[:, None] - ranks[None, :])).sum(axis=1)
    size = len(ranks)
    below = np.tri(size, k=-1) + np.eye(size) / 2
    # below[c, a]: what a rating of category a adds to the rank of category c.
    one = (by_rank[:, None] * below).sum(axis=0)
    return Drift((one - float((by_rank * ranks).sum())) / ratings)


def conditional_probabilities(coincidences: Floats | Codes) -> Floats:
    """Return P(C2|C1), rows C1, columns C2: how often a category C1 by one annotator meets C2 by another.

    `coincidences` (categories, categories) is symmetric: how often one label meets another, each pair of
    annotators counted both ways. Of two annotators it is their table with its transpose, so that this is
    (n12 + n21) / n1 with n1 all ratings of C1 by both (Fort, François and Ghribi 2010, section 4.2, table
    5); of more, Krippendorff's coincidence matrix over its row totals. The row of a category that nobody
    used is NaN. The diagonal is specific agreement.
    """
    totals = coincidences.sum(axis=1)
    shares = np.full(coincidences.shape, np.nan)
    used = totals > 0
    shares[used] = coincidences[used] / totals[used, None]
    return shares


def coincidences_of_two(table: PairTable) -> Codes:
    """Return how often each label meets each other one in a pair's table, both ways."""
    return table.counts + table.counts.T


def computed_mean(coincidences: Floats | Codes, units: int) -> Distance:
    """Return the mean of the two oriented distances 1 - P(C2|C1), made for alpha.

    Fort, François and Ghribi (2010), section 4.2, table 6. Categories that no annotator used are at
    distance zero, where they weigh nothing. `units` is how many units the coincidences come from.
    """
    apart = 1 - np.nan_to_num(conditional_probabilities(coincidences), nan=1.0)
    slopes = np.full(apart.shape, -0.5)
    return Distance(
        "computed",
        _hollow((apart + apart.T) / 2),
        lambda slope: _computed_drift(slope, slopes, coincidences, units),
    )


def computed_product(coincidences: Floats | Codes, units: int) -> Distance:
    """Return the product of the two oriented distances 1 - P(C2|C1), made for weighted kappa.

    Fort, François and Ghribi (2010), section 4.2, table 6; arguments as in `computed_mean`.
    """
    apart = 1 - np.nan_to_num(conditional_probabilities(coincidences), nan=1.0)
    slopes = -apart.T
    return Distance(
        "computed",
        _hollow(apart * apart.T),
        lambda slope: _computed_drift(slope, slopes, coincidences, units),
    )


def shown(distance: Distance, coincidences: Floats | Codes) -> Floats:
    """Return computed distances for display: NaN to and from a category that nobody used."""
    unused = coincidences.sum(axis=1) == 0
    matrix = distance.matrix.copy()
    matrix[unused, :] = matrix[:, unused] = np.nan
    return matrix


def coincidence_tables(coincidences: Floats) -> dict[str, Floats]:
    """Return coincidences with what Fort et al. compute from them: probabilities and the two distances."""
    return {
        "counts": coincidences,
        "conditional_probabilities": conditional_probabilities(coincidences),
        "computed_alpha": computed_mean(coincidences, 1).matrix,
        "computed_kappa": computed_product(coincidences, 1).matrix,
    }


def _hollow(matrix: Floats) -> Floats:
    """Return a matrix with a zero diagonal."""
    return matrix * (1.0 - np.eye(len(matrix)))


def _computed_drift(slope: Floats, slopes: Floats, coincidences: Floats | Codes, units: int) -> Drift:
    """Return the influence that goes through the computed distances.

    `slopes` is the derivative of each distance d(i, j) by P(j|i). Two ratings a ≠ b of a unit move P(b|a)
    and P(a|b); by being of a and b at all they move every P(j|a) and P(j|b).
    """
    totals = coincidences.sum(axis=1) / units
    weight = _hollow((slope + slope.T) * slopes)
    shares = np.nan_to_num(conditional_probabilities(coincidences), nan=0.0)
    used = np.where(totals > 0, totals, 1.0)[:, None]
    moved = weight / used
    base = (weight * shares / used).sum(axis=1)
    return Drift(-base, moved + moved.T)
