"""Site and bundles are a pure function of campaigns and version: the same bytes anywhere, at any time.

`make reproduce` compares far more environments.
"""

import getpass
import io
import os
import platform
import shutil
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaigns import GENE_RENAMING, marked, written
from tests.commands import edit, files, run
from tests.conftest import CHECKOUT
from tests.environments import MOMENT, Environment, Outcome, copied, digests

TEXTS = {"d1": "Le gène abcD, autrefois yxaB, code une protéine.\n", "d2": "abcD est exprimé; ykuA aussi.\n"}
MARKS = {
    "Zoé": {"d1": [("New", 8, 12), ("Former", 24, 28)], "d2": [("New", 0, 4)]},
    "bob": {"d1": [("New", 8, 12), ("New", 24, 28)], "d2": [("New", 0, 4), ("Former", 18, 22)]},
}
TOML = """language = ["fr", "en"]
[corpus]
name = "Résumés"
licence = "CC-BY-4.0"
version = "1.0"
[[authors]]
name = "Ève Martin"
[task]
categories = ["Former", "New"]
non_annotated = "Rien"
[[unit_sets]]
id = "tokens"
units = "tokens"
primary = true
why = "Ils ont tout lu."
"""
BUNDLE = ["bundle", "campaigns/resumes", "1.0", "--out"]
COMMANDS = [
    ["build", "campaigns/gene-renaming", "--out", "out/site"],
    [*BUNDLE, "out/default.zip"],
    [*BUNDLE, "out/all.zip", "--with-texts", "--with-exports"],
]
HERE = Environment("here", MOMENT)
# As unlike the first as one environment can be.
THERE = Environment(
    "there",
    {
        **MOMENT,
        "TZ": "Pacific/Auckland",
        "LANG": "tr_TR.ISO-8859-9",
        "LC_ALL": "POSIX",
        "PYTHONHASHSEED": "4242",
        "PYTHONOPTIMIZE": "2",
        "OPENBLAS_CORETYPE": "Prescott",
        "OPENBLAS_NUM_THREADS": "1",
        "COLUMNS": "40",
        "FORCE_COLOR": "1",
        "MPLBACKEND": "template",
    },
    folder="another place/là 場所",
    umask=0o077,
    cores=1,
    clock=False,
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as it stands now, and two campaigns: one of them with texts."""
    top = tmp_path_factory.mktemp("environments")
    exports = {f"exports/1.0/{name}": text for name, text in marked(TEXTS, MARKS).items()}
    return copied([GENE_RENAMING, written(top / "resumes", TOML, exports)], top / "source")


@pytest.fixture(scope="module")
def here(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return HERE.outcome(tmp_path_factory.mktemp("one"), source, COMMANDS)


@pytest.mark.slow
def test_the_same_bytes_from_another_place_in_another_environment(
    here: Outcome, source: Path, tmp_path: Path
) -> None:
    assert {"default.zip", "all.zip"} < set(here.files)
    assert len(here.files) > 20
    assert here.different(THERE.outcome(tmp_path, source, COMMANDS)) == []


@pytest.mark.slow
def test_the_same_bytes_over_the_old_site_and_others_with_another_title(
    here: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = tmp_path / "campaigns" / "gene-renaming"
    shutil.copytree(GENE_RENAMING, campaign)
    monkeypatch.chdir(tmp_path)
    first = Outcome("site", here.folder / "site", digests(here.folder / "site"))

    def different() -> list[str]:
        assert run("build").exit_code == 0
        return first.different(Outcome("again", tmp_path / "site", digests(tmp_path / "site")))

    assert (different(), different()) == ([], [])
    # A test of equal bytes that could not fail would hold nothing.
    edit(campaign / "campaign.toml", "Gene renaming", "Gene Renaming")
    changed = different()
    assert "gene-renaming/1.0/index.html" in changed
    assert not [name for name in changed if "/figures/" in name or "/counts/" in name]


def test_the_site_in_the_checkout_is_what_its_campaigns_give(here: Outcome) -> None:
    """It was built on another machine, with no SOURCE_DATE_EPOCH and without settings of a user."""
    committed = CHECKOUT / "site" / "gene-renaming"
    if not committed.is_dir():
        pytest.skip("NOT TESTED: there is no site/ in this checkout; `make site` builds one")
    built = here.folder / "site" / "gene-renaming"
    found = Outcome("checkout", committed, digests(committed))
    assert found.different(Outcome("built", built, digests(built))) == []


def unpacked(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder and those in archives."""
    for name, content in files(folder).items():
        yield name, content
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from ((f"{name}/{each}", archive.read(each)) for each in archive.namelist())


def test_no_byte_tells_of_the_machine(here: Outcome, tmp_path_factory: pytest.TempPathFactory) -> None:
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
    for name, content in unpacked(here.folder):
        assert [word for word in told if len(word) > 3 and word.encode() in content] == [], name
        assert b"\r" not in content or ".zip" in name, name
