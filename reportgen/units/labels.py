"""Who gave which label to which unit, and how rows of such codes are found, counted and grouped."""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.readers import Codes

Values = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
# The label of whoever gave none.
NO_CATEGORY = -1


def nothing() -> Codes:
    """Return no codes."""
    return np.zeros(0, dtype=np.int64)


def aranges(lengths: Codes) -> Codes:
    """Return 0, 1, … for each length, one after another."""
    starts = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(starts, lengths)


def ranges(low: Codes, high: Codes) -> tuple[Codes, Codes]:
    """Return every number from `low` to below `high` of each row, with the row that it is of."""
    sizes = high - low
    return np.repeat(np.arange(len(low)), sizes), np.repeat(low, sizes) + aranges(sizes)


def sums_by(index: Codes | tuple[Codes, ...], values: Values, size: int | tuple[int, ...]) -> Values:
    """Return the sums of values by their index, of integers exactly: an array of a size."""
    sums = np.zeros(size, dtype=values.dtype)
    if isinstance(index, tuple):  # numpy adds up along one index several times as fast
        np.add.at(sums.reshape(-1), np.ravel_multi_index(index, sums.shape), values)
    else:
        np.add.at(sums, index, values)
    return sums


def as_rows(*columns: Values) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of some columns as numbers of Python."""
    return zip(*(column.tolist() for column in columns), strict=True)


def side_by_side(group: Codes, values: Codes, groups: int, filler: int) -> Codes:
    """Return the values of each group in a row (groups, most values), filled up; `group` ascends."""
    many = np.bincount(group, minlength=groups)
    rows = np.full((groups, int(many.max(initial=0))), filler, dtype=np.int64)
    rows[group, aranges(many)] = values
    return rows


def quotient(above: Values, below: Values, otherwise: float) -> npt.NDArray[np.float64]:
    """Return above / below, broadcast, and `otherwise` where `below` is not above 0."""
    ratio = np.full(np.broadcast_shapes(np.shape(above), np.shape(below)), otherwise)
    np.divide(above, below, out=ratio, where=below > 0)
    return ratio


def equal_row_pairs(*columns: Codes) -> Iterator[tuple[Codes, Codes]]:
    """Yield the places of every two equal rows of sorted columns: neighbours first, then those two apart."""
    for distance in range(1, len(columns[0])):
        same = np.logical_and.reduce([column[distance:] == column[:-distance] for column in columns])
        earlier = np.flatnonzero(same)
        if len(earlier) == 0:
            return
        yield earlier, earlier + distance


def all_equal_row_pairs(*columns: Codes) -> tuple[Codes, Codes]:
    """Return the places of every two equal rows of sorted columns, as `equal_row_pairs` yields them."""
    none = nothing(), nothing()
    first, second = (
        np.concatenate(positions) for positions in zip(none, *equal_row_pairs(*columns), strict=True)
    )
    return first, second


def distinct_codes(*codes: Codes) -> Codes:
    """Return the different codes, which are not below 0, in order: of millions, sorting takes a while."""
    occurs = np.zeros(max((int(column.max(initial=-1)) for column in codes), default=-1) + 1, dtype=np.bool_)
    for column in codes:
        occurs[column] = True
    return np.flatnonzero(occurs)


@dataclass(frozen=True, eq=False)
class Places:
    """What units are called, or where in a text they are.

    `names` has a name for each unit of a table, `texts` its text where the table has such. `unit`, `start`
    and `end` (stretches,) say which stretches of its document make up a unit of a text, in code points, ends
    exclusive.
    """

    names: tuple[str, ...] = ()
    unit: Codes = field(default_factory=nothing)
    start: Codes = field(default_factory=nothing)
    end: Codes = field(default_factory=nothing)
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Labels:
    """Who gave which label to which unit.

    It is the base of CodedUnits (a unit set), UnitRatings (the units that a figure of all annotators takes)
    and GroupedLabels (those of groups of people), and is never made by itself. Marks in texts are in
    SpanFrame; coefficients take Counts, which are made of these.

    - `documents`, `annotators`, `categories`: the names behind the codes, in their final order.
    - `document` (units,): code of the document, or NO_DOCUMENT: the unit is its own document.
    - `weight` (units,): how many units a unit stands for (a cell of a confusion matrix, units that are
      alike, the unmarked units of a declared size); 0 is no unit.
    - `unit`, `annotator`, `label` (rows,): at most one row for each unit and annotator. A unit without a
      label has no row. Where counts do not say who gave which label (CodedUnits.margins), `annotator` only
      numbers the rows of a unit.
    - `at` (rows,): when the label was given, UNKNOWN where that is not known; None: nothing says so.
    """

    documents: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    document: Codes = field(default_factory=nothing)
    weight: Codes = field(default_factory=nothing)
    unit: Codes = field(default_factory=nothing)
    annotator: Codes = field(default_factory=nothing)
    label: Codes = field(default_factory=nothing)
    at: Codes | None = None

    def where(self, rows: Mask | Codes) -> Self:
        """Return the same units with some of the rows, given by a mask or by their places."""
        at = None if self.at is None else self.at[rows]
        return replace(
            self, unit=self.unit[rows], annotator=self.annotator[rows], label=self.label[rows], at=at
        )

    def of_units(self, chosen: Mask) -> Self:
        """Return some units (units,), numbered from 0, with their rows; what is beside labels stays."""
        some = self.where(chosen[self.unit])
        unit = (np.cumsum(chosen) - 1)[some.unit]
        return replace(some, document=self.document[chosen], weight=self.weight[chosen], unit=unit)

    def of_people(self, people: Sequence[int]) -> Self:
        """Return the rows of some annotators, who are numbered in this order."""
        number = np.full(len(self.annotators), -1, dtype=np.int64)
        number[list(people)] = np.arange(len(people))
        some = self.where(number[self.annotator] >= 0)
        names = tuple(self.annotators[code] for code in people)
        return replace(some, annotators=names, annotator=number[some.annotator])

    @property
    def in_order(self) -> Self:
        """Return the rows by unit and annotator, without those of units that weigh nothing."""
        some = self.where(self.row_weight != 0) if (self.weight == 0).any() else self
        key = some.unit * (int(some.annotator.max(initial=0)) + 1) + some.annotator
        return some if (key[1:] > key[:-1]).all() else some.where(np.argsort(key, kind="stable"))

    @cached_property
    def per_unit(self) -> Codes:
        """Return how many rows each unit has (units,)."""
        return np.bincount(self.unit, minlength=len(self.weight))

    @cached_property
    def row_document(self) -> Codes:
        """Return the document of each row (rows,)."""
        return self.document[self.unit]

    @cached_property
    def row_weight(self) -> Codes:
        """Return how many units each row stands for (rows,)."""
        return self.weight[self.unit]

    @cached_property
    def pairable(self) -> Self:
        """Return the rows of units that at least two annotators labelled; a unit of weight 0 is none."""
        return self.where((self.per_unit[self.unit] >= 2) & (self.row_weight > 0))

    @cached_property
    def cells(self) -> tuple[Codes, Codes, Codes, Codes]:
        """Return unit, label and number of the different labels of units (cells,), and each row's cell."""
        size = int(self.label.max(initial=0)) + 1
        keys, cell, times = np.unique(self.unit * size + self.label, return_inverse=True, return_counts=True)
        return keys // size, keys % size, times, cell.reshape(-1)

    @property
    def alike(self) -> Codes:
        """Return how many labels of its unit are the same as each row's, itself included (rows,)."""
        *_, times, cell = self.cells
        return times[cell]

    def labels_of(self, person: int) -> Codes:
        """Return the label of one person on each unit (units,), NO_CATEGORY where there is none."""
        labels = np.full(len(self.weight), NO_CATEGORY, dtype=np.int64)
        own = self.annotator == person
        labels[self.unit[own]] = self.label[own]
        return labels
