"""Label Studio: tasks with their annotations (JSON), or an annotation a record (JSON-MIN, CSV, TSV)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from reportgen.base.errors import did_you_mean, for_each, refused
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.json_records import (
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
)
from reportgen.readers.label_studio_results import (
    AS_CONTROL,
    RANKER,
    TEXT,
    Answers,
    Controls,
    Fields,
    Result,
    TaskAnnotation,
    TextField,
    control_name,
    controls_in,
    find_fields,
    has_comment,
    kind_of,
    ranks_of,
    read_results,
)
from reportgen.readers.naming import UNNAMED, name_files
from reportgen.readers.reader import (
    COMMENTS,
    TIMES,
    Copy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    State,
)
from reportgen.readers.scales import Control
from reportgen.readers.sources import ARROW, types_in
from reportgen.readers.string_tables import first_row, read_table
from reportgen.readers.work_times import UNKNOWN, Timing, duration, moment

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
    answers = _with_annotators(files, for_each(files, lambda file: _answers(file, options)), options)
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
    return replace(
        export,
        not_compared={kind: number for kind, number in besides.items() if number},
        controls=_by_layer(known, export.copies),
    )


def _by_layer(known: Controls, copies: Iterable[Copy]) -> dict[str, Control]:
    """Return what the labels of each layer were given with."""
    found: dict[str, Control] = {}
    for type_name, features in types_in(copies).items():
        for feature in features:
            # The control's own labels are called after its kind, those of others on the region after these.
            kind, control = known.get(type_name, ("", None))
            if feature != kind:
                _, control = known.get(feature.removesuffix(AS_CONTROL), ("", None))
            if control is not None:
                found[f"{type_name}{ARROW}{feature}"] = control
    return found


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


def _with_annotators(
    files: Sequence[ExportFile], parts: Sequence[Answers], options: ReaderOptions
) -> list[Answers]:
    """Return all annotations; those that do not say whose they are get a name from the file's."""
    names = [UNNAMED] * len(files)
    if len(files) > 1 or options.path is not None:
        texts = ["\n".join(str(answer.data.get(TEXT, "")) for answer in part.answers) for part in parts]
        names = [name.annotator for name in name_files(files, texts, options, READER.extensions)]
    return [
        replace(
            part, answers=[replace(answer, annotator=answer.annotator or name) for answer in part.answers]
        )
        for part, name in zip(parts, names, strict=True)
    ]


def _contents(answers: Answers, known: Controls, options: ReaderOptions) -> list[RecordContent]:
    fields = find_fields(answers.answers)
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
    blank = Copy(answer.document, answer.annotator, answer.record.file, state=answer.state, role=answer.role)
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


def _ranked(answer: TaskAnnotation, known: Controls) -> Iterator[Copy]:
    """Yield a copy for each thing that was put in order: it is a unit, and its place or bucket the label."""
    for result in answer.results:
        name = control_name(result)
        for item, label in ranks_of(result, known[name][1]).items():
            mark = ParsedMark(name, (), {RANKER: label}, answer.record.line)
            document, asked = f"{answer.document}/{item}", frozenset((name,))
            yield Copy(
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
