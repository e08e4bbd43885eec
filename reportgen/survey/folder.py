"""A folder of exports: what is in it, version by version, or all that stands in the way."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reportgen.campaign.paths import export_files
from reportgen.campaign.values import IDENTIFIER, not_taken
from reportgen.campaign.wording import Unfit, quoted
from reportgen.errors import BadInput, Problem, reason
from reportgen.formats import ExportFile
from reportgen.formats.survey import Recognised, look, recognise
from reportgen.survey.versions import Part, VersionFound, entries_of, parts_of

CONFIGURATION = "campaign.toml"
# What is beside the exports in a campaign's folder, and in a published corpus.
BESIDE = re.compile(
    r"(campaign\.toml|(guidelines|distances|site)(\..*)?|(readme|licen[cs]e|copying|changelog|citation|notice)(\b.*)?)",
    re.IGNORECASE,
)
NAMES_SHOWN = 10


@dataclass(frozen=True)
class Survey:
    """What a folder holds: `id` is the campaign's, `name` the folder as the user calls it.

    `aside` are the files and folders at the top that no version reads.
    """

    id: str
    folder: Path
    name: str
    versions: tuple[VersionFound, ...]
    aside: tuple[str, ...]


def survey_folder(folder: Path) -> Survey:
    """Return what the exports in a folder hold.

    Raises BadInput, with every problem at once, for what can't become a campaign: no folder, a name that
    no campaign can have, a campaign.toml that is there already, files that are refused or faulty,
    nothing that can be read.
    """
    names = _names(folder)
    identity = Path(os.path.abspath(folder)).name  # noqa: PTH100 - Path.resolve would follow a link
    problems = [*_bad_name(identity, str(folder)), *_written_before(folder)]
    versions: list[VersionFound] = []
    try:
        entries = _entries(folder, [name for name in names if not _is_beside(name)])
        versions = list(_versions(folder, entries))
    except BadInput as error:
        problems += error.problems
    if problems:
        raise BadInput(problems)
    if not versions:
        raise BadInput([_nothing(folder, names)])
    used = {name for version in versions for name in version.entries}
    aside = tuple(name for name in names if name not in used and name != CONFIGURATION)
    return Survey(identity, folder, str(folder), tuple(versions), aside)


def _names(folder: Path) -> list[str]:
    """Return what lies at the top of a folder, without hidden files; raise BadInput where it is none."""
    shown = str(folder)
    try:
        return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    except FileNotFoundError:
        problem = Problem(shown, message="there is no such folder.", mend="Check the name.")
    except NotADirectoryError:
        mend = "Name the folder that holds the exports."
        problem = Problem(shown, message="is a file; a folder of exports was expected.", mend=mend)
    except (OSError, ValueError) as error:
        mend = "Check that you may read the folder."
        problem = Problem(shown, message=f"can't be read: {reason(error)}.", mend=mend)
    raise BadInput([problem])


def _bad_name(identity: str, shown: str) -> Iterator[Problem]:
    """Yield what `load` would say of the folder's name."""
    try:
        not_taken(identity)
    except Unfit as unfit:
        yield Problem(shown, message=f"the folder's name {unfit.message}", mend="Rename the folder.")
    if not re.fullmatch(IDENTIFIER, identity):
        message = (
            f"the folder's name {quoted(identity)} is the campaign's id, which takes "
            'letters, digits, ".", "_" and "-" only, a letter or digit first.'
        )
        yield Problem(shown, message=message, mend="Rename the folder.")


def _written_before(folder: Path) -> Iterator[Problem]:
    path = folder / CONFIGURATION
    if os.path.lexists(path):
        mend = f"Build it with `reportgen build {folder}`, or rename it to begin anew."
        yield Problem(str(path), message="is there already and is never overwritten.", mend=mend)


def _is_beside(name: str) -> bool:
    return BESIDE.fullmatch(name) is not None


def _entries(folder: Path, names: Sequence[str]) -> dict[str, list[ExportFile]]:
    """Return the files of each file or folder at the top; raise BadInput for all that are refused."""
    entries: dict[str, list[ExportFile]] = {}
    problems: list[Problem] = []
    for name in names:
        if _is_empty(folder / name):
            continue
        try:
            entries[name] = [ExportFile(path, shown) for path, shown in export_files(folder, [name])]
        except Unfit as unfit:
            problems.append(Problem(str(folder), message=unfit.message, mend=unfit.mend))
    if problems:
        raise BadInput(problems)
    return entries


def _is_empty(path: Path) -> bool:
    """Say whether a folder holds no file that is not hidden."""
    if not path.is_dir() or path.is_symlink():
        return False
    hidden = [
        each.relative_to(path).parts for each in path.rglob("*") if not each.is_dir() or each.is_symlink()
    ]
    return all(any(part.startswith(".") for part in parts) for parts in hidden)


def _versions(folder: Path, entries: dict[str, list[ExportFile]]) -> Iterator[VersionFound]:
    """Yield what each version holds; raise BadInput with the problems of all that are faulty."""
    problems: list[Problem] = []
    found: list[VersionFound] = []
    for part in _readable_parts(folder, entries):
        try:
            found.append(_version(folder, *part))
        except BadInput as error:
            problems += [
                replace(each, file=(folder / each.file).as_posix() if each.file else str(folder))
                for each in error.problems
            ]
    if problems:
        raise BadInput(problems)
    yield from found


def _readable_parts(folder: Path, entries: dict[str, list[ExportFile]]) -> Iterator[tuple[Part, Recognised]]:
    """Yield the versions that hold anything readable, with their format."""
    readable = _readable(folder, [file for files in entries.values() for file in files])
    for part in parts_of(entries, readable):
        known = recognise(part.files)
        if known is not None:
            yield part, known


def _readable(folder: Path, files: Sequence[ExportFile]) -> set[str]:
    """Return the names of the files that a reader reads or that belong to those."""
    try:
        known = recognise(files)
    except BadInput as error:
        raise BadInput(
            replace(each, file=(folder / each.file).as_posix()) for each in error.problems
        ) from None
    if known is None:
        return set()
    others = (file for group in known.others.values() for file in group)
    return {file.name for file in (*known.read, *others)}


def _version(folder: Path, part: Part, known: Recognised) -> VersionFound:
    return VersionFound(
        id=part.id,
        exports=part.written(folder),
        entries=entries_of(part.files),
        reader=known.reader,
        read=tuple(file.name for file in known.read),
        unread=tuple(file.name for file in known.unread),
        others={name: tuple(file.name for file in files) for name, files in known.others.items()},
        found=look(known.reader, known.read),
    )


def _nothing(folder: Path, names: Sequence[str]) -> Problem:
    shown = ", ".join(names[:NAMES_SHOWN])
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    looked = f"Looked at: {shown}{more}." if names else "It is empty."
    mend = "The command `reportgen formats` lists what can be read."
    return Problem(str(folder), message=f"holds no export in a known format. {looked}", mend=mend)
