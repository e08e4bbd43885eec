"""Label Studio's tasks, JSON-MIN and CSV are read as marks, relations and labels of documents."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

from reportgen.readers import DocumentCopy, ExportFile
from reportgen.readers.label_studio import DIALOGUE, FREE_TEXT, HTML, MEDIA, OTHER, READER
from tests.properties import examples
from tests.readers.content import export_of, labelled, left_out, written
from tests.readers.generated import copies, told
from tests.readers.write_label_studio import write, write_min, write_table

TEXT = "Anna 😀 met Bob"
Marks = list[tuple[str, tuple[tuple[int, int], ...], dict[str, str]]]


def item(kind: str, value: Any, name: str = "ner", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON is anything
    """Return a result; a list is the labels of a type."""
    content = value if isinstance(value, dict) else {kind: value}
    return {"type": kind, "from_name": name, "to_name": "t", "value": content, **more}


def annotation(*items: Any, who: Any = "anna", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    return {"id": 1, "completed_by": who, "result": list(items), "was_cancelled": False, **more}


def task(*annotations: Any, data: Any = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    return {
        "id": 1,
        "data": {"text": TEXT} if data is None else data,
        "annotations": list(annotations),
        **more,
    }


def files(folder: Path, *tasks: Any) -> list[ExportFile]:  # noqa: ANN401 - as above
    return written(folder, {"e.json": json.dumps(tasks)})


def marks_of(copy: DocumentCopy) -> Marks:
    return [(mark.type, mark.spans, dict(mark.features)) for mark in copy.marks]


def read(folder: Path, *items: Any) -> Marks:  # noqa: ANN401 - as above
    (copy,) = export_of(READER, files(folder, task(annotation(*items)))).copies
    return marks_of(copy)


# What a result becomes


@pytest.mark.parametrize(
    ("kind", "value", "label"),
    [
        ("choices", ["x"], "x"),
        ("choices", ["b", "a"], "a|b"),
        ("taxonomy", [["A", "B"]], "A/B"),
        ("taxonomy", [["C"], ["A", "B"]], "A/B|C"),
        ("rating", 4, "4"),
        ("number", 2.5, "2.5"),
        ("pairwise", {"selected": "left"}, "left"),
    ],
)
def test_what_is_said_of_the_whole_document_is_one_label(
    tmp_path: Path, kind: str, value: object, label: str
) -> None:
    assert read(tmp_path, item(kind, value, name="c")) == [("c", (), {kind: label})]


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        ("textarea", {"text": ["so"]}, FREE_TEXT),
        ("rectanglelabels", {"x": 1, "y": 2, "rectanglelabels": ["Car"]}, MEDIA),
        ("choices", {"x": 1, "y": 2, "choices": ["Car"]}, MEDIA),
        ("labels", {"start": 0.5, "end": 2.5, "channel": 0, "labels": ["A"]}, MEDIA),
        ("labels", {"start": 0.5, "end": 2.5, "labels": ["A"]}, MEDIA),
        ("timeserieslabels", {"start": 1, "end": 2, "timeserieslabels": ["A"]}, MEDIA),
        ("paragraphlabels", {"start": "0", "end": "1", "startOffset": 1, "paragraphlabels": ["A"]}, DIALOGUE),
        ("hypertextlabels", {"start": "/p[1]", "end": "/p[1]", "hypertextlabels": ["A"]}, HTML),
        ("ranker", {"ranker": {}}, OTHER),
    ],
)
def test_what_is_neither_text_nor_a_label_is_left_out(
    tmp_path: Path, kind: str, value: dict[str, Any], reason: str
) -> None:
    found = export_of(READER, files(tmp_path, task(), task(annotation(item(kind, value)))))
    assert [list(copy.marks) for copy in found.copies] == [[]]
    assert left_out(found) == [("e.json", 2, "anna", reason, 1)]


# Texts


# Who, and what they did


@pytest.mark.parametrize(
    ("who", "name"),
    [
        (7, "7"),
        ("anna", "anna"),
        ({"id": 7, "email": "a@x.org", "first_name": "Anna"}, "a@x.org"),
        ({"id": 7, "email": "", "first_name": "Anna", "last_name": "Lee"}, "Anna Lee"),
        ({"id": 7, "email": "", "first_name": "", "last_name": ""}, "7"),
        (None, "annotator"),
    ],
)
def test_annotators_are_called_by_address_name_or_number(tmp_path: Path, who: object, name: str) -> None:
    (copy,) = export_of(READER, files(tmp_path, task(annotation(who=who)))).copies
    assert copy.annotator == name


# What is refused


# JSON-MIN and CSV


# Round trips

Writer = Callable[[Sequence[DocumentCopy], Path], list[ExportFile]]


@examples(50)
@given(made=copies(features=False, unseen=False))
@pytest.mark.parametrize("writer", [write, write_min, write_table])
def test_choices_that_are_written_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy], writer: Writer
) -> None:
    expected = labelled(made, "tone", "choices", joined=True)
    if writer is write:
        expected = [copy if copy.marks else replace(copy, state="skipped") for copy in expected]
    if writer is write_table:
        # What nobody disagrees about can't be told from data.
        by_document = [
            {str(each.marks) for each in expected if each.document == copy.document} for copy in expected
        ]
        assume(any(len(said) > 1 for said in by_document))
    found = export_of(READER, writer(expected, tmp_path_factory.mktemp("studio")))
    assert told(found.copies) == told(expected)
