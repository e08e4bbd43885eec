"""What tests see of a page: in Chromium, and in its text."""

import functools
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Dialog, Page

# The height of the smallest letters in figures that can be seen, in pixels.
SMALLEST = """() => Math.min(...[...document.querySelectorAll("svg text")]
    .filter(text => text.checkVisibility())
    .map(text => parseFloat(getComputedStyle(text).fontSize)
        * text.ownerSVGElement.getBoundingClientRect().width / text.ownerSVGElement.viewBox.baseVal.width))"""
SCROLLS = "scrollTo(9999, 0), [scrollX, document.documentElement.scrollWidth - innerWidth]"


@dataclass
class Seen:
    """What a page did that a reader, or somebody else on the network, could notice."""

    requests: list[str] = field(default_factory=list)
    spoke: list[str] = field(default_factory=list)


VIEWS = ((1280, "light"), (375, "dark"))


def in_turn(names: Iterable[str]) -> list[tuple[str, int, str]]:
    """Return each page with how it is looked at: wide and light, or as on a phone in the dark, in turn."""
    return [(name, *view) for name, view in zip(names, cycle(VIEWS), strict=False)]


def watched(page: Page) -> Seen:
    seen = Seen()
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda message: seen.spoke.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: seen.spoke.append(f"error: {error}"))
    page.on("popup", lambda _: seen.spoke.append("a window was opened"))

    def dismissed(dialog: Dialog) -> None:
        seen.spoke.append("a dialog was opened")
        dialog.dismiss()

    page.on("dialog", dismissed)
    return seen


def violations(page: Page, *, contrast: bool = False) -> list[tuple[str, list[str]]]:
    """Return what axe finds; contrast, most of its work, is looked at once for what has the same colours."""
    # Nobody reads what passes; axe would describe all of it.
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": contrast}}}
    found = Axe().run(page, options=options).response["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]


class Parsed(HTMLParser):
    """Ids, references and links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.references: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.policy = ""
        self.sheets: list[str] = []
        self.scripts: list[str] = []
        self.data: list[str] = []
        self._in: list[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.handlers += [name for name in values if name.startswith("on") or name == "style"]
        if "id" in values:
            self.ids.append(values["id"])
        for name in ("aria-labelledby", "aria-describedby", "aria-controls", "for", "headers"):
            self.references += values.get(name, "").split()
        for value in values.values():
            self.references += re.findall(r"url\(#([^)]+)\)", value)
        if tag == "use":
            self.references.append(values.get("xlink:href", values.get("href", "#")).removeprefix("#"))
        elif "href" in values or "src" in values:
            self.links.append((tag, values.get("href", values.get("src", ""))))
        if values.get("http-equiv", "").lower() == "content-security-policy":
            assert not self.sheets
            self.policy = values["content"]
        runs = self.data if values.get("type") == "application/ld+json" else self.scripts
        self._in = {"style": self.sheets, "script": runs}.get(tag)

    def handle_data(self, data: str) -> None:
        if self._in is not None:
            self._in.append(data)
            self._in = None


def parsed(path: Path) -> Parsed:
    """Return what a page has, looked for once as long as the file is the same; nobody changes it."""
    now = path.stat()
    return _parsed(path, now.st_ino, now.st_mtime_ns, now.st_size)


@functools.lru_cache(maxsize=256)
def _parsed(path: Path, *_: int) -> Parsed:
    return Parsed(path.read_text(encoding="utf-8"))


def linked(site: Path) -> Iterator[tuple[Path, str, str]]:
    for path in sorted(site.rglob("*.html")):
        for tag, target in parsed(path).links:
            yield path, tag, target


def check_links(site: Path) -> int:
    """Hold that every link leads somewhere; return how many lead to another place of the site."""
    inside = 0
    ids: dict[Path, set[str]] = {}
    for path, tag, target in linked(site):
        address = urllib.parse.urlsplit(target)
        assert tag == "a"
        if address.scheme:
            assert address.scheme == "https", (path, target)
            continue
        inside += 1
        assert not address.netloc
        assert not address.path.startswith("/")
        there = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
        assert there.is_file(), (path, target)
        assert there.is_relative_to(site.resolve())
        if address.fragment:
            if there not in ids:
                ids[there] = set(parsed(there).ids)
            assert address.fragment in ids[there], (path, target)
    return inside


def check_ids(site: Path) -> None:
    for path in sorted(site.rglob("*.html")):
        page = parsed(path)
        assert sorted(page.ids) == sorted(set(page.ids)), path
        assert set(page.references) <= set(page.ids), path
