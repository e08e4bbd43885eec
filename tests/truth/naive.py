"""Agreement counted naively from labels: what claims are held against. Nothing of reportgen is used."""

from collections import Counter
from collections.abc import Mapping, Sequence
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


def alpha(units: Sequence[Labels]) -> float | None:
    """Return nominal alpha, None where one category is used."""
    met = coincidences(units)
    sums = totals(met)
    whole = sum(sums.values())
    observed = sum(many for (one, other), many in met.items() if one != other) / whole if whole else 0.0
    same = sum(many * (many - 1) for many in sums.values())
    expected = 1 - same / (whole * (whole - 1)) if whole > 1 else 0.0
    return 1 - observed / expected if expected > 1e-12 else None


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
