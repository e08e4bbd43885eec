"""What stands at the moment: the site as it was built last, pages rendered since, or what is wrong."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from reportgen.errors import Problem
from reportgen.serving.shown import UNKNOWN, digest_of, problems_digest, problems_page, type_of

INDEX = "index.html"


@dataclass(frozen=True)
class Answer:
    """What a browser is sent; `is_page` says whether it is a page that is reloaded when it changes.

    `seen` tells a page of problems from another one: they reload themselves.
    """

    content: bytes
    name: str
    status: HTTPStatus = HTTPStatus.OK
    is_page: bool = False
    location: str = ""
    seen: str = ""


@dataclass(frozen=True)
class Trouble:
    """What stands in place of every page: a heading, and what is wrong."""

    title: str
    problems: Sequence[Problem | str] = ()
    status: HTTPStatus = HTTPStatus.INTERNAL_SERVER_ERROR

    def answer(self) -> Answer:
        """Return the page that says so."""
        page, seen = problems_page(self.title, self.problems), problems_digest(self.title, self.problems)
        return Answer(page, INDEX, self.status, seen=seen)


MISSING = Trouble("There is no such page", status=HTTPStatus.NOT_FOUND)


@dataclass
class Standing:
    """The site in a folder, and what stands before it; whoever waits is told when any of it changes."""

    site: Path
    trouble: Trouble | None = None
    ended: bool = False
    turn: int = 0
    _ahead: Mapping[str, bytes] = field(default_factory=dict)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def stand(self, trouble: Trouble | None = None, ahead: Mapping[str, bytes] | None = None) -> None:
        """Say that the site was built, or why it was not, or that some pages of it look otherwise by now."""
        with self._changed:
            self.trouble, self._ahead = trouble, ahead or {}
            self.turn += 1
            self._changed.notify_all()

    def end(self) -> None:
        """Send home whoever waits."""
        self.ended = True
        self.stand(self.trouble)

    def wait(self, turn: int, seconds: float) -> None:
        """Wait until something changed after a turn, but no longer than so many seconds."""
        with self._changed:
            if self.turn == turn:
                self._changed.wait(seconds)

    def answer(self, path: str) -> Answer | None:
        """Return what stands at a path, None where nothing does."""
        trouble, is_page = self.trouble, _is_page(path)
        if trouble and is_page:
            return trouble.answer()
        name = path.removeprefix("/") + (INDEX if path.endswith("/") else "")
        if name in self._ahead:
            return Answer(self._ahead[name], name, is_page=True)
        return self._file(path, name) or (MISSING.answer() if is_page else None)

    def digest(self, path: str) -> str:
        """Return what tells the page at a path from what stood there before."""
        found = self.answer(path)
        return (found.seen or digest_of(found.content)) if found else ""

    def _file(self, path: str, name: str) -> Answer | None:
        """Return a file of the site; for a folder without its slash, the way to it."""
        place = self.site / name
        try:
            if not place.resolve().is_relative_to(self.site.resolve()):
                return None
            if place.is_dir():
                moved = HTTPStatus.MOVED_PERMANENTLY
                found = (place / INDEX).is_file()
                return Answer(b"", INDEX, moved, location=f"{path}/") if found else None
            return Answer(place.read_bytes(), name, is_page=name.endswith(".html"))
        except (OSError, ValueError):
            return None


def _is_page(path: str) -> bool:
    """Tell whether a path is that of a page: a folder, with its slash or without, or a page's file."""
    last = path.rpartition("/")[2]
    return last.endswith(".html") or type_of(last) in {UNKNOWN, type_of("")}
