"""Tables of what annotators' labels show together: coincidences, distances computed from them, majorities."""

from reportgen.report import numbers
from reportgen.report.contents import slug
from reportgen.report.language import _, say, say_many
from reportgen.report.tables import Cell, Column, Kind, Table
from reportgen.results import Results, UnitSet
from reportgen.results.together import Coincidences


def met(unit_set: UnitSet) -> Coincidences | None:
    """Return how labels meet; None where nobody shares a unit, or the tables are too large to be whole."""
    pair = unit_set.only_pair
    if pair is None:
        return unit_set.coincidences
    counts = pair.confusion.counts
    if counts is None or pair.conditional_probabilities is None or pair.distances is None:
        return None
    both = [
        [a + b for a, b in zip(*each, strict=True)]
        for each in zip(counts, zip(*counts, strict=True), strict=True)
    ]
    return Coincidences(
        categories=pair.confusion.categories,
        counts=tuple(map(tuple, both)),
        conditional_probabilities=pair.conditional_probabilities,
        computed_alpha=pair.distances.computed_alpha,
        computed_kappa=pair.distances.computed_kappa,
    )


def coincidences(unit_set: UnitSet) -> Table | None:
    """Return the coincidence matrix of more than two annotators, with its margin."""
    found = unit_set.coincidences
    if found is None:
        return None
    whole = all(value is None or value == round(value) for row in found.counts for value in row)
    kind: Kind = "count" if whole else "decimal"
    columns = (
        Column("category", _("Category")),
        *(Column(name, name, kind) for name in found.categories),
        Column("total", _("Ratings"), "count"),
    )
    rows = [
        (name, *row, round(sum(value or 0 for value in row)))
        for name, row in zip(found.categories, found.counts, strict=True)
    ]
    name = slug(unit_set)
    caption = _(
        "How often labels meet: the pairs of labels of each unit, both ways, divided by its ratings less one."
    )
    return Table(f"coincidences-{name}", caption, columns, tuple(rows), file=f"coincidences.{name}.csv")


def conditional(unit_set: UnitSet) -> Table | None:
    """Return P(C2|C1), rows C1, columns C2."""
    found = met(unit_set)
    if found is None:
        return None
    names = found.categories
    columns = (Column("category", "C1 \\ C2"), *(Column(name, name, "figure") for name in names))
    rows = tuple((name, *row) for name, row in zip(names, found.conditional_probabilities, strict=True))
    name = slug(unit_set)
    return Table(
        f"conditional-{name}",
        _what_is_given(unit_set),
        columns,
        rows,
        file=f"conditional-probabilities.{name}.csv",
    )


def _what_is_given(unit_set: UnitSet) -> str:
    if unit_set.sets:
        return _(
            "P(C2|C1), sets as wholes: given that one annotator gave exactly the set C1 (row), how often "
            "another gave exactly the set C2 (column)."
        )
    if unit_set.only_pair:
        return _("P(C2|C1): given that one annotator chose C1 (row), how often the other chose C2 (column).")
    return _("P(C2|C1): given that one annotator chose C1 (row), how often another chose C2 (column).")


def distances(results: Results, unit_set: UnitSet) -> Table | None:
    """Return for every two categories the declared and the computed distances."""
    found = met(unit_set)
    if found is None:
        return None
    names, what = found.categories, _("Set") if unit_set.sets else _("Category")
    declared = [table for table in results.distances if table.covers(names)]
    columns = (
        Column("first", what),
        Column("second", what),
        *(Column(table.id, say("Declared: {distance}", distance=table.id), "figure") for table in declared),
        Column("computed_alpha", _("Computed for alpha (mean)"), "figure"),
        Column("computed_kappa", _("Computed for weighted kappa (product)"), "figure"),
    )
    rows: list[tuple[Cell, ...]] = []
    for i, one in enumerate(names):
        for j, other in enumerate(names[i + 1 :], i + 1):
            computed = (found.computed_alpha[i][j], found.computed_kappa[i][j])
            rows.append((one, other, *(table.between(one, other) for table in declared), *computed))
    name = slug(unit_set)
    caption = _("Distances between sets as wholes.") if unit_set.sets else _("Distances between categories.")
    return Table(f"distances-{name}", caption, columns, tuple(rows), file=f"distances.{name}.csv")


def majority(unit_set: UnitSet) -> Table | None:
    """Return how often each annotator says what most of the others say."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, figure.units, figure) for name, figure in unit_set.against_majority.items()
    )
    if not rows:
        return None
    columns = (
        Column("annotator", _("Annotator")),
        Column("units", _("Units"), "count"),
        Column("majority_agreement", _("Agrees with most others [95% interval]"), "estimate"),
    )
    name = slug(unit_set)
    caption = say_many(
        "Each of {count} annotator against the commonest label of the others.",
        "Each of {count} annotators against the commonest label of the others.",
        len(rows),
        count=numbers.count(len(rows)),
    )
    return Table(f"majority-{name}", caption, columns, rows, file=f"majority.{name}.csv")


def weights_of_ac2(unit_set: UnitSet) -> list[tuple[str, float]]:
    """Return the distance at which AC2's weights are 0, by what stands in its brackets."""
    found = {name: each.farthest for name, each in unit_set.measures.items() if name.startswith("gwet_ac2[")}
    return [(name.partition("[")[2].removesuffix("]"), far) for name, far in found.items() if far is not None]
