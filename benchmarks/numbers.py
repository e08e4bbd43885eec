"""How often 95% intervals of ratings that are numbers hold the true value, where ratings are not normal.

`python -m benchmarks numbers [--replications N]` prints the table of docs/uncertainty.md: intraclass
correlations and Krippendorff's alpha, of units alone and of documents, beside the F intervals that other
programs give, and beside alpha's intervals without what is done for numbers.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.special import fdtri, ndtri

from reportgen.measures.complete_ratings import absolute_agreement, icc_consistency, moments
from reportgen.measures.distances import interval, ratio
from reportgen.measures.estimate import ConfidenceInterval, Estimate
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import krippendorff_alpha
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.measures.unit_set_data import complete
from reportgen.readers import NO_DOCUMENT, Codes

Floats = npt.NDArray[np.float64]

SEED = 1996
REPLICATIONS = 300
UNITS, DOCUMENTS, ANNOTATORS = (30, 50, 100, 300, 1000), (10, 20, 50), (2, 5)
# Units of a document on average, whose lengths are geometric; what of a unit's value is its document's.
LENGTH, SHARED = 10, 0.3
# Units, several times so many, from which true values are taken.
POPULATION, TIMES = 100_000, 4
# Of rarer intervals no share is told.
TOLD = 0.2
QUANTILE = 0.975

# What a rating is, given the values of units, normal with variance 1, and which units are hard.

# Points of which one has 80% of the labels.
CUTS = ndtri([0.8, 0.88, 0.94, 0.98])
OUTLIERS = 0.02
# The share of units, or documents, that are hard.
HARD = {"hard and easy": 0.2, "one in ten hard": 0.1}


def normal(value: Floats, _hard: npt.NDArray[np.bool_], random: np.random.Generator) -> Floats:
    """Return values with normal errors, to a tenth."""
    return np.round(value + 0.6 * random.normal(size=value.shape), 1) + 10


def on_one_point(value: Floats, _hard: npt.NDArray[np.bool_], random: np.random.Generator) -> Floats:
    """Return five points, of which one has 80% of the ratings."""
    seen = value + 0.5 * random.normal(size=value.shape)
    return np.digitize(seen, CUTS * math.sqrt(1.25)).astype(np.float64) + 1


def counts(value: Floats, _hard: npt.NDArray[np.bool_], random: np.random.Generator) -> Floats:
    """Return counts around log-normal means, of which a few are large."""
    return random.poisson(np.exp(0.8 * value + 1)).astype(np.float64)


def hard_and_easy(value: Floats, hard: npt.NDArray[np.bool_], random: np.random.Generator) -> Floats:
    """Return values whose errors are ten times as large on hard units, or documents."""
    return np.round(value + np.where(hard, 2.0, 0.2) * random.normal(size=value.shape), 1) + 20


def outliers(value: Floats, _hard: npt.NDArray[np.bool_], random: np.random.Generator) -> Floats:
    """Return values of which one in fifty is three times as large as it should be."""
    seen = np.round(10 + 2 * value + 0.8 * random.normal(size=value.shape))
    return np.where(random.random(value.shape) < OUTLIERS, 3 * seen, seen).clip(0)


RATINGS: dict[str, Callable[[Floats, npt.NDArray[np.bool_], np.random.Generator], Floats]] = {
    "normal": normal,
    "80% on one of five points": on_one_point,
    "counts": counts,
    "hard and easy": hard_and_easy,
    "one in fifty an outlier": outliers,
    "one in ten hard": hard_and_easy,
}


@dataclass(frozen=True)
class Design:
    """A campaign: its ratings by name, how many units or documents, and how many annotators."""

    ratings: str
    clusters: int
    annotators: int
    by_document: bool

    def generator(self) -> np.random.Generator:
        """Return the design's own random numbers."""
        key = [*RATINGS].index(self.ratings), self.clusters, self.annotators, self.by_document
        return np.random.default_rng([SEED, *key])


def drawn(design: Design, random: np.random.Generator) -> tuple[LabelPatterns, Floats]:
    """Return the ratings of a campaign, by their places among the values, and the values."""
    share = HARD.get(design.ratings, 0.0)
    if design.by_document:
        document = np.repeat(np.arange(design.clusters), random.geometric(1 / LENGTH, design.clusters))
        own = math.sqrt(1 - SHARED) * random.normal(size=len(document))
        value = own + math.sqrt(SHARED) * random.normal(size=design.clusters)[document]
        hard = (random.random(design.clusters) < share)[document]
    else:
        value = random.normal(size=design.clusters)
        hard = random.random(design.clusters) < share
        document = np.full(design.clusters, NO_DOCUMENT)
    columns = np.ones((1, design.annotators))
    ratings = RATINGS[design.ratings](
        value[:, None] * columns, (hard[:, None] * columns).astype(bool), random
    )
    return _profiles(ratings, document)


def _profiles(ratings: Floats, document: Codes) -> tuple[LabelPatterns, Floats]:
    values, codes = np.unique(ratings, return_inverse=True)
    once = np.ones(len(document), dtype=np.int64)
    return complete(codes.reshape(ratings.shape), document, once, len(values)), values


def figures(units: LabelPatterns, values: Floats) -> Iterator[tuple[str, Estimate]]:
    """Yield the figures that are simulated."""
    yield "ICC(A,1)", absolute_agreement(units, values)
    yield "ICC(C,1)", icc_consistency(units, values)
    yield "alpha [interval]", coefficient(krippendorff_alpha, UnitsByLabels(units, interval(values)))
    yield "alpha [ratio]", coefficient(krippendorff_alpha, UnitsByLabels(units, ratio(values)))


Ends = tuple[float, float]


def intervals(units: LabelPatterns, values: Floats) -> Iterator[tuple[str, Ends]]:
    """Yield the intervals of all figures, those of F too, and those of alpha without what numbers take."""
    for name, figure in figures(units, values):
        if isinstance(figure.interval, ConfidenceInterval):
            yield name, (figure.interval.low, figure.interval.high)
        if name.startswith("ICC"):
            yield f"{name}, F", by_f(units, values, absolute="A" in name)
        elif (ends := as_names(figure)) is not None:
            yield f"{name}, before", ends


def by_f(units: LabelPatterns, values: Floats, *, absolute: bool) -> Ends:
    """Return the interval of McGraw and Wong (1996, table 7), which assumes normal ratings."""
    found = moments(values[units.labels], units.times.astype(np.float64))
    n, k = units.units, units.labels.shape[1]
    of_units = found.sampled * (found.variance + (k - 1) * found.covariance)
    error = found.sampled * (found.variance - found.covariance)
    of_annotators = n * found.spread
    if not absolute:
        quotient, free = of_units / error, (n - 1, (n - 1) * (k - 1))
        low, high = quotient / fdtri(*free, QUANTILE), quotient * fdtri(*free[::-1], QUANTILE)
        return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
    above = of_units - error
    below = above + k * error + k * (of_annotators - error) / n
    parts = k * above * of_annotators, (n * (below - above) + k * above * (n - 1)) * error
    free = sum(parts) ** 2 / (parts[0] ** 2 / (k - 1) + parts[1] ** 2 / ((n - 1) * (k - 1)))
    low, high = fdtri(n - 1, free, QUANTILE), fdtri(free, n - 1, QUANTILE)
    rest = k * of_annotators + (k * n - k - n) * error
    return (
        n * (of_units - low * error) / (low * rest + n * of_units),
        n * (high * of_units - error) / (rest + n * high * of_units),
    )


def as_names(figure: Estimate) -> Ends | None:
    """Return the interval that a figure would have of names: what few units move it counts for nothing."""
    spread, value = figure.spread, figure.value
    if spread is None or value is None or figure.standard_error is None:
        return None
    plain = replace(spread, on_a_scale=False, rarity=None)
    if plain.is_rare(of_units=True):
        return None
    # The upper end was at least as far away as on the figure's own scale.
    low, high = plain.ends(value)
    own = replace(plain, bounds=(-math.inf, math.inf)).ends(value)
    return low, max(high, min(own[1], 1.0))


@cache
def true_values(design: Design) -> dict[str, float]:
    """Return the figures of endless material, nearly; the number of a design's clusters plays no part."""
    random, found = design.generator(), defaultdict[str, list[float]](list)
    many = replace(design, clusters=POPULATION // (LENGTH if design.by_document else 1))
    for _ in range(TIMES):
        for name, figure in figures(*drawn(many, random)):
            found[name].append(figure.value or 0.0)
    return {name: math.fsum(each) / TIMES for name, each in found.items()}


def held(design: Design, replications: int) -> dict[str, tuple[float, float]]:
    """Return by figure how often intervals hold the true value, and how many campaigns have one."""
    true, random = true_values(replace(design, clusters=0)), design.generator()
    found: dict[str, list[bool]] = defaultdict(list)
    for _ in range(replications):
        for name, (low, high) in intervals(*drawn(design, random)):
            found[name].append(low <= true[name.partition(", ")[0]] <= high)
    return {name: (float(np.mean(each)), len(each) / replications) for name, each in found.items()}


COLUMNS = (
    *("ICC(A,1), F", "ICC(A,1)", "ICC(C,1), F", "ICC(C,1)"),
    *("alpha [interval], before", "alpha [interval]", "alpha [ratio], before", "alpha [ratio]"),
)


def run(replications: int) -> str:
    """Return the table: the least and the largest share that hold, over numbers of annotators."""
    head = f"| ratings | units or documents | {' | '.join(COLUMNS)} |"
    lines = [head, f"|---|--:|{'--:|' * len(COLUMNS)}"]
    sizes = [*((size, False) for size in UNITS), *((size, True) for size in DOCUMENTS)]
    for ratings, (clusters, by_document) in product(RATINGS, sizes):
        designs = [Design(ratings, clusters, each, by_document) for each in ANNOTATORS]
        found = [held(design, replications) for design in designs]
        size = f"{clusters:,} documents" if by_document else f"{clusters:,}"
        cells = (_range([each[name] for each in found if name in each]) for name in COLUMNS)
        lines.append(f"| {ratings} | {size} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _range(shares: Sequence[tuple[float, float]]) -> str:
    told = [share for share, given in shares if given >= TOLD]
    if not told:
        return "–"
    given = math.fsum(given for _, given in shares) / len(shares)
    of_those = "" if given > 1 - TOLD / 10 else f"; {given:.2f}"
    return f"{min(told):.3f}, {max(told):.3f}{of_those}"
