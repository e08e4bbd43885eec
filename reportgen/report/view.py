"""One report as its templates see it: sections with their tables, figures and messages."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures import Drawing, agreement, drawing, strip
from reportgen.figures.style import WIDTH
from reportgen.report import comparisons, contents, material, matrices, spans
from reportgen.report.adjudication import AdjudicationView, adjudications
from reportgen.report.compared_figure import drawn_against
from reportgen.report.comparisons import tables as comparison_tables
from reportgen.report.layer_view import LayerView
from reportgen.report.marks import UnitizingView, unitizing_tables, unitizing_views
from reportgen.report.material import DataView
from reportgen.report.opening import OPENING
from reportgen.report.pairs import Pairs
from reportgen.report.passages import ClarifyView, ReportTexts
from reportgen.report.quality import QualityView, quality_views
from reportgen.report.replacement import TESTED_BY, ModelsView, models_views
from reportgen.report.replacement_tables import models_tables
from reportgen.report.spans import credit_tables
from reportgen.report.tables import ReportTable, TableColumn
from reportgen.report.unit_set_view import UnitSetView
from reportgen.results import Definition, Finding, Results, Weighting
from reportgen.results.marks import DistanceOrigin
from reportgen.results.texts import Texts
from reportgen.words import headline, names, numbers
from reportgen.words.language import N_, _, isolated, listed, say, say_many
from reportgen.words.names import figure_name, on_the_page, shown_definitions
from reportgen.words.numbers import Note, note

if TYPE_CHECKING:
    from reportgen.report.comparison.systems import SystemsView


# The sections of evidence of a report, or of one of its layers, as the list of contents has them.


def of(view: "ReportView", *, alone: bool) -> list[tuple[str, str]]:
    """Return the anchor and the title of each section that there is; `alone`: without pages beside it."""
    return [*_of_units(view), *_of_marks(view), *_of_people(view, alone=alone)]


def _of_units(view: "ReportView") -> Iterator[tuple[str, str]]:
    yield "confusion-matrix", _("Confusion matrix")
    yield "specific-agreement", _("Specific agreement")
    yield "questions", _("Which figure for what")
    yield "coefficients", _("Coefficients")
    yield "choices", _("What counts as a unit")
    if view.layers[0].sizes:
        yield "size-curve", _size(view)
    if any(each.sets for each in view.layers):
        yield "sets", _("Sets of labels")


def _size(view: "ReportView") -> str:
    first = view.layers[0].unit_sets[0].unit_set
    category = view.results.primary.non_annotated or first.non_annotated
    if not category:
        return _("Size of what is not annotated")
    return _("Size of “%(category)s”") % {"category": isolated(category)}


def _of_marks(view: "ReportView") -> Iterator[tuple[str, str]]:
    if view.spans:
        yield "spans", _("Precision, recall and F")
    if view.unitizing:
        yield "unitizing", _("Unitizing")


def _of_people(view: "ReportView", *, alone: bool) -> Iterator[tuple[str, str]]:
    if view.comparisons:
        referenced = any(each.against_reference for layer in view.comparisons for each in layer.shown)
        yield "comparisons", _("Against the reference") if referenced else _("Systems")
    if view.models:
        yield "models", _("Models")
    if view.distanced or any(each.origin for each in view.results.distances):
        yield "distances", _("Distances")
    if view.paired:
        yield "symmetry", _("Bias between annotators")
    if view.agreeing(alone):
        yield "annotator-pairs", _("Who agrees with whom")
    if view.adjudications:
        yield "adjudication", _("Adjudication")
    if view.quality:
        yield "quality", _("Quality")


# Each of several layers with its verdict, in a row of a table.


def by_layer(results: Results) -> ReportTable:
    """Return the layers in their order, each with its coefficient, interval and verdict in a word."""
    columns = (
        TableColumn("layer", _("Layer")),
        TableColumn("verdict", _("Agreement")),
        TableColumn("value", _("Value [95% interval]"), "estimate"),
        TableColumn("coefficient", _("Coefficient")),
    )
    rows = tuple(
        (each.layer, _(headline.WORDS[each.severity]), each.figure, figure_name(results, each.coefficient))
        for each in headline.standings(results)
    )
    return ReportTable("verdicts", "", columns, rows)


# Where distances between categories come from that were computed of a taxonomy, in words.


@dataclass(frozen=True)
class OriginView:
    """A distance table, and where it comes from."""

    id: str
    said: str


def origins(results: Results) -> list[OriginView]:
    """Return where each distance table comes from that was not written by hand."""
    return [OriginView(each.id, _said(each.origin)) for each in results.distances if each.origin]


def _said(origin: DistanceOrigin) -> str:
    parts = [
        *(_of_taxonomy(origin) if origin.kind == "taxonomy" else [_of_scores(origin)]),
        _unplaced(origin),
    ]
    return " ".join(part for part in parts if part)


def _of_taxonomy(origin: DistanceOrigin) -> list[str]:
    computed = say(
        "1 − BDM, the balanced distance metric (Maynard, Peters and Li 2006), computed from the taxonomy "
        "{file} ({form}): {concepts}, {roots}, chains of {chain} steps on average.",
        file=origin.file,
        form=_(origin.form),
        concepts=numbers.counted(origin.concepts, "concept", "concepts"),
        roots=numbers.counted(origin.roots or 0, "root", "roots"),
        chain=numbers.figure(origin.chain),
    )
    several = (origin.roots or 0) > 1
    return [computed, say("Concepts below different roots have nothing in common.") if several else ""]


def _of_scores(origin: DistanceOrigin) -> str:
    return say(
        "1 − BDM, the balanced distance metric (Maynard, Peters and Li 2006), read from the scores in {file} "
        "that GATE computed: {concepts}.",
        file=origin.file,
        concepts=numbers.counted(origin.concepts, "concept", "concepts"),
    )


def _unplaced(origin: DistanceOrigin) -> str:
    if not origin.unplaced:
        return ""
    return say_many(
        "{names} is no concept and at distance 1 from all others.",
        "{names} are no concepts and at distance 1 from all others.",
        len(origin.unplaced),
        names=listed(origin.unplaced),
    )


# One report as its templates see it: sections with their tables, figures and messages.

MOST_INPUTS = 60
# Findings with these sections as their evidence are about all units on which annotators differ.
SHOWN_BY_UNITS = ("spans", "symmetry", "quality")
# What the catalogue says of measures that are for however many annotators.
ANY_NUMBER = N_("any number")


@dataclass(frozen=True)
class ComparedLayerView:
    """Everybody against the reference in one layer: tables, and the figure with its caption."""

    layer: str
    shown: tuple[comparisons.ComparedView, ...]
    drawing: Drawing | None
    caption: str


@dataclass(frozen=True)
class MatricesView:
    """The matrices of one unit set."""

    layer: str
    id: str
    primary: bool
    matrices: tuple[matrices.PairwiseMatrix, ...]


class ReportView:
    """One report: results, and what pages show of them."""

    def __init__(self, results: Results, texts: Texts | None = None, *, in_site: bool = True) -> None:
        """Keep the results; tables and figures are made when a template asks for them.

        `in_site` says whether the campaign's page stands above it, to which pages lead.
        """
        self.results = results
        self.in_site = in_site
        self.passages = ReportTexts(results, texts) if texts else None
        self.pairs = Pairs(results)

    @property
    def only(self) -> str:
        """Return the layer that this is the view of, empty where it is that of all."""
        return ""

    @property
    def scope(self) -> str:
        """Return what the report is about in one sentence."""
        return material.scope(self.results)

    @property
    def libraries(self) -> str:
        """Return what computed the figures."""
        return ", ".join(f"{name} {version}" for name, version in self.results.tool.libraries.items())

    @property
    def any_number(self) -> str:
        """Return how the catalogue says that a measure is for any number of annotators."""
        return _(ANY_NUMBER)

    @property
    def origins(self) -> list[OriginView]:
        """Return where distances that were computed come from."""
        return origins(self.results)

    @cached_property
    def layers(self) -> tuple[LayerView, ...]:
        """Return each layer with its unit sets."""
        ids = dict.fromkeys(each.layer for each in self.results.unit_sets)
        return tuple(LayerView(self.results, layer, self._unit_sets(layer)) for layer in ids)

    def _unit_sets(self, layer: str) -> tuple[UnitSetView, ...]:
        members = [each for each in self.results.unit_sets if each.layer == layer]
        ordered = sorted(members, key=lambda each: not each.primary)
        lists = self.passages
        return tuple(UnitSetView(self.results, each, lists.of(each) if lists else None) for each in ordered)

    @cached_property
    def compared(self) -> list[LayerView]:
        """Return the layers some of whose units more than one annotator labelled."""
        return [each for each in self.layers if each.primary.unit_set.units_compared]

    @cached_property
    def paired(self) -> list[LayerView]:
        """Return those of them that two annotators labelled."""
        return [each for each in self.compared if each.primary.pair]

    @cached_property
    def distanced(self) -> list[LayerView]:
        """Return those of them with distances between their categories."""
        return [each for each in self.compared if each.primary.distances]

    def sections(self, alone: bool) -> list[tuple[str, str]]:  # noqa: FBT001 - as templates call it
        """Return the sections of evidence, each with its title in the list of contents."""
        return of(self, alone=alone)

    @cached_property
    def clarify(self) -> list[ClarifyView]:
        """Return what the guidelines of each layer should clarify."""
        return self.passages.clarify if self.passages else []

    @cached_property
    def spans(self) -> tuple[spans.SpanView, ...]:
        """Return precision, recall and F-measure of each layer with marks in texts."""
        return spans.views(self.results, self.pairs.hrefs)

    @cached_property
    def definitions(self) -> list[tuple[str, Definition]]:
        """Return the measures that the report shows."""
        return shown_definitions(self.results)

    @cached_property
    def definitions_shown(self) -> list[tuple[str, Definition]]:
        """Return those of them that the page itself shows figures of."""
        return on_the_page(self.results)

    @cached_property
    def weightings(self) -> dict[str, Weighting]:
        """Return what stands in brackets behind figures."""
        return names.definitions(self.results.weightings)

    @cached_property
    def unitizing(self) -> tuple[UnitizingView, ...]:
        """Return how annotators cut the texts of each layer into units."""
        return unitizing_views(self.results)

    @cached_property
    def adjudications(self) -> list[AdjudicationView]:
        """Return what was decided of each layer's disagreements."""
        return adjudications(self.results)

    @cached_property
    def quality(self) -> list[QualityView]:
        """Return the quality of each layer's annotators and items."""
        lists = self.passages.lists if self.passages else ()
        return quality_views(self.results, {(each.unit_set.layer, each.unit_set.id): each for each in lists})

    @cached_property
    def findings(self) -> list[Finding]:
        """Return the findings, the opening sentences left out."""
        return [each for each in self.results.findings if each.id not in OPENING]

    @cached_property
    def verdicts(self) -> list[Note]:
        """Return the verdict; of several layers one for those that have the same, the gravest first."""
        return [note(each) for each in self.results.findings if each.id == "verdict"]

    @cached_property
    def headline(self) -> str:
        """Return what can be relied on, what falls short and what is undecided, of all layers."""
        return headline.headline(headline.standings(self.results))

    @cached_property
    def figures_line(self) -> str:
        """Return what the primary coefficients are, in one line."""
        verdict = next(each for each in self.results.findings if each.id == "verdict")
        return headline.figures(headline.standings(self.results), verdict)

    @cached_property
    def by_layer(self) -> ReportTable | None:
        """Return each of several layers with its verdict."""
        return by_layer(self.results) if len(self.results.layers) > 1 else None

    @cached_property
    def layers_figure(self) -> Drawing | None:
        """Return each layer's primary coefficient, of one layer its categories', on the three bands."""
        return _untitled(drawing("agreement-by-layer", agreement.of_layers(self.results), fits=True))

    @cached_property
    def layers_figure_narrow(self) -> Drawing | None:
        """Return the same for a phone."""
        return _untitled(drawing("agreement-by-layer-narrow", agreement.of_layers(self.results, narrow=True)))

    @cached_property
    def first_strip(self) -> tuple[str, Drawing] | None:
        """Return the layer with the highest agreement whose documents make a strip, and the strip."""
        known = [
            each for each in headline.standings(self.results) if each.figure and each.figure.value is not None
        ]
        ranked = sorted(known, key=lambda each: -((each.figure and each.figure.value) or 0.0))
        found = ((each.layer, self.strip(each.layer, width=agreement.HALF_PAGE)) for each in ranked)
        return next(((layer, strip) for layer, strip in found if strip), None)

    def examples_of(self, finding: Finding) -> str:
        """Return where the units are listed on which two categories meet, empty where they are not."""
        if not finding.layers or self.passages is None:
            return ""
        unit_set, values = self.results.primary_of(finding.layers[0]), finding.values
        found = self.passages.of(unit_set)
        lists = found.sections if found else ()
        if "category" in values:
            two = {values["category"], values.get("other", unit_set.non_annotated)}
        elif finding.id == "confused":
            two = {values["first"], values["second"]}
        else:
            return lists[0].href if lists and finding.evidence in SHOWN_BY_UNITS else ""
        return next((each.href for each in lists if {each.first, each.second} == two), "")

    def strip(self, layer: str, folder: str = "documents/", width: float = WIDTH) -> Drawing | None:
        """Return a layer's documents as a strip, each a link; `folder` is the way to their pages."""
        known = self.passages.documents.all if self.passages else ()
        links = {each.name: f"{folder}{each.file}" for each in known}
        plot = strip.of_documents(self.results, layer, links, width)
        name = f"documents-{contents.slug(self.results.primary_of(layer))}"
        return drawing(name, plot, role="group", fits=True)

    @cached_property
    def caveat(self) -> Note | None:
        """Return what the only layer's verdict rests on; None where no unit was compared."""
        found = (note(each) for each in self.results.findings if each.id == "caveat")
        return next(found, None) if len(self.results.layers) == 1 else None

    @cached_property
    def inputs(self) -> ReportTable:
        """Return the files that were read."""
        return contents.inputs(self.results)

    @property
    def inputs_shown(self) -> ReportTable | None:
        """Return that list where it is short; longer ones stand in the CSV."""
        return self.inputs if len(self.inputs.rows) <= MOST_INPUTS else None

    @cached_property
    def data(self) -> DataView:
        """Return the tables of the data."""
        return DataView(self.results)

    @cached_property
    def comparisons(self) -> tuple[ComparedLayerView, ...]:
        """Return each layer in which not all are annotators."""
        return tuple(_compared(each) for each in comparisons.layers(self.results))

    @cached_property
    def releases(self) -> "SystemsView | None":
        """Return releases of one system against each other; None where there are no two."""
        # It is made of the parts of comparisons' pages, which show findings as this one does.
        from reportgen.report.comparison.systems import of_releases

        return of_releases(self.results)

    @property
    def alternative_test(self) -> str:
        """Return who made the test of models as annotators."""
        return TESTED_BY.citation.partition(", ACL")[0]

    @cached_property
    def models(self) -> list[ModelsView]:
        """Return each layer's models and systems, and whether they may take an annotator's place."""
        return models_views(self.results)

    @cached_property
    def matrices(self) -> list[MatricesView]:
        """Return the matrices of annotators by annotators of each unit set that has several pairs."""
        sets = [each.unit_set for layer in self.layers for each in layer.unit_sets]
        found = [
            MatricesView(each.layer, each.id, each.primary, matrices.matrices(self.results, each))
            for each in sets
        ]
        return [each for each in found if each.matrices]

    @property
    def matrices_shown(self) -> list[MatricesView]:
        """Return those of the primary unit sets; what a table of pairs shows already is left out."""
        observed = (
            {each.layer for each in self.pairs.tables if not each.spans} if self.pairs.beside else set()
        )
        return [
            replace(
                each,
                matrices=tuple(m for m in each.matrices if m.figure not in hidden)[: matrices.MOST_SHOWN],
            )
            for each in self.matrices
            if each.primary
            for hidden in [("observed_agreement",) if each.layer in observed else ()]
        ]

    def agreeing(self, alone: bool) -> bool:  # noqa: FBT001 - as templates call it
        """Tell whether there is anything to say of who agrees with whom; `alone`: without pages beside it."""
        tables = any(self.pairs.of(each.id) for each in self.layers) and (self.pairs.beside or not alone)
        crowd = any(each.primary.crowded for each in self.layers) and not alone
        return tables or crowd or any(each.primary.majority or each.primary.pairs for each in self.layers)

    @property
    def matrix_legend(self) -> list[tuple[str, str]]:
        """Return the colours of the matrices with what they stand for."""
        return list(matrices.legend())

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure of the report."""
        if self.layers_figure:
            yield self.layers_figure
        for layer in self.layers:
            yield from layer.drawings()
        for found in self.quality:
            yield from found.drawings()
        yield from (each.causes_figure for each in self.adjudications if each.causes_figure)
        yield from (each.drawing for each in self.comparisons if each.drawing)
        yield from self.releases.drawings() if self.releases else ()
        yield from (each.drawing for each in self.models if each.drawing)

    def tables(self) -> Iterator[ReportTable]:
        """Yield every table that has a file, but the confusion matrices."""
        yield contents.long_coefficients(self.results)
        yield self.inputs
        yield from self.data.tables()
        yield from spans.tables(self.results)
        yield from unitizing_tables(self.results)
        yield from credit_tables(self.results)
        yield from comparison_tables(self.results)
        yield from self.releases.tables() if self.releases else ()
        yield from models_tables(self.results)
        yield from (each.table() for found in self.matrices for each in found.matrices)
        yield from (table for layer in self.adjudications for table in layer.tables)
        yield from (table for layer in self.quality for table in layer.tables())
        for layer in self.layers:
            yield layer.choices
            yield from layer.sets.tables if layer.sets else ()
            if layer.limits:
                yield layer.limits
            for each in layer.unit_sets:
                yield from each.tables()


def _untitled(drawn: Drawing | None) -> Drawing | None:
    """Return a figure below a heading that says what it shows."""
    return replace(drawn, title="") if drawn else None


def _compared(layer: comparisons.LayerComparisons) -> ComparedLayerView:
    drawn = layer.drawn
    name = f"comparisons-{drawn.slug}" if drawn else ""
    found = drawing(name, drawn_against(drawn)) if drawn else None
    caption = drawn.caption if drawn else ""
    return ComparedLayerView(layer.layer, layer.shown, found, caption)
