"""Serving from beginning to end: listen, build, watch, until the user ends it or closes the last tab."""

import contextlib
import signal
import threading
import time
import traceback
import webbrowser
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from http import HTTPStatus
from pathlib import Path
from typing import NoReturn

from jinja2 import TemplateSyntaxError
from watchfiles import Change, DefaultFilter, watch

from reportgen import campaign as asked
from reportgen.app.door import Door, take
from reportgen.app.servers.exchange import UNFINISHED
from reportgen.app.session import place, session
from reportgen.app.settle import SettleScreen
from reportgen.app.web import ServedSite, Server, Trouble, browse
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, printable, reason, refused
from reportgen.base.files import templates
from reportgen.base.site_folder import INDEX, refusals, scratch_folder
from reportgen.cli.common import bars, say, tell
from reportgen.pipeline import build_cache
from reportgen.pipeline.build import build_site
from reportgen.pipeline.build_cache import Remembered, data_intact, recall

# Which files matter: those of campaigns and templates, but for what programs leave beside them.

# Milliseconds without another change after which a change is acted on, and how often it is looked whether a
# folder that was gone is there again.
SETTLED, LOOK_MILLISECONDS = 40, 1000


class Sources(DefaultFilter):
    """Lets changes of sources pass."""

    def __init__(self, site: Path) -> None:
        """Let nothing pass of the site itself, wherever it is."""
        super().__init__(ignore_paths=[site.resolve()])
        # A site, exports or a file of a campaign while they are made, and locks.
        self._beside = (".reportgen-", f"{UNFINISHED}-")

    def __call__(self, change: Change, path: str) -> bool:
        """Tell whether a change may be one of a source."""
        is_output = path.endswith(".lock") or any(mark in path for mark in self._beside)
        return not is_output and super().__call__(change, path)


def changes(campaigns: Sequence[Path], site: Path) -> Iterator[Collection[Path]]:
    """Yield the files that changed, again and again; none where some may have changed unseen.

    That is so while nobody watched yet, and where a campaign's folder came or went.
    """
    while True:
        watched, unseen = _existing(campaigns), True
        for changed in watch(
            *watched,
            watch_filter=Sources(site),
            step=SETTLED,
            rust_timeout=LOOK_MILLISECONDS,
            yield_on_timeout=True,
        ):
            if changed or unseen:
                yield {Path(path).resolve() for _, path in changed}
            unseen = False
            if _existing(campaigns) != watched:
                yield ()
                break


def _existing(campaigns: Sequence[Path]) -> list[Path]:
    return [folder for folder in (templates(), *campaigns) if folder.is_dir()]


# The site built again and again: what is looked at first, then all of it; else what is wrong.

NOT_BUILT = Trouble(
    "No report is built here",
    ["Settle disagreements by the address that the terminal shows; `reportgen serve` builds the report."],
    HTTPStatus.NOT_FOUND,
)
BUILDING = Trouble("The report is being built", status=HTTPStatus.SERVICE_UNAVAILABLE)
WRONG = "Nothing was built: the campaign has to be corrected"
BROKEN = "Nothing was built: a template or the program has to be corrected"
TEMPLATE = ".j2"


@dataclass
class Workshop:
    """Campaigns, the site that is built from them, and what is shown of it."""

    campaigns: Sequence[Path]
    site: Path
    served: ServedSite
    looked_at: Callable[[], list[str]] = field(default=lambda: [])  # noqa: PIE807 - of a type that is known
    # Whether the site is nobody's but this command's, so that nothing in it was published.
    prune: bool = False

    def build(self, changed: Collection[Path] | None = None) -> None:
        """Build the site after some files changed; show what is wrong where that can't be.

        Where none is known to have changed since it was built last, only what is new is named.
        """
        start, before = time.perf_counter(), self.served.trouble
        of_templates = templates().resolve()
        build_cache.forget()
        if any(path.is_relative_to(of_templates) for path in changed or ()):
            self._look_ahead()
        try:
            with bars() as progress:
                site = build_site(self.campaigns, self.site, progress, prune=self.prune)
        except BadInput as error:
            self._complain(Trouble(WRONG, error.problems), before)
        except Exception as error:  # noqa: BLE001 - who edits a template corrects it and goes on
            self._complain(Trouble(BROKEN, [in_short(error)]), before)
        else:
            self.served.show()
            written = sum(len(campaign.written) for campaign in site.campaigns)
            if written or changed or changed is None:
                tell(site.notices)
                seconds = time.perf_counter() - start
                built = f"Built: {written} folder{'' if written == 1 else 's'} made again in {seconds:.1f} s."
                say(built if written else "Nothing changed in the site.")

    def _complain(self, trouble: Trouble, before: Trouble | None) -> None:
        """Show what is wrong, and tell it where it is not what was wrong before."""
        self.served.show(trouble)
        if trouble != before:
            tell(trouble.problems)

    def _look_ahead(self) -> None:
        """Render the pages that somebody looks at from the results that there are, before all others."""
        from reportgen.report.page import forget

        forget()
        try:
            ahead = dict(self._rendered())
        except Exception as error:  # noqa: BLE001 - as above
            self.served.show(Trouble(BROKEN, [in_short(error)]))
        else:
            if ahead:
                self.served.show(ahead=ahead)

    def _rendered(self) -> Iterator[tuple[str, bytes]]:
        """Yield the pages that are looked at, by their paths in the site."""
        from reportgen.pipeline.targets import page_of

        memory = recall(self.site)
        for path in dict.fromkeys(self.looked_at()):
            page = path.strip("/") + (f"/{INDEX}" if path.endswith("/") else "")
            location = next(_locations(page, memory.campaigns), None)
            sources = {source.name: source for source in self.campaigns}
            if location is None or location[0] not in sources:
                continue
            campaign, name, inner_path = location
            folder, remembered = self.site / campaign / name, memory.campaigns[campaign].folders[name]
            if data_intact(folder, remembered):
                language = asked.load(sources[campaign]).language
                if text := page_of(folder, remembered.data, language, inner_path):
                    yield page, text.encode()


def _locations(page: str, campaigns: Mapping[str, Remembered]) -> Iterator[tuple[str, str, str]]:
    """Yield the campaign and folder in which a page may be, and its name there: inner folders first."""
    campaign, _, path = page.partition("/")
    if campaign in campaigns:
        for name in sorted(campaigns[campaign].folders, key=len, reverse=True):
            if not name or path.startswith(f"{name}/"):
                yield campaign, name, path.removeprefix(f"{name}/") if name else path


def in_short(error: BaseException) -> str:
    """Return what went wrong, and the line of the template or program where it did."""
    steps = traceback.walk_tb(error.__traceback__)
    places = [(Path(frame.f_code.co_filename).name, line) for frame, line in steps]
    if isinstance(error, TemplateSyntaxError):
        places.append((error.name or "", error.lineno))
    template = [step for step in places if step[0].endswith(TEMPLATE)] or places
    name, line = template[-1]
    return printable(f"{name}:{line}: {type(error).__name__}: {error}")


# The command's work from beginning to end: listen, build, watch, until somebody ends it.


def serve_site(campaigns: Sequence[Path], *, port: int, out: Path | None, opened: bool) -> None:
    """Build the site and serve it on this computer until the user ends it; build again what changes.

    Raises BadInput where the port can't be listened to, or the site can't be where it should.
    """
    with _place(out) as site:
        served, screen = ServedSite(site, BUILDING), SettleScreen(campaigns, say)
        server = _server(port, served, screen)
        workshop = Workshop(campaigns, site, served, server.looked_at, prune=out is None)
        with until_ended(), server.answering():
            say(f"Serving on {server.address} (end with Ctrl-C)")
            say(f"To settle disagreements: {screen.address}")
            if opened:
                webbrowser.open(server.address)
            workshop.build()
            for changed in changes(campaigns, site):
                workshop.build(changed)
    say("Ended.")


def serve_screen(campaign: Path, version: str, *, port: int, opened: bool) -> None:
    """Serve the screen where a version's disagreements are settled, until the user ends it.

    Raises BadInput where the port can't be listened to.
    """
    screen = SettleScreen([campaign], say)
    screen.begin_at(campaign, version)
    with scratch_folder("reportgen-settle-") as scratch:
        server = _server(port, ServedSite(scratch / "site", NOT_BUILT), screen)
        with until_ended(), server.answering():
            say(f"Settle disagreements on {screen.address} (end with Ctrl-C)")
            if opened:
                browse(screen.address, scratch)
            threading.Event().wait()
    say("Ended. Everything that was decided is in the sheet.")


def _server(port: int, served: ServedSite, screen: SettleScreen) -> Server:
    server = Server(port, served, screen.routes)
    screen.server = server.address
    return server


class Ended(KeyboardInterrupt):
    """The user ended the command.

    Python itself ends by the signal, whatever becomes of it, where its own exception passes through code that
    was made from a text, as every dataclass is.
    """


@contextlib.contextmanager
def until_ended() -> Iterator[None]:
    """Work until the user ends it, and end as if the work were done."""
    before = {number: signal.signal(number, _end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with contextlib.suppress(KeyboardInterrupt):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(*_: object) -> NoReturn:
    raise Ended


@contextlib.contextmanager
def _place(out: Path | None) -> Iterator[Path]:
    """Yield where the site goes: the user's folder, or one that is gone afterwards."""
    if out is not None:
        if problems := refusals(out):
            raise BadInput(problems)
        yield out
        return
    with scratch_folder("reportgen-serve-") as scratch:
        yield scratch / "site"


# Seconds between two looks at whether a tab is there.
LOOK_SECONDS = 0.5


def open_here(files: Sequence[Path], *, port: int, opened: bool) -> None:
    """Serve the application until the user ends it, or closes its last tab.

    Raises BadInput for files that can't be read, and where the port can't be had.
    """
    for file in files:
        if not file.exists():
            raise refused(str(file), message="there is no such file or folder.", remedy="Check the name.")
    with session(place(), new=bool(files)) as own:
        try:
            if files:
                take(own, files)
        except OSError as error:
            raise refused(str(files[0]), message=f"can't be copied: {reason(error)}.") from None
        door = Door(own, say)
        server = door.listening(port)
        if own.campaign is not None and not files:
            say("Going on with what was open when the program ended last.")
        with until_ended(), server.answering():
            # After a crash, what was decided is there.
            own.kept = True
            say(f"Open in a browser: {door.address}")
            say("It ends when its last tab is closed, or with Ctrl-C. Nothing leaves this computer.")
            if opened:
                browse(door.address, own.folder)
            while not door.tabs.are_closed and not door.tabs.are_silent:
                time.sleep(LOOK_SECONDS)
        own.kept = door.tabs.are_silent
    if own.kept:
        say("Ended: nothing was heard of the browser. Open it again to go on where you were.")
    else:
        say("Ended. What was not kept is removed.")
