"""The recipes of CONTRIBUTING and docs/recipes.md: followed in a copy of the checkout, they work there."""

import ast
import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.commands import MATRIX, append, on_disk, run_copy
from tests.conftest import CHECKOUT

PAGE = (CHECKOUT / "docs/recipes.md").read_text(encoding="utf-8")
# Recipes that many need are in CONTRIBUTING.
TEXT = PAGE + (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8").replace("\n### ", "\n## ")
VOTES = (CHECKOUT / "docs/own-format.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(python|toml|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# So many files a change may take, beside tests and translations.
MOST = {
    "A coefficient": 2,
    "A table": 2,
    "A figure": 3,
    "A rule of the gate": 3,
    "A command": 2,
    "A format": 2,
}
GATE = """
[gate]
cohen_kappa = [{ width = 0.01 }, { width = 0.9 }]
"""
TOML = """
title = "Mine"
[[guidelines]]
version = "1"
exports = "exports"
"""

Followed = Callable[[str], Path]


def follow(place: Path, recipe: str) -> Iterator[str]:
    """Make the changes of a recipe; yield the files that it changes."""
    for language, text in BLOCK.findall(recipe):
        if language != "diff":
            name, _, code = text.removeprefix("# ").partition("\n")
            append(place / name, f"\n\n{code}")
            yield name
        for change in re.split(r"^\+\+\+ ", text, flags=re.MULTILINE)[1:] if language == "diff" else ():
            name, _, hunks = change.partition("\n")
            for hunk in hunks.split("@@\n"):
                replace(place / name, hunk.splitlines(keepends=True))
            yield name


def replace(path: Path, hunk: list[str]) -> None:
    """Put the new lines of a hunk where the others are."""
    before, after = ("".join(line[1:] for line in hunk if line[0] in kinds) for kinds in (" -", " +"))
    text = path.read_text(encoding="utf-8")
    assert text.count(f"\n{before}") == 1, before
    path.write_text(text.replace(f"\n{before}", f"\n{after}"), encoding="utf-8")


def section(name: str) -> str:
    return TEXT.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def recipe(name: str) -> str:
    """Return a recipe; that of a format has its module on a page of its own."""
    return (VOTES.partition("`recognises`")[0] if name == "A format" else "") + section(name)


@pytest.fixture
def followed(tmp_path: Path) -> Followed:
    """Return a function that follows a recipe in a copy of the checkout, in which there is a campaign."""

    def follow_one(name: str) -> Path:
        for folder in ("reportgen", "templates", "docs"):
            shutil.copytree(CHECKOUT / folder, tmp_path / folder)
        on_disk(tmp_path / "mine", {"exports/matrix.csv": MATRIX, "campaign.toml": TOML})
        list(follow(tmp_path, recipe(name)))
        return tmp_path

    return follow_one


@pytest.mark.parametrize("name", MOST)
def test_a_recipe_fits_the_code_and_changes_few_files(name: str, tmp_path: Path) -> None:
    for file in re.findall(r"^(?:# |\+\+\+ )(\w+/.*)$", recipe(name), re.MULTILINE):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        if (CHECKOUT / file).exists():
            shutil.copy(CHECKOUT / file, tmp_path / file)
    files = set(follow(tmp_path, recipe(name)))
    assert 0 < len(files) <= MOST[name]
    for file in files:
        text = (tmp_path / file).read_text(encoding="utf-8")
        if file.endswith(".py"):
            ast.parse(text)


@pytest.mark.slow
def test_a_table_is_on_the_page_in_markdown_latex_csv_and_described_in_bundles(followed: Followed) -> None:
    copy = followed("A table")
    run_copy(copy, "build", "mine")
    report = copy / "site/mine/1"
    name = next(report.glob("tables/label-counts.*.csv")).name
    assert (report / "tables" / name).read_text(encoding="utf-8").startswith("label,times\n")
    assert "Labels of all annotators together." in (report / "index.html").read_text(encoding="utf-8")
    assert "Labels of all annotators together." in (report / "report.md").read_text(encoding="utf-8")
    assert r"\label{tab:agreement-labels}" in (report / "latex/tables.tex").read_text(encoding="utf-8")
    run_copy(copy, "bundle", "mine", "1", "--out", "bundle")
    crate = json.loads((copy / "bundle/ro-crate-metadata.json").read_text(encoding="utf-8"))["@graph"]
    said = {each["@id"]: each.get("description") for each in crate}
    assert said[f"report/tables/{name}"] == "How often annotators gave each label."
    assert "nothing of what was checked differs" in run_copy(copy, "verify", "bundle", status=3)


@pytest.mark.slow
def test_a_figure_is_on_the_page_in_markdown_and_a_file(followed: Followed) -> None:
    copy = followed("A figure")
    run_copy(copy, "build", "mine")
    report = copy / "site/mine/1"
    assert "<title>" in (report / "figures/labels.svg").read_text(encoding="utf-8")
    assert 'aria-labelledby="labels-title' in (report / "index.html").read_text(encoding="utf-8")
    assert "(figures/labels.svg)" in (report / "report.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_rule_is_checked_and_explained(followed: Followed) -> None:
    copy = followed("A rule of the gate")
    append(copy / "mine/campaign.toml", GATE)
    checks = json.loads(run_copy(copy, "check", "mine", "--format", "json", status=1))
    rules = checks["campaigns"][0]["rules"]
    assert [(rule["demand"], rule["held"]) for rule in rules] == [("width", False), ("width", True)]
    assert "its interval is wider than width = 0.01 in 1." in rules[0]["found"]
    assert "width" in json.loads(run_copy(copy, "schema", "campaign"))["$defs"]["Floor"]["properties"]
    assert "| `width` |" in (copy / "docs/gate.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_command_runs_and_is_listed(followed: Followed) -> None:
    copy = followed("A command")
    assert json.loads(run_copy(copy, "versions", "mine", "--json")) == ["1"]
    assert "versions  List the guidelines versions of a campaign." in run_copy(copy, "--help")
    assert "--json" in run_copy(copy, "versions", "--help")
    assert "| `reportgen versions" in (copy / "docs/commands.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_format_is_recognised_read_and_listed(followed: Followed) -> None:
    copy = followed("A format")
    votes = [
        {"annotator": who, "document": f"d{number}", "label": "yn"[(number + (who == "ben")) // 2 % 2]}
        for number in range(8)
        for who in ("anna", "ben")
    ]
    on_disk(copy / "new", {"exports/1.0/votes.json": json.dumps(votes)})
    assert "Votes, JSON" in run_copy(copy, "init", "new")
    run_copy(copy, "build", "new")
    assert "Votes: an object each." in (copy / "site/new/1.0/report.md").read_text(encoding="utf-8")
    assert "| `votes` |" in run_copy(copy, "formats", "--markdown")


@pytest.mark.slow
def test_a_coefficient_has_a_value_and_an_interval_is_explained_and_may_be_the_primary_one(
    followed: Followed,
) -> None:
    copy, ours, new = followed("A coefficient"), "gwet_ac1", "ac1"
    # A source that nothing cited before.
    source = "@article{doe2026,\n  author = {Doe, Jo},\n  year = {2026},\n}\n"
    append(copy / "templates/works.bib", f"\n\n{source}")
    figures = json.loads(run_copy(copy, "agree", "mine/exports/matrix.csv", "--json"))["measures"]
    assert figures[new]["value"] == pytest.approx(figures[ours]["value"], rel=1e-9)
    assert figures[new]["interval"]["low"] < figures[new]["value"]
    assert "AC1 again" in run_copy(copy, "agree", "mine/exports/matrix.csv")
    assert "than where annotators guess on hard units?" in run_copy(copy, "explain", new)
    append(copy / "mine/campaign.toml", f'[task]\ncoefficient = "{new}"\n')
    assert run_copy(copy, "build", "mine").startswith("mine 1: AC1 again ")
    site = copy / "site/mine/1"
    assert f'id="measure-{new}"' in (site / "measures/index.html").read_text(encoding="utf-8")
    assert "AC1 again" in (site / "index.html").read_text(encoding="utf-8")
    with (site / "tables/coefficients.csv").open(encoding="utf-8", newline="") as file:
        assert new in {row["figure"] for row in csv.DictReader(file)}


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
OWN = {"reportgen/readers/recordings.py", "reportgen/publish/metadata.py"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_recipe_names_every_file_that_knows_one_of_its_kind(name: str) -> None:
    known = [
        path.relative_to(CHECKOUT).as_posix()
        for folder, ending in (("reportgen", "*.py"), ("reportgen", "*.toml"), ("templates", "*.j2"))
        for path in sorted((CHECKOUT / folder).rglob(ending))
        if EXAMPLES[name] in path.read_text(encoding="utf-8")
    ]
    missing = [each for each in known if each.removeprefix("reportgen/") not in section(name)]
    assert sorted({*missing} - OWN) == []
    assert known
