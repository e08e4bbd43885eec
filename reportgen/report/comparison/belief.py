"""Can a difference be believed? How it was tested, and what the two versions have in common."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportgen.report.comparison import wording
from reportgen.report.comparison.wording import Room
from reportgen.report.layer_texts import Said, grouped
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results.comparison import (
    Changed,
    ChangedUnit,
    ChangedUnits,
    Flips,
    UnitSetRevision,
    VersionComparison,
    VersionSide,
)
from reportgen.results.parts import Change, Method, Permutation
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, say, say_many

CATEGORIES = ("category", "categories")

# What the test does, by what it takes as independent and by what stands in both versions.
TESTED = {
    ("document", "paired"): N_(
        "The test takes the difference document by document, so that what makes one harder than another "
        "drops out."
    ),
    ("unit", "paired"): N_(
        "The test takes the difference unit by unit, so that what makes one harder than another drops out."
    ),
    ("document", "overlapping"): N_(
        "The test pairs what stands in both and takes the others as samples of their own."
    ),
    ("unit", "overlapping"): N_(
        "The test pairs what stands in both and takes the others as samples of their own."
    ),
    ("document", "unpaired"): N_(
        "The test takes them as two independent samples: easier or harder material would look the same as "
        "better or worse guidelines."
    ),
    ("unit", "unpaired"): N_(
        "The test takes them as two independent samples: easier or harder material would look the same as "
        "better or worse guidelines."
    ),
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


def how_tested(revision: UnitSetRevision) -> list[str]:
    """Return how the primary coefficient was tested, sentence by sentence."""
    change = revision.measures.get(revision.figure)
    if change is None:
        return []
    if change.test is None:
        return [_untested(change.untested)] if change.untested else []
    return [*_method(revision, change), *_needed(revision, change)]


def _untested(reason: str) -> str:
    return say("The coefficient was not tested: {reason}.", reason=wording.reason(reason))


def _method(revision: UnitSetRevision, change: Change) -> Iterator[str]:
    test, cluster = change.test, revision.clusters
    if test is None:
        return
    yield _material(revision, test.method)
    yield _(TESTED[cluster, test.method])
    degrees = (
        numbers.count(int(test.degrees))
        if test.degrees == int(test.degrees)
        else numbers.decimal(test.degrees)
    )
    yield say(RESTS[cluster], statistic=numbers.figure(test.statistic), degrees=degrees)
    if change.permutation:
        yield _permutation(change.permutation, cluster)


def _material(revision: UnitSetRevision, method: Method) -> str:
    """Return how many documents or units stand in both versions."""
    if revision.clusters == "document":
        return _documents(revision.overlap.documents, method)
    return _units(revision.overlap.units or 0, method)


def _documents(number: int, method: Method) -> str:
    count = numbers.count(number)
    if method == "unpaired":
        return _("No document stands in both versions.")
    if method == "paired":
        return say_many(
            "The same {count} document was annotated under both versions.",
            "The same {count} documents were annotated under both versions.",
            number,
            count=count,
        )
    return say_many(
        "{count} document stands in both versions, others in one alone.",
        "{count} documents stand in both versions, others in one alone.",
        number,
        count=count,
    )


def _units(number: int, method: Method) -> str:
    count = numbers.count(number)
    if method == "unpaired":
        return _("No unit stands in both versions.")
    if method == "paired":
        return say_many(
            "The same {count} unit was annotated under both versions.",
            "The same {count} units were annotated under both versions.",
            number,
            count=count,
        )
    return say_many(
        "{count} unit stands in both versions, others in one alone.",
        "{count} units stand in both versions, others in one alone.",
        number,
        count=count,
    )


def _permutation(found: Permutation, cluster: str) -> str:
    said = PERMUTED[cluster, found.exact]
    return say(said, samples=numbers.count(found.samples), p=numbers.p_is(found.p))


def _needed(revision: UnitSetRevision, change: Change) -> Iterator[str]:
    if change.needed is not None:
        yield say(
            "If the difference is as large as it looks, it would take {needed} under each version to show it "
            "(with a power of 80%).",
            needed=wording.clusters(revision, change.needed),
        )


def either_way(flips: Flips, *, by_document: bool) -> str:
    """Return the test that units change from disputed to agreed as often as the other way."""
    p = numbers.p_is(flips.p or 0.0)
    if by_document:
        return say("If chance alone made documents change either way: {p} (exact McNemar test).", p=p)
    return say("If chance alone made units change either way: {p} (exact McNemar test).", p=p)


def sides(comparison: VersionComparison, revision: UnitSetRevision) -> ReportTable:
    """Return what each version brings into the comparison, and what stands in both."""
    first, second, overlap = revision.first, revision.second, revision.overlap
    both = [name for name in second.categories if name in first.categories]
    rows: tuple[tuple[Cell, ...], ...] = (
        (_("Date"), *(_date(each) for each in (comparison.first, comparison.second)), ""),
        (_("Documents"), *map(numbers.count, (first.documents, second.documents, overlap.documents))),
        (
            _("Units rated by two or more"),
            *map(numbers.count, (first.units, second.units)),
            numbers.NONE if overlap.units is None else numbers.count(overlap.units),
        ),
        (_("Annotators"), *map(wording.listed, (first.annotators, second.annotators, overlap.annotators))),
        (
            _("Categories"),
            *(wording.listed(each, CATEGORIES) for each in (first.categories, second.categories, both)),
        ),
    )
    columns = (
        TableColumn("what", _("What")),
        TableColumn("first", say("Guidelines {version}", version=comparison.first.guidelines)),
        TableColumn("second", say("Guidelines {version}", version=comparison.second.guidelines)),
        TableColumn("both", _("In both")),
    )
    caption = say(
        "What is compared: {unit_set}, {basis}.", unit_set=revision.unit_set, basis=wording.basis(revision)
    )
    return ReportTable("sides", caption, columns, rows)


def _date(side: VersionSide) -> str:
    return date(side.date) if side.date else numbers.NONE


# Units that changed sides, in their text: mended, broken, and those still disputed.

LONGEST = 160
# What lists of units are called, and what their summaries say.
SUMMARIES = {
    "mended": N_("Settled: disputed before, agreed now ({units})"),
    "broken": N_("New: agreed before, disputed now ({units})"),
    "disputed": N_("Still disputed: under both versions ({units})"),
}
HEADS = {
    "mended": N_("Settled"),
    "broken": N_("New disagreement"),
    "disputed": N_("Still disputed"),
}


@dataclass(frozen=True)
class UnitRow:
    """A unit in its context, with who said what under each version."""

    document: str
    before: str
    unit: str
    after: str
    first: Said
    second: Said


@dataclass(frozen=True)
class UnitList:
    """One list of units: `total` is how many there are, `known` how many the CSV has, `rows` are shown."""

    key: str
    rows: tuple[UnitRow, ...]
    known: int
    total: int
    noun: str = "units"

    @property
    def head(self) -> str:
        """Return what the list is called."""
        return _(HEADS[self.key])

    @property
    def summary(self) -> str:
        """Return what its units have in common, and how many there are."""
        return say(SUMMARIES[self.key], units=numbers.counted_in(self.total, self.noun))


def lists(found: ChangedUnits, revision: UnitSetRevision | None, room: Room) -> list[UnitList]:
    """Return the lists of one unit set that are not empty."""
    people = (revision.second.annotators, revision.first.annotators) if revision else ()
    noun = revision.noun if revision else "units"
    flips = revision.flips if revision else None
    parts = {"mended": found.mended, "broken": found.broken, "disputed": found.disputed}
    return [
        UnitList(key, tuple(_shown(units, people, room)), len(units), getattr(flips, key, len(units)), noun)
        for key, units in parts.items()
        if units
    ]


def _shown(units: Sequence[ChangedUnit], people: Sequence[Sequence[str]], room: Room) -> Iterator[UnitRow]:
    """Yield as many units as a page has room for."""
    left = room.text
    for each in units[: room.units]:
        row = UnitRow(
            shortened(each.document or ""),
            shortened(each.before),
            shortened(each.unit),
            shortened(each.after),
            said(each.first, people),
            said(each.second, people),
        )
        left -= len(row.document + row.before + row.unit + row.after)
        left -= sum(len(who) + len(what) for who, what in (*row.first, *row.second))
        if left < 0:
            return
        yield row


def shortened(text: str) -> str:
    """Return a text on one line, cut in the middle where it is very long."""
    one_line = " ".join(text.split()) if text.strip() else text
    # Context joins the unit without a blank between them where the text has none.
    one_line = f"{' ' * text[:1].isspace()}{one_line}{' ' * text[-1:].isspace()}" if text.strip() else text
    half = LONGEST // 2
    return one_line if len(one_line) <= LONGEST else f"{one_line[:half]} … {one_line[-half:]}"


def said(labels: Mapping[str, str], people: Sequence[Sequence[str]]) -> Said:
    """Return who says what, those who say the same together."""
    return grouped((name, shortened(labels[name])) for name in wording.in_order(labels, *people))


def csv_table(changed: Changed | None) -> ReportTable | None:
    """Return the units of all lists for the CSV; None without texts or without any such unit."""
    names = ("layer", "unit_set", "side", "document", "before", "unit", "after", "first", "second")
    rows = tuple(_csv_rows(changed)) if changed else ()
    columns = tuple(TableColumn(name, name) for name in names)
    return ReportTable("", "", columns, rows, file="changed-units.csv") if rows else None


def _csv_rows(changed: Changed) -> Iterator[tuple[Cell, ...]]:
    for found in changed.unit_sets:
        for side, units in (("mended", found.mended), ("broken", found.broken), ("disputed", found.disputed)):
            for each in units:
                context = (each.document or "", each.before, each.unit, each.after)
                yield (found.layer, found.unit_set, side, *context, _flat(each.first), _flat(each.second))


def _flat(labels: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {labels[name]}" for name in sorted(labels))
