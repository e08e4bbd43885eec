"""The sections of a report: each a function from what a report shows to blocks, or to none."""

from reportgen.report.sections.agreement import specific_agreement

__all__ = ["specific_agreement"]
