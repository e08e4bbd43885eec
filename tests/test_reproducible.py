"""The site is a pure function of the campaigns and the version: the same bytes anywhere, at any time."""

import getpass
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.campaigns import GENE_RENAMING
from tests.commands import SEEING, files, run
from tests.conftest import CHECKOUT
from tests.environments import MATPLOTLIBRC

HERE = {"TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
THERE = {
    "TZ": "Pacific/Auckland",
    "LANG": "tr_TR.ISO-8859-9",
    "LC_ALL": "POSIX",
    "PYTHONHASHSEED": "4242",
    "SOURCE_DATE_EPOCH": "0",
    "COLUMNS": "40",
    "FORCE_COLOR": "1",
    "MPLBACKEND": "template",
}
# Nobody may ask what time it is: the clock says that it was asked.
NO_CLOCK = """
import datetime, shutil, sys, time
from reportgen.cli import main
from reportgen.cli import app
app(["build"], standalone_mode=False)  # imports all that a build needs: that may ask what it likes
shutil.rmtree("site")
def asked(*_): raise AssertionError("the clock was read")
class Never(datetime.datetime):
    now = utcnow = today = classmethod(asked)
class NeverDate(datetime.date):
    today = classmethod(asked)
instead = {id(datetime.datetime): Never, id(datetime.date): NeverDate}
for name in ("time", "time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime"):
    instead[id(getattr(time, name))] = asked
for name, module in list(sys.modules.items()):
    if name.partition(".")[0] in {"reportgen", "matplotlib", "jinja2", "markdown", "time", "datetime"}:
        for key, value in list(vars(module).items()):
            if id(value) in instead:
                setattr(module, key, instead[id(value)])
main()
"""


def built(folder: Path, env: Mapping[str, str], program: str) -> dict[str, bytes]:
    """Build a copy of the campaign from a folder of its own; return the site's files."""
    shutil.copytree(GENE_RENAMING, folder / "campaigns" / "gene-renaming")
    command = [sys.executable, "-c", program, "build"]
    own = {"HOME": str(folder), "MPLCONFIGDIR": str(folder / "matplotlib"), "PYTHONPATH": str(CHECKOUT)}
    answer = subprocess.run(
        command, cwd=folder, env={**SEEING, **own, **env}, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    return files(folder / "site")


def different(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    return [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return built(tmp_path_factory.mktemp("here"), HERE, "from reportgen.cli import main; main()")


@pytest.mark.slow
def test_the_same_bytes_from_another_place_in_another_environment(
    site: dict[str, bytes], tmp_path: Path
) -> None:
    place = tmp_path / "an other place" / "là 場所"
    (place / "matplotlib").mkdir(parents=True)
    (place / "matplotlib" / "matplotlibrc").write_text(MATPLOTLIBRC, encoding="utf-8")
    again = built(place, THERE, NO_CLOCK)
    assert len(site) > 20
    assert different(site, again) == []


@pytest.mark.slow
def test_the_same_bytes_when_built_again_over_the_old_site(
    site: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(GENE_RENAMING, tmp_path / "campaigns" / "gene-renaming")
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert run("build").exit_code == 0
        assert different(site, files(tmp_path / "site")) == []


def test_the_site_in_the_checkout_is_what_its_campaigns_give(site: dict[str, bytes]) -> None:
    committed = CHECKOUT / "site" / "gene-renaming"
    if not committed.is_dir():
        pytest.skip("NOT TESTED: there is no site/ in this checkout; `make site` builds one")
    own = {name: content for name, content in site.items() if name.startswith("gene-renaming/")}
    there = {f"gene-renaming/{name}": content for name, content in files(committed).items()}
    assert different(own, there) == []


def test_no_byte_tells_of_the_machine(
    site: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    told = {
        str(tmp_path_factory.getbasetemp().parent),
        str(CHECKOUT),
        str(Path.home()),
        platform.node(),
        platform.python_version(),
        platform.release(),
        sysconfig.get_platform(),
        sys.executable,
        *([getpass.getuser()] if len(getpass.getuser()) > 3 and getpass.getuser() != "root" else []),
        os.sep + "tmp",
        "/home/",
        "/root",
    }
    for name, content in site.items():
        text = content.decode("utf-8")
        assert [word for word in told if word and word in text] == [], name
        assert "\r" not in text, name


@pytest.mark.slow
def test_other_files_do_not_change_with_the_title(tmp_path: Path) -> None:
    """The bytes depend on the campaign: a test of equal bytes that could not fail would hold nothing."""
    folder = tmp_path / "campaigns" / "gene-renaming"
    shutil.copytree(GENE_RENAMING, folder)
    before = run("build", folder, "--out", tmp_path / "site")
    first = files(tmp_path / "site")
    toml = folder / "campaign.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8").replace("Gene renaming", "Gene Renaming"), encoding="utf-8"
    )
    after = run("build", folder, "--out", tmp_path / "site")
    assert (before.exit_code, after.exit_code) == (0, 0)
    changed = different(first, files(tmp_path / "site"))
    assert "gene-renaming/1.0/index.html" in changed
    assert not [name for name in changed if "/figures/" in name or "/counts/" in name]
