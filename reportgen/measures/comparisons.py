"""References and systems: everybody against the reference, and beside it how much annotators agree there."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np

from reportgen.campaign import Annotator
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
from reportgen.measures.analysis import MOST_ANNOTATORS
from reportgen.measures.catalogue import measure_of
from reportgen.measures.difference_tests import change
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
from reportgen.measures.profiles import PairFigures, mean_of, pair_figures
from reportgen.measures.scores import (
    ALPHA,
    KAPPA,
    MACRO,
    OBSERVED,
    EstimateInfluence,
    agreement_means,
    moved,
    pair_scores,
    scores_by_category,
)
from reportgen.measures.sets import judged
from reportgen.measures.setting import Setting
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Figure, Mean
from reportgen.results.annotators import ComparedSet, Comparison, Comparisons, Humans
from reportgen.results.model import csv_text
from reportgen.results.parts import Change
from reportgen.units import NO_CATEGORY, ComparedUnits

# How much annotators agree on the very units on which a system is scored, in the same measures.
#
# That is the usual ceiling for a system; one that is scored against an adjudicated reference may pass it,
# since the reference is better than any one annotator.

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


REFERENCE = "reference"
# Of a crowd against a reference, so many have all their figures: those that agree with it least.
LOWEST_SHOWN = 20
# The columns of tables/comparisons-of-all.csv.
HEAD = ("layer", "unit_set", "key", "other", "role", "units", OBSERVED, KAPPA)
CrowdRow = tuple[str, str, str, str, str, int, float, float]


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
    compared: ComparedUnits, counts: PairCounts, setting: Setting, coefficient: str
) -> ComparedAgreement:
    """Return every figure of a unit set's comparisons; `coefficient` is the layer's primary one.

    It is the figure that pages show first, where two people have it.
    """
    crowded = len(compared.of_role(ANNOTATOR)) > MOST_ANNOTATORS
    crowd = pair_figures(counts, len(compared.units.categories)) if crowded else None
    asked = _Asked(compared, setting, compared_figures(setting, coefficient))
    tables = list(_tables(compared, counts, _shown(compared, crowd)))
    scores = [pair_scores(table, setting, asked.names) for table in tables]
    shown = coefficient if any(coefficient in each for each in scores) else ALPHA
    people = len(crowd.first) if crowd else len(tables)
    return ComparedAgreement(
        summary=asked.summary(shown, people, crowded=crowded),
        pairs=tuple(asked.pair(*each, shown) for each in zip(tables, scores, strict=True)),
        crowd=list(_crowd_rows(compared, crowd)) if crowd else (),
    )


@dataclass(frozen=True, eq=False)
class _Asked:
    """A unit set, and the figures of the catalogue (`names`) by which two people are compared there."""

    compared: ComparedUnits
    setting: Setting
    names: tuple[str, ...]

    def humans(self, *people: int) -> HumanAgreement | None:
        """Return how annotators agree on the units of some people, the key first."""
        return humans(self.compared, people, self.setting, self.names)

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
            humans={name: each.results for name, each in of_keys.items() if each},
        )

    def pair(self, table: ContingencyTable, measures: Mapping[str, Estimate], shown: str) -> Comparison:
        """Return a key, the table's first, and somebody else, on the units that both labelled.

        Annotators are themselves the measure: human agreement is seen beside others alone.
        """
        compared, key, other = self.compared, table.first, table.second
        is_system = compared.roles[other] != ANNOTATOR
        beside = self.humans(key, other) if is_system and table.units else None
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
            against_humans=against_humans(beside, measures, shown),
        )


def against_humans(
    humans: HumanAgreement | None, measures: Mapping[str, Estimate], shown: str
) -> Change | None:
    """Return the mean of annotators with each other beside a system's figure, and the test of the difference.

    Both are of the same units, so that documents are paired.
    """
    ours, theirs = humans.measures.get(shown) if humans else None, measures.get(shown)
    if ours is None or theirs is None or ours.value is None or theirs.value is None:
        return None
    return change((ours, theirs), same_material=True)


def compared_figures(setting: Setting, coefficient: str) -> tuple[str, ...]:
    """Return the figures of the catalogue by which two people are compared."""
    scales = {
        "ordinal": (f"{ALPHA}[ordinal]",),
        "interval": (f"{ALPHA}[interval]",),
        "ratio": (f"{ALPHA}[interval]", f"{ALPHA}[ratio]"),
    }
    declared = tuple(f"{ALPHA}[{each.id}]" for each in setting.distances)
    primary = (coefficient,) if measure_of(coefficient).for_pair else ()
    ordered = (OBSERVED, KAPPA, ALPHA, *declared, *scales.get(setting.scale, ()), *primary)
    return tuple(dict.fromkeys(ordered))


def _shown(compared: ComparedUnits, crowd: PairFigures | None) -> list[tuple[int, int]]:
    """Return who is shown with all figures: everybody, or of a crowd who agrees with a key least."""
    keys, others = keys_and_others(compared)
    if crowd is None:
        return [(key, other) for key in keys for other in others]
    order = np.lexsort((crowd.second, crowd.first, -crowd.units, crowd.observed))
    ordered = list(zip(crowd.first[order].tolist(), crowd.second[order].tolist(), strict=True))
    roles = compared.roles
    systems = [pair for pair in ordered if ANNOTATOR not in (roles[pair[0]], roles[pair[1]])]
    lowest = [pair for pair in ordered if ANNOTATOR in (roles[pair[0]], roles[pair[1]])]
    return sorted([*systems, *lowest[:LOWEST_SHOWN]])


def _tables(
    compared: ComparedUnits, counts: PairCounts, shown: Sequence[tuple[int, int]]
) -> Iterator[ContingencyTable]:
    """Yield the table of each two people; annotators who share no unit with the key have none."""
    size, people = len(compared.units.categories), len(compared.roles)
    place = counts.first * people + counts.second
    for key, other in shown:
        start, end = np.searchsorted(place, [key * people + other, key * people + other + 1]).tolist()
        if start < end or compared.roles[other] != ANNOTATOR:
            yield pair_table(counts.part(start, end), size, key, other)


def _crowd_rows(compared: ComparedUnits, crowd: PairFigures) -> Iterator[CrowdRow]:
    """Yield observed agreement and kappa of everybody against each key, NaN where kappa is undefined."""
    units, roles = compared.units, compared.roles
    columns = (crowd.first, crowd.second, crowd.units, crowd.observed, crowd.kappa)
    for first, second, n, observed, kappa in zip(*(each.tolist() for each in columns), strict=True):
        names = units.annotators[first], units.annotators[second]
        yield units.layer, units.id, *names, roles[second], n, observed, kappa


def crowd_csv(found: Iterable[ComparedAgreement]) -> str | None:
    """Return what is known of everybody in a crowd against each key, None where nowhere is a crowd."""
    crowds = [each for each in found if each.summary.crowded]
    return csv_text(HEAD, chain.from_iterable(each.crowd for each in crowds)) if crowds else None


# The comparisons of all layers and unit sets.


def all_comparisons(
    found: Sequence[ComparedAgreement], people: Mapping[str, Annotator]
) -> Comparisons | None:
    """Return all comparisons of a version, None where everybody is an annotator.

    `people` are the declared ones, by the names shown. Systems come first, in declared order, releases of one
    together.
    """
    pairs = [
        pair.model_copy(update=_release(people.get(pair.other))) for each in found for pair in each.pairs
    ]
    pairs.sort(key=lambda pair: _order(pair, people))
    return Comparisons(sets=tuple(each.summary for each in found), pairs=tuple(pairs)) if found else None


def _release(known: Annotator | None) -> dict[str, str | None]:
    """Return which system, and which release of it, somebody is declared to be."""
    return {"system": known.system, "release": known.release} if known else {}


def _order(pair: Comparison, people: Mapping[str, Annotator]) -> tuple[bool, int, int]:
    """Return where a comparison comes; layers and unit sets are told apart where they are shown."""
    declared = list(people)
    if pair.role == ANNOTATOR:
        return True, 0, 0
    places = [
        place for place, each in enumerate(people.values()) if pair.system and each.system == pair.system
    ]
    own = declared.index(pair.other) if pair.other in people else len(declared)
    return False, min(places, default=own), own
