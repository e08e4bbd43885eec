"""One unit set or layer of marks under both versions: its tables of figures, categories and pairs."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.report import version_changes as changes
from reportgen.report.guideline_changes import naming
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.report.version_changes import ChangeRow, ChangeTable
from reportgen.results.comparison import (
    ConfusionChange,
    DisagreementChange,
    PairChange,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
)
from reportgen.results.parts import Change
from reportgen.words import numbers
from reportgen.words.language import _, listed, say, say_many
from reportgen.words.names import figure_name

STRICT = "f_measure[strict]"
# So many rows a table shows; all of them are in the CSV.
MOST_FIGURES, MOST_CATEGORIES, MOST_PAIRS = 40, 30, 20
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

    @property
    def id(self) -> str:
        """Return what tells its tables from those of other unit sets."""
        slug = changes.slug(self.revision.layer, self.revision.unit_set)
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
        return say("{unit_set}, {basis}", unit_set=self.name, basis=changes.basis(self.revision))

    @cached_property
    def coefficient(self) -> ChangeRow | None:
        """Return the primary coefficient of its layer."""
        change = self.revision.measures.get(self.revision.figure)
        return ChangeRow(figure_name(self.comparison, self.revision.figure), change) if change else None

    @cached_property
    def figures(self) -> ChangeTable:
        """Return every figure, the primary coefficient first."""
        known, revision = self.revision.measures, self.revision
        names = changes.figures_in_order(known, self.comparison.places, revision.figure)
        rows = _named(self.comparison, known, names)[:MOST_FIGURES]
        caption = say("Every figure [95% interval]: {what}.", what=self.title)
        return ChangeTable(f"figures-{self.id}", caption, _("Figure"), self.versions, tuple(rows), len(known))

    @cached_property
    def by_category(self) -> list[ChangeRow]:
        """Return the specific agreement of every category, with the guidelines' passages that name it."""
        rows = changes.of(self.revision.specific_agreement, changes.categories_in_order(self.revision))
        return [replace(row, about=naming(self.comparison.guidelines, row.name)) for row in rows]

    @cached_property
    def categories(self) -> ChangeTable:
        """Return specific agreement; of many categories, of those that moved most."""
        rows = self.by_category
        caption = say("Specific agreement [95% interval]: {what}.", what=self.title)
        shown = changes.furthest(rows, MOST_CATEGORIES)
        return ChangeTable(
            f"categories-{self.id}",
            caption,
            _("Category"),
            self.versions,
            shown,
            len(rows),
            by_size=True,
            about=_("Passages that name it"),
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
        names = changes.figures_in_order(known, self.comparison.places, STRICT)
        rows = tuple(_named(self.comparison, known, names))
        caption = say("Means over pairs of annotators [95% interval]: {what}.", what=self.title)
        return ChangeTable(f"{self.id}-figures", caption, _("Figure"), self.versions, rows, len(rows))

    @cached_property
    def types(self) -> ChangeTable:
        """Return strict F of each type of mark; of many, of those that moved most."""
        known = self.revision.by_type
        orders = (self.revision.second.categories, self.revision.first.categories)
        rows = changes.of(known, changes.in_order(known, *orders))
        shown = changes.furthest(rows, MOST_CATEGORIES)
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


def _named(comparison: VersionComparison, known: Mapping[str, Change], names: list[str]) -> list[ChangeRow]:
    return changes.of(known, names, {name: figure_name(comparison, name) for name in names})


def pair_table(
    view: UnitSetChanges | SpanChanges, pairs: tuple[PairChange, ...], wanted: tuple[str, ...]
) -> ChangeTable:
    """Return pairs of annotators by the first of some figures that one of them has."""
    figure = next((name for name in wanted if any(name in each.measures for each in pairs)), wanted[0])
    rows = [
        ChangeRow(listed(each.annotators), each.measures[figure]) for each in pairs if figure in each.measures
    ]
    name = figure_name(view.comparison, figure)
    shown = changes.furthest(rows, MOST_PAIRS)
    caption = say(
        "{name} of pairs who stand in both versions [95% interval]: {what}.", name=name, what=view.title
    )
    return ChangeTable(f"pairs-{view.id}", caption, _("Pair"), view.versions, shown, len(rows), by_size=True)


HEAD = tuple(
    TableColumn(name, name)
    for name in ("layer", "unit_set", "basis", "part", "one", "other", "category", "figure")
)


def csv_tables(comparison: VersionComparison) -> Iterator[ReportTable]:
    """Yield every figure of unit sets, and of marks in texts, for the CSV."""
    columns = (*HEAD, *changes.CHANGE_COLUMNS)
    if comparison.unit_sets:
        yield ReportTable("", "", columns, tuple(_unit_set_rows(comparison)), file="changes.csv")
    if comparison.spans:
        yield ReportTable("", "", columns, tuple(_span_rows(comparison)), file="span-changes.csv")


def _unit_set_rows(comparison: VersionComparison) -> Iterator[tuple[Cell, ...]]:
    for each in comparison.unit_sets:
        where = (each.layer, each.unit_set, each.basis)
        yield from _rows((*where, "figure"), each.measures, comparison)
        for name in changes.categories_in_order(each):
            change = each.specific_agreement[name]
            yield (*where, "category", "", "", name, "specific_agreement", *changes.csv_cells(change))
        for pair in each.pairs:
            yield from _rows((*where, "pair"), pair.measures, comparison, pair.annotators)


def _span_rows(comparison: VersionComparison) -> Iterator[tuple[Cell, ...]]:
    for each in comparison.spans:
        where = (each.layer, "", each.basis)
        yield from _rows((*where, "figure"), each.measures, comparison)
        for name in changes.in_order(each.by_type, each.second.categories, each.first.categories):
            yield (*where, "type", "", "", name, STRICT, *changes.csv_cells(each.by_type[name]))
        for pair in each.pairs:
            yield from _rows((*where, "pair"), pair.measures, comparison, pair.annotators)


def _rows(
    head: tuple[Cell, ...],
    known: Mapping[str, Change],
    comparison: VersionComparison,
    who: tuple[str, str] = ("", ""),
) -> Iterator[tuple[Cell, ...]]:
    for name in changes.figures_in_order(known, comparison.places):
        yield (*head, *who, "", name, *changes.csv_cells(known[name]))


# Which confusions the change in observed disagreement comes from; all of them add up to it.

MOST_CONFUSIONS = 20


def confusions(revision: UnitSetRevision, versions: tuple[str, str]) -> ReportTable | None:
    """Return the confusions that contribute most, those that fell most first, and the whole change last.

    None where observed disagreement is not known under both.
    """
    whole = revision.disagreement
    if whole is None:
        return None
    tested = any(each.adjusted is not None for each in whole.confusions)
    shown, others = _parted(whole.confusions)
    rows: list[tuple[Cell, ...]] = [
        (changes.confusion(each), *_shares(whole, [each]), each.adjusted) for each in shown
    ]
    if others:
        counted = numbers.counted(len(others), "other confusion", "other confusions")
        rows.append((counted, *_shares(whole, others), None))
    all_in_all = _("Observed disagreement"), whole.first, whole.second, changes.signed(whole.change), None
    columns = (
        TableColumn("confusion", _("Confusion")),
        TableColumn("first", versions[0], "figure"),
        TableColumn("second", versions[1], "figure"),
        TableColumn("contribution", _("Contribution")),
        TableColumn("adjusted", _("p (Holm)"), "p"),
    )
    width = len(columns) - (not tested)
    return ReportTable(
        f"confusions-{changes.slug(revision.layer, revision.unit_set)}",
        _("How often the sets of two annotators on a unit differ in just this, as a share of all.")
        if whole.sets
        else _("How often the labels of two annotators on a unit are these two, as a share of all."),
        columns[:width],
        tuple(row[:width] for row in (*rows, all_in_all)),
    )


def _parted(found: Sequence[ConfusionChange]) -> tuple[list[ConfusionChange], list[ConfusionChange]]:
    """Return the confusions that contribute most and the others, both in order."""
    far = sorted(range(len(found)), key=lambda place: -abs(found[place].contribution))
    shown = set(far[:MOST_CONFUSIONS])
    return (
        [each for place, each in enumerate(found) if place in shown],
        [each for place, each in enumerate(found) if place not in shown],
    )


def _shares(whole: DisagreementChange, found: Sequence[ConfusionChange]) -> tuple[Cell, ...]:
    first, second = whole.denominators
    return (
        sum(each.first for each in found) / first if first else None,
        sum(each.second for each in found) / second if second else None,
        changes.signed(math.fsum(each.contribution for each in found)),
    )


def adds_up(whole: DisagreementChange) -> str:
    """Return the sum of all contributions in words."""
    number = len(whole.confusions)
    return say_many(
        "The contribution of the one confusion is {sum}, the change in observed disagreement.",
        "The contributions of all {count} confusions add up to {sum}, the change in observed disagreement.",
        number,
        count=numbers.count(number),
        sum=changes.signed(math.fsum(each.contribution for each in whole.confusions)),
    )


COLUMNS = (
    *(TableColumn(name, name) for name in ("layer", "unit_set", "basis", "one", "other")),
    *(TableColumn(name, name, "count") for name in ("first", "first_of", "second", "second_of")),
    *(TableColumn(name, name, "figure") for name in ("contribution", "p", "p_holm")),
)


def csv_table(revisions: Sequence[UnitSetRevision]) -> ReportTable | None:
    """Return every confusion of every unit set for the CSV; None without any."""
    rows: list[tuple[Cell, ...]] = [
        (
            *where,
            *each.categories,
            each.first,
            found.denominators[0],
            each.second,
            found.denominators[1],
            each.contribution,
            each.p,
            each.adjusted,
        )
        for revision in revisions
        if (found := revision.disagreement) is not None
        for where in [(revision.layer, revision.unit_set, revision.basis)]
        for each in found.confusions
    ]
    return ReportTable("", "", COLUMNS, tuple(rows), file="confusions.csv") if rows else None
