"""One report as its templates see it: sections with their tables, figures and messages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures import Drawing, agreement, crowd, drawing, pairwise, people, strip
from reportgen.figures.drawings import Plot
from reportgen.figures.style import WIDTH
from reportgen.report import (
    adjudication,
    comparisons,
    contents,
    material,
    matrices,
    replacement,
    spans,
)
from reportgen.report.compared_figure import drawn_against
from reportgen.report.comparisons import tables as comparison_tables
from reportgen.report.layer_view import LayerView
from reportgen.report.marks import unitizing_tables
from reportgen.report.material import DataView
from reportgen.report.opening import OPENING
from reportgen.report.pairs import TWO, Pairs
from reportgen.report.passages import ClarifyView, ReportTexts
from reportgen.report.quality import QualityView, quality_views
from reportgen.report.spans import credit_tables
from reportgen.report.tables import ReportTable, TableColumn
from reportgen.report.unit_set_view import UnitSetView
from reportgen.results import Adjudication, Definition, Finding, Results, Weighting
from reportgen.results.annotators import Replacement
from reportgen.results.marks import DistanceOrigin
from reportgen.results.texts import Texts
from reportgen.words import headline, names, numbers
from reportgen.words.language import _, listed, say, say_many
from reportgen.words.names import figure_name, on_the_page, shown_definitions
from reportgen.words.numbers import Note, note

if TYPE_CHECKING:
    from reportgen.report.comparison.systems import SystemsView


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

# Findings with these sections as their evidence are about all units on which annotators differ.
SHOWN_BY_UNITS = ("spans", "symmetry", "quality")


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
        self.figures: dict[str, Drawing | None] = {}

    @property
    def only(self) -> str:
        """Return the layer that this is the view of, empty where it is that of all."""
        return ""

    @property
    def scope(self) -> str:
        """Return what the report is about in one sentence."""
        return material.scope(self.results)

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

    @cached_property
    def clarify(self) -> list[ClarifyView]:
        """Return what the guidelines of each layer should clarify."""
        return self.passages.clarify if self.passages else []

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

    def drawn(self, name: str, plot: Callable[[], Plot | None]) -> Drawing | None:
        """Return a figure by its name, drawn once; None where there is nothing to draw."""
        if name not in self.figures:
            self.figures[name] = drawing(name, plot())
        return self.figures[name]

    @property
    def others_figure(self) -> Drawing | None:
        """Return annotators by layers drawn, None of one layer."""
        return self.drawn("agreement-with-others", lambda: pairwise.of_layers(self.results))

    def pairwise_figure(self, layer: LayerView, *, linked: bool = False) -> Drawing | None:
        """Return every two annotators of a layer drawn; `linked`: each cell leads to the pair's page."""
        name = f"pairwise-{layer.primary.slug}"
        if linked and self.pairs.hrefs:
            return drawing(name, pairwise.of_pairs(self.results, layer.id, self.pairs.hrefs), role="group")
        return self.drawn(name, lambda: pairwise.of_pairs(self.results, layer.id, {}))

    def crowd_figure(self, layer: QualityView) -> Drawing | None:
        """Return a crowd's agreement with the others as a histogram, None where annotators are few."""
        return self.drawn(layer.id("agreement-of-annotators"), lambda: crowd.of_crowd(layer.found))

    def standing_figure(self, layer: QualityView) -> Drawing | None:
        """Return each annotator beside the others drawn."""
        return self.drawn(layer.id("annotators"), lambda: people.of_annotators(layer.found))

    def drift_figure(self, layer: QualityView) -> Drawing | None:
        """Return agreement over time drawn."""
        return self.drawn(layer.id("drift"), lambda: people.of_drift(layer.found))

    def causes_figure(self, found: Adjudication) -> Drawing | None:
        """Return the causes of a layer's disagreements drawn, None where none was noted."""
        name = "causes" if found.layer == "main" else f"causes~{found.layer}"
        return self.drawn(name, lambda: people.of_causes(found))

    def compared_figure(self, layer: comparisons.LayerComparisons) -> Drawing | None:
        """Return everybody against the key drawn, None where there is nothing, or too much, to draw."""
        found = layer.drawn
        return self.drawn(f"comparisons-{found.slug}", lambda: drawn_against(found)) if found else None

    def models_figure(self, found: Replacement) -> Drawing | None:
        """Return ρ of each model drawn; None where fewer than two have one."""
        name = f"models-{replacement.slug(self.results, found)}"
        return self.drawn(name, lambda: replacement.models_plot(found))

    @cached_property
    def paged(self) -> bool:
        """Tell whether there are more than two annotators, who have a page by each other."""
        return bool(self.matrices_shown) or (len(self.pairs.people) > TWO and bool(self.pairs.tables))

    def agreeing(self, *, whole: bool) -> bool:
        """Tell whether there is anything to say of who agrees with whom; `whole`: without pages beside it."""
        own = (each.primary for each in self.layers)
        listed = any(each.pairs or each.majority or (each.crowded and not whole) for each in own)
        drawn = any(pairwise.of_pairs(self.results, each.id, {}) for each in self.layers)
        return listed or drawn or (self.paged and not whole) or bool(self.matrices_shown)

    @cached_property
    def shown_layers(self) -> frozenset[str]:
        """Return the ids of the layers that are shown."""
        return frozenset(each.id for each in self.layers)

    @property
    def non_annotated(self) -> dict[str, str]:
        """Return the category of unmarked units, by layer."""
        return {each.layer: each.non_annotated for each in self.results.unit_sets if each.non_annotated}

    @cached_property
    def adjudications(self) -> list[Adjudication]:
        """Return what was decided of each layer's disagreements, where there is something to say."""
        known = self.results.adjudication or ()
        return [each for each in known if each.layer in self.shown_layers and (each.open or each.filled)]

    @cached_property
    def quality(self) -> list[QualityView]:
        """Return the quality of each layer's annotators and items."""
        lists = self.passages.lists if self.passages else ()
        found = quality_views(self.results, {(each.unit_set.layer, each.unit_set.id): each for each in lists})
        return [each for each in found if each.layer in self.shown_layers]

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

    @cached_property
    def data(self) -> DataView:
        """Return the tables of the data."""
        return DataView(self.results)

    @cached_property
    def comparisons(self) -> tuple[comparisons.LayerComparisons, ...]:
        """Return each layer in which not all are annotators."""
        return tuple(each for each in comparisons.layers(self.results) if each.layer in self.shown_layers)

    @cached_property
    def releases(self) -> "SystemsView | None":
        """Return releases of one system against each other; None where there are no two."""
        # It is made of the parts of comparisons' pages, which show findings as this one does.
        from reportgen.report.comparison.systems import of_releases

        return of_releases(self.results)

    @cached_property
    def models(self) -> list[Replacement]:
        """Return each layer's models and systems, and whether they may take an annotator's place."""
        return [each for each in self.results.replacement or () if each.layer in self.shown_layers]

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

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure of the report."""
        if self.layers_figure:
            yield self.layers_figure
        for layer in self.layers:
            yield from layer.drawings()
        found = (self.others_figure, *(self.pairwise_figure(each) for each in self.layers))
        yield from filter(None, found)
        for each in self.quality:
            yield from filter(None, (self.crowd_figure(each), self.standing_figure(each)))
            yield from filter(None, (self.drift_figure(each),))
        yield from filter(None, map(self.causes_figure, self.adjudications))
        yield from filter(None, map(self.compared_figure, self.comparisons))
        yield from self.releases.drawings() if self.releases else ()
        yield from filter(None, map(self.models_figure, self.models))

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
        yield from replacement.models_tables(self.results)
        yield from (each.table() for found in self.matrices for each in found.matrices)
        yield from (table for each in self.adjudications for table in adjudication.tables(each))
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
