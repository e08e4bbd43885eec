"""A campaign's history from the folders of its versions: results.json, counts/annotators.csv, comparisons.

Nothing is computed here: every figure, difference and p value is another file's; p values of several layers
are adjusted as findings on the two versions adjust them.
"""

import itertools
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.base.files import from_csv
from reportgen.measures.difference_tests import with_holm
from reportgen.results import Figure, Results
from reportgen.results.annotators import ComparedSet, Comparison, Humans
from reportgen.results.comparison import VersionComparison, on_shared
from reportgen.results.history import (
    Attendants,
    ComparedPair,
    Coverage,
    Group,
    History,
    HistoryCampaign,
    LayerMove,
    LayerState,
    Move,
    ReleaseState,
    Step,
    SystemState,
    VersionState,
    in_order,
)
from reportgen.results.parts import Basis, Categories, Change
from reportgen.results.unit_sets import UnitSet

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
        systems=tuple(_systems(results, unit_set)),
        subject=None if subject == "annotators" else subject,
        answer=results.answer_of(unit_set.layer),
    )


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
