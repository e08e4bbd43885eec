"""What are the labels of a crowd worth together? What a report on crowds opens with."""

from collections.abc import Iterator

from reportgen.findings import verdicts
from reportgen.findings.layer_facts import (
    RELIABLE,
    TENTATIVE,
    FindingTemplate,
    LayerFacts,
    Values,
    answer_of,
    ends,
)
from reportgen.findings.verdicts import level_of
from reportgen.results import Figure, Finding, SubjectFigure
from reportgen.results.model import Level
from reportgen.results.unit_sets import AggregateReliability

VERDICT = FindingTemplate(
    "verdict", "warning", "aggregate", kind="verdict", of_data="limitation", subject="crowd"
)
MAJORITY = "two such votes on each unit would agree with alpha {value} ({low} to {high})"
OF_MAJORITY: dict[Level, FindingTemplate] = {
    "high": VERDICT.saying(
        f"Majority votes of {{per_unit}} labels are reliable: {MAJORITY}.", severity="good"
    ),
    "tentative": VERDICT.saying(
        f"Majority votes of {{per_unit}} labels may be used with caution: {MAJORITY}.", severity="note"
    ),
    "open": VERDICT.saying(
        "It is undecided whether majority votes of {per_unit} labels are reliable enough to build on: "
        f"{MAJORITY}."
    ),
    "low": VERDICT.saying(
        f"Majority votes of {{per_unit}} labels are not reliable enough to build on: {MAJORITY}.",
        severity="problem",
    ),
}
MEAN = "the mean of {per_unit} labels has a reliability of {value} ({low} to {high})"
OF_MEAN: dict[Level, FindingTemplate] = {
    "high": VERDICT.saying(f"A unit's labels are reliable together: {MEAN}.", severity="good"),
    "tentative": VERDICT.saying(
        f"A unit's labels may be used together with caution: {MEAN}.", severity="note"
    ),
    "open": VERDICT.saying(
        f"It is undecided whether a unit's labels are reliable enough together to build on: {MEAN}."
    ),
    "low": VERDICT.saying(
        f"A unit's labels are not reliable enough together to build on: {MEAN}.", severity="problem"
    ),
}
ALONE = VERDICT.saying(
    "The data do not show how reliable a unit's labels are together: the reliability of {per_unit} labels is "
    "{value}, without an interval."
)

RESTS = FindingTemplate("caveat", "note", "aggregate", kind="caveat").saying(
    "One label alone reaches {coefficient} {single}; units have {per_unit} labels. The usual minimum is "
    "{minimum}."
)
WEAKEST = FindingTemplate(
    "weakest", "note", "specific-agreement", kind="cause", categories=("category",), subject="crowd"
).saying(
    "Annotators agree least on “{category}”: {value} beyond chance, and at least {least} on each other "
    "category.",
    "Decide when to choose {category}.",
)
MORE = FindingTemplate("more-labels", "warning", "aggregate", of_data="limitation")
ENOUGH = MORE.saying(
    "With {enough} labels a unit, majorities would agree with alpha {reached}, as far as these labels show.",
    "Have units labelled {enough} times, those first on which labels differ.",
)
NEVER = MORE.saying(
    "Even with {most} labels a unit, majorities would only agree with alpha {reached}: some units have no "
    "label on which people agree.",
    "Make the guidelines clearer for the units on which labels differ, or leave these out: more labels do "
    "not settle them.",
)


LEAST_CATEGORIES = 3


def together(facts: LayerFacts) -> AggregateReliability | None:
    """Return how reliable the labels of a layer's units are together."""
    return next((own for own in facts.results.aggregates or () if own.layer == facts.layer), None)


def verdict(facts: LayerFacts) -> Iterator[Finding]:
    """Yield how reliable a unit's labels are together, by the interval; one label's verdict without it."""
    own = together(facts)
    judged = _judged(own) if own else None
    if judged is None or judged[0].value is None:
        yield from verdicts.verdict(facts)
        return
    figure, templates, labels = judged
    span = ends(figure)
    if span is None:
        yield ALONE.finding(per_unit=labels, value=figure.value)
        return
    level = level_of(*span)
    values: Values = {"per_unit": labels, "value": figure.value, "low": span[0], "high": span[1]}
    yield templates["low" if level == "below-chance" else level].finding(**values)


def _judged(own: AggregateReliability) -> tuple[Figure, dict[Level, FindingTemplate], int | str]:
    """Return the figure of all labels of a unit together, what to say of it, and of how many it is."""
    if own.of_majority is not None:
        return own.of_majority, OF_MAJORITY, own.usual or 0
    return own.reliability, OF_MEAN, f"{own.labels:.3g}"


def answer(facts: LayerFacts) -> SubjectFigure | None:
    """Return how reliable a unit's labels are together; None where that is not known."""
    own = together(facts)
    if own is None:
        return None
    figure, _templates, labels = _judged(own)
    if figure.value is None:
        return None
    number = labels if isinstance(labels, int) else None
    return answer_of(facts, own.coefficient, figure, labels=number, units=own.units)


def caveat(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what one label alone is worth."""
    own, figure = together(facts), facts.figure
    if own is None or figure is None or figure.value is None:
        yield from verdicts.caveat(facts)
    else:
        yield RESTS.finding(
            coefficient=facts.coefficient,
            single=figure.value,
            per_unit=own.usual or f"{own.labels:.3g}",
            minimum=TENTATIVE,
        )


def weakest(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the category on which agreement is lowest, where its interval is below those of all others."""
    if len(facts.results.layers) > 1 or verdicts.suggested_scale(facts):
        return
    every = facts.unit_set.against_rest
    figures = {name: own[facts.measure] for name, own in every.items() if facts.measure in own}
    spans = {name: span for name, figure in figures.items() if (span := ends(figure))}
    # Of two categories one is as clear as the other.
    if len(spans) < LEAST_CATEGORIES:
        return
    lowest = min(spans, key=lambda name: (spans[name][1], name))
    others = [name for name in spans if name != lowest]
    if spans[lowest][1] < min(spans[name][0] for name in others):
        least = min(figures[name].value or 0.0 for name in others)
        yield WEAKEST.finding(category=lowest, value=figures[lowest].value, least=least)


def more_labels(facts: LayerFacts) -> Iterator[Finding]:
    """Yield how many labels a unit are enough for a reliable majority, or that no number is."""
    own = together(facts)
    if own is None or own.of_majority is None or (own.of_majority.value or 0.0) >= RELIABLE:
        return
    reached = [
        (number.annotators, number.majority.value)
        for number in own.by_annotators
        if number.annotators > (own.usual or 0)
        and number.majority is not None
        and number.majority.value is not None
    ]
    enough = [pair for pair in reached if pair[1] >= RELIABLE]
    if enough:
        yield ENOUGH.finding(enough=enough[0][0], reached=enough[0][1])
    elif reached:
        yield NEVER.finding(most=reached[-1][0], reached=reached[-1][1])
