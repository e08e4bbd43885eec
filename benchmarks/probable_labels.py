"""Are labels of the aggregate as probable as votes, and the model of Dawid and Skene, say?

`python -m benchmarks probable [--replications N]` prints the table of docs/uncertainty.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reportgen.measures import Floats
from reportgen.measures.annotators.dawid_skene import Truth, WeightedRatings, dawid_skene
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY
from reportgen.units.labels import sums_by

SEED = 3401
REPLICATIONS = 100
EVEN = (1 / 3,) * 3
BINS = 10
ITERATIONS = 300
# Chains of pairs: people, units, and how many of these three people label.
CHAIN, LINKS = 6, 300
OF_THREE = (0, 20, 40, 75, 150, 300)


@dataclass(frozen=True)
class Crowd:
    """People who label so many units each, right with probabilities that are beta distributed.

    `spread` is the concentration of skills, `by_category` that of each one's confusions (0: slips go to other
    categories evenly); so large a share of people labels at random, or gives one label throughout; so large a
    share of units is as hard for everybody, who then guesses half of the time.
    """

    title: str
    units: int
    people: int
    labels: int
    mix: tuple[float, ...] = EVEN
    skill: float = 0.75
    spread: float = 10.0
    by_category: float = 0.0
    blind: float = 0.0
    one_label: float = 0.0
    hard: float = 0.0


CROWDS = (
    Crowd("60 people", 300, 60, 5),
    Crowd("150 people, 6 labels each", 300, 150, 3),
    Crowd("60 people, each with own confusions", 300, 60, 5, by_category=4.0),
    Crowd("60 people, 3 in 10 at random", 300, 60, 5, skill=0.8, spread=20, blind=0.3),
    Crowd("60 people, 3 in 10 give one label", 300, 60, 5, skill=0.8, one_label=0.3),
    Crowd("60 people, .9 one category", 500, 60, 5, mix=(0.9, 0.07, 0.03)),
    Crowd("40 people, ten categories", 400, 40, 5, mix=(0.1,) * 10),
    Crowd("3 annotators", 100, 3, 3, skill=0.8, spread=20),
    Crowd("3 annotators, more units", 240, 3, 3, mix=(0.6, 0.3, 0.1), skill=0.8, spread=20),
    Crowd("5 annotators, two categories", 200, 5, 5, mix=(0.7, 0.3)),
    Crowd("60 people, 3 in 10 units hard", 300, 60, 5, skill=0.8, hard=0.3),
)


@dataclass(frozen=True, eq=False)
class Made:
    """Labels (units, labels) of annotators, the truth (units,), and how often each is right (annotators,)."""

    truth: Codes
    annotator: Codes
    label: Codes
    skill: Floats

    def ratings(self, categories: int) -> WeightedRatings:
        """Return what a model is fitted to."""
        units = len(self.truth)
        unit = np.repeat(np.arange(units), self.label.shape[1])
        nothing = np.full(units, NO_CATEGORY, dtype=np.int64)
        ones = np.ones(units, dtype=np.int64)
        return WeightedRatings(
            unit, self.annotator.reshape(-1), self.label.reshape(-1), ones, nothing, categories
        )


def made(crowd: Crowd, random: np.random.Generator) -> Made:
    """Return one campaign of a crowd."""
    size, mix = len(crowd.mix), np.array(crowd.mix)
    truth = random.choice(size, crowd.units, p=mix)
    annotator = np.argsort(random.random((crowd.units, crowd.people)), axis=1)[:, : crowd.labels]
    skill = random.beta(crowd.skill * crowd.spread, (1 - crowd.skill) * crowd.spread, crowd.people)
    skill = np.where(random.random(crowd.people) < crowd.blind, 1 / size, skill)
    confusion = np.repeat((1 - skill)[:, None, None] / (size - 1), size, axis=1).repeat(size, axis=2)
    confusion[:, np.arange(size), np.arange(size)] = skill[:, None]
    if crowd.by_category:
        drawn = random.standard_gamma(confusion * crowd.by_category) + 1e-9
        confusion = drawn / drawn.sum(axis=2, keepdims=True)
    for each in np.flatnonzero(random.random(crowd.people) < crowd.one_label).tolist():
        confusion[each] = np.eye(size)[random.integers(size)]
    own = confusion[annotator, truth[:, None]]
    own[random.random(crowd.units) < crowd.hard] *= 0.5
    own += (1 - own.sum(axis=2, keepdims=True)) / size
    label = (random.random(annotator.shape)[..., None] > np.cumsum(own, axis=2)[..., :-1]).sum(axis=2)
    right = (np.diagonal(confusion, axis1=1, axis2=2) * mix).sum(axis=1)
    return Made(truth, annotator, label, right * (1 - crowd.hard / 2) + crowd.hard / 2 / size)


@dataclass(frozen=True, eq=False)
class Told:
    """How probable the likeliest label of units is, and whether it is right; ties are broken at random."""

    probability: Floats
    right: Codes

    @property
    def error(self) -> float:
        """Return the share of labels that are wrong."""
        return 1 - float(self.right.mean())

    @property
    def expected(self) -> float:
        """Return the share of labels that are expected to be."""
        return 1 - float(self.probability.mean())

    @property
    def calibration(self) -> float:
        """Return the expected calibration error, over ten bins of probability."""
        many, probability, right = self.bins
        return float(np.abs(right - probability).sum() / many.sum())

    @property
    def bins(self) -> tuple[Floats, Floats, Floats]:
        """Return of each of ten bins how many labels, their probabilities added up, how many are right."""
        place = np.minimum((self.probability * BINS).astype(np.int64), BINS - 1)
        of = (np.ones(len(place)), self.probability, self.right)
        many, probability, right = (sums_by(place, np.asarray(each, dtype=np.float64), BINS) for each in of)
        return many, probability, right


def told(posterior: Floats, truth: Codes, random: np.random.Generator) -> Told:
    """Return what probabilities (units, categories) say of each unit."""
    most = posterior.max(axis=1)
    lot = np.where(posterior >= most[:, None] - 1e-12, random.random(posterior.shape), -1.0)
    return Told(most, (lot.argmax(axis=1) == truth).astype(np.int64))


@dataclass(frozen=True, eq=False)
class Simulated:
    """All campaigns of a crowd: labels by how they were chosen, and how far accuracies are off (RMSE)."""

    labels: Mapping[str, Told]
    off: float


def simulated(crowd: Crowd, replications: int) -> Simulated:
    """Return what all campaigns of a crowd show."""
    random = np.random.default_rng([SEED, CROWDS.index(crowd)])
    size = len(crowd.mix)
    labels: dict[str, list[Told]] = {}
    squares: list[float] = []
    for _ in range(replications):
        given = made(crowd, random)
        ratings = given.ratings(size)
        votes = sums_by((ratings.unit, ratings.label), np.ones(len(ratings.unit)), (len(given.truth), size))
        model = dawid_skene(ratings, most_iterations=ITERATIONS)
        shares = votes / votes.sum(axis=1, keepdims=True)
        for name, posterior in (("votes", shares), ("model", model.posterior)):
            labels.setdefault(name, []).append(told(posterior, given.truth, random))
        seen = np.unique(given.annotator)
        squares += ((_accuracies(model, crowd.people) - given.skill)[seen] ** 2).tolist()
    joined = {
        name: Told(
            np.concatenate([each.probability for each in parts]),
            np.concatenate([each.right for each in parts]),
        )
        for name, parts in labels.items()
    }
    return Simulated(joined, float(np.sqrt(np.mean(squares))))


def off_in_chains(of_three: int, replications: int) -> float:
    """Return how far accuracies are off in a chain of pairs: six people, 300 units of two categories.

    Each two who follow each other label units together; on so many units three people do.
    """
    random = np.random.default_rng([SEED, of_three])
    squares: list[float] = []
    for _ in range(replications):
        skill = random.uniform(0.6, 0.95, CHAIN)
        truth = (random.random(LINKS) < random.uniform(0.3, 0.7)).astype(np.int64)
        first = random.integers(0, CHAIN - 1, LINKS - of_three)
        pairs = np.stack([first, first + 1], axis=1)
        threes = np.argsort(random.random((of_three, CHAIN)), axis=1)[:, :3]
        annotator = np.concatenate([threes.reshape(-1), pairs.reshape(-1)])
        unit = np.repeat(np.arange(LINKS), [3] * of_three + [2] * len(first))
        label = np.where(random.random(len(unit)) < skill[annotator], truth[unit], 1 - truth[unit])
        ones, nothing = np.ones(LINKS, dtype=np.int64), np.full(LINKS, NO_CATEGORY, dtype=np.int64)
        model = dawid_skene(WeightedRatings(unit, annotator, label, ones, nothing, 2))
        squares += ((_accuracies(model, CHAIN) - skill) ** 2).tolist()
    return float(np.sqrt(np.mean(squares)))


def _accuracies(model: Truth, people: int) -> Floats:
    """Return how often each is right by a model, were true categories as prevalent (annotators,)."""
    right = np.zeros(people)
    for annotator in range(people):
        met, confusion = model.errors_of(annotator)
        share = np.where(met > 0, model.prevalence, 0.0)
        right[annotator] = (share * np.diagonal(confusion)).sum() / (share.sum() or 1.0)
    return right


def run(replications: int) -> str:
    """Return a row for each crowd: wrong, expected to be wrong, calibration error; accuracies' error.

    Below are rows of chains of pairs.
    """
    lines = ["| campaign | votes | Dawid-Skene | accuracies off |", "|---|--:|--:|--:|"]
    for crowd in CROWDS:
        found = simulated(crowd, replications)
        cells = (
            f"{own.error:.3f}, {own.expected:.3f}, {own.calibration:.3f}" for own in found.labels.values()
        )
        lines.append(f"| {crowd.title} | {' | '.join(cells)} | {found.off:.3f} |")
    lines += ["", "| units of 300 with three labels | accuracies off |", "|---|--:|"]
    lines += [f"| {of_three} | {off_in_chains(of_three, 5 * replications):.3f} |" for of_three in OF_THREE]
    return "\n".join(lines)
