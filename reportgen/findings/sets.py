"""Labels that are sets: which label agrees and which differs, what is taken together, what goes as wholes."""

import math
from collections.abc import Iterator
from dataclasses import replace

from reportgen.findings.certainty import prevailing
from reportgen.findings.confusions import MORE_WEAK, WEAK
from reportgen.findings.facts import TENTATIVE, Facts, FindingTemplate, counted, ends, not_used
from reportgen.readers.survey import IN_SETS, separator_of
from reportgen.results import Finding, Pair, Scalar, SetsCompared

BY_LABEL = ("explicit_kappa", "implicit_kappa")

NOMINAL = (
    "No set has more than one label, so figures with a distance between sets, such as "
    "[masi], equal the nominal ones"
)
DIVIDE = 'Write set_separator = "{sign}" under [[guidelines]] in campaign.toml.'
NOT_DIVIDED = FindingTemplate(
    "sets-not-divided",
    "warning",
    "sets",
    f"{NOMINAL}, though labels hold “{{sign}}”: each of them counts as one label.",
    DIVIDE,
)
SOME_NOT_DIVIDED = NOT_DIVIDED.saying(
    "Some labels hold “{sign}” and are not taken apart there: each of them counts as one label.",
    'If “{sign}” separates labels, write set_separator = "{sign}" under [[guidelines]] in campaign.toml.',
)
SINGLE = NOT_DIVIDED.saying(
    f"{NOMINAL}.",
    'Where annotators could choose only one label, declare scale = "nominal" in campaign.toml; where several '
    "labels share a cell, say with set_separator what stands between them.",
)
GATHERED = FindingTemplate(
    "gathered-sets",
    "note",
    "sets",
    "{several} times an annotator gave a unit of {unit_set} several labels, each in a row of its own. They "
    "are taken together as one set, in which a label counts once however often it was given.",
    "Where annotators labelled units a second time, name the column of passes, so that the first counts.",
)
WHOLE_SETS = FindingTemplate(
    "whole-sets",
    "warning",
    "sets",
    "{coefficient} compares whole sets of labels: two sets that share some labels count as different.",
    "Leave the choice of the coefficient to the scale, or declare one with a distance between sets, such as "
    "[masi].",
)


# How many labels are said to differ, from which share of all differences on, and on how many units at least.
SHOWN, LEAST_SHARE, LEAST_UNITS = 3, 0.1, 2
# Of a label on which annotators differ on fewer units, an interval says too little to call it weak.
ENOUGH = 10

WHEN = "Write into the guidelines when to choose {category}, beside other labels too, with examples."
WEAK_LABEL = replace(WEAK, advice=WHEN)
DIFFERING = (
    "{difference_share} of all cases in which one of two annotators chose a label and the other did not."
)
DIFFERS = FindingTemplate(
    "confused",
    "note",
    "specific-agreement",
    "Annotators differ on {category} in {units} units: {first} alone chose it in "
    f"{{first_only}}, {{second}} alone in {{second_only}}. That is {DIFFERING}",
    WHEN,
)
DIFFERS_AMONG = DIFFERS.saying(f"Annotators differ on {{category}}: {DIFFERING}", WHEN)
NEVER = FindingTemplate(
    "unused-category",
    "note",
    "specific-agreement",
    "{category} was never chosen, neither alone nor beside other labels.",
    "Ask whether the label is needed.",
)
SEVERAL_NEVER = replace(NEVER, claim="{count} of {all} labels were never chosen: {names}.")
ONE_SET = FindingTemplate(
    "prevalence",
    "warning",
    "specific-agreement",
    "One set, {category}, makes up {label_share} of all answers; the others are {others}.",
    "Read the agreement on each label first, and publish it with the coefficient.",
)


def weak_labels(facts: Facts) -> Iterator[Finding]:
    """Yield the labels whose agreement beyond chance, interval and all, is below the threshold.

    That is alpha of the label, chosen or not. What differs most often comes first.
    """
    found = facts.unit_set
    weak = [name for name in found.judged if found.sets and _is_weak(facts, name)]
    weak.sort(key=lambda name: -_apart(facts, name))
    for name in weak[:SHOWN]:
        alpha, share = found.against_rest[name]["krippendorff_alpha"], found.specific_agreement[name].value
        low, high = ends(alpha) or (0.0, 0.0)
        yield WEAK_LABEL.found(
            category=name,
            agreement_share=share or 0.0,
            value=alpha.value or 0.0,
            low=low,
            high=high,
            threshold=f"{TENTATIVE:g}",
        )
    if rest := weak[SHOWN:]:
        yield MORE_WEAK.found(threshold=f"{TENTATIVE:g}", **counted(rest, len(found.judged)))


def _is_weak(facts: Facts, name: str) -> bool:
    span = ends(facts.unit_set.against_rest[name]["krippendorff_alpha"])
    return span is not None and span[1] < TENTATIVE and _apart(facts, name) >= ENOUGH


def _apart(facts: Facts, name: str) -> float:
    sets = facts.unit_set.sets
    return sets.labels[name].apart if sets else 0.0


def differing(facts: Facts) -> Iterator[Finding]:
    """Yield the labels that one of two annotators chose and the other did not, the most frequent first."""
    names = facts.unit_set.judged if facts.unit_set.sets else ()
    whole = math.fsum(_apart(facts, name) for name in names)
    for name in sorted(names, key=lambda each: -_apart(facts, each))[:SHOWN]:
        units = _apart(facts, name)
        if units >= max(LEAST_UNITS, LEAST_SHARE * whole) and len(names) > 1:
            values: dict[str, Scalar] = {"category": name, "difference_share": units / whole}
            one = _directions(facts.pair, name) if facts.pair else {}
            yield DIFFERS.found(**values, **one) if one else DIFFERS_AMONG.found(**values)


def _directions(pair: Pair, name: str) -> dict[str, Scalar]:
    """Return on how many units each of two annotators alone chose a label."""
    counts, (first, second) = pair.labels[name], pair.annotators
    alone = counts.first - counts.both, counts.second - counts.both
    return {
        "units": sum(alone),
        "first": first,
        "second": second,
        "first_only": alone[0],
        "second_only": alone[1],
    }


def unused_labels(facts: Facts) -> Iterator[Finding]:
    """Yield a note where declared labels were never chosen."""
    found = facts.unit_set
    never = [name for name in found.judged if found.sets and found.units and not found.uses(name)]
    yield from not_used(never, len(found.judged), NEVER, SEVERAL_NEVER)


def one_set(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where one set as a whole makes up nearly all that annotators gave."""
    if facts.unit_set.sets and (values := prevailing(facts)):
        yield ONE_SET.found(**values)


def not_divided(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where nothing takes labels apart that are sets, or where all sets are single."""
    sets = facts.unit_set.sets
    if sets is None or not sets.names:
        return
    sign = separator_left(sets)
    if are_single(sets):
        yield NOT_DIVIDED.found(sign=sign) if sign else SINGLE.found()
    elif sign and facts.unit_set.several:
        # Sets were gathered from rows or marks: whether the declared separator stands in any can't be told.
        yield SOME_NOT_DIVIDED.found(sign=sign)


def are_single(sets: SetsCompared) -> bool:
    """Tell whether no set has more than one label."""
    return all(len(each) <= 1 for each in sets.members.values())


def separator_left(sets: SetsCompared) -> str | None:
    """Return what separates labels that should be sets and were not taken apart, None where nothing does."""
    return separator_of({name: each.chosen for name, each in sets.labels.items()}, IN_SETS)


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
