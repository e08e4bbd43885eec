"""A server for this computer alone: it answers who asks it by its own name, with files of the site alone."""

import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from reportgen.base.errors import BadInput, Problem, reason
from reportgen.cli.served import EVENTS, Response, ServedSite, reloading, type_of

HERE = "127.0.0.1"
NAMES = (HERE, "localhost")
HTTP = 80
# Seconds after which somebody who waits is told that nothing happened: who has gone is noticed then.
PATIENCE = 15.0
ENDED = (BrokenPipeError, ConnectionResetError, ConnectionAbortedError)


class Server(ThreadingHTTPServer):
    """Answers from what stands at the moment."""

    daemon_threads = True

    def __init__(self, port: int, standing: ServedSite) -> None:
        """Begin to listen; raise BadInput where the port can't be had."""
        self.standing = standing
        self._looked_at: Counter[str] = Counter()
        try:
            super().__init__((HERE, port), Handler)
        except OSError as error:
            raise BadInput([_refused(port, error)]) from None
        except OverflowError:
            problem = Problem("--port", message=f"{port} is no port.", mend="Choose one up to 65535.")
            raise BadInput([problem]) from None

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
        known = {f"{name}:{self.port}" for name in NAMES}
        return host.lower() in known or (self.port == HTTP and host.lower() in NAMES)

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
            self.standing.end()
            self.shutdown()
            self.server_close()


def _refused(port: int, error: OSError) -> Problem:
    message = f"{port} can't be listened to: {reason(error)}."
    free = _free()
    return Problem("--port", message=message, mend=f"{free} is free: --port {free}.")


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
        """Answer with a file, or with word that a page changed."""
        self._answer(self._write)

    def do_HEAD(self) -> None:
        """Answer without the file."""
        self._answer(lambda _: None)

    def _answer(self, write: Callable[[bytes], None]) -> None:
        if not self.server.is_asked_for(self.headers.get("Host", "")):
            self._send(
                Response(b"This server answers on this computer alone.\n", "", HTTPStatus.FORBIDDEN), write
            )
            return
        parts = _parts(self.path)
        if parts.path == EVENTS and self.command == "GET":
            self._tell(parse_qs(parts.query))
            return
        path = clean(parts.path)
        answer = self.server.standing.answer(path) if path is not None else None
        self._send(answer or Response(b"There is no such page.\n", "", HTTPStatus.NOT_FOUND), write)

    def _send(self, answer: Response, write: Callable[[bytes], None]) -> None:
        content = answer.content
        if answer.is_page:
            content = reloading(content)
        self.send_response(answer.status)
        if answer.location:
            self.send_header("Location", quote(answer.location))
        self.send_header("Content-Type", type_of(answer.name))
        self.send_header("Content-Length", str(len(content)))
        self._send_rules()
        self.end_headers()
        write(content)

    def _send_rules(self) -> None:
        """Send what holds for every answer: nothing is kept, guessed, or given to other sites."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Referrer-Policy", "same-origin")
        self.send_header("X-Frame-Options", "DENY")

    def _write(self, content: bytes) -> None:
        self.wfile.write(content)

    def _tell(self, asked: dict[str, list[str]]) -> None:
        """Wait until a page is another one than was seen, and say so."""
        path, seen = clean(asked.get("page", ["/"])[0]), asked.get("seen", [""])[0]
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self._send_rules()
        self.end_headers()
        standing = self.server.standing
        with self.server.looked_at_by(path or "/"):
            while not standing.ended:
                turn = standing.turn
                if standing.digest(path or "/") != seen:
                    self._say(b"data: changed\n\n")
                    return
                standing.wait(turn, PATIENCE)
                self._say(b": still here\n\n")

    def _say(self, line: bytes) -> None:
        self.wfile.write(line)
        self.wfile.flush()

    def handle(self) -> None:
        """Answer, unless whoever asked has gone."""
        try:
            super().handle()
        except ENDED:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - the library's signature
        """Keep the terminal for what is built."""


def _parts(address: str) -> SplitResult:
    """Return the parts of what is asked for; what is no address leads nowhere."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("/.no-address")


def clean(path: str) -> str | None:
    """Return the path of a request below the site, None where it leads elsewhere or to what is hidden."""
    try:
        name = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return None
    parts = [each for each in name.split("/") if each]
    if any(each.startswith(".") or "\0" in each or "\\" in each for each in parts):
        return None
    return "/" + "/".join(parts) + ("/" if parts and name.endswith("/") else "")
