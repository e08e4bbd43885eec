"""Do two annotators use the categories alike? Bowker, Stuart-Maxwell and McNemar, from document sums."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.counts import PairTable
from reportgen.study import NO_DOCUMENT, Codes

EXACT_BELOW = 25
EXACT_STATES = 100_000
MOST_DIMENSIONS = 500
# A pivot below this share of the largest is zero but for rounding.
RANK = 1e-9
TIE = 1e-9


class NoTest(StrEnum):
    """Why a test can't be made; a closed list."""

    NO_DISAGREEMENT = "the two annotators never disagree"
    NO_DIFFERENCE = "no unit tells the margins apart"
    FEW_DOCUMENTS = "too few documents hold a disagreement for so many categories"
    MANY_CATEGORIES = "too many pairs of categories are confused to test them together"


class TestMethod(StrEnum):
    """How a p value was computed; a closed list."""

    EXACT = "exact"
    CHI_SQUARE = "chi-square"


@dataclass(frozen=True)
class SymmetryTest:
    """A test of symmetry: its statistic, degrees of freedom and p value, or why there is none.

    `by_document` says whether documents were compared, or single units taken to be independent;
    `discordant` counts the units on which the tested difference rests.
    """

    statistic: float | None = None
    degrees: int = 0
    p: float | None = None
    method: TestMethod | None = None
    by_document: bool = False
    discordant: int = 0
    undefined: NoTest | None = None


def bowker(table: PairTable) -> SymmetryTest:
    """Test whether each two categories are confused equally often in both directions (Bowker 1948)."""
    size = len(table.counts)
    low, high = np.minimum(table.row, table.column), np.maximum(table.row, table.column)
    _, place = np.unique(low * size + high, return_inverse=True)

    def difference(rows: Codes) -> Codes:
        step = np.zeros((len(rows), int(place.max(initial=0)) + 1), dtype=np.int64)
        step[np.arange(len(rows)), place[rows]] = np.where(table.row[rows] < table.column[rows], 1, -1)
        return step

    return _test(table, np.flatnonzero(table.row != table.column), difference)


def stuart_maxwell(table: PairTable) -> SymmetryTest:
    """Test whether both annotators use each category equally often (Stuart 1955, Maxwell 1970)."""

    def difference(rows: Codes) -> Codes:
        step = np.zeros((len(rows), len(table.counts)), dtype=np.int64)
        places = np.arange(len(rows))
        step[places, table.row[rows]] += 1
        step[places, table.column[rows]] -= 1
        return step

    return _test(table, np.flatnonzero(table.row != table.column), difference)


def mcnemar(table: PairTable, category: int) -> SymmetryTest:
    """Test whether both annotators use one category equally often (McNemar 1947)."""

    def difference(rows: Codes) -> Codes:
        return np.where(table.row[rows] == category, 1, -1)[:, None].astype(np.int64)

    return _test(table, np.flatnonzero((table.row == category) != (table.column == category)), difference)


def _test(table: PairTable, rows: Codes, difference: Callable[[Codes], Codes]) -> SymmetryTest:
    """Test that differences have mean zero, from their sums by document.

    `rows` are the entries of the table that differ, `difference` gives a vector for one unit of each.
    The statistic is D' V⁻ D with D the sum over documents and V the sum of their squares; with each unit
    a document of its own it is the classical one.
    """
    if len(rows) == 0:
        none = NoTest.NO_DISAGREEMENT if table.disagreements == 0 else NoTest.NO_DIFFERENCE
        return SymmetryTest(undefined=none)
    steps, times, by_document = _document_sums(table, rows, difference(rows))
    discordant = int(table.n[rows].sum())
    none = SymmetryTest(by_document=by_document, discordant=discordant)
    if steps.shape[1] > MOST_DIMENSIONS:
        return replace(none, undefined=NoTest.MANY_CATEGORIES)
    forms, degrees = _quadratic_forms(steps, times, (steps * times[:, None]).sum(axis=0)[None, :])
    found = replace(none, statistic=float(forms[0]), degrees=degrees)
    exact = _exact_p(steps, times, float(forms[0])) if discordant < EXACT_BELOW else None
    if exact is not None:
        return replace(found, p=exact, method=TestMethod.EXACT)
    if int(times.sum()) < 2 * degrees:
        return replace(none, undefined=NoTest.FEW_DOCUMENTS)
    return replace(found, p=_chi_square_tail(float(forms[0]), degrees), method=TestMethod.CHI_SQUARE)


def _document_sums(table: PairTable, rows: Codes, steps: Codes) -> tuple[Codes, Codes, bool]:
    """Return distinct sums of differences (sums, dimensions), how many clusters have each, and whether
    the clusters are documents. Units without a document are clusters of their own.
    """
    document, n = table.document[rows], table.n[rows]
    known = document != NO_DOCUMENT
    _, place = np.unique(document[known], return_inverse=True)
    sums = np.zeros((int(place.max(initial=-1)) + 1, steps.shape[1]), dtype=np.int64)
    np.add.at(sums, place, steps[known] * n[known, None])
    every = np.concatenate([sums, steps[~known]])
    times = np.concatenate([np.ones(len(sums), dtype=np.int64), n[~known]])
    moving = every.any(axis=1)
    return every[moving], times[moving], bool(known.any())


def _quadratic_forms(steps: Codes, times: Codes, sums: Codes) -> tuple[Floats, int]:
    """Return S' V⁻ S for each of many sums (sums, dimensions), and the rank of V.

    V is the sum of squares of the steps, each as many times as it occurs; elimination takes the largest
    pivot first and stops at the rank.
    """
    squares = np.einsum("ki,kj,k->ij", steps, steps, times).astype(np.float64)
    left, forms, rank = sums.astype(np.float64), np.zeros(len(sums)), 0
    least = RANK * float(np.diagonal(squares).max(initial=0.0))
    while rank < len(squares):
        pivot = int(np.argmax(np.diagonal(squares)))
        size = float(squares[pivot, pivot])
        if size <= least:
            break
        forms = forms + left[:, pivot] ** 2 / size
        column = squares[:, pivot] / size
        left = left - left[:, pivot, None] * column[None, :]
        squares = squares - column[:, None] * squares[pivot][None, :]
        rank += 1
    return forms, rank


def _exact_p(steps: Codes, times: Codes, statistic: float) -> float | None:
    """Return the share of all choices of signs, one a cluster, that differ as much; None where too many.

    By chance a cluster's difference is as likely as its opposite. Sums that several choices lead to are
    followed once, with how many lead there.
    """
    ways: dict[tuple[int, ...], int] = {(0,) * steps.shape[1]: 1}
    for step, count in zip(steps.tolist(), times.tolist(), strict=True):
        for _ in range(count):
            ways = _both_signs(ways, step)
            if len(ways) > EXACT_STATES:
                return None
    counts = np.array(list(ways.values()), dtype=np.float64)
    forms, _ = _quadratic_forms(steps, times, np.array(list(ways), dtype=np.int64))
    return math.fsum(counts[forms >= statistic * (1 - TIE)].tolist()) / math.fsum(counts.tolist())


def _both_signs(ways: dict[tuple[int, ...], int], step: list[int]) -> dict[tuple[int, ...], int]:
    after: dict[tuple[int, ...], int] = {}
    for reached, count in ways.items():
        for sign in (1, -1):
            place = tuple(part + sign * move for part, move in zip(reached, step, strict=True))
            after[place] = after.get(place, 0) + count
    return after


def _chi_square_tail(statistic: float, degrees: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic))
