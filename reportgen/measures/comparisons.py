"""References and systems, on units and on marks: everybody against them, and beside it the annotators."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypedDict

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import Annotator
from reportgen.catalogue import brackets_on, ids_with, measure_of
from reportgen.counts import ContingencyTable, PairCounts, keys_and_others, pair_table
from reportgen.measures.analysis import MOST_ANNOTATORS
from reportgen.measures.difference_tests import change
from reportgen.measures.estimate import Clusters, Estimate, Undefined, figure, figures_by_name, no_estimate
from reportgen.measures.ratings_by_unit import PairFigures, pair_figures
from reportgen.measures.retrieval import Ratio, mean_of_ratios, ratios
from reportgen.measures.scores import HumanAgreement, humans, pair_scores, scores_by_category
from reportgen.measures.sets import judged
from reportgen.measures.spans import ANNOTATOR, SpanAgreement, SpanPairAgreement
from reportgen.measures.standard_errors import AnnotatorChoice, annotator_choice, over_annotators
from reportgen.measures.unit_set_data import Setting
from reportgen.readers import Codes
from reportgen.results import Figure, Interval
from reportgen.results.annotators import CategoryScores, ComparedSet, Comparison, Comparisons, Humans
from reportgen.results.marks import SpanFigures
from reportgen.results.model import csv_text
from reportgen.results.parts import Change
from reportgen.units import ComparedUnits, Mask

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
    compared: ComparedUnits, counts: PairCounts, setting: Setting, coefficient: str
) -> ComparedAgreement:
    """Return every figure of a unit set's comparisons; `coefficient` is the layer's primary one.

    It is the figure that pages show first, where two people have it.
    """
    crowded = len(compared.of_role(ANNOTATOR)) > MOST_ANNOTATORS
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
    setting: Setting
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
        is_system = compared.roles[other] != ANNOTATOR
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


def compared_figures(setting: Setting, coefficient: str) -> tuple[str, ...]:
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
    systems = [pair for pair in ordered if ANNOTATOR not in (roles[pair[0]], roles[pair[1]])]
    lowest = [pair for pair in ordered if ANNOTATOR in (roles[pair[0]], roles[pair[1]])]
    return sorted([*systems, *lowest[:LOWEST_SHOWN]])


def _tables(
    compared: ComparedUnits, counts: PairCounts, shown: Sequence[tuple[int, int]]
) -> Iterator[ContingencyTable]:
    """Yield the table of each two people; annotators who share no unit with the key have none."""
    size, people = len(compared.units.categories), len(compared.roles)
    key_and_other = counts.first * people + counts.second
    for key, other in shown:
        start, end = np.searchsorted(key_and_other, [key * people + other, key * people + other + 1]).tolist()
        if start < end or compared.roles[other] != ANNOTATOR:
            yield pair_table(counts.part(start, end), size, key, other)


def _crowd_rows(compared: ComparedUnits, crowd: PairFigures) -> Iterator[CrowdRow]:
    """Yield observed agreement and kappa of everybody against each key, NaN where kappa is undefined."""
    units, roles = compared.units, compared.roles
    columns = (crowd.first, crowd.second, crowd.units, *crowd.by_id.values())
    for first, second, *values in zip(*(column.tolist() for column in columns), strict=True):
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
    if pair.role == ANNOTATOR:
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
    if set(roles) <= {ANNOTATOR} or agreement.crowded:
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
    beside = None if spans.roles[other] == ANNOTATOR else _humans(agreement, key, pair.documents)
    return Comparison(
        layer=spans.layer,
        key=spans.people[key],
        key_role=spans.roles[key],
        other=spans.people[other],
        role=spans.roles[other],
        independent=False if spans.made_from(key, other) else None,
        documents=len(pair.documents),
        measures=_figures(shares),
        by_category={name: _scores(figures) for name, figures in pair.figures.by_type.items()},
        humans=beside.results if beside else None,
        **against_humans(beside, {STRICT_F: shares[F]}, STRICT_F),
    )


def _figures(shares: Mapping[str, Estimate]) -> dict[str, Figure]:
    return {f"{name}[{MODE}]": figure(shares[name]) for name in SHOWN}


def _scores(figures: SpanFigures) -> CategoryScores:
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
    return roles[pair.second] != ANNOTATOR


def _humans(agreement: SpanAgreement, key: int, documents: Codes) -> HumanAgreement:
    """Return how annotators agree in some documents (numbers), and with the key where it is a reference."""
    roles, size = agreement.spans.roles, len(agreement.spans.documents)
    chosen = np.zeros(size, dtype=np.bool_)
    chosen[documents] = True
    pairs = [pair for pair in agreement.pairs if roles[pair.first] == roles[pair.second] == ANNOTATOR]
    parts = [
        ((pair.first, pair.second), pair.documents[chosen[pair.documents]], part[F])
        for pair in pairs
        for part in _shares_in(agreement, pair, chosen)
    ]
    is_seen = np.zeros(size, dtype=np.bool_)
    for _, where, _ in parts:
        is_seen[where] = True
    mean = _mean([part[1:] for part in parts])
    human_figures = Humans(
        pairs=len(parts),
        documents=int(is_seen.sum()),
        measures={STRICT_F: figure(mean)},
        against_reference=dict(_against(agreement, key, chosen)),
    )
    return HumanAgreement(human_figures, {STRICT_F: mean}, choice=_choice(parts, size))


def _choice(parts: Sequence[tuple[tuple[int, int], Codes, Ratio]], documents: int) -> AnnotatorChoice | None:
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


def _mean(parts: Sequence[tuple[Codes, Ratio]]) -> Estimate:
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


def _against(agreement: SpanAgreement, key: int, chosen: Mask) -> Iterator[tuple[str, dict[str, Figure]]]:
    roles = agreement.spans.roles
    for pair in agreement.pairs:
        if pair.first == key and roles[key] == REFERENCE and roles[pair.second] == ANNOTATOR:
            for shares in _shares_in(agreement, pair, chosen):
                estimates = {name: shares[name].estimate() for name in SHOWN}
                yield agreement.spans.people[pair.second], _figures(estimates)
