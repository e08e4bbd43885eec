"""The works that a report's methods rest on, and the report itself, as BibTeX with keys that stay."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import count

from reportgen.files import templates
from reportgen.report import citation
from reportgen.report.bibtex import entry, identifier, people, title
from reportgen.report.tex import field
from reportgen.results import Reference, Results, Work

WORKS = "works.bib"
ENTRY = re.compile(r"^@\w+\{(\w+),\n(?:.*\n)*?\}$", re.MULTILINE)
# How a work is cited: Scott (1955), Public Opinion Quarterly 19(3), 321-325.
CITED = re.compile(r"(?P<authors>[^()]+) \((?P<year>\d{4})\), (?P<rest>.+)", re.DOTALL)
LETTERS = "bcdefghijklmnopqrstuvwxyz"
FEWEST_LETTERS = 4


@cache
def library() -> dict[str, str]:
    """Return the entries of the works that the catalogue names, by their keys."""
    text = (templates() / WORKS).read_text(encoding="utf-8")
    return {found[1]: found[0] for found in ENTRY.finditer(text)}


def key_of(work: Work) -> str:
    """Return the key of a work of the catalogue: its first author's name and its year."""
    found = CITED.match(work.citation)
    if not found:
        return _letters(work.citation.partition(" ")[0])
    return f"{_letters(re.split(', | and ', found['authors'])[0])}{found['year']}"


def keys_of(references: Iterable[Reference]) -> dict[str, Reference | None]:
    """Return works on a campaign by their keys; without the work where the catalogue names it too."""
    keys: dict[str, Reference | None] = {}
    for each in references:
        base = f"{_letters(_surname(each))}{each.year or ''}" or "work"
        if _is_known(each, base):
            keys[base] = None
            continue
        free = (key for key in _lettered(base) if key not in keys and key not in library())
        keys[next(free)] = each
    return keys


def _lettered(base: str) -> Iterator[str]:
    """Yield keys that begin alike: after fort2010 comes fort2010b."""
    yield base
    yield from (f"{base}{letter}" for letter in LETTERS)
    yield from (f"{base}z{number}" for number in count(2))


def _surname(reference: Reference) -> str:
    """Return the name of the first author, or of the title its first word of some length."""
    if reference.authors and _letters(reference.authors[0]):
        before, comma, _first = reference.authors[0].partition(",")
        return before if comma else (before.split() or [""])[-1]
    words = (word for word in reference.title.split() if len(_letters(word)) >= FEWEST_LETTERS)
    return next(words, "")


def _is_known(reference: Reference, key: str) -> bool:
    """Tell whether the catalogue names a work of that key with the same identifier or title."""
    doi, known = (_field_of(key, name) for name in ("doi", "title"))
    if doi and reference.doi:
        return doi.casefold() == reference.doi.casefold()
    return bool(known) and _letters(field(reference.title)).startswith(_letters(known))


def _field_of(key: str, name: str) -> str:
    """Return a field of an entry of the library, empty where there is none."""
    found = re.search(rf"^  {name} = \{{(.*)\}},$", library().get(key, ""), re.MULTILINE)
    return found[1] if found else ""


def _letters(text: str) -> str:
    """Return the letters and digits of a text in small Latin letters without accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(each for each in plain if each.isascii() and each.isalnum())


def references_bib(results: Results, works: Mapping[str, Work]) -> str:
    """Return what methods.tex cites: the report, works of the catalogue, and those on the campaign."""
    own = keys_of(results.campaign.references)
    known = {key: None for key, each in own.items() if each is None} | dict.fromkeys(works)
    entries = [library().get(key) or _unknown(key, works[key]) for key in sorted(known)]
    entries += [_entry(key, each) for key, each in own.items() if each is not None]
    return "\n\n".join([citation.bibtex(results), *entries]) + "\n"


def _unknown(key: str, work: Work) -> str:
    """Return the entry of a work of which no more is known than how it is cited."""
    found = CITED.match(work.citation)
    if not found:
        return entry("misc", key, {"title": title(work.citation), **identifier(work.doi)})
    authors = re.split(", | and ", found["authors"])
    values = {"author": people(authors), "title": title(found["rest"]), "year": found["year"]}
    return entry("misc", key, {**values, **identifier(work.doi)})


def _entry(key: str, reference: Reference) -> str:
    values = {
        "author": people(reference.authors),
        "title": title(reference.title),
        "year": str(reference.year or ""),
    }
    return entry("misc", key, {**values, **identifier(reference.doi or "")})
