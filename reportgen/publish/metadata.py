"""What machines and archives read of a bundle: Croissant with RAI, RO-Crate, a dataset card, CITATION.cff.

croissant.json has the report's tables as a Croissant 1.1 dataset, with what it says of the annotation; it
validates by itself. ro-crate-metadata.json has every file, and the run that made the report of these very
inputs (RO-Crate 1.2, Process Run Crate): inputs are in it whether their files are or not, and by their
checksums anybody who has them can tell that they are the same. dataset-card.md has what a card of Hugging
Face says of the annotation, in blocks between markers, below the sections of Hugging Face's own template.
"""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

from reportgen.catalogue import ids_with
from reportgen.publish import bundle_files as there
from reportgen.publish import sentences
from reportgen.publish.bundle_files import (
    AGGREGATED,
    LABEL_TABLE,
    REPORT,
    RESULTS,
    Released,
    as_json,
    block,
    columns_of,
    described,
    first_keys,
    json_lines,
    language_of,
    media_type,
    signed,
    without_empty,
)
from reportgen.publish.bundle_files import block as yaml_lines
from reportgen.publish.label_table import COLUMNS
from reportgen.publish.sentences import entitled, in_english, keywords, leading, plain, topic
from reportgen.report import material
from reportgen.report.checklists import CHECKLISTS, MODEL, Question, groups_in_words, model_in_words
from reportgen.report.escaping import escape_markdown
from reportgen.report.linked_data import (
    address,
    corpus,
    doi,
    is_group,
    kind,
    measured,
    orcid,
    present,
    property_value,
    spdx,
)
from reportgen.report.material import report_title as title
from reportgen.report.material import scope
from reportgen.report.material import text as cited
from reportgen.report.tables import ReportTable, TableColumn, to_markdown
from reportgen.results import Author, Figure, Input, Reference, Results, UnitSet
from reportgen.results.model import OfData
from reportgen.words.numbers import estimate

# What Croissant's vocabulary for responsible AI has of annotation: which names, and what is there.

VOCABULARY = "http://mlcommons.org/croissant/RAI/"
CONFORMS = f"{VOCABULARY}1.0"
# Names of the vocabulary's table of properties, and whether one may have several values. Validators let
# misspelt ones pass, so that nothing but these is written.
ONE = (
    "rai:annotationsPerItem",
    "rai:dataAnnotationProtocol",
    "rai:dataCollection",
    "rai:dataCollectionMissingData",
    "rai:dataCollectionRawData",
    # Of this one the specification allows several, but mlcroissant warns of them.
    "rai:dataReleaseMaintenancePlan",
    "rai:dataSocialImpact",
)
# A day can't be signed; the other one has a name of its own in mlcroissant, which would take it for none.
UNWRITTEN = ("rai:dataCollectionTimeframe", "rai:dataManipulationProtocol")
# Which key of campaign.toml belongs into which field is said in the checklist.
QUESTIONS = {
    question.item: question
    for question in CHECKLISTS["croissant-rai"].questions
    if question.item not in UNWRITTEN and not question.reason
}
# Keys that sentences about labels have, in words of their own.
IN_SENTENCES = ("guidelines.document", "protocol.pre_annotated_by")
# So many statements of one kind say enough.
MOST_OF_ONE = 5
GRAVE = ("problem", "warning")

Value = str | list[str]


def fields(results: Results) -> dict[str, Value]:
    """Return the fields that there is something to say in, each statement signed."""
    computed: dict[str, Iterable[str]] = {
        "rai:annotatorDemographics": [plain(groups_in_words(results))],
        "rai:annotationsPerItem": ["; ".join(_per_item(results))],
        "rai:dataAnnotationAnalysis": _analysis(results),
        "rai:dataAnnotationProtocol": _protocol(results),
        "rai:dataBiases": _of_findings(results, "bias"),
        "rai:dataLimitations": _of_findings(results, "limitation"),
        "rai:machineAnnotationTools": (*sentences.machines(results), *_models(results)),
    }
    said_of = {
        name: list(filter(None, (*computed.get(name, ()), *_declared(results, question))))
        for name, question in QUESTIONS.items()
    }
    together = {name: [" ".join(said)] if name in ONE else said for name, said in said_of.items() if said}
    signed_of = {
        name: [signed(statement, results) for statement in dict.fromkeys(said)]
        for name, said in together.items()
    }
    return {name: said[0] if name in ONE else said for name, said in signed_of.items()}


def _models(results: Results) -> Iterator[str]:
    """Yield what the campaign declares of each model: which it is, its version, its prompt."""
    for model in results.campaign.models or ():
        if any(getattr(model, name) is not None for name in MODEL):
            yield plain(model_in_words(model))


def _declared(results: Results, question: Question) -> Iterator[str]:
    """Yield what the campaign says under the keys of a question: behind its name where there are several."""
    keys = [key for key in question.every_key if key not in IN_SENTENCES]
    for key in keys:
        if said := plain(material.value(results, key)):
            ended = said if said.endswith((".", "!", "?")) or question.item not in ONE else f"{said}."
            yield ended if len(keys) == 1 else f"{material.TITLES[key]}: {ended}"


def _protocol(results: Results) -> Iterator[str]:
    """Yield what the campaign says of how it was annotated; what it does not say is not inferred."""
    document = results.revision.document
    sums = (
        f" (SHA-256 {source.sha256})" for source in results.inputs if document and source.file == document
    )
    yield f"Guidelines {results.guidelines}{next(sums, '')}."
    for layers, group in sentences.alike(results):
        yield f"{layers}{sentences.labelled_alike(results, group)}."
    yield from sentences.independence(results)


def _analysis(results: Results) -> Iterator[str]:
    """Yield how much annotators agree, and what they differ on again and again."""
    yield sentences.paragraph(results, sentences.MOST)
    for unit_set in leading(results) if sentences.has_layers(results) else ():
        parts = (
            f"Layer {unit_set.layer}: {sentences.of_coefficient(results, unit_set)}",
            sentences.of_weakest(results, unit_set),
        )
        yield f"{'. '.join(filter(None, parts))}. Source: {there.RESULTS}."
    yield from _of_findings(results, "disagreement", ("note", *GRAVE))


def _per_item(results: Results) -> Iterator[str]:
    for layers, (unit_set, *_) in sentences.alike(results):
        if number := sentences.per_unit(results, unit_set):
            yield f"{layers}{number}"


def _of_findings(results: Results, kind: OfData, severities: Collection[str] = GRAVE) -> Iterator[str]:
    """Yield what findings say of the data, of each id the first ones: these are the gravest."""
    numbers = Counter[str]()
    for finding in results.findings:
        if finding.severity in severities and finding.of_data == kind and numbers[finding.id] < MOST_OF_ONE:
            numbers[finding.id] += 1
            yield sentences.said(finding, results.layers)


# The dataset, its files and their columns.

CROISSANT_CONFORMS = ("http://mlcommons.org/croissant/1.1", CONFORMS)
COEFFICIENTS = f"{there.REPORT}tables/coefficients.csv"
# The context of Croissant 1.1, with the vocabulary for responsible AI and our ids of measures.
CONTEXT: Mapping[str, Any] = json.loads(
    Path(__file__).with_name("croissant-context.json").read_text(encoding="utf-8")
)
# Columns that hold whole numbers; those whose names begin like the other ones hold numbers.
WHOLE = frozenset(("bulk", "documents", "labelled", "line", "marks", "n", "right", "units", "value_units"))
# A version has so many parts.
PARTS = 3
FRACTIONS = ("value", "value_low", "value_high", "value_standard_error", "value_observed", "value_expected")

Node = dict[str, Any]


@in_english
def croissant(released: Released) -> str:
    """Return the Croissant file of a release."""
    results, corpus = released.results, released.results.campaign.corpus
    licence, name = corpus.get("licence"), plain(str(corpus.get("name", "")))
    whose = f"{f'Corpus: {name}. ' if name else ''}Guidelines: {results.guidelines}."
    tables = [name for name in sorted(released.files) if _is_table(name) and columns_of(released.files[name])]
    others = [there.RESULTS] if there.RESULTS in released.files else []
    about = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": sentences.entitled(results),
        "description": f"The counts and coefficients of an agreement report. {whose}",
        "conformsTo": list(CROISSANT_CONFORMS),
        "citeAs": cited(results),
        "creator": list(map(_person, results.campaign.authors)),
        "datePublished": released.date,
        "license": address(identifier) if (identifier := spdx(licence)) else licence,
        "url": corpus.get("url") or doi(corpus.get("doi")),
        "sameAs": doi(corpus.get("doi")) if corpus.get("url") else None,
        "version": _version(results.guidelines),
        "about": [_term(results, measure) for measure in sorted(_measures(results))],
        "distribution": [_file(released, name) for name in (*tables, *others)],
        "recordSet": [_record_set(results, name, released.files[name]) for name in tables],
    }
    return as_json(without_empty({**about, **fields(results)}))


def _person(author: Author) -> Node:
    return without_empty({"@type": f"sc:{kind(author)}", "name": plain(author.name), "sameAs": orcid(author)})


def _version(guidelines: str) -> str | None:
    """Return a version as Croissant numbers it, in three parts; None where it is numbered otherwise."""
    parts = guidelines.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts) or len(parts) > PARTS:
        return None
    return ".".join(str(int(part)) for part in (*parts, "0", "0")[:PARTS])


# Files and their columns


def _is_table(name: str) -> bool:
    # Of labels the JSON lines: what reads CSV takes a label "None" for none.
    if name.startswith(there.LABELS):
        return name in COLUMNS and name.endswith(".jsonl")
    return name == COEFFICIENTS or (name.startswith(there.COUNTS) and name.endswith(".csv"))


def _file(released: Released, name: str) -> Node:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(released.files[name])} B",
        "encodingFormat": JSON_LINES if name.endswith(".jsonl") else media_type(name),
        "sha256": released.digest(name),
    }


def _record_set(results: Results, file: str, content: bytes) -> Node:
    own = file.removeprefix(there.REPORT).rpartition(".")[0]
    types = COLUMNS.get(file)
    fields = {
        column: {
            "@type": "cr:Field",
            "@id": f"{own}/{column}",
            "name": column,
            "dataType": TYPES[types[column].type] if types else _type(column),
            "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
        }
        for column in (columns_of(content) if types is None else first_keys(content))
    }
    # What annotators labelled: here is how much they agree on it.
    for column in fields.keys() & {"label", "labels"} if own == "counts/annotators" else ():
        agreement = list(_annotations(results, f"{own}/{column}"))
        fields[column] = without_empty({**fields[column], "annotation": agreement})
    return {"@type": "cr:RecordSet", "@id": own, "name": own, "field": list(fields.values())}


# As Croissant calls JSON lines.
JSON_LINES = "application/jsonlines"
TYPES = {"string": "sc:Text", "integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean"}


def _type(column: str) -> str:
    if column in WHOLE:
        return "sc:Integer"
    return "sc:Float" if column in FRACTIONS else "sc:Text"


# Agreement on what was labelled


def _annotations(results: Results, prefix: str) -> Iterator[Node]:
    for unit_set in leading(results):
        own, of = (
            f"{prefix}/{unit_set.layer}.{unit_set.id}",
            f"layer {unit_set.layer}, unit set {unit_set.id}",
        )
        name, primary = sentences.coefficient(results, unit_set)
        yield from _literals(results, own, name, primary, of)
        yield from _literals(
            results, own, "observed_agreement", unit_set.measures.get("observed_agreement"), of
        )
        for number, (category, figure) in enumerate(unit_set.specific_agreement.items()):
            about = f"{of}, category {plain(category)}"
            yield from _literals(results, f"{own}/{number}", "specific_agreement", figure, about)


def _literals(results: Results, own: str, measure: str, figure: Figure | None, about: str) -> Iterator[Node]:
    """Yield a figure, and the ends of its interval, as values of their own."""
    ends = figure.interval if figure else None
    for which, words, value in (
        ("value", "", figure and figure.value),
        ("low", ", lower end of the interval", ends and ends.low),
        ("high", ", upper end of the interval", ends and ends.high),
    ):
        if value is not None:
            name = f"{results.name_of(measure)}{words}"
            yield {
                "@type": "cr:Field",
                "@id": f"{own}/{measure}/{which}",
                "name": name,
                "description": f"{name}: {about}.",
                "dataType": ["sc:Float", _id(measure)],
                "value": value,
            }


def _id(measure: str) -> str:
    """Return the id of a measure as part of an address: it has no brackets."""
    return f"measure:{measure.replace('[', '/').replace(']', '').replace(',', '/')}"


def _measures(results: Results) -> set[str]:
    names = {sentences.coefficient(results, unit_set)[0] for unit_set in leading(results)}
    return names | set(ids_with(lambda measure: measure.headline and not measure.modes))


def _term(results: Results, measure: str) -> Node:
    """Return the definition of a measure by our own id."""
    entry = results.catalogue.get(measure.partition("[")[0])
    term: Node = {
        "@type": "DefinedTerm",
        "@id": _id(measure),
        "termCode": measure,
        "name": results.name_of(measure),
    }
    return term | ({"description": f"{entry.formula}. {entry.answers}"} if entry else {})


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
    "@id": there.CRATE,
    "@type": "CreativeWork",
    "name": "RO-Crate metadata",
    "description": "What is in this bundle, and how it was made.",
    "about": {"@id": ROOT},
    "conformsTo": {"@id": PROFILE},
}
CORPUS, NO_LICENCE = "#corpus", "#licence"
UNSTATED = "The campaign declares no licence: ask those who released the corpus."


def ro_crate(released: Released) -> str:
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
    parts = (path for path in sorted(released.files) if not path.startswith(there.REPORT))
    paragraph = released.files.get(there.PARAGRAPH, b"").decode().strip()
    return {
        "@id": ROOT,
        "@type": "Dataset",
        "name": title(results),
        "description": paragraph or scope(results),
        "datePublished": released.date,
        "license": {"@id": licence(results)["@id"]},
        "conformsTo": references(PROFILES),
        "version": results.guidelines,
        "hasPart": [{"@id": there.REPORT}, *({"@id": path_id(path)} for path in parts)],
    }


def _files(released: Released, digests: Mapping[str, str]) -> Iterator[Entity]:
    """Yield the report, and every file of the bundle."""
    yield present(
        {
            "@id": there.REPORT,
            "@type": "Dataset",
            "name": "Agreement report",
            "description": "Its pages, tables, counts and figures; index.html is where to begin.",
            "hasPart": [{"@id": path_id(path)} for path in sorted(digests) if path.startswith(there.REPORT)],
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
    campaign = [there.CAMPAIGN] if there.CAMPAIGN in released.files else []
    ids = dict.fromkeys(path_id(path) for path in (*campaign, *filter(None, places)))
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
            "object": [*({"@id": path} for path in ids), *references(absent)],
            "result": [{"@id": there.REPORT}, {"@id": there.RESULTS}],
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
        if not name.startswith(there.REPORT):
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


PROCESS_BLOCK, PEOPLE = "iaa", "iaa-annotators"
# What the campaign says of its annotators.
OF_PEOPLE = tuple(
    f"protocol.{key}"
    for key in (
        *("recruitment", "training", "pay", "pay_amount", "pay_minimum", "demographics"),
        *("language_proficiency", "expertise", "consent", "ethics"),
    )
)
# Where each block belongs, below "Annotations" in "Dataset Creation".
SECTIONS = {PROCESS_BLOCK: "Annotation process", PEOPLE: "Who are the annotators?"}
# How much there is, in Hugging Face's words: "n<1K", "1K<n<10K" and so on to "n>1B".
POWERS = ("1K", "10K", "100K", "1M", "10M", "100M", "1B")
SIZES = ("n<1K", *(f"{low}<n<{high}" for low, high in pairwise(POWERS)), "n>1B")
LINK = f"[agreement report]({REPORT}index.html)"
CREATORS = "# annotations_creators: expert-generated, crowdsourced or machine-generated; only you know."


@in_english
def dataset_card(released: Released) -> str:
    """Return the card: suggestions for its head, and the blocks under their sections."""
    documents = released.results.campaign.corpus.get("documents")
    about: dict[str, Any] = {
        "tags": [keyword.replace(" ", "-") for keyword in sentences.keywords(released.results)]
    }
    if isinstance(documents, int):
        about["size_categories"] = [SIZES[min(max(0, len(str(documents)) - 3), len(SIZES) - 1)]]
    if configs := [*_configs(released)]:
        about["configs"] = configs
    head = ["---", "# Suggestions for the head of your own card.", CREATORS, *yaml_lines(about), "---"]
    body = ["## Dataset Creation", "### Annotations"]
    for name, text in blocks(released.results).items():
        body += [f"#### {SECTIONS[name]}", f"<!-- {name}:begin -->\n{text}\n<!-- {name}:end -->"]
    return "\n\n".join(["\n".join(head), *body]) + "\n"


def _configs(released: Released) -> Iterator[dict[str, Any]]:
    """Yield how `datasets` loads the tables of labels: from JSON lines, where a label "None" stays one."""
    for name, file in (("labels", LABEL_TABLE), ("aggregated", AGGREGATED)):
        if json_lines(file) in released.files:
            yield {"config_name": name, "data_files": json_lines(file)}


def blocks(results: Results) -> dict[str, str]:
    """Return the text of each block, without its markers; the first line says whose report it comes from."""
    whose = f"<!-- agreement report {results.campaign.id} {results.guidelines} -->"
    paragraphs = {PROCESS_BLOCK: [*_process(results)], PEOPLE: [*_people(results)]}
    return {name: "\n\n".join([whose, *statements]) for name, statements in paragraphs.items()}


def _process(results: Results) -> Iterator[str]:
    yield " ".join(_sentences(results))
    yield to_markdown(_table(results))
    tool = f"{results.tool.name} {results.tool.version}"
    yield (
        f"The {LINK} shows the tables behind each figure, says what the figures bear and what not, and can "
        f"be recomputed from its counts. Made with {tool}."
    )


def _sentences(results: Results) -> Iterator[str]:
    tool = results.campaign.protocol.get("tool")
    within = escape_markdown(f", in {plain(str(tool))}") if tool else ""
    yield f"Annotated under guidelines {results.guidelines}{within}."
    yield from sentences.independence(results)
    for layers, group in sentences.alike(results):
        yield escape_markdown(f"{layers}{sentences.labelled_alike(results, group)}.")
        if number := sentences.per_unit(results, group[0]):
            yield escape_markdown(f"Annotations: {number}.")
    yield from (escape_markdown(machine) for machine in sentences.machines(results))
    if method := sentences.of_method(results, results.primary):
        yield escape_markdown(f"{method}.")
    if any(map(sentences.without_interval, leading(results))):
        yield "Categories with too few labels for an interval are never named as the weakest."


def _people(results: Results) -> Iterator[str]:
    """Yield what the campaign says of its annotators; what it does not say is not inferred."""
    people = sentences.people(results, results.primary)
    yield f"{escape_markdown(people)} under guidelines {results.guidelines}."
    if groups := groups_in_words(results):
        yield escape_markdown(plain(groups))
    for key in OF_PEOPLE:
        if said := material.value(results, key):
            yield escape_markdown(f"{material.TITLES[key]}: {plain(said)}")


SPECIFIC = "specific_agreement"
F = "f_measure"


def _table(results: Results) -> ReportTable:
    rows = [_row(results, unit_set) for unit_set in leading(results)]
    columns = [
        TableColumn("layer", "Layer"),
        TableColumn("unit_set", "Units"),
        TableColumn("units", "Number compared", "count"),
        TableColumn("coefficient", "Coefficient"),
        TableColumn("value", "Value [95% interval]", "estimate"),
        TableColumn("category", "Weakest category"),
        TableColumn(SPECIFIC, "Specific agreement", "estimate"),
        TableColumn(F, "F-measure of marks", "figure"),
    ]
    marks = any(row[F] is not None for row in rows)
    absent = {name for name, there in (("layer", len(rows) > 1), (F, marks)) if not there}
    shown = tuple(column for column in columns if column.key not in absent)
    cells = tuple(tuple(row[column.key] for column in shown) for row in rows)
    return ReportTable("agreement", "Agreement", shown, cells)


def _row(results: Results, unit_set: UnitSet) -> dict[str, str | int | float | None]:
    answer, figure = results.answer_of(unit_set.layer), sentences.coefficient(results, unit_set)[1]
    category, agreement = sentences.weakest(unit_set) or ("–", None)
    if results.subject_of(unit_set.layer) == "recordings":
        category, agreement = "–", None
    compared = unit_set.units_compared if figure is None or figure.units is None else figure.units
    strict = sentences.strict(results, unit_set.layer)
    return {
        "layer": unit_set.layer,
        "unit_set": unit_set.id,
        "units": answer.units if answer else compared,
        "coefficient": plain(sentences.named(results, unit_set.layer)),
        "value": estimate(answer.value if answer else figure),
        "category": plain(category),
        SPECIFIC: estimate(agreement),
        F: strict.value if strict else None,
    }


CFF_VERSION = "1.2.0"
MESSAGE = "If you use figures of this agreement report, please cite it."
# What the schema takes for a digital object identifier; others are left out.
DOI = re.compile(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+")
# Licences that the schema does not know yet.
NEWER = ("CDLA-Permissive-2.0", "DL-DE-BY-2.0", "DL-DE-ZERO-2.0")
# Words between given names and family names, which begin with a small letter.
PARTICLE = re.compile(r"[a-zà-ÿ'’]+")
Entry = dict[str, Any]


@in_english
def citation(released: Released) -> str:
    """Return the citation of the report; the campaign is its author where nobody signs it."""
    results = released.results
    campaign, corpus = results.campaign, results.campaign.corpus
    about = {
        "cff-version": CFF_VERSION,
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
