"""Campaigns of Prodigy's data sets: what is said of rejected questions, empty choices and several tasks."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.results import Results
from tests.campaigns import results_of, written

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
    made = written(folder / "campaign", toml, {"exports/1.0/tone.jsonl": data_set("tone", TONE, "np")})
    (made / "campaign.toml").write_text(f"{(made / 'campaign.toml').read_text()}{version}\n")
    return results_of(made)


def test_rejected_questions_are_left_out_and_empty_choices_count(tmp_path: Path) -> None:
    found = tone(tmp_path)
    assert found.marks.model_dump(include={"read", "used", "left_out"}) == {
        "read": 12,
        "used": 10,
        "left_out": 2,
    }
    assert found.primary.labels == {"n": 3, "p": 5, "{}": 2}
    assert {each.reason for each in found.left_out} == {"the annotator rejected the question"}


def test_a_campaign_names_the_label_of_rejected_questions(tmp_path: Path) -> None:
    found = tone(tmp_path, version='rejected = "unfit"')
    assert (found.marks.read, found.marks.used) == (12, 12)
    assert found.primary.labels == {"n": 3, "p": 5, "unfit": 2, "{}": 2}


@pytest.mark.parametrize("scale", ["nominal", "set"])
def test_the_empty_choice_is_the_non_annotated_category(tmp_path: Path, scale: str) -> None:
    found = tone(tmp_path, f'[task]\nscale = "{scale}"\nnon_annotated = "nothing"')
    assert found.primary.non_annotated == "nothing"
    assert found.primary.labels == {"n": 3, "p": 5, "nothing": 2}


def test_two_data_sets_on_the_same_texts_are_two_layers(tmp_path: Path) -> None:
    topic = {"anna": "xyzxyx", "bob": "xyzyyx"}
    files = {
        "exports/1.0/tone.jsonl": data_set("tone", TONE, "np"),
        "exports/1.0/topic.jsonl": data_set("topic", topic, "xyz"),
    }
    layers = "".join(f'[[layers]]\nid = "{name}"\n' for name in ("tone", "topic"))
    found = results_of(written(tmp_path / "both", layers, files))
    assert (found.marks.read, found.marks.used) == (24, 22)
    assert [(each.layer, each.units, each.annotators) for each in found.unit_sets] == [
        ("tone", 6, ("A01", "A02")),
        ("topic", 6, ("A01", "A02")),
    ]
    undeclared = load(written(tmp_path / "neither", "", files))
    with pytest.raises(BadInput, match="several things that are labelled: tone->label, topic->label"):
        read_campaign(undeclared)
