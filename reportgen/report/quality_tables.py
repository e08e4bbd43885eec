"""The quality of annotators and items, and what was decided of disagreements: tables, layer by layer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from reportgen.report.disagreements import DisagreementList
from reportgen.report.tables import (
    ReportTable,
    columns_of,
    of_layer,
    table_if,
    table_of,
    without,
)
from reportgen.results import Adjudication, Results
from reportgen.results.annotators import AnnotatorErrors, AnnotatorVsRest, ControlAccuracy, Drift, Quality
from reportgen.results.unit_sets import AggregateReliability
from reportgen.words import numbers
from reportgen.words.language import N_, _, named_value, say, say_either
from reportgen.words.names import cause_in_words, figure_name

# Of the list of hard units, on a page.
MOST_HARD = 10
# Of annotators beside the others, on the report's own page: rows and columns.
MOST_FIRST = 5
BRIEF = ("annotator", "agreement", "difference", "adjusted_p")
REJECTED = N_("rejected")
KEPT = N_("kept")
NEAR = N_("near chance")
BELOW = N_("below chance")
FEW = N_("control items too few to judge by")


def judged(results: Results) -> list[Quality]:
    """Return the layers with more than two annotators to tell apart, control items or second passes."""
    return [
        quality
        for quality in results.quality or ()
        if quality.controls or quality.intra_annotator or quality.annotators_in_all > 2
    ]


def control_items(quality: Quality) -> ReportTable | None:
    """Return each annotator's accuracy on control items, the worst first; None without control items."""
    controls = quality.controls
    if controls is None:
        return None

    def outcome(accuracy: ControlAccuracy) -> str:
        if controls.reject_below is None:
            return ""
        return _(FEW if accuracy.labelled < controls.minimum else REJECTED if accuracy.rejected else KEPT)

    return table_if(
        of_layer("control-items", quality.layer),
        _("Accuracy on control items, with the 95% score interval of Wilson (1927)."),
        sorted(controls.annotators, key=lambda accuracy: (accuracy.accuracy.value or 0, accuracy.annotator)),
        ("annotator", _("Annotator"), "text", lambda accuracy: accuracy.annotator),
        ("labelled", _("Control items labelled"), "count", lambda accuracy: accuracy.labelled),
        ("right", _("Right"), "count", lambda accuracy: accuracy.right),
        ("accuracy", _("Accuracy"), "estimate", lambda accuracy: accuracy.accuracy),
        ("outcome", _("Outcome"), "text", outcome),
        file=f"controls.{quality.layer}.csv",
        what="How often each annotator is right on control items.",
    )


def without_rejected(results: Results, quality: Quality) -> ReportTable | None:
    """Return agreement with everybody beside that without the rejected; None where nobody is."""
    agreement = quality.controls.agreement if quality.controls else {}
    return table_if(
        of_layer("rejection", quality.layer),
        say("Agreement in {set} with and without the rejected annotators.", set=quality.unit_set),
        results.in_order(agreement),
        ("figure", _("Figure"), "text", lambda name: figure_name(results, name)),
        ("everybody", _("With everybody"), "estimate", lambda name: agreement[name].everybody),
        ("without_rejected", _("Without the rejected"), "estimate", lambda n: agreement[n].without_rejected),
        file=f"rejection.{quality.layer}.csv",
        what="Figures with and without the annotators who fail the control items.",
    )


def beside_others(results: Results, quality: Quality) -> ReportTable | None:
    """Return each annotator beside the others, who agrees least beside them first."""

    def rank(annotator: AnnotatorVsRest) -> tuple[float, str]:
        return 1.0 if annotator.difference.value is None else annotator.difference.value, annotator.annotator

    name = figure_name(results, results.coefficients[quality.layer])
    without = say("{figure} without them", figure=name)
    caption, agreement = (
        (
            _("Strict F between each annotator's marks and those of the others, and among these others."),
            _("Strict F"),
        )
        if quality.compared_by
        else (
            _("How often each annotator gives the label of another, and these others among themselves."),
            _("Same label as another"),
        )
    )
    return table_if(
        of_layer("standings", quality.layer),
        caption,
        sorted(quality.annotators, key=rank),
        ("annotator", _("Annotator"), "text", lambda annotator: annotator.annotator),
        ("agreement", agreement, "estimate", lambda annotator: annotator.agreement),
        ("others", _("The others among themselves"), "figure", lambda annotator: annotator.others),
        ("difference", _("Difference"), "estimate", lambda annotator: annotator.difference),
        ("p", "p", "p", lambda annotator: annotator.p),
        ("adjusted_p", _("p, Holm"), "p", lambda annotator: annotator.adjusted_p),
        ("without", without, "estimate", lambda annotator: annotator.without)
        if any(annotator.without for annotator in quality.annotators)
        else None,
        file=f"annotators.{quality.layer}.csv",
        what="How often each annotator gives the label of another, and what models make of that.",
    )


def first_rows(everybody: ReportTable) -> ReportTable:
    """Return the first annotators beside the others, without what a report's own page has no room for."""
    idle = {column.key for column in everybody.columns} - set(BRIEF)
    return without(replace(everybody, rows=everybody.rows[:MOST_FIRST]), idle)


def by_blocks(quality: Quality) -> ReportTable | None:
    """Return each annotator's agreement by consecutive blocks; None where nobody has enough documents."""
    drifting = [(annotator.annotator, annotator.drift) for annotator in quality.annotators if annotator.drift]
    most = max((len(drift.blocks) for _name, drift in drifting), default=0)

    def share(row: tuple[str, Drift], key: str) -> float | None:
        blocks, index = row[1].blocks, int(key.removeprefix("block_")) - 1
        return blocks[index].agreement if index < len(blocks) else None

    counted = _("Documents") if quality.by_document else _("Units")
    blocks = {f"block_{number}": say("Block {number}", number=number) for number in range(1, most + 1)}
    table = table_of(
        of_layer("blocks", quality.layer),
        say_either(
            quality.by_document,
            "How often each gives the label of another, by consecutive blocks of {documents|units}.",
        ),
        drifting,
        ("annotator", _("Annotator"), "text", lambda row: row[0]),
        ("documents", counted, "count", lambda row: row[1].documents),
        *columns_of(blocks, "figure", share),
        ("change", _("Change"), "estimate", lambda row: row[1].slope),
        ("p", "p", "p", lambda row: row[1].p),
        ("adjusted_p", _("p, Holm"), "p", lambda row: row[1].adjusted_p),
        file=f"blocks.{quality.layer}.csv",
        what="How often annotators give the label of another, by consecutive blocks of documents.",
    )
    return table if most else None


def modelled_accuracy(quality: Quality) -> ReportTable | None:
    """Return each annotator's accuracy under the model of Dawid and Skene, the least first."""

    def told(each: AnnotatorErrors) -> str:
        return _(BELOW) if each.below_chance else _(NEAR) if each.near_chance else ""

    people = quality.dawid_skene.annotators
    return table_if(
        of_layer("dawid-skene", quality.layer),
        _("Accuracy as the model of Dawid and Skene (1979) estimates it."),
        sorted(people, key=lambda each: (not told(each), each.accuracy, each.annotator)),
        ("annotator", _("Annotator"), "text", lambda each: each.annotator),
        ("labelled", _("Units labelled"), "count", lambda each: each.labelled),
        ("accuracy", _("Accuracy"), "figure", lambda each: each.accuracy),
        (
            "blind",
            _("Accuracy if the same labels were assigned at random"),
            "figure",
            lambda each: each.blind,
        ),
        ("remark", _("Remark"), "text", told) if any(map(told, people)) else None,
        file=f"dawid-skene-accuracy.{quality.layer}.csv",
        what="Each annotator's accuracy as the model of Dawid and Skene estimates it.",
    )


def hardest(quality: Quality, listed: DisagreementList | None) -> ReportTable | None:
    """Return the units with the most disagreement.

    `listed` are the units on which annotators differ, where texts may be shown: what they are called.
    """
    units = quality.difficulty.hardest if quality.difficulty else ()
    rows = listed.rows if listed else ()
    indices = [len(rows) if unit.entry is None else unit.entry for unit in units]
    unit_rows = [rows[index] if index < len(rows) else None for index in indices]

    return table_if(
        of_layer("hardest", quality.layer),
        _("The units with the most disagreement."),
        range(len(units)),
        ("unit", _("Unit"), "text", lambda unit_index: row.form if (row := unit_rows[unit_index]) else "")
        if listed
        else ("place", _("Place"), "count", lambda unit_index: unit_index + 1),
        ("document", _("Document"), "text", lambda unit_index: units[unit_index].document or ""),
        ("disagreement", _("Disagreement"), "figure", lambda unit_index: units[unit_index].disagreement),
        ("entropy", _("Entropy in bits"), "figure", lambda unit_index: units[unit_index].entropy),
        ("labels", _("Labels"), "text", lambda unit_index: _labels(_most_first(units[unit_index].labels))),
        file=f"hardest.{quality.layer}.csv",
        what="The units that annotators disagree on most.",
        href=lambda unit_index: row.href if (row := unit_rows[unit_index]) else None,
    )


# The majority of a unit is settled where the commonest label has so many more than the next: one more label
# that is another makes no tie of it.
SETTLED = 2


def still_open(aggregate: AggregateReliability, listed: DisagreementList | None) -> ReportTable | None:
    """Return the units of a crowd without a settled majority, those with the smallest lead first.

    `listed` are the units on which annotators differ, where they may be shown; None where none is open.
    """
    leads = [(_most_first(Counter(row.unit.labels.values())), row) for row in (listed.rows if listed else ())]
    unsettled = [(times, row) for times, row in leads if times[0][1] - _next(times) < SETTLED]
    return table_if(
        of_layer("open", aggregate.layer),
        _("Units without a settled majority: one more label could tie it, or decide it."),
        sorted(unsettled, key=lambda unit: unit[0][0][1] - _next(unit[0])),
        ("unit", _("Unit"), "text", lambda unit: unit[1].form),
        ("document", _("Document"), "text", lambda unit: unit[1].document or ""),
        ("lead", _("Lead"), "count", lambda unit: unit[0][0][1] - _next(unit[0])),
        ("ratings", _("Ratings"), "count", lambda unit: sum(number for _name, number in unit[0])),
        ("labels", _("Labels"), "text", lambda unit: _labels(unit[0])),
        file=f"open.{aggregate.layer}.csv",
        what="Units of a crowd whose majority one more label could tie or decide: label these first.",
        href=lambda unit: unit[1].href,
    )


def _most_first(times: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(times.items(), key=lambda item: (-item[1], item[0]))


def _labels(times: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{name} × {numbers.count(number)}" for name, number in times)


def _next(times: Sequence[tuple[str, int]]) -> int:
    return times[1][1] if len(times) > 1 else 0


def second_passes(results: Results, quality: Quality) -> ReportTable | None:
    """Return each annotator's agreement with themselves."""
    annotators = quality.intra_annotator
    figures = results.in_order({figure for annotator in annotators for figure in annotator.measures})
    names = {figure: figure_name(results, figure) for figure in figures}
    return table_if(
        of_layer("intra-annotator", quality.layer),
        _("Intra-annotator agreement: first labels against second ones."),
        annotators,
        ("annotator", _("Annotator"), "text", lambda annotator: annotator.annotator),
        ("units", _("Units labelled twice"), "count", lambda annotator: annotator.units),
        *columns_of(names, "estimate", lambda annotator, figure: annotator.measures.get(figure)),
        file=f"intra-annotator.{quality.layer}.csv",
        what="How far annotators agree with themselves when they annotate again.",
    )


def by_annotators(aggregate: AggregateReliability) -> ReportTable | None:
    """Return what labels are worth together, by the number of annotators; None where neither is known."""
    reliable = aggregate.reliability.value is not None
    if not reliable and aggregate.majority is None:
        return None
    return table_of(
        of_layer("aggregate", aggregate.layer),
        _("What the labels of several annotators are worth together."),
        [number for number in aggregate.by_annotators if reliable or number.same_majority is not None],
        ("annotators", _("Annotators of a unit"), "count", lambda number: number.annotators),
        ("reliability", _("Reliability [95% interval]"), "estimate", lambda number: number.reliability)
        if reliable
        else None,
        ("majority", _("Alpha of two majorities [95% interval]"), "estimate", lambda number: number.majority)
        if aggregate.of_majority
        else None,
        ("same_majority", _("Same majority as all"), "percent", lambda number: number.same_majority)
        if aggregate.majority
        else None,
        file=f"aggregate.{aggregate.layer}.csv",
        what="How reliable the labels of several annotators are together, by their number.",
    )


def difficulty_by_layer(qualities: Sequence[Quality]) -> ReportTable:
    """Return how hard the units of each layer are."""
    return table_of(
        "difficulty-by-layer",
        _("Units that two or more rated."),
        [(quality.layer, quality.difficulty) for quality in qualities if quality.difficulty],
        ("layer", _("Layer"), "text", lambda row: row[0]),
        ("units", _("Units"), "count", lambda row: row[1].units),
        ("differing", _("With labels that differ"), "count", lambda row: row[1].differing),
        ("disagreement", _("Mean disagreement"), "figure", lambda row: row[1].disagreement),
        ("entropy", _("Mean entropy in bits"), "figure", lambda row: row[1].entropy),
    )


# What was decided of the disagreements: why there were any, and each annotator against the decisions.

# What better guidelines prevent; a slip happens under any.
OF_GUIDELINES = ("guideline silent", "guideline forgotten", "text ambiguous")


class Commonest(NamedTuple):
    """The cause that one category has most often."""

    category: str
    cause: str
    times: int


def commonest(adjudication: Adjudication, non_annotated: str | None) -> Commonest | None:
    """Return the category and cause that come together most often, of the causes that guidelines prevent.

    `non_annotated` is the category of unmarked units: all missed marks are disagreements over it.
    """
    rules = [
        Commonest(category, cause, times)
        for category, causes in (adjudication.causes or {}).items()
        if category != non_annotated
        for cause, times in causes.items()
        if cause in OF_GUIDELINES
    ]
    return min(rules, key=lambda rule: (-rule.times, rule.category, rule.cause), default=None)


def causes(adjudication: Adjudication) -> ReportTable | None:
    """Return the causes by category, the most frequent first; None where none was noted."""
    totals, by_category = adjudication.by_cause or {}, adjudication.causes or {}
    shown = [cause for cause, _times in _most_first(totals)]

    def capital(text: str) -> str:
        return f"{text[:1].upper()}{text[1:]}"

    table = table_of(
        f"causes-{adjudication.layer}",
        _("Why annotators differed. A disagreement counts for each of the categories in dispute."),
        sorted(
            by_category, key=lambda name: (-sum(by_category[name].get(cause, 0) for cause in shown), name)
        ),
        ("category", _("Category in dispute"), "text", str),
        *(
            (
                *(cause.replace(" ", "_"), capital(cause_in_words(cause)), "count"),
                lambda name, cause=cause: by_category[name].get(cause, 0),
            )
            for cause in shown
        ),
        file=of_layer("adjudication-causes", adjudication.layer) + ".csv",
        what="What disagreements came from, by category.",
    )
    return table if totals else None


def against_decisions(adjudication: Adjudication) -> ReportTable | None:
    """Return each annotator against the decisions; None where nothing was decided."""
    return table_if(
        f"decided-{adjudication.layer}",
        _(
            "How often each annotator had said what was decided of the units on which annotators differed, "
            "and the others on the same units. p tests that there is no difference, by document."
        ),
        sorted((adjudication.annotators or {}).items()),
        ("annotator", _("Annotator"), "text", lambda row: row[0]),
        ("units", _("Decided units labelled"), "count", lambda row: row[1].units),
        ("agreed", _("As it was decided"), "count", lambda row: row[1].agreed),
        ("right", _("Share"), "estimate", lambda row: row[1].right),
        ("others", _("The others"), "figure", lambda row: row[1].others),
        ("difference", _("Difference"), "estimate", lambda row: row[1].difference),
        ("p", "p", "p", lambda row: row[1].p),
        ("adjusted_p", _("p, Holm"), "p", lambda row: row[1].adjusted_p),
        file=of_layer("adjudication-annotators", adjudication.layer) + ".csv",
        what="How often each annotator had said what was decided, beside the others.",
    )


def outcomes(adjudication: Adjudication) -> ReportTable | None:
    """Return what became of disputes over the same labels, the most frequent first; None without any."""
    return table_if(
        f"outcomes-{adjudication.layer}",
        _("What was decided most often, by the labels that annotators gave."),
        adjudication.outcomes or (),
        ("labels", _("In dispute"), "text", lambda row: " / ".join(row.labels)),
        ("decision", _("Decided"), "text", lambda row: row.decision or _("open")),
        ("units", _("Units"), "count", lambda row: row.units),
        ("causes", _("Causes"), "text", lambda row: _causes_in_words(row.by_cause)),
        file=of_layer("adjudication-outcomes", adjudication.layer) + ".csv",
        what="What was decided of disagreements, by the labels that annotators gave.",
    )


def _causes_in_words(times: Mapping[str, int]) -> str:
    shown = ((cause_in_words(cause), numbers.count(number)) for cause, number in _most_first(times))
    return _("; ").join(named_value(cause, number) for cause, number in shown)


def missing_rules(adjudication: Adjudication) -> ReportTable | None:
    """Return what adjudicators noted where the guidelines are silent; None where they nowhere are."""
    return table_if(
        f"missing-rules-{adjudication.layer}",
        _("Sentences that the guidelines lack: what adjudicators noted where they found them silent."),
        adjudication.missing_rules or (),
        ("labels", _("In dispute"), "text", lambda row: " / ".join(row.labels)),
        ("units", _("Units"), "count", lambda row: row.units),
        ("notes", _("Notes"), "text", lambda row: " ".join(say("“{text}”", text=note) for note in row.notes)),
        file=of_layer("adjudication-missing-rules", adjudication.layer) + ".csv",
        what="What adjudicators noted where the guidelines are silent.",
    )
