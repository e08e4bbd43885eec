"""Every coefficient under its full id, of two annotators or of all together: what the catalogue computes."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from reportgen.catalogue import CATALOGUE, Form, Measure, forms_of
from reportgen.counts import ContingencyTable
from reportgen.measures import figures_of_sums, formulas
from reportgen.measures.distances import CategoryDistance, Nominal, computed_mean, computed_product, nominal
from reportgen.measures.estimate import (
    Estimate,
    Floats,
    NoInterval,
    Undefined,
    no_estimate,
    with_interval,
    without_spread,
)
from reportgen.measures.figures_of_sums import UnitsByAnnotators, UnitsByLabels, coefficient
from reportgen.measures.formulas import FIRST, SECOND, Formula, formula_of, function_named
from reportgen.measures.unit_profiles import LabelPatterns, UnitRatings, categories_of, one_category
from reportgen.measures.unit_set_data import (
    ScaleSetting,
    Units,
    UnitsOfAll,
    UnitsOfPair,
    scale_distances,
    weights_of,
)
from reportgen.results.unit_sets import NullTest

ALPHA = "krippendorff_alpha"
Figures = dict[str, Estimate]
# What takes all labels of a unit, not pairs of them.
OF_WHOLE_UNITS = frozenset(
    ("coefficients.unanimous", "coefficients.majority_agreement", "coefficients.siegel_castellan")
)
# What is computed of every two annotators' table.
OVER_PAIRS = frozenset(("coefficients.light_kappa", "coefficients.weighted_kappa"))
# Units of which sums are made: by their labels, or by who gave them.
Kinds = LabelPatterns | UnitRatings


def figures_of(measure: Measure, units: Units) -> Figures:
    """Return every figure that a measure has of a pair, or of all annotators, under its full id.

    A coefficient of one unit alone is undefined. Where chance is taken from the ratings, those of one unit
    are all that it is taken from: kappa and alpha are then 0 whatever the labels are, and pi is -1. One
    unit does not show how annotators label others.
    """
    of_two = isinstance(units, UnitsOfPair)
    forms, name = (measure.pair, measure.for_pair) if of_two else (measure.all, measure.for_all)
    if not forms:
        return {}
    if isinstance(units, UnitsOfAll) and (reason := _not_counted(units, measure)):
        declared = [distance.id for distance in units.setting.distances]
        ids = forms_of(measure.id, units.setting.scale, declared)
        return dict.fromkeys(ids, no_estimate(reason, units.profiles.units))
    figures: Figures = function_named(name)(units) if name else _by_formula(measure, forms, units)
    if measure.kind not in {"coefficient", "ceiling"}:
        return figures
    return {name: undefined_of_one(estimate) for name, estimate in figures.items()}


def _not_counted(whole: UnitsOfAll, measure: Measure) -> Undefined | None:
    """Return why counts do not give a figure of all annotators, None where they do."""
    units = whole.units
    if units.margins is not None and _is_of_people(measure):
        return Undefined.UNNAMED
    if whole.counts.too_many_pairs and measure.for_all in OVER_PAIRS:
        return Undefined.MANY_PAIRS
    return Undefined.SUMMED if units.sums_only and measure.for_all in OF_WHOLE_UNITS else None


def _is_of_people(measure: Measure) -> bool:
    """Tell whether a figure of all annotators comes from who gave which label to which unit."""
    if measure.for_all:
        return measure.for_all in OVER_PAIRS
    return formula_of(measure).by_annotators


def undefined_of_one(estimate: Estimate) -> Estimate:
    """Return a figure, undefined where it is of one unit alone."""
    alone = estimate.value is not None and estimate.units == 1
    return no_estimate(Undefined.ONE_UNIT, 1) if alone else estimate


def _by_formula(measure: Measure, forms: Sequence[Form], units: Units) -> Figures:
    """Return what sums give: the bare figure, one for each weight of the scale, and the computed one."""
    formula, figures = formula_of(measure), Figures()
    kinds: Kinds = units.rated if measure.single_ratings else units.profiles
    if isinstance(units, UnitsOfAll) and formula.by_annotators:
        kinds = units.ratings
    if "plain" in forms:
        figures[measure.id] = _figure(units, formula, kinds, nominal(units.categories))
    for placed, distance in _distances_placed(units, kinds) if "weights" in forms else ():
        figures[f"{measure.id}[{distance.id}]"] = _figure(units, formula, placed, distance)
    if "computed" in forms:
        computed = computed_product(units.profiles.coincidences, units.profiles.units)
        figures[f"{measure.id}[computed]"] = _figure(units, formula, kinds, computed)
    return figures


def _figure(units: Units, formula: Formula, kinds: Kinds, distance: CategoryDistance) -> Estimate:
    """Return a coefficient under a distance; where it is scaled, with the distance at which weights are 0."""
    if isinstance(kinds, UnitRatings):
        figure = coefficient(formula, UnitsByAnnotators(kinds, distance))
    else:
        figure = _with_reason(units, coefficient(formula, units.by_labels(kinds, distance)))
    weighted = formula.scaled and not isinstance(distance, Nominal) and figure.value is not None
    return replace(figure, farthest=distance.largest) if weighted else figure


def _distances_placed(units: Units, kinds: Kinds) -> Iterator[tuple[Kinds, CategoryDistance]]:
    """Yield every distance of the study with the units that it can place."""
    yield from ((kinds, distance) for distance in units.setting.distances)
    if weights := weights_of(units.setting):
        placed = kinds.without(units.unplaced) if isinstance(kinds, UnitRatings) else units.placed(kinds)
        yield from ((placed, distance) for distance in weights)


def _with_reason(units: Units, figure: Estimate) -> Estimate:
    """Return a figure; where no unit was rated by two, with the reason as it is said of these annotators."""
    nothing = figure.undefined is Undefined.NO_SHARED_UNITS
    return replace(figure, undefined=units.nothing) if nothing else figure


# What sums do not give, and alpha, whose distances come from the ratings.


def observed(units: Units) -> Figures:
    """Return observed agreement, the mean over units of the agreeing share of pairs."""
    return {"observed_agreement": _with_reason(units, figures_of_sums.observed_agreement(units.profiles))}


def unanimous(units: UnitsOfAll) -> Figures:
    """Return the share of units on which all ratings are the same."""
    return {"unanimous_agreement": figures_of_sums.unanimous(units.profiles)}


def majority_agreement(units: UnitsOfAll) -> Figures:
    """Return how often an annotator says what most of the others say."""
    return {"majority_agreement": figures_of_sums.share(units.ratings, units.against_others)}


def krippendorff_alpha(units: Units) -> Figures:
    """Return nominal alpha, and with every declared distance, the computed one and those of the scale."""
    profiles, rated = units.profiles, units.placed(units.profiles)
    mean_ratings = int(rated.totals.sum()) / max(rated.units, 1)
    distances = [
        (profiles, nominal(profiles.categories)),
        *((profiles, distance) for distance in units.setting.distances),
        *((rated, distance) for distance in scale_distances(rated.totals, units.setting, mean_ratings)),
        (profiles, computed_mean(profiles.coincidences, max(profiles.units, 1))),
    ]
    return {
        ALPHA if isinstance(distance, Nominal) else f"{ALPHA}[{distance.id}]": _figure(
            units, formulas.krippendorff_alpha, kinds, distance
        )
        for kinds, distance in distances
    }


def weighted_kappa(units: UnitsOfAll) -> Figures:
    """Return weighted kappa over all pairs with every distance and the computed one."""
    computed = computed_product(units.profiles.coincidences, max(units.profiles.units, 1))
    ratings, weights = units.ratings, weights_of(units.setting)
    placed = ratings.without(units.unplaced) if weights else ratings
    distances = (
        *((ratings, distance) for distance in units.setting.distances),
        *((placed, distance) for distance in weights),
        (ratings, computed),
    )
    return {
        f"weighted_kappa[{distance.id}]": figures_of_sums.weighted_kappa(rated.paired, distance)
        for rated, distance in distances
    }


def light_kappa(units: UnitsOfAll) -> Figures:
    """Return Light's kappa, the mean of the pairs' Cohen kappas."""
    return {"light_kappa": figures_of_sums.as_agreements(figures_of_sums.light_kappa(units.ratings.paired))}


def siegel_castellan(units: UnitsOfAll) -> Figures:
    """Return GATE's all-way kappa, over the units that all annotators rated."""
    profiles = units.profiles.only(units.profiles.ratings == units.annotators)
    kappa = figures_of_sums.siegel_castellan(profiles, units.annotators)
    return {"siegel_castellan": figures_of_sums.as_agreements(kappa)}


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
        if pair.categories != 2:
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
    if table.categories < 2:
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
    pair = UnitsOfPair(table, ScaleSetting())
    return _with_reason(pair, figures_of_sums.specific_agreement(pair.profiles, 0))


# One category against all others, for any number of annotators: Fleiss' kappa and alpha of each.


def each_against_rest(rated: LabelPatterns) -> tuple[dict[str, Estimate], ...]:
    """Return Fleiss' kappa and Krippendorff's alpha of each category against all others.

    `rated` are all units with a rating. With two categories there is nothing new, and nothing is returned.
    (Fleiss 1971, by category; Gwet 2014 with missing ratings; for two annotators Agresti 1992.)
    """
    if rated.categories <= 2:
        return ()
    return categories_of(rated).compute_all(lambda category: one_against_rest(one_category(rated, category)))


def one_against_rest(rated: LabelPatterns) -> dict[str, Estimate]:
    """Return Fleiss' kappa and alpha of one category (code 0) against whatever else there is."""
    units = int(rated.times[rated.ratings >= 2].sum())
    measures = [measure for measure in CATALOGUE if "all" in measure.against_rest]
    if units == 0 or not (rated.labels == 0).any():
        reason = Undefined.NOT_USED if units else Undefined.NO_SHARED_UNITS
        return dict.fromkeys((measure.id for measure in measures), no_estimate(reason, units))
    by_labels = UnitsByLabels(rated, nominal(2))
    figures = {measure.id: coefficient(formula_of(measure), by_labels) for measure in measures}
    # Differences of these are not tested, and what that takes of thousands of categories fills the memory.
    return {name: without_spread(undefined_of_one(estimate)) for name, estimate in figures.items()}


# Is Fleiss' kappa more than 0? The one standard error that is of no use for anything else.


def null_test(profiles: LabelPatterns) -> NullTest | None:
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
