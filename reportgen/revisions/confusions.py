"""Which confusions of two categories the change in observed disagreement consists of, exactly."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from reportgen.agreement import Estimate, Whole
from reportgen.agreement.estimate import with_interval
from reportgen.agreement.sets.labels import judged
from reportgen.study import CodedUnits, natural_order

Two = tuple[str, str]
# Between the labels of one side of a difference.
BETWEEN = ", "


@dataclass(frozen=True)
class Disagreement:
    """Observed disagreement of all annotators as whole numbers over one `denominator`.

    `confusions` has what each two categories add, by their names; they add up to all of it. Two sets are told
    by what only one of them holds, the second name being empty where that is nothing.
    """

    denominator: int
    confusions: Mapping[Two, int]

    @property
    def value(self) -> Fraction:
        """Return observed disagreement, exactly."""
        return Fraction(sum(self.confusions.values()), self.denominator)

    def of(self, names: Two) -> Fraction:
        """Return what confusing two categories adds, exactly."""
        return Fraction(self.confusions.get(names, 0), self.denominator)


@dataclass(frozen=True)
class Confusion:
    """What confusing two categories adds under each version; `contribution` is the second less the first."""

    names: Two
    first: int
    second: int
    contribution: Fraction


@dataclass(frozen=True)
class DisagreementChanged:
    """Observed disagreement under both versions, and the confusions, those that fell most first."""

    first: Disagreement
    second: Disagreement
    confusions: tuple[Confusion, ...]

    @property
    def change(self) -> Fraction:
        """Return the second disagreement less the first, which all contributions add up to."""
        return self.second.value - self.first.value


def disagreement(whole: Whole) -> Disagreement | None:
    """Return observed disagreement of all annotators by the categories confused, None without shared units.

    The disagreeing share of a unit's pairs of ratings is Σ 2 n_k n_l / (r (r - 1)) over every two categories
    k < l, and observed disagreement its mean over the units with at least two ratings (Fleiss 1971). The
    denominator is a common one of all units: no number of ratings is too many for Python's integers.
    """
    profiles = whole.profiles
    if profiles.units == 0:
        return None
    pairs = profiles.label_pairs
    ratings, ways = profiles.ratings[pairs.profile], pairs.ways * profiles.times[pairs.profile]
    common = math.lcm(*(many * (many - 1) for many in np.unique(profiles.ratings).tolist()))
    size = max(whole.categories, 1)
    cell = (ratings * size + pairs.one) * size + pairs.other
    cells, place = np.unique(cell, return_inverse=True)
    counts = np.zeros(len(cells), dtype=np.int64)
    np.add.at(counts, place.reshape(-1), ways)
    found = _by_names(whole.units, cells.tolist(), counts.tolist(), common)
    return _reduced(profiles.units * common, found)


def most_frequent(found: DisagreementChanged, most: int) -> list[Two]:
    """Return the confusions that are most frequent over both versions, of equal ones those that fell most."""
    both = {each.names: found.first.of(each.names) + found.second.of(each.names) for each in found.confusions}
    return sorted(both, key=lambda names: -both[names])[:most]


def confusion_rates(whole: Whole, wanted: Iterable[Two]) -> dict[Two, Estimate]:
    """Return what each of some confusions adds to observed disagreement, as a figure of its units.

    Those of categories that there are not are left out.
    """
    profiles, size = whole.profiles, whole.categories
    known, pairs = frozenset(judged(whole.units)), profiles.label_pairs
    ratings = profiles.ratings[pairs.profile]
    share, cell = 2 * pairs.ways / (ratings * (ratings - 1)), pairs.one * size + pairs.other
    cells: dict[frozenset[str], list[int]] = {}
    for code in np.unique(cell).tolist():
        cells.setdefault(frozenset(_names(whole.units, code // size, code % size)), []).append(code)
    found: dict[Two, Estimate] = {}
    for two in wanted:
        if profiles.units and known.issuperset(parts(two, known)):
            here = np.flatnonzero(np.isin(cell, cells.get(frozenset(two), [])))
            each = np.zeros(len(profiles.times))
            np.add.at(each, pairs.profile[here], share[here])
            value = float((each * profiles.times).sum()) / profiles.units
            estimate = Estimate(value, profiles.units)
            found[two] = with_interval(
                estimate, each - value, profiles.clusters, (0.0, 1.0), disagreements=len(here)
            )
    return found


def _by_names(units: CodedUnits, cells: list[int], counts: list[int], common: int) -> dict[Two, int]:
    size, found = max(len(units.categories), 1), dict[Two, int]()
    for cell, count in zip(cells, counts, strict=True):
        many, one, other = cell // (size * size), cell // size % size, cell % size
        two = _names(units, one, other)
        found[two] = found.get(two, 0) + 2 * count * (common // (many * (many - 1)))
    return found


def _names(units: CodedUnits, one: int, other: int) -> Two:
    """Return two categories, of two sets what only the one and what only the other holds."""
    if units.sets is None:
        return units.categories[one], units.categories[other]
    ours, theirs = units.sets[one], units.sets[other]
    alone = sorted(BETWEEN.join(natural_order(each)) for each in (ours - theirs, theirs - ours))
    # What is empty comes first in this order, and is told last.
    return (alone[0], alone[1]) if alone[0] else (alone[1], "")


def parts(two: Two, known: Collection[str]) -> list[str]:
    """Return two categories, of two sets the labels in which they differ; `known` are those there are."""
    found = [[name] if name in known else name.split(BETWEEN) for name in two if name]
    return [name for names in found for name in names]


def _reduced(denominator: int, confusions: Mapping[Two, int]) -> Disagreement:
    """Return the same with the smallest whole numbers."""
    shared = math.gcd(denominator, *confusions.values())
    return Disagreement(denominator // shared, {two: each // shared for two, each in confusions.items()})


def changed(first: Whole, second: Whole) -> DisagreementChanged | None:
    """Return what the change in observed disagreement consists of, None where either is undefined.

    Two categories are the same confusion whatever order the versions have them in; they stand in the later
    one's, categories that it does not have behind its own.
    """
    before, after = disagreement(first), disagreement(second)
    if before is None or after is None:
        return None
    names = [*second.units.categories, *first.units.categories]
    if second.units.sets is not None:
        told = {*before.confusions, *after.confusions}
        names = [*natural_order({name for two in told for name in two if name}), ""]
    order = {name: place for place, name in enumerate(dict.fromkeys(names))}
    before, after = _ordered(before, order), _ordered(after, order)
    both = sorted({*before.confusions, *after.confusions}, key=lambda two: (order[two[0]], order[two[1]]))
    found = [
        Confusion(
            two, before.confusions.get(two, 0), after.confusions.get(two, 0), after.of(two) - before.of(two)
        )
        for two in both
    ]
    # Of equal contributions, those stay in the order of categories.
    return DisagreementChanged(before, after, tuple(sorted(found, key=lambda each: each.contribution)))


def _ordered(found: Disagreement, order: Mapping[str, int]) -> Disagreement:
    """Return the same with every two categories in one order."""
    confusions = {
        (one, other) if order[one] < order[other] else (other, one): each
        for (one, other), each in found.confusions.items()
    }
    return Disagreement(found.denominator, confusions)
