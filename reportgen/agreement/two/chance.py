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
    no_estimate,
    pair_clusters,
    weighed,
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


def expected_pairs(chance: Chance, rows: Codes, columns: Codes) -> Floats:
    """Return the probability of each pair of labels by chance (…, categories, categories).

    `rows` and `columns` (…, categories) are how often each annotator used each category; leading axes
    are computed side by side.
    """
    size = rows.shape[-1]
    units = rows.sum(axis=-1)[..., None, None]
    if chance is Chance.UNIFORM:
        return np.full((*rows.shape, size), 1 / size**2)
    if chance is Chance.OWN:
        apart: Floats = (rows[..., :, None] / units) * (columns[..., None, :] / units)
        return apart
    both = rows + columns
    drawn = 1 if chance is Chance.SAMPLED else 0
    others = both[..., None, :] - drawn * np.eye(size, dtype=np.int64)
    pairs: Floats = (both[..., :, None] / (2 * units)) * (others / (2 * units - drawn))
    return pairs


def expected_disagreement(chance: Chance, rows: Codes, columns: Codes, distance: Floats) -> Floats:
    """Return the mean distance that chance would give (…), arguments as in `expected_pairs`."""
    expected: Floats = (expected_pairs(chance, rows, columns) * distance).sum(axis=(-2, -1))
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
    observed = float((table.counts * distance.matrix).sum()) / table.units
    expected = float(expected_disagreement(chance, table.row_totals, table.column_totals, distance.matrix))
    if expected <= 0:
        return no_estimate(_why_undefined(table, chance), table.units)
    shown = (1 - observed, 1 - expected) if as_agreement else (observed, expected)
    estimate = Estimate(1 - observed / expected, table.units, *shown)
    influence = coefficient_influence(table, distance, chance, observed)
    disagreements = table.disagreements if observed > 0 else 0
    clusters = pair_clusters(table)
    found = with_interval(estimate, influence, clusters, (low, 1.0), disagreements=disagreements)
    return weighed(found, _weight(table, distance.matrix, chance))


def _weight(table: PairTable, distance: Floats, chance: Chance) -> Floats:
    """Return how much a unit in each cell adds to the expected disagreement, 1 on average."""
    chance = Chance.POOLED if chance is Chance.SAMPLED else chance
    expected = float(expected_disagreement(chance, table.row_totals, table.column_totals, distance))
    return 1 + _margin_influence(table, distance, chance, expected) / expected


def _why_undefined(table: PairTable, chance: Chance) -> Undefined:
    if chance is Chance.UNIFORM:
        return Undefined.ONE_CATEGORY
    used = np.count_nonzero(table.row_totals + table.column_totals)
    return Undefined.NO_EXPECTED_DISAGREEMENT if used == 1 else Undefined.NO_POSSIBLE_DISAGREEMENT


def coefficient_influence(table: PairTable, distance: Distance, chance: Chance, observed: float) -> Floats:
    """Return the influence value of a unit in each cell (categories, categories).

    The derivative of the figure in the population, so that alpha's small-sample factor 1 - 1/(2n) is left
    out: it tends to one and moves no sampling error. Gwet's irrCAC leaves it out for the table of two
    annotators, as here, while his pairedCAC has it.
    """
    chance = Chance.POOLED if chance is Chance.SAMPLED else chance
    pairs = expected_pairs(chance, table.row_totals, table.column_totals)
    expected = float((pairs * distance.matrix).sum())
    ratio = observed / expected
    by_margins = _margin_influence(table, distance.matrix, chance, expected)
    influence = (ratio * by_margins - (distance.matrix - observed)) / expected
    if distance.drift is not None:
        drift = distance.drift((ratio * pairs - table.counts / table.units) / expected)
        influence = influence + drift.of_cells()
    return influence


def _margin_influence(table: PairTable, distance: Floats, chance: Chance, expected: float) -> Floats:
    """Return how a unit in each cell moves the expected disagreement through the margins."""
    if chance is Chance.UNIFORM:
        return np.zeros_like(distance)
    rows, columns = table.row_totals / table.units, table.column_totals / table.units
    if chance is Chance.POOLED:
        rows = columns = (rows + columns) / 2
    by_row = (distance * columns[None, :]).sum(axis=1)
    by_column = (distance * rows[:, None]).sum(axis=0)
    moved: Floats = by_row[:, None] + by_column[None, :] - 2 * expected
    return moved
