"""The interval of a share of independent trials, which never leaves 0 to 1 and holds up at its ends."""

import math
from functools import cache

from reportgen.agreement import LEVEL, Estimate, Interval, Method


@cache
def normal_quantile(level: float = LEVEL) -> float:
    """Return the two-sided quantile of the normal distribution."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def wilson(right: float, trials: int) -> Interval:
    """Return the score interval of the share `right` / `trials`, of at least one trial (Wilson 1927).

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n); 47 of 50 give .838 to .979.
    """
    z, share = normal_quantile(), right / trials
    wider = z * z / trials
    half = z * math.sqrt(share * (1 - share) / trials + wider / (4 * trials))
    low, high = ((share + wider / 2 + sign * half) / (1 + wider) for sign in (-1, 1))
    # At its ends the share is an end of the interval, which rounding must not move.
    return Interval(max(0.0, min(low, share)), min(1.0, max(high, share)), LEVEL, Method.SCORE)


def share(right: int, trials: int) -> Estimate:
    """Return a share of at least one trial with its interval; counts alone do not give it."""
    return Estimate(right / trials, trials, interval=wilson(right, trials), recomputable=False)
