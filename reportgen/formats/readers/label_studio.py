"""Label Studio: tasks with their annotations (JSON), or an annotation a record (JSON-MIN, CSV, TSV)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reportgen.errors import for_each
from reportgen.formats.annotations import LeftOut
from reportgen.formats.copies import Copy, Export
from reportgen.formats.naming import UNNAMED, name_files
from reportgen.formats.parsing.label_studio.answers import TEXT, Answer, Answers, Field, find_fields
from reportgen.formats.parsing.label_studio.flat import (
    is_annotation,
    is_annotations_table,
    read_flat,
    read_table_records,
)
from reportgen.formats.parsing.label_studio.results import read_results
from reportgen.formats.parsing.label_studio.tasks import is_task, read_tasks
from reportgen.formats.reader import ExportFile, Reader, ReadOptions
from reportgen.formats.records import Record, first_record, for_each_record, is_json, read_records


def recognises(file: ExportFile) -> bool:
    """Say whether the first record is a task or an annotation of Label Studio, or the columns are its own."""
    if not is_json(file):
        return is_annotations_table(file)
    first = first_record(file)
    return is_task(first) or is_annotation(first)


@dataclass(frozen=True)
class _Content:
    """What an annotation comes to: its copies, and what is left out."""

    copies: Sequence[Copy]
    left_out: Sequence[LeftOut]


def read(files: Sequence[ExportFile], options: ReadOptions) -> Export:
    """Return a copy for each annotation and prediction; raise BadInput with all that is wrong."""
    answers = _named(files, for_each(files, lambda file: _answers(file, options)), options)
    known = dict(zip(files, answers, strict=True))
    contents = for_each(files, lambda file: _contents(known[file], options))
    found = [content for of_file in contents for content in of_file]
    default = next((each.default for each in known.values() if each.default), None)
    reading = " ".join(dict.fromkeys(each.reading for each in known.values() if each.reading))
    return Export(
        copies=[copy for content in found for copy in content.copies],
        reading=f"{reading} Offsets are UTF-16 units.",
        sources=tuple(file.source for file in files),
        left_out=(
            *(left for each in known.values() for left in each.left_out),
            *(left for content in found for left in content.left_out),
        ),
        by_feature=True,
        default=default,
    )


def _answers(file: ExportFile, options: ReadOptions) -> Answers:
    if not is_json(file):
        return read_flat(read_table_records(file), options)
    records = read_records(file)
    flat = any(is_annotation(record.value) for record in records[:1])
    return read_flat(records, options) if flat else read_tasks(records, options)


def _named(files: Sequence[ExportFile], found: Sequence[Answers], options: ReadOptions) -> list[Answers]:
    """Return all annotations; those that do not say whose they are get a name from the file's."""
    names = [UNNAMED] * len(files)
    if len(files) > 1 or options.path is not None:
        texts = ["\n".join(str(answer.data.get(TEXT, "")) for answer in each.answers) for each in found]
        names = [each.annotator for each in name_files(files, texts, options, READER.extensions)]
    return [_with_name(each, name) for each, name in zip(found, names, strict=True)]


def _with_name(found: Answers, name: str) -> Answers:
    named = [each if each.annotator else replace(each, annotator=name) for each in found.answers]
    return replace(found, answers=named)


def _contents(answers: Answers, options: ReadOptions) -> list[_Content]:
    fields = find_fields(answers.answers)
    each = [Record(answer.record.file, answer.record.line, answer) for answer in answers.answers]
    return for_each_record(each, lambda record: _content(record.value, fields, options))


def _content(answer: Answer, fields: Mapping[str, Field | None], options: ReadOptions) -> _Content:
    results = read_results(answer, fields, options)
    used = list(dict.fromkeys(each for each in fields.values() if each is not None))
    first = used[0] if used else Field(TEXT)
    blank = Copy(answer.document, answer.annotator, answer.record.file, state=answer.state, role=answer.role)
    copies = [
        replace(
            blank,
            document=answer.document if len(used) <= 1 else f"{answer.document}/{each.name}",
            text=each.text(answer.data),
            marks=[mark for place, mark in results.marks if (place or first) == each],
            relations=results.relations if each == first else (),
        )
        for each in used or [first]
    ]
    return _Content(copies, results.left_out)


READER = Reader(
    name="label-studio",
    title="Label Studio export: JSON, JSON-MIN, CSV, TSV",
    tool="Label Studio",
    extensions=(".json", ".csv", ".tsv"),
    reads="Labelled stretches of text, what was chosen for them, relations, and choices, ratings and "
    "taxonomies of whole documents; ground truth and predictions under names of their own.",
    leaves_out="Regions of pictures, recordings, time series and dialogues, HTML whose places are not given, "
    "free text and drafts; what has no labels or is not text.",
    recognises=recognises,
    read=read,
)
