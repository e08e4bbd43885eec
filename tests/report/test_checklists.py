"""Checklists of reviewers: every question has an answer, a place to write one, or a reason."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
import tomli_w

from reportgen.publish import croissant, dataset_card
from reportgen.report import material
from reportgen.report.checklists import (
    CHECKLISTS,
    FIGURES,
    MOST_SIGNS,
    ChecklistAnswer,
    Question,
    answers,
    checklists_page,
)
from reportgen.report.site import version_pages
from reportgen.report.view import ReportView
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


def test_one_of_two_keys_is_a_part_and_one_of_either_is_enough(tmp_path: Path) -> None:
    found = made(tmp_path, {"protocol": {"recruitment": "staff", "pay": "salary"}})
    asked = answer(found, "acl", "D2")
    assert (asked.state, asked.open) == ("partly", ("protocol.pay_minimum",))
    assert [said.text for said in asked.said] == ["staff", "salary"]
    pay = {"pay_amount": 15, "pay_currency": "EUR", "pay_per": "hour", "pay_minimum": 12.41}
    paid = answer(made(tmp_path / "paid", {"protocol": {"recruitment": "staff", **pay}}), "acl", "D2")
    assert (paid.state, paid.open) == ("answered", ())
    assert [said.text for said in paid.said] == ["staff", "15 EUR / hour", "12.41 EUR / hour"]


def test_what_only_adds_to_an_answer_is_not_missed_and_is_no_whole_answer(tmp_path: Path) -> None:
    asked = answer(made(tmp_path, {"protocol": {"expertise": "nurses"}}), "acl", "D5")
    assert (asked.state, asked.open) == ("partly", ("protocol.demographics",))


def test_what_rules_find_adds_to_an_answer_and_is_none(nothing: Results) -> None:
    asked = answer(nothing, "acl", "A1")
    assert [said.source for said in asked.said] == ["limitations"]
    assert (asked.state, asked.open) == ("open", ("corpus.limitations",))


def test_models_are_an_answer_with_all_that_is_declared_of_them(tmp_path: Path) -> None:
    toml = (
        '[annotators.ben]\nrole = "model"\nmodel = "a-model"\nversion = "3"\nprompt = "p.md"\n'
        "temperature = 0.0\ndate = 2025-06-01\n"
    )
    found = results(tmp_path, toml, EXPORT, {"p.md": "Is it?"})
    asked = answer(found, "acl", "C2")
    assert asked.state == "answered"
    (said,) = asked.said
    expected = "ben: model: a-model; version: 3; prompt: p.md; temperature: 0; date: 2025-06-01."
    assert said.text == expected
    assert answer(found, "acl", "E1").state == "partly"
    tools = croissant.fields(found)["rai:machineAnnotationTools"]
    assert f"{expected} [agreement report campaign 1.0]" in tools


def test_of_a_model_of_which_nothing_is_declared_the_page_says_that(tmp_path: Path) -> None:
    found = results(tmp_path, '[annotators.ben]\nrole = "model"\n', EXPORT)
    assert answer(found, "acl", "C2").said[0].text == "ben: nothing is declared."
    assert "nothing is declared" not in str(croissant.fields(found))


def test_a_model_of_another_version_is_not_named(tmp_path: Path) -> None:
    toml = '[annotators.zed]\nrole = "model"\nmodel = "a-model"\n'
    assert results(tmp_path, toml, EXPORT).campaign.models is None


# The page


def page(found: Results, name: str = "checklists/index.html", language: str = "en") -> str:
    """Return one of the pages of a report."""
    return dict(version_pages(found, (), None, [language]))[name]


def test_the_page_says_where_answers_come_from_and_what_to_write(tmp_path: Path) -> None:
    found = made(tmp_path, {"protocol": {"recruitment": "two nurses"}})
    text = page(found)
    assert "<code>[protocol] recruitment</code>: two nurses" in text
    assert "To write: <code>[protocol] pay</code>, <code>[protocol] pay_minimum</code>." in text
    assert '<a href="../index.html#verdict">Agreement</a>: ' in text
    assert 'href="checklists/index.html"' in page(found, "index.html")


def test_markdown_has_the_same(nothing: Results, everything: Results) -> None:
    for found in (nothing, everything):
        text = page(found, "checklists.md")
        for own in every_answer(found).values():
            for each in own:
                assert each.question.asks.partition(":")[0] in text
    assert "INIST" in page(everything, "checklists.md")


def test_the_page_is_in_french_too(everything: Results) -> None:
    text = page(everything, language="fr")
    assert "Quelles sont les limites des données" in text
    assert "Eight students, 20 to 26 years old, from France" in text
    assert re.search(r"1er\sjuin\s2009", text)


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
    demographics = croissant.fields(found)["rai:annotatorDemographics"]
    assert demographics[0].endswith("http://x.invalid/auto [agreement report campaign 1.0]")
    assert not re.search(r"(?<!\\)<script>", dataset_card.blocks(found)[dataset_card.PEOPLE])


def test_a_very_long_answer_is_cut_on_the_page_alone(tmp_path: Path) -> None:
    found = made(tmp_path, {"protocol": {"ethics": "a " * 100_000 + "end"}})
    assert len(page(found)) < 150_000
    assert f"{('a ' * MOST_SIGNS)[:MOST_SIGNS].strip()}…" in page(found)
    assert answer(found, "acl", "D4").said[0].text.endswith("end")


# Croissant


def test_demographics_are_what_annotators_reported(everything: Results) -> None:
    said = croissant.fields(everything)["rai:annotatorDemographics"]
    assert said == [
        f"{material.TITLES[f'protocol.{key}']}: {ABOUT['protocol'][key]} [agreement report campaign 1.0]"
        for key in ("demographics", "language_proficiency")
    ]
    protocol = str(croissant.fields(everything)["rai:dataAnnotationProtocol"])
    for key in ("recruitment", "training", "consent", "ethics", "expertise"):
        assert ABOUT["protocol"][key] in protocol
    assert "Pay, the amount: 15 EUR / hour." in protocol
    assert "Eight students" not in protocol


def test_croissant_has_every_property_that_is_answered(everything: Results) -> None:
    properties = {question.item for question in CHECKLISTS["croissant-rai"].questions}
    unsaid = {"rai:dataImputationProtocol", *croissant.UNWRITTEN}
    assert properties - croissant.fields(everything).keys() == unsaid
    biases = croissant.fields(everything)["rai:dataBiases"]
    assert any(ABOUT["corpus"]["biases"] in each for each in biases)


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


def test_json_has_states_answers_and_what_is_open(campaign: Path) -> None:
    done = run("checklist", "acl", campaign, "1.0", "--json")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert (told["campaign"], told["version"], told["checklist"]) == ("mine", "1.0", "acl")
    assert len(told["questions"]) == 18
    by_item = {each["item"]: each for each in told["questions"]}
    assert by_item["D4"]["state"] == "answered"
    expected = {"from": "protocol.ethics", "key": "[protocol] ethics", "says": "No. 12"}
    assert by_item["D4"]["answers"] == [expected]
    assert by_item["D3"]["open"] == ["[protocol] consent", "[corpus] consent"]
    assert by_item["C1"]["reason"]


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


def test_the_page_has_one_section_for_each_list(nothing: Results) -> None:
    shown = checklists_page(ReportView(nothing))
    assert [getattr(block, "id", "") for block in shown.blocks][-4:] == [*CHECKLISTS]
