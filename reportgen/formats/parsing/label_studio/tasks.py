"""Label Studio's own JSON: tasks, each with its annotations, predictions and drafts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.errors import BadInput, for_each
from reportgen.formats.annotations import LeftOut
from reportgen.formats.parsing.label_studio.answers import Answer, Answers
from reportgen.formats.parsing.label_studio.values import Item
from reportgen.formats.reader import ReadOptions
from reportgen.formats.records import Record, as_text, expect, for_each_record, wrong_kind

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


def read_tasks(records: Sequence[Record], options: ReadOptions) -> Answers:
    """Return what was done with all tasks; raise BadInput with everything that is wrong with any."""
    read = for_each_record(list(enumerate_tasks(records)), lambda record: _task(record, options))
    left_out = [left for _, drafts in read for left in drafts]
    return Answers([answer for answers, _ in read for answer in answers], left_out, "Label Studio: tasks.")


def enumerate_tasks(records: Sequence[Record]) -> Iterator[Record]:
    """Yield the tasks; a file may hold a list of them in each of its records."""
    for record in records:
        if isinstance(record.value, list):
            yield from (Record(record.file, record.line, each) for each in record.value)
        else:
            yield record


def _task(record: Record, options: ReadOptions) -> tuple[list[Answer], list[LeftOut]]:
    task = expect(record, "", record.value, dict, "a task")
    data = expect(record, "data", task.get("data"), dict, "an object with the task's data")
    name = document_name(record, task, data, options)
    key = next((key for key in ANNOTATIONS if key in task), ANNOTATIONS[0])
    annotations = _list(record, key, task.get(key))
    answers = for_each(annotations, lambda each: _annotation(record, key, each, name, data))
    predictions = [each for each in _list(record, PREDICTIONS, task.get(PREDICTIONS)) if not _is_id(each)]
    models = for_each(predictions, lambda each: _prediction(record, each, name, data))
    return [*answers, *models], list(_drafts(record, task.get("drafts")))


def _list(record: Record, key: str, value: object) -> list[Any]:
    found: list[Any] = [] if value is None else expect(record, key, value, list, "a list")
    return found


def _is_id(value: object) -> bool:
    """Say whether a prediction is only referred to: then the file holds nothing of it."""
    return isinstance(value, int) and not isinstance(value, bool)


def document_name(
    record: Record, task: Mapping[str, Any], data: Mapping[str, Any], options: ReadOptions
) -> str:
    """Return the field of the data that the campaign names as the unit, else the task's id."""
    column = options.columns.get("unit")
    given = data.get(column, task.get(column)) if column is not None else task.get("id")
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise BadInput([wrong_kind(record, column or "id", given, "what the task is called")])
    return as_text(given)


def _annotation(record: Record, key: str, value: object, document: str, data: Mapping[str, Any]) -> Answer:
    annotation = expect(record, key, value, dict, "an annotation")
    items = items_of(record, annotation.get("result"))
    if annotation.get("ground_truth") is True:
        return Answer(record, document, GROUND_TRUTH, data, items, role="reference")
    name = annotator_name(annotation.get("completed_by"))
    skipped = any(annotation.get(key) is True for key in SKIPPED)
    return Answer(record, document, name, data, items, "skipped" if skipped else "seen")


def annotator_name(value: object) -> str:
    """Return somebody's e-mail address, else first and last name, else the number; "" where nothing is."""
    if isinstance(value, dict):
        names = [value.get(key) for key in ("first_name", "last_name")]
        whole = " ".join(each for each in names if isinstance(each, str) and each)
        own = next((each for each in (value.get("email"), value.get("username")) if each), whole)
        return annotator_name(own) or annotator_name(value.get("id"))
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return as_text(value)


def items_of(record: Record, value: object) -> list[Item]:
    """Return the results in an annotation; raise BadInput where they are no list of objects."""
    results = expect(record, "result", value, list, "a list of results")
    return for_each(results, lambda each: expect(record, "result", each, dict, "a result"))


def _prediction(record: Record, value: object, document: str, data: Mapping[str, Any]) -> Answer:
    prediction = expect(record, PREDICTIONS, value, dict, "a prediction")
    given = prediction.get("model_version")
    name = given if isinstance(given, str) and given else PREDICTIONS
    items = items_of(record, prediction.get("result"))
    return Answer(record, document, name, data, items, role="model")


def _drafts(record: Record, value: object) -> Iterator[LeftOut]:
    for draft in _list(record, "drafts", value):
        results = draft.get("result") if isinstance(draft, dict) else None
        if isinstance(results, list) and results:
            whose = annotator_name(draft.get("user") or draft.get("created_username"))
            yield LeftOut(record.file, record.line, whose, DRAFT, len(results))
