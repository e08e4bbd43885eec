"""Writes copies as UIMA CAS, in XMI with a type system beside it or in JSON, through dkpro-cassis."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cassis import Cas, TypeSystem

from reportgen.readers import DocumentCopy, ExportFile, ParsedMark
from tests.readers.given_files import written

ANNOTATION = "uima.tcas.Annotation"
OF_DOCUMENT = "uima.cas.AnnotationBase"


def write_xmi(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a folder for each annotator, with a file a document, and one type system.

    The format can't carry discontinuous marks, marks of documents that have no features, line ends other
    than line feeds and characters that XML excludes. Who did not see a document has no file. A type has
    either stretches of text or whole documents.
    """
    types = _types(copies)
    files = {_name(copy, ".xmi"): _cas(copy, types).to_xmi() for copy in copies if copy.state == "seen"}
    return written(folder, dict(sorted({**files, "TypeSystem.xml": types.to_xml()}.items())))


def write_json(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a folder for each annotator, with a file a document; what it can't carry is as for XMI."""
    types = _types(copies)
    files = {_name(copy, ".json"): _cas(copy, types).to_json() for copy in copies if copy.state == "seen"}
    return written(folder, dict(sorted(files.items())))


def _types(copies: Sequence[DocumentCopy]) -> TypeSystem:
    types = TypeSystem()
    features: dict[tuple[str, bool], dict[str, None]] = {}
    for mark in (mark for copy in copies for mark in copy.marks):
        features.setdefault((mark.type, bool(mark.spans)), {}).update(dict.fromkeys(mark.features))
    for (name, has_spans), names in features.items():
        made = types.create_type(name, ANNOTATION if has_spans else OF_DOCUMENT)
        for feature in names:
            types.create_feature(made, feature, "uima.cas.String")
    return types


def _cas(copy: DocumentCopy, types: TypeSystem) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
    cas = Cas(typesystem=types)
    cas.sofa_string = copy.text
    cas.sofa_mime = "text/plain"
    for mark in copy.marks:
        cas.add(_structure(mark, types))
    return cas


def _structure(mark: ParsedMark, types: TypeSystem) -> Any:  # noqa: ANN401 - as above
    made = types.get_type(mark.type)
    if not mark.spans:
        return made(**mark.features)
    ((start, end),) = mark.spans
    return made(begin=start, end=end, **mark.features)


def _name(copy: DocumentCopy, suffix: str) -> str:
    return f"{copy.annotator}/{copy.document}{suffix}"
