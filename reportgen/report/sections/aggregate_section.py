"""How reliable labels are together: of as many annotators as there are, and of fewer or more."""

from collections.abc import Iterator

from reportgen.report import quality_tables as tables
from reportgen.report.blocks import Block, Section, TableBlock
from reportgen.report.sections.specific_agreement import by_layer
from reportgen.report.tables import setting
from reportgen.report.texts import File, Strong, Text, paragraph, phrase, remark
from reportgen.report.view import ReportView
from reportgen.results.annotators import AggregateReliability, EnoughAnnotators, MajorityUnits
from reportgen.words import numbers
from reportgen.words.language import N_, _, say, say_many
from reportgen.words.names import figure_inside
from reportgen.words.numbers import count, decimal

# What is reliable, by the bracket of alpha; with other distances the formula extrapolates.
SHARES = N_("What is reliable is the share of annotators who give each label, not the majority alone.")
RANKS = N_("What is reliable is the mean rank that annotators give a unit.")
MEANS = N_("What is reliable is the mean of the numbers that annotators give a unit.")
FURTHER = N_("With this distance between labels it is an extrapolation.")
SUBJECTS = {"": SHARES, "ordinal]": RANKS, "interval]": MEANS}


def aggregate(view: ReportView) -> Section | None:
    """Return how reliable the labels of each layer are together; None where units have few labels."""
    own = by_layer(view, lambda layer: _of_layer(view, view.aggregates.get(layer.id)))
    title = _("Reliability of the aggregate")
    return Section("aggregate", title, own, short=_("The aggregate")) if own else None


def _of_layer(view: ReportView, found: AggregateReliability | None) -> Iterator[Block]:
    if found is None:
        return
    yield paragraph(*_together(found), *map(enough_in_words, reversed(found.enough)))
    table = tables.by_annotators(found)
    if table is None:
        return
    yield TableBlock(table)
    if found.reliability.value is not None:
        formula = say(
            "By the formula of Spearman (1910) and Brown (1910), k α / (1 + (k − 1) α), from {alpha}, which "
            "is that of one annotator; intervals are those that its interval leads to. Annotators are taken "
            "to be as good as each other, and to err independently.",
            alpha=figure_inside(view.results, found.coefficient),
        )
        yield remark(formula, _(SUBJECTS.get(found.coefficient.partition("[")[2], FURTHER)))
    yield remark(_majority(found.majority) if found.majority else "", File(table.file))


def _together(found: AggregateReliability) -> Iterator[Text]:
    labels, known = decimal(found.labels), found.reliability
    if known.value is None:
        yield say("A unit has {labels} labels on average.", labels=labels)
        yield say("They have no reliability together: {reason}.", reason=_(str(known.undefined)))
    else:
        yield phrase(
            "A unit has {labels} labels on average; together they have a reliability of {reliability}.",
            labels=labels,
            reliability=Strong(numbers.estimate(known)),
        )


def enough_in_words(found: EnoughAnnotators) -> str:
    """Return how many annotators are enough for a reliability, and how many at the ends of the interval."""
    if found.annotators is None:
        return ""
    reliability = setting(found.reliability)
    if found.fewest is None or found.fewest == found.most:
        return say_many(
            "{count} annotator is enough for {reliability}.",
            "{count} annotators are enough for {reliability}.",
            found.annotators,
            reliability=reliability,
        )
    if found.most is None:
        return say_many(
            "{count} annotator is enough for {reliability}; within the interval it takes {fewest}, or no "
            "number is enough.",
            "{count} annotators are enough for {reliability}; within the interval it takes {fewest} or more, "
            "or no number is enough.",
            found.annotators,
            reliability=reliability,
            fewest=count(found.fewest),
        )
    return say_many(
        "{count} annotator is enough for {reliability} (within the interval {fewest} to {most}).",
        "{count} annotators are enough for {reliability} (within the interval {fewest} to {most}).",
        found.annotators,
        reliability=reliability,
        fewest=count(found.fewest),
        most=count(found.most),
    )


def _majority(found: MajorityUnits) -> str:
    """Return over which units majorities are compared, and how often all labels together tie."""
    units = say_many(
        "The majority is that of labels drawn at random from those of a unit, beside that of all of them, "
        "over {units} unit with {labels} labels or more; a tie is decided by lot.",
        "The majority is that of labels drawn at random from those of a unit, beside that of all of them, "
        "over {units} units with {labels} labels or more; a tie is decided by lot.",
        found.units,
        units=count(found.units),
        labels=count(found.labels),
    )
    tied = say_many(
        "On {count} of them all labels together tie.",
        "On {count} of them all labels together tie.",
        found.tied,
    )
    return f"{units} {tied}" if found.tied else units
