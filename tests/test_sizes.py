"""How large what is written grows: with the categories in use and with versions, not with their squares."""

import csv
import io
import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from reportgen.publish.verify import verify
from reportgen.results import Results, dumps, schema_of
from tests.campaigns import results, written
from tests.commands import run

pytestmark = pytest.mark.slow

# Units of each category; of a category whose number can be divided by it annotators choose another each.
EACH = 3


def inventory(size: int, shift: int = 0) -> str:
    """Return an export of two annotators who differ on a third of the units of so many senses."""
    lines = ["document,item,annotator,label"]
    for unit in range(EACH * size):
        differs = (unit + shift) % EACH == 0
        for who in range(2):
            sense = (unit + who * differs) % size
            lines.append(f"d{unit % 40:02},i{unit:05},A{who + 1},sense{sense:05}")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """The results of an inventory of 300 senses."""
    return results(tmp_path_factory.mktemp("large"), "", inventory(300))


@pytest.fixture(scope="module")
def version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of 300 senses."""
    top = tmp_path_factory.mktemp("version")
    folder = written(top / "senses", "", {"exports/1.0/e.csv": inventory(300)})
    assert run("build", folder, "--out", top / "site").exit_code == 0
    return top / "site" / "senses" / "1.0"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part of a site of 300 senses, under three versions."""
    top = tmp_path_factory.mktemp("sizes")
    files = {f"exports/{1 + number}.0/e.csv": inventory(300, number) for number in range(3)}
    folder = written(top / "senses", "", files)
    later = "".join(
        f'[[guidelines]]\nversion = "{name}"\nexports = "exports/{name}"\n' for name in ("2.0", "3.0")
    )
    path = folder / "campaign.toml"
    path.write_text(path.read_text(encoding="utf-8") + later, encoding="utf-8")
    assert run("build", folder, "--out", top / "site").exit_code == 0
    return top / "site" / "senses"


def test_results_grow_as_the_categories_in_use_do(tmp_path: Path) -> None:
    once, twice, again = (
        len(dumps(results(tmp_path / str(times), "", inventory(times * 300)))) for times in (1, 2, 4)
    )
    assert again - twice < 2.2 * (twice - once)


def test_a_large_table_has_the_cells_that_hold_units(large: Results) -> None:
    pair = large.primary.only_pair
    assert pair is not None
    table = pair.confusion
    assert table.counts is None
    assert table.cells is not None
    assert sum(units for *_, units in table.cells) == table.units == EACH * 300
    assert [table.count(f"sense{one:05}", f"sense{other:05}") for one, other in ((0, 0), (0, 1), (1, 1))] == [
        0,
        3,
        3,
    ]
    assert table.totals("sense00001") == (3, 6)
    assert pair.conditional_probabilities is None
    assert pair.distances is None


def test_results_with_cells_fit_the_schema(large: Results) -> None:
    schema = schema_of(Results)
    jsonschema.Draft202012Validator(schema).validate(json.loads(dumps(large)))
    assert Results.model_validate_json(dumps(large)) == large


def test_what_a_large_table_lacks_stands_in_a_csv(version: Path) -> None:
    text = (version / "tables/cells.csv").read_text(encoding="utf-8")
    rows = {(row["row"], row["column"]): row for row in csv.DictReader(io.StringIO(text))}
    found = rows["sense00000", "sense00001"]
    # All three choices of sense 0 met sense 1, which was chosen nine times.
    assert (found["units"], found["column_given_row"], found["row_given_column"]) == (
        "3",
        "1.0",
        "0.333333333333",
    )
    assert (float(found["computed_alpha"]), float(found["computed_kappa"])) == pytest.approx((1 / 3, 0))
    assert sum(int(row["units"]) for row in rows.values()) == EACH * 300
    assert not list((version / "tables").glob("confusion.*"))


def test_a_site_of_large_tables_is_verified(site: Path, tmp_path: Path) -> None:
    assert not verify(site.parent).outcome.differences
    changed = Path(shutil.copytree(site.parent, tmp_path / "site")) / "senses/1.0/tables/cells.csv"
    changed.write_text(changed.read_text(encoding="utf-8").replace(",3,1.0,", ",3,0.5,", 1), encoding="utf-8")
    assert any(
        "cells.csv" in each.file and each.check == "figures"
        for each in verify(tmp_path / "site").outcome.differences
    )


def test_a_version_more_adds_what_each_version_has(site: Path) -> None:
    def weight(name: str) -> int:
        return sum(path.stat().st_size for path in (site / name).rglob("*") if path.is_file())

    versions = [weight(name) for name in ("1.0", "2.0", "3.0")]
    assert max(versions) < 1.05 * min(versions)
    # Every two versions have a comparison, which is far lighter.
    assert weight("compare") / 3 < min(versions) / 2
