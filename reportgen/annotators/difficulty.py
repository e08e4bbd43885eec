"""Which units are hard: how far apart the labels of each are."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from reportgen.measures import Whole
from reportgen.readers import NO_DOCUMENT
from reportgen.results.annotators import Bin, Difficulty, HardUnit
from reportgen.units import NO_CATEGORY, CodedUnits, disputed

MOST_HARD = 20
# Disagreements above 0 up to .2, .4, …
FIFTHS = 5
PAIR = 2


def difficulty(whole: Whole) -> Difficulty | None:
    """Return how hard the units are; None where no two annotators rated one."""
    profiles = whole.profiles
    if not profiles.units:
        return None
    times = profiles.times.tolist()
    counts = [Counter(label for label in row if label != NO_CATEGORY) for row in profiles.labels.tolist()]
    apart = [_apart(list(each.values())) for each in counts]
    shares = [one / pairs for one, pairs in apart]
    bits = [_entropy(list(each.values())) for each in counts]
    histogram = [0] * (FIFTHS + 1)
    for (one, pairs), number in zip(apart, times, strict=True):
        histogram[-(-one * FIFTHS // pairs)] += number
    return Difficulty(
        units=profiles.units,
        differing=profiles.units - histogram[0],
        disagreement=math.fsum(x * n for x, n in zip(shares, times, strict=True)) / profiles.units,
        entropy=math.fsum(x * n for x, n in zip(bits, times, strict=True)) / profiles.units,
        histogram=tuple(_bin(place, number) for place, number in enumerate(histogram)),
        hardest=hardest(whole.units),
    )


def _bin(place: int, units: int) -> Bin:
    """Return units without disagreement (place 0), or those of one fifth."""
    return Bin(low=max(0, place - 1) / FIFTHS, high=place / FIFTHS, units=units)


def _apart(labels: Sequence[int]) -> tuple[int, int]:
    """Return how many pairs of ratings differ, and how many there are; `labels` has how often each is."""
    ratings = sum(labels)
    pairs = ratings * (ratings - 1) // PAIR
    return pairs - sum(n * (n - 1) // PAIR for n in labels), pairs


def _entropy(labels: Sequence[int]) -> float:
    """Return -Σ p log2 p of the labels' shares, in bits."""
    ratings = sum(labels)
    return math.fsum(n / ratings * math.log2(ratings / n) for n in sorted(labels))


def hardest(units: CodedUnits, most: int = MOST_HARD) -> tuple[HardUnit, ...]:
    """Return the units with the greatest disagreement, of equal ones first those with more ratings.

    Of two ratings each, all on which annotators differ are as hard as each other, and none is returned.
    """
    size = len(units.unit_weight)
    ratings = np.bincount(units.unit, minlength=size)
    cells, times = np.unique(units.unit * len(units.categories) + units.label, return_counts=True)
    same = np.zeros(size, dtype=np.int64)
    np.add.at(same, cells // max(len(units.categories), 1), times * (times - 1) // PAIR)
    pairs = ratings * (ratings - 1) // PAIR
    share = np.zeros(size)
    np.divide(pairs - same, pairs, out=share, where=pairs > 0)
    open_ = np.flatnonzero((share > 0) & (units.unit_weight > 0))
    if ratings.max(initial=0) <= PAIR:
        return ()
    order = open_[np.lexsort((open_, -ratings[open_], -share[open_]))][:most]
    chosen = np.flatnonzero(np.isin(units.unit, order))
    labels: dict[int, list[int]] = {unit: [] for unit in order.tolist()}
    for unit, label in zip(units.unit[chosen].tolist(), units.label[chosen].tolist(), strict=True):
        labels[unit].append(label)
    places = {unit: place for place, unit in enumerate(disputed(units).tolist())}
    return tuple(_hard(units, unit, labels[unit], float(share[unit]), places) for unit in order.tolist())


def _hard(
    units: CodedUnits, unit: int, labels: Sequence[int], share: float, places: dict[int, int]
) -> HardUnit:
    counts = Counter(sorted(labels))
    document = int(units.unit_document[unit])
    return HardUnit(
        entry=places.get(unit),
        document=None if document == NO_DOCUMENT else units.documents[document],
        disagreement=share,
        entropy=_entropy(list(counts.values())),
        labels={units.categories[label]: times for label, times in counts.items()},
    )
