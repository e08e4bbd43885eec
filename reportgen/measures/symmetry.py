"""Do two annotators use the categories alike? Bowker, Stuart-Maxwell and others, from document sums."""

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

import numpy as np

from reportgen.counts import ContingencyTable
from reportgen.counts.tally import ranks
from reportgen.measures.distributions import chi_square_above, f_above
from reportgen.measures.estimate import Floats
from reportgen.measures.unit_set_data import Setting, rated_only
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import SymmetryTest
from reportgen.units import NO_CATEGORY
from reportgen.units.coded import Mask, sums_by

# Sums of signed differences: how unusual they are, and how unusual among all choices of their signs.

EXACT_STATES = 100_000
MOST_EXACT = 1000
# The sums of signed differences are numbered by 64-bit integers.
LARGEST_KEY = 2**62
# What is left of a dimension below this share is zero but for rounding.
RANK = 1e-9
TIE = 1e-9


def quadratic_forms(steps: Codes, times: Codes, sums: Codes) -> tuple[Floats, int]:
    """Return S' V⁻ S for each of many sums (sums, dimensions), and the rank of V.

    V is the sum of squares of the steps, each as many times as it occurs. Elimination takes first the
    dimension of which most is left, and stops where nothing is: categories may hang together in groups
    of very different size.
    """
    squares = _sum_of_squares(steps.astype(np.float64), times.astype(np.float64))
    totals = np.maximum(np.diagonal(squares), 1.0)
    left, forms, rank = sums.astype(np.float64), np.zeros(len(sums)), 0
    while rank < len(squares):
        share = np.diagonal(squares) / totals
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


def exact_p(steps: Codes, times: Codes, statistic: float) -> tuple[float, float] | None:
    """Return the share of all choices of signs, one a cluster, that differ as much, and the least such share.

    None where there are too many. The least share is that of the choices that differ the most.

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
    forms, _ = quadratic_forms(steps, times, digits - reach)
    all_ways = math.fsum(ways.tolist())
    share, least = (
        math.fsum(ways[forms >= far * (1 - TIE)].tolist()) / all_ways
        for far in (statistic, float(forms.max()))
    )
    return share, least


def signs_p(sums: Codes) -> float | None:
    """Return how often sums over clusters (clusters,) differ as much from nothing if signs fall by chance.

    None where none differs; of single units it is McNemar's exact test. Exact up to MOST_EXACT clusters that
    differ, else by chi-square. McNemar (1947), Psychometrika 12(2), 153-157.
    """
    steps, times = np.unique(np.abs(sums[sums != 0]), return_counts=True)
    if len(steps) == 0:
        return None
    statistic = float(int(sums.sum()) ** 2 / int((steps * steps * times).sum()))
    few = int(times.sum()) <= MOST_EXACT
    exact = exact_p(steps[:, None].astype(np.int64), times.astype(np.int64), statistic) if few else None
    return chi_square_above(1, statistic) if exact is None else exact[0]


# So many clusters are followed exactly; larger sums are followed in coarser steps.
MOST_EXCHANGED = 100
LARGEST_SUM = 1_000


def exchange_p(sums: Codes, took_part: Mask, who: int) -> float | None:
    """Return how often somebody's sum over clusters is as far from zero if people are exchanged at random.

    `sums` (clusters, people) are sums of differences, those of a cluster adding up to zero; `took_part`
    says of whom there are some. In each cluster `who` could have been anybody there. None where nothing
    differs. Of two people in every cluster it is `signs_p`; of many clusters by chi-square.
    """
    here = took_part[:, who] & (sums != 0).any(axis=1)
    values, took_part = sums[here], took_part[here]
    if not len(values):
        return None
    people = took_part.sum(axis=1)
    if (people == 2).all():
        return signs_p(values[:, who])
    if len(values) > MOST_EXCHANGED:
        variance = float(((values * values).sum(axis=1) / people).sum())
        return chi_square_above(1, float(values[:, who].sum()) ** 2 / variance)
    step = -(-int(np.abs(values).max(axis=1).sum()) // LARGEST_SUM)
    values = np.sign(values) * ((np.abs(values) + step // 2) // step)
    observed, reach = abs(int(values[:, who].sum())), int(np.abs(values).max(axis=1).sum())
    ways = np.zeros(2 * reach + 1)
    ways[reach] = 1.0
    for row, there, many in zip(values, took_part, people.tolist(), strict=True):
        steps, times = np.unique(row[there], return_counts=True)
        moved = np.zeros_like(ways)
        for by, number in zip(steps.tolist(), times.tolist(), strict=True):
            kept = ways[max(0, -by) : len(ways) - max(0, by)]
            moved[max(0, by) : max(0, by) + len(kept)] += kept * (number / many)
        ways = moved
    far = np.abs(np.arange(-reach, reach + 1)) >= observed
    return min(1.0, math.fsum(ways[far].tolist()))


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
    reached, position = np.unique((keys[:, None] + moves).ravel(), return_inverse=True)
    return reached, sums_by(position, (ways[:, None] * choices).ravel(), len(reached))


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
    FEW_DOCUMENTS = "too few documents or units have a disagreement for so many categories"
    MANY_CATEGORIES = "too many pairs of categories are confused to test them together"
    NO_VARIATION = (
        "every document or unit differs in the same way, so that nothing can be said of its variation"
    )


class TestMethod(StrEnum):
    """How a p value was computed; a closed list."""

    EXACT = "exact"
    CHI_SQUARE = "chi-square"
    F = "F distribution, as Hotelling's test"


def bowker(table: ContingencyTable, _setting: Setting) -> SymmetryTest:
    """Test whether each two categories are confused equally often in both directions (Bowker 1948)."""
    rows = np.flatnonzero(table.row != table.column)
    row, column = table.row[rows], table.column[rows]
    both = np.minimum(row, column), np.maximum(row, column)
    kinds = np.ravel_multi_index(both, (table.categories, table.categories))
    return _test(table, rows, (kinds, np.where(row < column, 1, -1)))


def stuart_maxwell(table: ContingencyTable, _setting: Setting) -> SymmetryTest:
    """Test whether both annotators use each category equally often (Stuart 1955, Maxwell 1970)."""
    return _stuart_maxwell(table)


@lru_cache(maxsize=1)
def _stuart_maxwell(table: ContingencyTable) -> SymmetryTest:
    rows = np.flatnonzero(table.row != table.column)
    ones = np.ones_like(rows)
    return _test(table, rows, (table.row[rows], ones), (table.column[rows], -ones))


def mcnemar(table: ContingencyTable, setting: Setting) -> SymmetryTest | None:
    """Test whether both annotators mark equally often (McNemar 1947); None where no unit can be unmarked."""
    category = setting.non_annotated
    if category == NO_CATEGORY:
        return None
    rows = np.flatnonzero((table.row == category) != (table.column == category))
    return _test(table, rows, (np.zeros_like(rows), np.where(table.row[rows] == category, 1, -1)))


def rater_bias(whole: ContingencyTable, setting: Setting) -> SymmetryTest | None:
    """Test whether one annotator gives the higher category more often than the other.

    None where categories have no order. (above - below)² / (above + below) over the units on
    which the two differ: McNemar's test of who is higher (Bishop, Fienberg and Holland 1975; R's
    irr::rater.bias).
    """
    values = setting.values
    if values is None:
        return None
    table = rated_only(whole, setting)
    sign = np.sign(values[table.row] - values[table.column]).astype(np.int64)
    rows = np.flatnonzero(sign)
    return _test(table, rows, (np.zeros_like(rows), sign[rows]))


def bhapkar(table: ContingencyTable, _setting: Setting) -> SymmetryTest:
    """Test what the Stuart-Maxwell test does, as Bhapkar (1966) has it.

    V is the covariance of the differences about their mean, not about zero, so that with G independent units
    the statistic is X / (1 - X / G), X being Stuart's and Maxwell's: larger, and as large for large G. Where
    documents are known they are the G, and the statistic is G / (G - 1) times Hotelling's T² of their sums: p
    comes from F, as chi-square would find far too many differences in some dozens of documents. Whatever the
    signs of the differences, either statistic orders outcomes alike, so that an exact p value is the same.
    """
    stuart = _stuart_maxwell(table)
    if stuart.statistic is None or stuart.degrees is None:
        return stuart
    groups = table.documents + int(table.n[table.document == NO_DOCUMENT].sum())
    remainder = 1 - stuart.statistic / groups
    if remainder <= ROUNDING:
        nothing = dict.fromkeys(("statistic", "degrees", "p", "method"))
        return stuart.model_copy(update={**nothing, "undefined": NoTest.NO_VARIATION})
    statistic = stuart.statistic / remainder
    test = stuart.model_copy(update={"statistic": statistic})
    if stuart.method == TestMethod.EXACT:
        return test
    if not stuart.by_document:
        p = chi_square_above(stuart.degrees, statistic)
        return test.model_copy(update={"p": p, "least_p": None})
    free = groups - stuart.degrees
    p = f_above(stuart.degrees, free, free * statistic / (groups * stuart.degrees))
    return test.model_copy(update={"p": p, "least_p": None, "method": TestMethod.F})


def _test(table: ContingencyTable, rows: Codes, *moves: tuple[Codes, Codes]) -> SymmetryTest:
    """Test that differences have mean zero, from their sums by document.

    `rows` are the entries of the table that differ; one unit of each moves the dimension of a code by 1 or
    -1, once for each of `moves`. The statistic is D' V⁻ D with D the sum over documents and V the sum of
    their squares; with each unit a document of its own it is the classical one.
    """
    by_document = bool((table.document[rows] != NO_DOCUMENT).any())
    plain = SymmetryTest(by_document=by_document, discordant=int(table.n[rows].sum()))
    used = np.unique([codes for codes, _ in moves])
    if len(rows) == 0 or len(used) > MOST_DIMENSIONS:
        return plain.model_copy(update={"undefined": _why_none(table, rows)})
    steps = np.zeros((len(rows), len(used)), dtype=np.int64)
    for codes, sign in moves:
        steps[np.arange(len(rows)), np.searchsorted(used, codes)] = sign
    sums, times = _document_sums(table, rows, steps)
    if len(times) == 0:
        return plain.model_copy(update={"undefined": NoTest.BALANCED})
    return _tested(plain, sums, times)


def _why_none(table: ContingencyTable, rows: Codes) -> NoTest:
    if len(rows):
        return NoTest.MANY_CATEGORIES
    if table.units == 0:
        return NoTest.NO_UNITS
    return NoTest.NO_DIFFERENCE if table.disagreements else NoTest.NO_DISAGREEMENT


def _tested(plain: SymmetryTest, sums: Codes, times: Codes) -> SymmetryTest:
    """Return the test of distinct sums of differences, each found in so many clusters."""
    forms, degrees = quadratic_forms(sums, times, (sums * times[:, None]).sum(axis=0)[None, :])
    statistic = float(forms[0])
    outcome = {"statistic": statistic, "degrees": degrees}
    exact = exact_p(sums, times, statistic) if plain.discordant < EXACT_BELOW else None
    if exact is not None:
        p, least = exact
        return plain.model_copy(update={**outcome, "p": p, "least_p": least, "method": TestMethod.EXACT})
    clusters = int(times.sum())
    if clusters < 2 * degrees:
        return plain.model_copy(update={"undefined": NoTest.FEW_DOCUMENTS})
    # With a variance about zero the statistic is never more than the clusters that differ.
    p, least = (chi_square_above(degrees, far) for far in (statistic, clusters))
    return plain.model_copy(update={**outcome, "p": p, "least_p": least, "method": TestMethod.CHI_SQUARE})


def _document_sums(table: ContingencyTable, rows: Codes, steps: Codes) -> tuple[Codes, Codes]:
    """Return sums of differences (sums, dimensions) that are not zero, and how many clusters have each.

    Units without a document are clusters of their own.
    """
    document, n = table.document[rows], table.n[rows]
    in_document = document != NO_DOCUMENT
    here = document[in_document]
    _, position = ranks(here, int(here.max(initial=-1)) + 1)
    sums = np.zeros((int(position.max(initial=-1)) + 1, steps.shape[1]), dtype=np.int64)
    moved, times = steps[in_document], n[in_document]
    row, column = np.nonzero(moved)
    np.add.at(sums.reshape(-1), position[row] * steps.shape[1] + column, moved[row, column] * times[row])
    every = np.concatenate([sums, steps[~in_document]])
    times = np.concatenate([np.ones(len(sums), dtype=np.int64), n[~in_document]])
    moving = every.any(axis=1)
    return every[moving], times[moving]
