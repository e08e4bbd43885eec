"""How to cite a report."""

import re

from reportgen.report.bibtex import entry, people, title
from reportgen.report.language import pgettext, say
from reportgen.report.tex import field
from reportgen.results import Results


def _authors(results: Results) -> list[str]:
    return [author.name for author in results.campaign.authors]


def _year(results: Results) -> str:
    return (results.revision.date or "")[:4]


def text(results: Results) -> str:
    """Return one sentence that cites the report."""
    authors = ", ".join(_authors(results))
    year = f" ({_year(results)})" if _year(results) else ""
    title, made = _title(results), f"{_made(results)}."
    return f"{authors}{year}. {title}. {made}" if authors else f"{title}{year}. {made}"


def _title(results: Results) -> str:
    return say(
        "{campaign}: agreement report, guidelines {version}",
        campaign=results.campaign.title,
        version=results.guidelines,
    )


def _made(results: Results) -> str:
    message = pgettext("citation", "Made with {tool} {version}")
    return message.format(tool=results.tool.name, version=results.tool.version)


def key(results: Results) -> str:
    """Return what papers cite the report by."""
    return re.sub(r"[^A-Za-z0-9-]", "-", f"{results.campaign.id}-{results.guidelines}-agreement")


def bibtex(results: Results) -> str:
    """Return a BibTeX entry for the report, its values made harmless for LaTeX."""
    authors = people(_authors(results))
    fields = {
        "author": authors,
        "title": title(_title(results)),
        "year": _year(results),
        "note": field(_made(results)),
        # What an entry without authors is sorted by.
        "key": "" if authors else title(results.campaign.title),
    }
    return entry("misc", key(results), fields)
