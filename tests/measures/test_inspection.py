"""How many units to check: error rates, batches and shares, against exact values and published plans."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from reportgen.measures import inspection
from reportgen.measures.inspection import (
    SamplingPlan,
    correlation_of_labels,
    highest_rate,
    operating_curve,
    reported_share,
    sampling_plan,
    units_for_share,
    units_in_pool,
    units_to_inspect,
)
from tests.commands import run
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
    units = units_to_inspect(rate, errors, confidence)
    assert units is not None
    assert binom.cdf(errors, units, rate) <= 1 - confidence + 1e-9
    assert binom.cdf(errors, units - 1, rate) > 1 - confidence - 1e-9


@pytest.mark.parametrize(("units", "errors"), [(59, 0), (93, 1), (20, 20), (500, 37)])
def test_the_highest_rate_is_the_upper_end_of_clopper_and_pearson(units: int, errors: int) -> None:
    expected = float(beta.ppf(0.95, errors + 1, units - errors)) if errors < units else 1.0
    assert highest_rate(units, errors) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_what_takes_more_than_a_million_units_has_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    assert units_to_inspect(1e-7) is None
    monkeypatch.setattr(inspection, "MOST_UNITS", 132)
    assert sampling_plan(0.01, 0.05) == SamplingPlan(132, 3)
    monkeypatch.setattr(inspection, "MOST_UNITS", 131)
    assert sampling_plan(0.01, 0.05) is None


@pytest.mark.parametrize(("rate", "errors", "confidence"), [(0.0, 0, 0.9), (0.1, -1, 0.9), (0.1, 0, 1.0)])
def test_what_is_no_rate_is_refused(rate: float, errors: int, confidence: float) -> None:
    with pytest.raises(ValueError, match=r"between 0 and 1|no errors"):
        units_to_inspect(rate, errors, confidence)


# Batches.

MONTGOMERY = {
    0.005: 0.9897,
    0.01: 0.9397,
    0.02: 0.7366,
    0.03: 0.4985,
    0.04: 0.3042,
    0.05: 0.1721,
    0.06: 0.0919,
    0.07: 0.0468,
    0.08: 0.0230,
    0.09: 0.0109,
}


def test_the_curve_of_montgomerys_plan() -> None:
    """Introduction to Statistical Quality Control, chapter 15: 89 units, 2 errors."""
    plan = SamplingPlan(89, 2)
    assert {rate: round(plan.accepted(rate), 4) for rate in MONTGOMERY} == MONTGOMERY
    assert plan.accepted(0.03) == pytest.approx(float(exactly(2, 89, Fraction(3, 100))))


def test_the_risks_of_a_plan_by_another_program() -> None:
    """TP105 (samplingplans.com, forum, 7 February 2006): 68 units, 2 errors."""
    plan = SamplingPlan(68, 2)
    assert plan.accepted(0.01213) == pytest.approx(0.95, abs=5e-5)
    assert plan.accepted(0.089704) == pytest.approx(0.05, abs=5e-6)


@pytest.mark.parametrize(
    ("asked", "units", "errors"),
    [
        ((0.01, 0.05, 0.05, 0.1), 132, 3),
        ((0.01, 0.1, 0.05, 0.1), 52, 2),
        ((0.05, 0.15, 0.05, 0.075), 80, 7),
        ((0.01, 0.08, 0.05, 0.05), 77, 2),
    ],
)
def test_plans_for_batches(asked: tuple[float, float, float, float], units: int, errors: int) -> None:
    found = sampling_plan(*asked)
    assert found == SamplingPlan(units, errors)
    # Every number of errors is tried with every smaller number of units.
    good, bad, producer, consumer = asked
    size, allowed = np.meshgrid(np.arange(1, units), np.arange(errors + 5))
    meets = (binom.cdf(allowed, size, good) >= 1 - producer) & (binom.cdf(allowed, size, bad) <= consumer)
    assert not np.any(meets)


def test_the_curve_has_both_rates_and_goes_to_twice_the_bad_one() -> None:
    curve = operating_curve(SamplingPlan(132, 3), 0.015, 0.05)
    assert [rate for rate, _ in curve] == [0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1]
    accepted = [share for _, share in curve]
    assert accepted == sorted(accepted, reverse=True)
    assert max(rate for rate, _ in operating_curve(SamplingPlan(3, 0), 0.1, 0.7)) < 1


@pytest.mark.parametrize("asked", [(0.05, 0.05), (0.0, 0.05), (0.01, 0.05, 0.5, 0.5)])
def test_rates_and_risks_that_do_not_fit_are_refused(asked: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"between 0 and 1|below"):
        sampling_plan(*asked)


# Shares.


def test_a_model_saves_a_fifth_of_the_labels() -> None:
    assert reported_share(0.1, 0.9, 0.8) == pytest.approx(0.27)
    # φ = .1 (.9 - .27) / √(.09 · .1971)
    assert correlation_of_labels(0.1, 0.9, 0.8) ** 2 == pytest.approx(0.063**2 / (0.09 * 0.27 * 0.73))
    assert units_for_share(0.1, 0.03, 0.9, 0.8) == 299
    assert units_for_share(0.1, 0.03, 0.9, 0.8, 2000) == 310
    # A model that tells nothing, and none: .09 (1.96 / .03)².
    assert units_for_share(0.1, 0.03, 0.6, 0.4) == units_for_share(0.1, 0.03, 0.9, 0.8, 0) == 385


def test_a_model_that_never_errs_needs_a_label_and_its_own_further_units() -> None:
    assert units_for_share(0.1, 0.03, 1, 1) == 1
    assert units_for_share(0.1, 0.03, 1, 1, 200) == 185
    assert units_for_share(0.1, 0.03, 1, 1, 10**6) == 1
    assert units_in_pool(0.09, 1.0, 0.03, 10**6) == 1


@examples(60)
@given(st.floats(0.01, 0.99), st.floats(0.005, 0.3), st.floats(0, 1), st.floats(0, 1), st.integers(0, 10**6))
def test_as_many_units_as_planned_have_that_interval(
    share: float, half: float, sensitivity: float, specificity: float, further: int
) -> None:
    told = correlation_of_labels(share, sensitivity, specificity) ** 2

    def width(units: int) -> float:
        spread = share * (1 - share) / units * (1 - told * further / (further + units))
        return 1.96 * math.sqrt(spread)

    units = units_for_share(share, half, sensitivity, specificity, further)
    assert width(units) <= half * (1 + 1e-6)
    assert units == 1 or width(units - 1) > half * (1 - 1e-6)


def test_labels_taken_from_a_pool_of_the_models() -> None:
    told = correlation_of_labels(0.1, 0.9, 0.8)
    # 384.16 · (1 - .2237) / (1 - 384.16 · .2237 / 2200) = 310.3
    assert units_in_pool(0.09, told, 0.03, 2200) == 311
    assert units_in_pool(0.09, told, 0.03, 10**9) == units_for_share(0.1, 0.03, 0.9, 0.8) == 299
    assert units_in_pool(0.09, 0.0, 0.03, 2200) == 385
    # As many units as planned are what is planned with so many fewer further ones.
    assert units_for_share(0.1, 0.03, 0.9, 0.8, 2200 - 311) in {310, 311}
    assert units_in_pool(0.09, 0.5, 0.001, 500) == 500
    assert units_in_pool(0.09, 1.0, 0.03, 2200) == 1


# The command.

MODEL = ("--sensitivity", "0.9", "--specificity", "0.8", "--prevalence", "0.1")


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


def test_the_command_plans_which_batches_to_accept() -> None:
    words = " ".join(run("plan", "--acceptable", "0.01", "--unacceptable", "0.05").stdout.split())
    assert "Check 132 units of each batch, drawn at random; accept it with 3 errors or fewer." in words
    assert "0.01 0.956 acceptable" in words
    assert "0.05 0.099 unacceptable" in words
    risks = ("--producer-risk", "0.05", "--consumer-risk", "0.075")
    (plan,) = json.loads(
        run("plan", "--acceptable", "0.05", "--unacceptable", "0.15", *risks, "--json").stdout
    )
    assert (plan["units"], plan["errors"]) == (80, 7)
    assert plan["operating_curve"][0] == {
        "accepted": pytest.approx(binom.cdf(7, 80, 0.03)),
        "error_rate": 0.03,
    }


def test_the_command_plans_the_labels_that_correct_a_share() -> None:
    (plan,) = json.loads(run("plan", *MODEL, "--half-width", "0.03", "--json").stdout)
    assert (plan["units"], plan["units_without_model"]) == (299, 385)
    words = " ".join(run("plan", *MODEL, "--further", "2000").stdout.split())
    assert "0.1 0.270 ± 0.03 310 385" in words
    assert "2,000 units more" in words


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        (["--kappa", "0.8", "--prevalence", "0.1", "--half-width", "0.05"], 2 * 1841),
        (["--kappa", "0.8", "--prevalence", "0.1", "--threshold", "0.667"], 2 * 692),
        (["--error-rate", "0.05", "--errors", "0"], 59),
        (["--acceptable", "0.01", "--unacceptable", "0.05"], 132),
        (
            ["--sensitivity", "0.9", "--specificity", "0.8", "--prevalence", "0.1", "--half-width", "0.03"],
            299,
        ),
        (["--replacement", "--humans", "3", "--epsilon", "0.2"], None),
    ],
)
def test_every_plan_has_hours_and_money_where_they_are_asked_for(
    options: list[str], labels: int | None
) -> None:
    asked = [*options, "--cost", "0.4/label", "--minutes", "2"]
    (plan,) = json.loads(run("plan", *asked, "--json").stdout)
    expected = 3 * plan["units"] if labels is None else labels
    assert (plan["labels"], plan["hours"]) == (expected, round(expected / 30, 2))
    assert plan["cost"] == pytest.approx(0.4 * expected)
    words = " ".join(run("plan", *asked).stdout.split())
    assert "labels" in words
    assert f"{0.4 * expected:,.2f}" in words
    (hourly,) = json.loads(run("plan", *options, "--cost", "15/hour", "--minutes", "2", "--json").stdout)
    assert hourly["cost"] == pytest.approx(expected / 2)
    (bare,) = json.loads(run("plan", *options, "--json").stdout)
    assert {"labels", "hours", "cost"}.isdisjoint(bare)


def test_where_no_number_is_enough_nothing_is_spent() -> None:
    options = ("--kappa", "0.8", "--prevalence", "0.3", "--threshold", "0.8", "--cost", "1")
    (plan,) = json.loads(run("plan", *options, "--json").stdout)
    assert (plan["units"], plan["labels"], plan["cost"]) == (None, None, None)
    assert "none can" in run("plan", *options).stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--error-rate", "1"], "--error-rate: 1 is not between 0 and 1."),
        (["--error-rate", "0.1", "--errors", "-1"], "--errors: -1 is not from 0 to 10,000."),
        (["--error-rate", "0.0000001"], "--error-rate: takes more than a million units."),
        (["--error-rate", "0.1", "--kappa", "0.8"], "--kappa: means nothing with --error-rate."),
        (["--confidence", "0.9"], "--confidence: means nothing without --error-rate."),
        (["--acceptable", "0.1"], "--unacceptable: is missing: --acceptable says half of it."),
        (["--unacceptable", "0.1"], "--acceptable: is missing: --unacceptable says half of it."),
        (["--acceptable", "0.1", "--unacceptable", "0.05"], "0.1 is not below --unacceptable 0.05."),
        (["--acceptable", "0.01", "--unacceptable", "0.05", "--consumer-risk", "1"], "--consumer-risk: 1 is"),
        (
            ["--acceptable", "0.01", "--unacceptable", "0.05", "--consumer-risk", "0.96"],
            "0.05 and --consumer-risk 0.96 are 1 or more together.",
        ),
        (["--acceptable", "1e-7", "--unacceptable", "2e-7"], "takes more than a million units."),
        (["--sensitivity", "0.9"], "--specificity: is missing: --sensitivity says half of it."),
        (["--sensitivity", "2", "--specificity", "0.8"], "--sensitivity: 2 is not from 0 to 1."),
        (["--sensitivity", "0.9", "--specificity", "0.8", "--further", "-1"], "--further: -1 is not from 0"),
        (["--further", "10"], "--further: means nothing without --sensitivity."),
        (["--cost", "cheap"], '--cost: "cheap" is not a price. Write it like 0.4/label or 15/hour.'),
        (["--cost", "3/hour"], "--cost: is by the hour. Say how many minutes a label takes: --minutes 2."),
        (["--minutes", "0"], "--minutes: 0 is not above 0."),
    ],
)
def test_the_command_says_which_option_is_wrong(options: list[str], said: str) -> None:
    answer = run("plan", *options)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert said in answer.stderr
