"""Campaigns of Prodigy's data sets: what is said of rejected questions, empty choices and several tasks."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

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
    (made / "campaign.toml").write_text(
        f"{(made / 'campaign.toml').read_text(encoding='utf-8')}{version}\n", encoding="utf-8"
    )
    return results_of(made)


@pytest.mark.parametrize("scale", ["nominal", "set"])
def test_the_empty_choice_is_the_non_annotated_category(tmp_path: Path, scale: str) -> None:
    found = tone(tmp_path, f'[task]\nscale = "{scale}"\nnon_annotated = "nothing"')
    assert found.primary.non_annotated == "nothing"
    assert found.primary.labels == {"n": 3, "p": 5, "nothing": 2}
