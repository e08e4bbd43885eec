"""Where labels vary: between documents, units, annotators, and in what an annotator says of a unit.

Generalisability theory (Brennan 2001, Generalizability Theory, Springer): units lie in documents and are
crossed with annotators, y = μ + document + unit + annotator + rest. Each component comes from sums of
squares of totals (Henderson 1953, Biometrics 9(2), 226-252, method 1), whose expectations are linear in the
components whatever is missing; with every unit rated by all they are those of the analysis of variance.
Names are taken as indicators, one a category, whose variances are added up: that of two ratings is half the
chance that they differ.
"""

import math
from collections.abc import Sequence

import numpy as np

from reportgen.counts.tally import counted_keys, ranks
from reportgen.measures import Floats, Setting
from reportgen.measures.unit_set_data import placed
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import VarianceComponents
from reportgen.units import CodedUnits

# With fewer we can't say how annotators, or units, differ.
LEAST_ANNOTATORS = 3
LEAST_UNITS = 20
# With fewer documents their part is left with the units.
LEAST_DOCUMENTS = 6
# More ratings, or ratings times categories, take too long, and too much memory.
MOST_RATINGS = 1_000_000
MOST_CELLS = 10_000_000
NUMBERS = ("ordinal", "interval", "ratio")
ROUNDING = 1e-9


def variance_components(units: CodedUnits, setting: Setting) -> VarianceComponents | None:
    """Return the components of the variance of ratings; None where too few units or annotators show them."""
    rated = units.unit_weight[units.unit] > 0
    numbers = setting.values if setting.scale in NUMBERS else None
    if numbers is not None:
        rated &= placed(setting)[units.label]
    times = units.unit_weight[units.unit[rated]]
    if int(times.sum()) > MOST_RATINGS:
        return None
    unit, annotator, label = _each_unit(units, np.flatnonzero(rated))
    document = units.unit_document[units.unit[rated]].repeat(times)
    ratings = np.bincount(unit)
    if (ratings > 1).sum() < LEAST_UNITS or len(np.unique(annotator)) < LEAST_ANNOTATORS:
        return None
    if numbers is None and len(label) * len(np.unique(label)) > MOST_CELLS:
        return None
    known = bool((document != NO_DOCUMENT).all()) and len(np.unique(document)) >= LEAST_DOCUMENTS
    values = numbers[label][None, :] if numbers is not None else _indicators(label)
    sources = [document, unit, annotator] if known else [unit, annotator]
    found = components(values, sources)
    total = math.fsum(found)
    if total < ROUNDING:
        return None
    *between, of_annotators, rest = found
    mean, error = len(unit) / len(ratings), of_annotators + rest
    return VarianceComponents(
        documents=between[0] / total if known else None,
        units=between[-1] / total,
        annotators=of_annotators / total,
        rest=rest / total,
        ratings=mean,
        dependability=_dependability(sum(between), error / mean),
        with_one_more=_dependability(sum(between), error / (mean + 1)),
    )


def _each_unit(units: CodedUnits, rows: Codes) -> tuple[Codes, Codes, Codes]:
    """Return the unit, annotator and label of some ratings, one of each unit that a row stands for."""
    weight = units.unit_weight
    first = np.cumsum(weight) - weight
    times = weight[units.unit[rows]]
    within = np.arange(int(times.sum()), dtype=np.int64) - (np.cumsum(times) - times).repeat(times)
    unit = first[units.unit[rows]].repeat(times) + within
    return _ranked(unit), units.annotator[rows].repeat(times), units.label[rows].repeat(times)


def _ranked(codes: Codes) -> Codes:
    """Return codes from 0 on without gaps."""
    return ranks(codes, int(codes.max(initial=0)) + 1)[1]


def _dependability(true: float, error: float) -> float:
    """Return which share of the variance of units' mean ratings is that of the units: Φ."""
    return true / (true + error) if true > 0 else 0.0


def _indicators(label: Codes) -> Floats:
    """Return for each category in use which ratings give it (categories, ratings)."""
    indicators: Floats = (label[None, :] == np.unique(label)[:, None]).astype(np.float64)
    return indicators


def components(values: Floats, sources: Sequence[Codes]) -> list[float]:
    """Return the variance of each source, and of the rest, none below 0; added up over the variables.

    `values` are (variables, ratings), each source is the group of each rating (ratings,). With T_g the
    sum over groups g of their squared totals by their ratings n, E T_g = N μ² + Σ_s σ_s² Σ_g Σ_s n_gs²
    / n_g + G σ²: as many equations as components, g being single ratings, each source, and all ratings
    together.
    """
    ratings = values.shape[1]
    apart = np.arange(ratings, dtype=np.int64)
    codes = [_ranked(source) for source in sources]
    rows, squares = [], []
    for group in (apart, *codes, np.zeros_like(apart)):
        n = np.bincount(group)
        totals = [np.bincount(group, weights=variable) for variable in values]
        squares.append(math.fsum(float((total * total / n).sum()) for total in totals))
        rows.append([float(ratings), *(_meetings(group, source, n) for source in codes), float(len(n))])
    return [max(0.0, component) for component in _solved(rows, squares)[1:]]


def _meetings(group: Codes, source: Codes, n: Codes) -> float:
    """Return Σ n_gs² / n_g over the pairs of a group and a group of a source."""
    size = int(source.max(initial=0)) + 1
    if len(n) == len(group):
        return float(len(n))  # each group is one rating
    keys, times = counted_keys(group * size + source, size * len(n))
    return float((times * times / n[keys // size]).sum())


def _solved(rows: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of linear equations, by elimination with the largest pivot; zeros without one."""
    left = [[*row, value] for row, value in zip(rows, right, strict=True)]
    size = len(left)
    for place in range(size):
        pivot = max(range(place, size), key=lambda row: abs(left[row][place]))
        left[place], left[pivot] = left[pivot], left[place]
        if abs(left[place][place]) < ROUNDING:
            return [0.0] * size
        for row in range(size):
            if row != place:
                times = left[row][place] / left[place][place]
                left[row] = [one - times * other for one, other in zip(left[row], left[place], strict=True)]
    return [row[-1] / row[place] for place, row in enumerate(left)]
