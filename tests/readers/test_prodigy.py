"""Prodigy's answers are read as marks, choices or yes and no; the last counts; what campaigns say of them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from reportgen.readers import ATTENDANCE, DocumentCopy, ReaderOptions, read_layers
from reportgen.readers.prodigy import READER
from reportgen.results import Results
from tests.campaigns import results_of
from tests.campaigns import written as campaign_of
from tests.properties import examples
from tests.readers.content import export_of, labelled, problems_of, written
from tests.readers.generated import copies, told
from tests.readers.test_round_trips import hashed
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
    assert layers_of({"tone.jsonl": tone, "topic.jsonl": topic}, tmp_path) == {"tone": TONES, "topic": TOPICS}


def test_a_view_with_other_options_is_a_layer(tmp_path: Path) -> None:
    asked = [*answered("ds", TONES), *answered("ds", TOPICS)]
    assert layers_of({"ds.jsonl": asked}, tmp_path) == {"accept: n, p": TONES, "accept: x, y, z": TOPICS}


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
    assert told == [[["marked", "marked"], ["marked", "marked"]], [["marked", "empty"], ["empty", "unseen"]]]


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


@examples(50)
@given(made=copies(features=False, unseen=False))
def test_answers_about_a_label_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy]
) -> None:
    answers = {"Person": "accept", "Place": "reject", "MERGE-ORG": "accept"}
    chosen = [replace(copy, document=f"{copy.document} A b", marks=copy.marks[:1]) for copy in made]
    renamed = [
        replace(copy, marks=[replace(mark, type=answers[mark.type], spans=()) for mark in copy.marks])
        for copy in chosen
    ]
    found = labelled(renamed, "answer", "label")
    expected = hashed([copy if copy.marks else replace(copy, state="skipped") for copy in found])
    read_back = export_of(READER, write(expected, tmp_path_factory.mktemp("prodigy")))
    assert told(read_back.copies) == told(expected)


TONE = {"anna": "pnpn-R", "bob": "ppRnp-"}


def data_set(name: str, chosen: Mapping[str, str], options: str) -> str:
    """Return each annotator's choices: a letter a document, - for nothing, R for a question rejected."""
    answers = [
        {
            "text": f"text {number}",
            "_input_hash": number,
            "_session_id": f"{name}-{who}",
            "options": [{"id": each} for each in options],
            "accept": [label] if label in options else [],
            "answer": "reject" if label == "R" else "accept",
            "_view_id": "choice",
        }
        for who, labels in chosen.items()
        for number, label in enumerate(labels)
    ]
    return "".join(f"{json.dumps(each)}\n" for each in answers)


def tone(folder: Path, toml: str = "", version: str = "") -> Results:
    made = campaign_of(folder / "campaign", toml, {"exports/1.0/tone.jsonl": data_set("tone", TONE, "np")})
    (made / "campaign.toml").write_text(
        f"{(made / 'campaign.toml').read_text(encoding='utf-8')}{version}\n", encoding="utf-8"
    )
    return results_of(made)


@pytest.mark.parametrize("scale", ["nominal", "set"])
def test_the_empty_choice_is_the_non_annotated_category(tmp_path: Path, scale: str) -> None:
    found = tone(tmp_path, f'[task]\nscale = "{scale}"\nnon_annotated = "nothing"')
    assert found.primary.non_annotated == "nothing"
    assert found.primary.labels == {"n": 3, "p": 5, "nothing": 2}
