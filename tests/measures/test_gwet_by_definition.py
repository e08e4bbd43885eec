"""Figures of several annotators with missing ratings, from their definitions, unit by unit (Gwet 2014).

Units that one annotator alone rated count in the shares of categories, not in observed agreement.
"""

import math
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.measures import Estimate
from tests.measures.made import Matrix, annotations, figures, units_of
from tests.properties import examples

LABELS = "abcd"
Q = len(LABELS)
NEAR: Matrix = [[0, 0.5, 2, 1], [0.5, 0, 1, 1], [2, 1, 0, 0.25], [1, 1, 0.25, 0]]
PLAIN: Matrix = [[float(one != other) for other in range(Q)] for one in range(Q)]
Row = tuple[int | None, ...]
ROWS = st.integers(2, 5).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.none() | st.integers(0, Q - 1)] * width), min_size=2, max_size=9
    )
)  # fmt: skip


def given_to(row: Row) -> list[int]:
    return [label for label in row if label is not None]


def mean(values: Iterable[float]) -> float:
    known = list(values)
    return math.fsum(known) / len(known)


def observed(rows: list[Row], apart: Matrix) -> float:
    """The mean distance of two ratings of a unit, over the units with two or more."""
    pairs = [list(combinations(given_to(row), 2)) for row in rows]
    return mean(mean(apart[one][other] for one, other in each) for each in pairs if each)


def shares(rows: list[Row]) -> list[float]:
    """The mean over units of each category's share of the ratings."""
    ratings = [given_to(row) for row in rows if given_to(row)]
    return [mean(each.count(label) / len(each) for each in ratings) for label in range(Q)]


def by_chance(one: list[float], other: list[float], apart: Matrix) -> float:
    return math.fsum(one[i] * other[j] * apart[i][j] for i in range(Q) for j in range(Q))


def fleiss(rows: list[Row], apart: Matrix) -> float | None:
    return ratio(observed(rows, apart), by_chance(shares(rows), shares(rows), apart))


def conger(rows: list[Row], apart: Matrix) -> float | None:
    columns = [given_to(column) for column in zip(*rows, strict=True)]
    own = [[column.count(label) / len(column) for label in range(Q)] for column in columns if column]
    return ratio(observed(rows, apart), mean(by_chance(*two, apart) for two in permutations(own, 2)))


def ratio(apart: float, expected: float) -> float | None:
    return 1 - apart / expected if expected > 1e-12 else None


def brennan(rows: list[Row], apart: Matrix) -> float | None:
    return ratio(observed(rows, apart), math.fsum(map(math.fsum, apart)) / Q**2)


def gwet(rows: list[Row], apart: Matrix) -> float:
    used = shares(rows)
    far = max(map(max, apart))
    weights = math.fsum(1 - each / far for row in apart for each in row)
    chance = weights / (Q * (Q - 1)) * math.fsum(share * (1 - share) for share in used)
    return (1 - observed(rows, apart) / far - chance) / (1 - chance)


def over_pairs(rows: list[Row], apart: Matrix) -> list[tuple[float, float, int]]:
    """Of every two annotators that share a unit: observed and expected disagreement, and units."""
    found = []
    for one, other in combinations(zip(*rows, strict=True), 2):
        met = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
        if met:
            first, second = Counter(a for a, _ in met), Counter(b for _, b in met)
            chance = math.fsum(first[a] * second[b] * apart[a][b] for a in first for b in second)
            found.append((mean(apart[a][b] for a, b in met), chance / len(met) ** 2, len(met)))
    return found


def weighted(rows: list[Row], apart: Matrix) -> float | None:
    pairs = over_pairs(rows, apart)
    return ratio(mean(seen for seen, _, _ in pairs), mean(chance for _, chance, _ in pairs))


def light(rows: list[Row]) -> float | None:
    kappas = [ratio(seen, chance) for seen, chance, units in over_pairs(rows, PLAIN) if units > 1]
    known = [kappa for kappa in kappas if kappa is not None]
    return mean(known) if known else None


def majority(rows: list[Row]) -> float | None:
    hits: list[bool] = []
    for row in rows:
        for who, label in enumerate(row):
            others = Counter(given_to(row[:who] + row[who + 1 :])).most_common(2)
            if label is not None and others and (len(others) == 1 or others[0][1] > others[1][1]):
                hits.append(label == others[0][0])
    return mean(hits) if hits else None


def agrees(estimate: Estimate, figure: float | None) -> None:
    assert estimate.value == (None if figure is None else pytest.approx(figure, abs=1e-9))


@examples(40)
@given(ROWS)
def test_every_figure_of_all_annotators_is_that_of_its_definition(rows: list[Row]) -> None:
    assume(sum(len(given_to(row)) > 1 for row in rows) > 1)
    named = [[None if label is None else LABELS[label] for label in row] for row in rows]
    measures = figures(units_of(annotations(named), categories=list(LABELS)), {"near": NEAR}).measures
    for apart, bracket in ((PLAIN, ""), (NEAR, "[near]")):
        agrees(measures[f"fleiss_kappa{bracket}"], fleiss(rows, apart))
        agrees(measures[f"conger_kappa{bracket}"], conger(rows, apart))
        agrees(measures[f"bennett_s{bracket}"], brennan(rows, apart))
        agrees(measures["gwet_ac2[near]" if bracket else "gwet_ac1"], gwet(rows, apart))
    agrees(measures["weighted_kappa[near]"], weighted(rows, NEAR))
    agrees(measures["light_kappa"], light(rows))
    agrees(measures["majority_agreement"], majority(rows))
