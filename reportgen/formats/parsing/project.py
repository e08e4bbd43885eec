"""What the description of an INCEpTION project says: its documents, and what each annotator did with them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reportgen.errors import BadInput, Problem
from reportgen.formats.copies import State
from reportgen.formats.reader import ExportFile, shortened
from reportgen.formats.records import Record, expect, read_json

DESCRIPTION = "exportedproject"
STATES: dict[str, State] = {
    "NEW": "unseen",
    "IGNORE": "skipped",
    "IN_PROGRESS": "seen",
    "FINISHED": "seen",
}
PLAIN_TEXT = "text"


@dataclass(frozen=True)
class Project:
    """The project's documents, with whether each was plain text, and the state of each annotator's copies."""

    documents: dict[str, bool]
    states: dict[tuple[str, str], State]

    @property
    def annotators(self) -> list[str]:
        """Who has copies, in the order of the description."""
        return list(dict.fromkeys(annotator for _, annotator in self.states))


def is_description(name: str) -> bool:
    """Say whether a member of an archive describes a project."""
    return "/" not in name and name.startswith(DESCRIPTION) and name.endswith(".json")


def read_project(file: ExportFile) -> Project:
    """Return what the description says; raise BadInput with all that is not as it should be."""
    whole = Record(file.name, 0, read_json(file))
    data = expect(whole, "", whole.value, dict, "an object")
    problems: list[Problem] = []
    documents: dict[str, bool] = {}
    for record in _records(whole, data, "source_documents", problems):
        name = _text(record, "name", problems)
        documents[name] = record.value.get("format") == PLAIN_TEXT
    states: dict[tuple[str, str], State] = {}
    for record in _records(whole, data, "annotation_documents", problems):
        key = _text(record, "name", problems), _text(record, "user", problems)
        states[key] = _state(record, problems)
    if problems:
        raise BadInput(shortened(problems))
    return Project(documents, states)


def _records(whole: Record, data: dict[str, Any], key: str, problems: list[Problem]) -> Iterator[Record]:
    for number, value in enumerate(expect(whole, key, data.get(key) or [], list, "a list"), 1):
        if isinstance(value, dict):
            yield Record(whole.file, number, value)
        else:
            message = "is no object where an object was expected."
            problems.append(Problem(whole.file, number, key, message, "Export the project again."))


def _text(record: Record, key: str, problems: list[Problem]) -> str:
    try:
        return str(expect(record, key, record.value.get(key), str, "a text"))
    except BadInput as error:
        problems += error.problems
        return ""


def _state(record: Record, problems: list[Problem]) -> State:
    written = _text(record, "state", problems)
    if written not in STATES:
        message = f'is "{written[:40]}" where one of {", ".join(STATES)} was expected.'
        problems.append(Problem(record.file, record.line, "state", message, "Export the project again."))
    return STATES.get(written, "seen")
