"""`reportgen compare`: two guidelines versions on a terminal, as JSON and as Markdown."""

import json
from pathlib import Path

import pytest

from reportgen.results.versions import VersionComparison
from tests.commands import files, run
from tests.gate.test_check import VERSIONS, campaign, export, planted, slip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign in which one category fell."""
    return campaign(tmp_path / "one", "", [export(slip), export(planted)])


def test_the_terminal_shows_verdict_figures_categories_and_confusions(folder: Path) -> None:
    answer = run("compare", folder, "0.9", "1.0")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout.startswith("A campaign: 0.9 and 1.0\n")
    lines = answer.stdout.splitlines()
    assert "fell from" in " ".join(lines[1:4])
    assert any(line.strip().startswith("Krippendorff's alpha ") for line in lines)
    assert any(line.strip().startswith("New / Rien ") for line in lines)
    assert any(line.strip().startswith("observed disagreement ") for line in lines)
    head = next(line for line in lines if line.strip().startswith("category, specific agreement"))
    assert head.split()[3:5] == ["0.9", "1.0"]
    assert max(map(len, lines)) <= 100


@pytest.mark.slow
def test_json_is_the_file_of_the_site(folder: Path, tmp_path: Path) -> None:
    answer = run("compare", folder, "0.9", "1.0", "--json")
    assert answer.exit_code == 0
    assert VersionComparison.model_validate_json(answer.stdout).second.guidelines == "1.0"
    assert run("build", folder, "--out", tmp_path / "site").exit_code == 0
    site = files(tmp_path / "site")
    assert site["one/compare/0.9...1.0/comparison.json"] == answer.stdout.encode()


@pytest.mark.slow
def test_markdown_is_the_file_of_the_site(folder: Path, tmp_path: Path) -> None:
    answer = run("compare", folder, "0.9", "1.0", "--markdown")
    assert run("build", folder, "--out", tmp_path / "site").exit_code == 0
    assert files(tmp_path / "site")["one/compare/0.9...1.0/comparison.md"] == answer.stdout.encode()


def test_annotators_stand_under_the_pseudonyms_of_the_site(tmp_path: Path) -> None:
    exports = [export(label).replace("item,A,B", "item,Zoe,Bob") for label in (slip, planted)]
    found = run("compare", campaign(tmp_path / "one", "", exports), "0.9", "1.0", "--json")
    assert json.loads(found.stdout)["unit_sets"][0]["second"]["annotators"] == ["A01", "A02"]
    assert "Zoe" not in found.stdout


def test_versions_the_other_way_round_are_told_and_kept_in_the_campaigns_order(folder: Path) -> None:
    told = run("compare", folder, "1.0", "0.9")
    assert told.stderr == "0.9 is older than 1.0: differences are those from 0.9 to 1.0.\n"
    assert told.stdout == run("compare", folder, "0.9", "1.0").stdout


@pytest.mark.slow
def test_what_looks_like_an_oversight_is_told_as_it_is_by_build(tmp_path: Path) -> None:
    versions = f'{VERSIONS}merged = {{ "Nwe" = "New" }}\n'
    folder = campaign(tmp_path / "one", "", [export(slip), export(planted)], versions=versions)
    answer = run("compare", folder, "0.9", "1.0")
    assert answer.exit_code == 0
    assert 'guidelines.2.merged.Nwe: renames "Nwe", which is not a category' in answer.stderr
    assert answer.stderr == run("build", folder, "--out", tmp_path / "site").stderr


def test_one_form_is_printed(folder: Path) -> None:
    answer = run("compare", folder, "0.9", "1.0", "--json", "--markdown")
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.startswith("--json and --markdown: are two forms of one comparison. Choose one")


def test_what_is_no_version_is_asked_about_both_at_once(folder: Path) -> None:
    answer = run("compare", folder, "0.8", "1.00")
    assert answer.exit_code == 2
    first, second, last = answer.stderr.splitlines()
    assert 'has no guidelines version "0.8". Did you mean "0.9"?' in first
    assert 'has no guidelines version "1.00". Did you mean "1.0"?' in second
    assert last == "2 problems."


def test_a_version_is_not_compared_with_itself(folder: Path) -> None:
    answer = run("compare", folder, "1.0", "1.0")
    assert answer.exit_code == 2
    assert "1.0 and 1.0 are one guidelines version. Name two: there is also 0.9." in answer.stderr


def test_a_folder_that_is_no_campaign_is_bad_input(tmp_path: Path) -> None:
    answer = run("compare", tmp_path, "0.9", "1.0")
    assert (answer.exit_code, "has no campaign.toml" in answer.stderr) == (2, True)


def test_many_categories_are_cut_on_the_terminal(tmp_path: Path) -> None:
    def many(document: int, unit: int, who: str) -> str:
        wrong = who == "B" and (document + unit) % 7 == 0
        return f"c{(document * 12 + unit + wrong) % 40}"

    folder = campaign(tmp_path / "one", "", [export(many), export(many)], versions=VERSIONS)
    answer = run("compare", folder, "0.9", "1.0")
    assert answer.exit_code == 0
    assert "… 20 more (--json)" in answer.stdout
