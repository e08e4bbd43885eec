"""Checklists of reviewers: every question has an answer, a place to write one, or a reason."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
import tomli_w

from reportgen.publish import metadata
from reportgen.report import material
from reportgen.report.checklists import (
    CHECKLISTS,
    FIGURES,
    ChecklistAnswer,
    Question,
    answers,
)
from reportgen.report.site import version_pages
from reportgen.results import Results
from tests.campaigns import results, written
from tests.commands import run
from tests.conftest import CHECKOUT
from tests.hostile import ATTACK

EXPORT = "item,ann,ben\n1,a,a\n2,b,b\n3,a,b\n"
WHOLE = tomllib.loads((CHECKOUT / "tests/campaign/whole.toml").read_text(encoding="utf-8"))
ABOUT = {key: WHOLE[key] for key in ("corpus", "authors", "protocol", "references")}
EVERY_QUESTION = [
    pytest.param(question, id=f"{checklist.id} {question.item}")
    for checklist in CHECKLISTS.values()
    for question in checklist.questions
]


def made(folder: Path, about: Mapping[str, Any]) -> Results:
    """Return the results of a small campaign that says this of itself."""
    return results(folder, tomli_w.dumps(about), EXPORT)


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Return the results of a campaign that says nothing."""
    return made(tmp_path_factory.mktemp("nothing"), {})


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Return the results of a campaign that says all that it can."""
    return made(tmp_path_factory.mktemp("everything"), ABOUT)


def every_answer(found: Results) -> dict[str, list[ChecklistAnswer]]:
    """Return the answers to all checklists, by their ids."""
    return {name: answers(found, checklist) for name, checklist in CHECKLISTS.items()}


def answer(found: Results, checklist: str, item: str) -> ChecklistAnswer:
    """Return what there is to one question."""
    own = answers(found, CHECKLISTS[checklist])
    return next(each for each in own if each.question.item == item)


@pytest.mark.parametrize("question", EVERY_QUESTION)
def test_a_question_has_a_place_to_write_a_figure_or_a_reason(question: Question) -> None:
    always = {"scope", "agreement", "program", "citation"}
    assert question.keys or always & {*question.figures} or question.reason
    assert {*question.figures} <= FIGURES.keys()
    assert {*question.every_key} <= material.TITLES.keys()


def test_the_lists_have_as_many_questions_as_their_originals() -> None:
    numbers = {name: len(checklist.questions) for name, checklist in CHECKLISTS.items()}
    # The ACL's A1 to E1; 50 questions of Gebru et al. and the one that ends each section; A to O; RAI 1.0.
    assert numbers == {"acl": 18, "datasheet": 51, "data-statement": 15, "croissant-rai": 20}
    for checklist in CHECKLISTS.values():
        items = [question.item for question in checklist.questions]
        assert len(items) == len({*items})


def test_a_campaign_that_says_nothing_has_answers_from_figures_alone(nothing: Results) -> None:
    for own in every_answer(nothing).values():
        for each in own:
            assert {said.source for said in each.said} <= FIGURES.keys()
            expected = {"answered" if each.said else "does not apply"}
            assert each.state in (expected if not each.question.keys else {"open", "partly"})
    assert answer(nothing, "acl", "C3").state == "answered"
    assert answer(nothing, "acl", "C1").state == "does not apply"
    assert answer(nothing, "acl", "D3").state == "open"
    assert answer(nothing, "acl", "B6").state == "partly"


def test_a_campaign_that_says_all_leaves_nothing_open(everything: Results) -> None:
    answered = every_answer(everything)
    states = {each.state for own in answered.values() for each in own}
    assert states == {"answered", "does not apply"}
    assert not any(each.open for own in answered.values() for each in own)
    assert "To write" not in page(everything)


# The page


def page(found: Results, name: str = "checklists/index.html", language: str = "en") -> str:
    """Return one of the pages of a report."""
    return dict(version_pages(found, (), None, [language]))[name]


def test_hostile_answers_are_shown_and_do_nothing(tmp_path: Path) -> None:
    texts = {
        "corpus": {name: f"{name} {ATTACK}" for name in ("purpose", "contact", "limitations", "comments")},
        "protocol": {name: f"{name} {ATTACK}" for name in ("demographics", "consent", "instructions")},
    }
    found = made(tmp_path, texts)
    text = page(found)
    assert "&lt;script&gt;ran(1)&lt;/script&gt;" in text
    assert not re.search(r"<script>ran|<img|<svg onload", text)
    assert not re.search(r"(?<!\\)<script>ran|(?<!\\)!\[i\]", page(found, "checklists.md"))
    demographics = metadata.fields(found)["rai:annotatorDemographics"]
    assert demographics[0].endswith("http://x.invalid/auto [agreement report campaign 1.0]")
    assert not re.search(r"(?<!\\)<script>", metadata.blocks(found)[metadata.PEOPLE])


# The command


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """Return the folder of a campaign that answers a little."""
    return written(tmp_path / "mine", '[protocol]\nethics = "No. 12"\n', {"exports/1.0/e.csv": EXPORT})


@pytest.mark.parametrize("name", CHECKLISTS)
def test_the_command_prints_every_question(campaign: Path, name: str) -> None:
    done = run("checklist", name, campaign)
    assert done.exit_code == 0
    for question in CHECKLISTS[name].questions:
        assert f"- {question.item.removeprefix('rai:')}: {question.asks}" in done.output


@pytest.mark.parametrize("arguments", [("acl", "nowhere"), ("acl", "mine", "7"), ("nobody's", "mine")])
def test_what_is_not_there_is_bad_input(
    campaign: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(campaign.parent)
    assert run("checklist", *arguments).exit_code == 2


# The docs


@pytest.mark.parametrize(
    ("table", "key", "asking"),
    [
        ("protocol", "ethics", "ACL D4; Datasheet 3.6; Data statement M; Croissant dataAnnotationProtocol"),
        ("protocol", "pay_minimum", "ACL D2; Datasheet 3.4; Croissant dataAnnotationProtocol"),
        ("corpus", "impact", "ACL A2; Datasheet 3.11; Croissant dataSocialImpact"),
    ],
)
def test_docs_have_who_asks_for_a_key(table: str, key: str, asking: str) -> None:
    asked = run_path(str(CHECKOUT / ".ci/docs_generated.py"))["asked_of"](table)
    assert asked[key] == asking


def test_every_question_about_the_corpus_and_the_protocol_is_under_its_keys() -> None:
    asked_of = run_path(str(CHECKOUT / ".ci/docs_generated.py"))["asked_of"]
    for checklist in CHECKLISTS.values():
        for question in checklist.questions:
            for table, key in (each.split(".") for each in question.every_key if "." in each):
                if table in ("corpus", "protocol"):
                    assert question.item.removeprefix("rai:") in asked_of(table)[key]
