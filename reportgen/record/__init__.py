"""From what was computed to the models of results.json and texts.json."""

from reportgen.record.spans import span_tables
from reportgen.record.texts import record_texts
from reportgen.record.whole import (
    Computed,
    definitions,
    left_out_csv,
    pairs_csv,
    record,
    record_unit_set,
    tool,
)

__all__ = [
    "Computed",
    "definitions",
    "left_out_csv",
    "pairs_csv",
    "record",
    "record_texts",
    "record_unit_set",
    "span_tables",
    "tool",
]
