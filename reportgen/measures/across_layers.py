"""Marks that one annotator made in one layer and another in another layer: omissions that are none."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from reportgen.counts import tally
from reportgen.measures.spans import ANNOTATOR
from reportgen.measures.symmetry import signs_p
from reportgen.readers import Codes
from reportgen.results.marks import AcrossLayers, Exchange, MarkDisagreements, cases_by_kind
from reportgen.units import MarkCases, Mask, Pairing, Spans, extents, together
from reportgen.units.coded import sums_by
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
    annotates = np.array([role == ANNOTATOR for role in spans.roles], dtype=np.bool_)
    chosen = ~first_met & ~second_met & (layer_of[kinds[0]] != layer_of[kinds[1]])
    chosen &= annotates[spans.person[overlapping.first]] & annotates[spans.person[overlapping.second]]
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


def _exchanges(spans: Spans, pairs: Pairing) -> Callable[[int, int], Iterator[Exchange]]:
    """Return what yields who chose which of two labels, of two annotators as the first one sees it."""
    people = np.concatenate([spans.person[pairs.first], spans.person[pairs.second]])
    others = np.concatenate([spans.person[pairs.second], spans.person[pairs.first]])
    own = np.concatenate([spans.type[pairs.first], spans.type[pairs.second]])
    their = np.concatenate([spans.type[pairs.second], spans.type[pairs.first]])
    document = np.tile(spans.document[pairs.first], 2)
    two = len(spans.annotators) == SEVERAL

    def of(one: int, other: int) -> Iterator[Exchange]:
        chosen = ((own == one) & (their == other)) | ((own == other) & (their == one))
        for person in np.unique(people[chosen]).tolist()[: 1 if two else None]:
            rows = chosen & (people == person)
            is_one = own[rows] == one
            sums = sums_by(document[rows], np.where(is_one, 1, -1), len(spans.documents))
            yield Exchange(
                annotator=spans.people[person],
                other=spans.people[int(others[rows][0])] if two else None,
                own=int(is_one.sum()),
                others=int((~is_one).sum()),
                p=signs_p(sums),
            )

    return of


def _met(layers: Sequence[Layer]) -> tuple[Codes, Codes]:
    """Return every two marks that meet in their own layer, whether they agree or not, numbered through."""
    first, second = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
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
