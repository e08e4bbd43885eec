"""Argilla's records: each question is a layer, answered by users who submitted it, and by models."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import DocumentCopy, Export, ReaderOptions, SetLabel, read_layers
from reportgen.readers.argilla import OF_A_PERSON, READER
from reportgen.readers.label_studio import DRAFT, FREE_TEXT
from reportgen.readers.reader import NO_ANNOTATOR
from tests.readers.content import export_of, problems_of, written

ROCKET = "🚀 rocket launched"
KINDS = {
    "tone": "label_selection",
    "topics": "multi_label_selection",
    "quality": "rating",
    "best": "ranking",
    "entity": "span",
    "why": "text",
}
ANSWERS: Mapping[str, Any] = {
    "tone": "kind",
    "topics": ["sport", "news"],
    "quality": 4,
    "best": [{"value": "a", "rank": 2}, {"value": "b", "rank": 1}],
    # A page counts the rocket as two.
    "entity": [{"start": 3, "end": 9, "label": "THING"}],
    "why": "so",
}


def head(**fields: str) -> dict[str, Any]:
    """Return what is known of a dataset; `fields` name those of questions of spans."""
    questions = [
        {
            "id": f"q-{name}",
            "name": name,
            "settings": {"type": kind, **({"field": fields.get(name, "text")} if kind == "span" else {})},
        }
        for name, kind in {**KINDS, **dict.fromkeys(fields, "span")}.items()
    ]
    users = [{"id": f"u-{who}", "username": who} for who in ("anna", "ben")]
    return {"dataset": {"id": "d", "name": "n"}, "questions": questions, "users": users}


def response(user: str | None, status: str = "submitted", **values: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    given = {name: {"value": value} for name, value in values.items()}
    return {"user_id": user, "status": status, "values": given, "updated_at": "2026-11-28T06:00:00.5"}


def record(*responses: object, **more: object) -> dict[str, Any]:
    about = {
        "id": "r1",
        "external_id": "t1",
        "fields": {"text": ROCKET, "picture": "data:image/png;base64,AA"},
    }
    return {**about, "responses": list(responses), "suggestions": [], **more}


def exported(folder: Path, *records: object, **options: Any) -> Export:  # noqa: ANN401 - options differ
    return export_of(READER, written(folder, lines(*records)), **options)


def lines(*records: object) -> dict[str, str]:
    return {"dataset.jsonl": "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in records)}


def labels(copies: list[DocumentCopy]) -> dict[tuple[str, str, str], object]:
    return {
        (copy.document, copy.annotator, mark.type): mark.features["label"]
        for copy in copies
        for mark in copy.marks
    }


def test_each_question_is_a_layer_on_the_scale_of_what_it_asks(tmp_path: Path) -> None:
    export = exported(tmp_path, head(), record(response("u-anna", **ANSWERS)))
    found = labels([*export.copies])
    topics = found.pop(("t1", "anna", "topics"))
    assert isinstance(topics, SetLabel)
    assert topics.members == {"sport", "news"}
    assert found == {
        ("t1", "anna", "tone"): "kind",
        ("t1", "anna", "quality"): "4",
        ("t1", "anna", "entity"): "THING",
        ("t1/a", "anna", "best"): "2",
        ("t1/b", "anna", "best"): "1",
    }
    assert export.controls == {
        "tone->label": "choice",
        "topics->label": "choices",
        "quality->label": "rating",
        "best->label": "ranking",
        "entity->label": "kind",
    }
    assert [(left.reason, left.marks) for left in export.left_out] == [(FREE_TEXT, 1)]


def test_offsets_of_annotators_are_utf_16_units_and_those_of_models_characters(tmp_path: Path) -> None:
    guess = {"question_id": "q-entity", "agent": "ner", "type": "model"}
    suggestions = [{**guess, "value": [{"start": 2, "end": 8, "label": "THING"}]}]
    one = record(response("u-anna", entity=ANSWERS["entity"]), suggestions=suggestions)
    anna, model = exported(tmp_path, head(), one).copies
    assert [mark.spans for mark in anna.marks] == [mark.spans for mark in model.marks] == [((2, 8),)]
    assert (model.annotator, model.role, anna.text) == ("ner", "model", ROCKET)


def test_drafts_and_what_nobody_known_answered_or_a_person_suggested_are_left_out(tmp_path: Path) -> None:
    by_person = {"question_id": "q-tone", "value": "kind", "type": "human", "agent": "boss"}
    one = record(
        response("u-anna", "draft", tone="kind", quality=1),
        response(None, tone="rude"),
        response("u-gone", tone="rude"),
        response("u-ben", "draft"),
        suggestions=[by_person],
    )
    export = exported(tmp_path, head(), one)
    assert [(left.annotator, left.reason, left.marks) for left in export.left_out] == [
        ("anna", DRAFT, 2),
        ("", NO_ANNOTATOR, 1),
        ("boss", OF_A_PERSON, 1),
    ]
    # Of somebody who has left the workspace the id alone is known.
    assert [copy.annotator for copy in export.copies] == ["u-gone"]


def test_a_record_that_somebody_discarded_was_skipped(tmp_path: Path) -> None:
    (copy,) = exported(tmp_path, head(), record(response("u-ben", "discarded", tone="kind"))).copies
    assert (copy.state, copy.timing.at) == ("skipped", 1795845600500)


def test_each_field_that_has_spans_is_a_document(tmp_path: Path) -> None:
    one = record(
        response("u-anna", tone="kind", entity=[], claim=[{"start": 0, "end": 2, "label": "YES"}]),
        fields={"text": ROCKET, "reply": "No."},
    )
    first, second = exported(tmp_path, head(claim="reply"), one).copies
    assert [(each.document, each.text) for each in (first, second)] == [
        ("t1/text", ROCKET),
        ("t1/reply", "No."),
    ]
    assert [[mark.type for mark in each.marks] for each in (first, second)] == [["tone"], ["claim"]]


def test_without_spans_the_text_of_a_unit_is_all_its_fields(tmp_path: Path) -> None:
    fields = {"prompt": "Why?", "chat": [{"role": "user", "content": "So."}], "custom": {"a": 1}}
    questions = {
        **head(),
        "questions": [{"id": "q", "name": "tone", "settings": {"type": "label_selection"}}],
    }
    (copy,) = exported(tmp_path, questions, record(response("u-anna", tone="kind"), fields=fields)).copies
    assert copy.text == "Why?\n\nuser: So."


def of_client(**more: object) -> dict[str, object]:
    responses = {
        name: [{"value": value, "user_id": who} for who in ("u-anna", "None")]
        for name, value in {**ANSWERS, "why": "it is\nso"}.items()
    }
    about = {"id": "t1", "fields": {"text": ROCKET}, "metadata": {"page": 7}, "responses": responses}
    suggestions = {"tone": {"value": "rude", "score": 1, "agent": None}}
    return {**about, "suggestions": suggestions, "vectors": {}, "_server_id": "r1", **more}


def test_what_its_client_exports_says_the_same_without_names_and_statuses(tmp_path: Path) -> None:
    server = exported(tmp_path / "a", head(), record(response("u-anna", **ANSWERS)))
    client = exported(tmp_path / "b", of_client())
    model = ("t1", "suggestions", "tone")
    assert labels([*client.copies]).pop(model) == "rude"
    own = {(document, question): label for (document, _, question), label in labels([*server.copies]).items()}
    assert {
        (document, question): label
        for (document, who, question), label in labels([*client.copies]).items()
        if who == "u-anna"
    } == own
    assert client.controls == server.controls
    assert [(left.reason, left.marks) for left in client.left_out] == [(FREE_TEXT, 1), (NO_ANNOTATOR, 6)]


def test_of_spans_in_one_of_several_fields_the_campaign_says_in_which(tmp_path: Path) -> None:
    files = written(tmp_path, lines(of_client(fields={"text": ROCKET, "reply": "No."})))
    (problem,) = problems_of(READER, files)
    assert (problem.key, problem.message) == (
        "columns.text",
        'does not say in which field the spans of "entity" are.',
    )
    (problem,) = problems_of(READER, files, columns={"text": "body"})
    assert problem.message == 'there is no field "body".'
    first, *_ = export_of(READER, files, columns={"text": "text"}).copies
    assert first.text == ROCKET


def test_the_unit_may_be_named_by_metadata(tmp_path: Path) -> None:
    first, *_ = exported(tmp_path, of_client(), columns={"unit": "page"}).copies
    assert first.document == "7"


@pytest.mark.parametrize(
    ("given", "key", "message"),
    [
        ({"tone": ["kind"]}, "tone", "is a list where a label was expected."),
        ({"topics": "sport"}, "topics", "is a text where a list of labels was expected."),
        ({"entity": [{"start": 0, "label": "X"}]}, "entity", "is missing where an offset was expected."),
        ({"entity": [7]}, "entity", "is a number where an object was expected."),
        ({"best": [{"rank": 1}]}, "best", "is missing where what is ranked was expected."),
    ],
)
def test_an_answer_of_another_kind_is_refused_with_its_line(
    given: dict[str, Any], key: str, message: str, tmp_path: Path
) -> None:
    files = written(tmp_path, lines(head(), record(response("u-anna", **given))))
    (problem,) = problems_of(READER, files)
    assert (problem.line, problem.key, problem.message) == (2, key, message)


def test_a_layer_of_ratings_is_read_as_ordered(tmp_path: Path) -> None:
    files = written(tmp_path, lines(head(), record(response("u-anna", **ANSWERS))))
    pairs = [(file.path, file.name) for file in files]
    (quality,) = read_layers(pairs, ReaderOptions(), ["quality->label"])
    assert (quality.control, quality.ratings.labels, quality.ratings.annotators) == (
        "rating",
        ("4",),
        ("anna",),
    )
