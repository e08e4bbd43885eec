"""Two versions of guidelines as their page sees them: unit sets, marks, what the whole page shares."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.figures import Drawing, drawing
from reportgen.figures.bars import of_flips
from reportgen.report import guideline_changes as guidelines
from reportgen.report import system_changes as systems
from reportgen.report import version_changes as changes
from reportgen.report.guideline_changes import naming
from reportgen.report.tables import Cell, ReportTable, plain, slug_of, table_of
from reportgen.report.version_changes import ChangeRow, ChangeTable
from reportgen.results.comparison import (
    Changed,
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
from reportgen.words.numbers import Note, note

STRICT = "f_measure[strict]"
# So many rows a table shows; all of them are in the CSV.
MOST_FIGURES, MOST_CATEGORIES, MOST_PAIRS = 40, 30, 20
BASES = {"shared": "both", "all": "all"}


@dataclass(frozen=True)
class UnitSetChanges:
    """One unit set on one basis."""

    comparison: VersionComparison
    revision: UnitSetRevision

    @property
    def name(self) -> str:
        """Return its name, with its layer where there are several."""
        if len({each.layer for each in self.comparison.unit_sets}) == 1:
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

    def _table(self, name: str, caption: str, head: str, rows: Sequence[ChangeRow], most: int) -> ChangeTable:
        """Return a table of those rows that moved most, where they are many."""
        slug = slug_of(self.revision.layer, self.revision.unit_set)
        shown = changes.furthest(rows, most)
        id_ = f"{name}-{slug}-{BASES[self.revision.basis]}"
        return ChangeTable(id_, caption, head, _versions(self.comparison), shown, len(rows), by_size=True)

    @cached_property
    def figures(self) -> ChangeTable:
        """Return every figure, the primary coefficient first."""
        rows = _named(self.comparison, self.revision.measures, self.revision.figure)
        caption = say("Every figure [95% interval]: {what}.", what=self.title)
        found = self._table("figures", caption, _("Figure"), rows, len(rows))
        return replace(found, rows=found.rows[:MOST_FIGURES], by_size=False)

    @cached_property
    def by_category(self) -> list[ChangeRow]:
        """Return the specific agreement of every category, with the guidelines' passages that name it."""
        rows = changes.of(self.revision.specific_agreement, changes.categories_in_order(self.revision))
        return [replace(row, about=naming(self.comparison.guidelines, row.name)) for row in rows]

    @cached_property
    def categories(self) -> ChangeTable:
        """Return specific agreement; of many categories, of those that moved most."""
        caption = say("Specific agreement [95% interval]: {what}.", what=self.title)
        found = self._table("categories", caption, _("Category"), self.by_category, MOST_CATEGORIES)
        return replace(found, about=_("Passages that name it"))

    @cached_property
    def pairs(self) -> ChangeTable:
        """Return the primary coefficient, or observed agreement, of pairs of annotators."""
        wanted = (self.revision.figure, "cohen_kappa", "observed_agreement")
        caption, rows = _of_pairs(self.comparison, self.revision.pairs, wanted, self.title)
        return self._table("pairs", caption, _("Pair"), rows, MOST_PAIRS)

    @property
    def size(self) -> int:
        """Return how many rows its tables of figures and categories have."""
        return len(self.figures.rows) + len(self.categories.rows)


def span_tables(
    comparison: VersionComparison, revision: SpanRevision
) -> tuple[str, tuple[ChangeTable, ChangeTable, ChangeTable]]:
    """Return what the marks of one layer are compared on, and tables of F, of types and of pairs."""
    number, layer = revision.overlap.documents, revision.layer
    title = say_many(
        "layer {layer}, the {count} document of both",
        "layer {layer}, the {count} documents of both",
        number,
        layer=layer,
        count=numbers.count(number),
    )
    if revision.basis != "shared":
        title = say("layer {layer}, all of each version", layer=layer)
    figures = _named(comparison, revision.measures, STRICT)
    types = changes.of(revision.by_type, _types(revision))
    of_pairs, pairs = _of_pairs(comparison, revision.pairs, (STRICT,), title)
    of_figures = say("Means over pairs of annotators [95% interval]: {what}.", what=title)
    of_types = say("Strict F of each type [95% interval]: {what}.", what=title)
    own, versions = f"spans-{layer}-{BASES[revision.basis]}", _versions(comparison)
    made = (
        (f"{own}-figures", of_figures, _("Figure"), figures, len(figures)),
        (f"{own}-types", of_types, _("Type"), types, MOST_CATEGORIES),
        (f"pairs-{own}", of_pairs, _("Pair"), pairs, MOST_PAIRS),
    )
    first, second, third = (
        ChangeTable(id_, caption, head, versions, changes.furthest(rows, most), len(rows), by_size=True)
        for id_, caption, head, rows, most in made
    )
    return title, (first, second, third)


def _versions(comparison: VersionComparison) -> tuple[str, str]:
    return comparison.first.guidelines, comparison.second.guidelines


def _types(revision: SpanRevision) -> list[str]:
    return changes.in_order(revision.by_type, revision.second.categories, revision.first.categories)


def _named(comparison: VersionComparison, known: Mapping[str, Change], first: str) -> list[ChangeRow]:
    names = changes.figures_in_order(known, comparison.places, first)
    return changes.of(known, names, {name: figure_name(comparison, name) for name in names})


def _of_pairs(
    comparison: VersionComparison, pairs: Sequence[PairChange], wanted: Sequence[str], title: str
) -> tuple[str, list[ChangeRow]]:
    """Return pairs of annotators by the first of some figures that one of them has, with the caption."""
    figure = next((name for name in wanted if any(name in each.measures for each in pairs)), wanted[0])
    caption = say(
        "{name} of pairs who annotated under both versions [95% interval]: {what}.",
        name=figure_name(comparison, figure),
        what=title,
    )
    known = (each for each in pairs if figure in each.measures)
    return caption, [ChangeRow(listed(each.annotators), each.measures[figure]) for each in known]


HEAD = plain("layer unit_set basis part one other category figure")


def changes_in_full(comparison: VersionComparison) -> Iterator[ReportTable]:
    """Yield every figure of unit sets, and of marks in texts, for the CSV."""
    columns = (*HEAD, *changes.CHANGE_COLUMNS)
    if comparison.unit_sets:
        yield ReportTable("", "", columns, tuple(_unit_set_rows(comparison)), file="changes.csv")
    if comparison.spans:
        yield ReportTable("", "", columns, tuple(_span_rows(comparison)), file="span-changes.csv")


def _unit_set_rows(comparison: VersionComparison) -> Iterator[tuple[Cell, ...]]:
    for each in comparison.unit_sets:
        where = (each.layer, each.unit_set, each.basis)
        yield from _figure_rows(comparison, where, each)
        for name in changes.categories_in_order(each):
            change = each.specific_agreement[name]
            yield (*where, "category", "", "", name, "specific_agreement", *changes.csv_cells(change))
        yield from _pair_rows(comparison, where, each)


def _span_rows(comparison: VersionComparison) -> Iterator[tuple[Cell, ...]]:
    for each in comparison.spans:
        where = (each.layer, "", each.basis)
        yield from _figure_rows(comparison, where, each)
        for name in _types(each):
            yield (*where, "type", "", "", name, STRICT, *changes.csv_cells(each.by_type[name]))
        yield from _pair_rows(comparison, where, each)


def _figure_rows(
    comparison: VersionComparison, where: tuple[str, ...], found: UnitSetRevision | SpanRevision
) -> Iterator[tuple[Cell, ...]]:
    for name in changes.figures_in_order(found.measures, comparison.places):
        yield (*where, "figure", "", "", "", name, *changes.csv_cells(found.measures[name]))


def _pair_rows(
    comparison: VersionComparison, where: tuple[str, ...], found: UnitSetRevision | SpanRevision
) -> Iterator[tuple[Cell, ...]]:
    for pair in found.pairs:
        for name in changes.figures_in_order(pair.measures, comparison.places):
            yield (*where, "pair", *pair.annotators, "", name, *changes.csv_cells(pair.measures[name]))


# Which confusions the change in observed disagreement comes from; all of them add up to it.

MOST_CONFUSIONS = 20


def confusions(revision: UnitSetRevision, versions: tuple[str, str]) -> ReportTable | None:
    """Return the confusions that contribute most, those that fell most first, and the whole change last.

    None where observed disagreement is not known under both.
    """
    whole = revision.disagreement
    if whole is None:
        return None
    far = sorted(whole.confusions, key=lambda each: -abs(each.contribution))[:MOST_CONFUSIONS]
    shown = [(changes.confusion(each), [each], each.adjusted) for each in whole.confusions if each in far]
    others = [each for each in whole.confusions if each not in far]
    if others:
        shown.append((numbers.counted(len(others), "other confusion", "other confusions"), others, None))
    tested = any(each.adjusted is not None for each in whole.confusions)
    found = table_of(
        f"confusions-{slug_of(revision.layer, revision.unit_set)}",
        _("How often the sets of two annotators on a unit differ in just this, as a share of all.")
        if whole.sets
        else _("How often the labels of two annotators on a unit are these two, as a share of all."),
        shown,
        ("confusion", _("Confusion"), "text", lambda each: each[0]),
        ("first", versions[0], "figure", lambda each: _shares(whole, each[1])[0]),
        ("second", versions[1], "figure", lambda each: _shares(whole, each[1])[1]),
        ("contribution", _("Contribution"), "text", lambda each: _shares(whole, each[1])[2]),
        ("adjusted", _("p (Holm)"), "p", lambda each: each[2]) if tested else None,
    )
    whole_change = (_("Observed disagreement"), whole.first, whole.second, changes.signed(whole.change), None)
    return replace(found, rows=(*found.rows, whole_change[: len(found.columns)]))


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
    *plain("layer unit_set basis one other"),
    *plain("first first_of second second_of", "count"),
    *plain("contribution p p_holm", "figure"),
)


def confusions_in_full(revisions: Sequence[UnitSetRevision]) -> ReportTable | None:
    """Return every confusion of every unit set for the CSV; None without any."""
    rows: list[tuple[Cell, ...]] = [
        (
            *where,
            *each.categories,
            *(each.first, found.denominators[0], each.second, found.denominators[1]),
            *(each.contribution, each.p, each.adjusted),
        )
        for revision in revisions
        if (found := revision.disagreement) is not None
        for where in [(revision.layer, revision.unit_set, revision.basis)]
        for each in found.confusions
    ]
    return ReportTable("", "", COLUMNS, tuple(rows), file="confusions.csv") if rows else None


# One comparison: what its sections share.


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
    def by_layer(self) -> Drawing | None:
        """Return the primary coefficient of each layer under both versions, drawn; None of a single layer."""
        # Where versions share documents, the figures of these come before those of all.
        known = {each.layer: each for each in reversed(self.comparison.unit_sets) if each.primary}
        rows = [
            ChangeRow(layer, change)
            for layer, each in reversed(known.items())
            if (change := each.measures.get(each.figure))
        ]
        return changes.moves("layers", self.versions, None, rows) if len(rows) > 1 else None

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
        """Return systems and references; None where nobody is compared with a key in both."""
        return systems.of_versions(self.comparison)

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure of the page."""
        found = (self.by_layer, self.moves, self.contributions, self.flow)
        yield from (each for each in found if each is not None)
        yield from self.systems.drawings() if self.systems else ()

    @cached_property
    def tables(self) -> list[ReportTable]:
        """Return every table that has a file."""
        found = [confusions_in_full(self.comparison.unit_sets), guidelines.units_table(self.changed)]
        if self.comparison.guidelines:
            found.append(guidelines.passages_table(self.comparison.guidelines))
        return [
            *changes_in_full(self.comparison),
            *(each for each in found if each is not None),
            *(self.systems.tables() if self.systems else ()),
        ]
