"""Agreement counted naively from labels: what claims are held against. Nothing of reportgen is used."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations

Labels = Mapping[str, str]


def labels(units: Sequence[Labels]) -> Counter[str]:
    """Return how often each label was given."""
    return Counter(label for unit in units for label in unit.values())


def pairs(units: Sequence[Labels]) -> list[tuple[str, str]]:
    """Return the labels of every two ratings of a unit."""
    return [pair for unit in units for pair in combinations(unit.values(), 2)]


def coincidences(units: Sequence[Labels]) -> Counter[tuple[str, str]]:
    """Return Krippendorff's coincidences: each unit's ordered pairs, divided by its ratings less one."""
    found: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for pair in permutations(unit.values(), 2):
            found[pair] += 1 / (len(unit) - 1)  # type: ignore[assignment]  # a weight, not a count
    return found


Distance = Callable[[str, str], float]


def alpha(units: Sequence[Labels], distance: Distance | None = None) -> float | None:
    """Return alpha, nominal where no distance is given.

    None of one unit alone, or where no disagreement is expected.
    """
    apart = distance or (lambda one, other: float(one != other))
    met = coincidences(units)
    sums = totals(met)
    whole = sum(sums.values())
    if len(units) <= 1:
        return None
    observed = sum(many * apart(*pair) for pair, many in met.items()) / whole
    expected = sum(sums[one] * sums[other] * apart(one, other) for one in sums for other in sums)
    return 1 - observed * whole * (whole - 1) / expected if expected > 1e-12 else None


def observed(units: Sequence[Labels]) -> float | None:
    """Return the mean over units of the share of pairs that agree."""
    shares = [[one == other for one, other in combinations(unit.values(), 2)] for unit in units]
    return sum(sum(each) / len(each) for each in shares) / len(shares) if shares else None


def interval(_: Sequence[Labels]) -> Distance:
    """Return the squared difference of two numbers."""
    return lambda one, other: (float(one) - float(other)) ** 2


def ordinal(units: Sequence[Labels]) -> Distance:
    """Return Krippendorff's ordinal distance: the square of the values between two, each end half."""
    sums = totals(coincidences(units))

    def distance(one: str, other: str) -> float:
        low, high = sorted((one, other), key=float)
        between = sum(many for name, many in sums.items() if float(low) <= float(name) <= float(high))
        return (between - (sums[low] + sums[high]) / 2) ** 2 if low != high else 0.0

    return distance


def masi(_: Sequence[Labels]) -> Distance:
    """Return Passonneau's distance of two sets: 1 - Jaccard × monotonicity."""

    def distance(one: str, other: str) -> float:
        first, second = set(one.split("|")), set(other.split("|"))
        shared = first & second
        same = 1.0 if first == second else 2 / 3 if first <= second or second <= first else 1 / 3
        return 1 - len(shared) / len(first | second) * (same if shared else 0.0)

    return distance


DISTANCES: Mapping[str, Callable[[Sequence[Labels]], Distance]] = {
    "interval]": interval,
    "ordinal]": ordinal,
    "masi]": masi,
}


def coefficient(units: Sequence[Labels], measure: str) -> float | None:
    """Return a coefficient by its id; NaN where nothing here counts it."""
    if measure == "observed_agreement":
        return observed(units)
    name, _, weights = measure.partition("[")
    if name != "krippendorff_alpha" or (weights and weights not in DISTANCES):
        return math.nan
    return alpha(units, DISTANCES[weights](units) if weights else None)


def totals(met: Mapping[tuple[str, str], float]) -> Counter[str]:
    """Return the marginal sums of coincidences."""
    sums: Counter[str] = Counter()
    for (one, _), many in met.items():
        sums[one] += many  # type: ignore[assignment]
    return sums


def specific(units: Sequence[Labels], category: str) -> float | None:
    """Return specific agreement: Σn(n-1) / Σn(r-1)."""
    counts = [(sum(label == category for label in unit.values()), len(unit)) for unit in units]
    possible = sum(many * (ratings - 1) for many, ratings in counts)
    return sum(many * (many - 1) for many, _ in counts) / possible if possible else None


def one_against_rest(units: Sequence[Labels], category: str) -> list[Labels]:
    """Return the units with one category against all others."""
    return [{who: str(label == category) for who, label in unit.items()} for unit in units]


def disagreements(units: Sequence[Labels]) -> Counter[frozenset[str]]:
    """Return how much disagreement falls to every two categories, as coincidences have it."""
    found: Counter[frozenset[str]] = Counter()
    for (one, other), many in coincidences(units).items():
        if one != other:
            found[frozenset((one, other))] += many / 2  # type: ignore[assignment]
    return found


def by_chance(units: Sequence[Labels], first: str, second: str) -> float:
    """Return the share of disagreement that two categories would have by chance.

    Of two annotators who both rate all by the frequencies of each, else by those of all together.
    """
    people = sorted({who for unit in units for who in unit})
    if len(people) == 2:
        one, other = (Counter(unit[who] for unit in units) for who in people)
    else:
        one = other = totals(coincidences(units))
    size = sum(one.values()) * sum(other.values())
    apart = size - sum(one[name] * other[name] for name in one)
    return (one[first] * other[second] + one[second] * other[first]) / apart
