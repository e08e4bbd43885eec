"""Recipes of CONTRIBUTING: each is followed in a copy of the checkout, works there, and changes few files.

A recipe's code blocks begin with the file that they go into, and are added at its end. To test another one,
add a line to RECIPES with its heading, how many files it may change, and what is changed besides; then test
what is there in `followed`, as is done here for a coefficient.
"""

import csv
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands import MATRIX, run_copy
from tests.conftest import CHECKOUT

# Recipes that few need are on a page of their own.
RARE = (CHECKOUT / "docs/recipes.md").read_text(encoding="utf-8").replace("\n## ", "\n### ")
TEXT = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8") + RARE
BLOCK = re.compile(r"^```\w+\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What a change may touch; translations, tests and what is built are not counted.
COPIED = ("reportgen", "templates", "docs", "CHANGELOG.md")
NOT_COUNTED = re.compile(r"__pycache__|/locale/")


def recipe(name: str) -> str:
    return TEXT.partition(f"### {name}\n")[2].partition("\n### ")[0].partition("\n## ")[0]


def add(copy: Path, file: str, text: str) -> None:
    path = copy / file
    path.write_text(f"{path.read_text(encoding='utf-8')}\n\n{text}", encoding="utf-8")


@dataclass(frozen=True)
class Recipe:
    """How many files it may change, and what is changed besides its blocks of code."""

    most: int
    besides: Callable[[Path], None]


def beside_a_coefficient(copy: Path) -> None:
    """A source that nothing cited before, and what users notice."""
    add(copy, "templates/works.bib", "@article{doe2026,\n  author = {Doe, Jo},\n  year = {2026},\n}\n")
    add(copy, "CHANGELOG.md", "- AC1 again.\n")


RECIPES = {"A coefficient": Recipe(4, beside_a_coefficient)}


def followed(name: str, place: Path) -> Path:
    """A copy of the checkout in which somebody followed a recipe."""
    for each in COPIED:
        copy = shutil.copytree if (CHECKOUT / each).is_dir() else shutil.copy
        copy(CHECKOUT / each, place / each)
    for file, code in BLOCK.findall(recipe(name)):
        add(place, file, code)
    RECIPES[name].besides(place)
    return place


def changed(copy: Path) -> set[str]:
    """The files that are new, or not as they are here."""
    files = (path for each in COPIED for path in ((copy / each), *(copy / each).rglob("*")) if path.is_file())
    names = {path.relative_to(copy).as_posix(): path for path in files}
    return {
        name
        for name, path in names.items()
        if not NOT_COUNTED.search(name)
        and not ((CHECKOUT / name).exists() and (CHECKOUT / name).read_bytes() == path.read_bytes())
    }


@pytest.fixture(scope="module")
def with_coefficient(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = followed("A coefficient", tmp_path_factory.mktemp("coefficient"))
    (copy / "matrix.csv").write_text(MATRIX, encoding="utf-8")
    return copy


def test_a_coefficient_changes_few_files(with_coefficient: Path) -> None:
    files = changed(with_coefficient)
    assert {"reportgen/measures/formulas.py", "reportgen/catalogue/more_annotators.toml"} <= files
    assert len(files) <= RECIPES["A coefficient"].most, sorted(files)


# The coefficient is AC1 under a name of its own.
OURS, NEW = "gwet_ac1", "ac1"


@pytest.mark.slow
def test_the_figure_is_that_of_the_coefficient_with_its_interval(with_coefficient: Path) -> None:
    figures = json.loads(run_copy(with_coefficient, "agree", "matrix.csv", "--json"))["measures"]
    assert figures[NEW]["value"] == pytest.approx(figures[OURS]["value"], rel=1e-9)
    assert figures[NEW]["interval"]["low"] < figures[NEW]["value"]
    assert "AC1 again" in run_copy(with_coefficient, "agree", "matrix.csv")


@pytest.mark.slow
def test_the_coefficient_is_explained_and_may_be_the_primary_one(with_coefficient: Path) -> None:
    copy, question = with_coefficient, "than where annotators guess on hard units?"
    assert question in run_copy(copy, "explain", NEW)
    campaign = copy / "mine"
    (campaign / "exports").mkdir(parents=True)
    (campaign / "exports/matrix.csv").write_text(MATRIX, encoding="utf-8")
    declared = f'title = "Mine"\n[task]\ncoefficient = "{NEW}"\n'
    version = '[[guidelines]]\nversion = "1"\nexports = "exports"\n'
    (campaign / "campaign.toml").write_text(declared + version, encoding="utf-8")
    assert run_copy(copy, "build", "mine").startswith("mine 1: AC1 again ")
    site = copy / "site/mine/1"
    assert f'id="measure-{NEW}"' in (site / "measures/index.html").read_text(encoding="utf-8")
    assert "AC1 again" in (site / "index.html").read_text(encoding="utf-8")
    with (site / "tables/coefficients.csv").open(encoding="utf-8", newline="") as file:
        assert NEW in {row["figure"] for row in csv.DictReader(file)}


# What there is already of each kind, by a word that every file has which had to change for it.
EXAMPLES = {
    "A coefficient": "gwet_ac1",
    "A format": "textgrid",
    "A distance": '"masi"',
    "An engine": "import SPARK",
    "A language": '"fr"',
    "A metadata file": "CITATION.cff",
}
# The modules that were new with them.
OWN = {"reportgen/readers/recordings.py", "reportgen/publish/citation_cff.py"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_recipe_names_every_file_that_knows_one_of_its_kind(name: str) -> None:
    known = [
        path.relative_to(CHECKOUT).as_posix()
        for folder, ending in (("reportgen", "*.py"), ("reportgen", "*.toml"), ("templates", "*.j2"))
        for path in sorted((CHECKOUT / folder).rglob(ending))
        if EXAMPLES[name] in path.read_text(encoding="utf-8")
    ]
    missing = [each for each in known if each.removeprefix("reportgen/") not in recipe(name)]
    assert sorted({*missing} - OWN) == []
    assert known
