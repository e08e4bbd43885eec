"""The program as a site remembers it: all that decides how pages look, but for campaigns."""

import contextlib
import functools
import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

from reportgen.files import templates

# What pages and figures are computed and drawn with; a test holds the list against the package's metadata.
LIBRARIES = (
    "babel",
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
    "watchfiles",
)
# The entry-point group of readers that other packages bring.
READERS = "reportgen.formats"


@functools.cache
def program() -> str:
    """Return the digest of all that decides how a site looks, but for campaigns.

    That is the program's own files, its templates, the libraries that it uses, the readers that other
    packages bring, and Python itself, whose tables of letters tell what a word is.
    """
    about = sys.version_info[:2], sorted(_libraries()), sorted(_plugins())
    digest = hashlib.sha256(repr(about).encode())
    for name, path in sorted(_program_files()):
        content = path.read_bytes()
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _libraries() -> Iterator[tuple[str, str]]:
    for name in LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            yield name, metadata.version(name)


def _plugins() -> Iterator[tuple[str, str, list[str]]]:
    """Yield each reader of another package: its name, what it leads to, digests of the package's files."""
    for entry in metadata.entry_points(group=READERS):
        yield entry.name, entry.value, sorted(map(_digest_of, _files_of(entry)))


def _files_of(entry: EntryPoint) -> Iterable[Path]:
    """Return the Python files that an entry point stands for, found without running any of them."""
    try:
        found = importlib.util.find_spec(entry.value.partition(":")[0].partition(".")[0])
    except (ImportError, ValueError):
        return []
    if found is None:
        return []
    folders = [Path(each) for each in found.submodule_search_locations or ()]
    return [path for each in folders for path in each.rglob("*.py")] or [Path(found.origin or "")]


def _digest_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:  # built in, or gone: whoever loads it says so
        return ""


def _program_files() -> Iterator[tuple[str, Path]]:
    package, pages = Path(__file__).resolve().parent, templates()
    for path in package.rglob("*.py"):
        yield f"reportgen/{path.relative_to(package).as_posix()}", path
    for path in pages.rglob("*"):
        if path.is_file():
            yield f"templates/{path.relative_to(pages).as_posix()}", path
