"""`reportgen check`: what it prints in each format, and with which exit status, as scripts rely on it."""

import json
import random
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reportgen.campaign import load
from reportgen.cli import gate_check
from tests.campaigns import GENE_RENAMING
from tests.commands import on_disk, run

Shown = tuple[Path, Path, Path]
Labels = Callable[[int, int, str], str]
CATEGORIES = ("Former", "New", "Rien")
VERSIONS = '[[guidelines]]\nversion = "0.9"\n[[guidelines]]\nversion = "1.0"\n'


def agreed(document: int, unit: int, _: str) -> str:
    """Both give the categories in turn, and slip on every ninth unit, so that figures vary."""
    return CATEGORIES[(document + unit) % 3]


def slip(document: int, unit: int, who: str) -> str:
    wrong = who == "B" and (7 * document + unit) % 9 == 0
    return CATEGORIES[(document + unit + wrong) % 3]


def planted(document: int, unit: int, who: str) -> str:
    """As before, but B slips elsewhere, and leaves every other New unmarked."""
    label = CATEGORIES[(document + unit + (who == "B" and (5 * document + unit) % 9 == 0)) % 3]
    return "Rien" if who == "B" and label == "New" and unit % 2 else label


def export(*labels: Labels, documents: int = 20, units: int = 12) -> str:
    """Return two columns for each kind of labels: those of a reference and a system after two annotators'."""
    people = ("A", "B", "gold", "tagger")[: 2 * len(labels)]
    rows = [
        ",".join([f"d{document},u{unit}", *(label(document, unit, who) for label in labels for who in "AB")])
        for document in range(documents)
        for unit in range(units)
    ]
    return "\n".join([f"document,item,{','.join(people)}", *rows]) + "\n"


def campaign(
    folder: Path, gate: str, exports: Sequence[str], *, top: str = "", versions: str = VERSIONS
) -> Path:
    """Write a campaign of one or two versions."""
    names = ("1.0",) if len(exports) == 1 else ("0.9", "1.0")
    files = {f"exports/{name}/e.csv": text for name, text in zip(names, exports, strict=True)}
    own = '[[guidelines]]\nversion = "1.0"\n' if len(exports) == 1 else versions
    return on_disk(folder, {**files, "campaign.toml": f'title = "A campaign"\n{top}\n{own}\n{gate}\n'})


FALLS = """[gate]
krippendorff_alpha = { fall = "significant" }
specific_agreement = [
    { category = "Former", fall = "significant" },
    { category = "New", fall = "significant" },
]
"""


# The exit status


def test_what_is_held_exits_with_0(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "one", "[gate]\ncohen_kappa = { value = 0.5 }", [export(slip)])
    answer = run("check", folder)
    assert (answer.exit_code, answer.stderr) == (0, "")
    first, last = answer.stdout.splitlines()
    assert first.startswith("one 1.0: held: cohen_kappa 0.8")
    assert last == "one 1.0: 1 held, 0 broken."


def test_a_fall_in_one_category_exits_with_1_and_names_category_and_versions(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "one", FALLS, [export(slip), export(planted)])
    answer = run("check", folder)
    assert answer.exit_code == 1
    broken = [line for line in answer.stdout.splitlines() if ": broken: " in line]
    assert len(broken) == 2
    new = next(line for line in broken if "New" in line)
    assert new.startswith(
        'one 1.0: broken: specific_agreement = { fall = "significant", category = "New" }: '
        "specific_agreement[New] fell from 0."
    )
    assert "(0.9) to 0." in new
    assert "(1.0) on the 20 documents that are in both: difference −0." in new
    assert new.endswith("one-sided p < 0.001, Holm over 3 rules.")
    assert answer.stdout.splitlines()[-1] == "one 1.0: 1 held, 2 broken."


def test_of_several_versions_the_newest_is_compared_with_the_one_before(tmp_path: Path) -> None:
    folder = campaign(
        tmp_path / "one",
        '[gate.krippendorff_alpha]\nvalue = 0.1\nfall = "significant"',
        [export(agreed), export(slip)],
        versions=f'[[guidelines]]\nversion = "0.8"\nexports = "exports/0.9"\n{VERSIONS}',
    )
    (folder / "exports" / "0.9" / "e.csv").write_text(export(planted), encoding="utf-8")
    shutil.copytree(folder / "exports" / "0.9", folder / "exports" / "0.8")
    (checked,) = json.loads(run("check", folder, "--json").stdout)["campaigns"]
    assert (checked["version"], checked["earlier"]) == ("1.0", "0.9")
    lines = (folder / "campaign.toml").read_text(encoding="utf-8").splitlines()
    told = [lines[rule["line"] - 1] for rule in checked["rules"]]
    assert told == ["value = 0.1", 'fall = "significant"']


def test_a_system_that_gets_worse_is_held_against_the_reference(tmp_path: Path) -> None:
    roles = '[annotators.gold]\nrole = "reference"\n[annotators.tagger]\nrole = "system"\n'
    gate = """[gate]
cohen_kappa = { fall = "significant", annotators = ["gold", "tagger"] }
specific_agreement = { category = "New", fall = "significant", annotators = ["gold", "tagger"] }
"""
    exports = [export(slip, slip), export(slip, planted)]
    answer = run("check", campaign(tmp_path / "one", gate, exports, top=roles))
    assert answer.exit_code == 1
    assert "one 1.0: 0 held, 2 broken." in answer.stdout
    assert "specific_agreement[New] between gold and tagger fell from 0." in answer.stdout


@pytest.mark.slow
def test_the_example_of_the_checkout_is_held() -> None:
    answer = run("check", GENE_RENAMING.parent / "gene-renaming-in-texts")
    assert answer.exit_code == 0, answer.stdout


@pytest.mark.slow
def test_on_noise_a_gate_seldom_closes(tmp_path: Path) -> None:
    """Forty campaigns in which nothing changed: at .05, more than six would break once in 290 tests."""
    broken = 0
    for place in range(40):
        chance = random.Random(place)  # noqa: S311 - made up data

        def noise(document: int, unit: int, who: str, chance: random.Random = chance) -> str:
            return chance.choice(CATEGORIES) if chance.random() < 0.3 else agreed(document, unit, who)

        folder = campaign(
            tmp_path / f"c{place}", FALLS, [export(noise, documents=12, units=8) for _ in range(2)]
        )
        broken += run("check", folder).exit_code
    assert broken <= 6


# Campaigns


def test_without_names_every_campaign_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign(tmp_path / "campaigns" / "one", "[gate]\ncohen_kappa = { value = 0.5 }", [export(slip)])
    campaign(tmp_path / "campaigns" / "two", "[gate]\ncohen_kappa = { value = 0.99 }", [export(slip)])
    campaign(tmp_path / "campaigns" / "zero", "", [export(slip)])
    monkeypatch.chdir(tmp_path)
    answer = run("check")
    assert answer.exit_code == 1
    assert "one 1.0: 1 held, 0 broken." in answer.stdout
    assert "two 1.0: 0 held, 1 broken." in answer.stdout
    assert answer.stdout.splitlines()[-1] == "campaigns/zero/campaign.toml: passed over: it has no [gate]."


def test_where_no_campaign_has_a_gate_the_input_is_bad(tmp_path: Path) -> None:
    for gate in ("", "[gate]"):
        answer = run("check", campaign(tmp_path / f"one{len(gate)}", gate, [export(slip)]))
        assert answer.exit_code == 2
        assert "has no [gate], so that nothing can be checked. Write for example" in answer.stderr


def test_everything_that_is_not_there_is_named_at_once_by_its_line(tmp_path: Path) -> None:
    gate = """[gate]
cohen_kapa = { value = 0.5 }
specific_agreement = [
    { category = "new", value = 0.5 },
    { category = "New", value = 0, annotators = ["A", "D"] },
]
krippendorff_alpha = { value = 0.5, unit_set = "tokens" }
"""
    answer = run("check", campaign(tmp_path / "one", gate, [export(slip)]))
    assert answer.exit_code == 2
    assert [line.partition("campaign.toml:")[2] for line in answer.stderr.splitlines()[:-1]] == [
        '7: gate.cohen_kapa: no figure is called "cohen_kapa". Did you mean "cohen_kappa"?',
        '8: gate.specific_agreement.1.category: 1.0 has no category "new". Did you mean "New"?',
        '8: gate.specific_agreement.2.annotators: no export has an annotator "D". Known: A, B.',
        '12: gate.krippendorff_alpha.unit_set: no unit set is called "tokens". Known: items.',
    ]


# Formats


def test_json_has_everything(shown: Shown) -> None:
    folder = shown[0]
    answer = run("check", folder, "--format", "json")
    assert answer.exit_code == 1
    content = json.loads(answer.stdout)
    (found,) = content["campaigns"]
    assert (content["held"], found["version"], found["earlier"]) == (False, "1.0", "0.9")
    alpha, former, new = found["rules"]
    assert (alpha["figure"], former["held"], new["category"]) == ("krippendorff_alpha", True, "New")
    least = min(found["rules"], key=lambda rule: rule["values"]["alone_p"])["values"]
    assert least["p"] == pytest.approx(3 * least["alone_p"])
    assert new["change"]["test"]["p"] == pytest.approx(2 * new["values"]["alone_p"])
    assert new["line"] == 10
    assert answer.stdout == run("check", folder, "--json").stdout


HOSTILE = 'x ]]> & <a href="">%0A\n::error::ran\r, : \\u0007 é'
NAMED = HOSTILE.replace("\\u0007", "\x07")


def hostile(folder: Path) -> Path:
    def label(document: int, unit: int, who: str) -> str:
        named = NAMED.replace('"', '""')
        return f'"{named}"' if slip(document, unit, who) == "New" else "other"

    category = HOSTILE.replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    gate = f'[gate]\nspecific_agreement = {{ category = "{category}", value = 0.99 }}'
    return campaign(folder, gate, [export(label)])


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, dict[str, Any]]:
    """What is found where two of three rules are broken, without a gate, and of a hostile category."""
    top = tmp_path_factory.mktemp("checked")
    campaign(top / "one", FALLS, [export(slip), export(planted)])
    campaign(top / "zero", "", [export(slip)])
    (top / "a é%").mkdir()
    hostile(top / "a é%" / "one")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        one, zero, other = top / "one", top / "zero", Path("a é%/one")
        return {
            one: gate_check.check([one]),
            zero: gate_check.check([one, zero]),
            other: gate_check.check([other]),
        }


@pytest.fixture
def shown(checked: dict[Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> Shown:
    """The folders of these campaigns, whose checks are printed and not computed again."""
    one, zero, other = checked
    monkeypatch.chdir(one.parent)
    monkeypatch.setattr(gate_check, "check", lambda folders, _: checked[folders[-1]])
    return one, zero, other


def test_github_gets_a_command_for_each_broken_rule(shown: Shown) -> None:
    answer = run("check", shown[0], "--format", "github")
    lines = answer.stdout.splitlines()
    assert answer.exit_code == 1
    assert [line.startswith("::error file=") for line in lines] == [True, True, False]
    assert ",line=9,title=one 1.0%3A krippendorff_alpha = " in lines[0]
    assert lines[2] == "one 1.0: 1 of 3 rules held."


def test_no_name_begins_a_command_of_its_own(shown: Shown) -> None:
    """Names of categories come from annotators' exports."""
    *_, folder = shown
    name = next(iter(load(folder).gate["specific_agreement"])).category or ""
    assert "\n::error" in name
    answer = run("check", folder, "--format", "github")
    assert answer.exit_code == 1
    command, summary, *rest = answer.stdout.splitlines()
    assert rest == []
    assert command.startswith("::error file=")
    assert "%250A%0A::error::ran%0D" in command.rpartition("::specific_agreement")[2]
    properties = command.removeprefix("::error ").partition("::")[0]
    assert [part.partition("=")[0] for part in properties.split(",")] == ["file", "line", "title"]
    assert summary == "one 1.0: 0 of 1 rules held."


def test_a_step_has_its_summary_beside_the_commands(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "summary.md"
    file.write_text("# Before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    *_, folder = shown
    assert run("check", folder).exit_code == 1
    assert file.read_text(encoding="utf-8") == "# Before\n"
    assert run("check", folder, "--format", "github").exit_code == 1
    before, title, _, total, _, head, _, row = file.read_text(encoding="utf-8").splitlines()
    assert (before, title, total) == ("# Before", "## reportgen check", "- one 1.0: 0 of 1 rules held.")
    assert row.count(" | ") == head.count(" | ") == 2
    assert "campaign.toml:" in row.replace("\\", "")
    assert "<" not in row


def test_a_summary_that_can_not_be_written_changes_no_verdict(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "summary.md"))
    answer = run("check", shown[2], "--format", "github")
    assert answer.exit_code == 1
    assert "the summary of the step can't be written: no such file or directory." in answer.stderr


MERGED: Mapping[str, tuple[str, str]] = {
    '{ "Renamed" = "New" }': ("is not a category of an earlier version. There are", '"Renamed"'),
    '{ "Nwe" = "New" }': ('Did you mean "New"?', "earlier version"),
    '{ "New" = "Nwe" }': ('Did you mean "New"?', "this version"),
}


@pytest.mark.slow
@pytest.mark.parametrize("merged", MERGED)
def test_a_renamed_category_has_to_be_there(tmp_path: Path, merged: str) -> None:
    folder = campaign(tmp_path / "one", "", [export(slip)] * 2, versions=f"{VERSIONS}merged = {merged}\n")
    answer = run("build", folder, "--out", tmp_path / "site")
    assert answer.exit_code == 0
    (line,) = answer.stderr.splitlines()
    assert "campaign.toml:7: guidelines.2.merged." in line
    assert all(part in line for part in MERGED[merged])


@pytest.mark.slow
def test_the_first_version_renames_nothing(tmp_path: Path) -> None:
    versions = VERSIONS.replace('"0.9"\n', '"0.9"\nmerged = { "New" = "Former" }\n')
    folder = campaign(tmp_path / "one", "", [export(slip)] * 2, versions=versions)
    answer = run("build", folder, "--out", tmp_path / "site")
    assert "guidelines.1.merged: renames categories of earlier versions, but this" in answer.stderr


def test_a_broken_campaign_is_an_error_of_build_servers_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "campaign.toml").write_text('title = "T\n', encoding="utf-8")
    found = run("check", tmp_path / "c", "--format", "github")
    assert found.exit_code == 2
    assert re.match(r"::error file=\S*campaign.toml,line=1,title=reportgen check::\S", found.stdout)
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "- Nothing was checked." in summary
    assert "campaign.toml:1" in summary.replace("\\", "")
