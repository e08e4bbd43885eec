"""What not every system has: everything here does without where it is not there, as on Windows.

Nothing else in reportgen calls what POSIX alone has. It imports nothing of ours: a process that is limited
runs it without the package.
"""

import contextlib
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

AT_FDCWD = -100
RENAME_EXCHANGE = 2
# Where the processor's time is counted in ticks, it can be over before ours is.
ENDED_BY_TIME = {-signal.SIGXCPU} if hasattr(signal, "SIGXCPU") else set()
# How processes are begun that have all that this one has: what they do is no thing that spawn takes.
COPYING = "fork"


# What names of files can't have on some system, and those that Windows keeps for devices, with any ending.
REFUSED = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\xb9\xb2\xb3]) *(?:\.|$)", re.IGNORECASE
)
# Windows opens no path of more than 260 characters: names of ours take parts of it.
LONGEST_NAME = 120


def portable(name: str) -> str:
    """Return the name of a file or folder that every system takes; the same one where that is so already."""
    fitting = REFUSED.sub("_", name).rstrip(". ") or "_"
    fitting = f"_{fitting}" if DEVICE.match(fitting) else fitting
    stem, dot, ending = fitting.rpartition(".")
    ending = f".{ending}" if stem and dot and len(ending) < LONGEST_NAME // 10 else ""
    return fitting if len(fitting) <= LONGEST_NAME else f"{fitting[: LONGEST_NAME - len(ending)]}{ending}"


def processors() -> int:
    """Return how many copies of this process may work at once; 1 where none is made."""
    # Libraries of macOS don't survive being copied.
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory(otherwise: int) -> int:
    """Return the bytes of memory that this machine has, or something else where the system does not tell."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return otherwise


def limit(memory: int, seconds: int) -> None:
    """Limit what this process may take: memory, and time, after which SIGXCPU ends it."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def keep_names(folder: Path) -> None:
    """Have a folder's names on the disk."""
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def exchange_at_once(new: Path, target: Path) -> bool:
    """Exchange two folders in one step; False where the system can't."""
    import ctypes

    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    names = os.fsencode(new), os.fsencode(target)
    return bool(rename(AT_FDCWD, names[0], AT_FDCWD, names[1], RENAME_EXCHANGE) == 0)


@contextlib.contextmanager
def held(folder: Path) -> Iterator[bool]:
    """Lock a folder or file against other commands that run at the same time.

    Yields whether it was free, and is the one that is there now.
    """
    try:
        import fcntl
    except ImportError:  # Windows, where two commands at a time are not told apart
        yield True
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        free = os.path.samestat(os.fstat(descriptor), folder.stat())
    except (BlockingIOError, FileNotFoundError):
        free = False
    except OSError:  # a file system without locks
        free = True
    try:
        yield free
    finally:
        os.close(descriptor)


def may_be_left(folder: Path) -> bool:
    """Tell whether a folder is this user's, and whoever needs it holds it: else it may be in use."""
    # Windows does not tell what another command still needs.
    return hasattr(os, "getuid") and not folder.is_symlink() and folder.stat().st_uid == os.getuid()
