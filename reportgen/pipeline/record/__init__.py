"""From what was computed to the models of results.json and texts.json."""

from reportgen.pipeline.record.definitions import definitions, explanation, settings, weightings
from reportgen.pipeline.record.unit_sets import by_design, cells_csv, choose, pairs_csv, record_unit_set
from reportgen.pipeline.record.version import VersionAnalysis, record, tool

__all__ = [
    "VersionAnalysis",
    "by_design",
    "cells_csv",
    "choose",
    "definitions",
    "explanation",
    "pairs_csv",
    "record",
    "record_unit_set",
    "settings",
    "tool",
    "weightings",
]
