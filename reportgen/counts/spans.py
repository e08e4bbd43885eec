"""What is counted of spans: how the marks of every two people fall out, by document and type."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.counts.tally import is_new, tally
from reportgen.formats.mark_tables import OUTCOMES, TOKENS
from reportgen.study import Codes, CountedSpans, Pairing, SpanFrame, Spans, pair_marks

MATCH, OVERLAP, ONLY_FIRST, ONLY_SECOND = range(4)


@dataclass(frozen=True, eq=False)
class SpanCounts:
    """How often each outcome occurs between `first`, the key, and `second`; additive over documents.

    - `first`, `second`, `document`, `type`, `outcome`, `n` (rows,), sorted in this order.
    - `seen_first`, `seen_second`, `seen_document` (documents,): which document both saw, marked or not.
    - `differs`: how many outcomes GATE's greedy pairing has not, by people.
    """

    first: Codes
    second: Codes
    document: Codes
    type: Codes
    outcome: Codes
    n: Codes
    seen_first: Codes
    seen_second: Codes
    seen_document: Codes
    differs: Mapping[tuple[int, int], int]


def count_spans(spans: Spans | CountedSpans) -> SpanCounts:
    """Return the counts of one layer's spans: under the best pairing, or as an export has them."""
    if isinstance(spans, CountedSpans):
        return _as_counted(spans)
    return count_pairs(spans, pair_marks(spans))


def count_pairs(spans: Spans, pairing: Pairing) -> SpanCounts:
    """Return the counts of one layer's spans under a pairing."""
    seen = seen_by_two(spans)
    parts = [*_marks_of_both(spans, seen), *_pairs(spans, pairing)]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    rows, n = tally(columns[:5], columns[5])
    kept = n > 0
    differs = zip(
        pairing.differs_first.tolist(),
        pairing.differs_second.tolist(),
        pairing.differs.tolist(),
        strict=True,
    )
    by_people = {(first, second): times for first, second, times in differs}
    first, second, document, kind, outcome = (column[kept] for column in rows)
    return SpanCounts(first, second, document, kind, outcome, n[kept], *seen, by_people)


def _as_counted(spans: CountedSpans) -> SpanCounts:
    table = spans.table
    rows = table.first, table.second, table.document, table.type, table.outcome, table.n
    return SpanCounts(*rows, table.seen_first, table.seen_second, table.seen_document, spans.differs)


def seen_by_two(spans: SpanFrame) -> tuple[Codes, Codes, Codes]:
    """Return which two people who are compared saw which document, sorted by both and by document."""
    document, person = np.nonzero(spans.saw)
    found = [(person[:0], person[:0], document[:0])]
    for distance in range(1, len(spans.people)):
        one = np.flatnonzero(document[distance:] == document[:-distance])
        if len(one) == 0:
            break
        first, second = person[one], person[one + distance]
        kept = spans.compared(first, second)
        found.append((first[kept], second[kept], document[one][kept]))
    first, second, where = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((where, second, first))
    return first[order], second[order], where[order]


def _marks_of_both(spans: Spans, seen: tuple[Codes, Codes, Codes]) -> Iterator[tuple[Codes, ...]]:
    """Yield every mark of the first as one that the second lacks, and the other way round."""
    rows, n = tally([spans.document, spans.person, spans.type], np.ones_like(spans.type))
    place = rows[0] * len(spans.people) + rows[1]
    for who, outcome in ((0, ONLY_FIRST), (1, ONLY_SECOND)):
        wanted = seen[2] * len(spans.people) + seen[who]
        low = np.searchsorted(place, wanted, side="left")
        times = np.searchsorted(place, wanted, side="right") - low
        pair = np.repeat(np.arange(len(wanted)), times)
        row = np.repeat(low - np.cumsum(times) + times, times) + np.arange(len(pair))
        fixed = np.full(len(pair), outcome, dtype=np.int64)
        yield (*(column[pair] for column in seen), rows[2][row], fixed, n[row])


def _pairs(spans: Spans, pairing: Pairing) -> Iterator[tuple[Codes, ...]]:
    """Yield each pair as a match or an overlap, and its two marks as no longer alone."""
    first, second = spans.person[pairing.first], spans.person[pairing.second]
    where = first, second, spans.document[pairing.first], spans.type[pairing.first]
    one = np.ones_like(first)
    yield (*where, np.where(pairing.exact, MATCH, OVERLAP), one)
    for outcome in (ONLY_FIRST, ONLY_SECOND):
        yield (*where, np.full_like(first, outcome), -one)


def starts(first: Codes, second: Codes) -> Codes:
    """Return where the rows of each two people begin, of columns sorted by both."""
    return np.flatnonzero(is_new([first, second]))


def spans_csv(counted: Iterable[tuple[SpanFrame, SpanCounts]]) -> str:
    """Return the text of counts/spans.csv.

    A row with the outcome "tokens" and no type stands for a document that both saw, and says how many tokens
    it has.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("layer", "document", "first", "second", "type", "outcome", "n"))
    for spans, counts in counted:
        writer.writerows(_rows(spans, counts))
    return buffer.getvalue()


def _rows(spans: SpanFrame, counts: SpanCounts) -> Iterator[Sequence[object]]:
    people, layer = spans.people, spans.layer
    seen = (counts.seen_first, counts.seen_second, counts.seen_document, spans.tokens[counts.seen_document])
    for first, second, where, n in zip(*(column.tolist() for column in seen), strict=True):
        yield (layer, spans.documents[where], people[first], people[second], "", TOKENS, n)
    columns = (counts.first, counts.second, counts.document, counts.type, counts.outcome, counts.n)
    for first, second, where, kind, outcome, n in zip(*(each.tolist() for each in columns), strict=True):
        names = spans.documents[where], people[first], people[second]
        yield (layer, *names, spans.types[kind], OUTCOMES[outcome], n)
