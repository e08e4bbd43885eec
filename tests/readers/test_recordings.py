"""Praat TextGrids and ELAN documents: tiers are layers, marks are in milliseconds, gaps are none."""

from pathlib import Path

import pytest

from reportgen.readers import ExcludedMarks, Export, ReaderOptions, read_export
from reportgen.readers.layers_of_marks import with_one_spelling
from reportgen.readers.recordings import ELAN_READER as ELAN
from reportgen.readers.recordings import NO_PARENT, NO_TIME
from reportgen.readers.recordings import TEXTGRID_READER as PRAAT
from reportgen.words import names
from tests.cases import stored
from tests.readers.given_files import Given, only, written
from tests.readers.write_eaf import aligned, document, referring, tier
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
    return Given(PRAAT, tmp_path)


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
    assert PRAAT.recognises(file) is expected


Spans = list[tuple[str, int, int]]


@pytest.fixture
def elan(tmp_path: Path) -> Given:
    """Files of ELAN."""
    return Given(ELAN, tmp_path)


def spans(export: Export) -> Spans:
    """Return the label and the ends of each mark of the only copy."""
    return [(next(iter(mark.features.values())), *mark.spans[0]) for mark in only(export).marks]


def test_slots_without_a_value_lie_evenly_between_their_neighbours(elan: Given) -> None:
    chain = [aligned("a1", "t1", "t2", "x"), aligned("a2", "t2", "t3", "y"), aligned("a3", "t3", "t4", "z")]
    times = {"t1": 100, "t2": None, "t3": None, "t4": 400}
    export = elan.read({"anna/d1.eaf": document(times, [tier("words", chain)])})
    copy = only(export)
    assert (copy.document, copy.annotator, copy.length) == ("d1", "anna", 400)
    assert spans(export) == [("x", 100, 200), ("y", 200, 300), ("z", 300, 400)]
    assert [mark.line for mark in copy.marks] == [14, 19, 24]


def test_annotations_that_refer_to_a_parent_have_its_time(elan: Given) -> None:
    """An associated one all of it, those that divide it even shares in the order that they name."""
    tiers = [
        tier("letters", [referring("c2", "b1", "n", "c1"), referring("c1", "b1", "i")], PARENT_REF="parts"),
        tier("parts", [referring("b1", "a1", "in"), referring("b2", "a1", "to", "b1")], PARENT_REF="words"),
        tier("words", [aligned("a1", "t1", "t2", "into")]),
        tier("tags", [referring("d1", "a1", "P")], PARENT_REF="words"),
    ]
    assert spans(elan.read({"d1.eaf": document({"t1": 0, "t2": 400}, tiers)})) == [
        ("n", 100, 200),
        ("i", 0, 100),
        ("in", 0, 200),
        ("to", 200, 400),
        ("into", 0, 400),
        ("P", 0, 400),
    ]


def test_what_has_no_time_is_left_out_with_its_reason(elan: Given) -> None:
    words = [
        aligned("a1", "t1", "t2", "open"),
        aligned("a2", "t2", "t9", "on to nothing"),
        aligned("a3", "t8", "t3", "from nothing"),
        aligned("a4", "t1", "t3", "fine"),
    ]
    others = [
        referring("b1", "a9", "no parent"),
        referring("b2", "b2", "its own"),
        referring("b3", "a1", "of a1"),
    ]
    tiers = [tier("words", words), tier("tags", others, PARENT_REF="words")]
    files = {"anna/d1.eaf": document({"t1": 0, "t2": None, "t3": 300}, tiers)}
    export = elan.read(files)
    assert spans(export) == [("fine", 0, 300)]
    assert [(each.annotator, each.reason) for each in export.left_out] == [
        *[("anna", NO_TIME)] * 3,
        *[("anna", NO_PARENT)] * 3,
    ]
    assert export.left_out[0] == ExcludedMarks("anna/d1.eaf", 13, "anna", NO_TIME, 1)
    found = read_export([(elan.folder / name, name) for name in files])
    assert (found.marks_read, sum(each.marks for each in found.left_out)) == (7, 6)


@pytest.mark.parametrize("name", ["gesture-Zaphod", "Zaphod@gesture", "gesture_Zaphod"])
def test_a_layer_is_not_called_by_the_annotator_whose_file_it_is_in(elan: Given, name: str) -> None:
    """Else it names who it is, and is another layer than the next annotator's."""
    files = {
        f"{who}/d1.eaf": document(
            {"t1": 0, "t2": 400}, [tier(name.replace("Zaphod", who), [aligned("a1", "t1", "t2", "up")])]
        )
        for who in ("Zaphod", "Trillian")
    }
    assert [(copy.annotator, copy.asked) for copy in elan.read(files).copies] == [
        ("Zaphod", frozenset({"gesture"})),
        ("Trillian", frozenset({"gesture"})),
    ]


def test_files_about_one_sound_are_copies_and_the_longest_says_how_long_it_is(elan: Given) -> None:
    files = {
        f"{name}.eaf": document(
            {"t1": 0, "t2": end}, [tier("a", [aligned("a1", "t1", "t2", "x")])], f"file:///{name[:2]}.wav"
        )
        for name, end in (("d1_anna", 300), ("d1_ben", 500), ("d2_anna", 100), ("d2_ben", 100))
    }
    found = read_export([(file.path, file.name) for file in written(elan.folder, files)])
    assert (found.content.documents, found.content.annotators) == (("d1", "d2"), ("anna", "ben"))
    assert getattr(found.content, "lengths", None) == (500, 100)


def test_a_chain_of_references_as_long_as_a_file_takes_no_time(elan: Given) -> None:
    """Nor does one that comes back to itself."""
    count = 20_000
    chain = [referring(f"a{number}", f"a{number + 1}", "x") for number in range(count)]
    ring = [referring("r1", "r2", "x"), referring("r2", "r1", "x")]
    tiers = [tier("a", [*chain, *ring, aligned(f"a{count}", "t1", "t2", "x")])]
    export = elan.read({"d.eaf": document({"t1": 0, "t2": 9}, tiers)})
    assert (len(only(export).marks), len(export.left_out)) == (count + 1, 2)
