"""One comparison as its templates see it: verdict, doubts, figures, tables, units, guidelines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.figures import Drawing, drawing, standalone
from reportgen.figures.flow import of_flips
from reportgen.report import page
from reportgen.report.comparison import belief, changes, systems, unit_sets, wording
from reportgen.report.comparison.belief import UnitList
from reportgen.report.comparison.changes import ChangeRow, ChangeTable
from reportgen.report.comparison.guidelines import GuidelinesView
from reportgen.report.comparison.unit_sets import ConfusionsView, SpanChanges, UnitSetChanges
from reportgen.report.comparison.wording import ALL, MOST_BYTES, ROOMS, Room
from reportgen.report.tables import ReportTable, to_csv
from reportgen.results.comparison import Changed, Flips, UnitSetRevision, VersionComparison, comparison_data
from reportgen.words.language import ENGLISH, N_, _, in_languages, say
from reportgen.words.numbers import Note, note

# What else may have made a difference, and how far it can be trusted: read before the figures.
DOUBTS = (
    "learning",
    "annotators-changed",
    "edited-documents",
    "categories-merged",
    "categories-differ",
    "few-documents-compared",
    "tests-differ",
    "prevalence-moved",
    "documents-needed",
)
OPENING = ("verdict", "caveat")
NOT_JUDGED = N_("What the difference means was not judged.")


@dataclass(frozen=True)
class UnitSetSummary:
    """A unit set's line in the list of all of them, and whether its own tables stand on the page."""

    unit_set: UnitSetChanges
    row: ChangeRow
    shown: bool


class ComparisonView:
    """One comparison: its figures, and what pages show of them."""

    def __init__(self, comparison: VersionComparison, changed: Changed | None, room: Room = ALL) -> None:
        """Keep both; tables and figures are made when a template asks for them."""
        self.comparison = comparison
        self.changed = changed
        self.room = room
        self.versions = comparison.first.guidelines, comparison.second.guidelines

    def within(self, room: Room) -> "ComparisonView":
        """Return the same with less room; its figures are those drawn for this one."""
        if room == self.room:
            return self
        found = ComparisonView(self.comparison, self.changed, room)
        found.moves, found.contributions, found.flow = self.moves, self.contributions, self.flow
        return found

    @cached_property
    def primary(self) -> UnitSetChanges | None:
        """Return the primary unit set; None where the versions have none in common."""
        found = self.comparison.primary
        return UnitSetChanges(self.comparison, found, self.room) if found else None

    # The story

    @cached_property
    def notes(self) -> list[Note]:
        """Return all findings in words."""
        return [note(each) for each in self.comparison.findings]

    @property
    def verdict(self) -> Note:
        """Return the first sentence: did agreement rise, is it more than chance, on what."""
        found = next((each for each in self.notes if each.id == "verdict"), None)
        return found or Note("verdict", "note", self.headline or _(NOT_JUDGED), "", "")

    @property
    def caveat(self) -> Note | None:
        """Return the second sentence: is the material the same."""
        return next((each for each in self.notes if each.id == "caveat"), None)

    @property
    def severity(self) -> str:
        """Return how the verdict is coloured: a rise on other material is no good news yet."""
        doubtful = self.caveat is not None and self.caveat.severity == "warning"
        return "warning" if doubtful and self.verdict.severity == "good" else self.verdict.severity

    @property
    def headline(self) -> str:
        """Return the primary coefficient under both versions in one line."""
        row = self.primary.coefficient if self.primary else None
        if row is None:
            return ""
        first, second = self.versions
        values = wording.values(row.change)
        return say(
            "{name}: {first_value} under {first}, {second_value} under {second}.",
            name=row.name,
            first_value=values[0],
            second_value=values[1],
            first=first,
            second=second,
        )

    @property
    def doubts(self) -> list[Note]:
        """Return what else may have made the difference."""
        return [each for each in self.notes if each.id in DOUBTS]

    @property
    def to_do(self) -> list[Note]:
        """Return what it means and what is to be done."""
        return [each for each in self.notes if each.id not in (*DOUBTS, *OPENING)]

    @property
    def how_tested(self) -> list[str]:
        """Return how the primary coefficient was tested."""
        return belief.how_tested(self.primary.revision) if self.primary else []

    @cached_property
    def sides(self) -> ReportTable | None:
        """Return what each version brings, and what stands in both."""
        return belief.sides(self.comparison, self.primary.revision) if self.primary else None

    # Figures

    @cached_property
    def moves(self) -> Drawing | None:
        """Return the coefficient and specific agreement drawn under both versions."""
        if self.primary is None:
            return None
        rows = self.primary.by_category
        return changes.moves("moves", self.versions, self.primary.coefficient, rows)

    @cached_property
    def contributions(self) -> Drawing | None:
        """Return what confusions contribute, drawn."""
        found = self.confusions
        return changes.contributions("contributions", found.whole.confusions) if found else None

    @cached_property
    def flow(self) -> Drawing | None:
        """Return where disagreements go, drawn."""
        return drawing("flow", of_flips(self.flips, self.versions))

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure of the page."""
        found = (self.moves, self.contributions, self.flow)
        yield from (each for each in found if each is not None)
        yield from self.systems.drawings() if self.systems else ()

    # Tables

    @cached_property
    def confusions(self) -> ConfusionsView | None:
        """Return the confusions of the primary unit set."""
        return unit_sets.confusions(self.primary.revision, self.versions) if self.primary else None

    @cached_property
    def unit_sets(self) -> list[UnitSetSummary]:
        """Return every unit set on every basis; tables of the others are shown while there is room."""
        found, room = [], self.room.rows
        for revision in self.comparison.unit_sets[: self.room.unit_sets]:
            each = UnitSetChanges(self.comparison, revision, self.room)
            other = revision is not self.comparison.primary
            shown = other and each.size <= room
            room -= each.size if shown else 0
            change = revision.measures.get(revision.figure)
            if change:
                found.append(
                    UnitSetSummary(
                        each, ChangeRow(each.name, change, about=wording.short_basis(revision)), shown
                    )
                )
        return found

    @property
    def overview(self) -> ChangeTable:
        """Return the primary coefficient of every unit set on every basis."""
        rows = tuple(each.row for each in self.unit_sets)
        caption = _("The primary coefficient of every unit set [95% interval].")
        total = len(self.comparison.unit_sets)
        return ChangeTable("unit-sets", caption, _("Unit set"), self.versions, rows, total, short=True)

    @cached_property
    def spans(self) -> list[SpanChanges]:
        """Return marks in texts, layer by layer, as far as the page has room for them."""
        found: list[SpanChanges] = []
        left = self.room.rows
        for revision in self.comparison.spans:
            each = SpanChanges(self.comparison, revision, self.room)
            left -= each.size
            if not found or left >= 0:
                found.append(each)
        return found

    @cached_property
    def systems(self) -> systems.SystemsView | None:
        """Return systems and references; None where nobody is held against a key in both."""
        return systems.of_versions(self.comparison)

    @property
    def missing(self) -> list[tuple[str, Sequence[str]]]:
        """Return the unit sets that only one version has, by version."""
        found = self.comparison.missing
        named = zip(self.versions, (found.get("first", ()), found.get("second", ())), strict=True)
        return [(version, names) for version, names in named if names]

    # Units in their texts

    @property
    def flips(self) -> Flips | None:
        """Return how many shared units changed sides."""
        return self.primary.revision.flips if self.primary else None

    @property
    def either_way(self) -> str:
        """Return the test that units change either way equally often; empty where there is none."""
        found = self.flips
        if found is None or not found.told or self.alone:
            return ""
        return belief.either_way(found, by_document=self.primary is not None and self.primary.by_document)

    @property
    def alone(self) -> str:
        """Return which categories one version alone has, so that nobody confused them under the other."""
        compared = self.primary.revision.categories if self.primary else None
        if compared is None or not (compared.first_only or compared.second_only):
            return ""
        return _(
            "A confusion with a category that one version does not have is no success and no failure of the "
            "other."
        )

    @cached_property
    def units(self) -> list[UnitList]:
        """Return the units of the primary unit set that changed sides, and those still disputed."""
        revision = self.primary.revision if self.primary else None
        if self.changed is None or revision is None:
            return []
        key = revision.layer, revision.unit_set
        own = (each for each in self.changed.unit_sets if (each.layer, each.unit_set) == key)
        return [each for found in own for each in belief.lists(found, revision, self.room)]

    @cached_property
    def guidelines(self) -> GuidelinesView | None:
        """Return the guidelines documents compared."""
        found = self.comparison.guidelines
        if found is None:
            return None
        revision = self.primary.revision if self.primary else None
        moves = {row.name: row for row in self.primary.by_category} if self.primary else {}
        order = _categories(revision) if revision else ()
        return GuidelinesView(found, moves, order, self.room)

    @property
    def sections(self) -> set[str]:
        """Return the ids of the sections that the page has, which findings point to."""
        present = {
            "figures": True,
            "categories": self.primary is not None and self.primary.by_category,
            "confusions": self.confusions,
            "units": self.units or (self.flips and self.flips.total),
            "annotators": self.primary is not None and self.primary.revision.pairs,
            "unit-sets": len(self.unit_sets) > 1,
            "spans": self.spans,
            "systems": self.systems,
            "guidelines": True,
        }
        return {name for name, found in present.items() if found}

    @cached_property
    def tables(self) -> list[ReportTable]:
        """Return every table that has a file."""
        found = [unit_sets.csv_table(self.comparison.unit_sets), belief.csv_table(self.changed)]
        found += [self.guidelines.csv_table()] if self.guidelines else []
        return [
            *unit_sets.csv_tables(self.comparison),
            *(each for each in found if each is not None),
            *(self.systems.tables() if self.systems else ()),
        ]

    @property
    def files(self) -> set[str]:
        """Return the names of the CSV files."""
        return {table.file for table in self.tables}


def _categories(revision: UnitSetRevision) -> list[str]:
    return [*revision.second.categories, *revision.first.categories]


# Every file of a comparison's folder: its page, Markdown, JSON, tables and figures.

FIGURE = re.compile(r"<svg.*?</svg>", re.DOTALL)


def comparison_files(
    comparison: VersionComparison, changed: Changed | None, languages: Sequence[str] = (ENGLISH,)
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of `compare/<A>...<B>/`.

    Without `changed` there is no changed.json, and no unit is shown in its text.
    """
    yield from comparison_data(comparison, changed)
    yield from comparison_pages(comparison, changed, languages)


def comparison_pages(
    comparison: VersionComparison, changed: Changed | None, languages: Sequence[str] = (ENGLISH,)
) -> Iterator[tuple[str, str]]:
    """Yield what is rendered of a comparison."""
    for table in ComparisonView(comparison, changed).tables:
        yield f"tables/{table.file}", to_csv(table)
    yield from in_languages(languages, lambda: _pages(ComparisonView(comparison, changed)))


def _pages(view: ComparisonView) -> Iterator[tuple[str, str]]:
    """Yield what is written in the language of an edition."""
    yield "index.html", _page(view)
    yield "comparison.md", page.markdown("comparison.md.j2", **_values(view))
    for each in view.drawings():
        yield f"figures/{each.name}.svg", standalone(each.svg)


def _page(view: ComparisonView) -> str:
    """Return the page, with less of everything where it would be too large."""
    text = ""
    for room in ROOMS:
        text = page.html("comparison.html.j2", place="index.html", **_values(view.within(room)))
        if len(FIGURE.sub("", text).encode()) <= MOST_BYTES:
            break
    return text


def comparison_markdown(comparison: VersionComparison, changed: Changed | None) -> str:
    """Return a comparison as Markdown, the gist first."""
    return page.markdown("comparison.md.j2", **_values(ComparisonView(comparison, changed)))


def _values(view: ComparisonView) -> dict[str, object]:
    first, second = view.comparison.first, view.comparison.second
    return {"view": view, "comparison": view.comparison, "first": first, "second": second, "alone": False}
