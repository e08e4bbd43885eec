"""Distances between categories that are sets of labels: Jaccard, MASI, Dice."""

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Floats
from reportgen.study import Codes

Members = frozenset[str]
Shared = npt.NDArray[np.int32]


class Sets:
    """Categories that are sets (categories,): how many members they have, and how many in common.

    `size` (categories,) counts the members of each, `shared` (categories, categories) those that two of them
    have in common. An empty set equals an empty one and shares nothing with any other.
    """

    def __init__(self, sets: Sequence[Members]) -> None:
        """Count members; the sum runs over members, each of which some of the sets hold."""
        self.size: Codes = np.array([len(each) for each in sets], dtype=np.int64)
        self.shared: Shared = np.zeros((len(sets), len(sets)), dtype=np.int32)
        holders: dict[str, list[int]] = {}
        for code, each in enumerate(sets):
            for member in each:
                holders.setdefault(member, []).append(code)
        self.members = len(holders)
        for codes in holders.values():
            self.shared[np.ix_(codes, codes)] += 1

    @property
    def blank(self) -> npt.NDArray[np.bool_]:
        """Say of each set whether it is empty (categories,)."""
        empty: npt.NDArray[np.bool_] = self.size == 0
        return empty

    @property
    def _sums(self) -> Codes:
        return self.size[:, None] + self.size[None, :]

    @property
    def apart(self) -> Codes:
        """Return how many members one of two sets has and the other has not (categories, categories)."""
        return self._sums - 2 * self.shared

    @cached_property
    def jaccard(self) -> Distance:
        """Return 1 - |A ∩ B| / |A ∪ B|; two empty sets are at distance 0 (Jaccard 1908)."""
        return Distance("jaccard", _shares(self.apart, self._sums - self.shared))

    @cached_property
    def masi(self) -> Distance:
        """Return 1 - J M, J being Jaccard's index (Passonneau 2006, section 3).

        M is 1 for equal sets, 2/3 where one holds the other, 1/3 where they merely overlap, and 0 where they
        have nothing in common.
        """
        union = self._sums - self.shared
        least = np.minimum(self.size[:, None], self.size[None, :])
        within, equal = self.shared == least, self.apart == 0
        # Distances as shares of whole numbers: (3 union - weight shared) / (3 union), M being weight / 3.
        weight: Codes = 1 + within.astype(np.int64) + equal
        return Distance("masi", _shares(3 * union - weight * self.shared, 3 * union))

    @cached_property
    def dice(self) -> Distance:
        """Return 1 - 2|A ∩ B| / (|A| + |B|); two empty sets are at distance 0 (Dice 1945)."""
        return Distance("dice", _shares(self.apart, self._sums))


def _shares(part: Codes, whole: Codes) -> Floats:
    """Return part / whole, 0 of nothing."""
    return np.divide(part, whole, out=np.zeros(whole.shape), where=whole > 0)


@lru_cache(maxsize=2)
def table_of(sets: tuple[Members, ...]) -> Sets:
    """Return what is counted of sets; every pair of annotators of a unit set asks for the same."""
    return Sets(sets)


def set_distances(sets: tuple[Members, ...]) -> list[Distance]:
    """Return the distances between sets that coefficients are weighted with."""
    table = table_of(sets)
    return [table.jaccard, table.masi, table.dice]
