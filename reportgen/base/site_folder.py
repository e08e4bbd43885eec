"""The folder of a site: built beside the old one and exchanged for it whole; what is where in it."""

import contextlib
import errno
import glob
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextvars import ContextVar
from itertools import combinations, count, pairwise, product
from pathlib import Path, PurePosixPath

from reportgen.base.errors import BadInput, Problem, reason, refused
from reportgen.base.progress import tell
from reportgen.base.system import exchange_at_once, held, keep_names, may_be_left

MARK = '<meta name="generator" content="reportgen '
HEAD = 4096
CHECKSUMS, HISTORY, INDEX = "SHA256SUMS", "history.json", "index.html"
# Where campaigns are, and where their site goes, as seen from where commands are given.
CAMPAIGNS, SITE = Path("campaigns"), Path("site")
# What a site remembers of how it was made; at its top alone.
MEMORY = ".reportgen.json"
# Where figures are, and what `build --figures` writes of each beside its SVG; no checksums list that.
FIGURES, PAINTED = "figures", (".png", ".pdf")
# What file managers leave behind: nobody misses it.
LITTER = frozenset((".DS_Store", "Thumbs.db", "desktop.ini"))
PART = "is one part of a site.", "Name the site's own folder, or a new one."
ELSEWHERE = "Choose an empty or new folder with --out."
# Returns the name of a file in a folder that reportgen did not write, None where it wrote all of them.
Strangers = Callable[[Path], str | None]


def refusals(out: Path, strangers: Strangers | None = None, remedy: str = ELSEWHERE) -> list[Problem]:
    """Return why a site can't take the place of `out`: nothing where it is new, empty or a site of ours.

    `strangers` says what is ours where it is no site that takes its place, `remedy` what to do then.
    """
    return first_obstacle(
        out,
        lambda target: (
            _obstacles(target, strangers, remedy) if target.exists() else _obstacles_above(target, remedy)
        ),
        remedy,
    )


def first_obstacle(
    out: Path, obstacles: Callable[[Path], Iterator[tuple[str, str]]], remedy: str
) -> list[Problem]:
    """Return the first thing in the way of a place, each given with its remedy; nothing where nothing is.

    `remedy` is the remedy where the system can't even tell.
    """
    try:
        obstacle = next(obstacles(out.resolve()), None)
    except (OSError, RuntimeError, ValueError) as error:
        obstacle = f"can't be used: {reason(error)}.", remedy
    return [Problem(str(out), message=obstacle[0], remedy=obstacle[1])] if obstacle else []


@contextlib.contextmanager
def replacing(out: Path, strangers: Strangers | None = None, remedy: str = ELSEWHERE) -> Iterator[Path]:
    """Yield a new empty folder that takes the place of `out` at the end, or vanishes where building fails.

    A link is followed. Raises BadInput for what `refusals` tells, and where the system refuses to write;
    then `out` is as it was.
    """
    if problems := refusals(out, strangers, remedy):
        raise BadInput(problems)
    target = out.resolve()
    with alone(out, remedy=remedy), _refused(out, target, remedy):
        # Whoever was waited for may have written something else there.
        if problems := refusals(out, strangers, remedy):
            raise BadInput(problems)
        _recover(target)
        # A new folder beside the target; afterwards the two are exchanged.
        mark = os.urandom(4).hex()
        new, old = _beside(target, f"new-{mark}"), _beside(target, f"old-{mark}")
        new.mkdir()
        try:
            yield new
            if target.exists():
                shutil.copymode(target, new)
            if not target.exists():
                new.rename(target)
            elif not exchange_at_once(new, target):
                target.rename(old)
                new.rename(target)
        finally:
            # What was set aside is put back where nothing took its place, and the rest removed.
            if old.is_dir() and not target.exists():
                old.rename(target)
            shutil.rmtree(new, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def write_file(out: Path, content: bytes, mode: int = 0o644, remedy: str = ELSEWHERE) -> None:
    """Write a file beside the old one, and put it in its place at once; a kill leaves the old one whole.

    A link is followed. What a command that was killed left behind goes. Raises BadInput where the system
    refuses to write, `remedy` being the remedy; then `out` is as it was.
    """
    target = out.resolve()
    with alone(out, remedy=remedy), _refused(out, target, remedy):
        _recover(target)
        new = _beside(target, f"new-{os.urandom(4).hex()}")
        try:
            with new.open("xb") as file:
                # Before anything is in it: some files their owner alone may read.
                new.chmod(mode)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            new.replace(target)
            keep_names(target.parent)
        finally:
            new.unlink(missing_ok=True)


def write_below(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, given by their paths below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@contextlib.contextmanager
def _refused(out: Path, target: Path, remedy: str = ELSEWHERE) -> Iterator[None]:
    """Raise BadInput where the system refuses to write the target or what is beside it."""
    try:
        yield
    except OSError as error:
        path = Path(os.fsdecode(error.filename or target)).absolute()
        if not (path.is_relative_to(target.parent) or target.parent.is_relative_to(path)):
            raise
        remedy = "Make room there." if error.errno in {errno.ENOSPC, errno.EDQUOT} else remedy
        raise refused(str(out), message=f"can't be written: {reason(error)}.", remedy=remedy) from None


# What may be replaced


def _obstacles(target: Path, strangers: Strangers | None, remedy: str) -> Iterator[tuple[str, str]]:
    """Yield what is in the way, with the remedy; the first is what counts."""
    if not target.is_dir():
        yield "is not a folder.", remedy
    if os.path.ismount(target):
        yield "is where a disk is mounted, which can't be exchanged.", "Name a folder inside it."
    if Path.cwd().is_relative_to(target):
        yield "contains the folder that you are in.", "Go to another folder, and name this one from there."
    if (strangers is None and _is_part(target)) or _is_in_part(target):
        yield PART
    if foreign := (strangers or _foreign)(target):
        yield f"contains {foreign}, which reportgen did not write.", remedy
    if not os.access(target, os.W_OK):
        yield "can't be written: permission denied.", remedy
    yield from _obstacles_above(target, remedy)


def _obstacles_above(target: Path, remedy: str) -> Iterator[tuple[str, str]]:
    """Yield why nothing can be written beside the target."""
    if _is_in_part(target):
        yield PART
    yield from unwritable(target, remedy)


def unwritable(target: Path, remedy: str) -> Iterator[tuple[str, str]]:
    """Yield why the system lets nothing be made beside a target."""
    above = next(path for path in target.parents if path.exists())
    if not above.is_dir():
        yield f"can't be written: {above} is not a folder.", remedy
    elif not os.access(above, os.W_OK | os.X_OK):
        yield f"can't be written: permission denied in {above}.", remedy


def _is_part(folder: Path) -> bool:
    """Tell whether a folder has what is in parts of a site alone, never at its top."""
    return (folder / CHECKSUMS).exists() or (folder / HISTORY).exists()


def _is_in_part(folder: Path) -> bool:
    """Tell whether a folder is, or would be, in a part of a site of ours."""
    parts = (above / INDEX for above in folder.parents if _is_part(above))
    return any(index.is_file() and _is_page(index, [INDEX]) for index in parts)


def _foreign(folder: Path) -> str | None:
    """Return the name of a file that reportgen did not write, None where it wrote all of them.

    Ours are the files that a SHA256SUMS lists, and the lists themselves; pages that name reportgen; a
    campaign's history.json; figures as PNG and PDF beside one that is listed; and what a site remembers.
    """
    ours: set[Path] = set()

    def stop(error: OSError) -> None:
        raise error

    for directory, folders, files in os.walk(folder, onerror=stop):
        here = Path(directory)
        ours |= _listed(here, files)
        for name in sorted(files):
            path = here / name
            # What a site remembers is at its top, beside a list of campaigns of ours.
            memory = path == folder / MEMORY and INDEX in files and _is_page(folder / INDEX, files)
            is_ours = path in ours or _is_page(path, files) or memory or _is_painted(path, ours)
            if name not in LITTER and (path.is_symlink() or not is_ours):
                return path.relative_to(folder).as_posix()
        for name in sorted(folders):
            if (here / name).is_symlink():
                return (here / name).relative_to(folder).as_posix()
    return None


def _listed(folder: Path, files: list[str]) -> set[Path]:
    """Return the files below a version's folder that its checksums list."""
    if CHECKSUMS not in files or not _is_page(folder / INDEX, files):
        return set()
    lines = (folder / CHECKSUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    names = (PurePosixPath(line.partition("  ")[2]) for line in lines)
    return {folder / CHECKSUMS, *(folder / name for name in names if ".." not in name.parts)}


def _is_painted(path: Path, ours: Collection[Path]) -> bool:
    """Tell whether a file is one of our figures once more, as `build --figures` writes it."""
    return path.suffix in PAINTED and path.parent.name == FIGURES and path.with_suffix(".svg") in ours


def _is_page(path: Path, files: list[str]) -> bool:
    """Tell whether a file is a page of ours, or the history beside a campaign's page."""
    if path.name == HISTORY:
        return INDEX in files and _is_page(path.with_name(INDEX), files)
    if path.suffix != ".html" or path.name not in files:
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        return MARK in file.read(HEAD)


# What is exchanged


def _beside(target: Path, which: str) -> Path:
    return target.with_name(f".{target.name}.reportgen-{which}")


def _recover(target: Path) -> None:
    """Put back what a command that was killed had set aside, and remove what it left behind."""
    start = _beside(target, "").name
    left = sorted(path for path in target.parent.iterdir() if path.name.startswith(start))
    for path in left:
        if path.name.startswith(f"{start}old-") and not target.exists():
            path.rename(target)
        elif path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != f"{start}{LOCK}":
            path.unlink(missing_ok=True)


# Places that this command is the only one to write; seconds between two looks at whether one is free, and how
# many looks are silent.
_ALONE: ContextVar[frozenset[Path]] = ContextVar("alone", default=frozenset())
LOOK, LOOKS = 0.05, 10
LOCK = "lock"


@contextlib.contextmanager
def alone(out: Path, busy: str = "", remedy: str = ELSEWHERE) -> Iterator[None]:
    """Be the only command that writes a place: from what it reads of it to what it puts there.

    Another that does is waited for, or is a reason to raise BadInput where `busy` says what it does. A link
    is followed; folders above that are made here vanish where what is done fails.
    """
    target = out.resolve()
    if target in _ALONE.get():
        yield
        return
    with _removing_new_parents(target.parent), contextlib.ExitStack() as stack:
        for look in count():
            with _refused(out, target, remedy):
                if _is_taken(_beside(target, LOCK), stack):
                    break
            if busy:
                raise refused(str(out), message=busy, remedy="Wait for it, or end it.")
            if look == LOOKS:
                tell(f"{out} is being written by another command: waiting for it")
            time.sleep(LOOK)
        stack.callback(_ALONE.reset, _ALONE.set(_ALONE.get() | {target}))
        yield


def _is_taken(lock: Path, stack: contextlib.ExitStack) -> bool:
    """Lock a file, which is there until a stack ends; tell whether it was free."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as own, contextlib.suppress(FileNotFoundError):
        os.close(os.open(lock, os.O_RDONLY | os.O_CREAT, 0o666))
        # Whoever had it may take it away at any moment.
        if own.enter_context(held(lock)):
            own.callback(_remove, lock)
            stack.push(own.pop_all())
            return True
    return False


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.unlink()


@contextlib.contextmanager
def scratch_folder(start: str, above: Path | None = None) -> Iterator[Path]:
    """Yield a new folder for a while, whose name begins so, in the system's temporary folder or another.

    What commands left there that were killed goes first.
    """
    import tempfile

    above = above or Path(tempfile.gettempdir())
    for path in above.glob(f"{glob.escape(start)}*"):
        with contextlib.suppress(OSError):
            _remove_left(path)
    with contextlib.ExitStack() as stack:
        yield _new_held(start, above, stack)


def _new_held(start: str, above: Path, stack: contextlib.ExitStack) -> Path:
    """Return a new folder that is held; until it is, another command may take it for left and remove it."""
    import tempfile

    while True:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=start, dir=above)))
        with contextlib.suppress(FileNotFoundError):
            if stack.enter_context(held(made)):
                return made


def _remove_left(folder: Path) -> None:
    """Remove a folder of ours that no command holds."""
    if not may_be_left(folder):
        return
    with held(folder) as free:
        if free:
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _removing_new_parents(folder: Path) -> Iterator[None]:
    """Take away, where building fails, the folders above the site that were made for it."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        yield
    except BaseException:
        for path in missing:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


# What is where in a campaign's part of a site.

# With more versions than this, not every two of them have a page of comparison.
EVERY_TWO = 12
# What reportgen keeps at the top of a campaign's own folder: who is called what, and what was released.
PSEUDONYMS, RELEASED = "pseudonyms.csv", "released-{version}.json"
# Set by those who build packages that have to come out the same: the moment that the release is of.
DATED = "SOURCE_DATE_EPOCH"


def comparison_folder(first: str, second: str) -> str:
    """Return the folder of a comparison, from the campaign's."""
    return f"compare/{first}...{second}"


def compared(versions: Sequence[str]) -> list[tuple[str, str]]:
    """Return which versions are compared, the earlier one first: every two, where they are few.

    Otherwise each is compared with the one before it and with the newest.
    """
    every_two = list(combinations(versions, 2))
    near = {*pairwise(versions), *((version, versions[-1]) for version in versions)}
    return every_two if len(versions) <= EVERY_TWO else [pair for pair in every_two if pair in near]


def folders(versions: Sequence[str]) -> Iterator[str]:
    """Yield every folder that has files and checksums of its own, from the campaign's, which comes first."""
    yield ""
    yield from versions
    for first, second in compared(versions):
        yield comparison_folder(first, second)


def moved(versions: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return which folders earlier names of versions, and comparisons of these, had, and what each leads to.

    `versions` are given by name, the oldest first, with their earlier names.
    """
    ways = {earlier: version for version, names in versions.items() for earlier in names}
    for pair in compared([*versions]):
        for names in product(*((version, *versions[version]) for version in pair)):
            if names != pair:
                ways[comparison_folder(*names)] = comparison_folder(*pair)
    return ways


def published(campaign: Path, languages: Collection[str]) -> Iterator[str]:
    """Yield every folder of pages in a campaign's part of a site, from the campaign's own, which is empty.

    Those of a version, a comparison or the campaign in another of the languages are folders in these.
    """
    own = (path for path in sorted(campaign.glob("*/")) if path.name not in languages)
    for path in (campaign, *own, *sorted(campaign.glob("compare/*/"))):
        for folder in (path, *(path / language for language in languages)):
            if (folder / INDEX).is_file():
                yield folder.relative_to(campaign).as_posix().removeprefix(".")
