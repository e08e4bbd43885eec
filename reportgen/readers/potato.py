"""Potato: an answer a line (JSON), an answer a row (CSV, TSV), or all of an annotator (`user_state.json`)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import for_each
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.label_studio import FREE_TEXT
from reportgen.readers.layers_of_marks import ARROW
from reportgen.readers.naming import UNNAMED, name_files
from reportgen.readers.reader import (
    TIMES,
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    as_label_set,
)
from reportgen.readers.scales import Control, number_of
from reportgen.readers.string_tables import first_row, read_table
from reportgen.readers.untrusted import (
    Record,
    as_text,
    expect,
    first_record,
    for_each_record,
    is_json,
    name_in,
    read_records,
)
from reportgen.readers.work_times import NO_TIMING, UNKNOWN, Timing, between, duration, moment

LABELS, SPANS, ABOUT = "label_annotations", "span_annotations", "behavioral_data"
STATE, STATE_SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"
STATE_ABOUT = "instance_id_to_behavioral_data"
# How long an answer took, in words or in milliseconds, and when the unit was opened and left.
TOOK, TOOK_MS, SESSION = "time_string", "total_time_ms", ("session_start", "session_end")
WHO, UNIT, TEXT = ("user_id", "user"), ("instance_id", "id"), "displayed_text"
# Between the question and the option in the header of a table.
BETWEEN = ":::"
IN_TABLE = "span_annotation"
# What lies beside the answers of an annotator: which texts were given, and in which order.
BESIDE = ("assigned_user_data.json", "annotation_order.txt")
# How the points of a rating are called.
POINT = re.compile(r"scale_(\d+)")
OFF = ("", "false", "none", "null", "nan")
A_STRETCH = "a stretch of text that was marked in Potato"
IN_ANOTHER_FILE = "the annotator's answer is in another file too"
READING = "Potato: each question is a layer."

# The value of each option of a question that was given one.
Given = Mapping[str, str]


@dataclass(frozen=True)
class PotatoAnswer:
    """What somebody answered about one unit: the options of each question, and what else the file has."""

    record: Record
    annotator: str
    unit: str
    text: str
    given: Mapping[str, Given]
    spans: int
    timed: bool
    timing: Timing


def recognises(file: ExportFile) -> bool:
    """Say whether the first record has answers as Potato calls them, or a table its columns."""
    if is_json(file):
        first = first_record(file)
        answers = isinstance(first, dict) and isinstance(first.get(LABELS), dict)
        return isinstance(first, dict) and (
            isinstance(first.get(STATE), dict) or (answers and ABOUT in first)
        )
    header = first_row(file)
    return {WHO[1], UNIT[0], TEXT} <= set(header) and any(BETWEEN in name for name in header)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy of each unit for each annotator; raise BadInput with all that is wrong."""
    own = [file for file in files if not _is_beside(file)]
    parts = for_each(own, lambda file: for_each_record(_records(file), _answers))
    names = [UNNAMED] * len(own)
    if len(own) > 1 or options.path is not None:
        texts = ["\n".join(answer.text for answers in part for answer in answers) for part in parts]
        names = [name.annotator for name in name_files(own, texts, options, READER.extensions)]
    answers = [
        replace(answer, annotator=answer.annotator or name)
        for part, name in zip(parts, names, strict=True)
        for answers in part
        for answer in answers
    ]
    # What each question was asked with, None where its answers are free text. A rating has points, a slider
    # or a box for a number one field with different numbers; of options one is chosen or several.
    values: dict[str, dict[str, set[str]]] = {}
    most = Counter[str]()
    for answer in answers:
        for question, given in answer.given.items():
            most[question] = max(most[question], len(given))
            for name, value in given.items():
                values.setdefault(question, {}).setdefault(name, set()).add(value)
    questions = {question: _control(of_question, most[question]) for question, of_question in values.items()}
    times = sum(answer.timed for answer in answers)
    copies: list[DocumentCopy] = []
    left_out: list[ExcludedMarks] = []
    shown: dict[str, str] = {}
    seen: dict[tuple[str, str], str] = {}
    for answer in answers:
        marks, texts_written = _marks(answer, questions, options)
        where, who = (answer.record.file, answer.record.line), answer.annotator
        again = seen.setdefault((who, answer.unit), answer.record.file) != answer.record.file
        counts = {
            IN_ANOTHER_FILE: len(marks) if again else 0,
            FREE_TEXT: texts_written,
            A_STRETCH: answer.spans,
        }
        left_out += [ExcludedMarks(*where, who, reason, n) for reason, n in counts.items() if n]
        if not again:
            text = shown.setdefault(answer.unit, answer.text) or None
            copies.append(
                DocumentCopy(answer.unit, who, answer.record.file, text, marks, timing=answer.timing)
            )
    return Export(
        copies=copies,
        reading=READING,
        sources=tuple(file.source for file in own),
        left_out=tuple(left_out),
        by_feature=True,
        not_compared={TIMES: times} if times else {},
        controls={f"{name}{ARROW}label": question for name, question in questions.items() if question},
    )


def _is_beside(file: ExportFile) -> bool:
    return PurePosixPath(file.name).name in BESIDE


def _records(file: ExportFile) -> list[Record]:
    if is_json(file):
        return read_records(file)
    table = read_table(file)
    rows = zip(table.rows, zip(*table.columns, strict=True), strict=True)
    return [
        Record(file.name, table.lines[index], _of_row(dict(zip(table.header, cells, strict=True))))
        for index, cells in rows
    ]


def _of_row(row: Mapping[str, str]) -> dict[str, object]:
    """Return a row of a table as the answer that it is in JSON."""
    value: dict[str, Any] = {name: cell for name, cell in row.items() if BETWEEN not in name}
    value |= {LABELS: {}, SPANS: []}
    for name, cell in row.items():
        question, between, option = name.partition(BETWEEN)
        if question == IN_TABLE and cell not in ("", "[]"):
            value[SPANS].append(cell)
        elif between and question != IN_TABLE:
            value[LABELS].setdefault(question, {})[option] = cell
    return value


def _answers(record: Record) -> list[PotatoAnswer]:
    """Return the answers in a record: one, or all of an annotator."""
    value = expect(record, "", record.value, dict, "an answer")
    who = next((as_text(value[key]) for key in WHO if value.get(key) not in (None, "")), "")
    if STATE not in value:
        unit = next((value[key] for key in UNIT if key in value), None)
        about = value.get(ABOUT)
        labels, spans = value.get(LABELS), value.get(SPANS)
        return [_answer(record, who, (unit, value.get(TEXT)), (labels, spans, about))]
    units = expect(record, STATE, value[STATE], dict, "an object of answers by unit")
    spans, about = (value.get(key) for key in (STATE_SPANS, STATE_ABOUT))
    return [
        _answer(record, who, (unit, ""), (labels, _inside(spans, unit), _inside(about, unit)))
        for unit, labels in units.items()
    ]


def _inside(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _answer(
    record: Record, who: str, unit: tuple[object, object], parts: tuple[object, object, object]
) -> PotatoAnswer:
    labels, spans, about = parts
    # Older versions write the questions one by one, newer ones pairs of an option and its value.
    pairs = expect(record, LABELS, labels or {}, (dict, list), "the answers to questions")
    given: dict[str, dict[str, str]] = {}
    if isinstance(pairs, list):
        for pair in pairs:
            option, value = (*expect(record, STATE, pair, list, "an option and its value"), None, None)[:2]
            named = expect(record, STATE, option, dict, "an option of a question")
            question, name = (name_in(record, STATE, named.get(key), "a name") for key in ("schema", "name"))
            given.setdefault(question, {})[name] = as_text(value)
    else:
        for question, options in pairs.items():
            values = options if isinstance(options, dict) else {as_text(options): True}
            given[question] = {name: as_text(value) for name, value in values.items()}
    return PotatoAnswer(
        record,
        who,
        name_in(record, UNIT[0], unit[0], "what the unit is called"),
        unit[1] if isinstance(unit[1], str) else "",
        {question: on for question, options in given.items() if (on := _on(options))},
        len(spans) if isinstance(spans, list | dict) else 0,
        bool(about),
        _timing(about),
    )


def _timing(about: object) -> Timing:
    """Return how long an answer took, and when it was given where Potato says so."""
    if not isinstance(about, dict):
        return NO_TIMING
    start, end = (moment(about.get(key)) for key in SESSION)
    taken = (duration(about.get(TOOK)), duration(about.get(TOOK_MS), 1), between(start, end))
    return Timing(
        end if end != UNKNOWN else start, next((time for time in taken if time != UNKNOWN), UNKNOWN)
    )


def _on(options: Mapping[str, str]) -> dict[str, str]:
    """Return the options that have a value."""
    return {name: value for name, value in options.items() if value.strip().casefold() not in OFF}


def _control(values: Mapping[str, set[str]], most: int) -> Control | None:
    (first, of_first), *others = values.items()
    if not others and len(of_first) > 1:
        return "number" if all(number_of(value) is not None for value in of_first) else None
    if not others and not _is_sign(first, next(iter(of_first))):
        return None
    if all(map(POINT.fullmatch, values)):
        return "rating"
    return "choices" if most > 1 else "choice"


def _is_sign(option: str, value: str) -> bool:
    """Say whether the value of an option says that it was chosen, and is no text that somebody wrote."""
    return value in (option, "true") or number_of(value) is not None


def _marks(
    answer: PotatoAnswer, questions: Mapping[str, Control | None], options: ReaderOptions
) -> tuple[list[ParsedMark], int]:
    """Return the labels that an annotator gave a unit, and how many texts they wrote besides."""
    marks: list[ParsedMark] = []
    written = 0
    for question, given in answer.given.items():
        labels = list(_labels(given, questions[question]))
        written += len(given) - len(labels)
        if labels:
            features = {"label": as_label_set(labels, options) if len(labels) > 1 else labels[0]}
            marks.append(ParsedMark(question, (), features, answer.record.line))
    return marks, written


def _labels(given: Given, control: Control | None) -> Iterator[str]:
    """Yield the labels among the options that have a value."""
    for option, value in given.items():
        point = POINT.fullmatch(option)
        if control == "number":
            yield value
        elif control is not None and _is_sign(option, value):
            yield point[1] if control == "rating" and point else option


READER = Reader(
    name="potato",
    title="Potato export, JSON Lines, CSV or TSV, and user_state.json",
    tool="Potato",
    extensions=(".jsonl", ".json", ".csv", ".tsv"),
    reads=(
        "Answers about units; each question is a layer: options of which one or several were chosen, "
        "ratings, sliders and numbers. There is a file for each annotator, or one file for all."
    ),
    leaves_out="Stretches of text, free text, and a second file with the same annotator's answers.",
    recognises=recognises,
    read=read,
    accompanies=_is_beside,
    says=(READING, A_STRETCH, IN_ANOTHER_FILE),
)
