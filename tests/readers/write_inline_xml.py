"""Writes copies as inline XML."""

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from reportgen.readers import DocumentCopy, ExportFile, ParsedMark
from tests.readers.given_files import written


def properly_nested(marks: Sequence[ParsedMark]) -> list[ParsedMark]:
    """Return marks, without those that overlap an earlier one in part, in the order in which tags open."""
    kept: list[ParsedMark] = []
    for mark in marks:
        if not any(_crosses(mark.spans[0], each.spans[0]) for each in kept):
            kept.append(mark)
    return sorted(kept, key=lambda mark: (mark.spans[0][0], -mark.spans[0][1]))


def _crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a file for each annotator and document; the marks have to be nested properly.

    Inline XML can't carry marks that overlap in part, discontinuous marks, and documents not seen.
    """
    return written(
        folder,
        {f"{copy.annotator}/{copy.document}.xml": f"<document>{_inside(copy)}</document>" for copy in copies},
    )


def _inside(copy: DocumentCopy) -> str:
    """Return the text with tags; at each place tags close before others open."""
    text = copy.text or ""
    parts: list[str] = []
    open_marks: list[ParsedMark] = []
    waiting = list(copy.marks)
    for place in range(len(text) + 1):
        while open_marks and open_marks[-1].spans[0][1] == place:
            parts.append(f"</{open_marks.pop().type}>")
        while waiting and waiting[0].spans[0][0] == place:
            mark = waiting.pop(0)
            features = "".join(f" {name}={quoteattr(value)}" for name, value in mark.features.items())
            parts.append(f"<{mark.type}{features}>")
            open_marks.append(mark)
        parts.append(escape(text[place : place + 1]))
    return "".join(parts)
