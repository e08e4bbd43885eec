"""A campaign over its guidelines versions: its page, figures, badge and feed, and the list of campaigns."""

from reportgen.report.history.pages import (
    campaign_files,
    campaign_pages,
    history_drawings,
    history_markdown,
    index_html,
)
from reportgen.report.history.words import verdict

__all__ = [
    "campaign_files",
    "campaign_pages",
    "history_drawings",
    "history_markdown",
    "index_html",
    "verdict",
]
