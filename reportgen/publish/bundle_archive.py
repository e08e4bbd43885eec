"""A bundle as one zip file or a folder: where it goes, how it is written, and a stranger's that is read."""

import hashlib
import io
import itertools
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, in_plain_words
from reportgen.publish import bundle_files as there
from reportgen.publish.bundle_files import listed
from reportgen.readers.untrusted import ALWAYS_ALLOWED, DAMAGED, escapes

# A bundle as one file: entries sorted, stored without compression, with one date and one mode.

# The first moment that a zip file can hold: entries have no time of their own.
MOMENT = (1980, 1, 1, 0, 0, 0)
MODE = 0o100644 << 16
UNIX = 3


def as_zip(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a zip file that holds files, given by path: the same on every machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.create_system, entry.external_attr = UNIX, MODE
            archive.writestr(entry, files[name])
    return buffer.getvalue()


# A zip file of a stranger.

# What a bundle may hold unpacked; those of thousands of documents stay far below. One that another program
# packed is a quarter as large.
MOST_BYTES, MOST_SHRUNK = 2 * 1024**3, 20
MOST_ENTRIES = 200_000
LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
HEADER = struct.Struct("<4s5H3I2H")
# The bytes of an entry in the archive's directory, without its name.
DIRECTORY_ENTRY = 46
ENCRYPTED, SHOWN = 1, 100
# What is said of entries that another program packed.
COMPRESSED = "is compressed: a bundle's files are stored as they are."
FOLDER = "is a folder; a bundle's archive has files alone."
DAMAGE = "is damaged: its bytes do not have the checksum that the archive gives it."


@dataclass
class Unzipped:
    """What could be read of an archive: its files, and by entry (or "") all that is wrong with it.

    Nothing is read of one that is `too_large`.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)
    too_large: bool = False


def unzip(content: bytes) -> Unzipped:
    """Return what can be read of a zip file without harm, and what is wrong with it."""
    archive_content = Unzipped()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except DAMAGED as error:
        archive_content.faults.append(("", f"is damaged: {in_plain_words(error)}."))
        entries = list(_scanned(content))
    size, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
    most = min(MOST_BYTES, ALWAYS_ALLOWED + MOST_SHRUNK * len(content))
    # Entries that share bytes would be more than it holds.
    if len(entries) > MOST_ENTRIES or size > most or packed > len(content):
        counted = f"{size:,} bytes in {len(entries):,} files"
        archive_content.faults.append(
            ("", f"would unpack to {counted}, more than it can contain: nothing was read.")
        )
        # An entry alone that ends where nothing is was cut or damaged: it is no trap.
        shared = len({entry.header_offset for entry in entries}) < len(entries)
        whole = len(archive_content.faults) == 1
        archive_content.too_large = whole and (shared or size > most or len(entries) > MOST_ENTRIES)
        return archive_content
    for entry in entries:
        name = entry.filename
        data, wrong = None, "is there twice." if name in archive_content.files else _refused(entry)
        if not wrong:
            data, wrong = _content(content, entry)
        if wrong:
            archive_content.faults.append((name, wrong))
        if data is not None:
            archive_content.files[name] = data
    return archive_content


def _scanned(content: bytes) -> Iterator[zipfile.ZipInfo]:
    """Yield the entries that are found one behind the other, where there is no directory of them."""
    position = content.find(LOCAL)
    while 0 <= position <= len(content) - HEADER.size and content[position : position + 4] == LOCAL:
        _, _, flags, method, _, _, crc, packed, size, length, extra = HEADER.unpack_from(content, position)
        start = position + HEADER.size
        name = content[start : start + length].decode("utf-8", errors="replace")
        entry = zipfile.ZipInfo(name)
        entry.header_offset, entry.compress_type, entry.flag_bits = position, method, flags
        entry.compress_size, entry.file_size, entry.CRC = packed, size, crc
        yield entry
        after = start + length + extra + packed
        position = after if content[after : after + 4] in {LOCAL, CENTRAL} else content.find(LOCAL, start)


def _refused(entry: zipfile.ZipInfo) -> str:
    """Return why an entry is no file of a bundle, nothing where it may be one."""
    wrong = {
        "leads out of the archive.": escapes(entry.filename),
        FOLDER: entry.filename.endswith("/"),
        "is a link.": stat.S_ISLNK(entry.external_attr >> 16),
        "is encrypted.": entry.flag_bits & ENCRYPTED,
    }
    return next((why for why, is_so in wrong.items() if is_so), "")


def _content(content: bytes, entry: zipfile.ZipInfo) -> tuple[bytes | None, str]:
    """Return the bytes of an entry, as far as they can be read, and what is wrong with them."""
    header = content[entry.header_offset : entry.header_offset + HEADER.size]
    if len(header) < HEADER.size or header[:4] != LOCAL:
        return None, "is damaged: it does not begin where the archive's directory says."
    length, extra = HEADER.unpack(header)[-2:]
    start = entry.header_offset + HEADER.size
    name = content[start : start + length].decode("utf-8", errors="replace")
    if name != entry.filename:
        return None, f'is called "{name[:SHOWN]}" in the archive.'
    start += length + extra
    data, said = _unpacked(content[start : start + entry.compress_size], entry)
    if data is None:
        return None, said
    return data, said if len(data) == entry.file_size and zlib.crc32(data) == entry.CRC else DAMAGE


def _unpacked(packed: bytes, entry: zipfile.ZipInfo) -> tuple[bytes | None, str]:
    if entry.compress_type == zipfile.ZIP_STORED:
        return packed, ""
    if entry.compress_type != zipfile.ZIP_DEFLATED:
        return None, "is packed in a way that is not known here."
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        return unpacking.decompress(packed, entry.file_size + 1), COMPRESSED
    except zlib.error:
        return None, "is damaged: it can't be unpacked."


# Where an archive is not as reportgen writes it


def unlike(content: bytes, expected: bytes, files: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """Return by entry (or "") where an archive differs from that which reportgen writes of the same files."""
    if content == expected:
        return []
    if list(files) != sorted(files):
        first = next(name for name, other in zip(files, sorted(files), strict=True) if name != other)
        return [(first, "is not where reportgen writes it: files are in the order of their names.")]
    if len(content) != len(expected):
        position = _first(content, expected)
        more = len(content) - len(expected)
        counted = f"{abs(more):,} byte{'s' if abs(more) > 1 else ''} {'more' if more > 0 else 'fewer'}"
        *_, (_, name, part) = (part for part in _parts(files) if part[0] <= position)
        return [
            (name, f"{part} differs from byte {position:,} on; there are {counted} than reportgen writes.")
        ]
    return [
        (name, f"{part} differs at byte {start + _first(recorded_part, other):,} from what reportgen writes.")
        for (start, name, part), (end, *_) in itertools.pairwise([*_parts(files), (len(expected), "", "")])
        if (recorded_part := content[start:end]) != (other := expected[start:end])
    ]


def _first(one: bytes, other: bytes) -> int:
    """Return the place of the first byte that differs."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _parts(files: Mapping[str, bytes]) -> Iterator[tuple[int, str, str]]:
    """Yield where the parts of a canonical archive start: header and content of each entry, the directory."""
    position = 0
    for name in sorted(files):
        length = len(name.encode())
        yield position, name, "its header in the archive"
        yield position + HEADER.size + length, name, "its content in the archive"
        position += HEADER.size + length + len(files[name])
    for name in sorted(files):
        yield position, name, "its line in the archive's directory"
        position += DIRECTORY_ENTRY + len(name.encode())
    yield position, "", "the end of the archive"


# Where a bundle goes: a zip file or a folder, whole or not at all, in the place of nothing but a bundle.

ZIP = ".zip"
OTHER = "Choose another name with --out."
BESIDE = "Choose a place beside it with --out."
OUTSIDE = "Choose a place outside of it with --out."
# What is read of a zip file to tell whether it is one of ours: a list of checksums, and each entry in parts.
LONGEST_LIST = 50_000_000
PART = 1 << 20


def is_zip(out: Path) -> bool:
    """Tell whether a bundle goes into one file."""
    return out.suffix.lower() == ZIP


def obstacles(out: Path, campaign: Path) -> list[Problem]:
    """Return why a bundle of a campaign can't go to `out`: nothing where that is new, or a bundle of ours."""
    obstacle = site_folder.first_obstacle(
        out, lambda target: _in_the_way(out, target, campaign.resolve()), OTHER
    )
    return obstacle or ([] if is_zip(out) else site_folder.refusals(out, stranger))


def write_bundle(out: Path, files: Mapping[str, bytes]) -> str | None:
    """Write a bundle; return the SHA-256 of its file, None of a folder. Raises BadInput where it can't be."""
    if is_zip(out):
        content = as_zip(files)
        site_folder.write_file(out, content)
        return hashlib.sha256(content).hexdigest()
    with site_folder.replacing(out, stranger) as folder:
        site_folder.write_below(folder, files)
        # Modes are the same whatever the umask.
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    return None


def _in_the_way(out: Path, target: Path, campaign: Path) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a place, with the remedy; the first is what counts."""
    if not out.name:
        yield "names no file.", "Name FILE.zip or a new folder with --out."
    if target.is_relative_to(campaign):
        yield f"lies in the campaign's folder {campaign.name}.", BESIDE
    elif campaign.is_relative_to(target):
        yield f"contains the campaign's folder {campaign.name}.", BESIDE
    if any((above / site_folder.MEMORY).exists() for above in target.parents):
        yield "lies in a site, which the next build replaces.", OUTSIDE
    if (target / site_folder.MEMORY).exists():
        yield "is a site.", OUTSIDE
    if any(
        (above / there.CHECKSUMS).exists() and (above / there.RESULTS).exists() for above in target.parents
    ):
        yield "lies in a bundle.", OUTSIDE
    if is_zip(out):
        yield from _in_the_way_of_a_file(target)
    elif target.is_file():
        yield "is a file.", "Name a file that ends in .zip, or a folder."


def _in_the_way_of_a_file(target: Path) -> Iterator[tuple[str, str]]:
    if target.is_dir():
        yield "is a folder, and its name that of a file.", "Choose FILE.zip, or a folder without .zip."
    elif target.exists() and not target.is_file():
        yield "is not a file that can be replaced.", OTHER
    elif target.exists() and not _is_bundle(target):
        yield "is not a bundle as reportgen wrote it.", f"Remove it first, or c{OTHER[1:]}"
    yield from site_folder.unwritable(target, OTHER)


# What is a bundle of ours


def stranger(folder: Path) -> str | None:
    """Return the name of a file in a folder that no bundle of ours has, or has with other bytes."""
    sums, page = folder / there.CHECKSUMS, folder / there.PAGE
    ours = (
        listed(sums.read_bytes()) if sums.is_file() and page.is_file() and _is_page(page.read_bytes()) else {}
    )

    def foreign(path: Path) -> bool:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or path.is_dir() or path.name in site_folder.LITTER:
            return path.is_symlink()
        if name == there.CHECKSUMS:
            return not ours
        # What no list names is not read: it may be large, or nothing that ends, as a pipe.
        return name not in ours or hashlib.sha256(path.read_bytes()).hexdigest() != ours[name]

    def stop(error: OSError) -> None:
        raise error

    for above, folders, files in os.walk(folder, onerror=stop):
        for name in sorted((*folders, *files)):
            if foreign(Path(above) / name):
                return (Path(above) / name).relative_to(folder).as_posix()
    return None


def _is_page(content: bytes) -> bool:
    return site_folder.MARK.encode() in content[:PART]


def _is_bundle(file: Path) -> bool:
    """Tell whether a zip file holds a bundle of ours, as it was written: nothing is unpacked to find out."""
    with file.open("rb") as opened:
        try:
            return _holds_bundle(zipfile.ZipFile(opened))
        except (*DAMAGED, RuntimeError):  # the last of a member that wants a password
            return False


def _holds_bundle(archive: zipfile.ZipFile) -> bool:
    entries = {entry.filename: entry for entry in archive.infolist()}
    stored = all(
        (entry.compress_type, entry.compress_size) == (zipfile.ZIP_STORED, entry.file_size)
        for entry in entries.values()
    )
    if (
        not stored
        or not {there.CHECKSUMS, there.PAGE} <= entries.keys()
        or entries[there.CHECKSUMS].file_size > LONGEST_LIST
    ):
        return False
    ours = listed(archive.read(there.CHECKSUMS))
    with archive.open(there.PAGE) as page:
        if entries.keys() != {*ours, there.CHECKSUMS} or not _is_page(page.read(PART)):
            return False
    for name, digest in ours.items():
        with archive.open(name) as file:
            # It reads alone.
            if hashlib.file_digest(file, "sha256").hexdigest() != digest:  # type: ignore[arg-type]
                return False
    return True
