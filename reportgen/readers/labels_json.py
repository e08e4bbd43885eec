"""Labels as JSON: {annotator: {item: label}}, {item, annotations: {annotator: label}}, or rows of a table.

The first is how Calderon, Reichart and Dror (2025) publish their data, people in one file, models in another.
Rows are objects without objects in them, a column each key.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, refused
from reportgen.readers.json_records import (
    Record,
    as_text,
    expect,
    first_record,
    for_each_record,
    is_json,
    line_of,
    lines_of,
    read_json,
    read_records,
)
from reportgen.readers.ratings import RatingsFile, from_sheets, understood, with_names
from reportgen.readers.reader import (
    EMPTY_SET,
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    joined,
    refuse,
    shortened,
)
from reportgen.readers.string_tables import StringTable, table_of
from reportgen.readers.table_columns import WELL_KNOWN, may_be_annotator, well_known_columns

UNIT, DOCUMENT, ANNOTATOR, LABEL, TEXT = COLUMNS = ("unit", "document", "annotator", "label", "text")
ANNOTATIONS = "annotations"
WRITTEN = "JSON"
BY_ANNOTATOR = f"JSON of {ANNOTATIONS}"
OF_TABLES = ("annotator", "label", "pass")
# A wide table has at least so many columns of labels.
PAIR = 2

# A line, and what a label is by the roles of columns.
Row = tuple[int, Mapping[str, str]]


def recognises(file: ExportFile) -> bool:
    """Say whether each value of an object is one of labels, or the first record has labels by annotator.

    Rows are recognised where well-known keys name unit, annotator and label, or where one names the unit and
    the others share their values, as labels do.
    """
    if not is_json(file):
        return False
    first = first_record(file)
    if _is_unit(first) or (not file.text.lstrip().startswith("[") and _is_of_annotators(first)):
        return True
    return _is_row(first) and (_is_known({UNIT, ANNOTATOR, LABEL}, first) or _is_wide(file, first))


def _is_row(value: object) -> bool:
    """Say whether a value is a row of a table: an object that holds none."""
    return isinstance(value, dict) and len(value) >= PAIR and all(map(_is_label, value.values()))


def _is_known(roles: Collection[str], row: Mapping[str, object]) -> bool:
    return all(well_known_columns(list(row), role) for role in roles)


def _is_wide(file: ExportFile, first: Mapping[str, object]) -> bool:
    """Say whether rows have a column of labels for each annotator: each shares a label with another."""
    if not _is_known({UNIT}, first):
        return False
    try:
        rows = [record.value for record in read_records(file) if isinstance(record.value, dict)]
    except BadInput:
        return False
    labels = {
        name: {as_text(row[name]) for row in rows if row.get(name) is not None}
        for name in first
        if may_be_annotator(name)
    }
    times = Counter(label for column in labels.values() for label in column)
    return len(labels) >= PAIR and all(
        any(times[label] > 1 for label in column) for column in labels.values()
    )


def _is_of_annotators(value: object) -> bool:
    """Say whether a value is {annotator: {item: label}}."""
    if (
        not isinstance(value, dict)
        or not value
        or not all(isinstance(labels, dict) for labels in value.values())
    ):
        return False
    labels = [label for by_item in value.values() for label in by_item.values()]
    items = Counter(item for by_item in value.values() for item in by_item)
    # Of documents each has mentions of its own; of mentions each says where it is.
    shared = len(value) == 1 or any(times > 1 for times in items.values())
    return bool(labels) and all(map(_is_label, labels)) and shared and not items.keys() >= {"end"}


def _is_unit(value: object) -> bool:
    """Say whether a value is {item, annotations: {annotator: label}}."""
    labels = value.get(ANNOTATIONS) if isinstance(value, dict) else None
    return isinstance(labels, dict) and bool(labels) and all(map(_is_label, labels.values()))


def _is_label(value: object) -> bool:
    """Say whether a value is a label: no object, and of lists only a set of labels."""
    if isinstance(value, list):
        return all(isinstance(member, str | int | float) for member in value)
    return value is None or isinstance(value, str | int | float)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the labels in the files, taken together; raise BadInput with all that is wrong."""
    sheets = for_each(files, lambda file: _sheet(file, options))
    annotations = from_sheets(sheets, options, READER.name, tuple(file.source for file in files))
    if any(sheet.table.written != BY_ANNOTATOR for sheet in sheets):
        return annotations
    documents = ", of documents" if any(DOCUMENT in sheet.table.header for sheet in sheets) else ""
    return replace(annotations, reading=f"JSON: labels by annotator and item{documents}.")


def _sheet(file: ExportFile, options: ReaderOptions) -> RatingsFile:
    by_annotator = not file.text.lstrip().startswith("[") and _is_of_annotators(first_record(file))
    if not by_annotator and not _is_unit(first_record(file)):
        return understood(*with_names(_rows_of_table(file, options), options))
    _refuse_columns(options)
    rows = _by_annotator(file, options) if by_annotator else _by_unit(file, options)
    columns = [
        name for name in COLUMNS if name in (UNIT, ANNOTATOR, LABEL) or any(name in row for _, row in rows)
    ]
    body = [(line, [row.get(name, "") for name in columns]) for line, row in rows]
    table = table_of(file, [(1, columns), *body], BY_ANNOTATOR)
    return understood(table, replace(options, columns={name: name for name in columns}))


def _refuse_columns(options: ReaderOptions) -> None:
    """Raise BadInput where a column is named that no such file can have."""
    named = [role for role in OF_TABLES if role in options.columns]
    if named:
        message = "is named, but in JSON by annotator and item nothing else says whose labels there are."
        remedy = "Take it away; the keys of items, documents and texts alone can be named."
        raise BadInput(Problem("", key=f"columns.{role}", message=message, remedy=remedy) for role in named)


# A list of objects, or a line each, that are rows of a table.


def _rows_of_table(file: ExportFile, options: ReaderOptions) -> StringTable:
    """Return the table; raise BadInput for what is no row, and for values that are objects."""
    records = read_records(file)
    _refuse_repeated(file)
    rows = for_each_record(records, _row)
    header = list(dict.fromkeys(name for row in rows for name in row))
    body = [
        (record.line, [_as_label(row.get(name), options) for name in header])
        for record, row in zip(records, rows, strict=True)
    ]
    return table_of(file, [(1, header), *body], WRITTEN)


def _row(record: Record) -> Mapping[str, Any]:
    row: Mapping[str, Any] = expect(record, "", record.value, dict, "an object")
    refuse(_no_label(record, name) for name, value in row.items() if not _is_label(value))
    return row


# An object of objects: annotator, item, label.


def _by_annotator(file: ExportFile, options: ReaderOptions) -> list[Row]:
    content = read_json(file)  # it was looked at already: all are objects of labels
    _refuse_repeated(file)
    lines = lines_of(file.text)
    return [
        (
            line_of(lines, (annotator, item)),
            {UNIT: item, ANNOTATOR: annotator, LABEL: _as_label(label, options)},
        )
        for annotator, labels in content.items()
        for item, label in labels.items()
    ]


# An object for each item, with an object of labels by annotator.


def _by_unit(file: ExportFile, options: ReaderOptions) -> list[Row]:
    records = read_records(file)
    _refuse_repeated(file)
    keys = {role: _key(records, role, options) for role in (UNIT, DOCUMENT, TEXT)}
    names = {role: key for role, key in keys.items() if key is not None}
    if UNIT not in names:
        message = f"no key is known as the item; there are {', '.join(_keys(records))}."
        raise file.refused(message, 'Name it: columns = { unit = "…" }.', key="columns.unit")
    rows = for_each_record(records, lambda record: list(_rows(record, names, options)))
    return [row for unit in rows for row in unit]


def _keys(records: Sequence[Record]) -> list[str]:
    return list(
        dict.fromkeys(key for record in records if isinstance(record.value, dict) for key in record.value)
    )


def _key(records: Sequence[Record], role: str, options: ReaderOptions) -> str | None:
    """Return the key of items, or documents: the one asked for, else the best known that there is."""
    keys = _keys(records)
    asked = options.columns.get(role)
    if asked is None:
        return next((name for name in WELL_KNOWN[role] if name in keys and name != ANNOTATIONS), None)
    if asked not in keys:
        message, remedy = f'there is no key "{asked}".', did_you_mean(asked, keys)
        raise refused(records[0].file, key=f"columns.{role}", message=message, remedy=remedy)
    return asked


def _rows(record: Record, names: Mapping[str, str], options: ReaderOptions) -> Iterator[Row]:
    unit = expect(record, "", record.value, dict, "an object")
    labels = expect(record, ANNOTATIONS, unit.get(ANNOTATIONS), dict, "an object of labels by annotator")
    about = {
        role: as_text(expect(record, key, unit.get(key), (str, int), "a text or a number"))
        for role, key in names.items()
    }
    for annotator, label in labels.items():
        if not _is_label(label):
            raise BadInput([_no_label(record, f"{ANNOTATIONS}.{annotator}")])
        yield record.line, {**about, ANNOTATOR: annotator, LABEL: _as_label(label, options)}


# Labels


def _no_label(record: Record, key: str) -> Problem:
    message = "has an object where a label was expected: a text, a number, true, false or a list of them."
    return record.problem(message, "Write one label by annotator and item.", key)


def _as_label(value: object, options: ReaderOptions) -> str:
    """Return a label as text: 3.0 and 3 are one number, a list is a set, null is a missing label."""
    if isinstance(value, list):
        return joined((_as_label(member, options) for member in value), options) if value else EMPTY_SET
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return as_text(value)


def _refuse_repeated(file: ExportFile) -> None:
    """Raise BadInput where a key occurs twice in an object: one of its values would be lost in silence."""
    repeated: dict[str, None] = {}

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        times = Counter(name for name, _ in pairs)
        repeated.update(dict.fromkeys(name for name, number in times.items() if number > 1))
        return dict(pairs)

    decoder, text, position = json.JSONDecoder(object_pairs_hook=note), file.text.strip(), 0
    while position < len(text):
        _, position = decoder.raw_decode(text, position)
        # No copy is made of what follows: there may be a line for each of many thousand objects.
        while position < len(text) and text[position].isspace():
            position += 1
    if repeated:
        message, remedy = "occurs twice in one object.", "Keep one of them."
        raise BadInput(shortened([file.problem(message, remedy, key=name) for name in repeated]))


READER = Reader(
    name="labels-json",
    title="Labels by annotator and item, JSON",
    tool="scripts, pipelines of language models",
    extensions=(".json", ".jsonl"),
    reads="Labels as `{annotator: {item: label}}`, objects of an item with `annotations: {annotator: "
    "label}`, or objects that are rows of a ratings table; a list of labels is a set, `null` a missing one.",
    leaves_out="Other keys, such as comments; one that names documents is read, and texts where named.",
    recognises=recognises,
    read=read,
)
