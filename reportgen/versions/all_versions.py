"""A campaign's history from the folders of its versions: results.json, counts/annotators.csv, comparisons.

Nothing is computed here: every figure, difference and p value is another file's; p values of several layers
are adjusted as findings on the two versions adjust them.
"""

import csv
import io
import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.measures.difference_tests import with_holm
from reportgen.results import Figure, Results
from reportgen.results.annotators import ComparedSet, Comparison, Humans
from reportgen.results.comparison import UnitSetRevision, VersionComparison
from reportgen.results.history import (
    Attendant,
    ComparedPair,
    Coverage,
    Group,
    History,
    HistoryCampaign,
    LayerMove,
    LayerState,
    Move,
    Step,
    SystemState,
    VersionState,
    in_order,
)
from reportgen.results.parts import Basis, Change
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
    people = sorted(documents_of.items())
    return Coverage(
        documents=tuple(_groups(versions_of)),
        annotators=tuple(Attendant(annotator=name, documents=own) for name, own in people),
    )


def _who_in_what(text: str) -> list[tuple[str, str]]:
    """Return each document with each of its annotators once, in the order of the table."""
    rows = csv.reader(io.StringIO(text, newline=""))
    head = next(rows, None)
    if head is None:
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
        edited=max((each.overlap.edited for each in comparison.unit_sets), default=0) if comparison else 0,
        left=tuple(each for each in before if each not in after),
        joined=tuple(each for each in after if each not in before),
        compared=comparison is not None,
        layers=tuple(_layer_moves(comparison)) if comparison else (),
    )


def _shared_documents(covered: Coverage, first: str, second: str) -> tuple[int, int, int] | None:
    """Return how many documents are in both versions, in the first alone, in the second alone."""
    both, before, after = (
        sum(len(each.documents) for each in covered.documents if {first, second} & {*each.versions} == of)
        for of in ({first, second}, {first}, {second})
    )
    return (both, before, after) if both + before and both + after else None


def _layer_moves(comparison: VersionComparison) -> Iterator[LayerMove]:
    """Yield how each layer moved; documents of both versions come before all of each."""
    found: dict[str, UnitSetRevision] = {}
    for each in comparison.unit_sets:
        earlier = found.get(each.layer)
        if each.primary and (earlier is None or (each.basis == "shared" != earlier.basis)):
            found[each.layer] = each
    known = {
        layer: each.measures[each.figure] for layer, each in found.items() if each.figure in each.measures
    }
    # The first layer has a test of its own; the others answer one question together (Holm).
    first = next(iter(found), "")
    known |= with_holm({layer: each for layer, each in known.items() if layer != first})
    for layer, revision in found.items():
        change = known.get(layer)
        yield LayerMove(
            layer=layer,
            coefficient=_move(revision.figure, change, revision.basis)
            if change
            else Move(figure=revision.figure, untested=IN_ONE),
            clusters=revision.clusters,
            documents=revision.overlap.documents,
            specific_agreement={
                name: _move("specific_agreement", each, revision.basis)
                for name, each in revision.specific_agreement.items()
            },
            f_measure=_f_move(comparison, layer),
        )


def _f_move(comparison: VersionComparison, layer: str) -> Move | None:
    """Return how the strict F of a layer's marks moved, None where there are no marks in texts."""
    own = [each for each in comparison.spans if each.layer == layer and STRICT in each.measures]
    found = next((each for each in own if each.basis == "shared"), own[0] if own else None)
    return _move(STRICT, found.measures[STRICT], found.basis) if found else None


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
    for place, second in enumerate(names):
        for first in names[:place]:
            if comparison := comparisons.get((first, second)):
                move = next((each.coefficient for each in _layer_moves(comparison)), None)
                yield ComparedPair(first=first, second=second, move=move)


# Each version by itself, and the history of all of them.

# Twelve digits are written: what differs by less is the same figure.
SAME = 1e-10
# Why a figure has no value in a version.
ABSENT = "it does not exist for these annotators and this scale"
NO_MARKS = "no pair of annotators has marks to compare"
NOT_COMPUTED = "it was not computed"


def history(versions: Sequence[Results], annotators_csv: Sequence[str], comparisons: Comparisons) -> History:
    """Return the history of a campaign with at least one version.

    `versions` are in the order of their declaration; `annotators_csv` has the text of each version's
    counts/annotators.csv, empty where there is none; `comparisons` are by the names of two versions, the
    older first.
    """
    places = in_order([each.revision.date for each in versions])
    ordered = [versions[place] for place in places]
    covered = coverage({versions[place].guidelines: annotators_csv[place] for place in places})
    newest = ordered[-1]
    authors = tuple(each.name for each in newest.campaign.authors)
    names = [each.guidelines for each in ordered]
    return History(
        campaign=HistoryCampaign(id=newest.campaign.id, title=newest.campaign.title, authors=authors),
        versions=tuple(_state(each, comparisons) for each in ordered),
        steps=tuple(step(pair, covered, comparisons.get(pair)) for pair in itertools.pairwise(names)),
        comparisons=tuple(links(names, comparisons)),
        coverage=covered,
        tool=newest.tool,
    )


def _state(results: Results, comparisons: Comparisons) -> VersionState:
    # Each layer's primary unit set, that of the campaign's coefficient first.
    sets = [each for each in results.unit_sets if each.primary] or list(results.unit_sets[:1])
    primaries = list({each.layer: each for each in reversed(sets)}.values())[::-1]
    return VersionState(
        version=results.guidelines,
        date=results.revision.date,
        changes=results.revision.changes,
        verdicts=tuple(each for each in results.findings if each.id == "verdict"),
        layers=tuple(_layer(results, each, comparisons) for each in primaries),
    )


def _layer(results: Results, unit_set: UnitSet, comparisons: Comparisons) -> LayerState:
    coefficient = results.coefficients[unit_set.layer]
    base = coefficient.partition("[")[0]
    definition = results.catalogue.get(base)
    absent = Figure(value=None, undefined=ABSENT)
    return LayerState(
        layer=unit_set.layer,
        unit_set=unit_set.id,
        annotators=unit_set.annotators,
        documents=unit_set.documents,
        units=unit_set.units,
        coefficient=coefficient,
        name=results.name_of(coefficient),
        symbol=definition.symbol if definition else base,
        figure=_short(unit_set.measures.get(coefficient, absent)),
        categories=tuple(each for each in unit_set.judged if each in unit_set.specific_agreement),
        specific_agreement={name: _short(each) for name, each in unit_set.specific_agreement.items()},
        f_measure=_strict_f(results, unit_set.layer, comparisons),
        systems=tuple(_systems(results, unit_set)),
    )


def _short(figure: Figure) -> Figure:
    """Return a figure without what only its own report says of it."""
    return Figure(value=figure.value, interval=figure.interval, undefined=figure.undefined)


def _strict_f(results: Results, layer: str, comparisons: Comparisons) -> Figure | None:
    """Return the mean strict F of a layer's marks, with an interval where one is known.

    Of two annotators it is their own figure; the interval of a mean over pairs is in comparisons.
    """
    spans = results.spans
    if spans is None or layer not in {each.layer for each in spans.layers}:
        return None
    means = spans.mean_over_pairs.get(layer)
    mean = means.overall["strict"].get("f_measure") if means else None
    if mean is None:
        return Figure(value=None, undefined=NO_MARKS)
    pairs = [each for each in spans.pairs if each.layer == layer and each.roles == ("annotator", "annotator")]
    own = [each.strict["f_measure"] for each in pairs] if len(pairs) == mean.pairs == 1 else []
    known = [*own, *_compared_f(results.guidelines, layer, comparisons)]
    same = (each for each in known if each.value is not None and abs(each.value - mean.value) < SAME)
    return next((_short(each) for each in same if each.interval), Figure(value=mean.value))


def _compared_f(version: str, layer: str, comparisons: Comparisons) -> Iterator[Figure]:
    """Yield the mean strict F of a version as its comparisons have it, over all its documents."""
    for (first, second), comparison in comparisons.items():
        for each in comparison.spans if version in {first, second} else ():
            change = each.measures.get(STRICT)
            if change and each.layer == layer and each.basis == "all":
                yield change.first if version == first else change.second


def _systems(results: Results, unit_set: UnitSet) -> Iterator[SystemState]:
    """Yield systems and models against references, on marks in texts and in the primary unit set.

    Of several releases of one system it is the last declared one.
    """
    found = results.comparisons
    if found is None:
        return
    for whole in found.sets:
        if whole.layer != unit_set.layer or whole.unit_set not in {None, unit_set.id}:
            continue
        pairs = [
            each
            for each in found.pairs
            if (each.layer, each.unit_set) == (whole.layer, whole.unit_set)
            and each.key_role == "reference"
            and each.role in {"system", "model"}
        ]
        for each in {(each.system or each.other, each.key): each for each in pairs}.values():
            yield _system(results, whole, each)


def _system(results: Results, whole: ComparedSet, pair: Comparison) -> SystemState:
    humans: Humans | None = pair.humans or whole.humans.get(pair.key)
    beside = humans.measures.get(whole.figure) if humans else None
    absent = Figure(value=None, undefined=NOT_COMPUTED)
    return SystemState(
        system=pair.system or pair.other,
        role=pair.role,
        release=pair.release,
        key=pair.key,
        unit_set=pair.unit_set,
        figure=whole.figure,
        name="F, strict" if whole.figure == STRICT else results.name_of(whole.figure),
        value=_short(pair.measures.get(whole.figure, absent)),
        humans=_short(beside) if beside else None,
    )
