"""What changed in the guidelines, whether a difference can be believed, and which units changed sides."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from reportgen.report import version_changes as changes
from reportgen.report.layer_texts import grouped
from reportgen.report.phrases import Strong, Text
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.report.tables import plain as plain_columns
from reportgen.results.comparison import (
    Changed,
    ChangedUnit,
    ChangedUnits,
    Flips,
    GuidelinesCompared,
    Passage,
    UnitSetRevision,
    VersionComparison,
    VersionSide,
)
from reportgen.results.parts import Method
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, isolated, say, say_many

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


def passages_table(found: GuidelinesCompared) -> ReportTable:
    """Return every passage for the CSV."""
    rows = tuple((each.kind, each.text, ", ".join(each.categories)) for each in found.passages)
    return ReportTable("", "", plain_columns("kind text categories"), rows, file="guidelines.csv")


def shown(passages: Sequence[Passage]) -> Iterator[Shown]:
    """Yield what changed in order, below its headings, of which one that was kept is there for it."""
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


CATEGORIES = ("category", "categories")

# What the test does, by what is in both versions and what it takes as independent.
APART = N_(
    "The test takes them as two independent samples: easier or harder material would look the same as "
    "better or worse guidelines."
)
PARTLY = N_("The test pairs what is in both and takes the others as samples of their own.")
TESTED = {
    ("document", "paired"): N_(
        "The test takes the difference document by document, so that what makes one harder than another "
        "drops out."
    ),
    ("unit", "paired"): N_(
        "The test takes the difference unit by unit, so that what makes one harder than another drops out."
    ),
    ("document", "overlapping"): PARTLY,
    ("unit", "overlapping"): PARTLY,
    ("document", "unpaired"): APART,
    ("unit", "unpaired"): APART,
}
RESTS = {
    "document": N_(
        "It takes each document as independent of the others (t = {statistic}, {degrees} degrees of freedom)."
    ),
    "unit": N_(
        "It takes each unit as independent of the others (t = {statistic}, {degrees} degrees of freedom)."
    ),
}
# A permutation test, by what it exchanges and whether it tries all ways.
PERMUTED = {
    ("document", True): N_(
        "A second test exchanges the two versions document by document in all {samples} ways: {p}."
    ),
    ("document", False): N_(
        "A second test exchanges the two versions document by document at random, {samples} times: {p}."
    ),
    ("unit", True): N_("A second test exchanges the two versions unit by unit in all {samples} ways: {p}."),
    ("unit", False): N_(
        "A second test exchanges the two versions unit by unit at random, {samples} times: {p}."
    ),
}


def how_tested(revision: UnitSetRevision) -> Iterator[str]:
    """Yield how the primary coefficient was tested, sentence by sentence."""
    change, cluster = revision.measures.get(revision.figure), revision.clusters
    if change is None:
        return
    test = change.test
    if test is None:
        if change.untested:
            reason = changes.reason(change.untested)
            yield say("The coefficient was not tested: {reason}.", reason=reason)
        return
    overlap = revision.overlap
    if cluster == "document":
        yield _documents(overlap.documents, test.method)
    else:
        yield _units(overlap.units or 0, test.method)
    yield _(TESTED[cluster, test.method])
    whole = test.degrees == int(test.degrees)
    degrees = numbers.count(int(test.degrees)) if whole else numbers.decimal(test.degrees)
    yield say(RESTS[cluster], statistic=numbers.figure(test.statistic), degrees=degrees)
    if second := change.permutation:
        said = PERMUTED[cluster, second.exact]
        yield say(said, samples=numbers.count(second.samples), p=numbers.p_is(second.p))
    if change.needed is not None:
        yield say(
            "If the difference is as large as it looks, it would take {needed} under each version to show it "
            "(with a power of 80%).",
            needed=changes.clusters(revision, change.needed),
        )


def _documents(number: int, method: Method) -> str:
    count = numbers.count(number)
    if method == "unpaired":
        return _("No document is in both versions.")
    if method == "paired":
        return say_many(
            "The same {count} document was annotated under both versions.",
            "The same {count} documents were annotated under both versions.",
            number,
            count=count,
        )
    return say_many(
        "{count} document is in both versions, others in one alone.",
        "{count} documents are in both versions, others in one alone.",
        number,
        count=count,
    )


def _units(number: int, method: Method) -> str:
    count = numbers.count(number)
    if method == "unpaired":
        return _("No unit is in both versions.")
    if method == "paired":
        return say_many(
            "The same {count} unit was annotated under both versions.",
            "The same {count} units were annotated under both versions.",
            number,
            count=count,
        )
    return say_many(
        "{count} unit is in both versions, others in one alone.",
        "{count} units are in both versions, others in one alone.",
        number,
        count=count,
    )


def either_way(flips: Flips, *, by_document: bool) -> str:
    """Return the test that units change from disputed to agreed as often as the other way."""
    p = numbers.p_is(flips.p or 0.0)
    if by_document:
        return say("If chance alone made documents change either way: {p} (exact McNemar test).", p=p)
    return say("If chance alone made units change either way: {p} (exact McNemar test).", p=p)


def sides(comparison: VersionComparison, revision: UnitSetRevision) -> ReportTable:
    """Return what each version brings into the comparison, and what is in both."""
    first, second, overlap = revision.first, revision.second, revision.overlap
    both = [name for name in second.categories if name in first.categories]
    shared = numbers.NONE if overlap.units is None else numbers.count(overlap.units)
    rows: tuple[tuple[Cell, ...], ...] = (
        (_("Date"), *map(_date, (comparison.first, comparison.second)), ""),
        (_("Documents"), *map(numbers.count, (first.documents, second.documents, overlap.documents))),
        (_("Units rated by two or more"), *map(numbers.count, (first.units, second.units)), shared),
        (_("Annotators"), *map(changes.listed, (first.annotators, second.annotators, overlap.annotators))),
        (
            _("Categories"),
            *(changes.listed(each, CATEGORIES) for each in (first.categories, second.categories, both)),
        ),
    )
    versions = (each.guidelines for each in (comparison.first, comparison.second))
    titles = (_("What"), *(say("Guidelines {version}", version=each) for each in versions), _("In both"))
    columns = map(TableColumn, ("what", "first", "second", "both"), titles)
    caption = say(
        "What is compared: {unit_set}, {basis}.", unit_set=revision.unit_set, basis=changes.basis(revision)
    )
    return ReportTable("sides", caption, tuple(columns), rows)


def _date(side: VersionSide) -> str:
    return date(side.date) if side.date else numbers.NONE


# Units that changed sides, in their text: mended, broken, and those still disputed.

LONGEST_UNIT = 160
# So many units of a list are shown, with so many letters together; all of them are in the CSV.
MOST_UNITS, MOST_LETTERS = 30, 6000
# What lists of units are called, and how many there are.
SUMMARIES = {
    "mended": N_("Settled: disputed before, agreed now ({units})"),
    "broken": N_("New: agreed before, disputed now ({units})"),
    "disputed": N_("Still disputed: under both versions ({units})"),
}


@dataclass(frozen=True)
class UnitList:
    """One list of units: `total` is how many there are, `known` how many the CSV has, `items` are shown."""

    summary: str
    items: tuple[Text, ...]
    known: int
    total: int


def lists(found: ChangedUnits, revision: UnitSetRevision, versions: Sequence[str]) -> Iterator[UnitList]:
    """Yield the lists of one unit set that are not empty."""
    parts = {"mended": found.mended, "broken": found.broken, "disputed": found.disputed}
    for key, units in parts.items():
        if units:
            total = getattr(revision.flips, key, len(units))
            summary = say(SUMMARIES[key], units=numbers.counted_in(total, revision.noun))
            yield UnitList(summary, tuple(_items(units, revision, versions)), len(units), total)


def _items(
    units: Sequence[ChangedUnit], revision: UnitSetRevision, versions: Sequence[str]
) -> Iterator[Text]:
    """Yield as many units as a page has room for, in context, with who said what under each version."""
    people = (revision.second.annotators, revision.first.annotators)
    left = MOST_LETTERS
    for each in units[:MOST_UNITS]:
        labels = [_said(found, people) for found in (each.first, each.second)]
        unit = Strong(shortened(each.unit) or _("(blank)"))
        named = [
            say("{name}: {value}", name=name, value=value)
            for name, value in zip(versions, labels, strict=True)
        ]
        about = _("; ").join(filter(None, (*named, shortened(each.document or ""))))
        item = (shortened(each.before), unit, shortened(each.after), f" ({about})")
        left -= sum(len(part) if isinstance(part, str) else len(part.text) for part in item)
        if left < 0:
            return
        yield item


def shortened(text: str) -> str:
    """Return a text on one line, cut in the middle where it is very long."""
    one_line = " ".join(text.split()) if text.strip() else text
    # Context joins the unit without a blank between them where the text has none.
    one_line = f"{' ' * text[:1].isspace()}{one_line}{' ' * text[-1:].isspace()}" if text.strip() else text
    half = LONGEST_UNIT // 2
    return one_line if len(one_line) <= LONGEST_UNIT else f"{one_line[:half]} … {one_line[-half:]}"


def _said(labels: Mapping[str, str], people: Sequence[Sequence[str]]) -> str:
    """Return who says what, those who say the same together."""
    found = grouped((name, shortened(labels[name])) for name in changes.in_order(labels, *people))
    return " · ".join(f"{isolated(who)} {isolated(what)}" for who, what in found)


def units_table(changed: Changed | None) -> ReportTable | None:
    """Return the units of all lists for the CSV; None without texts or without any such unit."""

    def flat(labels: Mapping[str, str]) -> str:
        return ", ".join(f"{name}: {labels[name]}" for name in sorted(labels))

    columns = plain_columns("layer unit_set side document before unit after first second")
    rows = tuple(
        (
            *(found.layer, found.unit_set, side, each.document or ""),
            *(each.before, each.unit, each.after, flat(each.first), flat(each.second)),
        )
        for found in (changed.unit_sets if changed else ())
        for side, units in (("mended", found.mended), ("broken", found.broken), ("disputed", found.disputed))
        for each in units
    )
    return ReportTable("", "", columns, rows, file="changed-units.csv") if rows else None
