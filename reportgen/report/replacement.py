"""May a model take an annotator's place? The models of a layer as a page shows them, from results alone."""

from collections.abc import Iterator

from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, described, span, value_of
from reportgen.findings.systems import verdict_on
from reportgen.report import contents
from reportgen.report.tables import Cell, ReportTable, TableColumn, role_in_words, setting
from reportgen.results import Results, Work
from reportgen.results.annotators import AlternativeTest, HeldOutHuman, ModelReplacement, Replacement
from reportgen.words import numbers
from reportgen.words.language import N_, _, say

TESTED_BY = Work(
    citation="Calderon, Reichart and Dror (2025), ACL, 16051-16081", doi="10.18653/v1/2025.acl-long.782"
)
# The share of annotators that a model has to beat.
LEAST_RATE = 0.5
# More rows than these stand in the CSV alone.
MOST_ROWS = 60
SCORES = {
    "accuracy": N_("the share of equal labels"),
    "neg_rmse": N_("minus the root of the mean squared difference"),
    "similarity": N_("similarity, which is 1 less the distance"),
}
WILCOXON = "wilcoxon"


def nearer_to(found: Replacement) -> str:
    """Return whose labels the model's and an annotator's are held against, and by which score."""
    name, _bracket, distance = found.score.partition("[")
    score = _(SCORES.get(name, name)) + (f" [{distance}" if distance else "")
    if found.expert:
        return say("{expert}, who is trusted, by {score}", expert=found.expert, score=score)
    return say("the other annotators of the unit, by {score}", score=score)


def verdicts(found: Replacement) -> list[str]:
    """Return a sentence on each model; without a declared ε at which it would pass."""
    return [_verdict(found, each) for each in found.models]


def _verdict(found: Replacement, model: ModelReplacement) -> str:
    if reason := model.advantage.undefined:
        why = numbers.message(reason, {})
        return say("{model}: no verdict, because {reason}.", model=model.shown_name, reason=why)
    if verdict := verdict_on(found, model):
        return numbers.message(verdict.claim, verdict.values)
    return _at_any_price(model)


def cautions(found: Replacement) -> list[str]:
    """Return what has to be known before the verdicts are used."""
    two = _("There are two annotators: each is compared with the other alone, which is no consensus.")
    differing = [
        say(
            "Clustered by document the answer for {model} is another: trust that one, since units of one "
            "document are not independent.",
            model=each.shown_name,
        )
        for each in found.models
        if each.differ
    ]
    return [two] * found.comparison_only + differing


def by_ranks(found: Replacement) -> bool:
    """Say whether some were tested by ranks."""
    return any(human.method == WILCOXON for each in found.models for human in each.humans)


def untested(found: Replacement) -> dict[str, list[str]]:
    """Return who was not tested against any model, by the reasons."""
    reasons: dict[str, dict[str, None]] = {}
    for human in (human for each in found.models for human in each.humans):
        if human.undefined:
            reasons.setdefault(human.undefined, {})[human.annotator] = None
    return {numbers.message(reason, {}): list(names) for reason, names in reasons.items()}


def models_table(results: Results, found: Replacement) -> ReportTable:
    """Return the models in the order of their ρ."""
    declared = found.epsilon is not None
    decided = (
        (
            TableColumn("beaten", _("Annotators beaten")),
            TableColumn("rate", "ω", "figure"),
            TableColumn("by_document", _("ω, by document"), "figure"),
        )
        if declared
        else (
            TableColumn("from", _("Passes from ε")),
            TableColumn("by_document", _("Passes from ε, by document")),
        )
    )
    columns = (
        TableColumn("model", _("Model")),
        TableColumn("units", _("Units"), "count"),
        TableColumn("advantage", _("ρ [95% interval]"), "estimate"),
        *decided,
        TableColumn("cross", _("Agreement with annotators, xRR [95% interval]"), "estimate"),
    )
    rows = tuple(
        (_name(each), each.instances, each.advantage, *cells, cross.between if cross else "")
        for each in found.models
        for cells in [_decided(each) if declared else tuple(_prices(each))]
        for cross in [each.cross_replication]
    )
    return ReportTable(f"models-{slug(results, found)}", "", columns, rows)


def by_annotator(results: Results, found: Replacement) -> ReportTable:
    """Return each model against each annotator, of very many against the first."""
    columns = (
        TableColumn("model", _("Model")),
        TableColumn("annotator", _("Annotator")),
        TableColumn("units", _("Units"), "count"),
        TableColumn("model_share", _("Model no worse"), "figure"),
        TableColumn("human_share", _("Annotator no worse"), "figure"),
        TableColumn("difference", _("Difference"), "figure"),
        *(
            (
                TableColumn("p", _("p, adjusted"), "p"),
                TableColumn("beaten", _("Beaten")),
                TableColumn("p_by_document", _("p by document, adjusted"), "p"),
                TableColumn("beaten_by_document", _("Beaten, by document")),
            )
            if found.epsilon is not None
            else ()
        ),
    )
    rows = tuple(
        (each.shown_name, *_held_out(human))[: len(columns)] for each in found.models for human in each.humans
    )
    caption = _("Each model against each annotator.")
    return ReportTable(f"models-by-annotator-{slug(results, found)}", caption, columns, rows[:MOST_ROWS])


def behind(results: Results, found: Replacement) -> ReportTable | None:
    """Return each model after the first beside it; None where there is one."""
    columns = (
        TableColumn("model", _("Model")),
        TableColumn("difference", _("Difference in ρ [95% interval]"), "estimate"),
        TableColumn("p", "p", "p"),
        TableColumn("adjusted_p", _("p, Holm"), "p"),
    )
    names = {each.model: each.shown_name for each in found.models}
    rows = tuple((names[each.model], each.difference, each.p, each.adjusted_p) for each in found.behind)
    first = found.models[0].shown_name
    caption = say("The other models beside {model}, on the units of both.", model=first)
    return ReportTable(f"models-behind-{slug(results, found)}", caption, columns, rows) if rows else None


def models_plot(found: Replacement) -> DotPlot | None:
    """Return ρ of each model with its interval; None where fewer than two have one."""
    known = {_name(each): each.advantage for each in found.models if span(each.advantage)}
    if len(known) <= 1:
        return None
    name, first = max(known.items(), key=lambda each: value_of(each[1]))
    title = say(
        "{model} is most often no worse than an annotator: ρ {value}",
        model=name,
        value=numbers.figure(first.value),
    )
    rows = [DotPlotRow(name, [Dot(one, "other")]) for name, each in known.items() if (one := span(each))]
    axis = _("ρ, average advantage probability, with 95% interval")
    return DotPlot(title, described(known, _("; ")), rows, axis)


def slug(results: Results, found: Replacement) -> str:
    """Return what tables and figures of a layer are called."""
    return contents.slug(results.primary_of(found.layer))


def _name(model: ModelReplacement) -> str:
    """Return a model's name with its role; a declared name has the annotator's and the role behind it."""
    role = role_in_words(model.role)
    return f"{model.called} ({model.model}, {role})" if model.called else f"{model.model} ({role})"


def _decided(model: ModelReplacement) -> tuple[Cell, ...]:
    """Return how many annotators a model beats, and which share, also with units clustered by document."""
    own, other = model.independent, model.clustered
    told = say("{beaten} of {tested}", beaten=own.beaten, tested=own.tested) if own else ""
    return told, own.value if own else None, other.value if other else None


def _prices(model: ModelReplacement) -> Iterator[str]:
    """Yield the lowest ε at which a model passes, of independent units and clustered by document."""
    curve = model.curve
    for rates in (curve.independent, curve.clustered) if curve else (None, None):
        known = zip(curve.epsilon, rates, strict=True) if curve and rates else ()
        found = next((price for price, rate in known if rate >= LEAST_RATE), None)
        yield setting(found) if found is not None else numbers.NONE


def _at_any_price(model: ModelReplacement) -> str:
    """Return at which ε a model would pass, where none is declared."""
    own, other = _prices(model)
    most = setting(model.curve.epsilon[-1]) if model.curve else ""
    if own == numbers.NONE:
        return say("{model} would not pass at any ε up to {most}.", model=model.shown_name, most=most)
    if other in (own, numbers.NONE):
        return say("{model} would pass from ε = {price} on.", model=model.shown_name, price=own)
    return say(
        "{model} would pass from ε = {price} on, clustered by document from {other} on.",
        model=model.shown_name,
        price=own,
        other=other,
    )


def _held_out(human: HeldOutHuman) -> tuple[Cell, ...]:
    shares = (human.model, human.human, human.difference)
    return human.annotator, human.instances, *shares, *_test(human.independent), *_test(human.clustered)


def _test(test: AlternativeTest | None) -> tuple[Cell, Cell]:
    if test is None or test.beaten is None:
        return None, ""
    return test.adjusted_p, _("yes") if test.beaten else _("no")
