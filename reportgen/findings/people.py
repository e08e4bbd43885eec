"""Annotators who use two labels the other way round than others, or are copies of each other."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reportgen.findings.facts import Facts, Message
from reportgen.findings.without import JUSTIFY, WITHOUT, gain_of, without
from reportgen.findings.words import several
from reportgen.results import Finding, Pair, UnitSet, Value

# Labels of a scale of numbers are no names that one could take for each other.
BY_NAME = ("nominal", "set", "ordinal")
# Each of two labels has to meet the other so often before they look exchanged.
LEAST_EACH_WAY = 3
# So many standard deviations more units cross than agree.
BEYOND = 3.0
# So many standard deviations more of each label's units cross than meet a third label.
BEYOND_THIRD = 2.0
# Two who agree on so many marked units and differ on none, so many beside their commonest label, may be one.
LEAST_SAME = 30
LEAST_OF_OTHERS = 5
# Two of several who never differ are told where agreement with the others makes that no likelier than this.
BY_CHANCE = 0.001

SWAPPED = Message(
    "swapped-labels",
    "problem",
    "confusion-matrix",
    "{first} and {second} seem to use {label} and {other} the other way round: of {units} {noun} to which "
    "both gave one of the two, they crossed on {crossed}.",
    "Ask {first} and {second} what the two labels mean; exchange them in one of the files if it was a slip.",
)
SWAPPED_BY = Message(
    "swapped-labels",
    "problem",
    "confusion-matrix",
    "{annotator} seems to use {label} and {other} the other way round: on {noun} with these two labels, "
    "{annotator} and another crossed {crossed} times and agreed {agreed} times.",
    "Ask {annotator} what the two labels mean; exchange them in that file if it was a slip.",
)
SWAPPED_BY_WITHOUT = replace(SWAPPED_BY, claim=SWAPPED_BY.claim + WITHOUT, advice=SWAPPED_BY.advice + JUSTIFY)
SAME = Message(
    "identical-annotators",
    "warning",
    "annotator-pairs",
    "{first} and {second} agree on all {units} {noun}. Are these two files the same?",
    "Compare the two exports; a copy is no second annotation.",
)
SEVERAL_SAME = Message(
    "identical-annotators",
    "warning",
    "annotator-pairs",
    "{count} pairs of annotators agree on all {noun} that both labelled: {names}. Are these files the same?",
    "Compare the exports; a copy is no second annotation.",
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
        known = self.crossed + self.agreed
        apart = (self.crossed - self.agreed) / others
        return min(self.ways) >= LEAST_EACH_WAY and apart > BEYOND * math.sqrt(known / others)


def swapped(facts: Facts) -> Iterator[Finding]:
    """Yield annotators who use two labels the other way round than the others do."""
    for annotators, each in swaps(facts.unit_set):
        if len(annotators) > 1:
            counts = {"units": each.crossed + each.agreed, "crossed": each.crossed}
            yield _said(facts, SWAPPED, each, first=annotators[0], second=annotators[1], **counts)
        else:
            counts = {"crossed": each.crossed, "agreed": each.agreed}
            kept = without(facts, annotators[0])
            message = SWAPPED_BY_WITHOUT if kept else SWAPPED_BY
            yield _said(facts, message, each, **{"annotator": annotators[0], **counts, **kept})


def _said(facts: Facts, message: Message, found: Crossing, **values: Value) -> Finding:
    """Return the finding, with about what the coefficient would gain if the crossed labels agreed."""
    value = facts.figure.value if facts.figure else None
    whole = sum(_disagreements(pair) for pair in facts.unit_set.pairs)
    proportional = value is not None and "[" not in facts.measure and whole
    gain = (1 - (value or 0.0)) * found.crossed / whole if proportional else gain_of(values)
    return message.gaining(gain, label=found.label, other=found.other, **values)


def swaps(unit_set: UnitSet) -> Iterator[tuple[tuple[str, ...], Crossing]]:
    """Yield who exchanged which two labels: both of two annotators, for nobody knows who; else the one."""
    if unit_set.scale not in BY_NAME:
        return
    met = {pair.annotators: _met(pair) for pair in unit_set.pairs}
    if unit_set.only_pair:
        yield from ((unit_set.annotators, each) for each in _crossings(unit_set, *met.values()))
        return
    for annotator in unit_set.annotators:
        own = [
            found if ahead == annotator else _turned(found)
            for (ahead, back), found in met.items()
            if annotator in (ahead, back)
        ]
        rest = [found for names, found in met.items() if annotator not in names]
        for each in _crossings(unit_set, *own):
            others = _crossing(rest, each.label, each.other)
            if others.agreed > others.crossed:
                yield (annotator,), each


def _met(pair: Pair) -> Met:
    """Return how often labels of the two met, those that did."""
    names = pair.confusion.categories
    return Counter(
        {(names[row], names[column]): many for (row, column), many in pair.confusion.filled.items()}
    )


def _turned(met: Met) -> Met:
    return Counter({(other, one): many for (one, other), many in met.items()})


def _crossings(unit_set: UnitSet, *met: Met) -> Iterator[Crossing]:
    """Yield the labels that an annotator, first in each table, has exchanged; unmarked units have none."""
    places = {name: place for place, name in enumerate(unit_set.categories) if name != unit_set.non_annotated}
    marked = [
        Counter({names: n for names, n in found.items() if places.keys() >= set(names)}) for found in met
    ]
    known = {names for found in marked for names in found}
    for label, other in sorted(known, key=lambda names: (places[names[0]], places[names[1]])):
        if places[label] < places[other] and (other, label) in known:
            found = _crossing(marked, label, other)
            if found.is_swap(len(marked)) and not _meets_a_third(marked, found):
                yield found


def _crossing(met: Sequence[Met], label: str, other: str) -> Crossing:
    """Return how two labels meet, all tables together."""
    ways = sum(each[label, other] for each in met), sum(each[other, label] for each in met)
    return Crossing(label, other, ways, sum(each[label, label] + each[other, other] for each in met))


def _meets_a_third(met: Sequence[Met], found: Crossing) -> bool:
    """Tell whether one of the two meets third labels about as often: who errs everywhere swaps nothing."""
    two = {found.label, found.other}
    for name, crossed in zip((found.label, found.other), found.ways, strict=True):
        cells = [(theirs, n) for each in met for (mine, theirs), n in each.items() if mine == name]
        third = sum(n for theirs, n in cells if theirs not in two)
        if (crossed - third) / len(met) <= BEYOND_THIRD * math.sqrt((crossed + third) / len(met)):
            return True
    return False


def _disagreements(pair: Pair) -> int:
    return sum(units for (row, column), units in pair.confusion.filled.items() if row != column)


def identical(facts: Facts) -> Iterator[Finding]:
    """Yield pairs who agree on every one of many units, to which they gave several labels."""
    same = copies(facts.unit_set)
    if len(same) == 1:
        first, second = same[0].annotators
        yield SAME.found(first=first, second=second, units=same[0].confusion.units)
    elif same:
        names = [" = ".join(pair.annotators) for pair in same]
        yield SEVERAL_SAME.found(count=len(same), **several("names", names))


def copies(unit_set: UnitSet) -> list[Pair]:
    """Return pairs who always agree; of several annotators, those only who don't so with others.

    Where everybody always agrees nobody is told apart, and all are meant.
    """
    same = [pair for pair in unit_set.pairs if _is_same(pair, unit_set.non_annotated)]
    if len(same) == len(unit_set.pairs):
        return same
    return [pair for pair in same if _is_told_apart(pair, unit_set.pairs)]


def _is_same(pair: Pair, non_annotated: str | None) -> bool:
    """Tell whether two agree on all of many units, several beside their commonest label; marks count."""
    table = pair.confusion
    if _disagreements(pair):
        return False
    alike = {name: table.count(name, name) for name in table.categories if name != non_annotated}
    marked = sum(alike.values())
    return marked >= LEAST_SAME and marked - max(alike.values()) >= LEAST_OF_OTHERS


def _is_told_apart(same: Pair, pairs: Sequence[Pair]) -> bool:
    """Tell whether two agree on more units than those who agree as they do with others would by chance."""
    beside = [each for each in pairs if len({*same.annotators} & {*each.annotators}) == 1]
    apart, units = sum(map(_disagreements, beside)), sum(each.confusion.units for each in beside)
    return bool(units) and math.pow(1 - apart / units, same.confusion.units) < BY_CHANCE
