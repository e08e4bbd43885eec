"""From nine tools' folders to a report: `init` and `build` alone."""

import re
import shutil
from pathlib import Path

import pytest

from reportgen.results import Results
from tests import commands
from tests.conftest import CHECKOUT
from tests.nine_folders import FOLDERS
from tests.slowly import slow_but

PAGE = (CHECKOUT / "docs" / "nine-folders.md").read_text(encoding="utf-8")
# Texts speak of Anna and Ben too, in capitals.
PEOPLE = ("anna", "ben", "Jörg", "example.org")


def rows() -> dict[str, list[str]]:
    """Return the cells of the page's table by the folder's name."""
    found = re.findall(r"^\| `([a-z-]+)/` \|(.*)\|$", PAGE, re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in found}


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(FOLDERS, "brat", "spreadsheet", "parquet"))
def test_a_folder_becomes_a_report(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, content in FOLDERS[name]().items():
        file = tmp_path / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.chdir(tmp_path)
    first = commands.run("init", name)
    assert first.exit_code == 0, first.output
    # It names no line to change.
    assert not re.search(r":\d+: ", first.stdout.replace("\n", " "))
    done = commands.run("build", name)
    assert done.exit_code == 0, done.output
    results = Results.model_validate_json(Path(f"site/{name}/1.0/results.json").read_bytes())
    assert (len(results.primary.annotators), results.findings != ()) == (2, True)
    figure = results.primary.measures[results.coefficient].value
    assert figure is not None
    _tool, _said, shown = rows()[name]
    assert f"{figure:.3f}".replace("-", "−") in shown, "the page shows what came out"
    page = Path(f"site/{name}/1.0/index.html").read_text(encoding="utf-8")
    assert [who for who in PEOPLE if re.search(rf"\b{who}\b", page)] == []


def test_a_table_for_each_annotator_is_a_report_without_an_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who, label in (("anna", "no"), ("ben", "yes")):
        file = tmp_path / "apart" / f"{who}.csv"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"sentence,label\n1,yes\n2,{label}\n3,no\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands.run("init", "apart")
    assert 'path = "{annotator}"' in Path("apart/campaign.toml").read_text(encoding="utf-8")
    assert commands.run("build", "apart").exit_code == 0


OF_OTHERS = {
    "webanno_tsv/two_users": ("1.000", 0),
    "csv": ("0.367", 0),
    "inception_project_export": ("choose WebAnno TSV 3.3 or UIMA CAS JSON as the secondary format", 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_OTHERS)
def test_what_other_peoples_samples_give(
    name: str, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What tools and libraries have in their own tests, of which the page tells."""
    said, status = OF_OTHERS[name]
    shutil.copytree(shared / "formats" / name, tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    first = commands.run("init", "other")
    assert first.exit_code == status
    output = first.stderr if status else commands.run("build", "other").stdout
    assert said in output
    assert said in PAGE


def test_the_page_has_every_folder() -> None:
    assert list(rows()) == list(FOLDERS)
