"""What is read: pages, Markdown, tables and figures, made from results alone, without any statistic."""

from reportgen.report.explained import catalogue_markdown, entry_fields
from reportgen.report.numbers import estimate, figure, interval, message
from reportgen.report.sets import sentence as sets_sentence
from reportgen.report.site import (
    CampaignSummary,
    VersionSummary,
    summary,
    version_files,
    write_campaign,
    write_index,
    write_version,
)

__all__ = [
    "CampaignSummary",
    "VersionSummary",
    "catalogue_markdown",
    "entry_fields",
    "estimate",
    "figure",
    "interval",
    "message",
    "sets_sentence",
    "summary",
    "version_files",
    "write_campaign",
    "write_index",
    "write_version",
]
