"""The files of a site are what the schemas say that reportgen prints."""

import json
from pathlib import Path

import jsonschema
import pytest

from tests.commands import run
from tests.sites import IN_TEXTS

FILES = {
    "results": "1.0/results.json",
    "texts": "1.0/texts.json",
    "comparison": "compare/0.9...1.0/comparison.json",
    "changed": "compare/0.9...1.0/changed.json",
    "history": "history.json",
}


@pytest.fixture
def folder(example_site: Path) -> Path:
    return example_site / IN_TEXTS.name


@pytest.mark.parametrize(("name", "file"), FILES.items())
def test_each_json_file_of_a_site_fits_its_schema(folder: Path, name: str, file: str) -> None:
    schema = json.loads(run("schema", name).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    content = json.loads((folder / file).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(content)
