"""Files that a browser sends: written below one folder as they come, bounded, by names made safe."""

import contextlib
import re
import unicodedata
import zipfile
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, reason, refused
from reportgen.readers import ExportFile, recognise
from reportgen.readers.untrusted import is_zip, unpack, unpacked_together

LARGEST_FILE, LARGEST, MOST_FILES = 100 * 1024**2, 500 * 1024**2, 5_000
# Of an archive: who waits before a page sees its answer within a minute.
MOST_MEMBERS = MOST_FILES
# Tables are read several times until it is known what their columns are.
MOST_TABLES, TABLES = 250, (".csv", ".tsv", ".xlsx", ".parquet")
# Of the head of a part, of the name of a file and of folders above it.
LONGEST_HEAD, LONGEST_NAME, DEEPEST = 8_000, 120, 8
# Bytes of a field that is no file.
LONGEST_FIELD = 200
# What names of files can't have on some system, and what campaign.toml takes for a pattern.
UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\[\]]')
BOUNDARY = re.compile(r"""multipart/form-data;.*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))""", re.IGNORECASE)
NAME = re.compile(rb';\s*name="([\w-]{1,40})"', re.IGNORECASE)
FILE_NAME = re.compile(rb'filename="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
COMMANDS = "The commands of a terminal read files of any size: reportgen init."


def safe_path(name: str) -> PurePosixPath | None:
    """Return a name as a path below a folder, whatever is in it; None for a hidden file, or no name."""
    parts = [UNSAFE.sub("_", unicodedata.normalize("NFC", part)).strip() for part in re.split(r"[/\\]", name)]
    kept = [part for part in parts if part.strip(".")]
    if not kept or kept[-1].startswith(".") or "__MACOSX" in kept:
        return None
    return PurePosixPath(*(_short(part.lstrip(".").rstrip(". ") or "_") for part in kept[-DEEPEST:]))


def _short(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    if len(name) <= LONGEST_NAME or not dot or len(ending) > DEEPEST:
        return name[:LONGEST_NAME]
    return f"{stem[: LONGEST_NAME - len(ending) - 1]}.{ending}"


def free_place(folder: Path, name: PurePosixPath) -> Path:
    """Return where a file goes in a folder: beside one that is called so already."""
    path = folder / name
    number = 1
    while path.exists():
        number += 1
        path = folder / name.with_name(f"{name.stem}-{number}{name.suffix}")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@dataclass
class Receiver:
    """Takes the parts of a form as they come: writes its files below a folder, and keeps its short fields."""

    folder: Path
    boundary: bytes
    files: int = 0
    total: int = 0
    fields: dict[str, bytes] = field(default_factory=dict)
    _buffer: bytes = b"\r\n"
    _size: int = 0
    _name: str = ""
    _field: str = ""
    _file: BinaryIO | None = None
    _head: bool = field(default=False)
    _ended: bool = field(default=False)

    def take(self, content: bytes) -> None:
        """Take the next bytes; raise BadInput for what is too large, or no form."""
        self._buffer += content
        while not self._ended and (self._take_head() if self._head else self._take_body()):
            pass

    def end(self) -> None:
        """See that the form was whole."""
        self.close()
        if not self._ended:
            raise refused("", message="the upload was interrupted.", remedy="Choose the files again.")

    def close(self) -> None:
        """Close the file that is being written."""
        if self._file:
            self._file.close()
            self._file = None

    def _take_body(self) -> bool:
        sign = b"\r\n--" + self.boundary
        place = self._buffer.find(sign)
        if place < 0:
            # The sign may have begun.
            ready = max(0, len(self._buffer) - len(sign))
            self._write(self._buffer[:ready])
            self._buffer = self._buffer[ready:]
            return False
        after = self._buffer[place + len(sign) : place + len(sign) + 2]
        if len(after) < 2:
            return False
        self._write(self._buffer[:place])
        self._buffer = self._buffer[place + len(sign) + 2 :]
        self.close()
        self._head, self._ended = True, after == b"--"
        return True

    def _take_head(self) -> bool:
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            if len(self._buffer) > LONGEST_HEAD:
                raise refused("", message="what was sent is not a form with files.", remedy="Choose files.")
            return False
        self._head, self._buffer, self._size = False, rest, 0
        match = FILE_NAME.search(head)
        self._name = match[1].decode("utf-8", "replace").replace('\\"', '"') if match else ""
        named = NAME.search(head) if match is None else None
        self._field = named[1].decode() if named else ""
        path = safe_path(self._name) if self._name else None
        if path is not None:
            self.files += 1
            if self.files > MOST_FILES:
                message = f"has more than {MOST_FILES:,} files."
                raise refused("The upload", message=message, remedy="Put them into a zip archive.")
            self._file = free_place(self.folder, path).open("xb")
        return True

    def _write(self, content: bytes) -> None:
        self._size += len(content)
        self.total += len(content)
        for size, most, what in (
            (self._size, LARGEST_FILE, self._name or "A field"),
            (self.total, LARGEST, "The upload"),
        ):
            if size > most:
                message = f"is larger than {most // 1024**2} MB, and was not taken."
                raise refused(what, message=message, remedy=COMMANDS)
        if self._file:
            self._file.write(content)
        elif self._field:
            self.fields[self._field] = (self.fields.get(self._field, b"") + content)[:LONGEST_FIELD]


async def receive(kind: str, stream: AsyncIterator[bytes], folder: Path) -> Mapping[str, str]:
    """Write the files of a form below a folder; return its fields that are no files.

    `kind` is the type of its content. Raises BadInput where it is no form with files, or too large.
    """
    match = BOUNDARY.match(kind)
    if match is None:
        raise refused("", message="what was sent is not a form with files.", remedy="Choose files.")
    receiver = Receiver(folder, (match[1] or match[2]).encode("latin-1", "replace"))
    try:
        try:
            async for content in stream:
                receiver.take(content)
            receiver.end()
        except BadInput:
            await _drain(stream)
            raise
    except OSError as error:
        message = f"can't be written: {reason(error)}."
        raise refused("The upload", message=message, remedy="Make room on the disk.") from None
    finally:
        receiver.close()
    return {name: content.decode("utf-8", "replace").strip() for name, content in receiver.fields.items()}


async def _drain(stream: AsyncIterator[bytes]) -> None:
    """Let the rest of a form pass, up to some size: browsers read no answer before they have sent it."""
    passed = 0
    async for content in stream:
        passed += len(content)
        if passed > LARGEST:
            return


def unpack_archives(folder: Path) -> None:
    """Unpack archives that no reader reads as they are; raise BadInput for one that is not safe.

    What is in it takes its place: below a folder that is called after it, or alone.
    """
    with unpacked_together():
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            file = ExportFile(path, path.name)
            if path.suffix.lower() != ".zip" or not is_zip(file) or recognise([file]):
                continue
            with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
                if (number := len(archive.infolist())) > MOST_MEMBERS:
                    message = f"has {number:,} files; {MOST_MEMBERS:,} are read at most."
                    raise refused(file.name, message=message, remedy=COMMANDS)
            members = unpack(file)
            path.unlink()
            above = path.with_suffix("")
            for member in members:
                name = safe_path(member.name.removeprefix(f"{file.name}/"))
                if name is not None:
                    free_place(above, name).write_bytes(member.content)


def refuse_many_tables(files: Iterable[Path]) -> None:
    """Raise BadInput for more tables than are read while somebody waits."""
    number = sum(path.suffix.lower() in TABLES for path in files)
    if number > MOST_TABLES:
        message = f"has {number:,} tables; {MOST_TABLES:,} are read at most."
        raise refused("The upload", message=message, remedy=COMMANDS)


def chosen_folder(arrived: Path) -> Path:
    """Return the folder that somebody chose, where that is all that arrived.

    Folders in it stay, also a single one: it may be a document's.
    """
    inside = list(arrived.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else arrived


def problems_by_name(error: BadInput, folder: Path) -> Iterable[Problem]:
    """Yield problems that call files as they are called below a folder."""
    start = f"{folder.as_posix()}/"
    for problem in error.problems:
        yield Problem(
            problem.file.replace(start, "").replace(str(folder), ""),
            problem.line,
            problem.key,
            problem.message.replace(start, ""),
            problem.remedy.replace(start, ""),
        )
