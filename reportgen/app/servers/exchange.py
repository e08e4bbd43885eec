"""What all annotation servers share: addresses, tokens, requests, what is pulled and what is pushed.

Python's own library sends requests: all that is asked of a tool is to list a project and to export it.
"""

import base64
import glob
import hashlib
import http.client
import ipaddress
import json
import os
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, field
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit

from reportgen.base import __version__
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, quoted, reason, refused
from reportgen.base.files import source_of
from reportgen.base.site_folder import LITTER
from reportgen.campaign import AnnotationSource, Campaign
from reportgen.measures.annotators.aggregation import Status
from reportgen.measures.annotators.decisions import SheetUnits
from reportgen.publish.exported_files import GoldOptions, GoldSource, gold_standard
from reportgen.readers import ParsedMark, TextMarks

TOKEN, USER, PASSWORD = "REPORTGEN_TOKEN", "REPORTGEN_USER", "REPORTGEN_PASSWORD"
# Under which name the keyring has tokens, each with the address of its server.
SERVICE = "reportgen"
HIDDEN = "…"


@dataclass(frozen=True)
class Credentials:
    """A token, or a user with a password."""

    token: str = field(default="", repr=False)
    user: str = ""
    password: str = field(default="", repr=False)

    def hidden(self, text: str) -> str:
        """Return a text without what is secret, however it may be written in an address."""
        for secret in self.secrets():
            text = text.replace(secret, HIDDEN)
        return text

    def secrets(self) -> Iterator[str]:
        """Yield what may be shown nowhere."""
        for secret in filter(None, (self.token, self.password)):
            yield from dict.fromkeys((secret, quote(secret, safe="")))


def credentials_for(url: str, *, with_password: bool) -> Credentials:
    """Return what the environment has for a server, else the keyring.

    Raises BadInput where neither has anything, or has what can be no token.
    """
    user, password = os.environ.get(USER, ""), os.environ.get(PASSWORD, "")
    found = Credentials(os.environ.get(TOKEN, "").strip())
    if with_password and user and password:
        found = Credentials("", user, password)
    elif not found.token:
        found = Credentials(_of_keyring(url))
    if not (found.token or found.password):
        or_else = f", or {USER} and {PASSWORD}" if with_password else ""
        kept = f" Or keep it in the keyring: keyring set {SERVICE} {url}." if find_spec("keyring") else ""
        remedy = f"Set {TOKEN} in the environment{or_else}; campaign.toml is not the place for it.{kept}"
        raise refused(TOKEN, message="is not set, and the server asks who you are.", remedy=remedy)
    if not (found.token.isascii() and found.token.isprintable()) or " " in found.token:
        # Not shown, and no library may show it either.
        remedy = "Copy the token alone, as one word."
        raise refused(TOKEN, message="has blanks or signs that no token has.", remedy=remedy)
    return found


def _of_keyring(url: str) -> str:
    """Return the token that the system's keyring has for a server, nothing without one."""
    if find_spec("keyring") is None:
        return ""
    import keyring
    from keyring.errors import KeyringError

    try:
        return (keyring.get_password(SERVICE, url) or "").strip()
    except KeyringError:
        return ""


# Seconds: without a sign from the server, for one whole answer, and that a busy server may ask to wait.
SILENCE, LONGEST_ANSWER, LONGEST_WAIT = 60.0, 900.0, 300.0
# Seconds before a request that failed is sent again.
PAUSES = (1.0, 4.0, 15.0)
MOST_BYTES, CHUNK = 2 * 1024**3, 2**16
MOST_SAID = 2000
# What passes, perhaps, when one waits.
BUSY = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
BROKEN = (HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT, *BUSY)
FORBIDDEN = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
# Of a list that grows while it is read: how many times as much as it had at first, and how many pages more.
MOST_GROWTH, MOST_PAGES = 2, 10
Query = Sequence[tuple[str, str | int]]
Read = TypeVar("Read")
LATER = "Try again later; what was fetched is kept for the next time."


@dataclass
class Failure(Exception):
    """Why a request failed: in words, whether it may do better again, and how long to wait before."""

    message: str
    remedy: str = LATER
    again: bool = False
    wait: float | None = None
    status: int = 0


@dataclass(frozen=True)
class ServerAnswer:
    """The body of an answer, whole, and what it is said to be."""

    content: bytes
    kind: str

    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        """Return its JSON; raise Failure where it is not one: a page, or cut off."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            pass
        if self.content.lstrip()[:1] == b"<" or "html" in self.kind:
            message = "answered with a web page where data were expected."
            remedy = "Check the address: it is that of the tool itself, without the path of a page."
            raise Failure(message, remedy)
        raise Failure("sent an answer that is cut off, or damaged.", again=True)


class NotAllowed(BadInput):
    """The server does not let who asks see the project, or does not know them."""


class _SameServerOnly(urllib.request.HTTPRedirectHandler):
    """Follows a server to itself alone: a token is for one server."""

    def redirect_request(  # noqa: PLR0913, PLR0917 - the library's signature
        self,
        req: urllib.request.Request,
        fp: Any,  # noqa: ANN401 - the library's
        code: int,
        msg: str,
        headers: Any,  # noqa: ANN401 - the library's
        newurl: str,
    ) -> urllib.request.Request | None:
        here, there = urlsplit(req.full_url), urlsplit(newurl)
        if (here.scheme, here.netloc) != (there.scheme, there.netloc) or req.data is not None:
            fp.close()
            other = quoted(f"{there.scheme}://{there.netloc}")
            message = f"sends requests on to {other}, and a token is for one server."
            raise Failure(message, "If that is the server, write its address as url.", status=code)
        return super().redirect_request(req, fp, code, msg, headers, newurl)

    def http_error_302(
        self,
        req: urllib.request.Request,
        fp: Any,  # noqa: ANN401 - the library's
        code: int,
        msg: str,
        headers: Any,  # noqa: ANN401 - the library's
    ) -> Any:  # noqa: ANN401 - the library's
        """Follow a redirect; raise Failure where it leads to what is no address."""
        try:
            return super().http_error_302(req, fp, code, msg, headers)
        except ValueError:
            fp.close()
            remedy = "Check the address; ask who runs the server."
            raise Failure("sends requests on to an address that is none.", remedy, status=code) from None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


@dataclass
class AnnotationServer:
    """One server; `place` is the campaign.toml that names it, as errors call it.

    `authorisation` returns the value of `header` for who asks; `renew` has it return another one where an
    answer is 401, as with tokens that last some minutes. `refusals` say what a status means for this tool.
    `echoes` are paths of lists in which the tool sends the tokens of its users too.
    """

    place: str
    url: str
    credentials: Credentials
    refusals: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    authorisation: Callable[[], str] = lambda: ""
    renew: Callable[[], bool] = lambda: False
    header: str = "Authorization"
    echoes: Collection[str] = ()

    def get(self, path: str, query: Query = ()) -> Any:  # noqa: ANN401 - any JSON value
        """Return the JSON at a path; raise BadInput in words where there is none."""
        return self._tried("GET", path, query, None, lambda answer: answer.json())

    def fetch(self, path: str, query: Query, read: Callable[[ServerAnswer], Read]) -> Read:
        """Return what `read` makes of what is at a path; it is fetched again where `read` raises Failure."""
        return self._tried("GET", path, query, None, read)

    def send(self, method: str, path: str, body: object) -> Any:  # noqa: ANN401 - any JSON value
        """Return the JSON that answers to what is sent, None where nothing does."""
        return self._tried(method, path, (), body, lambda answer: answer.json() if answer.content else None)

    def whole(self, read: Callable[[], Read]) -> Read:
        """Return what reading several answers gives; raise BadInput where they do not fit each other."""
        try:
            return read()
        except Failure as error:
            raise self.in_words(error) from None

    def refusal(self, message: str, remedy: str, key: str = "source.url") -> BadInput:
        """Return what is wrong with the server's answers."""
        return refused(self.place, 0, key, self.credentials.hidden(message), remedy)

    def _tried(
        self, method: str, path: str, query: Query, body: object, read: Callable[[ServerAnswer], Read]
    ) -> Read:
        """Return what `read` makes of the answer; ask again, after a while, where that may help."""
        pauses, renewed = list(PAUSES), False
        while True:
            try:
                return read(self._answer(method, path, query, body))
            except Failure as error:
                failure = error
            if failure.status == HTTPStatus.UNAUTHORIZED and not renewed and self.renew():
                renewed = True
                continue
            # Nothing that changes something is sent twice, unless the server was too busy to look at it.
            may = failure.again and (method == "GET" or failure.status in BUSY)
            wait = failure.wait if failure.wait is not None else (pauses[0] if pauses else 0.0)
            if wait > LONGEST_WAIT:
                message = f"asks to wait {wait / 60:,.0f} minutes before the next request."
                raise self.refusal(f"{self.url} {message}", LATER)
            if not may or not pauses:
                raise self.in_words(failure)
            pauses.pop(0)
            time.sleep(wait)

    def in_words(self, failure: Failure) -> BadInput:
        """Return why a request failed, as this tool means it."""
        known = self.refusals.get(failure.status)
        message, remedy = known or (failure.message, failure.remedy)
        key = (
            "source.project"
            if failure.status in (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)
            else "source.url"
        )
        refusal = self.refusal(f"{self.url} {message}", remedy, key)
        return NotAllowed(refusal.problems) if failure.status in FORBIDDEN else refusal

    def _answer(self, method: str, path: str, query: Query, body: object) -> ServerAnswer:
        """Return the whole answer to one request; raise Failure otherwise."""
        address = f"{self.url}/{path.lstrip('/')}" + (f"?{urlencode(query)}" if query else "")
        headers = {"Accept": "application/json, */*", "User-Agent": f"reportgen/{__version__}"}
        if who := self.authorisation():
            headers[self.header] = who
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310 - http and https alone
        started = time.monotonic()
        try:
            with self._opener.open(request, timeout=SILENCE) as response:
                content = self._body(response, started)
                kind = response.headers.get_content_type()
        except HTTPError as error:
            with error:
                raise self._status(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise _of_network(error) from None
        if path not in self.echoes and any(
            secret.encode() in content for secret in self.credentials.secrets()
        ):
            message = "sent back the token in its answer, which can't be kept."
            raise Failure(message, "Ask who runs the server; make a new token.")
        return ServerAnswer(content, kind)

    @property
    def _opener(self) -> urllib.request.OpenerDirector:
        handlers: list[urllib.request.BaseHandler] = [_SameServerOnly()]
        if is_here(self.url):
            handlers.append(urllib.request.ProxyHandler({}))
        return urllib.request.build_opener(*handlers)

    def _body(self, response: http.client.HTTPResponse, started: float) -> bytes:
        """Return an answer's body; raise Failure where it is cut off, too large or takes too long."""
        parts: list[bytes] = []
        size, due = 0, response.headers.get("Content-Length", "")
        while part := response.read(CHUNK):
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES:
                message = f"sends more than {MOST_BYTES:,} bytes at once."
                raise Failure(message, "Export from the tool by hand.")
            if time.monotonic() - started > LONGEST_ANSWER:
                raise Failure(f"took more than {LONGEST_ANSWER / 60:,.0f} minutes for one answer.")
        if due.isascii() and due.isdigit() and size < int(due):
            raise Failure(f"ended its answer after {size:,} of {int(due):,} bytes.", again=True)
        return b"".join(parts)

    def _status(self, error: HTTPError) -> Failure:
        """Return what a status that is no success means."""
        status = error.code
        again = status in BROKEN
        said = _said(error) if not again else ""
        message = f"answered {status} ({_name(status)}){f': {said}' if said else ''}."
        known = _REFUSALS.get(status)
        wait = _seconds(error.headers.get("Retry-After", "")) if status in BUSY else None
        return Failure(*(known or (message, LATER)), again, wait, status)


_REFUSALS: Mapping[int, tuple[str, str]] = {
    HTTPStatus.UNAUTHORIZED: (
        "does not accept the token.",
        f"Make a new one there, and put it into {TOKEN}.",
    ),
    HTTPStatus.FORBIDDEN: (
        "does not let the owner of the token see the project.",
        "Ask who runs the project to make you a member who may export.",
    ),
    HTTPStatus.NOT_FOUND: ("has no such project.", "Take the number from the address of the project's page."),
}


def is_here(url: str) -> bool:
    """Tell whether a server runs on this computer."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def unencrypted(place: str, url: str) -> Iterator[Problem]:
    """Yield what to tell where others can read what is sent to a server: `place` is the campaign.toml."""
    if urlsplit(url).scheme == "http" and not is_here(url):
        message = "leads to another computer without encryption: others on the way can read token and labels."
        yield Problem(place, 0, "source.url", message, "Write its address with https, if it has one.")


def basic(credentials: Credentials) -> str:
    """Return the header of a user with a password."""
    pair = f"{credentials.user}:{credentials.password}".encode()
    return f"Basic {base64.b64encode(pair).decode()}"


def _name(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no status that HTTP has"


def _said(error: HTTPError) -> str:
    """Return what a server says of its refusal, in quotes, nothing where it says it in no JSON."""
    try:
        found = json.loads(error.read(MOST_SAID))
    except (ValueError, OSError, http.client.HTTPException, RecursionError):
        return ""
    if isinstance(found, dict):
        found = next((found[key] for key in ("detail", "error", "message") if found.get(key)), found)
    return quoted(found if isinstance(found, str) else json.dumps(found))


def _seconds(header: str) -> float | None:
    """Return how long a server asks to wait: seconds, or until a moment; None where it does not say."""
    if header.strip().isascii() and header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _of_network(error: Exception) -> Failure:
    """Return what a fault below HTTP means."""
    cause = error.reason if isinstance(error, URLError) and isinstance(error.reason, Exception) else error
    if isinstance(cause, TimeoutError):
        return Failure(f"did not answer within {SILENCE:,.0f} seconds.", again=True)
    if isinstance(cause, ssl.SSLError):
        message = f"has no encryption that can be trusted: {_of_ssl(cause)}."
        return Failure(message, "Ask who runs the server; a certificate of your own goes into SSL_CERT_FILE.")
    if isinstance(cause, ConnectionRefusedError | socket.gaierror):
        message = f"can't be reached: {reason(cause)}."
        return Failure(message, "Check the address, and that the server runs.")
    if isinstance(cause, http.client.IncompleteRead):
        return Failure("ended its answer before it was whole.", again=True)
    if isinstance(cause, http.client.HTTPException):
        return Failure("did not answer as a web server does.", "Check the address.", again=True)
    return Failure(f"broke off: {reason(cause)}.", again=True)


def _of_ssl(error: ssl.SSLError) -> str:
    return (
        getattr(error, "verify_message", "")
        or (error.reason or "").lower().replace("_", " ")
        or "it is refused"
    )


def numbered_pages(
    first: int, page: Callable[[int], tuple[Sequence[Any], int]], progress: Callable[[int, int], None]
) -> list[Any]:
    """Return what all pages have; `page` returns one, and how many things there are in all.

    Raises Failure where pages end before all is there, or come to no end: the project changes, or the server
    is wrong.
    """
    found: list[Any] = []
    most = 0
    while True:
        items, total = page(first)
        most = most or MOST_GROWTH * total + MOST_PAGES * len(items)
        found += items
        if len(found) > most:
            message = f"sent {len(found):,} of a list that grows while it is read."
            raise Failure(message, "Try again when nothing is added; ask who runs the server.")
        progress(len(found), total)
        if len(found) >= total:
            return found
        if not items:
            raise Failure(f"has {total:,} by its own count, and sent {len(found):,}.", again=True)
        first += 1


# Hidden, so that no reader takes it for an export.
PULLED = ".pulled.json"
BESIDE = (PULLED, *LITTER)
# How what a pull that was ended leaves beside the exports begins: the next goes on from there.
UNFINISHED = ".pulling"
# Hears what is done at the moment.
Tell = Callable[[str], None]


@dataclass(frozen=True)
class ProjectSize:
    """What a project is called there, and how many it has of what."""

    title: str
    number: int
    of: str = "tasks"


@dataclass(frozen=True)
class Snapshot:
    """A project as it was at a moment; `files` has the SHA-256 of each file that was written."""

    tool: str
    url: str
    project: str
    title: str
    number: int
    of: str
    at: str
    files: Mapping[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write it beside the exports."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        (folder / PULLED).write_text(f"{text}\n", encoding="utf-8", errors="replace")


def snapshot_in(folder: Path) -> Snapshot | None:
    """Return what was pulled into a folder, None where nothing was."""
    try:
        content: Any = json.loads((folder / PULLED).read_text(encoding="utf-8"))
        snapshot = Snapshot(**content)
    except (OSError, ValueError, TypeError):
        return None
    return snapshot if isinstance(snapshot.files, dict) else None


def checksums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file in a folder, by its path below it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in BESIDE)
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: source_of(path, name).sha256 for name, path in names.items()}


def stranger_in(folder: Path) -> str | None:
    """Return the name of a file that no pull wrote, or that was changed since, None where there is none."""
    snapshot = snapshot_in(folder)
    ours = snapshot.files if snapshot else {}
    found = checksums(folder)
    return next((name for name, digest in found.items() if ours.get(name) != digest), None)


@dataclass(frozen=True)
class PullRequest:
    """One pull: `out` is a new empty folder, `last` what the last one wrote, which `out` will replace.

    `place` is the campaign.toml, as errors call it, `folder` the campaign's.
    """

    place: str
    folder: Path
    source: AnnotationSource
    last: Path
    out: Path
    tell: Tell

    @property
    def project(self) -> str:
        """Return the project's number or name."""
        return self.source.project or ""

    def server(self, *, with_password: bool = False) -> AnnotationServer:
        """Return the server with who asks it. Raises BadInput where nobody is named in the environment."""
        url = self.source.url or ""
        return AnnotationServer(self.place, url, credentials_for(url, with_password=with_password))

    @property
    def store(self) -> Path:
        """Return the file of what is fetched, which stays where the pull is ended before it is whole."""
        whose = hashlib.sha256(f"{self.source.url}\n{self.project}".encode()).hexdigest()[:8]
        return self.last.parent / f"{UNFINISHED}-{self.last.name}-{whose}.jsonl"

    def forget(self, *, own: bool) -> None:
        """Remove what earlier pulls of the version fetched from elsewhere, or from here as well (`own`)."""
        name = f"{UNFINISHED}-{glob.escape(self.last.name)}-{'[0-9a-f]' * 8}.jsonl"
        for store in self.last.parent.glob(name):
            if own or store != self.store:
                store.unlink(missing_ok=True)


@dataclass
class DecidedDocument:
    """A document: its labels by layer, its marks by layer, and whether everything in it is decided."""

    text: str = ""
    labels: dict[str, Sequence[str]] = field(default_factory=dict)
    marks: dict[str, Sequence[ParsedMark]] = field(default_factory=dict)
    finished: bool = True


@dataclass(frozen=True)
class DecidedVersion:
    """The documents of a version by their names in the exports; which layers can't be sent.

    `sources` are where the campaign finds each layer: a type, or a type and a feature.
    """

    documents: Mapping[str, DecidedDocument]
    sources: Mapping[str, str]
    left_out: Sequence[str]

    @property
    def layers(self) -> list[str]:
        """Return the layers that something was decided of."""
        every = (name for document in self.documents.values() for name in (*document.labels, *document.marks))
        return list(dict.fromkeys(every))

    @property
    def finished(self) -> dict[str, DecidedDocument]:
        """Return the documents in which everything is decided."""
        return {name: document for name, document in self.documents.items() if document.finished}


def decided(campaign: Campaign, version: str, tell: Tell) -> DecidedVersion:
    """Return what was decided in a version. Raises BadInput with all that is wrong with it."""
    standard = gold_standard(campaign, version, GoldOptions(), tell)
    documents: dict[str, DecidedDocument] = {}
    left_out: list[str] = []
    for source in standard.layers:
        if source.is_of_marks:
            sheet = source.gold.sheet
            finished = source.finished(standard.options).tolist()
            rows = zip(sheet.units.documents, sheet.texts, source.marks(), finished, strict=True)
            for name, text, marks, done in rows:
                here = documents.setdefault(name, DecidedDocument())
                here.text, here.marks[source.name] = text, marks
                here.finished = here.finished and done
        elif isinstance(source.annotations.content, TextMarks):
            left_out.append(source.name)
        else:
            _add_labels(documents, source)
    layers = campaign.version(version).layers
    sources = {layer.id: layer.source or "" for layer in layers}
    return DecidedVersion(documents, sources, left_out)


def _add_labels(documents: dict[str, DecidedDocument], source: GoldSource) -> None:
    sheet = source.gold.sheet
    for unit in source.gold.units:
        here = documents.setdefault(sheet.names[unit.unit], DecidedDocument())
        here.labels[source.name] = _members(unit.label, sheet)
        here.finished = here.finished and unit.status is not Status.OPEN


def _members(label: str, sheet: SheetUnits) -> list[str]:
    """Return the labels that one of a set consists of; any other label alone."""
    units = sheet.units
    if units.sets is None:
        return [label]
    if label in units.categories:
        return sorted(units.sets[units.categories.index(label)])
    return label.split(sheet.separator)


@dataclass(frozen=True)
class ServerChange:
    """One thing that is sent: in words, and how."""

    what: str
    send: Callable[[], object]


@dataclass(frozen=True)
class PushRequest:
    """One push: what was decided of which version, from where its exports (a folder) came.

    `who` is the user whom decisions are sent as, `predictions` the model where they are sent as predictions.
    """

    campaign: Campaign
    version: str
    source: AnnotationSource
    exports: Path
    decided: DecidedVersion
    who: str
    predictions: str
    tell: Tell

    @property
    def project(self) -> str:
        """Return the project's number."""
        return self.source.project or ""

    @property
    def unit_column(self) -> str | None:
        """Return the field that names documents, None where their id does."""
        return self.campaign.version(self.version).reading.columns.unit

    def server(self, *, with_password: bool = False) -> AnnotationServer:
        """Return the server with who asks it."""
        url = self.source.url or ""
        return AnnotationServer(self.campaign.file, url, credentials_for(url, with_password=with_password))


@dataclass(frozen=True)
class PushPlan:
    """What a push changes: of `same` documents nothing, `unknown` ones are not on the server.

    `who` is whose annotations, or which model's predictions, they are there.
    """

    who: str
    changes: Sequence[ServerChange]
    same: int
    unknown: Sequence[str] = ()
