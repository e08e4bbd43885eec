"""doccano's records are read as spans and labels, of one annotator a file or of all that a file names."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from reportgen.readers import DocumentCopy
from reportgen.readers.doccano import READER
from tests.properties import examples
from tests.readers.content import export_of, labelled, problems_of, written
from tests.readers.generated import copies, told
from tests.readers.samples import zipped
from tests.readers.write_doccano import write_old

TEXT = "Anna 😀 met Bob"


def lines(*rows: dict[str, Any]) -> str:
    return "".join(f"{json.dumps({'id': 1, 'text': TEXT, **row}, ensure_ascii=False)}\n" for row in rows)


@pytest.mark.parametrize("names", [("anna.zip", "ben.zip"), ("e/anna/all.jsonl", "e/ben/all.jsonl")])
def test_files_that_doccano_calls_the_same_are_told_apart_by_what_they_lie_in(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    """The file of a project in which members share annotations is called all.jsonl."""
    content = lines({"label": ["A"]}).encode()
    files = {name: zipped({"all.jsonl": content}) if "zip" in name else content for name in names}
    found = export_of(READER, written(tmp_path, files))
    assert [(copy.document, copy.annotator) for copy in found.copies] == [("1", "anna"), ("1", "ben")]


def test_an_archive_has_a_file_for_each_member_of_the_project(tmp_path: Path) -> None:
    packed = {
        "bob.jsonl": lines({"label": ["B"]}),
        "anna.lee.jsonl": lines({"label": ["A"]}),
        "__MACOSX/._bob.jsonl": "junk",
    }
    found = export_of(READER, written(tmp_path, {"export.zip": zipped(packed)}))
    assert [(copy.annotator, copy.file) for copy in found.copies] == [
        ("anna.lee", "export.zip/anna.lee.jsonl"),
        ("bob", "export.zip/bob.jsonl"),
    ]


@pytest.mark.parametrize(
    ("row", "key", "message"),
    [
        ({"text": None}, "text", "is missing where the document's text was expected."),
        ({"label": 5}, "label", "is a number where a list of labels was expected."),
        ({"label": [[0, "4", "A"]]}, "label", "is a text where an offset was expected."),
        ({"label": [[0]]}, "label", "is missing where an offset was expected."),
        ({"label": [[0, 4, None]]}, "label", "is missing where a label was expected."),
        ({"label": [None]}, "label", "is missing where a label was expected."),
        ({"label": [], "relations": {}}, "relations", "is an object where a list of relations was expected."),
        ({"annotations": [{"label": 1}]}, "annotations.user", "is missing where a label was expected."),
        ({"label": [[0, 6, "A"]]}, "", "the offsets 0 to 6 cut a character in two, counted in UTF-16 units."),
    ],
)
def test_a_faulty_record_is_named_with_its_line(
    tmp_path: Path, row: dict[str, Any], key: str, message: str
) -> None:
    files = written(tmp_path, {"anna.jsonl": lines({"label": []}, row)})
    assert [(each.file, each.line, each.key, each.message) for each in problems_of(READER, files)] == [
        ("anna.jsonl", 2, key, message)
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"text": "x", "label": 0}',
        '{"text": "x"}',
        '{"label": []}',
        '{"id": 1, "data": {"text": "x"}, "annotations": []}',
        '{"text": "x", "annotation_sets": {}}',
        # Two lists in one order are labels by annotator.
        '{"text": "x", "labels": ["a", "b"], "annotators": ["anna", "bob"]}',
        "[]",
        "",
        "{",
    ],
)
def test_other_records_are_not_taken_for_its_own(tmp_path: Path, text: str) -> None:
    assert not READER.recognises(written(tmp_path, {"x.json": text})[0])


@examples(50)
@given(made=copies(features=False, unseen=False))
@pytest.mark.parametrize("joined", [False, True])
def test_what_doccano_1_0_writes_comes_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy], *, joined: bool
) -> None:
    numbers = {"Person": "12", "Place": "3", "MERGE-ORG": "7"}
    renamed = [
        replace(copy, marks=[replace(mark, type=numbers[mark.type]) for mark in copy.marks]) for copy in made
    ]
    busy = {copy.annotator for copy in made if copy.marks}
    marked = [
        copy for copy in labelled(renamed, "annotations", "label", joined=joined) if copy.annotator in busy
    ]
    expected = [copy if copy.marks else replace(copy, state="unseen") for copy in marked]
    found = (
        export_of(READER, write_old(expected or marked, tmp_path_factory.mktemp("doccano"))) if busy else None
    )
    assert told(found.copies if found else []) == told(expected)
