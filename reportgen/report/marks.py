"""In what way marks in texts disagree, and who marks longer or more, as tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

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
HABITS = ("annotator", "type", "longer", "shorter", "longer_p", "marks", "others", "more_p")
HABIT_HEADS = (
    TableColumn("longer", N_("Longer"), "count"),
    TableColumn("shorter", N_("Shorter"), "count"),
    TableColumn("longer_p", N_("p"), "p"),
    TableColumn("marks", N_("Marks"), "count"),
    TableColumn("others", N_("Marks of the others"), "count"),
    TableColumn("more_p", N_("p"), "p"),
)


def kinds_told(kinds: Iterable[tuple[str, ...]]) -> str:
    """Return how many of some units are disputed in each way; empty where no mark is on them."""
    return counted_kinds(Counter(each for of_unit in kinds for each in of_unit))


def counted_kinds(times: Mapping[str, int]) -> str:
    """Return how many disagreements of each kind there are; kinds without any are left out."""
    told = (
        say("{kind} {times}", kind=_(KIND_NAMES[each]), times=count(times[each]))
        for each in CASE_KINDS
        if times[each]
    )
    return ", ".join(told)


def kind_names(kinds: tuple[str, ...]) -> str:
    """Return kinds of disagreement in words."""
    return ", ".join(_(KIND_NAMES[each]) for each in kinds)


def cases_by_type(found: MarkDisagreements) -> ReportTable:
    """Return the kinds of each type that somebody uses, and of all; those with most cases first."""
    pairs = found.of_annotators
    either: tuple[TableColumn, ...] = ()
    if len(pairs) == 1:
        first, second = pairs[0].annotators
        either = (
            TableColumn("first_only", say("Only {name}", name=first), "count"),
            TableColumn("second_only", say("Only {name}", name=second), "count"),
        )
    columns = (TableColumn("type", pgettext("of mark", "Type of mark")), *heads(HEADS), *either)
    names: list[str | None] = [*found.types[:MOST_TYPES], None]
    rows = tuple(_of_type(found, name, either=bool(either)) for name in names)
    caption = _("Disagreements about marks by type; those between two types stand under both.")
    return ReportTable(f"mark-kinds-{found.layer}", caption, columns, rows, total=True)


def _of_type(found: MarkDisagreements, name: str | None, *, either: bool) -> tuple[Cell, ...]:
    kinds = cases_by_kind(found.cases, name)
    alone = omissions_of_each(found.of_annotators[0].cases, name) if either else ()
    return (_("All") if name is None else name, *(kinds[each] for each in CASE_KINDS), *alone)


def cases_by_pair(found: MarkDisagreements) -> ReportTable | None:
    """Return the kinds of each two people; None where they are one pair, or too many."""
    if not 1 < len(found.pairs) <= MOST_PAIRS:
        return None
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*map(named, each.annotators, each.roles), *_kinds(each.cases), *omissions_of_each(each.cases))
        for each in found.pairs
    )
    columns = heads((*PEOPLE, *HEADS[:-1], *EITHER))
    caption = _("Disagreements about marks, by pair.")
    return ReportTable(f"mark-kinds-by-pair-{found.layer}", caption, columns, rows)


def habits(found: MarkDisagreements) -> ReportTable | None:
    """Return who marks longer or more, of all types and of each; None where nobody is compared."""
    shown = {None, *found.types[:MOST_TYPES]}
    rows = tuple(
        (each.annotator, each.type or _("All"), *(getattr(each, key) for key in HABITS[2:]))
        for each in found.habits
        if each.type in shown
    )
    columns = (
        TableColumn("annotator", _("Annotator")),
        TableColumn("type", pgettext("of mark", "Type of mark")),
        *heads(HABIT_HEADS),
    )
    caption = _("Whose mark is the longer one where ends differ, and who makes more marks.")
    return ReportTable(f"mark-habits-{found.layer}", caption, columns, rows) if rows else None


def _kinds(cases: tuple[MarkCase, ...]) -> tuple[int, ...]:
    kinds = cases_by_kind(cases)
    return tuple(kinds[each] for each in CASE_KINDS[:-1])


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
    own: tuple[tuple[Cell, ...], ...] = tuple(
        (layer.layer, *(getattr(each, key) for key in HABITS)) for layer in found for each in layer.habits
    )
    columns = tuple(TableColumn(key, key) for key in ("layer", *HABITS))
    yield ReportTable("mark-habits", "", columns, own, file="mark-habits.csv")


# Unitizing figures as tables, made from results alone.

# More pairs than these stand in the CSV, and on the page those that agree least.
LEAST_AGREEING = 20
# What is smaller is said to be smaller.
LEAST = 0.001
UNITIZING_PEOPLE = (
    TableColumn("first", N_("First annotator")),
    TableColumn("second", N_("Second annotator")),
)


def unitizing_figures(results: Results, layer: Unitizing) -> ReportTable:
    """Return the figures of all annotators, with observed and expected disagreement."""
    columns = (
        TableColumn("figure", _("Figure")),
        TableColumn("value", _("Value [95% interval]"), "estimate"),
        TableColumn("observed", _("Observed disagreement")),
        TableColumn("expected", _("Expected disagreement")),
        TableColumn("units", _("Units"), "count"),
    )
    rows = tuple(
        (figure_name(results, name), each, _small(each.observed), _small(each.expected), each.units)
        for name, each in ((name, layer.measures[name]) for name in results.in_order(layer.measures))
    )
    return ReportTable(f"unitizing-{layer.layer}", _("All annotators together."), columns, rows)


def unitizing_by_layer(results: Results, layers: Sequence[Unitizing]) -> ReportTable:
    """Return several layers, a row each, a column for every figure."""
    names = results.in_order({name for each in layers for name in each.measures})
    columns = (
        TableColumn("layer", _("Layer")),
        *(TableColumn(name, results.catalogue[name].symbol, "estimate") for name in names),
    )
    rows = tuple((each.layer, *(each.measures.get(name) for name in names)) for each in layers)
    return ReportTable("unitizing-by-layer", _("Value and 95% interval."), columns, rows)


def unitizing_categories(results: Results, layer: Unitizing) -> ReportTable | None:
    """Return the figures of each category; None where there is one, whose figures are those of all."""
    if len(layer.categories) <= 1:
        return None
    found = layer.by_category
    names = results.in_order({name for own in found.values() for name in own})
    columns = (
        TableColumn("category", _("Category")),
        *(
            TableColumn(name, say("{figure} [95% interval]", figure=figure_name(results, name)), "estimate")
            for name in names
        ),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (category, *(found[category].get(name) for name in names)) for category in layer.categories
    )
    return ReportTable(f"unitizing-categories-{layer.layer}", _("By category."), columns, rows)


def unitizing_pairs(results: Results, layer: Unitizing) -> ReportTable | None:
    """Return the figures of every two annotators, or of those that agree least where they are many."""
    shown = sorted(layer.pairs, key=lambda pair: _value(pair.measures["alpha_u"]))
    shown = shown[:LEAST_AGREEING] if len(layer.pairs) > MOST_PAIRS else list(layer.pairs)
    if not shown:
        return None
    names = results.in_order(shown[0].measures)
    columns = (
        *heads(UNITIZING_PEOPLE),
        TableColumn("documents", _("Documents"), "count"),
        *(TableColumn(name, results.catalogue[name].symbol, "estimate") for name in names),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*pair.annotators, pair.documents, *(pair.measures[name] for name in names)) for pair in shown
    )
    return ReportTable(f"unitizing-pairs-{layer.layer}", _("Every two annotators."), columns, rows)


def _small(value: float | None) -> str:
    """Return a share of the text, or of its square, which may be very small."""
    if value is None or value == 0 or value >= LEAST:
        return numbers.NONE if value is None else numbers.figure(value)
    return say("under {number}", number=numbers.pointed(f"{LEAST:g}"))


def _value(figure: Figure) -> float:
    return 1.0 if figure.value is None else figure.value


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
