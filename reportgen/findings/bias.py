"""Do annotators have different habits? Tested, not read off the difference between kappa and pi."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, finding
from reportgen.results import Finding, Pair, Scalar

LEVEL = 0.05

BIAS = (
    "{first} and {second} use the categories differently (Stuart-Maxwell p = {stuart_maxwell_p}), though kappa and "
    "pi are only {difference} apart, which is often read as a sign of little bias."
)
BIAS_MARKS = (
    "{first} and {second} use the categories differently (Stuart-Maxwell p = {stuart_maxwell_p}), though kappa and "
    "pi are only {difference} apart, which is often read as a sign of little bias: {first} marked {first_marks} "
    "units and {second} {second_marks}; of those that only one of them marked, {first_only} are {first}'s and "
    "{second_only} {second}'s (McNemar p = {mcnemar_p})."
)
BY_UNIT = " These p values take units to be independent, which a table without documents can't show."
NO_BIAS = "The categories are used alike: no test tells {first} and {second} apart (Stuart-Maxwell p = {stuart_maxwell_p})."
BIAS_ADVICE = (
    "Have {first} and {second} go through the units that only one of them marked, and write the rule that "
    "decides them into the guidelines."
)
BIAS_ADVICE_PLAIN = (
    "Look in the confusion matrix for the direction of the confusions, and discuss their cases."
)


def bias(facts: Facts) -> Iterator[Finding]:
    """Yield whether two annotators use the categories, and mark units, equally often."""
    pair = facts.pair
    if pair is None:
        return
    margins, marking = pair.symmetry["stuart_maxwell"], pair.symmetry.get("mcnemar")
    if margins.p is None:
        return
    values = _values(pair, margins.p)
    by_unit = "" if margins.by_document else BY_UNIT
    if min(margins.p, marking.p if marking and marking.p is not None else 1) >= LEVEL:
        yield finding("no-bias", "note", NO_BIAS + by_unit, "", "symmetry", values)
    elif marking and marking.p is not None and facts.unit_set.non_annotated:
        values |= _marks(pair, facts.unit_set.non_annotated) | {"mcnemar_p": marking.p}
        yield finding("bias", "warning", BIAS_MARKS + by_unit, BIAS_ADVICE, "symmetry", values)
    else:
        yield finding("bias", "warning", BIAS + by_unit, BIAS_ADVICE_PLAIN, "symmetry", values)


def _values(pair: Pair, p: float) -> dict[str, Scalar]:
    kappa, pi = pair.measures["cohen_kappa"].value, pair.measures["scott_pi"].value
    difference = abs(kappa - pi) if kappa is not None and pi is not None else 0.0
    first, second = pair.annotators
    return {"first": first, "second": second, "stuart_maxwell_p": p, "difference": difference}


def _marks(pair: Pair, non_annotated: str) -> dict[str, Scalar]:
    """Return how many units each annotator marked, and how many only that one marked."""
    place = pair.confusion.categories.index(non_annotated)
    counts = pair.confusion.counts
    units, joint = sum(map(sum, counts)), counts[place][place]
    unmarked_by_first, unmarked_by_second = sum(counts[place]), sum(row[place] for row in counts)
    return {
        "first_marks": units - unmarked_by_first,
        "second_marks": units - unmarked_by_second,
        "first_only": unmarked_by_second - joint,
        "second_only": unmarked_by_first - joint,
    }
