"""Which categories are confused, at what cost, and which are weak."""

from collections.abc import Iterator

from reportgen.findings.facts import TENTATIVE, Facts, confusions, ends, finding
from reportgen.results import Finding

SHOWN = 3
LEAST_SHARE = 0.1

CONFUSED = (
    "{first} and {second} are confused on {units} units, {disagreement_share} of all disagreements; were every such "
    "case settled, {coefficient} would rise from {value} to about {reached}."
)
CONFUSED_ADVICE = "Add to the guidelines how to tell {first} from {second}, with examples from these units."
MISSED = (
    "{first} or nothing: on {units} units only one annotator marked {first}, {disagreement_share} of all "
    "disagreements; were every such case settled, {coefficient} would rise from {value} to about {reached}."
)
MISSED_ADVICE = (
    "Say in the guidelines when {first} is to be marked at all, and have annotators check for omissions."
)
WEAK = "{category} is annotated below {threshold}: where one annotator chose it, the other did in {agreement} of cases."
WEAK_ADVICE = "Revise the definition of {category}, or merge it with the category it is confused with."
UNUSED = "{category} was never used."
UNUSED_ADVICE = "Ask whether the category is needed; unused ones raise S."


def confused(facts: Facts) -> Iterator[Finding]:
    """Yield the pairs of categories that make up most of the disagreement, with what settling them would bring."""
    figure, pair = facts.figure, facts.pair
    if figure is None or figure.value is None or pair is None:
        return
    found = list(confusions(pair))
    whole = sum(units for *_, units in found)
    for one, other, units in found[:SHOWN]:
        if units / whole < LEAST_SHARE:
            continue
        missed = other == facts.unit_set.non_annotated
        values = {
            "first": one,
            "second": other,
            "units": units,
            "disagreement_share": units / whole,
            "coefficient": facts.name(facts.results.coefficient),
            "value": figure.value,
            # Chance held fixed, disagreement falls in proportion.
            "reached": 1 - (1 - figure.value) * (1 - units / whole),
        }
        claim, advice = (MISSED, MISSED_ADVICE) if missed else (CONFUSED, CONFUSED_ADVICE)
        yield finding("confused", "note", claim, advice, "confusion-matrix", values)


def weak(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for each category whose specific agreement lies below the threshold, interval and all."""
    for category, figure in facts.unit_set.specific_agreement.items():
        span = ends(figure)
        if span and figure.value is not None and span[1] < TENTATIVE:
            values = {"category": category, "threshold": f"{TENTATIVE:g}", "agreement": figure.value}
            yield finding("weak-category", "problem", WEAK, WEAK_ADVICE, "specific-agreement", values)


def unused(facts: Facts) -> Iterator[Finding]:
    """Yield a note for each declared category that nobody used."""
    for category, figure in facts.unit_set.specific_agreement.items():
        if figure.value is None and facts.unit_set.units:
            yield finding(
                "unused-category", "note", UNUSED, UNUSED_ADVICE, "confusion-matrix", {"category": category}
            )
