"""Categories by categories: confusion matrices, or the largest confusions of many, distances, sets."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from reportgen.catalogue import BRACKETS, CATALOGUE
from reportgen.report.contents import slug, suffix
from reportgen.report.tables import (
    ColumnOf,
    Kind,
    ReportTable,
    TableColumn,
    columns_of,
    csv_table,
    table_if,
    table_of,
)
from reportgen.results import Confusion, Figure, Pair, Results, SetsCompared, UnitSet
from reportgen.results.unit_sets import Coincidences
from reportgen.words import numbers
from reportgen.words.language import N_, _, say, say_either, say_many
from reportgen.words.names import confusion_shown, figure_name, withheld_sentence

SHADES = 9
# With more categories, or longer names, a page has the largest confusions instead of the matrix.
MOST, MOST_LETTERS = 8, 120
# More labels of sets, or annotators, are no table of a page.
MOST_LABELS = 12
# With more the whole matrix is too heavy for a page, and is in the CSV alone.
MOST_WHOLE = 100

# A category, and its cells by the categories of the columns.
Row = tuple[str, Sequence[float | None]]


def confusion(unit_set: UnitSet, pair: Pair) -> ReportTable | None:
    """Return a pair's confusion matrix with margins.

    None where it is too large for a page and for a table of its own.
    """
    table = confusion_shown(pair)
    if table.counts is None and len(table.categories) > MOST_WHOLE:
        return None
    caption = say_many(
        "{count} {unit|units}; rows {rows}, columns {columns}.",
        table.units,
        rows=table.rows,
        columns=table.columns,
    )
    if pair.withheld:
        caption = f"{caption} {withheld_sentence(pair.withheld)}"
    counts, name, corner = table.grid, slug(unit_set), f"{table.rows} \\ {table.columns}"
    total: ColumnOf[Row] = ("total", _("Total"), "count", lambda row: sum(value or 0 for value in row[1]))
    cells = _square(f"confusion-{name}", caption, (corner, *table.categories), counts, "count", total)
    sums = [sum(column) for column in zip(*counts, strict=True)]
    return replace(
        cells,
        rows=(*cells.rows, (_("Total"), *sums, sum(sums))),
        file="" if pair.withheld else f"confusion.{name}.csv",
        total=True,
        shades=(*cells.shades, (None,) * len(cells.columns)),
    )


def meetings(unit_set: UnitSet) -> Confusion | None:
    """Return how often any two annotators gave a unit which two labels, added up over all pairs.

    Rows and columns are the same people, so a cell below the diagonal is empty, and that above has both.
    None where pairs are not in the results, or have labels that are withheld.
    """
    pairs, met = unit_set.pairs, unit_set.coincidences
    ratings = [int(number) for number in unit_set.units_by_annotators if int(number) > 1]
    if met and len(ratings) == 1:
        # Each unit was divided by its ratings less one, and has each comparison in both orders.
        times = ratings[0] - 1
        whole = ((i, j, round(n * times / (1 + (i == j)))) for (i, j), n in met.filled.items() if i <= j)
        return Confusion(rows="", columns="", categories=met.categories, cells=tuple(whole))
    if not pairs or any(pair.withheld for pair in pairs):
        return None
    place = {name: number for number, name in enumerate(unit_set.wholes)}
    cells: Counter[tuple[int, int]] = Counter()
    for pair in pairs:
        own = [place[name] for name in pair.confusion.categories]
        for (row, column), units in pair.confusion.filled.items():
            cells[min(own[row], own[column]), max(own[row], own[column])] += units
    listed = tuple((row, column, units) for (row, column), units in sorted(cells.items()))
    return Confusion(rows="", columns="", categories=unit_set.wholes, cells=listed)


def of_all_pairs(unit_set: UnitSet) -> ReportTable | None:
    """Return that as a table, with how often each category is compared; None where it is not known."""
    met = meetings(unit_set)
    if met is None or len(met.categories) > MOST:
        return None
    caption = say(
        "{compared} comparisons of two annotators, added up over all pairs; {differing} differ.",
        compared=numbers.count(met.units),
        differing=numbers.count(met.disagreements),
    )
    size = range(len(met.categories))
    rows = [[met.filled.get((row, column), 0) if row <= column else None for column in size] for row in size]

    def occurs(row: Row) -> int:
        place = met.categories.index(row[0])
        return sum(units for cell, units in met.filled.items() if place in cell)

    margin: ColumnOf[Row] = ("total", _("In all"), "count", occurs)
    names = (_("Category"), *met.categories)
    return _square(f"compared-{slug(unit_set)}", caption, names, rows, "count", margin)


def largest(unit_set: UnitSet, links: Mapping[tuple[str, str], str]) -> ReportTable | None:
    """Return the labels that are confused most, where no matrix is shown; None where none are.

    Of two annotators in the direction in which they are, of more in any.
    """
    pair = unit_set.only_pair
    table = confusion_shown(pair) if pair else meetings(unit_set) or unit_set.coincidences
    if table is None:
        return None
    cells = {at: units for at, units in table.filled.items() if (at[0] != at[1] if pair else at[0] < at[1])}
    ranked = sorted((-units, at) for at, units in cells.items())[:MOST]
    names, heads, totals = (
        table.categories,
        (_("Category"),) * 2,
        [list(map(unit_set.uses, table.categories))] * 2,
    )
    if pair and isinstance(table, Confusion):
        heads, totals = (table.rows, table.columns), [list(own) for own in table.margins]
    shown = table_if(
        f"largest-{slug(unit_set)}",
        _("What is confused most, and how often each is chosen in all."),
        ranked,
        ("first", heads[0], "text", lambda row: names[row[1][0]]),
        ("first_in_all", _("In all"), "count", lambda row: totals[0][row[1][0]]),
        ("second", heads[1], "text", lambda row: names[row[1][1]]),
        ("second_in_all", _("In all"), "count", lambda row: totals[1][row[1][1]]),
        ("units", _("Units") if pair else _("Comparisons"), "count", lambda row: round(-row[0])),
        ("share", _("Share of disagreements"), "percent", lambda row: -row[0] / sum(cells.values())),
    )
    rows = [(names[row], names[column]) for _units, (row, column) in ranked]
    found = (links.get(row) or (None if pair else links.get((row[1], row[0]))) for row in rows)
    return shown and replace(shown, links=tuple((*(None,) * 4, there, None) for there in found))


def _square(  # noqa: PLR0913 - the parts of a table
    name: str,
    caption: str,
    names: Sequence[str],
    cells: Sequence[Sequence[float | None]],
    kind: Kind,
    *margin: ColumnOf[Row],
    file: str = "",
    what: str = "",
) -> ReportTable:
    """Return categories by categories, whose `names` come behind that of the corner."""
    corner, *categories = names
    made = table_of(
        name,
        caption,
        list(zip(categories, cells, strict=True)),
        ("category", corner, "text", lambda row: row[0]),
        *((category, category, kind, lambda row, i=i: row[1][i]) for i, category in enumerate(categories)),
        *margin,
        file=file,
        what=what,
    )
    return replace(made, shades=tuple(_shades(cells, len(margin)))) if margin else made


def _shades(cells: Sequence[Sequence[float | None]], margins: int) -> Iterator[tuple[int | None, ...]]:
    """Yield the shade of each cell: its share of the largest disagreement; the diagonal has none."""
    apart = [[None if i == j else value for j, value in enumerate(row)] for i, row in enumerate(cells)]
    most = max((value or 0 for row in apart for value in row), default=0)
    for row in apart:
        shades = (None if value is None or not most else round(SHADES * value / most) for value in row)
        yield (None, *shades, *(None,) * margins)


def shown(table: ReportTable) -> ReportTable | None:
    """Return a matrix that a page can show; None where it has many categories, or long names."""
    titles = [len(column.title) for column in table.columns]
    return table if len(titles) - 2 <= MOST and sum(titles) <= MOST_LETTERS else None


# Which labels are together: coincidences, P(C2|C1), and distances between categories computed from them.


def met(unit_set: UnitSet) -> Coincidences | None:
    """Return which labels are together; None where nobody shares a unit, or tables can't be shown whole."""
    pair = unit_set.only_pair
    if pair is None:
        return unit_set.coincidences
    counts, apart = pair.confusion.counts, pair.distances_shown
    if counts is None or pair.conditional_probabilities is None or apart is None:
        return None
    # Two annotators' coincidences are their confusion matrix and its transpose, added up.
    rows = zip(counts, zip(*counts, strict=True), strict=True)
    both = (tuple(map(sum, zip(*row_pair, strict=True))) for row_pair in rows)
    return Coincidences(
        categories=pair.confusion.categories,
        counts=tuple(both),
        conditional_probabilities=pair.conditional_probabilities,
        computed_alpha=apart.computed_alpha,
        computed_kappa=apart.computed_kappa,
    )


def as_read(unit_set: UnitSet, pair: Pair) -> Iterator[ReportTable]:
    """Yield a pair's confusion matrix as reportgen reads it, and its computed distances likewise."""
    table, apart, name = pair.confusion, pair.distances_shown, slug(unit_set)
    if table.counts is None or apart is None:
        return
    corner, to = f"{table.rows}\\{table.columns}", table.categories
    what = "Confusion matrix of two annotators: one in rows, the other in columns."
    yield matrix_table(f"confusion.{name}", (corner, *to), table.counts, "count", what)
    for of, cells, how in (
        ("alpha", apart.computed_alpha, "mean"),
        ("kappa", apart.computed_kappa, "product"),
    ):
        what = f"Distances between categories from this very table: their {how}."
        yield matrix_table(f"computed-distances-{of}.{name}", ("", *to), cells, "figure", what)


def matrix_table(
    name: str, names: Sequence[str], cells: Sequence[Sequence[float | None]], kind: Kind, what: str = ""
) -> ReportTable:
    """Return categories by categories for a CSV: its first row has their `names`, the corner's first."""
    columns = (TableColumn(names[0], ""), *(TableColumn(label, "", kind) for label in names[1:]))
    rows = tuple((label, *row) for label, row in zip(names[1:], cells, strict=True))
    return csv_table(name, what, columns, rows)


def coincidences(unit_set: UnitSet) -> ReportTable | None:
    """Return the coincidence matrix of more than two annotators, with its margin."""
    matrix = unit_set.coincidences
    if matrix is None:
        return None
    integral = all(value is None or value == round(value) for row in matrix.counts for value in row)

    def ratings(row: Row) -> int:
        return round(sum(value or 0 for value in row[1]))

    return _square(
        f"coincidences-{slug(unit_set)}",
        _(
            "Pairs of labels on the same unit, added up over all annotators in both orders; a unit weighs as "
            "much as it has ratings."
        ),
        (_("Category"), *matrix.categories),
        matrix.counts,
        "count" if integral else "decimal",
        ("total", _("Ratings"), "count", ratings),
        file=f"coincidences.{slug(unit_set)}.csv",
        what="How often two labels occur on the same unit, over all annotators.",
    )


def conditional(unit_set: UnitSet) -> ReportTable | None:
    """Return P(C2|C1), rows C1, columns C2."""
    probabilities, name = met(unit_set), slug(unit_set)
    if probabilities is None:
        return None
    caption = _(
        "P(C2|C1), sets as wholes: given that one annotator gave exactly the set C1 (row), how often "
        "another gave exactly the set C2 (column)."
    )
    if not unit_set.sets:
        caption = say_either(
            unit_set.only_pair,
            "P(C2|C1): given that one annotator chose C1 (row), how often {the other|another} chose C2 "
            "(column).",
        )
    names, cells = ("C1 \\ C2", *probabilities.categories), probabilities.conditional_probabilities
    file = f"conditional-probabilities.{name}.csv"
    return _square(
        f"conditional-{name}",
        caption,
        names,
        cells,
        "figure",
        file=file,
        what="How probable a label is where somebody else gave another, P(C2|C1).",
    )


def distances(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return for every two categories the declared and the computed distances."""
    met_labels, name = met(unit_set), slug(unit_set)
    if met_labels is None:
        return None
    names, heading = met_labels.categories, _("Set") if unit_set.sets else _("Category")
    declared = {distance.id: distance for distance in results.distances if distance.covers(names)}
    return table_of(
        f"distances-{name}",
        _("Distances between sets as wholes.") if unit_set.sets else _("Distances between categories."),
        list(combinations(range(len(names)), 2)),
        ("first", heading, "text", lambda two: names[two[0]]),
        ("second", heading, "text", lambda two: names[two[1]]),
        *columns_of(
            {distance_id: say("Declared: {distance}", distance=distance_id) for distance_id in declared},
            "figure",
            lambda two, distance_id: declared[distance_id].between(names[two[0]], names[two[1]]),
        ),
        *columns_of(
            {
                "computed_alpha": _("Computed: mean (α)"),
                "computed_kappa": _("Computed: product (κ)"),
            },
            "figure",
            lambda two, kind: getattr(met_labels, kind)[two[0]][two[1]],
        ),
        file=f"distances.{name}.csv",
        what="Distances between categories.",
    )


# Labels that are sets: explicit beside implicit agreement, what is left out, and alpha by distance.

ALPHA = "krippendorff_alpha"
DISTANCES = tuple(bracket.id for bracket in BRACKETS if "set" in bracket.distances)
# Agreement, then agreement beyond chance.
IMPLICIT = "implicit_agreement"
AGREEMENT = tuple(
    measure.id
    for measure in sorted(CATALOGUE, key=lambda measure: measure.kind != "share")
    if measure.scales == ("set",)
)


def labels_by_annotator(unit_set: UnitSet) -> ReportTable | None:
    """Return how large a part of the units that another labelled too each annotator gave each label.

    Shades are parts of a label's largest share; of many labels those that were given most. None of too many
    annotators.
    """
    sets, people = unit_set.sets, unit_set.annotators
    if sets is None or not unit_set.pairs or len(people) > MOST_LABELS:
        return None
    labels = sorted(sets.names, key=lambda label: -sets.labels[label].chosen)[:MOST_LABELS]

    def share(label: str, who: str) -> float | None:
        own = [(pair, pair.annotators.index(who)) for pair in unit_set.pairs if who in pair.annotators]
        units = sum(pair.confusion.units for pair, _side in own)
        return sum(pair.uses(label)[side] for pair, side in own) / units if units else None

    shares = {label: [share(label, who) for who in people] for label in labels}
    shown = table_of(
        f"labels-by-annotator-{slug(unit_set)}",
        _("How often each annotator gave each label: share of the units that somebody else labelled too."),
        shares.items(),
        ("label", _("Label"), "text", lambda row: row[0]),
        *((who, who, "percent", lambda row, i=i: row[1][i]) for i, who in enumerate(people)),
    )
    most = {label: max((own or 0.0 for own in row), default=0.0) or 1.0 for label, row in shares.items()}
    shades = (
        (None, *(round(SHADES * (own or 0.0) / most[label]) for own in row)) for label, row in shares.items()
    )
    return replace(shown, shades=tuple(shades))


def set_agreement(results: Results, unit_sets: Sequence[UnitSet]) -> ReportTable | None:
    """Return explicit and implicit agreement, and what they leave out; None where categories are no sets."""
    name = f"explicit-implicit{suffix(unit_sets)}"

    def short_of_one(implicit: Figure | None) -> float | None:
        # Near 1 this is what can be read.
        return None if implicit is None or implicit.value is None else 1 - implicit.value

    return table_if(
        name,
        _("Explicit and implicit agreement [95% interval]."),
        [(unit_set, unit_set.sets) for unit_set in unit_sets if unit_set.sets],
        ("unit_set", _("Unit set"), "text", lambda row: row[0].id),
        *columns_of(
            {figure: figure_name(results, figure) for figure in AGREEMENT},
            "estimate",
            lambda row, figure: row[0].measures.get(figure),
        ),
        ("short", _("1 − implicit"), "figure", lambda row: short_of_one(row[0].measures.get(IMPLICIT))),
        ("meetings", _("Rated by two"), "count", lambda row: row[1].meetings),
        ("left_out", _("Left out"), "count", lambda row: row[1].meetings_left_out),
        file=f"{name}.csv",
        what="Agreement on what was marked, and on what was left unmarked.",
    )


def set_distances(results: Results, unit_sets: Sequence[UnitSet]) -> ReportTable | None:
    """Return alpha by the distance between sets; None where categories are no sets."""
    name = f"set-distances{suffix(unit_sets)}"
    titles = {
        figure: figure_name(results, figure) for figure in (f"{ALPHA}[{distance}]" for distance in DISTANCES)
    } | {ALPHA: say("{figure}, sets as wholes", figure=figure_name(results, ALPHA))}
    return table_if(
        name,
        _("Alpha by the distance between sets [95% interval]."),
        [unit_set for unit_set in unit_sets if unit_set.sets],
        ("unit_set", _("Unit set"), "text", lambda unit_set: unit_set.id),
        *columns_of(titles, "estimate", lambda unit_set, figure: unit_set.measures.get(figure)),
        file=f"{name}.csv",
        what="Alpha of sets of labels under several distances between sets.",
    )


def label_confusions(unit_set: UnitSet) -> ReportTable | None:
    """Return which labels of sets annotators confuse or omit; None where there are no sets, or no such."""
    confusions = unit_set.sets.confusions if unit_set.sets else ()
    whole = all(confusion.units == round(confusion.units) for confusion in confusions)
    kind: Kind = "count" if whole else "decimal"
    return table_if(
        f"label-confusions-{slug(unit_set)}",
        _(
            "Labels on the same units: one annotator chose the first and not the second, another the second "
            "and not the first. By chance: if sets as frequent as these were given at random."
        ),
        confusions,
        ("first", _("Label"), "text", lambda row: row.first),
        ("second", _("Instead of it"), "text", lambda row: row.second or _("nothing")),
        ("units", _("Units"), kind, lambda row: round(row.units) if whole else row.units),
        ("chance", _("By chance"), "decimal", lambda row: row.chance),
        file=f"label-confusions.{slug(unit_set)}.csv",
        what="Which labels annotators chose instead of which others on the same units.",
    )


def sets_sentence(sets: SetsCompared) -> str:
    """Return what explicit agreement leaves out, and how many labels implicit agreement counts."""
    left_out = say(
        N_(
            "Of the {meetings} times that two annotators rated the same unit, neither gave a label in "
            "{lost}: explicit agreement leaves these out, implicit agreement counts them as agreed. Units "
            "without any label: {units}."
        )
        if sets.meetings_left_out
        else N_(
            "In none of the {meetings} times that two annotators rated the same unit did both leave it "
            "without a label, so that explicit agreement leaves out nothing."
        ),
        meetings=numbers.count(sets.meetings),
        lost=numbers.count(sets.meetings_left_out),
        units=numbers.count(sets.units_left_out),
    )
    if sets.declared:
        counted = say_many(
            "Implicit agreement counts {count} {label|labels}, as the campaign declares.", sets.categories
        )
    else:
        counted = say_many(
            "Implicit agreement counts {count} {label|labels}, those declared or used.", sets.categories
        )
    return f"{left_out} {counted}"
