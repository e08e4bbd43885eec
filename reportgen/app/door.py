"""The application for people without a terminal: they drop files, see how these were read, take the report.

Everything it shows needs the cookie that the token in its address was exchanged for.
"""

import html
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import escape
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from reportgen import campaign as asked
from reportgen.app.session import (
    CAMPAIGNS,
    LARGEST,
    LARGEST_FILE,
    OURS,
    SITE,
    Session,
    problems_by_name,
    receive,
)
from reportgen.app.settle import SettleScreen, form_of
from reportgen.app.understood import (
    OBSERVED,
    ROLES,
    Grid,
    OpenedTables,
    answers,
    chosen_rows,
    figures,
    grid_of,
    of_version,
    open_tables,
    read_as_built,
    roles_of,
    shown_text,
    understood,
    unit_sets,
)
from reportgen.app.web import Entrance, ServedSite, Server, Tabs, sha256, template, with_code
from reportgen.base import LANGUAGES
from reportgen.base.errors import BadInput, refused
from reportgen.base.site_folder import write_file
from reportgen.findings.protocol import ALIKE, LOOKING_MISSING, UNKNOWN
from reportgen.findings.units import UNJUSTIFIED
from reportgen.pipeline.export_folder import name_after
from reportgen.pipeline.reading import LastRead, VersionExports
from reportgen.pipeline.scaffold import Decisions
from reportgen.publish.exported_files import office_file, paper_obstacles
from reportgen.readers import Recognised, recognise
from reportgen.readers.reader import raise_first_problems
from reportgen.readers.recipe import ColumnRole, roles_read
from reportgen.readers.table_reading import TableReading, reading_by_roles
from reportgen.readers.table_rows import RowChoice
from reportgen.report import page
from reportgen.report.paper import references, with_citations
from reportgen.report.sections.method import methods_details, methods_paragraph
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.units.pseudonyms import is_retired, kept_pseudonyms
from reportgen.words import language
from reportgen.words.language import N_, Edition, say
from reportgen.words.names import WHERE_KEYS_ARE

PATH = "/.reportgen/open/"
ENTER = f"{PATH}enter"
DROP, READING, KEEP, TAKE = f"{PATH}drop", f"{PATH}reading", f"{PATH}keep", f"{PATH}take/"
PATHS = {"drop": DROP, "reading": READING, "keep": KEEP, "take": TAKE}
# Bytes and fields of the form of a reading; letters of what somebody writes.
LARGEST_FORM, MOST_FIELDS, LONGEST = 400_000, 2_000, 2_000
# Buttons of a category that is lower or higher than it was.
MOVES = ("up-", "down-")
# What one column alone can be.
SINGLE = ("document", "annotator", "question", "pass", "text")
PEOPLE = {"person": "annotator", "reference": "reference", "model": "model", "system": "system"}
SCALES = ("nominal", "ordinal", "interval", "ratio", "set")
EXAMPLE = "reviews-of-films.csv"
OF_FILES = ("annotator", "document", "layer")


class Door:
    """The screens of one session, as routes of the application."""

    def __init__(self, session: Session, said: Callable[[str], None]) -> None:
        """Serve a session; `said` prints a line."""
        self.session, self.tabs = session, Tabs()
        self.entrance = Entrance(lambda _: said(f"For another browser: {self.address}"))
        self.below = self.entrance.below
        self.settle = SettleScreen([], said, self.entrance, lambda content: with_code(content, self._code))
        self.server, self._language = "", ""
        self._opened: tuple[object, OpenedTables] | None = None
        self._last = LastRead()

    @property
    def address(self) -> str:
        """Return where the application opens, once, for a browser."""
        return f"{self.server.rstrip('/')}{self.below}{ENTER}?token={self.entrance.token}"

    def listening(self, port: int) -> Server:
        """Return the server of the screens and of the site; raise BadInput where the port can't be had."""
        served = ServedSite(self.session.site, home=f"{self.below}/")
        server = Server(port, served, self.routes, known=self.knows, dressed=self.dressed, below=self.below)
        self.server = server.address
        return server

    @property
    def routes(self) -> list[BaseRoute]:
        """Return what the application answers with the screens, below the path of its entrance."""
        return [
            Route(ENTER, self._enter, methods=["GET"]),
            Route(PATH, self._first, methods=["GET"]),
            Route("/", self._first, methods=["GET"]),
            Route(DROP, self._drop, methods=["GET", "POST"]),
            Route(READING, self._reading, methods=["GET", "POST"]),
            Route(KEEP, self._keep, methods=["GET"]),
            Route(f"{TAKE}{{file}}", self._take_along, methods=["GET"]),
            Route(f"{PATH}here", self._here, methods=["POST"]),
            Route(f"{PATH}gone", self._gone, methods=["POST"]),
            *self.settle.routes,
        ]

    def knows(self, request: Request) -> bool:
        """Tell whether a request may be answered: it has our cookie, or brings the token for it."""
        return request.url.path == f"{self.below}{ENTER}" or self.entrance.has_in(request)

    def dressed(self, content: bytes) -> bytes:
        """Return a page of the site with the way back, and the script that says that its tab is there."""
        with self._writing():
            links = [(READING, f"← {say('How it was read')}"), (KEEP, f"{say('Keep')} →")]
            where = say(WHERE_KEYS_ARE)
            for advice, control in INSTEAD.items():
                content = content.replace(_as_shown(advice), _as_shown(control))
        items = "".join(f'<a href="{self.below}{path}">{html.escape(word)}</a>' for path, word in links)
        items = f"{items}<span>{html.escape(where)}</span>"
        bar = f'<style>{BAR}</style><nav class="door" aria-label="reportgen">{items}</nav>'
        allowed = STYLES.sub(
            lambda match: f"{match[0]}{html.escape(repr(f'sha256-{sha256(BAR)}'))} ",
            content.decode(),
            count=1,
        )
        return with_code(allowed.encode(), self._code, bar)

    @property
    def _code(self) -> str:
        """Return the script that says that a tab is there."""
        return template("here.js").replace("%(path)s", f"{self.below}{PATH}")

    def _writing(self) -> Any:  # noqa: ANN401 - a context manager of ours
        return language.writing(Edition(self.session.decided.language or self._language or "en"))

    # The screens

    def _to(self, path: str) -> Response:
        return RedirectResponse(f"{self.below}{path}", HTTPStatus.SEE_OTHER)

    def _enter(self, request: Request) -> Response:
        return self.entrance.enter(request, f"{self.below}{PATH}")

    def _first(self, request: Request) -> Response:
        self._language = self._language or preferred(request.headers.get("accept-language", ""))
        return self._to(READING if self.session.campaign else DROP)

    async def _drop(self, request: Request) -> Response:
        is_next = bool(request.query_params.get("next")) and self.session.campaign is not None
        if request.method == "GET":
            if (code := request.query_params.get("language")) in LANGUAGES:
                self._language = str(code)
            return await run_in_threadpool(self._files, is_next=is_next)
        try:
            if request.query_params.get("example"):
                await form_of(request)
                await run_in_threadpool(self._take_example)
                return self._to(READING)
            arrived = self.session.arriving
            try:
                fields = await receive(request.headers, request.stream(), arrived)
                if is_next:
                    await run_in_threadpool(self.session.take_next, arrived, fields.get("version", ""))
                else:
                    await run_in_threadpool(self.session.take, arrived)
            finally:
                shutil.rmtree(arrived, ignore_errors=True)
        except BadInput as error:
            answer = await run_in_threadpool(self._files, HTTPStatus.BAD_REQUEST, error, is_next=is_next)
            # Who goes on sending what is not taken is cut off.
            answer.headers["Connection"] = "close"
            return answer
        return self._to(READING if self.session.campaign else DROP)

    def _files(
        self, status: HTTPStatus = HTTPStatus.OK, problems: BadInput | None = None, *, is_next: bool
    ) -> Response:
        """Return the screen that takes files: for a first version, or for the next one of the guidelines."""
        try:
            known = [version.id for version in self.session.survey().versions] if is_next else []
        except BadInput as error:
            known, problems = [], problems or error
        suggested = name_after(known[-1]) if known else ""
        return self._screen("open-drop", status, problems, known=known, suggested=suggested)

    def _take_example(self) -> None:
        arrived = self.session.arriving
        (arrived / EXAMPLE).write_text(template("example.csv"), encoding="utf-8")
        self.session.take(arrived)

    async def _reading(self, request: Request) -> Response:
        form = None
        version = request.query_params.get("version", "")
        if request.method == "POST":
            form = await form_of(request, MOST_FIELDS, LARGEST_FORM)
            if form is None:
                return self._to(READING)
        return await run_in_threadpool(self._read, form, version)

    def _read(self, form: Mapping[str, str] | None, asked_for: str) -> Response:
        session = self.session
        if session.campaign is None:
            return self._to(DROP)
        version = session.version(asked_for)
        problems: BadInput | None = None
        with session.lock:
            if form is not None:
                done = form.get("do", "")
                try:
                    if done == "take-back":
                        session.take_back()
                        return self._to(READING)
                    session.decide(self._decided(form, version))
                    if done == "report":
                        session.build()
                        return self._to(self._report)
                except BadInput as error:
                    problems = error
                else:
                    at = f"#{quote(_after(done))}" if done.startswith(MOVES) else ""
                    return self._to(f"{READING}{f'?version={quote(version)}' if asked_for else ''}{at}")
            try:
                shown = self._understood(version)
            except BadInput as error:
                unread = UNREAD | self._grid(version)
                return self._screen("open-reading", problems=problems or error, **unread)
            problems = problems or shown.pop("wrong", None)
            return self._screen("open-reading", problems=problems, **READ | shown)

    @property
    def _report(self) -> str:
        """Return where the report of the newest version is."""
        campaign = asked.load(self.session.campaign or Path())
        return f"/{quote(campaign.id)}/{quote(campaign.versions[-1])}/"

    def _understood(self, version: str) -> dict[str, Any]:
        """Return what the screen shows of a reading; raise BadInput where files can't be read."""
        session = self.session
        if session.is_described:
            return {"described": True, "figures": figures(self._as_built(version))}
        survey, decided = session.survey(), session.decided
        found = of_version(survey, version)
        own = found.export_survey
        values = {
            **understood(survey, found, decided),
            **self._grid(version),
            "text": next(filter(None, map(shown_text, own.read)), None),
        }
        if own.to_choose:
            given = list(answers(survey, found, decided, OURS))
            return values | {"ways": given, "asking": True, "wrong": BadInput(own.problems)}
        try:
            session.write()
            read = self._as_built(found.id)
            values |= {"figures": figures(read), "units": unit_sets(read, values["plan"])}
        except BadInput as error:
            values |= {"wrong": error, "stuck": True}
        if values["everybody"] < 2 or not values["marks"]:
            return values | {"wrong": None, "stuck": True, "alone": True}
        return values

    def _as_built(self, version: str) -> VersionExports:
        """Return what `build` reads of a version; raise BadInput with files called as they were given."""
        folder = self.session.campaign or Path()
        try:
            return read_as_built(folder, version, self._last)
        except BadInput as error:
            raise BadInput(problems_by_name(error, folder)) from None

    def _grid(self, version: str) -> dict[str, Any]:
        """Return the first rows of a version's table, and what its columns are; None where there is none."""
        decided = self.session.decided
        rows, reading = decided.rows.get(version, RowChoice()), decided.readings.get(version)
        try:
            found = of_version(self.session.survey(), version)
            known: Recognised | None = found.files
            roles, reading = roles_of(found.export_survey), reading or found.export_survey.reading
        except BadInput:
            known = self._recognised(version)
            used = roles_read(reading.shape) if reading else {}
            roles = {name: ColumnRole(role, "") for name, role in used.items()}
        files = [(file.path, file.path.stat().st_ino) for file in (known.read if known else ())]
        if self._opened is None or self._opened[0] != (files, rows):
            opened = open_tables(known.reader, known.read, rows) if known else OpenedTables()
            self._opened = (files, rows), opened
        opened = self._opened[1]
        return {
            "table": grid_of(opened, roles, rows),
            "tables": opened.tables,
            "of_files": len(opened.tables) > 1,
            # Headers of two parts, and columns for each label of a set, are read as a whole.
            "whole": bool(reading and (reading.shape.grid or reading.shape.indicators)),
            "reading": reading,
        }

    def _recognised(self, version: str) -> Recognised | None:
        """Return whose files can't be read as they are."""
        try:
            return recognise(self.session.files_of(version))
        except BadInput:
            return None

    # What a form says

    def _decided(self, form: Mapping[str, str], version: str) -> Decisions:
        """Return what is decided after a form was sent: what differs from what was found."""
        session, done = self.session, form.get("do", "")
        if done == "found":
            return Decisions(language=session.decided.language)
        before = session.decided
        sent = form
        form = {name: value for name, value in sent.items() if sent.get(f"was-{name}") != value}
        if done.startswith("way-"):
            left = of_version(session.survey(), version).export_survey.ways
            if not done[4:].isdecimal() or int(done[4:]) >= len(left):
                message = "this question is not asked any more."
                raise refused("", message=message, remedy="It was answered in another tab.")
            return before.model_copy(update={"readings": before.readings | {version: left[int(done[4:])]}})
        update: dict[str, Any] = {}
        shown = self._grid(version)
        rows = before.rows.get(version, RowChoice())
        if shown["table"] and (chosen := chosen_rows(shown["table"], rows, sent)) != rows:
            # Columns may have other names then.
            readings = {name: said for name, said in before.readings.items() if name != version}
            update |= {"rows": before.rows | {version: chosen}, "readings": readings}
        if said := self._said(form, shown):
            update["readings"] = before.readings | {version: said}
        if changes := form.get("changes", "").strip()[:LONGEST]:
            update["changes"] = before.changes | {version: changes}
        if (code := form.get("language", "")) in LANGUAGES and (before.language or code != language.ENGLISH):
            update["language"] = code
        if title := form.get("title", "").strip()[:LONGEST]:
            update["title"] = title
        update["roles"] = before.roles | dict(_roles(form))
        groups = dict.fromkeys(before.groups) | dict(_groups(sent))
        update["groups"] = tuple(name for name, is_compared in groups.items() if is_compared is not False)
        update |= _of_layers(before, sent, form)
        update["absent"] = before.absent | dict(_absent(sent))
        update |= _answered(form, done)
        update["whys"] = before.whys | {
            name.removeprefix("why-"): value.strip()[:LONGEST]
            for name, value in form.items()
            if name.startswith("why-")
        }
        if form.get("primary"):
            update["primary"] = form["primary"]
        return Decisions.model_validate(before.model_dump() | update)

    def _said(self, form: Mapping[str, str], shown: Mapping[str, Any]) -> TableReading | None:
        """Return the reading that columns of a form say, None where they say what was read anyhow."""
        table: Grid | None = shown["table"]
        if table is None or shown["whole"] or not shown["tables"]:
            return None
        said = {
            column.name: role
            if (role := form.get(f"column-{place}", column.role)) in ("", *ROLES)
            else column.role
            for place, column in enumerate(table.columns)
        }
        path = form.get("files", "")
        is_same = said == {column.name: column.role for column in table.columns}
        if is_same and not path and form.get("do") != "aside":
            return None
        for role in SINGLE:
            if len(names := [name for name, own in said.items() if own == role]) > 1:
                message = f"are all said to be one thing: {', '.join(names)}."
                remedy = "Several columns can be what was labelled, or labels; of anything else there is one."
                raise refused(table.file, message=message, remedy=remedy)
        now = shown["reading"]
        pattern = f"{{{path}}}" if path in OF_FILES else now.path if now else ""
        return reading_by_roles(shown["tables"], {name: role for name, role in said.items() if role}, pattern)

    # What is kept

    def _keep(self, _: Request) -> Response:
        try:
            campaign = asked.load(self.session.campaign or Path())
            file = self.session.site / campaign.id / campaign.versions[-1] / "results.json"
            results = Results.model_validate_json(file.read_bytes())
            view = ReportView(results)
        except (BadInput, OSError):
            return self._to(READING)
        folder = self.session.campaign or Path()
        self.settle.show(folder)
        with self._writing():
            paragraph = methods_paragraph(view)
            methods, cited = with_citations(paragraph), references(view, paragraph)
            details = with_citations(methods_details(view))
        campaign = asked.load(folder)
        return self._screen(
            "open-keep",
            methods=methods,
            references=cited,
            details=details,
            plain=_in_plain_words(results),
            settle=self.settle.path_to(folder, campaign.versions[-1]),
            people={
                name: called
                for name, called in kept_pseudonyms(campaign).annotators.items()
                if not is_retired(name)
            },
        )

    def _take_along(self, request: Request) -> Response:
        name = request.path_params["file"]
        folder = self.session.campaign
        if folder is None or name not in ("campaign.zip", "paper.docx", "tables.xlsx"):
            return self._to(DROP)
        arriving = self.session.arriving
        out = arriving / name
        try:
            if name == "campaign.zip":
                self.session.build()
                pack(self.session, out)
            else:
                campaign = asked.load(folder)
                raise_first_problems(paper_obstacles(out, campaign))
                code = self.session.decided.language or campaign.language[0]
                content, _table = office_file(campaign, campaign.versions[-1], out.suffix, code)
                write_file(out, content)
        except BadInput as error:
            return self._screen(
                "open-reading",
                problems=error,
                **UNREAD,
            )
        called = f"{folder.name}.zip" if name == "campaign.zip" else f"{folder.name}-{name}"
        return FileResponse(out, filename=called, background=BackgroundTask(_remove, out))

    async def _here(self, request: Request) -> Response:
        self.tabs.here(request.query_params.get("tab", "")[:64])
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def _gone(self, request: Request) -> Response:
        self.tabs.gone(request.query_params.get("tab", "")[:64])
        return Response(status_code=HTTPStatus.NO_CONTENT)

    def _screen(
        self,
        name: str,
        status: HTTPStatus = HTTPStatus.OK,
        problems: BadInput | None = None,
        **values: Any,  # noqa: ANN401
    ) -> Response:
        with self._writing():
            content = page.screen(
                f"app/{name}.html.j2",
                template("open.css"),
                template("open.js"),
                problems=problems.problems if problems else (),
                started=self.session.campaign is not None,
                built=(self.session.site / "index.html").exists(),
                report=self._report_or_none(),
                here_language=language.edition().language,
                languages=LANGUAGES,
                paths={name: f"{self.below}{path}" for name, path in PATHS.items()},
                most=(LARGEST_FILE // 1024**2, LARGEST // 1024**2),
                **values,
            )
        return HTMLResponse(with_code(content.encode(), self._code), status)

    def _report_or_none(self) -> str:
        try:
            return f"{self.below}{self._report}" if (self.session.site / "index.html").exists() else ""
        except BadInput:
            return ""


# What a screen shows of a reading where nothing else is said, and of files that can't be read.
READ: dict[str, Any] = {
    "described": False,
    "whole": False,
    "of_files": False,
    "faulty": False,
    "stuck": False,
    "alone": False,
    "asking": False,
    "ways": (),
    "figures": (),
    "units": (),
    "table": None,
    "text": None,
}
UNREAD = READ | {"faulty": True, "asking": True}
BAR = (
    ".door{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:0;padding:.6rem 1.25rem;"
    "background:var(--tint);border-bottom:1px solid var(--rule);font-size:.9rem}"
    ".door a{color:var(--link);text-decoration:underline}"
)
# What pages of the report advise to write into campaign.toml, and where that is said here.
INSTEAD = {
    UNJUSTIFIED.advice: N_("Say why on “How it was read”."),
    UNKNOWN.advice: N_("Say it on “How it was read”."),
    ALIKE.advice: N_("Say on “How it was read” that they are the same, or correct the file."),
    LOOKING_MISSING.advice: N_("Say on “How it was read” which labels mean that there is no label."),
}
STYLES = re.compile(r"style-src ")


def _as_shown(message: str) -> bytes:
    """Return a message as pages have it."""
    return str(escape(say(message))).encode()


def preferred(accepted: str) -> str:
    """Return the first language that a browser asks for and pages are written in."""
    codes = [part.split(";")[0].strip().split("-")[0].lower() for part in accepted.split(",")]
    return next((code for code in codes if code in LANGUAGES), "")


def take(session: Session, files: Sequence[Path]) -> None:
    """Copy files and folders into a session; raise BadInput with what can't be."""
    arrived = session.arriving
    for file in files:
        if file.is_dir():
            shutil.copytree(file, arrived / file.resolve().name, ignore=shutil.ignore_patterns(".*", "site"))
        else:
            shutil.copy(file, arrived / file.name)
    session.take(arrived)


def pack(session: Session, out: Path) -> None:
    """Write a zip of the campaign and its site, of which `reportgen build` makes the same site again."""
    folder = session.campaign
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in _packed(folder, session.site) if folder else ():
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)


def _packed(campaign: Path, site: Path) -> Iterator[tuple[str, Path]]:
    for start, folder in ((f"{CAMPAIGNS}/{campaign.name}", campaign), (SITE, site)):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.name.endswith(".lock"):
                yield f"{start}/{path.relative_to(folder).as_posix()}", path


def _roles(form: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, role in form.items():
        number = name.removeprefix("role-")
        who = form.get(f"who-{number}", "")
        if name.startswith("role-") and who and role in PEOPLE:
            yield who, PEOPLE[role]


def _answered(form: Mapping[str, str], done: str) -> Iterator[tuple[str, bool | None]]:
    """Yield what was answered with yes or no: of spellings, and of how people worked."""
    if "independent" in form:
        yield "independent", {"yes": True, "no": False}.get(form["independent"])
    if done in ("same", "differ"):
        yield "alike", done == "same"


def _absent(form: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """Yield labels of which it was said whether they stand for a missing one."""
    answer, _, asked_of = form.get("do", "").partition("-")
    if answer in ("none", "label"):
        for label in form.get(f"coded-{asked_of}", "").split("\n"):
            if label.strip("\r"):
                yield label.strip("\r"), answer == "none"
    for name, label in form.items():
        number = name.removeprefix("label-of-")
        now, was = form.get(f"none-of-{number}", ""), form.get(f"was-none-of-{number}", "")
        if name.startswith("label-of-") and now != was:
            yield label, bool(now)


def _groups(form: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """Yield the columns of groups whose box was changed, and whether it is ticked now."""
    for name, column in form.items():
        number = name.removeprefix("column-of-group-")
        now, was = form.get(f"group-{number}", ""), form.get(f"was-group-{number}", "")
        if name.startswith("column-of-group-") and now != was:
            yield column, bool(now)


def _of_layers(before: Decisions, form: Mapping[str, str], changed: Mapping[str, str]) -> dict[str, Any]:
    """Return scales, orders and what is no layer, as they are after a form was sent."""
    scales, orders, left_out = dict[str, str](before.scales), dict(before.orders), set(before.left_out)
    for source, scale, order, used in _layers(form, changed):
        if scale in SCALES:
            scales[source] = scale
        if order:
            orders[source] = order
            scales.setdefault(source, scale or "ordinal")
        if used is not None:
            (left_out.discard if used else left_out.add)(source)
    return {"scales": scales, "orders": orders, "left_out": tuple(sorted(left_out))}


def _layers(
    form: Mapping[str, str], changed: Mapping[str, str]
) -> Iterator[tuple[str, str, tuple[str, ...], bool | None]]:
    """Yield of each layer its source, and what changed: its scale, its order, whether it is compared."""
    for name, source in form.items():
        number = name.removeprefix("source-")
        if not name.startswith("source-"):
            continue
        order = [line.strip("\r") for line in form.get(f"order-{number}", "").split("\n") if line.strip()]
        done = form.get("do", "")
        if is_moved := done.startswith(tuple(f"{move}{number}-" for move in MOVES)):
            place, by = _step(done)
            order = _moved(order, place, by)
        # It was dragged.
        is_moved = is_moved or done == f"order-{number}"
        # Whether the order of words counts was asked.
        counts, does_not = (done == f"{answer}-{number}" for answer in ("ordered", "names"))
        scale = "ordinal" if counts else "nominal" if does_not else changed.get(f"scale-{number}", "")
        # A box that is not ticked is not sent.
        use, was = form.get(f"use-{number}", ""), form.get(f"was-use-{number}", "")
        is_used = None if use == was else use == "yes"
        yield source, scale, tuple(order) if is_moved or scale == "ordinal" else (), is_used


def _step(done: str) -> tuple[int, int]:
    """Return which category a button moves, and by how much."""
    place = done.rpartition("-")[2]
    return int(place) if place.isdecimal() else -1, -1 if done.startswith("up-") else 1


def _after(done: str) -> str:
    """Return the button that moves the same category once it was moved."""
    place, by = _step(done)
    return f"{done.rpartition('-')[0]}-{place + by}"


def _moved(order: list[str], place: int, by: int) -> list[str]:
    if not (0 <= place < len(order) and 0 <= place + by < len(order)):
        return order
    order[place], order[place + by] = order[place + by], order[place]
    return order


def _in_plain_words(results: Results) -> tuple[float, float] | None:
    """Return observed agreement and the coefficient of the primary units, None where there is no figure."""
    measures = results.primary.measures
    observed, headline = measures.get(OBSERVED), measures.get(results.coefficient)
    if observed is None or headline is None or observed.value is None or headline.value is None:
        return None
    return observed.value, headline.value


def _remove(path: Path) -> None:
    shutil.rmtree(path.parent, ignore_errors=True)
