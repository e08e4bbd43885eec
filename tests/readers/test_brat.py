"""brat standoff is read line by line; nothing in a file of marks is passed over."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import ExcludedMarks, ExportFile, ReaderOptions, recognise
from reportgen.readers.brat import READER
from reportgen.readers.naming import OF_FAULTY
from tests.cases import stored
from tests.properties import examples
from tests.readers.given_files import Given, only, written

TEXT = "Léa 😀 sees\nfour red cats.\n"
MARKS = stored("brat/d.ann")


@pytest.fixture
def brat(tmp_path: Path) -> Given:
    """Files of brat."""
    return Given(READER, tmp_path)


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


def test_many_problems_are_shortened(brat: Given) -> None:
    problems = brat.refused({"a/d.ann": "Z1\n" * 50, "a/d.txt": TEXT})
    assert len(problems) == 21
    assert "30 more" in problems[-1].message


def test_files_are_known_by_their_ending(tmp_path: Path) -> None:
    """An .ann file without a line is brat, one that holds JSON or XML is not."""
    files = written(tmp_path, {"a.ann": "", "b.ann": "T1\tX 0 1\ta", "c.ann": '{"a": 1}', "d.ann": "<a/>"})
    assert [READER.recognises(file) for file in files] == [True, True, False, False]


def test_texts_beside_marks_are_not_looked_into(tmp_path: Path) -> None:
    files = written(tmp_path, {"a/d.ann": MARKS, "a/d.txt": TEXT, "a/other.txt": TEXT, "b/d.ann": ""})
    assert recognise(files)
    assert [file.name for file in files if "recognised" not in vars(file)] == ["a/d.txt"]


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
