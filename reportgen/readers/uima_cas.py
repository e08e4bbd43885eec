"""UIMA CAS, XMI or JSON, with its type systems, alone or in INCEpTION's archive of a project."""

import io
import json
import keyword
import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each, in_plain_words, quoted, tried
from reportgen.base.files import nfc
from reportgen.readers.annotations import Span
from reportgen.readers.layers_of_marks import ENOUGH_GIVEN, types_asked
from reportgen.readers.naming import (
    CURATOR,
    MANY,
    TEMPLATE,
    FileAttribution,
    UnattributedMarks,
    export_of,
    list_unreadable,
    project_export,
    split_unreadable,
)
from reportgen.readers.places import Offsets, code_points, utf16
from reportgen.readers.reader import (
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    SetLabel,
    State,
    forget_contents_after,
    raise_first_problems,
)
from reportgen.readers.untrusted import (
    Record,
    as_text,
    children,
    elements_in,
    expect,
    first_record,
    for_each_record,
    is_json,
    is_zip,
    line_of_element,
    local_name,
    member_names,
    parse_xml,
    read_json,
    root_name,
    text_of,
    unpack,
)
from reportgen.readers.webanno import read_body

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# What is checked of a UIMA CAS before dkpro-cassis reads it, and what it makes of damaged files.

SEGMENTATION = frozenset(
    {"Token", "Sentence", "DocumentMetaData", "DocumentAnnotation", "TagDescription", "TagsetDescription"}
)
METADATA, METADATA_FEATURES = "DocumentMetaData", ("documentId", "documentTitle")
BOOKKEEPING = "de.tudarmstadt.ukp.clarin.webanno.api.type."
OWN_LAYERS = ("custom.", "webanno.custom.")
AGAIN = "Export the document again."
NO_TEXT, WITH_TEXT = "has no text.", "Export the document with its text."
TYPE_SYSTEM_ROOT = "typeSystemDescription"

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RawStructure:
    """A feature structure as the file has it: id, line (or number), type, and UTF-16 offsets if any."""

    id: int | None
    line: int
    type: str
    span: Span | None
    text: str | None


# What dkpro-cassis says of names that it does not know, and what that means.
UNKNOWN = {
    re.compile(r"Type with name \[(.*?)\] not found"): "the type {} is declared nowhere",
    re.compile(r"unexpected keyword argument '(.*?)'"): "the feature {} is declared nowhere",
}


def guarded(file: ExportFile, step: Callable[[], Result]) -> Result:
    """Return the step's result; raise BadInput for whatever dkpro-cassis makes of a damaged file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return step()
    except BadInput:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises whatever its code stumbles over
        found = ((pattern.search(str(error)), words) for pattern, words in UNKNOWN.items())
        why = next((words.format(quoted(name[1])) for name, words in found if name), in_plain_words(error))
        raise file.refused(f"is a damaged CAS: {why}.", AGAIN) from None


def is_segmentation(type_name: str) -> bool:
    """Say whether a type is of tokens, sentences or bookkeeping; annotators' own layers never are."""
    if type_name.startswith(BOOKKEEPING):
        return True
    return type_name.rpartition(".")[2] in SEGMENTATION and not type_name.startswith(OWN_LAYERS)


def refuse_code(file: ExportFile, names: Iterable[str], key: str = "", remedy: str = "") -> None:
    """Raise BadInput for names of features that are no plain identifiers.

    dkpro-cassis compiles features into a class: a name that is not one could be code.
    """
    raise_first_problems(
        file.problem(f'declares the feature "{name[:40]}", which is not a plain name.', remedy, key=key)
        for name in names
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__")
    )


def check_structures(file: ExportFile, raws: Sequence[RawStructure]) -> None:
    """Raise BadInput for ids that come twice, and for offsets that are not those of a stretch of text."""
    problems: list[Problem] = []
    ids: set[int | None] = set()
    units = {text: utf16(text) for text in {raw.text for raw in raws if raw.span} if text is not None}
    for raw in raws:
        if raw.id is not None and raw.id in ids:
            message = f"has the id {raw.id}, which another annotation has too."
            problems.append(file.problem(message, AGAIN, raw.line))
        ids.add(raw.id)
        problems += tried([raw], lambda structure: _check_span(file, structure, units))[1]
    raise_first_problems(problems)


def _check_span(file: ExportFile, raw: RawStructure, units: Mapping[str, Offsets]) -> None:
    if raw.span is None or raw.text is None:
        return
    start, end = code_points(units[raw.text], file.name, raw.line, raw.span)
    if not 0 <= start <= end <= len(raw.text):
        message = (
            f"from {raw.span[0]} to {raw.span[1]} does not lie within the text, which has {len(raw.text):,}"
        )
        raise file.refused(f"{message} characters.", AGAIN, raw.line)


class TypeSystem:
    """A type system file; it is read when it is first needed, and once."""

    def __init__(self, file: ExportFile) -> None:
        self.file = file

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the types that it declares; raises BadInput for XML that can't be a type system."""
        root = parse_xml(self.file)
        declared = {
            what: [(name.text or "").strip() for name in root.iterfind(f".//{{*}}{what}/{{*}}name")]
            for what in ("typeDescription", "featureDescription")
        }
        refuse_code(self.file, declared["featureDescription"])
        return frozenset(declared["typeDescription"])

    @cached_property
    def loaded(self) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
        """What dkpro-cassis makes of it, None if it declares nothing; raises BadInput where it can't."""
        from cassis import load_typesystem

        if not self.names:  # reading them refuses names that could be code, before they are compiled
            return None
        return guarded(self.file, lambda: load_typesystem(io.BytesIO(self.file.content)))

    @cached_property
    def references(self) -> dict[str, frozenset[str]]:
        """The features of each type that are no texts or numbers, so that they may refer to others."""
        from cassis.typesystem import is_primitive

        types = self.loaded.get_types() if self.loaded else ()
        features = {each.name: [f for f in each.all_features if f.name not in BUILT_IN] for each in types}
        return {
            name: frozenset(RENAMED.get(f.name, f.name) for f in own if not is_primitive(f.rangeType))
            for name, own in features.items()
        }


def is_type_system(file: ExportFile) -> bool:
    """Say whether the file is the description of a type system."""
    return file.suffix == ".xml" and root_name(file) == TYPE_SYSTEM_ROOT


class TypeSystems:
    """The type systems that come with files, each content loaded once: as a rule every copy has the same."""

    def __init__(self, systems: Iterable[TypeSystem]) -> None:
        first: dict[bytes, TypeSystem] = {}
        self._by_folder: dict[PurePosixPath, list[tuple[str, TypeSystem]]] = {}
        for system in sorted(systems, key=lambda system: system.file.name):
            path = PurePosixPath(system.file.name)
            loaded_once = first.setdefault(system.file.content, system)
            self._by_folder.setdefault(path.parent, []).append((path.name, loaded_once))
        self._different = tuple(first.values())

    def fitting(self, file: ExportFile, types: set[str]) -> TypeSystem | None:
        """Return the type system of a file that uses these types, None where there is none.

        That of the same name counts, else the first in the same folder, then anywhere, that declares all.
        """
        path = PurePosixPath(file.name)
        own_folder = self._by_folder.get(path.parent, ())
        near = [system for name, system in own_folder if name.startswith(path.stem)]
        near += [system for name, system in own_folder if not name.startswith(path.stem)]
        # What is missing in one that is beside the file is named when the CAS is loaded.
        beside = next(iter(near), None)
        return next((system for system in (*near, *self._different) if types <= system.names), beside)


# What annotators did in a UIMA CAS: marks, relations and slots, told from tokens and bookkeeping.

BUILT_IN = frozenset({"sofa", "begin", "end"})
# dkpro-cassis calls two features otherwise, as Python has these names.
RENAMED = {"self_": "self", "type_": "type"}
SET_SEPARATOR = "|"
NEXT = "next"

OF_NO_VIEW = "of another view of the document than the first, or of none"

# A feature structure of dkpro-cassis, which carries no types.
Structure = Any


# The features of a structure: values, references to one structure, and members of arrays.
Values = tuple[Mapping[str, str], Sequence[tuple[str, int]], Sequence[tuple[str, Structure]]]


def read_cas(file: ExportFile, cas: Structure, raws: Sequence[RawStructure]) -> UnattributedMarks:
    """Return the text of the first view and what annotators did in it.

    Raises BadInput where no view has a text, and for features whose values are no texts or numbers.
    """
    with_text = [view for view in cas.views if isinstance(view.sofa.sofaString, str)]
    if not with_text:
        raise file.refused(NO_TEXT, WITH_TEXT)
    view = next((view for view in with_text if view.sofa.sofaID == INITIAL_VIEW), with_text[0])
    lines = {raw.id: (position, raw.line) for position, raw in enumerate(raws)}
    by_id = {structure.xmiID: structure for structure in view.get_all_fs()}
    ordered = sorted(by_id.values(), key=lambda structure: lines.get(structure.xmiID, (0, 0)))
    structures = [structure for structure in ordered if not is_segmentation(structure.type.name)]
    values = [_values(file, structure, lines[structure.xmiID][1]) for structure in structures]
    text = view.sofa.sofaString
    raise_first_problems(  # a mark may lie within the text of another view
        file.problem("does not lie within the text.", AGAIN, lines[structure.xmiID][1])
        for structure in structures
        for start, end in _spans(structure)
        if not 0 <= start <= end <= len(text)
    )
    marks, relations = _marks_and_relations(structures, values, lines)
    left_out = [
        (raw.line, OF_NO_VIEW)
        for raw in raws
        if raw.span is not None and raw.id not in by_id and not is_segmentation(raw.type)
    ]
    inside = attribution(
        (each.type.name, {name: getattr(each, name, None) for name in METADATA_FEATURES}) for each in ordered
    )
    return UnattributedMarks(file.name, text, marks, relations, left_out, inside=inside)


def attribution(structures: Iterable[tuple[str, Mapping[str, Any]]]) -> FileAttribution | None:
    """Return whose copy a CAS is and of which document, by what DKPro and INCEpTION keep of it.

    In a copy that INCEpTION exports, the id of the document is the user and its title the document; where
    both are the same, nothing is said.
    """
    for type_name, features in structures:
        if type_name.rpartition(".")[2] == METADATA:
            annotator, document = (features.get(name) for name in METADATA_FEATURES)
            if annotator and document and annotator != document:
                return FileAttribution(str(annotator), str(document))
    return None


def _marks_and_relations(
    structures: Sequence[Structure], values: Sequence[Values], lines: Mapping[int | None, tuple[int, int]]
) -> tuple[tuple[ParsedMark, ...], tuple[Relation, ...]]:
    """Return marks and relations; a structure that others consist of (a link) is neither."""
    named = {name for _, references, _ in values for _, name in references}
    for _, _, members in values:
        for _, member in members:
            target = _target(member)
            named |= {member.xmiID} if target is None else {member.xmiID, target.xmiID}
    marks: list[ParsedMark] = []
    relations: list[Relation] = []
    types = {structure.type.name: structure for structure in structures}
    of_relations = {name for name, structure in types.items() if _is_relation(structure)}
    for structure, (features, references, members) in zip(structures, values, strict=True):
        kind, line = structure.type.name, lines[structure.xmiID][1]
        spans = _spans(structure)
        if kind in of_relations:
            arguments = tuple((name, str(target)) for name, target in references)
            relations.append(Relation(kind, arguments, features, line))
        elif spans or (features and structure.xmiID not in named):
            name = str(structure.xmiID) if structure.xmiID in named or references or members else ""
            marks.append(ParsedMark(kind, spans, features, line, name))
            relations += [_host_relation(structure, name, target, {}, line) for name, target in references]
        for name, member in members:  # a link or, without one, what fills the slot
            target = _target(member)
            of_link = _features(member) if target else ()
            features_of_link = {key: as_text(value) for key, value in of_link if _is_plain(value)}
            relations.append(
                _host_relation(structure, name, (target or member).xmiID, features_of_link, line)
            )
    return tuple(marks), tuple(relations)


def _spans(structure: Structure) -> tuple[Span, ...]:
    from cassis.typesystem import is_annotation

    return ((structure.begin, structure.end),) if is_annotation(structure) else ()


def _target(member: Structure) -> Structure | None:
    """Return what a link in an array refers to, None where the member is no link."""
    target: Structure = getattr(member, "target", None)
    return target if _is_structure(target) else None


def _is_relation(structure: Structure) -> bool:
    """Say whether structures of this type lie between others: two features or more refer to one each."""
    from cassis.typesystem import is_array, is_list, is_primitive

    ranges = [feature.rangeType for feature in structure.type.all_features if feature.name not in BUILT_IN]
    kinds = (is_primitive, is_array, is_list)
    return sum(not any(is_kind(range_type) for is_kind in kinds) for range_type in ranges) > 1


def _host_relation(
    structure: Structure, feature: str, target: int, features: Mapping[str, str], line: int
) -> Relation:
    arguments = (("host", str(structure.xmiID)), ("target", str(target)))
    # The links of a chain, as DKPro and INCEpTION have them, name the next one.
    chain = feature == NEXT
    return Relation(f"{structure.type.name}|{feature}", arguments, features, line, chain=chain)


def _features(structure: Structure) -> Iterator[tuple[str, Any]]:
    """Yield the features that a structure has, with their values."""
    for feature in structure.type.all_features:
        value = getattr(structure, feature.name)
        if feature.name not in BUILT_IN and value is not None:
            yield RENAMED.get(feature.name, feature.name), value


def _values(file: ExportFile, structure: Structure, line: int) -> Values:
    features: dict[str, str] = {}
    references: list[tuple[str, int]] = []
    members: list[tuple[str, Structure]] = []
    for name, value in _features(structure):
        elements = _elements(value)
        if _is_plain(value):
            features[name] = as_text(value)
        elif elements is not None and all(_is_plain(element) for element in elements):
            texts = [as_text(element) for element in elements]
            features |= {name: SetLabel(SET_SEPARATOR.join(texts), texts)} if elements else {}
        elif elements is not None and all(map(_is_structure, elements)):
            members += [(name, element) for element in elements]
        elif elements is None and _is_structure(value):
            references.append((name, value.xmiID))
        else:
            message = "has something that is neither text nor number nor an annotation."
            raise file.refused(message, AGAIN, line, f"feature {name}")
    return features, references, members


def _is_plain(value: object) -> bool:
    return isinstance(value, str | bool | int | float)


def _is_structure(value: object) -> bool:
    from cassis.typesystem import FeatureStructure

    return isinstance(value, FeatureStructure)


def _elements(value: Structure) -> list[Any] | None:
    """Return the elements of an array or a linked list, None for anything else."""
    from cassis.typesystem import is_array_fs, is_list_fs, is_non_empty_list_fs

    if is_array_fs(value):
        return list(value.elements or [])
    if not is_list_fs(value):
        return None
    elements: list[Any] = []
    visited: set[int] = set()
    while is_non_empty_list_fs(value) and id(value) not in visited:
        visited.add(id(value))
        elements.append(value.head)
        value = value.tail
    return elements


# UIMA CAS JSON 0.4: one file has text, types and annotations.

TYPES = "%TYPES"
STRUCTURES = "%FEATURE_STRUCTURES"
VIEWS = "%VIEWS"
NUMBER = re.compile(r"[0-9]{1,9}")
SOFA = "uima.cas.Sofa"
INITIAL_VIEW = "_InitialView"


def read_json_body(file: ExportFile) -> UnattributedMarks:
    """Return the text of the first view and what annotators did in it; the line is the record's number.

    Raises BadInput for files that are no CAS JSON or damaged, and for offsets outside the text.
    """
    # The object in the file; raise BadInput where types are not there, or features can't be.
    document = Record(file.name, 0, read_json(file))
    data: dict[str, Any] = expect(document, "", document.value, dict, "an object")
    if TYPES not in data:
        message = "is missing: the file does not declare its types."
        raise file.refused(message, "Export it with its type system.", key=TYPES)
    types = expect(document, TYPES, data[TYPES], dict, "an object")
    expect(document, VIEWS, data.get(VIEWS), dict, "an object")
    declared = [expect(document, key, features, dict, "an object") for key, features in types.items()]
    names = (name for features in declared for name in features if not name.startswith("%"))
    refuse_code(file, names, TYPES, AGAIN)
    # The feature structures in the order of the file; raise BadInput for all that are none.
    structures = data.get(STRUCTURES)
    if isinstance(structures, dict):  # its keys are the ids, as older versions have it
        values = [
            {**value, "%ID": int(key)} if isinstance(value, dict) and NUMBER.fullmatch(key) else value
            for key, value in structures.items()
        ]
    else:
        values = expect(Record(file.name, 0, structures), STRUCTURES, structures, list, "a list")
    sofas = [value for value in values if isinstance(value, dict) and value.get("%TYPE") == SOFA]
    texts = {str(sofa.get("%ID")): sofa.get("sofaString") for sofa in sofas}
    records = [Record(file.name, number, value) for number, value in enumerate(values, 1)]
    raws = for_each_record(records, lambda record: _raw(record, texts))
    check_structures(file, raws)
    return guarded(file, lambda: read_cas(file, _load_json(data), raws))


def _load_json(data: dict[str, Any]) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
    """Load the first view alone: dkpro-cassis can't read a second one, or one of another name."""
    from cassis import load_cas_from_json

    structures = data[STRUCTURES]
    raw_structures = structures.values() if isinstance(structures, dict) else structures
    of_sofas = [structure for structure in raw_structures if structure.get("%TYPE") == SOFA]
    sofas = [sofa for sofa in of_sofas if isinstance(sofa.get("sofaString"), str)]
    names = [sofa.get("sofaID") for sofa in sofas]
    chosen = INITIAL_VIEW if INITIAL_VIEW in names or not names else names[0]
    renamed = {chosen: INITIAL_VIEW, INITIAL_VIEW: chosen}
    for sofa in sofas:
        sofa["sofaID"] = renamed.get(sofa["sofaID"], sofa["sofaID"])
    view = data[VIEWS].get(chosen)
    return load_cas_from_json(json.dumps({**data, VIEWS: {INITIAL_VIEW: view} if view else {}}))


def _raw(record: Record, texts: Mapping[str, object]) -> RawStructure:
    value = expect(record, "", record.value, dict, "an object")
    identity = expect(record, "%ID", value.get("%ID"), int, "a number")
    kind = expect(record, "%TYPE", value.get("%TYPE"), str, "a text")
    text = texts.get(str(value.get("@sofa")))
    span = None
    if "begin" in value or "end" in value:
        start = expect(record, "begin", value.get("begin", 0), int, "a number")
        span = start, expect(record, "end", value.get("end", 0), int, "a number")
    return RawStructure(identity, record.line, kind, span, text if isinstance(text, str) else None)


# UIMA CAS JSON: the lossless export of INCEpTION in one file.

JSON_EXTENSIONS = (".json",)
JSON_READING = "UIMA CAS JSON: marks of the first view; lines are numbers of feature structures."


def recognises_json(file: ExportFile) -> bool:
    """Say whether the file is a JSON object with feature structures."""
    if not is_json(file) or STRUCTURES not in file.text:
        return False
    value = first_record(file)
    return isinstance(value, dict) and STRUCTURES in value


def read_json_files(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each file; raise BadInput with every fault of all files."""
    own, bodies, faulty = split_unreadable(files, read_json_body)
    return list_unreadable(
        project_export(files, bodies, options, (JSON_EXTENSIONS, JSON_READING), own), faulty
    )


JSON_READER = Reader(
    name="cas-json",
    title="UIMA CAS JSON 0.4",
    tool="INCEpTION, UIMA",
    extensions=JSON_EXTENSIONS,
    reads=(
        "Annotations of the first view with their features; if a feature has several strings, they "
        "are joined with |. Types without offsets are marks of the whole document. References, slots "
        "and relations."
    ),
    leaves_out=(
        "Tokens, sentences, tag sets and metadata, because they are not marks; annotations of other "
        "views, because they belong to another text; heads of chains, because they have no label of "
        "their own."
    ),
    recognises=recognises_json,
    read=read_json_files,
    says=(JSON_READING, OF_NO_VIEW),
)


# UIMA CAS XMI: a file of annotations, with its type system beside it or zipped with it.

ROOT = "XMI"
ID = "{http://www.omg.org/XMI}id"
CAS = "uima.cas."
SOFA_TYPE, VIEW, NULL = (f"{CAS}{name}" for name in ("Sofa", "View", "NULL"))
NO_NAMESPACE = "uima.noNamespace."
COREF_ANNOTATOR = "de.unistuttgart.ims.coref.annotator."
# Attributes that say where an annotation is; all others are features.
OFFSETS = (ID, "sofa", "begin", "end")
XMI_EXTENSIONS = (".xmi", ".xml", ".zip")
XMI_READING = "UIMA CAS XMI: marks of the first view."


# An XMI file, the path that says whose it is, and the type systems that come with it.
XmiFile = tuple[ExportFile, ExportFile, TypeSystems]


def recognises_xmi(file: ExportFile) -> bool:
    """Say whether the file is a CAS in XMI, or an archive of such files that is no whole project."""
    if is_zip(file):
        names = member_names(file)
        packed = any(name.lower().endswith(".xmi") for name in names)
        return packed and not any(map(is_description, names))
    return root_name(file) == ROOT and b"uima" in file.content  # other tools write XMI too


def read_xmi(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each XMI file, also of those in archives; a few faulty ones are left out.

    Raises BadInput with every fault of all where they are more.
    """
    systems = [TypeSystem(file) for file in files if is_type_system(file)]
    others = [file for file in files if not is_type_system(file)]
    shared = TypeSystems(systems)
    xmi_files = list(chain(*for_each(others, lambda file: _xmi_files(file, systems, shared))))
    if files and not xmi_files:
        remedy = "Add the XMI files that it belongs to."
        raise files[0].refused("is a type system without annotations.", remedy)
    asked = types_asked(options)
    given = _given_types(xmi_files) if options.surveyed and len(xmi_files) >= MANY else ()
    own, bodies, faulty = split_unreadable(
        xmi_files,
        lambda own: read_xmi_body(own[0], own[2], lambda kind: asked(kind) and kind not in given),
    )
    paths = [path for _, path, _ in own]
    return list_unreadable(
        project_export(files, bodies, options, (XMI_EXTENSIONS, XMI_READING), paths), faulty
    )


# Of a file: its text, and of each type how many structures it has and a digest of all that they say.
TypesOfFile = tuple[bytes, dict[str, tuple[int, bytes]]]


def _types_of(xmi_file: XmiFile) -> TypesOfFile:
    file, _, systems = xmi_file
    root = parse_xml(file)
    said: dict[str, list[str]] = {}
    for element in elements_in(root):
        kind = _type(element)
        if not kind.startswith(CAS) and not is_segmentation(kind):
            features = [f"{name}={value}" for name, value in element.items() if name not in (ID, "sofa")]
            said.setdefault(kind, []).append("\0".join(features))
    system = systems.fitting(file, set(said))
    references = system.references if system else {}
    plain = [kind for kind in said if not references.get(kind)]
    texts = [element.get("sofaString", "") for element in elements_in(root) if _type(element) == SOFA_TYPE]
    return _digest(texts), {kind: (len(said[kind]), _digest(sorted(said[kind]))) for kind in plain}


def _digest(texts: Iterable[str]) -> bytes:
    return blake2b("\1".join(texts).encode(), digest_size=16).digest()


def _given_types(xmi_files: Sequence[XmiFile]) -> set[str]:
    """Return the types whose structures say the same in every copy of a text: they were there before.

    None where all types are such: then whole copies are, and nothing tells what was there before.
    """
    _, files, _ = split_unreadable(xmi_files, _types_of)
    first: dict[tuple[bytes, str], bytes] = {}
    same, different = Counter[str](), set[str]()
    for text, types in files:
        for kind, (many, digest) in types.items():
            if (before := first.setdefault((text, kind), digest)) is not digest:
                same[kind] += many
                different |= {kind} if before != digest else set()
    given = {kind for kind, many in same.items() if many >= ENOUGH_GIVEN and kind not in different}
    every = {kind for _, types in files for kind in types}
    return given if given < every else set()


@forget_contents_after()
def _xmi_files(file: ExportFile, systems: Sequence[TypeSystem], shared: TypeSystems) -> list[XmiFile]:
    """Return the XMI file itself, or those of an archive, where a single one is called like the archive."""
    if not is_zip(file):
        return [(file, file, shared)]
    members, own_systems = unzipped(file)
    own = TypeSystems([*own_systems, *systems])
    path = PurePosixPath(file.name)
    if len(members) == 1:
        named = path.with_name(members[0].path.name) if TEMPORARY.fullmatch(path.stem) else path
        return [(members[0], ExportFile(members[0].path, str(named)), own)]
    folder = str(path.with_suffix(""))
    return [
        (member, ExportFile(member.path, folder + member.name.removeprefix(file.name)), own)
        for member in members
    ]


def unzipped(file: ExportFile) -> tuple[list[ExportFile], list[TypeSystem]]:
    """Return the XMI files and type systems of an archive.

    Raises BadInput for an archive that is damaged or dangerous, or has no XMI.
    """
    members = unpack(file)
    xmi_files = [member for member in members if member.suffix == ".xmi"]
    if not xmi_files:
        raise file.refused("has no XMI file.", AGAIN)
    return xmi_files, [TypeSystem(member) for member in members if is_type_system(member)]


def read_xmi_body(
    file: ExportFile, systems: TypeSystems, wanted: Callable[[str], bool] = lambda _: True
) -> UnattributedMarks:
    """Return the text of the first view and what annotators did in it.

    Structures of other types than `wanted` ones are counted where they refer to nothing, and nothing to them.
    Where no type system fits, features are read as they are written, with a warning. Raises BadInput for
    files that are no XMI or damaged, and for offsets outside the text.
    """
    root = parse_xml(file)
    if local_name(root) != ROOT:
        message = f"is an XML file of {local_name(root)} where XMI was expected."
        raise file.refused(message, "Export as UIMA CAS XMI.", 1)
    elements = [(element, _type(element)) for element in elements_in(root)]
    types = {kind for _, kind in elements if not kind.startswith((CAS, "uima.tcas."))}
    if any(name.startswith(COREF_ANNOTATOR) for name in types):
        message = "is a file of CorefAnnotator: chains of mentions (coreference), which are not compared yet."
        remedy = "To compare the mentions, export them from it, such as in the format of DKPro (XMI)."
        raise file.refused(message, remedy)
    system = systems.fitting(file, types)
    references = system.references if system else {}
    unwanted = {kind for kind in types if not wanted(kind) and not references.get(kind)}
    elements, gone = _needed(elements, unwanted, references)
    others: dict[str, tuple[int, int]] = {}
    for element, kind in gone:
        line, many = others.get(kind, (line_of_element(element), 0))
        others[kind] = line, many + 1
    structures = list(_raw_structures(file, elements))
    check_structures(file, structures)
    if system is None and types:
        body = _as_written(file, elements, types)
    else:

        def load() -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
            from cassis import load_cas_from_xmi

            content = io.BytesIO(_as_xml(root, elements))
            return load_cas_from_xmi(content, typesystem=system.loaded if system else None)

        body = guarded(file, lambda: read_cas(file, load(), structures))
    return replace(body, passed_over=others)


# An element of the root, and the name of its type.
Typed = tuple["Element", str]


def _raw_structures(file: ExportFile, elements: Sequence[Typed]) -> Iterator[RawStructure]:
    """Yield the feature structures in the order of the file; raise BadInput for offsets that are none."""
    texts = {element.get(ID): element.get("sofaString") for element, kind in elements if kind == SOFA_TYPE}
    for element, kind in elements:
        if kind not in {NULL, SOFA_TYPE, VIEW}:
            text, span = texts.get(element.get("sofa")), _span(file, element)
            yield RawStructure(_number(element.get(ID)), line_of_element(element), kind, span, text)


def _as_written(file: ExportFile, elements: Sequence[Typed], types: Collection[str]) -> UnattributedMarks:
    """Return what annotators did as far as no type system is needed: attributes are features, as texts.

    What the list of the first view has is a mark; references to others are numbers.
    """
    with_text = [sofa for sofa, kind in elements if kind == SOFA_TYPE and sofa.get("sofaString")]
    if not with_text:
        raise file.refused(NO_TEXT, WITH_TEXT)
    first = min(with_text, key=lambda sofa: sofa.get("sofaID") != INITIAL_VIEW)
    views = (view for view, kind in elements if kind == VIEW and view.get("sofa") == first.get(ID))
    members = {name for view in views for name in (view.get("members") or "").split()}
    text = str(first.get("sofaString"))
    units, marks, left_out = utf16(text), list[ParsedMark](), list[tuple[int, str]]()
    referred = {name for each, kind in elements if kind != VIEW for name in _may_refer_to(each, each.keys())}
    for element, kind in elements:
        line, span = line_of_element(element), _span(file, element)
        is_link = span is None and element.get("target") is not None and element.get(ID) in referred
        if kind.startswith(CAS) or is_segmentation(kind) or is_link:
            continue
        if element.get(ID) in members:
            spans = () if span is None else (code_points(units, file.name, line, span),)
            marks.append(ParsedMark(kind, spans, _features_as_written(element), line))
        elif span is not None:
            left_out.append((line, OF_NO_VIEW))
    shown = ", ".join(sorted(types, key=lambda name: (is_segmentation(name), name))[:3])
    message = (
        f"has no type system that declares {shown}: features are read as they are "
        "written, and what refers to another annotation is a number."
    )
    remedy = "Put TypeSystem.xml, which is exported with it, into the same folder."
    inside = attribution((kind, dict(element.attrib)) for element, kind in elements)
    warning = file.problem(message, remedy)
    return UnattributedMarks(file.name, text, marks, left_out=left_out, warning=warning, inside=inside)


def _needed(
    elements: Sequence[Typed], unwanted: Collection[str], references: Mapping[str, Collection[str]]
) -> tuple[list[Typed], list[Typed]]:
    """Return the elements, but for tokens, sentences and unwanted types to which none refers; and the latter.

    They are most of a document, and to make structures of them is most of the work of reading it. Metadata
    say whose the copy is, and a structure without an id is for dkpro-cassis to refuse. What has no
    `references` known may refer to others by any attribute.
    """
    aside = {kind for _, kind in elements if kind in unwanted or is_segmentation(kind)}
    aside = {kind for kind in aside if kind.rpartition(".")[2] != METADATA}
    by_id = {name: each for each in elements if each[1] in aside and (name := each[0].get(ID))}
    referring = [each for each in elements if each[1] not in {*aside, SOFA_TYPE, VIEW}]
    referred = set[str]()
    while referring:
        names = {
            name
            for element, kind in referring
            for name in _may_refer_to(element, references.get(kind, element.keys()))
            if name in by_id
        }
        referring = [by_id[name] for name in names - referred]
        referred |= names
    gone = by_id.keys() - referred
    needed = [(element, kind) for element, kind in elements if element.get(ID) not in gone]
    others = [(element, kind) for element, kind in elements if kind in unwanted and element.get(ID) in gone]
    return needed, others


def _as_xml(root: "Element", elements: Sequence[Typed]) -> bytes:
    """Return the XML of some elements; they are taken out of `root`, but keep their lines."""
    from lxml import etree

    ids = {element.get(ID) for element, _ in elements}
    whole = etree.Element(root.tag, root.attrib, root.nsmap)
    whole.extend([element for element, _ in elements])
    for element, kind in elements:
        if kind == VIEW:
            members = (element.get("members") or "").split()
            element.set("members", " ".join(name for name in members if name in ids))
    return etree.tostring(whole, encoding="utf-8")


def _may_refer_to(element: "Element", features: Iterable[str]) -> Iterator[str]:
    """Yield whatever in some attributes of a structure could be the id of another."""
    for name in features:
        if name not in OFFSETS:
            yield from element.get(name, "").split()


def _type(element: "Element") -> str:
    return _type_of(str(element.tag))


@lru_cache(maxsize=1024)
def _type_of(tag: str) -> str:
    """Return the name of a type: {http:///webanno/custom.ecore}Span is webanno.custom.Span."""
    space, _, name = tag.removeprefix("{").rpartition("}")
    package = space.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}".removeprefix(NO_NAMESPACE)


def _number(written: str | None) -> int | None:
    return int(written) if written is not None and NUMBER.fullmatch(written) else None


def _span(file: ExportFile, element: "Element") -> Span | None:
    if element.get("begin") is None and element.get("end") is None:
        return None
    start, end = _number(element.get("begin", "0")), _number(element.get("end", "0"))
    if start is None or end is None:
        message = f'is from "{element.get("begin")}" to "{element.get("end")}", which are not offsets.'
        raise file.refused(message, AGAIN, line_of_element(element))
    return start, end


def _features_as_written(element: "Element") -> dict[str, str]:
    """Return the attributes, and elements inside, which are the members of a list of texts."""
    features = {str(name): str(text) for name, text in element.attrib.items() if name not in OFFSETS}
    for name in dict.fromkeys(map(local_name, children(element))):
        members = [text_of(child) for child in children(element, name)]
        features[name] = SetLabel(SET_SEPARATOR.join(members), members)
    return features


XMI_READER = Reader(
    name="cas-xmi",
    title="UIMA CAS XMI",
    tool="INCEpTION, WebAnno, UIMA",
    extensions=XMI_EXTENSIONS,
    reads=JSON_READER.reads,
    leaves_out=f"{JSON_READER.leaves_out} Relations and slots too if the type system is missing.",
    recognises=recognises_xmi,
    read=read_xmi,
    accompanies=is_type_system,
    says=(XMI_READING,),
)


# INCEpTION: a whole project, packed or unpacked, with who annotated what and how far.

DESCRIPTION = "exportedproject"
STATES: dict[str, State] = {"NEW": "unseen", "IGNORE": "skipped", "IN_PROGRESS": "seen", "FINISHED": "seen"}
PLAIN_TEXT = "text"
DOCUMENTS, COPIES = "source_documents", "annotation_documents"
EXTENSIONS = (".zip",)
OWN_FORMAT = ".ser"
ANNOTATION, CURATION, SOURCE = "annotation/", "curation/", "source/"
# Where else the tool puts what it exports.
OTHER_PLACES = ("log/", "event.log")
# Where a copy is there in several formats, the one that loses least.
COPY_FORMATS = (".json", ".xmi", ".tsv")
FORMATS = (".json", ".zip", ".xmi", ".tsv")
# What the tool calls an archive of a copy where it does not call it after the annotator.
TEMPORARY = re.compile(r"webanno\d+(?:export)?")
READING = (
    "INCEpTION project: copies and their states as the project lists them; curated ones are a reference."
)
NEVER_OPENED = "of a copy that its annotator never opened"
PROJECT_AGAIN = "Export the project again"

# The folder of a file in a project, its document, and whose it is.
MemberKey = tuple[str, str, str]


@dataclass(frozen=True)
class _Project:
    """A project: documents and states as its description has them, files, and type systems.

    `file` is its archive or description, `name` that of the archive or folder; `documents` says of each
    whether it was plain text; `states` are by document and annotator; `unread` are the endings of copies in
    other formats.
    """

    file: ExportFile
    name: str
    documents: Mapping[str, bool]
    states: Mapping[tuple[str, str], State]
    files: Mapping[MemberKey, ExportFile]
    systems: dict[bytes, TypeSystem]
    unread: Sequence[str]


def is_description(name: str) -> bool:
    """Say whether a file is called as the description of a project."""
    own_name = PurePosixPath(name).name
    return own_name.startswith(DESCRIPTION) and own_name.endswith(".json")


def recognises(file: ExportFile) -> bool:
    """Say whether the file describes a project, or is an archive with such a file."""
    if is_zip(file):
        return any(map(is_description, member_names(file)))
    if not (is_description(file.name) and is_json(file)):
        return False
    project = first_record(file)
    return isinstance(project, dict) and DOCUMENTS in project


def accompanies(file: ExportFile) -> bool:
    """Say whether the file is where an unpacked project has its copies, texts and logs."""
    places = (ANNOTATION, CURATION, SOURCE, *OTHER_PLACES)
    return file.suffix != OWN_FORMAT and any(f"/{place}" in f"/{file.name}" for place in places)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:  # noqa: ARG001 - the project says it all
    """Return each annotator's copies of all projects, and the curators' as a reference.

    Raises BadInput for archives that are damaged or dangerous, projects that have no copy in a format that
    can be read, and with every fault of the copies.
    """
    # Each archive alone, and each description with the files below its folder.
    projects: list[tuple[ExportFile, Sequence[ExportFile]]] = []
    for file in files:
        if is_zip(file) and not accompanies(file):
            projects.append((file, ()))
        elif is_description(file.name) and not accompanies(file):
            folder = file.name.removesuffix(file.path.name)
            projects.append((file, [other for other in files if other.name.startswith(folder)]))
    exports = for_each(projects, lambda own: _export(_open(*own)))
    return Export(
        list(chain(*(export.copies for export in exports))),
        READING,
        tuple(file.source for file in files),
        tuple(chain(*(export.left_out for export in exports))),
        by_feature=True,
        warnings=tuple(chain(*(export.warnings for export in exports))),
    )


def _open(file: ExportFile, unpacked: Sequence[ExportFile]) -> _Project:
    """Return the project of an archive, or of a description and the files below its folder.

    Who zips a project again puts a folder around it.
    """
    outer = "" if unpacked else f"{file.name}/"
    names = [f"{outer}{name}" for name in member_names(file)] if not unpacked else [file.name]
    descriptions = [name for name in names if is_description(name)]
    if not descriptions:
        message = "has no exportedproject.json: it is not an export of a project."
        raise file.refused(message, "Export the whole project.")
    highest = min(name.count("/") for name in descriptions)
    descriptions = sorted(name for name in descriptions if name.count("/") == highest)
    if len(descriptions) > 1:
        shown = ", ".join(name.removeprefix(outer) for name in descriptions)
        message = f"has {len(descriptions)} descriptions of a project, where one was expected: {shown}."
        raise file.refused(message, f"{PROJECT_AGAIN}.")
    folder = descriptions[0].rpartition("/")[0]
    below = f"{folder}/" if folder else ""
    inside = below.removeprefix(outer)
    wanted = tuple(f"{inside}{name}" for name in (DESCRIPTION, ANNOTATION, CURATION, SOURCE))
    members = unpacked or unpack(file, wanted)
    by_name = {nfc(member.name.removeprefix(below)): member for member in members}
    description = next(member for member in members if member.name == descriptions[0])
    documents, states = read_description(description)
    systems = {member.content: TypeSystem(member) for member in members if is_type_system(member)}
    unread = {
        member.suffix or member.path.name
        for name, member in by_name.items()
        if name.startswith(ANNOTATION) and not name.endswith(FORMATS)
    }
    return _Project(file, folder, documents, states, _by_key(by_name, states), systems, sorted(unread))


def read_description(file: ExportFile) -> tuple[dict[str, bool], dict[tuple[str, str], State]]:
    """Return the documents, with whether each was plain text, and the states of annotators' copies of them.

    Raises BadInput with all that is not as it should be.
    """
    document = Record(file.name, 0, read_json(file))
    project = expect(document, "", document.value, dict, "an object")

    def records(key: str) -> list[Record]:
        contents = expect(document, key, project.get(key) or [], list, "a list")
        return [Record(file.name, number, content) for number, content in enumerate(contents, 1)]

    documents, of_documents = tried(
        records(DOCUMENTS),
        lambda record: (*_texts(record, DOCUMENTS, "name"), record.value.get("format") == PLAIN_TEXT),
    )
    states, of_states = tried(records(COPIES), _state)
    raise_first_problems([*of_documents, *of_states])
    return dict(documents), dict(states)


def _texts(record: Record, where: str, *keys: str) -> list[str]:
    content = expect(record, where, record.value, dict, "an object")
    texts = for_each(keys, lambda key: str(expect(record, key, content.get(key), str, "a text")))
    return [nfc(text) for text in texts]


def _state(record: Record) -> tuple[tuple[str, str], State]:
    document, user, state = _texts(record, COPIES, "name", "user", "state")
    if state not in STATES:
        message = f'is "{state[:40]}" where one of {", ".join(STATES)} was expected.'
        raise record.refused(message, f"{PROJECT_AGAIN}.", key="state")
    return (document, user), STATES[state]


def _by_key(
    by_name: Mapping[str, ExportFile], states: Mapping[tuple[str, str], State]
) -> dict[MemberKey, ExportFile]:
    """Return the readable copies, and the sources, which are nobody's."""
    users = {CURATOR, TEMPLATE, *(user for _, user in states)}
    copies = [
        (name, member)
        for suffix in FORMATS
        for name, member in by_name.items()
        if name.endswith(suffix) and name.startswith((ANNOTATION, CURATION))
    ]
    whose = for_each(copies, lambda copy: _annotators(copy[1], users))
    files: dict[MemberKey, ExportFile] = {}
    for (name, member), annotators in zip(copies, whose, strict=True):
        folder, _, path = name.partition("/")
        for annotator in annotators:
            files.setdefault((f"{folder}/", path.rpartition("/")[0], annotator), member)
    sources = {
        (SOURCE, name.removeprefix(SOURCE), ""): by_name[name] for name in by_name if name.startswith(SOURCE)
    }
    return files | sources


def _annotators(copy: ExportFile, users: Collection[str]) -> list[str]:
    """Return whose a copy is: the user after whom it is called, or what is packed in it."""
    own_name = _stem(copy.name)
    if copy.suffix != ".zip" or own_name in users:
        return [own_name]
    packed = {_stem(name): 0 for name in member_names(copy) if name.lower().endswith(COPY_FORMATS)}
    known = [name for name in packed if name in users]
    return known or (list(packed) if packed and TEMPORARY.fullmatch(own_name) else [own_name])


def _stem(name: str) -> str:
    """Return the name of a file without its folder and extension."""
    return nfc(name.rpartition("/")[2].rpartition(".")[0])


def _export(project: _Project) -> Export:
    # Where copies are that were opened: those that the project lists, then others that are there.
    listed = [(ANNOTATION, document, annotator) for document, annotator in project.states]
    others = sorted(key for key in project.files if key[0] in (ANNOTATION, CURATION))
    keys = [
        key
        for key in dict.fromkeys([*listed, *others])
        if key in project.files and project.states.get(key[1:]) != "unseen"
    ]
    missing = [key for key in _listed(project) if key not in project.files]
    if missing and not keys:
        raise _nothing_readable(project)
    keys, bodies, faulty = split_unreadable(keys, lambda key: _body(project, key))
    names = [FileAttribution(annotator, document) for _, document, annotator in keys]
    export = list_unreadable(export_of([project.file], bodies, names, READING, project=True), faulty)
    copies = [
        replace(copy, state=project.states.get((copy.document, copy.annotator), "seen"))
        for copy in export.copies
    ]
    left_out = [
        mark
        for (document, annotator), state in project.states.items()
        if state == "unseen" and (key := (ANNOTATION, document, annotator)) in project.files
        for mark in _body(project, key).all_left_out(annotator, NEVER_OPENED)
    ]
    return replace(
        export,
        copies=[*copies, *_unseen(project, copies)],
        left_out=(*export.left_out, *left_out),
        warnings=(*export.warnings, *(_lacking(project, *key) for key in missing)),
    )


def _listed(project: _Project) -> list[MemberKey]:
    """Return where copies are that somebody worked on, as the project says."""
    return [
        (ANNOTATION, document, annotator)
        for (document, annotator), state in project.states.items()
        if state == "seen"
    ]


def _nothing_readable(project: _Project) -> BadInput:
    message = "has annotations only in the tool's own format (.ser), which nothing else reads."
    if project.unread:
        endings = ", ".join(project.unread)
        message = (
            f"has its copies as {endings}, and such files keep neither the layers nor the text as they are."
        )
    remedy = f"{PROJECT_AGAIN} and choose WebAnno TSV 3.3 or UIMA CAS JSON as the secondary format."
    return project.file.refused(message, remedy)


def _lacking(project: _Project, folder: str, document: str, annotator: str) -> Problem:
    """Return what to say of a copy that somebody worked on and that is not there, which is not compared."""
    place = "/".join(part for part in (project.name, f"{folder}{document}") if part)
    message = f'lacks the copy of "{annotator}", who worked on it, and is compared without it.'
    remedy = (
        f"INCEpTION exports no copy of a user who was deleted. {PROJECT_AGAIN} when the user is there again."
    )
    return Problem(place, message=message, remedy=remedy)


def _body(project: _Project, key: MemberKey) -> UnattributedMarks:
    file = project.files[key]
    if file.suffix == ".zip":
        # An annotator's copy in an archive, and the type systems beside it. Raises BadInput for an archive
        # that is damaged or dangerous, or where it is not clear which file it is.
        annotator = key[2]
        members = unpack(file)
        copies = [member for suffix in COPY_FORMATS for member in members if member.suffix == suffix]
        own = [member for member in copies if _stem(member.name) == annotator] or copies
        if len({_stem(member.name) for member in own}) != 1:
            message = f'has {len(own)} files that could be the copy of "{annotator}", where one was expected.'
            raise file.refused(message, f"{PROJECT_AGAIN}.")
        file, systems = own[0], [TypeSystem(member) for member in members if is_type_system(member)]
        # Every copy comes with the type system; as a rule it is the same one each time.
        shared = [project.systems.setdefault(system.file.content, system) for system in systems]
    else:
        shared = list(project.systems.values())
    if file.suffix == ".json":
        return read_json_body(file)
    if file.suffix == ".tsv":
        return read_body(file)
    return read_xmi_body(file, TypeSystems(shared))


def _unseen(project: _Project, copies: Sequence[DocumentCopy]) -> Iterator[DocumentCopy]:
    """Yield a copy for each document that an annotator did not open, or skipped without leaving a file."""
    with_copy = {(copy.document, copy.annotator) for copy in copies}
    with_text = {copy.document for copy in copies if copy.text is not None}
    # What somebody did in a copy that is not there is unknown.
    known = {pair: state for pair, state in project.states.items() if state != "seen" or pair in with_copy}
    annotators = dict.fromkeys(annotator for _, annotator in known)
    for document in dict.fromkeys([*project.documents, *(name for name, _ in project.states)]):
        # Of a document that nobody opened the text is known if it was imported as plain text.
        source = project.files.get((SOURCE, document, "")) if project.documents.get(document) else None
        is_plain = document not in with_text and source is not None and source.is_text()
        text = source.text if source is not None and is_plain else None
        for annotator in annotators:
            pair = document, annotator
            is_missing = pair in project.states and pair not in known
            if not is_missing and pair not in with_copy and annotator not in (CURATOR, TEMPLATE):
                place = "/".join(part for part in (project.name, f"{ANNOTATION}{document}") if part)
                yield DocumentCopy(document, annotator, place, text, state=known.get(pair, "unseen"))


READER = Reader(
    name="inception",
    title="INCEpTION project",
    tool="INCEpTION",
    extensions=EXTENSIONS,
    reads=(
        "Every annotator's copies in the secondary format (CAS JSON, CAS XMI or WebAnno TSV), with "
        "who opened, finished or skipped which document. The curator's copies are a reference."
    ),
    leaves_out=(
        "The tool's own .ser files, because no other program reads them; marks in the template, or in "
        "copies that nobody opened; recommenders, tag sets, logs and settings, because they are not "
        "marks."
    ),
    recognises=recognises,
    read=read,
    accompanies=accompanies,
    says=(READING, NEVER_OPENED),
)
