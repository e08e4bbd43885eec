"""Figures of two annotators that are shares of units: observed and specific agreement, indices, Finn's R."""

from fractions import Fraction

import numpy as np

from reportgen.agreement.algebra import estimates
from reportgen.agreement.algebra.parts import parts_of
from reportgen.agreement.algebra.rows import FIRST, SECOND
from reportgen.agreement.distances import nominal
from reportgen.agreement.estimate import (
    Estimate,
    Floats,
    NoInterval,
    Undefined,
    no_estimate,
    with_interval,
)
from reportgen.agreement.several.profiles import profiles_of_pair
from reportgen.counts import PairTable
from reportgen.study import Codes

TWO = 2


def observed_agreement(table: PairTable) -> Estimate:
    """Return the share of units on which the two agree, with an exact lower bound where they always do."""
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    return estimates.observed_agreement(profiles_of_pair(table))


def specific_agreement(table: PairTable, category: int) -> Estimate:
    """Return 2a / (2a + b + c) of one category: given that one used it, how often the other did too."""
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    return estimates.specific_agreement(profiles_of_pair(table), category)


def _used(table: PairTable, category: int) -> tuple[Floats, Floats]:
    """Return for each cell with units whether the first and the second annotator used the category."""
    cells = table.cells
    return (cells.row == category).astype(np.float64), (cells.column == category).astype(np.float64)


def prevalence_index(table: PairTable, category: int) -> Estimate:
    """Return (a - d) / n of one category against the rest: how much commoner joint use is than joint disuse.

    Byrt, Bishop and Carlin (1993).
    """
    row, column = _used(table, category)
    return _mean(table, row * column - (1 - row) * (1 - column), seen=table.units)


def bias_index(table: PairTable, category: int) -> Estimate:
    """Return (b - c) / n of one category against the rest: the first annotator's share less the second's.

    Byrt, Bishop and Carlin (1993).
    """
    row, column = _used(table, category)
    return _mean(table, row - column, seen=_told_apart(table, category))


def pabak(table: PairTable, category: int) -> Estimate:
    """Return 2 A_o - 1 of one category against the rest: kappa as it were without prevalence and bias.

    Byrt, Bishop and Carlin (1993).
    """
    row, column = _used(table, category)
    return _mean(table, 1 - 2 * (row - column) ** 2, seen=_told_apart(table, category))


def _told_apart(table: PairTable, category: int) -> int:
    """Return how many units only one annotator gave the category."""
    both = 2 * int(table.agreements[category])
    return int(table.row_totals[category] + table.column_totals[category]) - both


def _mean(table: PairTable, values: Floats, *, seen: int) -> Estimate:
    """Return the mean over units of a value for each cell that holds any, between -1 and 1.

    `seen` counts the units without which there is no interval: disagreements, where the figure is one of
    them.
    """
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    value = float((table.cells.value * values).sum()) / table.units
    estimate = Estimate(value, table.units)
    clusters = profiles_of_pair(table).clusters
    return with_interval(estimate, values - value, clusters, (-1.0, 1.0), disagreements=seen)


def kappa_max(table: PairTable) -> Estimate:
    """Return the highest kappa that these margins allow (Cohen 1960, p. 42).

    (Σ min(p_k., p_.k) - A_e) / (1 - A_e); `observed` is the highest agreement. It is a ceiling and has
    no interval.
    """
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    parts = parts_of(profiles_of_pair(table), nominal(table.categories))
    expected = float(parts.total.chance(FIRST, SECOND)[0])
    if expected <= 0:
        return no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, table.units)
    highest = int(np.minimum(table.row_totals, table.column_totals).sum())
    least = (table.units - highest) / table.units
    return Estimate(
        1 - least / expected, table.units, 1 - least, 1 - expected, interval=NoInterval.MARGINS_ONLY
    )


def finn_variance(categories: int) -> Fraction:
    """Return the variance of a uniform choice among the codes 1 … q: (q² - 1) / 12."""
    return Fraction(categories**2 - 1, 12)


def finn_distance(one: Codes, other: Codes) -> Floats:
    """Return the variance (n - 1) of two ratings, categories coded 1 … q in their order."""
    distance: Floats = (one - other) ** 2 / 2
    return distance
