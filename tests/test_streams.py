"""Where output can't be written, or the environment is odd, a status is no verdict and no traceback shows."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = f"{sys.executable} -m reportgen"
SECOND = '[[guidelines]]\nversion = "1.1"\nexports = "exports"\n'
FLOOR = "\n[gate]\nkrippendorff_alpha = { low = -1.0 }\n"


def typed(line: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        env={"PATH": "/usr/bin:/bin", **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    exports = tmp_path / "c" / "exports"
    exports.mkdir(parents=True)
    (exports / "e.csv").write_text("unit,A,B\n1,x,x\n2,x,y\n3,y,y\n4,y,y\n", encoding="utf-8")
    toml = f'title = "T"\n[[guidelines]]\nversion = "1.0"\nexports = "exports"\n{FLOOR}'
    (tmp_path / "c" / "campaign.toml").write_text(toml, encoding="utf-8")
    return tmp_path / "c"


@pytest.mark.slow
def test_a_closed_standard_error_is_none_of_ours(campaign: Path) -> None:
    for stream in ("2>&-", "2>/dev/full"):
        assert typed(f"{COMMAND} check {campaign} {stream}").returncode == 0
        assert typed(f"{COMMAND} check {campaign}/no {stream}").returncode == 2


@pytest.mark.slow
def test_no_command_needs_a_standard_error(campaign: Path) -> None:
    out, twice = campaign.parent, campaign.parent / "two"
    shutil.copytree(campaign, twice)
    toml = (twice / "campaign.toml").read_text(encoding="utf-8").replace("[gate]", SECOND + "[gate]")
    (twice / "campaign.toml").write_text(toml, encoding="utf-8")
    lines = {
        f"build {campaign} --out {out}/site": 0,
        f"bundle {campaign} 1.0 --with-exports --out {out}/b.zip": 0,
        f"verify {out}/b.zip": 0,
        f"verify {out}/no.zip": 2,
        f"compare {twice} 1.0 1.1": 0,
        f"gold {campaign} --out {out}/gold.csv": 0,
    }
    assert {line: typed(f"{COMMAND} {line} 2>&-").returncode for line in lines} == lines


@pytest.mark.slow
@pytest.mark.parametrize("command", ["explain --markdown", "formats", "schema campaign"])
def test_output_that_can_not_be_written_is_no_verdict(command: str) -> None:
    found = typed(f"{COMMAND} {command} > /dev/full")
    said = "The output can't be written: no space left on device.\n"
    assert (found.returncode, found.stderr) == (2, said)


@pytest.mark.slow
def test_whoever_reads_the_beginning_alone_sees_no_traceback() -> None:
    found = typed(f"{COMMAND} schema results | head -c 10; echo ${{PIPESTATUS[0]}}")
    assert (found.stdout[-4:-1], found.stderr) == ("141", "")


@pytest.mark.slow
def test_the_environment_of_other_programs_changes_nothing(campaign: Path) -> None:
    odd = {"TZ": ":/etc/passwd", "MPLBACKEND": "garbage"}
    found = typed(f"{COMMAND} build {campaign} --out {campaign.parent}/site", **odd)
    assert (found.returncode, "Traceback" in found.stderr) == (0, False)
