"""Marks of which only counts are known, as a folder of counts has them."""

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.formats.mark_tables import SpanTable, TypePairs
from reportgen.study.crediting import Credit
from reportgen.study.spans import SpanFrame


@dataclass(frozen=True, eq=False, kw_only=True)
class CountedSpans(SpanFrame):
    """One layer's marks as counts.

    `table` says what became of them, `differs` how many outcomes GATE's pairing has not, by people; `credits`
    are the pairs of different types by each distance that earned credit.
    """

    table: SpanTable
    differs: Mapping[tuple[int, int], int]
    credits: tuple[tuple[Credit, TypePairs], ...] = ()
