"""Whose errors labels can tell: labels of three on a unit, or known units, and whom these are linked with."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from reportgen.measures.annotators.dawid_skene import (
    NotFitted,
    WeightedRatings,
    errors,
    identified,
    probable_labels,
)
from reportgen.readers import NO_DOCUMENT
from reportgen.units import CodedUnits
from tests.campaigns import results

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
