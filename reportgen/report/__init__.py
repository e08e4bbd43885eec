"""What is read: pages, Markdown, tables and figures, made from results alone, without any statistic."""

from reportgen.report.numbers import estimate, figure, interval, message
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
    "estimate",
    "figure",
    "interval",
    "message",
    "summary",
    "version_files",
    "write_campaign",
    "write_index",
    "write_version",
]
