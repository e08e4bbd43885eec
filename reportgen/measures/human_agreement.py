"""How much annotators agree on the very units on which a system is scored, in the same measures.

That is the usual ceiling for a system; one that is scored against an adjudicated reference may pass it, since
the reference is better than any one annotator.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from reportgen.counts import Cells, ContingencyTable, count, ranks_of_units, shared_units, table_of_labels
from reportgen.measures.analysis import MOST_ANNOTATORS
from reportgen.measures.estimate import (
    Clusters,
    Estimate,
    Floats,
    NoInterval,
    Undefined,
    no_estimate,
    with_interval,
)
from reportgen.measures.figures import figures_by_name
from reportgen.measures.profiles import mean_of, pair_figures
from reportgen.measures.scores import (
    KAPPA,
    MACRO,
    OBSERVED,
    EstimateInfluence,
    agreement_means,
    moved,
    pair_scores,
)
from reportgen.measures.setting import Setting
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Figure, Mean
from reportgen.results.annotators import Humans
from reportgen.units import NO_CATEGORY, ComparedUnits

ANNOTATOR = "annotator"
PAIR = 2


@dataclass(frozen=True, eq=False)
class HumanAgreement:
    """Annotators on the units, or in the documents, of a comparison.

    `measures` are the means of `results` with what a test needs; `by_category` (categories,) is the mean of
    specific agreement over pairs, None without any.
    """

    results: Humans
    measures: Mapping[str, Estimate]
    by_category: Sequence[Mean | None] = ()


@dataclass(frozen=True, eq=False)
class _AnnotatorPair:
    """Two annotators: their table, and their labels on the units (units,), NO_CATEGORY where none."""

    table: ContingencyTable
    first: Codes
    second: Codes


def humans(
    compared: ComparedUnits, people: tuple[int, ...], setting: Setting, names: tuple[str, ...]
) -> HumanAgreement | None:
    """Return how annotators agree on the units on which some people are compared, the key first.

    A mean's interval counts each document once, whoever labelled it: what each unit moves the figure of each
    pair by is added up before it is squared. None where there are no two annotators.
    """
    annotators = compared.of_role(ANNOTATOR)
    if len(annotators) < PAIR:
        return None
    unit = shared_units(compared, *people)
    unit = unit[np.argsort(ranks_of_units(compared.units)[unit])]
    if len(annotators) > MOST_ANNOTATORS:
        return _of_crowd(compared, unit, annotators)
    labels = {each: compared.labels_of(each)[unit] for each in (people[0], *annotators)}
    pairs = list(_pairs(compared, unit, labels, annotators))
    clusters = _clusters(compared, unit, _covered(pairs, len(unit)), len(pairs))
    measures = _means(pairs, clusters, setting, names)
    return HumanAgreement(
        results=Humans(
            pairs=len(pairs),
            units=clusters.units,
            documents=clusters.groups if clusters.by_document else 0,
            measures=figures_by_name(measures),
            against_reference=_against(compared, unit, labels, annotators, (setting, names)),
        ),
        measures=measures,
        by_category=agreement_means([each.table for each in pairs], setting),
    )


def _pairs(
    compared: ComparedUnits, unit: Codes, labels: Mapping[int, Codes], annotators: Sequence[int]
) -> Iterator[_AnnotatorPair]:
    """Yield every two annotators who share one of the units."""
    for first, second in combinations(annotators, PAIR):
        one, other = labels[first], labels[second]
        if np.any((one != NO_CATEGORY) & (other != NO_CATEGORY)):
            yield _AnnotatorPair(table_of_labels(compared, unit, (first, one), (second, other)), one, other)


def _covered(pairs: Sequence[_AnnotatorPair], units: int) -> Codes:
    """Return which units (numbers) some pair labelled."""
    found = np.zeros(units, dtype=np.bool_)
    for each in pairs:
        found |= (each.first != NO_CATEGORY) & (each.second != NO_CATEGORY)
    return np.flatnonzero(found)


def _clusters(compared: ComparedUnits, unit: Codes, covered: Codes, pairs: int) -> Clusters:
    """Return what a mean over pairs is clustered by; a cell is a unit, by its place in `unit`."""
    where, weight = compared.units.unit_document[unit[covered]], compared.units.unit_weight[unit[covered]]
    documents, units = len(np.unique(where[where != NO_DOCUMENT])), int(weight.sum())
    known = documents > 0
    return Clusters(where, covered, weight, units, documents or units, known, known or pairs > 1)


def _means(
    pairs: Sequence[_AnnotatorPair], clusters: Clusters, setting: Setting, names: tuple[str, ...]
) -> dict[str, Estimate]:
    """Return the mean over pairs of each figure that two people compared have."""
    if not pairs:
        return {name: no_estimate(Undefined.NO_PAIR, 0) for name in (*names, MACRO)}
    figures = [pair_scores(each.table, setting, names) for each in pairs]
    movable = [moved(each.table, setting) for each in pairs]
    means: dict[str, Estimate] = {}
    for name in dict.fromkeys(name for each in figures for name in each):
        own = [each.get(name) for each in figures]
        means[name] = _mean(pairs, own, [each.get(name) for each in movable], clusters)
    return means


def _mean(
    pairs: Sequence[_AnnotatorPair],
    figures: Sequence[Estimate | None],
    movable: Sequence[EstimateInfluence | None],
    clusters: Clusters,
) -> Estimate:
    """Return the mean of one figure, with its interval where what moves it is known for every pair."""
    known = [place for place, each in enumerate(figures) if each is not None and each.value is not None]
    if not known:
        return no_estimate(Undefined.NO_PAIR_DEFINED, clusters.units)
    values = [each.value for each in figures if each is not None and each.value is not None]
    mean = Estimate(math.fsum(values) / len(values), clusters.units)
    parts = [(pairs[place], movable[place]) for place in known]
    followed = [(pair, part) for pair, part in parts if part is not None]
    if len(followed) < len(parts):
        return replace(mean, interval=NoInterval.MEAN_ALONE)
    return _with_interval(mean, followed, clusters)


def _with_interval(
    mean: Estimate, followed: Sequence[tuple[_AnnotatorPair, EstimateInfluence]], clusters: Clusters
) -> Estimate:
    low = min(part.low for _, part in followed)
    disagreements = sum(pair.table.disagreements for pair, _ in followed)
    influence = _of_units(followed, [part.influence for _, part in followed], clusters)
    known = [part.worst for _, part in followed if part.worst is not None]
    worst = math.fsum(known) / len(known) if len(known) == len(followed) else None
    weights = [part.weight for _, part in followed if part.weight is not None]
    return with_interval(
        mean,
        influence,
        clusters,
        (low, 1.0),
        disagreements=disagreements,
        worst=worst,
        weight=_of_units(followed, weights, clusters) if len(weights) == len(followed) else None,
        beside_chance=True,
    )


def _of_units(
    followed: Sequence[tuple[_AnnotatorPair, EstimateInfluence]], cells: Sequence[Cells], clusters: Clusters
) -> Floats:
    """Return what each unit (units,) adds to the mean of what it adds to each pair's figure."""
    whole = np.zeros(len(followed[0][0].first))
    for (pair, part), each in zip(followed, cells, strict=True):
        both = (pair.first != NO_CATEGORY) & (pair.second != NO_CATEGORY)
        added = np.where(both, each.at(pair.first, pair.second), 0.0)
        whole += added / part.estimate.units / len(followed)
    moved: Floats = whole * clusters.units
    return moved


def _against(
    compared: ComparedUnits,
    unit: Codes,
    labels: Mapping[int, Codes],
    annotators: Sequence[int],
    asked: tuple[Setting, tuple[str, ...]],
) -> dict[str, dict[str, Figure]]:
    """Return the figures of each annotator against the key on these units, where the key is a reference."""
    key = next(iter(labels))
    if compared.roles[key] == ANNOTATOR:
        return {}
    tables = {
        each: table_of_labels(compared, unit, (key, labels[key]), (each, labels[each])) for each in annotators
    }
    names = compared.units.annotators
    return {
        names[each]: figures_by_name(pair_scores(table, *asked))
        for each, table in tables.items()
        if table.units
    }


def _of_crowd(compared: ComparedUnits, unit: Codes, annotators: Sequence[int]) -> HumanAgreement:
    """Return the means of observed agreement and kappa over the pairs of a crowd."""
    units = compared.units
    here, annotates = (
        np.zeros(len(units.unit_weight), dtype=np.bool_),
        np.zeros(len(compared.roles), np.bool_),
    )
    here[unit], annotates[list(annotators)] = True, True
    rows = here[units.unit] & annotates[units.annotator]
    some = replace(units, unit=units.unit[rows], annotator=units.annotator[rows], label=units.label[rows])
    figures = pair_figures(count(some).pairs, len(units.categories))
    rated = np.bincount(some.unit, minlength=len(here)) >= PAIR
    where = units.unit_document[rated]
    columns = {OBSERVED: figures.observed, KAPPA: figures.kappa}
    total = int(units.unit_weight[rated].sum())
    measures = {name: _crowd_mean(values, total) for name, values in columns.items()}
    found = Humans(
        pairs=len(figures.first),
        units=total,
        documents=len(np.unique(where[where != NO_DOCUMENT])),
        measures=figures_by_name(measures),
    )
    return HumanAgreement(found, measures)


def _crowd_mean(values: Floats, units: int) -> Estimate:
    if np.isnan(values).all():
        return no_estimate(Undefined.NO_PAIR if len(values) == 0 else Undefined.NO_PAIR_DEFINED, units)
    return Estimate(mean_of(values)[0], units, interval=NoInterval.MANY_PAIRS)
