"""How many units or documents an interval of a chosen width takes."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from benchmarks.plans import intervals
from reportgen.measures import (
    HALF_WIDTHS,
    KAPPAS,
    PREVALENCES,
    ConfidenceInterval,
    Estimate,
    units_needed,
    units_to_tell,
)
from reportgen.measures.estimate import Clusters, Spread
from reportgen.measures.standard_errors import clusters_for, clusters_to_show, kappa_variance, plan
from tests.commands import run
from tests.measures.made import annotations, error, figures, pair_of, units_of
from tests.present import present
from tests.properties import examples


@pytest.mark.parametrize(
    ("kappa", "prevalence", "half"),
    [(0.8, 0.5, 0.1), (0.8, 0.1, 0.1), (0.8, 0.02, 0.1), (0.4, 0.3, 0.05), (0.9, 0.1, 0.15)],
)
def test_units_planned_make_intervals_so_narrow(kappa: float, prevalence: float, half: float) -> None:
    units, random = units_needed(kappa, prevalence, half), np.random.default_rng(1)
    found = [*intervals(kappa, prevalence, units, 300, random)]
    narrow = sum(ends.high - ends.low <= 2 * half for ends in found) / 300
    assert 0.74 < narrow < 0.89
    fewer = intervals(kappa, prevalence, round(0.8 * units), 300, random)
    assert sum(ends.high - ends.low <= 2 * half for ends in fewer) / 300 < narrow - 0.2


@pytest.mark.parametrize("kappa", [0.4, 0.8])
def test_many_units_take_what_the_variance_says_and_a_little_more(kappa: float) -> None:
    by_variance = kappa_variance(kappa, 0.3) * (1.96 / 0.01) ** 2
    assert by_variance < units_needed(kappa, 0.3, 0.01) < 1.03 * by_variance


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


def evenly(sizes: Sequence[int], wrong: Sequence[int]) -> Estimate:
    """Return the observed agreement of documents of some sizes, so many units of each being apart."""
    rows = [
        ("a", "b" if unit < apart else "a")
        for size, apart in zip(sizes, wrong, strict=True)
        for unit in range(size)
    ]
    documents = [f"d{place}" for place, size in enumerate(sizes) for _ in range(size)]
    return figures(units_of(annotations(rows, documents=documents))).measures["observed_agreement"]


@examples(20)
@given(st.lists(st.integers(0, 5), min_size=4, max_size=12), st.floats(0.02, 0.4))
def test_no_fewer_documents_would_do(wrong: list[int], half: float) -> None:
    figure, size = evenly([10] * len(wrong), wrong), len(wrong)
    if figure.spread is None or figure.value is None or not figure.spread.left_out_error:
        return
    value, error = figure.value, figure.spread.left_out_error
    squares = [(each - sum(wrong) / size) ** 2 for each in wrong]
    spent = sum(each * each for each in squares) / sum(squares) ** 2 - 1 / size

    def varies(documents: int) -> float:
        """As documents alike less one, or as what those leave that move most of the figure."""
        return max(1 / (documents - 1), spent * size / documents)

    def width(documents: int) -> float:
        """Log-normal around what is expected, the pilot's own error as uncertain."""
        longer = math.exp(0.8416 * math.sqrt(varies(size) + varies(documents)))
        moved = float(t.ppf(0.975, documents - 1)) * error * math.sqrt(size / documents) * longer
        middle, by = math.log(value / (1 - value)), moved / (value * (1 - value))
        low, high = (1 / (1 + math.exp(-middle - sign * by)) for sign in (-1, 1))
        return high - low

    found = clusters_for(value, figure.spread, size, half)
    assert width(found) <= 2 * half * (1 + 1e-9)
    assert found == 2 or width(found - 1) > 2 * half * (1 - 1e-9)


def test_a_plan_has_the_interval_as_it_is_and_what_each_narrower_one_takes() -> None:
    figure = evenly([10] * 7, [1, 3, 2, 4, 0, 2, 3])
    found = present(plan(figure, 7))
    assert isinstance(figure.interval, ConfidenceInterval)
    assert found.half_width == pytest.approx((figure.interval.high - figure.interval.low) / 2)
    assert [goal.half_width for goal in found.goals] == list(HALF_WIDTHS)
    assert [goal.more for goal in found.goals] == [goal.clusters - 7 for goal in found.goals]
    few, many = found.goals[0].clusters, found.goals[2].clusters
    assert 7 < few < found.goals[1].clusters < many


def test_documents_of_unlike_size_plan_for_more() -> None:
    like, unlike = (evenly(sizes, [2, 2, 2, 3, 1, 2]) for sizes in ([10] * 6, [4, 4, 4, 40, 4, 4]))
    shares = [each.spread.alike if each.spread else 0.0 for each in (like, unlike)]
    assert shares[0] == pytest.approx(6)
    assert shares[1] < 3
    plans_of_both = [plan(each, 6) for each in (like, unlike)]
    goals = zip(present(plans_of_both[0]).goals, present(plans_of_both[1]).goals, strict=True)
    assert all(few.clusters < many.clusters for few, many in goals)


def test_a_document_that_moves_most_plans_for_more() -> None:
    """Both are moved as much on average; in one a single document does it."""
    evenly_moved, unevenly = [1.0, -1.0] * 6, [11.0, *[-1.0] * 11]
    scale = math.sqrt(12 / 132)
    even, uneven = (
        Spread(np.array(moved), Clusters.of_documents(12), bounds=(0.0, 1.0))
        for moved in (evenly_moved, [each * scale for each in unevenly])
    )
    assert even.left_out_error == pytest.approx(uneven.left_out_error)
    assert even.degrees_left == math.inf
    # Σd⁴ / (Σd²)² is (11⁴ + 11) / 132², and a twelfth is that of documents that all move it.
    assert uneven.degrees_left == pytest.approx(1 / ((11**4 + 11) / 132**2 - 1 / 12))
    assert clusters_for(0.5, even, 12, 0.1) < clusters_for(0.5, uneven, 12, 0.1)


def test_the_command_names_every_option_that_can_not_be() -> None:
    done = run("plan", "--kappa", "1", "--half-width", "0")
    assert done.exit_code == 2
    assert "--kappa: 1 is not from 0 to less than 1" in done.stderr
    assert "--half-width: 0 is not between 0 and 1" in done.stderr


@pytest.mark.parametrize(
    ("kappa", "threshold"), [(0.8, 0.667), (0.6, 0.667), (0.5, 0.667), (0.75, 0.667), (0.9, 0.8), (0.6, 0.8)]
)
def test_units_planned_for_a_threshold_tell_it(kappa: float, threshold: float) -> None:
    random, prevalence = np.random.default_rng(3), 0.3
    units = present(units_to_tell(kappa, prevalence, threshold))
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
    found = present(clusters_to_show(spread, apart))
    drawn = np.random.default_rng(5).normal(apart, spread, (5000, found))
    errors = drawn.std(axis=1, ddof=1) / math.sqrt(found)
    shown = np.abs(drawn.mean(axis=1)) > t.ppf(0.975, found - 1) * errors
    assert 0.78 < shown.mean() < 0.83
    assert clusters_to_show(1.0, 1e-9) is None
