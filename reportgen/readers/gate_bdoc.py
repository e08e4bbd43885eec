"""GATE bdoc: a document with its annotation sets as JSON or YAML, also packed with gzip."""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.gate_xml import LEAVES_OUT, READS, AnnotationSet, GateDocument, as_export
from reportgen.readers.json_records import (
    Record,
    as_text,
    expect,
    first_record,
    is_json,
    read_json,
    wrong_kind,
)
from reportgen.readers.offsets import Utf16, inside_character
from reportgen.readers.reader import (
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Span,
    refuse,
)

# YAML as plain values: no tags, no objects, limited depth and limited growth through aliases.

MOST_DEPTH = 100
MOST_NODES = 300_000
WHOLE_NUMBER = re.compile(r"[-+]?[0-9]{1,18}")
TRUTH = {"true": True, "false": False}
OPENERS = ("SequenceStartEvent", "MappingStartEvent")
CLOSERS = ("SequenceEndEvent", "MappingEndEvent")
NOTHING = ("", "~", "null")
MEND = "Save the document again, as JSON if that fails."


def read_yaml(file: ExportFile) -> Any:  # noqa: ANN401 - YAML is anything
    """Return the one value in the file: dicts with texts as keys, lists, texts, whole numbers, truth, None.

    Everything else, such as fractions and dates, stays the text that it is in the file. Raises BadInput
    where the file is not YAML, holds several documents, is nested too deep, or would grow through its
    aliases beyond what an export can be.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(file)
    try:
        for event in yaml.parse(file.text, Loader=loader):
            builder.take(event)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable")
        raise file.refused(f"is not YAML: {reason}.", MEND, line) from None
    return builder.value()


@dataclass
class _OpenCollection:
    """A list or an object that is being read, how much it holds so far with aliases, and how deep it goes."""

    value: dict[str, Any] | list[Any]
    anchor: str | None
    key: str | None = None
    nodes: int = 1
    height: int = 1


class _Builder:
    """Values put together event by event, which needs no recursion."""

    def __init__(self, file: ExportFile) -> None:
        self._file = file
        self._documents: list[Any] = []
        self._open: list[_OpenCollection] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}

    def value(self) -> Any:  # noqa: ANN401 - YAML is anything
        """Return the one document."""
        if len(self._documents) != 1:
            raise self._refused(0, f"holds {len(self._documents)} YAML documents where one was expected.")
        return self._documents[0]

    def take(self, event: Any) -> None:  # noqa: ANN401 - of one of the classes of a library
        """Take the next event."""
        kind, line = type(event).__name__, event.start_mark.line + 1
        anchor = getattr(event, "anchor", None)
        if kind in OPENERS:
            self._open.append(_OpenCollection([] if kind == "SequenceStartEvent" else {}, anchor))
            self._require(len(self._open), MOST_DEPTH, line, "nested too deep")
        elif kind in CLOSERS:
            closed = self._open.pop()
            self._put(closed.value, closed.anchor, closed.nodes, closed.height, line)
        elif kind == "ScalarEvent":
            plain = event.implicit[0]
            written = str(event.value)
            self._put(written if self._wants_key() or not plain else _plain(written), anchor, 1, 1, line)
        elif kind == "AliasEvent":
            if anchor not in self._anchors:
                raise self._refused(
                    line, "has an alias of something that is not there, or of what it is part of."
                )
            value, nodes, height = self._anchors[anchor]
            self._put(value, None, nodes, height, line)

    def _wants_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].value, dict) and self._open[-1].key is None

    def _put(self, value: object, anchor: str | None, nodes: int, height: int, line: int) -> None:
        """Put a value where it belongs: into the innermost list or object, as its key, or on top."""
        if anchor is not None:
            self._anchors[anchor] = value, nodes, height
        if not self._open:
            self._documents.append(value)
            return
        around = self._open[-1]
        around.nodes += nodes
        around.height = max(around.height, height + 1)
        self._require(around.nodes, MOST_NODES, line, "of too many values, with its aliases,")
        self._require(around.height, MOST_DEPTH, line, "nested too deep")
        if isinstance(around.value, list):
            around.value.append(value)
        elif around.key is not None:
            around.value[around.key] = value
            around.key = None
        elif isinstance(value, dict | list):
            raise self._refused(line, "has a list or an object where a name was expected.")
        else:
            around.key = str(value)

    def _require(self, found: int, most: int, line: int, what: str) -> None:
        if found > most:
            raise self._refused(line, f"is {what} to be an export.")

    def _refused(self, line: int, message: str) -> BadInput:
        return self._file.refused(message, MEND, line)


def _plain(written: str) -> object:
    """Return what a scalar without quotes means, the text itself unless that is certain."""
    if WHOLE_NUMBER.fullmatch(written):
        return int(written)
    return None if written in NOTHING else TRUTH.get(written, written)


# GATE bdoc: a document with its annotation sets as JSON or YAML, also packed with gzip.

PACKED = ".gz"
JSON = ".bdocjs"
YAML = ".bdocym"
MESSAGE_PACK = ".bdocmp"
OWN = (JSON, YAML, MESSAGE_PACK)
EXTENSIONS = tuple(f"{each}{packed}" for each in OWN for packed in ("", PACKED))
YAMLS = (".yaml", ".yml")
SETS = "annotation_sets"
AS_YAML = re.compile(rf"^{SETS}:", re.MULTILINE)
GZIP = b"\x1f\x8b"
MOST_BYTES = 128 * 1024**2
CHUNK = 1024**2
READING = "GATE bdoc: sets of annotations are annotators, the category of a mark is its type."
BDOC_MEND = "Save the document again from GATE."


def recognises(file: ExportFile) -> bool:
    """Say whether the file is called as bdoc is, or is JSON or YAML with a text and annotation sets."""
    if file.path.name.lower().endswith(EXTENSIONS):
        return True
    if file.suffix in YAMLS:
        return file.is_text() and AS_YAML.search(file.text) is not None
    if not is_json(file) or f'"{SETS}"' not in file.text:
        return False
    first = first_record(file)
    return isinstance(first, dict) and isinstance(first.get(SETS), dict) and "text" in first


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each annotation set of each document that is an annotator's.

    Raises BadInput with every value that is of another kind than bdoc has there, for packed files that
    are damaged or grow too large, and for the MessagePack form, which is not read.
    """
    return as_export(for_each(files, _document), options, EXTENSIONS, READING)


def _document(file: ExportFile) -> GateDocument:
    try:
        return _understood(file)
    except RecursionError:  # a feature nested as deep as JSON can be
        raise file.refused("is nested too deep to be an export.", BDOC_MEND) from None


def _understood(file: ExportFile) -> GateDocument:
    value = _value(unpacked(file))
    record = Record(file.name, 0, value)
    expect(record, "", value, dict, "an object with text and annotation_sets")
    text = expect(record, "text", value.get("text"), str, "a text")
    sets = expect(record, SETS, value.get(SETS), dict, "an object of sets")
    places = _places(record, value, text)
    problems: list[Problem] = []
    found = tuple(_sets(file, sets, places, problems))
    refuse(problems)
    return GateDocument(file, text, found)


Places = Callable[[int, int], Span | None]


def _places(record: Record, value: Mapping[str, Any], text: str) -> Places:
    """Return what makes code points of offsets: "p" counts those, "j" UTF-16 units as Java does."""
    kind = value.get("offset_type", "p")
    if kind == "j":
        return Utf16(text).span
    if kind == "p":
        return lambda start, end: (start, end)
    message = f'is {as_text(kind)[:40]} where "p" or "j" was expected.'
    raise BadInput([Problem(record.file, key="offset_type", message=message, mend=BDOC_MEND)])


def _sets(
    file: ExportFile, sets: Mapping[str, Any], places: Places, problems: list[Problem]
) -> Iterator[AnnotationSet]:
    """Yield the sets; marks are numbered through the file. Add to the problems what is wrong."""
    number = 0
    for name, each in sets.items():
        marks: list[ParsedMark] = []
        for annotation in _annotations(file, name, each, problems):
            number += 1
            try:
                marks.append(_mark(Record(file.name, number, annotation), places))
            except BadInput as error:
                problems += error.problems
        yield AnnotationSet(name, tuple(marks))


def _annotations(file: ExportFile, name: str, value: object, problems: list[Problem]) -> list[Any]:
    found = value.get("annotations") if isinstance(value, dict) else None
    if isinstance(found, list):
        return found
    key = f"{SETS}.{name}.annotations"
    problems.append(wrong_kind(Record(file.name, 0, value), key, found, "a list"))
    return []


def _mark(record: Record, places: Places) -> ParsedMark:
    value = expect(record, "annotation", record.value, dict, "an object")
    kind = expect(record, "type", value.get("type"), str, "a text")
    start = expect(record, "start", value.get("start"), int, "a whole number")
    end = expect(record, "end", value.get("end"), int, "a whole number")
    features = value.get("features")
    features = expect(record, "features", {} if features is None else features, dict, "an object")
    span = places(start, end)
    if span is None:
        raise BadInput([inside_character(record.file, record.line, start, end)])
    written = {str(name): as_text(each) for name, each in features.items()}
    return ParsedMark(kind, (span,), written, record.line, as_text(value.get("id", "")))


def _value(file: ExportFile) -> Any:  # noqa: ANN401 - JSON and YAML are anything
    """Return what the file holds, in whichever of its forms."""
    if file.suffix == MESSAGE_PACK:
        raise file.refused("is bdoc as MessagePack, which is not read.", "Save it as .bdocjs.")
    return read_json(file) if is_json(file) else read_yaml(file)


def unpacked(file: ExportFile) -> ExportFile:
    """Return the file, unpacked where it is packed with gzip.

    Raises BadInput where it is damaged, or would grow larger than an export can be.
    """
    if not file.content.startswith(GZIP):
        return file
    parts: list[bytes] = []
    size = 0
    try:
        for part in _inflated(file.content):
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES:
                message = f"would unpack to more than {MOST_BYTES:,} bytes, more than a document can have."
                raise file.refused(message, "Unpack it yourself if you trust it.")
    except (zlib.error, EOFError) as error:
        raise file.refused(f"is a damaged gzip file: {error}.", BDOC_MEND) from None
    return ExportFile.held(file.path.with_suffix(""), file.name, content=b"".join(parts))


def _inflated(content: bytes) -> Iterator[bytes]:
    """Yield the unpacked content in parts; raise EOFError where the end is missing."""
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    rest = content
    while not unpacker.eof:
        part = unpacker.decompress(rest, CHUNK)
        rest = unpacker.unconsumed_tail
        if not part and not rest and not unpacker.eof:
            raise EOFError("the end is missing")
        yield part
    if unpacker.unused_data:
        raise EOFError("more follows after its end")


READER = Reader(
    name="gate-bdoc",
    title="GATE bdoc, JSON or YAML",
    tool="GATE, gatenlp",
    extensions=EXTENSIONS,
    reads=READS,
    leaves_out=LEAVES_OUT,
    recognises=recognises,
    read=read,
)
