"""Beside intervals: words for coefficients, intervals by other methods, what narrower ones take."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import contents
from reportgen.report.contents import slug, suffix
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Figure, Interval, Results, UnitSet
from reportgen.results.parts import Benchmarks, Goal, LeftOneOut, Opinions, PairsDrawn, Plan, Resampled
from reportgen.words import numbers
from reportgen.words.language import N_, _, pgettext, say, say_many
from reportgen.words.names import figure_inside, figure_name

# Words of benchmark scales, which say what agreement is; the same words elsewhere may say something else.


def band(word: str) -> str:
    """Return the word of a benchmark scale in the language that is being written."""
    return _bands().get(word, word)


def _bands() -> dict[str, str]:
    return {
        "almost perfect": pgettext("agreement is", "almost perfect"),
        "substantial": pgettext("agreement is", "substantial"),
        "moderate": pgettext("agreement is", "moderate"),
        "fair": pgettext("agreement is", "fair"),
        "slight": pgettext("agreement is", "slight"),
        "poor": pgettext("agreement is", "poor"),
        "very good": pgettext("agreement is", "very good"),
        "good": pgettext("agreement is", "good"),
        "excellent": pgettext("agreement is", "excellent"),
        "fair to good": pgettext("agreement is", "fair to good"),
        "reliable": pgettext("agreement is", "reliable"),
        "tentative conclusions only": pgettext("agreement is", "tentative conclusions only"),
        "no conclusions": pgettext("agreement is", "no conclusions"),
    }


# Beside intervals: words for coefficients, intervals by other methods, what narrower ones take.

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
    def benchmarks(self) -> ReportTable | None:
        """Return what benchmark scales say of each coefficient."""
        known = self.unit_set.benchmarks
        if not known:
            return None
        columns = (
            TableColumn("figure", pgettext("a number", "Figure")),
            *(TableColumn(scale, _(name)) for scale, name in SCALES.items()),
        )
        rows = tuple(
            (figure_name(self.results, name), *(words(known[name], scale) for scale in SCALES))
            for name in self._ordered(known)
        )
        return self._table(
            "benchmarks", _("Words for coefficients that hold with 95% probability."), columns, rows
        )

    @cached_property
    def opinions(self) -> ReportTable | None:
        """Return the intervals by other methods, that by influence values first."""
        columns = (
            TableColumn("figure", pgettext("a number", "Figure")),
            *(TableColumn(method, _(title)) for method, title in METHODS),
        )
        rows = tuple((name, *map(_interval, ends)) for name, ends in self._ends)
        found = self._table("other-intervals", _("95% intervals by several methods."), columns, rows)
        return found if rows else None

    @cached_property
    def _opinions_in_full(self) -> ReportTable | None:
        """Return the same with a column for each end, for the CSV."""
        ends = [(method, title, end) for method, title in METHODS for end in ("low", "high")]
        columns = [TableColumn(f"{method}_{end}", _(title), "figure") for method, title, end in ends]
        rows = tuple((name, *(end for pair in ends for end in pair)) for name, ends in self._ends)
        first = TableColumn("figure", pgettext("a number", "Figure"))
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
    def planning(self) -> ReportTable | None:
        """Return how many documents each half-width takes."""
        if self.plan is None:
            return None
        columns = (
            TableColumn("half_width", _("Half-width of the 95% interval"), "figure"),
            TableColumn(
                "clusters", _("Documents in all") if self.by_document else _("Units in all"), "count"
            ),
            TableColumn("more", _("More than there are"), "count"),
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
        self, name: str, caption: str, columns: tuple[TableColumn, ...], rows: tuple[tuple[Cell, ...], ...]
    ) -> ReportTable:
        slug = contents.slug(self.unit_set)
        return ReportTable(f"{name}-{slug}", caption, columns, rows, file=f"{name}.{slug}.csv")

    @property
    def tables(self) -> list[ReportTable]:
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


# Means over documents beside the figures of all units pooled.

CAPTION = N_("Mean over documents beside the figure of all units pooled [95% interval].")


def over_documents(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return the table, None where no document is known."""
    found = unit_set.macro_over_documents
    if not found:
        return None
    rows: list[tuple[Cell, ...]] = [
        (figure_name(results, name), each, each.units, each.left_out, _pooled(unit_set, name))
        for name, each in ((name, found[name]) for name in results.in_order(found))
    ]
    name, file = f"over-documents-{slug(unit_set)}", f"mean-over-documents.{slug(unit_set)}.csv"
    return ReportTable(name, _(CAPTION), _columns(), tuple(rows), file=file)


def _columns() -> tuple[TableColumn, ...]:
    return (
        TableColumn("figure", pgettext("a number", "Figure")),
        TableColumn("mean", _("Mean over documents"), "estimate"),
        TableColumn("documents", _("Documents"), "count"),
        TableColumn("left_out", _("Left out, undefined there"), "count"),
        TableColumn("pooled", _("Pooled"), "estimate"),
    )


def _pooled(unit_set: UnitSet, name: str) -> Figure | None:
    return unit_set.measures.get(name)


# Figures by the number of units, which the size of the non-annotated category decides.

# How many times the largest declared size a table goes up to.
CURVE_FACTORS = (1, 10, 100)


def size_table(results: Results, unit_sets: Sequence[UnitSet], names: Sequence[str]) -> ReportTable | None:
    """Return figures at the sizes that are declared, at some others, and in the limit."""
    curves = [each.size_curve for each in unit_sets if each.size_curve]
    if not curves:
        return None
    curve = max(curves, key=lambda each: each.declared)
    labels: dict[int, str] = {curve.sizes[0]: _("no unmarked unit")}
    labels |= {each.size_curve.declared: each.id for each in unit_sets if each.size_curve}
    for factor in CURVE_FACTORS[1:]:
        near = min(curve.sizes, key=lambda size: abs(size - factor * curve.declared))
        labels[near] = say("about {factor} times {size}", factor=factor, size=numbers.count(curve.declared))
    rows: list[tuple[Cell, ...]] = [
        (label, size, *(curve.values[name][curve.sizes.index(size)] for name in names))
        for size, label in sorted(labels.items())
        if size in curve.sizes
    ]
    rows.append((_("without bound"), None, *(curve.limit.get(name) for name in names)))
    columns = (
        TableColumn("label", _("Unit set")),
        TableColumn("size", _("Units"), "count"),
        *(TableColumn(name, figure_name(results, name), "figure") for name in names),
    )
    return ReportTable(
        f"sizes{suffix(unit_sets)}",
        _("Figures by the number of units; only jointly unmarked units are added."),
        columns,
        tuple(rows),
    )


def size_curve_rows(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return the whole size curve, for the CSV."""
    curve = unit_set.size_curve
    if curve is None:
        return None
    names = results.in_order(curve.values)
    columns = (
        TableColumn("size", _("Units"), "count"),
        *(TableColumn(name, name, "figure") for name in names),
    )
    rows = [(size, *(curve.values[name][place] for name in names)) for place, size in enumerate(curve.sizes)]
    limit: tuple[Cell, ...] = ("limit", *(curve.limit.get(name) for name in names))
    name = slug(unit_set)
    return ReportTable(f"size-curve-{name}", "", columns, (*rows, limit), file=f"size-curve.{name}.csv")
