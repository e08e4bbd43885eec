"""A server on loopback that answers as annotation servers do, until a fault is injected."""

import base64
import io
import json
import re
import socket
import struct
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.cases import stored

TOKEN = "b7c4e1f09a3d5268stub"  # noqa: S105 - of a server that does not exist
# What doccano gives for a user and a password.
KEY = "5f1cdoccano"
PROJECT = 7
TOML = """title = "Tones"
[source]
tool = "{tool}"
url = "{url}"
project = {project}
[[guidelines]]
version = "1"
"""


def _filled(name: str, number: int, **parts: object) -> dict[str, Any]:
    """Return a stored object, about which two people differ on every third."""
    text = stored(f"servers/{name}.json")
    second = "good" if number % 3 else "bad"
    for key, part in {"n": number, "second": second, "rating": number % 5, **parts}.items():
        text = text.replace(f"{{{key}}}", str(part))
    found: dict[str, Any] = json.loads(text)
    return found


def task(number: int, stamp: str = "2026-11-28T06:00:00Z", project: int = PROJECT) -> dict[str, Any]:
    """Return a task that two people annotated."""
    return _filled("label-studio-task", number, stamp=stamp, project=project)


DATASET = "5c0f9a1e-9d3c-4a57-8f0e-2b1f6f0a7d11"


def record(number: int, status: str = "submitted") -> dict[str, Any]:
    """Return a record of Argilla with the responses of two people, as its server sends it."""
    return _filled("argilla-record", number, status=status)


@dataclass
class Reply:
    """What a request is answered with; `raw` takes the place of a right answer, byte for byte."""

    body: bytes = b"{}"
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    reset: bool = False
    delay: float = 0.0


def as_reply(value: object, status: int = 200) -> Reply:
    """Return JSON as a reply."""
    return Reply(json.dumps(value).encode(), status)


Fault = Callable[[Reply, "Stub", str], Reply]


@dataclass
class Stub:
    """The state of the server: its tasks, what it was asked, and which request goes wrong how often."""

    url: str = ""
    tasks: list[dict[str, Any]] = field(default_factory=lambda: [task(number) for number in range(1, 11)])
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    sent: list[tuple[str, str, Any]] = field(default_factory=list)
    fault: Fault | None = None
    at: int = -1
    times: int = 1000
    token: str = f"Token {TOKEN}"
    access: str = "access-of-some-minutes"
    controls: Mapping[str, Any] = field(
        default_factory=lambda: {"tone": {"type": "Choices", "to_name": ["text"]}}
    )
    archive: bytes = b""
    records: list[dict[str, Any]] = field(default_factory=lambda: [record(n) for n in range(1, 11)])
    active: str = "2026-11-28T06:00:00"
    role: str = "admin"
    datasets: tuple[tuple[str, str], ...] = ((DATASET, "w1"),)
    together: bool = False
    ready: bool = True
    members: dict[str, bytes] = field(default_factory=lambda: members())  # noqa: PLW0108 - it comes below
    changing: Callable[["Stub"], None] = lambda _: None
    stopped: threading.Event = field(default_factory=threading.Event)

    def reply(self, method: str, path: str, authorisation: str, body: bytes) -> Reply:
        """Return the answer to a request, with the fault where it is due."""
        number = len(self.asked)
        self.asked.append((method, path, authorisation))
        self.changing(self)
        right = self._right(method, path, authorisation, body)
        if self.fault is not None and self.at <= number < self.at + self.times:
            return self.fault(right, self, path)
        return right

    def _right(self, method: str, address: str, authorisation: str, body: bytes) -> Reply:
        parts = urlsplit(address)
        query = parse_qs(parts.query)
        path = parts.path
        if path == "/api/token/refresh/":
            return as_reply({"access": self.access})
        if path == "/v1/auth/login/":
            right = json.loads(body) == {"username": "gold", "password": TOKEN}
            return as_reply({"key": KEY}) if right else as_reply({"non_field_errors": ["No."]}, 400)
        if path.startswith(("/api/aero/v1/projects", "/api/v1/")):
            return (
                self._inception(path, authorisation)
                if "aero" in path
                else self._argilla(path.removeprefix("/api/v1/"), query, authorisation)
            )
        if authorisation != self.token:
            return as_reply({"detail": "Invalid token."}, 401)
        if method != "GET":
            self.sent.append((method, path, json.loads(body) if body else None))
        if path.startswith("/v1/"):
            return self._doccano(method, path)
        return self._label_studio(method, path, query)

    def _label_studio(self, method: str, path: str, query: Mapping[str, list[str]]) -> Reply:
        if path == f"/api/projects/{PROJECT}/":
            return as_reply({"id": PROJECT, "title": "Tones", "parsed_label_config": self.controls})
        if path == "/api/tasks/":
            size, page = int(query["page_size"][0]), int(query["page"][0])
            here = self.tasks[size * (page - 1) : size * page]
            listed = [{key: each[key] for key in ("id", "project", "updated_at")} for each in here]
            return (
                as_reply({"tasks": listed, "total": len(self.tasks)})
                if listed or page == 1
                else as_reply({}, 404)
            )
        if path == f"/api/projects/{PROJECT}/export":
            wanted = set(map(int, query["ids[]"]))
            return as_reply([each for each in self.tasks if each["id"] in wanted])
        if path == "/api/current-user/whoami":
            return as_reply({"id": 9, "email": "gold@example.org"})
        if path.endswith("/annotations/") and method == "POST":
            number = int(path.split("/")[3])
            _, _, body = self.sent[-1]
            annotated = next(each for each in self.tasks if each["id"] == number)
            annotated["annotations"].append({"id": 1000 + number, **body})
            annotated["updated_at"] = "2026-11-28T07:00:00Z"
            return as_reply({"id": 1000 + number})
        return as_reply({"detail": "Not found."}, 404)

    def _inception(self, path: str, authorisation: str) -> Reply:
        pair = base64.b64encode(f"gold:{TOKEN}".encode()).decode()
        if authorisation != f"Basic {pair}":
            return as_reply({"messages": [{"level": "ERROR", "message": "Unauthorized"}]}, 401)
        if path == "/api/aero/v1/projects":
            return as_reply({"messages": [], "body": [{"id": PROJECT, "name": "Tones"}]})
        if path == f"/api/aero/v1/projects/{PROJECT}/export.zip":
            return Reply(self.archive, kind="application/zip")
        return as_reply({"messages": []}, 404)

    def _argilla(self, path: str, query: Mapping[str, list[str]], key: str) -> Reply:
        if key != TOKEN:
            return as_reply({"detail": {"code": "argilla.api.errors::UnauthorizedError", "params": {}}}, 401)
        kinds = (("tone", "label_selection"), ("quality", "rating"), ("why", "text"))
        questions = [
            {"id": f"q-{name}", "name": name, "settings": {"type": kind, "options": []}}
            for name, kind in kinds
        ]
        users = [{"id": f"u-{who}", "username": who, "api_key": f"key-of-{who}"} for who in ("ann", "ben")]
        me = {"id": "u-boss", "username": "boss", "role": self.role, "api_key": TOKEN}
        lists: Mapping[str, Sequence[Mapping[str, Any]]] = {
            "me/datasets": [
                {"id": own, "name": "tones", "workspace_id": workspace, "last_activity_at": self.active}
                for own, workspace in self.datasets
            ],
            "me/workspaces": [{"id": "w1", "name": "first"}, {"id": "w2", "name": "second"}],
            "workspaces/w1/users": [*users, me],
            "users": [*users, {**me, "username": "owner"}],
            f"datasets/{DATASET}/questions": questions,
        }
        if path == "me":
            return as_reply(me)
        if path in lists:
            return as_reply({"items": lists[path]})
        if path == f"datasets/{DATASET}/records":
            start, many = int(query["offset"][0]), int(query["limit"][0])
            included = set(query["include"]) == {"responses", "suggestions"}
            here = self.records[start : start + many] if included else []
            return as_reply({"items": here, "total": len(self.records)})
        return as_reply({"detail": "Not found."}, 404)

    def _doccano(self, method: str, path: str) -> Reply:
        here = f"/v1/projects/{PROJECT}"
        if path == here:
            return as_reply({"id": PROJECT, "name": "Tones", "collaborative_annotation": self.together})
        if path == f"{here}/download" and method == "POST":
            return as_reply({"task_id": "0f-1"})
        if path == "/v1/tasks/status/0f-1":
            return as_reply({"ready": self.ready, "error": None})
        if path == f"{here}/download":
            return Reply(archive(self.members), kind="application/zip")
        return as_reply({"detail": "Not found."}, 404)


def campaign_of(tool: str, stub: Stub, folder: Path) -> Path:
    """Return the folder of a new campaign that is annotated with a tool."""
    folder.mkdir()
    project = '"tones"' if tool == "argilla" else PROJECT
    text = TOML.format(tool=tool, url=stub.url, project=project)
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    return folder


def edited(campaign: Path, old: str, new: str) -> None:
    """Put something else in the place of what a pattern finds in campaign.toml, whose end is "\\Z"."""
    file = campaign / "campaign.toml"
    file.write_text(re.sub(old, lambda _: new, file.read_text(encoding="utf-8")), encoding="utf-8")


def archive(names: Mapping[str, bytes]) -> bytes:
    """Return an archive as doccano exports one: a file a member."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as written:
        for name, content in names.items():
            written.writestr(name, content)
    return packed.getvalue()


def members() -> dict[str, bytes]:
    """Return the lines of each member, one of whom labelled nothing."""
    lines = {
        "ann": [{"id": n, "text": f"Text {n}", "label": ["good"]} for n in range(1, 11)],
        "ben": [{"id": n, "text": f"Text {n}", "label": ["good" if n % 3 else "bad"]} for n in range(1, 11)],
        "boss": [{"id": n, "text": f"Text {n}", "label": []} for n in range(1, 11)],
    }
    return {
        f"{name}.jsonl": "".join(f"{json.dumps(line)}\n" for line in of_name).encode()
        for name, of_name in lines.items()
    }


class _Handler(BaseHTTPRequestHandler):
    """Answers as the stub of its server says."""

    protocol_version = "HTTP/1.1"

    def _any(self) -> None:
        stub: Stub = self.server.stub  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        who = self.headers.get("Authorization") or self.headers.get("X-Argilla-Api-Key") or ""
        reply = stub.reply(self.command, self.path, who, body)
        self.close_connection = True
        if reply.delay:
            stub.stopped.wait(reply.delay)
        if reply.reset:
            # The system says so at once, instead of a proper end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if reply.raw is not None:
            self.wfile.write(reply.raw)
            return
        self.send_response(reply.status)
        for name, value in {"Content-Type": reply.kind, **reply.headers}.items():
            self.send_header(name, value)
        if "Content-Length" not in reply.headers and "Transfer-Encoding" not in reply.headers:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    do_GET = do_POST = do_PATCH = do_DELETE = _any  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Print nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    stub: Stub

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing where whoever asked has gone."""


@contextmanager
def serving() -> Iterator[Stub]:
    """Yield a stub that is served on loopback."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.stub = stub = Stub(f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield stub
        finally:
            stub.stopped.set()
            server.shutdown()
            thread.join()
