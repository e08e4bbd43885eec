"""Argilla: a record a line as its server sends them, or a list of them as its client exports them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import did_you_mean, for_each
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.counting import CHARACTERS, UTF16, in_code_points
from reportgen.readers.label_studio import DRAFT, FREE_TEXT
from reportgen.readers.layers_of_marks import ARROW
from reportgen.readers.reader import (
    MODEL,
    NO_ANNOTATOR,
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    State,
    as_label_set,
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
    listed,
    name_in,
    read_records,
)
from reportgen.readers.work_times import NO_TIMING, UNKNOWN, Timing, moment

# What the first line of a pulled file tells of the dataset.
HEAD = {"dataset": dict, "questions": list, "users": list}
FIELDS, RESPONSES, SUGGESTIONS = "fields", "responses", "suggestions"
# What a record of the client has, and one of the server.
OF_RECORDS = ("_server_id", "external_id")
LABEL = "label"
Kind = Literal["choice", "choices", "rating", "ranking", "span", "text"]
KINDS: Mapping[str, Kind] = {
    "label_selection": "choice",
    "multi_label_selection": "choices",
    "rating": "rating",
    "ranking": "ranking",
    "span": "span",
    "text": "text",
}
CONTROLS: Mapping[Kind, Control | None] = {
    "choice": "choice",
    "choices": "choices",
    "rating": "rating",
    "ranking": "ranking",
    "span": "kind",
    "text": None,
}
# The longest name of an option: what is longer, or has lines, somebody wrote.
LONGEST_OPTION = 200
DELETED = (None, "None", "")
STATES: Mapping[str, State] = {"submitted": "seen", "discarded": "skipped"}
OF_A_PERSON = "a suggestion that a person made"
UNNAMED_MODEL = "suggestions"
PICTURE = "data:"
READING = "Argilla: each question is a layer; offsets of annotators are UTF-16 units."


@dataclass(frozen=True)
class ArgillaQuestion:
    """What annotators were asked: how, and of spans in which field; None where the export does not tell."""

    kind: Kind
    field: str | None = None


@dataclass(frozen=True)
class ArgillaDataset:
    """What a file says of all its records: who is who, questions by name, and names of questions by id."""

    users: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, ArgillaQuestion] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answered:
    """What somebody, or a model, said of a record, by question; without `state` it was not submitted."""

    annotator: str
    values: Mapping[str, Any]
    state: State | None = "seen"
    role: str = "annotator"
    timing: Timing = NO_TIMING
    of_person: bool = False


@dataclass(frozen=True)
class AnsweredRecord:
    """A record with all that was said of it."""

    record: Record
    document: str
    texts: Mapping[str, str]
    answers: Sequence[Answered]


def recognises(file: ExportFile) -> bool:
    """Say whether the first record tells of a dataset of Argilla, or is one of it."""
    first = first_record(file)
    return isinstance(first, dict) and (_is_head(first) or _is_record(first))


def _is_head(value: Mapping[str, Any]) -> bool:
    return all(isinstance(value.get(key), kind) for key, kind in HEAD.items())


def _is_record(value: Mapping[str, Any]) -> bool:
    inside = isinstance(value.get(FIELDS), dict) and isinstance(value.get(RESPONSES), dict | list)
    return inside and any(key in value for key in OF_RECORDS)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy of each record for each annotator; raise BadInput with all that is wrong."""
    parts = for_each(files, lambda file: _answered(file, options))
    known = {name: question for dataset, _ in parts for name, question in dataset.questions.items()}
    records = [answered for _, of_file in parts for answered in of_file]
    questions = known | {
        name: question for name, question in _as_answered(records).items() if name not in known
    }
    fields = list(dict.fromkeys(name for answered in records for name in answered.texts))
    asked = options.columns.get("text")
    numbered = [Record(each.record.file, each.record.line, each) for each in records]
    contents = for_each_record(
        numbered, lambda record: _content(record.value, _placed(record, questions, fields, asked), options)
    )
    export = export_of_records(files, contents, READING)
    controls = {f"{name}{ARROW}{LABEL}": CONTROLS[question.kind] for name, question in questions.items()}
    controlled = {name: control for name, control in controls.items() if control}
    return in_code_points(replace(export, controls=controlled))


def _answered(file: ExportFile, options: ReaderOptions) -> tuple[ArgillaDataset, list[AnsweredRecord]]:
    records = read_records(file)
    dataset = ArgillaDataset()
    if records and isinstance(records[0].value, dict) and _is_head(records[0].value):
        dataset, records = _dataset(records[0]), records[1:]
    return dataset, for_each_record(records, lambda record: _record(record, dataset, options))


def _dataset(record: Record) -> ArgillaDataset:
    """Return what the first line of a pulled file says of the dataset."""
    users = _objects(record, "users", record.value["users"])
    questions: dict[str, ArgillaQuestion] = {}
    names: dict[str, str] = {}
    for value in _objects(record, "questions", record.value["questions"]):
        name = name_in(record, "questions", value.get("name"), "a name")
        names[as_text(value.get("id"))] = name
        settings = expect(record, "questions", value.get("settings"), dict, "the settings of a question")
        if (kind := KINDS.get(as_text(settings.get("type")))) is not None:
            where = settings.get("field")
            questions[name] = ArgillaQuestion(kind, where if isinstance(where, str) else None)
    called = {
        as_text(user.get("id")): name_in(record, "users", user.get("username"), "a name") for user in users
    }
    return ArgillaDataset(called, questions, names)


def _objects(record: Record, key: str, value: object) -> list[Mapping[str, Any]]:
    return [expect(record, key, each, dict, "an object") for each in listed(record, key, value)]


def _record(record: Record, dataset: ArgillaDataset, options: ReaderOptions) -> AnsweredRecord:
    value = expect(record, "", record.value, dict, "a record")
    fields = expect(record, FIELDS, value.get(FIELDS), dict, "an object of fields")
    column = options.columns.get("unit")
    metadata = value.get("metadata")
    beside = metadata if isinstance(metadata, dict) else {}
    named = value.get("external_id") or value.get("id")
    identifier = named if column is None else beside.get(column, fields.get(column, value.get(column)))
    return AnsweredRecord(
        record,
        name_in(record, column or "id", identifier, "what the record is called"),
        {name: text for name, content in fields.items() if (text := _text(content))},
        [*_responses(record, dataset), *_suggestions(record, dataset)],
    )


def _text(content: object) -> str:
    """Return the text of a field, or of a chat; "" of a picture, and of what a template shows."""
    if isinstance(content, list):
        turns = [turn for turn in content if isinstance(turn, dict)]
        return "\n".join(f"{turn.get('role', '')}: {turn.get('content', '')}" for turn in turns)
    return content if isinstance(content, str) and not content.startswith(PICTURE) else ""


def _responses(record: Record, dataset: ArgillaDataset) -> Iterator[Answered]:
    """Yield what each user answered; of a user who was deleted nobody is known, "" is their name."""
    responses = record.value.get(RESPONSES)
    if isinstance(responses, dict):
        # The client has them by question, without their status.
        values: dict[str, dict[str, Any]] = {}
        for question, answers in responses.items():
            for answer in _objects(record, RESPONSES, answers):
                values.setdefault(_user(answer, dataset), {})[question] = answer.get("value")
        yield from (Answered(user, given) for user, given in values.items())
        return
    for response in _objects(record, RESPONSES, responses):
        given = expect(record, RESPONSES, response.get("values") or {}, dict, "an object of answers")
        moments = (moment(response.get(key)) for key in ("updated_at", "inserted_at"))
        at = next((when for when in moments if when != UNKNOWN), UNKNOWN)
        yield Answered(
            _user(response, dataset),
            {
                question: expect(record, RESPONSES, answer, dict, "an object with a value").get("value")
                for question, answer in given.items()
            },
            STATES.get(as_text(response.get("status"))),
            timing=Timing(at),
        )


def _user(response: Mapping[str, Any], dataset: ArgillaDataset) -> str:
    user = response.get("user_id")
    return "" if user in DELETED else dataset.users.get(as_text(user), as_text(user))


def _suggestions(record: Record, dataset: ArgillaDataset) -> Iterator[Answered]:
    """Yield what each model suggested, and what people did."""
    suggestions = record.value.get(SUGGESTIONS) or []
    if isinstance(suggestions, dict):
        named = [
            (question, expect(record, SUGGESTIONS, each, dict, "an object"))
            for question, each in suggestions.items()
        ]
    else:
        each_one = _objects(record, SUGGESTIONS, suggestions)
        named = [(dataset.names.get(as_text(each.get("question_id")), ""), each) for each in each_one]
    values: dict[tuple[str, bool], dict[str, Any]] = {}
    for question, suggestion in named:
        if question:
            agent, of_person = suggestion.get("agent"), suggestion.get("type") == "human"
            who = agent if isinstance(agent, str) and agent else UNNAMED_MODEL
            values.setdefault((who, of_person), {})[question] = suggestion.get("value")
    for (who, of_person), given in values.items():
        yield Answered(who, given, role=MODEL, of_person=of_person)


def _as_answered(records: Iterable[AnsweredRecord]) -> dict[str, ArgillaQuestion]:
    """Return what each question asks, by its answers: the client's export does not say it."""
    found: dict[str, Kind] = {}
    for record in records:
        for answer in record.answers:
            for question, value in answer.values.items():
                kind = _kind(value)
                if kind is not None and found.get(question) != "text":
                    found[question] = kind
    return {name: ArgillaQuestion(kind) for name, kind in found.items()}


def _kind(value: object) -> Kind | None:
    """Return how annotators were asked for a value; None where that may be any question."""
    if isinstance(value, list):
        if not value:
            return None
        if all(isinstance(part, dict) for part in value):
            return "ranking" if "rank" in value[0] else "span"
        return "choices"
    if isinstance(value, str):
        return "text" if len(value) > LONGEST_OPTION or "\n" in value else "choice"
    return "rating" if type(value) is int else None


def _placed(
    record: Record, questions: Mapping[str, ArgillaQuestion], fields: Sequence[str], asked: str | None
) -> dict[str, ArgillaQuestion]:
    """Return the questions, each of spans with its field; raise BadInput where it may be in several."""
    found = dict(questions)
    for name, question in questions.items():
        if question.kind == "span" and question.field is None:
            only = fields[0] if len(fields) == 1 else asked
            if only not in fields:
                message = f'does not say in which field the spans of "{name}" are.'
                remedy = f'Say it: columns = {{ text = "{(fields or ["text"])[0]}" }}.'
                if only is not None:
                    message, remedy = f'there is no field "{only}".', did_you_mean(only, list(fields))
                raise record.refused(message, remedy, "columns.text")
            found[name] = replace(question, field=only)
    return found


def _content(
    answered: AnsweredRecord, questions: Mapping[str, ArgillaQuestion], options: ReaderOptions
) -> RecordContent:
    """Return the copies of a record, and what is left out."""
    copies: list[DocumentCopy] = []
    left_out: list[ExcludedMarks] = []
    for answer in answered.answers:
        if reason := _why_not(answer):
            where = answered.record.file, answered.record.line, answer.annotator
            left_out += [ExcludedMarks(*where, reason, len(answer.values))] if answer.values else []
        else:
            of_answer, more = _copies(answered, answer, questions, options)
            copies += of_answer
            left_out += more
    return RecordContent(copies, left_out)


def _why_not(answer: Answered) -> str:
    if answer.of_person:
        return OF_A_PERSON
    if not answer.annotator:
        return NO_ANNOTATOR
    return DRAFT if answer.state is None else ""


def _copies(
    answered: AnsweredRecord,
    answer: Answered,
    questions: Mapping[str, ArgillaQuestion],
    options: ReaderOptions,
) -> tuple[list[DocumentCopy], list[ExcludedMarks]]:
    """Return what somebody did with a record: a copy for each field with spans, and each ranked thing."""
    record, texts = answered.record, answered.texts
    marks: list[tuple[str | None, ParsedMark]] = []
    ranked: list[tuple[str, str, str]] = []
    written = 0
    for name, value in answer.values.items():
        question = questions.get(name)
        if question is None or value is None:
            continue
        if question.kind == "text":
            written += 1
        elif question.kind == "ranking":
            ranked += [(name, item, rank) for item, rank in _ranks(record, name, value)]
        elif question.kind == "span":
            marks += [(question.field, mark) for mark in _spans(record, name, value)]
        else:
            label = _label(record, name, value, question.kind, options)
            marks += [(None, ParsedMark(name, (), {LABEL: label}, record.line))] if label else []
    used = list(dict.fromkeys(each.field for each in questions.values() if each.kind == "span")) or [None]
    blank = DocumentCopy(
        answered.document,
        answer.annotator,
        record.file,
        state=answer.state or "seen",
        role=answer.role,
        timing=answer.timing,
        offsets=CHARACTERS if answer.role == MODEL else UTF16,
    )
    copies = [
        replace(
            blank,
            document=answered.document if len(used) == 1 else f"{answered.document}/{where}",
            text="\n\n".join(texts.values()) or None if where is None else texts.get(where, ""),
            marks=[mark for place, mark in marks if (place or used[0]) == where],
        )
        for where in used
    ]
    copies += [
        replace(
            blank,
            document=f"{answered.document}/{item}",
            marks=[ParsedMark(name, (), {LABEL: rank}, record.line)],
            asked=frozenset((name,)),
            within=answered.document,
        )
        for name, item, rank in ranked
    ]
    left_out = ExcludedMarks(record.file, record.line, answer.annotator, FREE_TEXT, written)
    return copies, [left_out] if written else []


def _ranks(record: Record, key: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield each thing that was ranked, with its rank."""
    for part in _objects(record, key, value):
        if part.get("rank") is not None:
            yield (
                name_in(record, key, part.get("value"), "what is ranked"),
                name_in(record, key, part["rank"], "a rank"),
            )


def _spans(record: Record, key: str, value: object) -> Iterator[ParsedMark]:
    """Yield the marks of a question."""
    for part in _objects(record, key, value):
        start, end = (expect(record, key, part.get(name), int, "an offset") for name in ("start", "end"))
        yield ParsedMark(key, ((start, end),), {LABEL: name_in(record, key, part.get(LABEL))}, record.line)


def _label(record: Record, key: str, value: object, kind: Kind, options: ReaderOptions) -> str:
    """Return the label that was chosen, several as a set; "" where none was."""
    if kind != "choices":
        return name_in(record, key, value)
    labels = [name_in(record, key, label) for label in listed(record, key, value, "a list of labels")]
    return as_label_set(labels, options) if labels else ""


READER = Reader(
    name="argilla",
    title="Argilla records, JSON or JSON Lines",
    tool="Argilla",
    extensions=(".jsonl", ".json"),
    reads=(
        "Submitted answers. Each question is a layer: one label or several, ratings, rankings, or "
        "labelled stretches of text. Suggestions by models are read under the models' names."
    ),
    leaves_out="Drafts, free text, answers by deleted users, suggestions by people, vectors and metadata.",
    recognises=recognises,
    read=read,
    says=(READING, OF_A_PERSON),
)
