"""How much does a mean over pairs of annotators depend on who they are?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.measures.distributions import LEVEL, t_quantile
from reportgen.measures.estimate import LEAST_DEGREES, Clusters, Floats
from reportgen.results import Interval
from reportgen.results.parts import Change

# With fewer annotators nothing can be said of how they differ.
LEAST_ANNOTATORS = 5


# Two annotators, their figure, and what a unit of each kind of cell adds to it, as `influence` of a Spread.
PairFigure = tuple[tuple[int, int], float, Floats]


@dataclass(frozen=True)
class AnnotatorChoice:
    """The variance of a mean over pairs that comes of the choice of annotators.

    `own` is their own part of it, less that of the documents on which they are seen, and so below 0 where
    annotators differ less than documents explain.
    """

    annotators: int
    variance: float
    own: float


def annotator_choice(pairs: Sequence[PairFigure], clusters: Clusters) -> AnnotatorChoice | None:
    """Return what the choice of annotators adds to the variance of a mean over their pairs.

    With H the mean and H_a that of the pairs without annotator a, V_annotators = (R - 1)/R Σ_a (H_a - H)²:
    the jackknife of a mean over pairs (Arvesen 1969, Annals of Mathematical Statistics 40(6), 2076-2100),
    which is too large rather than too small (Efron and Stein 1981, Annals of Statistics 9(3), 586-596). Each
    H_a - H is seen on the same documents as H: V_both = (R - 1)/R Σ_a V_documents(H_a - H) is what of this
    comes from them, which the variance over documents has already. None with fewer than five annotators.
    """
    people = sorted({person for both, *_ in pairs for person in both})
    values = {person: [value for both, value, _ in pairs if person not in both] for person in people}
    if len(people) < LEAST_ANNOTATORS or not all(values.values()) or clusters.groups < 2:  # noqa: PLR2004 - two
        return None
    own = {person: np.zeros(len(pairs[0][2])) for person in people}
    for both, _, moved in pairs:
        for person in both:
            own[person] += moved
    # Each pair is there twice, once with either.
    total = np.sum(list(own.values()), axis=0) / 2
    mean = math.fsum(value for _, value, _ in pairs) / len(pairs)
    jackknife, of_documents = [], []
    for person, others in values.items():
        jackknife.append((math.fsum(others) / len(others) - mean) ** 2)
        moved = (total - own[person]) / len(others) - total / len(pairs)
        of_documents.append(clusters.standard_error(moved) ** 2)
    factor = (len(people) - 1) / len(people)
    variance = factor * math.fsum(jackknife)
    return AnnotatorChoice(len(people), variance, variance - factor * math.fsum(of_documents))


def over_annotators(
    change: Change, choice: AnnotatorChoice | None, least: float, most: float
) -> Interval | None:
    """Return the interval of a difference from annotators that covers their choice too, never a narrower one.

    Documents and annotators are both drawn, and crossed: V = V_documents + V_annotators - V_both, with
    Satterthwaite's degrees of freedom of a sum of two variances. `change` has the test over documents,
    `least` and `most` are what a difference can be.
    """
    test, value, error = change.test, change.difference, change.standard_error
    if choice is None or test is None or value is None or error is None:
        return None
    of_documents = error**2
    variance = of_documents + max(choice.own, 0.0)
    parts = of_documents**2 / test.degrees + choice.variance**2 / (choice.annotators - 1)
    half = max(
        t_quantile(test.degrees) * error,
        t_quantile(max(variance**2 / parts, LEAST_DEGREES)) * math.sqrt(variance),
    )
    return Interval(low=max(value - half, least), high=min(value + half, most), level=LEVEL)
