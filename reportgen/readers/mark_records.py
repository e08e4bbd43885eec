"""Marks in texts as JSON: a record for each text, with a list of stretches, or tokens and a tag for each."""

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import accumulate, chain, islice, pairwise
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each, quoted
from reportgen.base.files import rows
from reportgen.readers.annotations import Span, different_cover
from reportgen.readers.brat import squeezed
from reportgen.readers.conll import NAME_CLASSES, OUTSIDE, Scheme, decode, detect, is_sequence
from reportgen.readers.counting import CHARACTERS, in_code_points
from reportgen.readers.layers_of_marks import ARROW
from reportgen.readers.mark_table import ROLES
from reportgen.readers.naming import annotators_by_stem, name_files
from reportgen.readers.reader import DocumentCopy, Export, ExportFile, ParsedMark, Reader, ReaderOptions
from reportgen.readers.string_tables import first_row, read_table
from reportgen.readers.table_columns import TEXT_NAMES, WELL_KNOWN
from reportgen.readers.untrusted import (
    Record,
    RecordContent,
    as_text,
    export_of_records,
    first_record,
    for_each_record,
    name_in,
    read_records,
)

# What lists of stretches are called, and lists of tokens.
OF_ANYTHING = ("annotations", "labels")
MARKS = ("spans", "entities", "ents", "marks", "mentions", *OF_ANYTHING)
TOKENS = ("tokens", "words")
LABEL = "label"
CALLED_TAGS = re.compile(r"(?i)(?:.*[\W_])?(?:tags?|labels?|ner|iob|bio|pos|chunks?|classes)(?:[\W_].*)?")
TAGS = re.compile(r"(?i)tags?$|labels?$|ner|classes")
EXTENSIONS, TABLES = (".jsonl", ".json"), (".csv", ".tsv")
READING = "Records of texts: a record for each text and annotator, offsets are characters."
OF_TOKENS = "Records of tokens: a tag for each, texts are tokens joined by spaces."


def recognises(file: ExportFile) -> bool:
    """Say whether the first record has a text and a list of stretches, or tokens and a tag for each."""
    if file.suffix in TABLES:
        names = first_row(file)
        if {*names}.isdisjoint((*TOKENS, *MARKS)):
            return False
        cells = [*islice(rows(file.text, file.delimiter, 2), 1, 2)]
        first: object = _of_row(dict(zip(names, cells[0], strict=False))) if cells else None
    elif file.suffix in EXTENSIONS:  # an empty list of marks may be of any other format
        first = first_record(file)
    else:
        return False
    record = next(iter(_parts(first)), {})
    # Empty lists of labels may be of units, and of any format.
    lists = [key for key in _lists_of_stretches(record) if record[key] or key not in OF_ANYTHING]
    # In tables a word may be a unit, and a letter its label.
    of_tokens = file.suffix in EXTENSIONS or len(_tokens(record)) > 1
    return bool(lists or (of_tokens and (_lists_of_tags(record) or _class_ids(record))))


def read_each(file: ExportFile) -> list[Record]:
    """Return a record for each text and annotator, however the file has them."""
    if file.suffix in TABLES:
        table = read_table(file)
        cells = zip(table.rows.tolist(), zip(*table.columns, strict=True), strict=True)
        values = [
            Record(file.name, table.lines[row], _of_row(dict(zip(table.header, own, strict=True))))
            for row, own in cells
        ]
    else:
        values = read_records(file)
    return [
        Record(record.file, record.line, part) for record in values for part in _parts(record.value) or [{}]
    ]


def _of_row(cells: Mapping[str, str]) -> dict[str, Any]:
    """Return a row as a record: lists as JSON or Python write them, tokens and tags between spaces."""
    record: dict[str, Any] = {name: _as_value(cell) for name, cell in cells.items()}
    for name in TOKENS:
        if isinstance(record.get(name), str):
            record[name] = record[name].split()
    size = len(_tokens(record))
    tags = {name: cell.split() for name, cell in cells.items() if isinstance(record[name], str)}
    return record | {
        name: own for name, own in tags.items() if len(own) == size > 0 and is_sequence([*own, OUTSIDE])
    }


def _as_value(cell: str) -> object:
    if cell.lstrip().startswith("["):
        for parse in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return parse(cell.strip())
    return cell


def _parts(value: object) -> list[dict[str, Any]]:
    """Return the records in a value: one, or one for each row of columns, or for each annotator.

    spaCy writes a pair of a text and its marks. Annotators are said in a list of objects that each have
    stretches, or are the keys of lists of stretches, or of tags.
    """
    match value:
        case [str() as text, dict() as marks]:
            return [{"text": text, **marks}]
        case dict() if rows_of := _rows_of(value):
            return [part for row in rows_of for part in _parts(row)]
        case dict():
            for key, entries in value.items():
                if isinstance(entries, list) and entries and all(map(_is_entry, entries)):
                    return [{**value, key: None, **entry} for entry in entries]
            people = [
                key
                for key, own in value.items()
                if key not in (*MARKS, *TOKENS) and isinstance(own, list) and _are_stretches(own)
            ]
            tagged = [key for key in _lists_of_tags(value) if not CALLED_TAGS.fullmatch(key)]
            if len(people) > 1 and any(value[key] for key in people) and not _lists_of_stretches(value):
                return _of_people(value, people, MARKS[0])
            return _of_people(value, tagged, "tags") if len(tagged) > 1 else [value]
    return []


def _of_people(value: Mapping[str, Any], people: Sequence[str], name: str) -> list[dict[str, Any]]:
    """Return a record for each person, whose key says what they did."""
    rest = {key: each for key, each in value.items() if key not in people}
    return [{**rest, "annotator": key, name: value[key]} for key in people]


def _rows_of(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of columns that are lists, or objects with the same keys, one of them of lists."""
    columns = [[*own.values()] if isinstance(own, dict) else own for own in value.values()]
    keys = {tuple(own) for own in value.values() if isinstance(own, dict)}
    if not all(isinstance(own, list) for own in columns) or len({*map(len, columns)}) != 1 or len(keys) > 1:
        return []
    of_lists = any(all(isinstance(cell, list) for cell in own) for own in columns)
    known = not {*value}.isdisjoint((*MARKS, *TOKENS))
    cells = zip(*columns, strict=True) if of_lists and known else ()
    return [dict(zip(value, row, strict=True)) for row in cells]


def _is_entry(value: object) -> bool:
    """Say whether an object has an annotator and a list of stretches."""
    return (
        isinstance(value, dict)
        and any(name in value for name in WELL_KNOWN["annotator"])
        and any(isinstance(value.get(key), list) and _are_stretches(value[key]) for key in MARKS)
    )


def _text(record: Mapping[str, Any]) -> str | None:
    return next((record[name] for name in TEXT_NAMES if isinstance(record.get(name), str)), None)


def _lists_of_stretches(record: Mapping[str, Any]) -> list[str]:
    """Return the keys of lists whose elements are all stretches: objects, or start, end and label."""
    lists = [key for key in MARKS if isinstance(record.get(key), list)]
    is_marked = _text(record) is not None or _tokens(record)
    return [key for key in lists if is_marked and _are_stretches(record[key])]


def _are_stretches(values: Sequence[object]) -> bool:
    return all(_stretch(each) is not None for each in values)


def _stretch(value: object) -> tuple[int, int, object] | None:
    """Return start, end and label of a stretch, None of anything else."""
    match value:
        case dict():
            roles = (ROLES["start"], ROLES["end"], ROLES["label"])
            value = [next((value[name] for name in names if name in value), None) for names in roles]
    match value:
        case [int() as start, int() as end, str() | int() as label] if bool not in {type(start), type(end)}:
            return start, end, label
    return None


def _further(value: object) -> dict[str, str]:
    """Return what an object says of its stretch beside its place, its label and its words."""
    if not isinstance(value, dict):
        return {}
    roles = (ROLES["start"], ROLES["end"], ROLES["label"], TEXT_NAMES)
    used = {next((name for name in names if name in value), "") for names in roles}
    said = {
        key: each for key, each in value.items() if key not in used and isinstance(each, str | int | float)
    }
    return {key: as_text(each) for key, each in said.items() if as_text(each).strip()}


def _lists_of_tags(record: Mapping[str, Any]) -> list[str]:
    """Return the keys of lists of tags that have a tag for each token, by some scheme."""
    tokens = _tokens(record)
    return [
        key
        for key, tags in record.items()
        if tokens
        and key not in TOKENS
        and isinstance(tags, list)
        and len(tags) == len(tokens)
        and all(isinstance(tag, str) for tag in tags)
        and is_sequence([*tags, OUTSIDE])
    ]


def _class_ids(record: Mapping[str, Any]) -> list[str]:
    """Return the keys of lists of numbers that are called as tags, one for each token."""
    size = len(_tokens(record))
    return [
        key
        for key, tags in record.items()
        if size and TAGS.search(key) and isinstance(tags, list) and len(tags) == size
        if all(type(tag) is int for tag in tags)
    ]


def _tokens(record: Mapping[str, Any]) -> list[str]:
    lists = [record[name] for name in TOKENS if isinstance(record.get(name), list)]
    return next((each for each in lists if all(isinstance(token, str) for token in each)), [])


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each record; raise BadInput with all that have neither stretches nor tags."""
    every = for_each(files, read_each)
    whose, titles = annotators_by_stem(files, options), dict[str, str]()
    if len(files) > 1 and all(len(own) == 1 for own in every):  # a file for each text
        texts = [_text(own[0].value) or " ".join(_tokens(own[0].value)) for own in every]
        names = name_files(files, texts, options, (*EXTENSIONS, *TABLES))
        whose = [name.annotator for name in names]
        titles = {file.name: name.document for file, name in zip(files, names, strict=True)}
    tagged: dict[str, list[list[str]]] = {}
    by_person: dict[str, list[Mapping[str, Any]]] = {}
    for who, own in zip(whose, every, strict=True):
        for record in own:
            by_person.setdefault(_called(record.value, options, "annotator") or who, []).append(record.value)
            for key in _lists_of_tags(record.value):
                tagged.setdefault(key, []).append(record.value[key])
    schemes = {key: detect(sequences) for key, sequences in tagged.items()}
    known = _Known(schemes, {who: _beyond(own) for who, own in by_person.items()}, options, titles)

    def contents(own: tuple[str, Sequence[Record]]) -> list[RecordContent]:
        return for_each_record(own[1], lambda record: _content(record, own[0], known))

    found = list(chain(*for_each(zip(whose, every, strict=True), contents)))
    _require_each_once(copy for content in found for copy in content.copies)
    of_tokens = all(_text(value) is None for values in by_person.values() for value in values)
    export = export_of_records(files, found, OF_TOKENS if of_tokens else READING)
    marks = [mark for content in found for copy in content.copies for mark in copy.marks]
    only = {mark.type for mark in marks} if any(len(mark.features) > 1 for mark in marks) else set[str]()
    default = f"{only.pop()}{ARROW}{LABEL}" if len(only) == 1 else None
    return in_code_points(replace(export, default=default))


def _require_each_once(copies: Iterable[DocumentCopy]) -> None:
    """Raise BadInput where somebody has a text twice: then a field that is not known says who annotated."""
    seen: set[tuple[str, str]] = set()
    for copy in copies:
        if (copy.annotator, copy.document) in seen:
            message = f"{quoted(copy.annotator)} has the document {quoted(copy.document)} twice."
            remedy = 'Say who annotated in a field "annotator", and give each text an "id" of its own.'
            raise BadInput([Problem(copy.file, message=message, remedy=remedy)])
        seen.add((copy.annotator, copy.document))


@dataclass(frozen=True)
class _Known:
    """What all records say together.

    `schemes` are those of tags, `beyond` how far ends are before those after the last; `titles` what files of
    one text are called, `numbers` those of texts without a name.
    """

    schemes: Mapping[str, Scheme]
    beyond: Mapping[str, int]
    options: ReaderOptions
    titles: Mapping[str, str]
    numbers: dict[str, int] = field(default_factory=dict)


def _content(record: Record, annotator: str, known: _Known) -> RecordContent:
    value = record.value
    text, stretches, tags = _text(value), _lists_of_stretches(value), _lists_of_tags(value)
    if not stretches and not tags and (numbers_for := _class_ids(value)):
        message = (
            f"has numbers of classes in {quoted(numbers_for[0])}, and nothing says which labels they are."
        )
        raise record.refused(message, NAME_CLASSES)
    if not stretches and not tags:
        message = "has neither a text and a list of stretches, nor tokens and a tag for each."
        raise record.refused(message, 'Write "text" and "spans", each with start, end and label.')
    who = _called(value, known.options, "annotator") or annotator
    tokens = _tokens(value)
    starts = accumulate((len(token) + 1 for token in tokens), initial=0)
    places = [(start, after - 1) for start, after in pairwise(starts)]
    marks: list[ParsedMark] = []
    for key in stretches:
        for each in value[key]:
            start, end, label = _stretch(each) or (0, 0, "")
            span = start, end + known.beyond[who]
            if text is None:
                span = _of_tokens(record, places, span)
            elif (said := _said(each)) and said != (here := squeezed([text[slice(*span)]])):
                raise BadInput([different_cover(record.file, record.line, here, said)])
            features = {LABEL: name_in(record, key, label), **_further(each)}
            marks.append(ParsedMark(key, (span,), features, record.line))
    if tags or text is None:
        text = " ".join(tokens)
    marks += [
        ParsedMark(key, ((places[first][0], places[after - 1][1]),), {LABEL: label}, record.line)
        for key in tags
        for first, after, label in decode(value[key], known.schemes[key])[0]
    ]
    numbers, document = known.numbers, _called(value, known.options, "document", "unit")
    document = document or known.titles.get(record.file, "")
    name = document or str(numbers.setdefault(text, len(numbers) + 1))
    return RecordContent([DocumentCopy(name, who, record.file, text, marks, offsets=CHARACTERS)], ())


def _of_tokens(record: Record, places: Sequence[Span], span: Span) -> Span:
    """Return a stretch of tokens in characters; raise BadInput for one that is none."""
    first, after = span
    if not 0 <= first < after <= len(places):
        message = f"a mark from {first} to {after} does not lie within the {len(places):,} tokens."
        raise record.refused(message)
    return places[first][0], places[after - 1][1]


def _said(value: object) -> str:
    """Return the words that a stretch says to cover, empty where it does not."""
    return squeezed([_text(value) or ""]) if isinstance(value, dict) else ""


def _beyond(values: Iterable[Mapping[str, Any]]) -> int:
    """Return 1 where somebody's ends are the last characters, or tokens, and not those after them.

    Words that marks say to cover show it, and marks of a single token that begin and end at the same one.
    """
    single, misfits = False, [0, 0]
    for value in values:
        text = _text(value)
        for each in chain(*(value[key] for key in _lists_of_stretches(value))):
            start, end, _ = _stretch(each) or (0, 0, "")
            single = single or (text is None and start == end)
            if text is not None and (said := _said(each)):
                for more in (0, 1):
                    misfits[more] += squeezed([text[start : end + more]]) != said
    return int(single or misfits[1] < misfits[0])


def _called(record: Mapping[str, Any], options: ReaderOptions, *roles: str) -> str:
    """Return who, or what, a record is about: by the column that options name, else by a well-known name."""
    names = (name for role in roles for name in (options.columns.get(role, ""), *WELL_KNOWN[role]))
    values = (record[name] for name in names if name in record)
    return next((as_text(value) for value in values if isinstance(value, str | int)), "")


READER = Reader(
    name="mark-records",
    title="Records of marks: JSON, JSON Lines, CSV",
    tool="scripts, spaCy, Hugging Face datasets",
    extensions=(*EXTENSIONS, *TABLES),
    reads=(
        "Labelled stretches of text: a text, or its tokens, with a list of start, end and label, or tokens "
        "with a tag for each (IOB, BIOES, BILOU); in records, columns, or cells of a table. Who annotated is "
        "a field such as annotator, the key of a list, else the file."
    ),
    leaves_out="Fields of records beside. Further fields of a stretch are its features: each can be a layer.",
    recognises=recognises,
    read=read,
    says=(READING, OF_TOKENS),
)
