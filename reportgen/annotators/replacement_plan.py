"""How many units and humans does it take to show that a model may take a human's place? By simulation."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reportgen.annotators.replacement_tests import LEAST_RATE
from reportgen.measures import Floats
from reportgen.measures.distributions import t_at
from reportgen.measures.planning import POWER
from reportgen.readers import Codes

CAMPAIGNS = 500
# So many are simulated at once, for memory.
BLOCK = 25
SIZES = (30, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1200, 1600)
Q = 0.05
SEED = 20250727
PAIR = 2


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
    each = campaign.units_per_document
    documents = np.array(sorted({max(PAIR, math.ceil(size / each)) for size in SIZES}))
    passed = np.zeros((len(prices), len(documents)), dtype=np.int64)
    random = np.random.default_rng(SEED)
    for _ in range(CAMPAIGNS // BLOCK):
        sums = _document_sums(campaign, int(documents[-1]), random)
        for place, price in enumerate(prices):
            passed[place] += _passes(sums, documents, each, price).sum(axis=0)
    sizes = (documents * each).tolist()
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
    # The others of the unit alone: the human who is held out is none of them.
    its = with_model.sum(axis=-1, keepdims=True) - with_model
    found: Codes = np.sign(same - its)
    return found


def _document_sums(campaign: PlannedCampaign, documents: int, random: np.random.Generator) -> Floats:
    """Return what a document's d of each human add up to in each campaign (campaigns, documents, humans)."""
    people, each = campaign.humans + 1, campaign.units_per_document
    right = np.array([campaign.human_accuracy] * campaign.humans + [campaign.model_accuracy])
    shape = (BLOCK, documents, each, people)
    is_right = random.random(shape) < right
    if campaign.correlation:
        # With the root of the correlation both units of a pair take what is drawn for their document.
        whole = random.random((BLOCK, documents, 1, people)) < right
        is_right = np.where(random.random(shape) < math.sqrt(campaign.correlation), whole, is_right)
    labels = np.where(is_right, 0, random.integers(1, campaign.categories, shape)).astype(np.int8)
    return nearer(labels[..., :-1], labels[..., -1]).sum(axis=2).astype(np.float64)


def _passes(sums: Floats, documents: Codes, each: int, price: float) -> Floats:
    """Return whether the model passes with the first so many documents (campaigns, sizes)."""
    kept = (documents - 1).tolist()
    mean = np.cumsum(sums, axis=1)[:, kept] / (documents * each)[:, None]
    squares = np.cumsum(sums * sums, axis=1)[:, kept]
    count = documents[:, None].astype(np.float64)
    # The jackknife's error for documents of one size: G / (G - 1) Σ (S_g - S̄)² / n².
    spread = np.maximum(squares - count * (mean * each) ** 2, 0.0) * count / (count - 1)
    error = np.sqrt(spread) / (count * each)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, (mean - price) / error, np.where(mean < price, -np.inf, np.inf))
    beaten = _beaten(np.sort(t, axis=-1), documents)
    found: Floats = beaten / t.shape[-1] >= LEAST_RATE
    return found


def _beaten(t: Floats, documents: Codes) -> Codes:
    """Return how many humans are beaten after Benjamini and Yekutieli; `t` (…, sizes, humans) is sorted."""
    least = np.array(list(_critical(t.shape[-1], documents)))
    ranks = np.arange(1, t.shape[-1] + 1)
    found: Codes = np.where(t <= least, ranks, 0).max(axis=-1)
    return found


def _critical(humans: int, documents: Codes) -> Iterator[list[float]]:
    """Yield for each size the t at which p = q r / (m Σ_{k≤m} 1/k), for each rank r of m humans."""
    step = Q / (humans * math.fsum(1 / each for each in range(1, humans + 1)))
    for size in documents.tolist():
        yield [-t_at(size - 1, 1 - rank * step) for rank in range(1, humans + 1)]
