"""Unit sets and candidates: what counts as a unit, and that used and left out add up to read."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.campaign import UnitSet
from reportgen.counts import count, pair_tables
from reportgen.readers import Annotations, Regions
from reportgen.units import NO_CATEGORY, CodedUnits
from tests.measures.made import FILE, annotations, declare, matrix, study, units_of
from tests.present import present
from tests.units.marked import annotations as of_copies
from tests.units.marked import copy, rated
from tests.units.marked import study as marked_study
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


TEXT = "ypdA (now bdr) and yxxB, then bdr."
LISTED = UnitSet(id="genes", units="candidates", file="genes.txt")
MARKED = UnitSet(id="genes", units="candidates", layer="Gene")
KEPT = {"keep_marked": True}
TERMS = ("ypdA", "bdr", "yxxB")

Stretch = tuple[int, int]


def with_layer(export: Annotations, *places: Sequence[Stretch]) -> Annotations:
    """Return an export that marks candidates, each of some stretches, in its first document."""
    spans = [(number, *span) for number, place in enumerate(places) for span in place]
    columns = np.array(spans, dtype=np.int64).reshape(-1, 3)
    document = np.zeros(len(places), dtype=np.int64)
    return replace(export, candidates={"unit_sets.1.layer": Regions(document, *columns.T)})


def texts_of(units: CodedUnits, text: str) -> list[str]:
    """Return what each unit that has a place covers."""
    places = units.places
    return [
        "…".join(
            text[places.start[place] : places.end[place]] for place in np.flatnonzero(places.unit == unit)
        )
        for unit in units.unit_place.tolist()
        if unit >= 0
    ]


def test_a_mark_counts_for_what_it_overlaps_and_one_that_touches_nothing_is_left_out_or_kept() -> None:
    export = of_copies(
        copy("a", TEXT, [(5, 13, "New"), (14, 18, "New"), (4, 4, "X")]), copy("b", TEXT, [(14, 18, "New")])
    )
    found = marked_study(export, LISTED, LISTED.model_copy(update=KEPT), terms=TERMS)
    without, kept = found.unit_sets
    candidates = present(without.candidates)
    assert (candidates.file, candidates.terms, candidates.layer) == ("genes.txt", 3, "")
    assert rated(without) == [
        (1, {"a": "New", "b": "(unmarked)"}),
        (3, {"a": "(unmarked)", "b": "(unmarked)"}),
    ]
    assert without.marks.left_out == {"outside every candidate": 3}
    assert rated(kept) == [
        (1, {"a": "X", "b": "(unmarked)"}),
        (1, {"a": "New", "b": "(unmarked)"}),
        (1, {"a": "New", "b": "New"}),
        (3, {"a": "(unmarked)", "b": "(unmarked)"}),
    ]
    assert (kept.units, kept.marks.used, kept.marks.left_out) == (6, 4, {})
    assert texts_of(kept, TEXT) == ["", "bdr", "and"]
    assert found.left_out == ()


def test_candidates_that_are_nowhere_are_refused_with_what_was_looked_for() -> None:
    export = of_copies(copy("a", TEXT, [(0, 4, "X")]))
    problem = refusal(marked_study, export, LISTED, terms=("sigB", "sigC"))
    assert (problem.key, problem.message) == (
        "unit_sets.1.file",
        "none of the 2 terms in genes.txt occurs in a text.",
    )
    problem = refusal(marked_study, with_layer(export), MARKED)
    assert (problem.key, problem.message) == (
        "unit_sets.1.layer",
        'no mark of "Gene" is of a stretch of text.',
    )


def test_second_passes_and_references_neither_mark_candidates_nor_outdo_marks() -> None:
    export = of_copies(
        copy("a", TEXT, [(0, 9, "Y")]),
        copy("a2", TEXT, [(0, 4, "X")]),
        copy("gold", TEXT, [(0, 4, "X"), (14, 18, "X")], role="reference"),
    )
    kept = LISTED.model_copy(update=KEPT)
    (units,) = marked_study(export, kept, same_as={"a2": "a"}, terms=TERMS).unit_sets
    assert rated(units) == [(1, {"a": "Y"}), (3, {"a": "(unmarked)"})]


Found = list[tuple[int, int, str]]

STRETCHES = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(lambda each: (min(each), max(each)))
MARKS = st.lists(
    st.tuples(STRETCHES, st.sampled_from("XY")).map(lambda each: (*each[0], each[1])), max_size=4
)


@given(MARKS, MARKS, st.lists(STRETCHES, min_size=1, max_size=4), st.booleans())
def test_candidates_have_the_labels_that_a_search_through_all_marks_finds(
    one: Found,
    other: Found,
    places: list[Stretch],
    keep: bool,  # noqa: FBT001 - drawn
) -> None:
    """Used + left out = read, and every label is the one expected of each candidate on its own."""
    text = "abcdefghij"
    export = with_layer(of_copies(copy("a", text, one), copy("b", text, other)), *([each] for each in places))
    chosen = MARKED.model_copy(update={"keep_marked": keep})
    found = marked_study(export, chosen)
    (units,) = found.unit_sets
    assert units.marks.used + sum(units.marks.left_out.values()) == found.marks_read == len(one) + len(other)
    assert found.marks_used + sum(each.marks for each in found.left_out) == found.marks_read
    distinct = sorted(set(places))
    own = [mark[:2] for mark in (*one, *other) if not touches(mark[:2], distinct)] if keep else []
    expected = [
        (expect(unit, one, distinct), expect(unit, other, distinct))
        for unit in (*distinct, *sorted(set(own)))
    ]
    seen = [(labels["a"], labels["b"]) for weight, labels in rated(units) for _ in range(weight)]
    assert sorted(seen) == sorted(expected)


def touches(stretch: Stretch, places: Sequence[Stretch]) -> bool:
    return any(stretch == place or overlap(stretch, place) for place in places)


def overlap(one: Stretch, other: Stretch) -> bool:
    return bool(set(range(*one)) & set(range(*other)))


def expect(unit: Stretch, marks: Found, places: Sequence[Stretch]) -> str:
    exact = {label for start, end, label in marks if (start, end) == unit}
    partial = {
        label
        for start, end, label in marks
        if overlap((start, end), unit) and (start, end) not in places and unit in places
    }
    return "|".join(sorted(exact or partial)) or "(unmarked)"
