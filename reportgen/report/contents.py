"""What a report shows: the tables of each layer, made from results alone."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.report.tables import Cell, Kind, ReportTable, TableColumn, without_idle
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
    ("marks", "annotated-by-any"): N_("stretches of text marked by at least one annotator"),
    ("marks", "annotated-by-all"): N_("stretches of text marked by every annotator"),
    ("relations", "declared"): N_("relations, declared size"),
    ("relations", "annotated-by-any"): N_("relations marked by at least one annotator"),
    ("relations", "annotated-by-all"): N_("relations marked by every annotator"),
}
# Unit sets of marked units alone.
MARKED = ("annotated-by-any", "annotated-by-all")


def slug(unit_set: UnitSet) -> str:
    """Return what file names and anchors call a unit set; the layer stands in it where it is not "main"."""
    return unit_set.id if unit_set.layer == "main" else f"{unit_set.layer}~{unit_set.id}"


def choices(unit_sets: Sequence[UnitSet]) -> ReportTable:
    """Return what each unit set counts."""
    rows: list[tuple[Cell, ...]] = [
        (
            say("{unit_set} (primary)", unit_set=each.id) if each.primary else each.id,
            what_counts(each),
            each.units,
            each.units_compared,
            marked(each),
            sum(each.units_left_out.values()),
            each.units_added,
            each.marks.used,
            sum(each.marks.left_out.values()),
        )
        for each in unit_sets
    ]
    columns = (
        TableColumn("unit_set", _("Unit set")),
        TableColumn("kind", _("What counts")),
        TableColumn("units", _("Units"), "count"),
        TableColumn("compared", _("Rated by two or more"), "count"),
        TableColumn("marked", _("Marked among those"), "count"),
        TableColumn("left_out", _("Units of the export left out"), "count"),
        TableColumn("added", _("Unmarked units added"), "count"),
        TableColumn("marks_used", _("Marks used"), "count"),
        TableColumn("marks_left_out", _("Marks left out"), "count"),
    )
    ending = suffix(unit_sets)
    caption = _("What counts as a unit.")
    return ReportTable(f"choices{ending}", caption, columns, tuple(rows), file=f"unit-sets{ending}.csv")


def choices_shown(unit_sets: Sequence[UnitSet]) -> ReportTable:
    """Return the same without the columns that say nothing here: all blank, or none left out or added."""
    return without_idle(choices(unit_sets), ("marked", "left_out", "added", "marks_left_out"))


def what_counts(unit_set: UnitSet) -> str:
    """Return what the units of a unit set are."""
    return _(KINDS_OF.get((unit_set.base, unit_set.kind)) or KINDS[unit_set.kind])


def suffix(unit_sets: Sequence[UnitSet]) -> str:
    """Return what names of tables and files of a layer end in: nothing where there is only one."""
    return "" if unit_sets[0].layer == "main" else f"~{unit_sets[0].layer}"


def marked(unit_set: UnitSet) -> int | None:
    """Return how many units somebody marked, None where a pair's table does not tell."""
    if unit_set.non_annotated is None or unit_set.kind in MARKED:
        return unit_set.units_compared
    return unit_set.size_curve.marked if unit_set.size_curve else None


def specific(results: Results, unit_set: UnitSet) -> ReportTable:
    """Return specific agreement of each category, of sets of each label, with how often it was used."""
    pair = unit_set.only_pair
    rest = pair.against_rest if pair else unit_set.against_rest
    names = results.in_order(next(iter(rest.values()), {}))
    kind: Kind = "figure" if pair else "estimate"
    columns = (
        TableColumn("category", _("Label") if unit_set.sets else _("Category")),
        *_columns_of_users(unit_set),
        TableColumn("specific_agreement", _("Specific agreement [95% interval]"), "estimate"),
        *(
            TableColumn(name, say("{figure}, against the rest", figure=figure_name(results, name)), kind)
            for name in names
        ),
    )
    rows = tuple(
        (
            category,
            *(pair.uses(category) if pair else (unit_set.uses(category),)),
            unit_set.specific_agreement[category],
            *(rest[category][name].value if pair else rest[category][name] for name in names),
        )
        for category in unit_set.judged
    )
    return ReportTable(
        f"specific-{slug(unit_set)}", "", columns, rows, file=f"specific-agreement.{slug(unit_set)}.csv"
    )


def _columns_of_users(unit_set: UnitSet) -> Iterator[TableColumn]:
    """Yield the columns of how often a category was used, by each of two annotators or by all of them."""
    if unit_set.only_pair is None:
        yield TableColumn("labels", _("Chosen") if unit_set.sets else _("Labels"), "count")
        return
    for name in unit_set.only_pair.annotators:
        title = say("Chosen by {name}", name=name) if unit_set.sets else say("Labels by {name}", name=name)
        yield TableColumn(f"labels_{name}", title, "count")


def coefficients(results: Results, unit_sets: Sequence[UnitSet], *, alone: bool = False) -> ReportTable:
    """Return the main figures of all annotators, one row a figure and one column a unit set.

    `alone`: the page has the definitions to which their names lead.
    """
    names = [name for name in _ordered(results, unit_sets) if is_main(results, unit_sets[0], name)]
    caption = _("Figures [95% interval], by unit set.")
    found = _figures("coefficients", caption, results, unit_sets, names)
    links = tuple((definition(name, alone=alone), *(None,) * len(unit_sets)) for name in names)
    return replace(found, links=links)


def definition(figure: str, *, alone: bool = False) -> str:
    """Return where a figure's measure is defined: on a page of its own, or on a page that is `alone`."""
    where = MEASURES.partition("#")[2] if alone else MEASURES
    return f"{'#' * alone}{where}{figure.partition('[')[0]}"


def undefined(results: Results, unit_sets: Sequence[UnitSet]) -> dict[str, list[str]]:
    """Return the names of the main figures without a value by the reason; the primary unit set comes first.

    A figure that has none in some of the unit sets only is named with these.
    """
    known = {name for each in unit_sets for name in each.measures}
    found: dict[str, list[str]] = {}
    for name in results.in_order(known):
        if is_main(results, unit_sets[0], name) and is_shown(results, unit_sets[0], name):
            shown = figure_inside(results, name)
            for reason, where in _without(unit_sets, name):
                there = say("{figure} in {unit_sets}", figure=shown, unit_sets=where) if where else shown
                found.setdefault(numbers.message(reason, {}), []).append(there)
    return found


def _without(unit_sets: Sequence[UnitSet], name: str) -> Iterator[tuple[str, str]]:
    """Yield each reason why a figure has no value, with the unit sets where it is so, if not all."""
    reasons = {each.id: each.measures[name].undefined for each in unit_sets if name in each.measures}
    for reason in dict.fromkeys(reason for reason in reasons.values() if reason):
        where = [unit_set for unit_set, each in reasons.items() if each == reason]
        yield reason, "" if len(where) == len(unit_sets) else ", ".join(where)


def other_weights(results: Results, unit_sets: Sequence[UnitSet]) -> ReportTable | None:
    """Return the figures that are weighted otherwise; None where there are none."""
    names = [name for name in _ordered(results, unit_sets) if not is_main(results, unit_sets[0], name)]
    caption = _("The same measures with other weights.")
    return _figures("other-weights", caption, results, unit_sets, names) if names else None


def _figures(
    id: str,  # noqa: A002 - a field's name
    caption: str,
    results: Results,
    unit_sets: Sequence[UnitSet],
    names: Sequence[str],
) -> ReportTable:
    columns = (
        TableColumn("figure", pgettext("a number", "Figure")),
        *(TableColumn(slug(each), with_units(each), "estimate") for each in unit_sets),
    )
    rows = tuple(
        (figure_name(results, name), *(each.measures.get(name) for each in unit_sets)) for name in names
    )
    links = tuple((definition(name), *(None,) * len(unit_sets)) for name in names)
    return ReportTable(f"{id}{suffix(unit_sets)}", caption, columns, rows, links=links)


def with_units(unit_set: UnitSet) -> str:
    """Return a unit set's name with how many units more than one annotator rated."""
    units = unit_set.units_compared
    return say_many(
        "{unit_set} ({count} unit)",
        "{unit_set} ({count} units)",
        units,
        unit_set=unit_set.id,
        count=numbers.count(units),
    )


def _ordered(results: Results, unit_sets: Sequence[UnitSet]) -> list[str]:
    """Return the ids of all figures, the primary one first."""
    known = {name for each in unit_sets for name in each.measures if is_shown(results, each, name)}
    names = results.in_order(known)
    primary = results.coefficients[unit_sets[0].layer]
    return sorted(names, key=lambda name: name != primary)


def long_coefficients(results: Results) -> ReportTable:
    """Return every figure of every unit set, one a row, for the CSV."""
    columns = (
        TableColumn("layer", _("Layer")),
        TableColumn("unit_set", _("Unit set")),
        TableColumn("figure", pgettext("a number", "Figure")),
        TableColumn("value", _("Value"), "estimate"),
    )
    rows: list[tuple[Cell, ...]] = [
        (each.layer, each.id, name, each.measures[name])
        for each in results.unit_sets
        for name in results.in_order(each.measures)
    ]
    return ReportTable("coefficients", "", columns, tuple(rows), file="coefficients.csv")


def pairs(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return observed agreement, kappa and the primary coefficient of each pair; None for a single pair."""
    names = ("observed_agreement", "cohen_kappa", results.coefficients[unit_set.layer])
    return figures_of_pairs(results, unit_set, list(dict.fromkeys(names)))


def figures_of_pairs(results: Results, unit_set: UnitSet, names: Sequence[str]) -> ReportTable | None:
    """Return some figures of each pair; None for a single pair."""
    if len(unit_set.pairs) <= 1:
        return None
    columns = (
        TableColumn("first", _("First annotator")),
        TableColumn("second", _("Second annotator")),
        TableColumn("units", _("Units"), "count"),
        *(TableColumn(name, figure_name(results, name), "estimate") for name in names),
    )
    rows = tuple(
        (*pair.annotators, pair.confusion.units, *(pair.measures.get(name) for name in names))
        for pair in unit_set.pairs
    )
    return ReportTable(f"pairs-{slug(unit_set)}", "", columns, rows, file=f"pairs.{slug(unit_set)}.csv")


def symmetry(results: Results, unit_set: UnitSet, pair: Pair) -> ReportTable:
    """Return the tests of symmetry of a pair."""
    columns = (
        TableColumn("test", _("Test")),
        TableColumn("statistic", _("Statistic"), "figure"),
        TableColumn("degrees", _("Degrees of freedom"), "count"),
        TableColumn("p", "p", "p"),
        TableColumn("discordant", _("Units it rests on"), "count"),
        TableColumn("method", _("How")),
    )
    rows = tuple(
        (
            figure_name(results, name),
            test.statistic,
            test.degrees,
            test.p,
            test.discordant,
            _how(test),
        )
        for name, test in ((name, pair.symmetry[name]) for name in results.in_order(pair.symmetry))
    )
    name = slug(unit_set)
    return ReportTable(
        f"symmetry-{name}",
        _("Tests that the two use the categories alike."),
        columns,
        rows,
        file=f"symmetry.{name}.csv",
    )


def _how(test: SymmetryTest) -> str:
    if test.undefined:
        return numbers.message(test.undefined, {})
    method = test.method or ""
    if test.by_document:
        return say("{method}; documents as independent", method=_(method))
    return say("{method}; units as independent", method=_(method))


def inputs(results: Results) -> ReportTable:
    """Return the files that were read, with their checksums."""
    columns = (
        TableColumn("file", _("File")),
        TableColumn("sha256", "SHA-256"),
        TableColumn("bytes", _("Bytes"), "count"),
    )
    rows = tuple((each.file, each.sha256, each.bytes) for each in results.inputs)
    return ReportTable("inputs", _("Files that the figures come from."), columns, rows, file="inputs.csv")
