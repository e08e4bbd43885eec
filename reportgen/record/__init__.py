"""From what was computed to the models of results.json and texts.json."""

from reportgen.record.choice import by_design, choose
from reportgen.record.comparisons import ComputedComparisons, crowd_csv
from reportgen.record.credits import bdm_tables
from reportgen.record.definitions import definitions, explanation, weightings
from reportgen.record.marks import left_out_csv
from reportgen.record.pairs import cells_csv, pairs_csv
from reportgen.record.quality import quality_tables
from reportgen.record.settings import settings
from reportgen.record.spans import span_tables
from reportgen.record.texts import record_texts
from reportgen.record.unit_sets import record_unit_set
from reportgen.record.whole import Computed, record, tool

__all__ = [
    "Computed",
    "ComputedComparisons",
    "bdm_tables",
    "by_design",
    "cells_csv",
    "choose",
    "crowd_csv",
    "definitions",
    "explanation",
    "left_out_csv",
    "pairs_csv",
    "quality_tables",
    "record",
    "record_texts",
    "record_unit_set",
    "settings",
    "span_tables",
    "tool",
    "weightings",
]
