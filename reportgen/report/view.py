"""One report as its templates see it: sections with their tables, figures and messages."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import comparisons, contents, figures, material, matrices, numbers, spans, together
from reportgen.report.adjudication import AdjudicationView, adjudications
from reportgen.report.choices import ChoiceView, choice_of
from reportgen.report.comparison_tables import tables as comparison_tables
from reportgen.report.credits import tables as credit_tables
from reportgen.report.disagreements import DisagreementList
from reportgen.report.figures import CurveLabels
from reportgen.report.over_documents import over_documents
from reportgen.report.pairs import Pairs
from reportgen.report.passages import Passages, confusions, linked_matrix
from reportgen.report.quality import QualityView, quality_views
from reportgen.report.questions import Question, questions
from reportgen.report.sets import SetsView, sets_view
from reportgen.report.shown import definitions
from reportgen.report.tables import Table
from reportgen.report.uncertainty import UncertaintyView
from reportgen.report.unitizing import UnitizingView, unitizing_tables, unitizing_views
from reportgen.results import Definition, Finding, Mean, Pair, Results, UnitSet
from reportgen.results.texts import Texts

# What the size curve shows; alpha with declared distances is added.
CURVES = ("observed_agreement", "bennett_s", "scott_pi", "cohen_kappa", "krippendorff_alpha")
MOST_CURVES = 6
# More pairs than these stand in the CSV, and on the page those that agree least.
MOST_PAIRS = 60
LEAST_AGREEING = 20
MOST_INPUTS = 60
# The kinds of measure whose mean over pairs says something.
MEANT = ("coefficient", "share")


@dataclass(frozen=True)
class Drawing:
    """A figure: its name, which is that of its file, and its SVG."""

    name: str
    svg: str


@dataclass(frozen=True)
class UnitSetView:
    """One unit set: its tables, and those of its only pair."""

    results: Results
    unit_set: UnitSet
    disagreements: DisagreementList | None = None

    @property
    def pair(self) -> Pair | None:
        """Return the pair, where there are two annotators."""
        return self.unit_set.only_pair

    @cached_property
    def slug(self) -> str:
        """Return what anchors call it."""
        return contents.slug(self.unit_set)

    @cached_property
    def confusion(self) -> Table | None:
        """Return the confusion matrix with margins."""
        if self.pair is None:
            return None
        return linked_matrix(contents.confusion(self.unit_set, self.pair), self.disagreements)

    @cached_property
    def confused(self) -> Table | None:
        """Return the most confused categories of several pairs, where their units are listed."""
        return confusions(self.disagreements) if self.disagreements and not self.pair else None

    @cached_property
    def specific(self) -> Table:
        """Return specific agreement by category."""
        return contents.specific(self.results, self.unit_set)

    @cached_property
    def pairs(self) -> Table | None:
        """Return the list of pairs, where there are several."""
        return contents.pairs(self.results, self.unit_set)

    @cached_property
    def pairs_shown(self) -> Table | None:
        """Return the list of pairs, or of those that agree least where they are many."""
        if self.pairs is None or len(self.pairs.rows) <= MOST_PAIRS:
            return self.pairs
        found = sorted(self.unit_set.pairs, key=_observed)[:LEAST_AGREEING]
        return contents.pairs(self.results, self.unit_set.model_copy(update={"pairs": tuple(found)}))

    @cached_property
    def means(self) -> list[tuple[str, Mean]]:
        """Return the mean of each coefficient over several pairs, in the catalogue's order."""
        found = self.unit_set.mean_over_pairs if not self.pair else {}
        kinds = {name: each.kind for name, each in self.results.catalogue.items()}
        names = [name for name in found if kinds[name.partition("[")[0]] in MEANT]
        return [(name, found[name]) for name in self.results.in_order(names)]

    @cached_property
    def conditional(self) -> Table | None:
        """Return P(C2|C1)."""
        return together.conditional(self.unit_set)

    @cached_property
    def distances(self) -> Table | None:
        """Return declared and computed distances."""
        return together.distances(self.results, self.unit_set)

    @cached_property
    def coincidences(self) -> Table | None:
        """Return the coincidence matrix of more than two annotators."""
        return together.coincidences(self.unit_set)

    @cached_property
    def weights_of_ac2(self) -> list[tuple[str, float]]:
        """Return the distance at which AC2's weights are 0, by distance."""
        return together.weights_of_ac2(self.unit_set)

    @cached_property
    def majority(self) -> Table | None:
        """Return each of more than two annotators against the majority of the others."""
        return together.majority(self.unit_set)

    @cached_property
    def symmetry(self) -> Table | None:
        """Return the tests of symmetry."""
        return contents.symmetry(self.results, self.unit_set, self.pair) if self.pair else None

    @cached_property
    def uncertainty(self) -> UncertaintyView:
        """Return what stands beside the intervals."""
        return UncertaintyView(self.results, self.unit_set)

    @cached_property
    def over_documents(self) -> Table | None:
        """Return means over documents beside the pooled figures."""
        return over_documents(self.results, self.unit_set)

    @cached_property
    def size_curve(self) -> Table | None:
        """Return the whole size curve."""
        return contents.size_curve_rows(self.results, self.unit_set)

    def tables(self) -> Iterator[Table]:
        """Yield every table that has a file."""
        pairs = matrices.every_pair(self.results, self.unit_set)
        found = (self.specific, pairs, self.conditional, self.distances, self.symmetry, self.size_curve)
        yield from (table for table in found if table is not None)
        yield from (table for table in (self.coincidences, self.majority) if table is not None)
        yield from self.uncertainty.tables
        if self.over_documents:
            yield self.over_documents


def _observed(pair: Pair) -> float:
    value = pair.measures["observed_agreement"].value
    return 1.0 if value is None else value


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
        return tuple(each.unit_set for each in self.unit_sets)

    @cached_property
    def choices(self) -> Table:
        """Return what each unit set counts."""
        return contents.choices(self.members)

    @cached_property
    def coefficients(self) -> Table:
        """Return every figure by unit set."""
        return contents.coefficients(self.results, self.members)

    @cached_property
    def other_weights(self) -> Table | None:
        """Return figures weighted otherwise, by unit set."""
        return contents.other_weights(self.results, self.members)

    @cached_property
    def curve_ids(self) -> list[str]:
        """Return the ids of the figures that the size curve shows."""
        curve = self._widest.size_curve if self._widest else None
        known = self.results.in_order(curve.values) if curve else []
        weighted = [name for name in known if name.startswith("krippendorff_alpha[")]
        return [name for name in (*CURVES, *weighted) if name in known][:MOST_CURVES]

    @cached_property
    def sets(self) -> SetsView | None:
        """Return explicit and implicit agreement, where categories are sets."""
        return sets_view(self.results, self.members)

    @cached_property
    def choice(self) -> ChoiceView | None:
        """Return why the primary coefficient is the one it is."""
        return choice_of(self.results, self.primary.unit_set)

    @cached_property
    def questions(self) -> list[Question]:
        """Return which figure of the primary unit set answers which question."""
        return questions(self.results, self.primary.unit_set)

    @property
    def _widest(self) -> UnitSet | None:
        curves = [each for each in self.members if each.size_curve]
        return max(curves, key=lambda each: each.units_compared) if curves else None

    @cached_property
    def sizes(self) -> Table | None:
        """Return figures at the declared sizes and in the limit."""
        return contents.size_table(self.results, self.members, self.curve_ids)

    @cached_property
    def limits(self) -> Table | None:
        """Return the limit of kappa beside the F-measures whose mean it is."""
        return spans.limits(self.members)

    @cached_property
    def heat_map(self) -> Drawing | None:
        """Return the confusion matrix drawn."""
        pair = self.primary.pair
        svg = figures.confusion_heat_map(f"confusion-{self.primary.slug}", pair) if pair else None
        return Drawing(f"confusion-{self.primary.slug}", svg) if svg else None

    @cached_property
    def specific_figure(self) -> Drawing | None:
        """Return specific agreement drawn with its intervals."""
        name = f"specific-agreement-{self.primary.slug}"
        svg = figures.specific_agreement(name, self.primary.unit_set)
        return Drawing(name, svg) if svg else None

    @cached_property
    def curve_figure(self) -> Drawing | None:
        """Return the size curve drawn, with the size of each unit set."""
        widest = self._widest
        if widest is None or widest.size_curve is None:
            return None
        name = f"size-curve-{contents.slug(widest)}"
        coefficient = self.results.coefficients[self.id]
        labels = CurveLabels(
            shown={each: self._symbol(each) for each in self.curve_ids},
            sizes={each.id: each.size_curve.declared for each in self.members if each.size_curve},
            limit_of=coefficient if coefficient in widest.size_curve.limit else "cohen_kappa",
        )
        return Drawing(name, figures.size_curve(name, widest.size_curve, labels))

    def _symbol(self, figure: str) -> str:
        base, _, bracket = figure.partition("[")
        symbol = self.results.catalogue[base].symbol
        return f"{symbol} [{bracket}" if bracket else symbol

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure."""
        found = (self.heat_map, self.specific_figure, self.curve_figure)
        yield from (each for each in found if each is not None)


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
    matrices: tuple[matrices.Matrix, ...]


@dataclass(frozen=True)
class DataView:
    """What was annotated, by whom, and what was left out."""

    results: Results

    @cached_property
    def amounts(self) -> Table | None:
        """Return how much each layer holds."""
        return material.amounts(self.results)

    @cached_property
    def shares(self) -> Table:
        """Return the share of each category."""
        return material.shares(self.results)

    @cached_property
    def attendance(self) -> Table | None:
        """Return what annotators did with the documents."""
        return material.attendance(self.results)

    @cached_property
    def raters(self) -> Table:
        """Return units by the number of annotators."""
        return material.raters(self.results)

    @property
    def scatter(self) -> list[Table]:
        """Return the tables of how scattered the marks are."""
        found = (self.amounts, self.shares, self.raters, self.attendance)
        return [table for table in found if table is not None]

    @cached_property
    def reasons(self) -> Table | None:
        """Return why marks were left out."""
        return material.reasons(self.results)

    @cached_property
    def left_out(self) -> Table | None:
        """Return the marks that were not used."""
        return material.left_out(self.results)

    @property
    def left_out_shown(self) -> Table | None:
        """Return that list where it is short; longer ones stand in the CSV."""
        table = self.left_out
        return table if table and len(table.rows) <= material.MOST_LEFT_OUT else None

    def tables(self) -> Iterator[Table]:
        """Yield every table that has a file."""
        yield from self.scatter
        if self.left_out:
            yield self.left_out


@dataclass(frozen=True)
class Note:
    """A finding in words."""

    id: str
    severity: str
    claim: str
    advice: str
    evidence: str


class ReportView:
    """One report: results, and what pages show of them."""

    def __init__(self, results: Results, texts: Texts | None = None) -> None:
        """Keep the results; tables and figures are made when a template asks for them."""
        self.results = results
        self.passages = Passages(results, texts) if texts else None
        self.pairs = Pairs(results)

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
    def spans(self) -> tuple[spans.SpanView, ...]:
        """Return precision, recall and F-measure of each layer with marks in texts."""
        return spans.views(self.results)

    @cached_property
    def definitions(self) -> list[tuple[str, Definition]]:
        """Return the measures that the report shows."""
        return definitions(self.results)

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
    def notes(self) -> list[Note]:
        """Return the findings in words, the opening sentences left out."""
        return [note(each) for each in self.results.findings if each.id not in ("verdict", "caveat")]

    @cached_property
    def verdict(self) -> Note:
        """Return the first sentence of the report."""
        return self._opening("verdict")

    @cached_property
    def caveat(self) -> Note:
        """Return the second sentence of the report."""
        return self._opening("caveat")

    def _opening(self, which: str) -> Note:
        return next(note(each) for each in self.results.findings if each.id == which)

    @cached_property
    def inputs(self) -> Table:
        """Return the files that were read."""
        return contents.inputs(self.results)

    @property
    def inputs_shown(self) -> Table | None:
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
    def matrices(self) -> list[MatricesView]:
        """Return the matrices of annotators by annotators of each unit set that has several pairs."""
        sets = [each.unit_set for layer in self.layers for each in layer.unit_sets]
        found = [MatricesView(each.layer, each.id, matrices.matrices(self.results, each)) for each in sets]
        return [each for each in found if each.matrices]

    @property
    def matrix_legend(self) -> list[tuple[str, str]]:
        """Return the colours of the matrices with what they stand for."""
        return list(matrices.legend())

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure of the report."""
        for layer in self.layers:
            yield from layer.drawings()
        yield from (each.drawing for each in self.comparisons if each.drawing)

    def tables(self) -> Iterator[Table]:
        """Yield every table that has a file, but the confusion matrices."""
        yield contents.long_coefficients(self.results)
        yield self.inputs
        yield from self.data.tables()
        yield from spans.tables(self.results)
        yield from unitizing_tables(self.results)
        yield from credit_tables(self.results)
        yield from comparison_tables(self.results)
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


def _compared(layer: comparisons.LayerComparisons) -> ComparedLayerView:
    drawn = layer.drawn
    name = f"comparisons-{drawn.slug}" if drawn else ""
    svg = figures.comparisons(name, drawn) if drawn else None
    caption = drawn.caption if drawn else ""
    return ComparedLayerView(layer.layer, layer.shown, Drawing(name, svg) if svg else None, caption)


def note(finding: Finding) -> Note:
    """Return a finding with its messages filled in."""
    claim = numbers.message(finding.claim, finding.values)
    advice = numbers.message(finding.advice, finding.values)
    return Note(finding.id, finding.severity, claim, advice, finding.evidence)
