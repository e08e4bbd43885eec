"""A number and how it moves: derivatives to the last digit, from + - × ÷ alone.

Complex numbers of a tiny imaginary part would do the same, were their products not rounded otherwise on
processors that fuse them (Squire and Trapp 1998, SIAM Review 40(1), 110-112, for the complex step).
"""

from dataclasses import dataclass
from typing import Union

from reportgen.agreement.estimate import Floats


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
