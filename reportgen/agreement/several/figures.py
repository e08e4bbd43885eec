"""Every figure of all annotators together, under its full id: what the catalogue's entries compute."""

from collections.abc import Iterator

import numpy as np

from reportgen.agreement import distances
from reportgen.agreement.algebra import formulas
from reportgen.agreement.algebra.estimates import LOWEST, coefficient, observed_agreement
from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.algebra.parts import OfAnnotators, parts_of
from reportgen.agreement.algebra.rows import Scale
from reportgen.agreement.computed import computed_mean, computed_product
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Estimate, Undefined, no_estimate
from reportgen.agreement.several import majority, over_pairs
from reportgen.agreement.several.profiles import Profiles, without
from reportgen.agreement.several.units import UnitRatings
from reportgen.agreement.two.figures import scale_distances, weights_of, with_farthest
from reportgen.agreement.whole import Whole

TWO = 2
Figures = dict[str, Estimate]


def observed(whole: Whole) -> Figures:
    """Return observed agreement, the mean over units of the agreeing share of pairs."""
    return {"observed_agreement": observed_agreement(whole.profiles)}


def unanimous(whole: Whole) -> Figures:
    """Return the share of units on which all ratings are the same."""
    return {"unanimous_agreement": majority.unanimous(whole.profiles)}


def majority_agreement(whole: Whole) -> Figures:
    """Return how often an annotator says what most of the others say."""
    return {"majority_agreement": majority.share(whole.ratings, whole.against_others)}


def krippendorff_alpha(whole: Whole) -> Figures:
    """Return nominal alpha, and with every declared distance, the computed one and those of the scale."""
    profiles, setting = whole.profiles, whole.setting
    plain = parts_of(profiles, distances.nominal(profiles.categories))
    found = {"krippendorff_alpha": coefficient(formulas.krippendorff_alpha, plain, low=LOWEST)}
    for distance in setting.distances:
        found[f"krippendorff_alpha[{distance.id}]"] = _alpha(profiles, distance)
    rated = without(profiles, _unplaced(whole))
    mean_ratings = int(rated.totals.sum()) / max(rated.units, 1)
    for distance in scale_distances(rated.totals, setting, mean_ratings):
        found[f"krippendorff_alpha[{distance.id}]"] = _alpha(rated, distance)
    computed = computed_mean(profiles.coincidences, max(profiles.units, 1))
    return found | {"krippendorff_alpha[computed]": _alpha(profiles, computed)}


def _alpha(profiles: Profiles, distance: Distance) -> Estimate:
    return coefficient(formulas.krippendorff_alpha, parts_of(profiles, distance))


def _unplaced(whole: Whole) -> int:
    """Return the category that has no place on the scale: the non-annotated one, of ordered scales."""
    return whole.setting.non_annotated if whole.setting.values is not None else -1


def fleiss_kappa(whole: Whole) -> Figures:
    """Return Fleiss' kappa, and weighted with every distance."""
    return _of_profiles(whole, "fleiss_kappa", formulas.fleiss_kappa, LOWEST, least=1)


def bennett_s(whole: Whole) -> Figures:
    """Return Bennett's S, and weighted with every distance (Brennan and Prediger)."""
    lowest = -1 / (whole.categories - 1) if whole.categories >= TWO else LOWEST
    return _of_profiles(whole, "bennett_s", formulas.bennett_s, lowest, least=TWO)


def randolph_kappa(whole: Whole) -> Figures:
    """Return Randolph's free-marginal kappa, which is S of any number of annotators."""
    return {"randolph_kappa": bennett_s(whole)["bennett_s"]}


def gwet_ac1(whole: Whole) -> Figures:
    """Return Gwet's AC1."""
    return {"gwet_ac1": _nominal(whole, formulas.gwet_ac, LOWEST, least=1)}


def gwet_ac2(whole: Whole) -> Figures:
    """Return Gwet's AC2 with every distance."""
    return {
        f"gwet_ac2[{distance.id}]": with_farthest(
            coefficient(formulas.gwet_ac, parts_of(profiles, distance), as_agreement=True), distance
        )
        for profiles, distance in _weighted(whole, least=1)
    }


def _of_profiles(whole: Whole, name: str, formula: Formula, low: float, *, least: int) -> Figures:
    """Return a measure of profiles, nominal and with every distance, from units with so many ratings."""
    found = {name: _nominal(whole, formula, low, least=least)}
    for profiles, distance in _weighted(whole, least=least):
        found[f"{name}[{distance.id}]"] = coefficient(formula, parts_of(profiles, distance))
    return found


def _nominal(whole: Whole, formula: Formula, low: float, *, least: int) -> Estimate:
    parts = parts_of(_profiles(whole, least), distances.nominal(whole.categories))
    return coefficient(formula, parts, low=low, as_agreement=True)


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


def conger_kappa(whole: Whole) -> Figures:
    """Return Conger's kappa, and weighted with every distance."""
    plain = OfAnnotators(whole.ratings, Scale(distances.nominal(whole.categories)))
    found = {"conger_kappa": coefficient(formulas.conger_kappa, plain, low=LOWEST, as_agreement=True)}
    for ratings, distance in _weighted_ratings(whole):
        units = OfAnnotators(ratings, Scale(distance))
        found[f"conger_kappa[{distance.id}]"] = coefficient(formulas.conger_kappa, units)
    return found


def _weighted_ratings(whole: Whole) -> Iterator[tuple[UnitRatings, Distance]]:
    for distance in whole.setting.distances:
        yield whole.ratings, distance
    placed = weights_of(whole.setting)
    rated = whole.ratings.without(_unplaced(whole)) if placed else whole.ratings
    for distance in placed:
        yield rated, distance


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
    differ = bool(ratings.tables.differ.any())
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
