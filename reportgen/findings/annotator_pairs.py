"""Annotators who use two labels the other way round than others, or are copies of each other."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import measure_of
from reportgen.findings.layer_facts import FindingTemplate, LayerFacts, Values, name_values
from reportgen.measures.annotators.annotator_vs_rest import is_nearly_same
from reportgen.measures.significance_tests import NoTest
from reportgen.results import Finding, Pair, UnitSet, Value
from reportgen.results.annotators import AnnotatorVsRest, Copies, Quality

# What the primary coefficient would be without an annotator who stands out, as findings say it.

# What a reader sees of a figure.
LEAST_GAIN = 0.001


def standings(facts: LayerFacts) -> dict[str, AnnotatorVsRest]:
    """Return how each of the layer's annotators compares with the others, by name; nothing of two."""
    return {annotator.annotator: annotator for quality in _quality(facts) for annotator in quality.annotators}


def by_marks(facts: LayerFacts) -> bool:
    """Tell whether the layer's annotators are compared by their marks in texts, not by labels of units."""
    return any(quality.compared_by for quality in _quality(facts))


def _quality(facts: LayerFacts) -> list[Quality]:
    return [quality for quality in facts.results.quality or () if quality.layer == facts.layer]


def without(facts: LayerFacts, annotator: str) -> Values:
    """Return what the coefficient is and would be without an annotator, nothing where it is no more."""
    standing = standings(facts).get(annotator)
    value = facts.figure.value if facts.figure else None
    value_without = standing.without.value if standing and standing.without else None
    if value is None or value_without is None or value_without - value < LEAST_GAIN:
        return {}
    return {
        "annotator": annotator,
        "coefficient": facts.coefficient,
        "without": value_without,
        "value": value,
    }


def gain_of(values: Mapping[str, Value | None]) -> float | None:
    """Return how much more the coefficient would be, None where that is not among the values of a message."""
    after, before = values.get("without"), values.get("value")
    return after - before if isinstance(after, float) and isinstance(before, float) else None


# Annotators who use two labels the other way round than others, or are copies of each other.

# Labels of a scale of numbers are no names that one could take for each other.
BY_NAME = ("nominal", "set", "ordinal")
# Each of two labels has to meet the other so often before they look exchanged.
LEAST_EACH_WAY = 3
# So many standard deviations more units cross than agree.
BEYOND = 3.0
# So many standard deviations more of each label's units cross than meet a third label.
BEYOND_THIRD = 2.0

SWAPPED = FindingTemplate("swapped-labels", "problem", "confusion-matrix", cases=("units",)).saying(
    "{first} and {second} seem to use {label} and {other} the other way round: of {units} {noun} to which "
    "both gave one of the two, they crossed on {crossed}.",
    "Ask {first} and {second} what the two labels mean.",
)
SWAPPED_BY = replace(SWAPPED, cases=("crossed",)).saying(
    "{annotator} seems to use {label} and {other} the other way round: on {noun} with these two labels, "
    "{annotator} and another crossed {crossed} times and agreed {agreed} times.",
    "Ask {annotator} what the two labels mean.",
)
COUNTED_TWICE = " If one is a copy, {coefficient} counts one opinion twice."
SAME = FindingTemplate("identical-annotators", "warning", "annotator-pairs", cases=("units",)).saying(
    "{first} and {second} agree on all {units} {noun}. Are these two files the same?" + COUNTED_TWICE,
    "Compare the two exports; a copy is not a second annotation.",
)
NEARLY_SAME = SAME.saying(
    "{first} and {second} differ on only {differ} of {units} {noun} that two others labelled too; by how "
    "each agrees with these, they would on about {expected}. Was one file made from the other?"
    + COUNTED_TWICE,
    SAME.advice,
)
SEVERAL_SAME = SAME.saying(
    "{count} pairs of annotators agree on all, or nearly all, {noun} that both labelled: {names}. Are these "
    "files the same?" + COUNTED_TWICE,
    "Compare the exports; a copy is not a second annotation.",
)


Met = Counter[tuple[str, str]]


@dataclass(frozen=True)
class Crossing:
    """How two labels of an annotator meet those of others: crossed each way, and agreed."""

    label: str
    other: str
    ways: tuple[int, int]
    agreed: int

    @property
    def crossed(self) -> int:
        """Return how often the two met crosswise."""
        return sum(self.ways)

    def is_swap(self, others: int) -> bool:
        """Tell whether they cross more than they agree, beyond chance; `others` share the same units."""
        met = self.crossed + self.agreed
        apart = (self.crossed - self.agreed) / others
        return min(self.ways) >= LEAST_EACH_WAY and apart > BEYOND * math.sqrt(met / others)


def swapped(facts: LayerFacts) -> Iterator[Finding]:
    """Yield annotators who use two labels the other way round than the others do."""
    for annotators, crossing in swaps(facts.unit_set):
        if len(annotators) > 1:
            counts = {"units": crossing.crossed + crossing.agreed, "crossed": crossing.crossed}
            yield _swap_finding(facts, SWAPPED, crossing, first=annotators[0], second=annotators[1], **counts)
        else:
            counts = {"crossed": crossing.crossed, "agreed": crossing.agreed}
            left_out = without(facts, annotators[0])
            yield _swap_finding(
                facts, SWAPPED_BY, crossing, **{"annotator": annotators[0], **counts, **left_out}
            )


def _swap_finding(
    facts: LayerFacts, message: FindingTemplate, crossing: Crossing, **values: Value | None
) -> Finding:
    """Return the finding, with about what the coefficient would gain if the crossed labels agreed."""
    value = facts.figure.value if facts.figure else None
    differing = sum(pair.confusion.disagreements for pair in facts.unit_set.pairs)
    gain = gain_of(values)
    if value is not None and "[" not in facts.measure and differing:
        gain = (1 - value) * crossing.crossed / differing
    return message.gaining(gain, label=crossing.label, other=crossing.other, **values)


def swaps(unit_set: UnitSet) -> Iterator[tuple[tuple[str, ...], Crossing]]:
    """Yield who exchanged which two labels: both of two annotators, for nobody knows who; else the one."""
    if unit_set.scale not in BY_NAME:
        return
    met = {pair.annotators: _met(pair) for pair in unit_set.pairs}
    if unit_set.only_pair:
        yield from ((unit_set.annotators, crossing) for crossing in _crossings(unit_set, *met.values()))
        return
    for annotator in unit_set.annotators:
        own = [
            table if ahead == annotator else _turned(table)
            for (ahead, back), table in met.items()
            if annotator in (ahead, back)
        ]
        other_tables = [table for names, table in met.items() if annotator not in names]
        for crossing in _crossings(unit_set, *own):
            others = _crossing(other_tables, crossing.label, crossing.other)
            if others.agreed > others.crossed:
                yield (annotator,), crossing


def _met(pair: Pair) -> Met:
    """Return how often labels of the two met, those that did."""
    names = pair.confusion.categories
    return Counter(
        {(names[row], names[column]): many for (row, column), many in pair.confusion.filled.items()}
    )


def _turned(met: Met) -> Met:
    return Counter({(other, label): many for (label, other), many in met.items()})


def _crossings(unit_set: UnitSet, *met: Met) -> Iterator[Crossing]:
    """Yield the labels that an annotator, first in each table, has exchanged; unmarked units have none."""
    places = {name: index for index, name in enumerate(unit_set.categories) if name != unit_set.non_annotated}
    marked = [
        Counter({names: n for names, n in table.items() if places.keys() >= set(names)}) for table in met
    ]
    label_pairs = {names for table in marked for names in table}
    for label, other in sorted(label_pairs, key=lambda names: (places[names[0]], places[names[1]])):
        if places[label] < places[other] and (other, label) in label_pairs:
            crossing = _crossing(marked, label, other)
            if crossing.is_swap(len(marked)) and not _meets_a_third(marked, crossing):
                yield crossing


def _crossing(met: Sequence[Met], label: str, other: str) -> Crossing:
    """Return how two labels meet, all tables together."""
    ways = sum(table[label, other] for table in met), sum(table[other, label] for table in met)
    return Crossing(label, other, ways, sum(table[label, label] + table[other, other] for table in met))


def _meets_a_third(met: Sequence[Met], crossing: Crossing) -> bool:
    """Tell whether one of the two meets third labels about as often: who errs everywhere swaps nothing."""
    two = {crossing.label, crossing.other}
    for name, crossed in zip((crossing.label, crossing.other), crossing.ways, strict=True):
        cells = [(theirs, n) for table in met for (mine, theirs), n in table.items() if mine == name]
        third = sum(n for theirs, n in cells if theirs not in two)
        if (crossed - third) / len(met) <= BEYOND_THIRD * math.sqrt((crossed + third) / len(met)):
            return True
    return False


def identical(facts: LayerFacts) -> Iterator[Finding]:
    """Yield pairs who agree on many units, and on more than their agreement with others explains."""
    same, coefficient = copies(facts), facts.coefficient
    if len(same) == 1:
        (pair,) = same
        values: Values = {"first": pair.first, "second": pair.second, "units": pair.units}
        values["coefficient"] = coefficient
        if pair.differ and pair.expected is not None:
            yield NEARLY_SAME.finding(**values, differ=pair.differ, expected=round(pair.expected))
        else:
            yield SAME.finding(**values)
    elif same:
        names = [f"{each.first} = {each.second}" for each in same]
        yield SEVERAL_SAME.finding(count=len(same), coefficient=coefficient, **name_values("names", names))


def copies(facts: LayerFacts) -> Sequence[Copies]:
    """Return pairs who may be copies of each other; of counts only those where everybody always agrees."""
    if qualities := _quality(facts):
        return [pair for quality in qualities for pair in quality.copies]
    unit_set = facts.unit_set
    names = [name for name in unit_set.categories if name != unit_set.non_annotated]
    same = [
        Copies(first=pair.annotators[0], second=pair.annotators[1], units=table.units, differ=0)
        for pair, table in ((pair, pair.confusion) for pair in unit_set.pairs)
        if not table.disagreements and is_nearly_same(table, [table.count(name, name) for name in names])
    ]
    return same if len(same) == len(unit_set.pairs) else ()


# Does one annotator use a category more often than the other? Tested, not read off kappa less pi.
#
# Bhapkar's test decides: by document it is Hotelling's, which keeps its level with few documents, where the
# statistic of Stuart and Maxwell can't exceed their number (benchmarks/margins.py, docs/uncertainty.md).
# Where every document or unit differs in the same way it has no variance, and theirs decides.

LEVEL = 0.05

DIFFERENT = "{first} and {second} do not use the categories equally often (test of {test}, p = {margins_p})"
MARKS = (
    ": {first} marked {first_marks} {noun} and {second} {second_marks}; of those that only one of them "
    "marked, {first_only} are {first}'s and {second_only} {second}'s (McNemar p = {mcnemar_p})"
)
BY_UNIT = " These p values treat units as independent."
NOT_SHOWN = (
    "No test shows that {first} or {second} uses a category more often than the other (test of {test}, p = "
    "{margins_p}). They may use it on other {noun} all the same: they differ on {differ} of {units} {noun}."
)
REVIEW_MARKS = "Agree on what should be marked."
REVIEW = "See in the confusion matrix who chose what."

NOT_SHOWN_BY = {
    by_document: FindingTemplate("no-bias", "note", "symmetry", kind="limit").saying(
        NOT_SHOWN + ("" if by_document else BY_UNIT)
    )
    for by_document in (False, True)
}
UNKNOWN = FindingTemplate("bias-unknown", "note", "symmetry", kind="limit").saying(
    "No test can show whether {first} or {second} uses a category more often than the other: they differ on "
    "{differ} of {units} {noun}, which is too few, or in too few documents."
)
# By whether a category is that of units that nobody marked, and documents are known.
OF_TWO = FindingTemplate("bias", "warning", "symmetry", cases=("units",), examples=(), of_data="bias")
IN_MARKS = replace(OF_TWO, asks="balance", cases=("first_only", "second_only"))
BIAS = {
    (marks, by_document): (IN_MARKS if marks else OF_TWO).saying(
        f"{DIFFERENT}{MARKS if marks else ''}.{'' if by_document else BY_UNIT}",
        REVIEW_MARKS if marks else REVIEW,
    )
    for marks in (False, True)
    for by_document in (False, True)
}
MORE_MARKS = "{first} and {second} do not mark equally often" + MARKS
BIAS_IN_MARKS = {
    by_document: replace(IN_MARKS, id="bias-in-marks", of_data=None).saying(
        f"{MORE_MARKS}.{'' if by_document else BY_UNIT}", REVIEW_MARKS
    )
    for by_document in (False, True)
}

BIAS_OF_ONE = replace(OF_TWO, evidence="quality", categories=("category",), examples=("category",)).saying(
    "{annotator} gives {category} to {own_share} of {units} {noun}, and the others to {others_share} of the "
    "same (p = {p}, Holm).",
    "Agree with {annotator} on when to choose {category}.",
)
BIAS_IN_MARKS_OF_ONE = replace(BIAS_OF_ONE, examples=()).saying(
    "{annotator} marks {own_share} of {units} {noun}, and the others {others_share} of the same (p = {p}, "
    "Holm).",
    "Agree with {annotator} on what should be marked.",
)


def bias(facts: LayerFacts) -> Iterator[Finding]:
    """Yield whether a test tells how often annotators use the categories apart, and mark units.

    Of three or more each one's use is compared with that of the others.
    """
    pair = facts.pair
    if pair is None:
        yield from _against_others(facts)
        return
    # The test that decides.
    name = "bhapkar" if pair.symmetry["bhapkar"].undefined != NoTest.NO_VARIATION else "stuart_maxwell"
    margins, (first, second) = pair.symmetry[name], pair.annotators
    differ, units = margins.discordant, pair.confusion.units
    values: Values = {"first": first, "second": second, "differ": differ, "units": units}
    marks = _marks(pair, facts.unit_set.non_annotated)
    if margins.p is not None and margins.p < LEVEL:
        message = BIAS[bool(marks), margins.by_document]
        yield message.finding(test=measure_of(name).authors, margins_p=margins.p, **values, **marks)
    elif marks and marks["mcnemar_p"] < LEVEL / 2:  # the second test of one question
        yield BIAS_IN_MARKS[margins.by_document].finding(**values, **marks)
    elif margins.undefined in (NoTest.FEW_DOCUMENTS, NoTest.MANY_CATEGORIES) or (
        margins.least_p is not None and margins.least_p >= LEVEL
    ):
        yield UNKNOWN.finding(**values)
    elif margins.p is not None:
        yield NOT_SHOWN_BY[margins.by_document].finding(
            test=measure_of(name).authors, margins_p=margins.p, **values
        )


def _against_others(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who uses a category more or less often than the others, but for who exchanged labels."""
    unit_set = facts.unit_set
    if unit_set.scale not in ("nominal", "ordinal"):
        return
    exchanged = {name for names, _ in swaps(unit_set) for name in names}
    told = [
        (each.bias, name) for name, each in standings(facts).items() if each.bias and name not in exchanged
    ]
    for use, name in sorted(told, key=lambda row: (row[0].adjusted_p, row[1])):
        shares: Values = {"own_share": use.own, "others_share": use.others}
        category: Values = {"category": use.category}
        message = BIAS_OF_ONE
        if use.category == unit_set.non_annotated:
            message, category = BIAS_IN_MARKS_OF_ONE, {}
            shares = {"own_share": 1 - use.own, "others_share": 1 - use.others}
        units = use.difference.units
        yield message.finding(annotator=name, units=units, p=use.adjusted_p, **shares, **category)


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
