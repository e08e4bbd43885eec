"""Do annotators have different habits? Tested, not read off the difference between kappa and pi."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, Message
from reportgen.results import Finding, Pair, Scalar, SymmetryTest

LEVEL = 0.05

DIFFERENT = (
    "{first} and {second} use the categories differently (Stuart-Maxwell p = {stuart_maxwell_p}), though "
    "kappa and pi are only {difference} apart, which is often read as a sign of little bias"
)
MARKS = (
    ": {first} marked {first_marks} {noun} and {second} {second_marks}; of those that only one of them "
    "marked, {first_only} are {first}'s and {second_only} {second}'s (McNemar p = {mcnemar_p})"
)
BY_UNIT = " These p values take units to be independent, which a table without documents can't show."
ALIKE = (
    "The categories are used alike: no test tells {first} and {second} apart "
    "(Stuart-Maxwell p = {stuart_maxwell_p})."
)
REVIEW_MARKS = (
    "Have {first} and {second} go through the {noun} that only one of them marked, and write the rule that "
    "decides them into the guidelines."
)
REVIEW = "Look in the confusion matrix for the direction of the confusions, and discuss their cases."

NO_BIAS = Message("no-bias", "note", "symmetry", ALIKE)
NO_BIAS_BY_UNIT = Message("no-bias", "note", "symmetry", ALIKE + BY_UNIT)
BIAS = Message("bias", "warning", "symmetry", f"{DIFFERENT}.", REVIEW)
BIAS_BY_UNIT = Message("bias", "warning", "symmetry", f"{DIFFERENT}.{BY_UNIT}", REVIEW)
BIAS_IN_MARKS = Message("bias", "warning", "symmetry", f"{DIFFERENT}{MARKS}.", REVIEW_MARKS)
BIAS_IN_MARKS_BY_UNIT = Message("bias", "warning", "symmetry", f"{DIFFERENT}{MARKS}.{BY_UNIT}", REVIEW_MARKS)


def bias(facts: Facts) -> Iterator[Finding]:
    """Yield whether two annotators use the categories, and mark units, equally often."""
    pair = facts.pair
    if pair is None:
        return
    margins, marking = pair.symmetry["stuart_maxwell"], pair.symmetry.get("mcnemar")
    if margins.p is None:
        return
    values = _values(pair, margins.p)
    marks = _marks(pair, facts.unit_set.non_annotated, marking)
    if min(margins.p, marking.p if marking and marking.p is not None else 1) >= LEVEL:
        yield (NO_BIAS if margins.by_document else NO_BIAS_BY_UNIT).found(**values)
    elif marks:
        yield (BIAS_IN_MARKS if margins.by_document else BIAS_IN_MARKS_BY_UNIT).found(**values, **marks)
    else:
        yield (BIAS if margins.by_document else BIAS_BY_UNIT).found(**values)


def _values(pair: Pair, p: float) -> dict[str, Scalar]:
    kappa, pi = pair.measures["cohen_kappa"].value, pair.measures["scott_pi"].value
    difference = abs(kappa - pi) if kappa is not None and pi is not None else 0.0
    first, second = pair.annotators
    return {"first": first, "second": second, "stuart_maxwell_p": p, "difference": difference}


def _marks(pair: Pair, non_annotated: str | None, test: SymmetryTest | None) -> dict[str, Scalar]:
    """Return how many units each annotator marked, and how many only that one marked, with the test of it."""
    if non_annotated is None or test is None or test.p is None:
        return {}
    table = pair.confusion
    joint = table.count(non_annotated, non_annotated)
    unmarked_by_first, unmarked_by_second = table.totals(non_annotated)
    return {
        "first_marks": table.units - unmarked_by_first,
        "second_marks": table.units - unmarked_by_second,
        "first_only": unmarked_by_second - joint,
        "second_only": unmarked_by_first - joint,
        "mcnemar_p": test.p,
    }
