"""All figures of one unit set: of every pair of annotators, of all together, and means over documents."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE, Measure, ids_with, measure_of
from reportgen.counts import ContingencyTable, Counts, count, pair_tables
from reportgen.measures import distances, formulas
from reportgen.measures.coefficients import (
    each_against_rest,
    figures_of,
    observed,
    one_against_rest,
    specific_of_pair,
)
from reportgen.measures.distances import (
    CategoryDistance,
    coincidence_tables,
    coincidences_of_two,
    nominal,
)
from reportgen.measures.estimate import (
    LOWEST,
    Clusters,
    Estimate,
    Floats,
    Undefined,
    macro_figure,
    no_estimate,
    with_interval,
    without_spread,
)
from reportgen.measures.figures_of_sums import (
    UnitsByLabels,
    by_document,
    observed_agreement,
    specific_agreement,
)
from reportgen.measures.finn import CONTINUOUS
from reportgen.measures.named import formula_of, function_named
from reportgen.measures.over_pairs import each_against_majority
from reportgen.measures.profiles import (
    Profiles,
    categories_of,
    categories_of_pair,
    one_category,
    without,
)
from reportgen.measures.ratings_by_unit import OBSERVED, PairFigures, mean_of, pair_figures, table_cells
from reportgen.measures.sets import chosen_by_many, judged, labels_of, table_against_rest
from reportgen.measures.size_curve import size_curve, size_curve_of_many
from reportgen.measures.unit_set_data import Setting, Units, UnitsOfAll, UnitsOfPair
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Mean, SizeCurve, SymmetryTest
from reportgen.results.marks import MacroFigure
from reportgen.units import NO_CATEGORY, CodedUnits

TESTS = ids_with(lambda measure: measure.kind == "test")
MOST_ANNOTATORS = 50
# Of the tables of all pairs, the categories that a pair used counted: with more they would fill the memory.
MOST_CELLS = 500_000


@dataclass(frozen=True, eq=False)
class PairAgreement:
    """What two annotators' table shows.

    `specific` has an estimate for each category; `against_rest` the indices and kappa of each category
    against all others (empty with two categories, whose figures they would be). Where categories are sets,
    both are of the labels in these, each chosen or not.
    """

    table: ContingencyTable
    measures: Mapping[str, Estimate]
    specific: tuple[Estimate, ...]
    against_rest: tuple[Mapping[str, Estimate], ...]
    tests: Mapping[str, SymmetryTest]
    curve: SizeCurve | None

    def tables(self, codes: Codes) -> dict[str, Floats]:
        """Return the probabilities and distances computed from how some categories meet, by name.

        They are made when asked for: those of thousands of pairs would fill the memory.
        """
        return coincidence_tables(coincidences_of_two(self.table), codes)


@dataclass(frozen=True, eq=False)
class UnitSetAgreement:
    """All figures of one unit set.

    `pairs` are those that share a unit; of two annotators there always is one. With more than 50
    annotators, or tables of more than 500,000 cells, it is empty, and `pair_figures` has what is known of
    every pair. `whole` is what all figures come from, for what is computed of them only where it is shown.
    `against_rest` has Fleiss' kappa and alpha of each of more than two categories, `against_majority` how
    often each of more than two and at most 50 annotators says what most others say. `curve` has figures of
    all annotators by the number of units. `specific` and `against_rest` are of what `judged` names.
    """

    whole: UnitsOfAll
    measures: Mapping[str, Estimate]
    mean_over_pairs: Mapping[str, Mean]
    specific: tuple[Estimate, ...]
    pairs: tuple[PairAgreement, ...]
    pair_figures: PairFigures | None = None
    against_rest: tuple[Mapping[str, Estimate], ...] = ()
    against_majority: tuple[Estimate, ...] = ()
    curve: SizeCurve | None = None

    @property
    def units(self) -> CodedUnits:
        """Return the units."""
        return self.whole.units

    @property
    def judged(self) -> tuple[str, ...]:
        """Return what specific agreement is of: the categories, or of sets the labels in them."""
        return judged(self.units)


def analyse(
    units: CodedUnits, counts: Counts, setting: Setting, sizes: Sequence[int] = ()
) -> UnitSetAgreement:
    """Return every figure of a unit set; `sizes` are other declared sizes to show on the size curve."""
    units_of_all = UnitsOfAll(units, counts, setting)
    overall, against_rest = (
        _figures(units_of_all),
        _rest_of_all(units_of_all),
    )
    if units_of_all.annotators == 2:
        pair = analyse_pair(units_of_all.pair.table, setting, sizes, with_spread=True)
        own = _with_wider(overall, pair.measures)
        pair = replace(pair, measures=own)
        figures = overall | own, _mean_over_pairs([pair]), pair.specific
        return UnitSetAgreement(units_of_all, *figures, (pair,), against_rest=against_rest, curve=pair.curve)
    many = units_of_all.annotators > MOST_ANNOTATORS
    crowded = many or table_cells(counts.pairs, units_of_all.categories) > MOST_CELLS
    crowd = pair_figures(counts.pairs_in_all, units_of_all.categories) if crowded else None
    tables = () if crowd else pair_tables(counts.pairs, units_of_all.categories)
    pairs = tuple(analyse_pair(table, setting) for table in tables)
    means = _means_of_crowd(crowd) if crowd else _mean_over_pairs(pairs)
    nameless = many or units.unnamed
    majority = () if nameless else each_against_majority(units_of_all.ratings, units_of_all.against_others)
    curve = size_curve_of_many(units_of_all, sizes)
    return UnitSetAgreement(
        units_of_all,
        overall,
        means,
        specific_of_all(units_of_all),
        pairs,
        crowd,
        against_rest,
        majority,
        curve,
    )


def specific_of_all(units: UnitsOfAll) -> tuple[Estimate, ...]:
    """Return specific agreement of any number of annotators by category, of sets by label."""
    compute = specific_of(units)
    if units.setting.sets is None:
        return categories_of(units.profiles).compute_all(compute)
    return tuple(compute(code) for code in range(len(labels_of(units.setting.sets).names)))


def specific_of(units: UnitsOfAll) -> Callable[[int], Estimate]:
    """Return what gives the specific agreement of a category, of sets of a label, with what moves it.

    Of thousands of categories what moves each would fill the memory, were it kept.
    """
    sets = units.setting.sets
    if units.annotators == 2:
        table = units.pair.table
        return lambda code: specific_of_pair(table_against_rest(table, code, sets))
    profiles = units.profiles
    if sets is None:
        return lambda code: specific_agreement(one_category(profiles, code), 0)
    holders = labels_of(sets).holders
    return lambda code: specific_agreement(chosen_by_many(profiles, holders[code]), 0)


def _rest_of_all(units: UnitsOfAll) -> tuple[dict[str, Estimate], ...]:
    """Return the figures of each category against all others, of sets of each label, chosen or not."""
    if units.setting.sets is None:
        return each_against_rest(units.rated)
    return tuple(
        {
            OBSERVED: observed_agreement(chosen_by_many(units.profiles, holders)),
            **one_against_rest(chosen_by_many(units.rated, holders)),
        }
        for holders in labels_of(units.setting.sets).holders
    )


def rated_twice(agreement: UnitSetAgreement) -> dict[str, Estimate]:
    """Return the figures in which units with one rating count, over the units with two ratings or more alone.

    Chance agreement then comes from the units that observed agreement comes from. Empty where all have two.
    """
    units, whole = agreement.units, agreement.whole
    raters = np.bincount(units.unit, minlength=len(units.unit_weight))
    if not ((raters == 1) & (units.unit_weight != 0)).any():
        return {}
    chosen = raters[units.unit] > 1
    ratings = {name: getattr(units, name)[chosen] for name in ("unit", "annotator", "label")}
    kept = replace(units, **ratings)
    without_others = UnitsOfAll(kept, count(kept), whole.setting)
    figures: dict[str, Estimate] = {}
    for measure in CATALOGUE:
        if measure.single_ratings and whole.setting.scale in measure.scales:
            figures |= figures_of(measure, without_others)
    return {name: figures[name] for name in agreement.measures if name in figures}


def _with_wider(overall: Mapping[str, Estimate], own: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return a pair's figures, those in which units count that one alone rated taken from `overall`."""
    wider = {name: estimate for name, estimate in overall.items() if measure_of(name).single_ratings}
    return {name: wider.get(name, estimate) for name, estimate in own.items()}


def measures_of(units: UnitsOfAll, only: str = "") -> dict[str, Estimate]:
    """Return the figures of all annotators together alone; of two annotators they are those of the pair.

    `only` names the figure that is wanted, with which there are those of its measure.
    """
    measures = (measure_of(only),) if only else CATALOGUE
    overall = _figures(units, measures)
    if units.annotators != 2:
        return overall
    return overall | _with_wider(overall, _figures(units.pair, measures))


def analyse_pair(
    table: ContingencyTable, setting: Setting, sizes: Sequence[int] = (), *, with_spread: bool = False
) -> PairAgreement:
    """Return every figure of two annotators, as a report shows it: differences are tested elsewhere.

    What moves them is kept `with_spread`: plans are made of it, which those of all pairs do not have.
    """
    specific, against_rest = _by_category(table, setting)
    measures = pair_measures(UnitsOfPair(table, setting))
    return PairAgreement(
        table=table,
        measures=measures if with_spread else _shown(measures),
        specific=specific,
        against_rest=against_rest,
        tests=_tests(table, setting),
        curve=_curve(table, setting, sizes),
    )


def pair_measures(pair: UnitsOfPair) -> dict[str, Estimate]:
    """Return every figure of the catalogue that two annotators have, under its full id."""
    return _figures(pair)


def _figures(units: Units, measures: Sequence[Measure] = CATALOGUE) -> dict[str, Estimate]:
    """Return every figure of some measures that these units have on their scale."""
    figures: dict[str, Estimate] = {}
    for measure in measures:
        if units.setting.scale in measure.scales:
            figures |= figures_of(measure, units)
    return figures


# The specific agreement of a category, and its figures against all others.
OfCategory = tuple[Estimate, Mapping[str, Estimate]]


def _by_category(
    table: ContingencyTable, setting: Setting
) -> tuple[tuple[Estimate, ...], tuple[Mapping[str, Estimate], ...]]:
    """Return each category's specific agreement, and of more than two its figures against all others.

    Of sets these are of the labels in them.
    """
    has_rest = setting.sets is not None or table.categories > 2

    def of_table(one: ContingencyTable) -> OfCategory:
        units = UnitsOfPair(one, Setting())
        against_rest = {} if setting.sets is None else observed(units)
        for measure in CATALOGUE if has_rest else ():
            if "pair" in measure.against_rest:
                against_rest |= figures_of(measure, units)
        return without_spread(specific_of_pair(units.table)), _shown(against_rest)

    if setting.sets is None:
        by_category = categories_of_pair(table).compute_all(
            lambda code: of_table(table_against_rest(table, code, None))
        )
    else:
        by_category = _each_once(
            (
                table_against_rest(table, code, setting.sets)
                for code in range(len(labels_of(setting.sets).names))
            ),
            of_table,
        )
    specific = tuple(agreement for agreement, _ in by_category)
    return specific, tuple(against_rest for _, against_rest in by_category) if has_rest else ()


def _each_once(
    tables: Iterable[ContingencyTable], compute: Callable[[ContingencyTable], OfCategory]
) -> tuple[OfCategory, ...]:
    """Return what is computed of tables of the same units, once for all that are the same.

    Two annotators gave the units that they share a few of hundreds of labels: the tables of all others are
    the same.
    """
    results: dict[bytes, OfCategory] = {}
    keys = []
    for table in tables:
        keys.append(table.row.tobytes() + table.column.tobytes())
        if keys[-1] not in results:
            results[keys[-1]] = compute(table)
    return tuple(results[key] for key in keys)


def _shown(figures: Mapping[str, Estimate]) -> dict[str, Estimate]:
    return {name: without_spread(estimate) for name, estimate in figures.items()}


def _tests(table: ContingencyTable, setting: Setting) -> dict[str, SymmetryTest]:
    """Return the tests of symmetry, by their ids."""
    tests = {name: function_named(f"symmetry.{name}")(table, setting) for name in TESTS}
    return {name: test for name, test in tests.items() if test}


def _curve(table: ContingencyTable, setting: Setting, sizes: Sequence[int]) -> SizeCurve | None:
    if setting.non_annotated == NO_CATEGORY or table.categories < 2 or table.units == 0:
        return None
    points = setting.scale not in CONTINUOUS
    return size_curve(table, setting.non_annotated, setting.fixed_distances, sizes, points=points)


def _mean_over_pairs(pairs: Sequence[PairAgreement]) -> dict[str, Mean]:
    names = dict.fromkeys(name for pair in pairs for name in pair.measures)
    means: dict[str, Mean] = {}
    for name in names:
        figures = [pair.measures[name].value for pair in pairs if name in pair.measures]
        values = [value for value in figures if value is not None]
        if values:
            means[name] = Mean(value=fmean(values), pairs=len(values))
    return means


def _means_of_crowd(figures: PairFigures) -> dict[str, Mean]:
    """Return the means over the pairs of a crowd."""
    means = {name: mean_of(values) for name, values in figures.by_id.items() if not np.isnan(values).all()}
    return {name: Mean(value=value, pairs=pairs) for name, (value, pairs) in means.items()}


# Figures of single documents, and their means: macro beside the pooled figures.
#
# GATE user guide, 10.1.2 and 10.1.4: a mean over documents gives a short document the weight of a long one.
# Each figure is an array (documents,), NaN where it is undefined in the document.

OF_SCALE: Mapping[str, Callable[[Floats], CategoryDistance]] = {
    "ordinal": lambda values: nominal(len(values)),  # ranks are each document's own
    "interval": distances.interval,
    "ratio": distances.ratio,
}


def over_documents(units: UnitsOfAll) -> dict[str, MacroFigure]:
    """Return the mean over documents of each figure that has one; none where no single document is known.

    The documents are those in which two annotators rated a unit. `units` of an estimate is how many the mean
    is over, and `left_out` in how many more the figure is undefined.
    """
    if units.units.grouped:
        return {}
    return {name: _macro(values, low) for name, values, low in figures_by_document(units)}


def _in_documents(documents: Codes, profiles: Profiles) -> Profiles:
    """Return the units of some documents, numbered by their places among these sorted ones."""
    position = np.minimum(np.searchsorted(documents, profiles.document), len(documents) - 1)
    here = documents[position] == profiles.document
    return replace(profiles, document=position[here], profile=profiles.profile[here], n=profiles.n[here])


def figures_by_document(units_of_all: UnitsOfAll) -> Iterator[tuple[str, Floats, float]]:
    """Yield each figure with its id, its value in every document, and the least that it can be.

    A coefficient of one unit alone is undefined, as everywhere.
    """
    paired, size = units_of_all.profiles.document, units_of_all.categories
    documents = np.unique(paired[paired != NO_DOCUMENT])
    if not len(documents):
        return
    shared, rated = (
        _in_documents(documents, units_of_all.profiles),
        _in_documents(documents, units_of_all.rated),
    )
    for measure in CATALOGUE:
        formula = formula_of(measure) if measure.over_documents else None
        if formula is None or (formula.any_category and size < 2):
            continue
        profiles = rated if measure.single_ratings else shared
        if not measure.all:
            if units_of_all.annotators != 2:
                continue
            profiles = _in_documents(documents, units_of_all.pair.profiles)
        values, units = by_document(formula, UnitsByLabels(profiles, nominal(size)), len(documents))
        if measure.kind == "share":
            yield measure.id, values, 0.0
        else:
            yield measure.id, np.where(units > 1, values, np.nan), LOWEST
    scale, numbers = units_of_all.setting.scale, units_of_all.setting.values
    if numbers is not None:
        placed = without(shared, units_of_all.setting.non_annotated)
        by_labels = UnitsByLabels(placed, OF_SCALE[scale](numbers[: placed.categories]))
        ordinal = scale == "ordinal"
        alpha, units = by_document(formulas.krippendorff_alpha, by_labels, len(documents), ranks=ordinal)
        yield f"krippendorff_alpha[{scale}]", np.where(units > 1, alpha, np.nan), -math.inf


def _macro(values: Floats, low: float) -> MacroFigure:
    """Return the mean of the values that are defined; its interval comes from how these vary (t, G - 1)."""
    defined = values[~np.isnan(values)]
    left_out = len(values) - len(defined)
    if len(defined) == 0:
        return macro_figure(no_estimate(Undefined.NO_DOCUMENT_DEFINED, 0), left_out)
    mean = math.fsum(defined.tolist()) / len(defined)
    clusters = Clusters.of_documents(len(defined))
    estimate = Estimate(mean, len(defined))
    imperfect = int((defined < 1).sum())
    return macro_figure(
        with_interval(estimate, defined - mean, clusters, (low, 1.0), disagreements=imperfect, least=LOWEST),
        left_out,
    )
