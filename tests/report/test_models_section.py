"""A report with models among the annotators: may one of them take a place, and what does it say of that?"""

import csv
import functools
from pathlib import Path

import numpy as np
import pytest

from reportgen.findings.systems import MAY, MAY_NOT
from reportgen.publish.verify.differences import REASONS, WITHOUT_EXPORTS
from reportgen.report.page import report_html, report_markdown
from reportgen.report.paper import paper
from reportgen.report.sections.systems import verdicts
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.annotators import Replacement
from tests.campaigns import results_of, written
from tests.commands import run
from tests.pages import check_ids

NAMES = ("anna", "ben", "cleo", "gpt", "llama")
MODELS = """
[privacy]
annotators = "names"

[annotators.gpt]
role = "model"
model = "gpt-4.1"
version = "2025-04"
prompt = "prompt.md"

[annotators.llama]
role = "model"
"""
PRICED = f'{MODELS}[replacement]\nepsilon = 0.1\nwhy = "They are *trained*."\n'


@functools.cache
def export(names: tuple[str, ...] = NAMES) -> str:
    """Return a table of three people, a good model and a bad one, in documents of four units."""
    draw = np.random.default_rng(2)
    rows = ["item,document," + ",".join(f'"{name}"' for name in names)]
    for item in range(120):
        truth, *guesses = ("abc"[place] for place in draw.integers(0, 3, 6))
        sure = draw.random(5) < (0.8, 0.8, 0.7, 0.95, 0.2)
        labels = [truth if known else guess for known, guess in zip(sure, guesses, strict=True)]
        rows.append(",".join([str(item), f"d{item // 4}", *labels]))
    return "\n".join(rows)


def campaign(folder: Path, toml: str, table: str = "") -> Path:
    files = {"exports/1.0/e.csv": table or export(), "prompt.md": "Label it.\n"}
    return written(folder / "campaign", toml, files)


def of(folder: Path, toml: str, table: str = "") -> Results:
    return results_of(campaign(folder, toml, table))


@pytest.fixture(scope="module")
def priced(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return of(tmp_path_factory.mktemp("priced"), PRICED)


def only(results: Results) -> Replacement:
    """Return the test of the only layer."""
    (found,) = results.replacement or ()
    return found


def section(page: str, end: str = '\n<details id="') -> str:
    return page.partition('<details id="models"')[2].partition(end)[0]


def test_results_have_the_test_of_the_primary_unit_set(priced: Results) -> None:
    found = only(priced)
    assert (found.layer, found.unit_set, found.epsilon) == ("main", "items", 0.1)
    assert found.annotators == ("anna", "ben", "cleo")
    good, bad = found.models
    assert (good.model, good.called, good.prompt) == ("gpt", "gpt-4.1 2025-04", "prompt.md")
    assert (bad.model, bad.called, bad.prompt) == ("llama", None, None)
    assert good.independent is not None
    assert bad.independent is not None
    assert (good.independent.beaten, bad.independent.beaten) == (3, 0)
    # What is rounded is the same when it is read again.
    assert float(f"{good.advantage.value:.12g}") == good.advantage.value


@pytest.mark.parametrize(("epsilon", "template"), [("0.0", MAY_NOT), ("0.3", MAY)])
def test_the_price_decides(tmp_path: Path, epsilon: str, template: object) -> None:
    # Whoever is as good as people passes at a price alone.
    table = export(("gpt", "ben", "cleo", "anna", "llama"))
    found = of(tmp_path, f"{MODELS}[replacement]\nepsilon = {epsilon}\n", table)
    said = next(each for each in found.findings if str(each.values.get("model", "")).startswith("gpt"))
    assert said.claim == getattr(template, "claim", None)
    assert said.values["price"] == f"{float(epsilon):g}"
    said_of_each = verdicts(only(found))
    assert any("gpt-4.1" in each and f"ε = {float(epsilon):g}: it beat" in each for each in said_of_each)


@pytest.mark.parametrize(
    "toml",
    [
        (
            '[replacement]\nepsilon = 0.1\n[annotators.gpt]\nrole = "reference"\n'
            '[annotators.llama]\nrole = "reference"\n'
        ),
        '[annotators.gpt]\nrole = "model"\n'
        + "".join(f'[annotators.{name}]\nrole = "reference"\n' for name in NAMES[:2])
        + '[annotators.llama]\nrole = "system"\n',
    ],
)
def test_without_models_or_people_enough_there_is_no_section(tmp_path: Path, toml: str) -> None:
    found = of(tmp_path, toml)
    assert found.replacement is None
    page = report_html(ReportView(found), alone=True)
    assert 'id="models"' not in page
    assert "Calderon" not in page
    assert "calderon" not in dict(paper(ReportView(found)))["latex/references.bib"]


@pytest.mark.slow
def test_names_are_escaped(tmp_path: Path) -> None:
    attack = "<img src=x onerror=ran(1)>|*b*"
    toml = PRICED.replace("[annotators.llama]", f"[annotators.'{attack}']").replace("gpt-4.1", attack)
    found = of(tmp_path, toml, export((*NAMES[:4], attack)))
    assert only(found).models[1].model == attack
    page = report_html(ReportView(found), alone=True)
    assert "<img" not in page
    assert "&lt;img src=x onerror=ran(1)&gt;|*b*" in section(page)
    text = report_markdown(ReportView(found))
    assert "<img" not in text
    assert "|*b*" not in text


@pytest.mark.slow
def test_a_site_has_the_tables_and_is_verified(tmp_path: Path) -> None:
    made = campaign(tmp_path, PRICED)
    assert run("build", made, "--out", tmp_path / "site").exit_code == 0
    tables = tmp_path / "site/campaign/1.0/tables"
    found = only(results_of(made))

    def rows(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader((tables / name).read_text(encoding="utf-8").splitlines()))

    for row, each in zip(rows("models.csv"), found.models, strict=True):
        assert (row["model"], row["role"]) == (each.model, each.role)
        assert float(row["advantage"]) == each.advantage.value
        assert each.independent is not None
        assert (int(row["beaten"]), int(row["tested"])) == (each.independent.beaten, each.independent.tested)
    humans = [(each.model, human) for each in found.models for human in each.humans]
    for row, (model, human) in zip(rows("models-by-annotator.csv"), humans, strict=True):
        assert (row["model"], row["annotator"]) == (model, human.annotator)
        assert float(row["difference"]) == human.difference
        assert human.independent is not None
        assert float(row["adjusted_p"]) == human.independent.adjusted_p
    check_ids(tmp_path / "site")
    answer = run("verify", tmp_path / "site")
    assert answer.exit_code == 3, answer.output
    assert REASONS["replacement",] == WITHOUT_EXPORTS
