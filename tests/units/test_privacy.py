"""Pseudonyms, the table that keeps them, names in paths, and groups that are too small to be named."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.measures.annotators.groups import ToldGroups, told
from reportgen.readers import Annotations, ExcludedMarks, Ratings
from reportgen.units import (
    Pseudonyms,
    document_names,
    pseudonyms,
    pseudonyms_csv,
    read_pseudonyms,
    unit_names,
    with_pseudonyms,
)
from reportgen.units.labels import nothing
from reportgen.units.pseudonyms import PathNames
from tests.measures import made
from tests.measures.made import annotations, study
from tests.present import present
from tests.units import marked

NAMES = Pseudonyms(
    annotators={"ann": "A01", "José": "A02", "1": "A03", "O'Brien": "A04"},
    documents={"patient-1": "D0001", "patient-10": "D0002", "letter of ann": "D0003", "Straße": "D0004"},
    units={"exports": "U00001"},
)


def test_documents_and_units_are_numbered_by_version_and_then_by_name() -> None:
    first = pseudonyms([["b", "a", "b"]], "document")
    assert first == {"a": "D0001", "b": "D0002"}
    assert pseudonyms([["b", "a"], ["0", "a"]], "document") == {**first, "0": "D0003"}
    assert pseudonyms([["x", ""]], "unit") == {"x": "U00001"}
    assert pseudonyms([map(str, range(10_001))], "document")["9999"] == "D10001"


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("exports/1.0/ann/patient-10.txt", "exports/1.0/A01/D0002.txt"),
        ("exports/1.0/Ann/PATIENT-1.ann", "exports/1.0/A01/D0001.ann"),
        ("exports/1.0/letter of ann.txt", "exports/1.0/D0003.txt"),
        ("exports/1.0/1.csv", "exports/1.0/A03.csv"),
        ("exports/1.0/1_patient-1_1.csv", "exports/1.0/A03_D0001_A03.csv"),
        ("exports/2.1.1/O'Brien-v1.csv", "exports/2.1.1/A04-v1.csv"),
        ("exports/Jose\N{COMBINING ACUTE ACCENT}.csv", "exports/A02.csv"),
        ("exports/Jose.csv", "exports/A02.csv"),
        ("STRASSE.txt", "D0004.txt"),
        ("exports/annex/patient-100.txt", "exports/annex/patient-100.txt"),
        ("", ""),
    ],
)
def test_names_in_paths_are_found_however_they_are_written(file: str, shown: str) -> None:
    assert NAMES.in_path(file) == shown


def test_a_name_has_one_pseudonym_in_all_versions() -> None:
    both = Pseudonyms({"ann": "A01"}, {"x": "D0001"}) | Pseudonyms({"ben": "A02"}, {}, {"u": "U00001"})
    assert both == Pseudonyms({"ann": "A01", "ben": "A02"}, {"x": "D0001"}, {"u": "U00001"})
    assert both.some({"ben"}, set(), {"u"}) == Pseudonyms({"ben": "A02"}, {}, {"u": "U00001"})
    assert both.hides_documents
    assert not both.of_annotators.hides_documents


def test_units_and_documents_keep_their_order_under_other_names() -> None:
    found = study(annotations([("a", "b"), ("b", "b")], annotators=("ann", "zoe")))
    units = found.unit_sets[0]
    names = Pseudonyms(units=pseudonyms([reversed(units.places.names)], "unit"))
    hidden = with_pseudonyms(found, names).unit_sets[0]
    assert hidden.places.names == tuple(map(names.unit, units.places.names))
    assert (hidden.unit == units.unit).all()
    assert (hidden.label == units.label).all()


def test_documents_labelled_as_a_whole_are_documents_and_no_units() -> None:
    none = nothing()
    ratings = Ratings((), ("ann",), ("a",), ("letter", "memo"), none, none, none, none, none, none)
    table = Annotations(ratings, "csv", "", 0)
    whole = Annotations(ratings, "doccano", "", 0, attendance=nothing())
    assert (document_names(table), unit_names(table)) == ((), ("letter", "memo"))
    assert (document_names(whole), unit_names(whole)) == (("letter", "memo"), ())
    assert Pseudonyms(documents={"memo": "D0001"}).unit("memo") == "D0001"


def test_names_that_are_pseudonyms_already_keep_their_numbers() -> None:
    assert pseudonyms([["A03", "A100", "A11"]]) == {"A03": "A03", "A100": "A100", "A11": "A11"}
    assert pseudonyms([["D0007", "D10000"]], "document") == {"D0007": "D0007", "D10000": "D10000"}
    # A later version changes no number, whoever is in it.
    first = {"A03": "A03", "A05": "A05"}
    second = {"A02": "A02", "A06": "A06", "ann": "A07"}
    assert pseudonyms([["A05", "A03"], ["A02", "A06", "ann"]]) == {**first, **second}
    assert pseudonyms([["A05", "A03"], ["ann"], ["A06"]])["A06"] == "A07"


@pytest.mark.parametrize("name", ["A1", "A001", "ann", "B01", "A", "A01 ", "A٣٣", "A" + "9" * 5000])
def test_among_other_names_those_that_look_like_pseudonyms_are_names(name: str) -> None:
    found = pseudonyms([["A07", name]])
    assert sorted(found.values()) == ["A01", "A02"]


KEPT_NAMES = Pseudonyms({"ann": "A01", "=bob": "A12"}, {"d,1": "D0001"}, {"u": "U00001"})
HEAD = "kind,name,pseudonym\n"


def test_a_table_is_read_as_it_was_written() -> None:
    text = pseudonyms_csv(KEPT_NAMES)
    assert text.splitlines()[:2] == ['"kind","name","pseudonym"', '"annotator","ann","A01"']
    assert [line.partition(",")[0] for line in text.splitlines()[1:]] == [
        '"annotator"', '"annotator"', '"document"', '"unit"'
    ]  # fmt: skip
    assert read_pseudonyms(text, "p.csv") == KEPT_NAMES
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


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("anna/notes.txt", "A01/notes.txt"),
        # How a file ends is no name, what is between points is one.
        ("notes.csv", "notes.csv"),
        ("notes.csv.old", "notes.D7.old"),
        ("csv/notes", "D7/notes"),
        ("notes/csv", "notes/D7"),
        ("guidelines-1.0.md", "guidelines-1.0.md"),
        ("doc-1.md", "doc-D1.md"),
        ("doc-1", "doc-D1"),
    ],
)
def test_how_a_file_ends_and_a_part_of_a_number_are_no_names(path: str, shown: str) -> None:
    assert PathNames({"anna": "A01", "csv": "D7", "1": "D1"}, people=["anna"]).hidden(path) == shown


def test_how_a_file_ends_is_no_name_behind_one_that_ends_with_a_point() -> None:
    people = {"anna.": "A01", "conll": "A02"}
    assert PathNames(people, people=[*people]).hidden("anna.conll") == "A01conll"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("xpatient-77", "xD1"),
        ("xpatient-778", "xpatient-778"),
        ("xpatient-7", "xpatient-7"),
        ("77-patientsx", "D2x"),
        ("177-patientsx", "177-D3x"),
        ("xpatients_and_patientsx", "xD3_and_D3x"),
        ("xrecordsx/records", "xrecordsx/D4"),
        ("xabcd-123x", "xD5x"),
        ("xabc-1234x", "xabc-1234x"),
        ("xpatient-77-oldx", "xD7x"),
        ("xannaanna.ann", "xA1A1.ann"),
        ("xannx/ann", "xannx/A2"),
        ("xidamox", "xA3x"),
        ("xidax/ida-1", "xidax/A3-1"),
        ("mo-1", "mo-1"),
        ("leo/max/leomax", "leo/A5/A4"),
    ],
)
def test_within_a_word_only_long_names_are_taken_the_longest_first(path: str, shown: str) -> None:
    """Eight signs with four letters are long, of people four letters; a word of a name has three letters."""
    documents = ("patient-77", "77-patients", "patients", "records", "abcd-123", "abc-1234", "patient-77-old")
    people = ("anna", "ann", "Ida Mo", "Leo Max", "max", "Leo Dahl")
    names = {name: f"D{number}" for number, name in enumerate(documents, 1)}
    names |= {name: f"A{number}" for number, name in enumerate(people, 1)}
    assert PathNames(names, people=people).hidden(path) == shown


ATTRIBUTES = ("age", "gender", "L1")
PEOPLE = st.dictionaries(
    st.integers(0, 40).map("p{}".format),
    st.tuples(
        st.dictionaries(st.sampled_from(ATTRIBUTES), st.sampled_from("wxyz")),
        st.frozensets(st.sampled_from(("1.0", "1.1", "2.0")), min_size=1),
    ),
    max_size=40,
)
SMALLEST = st.integers(1, 4)


def of(people: Mapping[str, tuple[Mapping[str, str], frozenset[str]]], smallest: int) -> ToldGroups:
    known = {name: own for name, (own, _) in people.items()}
    return told(ATTRIBUTES, known, {name: there for name, (_, there) in people.items()}, smallest)


def ages(*sizes: int) -> dict[str, dict[str, str]]:
    """Return people of groups of some sizes, by name."""
    return {
        f"{value}{number}": {"age": value}
        for value, size in zip("abcd", sizes, strict=False)
        for number in range(size)
    }


def sizes(people: Mapping[str, Mapping[str, str]], smallest: int = 3) -> dict[str, int]:
    found = told(("age",), people, dict.fromkeys(people, "1.0"), smallest)
    counted: dict[str, int] = defaultdict(int)
    for own in found.of.values():
        counted[own["age"]] += 1
    return dict(counted)


@given(PEOPLE, SMALLEST)
def test_whoever_is_told_of_is_one_of_enough_alike_in_every_version(
    people: Mapping[str, tuple[Mapping[str, str], frozenset[str]]], smallest: int
) -> None:
    # Whatever is subtracted from whatever, what is left is made of such parts, or of people not told of.
    found = of(people, smallest)
    parts: dict[object, int] = defaultdict(int)
    for name, (_, there) in people.items():
        if own := found.of.get(name):
            parts[there, tuple(sorted(own.items()))] += 1
    assert all(size >= smallest for size in parts.values())


@given(PEOPLE, SMALLEST)
def test_who_is_left_out_is_not_what_others_leave(
    people: Mapping[str, tuple[Mapping[str, str], frozenset[str]]], smallest: int
) -> None:
    found = of(people, smallest)
    for place, attribute in enumerate(ATTRIBUTES):
        parts: dict[object, list[str]] = defaultdict(list)
        for name, (_, there) in people.items():
            earlier = tuple(found.of.get(name, {}).get(before) for before in ATTRIBUTES[:place])
            parts[there, earlier].append(name)
        for part in parts.values():
            rest = [name for name in part if attribute not in found.of.get(name, {})]
            hidden = [name for name in rest if attribute in people[name][0]]
            assert not hidden or len(rest) >= smallest or len(rest) == len(part)


@given(PEOPLE, SMALLEST)
def test_what_is_told_stays_what_is_told_in_any_version_alone(
    people: Mapping[str, tuple[Mapping[str, str], frozenset[str]]], smallest: int
) -> None:
    found = of(people, smallest)
    for version in ("1.0", "1.1", "2.0"):
        there = {name: version for name, (_, places) in people.items() if version in places}
        alone = told(ATTRIBUTES, found.of, there, smallest)
        assert alone.of == {name: own for name, own in found.of.items() if name in there}


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        (ages(3, 3), {"a": 3, "b": 3}),
        (ages(5, 2), {}),
        (ages(5, 4, 2), {"a": 5}),
        (ages(5, 4, 2, 1), {"a": 5, "b": 4}),
        (ages(2), {}),
        (ages(5, 2) | {"unknown": {}}, {"a": 5}),
        (ages(5) | {"unknown": {}}, {"a": 5}),
    ],
)
def test_a_small_group_takes_others_with_it_until_nobody_can_count_it(
    people: Mapping[str, Mapping[str, str]], expected: Mapping[str, int]
) -> None:
    assert sizes(people) == expected


def test_one_joins_nobody() -> None:
    assert sizes(ages(5, 1), smallest=1) == {"a": 5, "b": 1}


def test_combinations_of_too_few_are_not_told() -> None:
    genders = "ffmmm" + "ffffm"
    people = {
        name: own | {"gender": gender}
        for (name, own), gender in zip(ages(5, 5).items(), genders, strict=True)
    }
    found = told(("age", "gender"), people, dict.fromkeys(people, 1), 3)
    assert {name: found.written(name) for name in people} == dict.fromkeys(
        [f"a{number}" for number in range(5)], "age=a"
    ) | dict.fromkeys([f"b{number}" for number in range(5)], "age=b")
