"""doccano: a JSON object a document, of one annotator a file (from 1.6 on), or of all of them (1.0)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from reportgen.base.errors import BadInput, for_each
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.counting import UTF16, in_code_points
from reportgen.readers.labels_json import are_listed
from reportgen.readers.layers_of_marks import ARROW
from reportgen.readers.naming import annotators_by_stem
from reportgen.readers.reader import (
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    State,
    as_label_set,
    members_of,
)
from reportgen.readers.scales import Control
from reportgen.readers.untrusted import (
    Record,
    RecordContent,
    as_text,
    expect,
    export_of_records,
    first_record,
    for_each_record,
    is_zip,
    member_names,
    name_in,
    read_records,
    unpack,
)
from reportgen.readers.work_times import UNKNOWN, Timing, moment

KEYS = ("label", "labels", "entities", "cats")
OLD_KEY = "annotations"
CREATED = "created_at"
TEXTS = ("text", "data")
LINES = (".jsonl", ".json")
# Folders that archives of some systems have beside what was packed.
NO_EXPORT = ("__MACOSX/", "._", ".DS_Store")
COMMENT = "a comment on the document"
FREE_TEXT = "a text that the annotator wrote"


def recognises(file: ExportFile) -> bool:
    """Say whether the first record has a text and what doccano calls labels, in a zip archive too."""
    return _recognises_archive(file) if is_zip(file) else _is_document(first_record(file))


def _recognises_archive(file: ExportFile) -> bool:
    names = [name for name in member_names(file) if not name.endswith("/") and not name.startswith(NO_EXPORT)]
    if not names or not all(name.lower().endswith(LINES) for name in names):
        return False
    try:
        first = unpack(file, (min(names),))
    except BadInput:  # what is wrong with the archive is said when it is read
        return True
    return _is_document(first_record(first[0]))


def _is_document(value: object) -> bool:
    if not isinstance(value, dict) or not any(isinstance(value.get(key), str) for key in TEXTS):
        return False
    labels = [value[key] for key in (*KEYS, OLD_KEY) if key in value]
    # Other programs have such a list too, and call whoever annotated otherwise.
    listed = [each for of_key in labels if isinstance(of_key, list) for each in of_key]
    own = value.get(OLD_KEY)
    old = [each for each in own if isinstance(each, dict)] if isinstance(own, list) else []
    other = any(isinstance(each, dict) and "annotator" in each for each in listed) or are_listed(value)
    other = other or any("user" not in each for each in old)
    return bool(labels) and not other and all(isinstance(label_list, list) for label_list in labels)


class _DocumentNames:
    """Names of documents: their id, or the number of their text in the order of first occurrence."""

    def __init__(self, options: ReaderOptions) -> None:
        self._column = options.columns.get("unit", "id")
        self._numbers: dict[tuple[str, int], int] = {}
        self._seen = Counter[tuple[str, str]]()

    def name(self, record: Record, text: str) -> str:
        """Return the document's name; a text that comes again in one file is another document."""
        identifier = record.value.get(self._column)
        if isinstance(identifier, str | int):
            return as_text(identifier)
        self._seen[record.file, text] += 1
        return str(self._numbers.setdefault((text, self._seen[record.file, text]), len(self._numbers) + 1))


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return the copies of all files; raise BadInput with everything that is wrong with any of them."""
    parts = list(chain(*for_each(files, _parts)))
    names = dict(zip(parts, annotators_by_stem(parts, options), strict=True))
    documents = _DocumentNames(options)

    def contents(part: ExportFile) -> Sequence[RecordContent]:
        records = read_records(part)
        users = _users(records)
        return for_each_record(
            records, lambda record: _content(record, names[part], users, documents, options)
        )

    record_contents = list(chain(*for_each(parts, contents)))
    export = export_of_records(files, record_contents, _reading(record_contents))
    return in_code_points(replace(export, controls=_controls(export.copies)))


def _controls(copies: Sequence[DocumentCopy]) -> dict[str, Control]:
    """Return by layer whether labels are chosen one by one, or several for a document."""
    found: dict[str, Control] = {}
    for mark in chain.from_iterable(copy.marks for copy in copies):
        layer = f"{mark.type}{ARROW}label"
        several = len(members_of(mark.features["label"])) > 1
        found[layer] = "choices" if several or found.get(layer) == "choices" else "choice"
    return found


def _reading(contents: Sequence[RecordContent]) -> str:
    if any(mark.type == OLD_KEY for content in contents for copy in content.copies for mark in copy.marks):
        return "doccano 1.0: labels are the numbers that doccano gave them, offsets are UTF-16 units."
    return "doccano: a file for each annotator; offsets are UTF-16 units."


def _parts(file: ExportFile) -> Sequence[ExportFile]:
    if not is_zip(file):
        return [file]
    start = len(f"{file.name}/")
    return [
        member
        for member in unpack(file)
        if member.name.lower().endswith(LINES) and not member.name[start:].startswith(NO_EXPORT)
    ]


def _users(records: Sequence[Record]) -> list[str]:
    """Return who annotated in a file of doccano 1.0, in the order of first occurrence."""
    users: dict[str, None] = {}
    for record in records:
        annotations = record.value.get(OLD_KEY) if isinstance(record.value, dict) else None
        for annotation in annotations if isinstance(annotations, list) else []:
            if isinstance(annotation, dict) and isinstance(annotation.get("user"), str | int):
                users[as_text(annotation["user"])] = None
    return list(users)


def _content(
    record: Record, annotator: str, users: Sequence[str], documents: _DocumentNames, options: ReaderOptions
) -> RecordContent:
    value = expect(record, "", record.value, dict, "a document")
    key = next((key for key in TEXTS if key in value), TEXTS[0])
    text = expect(record, key, value.get(key), str, "the document's text")
    name = documents.name(record, text)
    if OLD_KEY in value:
        # A copy for each user of a record of doccano 1.0; who annotated nothing may not have seen it.
        blank = DocumentCopy(name, "", record.file, text, offsets=UTF16)
        annotations = expect(record, OLD_KEY, record.value[OLD_KEY], list, "a list of annotations")
        answers = for_each(annotations, lambda annotation: _old_annotation(record, annotation))
        writers = [user for user, content in answers if content is None]
        left_out = [ExcludedMarks(record.file, record.line, user, FREE_TEXT, 1) for user in writers]
        copies = []
        for user in users:
            contents = [content for who, content in answers if who == user]
            marks = [content for content in contents if isinstance(content, ParsedMark)]
            labels = [content for content in contents if isinstance(content, str)]
            marks += _of_document(record, OLD_KEY, labels, options)
            state: State = "seen" if contents else "unseen"
            timing = Timing(_last_moment(annotations, user))
            copies.append(replace(blank, annotator=user, marks=marks, state=state, timing=timing))
        return RecordContent(copies, left_out)
    keys = [key for key in KEYS if key in value]
    marks = list(chain(*for_each(keys, lambda key: _marks(record, key, value[key], options))))
    copy = DocumentCopy(name, annotator, record.file, text, marks, _relations(record), offsets=UTF16)
    comments = value.get("Comments")
    many = len(comments) if isinstance(comments, list) else 0
    left_out = [ExcludedMarks(record.file, record.line, annotator, COMMENT, many)] if many else []
    return RecordContent([copy], left_out)


def _marks(record: Record, key: str, value: object, options: ReaderOptions) -> Sequence[ParsedMark]:
    """Return what is under a key: stretches of text, or labels of the document, which are one label."""
    written = [value] if isinstance(value, str) else expect(record, key, value, list, "a list of labels")
    of_texts = [stretch for stretch in written if isinstance(stretch, list | dict)]
    spans = for_each(of_texts, lambda stretch: _span(record, key, stretch))
    others = [label for label in written if not isinstance(label, list | dict)]
    labels = for_each(others, lambda label: name_in(record, key, label))
    return [*spans, *_of_document(record, key, labels, options)]


def _of_document(record: Record, key: str, labels: Sequence[str], options: ReaderOptions) -> list[ParsedMark]:
    """Return the labels of a document as one mark, none where there are none."""
    return [ParsedMark(key, (), {"label": as_label_set(labels, options)}, record.line)] if labels else []


def _span(record: Record, key: str, value: list[Any] | Mapping[str, Any]) -> ParsedMark:
    if isinstance(value, list):
        start, end, label = [*value, None, None, None][:3]
        own = ""
    else:
        start, end, label = (value.get(name) for name in ("start_offset", "end_offset", "label"))
        own = as_text(value["id"]) if value.get("id") is not None else ""
    for offset in (start, end):
        expect(record, key, offset, int, "an offset")
    return ParsedMark(key, ((start, end),), {"label": name_in(record, key, label)}, record.line, own)


def _relations(record: Record) -> Sequence[Relation]:
    relations = expect(record, "relations", record.value.get("relations", []), list, "a list of relations")

    def relation(value: object) -> Relation:
        content = expect(record, "relations", value, dict, "a relation")
        ends = ("from", as_text(content.get("from_id"))), ("to", as_text(content.get("to_id")))
        return Relation(name_in(record, "relations", content.get("type")), ends, line=record.line)

    return for_each(relations, relation)


def _last_moment(annotations: Sequence[Mapping[str, Any]], user: str) -> int:
    """Return when the last annotation of a user was made."""
    own = (annotation for annotation in annotations if as_text(annotation.get("user")) == user)
    return max((moment(annotation.get(CREATED)) for annotation in own), default=UNKNOWN)


def _old_annotation(record: Record, value: object) -> tuple[str, ParsedMark | str | None]:
    """Return whose an annotation is, and its mark, the label of the document, or None for free text."""
    annotation = expect(record, OLD_KEY, value, dict, "an annotation")
    user = name_in(record, f"{OLD_KEY}.user", annotation.get("user"))
    if "label" not in annotation and isinstance(annotation.get("text"), str):
        return user, None
    if "start_offset" in annotation:
        return user, _span(record, OLD_KEY, annotation)
    return user, name_in(record, f"{OLD_KEY}.label", annotation.get("label"))


READER = Reader(
    name="doccano",
    title="doccano export, JSON Lines",
    tool="doccano",
    extensions=(".jsonl", ".json", ".zip"),
    reads=(
        "Labelled stretches of text, labels of documents, and relations. Each annotator has a file, "
        "which may be in a zip archive; doccano 1.0 writes one file that names the users."
    ),
    leaves_out=(
        "Comments and metadata. doccano does not record whether a document without labels was read; "
        "such a document counts as seen."
    ),
    recognises=recognises,
    read=read,
    says=(COMMENT, FREE_TEXT),
)
