"""results.json is the wall: pages are rendered from it alone."""

import json

import jsonschema
import pytest
from pydantic import ValidationError

from reportgen.results import Figure, Interval, Results, Tool, dumps, rounded, schema_of
from tests.campaigns import GENE_RENAMING, results_of
from tests.rendered import version_files


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


def test_marks_read_are_marks_used_and_left_out(found: Results) -> None:
    assert found.marks.read == found.marks.used + found.marks.left_out == 2 * 19054
    for each in found.unit_sets:
        assert each.units == each.units_read - sum(each.units_left_out.values()) + each.units_added


def test_with_two_annotators_the_unit_sets_figures_are_the_pairs(found: Results) -> None:
    for each in found.unit_sets:
        pair = each.pairs[0].measures
        assert {name: each.measures[name] for name in pair} == pair
        assert each.specific_agreement == each.pairs[0].specific_agreement
