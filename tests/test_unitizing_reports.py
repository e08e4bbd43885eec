"""Unitizing figures from the annotators' files to results.json, tables and pages; gamma where asked for."""

import json
import sys
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from reportgen.measures import gamma_is_installed
from reportgen.pipeline.reading import read_campaign
from reportgen.results import Results
from reportgen.results.marks import Unitizing
from tests.campaigns import results_of, written
from tests.rendered import files_of

pytestmark = pytest.mark.slow

TEXT = "Anna Berg met Ben in Paris .\n"
MARKS = {
    "anna": "T1\tPER 0 9\tAnna Berg\nT2\tLOC 21 26\tParis\nT3\tPER 14 17\tBen\n",
    "ben": "T1\tPER 0 4\tAnna\nT2\tLOC 21 26\tParis\n",
    "clara": "T1\tPER 0 9\tAnna Berg\nT2\tPER 5 9\tBerg\nT3\tLOC 5 9\tBerg\n",
    "gold": "T1\tLOC 0 28\tAnna Berg met Ben in Paris .\n",
}
GOLD = '[annotators.gold]\nrole = "reference"\n'
GAMMA = "[unitizing]\ngamma = true\n"


def campaign(folder: Path, toml: str = GOLD, documents: int = 3, names: str = "anna ben clara gold") -> Path:
    files = {}
    for name in names.split():
        for number in range(documents):
            marks = MARKS[name] if (name, number) != ("ben", 1) else ""
            files[f"exports/1.0/{name}/d{number}.txt"] = TEXT
            files[f"exports/1.0/{name}/d{number}.ann"] = marks
    return written(folder / "campaign", toml, files)


def layer(found: Results) -> Unitizing:
    assert found.spans is not None
    assert found.spans.unitizing is not None
    (only,) = found.spans.unitizing
    return only


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return campaign(tmp_path_factory.mktemp("unitizing"))


@pytest.fixture(scope="module")
def found(folder: Path) -> Results:
    return results_of(folder)


def test_results_have_figures_of_annotators_alone(found: Results) -> None:
    own = layer(found)
    assert own.annotators == ("A01", "A02", "A03")
    assert (own.documents, own.characters, own.characters_read) == (3, 87, 261)
    assert (own.units, own.joined, own.several, own.empty) == (19, 3, 3, 0)
    assert set(own.measures) == {"alpha_u", "u_alpha", "u_alpha_binary", "cu_alpha"}
    assert own.categories == ("LOC", "PER", "LOC|PER")
    assert set(own.by_category["PER"]) == {"alpha_u", "ku_alpha"}
    assert set(own.by_category["LOC|PER"]) == {"ku_alpha"}
    assert own.gamma is None


def problems(folder: Path) -> list[Problem]:
    with pytest.raises(BadInput) as caught:
        read_campaign(load(folder))
    return list(caught.value.problems)


def test_gamma_without_its_package_is_a_problem_that_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygamma_agreement", None)
    (problem,) = problems(campaign(tmp_path, GOLD + GAMMA))
    assert str(problem).endswith(
        "campaign.toml:5: unitizing.gamma: is true, but the package pygamma-agreement, which computes it, is "
        'not installed. Install reportgen with the extra "gamma": pip install "PATH[gamma]", '
        "where PATH is its checkout or wheel."
    )


@pytest.mark.parametrize("value", ["samples = 1", "seed = -1", "precision = 1.5", "alpha = 0.0"])
def test_what_gamma_cannot_be_computed_with_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(BadInput):
        load(campaign(tmp_path, f"{GOLD}[unitizing]\n{value}\n"))


@pytest.mark.skipif(not gamma_is_installed(), reason="NOT TESTED: pygamma-agreement is not installed")
@pytest.mark.filterwarnings("ignore")
def test_gamma_stands_in_results_with_what_it_was_computed_with(tmp_path: Path) -> None:
    folder = campaign(tmp_path, GOLD + GAMMA + "samples = 10\nseed = 3\n", names="anna ben gold")
    files = files_of(folder)
    own = layer(results_of(folder))
    assert own.gamma is not None
    assert (own.gamma.samples, own.gamma.seed, own.gamma.deterministic) == (10, 3, False)
    assert set(own.gamma.libraries) >= {"pygamma-agreement", "numpy"}
    assert own.measures["gamma"].value is not None
    assert "gamma_k" in own.by_category["PER"]
    assert json.loads(files["results.json"])["spans"]["unitizing"][0]["gamma"]["deterministic"] is False
    for page in ("index.html", "report.md"):
        assert "Chance is 10 sampled continua a document" in files[page]
