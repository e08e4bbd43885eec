"""How well do two people agree in each document? Observed agreement, kappa and pi, and the cells that differ.

GATE's *Document by document* (chapter 10, classification measures): each document judged by itself. With
more than two annotators a document's coefficients are the means over its pairs. Cohen's kappa (1960) and
Scott's pi (1955) of a document: (A_o - A_e) / (1 - A_e), A_e from the margins of the pair in this document.
"""

from collections.abc import Iterator

import numpy as np

from reportgen.counts import PairCounts, tally
from reportgen.measures.estimate import Floats
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.unit_sets import AgreementByDocument, DocumentAgreement, DocumentCell
from reportgen.units import CodedUnits, Mask
from reportgen.units.coded import sums_by

# Results have so many documents, the worst first; with very many groups of labels nothing is computed.
LEAST_DOCUMENTS, MOST_DOCUMENTS, MOST_GROUPS = 2, 100, 5_000_000
# Cells of a document are listed where so many categories, at most, are used.
MOST_CATEGORIES = 12


def by_document(
    units: CodedUnits, pairs: PairCounts, smallest: int, compared: tuple[str, str] | None = None
) -> AgreementByDocument | None:
    """Return agreement in each document of a unit set, the worst first; None where fewer than two are known.

    `pairs` are those of annotators, or of the two that are `compared`, the key first. Matrices of
    documents are left out where somebody gave a label to fewer than `smallest` units.
    """
    known = pairs.document != NO_DOCUMENT
    size, together = len(units.categories), units.grouped or units.summed
    if together or not known.any() or size * len(pairs.starts) * len(units.documents) > MOST_GROUPS:
        return None
    (document, first, second), n = tally(
        [pairs.document[known], pairs.first[known], pairs.second[known]], pairs.n[known]
    )
    group = _group_of(pairs, known, (document, first, second), len(units.annotators))
    agreed, kappa, pi = _of_groups(pairs, known, group, n, size)
    documents, place = np.unique(document, return_inverse=True)
    if len(documents) < LEAST_DOCUMENTS:
        return None
    whole = sums_by(place, n, len(documents))
    same = sums_by(place, agreed, len(documents))
    means = [_mean(place, values, len(documents)) for values in (kappa, pi)]
    order = np.lexsort((documents, -(whole - same), same / whole))
    shown = order[:MOST_DOCUMENTS].tolist()
    tables = _cells(units, pairs, known, smallest) if len(document) == len(documents) else {}
    key, other = compared or (None, None)
    return AgreementByDocument(
        layer=units.layer,
        unit_set=units.id,
        key=key,
        other=other,
        documents_in_all=len(documents),
        disagreements=int(whole.sum() - same.sum()),
        documents=tuple(
            DocumentAgreement(
                document=units.documents[documents[row]],
                comparisons=int(whole[row]),
                disagreements=int(whole[row] - same[row]),
                observed_agreement=int(same[row]) / int(whole[row]),
                cohen_kappa=_number(means[0][row]),
                scott_pi=_number(means[1][row]),
                cells=tuple(tables.get(int(documents[row]), ())) or None,
            )
            for row in shown
        ),
    )


def _group_of(pairs: PairCounts, known: Mask, groups: tuple[Codes, Codes, Codes], people: int) -> Codes:
    """Return for each row which group it belongs to (rows,): which document and two of so many people."""
    document, first, second = groups
    keys = (document * people + first) * people + second
    rows = (pairs.document[known] * people + pairs.first[known]) * people + pairs.second[known]
    group: Codes = np.searchsorted(keys, rows)
    return group


def _of_groups(
    pairs: PairCounts, known: Mask, group: Codes, n: Codes, size: int
) -> tuple[Codes, Floats, Floats]:
    """Return how often each document's pair agreed, and its kappa and pi, nan where they are undefined."""
    one, other, times = pairs.first_label[known], pairs.second_label[known], pairs.n[known]
    groups = len(n)
    agreed = sums_by(group[one == other], times[one == other], groups)
    rows = sums_by((group, one), times, (groups, size)).astype(np.float64)
    columns = sums_by((group, other), times, (groups, size)).astype(np.float64)
    whole = n.astype(np.float64)
    observed = agreed / whole
    by_each = (rows * columns).sum(axis=1) / (whole * whole)
    both = rows + columns
    by_all = (both * both).sum(axis=1) / (4 * whole * whole)
    return agreed, _beyond(observed, by_each), _beyond(observed, by_all)


def _beyond(observed: Floats, expected: Floats) -> Floats:
    values: Floats = np.full(len(observed), np.nan)
    there = expected < 1
    values[there] = (observed[there] - expected[there]) / (1 - expected[there])
    return values


def _mean(place: Codes, values: Floats, documents: int) -> Floats:
    """Return the mean of each document's pairs that have a value, nan where none has."""
    there = ~np.isnan(values)
    sums = sums_by(place[there], values[there], documents)
    times = sums_by(place[there], np.ones(int(there.sum()), dtype=np.int64), documents)
    means: Floats = np.full(documents, np.nan)
    means[times > 0] = sums[times > 0] / times[times > 0]
    return means


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _cells(units: CodedUnits, pairs: PairCounts, known: Mask, smallest: int) -> dict[int, list[DocumentCell]]:
    """Return each document's confusion matrix, cell by cell; of two people alone, and few categories."""
    used = {*pairs.first_label[known].tolist(), *pairs.second_label[known].tolist()}
    size = len(units.categories)
    uses = [sums_by(side[known], pairs.n[known], size) for side in (pairs.first_label, pairs.second_label)]
    if len(used) > MOST_CATEGORIES or any(((use > 0) & (use < smallest)).any() for use in uses):
        return {}
    found: dict[int, list[DocumentCell]] = {}
    columns = pairs.document[known], pairs.first_label[known], pairs.second_label[known], pairs.n[known]
    for document, cell in _named(units, columns):
        found.setdefault(document, []).append(cell)
    return found


def _named(units: CodedUnits, columns: tuple[Codes, ...]) -> Iterator[tuple[int, DocumentCell]]:
    for document, one, other, n in zip(*(column.tolist() for column in columns), strict=True):
        yield document, DocumentCell(first=units.categories[one], second=units.categories[other], units=n)
