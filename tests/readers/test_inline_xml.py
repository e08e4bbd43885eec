"""Inline XML: elements are marks, the rest is text; structure and comments are left out by name."""

from pathlib import Path

import pytest

from reportgen.readers.inline_xml import READER, STRUCTURE
from tests.readers.given_files import Given, only, read_with, written


@pytest.fixture
def xml(tmp_path: Path) -> Given:
    """Files of inline XML."""
    return Given(READER, tmp_path)


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
    assert READER.recognises(file) is expected


def test_a_schema_accompanies_its_documents(xml: Given) -> None:
    """Cadixe keeps the document type beside the documents."""
    files = written(xml.folder, {"a/d.xml": '<!DOCTYPE d SYSTEM "d.dtd">\n<d><x>1</x></d>', "d.dtd": ""})
    assert [READER.accompanies(file) for file in files] == [False, True]
    export = read_with(READER, files)
    assert only(export).marks[0].spans == ((0, 1),)
    assert [source.file for source in export.sources] == ["a/d.xml", "d.dtd"]
