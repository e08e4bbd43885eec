"""The files of a folder or an archive by their paths, whatever else stands among them."""

import hashlib
import json
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeVar

from pydantic import ValidationError

from reportgen.base.atomic_replace import CHECKSUMS, HISTORY, INDEX, MEMORY
from reportgen.base.errors import reason
from reportgen.publish.files import CAMPAIGN, CRATE, REPORT
from reportgen.publish.verify.outcome import Discrepancy
from reportgen.results import Part, dumps

PIECE = 1 << 20
SPECIAL = "is neither a file nor a folder."


class Tree(Mapping[str, bytes]):
    """Files by their paths, with "/": those of an archive, of which all bytes are known."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Keep the files in the order of their paths."""
        self._files = dict(sorted(files.items()))

    def __getitem__(self, name: str) -> bytes:
        """Return the bytes of a file."""
        return self._files[name]

    def __iter__(self) -> Iterator[str]:
        """Yield paths in their order."""
        return iter(self._files)

    def __len__(self) -> int:
        """Return how many files there are."""
        return len(self._files)

    def digest(self, name: str) -> str:
        """Return a file's SHA-256."""
        return hashlib.sha256(self[name]).hexdigest()

    def below(self, folder: str) -> "Tree":
        """Return the files below a folder, whose name ends in "/", by their paths from there."""
        return Subtree(self, folder) if folder else self


class Subtree(Tree):
    """The files below a folder of a tree."""

    def __init__(self, whole: Tree, folder: str) -> None:
        """Remember where they are."""
        self._whole, self._folder = whole, folder
        super().__init__({name.removeprefix(folder): b"" for name in whole if name.startswith(folder)})

    def __getitem__(self, name: str) -> bytes:
        """Return the bytes of a file."""
        if name not in self._files:
            raise KeyError(name)
        return self._whole[self._folder + name]

    def digest(self, name: str) -> str:
        """Return a file's SHA-256."""
        return self._whole.digest(self._folder + name)


class Without(Tree):
    """The files of a tree that stand in none of some folders."""

    def __init__(self, whole: Tree, folders: tuple[str, ...]) -> None:
        """Remember where they are."""
        self._whole = whole
        super().__init__({name: b"" for name in whole if not name.startswith(folders)})

    def __getitem__(self, name: str) -> bytes:
        """Return the bytes of a file."""
        if name not in self._files:
            raise KeyError(name)
        return self._whole[name]

    def digest(self, name: str) -> str:
        """Return a file's SHA-256."""
        return self._whole.digest(name)


class OnDisk(Tree):
    """The files of a folder, which are read when they are asked for."""

    def __init__(self, root: Path, names: list[str]) -> None:
        """Remember where they are."""
        super().__init__(dict.fromkeys(names, b""))
        self._root = root

    def __getitem__(self, name: str) -> bytes:
        """Return the bytes of a file."""
        if name not in self._files:
            raise KeyError(name)
        return (self._root / name).read_bytes()

    def digest(self, name: str) -> str:
        """Return a file's SHA-256, without holding all of it."""
        found = hashlib.sha256()
        with (self._root / name).open("rb") as file:
            while piece := file.read(PIECE):
                found.update(piece)
        return found.hexdigest()


@dataclass(frozen=True)
class Walked:
    """A folder's files, and what stands among them that is none."""

    files: Tree
    faults: tuple[Discrepancy, ...]


def walk(root: Path) -> Walked:
    """Return the files of a folder; no link is followed, and nothing but ordinary files is opened."""
    names: list[str] = []
    faults: list[Discrepancy] = []
    todo = [""]
    while todo:
        above = todo.pop()
        try:
            with os.scandir(root / above) as listed:
                entries = list(listed)
        except OSError as error:
            faults.append(_fault(above.rstrip("/") or ".", f"can't be read: {reason(error)}."))
            continue
        if not entries and above:
            faults.append(_fault(_utf8(above), "was added: it is a folder without files."))
        for entry in entries:
            name = above + entry.name
            if entry.is_dir(follow_symlinks=False):
                todo.append(f"{name}/")
            elif wrong := _wrong(entry, name):
                faults.append(_fault(_utf8(name), wrong))
            else:
                names.append(name)
    return Walked(OnDisk(root, names), tuple(sorted(faults)))


def _fault(name: str, what: str) -> Discrepancy:
    return Discrepancy(name, what, "checksums")


def _wrong(entry: "os.DirEntry[str]", name: str) -> str:
    """Return why an entry of a folder is no file of ours, nothing where it may be one."""
    if entry.is_symlink():
        return "is a link: it was added, or put in the place of a file."
    if name != _utf8(name):
        return "was added; its name is not UTF-8."
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError as error:
        return f"can't be read: {reason(error)}."
    if not stat.S_ISREG(mode):
        return SPECIAL
    return "" if os.access(entry.path, os.R_OK) else "can't be read: permission denied."


def _utf8(name: str) -> str:
    return name.encode(errors="replace").decode()


# What is to be verified: a bundle, a site, or a part of a site.

Kind = Literal["bundle", "site", "campaign", "version", "comparison"]
# What stands in a folder of its kind and in no other; one of them may be missing, which is then said.
VERSION = frozenset(("results.json", "report.html", "report.md"))
COMPARISON = frozenset(("comparison.json", "comparison.md"))
JOINED = frozenset((HISTORY, "history.md", "badge.json"))


def kind_of(names: Collection[str]) -> Kind | None:
    """Return what files are, given their paths; None where they are nothing that reportgen wrote.

    What was written is told from its own files, several of each, so that none of them has to be there.
    """
    top = frozenset(name for name in names if "/" not in name)
    if len(top & JOINED) > 1 or HISTORY in top:
        return "campaign"
    if _is_bundle(names, top):
        return "bundle"
    if "results.json" in top or (CHECKSUMS in top and top & VERSION):
        return "version"
    if "comparison.json" in top or (CHECKSUMS in top and top & COMPARISON):
        return "comparison"
    known = list(campaigns(names))
    if MEMORY in top or (INDEX in top and known) or any(f"{each}/badge.json" in names for each in known):
        return "site"
    return None


def _is_bundle(names: Collection[str], top: Collection[str]) -> bool:
    """Tell whether files are a bundle: a report in its folder, and at the top what lists or describes it."""
    inside = frozenset(
        name.removeprefix(REPORT)
        for name in names
        if name.startswith(REPORT) and "/" not in name[len(REPORT) :]
    )
    own = sum(each in top for each in (CHECKSUMS, CAMPAIGN, CRATE))
    return bool(own) and bool(inside & (VERSION | {CHECKSUMS})) and (own > 1 or CHECKSUMS in inside)


def campaigns(names: Collection[str]) -> Iterator[str]:
    """Yield the folders of a site that are campaigns'."""
    joined: dict[str, set[str]] = {}
    for name in names:
        folder, slash, rest = name.partition("/")
        if slash and "/" not in rest:
            joined.setdefault(folder, set()).add(rest)
    return (
        folder for folder in sorted(joined) if HISTORY in joined[folder] or len(joined[folder] & JOINED) > 1
    )


# JSON from a stranger: what it says, or why it can't be used, and whether it stands as we write it.

SomePart = TypeVar("SomePart", bound=Part)
PLACES_SHOWN = 5
SHOWN = 100


class Unusable(Exception):
    """A file that can't be understood; `differences` say why."""

    def __init__(self, *differences: Discrepancy) -> None:
        """Keep what is wrong."""
        super().__init__("\n".join(each.what for each in differences))
        self.differences = differences


def parsed(files: Tree, name: str, shown: str = "") -> Any:  # noqa: ANN401 - any JSON value
    """Return what a JSON file says; `shown` is its path where differences name another."""
    shown = shown or name
    try:
        return json.loads(files[name].decode(), parse_constant=_no_number)
    except KeyError:
        what = "is missing."
    except UnicodeDecodeError as error:
        what = f"is not UTF-8 at byte {error.start}."
    except json.JSONDecodeError as error:
        what = f"is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
    except ValueError as error:
        what = f"is not JSON: {str(error)[:SHOWN]}"
    except RecursionError:
        what = "is not ours: its values stand too deep in each other."
    raise Unusable(Discrepancy(shown, what, "form"))


def _no_number(name: str) -> NoReturn:
    message = f"{name} is no number."
    raise ValueError(message)


def read(part: type[SomePart], files: Tree, name: str, shown: str = "") -> SomePart:
    """Return results as they stand in a file; raises Unusable where they are none."""
    shown = shown or name
    parsed(files, name, shown)
    try:
        return part.model_validate_json(files[name])
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:PLACES_SHOWN]
        whats = [_place(each) for each in found]
    except (ValueError, RecursionError) as error:
        whats = [str(error)[:SHOWN]]
    raise Unusable(*(Discrepancy(shown, f"is not as reportgen writes it: {what}", "form") for what in whats))


def _place(error: Any) -> str:  # noqa: ANN401 - what pydantic tells of one
    where = ".".join(map(str, error["loc"]))
    return f"{where}: {error['msg']}."


def form(part: Part, files: Tree, name: str, shown: str = "", *, older: bool = False) -> list[Discrepancy]:
    """Return where the JSON of results is not written as reportgen writes it, whatever it says.

    Where an `older` version wrote it, which may have broken lines elsewhere, its values alone are compared.
    """
    due = dumps(part)
    if older and json.loads(files[name]) == json.loads(due):
        return []
    return differing(shown or name, files[name], due.encode(), "form")


def differing(name: str, content: bytes, expected: bytes, check: Any) -> list[Discrepancy]:  # noqa: ANN401 - a Check
    """Return where a file differs from what reportgen writes: its first line that does, and how many do."""
    if content == expected:
        return []
    found, due = (each.decode(errors="replace").split("\n") for each in (content, expected))
    if len(found) == len(due):
        lines = [number for number, both in enumerate(zip(found, due, strict=True)) if both[0] != both[1]]
        first, more = (lines or [0])[0], len(lines) - 1
        also = f", and {more:,} more line{'s differ' if more > 1 else ' differs'}" if more > 0 else ""
    else:
        pairs = enumerate(zip(found, due, strict=False))
        first = next((number for number, both in pairs if both[0] != both[1]), min(len(found), len(due)))
        also = f"; it has {len(found):,} lines, and {len(due):,} were expected"
    one, other = around(_line(found, first), _line(due, first))
    what = f"line {first + 1} differs{also}."
    return [Discrepancy(name, what, check, recorded=one, found=other)]


def _line(lines: list[str], number: int) -> str:
    return lines[number] if number < len(lines) else ""


def around(one: str, other: str, most: int = SHOWN) -> tuple[str, str]:
    """Return two texts short enough to be shown, around the first sign in which they differ."""
    same = next((n for n, both in enumerate(zip(one, other, strict=False)) if both[0] != both[1]), None)
    place = min(len(one), len(other)) if same is None else same
    start = max(0, place - most // 3)
    return _cut(one, start, most), _cut(other, start, most)


def _cut(text: str, start: int, most: int) -> str:
    before, after = "…" if start else "", "…" if len(text) > start + most else ""
    return f"{before}{text[start : start + most]}{after}"
