"""What is counted? Long, sparse, integer tables, additive over documents."""

from reportgen.counts.cells import Cells, added_up
from reportgen.counts.comparisons import (
    comparisons_csv,
    count_comparisons,
    everybody_csv,
    keys_and_others,
    shared_units,
    table_of_labels,
)
from reportgen.counts.credits import CreditCounts, count_credits, credits_as_counted, credits_csv
from reportgen.counts.described import counts_json, describe
from reportgen.counts.export import counts_csv
from reportgen.counts.held import require_agreement
from reportgen.counts.kinds import ranks_of_units
from reportgen.counts.mark_cases import (
    ENDS,
    FIRST_LONGER,
    NO_ENDS,
    NO_TYPE,
    SECOND_LONGER,
    CaseCounts,
    count_cases,
)
from reportgen.counts.pairs import PairTable, pair_table, pair_tables
from reportgen.counts.spans import SpanCounts, count_pairs, count_spans, spans_csv, starts
from reportgen.counts.tables import AnnotatorCounts, Counts, PairCounts, ProfileCounts, count
from reportgen.counts.tally import distinct_rows, tally
from reportgen.formats.mark_tables import KINDS, OUTCOMES

__all__ = [
    "ENDS",
    "FIRST_LONGER",
    "KINDS",
    "NO_ENDS",
    "NO_TYPE",
    "OUTCOMES",
    "SECOND_LONGER",
    "AnnotatorCounts",
    "CaseCounts",
    "Cells",
    "Counts",
    "CreditCounts",
    "PairCounts",
    "PairTable",
    "ProfileCounts",
    "SpanCounts",
    "added_up",
    "comparisons_csv",
    "count",
    "count_cases",
    "count_comparisons",
    "count_credits",
    "count_pairs",
    "count_spans",
    "counts_csv",
    "counts_json",
    "credits_as_counted",
    "credits_csv",
    "describe",
    "distinct_rows",
    "everybody_csv",
    "keys_and_others",
    "pair_table",
    "pair_tables",
    "ranks_of_units",
    "require_agreement",
    "shared_units",
    "spans_csv",
    "starts",
    "table_of_labels",
    "tally",
]
