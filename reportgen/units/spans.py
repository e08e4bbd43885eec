"""Marks as spans, and which mark of one is which of the other: the best pairing, and the one of GATE."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, did_you_mean
from reportgen.campaign import ALL, DistanceMatrix
from reportgen.readers import Annotations, Codes, TextMarks
from reportgen.readers.counted import SpanCounts, TypePairs
from reportgen.results.marks import CASE_KINDS, Spelling
from reportgen.units.categories import natural_order
from reportgen.units.labels import Mask, all_equal_row_pairs, ranges, sums_by
from reportgen.units.segmentation import to_stretches, tokenise
from reportgen.units.unit_sets import (
    SEEN,
    ExportParticipants,
    LayerSettings,
    everybody,
    order_of_copies,
    participants_of,
)

# The first of two is the key that the other is compared with.
ROLES = ("reference", "annotator", "system", "model")
# Two of the same kind are compared only where they are annotators.
KIND = {"reference": 0, "annotator": 1, "system": 2, "model": 2}
ABSENT = -1


@dataclass(frozen=True, eq=False)
class Credit:
    """What two types earn as a pair, by the distance of the name `id`.

    `matrix` (types, types) is 1 - δ, from 0 to 1 with a diagonal of 1. Where a table goes beyond 1, distances
    are divided by the largest between two types, `divisor`, which is 1 otherwise.
    """

    id: str
    matrix: npt.NDArray[np.float64]
    divisor: float = 1.0


@dataclass(frozen=True, eq=False, kw_only=True)
class SpanFrame:
    """Whose marks of one layer are compared, and where: all that figures of spans need beside their counts.

    - `people` and `roles`: who saw a document: references, annotators, systems and models, in this order.
    - `saw` (documents, people): who saw which document; `tokens` (documents,): how many tokens each has.
    - `types`: the labels in use, the declared ones first.
    - `derived`: who of the people is a reference made from annotators' marks, and so not independent.
    - `doubled`: how many marks said what another of the same person says of the same text.
    - `counts`: of an export of counts what became of the marks, which are not known themselves;
      `credits` are then the pairs of different types by each distance that earned credit.
    """

    layer: str
    documents: tuple[str, ...]
    tokens: Codes
    people: tuple[str, ...]
    roles: tuple[str, ...]
    saw: Mask
    types: tuple[str, ...]
    features: tuple[str, ...] = ()
    feature_match: str = "equal"
    beta: float = 1.0
    spellings: tuple[Spelling, ...] = ()
    derived: tuple[str, ...] = ()
    doubled: int = 0
    counts: SpanCounts | None = None
    credits: tuple[tuple[Credit, TypePairs], ...] = ()

    @property
    def annotators(self) -> tuple[str, ...]:
        """Return who is an annotator."""
        return tuple(name for name, role in zip(self.people, self.roles, strict=True) if role == "annotator")

    @cached_property
    def annotates(self) -> Mask:
        """Tell who is an annotator (people,)."""
        return np.array([role == "annotator" for role in self.roles], dtype=np.bool_)

    def both_annotate(self, first: Codes, second: Codes) -> Mask:
        """Tell of which two people both are annotators."""
        both: Mask = self.annotates[first] & self.annotates[second]
        return both

    def renamed(self, names: Mapping[str, str]) -> Self | None:
        """Return the same under other names of types, None where that makes one type of several.

        Counts do not tell which marks of types that become one are pairs.
        """
        types = tuple(dict.fromkeys(names.get(name, name) for name in self.types))
        return replace(self, types=types) if len(types) == len(self.types) else None

    def made_from(self, key: int, other: int) -> bool:
        """Tell whether somebody is a reference made from marks of which the other's are a part."""
        return self.people[key] in self.derived and self.roles[other] == "annotator"

    def compared(self, first: Codes, second: Codes) -> Mask:
        """Say of pairs of people which are compared: `first` is the key, and comes first in `people`."""
        kind = np.array([KIND[role] for role in self.roles], dtype=np.int64)
        compared: Mask = (first < second) & ((kind[first] < kind[second]) | self.both_annotate(first, second))
        return compared


# What counts.json says of marks in texts under the same names.
SPANS_DESCRIBED = ("people", "roles", "types", "features", "feature_match", "doubled")


@dataclass(frozen=True, eq=False, kw_only=True)
class Spans(SpanFrame):
    """The marks of one layer, those of everybody's first copy of each document.

    Marks of one person that say the same of the same text, which is a slip, are one.

    - `lengths` (documents,): how many code points each document has; milliseconds where it is a recording.
    - `document`, `person`, `type` (marks,): whose mark is where, in the order of the texts; `mark` is its
      number in the export.
    - `stretch` (marks,): the same number for marks of one document that cover the same text.
    - `values` (marks, features): code of the value of each significant feature, ABSENT where there is none.
    - `span_mark`, `span_start`, `span_end` (stretches,): what each mark covers, ends exclusive.
    """

    lengths: Codes
    document: Codes
    person: Codes
    type: Codes
    mark: Codes
    stretch: Codes
    values: Codes
    span_mark: Codes
    span_start: Codes
    span_end: Codes

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same under other names of types; marks of one person that now say the same are one."""
        return super().renamed(names) or self._merged(names)

    def _merged(self, names: Mapping[str, str]) -> Self:
        types = tuple(dict.fromkeys(names.get(name, name) for name in self.types))
        code = np.array([types.index(names.get(name, name)) for name in self.types], dtype=np.int64)
        kind = code[self.type]
        rows = np.column_stack([self.document, self.stretch, kind, self.person, self.values])
        order = np.unique(rows, axis=0, return_index=True)[1]
        order = order[np.lexsort((self.mark[order], kind[order], self.stretch[order], self.document[order]))]
        new_number = np.full(len(kind), ABSENT, dtype=np.int64)
        new_number[order] = np.arange(len(order))
        spans_left = np.flatnonzero(new_number[self.span_mark] != ABSENT)
        return replace(
            self,
            types=types,
            document=self.document[order],
            person=self.person[order],
            type=kind[order],
            mark=self.mark[order],
            stretch=self.stretch[order],
            values=self.values[order],
            span_mark=new_number[self.span_mark[spans_left]],
            span_start=self.span_start[spans_left],
            span_end=self.span_end[spans_left],
            doubled=self.doubled + len(kind) - len(order),
        )


def spans(annotations: Annotations, content: TextMarks, request: LayerSettings) -> Spans:
    """Return the marks of a layer as spans; one labelled as not annotated is no mark.

    Raises BadInput for a significant feature that no mark of the layer has.
    """
    task = request.task
    _require_features(content, request)
    every = natural_order({name for features in content.features for name in features})
    features = tuple(every) if ALL in task.features else task.features
    participants = participants_of(annotations, request)
    present, person, copies, saw = _who_saw(annotations, participants)
    # The labels in use, the declared ones in their order, then the others.
    occurring = [name for name in content.labels if name != task.non_annotated]
    declared = [name for name in task.categories if name in occurring]
    types = (*declared, *natural_order(name for name in occurring if name not in declared))
    code = np.array([types.index(name) if name in types else ABSENT for name in content.labels] or [0])
    stretch, who, type_code = to_stretches(content).unit, person[content.annotator], code[content.label]
    counting = np.flatnonzero(copies[content.document, content.annotator] & (type_code != ABSENT))
    keys = (counting, type_code[counting], stretch[counting], content.document[counting])
    order = counting[np.lexsort(keys)]
    values, spellings = _values(content, order, features)
    # Of marks of one person, type, stretch of text and values the first counts.
    rows = np.column_stack([stretch[order], type_code[order], who[order], values])
    single = np.sort(np.unique(rows, axis=0, return_index=True)[1])
    order, values, doubled = order[single], values[single], len(order) - len(single)
    new_number = np.full(len(content.label), ABSENT, dtype=np.int64)
    new_number[order] = np.arange(len(order))
    spans_left = np.flatnonzero(new_number[content.span_mark] != ABSENT)
    tokens = tokenise(content.texts).document
    return Spans(
        layer=request.layer,
        documents=content.documents,
        tokens=np.bincount(tokens, minlength=len(content.texts)),
        lengths=np.array(content.extents, dtype=np.int64),
        people=tuple(participants.names[code] for code in present),
        roles=tuple(participants.roles[code] for code in present),
        saw=saw,
        types=types,
        document=content.document[order],
        person=who[order],
        type=type_code[order],
        mark=order,
        stretch=stretch[order],
        values=values,
        span_mark=new_number[content.span_mark[spans_left]],
        span_start=content.span_start[spans_left],
        span_end=content.span_end[spans_left],
        features=features,
        feature_match=task.feature_match,
        beta=task.beta,
        spellings=spellings,
        derived=annotations.derived,
        doubled=doubled,
    )


def _require_features(content: TextMarks, request: LayerSettings) -> None:
    occurring = list(dict.fromkeys(name for mark_features in content.features for name in mark_features))
    unknown = [name for name in request.task.features if name not in (*occurring, ALL)]
    if unknown and len(content.label):
        message = f'no mark of layer "{request.layer}" has the feature "{{}}".'
        other = "Name it under the layer that has it."
        raise BadInput(
            request.problem("task.features", message.format(name), did_you_mean(name, occurring) or other)
            for name in unknown
        )


def _who_saw(
    annotations: Annotations, participants: ExportParticipants
) -> tuple[list[int], Codes, Mask, Mask]:
    """Return who saw a document, who of them is behind each name, which copies count, and who saw which.

    People are told by the code of their name, references first; copies are (documents, names), documents
    seen (documents, people).
    """
    persons, attendance = everybody(participants), annotations.attendance
    saw_copy = np.zeros((len(annotations.content.documents), len(participants.names)), dtype=np.bool_)
    if attendance is not None:
        saw_copy = attendance >= SEEN
    seeing = np.unique(persons.person[saw_copy.any(axis=0)]).tolist()
    present = sorted(
        seeing, key=lambda code: (ROLES.index(participants.roles[code]), participants.names[code])
    )
    person = np.full(len(participants.names), ABSENT, dtype=np.int64)
    saw = np.zeros((len(saw_copy), len(present)), dtype=np.bool_)
    for position, code in enumerate(present):
        person[persons.person == code] = position
        saw[:, position] = saw_copy[:, persons.person == code].any(axis=1)
    return present, person, order_of_copies(saw_copy, persons) == 0, saw


def _values(content: TextMarks, marks: Codes, features: Sequence[str]) -> tuple[Codes, tuple[Spelling, ...]]:
    """Return the codes of the features' values (marks, features), and values that differ in spelling only."""
    values = np.full((len(marks), len(features)), ABSENT, dtype=np.int64)
    spellings: list[Spelling] = []
    for column_index, name in enumerate(features):
        code_of: dict[str, int] = {}
        column = [content.features[mark].get(name) if content.features else None for mark in marks.tolist()]
        codes = [ABSENT if value is None else code_of.setdefault(value, len(code_of)) for value in column]
        values[:, column_index] = np.array(codes, dtype=np.int64)
        times = np.bincount(values[values[:, column_index] != ABSENT, column_index], minlength=len(code_of))
        spellings += _spellings(name, dict(zip(code_of, times.tolist(), strict=True)))
    return values, tuple(spellings)


def _spellings(feature: str, times: Mapping[str, int]) -> list[Spelling]:
    """Return the values, with how often each occurs, that are the same but for their spelling."""
    groups: dict[str, list[str]] = {}
    for value in times:
        groups.setdefault(_as_one(value), []).append(value)
    variants = [sorted(group) for group in groups.values() if len(group) > 1]
    return [
        Spelling(feature=feature, values=tuple(group), marks=sum(times[value] for value in group))
        for group in variants
    ]


def _as_one(value: str) -> str:
    """Return a spelling that numbers and truth values have in common; other values stay as they are."""
    plain = value.strip().casefold()
    try:
        number = float(plain)
    except ValueError:
        return plain if plain in ("true", "false") else f"text {value}"
    return repr(number) if math.isfinite(number) else f"text {value}"


# Which marks of two people could be a pair: of one type, and sharing a character or covering the same.


@dataclass(frozen=True, eq=False)
class OverlappingPairs:
    """Marks of one type, in one document, of two people who are compared; sorted by both marks.

    - `first`, `second` (candidates,): the marks; the first is the key's.
    - `exact`: whether they cover the same text, to the character and stretch by stretch.
    - `agrees`: whether their significant features agree.
    - `shared`: how many characters both cover; 0 only where both are of zero length.
    """

    first: Codes
    second: Codes
    exact: Mask
    agrees: Mask
    shared: Codes


def candidates(spans: Spans) -> OverlappingPairs:
    """Return all marks that could be pairs; one of zero length can be with its equal only."""
    marks = max(len(spans.type), 1)
    overlapping, characters = _overlapping(spans, marks)
    keys, pair = np.unique(np.concatenate([overlapping, _of_zero_length(spans, marks)]), return_inverse=True)
    shared = sums_by(pair[: len(overlapping)], characters, len(keys))
    first, second = keys // marks, keys % marks
    exact = spans.stretch[first] == spans.stretch[second]
    # Whether significant features agree: all of them, or those that the key has.
    key, response = spans.values[first], spans.values[second]
    same = key == response
    if spans.feature_match == "subset":
        same |= key == ABSENT
    agree: Mask = same.all(axis=1)
    return OverlappingPairs(first, second, exact, agree, shared)


def _overlapping(spans: Spans, marks: int) -> tuple[Codes, Codes]:
    """Return every two stretches that share characters, as a key of their marks, and how many those are.

    Stretches of one document and type are on a line of their own, sorted by where they begin: those that
    begin before another ends share a character with it.
    """
    real = np.flatnonzero(spans.span_end > spans.span_start)
    mark = spans.span_mark[real]
    line = spans.document[mark] * len(spans.types) + spans.type[mark]
    base = line * (int(spans.span_end.max(initial=0)) + 1)
    begin, end = base + spans.span_start[real], base + spans.span_end[real]
    order = np.lexsort((end, begin))
    mark, begin, end = mark[order], begin[order], end[order]
    first, second = ranges(np.arange(1, len(begin) + 1), np.searchsorted(begin, end, side="left"))
    key, compared = _keyed(spans, mark[first], mark[second], marks)
    shared = np.minimum(end[first], end[second]) - begin[second]
    return key, shared[compared]


def _of_zero_length(spans: Spans, marks: int) -> Codes:
    """Return every two marks of zero length at the same place, as a key."""
    length = sums_by(spans.span_mark, spans.span_end - spans.span_start, len(spans.type))
    empty = np.flatnonzero(length == 0)
    order = empty[np.lexsort((spans.type[empty], spans.stretch[empty]))]
    first, second = all_equal_row_pairs(spans.stretch[order], spans.type[order])
    return _keyed(spans, order[first], order[second], marks)[0]


def _keyed(spans: Spans, mark: Codes, partner: Codes, marks: int) -> tuple[Codes, Mask]:
    """Return a key of the two marks, the key's first, and which of them are of people who are compared."""
    swap = spans.person[mark] > spans.person[partner]
    first, second = np.where(swap, partner, mark), np.where(swap, mark, partner)
    compared = spans.compared(spans.person[first], spans.person[second])
    return (first * marks + second)[compared], compared


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
