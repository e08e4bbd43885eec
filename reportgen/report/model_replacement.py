"""May a model take an annotator's place? The models of a layer as a page shows them, from results alone."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, described, span, value_of
from reportgen.findings.systems_and_models import verdict_on
from reportgen.report import contents
from reportgen.report.tables import (
    Cell,
    ColumnOf,
    ReportTable,
    TableColumn,
    csv_if,
    csv_table,
    fields,
    gathered,
    plain,
    role_in_words,
    setting,
    table_if,
    table_of,
    without,
)
from reportgen.results import Figure, Results, Work
from reportgen.results.annotators import CategoryParting, HeldOutHuman, ModelReplacement, Replacement
from reportgen.words import numbers
from reportgen.words.language import N_, _, names, say, say_either
from reportgen.words.names import figure_name

TESTED_BY = Work(
    citation="Calderon, Reichart and Dror (2025), ACL, 16051-16081", doi="10.18653/v1/2025.acl-long.782"
)
# A model may take an annotator's place where it beats at least half of them: ω ≥ 0.5.
LEAST_RATE = 0.5
# More rows than these are in the CSV alone.
MOST_ROWS, MOST_CATEGORIES = 60, 20
LEVEL = 0.05
ALPHA = "krippendorff_alpha"
SCORES = {
    "accuracy": N_("the share of equal labels"),
    "neg_rmse": N_("minus the root of the mean squared difference"),
    "similarity": N_("similarity, which is 1 less the distance"),
    "f_measure": N_("the F-measure of the marks of a document"),
}
# Fields of results, in the order of columns.
HUMAN = "annotator instances model human difference"
ENTROPIES = "human_entropy model_entropy distance"
TEST = "difference p adjusted_p"
PARTING = f"category human_labels model_labels among_humans with_model {TEST}"
# How many columns there are of an annotator whom no test compares with a model.
UNTESTED = 6


def nearer_to(replacement: Replacement) -> str:
    """Return whose labels those of a model and of an annotator are compared with, and by which score."""
    name, _bracket, distance = replacement.score.partition("[")
    score = _(SCORES.get(name, name)) + (f" [{distance}" if distance else "")
    if replacement.expert:
        return say("{expert}, who is trusted, by {score}", expert=replacement.expert, score=score)
    in_texts = replacement.unit_set is None
    return say_either(in_texts, "the other annotators of the {document|unit}, by {score}", score=score)


def verdicts(replacement: Replacement) -> list[str]:
    """Return a sentence on each model; without a declared ε at which it would pass."""
    return [_verdict(replacement, model) for model in replacement.models]


def _verdict(replacement: Replacement, model: ModelReplacement) -> str:
    if reason := model.advantage.undefined:
        why = numbers.message(reason, {})
        return say("{model}: no verdict, because {reason}.", model=model.shown_name, reason=why)
    if verdict := verdict_on(replacement, model):
        return numbers.message(verdict.claim, verdict.values)
    return _at_any_price(model)


def cautions(replacement: Replacement) -> list[str]:
    """Return what has to be known before the verdicts are used."""
    two = _("There are two annotators: each is compared with the other alone, which is no consensus.")
    differing = [
        say(
            "Clustered by document the answer for {model} is another: trust that one, since units of one "
            "document are not independent.",
            model=model.shown_name,
        )
        for model in replacement.models
        if model.differ
    ]
    return [two] * replacement.comparison_only + differing


def parted(replacement: Replacement) -> Iterator[str]:
    """Yield in which categories each model agrees with annotators less than another annotator does."""
    for model in replacement.models:
        shown = filter(_is_shown, model.categories)
        if fewer := [parting.category for parting in shown if (parting.difference.value or 0) < 0]:
            yield say(
                "{model} agrees less with annotators than another annotator does where they say: "
                "{categories}.",
                categories=names(fewer),
                model=model.shown_name,
            )


def _is_shown(category: CategoryParting) -> bool:
    return category.adjusted_p is not None and category.adjusted_p < LEVEL


def untested(replacement: Replacement) -> dict[str, list[str]]:
    """Return who was not tested against any model, by the reasons."""
    humans = (human for model in replacement.models for human in model.humans)
    reasons = gathered((human.annotator, human.undefined) for human in humans)
    return {numbers.message(reason, {}): list(dict.fromkeys(names)) for reason, names in reasons.items()}


def models_table(results: Results, replacement: Replacement) -> ReportTable:
    """Return the models in the order of their ρ."""

    def beaten_of(model: ModelReplacement) -> str:
        rate = model.independent
        return say("{beaten} of {tested}", beaten=rate.beaten, tested=rate.tested) if rate else ""

    beaten: tuple[ColumnOf[ModelReplacement], ...] = (
        ("beaten", _("Annotators beaten"), "text", beaten_of),
        ("rate", "ω", "figure", lambda model: fields(model.independent, "value")[0]),
        ("by_document", _("ω, by document"), "figure", lambda model: fields(model.clustered, "value")[0]),
    )
    passes: tuple[ColumnOf[ModelReplacement], ...] = (
        ("from", _("Passes from ε"), "text", lambda model: _prices(model)[0]),
        ("by_document", _("Passes from ε, by document"), "text", lambda model: _prices(model)[1]),
    )
    with_model = _("Agreement with annotators, xRR [95% interval]")
    return table_of(
        f"models-{slug(results, replacement)}",
        "",
        replacement.models,
        ("model", _("Model"), "text", _name),
        ("units", _units(replacement), "count", lambda model: model.instances),
        ("advantage", _("ρ [95% interval]"), "estimate", lambda model: model.advantage),
        *(passes if replacement.epsilon is None else beaten),
        ("cross", with_model, "estimate", lambda model: fields(model.cross_replication, "between")[0]),
    )


def by_annotator(results: Results, replacement: Replacement) -> ReportTable:
    """Return each model against each annotator, of very many against the first."""
    columns = (
        TableColumn("model", _("Model")),
        TableColumn("annotator", _("Annotator")),
        TableColumn("units", _units(replacement), "count"),
        TableColumn("model_share", _("Model no worse"), "figure"),
        TableColumn("human_share", _("Annotator no worse"), "figure"),
        TableColumn("difference", _("Difference"), "figure"),
        TableColumn("p", _("p, adjusted"), "p"),
        TableColumn("beaten", _("Beaten")),
        TableColumn("p_by_document", _("p by document, adjusted"), "p"),
        TableColumn("beaten_by_document", _("Beaten, by document")),
    )[: None if replacement.epsilon is not None else UNTESTED]
    rows = (
        (model.shown_name, *fields(human, HUMAN), *_outcomes(human))
        for model in replacement.models
        for human in model.humans
    )
    shown = tuple(row[: len(columns)] for row in rows)[:MOST_ROWS]
    name = f"models-by-annotator-{slug(results, replacement)}"
    return ReportTable(name, _("Each model against each annotator."), columns, shown)


def _outcomes(human: HeldOutHuman) -> Iterator[Cell]:
    """Yield the p value and the outcome of an annotator's test, and of that with units by document."""
    for test in (human.independent, human.clustered):
        tested = test if test and test.beaten is not None else None
        yield from (tested.adjusted_p, _("yes") if tested.beaten else _("no")) if tested else (None, "")


def behind(results: Results, replacement: Replacement) -> ReportTable | None:
    """Return each model after the first beside it; None where there is one."""
    names = {model.model: model.shown_name for model in replacement.models}
    return table_if(
        f"models-behind-{slug(results, replacement)}",
        say("The other models beside {model}, on the units of both.", model=replacement.models[0].shown_name),
        replacement.behind,
        ("model", _("Model"), "text", lambda model: names[model.model]),
        ("difference", _("Difference in ρ [95% interval]"), "estimate", lambda model: model.difference),
        ("p", "p", "p", lambda model: model.p),
        ("adjusted_p", _("p, Holm"), "p", lambda model: model.adjusted_p),
    )


def beside(results: Results, replacement: Replacement) -> ReportTable | None:
    """Return agreement with each model as one more annotator, and how labels spread; None of marks."""
    models = [model for model in replacement.models if model.agreement or model.distribution]
    if not models:
        return None
    alpha = next((model.coefficient for model in models if model.coefficient), ALPHA)
    columns = (
        TableColumn("model", _("Model")),
        TableColumn("alone", say("{figure}, annotators", figure=figure_name(results, alpha)), "figure"),
        TableColumn("with_model", _("With the model"), "figure"),
        TableColumn("difference", _("Difference [95% interval]"), "estimate"),
        TableColumn("p", "p", "p"),
        TableColumn("entropy", _("Entropy, annotators"), "figure"),
        TableColumn("model_entropy", _("Entropy, model"), "figure"),
        TableColumn("distance", _("Distance of the labels"), "figure"),
        TableColumn("from_others", _("Model from the others"), "figure"),
        TableColumn("annotator", _("Annotator from the others"), "figure"),
        TableColumn("itself", _("Model with itself, alpha"), "figure"),
    )
    rows = []
    for model in models:
        alone, more, *apart = _agreement(model)
        labels = fields(model.distribution, f"{ENTROPIES} model human")
        itself = fields(model.cross_replication, "model")
        rows.append((_name(model), _value(alone), _value(more), *apart, *labels, *itself))
    many = any(model.distribution and model.distribution.many for model in models)
    twice = any(model.cross_replication and model.cross_replication.model is not None for model in models)
    blank = (*(() if many else ("from_others", "annotator")), *(() if twice else ("itself",)))
    caption = _("Agreement with each model as one more annotator, and how labels are distributed.")
    table = ReportTable(f"models-beside-{slug(results, replacement)}", caption, columns, tuple(rows))
    return without(table, blank)


def by_category(results: Results, replacement: Replacement) -> ReportTable | None:
    """Return the categories in which models and annotators part most; None of marks, numbers and sets."""
    every = [(model.shown_name, category) for model in replacement.models for category in model.categories]
    # Those that a test shows first, then by how far they part.
    every.sort(key=lambda pair: (not _is_shown(pair[1]), -abs(pair[1].difference.value or 0)))
    return table_if(
        f"models-by-category-{slug(results, replacement)}",
        _("Where models and annotators part: agreement with an annotator's label, by category."),
        every[:MOST_CATEGORIES],
        ("model", _("Model"), "text", lambda row: row[0]),
        ("category", _("Category"), "text", lambda row: row[1].category),
        ("annotators", _("Labels of annotators"), "count", lambda row: row[1].human_labels),
        ("labels", _("Labels of the model"), "count", lambda row: row[1].model_labels),
        ("another", _("Another annotator agrees"), "figure", lambda row: row[1].among_humans),
        ("agrees", _("The model agrees"), "figure", lambda row: row[1].with_model),
        ("difference", _("Difference [95% interval]"), "estimate", lambda row: row[1].difference),
        ("p", _("p, Holm"), "p", lambda row: row[1].adjusted_p),
    )


def _value(cell: Cell) -> float | None:
    return cell.value if isinstance(cell, Figure) else None


def _units(replacement: Replacement) -> str:
    return _("Units") if replacement.unit_set else _("Documents")


def models_plot(replacement: Replacement) -> DotPlot | None:
    """Return ρ of each model with its interval; None where fewer than two have one."""
    advantages = {_name(model): model.advantage for model in replacement.models if span(model.advantage)}
    if len(advantages) <= 1:
        return None
    name = max(advantages, key=lambda name: value_of(advantages[name]))
    value = numbers.figure(advantages[name].value)
    title = say("{model} is most often no worse than an annotator: ρ {value}", model=name, value=value)
    spans = ((name, span(advantage)) for name, advantage in advantages.items())
    rows = [DotPlotRow(name, [Dot(ends, "other")]) for name, ends in spans if ends]
    axis = _("ρ, average advantage probability, with 95% interval")
    return DotPlot(title, described(advantages, _("; ")), rows, axis)


def slug(results: Results, replacement: Replacement) -> str:
    """Return what tables and figures of a layer are called."""
    return contents.slug(results.primary_of(replacement.layer))


def _name(model: ModelReplacement) -> str:
    role = role_in_words(model.role)
    return f"{model.called} ({model.model}, {role})" if model.called else f"{model.model} ({role})"


def _prices(model: ModelReplacement) -> tuple[str, str]:
    """Return the lowest ε at which a model passes, of independent units and clustered by document."""
    if (curve := model.curve) is None:
        return numbers.NONE, numbers.NONE

    def lowest(rates: Sequence[float] | None) -> str:
        prices = zip(curve.epsilon, rates or (), strict=False)
        price = next((price for price, rate in prices if rate >= LEAST_RATE), None)
        return numbers.NONE if price is None else setting(price)

    return lowest(curve.independent), lowest(curve.clustered)


def _at_any_price(model: ModelReplacement) -> str:
    """Return at which ε a model would pass, where none is declared."""
    own, other = _prices(model)
    most = setting(model.curve.epsilon[-1]) if model.curve else ""
    if own == numbers.NONE:
        message = N_("{model} would not pass at any ε up to {most}.")
    elif other in (own, numbers.NONE):
        message = N_("{model} would pass from ε = {price} on.")
    else:
        message = N_("{model} would pass from ε = {price} on, clustered by document from {other} on.")
    return say(message, model=model.shown_name, most=most, price=own, other=other)


# The CSV tables of models: each of them, each annotator that it is compared with, and each price of a person.

WHO = plain("layer unit_set model")
EPSILON = TableColumn("epsilon", "the price of a person", "figure")
RATES = (
    TableColumn("winning_rate", "share of annotators beaten", "figure"),
    TableColumn("winning_rate_by_document", "share beaten, clustered by document", "figure"),
)
MODELS = (
    *WHO,
    TableColumn("role", "role"),
    TableColumn("units", "units with a label of the model and of enough annotators", "count"),
    TableColumn("documents", "documents", "count"),
    EPSILON,
    TableColumn("tested", "annotators tested", "count"),
    TableColumn("beaten", "annotators beaten", "count"),
    TableColumn("beaten_by_document", "annotators beaten, clustered by document", "count"),
    *RATES,
    TableColumn("advantage", "average advantage probability", "estimate"),
    TableColumn("advantage_any_low", "lower end for any annotators like these", "figure"),
    TableColumn("advantage_any_high", "upper end for any annotators like these", "figure"),
    TableColumn("cross_replication", "xRR", "estimate"),
    TableColumn("normalised", "xRR, normalised", "figure"),
    TableColumn("with_itself", "agreement of the model with itself, alpha", "figure"),
    TableColumn("coefficient", "coefficient"),
    TableColumn("annotators_alone", "agreement of annotators", "estimate"),
    TableColumn("with_model", "agreement with the model as one more", "estimate"),
    TableColumn("with_model_difference", "difference", "estimate"),
    TableColumn("with_model_p", "p", "p"),
    TableColumn("annotators_entropy", "entropy of annotators' labels, bits", "figure"),
    TableColumn("model_entropy", "entropy of the model's labels, bits", "figure"),
    TableColumn("label_distance", "Jensen-Shannon distance of the two", "figure"),
    TableColumn("units_with_many", "units with at least five labels of annotators", "count"),
    TableColumn("unit_entropy", "mean entropy of annotators' labels there, bits", "figure"),
    TableColumn("model_from_others", "the model's label from all but one annotator's", "figure"),
    TableColumn("annotator_from_others", "that annotator's label from them", "figure"),
    TableColumn("from_others_difference", "the former less the latter", "estimate"),
    TableColumn("behind_first", "difference in advantage from the first model", "estimate"),
    TableColumn("behind_first_p", "p", "p"),
    TableColumn("behind_first_adjusted_p", "p, Holm", "p"),
)
HUMANS = (
    *WHO,
    TableColumn("annotator", "annotator"),
    TableColumn("units", "units", "count"),
    TableColumn("model_no_worse", "share of units on which the model is no worse", "figure"),
    TableColumn("annotator_no_worse", "share of units on which the annotator is no worse", "figure"),
    TableColumn("difference", "annotator less model", "figure"),
    TableColumn("method", "method"),
    TableColumn("statistic", "statistic", "figure"),
    TableColumn("degrees", "degrees of freedom", "figure"),
    TableColumn("p", "p", "p"),
    TableColumn("adjusted_p", "p, Benjamini and Yekutieli", "p"),
    TableColumn("beaten", "beaten"),
    TableColumn("statistic_by_document", "statistic, clustered by document", "figure"),
    TableColumn("degrees_by_document", "degrees of freedom, clustered by document", "figure"),
    TableColumn("p_by_document", "p, clustered by document", "p"),
    TableColumn("adjusted_p_by_document", "p, Benjamini and Yekutieli, clustered by document", "p"),
    TableColumn("beaten_by_document", "beaten, clustered by document"),
    TableColumn("undefined", "why not tested"),
)
PRICES = (*WHO, EPSILON, *RATES)
CATEGORIES = (
    *WHO,
    TableColumn("category", "category"),
    TableColumn("annotators_labels", "labels of annotators", "count"),
    TableColumn("model_labels", "units that the model gave it", "count"),
    TableColumn("another_annotator", "share that another annotator agrees with", "figure"),
    TableColumn("model_agrees", "share that the model agrees with", "figure"),
    TableColumn("difference", "model less annotator", "estimate"),
    TableColumn("p", "p", "p"),
    TableColumn("adjusted_p", "p, Holm", "p"),
)


def models_tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV tables of all layers, nothing where there are no models."""
    every = [
        ((layer.layer, layer.unit_set, model.model), layer, model)
        for layer in results.replacement or ()
        for model in layer.models
    ]
    if not every:
        return
    humans = (
        (*who, *fields(human, f"{HUMAN} method"), *_test_cells(human))
        for who, _layer, model in every
        for human in model.humans
    )
    prices = (
        (*who, *row)
        for who, _layer, model in every
        if (curve := model.curve)
        for row in zip_longest(curve.epsilon, curve.independent, curve.clustered or ())
    )
    yield csv_table(
        "models",
        "May a model take an annotator's place? The alternative annotator test, model by model.",
        MODELS,
        ((*who, *_model_cells(layer, model)) for who, layer, model in every),
    )
    yield csv_table(
        "models-by-annotator",
        "Each model against each annotator: the alternative annotator test.",
        HUMANS,
        humans,
    )
    yield from csv_if(
        "models-by-category",
        "Where models and annotators part, beside how annotators do, by category.",
        CATEGORIES,
        ((*who, *fields(parting, PARTING)) for who, _layer, model in every for parting in model.categories),
    )
    yield csv_table(
        "models-by-price",
        "The share of annotators whom each model beats, by the price of a person.",
        PRICES,
        prices,
    )


def _model_cells(layer: Replacement, model: ModelReplacement) -> tuple[Cell, ...]:
    behind = next((later for later in layer.behind if later.model == model.model), None)
    return (
        *(*fields(model, "role instances documents"), layer.epsilon),
        *(*fields(model.independent, "tested beaten"), *fields(model.clustered, "beaten")),
        *(*fields(model.independent, "value"), *fields(model.clustered, "value"), model.advantage),
        *fields(model.for_any_humans, "low high"),
        *fields(model.cross_replication, "between normalised model"),
        *(model.coefficient, *_agreement(model)),
        *fields(model.distribution, f"{ENTROPIES} many unit_entropy model human difference"),
        *fields(behind, TEST),
    )


def _agreement(model: ModelReplacement) -> tuple[Cell, ...]:
    """Return an alpha of annotators, with the model as one more, and the difference with its p value."""
    if (agreement := model.agreement) is None:
        return None, None, None, None
    apart = Figure(value=agreement.difference, interval=agreement.interval, undefined=agreement.untested)
    return agreement.first, agreement.second, apart, agreement.test.p if agreement.test else None


def _test_cells(human: HeldOutHuman) -> Iterator[Cell]:
    for test in (human.independent, human.clustered):
        yield from fields(test, "statistic degrees p adjusted_p")
        yield {None: "", True: "yes", False: "no"}[test.beaten if test else None]
    yield human.undefined
