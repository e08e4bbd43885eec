"""Figures as SVG, written by hand: the page's own type and colours, a text alternative, the same bytes."""

from reportgen.report.figures.curve import CurveLabels, Explore, explore, size_curve
from reportgen.report.figures.matrix import confusion_heat_map
from reportgen.report.figures.rows import comparisons, pairs, specific_agreement
from reportgen.report.figures.svg import Drawing, dark_rules, standalone

__all__ = [
    "CurveLabels",
    "Drawing",
    "Explore",
    "comparisons",
    "confusion_heat_map",
    "dark_rules",
    "explore",
    "pairs",
    "size_curve",
    "specific_agreement",
    "standalone",
]
