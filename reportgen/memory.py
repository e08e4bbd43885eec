"""What a site remembers of how it was made, so that nothing is made again that would come out the same.

`.reportgen.json` at the top of a site has, for each campaign, a digest of all that it was made from, and for
each folder a key and the digest of its SHA256SUMS. A folder is taken over only where its key is the same and
every file in it still has the bytes that its checksums list: the site stays a function of campaigns and
program. Digests are made with the bytes of the exports, so that no name can be guessed from one.
"""

import contextlib
import functools
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reportgen.campaign import Campaign
from reportgen.exchange import CHECKSUMS, MEMORY
from reportgen.files import read_bytes, templates

# What pages and figures are computed and drawn with; a test holds the list against the package's metadata.
LIBRARIES = (
    "dkpro-cassis",
    "jinja2",
    "latex2mathml",
    "lxml",
    "markdown",
    "matplotlib",
    "nh3",
    "numpy",
    "openpyxl",
    "pandas",
    "pydantic",
    "pygamma-agreement",
    "pyyaml",
    "rdflib",
    "rich",
    "scipy",
    "typer",
)
# Set before the bytes of a file: the plain SHA-256 of an input is published, and would be no secret.
OWN = b"reportgen remembers\0"


class Model(BaseModel):
    """A part of the memory."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Made(Model):
    """A folder as it was made: `key` stands for all that went into it, `sums` for all that came out."""

    key: str
    sums: str = Field(description="SHA-256 of its SHA256SUMS")


class Remembered(Model):
    """One campaign as it was made; `noticed` says whether there was something to tell about its exports.

    `estimates` has each version's primary coefficient in words, the oldest first, for the terminal.
    """

    inputs: str = ""
    noticed: bool = False
    estimates: tuple[tuple[str, str], ...] = ()
    folders: Mapping[str, Made] = Field(default_factory=dict)


class Memory(Model):
    """All that a site remembers; `index` is the list of campaigns, whose `sums` are of the page itself."""

    version: Literal[1] = 1
    campaigns: Mapping[str, Remembered] = Field(default_factory=dict)
    index: Made | None = None

    def of(self, campaign: str) -> Remembered:
        """Return what is remembered of one campaign."""
        return self.campaigns.get(campaign) or Remembered()


def recall(site: Path) -> Memory:
    """Return what a site remembers: nothing where there is none, or where its memory can't be understood."""
    try:
        return Memory.model_validate_json((site / MEMORY).read_bytes())
    except (OSError, ValueError, RecursionError, ValidationError):
        return Memory()


def keep(site: Path, memory: Memory) -> None:
    """Write the memory of a site into it."""
    content = json.dumps(memory.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, indent=1)
    (site / MEMORY).write_text(f"{content}\n", encoding="utf-8", newline="\n")


# What something is made from


@dataclass(frozen=True)
class Inputs:
    """What a campaign's folder holds: a digest of each file that is read, and one of all with the program."""

    files: Mapping[str, str]
    whole: str


def inputs_of(campaign: Campaign) -> Inputs:
    """Return the digests of a campaign's files; raises BadInput where one can't be read."""
    versions = [campaign.version(each) for each in campaign.versions]
    exports = {file.name: file.path for each in versions for file in each.exports}
    beside = {name: campaign.folder / name for each in versions for name in each.files}
    own = {"": campaign.folder / "campaign.toml"}
    paths = exports | beside | own
    files = {name: _digest_of(paths[name], name or campaign.file) for name in sorted(paths)}
    return Inputs(files, key_of(program(), campaign.id, files))


def _digest_of(path: Path, name: str) -> str:
    return hashlib.sha256(OWN + read_bytes(path, name)).hexdigest()


def key_of(*parts: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return the digest of JSON values; those of mappings stand in the order of their keys."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@functools.cache
def program() -> str:
    """Return the digest of all that decides how a site looks, but for campaigns.

    That is the program's own files, its templates, the libraries that it uses, and Python itself, whose
    tables of letters tell what a word is.
    """
    digest = hashlib.sha256(repr((sys.version_info[:2], sorted(_libraries()))).encode())
    for name, path in sorted(_program_files()):
        content = path.read_bytes()
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _libraries() -> Iterator[tuple[str, str]]:
    for name in LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            yield name, metadata.version(name)


def _program_files() -> Iterator[tuple[str, Path]]:
    package, pages = Path(__file__).resolve().parent, templates()
    for path in package.rglob("*.py"):
        yield f"reportgen/{path.relative_to(package).as_posix()}", path
    for path in pages.rglob("*"):
        if path.is_file():
            yield f"templates/{path.relative_to(pages).as_posix()}", path


# What was made


def intact(folder: Path, made: Made | None) -> Sequence[str] | None:
    """Return the names of a folder's files where they are as they were made, None where they are not."""
    if made is None:
        return None
    try:
        sums = (folder / CHECKSUMS).read_bytes()
        if hashlib.sha256(sums).hexdigest() != made.sums:
            return None
        listed = [line.partition("  ")[::2] for line in sums.decode().splitlines()]
        unchanged = all(_is_as_listed(folder, name, digest) for digest, name in listed)
    except (OSError, ValueError):
        return None
    return [CHECKSUMS, *(name for _, name in listed)] if unchanged else None


def is_as_made(file: Path, made: Made) -> bool:
    """Tell whether a single file still has the bytes with which it was made."""
    try:
        return not file.is_symlink() and hashlib.sha256(file.read_bytes()).hexdigest() == made.sums
    except OSError:
        return False


def _is_as_listed(folder: Path, name: str, digest: str) -> bool:
    parts = PurePosixPath(name)
    if not name or parts.is_absolute() or ".." in parts.parts:
        return False
    path = folder / name
    return not path.is_symlink() and hashlib.sha256(path.read_bytes()).hexdigest() == digest


def take_over(old: Path, new: Path, names: Iterable[str]) -> None:
    """Give files of an old folder to a new one: the same files where the system can, else copies."""
    folders: set[str] = set()
    for name in names:
        above = os.path.dirname(name)  # noqa: PTH120 - thousands of files, for which Path is slow
        if above not in folders:
            (new / above).mkdir(parents=True, exist_ok=True)
            folders.add(above)
        _give(old / name, new / name)


def _give(old: Path, new: Path) -> None:
    try:
        os.link(old, new)
    except OSError:  # another disk, or a system without links
        shutil.copyfile(old, new)
