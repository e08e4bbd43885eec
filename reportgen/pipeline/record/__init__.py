"""From what was computed to the models of results.json and texts.json."""

from reportgen.pipeline.record.comparisons import ComputedComparisons, crowd_csv
from reportgen.pipeline.record.definitions import definitions, explanation, settings, weightings
from reportgen.pipeline.record.marks import bdm_tables, left_out_csv, span_tables
from reportgen.pipeline.record.texts import record_texts
from reportgen.pipeline.record.unit_sets import by_design, cells_csv, choose, pairs_csv, record_unit_set
from reportgen.pipeline.record.version import VersionAnalysis, record, tool

__all__ = [
    "ComputedComparisons",
    "VersionAnalysis",
    "bdm_tables",
    "by_design",
    "cells_csv",
    "choose",
    "crowd_csv",
    "definitions",
    "explanation",
    "left_out_csv",
    "pairs_csv",
    "record",
    "record_texts",
    "record_unit_set",
    "settings",
    "span_tables",
    "tool",
    "weightings",
]
