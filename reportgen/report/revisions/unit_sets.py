"""One unit set or layer of marks under both versions: its tables of figures, categories and pairs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import numbers
from reportgen.report.language import _, listed, say, say_many
from reportgen.report.names import figure_name
from reportgen.report.revisions import changes, wording
from reportgen.report.revisions.changes import ChangeTable, Row
from reportgen.report.revisions.room import ALL, Room
from reportgen.report.tables import Cell, Column, Table
from reportgen.results.revisions import (
    Change,
    PairChange,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
)

STRICT = "f_measure[strict]"
BASES = {"shared": "both", "all": "all"}


@dataclass(frozen=True)
class _OfTwo:
    """A part of a comparison."""

    comparison: VersionComparison

    @property
    def versions(self) -> tuple[str, str]:
        """Return what the two versions are called."""
        return self.comparison.first.guidelines, self.comparison.second.guidelines


@dataclass(frozen=True)
class UnitSetChanges(_OfTwo):
    """One unit set on one basis."""

    revision: UnitSetRevision
    room: Room = ALL

    @property
    def by_document(self) -> bool:
        """Tell whether tests take documents as independent."""
        return self.revision.clusters == "document"

    @property
    def id(self) -> str:
        """Return what tells its tables from those of other unit sets."""
        slug = wording.slug(self.revision.layer, self.revision.unit_set)
        return f"{slug}-{BASES[self.revision.basis]}"

    @property
    def name(self) -> str:
        """Return its name, with its layer where there are several."""
        layers = {each.layer for each in self.comparison.unit_sets}
        if len(layers) == 1:
            return self.revision.unit_set
        return say("{unit_set} (layer {layer})", unit_set=self.revision.unit_set, layer=self.revision.layer)

    @property
    def title(self) -> str:
        """Return its name and on what it is compared."""
        return say("{unit_set}, {basis}", unit_set=self.name, basis=wording.basis(self.revision))

    @cached_property
    def coefficient(self) -> Row | None:
        """Return the primary coefficient of its layer."""
        change = self.revision.measures.get(self.revision.figure)
        return Row(figure_name(self.comparison, self.revision.figure), change) if change else None

    @cached_property
    def figures(self) -> ChangeTable:
        """Return every figure, the primary coefficient first."""
        known, revision = self.revision.measures, self.revision
        names = wording.figures_in_order(known, self.comparison.places, revision.figure)
        rows = _named(self.comparison, known, names)[: self.room.figures]
        caption = say("Every figure [95% interval]: {what}.", what=self.title)
        return ChangeTable(f"figures-{self.id}", caption, _("Figure"), self.versions, tuple(rows), len(known))

    @cached_property
    def by_category(self) -> list[Row]:
        """Return the specific agreement of every category."""
        return changes.of(self.revision.specific_agreement, wording.categories_in_order(self.revision))

    @cached_property
    def categories(self) -> ChangeTable:
        """Return specific agreement; of many categories, of those that moved most."""
        rows = self.by_category
        caption = say("Specific agreement [95% interval]: {what}.", what=self.title)
        shown = changes.furthest(rows, self.room.categories)
        return ChangeTable(
            f"categories-{self.id}", caption, _("Category"), self.versions, shown, len(rows), by_size=True
        )

    @cached_property
    def pairs(self) -> ChangeTable:
        """Return the primary coefficient, or observed agreement, of pairs of annotators."""
        return pair_table(
            self, self.revision.pairs, (self.revision.figure, "cohen_kappa", "observed_agreement")
        )

    @property
    def size(self) -> int:
        """Return how many rows its tables of figures and categories have."""
        return len(self.figures.rows) + len(self.categories.rows)


@dataclass(frozen=True)
class SpanChanges(_OfTwo):
    """Marks in the texts of one layer on one basis."""

    revision: SpanRevision
    room: Room = ALL

    @property
    def id(self) -> str:
        """Return what tells its tables from those of other layers."""
        return f"spans-{self.revision.layer}-{BASES[self.revision.basis]}"

    @property
    def title(self) -> str:
        """Return its layer and on what it is compared."""
        number, layer = self.revision.overlap.documents, self.revision.layer
        if self.revision.basis != "shared":
            return say("layer {layer}, all of each version", layer=layer)
        return say_many(
            "layer {layer}, the {count} document of both",
            "layer {layer}, the {count} documents of both",
            number,
            layer=layer,
            count=numbers.count(number),
        )

    @cached_property
    def figures(self) -> ChangeTable:
        """Return F, strict, lenient and average."""
        known = self.revision.measures
        names = wording.figures_in_order(known, self.comparison.places, STRICT)
        rows = tuple(_named(self.comparison, known, names))
        caption = say("Means over pairs of annotators [95% interval]: {what}.", what=self.title)
        return ChangeTable(f"{self.id}-figures", caption, _("Figure"), self.versions, rows, len(rows))

    @cached_property
    def types(self) -> ChangeTable:
        """Return strict F of each type of mark; of many, of those that moved most."""
        known = self.revision.by_type
        orders = (self.revision.second.categories, self.revision.first.categories)
        rows = changes.of(known, wording.in_order(known, *orders))
        shown = changes.furthest(rows, self.room.categories)
        caption = say("Strict F of each type [95% interval]: {what}.", what=self.title)
        return ChangeTable(
            f"{self.id}-types", caption, _("Type"), self.versions, shown, len(rows), by_size=True
        )

    @property
    def size(self) -> int:
        """Return how many rows its tables have."""
        return len(self.figures.rows) + len(self.types.rows) + len(self.pairs.rows)

    @cached_property
    def pairs(self) -> ChangeTable:
        """Return strict F of pairs of annotators."""
        return pair_table(self, self.revision.pairs, (STRICT,))


def _named(comparison: VersionComparison, known: Mapping[str, Change], names: list[str]) -> list[Row]:
    return changes.of(known, names, {name: figure_name(comparison, name) for name in names})


def pair_table(
    view: UnitSetChanges | SpanChanges, pairs: tuple[PairChange, ...], wanted: tuple[str, ...]
) -> ChangeTable:
    """Return pairs of annotators by the first of some figures that one of them has."""
    figure = next((name for name in wanted if any(name in each.measures for each in pairs)), wanted[0])
    rows = [Row(listed(each.annotators), each.measures[figure]) for each in pairs if figure in each.measures]
    name = figure_name(view.comparison, figure)
    shown = changes.furthest(rows, view.room.pairs)
    caption = say(
        "{name} of pairs who stand in both versions [95% interval]: {what}.", name=name, what=view.title
    )
    return ChangeTable(f"pairs-{view.id}", caption, _("Pair"), view.versions, shown, len(rows), by_size=True)


HEAD = tuple(
    Column(name, name)
    for name in ("layer", "unit_set", "basis", "part", "one", "other", "category", "figure")
)


def csv_tables(comparison: VersionComparison) -> Iterator[Table]:
    """Yield every figure of unit sets, and of marks in texts, for the CSV."""
    columns = (*HEAD, *changes.CHANGE_COLUMNS)
    if comparison.unit_sets:
        yield Table("", "", columns, tuple(_unit_set_rows(comparison)), file="changes.csv")
    if comparison.spans:
        yield Table("", "", columns, tuple(_span_rows(comparison)), file="span-changes.csv")


def _unit_set_rows(comparison: VersionComparison) -> Iterator[tuple[Cell, ...]]:
    for each in comparison.unit_sets:
        where = (each.layer, each.unit_set, each.basis)
        yield from _rows((*where, "figure"), each.measures, comparison)
        for name in wording.categories_in_order(each):
            change = each.specific_agreement[name]
            yield (*where, "category", "", "", name, "specific_agreement", *changes.csv_cells(change))
        for pair in each.pairs:
            yield from _rows((*where, "pair"), pair.measures, comparison, pair.annotators)


def _span_rows(comparison: VersionComparison) -> Iterator[tuple[Cell, ...]]:
    for each in comparison.spans:
        where = (each.layer, "", each.basis)
        yield from _rows((*where, "figure"), each.measures, comparison)
        for name in wording.in_order(each.by_type, each.second.categories, each.first.categories):
            yield (*where, "type", "", "", name, STRICT, *changes.csv_cells(each.by_type[name]))
        for pair in each.pairs:
            yield from _rows((*where, "pair"), pair.measures, comparison, pair.annotators)


def _rows(
    head: tuple[Cell, ...],
    known: Mapping[str, Change],
    comparison: VersionComparison,
    who: tuple[str, str] = ("", ""),
) -> Iterator[tuple[Cell, ...]]:
    for name in wording.figures_in_order(known, comparison.places):
        yield (*head, *who, "", name, *changes.csv_cells(known[name]))
