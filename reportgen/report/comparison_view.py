"""Two versions of guidelines as their page sees them: unit sets, marks, what the whole page shares."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import ids_with
from reportgen.figures import Drawing, drawing
from reportgen.figures.bars import of_flips
from reportgen.report import guideline_changes as guidelines
from reportgen.report import system_changes as systems
from reportgen.report import version_changes as changes
from reportgen.report.tables import Cell, ReportTable, csv_if, fields, plain, slug_of, table_of
from reportgen.report.version_changes import ChangeRow, ChangeTable
from reportgen.results import Finding
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
from reportgen.words.language import _, listed, say, say_either, say_many
from reportgen.words.names import figure_name
from reportgen.words.numbers import Note, note

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
        return [
            replace(row, about=guidelines.passages_naming(self.comparison.guidelines, row.name))
            for row in rows
        ]

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

    @cached_property
    def pairs(self) -> ChangeTable:
        """Return the primary coefficient, or observed agreement, of pairs of annotators."""
        preferred = (self.revision.figure, *reversed(ids_with(lambda measure: measure.crowds)))
        return _pairs(self.comparison, self.revision.pairs, self._slug, preferred, self.title)


def span_tables(
    comparison: VersionComparison, revision: SpanRevision
) -> tuple[str, tuple[ChangeTable, ChangeTable, ChangeTable]]:
    """Return what the marks of one layer are compared on, and tables of F, of types and of pairs."""
    if revision.basis == "shared":
        title = say_many(
            "layer {layer}, the {count} {document|documents} of both",
            revision.overlap.documents,
            layer=revision.layer,
        )
    else:
        title = say("layer {layer}, all of each version", layer=revision.layer)
    slug, versions = f"spans-{revision.layer}-{BASES[revision.basis]}", _versions(comparison)
    figures = _figures(comparison, revision, STRICT)
    types = changes.change_rows(revision.by_type, _categories(revision))
    means = say("Means over pairs of annotators [95% interval]: {what}.", what=title)
    of_types = say("Strict F of each type [95% interval]: {what}.", what=title)
    return title, (
        ChangeTable(f"{slug}-figures", means, _("Figure"), versions, figures, len(figures)),
        ChangeTable(f"{slug}-types", of_types, _("Type"), versions, types, MOST_CATEGORIES),
        _pairs(comparison, revision.pairs, slug, (STRICT,), title),
    )


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


def _pairs(
    comparison: VersionComparison,
    pairs: Sequence[PairChange],
    slug: str,
    preferred: Sequence[str],
    title: str,
) -> ChangeTable:
    """Return pairs of annotators by the first of some figures that one of them has."""
    figure = next((name for name in preferred if any(name in pair.measures for pair in pairs)), preferred[0])
    caption = say(
        "{name} of pairs who annotated under both versions [95% interval]: {what}.",
        name=figure_name(comparison, figure),
        what=title,
    )
    with_figure = (pair for pair in pairs if figure in pair.measures)
    rows = [ChangeRow(listed(pair.annotators), pair.measures[figure]) for pair in with_figure]
    return ChangeTable(f"pairs-{slug}", caption, _("Pair"), _versions(comparison), rows, MOST_PAIRS)


HEAD = plain("layer unit_set basis part one other category figure")


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


# Which confusions the change in observed disagreement comes from; all of them add up to it.

MOST_CONFUSIONS = 20


def confusions(revision: UnitSetRevision, versions: tuple[str, str]) -> ReportTable | None:
    """Return the confusions that contribute most, those that fell most first, and the whole change last.

    None where observed disagreement is not known under both.
    """
    disagreement = revision.disagreement
    if disagreement is None:
        return None
    every = disagreement.confusions
    far = sorted(every, key=lambda change: -abs(change.contribution))[:MOST_CONFUSIONS]
    shown = [(changes.confusion(change), [change], change.adjusted) for change in every if change in far]
    others = [change for change in every if change not in far]
    if others:
        shown.append((numbers.counted(len(others), "other confusion", "other confusions"), others, None))
    tested = any(change.adjusted is not None for change in every)
    table = table_of(
        f"confusions-{slug_of(revision.layer, revision.unit_set)}",
        say_either(
            disagreement.sets,
            "How often the {sets|labels} of two annotators on a unit {differ in just this|are these two}, "
            "as a share of all.",
        ),
        shown,
        ("confusion", _("Confusion"), "text", lambda row: row[0]),
        ("first", versions[0], "figure", lambda row: _share(row[1], disagreement.denominators, 0)),
        ("second", versions[1], "figure", lambda row: _share(row[1], disagreement.denominators, 1)),
        ("contribution", _("Contribution"), "text", lambda row: _contribution(row[1])),
        ("adjusted", _("p (Holm)"), "p", lambda row: row[2]) if tested else None,
    )
    values = (disagreement.first, disagreement.second, changes.signed(disagreement.change))
    whole_change = (_("Observed disagreement"), *values, None)
    return replace(table, rows=(*table.rows, whole_change[: len(table.columns)]))


def _share(every: Sequence[ConfusionChange], denominators: tuple[int, int], version: int) -> float | None:
    counts = sum((change.first, change.second)[version] for change in every)
    return counts / denominators[version] if denominators[version] else None


def _contribution(every: Sequence[ConfusionChange]) -> str:
    return changes.signed(math.fsum(change.contribution for change in every))


def adds_up(disagreement: DisagreementChange) -> str:
    """Return the sum of all contributions in words."""
    return say_many(
        "The {contribution|contributions} of {the one confusion is|all {count} confusions add up to} {sum}, "
        "the change in observed disagreement.",
        len(disagreement.confusions),
        sum=_contribution(disagreement.confusions),
    )


COLUMNS = plain("layer unit_set basis one other first first_of second second_of contribution p p_holm")


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

    @cached_property
    def contributions(self) -> Drawing | None:
        """Return what confusions contribute, drawn."""
        disagreement = self.primary.revision.disagreement if self.primary else None
        return changes.contributions("contributions", disagreement.confusions) if disagreement else None

    @cached_property
    def flow(self) -> Drawing | None:
        """Return where disagreements go, drawn."""
        flips = self.primary.revision.flips if self.primary else None
        return drawing("flow", of_flips(flips, self.versions))
