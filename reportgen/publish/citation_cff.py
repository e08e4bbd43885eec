"""CITATION.cff of the report."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from reportgen.publish.bundle_files import RESULTS, Released, block, without_empty
from reportgen.publish.sentences import entitled, in_english, keywords, plain, topic
from reportgen.report.linked_data import is_group, spdx
from reportgen.results import Author, Reference

VERSION = "1.2.0"
MESSAGE = "If you use figures of this agreement report, please cite it."
# What the schema takes for a digital object identifier; others are left out.
DOI = re.compile(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+")
# Licences that the schema does not know yet.
NEWER = ("CDLA-Permissive-2.0", "DL-DE-BY-2.0", "DL-DE-ZERO-2.0")
# Words between given names and family names, which begin with a small letter.
PARTICLE = re.compile(r"[a-zà-ÿ'’]+")
Entry = dict[str, Any]


@in_english
def write(released: Released) -> str:
    """Return the citation of the report; the campaign is its author where nobody signs it."""
    results = released.results
    campaign, corpus = results.campaign, results.campaign.corpus
    about = {
        "cff-version": VERSION,
        "message": MESSAGE,
        "type": "dataset",
        "title": entitled(results),
        "authors": [*map(author, campaign.authors)] or [{"name": plain(campaign.title)}],
        "version": results.guidelines,
        "date-released": released.date,
        "license": _licence(corpus),
        "abstract": f"{topic(results)}, with every table behind it; its figures are in {RESULTS}.",
        "keywords": [*keywords(results), "annotation"],
        "references": [*_corpus(corpus), *map(_work, campaign.references)],
    }
    tool = f"{results.tool.name} {results.tool.version}"
    head = (
        f"# Agreement report of the campaign {campaign.id}, made with {tool}.",
        "# To cite the report in a corpus's own CITATION.cff, copy it into the list of its references.",
    )
    return "".join(f"{line}\n" for line in (*head, *block(without_empty(about))))


def author(person: Author) -> Entry:
    """Return an author; affiliations are of people alone."""
    entry = _name(plain(person.name))
    if person.affiliation and "name" not in entry:
        entry["affiliation"] = plain(person.affiliation)
    return entry | ({"orcid": f"https://orcid.org/{person.orcid}"} if person.orcid else {})


def _name(name: str) -> Entry:
    """Return the parts of a name as BibTeX reads them: "Family, Given" says which is which."""
    if is_group(name):
        return {"name": name}
    family, comma, given_names = (part.strip() for part in name.partition(","))
    if comma:
        return {"given-names": given_names, "family-names": family}
    words, last = name.split(), len(name.split()) - 1
    start = next((at for at in range(1, last) if PARTICLE.fullmatch(words[at])), last)
    end = next((at for at in range(start, last) if not PARTICLE.fullmatch(words[at])), last)
    particle = {"name-particle": " ".join(words[start:end])} if end > start else {}
    return {"given-names": " ".join(words[:start]), **particle, "family-names": " ".join(words[end:])}


def _licence(corpus: Mapping[str, Any]) -> str | None:
    """Return the declared licence where it is one that the schema knows."""
    identifier = spdx(corpus.get("licence"))
    return identifier if identifier not in NEWER else None


def _corpus(corpus: Mapping[str, Any]) -> Iterator[Entry]:
    """Yield the corpus that the report is about; who wrote it the campaign does not say."""
    if corpus.get("name"):
        name = plain(str(corpus["name"]))
        yield without_empty(
            {
                "type": "data",
                "title": name,
                "authors": [{"name": name}],
                "version": corpus.get("version"),
                "doi": _doi(corpus.get("doi")),
                "url": corpus.get("url"),
                "license": _licence(corpus),
            }
        )


def _doi(identifier: str | None) -> str | None:
    return identifier if identifier and DOI.fullmatch(identifier) else None


def _work(work: Reference) -> Entry:
    people = [author(Author(name=name)) for name in work.authors if plain(name)]
    title = plain(work.title)
    authors = people or [{"name": title}]
    return without_empty(
        {"type": "generic", "title": title, "authors": authors, "year": work.year, "doi": _doi(work.doi)}
    )
