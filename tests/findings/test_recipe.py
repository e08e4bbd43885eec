"""CONTRIBUTING's recipe for a finding: it takes two files, and the finding is on the page."""

import filecmp
import json
import re
import shutil
from pathlib import Path

import pytest

from reportgen import findings
from reportgen.findings import verdicts
from reportgen.report.sections import opening
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.campaigns import HEAD, VERSION
from tests.commands import run_copy
from tests.conftest import CHECKOUT
from tests.findings.made_results import labelled

TEXT = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPE = re.compile(r"^```python\n# (reportgen/findings/\w+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A few units, on which two differ twice.
EXPORT = "A\\B,yes,no\nyes,5,1\nno,1,6\n"
SAID = "used 12 times by all annotators together"


def recipe() -> tuple[str, str]:
    found = RECIPE.search(TEXT)
    assert found
    return found[1], found[2]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Results:
    """Results of a package in whose memory somebody followed the recipe."""
    _, code = recipe()
    room = dict(vars(verdicts))
    exec(code, room)  # noqa: S102 - our own document
    monkeypatch.setattr(findings, "LAYER_RULES", (*findings.LAYER_RULES, room["scarce"]))
    made = labelled(["yes"] * 6 + ["no"] * 7, ["yes"] * 5 + ["no", "yes"] + ["no"] * 6)
    return made.model_copy(update={"findings": findings.find(made)})


def test_the_finding_is_among_the_limits_on_the_page_with_its_traits(told: Results) -> None:
    no, yes = [each for each in told.findings if each.id == "scarce-category"]
    assert (yes.kind, yes.categories, yes.cases, yes.layers) == ("limit", ("yes",), 12, ("main",))
    assert (no.categories, no.cases) == (("no",), 14)
    section = opening.limits_of_figures(ReportView(told))
    assert SAID in str(section)
    assert SAID not in str(opening.what_to_do(ReportView(told)))


@pytest.mark.slow
def test_a_finding_changes_two_files_and_is_on_the_page(tmp_path: Path) -> None:
    for name in ("reportgen", "templates"):
        shutil.copytree(CHECKOUT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    name, code = recipe()
    module, registry = tmp_path / name, tmp_path / "reportgen/findings/__init__.py"
    module.write_text(f"{module.read_text(encoding='utf-8')}\n\n{code}", encoding="utf-8")
    before = registry.read_text(encoding="utf-8")
    head = "LAYER_RULES: tuple[Rule, ...] = (\n"
    registry.write_text(before.replace(head, f"{head}    {module.stem}.scarce,\n"), encoding="utf-8")
    same = [
        filecmp.cmp(CHECKOUT / path.relative_to(tmp_path), path, shallow=False)
        for root in ("reportgen", "templates")
        for path in sorted((tmp_path / root).rglob("*"))
        if path.is_file()
    ]
    assert same.count(False) == 2
    campaign = tmp_path / "mine"
    (campaign / "exports/1.0").mkdir(parents=True)
    (campaign / "exports/1.0/matrix.csv").write_text(EXPORT, encoding="utf-8")
    (campaign / "campaign.toml").write_text(HEAD + VERSION, encoding="utf-8")
    run_copy(tmp_path, "build", "mine")
    page = (tmp_path / "site/mine/1.0/index.html").read_text(encoding="utf-8")
    assert SAID in page[page.index('id="limits"') :]
    found = json.loads((tmp_path / "site/mine/1.0/results.json").read_text(encoding="utf-8"))["findings"]
    assert [each["cases"] for each in found if each["id"] == "scarce-category"] == [14, 12]
