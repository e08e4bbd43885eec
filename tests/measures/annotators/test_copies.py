"""Who may be a copy of whom, and whose errors labels can tell."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from reportgen.measures.annotators.annotator_vs_rest import (
    BLOCK,
    _ExpectedDifference,
    _p_above,
    _unit_blocks,
    copies,
    is_nearly_same,
)
from reportgen.measures.annotators.dawid_skene import (
    NotFitted,
    WeightedRatings,
    errors,
    identified,
    probable_labels,
)
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import Copies
from reportgen.units import CodedUnits, Mask
from tests.campaigns import results
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
    block = _unit_blocks(units.of_units(np.arange(30) != 3))
    assert np.bincount(block).tolist() == [11, BLOCK, BLOCK, BLOCK]
    alone = coded(np.zeros((30, 1), dtype=np.int64), in_documents=False)
    assert np.bincount(_unit_blocks(alone)).tolist() == [BLOCK] * 5


def test_what_no_block_or_one_shows_is_no_sign() -> None:
    one = np.ones(1)
    assert _p_above(one, one) == 1
    assert _p_above(np.array([1.0, -1.0]), np.ones(2)) == 1
    assert _p_above(np.ones(3), np.ones(3)) == 0, "the same everywhere"
    # 1, 2, 3: t is 2 / √(2/2/3) = 3.46 with 2 degrees of freedom.
    assert _p_above(np.array([1.0, 2.0, 3.0]), np.ones(3)) == pytest.approx(0.0371, abs=1e-4)


PAIRS = [*combinations(range(6), 2)]
CHAIN = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
TRIPLES = [*combinations(range(6), 3)]
Who = Sequence[tuple[int, ...]]


def told(who: Who, people: int = 6, known: int = 0, weight: int = 1) -> list[bool]:
    """Return of whom labels tell the errors; the first units are so many control items."""
    unit = np.repeat(np.arange(len(who)), [len(each) for each in who])
    annotator = np.array([code for each in who for code in each], dtype=np.int64)
    truth = np.where(np.arange(len(who)) < known, 0, -1)
    weights = np.full(len(who), weight, dtype=np.int64)
    data = WeightedRatings(unit, annotator, np.zeros(len(unit), dtype=np.int64), weights, truth, 2)
    return [bool(each) for each in identified(data, people)]


@pytest.mark.parametrize("design", [CHAIN, PAIRS])
def test_labels_of_two_on_a_unit_tell_nobodys_errors(design: Who) -> None:
    assert told([*design] * 100) == [False] * 6


@pytest.mark.parametrize(
    ("pairs", "triples", "expected"),
    [(75, 25, True), (76, 25, False), (0, 1, True), (10_000, 80, True), (10_000, 79, False)],
)
def test_a_quarter_or_eighty_units_need_labels_of_three(pairs: int, triples: int, *, expected: bool) -> None:
    assert told([*[(0, 1)] * pairs, *[(0, 1, 2)] * triples], 3) == [expected] * 3


def test_a_row_is_as_many_units_as_it_weighs_and_second_labels_of_one_are_no_third() -> None:
    assert told([*[(0, 1)] * 1000, (0, 1, 2)], 3, weight=80) == [True] * 3
    assert told([(0, 1, 1)] * 100, 2) == [False] * 2


def test_who_shares_no_unit_with_the_others_is_not_told() -> None:
    design = [*[(0, 1, 2)] * 30, *[(2, 3)] * 30, *[(4, 5)] * 30, *[(6,)] * 30]
    assert told(design, 7) == [True] * 4 + [False] * 3


@pytest.mark.parametrize(("known", "expected"), [(20, True), (19, False)])
def test_control_items_tell_the_errors_of_all_who_are_linked_with_them(known: int, *, expected: bool) -> None:
    assert told([*[(0,)] * 20, *[(0, 1)] * 30], 2, known) == [expected] * 2


def units_of(who: Who, seed: int = 3) -> CodedUnits:
    """Return labels that are right in four of five cases."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 3, len(who))
    unit = np.repeat(np.arange(len(who)), [len(each) for each in who])
    annotator = np.array([code for each in who for code in each], dtype=np.int64)
    wrong = (truth[unit] + draw.integers(1, 3, len(unit))) % 3
    return CodedUnits(
        layer="main",
        id="items",
        documents=(),
        annotators=tuple(f"w{number}" for number in range(int(annotator.max()) + 1)),
        categories=("a", "b", "c"),
        document=np.full(len(who), NO_DOCUMENT),
        weight=np.ones(len(who), dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=np.where(draw.random(len(unit)) < 0.8, truth[unit], wrong),
    )


@pytest.mark.parametrize("design", [[*CHAIN] * 60, [*PAIRS] * 20])
def test_where_no_errors_are_told_there_is_no_model(design: Who) -> None:
    units = units_of(design)
    assert errors(units, None, matrices=True)[0].undefined == NotFitted.UNIDENTIFIED
    assert probable_labels(units) == NotFitted.UNIDENTIFIED


def test_who_is_not_told_is_left_out_and_changes_nothing_for_the_others() -> None:
    of_three = [*TRIPLES] * 10
    alone, beside = units_of(of_three), units_of([*of_three, *[(6, 7)] * 100, *[(8,)] * 50])
    same = len(alone.unit)
    assert (beside.unit[:same] == alone.unit).all()
    beside.label[:same] = alone.label
    first, second = (errors(units, None, matrices=True)[0] for units in (alone, beside))
    assert first.undefined is None
    assert second == first
    model = probable_labels(beside)
    assert not isinstance(model, NotFitted)
    rated, posterior = model
    assert rated.tolist() == [*range(len(of_three))]
    assert posterior.sum(axis=1) == pytest.approx(np.ones(len(rated)))


def test_a_report_says_whom_the_model_leaves_out(tmp_path: Path) -> None:
    units = units_of([*[(0, 1, 2)] * 60, *[(3, 4)] * 20])
    rows = zip(units.unit.tolist(), units.annotator.tolist(), units.label.tolist(), strict=True)
    table = "item,annotator,label\n" + "".join(
        f"u{unit},w{who},{'abc'[label]}\n" for unit, who, label in rows
    )
    (own,) = results(tmp_path, "", table).quality or ()
    assert [each.annotator for each in own.dawid_skene.annotators] == ["A01", "A02", "A03"]
    assert (own.annotators_in_all, own.dawid_skene.annotators_in_all) == (5, 3)
