"""A campaign's history from the folders of its versions: results.json, counts/annotators.csv, comparisons.

Nothing is computed here: every figure, difference and p value is another file's.
"""

import itertools
from collections.abc import Iterator, Sequence

from reportgen.record.coverage import coverage
from reportgen.record.moves import STRICT, Comparisons, links, step
from reportgen.results import Figure, Results
from reportgen.results.comparisons import ComparedSet, Comparison, Humans
from reportgen.results.history import (
    History,
    HistoryCampaign,
    LayerState,
    SystemState,
    VersionState,
    in_order,
)
from reportgen.results.unit_sets import UnitSet

# Twelve digits are written: what differs by less is the same figure.
SAME = 1e-10
# Why a figure has no value in a version.
ABSENT = "it does not exist for these annotators and this scale"
NO_MARKS = "no pair of annotators has marks to compare"
NOT_COMPUTED = "it was not computed"


def history(versions: Sequence[Results], annotators_csv: Sequence[str], comparisons: Comparisons) -> History:
    """Return the history of a campaign with at least one version.

    `versions` stand in the order of their declaration; `annotators_csv` has the text of each version's
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
    verdicts = tuple(each for each in results.findings if each.id == "verdict")
    layers = [_layer(results, each, comparisons) for each in _primaries(results)]
    return VersionState(
        version=results.guidelines,
        date=results.revision.date,
        changes=results.revision.changes,
        verdicts=verdicts,
        layers=tuple(layers),
    )


def _primaries(results: Results) -> list[UnitSet]:
    """Return the primary unit set of each layer, that of the campaign's coefficient first."""
    sets = [each for each in results.unit_sets if each.primary] or list(results.unit_sets[:1])
    return list({each.layer: each for each in reversed(sets)}.values())[::-1]


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

    Of two annotators it is their own figure; the interval of a mean over pairs stands in comparisons.
    """
    spans = results.spans
    if spans is None or layer not in {each.layer for each in spans.layers}:
        return None
    mean = (
        spans.mean_over_pairs[layer].overall["strict"].get("f_measure")
        if layer in spans.mean_over_pairs
        else None
    )
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

    Of several releases of one system the last declared stands for it.
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
