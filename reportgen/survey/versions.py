"""Which files are of which guidelines version, by the names of folders and files."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from reportgen.campaign.paths import WILDCARDS, export_files
from reportgen.formats import ExportFile, Reader
from reportgen.formats.survey import Found
from reportgen.survey.slugs import different

EXPORTS = "exports"
ONLY = "1.0"
# "v1", "v1.2", "version-3", "round2", "pilot": a version in the name of a file or folder.
MARKED = re.compile(
    r"(?:^|(?<=[\W_]))(v\.?[\s_-]?\d+(?:\.\d+)*"
    r"|(?:version|ver|guidelines?|round|phase|stage|iteration|runde|tour)[\s_-]?\d+(?:\.\d+)*"
    r"|(?:pilot|training)[\s_-]?\d*(?:\.\d+)*)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
# With more names at the top, "*.ann" says it better.
MOST_NAMES = 8


@dataclass(frozen=True)
class Part:
    """The files of one version, and the names that lead to them from the campaign's folder."""

    id: str
    names: tuple[str, ...]
    files: tuple[ExportFile, ...]

    def written(self, folder: Path) -> tuple[str, ...]:
        """Return what to write as exports: the names, or "*.ann" where there are many files."""
        if len(self.names) <= MOST_NAMES:
            return self.names
        by_suffix: dict[str, list[str]] = {}
        for name in self.names:
            by_suffix.setdefault(PurePosixPath(name).suffix, []).append(name)
        return tuple(each for suffix, names in by_suffix.items() for each in _as_glob(folder, suffix, names))


@dataclass(frozen=True)
class VersionFound:
    """One guidelines version: its files, and what they hold.

    `exports` is what to write; `entries` are the names at the top of the folder that it takes files from.
    `others` are files of other formats, by the readers' names.
    """

    id: str
    exports: tuple[str, ...]
    entries: frozenset[str]
    reader: Reader
    read: tuple[str, ...]
    unread: tuple[str, ...]
    others: Mapping[str, tuple[str, ...]]
    found: Found


def entries_of(files: Iterable[ExportFile]) -> frozenset[str]:
    """Return the names at the top of the folder that files lie under."""
    return frozenset(_top(file.name) for file in files)


def parts_of(entries: Mapping[str, Sequence[ExportFile]], readable: Collection[str]) -> list[Part]:
    """Return the versions that the names tell of, in their order.

    Folders in `exports` are one each; else names at the top that all carry a version; else there is one.
    """
    known = {name: files for name, files in entries.items() if any(file.name in readable for file in files)}
    below = _below_exports(entries.get(EXPORTS, ()), readable)
    if below:
        return _named({name: (f"{EXPORTS}/{name}",) for name in below}, below)
    marked = _by_mark(list(known)) if known else {}
    if marked:
        files = {mark: [file for name in names for file in known[name]] for mark, names in marked.items()}
        return _named(marked, files)
    return _named({ONLY: tuple(known)}, {ONLY: [file for files in known.values() for file in files]})


def _named(names: Mapping[str, Iterable[str]], files: Mapping[str, Sequence[ExportFile]]) -> list[Part]:
    order = sorted((name for name in names if files[name]), key=_natural)
    return [
        Part(identity, tuple(names[name]), tuple(files[name]))
        for identity, name in zip(different(order), order, strict=True)
    ]


def _below_exports(files: Sequence[ExportFile], readable: Collection[str]) -> dict[str, list[ExportFile]]:
    """Return the files of each folder in `exports` that holds any readable one."""
    folders: dict[str, list[ExportFile]] = {}
    for file in files:
        parts = PurePosixPath(file.name).parts
        if len(parts) > 2:  # noqa: PLR2004 - exports, the folder, the file
            folders.setdefault(parts[1], []).append(file)
    return {name: found for name, found in folders.items() if any(file.name in readable for file in found)}


def _by_mark(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the names by version, none where one carries no version.

    The rest of a name after its version ("v2_double") makes versions of their own, unless each version has
    the same rests, or there is a single one: these are annotators or documents.
    """
    found = {name: MARKED.search(_stem(name)) for name in names}
    if any(match is None for match in found.values()):
        return {}
    marks = {name: match[0] for name, match in found.items() if match}
    rests: dict[str, set[str]] = {}
    for name, match in found.items():
        if match:
            rests.setdefault(match[0], set()).add(_rest(name, match))
    same = len({frozenset(each) for each in rests.values()}) == 1
    groups: dict[str, list[str]] = {}
    for name, match in found.items():
        if match:
            key = marks[name] if same else _stem(name)[match.start() :]
            groups.setdefault(key, []).append(name)
    return groups


def _rest(name: str, match: "re.Match[str]") -> str:
    stem = _stem(name)
    return f"{stem[: match.start()]}*{stem[match.end() :]}"


def _stem(name: str) -> str:
    """Return a name without its extension; the "2" of "v1.2" is none."""
    path = PurePosixPath(name)
    return path.stem if path.suffix and not path.suffix[1:].isdigit() else name


def _natural(name: str) -> list[tuple[bool, int, str]]:
    parts = re.split(r"(\d+)", name.casefold())
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


def _top(name: str) -> str:
    return PurePosixPath(name).parts[0]


def _as_glob(folder: Path, suffix: str, names: Sequence[str]) -> Iterator[str]:
    """Yield "*.ann" for all files of that extension, or their names where it would match others too."""
    glob = f"*{suffix}"
    plain = suffix and not WILDCARDS.intersection(suffix) and len(names) > 1
    if plain and [file.name for file in export_files(folder, [glob])] == sorted(names):
        yield glob
    else:
        yield from names
