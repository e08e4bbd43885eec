"""What moved from version to version of a campaign's history, as their comparisons have it."""

from collections.abc import Iterator, Mapping, Sequence

from reportgen.results.history import Coverage, LayerMove, Link, Move, Step
from reportgen.results.revisions import Basis, Change, UnitSetRevision, VersionComparison

STRICT = "f_measure[strict]"
# Why a figure did not move.
IN_ONE = "the figure stands in one of the two versions only"
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
    """Return how many documents stand in both versions, in the first alone, in the second alone."""
    found = [
        (len(each.documents), first in each.versions, second in each.versions) for each in covered.documents
    ]
    if not any(one for _, one, _ in found) or not any(other for _, _, other in found):
        return None
    both = sum(n for n, one, other in found if one and other)
    return (
        both,
        sum(n for n, one, other in found if one and not other),
        sum(n for n, one, other in found if other and not one),
    )


def _layer_moves(comparison: VersionComparison) -> Iterator[LayerMove]:
    """Yield how each layer moved; what stands in both versions comes before all of each."""
    for layer in dict.fromkeys(each.layer for each in comparison.unit_sets if each.primary):
        own = [each for each in comparison.unit_sets if each.primary and each.layer == layer]
        revision = next((each for each in own if each.basis == "shared"), own[0])
        yield LayerMove(
            layer=layer,
            coefficient=_primary_move(revision),
            clusters=revision.clusters,
            documents=revision.overlap.documents,
            specific_agreement={
                name: _move("specific_agreement", each, revision.basis)
                for name, each in revision.specific_agreement.items()
            },
            f_measure=_f_move(comparison, layer),
        )


def _primary_move(revision: UnitSetRevision) -> Move:
    change = revision.measures.get(revision.figure)
    if change is None:
        return Move(figure=revision.figure, untested=IN_ONE)
    return _move(revision.figure, change, revision.basis)


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


def links(names: Sequence[str], comparisons: Comparisons) -> Iterator[Link]:
    """Yield every comparison that there is, in the order of the later version and then of the earlier."""
    for place, second in enumerate(names):
        for first in names[:place]:
            if comparison := comparisons.get((first, second)):
                move = next((each.coefficient for each in _layer_moves(comparison)), None)
                yield Link(first=first, second=second, move=move)
