"""Every example in README and docs runs: Python as one script a page, commands in the order of the page."""

import re
import shlex
import shutil
import sys
import textwrap
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import commands
from tests.conftest import CHECKOUT
from tests.six_subjects import crowd, recordings
from tests.slowly import slow_but

FENCE = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted((CHECKOUT / "docs").glob("*.md"))}
PAGES["README.md"] = (CHECKOUT / "README.md").read_text(encoding="utf-8")
# Pages that tests of their own run, and what needs a cluster, a server or an installer.
ELSEWHERE = {
    "continuous-integration.md": "test_continuous_integration.py",
    "recipes.md": "test_recipe_of_blocks.py",
    "release.md": "test_release_pages.py",
}
NOT_HERE = re.compile(r"spark|hdfs:|postgres:|path/to/the/checkout|reportgen (?:pull|push) ")
BUNDLE = "gene-renaming-1.0.zip"
# What a page begins with: files that its reader has.
LABELS = "topic,item,worker,vote\nd1,1,Ada,yes\nd1,1,Bea,yes\nd1,2,Ada,no\nd1,2,Bea,yes\n"

# Exports that a page begins with.
MADE_FOR = {
    "recordings.md": lambda: _below("campaigns/interviews", recordings(remarks=3)[1]),
    "crowds.md": lambda: _below("campaigns/moods", crowd()[1]),
}


def _below(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}": content for name, content in files.items()}


def fences(page: str, *kinds: str) -> list[str]:
    return [textwrap.dedent(text) for kind, text in FENCE.findall(PAGES[page]) if kind in kinds]


def command_lines(page: str) -> list[str]:
    """Return the commands of a page: what follows `$` in a console, and every line of a shell script.

    They are those of reportgen, and `unzip`, which some need.
    """
    typed = [
        line.removeprefix("$ ")
        for kind in ("console", "sh")
        for block in fences(page, kind)
        for line in block.splitlines()
        if kind == "sh" or line.startswith("$ ")
    ]
    return [line for line in typed if line.startswith(("reportgen ", "unzip ")) and not NOT_HERE.search(line)]


def status(line: str) -> int:
    """Run a command of a page in this process; return its exit status."""
    program, *arguments = shlex.split(line.partition(" > ")[0], comments=True)
    if program == "reportgen":
        return commands.run(*arguments).exit_code
    _quiet, archive, _into, folder = arguments
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    return 0


def pages_with(kind: str) -> list[str]:
    found = {"python": lambda page: fences(page, "python"), "commands": command_lines}[kind]
    return [page for page in PAGES if page not in ELSEWHERE and found(page)]


@pytest.fixture
def desk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a reader who has campaigns, tables and files of a corpus."""
    page = request.node.callspec.params["page"]
    named = {
        name for name in ("gene-renaming", "gene-renaming-in-texts") if f"campaigns/{name}" in PAGES[page]
    }
    for name in {*named, *(["gene-renaming"] if BUNDLE in PAGES[page] else [])}:
        shutil.copytree(CHECKOUT / "campaigns" / name, tmp_path / "campaigns" / name)
    tables(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


def tables(folder: Path) -> None:
    """Write what the pages name: one table of labels as CSV, Parquet and a database, and a small campaign."""
    import duckdb

    ratings = folder / "campaigns/reviews/exports/1.0/ratings.csv"
    ratings.parent.mkdir(parents=True)
    tutorial = fences("first-campaign.md", "csv")[0]
    ratings.write_text(tutorial, encoding="utf-8")
    declared = fences("first-campaign.md", "toml")[0]
    (ratings.parents[2] / "campaign.toml").write_text(declared, encoding="utf-8")
    (folder / "labels.csv").write_text(LABELS, encoding="utf-8")
    (folder / "parts").mkdir()
    with duckdb.connect(folder / "campaign.duckdb") as database:
        database.execute(f"CREATE TABLE votes AS FROM read_csv('{folder / 'labels.csv'}')")
        database.execute("CREATE TABLE notes AS SELECT 1 AS note")
        for name in ("labels.parquet", "parts/1.parquet"):
            database.execute(f"COPY votes TO '{folder / name}' (FORMAT parquet)")


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with("python"))
def test_python_runs_as_it_is_shown(page: str, desk: Path) -> None:
    assert (desk / "campaigns/reviews").exists()
    given: dict[str, Any] = {}
    for code in fences(page, "python"):
        exec(code, given)  # noqa: S102 - it is ours


@pytest.mark.slow
@pytest.mark.parametrize("page", slow_but(pages_with("commands"), "README.md", "scale.md", "commands.md"))
def test_commands_run_as_they_are_shown(page: str, desk: Path) -> None:
    if page == "README.md":
        (desk / "campaigns/reviews/campaign.toml").unlink()
    prepare(desk, page)
    # Without exports `verify` ends in 3.
    others = {"reportgen verify": 3}
    expected = {line: others.get(" ".join(line.split()[:2]), 0) for line in command_lines(page)}
    assert {line: status(line) for line in expected} == expected


def prepare(desk: Path, page: str) -> None:
    """Make what a page expects of the pages before it: a bundle, counts, and the files of a corpus."""
    if page == "verifying.md":
        assert status(f"reportgen bundle campaigns/gene-renaming 1.0 --out {BUNDLE}") == 0
    if page == "counts.md":
        assert status("reportgen count labels.csv --out my-check/exports/1.0") == 0
    if page == "judges.md":
        judged(desk)
    if page in MADE_FOR:
        for name, content in MADE_FOR[page]().items():
            (desk / name).parent.mkdir(parents=True, exist_ok=True)
            (desk / name).write_text(content, encoding="utf-8")


def judged(desk: Path) -> None:
    """Write what a model and a person say of messages, as a table and as the campaign of the page."""
    both = [("yes", "yes")] * 18 + [("yes", "no")] * 2 + [("no", "yes")] * 36 + [("no", "no")] * 144
    labels = [*both, *[("", "yes")] * 540, *[("", "no")] * 1460]
    rows = (f"{number},{human},{model}" for number, (human, model) in enumerate(labels, 1))
    text = "\n".join(["item,anna,gpt", *rows]) + "\n"
    (desk / "spam.csv").write_text(text, encoding="utf-8")
    exports = desk / "campaigns/spam/exports/1.0"
    exports.mkdir(parents=True)
    (exports / "labels.csv").write_text(text, encoding="utf-8")
    (exports.parents[1] / "campaign.toml").write_text(fences("judges.md", "toml")[0], encoding="utf-8")


def test_the_page_on_judges_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(tmp_path)
    monkeypatch.chdir(tmp_path)
    printed = "\n".join(commands.run(*shlex.split(line)[1:]).stdout for line in command_lines("judges.md"))
    lines = {" ".join(line.split()) for line in printed.splitlines()}
    shown = [" ".join(line.split()) for block in fences("judges.md", "text") for line in block.splitlines()]
    assert [line for line in shown if line and line not in lines] == []
    quoted = " ".join(
        line.removeprefix(">").strip() for line in PAGES["judges.md"].splitlines() if line[:1] == ">"
    )
    assert quoted in " ".join(printed.split())


def test_no_page_is_left_out_without_a_test_of_its_own() -> None:
    for page, test in ELSEWHERE.items():
        assert page in (CHECKOUT / "tests" / test).read_text(encoding="utf-8").replace('" / "', "/")
