"""Pseudonyms of people, documents and units: how they are numbered, and where they stand in paths."""

import pytest

from reportgen.readers import Annotations, Ratings
from reportgen.units import Pseudonyms, document_names, pseudonyms, unit_names, with_pseudonyms
from reportgen.units.labels import nothing
from tests.measures.made import annotations, study

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
