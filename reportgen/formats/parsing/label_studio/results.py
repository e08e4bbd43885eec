"""From the results of an annotation to marks: of stretches of text, or of the document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reportgen.errors import BadInput, for_each
from reportgen.formats.annotations import LeftOut
from reportgen.formats.copies import Mark, Relation, Span
from reportgen.formats.labels import joined
from reportgen.formats.offsets import code_points, covered, different_cover
from reportgen.formats.parsing.label_studio.answers import Answer, Field, same_cover, target_of, units_of
from reportgen.formats.parsing.label_studio.values import (
    HTML,
    NO_TEXT,
    Item,
    ends_of,
    is_labelled,
    is_region,
    kind_of,
    labels_of,
    reason_to_leave_out,
)
from reportgen.formats.reader import ReadOptions
from reportgen.formats.records import Record, as_text, expect, wrong_kind

RELATION = "relation"
Placed = tuple[Field | None, Mark]


@dataclass(frozen=True)
class Results:
    """What the results of one annotation are: marks with the field that they are in, and the rest."""

    marks: Sequence[Placed]
    relations: Sequence[Relation]
    left_out: Sequence[LeftOut]


@dataclass(frozen=True)
class _Region:
    """The results on one region: those with labels of their own, and what else was said about it."""

    leading: Sequence[Item]
    further: Sequence[Item]


def read_results(answer: Answer, fields: Mapping[str, Field | None], options: ReadOptions) -> Results:
    """Return the marks, the relations and what is left out; raise BadInput with all that is wrong."""
    record = answer.record
    regions = _regions([item for item in answer.items if item.get("type") != RELATION])
    found = for_each(regions, lambda region: _read_region(answer, region, fields, options))
    relations = [item for item in answer.items if item.get("type") == RELATION]
    left_out = [reason for _, reasons in found for reason in reasons]
    return Results(
        [mark for marks, _ in found for mark in marks],
        for_each(relations, lambda item: _relation(record, item, options)),
        [LeftOut(record.file, record.line, answer.annotator, reason, 1) for reason in left_out],
    )


def _value(item: Item) -> Mapping[str, Any]:
    value = item.get("value")
    return value if isinstance(value, dict) else {}


def _regions(items: Sequence[Item]) -> list[_Region]:
    """Return results of one region together: they have the same id."""
    groups: dict[object, list[Item]] = {}
    for place, item in enumerate(items):
        own = item.get("id")
        groups.setdefault(own if isinstance(own, str) and is_region(_value(item)) else place, []).append(item)
    return [region for group in groups.values() for region in _leading(group)]


def _leading(group: Sequence[Item]) -> list[_Region]:
    labelled = [item for item in group if is_labelled(kind_of(item, _value(item)))] or group[:1]
    return [_Region(labelled, [item for item in group if not any(item is each for each in labelled)])]


def _read_region(
    answer: Answer, region: _Region, fields: Mapping[str, Field | None], options: ReadOptions
) -> tuple[list[Placed], list[str]]:
    """Return the marks of a region, and a reason for each result of it that is left out."""
    features, left_out = _further(answer.record, region.further, options)
    read = for_each(region.leading, lambda item: _read_item(answer, item, fields, options))
    marks = [
        (place, replace(mark, features=_merged(mark.features, features)))
        for of_item in read
        if not isinstance(of_item, str)
        for place, mark in of_item
    ]
    reasons = [of_item for of_item in read if isinstance(of_item, str)]
    if not marks and reasons:
        left_out += reasons[:1] * len(features)
    return marks, [*reasons, *left_out]


def _merged(own: Mapping[str, str], further: Mapping[str, str]) -> dict[str, str]:
    """Return all features; a control that is called like a feature of the mark is told apart from it."""
    return {**own, **{f"{name} (control)" if name in own else name: said for name, said in further.items()}}


def _further(record: Record, items: Sequence[Item], options: ReadOptions) -> tuple[dict[str, str], list[str]]:
    """Return what further controls say about a region, by control, and why the rest is left out."""
    features: dict[str, str] = {}
    left_out: list[str] = []
    for item in items:
        value = _value(item)
        reason = reason_to_leave_out(item, value)
        said = [] if reason else labels_of(record, item, value, options)
        if reason:
            left_out.append(reason)
        elif said:
            name = str(item.get("from_name") or kind_of(item, value))
            features[name] = joined([*said, *([features[name]] if name in features else [])], options)
    return features, left_out


def _read_item(
    answer: Answer, item: Item, fields: Mapping[str, Field | None], options: ReadOptions
) -> list[Placed] | str:
    """Return the marks of one result, or the reason for which it is left out."""
    record = answer.record
    value = expect(record, "value", item.get("value"), dict, "an object")
    if reason := reason_to_leave_out(item, value):
        return reason
    kind, place = kind_of(item, value), fields.get(target_of(item))
    spans: tuple[Span, ...] = ()
    if is_region(value):
        found = _span(answer, value, place)
        if isinstance(found, str):
            return found
        spans = (found,)
    name = str(item.get("from_name") or kind)
    own = as_text(item["id"]) if item.get("id") is not None else ""
    labels = labels_of(record, item, value, options)
    marks = [Mark(name, spans, {kind: label}, record.line, own) for label in labels]
    return [(place, mark) for mark in marks or [Mark(name, spans, {}, record.line, own)]]


def _span(answer: Answer, value: Mapping[str, Any], place: Field | None) -> Span | str:
    """Return the code points of a region, or the reason for which there are none."""
    record = answer.record
    start, end = (expect(record, "value", offset, int, "an offset") for offset in ends_of(value))
    text = None if place is None else place.text(answer.data)
    if text is None:
        return NO_TEXT
    span = code_points(units_of(text), record.file, record.line, (start, end))
    written, here = value.get("text"), covered(text, [span])
    if not isinstance(written, str) or span[0] < 0 or same_cover(here, written):
        return span
    # Browsers count the text of HTML in ways that can't all be repeated: better no place than a wrong one.
    if isinstance(value["start"], str):
        return HTML
    raise BadInput([different_cover(record.file, record.line, here, written)])


def _relation(record: Record, item: Item, options: ReadOptions) -> Relation:
    ends = [(role, item.get(key)) for role, key in (("from", "from_id"), ("to", "to_id"))]
    for role, end in ends:
        if isinstance(end, bool) or not isinstance(end, str | int):
            raise BadInput([wrong_kind(record, f"{role}_id", end, "the id of a region")])
    labels = item.get("labels")
    names = [each for each in labels if isinstance(each, str)] if isinstance(labels, list) else []
    direction = item.get("direction")
    features = {"direction": direction} if isinstance(direction, str) else {}
    arguments = tuple((role, as_text(end)) for role, end in ends)
    return Relation(joined(names, options) or RELATION, arguments, features, record.line)
