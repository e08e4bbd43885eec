"""The guidelines compared: what was added and removed, beside the categories that moved."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from reportgen.report.comparison import wording
from reportgen.report.comparison.changes import ChangeRow, estimate_with_p
from reportgen.report.comparison.wording import ALL, Room
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results.comparison import GuidelinesCompared, Passage
from reportgen.words import numbers
from reportgen.words.language import N_, _, say_many

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

    @property
    def said(self) -> str:
        """Return what happened to it in a word."""
        return _(KINDS[self.kind])


@dataclass(frozen=True)
class GuidelinesView:
    """Two guidelines documents, of which the passages that changed are shown."""

    whole: GuidelinesCompared
    moves: Mapping[str, ChangeRow]
    order: Sequence[str]
    room: Room = ALL

    @property
    def changed(self) -> list[Shown]:
        """Return the passages that changed, and the headings above them, in order."""
        return list(_shown(self.whole.passages))

    @property
    def shown(self) -> list[Shown]:
        """Return those that the page has room for."""
        return self.changed[: self.room.passages]

    @property
    def summary(self) -> str:
        """Return how many passages came, went and stayed."""
        kinds = [each.kind for each in self.whole.passages]
        counts = {kind: numbers.count(kinds.count(kind)) for kind in ("added", "removed", "kept")}
        return say_many(
            "{first} and {second}, passage by passage: {added} passage added, {removed} removed, {kept} "
            "kept.",
            "{first} and {second}, passage by passage: {added} passages added, {removed} removed, {kept} "
            "kept.",
            kinds.count("added"),
            first=self.whole.first,
            second=self.whole.second,
            **counts,
        )

    @property
    def same(self) -> bool:
        """Tell whether nothing was changed."""
        return all(each.kind == "kept" for each in self.whole.passages)

    def move(self, category: str) -> str:
        """Return how far a category's specific agreement moved."""
        row = self.moves.get(category)
        return estimate_with_p(row) if row else numbers.NONE

    def moved(self, category: str) -> str:
        """Return the same without interval and p."""
        row = self.moves.get(category)
        return row.difference if row else numbers.NONE

    @property
    def categories(self) -> ReportTable:
        """Return each category with its change and how many passages that were added or removed name it."""
        columns = (
            TableColumn("category", _("Category")),
            TableColumn("change", _("Change in specific agreement")),
            TableColumn("added", _("Added passages that name it"), "count"),
            TableColumn("removed", _("Removed ones"), "count"),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, self.move(name), self._times(name, "added"), self._times(name, "removed"))
            for name in self._listed()
        )
        return ReportTable(
            "guidelines-categories", _("Categories in the passages that changed."), columns, rows
        )

    def _listed(self) -> list[str]:
        """Return the categories that moved or are named; where they are many, those that are named."""
        named = set(self._named())
        listed = wording.in_order({*named, *self.moves}, self.order)
        if len(listed) > self.room.categories:
            listed = [name for name in listed if name in named]
        return listed[: self.room.categories]

    def _named(self) -> Iterator[str]:
        for each in self.whole.passages:
            if each.kind != "kept":
                yield from each.categories

    def _times(self, category: str, kind: str) -> int:
        return sum(each.kind == kind and category in each.categories for each in self.whole.passages)

    def csv_table(self) -> ReportTable:
        """Return every passage for the CSV."""
        columns = (
            TableColumn("kind", "kind"),
            TableColumn("text", "text"),
            TableColumn("categories", "categories"),
        )
        rows = tuple((each.kind, each.text, ", ".join(each.categories)) for each in self.whole.passages)
        return ReportTable("", "", columns, rows, file="guidelines.csv")


def _shown(passages: Sequence[Passage]) -> Iterator[Shown]:
    """Yield what changed; a kept heading only where something under it did."""
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
