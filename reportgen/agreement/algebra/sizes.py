"""Coefficients at other sizes of the non-annotated category, and what they tend to as it grows."""

from dataclasses import replace

import numpy as np

from reportgen.agreement.algebra.along import Along
from reportgen.agreement.algebra.dual import Dual
from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.algebra.rows import TOTALS, Rows
from reportgen.agreement.estimate import Floats
from reportgen.study import Codes


def grown(total: Rows, category: int, annotators: int, units: Codes) -> Rows:
    """Return sums with so many units in all (rows,), those beyond `total` given one category by everybody."""
    more = units - total.units[0]
    labels = {}
    for name, known in total.labels.items():
        rows = np.repeat(known, len(units), axis=0)
        rows[:, category] += more * (annotators if name == TOTALS else 1)
        labels[name] = rows
    ratings = total.ratings[0] + annotators * more
    return replace(total, units=units.astype(np.float64), ratings=ratings, labels=labels)


def limit(formula: Formula, total: Rows, category: int, annotators: int) -> float | None:
    """Return what a coefficient tends to as units that everybody gives one category grow without bound.

    f(T + k e) is f(e + T / k), e being the sums of one such unit, at which nothing is observed apart: where
    chance gives no disagreement either, what is left is the ratio of how both begin to move. None where
    chance still gives none.
    """
    observed, expected = formula(Along(_one(total, category, annotators), total))
    if not isinstance(expected, Dual) or expected.value > 0:
        return 1.0
    rises = float(expected.slope[0])
    return 1 - float(observed.slope[0]) / rises if rises > 0 else None


def _one(total: Rows, category: int, annotators: int) -> Rows:
    """Return the sums of one unit that everybody gives a category."""

    def only(name: str) -> Floats:
        found = np.zeros_like(total.labels[name])
        found[0, category] = annotators if name == TOTALS else 1
        return found

    one, none = np.ones(1), np.zeros(1)
    labels = {name: only(name) for name in total.labels}
    return Rows(total.scale, one, annotators * one, none, none, labels)
