"""What a terminal shows of models as annotators: each against every human, and a sentence on what follows."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportgen.cli.terminal import add_row, table_of, wrapped
from reportgen.results.annotators import (
    AlternativeTest,
    HeldOutHuman,
    ModelReplacement,
    Replacement,
    WinningRate,
)
from reportgen.words.numbers import decimal, interval, p_value
from reportgen.words.numbers import estimate as estimate_text
from reportgen.words.numbers import figure as figure_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MOST_HUMANS = 20
# Of the winning rate at every price, those that are printed.
EVERY = 5
LEVEL = 0.05


def show_replacement(found: Replacement, out: "Console") -> None:
    """Print the models in the order of their ρ, each against every human, and the verdicts."""
    out.print()
    what = f"to {found.expert}" if found.expert else "to the other humans of a unit"
    price = f"ε = {found.epsilon:g}" if found.epsilon is not None else "no ε declared, so no verdict"
    head = f"May a model take a human's place? Who is nearer {what}, by {found.score}; {price}."
    out.print(wrapped(head))
    out.print(_models(found))
    for model in found.models:
        out.print(_humans(model))
    if found.epsilon is None:
        out.print("Share of humans beaten, by ε:")
        out.print(_curves(found))
    for sentence in _sentences(found):
        out.print(wrapped(sentence))


def _models(found: Replacement) -> "Table":
    table = table_of(
        "model", "units", "ρ [95% interval]", "humans beaten", "by document", "xRR", "normalised"
    )
    for each in found.models:
        cross = each.cross_replication
        add_row(
            table,
            each.model,
            f"{each.instances:,}",
            each.advantage.undefined or estimate_text(each.advantage),
            _rate(each.independent),
            _rate(each.clustered),
            figure_text(cross.between.value if cross else None),
            figure_text(cross.normalised if cross else None),
        )
    return table


def _rate(rate: WinningRate | None) -> str:
    return (
        ""
        if rate is None or rate.value is None
        else f"{rate.beaten} of {rate.tested}, ω {figure_text(rate.value)}"
    )


def _humans(model: ModelReplacement) -> "Table":
    """Return one model against each human, of a crowd against the first."""
    table = table_of(
        f"{model.model} against", "units", "model", "human", "human less model", "t", "p", "beaten"
    )
    for each in model.humans[:MOST_HUMANS]:
        add_row(table, each.annotator, f"{each.instances:,}", *_tested(each))
    if len(model.humans) > MOST_HUMANS:
        add_row(table, f"… {len(model.humans) - MOST_HUMANS} more (--json)", *[""] * 7)
    return table


def _tested(human: HeldOutHuman) -> tuple[str, ...]:
    if human.model is None or human.human is None or human.difference is None:
        return ("", "", "", "", "", "not tested")
    shares = (figure_text(human.model), figure_text(human.human), figure_text(human.difference))
    return (*shares, *_test(human.independent, by_ranks=human.method == "wilcoxon"))


def _test(test: AlternativeTest | None, *, by_ranks: bool) -> tuple[str, str, str]:
    if test is None or test.p is None:
        return ("", "", "")
    statistic = "" if test.statistic is None else f"{'W ' if by_ranks else ''}{decimal(test.statistic)}"
    return statistic, p_value(test.p), "yes" if test.beaten else "no"


def _curves(found: Replacement) -> "Table":
    curves = {each.model: each.curve for each in found.models if each.curve}
    prices = next((each.epsilon[::EVERY] for each in curves.values()), ())
    table = table_of("ε", *(f"{price:g}" for price in prices))
    for model, curve in curves.items():
        add_row(table, model, *(figure_text(rate) for rate in curve.independent[::EVERY]))
    return table


def _sentences(found: Replacement) -> Iterator[str]:
    """Yield the verdict on each model, what it does not mean, and where it hangs on how units are taken."""
    for each in found.models:
        rate = each.independent
        if rate is not None and rate.passes is not None:
            may = "may take a human's place" if rate.passes else "may not take a human's place"
            share = f"it beat {rate.beaten} of {rate.tested}, and half is needed"
            yield f"{each.model} {may} at ε = {found.epsilon:g}: {share}."
        if each.advantage.undefined:
            yield f"{each.model}: {each.advantage.undefined}."
        if each.differ:
            yield (
                f"With units clustered by document the answer for {each.model} is another: units of one "
                "document are not independent, as the test of the paper takes them."
            )
        if each.agreement and each.agreement.difference is not None:
            without, more, apart = each.agreement.first, each.agreement.second, each.agreement
            yield (
                f"With {each.model} as one more human, {each.coefficient} is {figure_text(more.value)} and "
                f"not {figure_text(without.value)}, {figure_text(apart.difference)} apart "
                f"{interval(apart.interval)}".rstrip()
                + "."
            )
        parted = [part for part in each.categories if (part.adjusted_p or 1) < LEVEL]
        if fewer := [part.category for part in parted if (part.difference.value or 0) < 0]:
            yield f"Where humans say {', '.join(fewer)}, {each.model} agrees less than another human does."
        if any(human.method == "wilcoxon" for human in each.humans):
            yield "Humans with fewer than 30 units were tested by Wilcoxon's signed ranks (W), not by t."
    yield (
        "It does not say that labels are right, nor that it is so for other texts, guidelines or people. "
        "Calderon, Reichart and Dror (2025), ACL."
    )
