"""Inline XML: elements are marks, the rest is text; structure and comments are left out by name."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from reportgen.base.errors import BadInput
from reportgen.readers import DocumentCopy, ExcludedMarks, ParsedMark, ReaderOptions, TextMarks, read_export
from reportgen.readers.inline_xml import A_COMMENT, AN_INSTRUCTION, READER, STRUCTURE
from tests.properties import examples
from tests.readers import write_inline_xml
from tests.readers.generated import copies, told
from tests.readers.given_files import Given, only, read_with, written

DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<!-- by hand -->
<?show it?>
<c:document xmlns:c="urn:c" id="d">
<p>The <gene id="1" c:sure="">spo<gap/>0A 😀 &amp; <c:gene>sigma</c:gene></gene> is<!-- ? --> here.</p>
</c:document>
<!-- end -->
"""
TEXT = "\nThe spo0A 😀 & sigma is here.\n"


@pytest.fixture
def xml(tmp_path: Path) -> Given:
    """Files of inline XML."""
    return Given(READER, tmp_path)


def test_elements_are_marks_and_tags_are_no_text(xml: Given) -> None:
    """Nested ones and empty ones too; the root is none."""
    copy = only(xml.read({"anna/d.xml": DOCUMENT}))
    assert (copy.document, copy.annotator, copy.text) == ("d", "anna", TEXT)
    assert list(copy.marks) == [
        ParsedMark("gene", ((5, 20),), {"id": "1", "sure": ""}, 5),
        ParsedMark("gap", ((8, 8),), {}, 5),
        ParsedMark("gene", ((15, 20),), {}, 5),
    ]


def test_comments_and_instructions_are_left_out(xml: Given) -> None:
    export = xml.read({"anna/d.xml": DOCUMENT})
    assert export.left_out == (
        ExcludedMarks("anna/d.xml", 2, "anna", A_COMMENT, 1),
        ExcludedMarks("anna/d.xml", 3, "anna", AN_INSTRUCTION, 1),
        ExcludedMarks("anna/d.xml", 5, "anna", A_COMMENT, 1),
        ExcludedMarks("anna/d.xml", 7, "anna", A_COMMENT, 1),
    )


def test_a_header_structures_with_all_its_content(xml: Given) -> None:
    """TEI: words and sentences are structure, whatever the case of their names."""
    content = (
        "<TEI><teiHeader><fileDesc>About</fileDesc></teiHeader>"
        "<text><body><s><w>a</w> <rs>b</rs></s><LB/></body></text></TEI>"
    )
    export = xml.read({"d.xml": content})
    copy = only(export)
    assert copy.text == "Abouta b"
    assert list(copy.marks) == [ParsedMark("rs", ((7, 8),), {}, 1)]
    assert export.left_out == ()


@pytest.mark.parametrize("name", sorted(STRUCTURE - {"teiheader"}))
def test_what_structures_a_text_is_no_category_and_no_label(xml: Given, name: str) -> None:
    content = f"<d><{name.upper()}>a <x>b</x></{name.upper()}></d>"
    export = xml.read({"d.xml": content})
    assert ([mark.type for mark in only(export).marks], export.left_out) == (["x"], ())


def test_attributes_of_one_name_keep_their_namespaces(xml: Given) -> None:
    content = '<d xmlns:a="urn:a"><x n="1" a:n="2">t</x></d>'
    assert only(xml.read({"d.xml": content})).marks[0].features == {"n": "1", "{urn:a}n": "2"}


def test_a_document_without_marks_was_seen(xml: Given) -> None:
    copy = only(xml.read({"d.xml": "<d>nothing</d>"}))
    assert (copy.state, copy.text, copy.marks) == ("seen", "nothing", ())


def test_texts_tell_who_annotated_what(xml: Given) -> None:
    """The same text in files of two names is one document."""
    files = {"d1_anna.xml": "<d>one <x>1</x></d>", "d1_bob.xml": "<d>one 1</d>", "d2_bob.xml": "<d>two</d>"}
    names = [(copy.document, copy.annotator) for copy in xml.read(files).copies]
    assert names == [("d1", "anna"), ("d1", "bob"), ("d2", "bob")]


def test_the_path_says_who_annotated_what(xml: Given) -> None:
    copy = only(xml.read({"d/anna.xml": "<d/>"}, ReaderOptions(path="{document}/{annotator}")))
    assert (copy.document, copy.annotator) == ("d", "anna")


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
    assert READER.recognises(file) is expected


def test_a_schema_accompanies_its_documents(xml: Given) -> None:
    """Cadixe keeps the document type beside the documents."""
    files = written(xml.folder, {"a/d.xml": '<!DOCTYPE d SYSTEM "d.dtd">\n<d><x>1</x></d>', "d.dtd": ""})
    assert [READER.accompanies(file) for file in files] == [False, True]
    export = read_with(READER, files)
    assert only(export).marks[0].spans == ((0, 1),)
    assert [source.file for source in export.sources] == ["a/d.xml", "d.dtd"]


def test_the_front_reads_inline_xml(tmp_path: Path) -> None:
    files = written(tmp_path, {"anna/d.xml": DOCUMENT, "bob/d.xml": f"<d>{TEXT.replace('&', '&amp;')}</d>"})
    annotations = read_export([(file.path, file.name) for file in files])
    assert isinstance(annotations.content, TextMarks)
    assert annotations.format == "inline-xml"
    assert annotations.content.annotators == ("anna", "bob")
    assert annotations.content.labels == ("gene", "gap")
    assert annotations.marks_read == 3 + 4


@examples(50)
@given(copies(unseen=False, empty=False))
def test_what_is_written_is_read(generated: list[DocumentCopy]) -> None:
    """Emoji, nested and adjacent marks; those that overlap in part can't be written."""
    nested = [replace(copy, marks=write_inline_xml.properly_nested(copy.marks)) for copy in generated]
    with tempfile.TemporaryDirectory() as folder:
        export = read_with(READER, write_inline_xml.write(nested, Path(folder)))
    assert told(export.copies) == told(nested)


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (
            '<a><span id="s" start="0" end="4"/><span id="t" start="5" end="9"/></a>',
            '<span id="s" start="0" end="4">',
        ),
        ('<MAF><token form="Anna" from="0" to="4"/><wordForm tokens="t"/></MAF>', '<token form="Anna"'),
        ('<graph xmlns="urn:g"><region id="r" anchors="0 4"/><node/><link/></graph>', '<region id="r"'),
        ('<T><TEXT>Anna met</TEXT><TAGS><PER spans="0~4" text="Anna"/></TAGS></T>', '<PER spans="0~4"'),
        ('<TEI><text><w>a</w></text><standOff><span target="#w"/></standOff></TEI>', "<standOff>"),
        # What is written in a list beside the text is no part of it.
        (
            '<TEI><text><w>a</w></text><standOff><s><span from="#w">PER</span></s></standOff></TEI>',
            "<standOff>",
        ),
    ],
)
def test_marks_beside_the_text_are_refused_in_words(xml: Given, content: str, shown: str) -> None:
    """They would be marks called start and end of one annotator, of nothing."""
    with pytest.raises(BadInput) as caught:
        xml.read({"anna/d.xml": content})
    (problem,) = caught.value.problems
    assert (problem.file, problem.line) == ("anna/d.xml", 1)
    assert shown in problem.message
    assert "brat standoff" in problem.remedy


@pytest.mark.parametrize(
    "content",
    [
        '<a>At <u start="12" end="15">noon</u> <pause start="15" end="16"/></a>',  # times, of one with text
        '<a>Anna <gap reason="x"/> met</a>',
        '<a>Anna <ref from="x" to="y"/> met</a>',
    ],
)
def test_numbers_at_elements_with_a_text_are_features(xml: Given, content: str) -> None:
    assert only(xml.read({"anna/d.xml": content})).marks
