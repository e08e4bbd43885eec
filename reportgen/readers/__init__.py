"""What did the annotators export? Files of any known format become `Annotations`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each
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
from reportgen.readers.counted import (
    COUNT_FILES,
    AttendanceDescribed,
    CandidatesDescribed,
    CountedLayer,
    CountedUnits,
    CountsDescribed,
    LayerDescribed,
    LeftOutDescribed,
    MaterialDescribed,
    UnitSetDescribed,
)
from reportgen.readers.engine.read import by_address
from reportgen.readers.engine.remote import is_address
from reportgen.readers.engine.sources import kind_of
from reportgen.readers.layer import Annotations
from reportgen.readers.reader import (
    COLUMN_ROLES,
    EMPTY_SET,
    NORMALISATIONS,
    REFERENCE,
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
from reportgen.readers.registry import readers, readers_markdown

__all__ = [
    "ATTENDANCE",
    "COUNT_FILES",
    "EMPTY_SET",
    "NO_DOCUMENT",
    "Annotations",
    "AttendanceDescribed",
    "CandidatesDescribed",
    "Codes",
    "Copy",
    "CountedLayer",
    "CountedUnits",
    "CountsDescribed",
    "Engine",
    "ExcludedMarks",
    "Export",
    "ExportFile",
    "LayerDescribed",
    "LeftOutDescribed",
    "MaterialDescribed",
    "ParsedMark",
    "Ratings",
    "Reader",
    "ReaderOptions",
    "Regions",
    "Relation",
    "SetLabel",
    "TextMarks",
    "UnitSetDescribed",
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


NAMES_SHOWN = 10
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
        return assemble(first, list(map(_with_source, layers)), reader.name)
    others = [reader.read(files, _with_column(layer)) for layer in layers[1:]]
    return [first, *(each for each in others if isinstance(each, Annotations))]


def _with_source(options: ReaderOptions) -> ReaderOptions:
    """Return the options of a layer of documents: a column of labels that is named is its source."""
    return replace(options, source=options.source or options.columns.get("label"))


def _with_column(options: ReaderOptions) -> ReaderOptions:
    """Return the options of a layer of a table: its source is the column of labels."""
    if options.source is None:
        return options
    return replace(options, columns={**options.columns, "label": options.source})


def find_reader(export: Sequence[ExportFile], options: ReaderOptions) -> tuple[Reader, list[ExportFile]]:
    """Return the one reader of the files, and those that it reads.

    Raises BadInput where an option names nothing that is known, no file is recognised, or files are of
    several formats.
    """
    allowed = _allowed(options)
    known_by = _forced(export, for_each(export, lambda file: _recognise(file, allowed)), options)
    reader = _only_reader(export, known_by, options)
    return reader, [
        file
        for file, known in zip(export, known_by, strict=True)
        if known is reader or reader.accompanies(file)
    ]


def _forced(
    export: Sequence[ExportFile], known_by: Sequence[Reader | None], options: ReaderOptions
) -> list[Reader | None]:
    """Return the reader of each file; the one that is asked for also reads what no other knows.

    That is files that are called like its own, or, where there are none, all: whoever names a format
    knows better.
    """
    named = next((reader for reader in readers() if reader.name == options.format), None)
    if named is None:
        return list(known_by)
    free = [not known and not _taken(file) for file, known in zip(export, known_by, strict=True)]
    own = [each and file.suffix in named.extensions for file, each in zip(export, free, strict=True)]
    more = own if any(own) or any(known_by) else free
    return [known or (named if each else None) for known, each in zip(known_by, more, strict=True)]


def _taken(file: ExportFile) -> bool:
    """Say whether a reader knows the file by a mark of its own, not merely as some table."""
    known = _recognise(file, readers())
    return known is not None and (known is not ratings.READER or file.suffix in known.extensions)


def _recognise(file: ExportFile, allowed: Sequence[Reader]) -> Reader | None:
    return next((reader for reader in allowed if reader.recognises(file)), None)


def _allowed(options: ReaderOptions) -> list[Reader]:
    """Return the readers that `format` allows: the one of that name, or all for that file extension."""
    problems = [*_unknown("columns", options.columns, COLUMN_ROLES)]
    problems += _unknown("normalise", options.normalise, NORMALISATIONS)
    allowed = [reader for reader in readers() if options.format is None or reader.is_called(options.format)]
    if options.format is not None and not allowed:
        problems += _unknown("format", [options.format], [reader.name for reader in readers()])
    if problems:
        raise BadInput(problems)
    return allowed


def _unknown(key: str, given: Iterable[str], known: Sequence[str]) -> list[Problem]:
    return [
        Problem("", key=key, message=f'"{name}" is not known.', mend=did_you_mean(name, known))
        for name in given
        if name not in known
    ]


def _only_reader(
    export: Sequence[ExportFile], known_by: Sequence[Reader | None], options: ReaderOptions
) -> Reader:
    """Return the reader of all recognised files; raise BadInput where there is none or more than one.

    A reader steps back where all its files accompany those of another: the words of an MMAX2 project
    are XML too.
    """
    found: dict[Reader, list[ExportFile]] = {}
    for file, reader in zip(export, known_by, strict=True):
        if reader:
            found.setdefault(reader, []).append(file)
    if not found:
        raise BadInput([_nothing_known(export, options)])
    leading = [reader for reader, files in found.items() if not _accompany(files, reader, found)]
    if len(leading) == 1:
        return leading[0]
    mend = "Keep files of one format in an export, or choose one with format."
    raise BadInput(
        Problem(files[0].name, message=f'is of format "{reader.name}", others are not.', mend=mend)
        for reader, files in found.items()
    )


def _accompany(files: Sequence[ExportFile], reader: Reader, found: Iterable[Reader]) -> bool:
    others = [other for other in found if other is not reader]
    return any(all(other.accompanies(file) for file in files) for other in others)


def _nothing_known(export: Sequence[ExportFile], options: ReaderOptions) -> Problem:
    if not export:
        return Problem("", message="the export holds no file.", mend="Name the files that annotators wrote.")
    mend = "The command `reportgen formats` lists what can be read."
    message = f"no file is in a known format. Looked at: {_listed([_described(file) for file in export])}."
    if options.format is not None:
        message = message.replace("a known format", f'format "{options.format}"')
    return Problem("", message=message, mend=mend)


def _described(file: ExportFile) -> str:
    other = _recognise(file, readers())
    return f'{file.name} (format "{other.name}")' if other else file.name


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _require_marks(annotations: Sequence[Annotations], known: Sequence[ExportFile]) -> None:
    if any(each.marks_read for each in annotations):
        return
    mend = (
        "A rating is a cell that is neither empty nor declared missing; a mark, a labelled stretch of text."
    )
    message = f"the export holds no rating and no mark. Looked at: {_listed([file.name for file in known])}."
    raise BadInput([Problem("", message=message, mend=mend)])
