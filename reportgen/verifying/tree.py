"""The files of a folder or an archive by their paths, whatever else stands among them."""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import reason
from reportgen.verifying.outcome import Difference

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
        return Part(self, folder) if folder else self


class Part(Tree):
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
    faults: tuple[Difference, ...]


def walk(root: Path) -> Walked:
    """Return the files of a folder; no link is followed, and nothing but ordinary files is opened."""
    names: list[str] = []
    faults: list[Difference] = []
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


def _fault(name: str, what: str) -> Difference:
    return Difference(name, what, "checksums")


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
