"""Everybody against references and systems, on units and on marks, and how annotators agree there."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any, TypedDict

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import Annotator
from reportgen.catalogue import brackets_on, ids_with, measure_of
from reportgen.counts import (
    Cells,
    ContingencyTable,
    PairCounts,
    count,
    keys_and_others,
    pair_table,
    ranks_of_units,
    shared_units,
    table_of_labels,
)
from reportgen.measures.coefficients import figures_of, specific_of_pair
from reportgen.measures.estimate import (
    Clusters,
    Estimate,
    Floats,
    NoInterval,
    Undefined,
    figure,
    figures_by_name,
    no_estimate,
    with_interval,
)
from reportgen.measures.figures_of_sums import share_of_sums
from reportgen.measures.sets import judged, label_counts, labels_of, table_against_rest, used_of_two
from reportgen.measures.significance_tests import change
from reportgen.measures.spans import ANNOTATOR as ANNOTATOR_ROLE
from reportgen.measures.spans import Ratio, SpanAgreement, SpanPairAgreement, mean_of_ratios, ratios
from reportgen.measures.standard_errors import AnnotatorChoice, annotator_choice, over_annotators
from reportgen.measures.thresholds import MOST_ANNOTATORS
from reportgen.measures.unit_profiles import (
    LabelPatterns,
    PairFigures,
    mean_of,
    pair_figures,
    profiles_of_pair,
)
from reportgen.measures.unit_set_data import ScaleSetting, UnitsOfAll, UnitsOfPair
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Figure, Interval, Mean
from reportgen.results.annotators import CategoryScores, ComparedSet, Comparison, Comparisons, Humans
from reportgen.results.marks import SpanFigures
from reportgen.results.model import csv_text
from reportgen.results.parts import Change
from reportgen.units import NO_CATEGORY, CodedUnits, ComparedUnits, Mask
from reportgen.units.labels import as_rows

MACRO = "specific_agreement[macro]"


def scores_by_category(
    table: ContingencyTable, setting: ScaleSetting, names: Sequence[str], humans: Sequence[Mean | None] = ()
) -> dict[str, CategoryScores]:
    """Return the scores of each category that one of two used, of sets of each label that one chose.

    `names` are those of the categories; `humans` (categories,), where it is known, the mean of annotators.
    """
    return {
        names[code]: _scores_of_category(
            table_against_rest(table, code, setting.sets), humans[code] if humans else None
        )
        for code in _used_codes(table, setting)
    }


def specific_by_category(
    table: ContingencyTable, setting: ScaleSetting, names: Sequence[str]
) -> dict[str, Estimate]:
    """Return the specific agreement of each category that one of two used, of sets of each label."""
    return {
        names[code]: specific_of_pair(table_against_rest(table, code, setting.sets))
        for code in _used_codes(table, setting)
    }


def _used_codes(table: ContingencyTable, setting: ScaleSetting) -> list[int]:
    return np.flatnonzero(used_of_two(table, setting.sets)).tolist()


def _scores_of_category(alone: ContingencyTable, humans: Mean | None) -> CategoryScores:
    """Return how well one of two meets the key, the first, in a category, code 0.

    Precision is both / other, recall both / key, and specific agreement, 2 both / (key + other), their
    F-measure. Precision is the positive predictive value and recall the sensitivity; the others are of the
    units that the key, or the other, did not give it.
    """
    row, column = ((codes == 0).astype(np.int64) for codes in (alone.cells.row, alone.cells.column))
    profiles, none = profiles_of_pair(alone), None if alone.units else Undefined.NO_UNITS
    neither = (1 - row) * (1 - column)
    return CategoryScores(
        key=int(alone.row_totals[0]),
        other=int(alone.column_totals[0]),
        both=int(alone.agreements[0]),
        precision=figure(share_of_sums(profiles, row * column, column, none or Undefined.NOT_USED_BY_OTHER)),
        recall=figure(share_of_sums(profiles, row * column, row, none or Undefined.NOT_USED_BY_KEY)),
        specific_agreement=figure(specific_of_pair(alone)),
        specificity=figure(share_of_sums(profiles, neither, 1 - row, none or Undefined.ALWAYS_USED_BY_KEY)),
        negative_value=figure(
            share_of_sums(profiles, neither, 1 - column, none or Undefined.ALWAYS_USED_BY_OTHER)
        ),
        phi=figure(_phi(profiles, row, column)),
        humans=humans,
    )


def _phi(profiles: LabelPatterns, row: Codes, column: Codes) -> Estimate:
    """Return Matthews' φ of two who give a label, or not: by kind, what each gave (kinds,).

    (a d - b c) / √((a + b) (c + d) (a + c) (b + d)), a being units that both gave it and d those that neither
    did: Matthews (1975), Biochimica et Biophysica Acta 405(2), 442-451. A unit moves it by its derivative.
    """
    units = int(profiles.times.sum())
    first, second, both = (int((part * profiles.times).sum()) for part in (row, column, row * column))
    margins = first * (units - first) * second * (units - second)
    if not margins:
        reason = Undefined.NO_EXPECTED_DISAGREEMENT if units else Undefined.NO_UNITS
        return no_estimate(reason, units)
    size = math.sqrt(margins)
    value = (both * units - first * second) / size
    # The margins of each kind of unit: how many units have the same of the first, and of the second.
    own = np.where(row == 1, first, units - first), np.where(column == 1, second, units - second)
    spread = 1 / own[0] + 1 / own[1]
    alone = first - both, second - both
    opposite = np.where(
        row == 1,
        np.where(column == 1, units - first - alone[1], -alone[1]),
        np.where(column == 1, -alone[0], both),
    )
    return with_interval(
        Estimate(value, units),
        units * (opposite / size - value / 2 * spread),
        profiles.clusters,
        (-1.0, 1.0),
        disagreements=alone[0] + alone[1],
        weight=units / 4 * spread,
        of_units=True,
        chance=(first * (units - second) + second * (units - first)) / units**2,
    )


def macro_agreement(table: ContingencyTable, setting: ScaleSetting) -> Estimate:
    """Return the mean of specific agreement over the categories, of sets the labels, that one of two used.

    The non-annotated category is not one of them: it is as large as one likes.
    """
    totals, both = _uses(table, setting)
    if not totals.any():
        return no_estimate(Undefined.NO_CATEGORY_USED if table.units else Undefined.NO_UNITS, table.units)
    missed, used = int((totals - 2 * both).sum()), totals > 0
    mean = float(np.sum(2 * both[used] / totals[used])) / np.count_nonzero(used)
    estimate = Estimate(mean, table.units)
    influence = _macro_influence(table, setting, totals, both)
    return with_interval(
        estimate, influence, profiles_of_pair(table).clusters, (0.0, 1.0), disagreements=missed
    )


def _uses(table: ContingencyTable, setting: ScaleSetting) -> tuple[Codes, Codes]:
    """Return how often the two used each category, or label of sets, and how often both did on a unit.

    The non-annotated category counts nothing.
    """
    if setting.sets is not None:
        counts = label_counts(table, setting.sets)
        totals = [label.first + label.second for label in counts]
        both = [label.both for label in counts]
        return np.array(totals, dtype=np.int64), np.array(both, dtype=np.int64)
    real = np.arange(table.categories) != setting.non_annotated
    used = np.where(real, table.row_totals + table.column_totals, 0)
    return used, np.where(real, table.agreements, 0)


def _macro_influence(table: ContingencyTable, setting: ScaleSetting, totals: Codes, both: Codes) -> Floats:
    """Return what a unit in each cell that has any moves the mean by."""
    # 2b / t of a category is moved by (2 [both used it] - 2b / t · (uses of it)) / t; the mean by their mean.
    safe, cells = np.maximum(totals, 1), table.cells
    weight: Floats = np.where(totals > 0, table.units / safe, 0.0) / np.count_nonzero(totals)
    falls: Floats = weight * (2 * both / safe)
    if setting.sets is None:
        agreeing = np.where(cells.row == cells.column, 2 * weight[cells.row], 0.0)
    else:
        holders = labels_of(setting.sets).holders
        falls = (holders * falls[:, None]).sum(axis=0)
        agreeing = np.zeros(len(cells.key))
        for label, holds in enumerate(holders):
            agreeing += 2 * weight[label] * (holds[cells.row] & holds[cells.column])
    return agreeing - falls[cells.row] - falls[cells.column]


def pair_scores(
    table: ContingencyTable, setting: ScaleSetting, names: tuple[str, ...]
) -> dict[str, Estimate]:
    """Return some of the catalogue's figures of a pair, where it has them, and the macro mean."""
    pair, figures = UnitsOfPair(table, setting), dict[str, Estimate]()
    for measure in dict.fromkeys(map(measure_of, names)):
        figures |= figures_of(measure, pair)
    shown = {name: figures[name] for name in names if name in figures}
    return shown | {MACRO: macro_agreement(table, setting)}


def agreement_means(tables: list[ContingencyTable], setting: ScaleSetting) -> list[Mean | None]:
    """Return for each category, or label, the mean of specific agreement over the pairs of whom one used it.

    None where there are no such pairs.
    """
    if not tables:
        return []
    # The non-annotated category is looked at by itself here, so that it counts.
    every = replace(setting, non_annotated=NO_CATEGORY)
    totals, both = (
        np.stack(columns) for columns in zip(*(_uses(table, every) for table in tables), strict=True)
    )
    used = totals > 0
    sums = np.where(used, 2 * both / np.maximum(totals, 1), 0.0).sum(axis=0)
    times = used.sum(axis=0)
    pairs = zip(sums.tolist(), times.tolist(), strict=True)
    return [Mean(value=value / n, pairs=n) if n else None for value, n in pairs]


# How much annotators agree on the very units on which a system is scored, in the same measures.
#
# That is the usual ceiling for a system; one that is scored against an adjudicated reference may pass it,
# since the reference is better than any one annotator.

ANNOTATOR = "annotator"


@dataclass(frozen=True, eq=False)
class HumanAgreement:
    """Annotators on the units, or in the documents, of a comparison.

    `measures` are the means of `results` with what a test needs; `by_category` (categories,) is the mean of
    specific agreement over pairs, None without any. `choice` is what the choice of annotators adds to the
    variance of the figure that is tested; `by_unit` has that figure and somebody else's, with units in the
    place of documents, where no document is known.
    """

    results: Humans
    measures: Mapping[str, Estimate]
    by_category: Sequence[Mean | None] = ()
    choice: AnnotatorChoice | None = None
    by_unit: tuple[Estimate, Estimate] | None = None


@dataclass(frozen=True, eq=False)
class _AnnotatorPair:
    """Two annotators: their table, and their labels on the units (units,), NO_CATEGORY where none."""

    table: ContingencyTable
    first: Codes
    second: Codes


def humans(
    compared: ComparedUnits,
    people: tuple[int, ...],
    setting: ScaleSetting,
    names: tuple[str, ...],
    tested: str | None = None,
) -> HumanAgreement | None:
    """Return how annotators agree on the units on which some people are compared, the key first.

    A mean's interval counts each document once, no matter who labelled it: what each unit moves the figure
    of each pair by is added up before it is squared. `tested` is the figure that is tested against somebody
    else's. None where there are no two annotators.
    """
    annotators = compared.of_role(ANNOTATOR)
    if len(annotators) < 2:
        return None
    unit = shared_units(compared, *people)
    unit = unit[np.argsort(ranks_of_units(compared.units)[unit])]
    if len(annotators) > MOST_ANNOTATORS:
        return _of_crowd(compared, unit, annotators)
    labels = {person: compared.units.labels_of(person)[unit] for person in (people[0], *annotators)}
    pairs = list(_pairs(compared, unit, labels, annotators))
    clusters = _clusters(compared, unit, pairs)
    figures = [pair_scores(pair.table, setting, names) for pair in pairs]
    measures = _means(pairs, figures, clusters, (setting, names))
    of_tested = [estimates.get(tested or "") for estimates in figures]
    return HumanAgreement(
        results=Humans(
            pairs=len(pairs),
            units=clusters.units,
            documents=clusters.groups if clusters.by_document else 0,
            measures=figures_by_name(measures),
            against_reference=_labels_against(compared, unit, labels, annotators, (setting, names)),
        ),
        measures=measures,
        by_category=agreement_means([pair.table for pair in pairs], setting),
        choice=_choice_in_labels(pairs, of_tested, clusters, setting.non_annotated) if tested else None,
        by_unit=_by_unit(measures[tested], compared, unit, people, (setting, tested))
        if tested in measures and not clusters.by_document
        else None,
    )


def _by_unit(
    mean: Estimate,
    compared: ComparedUnits,
    unit: Codes,
    people: tuple[int, ...],
    asked: tuple[ScaleSetting, str],
) -> tuple[Estimate, Estimate] | None:
    """Return a mean over annotators and the figure of two others, whose units are paired as documents are.

    None where what each unit adds is not known of both, or where units that are alike were counted as one.
    """
    setting, name = asked
    one, other = (compared.units.labels_of(person)[unit] for person in people)
    pair = _AnnotatorPair(table_of_labels(compared, unit, (people[0], one), (people[1], other)), one, other)
    figure = pair_scores(pair.table, setting, (name,)).get(name)
    if mean.spread is None or figure is None or figure.spread is None or (compared.units.weight != 1).any():
        return None
    moved = _of_units(pair, figure.units, figure.spread.influence, setting.non_annotated)
    if moved is None:
        return None
    clusters = Clusters.of_documents(len(unit))
    of_mean = mean.spread.influence * (len(unit) / mean.spread.clusters.units)
    spreads = (
        replace(own, influence=influence, clusters=clusters, weight=None)
        for own, influence in ((mean.spread, of_mean), (figure.spread, moved * len(unit)))
    )
    first, second = (
        replace(estimate, spread=own) for estimate, own in zip((mean, figure), spreads, strict=True)
    )
    return first, second


def _pairs(
    compared: ComparedUnits, unit: Codes, labels: Mapping[int, Codes], annotators: Sequence[int]
) -> Iterator[_AnnotatorPair]:
    """Yield every two annotators who share one of the units."""
    for first, second in combinations(annotators, 2):
        one, other = labels[first], labels[second]
        if np.any((one != NO_CATEGORY) & (other != NO_CATEGORY)):
            yield _AnnotatorPair(table_of_labels(compared, unit, (first, one), (second, other)), one, other)


def _clusters(compared: ComparedUnits, unit: Codes, pairs: Sequence[_AnnotatorPair]) -> Clusters:
    """Return what a mean over pairs is clustered by; a cell is a unit that one labelled, by its place."""
    labelled = np.zeros(len(unit), dtype=np.bool_)
    for pair in pairs:
        labelled |= (pair.first != NO_CATEGORY) & (pair.second != NO_CATEGORY)
    position = np.flatnonzero(labelled)
    where, weight = compared.units.document[unit[position]], compared.units.weight[unit[position]]
    return Clusters.of_units(where, position, weight, corrected=len(pairs) > 1)


def _means(
    pairs: Sequence[_AnnotatorPair],
    figures: Sequence[Mapping[str, Estimate]],
    clusters: Clusters,
    asked: tuple[ScaleSetting, tuple[str, ...]],
) -> dict[str, Estimate]:
    """Return the mean over pairs of each figure that two people compared have."""
    setting, names = asked
    if not pairs:
        return {name: no_estimate(Undefined.NO_PAIR, 0) for name in (*names, MACRO)}
    return {
        name: _mean_of_pairs(
            pairs, [estimates.get(name) for estimates in figures], clusters, setting.non_annotated
        )
        for name in dict.fromkeys(name for estimates in figures for name in estimates)
    }


def _mean_of_pairs(
    pairs: Sequence[_AnnotatorPair], figures: Sequence[Estimate | None], clusters: Clusters, absent: int
) -> Estimate:
    """Return the mean of one figure, with its interval where what moves it is known for every pair."""
    defined = [
        (pair, estimate)
        for pair, estimate in zip(pairs, figures, strict=True)
        if estimate and estimate.value is not None
    ]
    if not defined:
        return no_estimate(Undefined.NO_PAIR_DEFINED, clusters.units)
    mean = Estimate(
        math.fsum(estimate.value or 0.0 for _, estimate in defined) / len(defined), clusters.units
    )
    spreads = [(pair, estimate.units, estimate.spread) for pair, estimate in defined if estimate.spread]
    influence = _added(
        [_of_units(pair, units, spread.influence, absent) for pair, units, spread in spreads], clusters
    )
    if influence is None or len(spreads) < len(defined):
        return replace(mean, interval=NoInterval.MEAN_ALONE)
    worst = [spread.worst for *_, spread in spreads if spread.worst is not None]
    return with_interval(
        mean,
        influence,
        clusters,
        (min(spread.bounds[0] for *_, spread in spreads), 1.0),
        least=min(spread.least for *_, spread in spreads),
        on_a_scale=any(spread.on_a_scale for *_, spread in spreads),
        disagreements=sum(pair.table.disagreements for pair, _ in defined),
        worst=math.fsum(worst) / len(worst) if len(worst) == len(defined) else None,
        weight=_added(
            [_of_units(pair, units, spread.weight, absent) for pair, units, spread in spreads], clusters
        ),
        of_units=True,
    )


def _choice_in_labels(
    pairs: Sequence[_AnnotatorPair], figures: Sequence[Estimate | None], clusters: Clusters, absent: int
) -> AnnotatorChoice | None:
    """Return what the choice of annotators adds to the variance of a mean, None where it is not known."""
    influences = []
    for pair, estimate in zip(pairs, figures, strict=True):
        if estimate is None or estimate.value is None:
            continue
        moved = (
            _of_units(pair, estimate.units, estimate.spread.influence, absent) if estimate.spread else None
        )
        if moved is None:
            return None
        people = pair.table.first, pair.table.second
        influences.append((people, estimate.value, moved * clusters.units))
    return annotator_choice(influences, clusters)


def _added(of_pairs: Sequence[Floats | None], clusters: Clusters) -> Floats | None:
    """Return what each unit (units,) adds to the mean over pairs, None where it is not known of each."""
    by_pair = [influence for influence in of_pairs if influence is not None]
    if len(by_pair) < len(of_pairs) or not by_pair:
        return None
    total = np.zeros(len(by_pair[0]))
    for influence in by_pair:
        total += influence / len(by_pair)
    return total * clusters.units


def _of_units(pair: _AnnotatorPair, units: int, by_kind: Floats | None, absent: int) -> Floats | None:
    """Return what each unit (units,) adds to a pair's figure, 0 where not both labelled it.

    A kind of unit is a cell of their table, or one of those without the non-annotated category, which moves
    nothing on a scale. None where kinds are neither.
    """
    cells, both = pair.table.cells, (pair.first != NO_CATEGORY) & (pair.second != NO_CATEGORY)
    placed = cells.key[(cells.row != absent) & (cells.column != absent)]
    for key in (cells.key, placed):
        if by_kind is not None and len(by_kind) == len(key):
            influence = Cells(cells.size, key, by_kind)
            return np.where(both, influence.at(pair.first, pair.second), 0.0) / units
    return None


def _labels_against(
    compared: ComparedUnits,
    unit: Codes,
    labels: Mapping[int, Codes],
    annotators: Sequence[int],
    asked: tuple[ScaleSetting, tuple[str, ...]],
) -> dict[str, dict[str, Figure]]:
    """Return the figures of each annotator against the key on these units, where the key is a reference."""
    key = next(iter(labels))
    if compared.roles[key] == ANNOTATOR:
        return {}
    tables = {
        annotator: table_of_labels(compared, unit, (key, labels[key]), (annotator, labels[annotator]))
        for annotator in annotators
    }
    names = compared.units.annotators
    return {
        names[annotator]: figures_by_name(pair_scores(table, *asked))
        for annotator, table in tables.items()
        if table.units
    }


def _of_crowd(compared: ComparedUnits, unit: Codes, annotators: Sequence[int]) -> HumanAgreement:
    """Return the means of observed agreement and kappa over the pairs of a crowd."""
    units = compared.units
    here = np.isin(np.arange(len(units.weight)), unit)
    crowd = units.where(here[units.unit] & np.isin(units.annotator, annotators))
    figures = pair_figures(count(crowd).pairs_in_all, len(units.categories))
    rated = crowd.per_unit >= 2
    where = units.document[rated]
    columns = figures.by_id
    total = int(units.weight[rated].sum())
    measures = {name: _crowd_mean(values, total) for name, values in columns.items()}
    results = Humans(
        pairs=len(figures.first),
        units=total,
        documents=len(np.unique(where[where != NO_DOCUMENT])),
        measures=figures_by_name(measures),
    )
    return HumanAgreement(results, measures)


def _crowd_mean(values: Floats, units: int) -> Estimate:
    if np.isnan(values).all():
        return no_estimate(Undefined.NO_PAIR if len(values) == 0 else Undefined.NO_PAIR_DEFINED, units)
    return Estimate(mean_of(values)[0], units, interval=NoInterval.MANY_PAIRS)


REFERENCE = "reference"
# Of a crowd against a reference, so many have all their figures: those that agree with it least.
LOWEST_SHOWN = 20
ALPHA = "krippendorff_alpha"
# The columns of tables/comparisons-of-all.csv.
HEAD = ("layer", "unit_set", "key", "other", "role", "units", *ids_with(lambda each: each.crowds))
CrowdRow = tuple[Any, ...]


@dataclass(frozen=True)
class ComparedAgreement:
    """Everybody against the references of one unit set, or of one layer's marks.

    `pairs` are all who are compared; of a crowd of annotators only those who agree least, and `crowd` has
    what is known of everybody.
    """

    summary: ComparedSet
    pairs: tuple[Comparison, ...]
    crowd: Sequence[CrowdRow] = ()


def analyse_comparisons(
    compared: ComparedUnits, counts: PairCounts, setting: ScaleSetting, coefficient: str
) -> ComparedAgreement:
    """Return every figure of a unit set's comparisons; `coefficient` is the layer's primary one.

    It is the figure that pages show first, where two people have it.
    """
    crowded = len(compared.of_role(ANNOTATOR_ROLE)) > MOST_ANNOTATORS
    crowd = pair_figures(counts, len(compared.units.categories)) if crowded else None
    asked = _ComparedFigures(compared, setting, compared_figures(setting, coefficient))
    tables = list(_tables(compared, counts, _shown(compared, crowd)))
    scores = [pair_scores(table, setting, asked.names) for table in tables]
    shown = coefficient if any(coefficient in figures for figures in scores) else ALPHA
    people = len(crowd.first) if crowd else len(tables)
    return ComparedAgreement(
        summary=asked.summary(shown, people, crowded=crowded),
        pairs=tuple(asked.pair(*pair, shown) for pair in zip(tables, scores, strict=True)),
        crowd=list(_crowd_rows(compared, crowd)) if crowd else (),
    )


@dataclass(frozen=True, eq=False)
class _ComparedFigures:
    """A unit set, and the figures of the catalogue (`names`) by which two people are compared there."""

    compared: ComparedUnits
    setting: ScaleSetting
    names: tuple[str, ...]

    def humans(self, *people: int, tested: str | None = None) -> HumanAgreement | None:
        """Return how annotators agree on the units of some people, the key first."""
        return humans(self.compared, people, self.setting, self.names, tested)

    def summary(self, shown: str, people: int, *, crowded: bool) -> ComparedSet:
        """Return what is compared, and how annotators agree on all units of each reference."""
        compared, names = self.compared, self.compared.units.annotators
        keys = compared.of_role(REFERENCE)
        of_keys = {names[key]: self.humans(key) for key in keys}
        return ComparedSet(
            layer=compared.units.layer,
            unit_set=compared.units.id,
            figure=shown,
            references=tuple(names[key] for key in keys),
            not_independent=compared.derived,
            choice=compared.choice,
            people=people,
            crowded=crowded,
            humans={name: agreement.results for name, agreement in of_keys.items() if agreement},
        )

    def pair(self, table: ContingencyTable, measures: Mapping[str, Estimate], shown: str) -> Comparison:
        """Return a key, the table's first, and somebody else, on the units that both labelled.

        Annotators are themselves the measure: human agreement is seen beside others alone.
        """
        compared, key, other = self.compared, table.first, table.second
        is_system = compared.roles[other] != ANNOTATOR_ROLE
        beside = self.humans(key, other, tested=shown) if is_system and table.units else None
        means = beside.by_category if beside else ()
        return Comparison(
            layer=compared.units.layer,
            unit_set=compared.units.id,
            key=compared.units.annotators[key],
            key_role=compared.roles[key],
            other=compared.units.annotators[other],
            role=compared.roles[other],
            independent=False if compared.made_from(key, other) else None,
            units=table.units,
            documents=table.documents,
            measures=figures_by_name(measures),
            by_category=scores_by_category(table, self.setting, judged(compared.units), means),
            humans=beside.results if beside else None,
            **against_humans(beside, measures, shown),
        )


class AgainstHumans(TypedDict, total=False):
    """What results say of a system beside annotators: the difference, and its interval for any of these."""

    against_humans: Change
    for_any_annotators: Interval | None


def against_humans(
    humans: HumanAgreement | None, measures: Mapping[str, Estimate], shown: str
) -> AgainstHumans:
    """Return the mean of annotators with each other beside a system's figure, and the test of the difference.

    Both are of the same units, so that documents are paired, or units where no document is known. From five
    annotators on a second interval covers their choice too.
    """
    ours, theirs = humans.measures.get(shown) if humans else None, measures.get(shown)
    if humans is None or ours is None or theirs is None or ours.value is None or theirs.value is None:
        return {}
    difference = change((ours, theirs), humans.by_unit, same_material=True)
    (least, most), (low, high) = (
        estimate.spread.possible if estimate.spread else (-math.inf, math.inf) for estimate in (ours, theirs)
    )
    ends = over_annotators(difference, humans.choice, low - most, high - least)
    return {"against_humans": difference, "for_any_annotators": ends}


def compared_figures(setting: ScaleSetting, coefficient: str) -> tuple[str, ...]:
    """Return the figures of the catalogue by which two people are compared."""
    on_scale = brackets_on(setting.scale, "distances") if setting.sets is None else ()
    distances = (
        *(distance.id for distance in setting.distances),
        *(bracket.id for bracket in on_scale if bracket.main),
    )
    weighted = (f"{ALPHA}[{distance}]" for distance in distances)
    primary = (coefficient,) if measure_of(coefficient).pair else ()
    return tuple(dict.fromkeys((*ids_with(lambda each: each.any_two), *weighted, *primary)))


def _shown(compared: ComparedUnits, crowd: PairFigures | None) -> list[tuple[int, int]]:
    """Return who is shown with all figures: everybody, or of a crowd who agrees with a key least."""
    keys, others = keys_and_others(compared)
    if crowd is None:
        return [(key, other) for key in keys for other in others]
    order = np.lexsort((crowd.second, crowd.first, -crowd.units, crowd.observed))
    ordered = list(zip(crowd.first[order].tolist(), crowd.second[order].tolist(), strict=True))
    roles = compared.roles
    systems = [pair for pair in ordered if ANNOTATOR_ROLE not in (roles[pair[0]], roles[pair[1]])]
    lowest = [pair for pair in ordered if ANNOTATOR_ROLE in (roles[pair[0]], roles[pair[1]])]
    return sorted([*systems, *lowest[:LOWEST_SHOWN]])


def _tables(
    compared: ComparedUnits, counts: PairCounts, shown: Sequence[tuple[int, int]]
) -> Iterator[ContingencyTable]:
    """Yield the table of each two people; annotators who share no unit with the key have none."""
    size, people = len(compared.units.categories), len(compared.roles)
    key_and_other = counts.first * people + counts.second
    for key, other in shown:
        start, end = np.searchsorted(key_and_other, [key * people + other, key * people + other + 1]).tolist()
        if start < end or compared.roles[other] != ANNOTATOR_ROLE:
            yield pair_table(counts.part(start, end), size, key, other)


def _crowd_rows(compared: ComparedUnits, crowd: PairFigures) -> Iterator[CrowdRow]:
    """Yield observed agreement and kappa of everybody against each key, NaN where kappa is undefined."""
    units, roles = compared.units, compared.roles
    for first, second, *values in as_rows(crowd.first, crowd.second, crowd.units, *crowd.by_id.values()):
        names = units.annotators[first], units.annotators[second]
        yield units.layer, units.id, *names, roles[second], *values


def crowd_csv(agreements: Iterable[ComparedAgreement]) -> str | None:
    """Return what is known of everybody in a crowd against each key, None where nowhere is a crowd."""
    crowds = [agreement for agreement in agreements if agreement.summary.crowded]
    return csv_text(HEAD, chain.from_iterable(agreement.crowd for agreement in crowds)) if crowds else None


# The comparisons of all layers and unit sets.


def all_comparisons(
    agreements: Sequence[ComparedAgreement], people: Mapping[str, Annotator]
) -> Comparisons | None:
    """Return all comparisons of a version, None where everybody is an annotator.

    `people` are the declared ones, by the names shown. Systems come first, in declared order, releases of one
    together.
    """
    pairs = [
        pair.model_copy(update={"system": annotator.system, "release": annotator.release})
        if (annotator := people.get(pair.other))
        else pair
        for agreement in agreements
        for pair in agreement.pairs
    ]
    pairs.sort(key=lambda pair: _order(pair, people))
    sets = tuple(agreement.summary for agreement in agreements)
    return Comparisons(sets=sets, pairs=tuple(pairs)) if sets else None


def _order(pair: Comparison, people: Mapping[str, Annotator]) -> tuple[int, ...]:
    """Return where a comparison comes; layers and unit sets are told apart where they are shown."""
    if pair.role == ANNOTATOR_ROLE:
        return (1,)
    declared, systems = list(people), [annotator.system for annotator in people.values()]
    own = declared.index(pair.other) if pair.other in people else len(declared)
    first = systems.index(pair.system) if pair.system and pair.system in systems else own
    return 0, first, own


# On marks in texts: strict F, and how much annotators agree on the same documents.

MODE = "strict"
F = "f_measure"
STRICT_F = f"{F}[{MODE}]"
SHOWN = ids_with(lambda each: each.main)


def compare_spans(agreement: SpanAgreement) -> ComparedAgreement | None:
    """Return the comparisons of one layer, None where all are annotators or are too many for single pairs."""
    roles = agreement.spans.roles
    if set(roles) <= {ANNOTATOR_ROLE} or agreement.crowded:
        return None
    pairs = tuple(_pair(agreement, pair) for pair in agreement.pairs if _compared(agreement, pair))
    return ComparedAgreement(_summary(agreement, len(pairs)), pairs)


def _summary(agreement: SpanAgreement, people: int) -> ComparedSet:
    spans = agreement.spans
    references = {name: key for key, name in enumerate(spans.people) if spans.roles[key] == REFERENCE}
    return ComparedSet(
        layer=spans.layer,
        figure=STRICT_F,
        references=tuple(references),
        not_independent=tuple(name for name in spans.people if name in spans.derived),
        people=people,
        crowded=False,
        humans={
            name: _humans(agreement, key, np.flatnonzero(spans.saw[:, key])).results
            for name, key in references.items()
        },
    )


def _pair(agreement: SpanAgreement, pair: SpanPairAgreement) -> Comparison:
    """Return a key and somebody else; annotators are themselves the measure, without others beside them."""
    spans, key, other, shares = agreement.spans, pair.first, pair.second, pair.shares[MODE]
    beside = None if spans.roles[other] == ANNOTATOR_ROLE else _humans(agreement, key, pair.documents)
    return Comparison(
        layer=spans.layer,
        key=spans.people[key],
        key_role=spans.roles[key],
        other=spans.people[other],
        role=spans.roles[other],
        independent=False if spans.made_from(key, other) else None,
        documents=len(pair.documents),
        measures=_figures(shares),
        by_category={name: _scores_of_type(figures) for name, figures in pair.figures.by_type.items()},
        humans=beside.results if beside else None,
        **against_humans(beside, {STRICT_F: shares[F]}, STRICT_F),
    )


def _figures(shares: Mapping[str, Estimate]) -> dict[str, Figure]:
    return {f"{name}[{MODE}]": figure(shares[name]) for name in SHOWN}


def _scores_of_type(figures: SpanFigures) -> CategoryScores:
    """Return what became of the marks of one type."""
    counts, strict = figures.counts, figures.strict
    return CategoryScores(
        key=counts.match + counts.overlap + counts.only_first,
        other=counts.match + counts.overlap + counts.only_second,
        both=counts.match,
        precision=strict["precision"],
        recall=strict["recall"],
        specific_agreement=strict[F],
    )


def _compared(agreement: SpanAgreement, pair: SpanPairAgreement) -> bool:
    roles = agreement.spans.roles
    if REFERENCE in roles:
        return roles[pair.first] == REFERENCE
    return roles[pair.second] != ANNOTATOR_ROLE


def _humans(agreement: SpanAgreement, key: int, documents: Codes) -> HumanAgreement:
    """Return how annotators agree in some documents (numbers), and with the key where it is a reference."""
    roles, size = agreement.spans.roles, len(agreement.spans.documents)
    chosen = np.zeros(size, dtype=np.bool_)
    chosen[documents] = True
    pairs = [pair for pair in agreement.pairs if roles[pair.first] == roles[pair.second] == ANNOTATOR_ROLE]
    parts = [
        ((pair.first, pair.second), pair.documents[chosen[pair.documents]], part[F])
        for pair in pairs
        for part in _shares_in(agreement, pair, chosen)
    ]
    is_seen = np.zeros(size, dtype=np.bool_)
    for _, where, _ in parts:
        is_seen[where] = True
    mean = _mean_of_ratios([part[1:] for part in parts])
    human_figures = Humans(
        pairs=len(parts),
        documents=int(is_seen.sum()),
        measures={STRICT_F: figure(mean)},
        against_reference=dict(_marks_against(agreement, key, chosen)),
    )
    return HumanAgreement(human_figures, {STRICT_F: mean}, choice=_choice_in_marks(parts, size))


def _choice_in_marks(
    parts: Sequence[tuple[tuple[int, int], Codes, Ratio]], documents: int
) -> AnnotatorChoice | None:
    """Return what the choice of annotators adds to the variance of the mean of their ratios."""
    influences, counted = [], np.zeros(documents, dtype=np.bool_)
    for people, where, ratio in parts:
        if (value := ratio.value) is not None:
            moved = np.zeros(documents)
            moved[where] = ratio.influence()
            counted[where[ratio.denominator > 0]] = True
            influences.append((people, value, moved))
    size = int(counted.sum())
    figures = [(people, value, moved[counted] * size) for people, value, moved in influences]
    return annotator_choice(figures, Clusters.of_documents(size))


def _shares_in(agreement: SpanAgreement, pair: SpanPairAgreement, chosen: Mask) -> Iterator[dict[str, Ratio]]:
    """Yield a pair's shares in the chosen documents (documents,), unless it has none of them."""
    rows = chosen[pair.documents]
    if rows.any():
        yield ratios(pair.counts[rows], MODE, agreement.spans.beta, documents=pair.documents[rows])


def _mean_of_ratios(parts: Sequence[tuple[Codes, Ratio]]) -> Estimate:
    """Return the mean of some ratios, each given with its documents; each document counts once."""
    if not parts:
        return no_estimate(Undefined.NO_PAIR, 0)
    joined = Ratio(
        numerator=np.concatenate([ratio.numerator for _, ratio in parts]),
        denominator=np.concatenate([ratio.denominator for _, ratio in parts]),
        units=sum(ratio.units for _, ratio in parts),
        missed=sum(ratio.missed for _, ratio in parts),
        reason=Undefined.NO_PAIR_DEFINED,
        people=parts[0][1].people,
        documents=np.concatenate([where for where, _ in parts]),
    )
    return mean_of_ratios(joined, np.repeat(np.arange(len(parts)), [len(where) for where, _ in parts]))


def _marks_against(
    agreement: SpanAgreement, key: int, chosen: Mask
) -> Iterator[tuple[str, dict[str, Figure]]]:
    roles = agreement.spans.roles
    for pair in agreement.pairs:
        if pair.first == key and roles[key] == REFERENCE and roles[pair.second] == ANNOTATOR_ROLE:
            for shares in _shares_in(agreement, pair, chosen):
                estimates = {name: shares[name].estimate() for name in SHOWN}
                yield agreement.spans.people[pair.second], _figures(estimates)


def chosen_figures(units: CodedUnits, setting: ScaleSetting, names: Sequence[str]) -> dict[str, Estimate]:
    """Return some figures of all annotators of a unit set; of two annotators, those of their pair."""
    units_of_all, estimates = UnitsOfAll(units, count(units), setting), dict[str, Estimate]()
    if units_of_all.annotators == 2:
        estimates |= pair_scores(units_of_all.pair.table, setting, tuple(names))
    for name in names:
        if name not in estimates:
            estimates = figures_of(measure_of(name), units_of_all) | estimates
    return {name: estimates[name] for name in names if name in estimates}
