"""What Croissant's vocabulary for responsible AI has of annotation: which names, and what stands there."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from reportgen.release.names import RESULTS
from reportgen.release.paragraph import MOST, paragraph
from reportgen.release.sentences import (
    alike,
    has_layers,
    labelled_alike,
    leading,
    machines,
    of_coefficient,
    of_weakest,
    per_unit,
    plain,
    said,
)
from reportgen.release.signature import signed
from reportgen.results import Input, Results

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
        "rai:machineAnnotationTools": machines(results),
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
    layers = " ".join(f"{layers}{labelled_alike(group)}." for layers, group in alike(results))
    return " ".join((guidelines, layers, *_circumstances(results)))


def _digest(inputs: Iterable[Input], document: str | None) -> str:
    found = next((each for each in inputs if document and each.file == document), None)
    return f" (SHA-256 {found.sha256})" if found else ""


def _circumstances(results: Results) -> Iterator[str]:
    """Yield what the campaign says of how it was annotated; what it does not say is not inferred."""
    match results.campaign.protocol.get("independent"):
        case True:
            yield "Annotators worked independently of each other."
        case False:
            yield "Annotators did not work independently of each other."
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
    yield paragraph(results, MOST)
    for each in leading(results) if has_layers(results) else ():
        parts = (f"Layer {each.layer}: {of_coefficient(results, each)}", of_weakest(each))
        yield f"{'. '.join(filter(None, parts))}. Source: {RESULTS}."
    yield from _found(results, SYSTEMATIC, ("note", *GRAVE))


def _per_item(results: Results) -> str:
    return "; ".join(f"{layers}{found}" for layers, (each, *_) in alike(results) if (found := per_unit(each)))


def _found(results: Results, wanted: frozenset[str], severities: Collection[str] = GRAVE) -> list[str]:
    """Return what findings of some ids say, of each id the first ones: these are the gravest."""
    found = [each for each in results.findings if each.severity in severities and each.id in wanted]
    seen = Counter[str]()
    kept = []
    for each in found:
        seen[each.id] += 1
        if seen[each.id] <= MOST_OF_ONE:
            kept.append(said(each, results.layers))
    return kept
