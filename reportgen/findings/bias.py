"""Does one annotator use a category more often than the other? Tested, not read off kappa less pi.

Bhapkar's test decides: by document it is Hotelling's, which keeps its level with few documents, where the
statistic of Stuart and Maxwell can't exceed their number (benchmarks/margins.py, docs/uncertainty.md). Where
every document or unit differs in the same way it has no variance, and theirs decides.
"""

from collections.abc import Iterator

from reportgen.agreement.two.symmetry import NoTest
from reportgen.findings.facts import Facts, Message
from reportgen.results import Finding, Pair, Scalar, SymmetryTest

LEVEL = 0.05
# Kappa and pi this close are read as a sign of little bias.
CLOSE = 0.02
NAMES = {"bhapkar": "Bhapkar", "stuart_maxwell": "Stuart and Maxwell"}

DIFFERENT = "{first} and {second} do not use the categories equally often (test of {test}, p = {margins_p})"
THOUGH = ", though kappa and pi are only {difference} apart, which is often read as a sign of little bias"
MARKS = (
    ": {first} marked {first_marks} {noun} and {second} {second_marks}; of those that only one of them "
    "marked, {first_only} are {first}'s and {second_only} {second}'s (McNemar p = {mcnemar_p})"
)
BY_UNIT = " These p values take units to be independent, which a table without documents can't show."
NOT_SHOWN = (
    "No test shows that {first} or {second} uses a category more often than the other (test of {test}, "
    "p = {margins_p}). That is about how often, not on which {noun}: they differ on {differ} of {units} "
    "{noun}."
)
REVIEW_MARKS = (
    "Have {first} and {second} go through the {noun} that only one of them marked, and write the rule that "
    "decides them into the guidelines."
)
REVIEW = "Look in the confusion matrix for the direction of the confusions, and discuss their cases."

NOT_SHOWN_BY = {
    True: Message("no-bias", "note", "symmetry", NOT_SHOWN),
    False: Message("no-bias", "note", "symmetry", NOT_SHOWN + BY_UNIT),
}
UNKNOWN = Message(
    "bias-unknown",
    "note",
    "symmetry",
    "Whether {first} or {second} uses a category more often than the other can't be told: they differ on "
    "{differ} of {units} {noun}, too few, or in too few documents, for any test to show it.",
)
# By whether a category stands for units that nobody marked, kappa and pi are close, and documents are known.
BIAS = {
    (marks, close, by_document): Message(
        "bias",
        "warning",
        "symmetry",
        f"{DIFFERENT}{THOUGH if close else ''}{MARKS if marks else ''}.{'' if by_document else BY_UNIT}",
        REVIEW_MARKS if marks else REVIEW,
    )
    for marks in (False, True)
    for close in (False, True)
    for by_document in (False, True)
}
MORE_MARKS = "{first} and {second} do not mark equally often" + MARKS
BIAS_IN_MARKS = {
    True: Message("bias-in-marks", "warning", "symmetry", f"{MORE_MARKS}.", REVIEW_MARKS),
    False: Message("bias-in-marks", "warning", "symmetry", f"{MORE_MARKS}.{BY_UNIT}", REVIEW_MARKS),
}


def bias(facts: Facts) -> Iterator[Finding]:
    """Yield whether a test tells how often two annotators use the categories apart, and mark units."""
    pair = facts.pair
    if pair is None:
        return
    name, margins = _margins(pair)
    values = _values(pair, margins)
    marks = _marks(pair, facts.unit_set.non_annotated)
    if margins.p is not None and margins.p < LEVEL:
        apart = _apart(pair)
        message = BIAS[bool(marks), apart < CLOSE, margins.by_document]
        yield message.found(test=NAMES[name], margins_p=margins.p, difference=apart, **values, **marks)
    elif marks and marks["mcnemar_p"] < LEVEL / 2:  # the second test of one question
        yield BIAS_IN_MARKS[margins.by_document].found(**values, **marks)
    elif margins.undefined in (NoTest.FEW_DOCUMENTS, NoTest.MANY_CATEGORIES) or _unreachable(margins):
        yield UNKNOWN.found(**values)
    elif margins.p is not None:
        yield NOT_SHOWN_BY[margins.by_document].found(test=NAMES[name], margins_p=margins.p, **values)


def _margins(pair: Pair) -> tuple[str, SymmetryTest]:
    """Return the test that decides, and its name."""
    name = "bhapkar" if pair.symmetry["bhapkar"].undefined != NoTest.NO_VARIATION else "stuart_maxwell"
    return name, pair.symmetry[name]


def _unreachable(test: SymmetryTest) -> bool:
    return test.least_p is not None and test.least_p >= LEVEL


def _apart(pair: Pair) -> float:
    """Return how far apart kappa and pi are, 1 where one of them is undefined."""
    kappa, pi = pair.measures["cohen_kappa"].value, pair.measures["scott_pi"].value
    return 1.0 if kappa is None or pi is None else abs(kappa - pi)


def _values(pair: Pair, margins: SymmetryTest) -> dict[str, Scalar]:
    first, second = pair.annotators
    return {"first": first, "second": second, "differ": margins.discordant, "units": pair.confusion.units}


def _marks(pair: Pair, non_annotated: str | None) -> dict[str, float]:
    """Return how many units each annotator marked, and how many only that one marked, with the test of it."""
    test = pair.symmetry.get("mcnemar")
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
