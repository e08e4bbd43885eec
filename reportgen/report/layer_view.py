"""One layer as templates see it: its unit sets, what compares them, and its figures."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.report import contents, figures, numbers, sizes, spans
from reportgen.report.choices import ChoiceView, choice_of
from reportgen.report.figures import CurveLabels, Drawing, Explore
from reportgen.report.names import figure_name
from reportgen.report.questions import Question, questions
from reportgen.report.reasons import undefined, without_specific
from reportgen.report.sets import SetsView, sets_view
from reportgen.report.tables import Table, without_idle
from reportgen.report.unit_set_view import PAIR, UnitSetView
from reportgen.results import Results, SizeCurve, UnitSet

# What the size curve shows; alpha with declared distances is added.
CURVES = (
    *("observed_agreement", "bennett_s", "scott_pi", "cohen_kappa"),
    *("fleiss_kappa", "conger_kappa", "krippendorff_alpha"),
)
MOST_CURVES = 6


@dataclass(frozen=True)
class NullTestView:
    """A test of a coefficient against chance, in words."""

    name: str
    z: str
    p: str


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

    @property
    def choices_shown(self) -> Table:
        """Return the same without the columns that say nothing here: all blank, or none left out or added."""
        return without_idle(self.choices, ("marked", "left_out", "added", "marks_left_out"))

    @cached_property
    def coefficients(self) -> Table:
        """Return every figure by unit set."""
        return contents.coefficients(self.results, self.members)

    @property
    def coefficients_here(self) -> Table:
        """Return the same where the definitions stand on the same page."""
        found = self.coefficients
        here = tuple(tuple(each and f"#{each.partition('#')[2]}" for each in row) for row in found.links)
        return replace(found, links=here)

    @cached_property
    def undefined(self) -> dict[str, list[str]]:
        """Return the names of the figures in that table that have no value, by the reason."""
        return undefined(self.results, self.members)

    @property
    def unshared(self) -> dict[str, list[str]]:
        """Return the categories without specific agreement, by the reason."""
        return without_specific(self.primary.unit_set)

    @property
    def null_tests(self) -> list[NullTestView]:
        """Return the tests of more than two annotators' coefficients against chance."""
        found = self.primary.unit_set
        return [
            NullTestView(figure_name(self.results, name), numbers.figure(test.z), numbers.p_is(test.p))
            for name, test in found.null_tests.items()
            if len(found.annotators) > PAIR
        ]

    @property
    def more(self) -> bool:
        """Tell whether there are figures that few readers need, which have a page of their own."""
        found = self.primary.uncertainty
        return bool(self.other_weights or self.primary.over_documents or found.benchmarks or found.opinions)

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
        return [name for name in (*CURVES, *weighted, "gwet_ac1") if name in known][:MOST_CURVES]

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
        return sizes.size_table(self.results, self.members, self.curve_ids)

    @cached_property
    def limits(self) -> Table | None:
        """Return the limit of kappa beside the F-measures whose mean it is."""
        return spans.limits(self.members)

    @cached_property
    def heat_map(self) -> Drawing | None:
        """Return the confusion matrix drawn."""
        pair = self.primary.pair
        return figures.confusion_heat_map(f"confusion-{self.primary.slug}", pair) if pair else None

    @cached_property
    def specific_figure(self) -> Drawing | None:
        """Return specific agreement drawn with its intervals."""
        name = f"specific-agreement-{self.primary.slug}"
        return figures.specific_agreement(name, self.primary.unit_set)

    @cached_property
    def pairs_figure(self) -> Drawing | None:
        """Return the primary coefficient of each pair drawn with its interval."""
        coefficient = self.results.coefficients[self.id]
        named = (coefficient, figure_name(self.results, coefficient))
        return figures.pairs(f"pairs-{self.primary.slug}", named, self.primary.unit_set.pairs)

    @cached_property
    def curve_figure(self) -> Drawing | None:
        """Return the size curve drawn, with the size of each unit set."""
        widest = self._widest
        if widest is None or widest.size_curve is None:
            return None
        name = f"size-curve-{contents.slug(widest)}"
        return figures.size_curve(name, widest.size_curve, self._curve_labels(widest.size_curve))

    @cached_property
    def explore(self) -> Explore | None:
        """Return what moves the coefficients along that curve."""
        widest = self._widest
        if widest is None or widest.size_curve is None:
            return None
        labels = self._curve_labels(widest.size_curve)
        name = f"size-curve-{contents.slug(widest)}"
        return figures.explore(name, widest.size_curve, labels)

    def _curve_labels(self, curve: SizeCurve) -> CurveLabels:
        coefficient = self.results.coefficients[self.id]
        likely = (coefficient, "cohen_kappa", "krippendorff_alpha")
        limited = next(each for each in likely if each in curve.limit)
        known = [each for each in self.members if each.size_curve]
        return CurveLabels(
            shown={each: self._symbol(each) for each in self.curve_ids},
            sizes={each.id: each.size_curve.declared for each in known if each.size_curve},
            limit_of=limited,
            estimates={each.id: each.measures[limited] for each in known if limited in each.measures},
        )

    def _symbol(self, figure: str) -> str:
        base, _, bracket = figure.partition("[")
        symbol = self.results.catalogue[base].symbol
        return f"{symbol} [{bracket}" if bracket else symbol

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure."""
        found = (self.heat_map, self.specific_figure, self.pairs_figure, self.curve_figure)
        yield from (each for each in found if each is not None)
