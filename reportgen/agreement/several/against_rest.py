"""One category against all others, for any number of annotators: Fleiss' kappa and alpha of each."""

import numpy as np

from reportgen.agreement.estimate import Estimate, Floats, Undefined, no_estimate, without_spread
from reportgen.agreement.several.gwet import Linear, ratio
from reportgen.agreement.several.profiles import PAIR, Profiles
from reportgen.study import Codes

TWO = 2
LOWEST = -1.0


def each_against_rest(rated: Profiles) -> tuple[dict[str, Estimate], ...]:
    """Return Fleiss' kappa and Krippendorff's alpha of each category against all others.

    `rated` holds every unit with a rating. With two categories there is nothing new, and nothing is returned.
    (Fleiss 1971, by category; Gwet 2014 with missing ratings; for two annotators Agresti 1992.)
    """
    if rated.categories <= TWO:
        return ()
    return tuple(one_against_rest(rated, category) for category in range(rated.categories))


def one_against_rest(rated: Profiles, category: int) -> dict[str, Estimate]:
    """Return Fleiss' kappa and alpha of one category against whatever else there is."""
    if rated.totals[category] == 0:
        return _unused(rated)
    times = (rated.labels == category).sum(axis=1)
    paired = rated.ratings >= PAIR
    if not (rated.times * paired).sum():
        return _unused(rated)
    return {
        "fleiss_kappa": _estimate(rated, times, _fleiss(rated, times)),
        "krippendorff_alpha": _estimate(rated, times, _alpha(rated, times), as_agreement=False),
    }


def _unused(rated: Profiles) -> dict[str, Estimate]:
    units = int((rated.times * (rated.ratings >= PAIR)).sum())
    reason = Undefined.NOT_USED if units else Undefined.NO_SHARED_UNITS
    return dict.fromkeys(("fleiss_kappa", "krippendorff_alpha"), no_estimate(reason, units))


def _estimate(rated: Profiles, times: Codes, linear: Linear | None, *, as_agreement: bool = True) -> Estimate:
    paired = rated.ratings >= PAIR
    units = int((rated.times * paired).sum())
    if linear is None:
        return no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, units)
    if units == 1:
        return no_estimate(Undefined.ONE_UNIT, 1)
    split = paired & (times > 0) & (times < rated.ratings)
    seen = int(rated.times[split].sum())
    found = linear.estimate(units, rated.clusters, seen, LOWEST, as_agreement=as_agreement)
    # Differences of these are not tested, and what that takes of thousands of categories fills the memory.
    return without_spread(found)


def _apart(rated: Profiles, times: Codes) -> Floats:
    """Return the share of a unit's pairs of ratings of which just one has the category (profiles,)."""
    ratings = rated.ratings
    pairs = ratings * (ratings - 1)
    split = 2 * times * (ratings - times)
    apart: Floats = np.divide(split, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    return apart


def _fleiss(rated: Profiles, times: Codes) -> Linear | None:
    """Return Fleiss' kappa of the category; the share is the mean over units with any rating."""
    paired = rated.ratings >= PAIR
    share_paired = int((rated.times * paired).sum()) / rated.units
    own = times / rated.ratings
    share = float((rated.times * own).sum()) / rated.units
    expected = 2 * share * (1 - share)
    if expected <= 0:
        return None
    apart = _apart(rated, times)
    observed = float((rated.times * apart).sum()) / (rated.units * share_paired)
    of_observed = (apart - observed * paired) / share_paired
    return ratio(observed, expected, of_observed, 2 * (1 - 2 * share) * (own - share))


def _alpha(rated: Profiles, times: Codes) -> Linear | None:
    """Return alpha of the category, from units with at least two ratings; the influence is of all units."""
    paired = rated.ratings >= PAIR
    ratings = np.where(paired, rated.ratings, 0)
    total = int((rated.times * ratings).sum())
    of_it = int((rated.times * times * paired).sum())
    if of_it in {0, total}:
        return None
    share = of_it / total
    pooled = 2 * share * (1 - share)
    apart = _apart(rated, times)
    observed = float((rated.times * ratings * apart).sum()) / total
    expected = pooled * total / (total - 1)
    mean_ratings = total / rated.units
    of_observed = ratings * (apart - observed)
    toward = np.where(paired, times * (1 - share) + (rated.ratings - times) * share, 0.0)
    of_expected = 2 * (toward - ratings * pooled)
    influence = (observed / pooled * of_expected - of_observed) / (pooled * mean_ratings)
    weight = (2 * toward / pooled - ratings) / mean_ratings
    return Linear(1 - observed / expected, observed, expected, influence, weight=weight)
