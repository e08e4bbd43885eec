"""Beside intervals: words for coefficients, intervals by other methods, what narrower ones take."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import contents, numbers
from reportgen.report.bands import band
from reportgen.report.language import N_, _, pgettext, say, say_many
from reportgen.report.names import figure_inside, figure_name
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Interval, Results, UnitSet
from reportgen.results.uncertainty import Benchmarks, Goal, LeftOneOut, Opinions, PairsDrawn, Plan, Resampled

SCALES = {
    "landis_koch": N_("Landis and Koch (1977)"),
    "altman": "Altman (1991)",
    "fleiss": "Fleiss (1981)",
    "krippendorff": "Krippendorff (2004)",
}
THRESHOLDS = "krippendorff"
METHODS = (
    ("influence", N_("Influence values")),
    ("bootstrap", N_("Bootstrap")),
    ("jackknife", N_("Jackknife")),
    ("hayes_krippendorff", N_("Hayes and Krippendorff")),
)

Ends = tuple[float | None, float | None]
WithEnds = Interval | Resampled | LeftOneOut | PairsDrawn


@dataclass(frozen=True)
class UncertaintyView:
    """What is known of the uncertainty of one unit set's figures beside their intervals."""

    results: Results
    unit_set: UnitSet

    @property
    def by_document(self) -> bool:
        """Tell whether documents are what is sampled: units are, where no document is known."""
        return bool(self.unit_set.documents_compared)

    @property
    def primary(self) -> str:
        """Return the id of the primary coefficient."""
        return self.results.coefficients[self.unit_set.layer]

    @cached_property
    def verdict(self) -> str:
        """Return the words for the primary coefficient, empty where there are none.

        Krippendorff's are left out: the verdict holds the interval itself against his thresholds.
        """
        found = (self.unit_set.benchmarks or {}).get(self.primary)
        if found is None or found.bands is None:
            return ""
        scales = {scale: name for scale, name in SCALES.items() if scale != THRESHOLDS}
        said = ((_(name), words(found, scale)) for scale, name in scales.items())
        return _("; ").join(say("{scale}: {words}", scale=scale, words=each) for scale, each in said)

    @cached_property
    def benchmarks(self) -> Table | None:
        """Return what benchmark scales say of each coefficient."""
        known = self.unit_set.benchmarks
        if not known:
            return None
        columns = (
            Column("figure", pgettext("a number", "Figure")),
            *(Column(scale, _(name)) for scale, name in SCALES.items()),
        )
        rows = tuple(
            (figure_name(self.results, name), *(words(known[name], scale) for scale in SCALES))
            for name in self._ordered(known)
        )
        return self._table(
            "benchmarks", _("Words for coefficients that hold with 95% probability."), columns, rows
        )

    @cached_property
    def opinions(self) -> Table | None:
        """Return the intervals by other methods, that by influence values first."""
        columns = (
            Column("figure", pgettext("a number", "Figure")),
            *(Column(method, _(title)) for method, title in METHODS),
        )
        rows = tuple((name, *map(_interval, ends)) for name, ends in self._ends)
        found = self._table("other-intervals", _("95% intervals by several methods."), columns, rows)
        return found if rows else None

    @cached_property
    def _opinions_in_full(self) -> Table | None:
        """Return the same with a column for each end, for the CSV."""
        ends = [(method, title, end) for method, title in METHODS for end in ("low", "high")]
        columns = [Column(f"{method}_{end}", _(title), "figure") for method, title, end in ends]
        rows = tuple((name, *(end for pair in ends for end in pair)) for name, ends in self._ends)
        first = Column("figure", pgettext("a number", "Figure"))
        found = self._table("other-intervals", "", (first, *columns), rows)
        return found if rows else None

    @cached_property
    def _ends(self) -> list[tuple[str, list[Ends]]]:
        """Return the name of each figure and the ends of its interval by each method."""
        known = self.unit_set.second_opinions or {}
        return [
            (figure_name(self.results, name), [_ends_of(each) for each in self._methods(name, known[name])])
            for name in self._ordered(known)
        ]

    def _methods(self, name: str, opinions: Opinions) -> tuple[WithEnds | None, ...]:
        return (
            self.unit_set.measures[name].interval,
            opinions.document_bootstrap,
            opinions.document_jackknife,
            opinions.hayes_krippendorff,
        )

    @property
    def example(self) -> Opinions | None:
        """Return the first figure's other methods, which say how often and with which seed was drawn."""
        return next(iter((self.unit_set.second_opinions or {}).values()), None)

    @property
    def reasons(self) -> list[str]:
        """Return why some other intervals are not there."""
        known = (self.unit_set.second_opinions or {}).values()
        found = [each.undefined for one in known for each in (one.document_bootstrap, one.document_jackknife)]
        return sorted({numbers.message(reason, {}) for reason in found if reason})

    @property
    def plan(self) -> Plan | None:
        """Return what it takes to narrow the primary coefficient's interval."""
        return (self.unit_set.planning or {}).get(self.primary)

    @property
    def planned(self) -> str:
        """Return how wide the primary coefficient's interval is, and what narrower ones take."""
        if self.plan is None:
            return ""
        return " ".join([self._half_width(self.plan), *map(self._goal, self.goals)])

    def _half_width(self, plan: Plan) -> str:
        values = {
            "figure": figure_inside(self.results, self.primary),
            "half_width": numbers.figure(plan.half_width),
            "count": numbers.count(plan.clusters),
        }
        if self.by_document:
            return say_many(
                "The interval of {figure} has a half-width of {half_width} with {count} document.",
                "The interval of {figure} has a half-width of {half_width} with {count} documents.",
                plan.clusters,
                **values,
            )
        return say_many(
            "The interval of {figure} has a half-width of {half_width} with {count} unit.",
            "The interval of {figure} has a half-width of {half_width} with {count} units.",
            plan.clusters,
            **values,
        )

    def _goal(self, goal: Goal) -> str:
        values = {
            "half_width": numbers.pointed(f"{goal.half_width:g}"),
            "count": numbers.count(goal.clusters),
            "more": numbers.count(goal.more),
        }
        if self.by_document:
            return say("For {half_width} it would take {count} such documents, {more} more.", **values)
        return say("For {half_width} it would take {count} such units, {more} more.", **values)

    @property
    def goals(self) -> list[Goal]:
        """Return the narrower intervals that are still to be reached."""
        return [each for each in self.plan.goals if each.more] if self.plan else []

    @cached_property
    def planning(self) -> Table | None:
        """Return how many documents each half-width takes."""
        if self.plan is None:
            return None
        columns = (
            Column("half_width", _("Half-width of the 95% interval"), "figure"),
            Column("clusters", _("Documents in all") if self.by_document else _("Units in all"), "count"),
            Column("more", _("More than there are"), "count"),
        )
        now: tuple[Cell, ...] = (self.plan.half_width, self.plan.clusters, 0)
        rows = (now, *((each.half_width, each.clusters, each.more) for each in self.plan.goals))
        figure = figure_inside(self.results, self.primary)
        caption = (
            say("Documents that more than one annotator labels, for {figure}.", figure=figure)
            if self.by_document
            else say("Units that more than one annotator labels, for {figure}.", figure=figure)
        )
        return self._table("planning", caption, columns, rows)

    def _ordered(self, names: Iterable[str]) -> list[str]:
        return sorted(self.results.in_order(names), key=lambda name: name != self.primary)

    def _table(
        self, name: str, caption: str, columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...]
    ) -> Table:
        slug = contents.slug(self.unit_set)
        return Table(f"{name}-{slug}", caption, columns, rows, file=f"{name}.{slug}.csv")

    @property
    def tables(self) -> list[Table]:
        """Return the tables that there are, as their CSV has them."""
        found = (self.benchmarks, self._opinions_in_full, self.planning)
        return [table for table in found if table is not None]


def _ends_of(found: WithEnds | None) -> Ends:
    return (found.low, found.high) if found else (None, None)


def _interval(ends: Ends) -> str:
    low, high = ends
    return numbers.NONE if low is None or high is None else numbers.interval(Interval(low=low, high=high))


def words(found: Benchmarks, scale: str) -> str:
    """Return the band that holds, and that of the value where it is another; else why there is none."""
    if found.bands is None:
        return numbers.message(found.undefined or "", {})
    said = found.bands[scale]
    if said.word == said.of_value:
        return band(said.word)
    return say("{word} (value: {other})", word=band(said.word), other=band(said.of_value))
