"""Prodigy: a JSON object a line, each the answer of an annotator to a question on a text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from math import inf
from os.path import commonprefix
from pathlib import PurePosixPath
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, for_each
from reportgen.readers.annotations import ExcludedMarks, covered, different_cover
from reportgen.readers.counting import CHARACTERS, in_code_points
from reportgen.readers.layers_of_marks import ARROW, RELATIONS
from reportgen.readers.naming import annotators_by_stem
from reportgen.readers.reader import (
    COMMENTS,
    EMPTY_SET,
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    SetLabel,
    State,
    as_label_set,
    members_of,
)
from reportgen.readers.scales import Control
from reportgen.readers.untrusted import (
    Record,
    as_text,
    expect,
    first_record,
    for_each_record,
    listed,
    name_in,
    read_records,
    wrong_kind,
)
from reportgen.readers.work_times import Timing, moment

LONGEST = 60


@dataclass(frozen=True)
class ProdigyTask:
    """What somebody was asked of a document.

    `kind` is what answers consist of: stretches, a choice, or yes and no. `variant` says how the question is
    put: with which options, or in which view; `order` in which order these stood. `shown` are stretches
    that it is about; `task` is what Prodigy tells questions apart by.
    """

    kind: str
    data_set: str
    variant: str
    document: str
    annotator: str
    order: str = ""
    shown: str = ""
    task: str = ""


def layer_names(questions: Sequence[ProdigyTask]) -> list[str]:
    """Return the layer of each question: its kind, where only one task of that kind is there.

    Data sets are layers where the same document is in several of them, unless each is one annotator's
    own. So are the options, or views, of a data set that asks of one document with several. What is never
    asked of the same document is asked in turn, and is one task.
    """
    names: dict[ProdigyTask, str] = {}
    for asked in _grouped(questions, lambda question: question.kind).values():
        names |= _layers_of_kind(asked)
    kinds: dict[str, set[str]] = {question.kind: {question.kind} for question in names}
    for question, name in names.items():
        kinds.setdefault(name, set()).add(question.kind)
    layers = [(question.kind, names[question]) for question in questions]
    return [name if len(kinds[name]) == 1 else f"{name} {kind}" for kind, name in layers]


def documents_named(questions: Sequence[ProdigyTask], layers: Sequence[str]) -> list[str]:
    """Return what the document of each question is called: by what is asked, where several things are.

    That is where an annotator was asked of the same document about several stretches, or was asked several
    things that differ in nothing that we know.
    """
    asked = list(zip(questions, layers, strict=True))
    shown = _differing_layers(
        (layer, question.document, question.annotator, question.shown) for question, layer in asked
    )
    tasks = _differing_layers(
        (layer, question.document, question.annotator, question.shown, question.order, question.task)
        for question, layer in asked
    )
    parts = [
        (question.document, question.shown if layer in shown else "", question.task if layer in tasks else "")
        for question, layer in asked
    ]
    return [" ".join((document, *filter(None, more))) for document, *more in parts]


def _differing_layers(rows: Iterable[tuple[str, ...]]) -> set[str]:
    """Return the layers, told first, in which what is told last differs where all before is alike."""
    first: dict[tuple[str, ...], str] = {}
    return {key[0] for *key, value in rows if first.setdefault(tuple(key), value) != value}


def _layers_of_kind(questions: Sequence[ProdigyTask]) -> Mapping[ProdigyTask, str]:
    """Return the layer of each question of one kind."""
    sets = _grouped(questions, lambda question: question.data_set)
    people = {name: {question.annotator for question in asked} for name, asked in sets.items()}
    # Data sets of the same document differ in their task, unless each is one annotator's own.
    apart = any(
        any(len(people[name]) > 1 for name in shared)
        or len({who for name in shared for who in people[name]}) < len(shared)
        for shared in _sharing_documents(questions, lambda question: question.data_set)
    )
    names: dict[ProdigyTask, str] = {}
    for data_set, own in (sets if apart else {questions[0].kind: questions}).items():
        has_variants = bool(_sharing_documents(own, lambda question: question.variant))
        # A short name for each variant, no two the same.
        shorter = {
            variant: variant if len(variant) <= LONGEST else f"{variant[:LONGEST]}… ({number})"
            for number, variant in enumerate(dict.fromkeys(question.variant for question in own), 1)
        }
        for question in own:
            variant = shorter[question.variant] if has_variants else ""
            names[question] = f"{data_set}: {variant}" if variant else data_set
    return names


def _grouped(
    questions: Iterable[ProdigyTask], key: Callable[[ProdigyTask], str]
) -> dict[str, list[ProdigyTask]]:
    groups: dict[str, list[ProdigyTask]] = {}
    for question in questions:
        groups.setdefault(key(question), []).append(question)
    return groups


def _sharing_documents(
    questions: Iterable[ProdigyTask], key: Callable[[ProdigyTask], str]
) -> set[frozenset[str]]:
    """Return the groups that have a document in common, as often as they do."""
    groups: dict[str, set[str]] = {}
    for question in questions:
        groups.setdefault(question.document, set()).add(key(question))
    return {frozenset(shared) for shared in groups.values() if len(shared) > 1}


# Who answered in Prodigy, in which data set: the data set's name is before that of the session.

WHO = ("_annotator_id", "_session_id")
# A session without a name is called by when it started.
STARTED = re.compile(r"\d{4}-\d\d-\d\d[_T ]\d\d[-:]\d\d[-:]\d\d")


@dataclass(frozen=True)
class SessionNames:
    """How annotators of a file are called: the file's own name, and what is before theirs."""

    stem: str
    prefixes: tuple[str, ...]

    def annotator_and_data_set(self, value: Mapping[str, Any]) -> tuple[str, str]:
        """Return who answered, and the data set: as the session says, else as the file is called."""
        session = _session(value)
        prefix = next((candidate for candidate in self.prefixes if session.startswith(candidate)), "")
        name = session.removeprefix(prefix)
        who = self.stem if not name or STARTED.fullmatch(name) else name
        return who, prefix.removesuffix("-") or self.stem


def _session(value: object) -> str:
    """Return the name of the session, empty where it has none but the time when it started."""
    identifiers = [value.get(key) for key in WHO] if isinstance(value, dict) else []
    name = next((name for name in identifiers if isinstance(name, str) and name), "")
    return "" if STARTED.fullmatch(name) else name


def data_set_prefixes(sessions: Sequence[Sequence[str]], stems: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each file the data sets' names that are before its annotators' names.

    There is one where all of the file's names have it in common, up to a hyphen; where the file has one
    annotator, where all files' names do. Otherwise it is the name of the file, if all names start with it, or
    there are several data sets in which the same people answered.
    """
    all_names = list(dict.fromkeys(name for of_file in sessions for name in of_file))
    by_file: list[tuple[str, ...]] = []
    for of_file, stem in zip(sessions, stems, strict=True):
        names, own = list(of_file) if len(of_file) > 1 else all_names, f"{stem}-"
        shared = commonprefix(names) if len(names) > 1 else ""  # noqa: RUF071 - letters are meant
        if before := shared[: shared.rfind("-") + 1]:
            by_file.append((before,))
        elif of_file and all(name.startswith(own) for name in of_file):
            by_file.append((own,))
        else:
            by_file.append(_data_sets(of_file))
    return by_file


def _data_sets(names: Sequence[str]) -> tuple[str, ...]:
    """Return the data sets of a file with several: what a hyphen divides from the same names each time."""
    if not all("-" in name for name in names):
        return ()
    split = sorted(name.rpartition("-")[::2] for name in names)
    people = {before: [who for _, who in group] for before, group in groupby(split, lambda pair: pair[0])}
    same = len({tuple(answerers) for answerers in people.values()}) == 1
    crossed = same and len(people) > 1 and len(names) > len(people)
    return tuple(f"{data_set}-" for data_set in sorted(people, key=len, reverse=True)) if crossed else ()


HASHES = ("_input_hash", "_task_hash")
ANSWERS = ("accept", "reject", "ignore")
OWN_KEYS = ("_view_id", "_session_id", "_annotator_id", "_timestamp", "spans", "options", "accept")
# What is asked in these is about the document; spans in them are part of the question.
ABOUT_DOCUMENTS = ("choice", "classification")
STATES: Mapping[str | None, State] = {"accept": "seen", "reject": "seen", "ignore": "skipped", None: "unseen"}
SPANS, CHOICE, YES_OR_NO = "spans", "accept", "answer"
NOTHING = SetLabel(EMPTY_SET, ())
# Where Prodigy puts what an annotator wrote.
WRITTEN = "user_input"
# The setting that says how many options may be chosen, and its value for several.
STYLE, MULTIPLE = "choice_style", "multiple"
READING = "Prodigy: an answer a line; of several answers to one question the last counts."
AGAIN = "the annotator answered the same question again later"
AGAIN_THERE = "the annotator marked the same text again later"
REJECTED = "the annotator rejected the question"
IGNORED = "the annotator ignored the question"
QUESTION = "a stretch of text that the question shows"
NO_TEXT = "a region of a picture or recording, or of a document without text"


def recognises(file: ExportFile) -> bool:
    """Say whether the first record has the hashes, or the answers, that Prodigy writes."""
    value = first_record(file)
    if not isinstance(value, dict):
        return False
    answered = value.get("answer") in ANSWERS and any(key in value for key in OWN_KEYS)
    return answered or any(key in value for key in HASHES)


@dataclass(frozen=True)
class _Answer:
    """A copy, what was asked, the line and time of the answer, and what is left out of it.

    `task` is what Prodigy tells questions apart by, stretches that it proposes among them; `style` says
    whether one option could be chosen or several, empty where the answer does not tell.
    """

    copy: DocumentCopy
    question: ProdigyTask
    task: str
    line: int
    time: float
    left_out: Sequence[ExcludedMarks]
    style: str = ""


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return the last answer of each annotator to each question; raise BadInput with all that is wrong.

    Answers to different tasks are marks of different types, and so different layers.
    """
    stems = annotators_by_stem(files, options)
    every = for_each(files, read_records)
    own = [PurePosixPath(file.name).stem for file in files]
    sessions = [
        list(dict.fromkeys(filter(None, (_session(record.value) for record in records)))) for records in every
    ]
    names = map(SessionNames, stems, data_set_prefixes(sessions, own))
    texts: dict[str, int] = {}

    def of_file(named: tuple[SessionNames, Sequence[Record]]) -> list[_Answer]:
        return for_each_record(named[1], lambda record: _answer(record, named[0], texts, options))

    answers = list(chain(*for_each(zip(names, every, strict=True), of_file)))
    # Answers whose marks are of the type of their layer, and documents what they are about.
    questions = [answer.question for answer in answers]
    layers = layer_names(questions)
    layered: list[_Answer] = []
    for answer, layer, document in zip(answers, layers, documents_named(questions, layers), strict=True):
        kind = answer.question.kind
        # A choice may be shown with stretches that the annotator marks too.
        types = {SPANS: SPANS if layer == kind else f"{layer} {SPANS}", kind: layer}
        marks = [replace(mark, type=types[mark.type]) for mark in answer.copy.marks]
        about = frozenset((*types.values(), *([RELATIONS] if kind == SPANS else [])))
        copy = replace(answer.copy, document=document, marks=marks, asked=about)
        layered.append(replace(answer, copy=copy))
    last, earlier = _last_answers(layered)
    every_answer = [*last, *(answer for answer, _ in earlier)]
    left_out = [left for answer in every_answer for left in answer.left_out]
    records = [record.value for of_file in every for record in of_file if isinstance(record.value, dict)]
    comments = sum(isinstance(value.get(WRITTEN), str) and bool(value[WRITTEN].strip()) for value in records)
    export = Export(
        copies=[answer.copy for answer in last],
        reading=READING,
        sources=tuple(file.source for file in files),
        left_out=(*left_out, *(left for pair in earlier for left in _superseded(*pair))),
        by_feature=True,
        controls=_controls(layered),
        not_compared={COMMENTS: comments} if comments else {},
    )
    return in_code_points(export)


def _controls(answers: Iterable[_Answer]) -> dict[str, Control]:
    """Return by layer whether one option could be chosen or several: as the tool says, else as people did."""
    styles: dict[str, set[str]] = {}
    for answer in answers:
        for mark in answer.copy.marks if answer.question.kind == CHOICE else ():
            if not mark.spans:
                several = len(members_of(mark.features["label"])) > 1
                styles.setdefault(mark.type, set()).add(MULTIPLE if several else answer.style)
    return {
        f"{layer}{ARROW}label": "choices" if MULTIPLE in told else "choice" for layer, told in styles.items()
    }


def _last_answers(answers: Sequence[_Answer]) -> tuple[list[_Answer], list[tuple[_Answer, _Answer]]]:
    """Return each annotator's last answer to each question, and each earlier one with it.

    Both are in the order of the files.
    """
    keys = [(answer.copy.document, answer.copy.annotator, answer.copy.asked) for answer in answers]
    latest: dict[object, int] = {}
    for index, (key, answer) in enumerate(zip(keys, answers, strict=True)):
        if key not in latest or answer.time >= answers[latest[key]].time:
            latest[key] = index
    pairs = [(answer, answers[latest[key]]) for key, answer in zip(keys, answers, strict=True)]
    last = [answer for answer, later in pairs if answer is later]
    return last, [(answer, later) for answer, later in pairs if answer is not later]


def _superseded(answer: _Answer, later: _Answer) -> Iterator[ExcludedMarks]:
    copy = answer.copy
    reason = AGAIN_THERE if answer.question.kind == SPANS and answer.task != later.task else AGAIN
    if count := len(copy.marks) + len(copy.relations):
        yield ExcludedMarks(copy.file, answer.line, copy.annotator, reason, count)


def _answer(record: Record, names: SessionNames, texts: dict[str, int], options: ReaderOptions) -> _Answer:
    value = expect(record, "", record.value, dict, "an answer")
    annotator, data_set = names.annotator_and_data_set(value)
    text = value.get("text")
    if text is not None:
        expect(record, "text", text, str, "a text")
    answer = value.get("answer")
    if answer not in (None, *ANSWERS):
        raise BadInput([wrong_kind(record, "answer", answer, "accept, reject or ignore")])
    spans, left_out = _spans(record, annotator, text)
    labels, reason = _labels(record, answer, options)
    document = _document(record, text, texts)
    if _asks_about_label(value):
        document = f"{document} {as_text(value['label'])}"
    state = "skipped" if answer == "reject" and not labels else STATES[answer]
    copy = DocumentCopy(document, annotator, record.file, text, [*spans, *labels], _relations(record), state)
    if not any("text" in span for span in value.get("spans") or ()):
        copy = replace(copy, offsets=CHARACTERS)
    if reason:
        left_out.append(ExcludedMarks(record.file, record.line, annotator, reason, 1))
    task = "" if value.get("_task_hash") is None else as_text(value["_task_hash"])
    question = _question(record, data_set, copy, task)
    settings = value.get("config")
    style = str(settings.get(STYLE, "")) if isinstance(settings, dict) else ""
    time = _time(record)
    copy = replace(copy, timing=Timing(moment(time)))
    return _Answer(copy, question, task, record.line, time, left_out, style)


def _question(record: Record, data_set: str, copy: DocumentCopy, task: str) -> ProdigyTask:
    """Return what was asked: which choice, which label, or to mark stretches."""
    value = record.value
    asked = ProdigyTask(SPANS, data_set, as_text(value.get("_view_id") or ""), copy.document, copy.annotator)
    if _is_choice(value):
        written = value.get("options")
        options = written if isinstance(written, list) else []
        # Options that are no labels are whatever they are.
        order = [
            as_text(option.get("id", option) if isinstance(option, dict) else option) for option in options
        ]
        return replace(
            asked,
            kind=CHOICE,
            variant=", ".join(sorted(set(order))),
            order=", ".join(order),
            shown=_shown(value),
            task=task,
        )
    if _asks_about_label(value):
        return replace(asked, kind=YES_OR_NO, variant="", shown=_shown(value))
    return asked


def _shown(value: Mapping[str, Any]) -> str:
    """Return the stretches that a question is about, as a document that is asked about them is called."""
    written = value.get("spans")
    spans = [span for span in written if isinstance(span, dict)] if isinstance(written, list) else []
    parts = [[span[key] for key in ("start", "end", "label") if key in span] for span in spans]
    return " ".join(":".join(map(as_text, part)) for part in parts if part)


def _time(record: Record) -> float:
    time = record.value.get("_timestamp")
    if time is None:
        return -inf
    if isinstance(time, bool) or not isinstance(time, int | float) or time != time:  # noqa: PLR0124 - no number
        raise BadInput([wrong_kind(record, "_timestamp", time, "a number")])
    return time


def _document(record: Record, text: str | None, texts: dict[str, int]) -> str:
    """Return the hash of the input, else the number of the text in the order of first occurrence."""
    input_hash = record.value.get("_input_hash")
    if isinstance(input_hash, str | int):
        return as_text(input_hash)
    if text is None:
        raise BadInput([wrong_kind(record, "_input_hash", input_hash, "a number")])
    return str(texts.setdefault(text, len(texts) + 1))


def _is_choice(value: Mapping[str, Any]) -> bool:
    return "options" in value or "accept" in value


def _asks_about_label(value: Mapping[str, Any]) -> bool:
    """Say whether the question is whether one label fits the document: yes or no."""
    about_document = value.get("_view_id") == "classification" or not value.get("spans")
    return about_document and not _is_choice(value) and isinstance(value.get("label"), str | int)


def _labels(record: Record, answer: str | None, options: ReaderOptions) -> tuple[list[ParsedMark], str]:
    """Return what was chosen, or the answer to a question about one label; or why there is none."""
    value = record.value
    if _is_choice(value):
        # What was chosen, or why there is no label. Who accepts the question and chooses nothing says that
        # nothing fits; who rejects it does not.
        accepted = listed(record, "accept", record.value.get("accept"), "a list of options")
        chosen = for_each(accepted, lambda option: name_in(record, "accept", option))
        if answer == "reject" and options.rejected is None:
            return [], REJECTED
        if answer in ("ignore", None) and not chosen:
            return [], IGNORED if answer else ""
        label = as_label_set(chosen, options) if chosen else NOTHING
        if answer == "reject":
            label = options.rejected or label
        return [ParsedMark(CHOICE, (), {"label": label}, record.line)], ""
    if answer in ("accept", "reject") and _asks_about_label(value):
        return [ParsedMark(YES_OR_NO, (), {"label": answer}, record.line)], ""
    return [], IGNORED if answer == "ignore" and _asks_about_label(value) else ""


def _spans(record: Record, annotator: str, text: str | None) -> tuple[list[ParsedMark], list[ExcludedMarks]]:
    spans = listed(record, "spans", record.value.get("spans"), "a list of spans")
    objects = for_each(spans, lambda span: expect(record, "spans", span, dict, "a span"))
    in_text = [span for span in objects if text is not None and "start" in span]
    asked = record.value.get("_view_id") in ABOUT_DOCUMENTS
    counts = {NO_TEXT: len(objects) - len(in_text), QUESTION: len(in_text) if asked else 0}
    left_out = [
        ExcludedMarks(record.file, record.line, annotator, reason, count)
        for reason, count in counts.items()
        if count
    ]
    return [] if asked else for_each(in_text, lambda span: _span(record, span, text or "")), left_out


def _span(record: Record, span: Mapping[str, Any], text: str) -> ParsedMark:
    start, end = (expect(record, f"spans.{key}", span.get(key), int, "an offset") for key in ("start", "end"))
    written, here = span.get("text"), covered(text, [(start, end)])
    if isinstance(written, str) and written != here and 0 <= start <= end:
        raise BadInput([different_cover(record.file, record.line, here, written)])
    label = span.get("label")
    features = {} if label is None else {"label": name_in(record, "spans.label", label)}
    return ParsedMark("spans", ((start, end),), features, record.line)


def _relations(record: Record) -> list[Relation]:
    def relation(value: object) -> Relation:
        content = expect(record, "relations", value, dict, "a relation")
        ends = tuple((role, as_text(content.get(role))) for role in ("head", "child"))
        return Relation(name_in(record, "relations.label", content.get("label")), ends, line=record.line)

    relations = listed(record, "relations", record.value.get("relations"), "a list of relations")
    return for_each(relations, relation)


READER = Reader(
    name="prodigy",
    title="Prodigy data set, JSON Lines",
    tool="Prodigy",
    extensions=(".jsonl", ".json"),
    reads=(
        "Labelled stretches of text, choices (several are a set, none the empty set), and yes-or-no "
        "answers about a label. Each data set, and each list of options for the same texts, is a "
        "layer."
    ),
    leaves_out=(
        "Ignored questions; rejected questions, unless `rejected` names a label for them; an "
        "annotator's earlier answers to the same question; stretches that are part of the question; "
        "regions of pictures and recordings."
    ),
    recognises=recognises,
    read=read,
    says=(READING, AGAIN, AGAIN_THERE, REJECTED, IGNORED, QUESTION, NO_TEXT),
)
