"""What the primary coefficient would be without somebody who stands out, as findings say it."""

from collections.abc import Mapping

from reportgen.findings.facts import Facts
from reportgen.results import Value
from reportgen.results.quality import Standing

# What a reader sees of a figure.
LEAST_GAIN = 0.001

WITHOUT = " Without {annotator}, {coefficient} would be {without} instead of {value}."
JUSTIFY = " To leave somebody out after seeing these figures is a choice that a report has to justify."


def standings(facts: Facts) -> dict[str, Standing]:
    """Return how each of the layer's annotators compares with the others, by name; nothing of two."""
    own = [each for each in facts.results.quality or () if each.layer == facts.layer]
    return {one.annotator: one for each in own for one in each.annotators}


def without(facts: Facts, annotator: str) -> dict[str, Value]:
    """Return what the coefficient is and would be without an annotator, nothing where it is no more."""
    standing = standings(facts).get(annotator)
    value = facts.figure.value if facts.figure else None
    kept = standing.without.value if standing and standing.without else None
    if value is None or kept is None or kept - value < LEAST_GAIN:
        return {}
    return {"annotator": annotator, "coefficient": facts.coefficient, "without": kept, "value": value}


def gain_of(values: Mapping[str, Value]) -> float | None:
    """Return how much more the coefficient would be, None where that is not among the values of a message."""
    after, before = values.get("without"), values.get("value")
    return after - before if isinstance(after, float) and isinstance(before, float) else None
