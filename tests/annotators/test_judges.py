"""A model's labels beside a human's: the share that it reports, and what it is after correction."""

import math

import numpy as np
import pytest

from reportgen.annotators.judges import TwoLabels, corrected_share
from reportgen.results import Figure
from reportgen.units import NO_CATEGORY

# Of ten units both call three yes, and the model alone one; of ten more the model calls six yes.
BOTH = [(1, 1)] * 3 + [(0, 1)] + [(0, 0)] * 6
MORE = [(NO_CATEGORY, 1)] * 6 + [(NO_CATEGORY, 0)] * 4


def two(pairs: list[tuple[int, int]], documents: list[int] | None = None) -> TwoLabels:
    human, model = (np.array(labels, dtype=np.int64) for labels in zip(*pairs, strict=True))
    cluster = np.array(documents or range(len(pairs)), dtype=np.int64)
    return TwoLabels(human, model, np.ones(len(pairs), dtype=np.int64), cluster)


def ends(found: Figure | None) -> tuple[float, float]:
    assert found is not None
    assert found.interval is not None
    assert found.interval.low is not None
    assert found.interval.high is not None
    return found.interval.low, found.interval.high


def test_ten_units_by_hand() -> None:
    found = corrected_share(two(BOTH + MORE), 1)
    assert found is not None
    # The covariance of the two is .3 - .3 · .4, the model's variance .24, and so λ = .18 / (2 · .24) = .375.
    assert found.value == pytest.approx(0.3 + 0.375 * (0.6 - 0.4))
    inside = 3 * 0.475**2 + 0.525**2 + 6 * 0.15**2
    outside = 0.375**2 * (6 * 0.4**2 + 4 * 0.6**2)
    assert found.standard_error == pytest.approx(math.sqrt((inside + outside) / 100 * 10 / 8))
    # .375 · .625 / .0178125 = 13.158 units in effect; t with 8 degrees is 2.306.
    assert ends(found) == pytest.approx((0.148770, 0.673184), abs=2e-6)


def test_where_the_human_found_none_the_interval_is_that_of_so_many_units() -> None:
    found = corrected_share(two([(0, 0)] * 10 + MORE), 1)
    # t² / 10 is .53177: 0 to .53177 / 1.53177.
    assert found is not None
    assert (found.value, found.standard_error) == (0, 0)
    assert ends(found) == pytest.approx((0, 0.347159), abs=2e-6)
    low, high = ends(corrected_share(two([(1, 1)] * 10 + [(NO_CATEGORY, 1)] * 10), 1))
    assert (low, high) == pytest.approx((1 - 0.347159, 1), abs=2e-6)


def test_units_of_one_document_count_for_less() -> None:
    apart = ends(corrected_share(two(BOTH * 4 + MORE * 4), 1))
    # Units with equal labels share a document.
    documents = [*(number // 5 for number in range(40)), *(8 + number // 5 for number in range(40))]
    together = ends(corrected_share(two(sorted(BOTH * 4) + sorted(MORE * 4), documents), 1))
    assert together[0] < apart[0] < apart[1] < together[1]


@pytest.mark.parametrize("documents", [[0] * 5 + [1] * 5 + list(range(2, 12)), None])
def test_two_documents_tell_no_interval(documents: list[int] | None) -> None:
    found = corrected_share(two(BOTH + MORE, documents), 1)
    assert found is not None
    assert found.value == pytest.approx(0.375)
    assert (found.interval is None) == (documents is not None)


def test_where_the_human_labelled_all_nothing_is_corrected() -> None:
    assert corrected_share(two(BOTH), 1) is None
    assert corrected_share(two(MORE), 1) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("labelled", "share", "in_a_document"),
    [(50, 0.1, 1), (400, 0.1, 1), (50, 0.03, 1), (50, 0.5, 1), (200, 0.1, 20)],
)
def test_the_interval_has_the_true_share_in_95_of_100(
    labelled: int, share: float, in_a_document: int
) -> None:
    """A model finds 90 of 100 that are so, and calls 20 of 100 others so; it labels 2,000 units alone."""
    draw, times = np.random.default_rng(labelled), 1000
    inside, corrected, reported = 0, [], []
    units = labelled + 2000
    documents = np.arange(units) // in_a_document
    for _ in range(times):
        # Documents differ in their shares, where units share one.
        own = draw.beta(share * 4, (1 - share) * 4, units)[documents]
        of_unit = own if in_a_document > 1 else np.full(units, share)
        truth = (draw.random(units) < of_unit).astype(np.int64)
        model = (draw.random(units) < np.where(truth == 1, 0.9, 0.2)).astype(np.int64)
        human = np.where(np.arange(units) < labelled, truth, NO_CATEGORY)
        found = corrected_share(TwoLabels(human, model, np.ones_like(truth), documents), 1)
        low, high = ends(found)
        inside += low <= share <= high
        corrected.append(found.value if found and found.value is not None else math.nan)
        reported.append(float(model.mean()))
    assert 0.92 <= inside / times <= 0.985
    assert math.fsum(corrected) / times == pytest.approx(share, abs=0.005)
    assert math.fsum(reported) / times == pytest.approx(0.9 * share + 0.2 * (1 - share), abs=0.002)
