"""croissant.json: the report's tables as a Croissant 1.1 dataset, with what it says of the annotation (RAI).

It validates by itself.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reportgen.catalogue import ids_with
from reportgen.publish import bundle_files as there
from reportgen.publish import sentences
from reportgen.publish.bundle_files import (
    Released,
    as_json,
    columns_of,
    first_keys,
    media_type,
    signed,
    without_empty,
)
from reportgen.publish.label_table import COLUMNS
from reportgen.publish.sentences import in_english, leading, plain
from reportgen.report import material
from reportgen.report.checklists import CHECKLISTS, MODEL, Question, groups_in_words, model_in_words
from reportgen.report.linked_data import address, doi, kind, orcid, spdx
from reportgen.report.material import text as cited
from reportgen.results import Author, Figure, Results
from reportgen.results.model import OfData

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
def write(released: Released) -> str:
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
