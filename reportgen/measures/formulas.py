"""Every coefficient that is a function of sums over units, once, as its formula reads.

Each takes sums and returns observed and expected disagreement, from which the figure is 1 - observed /
expected. All else follows: the value from the sums of all units, standard errors from how a unit moves them,
single documents, samples and other sizes from other sums.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, Union

from reportgen.measures.estimate import Floats


class CoefficientSums(Protocol):
    """What coefficients are made of, whatever was added up; a distance between categories is chosen with it.

    Units are those that two annotators rated, or more; `rated` are those that anybody did.

    - `units`, `ratings`: how many there are, and how many ratings they have.
    - `apart`: the mean distance of a unit's pairs of ratings, added up; `met` the same, times its ratings.
    - `uniform`: the mean distance of two categories, each as likely.
    - `farthest`: the distance at which the weights 1 - δ / δ_max of AC2 are 0.
    - `weights`: the sum of these weights over all pairs of categories, T_w; `categories` how many there are.
    """

    @property
    def units(self) -> Any: ...  # noqa: ANN401, D102 - a number, a Dual or an array
    @property
    def ratings(self) -> Any: ...  # noqa: ANN401, D102
    @property
    def apart(self) -> Any: ...  # noqa: ANN401, D102
    @property
    def met(self) -> Any: ...  # noqa: ANN401, D102
    @property
    def uniform(self) -> Any: ...  # noqa: ANN401, D102
    @property
    def farthest(self) -> float: ...  # noqa: D102
    @property
    def weights(self) -> Any: ...  # noqa: ANN401, D102
    @property
    def categories(self) -> int: ...  # noqa: D102

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Any:  # noqa: ANN401
        """Return the mean distance of two labels drawn at random, Σ p_k q_l δ_kl.

        `one` and `other` name from which labels: "totals", all of the units; "first" and "second", those of
        each of two annotators; "shares", those of all rated units, each unit's as shares that add up to 1.
        A label is put back before the next is drawn, unless it is not `replaced`.
        """

    def between(self) -> Any:  # noqa: ANN401
        """Return the mean distance of two labels of two annotators, each drawn from that one's own."""

    def mixed(self) -> Any:  # noqa: ANN401
        """Return how often two labels drawn from "shares" differ, Σ π_k (1 - π_k)."""


Formula = Callable[[CoefficientSums], tuple[Any, Any]]


def observed_agreement(s: CoefficientSums) -> tuple[Any, Any]:
    """Nothing is corrected (Fleiss 1971 for several annotators)."""
    return s.apart / s.units, 1.0


def bennett_s(s: CoefficientSums) -> tuple[Any, Any]:
    """All categories are as likely (Bennett, Alpert and Goldstein 1954; Brennan and Prediger 1981)."""
    return s.apart / s.units, s.uniform


def scott_pi(s: CoefficientSums) -> tuple[Any, Any]:
    """Both annotators label as they do on average (Scott 1955)."""
    return s.apart / s.units, s.chance("totals", "totals")


def cohen_kappa(s: CoefficientSums) -> tuple[Any, Any]:
    """Each of two annotators labels as that one does (Cohen 1960; weighted 1968)."""
    return s.apart / s.units, s.chance("first", "second")


def conger_kappa(s: CoefficientSums) -> tuple[Any, Any]:
    """Each of several annotators labels as that one does (Conger 1980; with missing ratings Gwet 2014).

    With every unit rated by all it is the kappa of Davies and Fleiss (1982; GATE user guide, equation 10.4)
    and Hubert's (1977).
    """
    return s.apart / s.units, s.between()


def krippendorff_alpha(s: CoefficientSums) -> tuple[Any, Any]:
    """Labels are drawn from all ratings without putting back (Krippendorff 2004, section 11.3)."""
    return s.met / s.ratings, s.chance("totals", "totals", replaced=False)


def fleiss_kappa(s: CoefficientSums) -> tuple[Any, Any]:
    """Labels are drawn from all ratings (Fleiss 1971); with missing ratings from each unit's (Gwet 2014)."""
    return s.apart / s.units, s.chance("shares", "shares")


def gwet_ac(s: CoefficientSums) -> tuple[Any, Any]:
    """AC1, with a distance AC2: A_e = T_w Σ π_k (1 - π_k) / (q (q - 1)) (Gwet 2008; 2014, section 4.6)."""
    q = s.categories
    return s.apart / s.units / s.farthest, 1.0 - s.weights / (q * (q - 1)) * s.mixed()


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
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.slope + other.slope)
        return Dual(self.value + other, self.slope)

    def __sub__(self, other: "Number") -> "Dual":
        """Return the difference."""
        return self + -1.0 * other

    def __mul__(self, other: "Number") -> "Dual":
        """Return the product."""
        if isinstance(other, Dual):
            slope = self.slope * other.value + self.value * other.slope
            return Dual(self.value * other.value, slope)
        return Dual(self.value * other, self.slope * other)

    def __truediv__(self, other: "Number") -> "Dual":
        """Return the quotient."""
        if isinstance(other, Dual):
            ratio = self.value / other.value
            return Dual(ratio, (self.slope - ratio * other.slope) / other.value)
        return Dual(self.value / other, self.slope / other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: float) -> "Dual":
        """Return a number less this one."""
        return Dual(other - self.value, -self.slope)


Number = Union[float, Dual]  # noqa: UP007 - Dual is made above, and annotates itself
