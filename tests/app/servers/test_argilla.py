"""Argilla: records with everybody's responses, whichever the account, and nobody's API key."""

import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.app.servers import pull_push
from reportgen.app.servers.exchange import PULLED
from reportgen.app.servers.exchange import TOKEN as NAME
from reportgen.app.servers.pull_push import pull
from reportgen.readers import ReaderOptions, read_layers
from tests.app.servers.stub import DATASET, Stub, campaign_of, edited, record
from tests.app.servers.test_pull import refused
from tests.commands import files


@pytest.fixture
def campaign(stub: Stub, tmp_path: Path) -> Path:
    return campaign_of("argilla", stub, tmp_path / "a")


def lines(campaign: Path) -> list[dict[str, Any]]:
    text = (campaign / "exports" / "1" / "dataset.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def named(campaign: Path, project: str) -> None:
    edited(campaign, '"tones"', f'"{project}"')


def test_a_dataset_is_pulled_as_the_server_sends_it_and_read(campaign: Path, stub: Stub) -> None:
    pulled = pull(campaign)
    head, *records = lines(campaign)
    assert records == stub.records
    assert head["dataset"] == {"id": DATASET, "name": "tones"}
    assert [question["name"] for question in head["questions"]] == ["tone", "quality", "why"]
    assert (pulled.snapshot.title, pulled.snapshot.number, pulled.snapshot.of) == ("tones", 10, "records")
    file = pulled.folder / "dataset.jsonl"
    tone, quality = read_layers([(file, file.name)], ReaderOptions(), ["tone->label", "quality->label"])
    assert (tone.content.annotators, dict(tone.roles)) == (("ann", "ben", "bert"), {"bert": "model"})
    assert (tone.control, quality.control) == ("choice", "rating")
    assert set(tone.ratings.labels) == {"good", "bad"}
    assert (len(tone.ratings.label), len(quality.ratings.label)) == (30, 20)


def test_of_users_only_id_and_name_are_kept_though_the_server_sends_their_keys(campaign: Path) -> None:
    pull(campaign)
    assert lines(campaign)[0]["users"] == [
        {"id": f"u-{who}", "username": who} for who in ("boss", "ann", "ben")
    ]
    for content in files(campaign).values():
        assert b"key" not in content


def test_an_owner_sees_everybody_on_the_server(campaign: Path, stub: Stub) -> None:
    stub.role = "owner"
    pull(campaign)
    assert {"id": "u-boss", "username": "owner"} in lines(campaign)[0]["users"]


@pytest.mark.parametrize("project", ["first/tones", DATASET])
def test_a_name_that_two_workspaces_have_needs_the_workspace_or_the_id(
    project: str, campaign: Path, stub: Stub
) -> None:
    stub.datasets = ((DATASET, "w1"), ("another", "w2"))
    assert refused(lambda: pull(campaign)).message.endswith('has "tones" in several workspaces.')
    named(campaign, project)
    assert pull(campaign).snapshot.number == 10


@pytest.mark.parametrize("project", ["tone", "second/tones", "third/tones"])
def test_a_dataset_that_is_not_there_is_said_so(project: str, campaign: Path) -> None:
    named(campaign, project)
    assert f'has no dataset "{project}"' in refused(lambda: pull(campaign)).message


def test_a_dataset_in_which_people_answer_is_read_three_times_at_most(campaign: Path, stub: Stub) -> None:
    def changing(here: Stub) -> None:
        here.active = f"2026-11-28T07:00:{len(here.asked):02}"
        here.records[0] = {**record(1), "status": here.active}

    stub.changing = changing
    pull(campaign)
    assert sum("/records" in path for _, path, _ in stub.asked) == 3 * pull_push.ENOUGH
    stub.changing, stub.asked = (lambda _: None), []
    pull(campaign)
    assert sum("/records" in path for _, path, _ in stub.asked) == 3
    assert lines(campaign)[1:] == stub.records


def test_a_record_that_slips_through_between_two_pages_is_found(campaign: Path, stub: Stub) -> None:
    def changing(here: Stub) -> None:
        if len(here.asked) == 6:
            del here.records[0]

    stub.changing = changing
    pull(campaign)
    assert lines(campaign)[1:] == stub.records
    assert len(stub.records) == 9


def test_records_that_get_lost_again_and_again_are_refused(campaign: Path, stub: Stub) -> None:
    stub.records[0] = stub.records[1]
    assert refused(lambda: pull(campaign)).message.startswith("loses records at ")
    stub.records = []
    assert refused(lambda: pull(campaign)).message.startswith("has no records yet at ")
    assert not (campaign / "exports").exists()


def test_records_of_another_dataset_are_refused(campaign: Path, stub: Stub) -> None:
    stub.records[3] = {**record(4), "dataset_id": "another"}
    assert refused(lambda: pull(campaign)).message.endswith("lists records of another dataset.")


def test_what_is_pulled_twice_without_a_change_has_not_changed(campaign: Path) -> None:
    assert (pull(campaign).changed, pull(campaign).changed) == (True, False)
    assert sorted(files(campaign / "exports" / "1")) == [PULLED, "dataset.jsonl"]


def test_a_key_that_is_refused_is_answered_with_the_one_to_take(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, "other")
    assert "does not accept the API key" in refused(lambda: pull(campaign)).message
