"""UIMA CAS: its type systems, what annotators did, told from tokens and bookkeeping, and its JSON."""

import io
import json
import keyword
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, in_plain_words, quoted, tried
from reportgen.readers.annotations import Span
from reportgen.readers.json_records import (
    Record,
    as_text,
    expect,
    first_record,
    for_each_record,
    is_json,
    read_json,
)
from reportgen.readers.naming import Body, FileAttribution, project_export, with_faulty, without_faulty
from reportgen.readers.places import Offsets, code_points, utf16
from reportgen.readers.reader import (
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    SetLabel,
    refuse,
)
from reportgen.readers.untrusted import parse_xml, root_name

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
    refuse(
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
    refuse(problems)


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


def read_cas(file: ExportFile, cas: Structure, raws: Sequence[RawStructure]) -> Body:
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
    refuse(  # a mark may lie within the text of another view
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
    return Body(file.name, text, marks, relations, left_out, inside=inside)


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


def read_json_body(file: ExportFile) -> Body:
    """Return the text of the first view and what annotators did in it; the line is the record's number.

    Raises BadInput for files that are no CAS JSON or damaged, and for offsets outside the text.
    """
    data = _checked_object(file)
    raws = _json_raws(file, data)
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


def _checked_object(file: ExportFile) -> dict[str, Any]:
    """Return the object in the file; raise BadInput where types are not there, or features can't be."""
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
    return data


def _json_raws(file: ExportFile, data: dict[str, Any]) -> list[RawStructure]:
    """Return the feature structures in the order of the file; raise BadInput for all that are none."""
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
    return for_each_record(records, lambda record: _raw(record, texts))


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
    own, bodies, faulty = without_faulty(files, read_json_body)
    return with_faulty(project_export(files, bodies, options, (JSON_EXTENSIONS, JSON_READING), own), faulty)


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
