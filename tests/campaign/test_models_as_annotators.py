"""Models among the annotators of a campaign.toml, and [replacement]."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from reportgen.base.errors import Problem
from reportgen.campaign import idle_keys, load
from tests.cases import cases

Make = Callable[..., Path]
OnlyProblem = Callable[..., Problem]
Whole = tuple[str, Mapping[str, str]]


def test_a_model_says_what_it_is_and_what_it_was_asked(make: Make, whole: Whole) -> None:
    campaign = load(make(*whole))
    model = campaign.annotators["M1"]
    assert (model.role, model.model, model.provider, model.version) == ("model", "a-model", "somebody", "1.0")
    assert (model.prompt, model.temperature, model.seed, model.examples) == ("prompts/1.0.md", 0.0, 7, 5)
    assert model.date == date(2025, 6, 1)
    assert "prompts/1.0.md" in campaign.version("1.0").files


def test_the_rule_says_what_a_person_is_worth(make: Make, whole: Whole) -> None:
    rule = load(make(*whole)).replacement
    assert rule is not None
    assert (rule.epsilon, rule.why, rule.score, rule.q) == (0.1, "A crowd.", "accuracy", 0.1)
    assert (rule.minimum_humans, rule.minimum_instances, rule.expert) == (3, 50, "A1")


def test_without_a_word_it_is_the_papers(make: Make, smallest: str) -> None:
    campaign = load(make(f'{smallest}[annotators.M]\nrole = "model"\n[replacement]\n'))
    rule = campaign.replacement
    assert rule is not None
    assert (rule.epsilon, rule.score, rule.q) == (None, None, 0.05)
    assert (rule.minimum_humans, rule.minimum_instances, rule.expert) == (2, 30, None)
    assert idle_keys(campaign) == []


def test_a_rule_without_a_model_says_nothing(make: Make, smallest: str) -> None:
    (found,) = idle_keys(load(make(f"{smallest}[replacement]\nepsilon = 0.1\n")))
    assert found.line == 5
    assert found.message == '[replacement] says nothing where nobody has role = "model" or "system".'


@pytest.mark.parametrize("score", ["accuracy", "neg_rmse", "similarity", "similarity[expert-2]"])
def test_scores_are_known_by_name(make: Make, smallest: str, score: str) -> None:
    rule = load(make(f'{smallest}[replacement]\nscore = "{score}"\n')).replacement
    assert rule is not None
    assert rule.score == score


@pytest.mark.parametrize(("lines", "place", "said"), cases(__file__, "mistakes"))
def test_each_mistake_has_its_line_and_remedy(
    problem: OnlyProblem, smallest: str, lines: str, place: str, said: str
) -> None:
    found = str(problem(f"{smallest}{lines}\n"))
    assert found.startswith(f"c/campaign.toml:{place}: ")
    assert said in found
