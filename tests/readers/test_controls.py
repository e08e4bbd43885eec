"""What a tool asked with says on which scale labels are, in `init`, `agree` and `build` alike."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import read_export
from reportgen.readers.scales import Control, FoundScale, find_scale
from tests.commands import run
from tests.readers.given_files import written

PEOPLE = ("anna", "ben", "cleo")
UNITS = 12
# What somebody answered about a unit.
Said = Callable[[int, str], Any]


def label_studio(kind: str, said: Said) -> dict[str, str]:
    """Return tasks with one control."""
    key = "selected" if kind == "pairwise" else kind

    def result(number: int, who: str) -> dict[str, Any]:
        value = {key: said(number, who)}
        return {"from_name": "q", "to_name": "text", "type": kind, "value": value}

    tasks = [
        {
            "id": number,
            "data": {"text": f"text {number}"},
            "annotations": [
                {"completed_by": {"email": who}, "result": [result(number, who)]} for who in PEOPLE
            ],
        }
        for number in range(UNITS)
    ]
    return {"e.json": json.dumps(tasks)}


def prodigy(style: str | None, said: Said) -> dict[str, str]:
    """Return a data set of one choice."""
    lines = [
        {
            "text": f"text {number}",
            "_input_hash": number,
            "_task_hash": number,
            "options": [{"id": "a, b"}, {"id": "c"}, {"id": "1"}],
            "accept": said(number, who),
            "answer": "accept",
            "_session_id": f"set-{who}",
            **({"config": {"choice_style": style}} if style else {}),
        }
        for number in range(UNITS)
        for who in PEOPLE
    ]
    return {"set.jsonl": "".join(f"{json.dumps(line)}\n" for line in lines)}


def doccano(said: Said) -> dict[str, str]:
    """Return a file of labels of documents for each annotator."""
    return {
        f"{who}.jsonl": "".join(
            f"{json.dumps({'id': number, 'text': 'x', 'label': said(number, who)})}\n"
            for number in range(UNITS)
        )
        for who in PEOPLE
    }


def point(number: int, who: str) -> int:
    return 1 + (number + (who == "ben" and number == 3)) % 5


def once(number: int, who: str) -> list[str]:
    """Return one label but for one annotator of one unit, who gave two."""
    return ["a, b", "c"] if (number, who) == (2, "ben") else [("a, b", "c")[number % 2]]


def one(number: int, _: str) -> list[str]:
    return [("a, b", "c")[number % 2]]


CASES: Sequence[tuple[Mapping[str, str], Control, str]] = (
    (label_studio("rating", point), "rating", "ordinal"),
    # Two stars of five are no names.
    (label_studio("rating", lambda number, _: 4 + number % 2), "rating", "ordinal"),
    # Of three digits each, they would be codes.
    (label_studio("number", lambda number, who: 100 + 7 * number + (who == "ben")), "number", "interval"),
    (label_studio("ranker", lambda number, _: [*"xyz"[:: 1 if number % 2 else -1]]), "ranking", "ordinal"),
    (label_studio("ranker", lambda *_: {"good": ["x"], "bad": ["y"], "_": ["z"]}), "choice", "nominal"),
    (label_studio("choices", once), "choices", "set"),
    (label_studio("choices", one), "choice", "nominal"),
    (label_studio("pairwise", lambda number, _: ("left", "right")[number % 2]), "choice", "nominal"),
    (prodigy(None, once), "choices", "set"),
    (prodigy(None, one), "choice", "nominal"),
    (prodigy("multiple", one), "choices", "set"),
    (prodigy("single", one), "choice", "nominal"),
    (doccano(once), "choices", "set"),
    (doccano(one), "choice", "nominal"),
)


@pytest.mark.parametrize(("files", "control", "scale"), CASES, ids=lambda _: "case")
def test_what_a_tool_asked_with_says_the_scale(
    files: Mapping[str, str], control: Control, scale: str, tmp_path: Path
) -> None:
    found = read_export([(file.path, file.name) for file in written(tmp_path, files)])
    assert found.control == control
    given = Counter(found.ratings.labels[code] for code in found.ratings.label.tolist())
    assert find_scale(given, control=control).scale == scale


def test_init_says_that_the_tool_asked_for_the_scale(tmp_path: Path) -> None:
    written(tmp_path / "c/exports/1.0", label_studio("rating", point))
    assert run("init", tmp_path / "c").exit_code == 0
    toml = (tmp_path / "c/campaign.toml").read_text(encoding="utf-8")
    said = "Scale ordinal: labels are ratings from 1 to 5, as the tool asked for."
    assert said in " ".join(toml.replace("\n# ", " ").split())
    assert '\nscale = "ordinal"' in toml


def test_what_was_put_in_order_is_a_unit_of_its_task(tmp_path: Path) -> None:
    orders = {"anna": ["x", "y", "z"], "ben": ["x", "z", "y"], "cleo": ["x", "y", "z"]}
    (tmp_path / "e.json").write_text(
        label_studio("ranker", lambda _, who: orders[who])["e.json"], encoding="utf-8"
    )
    said = " ".join(run("agree", tmp_path / "e.json").stdout.split())
    assert f"3 annotators, {3 * UNITS} units, 3 categories, {UNITS} documents" in said
    assert f"Labels read {9 * UNITS} = used {9 * UNITS} + left out 0." in said


@pytest.mark.parametrize(
    ("labels", "control", "scale"),
    [
        (("1", "2"), "rating", "ordinal"),
        (("0.5", "30"), "rating", "ordinal"),
        (("100", "250", "999"), "number", "interval"),
        (("one", "2"), "rating", "nominal"),
        (("low", "medium", "high"), "rating", "ordinal"),
        (("1", "2", "3"), "choice", "ordinal"),
        (("a|b", "a", "b"), "choice", "nominal"),
        (("a|b", "a", "b"), "choices", "set"),
        (("1", "2", "3"), "kind", "nominal"),
    ],
)
def test_the_control_says_it_where_labels_are_what_it_takes(
    labels: Sequence[str], control: Control, scale: str
) -> None:
    found = find_scale(dict.fromkeys(labels, 5), control=control)
    assert found.scale == scale
    assert not found.missing


def test_a_label_that_was_chosen_is_not_missing() -> None:
    assert find_scale({"NA": 4, "1": 4, "2": 4, "3": 4}).missing == ("NA",)
    assert find_scale({"NA": 4, "1": 4, "2": 4, "3": 4}, control="choice").missing == ()
    assert find_scale({"NA": 4, "1": 4}, control="kind") == FoundScale()
