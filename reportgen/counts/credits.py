"""What is counted of marks of different types that are pairs: by document and by the two types."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.counts.tally import tally
from reportgen.formats.mark_tables import KINDS, TypePairs
from reportgen.study import Codes, CountedSpans, Credit, Pairing, SpanFrame, Spans, pair_by_credit

COEXTENSIVE, OVERLAPPING = range(2)


@dataclass(frozen=True, eq=False)
class CreditCounts:
    """How many pairs of marks of two types there are by one distance; additive over documents.

    `first`, `second`, `document`, `first_type`, `second_type`, `kind`, `n` (rows,), sorted in this order; the
    first of two people is the key.
    """

    credit: Credit
    first: Codes
    second: Codes
    document: Codes
    first_type: Codes
    second_type: Codes
    kind: Codes
    n: Codes


def count_credits(spans: Spans, pairing: Pairing, credit: Credit) -> CreditCounts:
    """Return the counts of pairs of marks that `pairing` leaves alone, under the best pairing by credit."""
    pairs = pair_by_credit(spans, pairing, credit)
    columns = [
        spans.person[pairs.first],
        spans.person[pairs.second],
        spans.document[pairs.first],
        spans.type[pairs.first],
        spans.type[pairs.second],
        np.where(pairs.exact, COEXTENSIVE, OVERLAPPING),
    ]
    (first, second, document, one, other, kind), n = tally(columns, np.ones_like(pairs.first))
    return CreditCounts(credit, first, second, document, one, other, kind, n)


def credits_as_counted(spans: CountedSpans, credited: Iterable[Credit]) -> list[CreditCounts]:
    """Return the counts of pairs of marks of different types, as an export has them.

    Which marks are pairs by a distance that was not counted, nobody knows.
    """
    known = {each.id: table for each, table in spans.credits}
    return [_as_counted(each, known[each.id]) for each in credited if each.id in known]


def _as_counted(credit: Credit, table: TypePairs) -> CreditCounts:
    people, types = (table.first, table.second), (table.first_type, table.second_type)
    return CreditCounts(credit, *people, table.document, *types, table.kind, table.n)


def credits_csv(counted: Iterable[tuple[SpanFrame, Sequence[CreditCounts]]]) -> str:
    """Return the text of counts/type-pairs.csv."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    head = ("layer", "distance", "document", "first", "second", "first_type", "second_type", "kind", "n")
    writer.writerow(head)
    writer.writerows(row for spans, counts in counted for each in counts for row in _rows(spans, each))
    return buffer.getvalue()


def _rows(spans: SpanFrame, counts: CreditCounts) -> Iterator[Sequence[object]]:
    columns = (
        counts.document,
        counts.first,
        counts.second,
        counts.first_type,
        counts.second_type,
        counts.kind,
        counts.n,
    )
    for where, first, second, one, other, kind, n in zip(*(each.tolist() for each in columns), strict=True):
        names = spans.documents[where], spans.people[first], spans.people[second]
        yield (spans.layer, counts.credit.id, *names, spans.types[one], spans.types[other], KINDS[kind], n)
