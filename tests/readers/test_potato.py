"""Potato's answers: each question is a layer, on the scale of what it was asked with."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import Export, ReaderOptions, SetLabel, read_layers, recognise
from reportgen.readers.label_studio import FREE_TEXT
from reportgen.readers.potato import READER
from tests.readers.content import export_of, written

PEOPLE = ("anna", "ben")
Answers = Mapping[str, Mapping[str, Any]]


def answers(number: int, who: str) -> Answers:
    """Return what somebody answered about a unit: every kind of question."""
    point = 1 + (number + (who == "ben" and number == 2)) % 5
    return {
        "tone": {("kind" if number % 2 else "rude"): "true"},
        "quality": {f"scale_{point}": str(point)},
        "topics": {"sport": "1", "politics": "2"} if number == 0 else {"sport": "1"},
        "certainty": {"slider": str(10 * number + (who == "ben"))},
        "why": {"text_box": f"it is {number}"},
    }


def line(number: int, who: str, **more: object) -> str:
    about = {"id": str(number), "displayed_text": f"Text {number}", "behavioral_data": {"time_string": "2s"}}
    value = {**about, "label_annotations": answers(number, who), "span_annotations": [], **more}
    return f"{json.dumps(value)}\n"


def as_lines(units: int = 6) -> dict[str, str]:
    """Return a file for each annotator, in a folder that is called like them."""
    return {
        f"{who}/annotated_instances.jsonl": "".join(line(number, who) for number in range(units))
        for who in PEOPLE
    }


def as_table(units: int = 6) -> dict[str, str]:
    """Return one table of everybody."""
    given = [(who, number, answers(number, who)) for who in PEOPLE for number in range(units)]
    columns = sorted(
        {(name, option) for _, _, of in given for name, options in of.items() for option in options}
    )
    text = io.StringIO()
    rows = csv.writer(text, delimiter="\t")
    rows.writerow(("user", "instance_id", "displayed_text", *map(":::".join, columns), "span_annotation:::X"))
    for who, number, of in given:
        rows.writerow((who, number, f"Text {number}", *(of[q].get(o, "") for q, o in columns), "[]"))
    return {"annotated_instances.tsv": text.getvalue()}


def as_states(units: int = 6) -> dict[str, str]:
    """Return the state of each annotator, as newer versions save it."""
    states = {}
    for who in PEOPLE:
        given = {
            str(number): [
                [{"schema": name, "name": option}, value]
                for name, options in answers(number, who).items()
                for option, value in options.items()
            ]
            for number in range(units)
        }
        states[f"{who}/user_state.json"] = json.dumps(
            {"user_id": who, "instance_id_to_label_to_value": given}
        )
    return states


def reasons(export: Export) -> dict[str, int]:
    """Return how much is left out for which reason."""
    counts = Counter[str]()
    for each in export.left_out:
        counts[each.reason] += each.marks
    return dict(counts)


def whole(folder: Path, files: Mapping[str, str]) -> Export:
    return export_of(READER, written(folder, files))


@pytest.mark.parametrize("shape", [as_lines, as_table, as_states])
def test_the_three_ways_in_which_it_writes_say_the_same(
    shape: Callable[[], Mapping[str, str]], tmp_path: Path
) -> None:
    export = whole(tmp_path, shape())
    found = {
        (copy.document, copy.annotator, mark.type): mark.features["label"]
        for copy in export.copies
        for mark in copy.marks
    }
    assert len(found) == 6 * 2 * 4
    assert found["0", "anna", "tone"] == "rude"
    assert found["2", "ben", "quality"] == "4"
    assert found["4", "ben", "certainty"] == "41"
    topics = found["0", "anna", "topics"]
    assert isinstance(topics, SetLabel)
    assert topics.members == {"sport", "politics"}
    assert reasons(export) == {FREE_TEXT: 12}
    assert export.controls == {
        "tone->label": "choice",
        "quality->label": "rating",
        "topics->label": "choices",
        "certainty->label": "number",
    }


@pytest.mark.parametrize(
    ("values", "control"),
    [
        ([{"scale_1": "1"}, {"scale_2": "2"}], "rating"),
        ([{"scale_1": "1"}, {"other": "2"}], "choice"),
        ([{"slider": "1"}, {"slider": "7"}], "number"),
        ([{"only": "1"}, {"only": "1"}], "choice"),
        ([{"box": "one"}, {"box": "two"}], None),
        ([{"box": "always"}, {"box": "always"}], None),
        ([{"a": "true"}, {"b": True}], "choice"),
        ([{"a": "true", "b": "false"}, {"b": "true", "a": None}], "choice"),
        ([{"a": "true", "b": "true"}, {"b": "true"}], "choices"),
    ],
)
def test_what_a_question_was_asked_with_is_told_by_its_options_and_values(
    values: Sequence[Mapping[str, object]], control: str | None, tmp_path: Path
) -> None:
    text = "".join(line(n, "anna", label_annotations={"q": value}) for n, value in enumerate(values))
    assert whole(tmp_path, {"all.jsonl": text}).controls.get("q->label") == control


def test_what_lies_beside_the_answers_is_no_export_of_another_kind(tmp_path: Path) -> None:
    beside = {f"{who}/assigned_user_data.json": json.dumps({"1": {"id": "1", "text": "x"}}) for who in PEOPLE}
    files = {**as_lines(), **beside, "anna/annotation_order.txt": "1\n2\n"}
    given = written(tmp_path, files)
    known = recognise(given)
    assert known
    assert known.reader == READER
    (layer,) = read_layers([(file.path, file.name) for file in given], ReaderOptions(), ["tone->label"])
    assert layer.content.annotators == PEOPLE
