"""Unit sets: what counts as a unit, and that used and left out add up to read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.counts import count, pair_tables
from reportgen.units import NO_CATEGORY, CodedUnits
from tests.measures.made import FILE, annotations, declare, matrix, study, units_of
from tests.units.refusals import refusal

ROWS = [("a", "b"), ("a", "none"), ("none", "none"), ("b", None), (None, None), ("none", None), ("b", "b")]
KINDS = st.sampled_from(["items", "annotated-by-any", "annotated-by-all", "declared"])
LABELS = st.sampled_from(["a", "b", "none", None])


def chosen(kind: str, size: int | None = None) -> CodedUnits:
    return units_of(annotations(ROWS), kind, size, non_annotated="none")


def labels(units: CodedUnits) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in range(len(units.weight))]
    for unit, label in zip(units.unit.tolist(), units.label.tolist(), strict=True):
        found[unit].append(units.categories[label])
    return found


def test_annotated_by_any_keeps_what_somebody_marked() -> None:
    units = chosen("annotated-by-any")
    assert labels(units) == [["a", "b"], ["a", "none"], ["b"], ["b", "b"]]
    assert units.units_left_out == {"nobody marked the unit": 3}
    assert units.non_annotated == 2


def test_annotated_by_all_keeps_what_everybody_marked_and_drops_the_category() -> None:
    units = chosen("annotated-by-all")
    assert labels(units) == [["a", "b"], ["b", "b"]]
    assert units.units_left_out == {"not every annotator marked the unit": 5}
    assert (units.categories, units.non_annotated) == (("a", "b"), NO_CATEGORY)
    assert units.non_annotated_name == "none"


def test_a_declared_size_stands_for_the_unmarked_units() -> None:
    units = chosen("declared", 10)
    assert units.units == 10
    assert (units.units_read, units.units_added) == (7, 6)
    assert units.units_left_out == {"unmarked units of the export, which the declared size replaces": 3}
    assert labels(units)[-1] == ["none", "none"]
    assert units.weight.tolist() == [1, 1, 1, 1, 6]


@given(st.lists(st.tuples(LABELS, LABELS, st.integers(1, 5)), max_size=7), KINDS)
def test_used_and_left_out_add_up_to_read(rows: list[tuple[str | None, str | None, int]], kind: str) -> None:
    export = annotations([row[:2] for row in rows], annotators="xy", weights=[row[2] for row in rows])
    units = units_of(export, kind, 40 if kind == "declared" else None, non_annotated="none")
    assert units.units_read == sum(row[2] for row in rows)
    assert units.units - units.units_added + sum(units.units_left_out.values()) == units.units_read
    assert kind != "declared" or units.units == 40
    assert (units.weight > 0).all()
    assert units.unit.max(initial=-1) < len(units.weight)


def test_a_size_below_the_marked_units_is_refused() -> None:
    problem = refusal(chosen, "declared", 3)
    assert (problem.file, problem.key) == (FILE, "unit_sets.1.size")
    assert problem.message == "the size 3 is below the 4 units that were marked there."


def test_a_declared_size_brings_a_non_annotated_category_that_the_export_does_not_name() -> None:
    units = units_of(matrix([[3, 1], [2, 4]], ("a", "b")), "declared", 15, non_annotated="none")
    assert units.categories == ("a", "b", "none")
    (table,) = pair_tables(count(units).pairs, 3)
    assert table.counts.tolist() == [[3, 1, 0], [2, 4, 0], [0, 0, 5]]


def test_a_declared_size_without_a_name_for_unmarked_units_is_refused() -> None:
    with pytest.raises(BadInput, match=r"task\.non_annotated: .*needs a name"):
        units_of(matrix([[3, 1], [2, 4]], ("a", "b")), "declared", 15)


BY_DOCUMENT = [("a", "b"), ("none", "none"), ("a", "none"), ("b", "b"), ("none", "none")]
DOCUMENTS = ["d1", "d1", "d2", "d2", "d3"]


def test_a_size_for_each_document() -> None:
    export = annotations(BY_DOCUMENT, documents=DOCUMENTS)
    units = units_of(export, "declared", {"d3": 4, "d1": 1, "d2": 5, "d4": 2}, non_annotated="none")
    sizes = dict.fromkeys(units.documents, 0)
    for document, weight in zip(units.document.tolist(), units.weight.tolist(), strict=True):
        sizes[units.documents[document]] += weight
    assert sizes == {"d1": 1, "d2": 5, "d3": 4, "d4": 2}
    assert (units.units, units.units_added) == (12, 9)
    assert all(each == ["none", "none"] for each in labels(units)[3:])


def test_everything_wrong_with_sizes_by_document_is_told_at_once() -> None:
    export = annotations([*BY_DOCUMENT, ("a", None)], documents=[*DOCUMENTS, None])
    with pytest.raises(BadInput) as caught:
        units_of(export, "declared", {"d1": 0, "d2": 2}, non_annotated="none")
    assert {problem.message for problem in caught.value.problems} == {
        "the size 0 of document d1 is below the 1 units that were marked there.",
        "the size of document d3 is missing.",
        "sizes are declared by document, but 1 marked units of the export have none.",
    }


@pytest.mark.parametrize("kind", ["tokens", "sentences"])
def test_a_kind_that_needs_texts_is_refused(kind: str) -> None:
    problem = refusal(chosen, kind)
    assert problem.key == "unit_sets.1.units"
    assert "needs an export that has texts with marks" in problem.message
    assert problem.remedy == "Use one of items, declared, annotated-by-any, annotated-by-all."


def test_unit_sets_stand_side_by_side_and_all_their_faults_come_at_once() -> None:
    export = annotations(ROWS)
    found = study(export, declare(), declare("annotated-by-any", None, 2), non_annotated="none").unit_sets
    assert [(each.id, each.kind, each.primary) for each in found] == [
        ("items", "items", True),
        ("annotated-by-any", "annotated-by-any", False),
    ]
    with pytest.raises(BadInput) as caught:
        study(export, declare("declared", 1), declare("tokens", None, 2), non_annotated="none")
    assert [problem.key for problem in caught.value.problems] == ["unit_sets.1.size", "unit_sets.2.units"]
