"""ro-crate-metadata.json: every file of a bundle, and the run that made the report of these very inputs.

The crate follows RO-Crate 1.2 and the Process Run Crate. Inputs are in it whether their files are or not: by
their checksums anybody who has them can tell that they are the same.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import quote

from reportgen.publish import bundle_files as files
from reportgen.publish.bundle_files import Released, as_json, described, language_of, media_type
from reportgen.report.linked_data import (
    address,
    corpus,
    doi,
    kind,
    measured,
    orcid,
    present,
    property_value,
    spdx,
)
from reportgen.report.material import report_title as title
from reportgen.report.material import scope
from reportgen.results import Author, Input, Results

Entity = dict[str, Any]

VERSION = "1.2"
PROFILE = f"https://w3id.org/ro/crate/{VERSION}"
PROCESS_VERSION = "0.5"
PROCESS = f"https://w3id.org/ro/wfrun/process/{PROCESS_VERSION}"
PROFILES = tuple(
    {"@id": identifier, "@type": ["CreativeWork", "Profile"], "name": name, "version": version}
    for identifier, name, version in (
        (PROFILE, "RO-Crate", VERSION),
        (PROCESS, "Process Run Crate", PROCESS_VERSION),
    )
)
# An identifier of the standard, which is no address: nothing is there.
COMPLETED = "http://schema.org/CompletedActionStatus"
ROOT = "./"
DESCRIPTOR = {
    "@id": files.CRATE,
    "@type": "CreativeWork",
    "name": "RO-Crate metadata",
    "description": "What is in this bundle, and how it was made.",
    "about": {"@id": ROOT},
    "conformsTo": {"@id": PROFILE},
}
CORPUS, NO_LICENCE = "#corpus", "#licence"
UNSTATED = "The campaign declares no licence: ask those who released the corpus."


def write(released: Released) -> str:
    """Return ro-crate-metadata.json: the descriptor, the root, then all else in the order of the ids."""
    results, digests = released.results, {name: released.digest(name) for name in released.files}
    authors, about = results.campaign.authors, released_corpus(results)
    signed, cited, shown = list(people(authors)), list(works(results)), list(figures(results))
    run, *read = _run(released, digests, references(signed))
    root = {
        **_root(released),
        "author": references(signed),
        "about": {"@id": CORPUS} if about else None,
        "isBasedOn": {"@id": CORPUS} if about else None,
        # Of what is cited the standard wants an address.
        "citation": references(work for work in cited if "://" in work["@id"]),
        "mentions": references([run, *(work for work in cited if "://" not in work["@id"])]),
        "variableMeasured": references(shown),
    }
    own = [licence(results), *([about] if about else [])]
    others = chain(PROFILES, own, signed, organisations(authors), cited, shown, read, [run])
    graph = [DESCRIPTOR, present(root), *distinct(chain(others, _files(released, digests)))]
    return as_json({"@context": f"{PROFILE}/context", "@graph": graph})


def references(entities: Iterable[Mapping[str, Any]]) -> list[Entity]:
    """Return references to entities of the crate."""
    return [{"@id": entity["@id"]} for entity in entities]


def path_id(path: str) -> str:
    """Return the @id of a file in the crate: its path, as addresses are written."""
    return quote(path, safe="/")


def distinct(entities: Iterable[Mapping[str, Any]]) -> list[Entity]:
    """Return entities in the order of their ids; of those that share one, the first."""
    entities_by_id: dict[str, Entity] = {}
    for entity in entities:
        entities_by_id.setdefault(entity["@id"], dict(entity))
    return [entities_by_id[identifier] for identifier in sorted(entities_by_id)]


# People, works, licences and figures as entities, each with an @id of its own.


def people(authors: Sequence[Author]) -> Iterator[Entity]:
    """Yield those who sign the report."""
    for identifier, author in zip(_ids("#author", map(orcid, authors)), authors, strict=True):
        affiliation = author.affiliation and {"@id": _organisation(author.affiliation)}
        entity = {"@id": identifier, "@type": kind(author), "name": author.name, "affiliation": affiliation}
        yield present(entity)


def _ids(kind: str, addresses: Iterable[str | None]) -> Iterator[str]:
    """Yield an id for each: its address, or where it has none, or that of another, its number."""
    ids: set[str | None] = {None}
    for number, identifier in enumerate(addresses, 1):
        yield f"{kind}-{number}" if identifier is None or identifier in ids else identifier
        ids.add(identifier)


def organisations(authors: Sequence[Author]) -> Iterator[Entity]:
    """Yield the institutions that authors belong to."""
    for name in dict.fromkeys(author.affiliation for author in authors if author.affiliation):
        yield {"@id": _organisation(name), "@type": "Organization", "name": name}


def _organisation(name: str) -> str:
    return f"#organisation-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def licence(results: Results) -> Entity:
    """Return the licence of the corpus, by its SPDX identifier where it is one of these."""
    declared = results.campaign.corpus.get("licence")
    identifier = spdx(declared) if declared else None
    description = f"The licence that the campaign declares for the corpus: {declared}"
    return {
        "@id": address(identifier) if identifier else NO_LICENCE,
        "@type": "CreativeWork",
        "name": identifier or str(declared or "No licence is declared"),
        "description": description if declared else UNSTATED,
    }


def released_corpus(results: Results) -> Entity:
    """Return the corpus that the report is about; empty where the campaign says nothing of it.

    Its id is one of the crate: a dataset with an address for an id would have to be a part of it.
    """
    declared = corpus(results)
    if not declared:
        return {}
    entity = {**declared, "@id": CORPUS, "identifier": doi(results.campaign.corpus.get("doi"))}
    if "license" in declared:
        entity["license"] = {"@id": licence(results)["@id"]}
    return present(entity)


def works(results: Results) -> Iterator[Entity]:
    """Yield the works on the campaign."""
    references_of_campaign = results.campaign.references
    for identifier, work in zip(
        _ids("#work", (doi(work.doi) for work in references_of_campaign)), references_of_campaign, strict=True
    ):
        yield present(
            {
                "@id": identifier,
                "@type": "ScholarlyArticle",
                "name": work.title,
                "creditText": ", ".join(work.authors),
                "datePublished": str(work.year) if work.year else None,
            }
        )


def figures(results: Results) -> Iterator[Entity]:
    """Yield the primary figures, each under its layer, its unit set and its id."""
    for figure in measured(results):
        suffix = "-".join(quote(part, safe="") for part in (figure.layer, figure.unit_set or "", figure.id))
        yield {"@id": f"#figure-{suffix}", **property_value(results, figure)}


# The root, its files, and the run.


def _root(released: Released) -> Entity:
    """Return the bundle as a dataset: what can be said of it without the other entities."""
    results = released.results
    parts = (path for path in sorted(released.files) if not path.startswith(files.REPORT))
    paragraph = released.files.get(files.PARAGRAPH, b"").decode().strip()
    return {
        "@id": ROOT,
        "@type": "Dataset",
        "name": title(results),
        "description": paragraph or scope(results),
        "datePublished": released.date,
        "license": {"@id": licence(results)["@id"]},
        "conformsTo": references(PROFILES),
        "version": results.guidelines,
        "hasPart": [{"@id": files.REPORT}, *({"@id": path_id(path)} for path in parts)],
    }


def _files(released: Released, digests: Mapping[str, str]) -> Iterator[Entity]:
    """Yield the report, and every file of the bundle."""
    yield present(
        {
            "@id": files.REPORT,
            "@type": "Dataset",
            "name": "Agreement report",
            "description": "Its pages, tables, counts and figures; index.html is where to begin.",
            "hasPart": [{"@id": path_id(path)} for path in sorted(digests) if path.startswith(files.REPORT)],
        }
    )
    for path, content in released.files.items():
        name, description = described(path, released)
        yield present(
            {
                "@id": path_id(path),
                "@type": "File",
                "name": name,
                "description": description,
                "contentSize": str(len(content)),
                "encodingFormat": media_type(path),
                "inLanguage": language_of(path, released.languages),
                "sha256": digests[path],
            }
        )


def _run(released: Released, digests: Mapping[str, str], agents: list[Entity]) -> Iterator[Entity]:
    """Yield the run that made the report, its tool, and those of its files that are not in the bundle."""
    results, tool = released.results, released.results.tool
    places = _places(results.inputs, digests)
    absent = [_absent(source) for source, path in zip(results.inputs, places, strict=True) if not path]
    campaign = [files.CAMPAIGN] if files.CAMPAIGN in released.files else []
    there = dict.fromkeys(path_id(path) for path in (*campaign, *filter(None, places)))
    program = f"pkg:generic/{tool.name}@{tool.version}"
    # The same id for the same inputs under the same settings.
    made_of = [results.settings, [[source.file, source.sha256] for source in results.inputs]]
    yield present(
        {
            "@id": f"#run-{hashlib.sha256(json.dumps(made_of).encode()).hexdigest()}",
            "@type": "CreateAction",
            "name": "Computing agreement and writing its report",
            "description": f"Every figure was computed by {tool.name} from these files.",
            "instrument": {"@id": program},
            "object": [*({"@id": path} for path in there), *references(absent)],
            "result": [{"@id": files.REPORT}, {"@id": files.RESULTS}],
            "endTime": released.date,
            "actionStatus": COMPLETED,
            "agent": agents,
        }
    )
    yield {
        "@id": program,
        "@type": "SoftwareApplication",
        "name": tool.name,
        "description": "Turns annotators' exports into published agreement reports.",
        "url": program,
        "version": tool.version,
    }
    yield from absent


def _places(inputs: Sequence[Input], digests: Mapping[str, str]) -> list[str | None]:
    """Return where each input is in the bundle, known by its bytes: names may be pseudonyms there."""
    paths_by_digest = defaultdict(list)
    for name in sorted(digests, reverse=True):
        if not name.startswith(files.REPORT):
            paths_by_digest[digests[name]].append(name)
    return [
        paths_by_digest[source.sha256].pop() if paths_by_digest[source.sha256] else None for source in inputs
    ]


def _absent(source: Input) -> Entity:
    """Return a file that was read and is not in the bundle."""
    return {
        "@id": f"#input-{path_id(source.file)}",
        "@type": "File",
        "name": source.file,
        "description": "A file that the figures come from; it is not in this bundle.",
        "contentSize": str(source.bytes),
        "encodingFormat": media_type(source.file),
        "localPath": source.file,
        "sha256": source.sha256,
    }
