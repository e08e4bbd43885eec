"""The interval of a change and those of its two versions agree, whatever documents these share."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportgen.measures.estimate import Estimate
from reportgen.measures.significance_tests import change, difference
from reportgen.results.parts import Change
from tests.measures.test_difference_oracles import FIGURES, Labels, of, versions, whole
from tests.present import present

LEVEL = 0.05
CLOSE = 1e-9


def compared(
    figure: str, sides: Sequence[tuple[Labels, Labels]], codes: tuple[Labels, Labels]
) -> tuple[Estimate, Estimate, Change]:
    one, other = (FIGURES[figure](whole(labels, places.tolist())) for labels, places in sides)
    return one, other, change((one, other), documents=codes)


def check(found: Change) -> None:
    """See that the interval is no wider than both together, and says the same as the p value."""
    first, second, own = found.first.interval, found.second.interval, found.interval
    if found.test is None or own is None or own.low is None or own.high is None:
        return
    assert (found.test.p < LEVEL) == (own.low > 0 or own.high < 0)
    if first is None or second is None or None in (first.low, second.low):
        return
    assert second.high is not None
    wide = own.high - own.low
    assert wide <= present(first.high) - present(first.low) + second.high - present(second.low) + CLOSE


sizes_of_documents = st.lists(st.sampled_from([1, 2, 3, 5, 8, 40, 120]), min_size=4, max_size=14)


def sides_of(
    sizes: Sequence[int], seed: int, shared: tuple[int, int]
) -> tuple[list[tuple[Labels, Labels]], tuple[Labels, Labels]]:
    """Return the versions, the first without the last documents, the second without the first ones."""
    first, second, documents = versions(sizes, seed)
    codes, many = np.array(documents), len(sizes)
    until, start = max(3, many - shared[0] % many), min(shared[1] % many, many - 3)
    one, here = codes < until, codes >= start
    return [(first[one], codes[one]), (second[here], codes[here])], (np.arange(until), np.arange(start, many))


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    sizes_of_documents,
    st.integers(0, 10**6),
    st.tuples(st.integers(0, 13), st.integers(0, 13)),
    st.sampled_from([*FIGURES]),
)
def test_the_interval_of_a_change_always_agrees_with_its_versions(
    sizes: list[int], seed: int, shared: tuple[int, int], figure: str
) -> None:
    check(compared(figure, *sides_of(sizes, seed, shared))[2])


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("shared", [(0, 0), (1, 0), (1, 1), (5, 5), (8, 8)])
def test_the_interval_of_a_change_agrees_with_its_versions(figure: str, shared: tuple[int, int]) -> None:
    sizes = [120, 3, 8, 5, 2, 8, 3, 5, 8, 40, 2, 120]
    for seed in range(3):
        check(compared(figure, *sides_of(sizes, seed, shared))[2])


@pytest.mark.parametrize("sizes", [[8, 3], [5, 1, 120], [2] * 4, [3, 8, 5] * 25], ids=["2", "3", "4", "75"])
@pytest.mark.parametrize("figure", FIGURES)
def test_so_it_does_with_few_documents_and_with_many(figure: str, sizes: list[int]) -> None:
    for seed in range(3):
        first, second, documents = versions(sizes, seed)
        everywhere, codes = np.arange(len(sizes)), np.array(documents)
        sides = [(first, codes), (second, codes)]
        check(compared(figure, sides, (everywhere, everywhere))[2])
        # None of the documents is in both versions.
        check(compared(figure, sides, (everywhere, everywhere + len(sizes)))[2])


def test_one_large_document_of_one_version_alone_leaves_the_degrees_of_the_versions() -> None:
    sizes = [*[6] * 20, 150]
    first, second, documents = versions(sizes, seed=2)
    codes = np.array(documents)
    here = codes < 20
    one, other = (
        FIGURES["krippendorff_alpha"](whole(first, documents)),
        FIGURES["krippendorff_alpha"](whole(second[here], codes[here].tolist())),
    )
    found = of(difference(one, other, (np.arange(21), np.arange(20))))
    assert found.method == "overlapping"
    assert one.interval is not None
    check(change((one, other), documents=(np.arange(21), np.arange(20))))
