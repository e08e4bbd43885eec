"""Two versions as their page sees them: unit sets, marks, guidelines, units that changed sides."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.report import against_reference as systems
from reportgen.report import version_changes as changes
from reportgen.report.blocks import Block, Details, Items, Strong, Text, remark
from reportgen.report.documents import grouped
from reportgen.report.tables import Cell, ReportTable, TableColumn, csv_if, fields, slug_of
from reportgen.report.tables import plain as plain_columns
from reportgen.report.version_changes import ChangeRow, ChangeTable
from reportgen.results import Finding
from reportgen.results.parts import Change, Method
from reportgen.results.versions import (
    Changed,
    ChangedUnit,
    ChangedUnits,
    GuidelinesCompared,
    Passage,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
    on_shared,
)
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, isolated, say, say_either, say_many, set_apart
from reportgen.words.names import figure_name
from reportgen.words.numbers import Note, note

LONGEST = 600
EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|_|`)(?=\S)(.+?)(?<=\S)\1(?!\w)")

# What happened to a passage, in a word.
KINDS = {"added": N_("added"), "removed": N_("removed")}


def summary(compared: GuidelinesCompared) -> str:
    """Return how many passages came, went and stayed."""
    kinds = [passage.kind for passage in compared.passages]
    if set(kinds) <= {"kept"}:
        return say_many(
            "{first} and {second} have the same {one passage|{count} passages}: nothing in the guidelines "
            "was changed.",
            len(kinds),
            first=compared.first,
            second=compared.second,
        )
    return say_many(
        "{first} and {second}, passage by passage: {added} {passage|passages} added, {removed} removed, "
        "{kept} kept.",
        kinds.count("added"),
        first=compared.first,
        second=compared.second,
        **{kind: numbers.count(kinds.count(kind)) for kind in ("added", "removed", "kept")},
    )


def passages_naming(compared: GuidelinesCompared | None, category: str) -> str:
    """Return how many passages that were added, and that were removed, name a category; empty for none."""
    passages = compared.passages if compared else ()
    kinds = [passage.kind for passage in passages if category in passage.categories]
    added, removed = kinds.count("added"), kinds.count("removed")
    if not added + removed:
        return ""
    return say("{added} added, {removed} removed", added=numbers.count(added), removed=numbers.count(removed))


def passages_table(compared: GuidelinesCompared | None) -> ReportTable | None:
    """Return every passage for the CSV; None where the guidelines were not compared."""
    if compared is None:
        return None
    rows = tuple((passage.kind, passage.text, ", ".join(passage.categories)) for passage in compared.passages)
    return ReportTable("", "", plain_columns("kind text categories"), rows, file="guidelines.csv")


def passages_shown(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield what changed, in order, behind the heading above it where that was kept."""
    heading: Passage | None = None
    for passage in passages:
        if passage.kind == "kept":
            heading = passage if is_heading(passage.text) else heading
            continue
        if heading is not None and not is_heading(passage.text):
            yield heading
        heading = None
        yield passage


def is_heading(text: str) -> bool:
    """Tell whether a passage is a heading."""
    return text.lstrip("#").startswith(" ") and text.startswith("#")


def plain(text: str) -> str:
    """Return a passage without signs of Markdown that a reader does not need, cut where it is long."""
    bare = text.lstrip("#").strip().strip("|").strip()
    cut = bare if len(bare) <= LONGEST else f"{bare[:LONGEST]}…"
    return EMPHASIS.sub(r"\2", EMPHASIS.sub(r"\2", cut))


CATEGORIES = ("category", "categories")

# What the test does, by what is in both versions.
TESTED = {
    "paired": N_(
        "The test takes the difference {document by document|unit by unit}, so what makes one harder than "
        "another cancels out."
    ),
    "overlapping": N_("The test pairs what is in both and takes the others as samples of their own."),
    "unpaired": N_(
        "The test takes them as two independent samples: easier or harder material would look the same as "
        "better or worse guidelines."
    ),
}


def how_tested(revision: UnitSetRevision) -> Iterator[str]:
    """Yield how the primary coefficient was tested, sentence by sentence."""
    change, by_document = revision.measures.get(revision.figure), revision.clusters == "document"
    if change is None:
        return
    test = change.test
    if test is None:
        if change.untested:
            reason = changes.reason(change.untested)
            yield say("The coefficient was not tested: {reason}.", reason=reason)
        return
    yield _in_both(revision, test.method)
    yield say_either(by_document, TESTED[test.method])
    integral = test.degrees == int(test.degrees)
    degrees = numbers.count(int(test.degrees)) if integral else numbers.decimal(test.degrees)
    yield say_either(
        by_document,
        "It takes {documents|units} to be independent of each other (t = {statistic}, {degrees} degrees of "
        "freedom).",
        statistic=numbers.figure(test.statistic),
        degrees=degrees,
    )
    if change.needed is not None:
        yield say(
            "If the difference is as large as it looks, it would take {needed} under each version to show it "
            "(with a power of 80%).",
            needed=changes.clusters(revision, change.needed),
        )


def _in_both(revision: UnitSetRevision, method: Method) -> str:
    """Return how much of what a test takes as independent is in both versions."""
    documents, units = revision.overlap.documents, revision.overlap.units or 0
    match revision.clusters, method:
        case "document", "unpaired":
            return _("No document is in both versions.")
        case "document", "paired":
            return say_many(
                "The same {count} {document was|documents were} annotated under both versions.", documents
            )
        case "document", _overlapping:
            return say_many(
                "{count} {document is|documents are} in both versions, others in one alone.", documents
            )
        case _units, "unpaired":
            return _("No unit is in both versions.")
        case _units, "paired":
            return say_many("The same {count} {unit was|units were} annotated under both versions.", units)
    return say_many("{count} {unit is|units are} in both versions, others in one alone.", units)


def sides(comparison: VersionComparison, revision: UnitSetRevision) -> ReportTable:
    """Return what each version brings into the comparison, and what is in both."""
    first, second, overlap = revision.first, revision.second, revision.overlap
    both = [name for name in second.categories if name in first.categories]
    shared = numbers.NONE if overlap.units is None else numbers.count(overlap.units)
    both_sides = (comparison.first, comparison.second)
    rows: tuple[tuple[Cell, ...], ...] = (
        (_("Date"), *(date(version.date) if version.date else numbers.NONE for version in both_sides), ""),
        (_("Documents"), *map(numbers.count, (first.documents, second.documents, overlap.documents))),
        (_("Units rated by two or more"), *map(numbers.count, (first.units, second.units)), shared),
        (_("Annotators"), *map(changes.listed, (first.annotators, second.annotators, overlap.annotators))),
        (
            _("Categories"),
            *(
                changes.listed(set_apart(names), CATEGORIES)
                for names in (first.categories, second.categories, both)
            ),
        ),
    )
    versions = (say("Guidelines {version}", version=version.guidelines) for version in both_sides)
    titles = (_("What"), *versions, _("In both"))
    columns = map(TableColumn, ("what", "first", "second", "both"), titles)
    caption = say(
        "What is compared: {unit_set}, {basis}.", unit_set=revision.unit_set, basis=changes.basis(revision)
    )
    return ReportTable("sides", caption, tuple(columns), rows)


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


def _lists(units: ChangedUnits) -> dict[str, Sequence[ChangedUnit]]:
    return {"mended": units.mended, "broken": units.broken, "disputed": units.disputed}


def lists_of_units(
    changed: ChangedUnits, revision: UnitSetRevision, versions: Sequence[str]
) -> Iterator[Details]:
    """Yield the lists of one unit set that are not empty, each with how many of its units are elsewhere."""
    for key, units in _lists(changed).items():
        if not units:
            continue
        total, items = getattr(revision.flips, key, len(units)), tuple(_items(units, revision, versions))
        blocks: list[Block] = [Items(items)]
        more = N_("Shown: {shown} of {total}; all of them are in the CSV.")
        if len(units) < total:
            more = N_("Shown: {shown} of {total}; the CSV has {known}, from everywhere in the texts.")
        if len(items) < total:
            shown = {"shown": len(items), "known": len(units), "total": total}
            blocks.append(remark(say(more, **{key: numbers.count(number) for key, number in shown.items()})))
        yield Details(say(SUMMARIES[key], units=numbers.counted_in(total, revision.noun)), tuple(blocks))


def _items(
    units: Sequence[ChangedUnit], revision: UnitSetRevision, versions: Sequence[str]
) -> Iterator[Text]:
    """Yield as many units as a page has room for, in context, with who said what under each version."""
    people = (revision.second.annotators, revision.first.annotators)
    left = MOST_LETTERS
    for unit_changed in units[:MOST_UNITS]:
        labels_said = [
            say("{name}: {value}", name=name, value=_said(labels, people))
            for name, labels in zip(versions, (unit_changed.first, unit_changed.second), strict=True)
        ]
        about = _("; ").join(filter(None, (*labels_said, shortened(unit_changed.document or ""))))
        unit = shortened(unit_changed.unit) or _("(blank)")
        around = shortened(unit_changed.before), shortened(unit_changed.after), f" ({about})"
        left -= len(unit) + sum(map(len, around))
        if left < 0:
            return
        yield (around[0], Strong(unit), *around[1:])


def shortened(text: str) -> str:
    """Return a text on one line, cut in the middle where it is very long."""
    one_line = text
    if text.strip():
        # Context joins the unit without a blank between them where the text has none.
        one_line = f"{' ' * text[:1].isspace()}{' '.join(text.split())}{' ' * text[-1:].isspace()}"
    half = LONGEST_UNIT // 2
    return one_line if len(one_line) <= LONGEST_UNIT else f"{one_line[:half]} … {one_line[-half:]}"


def _said(labels: Mapping[str, str], people: Sequence[Sequence[str]]) -> str:
    """Return who says what, those who say the same together."""
    sayings = grouped((name, shortened(labels[name])) for name in changes.in_order(labels, *people))
    return " · ".join(f"{isolated(who)} {isolated(what)}" for who, what in sayings)


def units_table(changed: Changed | None) -> ReportTable | None:
    """Return the units of all lists for the CSV; None without texts or without any such unit."""

    def flat(labels: Mapping[str, str]) -> str:
        return ", ".join(f"{name}: {labels[name]}" for name in sorted(labels))

    columns = plain_columns("layer unit_set side document before unit after first second")
    rows = tuple(
        (
            *(unit_set.layer, unit_set.unit_set, side, unit.document or ""),
            *(unit.before, unit.unit, unit.after, flat(unit.first), flat(unit.second)),
        )
        for unit_set in (changed.unit_sets if changed else ())
        for side, units in _lists(unit_set).items()
        for unit in units
    )
    return ReportTable("", "", columns, rows, file="changed-units.csv") if rows else None


STRICT = "f_measure[strict]"
# So many rows a table shows; all of them are in the CSV.
MOST_FIGURES, MOST_CATEGORIES, MOST_PAIRS = 40, 30, 20
BASES = {"shared": "both", "all": "all"}

Revision = UnitSetRevision | SpanRevision


@dataclass(frozen=True)
class UnitSetChanges:
    """One unit set on one basis."""

    comparison: VersionComparison
    revision: UnitSetRevision

    @property
    def name(self) -> str:
        """Return its name, with its layer where there are several."""
        if len({revision.layer for revision in self.comparison.unit_sets}) == 1:
            return self.revision.unit_set
        return say("{unit_set} (layer {layer})", unit_set=self.revision.unit_set, layer=self.revision.layer)

    @property
    def title(self) -> str:
        """Return its name and on what it is compared."""
        return say("{unit_set}, {basis}", unit_set=self.name, basis=changes.basis(self.revision))

    @cached_property
    def coefficient(self) -> ChangeRow | None:
        """Return the primary coefficient of its layer."""
        change = self.revision.measures.get(self.revision.figure)
        return ChangeRow(figure_name(self.comparison, self.revision.figure), change) if change else None

    @property
    def _slug(self) -> str:
        return f"{slug_of(self.revision.layer, self.revision.unit_set)}-{BASES[self.revision.basis]}"

    @cached_property
    def figures(self) -> ChangeTable:
        """Return every figure, the primary coefficient first."""
        return ChangeTable(
            f"figures-{self._slug}",
            say("Every figure [95% interval]: {what}.", what=self.title),
            _("Figure"),
            _versions(self.comparison),
            _figures(self.comparison, self.revision, self.revision.figure),
            MOST_FIGURES,
            by_size=False,
        )

    @cached_property
    def by_category(self) -> list[ChangeRow]:
        """Return the specific agreement of every category, with the guidelines' passages that name it."""
        rows = changes.change_rows(self.revision.specific_agreement, _categories(self.revision))
        return [replace(row, about=passages_naming(self.comparison.guidelines, row.name)) for row in rows]

    @cached_property
    def categories(self) -> ChangeTable:
        """Return specific agreement; of many categories, of those that moved most."""
        return ChangeTable(
            f"categories-{self._slug}",
            say("Specific agreement [95% interval]: {what}.", what=self.title),
            _("Category"),
            _versions(self.comparison),
            self.by_category,
            MOST_CATEGORIES,
            about=_("Passages that name it"),
        )


def span_table(comparison: VersionComparison) -> ChangeTable:
    """Return the strict F of the marks of each layer, on what both versions have where there is any."""
    rows = [
        ChangeRow(own.layer, own.measures[STRICT])
        for own in on_shared(comparison.spans, "layer")
        if STRICT in own.measures
    ]
    caption = _("Strict F of marks [95% interval].")
    return ChangeTable("spans", caption, _("Layer"), _versions(comparison), rows, MOST_CATEGORIES)


def _versions(comparison: VersionComparison) -> tuple[str, str]:
    return comparison.first.guidelines, comparison.second.guidelines


def _by_category(revision: Revision) -> tuple[str, str, str, Mapping[str, Change]]:
    """Return a unit set's name, what its names are of, the figure that each has, and how these changed."""
    if isinstance(revision, SpanRevision):
        return "", "type", STRICT, revision.by_type
    return revision.unit_set, "category", "specific_agreement", revision.specific_agreement


def _categories(revision: Revision) -> list[str]:
    *_where, by_name = _by_category(revision)
    return changes.in_order(by_name, revision.second.categories, revision.first.categories)


def _figures(comparison: VersionComparison, revision: Revision, first: str) -> list[ChangeRow]:
    names = changes.figures_in_order(revision.measures, comparison.places, first)
    return changes.change_rows(revision.measures, names, lambda name: figure_name(comparison, name))


HEAD = plain_columns("layer unit_set basis part one other category figure")


def changes_in_full(comparison: VersionComparison) -> Iterator[ReportTable]:
    """Yield every figure of unit sets, and of marks in texts, for the CSV."""
    columns = (*HEAD, *changes.CHANGE_COLUMNS)
    for file, revisions in (("changes", comparison.unit_sets), ("span-changes", comparison.spans)):
        yield from csv_if(file, "", columns, (row for own in revisions for row in _rows(comparison, own)))


def _rows(comparison: VersionComparison, revision: Revision) -> Iterator[tuple[Cell, ...]]:
    """Yield every figure, the figure of each category or type, and every figure of each pair."""
    unit_set, what, figure, by_name = _by_category(revision)
    where = (revision.layer, unit_set, revision.basis)
    for name in changes.figures_in_order(revision.measures, comparison.places):
        yield (*where, "figure", "", "", "", name, *changes.csv_cells(revision.measures[name]))
    for name in _categories(revision):
        yield (*where, what, "", "", name, figure, *changes.csv_cells(by_name[name]))
    for pair in revision.pairs:
        for name in changes.figures_in_order(pair.measures, comparison.places):
            yield (*where, "pair", *pair.annotators, "", name, *changes.csv_cells(pair.measures[name]))


COLUMNS = plain_columns(
    "layer unit_set basis one other first first_of second second_of contribution p p_holm"
)


def confusions_in_full(revisions: Sequence[UnitSetRevision]) -> ReportTable | None:
    """Return every confusion of every unit set for the CSV; None without any."""
    rows = [
        (
            *(*fields(revision, "layer unit_set basis"), *confusion.categories),
            *(confusion.first, disagreement.denominators[0], confusion.second, disagreement.denominators[1]),
            *(confusion.contribution, confusion.p, confusion.adjusted),
        )
        for revision in revisions
        if (disagreement := revision.disagreement) is not None
        for confusion in disagreement.confusions
    ]
    return ReportTable("", "", COLUMNS, tuple(rows), file="confusions.csv") if rows else None


# One comparison: what its sections share.


class ComparisonView:
    """Two versions, and what several sections of their page have in common."""

    def __init__(self, comparison: VersionComparison, changed: Changed | None) -> None:
        """Keep both; figures are drawn when they are asked for."""
        self.comparison = comparison
        self.changed = changed
        self.versions = _versions(comparison)
        revision = comparison.primary
        # The primary unit set; None where the versions have none in common.
        self.primary = UnitSetChanges(comparison, revision) if revision else None
        # Systems and references; None where nobody is compared with a key in both.
        self.systems = systems.of_versions(comparison)

    @property
    def coefficient(self) -> ChangeRow | None:
        """Return the primary coefficient of the first layer."""
        return self.primary.coefficient if self.primary else None

    @property
    def over_all(self) -> UnitSetChanges | None:
        """Return the primary unit set over all that each version has; None where that is what is compared."""
        if self.primary is None or self.primary.revision.basis != "shared":
            return None
        sets = {(change.layer, change.unit_set, change.basis): change for change in self.comparison.unit_sets}
        revision = sets.get((self.primary.revision.layer, self.primary.revision.unit_set, "all"))
        return UnitSetChanges(self.comparison, revision) if revision else None

    @property
    def others(self) -> list[Finding]:
        """Return the findings that are neither the verdict nor about whether it can be believed."""
        return [finding for finding in self.comparison.findings if finding.kind in {None, "course"}]

    @cached_property
    def notes(self) -> list[Note]:
        """Return all findings in words."""
        return [note(finding, brief=finding.kind == "verdict") for finding in self.comparison.findings]

    @property
    def courses(self) -> tuple[list[str], list[str], list[str]]:
        """Return the layers in which agreement rose, those in which it fell, and those undecided.

        The first layer is judged by its own test, the others by what findings say of them all (Holm).
        """
        layers = list(dict.fromkeys(revision.layer for revision in self.comparison.unit_sets))
        rose_by_layer: dict[str, bool] = {}
        if self.primary and self.coefficient and self.coefficient.moved in changes.MARKS:
            rose_by_layer[self.primary.revision.layer] = self.coefficient.moved == "rose"
        for finding in self.comparison.findings:
            if finding.kind == "course":
                before, after = (float(finding.values[name]) for name in ("before", "after"))  # type: ignore[arg-type]
                rose_by_layer[str(finding.values["layer"])] = after > before
        rose, fell = ([name for name in layers if rose_by_layer.get(name) is way] for way in (True, False))
        return rose, fell, [name for name in layers if name not in rose_by_layer]
