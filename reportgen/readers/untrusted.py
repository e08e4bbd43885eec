"""Strangers' files opened safely, each with limits: XML without entities, zip archives, JSON, YAML."""

import io
import json
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each, in_plain_words, refused
from reportgen.base.files import nfc
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.reader import DocumentCopy, Export, ExportFile, raise_first_problems, shortened

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
        raise _entities(file, 0 if used is None else line_of_element(used))
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


def elements_in(element: "Element") -> Iterator["Element"]:
    """Yield the elements directly inside, without comments and instructions."""
    from lxml import etree

    return element.iterchildren(etree.Element)


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


def line_of_element(element: "Element") -> int:
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


# Programs whose tables are written as CSV by those who have the program.
OTHER_PROGRAMS = {".numbers": "Numbers", ".sav": "SPSS", ".dta": "Stata", ".rds": "R"}


def to_be_looked_up(export: Iterable[ExportFile]) -> str:
    """Return the remedy where no file is known: to unpack what is packed, else to look what is read."""
    for file in export:
        if program := OTHER_PROGRAMS.get(file.suffix):
            return f"{file.name} is a document of {program}: save it as .xlsx or CSV."
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
        raise_first_problems(_dangers(file, archive, entries))
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


Item = TypeVar("Item")
Result = TypeVar("Result")

OPENERS = ("{", "[")
KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
}
# A letter outside the basic plane may be written as two halves; one half alone is no letter. What follows a
# backslash may be one that is meant: the quick pattern finds too much, the slow one says which it is.
HIGH_HALVES, LOW_HALVES = (0xD800, 0xDBFF), (0xDC00, 0xDFFF)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
HALF_LETTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


@dataclass(frozen=True)
class Record:
    """One JSON value of a file, and where it is: its line in a file of lines, else its number."""

    file: str
    line: int
    value: Any

    def problem(self, message: str, remedy: str = "Export the file again.", key: str = "") -> Problem:
        """Return what is wrong in the record."""
        return Problem(self.file, self.line, key, message, remedy)

    def refused(self, message: str, remedy: str = "Export the file again.", key: str = "") -> BadInput:
        """Return the error for one thing that is wrong in the record."""
        return BadInput([self.problem(message, remedy, key)])


def is_json(file: ExportFile) -> bool:
    """Say whether the file starts as JSON does."""
    return file.is_text() and file.text.lstrip().startswith(OPENERS)


def read_json(file: ExportFile) -> Any:  # noqa: ANN401 - JSON is anything
    """Return the one value in the file; raise BadInput where it is not JSON, or nested too deep."""
    _refuse_halves(file)
    try:
        return json.loads(file.text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(file, 0, error) from None


def read_records(file: ExportFile) -> list[Record]:
    """Return the records of the file: the elements of a list, or values one after another (JSONL).

    Raises BadInput where any of them is not JSON.
    """
    text = file.text
    _refuse_halves(file)
    if text.lstrip().startswith("["):
        value = read_json(file)
        return [Record(file.name, number, element) for number, element in enumerate(value, 1)]
    return list(_one_after_another(file, text))


def for_each_record(records: Iterable[Record], step: Callable[[Record], Result]) -> list[Result]:
    """Return the result of `step` for each record; raise BadInput with the problems of all that fail."""

    def guarded(record: Record) -> Result:
        try:
            return step(record)
        except RecursionError:
            raise record.refused("is nested too deep to be an export.", "Export it again.") from None

    try:
        return for_each(records, guarded)
    except BadInput as error:
        raise BadInput(shortened(error.problems)) from None


def _refuse_halves(file: ExportFile) -> None:
    """Raise BadInput for half a letter, which no text can hold and nothing could write again."""
    if HALF_LETTER.search(file.text) is None:
        return
    position = _half_letter_position(file.text)
    if position is not None:
        line = file.text.count("\n", 0, position) + 1
        message = f"has half of a letter, {file.text[position : position + 6]}."
        raise file.refused(message, "Export the file again.", line)


def _half_letter_position(text: str) -> int | None:
    """Return where the first escaped half of a letter is that lacks its other half."""
    first = -1
    for match in ESCAPE.finditer(text):
        code = int(match[1] or "0", 16)
        completes_pair = LOW_HALVES[0] <= code <= LOW_HALVES[1] and match.start() == first + 6 and first >= 0
        if first >= 0 and not completes_pair:
            return first
        first = match.start() if HIGH_HALVES[0] <= code <= HIGH_HALVES[1] else -1
        if not completes_pair and LOW_HALVES[0] <= code <= LOW_HALVES[1]:
            return match.start()
    return first if first >= 0 else None


def _one_after_another(file: ExportFile, text: str) -> Iterator[Record]:
    """Yield the values of a text with the line on which each starts; they may stretch over lines."""
    decoder = json.JSONDecoder()
    position = _skip_space(text, 0)
    line, counted = 1, 0
    while position < len(text):
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            raise _unreadable(file, line, error) from None
        yield Record(file.name, line, value)
        position = _skip_space(text, end)


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def _unreadable(file: ExportFile, line: int, error: Exception) -> BadInput:
    """Return what is wrong with JSON that Python can't read, from a line on."""
    remedy = "Export the file again."
    if isinstance(error, json.JSONDecodeError):
        return file.refused(f"is not JSON: {in_plain_words(error)}.", remedy, error.lineno)
    if isinstance(error, RecursionError):
        return file.refused("is nested too deep to be an export.", remedy, line)
    return file.refused("has a number of too many digits.", line=line)


def first_record(file: ExportFile) -> Any:  # noqa: ANN401 - JSON is anything
    """Return the first record of a JSON file, for recognising it; None where there is none."""
    if not is_json(file):
        return None
    try:
        text = file.text
        if text.lstrip().startswith("["):
            start = text.index("[") + 1
            return json.JSONDecoder().raw_decode(text, _skip_space(text, start))[0]
        return next(_one_after_another(file, text), Record("", 0, None)).value
    except (BadInput, ValueError, RecursionError):
        return None


def wrong_kind(record: Record, key: str, value: object, expected: str) -> Problem:
    """Return the problem of a value that is of another kind than expected ("a list")."""
    actual = "missing" if value is None else KINDS.get(type(value), "something else")
    return record.problem(f"is {actual} where {expected} was expected.", "Export the file again.", key=key)


Kind = type | tuple[type, ...]


def expect(record: Record, key: str, value: object, kind: Kind, expected: str) -> Any:  # noqa: ANN401
    """Return the value if it is of the kind, else raise BadInput; a truth value is no number."""
    if not isinstance(value, kind) or (kind in (int, (str, int)) and isinstance(value, bool)):
        raise BadInput([wrong_kind(record, key, value, expected)])
    return value


def listed(record: Record, key: str, value: object, expected: str = "a list") -> list[Any]:
    """Return a list, an empty one where there is none; raise BadInput where it is something else."""
    return [] if value is None else list(expect(record, key, value, list, expected))


def name_in(record: Record, key: str, value: object, expected: str = "a label") -> str:
    """Return a label, an id or a name: a text or a number; raise BadInput for everything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadInput([wrong_kind(record, key, value, expected)])
    return as_text(value)


@dataclass(frozen=True)
class RecordContent:
    """What one record has: its copies, and what is left out."""

    copies: Sequence[DocumentCopy]
    left_out: Sequence[ExcludedMarks]


def export_of_records(
    files: Sequence[ExportFile], contents: Iterable[RecordContent], reading: str, default: str | None = None
) -> Export:
    """Return the contents of all records, taken together; `files` are all that were read."""
    records = list(contents)
    copies = [copy for content in records for copy in content.copies]
    return Export(
        copies=_with_parts(copies),
        reading=reading,
        sources=tuple(file.source for file in files),
        left_out=tuple(left for content in records for left in content.left_out),
        by_feature=True,
        default=default,
    )


def _with_parts(copies: Sequence[DocumentCopy]) -> Sequence[DocumentCopy]:
    """Return copies whose documents are called after their file too, where numbers begin again in each.

    That is where somebody has two texts of one name, in files that are called differently.
    """
    first: dict[tuple[str, str], DocumentCopy] = {}
    again = [
        copy for copy in copies if first.setdefault((copy.annotator, copy.document), copy).text != copy.text
    ]
    if not again or any(first[copy.annotator, copy.document].file == copy.file for copy in again):
        return copies
    stems = {copy.file: PurePosixPath(copy.file).stem for copy in copies}
    return [replace(copy, document=f"{stems[copy.file]}/{copy.document}") for copy in copies]


def as_text(value: object) -> str:
    """Return a feature's value as text: texts as they are, everything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


# On which line of a JSON text a value is.

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
# What comes first inside: a key, or the first place.
FIRST: Mapping[str, int | None] = {"{": None, "[": 0}

Path = tuple[str | int, ...]


def lines_of(text: str) -> dict[Path, int]:
    """Return the line of each value of a JSON text that is well-formed, by its path from the top."""
    return dict(_walk(text))


def line_of_value(lines: dict[Path, int], path: Path) -> int:
    """Return the line of a value, or of the innermost that there is around it; 0 where nothing is known."""
    for end in range(len(path), -1, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return 0


def _walk(text: str) -> Iterator[tuple[Path, int]]:
    # The last part is None where a key of an object comes next.
    path: list[str | int | None] = []
    line, before = 1, 0
    for token in TOKEN.finditer(text):
        line += text.count("\n", before, token.start())
        before, sign = token.start(), token.group()
        if sign in ("}", "]"):
            path.pop()
        elif sign == ",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif path and path[-1] is None:
            path[-1] = str(json.loads(sign))
        elif sign != ":":
            yield tuple(part for part in path if part is not None), line
            if sign in FIRST:
                path.append(FIRST[sign])


# YAML as plain values: no tags, no objects, limited depth and limited growth through aliases.

MOST_DEPTH = 100
MOST_NODES = 300_000
WHOLE_NUMBER = re.compile(r"[-+]?[0-9]{1,18}")
TRUTH = {"true": True, "false": False}
YAML_AROUND = ("StreamStartEvent", "StreamEndEvent", "DocumentStartEvent", "DocumentEndEvent")
YAML_ENDS = ("SequenceEndEvent", "MappingEndEvent")
YAML_NOTHING = ("", "~", "null")
YAML_MEND = "Save the document again, as JSON if that fails."


def read_yaml(file: ExportFile) -> Any:  # noqa: ANN401 - YAML is anything
    """Return the one value in the file: dicts with texts as keys, lists, texts, whole numbers, truth, None.

    Everything else, such as fractions and dates, stays the text that it is in the file. Raises BadInput
    where the file is not YAML, has several documents, is nested too deep, or would grow through its
    aliases beyond what an export can be.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        documents = list(_YamlReader(file, yaml.parse(file.text, Loader=loader)).documents())
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable")
        raise file.refused(f"is not YAML: {reason}.", YAML_MEND, line) from None
    if len(documents) != 1:
        raise file.refused(f"has {len(documents)} YAML documents where one was expected.", YAML_MEND)
    return documents[0]


# A value, how many values it has with its aliases, and how deep it goes.
YamlValue = tuple[Any, int, int]


class _YamlReader:
    """Values read event by event, none deeper and none with more in it than an export can be."""

    def __init__(self, file: ExportFile, events: Iterator[Any]) -> None:
        self._file, self._events = file, events
        self._anchors: dict[str, YamlValue] = {}

    def documents(self) -> Iterator[Any]:
        """Yield the value of each document."""
        for event in self._events:
            if type(event).__name__ not in YAML_AROUND:
                yield self._value(event, 1, is_key=False)[0]

    def _value(self, event: Any, depth: int, *, is_key: bool) -> YamlValue:  # noqa: ANN401 - of a library's class
        """Return the value that begins with an event; a key is a text whatever it looks like."""
        kind, value = type(event).__name__, self._anchors.get(event.anchor)
        if kind == "AliasEvent":
            if value is None:
                message = "has an alias of something that is not there, or of what it is part of."
                raise self._refused(event, message)
            return value
        if kind == "ScalarEvent":
            written = str(event.value)
            value = written if is_key or not event.implicit[0] else _plain(written), 1, 1
        else:
            value = self._collection(event, depth, is_object=kind == "MappingStartEvent")
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        return value

    def _collection(self, start: Any, depth: int, *, is_object: bool) -> YamlValue:  # noqa: ANN401 - as above
        """Return the list or object that begins with an event."""
        items: list[Any] = []
        nodes = height = 1
        self._require(depth, MOST_DEPTH, start, "nested too deep")
        while type(event := next(self._events)).__name__ not in YAML_ENDS:
            is_key = is_object and len(items) % 2 == 0
            value, more, deep = self._value(event, depth + 1, is_key=is_key)
            nodes, height = nodes + more, max(height, deep + 1)
            self._require(nodes, MOST_NODES, event, "of too many values, with its aliases,")
            self._require(height, MOST_DEPTH, event, "nested too deep")
            if is_key and isinstance(value, dict | list):
                raise self._refused(event, "has a list or an object where a name was expected.")
            items.append(str(value) if is_key else value)
        return dict(zip(items[::2], items[1::2], strict=True)) if is_object else items, nodes, height

    def _require(self, count: int, most: int, event: Any, what: str) -> None:  # noqa: ANN401 - as above
        if count > most:
            raise self._refused(event, f"is {what} to be an export.")

    def _refused(self, event: Any, message: str) -> BadInput:  # noqa: ANN401 - as above
        return self._file.refused(message, YAML_MEND, event.start_mark.line + 1)


def _plain(written: str) -> object:
    """Return what a scalar without quotes means, the text itself unless that is certain."""
    if WHOLE_NUMBER.fullmatch(written):
        return int(written)
    return None if written in YAML_NOTHING else TRUTH.get(written, written)
