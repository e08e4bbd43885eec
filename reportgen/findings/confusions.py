"""Which categories are confused, at what cost, and which are weak."""

import math
from collections.abc import Iterator

from reportgen.findings.facts import TENTATIVE, Facts, Message, confusions, ends
from reportgen.results import Finding, Scalar

SHOWN = 3
LEAST_SHARE = 0.1
# A single unit is no pattern.
LEAST_UNITS = 2

COST = (
    "{disagreement_share} of all disagreements; were every such case settled, {coefficient} would rise from "
    "{value} to about {reached}."
)
CONFUSED = Message(
    "confused",
    "note",
    "confusion-matrix",
    f"{{first}} and {{second}} are confused on {{units}} units, {COST}",
    "Add to the guidelines how to tell {first} from {second}, with examples from these units.",
)
MISSED = Message(
    "confused",
    "note",
    "confusion-matrix",
    f"{{first}} or nothing: on {{units}} units only one annotator marked {{first}}, {COST}",
    "Say in the guidelines when {first} is to be marked at all, and have annotators check for omissions.",
)
CONFUSED_AMONG = Message(
    "confused", "note", "confusion-matrix", f"{{first}} and {{second}} are confused: {COST}", CONFUSED.advice
)
MISSED_AMONG = Message(
    "confused",
    "note",
    "confusion-matrix",
    f"{{first}} or nothing: where some annotators marked {{first}} and others nothing lie {COST}",
    MISSED.advice,
)
CONFUSED_SHARE = Message(
    "confused",
    "note",
    "confusion-matrix",
    "{first} and {second} are confused: {disagreement_share} of all disagreements.",
    CONFUSED.advice,
)
MISSED_SHARE = Message(
    "confused",
    "note",
    "confusion-matrix",
    "{first} or nothing: where some annotators marked {first} and others nothing lie {disagreement_share} of "
    "all disagreements.",
    MISSED.advice,
)
WEAK = Message(
    "weak-category",
    "problem",
    "specific-agreement",
    "{category} is annotated below {threshold}: where one annotator chose it, the other did in "
    "{agreement_share} of cases.",
    "Revise the definition of {category}, or merge it with the category it is confused with.",
)
UNUSED = Message(
    "unused-category",
    "note",
    "confusion-matrix",
    "{category} was never used.",
    "Ask whether the category is needed; unused ones raise S.",
)


def confused(facts: Facts) -> Iterator[Finding]:
    """Yield the categories that make up most of the disagreement, with what settling them would bring."""
    figure, found = facts.figure, list(confusions(facts.unit_set))
    if figure is None or figure.value is None:
        return
    whole = math.fsum(units for *_, units in found)
    for one, other, units in found[:SHOWN]:
        share = units / whole
        if share >= LEAST_SHARE and units >= LEAST_UNITS:
            yield _confused(facts, (one, other), units, share)


def _confused(facts: Facts, names: tuple[str, str], units: float, share: float) -> Finding:
    missed = names[1] == facts.unit_set.non_annotated
    values: dict[str, Scalar] = {"first": names[0], "second": names[1], "disagreement_share": share}
    value = facts.figure.value if facts.figure else None
    if value is None or "[" in facts.results.coefficient:
        # With weights, disagreement does not fall in proportion to its cases.
        return (MISSED_SHARE if missed else CONFUSED_SHARE).found(**values)
    # Chance held fixed, disagreement falls in proportion.
    values |= {"coefficient": facts.coefficient, "value": value, "reached": 1 - (1 - value) * (1 - share)}
    if facts.pair is None:
        return (MISSED_AMONG if missed else CONFUSED_AMONG).found(**values)
    return (MISSED if missed else CONFUSED).found(units=round(units), **values)


def weak(facts: Facts) -> Iterator[Finding]:
    """Yield a problem for each category whose agreement, interval and all, is below the threshold."""
    for category in facts.unit_set.categories:
        figure = facts.unit_set.specific_agreement[category]
        span = ends(figure)
        if span and figure.value is not None and span[1] < TENTATIVE:
            yield WEAK.found(category=category, threshold=f"{TENTATIVE:g}", agreement_share=figure.value)


def unused(facts: Facts) -> Iterator[Finding]:
    """Yield a note for each declared category that nobody used."""
    for category in facts.unit_set.categories:
        if facts.unit_set.labels[category] == 0 and facts.unit_set.units:
            yield UNUSED.found(category=category)
