"""The CSV tables of models: each of them, each annotator it is held against, and each price of a person."""

from collections.abc import Iterator

from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Results
from reportgen.results.annotators import AlternativeTest, HeldOutHuman, ModelReplacement, Replacement

WHO = tuple(TableColumn(name, name) for name in ("layer", "unit_set", "model"))
MODELS = (
    *WHO,
    TableColumn("role", "role"),
    TableColumn("units", "units with a label of the model and of enough annotators", "count"),
    TableColumn("documents", "documents", "count"),
    TableColumn("epsilon", "the price of a person", "figure"),
    TableColumn("tested", "annotators tested", "count"),
    TableColumn("beaten", "annotators beaten", "count"),
    TableColumn("beaten_by_document", "annotators beaten, clustered by document", "count"),
    TableColumn("winning_rate", "share of annotators beaten", "figure"),
    TableColumn("winning_rate_by_document", "share beaten, clustered by document", "figure"),
    TableColumn("advantage", "average advantage probability", "estimate"),
    TableColumn("cross_replication", "xRR", "estimate"),
    TableColumn("normalised", "xRR, normalised", "figure"),
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
PRICES = (
    *WHO,
    TableColumn("epsilon", "the price of a person", "figure"),
    TableColumn("winning_rate", "share of annotators beaten", "figure"),
    TableColumn("winning_rate_by_document", "share beaten, clustered by document", "figure"),
)


def models_tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV tables of all layers, nothing where there are no models."""
    known = [(whole, each) for whole in results.replacement or () for each in whole.models]
    if not known:
        return
    models = tuple(_model(*pair) for pair in known)
    humans = tuple(_human(*pair, each) for pair in known for each in pair[1].humans)
    prices = tuple(row for pair in known for row in _prices(*pair))
    yield ReportTable("models", "", MODELS, models, file="models.csv")
    yield ReportTable("models-by-annotator", "", HUMANS, humans, file="models-by-annotator.csv")
    yield ReportTable("models-by-price", "", PRICES, prices, file="models-by-price.csv")


def _who(whole: Replacement, model: ModelReplacement) -> tuple[Cell, ...]:
    return whole.layer, whole.unit_set, model.model


def _model(whole: Replacement, model: ModelReplacement) -> tuple[Cell, ...]:
    own, other, cross = model.independent, model.clustered, model.cross_replication
    behind = next((each for each in whole.behind if each.model == model.model), None)
    return (
        *_who(whole, model),
        model.role,
        model.instances,
        model.documents,
        whole.epsilon,
        own.tested if own else None,
        own.beaten if own else None,
        other.beaten if other else None,
        own.value if own else None,
        other.value if other else None,
        model.advantage,
        cross.between if cross else None,
        cross.normalised if cross else None,
        *((behind.difference, behind.p, behind.adjusted_p) if behind else (None, None, None)),
    )


def _human(whole: Replacement, model: ModelReplacement, human: HeldOutHuman) -> tuple[Cell, ...]:
    return (
        *_who(whole, model),
        human.annotator,
        human.instances,
        human.model,
        human.human,
        human.difference,
        human.method or "",
        *_test(human.independent),
        *_test(human.clustered),
        human.undefined or "",
    )


def _test(test: AlternativeTest | None) -> tuple[Cell, ...]:
    if test is None:
        return None, None, None, None, ""
    beaten = "" if test.beaten is None else "yes" if test.beaten else "no"
    return test.statistic, test.degrees, test.p, test.adjusted_p, beaten


def _prices(whole: Replacement, model: ModelReplacement) -> Iterator[tuple[Cell, ...]]:
    if curve := model.curve:
        clustered = curve.clustered or (None,) * len(curve.epsilon)
        for row in zip(curve.epsilon, curve.independent, clustered, strict=True):
            yield *_who(whole, model), *row
