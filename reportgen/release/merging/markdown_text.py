"""Where the sections of a Markdown text stand, and markers; neither is looked for in code and comments."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LINE = re.compile(r"[^\n]*\n|[^\n]+")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
HEADING = re.compile(r" {0,3}(#{1,6})(?![^ \t\r\n])(.*)")
# Signs behind a title, of which blanks are single by then.
CLOSING = re.compile(r" #+$")
RULED = re.compile(r" {0,3}(=+|-+)[ \t]*\r?\n?$")
RULE = re.compile(r"---[ \t]*\r?\n?$")
OPTIONAL = re.compile(r" ?\[optional\]$", re.IGNORECASE)
OPENS, CLOSES = "<!--", "-->"


@dataclass(frozen=True)
class Heading:
    """A heading: its line and the one behind it, counted from 0, its level, its title in small letters."""

    line: int
    after: int
    level: int
    title: str


@dataclass(frozen=True)
class Page:
    """A Markdown text by its lines, with their ends; `live` are those outside of code, comments and head.

    `unclosed` is the line of a fence or a comment that nothing closes.
    """

    lines: tuple[str, ...]
    live: frozenset[int]
    body: int
    unclosed: int | None = None

    @property
    def newline(self) -> str:
        """Return how lines end."""
        return "\r\n" if any(each.endswith("\r\n") for each in self.lines[:1]) else "\n"

    @property
    def headings(self) -> list[Heading]:
        """Return the headings in their order."""
        return list(_headings(self))

    def markers(self, name: str) -> list[int]:
        """Return the lines that are nothing but a marker of this name."""
        found = re.compile(rf"\s*<!--\s*{re.escape(name)}\s*-->\s*$")
        return [place for place, line in enumerate(self.lines) if place >= self.body and found.match(line)]


def page(text: str) -> Page:
    """Return a text by its lines."""
    lines = tuple(LINE.findall(text))
    body = head_of(lines)
    # One more line tells what is open at the end.
    states = dict(_states((*lines, "\n"), body))
    unclosed = states.pop(len(lines), None)
    live = frozenset(place for place, opened in states.items() if opened is None)
    return Page(lines, live, body, unclosed)


def head_of(lines: Sequence[str]) -> int:
    """Return how many lines the head of a card takes, its rules included; 0 where there is none."""
    if not lines or not RULE.match(lines[0].removeprefix("\ufeff")):
        return 0
    return next((place + 1 for place, line in enumerate(lines[1:], 1) if RULE.match(line)), 0)


def _states(lines: Sequence[str], body: int) -> Iterator[tuple[int, int | None]]:
    """Yield each line with that which opened the code or the comment around it, None where it is text."""
    opened: int | None = None
    fence = ""
    for place, line in enumerate(lines[body:], body):
        if opened is not None:
            yield place, opened
            opened = None if _closes(line, fence) else opened
            continue
        found = FENCE.match(line)
        if found and not (found[1][0] == "`" and "`" in found[2]):
            opened, fence = place, found[1]
        elif line.lstrip(" ").startswith(OPENS) and CLOSES not in line.partition(OPENS)[2]:
            opened, fence = place, ""
        yield place, opened


def _closes(line: str, fence: str) -> bool:
    """Tell whether a line closes a fence, or a comment where there is none."""
    if not fence:
        return CLOSES in line
    found = FENCE.match(line)
    return found is not None and found[1].startswith(fence) and not found[2].strip()


def _headings(known: Page) -> Iterator[Heading]:
    for place in sorted(known.live):
        line = known.lines[place]
        if found := HEADING.match(line):
            yield Heading(
                place, place + 1, len(found[1]), _title(CLOSING.sub("", " ".join(found[2].split())))
            )
        elif place + 1 in known.live and line.strip() and _is_ruled(known, place):
            level = 1 if known.lines[place + 1].lstrip().startswith("=") else 2
            yield Heading(place, place + 2, level, _title(line))


def _is_ruled(known: Page, place: int) -> bool:
    """Tell whether a line is underlined; of a paragraph of several lines none is taken for a heading."""
    before = known.lines[place - 1].strip() if place > known.body else ""
    return not before and bool(RULED.match(known.lines[place + 1]))


def _title(text: str) -> str:
    return OPTIONAL.sub("", " ".join(text.split())).casefold()


def inserted(known: Page, before: int, text: str) -> str:
    """Return the page with a paragraph of its own behind the last line that is not blank before a place."""
    after = before
    while after and not known.lines[after - 1].strip():
        after -= 1
    newline = known.newline
    shown = text.replace("\n", newline)
    head, tail = "".join(known.lines[:after]), "".join(known.lines[after:])
    if not head:
        return f"{shown}{newline}{newline if tail else ''}{tail}"
    if not head.endswith("\n"):
        return f"{head}{newline}{newline}{shown}"
    apart = newline if tail and known.lines[after].strip() else ""
    return f"{head}{newline}{shown}{newline}{apart}{tail}"
