"""What tells a statement of a report from a publisher's own: the report that it comes from, at its end."""

import re

from reportgen.results import Results

# Identifiers of campaigns and versions hold none of these signs.
SIGNED = re.compile(r" \[agreement report ([A-Za-z0-9][A-Za-z0-9._-]*) ([A-Za-z0-9][A-Za-z0-9._-]*)\]$")


def signed(text: str, results: Results) -> str:
    """Return a statement with the campaign and the version whose report makes it."""
    return f"{text} [agreement report {results.campaign.id} {results.guidelines}]"


def campaign_of(text: object) -> str | None:
    """Return the campaign whose report made a statement, None where somebody else did."""
    found = SIGNED.search(text) if isinstance(text, str) else None
    return found[1] if found else None
