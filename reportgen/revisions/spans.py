"""Agreement on marks in texts under two versions: the mean of F over pairs, by type, and pair by pair."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from reportgen.agreement import MODES, Estimate, NoDifference, Undefined
from reportgen.agreement.estimate import no_estimate
from reportgen.agreement.spans.means import F, MarkCells, mean_over_pairs, pair_ratios
from reportgen.revisions.categories import Matching
from reportgen.revisions.marks import Common, MarkSide, common_documents, in_common
from reportgen.revisions.tested import Twice, twice, with_holm
from reportgen.study import Mask

STRICT = "strict"
PAIR = 2


@dataclass(frozen=True, eq=False)
class MarkSample:
    """What one version brings: documents that two annotators saw, and the annotators' marks there."""

    documents: int
    marks: int
    annotators: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SpanRevised:
    """Agreement on the marks of one layer under both versions, on one basis.

    `shared` is how many documents stand in both, `pairs` the figures of two annotators who do.
    """

    layer: str
    basis: str
    samples: tuple[MarkSample, MarkSample]
    shared: int
    annotators: tuple[str, ...]
    edited: int
    matching: Matching
    measures: Mapping[str, Twice]
    by_type: Mapping[str, Twice]
    pairs: Mapping[tuple[str, str], Mapping[str, Twice]]


@dataclass(frozen=True, eq=False)
class _Part:
    """What one version has on a basis: its side, and the cells of annotators there, in common codes."""

    side: MarkSide
    cells: MarkCells
    beta: float


def revise_spans(
    first: MarkSide, second: MarkSide, matching: Matching, edited: frozenset[str] = frozenset()
) -> Iterator[SpanRevised]:
    """Yield how agreement on marks moved: in documents of both versions, and in all where that differs.

    The types of the first version have the names that `matching` gives them. `edited` are documents whose
    text is another in the second version.
    """
    first = first.renamed(matching.merged)
    common = common_documents(first.spans.documents, second.spans.documents, edited)
    parts = [
        _Part(side, in_common(side.cells.among(side.annotates), codes), side.spans.beta)
        for side, codes in ((first, common.first), (second, common.second))
    ]
    there = [_there(part, common) for part in parts]
    shared: Mask = common.same & there[0] & there[1]
    if shared.sum() >= PAIR:
        own = [_Part(part.side, part.cells.in_documents(shared), part.beta) for part in parts]
        yield _revised("shared", own, common, shared, matching)
    if shared.sum() < PAIR or any((each != shared).any() for each in there):
        yield _revised("all", parts, common, shared, matching)


def _there(part: _Part, common: Common) -> Mask:
    """Say which documents (names,) two annotators saw under a version."""
    there = np.zeros(len(common.names), dtype=np.bool_)
    there[part.cells.seen_document] = True
    return there


def _revised(basis: str, parts: list[_Part], common: Common, shared: Mask, matching: Matching) -> SpanRevised:
    first, second = parts
    reason = None if first.side.rules == second.side.rules else NoDifference.MATCHING
    of_all = reason or (NoDifference.CATEGORIES if matching.how == "names" else None)
    same = basis == "shared"
    names = [part.side.spans.annotators for part in parts]
    return SpanRevised(
        layer=second.side.spans.layer,
        basis=basis,
        samples=(_sample(first), _sample(second)),
        shared=int(shared.sum()),
        annotators=tuple(name for name in names[0] if name in names[1]),
        edited=len(common.edited),
        matching=matching,
        measures={
            f"{F}[{mode}]": twice((_mean(first, mode), _mean(second, mode)), None, of_all, same_material=same)
            for mode in MODES
        },
        by_type=with_holm(_by_type(first, second, reason, same=same)),
        pairs=_pairs(first, second, of_all, same=same),
    )


def _sample(part: _Part) -> MarkSample:
    marks = int(part.cells.marks_of_each().sum())
    return MarkSample(len(part.cells.documents), marks, part.side.spans.annotators, part.side.types)


def _mean(part: _Part, mode: str) -> Estimate:
    return mean_over_pairs(part.cells, mode, part.beta)


def _by_type(first: _Part, second: _Part, reason: NoDifference | None, *, same: bool) -> dict[str, Twice]:
    """Return strict F of each type that the two have in common, in the later version's order."""
    known = set(first.side.types)
    return {
        name: twice((_of_type(first, name), _of_type(second, name)), None, reason, same_material=same)
        for name in second.side.types
        if name in known
    }


def _of_type(part: _Part, name: str) -> Estimate:
    types = part.side.spans.types
    own = part.cells.of_type(types.index(name) if name in types else -1)
    if len(own.seen_first) and not len(own.first):
        return no_estimate(Undefined.NOT_MARKED, 0)
    return mean_over_pairs(own, STRICT, part.beta)


def _pairs(
    first: _Part, second: _Part, reason: NoDifference | None, *, same: bool
) -> dict[tuple[str, str], dict[str, Twice]]:
    """Return F of every two annotators who share documents under both versions, none of a crowd."""
    if first.side.crowded or second.side.crowded:
        return {}
    of_each = [dict(_of_pairs(part)) for part in (first, second)]
    return {
        names: {
            name: twice((own[name], of_each[1][names][name]), None, reason, same_material=same)
            for name in own
        }
        for names, own in of_each[0].items()
        if names in of_each[1]
    }


def _of_pairs(part: _Part) -> Iterator[tuple[tuple[str, str], dict[str, Estimate]]]:
    people, cells = part.side.spans.people, part.cells
    seen = np.unique(np.stack([cells.seen_first, cells.seen_second]), axis=1)
    for one, other in seen.T.tolist():
        own = cells.of_pair(one, other)
        figures = {mode: pair_ratios(own, mode, part.beta)[F].estimate() for mode in MODES}
        yield (people[one], people[other]), {f"{F}[{mode}]": each for mode, each in figures.items()}
