"""Ratings that are numbers: intraclass correlations, Kendall's W, Finn's R.

They are of the units that every annotator rated. The first two are smooth functions of the moments of that
table, so that each unit has an influence value; Finn's R is the variance within units beside that of a
uniform choice among q points, one-way and two-way.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import ROUNDING, Estimate, Floats, Undefined, no_estimate, with_interval
from reportgen.measures.figures_of_sums import UnitsByLabels, rare_labels
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.measures.unit_set_data import Units
from reportgen.readers import Codes


def _annotators(table: LabelPatterns) -> int:
    return int(table.labels.shape[1])


def from_complete(
    table: LabelPatterns,
    estimate: Estimate,
    influence: Floats,
    bounds: tuple[float, float],
    weight: Floats | None = None,
) -> Estimate:
    """Return an estimate with its interval, given the influence of each row (rows,).

    `bounds` are where its scale begins and the least value where that is endless; `weight` (rows,) is what a
    unit adds to the variance that the figure is divided by, 1 on average.
    """
    low, least = bounds
    rarity, chance = (None, None)
    if weight is not None:
        rarity, chance = rare_labels(UnitsByLabels(table, nominal(table.categories)))
    return with_interval(
        estimate,
        influence,
        table.clusters,
        (low, 1.0),
        disagreements=table.disagreements,
        weight=weight,
        of_units=weight is not None,
        chance=chance,
        least=least,
        on_a_scale=True,
        rarity=rarity,
    )


# Second moments of a complete table of ratings, and how much each unit moves them.
#
# With T the mean variance of an annotator's ratings, C the mean covariance of two annotators', and M the
# variance of the annotators' means, the mean squares of a two-way analysis of variance over n units and k
# annotators are MS_units = T + (k - 1)C, MS_error = T - C and MS_annotators = nM.


@dataclass(frozen=True, eq=False)
class Moments:
    """Second moments of a complete table, with divisor n, and how much each of its rows moves them (rows,).

    `variance` is T, `covariance` C, `spread` M; `sampled` is n / (n - 1).
    """

    variance: float
    covariance: float
    spread: float
    sampled: float
    of_variance: Floats
    of_covariance: Floats
    of_spread: Floats


def moments(numbers: Floats, n: Floats) -> Moments:
    """Return the moments of numbers (rows, annotators) of which each row is `n` units (rows,).

    There are two units or more, and two annotators or more.
    """
    units, annotators = float(n.sum()), numbers.shape[1]
    shifted = numbers - numbers.min()
    constant = (shifted == shifted[:1]).all(axis=0)
    means = np.where(constant, shifted[0], (n[:, None] * shifted).sum(axis=0) / units)
    apart = shifted - means
    squares, square = (apart * apart).sum(axis=1), apart.sum(axis=1) ** 2
    of_variance = squares / annotators
    of_covariance = (square - squares) / (annotators * (annotators - 1))
    variance, covariance = (
        float((n * influence).sum()) / units for influence in (of_variance, of_covariance)
    )
    off = means - float(means.sum()) / annotators if np.ptp(means) > 0 else np.zeros(annotators)
    return Moments(
        variance=variance,
        covariance=covariance,
        spread=float((off * off).sum()) / (annotators - 1),
        sampled=units / (units - 1),
        of_variance=of_variance - variance,
        of_covariance=of_covariance - covariance,
        of_spread=2 * (apart * off).sum(axis=1) / (annotators - 1),
    )


# Kendall's W: do annotators put the units in the same order?


def _kendall_w(table: LabelPatterns, values: Floats) -> Estimate:
    """Return Kendall's coefficient of concordance, corrected for ties (Kendall and Babington Smith 1939).

    W = 12 S / (k² (n³ - n) - k ΣT), S the sum of squares of the units' rank sums about their mean, T the sum
    of t³ - t over each annotator's ties. The denominator is 12 k times the sum of squares of the annotators'
    mid-ranks, so that W is the variance of the rank sums over k times the sum of the ranks' variances.
    """
    ranks = _mid_ranks(table, values)
    rank_moments = moments(ranks.shares, table.times.astype(np.float64))
    if rank_moments.variance <= 0:
        return no_estimate(Undefined.NO_VARIANCE, table.units)
    annotators = _annotators(table)
    of_sums = rank_moments.variance + (annotators - 1) * rank_moments.covariance
    value = of_sums / (annotators * rank_moments.variance)
    squares = (ranks.shares * ranks.shares).sum(axis=1)
    weight = squares / (annotators * rank_moments.variance)
    bounds = 0.0, -math.inf
    return from_complete(table, Estimate(value, table.units), _of_w(ranks, table, value), bounds, weight)


@dataclass(frozen=True, eq=False)
class _Ranks:
    """Ratings as ranks: `level` (rows, annotators) numbers the values in order, and there are `levels`.

    `shares` (rows, annotators) are mid-ranks as shares of the units, less a half: their mean is zero.
    """

    level: Codes
    levels: int
    shares: Floats


def _mid_ranks(table: LabelPatterns, values: Floats) -> _Ranks:
    used, level = np.unique(values[table.labels], return_inverse=True)
    level = level.reshape(table.labels.shape)
    counts = np.zeros((_annotators(table), len(used)), dtype=np.int64)
    annotator = np.broadcast_to(np.arange(_annotators(table)), level.shape)
    np.add.at(counts, (annotator, level), table.times[:, None])
    # Twice the mid-rank, less the number of units: whole numbers.
    doubled = 2 * np.cumsum(counts, axis=1) - counts - table.units
    return _Ranks(level, len(used), doubled[annotator, level] / (2 * table.units))


def _of_w(ranks: _Ranks, table: LabelPatterns, value: float) -> Floats:
    """Return the influence of each row on W (rows,): through its own ranks, and as it moves those of others.

    A unit with a lower value moves up the rank of every unit above it: the mid-rank of a value is the share
    of units below it and half of the share at it.
    """
    total = ranks.shares.sum(axis=1)
    squares = (ranks.shares * ranks.shares).sum(axis=1)
    of_sums = total * total + 2 * _moved(ranks, table, np.repeat(total[:, None], _annotators(table), axis=1))
    of_ranks = squares + 2 * _moved(ranks, table, ranks.shares)
    weight = table.times / table.units
    mean = _annotators(table) * float((weight * squares).sum())
    slope = (of_sums - value * _annotators(table) * of_ranks) / mean
    centred: Floats = slope - float((weight * slope).sum())
    return centred


def _moved(ranks: _Ranks, table: LabelPatterns, weight: Floats) -> Floats:
    """Return for each row (rows,) the sum over annotators of `weight` for the units whose ranks it raises.

    `weight` (rows, annotators) is taken as a mean over all units; those of the same value count half.
    """
    annotators = _annotators(table)
    sums = np.zeros((annotators, ranks.levels))
    annotator = np.broadcast_to(np.arange(annotators), ranks.level.shape)
    np.add.at(sums, (annotator, ranks.level), table.times[:, None] * weight / table.units)
    above = sums.sum(axis=1, keepdims=True) - np.cumsum(sums, axis=1) + sums / 2
    raised: Floats = above[annotator, ranks.level].sum(axis=1)
    return raised


def icc_consistency(table: LabelPatterns, values: Floats) -> Estimate:
    """Return ICC(C,1), the consistency of single ratings (McGraw and Wong 1996, table 4, case 2 or 3).

    (MS_units - MS_error) / (MS_units + (k - 1) MS_error), which is C / T: what annotators add to all of
    their ratings does not count. It is ICC(3,1) of Shrout and Fleiss (1979).
    """
    of_ratings = moments(values[table.labels], table.times.astype(np.float64))
    if of_ratings.variance <= 0:
        return no_estimate(Undefined.NO_VARIANCE, table.units)
    value, least = of_ratings.covariance / of_ratings.variance, -1 / (_annotators(table) - 1)
    # C / T is moved by (∂C - C / T · ∂T) / T.
    influence = (of_ratings.of_covariance - value * of_ratings.of_variance) / of_ratings.variance
    weight = of_ratings.of_variance / of_ratings.variance + 1
    bounds = least, -math.inf
    return from_complete(table, Estimate(value, table.units), influence, bounds, weight)


def absolute_agreement(table: LabelPatterns, values: Floats) -> Estimate:
    """Return ICC(A,1), the absolute agreement of single ratings (McGraw and Wong 1996, table 4, case 2).

    (MS_units - MS_error) / (MS_units + (k - 1) MS_error + k (MS_annotators - MS_error) / n), which is
    C / (T + M - (T - C) / n). It is ICC(2,1) of Shrout and Fleiss (1979).
    """
    of_ratings = moments(values[table.labels], table.times.astype(np.float64))
    variance = of_ratings.sampled * of_ratings.variance
    covariance = of_ratings.sampled * of_ratings.covariance
    all_variance = variance + of_ratings.spread
    total = all_variance - (variance - covariance) / table.units
    if total <= ROUNDING * all_variance:
        return no_estimate(Undefined.NO_VARIANCE, table.units)
    limit = of_ratings.variance + of_ratings.spread
    slope = of_ratings.covariance / limit
    influence = (of_ratings.of_covariance - slope * (of_ratings.of_variance + of_ratings.of_spread)) / limit
    # Its limit is C / (T + M), and C is at least -T / (k - 1).
    least = -1 / (_annotators(table) - 1)
    weight = (of_ratings.of_variance + of_ratings.of_spread) / limit + 1
    bounds = -math.inf, least
    return from_complete(table, Estimate(covariance / total, table.units), influence, bounds, weight)


def _under_its_id(
    name: str, compute: Callable[[LabelPatterns, Floats], Estimate]
) -> Callable[[Units], dict[str, Estimate]]:
    """Return what computes a figure of numbers of any number of annotators, under its id."""

    def figures(units: Units) -> dict[str, Estimate]:
        values = units.setting.values
        if values is None:
            return {}
        return {name: compute(units.complete, values) if units.complete.units >= 2 else units.too_few()}

    return figures


icc_a1 = _under_its_id("icc_a1", absolute_agreement)
icc_c1 = _under_its_id("icc_c1", icc_consistency)
kendall_w = _under_its_id("kendall_w", _kendall_w)


# Scales on which there is no number of points.
CONTINUOUS = ("interval", "ratio")
TWO_WAY = "finn_r[two-way]"


def finn_r(units: Units) -> dict[str, Estimate]:
    """Return Finn's R of any number of annotators, one-way, and two-way where categories are numbers.

    Not where any number may be given: the source has it for q points (Finn 1970). The distinct numbers that
    occur are no points: the finer ratings are written down, the more there are.
    """
    if units.setting.scale in CONTINUOUS:
        none = Undefined.NO_POINTS
        return {
            "finn_r": no_estimate(none, units.profiles.units),
            TWO_WAY: no_estimate(none, units.complete.units),
        }
    one_way = _one_way(units.profiles) if units.profiles.units else no_estimate(units.nothing, 0)
    if units.setting.values is None:
        return {"finn_r": one_way}
    few = units.complete.units < 2
    return {
        "finn_r": one_way,
        TWO_WAY: units.too_few() if few else _two_way(units.complete, units.points),
    }


def _two_way(table: LabelPatterns, points: int) -> Estimate:
    """Return Finn's R of a two-way model: 1 - MS_error / ((q² - 1) / 12), categories coded 1 … q.

    There are q `points`. What annotators add to all of their ratings is taken out, unlike in the one-way
    figure; `observed` is MS_error, `expected` the variance of a uniform choice (Finn 1970; R's irr::finn with
    model = "twoway").
    """
    if points < 2:
        return no_estimate(Undefined.ONE_CATEGORY, table.units)
    of_ratings = moments(table.labels.astype(np.float64), table.times.astype(np.float64))
    expected = float(finn_variance(points))
    observed = of_ratings.sampled * (of_ratings.variance - of_ratings.covariance)
    influence = (of_ratings.of_covariance - of_ratings.of_variance) / expected
    estimate = Estimate(1 - observed / expected, table.units, observed, expected)
    return from_complete(table, estimate, influence, (-math.inf, least_finn_r(points)))


def _one_way(profiles: LabelPatterns) -> Estimate:
    """Return Finn's R, one-way, of any number of annotators: item variance with n - 1 (Finn 1970).

    The mean is over the units with two ratings or more, categories coded 1 … q in their order; `observed`
    and `expected` are variances.
    """
    size = profiles.categories
    if size < 2:
        return no_estimate(Undefined.ONE_CATEGORY, profiles.units)
    # The variance of some numbers is half the mean squared difference of two of them.
    pairs, expected = profiles.label_pairs, float(finn_variance(size))
    variances = profiles.mean_of_pairs(finn_distance(pairs.one, pairs.other))
    observed = float((variances * profiles.times).sum()) / profiles.units
    estimate = Estimate(1 - observed / expected, profiles.units, observed, expected)
    return with_interval(
        estimate,
        (observed - variances) / expected,
        profiles.clusters,
        (-math.inf, 1.0),
        disagreements=profiles.disagreements,
        least=least_finn_r(size),
        on_a_scale=True,
    )


def least_finn_r(categories: int) -> float:
    """Return the least that Finn's R can be: that of two annotators who give 1 and q on every unit."""
    return 1 - float(Fraction((categories - 1) ** 2, 2) / finn_variance(categories))


def finn_variance(categories: int) -> Fraction:
    """Return the variance of a uniform choice among the codes 1 … q: (q² - 1) / 12."""
    return Fraction(categories**2 - 1, 12)


def finn_distance(one: Codes, other: Codes) -> Floats:
    """Return the variance (n - 1) of two ratings, categories coded 1 … q in their order."""
    return (one - other) ** 2 / 2
