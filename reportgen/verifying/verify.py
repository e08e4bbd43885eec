"""What is to be verified is found out, then checked."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import BadInput, Problem, reason
from reportgen.progress import Steps
from reportgen.verifying.archive import read_archive
from reportgen.verifying.bundle import check_bundle
from reportgen.verifying.kinds import Kind, kind_of
from reportgen.verifying.outcome import Outcome, following, together
from reportgen.verifying.site import check_alone, check_campaign, check_site
from reportgen.verifying.tree import Tree, walk

MAGIC, END = b"PK\x03\x04", b"PK\x05\x06"
MOST_BYTES = 2 * 1024**3
MEND = "Name a bundle (.zip or folder), a site, or a campaign's or version's folder of a site."


@dataclass(frozen=True)
class Verified:
    """What was verified, of which kind it is, and what came of it."""

    path: str
    kind: Kind
    outcome: Outcome

    @property
    def same(self) -> bool:
        """Tell whether nothing differs."""
        return not self.outcome.differences


def verify(path: Path, progress: Steps = lambda _: None) -> Verified:
    """Verify a bundle, a site or a part of one; raises BadInput where it is neither."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise _refused(path, f"can't be read: {reason(error)}.", "Check the name.") from None
    if stat.S_ISDIR(mode):
        return _folder(path, progress)
    if stat.S_ISREG(mode):
        return _archive(path, progress)
    raise _refused(path, "is neither a file nor a folder.", MEND)


def _refused(path: Path, message: str, mend: str) -> BadInput:
    return BadInput([Problem(str(path), message=message, mend=mend)])


def _folder(path: Path, progress: Steps) -> Verified:
    progress("looking for files")
    found = walk(path)
    kind = kind_of(found.files)
    if kind is None:
        raise _refused(path, _no_kind(found.files), _mend(found.files))
    outcome = together([Outcome(found.faults), *_checks(kind, found.files, path, progress)])
    return Verified(str(path), kind, following(outcome))


def _no_kind(files: Tree) -> str:
    return "holds no file." if not files else "is neither a bundle nor a site, nor a part of one."


def _mend(files: Tree) -> str:
    if "campaign.toml" in files:
        return "It is a campaign: build its site, or bundle it, and verify that."
    return MEND


def _checks(kind: Kind, files: Tree, path: Path, progress: Steps) -> Iterator[Outcome]:
    if kind == "bundle":
        yield from check_bundle(files, progress)
    elif kind == "site":
        yield from check_site(files, progress)
    elif kind == "campaign":
        yield from check_campaign(files, "", Path(os.path.abspath(path)).name, progress)  # noqa: PTH100
    else:
        yield from check_alone(files, kind, progress)


def _archive(path: Path, progress: Steps) -> Verified:
    progress("reading the archive")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _refused(path, "is larger than a bundle can be.", "Unpack it, and verify the folder.")
        content = path.read_bytes()
    except OSError as error:
        raise _refused(path, f"can't be read: {reason(error)}.", "Check that you may read it.") from None
    zipped = content.startswith(MAGIC) or END in content or (MAGIC in content and path.suffix == ".zip")
    if not zipped:
        raise _refused(path, "is neither a bundle nor a site: it is no zip file.", MEND)
    files, outcome = read_archive(content, path.name)
    if kind_of(files) != "bundle":
        if not outcome.differences:
            raise _refused(path, "is a zip file, but holds no bundle.", _mend(files))
        return Verified(str(path), "bundle", outcome)
    outcome = together([outcome, *check_bundle(files, progress)])
    return Verified(str(path), "bundle", following(outcome))
