"""Is a human's advantage over a model below the price of a person? One test a human, and the winning rate."""

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures import Floats
from reportgen.measures.distributions import benjamini_yekutieli, t_at, t_below
from reportgen.measures.estimate import LEAST_DEGREES, ROUNDING, Clusters, Spread
from reportgen.measures.standard_errors import POWER
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


# How many units and humans does it take to show that a model may take a human's place? By simulation.

CAMPAIGNS = 500
# So many are simulated at once, for memory.
BLOCK = 25
SIZES = (30, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1200, 1600)
Q = 0.05
SEED = 20250727


@dataclass(frozen=True)
class PlannedCampaign:
    """A campaign to simulate: who labels, how often they are right, and documents of so many units.

    Wrong labels are any other category; `correlation` is that of being right on two units of one document.
    """

    humans: int = 3
    human_accuracy: float = 0.75
    model_accuracy: float = 0.75
    categories: int = 4
    units_per_document: int = 1
    correlation: float = 0.0


@dataclass(frozen=True)
class PlannedPower:
    """At a price of a person: in what share of campaigns of each size the model passes, by units."""

    epsilon: float
    passes: dict[int, float]

    @property
    def units(self) -> int | None:
        """Return the fewest units with a power of 80%, None where none of the sizes has it."""
        return next((size for size, share in self.passes.items() if share >= POWER), None)


def power_of(campaign: PlannedCampaign, prices: tuple[float, ...]) -> list[PlannedPower]:
    """Return how often the model passes at each price, over simulated campaigns; always the same numbers.

    Sizes are whole documents. The test is the clustered one, which with documents of one unit is the paper's.
    """
    per_document = campaign.units_per_document
    documents = np.array(sorted({max(2, math.ceil(size / per_document)) for size in SIZES}))
    passed = np.zeros((len(prices), len(documents)), dtype=np.int64)
    random = np.random.default_rng(SEED)
    for _ in range(CAMPAIGNS // BLOCK):
        sums = _document_sums(campaign, int(documents[-1]), random)
        for row, price in enumerate(prices):
            passed[row] += _passes(sums, documents, per_document, price).sum(axis=0)
    sizes = (documents * per_document).tolist()
    return [
        PlannedPower(price, dict(zip(sizes, (row / CAMPAIGNS).tolist(), strict=True)))
        for price, row in zip(prices, passed, strict=True)
    ]


def nearer(humans: Codes, model: Codes) -> Codes:
    """Return who is nearer to the others (…, units, humans): 1 the human, -1 the model, or 0.

    `humans` (…, units, humans) and `model` (…, units) are labels; the share of equal ones is the score.
    """
    same = (humans[..., :, None] == humans[..., None, :]).sum(axis=-1) - 1
    with_model = humans == model[..., None]
    # The others of the unit alone: the human who is held out is not one of them.
    its = with_model.sum(axis=-1, keepdims=True) - with_model
    sign: Codes = np.sign(same - its)
    return sign


def _document_sums(campaign: PlannedCampaign, documents: int, random: np.random.Generator) -> Floats:
    """Return what a document's d of each human add up to in each campaign (campaigns, documents, humans)."""
    people, per_document = campaign.humans + 1, campaign.units_per_document
    right = np.array([campaign.human_accuracy] * campaign.humans + [campaign.model_accuracy])
    shape = (BLOCK, documents, per_document, people)
    is_right = random.random(shape) < right
    if campaign.correlation:
        # With the root of the correlation both units of a pair take what is drawn for their document.
        of_document = random.random((BLOCK, documents, 1, people)) < right
        is_right = np.where(random.random(shape) < math.sqrt(campaign.correlation), of_document, is_right)
    labels: Codes = np.where(is_right, 0, random.integers(1, campaign.categories, shape))
    sums: Floats = nearer(labels[..., :-1], labels[..., -1]).sum(axis=2).astype(np.float64)
    return sums


def _passes(sums: Floats, documents: Codes, per_document: int, price: float) -> Floats:
    """Return whether the model passes with the first so many documents (campaigns, sizes)."""
    last = (documents - 1).tolist()
    mean = np.cumsum(sums, axis=1)[:, last] / (documents * per_document)[:, None]
    squares = np.cumsum(sums * sums, axis=1)[:, last]
    count = documents[:, None].astype(np.float64)
    # The jackknife's error for documents of one size: G / (G - 1) Σ (S_g - S̄)² / n².
    spread = np.maximum(squares - count * (mean * per_document) ** 2, 0.0) * count / (count - 1)
    error = np.sqrt(spread) / (count * per_document)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, (mean - price) / error, np.where(mean < price, -np.inf, np.inf))
    # After Benjamini and Yekutieli: p = q r / (m Σ_{k≤m} 1/k) is least for each rank r of m humans.
    humans = t.shape[-1]
    ranks = np.arange(1, humans + 1)
    step = Q / (humans * math.fsum(1 / rank for rank in ranks.tolist()))
    least = np.array(
        [[-t_at(size - 1, 1 - rank * step) for rank in ranks.tolist()] for size in documents.tolist()]
    )
    beaten = np.where(np.sort(t, axis=-1) <= least, ranks, 0).max(axis=-1)
    passes: Floats = beaten / humans >= LEAST_RATE
    return passes
