"""From the results of an annotation to marks: of stretches of text, or of the document."""

import html
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, for_each
from reportgen.readers.annotations import ExcludedMarks, Span, covered, different_cover
from reportgen.readers.json_records import Record, as_text, expect, name_in, wrong_kind
from reportgen.readers.places import Offsets, code_points, utf16
from reportgen.readers.reader import ParsedMark, ReaderOptions, Relation, State, joined
from reportgen.readers.scales import Control
from reportgen.readers.work_times import NO_TIMING, Timing

# What one result of Label Studio is about, and what its value says.

Result = Mapping[str, Any]

FREE_TEXT = "free text that an annotator wrote"
MEDIA = "a region of a picture, a recording or a time series"
DIALOGUE = "a stretch of a dialogue, which is not one text"
HTML = "a stretch of HTML whose place in the text is not given"
NO_TEXT = "a stretch of a text that the export does not have"
OTHER = "a result of a kind that is not compared"

# What only places outside texts have, and what their controls are called.
MEDIA_KEYS = ("x", "y", "points", "vertices", "rle", "sequence", "ranges", "channel", "instant")
MEDIA_TYPES = ("rectangle", "polygon", "brush", "bitmask", "ellipse", "keypoint", "vector", "video", "time")
CHOICES = ("choices", "taxonomy")
# Puts things in order, or into buckets; what is left in none has a label too.
RANKER, UNSORTED = "ranker", "(not sorted)"
# Kinds of results whose labels are of the document as a whole.
OF_DOCUMENT = (*CHOICES, "rating", "number", "datetime", "pairwise")


def value_of(result: Result) -> Mapping[str, Any]:
    """Return what a result says, nothing where it says it in no object."""
    value = result.get("value")
    return value if isinstance(value, dict) else {}


def kind_of(result: Result) -> str:
    """Return the type of a result; in exports that do not write it, the key of its value."""
    kind, value = result.get("type"), value_of(result)
    if isinstance(kind, str) and kind:
        return kind.lower()
    labels_key = next((key for key in value if key in OF_DOCUMENT or key.endswith("labels")), None)
    return labels_key or ("textarea" if isinstance(value.get("text"), list) else "")


def control_name(result: Result) -> str:
    """Return what the control is called that a result is from, else its kind."""
    return str(result.get("from_name") or kind_of(result))


def has_comment(result: Result) -> bool:
    """Say whether an annotator wrote something about a region, which Label Studio calls its meta."""
    meta = result.get("meta")
    return isinstance(meta, dict) and bool(meta.get("text"))


def reason_to_leave_out(result: Result) -> str | None:
    """Return why a result is neither of a stretch of text nor of the whole document; None where it is."""
    kind, value = kind_of(result), value_of(result)
    if kind == "textarea":
        return FREE_TEXT
    if kind.startswith(MEDIA_TYPES) or any(key in value for key in MEDIA_KEYS) or "original_length" in result:
        return MEDIA
    if kind.startswith("paragraph"):
        return DIALOGUE
    if "start" not in value:
        return None if kind in OF_DOCUMENT else OTHER
    ends = [value["start"], value.get("end")]
    if any(isinstance(end, float) for end in ends):
        return MEDIA
    in_html = all(isinstance(end, str) for end in ends)
    return HTML if in_html and not isinstance(value.get("globalOffsets"), dict) else None


def labels_of(record: Record, result: Result, options: ReaderOptions) -> list[str]:
    """Return the labels of a result: each of a region's, one where several choices were made together."""
    kind = kind_of(result)
    of_region = kind.endswith("labels")
    key = "selected" if kind == "pairwise" else kind
    written = value_of(result).get(key)
    if kind in OF_DOCUMENT and key not in value_of(result):
        raise BadInput([wrong_kind(record, key, None, "what was chosen")])
    if written is None or written == []:
        return []
    if kind not in CHOICES and not of_region:
        return [as_text(written)]
    names = [_path(record, kind, label) for label in expect(record, kind, written, list, "a list of labels")]
    return list(dict.fromkeys(names)) if of_region else [joined(names, options)]


def _path(record: Record, kind: str, value: object) -> str:
    """Return a label; one of a tree is written with all that is above it."""
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return "/".join(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput([wrong_kind(record, kind, value, "a label")])
    return as_text(value)


# What each control takes, by its name: the kind of its results, and what its labels are given with.
Controls = Mapping[str, tuple[str, Control | None]]
OF_KIND: Mapping[str, Control] = {"rating": "rating", "number": "number", "pairwise": "choice"}


def controls_in(results: Iterable[Result]) -> Controls:
    """Return what each control takes: several choices where some result has several."""
    kinds: dict[str, str] = {}
    found: dict[str, Control | None] = {}
    for result in results:
        kind = kind_of(result)
        name = control_name(result)
        kinds.setdefault(name, kind)
        if kind in CHOICES:
            chosen = value_of(result).get(kind)
            several = isinstance(chosen, list) and len(chosen) > 1
            found[name] = "choices" if several or found.get(name) == "choices" else "choice"
        elif kind == RANKER:
            sorted_apart = len(_filled(result)) > 1
            found[name] = "choice" if sorted_apart or found.get(name) == "choice" else "ranking"
        else:
            found[name] = OF_KIND.get(kind)
    return {name: (kind, found.get(name)) for name, kind in kinds.items()}


def _filled(result: Result) -> dict[str, list[str]]:
    """Return what a result has put in order, by the bucket that it is in; nothing where it is otherwise."""
    written = value_of(result).get(RANKER) if kind_of(result) == RANKER else None
    buckets = {"": written} if isinstance(written, list) else written
    if not isinstance(buckets, dict) or not all(isinstance(items, list) for items in buckets.values()):
        return {}
    texts = {bucket: [as_text(item) for item in items] for bucket, items in buckets.items()}
    return {bucket: items for bucket, items in texts.items() if items}


def ranks_of(result: Result, control: Control | None) -> dict[str, str]:
    """Return the label of each thing that a ranker has put in order: its place, else its bucket."""
    filled = _filled(result)
    if control == "ranking":
        items = [item for items in filled.values() for item in items]
        return {item: str(place) for place, item in enumerate(items, 1)}
    return {item: UNSORTED if bucket == "_" else bucket for bucket, items in filled.items() for item in items}


def ends_of(value: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return where a stretch of text starts and ends, in UTF-16 units; of HTML, in its text."""
    offsets = value.get("globalOffsets") if isinstance(value.get("start"), str) else value
    return (offsets.get("start"), offsets.get("end")) if isinstance(offsets, dict) else (None, None)


# An annotation of a task, in whichever way it was written, and the texts that its regions are in.

TEXT = "text"
TAG = re.compile(r"<[^<>]*>")
# So many tasks say which field of the data a control's regions are in.
ENOUGH_TASKS = 200


@dataclass(frozen=True)
class TaskAnnotation:
    """What somebody did with a task: its results, and the data that were shown.

    `annotator` is empty where the file does not say whose it is.
    `timing` says when it was submitted, and how long it took.
    """

    record: Record
    document: str
    annotator: str
    data: Mapping[str, Any]
    results: Sequence[Result]
    state: State = "seen"
    role: str = "annotator"
    timing: Timing = NO_TIMING


@dataclass(frozen=True)
class Answers:
    """All that a file has, and the control that counts where the campaign chooses none."""

    answers: Sequence[TaskAnnotation]
    left_out: Sequence[ExcludedMarks] = ()
    reading: str = ""
    default: str | None = None


@dataclass(frozen=True)
class TextField:
    r"""A field of the data that has a text, as it is, as HTML, or with "\r\n" counted as one character."""

    name: str
    is_html: bool = False
    has_one_end: bool = False

    def text(self, data: Mapping[str, Any]) -> str | None:
        """Return the text in a task's data, None where there is none."""
        content = data.get(self.name)
        if not isinstance(content, str):
            return None
        shown = _rendered(content) if self.is_html else content
        return shown.replace("\r\n", "\n") if self.has_one_end else shown


@lru_cache(maxsize=8)
def _rendered(text: str) -> str:
    return html.unescape(TAG.sub("", text))


@lru_cache(maxsize=8)
def units_of(text: str) -> Offsets:
    """Return the UTF-16 offsets of a text, which are asked for once for each region in it."""
    return utf16(text)


# The field that has the text of each object that regions refer to, None where none does.
Fields = Mapping[str, TextField | None]


def find_fields(answers: Sequence[TaskAnnotation]) -> Fields:
    """Return for each object that regions refer to the field that has its text, None where none does."""
    tasks: dict[str, list[tuple[TaskAnnotation, list[Mapping[str, Any]]]]] = {}
    for answer in answers:
        regions: dict[str, list[Mapping[str, Any]]] = {}
        for result in answer.results:
            value = value_of(result)
            if "start" in value and _span(value) is not None:
                regions.setdefault(target_of(result), []).append(value)
        for target, values in regions.items():
            tasks.setdefault(target, []).append((answer, values))
    return {target: _field(of_target[:ENOUGH_TASKS]) for target, of_target in tasks.items()}


def target_of(result: Result) -> str:
    """Return what a result is about: the object of the labelling interface, else its own control."""
    return str(result.get("to_name") or result.get("from_name") or "")


def _field(tasks: Sequence[tuple[TaskAnnotation, list[Mapping[str, Any]]]]) -> TextField | None:
    """Return the field in which most regions would be with the text that they are said to cover.

    Of those with as many it is the first; `text` where none fits.
    """
    fitting: Counter[TextField] = Counter()
    for answer, values in tasks:
        for name, content in answer.data.items():
            for field in (TextField(name), TextField(name, has_one_end=True), TextField(name, is_html=True)):
                text = field.text(answer.data)
                if text is not None and not (field.is_html and text == content):
                    fitting[field] += sum(_fits(value, text) for value in values)
    ranked = sorted(fitting, key=lambda field: (field.name != TEXT, field.is_html, field.has_one_end))
    best = max(ranked, key=fitting.__getitem__, default=None)
    return None if best is not None and not fitting[best] and best.name != TEXT else best


def _span(value: Mapping[str, Any]) -> tuple[int, int] | None:
    start, end = ends_of(value)
    if isinstance(start, bool) or isinstance(end, bool):
        return None
    return (start, end) if isinstance(start, int) and isinstance(end, int) else None


def _fits(value: Mapping[str, Any], text: str) -> bool:
    span, written = _span(value), value.get("text")
    if span is None or min(span) < 0:
        return False
    if isinstance(written, str):
        return _covering(text, span, written) is not None
    return not units_of(text).splits(span) and units_of(text).span(span)[1] <= len(text)


def _covering(text: str, span: Span, written: str) -> Span | None:
    """Return the code points of a region that has its own text, None where it covers another.

    The editor counts UTF-16 units; predictions and regions that a script made often count characters.
    """
    ways = [offsets for offsets in (units_of(text), Offsets()) if not offsets.splits(span)]
    covering = (here for here in (offsets.span(span) for offsets in ways) if here[1] <= len(text))
    return next((here for here in covering if same_cover(covered(text, [here]), written)), None)


def same_cover(here: str, written: str) -> bool:
    r"""Say whether a text is what Label Studio would write for it, which has "\n" for a line's end."""
    return here == written or " ".join(here.split()) == " ".join(written.replace("\\n", "\n").split())


# From the results of an annotation to marks: of stretches of text, or of the document.

RELATION = "relation"
# Behind the name of a control that is called like the feature of the mark which has its labels.
AS_CONTROL = " (control)"
Placed = tuple[TextField | None, ParsedMark]


def read_results(
    answer: TaskAnnotation, fields: Fields, options: ReaderOptions
) -> tuple[list[Placed], list[Relation], list[ExcludedMarks]]:
    """Return the marks with the field that they are in, the relations, and what is left out.

    Raises BadInput with all that is wrong.
    """
    record = answer.record
    # Results on one region have the same id.
    regions: dict[object, list[Result]] = {}
    for index, result in enumerate(result for result in answer.results if result.get("type") != RELATION):
        own, value = result.get("id"), value_of(result)
        of_region = isinstance(own, str) and ("start" in value or any(key in value for key in MEDIA_KEYS))
        regions.setdefault(own if of_region else index, []).append(result)
    by_region = for_each(regions.values(), lambda results: _read_region(answer, results, fields, options))
    relations = [result for result in answer.results if result.get("type") == RELATION]
    return (
        [mark for marks, _ in by_region for mark in marks],
        for_each(relations, lambda result: _relation(record, result, options)),
        [
            ExcludedMarks(record.file, record.line, answer.annotator, reason, 1)
            for _, reasons in by_region
            for reason in reasons
        ],
    )


def _read_region(
    answer: TaskAnnotation, results: Sequence[Result], fields: Fields, options: ReaderOptions
) -> tuple[list[Placed], list[str]]:
    """Return the marks of a region, and a reason for each result of it that is left out.

    Its marks are the results with labels of their own; the others are what was said about them.
    """
    leading = [result for result in results if kind_of(result).endswith("labels")] or results[:1]
    further = [result for result in results if not any(result is leader for leader in leading)]
    features, left_out = _further_features(answer.record, further, options)
    read = for_each(leading, lambda result: _read_result(answer, result, fields, options))
    marks = [
        (field, replace(mark, features=_merged(mark.features, features)))
        for of_result in read
        if not isinstance(of_result, str)
        for field, mark in of_result
    ]
    reasons = [of_result for of_result in read if isinstance(of_result, str)]
    if not marks and reasons:
        left_out += reasons[:1] * len(features)
    return marks, [*reasons, *left_out]


def _merged(own: Mapping[str, str], further: Mapping[str, str]) -> dict[str, str]:
    """Return all features; a control that is called like a feature of the mark is told apart from it."""
    return {
        **own,
        **{f"{name}{AS_CONTROL}" if name in own else name: label for name, label in further.items()},
    }


def _further_features(
    record: Record, results: Sequence[Result], options: ReaderOptions
) -> tuple[dict[str, str], list[str]]:
    """Return what further controls say about a region, by control, and why the rest is left out."""
    features: dict[str, str] = {}
    left_out: list[str] = []
    for result in results:
        name = control_name(result)
        if reason := reason_to_leave_out(result):
            left_out.append(reason)
        elif labels := labels_of(record, result, options):
            features[name] = joined([*labels, *([features[name]] if name in features else [])], options)
    return features, left_out


def _read_result(
    answer: TaskAnnotation, result: Result, fields: Fields, options: ReaderOptions
) -> list[Placed] | str:
    """Return the marks of one result, or the reason for which it is left out."""
    record, kind, field = answer.record, kind_of(result), fields.get(target_of(result))
    expect(record, "value", result.get("value"), dict, "an object")
    if reason := reason_to_leave_out(result):
        return reason
    spans: tuple[Span, ...] = ()
    if "start" in value_of(result):
        span = _results_span(answer, value_of(result), field)
        if isinstance(span, str):
            return span
        spans = (span,)
    own = as_text(result["id"]) if result.get("id") is not None else ""
    feature_sets = [{kind: label} for label in labels_of(record, result, options)] or [{}]
    name = control_name(result)
    return [(field, ParsedMark(name, spans, features, record.line, own)) for features in feature_sets]


def _results_span(answer: TaskAnnotation, value: Mapping[str, Any], field: TextField | None) -> Span | str:
    """Return the code points of a region, or the reason for which there are none."""
    record = answer.record
    start, end = (expect(record, "value", offset, int, "an offset") for offset in ends_of(value))
    text = None if field is None else field.text(answer.data)
    if text is None:
        return NO_TEXT
    written = value.get("text")
    if not isinstance(written, str) or start < 0:
        return code_points(units_of(text), record.file, record.line, (start, end))
    span = _covering(text, (start, end), written)
    if span is not None:
        return span
    # Browsers count the text of HTML in ways that can't all be repeated: better no place than a wrong one.
    if isinstance(value["start"], str):
        return HTML
    here = covered(text, [units_of(text).span((start, end))])
    raise BadInput([different_cover(record.file, record.line, here, written)])


def _relation(record: Record, result: Result, options: ReaderOptions) -> Relation:
    keys = (("from", "from_id"), ("to", "to_id"))
    arguments = tuple(
        (role, name_in(record, key, result.get(key), "the id of a region")) for role, key in keys
    )
    labels = result.get("labels")
    names = [label for label in labels if isinstance(label, str)] if isinstance(labels, list) else []
    direction = result.get("direction")
    features = {"direction": direction} if isinstance(direction, str) else {}
    return Relation(joined(names, options) or RELATION, arguments, features, record.line)
