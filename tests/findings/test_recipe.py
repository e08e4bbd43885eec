"""CONTRIBUTING's recipe for a finding: it takes two files, and the finding is on the page."""

import re

import pytest

from reportgen import findings
from reportgen.findings import verdicts
from reportgen.report import sections
from reportgen.report.sections import opening
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.conftest import CHECKOUT
from tests.findings.made_results import labelled

TEXT = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPE = re.compile(r"^```python\n# (reportgen/findings/\w+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
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
    assert SAID in str(sections.evidence(ReportView(told)))
    assert SAID not in str(opening.what_to_do(ReportView(told)))
