"""ro-crate-metadata.json: every file of a bundle, and the run that made the report of these very inputs.

The crate follows RO-Crate 1.2 and the Process Run Crate. Inputs are in it whether their files are or not: by
their checksums anybody who has them can tell that they are the same.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any
from urllib.parse import quote

from reportgen.publish import bundle_files as files
from reportgen.publish.bundle_files import Released, as_json, described, language_of, media_type
from reportgen.report.citation import address, kind, spdx
from reportgen.report.citation import report_title as title
from reportgen.report.linked_data import corpus, doi, measured, orcid, present, property_value
from reportgen.report.material import scope
from reportgen.results import Author, Input, Results

# People, works, licences and figures as entities of an RO-Crate, each with an @id of its own.

Entity = dict[str, Any]

CORPUS, NO_LICENCE = "#corpus", "#licence"
UNSTATED = "The campaign declares no licence: ask those who released the corpus."


def reference(identifier: str) -> Entity:
    """Return the reference to an entity of the crate."""
    return {"@id": identifier}


def references(entities: Iterable[Entity]) -> list[Entity]:
    """Return references to several entities."""
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
    known = spdx(declared) if declared else None
    told = f"The licence that the campaign declares for the corpus: {declared}"
    return {
        "@id": address(known) if known else NO_LICENCE,
        "@type": "CreativeWork",
        "name": known or str(declared or "No licence is declared"),
        "description": told if declared else UNSTATED,
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


# The crate: the root, its files, and the run.

VERSION = "1.2"
PROFILE = f"https://w3id.org/ro/crate/{VERSION}"
PROCESS_VERSION = "0.5"
PROCESS = f"https://w3id.org/ro/wfrun/process/{PROCESS_VERSION}"
# An identifier of the standard, which is no address: nothing is there.
COMPLETED = "http://schema.org/CompletedActionStatus"
ROOT = "./"
PROFILES = (
    {"@id": PROFILE, "@type": ["CreativeWork", "Profile"], "name": "RO-Crate", "version": VERSION},
    {
        "@id": PROCESS,
        "@type": ["CreativeWork", "Profile"],
        "name": "Process Run Crate",
        "version": PROCESS_VERSION,
    },
)


def write(released: Released) -> str:
    """Return ro-crate-metadata.json of all files that a release has so far."""
    return Crate(released).text


class Crate:
    """The crate of one release."""

    def __init__(self, released: Released) -> None:
        """Keep the release; entities are made of its results and its files alone."""
        self.released = released
        self.results = released.results
        self.authors = list(people(self.results.campaign.authors))
        self.figures = list(figures(self.results))
        self.corpus = released_corpus(self.results)
        self.works = list(works(self.results))
        self.digests = {name: hashlib.sha256(content).hexdigest() for name, content in released.files.items()}

    @property
    def text(self) -> str:
        """Return the whole as JSON-LD: the descriptor, the root, then entities in the order of their ids."""
        graph = [self._descriptor, self._root, *distinct(self._entities())]
        whole = {"@context": f"{PROFILE}/context", "@graph": graph}
        return as_json(whole)

    def _entities(self) -> Iterator[Mapping[str, object]]:
        yield from PROFILES
        yield licence(self.results)
        if self.corpus:
            yield self.corpus
        yield from self.authors
        yield from organisations(self.results.campaign.authors)
        yield from self.works
        yield from self.figures
        yield from self._inputs
        yield self._tool
        yield self._run
        yield self._report
        yield from map(self._file, self.released.files)

    @property
    def _descriptor(self) -> Entity:
        return {
            "@id": files.CRATE,
            "@type": "CreativeWork",
            "name": "RO-Crate metadata",
            "description": "What is in this bundle, and how it was made.",
            "about": reference(ROOT),
            "conformsTo": reference(PROFILE),
        }

    @property
    def _root(self) -> Entity:
        parts = [name for name in sorted(self.released.files) if not name.startswith(files.REPORT)]
        corpus = reference(self.corpus["@id"]) if self.corpus else None
        cited = [each for each in self.works if "://" in each["@id"]]
        named = [each for each in self.works if each not in cited]
        return present(
            {
                "@id": ROOT,
                "@type": "Dataset",
                "name": title(self.results),
                "description": self._description,
                "datePublished": self.released.date,
                "license": reference(licence(self.results)["@id"]),
                "author": references(self.authors),
                "conformsTo": references(map(dict, PROFILES)),
                "about": corpus,
                "isBasedOn": corpus,
                # Of what is cited the standard wants an address.
                "citation": references(cited),
                "version": self.results.guidelines,
                "hasPart": [reference(files.REPORT), *(reference(path_id(each)) for each in parts)],
                "mentions": [reference(self._run_id), *references(named)],
                "variableMeasured": references(self.figures),
            }
        )

    @property
    def _description(self) -> str:
        paragraph = self.released.files.get(files.PARAGRAPH, b"").decode().strip()
        return paragraph or scope(self.results)

    @property
    def _report(self) -> Entity:
        parts = [name for name in sorted(self.released.files) if name.startswith(files.REPORT)]
        return present(
            {
                "@id": files.REPORT,
                "@type": "Dataset",
                "name": "Agreement report",
                "description": "Its pages, tables, counts and figures; index.html is where to begin.",
                "hasPart": [reference(path_id(each)) for each in parts],
            }
        )

    def _file(self, path: str) -> Entity:
        name, description = described(path, self.released.languages)
        return present(
            {
                "@id": path_id(path),
                "@type": "File",
                "name": name,
                "description": description,
                "contentSize": str(len(self.released.files[path])),
                "encodingFormat": media_type(path),
                "inLanguage": language_of(path, self.released.languages),
                "sha256": self.digests[path],
            }
        )

    @cached_property
    def _inputs(self) -> list[Entity]:
        """Return the files that the figures come from and that are not in the bundle."""
        both = zip(self.results.inputs, self._places, strict=True)
        return [_absent(each) for each, path in both if not path]

    @cached_property
    def _places(self) -> list[str | None]:
        """Return where each input is in the bundle, known by its bytes: names may be pseudonyms there."""
        found = defaultdict(list)
        for name in sorted(self.digests, reverse=True):
            if not name.startswith(files.REPORT):
                found[self.digests[name]].append(name)
        return [found[each.sha256].pop() if found[each.sha256] else None for each in self.results.inputs]

    @property
    def _tool(self) -> Entity:
        tool = self.results.tool
        identifier = f"pkg:generic/{tool.name}@{tool.version}"
        return {
            "@id": identifier,
            "@type": "SoftwareApplication",
            "name": tool.name,
            "description": "Turns annotators' exports into published agreement reports.",
            "url": identifier,
            "version": tool.version,
        }

    @property
    def _run_id(self) -> str:
        """Return the same id for the same inputs under the same settings."""
        made_of = [self.results.settings, [[each.file, each.sha256] for each in self.results.inputs]]
        return f"#run-{hashlib.sha256(json.dumps(made_of).encode()).hexdigest()}"

    @property
    def _run(self) -> Entity:
        campaign = [files.CAMPAIGN] if files.CAMPAIGN in self.released.files else []
        places = [path_id(path) for path in (*campaign, *filter(None, self._places))]
        read = [*(reference(each) for each in dict.fromkeys(places)), *references(self._inputs)]
        return present(
            {
                "@id": self._run_id,
                "@type": "CreateAction",
                "name": "Computing agreement and writing its report",
                "description": f"Every figure was computed by {self.results.tool.name} from these files.",
                "instrument": reference(self._tool["@id"]),
                "object": read,
                "result": [reference(files.REPORT), reference(files.RESULTS)],
                "endTime": self.released.date,
                "actionStatus": COMPLETED,
                "agent": references(self.authors),
            }
        )


def _absent(given: Input) -> Entity:
    """Return a file that was read and is not in the bundle."""
    return {
        "@id": f"#input-{path_id(given.file)}",
        "@type": "File",
        "name": given.file,
        "description": "A file that the figures come from; it is not in this bundle.",
        "contentSize": str(given.bytes),
        "encodingFormat": media_type(given.file),
        "localPath": given.file,
        "sha256": given.sha256,
    }
