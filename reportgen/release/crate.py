"""ro-crate-metadata.json: every file of a bundle, and the run that made the report of these very inputs.

The crate follows RO-Crate 1.2 and the Process Run Crate. Inputs stand in it whether their files do or not: by
their checksums anybody who has them can tell that they are the same.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from reportgen.release import entities, names
from reportgen.release.described import described, language_of, media_type
from reportgen.release.entities import Entity, distinct, path_id, reference, references
from reportgen.release.released import Released
from reportgen.report.linked_data import present, title
from reportgen.report.scope import scope
from reportgen.results import Input

VERSION = "1.2"
PROFILE = f"https://w3id.org/ro/crate/{VERSION}"
PROCESS_VERSION = "0.5"
PROCESS = f"https://w3id.org/ro/wfrun/process/{PROCESS_VERSION}"
# An identifier of the standard, which is no address: nothing stands there.
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
        self.authors = list(entities.people(self.results.campaign.authors))
        self.figures = list(entities.figures(self.results))
        self.corpus = entities.released_corpus(self.results)
        self.works = list(entities.works(self.results))
        self.digests = {name: hashlib.sha256(content).hexdigest() for name, content in released.files.items()}

    @property
    def text(self) -> str:
        """Return the whole as JSON-LD: the descriptor, the root, then entities in the order of their ids."""
        graph = [self._descriptor, self._root, *distinct(self._entities())]
        whole = {"@context": f"{PROFILE}/context", "@graph": graph}
        return json.dumps(whole, ensure_ascii=False, sort_keys=True, allow_nan=False, indent=1) + "\n"

    def _entities(self) -> Iterator[Mapping[str, object]]:
        yield from PROFILES
        yield entities.licence(self.results)
        if self.corpus:
            yield self.corpus
        yield from self.authors
        yield from entities.organisations(self.results.campaign.authors)
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
            "@id": names.CRATE,
            "@type": "CreativeWork",
            "name": "RO-Crate metadata",
            "description": "What stands in this bundle, and how it was made.",
            "about": reference(ROOT),
            "conformsTo": reference(PROFILE),
        }

    @property
    def _root(self) -> Entity:
        parts = [name for name in sorted(self.released.files) if not name.startswith(names.REPORT)]
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
                "license": reference(entities.licence(self.results)["@id"]),
                "author": references(self.authors),
                "conformsTo": references(map(dict, PROFILES)),
                "about": corpus,
                "isBasedOn": corpus,
                # Of what is cited the standard wants an address.
                "citation": references(cited),
                "version": self.results.guidelines,
                "hasPart": [reference(names.REPORT), *(reference(path_id(each)) for each in parts)],
                "mentions": [reference(self._run_id), *references(named)],
                "variableMeasured": references(self.figures),
            }
        )

    @property
    def _description(self) -> str:
        paragraph = self.released.files.get(names.PARAGRAPH, b"").decode().strip()
        return paragraph or scope(self.results)

    @property
    def _report(self) -> Entity:
        parts = [name for name in sorted(self.released.files) if name.startswith(names.REPORT)]
        return present(
            {
                "@id": names.REPORT,
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
        return [
            _absent(each) for each, path in zip(self.results.inputs, self._places, strict=True) if not path
        ]

    @cached_property
    def _places(self) -> list[str | None]:
        """Return where each input stands in the bundle, told by its bytes: names may be pseudonyms there."""
        found = defaultdict(list)
        for name in sorted(self.digests, reverse=True):
            if not name.startswith(names.REPORT):
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
        campaign = [names.CAMPAIGN] if names.CAMPAIGN in self.released.files else []
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
                "result": [reference(names.REPORT), reference(names.RESULTS)],
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
