"""Has a figure fallen? Is it shown not to have fallen by much? The statistics of [gate], and nothing else.

Both questions are one-sided, and both start from the difference of two versions (the later less the earlier),
its standard error and its degrees of freedom.

`fall = "significant"` is broken where a fall is significant: p = P(T <= t), corrected after Holm (1979),
Scandinavian Journal of Statistics 6(2), 65-70, over all such rules of a campaign. Rules may differ in their
level: then p / at takes the place of p, and 1 that of the level. This is the closed test in which some rules
together are rejected where one of them has p <= at / (number of rules). Where nothing fell, some rule breaks
no more often than the mean of their levels, so that a campaign of one level errs at that level at most, and
with one level for all it is Holm's procedure itself.

`margin = 0.05` is broken unless the fall is shown to be smaller: the lower bound of the difference at 1 - at,
one-sided, has to be above -margin (a test of non-inferiority; Westlake 1981, Biometrics 37(3), 589-594). It
is not corrected: a gate opens only if every such rule holds, so that it opens wrongly no more often than one
of them does (the intersection-union test; Berger 1982, Technometrics 24(4), 295-300).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

POWER = 0.8
# More clusters than anybody annotates; beyond it there is no number to tell.
MOST_CLUSTERS = 10**9


@dataclass(frozen=True)
class FallTest:
    """What one rule `fall` rests on: the t statistic of the difference, and the level that it asks for."""

    statistic: float
    degrees: float
    at: float


@dataclass(frozen=True)
class Fall:
    """The answer: p of one side, p after Holm, and whether that is at most the rule's level."""

    p: float
    adjusted: float
    significant: bool


def one_sided(statistic: float, degrees: float) -> float:
    """Return how often a figure that did not move falls as far as this: P(T <= t)."""
    from scipy.special import stdtr

    return float(stdtr(degrees, statistic))


def falls(tests: Sequence[FallTest]) -> list[Fall]:
    """Return the answer to each test of one campaign, Holm's correction being over all of them."""
    p = [one_sided(each.statistic, each.degrees) for each in tests]
    shares = [value / each.at for value, each in zip(p, tests, strict=True)]
    order = sorted(range(len(tests)), key=lambda place: shares[place])
    adjusted, worst = [1.0] * len(tests), 0.0
    for rank, place in enumerate(order):
        worst = max(worst, (len(tests) - rank) * shares[place])
        adjusted[place] = worst
    return [
        Fall(value, min(1.0, share * each.at), significant=share <= 1)
        for value, share, each in zip(p, adjusted, tests, strict=True)
    ]


def lowest(difference: float, error: float, degrees: float, at: float) -> float:
    """Return the lower bound of a difference, one-sided, at the level 1 - at."""
    return difference - _quantile(degrees, 1 - at) * error


def clusters_needed(error: float, degrees: float, clusters: int, margin: float, at: float) -> int | None:
    """Return how many clusters show, with a power of 80%, that a fall is smaller than a margin.

    The figures are taken not to differ at all, and a standard error of `error` over `clusters` to shrink with
    the root of their number: n is the least with (t_{1-at} + t_{0.8}) error sqrt(clusters / n) <= margin, the
    degrees of freedom growing in proportion. None where there is no such number that anybody could annotate.
    """

    def enough(n: int) -> bool:
        own = degrees * (n - 1) / (clusters - 1)
        half = (_quantile(own, 1 - at) + _quantile(own, POWER)) * error * math.sqrt(clusters / n)
        return half <= margin

    below, above = 1, 2
    while not enough(above):
        below, above = above, 2 * above
        if above > MOST_CLUSTERS:
            return None
    while above - below > 1:
        middle = (above + below) // 2
        below, above = (below, middle) if enough(middle) else (middle, above)
    return above


def _quantile(degrees: float, share: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, share))
