"""The quality of annotators and items, layer by layer: tables from results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.figures import Drawing, drawing, people
from reportgen.report.disagreements import DisagreementList
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Figure, Results
from reportgen.results.annotators import AnnotatorErrors, AnnotatorVsRest, Bin, HardUnit, Quality
from reportgen.words import numbers
from reportgen.words.language import N_, _, say
from reportgen.words.names import figure_name

PAIR = 2
# Of estimated confusion matrices on a page; more are no table to read.
MOST_CELLS = 250
# Of the list of hard units, on a page.
MOST_HARD = 10
# Of annotators beside the others, on the report's own page: rows and columns.
MOST_FIRST = 5
BRIEF = ("annotator", "agreement", "difference", "adjusted_p")
REJECTED = N_("rejected")
KEPT = N_("kept")
NEAR = N_("near chance")
BELOW = N_("below chance")
FEW = N_("control items too few to judge by")


@dataclass(frozen=True)
class QualityView:
    """One layer: its tables, and what stands between them.

    `listed` are the units on which annotators differ, where texts may be shown.
    """

    results: Results
    found: Quality
    listed: DisagreementList | None = None

    @property
    def layer(self) -> str:
        """Return the layer."""
        return self.found.layer

    def _id(self, name: str) -> str:
        return name if self.layer == "main" else f"{name}~{self.layer}"

    def _file(self, name: str) -> str:
        return f"{name}.{self.layer}.csv"

    @cached_property
    def beside_the_others(self) -> Drawing | None:
        """Return each annotator's agreement with the others drawn."""
        return drawing(self._id("annotators"), people.of_annotators(self.found))

    @cached_property
    def drift_figure(self) -> Drawing | None:
        """Return agreement over time drawn."""
        return drawing(self._id("drift"), people.of_drift(self.found))

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure."""
        yield from (each for each in (self.beside_the_others, self.drift_figure) if each)

    @cached_property
    def controls(self) -> ReportTable | None:
        """Return each annotator's accuracy on control items, the worst first."""
        known = self.found.controls
        if known is None or not known.annotators:
            return None
        columns = (
            TableColumn("annotator", _("Annotator")),
            TableColumn("labelled", _("Control items labelled"), "count"),
            TableColumn("right", _("Right"), "count"),
            TableColumn("accuracy", _("Accuracy"), "estimate"),
            TableColumn("outcome", _("Outcome")),
        )
        order = sorted(known.annotators, key=lambda each: (each.accuracy.value or 0, each.annotator))
        rows = tuple(
            (
                each.annotator,
                each.labelled,
                each.right,
                each.accuracy,
                self._outcome(each.labelled, each.rejected),
            )
            for each in order
        )
        caption = _("Accuracy on control items, with the 95% score interval of Wilson (1927).")
        return ReportTable(self._id("control-items"), caption, columns, rows, file=self._file("controls"))

    def _outcome(self, labelled: int, rejected: bool) -> str:  # noqa: FBT001 - one fact of a row
        known = self.found.controls
        if known is None or known.reject_below is None:
            return ""
        if labelled < known.minimum:
            return _(FEW)
        return _(REJECTED if rejected else KEPT)

    @cached_property
    def agreement(self) -> ReportTable | None:
        """Return agreement with everybody beside that without the rejected; None where nobody is."""
        known = self.found.controls
        if known is None or not known.agreement:
            return None
        columns = (
            TableColumn("figure", _("Figure")),
            TableColumn("everybody", _("With everybody"), "estimate"),
            TableColumn("without_rejected", _("Without the rejected"), "estimate"),
        )
        rows = tuple(
            (figure_name(self.results, name), each.everybody, each.without_rejected)
            for name, each in (
                (name, known.agreement[name]) for name in self.results.in_order(known.agreement)
            )
        )
        caption = say("Agreement in {set} with and without the rejected annotators.", set=self.found.unit_set)
        return ReportTable(self._id("rejection"), caption, columns, rows, file=self._file("rejection"))

    @cached_property
    def annotators(self) -> ReportTable | None:
        """Return each annotator beside the others, who agrees least beside them first."""
        if not self.found.annotators:
            return None
        known = any(each.without for each in self.found.annotators)
        name = figure_name(self.results, self.results.coefficients[self.layer])
        columns = (
            TableColumn("annotator", _("Annotator")),
            TableColumn("agreement", _("Same label as another"), "estimate"),
            TableColumn("others", _("The others among themselves"), "figure"),
            TableColumn("difference", _("Difference"), "estimate"),
            TableColumn("p", "p", "p"),
            TableColumn("adjusted_p", _("p, Holm"), "p"),
            *(
                (TableColumn("without", say("{figure} without them", figure=name), "estimate"),)
                if known
                else ()
            ),
        )
        order = sorted(self.found.annotators, key=_difference)
        rows = tuple((*_standing_row(each), each.without)[: len(columns)] for each in order)
        caption = _("How often each annotator gives the label of another, and these others among themselves.")
        return ReportTable(self._id("standings"), caption, columns, rows, file=self._file("annotators"))

    @property
    def annotators_first(self) -> ReportTable | None:
        """Return the first of them without what the report's own page has no room for."""
        found = self.annotators
        if found is None:
            return None
        kept = [place for place, column in enumerate(found.columns) if column.key in BRIEF]
        rows = tuple(tuple(row[place] for place in kept) for row in found.rows[:MOST_FIRST])
        return replace(found, columns=tuple(found.columns[place] for place in kept), rows=rows)

    @cached_property
    def blocks(self) -> ReportTable | None:
        """Return each annotator's agreement by consecutive blocks; None where nobody has enough documents."""
        drifting = [(each.annotator, each.drift) for each in self.found.annotators if each.drift]
        most = max((len(drift.blocks) for _, drift in drifting), default=0)
        if not most:
            return None
        columns = (
            TableColumn("annotator", _("Annotator")),
            TableColumn("documents", _("Documents") if self.found.by_document else _("Units"), "count"),
            *(
                TableColumn(f"block_{place}", say("Block {number}", number=place), "figure")
                for place in range(1, most + 1)
            ),
            TableColumn("change", _("Change"), "estimate"),
            TableColumn("p", "p", "p"),
            TableColumn("adjusted_p", _("p, Holm"), "p"),
        )
        rows: list[tuple[Cell, ...]] = []
        for name, drift in drifting:
            values = [each.agreement for each in drift.blocks]
            blank = [None] * (most - len(values))
            change = (drift.slope, drift.p, drift.adjusted_p)
            rows.append((name, drift.documents, *values, *blank, *change))
        over_documents = N_("How often each gives the label of another, by consecutive blocks of documents.")
        over_units = N_("How often each gives the label of another, by consecutive blocks of units.")
        caption = _(over_documents if self.found.by_document else over_units)
        return ReportTable(self._id("blocks"), caption, columns, tuple(rows), file=self._file("blocks"))

    @cached_property
    def model(self) -> ReportTable | None:
        """Return each annotator's accuracy under the model of Dawid and Skene, the least first."""
        model = self.found.dawid_skene
        if not model.annotators:
            return None
        told = any(each.near_chance or each.below_chance for each in model.annotators)
        columns = (
            TableColumn("annotator", _("Annotator")),
            TableColumn("labelled", _("Units labelled"), "count"),
            TableColumn("accuracy", _("Accuracy"), "figure"),
            TableColumn("blind", _("The same labels at random"), "figure"),
            *((TableColumn("remark", _("Remark")),) if told else ()),
        )
        order = sorted(
            model.annotators,
            key=lambda each: (not (each.near_chance or each.below_chance), each.accuracy, each.annotator),
        )
        rows = tuple(
            (each.annotator, each.labelled, each.accuracy, each.blind, _remark(each))[: len(columns)]
            for each in order
        )
        caption = _("Accuracy as the model of Dawid and Skene (1979) estimates it.")
        return ReportTable(
            self._id("dawid-skene"), caption, columns, rows, file=self._file("dawid-skene-accuracy")
        )

    @cached_property
    def matrices(self) -> ReportTable | None:
        """Return each annotator's estimated confusion matrix; None where they are too many to show."""
        model = self.found.dawid_skene
        columns = (
            TableColumn("annotator", _("Annotator")),
            TableColumn("true", _("True category")),
            *(
                TableColumn(f"given_{place}", name, "percent")
                for place, name in enumerate(model.categories, 1)
            ),
        )
        rows = tuple(
            (each.annotator, true, *row)
            for each in model.annotators
            for true, row in zip(model.categories, each.confusion or (), strict=False)
        )
        caption = _("Estimated confusion matrices: what each annotator gives where a category is true.")
        return ReportTable(self._id("estimated-confusions"), caption, columns, rows) if rows else None

    @property
    def matrices_shown(self) -> ReportTable | None:
        """Return them where they are small enough to be read; larger ones stand in the CSV."""
        found = self.matrices
        return found if found and len(found.rows) * len(found.columns) <= MOST_CELLS else None

    @cached_property
    def prevalence(self) -> ReportTable | None:
        """Return the estimated share of each category."""
        model = self.found.dawid_skene
        columns = (
            TableColumn("category", _("Category")),
            TableColumn("share", _("Estimated share"), "percent"),
        )
        rows = tuple((name, model.prevalence[name]) for name in model.categories)
        caption = _("Estimated shares of the true categories.")
        return (
            ReportTable(self._id("prevalence"), caption, columns, rows, file=self._file("prevalence"))
            if rows
            else None
        )

    @cached_property
    def difficulty(self) -> ReportTable | None:
        """Return how many units have how much disagreement."""
        known = self.found.difficulty
        if known is None:
            return None
        columns = (
            TableColumn("disagreement", _("Disagreement")),
            TableColumn("units", _("Units"), "count"),
            TableColumn("share", _("Share"), "percent"),
        )
        names = [_("none"), *map(_stretch, known.histogram[1:])]
        rows = tuple(
            (name, each.units, each.units / known.units)
            for name, each in zip(names, known.histogram, strict=True)
        )
        caption = _("Units by disagreement: the share of pairs of their labels that differ.")
        return ReportTable(self._id("difficulty"), caption, columns, rows, file=self._file("difficulty"))

    @property
    def difficulty_shown(self) -> ReportTable | None:
        """Return those rows that have units: of few annotators few values can occur."""
        found = self.difficulty
        return replace(found, rows=tuple(row for row in found.rows if row[1])) if found else None

    @property
    def hardest_shown(self) -> ReportTable | None:
        """Return the first of the hardest units; the CSV has more."""
        found = self.hardest
        if found is None:
            return None
        rows = tuple((row[0] or numbers.NONE, *row[1:]) for row in found.rows[:MOST_HARD])
        return replace(found, rows=rows, links=found.links[:MOST_HARD])

    @cached_property
    def hardest(self) -> ReportTable | None:
        """Return the units with the most disagreement; what they are called only where texts may be shown."""
        known = self.found.difficulty
        if known is None or not known.hardest:
            return None
        named = self.listed is not None
        columns = (
            *((TableColumn("unit", _("Unit")),) if named else (TableColumn("place", _("Place"), "count"),)),
            TableColumn("document", _("Document")),
            TableColumn("disagreement", _("Disagreement"), "figure"),
            TableColumn("entropy", _("Entropy in bits"), "figure"),
            TableColumn("labels", _("Labels")),
        )
        rows, links = zip(*map(self._hard, range(len(known.hardest)), known.hardest), strict=True)
        caption = _("The units with the most disagreement.")
        return ReportTable(
            self._id("hardest"), caption, columns, tuple(rows), file=self._file("hardest"), links=links
        )

    def _hard(self, place: int, unit: HardUnit) -> tuple[tuple[Cell, ...], tuple[str | None, ...]]:
        """Return the row of a unit, and where its cells lead."""
        labels = ", ".join(f"{name} × {numbers.count(times)}" for name, times in _most_first(unit.labels))
        figures = (unit.disagreement, unit.entropy, labels)
        none = (None,) * (1 + len(figures))
        if self.listed is None:
            return (place + 1, unit.document or "", *figures), (None, *none)
        known = unit.entry is not None and unit.entry < len(self.listed.rows)
        row = self.listed.rows[unit.entry or 0] if known else None
        name = row.form if row else ""
        return (name, unit.document or "", *figures), (row.href if row else None, *none)

    @cached_property
    def intra(self) -> ReportTable | None:
        """Return each annotator's agreement with themselves."""
        known = self.found.intra_annotator
        if not known:
            return None
        names = self.results.in_order({name for each in known for name in each.measures})
        columns = (
            TableColumn("annotator", _("Annotator")),
            TableColumn("units", _("Units labelled twice"), "count"),
            *(TableColumn(name, figure_name(self.results, name), "estimate") for name in names),
        )
        rows = tuple((each.annotator, each.units, *_figures(each.measures, names)) for each in known)
        caption = _("Intra-annotator agreement: first labels against second ones.")
        return ReportTable(
            self._id("intra-annotator"), caption, columns, rows, file=self._file("intra-annotator")
        )

    @property
    def shown(self) -> tuple[int, int]:
        """Return how many annotators the page shows, and how many there are."""
        return len(self.found.annotators), self.found.annotators_in_all

    def tables(self) -> Iterator[ReportTable]:
        """Yield every table that has a file."""
        found = (
            self.controls, self.agreement, self.annotators, self.blocks, self.model, self.prevalence,
            self.difficulty, self.hardest, self.intra,
        )  # fmt: skip
        yield from (each for each in found if each is not None)


def _stretch(each: Bin) -> str:
    low, high = (numbers.pointed(f"{end:g}") for end in (each.low, each.high))
    return say("above {low}, up to {high}", low=low, high=high)


def _difference(each: AnnotatorVsRest) -> tuple[float, str]:
    return 1.0 if each.difference.value is None else each.difference.value, each.annotator


def _standing_row(each: AnnotatorVsRest) -> tuple[Cell, ...]:
    return (each.annotator, each.agreement, each.others, each.difference, each.p, each.adjusted_p)


def _most_first(labels: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(labels.items(), key=lambda item: (-item[1], item[0]))


def _figures(measures: Mapping[str, Figure], names: Sequence[str]) -> list[Figure | None]:
    return [measures.get(name) for name in names]


def quality_views(results: Results, lists: Mapping[tuple[str, str], DisagreementList]) -> list[QualityView]:
    """Return each layer with more than two annotators to tell apart, control items or second passes.

    `lists` are those of layers and unit sets.
    """
    return [
        QualityView(results, each, lists.get((each.layer, each.unit_set)))
        for each in results.quality or ()
        if each.controls or each.intra_annotator or each.annotators_in_all > PAIR
    ]


def _remark(erring: AnnotatorErrors) -> str:
    if erring.below_chance:
        return _(BELOW)
    return _(NEAR) if erring.near_chance else ""
