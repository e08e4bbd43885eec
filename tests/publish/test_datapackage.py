"""datapackage.json: every table and count with its columns, as frictionless finds them in the files."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.publish import bundle_files as files
from reportgen.publish import datapackage
from reportgen.publish.bundle_files import FOLDERS, Released, described
from tests.campaigns import written
from tests.publish.releases import attacked, example, on_disk, released, with_files
from tests.slowly import slow_but

# frictionless and what it stands on warn of their own ways.
pytestmark = pytest.mark.filterwarnings("ignore")

# Labels, annotators and documents that look like numbers, dates, truths, and columns of ours.
NUMBERS = (
    "document,item,annotator,label\n"
    "01,1,007,1\n01,1,n,1\n01,2,007,01\n01,2,n,1.0\n02,3,007,true\n02,3,n,2020-01-01\n"
    "02,4,007,total\n02,4,n,category\n03,5,007,1\n03,5,n,01\n"
)
MATRIX = "1\\2,category,1e5\ncategory,3,1\n1e5,0,2\n"
EMPTY = "item,A1,A2\n1,yes,\n2,,no\n"


def of(given: Released) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(datapackage.write(given))
    return found


def resources(given: Released) -> dict[str, dict[str, Any]]:
    return {each["path"]: each for each in of(given)["resources"]}


def types(resource: Mapping[str, Any]) -> dict[str, str]:
    return {each["name"]: each["type"] for each in resource["schema"]["fields"]}


def tables(given: Released) -> set[str]:
    return {each for each in given.files if each.endswith(".csv")}


def mistakes(folder: Path) -> Iterator[str]:
    import frictionless

    report = frictionless.validate(str(folder / files.PACKAGE))
    yield from (each.message for each in report.errors)
    yield from (f"{task.place}: {each.message}" for task in report.tasks for each in task.errors)
    assert report.valid == (not report.errors and not any(task.errors for task in report.tasks))


def hold(given: Released, folder: Path) -> None:
    """Hold that all tables stand in the package, and that they are as it says."""
    found = of(given)["resources"]
    assert {each["path"] for each in found} == tables(given)
    assert len({each["name"] for each in found}) == len(found)
    assert list(mistakes(on_disk(given, folder))) == []


@pytest.mark.slow
@pytest.mark.parametrize("in_texts", slow_but([(False,), (True,)], (False,)), ids=["matrix", "marks"])
def test_tables_of_the_examples_are_as_their_package_says(tmp_path: Path, *, in_texts: bool) -> None:
    given = example(in_texts=in_texts)
    hold(given, tmp_path)
    assert len(tables(given)) > 40


@pytest.mark.slow
@pytest.mark.parametrize("export", [NUMBERS, MATRIX, EMPTY], ids=["numbers", "matrix", "nothing shared"])
def test_labels_that_look_like_numbers_and_tables_without_rows_are_as_the_package_says(
    tmp_path: Path, export: str
) -> None:
    toml = '[privacy]\nannotators = "names"\n'
    hold(released(written(tmp_path / "campaign", toml, {"exports/1.0/e.csv": export})), tmp_path / "bundle")


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(["marks", "long"], "marks"))
def test_tables_of_hostile_campaigns_are_as_their_package_says(tmp_path: Path, name: str) -> None:
    hold(attacked(name), tmp_path)


@pytest.mark.slow
def test_every_table_and_every_column_of_counts_is_described() -> None:
    general = set(FOLDERS.values())
    for given in (example(), example(in_texts=True)):
        for path, resource in resources(given).items():
            fields = resource["schema"]["fields"]
            assert resource["description"] not in general
            assert described(path, given)[1] not in general
            assert all("description" in each for each in fields) or path.startswith("report/tables/")


def test_a_changed_byte_is_found(tmp_path: Path) -> None:
    on_disk(example(), tmp_path)
    table = tmp_path / "report" / "tables" / "coefficients.csv"
    content = table.read_bytes()
    table.write_bytes(content.replace(b"0.801205852065", b"0.801205852066", 1))
    assert any("hash" in each for each in mistakes(tmp_path))
    table.write_bytes(content.replace(b"19054", b"many", 1))
    assert any('"many"' in each and "integer" in each for each in mistakes(tmp_path))


@pytest.mark.slow
def test_what_a_column_holds_is_said_by_the_table_and_not_by_its_rows(tmp_path: Path) -> None:
    toml = '[privacy]\nannotators = "names"\nsmallest = 1\n'
    found = resources(released(written(tmp_path / "c", toml, {"exports/1.0/e.csv": NUMBERS})))
    assert types(found["report/counts/pairs.csv"]) == {
        **dict.fromkeys(("layer", "unit_set", "document", "first", "second"), "string"),
        **dict.fromkeys(("first_label", "second_label"), "string"),
        "n": "integer",
    }
    shown = types(found["report/tables/coefficients.csv"])
    assert (shown["figure"], shown["value"], shown["value_units"]) == ("string", "number", "integer")
    assert shown["value_undefined"] == "string"
    matrix = types(found["report/tables/confusion.items.csv"])
    assert [*matrix.values()] == ["string", *["integer"] * (len(matrix) - 1)]


def test_a_matrix_keeps_its_first_row_and_one_with_an_empty_corner_is_named_by_its_schema() -> None:
    found = resources(example())
    confusion = found["report/tables/confusion.tokens.csv"]
    assert types(confusion) == {"A2\\A1": "string", **dict.fromkeys(("Former", "New", "Rien"), "integer")}
    assert "dialect" not in confusion
    distances = found["report/tables/computed-distances-alpha.tokens.csv"]
    assert [*types(distances)] == ["column_1", "Former", "New", "Rien"]
    assert distances["dialect"] == {"header": False, "commentRows": [1]}
    assert found["report/tables/size-curve.tokens.csv"]["schema"]["missingValues"] == ["", "limit"]


def test_columns_have_the_titles_of_the_report() -> None:
    fields = resources(example())["report/tables/unit-sets.csv"]["schema"]["fields"]
    assert {"name": "compared", "type": "integer", "title": "Rated by two or more"} in fields


def test_the_package_tells_what_the_campaign_tells_and_nothing_else(tmp_path: Path) -> None:
    toml = """
[corpus]
name = "Corpus"
version = "2"
url = "https://example.org/corpus"
licence = "CC-BY-SA-4.0"
[[authors]]
name = "Zoé"
orcid = "0000-0002-1825-0097"
affiliation = "Institute"
"""
    given = released(written(tmp_path / "told", toml, {"exports/1.0/e.csv": EMPTY}), ("en",))
    found = of(Released(given.results, given.languages, "2009-06-01", {}))
    assert found["licenses"] == [
        {"name": "CC-BY-SA-4.0", "path": "https://spdx.org/licenses/CC-BY-SA-4.0"},
    ]
    assert found["sources"] == [{"title": "Corpus", "path": "https://example.org/corpus", "version": "2"}]
    assert found["contributors"] == [
        {
            "title": "Zoé",
            "path": "https://orcid.org/0000-0002-1825-0097",
            "organization": "Institute",
            "roles": ["author"],
        }
    ]
    assert found["created"] == "2009-06-01T00:00:00Z"
    untold = released(written(tmp_path / "untold", "", {"exports/1.0/e.csv": EMPTY}), ("en",))
    assert {"licenses", "sources", "contributors", "created"}.isdisjoint(of(untold))


def test_the_same_tables_have_the_same_package_in_whatever_order_they_come() -> None:
    given = example()
    other = with_files(given, dict(sorted(given.files.items(), reverse=True)))
    assert datapackage.write(other) == datapackage.write(given)
