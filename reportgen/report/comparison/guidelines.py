"""The guidelines compared: what was added and removed, beside the categories that moved."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from reportgen.report.tables import ReportTable, TableColumn
from reportgen.results.comparison import GuidelinesCompared, Passage
from reportgen.words import numbers
from reportgen.words.language import N_, say, say_many

LONGEST = 600
# A passage that keeps so much of its words is shown as one, with its words struck out and put in.
ALIKE = 0.5
EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|_|`)(?=\S)(.+?)(?<=\S)\1(?!\w)")
WORD = re.compile(r"\S+\s*")

Side = Literal["kept", "removed", "added"]


# What happened to a passage, in a word.
KINDS = {"added": N_("added"), "removed": N_("removed"), "changed": N_("changed")}


class PassageSegment(NamedTuple):
    """A stretch of a passage that stays, goes or comes."""

    side: Side
    text: str


@dataclass(frozen=True)
class Shown:
    """A passage as the page shows it: `kind` in words, its pieces, and the categories that it names."""

    kind: str
    pieces: tuple[PassageSegment, ...]
    heading: bool = False
    categories: tuple[str, ...] = ()


def summary(found: GuidelinesCompared) -> str:
    """Return how many passages came, went and stayed."""
    kinds = [each.kind for each in found.passages]
    if set(kinds) <= {"kept"}:
        return say_many(
            "{first} and {second} have the same one passage: nothing in the guidelines was changed.",
            "{first} and {second} have the same {count} passages: nothing in the guidelines was changed.",
            len(kinds),
            first=found.first,
            second=found.second,
            count=numbers.count(len(kinds)),
        )
    counts = {kind: numbers.count(kinds.count(kind)) for kind in ("added", "removed", "kept")}
    return say_many(
        "{first} and {second}, passage by passage: {added} passage added, {removed} removed, {kept} kept.",
        "{first} and {second}, passage by passage: {added} passages added, {removed} removed, {kept} kept.",
        kinds.count("added"),
        first=found.first,
        second=found.second,
        **counts,
    )


def naming(found: GuidelinesCompared | None, category: str) -> str:
    """Return how many passages that were added, and that were removed, name a category; empty for none."""
    kinds = [each.kind for each in found.passages if category in each.categories] if found else []
    added, removed = kinds.count("added"), kinds.count("removed")
    if not added and not removed:
        return ""
    return say("{added} added, {removed} removed", added=numbers.count(added), removed=numbers.count(removed))


def csv_table(found: GuidelinesCompared) -> ReportTable:
    """Return every passage for the CSV."""
    columns = tuple(TableColumn(name, name) for name in ("kind", "text", "categories"))
    rows = tuple((each.kind, each.text, ", ".join(each.categories)) for each in found.passages)
    return ReportTable("", "", columns, rows, file="guidelines.csv")


def shown(passages: Sequence[Passage]) -> Iterator[Shown]:
    """Yield what changed in order, below its headings, of which one that was kept stands there for it."""
    heading: Passage | None = None
    place = 0
    while place < len(passages):
        each, after = passages[place], passages[place + 1] if place + 1 < len(passages) else None
        if each.kind == "kept":
            heading = each if is_heading(each.text) else heading
            place += 1
            continue
        if heading is not None and not is_heading(each.text):
            yield Shown("", (PassageSegment("kept", plain(heading.text)),), heading=True)
        heading = None
        edited = _edited(each, after) if each.kind == "removed" and after and after.kind == "added" else None
        yield edited or _alone(each)
        place += 2 if edited else 1


def _alone(passage: Passage) -> Shown:
    side: Side = "added" if passage.kind == "added" else "removed"
    piece = PassageSegment(side, plain(passage.text))
    return Shown(side, (piece,), is_heading(passage.text), passage.categories)


def _edited(removed: Passage, added: Passage) -> Shown | None:
    """Return a passage that was edited, word by word; None where little of it stayed."""
    before, after = WORD.findall(plain(removed.text)), WORD.findall(plain(added.text))
    matcher = SequenceMatcher(None, _bare(before), _bare(after), autojunk=False)
    if matcher.ratio() < ALIKE:
        return None
    pieces = tuple(_pieces(matcher, before, after))
    categories = tuple(dict.fromkeys((*added.categories, *removed.categories)))
    return Shown("changed", pieces, is_heading(added.text), categories)


def _bare(words: Sequence[str]) -> list[str]:
    return [word.strip() for word in words]


def _pieces(
    matcher: SequenceMatcher[str], before: Sequence[str], after: Sequence[str]
) -> Iterator[PassageSegment]:
    for what, start, end, other_start, other_end in matcher.get_opcodes():
        if what == "equal":
            yield PassageSegment("kept", "".join(after[other_start:other_end]).strip())
            continue
        if start < end:
            yield PassageSegment("removed", "".join(before[start:end]).strip())
        if other_start < other_end:
            yield PassageSegment("added", "".join(after[other_start:other_end]).strip())


def is_heading(text: str) -> bool:
    """Tell whether a passage is a heading."""
    return text.lstrip("#").startswith(" ") and text.startswith("#")


def plain(text: str) -> str:
    """Return a passage without signs of Markdown that a reader does not need, cut where it is long."""
    bare = text.lstrip("#").strip().strip("|").strip()
    cut = bare if len(bare) <= LONGEST else f"{bare[:LONGEST]}…"
    return EMPHASIS.sub(r"\2", EMPHASIS.sub(r"\2", cut))
