"""The sections of a report: each a function from what a report shows to blocks, or to none."""

from reportgen.report.sections.agreement import specific_agreement
from reportgen.report.sections.opening import fix_first, limits_of_figures, what_to_do

__all__ = ["fix_first", "limits_of_figures", "specific_agreement", "what_to_do"]
