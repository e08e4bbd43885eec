"""The table of pseudonyms that a campaign keeps: each row that is wrong, and who gets which number."""

from dataclasses import replace

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import ExcludedMarks
from reportgen.units import (
    Pseudonyms,
    pseudonyms,
    pseudonyms_csv,
    read_pseudonyms,
    unit_names,
    with_pseudonyms,
)
from tests.measures import made
from tests.present import present
from tests.units import marked

NAMES = Pseudonyms({"ann": "A01", "=bob": "A12"}, {"d,1": "D0001"}, {"u": "U00001"})
HEAD = "kind,name,pseudonym\n"


def test_a_table_is_read_as_it_was_written() -> None:
    text = pseudonyms_csv(NAMES)
    assert text.splitlines()[:2] == ['"kind","name","pseudonym"', '"annotator","ann","A01"']
    assert [line.partition(",")[0] for line in text.splitlines()[1:]] == [
        '"annotator"', '"annotator"', '"document"', '"unit"'
    ]  # fmt: skip
    assert read_pseudonyms(text, "p.csv") == NAMES
    assert read_pseudonyms(HEAD, "p.csv") == Pseudonyms()


def problems(text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(BadInput) as caught:
        read_pseudonyms(text, "p.csv")
    assert {problem.file for problem in caught.value.problems} == {"p.csv"}
    return [(problem.line, problem.message, problem.remedy) for problem in caught.value.problems]


@pytest.mark.parametrize(("text", "line"), [("", 0), ("\nname,kind,pseudonym\n", 2), ("kind,name\n", 1)])
def test_what_begins_otherwise_is_no_table_of_pseudonyms(text: str, line: int) -> None:
    ((found, message, _),) = problems(text)
    assert (found, message) == (
        line,
        "is not a table of pseudonyms: its first row is not kind,name,pseudonym.",
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("annotator,ann", "a row of kind, name, pseudonym was expected."),
        ("annotator,ann,A01,x", "a row of kind, name, pseudonym was expected."),
        ("person,ann,A01", '"person" is not a kind; annotator, document, unit are.'),
        ("annotator,ann,A1", '"A1" is not a pseudonym of "ann".'),
        ("annotator,ann,A00", '"A00" is not a pseudonym of "ann".'),
        ("document,ann,A01", '"A01" is not a pseudonym of "ann".'),
    ],
)
def test_a_row_that_is_wrong_by_itself_is_named_with_its_line(row: str, message: str) -> None:
    ((line, found, _),) = problems(f"{HEAD}annotator,bob,A02\n{row}\n")
    assert (line, found) == (3, message)


def test_no_name_is_there_twice_and_no_pseudonym_is_given_to_two() -> None:
    rows = (
        *("annotator,ann,A01", "annotator,bob,A09", "document,ann,D0001", "annotator,ann,A02"),
        *("annotator,cyd,A09", "document,cyd,D0009", "unit,cyd,U"),
    )
    assert problems(HEAD + "".join(f"{row}\n" for row in rows)) == [
        (5, '"ann" has a pseudonym already, in line 2.', "Keep the one that was published."),
        (
            6,
            '"A09" is given to "cyd" here, and in line 3 to somebody else.',
            "Leave it to the one who was published under it, and give the other a new one, such as A10.",
        ),
        (8, '"U" is not a pseudonym of "cyd".', "Write one such as U00001."),
    ]


def test_who_was_kept_keeps_the_number_and_who_is_new_comes_behind_all_of_them() -> None:
    kept = {"zoe": "A02", "gone": "A07"}
    assert pseudonyms([["ann", "zoe"], ["bob"]], kept=kept) == {
        "zoe": "A02", "gone": "A07", "ann": "A08", "bob": "A09"
    }  # fmt: skip
    assert pseudonyms([["A02", "A05"]], kept={"x": "A05"}) == {"x": "A05", "A02": "A02", "A05": "A06"}
    assert pseudonyms([[], ["A03"], ["ann"]]) == {"A03": "A03", "ann": "A04"}
    assert pseudonyms([]) == {}


def test_long_names_of_units_are_hidden_in_paths_and_short_ones_are_not() -> None:
    names = Pseudonyms({"ann": "A01"}, {"memo": "D0001"}, {"sentence": "U00001", "item": "U00002"})
    assert names.in_path("ann/memo/sentence/item.txt") == "A01/D0001/U00001/item.txt"
    assert names.in_paths(["ann/x", "sentence/item"]) == {"ann", "sentence"}


def test_pseudonyms_are_in_all_parts_of_a_study() -> None:
    text = "one two"
    export = marked.annotations(
        marked.copy("ann", text, [(0, 3, "X")]),
        marked.copy("ann2", text, [(4, 7, "X")]),
        marked.copy("gold", text, role="reference"),
        marked.copy("bob", text),
    )
    names = Pseudonyms({"ann": "A01", "ann2": "A02", "gold": "A03", "bob": "A04"}, {"d": "D0001"})
    study = replace(marked.study(export, same_as={"ann2": "ann"}), disputed=())
    listed = replace(study, disputed=study.unit_sets)
    found = with_pseudonyms(listed, names)
    assert found.unit_sets[0].annotators == found.disputed[0].annotators == ("A01", "A04")
    assert found.unit_sets[0].documents == ("D0001",)
    assert [(marks.annotator, marks.file) for marks in found.left_out] == [("A02", "A02/D0001.ann")]
    assert found.spans is not None
    assert (found.spans.people, found.spans.documents) == (("A03", "A01", "A04"), ("D0001",))
    assert found.compared[0].units.annotators == ("A03", "A01", "A04")
    assert (present(found.passes).people, present(found.passes).units.documents) == (("A01",), ("D0001",))
    assert [each.annotator for each in found.material.attendance] == ["A01", "A02", "A04"]
    plain = with_pseudonyms(made.study(made.annotations([("a", "b")])), names)
    assert (plain.spans, plain.passes, plain.controls) == (None, None, None)
    lost = ExcludedMarks("ann/d.txt", 1, "ann", "rare", 1)
    assert with_pseudonyms(replace(study, left_out=(lost,)), names).left_out[0].file == "A01/D0001.txt"


def test_units_of_which_the_disputed_ones_are_named_have_the_names_of_these() -> None:
    export = made.annotations([("a", "b")])
    named = replace(export.ratings, unit_names=("u",))
    assert unit_names(replace(export, content=named)) == ("u",)
    assert unit_names(replace(export, content=replace(export.ratings, disputed=named))) == ("u",)
    assert unit_names(marked.annotations(marked.copy("ann", "one"))) == ()
