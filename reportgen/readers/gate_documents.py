"""GATE: annotation sets, in XML between nodes of a text, and in bdoc as JSON or YAML."""

import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from os.path import commonpath
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, in_plain_words, tried
from reportgen.readers.annotations import ExcludedMarks, without_space
from reportgen.readers.naming import FileAttribution, list_unreadable, name_files, split_unreadable
from reportgen.readers.places import Offsets, code_points, utf16
from reportgen.readers.reader import (
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    raise_first_problems,
)
from reportgen.readers.untrusted import (
    Record,
    as_text,
    children,
    expect,
    first_record,
    is_json,
    line_of_element,
    local_name,
    parse_xml,
    read_json,
    read_yaml,
    root_name,
    text_of,
    wrong_kind,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# GATE's annotation sets, in XML or bdoc: a set's name is the annotator, some sets are nobody's.

DEFAULT = ""
MARKUP = "Original markups"
KEY = "Key"

# What the readers of GATE say of themselves: both formats have the same sets.
READS = (
    "Annotations of each set with their features. A set is named after its annotator; Key is the reference."
)
LEAVES_OUT = (
    "The set of original markups, because it comes with the document; the default set if other sets have a "
    "name, because it has preprocessing; features of documents."
)

OF_MARKUP = "the document's own markup, in GATE's set of original markups"
OF_DEFAULT = "in the default set, which has preprocessing where annotators have sets with a name"


# A set of annotations: its name, empty for the default one, and its marks.
AnnotationSet = tuple[str, Sequence[ParsedMark]]


@dataclass(frozen=True, eq=False)
class GateDocument:
    """A document with its sets, and what is in its file besides."""

    file: ExportFile
    text: str
    sets: Sequence[AnnotationSet]
    left_out: Sequence[ExcludedMarks] = ()

    def annotators(self, asked: Collection[str]) -> list[str]:
        """Return the names of sets that are those of annotators."""
        return [name for name, _ in self.sets if name != DEFAULT and (name != MARKUP or name in asked)]


def as_export(
    files: Sequence[ExportFile],
    documents: Sequence[GateDocument],
    options: ReaderOptions,
    extensions: Sequence[str],
    reading: str,
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

    def attribute(group: Sequence[GateDocument]) -> list[FileAttribution]:
        return name_files(
            [document.file for document in group], [document.text for document in group], options, extensions
        )

    attributions = attribute(documents)
    documents = _own_copies(documents, attributions, asked)
    unnamed = [document for document in documents if not document.annotators(asked)]
    owners = dict(zip(unnamed, attribute(unnamed), strict=True))
    names = _names(documents, attributions, options, extensions)
    copies: list[DocumentCopy] = []
    left_out: list[ExcludedMarks] = []
    for document, name in zip(documents, names, strict=True):
        own, excluded = _copies_and_left_out(document, name, owners.get(document), asked)
        # An empty default set is in every document: beside annotators' own sets it is nobody's work.
        empty_counts = document not in owners or len(owners) == len(documents)
        copies += [copy for copy in own if empty_counts or copy.marks]
        left_out += excluded
    return Export(
        copies=[*copies, *_unseen(documents, names, copies)],
        reading=reading,
        sources=tuple(file.source for file in files),
        left_out=tuple(left_out),
    )


def _own_copies(
    documents: Sequence[GateDocument], attributions: Sequence[FileAttribution], asked: Collection[str]
) -> Sequence[GateDocument]:
    """Return the documents, with the only named set there is as default set where paths say whose it is."""
    names = {name for document in documents for name in document.annotators(asked)}
    if len(names) != 1 or names & {*asked} or not _have_copies(documents):
        return documents
    copied = len({name.document for name in attributions}) < len(attributions)
    by_several = len({name.annotator for name in attributions}) > 1
    # A file that is called like its annotator may as well be called like its document.
    are_whole_names = all(
        f"{PurePosixPath(document.file.name).name}.".startswith(f"{name.annotator}.")
        for document, name in zip(documents, attributions, strict=True)
    )
    own = copied and by_several and not are_whole_names
    return [_with_default(document, *names) for document in documents] if own else documents


def _have_copies(documents: Sequence[GateDocument]) -> bool:
    """Say whether any two documents have the same text, whatever its white space."""
    return len({without_space(document.text) for document in documents}) < len(documents)


def _with_default(document: GateDocument, name: str) -> GateDocument:
    """Return the document with the set of that name as its default one, and what was in that left out."""
    own = [mark for set_name, marks in document.sets for mark in marks if set_name == name]
    others = [annotation_set for annotation_set in document.sets if annotation_set[0] not in (DEFAULT, name)]
    left_out = [
        ExcludedMarks(document.file.name, mark.line, "", OF_DEFAULT, 1)
        for set_name, marks in document.sets
        for mark in marks
        if set_name == DEFAULT
    ]
    return replace(document, sets=[*others, (DEFAULT, own)], left_out=[*document.left_out, *left_out])


def _names(
    documents: Sequence[GateDocument],
    attributions: Sequence[FileAttribution],
    options: ReaderOptions,
    extensions: Sequence[str],
) -> list[str]:
    """Return what each document is called: its path below what all share, or what `path` says.

    Files with the same text are copies of one document where their sets are different annotators'.
    """
    copies = [
        (name.document, annotator)
        for document, name in zip(documents, attributions, strict=True)
        for annotator in document.annotators(options.annotators or ())
    ]
    different = copies and len(set(copies)) == len(copies)
    if options.path is not None or (different and _have_copies(documents)):
        return [name.document for name in attributions]
    paths = [PurePosixPath(document.file.name) for document in documents]
    shared = commonpath([path.parent for path in paths]) if paths else ""
    # An extension may be of two parts (".bdocjs.gz").
    endings = [
        next((extension for extension in extensions if path.name.lower().endswith(extension)), path.suffix)
        for path in paths
    ]
    names = [str(path.relative_to(shared)) for path in paths]
    return [name[: len(name) - len(ending)] for name, ending in zip(names, endings, strict=True)]


def _copies_and_left_out(
    document: GateDocument, name: str, owner: FileAttribution | None, asked: Collection[str]
) -> tuple[list[DocumentCopy], list[ExcludedMarks]]:
    """Return the copies of a document, those of its sets or of its owner, and marks that are nobody's."""
    file = document.file.name
    copies: list[DocumentCopy] = []
    left_out = [*document.left_out]
    unnamed: list[ParsedMark] = []
    for who, marks in document.sets:
        if who in document.annotators(asked):
            role = "reference" if who == KEY and KEY not in asked else "annotator"
            copies.append(DocumentCopy(name, who, file, document.text, marks, role=role))
        elif who == DEFAULT and owner is not None:
            unnamed += marks
        else:
            reason = OF_DEFAULT if who == DEFAULT else OF_MARKUP
            left_out += [ExcludedMarks(file, mark.line, "", reason, 1) for mark in marks]
    if owner is not None:
        copies.append(DocumentCopy(owner.document, owner.annotator, file, document.text, unnamed))
    return copies, left_out


def _unseen(
    documents: Sequence[GateDocument], names: Sequence[str], copies: Sequence[DocumentCopy]
) -> Iterator[DocumentCopy]:
    """Yield the documents of which nobody has a copy, as not seen by any annotator."""
    files = {copy.file for copy in copies}
    annotators = list(dict.fromkeys(copy.annotator for copy in copies))
    for document, name in zip(documents, names, strict=True):
        if document.file.name not in files:
            for annotator in annotators:
                yield DocumentCopy(name, annotator, document.file.name, document.text, state="unseen")


# GATE XML: a text with nodes in it, and sets of annotations between nodes.

ROOT = "GateDocument"
TEXT = "TextWithNodes"
SET = "AnnotationSet"
ANNOTATION = "Annotation"
KNOWN = (TEXT, SET, ANNOTATION, "GateDocumentFeatures")
NEEDED = ("Type", "StartNode", "EndNode")
EXTENSIONS = (".xml",)
READING = "GATE XML: sets of annotations are annotators, the category of a mark is its type."
MEND = "Save the document again from GATE."

NO_ANNOTATION = "an element of a GATE document that is not an annotation"


def recognises(file: ExportFile) -> bool:
    """Say whether the root element is that of a GATE document."""
    return root_name(file) == ROOT


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each annotation set of each document that is an annotator's.

    A few faulty files are left out, with a warning. Where there are more, raises BadInput with every
    annotation that lacks a type or a node of the text.
    """
    _, documents, faulty = split_unreadable(files, _document)
    return list_unreadable(as_export(files, documents, options, EXTENSIONS, READING), faulty)


def _document(file: ExportFile) -> GateDocument:
    root = parse_xml(file)
    texts = list(children(root, TEXT))
    if local_name(root) != ROOT or len(texts) != 1:
        message = f"has {len(texts)} elements {TEXT} in a root {local_name(root)}; expected one in {ROOT}."
        raise BadInput([_problem(file, root, message)])
    problems: list[Problem] = []
    text, nodes = _text(file, texts[0], problems)
    sets: list[AnnotationSet] = []
    for element in children(root, SET):
        marks, wrong = tried(children(element, ANNOTATION), lambda annotation: _mark(file, annotation, nodes))
        sets.append((element.get("Name") or "", marks))
        problems += wrong
    raise_first_problems(problems)
    return GateDocument(file, text, sets, list(_other_elements(file, root)))


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


def _mark(file: ExportFile, element: "Element", nodes: Mapping[str, int]) -> ParsedMark:
    kind, *ends = (element.get(name) or "" for name in NEEDED)
    messages = [f"an annotation has no {name}." for name in NEEDED if not element.get(name)]
    messages += [
        f'an annotation has the node "{end[:20]}", which is not in the text.'
        for end in dict.fromkeys(ends)
        if end and end not in nodes
    ]
    if not messages and nodes[ends[0]] > nodes[ends[1]]:
        messages = ["an annotation ends before it starts."]
    if messages:
        raise BadInput(_problem(file, element, message) for message in messages)
    span = nodes[ends[0]], nodes[ends[1]]
    # The features by name; one without a value is empty.
    features: dict[str, str] = {}
    for feature in children(element, "Feature"):
        name = next((text_of(child) for child in children(feature, "Name")), None)
        if name is None or name in features:
            message = "a feature has no name." if name is None else f'has the feature "{name[:40]}" twice.'
            raise BadInput([_problem(file, feature, message)])
        features[name] = next((text_of(child) for child in children(feature, "Value")), "")
    return ParsedMark(kind, (span,), features, line_of_element(element), element.get("Id") or "")


def _other_elements(file: ExportFile, root: "Element") -> Iterator[ExcludedMarks]:
    """Yield the elements that are neither text nor annotations, such as sets of relations."""
    within = [child for annotation_set in children(root, SET) for child in children(annotation_set)]
    for element in (*children(root), *within):
        if local_name(element) not in KNOWN:
            many = max(1, len(list(children(element))))
            yield ExcludedMarks(file.name, line_of_element(element), "", NO_ANNOTATION, many)


def _problem(file: ExportFile, element: "Element", message: str) -> Problem:
    return file.problem(message, MEND, line_of_element(element))


READER = Reader(
    name="gate-xml",
    title="GATE XML",
    tool="GATE Developer, GATE Teamware",
    extensions=EXTENSIONS,
    reads=READS,
    leaves_out=LEAVES_OUT,
    recognises=recognises,
    read=read,
    says=(READING, OF_MARKUP, OF_DEFAULT, NO_ANNOTATION),
)


# GATE bdoc: a document with its annotation sets as JSON or YAML, also packed with gzip.

PACKED = ".gz"
JSON = ".bdocjs"
YAML = ".bdocym"
MESSAGE_PACK = ".bdocmp"
OWN = (JSON, YAML, MESSAGE_PACK)
BDOC_EXTENSIONS = tuple(f"{ending}{packed}" for ending in OWN for packed in ("", PACKED))
YAMLS = (".yaml", ".yml")
SETS = "annotation_sets"
AS_YAML = re.compile(rf"^{SETS}:", re.MULTILINE)
GZIP = b"\x1f\x8b"
MOST_BYTES = 128 * 1024**2
CODE_POINTS, UTF16 = "p", "j"
BDOC_READING = "GATE bdoc: sets of annotations are annotators, the category of a mark is its type."


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

    A few faulty files are left out, with a warning. Where there are more, raises BadInput with every value
    that is of another kind than bdoc has there, for packed files that are damaged or grow too large, and for
    the MessagePack form, which is not read.
    """
    _, documents, faulty = split_unreadable(files, _bdoc_document)
    return list_unreadable(as_export(files, documents, options, BDOC_EXTENSIONS, BDOC_READING), faulty)


def _bdoc_document(file: ExportFile) -> GateDocument:
    try:
        plain = unpacked(file)
        if plain.suffix == MESSAGE_PACK:
            raise file.refused("is bdoc as MessagePack, which is not read.", "Save it as .bdocjs.")
        value = read_json(plain) if is_json(plain) else read_yaml(plain)
        record = Record(file.name, 0, value)
        expect(record, "", value, dict, "an object with text and annotation_sets")
        text = expect(record, "text", value.get("text"), str, "a text")
        named = expect(record, SETS, value.get(SETS), dict, "an object of sets")
        kind = value.get("offset_type", CODE_POINTS)
        if kind not in (CODE_POINTS, UTF16):
            message = f'is {as_text(kind)[:40]} where "p" or "j" was expected.'
            raise record.refused(message, MEND, "offset_type")
        units = utf16(text) if kind == UTF16 else None
        sets: list[AnnotationSet] = []
        problems: list[Problem] = []
        number = 1  # marks are numbered through the file
        for name, content in named.items():
            records = _annotations(record, name, content, problems, number)
            marks, wrong = tried(records, lambda annotation: _bdoc_mark(annotation, units))
            sets.append((name, marks))
            problems += wrong
            number += len(records)
        raise_first_problems(problems)
        return GateDocument(file, text, sets)
    except RecursionError:  # a feature nested as deep as JSON can be
        raise file.refused("is nested too deep to be an export.", MEND) from None


def _annotations(
    document: Record, name: str, value: object, problems: list[Problem], number: int
) -> list[Record]:
    """Return the annotations of a set as records from a number on; add to the problems where it has none."""
    annotations = value.get("annotations") if isinstance(value, dict) else None
    if not isinstance(annotations, list):
        problems.append(wrong_kind(document, f"{SETS}.{name}.annotations", annotations, "a list"))
        return []
    return [Record(document.file, *numbered) for numbered in enumerate(annotations, number)]


def _bdoc_mark(record: Record, units: Offsets | None) -> ParsedMark:
    """Return a mark, whose offsets are UTF-16 units or code points."""
    value = expect(record, "annotation", record.value, dict, "an object")
    kind = expect(record, "type", value.get("type"), str, "a text")
    start, end = (expect(record, key, value.get(key), int, "a whole number") for key in ("start", "end"))
    features = value.get("features")
    features = expect(record, "features", {} if features is None else features, dict, "an object")
    span = code_points(units, record.file, record.line, (start, end)) if units else (start, end)
    written = {str(name): as_text(feature) for name, feature in features.items()}
    return ParsedMark(kind, (span,), written, record.line, as_text(value.get("id", "")))


def unpacked(file: ExportFile) -> ExportFile:
    """Return the file, unpacked where it is packed with gzip.

    Raises BadInput where it is damaged, or would grow larger than an export can be.
    """
    if not file.content.startswith(GZIP):
        return file
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        content = unpacker.decompress(file.content, MOST_BYTES + 1)
    except zlib.error as error:
        raise file.refused(f"is a damaged gzip file: {in_plain_words(error)}.", MEND) from None
    if len(content) > MOST_BYTES:
        message = f"would unpack to more than {MOST_BYTES:,} bytes, more than a document can have."
        raise file.refused(message, "Unpack it yourself if you trust it.")
    if not unpacker.eof or unpacker.unused_data:
        wrong = "more follows after its end" if unpacker.eof else "the end is missing"
        raise file.refused(f"is a damaged gzip file: {wrong}.", MEND)
    return ExportFile.with_content(file.path.with_suffix(""), file.name, content=content)


BDOC_READER = Reader(
    name="gate-bdoc",
    title="GATE bdoc, JSON or YAML",
    tool="GATE, gatenlp",
    extensions=BDOC_EXTENSIONS,
    reads=READS,
    leaves_out=LEAVES_OUT,
    recognises=recognises_bdoc,
    read=read_bdoc,
    says=(BDOC_READING,),
)
