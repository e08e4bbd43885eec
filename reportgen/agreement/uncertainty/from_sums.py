"""Coefficients of sums over samples of clusters, one for each row of sums."""

from collections.abc import Callable

import numpy as np

from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.algebra.rows import (
    FIRST,
    SECOND,
    SHARES,
    TOTALS,
    OrdinalRows,
    Rows,
    Scale,
    mean_ranks,
    values_of,
)
from reportgen.agreement.distances import Distance, nominal
from reportgen.agreement.estimate import Floats
from reportgen.agreement.uncertainty.sums import Sums

Compute = Callable[[Sums], Floats]


def of_nominal(formula: Formula, categories: int) -> Compute:
    """Return the function that gives a coefficient over so many categories of each row of sums (rows,)."""
    scale = Scale(nominal(categories))

    def compute(sums: Sums) -> Floats:
        return values_of(formula, _rows(sums, scale, sums.one("apart"), sums.one("met")))

    return compute


def with_distance(formula: Formula, matrix: Floats) -> Compute:
    """Return the function that gives alpha with a fixed distance (categories, categories)."""

    def compute(sums: Sums) -> Floats:
        used, (one, other) = sums.layout.used, sums.layout.pairs
        met = (sums.of("pairs") * matrix[used[one], used[other]]).sum(axis=1) / sums.layout.scale
        scale = Scale(Distance("", matrix[np.ix_(used, used)]))
        return values_of(formula, _rows(sums, scale, met, met))

    return compute


def on_ranks(formula: Formula) -> Compute:
    """Return the function that gives alpha with Krippendorff's ordinal distance, of each row's own ranks."""

    def compute(sums: Sums) -> Floats:
        one, other = sums.layout.pairs
        ranks = mean_ranks(sums.of(TOTALS))
        met = (sums.of("pairs") * (ranks[:, one] - ranks[:, other]) ** 2).sum(axis=1) / sums.layout.scale
        plain = _rows(sums, Scale(nominal(len(sums.layout.used))), met, met)
        rows = OrdinalRows(plain.scale, plain.units, plain.ratings, met, met, plain.labels)
        return values_of(formula, rows)

    return compute


def _rows(sums: Sums, scale: Scale, apart: Floats, met: Floats) -> Rows:
    labels = {name: sums.of(name) for name in (TOTALS, SHARES, FIRST, SECOND)}
    return Rows(scale, sums.one("units"), labels[TOTALS].sum(axis=1), apart, met, labels)
