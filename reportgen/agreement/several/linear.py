"""A figure with the influence of each unit on it, worked out by hand: of what is no function of sums."""

from dataclasses import dataclass

from reportgen.agreement.estimate import Clusters, Estimate, Floats, with_interval


@dataclass(frozen=True, eq=False)
class Linear:
    """A defined figure with the influence of each unit on it.

    `observed` and `expected` are disagreements; `influence` has a value for each kind of unit, mean zero
    over all of them. `farthest` is the distance at which AC2's weights are 0. `weight` is as in Spread.
    `largest` is the largest distance that a disagreement may have: between categories in use where chance
    comes from them, else between any.
    """

    value: float
    observed: float
    expected: float
    influence: Floats
    farthest: float | None = None
    weight: Floats | None = None
    largest: float = 1.0

    def estimate(
        self, units: int, clusters: Clusters, disagreements: int, low: float, *, as_agreement: bool = False
    ) -> Estimate:
        """Return the figure with its interval; `as_agreement` shows agreements in place of disagreements."""
        shown = self.observed, self.expected
        if as_agreement:
            shown = 1 - self.observed, 1 - self.expected
        seen = disagreements if self.observed > 0 else 0
        estimate = Estimate(self.value, units, *shown, farthest=self.farthest)
        worst = self.largest / self.expected
        return with_interval(
            estimate,
            self.influence,
            clusters,
            (low, 1.0),
            disagreements=seen,
            worst=worst,
            weight=self.weight,
            beside_chance=True,
        )


def ratio(
    observed: float, expected: float, of_observed: Floats, of_expected: Floats, farthest_used: float = 1.0
) -> Linear:
    """Return 1 - observed / expected disagreement, given the influence on both and the largest distance."""
    quotient = observed / expected
    influence = (quotient * of_expected - of_observed) / expected
    weight = 1 + of_expected / expected
    return Linear(1 - quotient, observed, expected, influence, weight=weight, largest=farthest_used)
