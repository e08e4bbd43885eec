"""What few units would tell of a person is in no page and no table, and the owner sees rare labels first."""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.cli import common
from reportgen.publish import bundle_files
from reportgen.publish.bundle import Bundled, BundleOptions, bundled
from tests.campaigns import marked, written
from tests.commands import run

RARE = "seen by Dr Quibble"
# How many units have which labels by the two.
CELLS = {("x", "x"): 20, ("y", "y"): 9, ("x", "y"): 4, ("y", RARE): 1, ("z", "z"): 30}


def export(cells: Mapping[tuple[str, str], int] = CELLS) -> str:
    rows = ["item,document,ann,bea"]
    for (first, second), units in cells.items():
        for _ in range(units):
            rows.append(f"u{len(rows)},d{len(rows) % 8},{first},{second}")
    return "\n".join((*rows, ""))


def of(folder: Path, toml: str = "") -> Bundled:
    campaign = written(folder / "renaming", toml, {"exports/1.0/e.csv": export()})
    return bundled(load(campaign), "1.0", BundleOptions())


def rows(bundle: Bundled, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(bundle.files[f"report/tables/{name}.csv"].decode())))


def test_a_label_on_one_unit_has_no_row_of_its_own_and_sums_do_not_give_it_back(tmp_path: Path) -> None:
    bundle = of(tmp_path)
    (pair,) = bundle.results.primary.pairs
    assert pair.withheld is not None
    assert RARE in pair.withheld.labels
    tables = {name.removeprefix("report/tables/") for name in bundle.files}
    # These are the table itself, or it can be worked out from them.
    assert not [
        name for name in tables if name.startswith(("confusion.", "conditional-", "distances.", "computed-"))
    ]
    specific = {row["category"]: row for row in rows(bundle, "specific-agreement.items")}
    shown = {name: (row["labels_A01"], row["labels_A02"]) for name, row in specific.items()}
    assert shown[RARE] == ("", "")
    assert [name for name, cells in shown.items() if cells == ("", "")] == list(pair.withheld.labels)
    assert len(pair.withheld.labels) > 1
    page = bundle.files["report/report.md"].decode()
    assert "Labels that one of the two gave fewer than 3 times are not shown one by one" in page
    matrix = next(line for line in page.splitlines() if line.startswith("| A01 \\"))
    assert RARE not in matrix
    assert f"{len(pair.withheld.labels)} labels (joined)" in matrix


@pytest.mark.slow
def test_the_owner_chooses_the_smallest_number_which_travels_in_the_bundle(tmp_path: Path) -> None:
    bundle = of(tmp_path, "[privacy]\nsmallest = 1\n")
    assert bundle.results.primary.pairs[0].withheld is None
    assert rows(bundle, "confusion.items")
    assert "smallest = 1" in bundle.files["campaign.toml"].decode()
    assert not [notice for notice in bundle.notices if RARE in str(notice)]


def test_rare_labels_are_shown_to_the_owner_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = written(tmp_path / "renaming", "", {"exports/1.0/e.csv": export()})
    shown: list[bool] = []
    monkeypatch.setattr(common, "tell", lambda notices: shown.append(RARE in " ".join(map(str, notices))))
    monkeypatch.setattr(bundle_files, "write_bundle", lambda *_: shown.append(False))
    run("bundle", campaign, "1.0", "--out", tmp_path / "b.zip")
    assert shown[:2] == [True, False]


@pytest.mark.slow
def test_a_bundle_with_withheld_cells_verifies_and_can_be_built(tmp_path: Path) -> None:
    campaign = written(tmp_path / "renaming", "", {"exports/1.0/e.csv": export()})
    assert run("bundle", campaign, "1.0", "--out", tmp_path / "e", "--with-exports").exit_code == 0
    assert run("verify", tmp_path / "e").exit_code == 0
    written_bundle = run("bundle", campaign, "1.0", "--out", tmp_path / "b")
    assert f'layer main: 1 label was given fewer than 3 times: "{RARE}" (1).' in written_bundle.stderr
    # Without exports no bundle can be checked in full.
    assert "nothing of what was checked differs" in run("verify", tmp_path / "b").output
    assert run("build", tmp_path / "b", "--out", tmp_path / "site").exit_code == 0
    found = json.loads((tmp_path / "site/b/1.0/results.json").read_text())
    assert RARE in found["unit_sets"][0]["pairs"][0]["withheld"]["labels"]


TEXT = "one two three four five six seven eight nine ten eleven twelve"
WORDS = [(TEXT.index(word), TEXT.index(word) + len(word)) for word in TEXT.split()]


@pytest.mark.slow
def test_types_of_marks_that_somebody_made_seldom_have_no_rows(tmp_path: Path) -> None:
    kinds = ["A", "B", "C"] * 4
    marks = [(kind, *place) for kind, place in zip(kinds, WORDS, strict=True)]
    people = {"ann": {"d": marks}, "bea": {"d": marks}, "cyd": {"d": [*marks[:9], ("D", *WORDS[9])]}}
    files = {f"exports/1.0/{name}": text for name, text in marked({"d": TEXT}, people).items()}
    campaign = load(written(tmp_path / "marks", "", files))
    shown = {
        (row["first"], row["second"], row["type"])
        for row in rows(bundled(campaign, "1.0", BundleOptions()), "spans")
    }
    assert ("A01", "A02", "C") in shown
    assert not [types for types in shown if types[2] == "D"]
    # D alone would follow from all types together.
    assert len([types for types in shown if types[:2] == ("A01", "A03")]) < 1 + 3
