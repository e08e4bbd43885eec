"""Who disagrees with everyone: each annotator against the others, and the others among themselves."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reportgen.counts import ContingencyTable, count, tally
from reportgen.measures import (
    LEVEL,
    ConfidenceInterval,
    Estimate,
    Floats,
    Method,
    NoInterval,
    Setting,
    Undefined,
    UnitsOfPair,
    Whole,
    measure_of,
    of_several_units,
    t_quantile,
)
from reportgen.measures.difference_tests import holm, two_sided
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import CodedUnits, Passes

# Each rating beside the others of its unit: what standing, drift and difficulty are made of.

PAIR = 2


@dataclass(frozen=True, eq=False)
class PairableRatings:
    """The ratings of units that at least two annotators rated: columns (ratings,).

    `weight` is for how many units each stands, `ratings` how many its unit has, `same` how many of those have
    its label, itself counted, and `agreeing` how many pairs of its unit agree.
    """

    annotators: int
    unit: Codes
    annotator: Codes
    document: Codes
    weight: Codes
    ratings: Codes
    same: Codes
    agreeing: Codes

    @cached_property
    def with_others(self) -> Floats:
        """Return the share of the unit's other annotators who gave the same label."""
        shares: Floats = (self.same - 1) / (self.ratings - 1)
        return shares

    @cached_property
    def among_others(self) -> Floats:
        """Return the agreeing share of pairs of the unit's other annotators, NaN with fewer than two."""
        pairs = (self.ratings - 1) * (self.ratings - PAIR) // PAIR
        found = np.full(len(self.unit), np.nan)
        np.divide(self.agreeing - (self.same - 1), pairs, out=found, where=pairs > 0)
        return found


def ratings_of(units: CodedUnits) -> PairableRatings:
    """Return the ratings of a unit set; a row of weight 0 stands for no unit."""
    per_unit = np.bincount(units.unit, minlength=len(units.unit_weight))
    kept = (per_unit[units.unit] >= PAIR) & (units.unit_weight[units.unit] > 0)
    unit, label = units.unit[kept], units.label[kept]
    _, place, times = np.unique(unit * len(units.categories) + label, return_inverse=True, return_counts=True)
    same = times[place.reshape(-1)]
    twice = np.zeros(len(per_unit), dtype=np.int64)
    np.add.at(twice, unit, same - 1)
    return PairableRatings(
        annotators=len(units.annotators),
        unit=unit,
        annotator=units.annotator[kept],
        document=units.unit_document[unit],
        weight=units.unit_weight[unit],
        ratings=per_unit[unit],
        same=same,
        agreeing=twice[unit] // PAIR,
    )


def sums(groups: Codes, values: Floats | Codes, size: int) -> Floats:
    """Return the sum of the values of each group (size,)."""
    found: Floats = np.bincount(groups, weights=values, minlength=size).astype(np.float64, copy=False)
    return found


def has_documents(ratings: PairableRatings) -> bool:
    """Tell whether the document of any of the units is known."""
    return bool((ratings.document != NO_DOCUMENT).any())


# Who disagrees with everyone: each annotator against the others, and the others among themselves.

ROUNDING = 1e-12


@dataclass(frozen=True)
class AnnotatorAgreement:
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


def standings(ratings: PairableRatings) -> list[AnnotatorAgreement]:
    """Return how each annotator stands to the others, in the order of their codes."""
    own = _means(ratings, ratings.with_others)
    apart = _means(ratings, ratings.with_others - ratings.among_others)
    others = _means(ratings, ratings.among_others)
    by_document = has_documents(ratings)
    found = list(_differences(apart, by_document=by_document))
    adjusted = holm([p for _, p in found])
    return [
        AnnotatorAgreement(
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


def _means(ratings: PairableRatings, values: Floats) -> _Means:
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
    ends = ConfidenceInterval(max(bounds[0], value - half), min(bounds[1], value + half), LEVEL, method)
    return Estimate(value, units, standard_error=error, interval=ends, recomputable=False)


# Agreement with everybody beside agreement without those whom control items made the campaign reject.


@dataclass(frozen=True)
class Beside:
    """One figure with everybody, and without the rejected."""

    everybody: Estimate | None
    kept: Estimate | None


def beside(
    everybody: tuple[CodedUnits, Setting], kept: tuple[CodedUnits, Setting], names: Iterable[str]
) -> dict[str, Beside]:
    """Return some figures of the same unit set with everybody, and without the rejected."""
    wanted = list(dict.fromkeys(names))
    one, other = (figures_of(units, setting, wanted) for units, setting in (everybody, kept))
    return {name: Beside(one.get(name), other.get(name)) for name in wanted}


def figures_of(units: CodedUnits, setting: Setting, names: Iterable[str]) -> dict[str, Estimate]:
    """Return some figures of all annotators of a unit set; of two annotators, those of their pair."""
    whole, found = Whole(units, count(units), setting), dict[str, Estimate]()
    for name in names:
        found |= pair_figure(whole.pair, name) if whole.annotators == PAIR else {}
        compute = measure_of(name).for_all
        if name not in found and compute is not None:
            figures = of_several_units(measure_of(name), compute(whole))
            found |= {key: each for key, each in figures.items() if key == name}
    return found


def pair_figure(pair: UnitsOfPair, name: str) -> dict[str, Estimate]:
    """Return one figure of a pair under its full id, nothing where a pair does not have it."""
    compute = measure_of(name).for_pair
    found = of_several_units(measure_of(name), compute(pair)) if compute else {}
    return {key: each for key, each in found.items() if key == name}


# Intra-annotator agreement: what somebody said of a unit at first, and again.

PASSES = 2
SHOWN = ("observed_agreement", "cohen_kappa", "krippendorff_alpha")


@dataclass(frozen=True)
class IntraAnnotatorAgreement:
    """One annotator's first labels against the second ones, on the units labelled twice."""

    annotator: str
    units: int
    measures: Mapping[str, Estimate]


def agreement_with_oneself(passes: Passes, setting: Setting, figure: str) -> list[IntraAnnotatorAgreement]:
    """Return the agreement of everybody who labelled something twice with themselves, by name.

    Shown are observed agreement, kappa and alpha, and the primary `figure` where it is another one.
    """
    found = [
        IntraAnnotatorAgreement(passes.people[table.first], table.units, _measures(table, setting, figure))
        for table in _tables(passes)
    ]
    return sorted(found, key=lambda each: each.annotator)


def _measures(table: ContingencyTable, setting: Setting, figure: str) -> dict[str, Estimate]:
    names, pair = dict.fromkeys((*SHOWN, figure)), UnitsOfPair(table, setting)
    found = [item for name in names for item in pair_figure(pair, name).items()]
    return {name: replace(each, recomputable=False) for name, each in found}


def _tables(passes: Passes) -> Iterator[ContingencyTable]:
    """Yield a table for each person, first pass by second; a row of weight 0 stands for no unit."""
    units = passes.units
    kept = units.unit_weight[units.unit] > 0
    unit, turn, label = units.unit[kept], units.annotator[kept], units.label[kept]
    order = np.lexsort((turn, unit, turn // PASSES))
    unit, turn, label = unit[order], turn[order], label[order]
    first = np.flatnonzero((unit[1:] == unit[:-1]) & (turn[1:] == turn[:-1] + 1) & (turn[:-1] % PASSES == 0))
    columns = [turn[first] // PASSES, units.unit_document[unit[first]], label[first], label[first + 1]]
    rows, n = tally(columns, units.unit_weight[unit[first]])
    starts = np.flatnonzero(np.diff(rows[0], prepend=-1)).tolist()
    for start, end in zip(starts, [*starts[1:], len(n)], strict=True):
        cells = [column[start:end] for column in (*rows, n)]
        yield _table(cells, len(units.categories))


def _table(cells: list[Codes], categories: int) -> ContingencyTable:
    person, document, row, column, n = cells
    return ContingencyTable(int(person[0]), int(person[0]), categories, document, row, column, n)
