"""Does somebody agree with the others less, or more, as the documents go on?"""

from dataclasses import dataclass

import numpy as np

from reportgen.annotators.annotator_vs_rest import PairableRatings, has_documents, sums
from reportgen.measures import LEVEL, ConfidenceInterval, Estimate, Floats, Method, NoInterval, t_quantile
from reportgen.measures.difference_tests import holm, two_sided
from reportgen.measures.figures import figure
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import Block, Drift

BLOCKS = 5
# Fewer documents than these do not show a trend.
LEAST_DOCUMENTS = 10
LINE = 2
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class _DocumentSums:
    """Sums over each annotator's documents in their order: columns (documents of annotators,).

    `place` runs from 0 to 1 within an annotator, `rank` from 0; `groups` (annotators,) is how many there are.
    """

    annotator: Codes
    rank: Codes
    place: Floats
    units: Codes
    total: Floats
    groups: Codes


def drifts(ratings: PairableRatings) -> list[Drift | None]:
    """Return each annotator's drift, in the order of their codes; None with fewer than ten documents.

    The order is that of documents in the export; of units, where no document is known. Tables, whose cells
    stand for several units, have no order.
    """
    if not has_documents(ratings) and (ratings.weight > 1).any():
        return [None] * len(ratings.annotators)
    size, own = len(ratings.annotators), ratings.with_others
    blocks = _blocks(_by_document(ratings, own), size)
    lines = _lines(_by_document(ratings, own - ratings.among_others if beside_others(ratings) else own), size)
    method = Method.BY_DOCUMENT if has_documents(ratings) else Method.BY_UNIT
    fitted = [_drift(blocks, lines, place, method) for place in range(size)]
    adjusted = holm([each.p if each else None for each in fitted])
    return [
        each and each.model_copy(update={"adjusted_p": p}) for each, p in zip(fitted, adjusted, strict=True)
    ]


def beside_others(ratings: PairableRatings) -> bool:
    """Tell whether slopes are those of agreement with the others less that of the others among themselves.

    They are where any unit has a third rating: hard documents late in the order then look like no drift.
    """
    return not bool(np.isnan(ratings.among_others).all())


def _by_document(ratings: PairableRatings, values: Floats) -> _DocumentSums:
    """Return the sums of values (ratings,), NaN for none, over documents, or units where none is known."""
    in_order = ~np.isnan(values)
    if has_documents(ratings):
        in_order &= ratings.document != NO_DOCUMENT
    order = ratings.document if has_documents(ratings) else ratings.unit
    size = int(order.max(initial=0)) + 1
    keys, where = np.unique(ratings.annotator[in_order] * size + order[in_order], return_inverse=True)
    where = where.reshape(-1)
    who = keys // size
    groups = np.bincount(who, minlength=len(ratings.annotators))
    rank = np.arange(len(keys), dtype=np.int64) - (np.cumsum(groups) - groups)[who]
    weight = ratings.weight[in_order]
    units = np.zeros(len(keys), dtype=np.int64)
    np.add.at(units, where, weight)
    return _DocumentSums(
        annotator=who,
        rank=rank,
        place=rank / np.maximum(groups[who] - 1, 1),
        units=units,
        total=sums(where, weight * values[in_order], len(keys)),
        groups=groups,
    )


@dataclass(frozen=True, eq=False)
class _RegressionLines:
    """Each annotator's straight line (annotators,): units and documents, slope and its standard error."""

    units: Floats
    groups: Codes
    slope: Floats
    error: Floats


def _lines(found: _DocumentSums, size: int) -> _RegressionLines:
    """Return the lines of least squares, units weighing alike.

    The error is that of leaving out one document after the other, by its influence and leverage h:
    sqrt((G-1)/G Σ_g ((x_g - x̄) Σ_{i in g} e_i / (1 - h_g))²) / S_xx (Bell and McCaffrey 2002).
    """
    who = found.annotator
    units = np.maximum(sums(who, found.units, size), 1)
    middle, mean = sums(who, found.units * found.place, size) / units, sums(who, found.total, size) / units
    across = found.place - middle[who]
    spread = sums(who, found.units * across * across, size)
    slope, error = np.zeros(size), np.zeros(size)
    np.divide(sums(who, across * found.total, size), spread, out=slope, where=spread > 0)
    spread_there = np.where(spread > 0, spread, 1.0)[who]
    left = 1 - found.units * (1 / units[who] + across * across / spread_there)
    score = across * (found.total - found.units * (mean[who] + slope[who] * across))
    np.divide(score, left, out=score, where=left > ROUNDING)
    squares = sums(who, score * score, size) * (found.groups - 1) / np.maximum(found.groups, 1)
    np.divide(np.sqrt(squares), spread, out=error, where=spread > 0)
    return _RegressionLines(units, found.groups, slope, error)


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Each annotator's blocks of documents: sums (annotators, blocks)."""

    documents: Codes
    units: Floats
    total: Floats


def _blocks(found: _DocumentSums, size: int) -> _Blocks:
    who = found.annotator
    block = who * BLOCKS + found.rank * BLOCKS // np.maximum(found.groups[who], 1)
    cells, shape = size * BLOCKS, (size, BLOCKS)
    return _Blocks(
        documents=np.bincount(block, minlength=cells).reshape(shape),
        units=sums(block, found.units, cells).reshape(shape),
        total=sums(block, found.total, cells).reshape(shape),
    )


def _drift(blocks: _Blocks, lines: _RegressionLines, place: int, method: Method) -> Drift | None:
    columns = (each[place].tolist() for each in (blocks.documents, blocks.units, blocks.total))
    shown = tuple(
        Block(documents=documents, units=int(units), agreement=total / units)
        for documents, units, total in zip(*columns, strict=True)
        if units
    )
    groups, units = int(lines.groups[place]), int(lines.units[place])
    slope, error = float(lines.slope[place]), float(lines.error[place])
    if groups < LEAST_DOCUMENTS:
        return None
    if error < ROUNDING:
        flat = Estimate(slope, units, interval=NoInterval.NO_VARIATION, recomputable=False)
        return Drift(documents=groups, blocks=shown, slope=figure(flat))
    half = t_quantile(groups - LINE) * error
    ends = ConfidenceInterval(slope - half, slope + half, LEVEL, method)
    estimate = Estimate(slope, units, standard_error=error, interval=ends, recomputable=False)
    p = two_sided(slope / error, groups - LINE)
    return Drift(documents=groups, blocks=shown, slope=figure(estimate), p=p)
