"""What is counted: the choice of units, distances between categories, and labels that are sets."""

import math
from collections.abc import Iterator
from dataclasses import replace

from reportgen.catalogue import is_true_of
from reportgen.findings.causes import often_used
from reportgen.findings.confusions import MORE_WEAK, WEAK, names_no_category, weakness
from reportgen.findings.layer_facts import (
    TENTATIVE,
    FindingTemplate,
    LayerFacts,
    confusions,
    counted,
    not_used,
)
from reportgen.findings.verdicts import PREVALENCE, prevailing
from reportgen.measures.sets import are_single, separator_left
from reportgen.results import Finding, Pair, Scalar, UnitSet

# A coefficient that moves by more than this from one unit set to another depends on the choice.
MOVES = 0.05
# Two that differ by less are the same on the page.
SAME = 0.0005

CLAIM = (
    "{coefficient} is {lowest} on {lowest_set} ({lowest_units} {lowest_noun}) and {highest} on {highest_set} "
    "({highest_units} {highest_noun}): the choice of units alone changes it by {difference}."
)
ADVICE = "Say which units were counted, and why, wherever the figure is cited."
CHOICE = FindingTemplate(
    "choice-of-units", "note", "coefficients", CLAIM, ADVICE, kind="limit", of_data="limitation"
)
DECISIVE = CHOICE.saying(CLAIM, ADVICE, severity="warning")
LIMIT = FindingTemplate("size-limit", "note", "size-curve", kind="limit").saying(
    "However many units that nobody marked are added, {coefficient} does not exceed {limit}; with {units} "
    "{noun} it is {value}. The limit depends only on what somebody marked.",
    "Where the number of units is debatable, cite the limit {limit} beside the coefficient.",
)
FALLS = LIMIT.saying(
    "With more and more units that nobody marked {coefficient} tends to {limit}; with {units} {noun} it is "
    "{value}. The limit depends only on what somebody marked.",
    LIMIT.advice,
)
UNJUSTIFIED = FindingTemplate("unjustified", "note", "choices", kind="limit", asks="account").saying(
    "The campaign does not say why {unit_set} are the units.",
    'Say why: why = "…" of this unit set in campaign.toml, or on the second page of reportgen open.',
)
OMISSION = FindingTemplate("omission", "warning", "coefficients", kind="limit", of_data="limitation").saying(
    "In {unit_set}, every unit was marked by somebody. Chance-corrected figures therefore mainly "
    "measure omissions: what one annotator left out counts as a disagreement, but what all of them "
    "left out never counts as an agreement.",
    "Use specific agreement or the F-measure on this unit set.",
)


def choice(facts: LayerFacts) -> Iterator[Finding]:
    """Yield how far apart the primary coefficient is between unit sets."""
    by_value = [(value, units) for units in facts.siblings if (value := _value(facts, units)) is not None]
    if not by_value:
        return
    (lowest, low), (highest, high) = (
        best(by_value, key=lambda value_and_set: value_and_set[0]) for best in (min, max)
    )
    if highest - lowest < SAME:
        return
    yield (DECISIVE if highest - lowest > MOVES else CHOICE).finding(
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


def _value(facts: LayerFacts, unit_set: UnitSet) -> float | None:
    figure = unit_set.measures.get(facts.measure)
    return figure.value if figure else None


def limit(facts: LayerFacts) -> Iterator[Finding]:
    """Yield where the primary coefficient tends to as unmarked units are added; recordings have none."""
    if facts.results.recorded:
        return
    curve, value = facts.unit_set.size_curve, _value(facts, facts.unit_set)
    name = facts.measure
    reached = curve.limit.get(name) if curve else None
    if curve is not None and reached is not None and value is not None and reached < 1:
        units = curve.declared
        highest = max((reached for reached in curve.values[name] if reached is not None), default=value)
        message = LIMIT if highest <= reached else FALLS
        yield message.finding(coefficient=facts.coefficient, limit=reached, units=units, value=value)


def unjustified(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning for each unit set without a reason."""
    for unit_set in facts.siblings:
        if not unit_set.why.strip():
            yield UNJUSTIFIED.finding(unit_set=unit_set.id)


def omission(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning for unit sets of what somebody marked."""
    for unit_set in facts.siblings:
        if unit_set.kind == "annotated-by-any":
            yield OMISSION.finding(unit_set=unit_set.id)


# Units that are pieces of texts: long marks weigh more, and several marks can cover one.

OF_TEXTS = ("tokens", "sentences", "candidates")

LENGTH = FindingTemplate("tokens", "note", "choices", kind="limit").saying(
    "In {unit_set} a mark counts once for each token that it covers, so long marks weigh "
    "more than short ones. No mark begins or ends inside a token.",
    "Cite the F-measure of marks beside the coefficient: there each mark counts once.",
)
BOUNDARY = LENGTH.saying(
    "In {unit_set} a mark counts once for each token that it covers, so long marks weigh "
    "more than short ones. A token counts even if a mark covers only part of it: "
    "{boundary} of {marks} marks begin or end inside one.",
    "If words are separated in another way, declare with token_pattern what a token is.",
)
EACH = FindingTemplate("several-labels", "note", "choices", kind="limit").saying(
    "{several} times an annotator marked the same unit of {unit_set} with different "
    "labels. Each label is judged by itself, present or not, whatever others are beside it; "
    "coefficients compare all labels of a unit together.",
    "If only one should count, order the labels with priority in campaign.toml; if "
    "nested marks answer separate questions, make each label a layer.",
)
JOINED = EACH.saying(
    "{several} times an annotator marked the same unit of {unit_set} with different "
    "labels. These count together as one category, such as A|B.",
    "If only one should count, order the labels with priority in campaign.toml; if "
    "nested marks answer separate questions, make each label a layer.",
)
RANKED = JOINED.saying(
    "{several} times an annotator marked the same unit of {unit_set} with different "
    "labels. The label that the campaign's priority names first counts."
)


def length(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what counting tokens does to marks."""
    for unit_set in facts.siblings:
        if unit_set.boundary:
            yield BOUNDARY.finding(
                unit_set=unit_set.id, boundary=unit_set.boundary, marks=unit_set.marks.used
            )
            return
        if unit_set.base == "tokens":
            yield LENGTH.finding(unit_set=unit_set.id)
            return


def several_labels(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what becomes of units under several marks."""
    for unit_set in facts.siblings:
        if unit_set.several and unit_set.base in OF_TEXTS:
            message = EACH if unit_set.sets else JOINED if unit_set.joined else RANKED
            yield message.finding(unit_set=unit_set.id, several=unit_set.several)


# Distances between categories: those expected against those found, and circular weighting.

# Declared and computed distances that differ by more than this are distinguished.
APART = 0.1
SEVERAL = 2

STANDS = (
    "The distance table {table} puts {first} and {second} at {declared} (its largest "
    "distance is 1), the annotations at {computed}: annotators tell them apart "
)
CLOSER = FindingTemplate("distance", "note", "distances", kind="limit").saying(
    f"{STANDS}better than expected.",
    "Keep the two categories separate; the table may forgive this confusion too easily.",
)
FARTHER = CLOSER.saying(
    f"{STANDS}less well than expected.",
    "Sharpen the line between {first} and {second}, or merge them.",
    severity="warning",
)
CIRCULAR = FindingTemplate("circular", "note", "coefficients", kind="limit").saying(
    "Alpha ({alpha}) and weighted kappa ({kappa}) with distances computed from the same table are "
    "circular: the more often annotators confuse two categories, the less such a confusion counts.",
    "Use the computed distances to describe confusions; do not cite these two figures.",
)


def compared(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the categories whose declared and computed distances differ by more than a tenth.

    Those of a taxonomy say what lies near in it, not which confusions were expected.
    """
    pair = facts.pair
    # Of very many categories distances are in a table beside the results; of few units they are not shown.
    if pair is None or pair.distances_shown is None:
        return
    for table in facts.results.distances:
        expected = table.origin is None and table.covers(pair.confusion.categories)
        if expected and max(map(max, table.rows)) > 0:
            largest = max(map(max, table.rows))
            for i, first in enumerate(pair.confusion.categories):
                for j, second in enumerate(pair.confusion.categories[i + 1 :], i + 1):
                    computed = pair.distances_shown.computed_alpha[i][j]
                    declared = table.between(first, second) / largest
                    if computed is not None and abs(computed - declared) > APART:
                        message = CLOSER if computed > declared else FARTHER
                        yield message.finding(
                            first=first, second=second, table=table.id, declared=declared, computed=computed
                        )


def circular(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a note on coefficients weighted with distances computed from their own table.

    Without several confusions none is forgiven more than another.
    """
    # Of very many categories no table is known, and there are several confusions.
    confused = facts.unit_set.only_pair or facts.unit_set.coincidences
    if confused and len(list(confusions(facts.unit_set))) < SEVERAL:
        return
    measures = facts.unit_set.measures
    alpha, kappa = measures.get("krippendorff_alpha[computed]"), measures.get("weighted_kappa[computed]")
    if alpha and kappa and alpha.value is not None and kappa.value is not None:
        yield CIRCULAR.finding(alpha=alpha.value, kappa=kappa.value)


# Labels that are sets: which label agrees and which differs, what is taken together, what goes as wholes.

NOMINAL = (
    "No set has more than one label, so figures with a distance between sets, such as "
    "[masi], equal the nominal ones"
)
DIVIDE = 'Write set_separator = "{sign}" under [[guidelines]] in campaign.toml.'
NOT_DIVIDED = FindingTemplate("sets-not-divided", "warning", "sets", asks="declare").saying(
    f"{NOMINAL}, though labels contain “{{sign}}”: each of them counts as one label.", DIVIDE
)
SOME_NOT_DIVIDED = NOT_DIVIDED.saying(
    "Some labels contain “{sign}” and are not taken apart there: each of them counts as one label.",
    'If “{sign}” separates labels, write set_separator = "{sign}" under [[guidelines]] in campaign.toml.',
)
SINGLE = NOT_DIVIDED.saying(
    f"{NOMINAL}.",
    'Where annotators could choose only one label, declare scale = "nominal" in campaign.toml; where several '
    "labels share a cell, say with set_separator what separates them.",
)
GATHERED = FindingTemplate("gathered-sets", "note", "sets", kind="limit").saying(
    "{several} times an annotator gave a unit of {unit_set} several labels, each in a row of its own. They "
    "are taken together as one set, in which a label counts once however often it was given.",
    "Where annotators labelled units a second time, name the column of passes, so that the first counts.",
)
WHOLE_SETS = FindingTemplate("whole-sets", "warning", "sets", of_data="limitation").saying(
    "{coefficient} compares whole sets of labels: two sets that share some labels count as different.",
    "Leave the choice of the coefficient to the scale, or declare one with a distance between sets, such as "
    "[masi].",
)
WHOLE_OVERLAPS = replace(
    WHOLE_SETS,
    severity="note",
    asks="declare",
    advice='Read the figures by label first. With scale = "set" in campaign.toml the coefficient counts what '
    "two sets share.",
)


# So many labels are named, each from this share of all differences on, and on at least so many units.
SHOWN, LEAST_SHARE, LEAST_UNITS = 3, 0.1, 2
# Of a label on which annotators differ on fewer units, an interval says too little to call it weak.
ENOUGH = 10

WHEN = "Agree on when to choose {category}."
WEAK_LABEL = replace(WEAK, advice=WHEN, asks="choose")
DIFFERING = (
    "{difference_share} of all cases in which one of two annotators chose a label and the other did not."
)
DIFFERS = FindingTemplate(
    *("confused", "note", "specific-agreement"),
    asks="choose",
    categories=("category",),
    cases=("units",),
    examples=("category",),
    of_data="disagreement",
).saying(
    "Annotators differ on {category} in {units} units: {first} alone chose it in "
    f"{{first_only}}, {{second}} alone in {{second_only}}. That is {DIFFERING}",
    WHEN,
)
DIFFERS_AMONG = DIFFERS.saying(f"Annotators differ on {{category}}: {DIFFERING}", WHEN)
NEVER = FindingTemplate("unused-category", "note", "specific-agreement", categories=("category",)).saying(
    "No annotator chose {category}, neither alone nor beside other labels.",
    "Ask whether the label is needed.",
)
SEVERAL_NEVER = replace(NEVER, claim="No annotator chose {count} of {all} labels: {names}.")
ONE_SET = replace(PREVALENCE, evidence="specific-agreement").saying(
    "One set, {category}, makes up {label_share} of all answers; the others are {others}.",
    "Read the agreement on each label first, and publish it with the coefficient.",
)


def _defined(unit_set: UnitSet) -> list[str]:
    """Return the labels of sets that have a definition."""
    names = often_used(unit_set) if unit_set.sets else []
    return [name for name in names if not names_no_category(name)]


def weak_labels(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the labels whose agreement beyond chance, interval and all, is below the threshold.

    That is alpha of the label, chosen or not. What differs most often comes first.
    """
    unit_set = facts.unit_set
    often = [name for name in _defined(unit_set) if _units_apart(facts, name) >= ENOUGH]
    weak = [name for name in often if weakness(unit_set, name)]
    weak.sort(key=lambda name: -_units_apart(facts, name))
    for name in weak[:SHOWN]:
        yield WEAK_LABEL.finding(**weakness(unit_set, name))
    if others := weak[SHOWN:]:
        yield MORE_WEAK.finding(threshold=f"{TENTATIVE:g}", **counted(others, len(unit_set.judged)))


def _units_apart(facts: LayerFacts, name: str) -> float:
    sets = facts.unit_set.sets
    return sets.labels[name].apart if sets else 0.0


def differing(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the labels that one of two annotators chose and the other did not, the most frequent first."""
    names = _defined(facts.unit_set)
    total = math.fsum(_units_apart(facts, name) for name in names)
    for name in sorted(names, key=lambda category: -_units_apart(facts, category))[:SHOWN]:
        units = _units_apart(facts, name)
        if units >= max(LEAST_UNITS, LEAST_SHARE * total) and len(names) > 1:
            values: dict[str, Scalar] = {"category": name, "difference_share": units / total}
            directions = _directions(facts.pair, name) if facts.pair else {}
            yield DIFFERS.finding(**values, **directions) if directions else DIFFERS_AMONG.finding(**values)


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


def unused_labels(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a note where declared labels were never chosen."""
    unit_set = facts.unit_set
    never = [
        name
        for name in unit_set.judged
        if unit_set.sets and unit_set.units_compared and not unit_set.uses(name)
    ]
    yield from not_used(never, len(unit_set.judged), NEVER, SEVERAL_NEVER)


def one_set(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning where one set as a whole makes up nearly all that annotators gave."""
    if facts.unit_set.sets and (values := prevailing(facts)):
        yield ONE_SET.finding(**values)


def not_divided(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning where nothing takes labels apart that are sets, or where all sets are single."""
    sets = facts.unit_set.sets
    if sets is None or not sets.names:
        return
    sign = separator_left(sets)
    if are_single(sets):
        yield NOT_DIVIDED.finding(sign=sign) if sign else SINGLE.finding()
    elif sign and facts.unit_set.several:
        # Sets were gathered from rows or marks: whether the declared separator is in any, we can't know.
        yield SOME_NOT_DIVIDED.finding(sign=sign)


def gathered(facts: LayerFacts) -> Iterator[Finding]:
    """Yield how several labels of an annotator on a unit of a table became one."""
    for unit_set in facts.siblings:
        if unit_set.sets and unit_set.several and unit_set.base == "units":
            yield GATHERED.finding(unit_set=unit_set.id, several=unit_set.several)


def whole_sets(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning where labels are sets and the primary coefficient takes them as wholes."""
    coefficient = facts.measure
    if (
        facts.unit_set.scale == "set"
        and "[" not in coefficient
        and not is_true_of(coefficient, lambda each: each.by_label)
    ):
        overlaps = facts.unit_set.joined and facts.unit_set.base != "units"
        yield (WHOLE_OVERLAPS if overlaps else WHOLE_SETS).finding(coefficient=facts.coefficient)
