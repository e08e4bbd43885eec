"""Whose labels may be copies: of two who differ far less than their agreement with others explains.

Kappa of two who err independently is a product of what each has, so that with two others
κ_ij κ_kl = κ_ik κ_jl (Spearman's tetrads). Two careful annotators conform to that, a copy does not. As units
differ in difficulty, others count only on units that the two labelled too, and the products are those of few
units next to each other in a document: hard ones have their own.
"""

import math
import operator
from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import permutations

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts.tables import dense_codes
from reportgen.measures import Floats
from reportgen.measures.distributions import binomial_below, two_sided
from reportgen.readers import Codes
from reportgen.results.annotators import Copies
from reportgen.results.unit_sets import Confusion
from reportgen.units import CodedUnits, Mask
from reportgen.units.labels import all_equal_row_pairs, sums_by

# Two who agree on so many marked units and differ on none, so many beside their commonest label, may be one.
LEAST_SAME = 30
LEAST_OF_OTHERS = 5
# A copy of which surely more was edited is an annotation of its own.
MOST_EDITED = 0.1
# So many others tell how often two would differ, if their own kappa is this large on average.
THIRD, TWO_OTHERS, MOST_OTHERS = 3, 4, 20
LEAST_KAPPA = 0.1
# Units of a document that are taken to be as hard as each other.
BLOCK = 6
# Two of several are named who differ on less than this part of the units expected, where chance would hardly
# give so few, and where it is no chance either that the others let one expect so many.
FEWER = 2 / 3
BY_CHANCE, OF_OTHERS = 0.001, 0.03
# Of more annotators, or labels of one unit by two, nobody looks for copies.
MOST_ANNOTATORS = 60
MOST_TWOS = 5_000_000

Names = tuple[str, str]
# How every two annotators label units that both labelled.
Tables = Mapping[Names, Confusion]


def copies(units: CodedUnits) -> tuple[Copies, ...]:
    """Return which annotators may be copies of each other; nobody where annotators are too many.

    Of three annotators nothing tells how often two would differ: those are meant who always agree and don't
    so with the third on the same units. Where everybody always agrees nobody is distinguished, and all are
    meant. Beside a copy others seem to be one: whoever is found first does not count for those who differ
    more.
    """
    ratings = np.bincount(units.unit)
    twos = int((ratings * (ratings - 1) // 2).sum())
    if units.margins is not None or len(units.annotators) > MOST_ANNOTATORS or twos > MOST_TWOS:
        return ()
    compared = _Twos.of(units)
    tables = compared.tables()
    same = always_alike(tables, units.non_annotated_name or None)
    if len(same) == len(tables):
        return same
    alike = {(each.first, each.second): each for each in same}
    found: dict[Names, Copies] = {}
    candidates = _nearly_same(tables, units.non_annotated_name or None)
    for names in candidates:
        others = {*units.annotators} - {*names, *(copy for _, copy in found)}
        expected = compared.expected(names, others)
        if expected is None:
            with_third = compared.tables(compared.labelled_by(names, THIRD)) if names in alike else {}
            if _is_told_apart(names, with_third):
                found[names] = alike[names]
        elif expected.shows_copy(len(candidates)):
            found[names] = alike.get(names) or expected.copies
    return tuple(found[names] for names in tables if names in found)


def always_alike(tables: Tables, non_annotated: str | None) -> tuple[Copies, ...]:
    """Return pairs who agree on many units and differ on none."""
    return tuple(
        Copies(first=names[0], second=names[1], units=tables[names].units, differ=0)
        for names in _nearly_same(tables, non_annotated)
        if not disagreements(tables[names])
    )


def disagreements(table: Confusion) -> int:
    """Return on how many units two differ."""
    return sum(units for (row, column), units in table.filled.items() if row != column)


def _nearly_same(tables: Tables, non_annotated: str | None) -> list[Names]:
    """Return those who agree on nearly all of many units, who differ least first."""
    found = [names for names, table in tables.items() if _is_nearly_same(table, non_annotated)]
    return sorted(found, key=lambda names: disagreements(tables[names]) / tables[names].units)


def _is_nearly_same(table: Confusion, non_annotated: str | None) -> bool:
    """Tell whether two agree on nearly all of many units, several beside their commonest label."""
    agreed = table.units - disagreements(table)
    if binomial_below(agreed, table.units, 1 - MOST_EDITED) < BY_CHANCE:
        return False
    alike = {name: table.count(name, name) for name in table.categories if name != non_annotated}
    marked = sum(alike.values())
    return marked >= LEAST_SAME and marked - max(alike.values()) >= LEAST_OF_OTHERS


def _by_chance(table: Confusion) -> float:
    """Return the share of units on which two would differ whose labels have nothing to do with each other."""
    rows, columns = table.margins
    return 1 - math.fsum(map(operator.mul, rows, columns)) / table.units**2


def _is_told_apart(same: Names, tables: Tables) -> bool:
    """Tell whether two agree on more units than those who agree as they do with others would by chance."""
    beside = [table for names, table in tables.items() if len({*same} & {*names}) == 1]
    apart, units = sum(map(disagreements, beside)), sum(table.units for table in beside)
    return bool(units) and math.pow(1 - apart / units, tables[same].units) < BY_CHANCE


@dataclass(frozen=True)
class _ExpectedDifference:
    """On how many units two differ, and would who agree so with the others; `p`: that these do not tell."""

    copies: Copies
    p: float

    def shows_copy(self, tests: int) -> bool:
        """Tell whether two, of so many looked at, differ on far fewer units than expected."""
        differ, units, expected = self.copies.differ, self.copies.units, self.copies.expected or 0.0
        fewer = differ < FEWER * expected and binomial_below(differ, units, expected / units) < BY_CHANCE
        return fewer and self.p * tests < OF_OTHERS


@dataclass(frozen=True, eq=False)
class _Twos:
    """Every two ratings of a unit: columns (twos,); `labelled` (units, annotators) says who labelled what."""

    units: CodedUnits
    unit: Codes
    first: Codes
    second: Codes
    one: Codes
    other: Codes

    @classmethod
    def of(cls, units: CodedUnits) -> "_Twos":
        """Return those of a unit set."""
        order = np.lexsort((units.annotator, units.unit))
        unit, annotator, label = units.unit[order], units.annotator[order], units.label[order]
        first, second = all_equal_row_pairs(unit)
        return cls(units, unit[first], annotator[first], annotator[second], label[first], label[second])

    @cached_property
    def labelled(self) -> Mask:
        """Tell who labelled which unit (units, annotators)."""
        shown = np.zeros((len(self.units.weight), len(self.units.annotators)), dtype=np.bool_)
        shown[self.units.unit, self.units.annotator] = True
        return shown

    def labelled_by(self, names: Names, many: int) -> Mask:
        """Tell which units two annotators labelled, who with others are so many or more (units,)."""
        first, second = (self.labelled[:, self.units.annotators.index(name)] for name in names)
        chosen: Mask = first & second & (self.labelled.sum(axis=1) >= many)
        return chosen

    def tables(self, chosen: Mask | None = None) -> dict[Names, Confusion]:
        """Return the table of every two annotators, of all units or of some (units,)."""
        rows = slice(None) if chosen is None else np.flatnonzero(chosen[self.unit])
        people, size = len(self.units.annotators), len(self.units.categories)
        index, shape = (self.first, self.second, self.one, self.other), (people, people, size, size)
        met, place = dense_codes(
            np.ravel_multi_index(tuple(column[rows] for column in index), shape), math.prod(shape)
        )
        times = sums_by(place, self.units.weight[self.unit[rows]], len(met))
        cells: dict[Names, list[tuple[int, int, int]]] = {}
        names = self.units.annotators
        for one, other, row, column, n in zip(
            *(each.tolist() for each in np.unravel_index(met, shape)),
            times.tolist(),
            strict=True,
        ):
            if n:
                cells.setdefault((names[one], names[other]), []).append((row, column, n))
        return {
            two: Confusion(rows=two[0], columns=two[1], categories=self.units.categories, cells=tuple(own))
            for two, own in cells.items()
        }

    def expected(self, names: Names, others: Collection[str]) -> _ExpectedDifference | None:
        """Return on how many units two would differ who err independently, None where others don't tell.

        Two different others tell it, whose own kappa is large enough to divide by.
        """
        chosen = self.labelled_by(names, TWO_OTHERS)
        tables = self.tables(chosen)
        found = [name for name in self.units.annotators if name in others][:MOST_OTHERS]
        kappas, blocks = self._kappas(tables, {*names, *found}, _blocks(self.units, chosen))
        if frozenset(names) not in kappas:
            return None
        _, of_two = blocks[frozenset(names)]
        own, rest = list[float](), list[float]()
        beyond, weights = np.zeros_like(of_two), np.zeros_like(of_two)
        for one, other in permutations(found, 2):
            pairs = [frozenset(two) for two in ((names[0], one), (names[1], other), (one, other))]
            if kappas.keys() >= {*pairs}:
                of_first, of_second, of_others = (kappas[pair] for pair in pairs)
                own.append(of_first * of_second)
                rest.append(of_others)
                (first_met, first), (second_met, second), (met, both) = (blocks[pair] for pair in pairs)
                weight = np.where((first_met > 0) & (second_met > 0), met, 0)
                # What a block adds to κ_ij κ_kl beyond κ_ik κ_jl.
                beyond += weight * (of_two * both - first * second)
                weights += weight
        among_others = math.fsum(rest)
        if not rest or abs(among_others) < LEAST_KAPPA * len(rest):
            return None
        kappa, table = max(0.0, min(1.0, math.fsum(own) / among_others)), tables[names]
        nearly = Copies(
            first=names[0],
            second=names[1],
            units=table.units,
            differ=disagreements(table),
            expected=(1 - kappa) * _by_chance(table) * table.units,
        )
        return _ExpectedDifference(nearly, _p_above(beyond, weights))

    def _kappas(
        self, tables: Tables, people: Collection[str], block: Codes
    ) -> tuple[dict[frozenset[str], float], dict[frozenset[str], tuple[Codes, Floats]]]:
        """Return kappa of every two of some people, and how many units of each block they share, with theirs.

        Chance is that of all units together.
        """
        size, code = int(block.max(initial=-1)) + 1, {name: n for n, name in enumerate(self.units.annotators)}
        inside = np.flatnonzero(block[self.unit] >= 0)
        first, second, place = self.first[inside], self.second[inside], block[self.unit[inside]]
        weight = self.units.weight[self.unit[inside]]
        differ = np.where(self.one[inside] != self.other[inside], weight, 0)
        kappas: dict[frozenset[str], float] = {}
        blocks: dict[frozenset[str], tuple[Codes, Floats]] = {}
        for names, table in tables.items():
            chance = _by_chance(table)
            if chance and {*names} <= {*people}:
                rows = np.flatnonzero((first == code[names[0]]) & (second == code[names[1]]))
                met, apart = (sums_by(place[rows], column[rows], size) for column in (weight, differ))
                share = np.zeros(size)
                np.divide(apart, met * chance, out=share, where=met > 0)
                kappas[frozenset(names)] = 1 - disagreements(table) / table.units / chance
                blocks[frozenset(names)] = met, 1 - share
        return kappas, blocks


def _blocks(units: CodedUnits, chosen: Mask) -> Codes:
    """Return the number of the block of each of some units, of the others -1 (units,).

    A block has BLOCK units of a document or a few more, or all that are of it.
    """
    number = np.flatnonzero(chosen)
    number = number[np.lexsort((number, units.document[number]))]
    _, start, place, times = np.unique(
        units.document[number], return_index=True, return_inverse=True, return_counts=True
    )
    many = np.maximum(times // BLOCK, 1)
    within = (np.arange(len(number)) - start[place]) * many[place] // times[place]
    block = np.full(len(units.weight), -1, dtype=np.int64)
    block[number] = (np.cumsum(many) - many)[place] + within
    return block


def _p_above(values: Floats, weights: Floats) -> float:
    """Return how likely chance would give a sum so far above 0, of values of blocks of some weights."""
    there = weights > 0
    blocks, most = int(there.sum()), math.fsum(values.tolist())
    if blocks < 2 or most <= 0:
        return 1.0
    left = values[there] - weights[there] * (most / math.fsum(weights.tolist()))
    error = math.sqrt(math.fsum((left * left).tolist()) * blocks / (blocks - 1))
    return two_sided(most / error, blocks - 1) / 2 if error > 0 else 0.0
