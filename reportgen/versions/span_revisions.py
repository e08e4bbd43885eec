"""Agreement on marks in texts under two versions: the mean of F over pairs, by type, and pair by pair."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reportgen.counts import SpanCounts, count_spans
from reportgen.measures import MODES, MOST_ANNOTATORS, Estimate, NoDifference, Undefined
from reportgen.measures.difference_tests import change, with_holm
from reportgen.measures.estimate import no_estimate
from reportgen.measures.retrieval import F, MarkCells, mark_cells, mean_over_pairs, pair_ratios
from reportgen.readers import Codes
from reportgen.results.comparison import PairChange, Sample, SpanRevision
from reportgen.results.parts import Basis, Categories, Change, Overlap
from reportgen.units import Mask, SpanFrame

# One version's marks in texts, prepared to be held against those of another version.

ANNOTATOR = "annotator"


@dataclass(frozen=True, eq=False)
class MarkSide:
    """The marks of one layer under one version.

    `declared` are the layer's categories, the non-annotated one left out.
    """

    spans: SpanFrame
    counts: SpanCounts
    declared: tuple[str, ...] = ()

    @cached_property
    def cells(self) -> MarkCells:
        """Return what became of the marks of every two people who are compared."""
        return mark_cells(self.counts)

    @property
    def types(self) -> tuple[str, ...]:
        """Return the declared types, then the others that are in use."""
        return tuple(dict.fromkeys((*self.declared, *self.spans.types)))

    @property
    def annotates(self) -> Mask:
        """Say who of the people is an annotator (people,)."""
        return np.array([role == ANNOTATOR for role in self.spans.roles], dtype=np.bool_)

    @property
    def crowded(self) -> bool:
        """Say whether there are too many annotators for the figures of each pair."""
        return len(self.spans.annotators) > MOST_ANNOTATORS

    @property
    def rules(self) -> tuple[object, ...]:
        """Return by what marks match, and how F weighs precision and recall."""
        return self.spans.features, self.spans.feature_match, self.spans.beta

    def renamed(self, names: Mapping[str, str]) -> "MarkSide | None":
        """Return the same marks under other names of their types, None where counts can't tell of them."""
        if all(names.get(name, name) == name for name in self.types):
            return self
        spans = self.spans.renamed(names)
        if spans is None:
            return None
        same = len(spans.types) == len(self.spans.types)
        declared = tuple(dict.fromkeys(names.get(name, name) for name in self.declared))
        return MarkSide(spans, self.counts if same else count_spans(spans), declared)


@dataclass(frozen=True, eq=False)
class CommonDocuments:
    """Documents of two versions under common codes.

    `names` are those of all; `first` and `second` have the common code of each document of a version;
    `same` (names,) says which stand in both, with the same text.
    """

    names: tuple[str, ...]
    first: Codes
    second: Codes
    same: Mask
    edited: frozenset[str] = frozenset()


def common_documents(
    first: Sequence[str], second: Sequence[str], edited: Collection[str] = ()
) -> CommonDocuments:
    """Return common codes by name; `edited` are documents whose text is another in the second version."""
    codes: dict[str, int] = {}
    of_each = [
        np.array([codes.setdefault(name, len(codes)) for name in names], dtype=np.int64)
        for names in (first, second)
    ]
    both = set(first) & set(second) - set(edited)
    same = np.array([name in both for name in codes], dtype=np.bool_)
    return CommonDocuments(tuple(codes), of_each[0], of_each[1], same, frozenset(edited))


def in_common(cells: MarkCells, codes: Codes) -> MarkCells:
    """Return cells with the common codes of their documents."""
    return replace(cells, document=codes[cells.document], seen_document=codes[cells.seen_document])


# Agreement on marks in texts under two versions: the mean of F over pairs, by type, and pair by pair.

STRICT = "strict"
PAIR = 2


@dataclass(frozen=True, eq=False)
class _Part:
    """What one version has on a basis: its side, and the cells of annotators there, in common codes."""

    side: MarkSide
    cells: MarkCells
    beta: float


def revise_spans(
    first: MarkSide, second: MarkSide, matching: Categories, edited: frozenset[str] = frozenset()
) -> Iterator[SpanRevision]:
    """Yield how agreement on marks moved: in documents of both versions, and in all where that differs.

    The types of the first version have their later names, as `matching` has them. `edited` are documents
    whose text is another in the second version.
    """
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


def _there(part: _Part, common: CommonDocuments) -> Mask:
    """Say which documents (names,) two annotators saw under a version."""
    there = np.zeros(len(common.names), dtype=np.bool_)
    there[part.cells.seen_document] = True
    return there


def _revised(
    basis: Basis, parts: list[_Part], common: CommonDocuments, shared: Mask, matching: Categories
) -> SpanRevision:
    first, second = parts
    reason = None if first.side.rules == second.side.rules else NoDifference.MATCHING
    of_all = reason or (NoDifference.CATEGORIES if matching.how == "names" else None)
    same = basis == "shared"
    names = [part.side.spans.annotators for part in parts]
    overlap = Overlap(
        documents=int(shared.sum()),
        annotators=tuple(name for name in names[0] if name in names[1]),
        edited=len(common.edited),
    )
    return SpanRevision(
        layer=second.side.spans.layer,
        basis=basis,
        first=_sample(first),
        second=_sample(second),
        overlap=overlap,
        measures={
            f"{F}[{mode}]": change(
                (_mean(first, mode), _mean(second, mode)), None, of_all, same_material=same
            )
            for mode in MODES
        },
        by_type=with_holm(_by_type(first, second, reason, same=same)),
        pairs=tuple(_pairs(first, second, of_all, same=same)),
        categories=matching,
    )


def _sample(part: _Part) -> Sample:
    return Sample(
        documents=len(part.cells.documents),
        units=int(part.cells.marks_of_each().sum()),
        annotators=part.side.spans.annotators,
        categories=part.side.types,
    )


def _mean(part: _Part, mode: str) -> Estimate:
    return mean_over_pairs(part.cells, mode, part.beta)


def _by_type(first: _Part, second: _Part, reason: NoDifference | None, *, same: bool) -> dict[str, Change]:
    """Return strict F of each type that the two have in common, in the later version's order."""
    known = set(first.side.types)
    return {
        name: change((_of_type(first, name), _of_type(second, name)), None, reason, same_material=same)
        for name in second.side.types
        if name in known
    }


def _of_type(part: _Part, name: str) -> Estimate:
    types = part.side.spans.types
    own = part.cells.of_type(types.index(name) if name in types else -1)
    if len(own.seen_first) and not len(own.first):
        return no_estimate(Undefined.NOT_MARKED, 0)
    return mean_over_pairs(own, STRICT, part.beta)


def _pairs(first: _Part, second: _Part, reason: NoDifference | None, *, same: bool) -> Iterator[PairChange]:
    """Yield F of every two annotators who share documents under both versions, none of a crowd."""
    if first.side.crowded or second.side.crowded:
        return
    before, after = dict(_of_pairs(first)), dict(_of_pairs(second))
    for names, own in before.items():
        if names in after:
            both = {name: (own[name], after[names][name]) for name in own}
            measures = {name: change(each, None, reason, same_material=same) for name, each in both.items()}
            yield PairChange(annotators=names, measures=measures)


def _of_pairs(part: _Part) -> Iterator[tuple[tuple[str, str], dict[str, Estimate]]]:
    people, cells = part.side.spans.people, part.cells
    seen = np.unique(np.stack([cells.seen_first, cells.seen_second]), axis=1)
    for one, other in seen.T.tolist():
        own = cells.of_pair(one, other)
        figures = {mode: pair_ratios(own, mode, part.beta)[F].estimate() for mode in MODES}
        yield (people[one], people[other]), {f"{F}[{mode}]": each for mode, each in figures.items()}
