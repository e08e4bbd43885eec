"""CITATION.cff of the report, and what a publisher's own file has of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.publish.files import RESULTS, Released, block
from reportgen.publish.sentences import entitled, in_english, plain
from reportgen.report.citation import is_group, spdx
from reportgen.results import Author, Reference

VERSION = "1.2.0"
MESSAGE = "If you use figures of this agreement report, please cite it."
# What the schema takes for a digital object identifier; others are left out.
DOI = re.compile(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+")
# Licences that the schema does not know yet.
NEWER = ("CDLA-Permissive-2.0", "DL-DE-BY-2.0", "DL-DE-ZERO-2.0")
# Words between given names and family names, which begin with a small letter.
PARTICLE = re.compile(r"[a-zà-ÿ'’]+")
NOTES = re.compile(r"Agreement report of the campaign ([A-Za-z0-9][A-Za-z0-9._-]*), made with ")
# What a reference in a publisher's file takes from the report's own.
TAKEN = ("title", "authors", "version", "date-released", "keywords", "notes")

Entry = dict[str, Any]


@in_english
def write(released: Released) -> str:
    """Return the citation of the report; the campaign is its author where nobody signs it."""
    results = released.results
    corpus = results.campaign.corpus
    about: Entry = {
        "cff-version": VERSION,
        "message": MESSAGE,
        "type": "dataset",
        "title": entitled(results),
        "authors": [*map(author, results.campaign.authors)] or [{"name": plain(results.campaign.title)}],
        "version": results.guidelines,
        "date-released": released.date,
        "license": _licence(corpus),
        "abstract": f"Inter-annotator agreement, with every table behind it; its figures stand in {RESULTS}.",
        "keywords": ["inter-annotator agreement", "annotation"],
        "references": [*_corpus(corpus), *map(_work, results.campaign.references)],
    }
    head = (
        f"# {_notes(results.campaign.id, results.tool.name, results.tool.version)}",
        "# `reportgen merge` puts the report among the references of a corpus's own CITATION.cff.",
    )
    lines = block({key: value for key, value in about.items() if value not in (None, [])})
    return "".join(f"{line}\n" for line in (*head, *lines))


def _notes(campaign: str, tool: str, version: str) -> str:
    return f"Agreement report of the campaign {campaign}, made with {tool} {version}."


def reference(citation: Mapping[str, Any], notes: str) -> Entry:
    """Return a report's citation as one of the references of another work, told from others by its notes."""
    taken = {key: citation[key] for key in TAKEN if key in citation}
    return {"type": "report", **taken, "notes": notes}


def notes_of(text: str) -> str | None:
    """Return the notes of a CITATION.cff of ours, which stand in its first line."""
    first = text.partition("\n")[0].removeprefix("# ").strip()
    return first if NOTES.match(first) else None


def campaign_of(entry: object) -> str | None:
    """Return the campaign whose report a reference is, None where it is another work."""
    notes = entry.get("notes") if isinstance(entry, Mapping) else None
    found = NOTES.match(notes) if isinstance(notes, str) else None
    return found[1] if found else None


def author(person: Author) -> Entry:
    """Return an author; affiliations are of people alone."""
    entry: Entry = dict(_name(plain(person.name)))
    if person.affiliation and "name" not in entry:
        entry["affiliation"] = plain(person.affiliation)
    return entry | ({"orcid": f"https://orcid.org/{person.orcid}"} if person.orcid else {})


def _name(name: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a name as BibTeX reads them: "Family, Given" says which is which."""
    if is_group(name):
        yield "name", name
    elif "," in name:
        family, _comma, given = (part.strip() for part in name.partition(","))
        yield from (("given-names", given), ("family-names", family))
    else:
        yield from _parts(name.split())


def _parts(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    start = next(
        (place for place, word in enumerate(words[1:-1], 1) if PARTICLE.fullmatch(word)), len(words) - 1
    )
    end = next(
        place
        for place in range(start, len(words))
        if not PARTICLE.fullmatch(words[place]) or place == len(words) - 1
    )
    yield "given-names", " ".join(words[:start])
    if end > start:
        yield "name-particle", " ".join(words[start:end])
    yield "family-names", " ".join(words[end:])


def _licence(corpus: Mapping[str, Any]) -> str | None:
    """Return the declared licence where it is one that the schema knows."""
    known = spdx(corpus.get("licence"))
    return known if known not in NEWER else None


def _corpus(corpus: Mapping[str, Any]) -> Iterator[Entry]:
    """Yield the corpus that the report is about; who wrote it the campaign does not say."""
    if not corpus.get("name"):
        return
    name = plain(str(corpus["name"]))
    entry: Entry = {
        "type": "data",
        "title": name,
        "authors": [{"name": name}],
        "version": corpus.get("version"),
        "doi": _doi(corpus.get("doi")),
        "url": corpus.get("url"),
        "license": _licence(corpus),
    }
    yield {key: value for key, value in entry.items() if value is not None}


def _doi(given: str | None) -> str | None:
    return given if given and DOI.fullmatch(given) else None


def _work(work: Reference) -> Entry:
    people = [author(Author(name=name)) for name in work.authors if plain(name)]
    entry: Entry = {
        "type": "generic",
        "title": plain(work.title),
        "authors": people or [{"name": plain(work.title)}],
        "year": work.year,
        "doi": _doi(work.doi),
    }
    return {key: value for key, value in entry.items() if value is not None}
