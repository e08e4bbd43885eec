"""Label Studio: tasks with their annotations (JSON), or an annotation a record (JSON-MIN, CSV, TSV)."""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, did_you_mean, for_each, refused
from reportgen.readers.annotations import ExcludedMarks, Span, covered, different_cover
from reportgen.readers.layers_of_marks import ARROW, types_in
from reportgen.readers.naming import UNNAMED, name_files
from reportgen.readers.places import Offsets, code_points, utf16
from reportgen.readers.reader import (
    COMMENTS,
    TIMES,
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    State,
    as_label_set,
)
from reportgen.readers.scales import Control
from reportgen.readers.string_tables import first_row, read_table
from reportgen.readers.untrusted import (
    Record,
    RecordContent,
    as_text,
    expect,
    export_of_records,
    first_record,
    for_each_record,
    is_json,
    listed,
    name_in,
    read_records,
    wrong_kind,
)
from reportgen.readers.work_times import NO_TIMING, UNKNOWN, Timing, duration, moment

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
    return list(dict.fromkeys(names)) if of_region else [as_label_set(names, options)]


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
            features[name] = as_label_set([*labels, *([features[name]] if name in features else [])], options)
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
    return Relation(as_label_set(names, options) or RELATION, arguments, features, record.line)


# Label Studio's own JSON: tasks, each with its annotations, predictions and drafts.

ANNOTATIONS = ("annotations", "completions")
SKIPPED = ("was_cancelled", "skipped")
GROUND_TRUTH = "ground truth"
PREDICTIONS = "predictions"
DRAFT = "a draft that was not submitted"


def is_task(value: object) -> bool:
    """Say whether a record is a task: with data, and annotations of them."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("data"), dict)
        and any(isinstance(value.get(key), list) for key in ANNOTATIONS)
    )


def read_tasks(records: Sequence[Record], options: ReaderOptions) -> Answers:
    """Return what was done with all tasks; raise BadInput with everything that is wrong with any.

    A file may have a list of tasks in each of its records.
    """
    tasks = [
        Record(record.file, record.line, task)
        for record in records
        for task in (record.value if isinstance(record.value, list) else [record.value])
    ]
    read = for_each_record(tasks, lambda record: _task(record, options))
    left_out = [left for _, drafts in read for left in drafts]
    return Answers([answer for answers, _ in read for answer in answers], left_out, "Label Studio: tasks.")


def _task(record: Record, options: ReaderOptions) -> tuple[list[TaskAnnotation], list[ExcludedMarks]]:
    task = expect(record, "", record.value, dict, "a task")
    data = expect(record, "data", task.get("data"), dict, "an object with the task's data")
    blank = TaskAnnotation(record, document_name(record, task, data, options), "", data, ())
    key = next((key for key in ANNOTATIONS if key in task), ANNOTATIONS[0])
    if key not in task and PREDICTIONS not in task:
        message, remedy = (
            "a task says nothing of its annotations.",
            'Write "annotations": [] where there are none.',
        )
        raise refused(record.file, record.line, key, message, remedy)
    answers = for_each(listed(record, key, task.get(key)), lambda value: _annotation(blank, key, value))
    # A prediction may only be referred to, by its id: then the file has nothing of it.
    predictions = listed(record, PREDICTIONS, task.get(PREDICTIONS))
    contained = [prediction for prediction in predictions if type(prediction) is not int]
    models = for_each(contained, lambda prediction: _prediction(blank, prediction))
    return [*answers, *models], list(_drafts(record, task.get("drafts")))


def document_name(
    record: Record, task: Mapping[str, Any], data: Mapping[str, Any], options: ReaderOptions
) -> str:
    """Return the field of the data that the campaign names as the unit, else the task's id."""
    column = options.columns.get("unit")
    identifier = data.get(column, task.get(column)) if column is not None else task.get("id")
    return name_in(record, column or "id", identifier, "what the task is called")


def _annotation(blank: TaskAnnotation, key: str, value: object) -> TaskAnnotation:
    annotation = expect(blank.record, key, value, dict, "an annotation")
    results = results_of(blank.record, annotation.get("result"))
    if annotation.get("ground_truth") is True:
        return replace(blank, annotator=GROUND_TRUTH, results=results, role="reference")
    name = annotator_name(annotation.get("completed_by"))
    skipped = any(annotation.get(key) is True for key in SKIPPED)
    state: State = "skipped" if skipped else "seen"
    return replace(blank, annotator=name, results=results, state=state, timing=timing_of(annotation))


def timing_of(annotation: Mapping[str, Any]) -> Timing:
    """Return when an annotation was submitted, else changed, and how many seconds it took."""
    moments = (moment(annotation.get(key)) for key in CHANGED)
    at = next((when for when in moments if when != UNKNOWN), UNKNOWN)
    return Timing(at, duration(annotation.get(TIME)))


def _prediction(blank: TaskAnnotation, value: object) -> TaskAnnotation:
    prediction = expect(blank.record, PREDICTIONS, value, dict, "a prediction")
    version = prediction.get("model_version")
    name = version if isinstance(version, str) and version else PREDICTIONS
    results = results_of(blank.record, prediction.get("result"))
    return replace(blank, annotator=name, results=results, role="model")


def annotator_name(value: object) -> str:
    """Return somebody's e-mail address, else first and last name, else the number; "" where nothing is."""
    if isinstance(value, dict):
        names = [value.get(key) for key in ("first_name", "last_name")]
        full_name = " ".join(part for part in names if isinstance(part, str) and part)
        own = next((address for address in (value.get("email"), value.get("username")) if address), full_name)
        return annotator_name(own) or annotator_name(value.get("id"))
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return as_text(value)


def results_of(record: Record, value: object) -> list[Result]:
    """Return the results in an annotation; raise BadInput where they are no list of objects."""
    results = expect(record, "result", value, list, "a list of results")
    return for_each(results, lambda result: expect(record, "result", result, dict, "a result"))


def _drafts(record: Record, value: object) -> Iterator[ExcludedMarks]:
    for draft in listed(record, "drafts", value):
        results = draft.get("result") if isinstance(draft, dict) else None
        if isinstance(results, list) and results:
            whose = annotator_name(draft.get("user") or draft.get("created_username"))
            yield ExcludedMarks(record.file, record.line, whose, DRAFT, len(results))


# Label Studio's JSON-MIN, CSV and TSV: a record an annotation, the controls' values beside the data.

ANNOTATOR, ANNOTATION = "annotator", "annotation_id"
# When an annotation was submitted, and changed last; how long it took.
CHANGED = ("created_at", "updated_at")
TIME = "lead_time"
ABOUT = (ANNOTATOR, ANNOTATION, "id", *CHANGED, TIME, "agreement", "history")
OPENERS = ("[", "{")
NO_CONTROL = (
    "no column can be told to have labels: none has regions, or differs between annotators of a task."
)


def is_annotation(value: object) -> bool:
    """Say whether a record of JSON is an annotation with its data, as JSON-MIN writes it."""
    return isinstance(value, dict) and ANNOTATOR in value and ANNOTATION in value


def read_flat(records: Sequence[Record], options: ReaderOptions) -> Answers:
    """Return all annotations; raise BadInput where nothing shows which of the columns have labels."""
    values = for_each_record(
        records, lambda record: expect(record, "", record.value, dict, "an annotation with its data")
    )
    asked = _asked_for(records, values, options)
    controls = _controls(records, values, asked)
    answers = for_each_record(records, lambda record: _answer(record, controls, options))
    default = asked if options.source is None else None
    return Answers(answers, (), "Label Studio: annotations one by one.", default)


def _asked_for(
    records: Sequence[Record], values: Sequence[Mapping[str, Any]], options: ReaderOptions
) -> str | None:
    """Return the column of labels that the campaign names."""
    column = options.columns.get("label")
    if column is None:
        return None
    name = column.partition(ARROW)[0].strip()
    if any(name in value for value in values):
        return name
    if options.source is not None:  # a layer that is not there is said where layers are looked for
        return None
    remedy = did_you_mean(name, _names(values))
    raise refused(records[0].file, 0, "columns.label", f'there is no column "{name}".', remedy)


def _names(values: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for value in values for name in value))


def _controls(records: Sequence[Record], values: Sequence[Mapping[str, Any]], asked: str | None) -> list[str]:
    """Return which columns are what annotators said; raise BadInput where nothing shows it.

    Label Studio writes the task's data, its id, what was said, and who said it, in that order. Where
    columns are sorted by name instead, those count that have results, or differ between the
    annotations of a task.
    """
    between = [_columns_between(value) for value in values]
    free = [name for name in _names(values) if name not in ABOUT]
    if all(names is not None for names in between):
        controls = [name for names in between for name in names or ()]
    else:
        controls = [
            name
            for name in free
            if any(_holds_results(value.get(name)) for value in values) or _varies(name, values)
        ]
        if not controls and not asked:
            remedy = (
                f'Name the one that does: columns = {{ label = "…" }}; the columns are {", ".join(free)}.'
            )
            raise refused(records[0].file, 0, "columns.label", NO_CONTROL, remedy)
    return list(dict.fromkeys([*controls, *([asked] if asked else [])]))


def _columns_between(value: Mapping[str, Any]) -> list[str] | None:
    """Return what is between id and annotator, None where names are in another order."""
    names = list(value)
    if "id" not in names or ANNOTATOR not in names or names == sorted(names):
        return None
    start, end = names.index("id") + 1, names.index(ANNOTATOR)
    return names[start:end] if start <= end and names[end + 1 : end + 2] == [ANNOTATION] else None


def _varies(name: str, values: Sequence[Mapping[str, Any]]) -> bool:
    first: dict[str, object] = {}
    return any(first.setdefault(str(value.get("id")), value.get(name)) != value.get(name) for value in values)


def _holds_results(cell: object) -> bool:
    value = _parsed(cell)
    results = value if isinstance(value, list) else [value]
    return bool(results) and all(
        isinstance(result, dict) and kind_of({"value": result}) != "" for result in results
    )


def _parsed(cell: object) -> object:
    """Return the value of a cell of a table: JSON where it is some, else its text."""
    if not isinstance(cell, str) or not cell.startswith(OPENERS):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell


def _answer(record: Record, controls: Sequence[str], options: ReaderOptions) -> TaskAnnotation:
    value = record.value
    data = {name: cell for name, cell in value.items() if name not in controls and name not in ABOUT}
    results = [result for name in controls for result in _results(name, value.get(name))]
    name = document_name(record, value, data, options)
    who, timing = annotator_name(value.get(ANNOTATOR)), timing_of(value)
    return TaskAnnotation(record, name, who, data, results, timing=timing)


def _results(control: str, cell: object) -> list[Result]:
    """Return the results that a column has, as Label Studio's own JSON has them."""
    value = _parsed(cell)
    if value is None or value in ("", []):
        return []
    if not isinstance(value, list):
        return [_result(control, value)]
    names = [part for part in value if not isinstance(part, dict)]
    results = [_result(control, part) for part in value if isinstance(part, dict)]
    return [*results, *([_result(control, names)] if names else [])]


def _result(control: str, value: object) -> Result:
    content = value
    if not isinstance(value, dict):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        choices = value if isinstance(value, list) else [value]
        content = {"number": value} if number else {"choices": choices}
    return {"from_name": control, "to_name": control, "value": content}


# Label Studio: tasks with their annotations (JSON), or an annotation a record (JSON-MIN, CSV, TSV).


def recognises(file: ExportFile) -> bool:
    """Say whether the first record is a task or an annotation of Label Studio, or the columns are its own."""
    if not is_json(file):
        return {ANNOTATOR, ANNOTATION, TIME} <= set(first_row(file))
    first = first_record(file)
    return is_task(first) or is_annotation(first)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each annotation and prediction; raise BadInput with all that is wrong."""
    # All annotations; those that do not say whose they are get a name from the file's.
    parts = for_each(files, lambda file: _answers(file, options))
    names = [UNNAMED] * len(files)
    if len(files) > 1 or options.path is not None:
        texts = ["\n".join(str(answer.data.get(TEXT, "")) for answer in part.answers) for part in parts]
        names = [name.annotator for name in name_files(files, texts, options, READER.extensions)]
    answers = [
        replace(
            part, answers=[replace(answer, annotator=answer.annotator or name) for answer in part.answers]
        )
        for part, name in zip(parts, names, strict=True)
    ]
    known = controls_in(
        result for of_file in answers for answer in of_file.answers for result in answer.results
    )
    contents = for_each(answers, lambda of_file: _contents(of_file, known, options))
    drafts = [RecordContent((), of_file.left_out) for of_file in answers]
    default = next((of_file.default for of_file in answers if of_file.default), None)
    reading = " ".join(dict.fromkeys(of_file.reading for of_file in answers if of_file.reading))
    reading = f"{reading} Offsets are UTF-16 units, or characters where the text of a region shows it."
    export = export_of_records(files, chain(drafts, *contents), reading, default)
    results = [result for of_file in answers for answer in of_file.answers for result in answer.results]
    besides = {TIMES: sum(map(_times, files)), COMMENTS: sum(map(has_comment, results))}
    # What the labels of each layer were given with.
    found: dict[str, Control] = {}
    for type_name, features in types_in(export.copies).items():
        for feature in features:
            # The control's own labels are called after its kind, those of others on the region after these.
            kind, control = known.get(type_name, ("", None))
            if feature != kind:
                _, control = known.get(feature.removesuffix(AS_CONTROL), ("", None))
            if control is not None:
                found[f"{type_name}{ARROW}{feature}"] = control
    return replace(
        export,
        not_compared={kind: number for kind, number in besides.items() if number},
        controls=found,
    )


def _times(file: ExportFile) -> int:
    """Return how many annotations say how long they took."""
    if not is_json(file):
        table = read_table(file)
        times = (
            column.tolist() for name, column in zip(table.header, table.columns, strict=True) if name == TIME
        )
        return sum(bool(cell.strip()) for cell in chain(*times))
    values = [record.value for record in read_records(file)]
    tasks = [task for value in values for task in (value if isinstance(value, list) else [value])]
    annotations = [
        annotation
        for task in tasks
        for key in ANNOTATIONS
        for annotation in (task[key] if is_task(task) and isinstance(task.get(key), list) else ())
    ]
    return sum(isinstance(each, dict) and bool(each.get(TIME)) for each in (*tasks, *annotations))


def _answers(file: ExportFile, options: ReaderOptions) -> Answers:
    if is_json(file):
        records = read_records(file)
        flat = any(is_annotation(record.value) for record in records[:1])
        return read_flat(records, options) if flat else read_tasks(records, options)
    table = read_table(file)
    cells = zip(table.rows, zip(*table.columns, strict=True), strict=True)
    rows = [(table.lines[index], dict(zip(table.header, row, strict=True))) for index, row in cells]
    return read_flat([Record(file.name, line, row) for line, row in rows], options)


def _contents(answers: Answers, known: Controls, options: ReaderOptions) -> list[RecordContent]:
    # For each object that regions refer to the field that has its text, None where none does.
    tasks: dict[str, list[tuple[TaskAnnotation, list[Mapping[str, Any]]]]] = {}
    for answer in answers.answers:
        regions: dict[str, list[Mapping[str, Any]]] = {}
        for result in answer.results:
            value = value_of(result)
            if "start" in value and _span(value) is not None:
                regions.setdefault(target_of(result), []).append(value)
        for target, values in regions.items():
            tasks.setdefault(target, []).append((answer, values))
    fields = {target: _field(of_target[:ENOUGH_TASKS]) for target, of_target in tasks.items()}
    records = [Record(answer.record.file, answer.record.line, answer) for answer in answers.answers]
    return for_each_record(records, lambda record: _content(record.value, known, fields, options))


def _content(
    answer: TaskAnnotation, known: Controls, fields: Fields, options: ReaderOptions
) -> RecordContent:
    ranked = list(_ranked(answer, known))
    if ranked:
        rest = [result for result in answer.results if not ranks_of(result, None)]
        answer = replace(answer, results=rest)
        if not rest:
            return RecordContent(ranked, [])
    marks, relations, left_out = read_results(answer, fields, options)
    used = list(dict.fromkeys(field for field in fields.values() if field is not None))
    first = used[0] if used else TextField(TEXT)
    blank = DocumentCopy(
        answer.document, answer.annotator, answer.record.file, state=answer.state, role=answer.role
    )
    copies = [
        replace(
            blank,
            document=answer.document if len(used) <= 1 else f"{answer.document}/{field.name}",
            text=field.text(answer.data),
            marks=[mark for mark_field, mark in marks if (mark_field or first) == field],
            relations=relations if field == first else (),
            # Of several texts of a task it is not known how long each took.
            timing=answer.timing if len(used) <= 1 else replace(answer.timing, taken=UNKNOWN),
        )
        for field in used or [first]
    ]
    return RecordContent([*copies, *ranked], left_out)


def _ranked(answer: TaskAnnotation, known: Controls) -> Iterator[DocumentCopy]:
    """Yield a copy for each thing that was put in order: it is a unit, and its place or bucket the label."""
    for result in answer.results:
        name = control_name(result)
        for item, label in ranks_of(result, known[name][1]).items():
            mark = ParsedMark(name, (), {RANKER: label}, answer.record.line)
            document, asked = f"{answer.document}/{item}", frozenset((name,))
            yield DocumentCopy(
                document,
                answer.annotator,
                answer.record.file,
                marks=[mark],
                state=answer.state,
                role=answer.role,
                asked=asked,
                within=answer.document,
            )


READER = Reader(
    name="label-studio",
    title="Label Studio export: JSON, JSON-MIN, CSV, TSV",
    tool="Label Studio",
    extensions=(".json", ".csv", ".tsv"),
    reads=(
        "Labelled stretches of text, what annotators chose for them, and relations; choices, ratings "
        "and taxonomies for whole documents. Ground truth and predictions get names of their own."
    ),
    leaves_out=(
        "Regions of pictures, recordings, time series and dialogues; marks in HTML without offsets; "
        "free text and drafts; whatever has no labels or is not text."
    ),
    recognises=recognises,
    read=read,
)
