"""Where the files of a campaign are: inside its folder, and nowhere else."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

from reportgen.campaign.wording import Unfit, quoted

WILDCARDS = frozenset("*?[")


class ExportPath(NamedTuple):
    """One exported file: its absolute path, and its name relative to the campaign's folder, with "/"."""

    path: Path
    name: str


def existing_file(folder: Path, name: str) -> Path:
    """Return the absolute path of a file of the campaign.

    Raises Unfit where there is no such file, where it lies outside the folder or can't be read.
    """
    with _readable(name):
        path = _existing(folder.resolve(), name)
        if not path.is_file():
            message = f"{quoted(name)} is not a file; one file was expected."
            raise Unfit(message, "Name the file, with its folder.")
        return path


def export_files(folder: Path, names: Iterable[str]) -> tuple[ExportPath, ...]:
    """Return the files that folders, files and globs name, sorted by name, each once.

    Folders are walked to the bottom; hidden files and folders in them are skipped. Raises Unfit where
    a name leads to nothing, to no file, out of the campaign's folder, or to what can't be read.
    """
    root = folder.resolve()
    found: dict[str, Path] = {}
    for name in names:
        with _readable(name):
            found.update((_name(root, path), path) for path in _expanded(root, name))
    return tuple(ExportPath(found[name], name) for name in sorted(found))


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Turn every way in which a system refuses a name into Unfit: permission, links in a circle, NUL."""
    try:
        yield
    except Unfit:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: Exception) -> Unfit:
    reason = (getattr(error, "strerror", None) or str(error)).lower().removesuffix(".")
    return Unfit(f"{quoted(name)} can't be read: {reason}.", "Check the name, and that you may read it.")


def _expanded(root: Path, name: str) -> list[Path]:
    path = _inside(root, name)
    if WILDCARDS.intersection(name) and not path.exists():
        matches = [match for match in root.glob(_name(root, path)) if not _hidden(_name(root, match))]
        files = [file for match in matches for file in _files(root, match)]
        missing = f"{quoted(name)} matches no file."
    else:
        files = list(_files(root, _existing(root, name)))
        missing = f"the folder {quoted(name)} holds no file."
    if not files:
        raise Unfit(missing, "Put the exports of this guidelines version there, or name where they are.")
    return files


def _existing(root: Path, name: str) -> Path:
    path = _inside(root, name)
    if not path.exists():
        backslashes = 'Write folders with "/". ' if "\\" in name else ""
        mend = f"{backslashes}Check the name, which is relative to the campaign's folder."
        raise Unfit(f"{quoted(name)} does not exist.", mend)
    return path


def _inside(root: Path, name: str) -> Path:
    """Return the absolute path of a name; raise Unfit where it leaves the folder, also by a link."""
    if not name or PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor:
        message = f"is {quoted(name)}; a path relative to the campaign's folder was expected."
        raise Unfit(message, "Move the file into the campaign's folder and name it from there.")
    path = Path(os.path.normpath(root / name))
    if not (path.is_relative_to(root) and path.resolve().is_relative_to(root)):
        message = f"{quoted(name)} lies outside the campaign's folder."
        raise Unfit(message, "Move or copy the file into the campaign's folder and name it from there.")
    return path


def _files(root: Path, path: Path) -> Iterator[Path]:
    """Yield the file, or the files of the folder; a link to a folder is followed here but not below."""
    _inside(root, _name(root, path))
    if path.is_dir():
        yield from _walked(root, path)
    else:
        yield _checked(root, path)


def _walked(root: Path, top: Path) -> Iterator[Path]:
    """Yield the files below a folder. There may be many thousands: what is plainly one is asked no more."""
    try:
        with os.scandir(top) as listed:
            entries = [entry for entry in listed if not entry.name.startswith(".")]
    except OSError as error:
        raise _unreadable(_name(root, top), error) from None
    for entry in entries:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            yield from _walked(root, path)
        elif entry.name.isascii() and entry.is_file(follow_symlinks=False):
            yield path
        else:
            yield _checked(root, path)


def _checked(root: Path, path: Path) -> Path:
    """Return the path of an ordinary file inside the folder; raise Unfit for any other."""
    name = _name(root, path)
    if name != name.encode(errors="replace").decode():
        raise Unfit(f"the file name {quoted(name)} is not UTF-8.", "Rename the file.")
    if path.is_symlink():
        _inside(root, name)
    # A link to a folder is refused as well: what it leads to may be walked already, or lead back here.
    if not path.is_file():
        message = f"{quoted(name)} is neither a file nor a folder."
        raise Unfit(message, "Replace it by a file, or take it away.")
    return path


def _name(root: Path, path: Path) -> str:
    """Return a path's name from the root, with "/"."""
    above, text = os.path.join(root, ""), os.fspath(path)  # noqa: PTH118 - thousands of them
    if text.startswith(above):
        return text[len(above) :].replace(os.sep, "/")
    return path.relative_to(root).as_posix()


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(name).parts)
