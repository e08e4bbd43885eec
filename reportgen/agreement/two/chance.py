"""Chance-corrected agreement of two annotators: 1 - observed / expected disagreement.

Bennett's S, Scott's pi, Cohen's kappa, weighted kappa and Krippendorff's alpha are one formula; they
differ in what is expected by chance and in the distance between categories (Artstein and Poesio 2008).
"""

from enum import Enum

import numpy as np

from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import (
    Estimate,
    Floats,
    Undefined,
    beyond_chance,
    no_estimate,
    pair_clusters,
    with_interval,
)
from reportgen.counts import PairTable
from reportgen.study import Codes


class Chance(Enum):
    """How two annotators would label by chance.

    UNIFORM: every category equally often (S). POOLED: both with the same distribution, the mean of
    theirs (pi). OWN: each with their own distribution (kappa). SAMPLED: as POOLED, drawn from the very
    ratings without putting back, which corrects for small samples (alpha).
    """

    UNIFORM = "uniform"
    POOLED = "pooled"
    OWN = "own"
    SAMPLED = "sampled"


def _margins(chance: Chance, rows: Codes, columns: Codes) -> tuple[Floats, Floats]:
    """Return how likely each annotator gives each category by chance (…, categories), arguments as below."""
    units = rows.sum(axis=-1, keepdims=True)
    if chance is Chance.UNIFORM:
        even = np.full(rows.shape, 1 / rows.shape[-1])
        return even, even
    if chance is Chance.OWN:
        return rows / units, columns / units
    both = rows + columns
    # A rating that is not put back takes from its own category alone, which is at no distance.
    drawn = 1 if chance is Chance.SAMPLED else 0
    return both / (2 * units), both / (2 * units - drawn)


def expected_disagreement(chance: Chance, rows: Codes, columns: Codes, distance: Distance) -> Floats:
    """Return the mean distance that chance would give (…).

    `rows` and `columns` (…, categories) are how often each annotator used each category; leading axes are
    computed side by side.
    """
    if chance is Chance.UNIFORM:
        return np.full(rows.shape[:-1], distance.total / distance.size**2)
    first, second = _margins(chance, rows, columns)
    expected: Floats = (first * distance.toward(second)).sum(axis=-1)
    return expected


def coefficient(
    table: PairTable, distance: Distance, chance: Chance, *, as_agreement: bool = False, low: float = -np.inf
) -> Estimate:
    """Return 1 - observed / expected disagreement of a pair, with its interval.

    `observed` and `expected` are disagreements, or agreements (one minus those) where `as_agreement`.
    `low` is the lower bound of the figure. Undefined without units or expected disagreement.
    """
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    observed = distance.within(table.cells) / table.units
    expected = float(expected_disagreement(chance, table.row_totals, table.column_totals, distance))
    if expected <= 0:
        return no_estimate(_why_undefined(table, chance), table.units)
    shown = (1 - observed, 1 - expected) if as_agreement else (observed, expected)
    estimate = Estimate(1 - observed / expected, table.units, *shown)
    influence = coefficient_influence(table, distance, chance, observed)
    disagreements = table.disagreements if observed > 0 else 0
    clusters = pair_clusters(table)
    used = table.row_totals + table.column_totals > (-1 if chance is Chance.UNIFORM else 0)
    worst = distance.farthest(used) / expected
    found = with_interval(estimate, influence, clusters, (low, 1.0), disagreements=disagreements, worst=worst)
    return beyond_chance(found, _weight(table, distance, chance))


def _weight(table: PairTable, distance: Distance, chance: Chance) -> Floats:
    """Return how much a unit in each cell of the table adds to the expected disagreement, 1 on average."""
    chance = Chance.POOLED if chance is Chance.SAMPLED else chance
    expected = float(expected_disagreement(chance, table.row_totals, table.column_totals, distance))
    return 1 + _margin_influence(table, distance, chance, expected) / expected


def _why_undefined(table: PairTable, chance: Chance) -> Undefined:
    if chance is Chance.UNIFORM:
        return Undefined.ONE_CATEGORY
    used = np.count_nonzero(table.row_totals + table.column_totals)
    return Undefined.NO_EXPECTED_DISAGREEMENT if used == 1 else Undefined.NO_POSSIBLE_DISAGREEMENT


def coefficient_influence(table: PairTable, distance: Distance, chance: Chance, observed: float) -> Floats:
    """Return the influence value of a unit in each cell of the table that holds any (cells,).

    The derivative of the figure in the population, so that alpha's small-sample factor 1 - 1/(2n) is left
    out: it tends to one and moves no sampling error. Gwet's irrCAC leaves it out for the table of two
    annotators, as here, while his pairedCAC has it.
    """
    chance = Chance.POOLED if chance is Chance.SAMPLED else chance
    cells = table.cells
    expected = float(expected_disagreement(chance, table.row_totals, table.column_totals, distance))
    ratio = observed / expected
    by_margins = _margin_influence(table, distance, chance, expected)
    influence: Floats = (ratio * by_margins - (distance.at(cells.row, cells.column) - observed)) / expected
    if distance.drift is None:
        return influence
    first, second = _margins(chance, table.row_totals, table.column_totals)

    def slope(one: Codes, other: Codes) -> Floats:
        found: Floats = (ratio * first[one] * second[other] - cells.at(one, other) / table.units) / expected
        return found

    return influence + distance.drift(slope).of_cells(cells)


def _margin_influence(table: PairTable, distance: Distance, chance: Chance, expected: float) -> Floats:
    """Return how a unit in each cell of the table moves the expected disagreement through the margins."""
    cells = table.cells
    if chance is Chance.UNIFORM:
        return np.zeros(len(cells.key))
    rows, columns = _margins(chance, table.row_totals, table.column_totals)
    by_row, by_column = distance.toward(columns), distance.toward(rows)
    moved: Floats = by_row[cells.row] + by_column[cells.column] - 2 * expected
    return moved
