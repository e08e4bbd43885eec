"""results.json is the wall: pages are rendered from it alone; its schema, the figures of a paper."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from reportgen.results import Figure, Interval, Results, Tool, dumps, rounded, schema_of
from tests.campaigns import GENE_RENAMING, results_of
from tests.commands import run
from tests.rendered import version_files
from tests.sites import IN_TEXTS


@pytest.fixture(scope="module")
def found() -> Results:
    return results_of(GENE_RENAMING)


def test_results_validate_against_their_schema(found: Results) -> None:
    jsonschema.Draft202012Validator(schema_of(Results)).validate(json.loads(dumps(found)))


def test_the_schema_is_strict_enough_to_refuse_a_misspelt_key(found: Results) -> None:
    content = json.loads(dumps(found))
    content["unit_sets"][0]["measure"] = {}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema_of(Results)).validate(content)


@pytest.mark.slow
def test_every_file_is_rendered_alike_from_results_read_back(found: Results) -> None:
    again = Results.model_validate_json(dumps(found))
    assert dumps(again) == dumps(found)
    assert dict(version_files(again, {})) == dict(version_files(found, {}))


def test_floats_have_twelve_significant_digits_and_nothing_is_infinite() -> None:
    assert rounded(1 / 3) == 0.333333333333
    assert rounded({"a": [float("nan"), float("inf"), 2]}) == {"a": [None, None, 2]}


def test_an_undefined_figure_is_null_with_its_reason_and_an_absent_key_is_absent() -> None:
    assert json.loads(dumps(Figure(value=None, undefined="why"))) == {"value": None, "undefined": "why"}


def test_an_interval_has_ends_or_a_reason_and_never_both() -> None:
    with pytest.raises(ValidationError):
        Interval(low=0.1, high=0.2, undefined="why")
    with pytest.raises(ValidationError):
        Interval()


def test_the_tool_names_no_platform_and_no_python() -> None:
    assert set(Tool.model_fields) == {"name", "version", "libraries"}
    assert set(Tool.here().libraries) == {"numpy", "scipy", "matplotlib"}


def test_with_two_annotators_the_unit_sets_figures_are_the_pairs(found: Results) -> None:
    for each in found.unit_sets:
        pair = each.pairs[0].measures
        assert {name: each.measures[name] for name in pair} == pair
        assert each.specific_agreement == each.pairs[0].specific_agreement


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


@pytest.fixture(scope="session")
def version(example_site: Path) -> Path:
    return example_site / "gene-renaming" / "1.0"


@pytest.fixture(scope="module")
def results(version: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((version / "results.json").read_bytes())
    return loaded


@pytest.fixture(scope="module")
def unit_sets(results: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in results["unit_sets"]}


# What is written


def test_results_and_campaign_fit_their_schemas(results: dict[str, Any]) -> None:
    schema = json.loads(run("schema", "results").stdout)
    jsonschema.Draft202012Validator(schema).validate(results)
    campaign = tomllib.loads((GENE_RENAMING / "campaign.toml").read_text(encoding="utf-8"))
    as_json = json.loads(json.dumps(campaign, default=str))
    schema = json.loads(run("schema", "campaign").stdout)
    jsonschema.Draft202012Validator(schema).validate(as_json)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(as_json | {"titel": "x"})


def test_computed_distances_can_be_declared(version: Path, tmp_path: Path) -> None:
    """What the report writes can be a campaign's table of distances, and then gives the same figure."""
    table = tmp_path / "again.csv"
    table.write_bytes((version / "tables/computed-distances-alpha.tokens.csv").read_bytes())
    answer = run("agree", GENE_RENAMING / "exports/1.0/confusion.csv", "--distance", table, "--json")
    measures = json.loads(answer.stdout)["measures"]
    declared = measures["krippendorff_alpha[again]"]["value"]
    assert declared == pytest.approx(measures["krippendorff_alpha[computed]"]["value"], abs=1e-11)


@pytest.mark.parametrize("page", ["index.html", "report.html", "report.md"])
def test_every_form_of_the_report_states_the_facts(version: Path, page: str) -> None:
    text = (version / page).read_text(encoding="utf-8").replace("\\", "")
    for fact in ("18,840", "0.801 [0.755, 0.840]", "0.776", "0.739", "0.803", "199", "176", "Bowker"):
        assert fact in text.replace('</data>\n <span class="interval">', " ").replace("&#39;", "'"), fact
