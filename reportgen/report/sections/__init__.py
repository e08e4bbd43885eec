"""The sections of a report: each a function from what a report shows to blocks, or to none."""

from reportgen.report.sections.agreement import confusion_matrix, specific_agreement
from reportgen.report.sections.categories import distances, sets, symmetry
from reportgen.report.sections.coefficients import FURTHER, coefficients, further_page
from reportgen.report.sections.method import cite, data, methods, provenance
from reportgen.report.sections.units import size_curve, unit_sets

__all__ = [
    "FURTHER",
    "cite",
    "coefficients",
    "confusion_matrix",
    "data",
    "distances",
    "further_page",
    "methods",
    "provenance",
    "sets",
    "size_curve",
    "specific_agreement",
    "symmetry",
    "unit_sets",
]
