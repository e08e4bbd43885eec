"""What a report shows: the tables of each layer, made from results alone."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from reportgen.catalogue import ids_with
from reportgen.report.tables import (
    ColumnOf,
    Kind,
    ReportTable,
    gathered,
    of_layer,
    slug_of,
    table_of,
    without_empty_columns,
)
from reportgen.results import Pair, Results, SymmetryTest, UnitSet
from reportgen.words import numbers
from reportgen.words.language import N_, _, pgettext, say, say_many
from reportgen.words.names import figure_inside, figure_name, is_main, is_shown

# Where a measure is defined, from the version's folder.
MEASURES = "measures/index.html#measure-"
KINDS = {
    "items": N_("every unit of the export"),
    "tokens": N_("every token of the texts"),
    "sentences": N_("every sentence of the texts"),
    "candidates": N_("every candidate in the texts"),
    "declared": N_("declared size"),
    "annotated-by-any": N_("marked by at least one annotator"),
    "annotated-by-all": N_("marked by every annotator"),
}
# What the units of these kinds are, where the export does not list them.
KINDS_OF = {
    ("tokens", "candidates"): N_("tokens, every candidate in the texts"),
    ("tokens", "declared"): N_("tokens, declared size"),
    ("tokens", "annotated-by-any"): N_("tokens marked by at least one annotator"),
    ("tokens", "annotated-by-all"): N_("tokens marked by every annotator"),
    ("marks", "candidates"): N_("stretches of text, every candidate in the texts"),
    ("marks", "declared"): N_("stretches of text, declared size"),
    ("relations", "declared"): N_("relations, declared size"),
    ("relations", "annotated-by-any"): N_("relations marked by at least one annotator"),
    ("relations", "annotated-by-all"): N_("relations marked by every annotator"),
}
# Unit sets of marked units alone.
MARKED = ("annotated-by-any", "annotated-by-all")


def slug(unit_set: UnitSet) -> str:
    """Return what file names and anchors call a unit set."""
    return slug_of(unit_set.layer, unit_set.id)


def choices(unit_sets: Sequence[UnitSet]) -> ReportTable:
    """Return what each unit set counts."""
    ending = suffix(unit_sets)

    def named(unit_set: UnitSet) -> str:
        return say("{unit_set} (primary)", unit_set=unit_set.id) if unit_set.primary else unit_set.id

    return table_of(
        f"choices{ending}",
        _("What counts as a unit."),
        unit_sets,
        ("unit_set", _("Unit set"), "text", named),
        ("kind", _("What counts"), "text", what_counts),
        ("units", _("Units"), "count", lambda unit_set: unit_set.units),
        ("compared", _("Rated by two or more"), "count", lambda unit_set: unit_set.units_compared),
        ("marked", _("Marked among those"), "count", marked),
        (
            "left_out",
            _("Units of the export left out"),
            "count",
            lambda row: sum(row.units_left_out.values()),
        ),
        ("added", _("Unmarked units added"), "count", lambda unit_set: unit_set.units_added),
        ("marks_used", _("Marks used"), "count", lambda unit_set: unit_set.marks.used),
        ("marks_left_out", _("Marks left out"), "count", lambda row: sum(row.marks.left_out.values())),
        file=f"unit-sets{ending}.csv",
        what="What counts as a unit, and what was left out.",
    )


def choices_shown(unit_sets: Sequence[UnitSet]) -> ReportTable:
    """Return the same without the columns that say nothing here: all blank, or none left out or added."""
    return without_empty_columns(choices(unit_sets), ("marked", "left_out", "added", "marks_left_out"))


def what_counts(unit_set: UnitSet) -> str:
    """Return what the units of a unit set are."""
    return _(KINDS_OF.get((unit_set.base, unit_set.kind)) or KINDS[unit_set.kind])


def suffix(unit_sets: Sequence[UnitSet]) -> str:
    """Return what names of tables and files of a layer end in: nothing where there is only one."""
    return of_layer("", unit_sets[0].layer)


def marked(unit_set: UnitSet) -> int | None:
    """Return how many units somebody marked, None where a pair's table does not tell."""
    if unit_set.non_annotated is None or unit_set.kind in MARKED:
        return unit_set.units_compared
    return unit_set.size_curve.marked if unit_set.size_curve else None


def unmarked_share(unit_set: UnitSet) -> float | None:
    """Return how large a share of all labels are those that nobody gave a name; None where there is none."""
    total = sum(unit_set.labels.values())
    category = unit_set.non_annotated
    return unit_set.labels.get(category, 0) / total if category is not None and total else None


def specific(results: Results, unit_set: UnitSet) -> ReportTable:
    """Return specific agreement of each category, of sets of each label, with how often it was used."""
    pair = unit_set.only_pair
    against = pair.against_rest if pair else unit_set.against_rest
    names = results.in_order(next(iter(against.values()), {}))
    kind: Kind = "figure" if pair else "estimate"
    agreement = _("Specific agreement [95% interval]")
    return table_of(
        f"specific-{slug(unit_set)}",
        "",
        unit_set.judged,
        ("category", _("Label") if unit_set.sets else _("Category"), "text", str),
        *_uses(unit_set),
        ("specific_agreement", agreement, "estimate", lambda category: unit_set.specific_agreement[category]),
        *(
            (
                *(name, say("{figure}, against the rest", figure=figure_name(results, name)), kind),
                lambda category, name=name: (
                    against[category][name].value if pair else against[category][name]
                ),
            )
            for name in names
        ),
        file=f"specific-agreement.{slug(unit_set)}.csv",
        what="Specific agreement of each category.",
    )


def _uses(unit_set: UnitSet) -> Iterator[ColumnOf[str]]:
    """Yield the columns of how often a category was used, by each of two annotators or by all of them."""
    pair = unit_set.only_pair
    if pair is None:
        yield "labels", _("Chosen") if unit_set.sets else _("Labels"), "count", unit_set.uses
        return

    hidden = pair.withheld.labels if pair.withheld else ()

    def used(position: int) -> Callable[[str], int | None]:
        return lambda category: None if category in hidden else pair.uses(category)[position]

    for position, name in enumerate(pair.annotators):
        title = say("Chosen by {name}", name=name) if unit_set.sets else say("Labels by {name}", name=name)
        yield f"labels_{name}", title, "count", used(position)


def coefficients(results: Results, unit_sets: Sequence[UnitSet], *, alone: bool = False) -> ReportTable:
    """Return the main figures of all annotators, one row a figure and one column a unit set.

    `alone`: the page has the definitions to which their names lead.
    """
    names = [name for name in _ordered(results, unit_sets) if is_main(results, unit_sets[0], name)]
    caption = _("Figures [95% interval], by unit set.")
    return _figures("coefficients", caption, results, unit_sets, names, alone=alone)


def definition(figure: str, *, alone: bool = False) -> str:
    """Return where a figure's measure is defined: on a page of its own, or on a page that is `alone`."""
    where = MEASURES.partition("#")[2] if alone else MEASURES
    return f"{'#' * alone}{where}{figure.partition('[')[0]}"


def undefined(results: Results, unit_sets: Sequence[UnitSet]) -> dict[str, list[str]]:
    """Return the names of the main figures without a value by the reason; the primary unit set comes first.

    A figure that has none in some of the unit sets only is named with these.
    """
    names_by_reason: dict[str, list[str]] = {}
    for name in results.in_order({name for unit_set in unit_sets for name in unit_set.measures}):
        if is_main(results, unit_sets[0], name) and is_shown(results, unit_sets[0], name):
            shown = figure_inside(results, name)
            measures = {unit_set.id: unit_set.measures.get(name) for unit_set in unit_sets}
            reasons = gathered((unit_set, own.undefined) for unit_set, own in measures.items() if own)
            for reason, where in reasons.items():
                some = say("{figure} in {unit_sets}", figure=shown, unit_sets=", ".join(where))
                there = shown if len(where) == len(unit_sets) else some
                names_by_reason.setdefault(numbers.message(reason, {}), []).append(there)
    return names_by_reason


def _figures(  # noqa: PLR0913 - the parts of a table
    name: str,
    caption: str,
    results: Results,
    unit_sets: Sequence[UnitSet],
    names: Sequence[str],
    *,
    alone: bool = False,
) -> ReportTable:
    return table_of(
        f"{name}{suffix(unit_sets)}",
        caption,
        names,
        ("figure", pgettext("a number", "Figure"), "text", lambda figure: figure_name(results, figure)),
        *(
            (slug(unit_set), with_units(unit_set), "estimate", unit_set.measures.get)
            for unit_set in unit_sets
        ),
        href=lambda figure: definition(figure, alone=alone),
    )


def with_units(unit_set: UnitSet) -> str:
    """Return a unit set's name with how many units more than one annotator rated."""
    return say_many("{unit_set} ({count} {unit|units})", unit_set.units_compared, unit_set=unit_set.id)


def _ordered(results: Results, unit_sets: Sequence[UnitSet]) -> list[str]:
    names = {
        name for unit_set in unit_sets for name in unit_set.measures if is_shown(results, unit_set, name)
    }
    return primary_first(results, unit_sets[0], names)


def primary_first(results: Results, unit_set: UnitSet, names: Iterable[str]) -> list[str]:
    """Return ids of figures in the catalogue's order, the primary coefficient's before all others."""
    primary = results.coefficients[unit_set.layer]
    return sorted(results.in_order(names), key=lambda name: name != primary)


def long_coefficients(results: Results) -> ReportTable:
    """Return every figure of every unit set, one a row, for the CSV."""
    return table_of(
        "coefficients",
        "",
        [(unit_set, name) for unit_set in results.unit_sets for name in results.in_order(unit_set.measures)],
        ("layer", _("Layer"), "text", lambda row: row[0].layer),
        ("unit_set", _("Unit set"), "text", lambda row: row[0].id),
        ("figure", pgettext("a number", "Figure"), "text", lambda row: row[1]),
        ("value", _("Value"), "estimate", lambda row: row[0].measures[row[1]]),
        file="coefficients.csv",
        what="Every figure of every unit set with its interval.",
    )


def pairs(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return observed agreement, kappa and the primary coefficient of each pair; None for a single pair."""
    names = dict.fromkeys((*ids_with(lambda measure: measure.crowds), results.coefficients[unit_set.layer]))
    return figures_of_pairs(results, unit_set, list(names))


def figures_of_pairs(results: Results, unit_set: UnitSet, names: Sequence[str]) -> ReportTable | None:
    """Return some figures of each pair; None for a single pair."""
    if len(unit_set.pairs) <= 1:
        return None
    return table_of(
        f"pairs-{slug(unit_set)}",
        "",
        unit_set.pairs,
        ("first", _("First annotator"), "text", lambda pair: pair.annotators[0]),
        ("second", _("Second annotator"), "text", lambda pair: pair.annotators[1]),
        ("units", _("Units"), "count", lambda pair: pair.confusion.units),
        *(
            (name, figure_name(results, name), "estimate", lambda pair, name=name: pair.measures.get(name))
            for name in names
        ),
        file=f"pairs.{slug(unit_set)}.csv",
    )


def symmetry(results: Results, unit_set: UnitSet, pair: Pair) -> ReportTable:
    """Return the tests of symmetry of a pair."""
    tests = pair.symmetry
    return table_of(
        f"symmetry-{slug(unit_set)}",
        _("Tests that the two use the categories alike."),
        results.in_order(tests),
        ("test", _("Test"), "text", lambda name: figure_name(results, name)),
        ("statistic", _("Statistic"), "figure", lambda name: tests[name].statistic),
        ("degrees", _("Degrees of freedom"), "count", lambda name: tests[name].degrees),
        ("p", "p", "p", lambda name: tests[name].p),
        ("discordant", _("Units it rests on"), "count", lambda name: tests[name].discordant),
        ("method", _("How"), "text", lambda name: _how(tests[name])),
        file=f"symmetry.{slug(unit_set)}.csv",
        what="Tests that two annotators use the categories alike.",
    )


def _how(test: SymmetryTest) -> str:
    if test.undefined:
        return numbers.message(test.undefined, {})
    message = (
        N_("{method}; documents as independent") if test.by_document else N_("{method}; units as independent")
    )
    return say(message, method=_(test.method) if test.method else "")


def inputs(results: Results) -> ReportTable:
    """Return the files that were read, with their checksums."""
    return table_of(
        "inputs",
        _("Files that the figures come from."),
        results.inputs,
        ("file", _("File"), "text", lambda file: file.file),
        ("sha256", "SHA-256", "text", lambda file: file.sha256),
        ("bytes", _("Bytes"), "count", lambda file: file.bytes),
        file="inputs.csv",
        what="Files that the figures come from, with their checksums.",
    )
