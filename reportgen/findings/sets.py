"""Labels that are sets: what is taken together, and a coefficient that takes sets as wholes."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, Message
from reportgen.results import Finding

BY_LABEL = ("explicit_kappa", "implicit_kappa")

GATHERED = Message(
    "gathered-sets",
    "note",
    "sets",
    "{several} times an annotator gave a unit of {unit_set} several labels, each in a row of its own. They "
    "are taken together as one set, in which a label counts once however often it was given.",
    "Where annotators labelled units a second time, name the column of passes, so that the first counts.",
)
WHOLE_SETS = Message(
    "whole-sets",
    "warning",
    "sets",
    "{coefficient} takes sets of labels as wholes: two sets that share some labels count as different.",
    "Leave the choice of the coefficient to the scale, or declare one with a distance between sets, such as "
    "[masi].",
)


def gathered(facts: Facts) -> Iterator[Finding]:
    """Yield how several labels of an annotator on a unit of a table became one."""
    for each in facts.siblings:
        if each.sets and each.several and each.base == "units":
            yield GATHERED.found(unit_set=each.id, several=each.several)


def whole_sets(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where labels are sets and the primary coefficient takes them as wholes."""
    coefficient = facts.measure
    if facts.unit_set.scale == "set" and "[" not in coefficient and coefficient not in BY_LABEL:
        yield WHOLE_SETS.found(coefficient=facts.coefficient)
