"""The sections of a report: each a function from what a report shows to blocks, or to none."""

from reportgen.report.sections import pairs, people
from reportgen.report.sections.agreement import specific_agreement
from reportgen.report.sections.marks import spans, unitizing
from reportgen.report.sections.pairs import matrix_page, pair_page, pairs_page, who_agrees
from reportgen.report.sections.people import adjudication, quality, quality_page
from reportgen.report.sections.systems import comparisons, models, systems

__all__ = [
    "adjudication",
    "comparisons",
    "matrix_page",
    "models",
    "pair_page",
    "pairs",
    "pairs_page",
    "people",
    "quality",
    "quality_page",
    "spans",
    "specific_agreement",
    "systems",
    "unitizing",
    "who_agrees",
]
