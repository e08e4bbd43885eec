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
    for marks, matching in _marks_of_both(first, second, merges):
        yield from revise_spans(*marks, matching, edited)


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
    for marks, matching in _marks_of_both(first, second, merges):
        yield from marks_over_versions(*marks, matching, declared, edited)
    before, after = _compared(first), _compared(second)
    for key, whole in after.items():
        if key in before:
            sides = [
                LabelSide(each, tuple(side.tables), coefficients[key[0]])
                for side, each in ((first, before[key]), (second, whole))
            ]
            matching, _ = match_units(first.unit_sets[key], second.unit_sets[key], merges)
            yield from labels_over_versions(sides[0], sides[1], matching, declared, edited)


def _marks_of_both(
    first: Side, second: Side, merges: Merges
) -> Iterator[tuple[tuple[MarkSide, MarkSide], Matching]]:
    """Yield the marks of each layer that both versions have, and how their types answer to each other."""
    for layer, later in second.marks.items():
        if layer in first.marks:
            types = first.marks[layer].types
            matching = match(types, later.types, later_names(types, merges))
            if first.marks[layer].can_be_renamed(matching.merged):
                yield (first.marks[layer], later), matching


def _compared(side: Side) -> dict[Key, Compared]:
    """Return everybody's labels by layer and unit set."""
    return {(each.units.layer, each.units.id): each for study in side.studies for each in study.compared}
