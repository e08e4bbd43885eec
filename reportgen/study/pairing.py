"""Which mark of one is which mark of the other: the best pairing, and the one that GATE would choose."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reportgen.formats import Codes
from reportgen.study.overlaps import Candidates, candidates
from reportgen.study.people import Mask
from reportgen.study.spans import Spans

# Beyond this a float holds no longer every whole number.
WHOLE = 2**53
# What GATE's AnnotationDiffer values: a match, a partial one, the same text with other features.
CORRECT, PARTIAL, MISMATCH, WRONG = 3, 2, 1, 0


@dataclass(frozen=True, eq=False)
class Pairing:
    """The marks of every two people that are pairs, each mark being in one pair of these two at most.

    - `first`, `second`, `exact` (pairs,): the marks, the key's first, and whether they cover the same text;
      the others merely share a character.
    - `differs_first`, `differs_second`, `differs`: people, and how many outcomes GATE's greedy pairing has
      not, where there are such.
    """

    first: Codes
    second: Codes
    exact: Mask
    differs_first: Codes
    differs_second: Codes
    differs: Codes


def pair_marks(spans: Spans) -> Pairing:
    """Return the pairing with most exact pairs, then most others, then most characters in common.

    Marks that overlap directly or through others are solved together, as an assignment (Crouse 2016).
    GATE takes candidates by a score that is fixed beforehand, best first, and may end with fewer pairs.
    """
    found = candidates(spans)
    component = components(spans, found)
    best, greedy = found.agrees.copy(), found.agrees.copy()
    for rows in together(component):
        part = Candidates(*(column[rows] for column in vars(found).values()))
        best[rows] = _best(part)
        greedy[rows] = _greedy(part)
    people = spans.person[found.first] * len(spans.people) + spans.person[found.second]
    pairs, n = _differences(found, component, people, best, greedy)
    return Pairing(
        found.first[best],
        found.second[best],
        found.exact[best],
        pairs // max(len(spans.people), 1),
        pairs % max(len(spans.people), 1),
        n,
    )


def components(spans: Spans, found: Candidates) -> Codes:
    """Return for each candidate which others it hangs together with, through marks of the same two people."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    people = len(spans.people)
    ends = np.concatenate(
        [
            found.first * people + spans.person[found.second],
            found.second * people + spans.person[found.first],
        ]
    )
    nodes, node = np.unique(ends, return_inverse=True)
    one, other = node[: len(found.first)], node[len(found.first) :]
    graph = coo_matrix((np.ones(len(one), dtype=np.int8), (one, other)), shape=(len(nodes), len(nodes)))
    labels = connected_components(graph, directed=False)[1].astype(np.int64)
    component: Codes = labels[one]
    return component


def together(component: Codes) -> Iterator[Codes]:
    """Yield the candidates of each component that has several, in their order."""
    order = np.argsort(component, kind="stable")
    starts = np.flatnonzero(np.diff(component[order], prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(order)]):
        if end - start > 1:
            yield order[start:end]


def _best(part: Candidates) -> Mask:
    """Say which candidates of a component are pairs."""
    from scipy.optimize import linear_sum_assignment

    rows, row = np.unique(part.first, return_inverse=True)
    columns, column = np.unique(part.second, return_inverse=True)
    weights = np.zeros((len(rows), len(columns)))
    weights[row, column] = np.where(part.agrees, _weights(part, row, len(rows), len(columns)), 0)
    chosen = np.full(len(rows), -1, dtype=np.int64)
    chosen_rows, chosen_columns = linear_sum_assignment(weights, maximize=True)
    chosen[chosen_rows] = chosen_columns
    best: Mask = part.agrees & (chosen[row] == column)
    return best


def _weights(part: Candidates, row: Codes, rows: int, columns: int) -> Codes:
    """Return whole numbers: an exact pair outweighs all others, another all characters.

    Where they would be too large for whole numbers, characters are left out of account, on which no count
    depends.
    """
    most = np.zeros(rows, dtype=np.int64)
    np.maximum.at(most, row, part.shared)
    unit, pairs, shared = 1 + int(most.sum()), min(rows, columns), part.shared
    if (pairs + 1) * (pairs + 2) * unit >= WHOLE:
        unit, shared = 1, np.zeros_like(shared)
    return np.where(part.exact, (pairs + 1) * unit, unit) + shared


def _greedy(part: Candidates) -> Mask:
    """Say which candidates of a component GATE's AnnotationDiffer makes pairs.

    A candidate's score is its value less those of all that exclude it; the best comes first, of equal ones
    the later in the text. Candidates whose features differ take part, and their marks are then alone.
    """
    same = np.where(part.exact, CORRECT, PARTIAL)
    value = np.where(part.agrees, same, np.where(part.exact, MISMATCH, WRONG))
    row, column = (np.unique(marks, return_inverse=True)[1] for marks in (part.first, part.second))
    sums = [np.zeros(int(codes.max()) + 1, dtype=np.int64) for codes in (row, column)]
    np.add.at(sums[0], row, value)
    np.add.at(sums[1], column, value)
    score = 3 * value - sums[0][row] - sums[1][column]
    free = [np.ones(len(each), dtype=np.bool_) for each in sums]
    taken = np.zeros(len(row), dtype=np.bool_)
    for place in np.lexsort((-np.arange(len(row)), -score)).tolist():
        if free[0][row[place]] and free[1][column[place]]:
            free[0][row[place]] = free[1][column[place]] = False
            taken[place] = True
    chosen: Mask = taken & part.agrees
    return chosen


def _differences(
    found: Candidates, component: Codes, people: Codes, best: Mask, greedy: Mask
) -> tuple[Codes, Codes]:
    """Return the pairs of people for whom the two pairings differ, and how many outcomes of the best one.

    An outcome is a match, an overlap or a mark that is alone; those of a component are compared by number.
    """
    size = int(component.max(initial=-1)) + 1

    def more(kind: Mask) -> Codes:
        counted = [np.bincount(component[chosen & kind], minlength=size) for chosen in (best, greedy)]
        return counted[0] - counted[1]

    exact, partial = more(found.exact), more(~found.exact)
    alone = -(exact + partial)
    n = np.maximum(exact, 0) + np.maximum(partial, 0) + 2 * np.maximum(alone, 0)
    of = np.zeros(size, dtype=np.int64)
    of[component] = people
    pairs, place = np.unique(of[n > 0], return_inverse=True)
    sums = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(sums, place, n[n > 0])
    return pairs, sums
