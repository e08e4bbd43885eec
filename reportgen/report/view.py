"""One report: its results, and what several of its sections, pages and files share."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from reportgen.figures import Drawing, drawing, heatmaps
from reportgen.figures import agreement_plots as agreement
from reportgen.figures import all_disagreements as bar
from reportgen.figures import annotator_plots as people
from reportgen.figures.drawings import Plot
from reportgen.figures.style import WIDTH
from reportgen.findings.causes import first_cause
from reportgen.report import against_reference, contents, material, quality_tables
from reportgen.report.blocks import Block, Details, Section
from reportgen.report.disagreements import ClarifyView, DisagreementList, ReportTexts
from reportgen.report.layer_view import LayerView, UnitSetView
from reportgen.report.ledger import Ledger, Slice, ledger
from reportgen.report.pairs import MOST_MATRICES, Pairs, PairwiseMatrix, matrices
from reportgen.report.system_changes import SystemsView, of_releases
from reportgen.report.tables import ReportTable, of_layer, table_of
from reportgen.results import Adjudication, Definition, Finding, Results, UnitSet, Weighting
from reportgen.results.annotators import Judge, Quality, Replacement
from reportgen.results.marks import BoundaryAgreement
from reportgen.results.texts import Texts
from reportgen.results.unit_sets import AggregateReliability
from reportgen.words import headline, marks, names
from reportgen.words.language import _, say
from reportgen.words.names import figure_name, shown_definitions
from reportgen.words.numbers import Note, note
from reportgen.words.subjects import subject_line

# The figures on annotators: a crowd's agreement as a histogram, each beside the others, and over time.
OF_QUALITY: dict[str, Callable[[Quality], Plot | None]] = {
    "agreement-of-annotators": people.of_crowd,
    "annotators": people.of_annotators,
    "drift": people.of_drift,
}


OfLayer = TypeVar(
    "OfLayer",
    Adjudication,
    AggregateReliability,
    BoundaryAgreement,
    Judge,
    Quality,
    Replacement,
    against_reference.LayerComparisons,
)


class ReportView:
    """One report: results, and what pages show of them."""

    def __init__(self, results: Results, texts: Texts | None = None, *, in_site: bool = True) -> None:
        """Keep the results; tables and figures are made when a template asks for them.

        `in_site` says whether the campaign's page is above it, to which pages lead.
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
    def subject(self) -> str:
        """Return what the report is about, and why."""
        return subject_line(self.results, self.only)

    @cached_property
    def layers(self) -> tuple[LayerView, ...]:
        """Return each layer with its unit sets."""
        ids = dict.fromkeys(unit_set.layer for unit_set in self.results.unit_sets)
        return tuple(LayerView(self.results, layer, self._unit_sets(layer)) for layer in ids)

    def _unit_sets(self, layer: str) -> tuple[UnitSetView, ...]:
        members = [unit_set for unit_set in self.results.unit_sets if unit_set.layer == layer]
        ordered = sorted(members, key=lambda unit_set: not unit_set.primary)
        lists = self.passages
        return tuple(
            UnitSetView(self.results, unit_set, lists.of(unit_set.layer, unit_set.id) if lists else None)
            for unit_set in ordered
        )

    @cached_property
    def compared(self) -> list[LayerView]:
        """Return the layers some of whose units more than one annotator labelled."""
        return [layer for layer in self.layers if layer.primary.unit_set.units_compared]

    @cached_property
    def answered(self) -> bool:
        """Tell whether the report answers another question than what one annotator's labels are worth."""
        return any(self.results.subject_of(layer.id) != "annotators" for layer in self.layers)

    @cached_property
    def clarify(self) -> list[ClarifyView]:
        """Return what the guidelines of each layer should clarify."""
        found = self.passages.clarify if self.passages else []
        # In recordings there is nothing to read.
        return [clarify for clarify in found if self.results.subject_of(clarify.layer) != "recordings"]

    @cached_property
    def definitions(self) -> list[tuple[str, Definition]]:
        """Return the measures that the report shows."""
        return shown_definitions(self.results)

    @cached_property
    def weightings(self) -> dict[str, Weighting]:
        """Return what is in brackets behind figures."""
        return names.definitions(self.results.weightings)

    def drawn(self, name: str, plot: Callable[[], Plot | None]) -> Drawing | None:
        """Return a figure by its name, drawn once; None where there is nothing to draw."""
        if name not in self.figures:
            self.figures[name] = drawing(name, plot())
        return self.figures[name]

    def pairwise_figure(self, layer: LayerView, *, linked: bool = False) -> Drawing | None:
        """Return every two annotators of a layer drawn; `linked`: each cell leads to the pair's page."""
        name = f"pairwise-{layer.primary.slug}"
        if linked and self.pairs.hrefs:
            return drawing(name, heatmaps.of_pairs(self.results, layer.id, self.pairs.hrefs), role="group")
        return self.drawn(name, lambda: heatmaps.of_pairs(self.results, layer.id, {}))

    def quality_figure(self, kind: str, layer: Quality) -> Drawing | None:
        """Return one of the figures on a layer's annotators, None where there is nothing to draw."""
        return self.drawn(of_layer(kind, layer.layer), lambda: OF_QUALITY[kind](layer))

    @cached_property
    def paged(self) -> bool:
        """Tell whether there are more than two annotators, who have a page by each other."""
        return bool(self.matrices_shown) or (len(self.pairs.people) > 2 and bool(self.pairs.tables))

    def agreeing(self, *, whole: bool) -> bool:
        """Tell whether there is anything to say of who agrees with whom; `whole`: without pages beside it."""
        listed = any(
            primary.pairs or primary.unit_set.against_majority or (primary.crowded and not whole)
            for primary in (layer.primary for layer in self.layers)
        )
        drawn = any(heatmaps.of_pairs(self.results, layer.id, {}) for layer in self.layers)
        return listed or drawn or (self.paged and not whole) or bool(self.matrices_shown)

    def _of_layers(self, results: Iterable[OfLayer]) -> list[OfLayer]:
        """Return the results of the layers that are shown."""
        shown = {layer.id for layer in self.layers}
        return [result for result in results if result.layer in shown]

    @cached_property
    def adjudications(self) -> list[Adjudication]:
        """Return what was decided of each layer's disagreements, where there is something to say."""
        own = self._of_layers(self.results.adjudication or ())
        return [adjudication for adjudication in own if adjudication.open or adjudication.filled]

    @cached_property
    def quality(self) -> list[Quality]:
        """Return the quality of each layer's annotators and items."""
        return self._of_layers(quality_tables.judged(self.results))

    @cached_property
    def aggregates(self) -> dict[str, AggregateReliability]:
        """Return how reliable the labels of each layer are together, where units have several."""
        return {aggregate.layer: aggregate for aggregate in self._of_layers(self.results.aggregates or ())}

    def listed(self, layer: Quality) -> DisagreementList | None:
        """Return the units on which a layer's annotators differ, where texts may be shown."""
        return self.passages.of(layer.layer, layer.unit_set) if self.passages else None

    @cached_property
    def findings(self) -> list[Finding]:
        """Return the findings, the opening sentences left out."""
        return [finding for finding in self.results.findings if not finding.is_opening]

    @cached_property
    def verdicts(self) -> list[Note]:
        """Return the verdict; of several layers one for those that have the same, the gravest first."""
        return [note(finding) for finding in self.results.findings if finding.kind == "verdict"]

    @cached_property
    def headline(self) -> str:
        """Return what can be relied on, what falls short and what is undecided, of all layers."""
        return headline.headline(headline.standings(self.results))

    @property
    def headline_length(self) -> int:
        """Return how long the title is, with the cause that is its second half."""
        return len(self.headline) + sum(len(cause.claim) for cause in self.causes[:1] if cause.advice)

    @cached_property
    def figures_line(self) -> str:
        """Return what the primary coefficients are, in one line."""
        verdict = next(finding for finding in self.results.findings if finding.kind == "verdict")
        figures = headline.figures(headline.standings(self.results), verdict)
        # Behind a verdict that has its figures comes what they rest on.
        return self.caveat.claim if verdict.subject and not figures and self.caveat else figures

    @cached_property
    def causes(self) -> list[Note]:
        """Return what the disagreements have in common, or that nothing was found."""
        return [note(finding, brief=True) for finding in self.results.findings if finding.kind == "cause"]

    @cached_property
    def cause_side(self) -> str:
        """Return whose colour a cause has that is one of two annotators; empty of any other."""
        cause, people = first_cause(self.results), self.results.primary.annotators
        about = (cause.annotators or ()) if cause and len(people) == len(bar.SIDES) else ()
        return bar.SIDES[people.index(about[0])] if len(about) == 1 and about[0] in people else ""

    @cached_property
    def begin_with(self) -> str:
        """Return what to do first where no cause says it: what the first row of the ledger asks for."""
        rows = self.ledger.rows if self.ledger else ()
        if not rows or not rows[0].asks or any(cause.advice for cause in self.causes):
            return ""
        act, name = rows[0].act, rows[0].name
        return act if name in act else " ".join((say("Begin with {name}.", name=name), act))

    @cached_property
    def layers_caption(self) -> str:
        """Return what is said below the figure of layers, or of categories."""
        if self.recorded:
            return _("Lines are 95% intervals.")
        lines = _(
            "Lines are 95% intervals; one that is shorter than its dot is not seen. Where a line crosses the "
            "minimum, agreement is undecided."
        )
        crowd = self.results.subject_of(self.results.primary.layer) == "crowd"
        if crowd and any(own.of_majority for own in self.results.aggregates or ()):
            estimated = _(
                "Estimated from how labels of one unit differ; ties are settled by lot, so two labels do no "
                "better than one. Open circles are extrapolated: units have fewer labels."
            )
            return f"{estimated} {lines}"
        if len(self.results.layers) == 1 or first_cause(self.results) is None:
            return lines
        return " ".join((lines, _("Open circles: what agreement would be, about, if that were settled.")))

    @cached_property
    def ledger(self) -> Ledger | None:
        """Return a row for each layer, category or system; None where there are no two."""
        return None if self.only else ledger(self.results, self.findings, self.passages)

    @cached_property
    def all_parts(self) -> list[Slice]:
        """Return what all disagreements are, where each annotator's labels are what the report is about."""
        return [] if self.only or self.answered else [Slice(*part) for part in bar.shown_parts(self.results)]

    @property
    def all_parts_title(self) -> str:
        """Return how many disagreements they are, and of how many comparisons."""
        found = self.results.disagreements
        return bar.title(found) if found else ""

    @cached_property
    def suggested_scales(self) -> list[str]:
        """Return which layers suggest another scale, and what their figures are on it."""
        return list(headline.scales(self.results))

    @cached_property
    def habits_of_marks(self) -> list[str]:
        """Return whose marks in texts differ, and how."""
        if self.recorded:
            return []
        return list(marks.habits(self.results, self.passages.texts if self.passages else None))

    @cached_property
    def marks_lines(self) -> list[str]:
        """Return what marks in texts are judged by: F, other unit sets, and how they differ without a bar."""
        return [] if self.recorded else list(marks.figures(self.results, kinds=not self.all_parts))

    @cached_property
    def by_layer(self) -> ReportTable | None:
        """Return each of several layers with its coefficient, interval and verdict in a word."""
        results = self.results
        if len(results.layers) == 1:
            return None
        spans = results.spans.mean_over_pairs if results.spans else {}
        f_of_marks = {layer: means.f_measure.get("strict") for layer, means in spans.items()}
        return table_of(
            "verdicts",
            "",
            headline.standings(results),
            ("layer", _("Layer"), "text", lambda standing: standing.layer),
            ("verdict", _("Agreement"), "text", lambda standing: _(headline.WORDS[standing.severity])),
            ("value", _("Value [95% interval]"), "estimate", lambda standing: standing.figure),
            ("coefficient", _("Coefficient"), "text", lambda own: figure_name(results, own.coefficient)),
            ("f_measure", _("F of marks [95% interval]"), "estimate", lambda own: f_of_marks.get(own.layer))
            if f_of_marks
            else None,
        )

    @cached_property
    def layers_figure(self) -> Drawing | None:
        """Return each layer's primary coefficient, of one layer its categories', on the three bands."""
        if self.recorded and len(self.layers) > 1:
            return None
        return _untitled(drawing("agreement-by-layer", agreement.of_layers(self.results), fits=True))

    @property
    def opening_figure(self) -> Drawing | None:
        """Return what a report shows first where there is no ledger, or for its subject."""
        subjects = {self.results.subject_of(layer) for layer in self.results.layers}
        if self.ledger and not subjects & {"crowd", "recordings"}:
            return None
        return self.layers_figure or self.against_figure

    @cached_property
    def opening_figure_narrow(self) -> Drawing | None:
        """Return the same for a phone; None where it is the same."""
        if self.layers_figure is None:
            return None
        return _untitled(drawing("agreement-by-layer-narrow", agreement.of_layers(self.results, narrow=True)))

    @cached_property
    def recorded(self) -> bool:
        """Tell whether all layers are of recordings, whose marks hardly ever have the same ends."""
        return all(self.results.subject_of(layer.id) == "recordings" for layer in self.layers)

    @cached_property
    def against_figure(self) -> Drawing | None:
        """Return systems beside the reference, or a model beside the human, for the first screen."""
        own = (layer.drawn for layer in self.comparisons if layer.drawn) if self.answered else ()
        first = next(iter(own), None)
        if first is None:
            return None
        # A model is beside the human in the figure that the verdict is about.
        answer = self.results.answer_of(first.whole.layer)
        if answer and all(answer.figure in pair.measures for pair in first.every):
            first = replace(first, whole=first.whole.model_copy(update={"figure": answer.figure}))
        return _untitled(drawing("against-reference", against_reference.drawn_against(first), fits=True))

    def strip(self, layer: str, folder: str = "documents/", width: float = WIDTH) -> Drawing | None:
        """Return a layer's documents as a strip, each a link; `folder` is the way to their pages."""
        documents = self.passages.documents.shown.values() if self.passages else ()
        links = {document.name: f"{folder}{document.file}" for document in documents}
        plot = agreement.of_documents(self.results, layer, links, width)
        name = f"documents-{contents.slug(self.results.primary_of(layer))}"
        return drawing(name, plot, role="group", fits=True)

    @cached_property
    def caveat(self) -> Note | None:
        """Return what the only layer's verdict rests on; None where no unit was compared."""
        caveats = (note(finding, brief=True) for finding in self.results.findings if finding.kind == "caveat")
        return next(caveats, None) if len(self.results.layers) == 1 else None

    @cached_property
    def comparisons(self) -> tuple[against_reference.LayerComparisons, ...]:
        """Return each layer in which not all are annotators."""
        return tuple(self._of_layers(against_reference.layers(self.results)))

    @cached_property
    def releases(self) -> SystemsView | None:
        """Return releases of one system against each other; None where there are no two."""
        return of_releases(self.results)

    @cached_property
    def judges(self) -> list[Judge]:
        """Return each layer's models beside the human."""
        return self._of_layers(self.results.judges or ())

    @cached_property
    def boundaries(self) -> list[BoundaryAgreement]:
        """Return how near boundaries in recordings are, layer by layer."""
        found = (self.results.spans.boundaries if self.results.spans else None) or ()
        return self._of_layers(found)

    @cached_property
    def models(self) -> list[Replacement]:
        """Return each layer's models and systems, and whether they may take an annotator's place."""
        return self._of_layers(self.results.replacement or ())

    @cached_property
    def matrices(self) -> list[tuple[UnitSet, tuple[PairwiseMatrix, ...]]]:
        """Return the matrices of annotators by annotators of each unit set that has several pairs."""
        sets = [unit_set for layer in self.layers for unit_set in layer.members]
        of_sets = ((unit_set, matrices(self.results, unit_set)) for unit_set in sets)
        return [(unit_set, own) for unit_set, own in of_sets if own]

    @property
    def matrices_shown(self) -> list[tuple[UnitSet, tuple[PairwiseMatrix, ...]]]:
        """Return those of the primary unit sets; what a table of pairs shows already is left out."""
        tabled = {table.layer for table in self.pairs.tables if not table.spans and self.pairs.beside}

        def shown(unit_set: UnitSet, matrix: PairwiseMatrix) -> bool:
            return matrix.figure != "observed_agreement" or unit_set.layer not in tabled

        return [
            (unit_set, tuple(matrix for matrix in own if shown(unit_set, matrix))[:MOST_MATRICES])
            for unit_set, own in self.matrices
            if unit_set.primary
        ]


def _untitled(drawn: Drawing | None) -> Drawing | None:
    return replace(drawn, title="") if drawn else None


# What sections have of each layer.


def by_layer(
    view: ReportView, of: Callable[[LayerView], Iterable[Block]], layers: Sequence[LayerView] | None = None
) -> tuple[Block, ...]:
    """Return the blocks of the first layer that has some, those of others folded below their names."""
    own = ((layer, tuple(of(layer))) for layer in (view.layers if layers is None else layers))
    filled = [(layer, blocks) for layer, blocks in own if blocks]
    if len(view.layers) == 1 or not filled:
        return tuple(block for _layer, blocks in filled for block in blocks)
    (first, shown), *others = filled
    folded = (Details(say("In layer {layer}", layer=layer.id), blocks) for layer, blocks in others)
    return Section("", say("Layer {layer}", layer=first.id), shown), *folded


def named(view: ReportView, layer: str, own: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks of a layer, below its name where there are several."""
    several_layers = len(view.layers) > 1
    return (Section("", say("Layer {layer}", layer=layer), tuple(own)),) if several_layers else tuple(own)
