"""README and CONTRIBUTING say what is there, and what they say works."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import typer.main

from reportgen.base.errors import BadInput
from reportgen.campaign import campaign_schema
from reportgen.cli.app import app
from reportgen.counts import ContingencyTable
from reportgen.findings.changes import Changes
from reportgen.measures import CATALOGUE, Setting, UnitsOfPair
from reportgen.readers import NO_DOCUMENT, ExportFile, ReaderOptions, readers, readers_markdown
from reportgen.results import Results
from tests import commands
from tests.campaigns import facts_of
from tests.conftest import CHECKOUT
from tests.findings.made_comparison import comparison, revision, sample
from tests.slowly import slow_but

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")

# "`folder/file`:", an empty line, and the file in a fence.
NAMED_FILE = re.compile(r"^`(campaigns/[^`]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A path with a folder in it, or one of the files at the top.
NAMED_PATH = re.compile(
    r"`((?:reportgen|templates|tests|benchmarks|campaigns|docs|\.ci)/[\w./-]*|[\w-]+\.(?:toml|lock|md))`"
)
FILES_OF_USERS = ("campaign.toml", "report.md", "campaigns/reviews/")


def in_code(word: str) -> bool:
    return f"`{word}`" in README


def command_names() -> list[str]:
    return sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # an app of several commands is a group


def shell_lines() -> list[str]:
    return [line for block in SHELL.findall(README) for line in block.splitlines()]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def write_first_campaign(folder: Path) -> list[str]:
    files = NAMED_FILE.findall(README)
    for name, text in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [name for name, _ in files]


Built = tuple[Path, subprocess.CompletedProcess[str]]


@pytest.fixture
def first_campaign(tmp_path: Path) -> Path:
    """The folder of a reader who has copied the two files of the README's first campaign."""
    assert write_first_campaign(tmp_path) == [
        "campaigns/reviews/exports/1.0/ratings.csv",
        "campaigns/reviews/campaign.toml",
    ]
    return tmp_path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The same folder with the site that was built of it, and what building it said."""
    folder = tmp_path_factory.mktemp("first")
    write_first_campaign(folder)
    return folder, run("reportgen build", folder)


@pytest.mark.parametrize("name", command_names())
def test_readme_has_every_command(name: str) -> None:
    assert f"| `reportgen {name}" in README


def test_readme_has_what_each_reader_says_of_itself() -> None:
    """`make formats` writes it; the section is that of `reportgen formats --markdown` to the letter."""
    table = README.partition("<!-- formats -->\n")[2].partition("<!-- /formats -->")[0]
    assert table == readers_markdown()
    assert all(f"| `{reader.name}` |" in table for reader in readers())


@pytest.mark.parametrize("name", [measure.id for measure in CATALOGUE])
def test_readme_has_every_measure(name: str) -> None:
    assert in_code(name)


@pytest.mark.parametrize("name", campaign_schema()["properties"])
def test_readme_has_every_key_at_the_top_of_campaign_toml(name: str) -> None:
    assert re.search(rf"^\| `(\[+)?{name}[`.\]]", README, re.MULTILINE)


def test_the_first_campaign_builds_as_the_readme_shows(built: Built) -> None:
    _, done = built
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout in OUTPUT.findall(README)


def names_in(folder: Path) -> Iterator[str]:
    yield from (f"{path.name}/" if path.is_dir() else path.name for path in folder.iterdir())


def test_the_first_campaign_has_the_files_that_the_readme_lists(built: Built) -> None:
    listed = README[README.index("## What is in a version's folder") :].partition("One level up")[0]
    named = set(re.findall(r"^\| `([^`]+)`", listed, re.MULTILINE))
    first = built[0] / "site" / "reviews" / "1.0"
    in_texts = CHECKOUT / "site" / "gene-renaming-in-texts" / "1.0"
    there = {version: set(names_in(version)) for version in (first, in_texts)}
    assert there[first] < there[in_texts] == named


def test_the_first_campaign_does_not_name_its_annotators(built: Built) -> None:
    files = [path for path in (built[0] / "site").rglob("*") if path.is_file()]
    assert [path.name for path in files if re.search(rb"\b(Ada|Blaise)\b", path.read_bytes())] == []


@pytest.mark.parametrize("command", slow_but(shell_lines(), shell_lines()[1]))
def test_every_command_of_the_readme_runs(first_campaign: Path, command: str) -> None:
    done = run(command, first_campaign)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_smallest_campaign_builds(first_campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = README[README.index("## campaign.toml") :]
    smallest = re.search(r"```toml\n(.*?)```", section, re.DOTALL)
    assert smallest
    (first_campaign / "campaigns/reviews/campaign.toml").write_text(smallest[1], encoding="utf-8")
    monkeypatch.chdir(first_campaign)
    assert commands.run("build").exit_code == 0


def links(page: str) -> Iterator[str]:
    yield from LINK.findall((CHECKOUT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    targets = [link.partition("#")[0] for link in links(page)]
    assert [target for target in targets if not (CHECKOUT / target).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page: str) -> None:
    named = NAMED_PATH.findall((CHECKOUT / page).read_text(encoding="utf-8"))
    ours = [name for name in named if not name.startswith(FILES_OF_USERS)]
    assert [name for name in ours if not (CHECKOUT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_hold_no_address_and_no_path_of_one_machine(page: str) -> None:
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    assert re.findall(r"https?://\S+|(?<![\w.`/])/(?:home|root|work|tmp|usr)/\S*", text) == []


# The examples of CONTRIBUTING


def example(file: str) -> dict[str, Any]:
    """Return what the example for a file of ours defines."""
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    block = re.search(rf"^```python\n# {re.escape(file)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert block
    defined: dict[str, Any] = {}
    exec(block[1], defined)  # noqa: S102 - it is ours
    return defined


def test_the_example_of_a_format_reads(tmp_path: Path) -> None:
    reader = example("reportgen/readers/votes.py")["READER"]
    path = tmp_path / "votes.jsonl"
    rows = [{"document": "d", "annotator": name, "label": "yes"} for name in "ABC"]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    file = ExportFile(path, path.name)
    assert reader.recognises(file)
    export = reader.read([file], ReaderOptions())
    assert [(copy.annotator, copy.marks[0].type, copy.marks[0].line) for copy in export.copies] == [
        ("A", "yes", 1),
        ("B", "yes", 2),
        ("C", "yes", 3),
    ]
    assert export.sources == (file.source,)


def test_the_example_of_a_format_complains_of_every_record(tmp_path: Path) -> None:
    reader = example("reportgen/readers/votes.py")["READER"]
    path = tmp_path / "votes.jsonl"
    path.write_text('{"document": "d", "annotator": "A"}\n[]\n', encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        reader.read([ExportFile(path, path.name)], ReaderOptions())
    assert [(problem.line, problem.key) for problem in caught.value.problems] == [(1, "label"), (2, "")]


def test_a_reader_takes_about_thirty_lines() -> None:
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    block = text.partition("# reportgen/readers/votes.py\n")[2].partition("```")[0]
    assert 20 < sum(bool(line.strip()) for line in block.splitlines()) < 40


def pair_of(counts: npt.NDArray[np.int64]) -> UnitsOfPair:
    row, column = np.indices(counts.shape).reshape(2, -1)
    table = ContingencyTable(
        0, 1, len(counts), np.full(row.shape, NO_DOCUMENT), row, column, counts.reshape(-1)
    )
    return UnitsOfPair(table, Setting())


def test_the_example_of_a_measure_has_the_standard_error_of_a_jackknife() -> None:
    compute = example("reportgen/measures/formulas.py")["ENTRY"].for_pair
    counts = np.array([[118, 5], [2, 1]])
    units = counts.sum()
    figure = compute(pair_of(counts))["gwet_ac1"]
    assert figure.value == pytest.approx((119 / 126 - 2 * 243 * 9 / 252**2) / (1 - 2 * 243 * 9 / 252**2))
    without_one = [
        (
            compute(pair_of(counts - (np.arange(4) == cell).reshape(2, 2)))["gwet_ac1"].value,
            times,
        )
        for cell, times in enumerate(counts.reshape(-1).tolist())
    ]
    mean = sum(value * times for value, times in without_one) / units
    spread = sum((value - mean) ** 2 * times for value, times in without_one)
    assert figure.standard_error == pytest.approx(np.sqrt((units - 1) / units * spread), rel=0.02)


def test_the_example_of_a_finding_speaks(built: Built) -> None:
    results = (built[0] / "site/reviews/1.0/results.json").read_text(encoding="utf-8")
    rule = example("reportgen/findings/certainty.py")["scarce"]
    found = {
        finding.values["category"]: finding
        for finding in rule(facts_of(Results.model_validate_json(results)))
    }
    assert {name: finding.values["labels"] for name, finding in found.items()} == {
        "positive": 8,
        "negative": 6,
        "none": 10,
    }


def test_the_example_of_a_finding_about_a_comparison_speaks() -> None:
    rule = example("reportgen/findings/changes/certainty.py")["twice"]
    few, many = comparison(revision()), comparison(revision(second=sample(60)))
    assert list(rule(Changes(few))) == []
    assert [finding.values["after"] for finding in rule(Changes(many))] == [60]
