"""A model's labels beside a human's: the share that it reports, and what it is after correction."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from reportgen.measures.annotators.judges import (
    LEVEL_OF_SELECTION,
    TwoLabels,
    corrected_share,
    selected_units,
)
from reportgen.results import Figure
from reportgen.units import NO_CATEGORY
from tests.present import present

# Of ten units both call three yes, and the model alone one; of ten more the model calls six yes.
BOTH = [(1, 1)] * 3 + [(0, 1)] + [(0, 0)] * 6
MORE = [(NO_CATEGORY, 1)] * 6 + [(NO_CATEGORY, 0)] * 4


def two(pairs: list[tuple[int, int]], documents: list[int] | None = None) -> TwoLabels:
    human, model = (np.array(labels, dtype=np.int64) for labels in zip(*pairs, strict=True))
    cluster = np.array(documents or range(len(pairs)), dtype=np.int64)
    return TwoLabels(human, model, np.ones(len(pairs), dtype=np.int64), cluster)


def ends(found: Figure | None) -> tuple[float, float]:
    interval = present(present(found).interval)
    return present(interval.low), present(interval.high)


def test_ten_units_by_hand() -> None:
    found = present(corrected_share(two(BOTH + MORE), 1))
    # The covariance of the two is .3 - .3 · .4, the model's variance .24, and so λ = .18 / (2 · .24) = .375.
    assert found.value == pytest.approx(0.3 + 0.375 * (0.6 - 0.4))
    inside = 3 * 0.475**2 + 0.525**2 + 6 * 0.15**2
    outside = 0.375**2 * (6 * 0.4**2 + 4 * 0.6**2)
    assert found.standard_error == pytest.approx(math.sqrt((inside + outside) / 100 * 10 / 8))
    # .375 · .625 / .0178125 = 13.158 units in effect; t with 8 degrees is 2.306.
    assert ends(found) == pytest.approx((0.148770, 0.673184), abs=2e-6)


def test_where_the_human_found_none_the_interval_is_that_of_so_many_units() -> None:
    found = present(corrected_share(two([(0, 0)] * 10 + MORE), 1))
    # t² / 10 is .53177: 0 to .53177 / 1.53177.
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
    found = present(corrected_share(two(BOTH + MORE, documents), 1))
    assert found.value == pytest.approx(0.375)
    assert (found.interval is None) == (documents is not None)


def test_where_the_human_labelled_all_nothing_is_corrected() -> None:
    assert corrected_share(two(BOTH), 1) is None
    assert corrected_share(two(MORE), 1) is None


def test_a_document_counts_as_it_is_long() -> None:
    """Four labelled documents, of which one has most units, and as many further ones alike."""
    sizes = (34, 2, 2, 2)
    pairs = [(unit % 4 == 0, unit % 3 == 0) for size in sizes for unit in range(size)]
    few = [(int(human), int(model)) for human, model in pairs]
    further = [(NO_CATEGORY, unit % 2) for unit in range(40)]
    documents = [document for document, size in enumerate(sizes) for _ in range(size)]
    labels = two(few + further, documents + [4 + unit // 10 for unit in range(40)])
    found = present(corrected_share(labels, 1))
    # Squared shares of the labelled units are (.85² + 3 · .05²): 1.37 documents alike, and none is told.
    assert found.interval is None
    sizes = (16, 8, 8, 8)
    documents = [document for document, size in enumerate(sizes) for _ in range(size)]
    labels = two(few + further, documents + [4 + unit // 10 for unit in range(40)])
    found = present(corrected_share(labels, 1))
    of_human, of_model = (sum(own) / 40 for own in zip(*few, strict=True))
    together = sum(human * model for human, model in few) / 40 - of_human * of_model
    weight = min(max(together / (2 * of_model * (1 - of_model)), 0.0), 1.0)
    moved = np.zeros(8)
    for (human, model), document in zip(few, documents, strict=True):
        moved[document] += (human - of_human - weight * (model - of_model)) / 40 / (1 - sizes[document] / 40)
    for unit, (_, model) in enumerate(further):
        moved[4 + unit // 10] += weight * (model - 0.5) / 40 / 0.75
    alike = 1 / sum((size / 40) ** 2 for size in sizes)
    assert found.standard_error == pytest.approx(
        math.sqrt((moved * moved).sum() * 3 / 4 * (alike - 1) / (alike - 2))
    )


# Are the units that the human labelled a random part?

NAMES, BOTH_CATEGORIES = ("no", "yes"), (0, 1)


def chosen(
    of_both: tuple[int, int], further: tuple[int, int], documents: list[int] | None = None
) -> TwoLabels:
    """How many the model calls so of how many units that the human labelled, and that it labelled alone."""
    parts = ((0, *of_both), (NO_CATEGORY, *further))
    pairs = [(human, int(unit < yes)) for human, yes, size in parts for unit in range(size)]
    return two(pairs, documents)


def test_units_that_the_model_calls_so_much_more_often_were_chosen() -> None:
    found = present(selected_units(chosen((15, 20), (27, 180)), NAMES, BOTH_CATEGORIES))
    assert (found.category, found.labelled_share, found.further_share) == ("yes", 0.75, 0.15)
    # 1 / (1/20 - 1/200) is 22 units; .75 of them are 17, and .21 of all units are called so.
    assert found.p == pytest.approx(2 * binom.sf(16, 22, 0.21))
    fewer = present(selected_units(chosen((2, 200), (900, 1800)), NAMES, BOTH_CATEGORIES))
    assert fewer.labelled_share < fewer.further_share


def test_what_chance_gives_is_no_choice() -> None:
    assert selected_units(chosen((4, 20), (27, 180)), NAMES, BOTH_CATEGORIES) is None
    units, found = round(1 / (1 / 50 - 1 / 550)), {}
    for yes in range(10, 51):
        p = 2 * binom.sf(math.ceil(yes / 50 * units - 1e-9) - 1, units, (100 + yes) / 550)
        found[yes] = selected_units(chosen((yes, 50), (100, 500)), NAMES, BOTH_CATEGORIES)
        assert (found[yes] is not None) == (p < LEVEL_OF_SELECTION)
    assert found[10] is None
    assert found[50] is not None


def test_of_many_categories_each_is_tested() -> None:
    """Of three one is chosen; of a hundred the same is what chance gives to one of them."""
    labels = chosen((19, 50), (100, 500))
    own = present(selected_units(labels, NAMES, BOTH_CATEGORIES))
    three = selected_units(labels, ("no", "yes", "other"), (0, 1, 2))
    assert three is None or three.p == pytest.approx(3 * own.p)
    assert selected_units(labels, [str(each) for each in range(100)], range(100)) is None


def test_where_all_or_nothing_was_labelled_or_said_nothing_was_chosen() -> None:
    assert selected_units(chosen((15, 20), (0, 0)), NAMES, BOTH_CATEGORIES) is None
    assert selected_units(chosen((0, 0), (15, 20)), NAMES, BOTH_CATEGORIES) is None
    assert selected_units(chosen((20, 20), (180, 180)), NAMES, BOTH_CATEGORIES) is None
    # All of ten units, where nine of ten are called so.
    assert selected_units(chosen((10, 10), (1800, 2000)), NAMES, BOTH_CATEGORIES) is None


def test_documents_that_are_all_so_are_few_units() -> None:
    """Four documents of ten units, all of them called so, as are half of the others."""
    labels = chosen((40, 40), (200, 400))
    assert selected_units(labels, NAMES, BOTH_CATEGORIES) is not None
    together = chosen((40, 40), (200, 400), [unit // 10 for unit in range(440)])
    assert selected_units(together, NAMES, BOTH_CATEGORIES) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("labelled", "share", "in_a_document"),
    [(50, 0.1, 1), (400, 0.1, 1), (50, 0.03, 1), (50, 0.5, 1), (200, 0.1, 20)],
)
def test_intervals_have_the_true_share_in_95_of_100(labelled: int, share: float, in_a_document: int) -> None:
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
