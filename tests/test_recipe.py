"""Recipes of CONTRIBUTING: a coefficient's works in a copy of the package; others name all files."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import MATRIX
from tests.conftest import CHECKOUT

TEXT = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPE = re.compile(r"^```python\n# reportgen/measures/formulas\.py\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OURS, NEW = "gwet_ac1", "recipe_ac1"


def run(copy: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "reportgen", *arguments],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which somebody followed the recipe; their coefficient is AC1 under a name of its own."""
    place = tmp_path_factory.mktemp("recipe")
    for name in ("reportgen", "templates"):
        shutil.copytree(CHECKOUT / name, place / name)
    found = re.search(
        r"^```python\n# reportgen/measures/formulas\.py\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL
    )
    assert found
    entry = re.search(r"the entry in (catalogue/\w+\.py)", found[1])
    assert entry
    family = place / "reportgen/measures" / entry[1]
    catalogue = family.read_text(encoding="utf-8")
    before = catalogue[: catalogue.index(f'id="{OURS}"')]
    (*_others, listed) = re.findall(r"^(\w+): tuple\[Measure, \.\.\.\] = \($", before, re.MULTILINE)
    code = re.sub(r"\bac1\b", "another_ac1", found[1]).replace(OURS, NEW).replace("ENTRY", "RECIPE")
    family.write_text(f"{catalogue}\n{code}\n{listed} = (*{listed}, RECIPE)\n", encoding="utf-8")
    (place / "matrix.csv").write_text(MATRIX, encoding="utf-8")
    return place


def test_the_figure_is_that_of_the_coefficient_with_its_interval(copy: Path) -> None:
    figures = json.loads(run(copy, "agree", "matrix.csv", "--json"))["measures"]
    assert figures[NEW] == figures[OURS]
    assert figures[NEW]["interval"]["low"] < figures[NEW]["value"]


def test_the_coefficient_is_explained_and_may_be_the_primary_one(copy: Path) -> None:
    assert "than where annotators guess on hard units?" in run(copy, "explain", NEW)
    campaign = copy / "mine"
    (campaign / "exports").mkdir(parents=True)
    (campaign / "exports/matrix.csv").write_text(MATRIX, encoding="utf-8")
    declared = f'title = "Mine"\n[task]\ncoefficient = "{NEW}"\n'
    version = '[[guidelines]]\nversion = "1"\nexports = "exports"\n'
    (campaign / "campaign.toml").write_text(declared + version, encoding="utf-8")
    assert run(copy, "build", "mine").startswith("mine 1: Gwet's AC1 ")
    assert f'id="measure-{NEW}"' in (copy / "site/mine/1/measures/index.html").read_text(encoding="utf-8")


# What there is already of each kind, by a word that every file has which had to change for it.
EXAMPLES = {
    "A coefficient": "gwet_ac1",
    "A format": "textgrid",
    "A distance": '"masi"',
    "A language": '"fr"',
    "A metadata file": "CITATION.cff",
}
# Where a recipe says how to find the files of a room, it need not name them.
FOUND = {"A coefficient": "reportgen/measures/"}
# The modules that were new with them.
OWN = {"reportgen/readers/recordings.py", "reportgen/publish/citation_cff.py"}


def recipe(name: str) -> str:
    return TEXT.partition(f"### {name}\n")[2].partition("\n### ")[0].partition("\n## ")[0]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_recipe_names_every_file_that_knows_one_of_its_kind(name: str) -> None:
    known = [
        path.relative_to(CHECKOUT).as_posix()
        for folder, ending in (("reportgen", "*.py"), ("templates", "*.j2"))
        for path in sorted((CHECKOUT / folder).rglob(ending))
        if EXAMPLES[name] in path.read_text(encoding="utf-8")
    ]
    room = FOUND.get(name)
    assert room is None or f"grep -r gwet_ac {room.rstrip('/')}" in recipe(name)
    named = [each for each in known if each.removeprefix("reportgen/") in recipe(name)]
    to_find = [each for each in known if room and each.startswith(room)]
    missing = sorted({*known} - {*named, *to_find} - OWN)
    assert missing == []
    assert known
