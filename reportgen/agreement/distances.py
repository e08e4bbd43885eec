"""Distances between categories: nominal, by rank or value, from a table, computed from the annotations."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.counts import PairTable
from reportgen.study import Codes


@dataclass(frozen=True, eq=False)
class Distance:
    """A symmetric matrix of distances (categories, categories) with a zero diagonal, and its id.

    `drift` is there when the distances themselves come from the annotations: given the derivative of
    a figure by each distance (categories, categories), it returns what that adds to the influence of a
    unit in each cell.
    """

    id: str
    matrix: Floats
    drift: Callable[[Floats], Floats] | None = None


def nominal(categories: int) -> Distance:
    """Return distance 1 between any two categories: every disagreement counts the same."""
    return Distance("nominal", 1.0 - np.eye(categories))


def linear(values: Floats) -> Distance:
    """Return the absolute difference of the categories' values or ranks (Cohen 1968)."""
    return Distance("linear", np.abs(values[:, None] - values[None, :]))


def quadratic(values: Floats) -> Distance:
    """Return the squared difference of the categories' values or ranks (Fleiss and Cohen 1973)."""
    return Distance("quadratic", (values[:, None] - values[None, :]) ** 2)


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


def ordinal(totals: Codes) -> Distance:
    """Return Krippendorff's ordinal distance from the number of ratings of each category.

    The squared number of ratings between two categories, each end counted half (Krippendorff 2004,
    section 11.3), which is the squared difference of their mean ranks; as a share of all ratings, so
    that it does not grow with the sample.
    """
    shares = totals / max(int(totals.sum()), 1)
    ranks = np.cumsum(shares) - shares / 2
    return Distance(
        "ordinal", (ranks[:, None] - ranks[None, :]) ** 2, lambda slope: _ordinal_drift(slope, ranks)
    )


def _ordinal_drift(slope: Floats, ranks: Floats) -> Floats:
    """Return the influence that goes through the categories' mean ranks."""
    by_rank = 2 * ((slope + slope.T) * (ranks[:, None] - ranks[None, :])).sum(axis=1)
    size = len(ranks)
    below = np.tri(size, k=-1) + np.eye(size) / 2
    # below[c, a]: what a rating of category a adds to the rank of category c.
    one = (by_rank[:, None] * below).sum(axis=0)
    drift: Floats = (one[:, None] + one[None, :]) / 2 - float((by_rank * ranks).sum())
    return drift


def conditional_probabilities(table: PairTable) -> Floats:
    """Return P(C2|C1), rows C1, columns C2: how often a category C1 by one annotator meets C2 by the other.

    (n12 + n21) / n1 with n1 all ratings of C1 by both (Fort, François and Ghribi 2010, section 4.2,
    table 5); the row of a category that neither used is NaN. The diagonal is specific agreement.
    """
    both = table.counts + table.counts.T
    totals = table.row_totals + table.column_totals
    shares = np.full(both.shape, np.nan)
    used = totals > 0
    shares[used] = both[used] / totals[used, None]
    return shares


def computed_mean(table: PairTable) -> Distance:
    """Return the mean of the two oriented distances 1 - P(C2|C1), made for alpha.

    Fort, François and Ghribi (2010), section 4.2, table 6. Categories that neither annotator used are
    at distance zero, where they weigh nothing.
    """
    apart = 1 - np.nan_to_num(conditional_probabilities(table), nan=1.0)
    slopes = np.full(apart.shape, -0.5)
    return Distance(
        "computed", _hollow((apart + apart.T) / 2), lambda slope: _computed_drift(slope, slopes, table)
    )


def computed_product(table: PairTable) -> Distance:
    """Return the product of the two oriented distances 1 - P(C2|C1), made for weighted kappa.

    Fort, François and Ghribi (2010), section 4.2, table 6; unused categories as in `computed_mean`.
    """
    apart = 1 - np.nan_to_num(conditional_probabilities(table), nan=1.0)
    slopes = -apart.T
    return Distance("computed", _hollow(apart * apart.T), lambda slope: _computed_drift(slope, slopes, table))


def shown(distance: Distance, table: PairTable) -> Floats:
    """Return computed distances for display: NaN to and from a category that neither annotator used."""
    unused = table.row_totals + table.column_totals == 0
    matrix = distance.matrix.copy()
    matrix[unused, :] = matrix[:, unused] = np.nan
    return matrix


def _hollow(matrix: Floats) -> Floats:
    """Return a matrix with a zero diagonal."""
    return matrix * (1.0 - np.eye(len(matrix)))


def _computed_drift(slope: Floats, slopes: Floats, table: PairTable) -> Floats:
    """Return the influence that goes through the computed distances.

    `slopes` is the derivative of each distance d(i, j) by P(j|i). A unit in cell (a, b), a ≠ b, moves
    P(b|a) and P(a|b); by being of a and b at all it moves every P(j|a) and P(j|b).
    """
    totals = (table.row_totals + table.column_totals) / table.units
    weight = _hollow((slope + slope.T) * slopes)
    shares = np.nan_to_num(conditional_probabilities(table), nan=0.0)
    used = np.where(totals > 0, totals, 1.0)[:, None]
    moved = weight / used
    base = (weight * shares / used).sum(axis=1)
    drift: Floats = moved + moved.T - base[:, None] - base[None, :]
    return drift
