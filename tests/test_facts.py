"""The figures of Fort, François and Ghribi (2010), from the command line and from what it writes."""

import csv
import hashlib
import io
import json
import math
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.campaigns import GENE_RENAMING
from tests.commands import files, run

Figures = Mapping[str, Mapping[str, Any]]

# As the paper prints them. Where it cuts digits off instead of rounding, CUT says so.
TABLE_1 = {
    "observed_agreement": "0.996116",
    "bennett_s": "0.99417",
    "scott_pi": "0.8012",
    "cohen_kappa": "0.80121",
    "finn_r": "0.994",
}
WEIGHTED = {"krippendorff_alpha[expert]": "0.8292"}
TABLE_2 = {"bennett_s": "0.90472", "scott_pi": "0.77557", "cohen_kappa": "0.77571"}
TABLE_3 = {"scott_pi": "0.7390", "cohen_kappa": "0.73934"}
TABLE_5 = [
    ["0.735751", "0.108808", "0.155440"],
    ["0.115385", "0.758242", "0.126374"],
    ["0.000795", "0.000609", "0.998595"],
]
TABLE_6 = {
    "computed_alpha": ("0.887904", "0.921882", "0.936508"),
    "computed_kappa": ("0.788362", "0.843888", "0.873094"),
}
CUT = {"0.7390", "0.000609", "0.9804637"}
SETS = {"tokens": TABLE_1 | WEIGHTED, "gene-names": TABLE_2, "annotated-by-both": TABLE_3}
COUNTS = {
    "tokens": [[71, 13, 23], [8, 69, 15], [7, 8, 18840]],
    "gene-names": [[71, 13, 23], [8, 69, 15], [7, 8, 951]],
    "annotated-by-both": [[71, 13], [8, 69]],
}


def is_printed(value: float, printed: str) -> bool:
    """Say whether the paper prints this value so: rounded, or cut off where CUT says it."""
    digits = len(printed.partition(".")[2])
    if printed in CUT:
        return bool(math.floor(value * 10**digits) / 10**digits == float(printed))
    return f"{value:.{digits}f}" == printed


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


@pytest.fixture(params=["results.json", "reportgen agree"])
def unit_set_of(
    request: pytest.FixtureRequest, tmp_path: Path, unit_sets: dict[str, dict[str, Any]]
) -> Callable[[str], dict[str, Any]]:
    """Return the figures of a unit set, from the report or of its matrix alone on the command line."""

    def from_report(name: str) -> dict[str, Any]:
        return unit_sets[name]

    def from_matrix(name: str) -> dict[str, Any]:
        categories = ("Former", "New", "Rien")[: len(COUNTS[name])]
        rows = [[label, *map(str, row)] for label, row in zip(categories, COUNTS[name], strict=True)]
        matrix, expert = tmp_path / "m.csv", tmp_path / "expert.csv"
        lines = [["A2\\A1", *categories], *rows]
        matrix.write_text("\n".join(map(",".join, lines)), encoding="utf-8")
        expert.write_bytes((GENE_RENAMING / "distances/expert.csv").read_bytes())
        answer = run("agree", matrix, "--distance", expert, "--non-annotated", "Rien", "--json")
        assert answer.exit_code == 0, answer.output
        found: dict[str, Any] = json.loads(answer.stdout)
        return found

    return from_report if request.param == "results.json" else from_matrix


UnitSetOf = Callable[[str], dict[str, Any]]


@pytest.mark.parametrize("name", SETS)
def test_coefficients_of_tables_1_to_3(unit_set_of: UnitSetOf, name: str) -> None:
    measures: Figures = unit_set_of(name)["measures"]
    for figure, printed in SETS[name].items():
        assert is_printed(measures[figure]["value"], printed), (figure, measures[figure]["value"])


def test_agreement_expected_by_chance(unit_set_of: UnitSetOf) -> None:
    measures: Figures = unit_set_of("tokens")["measures"]
    assert is_printed(measures["scott_pi"]["expected"], "0.980464")
    assert is_printed(measures["cohen_kappa"]["expected"], "0.9804637")
    assert is_printed(measures["bennett_s"]["expected"], "0.333333")
    assert measures["krippendorff_alpha"]["observed"] == pytest.approx(1 - 0.996116301039, abs=1e-12)


def test_weighted_kappa_is_not_what_the_paper_prints(unit_set_of: UnitSetOf) -> None:
    """The paper prints .8291 for kappa with the distances of its table 4; it is .829202."""
    value = unit_set_of("tokens")["measures"]["weighted_kappa[expert]"]["value"]
    assert is_printed(value, "0.829202")
    assert not is_printed(value, "0.8291")


def test_pi_of_table_3_is_cut_off_not_rounded(unit_set_of: UnitSetOf) -> None:
    """The paper prints .7390; rounded, .739090 is .7391."""
    value = unit_set_of("annotated-by-both")["measures"]["scott_pi"]["value"]
    assert is_printed(value, "0.739090")
    assert f"{value:.4f}" == "0.7391"


def test_probabilities_of_table_5(unit_set_of: UnitSetOf) -> None:
    (pair,) = unit_set_of("tokens")["pairs"]
    table = pair["conditional_probabilities"]
    for row, printed in zip(table, TABLE_5, strict=True):
        assert all(map(is_printed, row, printed)), row
    assert table[0][1] == pytest.approx((13 + 8) / (107 + 86), abs=1e-12)
    for place, category in enumerate(("Former", "New", "Rien")):
        assert pair["specific_agreement"][category]["value"] == pytest.approx(table[place][place], abs=1e-12)


@pytest.mark.parametrize("kind", TABLE_6)
def test_distances_of_table_6(unit_set_of: UnitSetOf, kind: str) -> None:
    (pair,) = unit_set_of("tokens")["pairs"]
    table = pair["distances"][kind]
    found = (table[0][1], table[0][2], table[1][2])
    assert all(map(is_printed, found, TABLE_6[kind])), found
    assert [table[place][place] for place in range(3)] == [0, 0, 0]


@pytest.mark.parametrize("figure", ["scott_pi", "cohen_kappa", "krippendorff_alpha"])
def test_limit_of_kappa_and_pi(unit_set_of: UnitSetOf, figure: str) -> None:
    for name in ("tokens", "gene-names"):
        assert is_printed(unit_set_of(name)["size_curve"]["limit"][figure], "0.802667")


def test_small_tables_are_derived_from_the_first(results: dict[str, Any], unit_sets: dict[str, Any]) -> None:
    for name, counts in COUNTS.items():
        assert unit_sets[name]["pairs"][0]["confusion"]["counts"] == counts
        assert unit_sets[name]["units"] == sum(map(sum, counts))
    exports = [each["file"] for each in results["inputs"] if each["file"].startswith("exports/")]
    assert exports == ["exports/1.0/confusion.csv"]


def test_annotators_differ_in_habit(unit_sets: dict[str, Any]) -> None:
    """Kappa and pi nearly agree, yet tests reject symmetry: 199 marks against 176, 38 against 15 alone."""
    (pair,) = unit_sets["tokens"]["pairs"]
    counts = pair["confusion"]["counts"]
    assert (pair["confusion"]["rows"], pair["confusion"]["columns"]) == ("A2", "A1")
    assert sum(map(sum, counts[:2])) == 199
    assert sum(row[0] + row[1] for row in counts) == 176
    assert (counts[0][2] + counts[1][2], counts[2][0] + counts[2][1]) == (38, 15)
    assert pair["symmetry"]["stuart_maxwell"]["p"] < 0.01
    assert pair["symmetry"]["mcnemar"]["p"] < 0.01
    measures = pair["measures"]
    assert measures["cohen_kappa"]["value"] - measures["scott_pi"]["value"] < 1e-5


def test_the_verdict_rests_on_kappa_over_all_tokens(results: dict[str, Any]) -> None:
    assert (results["coefficient"], results["coefficient_declared"]) == ("cohen_kappa", True)
    assert [each["id"] for each in results["unit_sets"] if each["primary"]] == ["tokens"]


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


def test_marks_read_are_marks_used_and_left_out(results: dict[str, Any]) -> None:
    assert results["marks"] == {"read": 2 * 19054, "used": 2 * 19054, "left_out": 0, "missing": 0}


def rows_of(text: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.decode("utf-8"), newline="")))


def test_every_table_is_a_csv_of_even_rows(version: Path) -> None:
    tables = {**files(version / "tables"), **files(version / "counts")}
    assert len(tables) > 15
    for name, content in tables.items():
        if not name.endswith(".csv"):  # counts.json, which says what the tables count
            continue
        rows = rows_of(content)
        assert len(rows) > 1, name
        assert {len(row) for row in rows} == {len(rows[0])}, name


def test_tables_agree_with_results(version: Path, unit_sets: dict[str, Any]) -> None:
    tables = version / "tables"
    head, *rows = rows_of((tables / "coefficients.csv").read_bytes())
    seen = 0
    for row in rows:
        cells = dict(zip(head, row, strict=True))
        figure = unit_sets[cells["unit_set"]]["measures"][cells["figure"]]
        interval = figure.get("interval", {})
        expected = (figure["value"], figure.get("observed"), interval.get("low"), interval.get("high"))
        names = ("value", "value_observed", "value_low", "value_high")
        assert [float(cells[name]) if cells[name] else None for name in names] == list(expected)
        seen += 1
    assert seen == sum(len(each["measures"]) for each in unit_sets.values())
    for name, unit_set in unit_sets.items():
        (pair,) = unit_set["pairs"]
        for kind in ("alpha", "kappa"):
            _, *matrix = rows_of((tables / f"computed-distances-{kind}.{name}.csv").read_bytes())
            assert [list(map(float, row[1:])) for row in matrix] == pair["distances"][f"computed_{kind}"]
        _, *matrix = rows_of((tables / f"conditional-probabilities.{name}.csv").read_bytes())
        assert [list(map(float, row[1:])) for row in matrix] == pair["conditional_probabilities"]


def test_counts_add_up_to_the_matrix(version: Path) -> None:
    head, *rows = rows_of((version / "counts" / "pairs.csv").read_bytes())
    counted = dict.fromkeys(COUNTS, 0)
    for row in rows:
        cells = dict(zip(head, row, strict=True))
        counted[cells["unit_set"]] += int(cells["n"])
    assert counted == {"tokens": 19054, "gene-names": 1165, "annotated-by-both": 161}


@pytest.mark.parametrize("name", SETS)
def test_a_confusion_matrix_that_was_written_can_be_read(
    version: Path, unit_sets: dict[str, Any], name: str
) -> None:
    answer = run("agree", version / "tables" / f"confusion.{name}.csv", "--json")
    assert answer.exit_code == 0, answer.output
    again = json.loads(answer.stdout)
    assert again["pairs"][0]["confusion"] == unit_sets[name]["pairs"][0]["confusion"]
    for figure in ("cohen_kappa", "scott_pi", "krippendorff_alpha"):
        assert again["measures"][figure]["value"] == unit_sets[name]["measures"][figure]["value"]


def test_computed_distances_can_be_declared(version: Path, tmp_path: Path) -> None:
    """What the report writes can be a campaign's table of distances, and then gives the same figure."""
    table = tmp_path / "again.csv"
    table.write_bytes((version / "tables/computed-distances-alpha.tokens.csv").read_bytes())
    answer = run("agree", GENE_RENAMING / "exports/1.0/confusion.csv", "--distance", table, "--json")
    measures = json.loads(answer.stdout)["measures"]
    declared = measures["krippendorff_alpha[again]"]["value"]
    assert declared == pytest.approx(measures["krippendorff_alpha[computed]"]["value"], abs=1e-11)


def test_checksums_are_right(version: Path) -> None:
    lines = (version / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    written = {name: hashlib.sha256(content).hexdigest() for name, content in files(version).items()}
    del written["SHA256SUMS"]
    assert listed == written
    assert list(listed) == sorted(listed)
    assert len(lines) == len(listed)


def test_inputs_are_the_files_that_were_read(results: dict[str, Any]) -> None:
    for each in results["inputs"]:
        content = (GENE_RENAMING / each["file"]).read_bytes()
        assert (each["sha256"], each["bytes"]) == (hashlib.sha256(content).hexdigest(), len(content))
    assert {each["file"] for each in results["inputs"]} == {
        "distances/expert.csv",
        "exports/1.0/confusion.csv",
    }


def cells(line: str) -> list[str]:
    return [cell.strip().replace("\\", "").strip("* ") for cell in line.strip().strip("|").split(" | ")]


def shown(figure: Mapping[str, Any]) -> str:
    return f"{figure['value']:.3f} [{figure['interval']['low']:.3f}, {figure['interval']['high']:.3f}]"


def test_the_markdown_report_has_the_tables(version: Path, unit_sets: dict[str, Any]) -> None:
    lines = (version / "report.md").read_text(encoding="utf-8").splitlines()
    rows = [cells(line) for line in lines if line.startswith("|")]
    assert ["Former", "71", "13", "23", "107"] in rows
    assert ["Rien", "7", "8", "18,840", "18,855"] in rows
    assert ["Total", "86", "90", "18,878", "19,054"] in rows
    assert ["Former", "0.736", "0.109", "0.155"] in rows
    kappa = next(row for row in rows if row[0].startswith("Cohen's kappa") and len(row) == 1 + len(COUNTS))
    assert kappa[1:] == [shown(unit_sets[name]["measures"]["cohen_kappa"]) for name in COUNTS]


@pytest.mark.parametrize("page", ["index.html", "report.html", "report.md"])
def test_every_form_of_the_report_states_the_facts(version: Path, page: str) -> None:
    text = (version / page).read_text(encoding="utf-8").replace("\\", "")
    for fact in ("18,840", "0.801 [0.755, 0.840]", "0.776", "0.739", "0.803", "199", "176", "Bowker"):
        assert fact in text.replace('</data>\n <span class="interval">', " ").replace("&#39;", "'"), fact
