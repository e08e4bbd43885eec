"""How many units have to be checked: for an error rate, for batches to accept, for a share by a model?

Units are drawn at random and are independent; an error is seen where there is one. Probabilities are exact,
of the binomial distribution, which is right for batches much larger than what is checked of them.
"""

import math
from collections.abc import Callable
from itertools import count

from reportgen.base.dataclass import dataclass
from reportgen.measures.distributions import binomial_below
from reportgen.measures.standard_errors import NORMAL

# More units than these are no plan.
MOST_UNITS = 10**6
# The points of an operating curve, in fifths of the rate that is unacceptable.
FIFTHS = tuple(range(1, 11))
DIGITS = 12


def units_to_inspect(
    error_rate: float, errors: int = 0, confidence: float = 0.95, above: int = 0
) -> int | None:
    """Return how many units to check so that no more than so many errors show a rate below `error_rate`.

    The least n with P(X ≤ errors) ≤ 1 - confidence where the rate is `error_rate`: 59 units without an error
    exclude a rate of .05 or more at .95. `above` is a number of units that is known to be too small. None
    where it takes more than a million. Raises ValueError where the rate or the confidence is not between 0
    and 1, or errors are below 0. (Clopper and Pearson 1934, Biometrika 26(4), 404-413: the upper end of the
    one-sided interval.)
    """
    _require_shares(error_rate, confidence)
    if errors < 0:
        message = "there are no errors or more"
        raise ValueError(message)
    risk = 1 - confidence
    return _least(lambda units: binomial_below(errors, units, error_rate) <= risk, max(above, errors))


def highest_rate(units: int, errors: int, confidence: float = 0.95) -> float:
    """Return the upper end of the one-sided interval of an error rate, of so many errors in so many units.

    The rate at which P(X ≤ errors) = 1 - confidence (Clopper and Pearson 1934), found by halving.
    """
    _require_shares(confidence)
    if not 0 <= errors <= units or not units:
        message = "errors are among the units"
        raise ValueError(message)
    low, high = errors / units, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (
            (low, middle) if binomial_below(errors, units, middle) <= 1 - confidence else (middle, high)
        )
    return high


HALVINGS = 60


@dataclass(frozen=True)
class SamplingPlan:
    """A single sampling plan: check so many units of a batch, accept it with so many errors or fewer."""

    units: int
    errors: int

    def accepted(self, error_rate: float) -> float:
        """Return how often a batch with an error rate is accepted: a point of the operating curve."""
        return binomial_below(self.errors, self.units, error_rate)


def sampling_plan(
    acceptable: float, unacceptable: float, producer_risk: float = 0.05, consumer_risk: float = 0.1
) -> SamplingPlan | None:
    """Return the single sampling plan with the fewest units that meets both risks, None above a million.

    A batch with the `acceptable` rate is refused with `producer_risk` at most, one with the `unacceptable`
    rate accepted with `consumer_risk` at most. For each number of errors, from none on, the least number of
    units with the second is tried for the first: Schilling and Neubauer (2017), Acceptance Sampling in
    Quality Control, 3rd edition, chapter 5. Raises ValueError where these are no shares, or not in this
    order.
    """
    _require_shares(acceptable, unacceptable, producer_risk, consumer_risk)
    if acceptable >= unacceptable or producer_risk + consumer_risk >= 1:
        message = "the acceptable rate is below the unacceptable one, and the risks below 1 together"
        raise ValueError(message)
    units = 0
    for errors in count():
        found = units_to_inspect(unacceptable, errors, 1 - consumer_risk, units)
        if found is None:
            break
        plan = SamplingPlan(found, errors)
        if plan.accepted(acceptable) >= 1 - producer_risk:
            return plan
        units = found
    return None


def operating_curve(plan: SamplingPlan, acceptable: float, unacceptable: float) -> list[tuple[float, float]]:
    """Return error rates, up to twice the unacceptable one, and how often a batch with each is accepted."""
    rates = {acceptable, unacceptable, *(round(unacceptable * step / 5, DIGITS) for step in FIFTHS)}
    return [(rate, plan.accepted(rate)) for rate in sorted(rates) if rate < 1]


def units_for_share(
    share: float, half: float, sensitivity: float, specificity: float, further: int | None = None
) -> int:
    """Return how many units a human has to label for an interval of ± `half` of a model's corrected share.

    The variance of prediction-powered inference with the best weight is π (1 - π) / n · (1 - φ² N / (N + n)):
    n units have both labels, N the model's alone (`further`, None for very many), and φ is the correlation of
    the two labels. Angelopoulos, Duchi and Zrnic (2023), PPI++. Without a model φ is 0, which is what
    sensitivity + specificity = 1 gives. Raises ValueError for what is no share.
    """
    _require_shares(share, half)
    if not (0 <= sensitivity <= 1 and 0 <= specificity <= 1):
        message = "sensitivity and specificity are from 0 to 1"
        raise ValueError(message)
    spread = share * (1 - share)
    told = correlation_of_labels(share, sensitivity, specificity) ** 2
    wanted = spread * (NORMAL / half) ** 2
    if further is None:
        return max(math.ceil(wanted * (1 - told)), 1)
    # n (N + n) ≥ w (N + n) - w φ² N: the larger root of n² + (N - w) n - w N (1 - φ²).
    middle = further - wanted
    root = (math.sqrt(middle * middle + 4 * wanted * further * (1 - told)) - middle) / 2
    return max(math.ceil(root), 1)


def units_in_pool(spread: float, correlation: float, half: float, pool: int) -> int:
    """Return how many of a pool of units a human labels for an interval of ± `half` of the share.

    The model labelled all of the pool. `spread` is n times the variance of the share that a human finds
    alone, `correlation` φ of the two labels: the variance is spread / n · (1 - φ² (1 - n / pool)), that of
    `units_for_share` with the labelled units taken from the pool. At most all of it.
    """
    wanted, told = spread * (NORMAL / half) * (NORMAL / half), correlation * correlation
    if wanted * told >= pool:
        return pool
    return min(max(math.ceil(wanted * (1 - told) / (1 - wanted * told / pool)), 1), pool)


def correlation_of_labels(share: float, sensitivity: float, specificity: float) -> float:
    """Return φ of a human's and a model's labels of a category that has a share of the units."""
    reported = reported_share(share, sensitivity, specificity)
    spreads = share * (1 - share) * reported * (1 - reported)
    return share * (sensitivity - reported) / math.sqrt(spreads) if spreads > 0 else 0.0


def reported_share(share: float, sensitivity: float, specificity: float) -> float:
    """Return which share a model reports of a category that has a share of the units."""
    return share * sensitivity + (1 - share) * (1 - specificity)


def _require_shares(*values: float) -> None:
    if not all(0 < value < 1 for value in values):
        message = "rates, shares and risks are between 0 and 1"
        raise ValueError(message)


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
