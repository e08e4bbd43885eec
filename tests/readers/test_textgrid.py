"""Praat TextGrids: tiers are layers, labelled intervals marks in milliseconds, and gaps are none."""

from pathlib import Path

import pytest

from reportgen.readers import ReaderOptions
from reportgen.readers.layers_of_marks import with_one_spelling
from reportgen.readers.recordings import TEXTGRID_READER as READER
from reportgen.words import names
from tests.cases import stored
from tests.readers.given_files import Given, only, written
from tests.readers.write_textgrid import grid

# As the Praat manual has it under "TextGrid file formats", with a comment and a quote.
LONG = stored("textgrid/long.TextGrid")
SHORT = stored("textgrid/short.TextGrid")
MARKS = [
    ("Mary", ((0, 1235),), {"Mary": 'say "hi" now'}),
    ("bell", ((500, 500),), {"bell": "ding"}),
    ("bell", ((1000, 1000),), {"bell": ""}),
]


@pytest.fixture
def praat(tmp_path: Path) -> Given:
    """Files of Praat."""
    return Given(READER, tmp_path)


@pytest.mark.parametrize("content", [LONG, SHORT], ids=["long", "short"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_both_forms_say_the_same_in_every_encoding(praat: Given, content: str, encoding: str) -> None:
    copy = only(praat.read({"anna/d1.TextGrid": content.encode(encoding)}))
    assert (copy.document, copy.annotator, copy.text, copy.length) == ("d1", "anna", None, 2300)
    assert [(mark.type, mark.spans, mark.features) for mark in copy.marks] == MARKS
    assert sorted(copy.asked or ()) == ["John", "Mary", "bell"]


def test_marks_have_the_line_on_which_they_begin(praat: Given) -> None:
    assert [mark.line for mark in only(praat.read({"d.TextGrid": LONG})).marks] == [16, 40, 43]


def test_intervals_that_overlap_are_kept_and_tiers_of_one_name_are_one_layer(praat: Given) -> None:
    tiers = {"a": [(0, 500, "x"), (400, 900, "y")], " a  ": [(100, 200, "z")], "": [(0, 9, "w")]}
    copy = only(praat.read({"d.TextGrid": grid(900, tiers)}))
    assert [(mark.type, mark.spans) for mark in copy.marks] == [
        ("a", ((0, 500),)),
        ("a", ((400, 900),)),
        ("a", ((100, 200),)),
        ("tier 3", ((0, 9),)),
    ]


def test_tiers_of_nearly_one_name_are_one_layer_unless_somebody_has_both(praat: Given) -> None:
    files = {"anna/d.TextGrid": {"gesture": [(0, 5, "x")]}, "ben/d.TextGrid": {"Gesture :": [(0, 5, "x")]}}
    found = with_one_spelling(praat.read({name: grid(900, tiers) for name, tiers in files.items()}))
    assert [(copy.asked, copy.marks[0].type, copy.marks[0].features) for copy in found.copies] == [
        (frozenset({"gesture"}), "gesture", {"gesture": "x"})
    ] * 2
    said = found.reading[found.reading.index("Names that") :]
    assert said.endswith("are one: 1.")
    assert names.reading(said) == said
    assert with_one_spelling(found) == found
    files["cyd/d.TextGrid"] = {"GESTURE": [(0, 5, "x")], "gesture": []}
    found = with_one_spelling(praat.read({name: grid(900, tiers) for name, tiers in files.items()}))
    assert [copy.marks[0].type for copy in found.copies] == ["gesture", "Gesture :", "GESTURE"]
    (asked,) = found.warnings
    assert asked.message.startswith('"gesture", "Gesture :" and "GESTURE" are layers of their own')
    assert with_one_spelling(found).warnings == found.warnings


def test_files_of_one_length_are_copies_of_one_recording(praat: Given) -> None:
    files = {"d1_anna.TextGrid": 900, "d1_ben.TextGrid": 900, "d2_anna.TextGrid": 800, "d2_ben.TextGrid": 800}
    copies = praat.read({name: grid(length, {"a": []}) for name, length in files.items()}).copies
    assert [(copy.document, copy.annotator) for copy in copies] == [
        ("d1", "anna"),
        ("d1", "ben"),
        ("d2", "anna"),
        ("d2", "ben"),
    ]


def test_a_tier_is_whose_it_says_where_annotators_are_declared(praat: Given) -> None:
    """Else it is the file's, and its name stays as it is."""
    both = {"words@A": [(0, 9, "x")], "words@B": [(0, 8, "y")]}
    tiers = {**both, "A - tones": [], "B": [], "AB": [(1, 2, "n")]}
    files = {"d1.TextGrid": grid(900, tiers)}
    declared = praat.read(files, ReaderOptions(annotators=("A", "B"))).copies
    assert [(copy.document, copy.annotator, sorted(copy.asked or ())) for copy in declared] == [
        ("d1", "A", ["tones", "words"]),
        ("d1", "B", ["tier", "words"]),
        ("d1", "annotator", ["AB"]),
    ]
    (copy,) = praat.read(files).copies
    assert sorted(copy.asked or ()) == sorted(tiers)


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        (LONG[: LONG.index("xmax = 1.2345\n            text")], 16, "ends where the end of an interval"),
        (LONG.replace("<exists>", "3"), 6, "has 3 where <exists> was expected"),
        (LONG.replace("number = 0.5", 'number = "x"'), 40, 'has "x" where the time of a point was expected'),
        (LONG.replace('"TextTier"', '"PitchTier"'), 34, 'has "PitchTier" where "IntervalTier" or "TextTier"'),
        (LONG.replace('"TextGrid"', '"Pitch TextGrid"'), 2, 'has "Pitch TextGrid" where "TextGrid" was'),
        (LONG.replace("size = 2", "size = 1.5", 1), 14, "has 1.5 where the number of intervals"),
        (LONG.replace("size = 2", "size = 1", 1), 20, "has 1.2345 where the class of a tier"),
        (LONG.replace("size = 3", "size = 2"), 34, 'has "TextTier" where the end of the file was expected'),
        (LONG.replace("xmax = 2.3\nt", "xmax = 1e300\nt"), 5, "has 1e300 where the end was expected"),
        (LONG.replace('"ding"', '"ding'), 44, 'has " where the time of a point was expected'),
        (b"ooBinaryFile\x08TextGrid\0\0", 0, "is a binary TextGrid"),
        ('"Praat chronological TextGrid text file"\n0 1\n', 0, "is a chronological TextGrid"),
        (LONG.encode("latin-1").replace(b"hi", b"\xef\xf0\xe8"), 18, "byte 0xef is not UTF-8"),
    ],
)
def test_what_is_no_whole_textgrid_is_refused(
    praat: Given, content: str | bytes, line: int, found: str
) -> None:
    (problem,) = praat.refused({"d.TextGrid": content})
    assert (problem.file, problem.line) == ("d.TextGrid", line)
    assert found in problem.message
    assert problem.remedy


def test_copies_of_other_length_are_refused_and_a_cut_frame_is_none(praat: Given) -> None:
    tiers = {"a": [(0, 500, "x")]}
    files = {"anna/d.TextGrid": grid(5000, tiers), "ben/d.TextGrid": grid(5020, tiers)}
    assert [copy.length for copy in praat.read(files).copies] == [5000, 5020]
    (problem,) = praat.refused({**files, "cleo/d.TextGrid": grid(9000, tiers)})
    assert problem.file == "cleo/d.TextGrid"
    assert "lasts 9,000 milliseconds, and anna/d.TextGrid" in problem.message


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("d.TextGrid", LONG, True),
        ("d.txt", SHORT.encode("utf-16"), True),
        ("d.TextGrid", b"ooBinaryFile\x08TextGrid", True),
        ("d.Pitch", LONG.replace("TextGrid", "Pitch 1"), False),
        ("d.csv", "TextGrid,label\n1,x\n", False),
        ("d.TextGrid", "", False),
    ],
)
def test_files_are_known_by_how_they_begin(
    tmp_path: Path, name: str, content: str | bytes, expected: object
) -> None:
    (file,) = written(tmp_path, {name: content})
    assert READER.recognises(file) is expected
