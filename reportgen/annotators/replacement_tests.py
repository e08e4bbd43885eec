"""Is a human's advantage over a model below the price of a person? One test a human, and the winning rate."""

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures.distributions import benjamini_yekutieli, t_below
from reportgen.measures.estimate import LEAST_DEGREES, ROUNDING, Clusters, Spread
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import AlternativeTest, WinningRate

# The share of humans whom a model has to beat.
LEAST_RATE = 0.5
# With fewer instances a mean is not normally distributed, and ranks are tested instead.
NORMAL = 30


class NoReplacement(StrEnum):
    """Why there is no test, no statistic or no rate; a closed list, translated when a page is rendered."""

    NO_INSTANCE = "no unit has a label of the model and of enough humans"
    FEW_INSTANCES = "fewer instances than a human needs to be tested"
    NOBODY = "no human has as many instances as it takes to be tested"
    ALIKE = "every instance has the same difference, which alone decides"
    ONE_DOCUMENT = "the instances of one document alone do not show how differences vary"


@dataclass(frozen=True)
class MeanTest:
    """The mean difference with its standard error and degrees of freedom."""

    mean: float
    error: float
    degrees: float

    def at(self, epsilon: float) -> AlternativeTest:
        """Return Student's one-sample t test of mean - ε; without variation the mean alone decides."""
        if self.error < ROUNDING:
            p = 0.0 if self.mean < epsilon else 1.0
            return AlternativeTest(p=p, undefined=str(NoReplacement.ALIKE))
        t = (self.mean - epsilon) / self.error
        return AlternativeTest(statistic=t, degrees=self.degrees, p=t_below(self.degrees, t))


@dataclass(frozen=True)
class RankTest:
    """How often the model is nearer, neither is, and the human is."""

    model: int
    neither: int
    human: int

    def at(self, epsilon: float) -> AlternativeTest:
        """Return Wilcoxon's signed-rank test, exact among all choices of signs.

        The statistic is the sum of the ranks of the differences above ε. Differences less ε that are 0 are
        left out, equal ones have their mean rank (Wilcoxon 1945, Biometrics Bulletin 1(6), 80-83).
        """
        ranked, above = self._ranked(epsilon)
        if not ranked:
            return AlternativeTest(p=1.0, undefined=str(NoReplacement.ALIKE))
        return AlternativeTest(statistic=above / 2, p=_at_most(ranked, above))

    def _ranked(self, epsilon: float) -> tuple[tuple[tuple[int, int], ...], int]:
        """Return twice each rank, how many have it, and twice the sum of ranks above ε."""
        values = ((-1 - epsilon, self.model), (-epsilon, self.neither), (1 - epsilon, self.human))
        ranked: list[tuple[int, int]] = []
        before = above = 0
        for size in sorted({abs(value) for value, times in values if value != 0 and times}):
            times = sum(number for value, number in values if abs(value) == size)
            higher = sum(number for value, number in values if value == size)
            ranked.append((2 * before + times + 1, times))
            above += ranked[-1][0] * higher
            before += times
        return tuple(ranked), above


# The differences of one human: -1 where the model is nearer, 1 where the human is.
HumanTest = MeanTest | RankTest


@lru_cache(maxsize=4096)
def _at_most(ranked: tuple[tuple[int, int], ...], most: int) -> float:
    """Return the share of all choices of signs whose ranks above 0 add up to at most so much.

    `ranked` has twice each rank, a whole number, and how many differences have it.
    """
    ways = {0: 1}
    for rank, times in ranked:
        added: dict[int, int] = {}
        for total, number in ways.items():
            for chosen in range(times + 1):
                key = total + rank * chosen
                added[key] = added.get(key, 0) + number * math.comb(times, chosen)
        ways = added
    favourable = sum(number for total, number in ways.items() if total <= most)
    return favourable / sum(ways.values())


def independent_test(sign: Codes, weight: Codes) -> HumanTest:
    """Return the paper's test: instances (rows,) are independent; below 30 of them Wilcoxon's."""
    model, neither, human = (int(weight[sign == sign_value].sum()) for sign_value in (-1, 0, 1))
    instances = model + neither + human
    if instances < NORMAL:
        return RankTest(model, neither, human)
    total, squares = human - model, human + model
    # n² (n - 1) times the squared error of the mean, in whole numbers.
    spread = instances * squares - total * total
    error = math.sqrt(spread / (instances - 1)) / instances
    return MeanTest(total / instances, error, instances - 1)


def clustered_test(sign: Codes, weight: Codes, document: Codes) -> MeanTest | NoReplacement:
    """Return the test with instances clustered by document; one without a document is its own.

    Standard error and degrees of freedom are those of intervals: what leaving out each document moves the
    mean, t with the documents alike less one (Quenouille 1956; Bell and McCaffrey 2002). Where each document
    is one instance it is the paper's t test.
    """
    instances = int(weight.sum())
    has_document = document != NO_DOCUMENT
    groups = len(np.unique(document[has_document])) + int(weight[~has_document].sum())
    if groups < 2:
        return NoReplacement.ONE_DOCUMENT
    mean = int((sign * weight).sum()) / instances
    places = np.arange(len(sign), dtype=np.int64)
    clusters = Clusters(document, places, weight, instances, groups, by_document=True, corrected=True)
    influence = (sign - mean).astype(np.float64, copy=False)
    spread = Spread(influence, clusters)
    return MeanTest(mean, spread.left_out_error, max(spread.alike - 1, LEAST_DEGREES))


# All humans together.


def at_price(tests: Sequence[HumanTest | NoReplacement], epsilon: float, q: float) -> list[AlternativeTest]:
    """Return the test of each human at a price of a person, and whether the model beats this human.

    It does where Benjamini and Yekutieli's procedure, over the humans who are tested, rejects at a false
    discovery rate of `q` that the advantage is ε or more.
    """
    tested = [
        AlternativeTest(undefined=str(test)) if isinstance(test, NoReplacement) else test.at(epsilon)
        for test in tests
    ]
    adjusted = benjamini_yekutieli([test.p for test in tested])
    return [
        test if p is None else test.model_copy(update={"adjusted_p": p, "beaten": p <= q})
        for test, p in zip(tested, adjusted, strict=True)
    ]


def share_beaten(tests: Sequence[HumanTest | NoReplacement], epsilon: float, q: float) -> float:
    """Return the winning rate at a price of a person, over at least one human who is tested."""
    tested = (test.at(epsilon) for test in tests if not isinstance(test, NoReplacement))
    adjusted = benjamini_yekutieli([test.p for test in tested])
    return sum(p is not None and p <= q for p in adjusted) / len(adjusted)


def winning_rate(tests: Sequence[AlternativeTest]) -> WinningRate:
    """Return the share of the tested humans whom the model beats."""
    tested = [test.beaten for test in tests if test.beaten is not None]
    beaten = sum(tested)
    if not tested:
        reason = next((test.undefined for test in tests), str(NoReplacement.NOBODY))
        return WinningRate(beaten=0, tested=0, undefined=reason)
    rate = beaten / len(tested)
    return WinningRate(value=rate, beaten=beaten, tested=len(tested), passes=rate >= LEAST_RATE)
