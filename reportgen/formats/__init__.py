"""What did the annotators export? Files of any known format become `Annotations`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats import confusion, ratings
from reportgen.formats.annotations import NO_DOCUMENT, Annotations, Codes, LeftOut, Ratings
from reportgen.formats.reader import COLUMN_ROLES, NORMALISATIONS, ExportFile, Reader, ReadOptions, for_each

__all__ = [
    "NO_DOCUMENT",
    "Annotations",
    "Codes",
    "ExportFile",
    "LeftOut",
    "Ratings",
    "ReadOptions",
    "Reader",
    "read_export",
    "readers",
]

NAMES_SHOWN = 10


def readers() -> tuple[Reader, ...]:
    """Return the readers in the order in which they are asked; the first that recognises a file reads it."""
    return (confusion.READER, ratings.READER)


def read_export(files: Sequence[tuple[Path, str]], options: ReadOptions | None = None) -> Annotations:
    """Return what the files of one export hold, taken together.

    Each file is a path and the name to show for it. Files that no reader recognises are listed in
    `unread`. Raises BadInput, with every problem, where an option names nothing that is known, no file
    is recognised, the files are of several formats, one of them is faulty, or there is no rating.
    """
    options = options or ReadOptions()
    allowed = _allowed(options)
    export = [ExportFile(path, name) for path, name in dict.fromkeys(files)]
    known_by = for_each(export, lambda file: _recognise(file, allowed))
    known = [file for file, reader in zip(export, known_by, strict=True) if reader]
    reader = _only_reader(export, known_by, options)
    annotations = reader.read(known, options)
    _require_ratings(annotations, known)
    return replace(annotations, unread=tuple(file.name for file in export if file not in known))


def _recognise(file: ExportFile, allowed: Sequence[Reader]) -> Reader | None:
    return next((reader for reader in allowed if reader.recognises(file)), None)


def _allowed(options: ReadOptions) -> list[Reader]:
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


def _only_reader(export: list[ExportFile], known_by: list[Reader | None], options: ReadOptions) -> Reader:
    """Return the reader of all recognised files; raise BadInput where there is none or more than one."""
    first = {reader: file for file, reader in reversed(list(zip(export, known_by, strict=True))) if reader}
    if not first:
        raise BadInput([_nothing_known(export, options)])
    if len(first) > 1:
        mend = "Keep files of one format in an export, or choose one with format."
        raise BadInput(
            Problem(file.name, message=f'is of format "{reader.name}", others are not.', mend=mend)
            for reader, file in first.items()
        )
    return next(iter(first))


def _nothing_known(export: list[ExportFile], options: ReadOptions) -> Problem:
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


def _require_ratings(annotations: Annotations, known: list[ExportFile]) -> None:
    if annotations.marks_read == 0:
        mend = "A rating is a cell that is neither empty nor declared missing."
        message = f"the export holds no rating. Looked at: {_listed([file.name for file in known])}."
        raise BadInput([Problem("", message=message, mend=mend)])
