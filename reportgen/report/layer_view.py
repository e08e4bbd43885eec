"""One layer as sections see it: its unit sets, the tables that several of them show, and its figures."""

from dataclasses import replace
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.figures import Drawing, drawing, heatmaps
from reportgen.figures import agreement_plots as agreement
from reportgen.figures import curve as curves
from reportgen.report import contents, matrices, uncertainty
from reportgen.report.disagreements import DisagreementList, linked
from reportgen.report.tables import Cell, ReportTable, least
from reportgen.results import Pair, Results, UnitSet
from reportgen.words.language import say
from reportgen.words.numbers import count

# More pairs of categories than these are in the CSV, and on the page those that are confused most.
MOST_DISTANCES = 66
# With more categories than these in all layers together, a page shows of each layer those that agree least.
MOST_SPECIFIC, LEAST_SPECIFIC = 120, 10


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
    def most(self) -> int:
        """Return how many categories of a matrix its page shows."""
        return matrices.most_of(len({unit_set.layer for unit_set in self.results.unit_sets}))

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
        """Return that matrix as a page shows it; None where the names of its categories are too long."""
        return matrices.shown(self.matrix, self.most) if self.matrix else None

    @property
    def folded(self) -> int:
        """Return how many categories the matrix has on the page if they are not all of them, else 0."""
        columns = self.matrix_shown.columns if self.matrix_shown else ()
        is_folded = any(column.key == "others" for column in columns)
        return len(columns) - len(("head", "others", "total")) if is_folded else 0

    @cached_property
    def unfolded(self) -> ReportTable | None:
        """Return the whole matrix where the page shows a part of it; None where the CSV alone has it."""
        return matrices.unfolded(self.matrix, self.most) if self.matrix else None

    @property
    def whole_page(self) -> str:
        """Return the page that has the whole matrix, from the version's folder."""
        return f"confusion/{self.slug}.html"

    @cached_property
    def specific(self) -> ReportTable:
        """Return specific agreement by category."""
        return contents.specific(self.results, self.unit_set)

    @cached_property
    def specific_shown(self) -> ReportTable:
        """Return the same for a page: where layers have very many categories, those that agree least.

        Of those that agree as little the commonest are shown.
        """
        specific, unit_set = self.specific, self.unit_set
        every = sum(len(unit_set.judged) for unit_set in self.results.unit_sets if unit_set.primary)
        most = MOST_SPECIFIC if every == len(specific.rows) else LEAST_SPECIFIC
        if every <= MOST_SPECIFIC or len(specific.rows) <= most:
            return specific

        def rank(row_index: int) -> tuple[float, int]:
            name = str(specific.rows[row_index][0])
            value = unit_set.specific_agreement[name].value
            return 1.0 if value is None else value, -unit_set.uses(name)

        ranked = sorted(range(len(specific.rows)), key=rank)
        return replace(specific, rows=tuple(specific.rows[row_index] for row_index in sorted(ranked[:most])))

    @property
    def specific_left_out(self) -> str:
        """Return how many categories a page shows, where they are not all of them."""
        shown, every = len(self.specific_shown.rows), len(self.specific.rows)
        if shown == every:
            return ""
        return say(
            "Shown are the {count} categories of {all} on which annotators agree least.",
            count=count(shown),
            all=count(every),
        )

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

        def computed_alpha(row: tuple[Cell, ...]) -> float | None:
            return row[-2] if isinstance(row[-2], int | float) else None

        table = self.distances
        return table and replace(table, rows=tuple(least(table.rows, computed_alpha, MOST_DISTANCES)))


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
    def sizes(self) -> ReportTable | None:
        """Return figures at the declared sizes and in the limit."""
        ids = curves.curve_ids(self.results, self.members)
        return uncertainty.size_table(self.results, self.members, ids)

    @cached_property
    def heat_map(self) -> Drawing | None:
        """Return the confusion matrix drawn."""
        pair = self.primary.pair
        return drawing(f"confusion-{self.primary.slug}", heatmaps.of_pair(pair) if pair else None)

    @cached_property
    def specific_figure(self) -> Drawing | None:
        """Return specific agreement drawn with its intervals."""
        plot = agreement.of_categories(self.primary.unit_set)
        return drawing(f"specific-agreement-{self.primary.slug}", plot)

    @cached_property
    def _curve(self) -> tuple[str, curves.CurvePlot | None]:
        """Return the size curve with the name of its figure."""
        widest = curves.widest_set(self.members)
        name = f"size-curve-{contents.slug(widest)}" if widest else ""
        return name, curves.of_unit_sets(self.results, self.members)

    @cached_property
    def curve_figure(self) -> Drawing | None:
        """Return the size curve drawn, with the size of each unit set."""
        return drawing(*self._curve)

    @property
    def explore(self) -> curves.Explore | None:
        """Return what moves the coefficients along that curve."""
        name, plot = self._curve
        return curves.explore(name, plot) if plot else None
