"""Figures of two annotators that are shares of units: observed and specific agreement, indices, Finn's R."""

from fractions import Fraction

import numpy as np

from reportgen.counts import ContingencyTable
from reportgen.measures import estimates
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import Estimate, Floats, NoInterval, Undefined, no_estimate, with_interval
from reportgen.measures.estimates import parts_of
from reportgen.measures.profiles import profiles_of_pair
from reportgen.measures.vectorized_sums import FIRST, SECOND
from reportgen.readers import Codes

TWO = 2


def observed_agreement(table: ContingencyTable) -> Estimate:
    """Return the share of units on which the two agree, with an exact lower bound where they always do."""
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    return estimates.observed_agreement(profiles_of_pair(table))


def specific_agreement(table: ContingencyTable, category: int) -> Estimate:
    """Return 2a / (2a + b + c) of one category: given that one used it, how often the other did too."""
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    return estimates.specific_agreement(profiles_of_pair(table), category)


def _used(table: ContingencyTable, category: int) -> tuple[Floats, Floats]:
    """Return for each cell with units whether the first and the second annotator used the category."""
    cells = table.cells
    return (cells.row == category).astype(np.float64), (cells.column == category).astype(np.float64)


def prevalence_index(table: ContingencyTable, category: int) -> Estimate:
    """Return (a - d) / n of one category against the rest: how much commoner joint use is than joint disuse.

    Byrt, Bishop and Carlin (1993).
    """
    row, column = _used(table, category)
    return _mean(table, row * column - (1 - row) * (1 - column), seen=table.units)


def bias_index(table: ContingencyTable, category: int) -> Estimate:
    """Return (b - c) / n of one category against the rest: the first annotator's share less the second's.

    Byrt, Bishop and Carlin (1993).
    """
    row, column = _used(table, category)
    return _mean(table, row - column, seen=_told_apart(table, category))


def pabak(table: ContingencyTable, category: int) -> Estimate:
    """Return 2 A_o - 1 of one category against the rest: kappa as it were without prevalence and bias.

    Byrt, Bishop and Carlin (1993).
    """
    row, column = _used(table, category)
    return _mean(table, 1 - 2 * (row - column) ** 2, seen=_told_apart(table, category))


def _told_apart(table: ContingencyTable, category: int) -> int:
    """Return how many units only one annotator gave the category."""
    both = 2 * int(table.agreements[category])
    return int(table.row_totals[category] + table.column_totals[category]) - both


def _mean(table: ContingencyTable, values: Floats, *, seen: int) -> Estimate:
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


def kappa_max(table: ContingencyTable) -> Estimate:
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


# Agreement of two annotators beside what their margins allow: Bangdiwala's B.


def bangdiwala_b(table: ContingencyTable) -> Estimate:
    """Return Σ n_kk² / Σ n_k. n_.k: the agreeing area of the agreement chart beside the largest (1985).

    The influence of a unit in cell (j, k) is (2 p_jj [j = k] - B (p_.j + p_k.)) / Σ p_k. p_.k, the derivative
    by the table's shares; Gwet's irrCAC has the same standard error.
    """
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    if table.categories < TWO:
        return no_estimate(Undefined.ONE_CATEGORY, table.units)
    rows, columns = table.row_totals / table.units, table.column_totals / table.units
    cells, same = table.cells, table.agreements / table.units
    largest = float((rows * columns).sum())
    if largest <= 0:
        return no_estimate(Undefined.NO_SHARED_CATEGORY, table.units)
    value = float((same * same).sum()) / largest
    agreeing = np.where(cells.row == cells.column, 2 * same[cells.row], 0.0)
    moved: Floats = agreeing - value * (columns[cells.row] + rows[cells.column])
    return with_interval(
        Estimate(value, table.units),
        moved / largest,
        profiles_of_pair(table).clusters,
        (0.0, 1.0),
        disagreements=table.disagreements,
    )
