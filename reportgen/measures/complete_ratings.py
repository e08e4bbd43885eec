"""The units that all annotators rated, as a complete table of units by annotators."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from reportgen.counts import ContingencyTable
from reportgen.measures.estimate import Clusters, Estimate, Floats, Undefined, no_estimate, with_interval
from reportgen.measures.setting import Setting
from reportgen.readers import NO_DOCUMENT, Codes

PAIR = 2


@dataclass(frozen=True, eq=False)
class Complete:
    """Units that every annotator rated with a number.

    `codes` (rows, annotators) are the different rows of labels, sorted. `document`, `row` and `n` say how
    many units of each document have each. `reason` is why there is no unit, where there is none.
    """

    codes: Codes
    document: Codes
    row: Codes
    n: Codes
    reason: Undefined

    @cached_property
    def times(self) -> Codes:
        """Return how many units have each row of labels (rows,)."""
        times = np.zeros(len(self.codes), dtype=np.int64)
        np.add.at(times, self.row, self.n)
        return times

    @cached_property
    def units(self) -> int:
        """Return how many units there are."""
        return int(self.n.sum())

    @property
    def annotators(self) -> int:
        """Return how many annotators there are."""
        return int(self.codes.shape[1])

    @cached_property
    def disagreements(self) -> int:
        """Return on how many units not all ratings are the same."""
        return int(self.times[(self.codes != self.codes[:, :1]).any(axis=1)].sum())

    @cached_property
    def clusters(self) -> Clusters:
        """Return what influence values (rows,) are clustered by; of two annotators, as of their table."""
        documents = len(np.unique(self.document[self.document != NO_DOCUMENT]))
        known = documents > 0
        return Clusters(
            self.document,
            self.row,
            self.n,
            self.units,
            documents or self.units,
            known,
            known or self.annotators > PAIR,
        )


def placed(setting: Setting) -> npt.NDArray[np.bool_]:
    """Tell for each category whether it has a place on the scale: it is a number, and not "not annotated"."""
    if setting.values is None:
        return np.zeros(0, dtype=np.bool_)
    kept: npt.NDArray[np.bool_] = np.isfinite(setting.values)
    kept[np.arange(len(kept)) == setting.non_annotated] = False
    return kept


def complete(codes: Codes, document: Codes, n: Codes, reason: Undefined) -> Complete:
    """Return the table of labels (units, annotators), of which each row stands for `n` units of a document.

    Equal rows are joined, so that figures do not hang on the order of units, not even in their last digit.
    """
    row = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        row = np.unique(row * (int(codes.max(initial=0)) + 1) + column, return_inverse=True)[1].reshape(-1)
    first = np.unique(row, return_index=True)[1]
    return Complete(codes[first], document, row, n, reason)


def complete_of_pair(table: ContingencyTable, setting: Setting) -> Complete:
    """Return the units of a pair that both gave a number."""
    number = placed(setting)
    kept = number[table.row] & number[table.column] & (table.n > 0)
    codes = np.stack([table.row[kept], table.column[kept]], axis=1)
    return complete(codes, table.document[kept], table.n[kept], Undefined.NO_UNITS)


def too_few(table: Complete) -> Estimate:
    """Return the undefined figure of a table with no unit, or with one."""
    return no_estimate(Undefined.ONE_UNIT if table.units else table.reason, table.units)


def from_complete(table: Complete, estimate: Estimate, influence: Floats, low: float) -> Estimate:
    """Return an estimate with its interval, given the influence of each row (rows,) and the least value."""
    return with_interval(estimate, influence, table.clusters, (low, 1.0), disagreements=table.disagreements)


# Second moments of a complete table of ratings, and how much each unit moves them.
#
# With T the mean variance of an annotator's ratings, C the mean covariance of two annotators', and M the
# variance of the annotators' means, the mean squares of a two-way analysis of variance over n units and k
# annotators are MS_units = T + (k - 1)C, MS_error = T - C and MS_annotators = nM.

TWO = 2


@dataclass(frozen=True, eq=False)
class Moments:
    """Second moments of a complete table, with divisor n, and how much each of its rows moves them (rows,).

    `variance` is T, `covariance` C, `spread` M; `sampled` is n / (n - 1).
    """

    variance: float
    covariance: float
    spread: float
    sampled: float
    of_variance: Floats
    of_covariance: Floats
    of_spread: Floats


def moments(numbers: Floats, n: Floats) -> Moments:
    """Return the moments of numbers (rows, annotators) of which each row stands for `n` units (rows,).

    There are two units or more, and two annotators or more.
    """
    units, annotators = float(n.sum()), numbers.shape[1]
    shifted = numbers - numbers.min()
    constant = (shifted == shifted[:1]).all(axis=0)
    means = np.where(constant, shifted[0], (n[:, None] * shifted).sum(axis=0) / units)
    apart = shifted - means
    squares, square = (apart * apart).sum(axis=1), apart.sum(axis=1) ** 2
    of_variance = squares / annotators
    of_covariance = (square - squares) / (annotators * (annotators - 1))
    variance, covariance = (float((n * each).sum()) / units for each in (of_variance, of_covariance))
    off = means - float(means.sum()) / annotators if np.ptp(means) > 0 else np.zeros(annotators)
    return Moments(
        variance=variance,
        covariance=covariance,
        spread=float((off * off).sum()) / (annotators - 1),
        sampled=units / (units - 1),
        of_variance=of_variance - variance,
        of_covariance=of_covariance - covariance,
        of_spread=TWO * (apart * off).sum(axis=1) / (annotators - 1),
    )
