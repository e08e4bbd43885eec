"""A bundle as one zip file: written, and read as a stranger's, so that nothing harms and faults are named."""

import io
import itertools
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from reportgen.readers.untrusted import DAMAGED, escapes

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

# What a bundle may hold unpacked; those of thousands of documents stay far below.
MOST_BYTES = 2 * 1024**3
MOST_ENTRIES = 200_000
LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
HEADER = struct.Struct("<4s5H3I2H")
ENCRYPTED, SHOWN = 1, 100
# What is said of entries that another program packed.
COMPRESSED = "is compressed: a bundle's files are stored as they are."
FOLDER = "is a folder; a bundle's archive has files alone."
DAMAGE = "is damaged: its bytes do not have the checksum that the archive gives it."


@dataclass
class Unzipped:
    """What could be read of an archive: its files, and by entry (or "") all that is wrong with it."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)


def unzip(content: bytes) -> Unzipped:
    """Return what can be read of a zip file without harm, and what is wrong with it."""
    archive_content = Unzipped()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except DAMAGED as error:
        why = (str(error) or type(error).__name__).removesuffix(".")[:SHOWN]
        archive_content.faults.append(("", f"is damaged: {why}."))
        entries = list(_scanned(content))
    size, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
    # Entries that share bytes would be more than it holds.
    if len(entries) > MOST_ENTRIES or size > MOST_BYTES or packed > len(content):
        counted = f"{size:,} bytes in {len(entries):,} files"
        archive_content.faults.append(
            ("", f"would unpack to {counted}, more than it can contain: nothing was read.")
        )
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
        position += 46 + len(name.encode())
    yield position, "", "the end of the archive"
