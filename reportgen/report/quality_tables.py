"""The quality of annotators and items, and what was decided of disagreements: tables, layer by layer."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from reportgen.report.disagreements import DisagreementList
from reportgen.report.tables import ReportTable, columns_of, of_layer, setting, table_if, table_of, without
from reportgen.results import Adjudication, Results
from reportgen.results.annotators import AnnotatorErrors, AnnotatorVsRest, ControlAccuracy, Drift, Quality
from reportgen.results.unit_sets import AggregateReliability
from reportgen.words import numbers
from reportgen.words.language import N_, _, say
from reportgen.words.names import cause_in_words, figure_name

PAIR = 2
# Of estimated confusion matrices on a page; more are no table to read.
MOST_CELLS = 250
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
        each
        for each in results.quality or ()
        if each.controls or each.intra_annotator or each.annotators_in_all > PAIR
    ]


def control_items(found: Quality) -> ReportTable | None:
    """Return each annotator's accuracy on control items, the worst first; None without control items."""
    known = found.controls
    if known is None:
        return None

    def outcome(each: ControlAccuracy) -> str:
        if known.reject_below is None:
            return ""
        return _(FEW if each.labelled < known.minimum else REJECTED if each.rejected else KEPT)

    return table_if(
        of_layer("control-items", found.layer),
        _("Accuracy on control items, with the 95% score interval of Wilson (1927)."),
        sorted(known.annotators, key=lambda each: (each.accuracy.value or 0, each.annotator)),
        ("annotator", _("Annotator"), "text", lambda each: each.annotator),
        ("labelled", _("Control items labelled"), "count", lambda each: each.labelled),
        ("right", _("Right"), "count", lambda each: each.right),
        ("accuracy", _("Accuracy"), "estimate", lambda each: each.accuracy),
        ("outcome", _("Outcome"), "text", outcome),
        file=f"controls.{found.layer}.csv",
    )


def without_rejected(results: Results, found: Quality) -> ReportTable | None:
    """Return agreement with everybody beside that without the rejected; None where nobody is."""
    known = found.controls.agreement if found.controls else {}
    return table_if(
        of_layer("rejection", found.layer),
        say("Agreement in {set} with and without the rejected annotators.", set=found.unit_set),
        results.in_order(known),
        ("figure", _("Figure"), "text", lambda name: figure_name(results, name)),
        ("everybody", _("With everybody"), "estimate", lambda name: known[name].everybody),
        ("without_rejected", _("Without the rejected"), "estimate", lambda n: known[n].without_rejected),
        file=f"rejection.{found.layer}.csv",
    )


def beside_others(results: Results, found: Quality) -> ReportTable | None:
    """Return each annotator beside the others, who agrees least beside them first."""

    def rank(each: AnnotatorVsRest) -> tuple[float, str]:
        return 1.0 if each.difference.value is None else each.difference.value, each.annotator

    name = figure_name(results, results.coefficients[found.layer])
    without = say("{figure} without them", figure=name)
    return table_if(
        of_layer("standings", found.layer),
        _("How often each annotator gives the label of another, and these others among themselves."),
        sorted(found.annotators, key=rank),
        ("annotator", _("Annotator"), "text", lambda each: each.annotator),
        ("agreement", _("Same label as another"), "estimate", lambda each: each.agreement),
        ("others", _("The others among themselves"), "figure", lambda each: each.others),
        ("difference", _("Difference"), "estimate", lambda each: each.difference),
        ("p", "p", "p", lambda each: each.p),
        ("adjusted_p", _("p, Holm"), "p", lambda each: each.adjusted_p),
        ("without", without, "estimate", lambda each: each.without)
        if any(each.without for each in found.annotators)
        else None,
        file=f"annotators.{found.layer}.csv",
    )


def first_rows(found: ReportTable) -> ReportTable:
    """Return the first annotators beside the others, without what a report's own page has no room for."""
    idle = {column.key for column in found.columns} - set(BRIEF)
    return without(replace(found, rows=found.rows[:MOST_FIRST]), idle)


def by_blocks(found: Quality) -> ReportTable | None:
    """Return each annotator's agreement by consecutive blocks; None where nobody has enough documents."""
    drifting = [(each.annotator, each.drift) for each in found.annotators if each.drift]
    most = max((len(drift.blocks) for _name, drift in drifting), default=0)

    def share(each: tuple[str, Drift], key: str) -> float | None:
        place = int(key.removeprefix("block_")) - 1
        return each[1].blocks[place].agreement if place < len(each[1].blocks) else None

    over_documents = N_("How often each gives the label of another, by consecutive blocks of documents.")
    over_units = N_("How often each gives the label of another, by consecutive blocks of units.")
    counted = _("Documents") if found.by_document else _("Units")
    blocks = {f"block_{number}": say("Block {number}", number=number) for number in range(1, most + 1)}
    made = table_of(
        of_layer("blocks", found.layer),
        _(over_documents if found.by_document else over_units),
        drifting,
        ("annotator", _("Annotator"), "text", lambda each: each[0]),
        ("documents", counted, "count", lambda each: each[1].documents),
        *columns_of(blocks, "figure", share),
        ("change", _("Change"), "estimate", lambda each: each[1].slope),
        ("p", "p", "p", lambda each: each[1].p),
        ("adjusted_p", _("p, Holm"), "p", lambda each: each[1].adjusted_p),
        file=f"blocks.{found.layer}.csv",
    )
    return made if most else None


def modelled_accuracy(found: Quality) -> ReportTable | None:
    """Return each annotator's accuracy under the model of Dawid and Skene, the least first."""
    known = found.dawid_skene.annotators
    told = any(each.near_chance or each.below_chance for each in known)

    def rank(each: AnnotatorErrors) -> tuple[bool, float, str]:
        return not (each.near_chance or each.below_chance), each.accuracy, each.annotator

    def remark(each: AnnotatorErrors) -> str:
        return _(BELOW) if each.below_chance else _(NEAR) if each.near_chance else ""

    return table_if(
        of_layer("dawid-skene", found.layer),
        _("Accuracy as the model of Dawid and Skene (1979) estimates it."),
        sorted(known, key=rank),
        ("annotator", _("Annotator"), "text", lambda each: each.annotator),
        ("labelled", _("Units labelled"), "count", lambda each: each.labelled),
        ("accuracy", _("Accuracy"), "figure", lambda each: each.accuracy),
        ("blind", _("The same labels at random"), "figure", lambda each: each.blind),
        ("remark", _("Remark"), "text", remark) if told else None,
        file=f"dawid-skene-accuracy.{found.layer}.csv",
    )


def modelled_confusions(found: Quality) -> ReportTable | None:
    """Return each annotator's estimated confusion matrix; None where they are too many to read."""
    model = found.dawid_skene
    made = table_of(
        of_layer("estimated-confusions", found.layer),
        _("Estimated confusion matrices: what each annotator gives where a category is true."),
        (
            (each.annotator, true, dict(zip(model.categories, row, strict=True)))
            for each in model.annotators
            for true, row in zip(model.categories, each.confusion or (), strict=False)
        ),
        ("annotator", _("Annotator"), "text", lambda each: each[0]),
        ("true", _("True category"), "text", lambda each: each[1]),
        *columns_of({name: name for name in model.categories}, "percent", lambda each, name: each[2][name]),
    )
    return made if 0 < len(made.rows) * len(made.columns) <= MOST_CELLS else None


def modelled_shares(found: Quality) -> ReportTable | None:
    """Return the estimated share of each category."""
    model = found.dawid_skene
    return table_if(
        of_layer("prevalence", found.layer),
        _("Estimated shares of the true categories."),
        model.categories,
        ("category", _("Category"), "text", str),
        ("share", _("Estimated share"), "percent", lambda name: model.prevalence[name]),
        file=f"prevalence.{found.layer}.csv",
    )


def by_disagreement(found: Quality) -> ReportTable | None:
    """Return how many units have how much disagreement."""
    known = found.difficulty
    if known is None:
        return None

    def stretch(*ends: float) -> str:
        low, high = map(setting, ends)
        return say("above {low}, up to {high}", low=low, high=high)

    above = (stretch(each.low, each.high) for each in known.histogram[1:])
    return table_of(
        of_layer("difficulty", found.layer),
        _("Units by disagreement: the share of pairs of their labels that differ."),
        zip([_("none"), *above], known.histogram, strict=True),
        ("disagreement", _("Disagreement"), "text", lambda each: each[0]),
        ("units", _("Units"), "count", lambda each: each[1].units),
        ("share", _("Share"), "percent", lambda each: each[1].units / known.units),
        file=f"difficulty.{found.layer}.csv",
    )


def hardest(found: Quality, listed: DisagreementList | None) -> ReportTable | None:
    """Return the units with the most disagreement.

    `listed` are the units on which annotators differ, where texts may be shown: what they are called.
    """
    known = found.difficulty.hardest if found.difficulty else ()
    rows = listed.rows if listed else ()
    places = [len(rows) if each.entry is None else each.entry for each in known]
    entries = [rows[place] if place < len(rows) else None for place in places]

    def labels(place: int) -> str:
        most_first = sorted(known[place].labels.items(), key=lambda item: (-item[1], item[0]))
        return ", ".join(f"{name} × {numbers.count(times)}" for name, times in most_first)

    return table_if(
        of_layer("hardest", found.layer),
        _("The units with the most disagreement."),
        range(len(known)),
        ("unit", _("Unit"), "text", lambda place: row.form if (row := entries[place]) else "")
        if listed
        else ("place", _("Place"), "count", lambda place: place + 1),
        ("document", _("Document"), "text", lambda place: known[place].document or ""),
        ("disagreement", _("Disagreement"), "figure", lambda place: known[place].disagreement),
        ("entropy", _("Entropy in bits"), "figure", lambda place: known[place].entropy),
        ("labels", _("Labels"), "text", labels),
        file=f"hardest.{found.layer}.csv",
        href=lambda place: row.href if (row := entries[place]) else None,
    )


def hardest_shown(found: ReportTable) -> ReportTable:
    """Return the first of the hardest units; the CSV has more."""
    rows = tuple((row[0] or numbers.NONE, *row[1:]) for row in found.rows[:MOST_HARD])
    return replace(found, rows=rows, links=found.links[:MOST_HARD])


def second_passes(results: Results, found: Quality) -> ReportTable | None:
    """Return each annotator's agreement with themselves."""
    known = found.intra_annotator
    return table_if(
        of_layer("intra-annotator", found.layer),
        _("Intra-annotator agreement: first labels against second ones."),
        known,
        ("annotator", _("Annotator"), "text", lambda each: each.annotator),
        ("units", _("Units labelled twice"), "count", lambda each: each.units),
        *(
            (name, figure_name(results, name), "estimate", lambda each, name=name: each.measures.get(name))
            for name in results.in_order({name for each in known for name in each.measures})
        ),
        file=f"intra-annotator.{found.layer}.csv",
    )


def tables_of(results: Results, found: Quality, listed: DisagreementList | None) -> Iterator[ReportTable]:
    """Yield every table of a layer that has a file."""
    made = (
        control_items(found), without_rejected(results, found), beside_others(results, found),
        by_blocks(found), modelled_accuracy(found), modelled_shares(found), by_disagreement(found),
        hardest(found, listed), second_passes(results, found),
    )  # fmt: skip
    yield from (each for each in made if each is not None)


def by_annotators(found: AggregateReliability) -> ReportTable | None:
    """Return what labels are worth together, by the number of annotators; None where neither is known."""
    reliable = found.reliability.value is not None
    if not reliable and found.majority is None:
        return None
    return table_of(
        of_layer("aggregate", found.layer),
        _("What the labels of several annotators are worth together."),
        [each for each in found.by_annotators if reliable or each.same_majority is not None],
        ("annotators", _("Annotators of a unit"), "count", lambda each: each.annotators),
        ("reliability", _("Reliability [95% interval]"), "estimate", lambda each: each.reliability)
        if reliable
        else None,
        ("same_majority", _("Same majority as all"), "percent", lambda each: each.same_majority)
        if found.majority
        else None,
        file=f"aggregate.{found.layer}.csv",
    )


def difficulty_by_layer(found: Sequence[Quality]) -> ReportTable:
    """Return how hard the units of each layer are."""
    return table_of(
        "difficulty-by-layer",
        _("Units that two or more rated."),
        [(each.layer, each.difficulty) for each in found if each.difficulty],
        ("layer", _("Layer"), "text", lambda each: each[0]),
        ("units", _("Units"), "count", lambda each: each[1].units),
        ("differing", _("With labels that differ"), "count", lambda each: each[1].differing),
        ("disagreement", _("Mean disagreement"), "figure", lambda each: each[1].disagreement),
        ("entropy", _("Mean entropy in bits"), "figure", lambda each: each[1].entropy),
    )


# What was decided of the disagreements: why there were any, and each annotator against the decisions.

# What better guidelines prevent; a slip happens under any.
OF_GUIDELINES = ("guideline silent", "guideline forgotten", "text ambiguous")


class Commonest(NamedTuple):
    """The cause that one category has most often."""

    category: str
    cause: str
    times: int


def commonest(found: Adjudication, non_annotated: str | None) -> Commonest | None:
    """Return the category and cause that come together most often, of the causes that guidelines prevent.

    `non_annotated` is the category of unmarked units: all missed marks are disagreements over it.
    """
    known = [
        Commonest(category, cause, times)
        for category, causes in (found.causes or {}).items()
        if category != non_annotated
        for cause, times in causes.items()
        if cause in OF_GUIDELINES
    ]
    return min(known, key=lambda each: (-each.times, each.category, each.cause), default=None)


def causes(found: Adjudication) -> ReportTable | None:
    """Return the causes by category, the most frequent first; None where none was noted."""
    totals, known = found.by_cause or {}, found.causes or {}
    shown = sorted(totals, key=lambda cause: (-totals[cause], cause))
    made = table_of(
        f"causes-{found.layer}",
        _("Why annotators differed. A disagreement counts for each of the categories in dispute."),
        sorted(known, key=lambda name: (-sum(known[name].get(cause, 0) for cause in shown), name)),
        ("category", _("Category in dispute"), "text", str),
        *(
            (
                *(cause.replace(" ", "_"), _capital(cause_in_words(cause)), "count"),
                lambda name, cause=cause: known[name].get(cause, 0),
            )
            for cause in shown
        ),
        file=of_layer("adjudication-causes", found.layer) + ".csv",
    )
    return made if totals else None


def against_decisions(found: Adjudication) -> ReportTable | None:
    """Return each annotator against the decisions; None where nothing was decided."""
    return table_if(
        f"decided-{found.layer}",
        _("Each annotator against the decisions, on the units on which annotators differed."),
        sorted((found.annotators or {}).items()),
        ("annotator", _("Annotator"), "text", lambda each: each[0]),
        ("units", _("Decided units labelled"), "count", lambda each: each[1].units),
        ("agreed", _("As it was decided"), "count", lambda each: each[1].agreed),
        ("share", _("Share"), "percent", lambda each: each[1].share),
        file=of_layer("adjudication-annotators", found.layer) + ".csv",
    )


def decision_tables(found: Adjudication) -> list[ReportTable]:
    """Return the tables of a layer's adjudication that there are."""
    return [each for each in (causes(found), against_decisions(found)) if each is not None]


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
