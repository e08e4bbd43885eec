"""Names of people and documents in paths: what is replaced, and what is no name."""

import pytest

from reportgen.units.pseudonymising import PathNames


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("anna/notes.txt", "A01/notes.txt"),
        # How a file ends is no name, what is between points is one.
        ("notes.csv", "notes.csv"),
        ("notes.csv.old", "notes.D7.old"),
        ("csv/notes", "D7/notes"),
        ("guidelines-1.0.md", "guidelines-1.0.md"),
        ("doc-1.md", "doc-D1.md"),
    ],
)
def test_how_a_file_ends_and_a_part_of_a_number_are_no_names(path: str, shown: str) -> None:
    assert PathNames({"anna": "A01", "csv": "D7", "1": "D1"}, people=["anna"]).hidden(path) == shown


def test_how_a_file_ends_is_no_name_behind_one_that_ends_with_a_point() -> None:
    people = {"anna.": "A01", "conll": "A02"}
    assert PathNames(people, people=[*people]).hidden("anna.conll") == "A01conll"
