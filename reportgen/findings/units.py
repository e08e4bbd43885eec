"""What counts as a unit: how much the choice moves the figures, and whether it is justified."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, Message
from reportgen.results import Finding, UnitSet

# A coefficient that moves by more than this from one unit set to another depends on the choice.
MOVES = 0.05
# Two that differ by less are the same on the page.
SAME = 0.0005

CLAIM = (
    "{coefficient} is {lowest} on {lowest_set} ({lowest_units} {lowest_noun}) and {highest} on {highest_set} "
    "({highest_units} {highest_noun}): the choice of units alone moves it by {difference}."
)
ADVICE = "Say which units were counted, and why, wherever the figure is cited."
CHOICE = Message("choice-of-units", "note", "coefficients", CLAIM, ADVICE)
DECISIVE = Message("choice-of-units", "warning", "coefficients", CLAIM, ADVICE)
LIMIT = Message(
    "size-limit",
    "note",
    "size-curve",
    "However many unmarked {noun} are counted, {coefficient} does not pass {limit}; with {units} {noun} it "
    "is {value}. The limit depends on the marked {noun} alone.",
    "Where the number of {noun} is debatable, cite the limit {limit} beside the coefficient.",
)
FALLS = Message(
    "size-limit",
    "note",
    "size-curve",
    "With more and more unmarked {noun} {coefficient} tends to {limit}; with {units} {noun} it is {value}. "
    "The limit depends on the marked {noun} alone.",
    "Where the number of {noun} is debatable, cite the limit {limit} beside the coefficient.",
)
UNJUSTIFIED = Message(
    "unjustified",
    "note",
    "choices",
    "The campaign does not say why {unit_set} are the units.",
    'Add why = "…" to this unit set in campaign.toml.',
)
OMISSION = Message(
    "omission",
    "warning",
    "coefficients",
    "On {unit_set} no unit is jointly unmarked, so that chance-corrected figures measure omission: what one "
    "annotator left out counts as disagreement, what both left out never as agreement.",
    "Use specific agreement or the F-measure on this unit set.",
)


def choice(facts: Facts) -> Iterator[Finding]:
    """Yield how far apart the primary coefficient is between unit sets."""
    known = [(value, each) for each in facts.siblings if (value := _value(facts, each)) is not None]
    if len(known) <= 1:
        return
    (lowest, low), (highest, high) = (best(known, key=lambda each: each[0]) for best in (min, max))
    if highest - lowest < SAME:
        return
    yield (DECISIVE if highest - lowest > MOVES else CHOICE).found(
        coefficient=facts.coefficient,
        difference=highest - lowest,
        lowest=lowest,
        lowest_set=low.id,
        lowest_units=low.units_compared,
        lowest_noun=low.noun,
        highest=highest,
        highest_set=high.id,
        highest_units=high.units_compared,
        highest_noun=high.noun,
    )


def _value(facts: Facts, unit_set: UnitSet) -> float | None:
    figure = unit_set.measures.get(facts.measure)
    return figure.value if figure else None


def limit(facts: Facts) -> Iterator[Finding]:
    """Yield where the primary coefficient tends to as unmarked units are added."""
    curve, value = facts.unit_set.size_curve, _value(facts, facts.unit_set)
    name = facts.measure
    reached = curve.limit.get(name) if curve else None
    if curve is not None and reached is not None and value is not None and reached < 1:
        units = curve.declared
        highest = max((each for each in curve.values[name] if each is not None), default=value)
        message = LIMIT if highest <= reached else FALLS
        yield message.found(coefficient=facts.coefficient, limit=reached, units=units, value=value)


def unjustified(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for each unit set without a reason."""
    for each in facts.siblings:
        if not each.why.strip():
            yield UNJUSTIFIED.found(unit_set=each.id)


def omission(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for unit sets of what somebody marked."""
    for each in facts.siblings:
        if each.kind == "annotated-by-any":
            yield OMISSION.found(unit_set=each.id)
