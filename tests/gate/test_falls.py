"""The statistics of [gate] against other libraries, brute force and their own promises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from reportgen.measures.distributions import t_below
from reportgen.versions.gate import FallTest, clusters_needed, falls, lowest
from tests.properties import examples

DIFFERENCES = [-0.3, 0.1, -0.2, -0.25, 0.05, -0.1, -0.15, 0.02]


def paired(differences: list[float]) -> tuple[float, float, float, float]:
    """The mean, its standard error, t and degrees of freedom."""
    values = np.asarray(differences)
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return float(values.mean()), error, float(values.mean()) / error, len(values) - 1


@given(st.lists(st.tuples(st.floats(-8, 8), st.integers(1, 60)), min_size=1, max_size=8))
@examples(40)
def test_with_one_level_the_correction_is_that_of_holm(drawn: list[tuple[float, int]]) -> None:
    found = falls([FallTest(statistic, degrees, 0.05) for statistic, degrees in drawn])
    p = [t_below(degrees, statistic) for statistic, degrees in drawn]
    rejected, adjusted, _, _ = multipletests(p, alpha=0.05, method="holm")
    assert [each.adjusted for each in found] == pytest.approx(adjusted.tolist(), rel=1e-9)
    assert [each.significant for each in found] == rejected.tolist()


@given(
    st.lists(st.tuples(st.floats(-6, 2), st.sampled_from([0.01, 0.025, 0.05, 0.1])), min_size=1, max_size=6)
)
@examples(40)
def test_with_several_levels_it_is_the_closed_test(drawn: list[tuple[float, float]]) -> None:
    """A rule is broken where every set of rules that it is in has one with p <= at / their number."""
    found = falls([FallTest(statistic, 20, at) for statistic, at in drawn])
    for place, answer in enumerate(found):
        sets = [
            [other for other in range(len(drawn)) if mask >> other & 1]
            for mask in range(1, 2 ** len(drawn))
            if mask >> place & 1
        ]
        closed = all(any(found[each].p <= drawn[each][1] / len(s) for each in s) for s in sets)
        assert answer.significant == closed


def test_on_noise_some_rule_breaks_no_more_often_than_its_level() -> None:
    """3,000 campaigns of three rules, each of 15 documents: .05, and three standard errors of the share."""
    drawn = np.random.default_rng(6).standard_normal((3000, 3, 15))
    statistics = drawn.mean(axis=2) / (drawn.std(axis=2, ddof=1) / math.sqrt(15))
    broken = sum(
        any(each.significant for each in falls([FallTest(float(t), 14, 0.05) for t in campaign]))
        for campaign in statistics
    )
    assert 0.03 < broken / 3000 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 3000)


@given(st.floats(0.01, 0.6), st.sampled_from([0.01, 0.05, 0.1]))
@examples(40)
def test_the_bound_is_above_the_margin_where_a_test_of_non_inferiority_says_so(
    margin: float, at: float
) -> None:
    value, error, _, degrees = paired(DIFFERENCES)
    p = stats.ttest_1samp(DIFFERENCES, -margin, alternative="greater").pvalue
    assert (lowest(value, error, degrees, at) > -margin) == (p < at)


def test_that_number_has_the_power_that_it_promises() -> None:
    """Held against the noncentral t distribution."""
    deviation = 0.12
    needed = clusters_needed(deviation / math.sqrt(20), 19, 20, 0.05, 0.05)
    exact = TTestPower().solve_power(
        effect_size=0.05 / deviation, power=0.8, alpha=0.05, alternative="larger"
    )
    assert needed is not None
    assert exact <= needed <= exact + 2


def test_without_rules_there_is_no_answer() -> None:
    assert falls([]) == []
