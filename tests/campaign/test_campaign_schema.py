"""The JSON Schema of campaign.toml."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest

from reportgen.campaign import campaign_schema

Whole = tuple[str, Mapping[str, str]]


def _as_json(text: str) -> object:
    """Return TOML as editors hand it to a JSON Schema, dates being texts."""
    return json.loads(json.dumps(tomllib.loads(text), default=str))


def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(
        campaign_schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )


def test_the_schema_is_a_schema_of_its_draft() -> None:
    """It says which draft it follows and what it describes."""
    schema = campaign_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] == "campaign.toml"
    jsonschema.Draft202012Validator.check_schema(schema)


def test_the_schema_accepts_what_loads(whole: Whole, smallest: str) -> None:
    """What an editor marks as wrong is wrong."""
    for text in (whole[0], smallest, smallest.replace('"exports/1.0"', '["exports/*"]')):
        _validator().validate(_as_json(text))


@pytest.mark.parametrize(
    "lines",
    [
        "exprots = 'x'",
        "[corpus]\ndocuments = '5'",
        "[task]\nscale = 'ordnal'",
        "[[unit_sets]]\nid = 'a b'\nunits = 'items'",
        "[[unit_sets]]\nid = 'a'\nunits = 'items'\nsize = 0",
        "[gate]\ncohen_kappa = { value = 2 }",
        "date = 5",
    ],
)
def test_the_schema_refuses_what_does_not_load(smallest: str, lines: str) -> None:
    """Editors mark mistyped keys and wrong values."""
    assert not _validator().is_valid(_as_json(f"{smallest}{lines}\n"))


def _properties(node: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(node, dict):
        yield from (pair for pair in node.get("properties", {}).items())
        for child in node.values():
            yield from _properties(child)


def test_every_key_is_described() -> None:
    """What an editor offers, it also explains."""
    schema = campaign_schema()
    tables = {f"#/$defs/{name}": table for name, table in schema["$defs"].items()}
    undescribed = [
        name
        for name, field in _properties(schema)
        if not field.get("description") and not tables.get(field.get("$ref", ""), {}).get("description")
    ]
    assert undescribed == []


def test_overriding_tables_have_no_defaults_of_their_own() -> None:
    """What a layer or a version leaves open comes from [task], and the schema says nothing else."""
    definitions = campaign_schema()["$defs"]
    assert definitions["Task"]["properties"]["scale"]["default"] == "nominal"
    assert "default" not in definitions["Layer"]["properties"]["scale"]
    assert "default" not in definitions["Guidelines"]["properties"]["scale"]
