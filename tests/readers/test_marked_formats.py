"""brat, GATE, inline XML and MMAX2: nothing in a file of marks is passed over; offsets become code points."""

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import ExcludedMarks, ExportFile, ParsedMark, ReaderOptions, recognise
from reportgen.readers.brat import READER as BRAT
from reportgen.readers.gate_documents import BDOC_READER
from reportgen.readers.inline_xml import READER as INLINE
from reportgen.readers.inline_xml import STRUCTURE
from reportgen.readers.mmax import READER as MMAX
from reportgen.readers.naming import OF_FAULTY
from tests.cases import stored
from tests.properties import examples
from tests.readers.given_files import Given, only, read_with, written

TEXT = "Léa 😀 sees\nfour red cats.\n"
MARKS = stored("brat/d.ann")


@pytest.fixture
def brat(tmp_path: Path) -> Given:
    """Files of brat."""
    return Given(BRAT, tmp_path)


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
    assert [BRAT.recognises(file) for file in files] == [True, True, False, False]


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
        BRAT.read(files, ReaderOptions())
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


NODES = '<TextWithNodes>A😀<Node id="9"/> b <Node id="4"/>&amp; c<Node id="7"/></TextWithNodes>'


@pytest.fixture
def bdocs(tmp_path: Path) -> Given:
    """Files of bdoc."""
    return Given(BDOC_READER, tmp_path)


def document(*sets: str, text: str = NODES) -> str:
    """Return a GATE document with sets, each on a line of its own from line 4 on."""
    start = '<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument version="3">'
    return "\n".join([start, text, *sets, "</GateDocument>"])


def annotation(start: str, end: str, kind: str = "X", inside: str = "") -> str:
    """Return an annotation between two nodes."""
    return f'<Annotation Id="1" Type="{kind}" StartNode="{start}" EndNode="{end}">{inside}</Annotation>'


def bdoc_of(*annotations: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON is anything
    """Return a bdoc document with a set of one annotator."""
    sets = {"anna": {"name": "anna", "annotations": list(annotations)}}
    return {"text": "A😀 b", "annotation_sets": sets, **more}


def mark(**more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON is anything
    """Return an annotation of bdoc."""
    return {"type": "X", "start": 0, "end": 2, "id": 5, "features": {}, **more}


@pytest.mark.parametrize(("offset_type", "end"), [("p", 2), ("j", 3), (None, 2)])
def test_offsets_count_characters_or_utf16_units(bdocs: Given, offset_type: str | None, end: int) -> None:
    more = {"offset_type": offset_type} if offset_type else {}
    content = json.dumps(bdoc_of(mark(end=end, features={"f": "", "g": [1, None], "n": 2}), **more))
    copy = only(bdocs.read({"d.bdocjs": content}))
    assert list(copy.marks) == [ParsedMark("X", ((0, 2),), {"f": "", "g": "[1, null]", "n": "2"}, 1, "5")]


def test_the_forms_of_bdoc_say_the_same(bdocs: Given) -> None:
    """JSON and YAML, packed or not, whatever the ending says about which of the two."""
    as_json = json.dumps(bdoc_of(mark(features={"a": True, "b": None, "c": "x"})))
    as_yaml = (
        "annotation_sets:\n  anna:\n    annotations:\n"
        "    - {id: 5, type: X, start: 0, end: 2, features: &f {a: true, b: null, c: 'x'}}\n"
        "    name: anna\nfeatures: *f\ntext: A😀 b\n"
    )
    files: dict[str, str | bytes] = {
        "a.bdocjs": as_json,
        "b.bdocym": as_yaml,
        "c.bdocjs.gz": gzip.compress(as_json.encode()),
        "d.bdocym.gz": gzip.compress(as_yaml.encode()),
        "e.json": as_json,
        "f.yaml": as_yaml,
    }
    assert all(map(BDOC_READER.recognises, written(bdocs.folder, files)))
    export = bdocs.read(files)
    assert [copy.document for copy in export.copies] == ["a", "b", "c", "d", "e", "f"]
    expected = [ParsedMark("X", ((0, 2),), {"a": "true", "b": "null", "c": "x"}, 1, "5")]
    assert all(list(copy.marks) == expected and copy.text == "A😀 b" for copy in export.copies)


@pytest.mark.parametrize(
    ("value", "line", "key", "found"),
    [
        (bdoc_of(mark(), mark(start=None)), 2, "start", "is missing where a whole number was expected"),
        (bdoc_of(mark(end=True)), 1, "end", "is true or false"),
        (bdoc_of(mark(end=1e999)), 1, "end", "is a number where a whole number"),
        (bdoc_of(mark(type=3)), 1, "type", "is a number where a text"),
        (bdoc_of(mark(features=[])), 1, "features", "is a list where an object"),
        (bdoc_of(mark(end=2), offset_type="j"), 1, "", "cut a character in two"),
        (bdoc_of(offset_type="x"), 0, "offset_type", 'is x where "p" or "j"'),
        (bdoc_of(text=None), 0, "text", "is missing where a text"),
        (bdoc_of(annotation_sets=[]), 0, "annotation_sets", "is a list where an object"),
        (bdoc_of(annotation_sets={"a": []}), 0, "annotation_sets.a.annotations", "is missing where a list"),
        (bdoc_of(annotation_sets={"a": {"annotations": [7]}}), 1, "annotation", "is a number"),
        (bdoc_of(text="\ud83d"), 1, "", "half of a letter"),
        ([], 0, "", "is a list where an object"),
    ],
)
def test_a_value_of_another_kind_is_named(
    bdocs: Given, value: object, line: int, key: str, found: str
) -> None:
    (problem,) = bdocs.refused({"d.bdocjs": json.dumps(value)})
    assert (problem.file, problem.line, problem.key) == ("d.bdocjs", line, key)
    assert found in problem.message
    assert problem.remedy


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("d.bdocmp", b"\x81\xa4text", "MessagePack, which is not read"),
        ("d.bdocjs", b'{"text": ', "is not JSON"),
        ("d.bdocjs", b'{"text": ' + b"[" * 100_000, "nested too deep"),
        ("d.bdocym", b"text: [a\nb: {", "is not YAML"),
        ("d.bdocym", b"a: 1\n---\nb: 2\n", "has 2 YAML documents"),
        ("d.bdocym", b"a: *b\n", "has an alias of something that is not there"),
        ("d.bdocym", b"a: &b [*b]\n", "or of what it is part of"),
        ("d.bdocym", b"? [a]\n: b\n", "where a name was expected"),
        ("d.bdocym", b"[" * 100_000, "nested too deep"),
        ("d.bdocym", b"- " * 100_000, "nested too deep"),
        ("d.bdocym", b"a: !!python/object/apply:os.getcwd []\n", "text"),
        ("d.bdocjs.gz", gzip.compress(b'{"text": ""}')[:-12], "is a damaged gzip file: the end is missing"),
        ("d.bdocjs.gz", gzip.compress(b"{}") + b"more", "more follows after its end"),
        ("d.bdocjs.gz", gzip.compress(b" " * 200_000_000, 1), "would unpack to more than"),
    ],
    ids=range(14),
)
def test_a_file_that_is_no_bdoc_is_refused(bdocs: Given, name: str, content: bytes, found: str) -> None:
    """Soon, and with a reason; nothing in it is executed."""
    problems = bdocs.refused({name: content})
    assert problems[0].file == name
    assert found in str(problems[0])
    assert problems[0].remedy


@pytest.fixture
def xml(tmp_path: Path) -> Given:
    """Files of inline XML."""
    return Given(INLINE, tmp_path)


@pytest.mark.parametrize("name", sorted(STRUCTURE - {"teiheader"}))
def test_what_structures_a_text_is_no_category_and_no_label(xml: Given, name: str) -> None:
    content = f"<d><{name.upper()}>a <x>b</x></{name.upper()}></d>"
    export = xml.read({"d.xml": content})
    assert ([mark.type for mark in only(export).marks], export.left_out) == (["x"], ())


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        ("<d>\n<a>\n</d>", 3, "is not well-formed XML"),
        ("<d>\n<a>", 2, "is not well-formed XML"),
        ('<!DOCTYPE d [<!ENTITY e "x">]>\n<d>&e;</d>', 2, "entities of its own"),
        ('<!DOCTYPE d [<!ENTITY e SYSTEM "secret.txt">]>\n<d/>', 0, "entities of its own"),
        ("<a>" * 1000 + "</a>" * 1000, 1, "is not well-formed XML"),
    ],
)
def test_what_is_no_safe_xml_is_refused(xml: Given, content: str, line: int, found: str) -> None:
    (problem,) = xml.refused({"d.xml": content})
    assert (problem.file, problem.line) == ("d.xml", line)
    assert found in problem.message
    assert problem.remedy


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("d.xml", "<d/>", True),
        ("d.txt", "<d>text</d>", True),
        ("d.xml", "<d><a></d>", True),
        ("d.csv", "<b>text</b>,label\n<i>x</i>,y", False),
        ("d.xml", "<!DOCTYPE html><html/>", False),
        ("d.xml", '<xs:schema xmlns:xs="urn:x"/>', False),
        ("d.xml", "<GateDocument/>", False),
        ("d.xml", "<markables/>", False),
        ("d.dtd", "<!ELEMENT d (#PCDATA)>", False),
        ("d.xml", "", False),
        ("d.json", "{}", False),
    ],
)
def test_files_are_known_by_their_content(tmp_path: Path, name: str, content: str, expected: object) -> None:
    (file,) = written(tmp_path, {name: content})
    assert INLINE.recognises(file) is expected


def test_a_schema_accompanies_its_documents(xml: Given) -> None:
    """Cadixe keeps the document type beside the documents."""
    files = written(xml.folder, {"a/d.xml": '<!DOCTYPE d SYSTEM "d.dtd">\n<d><x>1</x></d>', "d.dtd": ""})
    assert [INLINE.accompanies(file) for file in files] == [False, True]
    export = read_with(INLINE, files)
    assert only(export).marks[0].spans == ((0, 1),)
    assert [source.file for source in export.sources] == ["a/d.xml", "d.dtd"]


KNOWN = {
    "c/basedata/d.words.xml": '<!DOCTYPE words SYSTEM "words.dtd">\n<words/>',
    "c/anna/d.mmax": "<mmax_project/>",
    "c/anna/markables/d_coref_level.xml": '<markables xmlns="www.eml.org/NameSpaces/coref"/>',
    # An empty level, by its name.
    "x_level.xml": "",
}
BESIDE = {
    "c/anna/common_paths.xml": "<common_paths/>",
    "c/anna/markables/markables.dtd": "<!ELEMENT markables (markable*)>",
    "c/scheme/coref_scheme.xml": "<annotationscheme/>",
}


def test_files_are_known_by_their_root_and_schemes_and_paths_only_accompany(tmp_path: Path) -> None:
    files = written(tmp_path, {**KNOWN, **BESIDE, "text.xml": "<text/>"})
    assert [file.name for file in files if MMAX.recognises(file)] == [*KNOWN]
    assert [file.name for file in files if MMAX.accompanies(file)] == [*BESIDE]
