"""GATE documents, as XML and as bdoc: sets are annotators, nodes are places, offsets become code points."""

import gzip
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from reportgen.readers import (
    DocumentCopy,
    ExcludedMarks,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    TextMarks,
    read_export,
)
from reportgen.readers.gate_documents import BDOC_READER, NO_ANNOTATION, OF_DEFAULT, OF_MARKUP, READER
from tests.properties import examples
from tests.readers import write_gate
from tests.readers.generated import copies, told
from tests.readers.given_files import Given, only, read_with, written

TEXT = '<TextWithNodes>A😀<Node id="9"/> b <Node id="4"/>&amp; c<Node id="7"/></TextWithNodes>'


@pytest.fixture
def gate(tmp_path: Path) -> Given:
    """Files of GATE XML."""
    return Given(READER, tmp_path)


@pytest.fixture
def bdocs(tmp_path: Path) -> Given:
    """Files of bdoc."""
    return Given(BDOC_READER, tmp_path)


def document(*sets: str, text: str = TEXT) -> str:
    """Return a GATE document with sets, each on a line of its own from line 4 on."""
    start = '<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument version="3">'
    return "\n".join([start, text, *sets, "</GateDocument>"])


def annotation(start: str, end: str, kind: str = "X", inside: str = "") -> str:
    """Return an annotation between two nodes."""
    return f'<Annotation Id="1" Type="{kind}" StartNode="{start}" EndNode="{end}">{inside}</Annotation>'


def feature(name: str, value: str) -> str:
    """Return a feature."""
    return f'<Feature><Name className="java.lang.String">{name}</Name>{value}</Feature>'


def named(name: str, *inside: str) -> str:
    """Return a set with a name."""
    return f'<AnnotationSet Name="{name}">{"".join(inside)}</AnnotationSet>'


def told_of(given_copies: Sequence[DocumentCopy]) -> list[tuple[str, str, str, str, int]]:
    """Return document, annotator, state, role and number of marks of each copy."""
    return [(each.document, each.annotator, each.state, each.role, len(each.marks)) for each in given_copies]


def test_nodes_are_places_in_the_text_whatever_their_ids(gate: Given) -> None:
    """An emoji is one character; overlapping and empty annotations are kept."""
    features = feature("empty", "<Value/>") + feature("Op", "<Value>a &amp; b</Value>")
    marks = annotation("9", "7", inside=features), annotation("4", "4"), annotation("4", "7", "Y")
    copy = only(gate.read({"d.xml": document(named("anna", *marks))}))
    assert (copy.document, copy.annotator, copy.text) == ("d", "anna", "A😀 b & c")
    assert list(copy.marks) == [
        ParsedMark("X", ((2, 8),), {"empty": "", "Op": "a & b"}, 4, "1"),
        ParsedMark("X", ((5, 5),), {}, 4, "1"),
        ParsedMark("Y", ((5, 8),), {}, 4, "1"),
    ]


def test_sets_are_annotators_some_are_nobodys(gate: Given) -> None:
    """Key is a reference; markup and preprocessing are left out, and so is what is no annotation."""
    export = gate.read(
        {
            "d.xml": document(
                f"<AnnotationSet>{annotation('9', '4', 'Token')}</AnnotationSet>",
                named("Key", annotation("9", "4")),
                named("Original markups", annotation("9", "4", "p")),
                named("anna"),
                '<RelationSet Name="anna"><Relation/><Relation/></RelationSet>',
            )
        }
    )
    assert told_of(export.copies) == [
        ("d", "Key", "seen", "reference", 1),
        ("d", "anna", "seen", "annotator", 0),
    ]
    assert export.left_out == (
        ExcludedMarks("d.xml", 8, "", NO_ANNOTATION, 2),
        ExcludedMarks("d.xml", 4, "", OF_DEFAULT, 1),
        ExcludedMarks("d.xml", 6, "", OF_MARKUP, 1),
    )


def test_who_is_asked_for_is_an_annotator(gate: Given) -> None:
    sets = document(named("Key", annotation("9", "4")), named("Original markups", annotation("9", "4", "p")))
    export = gate.read({"d.xml": sets}, ReaderOptions(annotators=("Key", "Original markups")))
    assert told_of(export.copies) == [
        ("d", "Key", "seen", "annotator", 1),
        ("d", "Original markups", "seen", "annotator", 1),
    ]
    assert export.left_out == ()


def test_the_default_set_is_an_annotators_where_there_is_no_other(gate: Given) -> None:
    """Then the path says whose; a set of original markups stands in most documents."""
    content = document(
        f"<AnnotationSet>{annotation('9', '4')}</AnnotationSet>",
        named("Original markups", annotation("9", "4", "p")),
    )
    export = gate.read({"anna/d.xml": content, "bob/d.xml": content})
    assert told_of(export.copies) == [
        ("d", "anna", "seen", "annotator", 1),
        ("d", "bob", "seen", "annotator", 1),
    ]
    assert [left.reason for left in export.left_out] == [OF_MARKUP, OF_MARKUP]


def test_an_empty_default_set_beside_sets_with_names_is_nobodys(gate: Given) -> None:
    """The document is known and was not seen by anybody."""
    export = gate.read(
        {
            "all/1.xml": document("<AnnotationSet/>", named("anna"), named("bob")),
            "all/2.xml": document("<AnnotationSet/>", named("anna")),
            "all/3.xml": document("<AnnotationSet/>"),
        }
    )
    assert told_of(export.copies) == [
        ("1", "anna", "seen", "annotator", 0),
        ("1", "bob", "seen", "annotator", 0),
        ("2", "anna", "seen", "annotator", 0),
        ("3", "anna", "unseen", "annotator", 0),
        ("3", "bob", "unseen", "annotator", 0),
    ]


def test_documents_are_named_below_what_all_share_or_by_the_path(gate: Given) -> None:
    texts = (TEXT, TEXT.replace("c<", "d<"))
    one, other = (document(named("anna"), text=text) for text in texts)
    files = {"x/a/1.xml": one, "x/b/1.xml": other}
    assert [copy.document for copy in gate.read(files).copies] == ["a/1", "b/1"]
    by_path = gate.read(files, ReaderOptions(path="{layer}/{document}"))
    assert [(copy.document, copy.annotator) for copy in by_path.copies] == [("1", "anna"), ("1", "anna")]


@pytest.mark.parametrize("names", [("Key", "Key"), ("annotations", "annotations"), ("anna", "ben")])
def test_annotators_may_have_worked_in_files_of_their_own(gate: Given, names: tuple[str, str]) -> None:
    """Files with the same text are one document; folders say whose sets are that all have one name."""
    sets = ["<AnnotationSet>" + annotation("9", "4") + "</AnnotationSet>", named(names[0])]
    files = {"anna/d.xml": document(*sets), "ben/d.xml": document(named(names[1]))}
    export = gate.read(files)
    assert told_of(export.copies) == [
        ("d", "anna", "seen", "annotator", len(export.copies[0].marks)),
        ("d", "ben", "seen", "annotator", len(export.copies[1].marks)),
    ]
    assert [(left.file, left.reason) for left in export.left_out] == [("anna/d.xml", OF_DEFAULT)]


@pytest.mark.parametrize(
    ("inside", "found"),
    [
        ('<Annotation Type="X" StartNode="9" EndNode="5"/>', 'the node "5", which is not in the text'),
        ('<Annotation StartNode="9" EndNode="4"/>', "has no Type"),
        ('<Annotation Type="X" EndNode="4"/>', "has no StartNode"),
        ('<Annotation Type="X" StartNode="7" EndNode="9"/>', "ends before it starts"),
        (annotation("9", "4", inside="<Feature><Value>a</Value></Feature>"), "a feature has no name"),
        (annotation("9", "4", inside=feature("f", "") * 2), 'has the feature "f" twice'),
    ],
)
def test_a_faulty_annotation_is_named(gate: Given, inside: str, found: str) -> None:
    (problem,) = gate.refused({"d.xml": document(named("anna"), named("bob", inside))})
    assert (problem.file, problem.line) == ("d.xml", 5)
    assert found in problem.message
    assert problem.remedy


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "has 0 elements TextWithNodes"),
        (TEXT.replace('"4"', '"9"'), 'has the node "9" twice'),
        (TEXT.replace("b", "<b/>"), "has an element b in its text"),
    ],
)
def test_a_faulty_text_is_named(gate: Given, text: str, found: str) -> None:
    problems = gate.refused({"d.xml": document(text=text)})
    assert found in problems[0].message
    assert problems[0].line


def test_problems_of_all_files_come_at_once(gate: Given) -> None:
    problems = gate.refused({"a.xml": document(named("x", annotation("0", "1"))), "b.xml": "<GateDocument>"})
    assert [(problem.file, problem.line) for problem in problems] == [
        ("a.xml", 4),
        ("a.xml", 4),
        ("b.xml", 1),
    ]


def test_the_front_reads_gate_xml(tmp_path: Path) -> None:
    content = document(named("anna", annotation("9", "4")), named("bob", annotation("9", "7", "Y")))
    (file,) = written(tmp_path, {"d.xml": content})
    annotations = read_export([(file.path, file.name)])
    assert isinstance(annotations.content, TextMarks)
    assert annotations.format == "gate-xml"
    assert annotations.content.labels == ("X", "Y")
    assert annotations.content.annotators == ("anna", "bob")


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


def test_the_sets_of_bdoc_are_those_of_gate(bdocs: Given) -> None:
    value = bdoc_of(mark())
    value["annotation_sets"].update({"": {"annotations": [mark(), mark()]}, "Key": {"annotations": []}})
    export = bdocs.read({"d.bdocjs": json.dumps(value)})
    assert told_of(export.copies) == [
        ("d", "anna", "seen", "annotator", 1),
        ("d", "Key", "seen", "reference", 0),
    ]
    assert export.left_out == tuple(ExcludedMarks("d.bdocjs", number, "", OF_DEFAULT, 1) for number in (2, 3))


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


def test_aliases_that_multiply_are_refused(bdocs: Given) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    (problem,) = bdocs.refused({"d.bdocym": "\n".join(lines)})
    assert (problem.line, "of too many values" in problem.message) == (6, True)


def test_the_samples_are_read(shared: Path) -> None:
    """The same document in three forms; zero-length annotations are kept."""
    folder = shared / "formats"
    files = [ExportFile(path, path.name) for path in sorted((folder / "gate_bdoc").iterdir())]
    assert all(map(BDOC_READER.recognises, files))
    export = read_with(BDOC_READER, files)
    xml = ExportFile(folder / "gate_xml" / "tests_testdoc1.xml", "tests_testdoc1.xml")
    assert READER.recognises(xml)
    assert not BDOC_READER.recognises(xml)
    from_xml = read_with(READER, [xml])
    copies_found = [*export.copies, *from_xml.copies]
    assert told_of(copies_found) == [
        ("docs_overview_ann-relations", "set1", "seen", "annotator", 12),
        *[("tests_testdoc1", "Set2", "seen", "annotator", 5)] * 3,
    ]
    same = [[(each.type, each.spans, each.id) for each in copy.marks] for copy in copies_found[1:]]
    assert same[0] == same[1] == same[2]
    assert same[0][2] == ("ZERO1", ((5, 5),), "4")
    assert [left.reason for left in (*export.left_out, *from_xml.left_out)] == [OF_DEFAULT] * 6


@examples(50)
@given(copies(unseen=False))
def test_what_is_written_as_xml_is_read(generated: list[DocumentCopy]) -> None:
    """Emoji, overlapping, adjacent and empty marks; ids of nodes are no offsets."""
    with tempfile.TemporaryDirectory() as folder:
        export = read_with(READER, write_gate.write(generated, Path(folder)))
    assert told(export.copies) == told(generated)


@examples(50)
@given(copies(unseen=False))
def test_what_is_written_as_bdoc_is_read(generated: list[DocumentCopy]) -> None:
    """JSON, YAML and packed JSON, with offsets of both kinds."""
    with tempfile.TemporaryDirectory() as folder:
        export = read_with(BDOC_READER, write_gate.write_bdoc(generated, Path(folder)))
    assert told(export.copies) == told(generated)
