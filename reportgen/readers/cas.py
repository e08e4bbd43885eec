"""What annotators did in a UIMA CAS: marks, relations and slots, told from tokens and bookkeeping."""

import keyword
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from reportgen.base.errors import BadInput, Problem
from reportgen.readers.json_records import as_text
from reportgen.readers.naming import Body
from reportgen.readers.offsets import Utf16, inside_character
from reportgen.readers.reader import ExportFile, ParsedMark, Relation, SetLabel, Span, shortened

# What is checked of a UIMA CAS before dkpro-cassis reads it, and what it makes of damaged files.

SEGMENTATION = frozenset(
    {"Token", "Sentence", "DocumentMetaData", "DocumentAnnotation", "TagDescription", "TagsetDescription"}
)
BOOKKEEPING = "de.tudarmstadt.ukp.clarin.webanno.api.type."
OWN_LAYERS = ("custom.", "webanno.custom.")
AGAIN = "Export the document again."
REASON_SHOWN = 200

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Raw:
    """A feature structure as the file has it: id, line (or number), type, and UTF-16 offsets if any."""

    id: int | None
    line: int
    type: str
    span: Span | None
    text: str | None


def guarded(file: ExportFile, step: Callable[[], Result]) -> Result:
    """Return the step's result; raise BadInput for whatever dkpro-cassis makes of a damaged file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return step()
    except BadInput:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises whatever its code stumbles over
        said = " ".join(str(error).split())[:REASON_SHOWN].removesuffix(".")
        message = f"is a damaged CAS: {type(error).__name__}: {said}."
        raise BadInput([Problem(file.name, message=message, mend=AGAIN)]) from None


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
    offsets: dict[str, Utf16] = {}
    for raw in raws:
        if raw.id is not None and raw.id in known:
            message = f"has the id {raw.id}, which another annotation has too."
            problems.append(Problem(file.name, raw.line, message=message, mend=AGAIN))
        known |= set() if raw.id is None else {raw.id}
        if raw.span is not None and raw.text is not None:
            if raw.text not in offsets:
                offsets[raw.text] = Utf16(raw.text)
            problems += _check_span(file, raw, offsets[raw.text], len(raw.text))
    if problems:
        raise BadInput(shortened(problems))


def _check_span(file: ExportFile, raw: Raw, offsets: Utf16, length: int) -> Iterator[Problem]:
    start, end = raw.span or (0, 0)
    points = offsets.span(start, end) if start >= 0 and end >= 0 else (start, end)
    if points is None:
        yield inside_character(file.name, raw.line, start, end)
    elif not 0 <= points[0] <= points[1] <= length:
        message = f"from {start} to {end} does not lie within the text, which has {length:,} characters."
        yield Problem(file.name, raw.line, message=message, mend=AGAIN)


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
    _check_places(file, structures, lines, len(view.sofa.sofaString))
    marks, relations = _sorted_out(structures, values, lines)
    left_out = tuple((raw.line, OF_NO_VIEW) for raw in raws if _is_left_out(raw, found))
    return Body(file.name, view.sofa.sofaString, marks, relations, left_out)


def _check_places(
    file: ExportFile,
    structures: Sequence[Structure],
    lines: Mapping[int | None, tuple[int, int]],
    length: int,
) -> None:
    """Raise BadInput for marks that do not lie within the text, which may be that of another view."""
    problems = [
        Problem(file.name, lines[each.xmiID][1], message="does not lie within the text.", mend=AGAIN)
        for each in structures
        for start, end in _spans(each)
        if not 0 <= start <= end <= length
    ]
    if problems:
        raise BadInput(shortened(problems))


def _first_view(file: ExportFile, cas: Structure) -> Structure:
    with_text = [view for view in cas.views if isinstance(view.sofa.sofaString, str)]
    if not with_text:
        mend = "Export the document with its text."
        raise BadInput([Problem(file.name, message="holds no text.", mend=mend)])
    return next((view for view in with_text if view.sofa.sofaID == "_InitialView"), with_text[0])


def _is_left_out(raw: Raw, found: Mapping[int, Structure]) -> bool:
    return raw.span is not None and raw.id not in found and not is_segmentation(raw.type)


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
            raise BadInput([Problem(file.name, line, f"feature {name}", message, AGAIN)])
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
