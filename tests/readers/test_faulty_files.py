"""Of every kind of export a few faulty files are left out, counted and told first; more are refused."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import read_export
from reportgen.readers.naming import OF_FAULTY
from tests.campaigns import written
from tests.commands import run
from tests.readers import given_files

KINDS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
DOCUMENTS = 5


def export(kind: str, faulty: int) -> dict[str, str]:
    """Return five documents, the first of which are faulty."""
    found: dict[str, str] = {}
    place, good, bad = KINDS[kind]["faulty"]
    for number in range(DOCUMENTS):
        for name, text in KINDS[kind]["files"].items():
            content = text.replace(good, bad) if name == place and number < faulty else text
            found[name.replace("{n}", str(number))] = content.replace("{n}", str(number))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_fifth_of_the_files_may_be_faulty_and_no_more(kind: str, tmp_path: Path) -> None:
    faulty = DOCUMENTS * KINDS[kind]["each"] // 5
    found, refused = (
        [(file.path, file.name) for file in given_files.written(tmp_path / kind / str(n), export(kind, n))]
        for n in (faulty, faulty + 1)
    )
    left = [each.file for each in read_export(found).left_out if each.reason == OF_FAULTY]
    assert len(left) == faulty
    assert [warning.file for warning in read_export(found).warnings] == left
    with pytest.raises(BadInput) as caught:
        read_export(refused)
    assert len(caught.value.problems) > faulty


@pytest.mark.slow
def test_every_faulty_file_is_named_with_its_line_and_the_report_is_built(tmp_path: Path) -> None:
    files = {f"exports/1.0/{name}": text for name, text in export("conll", 1).items()}
    answer = run("build", written(tmp_path / "c", "", files), "--out", tmp_path / "site", "-q")
    assert answer.exit_code == 0
    assert "ben/d0.conll:3: has 4 columns where most rows have 2. The file is left out." in answer.stderr
    results = json.loads((tmp_path / "site/c/1.0/results.json").read_text(encoding="utf-8"))
    (finding,) = [found for found in results["findings"] if found["id"] == "faulty-files"]
    assert finding["values"]["names"].count("d0") == 1
    page = (tmp_path / "site/c/1.0/report.md").read_text(encoding="utf-8")
    said = page[page.index("## Can I trust this verdict?") :]
    assert "faulty and left out" in said[: said.index("\n- **")]
