"""The real servers: three people annotate, and their labels are pulled, settled by keys and pushed back.

What comes back in a second pull is what was decided, and agreement is that of an export by hand.
"""

import csv
import json
import logging
import re
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import pytest

from reportgen.app.servers.exchange import PASSWORD as OF_USER
from reportgen.app.servers.exchange import TOKEN, USER
from tests.cases import stored
from tests.commands import files, run
from tests.conftest import OpenPage
from tests.live.conftest import RealServer
from tests.live.projects import PASSWORD, PEOPLE, TEXTS, doccano_project, label_studio_project

pytestmark = pytest.mark.live

HEAD = stored("campaigns/live.toml")
LAYERS = stored("campaigns/layers-of-label-studio.toml")
REFERENCE = '\n[annotators.boss]\nrole = "reference"\n'
Told = Callable[[str], None]


def ran(*arguments: str | Path) -> str:
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return done.output


def alphas(campaign: Path, site: Path) -> dict[str, float]:
    """Return the primary figure of each layer."""
    ran("build", campaign, "--out", site, "--fresh", "--prune")
    results = json.loads((site / campaign.name / "live" / "results.json").read_text(encoding="utf-8"))
    primary: dict[str, str] = results["coefficients"]
    found: dict[str, float] = {}
    for unit_set in results["unit_sets"]:
        if unit_set["primary"]:
            found[unit_set["layer"]] = unit_set["measures"][primary[unit_set["layer"]]]["value"]
    return found


def by_hand(campaign: Path, content: Mapping[str, bytes], at: Path) -> Path:
    """Return the same campaign with the exports that somebody has downloaded."""
    other = at / "by-hand" / campaign.name
    (other / "exports" / "live").mkdir(parents=True)
    (other / "campaign.toml").write_bytes((campaign / "campaign.toml").read_bytes())
    for name, each in content.items():
        (other / "exports" / "live" / name).write_bytes(each)
    return other


def gold(campaign: Path, at: Path) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return the label of each unit, and who decided it."""
    ran("gold", campaign, "--out", at / "gold.csv")
    with (at / "gold.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    (at / "gold.csv").unlink()
    return {(row["layer"], row["unit"], row["offsets"]): (row["label"], row["status"]) for row in rows}


def settle(campaign: Path, open_page: OpenPage) -> int:
    """Settle all disagreements in Chromium, each by the key of the first choice; return how many."""
    ran("settle", campaign, "--out", campaign / "settle.html")
    page = open_page()
    page.goto((campaign / "settle.html").as_uri())
    found = re.search(r"0 of (\d+) settled", page.inner_text("header"))
    assert found is not None
    number = int(found[1])
    for settled in range(number):
        page.keyboard.press("1")
        assert f"{settled + 1} of {number} settled" in page.inner_text("header")
    with page.expect_download() as saved:
        page.click("button[value=save]")
    (campaign / "decided.csv").write_bytes(saved.value.path().read_bytes())
    (campaign / "settle.html").unlink()
    file = campaign / "campaign.toml"
    named = 'version = "live"\nadjudication = "decided.csv"\n'
    file.write_text(file.read_text(encoding="utf-8").replace('version = "live"\n', named), encoding="utf-8")
    return number


def round_trip(
    campaign: Path, at: Path, exported: Mapping[str, bytes], open_page: OpenPage, told: Told
) -> None:
    """Pull, build, settle, push, pull: agreement is that by hand, and gold is what was decided."""
    ran("pull", campaign)
    told("pulled")
    figures = alphas(campaign, at / "site")
    told("built")
    assert figures == alphas(by_hand(campaign, exported, at), at / "site-by-hand")
    told(f"built of the export by hand: {figures}")
    number = settle(campaign, open_page)
    told(f"settled {number} disagreements by keys")
    decided = gold(campaign, at)
    assert {status for _, status in decided.values()} == {"adjudicated", "agreed"}
    would = ran("push", campaign, "--dry-run")
    first = ran("push", campaign)
    assert would.splitlines()[-1].removeprefix("To be sent: ") == first.splitlines()[-1].removeprefix(
        "Sent: "
    )
    told(first.splitlines()[-1])
    assert "Sent: 0 changes" in ran("push", campaign)
    told("pushed again: nothing to change")
    ran("pull", campaign)
    # Without the sheet: what decides now has gone to the server and has come back.
    (campaign / "decided.csv").unlink()
    file = campaign / "campaign.toml"
    file.write_text(
        file.read_text(encoding="utf-8").replace('adjudication = "decided.csv"\n', ""), encoding="utf-8"
    )
    back = gold(campaign, at)
    assert {key: label for key, (label, _) in back.items()} == {
        key: label for key, (label, _) in decided.items()
    }
    assert {status for _, status in back.values()} == {"reference"}
    assert alphas(campaign, at / "site-again") == figures
    told("pulled again: gold is what was decided, agreement as before")


def hidden(campaign: Path, at: Path, secrets: Sequence[str], caplog: pytest.LogCaptureFixture) -> None:
    """Require that no secret is in any file or in the log."""
    for name, content in {**files(campaign), **files(at)}.items():
        assert not [secret for secret in secrets if secret.encode() in content], name
    assert not [secret for secret in secrets if secret in caplog.text]


def test_label_studio(
    label_studio: RealServer,
    *,
    tmp_path: Path,
    open_page: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    told: Told,
) -> None:
    told("Label Studio is up")
    project, personal = label_studio_project(label_studio.url, label_studio.admin)
    told(f"{len(PEOPLE)} people annotated {len(TEXTS)} texts")
    campaign = tmp_path / "work" / "renaming"
    campaign.mkdir(parents=True)
    head = HEAD.format(tool="label-studio", url=label_studio.url, project=project)
    (campaign / "campaign.toml").write_text(head + LAYERS, encoding="utf-8")
    path = f"api/projects/{project}/export?exportType=JSON&download_all_tasks=true"
    export = label_studio.admin.download(path)
    monkeypatch.setenv(TOKEN, label_studio.token)
    ran("pull", campaign)
    pulled = json.loads((campaign / "exports/live" / f"project-{project}.json").read_text(encoding="utf-8"))
    assert pulled == json.loads(export)
    told("pulled with a legacy token: task by task what an export by hand has")
    monkeypatch.setenv(TOKEN, personal)
    with caplog.at_level(logging.DEBUG):
        round_trip(campaign, tmp_path / "work", {"export.json": export}, open_page, told)
    ran("push", campaign, "--predictions", "gold")
    assert "Sent: 0 changes" in ran("push", campaign, "--predictions", "gold")
    told("predictions pushed twice")
    hidden(campaign, tmp_path / "work", [label_studio.token, personal], caplog)
    monkeypatch.setenv(TOKEN, label_studio.token[::-1])
    refused = run("pull", campaign)
    assert refused.exit_code == 2
    assert "personal access token" in refused.output


@pytest.mark.parametrize("kind", ["DocumentClassification", "SequenceLabeling"])
def test_doccano(
    kind: str,
    doccano: RealServer,
    *,
    tmp_path: Path,
    open_page: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    told: Told,
) -> None:
    told("doccano is up")
    project = doccano_project(doccano.url, doccano.admin, kind)
    told(f"{len(PEOPLE)} people annotated {len(TEXTS)} texts: {kind}")
    campaign = tmp_path / "work" / "renaming"
    campaign.mkdir(parents=True)
    head = HEAD.format(tool="doccano", url=doccano.url, project=project)
    (campaign / "campaign.toml").write_text(head + REFERENCE, encoding="utf-8")
    monkeypatch.setenv(USER, "boss")
    monkeypatch.setenv(OF_USER, PASSWORD)
    exported = doccano_export(doccano, project)
    with caplog.at_level(logging.DEBUG):
        round_trip(campaign, tmp_path / "work", exported, open_page, told)
    hidden(campaign, tmp_path / "work", [PASSWORD], caplog)


def doccano_export(doccano: RealServer, project: int) -> dict[str, bytes]:
    """Return what the page of a project downloads, of those who labelled."""
    path = f"v1/projects/{project}/download"
    task = doccano.admin.call("POST", path, {"format": "JSONL", "exportApproved": False})["task_id"]
    while not doccano.admin.call("GET", f"v1/tasks/status/{task}")["ready"]:
        time.sleep(0.5)
    with zipfile.ZipFile(BytesIO(doccano.admin.download(f"{path}?taskId={task}"))) as archive:
        return {f"{name}.jsonl": archive.read(f"{name}.jsonl") for name in PEOPLE}
