"""Whose labels may be copies: of two who differ far less than their agreement with others explains."""

import math
import operator
from collections.abc import Mapping
from itertools import permutations

import numpy as np

from reportgen.counts.tally import ranks
from reportgen.measures.distributions import binomial_below
from reportgen.results.unit_sets import Confusion
from reportgen.units import CodedUnits
from reportgen.units.coded import all_twos, sums_by

# Two who agree on so many marked units and differ on none, so many beside their commonest label, may be one.
LEAST_SAME = 30
LEAST_OF_OTHERS = 5
# A copy of which more was edited is an annotation of its own.
MOST_EDITED = 0.1
# So many others tell how often two would differ, if their own kappa is this large on average.
MOST_OTHERS = 20
LEAST_KAPPA = 0.1
# Two of several who hardly differ are named where their agreement with the others makes that this improbable.
BY_CHANCE = 0.001
# Of more annotators, or labels of one unit by two, nobody looks for copies.
MOST_ANNOTATORS = 60
MOST_TWOS = 5_000_000

Names = tuple[str, str]
# How every two annotators label units that both labelled.
Tables = Mapping[Names, Confusion]


def copied(tables: Tables, non_annotated: str | None) -> dict[Names, float | None]:
    """Return pairs who may be copies, and on how many units they would differ who agree so with the others.

    They differ far less than each one's agreement with others explains. Of three annotators nothing tells how
    often two would differ: those are meant who always agree and don't so with the third. Where everybody
    always agrees nobody is distinguished, and all are meant.
    """
    candidates = [names for names, table in tables.items() if _is_nearly_same(table, non_annotated)]
    same = [names for names in candidates if not disagreements(tables[names])]
    if len(same) == len(tables):
        return dict.fromkeys(same)
    kappas = {frozenset(names): _kappa(table) for names, table in tables.items()} if candidates else {}
    found: dict[Names, float | None] = {}
    for names in candidates:
        expected = _expected_disagreements(names, tables[names], kappas)
        alike = not disagreements(tables[names]) and _is_told_apart(names, tables)
        if alike if expected is None else _is_unlikely(tables[names], expected):
            found[names] = expected
    return found


def disagreements(table: Confusion) -> int:
    """Return on how many units two differ."""
    return sum(units for (row, column), units in table.filled.items() if row != column)


def _is_nearly_same(table: Confusion, non_annotated: str | None) -> bool:
    """Tell whether two agree on nearly all of many units, several beside their commonest label."""
    if disagreements(table) > MOST_EDITED * table.units:
        return False
    alike = {name: table.count(name, name) for name in table.categories if name != non_annotated}
    marked = sum(alike.values())
    return marked >= LEAST_SAME and marked - max(alike.values()) >= LEAST_OF_OTHERS


def _expected_disagreements(
    names: Names, table: Confusion, kappas: Mapping[frozenset[str], float | None]
) -> float | None:
    """Return on how many units two would differ who err independently, None where others don't tell.

    Kappa of i and j is then a product of what each has, so that with two others κ_ij κ_kl = κ_ik κ_jl
    (Spearman's tetrads). Two careful annotators conform to that, a copy does not. Two different others tell
    it, whose own kappa is large enough to divide by.
    """
    people = sorted(set[str]().union(*kappas) - {*names})[:MOST_OTHERS]
    own, rest = list[float](), list[float]()
    for one, other in permutations(people, 2):
        of_first, of_second, of_others = (
            kappas.get(frozenset(each)) for each in ((names[0], one), (names[1], other), (one, other))
        )
        if of_first is not None and of_second is not None and of_others is not None:
            own.append(of_first * of_second)
            rest.append(of_others)
    among_others = math.fsum(rest)
    if not rest or abs(among_others) < LEAST_KAPPA * len(rest):
        return None
    kappa = max(0.0, min(1.0, math.fsum(own) / among_others))
    return (1 - kappa) * _by_chance(table) * table.units


def _by_chance(table: Confusion) -> float:
    """Return the share of units on which two would differ whose labels have nothing to do with each other."""
    rows, columns = table.margins
    return 1 - math.fsum(map(operator.mul, rows, columns)) / table.units**2


def _kappa(table: Confusion) -> float | None:
    """Return Cohen's kappa of two, None where they share no unit or gave one label throughout."""
    by_chance = _by_chance(table) if table.units else 0.0
    return 1 - disagreements(table) / table.units / by_chance if by_chance else None


def _is_unlikely(table: Confusion, expected: float) -> bool:
    """Tell whether two differ on less than half as many units as expected, which chance would hardly give."""
    differ, units = disagreements(table), table.units
    return differ < expected / 2 and binomial_below(differ, units, expected / units) < BY_CHANCE


def _is_told_apart(same: Names, tables: Tables) -> bool:
    """Tell whether two agree on more units than those who agree as they do with others would by chance."""
    beside = [table for names, table in tables.items() if len({*same} & {*names}) == 1]
    apart, units = sum(map(disagreements, beside)), sum(table.units for table in beside)
    return bool(units) and math.pow(1 - apart / units, tables[same].units) < BY_CHANCE


# Copies among annotators whose labels of every unit are known.


def copies_of(units: CodedUnits) -> dict[int, int]:
    """Return annotators (codes) whose labels may be copies, and whose they may be: the one listed first.

    Nobody where everybody always agrees, and where annotators are too many.
    """
    people, size = len(units.annotators), len(units.categories)
    order = np.lexsort((units.annotator, units.unit))
    ratings = np.bincount(units.unit)
    if people > MOST_ANNOTATORS or int((ratings * (ratings - 1) // 2).sum()) > MOST_TWOS:
        return {}
    unit, annotator, label = units.unit[order], units.annotator[order], units.label[order]
    first, second = all_twos(unit)
    index = annotator[first], annotator[second], label[first], label[second]
    shape = (people, people, size, size)
    met, place = ranks(np.ravel_multi_index(index, shape), math.prod(shape))
    times = sums_by(place, units.unit_weight[unit[first]], len(met))
    cells: dict[Names, list[tuple[int, int, int]]] = {}
    for one, other, row, column, n in zip(
        *(each.tolist() for each in np.unravel_index(met, shape)),
        times.tolist(),
        strict=True,
    ):
        if n:
            cells.setdefault((units.annotators[one], units.annotators[other]), []).append((row, column, n))
    tables = {
        names: Confusion(rows=names[0], columns=names[1], categories=units.categories, cells=tuple(own))
        for names, own in cells.items()
    }
    found = copied(tables, units.non_annotated_name or None)
    if len(found) == len(tables):
        return {}
    code = {name: number for number, name in enumerate(units.annotators)}
    of: dict[int, int] = {}
    for one, other in sorted((code[first], code[second]) for first, second in found):
        of.setdefault(other, of.get(one, one))
    return of


def without_copies(units: CodedUnits, of: Mapping[int, int]) -> np.ndarray:
    """Return which ratings (ratings,) are nobody's copy: of units that the other labelled too, one counts."""
    kept = np.ones(len(units.unit), dtype=np.bool_)
    for copy, original in of.items():
        theirs = units.unit[units.annotator == original]
        kept &= (units.annotator != copy) | ~np.isin(units.unit, theirs)
    return kept
