"""GATE: annotation sets, in XML between nodes of a text, and in bdoc as JSON or YAML."""

import re
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import commonpath
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from reportgen.base.errors import BadInput, Problem, for_each, tried
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.json_records import (
    Record,
    as_text,
    expect,
    first_record,
    is_json,
    read_json,
    read_yaml,
    wrong_kind,
)
from reportgen.readers.naming import FileAttribution, name_files, named_by_path
from reportgen.readers.offsets import Utf16, inside_character, without_space
from reportgen.readers.reader import Copy, Export, ExportFile, ParsedMark, Reader, ReaderOptions, Span, refuse
from reportgen.readers.untrusted import children, line_of, local_name, parse_xml, root_name, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# GATE's annotation sets, in XML or bdoc: a set's name is the annotator, some sets are nobody's.

DEFAULT = ""
MARKUP = "Original markups"
KEY = "Key"

# What the readers of GATE say of themselves: both formats hold the same sets.
READS = "Annotations of each set with their features; a set's name is the annotator, Key the reference."
LEAVES_OUT = (
    "The set of original markups, which is the document's own; the default set where others have a name, "
    "since it holds preprocessing; features of documents."
)

OF_MARKUP = "the document's own markup, in GATE's set of original markups"
OF_DEFAULT = "in the default set, which holds preprocessing where annotators have sets with a name"


@dataclass(frozen=True)
class AnnotationSet:
    """A set of a document: its name, empty for the default one, and its marks."""

    name: str
    marks: tuple[ParsedMark, ...]


@dataclass(frozen=True)
class GateDocument:
    """A document with its sets, and what stands in its file besides."""

    file: ExportFile
    text: str
    sets: tuple[AnnotationSet, ...]
    left_out: tuple[ExcludedMarks, ...] = ()


def as_export(
    documents: Sequence[GateDocument], options: ReaderOptions, extensions: Sequence[str], reading: str
) -> Export:
    """Return a copy for each annotator's set of each document.

    - The name of a set is its annotator, "Key" a reference. A set that is there and empty was seen.
    - "Original markups" is left out. The default set is an annotator's only in a document without any
      set with a name, and then the file's path says whose; otherwise it is left out.
    - Whoever is asked for by name is an annotator.
    - Where annotators worked in copies of a document, each in a file of its own, the copies are one document;
      where their sets all have the same name, the file's path says whose each is.
    - A document in which nobody has a set was not seen by anybody.

    Raises BadInput where the option `path` does not fit.
    """
    asked = options.annotators or ()
    documents = _own_copies(documents, options, extensions)
    named = any(_named(each, asked) for each in documents)
    names = _names(documents, options, extensions)
    owners = _owners(documents, options, extensions, asked)
    copies = [
        copy
        for place, each in enumerate(documents)
        for copy in _copies(each, names[place], owners.get(place), asked, named=named)
    ]
    left_out = [
        left for place, each in enumerate(documents) for left in _left_out(each, owners.get(place), asked)
    ]
    return Export(
        copies=[*copies, *_unseen(documents, names, copies)],
        reading=reading,
        sources=tuple(each.file.source for each in documents),
        left_out=tuple(left_out),
    )


def _own_copies(
    documents: Sequence[GateDocument], options: ReaderOptions, extensions: Sequence[str]
) -> Sequence[GateDocument]:
    """Return the documents, with the only named set there is as default set where paths say whose it is."""
    asked = options.annotators or ()
    names = {each.name for document in documents for each in _named(document, asked)}
    if len(names) != 1 or names & {*asked} or not _come_again(documents):
        return documents
    found = _attributed(documents, options, extensions)
    copied = len({name.document for name in found}) < len(found)
    several = len({name.annotator for name in found}) > 1
    whole = all(_is_whole_name(*each) for each in zip(documents, found, strict=True))
    return (
        [_with_default(each, *names) for each in documents] if copied and several and not whole else documents
    )


def _is_whole_name(document: GateDocument, name: FileAttribution) -> bool:
    """Say whether a file is called like its annotator: it may as well be called like its document."""
    return f"{PurePosixPath(document.file.name).name}.".startswith(f"{name.annotator}.")


def _come_again(documents: Sequence[GateDocument]) -> bool:
    """Say whether any two documents have the same text, whatever its white space."""
    return len({without_space(each.text) for each in documents}) < len(documents)


def _with_default(document: GateDocument, name: str) -> GateDocument:
    """Return the document with the set of that name as its default one, and what that held left out."""
    own = tuple(mark for each in document.sets if each.name == name for mark in each.marks)
    nobodys = [mark for each in document.sets if each.name == DEFAULT for mark in each.marks]
    others = (each for each in document.sets if each.name not in (DEFAULT, name))
    left_out = (ExcludedMarks(document.file.name, mark.line, "", OF_DEFAULT, 1) for mark in nobodys)
    return replace(
        document, sets=(*others, AnnotationSet(DEFAULT, own)), left_out=(*document.left_out, *left_out)
    )


def _named(document: GateDocument, asked: Collection[str]) -> list[AnnotationSet]:
    """Return the sets whose name is that of an annotator."""
    return [
        each for each in document.sets if each.name != DEFAULT and (each.name != MARKUP or each.name in asked)
    ]


def _names(documents: Sequence[GateDocument], options: ReaderOptions, extensions: Sequence[str]) -> list[str]:
    """Return what each document is called: its path below what all share, or what `path` says.

    Files with the same text are copies of one document where their sets are different annotators'.
    """
    files = [each.file for each in documents]
    if options.path is not None:
        return [names.document for names in named_by_path(files, options.path)]
    called = [each.document for each in _attributed(documents, options, extensions)]
    if _come_again(documents) and _are_different(documents, called, options.annotators or ()):
        return called
    paths = [PurePosixPath(file.name) for file in files]
    shared = commonpath([str(path.parent) for path in paths]) if paths else ""
    return [_without(path.relative_to(shared) if shared else path, extensions) for path in paths]


def _are_different(documents: Sequence[GateDocument], names: Sequence[str], asked: Collection[str]) -> bool:
    """Say whether no annotator would have two copies of one document if these were the documents' names."""
    copies = [
        (name, each.name)
        for document, name in zip(documents, names, strict=True)
        for each in _named(document, asked)
    ]
    return bool(copies) and len(set(copies)) == len(copies)


def _without(path: PurePosixPath, extensions: Sequence[str]) -> str:
    """Return the path without its extension, which may be one of two parts (".bdocjs.gz")."""
    name = str(path)
    ending = next((each for each in extensions if name.lower().endswith(each)), path.suffix)
    return name[: len(name) - len(ending)]


def _owners(
    documents: Sequence[GateDocument],
    options: ReaderOptions,
    extensions: Sequence[str],
    asked: Collection[str],
) -> dict[int, FileAttribution]:
    """Return whose the default set is, for each document in which it is an annotator's."""
    unnamed = [place for place, each in enumerate(documents) if not _named(each, asked)]
    found = _attributed([documents[place] for place in unnamed], options, extensions)
    return dict(zip(unnamed, found, strict=True))


def _attributed(
    documents: Sequence[GateDocument], options: ReaderOptions, extensions: Sequence[str]
) -> list[FileAttribution]:
    """Return whose each file is and of which document, by its path and its text."""
    files = [each.file for each in documents]
    return name_files(files, [each.text for each in documents], options, extensions)


def _copies(
    document: GateDocument, name: str, owner: FileAttribution | None, asked: Collection[str], *, named: bool
) -> Iterator[Copy]:
    """Yield the copies of a document: by name of their sets, or the one of the default set."""
    for each in _named(document, asked):
        role = "reference" if each.name == KEY and KEY not in asked else "annotator"
        yield Copy(name, each.name, document.file.name, document.text, each.marks, role=role)
    if owner is None:
        return
    marks = tuple(mark for each in document.sets if each.name == DEFAULT for mark in each.marks)
    # An empty default set stands in every document: beside annotators' own sets it is nobody's work.
    if marks or not named:
        yield Copy(owner.document, owner.annotator, document.file.name, document.text, marks)


def _left_out(
    document: GateDocument, owner: FileAttribution | None, asked: Collection[str]
) -> Iterator[ExcludedMarks]:
    """Yield the marks in sets that are nobody's, and what else stands in the file."""
    yield from document.left_out
    for each in document.sets:
        reason = OF_MARKUP if each.name == MARKUP and MARKUP not in asked else ""
        if each.name == DEFAULT and owner is None:
            reason = OF_DEFAULT
        for mark in each.marks if reason else ():
            yield ExcludedMarks(document.file.name, mark.line, "", reason, 1)


def _unseen(
    documents: Sequence[GateDocument], names: Sequence[str], copies: Sequence[Copy]
) -> Iterator[Copy]:
    """Yield the documents of which nobody has a copy, as not seen by any annotator."""
    known = {copy.file for copy in copies}
    annotators = list(dict.fromkeys(copy.annotator for copy in copies))
    for each, name in zip(documents, names, strict=True):
        if each.file.name not in known:
            for annotator in annotators:
                yield Copy(name, annotator, each.file.name, each.text, state="unseen")


# GATE XML: a text with nodes in it, and sets of annotations between nodes.

ROOT = "GateDocument"
TEXT = "TextWithNodes"
SET = "AnnotationSet"
ANNOTATION = "Annotation"
KNOWN = (TEXT, SET, ANNOTATION, "GateDocumentFeatures")
EXTENSIONS = (".xml",)
READING = "GATE XML: sets of annotations are annotators, the category of a mark is its type."
MEND = "Save the document again from GATE."

NO_ANNOTATION = "an element of a GATE document that is no annotation"


def recognises(file: ExportFile) -> bool:
    """Say whether the root element is that of a GATE document."""
    return root_name(file) == ROOT


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each annotation set of each document that is an annotator's.

    Raises BadInput with every annotation that lacks a type or a node of the text.
    """
    return as_export(for_each(files, _document), options, EXTENSIONS, READING)


def _document(file: ExportFile) -> GateDocument:
    root = parse_xml(file)
    texts = list(children(root, TEXT))
    if local_name(root) != ROOT or len(texts) != 1:
        message = f"has {len(texts)} elements {TEXT} in a root {local_name(root)}; expected one in {ROOT}."
        raise BadInput([_problem(file, root, message)])
    problems: list[Problem] = []
    text, nodes = _text(file, texts[0], problems)
    sets = tuple(_set(file, each, nodes, problems) for each in children(root, SET))
    refuse(problems)
    return GateDocument(file, text, sets, tuple(_others(file, root)))


def _text(file: ExportFile, element: "Element", problems: list[Problem]) -> tuple[str, dict[str, int]]:
    """Return the text, and the code point at each node: its id need not be an offset."""
    parts = [element.text or ""]
    length = len(parts[0])
    nodes: dict[str, int] = {}
    for child in element:
        if local_name(child) == "Node":
            name = child.get("id", "")
            if name in nodes:
                problems.append(_problem(file, child, f'has the node "{name}" twice.'))
            nodes[name] = length
        elif local_name(child):
            message = f"has an element {local_name(child)} in its text, where only nodes were expected."
            problems.append(_problem(file, child, message))
        parts.append(child.tail or "")
        length += len(parts[-1])
    return "".join(parts), nodes


def _set(
    file: ExportFile, element: "Element", nodes: Mapping[str, int], problems: list[Problem]
) -> AnnotationSet:
    """Return a set with its marks; add to the problems what is wrong with them."""
    marks, wrong = tried(children(element, ANNOTATION), lambda each: _mark(file, each, nodes))
    problems += wrong
    return AnnotationSet(element.get("Name") or "", tuple(marks))


def _mark(file: ExportFile, element: "Element", nodes: Mapping[str, int]) -> ParsedMark:
    problems = [
        _problem(file, element, f"an annotation has no {name}.")
        for name in ("Type", "StartNode", "EndNode")
        if not element.get(name)
    ]
    ends = [element.get(name) or "" for name in ("StartNode", "EndNode")]
    problems += [
        _problem(file, element, f'an annotation has the node "{end[:20]}", which is not in the text.')
        for end in dict.fromkeys(filter(None, ends))
        if end not in nodes
    ]
    if problems:
        raise BadInput(problems)
    start, end = (nodes[each] for each in ends)
    if start > end:
        raise BadInput([_problem(file, element, "an annotation ends before it starts.")])
    features = _features(file, element)
    return ParsedMark(
        element.get("Type") or "", ((start, end),), features, line_of(element), element.get("Id") or ""
    )


def _features(file: ExportFile, element: "Element") -> dict[str, str]:
    """Return the features by name; one without a value is empty."""
    features: dict[str, str] = {}
    for each in children(element, "Feature"):
        name = next((text_of(child) for child in children(each, "Name")), None)
        if name is None or name in features:
            message = "a feature has no name." if name is None else f'has the feature "{name[:40]}" twice.'
            raise BadInput([_problem(file, each, message)])
        features[name] = next((text_of(child) for child in children(each, "Value")), "")
    return features


def _others(file: ExportFile, root: "Element") -> Iterator[ExcludedMarks]:
    """Yield the elements that are neither text nor annotations, such as sets of relations."""
    within = [child for each in children(root, SET) for child in children(each)]
    for each in (*children(root), *within):
        if local_name(each) not in KNOWN:
            yield ExcludedMarks(
                file.name, line_of(each), "", NO_ANNOTATION, max(1, sum(1 for _ in children(each)))
            )


def _problem(file: ExportFile, element: "Element", message: str) -> Problem:
    return file.problem(message, MEND, line_of(element))


READER = Reader(
    name="gate-xml",
    title="GATE XML",
    tool="GATE Developer, GATE Teamware",
    extensions=EXTENSIONS,
    reads=READS,
    leaves_out=LEAVES_OUT,
    recognises=recognises,
    read=read,
)


# GATE bdoc: a document with its annotation sets as JSON or YAML, also packed with gzip.

PACKED = ".gz"
JSON = ".bdocjs"
YAML = ".bdocym"
MESSAGE_PACK = ".bdocmp"
OWN = (JSON, YAML, MESSAGE_PACK)
BDOC_EXTENSIONS = tuple(f"{each}{packed}" for each in OWN for packed in ("", PACKED))
YAMLS = (".yaml", ".yml")
SETS = "annotation_sets"
AS_YAML = re.compile(rf"^{SETS}:", re.MULTILINE)
GZIP = b"\x1f\x8b"
MOST_BYTES = 128 * 1024**2
CHUNK = 1024**2
BDOC_READING = "GATE bdoc: sets of annotations are annotators, the category of a mark is its type."
BDOC_MEND = "Save the document again from GATE."


def recognises_bdoc(file: ExportFile) -> bool:
    """Say whether the file is called as bdoc is, or is JSON or YAML with a text and annotation sets."""
    if file.path.name.lower().endswith(BDOC_EXTENSIONS):
        return True
    if file.suffix in YAMLS:
        return file.is_text() and AS_YAML.search(file.text) is not None
    if not is_json(file) or f'"{SETS}"' not in file.text:
        return False
    first = first_record(file)
    return isinstance(first, dict) and isinstance(first.get(SETS), dict) and "text" in first


def read_bdoc(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each annotation set of each document that is an annotator's.

    Raises BadInput with every value that is of another kind than bdoc has there, for packed files that
    are damaged or grow too large, and for the MessagePack form, which is not read.
    """
    return as_export(for_each(files, _bdoc_document), options, BDOC_EXTENSIONS, BDOC_READING)


def _bdoc_document(file: ExportFile) -> GateDocument:
    try:
        value = _value(unpacked(file))
        record = Record(file.name, 0, value)
        expect(record, "", value, dict, "an object with text and annotation_sets")
        text = expect(record, "text", value.get("text"), str, "a text")
        sets = expect(record, SETS, value.get(SETS), dict, "an object of sets")
        problems: list[Problem] = []
        found = tuple(_sets(file, sets, _places(record, value, text), problems))
        refuse(problems)
        return GateDocument(file, text, found)
    except RecursionError:  # a feature nested as deep as JSON can be
        raise file.refused("is nested too deep to be an export.", BDOC_MEND) from None


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
    number = 1
    for name, each in sets.items():
        records = [
            Record(file.name, *one) for one in enumerate(_annotations(file, name, each, problems), number)
        ]
        number += len(records)
        marks, wrong = tried(records, lambda record: _bdoc_mark(record, places))
        problems += wrong
        yield AnnotationSet(name, tuple(marks))


def _annotations(file: ExportFile, name: str, value: object, problems: list[Problem]) -> list[Any]:
    found = value.get("annotations") if isinstance(value, dict) else None
    if isinstance(found, list):
        return found
    key = f"{SETS}.{name}.annotations"
    problems.append(wrong_kind(Record(file.name, 0, value), key, found, "a list"))
    return []


def _bdoc_mark(record: Record, places: Places) -> ParsedMark:
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


BDOC_READER = Reader(
    name="gate-bdoc",
    title="GATE bdoc, JSON or YAML",
    tool="GATE, gatenlp",
    extensions=BDOC_EXTENSIONS,
    reads=READS,
    leaves_out=LEAVES_OUT,
    recognises=recognises_bdoc,
    read=read_bdoc,
)
