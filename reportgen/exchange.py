"""A folder is built beside the old one and exchanged for it, so that nothing is ever half-written."""

import contextlib
import ctypes
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from reportgen.errors import BadInput, Problem

AT_FDCWD = -100
RENAME_EXCHANGE = 2
MARK = '<meta name="generator" content="reportgen '
HEAD = 4096


@contextlib.contextmanager
def replacing(target: Path, name: str) -> Iterator[Path]:
    """Yield a new empty folder that takes the place of `target` at the end, or vanishes where building fails.

    Refuses, with BadInput, a target that is not a folder, or one that holds something else than a site.
    `name` is the target as the user calls it.
    """
    new, old = _beside(target, "new"), _beside(target, "old")
    _mend(target, old)
    _require_ours(target, name)
    shutil.rmtree(new, ignore_errors=True)
    try:
        new.mkdir(parents=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadInput(
            [Problem(name, message=f"can't be written: {reason}.", mend="Choose another folder with --out.")]
        ) from None
    try:
        yield new
        _exchange(new, target, old)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _beside(target: Path, which: str) -> Path:
    return target.parent / f".{target.name}.reportgen-{which}"


def _mend(target: Path, old: Path) -> None:
    """Put back what an interrupted exchange had set aside."""
    if old.is_dir() and not target.exists():
        old.rename(target)


def _require_ours(target: Path, name: str) -> None:
    if target.is_dir() and not target.is_symlink():
        if _is_site(target):
            return
        found = "is a folder with files that reportgen did not write."
    elif target.exists() or target.is_symlink():
        found = "is not a folder."
    else:
        return
    raise BadInput([Problem(name, message=found, mend="Choose an empty or new folder with --out.")])


def _is_site(folder: Path) -> bool:
    """Tell whether a folder is empty or a site of ours."""
    index = folder / "index.html"
    if index.is_file():
        with index.open(encoding="utf-8", errors="replace") as file:
            return MARK in file.read(HEAD)
    return not any(folder.iterdir())


def _exchange(new: Path, target: Path, old: Path) -> None:
    if target.exists() and not _exchange_at_once(new, target):
        target.rename(old)
    if new.exists() and not target.exists():
        new.rename(target)


def _exchange_at_once(new: Path, target: Path) -> bool:
    """Exchange two folders in one step; False where the system can't."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    names = os.fsencode(new), os.fsencode(target)
    return bool(rename(AT_FDCWD, names[0], AT_FDCWD, names[1], RENAME_EXCHANGE) == 0)
