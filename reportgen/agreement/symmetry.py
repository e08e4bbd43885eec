"""Do two annotators use the categories alike? Bowker, Stuart-Maxwell and McNemar, from document sums."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.counts import PairTable
from reportgen.study import NO_DOCUMENT, Codes

EXACT_BELOW = 25
EXACT_STATES = 100_000
MOST_DIMENSIONS = 500
# The sums of signed differences are numbered by 64-bit integers.
LARGEST_KEY = 2**62
# What is left of a dimension below this share is zero but for rounding.
RANK = 1e-9
TIE = 1e-9


class NoTest(StrEnum):
    """Why a test can't be made; a closed list."""

    NO_UNITS = "no unit was rated by both annotators"
    NO_DISAGREEMENT = "the two annotators never disagree"
    NO_DIFFERENCE = "no unit tells the margins apart"
    BALANCED = "within every document the differences cancel out"
    FEW_DOCUMENTS = "too few documents or units hold a disagreement for so many categories"
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
    rows = np.flatnonzero(table.row != table.column)
    row, column = table.row[rows], table.column[rows]
    kinds, place = np.unique(
        np.minimum(row, column) * len(table.counts) + np.maximum(row, column), return_inverse=True
    )

    def steps() -> Codes:
        step = np.zeros((len(rows), len(kinds)), dtype=np.int64)
        step[np.arange(len(rows)), place] = np.where(row < column, 1, -1)
        return step

    return _test(table, rows, len(kinds), steps)


def stuart_maxwell(table: PairTable) -> SymmetryTest:
    """Test whether both annotators use each category equally often (Stuart 1955, Maxwell 1970)."""
    rows = np.flatnonzero(table.row != table.column)
    row, column = table.row[rows], table.column[rows]
    used = np.unique([row, column])

    def steps() -> Codes:
        step = np.zeros((len(rows), len(used)), dtype=np.int64)
        step[np.arange(len(rows)), np.searchsorted(used, row)] = 1
        step[np.arange(len(rows)), np.searchsorted(used, column)] = -1
        return step

    return _test(table, rows, len(used), steps)


def mcnemar(table: PairTable, category: int) -> SymmetryTest:
    """Test whether both annotators use one category equally often (McNemar 1947)."""
    rows = np.flatnonzero((table.row == category) != (table.column == category))

    def steps() -> Codes:
        return np.where(table.row[rows] == category, 1, -1)[:, None].astype(np.int64)

    return _test(table, rows, 1, steps)


def _test(table: PairTable, rows: Codes, dimensions: int, steps: Callable[[], Codes]) -> SymmetryTest:
    """Test that differences have mean zero, from their sums by document.

    `rows` are the entries of the table that differ, `steps` gives a vector for one unit of each (rows,
    dimensions). The statistic is D' V⁻ D with D the sum over documents and V the sum of their squares;
    with each unit a document of its own it is the classical one.
    """
    by_document = bool((table.document[rows] != NO_DOCUMENT).any())
    plain = SymmetryTest(by_document=by_document, discordant=int(table.n[rows].sum()))
    if len(rows) == 0 or dimensions > MOST_DIMENSIONS:
        return replace(plain, undefined=_why_none(table, rows))
    sums, times = _document_sums(table, rows, steps())
    if len(times) == 0:
        return replace(plain, undefined=NoTest.BALANCED)
    return _tested(plain, sums, times)


def _why_none(table: PairTable, rows: Codes) -> NoTest:
    if len(rows):
        return NoTest.MANY_CATEGORIES
    if table.units == 0:
        return NoTest.NO_UNITS
    return NoTest.NO_DIFFERENCE if table.disagreements else NoTest.NO_DISAGREEMENT


def _tested(plain: SymmetryTest, sums: Codes, times: Codes) -> SymmetryTest:
    """Return the test of distinct sums of differences, each found in so many clusters."""
    forms, degrees = _quadratic_forms(sums, times, (sums * times[:, None]).sum(axis=0)[None, :])
    statistic = float(forms[0])
    found = replace(plain, statistic=statistic, degrees=degrees)
    exact = _exact_p(sums, times, statistic) if plain.discordant < EXACT_BELOW else None
    if exact is not None:
        return replace(found, p=exact, method=TestMethod.EXACT)
    if int(times.sum()) < 2 * degrees:
        return replace(plain, undefined=NoTest.FEW_DOCUMENTS)
    return replace(found, p=_chi_square_tail(statistic, degrees), method=TestMethod.CHI_SQUARE)


def _document_sums(table: PairTable, rows: Codes, steps: Codes) -> tuple[Codes, Codes]:
    """Return sums of differences (sums, dimensions) that are not zero, and how many clusters have each.

    Units without a document are clusters of their own.
    """
    document, n = table.document[rows], table.n[rows]
    known = document != NO_DOCUMENT
    _, place = np.unique(document[known], return_inverse=True)
    sums = np.zeros((int(place.max(initial=-1)) + 1, steps.shape[1]), dtype=np.int64)
    np.add.at(sums, place, steps[known] * n[known, None])
    every = np.concatenate([sums, steps[~known]])
    times = np.concatenate([np.ones(len(sums), dtype=np.int64), n[~known]])
    moving = every.any(axis=1)
    return every[moving], times[moving]


def _quadratic_forms(steps: Codes, times: Codes, sums: Codes) -> tuple[Floats, int]:
    """Return S' V⁻ S for each of many sums (sums, dimensions), and the rank of V.

    V is the sum of squares of the steps, each as many times as it occurs. Elimination takes first the
    dimension of which most is left, and stops where nothing is: categories may hang together in groups
    of very different size.
    """
    squares = _sum_of_squares(steps.astype(np.float64), times.astype(np.float64))
    whole = np.maximum(np.diagonal(squares), 1.0)
    left, forms, rank = sums.astype(np.float64), np.zeros(len(sums)), 0
    while rank < len(squares):
        share = np.diagonal(squares) / whole
        pivot = int(np.argmax(share))
        if share[pivot] <= RANK:
            break
        column = squares[:, pivot] / squares[pivot, pivot]
        forms = forms + left[:, pivot] * left[:, pivot] / squares[pivot, pivot]
        left = left - left[:, pivot, None] * column[None, :]
        squares = squares - column[:, None] * squares[pivot][None, :]
        rank += 1
    return forms, rank


def _sum_of_squares(steps: Floats, times: Floats) -> Floats:
    """Return Σ times · step step' (dimensions, dimensions), in floats: the square of a count may be huge."""
    return np.array([(steps * (times * column)[:, None]).sum(axis=0) for column in steps.T])


def _exact_p(steps: Codes, times: Codes, statistic: float) -> float | None:
    """Return the share of all choices of signs, one a cluster, that differ as much; None where too many.

    By chance a cluster's difference is as likely as its opposite. Sums that several choices lead to are
    followed once, with how many lead there; a sum is one number, its digits of different bases.
    """
    reach = (np.abs(steps) * times[:, None]).sum(axis=0)
    places = _place_values(reach.tolist())
    if places is None:
        return None
    keys, ways = np.zeros(1, dtype=np.int64), np.ones(1)
    for step, count in zip((steps * places).sum(axis=1).tolist(), times.tolist(), strict=True):
        keys, ways = _both_signs(keys, ways, step, count)
        if len(keys) > EXACT_STATES:
            return None
    digits = (keys + (reach * places).sum())[:, None] // places % (2 * reach + 1)
    forms, _ = _quadratic_forms(steps, times, digits - reach)
    extreme = ways[forms >= statistic * (1 - TIE)]
    return math.fsum(extreme.tolist()) / math.fsum(ways.tolist())


def _place_values(reach: Sequence[int]) -> Codes | None:
    """Return what a digit from -reach to reach is worth in each place; None where numbers grow too large."""
    values = [1]
    for most in reach:
        values.append(values[-1] * (2 * most + 1))
    return np.array(values[:-1], dtype=np.int64) if values[-1] < LARGEST_KEY else None


def _both_signs(keys: Codes, ways: Floats, step: int, count: int) -> tuple[Codes, Floats]:
    """Return the sums after `count` further steps of either sign, and in how many ways each is reached."""
    negative = range(count + 1)
    moves = np.array([step * (count - 2 * times) for times in negative], dtype=np.int64)
    choices = np.array([math.comb(count, times) for times in negative], dtype=np.float64)
    reached, place = np.unique((keys[:, None] + moves).ravel(), return_inverse=True)
    after = np.zeros(len(reached))
    np.add.at(after, place, (ways[:, None] * choices).ravel())
    return reached, after


def _chi_square_tail(statistic: float, degrees: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic))
