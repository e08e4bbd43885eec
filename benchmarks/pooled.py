"""Are labels of the aggregate as probable as the model of annotators with partial pooling says?

`python -m benchmarks pooled [--replications N]` prints the tables of docs/uncertainty.md, and draws a figure.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from reportgen.annotators.dawid_skene import dawid_skene
from reportgen.annotators.pooled_model import EIGHTHS, PooledTruth, error_interval, fitted
from reportgen.annotators.rating_patterns import WeightedRatings
from reportgen.measures import Floats
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY
from reportgen.units.coded import sums_by

SEED = 3401
REPLICATIONS = 100
EVEN = (1 / 3,) * 3
BINS = 10
ML_ITERATIONS = 300
PICTURE = Path(__file__).resolve().parent.parent / "docs" / "calibration.png"
# Of fewer labels a share of right ones says little.
LEAST_OF_A_BIN = 50


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


def models(given: Made, categories: int) -> tuple[Mapping[str, Floats], PooledTruth, Floats]:
    """Return each one's probabilities, the pooled model, and the unpooled accuracies (annotators,)."""
    ratings, people = given.ratings(categories), len(given.skill)
    votes = sums_by((ratings.unit, ratings.label), np.ones(len(ratings.unit)), (len(given.truth), categories))
    alone, pooled = dawid_skene(ratings, most_iterations=ML_ITERATIONS), fitted(ratings)
    accuracy = np.zeros(people)
    for annotator in range(people):
        met, confusion = alone.errors_of(annotator)
        share = np.where(met > 0, alone.prevalence, 0.0)
        accuracy[annotator] = (share * np.diagonal(confusion)).sum() / (share.sum() or 1.0)
    shares = votes / votes.sum(axis=1, keepdims=True)
    return (
        {"votes": shares, "Dawid-Skene": alone.posterior, "pooled": pooled.posterior},
        pooled,
        accuracy,
    )


@dataclass(frozen=True, eq=False)
class Simulated:
    """All campaigns of a crowd: labels by how they were chosen, and annotators' accuracy.

    `refused` is the share in which the pooled model takes one category for another, or does not settle,
    `tempered` in which its probabilities are, and `known` in which the interval of its expected errors
    contains the share that is wrong.
    """

    labels: Mapping[str, Told]
    refused: float
    tempered: float
    known: float
    inside: float
    width: float
    off: Mapping[str, float]


def simulated(crowd: Crowd, replications: int) -> Simulated:
    """Return what all campaigns of a crowd show."""
    random = np.random.default_rng([SEED, CROWDS.index(crowd)])
    labels: dict[str, list[Told]] = {}
    inside, widths, refused = list[bool](), list[float](), 0
    tempered, known = list[bool](), list[bool]()
    squares: dict[str, list[float]] = {"Dawid-Skene": [], "pooled": []}
    for _ in range(replications):
        given = made(crowd, random)
        posteriors, pooled, alone = models(given, len(crowd.mix))
        if not (pooled.converged and pooled.is_told_apart):
            refused += 1
            continue
        for name, posterior in posteriors.items():
            labels.setdefault(name, []).append(told(posterior, given.truth, random))
        tempered.append(pooled.eighths < EIGHTHS)
        about = error_interval(pooled.errors, np.ones_like(given.truth), pooled.error_variance)
        wrong = labels["pooled"][-1].error
        known.append(about is not None and (about.low or 0.0) <= wrong <= (about.high or 1.0))
        seen = np.flatnonzero(pooled.labelled > 0).tolist()
        intervals = [ends for each in seen if (ends := pooled.accuracy_of(each).interval)]
        low, high = (np.array([getattr(ends, name) for ends in intervals]) for name in ("low", "high"))
        inside += ((low <= given.skill[seen]) & (given.skill[seen] <= high)).tolist()
        widths += (high - low).tolist()
        squares["Dawid-Skene"] += ((alone - given.skill)[seen] ** 2).tolist()
        squares["pooled"] += ((pooled.accuracy[seen] - given.skill[seen]) ** 2).tolist()
    joined = {
        name: Told(
            np.concatenate([each.probability for each in parts]),
            np.concatenate([each.right for each in parts]),
        )
        for name, parts in labels.items()
    }
    off = {name: float(np.sqrt(np.mean(values))) for name, values in squares.items()}
    about_errors = refused / replications, float(np.mean(tempered)), float(np.mean(known))
    return Simulated(joined, *about_errors, float(np.mean(inside)), float(np.mean(widths)), off)


def run(replications: int) -> str:
    """Return the tables of labels and of annotators."""
    found = {crowd.title: simulated(crowd, replications) for crowd in CROWDS}
    _drawn(found)
    return "\n".join([*_of_labels(found), "", *_of_annotators(found)])


def _drawn(found: Mapping[str, Simulated]) -> None:
    """Draw how many of the labels with some probability are right, for each way to choose them."""
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    columns = figure.subplots(1, 3, sharey=True)
    for axes, name in zip(columns, ("votes", "Dawid-Skene", "pooled"), strict=True):
        axes.plot([0.2, 1], [0.2, 1], color="#888", linewidth=1)
        for each in found.values():
            many, probability, right = each.labels[name].bins
            seen = many >= LEAST_OF_A_BIN
            axes.plot(
                (probability / many)[seen], (right / many)[seen], marker="o", markersize=3, linewidth=0.8
            )
        axes.set(title=name, xlabel="probability of the label", xlim=(0.2, 1.02), ylim=(0.2, 1.02))
    columns[0].set_ylabel("share that is right")
    figure.savefig(PICTURE, dpi=130, metadata={"Software": None})


def _of_labels(found: Mapping[str, Simulated]) -> Iterator[str]:
    """Yield a row for each crowd: wrong, expected to be wrong, and calibration error, of votes and models."""
    yield "| campaign | votes | Dawid-Skene | pooled | contained | tempered | refused |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for title, each in found.items():
        cells = (
            f"{own.error:.3f}, {own.expected:.3f}, {own.calibration:.3f}" for own in each.labels.values()
        )
        shares = f"{each.known:.2f} | {each.tempered:.2f} | {each.refused:.2f}"
        yield f"| {title} | {' | '.join(cells)} | {shares} |"


def _of_annotators(found: Mapping[str, Simulated]) -> Iterator[str]:
    """Yield a row for each crowd: how far accuracies are off, and what their intervals contain."""
    yield "| campaign | off, Dawid-Skene | off, pooled | contained | width |"
    yield "|---|--:|--:|--:|--:|"
    for title, each in found.items():
        off = " | ".join(f"{value:.3f}" for value in each.off.values())
        yield f"| {title} | {off} | {each.inside:.3f} | {each.width:.2f} |"
