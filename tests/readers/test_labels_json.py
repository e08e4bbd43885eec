"""Labels as JSON, by annotator or by item, are read as a long table."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import ReaderOptions, read_export
from reportgen.readers.labels_json import READER
from tests.readers.content import problems_of, rated, ratings_of, table_of, written

BY_ITEM = [
    {"item": 1, "text": "a?", "annotations": {"anna": "yes", "ben": "no"}},
    {"item": 2, "text": "b?", "annotations": {"anna": "no"}},
]


def _items(n: int, seed: int, key: str = "{}") -> str:
    """Return items from 1 on, each with the labels of three people who mostly agree."""
    chance = Random(seed)  # noqa: S311 - labels of a test
    truth = [chance.choice("01") for _ in range(n)]
    given = [[value if chance.random() < 0.8 else chance.choice("01") for _ in range(3)] for value in truth]
    return json.dumps(
        {
            key.format(number): {"annotators": "Ann1,Ann2,Ann3", "annotations": ",".join(labels)}
            for number, labels in enumerate(given, 1)
        }
    )


def test_files_that_count_their_items_each_from_1_have_items_of_their_own(tmp_path: Path) -> None:
    """More than half of the labels were dropped as second ones, with exit status 0."""
    files = {f"set_{name}.json": _items(n, n) for name, n in (("train", 20), ("dev", 12), ("test", 13))}
    found = table_of(READER, written(tmp_path, files))
    assert len(ratings_of(found).unit_names) == 45
    (told,) = found.warnings
    assert "each file has its own" in told.message
    by_document = table_of(READER, written(tmp_path, files), path="{document}")
    assert set(by_document.content.documents) == {"set_train", "set_dev", "set_test"}
    assert len(ratings_of(by_document).unit_names) == 45
    assert not by_document.warnings


def test_files_that_say_the_same_of_items_of_one_name_are_asked_about(tmp_path: Path) -> None:
    files = {
        f"{name}.json": _items(20, 1).replace("0,1,1", "0,0,1", times) for name, times in (("a", 0), ("b", 2))
    }
    (problem,) = problems_of(READER, written(tmp_path, files))
    assert (problem.file, problem.key) == ("b.json", "path")
    assert 'path = "{document}" or path = "{pass}"' in problem.remedy
    rounds = table_of(READER, written(tmp_path, files), path="{pass}")
    assert len(ratings_of(rounds).unit_names) == 20
    # Few labels given again are what they were.
    few = {"a.json": _items(20, 1), "b.json": _items(23, 1, "x{}").replace("x7", "7", 1)}
    assert len(ratings_of(table_of(READER, written(tmp_path, few))).unit_names) == 42


PEOPLE_OF_ITEMS = {
    f"Ann{number}": {"Gender": "F" if number % 2 else "M", "Age": str(30 + number)} for number in (1, 2, 3)
}


@pytest.mark.parametrize("keys", [{}, {f"x{number}": "a" for number in range(8)}])
def test_a_file_about_annotators_beside_items_is_no_table_of_labels(
    tmp_path: Path, keys: dict[str, str]
) -> None:
    about = {name: own | keys for name, own in PEOPLE_OF_ITEMS.items()}
    names = _written(tmp_path, {"dev.json": _items(30, 1), "dev_annotators_meta.json": json.dumps(about)})
    found = read_export([(tmp_path / name, name) for name in names])
    assert found.unread == ("dev_annotators_meta.json",)
    assert set(ratings_of(found).labels) == {"0", "1"}
    assert len(ratings_of(found).unit_names) == 30
    # Labels of some of the items are labels, however they are written.
    names = _written(
        tmp_path, {"dev.json": _items(30, 1), "models.json": json.dumps({"m-1": {"1": "0", "2": "1"}})}
    )
    found = read_export([(tmp_path / name, name) for name in names])
    assert "m-1" in ratings_of(found).annotators


def _written(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return list(files)


@pytest.mark.parametrize(
    "text", [json.dumps(BY_ITEM), "\n".join(map(json.dumps, BY_ITEM)), json.dumps(BY_ITEM, indent=1)]
)
def test_a_list_or_lines_have_an_object_for_each_item(tmp_path: Path, text: str) -> None:
    found = table_of(READER, written(tmp_path, {"labels.json": text}))
    assert rated(found) == {("1", "anna", "yes"), ("1", "ben", "no"), ("2", "anna", "no")}


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        {"a": {}},
        {"a": "x"},
        {"1": {"text_id": "t", "chat_prompt": [{"role": "user"}]}},
        [{"item": 1, "annotations": [{"result": []}]}],
        [{"item": 1, "annotations": {}}],
        {"name": "p", "labels": {"1": "x"}},
    ],
)
def test_other_json_is_none_of_it(tmp_path: Path, content: object) -> None:
    (file,) = written(tmp_path, {"x.json": json.dumps(content)})
    assert not READER.recognises(file)


ROWS = [
    {"item": 1, "annotator": "anna", "label": "yes", "sentence": "It rains."},
    {"item": 1, "annotator": "ben", "label": ["x", "y"], "sentence": "It rains."},
    {"item": 2, "annotator": "ben", "label": None},
]


@pytest.mark.parametrize("text", [json.dumps(ROWS), "\n".join(map(json.dumps, ROWS))])
def test_objects_that_are_rows_are_a_long_table(tmp_path: Path, text: str) -> None:
    files = written(tmp_path, {"rows.json": text})
    assert READER.recognises(files[0])
    found = table_of(READER, files, columns={"text": "sentence"}, set_separator="|")
    assert rated(found) == {("1", "anna", "yes"), ("1", "ben", "x|y")}
    assert found.missing == 1
    assert ratings_of(found).unit_texts == ("It rains.", "")
    assert found.reading.startswith(
        "Long table: units in column item, annotators in annotator, labels in label"
    )
    assert found.reading.endswith("JSON.")


def test_objects_that_are_rows_may_have_a_key_for_each_annotator(tmp_path: Path) -> None:
    rows = [{"id": "1", "anna": "yes", "ben": "no"}, {"id": "2", "anna": "no", "ben": "no", "date": "today"}]
    files = written(tmp_path, {"rows.json": json.dumps(rows)})
    assert READER.recognises(files[0])
    assert rated(table_of(READER, files)) == {
        ("1", "anna", "yes"), ("1", "ben", "no"), ("2", "anna", "no"), ("2", "ben", "no")
    }  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [
        [{"id": 1, "title": "A", "author": "B"}, {"id": 2, "title": "C", "author": "D"}],
        [{"title": "A", "author": "A"}],
        {"id": 1, "version": "A"},
        {"m1": {"start": 0, "end": 4, "type": "PER"}, "m2": {"start": 9, "end": 12, "type": "PER"}},
        {"d1.txt": {"Anna": "PER"}, "d2.txt": {"Paris": "LOC", "Rome": "LOC"}},  # nothing has two labels
        [{"id": 1, "a": "x", "b": {"x": 1}}],
    ],
)
def test_objects_about_something_else_are_no_rows(tmp_path: Path, content: object) -> None:
    (file,) = written(tmp_path, {"x.json": json.dumps(content)})
    assert not READER.recognises(file)


@pytest.mark.parametrize(
    ("row", "known"),
    [
        ({"question_id": "q1", "judge": "anna", "winner": "a"}, True),
        ({"question_id": "q1", "label": "a", "winner": "a"}, True),
        ({"question_id": "q1", "winner": "a"}, False),
        ({"judge": "anna", "winner": "a"}, False),
    ],
)
def test_rows_are_known_by_their_unit_with_an_annotator_or_a_label(
    tmp_path: Path, row: dict[str, str], *, known: bool
) -> None:
    (file,) = written(tmp_path, {"rows.jsonl": json.dumps(row) + "\n"})
    assert READER.recognises(file) == known


# Which level of keys names annotators.


def _complete(outer: Sequence[str], inner: Sequence[str]) -> str:
    return json.dumps({first: dict.fromkeys(inner, "x") for first in outer})


@pytest.mark.parametrize(
    ("outer", "inner", "level"),
    [
        # By what names look like.
        (["u0"], ["Anna"], "inner"),
        (["item1", "item2"], [f"s{n}" for n in range(30)], "inner"),
        (["worker_1", "worker_2"], ["17", "18"], "outer"),
        (["gpt-4o", "qwen-2"], ["alpha", "beta"], "outer"),
        (["It rains today in Paris.", "Nobody came to the party."], ["ua", "ub"], "inner"),
        (["ann@example.org", "ben@example.org"], ["ka", "kb"], "outer"),
        # By how often they recur, where names say nothing.
        (["k-a", "k-b", "k-c", "k-d"], ["x-a", "x-b"], "inner"),
        (["x-a", "x-b"], ["k-a", "k-b", "k-c", "k-d"], "outer"),
        # Either is possible: as many of both; few more; numbers that contradict names.
        (["k-a", "k-b"], ["x-a", "x-b"], None),
        (["k-a", "k-b", "k-c"], ["x-a", "x-b"], None),
        (["1", "2"], ["anna", "ben", "carla", "doris"], None),
    ],
)
def test_the_level_of_annotators_follows_from_names_and_numbers_or_is_asked_for(
    tmp_path: Path, outer: list[str], inner: list[str], level: str | None
) -> None:
    files = written(tmp_path, {"labels.json": _complete(outer, inner)})
    if level is not None:
        assert ratings_of(table_of(READER, files)).annotators == tuple(outer if level == "outer" else inner)
        return
    said = str(problems_of(READER, files)[0])
    assert "labels.json: columns.annotator: has either annotators in its outer keys" in said
    assert 'columns = { annotator = "outer" }' in said
    assert "--columns annotator=inner" in said
    for chosen, names in (("outer", outer), ("inner", inner)):
        found = table_of(READER, files, columns={"annotator": chosen})
        assert ratings_of(found).annotators == tuple(names)


# As shared tasks publish labels.


@pytest.mark.parametrize("key", ["annotations", "judgments"])
def test_objects_by_annotator_with_several_answers_are_rows_of_a_table(tmp_path: Path, key: str) -> None:
    """What is nested is found by the keys that lead there; each answer is a question."""
    items = [
        {
            "id": f"u{n}",
            key: [
                {
                    "user": {"id": who},
                    "answer": {"tone": "abc"[(n + k) % 7 % 3], "mood": "xy"[(n + k) % 5 % 2]},
                }
                for k, who in enumerate(("ann", "ben", "cy"))
            ],
        }
        for n in range(12)
    ]
    file = tmp_path / "t.json"
    file.write_text(json.dumps(items), encoding="utf-8")
    with pytest.raises(BadInput, match=r"several questions.*: answer\.tone, answer\.mood"):
        read_export([(file, "t.json")])
    found = read_export([(file, "t.json")], ReaderOptions(columns={"label": "answer.tone"})).ratings
    assert found.annotators == ("ann", "ben", "cy")
    assert (len(found.unit_names), len(found.label)) == (12, 36)
