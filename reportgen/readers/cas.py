"""UIMA CAS, in JSON and in XMI: what annotators did, told from tokens and bookkeeping."""

import io
import json
import keyword
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.json_records import (
    Record,
    as_text,
    expect,
    first_record,
    for_each_record,
    is_json,
    read_json,
)
from reportgen.readers.naming import Body, name_bodies, project_export
from reportgen.readers.offsets import Utf16, code_points, inside_character
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


def unusable_names(names: Iterable[str]) -> list[str]:
    """Return the names of features that are no plain identifiers.

    dkpro-cassis compiles features into a class: a name that is not one could be code.
    """
    return [
        name for name in names if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__")
    ]


def check(file: ExportFile, raws: Sequence[Raw]) -> None:
    """Raise BadInput for ids that come twice, and for offsets that are not those of a stretch of text."""
    problems: list[Problem] = []
    known: set[int] = set()
    offsets = {text: Utf16(text) for text in {raw.text for raw in raws if raw.span} if text is not None}
    for raw in raws:
        if raw.id is not None and raw.id in known:
            message = f"has the id {raw.id}, which another annotation has too."
            problems.append(file.problem(message, AGAIN, raw.line))
        known |= set() if raw.id is None else {raw.id}
        if raw.span is not None and raw.text is not None:
            problems += _check_span(file, raw, raw.span, offsets[raw.text], len(raw.text))
    refuse(problems)


def _check_span(file: ExportFile, raw: Raw, span: Span, offsets: Utf16, length: int) -> Iterator[Problem]:
    start, end = span
    points = offsets.span(start, end) if start >= 0 and end >= 0 else (start, end)
    if points is None:
        yield inside_character(file.name, raw.line, start, end)
    elif not 0 <= points[0] <= points[1] <= length:
        message = f"from {start} to {end} does not lie within the text, which has {length:,} characters."
        yield file.problem(message, AGAIN, raw.line)


# What annotators did in a UIMA CAS: marks, relations and slots, told from tokens and bookkeeping.

BUILT_IN = frozenset({"sofa", "begin", "end"})
# dkpro-cassis calls two features otherwise, as Python has these names.
RENAMED = {"self_": "self", "type_": "type"}
SET_SEPARATOR = "|"

OF_NO_VIEW = "of another view of the document than the first, or of none"

# A feature structure of dkpro-cassis, which carries no types.
Structure = Any


@dataclass(frozen=True)
class _Values:
    """The features of a structure: values, references to one structure, and members of arrays."""

    features: Mapping[str, str]
    references: tuple[tuple[str, int], ...]
    members: tuple[tuple[str, Structure], ...]


def read_cas(file: ExportFile, cas: Structure, raws: Sequence[Raw]) -> Body:
    """Return the text of the first view and what annotators did in it.

    Raises BadInput where no view has a text, and for features whose values are no texts or numbers.
    """
    view = _first_view(file, cas)
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
    elsewhere = (raw for raw in raws if raw.span is not None and raw.id not in found)
    left_out = tuple((raw.line, OF_NO_VIEW) for raw in elsewhere if not is_segmentation(raw.type))
    return Body(file.name, text, marks, relations, left_out)


def _first_view(file: ExportFile, cas: Structure) -> Structure:
    with_text = [view for view in cas.views if isinstance(view.sofa.sofaString, str)]
    if not with_text:
        raise file.refused("holds no text.", "Export the document with its text.")
    return next((view for view in with_text if view.sofa.sofaID == "_InitialView"), with_text[0])


def _sorted_out(
    structures: Sequence[Structure], values: Sequence[_Values], lines: Mapping[int | None, tuple[int, int]]
) -> tuple[tuple[ParsedMark, ...], tuple[Relation, ...]]:
    """Return marks and relations; a structure that others consist of (a link) is neither."""
    named = {name for each in values for _, name in each.references}
    named |= {identity for each in values for _, member in each.members for identity in _ids(member)}
    marks: list[ParsedMark] = []
    relations: list[Relation] = []
    types = {each.type.name: each for each in structures}
    of_relations = {name for name, each in types.items() if _is_relation(each)}
    for structure, each in zip(structures, values, strict=True):
        line = lines[structure.xmiID][1]
        spans = _spans(structure)
        if structure.type.name in of_relations:
            arguments = tuple((name, str(target)) for name, target in each.references)
            relations.append(Relation(structure.type.name, arguments, each.features, line))
        elif spans or (each.features and structure.xmiID not in named):
            name = str(structure.xmiID) if structure.xmiID in named or each.references or each.members else ""
            marks.append(ParsedMark(structure.type.name, spans, each.features, line, name))
            relations += [_reference(structure, *reference, line) for reference in each.references]
        relations += [_slot(structure, *member, line) for member in each.members]
    return tuple(marks), tuple(relations)


def _spans(structure: Structure) -> tuple[Span, ...]:
    from cassis.typesystem import is_annotation

    return ((structure.begin, structure.end),) if is_annotation(structure) else ()


def _ids(member: Structure) -> set[int]:
    """Return the id of an array's member, and if it is a link that of its target."""
    target: Structure = getattr(member, "target", None)
    return {member.xmiID} | ({target.xmiID} if _is_structure(target) else set())


def _is_relation(structure: Structure) -> bool:
    """Say whether structures of this type lie between others: two features or more refer to one each."""
    from cassis.typesystem import is_array, is_list, is_primitive

    ranges = [each.rangeType for each in structure.type.all_features if each.name not in BUILT_IN]
    return sum(not (is_primitive(each) or is_array(each) or is_list(each)) for each in ranges) > 1


def _reference(structure: Structure, feature: str, target: int, line: int) -> Relation:
    arguments = (("host", str(structure.xmiID)), ("target", str(target)))
    return Relation(f"{structure.type.name}|{feature}", arguments, line=line)


def _slot(structure: Structure, feature: str, member: Structure, line: int) -> Relation:
    """Return the relation between the host of a slot and what fills it, by way of a link or not."""
    target: Structure = getattr(member, "target", None)
    if not _is_structure(target):
        return _reference(structure, feature, member.xmiID, line)
    arguments = (("host", str(structure.xmiID)), ("target", str(target.xmiID)))
    features = {name: as_text(value) for name, value in _features(member) if _is_plain(value)}
    return Relation(f"{structure.type.name}|{feature}", arguments, features, line)


def _features(structure: Structure) -> Iterator[tuple[str, Any]]:
    """Yield the features that a structure has, with what they hold."""
    for feature in structure.type.all_features:
        value = getattr(structure, feature.name)
        if feature.name not in BUILT_IN and value is not None:
            yield RENAMED.get(feature.name, feature.name), value


def _values(file: ExportFile, structure: Structure, line: int) -> _Values:
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
            message = "holds something that is neither text nor number nor an annotation."
            raise file.refused(message, AGAIN, line, f"feature {name}")
    return _Values(features, tuple(references), tuple(members))


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
    whole = Record(file.name, 0, read_json(file))
    data = expect(whole, "", whole.value, dict, "an object")
    _check_types(whole, data)
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


def _check_types(whole: Record, data: dict[str, Any]) -> None:
    """Raise BadInput where types are not there, or declare features that can't be."""
    if TYPES not in data:
        mend = "Export it with its type system."
        raise BadInput(
            [Problem(whole.file, 0, TYPES, "is missing: the file does not declare its types.", mend)]
        )
    types = expect(whole, TYPES, data[TYPES], dict, "an object")
    expect(whole, VIEWS, data.get(VIEWS), dict, "an object")
    features = [
        name
        for key, declared in types.items()
        for name in expect(whole, key, declared, dict, "an object")
        if not name.startswith("%")
    ]
    problems = [
        Problem(whole.file, 0, TYPES, f'declares the feature "{name[:40]}", which is no plain name.', AGAIN)
        for name in unusable_names(features)
    ]
    refuse(problems)


def _json_raws(file: ExportFile, data: dict[str, Any]) -> list[Raw]:
    """Return the feature structures in the order of the file; raise BadInput for all that are none."""
    records = list(_records(file, data))
    texts = {
        each.value.get("%ID"): each.value.get("sofaString")
        for each in records
        if isinstance(each.value, dict) and each.value.get("%TYPE") == SOFA and _is_id(each.value.get("%ID"))
    }
    return for_each_record(records, lambda record: _raw(record, texts))


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _records(file: ExportFile, data: dict[str, Any]) -> Iterator[Record]:
    """Yield the structures of a list, or of an object whose keys are the ids, as older versions have it."""
    structures = data.get(STRUCTURES)
    if isinstance(structures, dict):
        for number, (key, value) in enumerate(structures.items(), 1):
            named = {**value, "%ID": int(key)} if isinstance(value, dict) and key.isdecimal() else value
            yield Record(file.name, number, named)
        return
    whole = Record(file.name, 0, structures)
    for number, value in enumerate(expect(whole, STRUCTURES, structures, list, "a list"), 1):
        yield Record(file.name, number, value)


def _raw(record: Record, texts: dict[Any, Any]) -> Raw:
    value = expect(record, "", record.value, dict, "an object")
    identity = expect(record, "%ID", value.get("%ID"), int, "a number")
    kind = expect(record, "%TYPE", value.get("%TYPE"), str, "a text")
    sofa = value.get("@sofa")
    text = texts.get(sofa) if _is_id(sofa) else None
    return Raw(
        identity, record.line, kind, _json_span(record, value), text if isinstance(text, str) else None
    )


def _json_span(record: Record, value: dict[str, Any]) -> Span | None:
    if "begin" not in value and "end" not in value:
        return None
    start = expect(record, "begin", value.get("begin", 0), int, "a number")
    return start, expect(record, "end", value.get("end", 0), int, "a number")


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
    bodies = for_each(files, read_json_body)
    return project_export(files, bodies, name_bodies(files, bodies, options, JSON_EXTENSIONS), JSON_READING)


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
        "belong to another text; heads of chains, which hold nothing of their own."
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
LONGEST_NUMBER = 9
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
        features = _names(root, "feature")
        problems = [
            self.file.problem(f'declares the feature "{name[:40]}", which is no plain name.')
            for name in unusable_names(features)
        ]
        refuse(problems)
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
    texts = {
        each.get(ID): each.get("sofaString")
        for each in root
        if isinstance(each.tag, str) and _type(each) == f"{CAS}Sofa"
    }
    for each in root:
        if isinstance(each.tag, str) and _type(each) not in {f"{CAS}NULL", f"{CAS}Sofa", f"{CAS}View"}:
            text = texts.get(each.get("sofa"))
            line = int(each.sourceline or 0)
            yield Raw(_number(each.get(ID)), line, _type(each), _xmi_span(file, each), text)


def _type(element: "Element") -> str:
    """Return the name of a type: {http:///webanno/custom.ecore}Span is webanno.custom.Span."""
    space, _, name = str(element.tag).removeprefix("{").rpartition("}")
    package = space.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}".removeprefix(NO_NAMESPACE)


def _number(written: str | None) -> int | None:
    plain = written is not None and written.isascii() and written.isdecimal()
    return int(written) if written is not None and plain and len(written) <= LONGEST_NUMBER else None


def _xmi_span(file: ExportFile, element: "Element") -> Span | None:
    if element.get("begin") is None and element.get("end") is None:
        return None
    start, end = _number(element.get("begin", "0")), _number(element.get("end", "0"))
    if start is None or end is None:
        message = f'stands from "{element.get("begin")}" to "{element.get("end")}", which are no offsets.'
        raise file.refused(message, AGAIN, int(element.sourceline or 0))
    return start, end


def _fitting(file: ExportFile, raws: Sequence[Raw], systems: Sequence[TypeSystem]) -> TypeSystem | None:
    """Return the type system of a file, None where there is none."""
    used = _own_types(raws)
    ranked = sorted(systems, key=lambda system: _distance(file, system.file))
    for system in ranked:
        if used <= system.names:
            return system
    # What is missing in one that is beside the file is named when the CAS is loaded.
    return ranked[0] if ranked and _distance(file, ranked[0].file)[0] <= 1 else None


def _own_types(raws: Sequence[Raw]) -> set[str]:
    return {raw.type for raw in raws if not raw.type.startswith(("uima.cas.", "uima.tcas."))}


def _read_as_written(file: ExportFile, root: "Element", used: Collection[str]) -> Body:
    """Return what annotators did as far as no type system is needed: attributes are features, as texts.

    What stands in the list of the first view is a mark; references to others are numbers.
    """
    text, members = _listed_in_first_view(file, root)
    units, marks, left_out = Utf16(text), list[ParsedMark](), list[tuple[int, str]]()
    filling = {name for each in children(root) for name in _referred(each)}
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
        raise file.refused("holds no text.", "Export the document with its text.")
    views = (each for each in children(root) if _type(each) == f"{CAS}View")
    listed = (each.get("members") or "" for each in views if each.get("sofa") == sofas[0].get(ID))
    return str(sofas[0].get("sofaString")), {name for names in listed for name in names.split()}


def _referred(element: "Element") -> Iterator[str]:
    """Yield what may be the ids of others in the attributes."""
    for name, value in element.attrib.items():
        yield from () if name in PLACE or _type(element) == f"{CAS}View" else str(value).split()


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
    members: list[ExportFile] = [*unpack(file)]
    found = [member for member in members if member.suffix == ".xmi"]
    if not found:
        raise file.refused("holds no XMI file.", AGAIN)
    return found, [TypeSystem(member) for member in members if is_type_system(member)]


# UIMA CAS XMI: the export that UIMA tools share, with its type system beside it or zipped with it.

XMI_EXTENSIONS = (".xmi", ".xml", ".zip")
XMI_READING = "UIMA CAS XMI: marks of the first view."


@dataclass(frozen=True)
class _XmiFile:
    """An XMI file, the path that says whose it is, and the type systems that come with it."""

    file: ExportFile
    shown: ExportFile
    systems: Sequence[TypeSystem]


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
    found = [each for group in for_each(others, lambda file: _found(file, systems)) for each in group]
    if files and not found:
        raise files[0].refused(
            "is a type system without annotations.", "Add the XMI files that it belongs to."
        )
    at = {id(each.file): each for each in found}
    bodies = for_each([each.file for each in found], lambda file: read_xmi_body(file, at[id(file)].systems))
    names = name_bodies([each.shown for each in found], bodies, options, XMI_EXTENSIONS)
    return project_export(files, bodies, names, XMI_READING)


def _found(file: ExportFile, systems: Sequence[TypeSystem]) -> list[_XmiFile]:
    """Return the XMI file itself, or those of an archive, where a single one is called like the archive."""
    if not is_zip(file):
        return [_XmiFile(file, file, systems)]
    members, own = unzipped(file)
    if len(members) == 1:
        return [_XmiFile(members[0], file, [*own, *systems])]
    folder = str(PurePosixPath(file.name).with_suffix(""))
    return [
        _XmiFile(
            member, ExportFile(member.path, folder + member.name.removeprefix(file.name)), [*own, *systems]
        )
        for member in members
    ]


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
