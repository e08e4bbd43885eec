"""Sums of signed differences: how unusual they are, and how unusual among all choices of their signs."""

import math
from collections.abc import Sequence

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.study import Codes

EXACT_STATES = 100_000
MOST_EXACT = 1000
# The sums of signed differences are numbered by 64-bit integers.
LARGEST_KEY = 2**62
# What is left of a dimension below this share is zero but for rounding.
RANK = 1e-9
TIE = 1e-9


def quadratic_forms(steps: Codes, times: Codes, sums: Codes) -> tuple[Floats, int]:
    """Return S' V⁻ S for each of many sums (sums, dimensions), and the rank of V.

    V is the sum of squares of the steps, each as many times as it occurs. Elimination takes first the
    dimension of which most is left, and stops where nothing is: categories may hang together in groups
    of very different size.
    """
    squares = _sum_of_squares(steps.astype(np.float64), times.astype(np.float64))
    whole = np.maximum(np.diagonal(squares), 1.0)
    left, forms, rank = sums.astype(np.float64), np.zeros(len(sums)), 0
    while rank < len(squares):
        share = np.diagonal(squares) / whole
        pivot = int(np.argmax(share))
        if share[pivot] <= RANK:
            break
        column = squares[:, pivot] / squares[pivot, pivot]
        forms = forms + left[:, pivot] * left[:, pivot] / squares[pivot, pivot]
        left = left - left[:, pivot, None] * column[None, :]
        squares = squares - column[:, None] * squares[pivot][None, :]
        rank += 1
    return forms, rank


def _sum_of_squares(steps: Floats, times: Floats) -> Floats:
    """Return Σ times · step step' (dimensions, dimensions), in floats: the square of a count may be huge."""
    return np.array([(steps * (times * column)[:, None]).sum(axis=0) for column in steps.T])


def exact_p(steps: Codes, times: Codes, statistic: float) -> tuple[float, float] | None:
    """Return the share of all choices of signs, one a cluster, that differ as much, and the least such share.

    None where there are too many. The least share is that of the choices that differ the most.

    By chance a cluster's difference is as likely as its opposite. Sums that several choices lead to are
    followed once, with how many lead there; a sum is one number, its digits of different bases.
    """
    reach = (np.abs(steps) * times[:, None]).sum(axis=0)
    places = _place_values(reach.tolist())
    if places is None:
        return None
    keys, ways = np.zeros(1, dtype=np.int64), np.ones(1)
    for step, count in zip((steps * places).sum(axis=1).tolist(), times.tolist(), strict=True):
        keys, ways = _both_signs(keys, ways, step, count)
        if len(keys) > EXACT_STATES:
            return None
    digits = (keys + (reach * places).sum())[:, None] // places % (2 * reach + 1)
    forms, _ = quadratic_forms(steps, times, digits - reach)
    whole = math.fsum(ways.tolist())
    found, least = (
        math.fsum(ways[forms >= far * (1 - TIE)].tolist()) / whole for far in (statistic, float(forms.max()))
    )
    return found, least


def signs_p(sums: Codes) -> float | None:
    """Return how often sums over clusters (clusters,) differ as much from nothing if signs fall by chance.

    None where none differs; of single units it is McNemar's exact test. Exact up to MOST_EXACT clusters that
    differ, else by chi-square. McNemar (1947), Psychometrika 12(2), 153-157.
    """
    from scipy.special import chdtrc

    steps, times = np.unique(np.abs(sums[sums != 0]), return_counts=True)
    if len(steps) == 0:
        return None
    statistic = float(int(sums.sum()) ** 2 / int((steps * steps * times).sum()))
    few = int(times.sum()) <= MOST_EXACT
    exact = exact_p(steps[:, None].astype(np.int64), times.astype(np.int64), statistic) if few else None
    return float(chdtrc(1, statistic)) if exact is None else exact[0]


def _place_values(reach: Sequence[int]) -> Codes | None:
    """Return what a digit from -reach to reach is worth in each place; None where numbers grow too large."""
    values = [1]
    for most in reach:
        values.append(values[-1] * (2 * most + 1))
    return np.array(values[:-1], dtype=np.int64) if values[-1] < LARGEST_KEY else None


def _both_signs(keys: Codes, ways: Floats, step: int, count: int) -> tuple[Codes, Floats]:
    """Return the sums after `count` further steps of either sign, and in how many ways each is reached."""
    negative = range(count + 1)
    moves = np.array([step * (count - 2 * times) for times in negative], dtype=np.int64)
    choices = np.array([math.comb(count, times) for times in negative], dtype=np.float64)
    reached, place = np.unique((keys[:, None] + moves).ravel(), return_inverse=True)
    after = np.zeros(len(reached))
    np.add.at(after, place, (ways[:, None] * choices).ravel())
    return reached, after
