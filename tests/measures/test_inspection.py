"""How many units to check for an error rate, and to label for a share, against exact values."""

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from reportgen.measures import standard_errors
from reportgen.measures.standard_errors import units_in_pool, units_to_inspect
from tests.commands import run
from tests.present import present
from tests.properties import examples

# Error rates.


@pytest.mark.parametrize(("rate", "units"), [(0.05, [59, 93, 124, 153, 181]), (0.01, [299, 473, 628, 773])])
def test_units_that_show_an_error_rate_at_95(rate: float, units: list[int]) -> None:
    assert [units_to_inspect(rate, errors) for errors in range(len(units))] == units


def exactly(errors: int, units: int, rate: Fraction) -> Fraction:
    """Return P(X ≤ errors) in whole numbers."""
    return sum(
        (math.comb(units, seen) * rate**seen * (1 - rate) ** (units - seen) for seen in range(errors + 1)),
        start=Fraction(0),
    )


def test_in_whole_numbers_59_units_are_enough_and_58_are_not() -> None:
    rate, risk = Fraction(1, 20), Fraction(1, 20)
    for errors, units in enumerate((59, 93, 124, 153, 181)):
        assert exactly(errors, units, rate) <= risk < exactly(errors, units - 1, rate)


@examples(60)
@given(st.floats(0.001, 0.9), st.integers(0, 12), st.floats(0.5, 0.999))
def test_no_fewer_units_would_do(rate: float, errors: int, confidence: float) -> None:
    units = present(units_to_inspect(rate, errors, confidence))
    assert binom.cdf(errors, units, rate) <= 1 - confidence + 1e-9
    assert binom.cdf(errors, units - 1, rate) > 1 - confidence - 1e-9


@pytest.mark.slow
def test_what_takes_more_than_a_million_units_has_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    assert units_to_inspect(1e-7) is None
    monkeypatch.setattr(standard_errors, "MOST_UNITS", 59)
    assert units_to_inspect(0.05) == 59
    monkeypatch.setattr(standard_errors, "MOST_UNITS", 58)
    assert units_to_inspect(0.05) is None


# Shares.

# φ of a human's labels of a tenth of the units and of a model with sensitivity .9 and specificity .8, which
# reports .27: .1 (.9 - .27) / √(.09 · .1971).
CORRELATION = 0.063 / math.sqrt(0.09 * 0.27 * 0.73)


@examples(60)
@given(st.floats(0.01, 0.25), st.floats(0.005, 0.3), st.floats(0, 1), st.integers(1, 10**6))
def test_planned_units_have_the_interval(spread: float, half: float, correlation: float, pool: int) -> None:
    def width(units: int) -> float:
        return 1.96 * math.sqrt(spread / units * (1 - correlation * correlation * (1 - units / pool)))

    units = units_in_pool(spread, correlation, half, pool)
    assert units == pool or width(units) <= half * (1 + 1e-6)
    assert units == 1 or width(units - 1) > half * (1 - 1e-6)


def test_labels_taken_from_a_pool_of_the_models() -> None:
    # 384.16 · (1 - .2237) / (1 - 384.16 · .2237 / 2200) = 310.3
    assert units_in_pool(0.09, CORRELATION, 0.03, 2200) == 311
    assert units_in_pool(0.09, CORRELATION, 0.03, 10**9) == 299
    # A model that tells nothing: .09 (1.96 / .03)². One that never errs, beside as many units as one likes.
    assert units_in_pool(0.09, 0.0, 0.03, 2200) == 385
    assert units_in_pool(0.09, 1.0, 0.03, 10**6) == units_in_pool(0.09, 1.0, 0.03, 2200) == 1
    assert units_in_pool(0.09, 0.5, 0.001, 500) == 500


# The command.


def test_the_command_says_how_many_units_to_check() -> None:
    answer = run("plan", "--error-rate", "0.05")
    assert (answer.exit_code, answer.stderr) == (0, "")
    words = " ".join(answer.stdout.split())
    for row in ("0 59 0.55", "1 93 0.76", "2 124 0.87", "3 153 0.93", "4 181 0.96"):
        assert row in words
    (plan,) = json.loads(run("plan", "--error-rate", "0.01", "--errors", "2", "--json").stdout)
    assert (plan["units"], plan["errors"], plan["confidence"]) == (628, 2, 0.95)
    assert plan["shown_at"]["probability"] == pytest.approx(binom.cdf(2, 628, 0.002))
    (surer,) = json.loads(
        run("plan", "--error-rate", "0.05", "--errors", "0", "--confidence", "0.99", "--json").stdout
    )
    assert surer["units"] == 90


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        (["--kappa", "0.8", "--prevalence", "0.1", "--half-width", "0.05"], 2 * 1841),
        (["--kappa", "0.8", "--prevalence", "0.1", "--threshold", "0.667"], 2 * 692),
        (["--error-rate", "0.05", "--errors", "0"], 59),
    ],
)
def test_every_plan_has_hours_and_money_where_they_are_asked_for(options: list[str], labels: int) -> None:
    asked = [*options, "--cost", "0.4/label", "--minutes", "2"]
    (plan,) = json.loads(run("plan", *asked, "--json").stdout)
    assert (plan["labels"], plan["hours"]) == (labels, round(labels / 30, 2))
    assert plan["cost"] == pytest.approx(0.4 * labels)
    words = " ".join(run("plan", *asked).stdout.split())
    assert "labels" in words
    assert f"{0.4 * labels:,.2f}" in words
    (hourly,) = json.loads(run("plan", *options, "--cost", "15/hour", "--minutes", "2", "--json").stdout)
    assert hourly["cost"] == pytest.approx(labels / 2)
    (bare,) = json.loads(run("plan", *options, "--json").stdout)
    assert {"labels", "hours", "cost"}.isdisjoint(bare)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--error-rate", "1"], "--error-rate: 1 is not between 0 and 1."),
        (["--error-rate", "0.1", "--errors", "-1"], "--errors: -1 is not from 0 to 10,000."),
        (["--error-rate", "0.0000001"], "--error-rate: takes more than a million units."),
        (["--error-rate", "0.1", "--kappa", "0.8"], "--kappa: means nothing with --error-rate."),
        (["--confidence", "0.9"], "--confidence: means nothing without --error-rate."),
        (["--cost", "cheap"], '--cost: "cheap" is not a price. Write it like 0.4/label or 15/hour.'),
        (["--cost", "3/hour"], "--cost: is by the hour. Say how many minutes a label takes: --minutes 2."),
        (["--minutes", "0"], "--minutes: 0 is not above 0."),
    ],
)
def test_the_command_says_which_option_is_wrong(options: list[str], said: str) -> None:
    answer = run("plan", *options)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert said in answer.stderr
