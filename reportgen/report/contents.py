"""What a report shows: the tables of each layer, made from results alone."""

from collections.abc import Iterator, Sequence

from reportgen.report import numbers
from reportgen.report.language import N_, _, pgettext, say, say_many
from reportgen.report.names import figure_name
from reportgen.report.shown import is_main, is_shown
from reportgen.report.tables import Cell, Column, Kind, Table
from reportgen.results import Pair, Results, SymmetryTest, UnitSet

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


def choices(unit_sets: Sequence[UnitSet]) -> Table:
    """Return what each unit set counts."""
    rows: list[tuple[Cell, ...]] = [
        (
            say("{unit_set} (primary)", unit_set=each.id) if each.primary else each.id,
            _what_counts(each),
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
        Column("unit_set", _("Unit set")),
        Column("kind", _("What counts")),
        Column("units", _("Units"), "count"),
        Column("compared", _("Rated by two or more"), "count"),
        Column("marked", _("Marked among those"), "count"),
        Column("left_out", _("Units of the export left out"), "count"),
        Column("added", _("Unmarked units added"), "count"),
        Column("marks_used", _("Marks used"), "count"),
        Column("marks_left_out", _("Marks left out"), "count"),
    )
    ending = suffix(unit_sets)
    caption = _("What counts as a unit.")
    return Table(f"choices{ending}", caption, columns, tuple(rows), file=f"unit-sets{ending}.csv")


def _what_counts(unit_set: UnitSet) -> str:
    return _(KINDS_OF.get((unit_set.base, unit_set.kind)) or KINDS[unit_set.kind])


def suffix(unit_sets: Sequence[UnitSet]) -> str:
    """Return what names of tables and files of a layer end in: nothing where there is only one."""
    return "" if unit_sets[0].layer == "main" else f"~{unit_sets[0].layer}"


def marked(unit_set: UnitSet) -> int | None:
    """Return how many units somebody marked, None where a pair's table does not tell."""
    if unit_set.non_annotated is None or unit_set.kind in MARKED:
        return unit_set.units_compared
    return unit_set.size_curve.marked if unit_set.size_curve else None


def specific(results: Results, unit_set: UnitSet) -> Table:
    """Return specific agreement of each category, of sets of each label, with how often it was used."""
    pair = unit_set.only_pair
    rest = pair.against_rest if pair else unit_set.against_rest
    names = results.in_order(next(iter(rest.values()), {}))
    kind: Kind = "figure" if pair else "estimate"
    columns = (
        Column("category", _("Label") if unit_set.sets else _("Category")),
        *_columns_of_users(unit_set),
        Column("specific_agreement", _("Specific agreement [95% interval]"), "estimate"),
        *(
            Column(name, say("{figure}, against the rest", figure=figure_name(results, name)), kind)
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
    return Table(
        f"specific-{slug(unit_set)}", "", columns, rows, file=f"specific-agreement.{slug(unit_set)}.csv"
    )


def _columns_of_users(unit_set: UnitSet) -> Iterator[Column]:
    """Yield the columns of how often a category was used, by each of two annotators or by all of them."""
    if unit_set.only_pair is None:
        yield Column("labels", _("Chosen") if unit_set.sets else _("Labels"), "count")
        return
    for name in unit_set.only_pair.annotators:
        title = say("Chosen by {name}", name=name) if unit_set.sets else say("Labels by {name}", name=name)
        yield Column(f"labels_{name}", title, "count")


def coefficients(results: Results, unit_sets: Sequence[UnitSet]) -> Table:
    """Return the main figures of all annotators, one row a figure and one column a unit set."""
    names = [name for name in _ordered(results, unit_sets) if is_main(results, unit_sets[0], name)]
    caption = _("Figures [95% interval], by unit set.")
    return _figures("coefficients", caption, results, unit_sets, names)


def other_weights(results: Results, unit_sets: Sequence[UnitSet]) -> Table | None:
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
) -> Table:
    columns = (
        Column("figure", pgettext("a number", "Figure")),
        *(Column(slug(each), _with_units(each), "estimate") for each in unit_sets),
    )
    rows = tuple(
        (figure_name(results, name), *(each.measures.get(name) for each in unit_sets)) for name in names
    )
    links = tuple((f"{MEASURES}{name.partition('[')[0]}", *(None,) * len(unit_sets)) for name in names)
    return Table(f"{id}{suffix(unit_sets)}", caption, columns, rows, links=links)


def _with_units(unit_set: UnitSet) -> str:
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


def long_coefficients(results: Results) -> Table:
    """Return every figure of every unit set, one a row, for the CSV."""
    columns = (
        Column("layer", _("Layer")),
        Column("unit_set", _("Unit set")),
        Column("figure", pgettext("a number", "Figure")),
        Column("value", _("Value"), "estimate"),
    )
    rows: list[tuple[Cell, ...]] = [
        (each.layer, each.id, name, each.measures[name])
        for each in results.unit_sets
        for name in results.in_order(each.measures)
    ]
    return Table("coefficients", "", columns, tuple(rows), file="coefficients.csv")


def pairs(results: Results, unit_set: UnitSet) -> Table | None:
    """Return observed agreement, kappa and the primary coefficient of each pair; None for a single pair."""
    names = ("observed_agreement", "cohen_kappa", results.coefficients[unit_set.layer])
    return figures_of_pairs(results, unit_set, list(dict.fromkeys(names)))


def figures_of_pairs(results: Results, unit_set: UnitSet, names: Sequence[str]) -> Table | None:
    """Return some figures of each pair; None for a single pair."""
    if len(unit_set.pairs) <= 1:
        return None
    columns = (
        Column("first", _("First annotator")),
        Column("second", _("Second annotator")),
        Column("units", _("Units"), "count"),
        *(Column(name, figure_name(results, name), "estimate") for name in names),
    )
    rows = tuple(
        (*pair.annotators, pair.confusion.units, *(pair.measures.get(name) for name in names))
        for pair in unit_set.pairs
    )
    return Table(f"pairs-{slug(unit_set)}", "", columns, rows, file=f"pairs.{slug(unit_set)}.csv")


def symmetry(results: Results, unit_set: UnitSet, pair: Pair) -> Table:
    """Return the tests of symmetry of a pair."""
    columns = (
        Column("test", _("Test")),
        Column("statistic", _("Statistic"), "figure"),
        Column("degrees", _("Degrees of freedom"), "count"),
        Column("p", "p", "p"),
        Column("discordant", _("Units it rests on"), "count"),
        Column("method", _("How")),
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
    return Table(
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


def inputs(results: Results) -> Table:
    """Return the files that were read, with their checksums."""
    columns = (Column("file", _("File")), Column("sha256", "SHA-256"), Column("bytes", _("Bytes"), "count"))
    rows = tuple((each.file, each.sha256, each.bytes) for each in results.inputs)
    return Table("inputs", _("Files that the figures come from."), columns, rows, file="inputs.csv")
