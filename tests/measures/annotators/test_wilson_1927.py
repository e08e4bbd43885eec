"""The score interval of Wilson (1927), and p values by Holm (1979)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from reportgen.measures.annotators.controls import wilson
from reportgen.measures.distributions import holm


def test_47_of_50_give_838_to_979() -> None:
    found = wilson(47, 50)
    assert (round(found.low, 3), round(found.high, 3)) == (0.838, 0.979)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_statsmodels_has_the_same_ends(trial: tuple[int, int]) -> None:
    right, trials = trial
    found = wilson(right, trials)
    low, high = proportion_confint(right, trials, method="wilson")
    assert [found.low, found.high] == pytest.approx([low, high], abs=1e-12)
    assert 0 <= found.low <= right / trials <= found.high <= 1


# By hand: statsmodels collects garbage at every call, which takes long where there is much of it.
@pytest.mark.parametrize(
    "values", [[0.01, 0.04, 0.03, 0.005], [0.02, 0.02, 0.02, 0.9, 0.0, 1.0], [0.3, 0.2, 0.6, 0.04]]
)
def test_statsmodels_adjusts_alike(values: list[float]) -> None:
    expected = multipletests(values, method="holm")[1]
    assert holm(values) == pytest.approx(list(expected))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_a_p_value_is_multiplied_by_those_not_smaller_and_stays_above_smaller_ones(
    values: list[float],
) -> None:
    times = {each: sum(other >= each for other in values) for each in values}
    expected = [max(min(1.0, each * times[each]) for each in values if each <= value) for value in values]
    assert holm(values) == pytest.approx(expected)


def test_a_test_that_could_not_be_made_is_none_of_them() -> None:
    assert holm([0.01, None, 0.04]) == [0.02, None, 0.04]
    assert holm([]) == []
