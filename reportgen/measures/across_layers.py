"""Marks that one annotator made in one layer and another in another layer: omissions that are none."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from reportgen.counts import NO_TYPE, CaseCounts, tally
from reportgen.measures.spans import ANNOTATOR
from reportgen.measures.symmetry import exchange_p
from reportgen.readers import Codes
from reportgen.readers.sources import ENOUGH_COPIES
from reportgen.results.marks import (
    AcrossLayers,
    Exchange,
    ForbiddingLabel,
    MarkDisagreements,
    cases_by_kind,
)
from reportgen.units import NO_PLACE, OMISSION, CodedUnits, MarkCases, Mask, Pairing, Spans, extents, together
from reportgen.units.coded import nothing, sums_by
from reportgen.units.pairing import in_pairs, of_any_type, pair_in_turn, selected

# With more marks together, looking for a counterpart of each would take too long.
MOST_MARKS = 500_000
SEVERAL = 2

# The marks of a layer, and how they disagree.
Layer = tuple[Spans, MarkCases]


def across_layers(
    layers: Sequence[Layer], disagreements: Sequence[MarkDisagreements]
) -> tuple[AcrossLayers, ...]:
    """Return what annotators exchange across layers, the most frequent first.

    Marks that are alone in their own layer are paired with those of another layer that cover the same text,
    as many as there can be, then with those that share more than half of it.
    """
    every = [spans for spans, _ in layers]
    if len(layers) < SEVERAL or sum(len(spans.type) for spans in every) > MOST_MARKS:
        return ()
    spans = together(every)
    first, second = _met(layers)
    open_marks = _alone_for_somebody(spans, first, second)
    spans, number = spans.part(open_marks)
    both_open = open_marks[first] & open_marks[second]
    overlapping = of_any_type(spans)
    met = number[first[both_open]], number[second[both_open]]
    first_met, second_met = in_pairs(spans, overlapping, *met)
    layer_of = np.repeat(np.arange(len(every)), [len(each.types) for each in every])
    kinds = spans.type[overlapping.first], spans.type[overlapping.second]
    chosen = ~first_met & ~second_met & (layer_of[kinds[0]] != layer_of[kinds[1]])
    chosen &= overlapping.exact | _mostly_shared(spans, overlapping.first, overlapping.second)
    alone = selected(overlapping, chosen)
    pairs = pair_in_turn(spans, alone, np.ones_like(alone.first))
    both = spans.type[pairs.first], spans.type[pairs.second]
    (one, other), n = tally([np.minimum(*both), np.maximum(*both)], np.ones_like(both[0]))
    names = [(each.layer, name) for each in every for name in each.types]
    omitted = {
        (each.layer, name): cases_by_kind(each.cases, name)["omission"]
        for each in disagreements
        for name in each.types
    }
    exchanged = _exchanges(spans, pairs)
    found = [
        AcrossLayers(
            first_layer=names[here][0],
            first=names[here][1],
            second_layer=names[there][0],
            second=names[there][1],
            cases=number,
            omissions=omitted.get(names[here], 0) + omitted.get(names[there], 0),
            exchanges=tuple(exchanged(here, there)),
        )
        for here, there, number in zip(one.tolist(), other.tolist(), n.tolist(), strict=True)
    ]
    return tuple(sorted(found, key=lambda two: -two.cases))


def forbidding_labels(
    documents: Sequence[CodedUnits], layers: Sequence[tuple[Spans, CaseCounts]]
) -> Iterator[ForbiddingLabel]:
    """Yield the labels of whole documents with which nobody marks anything, and what they explain.

    `documents` are the unit sets of layers whose units are documents; most copies without such a label have
    marks.
    """
    if not layers:
        return
    marked = {
        (spans.documents[document], spans.people[person])
        for spans, _ in layers
        for document, person in zip(spans.document.tolist(), spans.person.tolist(), strict=True)
    }
    for units in documents:
        # A document that was labelled as a whole is a unit of its own, which is called like it.
        names = [
            units.places.names[place] if place != NO_PLACE else "" for place in units.unit_place.tolist()
        ]
        given = {
            (names[unit], units.annotators[who]): units.categories[label]
            for unit, who, label in zip(
                units.unit.tolist(), units.annotator.tolist(), units.label.tolist(), strict=True
            )
            if names[unit]
        }
        for label in units.categories:
            if _forbids(label, given, marked):
                yield from _explained(label, given, units.layer, layers)


def _forbids(label: str, given: Mapping[tuple[str, str], str], marked: set[tuple[str, str]]) -> bool:
    """Tell whether nobody who gave a label marked anything, and most others did."""
    own = [copy for copy, name in given.items() if name == label]
    others = [copy for copy, name in given.items() if name != label]
    with_marks = sum(copy in marked for copy in others)
    enough = min(len(own), len(others)) >= ENOUGH_COPIES
    return enough and not marked.intersection(own) and SEVERAL * with_marks > len(others)


def _explained(
    label: str,
    given: Mapping[tuple[str, str], str],
    label_layer: str,
    layers: Sequence[tuple[Spans, CaseCounts]],
) -> Iterator[ForbiddingLabel]:
    """Yield of each layer of marks how many omissions are of those who gave the label."""
    for spans, cases in layers:
        annotates = np.array([role == ANNOTATOR for role in spans.roles], dtype=np.bool_)
        alone = (cases.kind == OMISSION) & annotates[cases.first] & annotates[cases.second]
        without = np.where(cases.first_type == NO_TYPE, cases.first, cases.second)[alone]
        documents = [spans.documents[code] for code in cases.document[alone].tolist()]
        places = zip(documents, without.tolist(), cases.n[alone].tolist(), strict=True)
        explained = sum(n for name, who, n in places if given.get((name, spans.people[who])) == label)
        if explained:
            yield ForbiddingLabel(
                label_layer=label_layer,
                label=label,
                layer=spans.layer,
                omissions=int(cases.n[alone].sum()),
                explained=explained,
            )


def _exchanges(spans: Spans, pairs: Pairing) -> Callable[[int, int], Iterator[Exchange]]:
    """Return what yields who chose which of two labels, of two annotators as the first one sees it."""
    first, second = spans.person[pairs.first], spans.person[pairs.second]
    types = spans.type[pairs.first], spans.type[pairs.second]
    document, people = spans.document[pairs.first], len(spans.people)
    annotates = np.array([role == ANNOTATOR for role in spans.roles], dtype=np.bool_)
    took_part = spans.saw & annotates
    two = len(spans.annotators) == SEVERAL

    def of(one: int, other: int) -> Iterator[Exchange]:
        # 1 where the first of the two chose the one label, -1 where the second did.
        sign = (types[0] == one).astype(np.int64) * (types[1] == other)
        sign -= (types[0] == other).astype(np.int64) * (types[1] == one)
        size = len(spans.documents) * people
        sums = sums_by(document * people + first, sign, size) - sums_by(
            document * people + second, sign, size
        )
        table = sums.reshape(len(spans.documents), people)
        present = np.unique(np.concatenate([first[sign != 0], second[sign != 0]])).tolist()
        for person in present[: 1 if two else None]:
            own = np.concatenate([sign[first == person], -sign[second == person]])
            yield Exchange(
                annotator=spans.people[person],
                other=spans.people[present[1]] if two else None,
                own=int((own > 0).sum()),
                others=int((own < 0).sum()),
                p=exchange_p(table, took_part, person),
            )

    return of


def _met(layers: Sequence[Layer]) -> tuple[Codes, Codes]:
    """Return every two marks that meet in their own layer, whether they agree or not, numbered through."""
    first, second = [nothing()], [nothing()]
    before = 0
    for spans, cases in layers:
        first += [cases.first + before, cases.match_first + before]
        second += [cases.second + before, cases.match_second + before]
        before += len(spans.type)
    return np.concatenate(first), np.concatenate(second)


def _alone_for_somebody(spans: Spans, first: Codes, second: Codes) -> Mask:
    """Say of which marks (marks,) an annotator of the document has no counterpart in their layer."""
    people = len(spans.people)
    partners = np.unique(
        np.concatenate([first * people + spans.person[second], second * people + spans.person[first]])
    )
    annotates = np.array([role == ANNOTATOR for role in spans.roles], dtype=np.bool_)
    ours = annotates[partners % people]
    met = np.bincount(partners[ours] // people, minlength=len(spans.type))
    seen = (spans.saw & annotates).sum(axis=1)
    alone: Mask = annotates[spans.person] & (met < seen[spans.document] - 1)
    return alone


def _mostly_shared(spans: Spans, first: Codes, second: Codes) -> Mask:
    """Say of which two marks each shares more than half of its extent with the other."""
    begin, end = extents(spans)
    shared = np.minimum(end[first], end[second]) - np.maximum(begin[first], begin[second])
    longer = np.maximum(end[first] - begin[first], end[second] - begin[second])
    mostly: Mask = 2 * shared > longer
    return mostly
