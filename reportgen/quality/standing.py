"""Who disagrees with everyone: each annotator against the others, and the others among themselves."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reportgen.agreement import LEVEL, Estimate, Floats, Interval, Method, NoInterval, Undefined, t_quantile
from reportgen.agreement.uncertainty.holm import holm, two_sided
from reportgen.quality.ratings import Ratings, has_documents, sums
from reportgen.study import NO_DOCUMENT, Codes

ROUNDING = 1e-12


@dataclass(frozen=True)
class Standing:
    """One annotator: mean agreement with the others, and how it differs from theirs among themselves.

    `difference` is over the units that two others rated too, `others` their agreement there. `p` is that of
    no difference, `adjusted` by Holm's method over the annotators of the layer.
    """

    agreement: Estimate
    others: float | None
    difference: Estimate
    p: float | None
    adjusted: float | None


@dataclass(frozen=True, eq=False)
class _Means:
    """Means over the units of each annotator (annotators,), with what their uncertainty takes."""

    units: Codes
    value: Floats
    error: Floats
    groups: Codes


def standings(ratings: Ratings) -> list[Standing]:
    """Return how each annotator stands to the others, in the order of their codes."""
    own = _means(ratings, ratings.with_others)
    apart = _means(ratings, ratings.with_others - ratings.among_others)
    others = _means(ratings, ratings.among_others)
    by_document = has_documents(ratings)
    found = list(_differences(apart, by_document=by_document))
    adjusted = holm([p for _, p in found])
    return [
        Standing(
            agreement=_estimate(own, place, Undefined.NO_SHARED_UNITS, (0.0, 1.0), by_document=by_document),
            others=float(others.value[place]) if others.units[place] else None,
            difference=difference,
            p=p,
            adjusted=adjusted[place],
        )
        for place, (difference, p) in enumerate(found)
    ]


def _differences(apart: _Means, *, by_document: bool) -> Iterator[tuple[Estimate, float | None]]:
    for place in range(len(apart.units)):
        estimate = _estimate(apart, place, Undefined.NO_OTHERS, (-1.0, 1.0), by_document=by_document)
        yield estimate, _p(estimate, int(apart.groups[place]))


def _p(difference: Estimate, groups: int) -> float | None:
    """Return the p value of no difference over so many documents, or units, None where there is no test."""
    value, error = difference.value, difference.standard_error
    if value is None:
        return None
    if error is not None:
        return two_sided(value / error, groups - 1)
    # The same everywhere: what can be tested is that it has one sign, by the sign test.
    same = difference.interval is NoInterval.NO_VARIATION and abs(value) > ROUNDING
    return math.ldexp(2.0, -groups) if same else None


def _means(ratings: Ratings, values: Floats) -> _Means:
    """Return the mean of values of ratings (ratings,), NaN for none, over the units of each annotator.

    The standard error is sqrt(G/(G-1) Σ_g (Σ_{i in g} ψ_i)²) / n, as everywhere; G counts documents, or units
    where no document is known.
    """
    kept = ~np.isnan(values)
    who, weight, value = ratings.annotator[kept], ratings.weight[kept], values[kept]
    document, size = ratings.document[kept], ratings.annotators
    units = np.zeros(size, dtype=np.int64)
    np.add.at(units, who, weight)
    mean = np.full(size, np.nan)
    np.divide(sums(who, weight * value, size), units, out=mean, where=units > 0)
    influence = value - mean[who]
    squares, documents = _squares(who, document, weight, influence, size)
    groups = documents if has_documents(ratings) else units
    factor, error = np.ones(size), np.zeros(size)
    np.divide(groups, groups - 1, out=factor, where=groups > 1)
    np.divide(np.sqrt(factor * squares), units, out=error, where=units > 0)
    return _Means(units, mean, error, groups)


def _squares(
    who: Codes, document: Codes, weight: Codes, influence: Floats, size: int
) -> tuple[Floats, Codes]:
    """Return the sum of squared sums over documents of each annotator, and how many those are.

    A unit without a document is one of its own.
    """
    known = document != NO_DOCUMENT
    alone = sums(who[~known], (weight * influence * influence)[~known], size)
    many = int(document.max(initial=0)) + 1
    keys, place = np.unique((who * many + document)[known], return_inverse=True)
    of_key = keys // many
    total = sums(place.reshape(-1), (weight * influence)[known], len(keys))
    return alone + sums(of_key, total * total, size), np.bincount(of_key, minlength=size)


def _estimate(
    means: _Means, place: int, reason: Undefined, bounds: tuple[float, float], *, by_document: bool
) -> Estimate:
    """Return one annotator's mean with its interval, or the reason why there is none."""
    units, value = int(means.units[place]), float(means.value[place])
    if not units:
        return Estimate(None, 0, undefined=reason, recomputable=False)
    groups, error = int(means.groups[place]), float(means.error[place])
    if groups <= 1:
        return Estimate(value, units, interval=NoInterval.ONE_DOCUMENT, recomputable=False)
    if error < ROUNDING or math.isnan(error):
        return Estimate(value, units, interval=NoInterval.NO_VARIATION, recomputable=False)
    half = t_quantile(groups - 1) * error
    method = Method.BY_DOCUMENT if by_document else Method.BY_UNIT
    ends = Interval(max(bounds[0], value - half), min(bounds[1], value + half), LEVEL, method)
    return Estimate(value, units, standard_error=error, interval=ends, recomputable=False)
