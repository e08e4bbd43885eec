"""Figures and tests of many simulated campaigns at once, from sums by document.

Formulas are those of `reportgen.agreement`, written for arrays of campaigns; tests/measures/test_planning.py
holds them against it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from benchmarks.data import Labels
from reportgen.measures.estimate import ROUNDING
from reportgen.measures.significance_tests import NEAR

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Batch:
    """What campaigns without missing ratings add up to, by document.

    `agreeing` (campaigns, documents, categories) is Σ n(n - 1) over units, `given` Σ n, n being how many
    annotators chose the category; `by_annotator` (annotators, campaigns, documents, categories) says who.
    """

    units: int
    agreeing: Labels
    by_annotator: Labels

    @property
    def annotators(self) -> int:
        """Return how many annotators there are."""
        return len(self.by_annotator)

    @property
    def total(self) -> int:
        """Return how many units a campaign has."""
        return self.units * int(self.agreeing.shape[1])

    @property
    def every(self) -> npt.NDArray[np.bool_]:
        """Return that a figure is about every document (campaigns, documents)."""
        return np.ones(self.agreeing.shape[:2], dtype=np.bool_)

    @cached_property
    def given(self) -> Labels:
        """Return how often each category was given (campaigns, documents, categories)."""
        found: Labels = self.by_annotator.sum(axis=0)
        return found

    @cached_property
    def agreement(self) -> Floats:
        """Return the agreeing pairs of each document, in units (campaigns, documents)."""
        found: Floats = self.agreeing.sum(axis=2) / (self.annotators * (self.annotators - 1))
        return found


def batch(labels: Labels, categories: int) -> Batch:
    """Return the sums of labels (campaigns, documents, units, annotators)."""
    *shape, units, annotators = labels.shape
    cells = np.arange(math.prod(shape)).reshape(*shape, 1) * categories
    keys = [cells + labels[..., who] for who in range(annotators)]

    def counted(chosen: Labels) -> Labels:
        size = math.prod(shape) * categories
        return np.bincount(chosen.reshape(-1), minlength=size).reshape(*shape, categories)

    # Each two annotators who agree are two ordered pairs.
    agreeing = sum(2 * counted(one[one == other]) for one, other in combinations(keys, 2))
    return Batch(units, np.asarray(agreeing), np.stack([counted(each) for each in keys]))


@dataclass(frozen=True, eq=False)
class Values:
    """A figure of each campaign (campaigns,), what each document moves it, and which ones it is about.

    `moved`, `share` and `about` are (campaigns, documents); `share` is a document's of the figure's divisor.
    `low` is the least that the figure can be.
    """

    value: Floats
    moved: Floats
    share: Floats
    about: npt.NDArray[np.bool_]
    low: float = 0.0


def observed_agreement(sums: Batch) -> Values:
    """Return observed agreement."""
    value = sums.agreement.sum(axis=1) / sums.total
    moved = (sums.agreement - sums.units * value[:, None]) / sums.total
    return Values(value, moved, np.full(moved.shape, sums.units / sums.total), sums.every)


def krippendorff_alpha(sums: Batch) -> Values:
    """Return nominal alpha; what moves it leaves the small-sample factor out, as reports do."""
    ratings = sums.total * sums.annotators
    shares = sums.given.sum(axis=1) / ratings
    expected = 1 - (shares * shares).sum(axis=1)
    found = observed_agreement(sums)
    split = 1 - found.value
    drawn = (shares[:, None, :] * sums.given).sum(axis=2) / ratings
    drawn -= (shares * shares).sum(axis=1)[:, None] * sums.units / sums.total
    moved = found.moved / expected[:, None] - (2 * split / expected**2)[:, None] * drawn
    share = found.share - 2 * drawn / expected[:, None]
    return Values(1 - split / (expected * ratings / (ratings - 1)), moved, share, sums.every, low=-1.0)


def cohen_kappa(sums: Batch) -> Values:
    """Return Cohen's kappa of the first two annotators."""
    first, second = sums.by_annotator[0], sums.by_annotator[1]
    one, other = first.sum(axis=1) / sums.total, second.sum(axis=1) / sums.total
    chance = (one * other).sum(axis=1)
    found = observed_agreement(sums)
    drawn = (first * other[:, None, :] + second * one[:, None, :]).sum(axis=2) / sums.total
    drawn -= 2 * chance[:, None] * sums.units / sums.total
    split = 1 - found.value
    moved = found.moved / (1 - chance)[:, None] - (split / (1 - chance) ** 2)[:, None] * drawn
    return Values(
        1 - split / (1 - chance), moved, found.share - drawn / (1 - chance)[:, None], sums.every, low=-1.0
    )


def specific_agreement(category: int) -> Callable[[Batch], Values]:
    """Return the function that gives the specific agreement of a category."""

    def compute(sums: Batch) -> Values:
        possible = sums.given[:, :, category] * (sums.annotators - 1)
        total = possible.sum(axis=1)
        value = sums.agreeing[:, :, category].sum(axis=1) / total
        moved = (sums.agreeing[:, :, category] - value[:, None] * possible) / total[:, None]
        return Values(value, moved, possible / total[:, None], possible > 0)

    return compute


@dataclass(frozen=True, eq=False)
class Tested:
    """The second figure less the first, over its error, with degrees of freedom (campaigns,)."""

    difference: Floats
    error: Floats
    degrees: Floats

    @property
    def two_sided(self) -> Floats:
        """Return p values; NaN where there is no test."""
        p: Floats = 2 * stdtr(self.degrees, -np.abs(self.difference / self.error))
        return p


def paired(first: Values, second: Values) -> Tested:
    """Return the test of figures of the same documents (`difference.paired`)."""
    groups = (first.about | second.about).sum(axis=1).astype(np.float64)
    moved = _apart(second) - _apart(first)
    error = np.sqrt((groups - 1) / groups * (moved * moved).sum(axis=1))
    return Tested(second.value - first.value, _enough(error, groups), groups - 1)


def unpaired(first: Values, second: Values) -> Tested:
    """Return the test of figures of different documents (`difference.difference`), on the logit scale."""
    (one, mine), (other, theirs) = _variance(first), _variance(second)
    low = first.low
    slopes = [1 / ((1 - each.value) * (each.value - low)) for each in (first, second)]
    places = [np.arctanh((2 * each.value - low - 1) / (1 - low)) for each in (first, second)]
    moved, apart = second.value - first.value, places[1] - places[0]
    # A step on the scale, in units of the difference; slopes are but for one factor, which is the scale's.
    step = np.where(np.abs(moved) > NEAR, moved / apart * (1 - low) / 2, 1 / slopes[0])
    placed = (np.minimum(first.value, second.value) > low) & (np.maximum(first.value, second.value) < 1)
    factors = (np.where(placed, slope * step, 1.0) for slope in slopes)
    one, other = (each * factor**2 for each, factor in zip((one, other), factors, strict=True))
    free = [1 / (each.share**2).sum(axis=1) - 1 for each in (first, second)]
    degrees = (one + other) ** 2 / (one**2 / free[0] + other**2 / free[1])
    return Tested(moved, _enough(np.sqrt(one + other), np.minimum(mine, theirs)), degrees)


def _apart(of: Values) -> Floats:
    """Return what leaving out each document moves a figure (campaigns, documents)."""
    found: Floats = of.moved / (1 - of.share.clip(0, 1 - ROUNDING))
    return found


def _variance(of: Values) -> tuple[Floats, Floats]:
    """Return the jackknife's variance of a figure, and the number of documents it is about."""
    groups = of.about.sum(axis=1).astype(np.float64)
    apart = _apart(of)
    return (groups - 1) / groups * (apart * apart).sum(axis=1), groups


def _enough(error: Floats, groups: Floats) -> Floats:
    """Return the errors, NaN where documents are too few or nothing varies, so that there is no test."""
    return np.where((groups >= 2) & (error >= ROUNDING), error, np.nan)
