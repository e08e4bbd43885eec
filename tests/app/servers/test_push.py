"""`reportgen push`: what was decided is sent, once, and shown before."""

import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.app.desk import Answer, Desk
from reportgen.app.servers.pull_push import pull
from tests.app.servers.stub import TOKEN, Stub, campaign_of, edited, task
from tests.commands import run


def settle(campaign: Path, **decisions: str) -> None:
    """Decide about tasks, each given by its number after an underscore."""
    desk = Desk(campaign, "1")
    found = desk.look()
    for each in found.disputed.disagreements:
        if (decision := decisions.get(f"_{each.name}")) is not None:
            seen = found.answers[each.key].digest if each.key in found.answers else ""
            assert desk.settle(each.key, Answer(decision), seen) is None


@pytest.fixture
def campaign(stub: Stub, tmp_path: Path) -> Path:
    """A campaign of ten tasks, of which three are disputed: two are settled."""
    folder = campaign_of("label-studio", stub, tmp_path / "c")
    pull(folder)
    settle(folder, _3="good", _6="bad")
    return folder


def sent(stub: Stub) -> list[tuple[str, str]]:
    return [(method, path) for method, path, _ in stub.sent]


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(campaign: Path, stub: Stub) -> None:
    done = run("push", campaign, "--dry-run")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [
        "9 of 10 documents are decided; 0 are there as they were decided.",
        *(f"task {n}: new: tone = {'bad' if n == 6 else 'good'}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 10)),
        "To be sent: 9 changes, as gold@example.org.",
    ]
    assert sent(stub) == []


def test_decisions_become_ground_truth_and_twice_is_the_same_as_once(campaign: Path, stub: Stub) -> None:
    assert run("push", campaign).stdout.splitlines()[-1] == "Sent: 9 changes, as gold@example.org."
    assert len(stub.sent) == 9
    assert run("push", campaign).stdout.splitlines()[-1] == "Sent: 0 changes, as gold@example.org."
    assert len(stub.sent) == 9
    pull(campaign)
    truth = {
        each["id"]: annotation["result"][0]["value"]["choices"]
        for each in json.loads((campaign / "exports/1/project-7.json").read_text(encoding="utf-8"))
        for annotation in each["annotations"]
        if annotation.get("ground_truth")
    }
    assert truth == {n: ["bad" if n == 6 else "good"] for n in (1, 2, 3, 4, 5, 6, 7, 8, 10)}
    settle(campaign, _6="good", _9="good")
    done = run("push", campaign, "--dry-run", "--json")
    assert json.loads(done.stdout) == {
        "changes": ["task 6: changed: tone = good", "task 9: new: tone = good"],
        "left_out": [],
        "same": 8,
        "sent": False,
        "unfinished": 0,
        "unknown": [],
        "who": "gold@example.org",
    }


def test_a_star_that_somebody_gave_an_annotation_of_theirs_is_left_alone(campaign: Path, stub: Stub) -> None:
    theirs: dict[str, Any] = {**task(1)["annotations"][0], "ground_truth": True, "completed_by": 9}
    stub.tasks[0] = {**task(1, "2026-11-28T08:00:00Z"), "annotations": [theirs]}
    done = run("push", campaign, "--dry-run")
    assert "task 1: new: tone = good" in done.stdout


def test_documents_that_have_gone_are_named(campaign: Path, stub: Stub) -> None:
    del stub.tasks[0]
    assert "Not there: 1." in run("push", campaign, "--dry-run").stdout.splitlines()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("project = 7", "project = 8", "are not from"),
        ('tool = "label-studio"', 'tool = "inception"', "is of a tool that takes no decisions"),
    ],
)
def test_what_can_t_be_sent_back_is_refused(
    old: str, new: str, said: str, *, campaign: Path, stub: Stub
) -> None:
    edited(campaign, old, new)
    done = run("push", campaign)
    assert done.exit_code == 2
    assert said in done.stderr
    assert sent(stub) == []


def test_a_server_that_fails_in_the_middle_has_what_was_sent_and_takes_the_rest_later(
    campaign: Path, stub: Stub
) -> None:
    stub.fault = lambda reply, here, _path: type(reply)(b"", 500) if len(here.sent) > 4 else reply
    stub.at = 0
    done = run("push", campaign)
    assert done.exit_code == 2
    assert "answered 500" in done.stderr
    assert TOKEN not in done.output
    # The fifth was taken, and its answer lost.
    stub.fault = None
    assert run("push", campaign).stdout.splitlines()[-1] == "Sent: 4 changes, as gold@example.org."
    assert len(stub.sent) == 9


def test_a_control_that_the_labelling_interface_no_longer_has_is_named(campaign: Path, stub: Stub) -> None:
    stub.controls = {"mood": {"type": "Choices"}, "topic": {"type": "Choices"}}
    done = run("push", campaign)
    assert 'has no control for "main"; its labelling interface has "mood" and "topic".' in done.stderr
    assert sent(stub) == []
