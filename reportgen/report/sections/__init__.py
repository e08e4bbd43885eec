"""The sections of a report: each a function from what a report shows to blocks, or to none."""

from reportgen.report.sections import pairs, people
from reportgen.report.sections.agreement import confusion_matrix, specific_agreement
from reportgen.report.sections.categories import distances, sets, symmetry
from reportgen.report.sections.coefficients import FURTHER, coefficients, further_page
from reportgen.report.sections.marks import spans, unitizing
from reportgen.report.sections.method import cite, data, methods, provenance
from reportgen.report.sections.opening import fix_first, limits_of_figures, what_to_do
from reportgen.report.sections.pairs import matrix_page, pair_page, pairs_page, who_agrees
from reportgen.report.sections.people import adjudication, quality, quality_page
from reportgen.report.sections.systems import comparisons, models, systems
from reportgen.report.sections.units import size_curve, unit_sets

__all__ = [
    "FURTHER",
    "adjudication",
    "cite",
    "coefficients",
    "comparisons",
    "confusion_matrix",
    "data",
    "distances",
    "fix_first",
    "further_page",
    "limits_of_figures",
    "matrix_page",
    "methods",
    "models",
    "pair_page",
    "pairs",
    "pairs_page",
    "people",
    "provenance",
    "quality",
    "quality_page",
    "sets",
    "size_curve",
    "spans",
    "specific_agreement",
    "symmetry",
    "systems",
    "unit_sets",
    "unitizing",
    "what_to_do",
    "who_agrees",
]
