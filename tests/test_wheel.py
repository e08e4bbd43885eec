"""The wheel that is built of a checkout: everything that reportgen needs is in it."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from reportgen.app.door import READING
from tests.campaigns import written
from tests.commands import WIDE, files, run_alone
from tests.conftest import CHECKOUT
from tests.test_open import ask, command, cookie_for


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the backend that pyproject.toml names and laid out as installing it would."""
    at = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(at)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    (wheel,) = at.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(at / "installed")
    return at / "installed"


@pytest.mark.slow
def test_a_site_built_from_the_wheel_is_the_checkouts(installed: Path, tmp_path: Path) -> None:
    written(tmp_path / "campaigns" / "mine", "", {"exports/1.0/ratings.csv": WIDE})
    places = {"installed": {"PYTHONPATH": str(installed)}, "checkout": {"PYTHONPATH": str(CHECKOUT)}}
    for out, env in places.items():
        done = run_alone("build", "--out", out + "-site", cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
    found = files(tmp_path / "installed-site")
    assert found
    assert found == files(tmp_path / "checkout-site")


@pytest.mark.slow
def test_installed_by_pip_into_an_environment_of_its_own_the_page_opens(
    installed: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    venv.create(own, symlinks=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "-qq",
        "--disable-pip-version-check",
        "--python",
        str(own / "bin/python"),
    ]
    wheels = ["--no-index", "--no-deps", "--find-links", str(installed.parent), "agreement-report"]
    subprocess.run([*pip, "install", *wheels], check=True, capture_output=True)
    # What the wheel needs is that of these tests; what is installed comes first.
    (packages,) = own.glob("lib/python3*/site-packages")
    (packages / "others.pth").write_text("\n".join(filter(None, sys.path)), encoding="utf-8")
    (tmp_path / "wide.csv").write_text(WIDE, encoding="utf-8")
    with command(tmp_path, tmp_path / "wide.csv", program=[str(own / "bin" / "reportgen")]) as opened:
        address = opened[2]
        shown = ask(address, cookie_for(address), READING)
    assert "This is how it was read" in shown.text


def test_the_wheel_holds_every_template_and_nothing_but_the_package(installed: Path) -> None:
    assert _templates(installed / "reportgen" / "templates") == _templates(CHECKOUT / "templates")
    for folder in ("reportgen/catalogue", "reportgen/report/checklists"):
        data = {path.name for path in (CHECKOUT / folder).glob("*.toml")}
        assert {path.name for path in (installed / folder).glob("*.toml")} == data
    tops = {path.name.partition("-")[0] for path in installed.iterdir()}
    assert tops == {"reportgen", "agreement_report"}


def _templates(folder: Path) -> set[str]:
    """Return the names of templates, without what is compiled of them where they are used."""
    return {each for each in files(folder) if "__pycache__" not in each}
