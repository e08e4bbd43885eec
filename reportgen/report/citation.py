"""How to cite a report: in a sentence and in BibTeX."""

import re
from collections.abc import Iterable, Mapping

from reportgen.report.escaping import field
from reportgen.results import Results
from reportgen.results.comparison import VersionComparison
from reportgen.words.language import pgettext, say, say_either

# Entries of BibTeX, whose fields nothing from a campaign can close or run.

# A digital object identifier in which nothing is an order of LaTeX; others are in a note, escaped.
DOI = re.compile(r"10\.\d{4,9}/[A-Za-z0-9._;()/:-]+")
# A name with at most one comma that parts it is one of a person; whatever else there is stays as it is.
PERSON = re.compile(r"(?!The )[^,]*[^, ](, [^, ][^,]*)?")
SEVERAL = re.compile(r"\sand\s|^and\s|\sand$|^others$", re.IGNORECASE)


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Return an entry; what is empty is left out."""
    lines = (f"  {name} = {{{value}}}," for name, value in fields.items() if value)
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def title(text: str) -> str:
    """Return a title whose capitals stay as they are."""
    return f"{{{field(text)}}}"


def people(names: Iterable[str]) -> str:
    """Return authors; a name that is none of a person, or would be taken for several, stays as it is."""
    return " and ".join(_person(name) for name in names if name.strip())


def _person(name: str) -> str:
    shown = field(name)
    return shown if PERSON.fullmatch(shown) and not SEVERAL.search(shown) else f"{{{shown}}}"


def identifier(doi: str) -> dict[str, str]:
    """Return the field of a digital object identifier, a note where it is none."""
    if DOI.fullmatch(doi):
        return {"doi": doi}
    return {"note": field(f"doi:{doi}")} if doi else {}


# The report itself: what computed it, and how it is cited, in one sentence and in BibTeX.


def computed_by(of: Results | VersionComparison) -> str:
    """Return which program and which libraries computed the figures."""
    libraries = ", ".join(f"{name} {version}" for name, version in sorted(of.tool.libraries.items()))
    return say(
        "Computed by {tool} {version} with {libraries}.",
        tool=of.tool.name,
        version=of.tool.version,
        libraries=libraries,
    )


def _year(results: Results) -> str:
    return (results.revision.released or "")[:4]


def text(results: Results) -> str:
    """Return one sentence that cites the report."""
    authors = ", ".join(author.name for author in results.campaign.authors)
    year = f" ({_year(results)})" if _year(results) else ""
    title, made_with = report_title(results), f"{_made(results)}."
    return f"{authors}{year}. {title}. {made_with}" if authors else f"{title}{year}. {made_with}"


def report_title(results: Results) -> str:
    """Return what the report is called where it is cited."""
    return say_either(
        results.is_unnamed,
        "{campaign}: agreement report{|, guidelines {version}}",
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
    authors = people(author.name for author in results.campaign.authors)
    fields = {
        "author": authors,
        "title": title(report_title(results)),
        "year": _year(results),
        "note": field(_made(results)),
        # What an entry without authors is sorted by.
        "key": "" if authors else title(results.campaign.title),
    }
    return entry("misc", key(results), fields)
