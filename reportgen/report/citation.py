"""How to cite a report."""

import re

from reportgen.results import Results

UNSAFE = re.compile(r"[{}\\\"%#&$_^~]")


def _authors(results: Results) -> list[str]:
    return [author.name for author in results.campaign.authors]


def _year(results: Results) -> str:
    return (results.revision.date or "")[:4]


def text(results: Results) -> str:
    """Return one sentence that cites the report."""
    authors = ", ".join(_authors(results))
    year = f" ({_year(results)})" if _year(results) else ""
    title = f"{results.campaign.title}: agreement report, guidelines {results.guidelines}"
    made = f"Made with {results.tool.name} {results.tool.version}."
    return f"{authors}{year}. {title}. {made}" if authors else f"{title}{year}. {made}"


def bibtex(results: Results) -> str:
    """Return a BibTeX entry for the report, its values made harmless for LaTeX."""
    key = re.sub(r"[^A-Za-z0-9-]", "-", f"{results.campaign.id}-{results.guidelines}-agreement")
    title = f"{results.campaign.title}: agreement report, guidelines {results.guidelines}"
    fields = {
        "author": " and ".join(_plain(name) for name in _authors(results)),
        "title": _plain(title),
        "year": _year(results),
        "note": f"Made with {results.tool.name} {results.tool.version}",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@techreport{{{key},", *lines, "}"])


def _plain(value: str) -> str:
    return UNSAFE.sub(lambda found: "\\" + found.group() if found.group() in "%#&$_{}" else " ", value)
