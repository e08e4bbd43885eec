"""What are the labels of a crowd worth together? What a report on crowds opens with."""

from collections.abc import Iterator
from dataclasses import replace

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
MEAN = "their reliability is {value} ({low} to {high})"
OF_MEAN: dict[Level, FindingTemplate] = {
    "high": VERDICT.saying(
        f"The {{per_unit}} labels of a unit, taken together, are reliable: {MEAN}.",
        severity="good",
    ),
    "tentative": VERDICT.saying(
        f"The {{per_unit}} labels of a unit, taken together, may be used with caution: {MEAN}.",
        severity="note",
    ),
    "open": VERDICT.saying(
        f"It is undecided whether the {{per_unit}} labels of a unit, taken together, are reliable: {MEAN}."
    ),
    "low": VERDICT.saying(
        f"The {{per_unit}} labels of a unit, even taken together, are not reliable: {MEAN}.",
        severity="problem",
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
    "People agree least on “{category}”: {value} beyond chance, at least {least} on each other category.",
    "Write down when to choose {category}.",
)
MORE = FindingTemplate("more-labels", "warning", "aggregate", of_data="limitation")
ENOUGH = MORE.saying(
    "With {enough} labels a unit, two majorities would agree with alpha {reached}.",
    "Have units labelled {enough} times, those first on which labels differ.",
)
NEVER = MORE.saying(
    "{most} labels a unit would not be enough either: two majorities would agree with alpha {reached}.",
    "Pay for no more labels: have an expert decide the units without a majority, or leave them out.",
)
NEVER_WEAKEST = replace(NEVER, categories=("category",)).saying(
    "{most} labels a unit would not be enough either ({reached}): people differ on when to choose "
    "“{category}”.",
    "Pay for no more labels: write down when to choose {category}.",
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
    if own is not None and figure is not None and figure.value is not None:
        yield RESTS.finding(
            coefficient=facts.coefficient,
            single=figure.value,
            per_unit=own.usual or f"{own.labels:.3g}",
            minimum=TENTATIVE,
        )


def cause(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what stands in the way of the only layer: a label, and whether more labels would help."""
    if len(facts.results.layers) > 1 or verdicts.suggested_scale(facts):
        return
    category, more = weakest(facts), next(_more(facts), None)
    if more is not None and more.claim == NEVER.claim:
        own = NEVER_WEAKEST.finding(**{**more.values, **category}) if category else more
    elif category:
        own = WEAKEST.finding(**category)
    else:
        return
    yield own.model_copy(update={"kind": "cause", "subject": "crowd"})


def weakest(facts: LayerFacts) -> Values:
    """Return the category on which agreement is lowest, where its interval is below those of all others."""
    every = facts.unit_set.against_rest
    figures = {name: own[facts.measure] for name, own in every.items() if facts.measure in own}
    spans = {name: span for name, figure in figures.items() if (span := ends(figure))}
    # Of two categories one is as clear as the other.
    if len(spans) < LEAST_CATEGORIES:
        return {}
    lowest = min(spans, key=lambda name: (spans[name][1], name))
    others = [name for name in spans if name != lowest]
    if spans[lowest][1] >= min(spans[name][0] for name in others):
        return {}
    least = min(figures[name].value or 0.0 for name in others)
    return {"category": lowest, "value": figures[lowest].value, "least": least}


def _more(facts: LayerFacts) -> Iterator[Finding]:
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


def more_labels(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the same, but for what the cause of the only layer says already."""
    said = {own.claim for own in cause(facts)} & {NEVER.claim, NEVER_WEAKEST.claim}
    yield from (own for own in _more(facts) if not said)
