"""GATE bdoc: a document with its annotation sets as JSON or YAML, also packed with gzip."""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from reportgen.errors import BadInput, Problem, for_each
from reportgen.formats.copies import Export, Mark, Span
from reportgen.formats.offsets import Utf16, inside_character
from reportgen.formats.parsing.gate_sets import (
    LEAVES_OUT,
    READS,
    AnnotationSet,
    GateDocument,
    as_export,
)
from reportgen.formats.parsing.yaml_events import read_yaml
from reportgen.formats.reader import ExportFile, Reader, ReadOptions, shortened
from reportgen.formats.records import Record, as_text, expect, first_record, is_json, read_json, wrong_kind

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
MEND = "Save the document again from GATE."


class _Unpacked(ExportFile):
    """A file whose content was unpacked; it keeps the name of the one on disk."""

    def __init__(self, packed: ExportFile, content: bytes) -> None:
        super().__init__(packed.path.with_suffix(""), packed.name)
        # As `cached_property` would keep what it read from disk.
        self.__dict__["content"] = content


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


def read(files: Sequence[ExportFile], options: ReadOptions) -> Export:
    """Return a copy for each annotation set of each document that is an annotator's.

    Raises BadInput with every value that is of another kind than bdoc has there, for packed files that
    are damaged or grow too large, and for the MessagePack form, which is not read.
    """
    return as_export(for_each(files, _document), options, EXTENSIONS, READING)


def _document(file: ExportFile) -> GateDocument:
    try:
        return _understood(file)
    except RecursionError:  # a feature nested as deep as JSON can be
        message = "is nested too deep to be an export."
        raise BadInput([Problem(file.name, message=message, mend=MEND)]) from None


def _understood(file: ExportFile) -> GateDocument:
    value = _value(unpacked(file))
    record = Record(file.name, 0, value)
    expect(record, "", value, dict, "an object with text and annotation_sets")
    text = expect(record, "text", value.get("text"), str, "a text")
    sets = expect(record, SETS, value.get(SETS), dict, "an object of sets")
    places = _places(record, value, text)
    problems: list[Problem] = []
    found = tuple(_sets(file, sets, places, problems))
    if problems:
        raise BadInput(shortened(problems))
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
    raise BadInput([Problem(record.file, key="offset_type", message=message, mend=MEND)])


def _sets(
    file: ExportFile, sets: Mapping[str, Any], places: Places, problems: list[Problem]
) -> Iterator[AnnotationSet]:
    """Yield the sets; marks are numbered through the file. Add to the problems what is wrong."""
    number = 0
    for name, each in sets.items():
        marks: list[Mark] = []
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


def _mark(record: Record, places: Places) -> Mark:
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
    return Mark(kind, (span,), written, record.line, as_text(value.get("id", "")))


def _value(file: ExportFile) -> Any:  # noqa: ANN401 - JSON and YAML are anything
    """Return what the file holds, in whichever of its forms."""
    if file.suffix == MESSAGE_PACK:
        message = "is bdoc as MessagePack, which is not read."
        raise BadInput([Problem(file.name, message=message, mend="Save it as .bdocjs.")])
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
                raise BadInput(
                    [Problem(file.name, message=message, mend="Unpack it yourself if you trust it.")]
                )
    except (zlib.error, EOFError) as error:
        message = f"is a damaged gzip file: {error}."
        raise BadInput([Problem(file.name, message=message, mend=MEND)]) from None
    return _Unpacked(file, b"".join(parts))


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
