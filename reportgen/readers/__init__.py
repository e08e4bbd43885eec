"""What did the annotators export? Files of any known format become `Annotations`."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import ratings
from reportgen.readers.annotations import (
    ATTENDANCE,
    NO_DOCUMENT,
    Codes,
    ExcludedMarks,
    Ratings,
    Regions,
    TextMarks,
    by_name,
)
from reportgen.readers.assembly import assemble
from reportgen.readers.counted import CountedLayer
from reportgen.readers.engine import by_address
from reportgen.readers.engine.duck import kind_of
from reportgen.readers.engine.remote import is_address
from reportgen.readers.reader import (
    EMPTY_SET,
    REFERENCE,
    Annotations,
    Copy,
    Engine,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    SetLabel,
    as_set,
    clean,
    members_of,
    references_among,
)
from reportgen.readers.registry import find_reader, looked_at, readers, readers_markdown

__all__ = [
    "ATTENDANCE",
    "EMPTY_SET",
    "NO_DOCUMENT",
    "Annotations",
    "Codes",
    "Copy",
    "CountedLayer",
    "Engine",
    "ExcludedMarks",
    "Export",
    "ExportFile",
    "ParsedMark",
    "Ratings",
    "Reader",
    "ReaderOptions",
    "Regions",
    "Relation",
    "SetLabel",
    "TextMarks",
    "as_set",
    "by_name",
    "clean",
    "find_reader",
    "is_address",
    "members_of",
    "read_export",
    "read_layers",
    "read_table",
    "readers",
    "readers_markdown",
]


# Texts above so many bytes are not kept in memory to tell what they are.
LARGEST = 500_000_000


def read_export(files: Sequence[tuple[Path, str]], options: ReaderOptions | None = None) -> Annotations:
    """Return what the files of one export hold, taken together, as `read_layers` does for one layer."""
    options = options or ReaderOptions()
    return read_layers(files, options, [options.source])[0]


def read_layers(
    files: Sequence[tuple[Path, str]], options: ReaderOptions, sources: Sequence[str | None]
) -> list[Annotations]:
    """Return each layer of an export: each source is a column, a type, a layer or "Type->feature".

    Each file is a path and the name to show for it. Files that no reader recognises are listed in
    `unread`. Raises BadInput, with every problem, where an option names nothing that is known, no file
    is recognised, the files are of several formats, one of them is faulty, or there is no rating.
    """
    layers = [replace(options, source=source) for source in sources]
    if options.database is not None:
        found = [by_address(_with_column(layer)) for layer in layers]
        _require_marks(found, [ExportFile(Path(), each.file) for each in found[0].sources])
        return list(map(_with_references, found))
    export = [ExportFile(path, name) for path, name in dict.fromkeys(files)]
    reader, known = find_reader(export, options)
    annotations = _read(reader, known, layers)
    _require_marks(annotations, known)
    read = {file.name for file in known}
    unread = tuple(file.name for file in export if file.name not in read)
    return [_with_references(replace(each, unread=unread)) for each in annotations]


def read_table(files: Sequence[tuple[Path, str]], options: ReaderOptions) -> Annotations:
    """Return what a table of labels holds, as `read_export` does; a text of any size may be one.

    What no memory holds is a ratings table: nothing else is so large, and nobody looks for what it may be.
    """
    export = [ExportFile(path, name) for path, name in dict.fromkeys(files)]
    if (
        options.database is not None
        or any(kind_of(file) != "text" for file in export)
        or sum(f.path.stat().st_size for f in export) < LARGEST
    ):
        return read_export(files, options)
    annotations = ratings.READER.read(export, options)
    if isinstance(annotations, Export):  # no table is one
        raise TypeError
    return _with_references(annotations)


def _with_references(annotations: Annotations) -> Annotations:
    """Return the same, where who is called like a reference is one; counts say it of everybody."""
    content = annotations.content
    if isinstance(content, CountedLayer):
        return annotations
    called = references_among(content.annotators, annotations.roles)
    roles = {**annotations.roles, **dict.fromkeys(called, REFERENCE)}
    return replace(annotations, roles=roles, called_references=called)


def _read(reader: Reader, files: Sequence[ExportFile], layers: Sequence[ReaderOptions]) -> list[Annotations]:
    """Return each layer; copies of documents are read once for all of them, a table once for each."""
    first = reader.read(files, _with_column(layers[0]))
    if isinstance(first, Export):
        # Of documents a column of labels that is named is the source.
        own = [replace(each, source=each.source or each.columns.get("label")) for each in layers]
        return assemble(first, own, reader.name)
    others = [reader.read(files, _with_column(layer)) for layer in layers[1:]]
    return [first, *(each for each in others if isinstance(each, Annotations))]


def _with_column(options: ReaderOptions) -> ReaderOptions:
    """Return the options of a layer of a table: its source is the column of labels."""
    if options.source is None:
        return options
    return replace(options, columns={**options.columns, "label": options.source})


def _require_marks(annotations: Sequence[Annotations], known: Sequence[ExportFile]) -> None:
    if any(each.marks_read for each in annotations):
        return
    remedy = (
        "A rating is a cell that is neither empty nor declared missing; a mark, a labelled stretch of text."
    )
    message = f"the export has no rating and no mark. {looked_at([file.name for file in known])}"
    raise BadInput([Problem("", message=message, remedy=remedy)])
