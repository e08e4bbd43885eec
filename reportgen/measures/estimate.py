"""A figure with its uncertainty, or the reason why there is none.

Distributions that tests and intervals refer to, computed by scipy; the logit scale; adjusted p values.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Self

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Figure, Interval
from reportgen.results.marks import MacroFigure
from reportgen.units import Mask

PACKAGE = "scipy.special"
LEVEL = 0.95


def t_below(degrees: float, value: float) -> float:
    """Return P(T <= value) of Student's t distribution."""
    return float(_scipy().stdtr(degrees, value))


def t_at(degrees: float, share: float) -> float:
    """Return the value below which a share of Student's t distribution lies."""
    return float(_scipy().stdtrit(degrees, share))


def normal_at(share: float) -> float:
    """Return the value below which a share of the normal distribution lies."""
    return float(_scipy().ndtri(share))


def f_above(first: float, second: float, value: float) -> float:
    """Return P(F > value)."""
    return float(_scipy().fdtrc(first, second, value))


def chi_square_above(degrees: int, value: float) -> float:
    """Return P(χ² > value)."""
    return float(_scipy().chdtrc(degrees, value))


def binomial_below(successes: int, draws: int, share: float) -> float:
    """Return the probability of at most so many successes."""
    return float(_scipy().bdtr(float(successes), draws, share))


@cache
def _scipy() -> ModuleType:
    """Return scipy's special functions; where that is possible, the compiled module alone.

    The package around it imports numpy.f2py and more, which takes longer than all figures of a small table.
    It is kept out by an empty module of its name, and imported as usual by code that needs it later.
    """
    spec = None if PACKAGE in sys.modules else find_spec(PACKAGE)
    if spec is not None:
        sys.modules[PACKAGE] = module_from_spec(spec)
        try:
            return import_module(f"{PACKAGE}._ufuncs")
        except ImportError:  # another version of scipy
            pass
        finally:
            del sys.modules[PACKAGE]
    return import_module(PACKAGE)


def two_sided(statistic: float, degrees: float) -> float:
    """Return the probability of a t statistic at least so far from zero."""
    return 2 * t_below(degrees, -abs(statistic))


@lru_cache(maxsize=256)
def t_quantile(degrees: float) -> float:
    """Return the two-sided quantile of Student's t distribution."""
    return t_at(degrees, (1 + LEVEL) / 2)


# The logit scale of what a figure can be, on which errors are alike on both sides: of shares, log odds.

Bounds = tuple[float, float]
# Beyond it numbers end, and so does what an interval can tell.
LONGEST = 700.0


def logit(value: float, bounds: Bounds) -> float:
    """Return a figure on the scale: between two bounds half the log odds of its place.

    From -1 to 1 that is Fisher's z. With one bound, which most distances leave, it is the logarithm of how
    far the figure is from it.
    """
    low, high = bounds
    if math.isfinite(high - low):
        return math.atanh((2 * value - low - high) / (high - low))
    return -math.log(high - value) if math.isfinite(high) else math.log(value - low)


def slope(value: float, bounds: Bounds) -> float:
    """Return by how much the scale moves with a figure: its derivative."""
    low, high = bounds
    if math.isfinite(high - low):
        return (high - low) / (2 * (value - low) * (high - value))
    return 1 / (high - value) if math.isfinite(high) else 1 / (value - low)


def within(value: float, bounds: Bounds) -> bool:
    """Tell whether a figure has a place on the scale: between its bounds, of which one is finite at least."""
    low, high = bounds
    return low < value < high and (math.isfinite(low) or math.isfinite(high))


def logit_ends(value: float, half: float, bounds: Bounds) -> Bounds:
    """Return the ends of an interval whose half-width is `half` where the figure is, taken on the scale.

    A figure at its bound has no place on the scale: its interval is cut there.
    """
    low, high = bounds
    if not within(value, bounds):
        return max(low, value - half), min(high, value + half)
    centre, moved = logit(value, bounds), half * slope(value, bounds)
    if math.isfinite(high - low):
        ends = (math.tanh(centre - moved), math.tanh(centre + moved))
        return low + (high - low) * (1 + ends[0]) / 2, low + (high - low) * (1 + ends[1]) / 2
    away = min(moved, LONGEST)
    if math.isfinite(high):
        return high - (high - value) * math.exp(away), high - (high - value) * math.exp(-away)
    return low + (value - low) * math.exp(-away), low + (value - low) * math.exp(away)


# p values of several tests, adjusted so that one false alarm among all of them stays rare.


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return each p value times the number of those not smaller, never below a smaller one's (Holm 1979).

    None is a test that could not be made, and is not one of them.
    """
    defined = [(value, position) for position, value in enumerate(values) if value is not None]
    adjusted: list[float | None] = [None] * len(values)
    highest = 0.0
    for rank, (value, position) in enumerate(sorted(defined)):
        highest = max(highest, min(1.0, value * (len(defined) - rank)))
        adjusted[position] = highest
    return adjusted


def significant(values: Sequence[float | None], level: float) -> dict[int, float]:
    """Return the p values that are below a level after Holm's correction, corrected, by their places."""
    return {place: p for place, p in enumerate(holm(values)) if p is not None and p < level}


def benjamini_yekutieli(values: Sequence[float | None]) -> list[float | None]:
    """Return p values to compare with the rate of false discoveries, however the tests depend on each other.

    The p value of rank r of m is multiplied by m / r · Σ_{k≤m} 1 / k, and is never above a larger one's:
    Benjamini and Yekutieli (2001), Annals of Statistics 29(4), 1165-1188, theorem 1.3. None is a test
    that could not be made, and is not one of them.
    """
    defined = sorted((value, position) for position, value in enumerate(values) if value is not None)
    adjusted: list[float | None] = [None] * len(values)
    factor = math.fsum(1 / divisor for divisor in range(1, len(defined) + 1)) * len(defined)
    lowest = 1.0
    for rank, (value, position) in reversed(list(enumerate(defined, 1))):
        lowest = min(lowest, value * factor / rank)
        adjusted[position] = lowest
    return adjusted


Floats = npt.NDArray[np.float64]

# The least that most coefficients can be.
LOWEST = -1.0
# Influence values below this are rounding: their exact value is zero.
ROUNDING = 1e-12
# So many documents or units alike are the same, in whatever order they were added up.
NEARLY = 1e-9
# The fewest units and documents alike that an interval can rest on (benchmarks/coverage.py and rare.py,
# docs/uncertainty.md). Units of one document are like each other, so that it takes more of them.
LEAST_UNITS = 8
LEAST_UNITS_OF_DOCUMENTS = 12
LEAST_DOCUMENTS = 2
# Of figures of units, not marks: documents alike; of those beside chance also units as if each had labels of
# one kind (benchmarks/rare_units.py).
LEAST_DOCUMENTS_OF_UNITS = 3
LEAST_RARE_UNITS = 16
# The fewest units, and documents where units have some, of a figure that takes labels as ranks or numbers
# (benchmarks/numbers.py): one large disagreement weighs as much as many small ones, and fewer units, or
# documents, often have none of those that there are.
LEAST_UNITS_ON_A_SCALE, LEAST_DOCUMENTS_ON_A_SCALE = 30, 20
# Fewer degrees of freedom tell no more: an interval is then all that the figure can be.
LEAST_DEGREES = 0.05


class Undefined(StrEnum):
    """Why a figure has no value; a closed list, translated when a page is rendered."""

    NO_UNITS = "no unit was rated by both annotators"
    NO_SHARED_UNITS = "no unit was rated by two annotators"
    ONE_CATEGORY = "only one category is declared or used, so that there is nothing to confuse"
    NO_EXPECTED_DISAGREEMENT = (
        "only one category was used where labels can be compared, so that the expected disagreement is zero"
    )
    NOT_USED = "no annotator used this category where labels can be compared"
    NO_POSSIBLE_DISAGREEMENT = "the distances between the categories in use are all zero"
    NO_RESPONSE_MARKS = "the response has no mark, so that no share of its marks can be right"
    NO_KEY_MARKS = "the key has no mark, so that there was nothing to find"
    NO_MARKS = "neither of the two has a mark"
    EMPTY_SETS = "nobody gave a category to any unit that two annotators rated: there is nothing to compare"
    NO_MAJORITY = "the other annotators have no majority label on any unit"
    NOT_RATED_BY_ALL = "no unit was rated by all annotators"
    UNNAMED = "the counts do not say which annotators labelled the same unit"
    MANY_PAIRS = "it is computed by pairs of annotators, and more than 1,000,000 pairs label the same units"
    SUMMED = "the counts do not say which labels a unit has, but how often each two meet"
    NO_TOKENS = "the documents that both saw have no token"
    FEW_PEOPLE = "fewer people than a group may have labelled the same units as others"
    NO_OTHERS = "no unit was rated by two others besides the annotator"
    NOT_USED_BY_KEY = "the key never gave this category, so that there was nothing to find"
    NOT_USED_BY_OTHER = "who is compared with the key never gave this category, so that no use can be right"
    ALWAYS_USED_BY_KEY = "the key always gave this category, so that nothing else could be missed"
    ALWAYS_USED_BY_OTHER = "who is compared with the key always gave this category"
    NO_CATEGORY_USED = "neither of the two used a category"
    NO_PAIR = "no two annotators labelled any of these units"
    NO_PAIR_DEFINED = "it is undefined for every pair of annotators"
    NO_SHARED_DOCUMENT = "no document was seen by two annotators"
    NOTHING_MARKED = "nobody marked anything in the documents that two annotators saw"
    NOT_MARKED = "nobody used this category in the documents that two annotators saw"
    NO_JOINT_MARKS = "no text was marked by two annotators"
    NOT_MARKED_JOINTLY = "wherever this category was used, nobody else marked anything"
    ONE_UNIT_EACH = "what was marked jointly is too little to tell agreement from chance"
    NO_EXPECTED_DISORDER = "no document has marks whose order chance could upset"
    ONE_UNIT = "one unit alone does not show how ratings differ between units"
    NO_VARIANCE = (
        "the ratings do not vary, so that there is no variance to share out between units and annotators"
    )
    NO_POINTS = (
        "it is defined for the points of a scale at equal steps, which an ordinal scale declares and an "
        "interval or ratio scale does not"
    )
    NO_SHARED_CATEGORY = "no category was used by both annotators"
    DIFFER_UNSEEN = "they differ only on categories that one of the two never used, which count nothing here"
    NO_DOCUMENT_DEFINED = "it is undefined in every document"
    NO_HUMAN_TESTED = "no human has as many instances as it takes to be compared with the model"


class NoInterval(StrEnum):
    """Why a value has no interval; a closed list, translated when a page is rendered."""

    ONE_DOCUMENT = "one document or unit alone does not show how figures vary"
    NO_DISAGREEMENT = "no disagreement was seen, so that the data do not show how far the figure may vary"
    NO_VARIATION = "every document or unit contributes the same, so that nothing can be said of its variation"
    MARGINS_ONLY = "it is a ceiling that follows from the margins, not an estimate"
    MANY_PAIRS = "it is a mean over the pairs of more annotators than are compared two by two"
    FEW_ON_A_SCALE = (
        "it depends on how far apart ratings are on a scale, and fewer than 30 units, or 20 documents, show "
        "too little of that"
    )
    RARE = "too few units or documents carry a rarer label for an interval to mean anything"
    MEAN_ALONE = "it is a mean over pairs of a figure whose variation is not followed from pair to pair"


class Method(StrEnum):
    """How an interval was computed; a closed list."""

    WITHOUT_DOCUMENT = "leaving out each document, t on the logit scale"
    WITHOUT_UNIT = "leaving out each unit, t on the logit scale"
    BY_DOCUMENT = "influence values clustered by document, t"
    BY_UNIT = "influence values by unit, t"
    EXACT_BOUND = "exact lower bound, no disagreement seen"
    SCORE = "score interval of Wilson (1927), items taken as independent"


@dataclass(frozen=True)
class ConfidenceInterval:
    """A confidence interval: its ends, its level and how it was computed."""

    low: float
    high: float
    level: float
    method: Method


@dataclass(frozen=True, eq=False)
class Spread:
    """What a figure's variance comes from: the influence of a unit in each kind of cell, and the clusters.

    `weight` is how much a unit of each kind adds to what the figure is divided by, 1 on average: none where a
    category's figure says nothing of it, more where chance expects much. Each unit has 1 where it is None.
    `bounds` are the ends of the figure's logit scale. `least` is the least that the figure can be where that
    scale has no lower end. `worst` is by how much it would fall, its margins kept, if all units had the worst
    disagreement, None where that is not known. `on_a_scale` says that the figure takes labels as ranks or
    numbers; `rarity` is then what `weight` would be were they names: how rare the labels of a unit are, None
    where that is not known.
    """

    influence: Floats
    clusters: "Clusters"
    weight: Floats | None = None
    bounds: tuple[float, float] = (-math.inf, math.inf)
    worst: float | None = None
    least: float = -math.inf
    on_a_scale: bool = False
    rarity: Floats | None = None

    @property
    def possible(self) -> tuple[float, float]:
        """Return the least and the most that the figure can be."""
        low, high = self.bounds
        return low if math.isfinite(low) else self.least, high

    @cached_property
    def shares(self) -> "ByCluster":
        """Return which share each cluster has of what the figure is divided by."""
        return self.clusters.shares(self.weight)

    @cached_property
    def alike(self) -> float:
        """Return how many clusters would weigh as much if all weighed the same."""
        return self.clusters.alike(self.weight)

    @cached_property
    def left_out(self) -> "ByCluster":
        """Return what leaving out each cluster moves the figure, d_g.

        A document that moves a figure by ψ and has a share h of what it is divided by moves it by ψ / (1 - h)
        if it is left out: for a ratio of sums exactly so, for coefficients to the first order in what they
        are divided by.
        """
        moved, share = self.clusters.moved(self.influence), self.shares
        return ByCluster(
            moved.own / one_minus_leverage(share.own), moved.documents / one_minus_leverage(share.documents)
        )

    @cached_property
    def left_out_error(self) -> float:
        """Return the jackknife's standard error: sqrt((G-1)/G Σ_g d_g²).

        Quenouille (1956), Biometrika 43(3-4), 353-360; Bell and McCaffrey (2002), Survey Methodology 28(2),
        169-181. Where single documents are known by sums of products alone, h is that of documents alike,
        which is its mean over what they move a figure.
        """
        clusters = self.clusters
        if clusters.products is None:
            squares = clusters.added_powers(self.left_out, 2)
        else:
            squares = (
                clusters.squares(self.influence) / float(one_minus_leverage(np.array(1 / self.alike))) ** 2
            )
        return math.sqrt((clusters.groups - 1) / clusters.groups * squares)

    @cached_property
    def degrees_left(self) -> float:
        """Return the degrees of freedom that what clusters move leaves the error: few, where few move most.

        1 / (Σd⁴ / (Σd²)² - 1/G), half of what Satterthwaite (1946), Biometrics Bulletin 2(6), 110-114, has:
        the kurtosis of a sample is too low. None are lost where single documents are not known.
        """
        squares, fourths = self._powers(2), self._powers(4)
        if not squares > 0:
            return math.inf
        spent = fourths / (squares * squares) - 1 / self.clusters.groups
        return 1 / spent if spent > ROUNDING else math.inf

    @cached_property
    def skewness(self) -> float:
        """Return that of the mean of what clusters move, Σd³ / (Σd²)^1.5."""
        squares = self._powers(2)
        return self._powers(3) / (squares * math.sqrt(squares)) if squares > 0 else 0.0

    def _powers(self, power: int) -> float:
        """Return the sum of powers of what clusters move, 0 where single documents are not known."""
        return self.clusters.added_powers(self.left_out, power) if self.clusters.products is None else 0.0

    def ends(self, value: float, more: float = 1.0, wider: float = 1.0) -> tuple[float, float]:
        """Return the ends of a figure's interval: jackknife, t with the documents alike less one, by logits.

        They are those of `more` times as many clusters, of which these are a sample, with an error that is
        `wider` times as large.

        Ranks and numbers may be far apart on few units, which a sample has by chance. Degrees of freedom are
        then at most those that such units leave, and an end is at least as far away as on the figure's own
        scale, where few units move it that way by skewness · (2t² + 1) / 6 further (Johnson 1978, Journal of
        the American Statistical Association 73(363), 536-544). Chosen by simulation (benchmarks/coverage.py,
        every_figure.py and numbers.py, docs/uncertainty.md).
        """
        error = self.left_out_error * wider / math.sqrt(more)
        degrees = self.alike * more - 1
        if self.on_a_scale:
            degrees = min(degrees, self.degrees_left * more)
        t = t_quantile(max(degrees, LEAST_DEGREES))
        low, high = logit_ends(value, t * error, self.bounds)
        least, most = self.possible
        if self.on_a_scale:
            skewed = self.skewness / math.sqrt(more) * (2 * t * t + 1) / 6
            low = min(low, value - (t - min(skewed, 0.0)) * error)
            high = max(high, value + (t + max(skewed, 0.0)) * error)
        return min(max(low, least), value), max(min(high, most), value)

    def is_rare(self, *, of_units: bool, chance: float | None = None) -> bool:
        """Tell whether a figure rests on too little for an interval.

        What it is divided by comes from less than LEAST_DOCUMENTS documents alike; or, `of_units`, from few
        units or fewer than LEAST_DOCUMENTS_OF_UNITS documents alike. One unit in a hundred with a label of
        its own is then all that the interval knows: alpha 0, from -.01 to .01, where true agreement may be
        anything; or a label's agreement, from .01 to .99. `chance` is as in `rare_units`. Ranks and numbers
        are rare as names are: few of them may have most of a variance, which the interval knows of.
        """
        rarity = self.weight if self.rarity is None else self.rarity
        if rarity is None:
            return False
        if of_units and self.clusters.rests_on_few_units(rarity):
            return True
        if not self.clusters.in_documents:
            return False
        units, groups = self.clusters.units, self.clusters.groups
        if chance is not None and rare_units(units, chance) < min(LEAST_RARE_UNITS, units / 2) - NEARLY:
            return True
        least = LEAST_DOCUMENTS_OF_UNITS if of_units else LEAST_DOCUMENTS
        alike = self.clusters.alike(rarity)
        return alike < min(least, groups / 2) - NEARLY or alike < 1 + NEARLY


def rare_units(units: int, chance: float) -> float:
    """Return how many units carry a rarer label, given the disagreement that chance gives to names.

    With two labels, one of them with a share p of all, D_e = 2 p (1 - p): p / (1 - p) of the units are as
    many as would give as much if all ratings of each were the same. Five annotators who slip once each on
    five units are so one unit, not five. With more labels it is the share that would give as much with two.
    """
    odds = 1 - math.sqrt(max(1 - 2 * chance, 0.0))
    return units * odds / (2 - odds)


@dataclass(frozen=True)
class Estimate(float):
    """A figure: `value`, or None with the reason in `undefined`; where a number is expected, it, or NaN.

    `observed` and `expected` are agreements for nominal figures and AC2, disagreements for alpha and for
    every other weighted figure; None where the figure has none. `interval` is a ConfidenceInterval, or the
    reason why there is none.
    `recomputable` says whether counts alone give the figure with its interval. `farthest` is the distance at
    which AC2's weights 1 - δ / δ_max are 0, None for every other figure. `spread` is what a difference
    from the same figure of other units is tested with; None where nothing of the kind is known.
    """

    value: float | None
    units: int = 0
    observed: float | None = None
    expected: float | None = None
    standard_error: float | None = None
    interval: ConfidenceInterval | NoInterval | None = None
    undefined: Undefined | None = None
    recomputable: bool = True
    farthest: float | None = None
    spread: Spread | None = field(default=None, compare=False, repr=False)

    def __new__(cls, value: float | None, *_: object, **__: object) -> Self:
        """Return the number, which `__init__` gives the rest."""
        return super().__new__(cls, math.nan if value is None else value)

    # Two estimates are equal that are so in everything; beside a number, one is its value.
    __ne__ = object.__ne__

    def __hash__(self) -> int:
        """Return that of the value."""
        return hash(self.value)

    def __bool__(self) -> bool:
        """Tell that there is a figure, also where it is 0."""
        return True

    def __str__(self) -> str:
        """Return the value with its interval, or why there is none."""
        if self.value is None:
            return f"undefined: {self.undefined}"
        ends = self.interval
        within = f" [{ends.low:.3f}, {ends.high:.3f}]" if isinstance(ends, ConfidenceInterval) else ""
        return f"{self:.3f}{within}"

    def __repr__(self) -> str:
        """Return the same with the number of units: what a session in Python shows."""
        return f"<{self}, {self.units} unit{'' if self.units == 1 else 's'}>"


def without_spread(estimate: Estimate) -> Estimate:
    """Return a figure without what tests of differences need: those of thousands of pairs fill the memory."""
    return estimate if estimate.spread is None else replace(estimate, spread=None)


def no_estimate(reason: Undefined, units: int) -> Estimate:
    """Return an undefined figure."""
    return Estimate(None, units, undefined=reason)


@dataclass(frozen=True, eq=False)
class Clusters:
    """What a sum of influence values is clustered by.

    Each entry is a cell of counts: `n` units of the influence value `cell` in `document`; units of
    NO_DOCUMENT are each a cluster. `groups` is G, the number of documents, or of units where no document
    is known; `units` is the number of units over which the figure is a mean. `corrected` says whether a
    variance has the factor G/(G-1). Where `document` has groups of documents, `products` (cells, cells) may
    say of single ones how many units are in two cells, one times the other, added up; G is then theirs.
    """

    document: Codes
    cell: Codes
    n: Codes
    units: int
    groups: int
    by_document: bool
    corrected: bool
    products: Codes | None = None

    @classmethod
    def of_documents(cls, size: int) -> "Clusters":
        """Return the clusters of a mean over documents, each of them one unit."""
        document = np.arange(size, dtype=np.int64)
        return cls(document, document, np.ones_like(document), size, size, by_document=True, corrected=True)

    @classmethod
    def of_units(
        cls, document: Codes, cell: Codes, n: Codes, *, corrected: bool, compared: Mask | slice = slice(None)
    ) -> "Clusters":
        """Return the clusters of a mean over units, groups being the documents of `compared` cells.

        Where none is known units are; `corrected` says that the factor belongs to these too.
        """
        compared_document = document[compared]
        documents = int(np.count_nonzero(np.bincount(compared_document[compared_document != NO_DOCUMENT])))
        units, in_documents = int(n.sum()), documents > 0
        return cls(document, cell, n, units, documents or units, in_documents, in_documents or corrected)

    @cached_property
    def _own(self) -> Mask:
        """Return which cells are units that are each a cluster."""
        own: Mask = self.document == NO_DOCUMENT
        return own

    @cached_property
    def _alone(self) -> Codes:
        """Return the places of cells that are units that are each a cluster."""
        return np.flatnonzero(self._own)

    @cached_property
    def _in_document(self) -> Mask | slice:
        """Return which cells are of documents: all, as a rule, which then need not be chosen."""
        return ~self._own if len(self._alone) else slice(None)

    def rests_on_few_units(self, weight: Floats) -> bool:
        """Tell whether what a figure is divided by comes from few of its units.

        `weight` is as in Spread. (Σw)² / Σw² is how many units would weigh as much if all weighed the same
        (Kish 1965, section 11.7): with two categories, about as many as have the rarer label. Few are less
        than LEAST_UNITS, or LEAST_UNITS_OF_DOCUMENTS, and less than half of all: a small sample in which no
        label is rare is just small.
        """
        cell_weight = weight.reshape(-1).take(self.cell)
        least = LEAST_UNITS_OF_DOCUMENTS if self.by_document else LEAST_UNITS
        # Their last digits are within what NEARLY leaves open: they need no sorting.
        total, squares = (
            float((self.n * powers).sum()) for powers in (cell_weight, cell_weight * cell_weight)
        )
        return squares > 0 and total * total / squares < min(least, self.units / 2) - NEARLY

    @property
    def in_documents(self) -> bool:
        """Tell whether all units are of documents."""
        return self.by_document and not self._own.any()

    def shares(self, weight: Floats | None) -> "ByCluster":
        """Return which share each cluster has of what a figure is divided by; `weight` is as in Spread."""
        if weight is None:
            return self._by_cluster(np.full(len(self.cell), 1 / self.units))
        return self.moved(weight)

    def moved(self, values: Floats) -> "ByCluster":
        """Return what each cluster adds to the mean over units of a value for each kind of cell."""
        return self._by_cluster(values.reshape(-1).take(self.cell) / self.units)

    def added(self, by_cluster: "ByCluster") -> float:
        """Return the sum of a value over all clusters."""
        return float((self.n[self._alone] * by_cluster.own).sum()) + float(by_cluster.documents.sum())

    def added_powers(self, by_cluster: "ByCluster", power: int) -> float:
        """Return the sum of a value's powers over all clusters."""
        own, documents = by_cluster.own, by_cluster.documents
        alone = self.n[self._alone]
        for _ in range(power - 1):
            own, documents = own * by_cluster.own, documents * by_cluster.documents
        return _sorted_sum(alone * own) + _sorted_sum(documents)

    def alike(self, weight: Floats | None) -> float:
        """Return how many clusters would weigh as much if all weighed the same: (Σw)² / Σw² (Kish 1965).

        `weight` is as in Spread. Beside documents, units without one are no groups: there are never more than
        `groups`.
        """
        total, squares, groups = self.added(self.shares(weight)), self.squares(weight), float(self.groups)
        return min(total * total / squares, groups) if squares > 0 else groups

    def squares(self, values: Floats | None) -> float:
        """Return the sum of squares of what each cluster adds to the mean over units of a value by cell.

        Without `values` it is what each cluster has of the units.
        """
        if self.products is None:
            return self.added_powers(self.shares(values), 2)
        value = np.ones(len(self.products)) if values is None else values.reshape(-1)
        value = value / self.units
        terms = value[:, None] * self.products * value
        total = float(terms.sum())
        # What is left of terms that cancel each other is rounding.
        return total if total > ROUNDING * float(np.abs(terms).sum()) else 0.0

    @property
    def in_groups(self) -> "Clusters":
        """Return the same with the groups of documents that are known one by one, where there are such."""
        if self.products is None:
            return self
        return replace(self, groups=int(np.count_nonzero(np.bincount(self.document))), products=None)

    def _by_cluster(self, by_cell: Floats) -> "ByCluster":
        """Return a value of the units that are each a cluster, and the sums of documents."""
        weights = (self.n * by_cell)[self._in_document]
        sums = np.bincount(self.document[self._in_document], weights=weights)
        return ByCluster(by_cell[self._alone], sums.astype(np.float64, copy=False))

    def standard_error(self, influence: Floats) -> float:
        """Return the standard error of the mean of influence values, one for each kind of cell.

        sqrt(G/(G-1) Σ_g (Σ_{i in g} ψ_i)²) / n, which for units as clusters is sqrt(Σψ²/(n(n-1))), as
        Gwet (2008) has it for several annotators. For two, the cells of a table, the factor is left out:
        Fleiss, Cohen and Everitt (1969), Gwet's irrCAC for tables, SAS and statsmodels have sqrt(Σψ²)/n.
        """
        factor = self.groups / (self.groups - 1) if self.corrected else 1.0
        return math.sqrt(factor * self.squares(influence))


@dataclass(frozen=True, eq=False)
class ByCluster:
    """A value of each cluster: of units that are one each, by cell, and of documents."""

    own: Floats
    documents: Floats


def _sorted_sum(values: Floats) -> float:
    """Return a sum whose last digit the order of documents does not touch."""
    return float(np.sort(values).sum())


def one_minus_leverage(share: Floats) -> Floats:
    """Return what of a figure's divisor is left without a document, or unit, that has a share of it."""
    return 1 - np.clip(share, 0.0, 1 - ROUNDING)


def with_interval(  # noqa: PLR0913 - what an interval depends on
    estimate: Estimate,
    influence: Floats,
    clusters: Clusters,
    bounds: tuple[float, float],
    *,
    disagreements: int,
    worst: float | None = None,
    weight: Floats | None = None,
    of_units: bool = False,
    chance: float | None = None,
    least: float = -math.inf,
    on_a_scale: bool = False,
    rarity: Floats | None = None,
) -> Estimate:
    """Return the estimate with its standard error and its interval, which have different errors.

    The standard error is that of influence values, which other programs print and tests take
    (Clusters.standard_error); the interval leaves out each cluster in turn (Spread.left_out_error).

    - `influence`: a value for each kind of cell, mean zero over the units.
    - `bounds`, `worst`, `weight`, `least`, `on_a_scale`, `rarity`: as in Spread.
    - `disagreements`: how many were seen. Without any, only a figure whose `worst` is known has an interval.
    - `of_units`: the figure is of units, not of marks; `chance` is then its expected disagreement, were
      labels names. Figures that rest on too few units with a rarer label have no interval (Spread.is_rare).

    One cluster, or clusters that all contribute the same, give a reason instead of an interval; so do fewer
    units or documents than ranks and numbers take.
    """
    spread = Spread(influence, clusters, weight, bounds, worst, least, on_a_scale, rarity)
    value = math.nan if estimate.value is None else estimate.value
    rare = spread.is_rare(of_units=of_units, chance=chance)
    error, interval = _error_and_interval(value, spread, disagreements, rare=rare)
    are_few = estimate.units < LEAST_UNITS_ON_A_SCALE or clusters.groups < LEAST_DOCUMENTS_ON_A_SCALE
    if on_a_scale and are_few and isinstance(interval, ConfidenceInterval):
        interval = NoInterval.FEW_ON_A_SCALE
    return replace(estimate, spread=spread, standard_error=error, interval=interval)


def _error_and_interval(
    value: float, spread: Spread, disagreements: int, *, rare: bool
) -> tuple[float | None, ConfidenceInterval | NoInterval]:
    clusters, error = spread.clusters, None
    if clusters.groups < 2:  # a variance takes two
        return None, NoInterval.ONE_DOCUMENT
    if disagreements:
        error = clusters.standard_error(spread.influence)
        if error < ROUNDING:
            return None, NoInterval.NO_VARIATION
    elif spread.worst is None:
        return None, NoInterval.NO_DISAGREEMENT
    if rare:
        return None, NoInterval.RARE
    if error is None:
        return None, _exact(clusters, spread.worst or 0.0, spread.possible[0])
    return error, interval_of(value, spread)


def interval_of(value: float, spread: Spread) -> ConfidenceInterval:
    """Return a figure's interval by leaving out each document, or unit."""
    method = Method.WITHOUT_DOCUMENT if spread.clusters.by_document else Method.WITHOUT_UNIT
    return ConfidenceInterval(*spread.ends(value), LEVEL, method)


def with_exact_bound(estimate: Estimate, clusters: Clusters) -> Estimate:
    """Return a perfect observed agreement with its exact lower bound."""
    unmoved = np.zeros(int(clusters.cell.max(initial=-1)) + 1)
    return with_interval(estimate, unmoved, clusters, (0.0, 1.0), disagreements=0, worst=1.0)


def _exact(clusters: Clusters, worst: float, least: float) -> ConfidenceInterval:
    """Return the interval of a figure without any disagreement, from 1 - (1 - b) · worst to 1.

    b = (1 - level) ** (1 / G): the share of clusters without disagreement is at least that high at the level
    of confidence (Clopper and Pearson's one-sided bound); where documents are of like size it is a bound for
    the share of units too. Observed disagreement is then at most 1 - b of the worst one. What chance gives is
    taken as the margins give it.
    """
    low = 1 - (1 - math.pow(1 - LEVEL, 1 / clusters.groups)) * worst
    return ConfidenceInterval(max(least, low), 1.0, LEVEL, Method.EXACT_BOUND)


# Estimates as results.json has them.


def figure(estimate: Estimate) -> Figure:
    """Return an estimate as results have it; floats keep their digits until results are written."""
    return Figure(
        value=_exact_zero(estimate.value),
        units=estimate.units,
        observed=_exact_zero(estimate.observed),
        expected=_exact_zero(estimate.expected),
        standard_error=estimate.standard_error,
        interval=_interval(estimate.interval),
        undefined=estimate.undefined,
        farthest=estimate.farthest,
        recomputable=None if estimate.recomputable else False,
    )


def macro_figure(estimate: Estimate, left_out: int) -> MacroFigure:
    """Return a mean over documents or types, of which some were left out, as results have it."""
    return MacroFigure(**dict(figure(estimate)), left_out=left_out)


def figures_by_name(estimates: Mapping[str, Estimate]) -> dict[str, Figure]:
    """Return figures by the ids of their estimates."""
    return {name: figure(estimate) for name, estimate in estimates.items()}


def figures_by_category(estimates: Sequence[Estimate], categories: Sequence[str]) -> dict[str, Figure]:
    """Return the figure of each category, by its name."""
    return {name: figure(estimate) for name, estimate in zip(categories, estimates, strict=True)}


def _exact_zero(value: float | None) -> float | None:
    """Return 0 for what is left of a difference of equal numbers: its digits differ between processors."""
    return 0.0 if value is not None and abs(value) < ROUNDING else value


def _interval(interval: ConfidenceInterval | NoInterval | None) -> Interval | None:
    if isinstance(interval, ConfidenceInterval):
        return Interval(low=interval.low, high=interval.high, level=interval.level, method=interval.method)
    return None if interval is None else Interval(undefined=interval)


def wilson(right: float, trials: float) -> ConfidenceInterval:
    """Return the score interval of the share `right` / `trials`, of at least one trial.

    47 of 50 give .838 to .979.
    """
    return ConfidenceInterval(
        *score_ends(right / trials, trials, normal_at((1 + LEVEL) / 2)), LEVEL, Method.SCORE
    )


def score_ends(share: float, trials: float, z: float) -> tuple[float, float]:
    """Return the ends (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n) of Wilson (1927)."""
    wider = z * z / trials
    half = z * math.sqrt(share * (1 - share) / trials + wider / (4 * trials))
    low, high = ((share + wider / 2 + sign * half) / (1 + wider) for sign in (-1, 1))
    # At 0 and 1 the share is an end of the interval, which rounding must not move.
    return max(0.0, min(low, share)), min(1.0, max(high, share))
