"""Commands say what to do from where somebody is, and find campaigns by their names."""

import json
from pathlib import Path

import pytest

from tests.campaigns import written
from tests.commands import run

TABLE = "item,anna,ben\n" + "".join(f"u{unit},{'ab'[unit % 2]},{'ab'[unit % 3 % 2]}\n" for unit in range(9))


def _exports(folder: Path) -> None:
    (folder / "exports/1.0").mkdir(parents=True)
    (folder / "exports/1.0/r.csv").write_text(TABLE, encoding="utf-8")


def test_build_of_a_folder_of_exports_says_what_writes_its_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _exports(tmp_path / "mine")
    answer = run("build", tmp_path / "mine")
    assert answer.exit_code == 2
    assert f"has no campaign.toml. Write one from the exports in it: reportgen init {tmp_path / 'mine'}." in (
        answer.stderr
    )
    monkeypatch.chdir(tmp_path / "mine")
    answer = run("build")
    assert answer.exit_code == 2
    assert "reportgen init ." in answer.stderr
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert "reportgen init" not in run("build").stderr


@pytest.mark.slow
def test_a_campaign_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "campaigns/reviews", "", {"exports/1.0/r.csv": TABLE})
    (tmp_path / "docs").mkdir()
    for here in (tmp_path, tmp_path / "docs"):
        monkeypatch.chdir(here)
        assert run("build", "reviews", "--out", tmp_path / "site", "-q").exit_code == 0
    assert (tmp_path / "site/reviews/index.html").is_file()
    assert run("gold", "reviews", "--out", tmp_path / "gold.csv").exit_code == 0
    for command in (("build", "revues"), ("bundle", "revues", "1.0", "--out", "b.zip"), ("gold", "revues")):
        refused = run(*command, *(["--out", "g.csv"] if command[0] == "gold" else []))
        assert refused.exit_code == 2
        assert 'there is no such folder. Did you mean "reviews"?' in refused.stderr
    assert "there is no such folder. Check the name." in run("build", "something").stderr
    assert run("bundle", "reviews", "1.0", "--out", tmp_path / "b.zip").exit_code == 0
    assert "no such folder" not in run("compare", "reviews", "1.0", "2.0").stderr
    # What is there under that name is what was named.
    (tmp_path / "docs/reviews").mkdir()
    assert "has no campaign.toml" in run("build", "reviews").stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["campaigns", "corpora"])
def test_init_of_a_folder_of_campaigns_describes_each(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    for campaign in ("news", "reviews"):
        _exports(folder / campaign)
    answer = run("init", folder, "--json")
    assert answer.exit_code == 0
    assert [found["campaign"] for found in json.loads(answer.stdout)] == ["news", "reviews"]
    assert all((folder / campaign / "campaign.toml").is_file() for campaign in ("news", "reviews"))
    assert not (folder / "campaign.toml").exists()
    _exports(folder / "talks")
    assert "talks" in run("init", folder).stdout
    assert (folder / "talks/campaign.toml").is_file()
    again = run("init", folder)
    assert again.exit_code == 2
    assert "has campaigns, each with its campaign.toml already." in again.stderr
