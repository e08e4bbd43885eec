"""Bundles have the same bytes on every machine, as sites do; `make reproduce` compares far more of them."""

import os
import platform
import sys
from pathlib import Path

import pytest

from tests.campaigns import marked, written
from tests.conftest import CHECKOUT
from tests.environments import MOMENT, Environment, Outcome, copied

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
    },
    folder="another place/là 場所",
    umask=0o077,
    cores=1,
    clock=False,
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as it stands now, and a campaign with texts."""
    top = tmp_path_factory.mktemp("environments")
    exports = {f"exports/1.0/{name}": text for name, text in marked(TEXTS, MARKS).items()}
    campaign = written(top / "resumes", TOML, exports)
    return copied([campaign], top / "source")


@pytest.fixture(scope="module")
def here(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return HERE.outcome(tmp_path_factory.mktemp("one"), source, COMMANDS)


@pytest.mark.slow
def test_bundles_have_the_same_bytes_elsewhere(here: Outcome, source: Path, tmp_path: Path) -> None:
    there = THERE.outcome(tmp_path, source, COMMANDS)
    assert set(here.files) == {"default.zip", "all.zip"}
    assert here.different(there) == []


@pytest.mark.slow
def test_no_byte_of_a_bundle_tells_of_the_machine(here: Outcome) -> None:
    told = {str(CHECKOUT), str(Path.home()), str(here.folder), platform.node(), platform.python_version()}
    told |= {platform.release(), sys.executable, os.sep + "tmp", "/home/"}
    content = (here.folder / "default.zip").read_bytes()
    assert [word for word in told if len(word) > 3 and word.encode() in content] == []
