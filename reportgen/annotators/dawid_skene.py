"""What is true, and how each annotator errs: the model of Dawid and Skene (1979), fitted by EM.

Each unit has one true category, of prevalence p_c; the annotator a gives it the label l with probability
π_a(c, l), whatever the others say. Only products, sums and shares are taken: a product over many ratings
keeps its power of two apart, so that it neither vanishes nor needs a logarithm.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reportgen.counts import distinct_rows
from reportgen.measures import Floats
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY

# Units with the same ratings, taken together: what a model of annotators' errors is fitted to.


@dataclass(frozen=True, eq=False)
class WeightedRatings:
    """What annotators said: columns (ratings,), an annotator several times on a unit where need be.

    `weight` (units,) is for how many units each stands, `known` (units,) its true category or NO_CATEGORY.
    """

    unit: Codes
    annotator: Codes
    label: Codes
    weight: Codes
    known: Codes
    categories: int


@dataclass(frozen=True, eq=False)
class Patterns:
    """Units with the same ratings, taken together: the more ratings, the earlier.

    `cells` (patterns, most ratings) are filled up with NO_CATEGORY; `weight` and `known` (patterns,); `place`
    (units,) is each unit's pattern. `order`, `row` and `starts` group ratings by cell, `people` cells by
    annotator.
    """

    cells: Codes
    weight: Codes
    known: Codes
    place: Codes
    cell_annotator: Codes
    cell_label: Codes
    row: Codes
    starts: Codes
    people: Codes
    annotators: int
    categories: int

    @cached_property
    def lengths(self) -> list[int]:
        """Return how many patterns have a first, a second, … rating."""
        return [int(number) for number in (self.cells != NO_CATEGORY).sum(axis=0)]


def patterns_of(data: WeightedRatings) -> Patterns:
    """Return the patterns of units that all have a rating."""
    names, cell = np.unique(data.annotator * data.categories + data.label, return_inverse=True)
    distinct, place = _longest_first(*distinct_rows(_rows(data, cell.reshape(-1))))
    weight = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(weight, place, data.weight)
    row, column = np.nonzero(distinct[:, 1:] != NO_CATEGORY)
    flat = distinct[row, column + 1]
    by_cell = np.argsort(flat, kind="stable")
    annotator = names // data.categories
    return Patterns(
        cells=distinct[:, 1:],
        weight=weight,
        known=distinct[:, 0],
        place=place,
        cell_annotator=annotator,
        cell_label=names % data.categories,
        row=row[by_cell],
        starts=np.flatnonzero(np.diff(flat[by_cell], prepend=-1)),
        people=np.flatnonzero(np.diff(annotator, prepend=-1)),
        annotators=int(annotator.max(initial=-1)) + 1,
        categories=data.categories,
    )


def _rows(data: WeightedRatings, cell: Codes) -> Codes:
    """Return a row for each unit: what is known of it, then its cells in order, filled up."""
    order = np.lexsort((cell, data.unit))
    unit = data.unit[order]
    ratings = np.bincount(unit, minlength=len(data.weight))
    rows = np.full((len(ratings), int(ratings.max(initial=0)) + 1), NO_CATEGORY, dtype=np.int64)
    rows[:, 0] = data.known
    rows[unit, np.arange(len(unit)) - (np.cumsum(ratings) - ratings)[unit] + 1] = cell[order]
    return rows


def _longest_first(rows: Codes, place: Codes) -> tuple[Codes, Codes]:
    """Return rows with the most ratings first, and the place of each unit among them."""
    order = np.argsort(-(rows[:, 1:] != NO_CATEGORY).sum(axis=1), kind="stable")
    rank = np.zeros(len(rows), dtype=np.int64)
    rank[order] = np.arange(len(rows))
    return rows[order], rank[place]


# The model, fitted by EM.

TOLERANCE = 1e-6
MOST_ITERATIONS = 10_000
# So many factors between a half and one stay above the smallest number before the power is set apart again.
FACTORS = 500
LEAST_POWER = -2000
# The power of two of an impossible category; no product has so low a one.
IMPOSSIBLE = -(2**60)


@dataclass(frozen=True, eq=False)
class Truth:
    """The fitted model.

    `posterior` (units, categories) is how probable each category is of each unit, `prevalence` (categories,)
    their shares. Row i of `confusion` (cells, categories) belongs to the annotator and label of `cells`:
    how probable it was under each true category; `met` (annotators, categories) for how many units of each.
    """

    posterior: Floats
    prevalence: Floats
    cell_annotator: Codes
    cell_label: Codes
    confusion: Floats
    met: Floats
    iterations: int
    converged: bool

    def errors_of(self, annotator: int) -> tuple[Floats, Floats]:
        """Return how many units of each category an annotator met (categories,), and the confusion of them.

        The latter (categories, categories) has true categories as rows and given ones as columns, and zeros
        in rows of categories never met.
        """
        size = len(self.prevalence)
        start, end = np.searchsorted(self.cell_annotator, [annotator, annotator + 1]).tolist()
        confusion = np.zeros((size, size))
        confusion[:, self.cell_label[start:end]] = self.confusion[start:end].T
        met = self.met[annotator] if annotator < len(self.met) else np.zeros(size)
        return met, confusion


def dawid_skene(
    data: WeightedRatings, tolerance: float = TOLERANCE, most_iterations: int = MOST_ITERATIONS
) -> Truth:
    """Return the model, from the shares of each unit's labels on; every unit has a rating.

    It stops when no posterior changes by more than the tolerance. Nothing is smoothed: what an annotator
    never did under a category stays impossible. (Dawid and Skene 1979, equations 2.3 to 2.5.)
    """
    patterns = patterns_of(data)
    posterior, change, iterations = _shares(patterns), 1.0, 0
    while change > tolerance and iterations < most_iterations:
        prevalence, confusion, _ = _errors(patterns, posterior)
        following = _posterior(patterns, prevalence, confusion)
        change = float(np.abs(following - posterior).max(initial=0.0))
        posterior, iterations = following, iterations + 1
    prevalence, confusion, met = _errors(patterns, posterior)
    return Truth(
        posterior=posterior.T[patterns.place],
        prevalence=prevalence,
        cell_annotator=patterns.cell_annotator,
        cell_label=patterns.cell_label,
        confusion=confusion.T,
        met=met.T,
        iterations=iterations,
        converged=change <= tolerance,
    )


def _shares(patterns: Patterns) -> Floats:
    """Return the share of each label (categories, patterns) among a unit's; what is known is certain."""
    found = np.zeros((patterns.categories, len(patterns.cells)))
    row, column = np.nonzero(patterns.cells != NO_CATEGORY)
    np.add.at(found, (patterns.cell_label[patterns.cells[row, column]], row), 1.0)
    return _with_known(patterns, found / found.sum(axis=0))


def _with_known(patterns: Patterns, posterior: Floats) -> Floats:
    known = np.flatnonzero(patterns.known != NO_CATEGORY)
    posterior[:, known] = 0.0
    posterior[patterns.known[known], known] = 1.0
    return posterior


def _errors(patterns: Patterns, posterior: Floats) -> tuple[Floats, Floats, Floats]:
    """Return prevalences, how probable each cell is under each category, and how many units of it they met.

    The latter two are (categories, cells) and (categories, annotators).
    """
    weighted = posterior * patterns.weight
    totals = weighted.sum(axis=1)
    said = np.add.reduceat(np.take(weighted, patterns.row, axis=1), patterns.starts, axis=1)
    met = np.zeros((patterns.categories, patterns.annotators))
    met[:, patterns.cell_annotator[patterns.people]] = np.add.reduceat(said, patterns.people, axis=1)
    of_cell = met[:, patterns.cell_annotator]
    confusion = np.zeros_like(said)
    np.divide(said, of_cell, out=confusion, where=of_cell > 0)
    return totals / totals.sum(), confusion, met


def _posterior(patterns: Patterns, prevalence: Floats, confusion: Floats) -> Floats:
    """Return how probable each category is of each pattern: p_c Π_a π_a(c, l), made to add up to one."""
    factor, factor_power = np.frexp(confusion)
    start, start_power = np.frexp(prevalence)
    shape = (patterns.categories, len(patterns.cells))
    product = np.broadcast_to(start[:, None], shape).copy()
    power = np.broadcast_to(start_power[:, None], shape).astype(np.int64)
    for turn, there in enumerate(patterns.lengths):
        cell = patterns.cells[:there, turn]
        product[:, :there] *= np.take(factor, cell, axis=1)
        power[:, :there] += np.take(factor_power, cell, axis=1)
        if turn % FACTORS == FACTORS - 1:
            product, more = np.frexp(product)
            power += more
    product, more = np.frexp(product)
    power = np.where(product > 0, power + more, IMPOSSIBLE)
    power -= power.max(axis=0)
    likely: Floats = np.ldexp(product, np.maximum(power, LEAST_POWER).astype(np.int32))
    return _with_known(patterns, likely / likely.sum(axis=0))
