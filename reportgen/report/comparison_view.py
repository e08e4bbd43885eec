"""One comparison: what its sections share, and every file of its folder."""

from collections.abc import Iterator
from functools import cached_property

from reportgen.figures import Drawing, drawing
from reportgen.figures.flow import of_flips
from reportgen.report import guideline_changes as guidelines
from reportgen.report import system_changes as systems
from reportgen.report import unit_set_changes as unit_sets
from reportgen.report import version_changes as changes
from reportgen.report.tables import ReportTable
from reportgen.report.unit_set_changes import UnitSetChanges
from reportgen.report.version_changes import ChangeRow
from reportgen.results.comparison import Changed, VersionComparison
from reportgen.words.numbers import Note, note


class ComparisonView:
    """Two versions, and what several sections of their page have in common."""

    def __init__(self, comparison: VersionComparison, changed: Changed | None) -> None:
        """Keep both; figures are drawn when they are asked for."""
        self.comparison = comparison
        self.changed = changed
        self.versions = comparison.first.guidelines, comparison.second.guidelines

    @cached_property
    def primary(self) -> UnitSetChanges | None:
        """Return the primary unit set; None where the versions have none in common."""
        found = self.comparison.primary
        return UnitSetChanges(self.comparison, found) if found else None

    @property
    def coefficient(self) -> ChangeRow | None:
        """Return the primary coefficient of the first layer."""
        return self.primary.coefficient if self.primary else None

    @property
    def whole(self) -> UnitSetChanges | None:
        """Return the primary unit set over all that each version has; None where that is what is compared."""
        own = self.primary.revision if self.primary else None
        if own is None or own.basis != "shared":
            return None
        same = (own.layer, own.unit_set, "all")
        every = self.comparison.unit_sets
        found = next((each for each in every if (each.layer, each.unit_set, each.basis) == same), None)
        return UnitSetChanges(self.comparison, found) if found else None

    @cached_property
    def notes(self) -> list[Note]:
        """Return all findings in words."""
        return [note(each) for each in self.comparison.findings]

    def note(self, name: str) -> Note | None:
        """Return the first finding of a name."""
        return next((each for each in self.notes if each.id == name), None)

    @property
    def courses(self) -> tuple[list[str], list[str], list[str]]:
        """Return the layers in which agreement rose, those in which it fell, and those undecided.

        The first layer is judged by its own test, the others by what findings say of them all (Holm).
        """
        layers = list(dict.fromkeys(each.layer for each in self.comparison.unit_sets))
        known: dict[str, bool] = {}
        if self.primary and self.coefficient and self.coefficient.moved in changes.MARKS:
            known[self.primary.revision.layer] = self.coefficient.moved == "rose"
        for each in self.comparison.findings:
            if each.id == "layer-changed":
                before, after = (float(each.values[name]) for name in ("before", "after"))  # type: ignore[arg-type]
                known[str(each.values["layer"])] = after > before
        rose, fell = ([name for name in layers if known.get(name) is way] for way in (True, False))
        return rose, fell, [name for name in layers if name not in known]

    @cached_property
    def moves(self) -> Drawing | None:
        """Return the coefficient and specific agreement drawn under both versions."""
        found = self.primary
        return changes.moves("moves", self.versions, found.coefficient, found.by_category) if found else None

    @cached_property
    def contributions(self) -> Drawing | None:
        """Return what confusions contribute, drawn."""
        found = self.primary.revision.disagreement if self.primary else None
        return changes.contributions("contributions", found.confusions) if found else None

    @cached_property
    def flow(self) -> Drawing | None:
        """Return where disagreements go, drawn."""
        flips = self.primary.revision.flips if self.primary else None
        return drawing("flow", of_flips(flips, self.versions))

    @cached_property
    def systems(self) -> systems.SystemsView | None:
        """Return systems and references; None where nobody is held against a key in both."""
        return systems.of_versions(self.comparison)

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure of the page."""
        found = (self.moves, self.contributions, self.flow)
        yield from (each for each in found if each is not None)
        yield from self.systems.drawings() if self.systems else ()

    @cached_property
    def tables(self) -> list[ReportTable]:
        """Return every table that has a file."""
        found = [unit_sets.csv_table(self.comparison.unit_sets), guidelines.units_table(self.changed)]
        if self.comparison.guidelines:
            found.append(guidelines.passages_table(self.comparison.guidelines))
        return [
            *unit_sets.csv_tables(self.comparison),
            *(each for each in found if each is not None),
            *(self.systems.tables() if self.systems else ()),
        ]

    def has(self, file: str) -> bool:
        """Tell whether there is a CSV of this name."""
        return any(table.file == file for table in self.tables)
