"""Roles, second passes, the order of categories and of annotators, pseudonyms."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.campaign import DistanceMatrix, Task
from reportgen.readers import ExcludedMarks
from reportgen.readers.counted import AttendanceDescribed
from reportgen.units import (
    Pseudonyms,
    number,
    pseudonyms,
    unknown_to_distances,
    with_pseudonyms,
)
from tests.measures.made import annotations, matrix, study, units_of
from tests.units.marked import labelled


def test_references_systems_and_models_are_left_out_with_their_role() -> None:
    export = annotations([("a", "b", "a"), ("b", "b", None)], annotators=("ann", "gold", "bot"))
    found = study(export, roles={"ann": "annotator", "gold": "reference", "bot": "model"})
    assert found.unit_sets[0].annotators == ("ann",)
    assert [(each.annotator, each.marks, each.reason.split(":")[0]) for each in found.left_out] == [
        ("gold", 1, "not an annotator but a reference"),
        ("gold", 1, "not an annotator but a reference"),
        ("bot", 1, "not an annotator but a model"),
    ]
    assert sorted(found.passed_over.values()) == [1, 2]
    assert (found.marks_read, found.marks_used) == (5, 2)


def test_the_first_label_of_a_person_on_a_unit_counts() -> None:
    # Lower pass first, then the person's own name, then the order of the file.
    export = annotations(
        [("a", "b", "c"), (None, "b", "c"), ("a", "b", "c")],
        annotators=("ann", "again", "ben"),
        passes=[(0, 0, 0), (0, 0, 0), (1, 0, 0)],
    )
    found = study(export, same_as={"again": "ann"})
    assert labelled(found.unit_sets[0]) == {
        (0, "ann"): "a", (1, "ann"): "b", (2, "ann"): "b", (0, "ben"): "c", (1, "ben"): "c", (2, "ben"): "c",
    }  # fmt: skip
    assert {(each.annotator, each.marks) for each in found.left_out} == {("ann", 1), ("again", 1)}
    assert all(each.reason.startswith("a second pass") for each in found.left_out)


def test_a_second_pass_of_a_reference_is_no_annotators() -> None:
    export = annotations([("a", "b", "a"), (None, "b", "a")], annotators=("gold", "gold2", "ann"))
    found = study(export, same_as={"gold2": "gold"}, roles={"gold": "reference", "gold2": "annotator"})
    assert found.unit_sets[0].annotators == ("ann",)
    assert Counter(each.annotator for each in found.left_out) == {"gold": 1, "gold2": 2}


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


def test_categories_are_declared_ones_then_those_that_occur_then_the_non_annotated() -> None:
    export = annotations([("none", "10"), ("9", "word"), ("New", "A")])
    found = units_of(export, categories=["New", "Former"], non_annotated="none").categories
    assert found == ("New", "Former", "9", "10", "A", "word", "none")


def test_the_columns_of_a_matrix_keep_their_order() -> None:
    found = units_of(matrix([[1, 1, 1], [1, 1, 1], [1, 1, 1]], ("none", "b", "a")), non_annotated="none")
    assert found.categories == ("b", "a", "none")
    assert found.non_annotated == 2


@pytest.mark.parametrize(
    ("declared", "rows", "categories"),
    [
        ([], ["3", "10", "-1", "2.5"], ("-1", "2.5", "3", "10")),
        (["low", "mid", "high"], ["high", "low"], ("low", "mid", "high")),
        (["1", "2"], ["2", "3"], ("1", "2", "3")),
    ],
)
def test_the_order_of_an_ordinal_scale(
    declared: list[str], rows: list[str], categories: tuple[str, ...]
) -> None:
    export = annotations([(label, label) for label in rows])
    assert units_of(export, scale="ordinal", categories=declared).categories == categories


@pytest.mark.parametrize(
    ("declared", "label"),
    [([], "low"), (["low", "high"], "middle"), (["low", "high"], "3"), (["1", "3"], "2")],
)
def test_a_category_without_a_place_in_the_order_is_refused(declared: list[str], label: str) -> None:
    with pytest.raises(BadInput, match=f'the place of "{label}" in its order is not declared'):
        units_of(annotations([(label, label)]), scale="ordinal", categories=declared)


def test_a_matrix_has_an_order() -> None:
    names = ("low", "mid", "high")
    export = matrix([[1, 1, 1], [1, 1, 1], [1, 1, 1]], names)
    assert units_of(export, scale="ordinal").categories == names
    assert units_of(export, scale="ordinal", categories=["low"]).categories == names
    with pytest.raises(BadInput, match='the place of "low", "mid"'):
        units_of(export, scale="ordinal", categories=["high"])


@pytest.mark.parametrize("scale", ["interval", "ratio"])
@pytest.mark.parametrize("word", ["high", "nan", "inf", "1e300"])
def test_only_numbers_stand_on_an_interval_or_ratio_scale(scale: str, word: str) -> None:
    with pytest.raises(BadInput, match=f'on {scale} scales every category is a number, and "{word}" is none'):
        units_of(annotations([("1", word)]), scale=scale)


def test_a_ratio_scale_starts_at_zero() -> None:
    with pytest.raises(BadInput, match='ratio scales start at zero, and "-1" is below it'):
        units_of(annotations([("0", "-1")]), scale="ratio")
    assert units_of(annotations([("0", "-1")]), scale="interval").categories == ("-1", "0")


def test_numbers() -> None:
    assert [number(name) for name in ("07", "-2.5", "1e3", "x", "", "nan", "inf")] == [
        7, -2.5, 1000, None, None, None, None,
    ]  # fmt: skip


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


def test_pseudonyms_are_numbered_by_version_and_then_by_name() -> None:
    first = pseudonyms([["zoe", "ann"]])
    assert first == {"ann": "A01", "zoe": "A02"}
    assert pseudonyms([["zoe", "ann"], ["bob", "ann"]]) == {**first, "bob": "A03"}
    assert pseudonyms([[f"w{n:04}" for n in range(120)]])["w0119"] == "A120"


def test_what_an_export_has_besides_labels_is_kept() -> None:
    export = annotations([("a", "b", "a")], annotators=("ann", "gold", "zoe"))
    assert study(export).not_compared is None
    assert study(replace(export, not_compared={"smileys": 3})).not_compared == {"smileys": 3}


def test_pseudonyms_stand_in_for_names_everywhere() -> None:
    export = annotations([("a", "b", "a")], annotators=("ann", "gold", "zoe"))
    found = study(export, roles={"gold": "reference"})
    more = (*found.left_out, ExcludedMarks("1.0/zoe/x.csv", 3, "zoe", "empty", 1))
    here = AttendanceDescribed(annotator="zoe", marked=1, empty=0, skipped=0, unseen=0)
    found = replace(found, left_out=more, material=found.material.model_copy(update={"attendance": (here,)}))
    hidden = with_pseudonyms(found, Pseudonyms({"ann": "A01", "gold": "A02", "zoe": "A03"}))
    assert hidden.unit_sets[0].annotators == ("A01", "A03")
    assert [(each.annotator, each.file) for each in hidden.left_out] == [
        ("A02", ""),
        ("A03", "1.0/A03/x.csv"),
    ]
    assert [each.annotator for each in hidden.material.attendance] == ["A03"]


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("exports/ann/doc.csv", "exports/A1/doc.csv"),
        ("exports/ann.csv", "exports/A1.csv"),
        ("exports/ann.v2.tar.gz", "exports/A1.v2.tar.gz"),
        ("exports/j.doe.csv", "exports/A2.csv"),
        ("exports/j.doe.v2.csv", "exports/A2.v2.csv"),
        ("exports/annex.csv", "exports/annex.csv"),
        ("exports/1.0/doc.csv", "exports/1.0/doc.csv"),
    ],
)
def test_names_are_hidden_in_paths(file: str, shown: str) -> None:
    assert Pseudonyms({"ann": "A1", "j.doe": "A2"}).in_path(file) == shown


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("exports/annabel1.csv", "exports/A11.csv"),
        ("exports/fromAnnabel.csv", "exports/fromA1.csv"),
        ("exports/annabelsfile.csv", "exports/A1sfile.csv"),
        ("exports/Zoe\u0308/of mU\u0308ller.csv", "exports/A2/of A2.csv"),
        ("exports/of WEI\u00dfE.csv", "exports/of A3.csv"),
        ("exports/weißendaten.csv", "exports/A3ndaten.csv"),
        ("exports/person.csv", "exports/person.csv"),
        ("exports/dr-2.csv", "exports/dr-2.csv"),
        ("exports/xpatient-77y/77.csv", "exports/xD0001y/77.csv"),
        ("exports/task of cities.csv", "exports/U00001.csv"),
        ("exports/json.json", "exports/A6.json"),
        ("exports/zoe/zoemuller.csv", "exports/A2/A2.csv"),
        ("exports/from OBrien.csv", "exports/from A8.csv"),
    ],
)
def test_long_names_and_parts_of_peoples_names_are_hidden_in_paths(file: str, shown: str) -> None:
    people = ("annabel", "Zoë Müller", "weiße", "person one", "person two", "json", "dr-x", "O'Brien")
    names = Pseudonyms(
        {name: f"A{number}" for number, name in enumerate(people, 1)},
        {"patient-77": "D0001"},
        {"task of cities": "U00001", "csv": "U00002"},
    )
    assert names.in_path(file) == shown
