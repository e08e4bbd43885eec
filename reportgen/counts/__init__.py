"""What is counted? Long, sparse, integer tables, additive over documents."""

from reportgen.counts.comparisons import (
    comparisons_csv,
    count_comparisons,
    keys_and_others,
    shared_units,
    table_of_labels,
)
from reportgen.counts.credits import KINDS, CreditCounts, count_credits, credits_csv
from reportgen.counts.export import counts_csv
from reportgen.counts.pairs import PairTable, pair_table, pair_tables
from reportgen.counts.spans import OUTCOMES, SpanCounts, count_spans, spans_csv, starts
from reportgen.counts.tables import AnnotatorCounts, Counts, PairCounts, ProfileCounts, count
from reportgen.counts.tally import distinct_rows, tally

__all__ = [
    "KINDS",
    "OUTCOMES",
    "AnnotatorCounts",
    "Counts",
    "CreditCounts",
    "PairCounts",
    "PairTable",
    "ProfileCounts",
    "SpanCounts",
    "comparisons_csv",
    "count",
    "count_comparisons",
    "count_credits",
    "count_spans",
    "counts_csv",
    "credits_csv",
    "distinct_rows",
    "keys_and_others",
    "pair_table",
    "pair_tables",
    "shared_units",
    "spans_csv",
    "starts",
    "table_of_labels",
    "tally",
]
