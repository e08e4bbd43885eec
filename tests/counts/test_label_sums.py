"""Units that are known by how often two labels meet are as good as those that were labelled."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts.export import as_sums, label_sums
from reportgen.readers.counted import (
    MOST_KINDS,
    LabelSums,
    alike,
    are_too_various,
    first_of_groups,
    have_products,
    pair_groups,
)
from reportgen.units import CodedUnits
from reportgen.units.labels import aranges

LABELS = st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=30)


def of_labels(labels: list[list[int]]) -> CodedUnits:
    """Return units with some labels each, in three documents by turns."""
    sizes = np.array(list(map(len, labels)), dtype=np.int64)
    return CodedUnits(
        "main",
        documents=("a", "b", "c"),
        annotators=tuple("uvwxyz"),
        categories=tuple("klmn"),
        document=np.arange(len(labels)) % 3,
        weight=1 + np.arange(len(labels)) % 2,
        unit=np.repeat(np.arange(len(labels)), sizes),
        annotator=aranges(sizes),
        label=np.array([label for own in labels for label in own], dtype=np.int64),
        unit_place=np.full(len(labels), -1),
    )


def columns(sums: LabelSums) -> tuple[list[int], list[int], list[object]]:
    """Return sums as lists."""
    return sums.document.tolist(), sums.ratings.tolist(), sums.met.tolist()


@given(labels=LABELS)
def test_units_made_of_sums_have_these_sums(labels: list[list[int]]) -> None:
    units = of_labels(labels)
    sums = label_sums(units)
    assert sums.are_whole.all()
    assert int(sums.units.sum()) == units.units
    given_labels = np.zeros(4, dtype=np.int64)
    np.add.at(given_labels, units.label, units.weight[units.unit])
    assert sums.labels.sum(axis=0).tolist() == given_labels.tolist()
    same = alike(sums)
    named: dict[str, Any] = {"categories": tuple("klmn"), "document": same.document, "weight": same.weight}
    made = CodedUnits("main", **named, unit=same.unit, annotator=same.place, label=same.label)
    assert made.units == units.units
    again = label_sums(made)
    there = again.met.any(axis=(1, 2)) | (again.ratings == 0)
    assert columns(LabelSums(again.document[there], again.ratings[there], again.met[there])) == columns(sums)


def test_units_of_many_kinds_are_kept_as_sums_where_these_are_fewer() -> None:
    # By document 4096 * 55 sums, by pair 15 * 100 * 256, and the products of 100 cells.
    sums = 4096 * 55 + 15 * 100 * 256 + 15 * 100 * 101 // 2
    assert sums > MOST_KINDS
    assert are_too_various(sums + 1, 6, 10, 4096)
    assert not are_too_various(sums, 6, 10, 4096)
    assert are_too_various(MOST_KINDS + 1, 3, 5, 4096)
    assert not are_too_various(MOST_KINDS, 3, 5, 4096)
    assert not are_too_various(10**9, 2, 5, 4096)
    assert not are_too_various(10**9, 51, 2, 4096)
    assert are_too_various(10**9, 50, 2, 4096)


def test_documents_of_one_group_have_the_first_of_them() -> None:
    first = first_of_groups([f"d{number}" for number in range(20)], 2)
    assert len({*first.tolist()}) == 2
    assert (first <= np.arange(20)).all()
    assert (first[first] == first).all()


def test_units_without_a_document_and_sets_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.counts.export.are_too_various", lambda *_: True)
    units = of_labels([[0, 1], [1, 1], [2]])
    assert as_sums(units).sums_only
    alone = replace(units, document=np.array([0, -1, 2]))
    marked = replace(units, non_annotated=3)
    of_sets = replace(units, sets=(frozenset("k"),) * 4)
    for other in (alone, marked, of_sets):
        assert as_sums(other) is other


def test_products_of_many_cells_are_left_out() -> None:
    # 15 pairs of annotators with 18 and 19 labels each.
    assert have_products(6, 18)
    assert not have_products(6, 20)
    assert [pair_groups(6, labels) for labels in (18, 20)] == [256, 512]
