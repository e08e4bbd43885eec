"""How many units have to be checked for an error rate, and labelled for a share that a model reports?

Units are drawn at random and are independent; an error is seen where there is one. Probabilities are exact,
of the binomial distribution.
"""

import math
from collections.abc import Callable

from reportgen.measures.distributions import binomial_below
from reportgen.measures.standard_errors import NORMAL

# More units than these are no plan.
MOST_UNITS = 10**6


def units_to_inspect(error_rate: float, errors: int = 0, confidence: float = 0.95) -> int | None:
    """Return how many units to check so that no more than so many errors show a rate below `error_rate`.

    The least n with P(X ≤ errors) ≤ 1 - confidence where the rate is `error_rate`: 59 units without an error
    exclude a rate of .05 or more at .95. None where it takes more than a million. Raises ValueError where the
    rate or the confidence is not between 0 and 1, or errors are below 0. (Clopper and Pearson 1934,
    Biometrika 26(4), 404-413: the upper end of the one-sided interval.)
    """
    if not (0 < error_rate < 1 and 0 < confidence < 1):
        message = "rate and confidence are between 0 and 1"
        raise ValueError(message)
    if errors < 0:
        message = "there are no errors or more"
        raise ValueError(message)
    risk = 1 - confidence
    return _least(lambda units: binomial_below(errors, units, error_rate) <= risk, errors)


def units_in_pool(spread: float, correlation: float, half: float, pool: int) -> int:
    """Return how many of a pool of units a human labels for an interval of ± `half` of a model's share.

    The model labelled all of the pool. `spread` is n times the variance of the share that a human finds
    alone, `correlation` φ of the two labels. The variance of prediction-powered inference with the best
    weight is spread / n · (1 - φ² (1 - n / pool)) (Angelopoulos, Duchi and Zrnic 2023, PPI++). At most all
    of it.
    """
    wanted, told = spread * (NORMAL / half) * (NORMAL / half), correlation * correlation
    if wanted * told >= pool:
        return pool
    return min(max(math.ceil(wanted * (1 - told) / (1 - wanted * told / pool)), 1), pool)


def _least(enough: Callable[[int], bool], low: int) -> int | None:
    """Return the least number above `low` that is enough, by doubling and halving; None above the most."""
    step = 1
    while not enough(low + step):
        if low + step > MOST_UNITS:
            return None
        low, step = low + step, 2 * step
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high if high <= MOST_UNITS else None
