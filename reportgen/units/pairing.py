"""Which mark of one is which mark of the other: the best pairing, and the one that GATE would choose."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import pairwise

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import DistanceMatrix
from reportgen.readers import Codes
from reportgen.results.marks import CASE_KINDS
from reportgen.units.coded import Mask, sums_by
from reportgen.units.marked_spans import Credit, OverlappingPairs, SpanFrame, Spans, candidates

# Beyond this a float can't be every whole number.
WHOLE = 2**53
# What GATE's AnnotationDiffer values: a match, a partial one, the same text with other features.
CORRECT, PARTIAL, MISMATCH, WRONG = 3, 2, 1, 0


@dataclass(frozen=True, eq=False)
class Pairing:
    """The marks of every two people that are pairs, each mark being in one pair of these two at most.

    - `first`, `second`, `exact` (pairs,): the marks, the key's first, and whether they cover the same text;
      the others merely share a character.
    - `differs`: by two people, how many outcomes GATE's greedy pairing has not, where there are such.
    """

    first: Codes
    second: Codes
    exact: Mask
    differs: Mapping[tuple[int, int], int] = field(default_factory=dict)


def pair_marks(spans: Spans) -> Pairing:
    """Return the pairing with most exact pairs, then most others, then most characters in common.

    Marks that overlap directly or through others are solved together, as an assignment (Crouse 2016).
    GATE takes candidates by a score that is fixed beforehand, best first, and may end with fewer pairs.
    """
    overlapping = candidates(spans)
    component = components(spans, overlapping)
    best, greedy = overlapping.agrees.copy(), overlapping.agrees.copy()
    for rows in by_component(component):
        part = selected(overlapping, rows)
        best[rows] = part.agrees & _assigned(part, partial(_weights, part))
        greedy[rows] = _greedy(part)
    people = spans.person[overlapping.first] * len(spans.people) + spans.person[overlapping.second]
    pairs, n = _differences(overlapping, component, people, best, greedy)
    differs = {
        divmod(pair, len(spans.people)): times for pair, times in zip(pairs.tolist(), n.tolist(), strict=True)
    }
    return Pairing(overlapping.first[best], overlapping.second[best], overlapping.exact[best], differs)


def components(spans: Spans, overlapping: OverlappingPairs) -> Codes:
    """Return for each candidate which others it hangs together with, through marks of the same two people."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    first, second = overlapping.first, overlapping.second
    ends = np.concatenate([_with_person(spans, first, second), _with_person(spans, second, first)])
    nodes, node = np.unique(ends, return_inverse=True)
    ends_of_first, ends_of_second = np.split(node, [len(first)])
    edges = np.ones(len(first), dtype=np.int8), (ends_of_first, ends_of_second)
    graph = coo_matrix(edges, shape=(len(nodes), len(nodes)))
    labels = connected_components(graph, directed=False)[1].astype(np.int64)
    return labels[ends_of_first]


def _with_person(spans: Spans, mark: Codes, other: Codes) -> Codes:
    """Return a number for each mark and the person of the other mark that it is paired with."""
    return mark * len(spans.people) + spans.person[other]


def by_component(component: Codes) -> Iterator[Codes]:
    """Yield the candidates of each component that has several, in their order."""
    order = np.argsort(component, kind="stable")
    starts = np.flatnonzero(np.diff(component[order], prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(order)]):
        if end - start > 1:
            yield order[start:end]


def _assigned(part: OverlappingPairs, earned: Callable[[Codes, int, int], Codes]) -> Mask:
    """Say which candidates of a component are pairs, so that most is earned: the assignment of Crouse (2016).

    `earned` returns what each candidate is worth, given the row of each and how many rows and columns.
    """
    from scipy.optimize import linear_sum_assignment

    rows, row = np.unique(part.first, return_inverse=True)
    columns, column = np.unique(part.second, return_inverse=True)
    weights = np.zeros((len(rows), len(columns)))
    weights[row, column] = earned(row, len(rows), len(columns))
    chosen = np.full(len(rows), -1, dtype=np.int64)
    chosen_rows, chosen_columns = linear_sum_assignment(weights, maximize=True)
    chosen[chosen_rows] = chosen_columns
    best: Mask = chosen[row] == column
    return best


def _weights(part: OverlappingPairs, row: Codes, rows: int, columns: int) -> Codes:
    """Return whole numbers: an exact pair outweighs all others, another all characters.

    Where they would be too large for whole numbers, characters are left out of account, on which no count
    depends.
    """
    most = np.zeros(rows, dtype=np.int64)
    np.maximum.at(most, row, part.shared)
    unit, pairs, shared = 1 + int(most.sum()), min(rows, columns), part.shared
    if (pairs + 1) * (pairs + 2) * unit >= WHOLE:
        unit, shared = 1, np.zeros_like(shared)
    worth = np.where(part.exact, (pairs + 1) * unit, unit) + shared
    return np.where(part.agrees, worth, 0)


def _greedy(part: OverlappingPairs) -> Mask:
    """Say which candidates of a component GATE's AnnotationDiffer makes pairs.

    A candidate's score is its value less those of all that exclude it; the best comes first, of equal ones
    the later in the text. Candidates whose features differ take part, and their marks are then alone.
    """
    same = np.where(part.exact, CORRECT, PARTIAL)
    value = np.where(part.agrees, same, np.where(part.exact, MISMATCH, WRONG))
    row, column = (np.unique(marks, return_inverse=True)[1] for marks in (part.first, part.second))
    sums = [sums_by(codes, value, int(codes.max()) + 1) for codes in (row, column)]
    score = 3 * value - sums[0][row] - sums[1][column]
    free = [np.ones(len(exclusions), dtype=np.bool_) for exclusions in sums]
    paired = np.zeros(len(row), dtype=np.bool_)
    for candidate in np.lexsort((-np.arange(len(row)), -score)).tolist():
        if free[0][row[candidate]] and free[1][column[candidate]]:
            free[0][row[candidate]] = free[1][column[candidate]] = False
            paired[candidate] = True
    return paired & part.agrees


def _differences(
    overlapping: OverlappingPairs, component: Codes, people: Codes, best: Mask, greedy: Mask
) -> tuple[Codes, Codes]:
    """Return the pairs of people for whom the two pairings differ, and how many outcomes of the best one.

    An outcome is a match, an overlap or a mark that is alone; those of a component are compared by number.
    """
    size = int(component.max(initial=-1)) + 1

    def more(kind: Mask) -> Codes:
        counted = [np.bincount(component[chosen & kind], minlength=size) for chosen in (best, greedy)]
        return counted[0] - counted[1]

    exact, partial = more(overlapping.exact), more(~overlapping.exact)
    unpaired = -(exact + partial)
    n = np.maximum(exact, 0) + np.maximum(partial, 0) + 2 * np.maximum(unpaired, 0)
    people_of = np.zeros(size, dtype=np.int64)
    people_of[component] = people
    pairs, pair = np.unique(people_of[n > 0], return_inverse=True)
    return pairs, sums_by(pair, n[n > 0], len(pairs))


# Marks of different types as pairs that earn credit: what a distance between types gives spans.
#
# BDM-based precision, recall and F-measure give a mark of a type close to the right one a part of a match
# (Maynard 2005; GATE user guide, 10.5.3). Any declared distance does the same here: a pair earns 1 - δ, which
# for BDM is the score itself.

# Credits are compared by this many parts of one, so that sums of them are whole numbers.
PARTS = 10**6


def credits_of(spans: SpanFrame, tables: Sequence[DistanceMatrix]) -> list[Credit]:
    """Return the credits by each table that knows all types of a layer, which has two at least."""
    has_types = len(spans.types) > 1
    return [
        _credit(spans, table) for table in tables if has_types and set(spans.types) <= set(table.categories)
    ]


def other_distances(spans: SpanFrame, tables: Sequence[DistanceMatrix]) -> list[str]:
    """Return the distances that are not those by which pairs of marks were counted under the same name."""
    counted = {credit.id: credit.matrix for credit, _ in spans.credits}
    recomputed = [credit for credit in credits_of(spans, tables) if credit.id in counted]
    return [credit.id for credit in recomputed if not np.array_equal(credit.matrix, counted[credit.id])]


def _credit(spans: SpanFrame, table: DistanceMatrix) -> Credit:
    places = [table.categories.index(name) for name in spans.types]
    distances = np.array(table.rows, dtype=np.float64)[np.ix_(places, places)]
    divisor = max(float(distances.max()), 1.0)
    return Credit(table.id, 1.0 - distances / divisor, divisor)


def pair_by_credit(spans: Spans, pairing: Pairing, credit: Credit) -> Pairing:
    """Return pairs among the marks that `pairing`, which knows one type at a time, leaves alone.

    First marks that cover the same text are paired, then those that share a character; each time so that the
    sum of credits (to six digits) is the largest, then that of characters in common. Pairs without credit are
    none; significant features have to agree, as within a type.
    """
    overlapping = _across_types(spans, pairing, credit)
    earned = np.rint(PARTS * credit.matrix[spans.type[overlapping.first], spans.type[overlapping.second]])
    return pair_in_turn(spans, overlapping, earned.astype(np.int64))


def pair_in_turn(spans: Spans, overlapping: OverlappingPairs, earned: Codes) -> Pairing:
    """Return which candidates, of marks that are alone, are pairs, given what each earns (candidates,).

    Those that cover the same text come first, then the others, each so that most is earned.
    """
    exact = _chosen(spans, overlapping, earned, overlapping.exact)
    pairs = overlapping.first[exact], overlapping.second[exact]
    first_paired, second_paired = in_pairs(spans, overlapping, *pairs)
    partial = _chosen(spans, overlapping, earned, ~overlapping.exact & ~first_paired & ~second_paired)
    rows = np.concatenate([np.flatnonzero(exact), np.flatnonzero(partial)])
    return Pairing(overlapping.first[rows], overlapping.second[rows], overlapping.exact[rows])


def _across_types(spans: Spans, pairing: Pairing, credit: Credit) -> OverlappingPairs:
    """Return candidates of two types that earn credit, of marks that are alone between the two people."""
    overlapping = of_any_type(spans)
    first, second = spans.type[overlapping.first], spans.type[overlapping.second]
    fits = (first != second) & (credit.matrix[first, second] > 0) & overlapping.agrees
    first_paired, second_paired = in_pairs(spans, overlapping, pairing.first, pairing.second)
    return selected(overlapping, fits & ~first_paired & ~second_paired)


def of_any_type(spans: Spans) -> OverlappingPairs:
    """Return every two marks that share a character or cover the same, whatever their types."""
    return candidates(replace(spans, type=np.zeros_like(spans.type), types=("",)))


def in_pairs(spans: Spans, overlapping: OverlappingPairs, first: Codes, second: Codes) -> tuple[Mask, Mask]:
    """Say of which candidates the first mark is in some pairs of the same two people, and the second."""
    pairs = _with_person(spans, first, second), _with_person(spans, second, first)
    first_paired = np.isin(_with_person(spans, overlapping.first, overlapping.second), pairs[0])
    return first_paired, np.isin(_with_person(spans, overlapping.second, overlapping.first), pairs[1])


def selected(overlapping: OverlappingPairs, chosen: Mask | Codes) -> OverlappingPairs:
    """Return some candidates, given as a mask or by their numbers."""
    return OverlappingPairs(*(column[chosen] for column in vars(overlapping).values()))


def _chosen(spans: Spans, overlapping: OverlappingPairs, earned: Codes, eligible: Mask) -> Mask:
    """Say which of the eligible candidates are pairs; each component is solved as an assignment."""
    places = np.flatnonzero(eligible)
    chosen = eligible.copy()
    for rows in by_component(components(spans, selected(overlapping, places))):
        part = selected(overlapping, places[rows])
        chosen[places[rows]] = _assigned(part, partial(_crediting_weights, part, earned[places[rows]]))
    return chosen


def _crediting_weights(part: OverlappingPairs, earned: Codes, _: Codes, rows: int, columns: int) -> Codes:
    """Return whole numbers: what is earned outweighs all characters, which are left out where many."""
    pairs = min(rows, columns)
    unit = 1 + pairs * int(part.shared.max())
    if (pairs + 1) * (PARTS + 1) * unit >= WHOLE:
        return earned
    return earned * unit + part.shared


# In what way the marks of two people disagree: about boundaries, about the type, or about both.
#
# A mark that no row tells of, and that has no match, is an omission of the other: nothing of the other's
# overlaps it but what matches another mark.

BOUNDARY, TYPE, BOTH, OMISSION = range(len(CASE_KINDS))
# A case is a pair of marks, or a mark without a partner that overlaps one of such a pair.
PAIR, OF_FIRST, OF_SECOND = range(3)


@dataclass(frozen=True, eq=False)
class MarkCases:
    """Marks of two people that overlap and do not match, each case once; pairs come first.

    - `first`, `second` (cases,): the marks; the first is the key's.
    - `kind`: the code of the kind in CASE_KINDS, never an omission. Marks of one type are about boundaries,
      those with the same ends about the type (or about significant features), all others about both.
    - `form`: PAIR, or whose mark is without a partner: where one marks as several what the other marks as
      one, each of the several is a case.
    - `match_first`, `match_second` (matches,): the marks that match.
    """

    first: Codes
    second: Codes
    kind: Codes
    form: Codes
    match_first: Codes
    match_second: Codes


def mark_cases(spans: Spans, pairing: Pairing) -> MarkCases:
    """Return in what way marks disagree; `pairing` has those that match, and those of one type that overlap.

    What it leaves alone is paired whatever its type: first marks that cover the same text, as many as there
    can be, then those that share a character, as many as there can be, with most characters in common.
    """
    overlapping = of_any_type(spans)
    first_paired, second_paired = in_pairs(spans, overlapping, pairing.first, pairing.second)
    unpaired = selected(overlapping, ~first_paired & ~second_paired)
    across = pair_in_turn(spans, unpaired, np.ones_like(unpaired.first))
    first = np.concatenate([pairing.first[~pairing.exact], across.first])
    second = np.concatenate([pairing.second[~pairing.exact], across.second])
    number = len(first) - len(across.first)
    kind = np.concatenate([np.full(number, BOUNDARY), np.where(across.exact, TYPE, BOTH)]).astype(np.int64)
    parts = [(first, second, kind, np.full_like(first, PAIR))]
    matched = pairing.first[pairing.exact], pairing.second[pairing.exact]
    settled, disputed = in_pairs(spans, overlapping, *matched), in_pairs(spans, overlapping, first, second)
    free = [~(by_match | by_case) for by_match, by_case in zip(settled, disputed, strict=True)]
    parts.append(_strays(spans, overlapping, free[0] & disputed[1], OF_FIRST))
    parts.append(_strays(spans, overlapping, free[1] & disputed[0], OF_SECOND))
    first, second, kind, form = (np.concatenate(column) for column in zip(*parts, strict=True))
    return MarkCases(first, second, kind, form, *matched)


def extents(spans: Spans) -> tuple[Codes, Codes]:
    """Return where each mark begins, and where it ends (marks,)."""
    begin = np.full(len(spans.type), np.iinfo(np.int64).max)
    end = np.zeros(len(spans.type), dtype=np.int64)
    np.minimum.at(begin, spans.span_mark, spans.span_start)
    np.maximum.at(end, spans.span_mark, spans.span_end)
    return begin, end


def _strays(
    spans: Spans, overlapping: OverlappingPairs, stray: Mask, form: int
) -> tuple[Codes, Codes, Codes, Codes]:
    """Return the marks without a partner, each with the mark of the other that it is closest to.

    Closest is one of the same type, then one with the same ends, then the one with most characters in common.
    """
    strays = selected(overlapping, stray)
    same = (spans.type[strays.first] == spans.type[strays.second]) & ~strays.exact
    kind = np.where(same, BOUNDARY, np.where(strays.exact, TYPE, BOTH)).astype(np.int64)
    mark, other = (strays.second, strays.first) if form == OF_SECOND else (strays.first, strays.second)
    order = np.lexsort((-strays.shared, kind, spans.person[other], mark))
    chosen = order[np.unique(_with_person(spans, mark, other)[order], return_index=True)[1]]
    return strays.first[chosen], strays.second[chosen], kind[chosen], np.full_like(chosen, form)
