"""What counts as a unit: how much the choice moves the figures, and whether it is justified."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, finding
from reportgen.results import Finding, UnitSet

MOVES = 0.05
SOLD_OUT = "annotated-by-any"

CHOICE = (
    "{coefficient} is {lowest} on {lowest_set} ({lowest_units} units) and {highest} on {highest_set} "
    "({highest_units} units): the choice of units alone moves it by {difference}."
)
CHOICE_ADVICE = "Say which units were counted, and why, wherever the figure is cited."
LIMIT = (
    "However many unmarked units are counted, {coefficient} does not pass {limit}; with {units} units it is "
    "{value}. The limit depends on the marked units alone."
)
LIMIT_ADVICE = "Where the number of units is debatable, cite the limit {limit} beside the coefficient."
UNJUSTIFIED = "The campaign does not say why {unit_set} are the units."
UNJUSTIFIED_ADVICE = 'Add why = "…" to this unit set in campaign.toml.'
OMISSION = (
    "On {unit_set} no unit is jointly unmarked, so that chance-corrected figures measure omission: what one "
    "annotator left out counts as disagreement, what both left out never as agreement."
)
OMISSION_ADVICE = "Use specific agreement or the F-measure on this unit set."


def choice(facts: Facts) -> Iterator[Finding]:
    """Yield how far apart the primary coefficient is between unit sets."""
    known = [(value, each) for each in facts.siblings if (value := _value(facts, each)) is not None]
    if len(known) < 2:  # noqa: PLR2004 - a comparison takes two
        return
    lowest, highest = min(known, key=lambda each: each[0]), max(known, key=lambda each: each[0])
    difference = highest[0] - lowest[0]
    values = {
        "coefficient": facts.name(facts.results.coefficient),
        "difference": difference,
        **_named("lowest", *lowest),
        **_named("highest", *highest),
    }
    severity = "warning" if difference > MOVES else "note"
    yield finding("choice-of-units", severity, CHOICE, CHOICE_ADVICE, "coefficients", values)


def _value(facts: Facts, unit_set: UnitSet) -> float | None:
    figure = unit_set.measures.get(facts.results.coefficient)
    return figure.value if figure else None


def _named(prefix: str, value: float, unit_set: UnitSet) -> dict[str, str | int | float]:
    return {prefix: value, f"{prefix}_set": unit_set.id, f"{prefix}_units": unit_set.units}


def limit(facts: Facts) -> Iterator[Finding]:
    """Yield where the primary coefficient tends to as unmarked units are added."""
    curve, value = facts.unit_set.size_curve, _value(facts, facts.unit_set)
    reached = curve.limit.get(facts.results.coefficient) if curve else None
    if reached is None or value is None or reached >= 1:
        return
    values = {
        "coefficient": facts.name(facts.results.coefficient),
        "limit": reached,
        "units": facts.unit_set.units,
        "value": value,
    }
    yield finding("size-limit", "note", LIMIT, LIMIT_ADVICE, "size-curve", values)


def unjustified(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for each unit set without a reason."""
    for each in facts.results.unit_sets:
        if not each.why.strip():
            values = {"unit_set": each.id}
            yield finding("unjustified", "warning", UNJUSTIFIED, UNJUSTIFIED_ADVICE, "choices", values)


def omission(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for unit sets of what somebody marked."""
    for each in facts.results.unit_sets:
        if each.kind == SOLD_OUT:
            yield finding(
                "omission", "warning", OMISSION, OMISSION_ADVICE, "coefficients", {"unit_set": each.id}
            )
