"""Units that are known by their sums, as units that have the same sums.

Figures of agreement add up pairs of ratings of a unit: units whose pairs add up to the same give the same
figures, and those of documents the same intervals. By Newton's forward differences any such function of a
unit's labels has, over all units with as many ratings, the sum that it has over units on which all ratings
but two at most are one chosen label; these weigh what `alike` says, some of them less than nothing.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.readers.annotations import Codes, LabelsGiven


@dataclass(frozen=True, eq=False)
class LabelSums:
    """How often each two labels meet on the units of a document that have the same number of ratings.

    `document`, `ratings` (rows,) say which units, sorted by both; `met` (rows, categories, categories) is
    symmetric: how many pairs of ratings of a unit have the two labels. Units with one rating have their
    labels on the diagonal, and those with none their number in its first place.
    """

    document: Codes
    ratings: Codes
    met: Codes

    @property
    def twice(self) -> Codes:
        """Return how many pairs of ratings have the same label, by label (rows, categories)."""
        return self.met.diagonal(axis1=1, axis2=2)

    @property
    def labels(self) -> Codes:
        """Return how many ratings have each label (rows, categories)."""
        return self._labels[0]

    @property
    def units(self) -> Codes:
        """Return how many units there are (rows,)."""
        return self._units[0]

    @property
    def are_whole(self) -> npt.NDArray[np.bool_]:
        """Tell of which rows the numbers of units, and of ratings by label, are whole (rows,)."""
        whole: npt.NDArray[np.bool_] = (self._units[1] == 0) & (self._labels[1] == 0).all(axis=1)
        return whole

    @property
    def _labels(self) -> tuple[Codes, Codes]:
        """Return ratings by label, each being in so many pairs as the unit has others, and what is left."""
        others = np.maximum(self.ratings - 1, 1)[:, None]
        several = (self.ratings > 1)[:, None]
        in_pairs = np.where(several, self.met.sum(axis=2) + self.twice, self.twice)
        return np.divmod(np.where((self.ratings == 0)[:, None], 0, in_pairs), others)

    @property
    def _units(self) -> tuple[Codes, Codes]:
        pairs = (self.met.sum(axis=(1, 2)) + self.twice.sum(axis=1)) // 2
        return np.divmod(pairs, np.maximum(self.ratings * (self.ratings - 1) // 2, 1))


def sums_on(document: Codes, weight: Codes, unit: Codes, label: Codes, size: int) -> LabelSums:
    """Return how often labels meet on units: `document`, `weight` (units,); `unit`, which rises, `label`."""
    ratings = np.bincount(unit, minlength=len(weight))
    most = int(ratings.max(initial=0))
    rows, row = np.unique(document * (most + 1) + ratings, return_inverse=True)
    met = np.zeros((len(rows), size, size), dtype=np.int64)
    labels = np.zeros((len(ratings), most), dtype=np.int64)
    labels[unit, np.arange(len(unit)) - (np.cumsum(ratings) - ratings)[unit]] = label
    for first, second in combinations(range(most), 2):
        both = np.flatnonzero(ratings > second)
        cell = (row[both] * size + labels[both, first]) * size + labels[both, second]
        np.add.at(met.reshape(-1), cell, weight[both])
    met += met.transpose(0, 2, 1)
    same = np.arange(size)
    met[:, same, same] //= 2
    few = np.flatnonzero(ratings < 2)
    alone = labels[few, 0] if most else np.zeros_like(few)
    np.add.at(met, (row[few], alone, alone), weight[few])
    return LabelSums(rows // (most + 1), rows % (most + 1), met)


# Up to here floats have all whole numbers.
EXACT = 2**53


def products_of(cells: Codes) -> Codes:
    """Return the products of every two cells, added up over documents, from cells by document."""
    # Floats that are whole are added up several times as fast, and without rounding.
    exact = int(cells.sum()) * int(cells.max(initial=0)) < EXACT
    numbers = cells.astype(np.float64) if exact else cells
    products: Codes = (numbers.T @ numbers).astype(np.int64)
    return products


def contradictions(sums: LabelSums, given: LabelsGiven) -> Iterator[str]:
    """Yield what is wrong with sums by document and those by pair of annotators, where no units have both."""
    size = sums.met.shape[1]
    met, labels = np.zeros((size, size), dtype=np.int64), np.zeros(size, dtype=np.int64)
    *_, one, other, n = given.pairs or (given.n[:0],) * 6
    np.add.at(met, (one, other), n)
    np.add.at(labels, given.label, given.n)
    met += met.T
    np.fill_diagonal(met, met.diagonal() // 2)
    if not sums.are_whole.all():
        yield "has sums that no units have."
    if (sums.met[sums.ratings > 1].sum(axis=0) != met).any():
        yield "has other sums by document than by pair of annotators."
    if (sums.labels.sum(axis=0) != labels).any():
        yield "has other labels than annotators.csv."
    if given.products is not None and given.shared is not None and not _are_possible(given, size):
        yield "has other products of cells than tables of pairs can have."


def _are_possible(given: LabelsGiven, size: int) -> bool:
    """Say whether products of cells, by document, are possible beside the cells by group of documents.

    A whole number is at most its square, and as odd. Groups have the products of their documents and more.
    """
    first, second, group, one, other, n = given.pairs or (given.n[:0],) * 6
    people = set(zip(first.tolist(), second.tolist(), strict=True))
    named = given.shared or (given.n[:0],) * 2
    if people != set(zip(named[0].tolist(), named[1].tolist(), strict=True)):
        return False
    groups, number = np.unique(group, return_inverse=True)
    for who in people:
        rows = np.flatnonzero((first == who[0]) & (second == who[1]))
        cells = np.zeros((len(groups), size * size), dtype=np.int64)
        np.add.at(cells, (number[rows], one[rows] * size + other[rows]), n[rows])
        units, (documents, products) = cells.sum(axis=0), given.products_of(*who, size)
        left = products.diagonal() - units
        if (left < 0).any() or (left % 2).any() or (products > products_of(cells)).any():
            return False
        if not cells.any(axis=1).sum() <= documents <= units.sum():
            return False
    return True


@dataclass(frozen=True, eq=False)
class UnitsAlike:
    """Units as they are coded: `document`, `weight` (units,); `unit`, `place`, `label` (ratings,)."""

    document: Codes
    weight: Codes
    unit: Codes
    place: Codes
    label: Codes


def alike(sums: LabelSums) -> UnitsAlike:
    """Return units that have these sums.

    With x_k the ratings with label k of a unit, r the commonest label, and k, l others, a function p of
    degree 2 is p(r…r) + Σ x_k Δ_k p + Σ C(x_k, 2) Δ_kk p + Σ x_k x_l Δ_kl p. Added up over units, so many
    have the two ratings k and l beside r, or two of k; what is left of x_k have k alone, of all units r.
    """
    common = int(sums.labels.sum(axis=0).argmax())
    others = np.arange(sums.met.shape[1]) != common
    beside = sums.met * others[:, None] * others[None, :]
    twice = sums.twice * others
    both = (beside.sum(axis=(1, 2)) - twice.sum(axis=1)) // 2
    weight = np.triu(beside)
    alone = np.where(others, sums.labels - beside.sum(axis=2) - twice, 0)
    rest = sums.units - (sums.labels * others).sum(axis=1) + twice.sum(axis=1) + both
    weight[:, common, :] += alone
    weight[:, common, common] += rest
    few = sums.ratings < 2
    weight[few] = 0
    weight[few, common, :] = np.where((sums.ratings[few] == 1)[:, None], sums.twice[few], 0)
    weight[sums.ratings == 0, common, common] = sums.met[sums.ratings == 0, 0, 0]
    row, one, other = np.nonzero(weight)
    ratings = sums.ratings[row]
    starts = np.cumsum(ratings) - ratings
    unit = np.repeat(np.arange(len(row)), ratings)
    label = np.full(len(unit), common, dtype=np.int64)
    label[starts[ratings > 1]] = one[ratings > 1]
    last = ratings > 0
    label[(starts + ratings - 1)[last]] = other[last]
    return UnitsAlike(
        sums.document[row], weight[row, one, other], unit, np.arange(len(unit)) - starts[unit], label
    )
