"""Ratings that are numbers: intraclass correlations and Finn's R, and every such figure under its id.

All but the one-way Finn's R are of the units that every annotator rated, and are smooth functions of the
moments of that table, so that each unit has an influence value.
"""

from collections.abc import Callable

import numpy as np

from reportgen.agreement.estimate import ROUNDING, Estimate, Floats, Undefined, no_estimate, with_interval
from reportgen.agreement.measure import Setting
from reportgen.agreement.numbers.complete import (
    Complete,
    from_complete,
    placed,
    too_few,
)
from reportgen.agreement.numbers.concordance import kendall_w
from reportgen.agreement.numbers.f_intervals import absolute, consistency, with_f
from reportgen.agreement.numbers.moments import moments
from reportgen.agreement.several.profiles import Profiles
from reportgen.agreement.two.shares import finn_distance, finn_variance
from reportgen.agreement.whole import Units

TWO = 2
TWO_WAY = "finn_r[two-way]"
# Scales on which there is no number of points.
CONTINUOUS = ("interval", "ratio")


def icc_c1(table: Complete, values: Floats) -> Estimate:
    """Return ICC(C,1), the consistency of single ratings (McGraw and Wong 1996, table 4, case 2 or 3).

    (MS_units - MS_error) / (MS_units + (k - 1) MS_error), which is C / T: what annotators add to all of
    their ratings does not count. It is ICC(3,1) of Shrout and Fleiss (1979).
    """
    if table.units < TWO:
        return too_few(table)
    found = moments(values[table.codes], table.times.astype(np.float64))
    if found.variance <= 0:
        return no_estimate(Undefined.NO_VARIANCE, table.units)
    value, least = found.covariance / found.variance, -1 / (table.annotators - 1)
    influence = (found.of_covariance - value * found.of_variance) / found.variance
    estimate = from_complete(table, Estimate(value, table.units), influence, least)
    return with_f(table, estimate, found, consistency, least)


def icc_a1(table: Complete, values: Floats) -> Estimate:
    """Return ICC(A,1), the absolute agreement of single ratings (McGraw and Wong 1996, table 4, case 2).

    (MS_units - MS_error) / (MS_units + (k - 1) MS_error + k (MS_annotators - MS_error) / n), which is
    C / (T + M - (T - C) / n). It is ICC(2,1) of Shrout and Fleiss (1979).
    """
    if table.units < TWO:
        return too_few(table)
    found = moments(values[table.codes], table.times.astype(np.float64))
    variance, covariance = found.sampled * found.variance, found.sampled * found.covariance
    whole = variance + found.spread
    total = whole - (variance - covariance) / table.units
    if total <= ROUNDING * whole:
        return no_estimate(Undefined.NO_VARIANCE, table.units)
    limit = found.variance + found.spread
    slope = found.covariance / limit
    influence = (found.of_covariance - slope * (found.of_variance + found.of_spread)) / limit
    estimate = from_complete(table, Estimate(covariance / total, table.units), influence, -np.inf)
    return with_f(table, estimate, found, absolute, -np.inf)


def finn_two_way(table: Complete, setting: Setting) -> Estimate:
    """Return Finn's R of a two-way model: 1 - MS_error / ((q² - 1) / 12), categories coded 1 … q.

    What annotators add to all of their ratings is taken out, unlike in the one-way figure; `observed` is
    MS_error, `expected` the variance of a uniform choice (Finn 1970; R's irr::finn with model = "twoway").
    """
    size = int(placed(setting).sum())
    if table.units < TWO:
        return too_few(table)
    if size < TWO:
        return no_estimate(Undefined.ONE_CATEGORY, table.units)
    found = moments(table.codes.astype(np.float64), table.times.astype(np.float64))
    expected = float(finn_variance(size))
    observed = found.sampled * (found.variance - found.covariance)
    influence = (found.of_covariance - found.of_variance) / expected
    estimate = Estimate(1 - observed / expected, table.units, observed, expected)
    return from_complete(table, estimate, influence, -np.inf)


def finn_r(profiles: Profiles) -> Estimate:
    """Return Finn's R, one-way, of any number of annotators: item variance with n - 1 (Finn 1970).

    The mean is over the units with two ratings or more, categories coded 1 … q in their order; `observed`
    and `expected` are variances.
    """
    size = profiles.categories
    if size < TWO:
        return no_estimate(Undefined.ONE_CATEGORY, profiles.units)
    # The variance of some numbers is half the mean squared difference of two of them.
    variances, expected = _variances(profiles), float(finn_variance(size))
    observed = float((variances * profiles.times).sum()) / profiles.units
    estimate = Estimate(1 - observed / expected, profiles.units, observed, expected)
    return with_interval(
        estimate,
        (observed - variances) / expected,
        profiles.clusters,
        (-np.inf, 1.0),
        disagreements=profiles.disagreements,
    )


def _variances(profiles: Profiles) -> Floats:
    """Return the mean variance of two ratings of a unit of each profile."""
    pairs = profiles.label_pairs
    return profiles.mean_of_pairs(finn_distance(pairs.one, pairs.other))


def _by_value(
    figure: Callable[[Complete, Floats], Estimate], name: str
) -> Callable[[Units], dict[str, Estimate]]:
    """Return what computes a figure of numbers under its id."""

    def compute(units: Units) -> dict[str, Estimate]:
        values = units.setting.values
        return {} if values is None else {name: figure(units.complete, values)}

    return compute


icc_a1_of = _by_value(icc_a1, "icc_a1")
icc_c1_of = _by_value(icc_c1, "icc_c1")
w_of = _by_value(kendall_w, "kendall_w")


def finn_of(units: Units) -> dict[str, Estimate]:
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
    one_way = finn_r(units.profiles) if units.profiles.units else no_estimate(units.nothing, 0)
    if units.setting.values is None:
        return {"finn_r": one_way}
    return {"finn_r": one_way, TWO_WAY: finn_two_way(units.complete, units.setting)}
