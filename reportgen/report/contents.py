"""What a report shows: the tables of each layer, made from results alone."""

from collections.abc import Iterator, Sequence

from reportgen.report import numbers
from reportgen.report.shown import is_main, is_shown
from reportgen.report.tables import Cell, Column, Kind, Table
from reportgen.results import Confusion, Pair, Results, UnitSet

SHADES = 9
KINDS = {
    "items": "every unit of the export",
    "tokens": "every token of the texts",
    "sentences": "every sentence of the texts",
    "candidates": "every candidate in the texts",
    "declared": "declared size",
    "annotated-by-any": "marked by at least one annotator",
    "annotated-by-all": "marked by every annotator",
}
BASES = {"tokens": "tokens, ", "marks": "stretches of text, ", "relations": "relations, "}
# Unit sets of marked units alone.
MARKED = ("annotated-by-any", "annotated-by-all")
CURVE_FACTORS = (1, 10, 100)


def slug(unit_set: UnitSet) -> str:
    """Return what file names and anchors call a unit set; the layer stands in it where it is not "main"."""
    return unit_set.id if unit_set.layer == "main" else f"{unit_set.layer}~{unit_set.id}"


def confusion(unit_set: UnitSet, pair: Pair) -> Table:
    """Return a pair's confusion matrix with margins; shades are shares of all disagreements."""
    table = pair.confusion
    head = (Column("category", f"{table.rows} \\ {table.columns}"),)
    columns = (
        *head,
        *(Column(name, name, "count") for name in table.categories),
        Column("total", "Total", "count"),
    )
    rows: list[tuple[Cell, ...]] = [
        (name, *row, sum(row)) for name, row in zip(table.categories, table.counts, strict=True)
    ]
    sums = [sum(column) for column in zip(*table.counts, strict=True)]
    caption = f"{numbers.count(pair.confusion.units)} units; rows {table.rows}, columns {table.columns}."
    return Table(
        id=f"confusion-{slug(unit_set)}",
        caption=caption,
        columns=columns,
        rows=(*rows, ("Total", *sums, sum(sums))),
        file=f"confusion.{slug(unit_set)}.csv",
        total=True,
        shades=tuple(_shades(table)),
    )


def _shades(table: Confusion) -> Iterator[tuple[int | None, ...]]:
    most = max(
        (value for i, row in enumerate(table.counts) for j, value in enumerate(row) if i != j),
        default=0,
    )
    for i, row in enumerate(table.counts):
        shades = [None if i == j or not most else round(SHADES * value / most) for j, value in enumerate(row)]
        yield (None, *shades, None)
    yield (None,) * (len(table.categories) + 2)


def choices(unit_sets: Sequence[UnitSet]) -> Table:
    """Return what each unit set counts."""
    rows: list[tuple[Cell, ...]] = [
        (
            each.id + (" (primary)" if each.primary else ""),
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
        Column("unit_set", "Unit set"),
        Column("kind", "What counts"),
        Column("units", "Units", "count"),
        Column("compared", "Rated by two or more", "count"),
        Column("marked", "Marked among those", "count"),
        Column("left_out", "Units of the export left out", "count"),
        Column("added", "Unmarked units added", "count"),
        Column("marks_used", "Marks used", "count"),
        Column("marks_left_out", "Marks left out", "count"),
    )
    suffix = _suffix(unit_sets)
    caption = "What counts as a unit."
    return Table(f"choices{suffix}", caption, columns, tuple(rows), file=f"unit-sets{suffix}.csv")


def _what_counts(unit_set: UnitSet) -> str:
    base = BASES.get(unit_set.base, "") if unit_set.kind != "tokens" else ""
    return base + KINDS[unit_set.kind]


def _suffix(unit_sets: Sequence[UnitSet]) -> str:
    return "" if unit_sets[0].layer == "main" else f"~{unit_sets[0].layer}"


def marked(unit_set: UnitSet) -> int | None:
    """Return how many units somebody marked, None where a pair's table does not tell."""
    if unit_set.non_annotated is None or unit_set.kind in MARKED:
        return unit_set.units_compared
    return unit_set.size_curve.marked if unit_set.size_curve else None


def specific(results: Results, unit_set: UnitSet) -> Table:
    """Return specific agreement of each category, with how often it was used."""
    pair = unit_set.only_pair
    rest = pair.against_rest if pair else unit_set.against_rest
    names = results.in_order(next(iter(rest.values()), {}))
    users = pair.annotators if pair else ()
    kind: Kind = "figure" if pair else "estimate"
    columns = (
        Column("category", "Category"),
        *(Column(f"labels_{name}", f"Labels by {name}", "count") for name in users),
        *(() if users else (Column("labels", "Labels", "count"),)),
        Column("specific_agreement", "Specific agreement [95% interval]", "estimate"),
        *(Column(name, f"{results.name_of(name)}, against the rest", kind) for name in names),
    )
    rows = tuple(
        (
            category,
            *(pair.confusion.totals(category) if pair else (unit_set.labels[category],)),
            unit_set.specific_agreement[category],
            *(rest[category][name].value if pair else rest[category][name] for name in names),
        )
        for category in unit_set.categories
    )
    return Table(
        f"specific-{slug(unit_set)}", "", columns, rows, file=f"specific-agreement.{slug(unit_set)}.csv"
    )


def coefficients(results: Results, unit_sets: Sequence[UnitSet]) -> Table:
    """Return the main figures of all annotators, one row a figure and one column a unit set."""
    names = [name for name in _ordered(results, unit_sets) if is_main(results, unit_sets[0], name)]
    caption = "Figures [95% interval], by unit set."
    return _figures("coefficients", caption, results, unit_sets, names)


def other_weights(results: Results, unit_sets: Sequence[UnitSet]) -> Table | None:
    """Return the figures that are weighted otherwise; None where there are none."""
    names = [name for name in _ordered(results, unit_sets) if not is_main(results, unit_sets[0], name)]
    caption = "The same measures with other weights."
    return _figures("other-weights", caption, results, unit_sets, names) if names else None


def _figures(
    id: str,  # noqa: A002 - a field's name
    caption: str,
    results: Results,
    unit_sets: Sequence[UnitSet],
    names: Sequence[str],
) -> Table:
    columns = (
        Column("figure", "Figure"),
        *(
            Column(slug(each), f"{each.id} ({numbers.count(each.units_compared)} units)", "estimate")
            for each in unit_sets
        ),
    )
    rows = tuple((results.name_of(name), *(each.measures.get(name) for each in unit_sets)) for name in names)
    return Table(f"{id}{_suffix(unit_sets)}", caption, columns, rows)


def _ordered(results: Results, unit_sets: Sequence[UnitSet]) -> list[str]:
    """Return the ids of all figures, the primary one first."""
    known = {name for each in unit_sets for name in each.measures if is_shown(results, each, name)}
    names = results.in_order(known)
    primary = results.coefficients[unit_sets[0].layer]
    return sorted(names, key=lambda name: name != primary)


def long_coefficients(results: Results) -> Table:
    """Return every figure of every unit set, one a row, for the CSV."""
    columns = (
        Column("layer", "Layer"),
        Column("unit_set", "Unit set"),
        Column("figure", "Figure"),
        Column("value", "Value", "estimate"),
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
        Column("first", "First annotator"),
        Column("second", "Second annotator"),
        Column("units", "Units", "count"),
        *(Column(name, results.name_of(name), "estimate") for name in names),
    )
    rows = tuple(
        (*pair.annotators, pair.confusion.units, *(pair.measures.get(name) for name in names))
        for pair in unit_set.pairs
    )
    return Table(f"pairs-{slug(unit_set)}", "", columns, rows, file=f"pairs.{slug(unit_set)}.csv")


def size_table(results: Results, unit_sets: Sequence[UnitSet], names: Sequence[str]) -> Table | None:
    """Return figures at the sizes that are declared, at some others, and in the limit."""
    curves = [each.size_curve for each in unit_sets if each.size_curve]
    if not curves:
        return None
    curve = max(curves, key=lambda each: each.declared)
    labels: dict[int, str] = {curve.sizes[0]: "no unmarked unit"}
    labels |= {each.size_curve.declared: each.id for each in unit_sets if each.size_curve}
    for factor in CURVE_FACTORS[1:]:
        near = min(curve.sizes, key=lambda size: abs(size - factor * curve.declared))
        labels[near] = f"about {factor} times {numbers.count(curve.declared)}"
    rows: list[tuple[Cell, ...]] = [
        (label, size, *(curve.values[name][curve.sizes.index(size)] for name in names))
        for size, label in sorted(labels.items())
        if size in curve.sizes
    ]
    rows.append(("without bound", None, *(curve.limit.get(name) for name in names)))
    columns = (
        Column("label", "Unit set"),
        Column("size", "Units", "count"),
        *(Column(name, results.name_of(name), "figure") for name in names),
    )
    return Table(
        f"sizes{_suffix(unit_sets)}",
        "Figures by the number of units; only jointly unmarked units are added.",
        columns,
        tuple(rows),
    )


def size_curve_rows(results: Results, unit_set: UnitSet) -> Table | None:
    """Return the whole size curve, for the CSV."""
    curve = unit_set.size_curve
    if curve is None:
        return None
    names = results.in_order(curve.values)
    columns = (Column("size", "Units", "count"), *(Column(name, name, "figure") for name in names))
    rows = [(size, *(curve.values[name][place] for name in names)) for place, size in enumerate(curve.sizes)]
    limit: tuple[Cell, ...] = ("limit", *(curve.limit.get(name) for name in names))
    name = slug(unit_set)
    return Table(f"size-curve-{name}", "", columns, (*rows, limit), file=f"size-curve.{name}.csv")


def symmetry(results: Results, unit_set: UnitSet, pair: Pair) -> Table:
    """Return the tests of symmetry of a pair."""
    columns = (
        Column("test", "Test"),
        Column("statistic", "Statistic", "figure"),
        Column("degrees", "Degrees of freedom", "count"),
        Column("p", "p", "p"),
        Column("discordant", "Units it rests on", "count"),
        Column("method", "How"),
    )
    rows = tuple(
        (
            results.name_of(name),
            test.statistic,
            test.degrees,
            test.p,
            test.discordant,
            test.undefined or f"{test.method}; {'documents' if test.by_document else 'units'} as independent",
        )
        for name, test in ((name, pair.symmetry[name]) for name in results.in_order(pair.symmetry))
    )
    name = slug(unit_set)
    return Table(
        f"symmetry-{name}",
        "Tests that the two use the categories alike.",
        columns,
        rows,
        file=f"symmetry.{name}.csv",
    )


def inputs(results: Results) -> Table:
    """Return the files that were read, with their checksums."""
    columns = (Column("file", "File"), Column("sha256", "SHA-256"), Column("bytes", "Bytes", "count"))
    rows = tuple((each.file, each.sha256, each.bytes) for each in results.inputs)
    return Table("inputs", "Files that the figures come from.", columns, rows, file="inputs.csv")
