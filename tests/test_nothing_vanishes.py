"""What was published stays: other campaigns, versions and comparisons go only when somebody says so."""

import re
import shutil
from pathlib import Path
from threading import Event, Thread

import pytest

from reportgen.base.site_folder import moved
from reportgen.campaign import load
from reportgen.pipeline.build import build_site, vanishing_in
from tests.commands import files, run
from tests.test_incremental import EXPORTS, HEAD, version, write

# What `verify` returns of a site in which nothing differs: it has no exports.
UNCHECKED = 3


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two campaigns, of one version each."""
    for name in ("one", "two"):
        write(tmp_path / "campaigns" / name, HEAD + version("1"), {"1": EXPORTS["1"]})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def declare(folder: Path, *versions: tuple[str, str]) -> None:
    """Declare other versions, each with further keys."""
    text = HEAD + "".join(version(name, more) for name, more in versions)
    (folder / "campaign.toml").write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_a_campaign_that_is_gone_is_named_and_goes_with_prune_alone(desk: Path) -> None:
    assert run("build").exit_code == 0
    whole = files(desk / "site")
    shutil.rmtree(desk / "campaigns/two")
    refused = run("build")
    assert refused.exit_code == 2
    assert "site/two: was published, and would not be there any more." in refused.stderr
    assert "--prune" in refused.stderr
    assert files(desk / "site") == whole
    # One that is named leaves what it does not know.
    assert run("build", "campaigns/one").exit_code == 0
    assert files(desk / "site") == whole
    assert run("build", "--prune").exit_code == 0
    assert not (desk / "site/two").exists()
    assert "two/index.html" not in (desk / "site/index.html").read_text(encoding="utf-8")
    pruned = files(desk / "site")
    shutil.rmtree(desk / "site")
    assert run("build").exit_code == 0
    assert files(desk / "site") == pruned


@pytest.mark.parametrize("there", [pytest.param(True, marks=pytest.mark.slow), False])
def test_two_builds_of_different_campaigns_into_one_site_at_once_both_count(
    desk: Path, *, there: bool
) -> None:
    one, two, site = desk / "campaigns/one", desk / "campaigns/two", desk / "site"
    if there:
        build_site([one, two], site)
        for campaign in (one, two):
            toml = (campaign / "campaign.toml").read_text(encoding="utf-8")
            (campaign / "campaign.toml").write_text(
                toml.replace("title = ", "title = 'T2' # "), encoding="utf-8"
            )
    waits, said = Event(), list[str]()

    def second_says(step: str) -> None:
        said.append(step)
        waits.set()

    def first_says(_: str) -> None:
        # It has read the site, and has written nothing.
        if not said:
            second.start()
            assert waits.wait(60)

    second = Thread(target=lambda: build_site([two], site, second_says))
    build_site([one], site, first_says)
    second.join(60)
    assert said[0] == f"{site} is being written by another command: waiting for it"
    at_once = files(site)
    listed = at_once["index.html"].decode()
    for page in ("one/index.html", "two/index.html"):
        assert page in at_once
        assert page in listed
    if there:
        shutil.rmtree(site)
        build_site([one, two], site)
        assert at_once == files(site)


@pytest.mark.slow
def test_a_version_that_is_renamed_is_named_with_what_leads_its_address_on(desk: Path) -> None:
    assert run("build").exit_code == 0
    shutil.move(desk / "campaigns/one/exports/1", desk / "campaigns/one/exports/1.1")
    declare(desk / "campaigns/one", ("1.1", ""))
    refused = run("build")
    assert refused.exit_code == 2
    assert refused.stderr.count("would not be there any more") == 1
    assert "site/one/1: was published" in refused.stderr
    assert 'was = "1"' in refused.stderr
    assert (desk / "site/one/1/results.json").is_file()
    declare(desk / "campaigns/one", ("1.1", 'was = "1"'))
    assert run("build").exit_code == 0
    assert sorted(files(desk / "site/one/1")) == ["index.html"]
    page = (desk / "site/one/1/index.html").read_text(encoding="utf-8")
    (address,) = re.findall(r"0; url=([^\"]+)", page)
    assert (desk / "site/one/1" / address).resolve() == (desk / "site/one/1.1/index.html").resolve()
    assert run("verify", "site").exit_code == UNCHECKED
    built = files(desk / "site")
    shutil.rmtree(desk / "site")
    assert run("build").exit_code == 0
    assert files(desk / "site") == built


@pytest.mark.slow
def test_earlier_names_lead_on_from_comparisons_and_in_every_language(desk: Path) -> None:
    write(desk / "campaigns/one", "", {"2": EXPORTS["2"]})
    declare(desk / "campaigns/one", ("1", ""), ("2", 'was = ["2-beta", "2-rc"]'))
    toml = desk / "campaigns/one/campaign.toml"
    toml.write_text('language = ["en", "fr"]\n' + toml.read_text(encoding="utf-8"), encoding="utf-8")
    assert run("build").exit_code == 0
    for name in ("2-beta", "2-rc"):
        for folder in (f"{name}", f"{name}/fr", f"compare/1...{name}", f"compare/1...{name}/fr"):
            here = desk / "site/one" / folder
            (address,) = re.findall(r"0; url=([^\"]+)", (here / "index.html").read_text(encoding="utf-8"))
            assert (here / address).resolve() == desk / "site/one" / folder.replace(name, "2") / "index.html"
    assert run("verify", "site").exit_code == UNCHECKED
    # A language that goes is named too.
    toml.write_text(toml.read_text(encoding="utf-8").replace('["en", "fr"]', '["en"]'), encoding="utf-8")
    refused = run("build")
    assert refused.exit_code == 2
    gone = [line.partition(":")[0] for line in refused.stderr.splitlines() if "was published" in line]
    versions = ("1", "2", "2-beta", "2-rc")
    others = ("compare/1...2", "compare/1...2-beta", "compare/1...2-rc")
    assert gone == [*sorted(f"site/one/{folder}/fr" for folder in (*versions, *others)), "site/one/fr"]


def test_what_would_vanish_is_known_from_the_folders_alone(desk: Path) -> None:
    """With a version go its comparisons and its other languages; what an earlier name leads on from stays."""
    pages = ("", "fr", "0", "0/fr", "1", "1/fr", "compare/0...1", "compare/0...1/fr", "1/documents")
    for name in pages:
        (desk / "site/one" / name).mkdir(parents=True, exist_ok=True)
        (desk / "site/one" / name / "index.html").touch()
    campaign = load(desk / "campaigns/one")
    gone = [problem.file for problem in vanishing_in(desk / "site", [campaign])]
    assert sorted(gone) == [f"{desk}/site/one/0", f"{desk}/site/one/1/fr", f"{desk}/site/one/fr"]
    declare(desk / "campaigns/one", ("1", 'was = "0"'))
    campaign = load(desk / "campaigns/one")
    campaign = campaign.model_copy(update={"language": ("en", "fr")})
    gone = [problem.file for problem in vanishing_in(desk / "site", [campaign])]
    assert sorted(gone) == [f"{desk}/site/one/compare/0...1"]


def test_an_earlier_name_can_not_be_that_of_another_version(desk: Path) -> None:
    write(desk / "campaigns/one", "", {"2": EXPORTS["2"]})
    declare(desk / "campaigns/one", ("1", 'was = "0"'), ("2", 'was = ["1", "0"]'))
    refused = run("build")
    assert refused.exit_code == 2
    assert 'is "1", and a version is, or was, called "1"' in refused.stderr
    assert 'is "0", and a version is, or was, called "0"' in refused.stderr


def test_ways_of_earlier_names() -> None:
    assert moved({"1": [], "2": []}) == {}
    assert moved({"1": ["a"], "2": ["b"]}) == {
        "a": "1",
        "b": "2",
        "compare/a...2": "compare/1...2",
        "compare/1...b": "compare/1...2",
        "compare/a...b": "compare/1...2",
    }
