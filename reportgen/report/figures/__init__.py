"""Figures as SVG: drawn by matplotlib under its own defaults, restyled by the page."""

from reportgen.report.figures.comparisons import comparisons
from reportgen.report.figures.plots import CurveLabels, confusion_heat_map, size_curve, specific_agreement
from reportgen.report.figures.svg import dark_rules, standalone

__all__ = [
    "CurveLabels",
    "comparisons",
    "confusion_heat_map",
    "dark_rules",
    "size_curve",
    "specific_agreement",
    "standalone",
]
