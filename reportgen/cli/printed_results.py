"""Results on a terminal: models as annotators, and models beside one human."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reportgen.cli.terminal import foremost, table, wrapped
from reportgen.findings.of_judges import KAPPA, rarest
from reportgen.results.annotators import (
    Comparison,
    HeldOutHuman,
    Judge,
    JudgedCategory,
    ModelReplacement,
    ModelsBesideOneHuman,
    Replacement,
    WinningRate,
)
from reportgen.words.numbers import decimal, interval, p_value, percent
from reportgen.words.numbers import estimate as estimate_text
from reportgen.words.numbers import figure as figure_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# Models as annotators: each against every human, and a sentence on what follows.

MOST_HUMANS = 20
# Of the winning rate at every price, those that are printed.
EVERY = 5
LEVEL = 0.05


def show_replacement(results: Replacement, out: "Console") -> None:
    """Print the models in the order of their ρ, each against every human, and the verdicts."""
    out.print()
    nearer_to = f"to {results.expert}" if results.expert else "to the other humans of a unit"
    price = f"ε = {results.epsilon:g}" if results.epsilon is not None else "no ε declared, so no verdict"
    head = f"May a model take a human's place? Who is nearer {nearer_to}, by {results.score}; {price}."
    out.print(wrapped(head))
    out.print(table(MODEL_COLUMNS, map(_model, results.models)))
    for model in results.models:
        # Of a crowd the first are shown.
        columns = (f"{model.model} against", *HUMAN_COLUMNS)
        rows = map(_human, model.humans[:MOST_HUMANS])
        out.print(table(columns, rows, len(model.humans) - MOST_HUMANS))
    if results.epsilon is None:
        out.print("Share of humans beaten, by ε:")
        curves = [(model.model, model.curve) for model in results.models if model.curve]
        prices = curves[0][1].epsilon[::EVERY] if curves else ()
        rates = ((name, *map(figure_text, curve.independent[::EVERY])) for name, curve in curves)
        out.print(table(("ε", *(f"{price:g}" for price in prices)), rates))
    for sentence in _sentences(results):
        out.print(wrapped(sentence))


HUMAN_COLUMNS = ("units", "model", "human", "human less model", "t", "p", "beaten")
MODEL_COLUMNS = ("model", "units", "ρ [95% interval]", "humans beaten", "by document", "xRR", "normalised")


def _model(model: ModelReplacement) -> tuple[str, ...]:
    cross = model.cross_replication
    return (
        model.model,
        f"{model.instances:,}",
        model.advantage.undefined or estimate_text(model.advantage),
        _rate(model.independent),
        _rate(model.clustered),
        figure_text(cross.between.value if cross else None),
        figure_text(cross.normalised if cross else None),
    )


def _rate(rate: WinningRate | None) -> str:
    if rate is None or rate.value is None:
        return ""
    return f"{rate.beaten} of {rate.tested}, ω {figure_text(rate.value)}"


def _human(human: HeldOutHuman) -> tuple[str, ...]:
    """Return a human whom a model is compared with: who is nearer to the others, and the test of it."""
    head, test = (human.annotator, f"{human.instances:,}"), human.independent
    if human.model is None or human.human is None or human.difference is None:
        return (*head, "", "", "", "", "", "not tested")
    shares = (*head, figure_text(human.model), figure_text(human.human), figure_text(human.difference))
    if test is None or test.p is None:
        return shares
    by_ranks = "W " if human.method == "wilcoxon" else ""
    statistic = "" if test.statistic is None else f"{by_ranks}{decimal(test.statistic)}"
    return (*shares, statistic, p_value(test.p), "yes" if test.beaten else "no")


def _sentences(results: Replacement) -> Iterator[str]:
    """Yield the verdict on each model, what it does not mean, and where it depends on how units are taken."""
    for model in results.models:
        rate = model.independent
        if rate is not None and rate.passes is not None:
            may = "may take a human's place" if rate.passes else "may not take a human's place"
            share = f"it beat {rate.beaten} of {rate.tested}, and half is needed"
            yield f"{model.model} {may} at ε = {results.epsilon:g}: {share}."
        if model.advantage.undefined:
            yield f"{model.model}: {model.advantage.undefined}."
        if model.differ:
            yield (
                f"With units clustered by document the answer for {model.model} is another: units of one "
                "document are not independent, as the test of the paper takes them."
            )
        if model.agreement and model.agreement.difference is not None:
            without, more, change = model.agreement.first, model.agreement.second, model.agreement
            yield (
                f"With {model.model} as one more human, {model.coefficient} is {figure_text(more.value)} and "
                f"not {figure_text(without.value)}, {figure_text(change.difference)} apart "
                f"{interval(change.interval)}".rstrip()
                + "."
            )
        parted = [part for part in model.categories if (part.adjusted_p or 1) < LEVEL]
        if fewer := [part.category for part in parted if (part.difference.value or 0) < 0]:
            yield f"Where humans say {', '.join(fewer)}, {model.model} agrees less than another human does."
        if any(human.method == "wilcoxon" for human in model.humans):
            yield "Humans with fewer than 30 units were tested by Wilcoxon's signed ranks (W), not by t."
    yield (
        "It does not say that labels are right, nor that it is so for other texts, guidelines or people. "
        "Calderon, Reichart and Dror (2025), ACL."
    )


MOST_CATEGORIES = 20
OBSERVED = "observed_agreement"
MODEL = "model"
Categories = Sequence[tuple[str, JudgedCategory]]


def show_judges(results: ModelsBesideOneHuman, primary: tuple[str, str], out: "Console") -> None:
    """Print each model beside the human, then its errors by category, then the shares that it reports.

    `primary` is the figure that the scale calls for, and its name: it is shown where there is no kappa.
    """
    for sentence in _selected(results.judges):
        out.print(wrapped(sentence))
    beside = [pair for pair in results.comparisons if pair.role == MODEL]
    has_kappa = all(KAPPA in pair.measures for pair in beside)
    measure, name = (KAPPA, "Cohen's kappa") if has_kappa else primary
    head = ("model", "compared with", "units in common", f"{name} [95% interval]", "observed agreement")
    out.print(table(head, (_agreement(pair, measure) for pair in beside)))
    for judge in results.judges:
        categories = list(judge.categories.items())
        shown = foremost(categories, MOST_CATEGORIES, lambda item: item[1].human + item[1].model)
        more = len(categories) - len(shown)
        out.print(_errors(judge, shown, more))
        out.print(_shares(judge, shown, more))
    for sentence in _sentences_on_judges(results):
        out.print(wrapped(sentence))


def _agreement(pair: Comparison, measure: str) -> tuple[str, ...]:
    figures = (pair.measures.get(name) for name in (measure, OBSERVED))
    shown = (estimate_text(each) or (each.undefined or "" if each else "") for each in figures)
    return (pair.other, pair.key, f"{pair.units or 0:,}", *shown)


def _errors(judge: Judge, shown: Categories, more: int) -> "Table":
    """Return how often a model is right about each category, all others being one."""
    head = (f"{judge.model}: category", f"by {judge.human}", "by the model", "by both")
    rows = (
        (
            name,
            *(f"{number:,}" for number in (own.human, own.model, own.both)),
            estimate_text(own.sensitivity),
            estimate_text(own.specificity),
        )
        for name, own in shown
    )
    return table((*head, "sensitivity", "specificity"), rows, more)


def _shares(judge: Judge, shown: Categories, more: int) -> "Table":
    """Return what share of the units each category has: by the human, by the model, and corrected."""
    of_all = judge.alone > 0 and judge.selected is None
    head = (f"{judge.model}: share of", f"{judge.human} finds", "it reports")
    corrected = ("corrected", "Rogan-Gladen") if of_all else ()
    rows = (
        (
            name,
            estimate_text(own.human_share),
            estimate_text(own.reported_share),
            *((estimate_text(own.corrected_share), figure_text(own.rogan_gladen)) if of_all else ()),
        )
        for name, own in shown
    )
    return table((*head, *corrected), rows, more)


def _selected(judges: Sequence[Judge]) -> Iterator[str]:
    """Yield which models have been compared on units that are no random part of what they labelled."""
    for judge in judges:
        if judge.selected:
            own = judge.selected
            yield (
                f"The {judge.units:,} units that {judge.human} labelled are no random part of those that "
                f"{judge.model} labelled: {judge.model} calls {percent(own.labelled_share)} of them "
                f"{own.category}, and {percent(own.further_share)} of the {judge.alone:,} others. All "
                "figures are of these units alone, and no share is corrected. Draw units at random, and have "
                f"{judge.human} label those."
            )


def _sentences_on_judges(results: ModelsBesideOneHuman) -> Iterator[str]:
    """Yield which units shares are of, and by what they were corrected."""
    for judge in results.judges:
        human, model = judge.human, judge.model
        if judge.selected:
            continue
        if judge.alone:
            yield (
                f"{human} labelled {judge.units:,} of the {judge.units + judge.alone:,} units that {model} "
                f"labelled. The corrected share is that of all of them, if {human} labelled a random part: "
                "prediction-powered inference, Angelopoulos et al. (2023), Science 382."
            )
            name, category = rarest(judge)
            fewer = [goal for goal in category.labels_needed or () if goal.units < judge.units + judge.alone]
            for goal in fewer[-1:]:
                yield (
                    f"To know the share of {name} to within ± {goal.half_width:g}, {human} has to label "
                    f"about {goal.units:,} units in all, in addition to {model}'s labels, or {goal.alone:,} "
                    "without them."
                )
        else:
            yield f"{human} labelled all units that {model} labelled: the share that {human} finds is right."
    if results.judges:
        yield (
            "Sensitivity is the share of what the human calls so that the model finds, specificity the share "
            "of all else that it leaves alone."
        )
