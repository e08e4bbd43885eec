"""`reportgen pull`: what is fetched again and what is not, who asks, and what it refuses."""

import base64
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import reportgen
from reportgen.app.servers import doccano, exchange, pull_push
from reportgen.app.servers.exchange import PASSWORD, PULLED, USER, ProjectSize, snapshot_in
from reportgen.app.servers.exchange import TOKEN as NAME
from reportgen.app.servers.pull_push import pull
from reportgen.base.errors import BadInput, Problem
from reportgen.base.errors import refused as refused_here
from tests.app.servers.stub import KEY, TOKEN, Stub, campaign_of, edited, task
from tests.commands import files, run
from tests.conftest import CHECKOUT

HEADER = base64.urlsafe_b64encode(b'{"alg":"HS256"}').decode().rstrip("=")
PERSONAL = f"{HEADER}.cGVyc29uYWw.c2lnbmVk"
OTHER = '[[guidelines]]\nversion = "live"\n'


@pytest.fixture
def campaign(stub: Stub, tmp_path: Path) -> Path:
    return campaign_of("label-studio", stub, tmp_path / "c")


@pytest.fixture
def of_doccano(stub: Stub, tmp_path: Path) -> Path:
    return campaign_of("doccano", stub, tmp_path / "d")


def refused(step: Callable[[], object]) -> Problem:
    with pytest.raises(BadInput) as caught:
        step()
    (problem,) = caught.value.problems
    assert TOKEN not in str(problem)
    return problem


def tasks_in(campaign: Path, version: str = "1") -> list[dict[str, Any]]:
    path = campaign / "exports" / version / "project-7.json"
    content: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return content


def exported_by(stub: Stub) -> list[int]:
    """Return which tasks were exported."""
    return [int(n) for _, path, _ in stub.asked for n in re.findall(r"ids%5B%5D=(\d+)", path)]


# What is fetched


def test_a_pull_has_the_tasks_as_an_export_by_hand_has_them_and_a_report_of_them(
    campaign: Path, stub: Stub, tmp_path: Path
) -> None:
    done = run("pull", campaign)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("10 tasks of Tones, 20")
    assert tasks_in(campaign) == stub.tasks
    snapshot = snapshot_in(campaign / "exports" / "1")
    assert snapshot is not None
    assert (snapshot.tool, snapshot.url, snapshot.project) == ("label-studio", stub.url, "7")
    assert list(snapshot.files) == ["project-7.json"]
    built = run("build", campaign, "--out", tmp_path / "site")
    assert built.exit_code == 0, built.output
    assert "Krippendorff's alpha" in built.output


def test_only_what_changed_is_fetched_again(campaign: Path, stub: Stub) -> None:
    assert pull(campaign).changed
    stub.asked = []
    assert not pull(campaign).changed
    assert exported_by(stub) == []
    stub.tasks[3] = task(4, "2026-11-28T08:00:00Z")
    del stub.tasks[5]
    stub.asked = []
    assert pull(campaign).changed
    assert exported_by(stub) == [4]
    assert tasks_in(campaign) == stub.tasks


def test_a_pull_that_was_ended_goes_on_where_it_was(campaign: Path, stub: Stub) -> None:
    stub.fault, stub.at = (lambda reply, _stub, _path: type(reply)(b"", 400)), 6
    assert "answered 400" in refused(lambda: pull(campaign)).message
    assert exported_by(stub) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    (left,) = (campaign / "exports").iterdir()
    # The system ended while it wrote.
    left.write_bytes(left.read_bytes() + b'{"id": 7, "updated_at": "2026')
    stub.fault, stub.asked = None, []
    pull(campaign)
    assert exported_by(stub) == [7, 8, 9, 10]
    assert tasks_in(campaign) == stub.tasks
    assert [path.name for path in (campaign / "exports").iterdir()] == ["1"]


@pytest.mark.parametrize("status", [401, 403])
def test_of_a_project_that_one_may_not_see_any_more_nothing_of_an_ended_pull_is_kept(
    campaign: Path, stub: Stub, status: int
) -> None:
    stub.fault, stub.at = (lambda reply, _stub, _path: type(reply)(b"", 400)), 6
    refused(lambda: pull(campaign))
    assert len(list((campaign / "exports").iterdir())) == 1
    stub.asked, stub.at = [], 0
    stub.fault = lambda reply, _stub, _path: type(reply)(b"", status)
    refused(lambda: pull(campaign))
    assert list((campaign / "exports").iterdir()) == []
    # Nor is anything made where nothing was fetched.
    (campaign / "exports").rmdir()
    refused(lambda: pull(campaign))
    assert not (campaign / "exports").exists()


def test_what_was_fetched_from_another_address_is_not_kept_for_good(campaign: Path, stub: Stub) -> None:
    exports = campaign / "exports"
    stub.fault, stub.at = (lambda reply, _stub, _path: type(reply)(b"", 400)), 6
    refused(lambda: pull(campaign))
    (old,) = exports.iterdir()
    of_another_version = exports / f".pulling-1-x{old.name[-15:]}"
    of_another_version.write_bytes(b"")
    edited(campaign, re.escape(stub.url), "http://127.0.0.1:9")
    assert "can't be reached" in refused(lambda: pull(campaign)).message
    assert [*exports.iterdir()] == [of_another_version]


def test_a_list_that_grows_with_each_page_comes_to_an_end(campaign: Path, stub: Stub) -> None:
    def growing(here: Stub) -> None:
        here.tasks += [task(len(here.tasks) + more) for more in range(1, 5)]

    stub.changing = growing
    message = refused(lambda: pull(campaign)).message
    assert message.endswith("of a list that grows while it is read.")
    assert len(stub.asked) < 40


@pytest.mark.parametrize(("left", "is_lost"), [(5, True), (6, False)])
def test_where_half_is_gone_the_exports_stay_unless_it_is_forced(
    campaign: Path, stub: Stub, left: int, *, is_lost: bool
) -> None:
    pull(campaign)
    del stub.tasks[left:]
    if not is_lost:
        pull(campaign)
        assert len(tasks_in(campaign)) == left
        return
    before = files(campaign)
    done = run("pull", campaign)
    assert done.exit_code == 2
    assert "source: has 5 of 10 tasks left since the last pull, 20" in done.stderr
    assert "where it is, pull with --force." in done.stderr
    assert files(campaign) == before
    assert run("pull", campaign, "--force").exit_code == 0
    assert len(tasks_in(campaign)) == left


def test_where_an_annotator_of_two_is_gone_the_exports_stay(of_doccano: Path, stub: Stub) -> None:
    pull(of_doccano)
    stub.members = {name: lines for name, lines in stub.members.items() if name != "ann.jsonl"}
    assert "has 1 of 2 files left" in refused(lambda: pull(of_doccano)).message
    assert reportgen.pull(of_doccano, force=True).versions == ("1",)


@pytest.mark.parametrize(
    ("url", "is_told"),
    [
        ("http://labels.example.org", True),
        ("http://10.0.0.7:8080", True),
        ("https://labels.example.org", False),
        ("http://127.0.0.1:8080", False),
        ("http://localhost:8080", False),
    ],
)
def test_a_server_elsewhere_without_encryption_is_warned_of_before_it_is_asked(
    campaign: Path, stub: Stub, url: str, monkeypatch: pytest.MonkeyPatch, *, is_told: bool
) -> None:
    told: list[str] = []

    def nobody(_: object) -> ProjectSize:
        assert len(told) == is_told
        raise refused_here("server", message="is not asked.", remedy="It is a test.")

    monkeypatch.setitem(pull_push.FETCH, "label-studio", nobody)
    edited(campaign, re.escape(stub.url), url)
    assert refused(lambda: pull(campaign, warn=lambda said: told.extend(map(str, said)))).file == "server"
    assert all("source.url: leads to another computer without encryption" in said for said in told)


def test_what_changes_while_it_is_read_is_read_again(campaign: Path, stub: Stub) -> None:
    def changing(here: Stub) -> None:
        if len(here.asked) in (3, 6, 9):
            here.tasks[-1] = task(10, f"2026-11-28T09:00:0{len(here.asked)}Z")
        if len(here.asked) == 3:
            del here.tasks[0]

    stub.changing = changing
    pull(campaign)
    assert tasks_in(campaign) == stub.tasks
    assert len(stub.tasks) == 9


def test_a_project_that_loses_tasks_whenever_it_is_listed_is_refused_and_nothing_is_lost(
    campaign: Path, stub: Stub
) -> None:
    def changing(here: Stub) -> None:
        if "page=2" in here.asked[-1][1]:
            del here.tasks[0]

    stub.tasks = [task(number) for number in range(1, 16)]
    pull(campaign)
    before = files(campaign / "exports" / "1")
    stub.changing = changing
    problem = refused(lambda: pull(campaign))
    assert problem.key == "source.project"
    assert problem.message == f"changes faster at {stub.url} than it can be read."
    assert files(campaign / "exports" / "1") == before


def test_a_task_that_slips_through_between_two_pages_is_found(campaign: Path, stub: Stub) -> None:
    def changing(here: Stub) -> None:
        if len(here.asked) == 3:
            del here.tasks[0]

    pull(campaign)
    stub.asked, stub.changing = [], changing
    pull(campaign)
    assert tasks_in(campaign) == stub.tasks


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        ([task(1, project=8)], "lists tasks of project 8."),
        ([], "has no tasks yet at"),
        ([{**task(1), "id": "one"}], "lists a task without id or date."),
        ([{**task(1), "data": "text"}], "exports tasks that were not asked for."),
    ],
)
def test_tasks_of_another_kind_are_refused(
    tasks: list[dict[str, Any]], said: str, campaign: Path, stub: Stub
) -> None:
    stub.tasks = tasks
    assert said in refused(lambda: pull(campaign)).message


def test_a_server_that_says_nothing_is_waited_for_a_while(
    campaign: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "SILENCE", 0.05)
    stub.fault = lambda reply, _stub, _path: type(reply)(delay=1.0)
    stub.at = 1
    assert "did not answer within" in refused(lambda: pull(campaign)).message


# Who asks


def test_a_personal_access_token_is_exchanged_for_others_that_end(
    campaign: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, PERSONAL)
    stub.token = f"Bearer {stub.access}"

    def ending(here: Stub) -> None:
        if len(here.asked) == 7:
            here.access = "another-access"
            here.token = f"Bearer {here.access}"

    stub.changing = ending
    pull(campaign)
    assert [path for _, path, _ in stub.asked].count("/api/token/refresh/") == 2
    assert all(PERSONAL not in authorisation for _, _, authorisation in stub.asked)
    assert all(PERSONAL.encode() not in content for content in files(campaign).values())


@pytest.mark.parametrize(
    ("token", "named"), [("old", "personal access token"), (PERSONAL, "it has ended, or was revoked")]
)
def test_a_token_that_is_refused_is_answered_with_the_one_to_make(
    token: str, named: str, campaign: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, token)
    stub.access = "of nobody"
    stub.fault = lambda reply, _stub, path: type(reply)(b"{}", 401) if "refresh" in path else reply
    stub.at = 0
    done = run("pull", campaign)
    assert done.exit_code == 2
    assert named in done.output
    assert token not in done.output.replace("tokens", "")


@pytest.mark.parametrize("token", ["two words", "línea", "a\nb"])
def test_what_can_be_no_token_is_sent_nowhere(
    token: str, campaign: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, token)
    problem = refused(lambda: pull(campaign))
    assert (problem.file, problem.message) == (NAME, "has blanks or signs that no token has.")
    assert token not in str(problem)
    assert stub.asked == []


def test_without_a_token_nobody_is_asked(campaign: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAME)
    assert refused(lambda: pull(campaign)).message == "is not set, and the server asks who you are."
    monkeypatch.setattr(exchange, "_of_keyring", lambda url: TOKEN if url == stub.url else "")
    pull(campaign)


def test_doccano_takes_a_user_with_a_password(
    of_doccano: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(NAME)
    monkeypatch.setenv(USER, "gold")
    monkeypatch.setenv(PASSWORD, TOKEN)
    stub.token = f"Token {KEY}"
    pull(of_doccano)
    assert sorted(files(of_doccano / "exports" / "1")) == [PULLED, "ann.jsonl", "ben.jsonl"]
    monkeypatch.setenv(PASSWORD, "wrong")
    message = refused(lambda: pull(of_doccano)).message
    assert message.endswith("does not accept REPORTGEN_USER and REPORTGEN_PASSWORD.")
    assert stub.asked[-1][1] == "/v1/auth/login/"


# doccano


def test_doccano_has_a_file_for_each_member_who_labelled(of_doccano: Path, stub: Stub) -> None:
    pulled = pull(of_doccano)
    del stub.members["boss.jsonl"]
    assert {name: (pulled.folder / name).read_bytes() for name in pulled.snapshot.files} == stub.members
    assert (pulled.snapshot.number, pulled.snapshot.of) == (10, "documents")
    assert stub.sent[0][2] == {"format": "JSONL", "exportApproved": False}


@pytest.mark.parametrize(
    "name", ["../ann.jsonl", "/ann.jsonl", ".hidden.jsonl", "a/b.jsonl", "ann.exe", "a\\b.jsonl"]
)
def test_an_archive_with_other_files_is_refused(name: str, of_doccano: Path, stub: Stub) -> None:
    stub.members = {name: b'{"id": 1, "text": "t", "label": ["good"]}\n'}
    assert "sent an archive with" in refused(lambda: pull(of_doccano)).message
    assert not (of_doccano / "exports").exists()


def test_a_project_of_doccano_without_labels_or_with_shared_ones_is_refused(
    of_doccano: Path, stub: Stub
) -> None:
    stub.together = True
    assert refused(lambda: pull(of_doccano)).message.startswith("is collaborative at ")
    stub.together, stub.members = False, {"boss.jsonl": stub.members["boss.jsonl"]}
    assert refused(lambda: pull(of_doccano)).message.startswith("has no labels yet at ")


def test_a_task_queue_that_does_not_run_is_said_so(
    of_doccano: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doccano, "ASKED", 3)
    stub.ready = False
    assert "doccano task" in refused(lambda: pull(of_doccano)).remedy


# What is refused before anybody is asked


def test_what_no_pull_wrote_stays(campaign: Path, stub: Stub) -> None:
    pull(campaign)
    (campaign / "exports" / "1" / "mine.json").write_text("[]", encoding="utf-8")
    stub.asked = []
    problem = refused(lambda: pull(campaign))
    assert problem.message == 'contains "mine.json", which no pull wrote, or which was changed since.'
    (campaign / "exports" / "1" / "mine.json").unlink()
    (campaign / "exports" / "1" / "project-7.json").write_text("[]", encoding="utf-8")
    assert refused(lambda: pull(campaign)).message.startswith('contains "project-7.json", which')
    assert stub.asked == []


@pytest.mark.parametrize(
    ("old", "new", "key", "said"),
    [
        (r"\[source\][^[]*", "", "source", "is missing."),
        (
            r'version = "1"',
            'version = "1"\nexports = "elsewhere"',
            "exports",
            "are elsewhere than in exports/1",
        ),
        (r"project = 7", 'project = "renaming"', "source.project", "is a number in Label Studio."),
    ],
)
def test_a_campaign_that_can_t_be_pulled_is_answered_with_its_line(
    old: str, new: str, key: str, said: str, *, campaign: Path, stub: Stub
) -> None:
    edited(campaign, old, new)
    problem = refused(lambda: pull(campaign))
    assert problem.key == key
    assert said in problem.message
    assert stub.asked == []


def test_a_version_that_is_not_declared_is_refused(campaign: Path) -> None:
    assert refused(lambda: pull(campaign, "live")).message == 'has no guidelines version "live".'


def test_two_pulls_at_once_are_one_too_many(campaign: Path, stub: Stub) -> None:
    said: list[Problem] = []

    def another(here: Stub) -> None:
        if len(here.asked) == 5:
            said.append(refused(lambda: pull(campaign)))

    stub.changing = another
    pull(campaign)
    assert [problem.message for problem in said] == ["is being pulled by another command."]


# Again and again


def test_watching_keeps_the_live_version_fresh_and_outlasts_a_server_that_is_down(
    campaign: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited(campaign, r"\Z", OTHER)
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        if seconds != 600:
            return
        waited.append(seconds)
        stub.asked = []
        stub.fault = (lambda reply, *_: type(reply)(b"", 500)) if len(waited) == 1 else None
        stub.at = 0
        if len(waited) == 2:
            stub.tasks[0] = task(1, "2026-11-28T09:00:00Z")
        if len(waited) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", sleep)
    done = run("pull", campaign, "--watch", "10m")
    assert waited == [600] * 4
    assert done.stdout.count("Written: ") == 2
    assert "answered 500" in done.stderr
    assert tasks_in(campaign, "live") == stub.tasks
    assert not (campaign / "exports" / "1").exists()


@pytest.mark.parametrize("every", ["5s", "10", "-1m", "1d", "0m"])
def test_a_time_that_is_none_or_too_short_is_refused(every: str, campaign: Path, stub: Stub) -> None:
    done = run("pull", campaign, f"--watch={every}")
    assert done.exit_code == 2
    assert "Write it as 90s, 10m or 1h." in done.stderr
    assert stub.asked == []


def test_the_nightly_workflow_of_the_docs_runs(
    stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (CHECKOUT / "docs" / "while-they-annotate.md").read_text(encoding="utf-8")
    (workflow,) = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    steps = yaml.safe_load(workflow)["jobs"]["report"]["steps"]
    commands = [step["run"] for step in steps if step.get("run", "").startswith("reportgen ")]
    (tmp_path / "campaigns").mkdir()
    gate = "[gate]\nkrippendorff_alpha = { value = 0.9 }\n"
    edited(campaign_of("label-studio", stub, tmp_path / "campaigns" / "reviews"), r"\Z", gate)
    monkeypatch.chdir(tmp_path)
    done = [run(*command.split()[1:]) for command in commands]
    assert [each.exit_code for each in done] == [0, 0, 1], [each.output for each in done]
    assert (tmp_path / "public" / "reviews" / "1" / "index.html").is_file()


@pytest.mark.slow
def test_neither_site_nor_bundle_says_where_people_annotate_and_figures_don_t_depend_on_it(
    campaign: Path, stub: Stub, tmp_path: Path
) -> None:
    pull(campaign)
    assert run("build", campaign, "--out", tmp_path / "site").exit_code == 0
    assert run("bundle", campaign, "1", "--out", tmp_path / "bundle").exit_code == 0
    for made in ("site", "bundle"):
        contents = files(tmp_path / made)
        assert [name for name, content in contents.items() if stub.url.encode() in content] == []
    edited(campaign, r"\[source\][^[]*", "")
    assert run("build", campaign, "--out", tmp_path / "other").exit_code == 0
    assert files(tmp_path / "other" / "c" / "1") == files(tmp_path / "site" / "c" / "1")
