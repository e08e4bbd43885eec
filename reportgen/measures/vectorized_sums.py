"""Sums over some units, or over several sets of them side by side: documents, samples, other sizes."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import Floats
from reportgen.measures.formulas import Formula

# What is summed of labels: all of the units, those of each of two annotators, shares of each unit's own, and
# those of each of any number of annotators.
TOTALS, FIRST, SECOND, SHARES, OWN = "totals", "first", "second", "shares", "own"


@dataclass(frozen=True, eq=False)
class DistanceWeights:
    """What coefficients take from a distance between categories; it is the same for all units.

    The weights of AC2 are 1 - δ / δ_max, δ_max being the largest distance between any two categories,
    declared or used, unless `given` says how far apart categories are that have nothing in common: weights
    belong to the scale, and are the same for every pair of annotators.
    """

    distance: CategoryDistance
    given: float = 0.0

    @property
    def categories(self) -> int:
        """Return how many categories there are."""
        return self.distance.size

    @property
    def uniform(self) -> float:
        """Return the mean distance of two categories, each as likely."""
        return self.distance.total / self.categories**2 if self.categories else 0.0

    @cached_property
    def farthest(self) -> float:
        """Return the distance at which the weights of AC2 are 0."""
        return self.given or self.distance.farthest(np.ones(self.categories, dtype=np.bool_))

    @property
    def weights(self) -> float:
        """Return the sum of these weights over all pairs of categories."""
        return self.distance.alike(self.farthest)


class OnScale:
    """Sums under a distance: what they take from it alone, which no unit moves."""

    scale: DistanceWeights

    @property
    def uniform(self) -> float | Fraction:
        """Return the mean distance of two categories."""
        return self.scale.uniform

    @property
    def farthest(self) -> float:
        """Return the distance at which the weights of AC2 are 0."""
        return self.scale.farthest

    @property
    def weights(self) -> float | Fraction:
        """Return the sum of these weights."""
        return self.scale.weights

    @property
    def categories(self) -> int:
        """Return how many categories there are."""
        return self.scale.categories


@dataclass(frozen=True, eq=False)
class VectorizedSums(OnScale):
    """Sums as coefficients take them (`formulas.Sums`), each of one value a row (rows,).

    `labels` has by name how often each category is among some labels (rows, categories), of OWN those of each
    annotator (rows, annotators, categories).
    """

    scale: DistanceWeights
    units: Floats
    ratings: Floats
    apart: Floats
    met: Floats
    labels: Mapping[str, Floats]

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Floats:
        """Return the mean distance of two labels drawn at random (rows,)."""
        p, q = self.share(one), self.share(other)
        found: Floats = (p * self.scale.distance.toward(q)).sum(axis=-1)
        if replaced:
            return found
        # What is not put back takes from its own category alone, which is at no distance.
        drawn = self.mass(other)
        return quotient(found * drawn, drawn - 1)

    def share(self, name: str) -> Floats:
        """Return each category's share of some labels (rows, categories)."""
        if name not in self._known:
            labels = self.labels[name]
            self._known[name] = quotient(labels, labels.sum(axis=-1)[..., None])
        return self._known[name]

    @cached_property
    def _known(self) -> dict[str, Floats]:
        """Return the shares that were asked for before."""
        return {}

    def mixed(self) -> Floats:
        """Return how often two labels drawn from all units differ (rows,)."""
        shares = self.share(SHARES)
        found: Floats = (shares * (1 - shares)).sum(axis=-1)
        return found

    def between(self) -> Floats:
        """Return the mean distance of two annotators' labels, each drawn from that one's own (rows,)."""
        shares, others, pairs = self.apart_from_others()
        return quotient((shares * others).sum(axis=(-1, -2)), pairs)

    def apart_from_others(self) -> tuple[Floats, Floats, Floats]:
        """Return what `between` is made of, for those annotators who labelled anything.

        That is each one's shares, how far a label is from those of all others, on average over each, added up
        (rows, annotators, categories), and how many others they all have together (rows,).
        """
        labels = self.labels[OWN]
        drawn = labels.sum(axis=-1)[..., None]
        shares = np.divide(labels, drawn, out=np.zeros_like(labels), where=drawn > 0)
        toward = self.scale.distance.toward
        others = toward(shares.sum(axis=-2))[..., None, :] - toward(shares)
        many = (drawn > 0).sum(axis=(-1, -2)).astype(np.float64)
        return shares, others, many * (many - 1)

    def mass(self, name: str) -> Floats:
        """Return how many labels are summed under a name (rows,)."""
        found: Floats = self.labels[name].sum(axis=-1)
        return found

    def sum_over(self, name: str, by_category: Floats) -> Floats:
        """Return the sum over them of a value by category (rows,)."""
        found: Floats = (self.labels[name] * by_category).sum(axis=-1)
        return found


class OrdinalRows(VectorizedSums):
    """Sums under Krippendorff's ordinal distance, which comes from each row's own labels.

    It is the squared difference of two categories' mean ranks (2004, section 11.3), so that the mean distance
    of two labels is twice the variance of their ranks. `apart` and `met` are of such distances too.
    """

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Floats:
        """Return the mean distance of two labels drawn at random (rows,)."""
        p, q, ranks = self.share(one), self.share(other), mean_ranks(self.labels[TOTALS])
        apart = ranks[:, :, None] - ranks[:, None, :]
        found: Floats = (p * np.einsum("rl,rkl->rk", q, apart * apart)).sum(axis=-1)
        drawn = self.mass(other)
        return found if replaced else quotient(found * drawn, drawn - 1)


def mean_ranks(labels: Floats) -> Floats:
    """Return the mean rank of each category among some labels, as a share of them (rows, categories)."""
    shares = quotient(labels, labels.sum(axis=-1)[..., None])
    ranks: Floats = np.cumsum(shares, axis=-1) - shares / 2
    return ranks


def quotient(above: Floats, below: Floats) -> Floats:
    """Return a quotient, NaN where it is by nothing."""
    found: Floats = np.full(np.broadcast_shapes(np.shape(above), np.shape(below)), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found


def values_of(formula: Formula, rows: VectorizedSums) -> Floats:
    """Return a coefficient of each row (rows,), NaN where it is undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        observed, expected = formula(rows)
    return 1 - quotient(observed, np.asarray(expected))
