"""The screen where disagreements are settled, one at a time: served, or as one page for a colleague.

A token in its address is exchanged for a cookie once; without it nobody sees or writes anything.
"""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
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
from starlette.routing import BaseRoute, Route

from reportgen import campaign as asked
from reportgen.app.desk import (
    KEYS,
    MOST_LANES,
    OPEN,
    Answer,
    Desk,
    Disputed,
    DisputedUnit,
    Found,
    as_one,
    digest,
    digest_of,
)
from reportgen.app.web import Entrance, Trouble, problems_page, refusal, template
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput
from reportgen.measures.annotators.decisions import CAUSES, NOTE, SILENT
from reportgen.report import page
from reportgen.report.escaping import to_html
from reportgen.versions.guidelines_documents import guidelines_document
from reportgen.words import language
from reportgen.words.names import BOTH_RIGHT, NOTHING_MARKED, cause_in_words

PATH = "/.reportgen/settle"
# So many of what was settled are listed.
LISTED = 50
# Seconds for which nobody else is given what a tab shows, and bytes of a form.
GIVEN, LARGEST = 300.0, 20_000
UNKNOWN = Trouble("There is no such campaign here, or it has no such version", status=HTTPStatus.NOT_FOUND)
UNFIT = Trouble("This form is none of ours", status=HTTPStatus.BAD_REQUEST)


@dataclass
class Tab:
    """What one tab settled, with what was said before and the digest of what it said; what is for later.

    `message` is what it shows next.
    """

    settled: list[tuple[str, tuple[Answer, ...], str]] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    message: Mapping[str, str] | None = None


class SettleScreen:
    """The screens of some campaigns, as routes of the application."""

    def __init__(
        self,
        campaigns: Sequence[Path],
        said: Callable[[str], None],
        within: Entrance | None = None,
        dressed: Callable[[bytes], bytes] = bytes,
    ) -> None:
        """Serve these campaigns; `said` prints a line.

        A larger application, `within` whose entrance they are, makes of pages what is sent (`dressed`).
        """
        self._dressed = dressed
        self.entrance = within or Entrance(lambda _: said(f"For another browser: {self.address}"), PATH)
        self._is_within = within is not None
        self.path = f"{self.entrance.below}{PATH if within else ''}/"
        self._said, self._folders = said, {folder.resolve().name: folder for folder in campaigns}
        self._desks: dict[tuple[str, str], Desk] = {}
        self._tabs: dict[str, Tab] = {}
        self._given: dict[str, tuple[str, float]] = {}
        self._lock = Lock()
        self.server = ""
        self.start = self.path

    @property
    def address(self) -> str:
        """Return where the screen opens, once, for a browser."""
        return f"{self.server.rstrip('/')}{self.path}enter?token={self.entrance.token}"

    @property
    def routes(self) -> list[BaseRoute]:
        """Return what the application answers with the screens."""
        here = PATH if self._is_within else self.entrance.below
        return [
            Route(f"{here}/enter", self._enter, methods=["GET"]),
            Route(f"{here}/", self._list, methods=["GET"]),
            Route(f"{here}/{{campaign}}/{{version}}", self._show, methods=["GET", "POST"]),
        ]

    def begin_at(self, folder: Path, version: str) -> None:
        """Open at a version."""
        self.start = self.path_to(folder, version)

    def path_to(self, folder: Path, version: str) -> str:
        """Return where the screen of a version is."""
        return self._path(folder.resolve().name, version)

    def _path(self, name: str, version: str) -> str:
        return f"{self.path}{quote(name, safe='')}/{quote(version, safe='')}"

    def show(self, folder: Path) -> None:
        """Serve another campaign too."""
        self._folders[folder.resolve().name] = folder

    def _page(self, name: str, **values: object) -> Response:
        text = page.screen(name, template("settle.css"), template("settle.js"), **values)
        return HTMLResponse(self._dressed(text.encode()))

    def _enter(self, request: Request) -> Response:
        return self.entrance.enter(request, self.start)

    def _list(self, request: Request) -> Response:
        """Answer with the versions of all campaigns, newest first."""
        if not self.entrance.has_in(request):
            return refusal()
        try:
            loaded = [asked.load(folder) for folder in self._folders.values()]
        except BadInput as error:
            return _trouble(request, Trouble("A campaign has to be corrected", error.problems))
        listed = [
            (campaign, [(version, self._path(folder, version)) for version in reversed(campaign.versions)])
            for folder, campaign in zip(self._folders, loaded, strict=True)
        ]
        return self._page("app/settle-list.html.j2", listed=listed)

    async def _show(self, request: Request) -> Response:
        """Answer with the screen of a version, or write what a form says and show what is next."""
        if not self.entrance.has_in(request):
            return refusal()
        form = await form_of(request) if request.method == "POST" else None
        return await run_in_threadpool(self._answer, request, form)

    def _answer(self, request: Request, form: Mapping[str, str] | None) -> Response:
        try:
            desk = self._desk(request.path_params["campaign"], request.path_params["version"])
            if desk is None:
                return _trouble(request, UNKNOWN)
            if request.method != "POST":
                if request.query_params.get("tab", "") not in self._tabs:
                    return self._to(request, self._tab(""), request.query_params.get("at", ""))
                found = desk.look()
                with language.writing(language.editions(found.disputed.campaign.language)[0]):
                    return self._page("app/settle.html.j2", **self._values(found, request.query_params))
            tab = self._tab(form.get("tab", "")) if form is not None else ""
            if form is None or not self._write(desk, form, self._tabs[tab]):
                return _trouble(request, UNFIT)
        except BadInput as error:
            return _trouble(
                request, Trouble("Nothing was written. This has to be corrected first", error.problems)
            )
        # What was not written, since another wrote meanwhile, is shown again.
        message = self._tabs[tab].message or {}
        return self._to(request, tab, form.get("unit", "") if message.get("conflict") else "")

    def _to(self, request: Request, tab: str, unit: str) -> Response:
        """Lead a tab to the same screen, at a unit if one is given."""
        at = f"&at={quote(unit)}" if unit else ""
        return RedirectResponse(f"{quote(request.scope['path'])}?tab={tab}{at}", HTTPStatus.SEE_OTHER)

    def _desk(self, name: str, version: str) -> Desk | None:
        folder = self._folders.get(name)
        if folder is None or version not in asked.load(folder).versions:
            return None
        return self._desks.setdefault((name, version), Desk(folder, version, self._said))

    def _tab(self, name: str) -> str:
        """Return the name of a tab, a new one where it is not one of ours."""
        if name not in self._tabs:
            name = secrets.token_hex(8)
            self._tabs[name] = Tab()
        return name

    def _values(self, found: Found, asked_for: Mapping[str, str]) -> dict[str, Any]:
        """Return what the screen shows next."""
        name = asked_for["tab"]
        tab = self._tabs[name]
        each = found.disputed.by_key.get(asked_for.get("at", "")) or self._next(name, found)
        message, tab.message = tab.message, None
        answers = found.of(each) if each else ()
        own = list(reversed(found.own))[:LISTED]
        everything = found.disputed.disagreements
        return {
            "campaign": found.disputed.campaign,
            "version": found.disputed.version.id,
            "tab": name,
            "each": each,
            "answer": answers[0] if len(answers) == 1 else OPEN,
            "seen": digest_of(answers),
            "said": in_words(each, found.said(each)) if each else "",
            "decided": [answer.decision for answer in answers],
            "settled": len(everything) - len(found.open),
            "all": len(everything),
            "message": message,
            "undo": bool(tab.settled),
            "last": [(one, in_words(one, found.said(one))) for one in own],
            "file": found.sheet,
            **shared_values(found.disputed),
        }

    def _next(self, name: str, found: Found) -> DisputedUnit | None:
        """Return what a tab is given next: first what no other tab has, last what is for later."""
        now, later = monotonic(), self._tabs[name].later
        with self._lock:
            taken = {key for key, (whose, until) in self._given.items() if whose != name and until > now}
            free = [each for each in found.open if each.key not in taken] or found.open
            given = min(
                free, key=lambda each: later.index(each.key) if each.key in later else -1, default=None
            )
            self._given = {key: place for key, place in self._given.items() if place[0] != name}
            if given:
                self._given[given.key] = (name, now + GIVEN)
        return given

    def _write(self, desk: Desk, form: Mapping[str, str], tab: Tab) -> bool:
        """Do what a form says; tell whether it says anything that can be done."""
        found = desk.look()
        if form.get("do") == "undo":
            key, before, mine = tab.settled.pop() if tab.settled else ("", (), "")
            if undone := found.disputed.by_key.get(key):
                self._say(desk, tab, undone, before, mine)
            return True
        each = found.disputed.by_key.get(form.get("unit", ""))
        if each is None:
            return False
        if form.get("do") == "later":
            tab.later = [*(key for key in tab.later if key != each.key), each.key]
            return True
        answers = answer_of(each, form, found)
        if answers and self._say(desk, tab, each, answers, form.get("seen", "")):
            tab.settled.append((each.key, found.of(each), digest_of(answers)))
        return bool(answers)

    def _say(self, desk: Desk, tab: Tab, each: DisputedUnit, answers: Sequence[Answer], seen: str) -> bool:
        """Write an answer, keep what the tab shows of it, and return whether it was written."""
        other, answer = desk.settle(each.key, answers, seen), as_one(each, answers)
        unit = each.title or each.key
        if other is not None:
            tab.message = {"conflict": in_words(each, other) or "open", "reopened": "", "unit": unit}
            return False
        file = {"answer": in_words(each, answer), "unit": unit, "conflict": ""}
        tab.message = {**file, "reopened": "" if answer.said else "yes"}
        return True


def answer_of(each: DisputedUnit, form: Mapping[str, str], found: Found) -> tuple[Answer, ...]:
    """Return what a form says of each unit of a disagreement, nothing where that is not offered."""
    label, done, cause = form.get("label", ""), form.get("do", ""), form.get("cause", "")
    said, number = Answer("", cause, form.get("note", "")), len(each.together)
    if cause and cause not in CAUSES:
        return ()
    if done == "other":
        label = form.get("other", "")
    if option := next((option for option in each.options if option.value == label), None):
        return tuple(Answer(decision, said.cause, said.note) for decision in option.decisions)
    match done:
        case "both":
            return found.disputed.both_right(each, said)
        case "silent":
            return (Answer("", SILENT, said.note),) * number
        case "open":
            return (OPEN,) * number
    return ()


def in_words(each: DisputedUnit, answer: Answer) -> str:
    """Return what was said of a disagreement."""
    nothing = bool(answer.decision) and answer.decision == each.absent
    decision = language.say(NOTHING_MARKED) if nothing else answer.decision
    cause = cause_in_words(answer.cause) if answer.cause else ""
    note = language.say(BOTH_RIGHT) if answer.note == BOTH_RIGHT else answer.note
    return ", ".join(part for part in (decision, cause, note) if part)


def shared_values(read: Disputed) -> dict[str, Any]:
    """Return what templates show of any disagreement."""
    texts, version = read.campaign.corpus.language, read.version
    return {
        "guidelines": _shown(guidelines_document(version.folder, version.id, version.document).text or ""),
        "keys": KEYS,
        "lanes": MOST_LANES,
        "several": len(read.sheets) > 1,
        "causes": [(cause, cause_in_words(cause)) for cause in CAUSES],
        "texts": Markup(' lang="{}"').format(texts) if texts else "",
    }


def _shown(guidelines: str) -> Markup:
    """Return what guidelines in Markdown say; their headings are bold, and none of the screen's."""
    without_headings = re.sub(r"^#{1,6} +(.+?) *$", r"**\1**\n", guidelines, flags=re.MULTILINE)
    return Markup(to_html(without_headings))  # noqa: S704 - sanitised by nh3


async def form_of(request: Request, most: int = 20, largest: int = LARGEST) -> Mapping[str, str] | None:
    """Return the fields of a form, None where it is not one, too large, or has too many of them."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > largest:
            return None
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=most)
    except ValueError:
        return None
    return {name: values[0] for name, values in fields.items()}


def _trouble(request: Request, trouble: Trouble) -> Response:
    content = problems_page(trouble.title, trouble.problems, quote(request.scope["path"]))
    return HTMLResponse(content, trouble.status)


def settle_file(folder: Path, version: str) -> tuple[str, int]:
    """Return the page with what is open in a version, and how much that is.

    Raises BadInput with all that is wrong in the campaign.
    """
    found = Desk(folder, version).look()
    read, disputed = found.disputed, found.open
    with language.writing(language.editions(read.campaign.language)[0]):
        text = page.screen(
            "app/settle-file.html.j2",
            template("settle.css"),
            template("settle.js") + template("settle-file.js"),
            campaign=read.campaign,
            version=read.version.id,
            all=len(disputed),
            disputed=disputed,
            head=[*read.head, NOTE],
            file=f"adjudication-{read.version.id}.csv",
            kept=digest("kept by unit", *(each.key for each in disputed)),
            asked={each.key: _asked(each, read) for each in disputed},
            nothing=OPEN,
            silent=SILENT,
            **shared_values(read),
        )
    return text, len(disputed)


def _asked(each: DisputedUnit, read: Disputed) -> dict[str, Any]:
    """Return what the page saves of a disagreement: its rows, and what each answer decides of them."""
    both = read.both_right(each, OPEN)
    together = as_one(each, both)
    return {
        "rows": [unit.row for unit in each.together],
        "options": {
            option.value: {"decisions": option.decisions, "words": in_words(each, Answer(option.words))}
            for option in each.options
        },
        "both": {
            "decisions": [answer.decision for answer in both],
            "words": together.decision,
            "cause": together.cause,
            "note": together.note,
        },
    }
