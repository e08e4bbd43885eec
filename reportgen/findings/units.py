"""What counts as a unit: how much the choice moves the figures, and whether it is justified."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.findings.facts import Facts, FindingTemplate, confusions
from reportgen.results import DistanceTable, Finding, Matrix, UnitSet

# A coefficient that moves by more than this from one unit set to another depends on the choice.
MOVES = 0.05
# Two that differ by less are the same on the page.
SAME = 0.0005

CLAIM = (
    "{coefficient} is {lowest} on {lowest_set} ({lowest_units} {lowest_noun}) and {highest} on {highest_set} "
    "({highest_units} {highest_noun}): the choice of units alone changes it by "
    "{difference}."
)
ADVICE = "Say which units were counted, and why, wherever the figure is cited."
CHOICE = FindingTemplate("choice-of-units", "note", "coefficients", CLAIM, ADVICE)
DECISIVE = CHOICE.saying(CLAIM, ADVICE, severity="warning")
LIMIT = FindingTemplate(
    "size-limit",
    "note",
    "size-curve",
    "However many unmarked {noun} are counted, {coefficient} does not exceed {limit}; "
    "with {units} {noun} it is {value}. The limit depends only on the marked {noun}.",
    "Where the number of {noun} is debatable, cite the limit {limit} beside the coefficient.",
)
FALLS = LIMIT.saying(
    "With more and more unmarked {noun} {coefficient} tends to {limit}; with {units} "
    "{noun} it is {value}. The limit depends only on the marked {noun}.",
    "Where the number of {noun} is debatable, cite the limit {limit} beside the coefficient.",
)
UNJUSTIFIED = FindingTemplate(
    "unjustified",
    "note",
    "choices",
    "The campaign does not say why {unit_set} are the units.",
    'Add why = "…" to this unit set in campaign.toml.',
)
OMISSION = FindingTemplate(
    "omission",
    "warning",
    "coefficients",
    "In {unit_set} no unit is unmarked by all, so chance-corrected figures measure "
    "omission: what one annotator left out counts as disagreement, what all left out "
    "never counts as agreement.",
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


# Units that are pieces of texts: long marks weigh more, and several marks can stand on one.

OF_TEXTS = ("tokens", "sentences", "candidates")

LENGTH = FindingTemplate(
    "tokens",
    "note",
    "choices",
    "In {unit_set} a mark counts once for each token that it covers, so long marks weigh "
    "more than short ones. No mark begins or ends inside a token.",
)
BOUNDARY = LENGTH.saying(
    "In {unit_set} a mark counts once for each token that it covers, so long marks weigh "
    "more than short ones. A token counts even if a mark covers only part of it: "
    "{boundary} of {marks} marks begin or end inside one.",
    "If words are separated otherwise, say with token_pattern what a token is.",
)
JOINED = FindingTemplate(
    "several-labels",
    "note",
    "choices",
    "{several} times an annotator marked the same unit of {unit_set} with different "
    "labels. These count together as one category, such as A|B.",
    "If only one should count, order the labels with priority in campaign.toml; if "
    "nested marks answer separate questions, make each label a layer.",
)
RANKED = JOINED.saying(
    "{several} times an annotator marked the same unit of {unit_set} with different "
    "labels. The label that the campaign's priority names first counts."
)


def length(facts: Facts) -> Iterator[Finding]:
    """Yield what counting tokens does to marks."""
    for each in facts.siblings:
        if each.boundary:
            yield BOUNDARY.found(unit_set=each.id, boundary=each.boundary, marks=each.marks.used)
            return
        if each.base == "tokens":
            yield LENGTH.found(unit_set=each.id)
            return


def several(facts: Facts) -> Iterator[Finding]:
    """Yield what becomes of units under several marks."""
    for each in facts.siblings:
        if each.several and each.base in OF_TEXTS:
            yield (JOINED if each.joined else RANKED).found(unit_set=each.id, several=each.several)


# Distances between categories: those expected against those found, and circular weighting.

# Declared and computed distances that differ by more than this are told apart.
APART = 0.1
SEVERAL = 2

STANDS = (
    "The distance table {table} puts {first} and {second} at {declared} (its largest "
    "distance is 1), the annotations at {computed}: annotators tell them apart "
)
CLOSER = FindingTemplate(
    "distance",
    "note",
    "distances",
    f"{STANDS}better than expected.",
    "Keep the two categories separate; the table may forgive this confusion too easily.",
)
FARTHER = CLOSER.saying(
    f"{STANDS}less well than expected.",
    "Sharpen the line between {first} and {second}, or merge them.",
    severity="warning",
)
CIRCULAR = FindingTemplate(
    "circular",
    "note",
    "distances",
    "Alpha ({alpha}) and weighted kappa ({kappa}) with distances computed from the same "
    "table are circular: they forgive most what annotators confuse most.",
    "Use the computed distances to describe confusions; do not cite these two figures.",
)
UNSHOWN = replace(CIRCULAR, evidence="coefficients")


def compared(facts: Facts) -> Iterator[Finding]:
    """Yield the categories whose declared and computed distances differ by more than a tenth.

    Those of a taxonomy say what lies near in it, not which confusions were expected.
    """
    pair = facts.pair
    # Of very many categories the distances stand in a table beside the results.
    if pair is None or pair.distances is None:
        return
    for table in facts.results.distances:
        expected = table.origin is None and table.covers(pair.confusion.categories)
        if expected and max(map(max, table.rows)) > 0:
            yield from _compare(pair.confusion.categories, pair.distances.computed_alpha, table)


def _compare(names: Sequence[str], matrix: Matrix, table: DistanceTable) -> Iterator[Finding]:
    largest = max(map(max, table.rows))
    for i, first in enumerate(names):
        for j, second in enumerate(names[i + 1 :], i + 1):
            computed = matrix[i][j]
            declared = table.between(first, second) / largest
            if computed is not None and abs(computed - declared) > APART:
                message = CLOSER if computed > declared else FARTHER
                yield message.found(
                    first=first, second=second, table=table.id, declared=declared, computed=computed
                )


def circular(facts: Facts) -> Iterator[Finding]:
    """Yield a note on coefficients weighted with distances computed from their own table.

    Without several confusions none is forgiven more than another.
    """
    # Of very many categories no table is known, and there are several confusions.
    known = facts.unit_set.only_pair or facts.unit_set.coincidences
    if known and len(list(confusions(facts.unit_set))) < SEVERAL:
        return
    measures = facts.unit_set.measures
    alpha, kappa = measures.get("krippendorff_alpha[computed]"), measures.get("weighted_kappa[computed]")
    if alpha and kappa and alpha.value is not None and kappa.value is not None:
        # Of very many categories no table of distances is shown.
        pair = facts.unit_set.only_pair
        shown = pair.distances if pair else facts.unit_set.coincidences
        yield (CIRCULAR if shown else UNSHOWN).found(alpha=alpha.value, kappa=kappa.value)
