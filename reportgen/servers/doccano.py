"""doccano: the archive that its own page exports, a file for each member, made by its task queue."""

import io
import json
import re
import time
import zipfile
import zlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from reportgen.base.errors import quoted
from reportgen.readers.doccano import KEYS
from reportgen.servers.credentials import PASSWORD, TOKEN, USER, Credentials
from reportgen.servers.pull_request import PullRequest
from reportgen.servers.requests import MOST_BYTES, AnnotationServer, Failure, ServerAnswer
from reportgen.servers.snapshot import ProjectSize

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
