"""Two versions side by side: the page of a comparison, its Markdown, tables and figures."""

from reportgen.report.comparison.view import (
    ComparisonView,
    comparison_files,
    comparison_markdown,
    comparison_pages,
)

__all__ = [
    "ComparisonView",
    "comparison_files",
    "comparison_markdown",
    "comparison_pages",
]
