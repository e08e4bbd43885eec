"""How to cite a report."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from reportgen.report.escaping import field
from reportgen.results import Author, Results
from reportgen.words.language import pgettext, say

# Entries of BibTeX, whose fields nothing from a campaign can close or run.

# A digital object identifier in which nothing is an order of LaTeX; others are in a note, escaped.
DOI = re.compile(r"10\.\d{4,9}/[A-Za-z0-9._;()/:-]+")
# A name with at most one comma that parts it is one of a person; whatever else there is stands as it is.
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
    """Return authors; a name that is none of a person, or would be taken for several, stands as it is."""
    return " and ".join(_person(name) for name in names if name.strip())


def _person(name: str) -> str:
    shown = field(name)
    return shown if PERSON.fullmatch(shown) and not SEVERAL.search(shown) else f"{{{shown}}}"


def identifier(doi: str) -> dict[str, str]:
    """Return the field of a digital object identifier, a note where it is none."""
    if DOI.fullmatch(doi):
        return {"doi": doi}
    return {"note": field(f"doi:{doi}")} if doi else {}


# How to cite a report.


def _year(results: Results) -> str:
    return (results.revision.date or "")[:4]


def text(results: Results) -> str:
    """Return one sentence that cites the report."""
    authors = ", ".join(author.name for author in results.campaign.authors)
    year = f" ({_year(results)})" if _year(results) else ""
    title, made = report_title(results), f"{_made(results)}."
    return f"{authors}{year}. {title}. {made}" if authors else f"{title}{year}. {made}"


def report_title(results: Results) -> str:
    """Return what the report is called where it is cited."""
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


# Who signs a report: people, and institutions or groups that sign as one.


def is_group(name: str) -> bool:
    """Tell whether a name is that of several people or of an institution, as far as its words show it."""
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma:
        return not (family and given and "," not in given)
    words = name.split()
    return len(words) == 1 or words[:1] == ["The"] or bool({"and", "&"} & {*words})


def kind(author: Author) -> Literal["Person", "Organization"]:
    """Return what an author is in the words of schema.org; who has an ORCID or an affiliation is a person."""
    person = author.orcid or author.affiliation or not is_group(author.name)
    return "Person" if person else "Organization"


# Licences by their identifiers in the SPDX list, as far as corpora and tools are released under them.

CREATIVE_COMMONS = ("BY", "BY-SA", "BY-NC", "BY-NC-SA", "BY-ND", "BY-NC-ND")
VERSIONS = ("1.0", "2.0", "2.5", "3.0", "4.0")
OTHERS = (
    *("AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"),
    *("CC0-1.0", "CDLA-Permissive-1.0", "CDLA-Permissive-2.0", "CDLA-Sharing-1.0"),
    *("DL-DE-BY-2.0", "DL-DE-ZERO-2.0", "EUPL-1.2", "GFDL-1.3-only", "GFDL-1.3-or-later"),
    *("GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later"),
    *("LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "LGPLLR"),
    *("MIT", "MPL-2.0", "ODbL-1.0", "ODC-By-1.0", "OGL-UK-3.0", "PDDL-1.0", "Unlicense"),
    *("etalab-2.0",),
)
KNOWN = {
    each.casefold(): each
    for each in (*OTHERS, *(f"CC-{kind}-{version}" for kind in CREATIVE_COMMONS for version in VERSIONS))
}


def spdx(licence: object) -> str | None:
    """Return the SPDX identifier that a campaign means by its licence, such as "CC BY 4.0"; None without."""
    return KNOWN.get(re.sub(r"\s+", "-", str(licence).strip()).casefold())


def address(identifier: str) -> str:
    """Return the address that stands for a licence of the SPDX list."""
    return f"https://spdx.org/licenses/{identifier}"
