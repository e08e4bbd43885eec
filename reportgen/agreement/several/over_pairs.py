"""Means over pairs of annotators: weighted kappa over pairs and Light's kappa.

What chance gives comes from what two annotators did on the units that they share, so that these are functions
of sums of every pair, not of the sums of all units.
"""

from dataclasses import replace

import numpy as np

from reportgen.agreement.distances import Distance, Drift
from reportgen.agreement.estimate import Estimate, Floats, Undefined, no_estimate
from reportgen.agreement.several.linear import Linear, ratio
from reportgen.agreement.several.units import PairTables, UnitRatings
from reportgen.counts import Cells, added_up
from reportgen.study import Codes

# Pairs of annotators times categories that are looked at together.
BLOCK = 4_000_000


def weighted_kappa(found: UnitRatings, distance: Distance) -> Linear | None:
    """Return 1 - mean D_o / mean D_e over the pairs of annotators that share a unit (Conger 1980).

    `found` holds the units with at least two ratings. None where chance gives no disagreement.
    """
    pairs = found.tables
    apart = distance.at(pairs.first, pairs.second)
    observed = pairs.mean_distance(distance)
    chance = _Chance(pairs, distance)
    expected = float(chance.expected.sum()) / pairs.pairs
    if expected <= 0:
        return None
    scale = found.units / (pairs.units * pairs.pairs)
    of_observed = _by_unit(found, scale, apart - observed[pairs.pair])
    of_expected = _by_unit(found, scale, chance.moved)
    far = distance.farthest(found.labels_by_annotator.sum(axis=0) > 0)
    linear = ratio(float(observed.sum()) / pairs.pairs, expected, of_observed, of_expected, far)
    if distance.drift is None:
        return linear
    quotient = linear.observed / expected
    seen = _mean_table(pairs)

    def slope(one: Codes, other: Codes) -> Floats:
        found: Floats = (quotient * _mean_by_chance(pairs, one, other) - seen.at(one, other)) / expected
        return found

    return replace(linear, influence=linear.influence + _drifted(found, distance.drift(slope)))


def _drifted(found: UnitRatings, drift: Drift) -> Floats:
    """Return what each unit moves through distances that come from the annotations of these units."""
    moved = found.sum_by_unit(drift.by_rating[found.label])
    if drift.by_pair is None:
        return moved
    each = found.sum_over_tables(drift.by_pair.at(found.tables.first, found.tables.second))
    return moved + each / np.maximum(found.ratings - 1, 1)


def light_kappa(found: UnitRatings) -> Linear | None:
    """Return the mean of the pairs' Cohen kappas (Light 1971).

    Pairs whose kappa is undefined, among them those with one unit alone, are left out; None where none is
    left.
    """
    pairs = found.tables
    here = pairs.pair
    apart = (pairs.first != pairs.second).astype(np.float64)
    observed, expected = pairs.apart / pairs.units, pairs.expected_by_chance()
    units = pairs.units[here]
    unlike_second = 1 - pairs.count_of(pairs.second, pairs.first) / units
    unlike_first = 1 - pairs.count_of(pairs.first, pairs.second) / units
    defined = pairs.differ & (pairs.units > 1)
    many = int(defined.sum())
    if many == 0:
        return None
    safe = np.where(defined, expected, 1.0)
    quotient = observed / safe
    of_expected = unlike_second + unlike_first - 2 * expected[here]
    each = (quotient[here] * of_expected - (apart - observed[here])) / safe[here]
    scale = np.where(defined, found.units / (pairs.units * many), 0.0)
    value = float((1 - quotient)[defined].sum()) / many
    mean_observed, mean_expected = (float(values[defined].sum()) / many for values in (observed, expected))
    # Where all disagree, the mean of 1 / expected is lost, more than 1 / mean.
    far = mean_expected * float((1 / safe)[defined].sum()) / many
    return Linear(value, mean_observed, mean_expected, _by_unit(found, scale, each), largest=far)


class _Chance:
    """What chance gives to each pair of annotators under a distance.

    `expected` (pairs,) is the expected disagreement, `moved` (cells,) that of two ratings of a
    unit in each cell on their pair's.
    """

    def __init__(self, pairs: PairTables, distance: Distance) -> None:
        """Compute all from each annotator's own shares, some pairs at a time."""
        size = pairs.categories
        self.expected = np.zeros(pairs.pairs)
        self.moved = np.zeros(len(pairs.pair))
        for some, place in pairs.blocks(max(1, BLOCK // max(size, 1))):
            rows, columns = some.shares(some.first), some.shares(some.second)
            toward_columns = distance.toward(columns)
            toward_rows = distance.toward(rows)
            expected = (rows * toward_columns).sum(axis=1)
            here = some.pair
            moved = toward_columns[here, some.first] + toward_rows[here, some.second]
            self.moved[place] = moved - 2 * expected[here]
            self.expected[some.numbers] = expected


def _mean_by_chance(pairs: PairTables, one: Codes, other: Codes) -> Floats:
    """Return the mean over pairs of annotators of the probability of some labels, each with another."""
    sums = np.zeros(len(one))
    for some, _ in pairs.blocks(max(1, BLOCK // max(pairs.categories, len(one), 1))):
        rows, columns = some.shares(some.first), some.shares(some.second)
        sums += (rows[:, one] * columns[:, other]).sum(axis=0)
    return sums / max(pairs.pairs, 1)


def _mean_table(pairs: PairTables) -> Cells:
    """Return the mean over pairs of annotators of their tables as shares."""
    pair, first, second, n = pairs.cells
    return added_up(pairs.categories, [(first, second, n / pairs.units[pair] / pairs.pairs)])


def _by_unit(found: UnitRatings, scale: Floats, values: Floats) -> Floats:
    """Return for each unit the sum over its pairs of ratings of a value, scaled by the pair of annotators."""
    return found.sum_over_tables(values * scale[found.tables.pair])


def figure(
    found: UnitRatings, linear: Linear | None, reason: Undefined, low: float, *, as_agreement: bool
) -> Estimate:
    """Return an estimate from its linear form, or undefined for the reason where there is none."""
    if found.paired_units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    if linear is None:
        return no_estimate(reason, found.paired_units)
    return linear.estimate(
        found.paired_units, found.clusters, found.disagreements, low, as_agreement=as_agreement
    )
