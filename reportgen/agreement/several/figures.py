"""Every figure of all annotators together, under its full id: what the catalogue's entries compute."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from reportgen.agreement import distances
from reportgen.agreement.computed import computed_mean, computed_product
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Estimate, Undefined, no_estimate
from reportgen.agreement.several import gwet, majority, many, over_pairs
from reportgen.agreement.several.gwet import Linear, Rated
from reportgen.agreement.several.profiles import Profiles, without
from reportgen.agreement.several.units import UnitRatings
from reportgen.agreement.two.figures import LOWEST, scale_distances, weights_of
from reportgen.agreement.whole import Whole

TWO = 2
Figures = dict[str, Estimate]


def observed(whole: Whole) -> Figures:
    """Return observed agreement, the mean over units of the agreeing share of pairs."""
    return {"observed_agreement": many.pairwise_observed(whole.profiles)}


def unanimous(whole: Whole) -> Figures:
    """Return the share of units on which all ratings are the same."""
    return {"unanimous_agreement": majority.unanimous(whole.profiles)}


def majority_agreement(whole: Whole) -> Figures:
    """Return how often an annotator says what most of the others say."""
    return {"majority_agreement": majority.share(whole.ratings, whole.against_others)}


def krippendorff_alpha(whole: Whole) -> Figures:
    """Return nominal alpha, and with every declared distance, the computed one and those of the scale."""
    profiles, setting = whole.profiles, whole.setting
    found = {"krippendorff_alpha": many.alpha(profiles, distances.nominal(profiles.categories), low=LOWEST)}
    for distance in setting.distances:
        found[f"krippendorff_alpha[{distance.id}]"] = many.alpha(profiles, distance)
    rated = without(profiles, _unplaced(whole))
    mean_ratings = int(rated.totals.sum()) / max(rated.units, 1)
    for distance in scale_distances(rated.totals, setting, mean_ratings):
        found[f"krippendorff_alpha[{distance.id}]"] = many.alpha(rated, distance)
    computed = computed_mean(profiles.coincidences, max(profiles.units, 1))
    return found | {"krippendorff_alpha[computed]": many.alpha(profiles, computed)}


def _unplaced(whole: Whole) -> int:
    """Return the category that has no place on the scale: the non-annotated one, of ordered scales."""
    return whole.setting.non_annotated if whole.setting.values is not None else -1


def fleiss_kappa(whole: Whole) -> Figures:
    """Return Fleiss' kappa, and weighted with every distance."""
    return _of_profiles(whole, "fleiss_kappa", gwet.fleiss, LOWEST, least=1)


def bennett_s(whole: Whole) -> Figures:
    """Return Bennett's S, and weighted with every distance (Brennan and Prediger)."""
    lowest = -1 / (whole.categories - 1) if whole.categories >= TWO else LOWEST
    return _of_profiles(whole, "bennett_s", gwet.uniform, lowest, least=TWO)


def randolph_kappa(whole: Whole) -> Figures:
    """Return Randolph's free-marginal kappa, which is S of any number of annotators."""
    return {"randolph_kappa": bennett_s(whole)["bennett_s"]}


def gwet_ac1(whole: Whole) -> Figures:
    """Return Gwet's AC1."""
    return {"gwet_ac1": replace(_nominal(whole, gwet.gwet, LOWEST, least=1), farthest=None)}


def gwet_ac2(whole: Whole) -> Figures:
    """Return Gwet's AC2 with every distance."""
    return {
        f"gwet_ac2[{distance.id}]": _figure(profiles, distance, gwet.gwet, -np.inf, as_agreement=True)
        for profiles, distance in _weighted(whole, least=1)
    }


Formula = Callable[[Rated, Distance], Linear | None]


def _of_profiles(whole: Whole, name: str, formula: Formula, low: float, *, least: int) -> Figures:
    """Return a measure of profiles, nominal and with every distance, from units with so many ratings."""
    found = {name: _nominal(whole, formula, low, least=least)}
    for profiles, distance in _weighted(whole, least=least):
        found[f"{name}[{distance.id}]"] = _figure(profiles, distance, formula, -np.inf, as_agreement=False)
    return found


def _nominal(whole: Whole, formula: Formula, low: float, *, least: int) -> Estimate:
    plain = distances.nominal(whole.categories)
    return _figure(_profiles(whole, least), plain, formula, low, as_agreement=True)


def _profiles(whole: Whole, least: int) -> Profiles:
    return whole.rated if least == 1 else whole.profiles


def _weighted(whole: Whole, *, least: int) -> Iterator[tuple[Profiles, Distance]]:
    """Yield every distance of the study with the units that it can place and that have so many ratings."""
    profiles = _profiles(whole, least)
    for distance in whole.setting.distances:
        yield profiles, distance
    placed = weights_of(whole.setting)
    rated = without(profiles, _unplaced(whole), least) if placed else profiles
    for distance in placed:
        yield rated, distance


def _figure(
    profiles: Profiles, distance: Distance, formula: Formula, low: float, *, as_agreement: bool
) -> Estimate:
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    found = gwet.rated(profiles, distance)
    if not found.paired.any():
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    return gwet.figure(
        found, formula(found, distance), _reason(profiles, distance), low, as_agreement=as_agreement
    )


def _reason(profiles: Profiles, distance: Distance) -> Undefined:
    """Return why chance gives no disagreement."""
    if distance.size < TWO:
        return Undefined.ONE_CATEGORY
    one = np.count_nonzero(profiles.totals) == 1
    return Undefined.NO_EXPECTED_DISAGREEMENT if one else Undefined.NO_POSSIBLE_DISAGREEMENT


def conger_kappa(whole: Whole) -> Figures:
    """Return Conger's kappa, and weighted with every distance."""
    plain = distances.nominal(whole.categories)
    found = {"conger_kappa": _conger(whole.ratings, plain, LOWEST, as_agreement=True)}
    for ratings, distance in _weighted_ratings(whole):
        found[f"conger_kappa[{distance.id}]"] = _conger(ratings, distance, -np.inf, as_agreement=False)
    return found


def _weighted_ratings(whole: Whole) -> Iterator[tuple[UnitRatings, Distance]]:
    for distance in whole.setting.distances:
        yield whole.ratings, distance
    placed = weights_of(whole.setting)
    rated = whole.ratings.without(_unplaced(whole)) if placed else whole.ratings
    for distance in placed:
        yield rated, distance


def _conger(ratings: UnitRatings, distance: Distance, low: float, *, as_agreement: bool) -> Estimate:
    if ratings.paired_units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    linear = over_pairs.conger(ratings, over_pairs.mean_distances(ratings, distance), distance)
    reason = _reason_of(ratings, distance)
    return over_pairs.figure(ratings, linear, reason, low, as_agreement=as_agreement)


def _reason_of(ratings: UnitRatings, distance: Distance) -> Undefined:
    one = np.count_nonzero(ratings.labels_by_annotator.sum(axis=0)) == 1
    if distance.size < TWO:
        return Undefined.ONE_CATEGORY
    return Undefined.NO_EXPECTED_DISAGREEMENT if one else Undefined.NO_POSSIBLE_DISAGREEMENT


def weighted_kappa(whole: Whole) -> Figures:
    """Return weighted kappa over all pairs with every distance and the computed one."""
    found = {
        f"weighted_kappa[{distance.id}]": _weighted_kappa(ratings.paired, distance)
        for ratings, distance in _weighted_ratings(whole)
    }
    met = whole.profiles.coincidences
    computed = computed_product(met, max(whole.profiles.units, 1))
    return found | {"weighted_kappa[computed]": _weighted_kappa(whole.ratings.paired, computed)}


def _weighted_kappa(ratings: UnitRatings, distance: Distance) -> Estimate:
    if ratings.paired_units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    linear = over_pairs.weighted_kappa(ratings, distance)
    return over_pairs.figure(ratings, linear, _reason_of(ratings, distance), -np.inf, as_agreement=False)


def light_kappa(whole: Whole) -> Figures:
    """Return Light's kappa, the mean of the pairs' Cohen kappas."""
    ratings = whole.ratings.paired
    if ratings.units == 0:
        return {"light_kappa": no_estimate(Undefined.NO_SHARED_UNITS, 0)}
    found = over_pairs.light_kappa(ratings)
    linear = found[0] if found else None
    differ = bool(ratings.pairs.differ.any())
    reason = Undefined.NO_PAIR_DEFINED if differ else Undefined.NO_EXPECTED_DISAGREEMENT
    return {"light_kappa": over_pairs.figure(ratings, linear, reason, LOWEST, as_agreement=True)}


def siegel_castellan(whole: Whole) -> Figures:
    """Return GATE's all-way kappa, over the units that all annotators rated."""
    profiles = majority.rated_by(whole.profiles, whole.annotators)
    found = majority.siegel_castellan(profiles, whole.annotators)
    if isinstance(found, Undefined):
        return {"siegel_castellan": no_estimate(found, profiles.units)}
    seen = profiles.disagreements
    estimate = found.estimate(profiles.units, profiles.clusters, seen, LOWEST, as_agreement=True)
    return {"siegel_castellan": estimate}
