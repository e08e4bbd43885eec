"""Coefficients of single documents, all at once."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.algebra.parts import Parts, given, names_of
from reportgen.agreement.algebra.rows import TOTALS, OrdinalRows, Rows, mean_ranks, values_of
from reportgen.agreement.estimate import Floats
from reportgen.study import NO_CATEGORY, Codes

# Documents times categories that are added up together.
BLOCK = 4_000_000


def by_document(formula: Formula, parts: Parts, many: int, *, ranks: bool = False) -> tuple[Floats, Floats]:
    """Return a coefficient of each document (documents,), NaN where it is undefined, and its units.

    In the profiles documents are places from 0. Under the ordinal distance of each document's own `ranks`
    the distance of the parts plays no part.
    """
    blocks = [_on_ranks(*each) if ranks else _rows_of(*each) for each in _blocks(parts, many)]
    values = np.concatenate([np.zeros(0), *(values_of(formula, rows) for rows in blocks)])
    return values, np.concatenate([np.zeros(0), *(rows.units for rows in blocks)])


def _blocks(parts: Parts, many: int) -> Iterator[tuple[Parts, int]]:
    """Yield the units of some documents at a time, numbered from 0, and how many documents these are."""
    step = max(1, BLOCK // max(parts.scale.categories, 1))
    if many <= step:
        yield parts, many
        return
    profiles = parts.profiles
    for start in range(0, many, step):
        size = min(step, many - start)
        here = (profiles.document >= start) & (profiles.document < start + size)
        document, kind, n = (each[here] for each in (profiles.document, profiles.profile, profiles.n))
        some = replace(profiles, document=document - start, profile=kind, n=n)
        yield Parts(some, parts.scale), size


def _rows_of(parts: Parts, many: int) -> Rows:
    """Return the sums of each document (documents,)."""
    each = (parts.units, parts.ratings, parts.apart, parts.met)
    units, ratings, apart, met = (_added(parts, values[parts.profiles.profile], many) for values in each)
    labels = {name: _labels_by(parts, name, many) for name in names_of(parts.profiles)}
    return Rows(parts.scale, units, ratings, apart, met, labels)


def _added(parts: Parts, values: Floats, many: int) -> Floats:
    """Return the sums by document of a value of one unit of each entry of the counts."""
    sums = np.bincount(parts.profiles.document, weights=parts.profiles.n * values, minlength=many)
    return sums.astype(np.float64, copy=False)


def _labels_by(parts: Parts, name: str, many: int) -> Floats:
    profiles, (labels, weight) = parts.profiles, given(parts.profiles, name)
    size = profiles.categories
    entry, column = np.nonzero(labels[profiles.profile] != NO_CATEGORY)
    kind = profiles.profile[entry]
    cell: Codes = profiles.document[entry] * size + labels[kind, column]
    found = np.bincount(cell, weights=profiles.n[entry] * weight[kind], minlength=many * size)
    return found.astype(np.float64, copy=False).reshape(many, size)


def _on_ranks(parts: Parts, many: int) -> OrdinalRows:
    """Return the sums of each document under the ordinal distance of its own ranks (documents,).

    Σ over pairs of ratings of (ρ - ρ')² is r Σ ρ² - (Σ ρ)² of a unit's r ratings.
    """
    plain, profiles = _rows_of(parts, many), parts.profiles
    labels = profiles.labels[profiles.profile]
    ranks = mean_ranks(plain.labels[TOTALS])[profiles.document[:, None], labels]
    of_rating = np.where(labels != NO_CATEGORY, ranks, 0.0)
    ratings = profiles.ratings[profiles.profile]
    spread = ratings * (of_rating * of_rating).sum(axis=1) - of_rating.sum(axis=1) ** 2
    met = _added(parts, 2 * np.maximum(spread, 0.0) / np.maximum(ratings - 1, 1), many)
    return OrdinalRows(plain.scale, plain.units, plain.ratings, met, met, plain.labels)
