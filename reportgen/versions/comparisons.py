"""Two versions compared (comparison.json, changed.json), and a campaign's history of all (history.json).

The history computes nothing: every figure, difference and p value is another file's; p values of several
layers are adjusted as findings on the two versions adjust them.
"""

import itertools
import math
import operator
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.files import from_csv
from reportgen.campaign import Campaign, Version
from reportgen.catalogue import BY_ID, CATALOGUE, base_id
from reportgen.measures.significance_tests import with_holm
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Figure, Results, Tool, rounded
from reportgen.results.annotators import ComparedSet, Comparison, Humans
from reportgen.results.parts import Basis, Categories, Change
from reportgen.results.texts import Span, in_context
from reportgen.results.unit_sets import UnitSet
from reportgen.results.versions import (
    Attendants,
    Changed,
    ChangedUnit,
    ChangedUnits,
    ComparedCampaign,
    ComparedPair,
    Coverage,
    Group,
    GuidelinesCompared,
    History,
    HistoryCampaign,
    LayerMove,
    LayerState,
    Move,
    ReleaseState,
    Step,
    SystemState,
    VersionComparison,
    VersionSide,
    VersionState,
    in_order,
    on_shared,
)
from reportgen.units import NO_CATEGORY, Pseudonyms
from reportgen.versions.agreement_revisions import (
    UNMARKED,
    Flipped,
    RevisedUnits,
    RowAlignment,
    revise_unit_sets,
)
from reportgen.versions.guidelines_documents import guidelines_compared, guidelines_document
from reportgen.versions.sides import NamedUnits, Side
from reportgen.versions.system_changes import revised_marks, revised_systems

# Units of a list: every two versions have one, so that longer ones fill a site.
MOST_UNITS = 100
# So many confusions of a version are told.
MOST_CONFUSIONS = 12


def changed_units(first: Side, second: Side, revised: Iterable[RevisedUnits], names: Pseudonyms) -> Changed:
    """Return the units of each unit set that changed sides or are still disputed, in the order of texts.

    Of more than 100 a list has 100, evenly chosen. Documents and units are called as `names` says.
    """
    return Changed(
        first=first.version.id,
        second=second.version.id,
        unit_sets=tuple(
            _units(first, second, revised_units, revised_units.flipped, names)
            for revised_units in revised
            if revised_units.flipped is not None
        ),
    )


def _units(
    first: Side, second: Side, revised: RevisedUnits, flipped: Flipped, names: Pseudonyms
) -> ChangedUnits:
    before = _Labelled(revised.first, first.texts, names)
    after = _Labelled(revised.second, second.texts, names)
    return ChangedUnits(
        layer=revised.revision.layer,
        unit_set=revised.revision.unit_set,
        mended=tuple(_changed(before, after, flipped.mended)),
        broken=tuple(_changed(before, after, flipped.broken)),
        disputed=tuple(_changed(before, after, flipped.disputed)),
    )


def _changed(first: "_Labelled", second: "_Labelled", rows: RowAlignment) -> Iterator[ChangedUnit]:
    """Yield units of both versions; of more than a list has, some that are evenly chosen."""
    size = len(rows.first)
    if size > MOST_UNITS:
        rows = rows.some(np.arange(MOST_UNITS, dtype=np.int64) * size // MOST_UNITS)
    for one, other in zip(rows.first.tolist(), rows.second.tolist(), strict=True):
        labelled, row = (first, one) if other == UNMARKED else (second, other)
        document = labelled.document(row)
        yield ChangedUnit(
            document=document and labelled.shown.document(document),
            **labelled.in_words(row),
            first=first.labels(one, document or ""),
            second=second.labels(other, document or ""),
        )


@dataclass(frozen=True, eq=False)
class _Labelled:
    """The units of one version with what each annotator said of them, and the texts of its documents."""

    named: NamedUnits
    texts: Mapping[str, str]
    shown: Pseudonyms

    @cached_property
    def starts(self) -> Codes:
        """Return where the ratings of each unit begin and end, ratings being sorted by unit."""
        return np.searchsorted(self.named.units.unit[self.order], np.arange(len(self.named.unit) + 1))

    @cached_property
    def order(self) -> Codes:
        """Return the ratings by unit and annotator."""
        units = self.named.units
        return np.lexsort((units.annotator, units.unit))

    def labels(self, row: int, document: str) -> dict[str, str]:
        """Return what annotators said of a unit of a document: of one that is no row, that it is unmarked."""
        units = self.named.units
        if row == UNMARKED:
            absent = units.categories[units.non_annotated] if units.non_annotated != NO_CATEGORY else None
            return {} if absent is None else dict.fromkeys(self._readers.get(document, ()), absent)
        here = self.order[self.starts[row] : self.starts[row + 1]]
        pairs = zip(units.annotator[here].tolist(), units.label[here].tolist(), strict=True)
        return {units.annotators[who]: units.categories[label] for who, label in pairs}

    @cached_property
    def _readers(self) -> dict[str, list[str]]:
        """Return who read each document, by its name."""
        units = self.named.units
        document = units.document[units.unit]
        readers: dict[str, list[str]] = {}
        for code, who in np.unique(np.stack([document, units.annotator], axis=1), axis=0).tolist():
            if code != NO_DOCUMENT:
                readers.setdefault(units.documents[code], []).append(units.annotators[who])
        return readers

    def document(self, row: int) -> str | None:
        """Return the document of a unit, None where none is known."""
        code = int(self.named.units.document[row])
        return None if code == NO_DOCUMENT else self.named.units.documents[code]

    def in_words(self, row: int) -> dict[str, str]:
        """Return a unit of a text in its context, else its name."""
        place_code, document = int(self.named.units.unit_place[row]), self.document(row)
        text = self.texts.get(document or "")
        spans = self._spans.get(place_code, ())
        if text is None or not spans:
            return {"unit": self.shown.unit(self.named.units.places.names[place_code])}
        context = in_context(text, spans)
        return {"before": context.before, "unit": context.unit, "after": context.after}

    @cached_property
    def _spans(self) -> dict[int, tuple[Span, ...]]:
        places, spans = self.named.units.places, dict[int, tuple[Span, ...]]()
        columns = (places.unit.tolist(), places.start.tolist(), places.end.tolist())
        for place_code, start, end in zip(*columns, strict=True):
            spans[place_code] = (*spans.get(place_code, ()), (start, end))
        return spans


# Two guidelines versions of one campaign, compared: the model of comparison.json, without findings.

SPECIFIC, REPLACEMENT = "specific_agreement", "replacement"


def compare(
    campaign: Campaign,
    sides: tuple[Side, Side],
    coefficients: Mapping[str, str],
    names: Pseudonyms,
    tool: Tool,
) -> tuple[VersionComparison, Changed | None]:
    """Return two versions compared, and the units that changed sides unless the campaign withholds texts.

    `coefficients` are the primary ones by layer; documents and units are called as `names` says.
    """
    first, second = sides
    # What each version after the first, up to the second, calls categories of earlier ones.
    order = campaign.versions
    later = order[order.index(first.version.id) + 1 : order.index(second.version.id) + 1]
    merged = {version.version: version.merged for version in campaign.guidelines}
    merges = [merged[version_id] for version_id in later]
    revised = list(revise_unit_sets(first, second, merges, coefficients, _gate_figures(campaign)))
    unit_sets = tuple(revised_units.revision for revised_units in revised)
    spans = tuple(revised_marks(first, second, merges))
    people = {names.annotator(name): annotator for name, annotator in campaign.annotators.items()}
    systems = revised_systems(first, second, merges, people, coefficients)
    guidelines, uncompared = _guidelines(first, second, names)
    measures = [revision.measures for revision in unit_sets]
    measures += [revision.measures for revision in spans] + [revision.measures for revision in systems]
    used = {SPECIFIC, *map(base_id, (*coefficients.values(), *chain.from_iterable(measures)))}
    comparison = VersionComparison(
        campaign=ComparedCampaign(id=campaign.id, title=campaign.title),
        first=_side(first.version),
        second=_side(second.version),
        coefficients=coefficients,
        unit_sets=unit_sets,
        spans=spans,
        systems=systems,
        guidelines=guidelines,
        guidelines_uncompared=uncompared,
        missing={"first": tuple(_alone(first, second)), "second": tuple(_alone(second, first))},
        margin=_margin(campaign, coefficients),
        names={figure: BY_ID[figure].name for figure in sorted(used) if figure in BY_ID},
        places={measure.id: index for index, measure in enumerate(CATALOGUE) if measure.id in used},
        tool=tool,
    )
    changed = None if campaign.privacy.texts == "withhold" else changed_units(first, second, revised, names)
    return VersionComparison.model_validate(rounded(comparison)), changed


def _gate_figures(campaign: Campaign) -> Sequence[str]:
    """Return the figures that the gate asks for, which pairs of annotators are then compared by too.

    Specific agreement is compared anyway, and what models beat is a figure of one version alone.
    """
    return [figure for figure in campaign.gate if base_id(figure) not in {SPECIFIC, REPLACEMENT}]


def _margin(campaign: Campaign, coefficients: Mapping[str, str]) -> float | None:
    """Return the smallest margin that [gate] has for the first layer's coefficient, None without any."""
    layer, figure = next(iter(coefficients.items()))
    floors = (
        floor
        for floor in campaign.gate.get(figure, ())
        if floor.layer in {None, layer} and not (floor.category or floor.unit_set or floor.annotators)
    )
    return min((floor.margin for floor in floors if floor.margin is not None), default=None)


def _side(version: Version) -> VersionSide:
    date = version.date.isoformat() if version.date else None
    return VersionSide(guidelines=version.id, date=date, changes=version.changes)


def _alone(side: Side, other: Side) -> Iterator[str]:
    """Yield the unit sets that only one of the two has."""
    return (f"{layer}/{name}" for layer, name in side.unit_sets if (layer, name) not in other.unit_sets)


def _guidelines(first: Side, second: Side, names: Pseudonyms) -> tuple[GuidelinesCompared | None, str | None]:
    """Return the guidelines documents compared, with the categories that their passages name."""
    versions = first.version, second.version
    documents = [guidelines_document(version.folder, version.id, version.document) for version in versions]
    used = [units for side in (second, first) for units in side.unit_sets.values()]
    categories = dict.fromkeys(
        name for units in used for name in units.categories if name != units.non_annotated_name
    )
    shown = [replace(document, name=names.in_path(document.name)) for document in documents]
    return guidelines_compared(shown[0], shown[1], tuple(categories))


# Which documents and annotators are in which version, from the counts in its folder.


def coverage(annotators_csv: Mapping[str, str]) -> Coverage:
    """Return which documents and annotators are in which version, from the text of counts/annotators.csv.

    A document is in a version where a unit of it is counted in some unit set; an annotator too.
    """
    versions_of: dict[str, list[str]] = {}
    documents_of: dict[str, dict[str, int]] = {}
    for version, text in annotators_csv.items():
        rows = _who_in_what(text)
        for document in dict.fromkeys(document for document, _ in rows if document):
            versions_of.setdefault(document, []).append(version)
        for document, annotator in rows:
            own = documents_of.setdefault(annotator, {})
            own[version] = own.get(version, 0) + bool(document)
    people: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for name, own in sorted(documents_of.items()):
        people.setdefault(tuple(own.items()), []).append(name)
    return Coverage(
        documents=tuple(_groups(versions_of)),
        annotators=tuple(
            Attendants(annotators=tuple(names), documents=dict(own)) for own, names in people.items()
        ),
    )


def _who_in_what(text: str) -> list[tuple[str, str]]:
    """Return each document with each of its annotators once, in the order of the table."""
    head, *rows = from_csv(text) or [[]]
    if not head:
        return []
    return list(
        dict.fromkeys(map(operator.itemgetter(head.index("document"), head.index("annotator")), rows))
    )


def _groups(versions_of: Mapping[str, Iterable[str]]) -> Iterator[Group]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for document, versions in versions_of.items():
        groups.setdefault(tuple(versions), []).append(document)
    for versions, documents in groups.items():
        yield Group(versions=versions, documents=tuple(documents))


# What moved from version to version of a campaign's history, as their comparisons have it.

STRICT = "f_measure[strict]"
# Why a figure did not move.
IN_ONE = "the figure is in one of the two versions only"
Comparisons = Mapping[tuple[str, str], VersionComparison]


def step(pair: tuple[str, str], covered: Coverage, comparison: VersionComparison | None) -> Step:
    """Return what moved from one version to the next, and what else was another: documents and people."""
    first, second = pair
    before, after = covered.annotators_of(first), covered.annotators_of(second)
    return Step(
        first=first,
        second=second,
        documents=_shared_documents(covered, first, second),
        edited=max((revision.overlap.edited for revision in comparison.unit_sets), default=0)
        if comparison
        else 0,
        left=tuple(name for name in before if name not in after),
        joined=tuple(name for name in after if name not in before),
        compared=comparison is not None,
        layers=tuple(_layer_moves(comparison)) if comparison else (),
    )


def _shared_documents(covered: Coverage, first: str, second: str) -> tuple[int, int, int] | None:
    """Return how many documents are in both versions, in the first alone, in the second alone."""
    both, before, after = (
        sum(len(group.documents) for group in covered.documents if {first, second} & {*group.versions} == of)
        for of in ({first, second}, {first}, {second})
    )
    return (both, before, after) if both + before and both + after else None


def _layer_moves(comparison: VersionComparison) -> Iterator[LayerMove]:
    """Yield how each layer moved; documents of both versions come before all of each."""
    primary = on_shared((units for units in comparison.unit_sets if units.primary), "layer")
    changes = {
        revision.layer: revision.measures[revision.figure]
        for revision in primary
        if revision.figure in revision.measures
    }
    # The first layer has a test of its own; the others answer one question together (Holm).
    others = {revision.layer for revision in primary[1:]}
    changes |= with_holm({layer: change for layer, change in changes.items() if layer in others})
    for revision in primary:
        layer, change = revision.layer, changes.get(revision.layer)
        yield LayerMove(
            layer=layer,
            coefficient=_move(revision.figure, change, revision.basis)
            if change
            else Move(figure=revision.figure, untested=IN_ONE),
            clusters=revision.clusters,
            documents=revision.overlap.documents,
            specific_agreement={
                name: _move("specific_agreement", change, revision.basis)
                for name, change in revision.specific_agreement.items()
            },
            f_measure=_f_move(comparison, layer),
            renamed=_renamed(revision.categories) or None,
        )


def _renamed(categories: Categories) -> dict[str, str]:
    """Return the labels that have another name and are else the same: none that became one, or several."""
    times = Counter(categories.merged.values())
    parts = categories.split or {}
    return {
        old: new for old, new in categories.merged.items() if times[new] == 1 and new not in parts.values()
    }


def _f_move(comparison: VersionComparison, layer: str) -> Move | None:
    """Return how the strict F of a layer's marks moved, None where there are no marks in texts."""
    own = (marks for marks in comparison.spans if marks.layer == layer and STRICT in marks.measures)
    chosen = next(iter(on_shared(own, "layer")), None)
    return _move(STRICT, chosen.measures[STRICT], chosen.basis) if chosen else None


def _move(figure: str, change: Change, basis: Basis) -> Move:
    test = change.test
    adjusted = test.adjusted if test else None
    return Move(
        figure=figure,
        basis=basis,
        method=test.method if test else None,
        first=change.first.value,
        second=change.second.value,
        difference=change.difference,
        interval=change.interval,
        p=test.p if test and adjusted is None else adjusted,
        untested=change.untested,
    )


def links(names: Sequence[str], comparisons: Comparisons) -> Iterator[ComparedPair]:
    """Yield every comparison that there is, in the order of the later version and then of the earlier."""
    for index, second in enumerate(names):
        for first in names[:index]:
            if comparison := comparisons.get((first, second)):
                move = next((layer_move.coefficient for layer_move in _layer_moves(comparison)), None)
                yield ComparedPair(first=first, second=second, move=move)


# Each version by itself, and the history of all of them.

# Twelve digits are written: what differs by less is the same figure.
SAME = 1e-10
# Why a figure has no value in a version.
ABSENT = "it does not exist for these annotators and this scale"
NO_MARKS = "no pair of annotators has marks to compare"
NOT_COMPUTED = "it was not computed"


def history(
    versions: Sequence[Results],
    annotators_csv: Sequence[str],
    comparisons: Comparisons,
    releases: Mapping[str, ReleaseState] | None = None,
) -> History:
    """Return the history of a campaign with at least one version.

    `versions` are in the order of their declaration; `annotators_csv` has the text of each version's
    counts/annotators.csv, empty where there is none; `comparisons` are by the names of two versions, the
    older first; `releases` say what was released of versions, by their names.
    """
    places = in_order([version.revision.date for version in versions])
    ordered = [versions[index] for index in places]
    covered = coverage({versions[index].guidelines: annotators_csv[index] for index in places})
    newest = ordered[-1]
    authors = tuple(author.name for author in newest.campaign.authors)
    names = [version.guidelines for version in ordered]
    return History(
        campaign=HistoryCampaign(id=newest.campaign.id, title=newest.campaign.title, authors=authors),
        versions=tuple(_state(version, comparisons, releases or {}) for version in ordered),
        steps=tuple(step(pair, covered, comparisons.get(pair)) for pair in itertools.pairwise(names)),
        comparisons=tuple(links(names, comparisons)),
        coverage=covered,
        tool=newest.tool,
    )


def _state(results: Results, comparisons: Comparisons, releases: Mapping[str, ReleaseState]) -> VersionState:
    # Each layer's primary unit set, that of the campaign's coefficient first.
    sets = [unit_set for unit_set in results.unit_sets if unit_set.primary] or list(results.unit_sets[:1])
    primaries = list({unit_set.layer: unit_set for unit_set in reversed(sets)}.values())[::-1]
    return VersionState(
        version=results.guidelines,
        date=results.revision.date,
        changes=results.revision.changes,
        was=results.revision.was,
        release=releases.get(results.guidelines),
        verdicts=tuple(finding for finding in results.findings if finding.kind == "verdict"),
        causes=tuple(finding for finding in results.findings if finding.cause == 1),
        layers=tuple(_layer(results, unit_set, comparisons) for unit_set in primaries),
    )


def _layer(results: Results, unit_set: UnitSet, comparisons: Comparisons) -> LayerState:
    coefficient = results.coefficients[unit_set.layer]
    base = coefficient.partition("[")[0]
    definition = results.catalogue.get(base)
    absent = Figure(value=None, undefined=ABSENT)
    subject = results.subject_of(unit_set.layer)
    return LayerState(
        layer=unit_set.layer,
        unit_set=unit_set.id,
        annotators=len(unit_set.annotators),
        documents=unit_set.documents,
        units=unit_set.units,
        documents_compared=unit_set.documents_compared,
        units_compared=unit_set.units_compared,
        coefficient=coefficient,
        name=results.name_of(coefficient),
        symbol=definition.symbol if definition else base,
        figure=_short(unit_set.measures.get(coefficient, absent)),
        categories=tuple(category for category in unit_set.judged if category in unit_set.specific_agreement),
        specific_agreement={name: _short(figure) for name, figure in unit_set.specific_agreement.items()},
        f_measure=_strict_f(results, unit_set.layer, comparisons),
        confusions=_confusions(unit_set),
        systems=tuple(_systems(results, unit_set)),
        subject=None if subject == "annotators" else subject,
        answer=results.answer_of(unit_set.layer),
    )


def _confusions(unit_set: UnitSet) -> dict[str, float]:
    """Return which two labels meet how often, as a share of all comparisons; none of sets."""
    pair = unit_set.only_pair
    table = pair.confusion if pair else unit_set.coincidences
    if table is None or unit_set.sets or (pair and pair.withheld):
        return {}
    every, met = math.fsum(table.filled.values()), defaultdict[tuple[str, ...], float](float)
    for places, cases in table.filled.items():
        if places[0] != places[1]:
            met[tuple(table.categories[place] for place in sorted(places))] += cases
    ranked = sorted(met, key=lambda labels: (-met[labels], labels))[:MOST_CONFUSIONS]
    return {" / ".join(labels): met[labels] / every for labels in ranked}


def _short(figure: Figure) -> Figure:
    """Return a figure without what only its own report says of it."""
    return Figure(value=figure.value, interval=figure.interval, undefined=figure.undefined)


def _strict_f(results: Results, layer: str, comparisons: Comparisons) -> Figure | None:
    """Return the mean strict F of a layer's marks, with an interval where one is known.

    Of two annotators it is their own figure; the interval of a mean over pairs is in comparisons.
    """
    spans = results.spans
    if spans is None or layer not in {layer_spans.layer for layer_spans in spans.layers}:
        return None
    means = spans.mean_over_pairs.get(layer)
    mean = means.overall["strict"].get("f_measure") if means else None
    if mean is None:
        return Figure(value=None, undefined=NO_MARKS)
    pairs = [pair for pair in spans.pairs if pair.layer == layer and pair.roles == ("annotator", "annotator")]
    own = [pair.strict["f_measure"] for pair in pairs] if len(pairs) == mean.pairs == 1 else []
    figures = [*own, *_compared_f(results.guidelines, layer, comparisons)]
    same = (
        figure for figure in figures if figure.value is not None and abs(figure.value - mean.value) < SAME
    )
    return next((_short(figure) for figure in same if figure.interval), Figure(value=mean.value))


def _compared_f(version: str, layer: str, comparisons: Comparisons) -> Iterator[Figure]:
    """Yield the mean strict F of a version as its comparisons have it, over all its documents."""
    for (first, second), comparison in comparisons.items():
        for revision in comparison.spans if version in {first, second} else ():
            change = revision.measures.get(STRICT)
            if change and revision.layer == layer and revision.basis == "all":
                yield change.first if version == first else change.second


def _systems(results: Results, unit_set: UnitSet) -> Iterator[SystemState]:
    """Yield systems and models against references, on marks in texts and in the primary unit set.

    Of several releases of one system it is the last declared one.
    """
    comparisons = results.comparisons
    if comparisons is None:
        return
    for compared_set in comparisons.sets:
        if compared_set.layer != unit_set.layer or compared_set.unit_set not in {None, unit_set.id}:
            continue
        pairs = [
            pair
            for pair in comparisons.pairs
            if (pair.layer, pair.unit_set) == (compared_set.layer, compared_set.unit_set)
            and pair.key_role == "reference"
            and pair.role in {"system", "model"}
        ]
        for pair in {(pair.system or pair.other, pair.key): pair for pair in pairs}.values():
            yield _system(results, compared_set, pair)


def _system(results: Results, compared_set: ComparedSet, pair: Comparison) -> SystemState:
    humans: Humans | None = pair.humans or compared_set.humans.get(pair.key)
    beside = humans.measures.get(compared_set.figure) if humans else None
    absent = Figure(value=None, undefined=NOT_COMPUTED)
    return SystemState(
        system=pair.system or pair.other,
        role=pair.role,
        release=pair.release,
        key=pair.key,
        unit_set=pair.unit_set,
        figure=compared_set.figure,
        name="F, strict" if compared_set.figure == STRICT else results.name_of(compared_set.figure),
        value=_short(pair.measures.get(compared_set.figure, absent)),
        humans=_short(beside) if beside else None,
    )
