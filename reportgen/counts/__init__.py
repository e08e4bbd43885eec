"""What is counted? Long, sparse, integer tables, additive over documents."""

from reportgen.counts.export import counts_csv
from reportgen.counts.pairs import PairTable, pair_table, pair_tables
from reportgen.counts.tables import AnnotatorCounts, Counts, PairCounts, ProfileCounts, count

__all__ = [
    "AnnotatorCounts",
    "Counts",
    "PairCounts",
    "PairTable",
    "ProfileCounts",
    "count",
    "counts_csv",
    "pair_table",
    "pair_tables",
]
