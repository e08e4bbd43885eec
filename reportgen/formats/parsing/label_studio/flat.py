"""Label Studio's JSON-MIN, CSV and TSV: a record an annotation, the controls' values beside the data."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.files import rows
from reportgen.formats.parsing.label_studio.answers import Answer, Answers
from reportgen.formats.parsing.label_studio.tasks import annotator_name, document_name
from reportgen.formats.parsing.label_studio.values import Item, kind_of
from reportgen.formats.reader import ExportFile, ReadOptions
from reportgen.formats.records import Record, expect, for_each_record
from reportgen.formats.sources import ARROW
from reportgen.formats.tabular.tables import is_table, read_table

ANNOTATOR, ANNOTATION = "annotator", "annotation_id"
ABOUT = (ANNOTATOR, ANNOTATION, "id", "created_at", "updated_at", "lead_time", "agreement", "history")
OPENERS = ("[", "{")
NO_CONTROL = (
    "no column can be told to hold labels: none has regions, or differs between annotators of a task."
)


def is_annotation(value: object) -> bool:
    """Say whether a record of JSON is an annotation with its data, as JSON-MIN writes it."""
    return isinstance(value, dict) and ANNOTATOR in value and ANNOTATION in value


def is_annotations_table(file: ExportFile) -> bool:
    """Say whether a file is a table whose columns are those of Label Studio."""
    if not file.is_text() or not is_table(file):
        return False
    header = next(iter(rows(file.text, file.delimiter, 1)), [])
    return {ANNOTATOR, ANNOTATION, "lead_time"} <= {name.strip() for name in header}


def read_table_records(file: ExportFile) -> list[Record]:
    """Return the rows of a table as records; raise BadInput where it is not one."""
    table = read_table(file)
    return [
        Record(file.name, table.lines[place], dict(zip(table.header, row, strict=True)))
        for place, row in zip(table.cells.index, table.cells.to_numpy(dtype=object).tolist(), strict=True)
    ]


def read_flat(records: Sequence[Record], options: ReadOptions) -> Answers:
    """Return all annotations; raise BadInput where it can't be told which of the columns hold labels."""
    values = for_each_record(
        records, lambda record: expect(record, "", record.value, dict, "an annotation with its data")
    )
    asked = _asked_for(records, values, options)
    controls = _controls(values, asked)
    if controls is None:
        raise BadInput([_no_control(records, values)])
    answers = for_each_record(records, lambda record: _answer(record, controls, options))
    default = asked if options.source is None else None
    return Answers(answers, (), "Label Studio: annotations one by one.", default)


def _asked_for(
    records: Sequence[Record], values: Sequence[Mapping[str, Any]], options: ReadOptions
) -> str | None:
    """Return the column of labels that the campaign names."""
    given = options.columns.get("label")
    if given is None:
        return None
    name = given.partition(ARROW)[0].strip()
    if any(name in value for value in values):
        return name
    if options.source is not None:  # a layer that is not there is said where layers are looked for
        return None
    mend = did_you_mean(name, _names(values))
    raise BadInput([Problem(records[0].file, 0, "columns.label", f'there is no column "{name}".', mend)])


def _no_control(records: Sequence[Record], values: Sequence[Mapping[str, Any]]) -> Problem:
    names = [name for name in _names(values) if name not in ABOUT]
    mend = f'Name the one that does: columns = {{ label = "…" }}; the columns are {", ".join(names)}.'
    return Problem(records[0].file, 0, "columns.label", NO_CONTROL, mend)


def _names(values: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for value in values for name in value))


def _controls(values: Sequence[Mapping[str, Any]], asked: str | None) -> list[str] | None:
    """Return which columns are what annotators said, None where it can't be told.

    Label Studio writes the task's data, its id, what was said, and who said it, in that order. Where
    columns are sorted by name instead, those count that hold results, or differ between the
    annotations of a task.
    """
    named = [asked] if asked else []
    between = [_between(value) for value in values]
    if all(each is not None for each in between):
        return list(dict.fromkeys([*(name for each in between for name in each or ()), *named]))
    free = [name for name in _names(values) if name not in ABOUT]
    found = [
        name
        for name in free
        if any(_holds_results(value.get(name)) for value in values) or _varies(name, values)
    ]
    return list(dict.fromkeys([*found, *named])) or None


def _between(value: Mapping[str, Any]) -> list[str] | None:
    """Return what stands between id and annotator, None where they do not stand as they are written."""
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
    return bool(results) and all(isinstance(each, dict) and kind_of({}, each) != "" for each in results)


def _parsed(cell: object) -> object:
    """Return what a cell of a table holds: JSON where it is some, else its text."""
    if not isinstance(cell, str) or not cell.startswith(OPENERS):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell


def _answer(record: Record, controls: Sequence[str], options: ReadOptions) -> Answer:
    value = record.value
    data = {name: cell for name, cell in value.items() if name not in controls and name not in ABOUT}
    items = [item for name in controls for item in _items(name, value.get(name))]
    name = document_name(record, value, data, options)
    return Answer(record, name, annotator_name(value.get(ANNOTATOR)), data, items)


def _items(control: str, cell: object) -> list[Item]:
    """Return the results that a column holds, as Label Studio's own JSON has them."""
    value = _parsed(cell)
    if value is None or value in ("", []):
        return []
    if not isinstance(value, list):
        return [_item(control, value)]
    names = [each for each in value if not isinstance(each, dict)]
    results = [_item(control, each) for each in value if isinstance(each, dict)]
    return [*results, *([_item(control, names)] if names else [])]


def _item(control: str, value: object) -> Item:
    content: object
    if isinstance(value, dict):
        content = value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        content = {"number": value}
    else:
        content = {"choices": value if isinstance(value, list) else [value]}
    return {"from_name": control, "to_name": control, "value": content}
