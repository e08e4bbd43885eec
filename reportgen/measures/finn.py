"""Finn's R: the variance within units beside that of a uniform choice among q points, one-way and two-way."""

import math
from fractions import Fraction

import numpy as np

from reportgen.measures.complete_ratings import from_complete, moments
from reportgen.measures.estimate import Estimate, Floats, Undefined, no_estimate, with_interval
from reportgen.measures.profiles import Profiles
from reportgen.measures.unit_set_data import Units
from reportgen.readers import Codes

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


def _two_way(table: Profiles, points: int) -> Estimate:
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


def _one_way(profiles: Profiles) -> Estimate:
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
