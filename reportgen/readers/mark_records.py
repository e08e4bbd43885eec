"""Marks in texts as JSON: a record for each text, with a list of stretches, or tokens and a tag for each."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from typing import Any

from reportgen.base.errors import BadInput, Problem, for_each, quoted
from reportgen.readers.annotations import different_cover
from reportgen.readers.brat import squeezed
from reportgen.readers.conll import NAME_CLASSES, OUTSIDE, Scheme, decode, detect, is_sequence
from reportgen.readers.counting import CHARACTERS, in_code_points
from reportgen.readers.layers_of_marks import ARROW
from reportgen.readers.mark_table import ROLES
from reportgen.readers.naming import annotators_by_stem
from reportgen.readers.reader import DocumentCopy, Export, ExportFile, ParsedMark, Reader, ReaderOptions
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
MARKS = ("spans", "entities", "ents", "marks", "mentions", "annotations", "labels")
TOKENS = ("tokens", "words")
LABEL = "label"
TAGS = re.compile(r"(?i)tags?$|labels?$|ner|classes")
EXTENSIONS = (".jsonl", ".json")
READING = "Records of texts: a record for each text and annotator, offsets are characters."
OF_TOKENS = "Records of tokens: a tag for each, texts are tokens joined by spaces."


def recognises(file: ExportFile) -> bool:
    """Say whether the first record has a text and a list of stretches, or tokens and a tag for each."""
    if file.suffix not in EXTENSIONS:  # an empty list of marks may be of any other format
        return False
    record = _as_record(first_record(file))
    return any((_lists_of_stretches(record), _lists_of_tags(record), _class_ids(record)))


def _as_record(value: object) -> Mapping[str, Any]:
    """Return a record; spaCy writes a pair of a text and its marks."""
    match value:
        case dict():
            return value
        case [str() as text, dict() as marks]:
            return {"text": text, **marks}
    return {}


def _text(record: Mapping[str, Any]) -> str | None:
    return next((record[name] for name in TEXT_NAMES if isinstance(record.get(name), str)), None)


def _lists_of_stretches(record: Mapping[str, Any]) -> list[str]:
    """Return the keys of lists whose elements are all stretches: objects, or start, end and label."""
    lists = [key for key in MARKS if isinstance(record.get(key), list)]
    is_marked = _text(record) is not None
    return [key for key in lists if is_marked and all(_stretch(each) is not None for each in record[key])]


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
    whose = annotators_by_stem(files, options)
    every = for_each(files, read_records)
    numbers: dict[str, int] = {}
    tagged: dict[str, list[list[str]]] = {}
    for value in (_as_record(record.value) for records in every for record in records):
        for key in _lists_of_tags(value):
            tagged.setdefault(key, []).append(value[key])
    schemes = {key: detect(sequences) for key, sequences in tagged.items()}

    def contents(own: tuple[str, Sequence[Record]]) -> list[RecordContent]:
        return for_each_record(own[1], lambda record: _content(record, own[0], numbers, schemes, options))

    found = list(chain(*for_each(zip(whose, every, strict=True), contents)))
    _require_each_once(copy for content in found for copy in content.copies)
    of_tokens = all(_tokens(_as_record(record.value)) for records in every for record in records)
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


def _content(
    record: Record,
    annotator: str,
    numbers: dict[str, int],
    schemes: Mapping[str, Scheme],
    options: ReaderOptions,
) -> RecordContent:
    value = _as_record(record.value)
    text, stretches, tags = _text(value), _lists_of_stretches(value), _lists_of_tags(value)
    if not stretches and not tags and (numbers_for := _class_ids(value)):
        message = (
            f"has numbers of classes in {quoted(numbers_for[0])}, and nothing says which labels they are."
        )
        raise record.refused(message, NAME_CLASSES)
    if not stretches and not tags:
        message = "has neither a text and a list of stretches, nor tokens and a tag for each."
        raise record.refused(message, 'Write "text" and "spans", each with start, end and label.')
    marks: list[ParsedMark] = []
    for key in stretches:
        for each in value[key]:
            if found := _stretch(each):
                features = {LABEL: name_in(record, key, found[2]), **_further(each)}
                marks.append(ParsedMark(key, (found[:2],), features, record.line))
            _require_cover(record, text or "", each)
    if tags:
        tokens = _tokens(value)
        text = " ".join(tokens)
        starts = accumulate((len(token) + 1 for token in tokens), initial=0)
        places = [(start, after - 1) for start, after in pairwise(starts)]
        for key in tags:
            for first, after, label in decode(value[key], schemes[key])[0]:
                span = places[first][0], places[after - 1][1]
                marks.append(ParsedMark(key, (span,), {LABEL: label}, record.line))
    who = _called(value, options, "annotator") or annotator
    document = _called(value, options, "document", "unit")
    name = document or str(numbers.setdefault(text or "", len(numbers) + 1))
    return RecordContent([DocumentCopy(name, who, record.file, text, marks, offsets=CHARACTERS)], ())


def _require_cover(record: Record, text: str, value: object) -> None:
    """Raise BadInput where a stretch says which words it covers, and covers others."""
    found, said = _stretch(value), _text(value) if isinstance(value, dict) else None
    if found is None or said is None:
        return
    here = squeezed([text[found[0] : found[1]]])
    if here != (written := squeezed([said])):
        raise BadInput([different_cover(record.file, record.line, here, written)])


def _called(record: Mapping[str, Any], options: ReaderOptions, *roles: str) -> str:
    """Return who, or what, a record is about: by the column that options name, else by a well-known name."""
    names = (name for role in roles for name in (options.columns.get(role, ""), *WELL_KNOWN[role]))
    values = (record[name] for name in names if name in record)
    return next((as_text(value) for value in values if isinstance(value, str | int)), "")


READER = Reader(
    name="mark-records",
    title="Records of marks, JSON or JSON Lines",
    tool="scripts, spaCy, Hugging Face datasets",
    extensions=EXTENSIONS,
    reads=(
        "Labelled stretches of text: a text with a list of start, end and label, or tokens with a tag for "
        "each (IOB, BIOES, BILOU). Who annotated is a field such as annotator, else the file."
    ),
    leaves_out="Fields of records beside. Further fields of a stretch are its features: each can be a layer.",
    recognises=recognises,
    read=read,
    says=(READING, OF_TOKENS),
)
