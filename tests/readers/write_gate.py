"""Writes copies as GATE XML and as bdoc."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import yaml

from reportgen.readers import DocumentCopy, ExportFile, ParsedMark
from tests.readers.given_files import written
from tests.readers.utf16 import to_utf16

FIRST_NODE = 700


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a GATE document for each document, with a set for each annotator.

    The ids of nodes are no offsets. GATE can't carry discontinuous marks, carriage returns and control
    characters, and does not tell who declined a document.
    """
    return written(folder, {f"{name}.xml": _xml(own) for name, own in _by_document(copies).items()})


def write_bdoc(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a bdoc file for each document, in its several forms in turn; it can't carry what GATE can't."""
    files: dict[str, bytes] = {}
    for number, (name, own) in enumerate(_by_document(copies).items()):
        value = _bdoc(own, "pj"[number % 2])
        forms = (
            (".bdocjs", json.dumps(value).encode()),
            (".bdocym", yaml.safe_dump(value, allow_unicode=True).encode()),
            (".bdocjs.gz", gzip.compress(json.dumps(value).encode())),
        )
        ending, content = forms[number % 3]
        files[f"{name}{ending}"] = content
    return written(folder, files)


def _by_document(copies: Sequence[DocumentCopy]) -> dict[str, list[DocumentCopy]]:
    found: dict[str, list[DocumentCopy]] = {}
    for copy in copies:
        found.setdefault(copy.document, []).append(copy)
    return found


def _xml(copies: Sequence[DocumentCopy]) -> str:
    text = copies[0].text or ""
    edges = sorted({edge for copy in copies for mark in copy.marks for span in mark.spans for edge in span})
    nodes = {edge: FIRST_NODE - number for number, edge in enumerate(edges)}
    pieces = [text[start:end] for start, end in zip([0, *edges], [*edges, len(text)], strict=True)]
    rest = zip(edges, pieces[1:], strict=True)
    marked = "".join(f'<Node id="{nodes[edge]}"/>{escape(piece)}' for edge, piece in rest)
    sets = "".join(_set(copy, nodes) for copy in copies if copy.state == "seen")
    body = f"<TextWithNodes>{escape(pieces[0])}{marked}</TextWithNodes>\n<AnnotationSet/>\n{sets}"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument version="3">\n{body}</GateDocument>\n'


def _set(copy: DocumentCopy, nodes: dict[int, int]) -> str:
    inside = "".join(_annotation(each, nodes) for each in copy.marks)
    return f"<AnnotationSet Name={quoteattr(copy.annotator)}>{inside}</AnnotationSet>\n"


def _annotation(mark: ParsedMark, nodes: dict[int, int]) -> str:
    features = "".join(
        f"<Feature><Name>{escape(name)}</Name><Value>{escape(value)}</Value></Feature>"
        for name, value in mark.features.items()
    )
    ((start, end),) = mark.spans
    place = f'StartNode="{nodes[start]}" EndNode="{nodes[end]}"'
    return f"<Annotation Type={quoteattr(mark.type)} {place}>{features}</Annotation>\n"


def _bdoc(copies: Sequence[DocumentCopy], offset_type: str) -> dict[str, Any]:
    text = copies[0].text or ""

    def place(offset: int) -> int:
        return to_utf16(text, offset) if offset_type == "j" else offset

    sets = {
        copy.annotator: {
            "name": copy.annotator,
            "annotations": [
                {
                    "id": number,
                    "type": mark.type,
                    "start": place(mark.spans[0][0]),
                    "end": place(mark.spans[0][1]),
                    "features": dict(mark.features),
                }
                for number, mark in enumerate(copy.marks)
            ],
        }
        for copy in copies
        if copy.state == "seen"
    }
    return {"text": text, "offset_type": offset_type, "annotation_sets": sets}
