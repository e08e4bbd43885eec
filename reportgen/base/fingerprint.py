"""The program as a site remembers it: all that decides how pages look, but for campaigns."""

import contextlib
import functools
import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

from reportgen.base.files import templates

# What pages and figures are computed and drawn with; a test compares the list with the package's metadata.
LIBRARIES = (
    "babel",
    "dkpro-cassis",
    "duckdb",
    "jinja2",
    "latex2mathml",
    "lxml",
    "markdown-it-py",
    "matplotlib",
    "nh3",
    "numpy",
    "openpyxl",
    "pyarrow",
    "pydantic",
    "pygamma-agreement",
    "pyyaml",
    "rdflib",
    "rich",
    "scipy",
    "tomli-w",
    "typer",
    "watchfiles",
)
# Those of them that pages are rendered with, and nothing is computed.
RENDERING = frozenset(("babel", "jinja2", "latex2mathml", "nh3", "rich", "tomli-w", "typer", "watchfiles"))
# What of the program no figure depends on: the rooms of pages, of releases and of the command line.
SHOWING = ("report/", "publish/", "cli/", "base/progress.py")
# The entry-point group of readers that other packages bring.
READERS = "reportgen.formats"
COMPILED = "__pycache__"


@functools.cache
def program() -> str:
    """Return the digest of all that decides how a site looks, but for campaigns.

    That is the program's own files, its templates, the libraries that it uses, the readers that other
    packages bring, and Python itself, whose tables of letters tell what a word is.
    """
    shown = hashlib.sha256(repr((computing(), sorted(libraries_of(RENDERING)))).encode())
    pages = ((f"templates/{name}", path) for name, path in _below(templates()))
    return _with_files(shown, [*(file for file in _code() if file[0].startswith(SHOWING)), *pages])


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
    return _with_files(digest, (file for file in _code() if not file[0].startswith(SHOWING)))


def forget() -> None:
    """Forget the program's files, so that changed ones are read again."""
    for digest in (program, computing, _code):
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
def _code() -> Sequence[tuple[str, str]]:
    """Return the program's own files, by their names."""
    return [file for file in _below(Path(__file__).resolve().parent.parent) if file[0].endswith(".py")]


def _below(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the files below a folder, by their names, but for what is compiled of them."""
    # Before every build, whether anything changed or not: Path takes three times as long.
    for directory, folders, files in os.walk(folder):
        folders[:] = (name for name in folders if name != COMPILED)
        inside = os.path.relpath(directory, folder).replace(os.sep, "/")
        above = "" if inside == "." else f"{inside}/"
        yield from ((f"{above}{name}", f"{directory}{os.sep}{name}") for name in files)
