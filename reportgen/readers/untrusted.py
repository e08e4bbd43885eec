"""Files of strangers, opened safely: XML without entities or network, zip archives without bombs."""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, Problem, in_plain_words, refused
from reportgen.base.files import nfc
from reportgen.readers.reader import ExportFile, refuse

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


STEP = 4096


def parse_xml(file: ExportFile) -> "Element":
    """Return the root element of the file.

    A document type is allowed and never fetched. Raises BadInput for XML that is not well-formed,
    declares an entity, or is nested too deep.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(file.content, parser)
    except etree.XMLSyntaxError as error:
        if b"<!ENTITY" in file.content:
            raise _entities(file, 0) from None
        reason = str(error.msg or error).splitlines()[0].removesuffix(".")
        message = f"is not well-formed XML: {reason}."
        raise file.refused(message, "Export the file again.", int(error.lineno or 0)) from None
    except (ValueError, LookupError):
        message = "can't be read as XML: its encoding is another than it says, or not known."
        raise file.refused(message, "Save it as UTF-8.") from None
    dtd = root.getroottree().docinfo.internalDTD
    used = next(root.iter(etree.Entity), None)
    if used is not None or (dtd is not None and any(dtd.iterentities())):
        raise _entities(file, 0 if used is None else line_of(used))
    return root


def _entities(file: ExportFile, line: int) -> BadInput:
    message = "declares or uses entities of its own, which could read files or fill memory."
    return file.refused(message, "Replace them by the text that they mean.", line)


def root_name(file: ExportFile) -> str:
    """Return the name of the root element without its namespace, empty where the file is not XML.

    Only the beginning of the file is looked at, and once: several readers ask.
    """
    if "root_name" not in vars(file):
        vars(file)["root_name"] = _root_name(file)
    return str(vars(file)["root_name"])


def _root_name(file: ExportFile) -> str:
    start = file.content.removeprefix(b"\xef\xbb\xbf").lstrip()[:9]
    if not start.startswith(b"<") and not (file.is_text() and file.text.lstrip().startswith("<")):
        return ""
    from lxml import etree

    parser = etree.XMLPullParser(events=("start",), resolve_entities=False, no_network=True, load_dtd=False)
    first = None
    with suppress(etree.XMLSyntaxError, ValueError, LookupError):
        for offset in range(0, len(file.content), STEP):
            parser.feed(file.content[offset : offset + STEP])
            if first := next(parser.read_events(), None):
                break
    # A root that was understood counts, whatever is wrong behind it: the fault is to be reported.
    first = first or next(parser.read_events(), None)
    with suppress(etree.XMLSyntaxError, ValueError, LookupError):
        if first is None:  # only at the end does the parser look at the last few bytes
            parser.close()
            first = next(parser.read_events(), None)
    # A prefix that is not declared stays in the name.
    return "" if first is None else str(first[1].tag).rpartition("}")[2].rpartition(":")[2]


# What XML readers ask of elements: names without namespaces, text without comments, lines.


def local_name(element: "Element") -> str:
    """Return the element's name without its namespace, empty for a comment or an instruction."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: "Element", name: str | None = None) -> Iterator["Element"]:
    """Yield the elements directly inside, without comments; only those of a name, where one is given."""
    for child in element:
        own_name = local_name(child)
        if own_name and (name is None or own_name == name):
            yield child


def text_of(element: "Element") -> str:
    """Return all text inside, without comments."""
    if len(element) == 0:
        return element.text or ""
    return "".join(str(text) for text in element.xpath(".//text()"))


def line_of(element: "Element") -> int:
    """Return the line on which the element starts, 0 where it is not known."""
    return int(element.sourceline or 0)


def attributes(element: "Element") -> dict[str, str]:
    """Return the attributes, without namespaces as far as their names stay different."""
    by_name: dict[str, str] = {}
    for name, value in element.attrib.items():
        short = str(name).rpartition("}")[2]
        by_name[str(name) if short in by_name else short] = str(value)
    return by_name


# Zip archives: their members as files of the export, none of which can escape, link or explode.

MAGIC = b"PK\x03\x04"
# What the archives of a campaign may have unpacked; exports of thousands of documents stay far below.
MOST_BYTES = 4 * 1024**3
MOST_MEMBERS = 200_000
# Text shrinks ten- to fortyfold; what shrank more, beyond some bytes, was made to fill memory.
MOST_SHRUNK, ALWAYS_ALLOWED = 100, 2 * 1024**2
# The bytes before a member, without its name.
HEADER_BYTES = 30
# Set where a member's name is in UTF-8; else each of its bytes is a letter.
UTF_8 = 0x800
# What zipfile, struct and zlib raise for an archive that is not whole; the last two where an archive
# asks for a newer version of the format, or says that it is larger than any file.
DAMAGED = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, OSError, EOFError, ValueError),
    *(NotImplementedError, OverflowError),
)
# What macOS and Windows put into archives that they make: settings of windows, and of each file.
OF_THE_SYSTEM = re.compile(
    r"(?:.*/)?(?:__MACOSX/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)", re.IGNORECASE
)
# How zipfile decodes the bytes of a name that says nothing of its encoding.
OLD_ENCODING = "cp437"
NAMES_SHOWN = 5
UNPACK = "Unpack it, and name the folder."
TRUST = "Unpack it yourself if you trust it, and name the folder."


# An archive, what it may unpack to where it is no part of another, and what it does unpack to.
Unpacked = tuple[str, int, int]


class UnpackedBytes:
    """How many bytes archives have unpacked: each one that is no part of another, with those inside it.

    `noted` lists what was counted.
    """

    def __init__(self, allowed: dict[str, int] | None = None) -> None:
        """Begin with none; `allowed` are the outer archives that are known."""
        self.noted: list[Unpacked] = []
        self._allowed = {} if allowed is None else allowed
        self._unpacked: dict[str, int] = {}
        self._own = Counter[str]()
        self._total = 0

    def require(self, name: str, allowed: int, size: int) -> None:
        """Note that an archive unpacks to so many bytes; raise BadInput where that is too much."""
        self.noted.append((name, allowed, size))
        outer = next((above for above in _paths_to(name) if above in self._allowed), name)
        self._allowed.setdefault(outer, allowed)
        more = max(0, size - self._unpacked.get(name, 0))
        self._unpacked[name] = self._unpacked.get(name, 0) + more
        self._own[outer] += more
        self._total += more
        if (own := self._own[outer]) > self._allowed[outer]:
            message = f"would unpack to {own:,} bytes, more than {MOST_SHRUNK} times its own."
            raise refused(name, message=message, remedy=TRUST)
        if self._total > MOST_BYTES:
            most = f"{MOST_BYTES:,} are read at most."
            message = f"brings the unpacked archives to {self._total:,} bytes; {most}"
            raise refused(name, message=message, remedy=TRUST)

    def apart(self) -> "UnpackedBytes":
        """Return an empty count for the same outer archives."""
        return UnpackedBytes(self._allowed)


def _paths_to(name: str) -> Iterator[str]:
    """Yield the paths above a name, the shortest first."""
    return (name[:place] for place, sign in enumerate(name) if sign == "/")


_UNPACKED = ContextVar[UnpackedBytes | None]("unpacked", default=None)


@contextmanager
def unpacked_together() -> Iterator[None]:
    """Count what archives unpack to as one, as of all exports of a campaign; within such a count, go on."""
    token = _UNPACKED.set(_UNPACKED.get() or UnpackedBytes())
    try:
        yield
    finally:
        _UNPACKED.reset(token)


@contextmanager
def unpacked_apart() -> Iterator[UnpackedBytes]:
    """Count apart what archives unpack to meanwhile; `count_unpacked` adds it to the whole."""
    own = (_UNPACKED.get() or UnpackedBytes()).apart()
    token = _UNPACKED.set(own)
    try:
        yield own
    finally:
        _UNPACKED.reset(token)


def count_unpacked(noted: Iterable[Unpacked]) -> None:
    """Add what was counted apart; raise BadInput where that is too much."""
    for unpacked in noted:
        (_UNPACKED.get() or UnpackedBytes()).require(*unpacked)


# How archives and packed files begin; tar's sign comes after a name and what is said of its file.
PACKED = (MAGIC, b"\x1f\x8b", b"\xfd7zXZ", b"BZh", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")
TAR, TAR_AT = b"ustar", 257


def to_be_looked_up(export: Iterable[ExportFile]) -> str:
    """Return the remedy where no file is known: to unpack what is packed, else to look what is read."""
    for file in export:
        if file.content.startswith(PACKED) or file.content.startswith(TAR, TAR_AT):
            return f"Unpack {file.name}: what is in it may be known."
    return "The command `reportgen formats` lists what can be read."


def is_zip(file: ExportFile) -> bool:
    """Say whether the file starts as a zip archive does."""
    return file.content.startswith(MAGIC)


def member_names(file: ExportFile) -> list[str]:
    """Return the names of an archive's members, for recognising it; raise BadInput where it is damaged."""
    with _opened(file) as archive:
        return [name for name, _ in _members(archive)]


def _members(archive: zipfile.ZipFile) -> list[tuple[str, zipfile.ZipInfo]]:
    """Return the files of an archive by name, without those that macOS and Windows add."""
    named = [(_member_name(entry), entry) for entry in archive.infolist()]
    return [
        (name, entry)
        for name, entry in named
        if not name.endswith("/") and OF_THE_SYSTEM.fullmatch(name) is None
    ]


def _member_name(entry: zipfile.ZipInfo) -> str:
    """Return the name of a member as its author knows it, with composed letters.

    macOS writes UTF-8 without saying so, and letters apart from their accents; Windows writes backslashes.
    """
    name = entry.filename
    if not entry.flag_bits & UTF_8:
        with suppress(UnicodeError):
            name = name.encode(OLD_ENCODING).decode()
    return nfc(name.replace("\\", "/"))


def unpack(file: ExportFile, prefixes: tuple[str, ...] = ()) -> list[ExportFile]:
    """Return the files of an archive by name; only those whose name starts with one of `prefixes`, if any.

    Raises BadInput for an archive that is damaged, encrypted, has a path that leads out of it, a link, one
    name twice or members that share bytes, or would unpack to more than exports can be.
    """
    with _opened(file) as archive:
        entries = _members(archive)
        refuse(_dangers(file, archive, entries))
        chosen = [(name, entry) for name, entry in entries if not prefixes or name.startswith(prefixes)]
        size = sum(entry.file_size for _, entry in chosen)
        allowed = ALWAYS_ALLOWED + MOST_SHRUNK * len(file.content)
        (_UNPACKED.get() or UnpackedBytes()).require(file.name, allowed, size)
        # A file inside an archive is called "archive.zip/folder/file".
        members = [
            ExportFile.with_content(file.path / name, f"{file.name}/{name}", content=archive.read(entry))
            for name, entry in chosen
        ]
    return sorted(members, key=lambda member: member.name)


@contextmanager
def _opened(file: ExportFile) -> Iterator[zipfile.ZipFile]:
    """Open an archive; raise BadInput for whatever is found to be wrong with it while it is open."""
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            yield archive
    except NotImplementedError:  # a way of packing that Python does not know; also a RuntimeError
        raise file.refused("is packed in a way that is not known here.", UNPACK) from None
    except RuntimeError:  # a member that wants a password
        raise file.refused("is encrypted.", UNPACK) from None
    except DAMAGED as error:
        raise file.refused(f"is a damaged archive: {in_plain_words(error)}.", "Export it again.") from None


def _dangers(
    file: ExportFile, archive: zipfile.ZipFile, members: Sequence[tuple[str, zipfile.ZipInfo]]
) -> Iterator[Problem]:
    """Yield what makes an archive unsafe to unpack."""
    times = Counter(name for name, _ in members)
    entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
    suspects = {
        "leads out of the archive": [name for name, _ in members if escapes(name)],
        "is a link": [name for name, entry in members if stat.S_ISLNK(entry.external_attr >> 16)],
        "is there twice": [name for name, number in times.items() if number > 1],
        "shares bytes with another member": list(_overlapping(archive, entries)),
    }
    for what, names in suspects.items():
        for name in names[:NAMES_SHOWN]:
            yield file.problem(f'contains "{name}", which {what}.', TRUST)
    if len(entries) > MOST_MEMBERS:
        message = f"has {len(entries):,} files; {MOST_MEMBERS:,} are read at most."
        yield file.problem(message, TRUST)
    # Other ways ask for memory by what the archive says of itself, and no tool for annotation uses them.
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
        yield file.problem("is packed in a way that is not known here.", UNPACK)


def _overlapping(archive: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo]) -> Iterator[str]:
    """Yield the members that begin before the one before them in the archive ends."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            yield entry.filename
        name = len(entry.orig_filename.encode()) if entry.flag_bits & UTF_8 else len(entry.orig_filename)
        end = entry.header_offset + HEADER_BYTES + name + entry.compress_size
    if end > archive.start_dir:
        yield entry.filename


def escapes(name: str) -> bool:
    """Tell whether a path leads out of the folder from which it goes, on any system."""
    path = PurePosixPath(name.replace("\\", "/"))
    return not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0] or "\0" in name
