"""Labels as JSON: of annotators, of items, records, rows.

Two levels of keys above labels: which of them names annotators, and which items.

Labels as JSON: objects of annotators or of items, records of an item, or rows of a table.

{annotator: {item: label}} is how Calderon, Reichart and Dror (2025) publish their data, people in one file,
models in another; {item: {annotator: label}} is as common. The shared tasks on learning with disagreements
(LeWiDi) publish {item: {"annotators": "a,b", "annotations": "x,y"}}, VariErr a record an item with {label:
[{annotator, reason}]}. Rows are objects without objects in them, a column each key.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeGuard

from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, quoted, refused
from reportgen.base.files import as_compared
from reportgen.readers.ratings import (
    RatingsFile,
    ratings_of_files,
    understood,
    understood_together,
    with_names,
)
from reportgen.readers.reader import (
    EMPTY_SET,
    JUDGMENTS,
    REASONS,
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    as_label_set,
    is_model,
    raise_first_problems,
    shortened,
)
from reportgen.readers.string_tables import StringTable, table_of
from reportgen.readers.table_columns import WELL_KNOWN, may_be_annotator, well_known_columns
from reportgen.readers.untrusted import (
    Record,
    as_text,
    expect,
    first_record,
    for_each_record,
    is_json,
    line_of_value,
    lines_of,
    read_json,
    read_records,
)
from reportgen.readers.work_times import is_of_times

Level = Literal["outer", "inner"]
LEVELS: Mapping[str, Level] = {"outer": "outer", "inner": "inner"}
# Where names do not tell, there are at least so many times more items than annotators, and each item has so
# many labels on average.
RATIO = 2
# Of the names of a level, so many look alike.
MOSTLY = 0.8
# What names look like: people's are below 0, items' above; these are certain.
PERSON_LEVEL, ITEM_LEVEL = -2, 2
MOST_WORDS = 3
# So much of a name is looked at.
LONGEST = 100
ITEM_WORDS = (
    *("item", "unit", "question", "sent", "sentence", "text", "doc", "document", "tweet", "post", "comment"),
    *("example", "instance", "case", "task"),
)
CALLED_ITEM = re.compile(rf"(?:{'|'.join(ITEM_WORDS)})[\W_]*\w*\d", re.IGNORECASE)
# A number, with at most the first letter of unit, item, question, sentence, document or text before it.
NUMBERED = re.compile(r"(?:[uiqsdtx]?[\W_]*\d)+", re.IGNORECASE)
CALLED_PERSON = re.compile(
    r"(?:ann|annotator|rater|coder|worker|judge|labell?er|user)[\W_]*\w*", re.IGNORECASE
)


def level_of_annotators(outer: Sequence[str], inner: Sequence[str], labels: int) -> Level | None:
    """Return which level names annotators: the one that recurs, as an annotator labels many items.

    `outer` and `inner` are the names of each level, `labels` is how many labels there are. Names that look
    like people's or like items' tip the balance. None where nothing tells, or names and numbers contradict
    each other.
    """
    scores = _score(outer), _score(inner)
    by_name: Level | None = None
    if scores[0] != scores[1]:
        by_name = "outer" if scores[0] < scores[1] else "inner"
        if PERSON_LEVEL in scores or ITEM_LEVEL in scores:
            return by_name
    by_number = _by_number(len(outer), len(inner), labels)
    return None if by_name and by_number and by_name != by_number else by_name or by_number


def _by_number(outer: int, inner: int, labels: int) -> Level | None:
    """Return the level of fewer names, where these are clearly fewer and the others have several labels."""
    fewer, more = sorted((outer, inner))
    if more < RATIO * fewer or labels < 2 * more:
        return None
    return "outer" if outer == fewer else "inner"


def _score(names: Sequence[str]) -> int:
    """Return what most of the names look like, 0 where they look like nothing or like different things."""
    look, times = Counter(map(_look, names)).most_common(1)[0]
    return look if times >= MOSTLY * len(names) else 0


def _look(name: str) -> int:
    """Return what a name looks like: a sentence is an item, an address of mail a person."""
    name = name[:LONGEST]
    words = len(name.split())
    if is_model(name) or CALLED_PERSON.fullmatch(name) or ("@" in name and words == 1):
        return PERSON_LEVEL
    if CALLED_ITEM.fullmatch(name) or words > MOST_WORDS:
        return ITEM_LEVEL
    if NUMBERED.fullmatch(name):
        return 1
    return -1 if name.isalpha() and len(name) > 1 else 0


UNIT, DOCUMENT, ANNOTATOR, LABEL, TEXT = COLUMNS = ("unit", "document", "annotator", "label", "text")
ANNOTATIONS = "annotations"
# What two lists in one order are called: those of an item's annotators, and of their labels.
ANNOTATOR_LISTS = (
    "annotators",
    "annotator_ids",
    "workers",
    "worker_ids",
    "raters",
    "coders",
    "users",
    "judges",
)
LABEL_LISTS = (ANNOTATIONS, "labels", "ratings", "answers", "votes", "judgments", "judgements")
# What a list of labels is called that does not say whose they are, one place an annotator (SNLI, MultiNLI).
PLACES = "annotator_labels"
# The key of an item in an object of items, which no record has.
ITEM_KEY = "{item}"
# What objects by annotator have besides labels.
REASON_KEYS, JUDGMENT_KEY = ("reason", "explanation", "comment"), "judgments"
# The column of the keys of rows.
KEY = "item"
WRITTEN = "JSON"
OF_RECORDS = f"JSON of {ANNOTATIONS}"
OF_TABLES = ("annotator", "label", "pass")
MOST_COLUMNS = 50

SAY_LEVEL = (
    'Say which keys are annotators: columns = { annotator = "outer" } or columns = { annotator = "inner" }; '
    "for `reportgen agree`, --columns annotator=outer or --columns annotator=inner."
)

# A line, and what a label is by the roles of columns.
Row = tuple[int, Mapping[str, str]]
# An annotator, the label, and when it was given, or how long it took, by the keys that say so.
Given = tuple[str, str, Mapping[str, str]]


def recognises(file: ExportFile) -> bool:
    """Say whether an object has two levels of keys above labels, or the first record labels by annotator.

    Rows are recognised where well-known keys name the unit and the label or the annotator, or where one names
    the unit and the others share their values, as labels do.
    """
    if not is_json(file):
        return False
    first = first_record(file)
    if _is_record(first) or (
        not file.text.lstrip().startswith("[") and (_is_items(first) or _is_levels(first))
    ):
        return True
    known = ({UNIT, LABEL}, {UNIT, ANNOTATOR})
    if _entries_of_rows(first) is not None:
        return True
    return _is_row(first) and (any(_is_known(roles, first) for roles in known) or _is_wide(file, first))


def _entries_of_rows(value: object) -> str | None:
    """Return the only key of an item with a list of rows: objects whose annotator, but no label, is known.

    What these hold besides is found out as in any table. None where a value is no such item.
    """
    if not isinstance(value, dict) or not _is_known({UNIT}, value):
        return None
    lists = [key for key, own in value.items() if isinstance(own, list) and own and isinstance(own[0], dict)]
    entry = _flat(value[lists[0]][0]) if len(lists) == 1 else {}
    is_row = _is_known({ANNOTATOR}, entry) and not _is_known({LABEL}, entry)
    others = {*entry} - {*REASON_KEYS} - {*filter(is_of_times, entry)}
    return lists[0] if is_row and len(others) > 1 and all(map(_is_label, entry.values())) else None


def _flat(value: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return an object with what objects in it hold, by the keys that lead there: "answer.stance"."""
    found: dict[str, Any] = {}
    for key, own in value.items():
        found |= _flat(own, f"{before}{key}.") if isinstance(own, dict) else {f"{before}{key}": own}
    return found


def _is_row(value: object) -> bool:
    """Say whether a value is a row of a table: an object that holds none."""
    return isinstance(value, dict) and len(value) >= 2 and all(map(_is_label, value.values()))


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
        name: {as_compared(as_text(row[name])) for row in rows if row.get(name) is not None}
        for name in first
        if may_be_annotator(name)
    }
    times = Counter(label for column in labels.values() for label in column)
    return len(labels) >= 2 and all(any(times[label] > 1 for label in column) for column in labels.values())


def _is_levels(value: object) -> bool:
    """Say whether a value is {annotator: {item: label}} or {item: {annotator: label}}."""
    if not _has_objects(value):
        return False
    labels = [label for inner in value.values() for label in inner.values()]
    items = Counter(name for inner in value.values() for name in inner)
    # Of documents each has mentions of its own; of mentions each says where it is.
    shared = len(value) == 1 or any(times > 1 for times in items.values())
    return bool(labels) and all(map(_is_label, labels)) and shared and not items.keys() >= {"end"}


def _columns_level(value: Mapping[str, Mapping[str, Any]]) -> Level | None:
    """Return which level of keys names the columns of a table, as pandas writes one, None where neither does.

    Who calls one a unit, a text or an annotator means no people.
    """
    inner = list(dict.fromkeys(name for part in value.values() for name in part))
    levels: dict[Level, list[str]] = {"outer": list(value), "inner": inner}
    for level, names in levels.items():
        columns = not all(map(may_be_annotator, names)) or _is_known({ANNOTATOR}, dict.fromkeys(names))
        if columns and len(names) <= MOST_COLUMNS:
            return level
    return None


def _is_items(value: object) -> bool:
    """Say whether a value is an object of items, each with what `_is_record` knows."""
    return _has_objects(value) and all(map(_is_record, value.values()))


def _has_objects(value: object) -> TypeGuard[dict[str, dict[str, Any]]]:
    return isinstance(value, dict) and bool(value) and all(isinstance(part, dict) for part in value.values())


def _is_record(value: object) -> bool:
    """Say whether a value is an item with labels by annotator, in any of the ways that `_given` knows."""
    if not isinstance(value, dict):
        return False
    labels = value.get(ANNOTATIONS)
    if isinstance(labels, dict):
        return bool(labels) and all(map(_is_label, labels.values()))
    is_listed = are_listed(value) or _is_plain_list(value.get(PLACES))
    return is_listed or any(_is_entries(part) for part in value.values())


def _lists_in(unit: Mapping[str, Any]) -> tuple[str, str] | tuple[()]:
    """Return the keys of an item's annotators and of their labels, nothing where one is not there."""
    who = next((name for name in ANNOTATOR_LISTS if name in unit), None)
    what = next((name for name in LABEL_LISTS if name in unit), None)
    return (who, what) if who and what else ()


def are_listed(unit: Mapping[str, Any]) -> bool:
    """Say whether annotators and their labels are two lists, or two texts with commas."""
    lists = [unit.get(name) for name in _lists_in(unit)]
    in_texts = all(isinstance(part, str) for part in lists)
    return bool(lists) and (in_texts or all(map(_is_plain_list, lists)))


def _is_plain_list(value: object) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(part, str | int | float) for part in value)
    )


def _is_entries(value: object) -> bool:
    """Say whether a value is a list of objects that each name an annotator."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(entry, dict) and _is_known({ANNOTATOR}, entry) for entry in value)
    )


def _is_label(value: object) -> bool:
    """Say whether a value is a label: no object, and of lists only a set of labels."""
    if isinstance(value, list):
        return all(isinstance(member, str | int | float) for member in value)
    return value is None or isinstance(value, str | int | float)


def beside_items(files: Sequence[ExportFile]) -> list[bool]:
    """Return of each file whether it has none of the items whose labels other files have."""
    with_items = [_is_record(first_record(file)) or _in_items(file) for file in files]
    if all(with_items) or not any(with_items):
        return [False] * len(files)
    pairs = list(zip(files, with_items, strict=True))
    units = {unit for file, has_items in pairs if has_items for unit in _names_of_items(file)}
    return [not has_items and units.isdisjoint(_keys_of(file)) for file, has_items in pairs]


def _names_of_items(file: ExportFile) -> Iterator[str]:
    """Yield what the items of a file are called."""
    records = _items(file) if _in_items(file) else read_records(file)
    key = _key(records, UNIT, ReaderOptions())
    yield from (as_text(record.value[key]) for record in records if key in record.value)


def _keys_of(file: ExportFile) -> Iterator[str]:
    """Yield the keys of both levels, or what rows call their units."""
    content = first_record(file)
    if _in_levels(file):
        yield from (*content, *(name for part in content.values() for name in part))
        return
    rows = [record.value for record in read_records(file) if isinstance(record.value, dict)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    yield from (as_text(row.get(names[at])) for at in well_known_columns(names, UNIT) for row in rows)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the labels in the files, taken together; raise BadInput with all that is wrong."""
    annotator = None
    if tables := tables_of(files, options):
        sheets = understood_together(tables, options)
    else:
        annotator = _annotators_level(files, options)
        sheets = for_each(files, lambda file: _sheet(file, options, annotator))
    annotations = ratings_of_files(sheets, options, READER.name, tuple(file.source for file in files))
    besides = sum((_besides(file, options) for file in files), Counter[str]())
    read_besides = annotations.marks_read + sum(besides.values())
    annotations = replace(
        annotations, not_compared={**annotations.not_compared, **besides}, marks_read=read_besides
    )
    if any(sheet.table.written != OF_RECORDS for sheet in sheets):
        return annotations
    documents = ", of documents" if any(DOCUMENT in sheet.table.header for sheet in sheets) else ""
    order = "item and annotator" if annotator == "inner" else "annotator and item"
    if any(PLACES in first_record(file) for file in files):
        order = "item and place in a list, which may be another person's from item to item"
    return replace(annotations, reading=f"JSON: labels by {order}{documents}.")


def tables_of(files: Sequence[ExportFile], options: ReaderOptions) -> list[StringTable]:
    """Return the tables of files all of which have rows of a table, none where one has not."""
    return for_each(files, lambda file: _rows_of_table(file, options)) if all(map(_has_rows, files)) else []


def _has_rows(file: ExportFile) -> bool:
    """Say whether a file has the rows of a table, not labels by annotator and item."""
    if _in_levels(file):
        return _columns_level(first_record(file)) is not None
    if _entries_of_rows(first_record(file)) is not None:
        return True
    return not (_is_record(first_record(file)) or _in_items(file))


def _sheet(file: ExportFile, options: ReaderOptions, annotator: Level | None) -> RatingsFile:
    if _has_rows(file):
        return understood(*with_names(_rows_of_table(file, options), options))
    rows = _by_level(file, options, annotator) if _in_levels(file) else _by_unit(file, options)
    columns = [
        name for name in COLUMNS if name in (UNIT, ANNOTATOR, LABEL) or any(name in row for _, row in rows)
    ]
    header = [*columns, *dict.fromkeys(name for _, row in rows for name in row if name not in COLUMNS)]
    body = [(line, [row.get(name, "") for name in header]) for line, row in rows]
    table = table_of(file, [(1, header), *body], OF_RECORDS)
    return understood(*with_names(table, replace(options, columns={name: name for name in columns})))


def _in_levels(file: ExportFile) -> bool:
    return not file.text.lstrip().startswith("[") and not _in_items(file) and _is_levels(first_record(file))


def _in_items(file: ExportFile) -> bool:
    return not file.text.lstrip().startswith("[") and _is_items(first_record(file))


def _refuse_columns(options: ReaderOptions, keys: Collection[str] = ()) -> None:
    """Raise BadInput where a column is named that no such file can have; `keys` have labels."""
    named = [role for role in OF_TABLES if options.columns.get(role) not in (None, *keys)]
    if named:
        message = "is named, but in JSON by annotator and item nothing else says whose labels there are."
        remedy = "Remove it; the keys of items, documents and texts alone can be named."
        raise BadInput(Problem("", key=f"columns.{role}", message=message, remedy=remedy) for role in named)


# A list of objects, or a line each, that are rows of a table.


def _rows_of_table(file: ExportFile, options: ReaderOptions) -> StringTable:
    """Return the table; raise BadInput for what is no row, and for values that are objects."""
    records = _keyed_rows(file) if _in_levels(file) else read_records(file)
    if key := _entries_of_rows(first_record(file)):
        records = [row for record in records for row in _rows_of_item(record, key)]
    _refuse_repeated(file)
    rows = for_each_record(records, _row)
    header = list(dict.fromkeys(name for row in rows for name in row))
    body = [
        (record.line, [_as_label(row.get(name), options) for name in header])
        for record, row in zip(records, rows, strict=True)
    ]
    return table_of(file, [(1, header), *body], WRITTEN)


def _rows_of_item(record: Record, key: str) -> Iterator[Record]:
    """Yield a row for each object in a list of an item, with what else is known of the item."""
    item = expect(record, "", record.value, dict, "an object")
    about = {name: own for name, own in _flat(item).items() if name != key}
    for entry in expect(record, key, item.get(key, []), list, "a list of objects"):
        row = _flat(expect(record, key, entry, dict, "an object"))
        own = {f"{key}.{name}" if name in about else name: value for name, value in row.items()}
        yield Record(record.file, record.line, {**about, **own})


def _keyed_rows(file: ExportFile) -> list[Record]:
    """Return the rows of a table that is an object of columns, or of rows; a row's key is its item.

    Where a column names the items, the key only numbers the rows.
    """
    content = read_json(file)
    lines = lines_of(file.text)
    rows: dict[str, dict[str, Any]] = {}
    places: dict[str, int] = {}
    by_column = _columns_level(content) == "outer"
    for first, part in content.items():
        for second, cell in part.items():
            row, column = (second, first) if by_column else (first, second)
            rows.setdefault(row, {})[column] = cell
            places.setdefault(row, line_of_value(lines, (first, second)))
    columns = dict.fromkeys(column for row in rows.values() for column in row)
    has_unit = _is_known({UNIT}, columns)
    return [
        Record(file.name, places[key], row if has_unit else {KEY: key, **row}) for key, row in rows.items()
    ]


def _row(record: Record) -> Mapping[str, Any]:
    row: Mapping[str, Any] = expect(record, "", record.value, dict, "an object")
    raise_first_problems(_no_label(record, name) for name, value in row.items() if not _is_label(value))
    return row


# An object of objects: annotators and items are its two levels of keys, in either order.


def _by_level(file: ExportFile, options: ReaderOptions, annotator: Level | None) -> list[Row]:
    content = read_json(file)  # it was looked at already: all are objects of labels
    _refuse_repeated(file)
    lines = lines_of(file.text)
    outer, inner = (ANNOTATOR, UNIT) if annotator == "outer" else (UNIT, ANNOTATOR)
    return [
        (
            line_of_value(lines, (first, second)),
            {outer: first, inner: second, LABEL: _as_label(label, options)},
        )
        for first, labels in content.items()
        for second, label in labels.items()
    ]


def _annotators_level(files: Sequence[ExportFile], options: ReaderOptions) -> Level | None:
    """Return which level of keys names annotators in the files that have two, None where none has.

    Raises BadInput where either may be it.
    """
    levels = [file for file in files if _in_levels(file) and _columns_level(first_record(file)) is None]
    if not levels:
        return None
    if asked := LEVELS.get(options.columns.get(ANNOTATOR, "")):
        return asked
    _refuse_columns(options)
    contents = [first_record(file) for file in levels]
    outer = list(dict.fromkeys(name for content in contents for name in content))
    inner = list(
        dict.fromkeys(name for content in contents for labels in content.values() for name in labels)
    )
    found = level_of_annotators(
        outer, inner, sum(len(part) for content in contents for part in content.values())
    )
    if found is None:
        message = (
            f"has either annotators in its outer keys ({_some(outer)}) and items in the inner ones "
            f"({_some(inner)}), or the other way round."
        )
        raise levels[0].refused(message, SAY_LEVEL, key=f"columns.{ANNOTATOR}")
    return found


def _some(names: Collection[str]) -> str:
    shown = ", ".join(map(quoted, list(names)[:2]))
    return f"{len(names):,}: {shown}{', …' if len(names) > 2 else ''}"


# An object for each item, with the labels of each annotator.


def _by_unit(file: ExportFile, options: ReaderOptions) -> list[Row]:
    records = _items(file) if _in_items(file) else read_records(file)
    _refuse_repeated(file)
    keys = {role: _key(records, role, options) for role in (UNIT, DOCUMENT, TEXT)}
    names = {role: key for role, key in keys.items() if key is not None}
    if UNIT not in names:
        message = f"no key is known as the item; there are {', '.join(_keys(records))}."
        raise file.refused(message, 'Name it: columns = { unit = "…" }.', key="columns.unit")
    entries = _entry_keys(file, records, options)
    _refuse_columns(options, entries)
    rows = for_each_record(records, lambda record: list(_rows(record, names, entries, options)))
    return [row for unit in rows for row in unit]


def _items(file: ExportFile) -> list[Record]:
    """Return the items of an object of them, each with its key."""
    lines = lines_of(file.text)
    content = read_json(file)
    return [
        Record(file.name, line_of_value(lines, (key,)), {ITEM_KEY: key, **unit})
        for key, unit in content.items()
    ]


def _keys(records: Sequence[Record]) -> list[str]:
    return list(
        dict.fromkeys(key for record in records if isinstance(record.value, dict) for key in record.value)
    )


def _key(records: Sequence[Record], role: str, options: ReaderOptions) -> str | None:
    """Return the key of items, or documents: the one asked for, else the best known that there is."""
    keys = _keys(records)
    asked = options.columns.get(role)
    if asked is None:
        known = (ITEM_KEY, *WELL_KNOWN[UNIT]) if role == UNIT else WELL_KNOWN[role]
        return next((name for name in known if name in keys and name != ANNOTATIONS), None)
    if asked not in keys:
        message, remedy = f'there is no key "{asked}".', did_you_mean(asked, keys)
        raise refused(records[0].file, key=f"columns.{role}", message=message, remedy=remedy)
    return asked


def _entry_keys(file: ExportFile, records: Sequence[Record], options: ReaderOptions) -> tuple[str, ...]:
    """Return the keys that have a list of objects, one for each annotator: labels, or what has labels.

    Raises BadInput where several have labels in their objects: they may be several questions, or rounds.
    """
    units = [record.value for record in records if isinstance(record.value, dict)]
    keys = dict.fromkeys(key for unit in units for key, value in unit.items() if _is_entries(value))
    asked = options.columns.get(LABEL)
    if asked is not None and asked in keys:
        return (asked,)
    labelled = [key for key in keys if any(map(_label_in, _entries(units, key)))]
    if len(labelled) > 1:
        message = f"several keys have labels by annotator: {', '.join(map(quoted, labelled))}."
        remedy = f'Say which: columns = {{ label = "{labelled[0]}" }}.'
        raise file.refused(message, remedy, key="columns.label")
    return tuple(labelled or keys)


def _entries(units: Sequence[Mapping[str, Any]], key: str) -> Iterator[Any]:
    """Yield the entries that items have under a key."""
    for unit in units:
        entries = unit.get(key)
        yield from entries if isinstance(entries, list) else ()


def _besides(file: ExportFile, options: ReaderOptions) -> Counter[str]:
    """Return how many reasons and judgments the objects by annotator have, which are not compared."""
    found = Counter[str]()
    if not _in_items(file) and not _is_record(first_record(file)):
        return found
    records = _items(file) if _in_items(file) else read_records(file)
    for key in _entry_keys(file, records, options):
        for entry in _entries([record.value for record in records], key):
            found[REASONS] += sum(bool(entry.get(name)) for name in REASON_KEYS)
            judgments = entry.get(JUDGMENT_KEY)
            found[JUDGMENTS] += len(judgments) if isinstance(judgments, list) else 0
    return +found


def _label_in(entry: object) -> str | None:
    """Return the key of an annotator's object that is known to have a label."""
    names = list(entry) if isinstance(entry, dict) else []
    return next((names[column] for column in well_known_columns(names, LABEL)), None)


def _rows(
    record: Record, names: Mapping[str, str], entries: Sequence[str], options: ReaderOptions
) -> Iterator[Row]:
    unit = expect(record, "", record.value, dict, "an object")
    about = {
        role: as_text(expect(record, key, unit.get(key), (str, int), "a text or a number"))
        for role, key in names.items()
    }
    for annotator, label, times in _given(record, unit, entries, options):
        yield record.line, {**times, **about, ANNOTATOR: annotator, LABEL: label}


def _given(
    record: Record, unit: Mapping[str, Any], entries: Sequence[str], options: ReaderOptions
) -> Iterator[Given]:
    """Yield each annotator of an item with the label given."""
    if entries:
        yield from _of_entries(record, unit, entries, options)
        return
    labels = unit.get(ANNOTATIONS)
    lists = _lists_in(unit)
    if lists and not isinstance(labels, dict):
        labels = _paired(record, unit, *lists)
    elif labels is None and PLACES in unit:
        labels = _by_place(expect(record, PLACES, unit[PLACES], list, "a list of labels"))
    for annotator, label in expect(
        record, ANNOTATIONS, labels, dict, "an object of labels by annotator"
    ).items():
        if not _is_label(label):
            raise BadInput([_no_label(record, f"{ANNOTATIONS}.{annotator}")])
        yield annotator, _as_label(label, options), {}


def _of_entries(
    record: Record, unit: Mapping[str, Any], keys: Sequence[str], options: ReaderOptions
) -> Iterator[Given]:
    """Yield who gave which labels in lists of an object each; several labels of one person are a set."""
    labels: dict[str, list[str]] = {}
    times: dict[str, dict[str, str]] = {}
    for key in keys:
        for entry in expect(record, key, unit.get(key, []), list, "a list of objects, one an annotator"):
            if not _is_entries([entry]):
                raise record.refused("has an entry without an annotator.", key=key)
            names = list(entry)
            annotator = entry[names[well_known_columns(names, ANNOTATOR)[0]]]
            name = as_text(expect(record, key, annotator, (str, int), "a text or a number"))
            label = _label_in(entry)
            if label is not None and not _is_label(entry[label]):
                raise BadInput([_no_label(record, f"{key}.{label}")])
            of_entry = {
                key: as_text(entry[key]) for key in filter(is_of_times, names) if entry[key] is not None
            }
            times.setdefault(name, of_entry)
            labels.setdefault(name, []).append(key if label is None else _as_label(entry[label], options))
    for name, given in labels.items():
        label = given[0] if len(given) == 1 else as_label_set(filter(None, given), options)
        yield name, label, times[name]


def _paired(record: Record, unit: Mapping[str, Any], who: str, what: str) -> dict[str, object]:
    """Return labels by annotator where both are lists, or texts with commas, in the same order."""
    names, labels = (_in_order(record, key, unit.get(key)) for key in (who, what))
    if len(names) != len(labels) or len(set(names)) != len(names):
        message = f"names {len(names)} annotators for {len(labels)} labels, or one of them twice."
        remedy = "Name each annotator of the item once, in the order of the labels."
        raise record.refused(message, remedy, key=who)
    return dict(zip(names, labels, strict=True))


def _by_place(labels: Sequence[object]) -> dict[str, object]:
    """Return labels by their place in a list."""
    return {str(place): label for place, label in enumerate(labels, 1)}


def _in_order(record: Record, key: str, value: object) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    kind = "a list, or a text with commas"
    return [as_compared(as_text(part)) for part in expect(record, key, value, list, kind)]


# Labels


def _no_label(record: Record, key: str) -> Problem:
    message = "has an object where a label was expected: a text, a number, true, false or a list of them."
    return record.problem(message, "Write one label by annotator and item.", key)


def _as_label(value: object, options: ReaderOptions) -> str:
    """Return a label as text: 3.0 and 3 are one number, a list is a set, null is a missing label."""
    if isinstance(value, list):
        return as_label_set((_as_label(member, options) for member in value), options) if value else EMPTY_SET
    if value is None:
        return ""
    return as_compared(as_text(value))


def _refuse_repeated(file: ExportFile) -> None:
    """Raise BadInput where a key occurs twice in an object: one of its values would be lost in silence."""
    repeated: dict[str, None] = {}

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            times = Counter(name for name, _ in pairs)
            repeated.update(dict.fromkeys(name for name, number in times.items() if number > 1))
        return found

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
    reads=(
        "Labels as `{annotator: {item: label}}` or `{item: {annotator: label}}`. Items, in a list or "
        "under their keys, may instead have `annotations: {annotator: label}`, `annotators` and "
        "`annotations` in the same order, `annotator_labels` of people without names, or lists of objects "
        "that each name an annotator and contain the label or are listed under it. Objects may also be "
        "rows of a ratings table. A list of labels is a set; `null` is a missing label."
    ),
    leaves_out=(
        "Other keys, such as comments. A key that names documents is read, and so are texts if you "
        "name their key."
    ),
    recognises=recognises,
    read=read,
)
