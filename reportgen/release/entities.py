"""People, works, licences and figures as entities of an RO-Crate, each with an @id of its own."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from reportgen.report.authors import kind
from reportgen.report.licences import address, spdx
from reportgen.report.linked_data import corpus, doi, measured, orcid, present, property_value
from reportgen.results import Author, Results

Entity = dict[str, Any]

CORPUS, NO_LICENCE = "#corpus", "#licence"
UNSTATED = "The campaign declares no licence: whoever released the corpus can tell under which it stands."


def reference(identifier: str) -> Entity:
    """Return what stands for an entity of the crate in another one."""
    return {"@id": identifier}


def references(entities: Iterable[Entity]) -> list[Entity]:
    """Return what stands for several entities."""
    return [reference(each["@id"]) for each in entities]


def path_id(path: str) -> str:
    """Return the @id of a file in the crate: its path, as addresses are written."""
    return quote(path, safe="/")


def people(authors: Sequence[Author]) -> Iterator[Entity]:
    """Yield those who sign the report."""
    taken: set[str] = set()
    for number, each in enumerate(authors, 1):
        affiliation = each.affiliation and reference(_organisation(each.affiliation))
        identifier = _unused(orcid(each), taken) or f"#author-{number}"
        known = {"@id": identifier, "@type": kind(each), "name": each.name, "affiliation": affiliation}
        yield present(known)


def _unused(identifier: str | None, taken: set[str]) -> str | None:
    """Return an id unless another entity has it; from now on it is taken."""
    if identifier is None or identifier in taken:
        return None
    taken.add(identifier)
    return identifier


def organisations(authors: Sequence[Author]) -> Iterator[Entity]:
    """Yield the institutions that authors belong to, each once."""
    for name in dict.fromkeys(each.affiliation for each in authors if each.affiliation):
        yield {"@id": _organisation(name), "@type": "Organization", "name": name}


def _organisation(name: str) -> str:
    return f"#organisation-{_digest(name)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def licence(results: Results) -> Entity:
    """Return the licence of the corpus, by its SPDX identifier where it is one of these."""
    declared = results.campaign.corpus.get("licence")
    if not declared:
        return {
            "@id": NO_LICENCE,
            "@type": "CreativeWork",
            "name": "No licence is declared",
            "description": UNSTATED,
        }
    known = spdx(declared)
    return {
        "@id": address(known) if known else NO_LICENCE,
        "@type": "CreativeWork",
        "name": known or str(declared),
        "description": f"The licence that the campaign declares for the corpus: {declared}",
    }


def released_corpus(results: Results) -> Entity:
    """Return the corpus that the report is about; empty where the campaign says nothing of it.

    Its id is one of the crate: a dataset with an address for an id would have to be a part of it.
    """
    found = corpus(results)
    if not found:
        return {}
    whole = {**found, "@id": CORPUS, "identifier": doi(results.campaign.corpus.get("doi"))}
    if "license" in found:
        whole["license"] = reference(licence(results)["@id"])
    return present(whole)


def works(results: Results) -> Iterator[Entity]:
    """Yield the works on the campaign."""
    taken: set[str] = set()
    for number, each in enumerate(results.campaign.references, 1):
        yield present(
            {
                "@id": _unused(doi(each.doi), taken) or f"#work-{number}",
                "@type": "ScholarlyArticle",
                "name": each.title,
                "creditText": ", ".join(each.authors),
                "datePublished": str(each.year) if each.year else None,
            }
        )


def figures(results: Results) -> Iterator[Entity]:
    """Yield the primary figures, each under its layer, its unit set and its id."""
    for each in measured(results):
        place = "-".join(quote(part, safe="") for part in (each.layer, each.unit_set or "", each.id))
        yield {"@id": f"#figure-{place}", **property_value(results, each)}


def distinct(entities: Iterable[Mapping[str, Any]]) -> list[Entity]:
    """Return entities in the order of their ids; of those that share one, the first."""
    found: dict[str, Entity] = {}
    for each in entities:
        found.setdefault(each["@id"], dict(each))
    return [found[identifier] for identifier in sorted(found)]
