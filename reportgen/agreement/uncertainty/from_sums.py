"""Figures from sums over units, one for each row of sums: the same formulas as elsewhere, many at a time."""

from collections.abc import Callable, Mapping

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.agreement.uncertainty.sums import Sums, quotient

Compute = Callable[[Sums], Floats]


def observed_agreement(sums: Sums) -> Floats:
    """Return observed agreement (rows,)."""
    return 1 - sums.observed


def _corrected(observed: Floats, expected: Floats) -> Floats:
    return 1 - quotient(observed, expected)


def krippendorff_alpha(sums: Sums) -> Floats:
    """Return nominal alpha (rows,)."""
    totals = sums.of("totals")
    ratings = totals.sum(axis=1)
    different = ratings * ratings - (totals * totals).sum(axis=1)
    return _corrected(sums.one("met") * (ratings - 1), different)


def scott_pi(sums: Sums) -> Floats:
    """Return Scott's pi (rows,)."""
    shares = quotient(sums.of("totals"), sums.of("totals").sum(axis=1)[:, None])
    return _corrected(sums.observed, 1 - (shares * shares).sum(axis=1))


def cohen_kappa(sums: Sums) -> Floats:
    """Return Cohen's kappa of two annotators (rows,)."""
    units = sums.one("units")
    same = (sums.of("first") * sums.of("second")).sum(axis=1)
    return _corrected(sums.observed, 1 - quotient(same, units * units))


def fleiss_kappa(sums: Sums) -> Floats:
    """Return Fleiss' kappa (rows,)."""
    return _corrected(sums.observed, 1 - (sums.shares * sums.shares).sum(axis=1))


def bennett_s(categories: int) -> Compute:
    """Return the function that gives Bennett's S over so many categories."""
    return lambda sums: 1 - sums.observed / (1 - 1 / categories)


def gwet_ac1(categories: int) -> Compute:
    """Return the function that gives Gwet's AC1 over so many categories."""

    def compute(sums: Sums) -> Floats:
        chance = (sums.shares * (1 - sums.shares)).sum(axis=1) / (categories - 1)
        return _corrected(sums.observed, 1 - chance)

    return compute


def alpha_with(matrix: Floats) -> Compute:
    """Return the function that gives alpha with a fixed distance (categories, categories)."""

    def compute(sums: Sums) -> Floats:
        used, (one, other) = sums.layout.used, sums.layout.pairs
        return _alpha(sums, matrix[used[one], used[other]][None, :])

    return compute


def alpha_ordinal(sums: Sums) -> Floats:
    """Return alpha with Krippendorff's ordinal distance, which comes from the very sums (rows,)."""
    totals = sums.of("totals")
    ranks = np.cumsum(totals, axis=1) - totals / 2
    one, other = sums.layout.pairs
    return _alpha(sums, (ranks[:, one] - ranks[:, other]) ** 2)


def _alpha(sums: Sums, distance: Floats) -> Floats:
    totals, (one, other) = sums.of("totals"), sums.layout.pairs
    met = (sums.of("pairs") * distance).sum(axis=1) / sums.layout.scale
    chance = (2 * totals[:, one] * totals[:, other] * distance).sum(axis=1)
    return _corrected(met * (totals.sum(axis=1) - 1), chance)


NOMINAL: Mapping[str, Compute] = {
    "observed_agreement": observed_agreement,
    "scott_pi": scott_pi,
    "krippendorff_alpha": krippendorff_alpha,
}
