"""How unusual somebody's sums are if people are exchanged within documents: against every exchange."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures import significance_tests
from reportgen.measures.significance_tests import exchange_p, signs_p
from tests.properties import examples

# Of each document what three people's differences add up to: the third's makes up for the others'.
two = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
documents = st.lists(two, min_size=1, max_size=5)


def table(rows: list[tuple[int, int]]) -> np.ndarray:
    return np.array([(one, other, -one - other) for one, other in rows], dtype=np.int64)


@examples(100)
@given(documents)
def test_it_is_the_share_of_all_exchanges_that_are_as_far_from_nothing(rows: list[tuple[int, int]]) -> None:
    sums = table(rows)
    differing = [row for row in sums.tolist() if any(row)]
    for who in range(3):
        found = exchange_p(sums, np.ones_like(sums, dtype=bool), who)
        if not differing:
            assert found is None
            continue
        observed = abs(sum(row[who] for row in differing))
        every = [abs(sum(chosen)) for chosen in product(*differing)]
        assert found == pytest.approx(sum(far >= observed for far in every) / len(every))


def test_of_two_people_it_is_that_of_signs_and_who_took_no_part_is_not_exchanged() -> None:
    sums = np.array([[3, -3, 0], [2, -2, 0], [1, -1, 0], [4, -4, 0]])
    saw = np.array([[True, True, False]] * 4)
    assert exchange_p(sums, saw, 0) == signs_p(sums[:, 0]) == 2 / 16
    assert exchange_p(sums, saw, 2) is None
    # With a third who saw it, and differs in nothing, it is one of three in each document.
    assert exchange_p(sums, np.ones_like(saw), 0) == pytest.approx(2 / 81)


def test_many_documents_and_large_sums_give_nearly_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.random.default_rng(1).integers(-3, 4, (90, 2))
    sums = table([(int(one), int(other)) for one, other in drawn])
    saw = np.ones_like(sums, dtype=bool)
    exact = [exchange_p(sums, saw, who) for who in range(3)]
    coarse = [exchange_p(sums * 1000, saw, who) for who in range(3)]
    monkeypatch.setattr(significance_tests, "MOST_EXCHANGED", 10)
    by_chi_square = [exchange_p(sums, saw, who) for who in range(3)]
    for one, other, third in zip(exact, coarse, by_chi_square, strict=True):
        assert other == pytest.approx(one, abs=0.02)
        assert third == pytest.approx(one, abs=0.05)


def test_one_who_is_always_longer_is_told_though_the_others_differ_from_nobody_else() -> None:
    sums = np.array([[4, -2, -2]] * 5)
    saw = np.ones_like(sums, dtype=bool)
    assert exchange_p(sums, saw, 0) == pytest.approx(1 / 243)
