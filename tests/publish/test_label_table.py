"""The table of labels, and the recipes of a bundle's README: against another library, as others load them."""

import csv
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.campaign import load
from reportgen.measures.annotators.dawid_skene import NotFitted, probable_labels
from reportgen.pipeline.reading import read_campaign
from reportgen.publish.bundle import BundleOptions
from reportgen.publish.bundle import bundled as bundle_of
from reportgen.publish.exported_files import labels_of_version
from reportgen.publish.label_table import LABELS, Rows, aggregated_of, from_csv_table
from reportgen.publish.sentences import CountsRecipe, counts_recipe
from reportgen.results import Results
from tests import bundled, six_subjects
from tests.campaigns import results_of, written
from tests.commands import run
from tests.properties import examples
from tests.readers.samples import samples
from tests.sites import IN_TEXTS

TABLE = "unit,Ann,Bob,Cid\n1,yes,yes,no\n2,None,no,None\n3,no,yes,\n"
RATINGS = {"exports/1.0/e.csv": TABLE}


def rows_of(labels: Rows) -> list[dict[str, Any]]:
    names = [*labels.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*labels.columns.values(), strict=True)]


def table_of(folder: Path) -> list[dict[str, Any]]:
    campaign = load(folder)
    return rows_of(labels_of_version(campaign, campaign.versions[-1]).table.labels)


def same_alpha(folder: Path, results: Results) -> dict[str, str]:
    """Check each layer's alpha, computed by another library from the table; return the unit sets."""
    rows = table_of(folder)
    for layer in results.layers:
        votes: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        times = {}
        for row in rows:
            if (row["layer"], row["role"], row["pass"]) == (layer, "annotator", 1):
                votes[row["item"]][row["label"]] += 1
                times[row["item"]] = row["n"]
        names = sorted({label for of_item in votes.values() for label in of_item})
        counts = np.array([[of_item[name] for name in names] for of_item in votes.values()])
        counts = np.repeat(counts, [times[item] for item in votes], axis=0)
        due = krippendorff.alpha(value_counts=counts[counts.sum(axis=1) > 1], level_of_measurement="nominal")
        found = results.primary_of(layer).measures["krippendorff_alpha"]
        assert found.value == pytest.approx(due, abs=1e-9), layer
    return {layer: results.primary_of(layer).id for layer in results.layers}


@pytest.mark.slow
def test_alpha_of_the_example_in_texts() -> None:
    found = results_of(IN_TEXTS)
    assert same_alpha(IN_TEXTS, found) == {"names": "tokens", "renamings": "marked"}


def test_a_reference_and_what_it_alone_marked_change_no_alpha(tmp_path: Path) -> None:
    folder = bundled.campaign(tmp_path / "renaming")
    found = results_of(folder)
    same_alpha(folder, found)
    rows = table_of(folder)
    assert sorted({row["role"] for row in rows}) == ["annotator", "reference"]
    # Everybody's marks are on the same items.
    marked = [row for row in rows if row["label"] in {"Former", "New"}]
    assert {row["item"] for row in marked if row["role"] == "reference"} <= {
        row["item"] for row in rows if row["role"] == "annotator"
    }


def test_a_second_pass_is_on_the_same_item(tmp_path: Path) -> None:
    export = "unit,Ann,Bob,Ann2\n1,yes,yes,no\n2,no,no,no\n"
    toml = '[annotators.Ann2]\nsame_as = "Ann"\n'
    rows = table_of(written(tmp_path / "c", toml, {"exports/1.0/e.csv": export}))
    first, second = ([row for row in rows if row["pass"] == turn] for turn in (1, 2))
    assert len(first) == 4
    assert [(row["item"], row["annotator"], row["label"]) for row in second] == [
        (1, "A01", "no"),
        (2, "A01", "no"),
    ]


def test_soft_labels_and_ties(tmp_path: Path) -> None:
    campaign = load(written(tmp_path / "c", "", RATINGS))
    rows = rows_of(labels_of_version(campaign, "1.0").table.aggregated)
    shown = [(row["item"], row["label"], row["votes"], row["annotators"], row["aggregated"]) for row in rows]
    assert shown == [
        (1, "yes", 2, 3, True),
        (1, "no", 1, 3, False),
        (2, "None", 2, 3, True),
        (2, "no", 1, 3, False),
        (3, "no", 1, 2, False),
        (3, "yes", 1, 2, False),
    ]
    assert [row["probability"] for row in rows] == [2 / 3, 1 / 3, 2 / 3, 1 / 3, 0.5, 0.5]


def crowd(folder: Path, scale: str = "nominal") -> Path:
    """Three who mostly say the same, and one who does half of the time, of sixty units."""
    draw = np.random.default_rng(5)
    lines = ["unit,Ann,Bob,Cid,Dan"]
    for unit in range(60):
        right = draw.random(4) < (0.9, 0.9, 0.8, 0.5)
        lines.append(f"u{unit:02}," + ",".join(str(unit % 3 if own else (unit + 1) % 3) for own in right))
    toml = f'[task]\nscale = "{scale}"\n'
    return written(folder, toml, {"exports/1.0/e.csv": "\n".join([*lines, ""])})


def test_a_label_is_as_probable_as_the_model_of_annotators_says(tmp_path: Path) -> None:
    campaign = load(crowd(tmp_path / "c"))
    rows = rows_of(labels_of_version(campaign, "1.0").table.aggregated)
    (study,) = read_campaign(campaign)[0].studies
    model = probable_labels(study.unit_sets[0])
    assert not isinstance(model, NotFitted)
    categories = study.unit_sets[0].categories
    by_label = {(row["item"], row["label"]): row["modelled"] for row in rows}
    for unit, posterior in enumerate(model[1].tolist(), 1):
        for name, probability in zip(categories, posterior, strict=True):
            if (unit, name) in by_label:
                assert by_label[unit, name] == pytest.approx(probability, abs=1e-9)
    # Where two say one thing and two another, whose labels they are decides.
    ties = [row for row in rows if row["votes"] == 2 and row["annotators"] == 4]
    assert ties
    assert all(row["modelled"] != pytest.approx(0.5, abs=0.1) for row in ties)


def test_numbers_are_no_categories_to_the_model(tmp_path: Path) -> None:
    campaign = load(crowd(tmp_path / "c", "interval"))
    assert "modelled" not in labels_of_version(campaign, "1.0").table.aggregated.columns
    # Nor do three units tell anything.
    few = load(written(tmp_path / "few", "", RATINGS))
    assert "modelled" not in labels_of_version(few, "1.0").table.aggregated.columns


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_files_of_each_form_have_the_same_rows(tmp_path: Path, ending: str) -> None:
    folder = written(tmp_path / "c", "", RATINGS)
    out = tmp_path / f"labels.{ending}"
    answer = run("labels", folder, "--out", out)
    assert answer.exit_code == 0, answer.output
    if ending == "csv":
        with out.open(encoding="utf-8", newline="") as file:
            labels = [row["label"] for row in csv.DictReader(file)]
    elif ending == "jsonl":
        labels = [json.loads(line)["label"] for line in out.read_text(encoding="utf-8").splitlines()]
    else:
        import pyarrow.parquet as pq

        labels = pq.read_table(out).column("label").to_pylist()
    assert labels == ["yes", "yes", "no", "None", "no", "None", "no", "yes"]
    assert (tmp_path / f"labels-aggregated.{ending}").exists()
    # It may be written again, and nothing else is written over.
    assert run("labels", folder, "--out", out).exit_code == 0
    out.write_text("mine", encoding="utf-8")
    assert run("labels", folder, "--out", out).exit_code == 2


@pytest.mark.parametrize("form", ["json", "parquet"])
def test_datasets_loads_it_in_one_line(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets", reason="NOT TESTED: the package datasets is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    out = tmp_path / f"labels.{'jsonl' if form == 'json' else form}"
    run("labels", written(tmp_path / "c", "", RATINGS), "--out", out)
    found = datasets.load_dataset(form, data_files=str(out), cache_dir=str(tmp_path / "cache"))["train"]
    assert found["label"][:] == ["yes", "yes", "no", "None", "no", "None", "no", "yes"]


def test_other_endings_counts_and_withheld_labels_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", "", RATINGS)
    assert "labels.xlsx: ends in .xlsx" in run("labels", folder, "--out", tmp_path / "labels.xlsx").stderr
    withheld = written(tmp_path / "w", '[privacy]\nlabels = "withhold"\n', RATINGS)
    answer = run("labels", withheld, "--out", tmp_path / "labels.csv")
    assert answer.exit_code == 2
    assert "privacy.labels" in answer.stderr
    assert not (tmp_path / "labels.csv").exists()


def test_names_documents_and_texts_are_as_campaign_toml_says(tmp_path: Path) -> None:
    export = "document,unit,text,Ann,Bob\ndoc one,u1,A first text,yes,no\ndoc one,u2,Another,no,no\n"
    files = {"exports/1.0/e.csv": export}
    shown = table_of(written(tmp_path / "a", "", files))
    assert (shown[0]["document"], shown[0]["unit"], shown[0]["annotator"]) == ("doc one", "u1", "A01")
    hidden = table_of(
        written(tmp_path / "b", '[privacy]\ndocuments = "pseudonyms"\ntexts = "withhold"\n', files)
    )
    assert (hidden[0]["document"], hidden[0]["unit"]) == ("D0001", "U00001")
    assert "text" not in hidden[0]


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=5)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
@examples(50)
def test_a_table_is_read_back_as_it_was(cells: list[tuple[str, str]]) -> None:
    columns: dict[str, list[Any]] = {
        name: [{"integer": 1, "number": 1.5}.get(column.type, "x")] * len(cells)
        for name, column in LABELS.items()
    }
    columns["label"], columns["document"] = ([pair[which] or "x" for pair in cells] for which in (0, 1))
    columns["item"] = list(range(len(cells)))
    table = Rows(columns, LABELS)
    found = from_csv_table(table.as_csv())
    assert found is not None
    assert {name: [*values] for name, values in found.columns.items()} == columns
    assert len(aggregated_of(found, ["x"])) <= len(cells)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in samples() if name != "counts"])
def test_every_format_gives_the_labels_that_figures_count(name: str, tmp_path: Path) -> None:
    given = samples()[name]
    folder = written(tmp_path / "c", "", {})
    for path, content in given.items():
        (folder / "exports/1.0" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "exports/1.0" / path).write_bytes(
            content if isinstance(content, bytes) else content.encode()
        )
    campaign = load(folder)
    rows = table_of(folder)
    for study in read_campaign(campaign)[0].studies:
        units = next((each for each in study.unit_sets if each.primary), study.unit_sets[0])
        own = [row for row in rows if (row["layer"], row["role"]) == (study.layer, "annotator")]
        due = int(units.weight[units.unit].sum())
        assert sum(row["n"] for row in own if row["pass"] == 1) == due


CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)


def rated(people: int, labels: str, hostile: str = "") -> dict[str, str]:
    """Units with labels of some people, of whom the last labelled only every second unit."""
    names = ["unit", *(f"p{number}" for number in range(people))]
    rows = []
    for unit in range(30):
        given = [labels[(unit * (1 + number) + unit // 3) % len(labels)] for number in range(people)]
        given = [f"{label}{hostile}" for label in given]
        if people > 2 and unit % 2:
            given[-1] = ""
        rows.append(",".join((f"u{unit}", *given)))
    return {"exports/1.0/e.csv": "\n".join((",".join(names), *rows)) + "\n"}


CAMPAIGNS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "two": ("", rated(2, "abc")),
    "kappa": ('[task]\ncoefficient = "cohen_kappa"\n', rated(2, "abc")),
    "three": ("", rated(3, "abcd")),
    "signs": ("", rated(3, "abc", "|x:y\\")),
    "ranks": ('[task]\nscale = "ordinal"\ncategories = ["1", "2", "3", "4"]\n', rated(3, "1324")),
    "numbers": ('[task]\nscale = "interval"\n', rated(3, "1249")),
}


def unpacked(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def check(campaign: Path, folder: Path) -> CountsRecipe:
    """Run what the README of a campaign's bundle has; return what it should be."""
    files = bundle_of(load(campaign), "1.0", BundleOptions()).files
    here = unpacked(folder, files)
    results = Results.model_validate_json(files["report/results.json"])
    recipe = counts_recipe(results)
    assert recipe is not None
    readme = files["README.md"].decode()
    (code,) = CODE.findall(readme)
    printed = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=here, capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert float(printed) == pytest.approx(recipe.value, abs=1e-11)
    return recipe


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_recipe_prints_the_figure_of_the_report(name: str, tmp_path: Path) -> None:
    check(written(tmp_path / "campaign", *CAMPAIGNS[name]), tmp_path / "bundle")


@pytest.mark.slow
@pytest.mark.parametrize("subject", ["systems", "judge", "crowd"])
def test_every_subject_that_counts_determine_has_a_recipe(subject: str, tmp_path: Path) -> None:
    recipe = check(six_subjects.campaign(tmp_path, subject), tmp_path / "bundle")
    assert recipe.figure in {"f_measure[strict]", "f_measure", "cohen_kappa", "krippendorff_alpha"}


def sets(coefficient: str) -> tuple[str, Mapping[str, str]]:
    rows: list[tuple[str, ...]] = [("unit", "A", "B", "C")]
    values = ("x", "x;y", "y", "x;z", "y;z")
    rows += [
        (f"u{unit}", *(values[(unit * step + unit // 4) % 5] for step in (1, 2, 3))) for unit in range(20)
    ]
    toml = f'[task]\nscale = "set"\ncoefficient = "{coefficient}"\n'
    return toml, {"exports/1.0/e.csv": "\n".join(map(",".join, rows)) + "\n"}


@pytest.mark.slow
@pytest.mark.parametrize("distance", ["jaccard", "masi"])
def test_sets_of_labels_have_a_recipe(distance: str, tmp_path: Path) -> None:
    toml, files = sets(f"krippendorff_alpha[{distance}]")
    campaign = written(tmp_path / "campaign", toml, files)
    with (campaign / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write('\nset_separator = ";"\n')
    check(campaign, tmp_path / "bundle")


def test_where_counts_are_not_enough_the_readme_says_so(tmp_path: Path) -> None:
    files = bundle_of(load(six_subjects.campaign(tmp_path, "recordings")), "1.0", BundleOptions()).files
    readme = files["README.md"].decode()
    assert not CODE.findall(readme)
    assert "takes more than ten lines of code" in readme
