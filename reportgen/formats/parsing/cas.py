"""What annotators did in a UIMA CAS: marks, relations and slots, told from tokens and bookkeeping."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.errors import BadInput, Problem
from reportgen.formats.copies import Mark, Relation, Span
from reportgen.formats.labels import SetLabel
from reportgen.formats.parsing.cas_checks import AGAIN, Raw, is_segmentation
from reportgen.formats.parsing.curation import Body
from reportgen.formats.reader import ExportFile, shortened
from reportgen.formats.records import as_text

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
) -> tuple[tuple[Mark, ...], tuple[Relation, ...]]:
    """Return marks and relations; a structure that others consist of (a link) is neither."""
    named = {name for each in values for _, name in each.references}
    named |= {identity for each in values for _, member in each.members for identity in _ids(member)}
    marks: list[Mark] = []
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
            marks.append(Mark(structure.type.name, spans, each.features, line, name))
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
