"""doccano: exports fetched as its own page makes them, and decisions sent to one user."""

import io
import json
import re
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from reportgen.app.servers.exchange import (
    MOST_BYTES,
    PASSWORD,
    TOKEN,
    USER,
    AnnotationServer,
    Credentials,
    DecidedDocument,
    Failure,
    ProjectSize,
    PullRequest,
    PushPlan,
    PushRequest,
    ServerAnswer,
    ServerChange,
    numbered_pages,
)
from reportgen.base.errors import alternatives, quoted
from reportgen.measures.annotators.adjudication import REFERENCE_ROLE
from reportgen.publish.gold_marks import utf16_offsets
from reportgen.readers.doccano import KEYS
from reportgen.readers.untrusted import as_text

ROOT = "v1"
# What a file of the archive is called: after a user, whose name has none of these signs.
MEMBER = re.compile(r"[^./\\\x00-\x1f][^/\\\x00-\x1f]*\.jsonl")
# How often it is asked whether the export is made, and how many seconds are between.
ASKED, BETWEEN = 600, 1.0
REFUSALS: Mapping[int, tuple[str, str]] = {
    HTTPStatus.UNAUTHORIZED: (
        "does not accept the token.",
        f"Set {USER} and {PASSWORD} in the environment, which doccano gives a token for, or a new {TOKEN}.",
    ),
    HTTPStatus.FORBIDDEN: (
        "does not let this user export the project.",
        "Ask an administrator of the project to make the user one too.",
    ),
}
NO_QUEUE = "Ask who runs the server whether its task queue is running (doccano task); try again."


def signed_in(server: AnnotationServer) -> None:
    """Have a server know who asks: by a token, else by user and password, for which it gives one."""
    server.refusals = REFUSALS
    token = server.credentials.token
    if not token:
        body = {"username": server.credentials.user, "password": server.credentials.password}
        wrong = (f"does not accept {USER} and {PASSWORD}.", "Check both; they are those of the page.")
        server.refusals = {HTTPStatus.BAD_REQUEST: wrong}
        found = server.send("POST", f"{ROOT}/auth/login/", body)
        token = str(found.get("key", "")) if isinstance(found, dict) else ""
        if not token.isascii() or not token.isalnum():
            raise server.refusal(f"{server.url} gives no token.", "Check the address of the server.")
        server.refusals = REFUSALS
        # It is as secret as the password.
        server.credentials = Credentials(token, server.credentials.user, server.credentials.password)
    server.authorisation = lambda: f"Token {token}"


def project_at(server: AnnotationServer, project: str) -> Mapping[str, Any]:
    """Return what a server says of a project; raise BadInput where it is another one, or none."""
    if not (project.isascii() and project.isdigit()):
        remedy = "Take it from the address of the project's page."
        raise server.refusal("is a number in doccano.", remedy, "source.project")
    found = server.get(f"{ROOT}/projects/{project}")
    if not isinstance(found, dict) or found.get("id") != int(project):
        raise server.refusal(
            f"{server.url} answered with another project.", "Check the address of the server."
        )
    return found


def fetch_doccano(pull: PullRequest) -> ProjectSize:
    """Have the server export a project, and write a file for each member who labelled anything."""
    server = pull.server(with_password=True)
    signed_in(server)
    project = project_at(server, pull.project)
    if project.get("collaborative_annotation"):
        message = (
            f"is collaborative at {server.url}: all see and change the same labels, and none can disagree."
        )
        remedy = "Have annotators work in a project without that, each for themselves."
        raise server.refusal(message, remedy, "source.project")
    members = {name: lines for name, lines in _export(pull, server).items() if _is_labelled(lines)}
    if not members:
        message = f"has no labels yet at {server.url}."
        raise server.refusal(message, "Try again when somebody has labelled.", "source.project")
    for name, lines in members.items():
        (pull.out / name).write_bytes(lines)
    most = max(lines.count(b"\n") for lines in members.values())
    return ProjectSize(str(project.get("name") or ""), most, "documents")


def _export(pull: PullRequest, server: AnnotationServer) -> dict[str, bytes]:
    """Return the files of the archive that the server makes of a project."""
    path = f"{ROOT}/projects/{pull.project}/download"
    asked = server.send("POST", path, {"format": "JSONL", "exportApproved": pull.source.approved})
    task = asked.get("task_id") if isinstance(asked, dict) else None
    if not isinstance(task, str) or not task.replace("-", "").isalnum():
        raise server.refusal(
            f"{server.url} begins no export.", "Check that it is a doccano of version 1.5 or later."
        )
    for number in range(ASKED):
        status = server.get(f"{ROOT}/tasks/status/{task}")
        if isinstance(status, dict) and status.get("error"):
            raise server.refusal(f"{server.url} could not make the export.", NO_QUEUE)
        if isinstance(status, dict) and status.get("ready"):
            return server.fetch(path, [("taskId", task)], _members)
        if not number:
            pull.tell("waiting for the server's export")
        time.sleep(BETWEEN)
    raise server.refusal(f"{server.url} made no export in {ASKED * BETWEEN / 60:,.0f} minutes.", NO_QUEUE)


def _members(answer: ServerAnswer) -> dict[str, bytes]:
    """Return the files in an archive by their names; raise Failure where it is not one, or another."""
    try:
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            entries = sorted(archive.infolist(), key=lambda entry: entry.filename)
            if sum(entry.file_size for entry in entries) > MOST_BYTES:
                raise Failure("sent an archive that is too large.", "Export from the tool by hand.")
            if strange := next(
                (entry.filename for entry in entries if not MEMBER.fullmatch(entry.filename)), None
            ):
                message = f"sent an archive with {quoted(strange)} in it."
                raise Failure(message, "Check that it is a doccano of version 1.5 or later.")
            return {entry.filename: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError):
        raise Failure("sent an archive that is cut off, or damaged.", again=True) from None


def _is_labelled(lines: bytes) -> bool:
    """Tell whether somebody labelled anything: an export has a file of whoever only manages too."""
    return any(line.strip() and not _is_empty(line) for line in lines.split(b"\n"))


def _is_empty(line: bytes) -> bool:
    try:
        value = json.loads(line)
    except ValueError:
        return False
    return isinstance(value, dict) and not any(value.get(key) for key in (*KEYS, "relations"))


PAGE = 500
# A label of a document, or one with its place.
Said = tuple[str, int | None, int | None]
CATEGORIES, SPANS = "categories", "spans"
TYPES: Mapping[str, str] = {CATEGORIES: "category-types", SPANS: "span-types"}


def plan_doccano(push: PushRequest) -> PushPlan:
    """Return what is to be changed so that the user has what was decided."""
    server = push.server(with_password=True)
    signed_in(server)
    project_at(server, push.project)
    here = f"{ROOT}/projects/{push.project}"
    who = _user(push, server)
    wanted = {name: dict(_said(document)) for name, document in push.decided.finished.items()}
    kinds = list(dict.fromkeys(kind for of_document in wanted.values() for kind in of_document))
    types = {kind: _types(server, f"{here}/{TYPES[kind]}") for kind in kinds}
    used = {
        (kind, label) for said in wanted.values() for kind, of_kind in said.items() for label, *_ in of_kind
    }
    if missing := sorted(label for kind, label in used if label not in types[kind]):
        message = f"has no label {alternatives(missing, 'and')} at {server.url}."
        raise server.refusal(message, "Add it there, under Labels.", "source.project")
    there = _numbers(push, server, here)
    changes: list[ServerChange] = []
    same = 0
    for name, of_document in wanted.items():
        if name not in there:
            continue
        found = [
            change
            for kind, said in of_document.items()
            for change in _differences(server, f"{here}/examples/{there[name]}/{kind}", said, types[kind])
        ]
        same += not found
        changes += found
    return PushPlan(who, changes, same, [name for name in wanted if name not in there])


def _user(push: PushRequest, server: AnnotationServer) -> str:
    """Return who is signed in; raise BadInput where that may be an annotator, whose labels would go."""
    found = server.get(f"{ROOT}/me")
    name = found.get("username") if isinstance(found, dict) else None
    if not isinstance(name, str):
        raise server.refusal(
            f"{server.url} does not say whose the token is.", "Check the address of the server."
        )
    if push.who and push.who != name:
        message = f"knows the token as that of {quoted(name)}, and doccano takes labels of nobody else."
        raise server.refusal(f"{server.url} {message}", f"Sign in as {quoted(push.who)}.")
    declared = push.campaign.annotators.get(name)
    if declared is None or declared.role != REFERENCE_ROLE:
        message = f"would get labels of {quoted(name)}, which a pull would take for an annotator's."
        remedy = (
            f'Sign in as a user for decisions alone, and write [annotators.{name}] with role = "reference".'
        )
        raise server.refusal(f"{server.url} {message}", remedy, "annotators")
    return name


def _said(document: DecidedDocument) -> Iterator[tuple[str, list[Said]]]:
    """Yield what is said of a document, by where doccano has it."""
    if document.labels:
        members = [label for labels in document.labels.values() for label in labels]
        yield CATEGORIES, [(label, None, None) for label in dict.fromkeys(members)]
    if document.marks:
        offsets = utf16_offsets(document.text)
        marks = [mark for of_layer in document.marks.values() for mark in of_layer]
        yield (
            SPANS,
            [(mark.type, offsets[start], offsets[end]) for mark in marks for start, end in mark.spans],
        )


def _types(server: AnnotationServer, path: str) -> dict[str, int]:
    """Return the numbers of labels by their names."""
    listed = server.get(path)
    return {
        each["text"]: each["id"]
        for each in (listed if isinstance(listed, list) else [])
        if isinstance(each, dict) and isinstance(each.get("text"), str) and isinstance(each.get("id"), int)
    }


def _numbers(push: PushRequest, server: AnnotationServer, here: str) -> dict[str, int]:
    """Return the numbers of documents on the server, by the names that readers give them."""

    def page(number: int) -> tuple[Sequence[int], int]:
        found = server.get(f"{here}/examples", [("limit", PAGE), ("offset", number * PAGE)])
        results, total = (
            (found.get("results"), found.get("count")) if isinstance(found, dict) else (None, None)
        )
        if not isinstance(results, list) or not isinstance(total, int):
            raise server.refusal(f"{server.url} sent no list of documents.", "Check that it is a doccano.")
        return [
            each["id"] for each in results if isinstance(each, dict) and isinstance(each.get("id"), int)
        ], total

    there = set(server.whole(lambda: numbered_pages(0, page, lambda _done, _total: None)))
    column = push.unit_column
    if column is None:
        return {as_text(number): number for number in there}
    return {name: number for name, number in _named(push.exports, column) if number in there}


def _named(exports: Path, column: str) -> Iterator[tuple[str, int]]:
    """Yield the names of documents, as they were pulled, with their numbers."""
    for file in sorted(exports.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if isinstance(record.get(column), str | int) and isinstance(record.get("id"), int):
                yield as_text(record[column]), record["id"]


def _differences(
    server: AnnotationServer, path: str, said: Sequence[Said], types: Mapping[str, int]
) -> Iterator[ServerChange]:
    """Yield what is to be taken away, then what is to be added."""
    listed = server.get(path)
    own = [each for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    due = Counter((types[label], start, end) for label, start, end in said)
    for each in own:
        key = each.get("label"), each.get("start_offset"), each.get("end_offset")
        if due[key] > 0:  # type: ignore[index]  # whatever the server says, nothing else is equal
            due[key] -= 1  # type: ignore[index]
        else:
            yield ServerChange(
                f"{path}/{each.get('id')}: taken away",
                partial(server.send, "DELETE", f"{path}/{each['id']}", None),
            )
    names = {number: label for label, number in types.items()}
    for (number, start, end), times in due.items():
        for _ in range(times):
            body: dict[str, Any] = {"label": number}
            if start is not None:
                body |= {"start_offset": start, "end_offset": end}
            where = "" if start is None else f" ({start}-{end})"
            yield ServerChange(
                f"{path}: new: {names[number]}{where}", partial(server.send, "POST", path, body)
            )
