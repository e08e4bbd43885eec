"""UIMA CAS, in JSON and in XMI: what annotators did, told from tokens and bookkeeping."""

import io
import json
import keyword
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from reportgen.base.errors import BadInput, Problem, for_each, tried
from reportgen.readers.json_records import (
    Record,
    as_text,
    expect,
    first_record,
    for_each_record,
    is_json,
    read_json,
)
from reportgen.readers.naming import Body, project_export
from reportgen.readers.offsets import Utf16, code_points
from reportgen.readers.reader import (
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    SetLabel,
    Span,
    refuse,
)
from reportgen.readers.untrusted import (
    children,
    is_zip,
    line_of,
    local_name,
    member_names,
    parse_xml,
    root_name,
    text_of,
    unpack,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# What is checked of a UIMA CAS before dkpro-cassis reads it, and what it makes of damaged files.

SEGMENTATION = frozenset(
    {"Token", "Sentence", "DocumentMetaData", "DocumentAnnotation", "TagDescription", "TagsetDescription"}
)
BOOKKEEPING = "de.tudarmstadt.ukp.clarin.webanno.api.type."
OWN_LAYERS = ("custom.", "webanno.custom.")
AGAIN = "Export the document again."
REASON_SHOWN = 200

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Raw:
    """A feature structure as the file has it: id, line (or number), type, and UTF-16 offsets if any."""

    id: int | None
    line: int
    type: str
    span: Span | None
    text: str | None


def guarded(file: ExportFile, step: Callable[[], Found]) -> Found:
    """Return the step's result; raise BadInput for whatever dkpro-cassis makes of a damaged file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return step()
    except BadInput:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises whatever its code stumbles over
        said = " ".join(str(error).split())[:REASON_SHOWN].removesuffix(".")
        raise file.refused(f"is a damaged CAS: {type(error).__name__}: {said}.", AGAIN) from None


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
        file.problem(f'declares the feature "{name[:40]}", which is no plain name.', remedy, key=key)
        for name in names
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__")
    )


def check(file: ExportFile, raws: Sequence[Raw]) -> None:
    """Raise BadInput for ids that come twice, and for offsets that are not those of a stretch of text."""
    problems: list[Problem] = []
    known: set[int | None] = set()
    units = {text: Utf16(text) for text in {raw.text for raw in raws if raw.span} if text is not None}
    for raw in raws:
        if raw.id is not None and raw.id in known:
            message = f"has the id {raw.id}, which another annotation has too."
            problems.append(file.problem(message, AGAIN, raw.line))
        known.add(raw.id)
        problems += tried([raw], lambda each: _check_span(file, each, units))[1]
    refuse(problems)


def _check_span(file: ExportFile, raw: Raw, units: Mapping[str, Utf16]) -> None:
    if raw.span is None or raw.text is None:
        return
    start, end = code_points(units[raw.text], file.name, raw.line, raw.span)
    if not 0 <= start <= end <= len(raw.text):
        message = (
            f"from {raw.span[0]} to {raw.span[1]} does not lie within the text, which has {len(raw.text):,}"
        )
        raise file.refused(f"{message} characters.", AGAIN, raw.line)


# What annotators did in a UIMA CAS: marks, relations and slots, told from tokens and bookkeeping.

BUILT_IN = frozenset({"sofa", "begin", "end"})
# dkpro-cassis calls two features otherwise, as Python has these names.
RENAMED = {"self_": "self", "type_": "type"}
SET_SEPARATOR = "|"

OF_NO_VIEW = "of another view of the document than the first, or of none"

# A feature structure of dkpro-cassis, which carries no types.
Structure = Any


# The features of a structure: values, references to one structure, and members of arrays.
Values = tuple[Mapping[str, str], Sequence[tuple[str, int]], Sequence[tuple[str, Structure]]]


def read_cas(file: ExportFile, cas: Structure, raws: Sequence[Raw]) -> Body:
    """Return the text of the first view and what annotators did in it.

    Raises BadInput where no view has a text, and for features whose values are no texts or numbers.
    """
    with_text = [view for view in cas.views if isinstance(view.sofa.sofaString, str)]
    if not with_text:
        raise file.refused("has no text.", "Export the document with its text.")
    view = next((view for view in with_text if view.sofa.sofaID == INITIAL_VIEW), with_text[0])
    lines = {raw.id: (place, raw.line) for place, raw in enumerate(raws)}
    found = {structure.xmiID: structure for structure in view.get_all_fs()}
    ordered = sorted(found.values(), key=lambda each: lines.get(each.xmiID, (0, 0)))
    structures = [each for each in ordered if not is_segmentation(each.type.name)]
    values = [_values(file, each, lines[each.xmiID][1]) for each in structures]
    text = view.sofa.sofaString
    refuse(  # a mark may lie within the text of another view
        file.problem("does not lie within the text.", AGAIN, lines[each.xmiID][1])
        for each in structures
        for start, end in _spans(each)
        if not 0 <= start <= end <= len(text)
    )
    marks, relations = _sorted_out(structures, values, lines)
    left_out = [
        (raw.line, OF_NO_VIEW)
        for raw in raws
        if raw.span is not None and raw.id not in found and not is_segmentation(raw.type)
    ]
    return Body(file.name, text, marks, relations, left_out)


def _sorted_out(
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
    types = {each.type.name: each for each in structures}
    of_relations = {name for name, each in types.items() if _is_relation(each)}
    for structure, (features, references, members) in zip(structures, values, strict=True):
        kind, line = structure.type.name, lines[structure.xmiID][1]
        spans = _spans(structure)
        if kind in of_relations:
            arguments = tuple((name, str(target)) for name, target in references)
            relations.append(Relation(kind, arguments, features, line))
        elif spans or (features and structure.xmiID not in named):
            name = str(structure.xmiID) if structure.xmiID in named or references or members else ""
            marks.append(ParsedMark(kind, spans, features, line, name))
            relations += [_between(structure, name, target, {}, line) for name, target in references]
        for name, member in members:  # a link or, without one, what fills the slot
            target = _target(member)
            of_link = _features(member) if target else ()
            said = {key: as_text(value) for key, value in of_link if _is_plain(value)}
            relations.append(_between(structure, name, (target or member).xmiID, said, line))
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

    ranges = [each.rangeType for each in structure.type.all_features if each.name not in BUILT_IN]
    return sum(not (is_primitive(each) or is_array(each) or is_list(each)) for each in ranges) > 1


def _between(
    structure: Structure, feature: str, target: int, features: Mapping[str, str], line: int
) -> Relation:
    arguments = (("host", str(structure.xmiID)), ("target", str(target)))
    return Relation(f"{structure.type.name}|{feature}", arguments, features, line)


def _features(structure: Structure) -> Iterator[tuple[str, Any]]:
    """Yield the features that a structure has, with what they hold."""
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
        elif elements is not None and all(_is_plain(each) for each in elements):
            said = [as_text(each) for each in elements]
            features |= {name: SetLabel(SET_SEPARATOR.join(said), said)} if elements else {}
        elif elements is not None and all(map(_is_structure, elements)):
            members += [(name, each) for each in elements]
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
    seen: set[int] = set()
    while is_non_empty_list_fs(value) and id(value) not in seen:
        seen.add(id(value))
        elements.append(value.head)
        value = value.tail
    return elements


# UIMA CAS JSON 0.4: one file holds text, types and annotations.

TYPES = "%TYPES"
STRUCTURES = "%FEATURE_STRUCTURES"
VIEWS = "%VIEWS"
SOFA = "uima.cas.Sofa"
INITIAL_VIEW = "_InitialView"


def read_json_body(file: ExportFile) -> Body:
    """Return the text of the first view and what annotators did in it; the line is the record's number.

    Raises BadInput for files that are no CAS JSON or damaged, and for offsets outside the text.
    """
    data = _checked(file)
    raws = _json_raws(file, data)
    check(file, raws)
    return guarded(file, lambda: read_cas(file, _load_json(data), raws))


def _load_json(data: dict[str, Any]) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
    """Load the first view alone: dkpro-cassis can't read a second one, or one of another name."""
    from cassis import load_cas_from_json

    structures = data[STRUCTURES]
    every = structures.values() if isinstance(structures, dict) else structures
    sofas = [each for each in every if each.get("%TYPE") == SOFA and isinstance(each.get("sofaString"), str)]
    names = [each.get("sofaID") for each in sofas]
    chosen = INITIAL_VIEW if INITIAL_VIEW in names or not names else names[0]
    renamed = {chosen: INITIAL_VIEW, INITIAL_VIEW: chosen}
    for sofa in sofas:
        sofa["sofaID"] = renamed.get(sofa["sofaID"], sofa["sofaID"])
    view = data[VIEWS].get(chosen)
    return load_cas_from_json(json.dumps({**data, VIEWS: {INITIAL_VIEW: view} if view else {}}))


def _checked(file: ExportFile) -> dict[str, Any]:
    """Return the object in the file; raise BadInput where types are not there, or features can't be."""
    whole = Record(file.name, 0, read_json(file))
    data: dict[str, Any] = expect(whole, "", whole.value, dict, "an object")
    if TYPES not in data:
        message = "is missing: the file does not declare its types."
        raise file.refused(message, "Export it with its type system.", key=TYPES)
    types = expect(whole, TYPES, data[TYPES], dict, "an object")
    expect(whole, VIEWS, data.get(VIEWS), dict, "an object")
    declared = [expect(whole, key, each, dict, "an object") for key, each in types.items()]
    refuse_code(file, (name for each in declared for name in each if not name.startswith("%")), TYPES, AGAIN)
    return data


def _json_raws(file: ExportFile, data: dict[str, Any]) -> list[Raw]:
    """Return the feature structures in the order of the file; raise BadInput for all that are none."""
    structures = data.get(STRUCTURES)
    if isinstance(structures, dict):  # its keys are the ids, as older versions have it
        values = [
            {**value, "%ID": int(key)} if isinstance(value, dict) and NUMBER.fullmatch(key) else value
            for key, value in structures.items()
        ]
    else:
        values = expect(Record(file.name, 0, structures), STRUCTURES, structures, list, "a list")
    sofas = [each for each in values if isinstance(each, dict) and each.get("%TYPE") == SOFA]
    texts = {str(each.get("%ID")): each.get("sofaString") for each in sofas}
    records = [Record(file.name, number, value) for number, value in enumerate(values, 1)]
    return for_each_record(records, lambda record: _raw(record, texts))


def _raw(record: Record, texts: Mapping[str, object]) -> Raw:
    value = expect(record, "", record.value, dict, "an object")
    identity = expect(record, "%ID", value.get("%ID"), int, "a number")
    kind = expect(record, "%TYPE", value.get("%TYPE"), str, "a text")
    text = texts.get(str(value.get("@sofa")))
    span = None
    if "begin" in value or "end" in value:
        start = expect(record, "begin", value.get("begin", 0), int, "a number")
        span = start, expect(record, "end", value.get("end", 0), int, "a number")
    return Raw(identity, record.line, kind, span, text if isinstance(text, str) else None)


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
    return project_export(files, for_each(files, read_json_body), options, (JSON_EXTENSIONS, JSON_READING))


JSON_READER = Reader(
    name="cas-json",
    title="UIMA CAS JSON 0.4",
    tool="INCEpTION, UIMA",
    extensions=JSON_EXTENSIONS,
    reads=(
        "Annotations of the first view with their features, values of several strings joined by |; types "
        "without a place in the text as marks of the document; references, slots and relations."
    ),
    leaves_out=(
        "Tokens, sentences, tag sets and metadata, which are no marks; annotations of other views, which "
        "belong to another text; heads of chains, which have nothing of their own."
    ),
    recognises=recognises_json,
    read=read_json_files,
)


# UIMA CAS XMI: a file of annotations, and beside it the type system that says what they mean.

ROOT = "XMI"
TYPE_SYSTEM_ROOT = "typeSystemDescription"
ID = "{http://www.omg.org/XMI}id"
CAS = "uima.cas."
NO_NAMESPACE = "uima.noNamespace."
NUMBER = re.compile(r"[0-9]{1,9}")
# Attributes that say where an annotation is; all others are features.
PLACE = (ID, "sofa", "begin", "end")


class TypeSystem:
    """A type system file; it is read when it is first needed, and once."""

    def __init__(self, file: ExportFile) -> None:
        self.file = file

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the types that it declares; raises BadInput for XML that can't be a type system."""
        root = parse_xml(self.file)
        refuse_code(self.file, _names(root, "feature"))
        return frozenset(_names(root, "type"))

    @cached_property
    def loaded(self) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
        """What dkpro-cassis makes of it, None if it declares nothing; raises BadInput where it can't."""
        from cassis import load_typesystem

        if not self.names:  # reading them refuses names that could be code, before they are compiled
            return None
        return guarded(self.file, lambda: load_typesystem(io.BytesIO(self.file.content)))


def _names(root: "Element", what: str) -> list[str]:
    return [(each.text or "").strip() for each in root.iterfind(f".//{{*}}{what}Description/{{*}}name")]


def read_xmi_body(file: ExportFile, systems: Sequence[TypeSystem]) -> Body:
    """Return the text of the first view and what annotators did in it.

    Of the type systems that of the same name counts, else the first in the same folder, then anywhere,
    that declares all types of the file. Where there is none, features are read as they are written, with a
    warning. Raises BadInput for files that are no XMI or damaged, and for offsets outside the text.
    """
    root = parse_xml(file)
    if local_name(root) != ROOT:
        message = f"is an XML file of {local_name(root)} where XMI was expected."
        raise file.refused(message, "Export as UIMA CAS XMI.", 1)
    raws = list(_xmi_raws(file, root))
    check(file, raws)
    system = _fitting(file, raws, systems)
    if system is None and (used := _own_types(raws)):
        return _read_as_written(file, root, used)

    def load() -> Structure:
        from cassis import load_cas_from_xmi

        return load_cas_from_xmi(io.BytesIO(file.content), typesystem=system.loaded if system else None)

    return guarded(file, lambda: read_cas(file, load(), raws))


def _xmi_raws(file: ExportFile, root: "Element") -> Iterator[Raw]:
    """Yield the feature structures in the order of the file; raise BadInput for offsets that are none."""
    texts = {each.get(ID): each.get("sofaString") for each in children(root) if _type(each) == f"{CAS}Sofa"}
    for each in children(root):
        if _type(each) not in {f"{CAS}NULL", f"{CAS}Sofa", f"{CAS}View"}:
            text = texts.get(each.get("sofa"))
            yield Raw(_number(each.get(ID)), line_of(each), _type(each), _xmi_span(file, each), text)


def _type(element: "Element") -> str:
    """Return the name of a type: {http:///webanno/custom.ecore}Span is webanno.custom.Span."""
    space, _, name = str(element.tag).removeprefix("{").rpartition("}")
    package = space.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}".removeprefix(NO_NAMESPACE)


def _number(written: str | None) -> int | None:
    return int(written) if written is not None and NUMBER.fullmatch(written) else None


def _xmi_span(file: ExportFile, element: "Element") -> Span | None:
    if element.get("begin") is None and element.get("end") is None:
        return None
    start, end = _number(element.get("begin", "0")), _number(element.get("end", "0"))
    if start is None or end is None:
        message = f'is from "{element.get("begin")}" to "{element.get("end")}", which are no offsets.'
        raise file.refused(message, AGAIN, line_of(element))
    return start, end


def _fitting(file: ExportFile, raws: Sequence[Raw], systems: Sequence[TypeSystem]) -> TypeSystem | None:
    """Return the type system of a file, None where there is none."""
    used = _own_types(raws)
    ranked = sorted(systems, key=lambda system: _distance(file, system.file))
    # What is missing in one that is beside the file is named when the CAS is loaded.
    beside = [system for system in ranked[:1] if _distance(file, system.file)[0] <= 1]
    return next((system for system in ranked if used <= system.names), next(iter(beside), None))


def _own_types(raws: Sequence[Raw]) -> set[str]:
    return {raw.type for raw in raws if not raw.type.startswith(("uima.cas.", "uima.tcas."))}


def _read_as_written(file: ExportFile, root: "Element", used: Collection[str]) -> Body:
    """Return what annotators did as far as no type system is needed: attributes are features, as texts.

    What stands in the list of the first view is a mark; references to others are numbers.
    """
    text, members = _listed_in_first_view(file, root)
    units, marks, left_out = Utf16(text), list[ParsedMark](), list[tuple[int, str]]()
    # What may be the ids of others in attributes.
    filling = {
        name
        for each in children(root)
        for key, value in each.attrib.items()
        if key not in PLACE and _type(each) != f"{CAS}View"
        for name in str(value).split()
    }
    for each in children(root):
        kind, line, span = _type(each), line_of(each), _xmi_span(file, each)
        is_link = span is None and each.get("target") is not None and each.get(ID) in filling
        if kind.startswith(CAS) or is_segmentation(kind) or is_link:
            continue
        if each.get(ID) in members:
            spans = () if span is None else (code_points(units, file.name, line, span),)
            marks.append(ParsedMark(kind, spans, _as_written(each), line))
        elif span is not None:
            left_out.append((line, OF_NO_VIEW))
    return Body(file.name, text, marks, left_out=left_out, warning=_without_types(file, used))


def _listed_in_first_view(file: ExportFile, root: "Element") -> tuple[str, set[str]]:
    """Return the text of the first view, and the ids that it lists."""
    with_text = (each for each in children(root) if _type(each) == f"{CAS}Sofa" and each.get("sofaString"))
    sofas = sorted(with_text, key=lambda each: each.get("sofaID") != INITIAL_VIEW)
    if not sofas:
        raise file.refused("has no text.", "Export the document with its text.")
    views = (each for each in children(root) if _type(each) == f"{CAS}View")
    listed = (each.get("members") or "" for each in views if each.get("sofa") == sofas[0].get(ID))
    return str(sofas[0].get("sofaString")), {name for names in listed for name in names.split()}


def _as_written(element: "Element") -> dict[str, str]:
    """Return the attributes, and elements inside, which are the members of a list of texts."""
    found = {str(name): str(value) for name, value in element.attrib.items() if name not in PLACE}
    for name in dict.fromkeys(map(local_name, children(element))):
        said = [text_of(each) for each in children(element, name)]
        found[name] = SetLabel(SET_SEPARATOR.join(said), said)
    return found


def _without_types(file: ExportFile, used: Collection[str]) -> Problem:
    names = sorted(used, key=lambda name: (is_segmentation(name), name))[:3]
    message = (
        f"has no type system that declares {', '.join(names)}: features are read as they are "
        "written, and what refers to another annotation is a number."
    )
    return file.problem(message, "Put TypeSystem.xml, which is exported with it, into the same folder.")


def _distance(file: ExportFile, system: ExportFile) -> tuple[int, str]:
    """Return how far a type system is from a file: of the same name, in the same folder, elsewhere."""
    path, other = PurePosixPath(file.name), PurePosixPath(system.name)
    near = path.parent == other.parent
    return (0 if near and other.name.startswith(path.stem) else 1 if near else 2), system.name


def is_type_system(file: ExportFile) -> bool:
    """Say whether the file is the description of a type system."""
    return file.suffix == ".xml" and root_name(file) == TYPE_SYSTEM_ROOT


def unzipped(file: ExportFile) -> tuple[list[ExportFile], list[TypeSystem]]:
    """Return the XMI files and type systems of an archive.

    Raises BadInput for an archive that is damaged or dangerous, or holds no XMI.
    """
    members = unpack(file)
    found = [member for member in members if member.suffix == ".xmi"]
    if not found:
        raise file.refused("has no XMI file.", AGAIN)
    return found, [TypeSystem(member) for member in members if is_type_system(member)]


# UIMA CAS XMI: the export that UIMA tools share, with its type system beside it or zipped with it.

XMI_EXTENSIONS = (".xmi", ".xml", ".zip")
XMI_READING = "UIMA CAS XMI: marks of the first view."


# An XMI file, the path that says whose it is, and the type systems that come with it.
XmiFile = tuple[ExportFile, ExportFile, Sequence[TypeSystem]]


def recognises_xmi(file: ExportFile) -> bool:
    """Say whether the file is a CAS in XMI, or an archive of such files that is no whole project."""
    if is_zip(file):
        names = member_names(file)
        packed = any(name.lower().endswith(".xmi") for name in names)
        return packed and not any(name.startswith("exportedproject") for name in names)
    return root_name(file) == ROOT and b"uima" in file.content  # other tools write XMI too


def read_xmi_files(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each XMI file, also of those in archives; raise BadInput with every fault of all."""
    systems = [TypeSystem(file) for file in files if is_type_system(file)]
    others = [file for file in files if not is_type_system(file)]
    found = list(chain(*for_each(others, lambda file: _found(file, systems))))
    if files and not found:
        remedy = "Add the XMI files that it belongs to."
        raise files[0].refused("is a type system without annotations.", remedy)
    bodies = for_each(found, lambda each: read_xmi_body(each[0], each[2]))
    return project_export(files, bodies, options, (XMI_EXTENSIONS, XMI_READING), [each[1] for each in found])


def _found(file: ExportFile, systems: Sequence[TypeSystem]) -> list[XmiFile]:
    """Return the XMI file itself, or those of an archive, where a single one is called like the archive."""
    if not is_zip(file):
        return [(file, file, systems)]
    members, own = unzipped(file)
    if len(members) == 1:
        return [(members[0], file, [*own, *systems])]
    folder = str(PurePosixPath(file.name).with_suffix(""))
    shown = [ExportFile(each.path, folder + each.name.removeprefix(file.name)) for each in members]
    return [(*each, [*own, *systems]) for each in zip(members, shown, strict=True)]


XMI_READER = Reader(
    name="cas-xmi",
    title="UIMA CAS XMI",
    tool="INCEpTION, WebAnno, UIMA",
    extensions=XMI_EXTENSIONS,
    reads=JSON_READER.reads,
    leaves_out=f"{JSON_READER.leaves_out} Without a type system, relations and slots.",
    recognises=recognises_xmi,
    read=read_xmi_files,
    accompanies=is_type_system,
)
