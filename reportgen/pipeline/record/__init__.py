"""From what was computed to the models of results.json and texts.json."""

from reportgen.pipeline.record.comparisons import ComputedComparisons, crowd_csv

__all__ = [
    "ComputedComparisons",
    "crowd_csv",
]
