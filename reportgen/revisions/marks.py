"""One version's marks in texts, prepared to be held against those of another version."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reportgen.agreement import MOST_ANNOTATORS
from reportgen.agreement.spans.means import MarkCells, mark_cells
from reportgen.counts import SpanCounts, count_spans
from reportgen.study import Codes, CountedSpans, Mask, Spans

ANNOTATOR = "annotator"


@dataclass(frozen=True, eq=False)
class MarkSide:
    """The marks of one layer under one version.

    `declared` are the layer's categories, the non-annotated one left out.
    """

    spans: Spans | CountedSpans
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

    def can_be_renamed(self, names: Mapping[str, str]) -> bool:
        """Say whether types can have other names: one of several can only be made where marks are known."""
        later = [names.get(name, name) for name in self.spans.types]
        return isinstance(self.spans, Spans) or len(set(later)) == len(later)

    def renamed(self, names: Mapping[str, str]) -> "MarkSide":
        """Return the same marks under other names of their types, which may make one type of several.

        Counts do not tell which marks of types that become one are pairs: see `can_be_renamed`.
        """
        if all(names.get(name, name) == name for name in self.types):
            return self
        declared = tuple(dict.fromkeys(names.get(name, name) for name in self.declared))
        if isinstance(self.spans, CountedSpans):
            types = tuple(names.get(name, name) for name in self.spans.types)
            return MarkSide(replace(self.spans, types=types), self.counts, declared)
        spans = with_types(self.spans, names)
        return MarkSide(spans, count_spans(spans), declared)


def with_types(spans: Spans, names: Mapping[str, str]) -> Spans:
    """Return spans whose types have other names; marks of one person that now say the same are one."""
    types = tuple(dict.fromkeys(names.get(name, name) for name in spans.types))
    code = np.array([types.index(names.get(name, name)) for name in spans.types] or [0], dtype=np.int64)
    kind = code[spans.type]
    rows = np.column_stack([spans.document, spans.stretch, kind, spans.person, spans.values])
    order = np.unique(rows, axis=0, return_index=True)[1]
    order = order[np.lexsort((spans.mark[order], kind[order], spans.stretch[order], spans.document[order]))]
    place = np.full(len(kind), -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    here = np.flatnonzero(place[spans.span_mark] >= 0)
    return replace(
        spans,
        types=types,
        document=spans.document[order],
        person=spans.person[order],
        type=kind[order],
        mark=spans.mark[order],
        stretch=spans.stretch[order],
        values=spans.values[order],
        span_mark=place[spans.span_mark[here]],
        span_start=spans.span_start[here],
        span_end=spans.span_end[here],
        doubled=spans.doubled + len(kind) - len(order),
    )


@dataclass(frozen=True, eq=False)
class Common:
    """Documents of two versions under common codes.

    `names` are those of all; `first` and `second` have the common code of each document of a version;
    `same` (names,) says which stand in both, with the same text.
    """

    names: tuple[str, ...]
    first: Codes
    second: Codes
    same: Mask
    edited: frozenset[str] = frozenset()


def common_documents(first: Sequence[str], second: Sequence[str], edited: Collection[str] = ()) -> Common:
    """Return common codes by name; `edited` are documents whose text is another in the second version."""
    codes: dict[str, int] = {}
    of_each = [
        np.array([codes.setdefault(name, len(codes)) for name in names], dtype=np.int64)
        for names in (first, second)
    ]
    both = set(first) & set(second) - set(edited)
    same = np.array([name in both for name in codes], dtype=np.bool_)
    return Common(tuple(codes), of_each[0], of_each[1], same, frozenset(edited))


def in_common(cells: MarkCells, codes: Codes) -> MarkCells:
    """Return cells with the common codes of their documents."""
    return replace(cells, document=codes[cells.document], seen_document=codes[cells.seen_document])
