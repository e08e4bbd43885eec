"""`reportgen agree --model`: the usual figures of the humans, and whether a model may take a place."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.commands import run

LABELS = "abc"
NAMES = ("anna", "ben", "cleo", "gpt", "llama")


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    """Return a table of three humans, a good model and a bad one, in documents of four units."""
    draw = np.random.default_rng(2)
    skill = (0.8, 0.8, 0.7, 0.95, 0.2)
    rows = ["item,document," + ",".join(NAMES)]
    for item in range(120):
        truth, *guesses = (LABELS[place] for place in draw.integers(0, len(LABELS), 1 + len(skill)))
        sure = draw.random(len(skill)) < skill
        labels = [truth if known else guess for known, guess in zip(sure, guesses, strict=True)]
        rows.append(",".join([str(item), f"d{item // 4}", *labels]))
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


MODELS = ("--model", "gpt", "--model", "llama")


def test_models_stand_beside_the_figures_of_the_humans(ratings: Path) -> None:
    answer = json.loads(run("agree", ratings, *MODELS, "--epsilon", "0.1", "--json").stdout)
    alone = json.loads(run("agree", ratings, "--annotators", "anna,ben,cleo", "--json").stdout)
    assert answer["annotators"] == ["anna", "ben", "cleo"]
    assert answer["measures"] == alone["measures"]
    found = answer["replacement"]
    assert (found["layer"], found["unit_set"], found["score"]) == ("main", "ratings", "accuracy")
    good, bad = found["models"]
    assert (good["model"], bad["model"]) == ("gpt", "llama")
    assert (good["documents"], good["instances"]) == (30, 120)
    assert (good["independent"]["passes"], bad["independent"]["passes"]) == (True, False)
    assert (good["clustered"]["passes"], bad["clustered"]["passes"]) == (True, False)
    assert [each["annotator"] for each in good["humans"]] == ["anna", "ben", "cleo"]
    assert found["behind"][0]["model"] == "llama"
    assert found["behind"][0]["difference"]["value"] < 0


def test_the_verdict_is_a_sentence(ratings: Path) -> None:
    answer = run("agree", ratings, *MODELS, "--epsilon", "0.1")
    assert (answer.exit_code, answer.stderr) == (0, "")
    words = " ".join(answer.stdout.split())
    assert "gpt may take a human's place at ε = 0.1: it beat 3 of 3, and half is needed." in words
    assert "llama may not take a human's place at ε = 0.1: it beat 0 of 3, and half is needed." in words
    assert "It does not say that labels are right" in words


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "gtp"], '--model: "gtp" labelled nothing. Did you mean "gpt"?'),
        (
            ["--model", "gpt", "--epsilon", "1"],
            "--epsilon: is the number 1.0; a number below 1 was expected.",
        ),
        (["--epsilon", "0.1"], "--epsilon: says what it takes to take a human's place, but nobody is named"),
        (["--model", "gpt", "--score", "neg_rmse"], '--score: is "neg_rmse", a score that a nominal scale'),
        (["--model", "gpt", "--score", "f1"], '--score: is the text "f1"'),
        (["--model", "gpt", "--expert", "gpt"], '--expert: is "gpt", which is a model'),
        (["--model", "gpt", "--expert", "zoe"], '--expert: is "zoe", who labelled nothing.'),
        (
            ["--model", "gpt", "--annotators", "anna", "--epsilon", "0.1"],
            '--model: there is one human, "anna"',
        ),
        ([part for name in NAMES for part in ("--model", name)], "--model: there is no human"),
    ],
)
def test_agree_says_which_option_is_wrong(ratings: Path, options: list[str], said: str) -> None:
    answer = run("agree", ratings, *options)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert said in answer.stderr


def test_a_model_that_is_called_like_a_reference_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    path.write_text(
        "item,a,b,c,gold\n" + "".join(f"{n},x,{'xy'[n % 2]},x,x\n" for n in range(40)), encoding="utf-8"
    )
    answer = run("agree", path, "--model", "gold")
    assert answer.exit_code == 2
    assert '--model: "gold" is called like a reference' in answer.stderr
    # Beside a model, it is a reference as ever, and nobody to be replaced.
    found = json.loads(run("agree", path, "--model", "c", "--json").stdout)
    assert found["replacement"]["annotators"] == ["a", "b"]


# One human: nobody whose place a model could take, but somebody to check it by.


@pytest.fixture
def checked(tmp_path: Path) -> Path:
    """Return a table of a human who labelled 40 units, and of a model that labelled these and 60 more."""
    of_both = [("yes", "yes")] * 9 + [("no", "yes")] * 6 + [("yes", "no")] + [("no", "no")] * 24
    alone = [("", "yes")] * 24 + [("", "no")] * 36
    path = tmp_path / "checked.csv"
    rows = (f"{number},{human},{model}" for number, (human, model) in enumerate(of_both + alone))
    path.write_text("\n".join(["item,anna,gpt", *rows]) + "\n", encoding="utf-8")
    return path


def test_one_human_checks_a_model(checked: Path) -> None:
    answer = json.loads(run("agree", checked, "--model", "gpt", "--json").stdout)
    assert answer["annotators"] == ["anna"]
    (beside,) = answer["comparisons"]
    assert (beside["key"], beside["other"], beside["units"]) == ("anna", "gpt", 40)
    # Observed 33 of 40; by chance (10 · 15 + 30 · 25) / 1600 = .5625.
    assert beside["measures"]["cohen_kappa"]["value"] == pytest.approx((0.825 - 0.5625) / 0.4375)
    (judge,) = answer["judges"]
    assert (judge["model"], judge["human"], judge["units"], judge["alone"]) == ("gpt", "anna", 40, 60)
    found = judge["categories"]["yes"]
    assert (found["sensitivity"]["value"], found["specificity"]["value"]) == (0.9, 0.8)
    assert (found["human_share"]["value"], found["reported_share"]["value"]) == (0.25, 0.39)
    assert found["rogan_gladen"] == pytest.approx((0.39 - 0.2) / 0.7)
    # λ = (9/40 - 1/4 · 3/8) / ((1 + 40/60) · 3/8 · 5/8) moves 1/4 by how much 24/60 is above 15/40.
    weight = (0.225 - 0.25 * 0.375) / ((1 + 40 / 60) * 0.375 * 0.625)
    corrected = found["corrected_share"]
    assert corrected["value"] == pytest.approx(0.25 + weight * (0.4 - 0.375))
    assert corrected["interval"]["low"] < 0.25 < corrected["interval"]["high"] < 0.4


def test_a_reference_comes_before_the_one_annotator(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    rows = (f"{number},{'xy'[number % 2]},{'xy'[number % 3 > 0]},x" for number in range(40))
    path.write_text("\n".join(["item,gold,anna,gpt", *rows]) + "\n", encoding="utf-8")
    answer = json.loads(run("agree", path, "--model", "gpt", "--json").stdout)
    assert [judge["human"] for judge in answer["judges"]] == ["gold"]
