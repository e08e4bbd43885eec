"""Labels as JSON, by annotator or by item, are read as a long table."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import ReaderOptions, read_export
from reportgen.readers.labels_json import READER
from tests.commands import run
from tests.readers.content import problems_of, rated, ratings_of, table_of, written

PEOPLE = '{\n "anna": {\n  "1": "yes",\n  "2": "no"\n },\n "ben": {"1": "no", "3": "yes"}\n}\n'
MODELS = '{"m-1": {"1": "yes", "2": "yes", "3": "yes"}}'
BY_ITEM = [
    {"item": 1, "text": "a?", "annotations": {"anna": "yes", "ben": "no"}},
    {"item": 2, "text": "b?", "annotations": {"anna": "no"}},
]


def test_an_object_has_the_labels_of_each_annotator(tmp_path: Path) -> None:
    found = table_of(READER, written(tmp_path, {"human_annotations.json": PEOPLE}))
    assert rated(found) == {
        ("1", "anna", "yes"), ("2", "anna", "no"), ("1", "ben", "no"), ("3", "ben", "yes")
    }  # fmt: skip
    assert found.reading == "JSON: labels by annotator and item."
    assert ratings_of(found).location(1) == ("human_annotations.json", 4)


def test_people_and_models_may_stand_in_two_files(tmp_path: Path) -> None:
    files = {"human_annotations.json": PEOPLE, "llm_annotations.json": MODELS}
    found = read_export([(tmp_path / name, name) for name in _written(tmp_path, files)])
    assert found.format == "labels-json"
    assert ratings_of(found).annotators == ("anna", "ben", "m-1")
    assert len(rated(found)) == 7


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


def test_init_asks_which_annotators_are_models(tmp_path: Path) -> None:
    _written(tmp_path, {"human_annotations.json": PEOPLE, "llm_annotations.json": MODELS})
    answer = run("init", tmp_path)
    assert answer.exit_code == 0
    assert 'say which annotators are models, if any: role = "model"' in " ".join(answer.stdout.split())


@pytest.mark.parametrize(
    "text", [json.dumps(BY_ITEM), "\n".join(map(json.dumps, BY_ITEM)), json.dumps(BY_ITEM, indent=1)]
)
def test_a_list_or_lines_have_an_object_for_each_item(tmp_path: Path, text: str) -> None:
    found = table_of(READER, written(tmp_path, {"labels.json": text}))
    assert rated(found) == {("1", "anna", "yes"), ("1", "ben", "no"), ("2", "anna", "no")}


def test_items_and_documents_may_be_named(tmp_path: Path) -> None:
    rows = [{"key": f"k{n}", "id": n, "page": "p1", "annotations": {"a": "x", "b": "y"}} for n in (1, 2)]
    files = written(tmp_path, {"labels.json": json.dumps(rows)})
    assert {unit for unit, *_ in rated(table_of(READER, files))} == {"1", "2"}
    found = table_of(READER, files, columns={"unit": "key", "document": "page"})
    assert {unit for unit, *_ in rated(found)} == {"k1", "k2"}
    assert ratings_of(found).documents == ("p1",)
    assert found.reading == "JSON: labels by annotator and item, of documents."


def test_numbers_are_numbers_null_is_missing_and_a_list_is_a_set(tmp_path: Path) -> None:
    content = {"a": {"1": 3.0, "2": None, "3": ["y", "x"], "4": [], "5": True, "6": 0.5}, "b": {"1": 3}}
    files = written(tmp_path, {"labels.json": json.dumps(content)})
    found = table_of(READER, files, set_separator="|")
    assert rated(found) == {
        ("1", "a", "3"), ("1", "b", "3"), ("3", "a", "x|y"), ("4", "a", "{}"), ("5", "a", "true"),
        ("6", "a", "0.5"),
    }  # fmt: skip
    assert found.missing == 1


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


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (
            json.dumps([*BY_ITEM, {"item": 3, "annotations": ["x"]}]),
            {},
            "labels.json:3: annotations: is a list where an object of labels by annotator was expected.",
        ),
        (
            json.dumps([*BY_ITEM, {"item": 3, "annotations": {"anna": {"x": 1}}}]),
            {},
            "labels.json:3: annotations.anna: has an object where a label was expected",
        ),
        (
            json.dumps([*BY_ITEM, {"annotations": {"anna": "x"}}]),
            {},
            "labels.json:3: item: is missing where a text or a number was expected.",
        ),
        (
            json.dumps([*BY_ITEM, {"item": True, "annotations": {"anna": "x"}}]),
            {},
            "labels.json:3: item: is true or false where a text or a number was expected.",
        ),
        (json.dumps([*BY_ITEM, 5]), {}, "labels.json:3: is a number where an object was expected."),
        (
            '[{"annotations": {"a": "x", "b": "x"}}]',
            {},
            "columns.unit: no key is known as the item; there are",
        ),
        (json.dumps(BY_ITEM), {"unit": "itme"}, 'columns.unit: there is no key "itme". Did you mean "item"?'),
        (
            json.dumps(BY_ITEM),
            {"document": "txt"},
            'columns.document: there is no key "txt". Did you mean "text"?',
        ),
        (PEOPLE, {"label": "x"}, "columns.label: is named, but in JSON by annotator and item"),
        ('{"a": {"1": "x", "1": "y"}, "b": {"1": "x"}}', {}, "labels.json: 1: occurs twice in one object."),
        ('{"a": {"1": "x"}, "a": {"2": "x"}}', {}, "labels.json: a: occurs twice in one object."),
        (
            json.dumps([{"item": 1, "annotations": {"a": "x"}}])[:-2] + ', "item": 2}]',
            {},
            "labels.json: item: occurs twice",
        ),
    ],
)
def test_faults_are_said_with_their_place(
    tmp_path: Path, text: str, options: dict[str, str], said: str
) -> None:
    files = written(tmp_path, {"labels.json": text})
    with pytest.raises(BadInput) as error:
        READER.read(files, ReaderOptions(columns=options))
    assert said in str(error.value)


def test_what_breaks_off_is_no_json(tmp_path: Path) -> None:
    files = written(tmp_path, {"labels.json": PEOPLE[:-10]})
    assert "is not JSON" in str(problems_of(READER, files))


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


def test_a_row_that_holds_an_object_is_refused_with_its_place(tmp_path: Path) -> None:
    rows = [*ROWS, {"item": 3, "annotator": "ben", "label": {"x": 1}}, "yes"]
    said = [
        str(problem) for problem in problems_of(READER, written(tmp_path, {"rows.json": json.dumps(rows)}))
    ]
    assert said[0].startswith("rows.json:4: label: has an object where a label was expected")
    assert said[1].startswith("rows.json:5: is a text where an object was expected.")


def test_items_by_annotator_may_name_their_texts(tmp_path: Path) -> None:
    found = table_of(READER, written(tmp_path, {"l.json": json.dumps(BY_ITEM)}), columns={"text": "text"})
    assert ratings_of(found).unit_texts == ("a?", "b?")


# Which level of keys names annotators.

BOTH = {"u0": {"Anna": "a", "Ben": "b"}, "u1": {"Anna": "a", "Ben": "a"}, "u2": {"Ben": "b"}}
OF_BOTH = {
    ("u0", "Anna", "a"),
    ("u0", "Ben", "b"),
    ("u1", "Anna", "a"),
    ("u1", "Ben", "a"),
    ("u2", "Ben", "b"),
}


def test_annotators_are_the_level_that_recurs_in_either_orientation(tmp_path: Path) -> None:
    by_item = table_of(READER, written(tmp_path, {"labels.json": json.dumps(BOTH)}))
    assert rated(by_item) == OF_BOTH
    assert by_item.reading == "JSON: labels by item and annotator."
    turned: dict[str, dict[str, str]] = {}
    for item, labels in BOTH.items():
        for name, label in labels.items():
            turned.setdefault(name, {})[item] = label
    by_annotator = table_of(READER, written(tmp_path, {"labels.json": json.dumps(turned)}))
    assert rated(by_annotator) == OF_BOTH
    assert by_annotator.reading == "JSON: labels by annotator and item."


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


def test_items_that_have_few_labels_of_many_workers_are_asked_about(tmp_path: Path) -> None:
    """Most workers gave one label, so that items recur more often than they do."""
    content = {f"k-{n}": {f"w-{5 * n + m}": "x" for m in range(5)} for n in range(20)}
    assert problems_of(READER, written(tmp_path, {"labels.json": json.dumps(content)}))


def test_agree_takes_the_level_that_it_is_given(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(_complete(["k-a", "k-b", "k-c"], ["x-a", "x-b"]), encoding="utf-8")
    assert run("agree", file).exit_code == 2
    answer = run("agree", file, "--columns", "annotator=inner")
    assert answer.exit_code == 0
    assert "2 annotators, 3 units" in answer.stdout


# As shared tasks publish labels.


def test_items_by_key_have_their_annotators_and_labels_in_one_order_as_lewidi_has_them(
    tmp_path: Path,
) -> None:
    def item(**labels: object) -> dict[str, object]:
        about = {"text": "…", "number of annotations": 2, "lang": "en", "soft_label": {"0": 0.5, "1": 0.5}}
        return {**about, "annotators": "Ann1,Ann2", **labels}

    content = {"1": item(annotations="0,1"), "2": item(annotations="1, 1")}
    found = table_of(READER, written(tmp_path, {"dev.json": json.dumps(content)}))
    expected = {("1", "Ann1", "0"), ("1", "Ann2", "1"), ("2", "Ann1", "1"), ("2", "Ann2", "1")}
    assert rated(found) == expected
    labels = {"1": [0, 1], "2": [1, 1]}
    lists = {key: {"annotators": ["Ann1", "Ann2"], "annotations": given} for key, given in labels.items()}
    assert rated(table_of(READER, written(tmp_path, {"dev.json": json.dumps(lists)}))) == expected
    by_name = {
        key: item(annotations=dict(zip(("Ann1", "Ann2"), given, strict=True)))
        for key, given in labels.items()
    }
    assert rated(table_of(READER, written(tmp_path, {"dev.json": json.dumps(by_name)}))) == expected


def test_an_item_needs_as_many_labels_as_annotators(tmp_path: Path) -> None:
    content = {
        "1": {"annotators": "a,b", "annotations": "x,y"},
        "2": {"annotators": "a,b", "annotations": "x"},
    }
    said = str(problems_of(READER, written(tmp_path, {"dev.json": json.dumps(content, indent=1)}))[0])
    assert said.startswith("dev.json:6: annotators: names 2 annotators for 1 labels")


def test_labels_may_have_a_list_of_annotators_as_varierr_has_them(tmp_path: Path) -> None:
    def entry(name: str) -> dict[str, object]:
        return {"annotator": name, "reason": "…", "judgments": [{"annotator": "2", "makes_sense": True}]}

    rows = [
        {
            "id": "72c",
            "context": "…",
            "entailment": [entry("1")],
            "neutral": [entry("2"), entry("1")],
            "x": [],
        },
        {"id": "73n", "context": "…", "entailment": [entry("1"), entry("2")], "neutral": [], "x": []},
    ]
    text = "\n".join(map(json.dumps, rows))
    found = table_of(READER, written(tmp_path, {"varierr.json": text}))
    assert rated(found) == {
        ("72c", "1", "entailment|neutral"), ("72c", "2", "neutral"), ("73n", "1", "entailment"),
        ("73n", "2", "entailment"),
    }  # fmt: skip


def test_entries_by_annotator_may_have_the_label_themselves(tmp_path: Path) -> None:
    def entries(*labels: object) -> list[dict[str, object]]:
        return [{"annotator": name, "label": label} for name, label in zip("ab", labels, strict=False)]

    rows = [{"id": 1, "first": entries("x", "y")}, {"id": 2, "first": entries("y", None)}]
    found = table_of(READER, written(tmp_path, {"rows.json": json.dumps(rows)}))
    assert rated(found) == {("1", "a", "x"), ("1", "b", "y"), ("2", "a", "y")}
    twice = [{**row, "second": entries("z", "z")} for row in rows]
    files = written(tmp_path, {"rows.json": json.dumps(twice)})
    assert 'several keys have labels by annotator: "first", "second"' in str(problems_of(READER, files)[0])
    assert ("1", "b", "z") in rated(table_of(READER, files, columns={"label": "second"}))


@pytest.mark.parametrize("named", [True, False])
def test_tables_by_column_or_row_as_pandas_writes_them_are_tables(tmp_path: Path, *, named: bool) -> None:
    columns = {"text": ["t", "v"], "anna": ["x", "y"], "ben": ["x", "x"]}
    columns |= {"item": ["u7", "u9"]} if named else {}
    by_column = {name: {str(row): cell for row, cell in enumerate(cells)} for name, cells in columns.items()}
    by_row = {str(row): {name: cells[row] for name, cells in columns.items()} for row in range(2)}
    units = ("u7", "u9") if named else ("0", "1")
    for content in (by_column, by_row):
        found = table_of(READER, written(tmp_path, {"frame.json": json.dumps(content)}))
        assert rated(found) == {
            (units[0], "anna", "x"), (units[0], "ben", "x"), (units[1], "anna", "y"), (units[1], "ben", "x")
        }  # fmt: skip


def test_lists_in_one_order_may_be_called_otherwise(tmp_path: Path) -> None:
    """Else their keys would be taken for two annotators."""
    content = {f"u{n}": {"workers": ["a", "b"], "labels": ["x", "y"]} for n in range(4)}
    found = table_of(READER, written(tmp_path, {"crowd.json": json.dumps(content)}))
    assert rated(found) == {(f"u{n}", *pair) for n in range(4) for pair in (("a", "x"), ("b", "y"))}


def test_a_list_of_annotators_with_labels_is_no_export_of_doccano(tmp_path: Path) -> None:
    rows = [
        {
            "id": n,
            "text": "t",
            "annotations": [{"annotator": "a", "label": "x"}, {"annotator": "b", "label": "y"}],
        }
        for n in range(3)
    ]
    (file,) = written(tmp_path, {"rows.json": json.dumps(rows)})
    found = read_export([(file.path, file.name)])
    assert found.format == "labels-json"
    assert len(rated(found)) == 6


def test_lists_of_labels_without_names_are_compared_by_place(tmp_path: Path) -> None:
    """As SNLI and MultiNLI publish them: five labels an item, or fewer."""
    given = [["a", "b", "a", "a", "a"], ["b", "b", "b"], ["a", "", "b", "b"]]
    rows = [
        {"pairID": f"p{n}", "gold_label": "a", "annotator_labels": labels} for n, labels in enumerate(given)
    ]
    (tmp_path / "dev.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = read_export([(tmp_path / "dev.jsonl", "dev.jsonl")])
    assert found.ratings.annotators == ("1", "2", "3", "4", "5")
    assert found.marks_read == 5 + 3 + 3
    assert "which may be another person's from item to item" in found.reading
