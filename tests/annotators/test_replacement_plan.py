"""How many units a model takes to pass: the simulation against the test itself, and its command."""

import json

import numpy as np
import pytest

from benchmarks.replacement import Panel, shares
from reportgen.annotators.replacement_scores import ACCURACY, HumanLabels, LabelScore, hold_out
from reportgen.annotators.replacement_tests import PlannedCampaign, nearer, power_of
from reportgen.measures.distances import nominal
from tests.commands import run


def test_who_is_nearer_is_who_the_test_says() -> None:
    random = np.random.default_rng(5)
    humans, model = random.integers(0, 3, (200, 4)), random.integers(0, 3, 200)
    unit, who = np.repeat(np.arange(200), 4), np.tile(np.arange(4), 200)
    score = LabelScore(ACCURACY, nominal(3).at, np.ones(3, dtype=np.bool_))
    held = hold_out(
        HumanLabels(unit, who, humans.reshape(-1), 200), model, np.ones(200, dtype=np.bool_), score
    )
    assert nearer(humans, model).reshape(-1).tolist() == held.sign.tolist()


@pytest.mark.parametrize(("documents", "units", "correlation"), [(100, 1, 0.0), (20, 5, 0.3)])
def test_power_is_that_of_the_test(documents: int, units: int, correlation: float) -> None:
    """Both are simulated, by other draws: 500 and 150 campaigns agree within four standard errors."""
    (planned,) = power_of(PlannedCampaign(units_per_document=units, correlation=correlation), (0.15,))
    (tested,) = shares(Panel(documents, units, correlation, 3), (0.15,), 150)
    assert planned.passes[100] == pytest.approx(tested.passed["clustered"], abs=0.18)


def test_the_units_are_the_fewest_with_the_power() -> None:
    cheap, dear = power_of(PlannedCampaign(), (0.1, 0.2))
    assert cheap.units is not None
    assert dear.units is not None
    assert cheap.units > dear.units
    before = max(size for size in dear.passes if size < dear.units)
    assert dear.passes[before] < 0.8 <= dear.passes[dear.units]
    # A model that always errs never passes, and one that never errs soon does.
    (never,), (soon,) = (power_of(PlannedCampaign(model_accuracy=each), (0.1,)) for each in (0.0, 1.0))
    assert (never.units, soon.units) == (None, 30)


def test_documents_are_whole_and_two_at_least() -> None:
    (found,) = power_of(PlannedCampaign(units_per_document=500, humans=2), (0.1,))
    assert list(found.passes) == [1000, 1500, 2000]


@pytest.mark.slow
def test_the_command_prints_and_repeats_itself() -> None:
    answer = run("plan", "--replacement", "--humans", "3", "--epsilon", "0.2")
    assert answer.exit_code == 0
    assert "500 campaigns a row" in " ".join(answer.stdout.split())
    first, again = (run("plan", "--replacement", "--humans", "3", "--json").stdout for _ in range(2))
    assert first == again
    found = json.loads(first)
    assert [each["epsilon"] for each in found] == [0.1, 0.15, 0.2]
    assert all(each["humans"] == 3 and each["passes"][str(each["units"])] >= 0.8 for each in found)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--replacement", "--humans", "1"], "--humans: 1 is not from 2 to 50. Give a number such as 3."),
        (
            ["--replacement", "--epsilon", "1"],
            "--epsilon: 1 is not from 0 to 0.99. Give a number such as 0.1.",
        ),
        (["--replacement", "--kappa", "0.5"], "--kappa: means nothing with --replacement. Remove it."),
        (["--humans", "3"], "--humans: means nothing without --replacement. Write --replacement beside it."),
        (["--replacement", "--correlation", "nan"], "--correlation: nan is not from 0 to 1."),
    ],
)
def test_each_wrong_option_is_said(options: list[str], said: str) -> None:
    answer = run("plan", *options)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert said in answer.stderr
