"""What is read: pages, Markdown, tables and figures, made from results alone, without any statistic."""

from reportgen.report.coincidences import sets_sentence
from reportgen.report.comparison import comparison_files, comparison_markdown, comparison_pages
from reportgen.report.formulas import catalogue_markdown, entry_fields
from reportgen.report.history import campaign_files, campaign_pages, history_markdown, index_html, verdict
from reportgen.report.numbers import estimate, figure, interval, message
from reportgen.report.site import (
    version_files,
    version_page,
    version_pages,
    write_checksums,
    write_files,
    write_folder,
    write_index,
    write_version,
)

__all__ = [
    "campaign_files",
    "campaign_pages",
    "catalogue_markdown",
    "comparison_files",
    "comparison_markdown",
    "comparison_pages",
    "entry_fields",
    "estimate",
    "figure",
    "history_markdown",
    "index_html",
    "interval",
    "message",
    "sets_sentence",
    "verdict",
    "version_files",
    "version_page",
    "version_pages",
    "write_checksums",
    "write_files",
    "write_folder",
    "write_index",
    "write_version",
]
