"""Marks as spans: what precision, recall and the F-measure compare, of annotators and of all others."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Self

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, did_you_mean
from reportgen.campaign import ALL, Task
from reportgen.readers import Annotations, Codes, TextMarks
from reportgen.readers.counted import SpanCounts, TypePairs
from reportgen.results.marks import Spelling
from reportgen.units.categories import natural_order
from reportgen.units.coded import (
    SEEN,
    ExportParticipants,
    Mask,
    all_twos,
    everybody,
    order_of_copies,
    ranges,
    sums_by,
)
from reportgen.units.segmentation import to_stretches, tokenise
from reportgen.units.unit_kinds import Request, participants_of

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
        both = (kind[first] == KIND["annotator"]) & (kind[second] == KIND["annotator"])
        compared: Mask = (first < second) & ((kind[first] < kind[second]) | both)
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


def spans(annotations: Annotations, content: TextMarks, request: Request) -> Spans:
    """Return the marks of a layer as spans; one labelled as not annotated is no mark.

    Raises BadInput for a significant feature that no mark of the layer has.
    """
    task = request.task
    _require_features(content, request)
    features = _all_features(content) if ALL in task.features else task.features
    participants = participants_of(annotations, request)
    present, person, copies, saw = _who_saw(annotations, participants)
    types = _types(content, task)
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


def _require_features(content: TextMarks, request: Request) -> None:
    occurring = list(dict.fromkeys(name for mark_features in content.features for name in mark_features))
    unknown = [name for name in request.task.features if name not in (*occurring, ALL)]
    if unknown and len(content.label):
        message = f'no mark of layer "{request.layer}" has the feature "{{}}".'
        other = "Name it under the layer that has it."
        raise BadInput(
            request.problem("task.features", message.format(name), did_you_mean(name, occurring) or other)
            for name in unknown
        )


def _all_features(content: TextMarks) -> tuple[str, ...]:
    """Return every feature that some mark of the layer has, by name."""
    return tuple(natural_order({name for features in content.features for name in features}))


def _types(content: TextMarks, task: Task) -> tuple[str, ...]:
    """Return the labels in use, the declared ones in their order, then the others."""
    occurring = [name for name in content.labels if name != task.non_annotated]
    declared = [name for name in task.categories if name in occurring]
    return (*declared, *natural_order(name for name in occurring if name not in declared))


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
    return OverlappingPairs(first, second, exact, _features_agree(spans, first, second), shared)


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
    first, second = all_twos(spans.stretch[order], spans.type[order])
    return _keyed(spans, order[first], order[second], marks)[0]


def _keyed(spans: Spans, mark: Codes, partner: Codes, marks: int) -> tuple[Codes, Mask]:
    """Return a key of the two marks, the key's first, and which of them are of people who are compared."""
    swap = spans.person[mark] > spans.person[partner]
    first, second = np.where(swap, partner, mark), np.where(swap, mark, partner)
    compared = spans.compared(spans.person[first], spans.person[second])
    return (first * marks + second)[compared], compared


def _features_agree(spans: Spans, first: Codes, second: Codes) -> Mask:
    """Say whether significant features agree: all of them, or those that the key has."""
    key, response = spans.values[first], spans.values[second]
    same = key == response
    if spans.feature_match == "subset":
        same |= key == ABSENT
    agree: Mask = same.all(axis=1)
    return agree
