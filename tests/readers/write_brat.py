"""Writes copies as brat standoff."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from reportgen.readers import DocumentCopy, ExportFile
from tests.readers.given_files import written


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a folder for each annotator, with a text and, where it was seen, a file of marks a document.

    brat can't carry line ends other than line feeds, spaces in types and names of features, values that
    start or end with a space, and empty values.
    """
    files: dict[str, str] = {}
    for copy in copies:
        base = f"{copy.annotator}/{copy.document}"
        if copy.state == "seen":
            files[f"{base}.ann"] = "".join(f"{line}\n" for line in _lines(copy))
        files[f"{base}.txt"] = copy.text or ""
    return written(folder, dict(sorted(files.items())))


def _lines(copy: DocumentCopy) -> Iterator[str]:
    attributes = 0
    for number, mark in enumerate(copy.marks, 1):
        text = copy.text or ""
        places = ";".join(f"{start} {end}" for start, end in mark.spans)
        covered = " ".join(text[start:end] for start, end in mark.spans).replace("\n", " ")
        yield f"T{number}\t{mark.type} {places}\t{covered}"
        for name, value in mark.features.items():
            attributes += 1
            yield f"A{attributes}\t{name} T{number}" + ("" if value == "true" else f" {value}")
