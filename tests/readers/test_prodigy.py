"""Prodigy's answers are read as marks, choices or yes and no, and the last answer counts."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from reportgen.readers import ATTENDANCE, DocumentCopy, ReaderOptions, read_export, read_layers
from reportgen.readers.prodigy import AGAIN, AGAIN_THERE, IGNORED, NO_TEXT, QUESTION, READER, REJECTED
from tests.properties import examples
from tests.readers.content import export_of, labelled, left_out, problems_of, written
from tests.readers.generated import copies, told
from tests.readers.write_prodigy import write

TEXT = "Anna 😀 met Bob"


def lines(*answers: Mapping[str, Any]) -> str:
    """Return answers as a file, with what all of them have."""
    about = {"text": TEXT, "_input_hash": 7, "_task_hash": 8, "answer": "accept", "_session_id": "set-anna"}
    whole = [{**about, "_timestamp": number, **answer} for number, answer in enumerate(answers)]
    return "".join(f"{json.dumps(answer)}\n" for answer in whole)


def read(folder: Path, *answers: Mapping[str, Any], set_separator: str | None = None) -> list[DocumentCopy]:
    return list(
        export_of(READER, written(folder, {"ds.jsonl": lines(*answers)}), set_separator=set_separator).copies
    )


def test_spans_are_marks_in_code_points_with_their_labels(tmp_path: Path) -> None:
    spans = [
        {"start": 0, "end": 6, "label": "A"},
        {"start": 5, "end": 6, "label": "B"},
        {"start": 11, "end": 14},
    ]
    relations = [{"head": 0, "child": 3, "label": "met"}]
    (copy,) = read(tmp_path, {"spans": spans, "relations": relations})
    assert (copy.document, copy.text, copy.state) == ("7", TEXT, "seen")
    assert [(mark.type, mark.spans, dict(mark.features), mark.line) for mark in copy.marks] == [
        ("spans", ((0, 6),), {"label": "A"}, 1),
        ("spans", ((5, 6),), {"label": "B"}, 1),
        ("spans", ((11, 14),), {}, 1),
    ]
    assert [(each.type, each.arguments) for each in copy.relations] == [
        ("met", (("head", "0"), ("child", "3")))
    ]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ({"accept": ["b"]}, "b"),
        ({"accept": ["b", "a"]}, "a|b"),
        ({"accept": [2]}, "2"),
        ({"accept": []}, "{}"),
    ],
)
def test_what_was_chosen_is_one_label(tmp_path: Path, answer: Mapping[str, Any], label: str) -> None:
    (copy,) = read(tmp_path, {"options": [{"id": "a"}, {"id": "b"}], "_view_id": "choice", **answer})
    assert [(mark.type, mark.spans, dict(mark.features)) for mark in copy.marks] == [
        ("accept", (), {"label": label})
    ]


CHOICE = {"options": [{"id": "a"}, {"id": "b"}], "_view_id": "choice"}


def test_a_rejected_choice_is_left_out_and_an_empty_one_is_none(tmp_path: Path) -> None:
    """Who rejects or ignores a question does not say that nothing fits; all answers are accounted for."""
    answers = [
        {**CHOICE, "_input_hash": number, "accept": [], "answer": answer}
        for number, answer in enumerate(("accept", "reject", "ignore"))
    ]
    found = export_of(READER, written(tmp_path, {"ds.jsonl": lines(*answers)}))
    assert [(copy.state, [mark.features["label"] for mark in copy.marks]) for copy in found.copies] == [
        ("seen", ["{}"]),
        ("skipped", []),
        ("skipped", []),
    ]
    assert left_out(found) == [
        ("ds.jsonl", 2, "set-anna", REJECTED, 1),
        ("ds.jsonl", 3, "set-anna", IGNORED, 1),
    ]


def test_a_rejected_choice_has_the_label_that_the_campaign_declares(tmp_path: Path) -> None:
    files = written(tmp_path, {"ds.jsonl": lines({**CHOICE, "accept": ["a"], "answer": "reject"})})
    found = export_of(READER, files, rejected="unfit")
    assert [mark.features["label"] for copy in found.copies for mark in copy.marks] == ["unfit"]
    assert found.left_out == ()


def test_members_of_a_set_are_joined_as_the_campaign_says(tmp_path: Path) -> None:
    (copy,) = read(tmp_path, {"accept": ["b", "a"]}, set_separator="; ")
    assert copy.marks[0].features == {"label": "a; b"}


def test_each_question_about_a_label_is_a_unit_of_its_own(tmp_path: Path) -> None:
    found = read(
        tmp_path, {"label": "X"}, {"label": "Y", "answer": "reject"}, {"label": "Z", "answer": "ignore"}
    )
    assert [(copy.document, copy.state, [dict(mark.features) for mark in copy.marks]) for copy in found] == [
        ("7 X", "seen", [{"label": "accept"}]),
        ("7 Y", "seen", [{"label": "reject"}]),
        ("7 Z", "skipped", []),
    ]


def test_seen_without_a_mark_is_not_skipped_and_not_unseen(tmp_path: Path) -> None:
    span = {"start": 0, "end": 4, "label": "A"}
    found = read(
        tmp_path,
        {"_input_hash": 1, "spans": []},
        {"_input_hash": 2, "spans": [span], "answer": "ignore"},
        {"_input_hash": 3, "spans": [span], "answer": "reject"},
        {"_input_hash": 4, "spans": [], "answer": None},
    )
    assert [(copy.state, len(copy.marks)) for copy in found] == [
        ("seen", 0),
        ("skipped", 1),
        ("skipped", 1),
        ("unseen", 0),
    ]


def test_the_last_answer_of_an_annotator_counts_and_earlier_ones_are_left_out(tmp_path: Path) -> None:
    one, two = ({"start": 0, "end": 4, "label": label} for label in "AB")
    text = lines(
        {"spans": [one, two], "_timestamp": 9, "relations": [{"head": 0, "child": 1, "label": "r"}]},
        {"spans": [two], "_timestamp": 30},
        {"spans": [one], "_timestamp": 20},
    )
    found = export_of(READER, written(tmp_path, {"ds.jsonl": text}))
    assert [mark.features["label"] for copy in found.copies for mark in copy.marks] == ["B"]
    assert left_out(found) == [("ds.jsonl", 1, "set-anna", AGAIN, 3), ("ds.jsonl", 3, "set-anna", AGAIN, 1)]


def answered(
    data_set: str, chosen: Mapping[str, str], options: str = "", **more: object
) -> list[dict[str, Any]]:
    """Return each annotator's choices: a letter a document."""
    options = options or "".join(sorted({*"".join(chosen.values())}))
    return [
        {
            "text": f"text {number}",
            "_input_hash": number,
            "_session_id": f"{data_set}-{who}",
            "options": [{"id": each} for each in options],
            "accept": [label],
            "_view_id": "choice",
            **more,
        }
        for who, labels in chosen.items()
        for number, label in enumerate(labels)
    ]


def layers_of(files: Mapping[str, list[dict[str, Any]]], folder: Path) -> dict[str, dict[str, str]]:
    """Return what everybody chose, by layer and annotator, in the order of documents."""
    found = export_of(READER, written(folder, {name: lines(*each) for name, each in files.items()}))
    assert found.left_out == ()
    chosen: dict[str, dict[str, str]] = {}
    for copy in found.copies:
        for mark in copy.marks:
            own = chosen.setdefault(mark.type, {})
            own[copy.annotator] = own.get(copy.annotator, "") + mark.features["label"]
    return chosen


TONES, TOPICS = {"anna": "pnp", "bob": "ppp"}, {"anna": "xyz", "bob": "xyz"}


@pytest.mark.parametrize("options", ["", "npxyz"])
def test_data_sets_on_the_same_texts_are_layers(tmp_path: Path, options: str) -> None:
    """With the same options too: no answer of one replaces one of the other."""
    tone, topic = answered("tone", TONES, options), answered("topic", TOPICS, options)
    apart = {"tone": TONES, "topic": TOPICS}
    assert layers_of({"a.jsonl": tone, "b.jsonl": topic}, tmp_path / "files") == apart
    assert layers_of({"all.jsonl": [*tone, *topic]}, tmp_path / "file") == apart


def test_data_sets_are_told_by_file_where_sessions_do_not_name_them(tmp_path: Path) -> None:
    tone, topic = (
        [{**each, "_session_id": each["_session_id"].partition("-")[2]} for each in answered("", chosen)]
        for chosen in (TONES, TOPICS)
    )
    assert layers_of({"tone.jsonl": tone, "topic.jsonl": topic}, tmp_path) == {
        "tone": TONES,
        "topic": TOPICS,
    }


def test_data_sets_of_one_annotator_are_told_by_their_files(tmp_path: Path) -> None:
    files = {
        f"{name}.jsonl": answered(name, {"anna": chosen["anna"]})
        for name, chosen in (("tone", TONES), ("topic", TOPICS))
    }
    assert layers_of(files, tmp_path) == {"tone": {"anna": "pnp"}, "topic": {"anna": "xyz"}}


def test_a_view_with_other_options_is_a_layer(tmp_path: Path) -> None:
    asked = [*answered("ds", TONES), *answered("ds", TOPICS)]
    assert layers_of({"ds.jsonl": asked}, tmp_path) == {"accept: n, p": TONES, "accept: x, y, z": TOPICS}


def test_data_sets_of_one_annotator_each_are_one_task(tmp_path: Path) -> None:
    files = {f"{who}.jsonl": answered(f"ds-{who}", {who: TONES[who]}, "np") for who in TONES}
    files = {name: [{**each, "_session_id": None} for each in asked] for name, asked in files.items()}
    assert layers_of(files, tmp_path) == {"accept": TONES}


def test_options_that_belong_to_the_text_are_one_task(tmp_path: Path) -> None:
    """Options of each document's own, in any order, and batches of other documents, are no other task."""
    answers = answered("ds", TONES)
    for each in answers:
        own = [f"{each['_input_hash']}{letter}" for letter in "np"]
        names = own if each["_session_id"] == "ds-anna" else own[::-1]
        each["options"] = [{"id": name} for name in names]
    assert list(layers_of({"ds.jsonl": answers}, tmp_path / "one")) == ["accept"]
    batch = [{**each, "_input_hash": each["_input_hash"] + 10} for each in answered("second", TONES)]
    assert list(layers_of({"a.jsonl": answered("first", TONES), "b.jsonl": batch}, tmp_path)) == ["accept"]


def test_questions_about_several_stretches_of_a_text_are_units(tmp_path: Path) -> None:
    answers = [
        {
            **CHOICE,
            "_session_id": f"ds-{who}",
            "accept": [label],
            "spans": [{"start": start, "end": start + 1, "label": "PER"}],
        }
        for who in ("anna", "bob")
        for start, label in ((0, "a"), (11, "b"))
    ]
    found = export_of(READER, written(tmp_path, {"ds.jsonl": lines(*answers)}))
    assert [copy.document for copy in found.copies] == ["7 0:1:PER", "7 11:12:PER"] * 2
    assert {each.reason for each in found.left_out} == {QUESTION}


def test_questions_that_only_their_task_tells_apart_are_units(tmp_path: Path) -> None:
    answers = [
        {**CHOICE, "_session_id": f"ds-{who}", "accept": [label], "_task_hash": task}
        for who in ("anna", "bob")
        for task, label in ((1, "a"), (2, "b"))
    ]
    assert [copy.document for copy in read(tmp_path, *answers)] == ["7 1", "7 2"] * 2


def test_a_text_marked_again_for_another_task_says_so(tmp_path: Path) -> None:
    span = {"start": 0, "end": 4, "label": "A"}
    answers = [{"spans": [span], "_task_hash": task} for task in (1, 2)]
    found = export_of(READER, written(tmp_path, {"ds.jsonl": lines(*answers)}))
    assert [each.reason for each in found.left_out] == [AGAIN_THERE]


def test_who_marked_a_text_in_one_data_set_says_nothing_in_the_other(tmp_path: Path) -> None:
    """Anna saw both texts in both data sets, Bob marked people only, and places in nothing."""

    def marked(data_set: str, who: str, number: int, *labels: str) -> dict[str, Any]:
        spans = [{"start": 0, "end": 4, "label": label} for label in labels]
        return {"_session_id": f"{data_set}-{who}", "_input_hash": number, "spans": spans}

    people = [marked("people", who, number, "PER") for who in ("anna", "bob") for number in (1, 2)]
    places = [marked("places", "anna", 1, "LOC"), marked("places", "anna", 2), marked("places", "bob", 1)]
    files = written(tmp_path, {"people.jsonl": lines(*people), "places.jsonl": lines(*places)})
    given = [(file.path, file.name) for file in files]
    own = read_layers(given, ReaderOptions(), ["people", "places"])
    told = [
        [[ATTENDANCE[code] for code in row] for row in each.attendance.tolist()]
        for each in own
        if each.attendance is not None
    ]
    assert told == [
        [["marked", "marked"], ["marked", "marked"]],
        [["marked", "empty"], ["empty", "unseen"]],
    ]


def test_stretches_that_a_question_shows_and_regions_of_pictures_are_left_out(tmp_path: Path) -> None:
    shown = {"spans": [{"start": 0, "end": 4, "label": "A"}], "accept": ["x"], "_view_id": "choice"}
    region = {"spans": [{"points": [[0, 1]], "label": "A"}, {"x": 1, "label": "A"}], "_input_hash": 9}
    found = export_of(READER, written(tmp_path, {"ds.jsonl": lines(shown, region)}))
    assert [(each[1], each[3], each[4]) for each in left_out(found)] == [(1, QUESTION, 1), (2, NO_TEXT, 2)]


@pytest.mark.parametrize(
    ("sessions", "names"),
    [
        (["my-set-anna", "my-set-bob"], ["anna", "bob"]),
        (["set-anna-lena", "set-anna", "set-bob"], ["anna-lena", "anna", "bob"]),
        (["anna", "bob"], ["anna", "bob"]),
        (["2024-02-06_10-17-19", None], ["ds", "ds"]),
        (["set-anna", "2024-02-06_10-17-19", "set-bob"], ["anna", "ds", "bob"]),
    ],
)
def test_annotators_are_called_without_the_name_of_the_data_set(
    tmp_path: Path, sessions: list[str | None], names: list[str]
) -> None:
    answers = [{"_session_id": each, "_input_hash": number} for number, each in enumerate(sessions)]
    assert [copy.annotator for copy in read(tmp_path, *answers)] == names


def test_a_data_set_for_each_annotator_loses_what_all_names_share(tmp_path: Path) -> None:
    files = {
        f"{name}.jsonl": lines({"_annotator_id": f"set-{name}", "spans": []}) for name in ("anna", "bob")
    }
    found = export_of(READER, written(tmp_path, files))
    assert [copy.annotator for copy in found.copies] == ["anna", "bob"]


def test_a_path_says_who_answered_where_the_answers_do_not(tmp_path: Path) -> None:
    files = written(tmp_path, {"anna/a.jsonl": lines({"_session_id": None, "spans": []})})
    assert [copy.annotator for copy in export_of(READER, files, path="{annotator}/{document}").copies] == [
        "anna"
    ]


def test_documents_without_a_hash_are_numbered_by_their_text(tmp_path: Path) -> None:
    answers = [{"_input_hash": None, "text": text, "_session_id": who} for who in "ab" for text in ("x", "y")]
    assert [copy.document for copy in read(tmp_path, *answers)] == ["1", "2", "1", "2"]


@pytest.mark.parametrize(
    ("answer", "key", "message"),
    [
        ({"answer": "yes"}, "answer", "is a text where accept, reject or ignore was expected."),
        ({"spans": 1}, "spans", "is a number where a list of spans was expected."),
        ({"spans": [1]}, "spans", "is a number where a span was expected."),
        ({"spans": [{"start": "0", "end": 1}]}, "spans.start", "is a text where an offset was expected."),
        ({"text": 1}, "text", "is a number where a text was expected."),
        ({"_timestamp": "now"}, "_timestamp", "is a text where a number was expected."),
        ({"accept": [[]]}, "accept", "is a list where a label was expected."),
        ({"text": None, "_input_hash": None}, "_input_hash", "is missing where a number was expected."),
        ({"relations": [{"head": 1}]}, "relations.label", "is missing where a label was expected."),
    ],
)
def test_a_value_of_another_kind_is_named_with_its_line(
    tmp_path: Path, answer: Mapping[str, Any], key: str, message: str
) -> None:
    files = written(tmp_path, {"ds.jsonl": lines({"spans": []}, answer)})
    assert [(each.file, each.line, each.key, each.message) for each in problems_of(READER, files)] == [
        ("ds.jsonl", 2, key, message)
    ]


def test_a_span_that_covers_other_text_than_it_says_is_refused(tmp_path: Path) -> None:
    files = written(
        tmp_path, {"ds.jsonl": lines({"spans": [{"start": 0, "end": 4, "text": "Bob", "label": "A"}]})}
    )
    (problem,) = problems_of(READER, files)
    assert problem.message == 'covers "Anna" in the text, and the file says "Bob".'


def test_all_faulty_lines_of_all_files_come_at_once(tmp_path: Path) -> None:
    files = written(tmp_path, {"a.jsonl": lines({"spans": 1}, {"spans": 2}), "b.jsonl": lines({"spans": 3})})
    assert [(each.file, each.line) for each in problems_of(READER, files)] == [
        ("a.jsonl", 1),
        ("a.jsonl", 2),
        ("b.jsonl", 1),
    ]


def test_choices_of_several_annotators_make_a_whole_export(tmp_path: Path) -> None:
    answers = [{"accept": [label], "_session_id": f"s-{who}"} for who, label in (("anna", "x"), ("bob", "y"))]
    (file,) = written(tmp_path, {"ds.jsonl": lines(*answers)})
    found = read_export([(file.path, file.name)], ReaderOptions())
    assert (found.format, found.content.annotators, found.content.labels) == (
        "prodigy",
        ("anna", "bob"),
        ("x", "y"),
    )
    assert found.marks_read == 2


def numbered(found: list[DocumentCopy]) -> list[DocumentCopy]:
    """Return copies whose documents are called by numbers, as hashes are."""
    return [replace(copy, document=copy.document.removeprefix("doc")) for copy in found]


@examples(50)
@given(made=copies(features=False, unseen=False))
def test_spans_that_are_written_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy]
) -> None:
    expected = with_two_names(labelled(numbered(made), "spans", "label"))
    found = export_of(READER, write(expected, tmp_path_factory.mktemp("prodigy")))
    assert told(found.copies) == told(expected)


@examples(50)
@given(made=copies(features=False, unseen=False))
def test_choices_and_skipped_questions_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy]
) -> None:
    joined = labelled(numbered(made), "accept", "label", joined=True)
    expected = with_two_names([copy if copy.marks else replace(copy, state="skipped") for copy in joined])
    found = export_of(READER, write(expected, tmp_path_factory.mktemp("prodigy")))
    assert told(found.copies) == told(expected)


@examples(50)
@given(made=copies(features=False, unseen=False))
def test_answers_about_a_label_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy]
) -> None:
    answers = {"Person": "accept", "Place": "reject", "MERGE-ORG": "accept"}
    chosen = [replace(copy, document=f"{copy.document} A b", marks=copy.marks[:1]) for copy in numbered(made)]
    renamed = [
        replace(copy, marks=[replace(mark, type=answers[mark.type], spans=()) for mark in copy.marks])
        for copy in chosen
    ]
    found = labelled(renamed, "answer", "label")
    expected = with_two_names([copy if copy.marks else replace(copy, state="skipped") for copy in found])
    read_back = export_of(READER, write(expected, tmp_path_factory.mktemp("prodigy")))
    assert told(read_back.copies) == told(expected)


def with_two_names(found: list[DocumentCopy]) -> list[DocumentCopy]:
    """Return copies with one more annotator: of a single one the data set's name can't be told apart."""
    return [*found, DocumentCopy("999", "zoë", "", "x")]
