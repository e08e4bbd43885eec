"""Models among the annotators of a campaign.toml, and [replacement]."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from reportgen.base.errors import Problem
from reportgen.campaign import idle_keys, load

Make = Callable[..., Path]
OnlyProblem = Callable[..., Problem]
Whole = tuple[str, Mapping[str, str]]
GATE = '[annotators.M]\nrole = "model"\n[gate]\n'
PRICED = f"[replacement]\nepsilon = 0.1\n{GATE}"


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


@pytest.mark.parametrize(
    ("lines", "place", "said"),
    [
        ("[replacement]\nepsilon = 1", "6: replacement.epsilon", "is the number 1; a number below 1 was"),
        ("[replacement]\nepsilon = -0.1", "6: replacement.epsilon", "a number not below 0 was expected."),
        (
            '[replacement]\nepsilon = "0.1"',
            "6: replacement.epsilon",
            'is the text "0.1"; a number was expected.',
        ),
        ("[replacement]\nepsilno = 0.1", "6: replacement.epsilno", 'Did you mean "epsilon"?'),
        (
            '[replacement]\nscore = "f1"',
            "6: replacement.score",
            'is the text "f1"; a score, "accuracy", "neg_rmse"',
        ),
        ("[replacement]\nq = 0.5", "6: replacement.q", "a number below 0.5 was expected."),
        ("[replacement]\nminimum_humans = 1", "6: replacement.minimum_humans", "a number not below 2"),
        ("[replacement]\nminimum_instances = 0", "6: replacement.minimum_instances", "a number above 0"),
        ("[[replacement]]\nepsilon = 0.1", "5: replacement", "Write [replacement], with one bracket."),
        (
            '[annotators.M]\nrole = "model"\n[replacement]\nexpert = "M"',
            "8: replacement.expert",
            'is "M", whose role is "model": nothing can be compared with itself. Name a human.',
        ),
        (
            '[annotators.A]\nmodel = "a-model"',
            "6: annotators.A.model",
            'is said of models, and this annotator is none. Write role = "model" beside it.',
        ),
        (
            '[annotators.A]\nrole = "reference"\ntemperature = 1.0',
            "7: annotators.A.temperature",
            "is said of models",
        ),
        (
            f'{GATE}replacement = {{ model = "M", winning_rate = 0.5 }}',
            "8: gate.replacement",
            "takes the price of a person, which [replacement] does not declare. Write [replacement]",
        ),
        (
            f'{PRICED}replacement = {{ model = "N", winning_rate = 0.5 }}',
            "10: gate.replacement.model",
            'speaks of a model or system "N", which this file does not declare. It knows "M".',
        ),
        (
            f'{PRICED}replacement = {{ model = "M" }}',
            "10: gate.replacement.winning_rate",
            "is missing: a model is judged by the share of annotators that it beats.",
        ),
        (
            f'{PRICED}replacement = {{ model = "M", winning_rate = 1.5 }}',
            "10: gate.replacement.winning_rate",
            "a number not above 1 was expected",
        ),
        (
            f'{PRICED}replacement = {{ model = "M", winning_rate = 0.5, low = 0.2 }}',
            "10: gate.replacement.low",
            "means nothing of replacement, which takes model, winning_rate and layer.",
        ),
        (
            f"{PRICED}cohen_kappa = {{ value = 0.5, winning_rate = 0.5 }}",
            "10: gate.cohen_kappa.winning_rate",
            "is said of replacement alone.",
        ),
        ('[annotators.A]\nrole = "model"\nprompt = "none.md"', "7: annotators.A.prompt", "none.md"),
        ('[annotators.A]\nrole = "model"\ntemperature = -1', "7: annotators.A.temperature", "not below 0"),
        ('[annotators.A]\nrole = "model"\nexamples = 1.5', "7: annotators.A.examples", "a whole number"),
        ('[annotators.A]\nrole = "model"\nversion = 2', "7: annotators.A.version", 'version = "2"'),
    ],
)
def test_each_mistake_has_its_line_and_remedy(
    problem: OnlyProblem, smallest: str, lines: str, place: str, said: str
) -> None:
    found = str(problem(f"{smallest}{lines}\n"))
    assert found.startswith(f"c/campaign.toml:{place}: ")
    assert said in found
