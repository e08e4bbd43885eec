"""One application on Starlette and uvicorn: the site, and screens that write; for this computer alone.

It answers who asks it by its own name, and takes nothing from pages of others.
"""

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from reportgen.app.entrance import refusal
from reportgen.app.served_site import EVENTS, ServedSite, Trouble, clean, reloading, type_of
from reportgen.base.errors import reason, refused

HERE = "127.0.0.1"
NAMES = (HERE, "localhost")
HTTP = 80
READING = ("GET", "HEAD")
# What screens that write have before their paths.
WRITING = ("/.reportgen/settle/", "/.reportgen/open/")
# After so many seconds a waiting page is answered though nothing happened: this shows who has gone.
PATIENCE = 15.0
# Seconds that the head and the body of a request may take, and in which something of them has to come.
LONGEST, SILENCE = {"IDLE": 20.0, "SEND_BODY": 900.0}, 60.0
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
            due = min(self._begun + LONGEST[part], now + SILENCE)
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
        self._socket = _listening(port)
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


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on this computer; raise BadInput where the port can't be had."""
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
    return listener


def _free() -> int:
    """Return a port that nobody listens to."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as some:
        some.bind((HERE, 0))
        return int(some.getsockname()[1])
