"""Who agrees with whom, two by two and group by group, and how reliable labels are together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reportgen.report import pairs as tables
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    PaperTable,
    Section,
    Strong,
    TableBlock,
    Text,
    as_section,
    commas,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.quality_tables import by_annotators, still_open
from reportgen.report.tables import ColumnOf, ReportTable, as_declared, table_if
from reportgen.report.view import LayerView, ReportView, UnitSetView, by_layer
from reportgen.results import Results
from reportgen.results.annotators import GroupAgreement, LayerGroups
from reportgen.results.unit_sets import AggregateReliability, EnoughAnnotators
from reportgen.words import names, numbers
from reportgen.words.headline import MINIMUM
from reportgen.words.language import N_, _, say, say_either, say_many
from reportgen.words.names import figure_inside, figure_name
from reportgen.words.numbers import count, counted, decimal, figure

# The kinds of measure whose mean over pairs says something.
MEANT = ("coefficient", "share")
# What is reliable, by the bracket of alpha; with other distances the formula extrapolates.
SHARES = N_("What is reliable is the share of annotators who give each label, not the majority alone.")
RANKS = N_("What is reliable is the mean rank that annotators give a unit.")
MEANS = N_("What is reliable is the mean of the numbers that annotators give a unit.")
OTHERWISE = N_("With this distance between labels it is an extrapolation.")
SUBJECTS = {"": SHARES, "ordinal]": RANKS, "interval]": MEANS}


@as_section("annotator-pairs", N_("Who agrees with whom"))
def who_agrees(view: ReportView) -> Iterator[Block]:
    """Yield who agrees with whom; nothing of two who rated units."""
    several_layers = len(view.layers) > 1
    found = False
    for layer in view.layers:
        inside = tuple(_of_layer(view, layer, drawn=not several_layers))
        title = say("Layer {layer}", layer=layer.id)
        yield from (Details(title, inside),) if several_layers and inside else inside
        found = found or bool(inside)
    if found:
        yield FilesBlock(
            drawings=lambda: map(view.pairwise_figure, view.layers),
            paper=lambda: (
                PaperTable(layer.id, shown, _pairs_caption(layer.primary), "pairs")
                for layer in view.layers
                if (shown := layer.primary.pairs_shown)
            ),
        )


def _pairs_caption(primary: UnitSetView) -> str:
    shown = len(primary.pairs_shown.rows) if primary.pairs_shown else 0
    if primary.pairs and shown < len(primary.pairs.rows):
        return say_many(
            "The {count} {pair|pairs} of annotators that {agrees|agree} least ({unit_set}).",
            shown,
            unit_set=primary.unit_set.id,
        )
    return say("Agreement of every two annotators ({unit_set}).", unit_set=primary.unit_set.id)


def _of_layer(view: ReportView, layer: LayerView, *, drawn: bool) -> Iterator[Block]:
    primary = layer.primary
    folded: list[Block] = []
    if matrix := view.pairwise_figure(layer):
        yield FigureBlock(matrix, _("The darker a cell, the better the two agree."))
    if primary.pairs and primary.pairs_shown:
        folded += [
            TableBlock(primary.pairs_shown, _("Pairs of annotators")),
            remark(_means_over_pairs(view, primary)),
        ]
    elif primary.crowded:
        yield paragraph(
            phrase(
                "{count} annotators are too many to show every two of them: {file}",
                count=count(len(primary.unit_set.annotators)),
                file=File("pairs.csv"),
            )
        )
    if majority := tables.majority(primary.unit_set):
        folded.append(TableBlock(majority))
    if folded and drawn:
        yield Details(_every_pair(primary), tuple(folded))
    else:
        yield from folded


def _every_pair(primary: UnitSetView) -> str:
    if not primary.pairs or not primary.pairs_shown:
        return _("Each annotator against the majority of the others")
    shown, every = len(primary.pairs_shown.rows), len(primary.pairs.rows)
    pairs = counted(shown, "pair of annotators", "pairs of annotators")
    message = N_("{pairs} with intervals{, those that agree least of {all}|}")
    return say_either(shown < every, message, pairs=pairs, all=count(every))


def _means_over_pairs(view: ReportView, primary: UnitSetView) -> Text:
    file = phrase(
        "Every figure of every pair: {file}", file=File(primary.pairs.file if primary.pairs else "")
    )
    results, means = view.results, {} if primary.pair else primary.unit_set.mean_over_pairs
    catalogue = results.catalogue
    names = [name for name in results.in_order(means) if catalogue[name.partition("[")[0]].kind in MEANT]
    if not names:
        return file
    most = means[names[0]].pairs
    said = commas(
        f"{figure_name(results, name)} {figure(means[name].value)}"
        + (f" ({counted(means[name].pairs, 'pair', 'pairs')})" if means[name].pairs != most else "")
        for name in names
    )
    means_said = phrase("Means over {pairs}: {figures}.", pairs=counted(most, "pair", "pairs"), figures=said)
    return sentences(means_said, file)


# All annotators together, as many as there are, and fewer or more.


def aggregate(view: ReportView) -> Section | None:
    """Return how reliable the labels of each layer are together; None where units have few labels."""
    blocks = by_layer(view, lambda layer: _of_aggregate(view, view.aggregates.get(layer.id)))
    title = _("Reliability of the aggregate")
    is_open = any(_alone_reliable(view, own) for own in view.aggregates.values())
    return Section("aggregate", title, blocks, short=_("The aggregate"), open=is_open) if blocks else None


def _alone_reliable(view: ReportView, own: AggregateReliability) -> bool:
    """Tell whether labels are reliable together where those of one annotator are not."""
    answer = view.results.answer_of(own.layer)
    one, together = answer.value.value if answer else None, own.reliability.value
    return one is not None and together is not None and one < MINIMUM <= together


def _of_aggregate(view: ReportView, own: AggregateReliability | None) -> Iterator[Block]:
    """Yield how reliable labels are together, and of a crowd which units are still open."""
    yield from _reliability(view, own)
    if own is None or view.results.subject_of(own.layer) != "crowd" or not view.passages:
        return
    table = still_open(own, view.passages.of(own.layer, own.unit_set))
    if table is None:
        return
    said = say_many(
        "{count} of {units} units {has|have} no settled majority: one more label could tie it, or decide it.",
        len(table.rows),
        units=count(own.units),
    )
    yield paragraph(said, File(table.file))
    yield FilesBlock(lambda: (table,))


def _reliability(view: ReportView, aggregate: AggregateReliability | None) -> Iterator[Block]:
    if aggregate is None:
        return
    if aggregate.of_majority and aggregate.of_majority.value is not None:
        majorities = phrase(
            "Two independent majorities of {labels} labels each would agree with alpha {alpha}. This is "
            "estimated from how labels differ from unit to unit; the formula below is about shares of "
            "labels, and is too optimistic about majorities where some of the units are hard.",
            labels=count(aggregate.usual or 0),
            alpha=Strong(numbers.estimate(aggregate.of_majority)),
        )
        yield paragraph(majorities)
    yield paragraph(*_reliability_in_words(aggregate), *_enough(view.results, aggregate))
    table = by_annotators(aggregate)
    if table is None:
        return
    yield TableBlock(table)
    if aggregate.reliability.value is not None:
        formula = say(
            "By the formula of Spearman (1910) and Brown (1910), k α / (1 + (k − 1) α), from "
            "{alpha}, which is that of one annotator; intervals follow from its interval. "
            "Annotators are taken to be equally good, and to err independently.",
            alpha=figure_inside(view.results, aggregate.coefficient),
        )
        subject = SUBJECTS.get(aggregate.coefficient.partition("[")[2], OTHERWISE)
        yield remark(formula, _(subject))
    said: list[str] = []
    if majority := aggregate.majority:
        over = say_many(
            "The majority of labels drawn at random from those of a unit is compared with the majority of "
            "all of them, over {units} {unit|units} with {labels} labels or more; ties are decided by lot.",
            majority.units,
            units=count(majority.units),
            labels=count(majority.labels),
        )
        tied = say_many("On {count} of them all labels together tie.", majority.tied)
        said = [over, tied] if majority.tied else [over]
    yield remark(*said, File(table.file))


def _reliability_in_words(aggregate: AggregateReliability) -> Iterator[Text]:
    labels, reliability = decimal(aggregate.labels), aggregate.reliability
    if reliability.value is None:
        yield say("A unit has {labels} labels on average.", labels=labels)
        yield say("They have no reliability together: {reason}.", reason=_(str(reliability.undefined)))
    else:
        yield phrase(
            "A unit has {labels} labels on average; together they have a reliability of {reliability}.",
            labels=labels,
            reliability=Strong(numbers.estimate(reliability)),
        )


def _enough(results: Results, aggregate: AggregateReliability) -> Iterator[str]:
    """Yield how many labels are enough; of a crowd, by the figures of majorities that its report shows.

    The formula of Spearman and Brown says another number, of the shares of labels.
    """
    known = {number.annotators: number.majority for number in aggregate.by_annotators}
    if aggregate.of_majority is None or results.subject_of(aggregate.layer) != "crowd":
        yield from map(enough_in_words, reversed(aggregate.enough))
        return
    known[aggregate.usual or 0] = aggregate.of_majority
    values = {number: own.value for number, own in known.items() if own and own.value is not None}
    said = 0
    for goal in reversed(aggregate.enough):
        least = min((number for number in values if values[number] >= goal.reliability), default=0)
        if least != said:
            said = least
            yield say_many(
                "{A single label is|Majorities of {count} labels are} enough for an alpha of {reliability}.",
                least,
                reliability=as_declared(goal.reliability),
            )


def enough_in_words(enough: EnoughAnnotators) -> str:
    """Return how many annotators are enough for a reliability, and how many at the ends of the interval."""
    if enough.annotators is None:
        return ""
    reliability = as_declared(enough.reliability)
    if enough.fewest is None or enough.fewest == enough.most:
        return say_many(
            "{count} {annotator is|annotators are} enough for {reliability}.",
            enough.annotators,
            reliability=reliability,
        )
    if enough.most is None:
        return say_many(
            "{count} {annotator is|annotators are} enough for {reliability}; within the interval it takes "
            "{fewest}{| or more}, or no number is enough.",
            enough.annotators,
            reliability=reliability,
            fewest=count(enough.fewest),
        )
    return say_many(
        "{count} {annotator is|annotators are} enough for {reliability} (within the interval {fewest} to "
        "{most}).",
        enough.annotators,
        reliability=reliability,
        fewest=count(enough.fewest),
        most=count(enough.most),
    )


# So many rows are on the page, the surest differences; the CSV has all.
MOST_ROWS = 12
# Differences without p come last.
NO_P = 2.0


@as_section("groups", N_("Groups of annotators"), N_("Groups"))
def groups(view: ReportView) -> Iterator[Block]:
    """Yield what groups of annotators say; nothing where nobody is known to be in any."""
    found = view.results.groups
    tables = [table for table in found.layers if not view.only or table.layer == view.only] if found else []
    if found is None or not tables:
        return
    people, agreement = sizes_table(tables), agreement_table(tables)
    rule = say(
        "Groups of fewer than {smallest} annotators are not shown, nor are combinations of groups that have "
        "fewer. Others are left out with them, so that nobody can compute them by subtraction.",
        smallest=count(found.smallest),
    )
    if found.smallest > 1:
        yield paragraph(rule)
    if people:
        yield TableBlock(people)
    if agreement:
        yield TableBlock(replace(agreement, rows=agreement.rows[:MOST_ROWS]))
        what = _(
            "Pairs of members are compared with pairs of a member and somebody of another group, on the same "
            "units; chance is what all of them said together. Intervals are for other documents, or units, "
            "labelled by the same people. p is that of a permutation test: how often the difference is as "
            "large where membership is exchanged at random among those who are alike in the attributes above."
        )
        yield remark(what, File(agreement.file))
    # Why there is no p, by attribute, once for all layers.
    for reason in dict.fromkeys(table.untested for table in tables if table.untested):
        about = ", ".join(dict.fromkeys(table.attribute for table in tables if table.untested == reason))
        yield remark(say("No p for {attributes}: {reason}.", attributes=about, reason=names.reason(reason)))
    yield FilesBlock(lambda: (people, agreement))


def _where(tables: Sequence[LayerGroups]) -> Iterator[ColumnOf[Any] | None]:
    """Yield the columns that all tables begin with."""
    several = len({table.layer for table in tables}) > 1
    yield ("layer", _("Layer"), "text", lambda row: row[0].layer) if several else None
    yield "attribute", _("Attribute"), "text", lambda row: row[0].attribute


def sizes_table(tables: Sequence[LayerGroups]) -> ReportTable | None:
    """Return how many annotators each group has."""
    rows = [
        (table, group, people)
        for table in tables
        for group, people in [
            *((own.group, own.people) for own in table.groups),
            *([(_("(not known, or not told)"), table.others)] if table.others else []),
        ]
    ]
    return table_if(
        "groups",
        _("How many annotators each group has."),
        rows,
        *_where(tables),
        ("group", _("Group"), "text", lambda row: row[1]),
        ("people", _("Annotators"), "count", lambda row: row[2]),
        file="groups.csv",
        what="How many annotators each group has; groups of too few are not shown.",
    )


def agreement_table(tables: Sequence[LayerGroups]) -> ReportTable | None:
    """Return agreement within and between groups, the surest differences first where they are many."""
    rows = [(table, own) for table in tables for own in table.agreement]
    if len(rows) > MOST_ROWS:
        rows.sort(key=lambda row: _surest(row[1]))
    return table_if(
        "groups-agreement",
        _("Agreement within groups, and with other groups on the same units, corrected for chance."),
        rows,
        *_where(tables),
        ("group", _("Group"), "text", lambda row: row[1].group or _("(all groups)")),
        ("people", _("Annotators"), "count", lambda row: row[1].people),
        ("units", _("Units"), "count", lambda row: row[1].units),
        ("within", _("Within"), "estimate", lambda row: row[1].within),
        ("between", _("With others"), "estimate", lambda row: row[1].between),
        ("difference", _("Difference"), "estimate", lambda row: row[1].difference),
        ("p", "p", "p", lambda row: row[1].p),
        ("adjusted_p", _("p, over all"), "p", lambda row: row[1].adjusted_p),
        file="groups-agreement.csv",
        what="Agreement within groups of annotators and between them, with a permutation test.",
    )


def _surest(row: GroupAgreement) -> tuple[float, float]:
    return NO_P if row.adjusted_p is None else row.adjusted_p, -abs(row.difference.value or 0.0)
