"""Every coefficient under its full id, of two annotators or of all together: what the catalogue computes."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from reportgen.agreement import distances
from reportgen.agreement.algebra import estimates, formulas
from reportgen.agreement.algebra.estimates import LOWEST, coefficient
from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.algebra.parts import OfAnnotators
from reportgen.agreement.algebra.rows import Scale
from reportgen.agreement.computed import computed_mean, computed_product
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Estimate, Undefined, no_estimate
from reportgen.agreement.setting import scale_distances, weights_of
from reportgen.agreement.several import majority, over_pairs
from reportgen.agreement.several.profiles import Profiles
from reportgen.agreement.several.units import UnitRatings
from reportgen.agreement.two import margins, shares
from reportgen.agreement.whole import Pair, Units, Whole
from reportgen.counts import PairTable

TWO = 2
Figures = dict[str, Estimate]


def observed(units: Units) -> Figures:
    """Return observed agreement, the mean over units of the agreeing share of pairs."""
    return {"observed_agreement": _said(units, estimates.observed_agreement(units.profiles))}


def unanimous(whole: Whole) -> Figures:
    """Return the share of units on which all ratings are the same."""
    return {"unanimous_agreement": majority.unanimous(whole.profiles)}


def majority_agreement(whole: Whole) -> Figures:
    """Return how often an annotator says what most of the others say."""
    return {"majority_agreement": majority.share(whole.ratings, whole.against_others)}


def _said(units: Units, found: Estimate) -> Estimate:
    """Return a figure; where no unit was rated by two, with the reason as it is said of these annotators."""
    nothing = found.undefined is Undefined.NO_SHARED_UNITS
    return replace(found, undefined=units.nothing) if nothing else found


def _nominal(units: Units, formula: Formula, profiles: Profiles, low: float = LOWEST) -> Estimate:
    parts = units.parts(profiles, distances.nominal(units.categories))
    return _said(units, coefficient(formula, parts, low=low, as_agreement=True))


def _with(units: Units, formula: Formula, profiles: Profiles, distance: Distance) -> Estimate:
    return _said(units, coefficient(formula, units.parts(profiles, distance)))


def scott_pi(pair: Pair) -> Figures:
    """Return Scott's pi."""
    return {"scott_pi": _nominal(pair, formulas.scott_pi, pair.profiles)}


def cohen_kappa(pair: Pair) -> Figures:
    """Return Cohen's kappa."""
    return {"cohen_kappa": _nominal(pair, formulas.cohen_kappa, pair.profiles)}


def weighted_kappa_of_pair(pair: Pair) -> Figures:
    """Return kappa weighted with every distance and the computed one."""
    found = {
        f"weighted_kappa[{distance.id}]": _with(pair, formulas.cohen_kappa, profiles, distance)
        for profiles, distance in _weighted(pair, pair.profiles)
    }
    computed = computed_product(pair.profiles.coincidences, pair.profiles.units)
    return found | {"weighted_kappa[computed]": _with(pair, formulas.cohen_kappa, pair.profiles, computed)}


def krippendorff_alpha(units: Units) -> Figures:
    """Return nominal alpha, and with every declared distance, the computed one and those of the scale."""
    profiles, setting, alpha = units.profiles, units.setting, formulas.krippendorff_alpha
    plain = units.parts(profiles, distances.nominal(profiles.categories))
    found = {"krippendorff_alpha": _said(units, coefficient(alpha, plain, low=LOWEST))}
    for distance in setting.distances:
        found[f"krippendorff_alpha[{distance.id}]"] = _with(units, alpha, profiles, distance)
    rated = units.placed(profiles)
    mean_ratings = int(rated.totals.sum()) / max(rated.units, 1)
    for distance in scale_distances(rated.totals, setting, mean_ratings):
        found[f"krippendorff_alpha[{distance.id}]"] = _with(units, alpha, rated, distance)
    computed = computed_mean(profiles.coincidences, max(profiles.units, 1))
    return found | {"krippendorff_alpha[computed]": _with(units, alpha, profiles, computed)}


def fleiss_kappa(whole: Whole) -> Figures:
    """Return Fleiss' kappa, and weighted with every distance."""
    return _with_weights(whole, "fleiss_kappa", formulas.fleiss_kappa, whole.rated, LOWEST)


def bennett_s_of_pair(pair: Pair) -> Figures:
    """Return Bennett's S over all categories, declared or used."""
    return {"bennett_s": _nominal(pair, formulas.bennett_s, pair.profiles, _least_s(pair))}


def bennett_s(whole: Whole) -> Figures:
    """Return Bennett's S, and weighted with every distance (Brennan and Prediger)."""
    return _with_weights(whole, "bennett_s", formulas.bennett_s, whole.profiles, _least_s(whole))


def randolph_kappa(whole: Whole) -> Figures:
    """Return Randolph's free-marginal kappa, which is S of any number of annotators."""
    return {"randolph_kappa": _nominal(whole, formulas.bennett_s, whole.profiles, _least_s(whole))}


def _least_s(units: Units) -> float:
    return -1 / (units.categories - 1) if units.categories >= TWO else LOWEST


def gwet_ac1(units: Units) -> Figures:
    """Return Gwet's AC1."""
    return {"gwet_ac1": _nominal(units, formulas.gwet_ac, units.rated)}


def gwet_ac2(units: Units) -> Figures:
    """Return Gwet's AC2 with every distance, and the distance at which its weights are 0."""
    found = {}
    for profiles, distance in _weighted(units, units.rated):
        parts = units.parts(profiles, distance)
        figure = _said(units, coefficient(formulas.gwet_ac, parts, as_agreement=True))
        far = None if figure.value is None else parts.scale.farthest
        found[f"gwet_ac2[{distance.id}]"] = replace(figure, farthest=far)
    return found


def _with_weights(units: Units, name: str, formula: Formula, profiles: Profiles, low: float) -> Figures:
    """Return a measure of some units, nominal and with every distance."""
    found = {name: _nominal(units, formula, profiles, low)}
    for some, distance in _weighted(units, profiles):
        found[f"{name}[{distance.id}]"] = _with(units, formula, some, distance)
    return found


def _weighted(units: Units, profiles: Profiles) -> Iterator[tuple[Profiles, Distance]]:
    """Yield every distance of the study with the units that it can place."""
    yield from ((profiles, distance) for distance in units.setting.distances)
    yield from ((units.placed(profiles), distance) for distance in weights_of(units.setting))


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
    rated = whole.ratings.without(whole.unplaced) if placed else whole.ratings
    for distance in placed:
        yield rated, distance


def weighted_kappa(whole: Whole) -> Figures:
    """Return weighted kappa over all pairs with every distance and the computed one."""
    found = {
        f"weighted_kappa[{distance.id}]": _over_pairs(ratings.paired, distance)
        for ratings, distance in _weighted_ratings(whole)
    }
    computed = computed_product(whole.profiles.coincidences, max(whole.profiles.units, 1))
    return found | {"weighted_kappa[computed]": _over_pairs(whole.ratings.paired, computed)}


def _over_pairs(ratings: UnitRatings, distance: Distance) -> Estimate:
    if ratings.paired_units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    linear = over_pairs.weighted_kappa(ratings, distance)
    return over_pairs.figure(ratings, linear, _reason_of(ratings, distance), -math.inf, as_agreement=False)


def _reason_of(ratings: UnitRatings, distance: Distance) -> Undefined:
    one = np.count_nonzero(ratings.labels_by_annotator.sum(axis=0)) == 1
    if distance.size < TWO:
        return Undefined.ONE_CATEGORY
    return Undefined.NO_EXPECTED_DISAGREEMENT if one else Undefined.NO_POSSIBLE_DISAGREEMENT


def light_kappa(whole: Whole) -> Figures:
    """Return Light's kappa, the mean of the pairs' Cohen kappas."""
    ratings = whole.ratings.paired
    if ratings.units == 0:
        return {"light_kappa": no_estimate(Undefined.NO_SHARED_UNITS, 0)}
    found = over_pairs.light_kappa(ratings)
    differ = bool(ratings.tables.differ.any())
    reason = Undefined.NO_PAIR_DEFINED if differ else Undefined.NO_EXPECTED_DISAGREEMENT
    return {"light_kappa": over_pairs.figure(ratings, found, reason, LOWEST, as_agreement=True)}


def siegel_castellan(whole: Whole) -> Figures:
    """Return GATE's all-way kappa, over the units that all annotators rated."""
    profiles = majority.rated_by(whole.profiles, whole.annotators)
    found = majority.siegel_castellan(profiles, whole.annotators)
    if isinstance(found, Undefined):
        return {"siegel_castellan": no_estimate(found, profiles.units)}
    seen = profiles.disagreements
    estimate = found.estimate(profiles.units, profiles.clusters, seen, LOWEST, as_agreement=True)
    return {"siegel_castellan": estimate}


def kappa_max(pair: Pair) -> Figures:
    """Return the highest kappa that the margins allow."""
    return {"kappa_max": shares.kappa_max(pair.table)}


def of_two_categories(name: str, figure: Callable[[PairTable, int], Estimate]) -> Callable[[Pair], Figures]:
    """Return what computes a figure of the first of two categories under its id."""

    def compute(pair: Pair) -> Figures:
        return {name: figure(pair.table, 0)} if pair.categories == TWO else {}

    return compute


prevalence_index = of_two_categories("prevalence_index", shares.prevalence_index)
bias_index = of_two_categories("bias_index", shares.bias_index)
pabak = of_two_categories("pabak", shares.pabak)
# Maxwell's RE of two categories is 2 A_o - 1: what PABAK is too (Maxwell 1977).
maxwell_re = of_two_categories("maxwell_re", shares.pabak)


def bangdiwala_b(pair: Pair) -> Figures:
    """Return Bangdiwala's B."""
    return {"bangdiwala_b": margins.bangdiwala_b(pair.table)}
