"""Who may be a copy of whom: on units that others labelled too, however hard these are."""

from collections.abc import Sequence

import numpy as np
import pytest

from reportgen.measures.annotators.copies import (
    BLOCK,
    _blocks,
    _ExpectedDifference,
    _p_above,
    copies,
    is_nearly_same,
)
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import Copies
from reportgen.units import CodedUnits, Mask
from tests.findings.made_results import pair

SIZE, DOCUMENTS = 12, 30
EASY, HARD = 0.05, 0.5


def coded(labels: Codes, given: Mask | None = None, *, in_documents: bool = True) -> CodedUnits:
    """Labels (units, annotators), those that are `given`, in documents of twelve units."""
    given = np.ones(labels.shape, dtype=np.bool_) if given is None else given
    unit, annotator = np.nonzero(given)
    number = np.arange(len(labels))
    return CodedUnits(
        layer="main",
        documents=tuple(f"d{place}" for place in range(-(-len(labels) // SIZE))) if in_documents else (),
        annotators=tuple("ABCDEF"[: labels.shape[1]]),
        categories=("x", "y", "z"),
        document=number // SIZE if in_documents else np.full(len(labels), NO_DOCUMENT),
        weight=np.ones(len(labels), dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=labels[unit, annotator],
    )


def labelled(seed: int, errors: Sequence[float], hard: np.ndarray | None = None) -> Codes:
    """Labels of annotators who err so often; of `hard` (documents,) documents so many times as often."""
    random = np.random.default_rng(seed)
    times = np.ones(DOCUMENTS) if hard is None else hard
    rate = np.minimum(np.array(errors) * np.repeat(times, SIZE)[:, None], 2 / 3)
    truth = random.integers(0, 3, (DOCUMENTS * SIZE, 1))
    other = (truth + random.integers(1, 3, rate.shape)) % 3
    return np.where(random.random(rate.shape) < rate, other, truth)


def changed(labels: Codes, seed: int, share: float) -> Codes:
    """The first annotator's labels, a share of them changed."""
    random = np.random.default_rng(seed)
    other = (labels[:, 0] + random.integers(1, 3, len(labels))) % 3
    return np.where(random.random(len(labels)) < share, other, labels[:, 0])


def found(units: CodedUnits) -> set[tuple[str, str]]:
    return {(each.first, each.second) for each in copies(units)}


@pytest.mark.parametrize("in_documents", [True, False])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.1])
def test_a_copy_is_found_though_a_tenth_was_changed(share: float, *, in_documents: bool) -> None:
    for seed in range(5):
        labels = labelled(seed, [0.2] * 4)
        labels[:, 3] = changed(labels, seed, share)
        (only,) = copies(coded(labels, in_documents=in_documents))
        differ = int((labels[:, 0] != labels[:, 3]).sum())
        assert (only.first, only.second, only.units, only.differ) == ("A", "D", 360, differ)
        assert only.expected is None if not differ else 1.5 * differ < (only.expected or 0) < 180


@pytest.mark.parametrize("errors", [(0.2,) * 4, (0.02,) * 4, (0.05, 0.05, 0.5, 0.5), (0.1, 0.1, 0.1, 2 / 3)])
def test_who_errs_independently_is_no_copy(errors: tuple[float, ...]) -> None:
    assert sum(bool(found(coded(labelled(seed, errors)))) for seed in range(20)) <= 1


def test_two_careful_annotators_of_easy_and_hard_documents_are_no_copies() -> None:
    """Everybody agrees on easy documents, and so the others among themselves: more than errors explain."""
    hard = np.where(np.arange(DOCUMENTS) % 2, 0.1, 1.9)
    for seed in range(10):
        assert found(coded(labelled(seed, (0.05, 0.05, 0.4, 0.4), hard))) == set()


def test_those_who_share_easy_documents_are_no_copies() -> None:
    """Two label each document; those of the first two are easy, and these agree on all units but a few."""
    two = np.arange(DOCUMENTS) // 10
    given = np.repeat(np.arange(6)[None, :] // 2 == two[:, None], SIZE, axis=0)
    labels = labelled(1, [0.3] * 6, np.where(two == 0, 0.02, 1.0))
    assert (labels[:120, 0] != labels[:120, 1]).sum() <= 3
    assert found(coded(labels, given)) == set()
    same = labels.copy()
    same[:, 1] = same[:, 0]
    assert found(coded(same, given)) == set(), "nobody else labelled their documents"
    same[:, 2] = changed(same, 4, 0.2)
    assert found(coded(same, given)) == set(), "the third labelled others"
    given[:, 2] = True
    assert found(coded(same, given)) == {("A", "B")}, "on the same a third differs from both"


def test_others_count_on_units_that_the_two_labelled_too() -> None:
    labels = labelled(2, [0.25] * 5)
    labels[:, 4] = changed(labels, 2, 0.05)
    given = np.ones(labels.shape, dtype=np.bool_)
    given[:120, 1:3], given[240:, 3] = False, False
    (only,) = copies(coded(labels, given))
    differ = int((labels[120:, 0] != labels[120:, 4]).sum())
    assert (only.first, only.second, only.units, only.differ) == ("A", "E", 240, differ)
    given[:, 1:3] = False
    assert found(coded(labels, given)) == set(), "a single other tells nothing of two who differ"


def test_beside_a_copy_others_are_none() -> None:
    for seed in range(10):
        labels = labelled(seed, [0.05] * 4)
        labels[:, 3] = changed(labels, seed, 0.01)
        assert found(coded(labels)) == {("A", "D")}


def test_where_everybody_always_agrees_all_are_meant_and_others_of_one_label_tell_nothing() -> None:
    same = np.repeat(labelled(3, [0.0]), 3, axis=1)
    assert found(coded(same)) == {("A", "B"), ("A", "C"), ("B", "C")}
    assert found(coded(same[:24])) == set(), "so few are no sign"
    constant = np.column_stack([labelled(3, [0.2]), labelled(3, [0.2]), np.zeros((360, 2), dtype=np.int64)])
    constant[0, 1] = (constant[0, 1] + 1) % 3
    assert found(coded(constant)) == set()


@pytest.mark.parametrize(("units", "most"), [(100, 20), (1000, 130)])
def test_a_tenth_may_differ_and_what_chance_adds(units: int, most: int) -> None:
    for differ in (most, most + 1):
        table = {("x", "x"): units // 2 - differ, ("y", "y"): units // 2, ("x", "y"): differ}
        assert is_nearly_same(pair(table).confusion, [units // 2 - differ, units // 2]) is (differ == most)


@pytest.mark.parametrize(("same", "second", "enough"), [(30, 5, True), (29, 5, False), (30, 4, False)])
def test_thirty_units_are_enough_five_beside_the_commonest(same: int, second: int, *, enough: bool) -> None:
    table = {("x", "x"): same - second, ("y", "y"): second, ("none", "none"): 100}
    assert is_nearly_same(pair(table).confusion, [same - second, second]) is enough


@pytest.mark.parametrize(
    ("differ", "units", "expected", "p", "copy"),
    [
        (199, 2000, 300.0, 0.001, True),
        (200, 2000, 300.0, 0.001, False),
        (8, 100, 20.0, 0.001, True),
        (9, 100, 20.0, 0.001, False),
        (8, 100, 20.0, 0.0299, True),
        (8, 100, 20.0, 0.03, False),
    ],
)
def test_a_copy_differs_on_less_than_two_thirds_and_by_no_chance(
    differ: int, units: int, expected: float, p: float, *, copy: bool
) -> None:
    """Of 8 of 100 where 20 are expected the probability is .0009, of 9 it is .0023."""
    own = Copies(first="A", second="B", units=units, differ=differ, expected=expected)
    assert _ExpectedDifference(own, p).shows_copy(1) is copy
    assert _ExpectedDifference(own, p / 2).shows_copy(2) is copy


def test_blocks_are_of_six_units_of_a_document_or_a_few_more() -> None:
    units = coded(np.zeros((30, 1), dtype=np.int64))
    block = _blocks(units.of_units(np.arange(30) != 3))
    assert np.bincount(block).tolist() == [11, BLOCK, BLOCK, BLOCK]
    alone = coded(np.zeros((30, 1), dtype=np.int64), in_documents=False)
    assert np.bincount(_blocks(alone)).tolist() == [BLOCK] * 5


def test_what_no_block_or_one_shows_is_no_sign() -> None:
    one = np.ones(1)
    assert _p_above(one, one) == 1
    assert _p_above(np.array([1.0, -1.0]), np.ones(2)) == 1
    assert _p_above(np.ones(3), np.ones(3)) == 0, "the same everywhere"
    # 1, 2, 3: t is 2 / √(2/2/3) = 3.46 with 2 degrees of freedom.
    assert _p_above(np.array([1.0, 2.0, 3.0]), np.ones(3)) == pytest.approx(0.0371, abs=1e-4)
