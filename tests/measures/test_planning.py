"""How many units or documents an interval of a chosen width takes."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from reportgen.base.errors import BadInput
from reportgen.cli.planning import plans
from reportgen.measures import HALF_WIDTHS, KAPPAS, PREVALENCES, units_needed, units_to_tell
from reportgen.measures.standard_errors import clusters_for, clusters_to_show, kappa_variance, plan
from tests.commands import run
from tests.measures.made import annotations, error, figures, pair_of, units_of
from tests.properties import examples


@pytest.mark.parametrize(
    ("kappa", "prevalence", "narrow", "wide"),
    [
        (0.8, 0.5, 554, 139),
        (0.8, 0.1, 1603, 401),
        (0.8, 0.05, 3069, 768),
        (0.6, 0.1, 2820, 705),
        (0.6, 0.02, 13123, 3281),
    ],
)
def test_units_for_a_campaign_that_has_not_begun(
    kappa: float, prevalence: float, narrow: int, wide: int
) -> None:
    assert (units_needed(kappa, prevalence, 0.05), units_needed(kappa, prevalence, 0.1)) == (narrow, wide)


@pytest.mark.parametrize("kappa", KAPPAS)
@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_the_variance_is_that_of_scotts_pi_in_the_table_expected(kappa: float, prevalence: float) -> None:
    """Kappa with a common prevalence is Scott's pi, whose standard error comes from influence values."""
    units = 10**9
    spread = prevalence * (1 - prevalence) * (1 - kappa)
    cells = [[prevalence - spread, spread], [spread, 1 - prevalence - spread]]
    counts = [[round(units * share) for share in row] for row in cells]
    found = error(pair_of(counts).measures["scott_pi"])
    assert found == pytest.approx(math.sqrt(kappa_variance(kappa, prevalence) / units), rel=1e-6)


@pytest.mark.parametrize("wrong", [(1.0, 0.5, 0.1), (-0.1, 0.5, 0.1), (0.5, 0.0, 0.1), (0.5, 0.5, 0.0)])
def test_what_can_not_be_is_refused(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        units_needed(*wrong)
    with pytest.raises(BadInput):
        plans(*wrong)


@examples(40)
@given(st.floats(0.001, 3), st.floats(0.01, 0.5))
def test_no_fewer_clusters_would_do(spread: float, half: float) -> None:
    def width(clusters: int) -> float:
        return float(t.ppf(0.975, clusters - 1)) * spread / math.sqrt(clusters)

    found = clusters_for(spread, half)
    assert width(found) <= half * (1 + 1e-9)
    assert found == 2 or width(found - 1) > half * (1 - 1e-9)


def test_a_plan_follows_from_the_influence_sums_of_documents() -> None:
    rows = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b"), ("a", "a")] * 8
    documents = [f"d{place % 7}" for place in range(40)]
    figure = figures(units_of(annotations(rows, documents=documents))).measures["observed_agreement"]
    found = plan(figure, 7)
    assert found is not None
    sums = [sum((r[0] == r[1]) - 0.8 for r in rows[place::7]) for place in range(7)]
    spread = float(np.std(sums, ddof=1))
    assert found.half_width == pytest.approx(t.ppf(0.975, 6) * spread * math.sqrt(7) / 40)
    assert [goal.half_width for goal in found.goals] == list(HALF_WIDTHS)
    for goal in found.goals:
        by_formula = (t.ppf(0.975, goal.clusters - 1) * spread * 7 / (40 * goal.half_width)) ** 2
        assert by_formula <= goal.clusters
        assert goal.more == max(0, goal.clusters - 7)


def test_without_a_standard_error_there_is_no_plan() -> None:
    assert plan(pair_of([[5, 0], [0, 3]]).measures["cohen_kappa"], 8) is None


def test_the_command_prints_the_table() -> None:
    done = run("plan")
    assert done.exit_code == 0
    assert "13,123" in done.stdout
    assert "Donner and Eliasziw" in done.stdout


def test_the_command_answers_one_question_as_json() -> None:
    done = run("plan", "--kappa", "0.8", "--prevalence", "0.1", "--half-width", "0.05", "--json")
    expected = [{"half_width": 0.05, "kappa": 0.8, "prevalence": 0.1, "units": 1603}]
    assert json.loads(done.stdout) == expected


def test_the_command_names_every_option_that_can_not_be() -> None:
    done = run("plan", "--kappa", "1", "--half-width", "0")
    assert done.exit_code == 2
    assert "--kappa: 1 is not from 0 to less than 1" in done.stderr
    assert "--half-width: 0 is not between 0 and 1" in done.stderr


@pytest.mark.parametrize(
    ("kappa", "threshold"), [(0.8, 0.667), (0.6, 0.667), (0.5, 0.667), (0.75, 0.667), (0.9, 0.8), (0.6, 0.8)]
)
def test_units_planned_for_a_threshold_tell_it_in_four_campaigns_of_five(
    kappa: float, threshold: float
) -> None:
    random, prevalence = np.random.default_rng(3), 0.3
    units = units_to_tell(kappa, prevalence, threshold)
    assert units is not None
    apart = prevalence * (1 - prevalence) * (1 - kappa)
    drawn = random.multinomial(units, [prevalence - apart, 2 * apart, 1 - prevalence - apart], size=4000)
    shares, split = (drawn[:, 0] + drawn[:, 1] / 2) / units, drawn[:, 1] / units
    expected = 2 * shares * (1 - shares)
    values = 1 - split / expected
    each = np.array([[1.0, 0.0], [0.5, 1.0], [0.0, 0.0]])
    slopes = 2 * (1 - 2 * shares)[:, None] * (each[:, 0][None, :] - shares[:, None])
    off = each[:, 1][None, :] - split[:, None]
    moved = (split[:, None] * slopes - off * expected[:, None]) / expected[:, None] ** 2
    errors = np.sqrt((drawn * moved**2).sum(axis=1)) / units
    # On the scale of logits, as intervals of kappa are.
    told = np.abs(np.arctanh(values) - np.arctanh(threshold)) > 1.96 * errors / (1 - values**2)
    assert told.mean() == pytest.approx(0.8, abs=0.03)


def test_a_kappa_is_not_told_from_itself() -> None:
    assert units_to_tell(0.8, 0.3, 0.8) is None
    shown = run("plan", "--kappa", "0.8", "--threshold", "0.8")
    assert "none can" in shown.stdout
    assert "4 campaigns of 5" in run("plan", "--threshold", "0.667").stdout


def test_as_many_clusters_as_planned_show_a_difference_in_four_cases_of_five() -> None:
    spread, apart = 0.9, 0.2
    found = clusters_to_show(spread, apart)
    assert found is not None
    drawn = np.random.default_rng(5).normal(apart, spread, (5000, found))
    errors = drawn.std(axis=1, ddof=1) / math.sqrt(found)
    shown = np.abs(drawn.mean(axis=1)) > t.ppf(0.975, found - 1) * errors
    assert 0.78 < shown.mean() < 0.83
    assert clusters_to_show(1.0, 1e-9) is None
