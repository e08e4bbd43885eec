"""Label Studio: its tasks as an export by hand has them, and decisions as ground truth or predictions.

Tasks that have not changed are not fetched again.
"""

import base64
import binascii
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO

from reportgen.app.servers.exchange import (
    TOKEN,
    AnnotationServer,
    DecidedDocument,
    ProjectSize,
    PullRequest,
    PushPlan,
    PushRequest,
    ServerChange,
    Tell,
    numbered_pages,
)
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, alternatives, quoted
from reportgen.publish.gold_marks import utf16_offsets
from reportgen.readers import ParsedMark
from reportgen.readers.layers_of_marks import ARROW
from reportgen.readers.untrusted import as_text

STAMP, OPEN, CLOSE = "updated_at", b"[\n", b"\n]\n"
Place = tuple[Path, int, int]


@dataclass
class KeptTasks:
    """Tasks by their id, each with when it was changed and where its line is: in the last export, or new.

    `store` is where new ones are written as they come, so that a pull that was ended goes on from there.
    """

    store: Path
    places: dict[int, tuple[str, Place]] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Path, last_export: Path) -> "KeptTasks":
        """Return what is there of the last export and of a pull that was ended."""
        kept = cls(store)
        for path in (last_export, store):
            if path.is_file():
                kept._read(path)
        return kept

    def _read(self, path: Path) -> None:
        with path.open("rb") as file:
            start = 0
            for line in file:
                content = line.rstrip(b",\n")
                task = _task(content)
                if task is not None:
                    self.places[task["id"]] = (task[STAMP], (path, start, len(content)))
                start += len(line)

    def stamp(self, task: int) -> str | None:
        """Return when a task was changed as it is kept, None where it is not."""
        return self.places[task][0] if task in self.places else None

    def add(self, tasks: Iterable[Mapping[str, Any]]) -> None:
        """Keep tasks as they are now."""
        self.store.parent.mkdir(parents=True, exist_ok=True)
        with self.store.open("ab") as file:
            # What a pull that was ended had begun to write is on a line of its own.
            if file.tell():
                file.write(b"\n")
            for task in tasks:
                content = json.dumps(task, ensure_ascii=False).encode(errors="replace")
                self.places[task["id"]] = (task[STAMP], (self.store, file.tell(), len(content)))
                file.write(content + b"\n")

    def task(self, number: int) -> dict[str, Any]:
        """Return a task that is kept."""
        path, start, length = self.places[number][1]
        with path.open("rb") as file:
            file.seek(start)
            task: dict[str, Any] = json.loads(file.read(length))
        return task

    def write(self, out: Path, tasks: Iterable[int]) -> None:
        """Write some tasks as Label Studio exports them, a task a line."""
        opened: dict[Path, BinaryIO] = {}
        try:
            with out.open("wb") as file:
                file.write(OPEN)
                for number, task in enumerate(tasks):
                    path, start, length = self.places[task][1]
                    if path not in opened:
                        opened[path] = path.open("rb")
                    opened[path].seek(start)
                    file.write((b",\n" if number else b"") + opened[path].read(length))
                file.write(CLOSE)
        finally:
            for source in opened.values():
                source.close()


def _task(content: bytes) -> dict[str, Any] | None:
    """Return the task of a line, None where it has none, or not a whole one."""
    if not content.startswith(b"{"):
        return None
    try:
        task = json.loads(content)
    except ValueError:
        return None
    whole = isinstance(task, dict) and type(task.get("id")) is int and isinstance(task.get(STAMP), str)
    return task if whole else None


# How many tasks a list has at once, and how many are exported at once: their ids are in an address.
LISTED, EXPORTED = 500, 150
# How often it is looked whether something changed meanwhile, and from when on that may be so.
ROUNDS, ENOUGH = 6, 2
LEGACY = (
    "does not accept the token. Label Studio refuses legacy tokens unless its organisation allows them.",
    f"Make a personal access token (Account & Settings, Personal Access Token), and put it into {TOKEN}.",
)
ENDED = (
    "does not accept the personal access token: it has ended, or was revoked.",
    f"Make a new one (Account & Settings, Personal Access Token), and put it into {TOKEN}.",
)


class LabelStudioAccess:
    """Who asks: a legacy token, or a personal access token, which gives others that last some minutes."""

    def __init__(self, server: AnnotationServer) -> None:
        """Take the server's token."""
        self._server, self._access = server, ""
        self.personal = _is_jwt(server.credentials.token)
        server.refusals = {HTTPStatus.UNAUTHORIZED: ENDED if self.personal else LEGACY}
        server.authorisation, server.renew = self.header, self.renewed

    def header(self) -> str:
        """Return the header of a request."""
        if not self.personal:
            return f"Token {self._server.credentials.token}"
        return f"Bearer {self._access}" if self._access else ""

    def renewed(self) -> bool:
        """Fetch another access token, where there may be one; tell whether there is."""
        if not self.personal:
            return False
        token, server = self._server.credentials.token, self._server
        alone = AnnotationServer(server.place, server.url, server.credentials, server.refusals)
        found = alone.send("POST", "api/token/refresh/", {"refresh": token})
        access = found.get("access") if isinstance(found, dict) else None
        if not isinstance(access, str) or not access.isascii() or not access.isprintable():
            raise server.refusal(f"{server.url} sent no access token.", "Check the address of the server.")
        self._access = access
        return True


def _is_jwt(token: str) -> bool:
    """Tell whether a token is a JSON Web Token, as personal access tokens are."""
    head, *others = token.split(".")
    if len(others) != 2:
        return False
    try:
        return isinstance(json.loads(base64.urlsafe_b64decode(f"{head}==")), dict)
    except (binascii.Error, ValueError):
        return False


def project_of(server: AnnotationServer, project: str) -> Mapping[str, Any]:
    """Return what a server says of a project; raise BadInput where it is another one, or none."""
    if not (project.isascii() and project.isdigit()):
        raise server.refusal(
            "is a number in Label Studio.",
            "Take it from the address of the project's page.",
            "source.project",
        )
    found = server.get(f"api/projects/{project}/")
    if not isinstance(found, dict) or found.get("id") != int(project):
        raise server.refusal(
            f"{server.url} answered with another project.", "Check the address of the server."
        )
    return found


def fetch_label_studio(pull: PullRequest) -> ProjectSize:
    """Fetch a project's tasks, those alone that changed since they were fetched last."""
    server, project, tell = pull.server(), pull.project, pull.tell
    LabelStudioAccess(server)
    name = f"project-{project}.json"
    kept = KeptTasks.of(pull.store, pull.last / name)
    tasks, counts = fetch_tasks(server, project, kept, tell)
    kept.write(pull.out / name, tasks)
    return counts


def fetch_tasks(
    server: AnnotationServer, project: str, kept: KeptTasks, tell: Tell
) -> tuple[list[int], ProjectSize]:
    """Fetch what is new of a project; return its tasks, in order, and how many there are.

    What changes meanwhile is fetched again. A large project never rests: from the third time on it is enough
    that what changed since the last listing is fetched.
    """
    title = str(project_of(server, project).get("title") or "")
    for times in range(ROUNDS):
        stamps, whole = _stamps(server, project, tell)
        if not stamps:
            raise server.refusal(
                f"has no tasks yet at {server.url}.", "Import texts there first.", "source.project"
            )
        stale = [task for task, stamp in stamps.items() if kept.stamp(task) != stamp]
        for start in range(0, len(stale), EXPORTED):
            kept.add(_exported(server, project, stale[start : start + EXPORTED]))
            tell(f"{min(start + EXPORTED, len(stale)):,} of {len(stale):,} tasks fetched")
        there = all(kept.stamp(task) is not None for task in stamps)
        if whole and there and (not stale or times >= ENOUGH):
            return list(stamps), ProjectSize(title, len(stamps))
    message = f"changes faster at {server.url} than it can be read."
    raise server.refusal(
        message, "Try again when fewer people annotate; what was fetched is kept.", "source.project"
    )


def _stamps(server: AnnotationServer, project: str, tell: Tell) -> tuple[dict[int, str], bool]:
    """Return when each task was changed last, by its id, in order, and whether surely none is missing.

    Where a task is deleted while pages are listed, the next page begins one later, and one slips through.
    """
    totals: list[int] = []

    def page(number: int) -> tuple[Sequence[tuple[int, str]], int]:
        found = server.get("api/tasks/", [("project", project), ("page", number), ("page_size", LISTED)])
        tasks = found.get("tasks") if isinstance(found, dict) else None
        total = found.get("total") if isinstance(found, dict) else None
        if not isinstance(tasks, list) or type(total) is not int:
            raise server.refusal(
                f"{server.url} sent no list of tasks.",
                "Check that it is a Label Studio of version 1.8 or later.",
            )
        totals.append(total)
        return [_stamp(server, project, task) for task in tasks], total

    def told(done: int, total: int) -> None:
        tell(f"{done:,} of {total:,} tasks listed")

    listed = server.whole(lambda: numbered_pages(1, page, told))
    stamps = dict(sorted(listed))
    return stamps, totals == sorted(totals) and len(stamps) >= totals[-1]


def _stamp(server: AnnotationServer, project: str, task: object) -> tuple[int, str]:
    identifier = task.get("id") if isinstance(task, dict) else None
    stamp = task.get(STAMP) if isinstance(task, dict) else None
    if not isinstance(task, dict) or type(identifier) is not int or not isinstance(stamp, str):
        raise server.refusal(
            f"{server.url} lists a task without id or date.", "Check that it is a Label Studio."
        )
    if task.get("project", int(project)) != int(project):
        raise server.refusal(
            f"{server.url} lists tasks of project {task['project']}.", "Check the address.", "source.project"
        )
    return identifier, stamp


def _exported(server: AnnotationServer, project: str, asked: Sequence[int]) -> Iterator[Mapping[str, Any]]:
    """Yield tasks as an export by hand has them; one that was deleted meanwhile is not among them."""
    query: list[tuple[str, str | int]] = [
        ("exportType", "JSON"),
        ("download_all_tasks", "true"),
        *(("ids[]", task) for task in asked),
    ]
    tasks = server.get(f"api/projects/{project}/export", query)
    if not isinstance(tasks, list):
        raise server.refusal(
            f"{server.url} exports something else than a list of tasks.", "Check that it is a Label Studio."
        )
    for task in tasks:
        identifier, _ = _stamp(server, project, task)
        if (
            identifier not in asked
            or not isinstance(task.get("data"), dict)
            or not isinstance(task.get("annotations"), list)
        ):
            raise server.refusal(
                f"{server.url} exports tasks that were not asked for.", "Try again; ask who runs the server."
            )
        yield task


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
    # Each document's results; raise BadInput with labels that a control can't take.
    wanted: dict[str, Results] = {}
    problems: list[Problem] = []
    for name, document in push.decided.finished.items():
        try:
            wanted[name] = interface.results(document)
        except ValueError:
            message = f"document {quoted(name)} has a label that is not a number, which a rating needs."
            problems += server.refusal(message, "Correct the decision.", "adjudication").problems
    if problems:
        raise BadInput(problems)
    tasks = _tasks(push, server)
    unknown = [name for name in wanted if name not in tasks]
    here = {name: results for name, results in wanted.items() if name in tasks}
    if push.predictions:
        listed = server.get("api/predictions/", [("project", push.project)])
        ours = {
            each["task"]: each
            for each in (listed if isinstance(listed, list) else [])
            if isinstance(each, dict) and each.get("model_version") == push.predictions
        }
        changes: list[ServerChange] = []
        same = 0
        for task, results in {tasks[name]["id"]: here[name] for name in here}.items():
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
    return _annotations(push, server, [(tasks[name], here[name]) for name in here], unknown)


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
    # The user whose ground truth it is: the one who is named, else the owner of the token.
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
    who = users[0]
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
