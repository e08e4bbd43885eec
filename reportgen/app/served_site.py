"""The site as a browser sees it: its files, pages that reload themselves, what is wrong in their place."""

import asyncio
import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from html import escape
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote

import anyio
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, printable
from reportgen.base.files import templates
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
