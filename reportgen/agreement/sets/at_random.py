"""What annotators' own labels give when they are paired at random, for many pairs of annotators at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.agreement.several.units import UnitPairs
from reportgen.study import Codes

# Two labels that are looked at together.
BLOCK = 4_000_000


@dataclass(frozen=True, eq=False)
class _Labels:
    """The labels that one side of each pair of annotators used, sorted by pair.

    `pair`, `label`, `share` (labels,): which label has which share of the units of which pair; `place`
    (meetings,) is where each meeting's own label stands.
    """

    pair: Codes
    label: Codes
    share: Floats
    place: Codes


class AtRandom:
    """A mean over all pairings of one annotator's labels with the other's, for each pair of annotators.

    `expected` (pairs,) is the mean, `moved` (meetings,) how a unit with these two labels moves it through
    both annotators' distributions; its mean over the units of a pair is zero.
    """

    def __init__(self, met: UnitPairs, values: Floats) -> None:
        """Pair labels at random; `values` (categories, categories) is what each two of them give."""
        one, other = _labels(met, met.first), _labels(met, met.second)
        by_one, by_other = _toward(one, other, values, met.pairs)
        self.expected: Floats = np.zeros(met.pairs)
        np.add.at(self.expected, one.pair, one.share * by_one)
        self.moved: Floats = by_one[one.place] + by_other[other.place] - 2 * self.expected[met.pair]


def _labels(met: UnitPairs, label: Codes) -> _Labels:
    keys, place = np.unique(met.pair * met.categories + label, return_inverse=True)
    n = np.zeros(len(keys), dtype=np.int64)
    np.add.at(n, place.reshape(-1), met.weight)
    pair = keys // max(met.categories, 1)
    return _Labels(pair, keys % max(met.categories, 1), n / met.units[pair], place.reshape(-1))


def _toward(one: _Labels, other: _Labels, values: Floats, pairs: int) -> tuple[Floats, Floats]:
    """Return for each label of either side the mean of its values with the other side's labels."""
    by_one, by_other = np.zeros(len(one.pair)), np.zeros(len(other.pair))
    for mine, theirs in _crossed(one.pair, other.pair, pairs):
        value = values[one.label[mine], other.label[theirs]]
        by_one += np.bincount(mine, other.share[theirs] * value, minlength=len(by_one))
        by_other += np.bincount(theirs, one.share[mine] * value, minlength=len(by_other))
    return by_one, by_other


def _crossed(one: Codes, other: Codes, pairs: int) -> Iterator[tuple[Codes, Codes]]:
    """Yield the places of every two labels of a pair, some pairs of annotators at a time."""
    many = np.bincount(other, minlength=pairs)
    start = np.cumsum(many) - many
    times = many[one]
    block = (np.cumsum(times) - 1) // BLOCK
    for first, last in _runs(block):
        here = np.arange(first, last)
        mine = np.repeat(here, times[here])
        offset = np.arange(len(mine)) - np.repeat(np.cumsum(times[here]) - times[here], times[here])
        yield mine, start[one[mine]] + offset


def _runs(block: Codes) -> Iterator[tuple[int, int]]:
    """Yield where each run of equal numbers begins and ends."""
    starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
    yield from zip(starts, [*starts[1:], len(block)], strict=True)
