"""Files written for a test, and what a reader of documents makes of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import DocumentCopy, Export, ExportFile, Reader, ReaderOptions

Contents = Mapping[str, str | bytes]


def written(folder: Path, contents: Contents) -> list[ExportFile]:
    """Write files, given as {name: content}, and return them."""
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return [ExportFile(folder / name, name) for name in contents]


def read_with(reader: Reader, files: Sequence[ExportFile], options: ReaderOptions | None = None) -> Export:
    """Return what a reader of documents hands over."""
    found = reader.read(files, options or ReaderOptions())
    assert isinstance(found, Export)
    return found


class Given:
    """Files of one format, written into a folder and read."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self.reader, self.folder = reader, folder

    def read(self, contents: Contents, options: ReaderOptions | None = None) -> Export:
        """Write and read files."""
        return read_with(self.reader, written(self.folder, contents), options)

    def refused(self, contents: Contents, options: ReaderOptions | None = None) -> tuple[Problem, ...]:
        """Write and read files, and return why they are refused."""
        with pytest.raises(BadInput) as caught:
            self.read(contents, options)
        return caught.value.problems


def only(export: Export) -> DocumentCopy:
    """Return the one copy of an export."""
    (copy,) = export.copies
    return copy
