"""From the results of an annotation to marks: of stretches of text, or of the document."""

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from reportgen.base.errors import BadInput, for_each
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.json_records import Record, as_text, expect, name_in, wrong_kind
from reportgen.readers.offsets import Utf16, code_points, covered, different_cover
from reportgen.readers.reader import ParsedMark, ReaderOptions, Relation, Span, State, joined

# What one result of Label Studio is about, and what its value says.

Item = Mapping[str, Any]

FREE_TEXT = "free text that an annotator wrote"
MEDIA = "a region of a picture, a recording or a time series"
DIALOGUE = "a stretch of a dialogue, which is not one text"
HTML = "a stretch of HTML whose place in the text is not given"
NO_TEXT = "a stretch of a text that the export does not hold"
OTHER = "a result of a kind that is not compared"

# What only places outside texts have, and what their controls are called.
MEDIA_KEYS = ("x", "y", "points", "vertices", "rle", "sequence", "ranges", "channel", "instant")
MEDIA_TYPES = ("rectangle", "polygon", "brush", "bitmask", "ellipse", "keypoint", "vector", "video", "time")
CHOICES = ("choices", "taxonomy")
SINGLE = ("rating", "number", "datetime")


def reason_to_leave_out(item: Item, value: Mapping[str, Any]) -> str | None:
    """Return why a result is neither of a stretch of text nor of the whole document; None where it is."""
    kind = kind_of(item, value)
    if kind == "textarea":
        return FREE_TEXT
    if kind.startswith(MEDIA_TYPES) or any(key in value for key in MEDIA_KEYS) or "original_length" in item:
        return MEDIA
    if kind.startswith("paragraph"):
        return DIALOGUE
    if "start" in value:
        return _place_unknown(value)
    return None if kind in (*CHOICES, *SINGLE, "pairwise") else OTHER


def _place_unknown(value: Mapping[str, Any]) -> str | None:
    ends = [value.get("start"), value.get("end")]
    if any(isinstance(end, float) for end in ends):
        return MEDIA
    in_html = all(isinstance(end, str) for end in ends)
    return HTML if in_html and not isinstance(value.get("globalOffsets"), dict) else None


def kind_of(item: Item, value: Mapping[str, Any]) -> str:
    """Return the type of a result; in exports that do not write it, what its value holds."""
    kind = item.get("type")
    if isinstance(kind, str) and kind:
        return kind.lower()
    known = (*CHOICES, *SINGLE, "pairwise")
    found = next((key for key in value if key in known or key.endswith("labels")), None)
    return found or ("textarea" if isinstance(value.get("text"), list) else "")


def is_region(value: Mapping[str, Any]) -> bool:
    """Say whether a value is of a place in what was annotated, not of all of it."""
    return "start" in value or any(key in value for key in MEDIA_KEYS)


def is_labelled(kind: str) -> bool:
    """Say whether results of a type are regions with labels of their own."""
    return kind.endswith("labels")


def labels_of(record: Record, item: Item, value: Mapping[str, Any], options: ReaderOptions) -> list[str]:
    """Return the labels of a result: each of a region's, one where several choices were made together."""
    kind = kind_of(item, value)
    said = value.get("selected" if kind == "pairwise" else kind)
    if said is None or said == []:
        return []
    if kind in CHOICES or is_labelled(kind):
        if not isinstance(said, list):
            raise BadInput([wrong_kind(record, kind, said, "a list of labels")])
        names = [_path(record, kind, each) for each in said]
        return list(dict.fromkeys(names)) if is_labelled(kind) else [joined(names, options)]
    return [as_text(said)]


def _path(record: Record, kind: str, value: object) -> str:
    """Return a label; one of a tree is written with all that stands above it."""
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return "/".join(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput([wrong_kind(record, kind, value, "a label")])
    return as_text(value)


def ends_of(value: Mapping[str, Any]) -> Sequence[object]:
    """Return where a stretch of text starts and ends, in UTF-16 units; of HTML, in its text."""
    place = value.get("globalOffsets") if isinstance(value.get("start"), str) else value
    return [place.get("start"), place.get("end")] if isinstance(place, dict) else [None, None]


# An annotation of a task, in whichever way it was written, and the texts that its regions are in.

TEXT = "text"
TAG = re.compile(r"<[^<>]*>")
# So many tasks say which field of the data a control's regions are in.
ENOUGH_TASKS = 200


@dataclass(frozen=True)
class TaskAnnotation:
    """What somebody did with a task: its results, and the data that were shown.

    `annotator` is empty where the file does not say whose it is.
    """

    record: Record
    document: str
    annotator: str
    data: Mapping[str, Any]
    items: Sequence[Item]
    state: State = "seen"
    role: str = "annotator"


@dataclass(frozen=True)
class Answers:
    """All that a file holds, and the control that counts where the campaign chooses none."""

    answers: Sequence[TaskAnnotation]
    left_out: Sequence[ExcludedMarks] = ()
    reading: str = ""
    default: str | None = None


@dataclass(frozen=True)
class TextField:
    r"""A field of the data that holds a text, as it is, as HTML, or with "\r\n" counted as one character."""

    name: str
    is_html: bool = False
    has_one_end: bool = False

    def text(self, data: Mapping[str, Any]) -> str | None:
        """Return the text in a task's data, None where there is none."""
        found = data.get(self.name)
        if not isinstance(found, str):
            return None
        shown = _rendered(found) if self.is_html else found
        return shown.replace("\r\n", "\n") if self.has_one_end else shown


@lru_cache(maxsize=8)
def _rendered(text: str) -> str:
    return html.unescape(TAG.sub("", text))


@lru_cache(maxsize=8)
def units_of(text: str) -> Utf16:
    """Return the UTF-16 offsets of a text, which are asked for once for each region in it."""
    return Utf16(text)


@dataclass
class _Votes:
    """In which fields how many regions of a control would stand with the text that they are said to cover."""

    fitting: Counter[TextField] = field(default_factory=Counter)
    fields: dict[TextField, None] = field(default_factory=dict)
    tasks: int = 0

    def best(self) -> TextField | None:
        """Return the field in which most fit, of those with as many the first; `text` where none fits."""
        known = sorted(self.fields, key=lambda each: (each.name != TEXT, each.is_html, each.has_one_end))
        best = max(known, key=lambda each: self.fitting[each], default=None)
        if best is not None and not self.fitting[best] and best.name != TEXT:
            return None
        return best


def find_fields(answers: Sequence[TaskAnnotation]) -> dict[str, TextField | None]:
    """Return for each object that regions refer to the field that holds its text, None where none does."""
    votes: dict[str, _Votes] = {}
    for answer in answers:
        regions: dict[str, list[Mapping[str, Any]]] = {}
        for item in answer.items:
            value = item.get("value")
            if isinstance(value, dict) and "start" in value and _span(value) is not None:
                regions.setdefault(target_of(item), []).append(value)
        for target, values in regions.items():
            _vote(votes.setdefault(target, _Votes()), answer.data, values)
    return {target: each.best() for target, each in votes.items()}


def target_of(item: Item) -> str:
    """Return what a result is about: the object of the labelling interface, else its own control."""
    return str(item.get("to_name") or item.get("from_name") or "")


def _vote(votes: _Votes, data: Mapping[str, Any], values: Sequence[Mapping[str, Any]]) -> None:
    votes.tasks += 1
    if votes.tasks > ENOUGH_TASKS:
        return
    for name, content in data.items():
        for one in (TextField(name), TextField(name, has_one_end=True), TextField(name, is_html=True)):
            text = one.text(data)
            if text is None or (one.is_html and text == content):
                continue
            votes.fields[one] = None
            votes.fitting[one] += sum(_fits(value, text) for value in values)


def _span(value: Mapping[str, Any]) -> tuple[int, int] | None:
    start, end = ends_of(value)
    if isinstance(start, bool) or isinstance(end, bool):
        return None
    return (start, end) if isinstance(start, int) and isinstance(end, int) else None


def _fits(value: Mapping[str, Any], text: str) -> bool:
    span = _span(value)
    inside = units_of(text).span(*span) if span is not None and min(span) >= 0 else None
    if inside is None or inside[1] > len(text):
        return False
    written = value.get("text")
    return not isinstance(written, str) or same_cover(covered(text, [inside]), written)


def same_cover(here: str, written: str) -> bool:
    r"""Say whether a text is what Label Studio would write for it, which has "\n" for a line's end."""
    return here == written or " ".join(here.split()) == " ".join(written.replace("\\n", "\n").split())


# From the results of an annotation to marks: of stretches of text, or of the document.

RELATION = "relation"
Placed = tuple[TextField | None, ParsedMark]


# The results on one region: those with labels of their own, and what else was said about it.
Region = tuple[Sequence[Item], Sequence[Item]]


def read_results(
    answer: TaskAnnotation, fields: Mapping[str, TextField | None], options: ReaderOptions
) -> tuple[list[Placed], list[Relation], list[ExcludedMarks]]:
    """Return the marks with the field that they are in, the relations, and what is left out.

    Raises BadInput with all that is wrong.
    """
    record = answer.record
    regions = _regions([item for item in answer.items if item.get("type") != RELATION])
    found = for_each(regions, lambda region: _read_region(answer, region, fields, options))
    relations = [item for item in answer.items if item.get("type") == RELATION]
    return (
        [mark for marks, _ in found for mark in marks],
        for_each(relations, lambda item: _relation(record, item, options)),
        [
            ExcludedMarks(record.file, record.line, answer.annotator, reason, 1)
            for _, reasons in found
            for reason in reasons
        ],
    )


def _value(item: Item) -> Mapping[str, Any]:
    value = item.get("value")
    return value if isinstance(value, dict) else {}


def _regions(items: Sequence[Item]) -> list[Region]:
    """Return results of one region together: they have the same id."""
    groups: dict[object, list[Item]] = {}
    for place, item in enumerate(items):
        own = item.get("id")
        groups.setdefault(own if isinstance(own, str) and is_region(_value(item)) else place, []).append(item)
    return list(map(_leading, groups.values()))


def _leading(group: Sequence[Item]) -> Region:
    labelled = [item for item in group if is_labelled(kind_of(item, _value(item)))] or group[:1]
    return labelled, [item for item in group if not any(item is each for each in labelled)]


def _read_region(
    answer: TaskAnnotation, region: Region, fields: Mapping[str, TextField | None], options: ReaderOptions
) -> tuple[list[Placed], list[str]]:
    """Return the marks of a region, and a reason for each result of it that is left out."""
    leading, further = region
    features, left_out = _further(answer.record, further, options)
    read = for_each(leading, lambda item: _read_item(answer, item, fields, options))
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


def _further(
    record: Record, items: Sequence[Item], options: ReaderOptions
) -> tuple[dict[str, str], list[str]]:
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
    answer: TaskAnnotation, item: Item, fields: Mapping[str, TextField | None], options: ReaderOptions
) -> list[Placed] | str:
    """Return the marks of one result, or the reason for which it is left out."""
    record = answer.record
    value = expect(record, "value", item.get("value"), dict, "an object")
    if reason := reason_to_leave_out(item, value):
        return reason
    kind, place = kind_of(item, value), fields.get(target_of(item))
    spans: tuple[Span, ...] = ()
    if is_region(value):
        found = _results_span(answer, value, place)
        if isinstance(found, str):
            return found
        spans = (found,)
    name = str(item.get("from_name") or kind)
    own = as_text(item["id"]) if item.get("id") is not None else ""
    labels = labels_of(record, item, value, options)
    marks = [ParsedMark(name, spans, {kind: label}, record.line, own) for label in labels]
    return [(place, mark) for mark in marks or [ParsedMark(name, spans, {}, record.line, own)]]


def _results_span(answer: TaskAnnotation, value: Mapping[str, Any], place: TextField | None) -> Span | str:
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


def _relation(record: Record, item: Item, options: ReaderOptions) -> Relation:
    keys = (("from", "from_id"), ("to", "to_id"))
    arguments = tuple((role, name_in(record, key, item.get(key), "the id of a region")) for role, key in keys)
    labels = item.get("labels")
    names = [each for each in labels if isinstance(each, str)] if isinstance(labels, list) else []
    direction = item.get("direction")
    features = {"direction": direction} if isinstance(direction, str) else {}
    return Relation(joined(names, options) or RELATION, arguments, features, record.line)
