"""GATE documents, as XML and as bdoc: sets are annotators, nodes are places, offsets become code points."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import ParsedMark
from reportgen.readers.gate_documents import BDOC_READER
from tests.readers.given_files import Given, only, written

TEXT = '<TextWithNodes>A😀<Node id="9"/> b <Node id="4"/>&amp; c<Node id="7"/></TextWithNodes>'


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
