"""What is counted? Long, sparse, integer tables, additive over documents."""

from reportgen.counts.export import counts_csv
from reportgen.counts.pairs import PairTable, pair_table, pair_tables
from reportgen.counts.spans import OUTCOMES, SpanCounts, count_spans, spans_csv, starts
from reportgen.counts.tables import AnnotatorCounts, Counts, PairCounts, ProfileCounts, count

__all__ = [
    "OUTCOMES",
    "AnnotatorCounts",
    "Counts",
    "PairCounts",
    "PairTable",
    "ProfileCounts",
    "SpanCounts",
    "count",
    "count_spans",
    "counts_csv",
    "pair_table",
    "pair_tables",
    "spans_csv",
    "starts",
]
