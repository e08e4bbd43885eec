"""What a site remembers of how it was made, so that nothing is made again that would come out the same.

`.reportgen.json` at the top of a site has, for each campaign, a digest of all that it was made from, and for
each folder a key and the digest of its SHA256SUMS. A folder is taken over only where its key is the same and
every file in it still has the bytes that its checksums list: the site stays a function of campaigns and
program. What was computed has a key of its own, and the digest of each of its files, so that a changed
template renders pages again and computes nothing. Keys are made with the bytes of the exports, so that no
name can be guessed from one.
"""

import contextlib
import errno
import functools
import hashlib
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)

from reportgen.base import READERS
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem
from reportgen.base.files import source_of, templates
from reportgen.base.site_folder import CHECKSUMS, DATED, MEMORY, PSEUDONYMS

if TYPE_CHECKING:
    from reportgen.campaign import Campaign
    from reportgen.results.versions import History

# Set before the bytes of a file: the plain SHA-256 of an input is published, and would be no secret.
OWN = b"reportgen remembers\0"
# With more in a campaign's folder, it takes longer to read all of it than to see what of it is named.
MOST_BYTES = 10**9


class Model(BaseModel):
    """A part of the memory."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Made(Model):
    """A folder as it was made: `key` stands for all that went into it, `sums` for all that came out.

    `computed` stands for what its results are made from, whatever the pages; `data` has the files of results.
    """

    key: str
    sums: str = Field(description="SHA-256 of its SHA256SUMS")
    computed: str = ""
    data: Mapping[str, str] = Field(default_factory=dict, description="SHA-256 of each file")


class LayerScore(Model):
    """A layer's primary coefficient for the terminal, and the severity of its verdict.

    `answer` is the verdict where the layer's subject is another than single labels of annotators.
    """

    layer: str
    coefficient: str
    figure: str = Field(description="value and interval in words")
    severity: Literal["problem", "warning", "note", "good"]
    answer: str = ""


class VersionScore(Model):
    """A guidelines version for the terminal: each layer; in words the verdict, and what to do first."""

    version: str
    verdict: str
    to_do: str = ""
    layers: tuple[LayerScore, ...] = Field(min_length=1)

    @model_serializer(mode="wrap")
    def _without_nothing(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out that nothing is to be done: memories of older versions do not have it."""
        said: dict[str, Any] = handler(self)
        return said if self.to_do else {key: value for key, value in said.items() if key != "to_do"}


class Remembered(Model):
    """One campaign as it was made; `noticed` says whether there was something to tell about its exports.

    `inputs` stands for all that it was made from, empty where a folder doesn't say it; `read` for its files
    and what computes figures from them. `scores` are those of its versions, the oldest first.
    """

    inputs: str = ""
    read: str = ""
    noticed: bool = False
    languages: tuple[str, ...] = ()
    scores: tuple[VersionScore, ...] = ()
    folders: Mapping[str, Made] = Field(default_factory=dict)


class Memory(Model):
    """All that a site remembers; `index` is the list of campaigns, whose `sums` are of the page itself."""

    version: Literal[5] = 5
    campaigns: Mapping[str, Remembered] = Field(default_factory=dict)
    index: Made | None = None
    sums: str = Field(default="", description="SHA-256 of all else in it")

    def of(self, campaign: str) -> Remembered:
        """Return what is remembered of one campaign."""
        return self.campaigns.get(campaign) or Remembered()


def recall(site: Path) -> Memory:
    """Return what a site remembers: nothing where there is none, or where its memory can't be understood."""
    try:
        content = (site / MEMORY).read_bytes()
    except OSError:
        return Memory()
    return remembered(content) or Memory()


def remembered(content: bytes) -> Memory | None:
    """Return what the file of a memory says, None where it can't be understood."""
    try:
        return Memory.model_validate_json(content)
    except (ValueError, RecursionError, ValidationError):
        return None


def keep(site: Path, memory: Memory) -> None:
    """Write the memory of a site into it."""
    (site / MEMORY).write_bytes(written(memory))


def written(memory: Memory) -> bytes:
    """Return the file of a memory, with the digest of what it says: any changed byte of it is found."""
    said = memory.model_dump(mode="json", exclude={"sums"})
    content = said | {"sums": key_of(said)}
    return f"{json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1)}\n".encode()


# What is said of files that were not read, which nothing that is published names.
NOT_READ = "Pages and bundles only say how many. Take what has no labels out of the folder."


@dataclass(frozen=True)
class Built:
    """One campaign of the site; `written` has its folders that were not taken over from the old site.

    `history` is there where it was made, or read, now; `hiding` is the campaign as the user calls it where it
    was, and where annotators have pseudonyms. `table` is what its folder is to keep of these, None where that
    is as it was, and `kept` the file where it is kept now.
    """

    id: str
    remembered: Remembered
    notices: Sequence[Problem] = ()
    written: Sequence[str] = ()
    history: "History | None" = None
    hiding: str = ""
    table: bytes | None = None
    kept: str = ""


# What something is made from


@dataclass(frozen=True)
class Recipe:
    """A folder of a site: the key of all that its results are made from, and how they are computed."""

    name: str
    key: str
    files: Callable[[], Iterable[tuple[str, str]]]


@dataclass(frozen=True)
class Inputs:
    """What a campaign is read from: a digest of each file, and of all with what computes figures.

    Where a table lies in a database that is no file, its digest is not known before it is read: the inputs
    are not `complete`, and nothing is taken over unread.
    """

    files: Mapping[str, str]
    read: str
    complete: bool = True


def inputs_of(campaign: "Campaign") -> Inputs:
    """Return the digests of a campaign's files; raises BadInput where one can't be read."""
    versions = [campaign.version(version) for version in campaign.versions]
    exports = {file.name: file.path for version in versions for file in version.exports}
    beside = {name: campaign.folder / name for version in versions for name in version.files}
    own = {"": campaign.folder / "campaign.toml"}
    paths = exports | beside | own
    files = {name: source_of(paths[name], name or campaign.file, OWN).sha256 for name in sorted(paths)}
    read = key_of(computing(), campaign.id, files)
    complete = not any(version.reading.database for version in versions)
    return Inputs(files, read, complete)


def folder_key(folder: Path) -> str:
    """Return the digest of all that lies in a campaign's folder, but for its pseudonyms, and of the program.

    Of the table of pseudonyms a build may make another one: `with_table` adds it. What the key stands for
    need not be read to be known: a campaign names no file outside its folder. Empty where a file can't be
    read or is none, a link leads to another folder, or recordings and other large files are beside the
    exports.
    """
    digest = hashlib.sha256(program().encode())
    try:
        for path in _files_below(folder):
            if os.path.relpath(path, folder) == PSEUDONYMS:
                continue
            with open(path, "rb") as file:  # noqa: PTH123 - thousands of files, for which Path is slow
                own = hashlib.file_digest(file, "sha256").hexdigest()
            digest.update(repr((os.path.relpath(path, folder), own)).encode())
    except (OSError, ValueError):
        return ""
    return digest.hexdigest()


def with_table(key: str, table: bytes) -> str:
    """Return the key of inputs together with the table of pseudonyms; empty where there is no key."""
    return key and key_of(key, hashlib.sha256(OWN + table).hexdigest())


def _files_below(folder: Path) -> Iterator[str]:
    """Yield the files below a folder in one order; raise OSError for anything else, or for too much."""
    room = MOST_BYTES
    for parent, folders, files in os.walk(folder, onerror=_refuse):
        folders.sort()
        paths = [f"{parent}/{name}" for name in sorted(files)]
        if not all(map(os.path.isfile, paths)) or any(Path(parent, name).is_symlink() for name in folders):
            raise OSError(errno.ELOOP, "neither a file nor a folder", parent)
        room -= sum(map(os.path.getsize, paths))
        if room < 0:
            raise OSError(errno.EFBIG, "too much to read", parent)
        yield from paths


def _refuse(error: OSError) -> None:
    raise error


def key_of(*parts: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return the digest of JSON values; those of mappings are in the order of their keys."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def moment(campaign: "Campaign") -> str:
    """Return what the environment says where a feed takes dates from it: a version has none of its own."""
    return "" if is_dated(campaign) else os.environ.get(DATED, "")


def is_dated(campaign: "Campaign") -> bool:
    """Tell whether every version of the guidelines has a date."""
    return all(guidelines.date for guidelines in campaign.guidelines)


def at_moment(key: str) -> str:
    """Return the key of a folder with the moment of the release, which counts where versions have no date."""
    return f"{key}@{os.environ.get(DATED, '')}"


# What was made


def intact(folder: Path, record: Made | None) -> Sequence[str] | None:
    """Return the names of a folder's files where they are as they were made, None where they are not."""
    if record is None:
        return None
    try:
        sums = (folder / CHECKSUMS).read_bytes()
        if hashlib.sha256(sums).hexdigest() != record.sums:
            return None
        listed = [line.partition("  ")[::2] for line in sums.decode().splitlines()]
        unchanged = all(_is_as_listed(folder, name, digest) for digest, name in listed)
    except (OSError, ValueError):
        return None
    return [CHECKSUMS, *(name for _, name in listed)] if unchanged else None


def data_intact(folder: Path, record: Made | None) -> bool:
    """Tell whether a folder's results are as they were made, whatever became of its pages."""
    if record is None or not record.data:
        return False
    try:
        return all(_is_as_listed(folder, name, digest) for name, digest in record.data.items())
    except (OSError, ValueError):
        return False


def is_as_made(file: Path, record: Made) -> bool:
    """Tell whether a single file still has the bytes with which it was made."""
    try:
        return not file.is_symlink() and hashlib.sha256(file.read_bytes()).hexdigest() == record.sums
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
        try:
            os.link(old / name, new / name)
        except OSError:  # another disk, or a system without links
            shutil.copyfile(old / name, new / name)


# The program as a site remembers it: all that decides how pages look, but for campaigns.
# What pages and figures are computed and drawn with; a test compares the list with the package's metadata.
LIBRARIES = (
    "babel",
    "dkpro-cassis",
    "duckdb",
    "filelock",
    "jinja2",
    "latex2mathml",
    "lxml",
    "markdown-it-py",
    "matplotlib",
    "nh3",
    "numpy",
    "platformdirs",
    "pyarrow",
    "pydantic",
    "pygamma-agreement",
    "python-calamine",
    "python-multipart",
    "pyyaml",
    "rdflib",
    "rich",
    "scipy",
    "starlette",
    "tomli-w",
    "typer",
    "uvicorn",
    "watchfiles",
)
# Those of them that pages are rendered with, and nothing is computed.
RENDERING = frozenset(
    (
        *("babel", "filelock", "jinja2", "latex2mathml", "nh3", "platformdirs", "rich", "starlette"),
        *("python-multipart", "tomli-w", "typer", "uvicorn", "watchfiles"),
    )
)
# What of the program no figure depends on: the rooms of pages, of releases and of commands.
SHOWING = ("report/", "publish/", "app/", "cli/", "base/progress.py")
COMPILED = "__pycache__"


@functools.cache
def program() -> str:
    """Return the digest of all that decides how a site looks, but for campaigns.

    That is the program's own files, its templates, the libraries that it uses, the readers that other
    packages bring, and Python itself, whose tables of letters tell what a word is.
    """
    shown = hashlib.sha256(repr((computing(), sorted(libraries_of(RENDERING)))).encode())
    pages = ((f"templates/{name}", path) for name, path in _below(templates()))
    return _with_files(shown, [*(file for file in own_files() if file[0].startswith(SHOWING)), *pages])


@functools.cache
def computing() -> str:
    """Return the digest of what decides how figures are computed, whatever pages they are on."""
    libraries = sorted(libraries_of(frozenset(LIBRARIES) - RENDERING))
    # Each reader of another package: its name, what it leads to, digests of the package's files.
    plugins = metadata.entry_points(group=READERS)
    readers = sorted(
        (plugin.name, plugin.value, sorted(map(_digest_of, _files_of(plugin)))) for plugin in plugins
    )
    digest = hashlib.sha256(repr((sys.version_info[:2], libraries, readers)).encode())
    return _with_files(digest, (file for file in own_files() if not file[0].startswith(SHOWING)))


def forget() -> None:
    """Forget the program's files, so that changed ones are read again."""
    for digest in (program, computing, own_files):
        digest.cache_clear()


def _with_files(digest: "hashlib._Hash", files: Iterable[tuple[str, str]]) -> str:
    for name, path in sorted(files):
        with open(path, "rb") as file:  # noqa: PTH123 - hundreds of files, for which Path is slow
            content = file.read()
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def libraries_of(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each library that is installed, and its version."""
    for name in names:
        with contextlib.suppress(metadata.PackageNotFoundError):
            yield name, _version(name)


def _version(name: str) -> str:
    """Return a library's version, without reading all else that its metadata says."""
    text = metadata.distribution(name).read_text("METADATA") or ""
    head = f"\n{text}".partition("\n\n")[0]
    return head.partition("\nVersion: ")[2].partition("\n")[0] or metadata.version(name)


def _files_of(entry: EntryPoint) -> Iterable[Path]:
    """Return the Python files that an entry point leads to, found without running any of them."""
    try:
        package = importlib.util.find_spec(entry.value.partition(":")[0].partition(".")[0])
    except (ImportError, ValueError):
        return []
    if package is None:
        return []
    folders = map(Path, package.submodule_search_locations or ())
    files = [path for folder in folders for path in folder.rglob("*.py")]
    return files or [Path(package.origin or "")]


def _digest_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:  # built in, or gone: to load it says so
        return ""


@functools.cache
def own_files() -> Sequence[tuple[str, str]]:
    """Return the program's own files, code and data, by their names; installed, templates are among them."""
    below = _below(Path(__file__).resolve().parent.parent)
    return [file for file in below if not file[0].startswith("templates/")]


def _below(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the files below a folder, by their names, but for what is compiled of them."""
    # Before every build, whether anything changed or not: Path takes three times as long.
    for directory, folders, files in os.walk(folder):
        folders[:] = (name for name in folders if name != COMPILED)
        inside = os.path.relpath(directory, folder).replace(os.sep, "/")
        above = "" if inside == "." else f"{inside}/"
        yield from ((f"{above}{name}", f"{directory}{os.sep}{name}") for name in files)
