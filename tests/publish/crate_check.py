"""A check of RO-Crates of our own, for where the validator's contexts are absent."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonschema

Entity = Mapping[str, Any]

TEXT = {"type": "string", "minLength": 1}
DATE = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}
REFERENCE = {
    "type": "object",
    "properties": {"@id": TEXT},
    "required": ["@id"],
    "additionalProperties": False,
}
REFERENCES = {"anyOf": [REFERENCE, {"type": "array", "items": REFERENCE, "minItems": 2, "uniqueItems": True}]}
NUMBER = {"type": "number"}
LOCAL = {"type": "string", "pattern": r"^(#|[A-Za-z]|\.)[^ \\<>\"{}|^`]*$"}
ANY = {"name": TEXT, "description": TEXT, "@id": TEXT}


def _type(wanted: str | list[str], required: Sequence[str], **terms: object) -> dict[str, Any]:
    """Return the schema of a type: no term but these, which are all terms of the RO-Crate context."""
    return {
        "type": "object",
        "properties": {**ANY, "@type": {"const": wanted}, **terms},
        "required": ["@id", "@type", "name", *required],
        "additionalProperties": False,
    }


ROOT = _type(
    "Dataset",
    ("description", "datePublished", "license", "conformsTo", "hasPart", "mentions"),
    **{"@id": {"const": "./"}, "datePublished": DATE, "version": TEXT},
    **dict.fromkeys(
        (
            *("license", "author", "conformsTo", "about", "isBasedOn", "citation", "hasPart", "mentions"),
            "variableMeasured",
        ),
        REFERENCES,
    ),
)
FOLDER = _type("Dataset", ("description", "hasPart"), hasPart=REFERENCES)
CORPUS = _type("Dataset", (), version=TEXT, inLanguage=TEXT, url=TEXT, license=REFERENCES, identifier=TEXT)
DESCRIPTOR = _type(
    "CreativeWork", ("about", "conformsTo"), about={"const": {"@id": "./"}}, conformsTo=REFERENCE
)
SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "File": _type(
        "File",
        ("sha256", "contentSize", "encodingFormat"),
        **{"@id": LOCAL, "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
        contentSize={"type": "string", "pattern": "^[0-9]+$"},
        encodingFormat={"type": "string", "pattern": "^[a-z]+/[a-z0-9.+-]+$"},
        inLanguage={"enum": ["en", "fr"]},
        localPath=TEXT,
    ),
    "Person": _type("Person", (), affiliation=REFERENCES),
    "Organization": _type("Organization", ()),
    "CreativeWork": _type("CreativeWork", ("description",)),
    "CreativeWork, Profile": _type(["CreativeWork", "Profile"], ("version",), version=TEXT),
    "ScholarlyArticle": _type("ScholarlyArticle", (), creditText=TEXT, datePublished=TEXT),
    "PropertyValue": _type(
        "PropertyValue",
        ("propertyID",),
        propertyID=TEXT,
        measurementTechnique=TEXT,
        value=NUMBER,
        minValue=NUMBER,
        maxValue=NUMBER,
    ),
    "SoftwareApplication": _type("SoftwareApplication", ("url", "version"), url=TEXT, version=TEXT),
    "CreateAction": _type(
        "CreateAction",
        ("instrument", "object", "result", "endTime", "actionStatus"),
        **dict.fromkeys(("instrument", "object", "result", "agent"), REFERENCES),
        endTime=DATE,
        actionStatus={"const": "http://schema.org/CompletedActionStatus"},
    ),
}


def faults(crate: Mapping[str, Any]) -> list[str]:
    """Return all that is wrong with a crate, in words."""
    return [*_whole(crate), *_typed(crate["@graph"]), *_linked(crate["@graph"])]


def _whole(crate: Mapping[str, Any]) -> Iterator[str]:
    if crate.get("@context") != "https://w3id.org/ro/crate/1.2/context":
        yield "another context"
    ids = [each.get("@id") for each in crate["@graph"]]
    if len({*ids}) != len(ids):
        yield "two entities of one id"


def _typed(graph: Sequence[Entity]) -> Iterator[str]:
    for each in graph:
        schema = _schema(each)
        if schema is None:
            yield f"{each.get('@id')}: a type that no entity has, {each.get('@type')}"
            continue
        for error in jsonschema.Draft202012Validator(schema).iter_errors(each):
            yield f"{each.get('@id')}: {error.message[:200]}"


def _schema(entity: Entity) -> Mapping[str, Any] | None:
    own = {"./": ROOT, "report/": FOLDER, "ro-crate-metadata.json": DESCRIPTOR}.get(entity.get("@id", ""))
    if own is not None:
        return own
    kind = entity.get("@type")
    if kind == "Dataset":
        return CORPUS
    return SCHEMAS.get(", ".join(kind) if isinstance(kind, list) else str(kind))


def references(value: object) -> Iterator[str]:
    """Yield every id that stands in a value for another entity."""
    if isinstance(value, list):
        for each in value:
            yield from references(each)
    elif isinstance(value, Mapping):
        yield value["@id"]


def _linked(graph: Sequence[Entity]) -> Iterator[str]:
    """Yield references that lead nowhere, and entities that the root does not lead to."""
    known = {each["@id"]: each for each in graph if "@id" in each}
    reached, new = {"ro-crate-metadata.json"}, ["./"]
    while new:
        one = new.pop()
        if one in reached:
            continue
        reached.add(one)
        if one not in known:
            yield f"{one}: nowhere in the crate"
            continue
        new += [each for value in known[one].values() for each in references(value)]
    yield from (f"{each}: nothing leads there" for each in known if each not in reached)
