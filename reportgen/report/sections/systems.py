"""Systems and models beside reference and annotators, and whether a model may take an annotator's place."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from reportgen.findings.systems import verdict_on
from reportgen.report import contents
from reportgen.report.against_reference import (
    UNITS,
    ComparedView,
    SystemsView,
    of_releases,
    tables,
)
from reportgen.report.blocks import (
    Block,
    Details,
    File,
    FilesBlock,
    Items,
    PaperTable,
    Paragraph,
    ReasonBlock,
    Section,
    Strong,
    TableBlock,
    Text,
    as_section,
    paragraph,
    phrase,
    remark,
)
from reportgen.report.tables import (
    Cell,
    ColumnOf,
    ReportTable,
    TableColumn,
    as_declared,
    csv_if,
    csv_table,
    fields,
    gathered,
    plain,
    role_in_words,
    table_if,
    table_of,
)
from reportgen.report.view import named
from reportgen.results import Figure, Results, Work
from reportgen.results.annotators import CategoryParting, HeldOutHuman, ModelReplacement, Replacement
from reportgen.words import numbers
from reportgen.words.language import N_, _, names, say, say_either, say_many
from reportgen.words.numbers import count, counted

if TYPE_CHECKING:
    from reportgen.report.view import ReportView

TESTED_BY = Work(
    citation="Calderon, Reichart and Dror (2025), ACL, 16051-16081", doi="10.18653/v1/2025.acl-long.782"
)
# A model may take an annotator's place where it beats at least half of them: ω ≥ 0.5.
LEAST_RATE = 0.5
# More rows than these are in the CSV alone.
MOST_CATEGORIES = 20
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
    # At which ε a model would pass, where none is declared.
    own, other = _prices(model)
    most = as_declared(model.curve.epsilon[-1]) if model.curve else ""
    if own == numbers.NONE:
        message = N_("{model} would not pass at any ε up to {most}.")
    elif other in (own, numbers.NONE):
        message = N_("{model} would pass from ε = {price} on.")
    else:
        message = N_("{model} would pass from ε = {price} on, clustered by document from {other} on.")
    return say(message, model=model.shown_name, most=most, price=own, other=other)


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


def untested_models(replacement: Replacement) -> dict[str, list[str]]:
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
        f"models-{model_slug(results, replacement)}",
        "",
        replacement.models,
        ("model", _("Model"), "text", _name),
        ("units", _units(replacement), "count", lambda model: model.instances),
        ("advantage", _("ρ [95% interval]"), "estimate", lambda model: model.advantage),
        *(passes if replacement.epsilon is None else beaten),
        ("cross", with_model, "estimate", lambda model: fields(model.cross_replication, "between")[0]),
    )


def by_category(results: Results, replacement: Replacement) -> ReportTable | None:
    """Return the categories in which models and annotators part most; None of marks, numbers and sets."""
    every = [(model.shown_name, category) for model in replacement.models for category in model.categories]
    # Those that a test shows first, then by how far they part.
    every.sort(key=lambda pair: (not _is_shown(pair[1]), -abs(pair[1].difference.value or 0)))
    return table_if(
        f"models-by-category-{model_slug(results, replacement)}",
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


def _units(replacement: Replacement) -> str:
    return _("Units") if replacement.unit_set else _("Documents")


def model_slug(results: Results, replacement: Replacement) -> str:
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
        return numbers.NONE if price is None else as_declared(price)

    return lowest(curve.independent), lowest(curve.clustered)


# The CSV tables of models: each of them, and each annotator that it is compared with.

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


# Of longer lists of names so many are shown.
MOST_NAMES, FIRST_NAMES = 8, 6


def comparisons(view: "ReportView") -> Section | None:
    """Return everybody against the reference, or systems against annotators; None where all are annotators.

    Releases of one system are a part of it.
    """
    compared = view.comparisons
    if not compared:
        return None
    lead = paragraph(
        _(
            "References, systems and models are compared with annotators here and count in no other figure "
            "of agreement. Beside systems is how much annotators agree with each other in the same measure "
            "on the same units: the usual ceiling, which a system scored against an adjudicated reference "
            "may pass."
        ),
        File("comparisons.csv"),
        File("comparisons-by-category.csv", _("By category")),
    )
    blocks: list[Block] = [lead]
    for layer in compared:
        blocks += named(view, layer.layer, chain.from_iterable(map(_compared, layer.shown)))
    if twice := of_releases(view.results):
        releases = tuple(systems(twice, releases=True))
        blocks.append(Section("releases-title", _("Releases of one system"), releases))
    blocks.append(FilesBlock(lambda: tables(view.results)))
    if any(own.against_reference for layer in compared for own in layer.shown):
        return Section("comparisons", _("Against the reference"), tuple(blocks))
    return Section("comparisons", _("Systems against annotators"), tuple(blocks), short=_("Systems"))


def _compared(compared: ComparedView) -> Iterator[Block]:
    what = _("Marks in texts") if compared.of_marks else say("Unit set {set}", set=compared.whole.unit_set)
    if not compared.every:
        yield remark(say("{what}: there is nothing to compare.", what=what))
        return
    if known := tuple(_known_humans(compared)):
        yield paragraph(*known)
    # The table says in figures what the figure shows.
    table = TableBlock(compared.table, say("{name}: {value}", name=what, value=compared.table.caption))
    folded: list[Block] = [table, remark(*_notes(compared))]
    if dependent := compared.whole.not_independent:
        warned = say_many(
            "{names} {was|were} made from the annotators’ own marks: against {it|them} they look better "
            "than they are.",
            len(dependent),
            names=names(dependent),
        )
        yield _beware(warned)
    if compared.categories:
        folded.append(TableBlock(compared.categories, say("By category: {what}", what=what)))
    yield Details(say("{what}, in figures", what=what), tuple(folded))


def _known_humans(compared: ComparedView) -> Iterator[str]:
    """Yield how much annotators agree with each other where a reference labelled, in the first figure."""
    for key, humans in compared.whole.humans.items():
        figure = humans.measures.get(compared.whole.figure) if humans.pairs else None
        if figure is None or figure.value is None:
            continue
        yield say_either(
            len(compared.whole.references) > 1 and key,
            "Annotators with each other{ where {key} labelled|}: {figure} {value} ({pairs}).",
            key=key,
            figure=compared.figure,
            value=numbers.estimate(figure),
            pairs=counted(humans.pairs, "pair", "pairs"),
        )


def _notes(compared: ComparedView) -> Iterator[Text]:
    if compared.whole.people > len(compared.shown):
        yield say(
            "Shown are the annotators who agree with the reference least, of {count} who are compared.",
            count=count(compared.whole.people),
        )
        if compared.whole.crowded:
            yield phrase("All of them: {file}.", file=(File("comparisons-of-all.csv"),))
    if compared.of_marks:
        yield _("Marks in texts, in the documents that both saw.")
    else:
        choice = compared.whole.choice or "every"
        yield say("Unit set {set}, {units}.", set=compared.whole.unit_set, units=_(UNITS[choice]))
        yield _("Mean F is the mean of specific agreement over categories, the non-annotated one left out.")
    yield _(
        "Observed agreement with the reference is accuracy, specific agreement of a category the F-measure "
        "of the two; intervals are clustered by document."
    )


# Systems twice: under two versions of guidelines, or as two releases


def systems(systems_view: SystemsView, *, releases: bool) -> Iterator[Block]:
    """Yield what systems gained and lost, those that fell first; two releases, or two versions."""
    lead = (
        _(
            "Each release of a system against the one before, and the newest against the first, on the units "
            "that both and the key labelled."
        )
        if releases
        else _("Systems, and annotators, against the reference under both versions.")
    )
    titles = ("CSV", _("By category"), _("By document"))
    files = ((File(name, text),) for name, text in zip(systems_view.files, titles, strict=True))
    yield paragraph(lead, *files)
    yield TableBlock(systems_view.table)
    yield FilesBlock(systems_view.tables)


def _beware(words: Text) -> Paragraph:
    return paragraph(Strong(_("Beware.")), words)


def shortened(names_listed: Sequence[str]) -> str:
    """Return names in a row, the first of them where they are many."""
    if len(names_listed) <= MOST_NAMES:
        return names(names_listed)
    more = len(names_listed) - FIRST_NAMES
    return say("{names} and {count} more", names=names(names_listed[:FIRST_NAMES]), count=count(more))


# Models as annotators


@as_section("models", N_("May a model take an annotator's place?"), N_("Models"))
def models(view: "ReportView") -> Iterator[Block]:
    """Yield whether a model may take an annotator's place; nothing where there is none."""
    if not view.models:
        return
    any_category = any(model.categories for replaced in view.models for model in replaced.models)
    lead = paragraph(
        _(
            "The alternative annotator test of Calderon, Reichart and Dror (2025). Each annotator is left "
            "out in turn: on every unit that the model labelled too, the annotator's label and the model's "
            "are compared with those of others. The model beats an annotator if the test shows that the "
            "annotator is nearer on less than ε more of the units; ε is the price of a person. ω is the "
            "share of annotators beaten, and from one half on the model may take an annotator's place. ρ is "
            "how probable it is that the model is no worse than an annotator drawn at random."
        ),
        File("models.csv"),
        File("models-by-annotator.csv", _("By annotator")),
        File("models-by-category.csv", _("By category")) if any_category else None,
    )
    yield lead
    for replaced in view.models:
        yield from named(view, replaced.layer, _models(view, replaced))
    none = _(
        "None of this says that labels are right, nor that it is so for other texts, guidelines or people."
    )
    yield remark(none)
    yield FilesBlock(
        lambda: models_tables(view.results),
        paper=lambda: (table for own in view.models for table in _in_paper(view, own)),
    )


def _in_paper(view: "ReportView", models: Replacement) -> Iterator[PaperTable]:
    note = say("Nearer to {what}.", what=nearer_to(models))
    caption = (
        _("The alternative annotator test: models beside annotators. No ε is declared.")
        if models.epsilon is None
        else say(
            "The alternative annotator test: models beside annotators, ε = {price}.",
            price=as_declared(models.epsilon),
        )
    )
    table = models_table(view.results, models)
    yield PaperTable(models.layer, table, caption, "models", (note,))


def _models(view: "ReportView", replaced: Replacement) -> Iterator[Block]:
    if replaced.epsilon is None:
        yield paragraph(_("No ε is declared, so there is no verdict."))
    yield Items((*verdicts(replaced), *parted(replaced)))
    for caution in cautions(replaced):
        yield _beware(caution)
    if replaced.epsilon is not None and replaced.why:
        yield paragraph(say("Why ε is {price}:", price=as_declared(replaced.epsilon)))
        yield ReasonBlock(replaced.why)
    yield TableBlock(models_table(view.results, replaced), _("Models as annotators"))
    parting = by_category(view.results, replaced)
    below = (remark(*_of_models(replaced)), *((TableBlock(parting),) if parting else ()))
    yield Details(_("All figures of each model"), below)


def _of_models(replaced: Replacement) -> Iterator[str]:
    yield say_either(
        replaced.unit_set is None,
        "{Marks in texts, document by document|Unit set {set}}. Nearer to {what}.",
        set=replaced.unit_set,
        what=nearer_to(replaced),
    )
    yield _("The interval of ρ comes from documents where they are known, and is for these very annotators.")
    wider = [(model.shown_name, model.for_any_humans) for model in replaced.models if model.for_any_humans]
    if wider:
        shown = names(f"{name} {numbers.interval(interval)}" for name, interval in wider)
        yield say(
            "Its interval for any annotators like these covers their choice too: {models}.", models=shown
        )
    if any(model.cross_replication for model in replaced.models):
        yield _(
            "xRR is agreement of annotators with the model beyond chance: 1 − observed / expected "
            "disagreement (Wong, Paritosh and Aroyo 2021)."
        )
    if any(human.method == "wilcoxon" for model in replaced.models for human in model.humans):
        yield _("Annotators with fewer than 30 units are tested by Wilcoxon's signed ranks.")
    for reason, untested in untested_models(replaced).items():
        yield say("Not tested, because {reason}: {names}.", reason=reason, names=names(untested))
