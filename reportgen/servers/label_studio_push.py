"""Decisions to Label Studio: a ground truth for each task, or the predictions of a model."""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from reportgen.base.errors import BadInput, Problem, alternatives, quoted
from reportgen.publish.gold_marks import utf16_offsets
from reportgen.readers import ParsedMark
from reportgen.readers.json_records import as_text
from reportgen.readers.sources import ARROW
from reportgen.servers.decided import DecidedDocument
from reportgen.servers.kept_tasks import KeptTasks
from reportgen.servers.label_studio import LabelStudioAccess, fetch_tasks, project_of
from reportgen.servers.push_request import PushPlan, PushRequest, ServerChange
from reportgen.servers.requests import AnnotationServer

Results = list[dict[str, Any]]
# What controls take of a whole document, by their kind, and how their value is written.
CHOSEN, TAXONOMY, NUMBERS = "choices", "taxonomy", ("rating", "number")
# Ground truth that reportgen sent is known by an id that follows from its project and task.
OURS = uuid.UUID("5b0c1c56-27b2-5d7e-9c0f-2b6a4d8f1e37")


class LabelInterface:
    """The controls of a project's labelling interface, and what a label or a mark is with them."""

    def __init__(
        self, server: AnnotationServer, controls: Mapping[str, Any], sources: Mapping[str, str]
    ) -> None:
        """Take the controls as the server describes them; find the one of each layer."""
        self.controls = controls
        self.of_layer = {layer: self._control(source) for layer, source in sources.items()}
        missing = [layer for layer, control in self.of_layer.items() if not control]
        if missing:
            known = alternatives(controls, "and") or "none"
            message = (
                f"has no control for {alternatives(missing, 'and')}; its labelling interface has {known}."
            )
            remedy = "Name it as the source of the layer, and check the number of the project."
            raise server.refusal(message, remedy, "layers")

    def _control(self, source: str) -> str:
        name = source.partition(ARROW)[0].strip()
        if name in self.controls:
            return name
        return next(iter(self.controls)) if not source and len(self.controls) == 1 else ""

    def results(self, document: DecidedDocument) -> Results:
        """Return what was decided of a document as the results of an annotation."""
        found = [
            self._result(self.of_layer[layer], labels, "d")
            for layer, labels in document.labels.items()
            if layer in self.of_layer
        ]
        offsets = utf16_offsets(document.text)
        marks = [(layer, mark) for layer, marks in document.marks.items() for mark in marks]
        for number, (layer, mark) in enumerate(sorted(marks, key=lambda pair: (pair[1].spans, pair[0]))):
            found += self._of_mark(layer, mark, (document.text, offsets), f"m{number}")
        return found

    def _of_mark(
        self, layer: str, mark: ParsedMark, text: tuple[str, Sequence[int]], identifier: str
    ) -> Iterator[dict[str, Any]]:
        written, offsets = text
        for start, end in mark.spans:
            where = {"start": offsets[start], "end": offsets[end], "text": written[start:end]}
            said = [(self.of_layer[layer], mark.type)]
            said += [(name, value) for name, value in sorted(mark.features.items()) if name in self.controls]
            for control, label in said:
                yield self._result(control, [label], identifier, where)

    def _result(
        self, control: str, labels: Sequence[str], identifier: str, where: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        about = self.controls[control]
        kind = str(about.get("type", "")).lower()
        return {
            "id": f"{identifier}" if where else f"{identifier}-{control}",
            "from_name": control,
            "to_name": str(next(iter(about.get("to_name") or [control]))),
            "type": kind,
            "value": {**(where or {}), kind: _value(kind, labels)},
        }


def _value(kind: str, labels: Sequence[str]) -> object:
    if kind in NUMBERS:
        number = float(labels[0])
        return int(number) if number.is_integer() else number
    return [label.split("/") for label in labels] if kind == TAXONOMY else list(labels)


def plan_label_studio(push: PushRequest) -> PushPlan:
    """Return what is to be changed so that a project has what was decided."""
    server = push.server()
    LabelStudioAccess(server)
    about = project_of(server, push.project)
    controls = about.get("parsed_label_config")
    sources = {name: push.decided.sources.get(name, "") for name in push.decided.layers}
    interface = LabelInterface(server, controls if isinstance(controls, dict) else {}, sources)
    wanted = _in_results(server, interface, push.decided.finished)
    tasks = _tasks(push, server)
    unknown = [name for name in wanted if name not in tasks]
    here = {name: results for name, results in wanted.items() if name in tasks}
    if push.predictions:
        return _predictions(push, server, {tasks[name]["id"]: here[name] for name in here}, unknown)
    return _annotations(push, server, [(tasks[name], here[name]) for name in here], unknown)


def _in_results(
    server: AnnotationServer, interface: LabelInterface, documents: Mapping[str, DecidedDocument]
) -> dict[str, Results]:
    """Return each document's results; raise BadInput with labels that a control can't take."""
    found: dict[str, Results] = {}
    problems: list[Problem] = []
    for name, document in documents.items():
        try:
            found[name] = interface.results(document)
        except ValueError:
            message = f"document {quoted(name)} has a label that is not a number, which a rating needs."
            problems += server.refusal(message, "Correct the decision.", "adjudication").problems
    if problems:
        raise BadInput(problems)
    return found


def _tasks(push: PushRequest, server: AnnotationServer) -> dict[str, Mapping[str, Any]]:
    """Return the tasks as they are on the server now, by the names that readers give them."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as scratch:
        # What was pulled is not fetched again where it has not changed.
        kept = KeptTasks.of(Path(scratch) / "new", push.exports / f"project-{push.project}.json")
        numbers, _ = fetch_tasks(server, push.project, kept, push.tell)
        tasks = [kept.task(number) for number in numbers]
    column = push.unit_column
    named: dict[str, Mapping[str, Any]] = {}
    for task in tasks:
        name = task["data"].get(column, task.get(column)) if column else task["id"]
        if isinstance(name, str | int):
            named[as_text(name)] = task
    return named


# Ground truth: one annotation a task, of a named user, which is known by its own id.


def _annotations(
    push: PushRequest,
    server: AnnotationServer,
    wanted: Iterable[tuple[Mapping[str, Any], Results]],
    unknown: Sequence[str],
) -> PushPlan:
    who = _user(push, server)
    changes: list[ServerChange] = []
    same = 0
    for task, results in wanted:
        own = str(uuid.uuid5(OURS, f"{server.url} {push.project} {task['id']}"))
        ours = next((each for each in task["annotations"] if each.get("unique_id") == own), None)
        body = {"result": results, "ground_truth": True, "was_cancelled": False, "completed_by": who["id"]}
        if ours is None:
            path, method = f"api/tasks/{task['id']}/annotations/", "POST"
            body["unique_id"] = own
        elif (
            _alike(ours.get("result"), results)
            and ours.get("ground_truth")
            and ours.get("completed_by") == who["id"]
        ):
            same += 1
            continue
        else:
            path, method = f"api/annotations/{ours['id']}/", "PATCH"
        changes.append(_change(server, (method, path, body), task["id"], results))
    return PushPlan(str(who.get("email") or who["id"]), changes, same, unknown)


def _user(push: PushRequest, server: AnnotationServer) -> Mapping[str, Any]:
    """Return the user whose ground truth it is: the one who is named, else the owner of the token."""
    if not push.who:
        found = server.get("api/current-user/whoami")
        users = [found]
    else:
        listed = server.get("api/users/")
        users = [
            user
            for user in (listed if isinstance(listed, list) else [])
            if isinstance(user, dict) and push.who in (user.get("email"), user.get("username"))
        ]
    if len(users) != 1 or not isinstance(users[0], dict) or type(users[0].get("id")) is not int:
        message = f"has no user {quoted(push.who)}." if push.who else "does not say whose the token is."
        raise server.refusal(
            f"{server.url} {message}", "Name somebody by their e-mail address: --as gold@example.org."
        )
    return users[0]


def _change(
    server: AnnotationServer, request: tuple[str, str, Mapping[str, Any]], task: int, results: Results
) -> ServerChange:
    method, path, body = request
    what = f"task {task}: {'new' if method == 'POST' else 'changed'}: {_in_words(results)}"
    return ServerChange(what, partial(server.send, method, path, body))


def _in_words(results: Results) -> str:
    """Return what is sent, in short."""
    return (
        ", ".join(
            f"{result['from_name']} = {_label(result['value'][result['type']])}"
            + (
                f" ({result['value']['start']}-{result['value']['end']})"
                if "start" in result["value"]
                else ""
            )
            for result in results
        )
        or "no marks"
    )


def _label(value: object) -> str:
    return " + ".join(map(str, value)) if isinstance(value, list) else str(value)


def _alike(one: object, other: object) -> bool:
    """Tell whether two lists of results say the same, whatever the tool has written beside."""
    return _said(one) == _said(other)


def _said(results: object) -> list[str]:
    listed = [result for result in results if isinstance(result, dict)] if isinstance(results, list) else []
    return sorted(
        json.dumps([result.get(key) for key in ("from_name", "to_name", "type", "value")], sort_keys=True)
        for result in listed
    )


# Predictions: of a model of this name.


def _predictions(
    push: PushRequest, server: AnnotationServer, wanted: Mapping[int, Results], unknown: Sequence[str]
) -> PushPlan:
    listed = server.get("api/predictions/", [("project", push.project)])
    ours = {
        each["task"]: each
        for each in (listed if isinstance(listed, list) else [])
        if isinstance(each, dict) and each.get("model_version") == push.predictions
    }
    changes: list[ServerChange] = []
    same = 0
    for task, results in wanted.items():
        body = {"task": task, "model_version": push.predictions, "result": results}
        if task not in ours:
            changes.append(_change(server, ("POST", "api/predictions/", body), task, results))
        elif _alike(ours[task].get("result"), results):
            same += 1
        else:
            changes.append(
                _change(server, ("PATCH", f"api/predictions/{ours[task]['id']}/", body), task, results)
            )
    return PushPlan(push.predictions, changes, same, unknown)
