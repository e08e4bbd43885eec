"""chec-20y as one campaign of two guidelines versions: papers that several people described, v1 and v2."""

import csv
from pathlib import Path
from typing import Any

import pytest

from reportgen.campaign import Campaign, load
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import compare_versions
from reportgen.results.versions import VersionComparison
from reportgen.units import Pseudonyms
from tests.measures.test_real_sets import COLUMNS, ROUNDS, expected

VERSIONS = {"1": "chec_v1", "2": "chec_v2_double"}
HEAD = """title = "Papers on evaluation, described by several people"
[task]
scale = "set"
coefficient = "krippendorff_alpha[jaccard]"
"""
VERSION = """[[guidelines]]
version = "{0}"
exports = "exports/{0}"
columns = {{ unit = "key", annotator = "source_spreadsheet" }}
set_separator = "|"
normalise = ["lowercase"]
"""


def written(folder: Path, shared: Path) -> Path:
    """Write both rounds as a campaign; an empty cell is a value, as `expected.json` has it."""
    layers = "".join(f'[[layers]]\nid = "{column}"\n' for column in COLUMNS)
    toml = HEAD + layers + "".join(VERSION.format(version) for version in VERSIONS)
    folder.mkdir()
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    for version, name in VERSIONS.items():
        with (shared / "data" / "chec-20y" / ROUNDS[name]).open(encoding="utf-8", newline="") as lines:
            rows = [row for row in csv.DictReader(lines) if row["key"]]
        columns = ("key", "source_spreadsheet", *COLUMNS)
        path = folder / "exports" / version / "ratings.csv"
        path.parent.mkdir(parents=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows([row[column] or "(left empty)" for column in columns] for row in rows)
    return folder


@pytest.fixture(scope="module")
def campaign(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return load(written(tmp_path_factory.mktemp("chec") / "chec-20y", shared))


@pytest.fixture(scope="module")
def comparison(campaign: Campaign) -> VersionComparison:
    first, second = read_campaign(campaign)
    return compare_versions(campaign, first, second, Pseudonyms()).comparison


def printed(shared: Path, version: str) -> dict[str, Any]:
    """What established libraries computed: alpha with Jaccard distance by column."""
    by_column = expected(shared)[VERSIONS[version]]["by_column"]
    return {column: alphas["alpha_jaccard"] for column, alphas in by_column.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("version", "side"), [("1", "first"), ("2", "second")])
def test_alpha_with_jaccard_distance_by_column(
    comparison: VersionComparison, shared: Path, version: str, side: str
) -> None:
    found = {
        each.layer: round(getattr(each.measures["krippendorff_alpha[jaccard]"], side).value, 4)
        for each in comparison.unit_sets
        if each.primary
    }
    assert found == printed(shared, version)
    assert len(found) == len(COLUMNS) == 9


def test_no_paper_stands_in_both_rounds(comparison: VersionComparison) -> None:
    assert {each.basis for each in comparison.unit_sets} == {"all"}
    assert {each.overlap.units for each in comparison.unit_sets} == {0}
    # One of the ten papers of the first round was described by a single person.
    assert {(each.first.units, each.second.units) for each in comparison.unit_sets} == {(9, 10)}
    assert not any(each.flips and each.flips.agreed for each in comparison.unit_sets)


def test_no_difference_is_tested_as_if_the_papers_were_the_same(comparison: VersionComparison) -> None:
    for each in comparison.unit_sets:
        change = each.measures["krippendorff_alpha[jaccard]"]
        assert change.difference == pytest.approx((change.second.value or 0) - (change.first.value or 0))
        assert change.untested if change.test is None else change.test.method == "unpaired"
        assert change.permutation is None


def test_the_comparison_warns_that_the_papers_differ(comparison: VersionComparison) -> None:
    verdict, caveat = comparison.findings[:2]
    assert "on different units" in verdict.claim
    assert (caveat.id, caveat.severity) == ("caveat", "warning")
    assert caveat.claim.startswith("Material differs: no unit is in both versions")
    assert (caveat.values["earlier_units"], caveat.values["later_units"]) == (9, 10)
