"""In what way marks in texts disagree, and who marks longer or more, as tables."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from reportgen.report.tables import Cell, ReportTable, TableColumn, heads, named
from reportgen.results import (
    CASE_KINDS,
    Figure,
    MarkCase,
    MarkDisagreements,
    Results,
    cases_by_kind,
    omissions_of_each,
)
from reportgen.results.marks import Unitizing
from reportgen.words import numbers
from reportgen.words.language import N_, _, pgettext, say
from reportgen.words.names import figure_name
from reportgen.words.numbers import count

# More pairs than these stand in the CSV alone, and more types.
MOST_PAIRS = 60
MOST_TYPES = 40
# What a kind of disagreement is called where one mark or unit has it.
KIND_NAMES = {
    "boundary": N_("boundary"),
    "type": N_("type"),
    "both": N_("boundary and type"),
    "omission": N_("omission"),
}
HEADS = (
    TableColumn("boundary", N_("Boundary"), "count"),
    TableColumn("type", N_("Type"), "count"),
    TableColumn("both", N_("Both"), "count"),
    TableColumn("omission", N_("Omission"), "count"),
)
PEOPLE = (TableColumn("first", N_("First")), TableColumn("second", N_("Second")))
EITHER = (
    TableColumn("first_only", N_("Only the first"), "count"),
    TableColumn("second_only", N_("Only the second"), "count"),
)


def kinds_told(kinds: Iterable[tuple[str, ...]]) -> str:
    """Return how many of some units are disputed in each way; empty where no mark stands on them."""
    times = Counter(each for of_unit in kinds for each in of_unit)
    told = (
        say("{kind} {times}", kind=_(KIND_NAMES[each]), times=count(times[each]))
        for each in CASE_KINDS
        if times[each]
    )
    return ", ".join(told)


def kind_names(kinds: tuple[str, ...]) -> str:
    """Return kinds of disagreement in words."""
    return ", ".join(_(KIND_NAMES[each]) for each in kinds)


@dataclass(frozen=True)
class CasesView:
    """The cases of one layer, and its tables."""

    found: MarkDisagreements
    features: bool

    @cached_property
    def by_type(self) -> ReportTable:
        """Return the kinds of each type that somebody uses, and of all; those with most cases first."""
        first, second = self._only_two
        either = (
            TableColumn("first_only", say("Only {name}", name=first), "count"),
            TableColumn("second_only", say("Only {name}", name=second), "count"),
        )
        columns = (
            TableColumn("type", pgettext("of mark", "Type of mark")),
            *heads(HEADS),
            *(either if first else ()),
        )
        names: list[str | None] = [*self.found.types[:MOST_TYPES], None]
        rows = tuple(self._row(name, either=bool(first)) for name in names)
        caption = _("Disagreements about marks by type; those between two types stand under both.")
        return ReportTable(f"mark-kinds-{self.found.layer}", caption, columns, rows, total=True)

    def _row(self, name: str | None, *, either: bool) -> tuple[Cell, ...]:
        kinds = cases_by_kind(self.found.cases, name)
        alone = omissions_of_each(self.found.of_annotators[0].cases, name) if either else ()
        return (_("All") if name is None else name, *(kinds[each] for each in CASE_KINDS), *alone)

    @property
    def _only_two(self) -> tuple[str, str]:
        """Return the annotators where they are two, else nobody."""
        pairs = self.found.of_annotators
        return pairs[0].annotators if len(pairs) == 1 else ("", "")

    @property
    def more_types(self) -> int:
        """Return how many types the table leaves out."""
        return max(0, len(self.found.types) - MOST_TYPES)

    @cached_property
    def by_pair(self) -> ReportTable | None:
        """Return the kinds of each two people; None where they are one pair, or too many."""
        pairs = self.found.pairs
        if not 1 < len(pairs) <= MOST_PAIRS:
            return None
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (*map(named, each.annotators, each.roles), *_kinds(each.cases), *omissions_of_each(each.cases))
            for each in pairs
        )
        columns = heads((*PEOPLE, *HEADS[:-1], *EITHER))
        caption = _("Disagreements about marks, by pair.")
        return ReportTable(f"mark-kinds-by-pair-{self.found.layer}", caption, columns, rows)

    @cached_property
    def habits(self) -> ReportTable | None:
        """Return who marks longer or more, of all types and of each; None where nobody is compared."""
        head = (
            TableColumn("annotator", _("Annotator")),
            TableColumn("type", pgettext("of mark", "Type of mark")),
            TableColumn("longer", _("Longer"), "count"),
            TableColumn("shorter", _("Shorter"), "count"),
            TableColumn("longer_p", _("p"), "p"),
            TableColumn("marks", _("Marks"), "count"),
            TableColumn("others", _("Marks of the others"), "count"),
            TableColumn("more_p", _("p"), "p"),
        )
        shown = set(self.found.types[:MOST_TYPES])
        rows: list[tuple[Cell, ...]] = [
            (
                each.annotator,
                each.type or _("All"),
                each.longer,
                each.shorter,
                each.longer_p,
                each.marks,
                each.others,
                each.more_p,
            )
            for each in self.found.habits
            if each.type is None or each.type in shown
        ]
        caption = _("Whose mark is the longer one where ends differ, and who makes more marks.")
        return ReportTable(f"mark-habits-{self.found.layer}", caption, head, tuple(rows)) if rows else None


def _kinds(cases: tuple[MarkCase, ...]) -> tuple[int, ...]:
    kinds = cases_by_kind(cases)
    return tuple(kinds[each] for each in CASE_KINDS[:-1])


def cases_view(results: Results, layer: str, *, features: bool) -> CasesView | None:
    """Return in what way the marks of a layer disagree; None where it is not known, or none do."""
    found = results.spans.disagreements_of(layer) if results.spans else None
    return CasesView(found, features) if found and found.cases else None


def case_tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV tables of all layers: cases by kind and types, and who marks longer or more."""
    found = (results.spans.disagreements if results.spans else None) or ()
    if not found:
        return
    rows: list[tuple[Cell, ...]] = []
    for layer in found:
        rows += [
            (layer.layer, "", "", each.kind, each.first, each.second, each.cases) for each in layer.cases
        ]
        rows += [
            (layer.layer, *pair.annotators, each.kind, each.first, each.second, each.cases)
            for pair in layer.pairs
            for each in pair.cases
        ]
    keys = ("layer", "first", "second", "kind", "first_type", "second_type")
    columns = (*(TableColumn(key, key) for key in keys), TableColumn("cases", "cases", "count"))
    yield ReportTable("mark-disagreements", "", columns, tuple(rows), file="mark-disagreements.csv")
    figures = ("annotator", "type", "longer", "shorter", "longer_p", "marks", "others", "more_p")
    habits: tuple[tuple[Cell, ...], ...] = tuple(
        (layer.layer, *(getattr(each, key) for key in figures)) for layer in found for each in layer.habits
    )
    yield ReportTable(
        "mark-habits",
        "",
        tuple(TableColumn(key, key) for key in ("layer", *figures)),
        habits,
        file="mark-habits.csv",
    )


# Unitizing figures as tables, made from results alone.

# More pairs than these stand in the CSV, and on the page those that agree least.
LEAST_AGREEING = 20
# What is smaller is written with a power of ten.
LEAST = 0.001
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
UNITIZING_PEOPLE = (
    TableColumn("first", N_("First annotator")),
    TableColumn("second", N_("Second annotator")),
)


@dataclass(frozen=True)
class UnitizingView:
    """The unitizing figures of one layer."""

    results: Results
    layer: Unitizing

    @cached_property
    def figures(self) -> ReportTable:
        """Return the figures of all annotators, with observed and expected disagreement."""
        columns = (
            TableColumn("figure", _("Figure")),
            TableColumn("value", _("Value [95% interval]"), "estimate"),
            TableColumn("observed", _("Observed disagreement")),
            TableColumn("expected", _("Expected disagreement")),
            TableColumn("units", _("Units"), "count"),
        )
        names = self.results.in_order(self.layer.measures)
        rows = tuple(self._row(name, self.layer.measures[name]) for name in names)
        return ReportTable(f"unitizing-{self.layer.layer}", _("All annotators together."), columns, rows)

    def _row(self, name: str, figure: Figure) -> tuple[Cell, ...]:
        parts = _small(figure.observed), _small(figure.expected)
        return (figure_name(self.results, name), figure, *parts, figure.units)

    @cached_property
    def categories(self) -> ReportTable | None:
        """Return the figures of each category; None where there is one, whose figures are those of all."""
        if len(self.layer.categories) <= 1:
            return None
        found = self.layer.by_category
        names = self.results.in_order({name for own in found.values() for name in own})
        columns = (
            TableColumn("category", _("Category")),
            *(TableColumn(name, self._with_interval(name), "estimate") for name in names),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (category, *(found[category].get(name) for name in names)) for category in self.layer.categories
        )
        return ReportTable(f"unitizing-categories-{self.layer.layer}", _("By category."), columns, rows)

    def _with_interval(self, name: str) -> str:
        return say("{figure} [95% interval]", figure=figure_name(self.results, name))

    @property
    def partly(self) -> bool:
        """Say whether the page shows only the pairs that agree least."""
        return len(self.layer.pairs) > MOST_PAIRS

    @cached_property
    def pairs(self) -> ReportTable | None:
        """Return the figures of every two annotators, or of those that agree least where they are many."""
        shown = sorted(self.layer.pairs, key=lambda pair: _value(pair.measures["alpha_u"]))
        shown = shown[:LEAST_AGREEING] if self.partly else list(self.layer.pairs)
        if not shown:
            return None
        names = self.results.in_order(shown[0].measures)
        columns = (
            *heads(UNITIZING_PEOPLE),
            TableColumn("documents", _("Documents"), "count"),
            *(TableColumn(name, self.results.catalogue[name].symbol, "estimate") for name in names),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (*pair.annotators, pair.documents, *(pair.measures[name] for name in names)) for pair in shown
        )
        return ReportTable(f"unitizing-pairs-{self.layer.layer}", _("Every two annotators."), columns, rows)

    @property
    def reasons(self) -> list[tuple[str, str]]:
        """Return why figures of all annotators are undefined."""
        names = self.results.in_order(self.layer.measures)
        found = ((figure_name(self.results, name), self.layer.measures[name].undefined) for name in names)
        return [(name, _(reason)) for name, reason in found if reason]


def _small(value: float | None) -> str:
    """Return a share of the text, or of its square, which may be very small."""
    if value is None or value == 0 or value >= LEAST:
        return numbers.NONE if value is None else numbers.figure(value)
    digits, _e, power = f"{value:.1e}".partition("e")
    return f"{numbers.pointed(digits)} × 10{str(int(power)).translate(RAISED)}"


def _value(figure: Figure) -> float:
    return 1.0 if figure.value is None else figure.value


def unitizing_views(results: Results) -> tuple[UnitizingView, ...]:
    """Return what a page shows of each layer whose texts are cut into units."""
    layers = (results.spans and results.spans.unitizing) or ()
    return tuple(UnitizingView(results, layer) for layer in layers)


def unitizing_tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV tables of all layers: figures overall and by category, and those of pairs."""
    layers = (results.spans and results.spans.unitizing) or ()
    if layers:
        yield _overall(results, layers)
    if any(layer.pairs for layer in layers):
        yield _pairs(results, layers)


def _overall(results: Results, layers: tuple[Unitizing, ...]) -> ReportTable:
    """Return every figure as a row; one of all categories together names none."""
    columns = (
        TableColumn("layer", "Layer"),
        TableColumn("category", "Category"),
        TableColumn("figure", "Figure"),
        TableColumn("value", "Value", "estimate"),
    )
    rows: list[tuple[Cell, ...]] = []
    for layer in layers:
        whole = {"": layer.measures} | {name: layer.by_category[name] for name in layer.categories}
        rows += [
            (layer.layer, category, name, own[name])
            for category, own in whole.items()
            for name in results.in_order(own)
        ]
    return ReportTable("unitizing", "", columns, tuple(rows), file="unitizing.csv")


def _pairs(results: Results, layers: tuple[Unitizing, ...]) -> ReportTable:
    columns = (
        TableColumn("layer", "Layer"),
        *UNITIZING_PEOPLE,
        TableColumn("documents", "Documents", "count"),
        TableColumn("figure", "Figure"),
        TableColumn("value", "Value", "estimate"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (layer.layer, *pair.annotators, pair.documents, name, pair.measures[name])
        for layer in layers
        for pair in layer.pairs
        for name in results.in_order(pair.measures)
    )
    return ReportTable("unitizing-pairs", "", columns, rows, file="unitizing-pairs.csv")
