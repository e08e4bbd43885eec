"""The server of `reportgen serve`: the site, reloading pages, what is wrong; for this computer alone.

It answers who asks it by its own name, with files of the site alone.
"""

import base64
import hashlib
import json
import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from reportgen.base.errors import Problem, printable, reason, refused
from reportgen.base.site_folder import INDEX

# What a browser is sent: files of the site as they are, pages with a few lines that reload them.

EVENTS = "/.reportgen/events"
TYPES = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "xml": "application/atom+xml; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "": "text/plain; charset=utf-8",
}
UNKNOWN = "application/octet-stream"
POLICY = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(">)')
# Waits for word that the page changed, while it is seen: browsers keep no more than six connections open to a
# server, and pages behind others would take them all. Keeps where the reader is, and which parts are open. A
# page of problems hands on what the page before it kept.
RELOAD = Path(__file__).with_name("reload.js")
STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem }
li { margin: 1rem 0; overflow-wrap: anywhere }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere }
pre { white-space: pre-wrap }
.remedy { display: block; opacity: .85 }
"""


def type_of(name: str) -> str:
    """Return the content type of a file of the site."""
    return TYPES.get(name.rpartition(".")[2].lower() if "." in name else "", UNKNOWN)


def digest_of(content: bytes) -> str:
    """Return what tells a page from another one."""
    return hashlib.sha256(content).hexdigest()[:32]


def reloading(content: bytes) -> bytes:
    """Return a page with the lines that reload it, which its policy then allows."""
    code = _code(digest_of(content), problems=False)
    text = content.decode("utf-8")
    allowed = POLICY.sub(lambda policy: f"{policy[1]}{_allowing(policy[2], code)}{policy[3]}", text, count=1)
    before, body, after = allowed.rpartition("</body>")
    return f"{before}<script>{code}</script>{body}{after}".encode()


def _code(digest: str, *, problems: bool) -> str:
    values = {"events": EVENTS, "seen": digest, "problems": json.dumps(problems)}
    return RELOAD.read_text(encoding="utf-8") % values


def _allowing(policy: str, code: str) -> str:
    """Return a page's policy that allows one script more, and to ask whether the page changed."""
    source, same_site = escape(f"'sha256-{_sha256(code)}'"), escape("'self'")
    if "script-src " in policy:
        allowed = policy.replace("script-src ", f"script-src {source} ", 1)
    else:
        allowed = f"{policy}; script-src {source}"
    return f"{allowed}; connect-src {same_site}"


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def problems_page(title: str, problems: Sequence[Problem | str]) -> bytes:
    """Return the page that takes the place of all others while something is wrong."""
    items = _items(problems)
    body = f"<h1>{escape(title)}</h1>" + (f"\n<ul>{items}</ul>" if items else "")
    code = _code(problems_digest(title, problems), problems=True)
    policy = (
        f"default-src 'none'; style-src 'sha256-{_sha256(STYLE)}'; script-src 'sha256-{_sha256(code)}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style></head>\n"
        f"<body><main>{body}\n<p>This page gives way to the report as soon as that is here: "
        '<a href="/">all campaigns</a>.</p></main>'
        f"<script>{code}</script></body></html>\n"
    ).encode()


def problems_digest(title: str, problems: Sequence[Problem | str]) -> str:
    """Return what tells a page of problems from another one."""
    return digest_of(f"{title}{_items(problems)}".encode())


def _items(problems: Sequence[Problem | str]) -> str:
    return "".join(f"<li>{_problem(problem)}</li>" for problem in problems)


def _problem(problem: Problem | str) -> str:
    if isinstance(problem, str):
        return f"<pre>{escape(printable(problem))}</pre>"
    location = ":".join([problem.file, str(problem.line)] if problem.line else [problem.file])
    parts = [f"<code>{escape(printable(part))}</code>" for part in (location, problem.key) if part]
    message = escape(printable(problem.message))
    remedy = f' <span class="remedy">{escape(printable(problem.remedy))}</span>' if problem.remedy else ""
    return f"{', '.join(parts)} {message}{remedy}"


# What is served at the moment: the site as it was built last, pages rendered since, or what is wrong.


@dataclass(frozen=True)
class Response:
    """What a browser is sent; `is_page` says whether it is a page that is reloaded when it changes.

    `digest` tells a page of problems from another one: they reload themselves.
    """

    content: bytes
    name: str
    status: HTTPStatus = HTTPStatus.OK
    is_page: bool = False
    location: str = ""
    digest: str = ""


@dataclass(frozen=True)
class Trouble:
    """What takes the place of every page: a heading, and what is wrong."""

    title: str
    problems: Sequence[Problem | str] = ()
    status: HTTPStatus = HTTPStatus.INTERNAL_SERVER_ERROR

    def answer(self) -> Response:
        """Return the page that says so."""
        digest = problems_digest(self.title, self.problems)
        return Response(problems_page(self.title, self.problems), INDEX, self.status, digest=digest)


MISSING = Trouble("There is no such page", status=HTTPStatus.NOT_FOUND)


@dataclass
class ServedSite:
    """The site in a folder, and what comes before it; who waits is told when any of it changes."""

    site: Path
    trouble: Trouble | None = None
    ended: bool = False
    turn: int = 0
    _ahead: Mapping[str, bytes] = field(default_factory=dict)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def show(self, trouble: Trouble | None = None, ahead: Mapping[str, bytes] | None = None) -> None:
        """Say that the site was built, or why it was not, or that some pages of it look otherwise by now."""
        with self._changed:
            self.trouble, self._ahead = trouble, ahead or {}
            self.turn += 1
            self._changed.notify_all()

    def end(self) -> None:
        """Send home those who wait."""
        self.ended = True
        self.show(self.trouble)

    def wait(self, turn: int, seconds: float) -> None:
        """Wait until something changed after a turn, but no longer than so many seconds."""
        with self._changed:
            if self.turn == turn:
                self._changed.wait(seconds)

    def answer(self, path: str) -> Response | None:
        """Return what is at a path, None where nothing is."""
        trouble, is_page = self.trouble, _is_page(path)
        if trouble and is_page:
            return trouble.answer()
        name = path.removeprefix("/") + (INDEX if path.endswith("/") else "")
        if name in self._ahead:
            return Response(self._ahead[name], name, is_page=True)
        return self._file(path, name) or (MISSING.answer() if is_page else None)

    def digest(self, path: str) -> str:
        """Return what tells the page at a path from what was there before."""
        response = self.answer(path)
        return (response.digest or digest_of(response.content)) if response else ""

    def _file(self, path: str, name: str) -> Response | None:
        """Return a file of the site; for a folder without its slash, the way to it."""
        target = self.site / name
        try:
            if not target.resolve().is_relative_to(self.site.resolve()):
                return None
            if target.is_dir():
                moved = HTTPStatus.MOVED_PERMANENTLY
                has_index = (target / INDEX).is_file()
                return Response(b"", INDEX, moved, location=f"{path}/") if has_index else None
            return Response(target.read_bytes(), name, is_page=name.endswith(".html"))
        except (OSError, ValueError):
            return None


def _is_page(path: str) -> bool:
    """Tell whether a path is that of a page: a folder, with its slash or without, or a page's file."""
    last = path.rpartition("/")[2]
    return last.endswith(".html") or type_of(last) in {UNKNOWN, type_of("")}


# Who answers, and whom.

HERE = "127.0.0.1"
NAMES = (HERE, "localhost")
HTTP = 80
# Seconds after which somebody who waits is told that nothing happened: who has gone is noticed then.
PATIENCE = 15.0
ENDED = (BrokenPipeError, ConnectionResetError, ConnectionAbortedError)


class Server(ThreadingHTTPServer):
    """Answers from what is served at the moment."""

    daemon_threads = True

    def __init__(self, port: int, served: ServedSite) -> None:
        """Begin to listen; raise BadInput where the port can't be had."""
        self.served = served
        self._looked_at: Counter[str] = Counter()
        try:
            super().__init__((HERE, port), Handler)
        except OSError as error:
            message, free = f"{port} can't be listened to: {reason(error)}.", _free()
            raise refused("--port", message=message, remedy=f"{free} is free: --port {free}.") from None
        except OverflowError:
            message = f"{port} is no port."
            raise refused("--port", message=message, remedy="Choose one up to 65535.") from None

    @property
    def port(self) -> int:
        """Return the port that is listened to."""
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        """Return where the site is for a browser."""
        return f"http://{HERE}:{self.port}/"

    def is_asked_for(self, host: str) -> bool:
        """Tell whether a request is meant for us: another site's name may lead here too."""
        hosts = {f"{name}:{self.port}" for name in NAMES}
        return host.lower() in hosts or (self.port == HTTP and host.lower() in NAMES)

    @contextmanager
    def looked_at_by(self, path: str) -> Iterator[None]:
        """Know that somebody looks at a page."""
        self._looked_at[path] += 1
        try:
            yield
        finally:
            self._looked_at[path] -= 1

    def looked_at(self) -> list[str]:
        """Return the pages that somebody looks at."""
        return [path for path, number in list(self._looked_at.items()) if number > 0]

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - the library's signature
        """Say nothing of who went away before the answer came."""

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Answer in the background."""
        thread = threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.served.end()
            self.shutdown()
            self.server_close()


def _free() -> int:
    """Return a port that nobody listens to."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as some:
        some.bind((HERE, 0))
        return int(some.getsockname()[1])


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    server_version = "reportgen"
    sys_version = ""
    # A browser that says nothing more is not waited for.
    timeout = 60

    def do_GET(self) -> None:
        """Answer with a file, or with word that a page changed; to HEAD without the file."""
        if not self.server.is_asked_for(self.headers.get("Host", "")):
            self._send(Response(b"This server answers on this computer alone.\n", "", HTTPStatus.FORBIDDEN))
            return
        try:
            parts = urlsplit(self.path)
        except ValueError:  # what is no address leads nowhere
            parts = urlsplit("/.no-address")
        if parts.path == EVENTS and self.command == "GET":
            self._tell(parse_qs(parts.query))
            return
        path = clean(parts.path)
        answer = self.server.served.answer(path) if path is not None else None
        self._send(answer or Response(b"There is no such page.\n", "", HTTPStatus.NOT_FOUND))

    do_HEAD = do_GET  # noqa: N815 - as the library calls it

    def _send(self, answer: Response) -> None:
        content = reloading(answer.content) if answer.is_page else answer.content
        self.send_response(answer.status)
        if answer.location:
            self.send_header("Location", quote(answer.location))
        self.send_header("Content-Type", type_of(answer.name))
        self.send_header("Content-Length", str(len(content)))
        self._send_rules()
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _send_rules(self) -> None:
        """Send what is true of every answer: nothing is kept, guessed, or given to other sites."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Referrer-Policy", "same-origin")
        self.send_header("X-Frame-Options", "DENY")

    def _tell(self, query: dict[str, list[str]]) -> None:
        """Wait until a page is another one than was seen, and say so."""
        path, digest = clean(query.get("page", ["/"])[0]), query.get("seen", [""])[0]
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self._send_rules()
        self.end_headers()
        served = self.server.served
        with self.server.looked_at_by(path or "/"):
            while not served.ended:
                turn = served.turn
                if served.digest(path or "/") != digest:
                    self._say(b"data: changed\n\n")
                    return
                served.wait(turn, PATIENCE)
                self._say(b": still here\n\n")

    def _say(self, line: bytes) -> None:
        self.wfile.write(line)
        self.wfile.flush()

    def handle(self) -> None:
        """Answer, unless who asked has gone."""
        try:
            super().handle()
        except ENDED:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - the library's signature
        """Keep the terminal for what is built."""


def clean(path: str) -> str | None:
    """Return the path of a request below the site, None where it leads elsewhere or to what is hidden."""
    try:
        name = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return None
    parts = [part for part in name.split("/") if part]
    if any(part.startswith(".") or "\0" in part or "\\" in part for part in parts):
        return None
    return "/" + "/".join(parts) + ("/" if parts and name.endswith("/") else "")
