"""Roles, second passes, the order of categories and of annotators, pseudonyms."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from reportgen.campaign import DistanceMatrix, Task
from reportgen.units import unknown_to_distances
from tests.measures.made import annotations, matrix, study, units_of


@given(
    st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 4), max_size=6),
    st.sampled_from(["annotator", "reference", "system", "model"]),
)
def test_marks_used_and_left_out_add_up_to_marks_read(rows: list[tuple[str | None, ...]], role: str) -> None:
    export = annotations(rows, annotators=("p", "q", "r", "s"), weights=[3] * len(rows))
    found = study(export, roles={"s": role}, same_as={"q": "p"})
    assert found.marks_read == found.marks_used + sum(each.marks for each in found.left_out)
    assert found.marks_read == 3 * sum(label is not None for row in rows for label in row)
    pairs = set(zip(found.unit_sets[0].unit.tolist(), found.unit_sets[0].annotator.tolist(), strict=True))
    assert len(pairs) == len(found.unit_sets[0].unit)


def test_annotators_stand_in_the_order_of_their_names_but_of_a_matrix_as_there() -> None:
    assert units_of(annotations([("x", "y")], annotators=("zoe", "ann"))).annotators == ("ann", "zoe")
    table = units_of(matrix([[1, 2], [3, 4]], ("a", "b"), ("zoe", "ann")))
    assert table.annotators == ("zoe", "ann")


def test_categories_that_a_distance_table_does_not_know() -> None:
    table = DistanceMatrix("expert", ("a", "b"), ((0, 1), (1, 0)), "", "d.csv")
    tasks = [Task(categories=("a",), non_annotated="none"), Task()]
    found = unknown_to_distances([("b", "c"), ("a", "d")], tasks, [(table, "camp/d.csv")])
    assert [problem.message.split('"')[1] for problem in found] == ["c", "none", "d"]
    assert {problem.file for problem in found} == {"camp/d.csv"}


def test_a_distance_table_is_held_against_the_layers_whose_categories_it_knows() -> None:
    table = DistanceMatrix("expert", ("a", "b"), ((0, 1), (1, 0)), "", "d.csv")
    tasks = [Task(), Task()]
    assert unknown_to_distances([("a", "b"), ("p", "q")], tasks, [(table, "d.csv")]) == []
    stranger = DistanceMatrix("other", ("x", "y"), ((0, 1), (1, 0)), "", "o.csv")
    found = unknown_to_distances([("a", "b"), ("p", "q")], tasks, [(stranger, "o.csv")])
    assert [problem.message.split('"')[1] for problem in found] == ["a", "b", "p", "q"]


def test_what_an_export_has_besides_labels_is_kept() -> None:
    export = annotations([("a", "b", "a")], annotators=("ann", "gold", "zoe"))
    assert study(export).not_compared is None
    assert study(replace(export, not_compared={"smileys": 3})).not_compared == {"smileys": 3}
