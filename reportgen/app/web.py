"""One application on Starlette: the site, who may come in, open tabs.

Which tabs of a browser show the application: when the last one is closed, it may end.

The site as a browser sees it: its files, pages that reload themselves, what is wrong in their place.

Who may come in: a token in an address is exchanged for a cookie, once.

Browsers send cookies to every port of this computer, where others may listen. So all that a cookie opens is
below a path that nobody can guess, and the cookie goes nowhere else. Nor does a browser get the address as an
argument, which every user of the computer sees: it gets a file that leads there.

One application on Starlette and uvicorn: the site, and screens that write; for this computer alone.

It answers who asks it by its own name, and takes nothing from pages of others.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import re
import secrets
import socket
import threading
import webbrowser
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from html import escape
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from time import monotonic
from urllib.parse import quote, unquote

import anyio
import uvicorn
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, printable, reason, refused
from reportgen.base.files import templates
from reportgen.base.site_folder import INDEX, write_file

# Seconds after which the last tab that was closed is not about to come back, as on the way to another page;
# and after which a silent tab is not there: browsers wake those behind others once a minute.
GRACE, SILENCE = 20.0, 300.0
# Tabs that are known at most: nobody has more.
MOST = 500


@dataclass
class Tabs:
    """The tabs that were heard of, and since when there is none."""

    clock: Callable[[], float] = monotonic
    _heard: dict[str, float] = field(default_factory=dict)
    _none_since: float | None = None
    _lock: Lock = field(default_factory=Lock)

    def here(self, tab: str) -> None:
        """Know that a tab is there."""
        with self._lock:
            if tab in self._heard or len(self._heard) < MOST:
                self._heard[tab] = self.clock()
            self._none_since = None

    def gone(self, tab: str) -> None:
        """Know that a tab was closed, or leads elsewhere."""
        with self._lock:
            if self._heard.pop(tab, None) is not None and not self._heard:
                self._none_since = self.clock()

    @property
    def are_closed(self) -> bool:
        """Tell whether somebody closed the last one, a while ago."""
        with self._lock:
            return self._none_since is not None and self.clock() - self._none_since > GRACE

    @property
    def are_silent(self) -> bool:
        """Tell whether tabs that nobody closed are silent for long: the browser may have crashed."""
        with self._lock:
            return bool(self._heard) and self.clock() - max(self._heard.values()) > SILENCE


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
SKIP = re.compile('<a class="skip"[^>]*>[^<]*</a>')
POLICY = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(">)')


def type_of(name: str) -> str:
    """Return the content type of a file of the site."""
    return TYPES.get(name.rpartition(".")[2].lower() if "." in name else "", UNKNOWN)


def digest_of(content: bytes) -> str:
    """Return what tells a page from another one."""
    return hashlib.sha256(content).hexdigest()[:32]


def template(name: str) -> str:
    """Return the text of a file of the application's templates."""
    return (templates() / "app" / name).read_text(encoding="utf-8")


def reloading(content: bytes) -> bytes:
    """Return a page with the lines that reload it, which its policy then allows."""
    return with_code(content, _code(digest_of(content), problems=False))


def with_code(content: bytes, code: str, at_top: str = "") -> bytes:
    """Return a page with a script, which its policy then allows, and with what is at its top."""
    text = content.decode("utf-8")
    allowed = POLICY.sub(lambda policy: f"{policy[1]}{_allowing(policy[2], code)}{policy[3]}", text, count=1)
    if at_top:
        allowed = SKIP.sub(lambda skip: f"{skip[0]}{at_top}", allowed, count=1)
    before, body, after = allowed.rpartition("</body>")
    return f"{before}<script>{code}</script>{body}{after}".encode()


def _code(digest: str, *, problems: bool) -> str:
    """Return the script that waits for word that the page changed, and reloads it.

    It waits while the page is seen: browsers keep no more than six connections open to a server, and pages
    behind others would take them all. It keeps where the reader is, and which parts are open. A page of
    problems hands on what the page before it kept.
    """
    values = {"events": EVENTS, "seen": digest, "problems": json.dumps(problems)}
    return template("reload.js") % values


def _allowing(policy: str, code: str) -> str:
    """Return a page's policy that allows one script more, and to ask whether the page changed."""
    source, same_site = escape(f"'sha256-{sha256(code)}'"), escape("'self'")
    if "script-src " in policy:
        allowed = policy.replace("script-src ", f"script-src {source} ", 1)
    else:
        allowed = f"{policy}; script-src {source}"
    return f"{allowed}; connect-src {same_site}"


def sha256(text: str) -> str:
    """Return the digest by which a policy allows a style or a script."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def problems_page(title: str, problems: Sequence[Problem | str], again: str = "") -> bytes:
    """Return the page that takes the place of all others while something is wrong.

    It gives way to the report by itself, or leads back to a path. It shares nothing with the pages of the
    site, since their templates may be what is wrong.
    """
    environment = Environment(
        loader=FileSystemLoader(templates() / "app", encoding="utf-8"),
        autoescape=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    style = template("problems.css")
    script = "" if again else _code(problems_digest(title, problems), problems=True)
    policy = (
        f"default-src 'none'; style-src 'sha256-{sha256(style)}'; script-src 'sha256-{sha256(script)}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    own = {"style": Markup(style), "script": Markup(script), "policy": policy}  # noqa: S704 - our own files
    page = environment.get_template("problems.html.j2").render(
        own, title=title, problems=problems, again=again
    )
    return page.encode()


def problems_digest(title: str, problems: Sequence[Problem | str]) -> str:
    """Return what tells a page of problems from another one."""
    return digest_of(repr((title, [*problems])).encode())


# What is served at the moment: the site as it was built last, pages rendered since, or what is wrong.


@dataclass(frozen=True)
class Content:
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

    def answer(self, again: str = "") -> Content:
        """Return the page that says so: it gives way to the report by itself, or leads back to a path."""
        digest = problems_digest(self.title, self.problems)
        return Content(problems_page(self.title, self.problems, again), INDEX, self.status, digest=digest)


MISSING = Trouble("There is no such page", status=HTTPStatus.NOT_FOUND)


@dataclass
class ServedSite:
    """The site in a folder, and what comes before it; whoever waits learns when any of it changes.

    A page that is not there leads back to `home`, or gives way by itself to one that comes.
    """

    site: Path
    trouble: Trouble | None = None
    home: str = ""
    ended: bool = False
    turn: int = 0
    _ahead: Mapping[str, bytes] = field(default_factory=dict)
    _waiting: set[Callable[[], object]] = field(default_factory=set)

    def show(self, trouble: Trouble | None = None, ahead: Mapping[str, bytes] | None = None) -> None:
        """Say that the site was built, or why it was not, or that some pages of it look otherwise by now."""
        self.trouble, self._ahead = trouble, ahead or {}
        self.turn += 1
        for wake in list(self._waiting):
            wake()

    def end(self) -> None:
        """Send home those who wait."""
        self.ended = True
        self.show(self.trouble)

    async def wait(self, turn: int, seconds: float) -> None:
        """Wait until something changed after a turn, but no longer than so many seconds."""
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> object:
            return loop.call_soon_threadsafe(changed.set)

        self._waiting.add(wake)
        try:
            if self.turn == turn:
                with anyio.move_on_after(seconds):
                    await changed.wait()
        finally:
            self._waiting.discard(wake)

    def answer(self, path: str) -> Content | None:
        """Return what is at a path, None where nothing is."""
        trouble, is_page = self.trouble, _is_page(path)
        if trouble and is_page:
            return trouble.answer()
        name = path.removeprefix("/") + (INDEX if path.endswith("/") else "")
        if name in self._ahead:
            return Content(self._ahead[name], name, is_page=True)
        return self._file(path, name) or (MISSING.answer(self.home) if is_page else None)

    def digest(self, path: str) -> str:
        """Return what tells the page at a path from what was there before."""
        response = self.answer(path)
        return (response.digest or digest_of(response.content)) if response else ""

    def _file(self, path: str, name: str) -> Content | None:
        """Return a file of the site; for a folder without its slash, the way to it."""
        target = self.site / name
        try:
            if not target.resolve().is_relative_to(self.site.resolve()):
                return None
            if target.is_dir():
                moved = HTTPStatus.MOVED_PERMANENTLY
                has_index = (target / INDEX).is_file()
                return Content(b"", INDEX, moved, location=f"{path}/") if has_index else None
            return Content(target.read_bytes(), name, is_page=name.endswith(".html"))
        except (OSError, ValueError):
            return None


def _is_page(path: str) -> bool:
    """Tell whether a path is that of a page: a folder, with its slash or without, or a page's file."""
    last = path.rpartition("/")[2]
    return last.endswith(".html") or type_of(last) in {UNKNOWN, type_of("")}


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


CLOSED = Trouble(
    "This screen is closed",
    ["Open it by the address that the terminal shows: it works once, in one browser."],
    HTTPStatus.FORBIDDEN,
)


class Entrance:
    """Exchanges a token for a cookie, once; then the next browser needs another token."""

    def __init__(self, told: Callable[[str], None], above: str = "") -> None:
        """Make the first token, and the path, below `above`, of what it opens; `told` prints the next."""
        self.token, self.below = secrets.token_urlsafe(32), f"{above}/{secrets.token_urlsafe(32)}"
        self._cookies: set[str] = set()
        self._told, self._lock = told, Lock()

    def exchange(self, token: str) -> str:
        """Return a cookie for the token, nothing where it is another one."""
        with self._lock:
            if not hmac.compare_digest(token.encode(errors="replace"), self.token.encode()):
                return ""
            self.token = secrets.token_urlsafe(32)
            cookie = secrets.token_urlsafe(32)
            self._cookies.add(cookie)
        self._told(self.token)
        return cookie

    def knows(self, cookie: str) -> bool:
        """Tell whether a browser has come in by a token."""
        return any(
            hmac.compare_digest(cookie.encode(errors="replace"), each.encode())
            for each in tuple(self._cookies)
        )

    def has_in(self, request: Request) -> bool:
        """Tell whether a request comes from a browser that has come in, and knows the way."""
        way = f"{self.below}/"
        is_below = hmac.compare_digest(request.url.path[: len(way)].encode(errors="replace"), way.encode())
        return self.knows(request.cookies.get(_cookie_name(request), "")) and is_below

    def enter(self, request: Request, start: str) -> Response:
        """Let a browser in that has the token, or is in already: lead it to where the screen starts."""
        cookie = self.exchange(request.query_params.get("token", ""))
        if not cookie and not self.has_in(request):
            return refusal()
        # A browser that comes from a file sends no cookie where it is sent on to: a page has to lead it.
        response = HTMLResponse(leading_to(start))
        if cookie:
            name = _cookie_name(request)
            response.set_cookie(name, cookie, path=self.below, httponly=True, samesite="strict")
        return response


def leading_to(address: str) -> bytes:
    """Return a page that leads to an address by itself."""
    return (template("enter.html") % {"address": escape(address)}).encode()


def browse(address: str, folder: Path) -> None:
    """Open a browser at an address, by a file in a folder that its user alone may read."""
    file = folder / "open.html"
    write_file(file, leading_to(address), 0o600)
    webbrowser.open(file.absolute().as_uri())


def refusal() -> Response:
    """Return what a browser is answered that has not come in."""
    answer = CLOSED.answer(again="/")
    return HTMLResponse(answer.content, answer.status)


def _cookie_name(request: Request) -> str:
    """Return the name of our cookie: browsers send the cookies of one port to all others."""
    return f"reportgen-{request.url.port}"


HERE = "127.0.0.1"
NAMES = (HERE, "localhost")
HTTP = 80
READING = ("GET", "HEAD")
# What screens that write have before their paths.
WRITING = ("/.reportgen/settle/", "/.reportgen/open/")
# After so many seconds a waiting page is answered though nothing happened: this shows who has gone.
PATIENCE = 15.0
# Seconds that the head and the body of a request may take, and in which something of them has to come.
LONGEST, REQUEST_SILENCE = {"IDLE": 20.0, "SEND_BODY": 900.0}, 60.0
# Seconds after which the server ends with answers under way, and connections that may wait to be taken.
LAST, BACKLOG = 2, 128
# What is true of every answer: nothing is kept, guessed, or given to other sites.
RULES = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
CUT_OFF = {"Connection": "close"}


Known = Callable[[Request], bool]


class Gate:
    """Refuses who asks by another name, or from another page; every answer keeps our rules.

    Another site's name may lead here too, and a page of another site can send us what it likes.
    """

    def __init__(self, app: ASGIApp, port: int, known: Known, below: str) -> None:
        """Guard what answers at a port, `below` a path; it answers those that are `known` alone."""
        self._app, self._known, self._below = app, known, below
        self._hosts = {f"{name}:{port}" for name in NAMES} | ({*NAMES} if port == HTTP else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""

        async def send_with_rules(message: Message) -> None:
            if message["type"] == "http.response.start":
                # Who goes on sending what is not taken is cut off.
                MutableHeaders(scope=message).update(RULES if app is self._app else {**RULES, **CUT_OFF})
            await send(message)

        app = self._refusal(scope["method"], scope["path"], Headers(scope=scope)) or self._app
        if app is self._app and not self._known(Request(scope)):
            app = refusal()
        await app(scope, receive, send_with_rules)

    def _refusal(self, method: str, path: str, headers: Headers) -> Response | None:
        if headers.get("host", "").lower() not in self._hosts:
            return _said("This server answers on this computer alone.", HTTPStatus.FORBIDDEN)
        reads, origin = method in READING, headers.get("origin")
        if not reads and (method != "POST" or not path.removeprefix(self._below).startswith(WRITING)):
            return _said("Nothing can be done here but to read.", HTTPStatus.NOT_IMPLEMENTED)
        # A browser says of every form where it comes from.
        ours = origin is not None and origin.lower().removeprefix("http://") in self._hosts
        if not ours and (origin is not None or not reads):
            return _said("This server answers its own pages alone.", HTTPStatus.FORBIDDEN)
        return None


def _broken(request: Request, error: Exception) -> Response:
    """Answer where the program has a fault: the way back is there, and what was decided before."""
    said = [f"{type(error).__name__}: {error}", "What was decided before is kept."]
    answer = Trouble("The program has a fault here", said).answer(again=quote(request.scope["path"]))
    return HTMLResponse(answer.content, answer.status, RULES)


def _said(text: str, status: HTTPStatus) -> Response:
    return PlainTextResponse(f"{text}\n", status)


class Impatient(H11Protocol):
    """Ends a connection on which a request is not whole after a while; others may need the room."""

    _due: asyncio.TimerHandle | None = None
    # Which part is not whole yet, by its name in LONGEST, and when it began.
    _part, _begun = "", 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the library's
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._await("IDLE")

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, and wait for the rest."""
        super().data_received(data)
        part = str(self.conn.their_state)
        # Between requests the library waits.
        is_between = part == "IDLE" and not self.conn.trailing_data[0]
        self._await("" if is_between else part)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        super().connection_lost(exc)
        self._await("")

    def _await(self, part: str) -> None:
        """Give a part of a request its time; none is waited for without one."""
        now = self.loop.time()
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if part != self._part:
            self._part, self._begun = part, now
        if part in LONGEST:
            due = min(self._begun + LONGEST[part], now + REQUEST_SILENCE)
            self._due = self.loop.call_at(due, self.transport.abort)


class Server:
    """Answers from what is served at the moment, and with the screens that are given to it."""

    def __init__(  # noqa: PLR0913 - each is one choice
        self,
        port: int,
        served: ServedSite,
        screens: Sequence[BaseRoute] = (),
        *,
        known: Known = lambda _: True,
        dressed: Callable[[bytes], bytes] = reloading,
        below: str = "",
    ) -> None:
        """Begin to listen; raise BadInput where the port can't be had.

        Those that are `known` alone are answered; `dressed` makes of a page of the site what is sent of it;
        all is `below` a path.
        """
        self.served, self._dressed, self._below = served, dressed, below
        self._looked_at: Counter[str] = Counter()
        # A socket that listens on this computer; raise BadInput where the port can't be had.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HERE, port))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            message, free = f"{port} can't be listened to: {reason(error)}.", _free()
            raise refused("--port", message=message, remedy=f"{free} is free: --port {free}.") from None
        except OverflowError:
            listener.close()
            message = f"{port} is not a port."
            raise refused("--port", message=message, remedy="Choose one up to 65535.") from None
        self._socket = listener
        self.server_address: tuple[str, int] = self._socket.getsockname()
        routes = [*screens, Route(EVENTS, self._tell, methods=["GET"]), Route("/{path:path}", self._file)]
        app = Starlette(
            routes=[Mount(below, routes=routes)] if below else routes,
            middleware=[Middleware(Gate, port=self.port, known=known, below=below)],
            exception_handlers={Exception: _broken},
        )
        app.router.redirect_slashes = False
        # The terminal is for what is built. What is not ours to install changes nothing: h11 alone reads.
        config = uvicorn.Config(
            app,
            http=Impatient,
            loop="asyncio",
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            log_level="critical",
            server_header=False,
            timeout_graceful_shutdown=LAST,
        )
        self._server = uvicorn.Server(config)

    @property
    def port(self) -> int:
        """Return the port that is listened to."""
        return self.server_address[1]

    @property
    def address(self) -> str:
        """Return where the site is for a browser."""
        return f"http://{HERE}:{self.port}/"

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

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Answer in the background."""
        thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.served.end()
            self._server.should_exit = True
            thread.join()

    def _file(self, request: Request) -> Response:
        """Answer with a file of the site, or with what takes its place."""
        path = clean(request.scope["raw_path"].decode("ascii").removeprefix(self._below))
        answer = self.served.answer(path) if path is not None else None
        if answer is None:
            return _said("There is no such page.", HTTPStatus.NOT_FOUND)
        content = self._dressed(answer.content) if answer.is_page else answer.content
        headers = {"Content-Type": type_of(answer.name)}
        if answer.location:
            headers["Location"] = f"{self._below}{quote(answer.location)}"
        return Response(content, answer.status, headers)

    async def _tell(self, request: Request) -> Response:
        """Wait until a page is another one than was seen, and say so."""
        path = clean(request.query_params.get("page", "/")) or "/"
        lines = self._changes(path, request.query_params.get("seen", ""))
        return StreamingResponse(lines, headers={"Content-Type": "text/event-stream"})

    async def _changes(self, path: str, seen: str) -> AsyncIterator[bytes]:
        served = self.served
        with self.looked_at_by(path):
            while not served.ended:
                turn = served.turn
                if await run_in_threadpool(served.digest, path) != seen:
                    yield b"data: changed\n\n"
                    return
                await served.wait(turn, PATIENCE)
                yield b": still here\n\n"


def _free() -> int:
    """Return a port that nobody listens to."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as some:
        some.bind((HERE, 0))
        return int(some.getsockname()[1])
