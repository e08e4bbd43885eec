"""All figures of one unit set, as results.json has them: of pairs, of all together, and of each document.

GATE's *Document by document* (chapter 10, classification measures): each document judged by itself. With
more than two annotators a document's coefficients are the means over its pairs. Cohen's kappa (1960) and
Scott's pi (1955) of a document: (A_o - A_e) / (1 - A_e), A_e from the margins of the pair in this document.
Labels that somebody gave to few units are withheld: a table of people would tell who it was.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE, Measure, ids_with, measure_of
from reportgen.counts import ContingencyTable, Counts, PairCounts, count, pair_tables, tally
from reportgen.measures import distances, formulas
from reportgen.measures.coefficients import (
    each_against_rest,
    figures_of,
    null_test,
    observed,
    one_against_rest,
    specific_of_pair,
)
from reportgen.measures.complete_ratings import CONTINUOUS
from reportgen.measures.distances import (
    CategoryDistance,
    coincidence_tables,
    coincidences_of_two,
    computed_mean,
    computed_product,
    conditional_probabilities,
    nominal,
)
from reportgen.measures.estimate import (
    LOWEST,
    Clusters,
    Estimate,
    Floats,
    Undefined,
    figure,
    figures_by_category,
    figures_by_name,
    macro_figure,
    no_estimate,
    with_interval,
    without_spread,
)
from reportgen.measures.figures_of_sums import (
    UnitsByLabels,
    by_document,
    each_against_majority,
    observed_agreement,
    specific_agreement,
)
from reportgen.measures.formulas import formula_of, function_named
from reportgen.measures.sets import (
    chosen_by_many,
    judged,
    label_counts,
    labels_of,
    sets_compared,
    table_against_rest,
    used_of_two,
)
from reportgen.measures.size_curve import size_curve, size_curve_of_many
from reportgen.measures.standard_errors import bands, plan
from reportgen.measures.thresholds import MOST_ANNOTATORS
from reportgen.measures.unit_profiles import (
    OBSERVED,
    LabelPatterns,
    PairFigures,
    categories_of,
    categories_of_pair,
    mean_of,
    one_category,
    pair_figures,
    table_cells,
    without,
)
from reportgen.measures.unit_set_data import ScaleSetting, Units, UnitsOfAll, UnitsOfPair
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import (
    Candidates,
    Confusion,
    Distances,
    Mean,
    Pair,
    SizeCurve,
    SymmetryTest,
    UnitSet,
    UnitSetMarks,
)
from reportgen.results.marks import MacroFigure
from reportgen.results.model import csv_text
from reportgen.results.parts import Withheld
from reportgen.results.unit_sets import MOST_CELLS as MOST_CELLS_LISTED
from reportgen.results.unit_sets import (
    AgreementByDocument,
    Coincidences,
    DocumentAgreement,
    DocumentCell,
    LabelCounts,
)
from reportgen.units import NO_CATEGORY, CodedUnits, LayerUnits, Mask
from reportgen.units.labels import as_rows, sums_by

TESTS = ids_with(lambda measure: measure.kind == "test")
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
    every pair, None of more than 1,000,000. `whole` is what all figures come from, for what is computed of
    them only where it is shown.
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
    units: CodedUnits, counts: Counts, setting: ScaleSetting, sizes: Sequence[int] = ()
) -> UnitSetAgreement:
    """Return every figure of a unit set; `sizes` are other declared sizes to show on the size curve."""
    units_of_all = UnitsOfAll(units, counts, setting)
    overall, against_rest = _figures(units_of_all), _rest_of_all(units_of_all)
    if units_of_all.annotators == 2:
        pair = analyse_pair(units_of_all.pair.table, setting, sizes, with_spread=True)
        own = _with_wider(overall, pair.measures)
        pair = replace(pair, measures=own)
        figures = overall | own, _mean_over_pairs([pair]), pair.specific
        return UnitSetAgreement(units_of_all, *figures, (pair,), against_rest=against_rest, curve=pair.curve)
    many = units_of_all.annotators > MOST_ANNOTATORS
    crowded = many or table_cells(counts.pairs, units_of_all.categories) > MOST_CELLS
    is_counted = crowded and not counts.too_many_pairs
    crowd = pair_figures(counts.pairs_in_all, units_of_all.categories) if is_counted else None
    tables = () if crowded else pair_tables(counts.pairs, units_of_all.categories)
    pairs = tuple(analyse_pair(table, setting) for table in tables)
    means = _means_of_crowd(crowd) if crowd else _mean_over_pairs(pairs)
    nameless = many or units.margins is not None
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
    if not ((units.per_unit == 1) & (units.weight != 0)).any():
        return {}
    kept = units.where(units.per_unit[units.unit] > 1)
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
    table: ContingencyTable, setting: ScaleSetting, sizes: Sequence[int] = (), *, with_spread: bool = False
) -> PairAgreement:
    """Return every figure of two annotators, as a report shows it: differences are tested elsewhere.

    What moves them is kept `with_spread`: plans are made of it, which those of all pairs do not have.
    """
    specific, against_rest = _by_category(table, setting)
    measures = pair_measures(UnitsOfPair(table, setting))
    tests = {name: function_named(f"significance_tests.{name}")(table, setting) for name in TESTS}
    return PairAgreement(
        table=table,
        measures=measures if with_spread else _shown(measures),
        specific=specific,
        against_rest=against_rest,
        tests={name: test for name, test in tests.items() if test},
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
    table: ContingencyTable, setting: ScaleSetting
) -> tuple[tuple[Estimate, ...], tuple[Mapping[str, Estimate], ...]]:
    """Return each category's specific agreement, and of more than two its figures against all others.

    Of sets these are of the labels in them.
    """
    has_rest = setting.sets is not None or table.categories > 2

    def of_table(one: ContingencyTable) -> OfCategory:
        units = UnitsOfPair(one, ScaleSetting())
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


def _curve(table: ContingencyTable, setting: ScaleSetting, sizes: Sequence[int]) -> SizeCurve | None:
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


def _in_documents(documents: Codes, profiles: LabelPatterns) -> LabelPatterns:
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
        _in_documents(documents, profiles) for profiles in (units_of_all.profiles, units_of_all.rated)
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


# Results have so many documents, the worst first; with very many groups of labels nothing is computed.
LEAST_DOCUMENTS, MOST_DOCUMENTS, MOST_GROUPS = 2, 100, 5_000_000
# Cells of a document are listed where so many categories, at most, are used.
MOST_CATEGORIES_BY_DOCUMENT = 12


def cells_by_document(
    units: CodedUnits, pairs: PairCounts, smallest: int, compared: tuple[str, str] | None = None
) -> AgreementByDocument | None:
    """Return agreement in each document of a unit set, the worst first; None where fewer than two are known.

    `pairs` are those of annotators, or of the two that are `compared`, the key first. Matrices of
    documents are left out where somebody gave a label to fewer than `smallest` units.
    """
    known = pairs.document != NO_DOCUMENT
    size, together = len(units.categories), units.grouped or units.sums_only
    if together or not known.any() or size * len(pairs.starts) * len(units.documents) > MOST_GROUPS:
        return None
    (document, first, second), n = tally(
        [pairs.document[known], pairs.first[known], pairs.second[known]], pairs.n[known]
    )
    group = _group_of(pairs, known, (document, first, second), len(units.annotators))
    agreed, kappa, pi = _of_groups(pairs, known, group, n, size)
    documents, place = np.unique(document, return_inverse=True)
    if len(documents) < LEAST_DOCUMENTS:
        return None
    whole = sums_by(place, n, len(documents))
    same = sums_by(place, agreed, len(documents))
    means = [_mean(place, values, len(documents)) for values in (kappa, pi)]
    order = np.lexsort((documents, -(whole - same), same / whole))
    shown = order[:MOST_DOCUMENTS].tolist()
    tables = _document_cells(units, pairs, known, smallest) if len(document) == len(documents) else {}
    key, other = compared or (None, None)
    return AgreementByDocument(
        layer=units.layer,
        unit_set=units.id,
        key=key,
        other=other,
        documents_in_all=len(documents),
        disagreements=int(whole.sum() - same.sum()),
        documents=tuple(
            DocumentAgreement(
                document=units.documents[documents[row]],
                comparisons=int(whole[row]),
                disagreements=int(whole[row] - same[row]),
                observed_agreement=int(same[row]) / int(whole[row]),
                cohen_kappa=_number(means[0][row]),
                scott_pi=_number(means[1][row]),
                cells=tuple(tables.get(int(documents[row]), ())) or None,
            )
            for row in shown
        ),
    )


def _group_of(pairs: PairCounts, known: Mask, groups: tuple[Codes, Codes, Codes], people: int) -> Codes:
    """Return for each row which group it belongs to (rows,): which document and two of so many people."""
    document, first, second = groups
    keys = (document * people + first) * people + second
    rows = (pairs.document[known] * people + pairs.first[known]) * people + pairs.second[known]
    group: Codes = np.searchsorted(keys, rows)
    return group


def _of_groups(
    pairs: PairCounts, known: Mask, group: Codes, n: Codes, size: int
) -> tuple[Codes, Floats, Floats]:
    """Return how often each document's pair agreed, and its kappa and pi, nan where they are undefined."""
    one, other, times = pairs.first_label[known], pairs.second_label[known], pairs.n[known]
    groups = len(n)
    agreed = sums_by(group[one == other], times[one == other], groups)
    rows = sums_by((group, one), times, (groups, size)).astype(np.float64)
    columns = sums_by((group, other), times, (groups, size)).astype(np.float64)
    whole = n.astype(np.float64)
    observed = agreed / whole
    by_each = (rows * columns).sum(axis=1) / (whole * whole)
    both = rows + columns
    by_all = (both * both).sum(axis=1) / (4 * whole * whole)
    return agreed, _beyond(observed, by_each), _beyond(observed, by_all)


def _beyond(observed: Floats, expected: Floats) -> Floats:
    values: Floats = np.full(len(observed), np.nan)
    there = expected < 1
    values[there] = (observed[there] - expected[there]) / (1 - expected[there])
    return values


def _mean(place: Codes, values: Floats, documents: int) -> Floats:
    """Return the mean of each document's pairs that have a value, nan where none has."""
    there = ~np.isnan(values)
    sums = sums_by(place[there], values[there], documents)
    times = sums_by(place[there], np.ones(int(there.sum()), dtype=np.int64), documents)
    means: Floats = np.full(documents, np.nan)
    means[times > 0] = sums[times > 0] / times[times > 0]
    return means


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _document_cells(
    units: CodedUnits, pairs: PairCounts, known: Mask, smallest: int
) -> dict[int, list[DocumentCell]]:
    """Return each document's confusion matrix, cell by cell; of two people alone, and few categories."""
    used = {*pairs.first_label[known].tolist(), *pairs.second_label[known].tolist()}
    size = len(units.categories)
    uses = [sums_by(side[known], pairs.n[known], size) for side in (pairs.first_label, pairs.second_label)]
    if len(used) > MOST_CATEGORIES_BY_DOCUMENT or any(((use > 0) & (use < smallest)).any() for use in uses):
        return {}
    found: dict[int, list[DocumentCell]] = {}
    columns = pairs.document[known], pairs.first_label[known], pairs.second_label[known], pairs.n[known]
    for document, cell in _named(units, columns):
        found.setdefault(document, []).append(cell)
    return found


def _named(units: CodedUnits, columns: tuple[Codes, ...]) -> Iterator[tuple[int, DocumentCell]]:
    for document, one, other, n in as_rows(*columns):
        yield document, DocumentCell(first=units.categories[one], second=units.categories[other], units=n)


# One cell that is left out follows from the sum of its line.
AT_LEAST = 2


def small_cells(uses: Codes, smallest: int) -> Mask:
    """Return which cells of a table are withheld, given how often each person gave each label.

    These are the cells above 0 and below `smallest`, and so many beside them that no sum of a row or a column
    gives one back: in each line two or more are withheld, and of each person `smallest` units or more.
    """
    hidden = np.array((uses > 0) & (uses < smallest), dtype=np.bool_)
    # Each round hides one more cell in every line that needs it, the smallest first, empty ones last.
    order = np.where(uses > 0, uses, np.iinfo(np.int64).max - 1)
    while True:
        before = hidden.copy()
        number, units = hidden.sum(axis=1), (uses * hidden).sum(axis=1)
        people = (number > 0) & ((number < AT_LEAST) | (units < smallest))
        _hide_next(hidden, order, np.flatnonzero(people))
        _hide_next(hidden.T, order.T, np.flatnonzero(hidden.sum(axis=0) == 1))
        if (hidden == before).all():
            return hidden


def _hide_next(hidden: Mask, order: Codes, lines: Codes) -> None:
    """Hide in some lines the first cell that is not hidden yet, where there is one."""
    left = np.where(hidden, np.iinfo(np.int64).max, order)
    for line in lines.tolist():
        hidden[line, left[line].argmin()] = True


def withheld(two: Codes, hidden: Mask, names: tuple[str, ...], smallest: int) -> Withheld | None:
    """Return which labels a table of two people joins, None where it shows all.

    `two` are the two's uses of each label (2, labels), `hidden` tells which cells are withheld elsewhere.
    """
    small, elsewhere = small_cells(two, smallest).any(axis=0), hidden.any(axis=0) & (two > 0).any(axis=0)
    joined = np.logical_or(small, elsewhere)
    if not joined.any():
        return None
    uses = two.sum(axis=0)
    # The least used come first, those that neither used last.
    for label in np.lexsort((uses, uses == 0)).tolist():
        together = two[:, joined].sum(axis=1)
        if joined.sum() >= AT_LEAST and ((together == 0) | (together >= smallest)).all():
            break
        joined[label] = True
    return Withheld(labels=tuple(names[label] for label in np.flatnonzero(joined)), below=smallest)


# With more categories than these, one pair of many shows only those that it used.
MOST_CATEGORIES = 20
# With more categories in use than these a matrix of them says nothing any more, and fills results.json.
MOST_COINCIDING = 60
COEFFICIENT = "coefficient"
# What results say of a unit set in the words of the study.
COPIED = (
    *("layer", "id", "primary", "kind", "why", "scale", "annotators"),
    *("units", "units_read", "units_added", "base", "several", "joined"),
)

# What was a unit, who labelled it, and all figures.


def unit_set(
    agreement: UnitSetAgreement, study: LayerUnits, *, complete: bool = True, smallest: int = 1
) -> UnitSet:
    """Return one unit set, floats not yet rounded; what is said beside intervals only if `complete`.

    Where a person gave a label to fewer than `smallest` units, it is withheld in tables of that person.
    """
    units, units_of_all = agreement.units, agreement.whole
    against_rest = zip(agreement.judged, agreement.against_rest, strict=False)
    majority = zip(units.annotators, agreement.against_majority, strict=False)
    null, sparse = null_test(units_of_all.profiles), _is_sparse(agreement)
    return UnitSet(
        **_description(units, study),
        **_sizes(units),
        **(_uncertainty(agreement) if complete else {}),
        measures=figures_by_name(agreement.measures),
        rated_twice=figures_by_name(rated_twice(agreement)) or None,
        mean_over_pairs=agreement.mean_over_pairs,
        macro_over_documents={
            name: macro for name, macro in over_documents(units_of_all).items() if name in agreement.measures
        }
        or None,
        specific_agreement=figures_by_category(agreement.specific, agreement.judged),
        against_rest={name: figures_by_name(figures) for name, figures in against_rest},
        against_majority={name: figure(estimate) for name, estimate in majority},
        null_tests={"fleiss_kappa": null} if null else {},
        coincidences=_coincidences(agreement),
        size_curve=agreement.curve,
        pairs=tuple(
            _pair(pair, agreement, dense=not sparse).model_copy(update={"withheld": joined})
            for pair, joined in zip(agreement.pairs, _withheld(agreement, smallest), strict=True)
        ),
        sets=sets_compared(units_of_all),
    )


def _description(units: CodedUnits, study: LayerUnits) -> dict[str, Any]:
    """Return what was a unit, who labelled it, with what, and what became of the marks."""
    labels = sums_by(units.label, units.row_weight, len(units.categories))
    return {
        **{name: getattr(units, name) for name in COPIED},
        "boundary": units.marks.boundary,
        "units_left_out": dict(units.units_left_out),
        "candidates": _candidates(units),
        "categories": _categories(units),
        "categories_declared": study.declared,
        "marks": UnitSetMarks(
            read=study.marks_read,
            used=units.marks.used,
            left_out={**study.passed_over, **units.marks.left_out},
            not_compared=study.not_compared,
            missing=study.missing,
            repeated=study.repeated,
            contradicting=study.contradicting,
        ),
        "non_annotated": next(iter(_unmarked(units)), None),
        "labels": dict(zip(units.categories, labels.tolist(), strict=True)),
    }


def _categories(units: CodedUnits) -> tuple[str, ...]:
    """Return the categories; of marks that overlap these are the labels, and no combinations of them."""
    of_labels = units.sets is not None and units.base != "units"
    return (*judged(units), *_unmarked(units)) if of_labels else units.categories


def _unmarked(units: CodedUnits) -> tuple[str, ...]:
    """Return the category of unmarked units, if there is one."""
    return () if units.non_annotated == NO_CATEGORY else (units.categories[units.non_annotated],)


def _sizes(units: CodedUnits) -> dict[str, Any]:
    """Return how many documents and units there are, and how many that two annotators labelled."""
    in_document = units.document != NO_DOCUMENT
    raters = units.per_unit
    compared, rated = raters > 1, sums_by(raters, units.weight, int(raters.max(initial=0)) + 1)
    return {
        # How many units were rated by 0, 1, 2, … annotators, numbers that do not occur left out.
        "units_by_annotators": {str(raters): count for raters, count in enumerate(rated.tolist()) if count},
        "documents": units.grouped or len(np.unique(units.document[in_document])),
        "documents_compared": len(np.unique(units.document[in_document & compared])),
        "document_groups": len(units.documents) if units.grouped else None,
        "pair_groups": _pair_groups(units),
        "units_compared": int(units.weight[compared].sum()),
        "units_alone": int(units.weight[~in_document].sum()),
    }


def _pair_groups(units: CodedUnits) -> int | None:
    """Return from how many documents, or groups of them, intervals of two annotators come, of sums."""
    margins = units.margins
    if not units.sums_only or margins is None or margins.pairs is None:
        return None
    return int(margins.shared[2].max(initial=0)) if margins.shared else len(np.unique(margins.pairs[2]))


def _candidates(units: CodedUnits) -> Candidates | None:
    candidates = units.candidates
    if candidates is None:
        return None
    return Candidates(
        file=candidates.file or None,
        terms=candidates.terms or None,
        layer=candidates.layer or None,
        keep_marked=candidates.keep_marked,
    )


def _coincidences(agreement: UnitSetAgreement) -> Coincidences | None:
    """Return the coincidences of more than two annotators, None where they are too many or nobody shares."""
    units = agreement.units
    if len(units.annotators) <= 2:
        return None
    met = agreement.whole.profiles.coincidences
    used = np.flatnonzero(met.totals)
    if not len(used) or len(used) > MOST_COINCIDING:
        return None
    tables = {name: table.tolist() for name, table in coincidence_tables(met, used).items()}
    return Coincidences(categories=tuple(units.categories[code] for code in used.tolist()), **tables)


# What is known of the uncertainty of figures beside their intervals.


def _uncertainty(agreement: UnitSetAgreement) -> dict[str, Any]:
    """Return benchmarks and plans of a unit set."""
    units = agreement.whole
    figures = {
        name: estimate
        for name, estimate in agreement.measures.items()
        if estimate.value is not None and measure_of(name).kind == COEFFICIENT
    }
    clusters = units.profiles.clusters.groups
    # Of groups nobody can annotate more.
    planned = {} if units.units.grouped else figures
    plans = {name: plan(estimate, clusters) for name, estimate in planned.items()}
    return {
        "benchmarks": {name: bands(estimate) for name, estimate in figures.items()} or None,
        "planning": {name: needed for name, needed in plans.items() if needed} or None,
    }


# Every two annotators: their tables and figures.


def _is_sparse(agreement: UnitSetAgreement) -> bool:
    """Tell whether the tables of all pairs are too large to be written whole."""
    sizes = (
        len(_shown_codes(used_of_two(pair.table), agreement.units.annotators)) for pair in agreement.pairs
    )
    return sum(size * size for size in sizes) > MOST_CELLS_LISTED


def _pair(pair: PairAgreement, agreement: UnitSetAgreement, *, dense: bool) -> Pair:
    """Return the confusion matrix of a pair and everything computed from it."""
    annotators = agreement.units.annotators
    names = annotators[pair.table.first], annotators[pair.table.second]
    shown = _shown_codes(used_of_two(pair.table), annotators)
    return Pair(
        annotators=names,
        documents=pair.table.documents,
        confusion=Confusion(
            rows=names[0],
            columns=names[1],
            categories=tuple(agreement.units.categories[code] for code in shown),
            **_counts(pair, shown, dense=dense),
        ),
        measures=figures_by_name(pair.measures),
        **_category_results(pair, agreement, dense=dense),
        **(_computed(pair, shown) if dense else {}),
        size_curve=pair.curve,
        symmetry=pair.tests,
    )


def _withheld(agreement: UnitSetAgreement, smallest: int) -> Iterator[Withheld | None]:
    """Yield for each pair which labels its tables join, where labels are sets also which of their members."""
    units = agreement.units
    given = agreement.whole.counts.annotators
    sizes = len(units.annotators), len(units.categories)
    hidden = small_cells(sums_by((given.annotator, given.label), given.n, sizes), smallest)
    for pair in agreement.pairs:
        table, people = pair.table, [pair.table.first, pair.table.second]
        two = np.stack([table.row_totals, table.column_totals])
        joined = withheld(two, hidden[people], units.categories, smallest)
        if units.sets:
            joined = _with_members(joined, label_counts(table, units.sets), agreement.judged, smallest)
        yield joined


def _with_members(
    joined: Withheld | None, counts: Sequence[LabelCounts], names: Sequence[str], smallest: int
) -> Withheld | None:
    """Return what is withheld of sets with the labels that one of the two chose so seldom."""
    seldom = [
        name
        for name, chosen in zip(names, counts, strict=True)
        if any(0 < times < smallest for times in (chosen.first, chosen.second))
    ]
    labels = dict.fromkeys([*(joined.labels if joined else ()), *seldom])
    return Withheld(labels=tuple(labels), below=smallest) if labels else None


def _counts(pair: PairAgreement, shown: Sequence[int], *, dense: bool) -> dict[str, Any]:
    """Return the table's cells, all or those that have units."""
    cells, codes = pair.table.cells, np.array(shown, dtype=np.int64)
    if dense:
        return {"counts": cells.dense(codes).tolist()}
    places = (np.searchsorted(codes, column) for column in (cells.row, cells.column))
    return {"cells": np.stack([*places, cells.value], axis=1).tolist()}


def _computed(pair: PairAgreement, shown: Sequence[int]) -> dict[str, Any]:
    """Return the probabilities and distances that come from the table."""
    tables = {name: table.tolist() for name, table in pair.tables(np.array(shown, dtype=np.int64)).items()}
    return {
        "conditional_probabilities": tables["conditional_probabilities"],
        "distances": Distances(**{name: tables[name] for name in Distances.model_fields}),
    }


def _category_results(pair: PairAgreement, agreement: UnitSetAgreement, *, dense: bool) -> dict[str, Any]:
    """Return what is known of each category of a pair, of sets of each label in them."""
    judged, sets = agreement.judged, agreement.units.sets
    shown = _shown_codes(used_of_two(pair.table, sets), agreement.units.annotators)
    here = [judged[code] for code in shown]
    # What a table has for every pair of many is written for the two of whom the report is alone.
    has_rest = pair.against_rest and (dense or len(agreement.units.annotators) == 2)
    against_rest = [pair.against_rest[code] for code in shown] if has_rest else []
    counts = [] if sets is None else label_counts(pair.table, sets)
    return {
        "specific_agreement": figures_by_category([pair.specific[code] for code in shown], here),
        "against_rest": {
            name: figures_by_name(figures) for name, figures in zip(here, against_rest, strict=False)
        },
        "labels": {judged[code]: counts[code] for code in shown} if counts else {},
    }


def _shown_codes(used: Mask, annotators: Sequence[str]) -> list[int]:
    """Return the codes of the categories that a pair's tables show; `used` tells which of them it used.

    One pair of many shows only those, where there are many: an inventory is large, and a pair's share of it
    small.
    """
    if len(annotators) == 2 or len(used) <= MOST_CATEGORIES:
        return list(range(len(used)))
    return list(np.flatnonzero(used).tolist())


# What is too large for results.json: a row for each pair of a crowd, and for each cell of large tables.

PAIRS_HEAD = ("layer", "unit_set", "first", "second", "units", *ids_with(lambda measure: measure.crowds))
CELLS_HEAD = (
    *("layer", "unit_set", "rows", "columns", "row", "column", "units"),
    *("column_given_row", "row_given_column", "computed_alpha", "computed_kappa"),
)
Row = tuple[Any, ...]


def pairs_csv(agreements: Iterable[UnitSetAgreement]) -> str | None:
    """Return the figures of every pair of too many annotators for a table each, None where there are few."""
    crowds = [
        (crowd.units, crowd.pair_figures)
        for crowd in agreements
        if crowd.pair_figures is not None and crowd.units.margins is None
    ]
    return csv_text(PAIRS_HEAD, (row for crowd in crowds for row in _every_pair(*crowd))) if crowds else None


def _every_pair(units: CodedUnits, figures: PairFigures) -> Iterator[Row]:
    columns = (figures.first, figures.second, figures.units, *figures.by_id.values())
    for first, second, *values in as_rows(*columns):
        yield (units.layer, units.id, units.annotators[first], units.annotators[second], *values)


def cells_csv(agreements: Iterable[UnitSetAgreement], smallest: int) -> str | None:
    """Return the cells of tables that are not written whole, None where all are.

    Two categories that do not meet have probability 0 and distance 1, if each was used at all.
    """
    sparse = [agreement for agreement in agreements if _is_sparse(agreement)]
    if not sparse:
        return None
    pairs = (
        (agreement, pair, joined)
        for agreement in sparse
        for pair, joined in zip(agreement.pairs, _withheld(agreement, smallest), strict=True)
    )
    return csv_text(CELLS_HEAD, (row for pair in pairs for row in _confusion_cells(*pair)))


def _confusion_cells(
    agreement: UnitSetAgreement, pair: PairAgreement, joined: Withheld | None
) -> Iterator[Row]:
    """Yield the cells of a pair that have units, either way round, without those of labels joined."""
    units, both = agreement.units, coincidences_of_two(pair.table)
    shares = conditional_probabilities(both)
    row, column = both.row, both.column
    mean, product = (compute(both, pair.table.units) for compute in (computed_mean, computed_product))
    chances = (shares.value, shares.at(column, row), mean.at(row, column), product.at(row, column))
    columns = (pair.table.cells.at(row, column), *chances)
    people = units.annotators[pair.table.first], units.annotators[pair.table.second]
    left_out = joined.labels if joined else ()
    for one, other, *values in as_rows(row, column, *columns):
        labels = units.categories[one], units.categories[other]
        if not set(labels) & set(left_out):
            yield (units.layer, units.id, *people, *labels, *values)


# Values of a table's column that are so few, with so many units each, may be no documents at all.
MOST_CONDITIONS, LEAST_UNITS = 10, 10


def may_be_conditions(unit_set: UnitSet) -> bool:
    """Say whether what a table calls documents may be conditions: few values, each of many units."""
    documents, units = unit_set.documents_compared, unit_set.units_compared
    in_table = unit_set.base == "units"
    return in_table and 0 < documents <= MOST_CONDITIONS and units >= LEAST_UNITS * documents
