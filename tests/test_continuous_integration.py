"""action.yml, the hooks for pre-commit and the workflows of the docs do what they say."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import Result

from tests.campaigns import written
from tests.commands import LONG, SEEING, run
from tests.conftest import CHECKOUT
from tests.slowly import slow_but

ACTION = CHECKOUT / "action.yml"
HOOKS = CHECKOUT / ".pre-commit-hooks.yaml"
PAGE = CHECKOUT / "docs" / "continuous-integration.md"
YAML = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
# A folder that would do harm as part of a command.
MORE = "more; touch $(echo harm)/other"
# What only the service itself has.
SERVICE = ("gh ", "pip install")


# Whose tags somebody could move; `OWNER/reportgen` is whatever the reader's own is called.
USED = re.compile(r"uses: (\S+)@(\S+)(?: # (\S+))?$", re.MULTILINE)


def loaded(text: str) -> Any:  # noqa: ANN401 - any YAML value
    return yaml.safe_load(text)


def action() -> dict[str, Any]:
    found: dict[str, Any] = loaded(ACTION.read_text(encoding="utf-8"))
    return found


def steps() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = action()["runs"]["steps"]
    return found


def workflows() -> list[Any]:
    return [loaded(block) for block in YAML.findall(PAGE.read_text(encoding="utf-8"))]


def test_actions_are_pinned_by_commit_with_the_release_beside_it() -> None:
    used = USED.findall(PAGE.read_text(encoding="utf-8"))
    assert len(used) > 5
    for name, commit, release in used:
        assert re.fullmatch("[0-9a-f]{40}|COMMIT", commit), name
        assert re.fullmatch(r"v?\d+\.\d+\.\d+", release), name


class Runner:
    """Runs steps as the service does: variables from the step, files for outputs and PATH."""

    def __init__(self, folder: Path) -> None:
        """Work in a folder of a campaign's repository."""
        self.folder = folder
        self.files = {name: folder.parent / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}

    def run(self, script: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run the shell of a step."""
        for file in self.files.values():
            file.write_text("", encoding="utf-8")
        found = {name: str(file) for name, file in self.files.items()}
        places = {"GITHUB_ACTION_PATH": str(CHECKOUT), "RUNNER_TEMP": str(self.folder.parent / "temp")}
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.folder,
            env={**SEEING, "SOURCE_DATE_EPOCH": "1700000000", **found, **places, **env, "PATH": path},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def outputs(self) -> dict[str, str]:
        """Return what the last step gave."""
        lines = self.files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines()
        return {name: value for name, _, value in (line.partition("=") for line in lines)}


def filled(step: Mapping[str, Any], context: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a step, with every expression replaced by what the service would put there."""
    return {
        name: EXPRESSION.sub(lambda found: context[found[1]], value)
        for name, value in step.get("env", {}).items()
    }


def warned(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return what a step said on standard error, but for the account of a bundle."""
    return [line for line in done.stderr.splitlines() if "campaign.toml" in line or "problem" in line]


def inputs(**given: str) -> dict[str, str]:
    defaults = {f"inputs.{name}": each["default"] for name, each in action()["inputs"].items()}
    return {**defaults, **{f"inputs.{name}": value for name, value in given.items()}}


def step(name: str) -> dict[str, Any]:
    """Return the step of the action that runs a part of the script."""
    return next(each for each in steps() if each["run"].endswith(f" {name}"))


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    gate = "[gate]\nobserved_agreement = { value = 0.1 }\n"
    for name in ("campaigns/reviews", MORE):
        written(tmp_path / "repository" / name, gate, {"exports/1.0/e.csv": LONG})
    (tmp_path / "temp").mkdir()
    return Runner(tmp_path / "repository")


# The action


def test_every_input_is_used_and_described() -> None:
    text = yaml.safe_dump(steps())
    page = PAGE.read_text(encoding="utf-8")
    for name, each in action()["inputs"].items():
        assert f"inputs.{name}" in text
        assert each["description"]
        assert f"| `{name}` |" in page


def test_no_input_becomes_part_of_a_command() -> None:
    assert [each["run"] for each in steps() if "${{" in each["run"]] == []
    for workflow in workflows():
        for each in run_steps(workflow):
            assert "${{" not in each["run"]


def test_it_installs_from_its_own_checkout_with_the_locked_versions() -> None:
    script = (CHECKOUT / ".ci" / "action").read_text(encoding="utf-8")
    lock = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")
    assert "install --require-hashes -r requirements.lock" in script
    assert "install --no-deps --no-build-isolation ." in script
    assert re.search(r"^hatchling==", lock, re.MULTILINE)
    assert os.access(CHECKOUT / ".ci" / "action", os.X_OK)


@pytest.mark.slow
def test_it_really_installs(runner: Runner) -> None:
    if not os.environ.get("REPORTGEN_INSTALL"):
        pytest.skip("NOT TESTED: installing takes the network; `make test-all` does it")
    done = runner.run(step("install")["run"], filled(step("install"), inputs(python=sys.executable)))
    assert done.returncode == 0, done.stderr
    place = Path(runner.files["GITHUB_PATH"].read_text(encoding="utf-8").strip())
    said = subprocess.run(
        [place / "reportgen", "--version"], capture_output=True, check=True, encoding="utf-8"
    )
    assert said.stdout.startswith("reportgen ")


@pytest.mark.slow
def test_its_steps_check_build_and_bundle(runner: Runner) -> None:
    given = inputs(
        campaigns=f"campaigns/reviews\n{MORE}\n", bundle="campaigns/reviews 1.0", out="public pages"
    )
    for name, expected in {
        "check": {},
        "build": {"site": "public pages"},
        "bundle": {"bundle": "reviews-1.0.zip"},
    }.items():
        done = runner.run(step(name)["run"], filled(step(name), given))
        assert (done.returncode, warned(done)) == (0, [])
        assert runner.outputs() == expected
    built = {path.name for path in (runner.folder / "public pages").iterdir() if path.is_dir()}
    assert built == {"reviews", "other"}
    assert not (runner.folder / "harm").exists()
    the_steps_of_the_workflow_run(runner)


def the_steps_of_the_workflow_run(runner: Runner) -> None:
    """Hold that what follows the action in the workflow of the page works on what it gave."""
    context = {"steps.report.outputs.bundle": runner.outputs()["bundle"]}
    own = [each for each in run_steps(workflows()[0]) if not any(word in each["run"] for word in SERVICE)]
    assert len(own) == 1
    done = runner.run(own[0]["run"], filled(own[0], context))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_broken_promise_ends_it_on_the_line_where_it_was_made(runner: Runner) -> None:
    toml = runner.folder / "campaigns" / "reviews" / "campaign.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace("0.1", "1.0"), encoding="utf-8")
    done = runner.run(step("check")["run"], filled(step("check"), inputs()))
    assert done.returncode == 1
    assert "::error file=campaigns/reviews/campaign.toml,line=3" in done.stdout


@pytest.mark.parametrize("bundle", slow_but(["campaigns/reviews", "--help 1.0"], "--help 1.0"))
def test_a_bundle_that_is_not_there_ends_it(runner: Runner, bundle: str) -> None:
    done = runner.run(step("bundle")["run"], filled(step("bundle"), inputs(bundle=bundle)))
    assert done.returncode == 2
    assert runner.outputs() == {}
    assert done.stdout + done.stderr


# The hooks


def hooks() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = loaded(HOOKS.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: hook["id"])
def test_a_hook_runs_where_a_campaign_changes(
    hook: dict[str, Any], runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {"id", "name", "entry", "language", "files"} <= set(hook)
    assert hook["pass_filenames"] is False
    assert re.search(hook["files"], "campaigns/reviews/exports/1.0/e.csv")
    assert not re.search(hook["files"], "site/reviews/index.html")
    monkeypatch.chdir(runner.folder)
    done = run_line(hook["entry"])
    assert (done.exit_code, done.stderr) == (0, "")


# The workflows of the page


def run_steps(workflow: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow.get("jobs", {}).values():
        yield from (each for each in job["steps"] if "run" in each)


def test_the_workflow_calls_the_action_as_it_is() -> None:
    found = [each for job in workflows()[0]["jobs"].values() for each in job["steps"]]
    own = [each for each in found if each.get("uses", "").startswith("OWNER/reportgen@")]
    assert len(own) == 1
    assert set(own[0]["with"]) <= set(action()["inputs"])
    asked = set(re.findall(r"steps\.report\.outputs\.(\w+)", yaml.safe_dump(found)))
    assert asked == set(action()["outputs"])


@pytest.mark.slow
def test_the_script_of_the_other_service_runs(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    job = workflows()[1]["pages"]
    monkeypatch.chdir(runner.folder)
    for line in job["script"]:
        command, _, otherwise = line.partition(" > ")[0].partition(" || ")
        done = run_line(command)
        assert done.exit_code == (3 if otherwise == "test $? -eq 3" else 0), done.output
    paths = [path for path in job["artifacts"]["paths"] if (runner.folder / path).exists()]
    assert paths == job["artifacts"]["paths"]


def run_line(line: str) -> Result:
    """Run a command of reportgen as a shell would, in this process, which is faster."""
    program, *arguments = shlex.split(line)
    assert program == "reportgen"
    return run(*arguments)
