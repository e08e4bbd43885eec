"""Records and tables of marks: stretches by start, end and label, tags of tokens, pairs as spaCy has them."""

import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import Export, ReaderOptions
from reportgen.readers.mark_records import READER
from reportgen.readers.mark_table import READER as TABLES
from tests.readers.content import export_of, problems_of, written

TEXT = "Ann Lee met Bob"


def of_stretches(annotator: str, ends: dict[int, int]) -> list[Any]:
    spans = [{"start": start, "end": end, "label": "PER"} for start, end in ends.items()]
    return [{"doc": "d", "text": TEXT, "annotator": annotator, "spans": spans}]


def of_spacy(ends: dict[int, int]) -> list[Any]:
    return [[TEXT, {"entities": [[start, end, "PER"] for start, end in ends.items()]}]]


def of_tokens(*tags: str) -> list[Any]:
    return [{"id": "d", "tokens": TEXT.split(), "ner_tags": tags}]


@pytest.mark.parametrize(
    "files",
    [
        {"all.json": of_stretches("ann", {0: 7, 12: 15}) + of_stretches("ben", {0: 3})},
        {"ann.json": of_spacy({0: 7, 12: 15}), "ben.json": of_spacy({0: 3})},
        {
            "ann.json": of_tokens("B-PER", "I-PER", "O", "B-PER"),
            "ben.json": of_tokens("B-PER", "O", "O", "O"),
        },
        {
            "ann.json": of_tokens("PER-B", "PER-I", "O", "PER-B"),
            "ben.json": of_tokens("PER-B", "O", "O", "O"),
        },
    ],
)
def test_marks_are_whose_a_field_or_the_file_says(files: dict[str, list[Any]], tmp_path: Path) -> None:
    found = export_of(READER, written(tmp_path, {name: json.dumps(each) for name, each in files.items()}))
    marks = {
        (copy.annotator, copy.text, mark.spans[0], mark.features["label"])
        for copy in found.copies
        for mark in copy.marks
    }
    assert marks == {
        ("ann", TEXT, (0, 7), "PER"),
        ("ann", TEXT, (12, 15), "PER"),
        ("ben", TEXT, (0, 3), "PER"),
    }
    assert len({copy.document for copy in found.copies}) == 1


@pytest.mark.parametrize(
    ("field", "span", "message"),
    [
        ("who_did_it", {}, '"all" has the document "d" twice.'),
        ("annotator", {"text": "Bob"}, "covers"),
        ("annotator", {"start": False}, "has neither"),
    ],
)
def test_what_would_be_somebody_elses_mark_is_refused(
    field: str, span: dict[str, Any], message: str, tmp_path: Path
) -> None:
    """A field that is not known makes two people one; words and places may contradict each other."""
    records = [*of_stretches("ann", {0: 7}), *of_stretches("ben", {0: 3})]
    records = [{field: each.pop("annotator"), **each} for each in records]
    records[1]["spans"][0] |= span
    problems = problems_of(READER, written(tmp_path, {"all.json": json.dumps(records)}))
    assert message in problems[0].message


@pytest.mark.parametrize(
    "record", [{"text": TEXT}, {"tokens": ["a", "b"], "tags": ["O"]}, {"text": TEXT, "spans": [{"start": 1}]}]
)
def test_a_record_without_marks_is_named(record: dict[str, Any], tmp_path: Path) -> None:
    files = written(tmp_path, {"all.json": json.dumps([*of_stretches("ann", {0: 7}), record])})
    (problem,) = problems_of(READER, files)
    assert (problem.line, problem.message[:16]) == (2, "has neither a te")


def test_one_scheme_holds_for_all_records(tmp_path: Path) -> None:
    """Of a record alone nobody knows whether "I-PER" begins a name: others say so."""
    every = [{"id": "d", "tokens": ["A", "B"], "tags": ["I-PER", "I-PER"]}]
    every += [{"id": f"e{place}", "tokens": ["A", "B"], "tags": ["B-PER", "I-PER"]} for place in range(3)]
    files = written(tmp_path, {f"{who}.json": json.dumps(every) for who in "ab"})
    assert [len(copy.marks) for copy in export_of(READER, files).copies] == [1] * 8


@pytest.mark.parametrize(("key", "asked"), [("ner_tags", True), ("labels", True), ("heads", False)])
def test_numbers_of_classes_are_refused_with_what_to_do(key: str, *, asked: bool, tmp_path: Path) -> None:
    record = [{"id": "d", "tokens": TEXT.split(), key: [0, 1, 2, 0]}]
    files = written(tmp_path, {"ann.json": json.dumps(record), "ben.json": json.dumps(record)})
    assert all(READER.recognises(file) is asked for file in files)
    if asked:
        (problem, *_) = problems_of(READER, files)
        assert f'has numbers of classes in "{key}"' in problem.message
        assert ".names" in problem.remedy


ROWS = "document,start,end,label,annotator,tone,word\n"
ALIKE = [
    f"d,{start},{start + 1},X,{who},{tone},a\n"
    for who, tone in (("ann", "up"), ("ben", ""))
    for start in (0, 2)
]


@pytest.mark.parametrize(
    ("texts", "rows", "known"), [(("d",), ALIKE, True), ((), ALIKE, False), ((), ALIKE[:3], True)]
)
def test_stretches_that_everybody_has_are_marks_where_texts_are_beside(
    texts: tuple[str, ...],
    rows: list[str],
    known: bool,  # noqa: FBT001 - a case
    tmp_path: Path,
) -> None:
    *_, table = written(tmp_path, {"m.csv": ROWS + "".join(rows), **{f"{name}.txt": "a b" for name in texts}})
    assert TABLES.recognises(table) is known


def test_other_columns_are_features_of_marks_and_the_label_counts_without_a_choice(tmp_path: Path) -> None:
    files = written(tmp_path, {"m.csv": ROWS + "".join(ALIKE), "d.txt": "a b"})
    found = TABLES.read(files, ReaderOptions())
    assert isinstance(found, Export)
    features = [mark.features for copy in found.copies for mark in copy.marks]
    assert features[0] == {"label": "X", "tone": "up", "word": "a"}
    assert features[2] == {"label": "X", "word": "a"}
    assert found.default == "marks->label"
