"""Units with the same ratings, taken together: what a model of annotators' errors is fitted to.

Only products, sums and shares are taken: a product over many ratings keeps its power of two apart, so that
it neither vanishes nor needs a logarithm.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import distinct_rows
from reportgen.counts.tally import ranks
from reportgen.measures import Floats
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY


@dataclass(frozen=True, eq=False)
class WeightedRatings:
    """What annotators said: columns (ratings,), an annotator several times on a unit where need be.

    `weight` (units,) is how many units each is of, `truth` (units,) its true category or NO_CATEGORY.
    """

    unit: Codes
    annotator: Codes
    label: Codes
    weight: Codes
    truth: Codes
    categories: int


@dataclass(frozen=True, eq=False)
class Patterns:
    """Units with the same ratings, taken together: the more ratings, the earlier.

    `cells` (patterns, most ratings) are filled up with NO_CATEGORY; `weight` and `truth` (patterns,);
    `pattern` (units,) is that of each unit. `order`, `row` and `starts` group ratings by cell, `people` cells
    by annotator.
    """

    cells: Codes
    weight: Codes
    truth: Codes
    pattern: Codes
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
    cells = (int(data.annotator.max(initial=-1)) + 1) * data.categories
    names, cell = ranks(data.annotator * data.categories + data.label, cells)
    distinct, pattern = _longest_first(*distinct_rows(_rows(data, cell)))
    weight = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(weight, pattern, data.weight)
    row, column = np.nonzero(distinct[:, 1:] != NO_CATEGORY)
    flat = distinct[row, column + 1]
    by_cell = np.argsort(flat, kind="stable")
    annotator = names // data.categories
    return Patterns(
        cells=distinct[:, 1:],
        weight=weight,
        truth=distinct[:, 0],
        pattern=pattern,
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
    rows[:, 0] = data.truth
    rows[unit, np.arange(len(unit)) - (np.cumsum(ratings) - ratings)[unit] + 1] = cell[order]
    return rows


def _longest_first(rows: Codes, row_of_unit: Codes) -> tuple[Codes, Codes]:
    """Return rows with the most ratings first, and the place of each unit among them."""
    order = np.argsort(-(rows[:, 1:] != NO_CATEGORY).sum(axis=1), kind="stable")
    rank = np.zeros(len(rows), dtype=np.int64)
    rank[order] = np.arange(len(rows))
    return rows[order], rank[row_of_unit]


def label_shares(patterns: Patterns) -> Floats:
    """Return the share of each label (categories, patterns) among a unit's; what is known is certain."""
    label_sums = np.zeros((patterns.categories, len(patterns.cells)))
    row, column = np.nonzero(patterns.cells != NO_CATEGORY)
    np.add.at(label_sums, (patterns.cell_label[patterns.cells[row, column]], row), 1.0)
    return _with_known(patterns, label_sums / label_sums.sum(axis=0))


def _with_known(patterns: Patterns, posterior: Floats) -> Floats:
    columns = np.flatnonzero(patterns.truth != NO_CATEGORY)
    posterior[:, columns] = 0.0
    posterior[patterns.truth[columns], columns] = 1.0
    return posterior


@dataclass(frozen=True, eq=False)
class ExpectedCounts:
    """How many units are, and were said to be, what; the truth being known by its probabilities.

    `totals` (categories,) are units of each true category, `said` (categories, cells) how often each label
    was given to them, `met` (categories, annotators) how many each annotator labelled.
    """

    totals: Floats
    said: Floats
    met: Floats


def expected_counts(patterns: Patterns, posterior: Floats) -> ExpectedCounts:
    """Return counts over all units."""
    weighted = posterior * patterns.weight
    said = by_cell(patterns, weighted)
    met = np.zeros((patterns.categories, patterns.annotators))
    met[:, patterns.cell_annotator[patterns.people]] = np.add.reduceat(said, patterns.people, axis=1)
    return ExpectedCounts(weighted.sum(axis=1), said, met)


def by_cell(patterns: Patterns, values: Floats) -> Floats:
    """Return sums of values of patterns (categories, patterns) over those that each cell is in."""
    sums: Floats = np.add.reduceat(np.take(values, patterns.row, axis=1), patterns.starts, axis=1)
    return sums


# So many factors between a half and one stay above the smallest number before the power is set apart again.
FACTORS = 500
LEAST_POWER = -2000
# The power of two of an impossible category; no product has so low a one.
IMPOSSIBLE = -(2**60)
# From the cells that the first patterns have in one place to factors (categories, patterns), as `frexp`
# parts them.
Factors = Callable[[Codes], tuple[Floats, Codes]]


def probabilities(patterns: Patterns, prevalence: Floats, factors: Factors) -> Floats:
    """Return how probable each category is of each pattern: its prevalence times a factor for each rating."""
    start, start_power = np.frexp(prevalence)
    shape = (patterns.categories, len(patterns.cells))
    product = np.broadcast_to(start[:, None], shape).copy()
    power = np.broadcast_to(start_power[:, None], shape).astype(np.int64)
    for turn, there in enumerate(patterns.lengths):
        factor, factor_power = factors(patterns.cells[:there, turn])
        product[:, :there] *= factor
        power[:, :there] += factor_power
        if turn % FACTORS == FACTORS - 1:
            product, more = np.frexp(product)
            power += more
    product, more = np.frexp(product)
    power = np.where(product > 0, power + more, IMPOSSIBLE)
    power -= power.max(axis=0)
    likely: Floats = np.ldexp(product, np.maximum(power, LEAST_POWER).astype(np.int32))
    return _with_known(patterns, likely / likely.sum(axis=0))
