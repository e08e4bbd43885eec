"""Annotators who did something else than the others: exchanged two labels, or gave one to everything."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.findings.facts import Facts, Message
from reportgen.results import Finding, Pair, UnitSet, Value

# Labels of a scale of numbers are no names that one could take for each other.
BY_NAME = ("nominal", "set", "ordinal")
# Each of two labels has to meet the other so often before they look exchanged.
LEAST_EACH_WAY = 3
# So many standard deviations more units cross than agree.
BEYOND = 3.0
# One label throughout is told where the others' labels would give it by chance no oftener than this.
BY_CHANCE = 0.001
# Two who agree on so many units and differ on none, having given two labels so often, may be one.
LEAST_SAME = 30
LEAST_OF_EACH = 5

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
ALWAYS = Message(
    "one-label",
    "problem",
    "annotator-pairs",
    "{annotator} gave {category} to every one of {units} {noun}, on which others gave other labels in "
    "{other_share} of cases.",
    "Look at the export of {annotator}: the labels may be missing, or the task misunderstood.",
)
SAME = Message(
    "identical-annotators",
    "warning",
    "annotator-pairs",
    "{first} and {second} agree on all {units} {noun}. Are these two files the same?",
    "Compare the two exports; a copy is no second annotation.",
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
            yield _said(facts, SWAPPED_BY, each, annotator=annotators[0], **counts)


def _said(facts: Facts, message: Message, found: Crossing, **values: Value) -> Finding:
    """Return the finding, with about what the coefficient would gain if the crossed labels agreed."""
    value = facts.figure.value if facts.figure else None
    whole = sum(_disagreements(pair) for pair in facts.unit_set.pairs)
    proportional = value is not None and "[" not in facts.measure and whole
    gain = (1 - (value or 0.0)) * found.crossed / whole if proportional else None
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
    known = {names for found in met for names in found if places.keys() >= set(names)}
    for label, other in sorted(known, key=lambda names: (places[names[0]], places[names[1]])):
        if places[label] < places[other] and (other, label) in known:
            found = _crossing(met, label, other)
            if found.is_swap(len(met)):
                yield found


def _crossing(met: Sequence[Met], label: str, other: str) -> Crossing:
    """Return how two labels meet, all tables together."""
    ways = sum(each[label, other] for each in met), sum(each[other, label] for each in met)
    return Crossing(label, other, ways, sum(each[label, label] + each[other, other] for each in met))


def _disagreements(pair: Pair) -> int:
    return sum(units for (row, column), units in pair.confusion.filled.items() if row != column)


def one_label(facts: Facts) -> Iterator[Finding]:
    """Yield annotators who gave one label to everything, where others' labels make that no chance."""
    for annotator in facts.unit_set.annotators:
        own: dict[str, int] = {}
        others: dict[str, int] = {}
        units = 0
        for pair in facts.unit_set.pairs:
            if annotator in pair.annotators:
                _add_labels(pair, annotator, own, others)
                units = max(units, pair.confusion.units)
        given = sum(others.values())
        if len(own) == 1 and given:
            (category,) = own
            share = others.get(category, 0) / given
            if math.pow(share, units) < BY_CHANCE:
                yield ALWAYS.found(annotator=annotator, category=category, units=units, other_share=1 - share)


def _add_labels(pair: Pair, annotator: str, own: dict[str, int], others: dict[str, int]) -> None:
    """Add how often an annotator and the other of a pair gave each label."""
    for category in pair.confusion.categories:
        totals = pair.confusion.totals(category)
        mine, theirs = totals if annotator == pair.confusion.rows else totals[::-1]
        for kept, number in ((own, mine), (others, theirs)):
            if number:
                kept[category] = kept.get(category, 0) + number


def identical(facts: Facts) -> Iterator[Finding]:
    """Yield pairs who agree on every one of many units, to which they gave several labels."""
    for pair in facts.unit_set.pairs:
        table, units = pair.confusion, pair.confusion.units
        used = [name for name in table.categories if table.count(name, name) >= LEAST_OF_EACH]
        if units >= LEAST_SAME and not _disagreements(pair) and len(used) > 1:
            first, second = pair.annotators
            yield SAME.found(first=first, second=second, units=units)
