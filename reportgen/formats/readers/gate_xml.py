"""GATE XML: a text with nodes in it, and sets of annotations between nodes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reportgen.errors import BadInput, Problem, for_each
from reportgen.formats.annotations import LeftOut
from reportgen.formats.copies import Export, Mark
from reportgen.formats.parsing.elements import children, line_of, local_name, text_of
from reportgen.formats.parsing.gate_sets import (
    LEAVES_OUT,
    READS,
    AnnotationSet,
    GateDocument,
    as_export,
)
from reportgen.formats.reader import ExportFile, Reader, ReadOptions, shortened
from reportgen.formats.xml import parse, root_name

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

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


def read(files: Sequence[ExportFile], options: ReadOptions) -> Export:
    """Return a copy for each annotation set of each document that is an annotator's.

    Raises BadInput with every annotation that lacks a type or a node of the text.
    """
    return as_export(for_each(files, _document), options, EXTENSIONS, READING)


def _document(file: ExportFile) -> GateDocument:
    root = parse(file)
    texts = list(children(root, TEXT))
    if local_name(root) != ROOT or len(texts) != 1:
        message = f"has {len(texts)} elements {TEXT} in a root {local_name(root)}; expected one in {ROOT}."
        raise BadInput([_problem(file, root, message)])
    problems: list[Problem] = []
    text, nodes = _text(file, texts[0], problems)
    sets = tuple(_set(file, each, nodes, problems) for each in children(root, SET))
    if problems:
        raise BadInput(shortened(problems))
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
    marks: list[Mark] = []
    for each in children(element, ANNOTATION):
        try:
            marks.append(_mark(file, each, nodes))
        except BadInput as error:
            problems += error.problems
    return AnnotationSet(element.get("Name") or "", tuple(marks))


def _mark(file: ExportFile, element: "Element", nodes: Mapping[str, int]) -> Mark:
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
    return Mark(
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


def _others(file: ExportFile, root: "Element") -> Iterator[LeftOut]:
    """Yield the elements that are neither text nor annotations, such as sets of relations."""
    within = [child for each in children(root, SET) for child in children(each)]
    for each in (*children(root), *within):
        if local_name(each) not in KNOWN:
            yield LeftOut(file.name, line_of(each), "", NO_ANNOTATION, max(1, sum(1 for _ in children(each))))


def _problem(file: ExportFile, element: "Element", message: str) -> Problem:
    return Problem(file.name, line_of(element), message=message, mend=MEND)


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
