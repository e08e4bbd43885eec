"""Marks, systems and references of two versions: what is compared with what, layer by layer."""

from collections.abc import Iterator, Mapping, Sequence

from reportgen.revisions.categories import Matching, later_names, match, match_units
from reportgen.revisions.held import SystemRevised
from reportgen.revisions.labels import LabelSide
from reportgen.revisions.marks import MarkSide
from reportgen.revisions.people import Declared
from reportgen.revisions.sides import Key, Side, edited_documents
from reportgen.revisions.spans import SpanRevised, revise_spans
from reportgen.revisions.systems import labels_over_versions, marks_over_versions
from reportgen.study import Compared

Merges = Sequence[Mapping[str, str]]


def revised_marks(first: Side, second: Side, merges: Merges) -> Iterator[SpanRevised]:
    """Yield agreement on marks in texts under both versions, for each layer that has such in both.

    `merges` are the later names of categories, of each version after the first up to the second.
    """
    edited = edited_documents(first, second)
    for layer, later in second.marks.items():
        if layer in first.marks:
            yield from revise_spans(first.marks[layer], later, _of_types(first, layer, later, merges), edited)


def revised_systems(
    first: Side,
    second: Side,
    merges: Merges,
    declared: Mapping[str, Declared],
    coefficients: Mapping[str, str],
) -> Iterator[SystemRevised]:
    """Yield everybody who is held against the same key under both versions, by marks and by units.

    `declared` are the systems by the names that are shown, `coefficients` the primary one of each layer.
    """
    edited = edited_documents(first, second)
    for layer, later in second.marks.items():
        if layer in first.marks:
            matching = _of_types(first, layer, later, merges)
            yield from marks_over_versions(first.marks[layer], later, matching, declared, edited)
    before, after = _compared(first), _compared(second)
    for key, whole in after.items():
        if key in before:
            sides = [
                LabelSide(each, tuple(side.tables), coefficients[key[0]])
                for side, each in ((first, before[key]), (second, whole))
            ]
            matching, _ = match_units(first.unit_sets[key], second.unit_sets[key], merges)
            yield from labels_over_versions(sides[0], sides[1], matching, declared, edited)


def _of_types(first: Side, layer: str, later: MarkSide, merges: Merges) -> Matching:
    types = first.marks[layer].types
    return match(types, later.types, later_names(types, merges))


def _compared(side: Side) -> dict[Key, Compared]:
    """Return everybody's labels by layer and unit set."""
    return {(each.units.layer, each.units.id): each for study in side.studies for each in study.compared}
