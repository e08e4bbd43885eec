"""Codes of people, units and marks: the small rules behind, on arrays made here."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from reportgen.measures.annotators.times import NO_GO, UnitWork, in_order, work_of
from reportgen.readers import ExcludedMarks
from reportgen.readers.work_times import UNKNOWN
from reportgen.units import CodedUnits, LayerUnits, unit_sets
from reportgen.units.labels import (
    NO_CATEGORY,
    all_equal_row_pairs,
    aranges,
    distinct_codes,
    equal_row_pairs,
    ranges,
    sums_by,
)
from reportgen.units.segmentation import bases
from reportgen.units.study import MOST_LEFT_OUT, left_out_csv, marks_left_out, not_compared, sum_of_marks
from reportgen.units.unit_sets import MarkSums, UnitMarks, everybody, of_crowd, order_of_copies, people
from tests.defaults import taken
from tests.measures import made
from tests.present import present
from tests.units import marked


def codes(*numbers: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


def test_what_nobody_says_is_nothing() -> None:
    assert taken("units/*.py") == {
        "label_checks.Expected.in_tables": True,
        "label_checks.Expected.named": True,
        "spans.Credit.divisor": 1.0,
        "spans.SpanFrame.beta": 1.0,
    }
    assert CodedUnits("main").non_annotated == NO_CATEGORY == -1


# Arrays


def test_numbers_are_counted_and_ranges_spelled_out_row_by_row() -> None:
    assert aranges(codes(2, 0, 3)).tolist() == [0, 1, 0, 1, 2]
    row, number = ranges(codes(5, 9, 2), codes(7, 9, 5))
    assert (row.tolist(), number.tolist()) == ([0, 0, 2, 2, 2], [5, 6, 2, 3, 4])


def test_values_add_up_by_one_index_or_by_two() -> None:
    assert sums_by(codes(1, 0, 1), codes(5, 6, 7), 3).tolist() == [6, 12, 0]
    assert sums_by((codes(0, 1, 0), codes(1, 0, 1)), codes(5, 6, 7), (2, 2)).tolist() == [[0, 12], [6, 0]]


def test_every_two_equal_rows_meet_neighbours_first() -> None:
    columns = codes(0, 0, 0, 1, 1), codes(7, 7, 7, 7, 8)
    assert [
        list(zip(*(each.tolist() for each in both), strict=True)) for both in equal_row_pairs(*columns)
    ] == [[(0, 1), (1, 2)], [(0, 2)]]
    first, second = all_equal_row_pairs(*columns)
    assert (first.tolist(), second.tolist()) == ([0, 1, 0], [1, 2, 2])
    assert [each.tolist() for each in all_equal_row_pairs(codes(1, 2))] == [[], []]
    assert [each.tolist() for each in all_equal_row_pairs(codes())] == [[], []]


def test_different_codes_are_in_order_whatever_their_number() -> None:
    assert distinct_codes(codes(3, 0, 3), codes(1)).tolist() == [0, 1, 3]
    assert distinct_codes(codes(), codes(0)).tolist() == [0]
    assert distinct_codes(codes()).tolist() == distinct_codes().tolist() == []


# People


def test_a_second_pass_has_its_own_role_or_else_that_of_the_first() -> None:
    names = ("ann", "ann2", "gold", "gold2", "bob")
    found = people(
        names,
        {"gold": "reference", "ann2": "model"},
        {"ann2": "ann", "gold2": "gold", "bob": "nobody"},
    )
    assert found.person.tolist() == [0, 0, 2, 2, 4]
    assert found.roles == ("annotator", "model", "reference", "reference", "annotator")
    assert found.counts.tolist() == [True, False, False, False, True]
    # In another role it is another person, among all who are compared.
    every = everybody(found)
    assert every.person.tolist() == [0, 1, 2, 2, 4]
    assert every.counts.all()


def test_a_person_is_known_by_the_own_name_though_another_comes_first() -> None:
    found = everybody(people(("ann2", "ann", "bob"), {}, {"ann2": "ann"}))
    assert found.person.tolist() == [1, 1, 2]


def test_copies_under_the_own_name_come_before_the_others_of_each_document() -> None:
    found = people(("ann2", "ann", "ann3", "bob"), {}, {"ann2": "ann", "ann3": "ann"})
    saw = np.array([[True, True, True, True], [True, False, True, False]])
    assert order_of_copies(saw, found).tolist() == [[1, 0, 2, 0], [0, -1, 1, -1]]


# Marks of a unit set


def test_each_mark_is_used_once_with_its_weight_however_many_units_it_is_on() -> None:
    lost = (("rare", codes(1)),)
    marks = UnitMarks(codes(0, 0, 2), codes(0, 1, 1), codes(1, 5, 3), lost, cutting=codes(2, 1))
    assert (marks.used, marks.boundary, marks.left_out) == (4, 1, {"rare": 5})
    assert replace(marks, cutting=None).boundary is None
    counted = replace(marks, sums=MarkSums(7, {"few": 2}, 3))
    assert (counted.used, counted.boundary, counted.left_out) == (7, 3, {"few": 2})


def test_units_of_texts_are_none_that_the_export_lists_one_by_one() -> None:
    export = marked.annotations(
        marked.copy("a", "one two three", [(0, 3, "X")]), marked.copy("b", "one two three")
    )
    (units,) = marked.study(export).unit_sets
    assert (units.weight.tolist(), units.counted) == ([1, 2], False)
    alike = replace(made.annotations([("a", "b")]).ratings, counted=True)
    assert made.units_of(replace(made.annotations([("a", "b")]), content=alike)).counted


def test_categories_are_sets_of_one_and_the_category_of_unmarked_units_is_the_empty_set() -> None:
    units = CodedUnits("main", categories=("x", "none"), non_annotated_name="none")
    assert units.as_sets.sets == (frozenset("x"), frozenset())
    assert units.as_sets.scale == "set"
    sets = (frozenset("x"), frozenset("xy"))
    assert replace(units, sets=sets).as_sets.sets == sets


def test_a_large_crowd_is_known_by_the_labels_of_its_units_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    units = made.units_of(made.annotations([("y", "x", "x"), ("x", None, "y")]))
    assert of_crowd(units) is units
    monkeypatch.setattr(unit_sets, "is_large_crowd", lambda *asked: asked == (3, 2, 6))
    assert of_crowd(own := units.as_sets) is own
    found = of_crowd(units)
    assert [each.tolist() for each in (found.unit, found.annotator, found.label)] == [
        [0, 0, 0, 1, 1],
        [0, 1, 2, 0, 1],
        [0, 0, 1, 0, 1],
    ]
    given = present(found.margins)
    by_annotator = zip(given.annotator.tolist(), given.label.tolist(), given.n.tolist(), strict=True)
    assert [*by_annotator] == [(0, 0, 1), (0, 1, 1), (1, 0, 1), (2, 0, 1), (2, 1, 1)]
    again = of_crowd(replace(found, unit=found.unit[::-1], label=found.label[::-1]))
    assert again.margins is given
    assert [each.tolist() for each in (again.unit, again.label)] == [[0, 0, 0, 1, 1], [0, 0, 1, 0, 1]]


def test_who_has_labels_of_ten_moments_worked_in_their_order() -> None:
    """Of the second of three there are nine moments, of the third one without a time."""
    moments = [*range(10), 3], [*range(9), 8, UNKNOWN], [7]
    at = codes(*(moment for own in moments for moment in own))
    who = np.repeat(codes(0, 1, 2), [len(own) for own in moments])
    units = CodedUnits("main", annotators=("A", "B", "C"), annotator=who)
    goes = np.append(np.arange(len(at) - 1), NO_GO)
    work = UnitWork(at, at, at, at, goes, by_document=False)
    found = present(in_order(work, units))
    assert found.tolist() == [*moments[0], *[UNKNOWN] * 12]
    late = replace(units, annotator=who + (who == 0))
    assert in_order(replace(work, at=codes(*[5] * len(at))), late) is None


def test_texts_follow_one_another_a_character_apart() -> None:
    """So that what ends one text does not touch what begins the next."""
    assert bases(cast("Any", SimpleNamespace(extents=(4, 0, 2)))).tolist() == [0, 5, 6, 9]


def test_without_times_nobody_knows_when_labels_were_given() -> None:
    export = made.annotations([("a", "b")])
    assert work_of(export, made.units_of(export), ("A", "B")) is None


# What became of all marks


def study(*left_out: ExcludedMarks, read: int | None = None, used: int = 5, **changes: object) -> LayerUnits:
    missed = sum(marks.marks for marks in left_out)
    own = made.study(made.annotations([("a", "b")]))
    return replace(
        own,
        left_out=left_out,
        marks_read=used + missed if read is None else read,
        marks_used=used,
        **changes,  # type: ignore[arg-type]
    )


def lost(file: str, line: int, who: str = "ann", reason: str = "rare", marks: int = 1) -> ExcludedMarks:
    return ExcludedMarks(file, line, who, reason, marks)


def test_marks_are_used_left_out_or_not_compared_and_none_is_lost() -> None:
    one = study(lost("a", 1, marks=2), missing=3, marks_again=4)
    other = study(lost("b", 1), read=9, not_compared={"times": 2, "heads": 1})
    found = sum_of_marks([one, other])
    assert (found.read, found.used, found.left_out, found.missing) == (16, 10, 3, 3)
    assert (found.again, found.not_compared) == (4, 3)
    assert not_compared([other, one, other]) == {"times": 4, "heads": 2}
    plain = sum_of_marks([study()])
    assert (plain.again, plain.not_compared) == (None, None)
    with pytest.raises(
        AssertionError, match="9 marks were read, 5 used, 1 left out and 0 not compared: 3 are lost"
    ):
        sum_of_marks([study(lost("a", 1), read=9)])


def many(number: int) -> Sequence[ExcludedMarks]:
    return [lost("a", line) for line in range(1, number + 1)]


def test_of_many_places_of_marks_left_out_those_of_one_file_annotator_and_reason_are_joined() -> None:
    few = [study(*many(MOST_LEFT_OUT))]
    assert marks_left_out(few) == tuple(many(MOST_LEFT_OUT))
    assert left_out_csv(few) is None
    others = lost("b", 7), lost("a", 8, "bob"), lost("a", 9, reason="far"), lost("b", 0, marks=4)
    more = [study(*many(MOST_LEFT_OUT - 3)), study(*others)]
    assert marks_left_out(more) == (
        lost("a", 1, marks=MOST_LEFT_OUT - 3),
        lost("b", 7, marks=5),
        lost("a", 8, "bob"),
        lost("a", 9, reason="far"),
    )
    head, *rows = (left_out_csv(more) or "").splitlines()
    assert head == "annotator,reason,marks,file,line"
    assert (len(rows), rows[0], rows[-1]) == (MOST_LEFT_OUT + 1, "ann,rare,1,a,1", "ann,rare,4,b,")
    assert marks_left_out([]) == ()


# How much there is


def test_material_is_what_annotators_saw_and_marked() -> None:
    export = marked.annotations(
        marked.copy("bob", "one two", [(0, 3, "X"), (4, 7, "Y")]),
        marked.copy("ann", "one two"),
        marked.copy("gold", "one two", [(0, 3, "Z")], role="reference"),
        marked.copy("bob", "three", document="e"),
        marked.copy("ann", "three", document="e", state="skipped"),
        marked.copy("ann", "four", document="f", state="unseen"),
        marked.copy("gold", "four", [(0, 4, "Z")], document="f", role="reference"),
    )
    found = marked.study(export).material
    assert (found.documents, found.documents_unmarked, found.tokens) == (3, 1, 4)
    assert (found.copies, found.tokens_seen, found.marks) == (3, 5, 2)
    assert found.labels == {"X": 1, "Y": 1}
    assert [
        (each.annotator, each.marked, each.empty, each.skipped, each.unseen) for each in found.attendance
    ] == [("ann", 0, 1, 1, 1), ("bob", 1, 1, 0, 1)]
    of_table = made.study(made.annotations([("a", "b"), ("a", "a")], weights=(3, 2))).material
    assert (of_table.tokens, of_table.documents_unmarked, of_table.attendance) == (None, None, ())
    assert (of_table.marks, of_table.labels) == (10, {"a": 7, "b": 3})
