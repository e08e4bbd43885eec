"""Models beside one human on a terminal: agreement, errors by category, shares as reported and corrected."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reportgen.cli.terminal import foremost, table, wrapped
from reportgen.findings.of_judges import KAPPA, rarest
from reportgen.results.annotators import Comparison, Judge, JudgedCategory, ModelsBesideOneHuman
from reportgen.words.numbers import estimate as estimate_text
from reportgen.words.numbers import figure as figure_text
from reportgen.words.numbers import percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

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
    for sentence in _sentences(results):
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


def _sentences(results: ModelsBesideOneHuman) -> Iterator[str]:
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
