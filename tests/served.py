"""Servers of the application as tests ask them: by HTTP, in a browser, and as whole commands."""

import contextlib
import http.client
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

from playwright.sync_api import Page

from reportgen.app.web import Server
from tests.commands import SEEING
from tests.pages import SCROLLS, violations

Process = subprocess.Popen[str]
PROGRAM = (sys.executable, "-m", "reportgen")


@dataclass
class Reply:
    status: int
    location: str
    cookie: str
    text: str


def asked(port: int, path: str, body: bytes | None, headers: Mapping[str, str], below: str = "") -> Reply:
    """Ask a server by GET, or by POST where there is a body; headers without a value are not sent.

    A path is below that of the entrance, and where it leads is said as it is below it too.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(connection):
        method = "GET" if body is None else "POST"
        whole = path if path.startswith(below) else f"{below}{path}"
        connection.request(method, whole, body, {name: value for name, value in headers.items() if value})
        answer = connection.getresponse()
        head, text = answer.headers, answer.read().decode(errors="replace")
        way = (head["Location"] or "").removeprefix(below)
        return Reply(answer.status, way, head["Set-Cookie"] or "", text)


@dataclass(kw_only=True)
class Client:
    """What asks a server, without a path for its first screen; its address brings the token."""

    server: Server
    address: str
    path: str = ""
    below: str = ""
    cookie: str = ""

    def ask(
        self,
        path: str = "",
        form: Mapping[str, str] | None = None,
        body: bytes | None = None,
        **headers: str,
    ) -> Reply:
        content = body if form is None else urlencode(form).encode()
        ours = {} if content is None else {"Origin": self.server.address.rstrip("/")}
        own = {name.replace("_", "-"): text for name, text in headers.items()}
        sent = {"Cookie": self.cookie, **ours, **own}
        return asked(self.server.port, path or self.path, content, sent, self.below)

    def come_in(self) -> Self:
        reply = self.ask(self.address.removeprefix(self.server.address.rstrip("/")))
        assert reply.status == 200
        self.cookie = reply.cookie.partition(";")[0]
        return self


@contextlib.contextmanager
def running(
    *arguments: str | Path,
    ready: str = "token=",
    program: Sequence[str] = PROGRAM,
    env: Mapping[str, str] | None = None,
) -> Iterator[tuple[Process, list[str]]]:
    """Run a command that serves; yield it with what it said until it was ready."""
    with subprocess.Popen(
        [*program, *map(str, arguments)],
        env={**SEEING, **(env or {})},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stderr
        try:
            said = [process.stderr.readline()]
            while said[-1] and ready not in said[-1]:
                said.append(process.stderr.readline())
            yield process, said
        finally:
            process.kill()


def come_in(page: Page, address: str) -> None:
    """Open an address with a token, and wait for the screen that it leads to."""
    page.goto(address)
    page.wait_for_url(lambda url: "token=" not in url)
    page.wait_for_load_state()


def accessible(page: Page) -> None:
    """Hold that a page has no violation, and does not scroll sideways."""
    assert violations(page, contrast=True) == []
    assert page.evaluate(SCROLLS) == [0, 0]
