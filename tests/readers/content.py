"""What tests of formats look into: files written for a test, what a reader makes of them, and ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import (
    Annotations,
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Ratings,
    Reader,
    ReaderOptions,
)
from tests.readers import given_files

Files = Mapping[str, str | bytes]


def ratings_of(annotations: Annotations) -> Ratings:
    """Return what annotators did, which has to be ratings of units."""
    assert isinstance(annotations.content, Ratings)
    return annotations.content


def written(folder: Path, contents: Files) -> list[ExportFile]:
    """Write the files, given as {name: content}, and return them by name."""
    return given_files.written(folder, dict(sorted(contents.items())))


def export_of(reader: Reader, files: Sequence[ExportFile], **options: Any) -> Export:  # noqa: ANN401 - options differ
    """Return what a reader of documents makes of files that it recognises."""
    assert all(reader.recognises(file) for file in files)
    found = reader.read(files, ReaderOptions(**options))
    assert isinstance(found, Export)
    assert [source.file for source in found.sources] == [file.name for file in files]
    return found


def table_of(reader: Reader, files: Sequence[ExportFile], **options: Any) -> Annotations:  # noqa: ANN401 - as above
    """Return what a reader of tables makes of files that it recognises."""
    assert all(reader.recognises(file) for file in files)
    found = reader.read(files, ReaderOptions(**options))
    assert isinstance(found, Annotations)
    assert [source.file for source in found.sources] == [file.name for file in files]
    return found


def problems_of(reader: Reader, files: Sequence[ExportFile], **options: Any) -> tuple[Problem, ...]:  # noqa: ANN401
    """Return the problems for which a reader refuses files."""
    with pytest.raises(BadInput) as caught:
        reader.read(files, ReaderOptions(**options))
    return caught.value.problems


def left_out(found: Export | Annotations) -> list[tuple[str, int, str, str, int]]:
    """Return what is left out: file, line, annotator, reason and number of marks."""
    return [(each.file, each.line, each.annotator, each.reason, each.marks) for each in found.left_out]


def rated(annotations: Annotations) -> set[tuple[str, str, str]]:
    """Return who gave which label to which unit, in names."""
    found = ratings_of(annotations)
    codes = zip(found.unit.tolist(), found.annotator.tolist(), found.label.tolist(), strict=True)
    return {
        (found.unit_names[unit], found.annotators[who], found.labels[label]) for unit, who, label in codes
    }


def labelled(
    copies: Sequence[DocumentCopy], kind: str, feature: str, *, joined: bool = False
) -> list[DocumentCopy]:
    """Return generated copies as formats have them that label by a feature.

    With `joined`, a copy has one label of the document instead, of the types of all its marks.
    """
    found: list[DocumentCopy] = []
    for copy in copies:
        marks = [ParsedMark(kind, mark.spans, {feature: mark.type}) for mark in copy.marks]
        if joined and marks:
            members = sorted({mark.type for mark in copy.marks})
            marks = [ParsedMark(kind, (), {feature: "|".join(members)})]
        found.append(replace(copy, marks=marks))
    return found
