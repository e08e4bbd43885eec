"""croissant.json: the report's tables as a Croissant 1.1 dataset, with what it says of the annotation (RAI).

It validates by itself, and `merge` takes the fields of the annotation from it into a publisher's own file.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reportgen.publish import sentences
from reportgen.publish.bundle_files import COUNTS, REPORT, RESULTS, Released, as_json, columns_of, signed
from reportgen.publish.datapackage import INTEGER
from reportgen.publish.sentences import in_english, leading, plain
from reportgen.report.citation import address, kind, spdx
from reportgen.report.citation import text as cited
from reportgen.report.linked_data import doi, orcid
from reportgen.results import Author, Figure, Input, Results, UnitSet

# What Croissant's vocabulary for responsible AI has of annotation: which names, and what is there.

VOCABULARY = "http://mlcommons.org/croissant/RAI/"
CONFORMS = f"{VOCABULARY}1.0"
PREFIX = "rai"
# Names of the vocabulary's table of properties, and whether one may have several values. Validators let
# misspelt ones pass, so that nothing but these is written.
ONE = ("rai:annotationsPerItem", "rai:dataAnnotationProtocol")
MANY = (
    "rai:annotatorDemographics",
    "rai:dataAnnotationAnalysis",
    "rai:dataAnnotationPlatform",
    "rai:dataBiases",
    "rai:dataLimitations",
    "rai:machineAnnotationTools",
)
NAMES = frozenset((*ONE, *MANY))
# Findings that say what the annotation is skewed by, and those that say what it can't bear.
BIASES = frozenset(("bias", "prevalence", "pre-annotated", "near-chance", "drift"))
LIMITATIONS = frozenset(
    (
        "choice-of-units",
        "few-documents",
        "no-documents",
        "not-independent",
        "omission",
        "rejected-annotators",
        "straddles",
        "uninformative",
        "unjustified",
        "verdict",
        "weak-category",
        "whole-sets",
    )
)
# What annotators differ on.
SYSTEMATIC = frozenset(("confused",))
# So many statements of one kind say enough.
MOST_OF_ONE = 5
GRAVE = ("problem", "warning")

Value = str | list[str]


def fields(results: Results) -> dict[str, Value]:
    """Return the fields that there is something to say in, each statement signed."""
    said_of = {
        "rai:dataAnnotationProtocol": [_protocol(results)],
        "rai:dataAnnotationPlatform": _of_protocol(results, tool="{}"),
        "rai:dataAnnotationAnalysis": _analysis(results),
        "rai:annotationsPerItem": [_per_item(results)],
        "rai:annotatorDemographics": _of_protocol(results, recruitment="Recruitment: {}", pay="Pay: {}"),
        "rai:machineAnnotationTools": sentences.machines(results),
        "rai:dataBiases": _found(results, BIASES),
        "rai:dataLimitations": _found(results, LIMITATIONS),
    }
    return dict(_signed(results, said_of))


def _signed(results: Results, said_of: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, Value]]:
    for name, statements in sorted(said_of.items()):
        known = [signed(each, results) for each in dict.fromkeys(statements) if each]
        if known:
            yield name, known[0] if name in ONE else known


def _protocol(results: Results) -> str:
    document = results.revision.document
    guidelines = f"Guidelines {results.guidelines}{_digest(results.inputs, document)}."
    layers = " ".join(
        f"{layers}{sentences.labelled_alike(group)}." for layers, group in sentences.alike(results)
    )
    return " ".join((guidelines, layers, *_circumstances(results)))


def _digest(inputs: Iterable[Input], document: str | None) -> str:
    found = next((each for each in inputs if document and each.file == document), None)
    return f" (SHA-256 {found.sha256})" if found else ""


def _circumstances(results: Results) -> Iterator[str]:
    """Yield what the campaign says of how it was annotated; what it does not say is not inferred."""
    yield from sentences.independence(results)
    yield from _of_protocol(
        results,
        training="Training: {}",
        adjudication="Disagreements: {}",
        minutes_per_document="Minutes a document: {}",
    )


def _of_protocol(results: Results, **phrases: str) -> Iterator[str]:
    for key, phrase in phrases.items():
        if (value := results.campaign.protocol.get(key)) is not None:
            yield phrase.format(plain(str(value)))


def _analysis(results: Results) -> Iterator[str]:
    """Yield how much annotators agree, and what they differ on again and again."""
    yield sentences.paragraph(results, sentences.MOST)
    for each in leading(results) if sentences.has_layers(results) else ():
        parts = (f"Layer {each.layer}: {sentences.of_coefficient(results, each)}", sentences.of_weakest(each))
        yield f"{'. '.join(filter(None, parts))}. Source: {RESULTS}."
    yield from _found(results, SYSTEMATIC, ("note", *GRAVE))


def _per_item(results: Results) -> str:
    return "; ".join(
        f"{layers}{found}"
        for layers, (each, *_) in sentences.alike(results)
        if (found := sentences.per_unit(each))
    )


def _found(results: Results, wanted: frozenset[str], severities: Collection[str] = GRAVE) -> list[str]:
    """Return what findings of some ids say, of each id the first ones: these are the gravest."""
    found = [each for each in results.findings if each.severity in severities and each.id in wanted]
    seen = Counter[str]()
    kept = []
    for each in found:
        seen[each.id] += 1
        if seen[each.id] <= MOST_OF_ONE:
            kept.append(sentences.said(each, results.layers))
    return kept


# The dataset, its files and their columns.

CROISSANT_CONFORMS = ("http://mlcommons.org/croissant/1.1", CONFORMS)
COEFFICIENTS = f"{REPORT}tables/coefficients.csv"
# The context of Croissant 1.1, with the vocabulary for responsible AI and our ids of measures.
CONTEXT: Mapping[str, Any] = json.loads(
    Path(__file__).with_name("croissant-context.json").read_text(encoding="utf-8")
)
# Columns that hold whole numbers; those whose names begin like the other ones hold numbers.
WHOLE = frozenset((*INTEGER, "value_units"))
# A version has so many parts.
PARTS = 3
FRACTIONS = ("value", "value_low", "value_high", "value_standard_error", "value_observed", "value_expected")

Node = dict[str, Any]


@in_english
def write(released: Released) -> str:
    """Return the Croissant file of a release."""
    return as_json(_dataset(released))


def _dataset(released: Released) -> Node:
    results = released.results
    corpus = results.campaign.corpus
    licence = corpus.get("licence")
    tables = [name for name in sorted(released.files) if _is_table(name) and columns_of(released.files[name])]
    others = [RESULTS] if RESULTS in released.files else []
    about = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": sentences.entitled(results),
        "description": f"The counts and coefficients of an agreement report. {_whose(results)}",
        "conformsTo": list(CROISSANT_CONFORMS),
        "citeAs": cited(results),
        "creator": list(map(_person, results.campaign.authors)),
        "datePublished": released.date,
        "license": address(known) if (known := spdx(licence)) else licence,
        "url": corpus.get("url") or doi(corpus.get("doi")),
        "sameAs": doi(corpus.get("doi")) if corpus.get("url") else None,
        "version": _version(results.guidelines),
        "about": [_term(results, each) for each in sorted(_measures(results))],
        "distribution": [_file(name, released.files[name]) for name in (*tables, *others)],
        "recordSet": [_record_set(results, name, released.files[name]) for name in tables],
    }
    return {key: value for key, value in {**about, **fields(results)}.items() if value not in (None, [])}


def _whose(results: Results) -> str:
    corpus = plain(str(results.campaign.corpus.get("name", "")))
    return (
        f"Corpus: {corpus}. Guidelines: {results.guidelines}."
        if corpus
        else f"Guidelines: {results.guidelines}."
    )


def _person(author: Author) -> Node:
    known = {"sameAs": orcid(author)} if author.orcid else {}
    return {"@type": f"sc:{kind(author)}", "name": plain(author.name), **known}


def _version(guidelines: str) -> str | None:
    """Return a version as Croissant numbers it, in three parts; None where it is numbered otherwise."""
    parts = guidelines.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts) or len(parts) > PARTS:
        return None
    return ".".join(str(int(part)) for part in (*parts, "0", "0")[:PARTS])


# Files and their columns


def _is_table(name: str) -> bool:
    return name == COEFFICIENTS or (name.startswith(COUNTS) and name.endswith(".csv"))


def _file(name: str, content: bytes) -> Node:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(content)} B",
        "encodingFormat": "text/csv" if name.endswith(".csv") else "application/json",
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _record_set(results: Results, name: str, content: bytes) -> Node:
    own = name.removeprefix(REPORT).removesuffix(".csv")
    return {
        "@type": "cr:RecordSet",
        "@id": own,
        "name": own,
        "field": [_field(results, own, name, column) for column in columns_of(content)],
    }


def _field(results: Results, own: str, file: str, column: str) -> Node:
    field: Node = {
        "@type": "cr:Field",
        "@id": f"{own}/{column}",
        "name": column,
        "dataType": _type(column),
        "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
    }
    # What annotators labelled: here is how much they agree on it.
    agreement = list(_annotations(results, f"{own}/{column}")) if own == "counts/annotators" else []
    return field | ({"annotation": agreement} if agreement and column == "label" else {})


def _type(column: str) -> str:
    if column in WHOLE:
        return "sc:Integer"
    return "sc:Float" if column in FRACTIONS else "sc:Text"


# Agreement on what was labelled


def _annotations(results: Results, place: str) -> Iterator[Node]:
    for each in leading(results):
        own = f"{place}/{each.layer}.{each.id}"
        name, found = sentences.coefficient(results, each)
        for measure, figure in (
            (name, found),
            ("observed_agreement", each.measures.get("observed_agreement")),
        ):
            yield from _literals(results, own, measure, figure, _of(each))
        for number, (category, figure) in enumerate(each.specific_agreement.items()):
            about = f"{_of(each)}, category {plain(category)}"
            yield from _literals(results, f"{own}/{number}", "specific_agreement", figure, about)


def _of(unit_set: UnitSet) -> str:
    return f"layer {unit_set.layer}, unit set {unit_set.id}"


def _literals(results: Results, own: str, measure: str, figure: Figure | None, about: str) -> Iterator[Node]:
    """Yield a figure, and the ends of its interval, as values of their own."""
    ends = figure.interval if figure else None
    values = {
        "": figure.value if figure else None,
        ", lower end of the interval": ends.low if ends else None,
        ", upper end of the interval": ends.high if ends else None,
    }
    for which, (words, value) in zip(("value", "low", "high"), values.items(), strict=True):
        if value is not None:
            yield {
                "@type": "cr:Field",
                "@id": f"{own}/{measure}/{which}",
                "name": f"{results.name_of(measure)}{words}",
                "description": f"{results.name_of(measure)}{words}: {about}.",
                "dataType": ["sc:Float", _id(measure)],
                "value": value,
            }


def _id(measure: str) -> str:
    """Return the id of a measure as part of an address: it has no brackets."""
    return f"measure:{measure.replace('[', '/').replace(']', '').replace(',', '/')}"


def _measures(results: Results) -> set[str]:
    names = {sentences.coefficient(results, each)[0] for each in leading(results)}
    return names | {"observed_agreement", "specific_agreement"}


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
