"""The recipes of a bundle's README, run as they are written: they print the report's figure."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.publish.bundle import BundleOptions, bundled
from reportgen.publish.sentences import CountsRecipe, counts_recipe
from reportgen.results import Results
from tests import six_subjects
from tests.campaigns import written

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
    files = bundled(load(campaign), "1.0", BundleOptions()).files
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
    files = bundled(load(six_subjects.campaign(tmp_path, "recordings")), "1.0", BundleOptions()).files
    readme = files["README.md"].decode()
    assert not CODE.findall(readme)
    assert "takes more than ten lines of code" in readme
