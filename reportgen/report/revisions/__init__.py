"""Two versions side by side: the page of a comparison, its Markdown, tables and figures."""

from reportgen.report.revisions.files import comparison_files, comparison_markdown, comparison_pages
from reportgen.report.revisions.view import ComparisonView

__all__ = ["ComparisonView", "comparison_files", "comparison_markdown", "comparison_pages"]
