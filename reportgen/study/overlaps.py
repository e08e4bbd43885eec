"""Which marks of two people could be a pair: of one type, and sharing a character or covering the same."""

from dataclasses import dataclass

import numpy as np

from reportgen.formats import Codes
from reportgen.study.people import Mask
from reportgen.study.spans import ABSENT, Spans


@dataclass(frozen=True, eq=False)
class Candidates:
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


def candidates(spans: Spans) -> Candidates:
    """Return all marks that could be pairs; one of zero length can be with its equal only."""
    marks = max(len(spans.type), 1)
    overlapping, characters = _overlapping(spans, marks)
    keys, place = np.unique(np.concatenate([overlapping, _of_zero_length(spans, marks)]), return_inverse=True)
    shared = np.zeros(len(keys), dtype=np.int64)
    np.add.at(shared, place[: len(overlapping)], characters)
    first, second = keys // marks, keys % marks
    exact = spans.stretch[first] == spans.stretch[second]
    return Candidates(first, second, exact, _features_agree(spans, first, second), shared)


def _overlapping(spans: Spans, marks: int) -> tuple[Codes, Codes]:
    """Return every two stretches that share characters, as a key of their marks, and how many those are.

    Stretches of one document and type stand on a line of their own, sorted by where they begin: those that
    begin before another ends share a character with it.
    """
    real = np.flatnonzero(spans.span_end > spans.span_start)
    mark = spans.span_mark[real]
    line = spans.document[mark] * len(spans.types) + spans.type[mark]
    base = line * (int(spans.span_end.max(initial=0)) + 1)
    begin, end = base + spans.span_start[real], base + spans.span_end[real]
    order = np.lexsort((end, begin))
    mark, begin, end = mark[order], begin[order], end[order]
    number = np.searchsorted(begin, end, side="left") - np.arange(len(begin)) - 1
    one = np.repeat(np.arange(len(begin)), number)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(number) - number, number)
    key, kept = _keyed(spans, mark[one], mark[other], marks)
    shared = np.minimum(end[one], end[other]) - begin[other]
    return key, shared[kept]


def _of_zero_length(spans: Spans, marks: int) -> Codes:
    """Return every two marks of zero length that stand at the same place, as a key."""
    length = np.zeros(len(spans.type), dtype=np.int64)
    np.add.at(length, spans.span_mark, spans.span_end - spans.span_start)
    empty = np.flatnonzero(length == 0)
    order = empty[np.lexsort((spans.type[empty], spans.stretch[empty]))]
    stretch, kind = spans.stretch[order], spans.type[order]
    found = [order[:0]]
    for distance in range(1, len(order)):
        same = (stretch[distance:] == stretch[:-distance]) & (kind[distance:] == kind[:-distance])
        one = np.flatnonzero(same)
        if len(one) == 0:
            break
        found.append(_keyed(spans, order[one], order[one + distance], marks)[0])
    return np.concatenate(found)


def _keyed(spans: Spans, one: Codes, other: Codes, marks: int) -> tuple[Codes, Mask]:
    """Return a key of the two marks, the key's first, and which of them are of people who are compared."""
    swap = spans.person[one] > spans.person[other]
    first, second = np.where(swap, other, one), np.where(swap, one, other)
    kept = spans.compared(spans.person[first], spans.person[second])
    return (first * marks + second)[kept], kept


def _features_agree(spans: Spans, first: Codes, second: Codes) -> Mask:
    """Say whether significant features agree: all of them, or those that the key has."""
    key, response = spans.values[first], spans.values[second]
    same = key == response
    if spans.feature_match == "subset":
        same |= key == ABSENT
    agree: Mask = same.all(axis=1)
    return agree
