"""What a standard error means: a band of a scale, what to annotate, what the choice of annotators adds.

Units to be checked for an error rate are drawn at random and are independent; an error is seen where there is
one. Probabilities are exact, of the binomial distribution.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures.estimate import (
    LEAST_DEGREES,
    LEVEL,
    Clusters,
    ConfidenceInterval,
    Estimate,
    Floats,
    NoInterval,
    Spread,
    binomial_below,
    logit,
    logit_ends,
    slope,
    t_at,
    t_quantile,
)
from reportgen.results import Interval
from reportgen.results.parts import Band, Benchmarks, Change, Goal, Plan

# Words for a coefficient: the band of a benchmark scale that holds with 95% probability.

LEAST, MOST = -1.0, 1.0
# A benchmark scale: words with the least value of each, the best first.
BenchmarkScale = tuple[tuple[float, str], ...]

SCALES: Mapping[str, BenchmarkScale] = {
    # Landis and Koch (1977), Biometrics 33(1), 159-174, doi:10.2307/2529310.
    "landis_koch": (
        (0.8, "almost perfect"),
        (0.6, "substantial"),
        (0.4, "moderate"),
        (0.2, "fair"),
        (0.0, "slight"),
        (LEAST, "poor"),
    ),
    # Altman (1991), Practical Statistics for Medical Research, Chapman and Hall.
    "altman": ((0.8, "very good"), (0.6, "good"), (0.4, "moderate"), (0.2, "fair"), (LEAST, "poor")),
    # Fleiss (1981), Statistical Methods for Rates and Proportions, 2nd edition, Wiley.
    "fleiss": ((0.75, "excellent"), (0.4, "fair to good"), (LEAST, "poor")),
    # Krippendorff (2004), Content Analysis, 2nd edition, Sage, p. 241.
    "krippendorff": ((0.8, "reliable"), (0.667, "tentative conclusions only"), (LEAST, "no conclusions")),
}


def bands(estimate: Estimate) -> Benchmarks:
    """Return the band of a figure on each scale, by the scale's id, or why it has no standard error.

    Raises ValueError for a figure without a value.
    """
    if estimate.value is None:
        message = "a figure without a value lies in no band"
        raise ValueError(message)
    if isinstance(estimate.interval, NoInterval):
        return Benchmarks(undefined=estimate.interval)
    if estimate.standard_error is None:
        exact = isinstance(estimate.interval, ConfidenceInterval)
        return Benchmarks(undefined=NoInterval.NO_DISAGREEMENT if exact else NoInterval.NO_VARIATION)
    by_scale = {name: band(estimate.value, estimate.standard_error, scale) for name, scale in SCALES.items()}
    return Benchmarks(bands=by_scale)


def band(value: float, error: float, scale: BenchmarkScale) -> Band:
    """Return the band that holds with 95% probability (Gwet 2014, chapter 6).

    Probabilities of the bands are added up from the best one down; the first band at which the sum is 95%
    or more is named. Some call a coefficient by the band of its value, which it reaches half of the time
    where the value lies at the band's lower end.
    """
    reached = [(reaching(value, error, least), word) for least, word in scale[:-1]]
    reached.append((1.0, scale[-1][1]))
    probability, word = next(reached_band for reached_band in reached if reached_band[0] >= LEVEL)
    of_value = next(name for least, name in scale if value >= least or least == LEAST)
    return Band(word=word, probability=probability, of_value=of_value)


def reaching(value: float, error: float, least: float) -> float:
    """Return the probability that the true value is `least` or more, it being normal around `value`.

    The distribution is cut at -1 and 1, as no coefficient lies beyond.
    """
    within_ends = _below((value - LEAST) / error) - _below((value - MOST) / error)
    if within_ends <= 0:  # far beyond the ends, which only weighted figures can be
        return 0.0
    return (_below((value - least) / error) - _below((value - MOST) / error)) / within_ends


def _below(quantile: float) -> float:
    """Return the standard normal distribution function."""
    return math.erfc(-quantile / math.sqrt(2)) / 2


# How much has to be annotated twice for an interval of a chosen width, or to show a difference.

HALF_WIDTHS = (0.1, 0.05, 0.03)
# The normal distribution's quantiles: the first as the papers round it, the second at the power.
NORMAL = 1.96
POWER = 0.8
NORMAL_AT_POWER = 0.8416
KAPPA_BOUNDS = (-1.0, 1.0)
HALVINGS = 60
# By what share of itself a number is moved to see what it moves.
STEP = 1e-4
# So many units more, the rarer a category: kappa is then skewed. Found by simulation.
FOR_RARE = 15.0
# More clusters than these are no plan.
MOST_CLUSTERS = 2**29
# Kappas, prevalences and half-widths of the table for a campaign that has not begun.
KAPPAS = (0.4, 0.6, 0.8, 0.9)
PREVALENCES = (0.5, 0.3, 0.1, 0.05, 0.02)


def plan(estimate: Estimate, clusters: int) -> Plan | None:
    """Return what it takes to bring a figure's interval to each half-width, None without standard error.

    It holds if what is to be annotated resembles what there is.
    """
    interval, spread = estimate.interval, estimate.spread
    if (
        estimate.value is None
        or estimate.standard_error is None
        or spread is None
        or not isinstance(interval, ConfidenceInterval)
        or clusters < 2
    ):
        return None
    needed = [(half, clusters_for(estimate.value, spread, clusters, half)) for half in HALF_WIDTHS]
    goals = [Goal(half_width=half, clusters=many, more=max(0, many - clusters)) for half, many in needed]
    return Plan(clusters=clusters, half_width=(interval.high - interval.low) / 2, goals=tuple(goals))


def clusters_for(value: float, spread: Spread, clusters: int, half: float) -> int:
    """Return how many clusters give an interval of ± `half` in 4 campaigns of 5, from those at hand.

    Of n clusters as these, the interval is one of the error left out times √(clusters / n), with as many of
    them alike. The logarithm of an error of a clusters alike varies by 1 / (a - 1), as of these, so of those
    to come (benchmarks/plans.py); half of it would be normal clusters'. Where a few long ones move most of
    the figure it varies by what these leave.
    """

    def varies(more: float) -> float:
        return 1 / max(min(spread.alike * more - 1, spread.degrees_left * more), LEAST_DEGREES)

    def reaches(many: int) -> bool:
        more = many / clusters
        wider = math.exp(NORMAL_AT_POWER * math.sqrt(varies(1.0) + varies(more)))
        low, high = spread.ends(value, more, wider)
        return high - low <= 2 * half

    return _least_clusters(reaches)


def _least_clusters(enough: Callable[[int], bool]) -> int:
    """Return the least number of clusters that is enough, by bisection; some number has to be."""
    low, high = 2 - 1, 2
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def clusters_to_show(spread: float, apart: float, ratio: float = 1.0) -> int | None:
    """Return how many clusters show with a power of 80% that a figure is not what it is `apart` from.

    The least n with (t(.975) + t(.80)) · spread / √n ≤ `apart`, `spread` / √n being the standard error with n
    clusters and both t with `ratio` (n - 1) degrees of freedom: a two-sided test at .05 then finds it in four
    cases of five, if what is to be annotated resembles what there is. None where no number does. Lachin
    (1981), Controlled Clinical Trials 2(2), 93-113, with t in place of normal quantiles.
    """

    def shows(clusters: int) -> bool:
        degrees = ratio * (clusters - 1)
        quantiles = t_at(degrees, (1 + LEVEL) / 2) + t_at(degrees, POWER)
        return quantiles * spread / math.sqrt(clusters) <= apart

    return _least_clusters(shows) if shows(MOST_CLUSTERS) else None


def kappa_variance(kappa: float, prevalence: float) -> float:
    """Return n times the variance of the kappa of two annotators with a common prevalence p.

    (1 - κ) [(1 - κ)(1 - 2κ) + κ(2 - κ) / (2p(1 - p))]: Bloch and Kraemer (1989), Biometrics 45, 269-287;
    Donner and Eliasziw (1992), Statistics in Medicine 11, 1511-1519. Units are independent, labels two.
    """
    spread = 2 * prevalence * (1 - prevalence)
    return (1 - kappa) * ((1 - kappa) * (1 - 2 * kappa) + kappa * (2 - kappa) / spread)


@dataclass(frozen=True)
class _Expected:
    """What two annotators with a common prevalence make of a kappa, and what a unit of each kind adds to it.

    `kinds` has the share of units that both, one or none gives the label, how often each gives it (1, .5, 0),
    how much such a unit moves kappa, and its share of what kappa is divided by, 1 on average.
    """

    kappa: float
    prevalence: float

    @property
    def kinds(self) -> tuple[tuple[float, float, float, float], ...]:
        """Return share, label, influence and weight of each kind."""
        p = self.prevalence
        expected = 2 * p * (1 - p)
        apart = (1 - self.kappa) * expected
        found = []
        for share, label, differs in ((p - apart / 2, 1.0, 0), (apart, 0.5, 1), (1 - p - apart / 2, 0.0, 0)):
            weight = 1 + 2 * (1 - 2 * p) * (label - p) / expected
            found.append((share, label, (apart * weight - differs) / expected, weight))
        return tuple(found)

    def half_width(self, units: int) -> float:
        """Return that of kappa's interval of so many units: jackknife, t by units alike, on its scale."""
        squares, leverage, weights = (
            math.fsum(share * moved**power * weight**by for share, _, moved, weight in self.kinds)
            for power, by in ((2, 0), (2, 1), (0, 2))
        )
        # Without a unit of weight w, ψ is ψ / (1 - w / n): squares grow by 2 w / n.
        error = math.sqrt(squares / units * (1 + 2 * leverage / squares / units))
        half = t_quantile(max(units / weights - 1, LEAST_DEGREES)) * error
        low, high = logit_ends(self.kappa, half, KAPPA_BOUNDS)
        return (high - low) / 2

    def varies(self, units: int) -> float:
        """Return the standard deviation, over campaigns of so many units, of the logarithm of that width."""
        kappa, prevalence = self.kappa, self.prevalence

        def slope_along(by_kappa: float, by_prevalence: float) -> float:
            more, less = (
                _Expected(kappa + sign * by_kappa, prevalence + sign * by_prevalence).half_width(units)
                for sign in (1, -1)
            )
            return math.log(more / less) / (2 * (by_kappa + by_prevalence))

        by_kappa = slope_along(STEP * (1 - kappa), 0.0)
        by_prevalence = slope_along(0.0, STEP * min(prevalence, 1 - prevalence))
        moved = (
            share * (by_kappa * influence + by_prevalence * (label - prevalence)) ** 2
            for share, label, influence, _ in self.kinds
        )
        return math.sqrt(math.fsum(moved) / units)


def units_needed(kappa: float, prevalence: float, half: float) -> int:
    """Return how many units two annotators have to label for an interval of ± `half` in 4 campaigns of 5.

    Widths are log-normal, nearly, around the one that is expected. Raises ValueError where kappa is not from
    0 up to less than 1, the prevalence not between 0 and 1, or the half-width not between 0 and 1.
    """
    if not (0 <= kappa < 1 and 0 < prevalence < 1 and 0 < half < 1):
        message = "kappa is from 0 to less than 1, prevalence and half-width are between 0 and 1"
        raise ValueError(message)
    expected = _Expected(kappa, prevalence)
    return _least_clusters(
        lambda units: expected.half_width(units) * math.exp(NORMAL_AT_POWER * expected.varies(units)) <= half
    )


def units_to_tell(kappa: float, prevalence: float, threshold: float) -> int | None:
    """Return how many units two annotators have to label to tell kappa from a threshold in 4 cases of 5.

    The interval, symmetrical on the scale f of logits, leaves out the threshold κ₀ where kappa is seen beyond
    some κ₁, and has κ₀ for an end where it is κ₁: |f(κ₁) - f(κ₀)| = 1.96 s(κ₁) / √n. In four cases of five it
    is seen there if |f(κ) - f(κ₁)| = .8416 s(κ) / √n, s(κ) being √v(κ) f'(κ), and v n times the variance.
    Both equations together give κ₁ and n; a rare category takes a few more.

    None where kappa is the threshold itself. Raises ValueError where kappa or threshold is not from 0 up to
    less than 1, or the prevalence not between 0 and 1.
    """
    if not (0 <= kappa < 1 and 0 <= threshold < 1 and 0 < prevalence < 1):
        message = "kappa and threshold are from 0 to less than 1, the prevalence is between 0 and 1"
        raise ValueError(message)
    if kappa == threshold:
        return None

    def error(value: float) -> float:
        return math.sqrt(kappa_variance(value, prevalence)) * slope(value, KAPPA_BOUNDS)

    def apart(one: float, other: float) -> float:
        return abs(logit(one, KAPPA_BOUNDS) - logit(other, KAPPA_BOUNDS))

    near, far = threshold, kappa
    for _ in range(HALVINGS):
        seen = (near + far) / 2
        left, taken = apart(kappa, seen) * NORMAL * error(seen), apart(seen, threshold) * error(kappa)
        has_room = left > NORMAL_AT_POWER * taken
        near, far = (seen, far) if has_room else (near, seen)
    rare = FOR_RARE * (1 / (4 * prevalence * (1 - prevalence)) - 1)
    return math.ceil((NORMAL * error(far) / apart(far, threshold)) ** 2 + rare)


# How much a mean over pairs of annotators depends on who they are.

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
    if len(people) < LEAST_ANNOTATORS or not all(values.values()) or clusters.groups < 2:
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
    # Satterthwaite: (v₁ + v₂)² / (v₁² / f₁ + v₂² / f₂).
    parts = of_documents**2 / test.degrees + choice.variance**2 / (choice.annotators - 1)
    half = max(
        t_quantile(test.degrees) * error,
        t_quantile(max(variance**2 / parts, LEAST_DEGREES)) * math.sqrt(variance),
    )
    return Interval(low=max(value - half, least), high=min(value + half, most), level=LEVEL)


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
    return _least_above(lambda units: binomial_below(errors, units, error_rate) <= risk, errors)


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


def _least_above(enough: Callable[[int], bool], low: int) -> int | None:
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
