"""What a release of reportgen itself has, and what its workflows may do."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cffconvert import Citation

from reportgen import __version__
from reportgen.base import FORMAT
from tests.commands import run
from tests.conftest import CHECKOUT
from tests.test_continuous_integration import USED

WORKFLOWS = sorted((CHECKOUT / ".github/workflows").glob("*.yml"))
FORMS = sorted((CHECKOUT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))


def read(name: str) -> str:
    return (CHECKOUT / name).read_text(encoding="utf-8")


def jobs(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_pins_its_actions_and_may_do_what_its_jobs_say(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    used = USED.findall(text)
    assert len(used) == text.count("uses:") > 1
    assert [
        name for name, commit, release in used if not (re.fullmatch("[0-9a-f]{40}", commit) and release)
    ] == []
    assert yaml.safe_load(text)["permissions"] == {}
    for name, job in jobs(path):
        publishes = name == "publish"
        assert job["permissions"] == ({"id-token": "write"} if publishes else {"contents": "read"})
        assert job["timeout-minutes"]
        steps = job["steps"]
        assert not (publishes and any("run" in step or "checkout" in step["uses"] for step in steps))
        assert [step["run"] for step in steps if "${{" in step.get("run", "")] == []
        checkouts = [step for step in steps if "checkout" in step.get("uses", "")]
        assert all(step["with"] == {"persist-credentials": False} for step in checkouts)


def test_tests_run_on_three_systems_and_each_python() -> None:
    (quick,) = (job for name, job in jobs(CHECKOUT / ".github/workflows/test.yml") if name == "quick")
    matrix = quick["strategy"]["matrix"]
    assert {each.partition("-")[0] for each in matrix["system"]} == {"ubuntu", "windows", "macos"}
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]


def test_metadata_are_of_this_version() -> None:
    citation = Citation(cffstr=read("CITATION.cff"))
    citation.validate()
    assert yaml.safe_load(read("CITATION.cff"))["version"] == __version__
    assert json.loads(read("codemeta.json"))["version"] == __version__
    assert f"agreement_report-{__version__}-py3" in read("docs/install.md")


def test_what_is_public_is_listed() -> None:
    """Of what has a JSON Schema each file, and each of them has the number of its format."""
    listed = read("docs/stability.md")
    for name in ("results", "texts", "comparison", "changed", "history"):
        schema = json.loads(run("schema", name).stdout)
        assert f"`{name}.json`" in listed
        assert schema["properties"]["schema"]["const"] == FORMAT
    assert json.loads(run("schema", "campaign").stdout)["properties"]["schema"]["const"] == FORMAT
    for status in ("0", "1", "2", "3"):
        assert re.search(rf"exit statuses[^;|]*\b{status}\b", listed)


def test_the_changelog_has_this_version_and_says_nothing_twice() -> None:
    changes = read("CHANGELOG.md")
    (own,) = re.findall(rf"^## {re.escape(__version__)} - .*?(?=^## )", changes, re.MULTILINE | re.DOTALL)
    said = re.findall(r"^- .*?(?=^- |^#|^$)", own, re.MULTILINE | re.DOTALL)
    assert len(said) > 10
    assert len({" ".join(each.split()) for each in said}) == len(said)
    assert "Unreleased" not in changes.partition(own)[2]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_asks_for_a_made_up_export_and_of_faults_for_the_version(path: Path) -> None:
    fields = {
        each["id"]: each for each in yaml.safe_load(path.read_text(encoding="utf-8"))["body"] if "id" in each
    }
    assert "made-up" in fields["export"]["attributes"]["description"].lower()
    if path.name != "format.yml":
        assert "reportgen --version --verbose" in fields["version"]["attributes"]["label"]
        assert fields["version"]["validations"]["required"]
