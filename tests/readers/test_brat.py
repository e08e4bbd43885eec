"""brat standoff is read line by line; nothing in a file of marks is passed over."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import (
    DocumentCopy,
    ExcludedMarks,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    Relation,
    TextMarks,
    read_export,
    recognise,
)
from reportgen.readers.brat import A_NOTE, READER
from reportgen.readers.naming import OF_FAULTY
from reportgen.readers.survey import of_documents
from tests.properties import examples
from tests.readers import write_brat
from tests.readers.generated import copies, told
from tests.readers.given_files import Given, only, read_with, written

TEXT = "Léa 😀 sees\nfour red cats.\n"
MARKS = """T1\tPerson 0 3\tLéa
T2\tAct 6 10\tsees
T3\tAnimal 16 19;20 24\tred cats
T4\tAnimal 11 24\tfour red cats
T5\tSmile 4 10\t😀 sees
T6\tPoint 25 25\t
E1\tSee:T2 Agent:T1
R1\tSame Arg1:T3 Arg2:E1
*\tEquiv T3 T4
A1\tNegated E1
A2\tConfidence T1 High
M1\tSpeculated R1
N1\tReference T1 Wiki:12\tLea
N2\tReference T1 Geo:3\tLéa
#1\tAnnotatorNotes T1\tsure?
"""


@pytest.fixture
def brat(tmp_path: Path) -> Given:
    """Files of brat."""
    return Given(READER, tmp_path)


def test_marks_have_their_spans_attributes_and_references(brat: Given) -> None:
    """Several references of one kind are all kept."""
    copy = only(brat.read({"anna/d.ann": MARKS, "anna/d.txt": TEXT}))
    assert (copy.document, copy.annotator, copy.file, copy.text) == ("d", "anna", "anna/d.ann", TEXT)
    assert list(copy.marks) == [
        ParsedMark("Person", ((0, 3),), {"Confidence": "High", "Reference": "Wiki:12|Geo:3"}, 1, "T1"),
        ParsedMark("Act", ((6, 10),), {}, 2, "T2"),
        ParsedMark("Animal", ((16, 19), (20, 24)), {}, 3, "T3"),
        ParsedMark("Animal", ((11, 24),), {}, 4, "T4"),
        ParsedMark("Smile", ((4, 10),), {}, 5, "T5"),
        ParsedMark("Point", ((25, 25),), {}, 6, "T6"),
    ]


def test_events_relations_and_equivalences_are_relations(brat: Given) -> None:
    """What triggers an event is its first argument."""
    copy = only(brat.read({"anna/d.ann": MARKS, "anna/d.txt": TEXT}))
    assert list(copy.relations) == [
        Relation("See", (("trigger", "T2"), ("Agent", "T1")), {"Negated": "true"}, 7, "E1"),
        Relation("Same", (("Arg1", "T3"), ("Arg2", "E1")), {"Speculated": "true"}, 8, "R1"),
        Relation("Equiv", (("", "T3"), ("", "T4")), {}, 9, chain=True),
    ]


def test_notes_are_left_out_with_their_lines(brat: Given) -> None:
    """A line that only starts like a note is one too."""
    export = brat.read({"anna/d.ann": MARKS + "# by hand\n", "anna/d.txt": TEXT})
    assert export.left_out == tuple(ExcludedMarks("anna/d.ann", line, "anna", A_NOTE, 1) for line in (15, 16))


def test_stretches_are_put_in_the_order_of_the_text(brat: Given) -> None:
    """Some tools write them as they were made."""
    export = brat.read({"anna/d.ann": "T1\tAnimal 20 24;16 19\tcats red\n", "anna/d.txt": TEXT})
    assert only(export).marks[0].spans == ((16, 19), (20, 24))


def test_an_empty_file_was_seen_and_a_text_alone_was_not(brat: Given) -> None:
    """A text in a folder where nobody marked anything belongs to nobody."""
    export = brat.read(
        {
            "anna/d.ann": "",
            "anna/d.txt": TEXT,
            "anna/e.txt": "e",
            "texts/f.txt": "f",
            "annotation.conf": "[entities]",
        }
    )
    assert [(copy.document, copy.annotator, copy.state, copy.marks) for copy in export.copies] == [
        ("d", "anna", "seen", []),
        ("e", "anna", "unseen", ()),
    ]
    assert [source.file for source in export.sources] == [
        "anna/d.ann",
        "anna/d.txt",
        "anna/e.txt",
        "texts/f.txt",
        "annotation.conf",
    ]


def test_folders_are_annotators_and_texts_may_stand_elsewhere(brat: Given) -> None:
    """One text serves all who marked it."""
    export = brat.read({"a/d.ann": "T1\tX 0 3\tLéa", "b/d.ann": "", "texts/d.txt": TEXT})
    assert [(copy.document, copy.annotator, copy.text) for copy in export.copies] == [
        ("d", "a", TEXT),
        ("d", "b", TEXT),
    ]


def test_the_path_says_who_annotated_what(brat: Given) -> None:
    """The option goes before what the folders look like."""
    export = brat.read({"d/anna.ann": "", "d/anna.txt": "x"}, ReaderOptions(path="{document}/{annotator}"))
    assert (only(export).document, only(export).annotator) == ("d", "anna")


def test_a_path_that_does_not_fit_is_refused(brat: Given) -> None:
    (problem,) = brat.refused({"d.ann": "", "d.txt": "x"}, ReaderOptions(path="{annotator}/{document}"))
    assert problem.file == "d.ann"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\r\ntwo 😀 three", "T1\tX 10 15\tthree"),
        ("one\r\ntwo 😀 three", "T1\tX 11 16\tthree"),
        ("one\r\ntwo 😀 three", "T1\tX 12 17\tthree"),
        ("one\ntwo 😀 three", "T1\tX 11 16\tthree"),
        ("\ufeffone\ntwo 😀 three", "T1\tX 11 16\tthree"),
    ],
    ids=["as brat counts", "both characters of line ends", "UTF-16 too", "UTF-16", "a byte order mark"],
)
def test_offsets_are_read_as_the_covered_texts_say(brat: Given, text: str, line: str) -> None:
    """Whatever the writer counted, the text is the same and so is the mark."""
    copy = only(brat.read({"a/d.ann": line, "a/d.txt": text}))
    assert copy.text == "one\ntwo 😀 three"
    assert copy.marks[0].spans == ((10, 15),)


def test_another_way_to_count_is_told(brat: Given) -> None:
    export = brat.read({"a/d.ann": "T1\tX 5 8\ttwo", "a/d.txt": "one\r\ntwo"})
    assert "1 file counts line ends as two characters" in export.reading
    assert "counts line ends" not in brat.read({"a/e.ann": "", "a/e.txt": "one\r\ntwo"}).reading


@pytest.mark.parametrize(
    ("lines", "line", "found"),
    [
        ("T1\tX 0 3\tLéon", 1, 'covers "Léa" in the text, and the file says "Léon"'),
        ("T1\tX 90 93\tLéa", 1, 'covers ""'),
        ("\nT1 X 0 3 Léa", 2, 'where "T1⇥Type 0 4⇥text" was expected'),
        ("T1\tX 0 3", 1, "was expected"),
        ("T1\tX 3 0\tLéa", 1, "not a stretch of text"),
        ("T1\tX 0 99999999999999999\tLéa", 1, "was expected"),
        ("T1\tX 0 3\tLéa\nT1\tX 0 3\tLéa", 2, 'has the id "T1", which line 1 has already'),
        ("A1\tSure T9", 1, 'points at "T9", which is not in the file'),
        ("T1\tX 0 3\tLéa\nR1\tOf Arg1:T1 Arg2:T2", 2, 'points at "T2"'),
        ("E1\tSee:T2", 1, 'points at "T2"'),
        ("#1\tAnnotatorNotes T7\thm", 1, 'points at "T7"'),
        ("T1\tX 0 3\tLéa\nA1\tSure T1\nA2\tSure A1", 3, "neither mark, event nor relation"),
        ("Z1\tX 0 3\tLéa", 1, "not a kind of brat annotation"),
        ("T\tX 0 3\tLéa", 1, "a letter and a number were expected"),
    ],
)
def test_a_faulty_line_is_named(brat: Given, lines: str, line: int, found: str) -> None:
    """Each with the line on which it stands, what was found, and how to remedy it."""
    (problem,) = brat.refused({"a/d.ann": lines, "a/d.txt": TEXT})
    assert (problem.file, problem.line) == ("a/d.ann", line)
    assert found in problem.message
    assert problem.remedy


def test_all_problems_come_at_once(brat: Given) -> None:
    """Those of all files, of their lines and of texts that are missing."""
    problems = brat.refused({"a/d.ann": "X1\nR1\tOf Arg1:T1", "a/e.ann": "T1\tX 0 1\ta", "a/d.txt": TEXT})
    assert [(problem.file, problem.line) for problem in problems] == [
        ("a/d.ann", 1),
        ("a/d.ann", 2),
        ("a/e.ann", 0),
    ]
    assert 'no text: "e.txt" is neither beside it nor elsewhere' in problems[2].message


def test_two_faulty_files_of_nine_are_refused(brat: Given) -> None:
    """All that is wrong is told then."""
    good = {f"anna/d{number}.ann": "" for number in range(7)}
    bad = {f"anna/d{number}.ann": "T1\n" for number in (7, 8)}
    texts = {f"anna/d{number}.txt": TEXT for number in range(9)}
    problems = brat.refused({**good, **bad, **texts})
    assert [(problem.file, problem.line) for problem in problems] == [("anna/d7.ann", 1), ("anna/d8.ann", 1)]


def test_texts_of_one_name_that_differ_are_refused(brat: Given) -> None:
    (problem,) = brat.refused({"a/d.ann": "", "x/d.txt": "one", "y/d.txt": "two"})
    assert "2 different ones" in problem.message


def test_many_problems_are_shortened(brat: Given) -> None:
    problems = brat.refused({"a/d.ann": "Z1\n" * 50, "a/d.txt": TEXT})
    assert len(problems) == 21
    assert "30 more" in problems[-1].message


def test_files_are_known_by_their_ending(tmp_path: Path) -> None:
    """An .ann file without a line is brat, one that holds JSON or XML is not."""
    files = written(tmp_path, {"a.ann": "", "b.ann": "T1\tX 0 1\ta", "c.ann": '{"a": 1}', "d.ann": "<a/>"})
    assert [READER.recognises(file) for file in files] == [True, True, False, False]


def test_the_front_reads_an_export_of_brat(tmp_path: Path) -> None:
    files = written(tmp_path, {"a/d.ann": MARKS, "a/d.txt": TEXT, "b/d.ann": "", "b/d.txt": TEXT})
    annotations = read_export([(file.path, file.name) for file in files])
    assert isinstance(annotations.content, TextMarks)
    assert annotations.format == "brat"
    assert annotations.content.annotators == ("a", "b")
    assert annotations.content.labels == ("Person", "Act", "Animal", "Smile", "Point")
    assert annotations.marks_read == 6 + 3 + 1
    assert annotations.unread == ()


def test_texts_beside_marks_are_not_looked_into(tmp_path: Path) -> None:
    files = written(tmp_path, {"a/d.ann": MARKS, "a/d.txt": TEXT, "a/other.txt": TEXT, "b/d.ann": ""})
    assert recognise(files)
    assert [file.name for file in files if "recognised" not in vars(file)] == ["a/d.txt"]


@pytest.mark.parametrize(
    ("name", "marks", "relations", "notes"),
    [
        ("brat_document0b", 5, 5, 0),
        ("brat_document0d", 4, 4, 0),
        ("brat_document1", 4, 2, 3),
        ("brat_event", 2, 1, 0),
    ],
)
def test_the_samples_are_read(shared: Path, name: str, marks: int, relations: int, notes: int) -> None:
    folder = shared / "formats" / "brat"
    files = [ExportFile(folder / f"{name}{end}", f"brat/{name}{end}") for end in (".ann", ".txt")]
    export = read_with(READER, files)
    copy = only(export)
    assert (copy.document, copy.annotator) == (name, "brat")
    assert (len(copy.marks), len(copy.relations), len(export.left_out)) == (marks, relations, notes)


@examples(50)
@given(copies(most=3))
def test_what_is_written_is_read(generated: list[DocumentCopy]) -> None:
    """Emoji, overlapping, adjacent, discontinuous and empty marks, and documents not seen."""
    with tempfile.TemporaryDirectory() as folder:
        export = read_with(READER, write_brat.write(generated, Path(folder)))
    active = {copy.annotator for copy in generated if copy.state == "seen"}
    assert told(export.copies) == told([copy for copy in generated if copy.annotator in active])


@examples(50)
@given(st.text(alphabet="TERAMN#*12 :;\tXabc\r\n😀", max_size=60))
def test_no_line_is_passed_over(lines: str) -> None:
    """Whatever stands there is read or refused with its place."""
    with tempfile.TemporaryDirectory() as folder:
        files = written(Path(folder), {"a/d.ann": lines, "a/d.txt": TEXT})
        assert _misplaced(files) == []


def _misplaced(files: list[ExportFile]) -> list[Problem]:
    """Return the problems, if any, that do not say on which line of the marks they are."""
    try:
        READER.read(files, ReaderOptions())
    except BadInput as error:
        return [problem for problem in error.problems if problem.file != "a/d.ann" or not problem.line]
    return []


@pytest.mark.parametrize("names", [("d.1_anna", "d.1_ben"), ("anna-d.1", "ben-d.1"), ("d.1.anna", "d.1.ben")])
def test_annotators_may_share_a_text_whose_name_is_in_those_of_their_files(
    brat: Given, names: tuple[str, str]
) -> None:
    anna, ben = names
    export = brat.read({"e/d.1.txt": TEXT, f"e/{anna}.ann": MARKS, f"e/{ben}.ann": ""})
    found = [(copy.document, copy.annotator, copy.text, copy.state) for copy in export.copies]
    assert found == [("d.1", "anna", TEXT, "seen"), ("d.1", "ben", TEXT, "seen")]


CONFIGURATION = """# types
[entities]
!Being
\tPerson
\tAnimal\tsome:thing
-----
Plant
[relations]
Same\tArg1:Person, Arg2:Person
<ANY>=Person|Animal
[events]
See\tAgent:Person
[attributes]
Negated\tArg:<EVENT>
"""


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Animal", {"Person": 0, "Animal": 2, "Plant": 0, "See": 0}),
        ("Stone", {"Stone": 2}),  # of another configuration, which then says nothing
    ],
)
def test_labels_are_those_that_annotation_conf_declares(
    brat: Given, label: str, expected: dict[str, int]
) -> None:
    """In its order, also those that nobody used."""
    marks = f"T1\t{label} 0 3\tLéa\n"
    export = brat.read(
        {
            "anna/d.ann": marks,
            "anna/d.txt": TEXT,
            "ben/d.ann": marks,
            "ben/d.txt": TEXT,
            "annotation.conf": CONFIGURATION,
        }
    )
    survey = of_documents(export, "brat")
    assert list(survey.as_one_layer.labels.items()) == list(expected.items())
    assert survey.ordered is (label == "Animal")
    assert survey.problems == ()


def marked_by(files: int, faulty: int) -> dict[str, str]:
    """Return so many documents of one annotator, of which some have an id twice."""
    again = "T1\tPerson 0 3\tLéa\n"
    return {
        name: content
        for number in range(files)
        for name, content in (
            (f"anna/d{number}.txt", TEXT + f"{number} " * 20),
            (f"anna/d{number}.ann", again * (2 if number < faulty else 1)),
        )
    }


def test_few_faulty_files_are_left_out_counted_and_listed(brat: Given) -> None:
    """One id that is there twice does not stop all the others; a fifth of the files may be so."""
    export = brat.read(marked_by(10, 2))
    assert {copy.document for copy in export.copies} == {f"d{number}" for number in range(2, 10)}
    assert export.left_out == tuple(
        ExcludedMarks(f"anna/d{number}.ann", 2, "", OF_FAULTY, 0) for number in range(2)
    )
    assert [(warning.file, warning.line) for warning in export.warnings] == [
        ("anna/d0.ann", 2),
        ("anna/d1.ann", 2),
    ]
    assert export.warnings[0].remedy.startswith("The file is left out.")


def test_many_faulty_files_are_refused(brat: Given) -> None:
    with pytest.raises(BadInput) as caught:
        brat.read(marked_by(10, 3))
    assert [problem.file for problem in caught.value.problems] == [
        f"anna/d{number}.ann" for number in range(3)
    ]
