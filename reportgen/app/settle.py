"""The screen where disagreements are settled, one at a time: plain forms, which a little script gives keys.

A token in its address is exchanged for a cookie once; without it nobody sees or writes anything.
"""

import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, quote

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from reportgen import campaign as asked
from reportgen.annotators.adjudication_sheets import CAUSES
from reportgen.app.desk import MOST_LANES, OPEN, SILENT, Answer, Desk, DisputedUnit, Found
from reportgen.app.served_site import Trouble, template
from reportgen.base.errors import BadInput
from reportgen.campaign import Campaign
from reportgen.report import page
from reportgen.words import language
from reportgen.words.names import cause_in_words

PATH = "/.reportgen/settle/"
ENTER = f"{PATH}enter"
# So many labels have a key of their own; so many of what was settled are listed.
KEYS, LISTED = 9, 50
# Seconds for which nobody else is given what a tab shows, and bytes of a form.
GIVEN, LARGEST = 300.0, 20_000
CLOSED = Trouble(
    "This screen is closed",
    ["Open it by the address that the terminal shows: it works once, in one browser."],
    HTTPStatus.FORBIDDEN,
)
UNKNOWN = Trouble("There is no such campaign here, or it has no such version", status=HTTPStatus.NOT_FOUND)
UNFIT = Trouble("This form is none of ours", status=HTTPStatus.BAD_REQUEST)


@dataclass
class Tab:
    """What one tab did: what it settled, what it leaves for later, and what it is told next."""

    settled: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    message: Mapping[str, str] | None = None


class Entrance:
    """Exchanges a token for a cookie, once; then the next browser needs another token."""

    def __init__(self, told: Callable[[str], None]) -> None:
        """Make the first token; `told` prints the address of the next."""
        self.token = secrets.token_urlsafe(32)
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
            hmac.compare_digest(cookie.encode(errors="replace"), each.encode()) for each in self._cookies
        )


class SettleScreen:
    """The screens of some campaigns, as routes of the application."""

    def __init__(self, campaigns: Sequence[Path], said: Callable[[str], None]) -> None:
        """Serve these campaigns; `said` prints a line."""
        self.entrance = Entrance(lambda _: said(f"For another browser: {self.address}"))
        self._said, self._folders = said, {folder.resolve().name: folder for folder in campaigns}
        self._desks: dict[tuple[str, str], Desk] = {}
        self._tabs: dict[str, Tab] = {}
        self._given: dict[str, tuple[str, float]] = {}
        self.server = ""
        self.start = PATH

    @property
    def address(self) -> str:
        """Return where the screen opens, once, for a browser."""
        return f"{self.server}{ENTER.removeprefix('/')}?token={self.entrance.token}"

    @property
    def routes(self) -> list[Route]:
        """Return what the application answers with the screens."""
        return [
            Route(ENTER, self._enter, methods=["GET"]),
            Route(PATH, self._list, methods=["GET"]),
            Route(f"{PATH}{{campaign}}/{{version}}", self._show, methods=["GET", "POST"]),
        ]

    def begin_at(self, folder: Path, version: str) -> None:
        """Open at a version."""
        self.start = _path(folder.resolve().name, version)

    def _enter(self, request: Request) -> Response:
        cookie = self.entrance.exchange(request.query_params.get("token", ""))
        if not cookie and not self._inside(request):
            return _trouble(CLOSED)
        response = RedirectResponse(self.start, HTTPStatus.SEE_OTHER)
        if cookie:
            name = _cookie_name(request)
            response.set_cookie(name, cookie, path=PATH.rstrip("/"), httponly=True, samesite="strict")
        return response

    def _inside(self, request: Request) -> bool:
        return self.entrance.knows(request.cookies.get(_cookie_name(request), ""))

    def _list(self, request: Request) -> Response:
        """Answer with the versions of all campaigns, newest first."""
        if not self._inside(request):
            return _trouble(CLOSED)
        try:
            loaded = [asked.load(folder) for folder in self._folders.values()]
        except BadInput as error:
            return _trouble(Trouble("A campaign has to be corrected", error.problems))
        listed = [
            (campaign, [(version, _path(folder, version)) for version in reversed(campaign.versions)])
            for folder, campaign in zip(self._folders, loaded, strict=True)
        ]
        return _page("app/settle-list.html.j2", listed=listed)

    async def _show(self, request: Request) -> Response:
        """Answer with the screen of a version, or write what a form says and show what is next."""
        if not self._inside(request):
            return _trouble(CLOSED)
        form = await _form(request) if request.method == "POST" else None
        return await run_in_threadpool(self._answer, request, form)

    def _answer(self, request: Request, form: Mapping[str, str] | None) -> Response:
        try:
            desk = self._desk(request.path_params["campaign"], request.path_params["version"])
            if desk is None:
                return _trouble(UNKNOWN)
            if request.method == "GET":
                values = self._values(desk.look(), request.query_params)
                with language.writing(language.editions(values["campaign"].language)[0]):
                    return _page("app/settle.html.j2", **values)
            tab = self._tab(form.get("tab", "")) if form is not None else ""
            if form is None or not self._write(desk, form, self._tabs[tab]):
                return _trouble(UNFIT)
        except BadInput as error:
            return _trouble(Trouble("Nothing was written: this has to be corrected first", error.problems))
        # What was not written, since another wrote meanwhile, is shown again.
        message = self._tabs[tab].message or {}
        again = f"&at={quote(form['unit'])}" if message.get("conflict") and "unit" in form else ""
        return RedirectResponse(f"{quote(request.scope['path'])}?tab={tab}{again}", HTTPStatus.SEE_OTHER)

    def _desk(self, name: str, version: str) -> Desk | None:
        folder = self._folders.get(name)
        if folder is None or version not in asked.load(folder).versions:
            return None
        return self._desks.setdefault((name, version), Desk(folder, version, self._said))

    def _tab(self, name: str) -> str:
        """Return the name of a tab, a new one where it is none of ours."""
        if name not in self._tabs:
            name = secrets.token_hex(8)
            self._tabs[name] = Tab()
        return name

    def _values(self, found: Found, asked_for: Mapping[str, str]) -> dict[str, Any]:
        """Return what the screen shows next."""
        name = self._tab(asked_for.get("tab", ""))
        tab = self._tabs[name]
        each = found.disputed.by_key.get(asked_for.get("at", "")) or self._next(name, found)
        message, tab.message = tab.message, None
        answer = found.answers.get(each.key, OPEN) if each else OPEN
        own = list(reversed(found.own))[:LISTED]
        everything = found.disputed.disagreements
        return {
            "campaign": found.disputed.campaign,
            "version": found.disputed.version.id,
            "tab": name,
            "each": each,
            "answer": answer,
            "words": in_words(answer),
            "settled": len(everything) - len(found.open),
            "all": len(everything),
            "others": len(found.open),
            "message": message,
            "undo": bool(tab.settled),
            "last": [(found.disputed.by_key[key], in_words(found.answers[key])) for key in own],
            "file": found.sheet,
            **shared_values(found.disputed.campaign),
        }

    def _next(self, name: str, found: Found) -> DisputedUnit | None:
        """Return what a tab is given: the next that is open and in no other tab, what is for later last."""
        now, tab = monotonic(), self._tabs[name]
        taken = {key for key, (whose, until) in self._given.items() if whose != name and until > now}
        free = [each for each in found.open if each.key not in taken]
        given = min(
            free, key=lambda each: tab.later.index(each.key) if each.key in tab.later else -1, default=None
        )
        for key in [key for key, (whose, _) in self._given.items() if whose == name]:
            del self._given[key]
        if given:
            self._given[given.key] = (name, now + GIVEN)
        return given

    def _write(self, desk: Desk, form: Mapping[str, str], tab: Tab) -> bool:
        """Do what a form says; tell whether it says anything that can be done."""
        found = desk.look()
        if form.get("do") == "undo":
            while tab.settled:
                key = tab.settled.pop()
                if key in found.own:
                    return self._say(desk, tab, found.disputed.by_key[key], OPEN, found.answers[key].digest)
            return True
        each = found.disputed.by_key.get(form.get("unit", ""))
        if each is None:
            return False
        if form.get("do") == "later":
            tab.later = [*(key for key in tab.later if key != each.key), each.key]
            return True
        answer = answer_of(each, form, found)
        return answer is not None and self._say(desk, tab, each, answer, form.get("seen", ""))

    def _say(self, desk: Desk, tab: Tab, each: DisputedUnit, answer: Answer, seen: str) -> bool:
        """Write an answer, and keep what the tab is told of it."""
        other = desk.settle(each.key, answer, seen)
        unit = each.cell or each.name or each.key
        if other is not None:
            tab.message = {"conflict": in_words(other) or "open", "reopened": "", "unit": unit}
            return True
        tab.settled = [key for key in tab.settled if key != each.key]
        if answer.said:
            tab.settled.append(each.key)
        file = {"answer": in_words(answer), "unit": unit, "conflict": ""}
        tab.message = {**file, "reopened": "" if answer.said else "yes"}
        return True


def answer_of(each: DisputedUnit, form: Mapping[str, str], found: Found) -> Answer | None:
    """Return what a form says of a disagreement, None where it says nothing that it offers."""
    label, done, cause = form.get("label", ""), form.get("do", ""), form.get("cause", "")
    said = Answer("", cause, form.get("note", ""))
    if cause and cause not in CAUSES:
        return None
    if done == "other":
        label = form.get("other", "")
    if label in each.sheet.categories:
        return Answer(label, said.cause, said.note)
    match done:
        case "both":
            return found.disputed.both_right(each, said)
        case "silent":
            return Answer("", SILENT, said.note)
        case "open":
            return OPEN
    return None


def in_words(answer: Answer) -> str:
    """Return what was said of a disagreement."""
    cause = cause_in_words(answer.cause) if answer.cause else ""
    return ", ".join(part for part in (answer.decision, cause, answer.note) if part)


def shared_values(campaign: Campaign) -> dict[str, Any]:
    """Return what templates show of any disagreement."""
    texts = campaign.corpus.language
    return {
        "keys": KEYS,
        "lanes": MOST_LANES,
        "causes": [(cause, cause_in_words(cause)) for cause in CAUSES],
        "texts": Markup(' lang="{}"').format(texts) if texts else "",
    }


def _path(name: str, version: str) -> str:
    return f"{PATH}{quote(name, safe='')}/{quote(version, safe='')}"


def _cookie_name(request: Request) -> str:
    """Return the name of our cookie: browsers send the cookies of one port to all others."""
    return f"reportgen-{request.url.port}"


async def _form(request: Request) -> Mapping[str, str] | None:
    """Return the fields of a form, None where it is none, or too large."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            return None
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=20)
    except ValueError:
        return None
    return {name: values[0] for name, values in fields.items()}


def _page(name: str, **values: object) -> Response:
    return HTMLResponse(page.screen(name, template("settle.css"), template("settle.js"), **values))


def _trouble(trouble: Trouble) -> Response:
    answer = trouble.answer()
    return HTMLResponse(answer.content, answer.status)
