"""Names of people and documents in paths: what is replaced, and what is no name."""

import pytest

from reportgen.units.pseudonyms import PathNames


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
