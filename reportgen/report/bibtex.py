"""Entries of BibTeX, whose fields nothing from a campaign can close or run."""

import re
from collections.abc import Iterable, Mapping

from reportgen.report.tex import field

# A digital object identifier in which nothing is an order of LaTeX; others stand in a note, escaped.
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
