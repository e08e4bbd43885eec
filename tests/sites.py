"""What several modules of tests read and none changes: built once in a run, whichever worker asks first."""

import fcntl
import shutil
from pathlib import Path

from reportgen.pipeline.build import build_site
from tests.campaigns import GENE_RENAMING

IN_TEXTS = GENE_RENAMING.parent / "gene-renaming-in-texts"


def once(place: Path) -> Path:
    """Return the site of both example campaigns; build it where no worker has built it below the folder."""
    with (place / "examples.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "examples").exists():
            build_site([GENE_RENAMING, IN_TEXTS], place / "building")
            (place / "building").rename(place / "examples")
    return place / "examples"


def some_of_the_texts(folder: Path, number: int) -> Path:
    """Copy the example in texts with its first documents only; return its folder."""
    names = sorted({path.stem for path in (IN_TEXTS / "exports").rglob("*.txt")})
    assert len(names) > number
    ignored = [f"{name}.{kind}" for name in names[number:] for kind in ("txt", "ann")]
    return Path(shutil.copytree(IN_TEXTS, folder, ignore=shutil.ignore_patterns(*ignored)))
