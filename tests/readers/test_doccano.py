"""doccano's records are read as spans and labels, of one annotator a file or of all that a file names."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from reportgen.readers import DocumentCopy, ExportFile, ReaderOptions, TextMarks, read_export
from reportgen.readers.doccano import COMMENT, FREE_TEXT, READER
from tests.properties import examples
from tests.readers.content import export_of, labelled, left_out, problems_of, written
from tests.readers.generated import copies, told
from tests.readers.samples import zipped
from tests.readers.write_doccano import write, write_old

TEXT = "Anna 😀 met Bob"


def lines(*rows: dict[str, Any]) -> str:
    return "".join(f"{json.dumps({'id': 1, 'text': TEXT, **row}, ensure_ascii=False)}\n" for row in rows)


def test_stretches_count_in_utf_16_units_and_may_overlap(tmp_path: Path) -> None:
    row = {"label": [[0, 7, "A"], [5, 7, "B"], [12, 15, "A"], [4, 4, "C"]], "meta": {"label": 1}}
    (copy,) = export_of(READER, written(tmp_path, {"anna.jsonl": lines(row)})).copies
    assert (copy.document, copy.annotator, copy.text, copy.state) == ("1", "anna", TEXT, "seen")
    assert [(mark.type, mark.spans, dict(mark.features), mark.line) for mark in copy.marks] == [
        ("label", ((0, 6),), {"label": "A"}, 1),
        ("label", ((5, 6),), {"label": "B"}, 1),
        ("label", ((11, 14),), {"label": "A"}, 1),
        ("label", ((4, 4),), {"label": "C"}, 1),
    ]


@pytest.mark.parametrize("names", [("anna.zip", "ben.zip"), ("e/anna/all.jsonl", "e/ben/all.jsonl")])
def test_files_that_doccano_calls_the_same_are_told_apart_by_what_they_lie_in(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    """The file of a project in which members share annotations is called all.jsonl."""
    content = lines({"label": ["A"]}).encode()
    files = {name: zipped({"all.jsonl": content}) if "zip" in name else content for name in names}
    found = export_of(READER, written(tmp_path, files))
    assert [(copy.document, copy.annotator) for copy in found.copies] == [("1", "anna"), ("1", "ben")]


def test_entities_relations_and_labels_of_the_document_stand_side_by_side(tmp_path: Path) -> None:
    row = {
        "entities": [
            {"id": 4, "start_offset": 0, "end_offset": 4, "label": "PER"},
            {"id": 5, "start_offset": 12, "end_offset": 15, "label": "PER"},
        ],
        "relations": [{"id": 0, "from_id": 4, "to_id": 5, "type": "met"}],
        "cats": ["y", "x"],
        "Comments": ["sure?", "no"],
    }
    found = export_of(READER, written(tmp_path, {"anna.jsonl": lines(row)}))
    (copy,) = found.copies
    assert [(mark.type, mark.spans, dict(mark.features), mark.id) for mark in copy.marks] == [
        ("entities", ((0, 4),), {"label": "PER"}, "4"),
        ("entities", ((11, 14),), {"label": "PER"}, "5"),
        ("cats", (), {"label": "x|y"}, ""),
    ]
    assert [(each.type, each.arguments) for each in copy.relations] == [("met", (("from", "4"), ("to", "5")))]
    assert left_out(found) == [("anna.jsonl", 1, "anna", COMMENT, 2)]


def test_relations_between_entities_can_be_the_layer(tmp_path: Path) -> None:
    entities = [
        {"id": 4, "start_offset": 0, "end_offset": 4, "label": "PER"},
        {"id": 5, "start_offset": 12, "end_offset": 15, "label": "PER"},
    ]
    row = {"entities": entities, "relations": [{"id": 0, "from_id": 5, "to_id": 4, "type": "met"}]}
    (file,) = written(tmp_path, {"anna.jsonl": lines(row)})
    found = read_export([(file.path, file.name)], ReaderOptions(source="met"))
    assert isinstance(found.content, TextMarks)
    assert (found.compared, found.content.labels) == ("relations", ("met (to, from)",))
    assert (found.content.span_start.tolist(), found.content.span_end.tolist()) == ([0, 11], [4, 14])


def test_a_document_without_labels_counts_as_seen(tmp_path: Path) -> None:
    (copy,) = export_of(READER, written(tmp_path, {"all.jsonl": lines({"label": []})})).copies
    assert (copy.annotator, copy.state, list(copy.marks)) == ("all", "seen", [])


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


def test_a_path_says_who_annotated_where_file_names_do_not(tmp_path: Path) -> None:
    files = written(tmp_path, {f"{who}/all.jsonl": lines({"label": []}) for who in ("anna", "bob")})
    found = export_of(READER, files, path="{annotator}/{document}")
    assert [copy.annotator for copy in found.copies] == ["anna", "bob"]


def test_records_without_an_id_are_the_same_document_where_their_text_is_the_same(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"text": text, "label": []} for text in ("x", "y", "x")]
    one, other = (json.dumps(each) for each in (rows, rows[1:]))
    found = export_of(READER, written(tmp_path, {"anna.json": one, "bob.json": other}))
    assert [copy.document for copy in found.copies] == ["1", "2", "3", "2", "1"]


def test_doccano_1_0_names_its_users_and_numbers_its_labels(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {
            "annotations": [
                {"label": 12, "start_offset": 0, "end_offset": 4, "user": 1},
                {"label": 13, "start_offset": 5, "end_offset": 7, "user": 2},
            ]
        },
        {
            "id": 2,
            "annotations": [{"label": 3, "user": 2}, {"label": 2, "user": 2}, {"text": "so", "user": 1}],
        },
        {"id": 3, "annotations": []},
    ]
    found = export_of(READER, written(tmp_path, {"old.jsonl": lines(*rows)}))
    marks = [(copy.document, copy.annotator, copy.state, [*copy.marks]) for copy in found.copies]
    assert [each[:3] for each in marks] == [
        ("1", "1", "seen"),
        ("1", "2", "seen"),
        ("2", "1", "seen"),
        ("2", "2", "seen"),
        ("3", "1", "unseen"),
        ("3", "2", "unseen"),
    ]
    assert [(mark.spans, dict(mark.features)) for each in marks for mark in each[3]] == [
        (((0, 4),), {"label": "12"}),
        (((5, 6),), {"label": "13"}),
        ((), {"label": "2|3"}),
    ]
    assert left_out(found) == [("old.jsonl", 2, "1", FREE_TEXT, 1)]
    assert "labels are the numbers that doccano gave them" in found.reading


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


def test_every_fault_of_a_record_and_of_all_files_comes_at_once(tmp_path: Path) -> None:
    faulty = lines({"label": [[0, None, "A"]], "entities": 3}, {"label": 1})
    problems = problems_of(READER, written(tmp_path, {"a.jsonl": faulty, "b.jsonl": faulty}))
    assert [(each.file, each.line, each.key) for each in problems] == [
        (name, *place)
        for name in ("a.jsonl", "b.jsonl")
        for place in ((1, "entities"), (1, "label"), (2, "label"))
    ]


def test_an_archive_that_leads_out_of_itself_is_refused(tmp_path: Path) -> None:
    files = written(tmp_path, {"export.zip": zipped({"../anna.jsonl": lines({"label": []})})})
    assert READER.recognises(files[0])
    (problem,) = problems_of(READER, files)
    assert "leads out of the archive" in problem.message


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


def test_labels_of_documents_make_a_whole_export(tmp_path: Path) -> None:
    files = written(tmp_path, {f"{who}.jsonl": lines({"label": [who[0]]}) for who in ("anna", "bob")})
    found = read_export([(file.path, file.name) for file in files], ReaderOptions())
    assert (found.format, found.content.annotators, found.content.labels) == (
        "doccano",
        ("anna", "bob"),
        ("a", "b"),
    )


def test_the_samples_of_doccano_are_read(shared: Path) -> None:
    folder = shared / "formats" / "doccano"
    read = {
        path.name: export_of(READER, [ExportFile(path, path.name)]).copies
        for path in sorted(folder.glob("*.jsonl"))
    }
    marks = {name: sum(len(copy.marks) for copy in found) for name, found in read.items()}
    assert list(marks.values()) == [5, 4, 4, 3, 2, 3, 16, 11]
    relations = [len(copy.relations) for found in read.values() for copy in found if copy.relations]
    assert relations == [3]


@examples(50)
@given(made=copies(features=False, unseen=False))
@pytest.mark.parametrize("joined", [False, True])
def test_what_is_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy], *, joined: bool
) -> None:
    expected = labelled(made, "label", "label", joined=joined)
    found = export_of(READER, write(expected, tmp_path_factory.mktemp("doccano")))
    assert told(found.copies) == told(expected)


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
