"""Every coefficient under its full id, of two annotators or of all together: what the catalogue computes."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from reportgen.counts import ContingencyTable
from reportgen.measures import distances, figures_of_sums, formulas, over_pairs
from reportgen.measures.complete_ratings import (
    CONTINUOUS,
    TWO_WAY,
    finn_r,
    finn_two_way,
    icc_a1,
    icc_c1,
    kendall_w,
)
from reportgen.measures.distances import CategoryDistance, computed_mean, computed_product, nominal
from reportgen.measures.estimate import (
    LOWEST,
    Estimate,
    Floats,
    NoInterval,
    Undefined,
    no_estimate,
    with_interval,
    without_spread,
)
from reportgen.measures.figures_of_sums import UnitsByAnnotators, UnitsByLabels, coefficient
from reportgen.measures.formulas import FIRST, SECOND, Formula
from reportgen.measures.measure import undefined_of_one
from reportgen.measures.profiles import PAIR, Profiles, categories_of, one_category
from reportgen.measures.ratings_by_unit import UnitRatings
from reportgen.measures.unit_set_data import (
    Setting,
    Units,
    UnitsOfAll,
    UnitsOfPair,
    scale_distances,
    weights_of,
)
from reportgen.results.unit_sets import NullTest

TWO = 2
Figures = dict[str, Estimate]


def observed(units: Units) -> Figures:
    """Return observed agreement, the mean over units of the agreeing share of pairs."""
    return {"observed_agreement": _with_reason(units, figures_of_sums.observed_agreement(units.profiles))}


def unanimous(units: UnitsOfAll) -> Figures:
    """Return the share of units on which all ratings are the same."""
    return {"unanimous_agreement": figures_of_sums.unanimous(units.profiles)}


def majority_agreement(units: UnitsOfAll) -> Figures:
    """Return how often an annotator says what most of the others say."""
    return {"majority_agreement": over_pairs.share(units.ratings, units.against_others)}


def _with_reason(units: Units, figure: Estimate) -> Estimate:
    """Return a figure; where no unit was rated by two, with the reason as it is said of these annotators."""
    nothing = figure.undefined is Undefined.NO_SHARED_UNITS
    return replace(figure, undefined=units.nothing) if nothing else figure


def _nominal(units: Units, formula: Formula, profiles: Profiles, low: float = LOWEST) -> Estimate:
    by_labels = units.by_labels(profiles, distances.nominal(units.categories))
    return _with_reason(units, coefficient(formula, by_labels, low=low, as_agreement=True))


def _weighted_figure(
    units: Units, formula: Formula, profiles: Profiles, distance: CategoryDistance
) -> Estimate:
    return _with_reason(units, coefficient(formula, units.by_labels(profiles, distance)))


def scott_pi(pair: UnitsOfPair) -> Figures:
    """Return Scott's pi."""
    return {"scott_pi": _nominal(pair, formulas.scott_pi, pair.profiles)}


def cohen_kappa(pair: UnitsOfPair) -> Figures:
    """Return Cohen's kappa."""
    return {"cohen_kappa": _nominal(pair, formulas.cohen_kappa, pair.profiles)}


def weighted_kappa_of_pair(pair: UnitsOfPair) -> Figures:
    """Return kappa weighted with every distance and the computed one."""
    computed = computed_product(pair.profiles.coincidences, pair.profiles.units)
    return {
        f"weighted_kappa[{distance.id}]": _weighted_figure(pair, formulas.cohen_kappa, profiles, distance)
        for profiles, distance in (*_distances_placed(pair, pair.profiles), (pair.profiles, computed))
    }


def krippendorff_alpha(units: Units) -> Figures:
    """Return nominal alpha, and with every declared distance, the computed one and those of the scale."""
    profiles, setting, alpha = units.profiles, units.setting, formulas.krippendorff_alpha
    plain = units.by_labels(profiles, distances.nominal(profiles.categories))
    figures = {"krippendorff_alpha": _with_reason(units, coefficient(alpha, plain, low=LOWEST))}
    for distance in setting.distances:
        figures[f"krippendorff_alpha[{distance.id}]"] = _weighted_figure(units, alpha, profiles, distance)
    rated = units.placed(profiles)
    mean_ratings = int(rated.totals.sum()) / max(rated.units, 1)
    for distance in scale_distances(rated.totals, setting, mean_ratings):
        figures[f"krippendorff_alpha[{distance.id}]"] = _weighted_figure(units, alpha, rated, distance)
    computed = computed_mean(profiles.coincidences, max(profiles.units, 1))
    return figures | {"krippendorff_alpha[computed]": _weighted_figure(units, alpha, profiles, computed)}


def fleiss_kappa(units: UnitsOfAll) -> Figures:
    """Return Fleiss' kappa, and weighted with every distance."""
    return _with_weights(units, "fleiss_kappa", formulas.fleiss_kappa, units.rated, LOWEST)


def bennett_s_of_pair(pair: UnitsOfPair) -> Figures:
    """Return Bennett's S over all categories, declared or used."""
    return {"bennett_s": _nominal(pair, formulas.bennett_s, pair.profiles, _least_s(pair))}


def bennett_s(units: UnitsOfAll) -> Figures:
    """Return Bennett's S, and weighted with every distance (Brennan and Prediger)."""
    return _with_weights(units, "bennett_s", formulas.bennett_s, units.profiles, _least_s(units))


def randolph_kappa(units: UnitsOfAll) -> Figures:
    """Return Randolph's free-marginal kappa, which is S of any number of annotators."""
    return {"randolph_kappa": _nominal(units, formulas.bennett_s, units.profiles, _least_s(units))}


def _least_s(units: Units) -> float:
    return -1 / (units.categories - 1) if units.categories >= TWO else LOWEST


def gwet_ac1(units: Units) -> Figures:
    """Return Gwet's AC1."""
    return {"gwet_ac1": _nominal(units, formulas.gwet_ac, units.rated)}


def gwet_ac2(units: Units) -> Figures:
    """Return Gwet's AC2 with every distance, and the distance at which its weights are 0."""
    figures = {}
    for profiles, distance in _distances_placed(units, units.rated):
        by_labels = units.by_labels(profiles, distance)
        figure = _with_reason(units, coefficient(formulas.gwet_ac, by_labels, as_agreement=True))
        far = None if figure.value is None else by_labels.distance.largest
        figures[f"gwet_ac2[{distance.id}]"] = replace(figure, farthest=far)
    return figures


def _with_weights(units: Units, name: str, formula: Formula, profiles: Profiles, low: float) -> Figures:
    """Return a measure of some units, nominal and with every distance."""
    figures = {name: _nominal(units, formula, profiles, low)}
    for placed, distance in _distances_placed(units, profiles):
        figures[f"{name}[{distance.id}]"] = _weighted_figure(units, formula, placed, distance)
    return figures


def _distances_placed(units: Units, profiles: Profiles) -> Iterator[tuple[Profiles, CategoryDistance]]:
    """Yield every distance of the study with the units that it can place."""
    yield from ((profiles, distance) for distance in units.setting.distances)
    yield from ((units.placed(profiles), distance) for distance in weights_of(units.setting))


def conger_kappa(units_of_all: UnitsOfAll) -> Figures:
    """Return Conger's kappa, and weighted with every distance."""
    plain = UnitsByAnnotators(units_of_all.ratings, distances.nominal(units_of_all.categories))
    figures = {"conger_kappa": coefficient(formulas.conger_kappa, plain, low=LOWEST, as_agreement=True)}
    for ratings, distance in _weighted_ratings(units_of_all):
        units = UnitsByAnnotators(ratings, distance)
        figures[f"conger_kappa[{distance.id}]"] = coefficient(formulas.conger_kappa, units)
    return figures


def _weighted_ratings(units: UnitsOfAll) -> Iterator[tuple[UnitRatings, CategoryDistance]]:
    for distance in units.setting.distances:
        yield units.ratings, distance
    placed = weights_of(units.setting)
    rated = units.ratings.without(units.unplaced) if placed else units.ratings
    for distance in placed:
        yield rated, distance


def weighted_kappa(units: UnitsOfAll) -> Figures:
    """Return weighted kappa over all pairs with every distance and the computed one."""
    figures = {
        f"weighted_kappa[{distance.id}]": over_pairs.weighted_kappa(ratings.paired, distance)
        for ratings, distance in _weighted_ratings(units)
    }
    computed = computed_product(units.profiles.coincidences, max(units.profiles.units, 1))
    return figures | {"weighted_kappa[computed]": over_pairs.weighted_kappa(units.ratings.paired, computed)}


def light_kappa(units: UnitsOfAll) -> Figures:
    """Return Light's kappa, the mean of the pairs' Cohen kappas."""
    return {"light_kappa": over_pairs.as_agreements(over_pairs.light_kappa(units.ratings.paired))}


def siegel_castellan(units: UnitsOfAll) -> Figures:
    """Return GATE's all-way kappa, over the units that all annotators rated."""
    profiles = units.profiles.only(units.profiles.ratings == units.annotators)
    kappa = over_pairs.siegel_castellan(profiles, units.annotators)
    return {"siegel_castellan": over_pairs.as_agreements(kappa)}


def kappa_max(pair: UnitsOfPair) -> Figures:
    """Return the highest kappa that these margins allow (Cohen 1960, p. 42).

    (Σ min(p_k., p_.k) - A_e) / (1 - A_e); `observed` is the highest agreement. It is a ceiling and has
    no interval.
    """
    table = pair.table
    if table.units == 0:
        return {"kappa_max": no_estimate(Undefined.NO_UNITS, 0)}
    expected = float(pair.by_labels(pair.profiles, nominal(table.categories)).total.chance(FIRST, SECOND)[0])
    if expected <= 0:
        return {"kappa_max": no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, table.units)}
    highest = int(np.minimum(table.row_totals, table.column_totals).sum())
    least = (table.units - highest) / table.units
    shown = table.units, 1 - least, 1 - expected
    return {"kappa_max": Estimate(1 - least / expected, *shown, interval=NoInterval.MARGINS_ONLY)}


def _of_two_categories(
    name: str, by_cell: Callable[[Floats, Floats], Floats], *, of_agreement: bool = True
) -> Callable[[UnitsOfPair], Figures]:
    """Return what computes a mean over units, between -1 and 1, of whether each used the first category.

    Only where there are two categories (Byrt, Bishop and Carlin 1993). Without disagreement a figure
    `of_agreement` has no interval.
    """

    def compute(pair: UnitsOfPair) -> Figures:
        table, cells = pair.table, pair.table.cells
        if pair.categories != TWO:
            return {}
        if table.units == 0:
            return {name: no_estimate(Undefined.NO_UNITS, 0)}
        values = by_cell(*((codes == 0).astype(np.float64) for codes in (cells.row, cells.column)))
        mean = float((cells.value * values).sum()) / table.units
        disagreements = table.disagreements if of_agreement else table.units
        estimate = Estimate(mean, table.units)
        return {
            name: with_interval(
                estimate, values - mean, pair.profiles.clusters, (-1.0, 1.0), disagreements=disagreements
            )
        }

    return compute


# With a, b, c, d the cells of the table: (a - d) / n, (b - c) / n, and 2 A_o - 1 = (a + d - b - c) / n.
prevalence_index = _of_two_categories(
    "prevalence_index",
    lambda first, second: first * second - (1 - first) * (1 - second),
    of_agreement=False,
)
bias_index = _of_two_categories("bias_index", lambda first, second: first - second)
pabak = _of_two_categories("pabak", lambda first, second: 1 - 2 * (first - second) ** 2)
# Maxwell's RE of two categories is 2 A_o - 1: what PABAK is too (Maxwell 1977).
maxwell_re = _of_two_categories("maxwell_re", lambda first, second: 1 - 2 * (first - second) ** 2)


def bangdiwala_b(pair: UnitsOfPair) -> Figures:
    """Return Σ n_kk² / Σ n_k. n_.k: the agreeing area of the agreement chart beside the largest (1985).

    The influence of a unit in cell (j, k) is (2 p_jj [j = k] - B (p_.j + p_k.)) / Σ p_k. p_.k, the derivative
    by the table's shares; Gwet's irrCAC has the same standard error.
    """
    return {"bangdiwala_b": _bangdiwala_b(pair)}


def _bangdiwala_b(pair: UnitsOfPair) -> Estimate:
    table, cells = pair.table, pair.table.cells
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    if table.categories < TWO:
        return no_estimate(Undefined.ONE_CATEGORY, table.units)
    rows, columns = table.row_totals / table.units, table.column_totals / table.units
    same = table.agreements / table.units
    largest = float((rows * columns).sum())
    if largest <= 0:
        return no_estimate(Undefined.NO_SHARED_CATEGORY, table.units)
    seen = table.agreements * table.agreements < table.row_totals * table.column_totals
    if table.disagreements and not seen.any():
        return no_estimate(Undefined.DIFFER_UNSEEN, table.units)
    value = float((same * same).sum()) / largest
    agreeing = np.where(cells.row == cells.column, 2 * same[cells.row], 0.0)
    moved: Floats = agreeing - value * (columns[cells.row] + rows[cells.column])
    estimate, clusters = Estimate(value, table.units), pair.profiles.clusters
    return with_interval(estimate, moved / largest, clusters, (0.0, 1.0), disagreements=table.disagreements)


def specific_of_pair(table: ContingencyTable) -> Estimate:
    """Return 2a / (2a + b + c) of the first category: given that one used it, how often the other did too."""
    pair = UnitsOfPair(table, Setting())
    return _with_reason(pair, figures_of_sums.specific_agreement(pair.profiles, 0))


# Ratings that are numbers.


def _figure_of_numbers(
    figure: Callable[[Profiles, Floats], Estimate], name: str
) -> Callable[[Units], dict[str, Estimate]]:
    """Return what computes a figure of numbers under its id."""

    def compute(units: Units) -> dict[str, Estimate]:
        values = units.setting.values
        if values is None:
            return {}
        return {name: figure(units.complete, values) if units.complete.units >= TWO else units.too_few()}

    return compute


icc_a1_of = _figure_of_numbers(icc_a1, "icc_a1")
icc_c1_of = _figure_of_numbers(icc_c1, "icc_c1")
w_of = _figure_of_numbers(kendall_w, "kendall_w")


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
    few = units.complete.units < TWO
    return {
        "finn_r": one_way,
        TWO_WAY: units.too_few() if few else finn_two_way(units.complete, units.points),
    }


# One category against all others, for any number of annotators: Fleiss' kappa and alpha of each.


def each_against_rest(rated: Profiles) -> tuple[dict[str, Estimate], ...]:
    """Return Fleiss' kappa and Krippendorff's alpha of each category against all others.

    `rated` are all units with a rating. With two categories there is nothing new, and nothing is returned.
    (Fleiss 1971, by category; Gwet 2014 with missing ratings; for two annotators Agresti 1992.)
    """
    if rated.categories <= TWO:
        return ()
    return categories_of(rated).compute_all(lambda category: one_against_rest(one_category(rated, category)))


def one_against_rest(rated: Profiles) -> dict[str, Estimate]:
    """Return Fleiss' kappa and alpha of one category (code 0) against whatever else there is."""
    units = int(rated.times[rated.ratings >= PAIR].sum())
    if units == 0 or not (rated.labels == 0).any():
        reason = Undefined.NOT_USED if units else Undefined.NO_SHARED_UNITS
        return dict.fromkeys(("fleiss_kappa", "krippendorff_alpha"), no_estimate(reason, units))
    by_labels = UnitsByLabels(rated, nominal(TWO))
    figures = {
        "fleiss_kappa": coefficient(formulas.fleiss_kappa, by_labels, low=LOWEST, as_agreement=True),
        "krippendorff_alpha": coefficient(formulas.krippendorff_alpha, by_labels, low=LOWEST),
    }
    # Differences of these are not tested, and what that takes of thousands of categories fills the memory.
    return {name: without_spread(undefined_of_one(estimate)) for name, estimate in figures.items()}


# Is Fleiss' kappa more than 0? The one standard error that is of no use for anything else.


def null_test(profiles: Profiles) -> NullTest | None:
    """Return the test that Fleiss' kappa is 0 (Fleiss, Nee and Landis 1979).

    Only where every unit has as many ratings, and chance gives disagreement; None elsewhere.
    """
    ratings = np.unique(profiles.ratings)
    totals = profiles.totals
    if len(ratings) != 1 or np.count_nonzero(totals) <= 1:
        return None
    # Var = 2 [(Σ p q)² - Σ p q (q - p)] / ((Σ p q)² n m (m - 1)), q = 1 - p, m ratings of each of n units.
    m, units = int(ratings[0]), profiles.units
    shares = totals / (units * m)
    apart = shares * (1 - shares)
    total = float(apart.sum())
    variance = 2 * (total * total - float((apart * (1 - 2 * shares)).sum())) / (total * total)
    error = math.sqrt(variance / (units * m * (m - 1)))
    split = profiles.mean_distance(nominal(profiles.categories))
    z = (1 - float((split * profiles.times).sum()) / units / total) / error
    return NullTest(standard_error=error, z=z, p=math.erfc(abs(z) / math.sqrt(2)))
