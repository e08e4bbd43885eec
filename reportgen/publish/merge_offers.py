"""What a bundle, a zip file or a folder, has for publishers; it is trusted as far as its checksums go."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import yaml

from reportgen.base.errors import BadInput, Problem, reason
from reportgen.publish import citation_cff, croissant, dataset_card
from reportgen.publish.files import CARD, CHECKSUMS, CITATION, CROISSANT, REPORT, RESULTS
from reportgen.publish.unzipping import unzip

if TYPE_CHECKING:
    from markdown_it.token import Token

# What becomes of a publisher's file, and what of it is left alone.

Kind = Literal["dataset card", "Croissant", "CITATION.cff"]


@dataclass(frozen=True)
class Offered:
    """What a bundle has for publishers: a card's blocks, fields of Croissant, a reference.

    `campaign` and `version` are whose; `link` is where the report stands, as seen from a card's folder, None
    where that is not known, and `name` how the bundle is called.
    """

    campaign: str
    version: str
    name: str
    blocks: dict[str, str]
    fields: dict[str, str | list[str]]
    conforms: tuple[str, ...]
    reference: dict[str, Any]


@dataclass
class Merged:
    """A publisher's file with what a bundle has for it; `kept` says what was left as it was, and why."""

    text: str
    kept: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Target:
    """A publisher's file as it was read: `head` is its byte order mark, if it has one."""

    path: Path
    kind: Kind
    content: bytes
    text: str
    head: bytes = b""


@dataclass(frozen=True)
class MergedFile:
    """A target, and the bytes that it gets."""

    target: Target
    content: bytes
    kept: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Tell whether there is anything to write."""
        return self.content != self.target.content


# Where the sections of a Markdown text stand, and markers; neither is looked for in code and comments.

LINE = re.compile(r"[^\n]*\n|[^\n]+")
RULE = re.compile(r"---[ \t]*\r?\n?$")
OPTIONAL = re.compile(r" ?\[optional\]$", re.IGNORECASE)
END = "end"


@dataclass(frozen=True)
class Heading:
    """A heading: its line and the one behind it, counted from 0, its level, its title in small letters."""

    line: int
    after: int
    level: int
    title: str


@dataclass(frozen=True)
class MarkdownDocument:
    """A Markdown text by its lines, with their ends; `live` are those outside of code, comments and head.

    `body` is the first line behind the head, `unclosed` that of a fence or a comment that nothing closes.
    """

    lines: tuple[str, ...]
    body: int
    headings: tuple[Heading, ...]
    live: frozenset[int]
    unclosed: int | None

    @property
    def newline(self) -> str:
        """Return how lines end."""
        return "\r\n" if any(each.endswith("\r\n") for each in self.lines[:1]) else "\n"

    def markers(self, name: str) -> list[int]:
        """Return the lines that are nothing but a marker of this name."""
        found = re.compile(rf"\s*<!--\s*{re.escape(name)}\s*-->\s*$")
        return [place for place, line in enumerate(self.lines) if place >= self.body and found.match(line)]


def page(text: str) -> MarkdownDocument:
    """Return a text by its lines, as CommonMark reads it."""
    lines = tuple(LINE.findall(text))
    body = head_of(lines)
    # A line ends with \n alone. What nothing closes takes in the paragraph that is added at the end.
    below = "".join(lines[body:]).replace("\r\n", "\n").replace("\r", " ")
    tokens = _parsed(f"{below}\n\n{END}")
    hidden = [_lines(each, body) for each in tokens if _is_hidden(each)]
    unclosed = None if tokens[-1].content == END else _lines(tokens[-1], body).start
    live = frozenset(range(body, len(lines))).difference(*hidden)
    return MarkdownDocument(lines, body, tuple(_headings(tokens, body)), live, unclosed)


def _parsed(text: str) -> list["Token"]:
    """Return the blocks of a text; of a heading or paragraph, what it says comes behind its beginning."""
    from markdown_it import MarkdownIt

    return [each for each in MarkdownIt("commonmark").parse(text) if each.map]


def _lines(token: "Token", body: int) -> range:
    first, after = token.map or (0, 0)
    return range(body + first, body + after)


def _is_hidden(token: "Token") -> bool:
    """Tell whether a block is code, or a comment of several lines; a marker is one of a single line."""
    text = token.content.strip()
    comment = token.type == "html_block" and text.startswith("<!--") and "\n" in text
    return comment or token.type in {"fence", "code_block"}


def _headings(tokens: Sequence["Token"], body: int) -> Iterator[Heading]:
    for token, inner in pairwise(tokens):
        if token.type == "heading_open" and not token.level:
            found = _lines(token, body)
            yield Heading(found.start, found.stop, int(token.tag[1:]), _title(inner.content))


def head_of(lines: Sequence[str]) -> int:
    """Return how many lines the head of a card takes, its rules included; 0 where there is none."""
    if not lines or not RULE.match(lines[0].removeprefix("\ufeff")):
        return 0
    return next((place + 1 for place, line in enumerate(lines[1:], 1) if RULE.match(line)), 0)


def _title(text: str) -> str:
    return OPTIONAL.sub("", " ".join(text.split())).casefold()


def inserted(known: MarkdownDocument, before: int, text: str) -> str:
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


# What a bundle, a zip file or a folder, has for publishers; it is trusted as far as its checksums go.

WANTED = (CARD, CITATION, CROISSANT, RESULTS)
NO_BUNDLE = "Name a bundle that `reportgen bundle` wrote, a zip file or a folder."
CHANGED = "Check it with `reportgen verify`, or make it anew."
# Where a card's own folder has it, behind which the way to the bundle is put.
WAY = f"]({REPORT}index.html)"


def offered(bundle: Path) -> Offered:
    """Return what a bundle has for publishers; raise BadInput with all that is wrong in it."""
    name = str(bundle)
    files = _files(bundle, name)
    problems = [*_problems(files, name)]
    if problems:
        raise BadInput(problems)
    try:
        return _read(files, bundle.name)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, yaml.YAMLError):
        raise BadInput(
            [Problem(name, message="holds files that reportgen did not write.", mend=CHANGED)]
        ) from None


def _files(bundle: Path, name: str) -> dict[str, bytes]:
    """Return the files that are looked at, and the checksums."""
    try:
        if bundle.is_dir():
            found = ((each, bundle / each) for each in (*WANTED, CHECKSUMS))
            return {each: path.read_bytes() for each, path in found if path.is_file()}
        unpacked = unzip(bundle.read_bytes())
    except OSError as error:
        problem = Problem(name, message=f"can't be read: {reason(error)}.", mend=NO_BUNDLE)
        raise BadInput([problem]) from None
    if unpacked.faults:
        first, message = unpacked.faults[0]
        raise BadInput([Problem(name, 0, first, message, CHANGED)])
    return unpacked.files


def _problems(files: Mapping[str, bytes], name: str) -> list[Problem]:
    missing = [each for each in (*WANTED, CHECKSUMS) if each not in files]
    if missing:
        return [Problem(name, message=f"is no bundle: it has no {', '.join(missing)}.", mend=NO_BUNDLE)]
    sums = _sums(files[CHECKSUMS])
    wrong = [each for each in WANTED if sums.get(each) != hashlib.sha256(files[each]).hexdigest()]
    message = f"is not as {CHECKSUMS} says: it was changed."
    return [Problem(name, 0, each, message, CHANGED) for each in wrong]


def _sums(content: bytes) -> dict[str, str]:
    lines = content.decode(errors="replace").splitlines()
    return {name: digest for digest, _blank, name in (line.partition("  ") for line in lines)}


def _read(files: Mapping[str, bytes], name: str) -> Offered:
    results = json.loads(files[RESULTS])
    dataset = json.loads(files[CROISSANT])
    citation = files[CITATION].decode()
    notes = citation_cff.notes_of(citation)
    if notes is None or not isinstance(dataset, dict):
        raise ValueError
    return Offered(
        campaign=_text(results["campaign"]["id"]),
        version=_text(results["guidelines"]),
        name=name,
        blocks=_blocks(files[CARD].decode()),
        fields={key: value for key, value in dataset.items() if key in croissant.NAMES},
        conforms=tuple(map(_text, dataset["conformsTo"])),
        reference=citation_cff.reference(yaml.safe_load(citation), notes),
    )


def _text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if not isinstance(value, str):
        raise TypeError
    return value


def _blocks(text: str) -> dict[str, str]:
    """Return the blocks of a card of ours, without their markers."""
    known = page(text)
    found = {}
    for name in dataset_card.PLACES:
        (start,), (end,) = known.markers(f"{name}:begin"), known.markers(f"{name}:end")
        found[name] = "".join(known.lines[start + 1 : end]).removesuffix("\n")
    return found


def linked(text: str, way: str | None, name: str) -> str:
    """Return a block whose link leads to the report from elsewhere; without a way it names the bundle."""
    before, link, after = text.rpartition(WAY)
    if not link:
        return text
    if way is not None:
        return f"{before}]({way}){after}"
    opening, _bracket, words = before.rpartition("[")
    called = " ".join(name.replace("`", " ").split())
    return f"{opening}{words} (`{REPORT}index.html` in the bundle `{called}`){after}"
