"""Kendall's W: do annotators put the units in the same order?"""

from dataclasses import dataclass

import numpy as np

from reportgen.agreement.estimate import Estimate, Floats, Undefined, no_estimate
from reportgen.agreement.numbers.complete import Complete, from_complete, too_few
from reportgen.agreement.numbers.moments import moments
from reportgen.study import Codes

TWO = 2


def kendall_w(table: Complete, values: Floats) -> Estimate:
    """Return Kendall's coefficient of concordance, corrected for ties (Kendall and Babington Smith 1939).

    W = 12 S / (k² (n³ - n) - k ΣT), S the sum of squares of the units' rank sums about their mean, T the sum
    of t³ - t over each annotator's ties. The denominator is 12 k times the sum of squares of the annotators'
    mid-ranks, so that W is the variance of the rank sums over k times the sum of the ranks' variances.
    """
    if table.units < TWO:
        return too_few(table)
    ranks = _mid_ranks(table, values)
    found = moments(ranks.shares, table.times.astype(np.float64))
    if found.variance <= 0:
        return no_estimate(Undefined.NO_VARIANCE, table.units)
    several = table.annotators
    value = (found.variance + (several - 1) * found.covariance) / (several * found.variance)
    return from_complete(table, Estimate(value, table.units), _of_w(ranks, table, value), 0.0)


@dataclass(frozen=True, eq=False)
class _Ranks:
    """Ratings as ranks: `level` (rows, annotators) numbers the values in order, and there are `levels`.

    `shares` (rows, annotators) are mid-ranks as shares of the units, less a half: their mean is zero.
    """

    level: Codes
    levels: int
    shares: Floats


def _mid_ranks(table: Complete, values: Floats) -> _Ranks:
    used, level = np.unique(values[table.codes], return_inverse=True)
    level = level.reshape(table.codes.shape)
    counts = np.zeros((table.annotators, len(used)), dtype=np.int64)
    annotator = np.broadcast_to(np.arange(table.annotators), level.shape)
    np.add.at(counts, (annotator, level), table.times[:, None])
    # Twice the mid-rank, less the number of units: whole numbers.
    doubled = 2 * np.cumsum(counts, axis=1) - counts - table.units
    return _Ranks(level, len(used), doubled[annotator, level] / (2 * table.units))


def _of_w(ranks: _Ranks, table: Complete, value: float) -> Floats:
    """Return the influence of each row on W (rows,): through its own ranks, and as it moves those of others.

    A unit with a lower value moves up the rank of every unit above it: the mid-rank of a value is the share
    of units below it and half of the share at it.
    """
    total = ranks.shares.sum(axis=1)
    squares = (ranks.shares * ranks.shares).sum(axis=1)
    of_sums = total * total + 2 * _moved(ranks, table, np.repeat(total[:, None], table.annotators, axis=1))
    of_ranks = squares + 2 * _moved(ranks, table, ranks.shares)
    weight = table.times / table.units
    mean = table.annotators * float((weight * squares).sum())
    slope = (of_sums - value * table.annotators * of_ranks) / mean
    centred: Floats = slope - float((weight * slope).sum())
    return centred


def _moved(ranks: _Ranks, table: Complete, weight: Floats) -> Floats:
    """Return for each row (rows,) the sum over annotators of `weight` for the units whose ranks it raises.

    `weight` (rows, annotators) is taken as a mean over all units; those of the same value count half.
    """
    several = table.annotators
    sums = np.zeros((several, ranks.levels))
    annotator = np.broadcast_to(np.arange(several), ranks.level.shape)
    np.add.at(sums, (annotator, ranks.level), table.times[:, None] * weight / table.units)
    above = sums.sum(axis=1, keepdims=True) - np.cumsum(sums, axis=1) + sums / 2
    raised: Floats = above[annotator, ranks.level].sum(axis=1)
    return raised
