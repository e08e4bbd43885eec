"""Real campaigns whose labels are sets, read as campaigns, against alpha of established libraries."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.results import Results
from tests.campaigns import results_of, written
from tests.slowly import slow_but

COLUMNS = (
    "system_language", "system_input", "system_output", "system_task", "op_form", "op_data_type",
    "op_instrument_type", "op_instrument_size", "criterion_paraphrase",
)  # fmt: skip
ROUNDS = {
    "chec_v1": "iaa-v1.csv",
    "chec_v2_double": "iaa-v2_double-annotations.csv",
    "chec_v2_single": "iaa-v2_single-annotations.csv",
    "chec_v2_single_expert": "iaa-v2_single-annotations_expert.csv",
}
# Where annotators left a cell empty: those figures count it as a value of its own, and we as missing.
WITH_EMPTY_CELLS = {
    ("chec_v1", "criterion_paraphrase"), ("chec_v1", "op_instrument_size"), ("chec_v2_double", "op_form"),
}  # fmt: skip
SETS = '[task]\nscale = "set"\n'
KEPT = """columns = { unit = "key", annotator = "source_spreadsheet" }
set_separator = "|"
normalise = ["lowercase"]
"""


def expected(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "data" / "expected.json").read_text(encoding="utf-8"))
    return found


def checked(folder: Path, shared: Path, name: str, *, blank: str) -> Results:
    """Return the results of one round; an empty cell of a paper's row is written as `blank`."""
    with (shared / "data" / "chec-20y" / ROUNDS[name]).open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["key"]]
    names = ("key", "source_spreadsheet", *COLUMNS)
    layers = "".join(f'[[layers]]\nid = "{column}"\n' for column in COLUMNS)
    campaign = written(folder / "chec", SETS + layers, {"exports/1.0/e.csv": ""})
    with (campaign / "exports" / "1.0" / "e.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([row[column] or blank for column in names] for row in rows)
    toml = campaign / "campaign.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + KEPT, encoding="utf-8")
    return results_of(campaign)


def shown(found: Results, printed: dict[str, Any], digits: int) -> list[tuple[str, str]]:
    """The columns and distances whose alpha is another than the printed one."""
    measures = {each.layer: each.measures for each in found.unit_sets}
    return [
        (column, distance)
        for column, alphas in printed["by_column"].items()
        for distance in ("jaccard", "masi")
        if round(measures[column][f"krippendorff_alpha[{distance}]"].value or 0.0, digits)
        != alphas[f"alpha_{distance}"]
    ]


@pytest.mark.parametrize("name", slow_but(ROUNDS))
def test_papers_described_by_several_people(shared: Path, tmp_path: Path, name: str) -> None:
    printed = expected(shared)[name]
    found = checked(tmp_path, shared, name, blank="(left empty)")
    assert len(printed["by_column"]) == len(found.unit_sets) == 9
    assert {len(each.annotators) for each in found.unit_sets} == {printed["annotators"]}
    assert {each.units for each in found.unit_sets} == {printed["papers"]}
    assert {each.marks.used for each in found.unit_sets} == {printed["rows"]}
    assert shown(found, printed, 4) == []
    assert set(found.coefficients.values()) == {"krippendorff_alpha[masi]"}


@pytest.mark.parametrize("name", slow_but(["chec_v1", "chec_v2_double"]))
def test_an_empty_cell_is_missing_and_no_label(shared: Path, tmp_path: Path, name: str) -> None:
    found = checked(tmp_path, shared, name, blank="")
    other = {column for column, _ in shown(found, expected(shared)[name], 4)}
    assert other == {column for round_, column in WITH_EMPTY_CELLS if round_ == name}
