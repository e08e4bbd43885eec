"""Chance-corrected agreement of any number of annotators as Gwet (2014) has it, with any distance.

Fleiss' kappa, Gwet's AC1 and AC2, and Bennett's S (Brennan and Prediger, Randolph). Agreement is the mean
over the units that two annotators rated; the shares of categories, from which chance is taken, are the means
of each unit's own shares, units with a single rating included (Gwet 2014, chapter 2; weights: chapter 3).
"""

from dataclasses import dataclass, replace

import numpy as np

from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import (
    Clusters,
    Estimate,
    Floats,
    Undefined,
    beyond_chance,
    no_estimate,
    with_interval,
)
from reportgen.agreement.several.profiles import PAIR, Profiles
from reportgen.counts import PairTable

LOWEST = -1.0


@dataclass(frozen=True, eq=False)
class Linear:
    """A defined figure with the influence of each unit on it.

    `observed` and `expected` are disagreements; `influence` has a value for each kind of unit, mean zero
    over all of them. `farthest` is the distance at which AC2's weights are 0. `weight` is as in Spread.
    `largest` is the largest distance that a disagreement may have: between categories in use where chance
    comes from them, else between any.
    """

    value: float
    observed: float
    expected: float
    influence: Floats
    farthest: float | None = None
    weight: Floats | None = None
    largest: float = 1.0

    def estimate(
        self, units: int, clusters: Clusters, disagreements: int, low: float, *, as_agreement: bool = False
    ) -> Estimate:
        """Return the figure with its interval; `as_agreement` shows agreements in place of disagreements."""
        shown = self.observed, self.expected
        if as_agreement:
            shown = 1 - self.observed, 1 - self.expected
        seen = disagreements if self.observed > 0 else 0
        estimate = Estimate(self.value, units, *shown, farthest=self.farthest)
        worst = self.largest / self.expected
        found = with_interval(estimate, self.influence, clusters, (low, 1.0), disagreements=seen, worst=worst)
        return beyond_chance(found, self.weight)


@dataclass(frozen=True, eq=False)
class Rated:
    """All units with a rating, and what is observed in them under one distance.

    `apart` (profiles,) is the mean distance of a unit's pairs of ratings, `paired` whether it has any,
    `shares` (categories,) the mean over units of each category's share of the unit's ratings.
    """

    profiles: Profiles
    apart: Floats
    paired: Floats
    shares: Floats

    @property
    def share_paired(self) -> float:
        """Return the share of units that at least two annotators rated."""
        return int((self.profiles.times * (self.profiles.ratings >= PAIR)).sum()) / self.profiles.units

    @property
    def observed(self) -> float:
        """Return the mean distance over the units with at least two ratings."""
        times = self.profiles.times
        return float((times * self.apart).sum()) / int((times * (self.profiles.ratings >= PAIR)).sum())

    def of_observed(self) -> Floats:
        """Return the influence of a unit of each profile on the observed disagreement."""
        return (self.apart - self.observed * self.paired) / self.share_paired

    def of_shares(self, by_category: Floats) -> Floats:
        """Return the influence on Σ a_k π_k, π being the shares of categories and `by_category` a."""
        means = self.profiles.sum_over_ratings(by_category) / self.profiles.ratings
        return means - float((self.shares * by_category).sum())


def rated(profiles: Profiles, distance: Distance) -> Rated:
    """Return what is observed under a distance; `profiles` hold every unit with a rating."""
    ratings = profiles.ratings
    shares = np.zeros(profiles.categories)
    for many in np.unique(ratings).tolist():
        # Whole numbers as far as they go: the units of one number of ratings together.
        some = ratings == many
        shares += _label_counts(profiles, np.where(some, profiles.times, 0)) / many
    return Rated(
        profiles,
        profiles.mean_distance(distance),
        (ratings >= PAIR).astype(np.float64),
        shares / max(profiles.units, 1),
    )


def _label_counts(profiles: Profiles, times: Floats) -> Floats:
    present = profiles.labels >= 0
    counts = np.zeros(profiles.categories, dtype=np.int64)
    np.add.at(counts, profiles.labels[present], np.broadcast_to(times[:, None], present.shape)[present])
    return counts.astype(np.float64)


def ratio(
    observed: float, expected: float, of_observed: Floats, of_expected: Floats, farthest_used: float = 1.0
) -> Linear:
    """Return 1 - observed / expected disagreement, given the influence on both and the largest distance."""
    quotient = observed / expected
    influence = (quotient * of_expected - of_observed) / expected
    weight = 1 + of_expected / expected
    return Linear(1 - quotient, observed, expected, influence, weight=weight, largest=farthest_used)


def fleiss(found: Rated, distance: Distance) -> Linear | None:
    """Return Fleiss' kappa (1971; with missing ratings, Gwet 2014): D_e = Σ π_k π_l δ_kl.

    None without expected disagreement.
    """
    by_category = distance.toward(found.shares)
    expected = float((found.shares * by_category).sum())
    if expected <= 0:
        return None
    far = distance.farthest(found.shares > 0)
    return ratio(found.observed, expected, found.of_observed(), 2 * found.of_shares(by_category), far)


def uniform(found: Rated, distance: Distance) -> Linear | None:
    """Return Bennett's S, weighted where the distance is: D_e = Σ δ_kl / q² over all q categories.

    Bennett, Alpert and Goldstein (1954); Brennan and Prediger (1981); Randolph (2005); Gwet (2014).
    """
    expected = distance.total / distance.size**2 if distance.size else 0.0
    if expected <= 0:
        return None
    none = np.zeros(len(found.apart))
    return ratio(found.observed, expected, found.of_observed(), none, distance.farthest(found.shares >= 0))


def gwet(found: Rated, distance: Distance, farthest: float = 0.0) -> Linear | None:
    """Return Gwet's AC1, with a distance his AC2 (2008, 2014): A_e = T_w Σ π_k (1 - π_k) / (q (q - 1)).

    T_w is the sum of all weights 1 - δ / δ_max, δ_max being the largest distance between any two categories,
    declared or used, unless `farthest` says how far apart categories are that have nothing in common: weights
    belong to the scale, and are the same for every pair of annotators. `observed` and `expected` are one less
    weighted agreement. None with one category or no distance to be at.
    """
    chance = _chance(found.shares, distance, farthest)
    if chance is None:
        return None
    moved = chance.factor * found.of_shares(1 - 2 * found.shares)
    observed, of_observed = found.observed / chance.largest, found.of_observed() / chance.largest
    return replace(ratio(observed, 1 - chance.agreement, of_observed, -moved), farthest=chance.largest)


@dataclass(frozen=True)
class _Chance:
    """What AC1 and AC2 take from chance: `factor` T_w / (q (q - 1)), `agreement` A_e, `largest` δ_max."""

    factor: float
    agreement: float
    largest: float


def _chance(shares: Floats, distance: Distance, farthest: float) -> _Chance | None:
    size = len(shares)
    largest = farthest or distance.farthest(np.ones(size, dtype=np.bool_))
    if size < PAIR or largest <= 0:
        return None
    factor = distance.alike(largest) / (size * (size - 1))
    return _Chance(factor, factor * float((shares * (1 - shares)).sum()), largest)


def of_pair(table: PairTable, distance: Distance) -> Linear | None:
    """Return AC1 of a pair, or AC2 with a distance, over the units that both rated; None as in `gwet`.

    The influence has a value for each cell that holds units (cells,).
    """
    shares = (table.row_totals + table.column_totals) / (2 * table.units)
    chance = _chance(shares, distance, 0.0)
    if chance is None:
        return None
    cells = table.cells
    apart = distance.at(cells.row, cells.column) / chance.largest
    observed = float((cells.value * apart).sum()) / table.units
    by_category = 1 - 2 * shares
    moved = (by_category[cells.row] + by_category[cells.column]) / 2 - float((shares * by_category).sum())
    linear = ratio(observed, 1 - chance.agreement, apart - observed, -chance.factor * moved)
    return replace(linear, farthest=chance.largest)


def no_distance(distance: Distance) -> Undefined:
    """Return why nothing is expected under a distance."""
    return Undefined.ONE_CATEGORY if distance.size < PAIR else Undefined.NO_POSSIBLE_DISAGREEMENT


def figure(
    found: Rated, linear: Linear | None, reason: Undefined, low: float, *, as_agreement: bool
) -> Estimate:
    """Return an estimate from its linear form, or undefined for the reason where there is none."""
    profiles = found.profiles
    units = int((profiles.times * (profiles.ratings >= PAIR)).sum())
    if units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    if linear is None:
        return no_estimate(reason, units)
    return linear.estimate(units, profiles.clusters, profiles.disagreements, low, as_agreement=as_agreement)
