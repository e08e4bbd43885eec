"""Do two annotators use the categories alike? Bowker, Stuart-Maxwell and others, from document sums."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.agreement.two.signs import exact_p, quadratic_forms
from reportgen.counts import PairTable
from reportgen.counts.tally import ranks
from reportgen.study import NO_DOCUMENT, Codes

EXACT_BELOW = 25
MOST_DIMENSIONS = 500
# Where the differences have no variance but for rounding.
ROUNDING = 1e-9


class NoTest(StrEnum):
    """Why a test can't be made; a closed list."""

    NO_UNITS = "no unit was rated by both annotators"
    NO_DISAGREEMENT = "the two annotators never disagree"
    NO_DIFFERENCE = "no unit tells the margins apart"
    BALANCED = "within every document the differences cancel out"
    FEW_DOCUMENTS = "too few documents or units hold a disagreement for so many categories"
    MANY_CATEGORIES = "too many pairs of categories are confused to test them together"
    NO_VARIATION = (
        "every document or unit differs in the same way, so that nothing can be said of its variation"
    )


class TestMethod(StrEnum):
    """How a p value was computed; a closed list."""

    EXACT = "exact"
    CHI_SQUARE = "chi-square"
    F = "F distribution, as Hotelling's test"


@dataclass(frozen=True)
class SymmetryTest:
    """A test of symmetry: its statistic, degrees of freedom and p value, or why there is none.

    `by_document` says whether documents were compared, or single units taken to be independent;
    `discordant` counts the units on which the tested difference rests. `least_p` is the smallest p value that
    so few documents or units could have given, None where any p value could have come.
    """

    statistic: float | None = None
    degrees: int = 0
    p: float | None = None
    least_p: float | None = None
    method: TestMethod | None = None
    by_document: bool = False
    discordant: int = 0
    undefined: NoTest | None = None


def bowker(table: PairTable) -> SymmetryTest:
    """Test whether each two categories are confused equally often in both directions (Bowker 1948)."""
    rows = np.flatnonzero(table.row != table.column)
    row, column = table.row[rows], table.column[rows]
    kinds, place = np.unique(
        np.minimum(row, column) * table.categories + np.maximum(row, column), return_inverse=True
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


def rater_bias(table: PairTable, values: Floats) -> SymmetryTest:
    """Test whether one annotator gives the higher category more often than the other.

    `values` (categories,) put the categories in order. (above - below)² / (above + below) over the units on
    which the two differ: McNemar's test of who is higher (Bishop, Fienberg and Holland 1975; R's
    irr::rater.bias).
    """
    sign = np.sign(values[table.row] - values[table.column]).astype(np.int64)
    rows = np.flatnonzero(sign)
    return _test(table, rows, 1, lambda: sign[rows, None])


def bhapkar(table: PairTable, stuart: SymmetryTest) -> SymmetryTest:
    """Test what the Stuart-Maxwell test `stuart` of the same table does, as Bhapkar (1966) has it.

    V is the covariance of the differences about their mean, not about zero, so that with G independent units
    the statistic is X / (1 - X / G), X being Stuart's and Maxwell's: larger, and as large for large G. Where
    documents are known they are the G, and the statistic is G / (G - 1) times Hotelling's T² of their sums: p
    comes from F, as chi-square would find far too many differences in some dozens of documents. Whatever the
    signs of the differences, either statistic orders outcomes alike, so that an exact p value is the same.
    """
    if stuart.statistic is None:
        return stuart
    groups = table.documents + int(table.n[table.document == NO_DOCUMENT].sum())
    rest = 1 - stuart.statistic / groups
    if rest <= ROUNDING:
        return replace(stuart, statistic=None, p=None, method=None, undefined=NoTest.NO_VARIATION)
    statistic = stuart.statistic / rest
    found = replace(stuart, statistic=statistic)
    if stuart.method is TestMethod.EXACT:
        return found
    if not stuart.by_document:
        return replace(found, p=_chi_square_tail(statistic, stuart.degrees), least_p=None)
    free = groups - stuart.degrees
    p = _f_tail(free * statistic / (groups * stuart.degrees), stuart.degrees, free)
    return replace(found, p=p, least_p=None, method=TestMethod.F)


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
    forms, degrees = quadratic_forms(sums, times, (sums * times[:, None]).sum(axis=0)[None, :])
    statistic = float(forms[0])
    found = replace(plain, statistic=statistic, degrees=degrees)
    exact = exact_p(sums, times, statistic) if plain.discordant < EXACT_BELOW else None
    if exact is not None:
        return replace(found, p=exact[0], least_p=exact[1], method=TestMethod.EXACT)
    clusters = int(times.sum())
    if clusters < 2 * degrees:
        return replace(plain, undefined=NoTest.FEW_DOCUMENTS)
    # With a variance about zero the statistic is never more than the clusters that differ.
    p, least = (_chi_square_tail(far, degrees) for far in (statistic, clusters))
    return replace(found, p=p, least_p=least, method=TestMethod.CHI_SQUARE)


def _document_sums(table: PairTable, rows: Codes, steps: Codes) -> tuple[Codes, Codes]:
    """Return sums of differences (sums, dimensions) that are not zero, and how many clusters have each.

    Units without a document are clusters of their own.
    """
    document, n = table.document[rows], table.n[rows]
    known = document != NO_DOCUMENT
    here = document[known]
    _, place = ranks(here, int(here.max(initial=-1)) + 1)
    sums = np.zeros((int(place.max(initial=-1)) + 1, steps.shape[1]), dtype=np.int64)
    moved, times = steps[known], n[known]
    row, column = np.nonzero(moved)
    np.add.at(sums.reshape(-1), place[row] * steps.shape[1] + column, moved[row, column] * times[row])
    every = np.concatenate([sums, steps[~known]])
    times = np.concatenate([np.ones(len(sums), dtype=np.int64), n[~known]])
    moving = every.any(axis=1)
    return every[moving], times[moving]


def _chi_square_tail(statistic: float, degrees: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic))


def _f_tail(statistic: float, degrees: int, free: int) -> float:
    from scipy.special import fdtrc

    return float(fdtrc(degrees, free, statistic))
