"""One layer as templates see it: its unit sets, what compares them, and its figures."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reportgen.figures import Drawing, agreement, drawing, heatmaps
from reportgen.figures import curve as curves
from reportgen.report import contents, spans, uncertainty
from reportgen.report.coincidences import SetsView, sets_view
from reportgen.report.tables import ReportTable
from reportgen.report.unit_set_view import UnitSetView
from reportgen.results import Results, UnitSet


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
    def choices(self) -> ReportTable:
        """Return what each unit set counts."""
        return contents.choices(self.members)

    @cached_property
    def sets(self) -> SetsView | None:
        """Return explicit and implicit agreement, where categories are sets."""
        return sets_view(self.results, self.members)

    @cached_property
    def sizes(self) -> ReportTable | None:
        """Return figures at the declared sizes and in the limit."""
        return uncertainty.size_table(
            self.results, self.members, curves.curve_ids(self.results, self.members)
        )

    @cached_property
    def limits(self) -> ReportTable | None:
        """Return the limit of kappa beside the F-measures whose mean it is."""
        return spans.limits(self.members)

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
    def _curve(self) -> curves.CurvePlot | None:
        return curves.of_unit_sets(self.results, self.members)

    @property
    def _curve_name(self) -> str:
        found = curves.widest_set(self.members)
        return f"size-curve-{contents.slug(found)}" if found else ""

    @cached_property
    def curve_figure(self) -> Drawing | None:
        """Return the size curve drawn, with the size of each unit set."""
        return drawing(self._curve_name, self._curve)

    @cached_property
    def explore(self) -> curves.Explore | None:
        """Return what moves the coefficients along that curve."""
        return curves.explore(self._curve_name, self._curve) if self._curve else None

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure."""
        found = (self.heat_map, self.specific_figure, self.curve_figure)
        yield from (each for each in found if each is not None)
