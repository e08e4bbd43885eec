"""Whose labels may be copies: of two who differ far less than their agreement with others explains.

Kappa of two who err independently is a product of what each has, so that with two others
κ_ij κ_kl = κ_ik κ_jl (Spearman's tetrads). Two careful annotators conform to that, a copy does not. As units
differ in difficulty, others count only on units that the two labelled too, and the products are those of few
units next to each other in a document: hard ones have their own.
"""

import math
import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import ContingencyTable, count, pair_tables
from reportgen.measures import Floats
from reportgen.measures.distributions import binomial_below, two_sided
from reportgen.measures.thresholds import LARGEST_GROUP
from reportgen.readers import Codes
from reportgen.results.annotators import Copies
from reportgen.results.unit_sets import Confusion
from reportgen.units import CodedUnits
from reportgen.units.labels import quotient, sums_by

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
# Of more labels of one unit by two nobody looks for copies, nor in a crowd.
MOST_TWOS = 5_000_000

Names = tuple[str, str]
# How every two annotators label units that both labelled.
Tables = Mapping[Names, ContingencyTable]


def copies(units: CodedUnits) -> tuple[Copies, ...]:
    """Return which annotators may be copies of each other; nobody where annotators are too many.

    Of three annotators nothing tells how often two would differ: those are meant who always agree and don't
    so with the third on the same units. Where everybody always agrees nobody is distinguished, and all are
    meant. Beside a copy others seem to be one: whoever is found first does not count for those who differ
    more.
    """
    twos = int((units.per_unit * (units.per_unit - 1) // 2).sum())
    if units.margins is not None or len(units.annotators) > LARGEST_GROUP or twos > MOST_TWOS:
        return ()
    tables = _tables(units)
    candidates = _nearly_same(tables, units.non_annotated)
    alike = {
        names: Copies(first=names[0], second=names[1], units=tables[names].units, differ=0)
        for names in candidates
        if not tables[names].disagreements
    }
    if len(alike) == len(tables):
        return tuple(alike.values())
    labelled = np.zeros((len(units.weight), len(units.annotators)), dtype=np.bool_)
    labelled[units.unit, units.annotator] = True

    def labelled_by(names: Names, many: int) -> CodedUnits:
        """Return the units that two annotators labelled, who with others are so many or more."""
        both = labelled[:, [units.annotators.index(name) for name in names]].all(axis=1)
        return units.of_units(both & (labelled.sum(axis=1) >= many))

    found: dict[Names, Copies] = {}
    for names in candidates:
        passed_over = {*names, *(copy for _, copy in found)}
        others = [name for name in units.annotators if name not in passed_over][:MOST_OTHERS]
        expected = _expected(names, others, labelled_by(names, TWO_OTHERS))
        if expected is None:
            with_third = _tables(labelled_by(names, THIRD)) if names in alike else {}
            if _is_told_apart(names, with_third):
                found[names] = alike[names]
        elif expected.shows_copy(len(candidates)):
            found[names] = alike.get(names) or expected.copies
    return tuple(found[names] for names in tables if names in found)


def _tables(units: CodedUnits) -> dict[Names, ContingencyTable]:
    """Return the table of every two annotators who labelled the same units."""
    tables = pair_tables(count(units).pairs, len(units.categories))
    return {(units.annotators[own.first], units.annotators[own.second]): own for own in tables}


def _nearly_same(tables: Tables, absent: int) -> list[Names]:
    """Return those who agree on nearly all of many units, who differ least first."""
    found = [
        names
        for names, table in tables.items()
        if is_nearly_same(table, [n for label, n in enumerate(table.agreements.tolist()) if label != absent])
    ]
    return sorted(found, key=lambda names: tables[names].disagreements / tables[names].units)


def is_nearly_same(table: ContingencyTable | Confusion, agreements: Sequence[int]) -> bool:
    """Tell whether two agree on nearly all of many units, several beside their commonest label.

    `agreements` are those on each category but that of unmarked units.
    """
    if binomial_below(table.units - table.disagreements, table.units, 1 - MOST_EDITED) < BY_CHANCE:
        return False
    marked = sum(agreements)
    return marked >= LEAST_SAME and marked - max(agreements) >= LEAST_OF_OTHERS


def _by_chance(table: ContingencyTable) -> float:
    """Return the share of units on which two would differ whose labels have nothing to do with each other."""
    margins = table.row_totals.tolist(), table.column_totals.tolist()
    return 1 - math.fsum(map(operator.mul, *margins)) / table.units**2


def _is_told_apart(same: Names, tables: Tables) -> bool:
    """Tell whether two agree on more units than those who agree as they do with others would by chance."""
    beside = [table for names, table in tables.items() if len({*same} & {*names}) == 1]
    apart, units = sum(own.disagreements for own in beside), sum(own.units for own in beside)
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


def _expected(names: Names, others: Sequence[str], units: CodedUnits) -> _ExpectedDifference | None:
    """Return on how many units two would differ who err independently, None where others don't tell.

    Two different others tell it, whose own kappa is large enough to divide by. `units` are those that the two
    and enough others labelled.
    """
    block = _blocks(units)
    tables = _tables(replace(units, document=block))
    kappas, blocks = _kappas(tables, {*names, *others}, int(block.max(initial=-1)) + 1)
    if frozenset(names) not in kappas:
        return None
    _, of_two = blocks[frozenset(names)]
    own, rest = list[float](), list[float]()
    beyond, weights = np.zeros_like(of_two), np.zeros_like(of_two)
    for one, other in permutations(others, 2):
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
        differ=table.disagreements,
        expected=(1 - kappa) * _by_chance(table) * table.units,
    )
    return _ExpectedDifference(nearly, _p_above(beyond, weights))


def _kappas(
    tables: Tables, people: Collection[str], size: int
) -> tuple[dict[frozenset[str], float], dict[frozenset[str], tuple[Codes, Floats]]]:
    """Return kappa of every two of some people, and how many units of each block they share, with theirs.

    Chance is that of all units together; documents of the tables are blocks, `size` of them.
    """
    kappas: dict[frozenset[str], float] = {}
    blocks: dict[frozenset[str], tuple[Codes, Floats]] = {}
    for names, table in tables.items():
        chance = _by_chance(table)
        if chance and {*names} <= {*people}:
            differ = np.where(table.row != table.column, table.n, 0)
            met, apart = (sums_by(table.document, n, size) for n in (table.n, differ))
            kappas[frozenset(names)] = 1 - table.disagreements / table.units / chance
            blocks[frozenset(names)] = met, 1 - quotient(apart, met * chance, 0.0)
    return kappas, blocks


def _blocks(units: CodedUnits) -> Codes:
    """Return the block of each unit (units,): BLOCK units of a document or a few more, or all of it."""
    order = np.argsort(units.document, kind="stable")
    _, start, place, times = np.unique(
        units.document[order], return_index=True, return_inverse=True, return_counts=True
    )
    many = np.maximum(times // BLOCK, 1)
    block = np.zeros_like(order)
    block[order] = (np.cumsum(many) - many)[place] + (
        (np.arange(len(order)) - start[place]) * many[place] // times[place]
    )
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
