"""What sections show because of what a report is about: a model as judge, errors of systems, boundaries."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reportgen.report.blocks import Block, Details, File, FilesBlock, Section, TableBlock, paragraph, remark
from reportgen.report.tables import ReportTable, of_layer, table_if, without
from reportgen.report.view import ReportView, named
from reportgen.results.annotators import Judge
from reportgen.results.marks import BoundaryAgreement
from reportgen.words.language import _, say
from reportgen.words.numbers import count

# A page has so many categories of a judge; all are in the CSV.
MOST_CATEGORIES = 20


def judges(view: ReportView) -> Section | None:
    """Return what a model's labels are worth, category by category; None where no report is about one."""
    shown = [judge for judge in view.judges if view.results.subject_of(judge.layer) == "judge"]
    if not shown:
        return None
    lead = paragraph(
        _(
            "Sensitivity is the share of what the human calls so that the model finds, specificity the share "
            "of all else that it leaves alone. The predictive values are the shares of its labels that are "
            "right; φ is Matthews' correlation. Rogan and Gladen (1978) correct the share that it reports by "
            "sensitivity and specificity, prediction-powered inference (Angelopoulos et al. 2023) by the "
            "units that the human labelled too."
        )
    )
    blocks: list[Block] = [lead]
    for judge in shown:
        blocks += named(view, judge.layer, _judge(judge))
    return Section("judges", _("The model as judge"), tuple(blocks), short=_("The judge"))


def _judge(judge: Judge) -> Iterator[Block]:
    yield paragraph(
        say(
            "{model} beside {human}, on {units} units that both labelled.",
            model=judge.model,
            human=judge.human,
            units=count(judge.units),
        ),
        say("{model} alone labelled {units} others.", model=judge.model, units=count(judge.alone))
        if judge.alone
        else "",
    )
    table, shares, needed = judge_table(judge), share_table(judge), needed_table(judge)
    if table is None:
        return
    yield TableBlock(without(_first(table), ("human", "model", "both", "negative_value")))
    yield from (TableBlock(_first(more)) for more in (shares, needed) if more)
    yield FilesBlock(lambda: (table, shares, needed))
    yield remark(File(table.file), File(shares.file, _("Shares")) if shares else None)


def _first(table: ReportTable) -> ReportTable:
    return replace(table, rows=table.rows[:MOST_CATEGORIES])


def _ranked(judge: Judge) -> list[str]:
    return sorted(judge.categories, key=lambda name: (-judge.categories[name].human, name))


def judge_table(judge: Judge) -> ReportTable | None:
    """Return how often a model is right about each category."""
    return table_if(
        of_layer(f"judge-{judge.model}", judge.layer),
        _("Right and wrong by category, each against all others together."),
        [(name, judge.categories[name]) for name in _ranked(judge)],
        ("category", _("Category"), "text", lambda row: row[0]),
        ("human", _("By the human"), "count", lambda row: row[1].human),
        ("model", _("By the model"), "count", lambda row: row[1].model),
        ("both", _("By both"), "count", lambda row: row[1].both),
        ("sensitivity", _("Sensitivity"), "estimate", lambda row: row[1].sensitivity),
        ("specificity", _("Specificity"), "estimate", lambda row: row[1].specificity),
        ("positive_value", _("Positive predictive value"), "estimate", lambda row: row[1].positive_value),
        ("negative_value", _("Negative predictive value"), "estimate", lambda row: row[1].negative_value),
        ("phi", "φ", "estimate", lambda row: row[1].phi),
        file=f"judge.{judge.layer}.{judge.model}.csv",
        what="Sensitivity, specificity, predictive values and φ of a model, by category.",
    )


def share_table(judge: Judge) -> ReportTable | None:
    """Return the share of each category that a model reports, beside the human's and the corrected ones."""
    corrected = any(own.corrected_share for own in judge.categories.values())
    return table_if(
        of_layer(f"judge-shares-{judge.model}", judge.layer),
        _("Shares that the model reports, and what they are after correction."),
        [(name, judge.categories[name]) for name in _ranked(judge)],
        ("category", _("Category"), "text", lambda row: row[0]),
        ("human_share", _("The human's share"), "estimate", lambda row: row[1].human_share),
        ("reported_share", _("Reported share"), "estimate", lambda row: row[1].reported_share),
        ("corrected_share", _("Corrected share"), "estimate", lambda row: row[1].corrected_share)
        if corrected
        else None,
        ("rogan_gladen", _("By Rogan and Gladen"), "figure", lambda row: row[1].rogan_gladen),
        file=f"judge-shares.{judge.layer}.{judge.model}.csv",
        what="Shares of categories by a model, by the human, and corrected.",
    )


def needed_table(judge: Judge) -> ReportTable | None:
    """Return how many units the human labels for narrower intervals of shares."""
    rows = [
        (name, goal)
        for name in _ranked(judge)
        for goal in judge.categories[name].labels_needed or ()
        if goal.half_width <= MOST_HALF_WIDTH
    ]
    return table_if(
        of_layer(f"judge-labels-{judge.model}", judge.layer),
        _("How many units the human has to label for a narrower interval of a share, drawn at random."),
        rows,
        ("category", _("Category"), "text", lambda row: row[0]),
        ("half_width", _("Half-width of the 95% interval"), "figure", lambda row: row[1].half_width),
        ("units", _("Units with labels of both"), "count", lambda row: row[1].units),
        ("alone", _("Without the model"), "count", lambda row: row[1].alone),
        file=f"judge-labels.{judge.layer}.{judge.model}.csv",
        what="How many units a human labels for narrower intervals of corrected shares, by category.",
    )


# Wider intervals of shares tell little.
MOST_HALF_WIDTH = 0.05


# Boundaries in recordings.


def boundaries(layers: Sequence[BoundaryAgreement]) -> Iterator[Block]:
    """Yield how near annotators' boundaries are, and who sets them early or late."""
    if not layers:
        return
    tolerances = {own.tolerance for own in layers}
    yield paragraph(
        say("Boundaries are near each other up to {tolerance} ms.", tolerance=count(tolerances.pop()))
        if len(tolerances) == 1
        else _("How far boundaries may be apart is in the table."),
        _("The campaign says so.")
        if all(own.declared for own in layers)
        else _(
            "This is the usual 200 ms, or a quarter of the median stretch where that is less. Declare "
            "tolerance for another."
        ),
    )
    table, shifts = boundary_table(layers), shift_table(layers)
    if table:
        yield TableBlock(table)
    if shifts:
        yield Details(_("Who sets boundaries early or late"), (TableBlock(shifts),))
    yield FilesBlock(lambda: (table, shifts))


def boundary_table(layers: Iterable[BoundaryAgreement]) -> ReportTable | None:
    """Return F of boundaries and stretches within the tolerance, a row a layer."""
    return table_if(
        "boundaries",
        _("F of all pairs of annotators within the tolerance."),
        layers,
        ("layer", _("Layer"), "text", lambda own: own.layer),
        ("tolerance", _("Tolerance, ms"), "count", lambda own: own.tolerance),
        ("boundaries", _("Boundaries"), "estimate", lambda own: own.boundaries),
        ("stretches", _("Stretches, both ends"), "estimate", lambda own: own.stretches),
        ("labels", _("Stretches with their label"), "estimate", lambda own: own.labels),
        file="boundaries.csv",
        what="F of boundaries and of stretches of recordings within a tolerance.",
    )


def shift_table(layers: Iterable[BoundaryAgreement]) -> ReportTable | None:
    """Return how much later each annotator's boundaries are than those of others, in milliseconds."""
    return table_if(
        "boundary-shifts",
        _("How much later somebody's boundaries are than the nearest of others, in milliseconds."),
        [(own.layer, shift) for own in layers for shift in own.shifts],
        ("layer", _("Layer"), "text", lambda row: row[0]),
        ("annotator", _("Annotator"), "text", lambda row: row[1].annotator),
        ("boundaries", _("Boundaries"), "count", lambda row: row[1].boundaries),
        ("later", _("Later by"), "decimal", lambda row: row[1].later),
        ("low", _("from"), "decimal", lambda row: row[1].low),
        ("high", _("to"), "decimal", lambda row: row[1].high),
        ("p", "p", "p", lambda row: row[1].p),
        file="boundary-shifts.csv",
        what="How much later annotators set boundaries than others do.",
    )
