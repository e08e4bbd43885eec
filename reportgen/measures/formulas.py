"""Every coefficient that is a function of sums over units, once, as its formula reads.

Each takes sums and returns observed and expected disagreement, from which the figure is 1 - observed /
expected; the catalogue names it. All else follows: the value from the sums of all units, standard errors from
how a unit moves them, single documents, samples and other sizes from other sums.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from importlib import import_module
from typing import Any, Union

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import Measure
from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import LOWEST, Floats
from reportgen.units.labels import quotient

# What is summed of labels: all of the units, those of each of two annotators, shares of each unit's own, and
# those of each of any number of annotators.
TOTALS, FIRST, SECOND, SHARES, OWN = "totals", "first", "second", "shares", "own"


class CoefficientSums(ABC):
    """What coefficients are made of, whatever was added up; a distance between categories is chosen with it.

    Units are those that two annotators rated, or more; `rated` are those that anybody did. Sums are numbers,
    arrays, or what else + - × ÷ are defined for.

    - `units`, `ratings`: how many there are, and how many ratings they have.
    - `apart`: the mean distance of a unit's pairs of ratings, added up; `met` the same, times its ratings.
    - `uniform`: the mean distance of two categories, each as likely.
    - `weights`: the sum of AC2's weights 1 - δ / δ_max over all pairs of categories, T_w; `categories` how
      many there are.
    """

    distance: CategoryDistance
    units: Any
    ratings: Any
    apart: Any
    met: Any

    @property
    def uniform(self) -> Any:  # noqa: ANN401 - a float, or exact
        """Return the mean distance of two categories."""
        return self.distance.uniform

    @property
    def weights(self) -> Any:  # noqa: ANN401 - a float, or exact
        """Return the sum of the weights of AC2."""
        return self.distance.weights

    @property
    def categories(self) -> int:
        """Return how many categories there are."""
        return self.distance.size

    @abstractmethod
    def chance(self, one: str, other: str, *, replaced: bool = True) -> Any:  # noqa: ANN401
        """Return the mean distance of two labels drawn at random, Σ p_k q_l δ_kl.

        `one` and `other` name from which labels: "totals", all of the units; "first" and "second", those of
        each of two annotators; "shares", those of all rated units, each unit's as shares that add up to 1.
        A label is put back before the next is drawn, unless it is not `replaced`.
        """

    @abstractmethod
    def between(self) -> Any:  # noqa: ANN401
        """Return the mean distance of two labels of two annotators, each drawn from that one's own."""

    @abstractmethod
    def mixed(self) -> Any:  # noqa: ANN401
        """Return how often two labels drawn from "shares" differ, Σ π_k (1 - π_k)."""


Disagreements = Callable[[CoefficientSums], tuple[Any, Any]]


@dataclass(frozen=True, eq=False)
class Formula:
    """A coefficient: what it returns of sums, and what no sum says of it.

    - `of_categories`: it takes two categories, declared or used, before anybody labelled anything.
    - `any_category`: chance gives any of them, used or not.
    - `scaled`: its disagreements are shares of the largest distance.
    - `of_ratings`: observed disagreement is a share of the ratings, not of the units, and is shown as such.
    - `by_annotators`: its sums are of each annotator's own labels.
    - `least`: the least that the nominal figure can be, by the number of categories.
    """

    disagreements: Disagreements
    of_categories: bool = False
    any_category: bool = False
    scaled: bool = False
    of_ratings: bool = False
    by_annotators: bool = False
    least: Callable[[int], float] = lambda _categories: LOWEST

    def __call__(self, s: CoefficientSums) -> tuple[Any, Any]:
        """Return observed and expected disagreement."""
        return self.disagreements(s)


def least_of_uniform_chance(categories: int) -> float:
    """Return what is left where nobody agrees and all categories are as likely."""
    return -1 / (categories - 1) if categories > 1 else LOWEST


@Formula
def observed_agreement(s: CoefficientSums) -> tuple[Any, Any]:
    """Nothing is corrected (Fleiss 1971 for several annotators)."""
    return s.apart / s.units, 1.0


@partial(Formula, of_categories=True, any_category=True, least=least_of_uniform_chance)
def bennett_s(s: CoefficientSums) -> tuple[Any, Any]:
    """All categories are as likely (Bennett, Alpert and Goldstein 1954; Brennan and Prediger 1981)."""
    return s.apart / s.units, s.uniform


@Formula
def scott_pi(s: CoefficientSums) -> tuple[Any, Any]:
    """Both annotators label as they do on average (Scott 1955)."""
    return s.apart / s.units, s.chance("totals", "totals")


@Formula
def cohen_kappa(s: CoefficientSums) -> tuple[Any, Any]:
    """Each of two annotators labels as that one does (Cohen 1960; weighted 1968)."""
    return s.apart / s.units, s.chance("first", "second")


@partial(Formula, of_categories=True, by_annotators=True)
def conger_kappa(s: CoefficientSums) -> tuple[Any, Any]:
    """Each of several annotators labels as that one does (Conger 1980; with missing ratings Gwet 2014).

    With every unit rated by all it is the kappa of Davies and Fleiss (1982; GATE user guide, equation 10.4)
    and Hubert's (1977).
    """
    return s.apart / s.units, s.between()


@partial(Formula, of_ratings=True)
def krippendorff_alpha(s: CoefficientSums) -> tuple[Any, Any]:
    """Labels are drawn from all ratings without putting back (Krippendorff 2004, section 11.3)."""
    return s.met / s.ratings, s.chance("totals", "totals", replaced=False)


@partial(Formula, of_categories=True)
def fleiss_kappa(s: CoefficientSums) -> tuple[Any, Any]:
    """Labels are drawn from all ratings (Fleiss 1971); with missing ratings from each unit's (Gwet 2014)."""
    return s.apart / s.units, s.chance("shares", "shares")


@partial(Formula, of_categories=True, any_category=True, scaled=True)
def gwet_ac(s: CoefficientSums) -> tuple[Any, Any]:
    """AC1, with a distance AC2: A_e = T_w Σ π_k (1 - π_k) / (q (q - 1)) (Gwet 2008; 2014, section 4.6)."""
    q = s.categories
    return s.apart / s.units / s.distance.largest, 1.0 - s.weights / (q * (q - 1)) * s.mixed()


# A number and how it moves: derivatives to the last digit, from + - × ÷ alone.
#
# Complex numbers of a tiny imaginary part would do the same, were their products not rounded otherwise on
# processors that fuse them (Squire and Trapp 1998, SIAM Review 40(1), 110-112, for the complex step).


@dataclass(frozen=True, eq=False)
class Dual:
    """What is computed from sums: its value, and its derivative in some directions (directions,)."""

    value: float
    slope: Floats

    def __add__(self, other: "Number") -> "Dual":
        """Return the sum."""
        more = _dual(other)
        return Dual(self.value + more.value, self.slope + more.slope)

    def __sub__(self, other: "Number") -> "Dual":
        """Return the difference."""
        return self + -1.0 * other

    def __rsub__(self, other: float) -> "Dual":
        """Return a number less this one."""
        return -1.0 * self + other

    def __mul__(self, other: "Number") -> "Dual":
        """Return the product: (uv)' = u'v + uv'."""
        by = _dual(other)
        return Dual(self.value * by.value, self.slope * by.value + self.value * by.slope)

    def __truediv__(self, other: "Number") -> "Dual":
        """Return the quotient: (u/v)' = (u' - u/v v') / v."""
        by = _dual(other)
        ratio = self.value / by.value
        return Dual(ratio, (self.slope - ratio * by.slope) / by.value)

    __radd__ = __add__
    __rmul__ = __mul__


Number = Union[float, Dual]  # noqa: UP007 - Dual is made above, and annotates itself
UNMOVED = np.zeros(1)


def _dual(number: Number) -> Dual:
    return number if isinstance(number, Dual) else Dual(number, UNMOVED)


# Sums over all units, or over several sets of them side by side: documents, samples.


@dataclass(frozen=True, eq=False)
class VectorizedSums(CoefficientSums):
    """Sums as coefficients take them of arrays, each of one value a row (rows,).

    `labels` has by name how often each category is among some labels (rows, categories), of OWN those of each
    annotator (rows, annotators, categories).
    """

    distance: CategoryDistance
    units: Floats
    ratings: Floats
    apart: Floats
    met: Floats
    labels: Mapping[str, Floats]

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Floats:
        """Return the mean distance of two labels drawn at random (rows,)."""
        p, q = self.share(one), self.share(other)
        distance: Floats = (p * self.distance.toward(q)).sum(axis=-1)
        if replaced:
            return distance
        # What is not put back takes from its own category alone, which is at no distance.
        drawn = self.mass(other)
        return quotient(distance * drawn, drawn - 1, np.nan)

    def share(self, name: str) -> Floats:
        """Return each category's share of some labels (rows, categories)."""
        if name not in self._shares:
            labels = self.labels[name]
            self._shares[name] = quotient(labels, labels.sum(axis=-1)[..., None], np.nan)
        return self._shares[name]

    @cached_property
    def _shares(self) -> dict[str, Floats]:
        """Return the shares that were asked for before."""
        return {}

    def mixed(self) -> Floats:
        """Return how often two labels drawn from all units differ (rows,)."""
        shares = self.share(SHARES)
        mixed: Floats = (shares * (1 - shares)).sum(axis=-1)
        return mixed

    def between(self) -> Floats:
        """Return the mean distance of two annotators' labels, each drawn from that one's own (rows,)."""
        shares, others, pairs = self.apart_from_others()
        return quotient((shares * others).sum(axis=(-1, -2)), pairs, np.nan)

    def apart_from_others(self) -> tuple[Floats, Floats, Floats]:
        """Return what `between` is made of, for those annotators who labelled anything.

        That is each one's shares, how far a label is from those of all others, on average over each, added up
        (rows, annotators, categories), and how many others they all have together (rows,).
        """
        labels = self.labels[OWN]
        drawn = labels.sum(axis=-1)[..., None]
        shares = quotient(labels, drawn, 0.0)
        toward = self.distance.toward
        others = toward(shares.sum(axis=-2))[..., None, :] - toward(shares)
        many = (drawn > 0).sum(axis=(-1, -2)).astype(np.float64)
        return shares, others, many * (many - 1)

    def mass(self, name: str) -> Floats:
        """Return how many labels are summed under a name (rows,)."""
        mass: Floats = self.labels[name].sum(axis=-1)
        return mass


class OrdinalRows(VectorizedSums):
    """Sums under Krippendorff's ordinal distance, which comes from each row's own labels.

    It is the squared difference of two categories' mean ranks (2004, section 11.3), so that the mean distance
    of two labels is twice the variance of their ranks. `apart` and `met` are of such distances too.
    """

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Floats:
        """Return the mean distance of two labels drawn at random (rows,)."""
        p, q, ranks = self.share(one), self.share(other), mean_ranks(self.labels[TOTALS])
        apart = ranks[:, :, None] - ranks[:, None, :]
        distance: Floats = (p * np.einsum("rl,rkl->rk", q, apart * apart)).sum(axis=-1)
        drawn = self.mass(other)
        return distance if replaced else quotient(distance * drawn, drawn - 1, np.nan)


def mean_ranks(labels: Floats) -> Floats:
    """Return the mean rank of each category among some labels, as a share of them (rows, categories)."""
    shares = quotient(labels, labels.sum(axis=-1)[..., None], np.nan)
    return np.cumsum(shares, axis=-1) - shares / 2


def values_of(formula: Formula, rows: VectorizedSums) -> Floats:
    """Return a coefficient of each row (rows,), NaN where it is undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        observed, expected = formula(rows)
    return 1 - quotient(observed, np.asarray(expected), np.nan)


@cache
def function_named(name: str) -> Callable[..., Any]:
    """Return a function by its module and name: "sets.explicit_kappa"."""
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(import_module(f"reportgen.measures.{module}"), function)
    return found


def formula_of(measure: Measure) -> Formula:
    """Return the function of sums that a measure is."""
    found: Formula = getattr(sys.modules[__name__], measure.coefficient)
    return found
