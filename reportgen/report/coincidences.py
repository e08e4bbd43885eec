"""Tables of what annotators' labels show together: coincidences, distances computed from them, majorities."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.report.contents import slug
from reportgen.report.tables import Cell, Kind, ReportTable, TableColumn
from reportgen.results import Results, SetsCompared, UnitSet
from reportgen.results.unit_sets import Coincidences
from reportgen.words import numbers
from reportgen.words.language import _, say, say_many
from reportgen.words.names import figure_name


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


def coincidences(unit_set: UnitSet) -> ReportTable | None:
    """Return the coincidence matrix of more than two annotators, with its margin."""
    found = unit_set.coincidences
    if found is None:
        return None
    whole = all(value is None or value == round(value) for row in found.counts for value in row)
    kind: Kind = "count" if whole else "decimal"
    columns = (
        TableColumn("category", _("Category")),
        *(TableColumn(name, name, kind) for name in found.categories),
        TableColumn("total", _("Ratings"), "count"),
    )
    rows = [
        (name, *row, round(sum(value or 0 for value in row)))
        for name, row in zip(found.categories, found.counts, strict=True)
    ]
    name = slug(unit_set)
    caption = _(
        "How often labels meet: the pairs of labels of each unit, both ways, divided by its ratings less one."
    )
    return ReportTable(f"coincidences-{name}", caption, columns, tuple(rows), file=f"coincidences.{name}.csv")


def conditional(unit_set: UnitSet) -> ReportTable | None:
    """Return P(C2|C1), rows C1, columns C2."""
    found = met(unit_set)
    if found is None:
        return None
    names = found.categories
    columns = (TableColumn("category", "C1 \\ C2"), *(TableColumn(name, name, "figure") for name in names))
    rows = tuple((name, *row) for name, row in zip(names, found.conditional_probabilities, strict=True))
    name = slug(unit_set)
    return ReportTable(
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


def distances(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return for every two categories the declared and the computed distances."""
    found = met(unit_set)
    if found is None:
        return None
    names, what = found.categories, _("Set") if unit_set.sets else _("Category")
    declared = [table for table in results.distances if table.covers(names)]
    columns = (
        TableColumn("first", what),
        TableColumn("second", what),
        *(
            TableColumn(table.id, say("Declared: {distance}", distance=table.id), "figure")
            for table in declared
        ),
        TableColumn("computed_alpha", _("Computed for alpha (mean)"), "figure"),
        TableColumn("computed_kappa", _("Computed for weighted kappa (product)"), "figure"),
    )
    rows: list[tuple[Cell, ...]] = []
    for i, one in enumerate(names):
        for j, other in enumerate(names[i + 1 :], i + 1):
            computed = (found.computed_alpha[i][j], found.computed_kappa[i][j])
            rows.append((one, other, *(table.between(one, other) for table in declared), *computed))
    name = slug(unit_set)
    caption = _("Distances between sets as wholes.") if unit_set.sets else _("Distances between categories.")
    return ReportTable(f"distances-{name}", caption, columns, tuple(rows), file=f"distances.{name}.csv")


def majority(unit_set: UnitSet) -> ReportTable | None:
    """Return how often each annotator says what most of the others say."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, figure.units, figure) for name, figure in unit_set.against_majority.items()
    )
    if not rows:
        return None
    columns = (
        TableColumn("annotator", _("Annotator")),
        TableColumn("units", _("Units"), "count"),
        TableColumn("majority_agreement", _("Agrees with most others [95% interval]"), "estimate"),
    )
    name = slug(unit_set)
    caption = say_many(
        "Each of {count} annotator against the commonest label of the others.",
        "Each of {count} annotators against the commonest label of the others.",
        len(rows),
        count=numbers.count(len(rows)),
    )
    return ReportTable(f"majority-{name}", caption, columns, rows, file=f"majority.{name}.csv")


def weights_of_ac2(unit_set: UnitSet) -> list[tuple[str, float]]:
    """Return the distance at which AC2's weights are 0, by what stands in its brackets."""
    found = {name: each.farthest for name, each in unit_set.measures.items() if name.startswith("gwet_ac2[")}
    return [(name.partition("[")[2].removesuffix("]"), far) for name, far in found.items() if far is not None]


# Labels that are sets: explicit beside implicit agreement, what is left out, and alpha by distance.

ALPHA = "krippendorff_alpha"
DISTANCES = ("jaccard", "masi", "dice")
AGREEMENT = ("explicit_agreement", "implicit_agreement", "explicit_kappa", "implicit_kappa")


@dataclass(frozen=True)
class SetsView:
    """The unit sets of one layer whose categories are sets: two tables, and what each leaves out."""

    agreement: ReportTable
    alphas: ReportTable
    sentences: tuple[str, ...]

    @property
    def tables(self) -> tuple[ReportTable, ReportTable]:
        """Return the tables, both of which have a file."""
        return self.agreement, self.alphas


def sets_view(results: Results, unit_sets: Sequence[UnitSet]) -> SetsView | None:
    """Return what is shown of a layer's unit sets, None where their categories are no sets."""
    own = [each for each in unit_sets if each.sets]
    if not own:
        return None
    said = tuple(
        say("{unit_set}: {sentence}", unit_set=each.id, sentence=sets_sentence(each.sets))
        for each in own
        if each.sets
    )
    return SetsView(_agreement(results, own), _alphas(results, own), said)


def sets_sentence(sets: SetsCompared) -> str:
    """Return what explicit agreement leaves out, and how many labels implicit agreement counts."""
    return f"{_left_out(sets)} {_counted(sets)}"


def _left_out(sets: SetsCompared) -> str:
    meetings = numbers.count(sets.meetings)
    if not sets.meetings_left_out:
        return say(
            "In none of the {meetings} times that two annotators rated the same unit did both leave it "
            "without a label, so that explicit agreement leaves out nothing.",
            meetings=meetings,
        )
    return say(
        "Of the {meetings} times that two annotators rated the same unit, neither gave a label in {lost}: "
        "explicit agreement leaves these out, implicit agreement counts them as agreed. Units without any "
        "label: {units}.",
        meetings=meetings,
        lost=numbers.count(sets.meetings_left_out),
        units=numbers.count(sets.units_left_out),
    )


def _counted(sets: SetsCompared) -> str:
    count = numbers.count(sets.categories)
    if sets.declared:
        return say_many(
            "Implicit agreement counts {count} label, as the campaign declares.",
            "Implicit agreement counts {count} labels, as the campaign declares.",
            sets.categories,
            count=count,
        )
    return say_many(
        "Implicit agreement counts {count} label, those declared or used.",
        "Implicit agreement counts {count} labels, those declared or used.",
        sets.categories,
        count=count,
    )


def _agreement(results: Results, unit_sets: Sequence[UnitSet]) -> ReportTable:
    columns = (
        TableColumn("unit_set", _("Unit set")),
        *(TableColumn(name, figure_name(results, name), "estimate") for name in AGREEMENT),
        TableColumn("meetings", _("Rated by two"), "count"),
        TableColumn("left_out", _("Left out"), "count"),
    )
    rows = [
        (each.id, *(each.measures.get(name) for name in AGREEMENT), *_meetings(each)) for each in unit_sets
    ]
    caption = _("Explicit and implicit agreement [95% interval].")
    return _table("explicit-implicit", caption, columns, rows, unit_sets)


def _meetings(unit_set: UnitSet) -> tuple[int, int]:
    return (unit_set.sets.meetings, unit_set.sets.meetings_left_out) if unit_set.sets else (0, 0)


def _alphas(results: Results, unit_sets: Sequence[UnitSet]) -> ReportTable:
    names = [f"{ALPHA}[{distance}]" for distance in DISTANCES]
    columns = (
        TableColumn("unit_set", _("Unit set")),
        *(TableColumn(name, figure_name(results, name), "estimate") for name in names),
        TableColumn(ALPHA, say("{figure}, sets as wholes", figure=figure_name(results, ALPHA)), "estimate"),
    )
    rows = [(each.id, *(each.measures.get(name) for name in (*names, ALPHA))) for each in unit_sets]
    caption = _("Alpha by the distance between sets [95% interval].")
    return _table("set-distances", caption, columns, rows, unit_sets)


def _table(
    name: str,
    caption: str,
    columns: tuple[TableColumn, ...],
    rows: Sequence[tuple[Cell, ...]],
    unit_sets: Sequence[UnitSet],
) -> ReportTable:
    layer = unit_sets[0].layer
    suffix = "" if layer == "main" else f"~{layer}"
    return ReportTable(f"{name}{suffix}", caption, columns, tuple(rows), file=f"{name}{suffix}.csv")
