"""Files of strangers, opened safely: XML without entities or network, zip archives without bombs."""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, Problem
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
    except (ValueError, LookupError) as error:
        raise file.refused(f"can't be read as XML: {error}.") from None
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

    Only the beginning of the file is looked at.
    """
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
# What a campaign's archive may have unpacked; exports of thousands of documents stay far below.
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


def member_names(file: ExportFile) -> list[str]:
    """Return the names of an archive's members, for recognising it; none where it can't be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            return archive.namelist()
    except DAMAGED:
        return []


def unpack(file: ExportFile, prefixes: tuple[str, ...] = ()) -> list[ExportFile]:
    """Return the files of an archive by name; only those whose name starts with one of `wanted`, if any.

    Raises BadInput for an archive that is damaged, encrypted, has a path that leads out of it or a
    link, or would unpack to more than an export can be.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            refuse(_dangers(file, entries))
            chosen = [entry for entry in entries if not prefixes or entry.filename.startswith(prefixes)]
            # A file inside an archive is called "archive.zip/folder/file".
            members = [
                ExportFile.with_content(
                    file.path / entry.filename, f"{file.name}/{entry.filename}", content=archive.read(entry)
                )
                for entry in chosen
            ]
    except NotImplementedError:  # a way of packing that Python does not know; also a RuntimeError
        raise file.refused("is packed in a way that is not known here.", UNPACK) from None
    except RuntimeError:  # a member that wants a password
        raise file.refused("is encrypted.", UNPACK) from None
    except DAMAGED as error:
        # What is damaged may be quoted at any length.
        reason = (str(error) or type(error).__name__).removesuffix(".")[:REASON]
        raise file.refused(f"is a damaged archive: {reason}.", "Export it again.") from None
    return sorted(members, key=lambda member: member.name)


def _dangers(file: ExportFile, entries: list[zipfile.ZipInfo]) -> Iterator[Problem]:
    """Yield what makes an archive unsafe to unpack."""
    remedy = "Unpack it yourself if you trust it, and name the folder."
    out = [entry for entry in entries if escapes(entry.filename)]
    links = [entry for entry in entries if stat.S_ISLNK(entry.external_attr >> 16)]
    for suspects, what in ((out, "leads out of the archive"), (links, "is a link")):
        for entry in suspects[:NAMES_SHOWN]:
            yield file.problem(f'contains "{entry.filename}", which {what}.', remedy)
    total = sum(entry.file_size for entry in entries)
    explodes = any(
        entry.file_size > max(SUSPECT_BYTES, SUSPECT_RATIO * max(entry.compress_size, 1)) for entry in entries
    )
    if total > MOST_BYTES or len(entries) > MOST_MEMBERS or explodes:
        message = f"would unpack to {total:,} bytes in {len(entries):,} files, more than an export can be."
        yield file.problem(message, remedy)


def escapes(name: str) -> bool:
    """Tell whether a path leads out of the folder from which it goes, on any system."""
    path = PurePosixPath(name.replace("\\", "/"))
    return not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0] or "\0" in name
