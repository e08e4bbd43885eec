"""Agreement of any number of annotators, with missing ratings, from label profiles."""

import math
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.distances import Distance, nominal
from reportgen.agreement.estimate import (
    Estimate,
    Floats,
    Undefined,
    beyond_chance,
    no_estimate,
    weighed,
    with_exact_bound,
    with_interval,
)
from reportgen.agreement.several.profiles import Profiles
from reportgen.study import Codes


def pairwise_observed(profiles: Profiles) -> Estimate:
    """Return the mean over units of the agreeing share of pairs of annotators (Fleiss 1971)."""
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    agreeing = 1 - profiles.mean_distance(nominal(profiles.categories))
    value = float((agreeing * profiles.times).sum()) / profiles.units
    estimate, disagreements = Estimate(value, profiles.units), profiles.disagreements
    if disagreements == 0:
        return with_exact_bound(estimate, profiles.clusters)
    return with_interval(
        estimate, agreeing - value, profiles.clusters, (0.0, 1.0), disagreements=disagreements
    )


def specific_agreement_of_many(profiles: Profiles, category: int) -> Estimate:
    """Return Σ n(n - 1) / Σ n(r - 1) over units, n of a unit's r ratings being the category (GATE)."""
    used = (profiles.labels == category).sum(axis=1)
    possible = used * (profiles.ratings - 1)
    total = int((possible * profiles.times).sum())
    if total == 0:
        none = Undefined.NOT_USED if profiles.units else Undefined.NO_SHARED_UNITS
        return no_estimate(none, profiles.units)
    agreeing = used * (used - 1)
    seen = int((agreeing * profiles.times).sum())
    value = seen / total
    scale = profiles.units / total
    influence = (agreeing - value * possible) * scale
    estimate, clusters = Estimate(value, profiles.units), profiles.clusters
    found = with_interval(estimate, influence, clusters, (0.0, 1.0), disagreements=total - seen)
    return weighed(found, possible * scale)


def alpha(profiles: Profiles, distance: Distance, low: float = -np.inf) -> Estimate:
    """Return Krippendorff's alpha with a distance; `observed` and `expected` are disagreements.

    1 - D_o / D_e over the units with at least two ratings, with the small-sample term n(n - 1)
    (Krippendorff 2004, section 11.3).
    """
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    totals = profiles.totals
    ratings = int(totals.sum())
    apart = profiles.mean_distance(distance)
    observed = float((apart * profiles.ratings * profiles.times).sum()) / ratings
    pooled = float((totals / ratings * distance.toward(totals / ratings)).sum())
    if pooled <= 0:
        one = np.count_nonzero(totals) == 1
        reason = Undefined.NO_EXPECTED_DISAGREEMENT if one else Undefined.NO_POSSIBLE_DISAGREEMENT
        return no_estimate(reason, profiles.units)
    expected = pooled * ratings / (ratings - 1)
    estimate = Estimate(1 - observed / expected, profiles.units, observed, expected)
    influence = alpha_influence(profiles, distance, observed, pooled)
    disagreements = profiles.disagreements if observed > 0 else 0
    worst = distance.farthest(totals > 0) / expected
    found = with_interval(
        estimate, influence, profiles.clusters, (low, 1.0), disagreements=disagreements, worst=worst
    )
    return beyond_chance(found, _alpha_weight(profiles, distance, pooled))


def _alpha_weight(profiles: Profiles, distance: Distance, expected: float) -> Floats:
    """Return how much a unit of each profile adds to the expected disagreement (profiles,), 1 on average."""
    shares = profiles.totals / profiles.totals.sum()
    drawn = profiles.sum_over_ratings(distance.toward(shares))
    mean_ratings = float(profiles.totals.sum()) / profiles.units
    weight: Floats = (2 * drawn / expected - profiles.ratings) / mean_ratings
    return weight


def alpha_influence(profiles: Profiles, distance: Distance, observed: float, expected: float) -> Floats:
    """Return the influence of a unit of each profile (profiles,), without the small-sample factor.

    The factor 1 - 1/n, n being the ratings, tends to one. Gwet's irrCAC leaves it out as here; his
    pairedCAC has it.
    """
    shares = profiles.totals / profiles.totals.sum()
    mean_ratings = float(profiles.totals.sum()) / profiles.units
    ratings = profiles.ratings
    of_observed = ratings * (profiles.mean_distance(distance) - observed)
    by_category = distance.toward(shares)
    of_expected = 2 * (profiles.sum_over_ratings(by_category) - ratings * expected)
    influence = (observed / expected * of_expected - of_observed) / expected
    if distance.drift is None:
        return influence / mean_ratings
    ratings_met = int(profiles.totals.sum())

    def slope(one: Codes, other: Codes) -> Floats:
        met = profiles.coincidences.at(one, other) / ratings_met
        found: Floats = (observed / expected * (shares[one] * shares[other]) - met) / expected
        return found

    return influence / mean_ratings + profiles.drift(distance.drift(slope))


@dataclass(frozen=True)
class NullTest:
    """Fleiss' kappa against 0: its standard error if labels had nothing to do with units, z and p.

    That error is no measure of how precise kappa is. The p value is two-sided.
    """

    standard_error: float
    z: float
    p: float


def null_test(profiles: Profiles) -> NullTest | None:
    """Return the test that Fleiss' kappa is 0 (Fleiss, Nee and Landis 1979).

    Only where every unit has as many ratings, and chance gives disagreement; None elsewhere.
    """
    ratings = np.unique(profiles.ratings)
    totals = profiles.totals
    if len(ratings) != 1 or np.count_nonzero(totals) <= 1:
        return None
    m, units = int(ratings[0]), profiles.units
    shares = totals / (units * m)
    apart = shares * (1 - shares)
    total = float(apart.sum())
    variance = 2 * (total * total - float((apart * (1 - 2 * shares)).sum())) / (total * total)
    error = math.sqrt(variance / (units * m * (m - 1)))
    split = profiles.mean_distance(nominal(profiles.categories))
    z = (1 - float((split * profiles.times).sum()) / units / total) / error
    return NullTest(error, z, math.erfc(abs(z) / math.sqrt(2)))
