"""One report, its layers and unit sets, as sections, pages and files see them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from markupsafe import Markup

from reportgen.base.dataclass import dataclass
from reportgen.figures import Drawing, drawing, heatmaps
from reportgen.figures import agreement_plots as agreement
from reportgen.figures import annotator_plots as people
from reportgen.figures import bars as bar
from reportgen.figures import curve as curves
from reportgen.figures.drawings import Plot
from reportgen.figures.style import WIDTH
from reportgen.findings.causes import RankedCause, first_cause, ranked
from reportgen.report import against_reference, contents, material, matrices, quality_tables, uncertainty
from reportgen.report.blocks import Block, Details, Section
from reportgen.report.charts import Slice
from reportgen.report.disagreements import ClarifyView, DisagreementList, ReportTexts, linked
from reportgen.report.first_screen import screen
from reportgen.report.ledger import Ledger, ledger
from reportgen.report.tables import Cell, ReportTable, least, of_layer, some_of
from reportgen.results import Adjudication, Definition, Finding, Pair, Results, UnitSet, Weighting
from reportgen.results.annotators import Judge, LayerTimes, Quality, Replacement
from reportgen.results.marks import BoundaryAgreement
from reportgen.results.texts import Texts
from reportgen.results.unit_sets import AggregateReliability
from reportgen.words import headline, names
from reportgen.words.acts import act, gain, general, go_through, rules_for, why
from reportgen.words.headline import subject_line
from reportgen.words.language import N_, say
from reportgen.words.names import shown_definitions
from reportgen.words.numbers import Note, message, note

# More pairs of categories are in the CSV, and on the page those that are confused most.
MOST_DISTANCES = 10
# Of more categories a page has the most frequent.
MOST_SPECIFIC = 40


@dataclass(frozen=True)
class UnitSetView:
    """One unit set: the tables that sections, pages and LaTeX show of it."""

    results: Results
    unit_set: UnitSet
    disagreements: DisagreementList | None = None

    @property
    def pair(self) -> Pair | None:
        """Return the pair, where there are two annotators."""
        return self.unit_set.only_pair

    @property
    def slug(self) -> str:
        """Return what anchors call it."""
        return contents.slug(self.unit_set)

    @property
    def crowded(self) -> bool:
        """Tell whether pairs share units and are too many to be listed."""
        own = self.unit_set
        return len(own.annotators) > 2 and not own.pairs and own.units_compared > 0

    @cached_property
    def matrix(self) -> ReportTable | None:
        """Return the confusion matrix of two, of more how often labels meet; its cells lead to their units.

        None where it is too large to be whole.
        """
        pair, unit_set = self.pair, self.unit_set
        matrix = matrices.confusion(unit_set, pair) if pair else matrices.coincidences(unit_set)
        return matrix and linked(matrix, self.disagreements)

    @cached_property
    def matrix_shown(self) -> ReportTable | None:
        """Return that matrix as a page shows it, of several added up over pairs, or what is confused most.

        Sets of labels have the latter.
        """
        unit_set, listed = self.unit_set, self.disagreements
        if unit_set.sets:
            confused = matrices.label_confusions(unit_set)
            return confused and replace(confused, rows=confused.rows[: matrices.MOST], file="")
        added = matrices.of_all_pairs(unit_set) if not self.pair else None
        table = linked(added, listed) if added else self.matrix
        return (table and matrices.shown(table)) or matrices.largest(unit_set, listed.links if listed else {})

    @property
    def squared(self) -> bool:
        """Tell whether what is shown is a matrix, whose margins say how often each category is used."""
        shown = self.matrix_shown
        return bool(shown and shown.columns[-1].key == "total")

    @cached_property
    def specific(self) -> ReportTable:
        """Return specific agreement by category."""
        return contents.specific(self.results, self.unit_set)

    @cached_property
    def specific_shown(self) -> ReportTable:
        """Return the same for a page: of very many categories the most frequent."""
        rows = sorted(self.specific.rows, key=lambda row: -self.unit_set.uses(str(row[0])))[:MOST_SPECIFIC]
        return replace(self.specific, rows=tuple(row for row in self.specific.rows if row in rows))

    @property
    def specific_left_out(self) -> str:
        """Return how many categories a page shows, where they are not all of them."""
        said = N_("Shown are the {shown} most frequent categories of {all}.")
        return next(some_of(said, len(self.specific_shown.rows), len(self.specific.rows)), "")

    @cached_property
    def pairs(self) -> ReportTable | None:
        """Return the list of pairs, where there are several."""
        return contents.pairs(self.results, self.unit_set)

    @cached_property
    def pairs_shown(self) -> ReportTable | None:
        """Return the list of pairs, or of those that agree least where they are many."""
        shown = least(self.unit_set.pairs, lambda pair: pair.measures["observed_agreement"].value)
        if len(shown) == len(self.unit_set.pairs):
            return self.pairs
        return contents.pairs(self.results, self.unit_set.model_copy(update={"pairs": tuple(shown)}))

    @cached_property
    def distances(self) -> ReportTable | None:
        """Return declared and computed distances."""
        return matrices.distances(self.results, self.unit_set)

    @property
    def distances_shown(self) -> ReportTable | None:
        """Return them where they can be read, else those of the categories that are confused most."""

        def computed_alpha(row: tuple[Cell, ...]) -> float:
            return row[-2] if isinstance(row[-2], int | float) else 1.0

        table = self.distances
        if table is None or len(table.rows) <= MOST_DISTANCES:
            return table
        return replace(table, rows=tuple(sorted(table.rows, key=computed_alpha)[:MOST_DISTANCES]))


@dataclass(frozen=True)
class LayerView:
    """One layer: its unit sets, the primary one first, and what compares them."""

    results: Results
    id: str
    unit_sets: tuple[UnitSetView, ...]

    @property
    def primary(self) -> UnitSetView:
        """Return the primary unit set's view."""
        return self.unit_sets[0]

    @cached_property
    def members(self) -> tuple[UnitSet, ...]:
        """Return the unit sets themselves."""
        return tuple(view.unit_set for view in self.unit_sets)

    @property
    def sets(self) -> bool:
        """Tell whether its categories are sets of labels."""
        return any(member.sets for member in self.members)

    @cached_property
    def choices(self) -> ReportTable:
        """Return the coefficients on each unit set, and their limits."""
        return uncertainty.by_unit_set(self.results, self.members)

    @cached_property
    def heat_map(self) -> Drawing | None:
        """Return the confusion matrix drawn."""
        pair = self.primary.pair
        return drawing(f"confusion-{self.primary.slug}", heatmaps.of_pair(pair) if pair else None)

    @cached_property
    def specific_figure(self) -> Drawing | None:
        """Return specific agreement drawn with its intervals; its title says if these are not all."""
        plot = agreement.of_categories(self.primary.unit_set)
        drawn = drawing(f"specific-agreement-{self.primary.slug}", plot)
        return drawn if plot and len(plot.rows) < len(self.primary.unit_set.judged) else _untitled(drawn)

    @property
    def by_pairs(self) -> bool:
        """Tell whether the size curve is drawn pair by pair, because not everybody rated every unit."""
        return not any(own.size_curve for own in self.members)

    @cached_property
    def curve_figure(self) -> Drawing | None:
        """Return the size curve drawn, with the size of each unit set; its title is said beside it."""
        widest = curves.widest_set(self.members)
        name = f"size-curve-{contents.slug(widest)}" if widest else ""
        return _untitled(drawing(name, curves.of_unit_sets(self.results, self.members)))


# One report: its results, and what several of its sections, pages and files share.

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
    LayerTimes,
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
        self.figures: dict[str, Drawing | None] = {}

    @property
    def only(self) -> str:
        """Return the layer that this is the view of, empty where it is that of all."""
        return ""

    @property
    def report(self) -> "ReportView":
        """Return the view of the whole report."""
        return self

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

    def pairwise_figure(self, layer: LayerView) -> Drawing | None:
        """Return every two annotators of a layer drawn."""
        name = f"pairwise-{layer.primary.slug}"
        return self.drawn(name, lambda: heatmaps.of_pairs(self.results, layer.id, {}))

    def quality_figure(self, kind: str, layer: Quality) -> Drawing | None:
        """Return one of the figures on a layer's annotators, None where there is nothing to draw."""
        return self.drawn(of_layer(kind, layer.layer), lambda: OF_QUALITY[kind](layer))

    def of_layers(self, results: Iterable[OfLayer] | None) -> list[OfLayer]:
        """Return the results of the layers that are shown."""
        shown = {layer.id for layer in self.layers}
        return [result for result in results or () if result.layer in shown]

    @cached_property
    def adjudications(self) -> list[Adjudication]:
        """Return what was decided of each layer's disagreements, where there is something to say."""
        own = self.of_layers(self.results.adjudication)
        return [adjudication for adjudication in own if adjudication.open or adjudication.filled]

    @cached_property
    def quality(self) -> list[Quality]:
        """Return the quality of each layer's annotators and items."""
        return self.of_layers(quality_tables.judged(self.results))

    @cached_property
    def aggregates(self) -> dict[str, AggregateReliability]:
        """Return how reliable the labels of each layer are together, where units have several."""
        return {aggregate.layer: aggregate for aggregate in self.of_layers(self.results.aggregates)}

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
        return len(self.headline) + len(self.title_cause)

    @cached_property
    def figures_line(self) -> str:
        """Return what the primary coefficients are, in one line."""
        verdict = next(finding for finding in self.results.findings if finding.kind == "verdict")
        figures = headline.figures_of_layers(headline.standings(self.results), verdict)
        # Behind a verdict that has its figures comes what they rest on.
        return self.caveat.claim if verdict.subject and not figures and self.caveat else figures

    @cached_property
    def causes(self) -> list[RankedCause]:
        """Return the causes, ranked: of a single layer those that are about it."""
        return [cause for cause in ranked(self.results) if not self.only or self.only in cause.layers]

    @cached_property
    def title_cause(self) -> str:
        """Return the cause that is the second half of the title; empty where none is found."""
        first = next(iter(self.causes), None)
        return why(first) if first and first.is_found else ""

    @cached_property
    def first_act(self) -> str:
        """Return the one thing to do first, on how many cases; empty where nothing is to be done."""
        if not self.causes:
            return general(self.results)
        first = self.causes[0]
        rules = (self.passages.texts.rules if self.passages else None) or ()
        found = rules_for(first, rules)
        said = (
            act(first, people=len(self.results.primary.annotators), rules=found),
            go_through(first, self.results),
        )
        return " ".join(filter(None, said))

    @cached_property
    def lead(self) -> list[str]:
        """Return what stands behind it: what settling brings, and why where the title does not say it."""
        findings = self.results.findings
        said = [
            message(own.claim, own.values, brief=True)
            for own in findings
            if own.kind == "cause" and not own.advice
        ]
        first = next(iter(self.causes), None)
        return [
            *said,
            *([why(first), gain(first, self.results)] if first and not first.is_found else []),
        ]

    @cached_property
    def cause_side(self) -> str:
        """Return whose colour a cause has that is one of two annotators; empty of any other."""
        cause, people = first_cause(self.results), self.results.primary.annotators
        about = (cause.annotators or ()) if cause and len(people) == len(bar.SIDES) else ()
        return bar.SIDES[people.index(about[0])] if len(about) == 1 and about[0] in people else ""

    @cached_property
    def ledger(self) -> Ledger | None:
        """Return a row for each layer, category or system; None where there are no two."""
        return None if self.only else ledger(self.results, self.causes, self.passages)

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
    def marks_lines(self) -> list[str]:
        """Return what marks in texts are judged by: F, other unit sets, and how they differ without a bar."""
        return (
            [] if self.recorded else list(headline.figures_of_marks(self.results, kinds=not self.all_parts))
        )

    @cached_property
    def screen(self) -> Markup:
        """Return the chart of what a report with a subject of its own is about."""
        return Markup() if self.only else screen(self.results)

    @cached_property
    def recorded(self) -> bool:
        """Tell whether all layers are of recordings, whose marks hardly ever have the same ends."""
        return all(self.results.subject_of(layer.id) == "recordings" for layer in self.layers)

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
        return tuple(self.of_layers(against_reference.layers(self.results)))

    @cached_property
    def models(self) -> list[Replacement]:
        """Return each layer's models and systems, and whether they may take an annotator's place."""
        return self.of_layers(self.results.replacement)


def _untitled(drawn: Drawing | None) -> Drawing | None:
    return replace(drawn, title="") if drawn else None


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
