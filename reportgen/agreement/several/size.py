"""The size of the non-annotated category, of any number of annotators who all rated every unit.

What two annotators' table shows (reportgen/agreement/two/size.py) is here summed over their pairs. Nothing
but whole numbers is computed with until the last division, so that a size of any number of digits gives the
nearest value; distances alone are no whole numbers.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.agreement.catalogue import measure_of
from reportgen.agreement.distances import Distance
from reportgen.agreement.measure import ALL_RATED
from reportgen.agreement.sets.distances import set_distances
from reportgen.agreement.several.profiles import PAIR, Profiles
from reportgen.agreement.several.units import UnitRatings
from reportgen.agreement.two.size import SizeCurve, Sums, sizes_shown
from reportgen.agreement.whole import Whole
from reportgen.study import NO_CATEGORY


def size_curve_of_many(whole: Whole, also: Sequence[int] = ()) -> SizeCurve | None:
    """Return the curve of all annotators together; `also` are further sizes to show.

    None where no unit can be unmarked by all, or somebody did not rate a unit that others did: how many
    ratings a further unit has is not known there. Where units have a single rating, which some figures take
    chance from, those figures are left out.
    """
    profiles, non_annotated = whole.profiles, whole.setting.non_annotated
    if non_annotated == NO_CATEGORY or whole.categories < PAIR or profiles.units == 0:
        return None
    if (profiles.ratings != whole.annotators).any():
        return None
    sums = sums_of(profiles, whole.ratings.paired, non_annotated)
    marked = _marked(profiles, non_annotated)
    sizes = sizes_shown(marked, profiles.units, also)
    alone = whole.rated.units > profiles.units
    names = [name for name in _AT_SIZE if not (alone and measure_of(name).missing == ALL_RATED)]
    values = {name: tuple(value_at(name, sums, size) for size in sizes) for name in names}
    limits = {name: limit_of(name, sums) for name in names}
    for distance in _distances(whole):
        name, alpha = (
            f"krippendorff_alpha[{distance.id}]",
            _WeightedAlpha(profiles, distance, sums, non_annotated),
        )
        values[name], limits[name] = tuple(map(alpha.at, sizes)), alpha.limit
    halves = _halves(profiles, sums, non_annotated)
    return SizeCurve(profiles.units, marked, sizes, values, limits, *halves, sums=sums)


def _distances(whole: Whole) -> Iterator[Distance]:
    """Yield the distances that alpha is weighted with, beside those that the annotations themselves give."""
    yield from whole.setting.distances
    if whole.setting.sets is not None:
        yield from set_distances(whole.setting.sets)


def sums_of(profiles: Profiles, ratings: UnitRatings, non_annotated: int) -> Sums:
    """Return what figures at every size come from; both arguments hold the units that all rated."""
    apart, totals = profiles.label_pairs, _without(profiles.totals.tolist(), non_annotated)
    own = [_without(row, non_annotated) for row in ratings.labels_by_annotator.tolist()]
    each = [sum(row) for row in own]
    return Sums(
        annotators=len(own),
        categories=profiles.categories,
        disagreements=int((apart.ways * profiles.times[apart.profile]).sum()),
        marks=sum(totals),
        squares=sum(total * total for total in totals),
        products=_products(each) + sum(map(_products, zip(*own, strict=True))),
    )


def _without(totals: Sequence[int], non_annotated: int) -> list[int]:
    return [total for category, total in enumerate(totals) if category != non_annotated]


def _products(values: Sequence[int]) -> int:
    """Return the sum of the products of every two values."""
    return (sum(values) ** 2 - sum(value * value for value in values)) // 2


def _marked(profiles: Profiles, non_annotated: int) -> int:
    """Return how many units somebody marked."""
    return int(profiles.times[(profiles.labels != non_annotated).any(axis=1)].sum())


def value_at(name: str, sums: Sums, size: int) -> float | None:
    """Return a figure with so many units, None where chance gives no disagreement."""
    return _one_less(*_AT_SIZE[name](sums, size))


def limit_of(name: str, sums: Sums) -> float | None:
    """Return what a figure tends to: 1 - Σ d / Σ (R + S) over pairs, or 1 where all chance is agreement."""
    if name in {"observed_agreement", "bennett_s", "gwet_ac1"}:
        return 1.0
    return _one_less(sums.disagreements, _marked_by_pairs(sums))


def _marked_by_pairs(sums: Sums) -> int:
    """Return Σ (R + S), the units that each of a pair marked, over the pairs: everyone is in all but one."""
    return (sums.annotators - 1) * sums.marks


def _one_less(part: int, whole: int) -> float | None:
    """Return 1 - part / whole, divided once."""
    return (whole - part) / whole if whole > 0 else None


def _halves(profiles: Profiles, sums: Sums, non_annotated: int) -> tuple[float | None, float | None]:
    """Return F with the label and of being marked at all, over the pairs; None where nothing is marked.

    Every mark of one of a pair is agreed on, labelled otherwise by the other or not marked by the other.
    """
    total, apart = _marked_by_pairs(sums), profiles.label_pairs
    both = (apart.one != non_annotated) & (apart.other != non_annotated)
    otherwise = int((apart.ways * profiles.times[apart.profile])[both].sum())
    alone = sums.disagreements - otherwise
    return _one_less(2 * otherwise + alone, total), _one_less(alone, total)


# A figure is 1 - part / whole: both as whole numbers, of m annotators, n units and the sums.
Ratio = tuple[int, int]


def _observed(sums: Sums, n: int) -> Ratio:
    return 2 * sums.disagreements, n * sums.annotators * (sums.annotators - 1)


def _uniform(sums: Sums, n: int) -> Ratio:
    part, whole = _observed(sums, n)
    return part * sums.categories, whole * (sums.categories - 1)


def _pooled(sums: Sums, n: int) -> int:
    """Return how many of all n²m² pairs of ratings, of any units, are unlike."""
    return 2 * n * sums.annotators * sums.marks - sums.marks**2 - sums.squares


def _fleiss(sums: Sums, n: int) -> Ratio:
    return 2 * sums.disagreements * n * sums.annotators, (sums.annotators - 1) * _pooled(sums, n)


def _alpha(sums: Sums, n: int) -> Ratio:
    return 2 * sums.disagreements * (n * sums.annotators - 1), (sums.annotators - 1) * _pooled(sums, n)


def _conger(sums: Sums, n: int) -> Ratio:
    return sums.disagreements * n, n * _marked_by_pairs(sums) - sums.products


def _first_coefficient(sums: Sums, n: int) -> Ratio:
    """Return Gwet's AC1: chance agreement is the pooled unlike share over q - 1."""
    part, whole = _observed(sums, n)
    others, pairs = sums.categories - 1, (n * sums.annotators) ** 2
    return part * others * pairs, whole * (others * pairs - _pooled(sums, n))


_AT_SIZE = {
    "observed_agreement": _observed,
    "bennett_s": _uniform,
    "fleiss_kappa": _fleiss,
    "conger_kappa": _conger,
    "krippendorff_alpha": _alpha,
    "gwet_ac1": _first_coefficient,
}


class _WeightedAlpha:
    """Alpha with a distance at every size: 1 - 2W(nm - 1) / ((m - 1)(2(nm - M)F + G)).

    W is the distance of every two ratings of a unit, F that of every mark from the non-annotated category
    and G that of every two marks, all summed.
    """

    def __init__(self, profiles: Profiles, distance: Distance, sums: Sums, non_annotated: int) -> None:
        """Sum the distances up."""
        apart = profiles.label_pairs
        marks = profiles.totals.astype(np.float64)
        marks[non_annotated] = 0
        self._sums = sums
        self._within = float(
            (apart.ways * profiles.times[apart.profile] * distance.at(apart.one, apart.other)).sum()
        )
        self._absent = float((marks * distance.from_one(non_annotated)).sum())
        self._among = float((marks * distance.toward(marks)).sum())

    def at(self, size: int) -> float | None:
        """Return alpha with so many units."""
        ratings, others = size * self._sums.annotators, self._sums.annotators - 1
        expected = 2 * (ratings - self._sums.marks) * self._absent + self._among
        return 1 - 2 * self._within * (ratings - 1) / (others * expected) if expected > 0 else None

    @property
    def limit(self) -> float | None:
        """Return 1 - W / (m - 1)F."""
        far = (self._sums.annotators - 1) * self._absent
        return 1 - self._within / far if far > 0 else None
