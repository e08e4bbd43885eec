"""Zip archives: their members as files of the export, none of which can escape, link or explode."""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from reportgen.base.errors import Problem
from reportgen.readers.reader import ExportFile, refuse

MAGIC = b"PK\x03\x04"
# What a campaign's archive may hold unpacked; exports of thousands of documents stay far below.
MOST_BYTES = 2 * 1024**3
MOST_MEMBERS = 200_000
# A member larger than this that shrank a thousandfold was made to fill a disk.
SUSPECT_BYTES = 10 * 1024**2
SUSPECT_RATIO = 1000
# What zipfile, struct and zlib raise for an archive that is not whole; the last is zipfile's where an archive
# asks for a newer version of the format.
DAMAGED = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, OSError, EOFError, ValueError),
    NotImplementedError,
)
NAMES_SHOWN = 5
REASON = 100
UNPACK = "Unpack it, and name the folder."


def is_zip(file: ExportFile) -> bool:
    """Say whether the file starts as a zip archive does."""
    return file.content.startswith(MAGIC)


def names(file: ExportFile) -> list[str]:
    """Return the names of an archive's members, for recognising it; none where it can't be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            return archive.namelist()
    except DAMAGED:
        return []


def members(file: ExportFile, wanted: tuple[str, ...] = ()) -> list[ExportFile]:
    """Return the files of an archive by name; only those whose name starts with one of `wanted`, if any.

    Raises BadInput for an archive that is damaged, encrypted, holds a path that leads out of it or a
    link, or would unpack to more than an export can be.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            refuse(_dangers(file, entries))
            chosen = [entry for entry in entries if not wanted or entry.filename.startswith(wanted)]
            found = [_member(file, entry.filename, archive.read(entry)) for entry in chosen]
    except NotImplementedError:  # a way of packing that Python does not know; also a RuntimeError
        raise file.refused("is packed in a way that is not known here.", UNPACK) from None
    except RuntimeError:  # a member that wants a password
        raise file.refused("is encrypted.", UNPACK) from None
    except DAMAGED as error:
        # What is damaged may be quoted at any length.
        reason = (str(error) or type(error).__name__).removesuffix(".")[:REASON]
        raise file.refused(f"is a damaged archive: {reason}.", "Export it again.") from None
    return sorted(found, key=lambda member: member.name)


def _member(archive: ExportFile, name: str, content: bytes) -> ExportFile:
    """Return a file inside an archive, called "archive.zip/folder/file"."""
    return ExportFile.held(archive.path / name, f"{archive.name}/{name}", content=content)


def _dangers(file: ExportFile, entries: list[zipfile.ZipInfo]) -> Iterator[Problem]:
    """Yield what makes an archive unsafe to unpack."""
    mend = "Unpack it yourself if you trust it, and name the folder."
    for entry in [entry for entry in entries if escapes(entry.filename)][:NAMES_SHOWN]:
        yield file.problem(f'holds "{entry.filename}", which leads out of the archive.', mend)
    for entry in [entry for entry in entries if stat.S_ISLNK(entry.external_attr >> 16)][:NAMES_SHOWN]:
        yield file.problem(f'holds "{entry.filename}", which is a link.', mend)
    total = sum(entry.file_size for entry in entries)
    if total > MOST_BYTES or len(entries) > MOST_MEMBERS or any(map(_explodes, entries)):
        message = f"would unpack to {total:,} bytes in {len(entries):,} files, more than an export can be."
        yield file.problem(message, mend)


def escapes(name: str) -> bool:
    """Tell whether a path leads out of the folder from which it goes, on any system."""
    path = PurePosixPath(name.replace("\\", "/"))
    return not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0] or "\0" in name


def _explodes(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > SUSPECT_BYTES and entry.file_size > SUSPECT_RATIO * max(entry.compress_size, 1)
