"""What README and docs/release.md say about publishing works, command by command."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns import GENE_RENAMING
from tests.conftest import CHECKOUT

PAGE = (CHECKOUT / "docs" / "release.md").read_text(encoding="utf-8")
PRINTED = "printed.txt"
FENCE = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [text for found, text in FENCE.findall(PAGE) if found == kind]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which somebody has typed every command of the page, one after the other."""
    place = tmp_path_factory.mktemp("release")
    shutil.copytree(GENE_RENAMING, place / "campaigns" / "gene-renaming")
    # Without exports not all can be checked.
    typed = re.sub(
        r"^(reportgen verify .*)$", r"\1 || test $? -eq 3", "\n".join(blocks("sh")), flags=re.MULTILINE
    )
    done = run(typed, place)
    assert done.returncode == 0, done.stdout + done.stderr
    (place / PRINTED).write_text(done.stdout, encoding="utf-8")
    return place


@pytest.mark.slow
def test_every_command_of_the_page_works_in_order(folder: Path) -> None:
    card = (folder / "gene-renaming-1.0" / "dataset-card.md").read_text(encoding="utf-8")
    assert "Cohen's kappa" in card
    assert (folder / "again" / "index.html").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "command"), [("bundles.md", "bundle"), ("verifying.md", "verify")])
def test_other_pages_show_what_the_commands_print(folder: Path, name: str, command: str) -> None:
    text = (CHECKOUT / "docs" / name).read_text(encoding="utf-8")
    shown = next(found for _kind, found in FENCE.findall(text) if found.startswith(f"$ reportgen {command} "))
    printed = _numberless((folder / PRINTED).read_text(encoding="utf-8"))
    assert [line for line in _numberless(shown)[1:] if line not in printed] == []


def _numberless(text: str) -> list[str]:
    """Return lines without whole numbers and sizes, which change with every measure; files are counted."""
    return re.sub(r"(?<![\d.])\d[\d,]*(?:\.\d+(?= MB))?(?![\d.]| files)", "N", text).splitlines()


@pytest.mark.slow
def test_the_kappa_of_ten_lines_is_that_of_the_report(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", blocks("python")[0]],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    results = json.loads((folder / "gene-renaming-1.0/report/results.json").read_bytes())
    expected = results["unit_sets"][0]["pairs"][0]["measures"]["cohen_kappa"]["value"]
    assert float(done.stdout) == pytest.approx(expected, abs=1e-12)


def test_data_on_the_page_can_be_read() -> None:
    import tomllib

    assert tomllib.loads(re.sub(r"^   ", "", blocks("toml")[0], flags=re.MULTILINE))["corpus"]["doi"]
    assert json.loads(blocks("json")[0])["related_identifiers"][0]["relation"] == "isDocumentedBy"
