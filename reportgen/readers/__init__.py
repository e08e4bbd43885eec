"""What did the annotators export? Files of any known format become `Annotations`.

The readers, one module a format, those that plugins add, and which knows the files of an export.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from reportgen.base import READERS
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, refused
from reportgen.base.files import WESTERN_CODECS
from reportgen.readers import (
    argilla,
    brat,
    confusion_matrix,
    conll,
    counts_folder,
    crowd,
    doccano,
    gate_documents,
    inline_xml,
    label_studio,
    labels_json,
    mark_records,
    mark_table,
    mmax,
    potato,
    prodigy,
    ratings,
    recordings,
    uima_cas,
    webanno,
)
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
from reportgen.readers.counted import CountedLayer
from reportgen.readers.engine import by_address
from reportgen.readers.engine.places import kind_of
from reportgen.readers.group_columns import IN_CAMPAIGN, KEY
from reportgen.readers.layers_of_marks import assemble, with_one_spelling
from reportgen.readers.naming import MANY
from reportgen.readers.reader import (
    COLUMN_ROLES,
    EMPTY_SET,
    MODEL,
    NORMALISATIONS,
    REFERENCE,
    Annotations,
    DocumentCopy,
    Engine,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    SetLabel,
    as_set,
    called_by_name,
    cleaned_labels,
    forget_contents_after,
    is_side_file,
    may_be_side_table,
    members_of,
    shortened,
)
from reportgen.readers.string_tables import first_row
from reportgen.readers.untrusted import to_be_looked_up, unpacked_together

__all__ = [
    "ATTENDANCE",
    "EMPTY_SET",
    "NO_DOCUMENT",
    "Annotations",
    "Codes",
    "CountedLayer",
    "DocumentCopy",
    "Engine",
    "ExcludedMarks",
    "Export",
    "ExportFile",
    "ParsedMark",
    "Ratings",
    "Reader",
    "ReaderOptions",
    "Recognised",
    "Regions",
    "Relation",
    "SetLabel",
    "TextMarks",
    "as_set",
    "by_name",
    "cleaned_labels",
    "find_reader",
    "members_of",
    "read_export",
    "read_layers",
    "read_table",
    "readers",
    "readers_markdown",
    "recognise",
]


NAMES_SHOWN = 10


# The readers: those of plugins, and our own.


@cache
def readers() -> tuple[Reader, ...]:
    """Return the readers in the order in which they are asked; the first that recognises a file reads it.

    Plugins come first: people who install one want it. Raises BadInput where one can't be loaded, or is
    called like another reader.
    """
    plugins = tuple(map(_load, entry_points(group=READERS)))
    names = [reader.name for reader in (*plugins, *OWN)]
    repeated = [plugin.name for plugin in plugins if names.count(plugin.name) > 1]
    if repeated:
        raise BadInput(_unusable(name, "is called like another reader.") for name in repeated)
    return (*plugins, *OWN)


def readers_markdown() -> str:
    """Return what each reader reads and leaves out, as a Markdown table."""
    rows = [("format", "tool", "file", "what is read", "what is left out, and why"), ("---",) * 5]
    for reader in sorted(readers(), key=lambda reader: reader.name):
        files = f"{reader.title} ({', '.join(f'`{extension}`' for extension in reader.extensions)})"
        rows.append((f"`{reader.name}`", reader.tool, files, reader.reads, reader.leaves_out))
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def _load(entry: EntryPoint) -> Reader:
    try:
        plugin = entry.load()
    except Exception as error:  # noqa: BLE001 - a plugin can fail in any way, and its user should know which
        message = f"can't be loaded: {type(error).__name__}: {error}."
        raise BadInput([_unusable(entry.name, message)]) from None
    if not isinstance(plugin, Reader):
        raise BadInput([_unusable(entry.name, f"is {entry.value}, which is not a Reader.")])
    return plugin


def _unusable(name: str, message: str) -> Problem:
    return Problem(f"plugin {name}", message=message, remedy="Mend the package that brings it, or remove it.")


# Those that know their files by a mark of their own come before those that take any file of a kind.
OWN: tuple[Reader, ...] = (
    # These are known by their first bytes, and may be too large to be looked at further.
    ratings.PARQUET_READER,
    ratings.DATABASE_READER,
    counts_folder.READER,
    confusion_matrix.READER,
    uima_cas.READER,
    webanno.READER,
    uima_cas.XMI_READER,
    uima_cas.JSON_READER,
    recordings.TEXTGRID_READER,
    recordings.ELAN_READER,
    gate_documents.READER,
    gate_documents.BDOC_READER,
    mmax.READER,
    label_studio.READER,
    prodigy.READER,
    doccano.READER,
    argilla.READER,
    potato.READER,
    brat.READER,
    conll.CONLLU_READER,
    conll.READER,
    crowd.READER,
    mark_records.READER,
    labels_json.READER,
    ratings.WORKBOOK_READER,
    inline_xml.READER,
    mark_table.READER,
    ratings.READER,
)


# Which reader knows the files of an export.


def find_reader(export: Sequence[ExportFile], options: ReaderOptions) -> tuple[Reader, list[ExportFile]]:
    """Return the one reader of the files, and those that it reads.

    Raises BadInput where an option names nothing that is known, no file is recognised, or files are of
    several formats.
    """
    # The readers that `format` allows: the one of that name, or all for that file extension.
    problems = [*_unknown("columns", options.columns, COLUMN_ROLES)]
    problems += _unknown("normalise", options.normalise, NORMALISATIONS)
    allowed = [reader for reader in readers() if options.format is None or reader.is_called(options.format)]
    if options.format is not None and not allowed:
        problems += _unknown("format", [options.format], [reader.name for reader in readers()])
    if problems:
        raise BadInput(problems)
    recognised_by = _recognised_by(export, allowed)
    named = next((reader for reader in readers() if reader.name == options.format), None)
    if named is not None:
        recognised_by = _with_named_reader(named, export, recognised_by)
    reader = _only_reader(export, recognised_by, options)
    return reader, [
        file
        for file, recogniser in zip(export, recognised_by, strict=True)
        if recogniser is reader or (reader.accompanies(file) and not is_side_file(file.name))
    ]


def _with_named_reader(
    named: Reader, export: Sequence[ExportFile], recognised_by: Sequence[Reader | None]
) -> list[Reader | None]:
    """Return the reader of each file; the one that is asked for by name also reads what no other knows.

    That is files that are called like its own, or, where there are none, all: people who name a format
    know better.
    """

    def free(asked: Callable[[ExportFile], bool]) -> list[bool]:
        pairs = zip(export, recognised_by, strict=True)
        return [not reader and asked(file) and not _is_recognised(file) for file, reader in pairs]

    own = free(lambda file: file.suffix in named.extensions)
    added = own if any(own) or any(recognised_by) else free(lambda _: True)
    return [
        reader or (named if is_added else None) for reader, is_added in zip(recognised_by, added, strict=True)
    ]


def _recognised_by(export: Sequence[ExportFile], among: Sequence[Reader]) -> list[Reader | None]:
    """Return the reader of each file, none of those that only lie beside the exports, or beside marks."""
    texts = brat.texts_of_marks(export) if brat.READER in among else frozenset[str]()
    names = _names_of(among)

    def recogniser(file: ExportFile) -> Reader | None:
        with forget_contents_after() if len(export) > MANY else nullcontext():
            return None if file.name in texts or is_side_file(file.name) else _recognise(file, among, names)

    # The reader of each file, none of a table that tells of the work and has no labels. It is one by its name
    # where other tables have other columns, and by its content where other files are of another format:
    # nobody would take a table for labels in which no two annotators can be found. So is JSON that tells of
    # annotators, and not of the items of the files beside it.
    recognised_by = for_each(export, recogniser)
    tables = [number for number, reader in enumerate(recognised_by) if reader is ratings.READER]
    of_work = {number for number in tables if may_be_side_table(export[number].name)}
    headers = {tuple(first_row(export[number])) for number in tables if number not in of_work}
    aside = {number for number in of_work if headers and tuple(first_row(export[number])) not in headers}
    left = [number for number in tables if number not in aside]
    if any(reader not in (None, ratings.READER) for reader in recognised_by):
        aside |= {number for number in left if not _has_ratings(export[number])}
    json = [number for number, reader in enumerate(recognised_by) if reader is labels_json.READER]
    besides = labels_json.beside_items([export[number] for number in json])
    aside |= {number for number, is_beside in zip(json, besides, strict=True) if is_beside}
    return [None if number in aside else reader for number, reader in enumerate(recognised_by)]


def _has_ratings(file: ExportFile) -> bool:
    """Say whether a table by itself has the labels of two annotators."""
    try:
        ratings.READER.read([file], ReaderOptions())
    except BadInput:
        return False
    return True


def _is_recognised(file: ExportFile) -> bool:
    """Say whether a reader knows the file by a mark of its own, not merely as some table."""
    reader = _recognise(file, readers())
    return reader is not None and (reader is not ratings.READER or file.suffix in reader.extensions)


def _names_of(among: Sequence[Reader]) -> tuple[str, ...]:
    return tuple(reader.name for reader in among)


def _recognise(
    file: ExportFile, among: Sequence[Reader], names: tuple[str, ...] | None = None
) -> Reader | None:
    """Return the first reader that knows the file, which is looked at once: several ask.

    Of thousands of files one tuple has the readers' `names`.
    """
    known: dict[tuple[str, ...], Reader | None] = vars(file).setdefault("recognised", {})
    names = names or _names_of(among)
    if names not in known:
        known[names] = next((reader for reader in among if reader.recognises(file)), None)
    return known[names]


def _unknown(key: str, names: Iterable[str], allowed: Sequence[str]) -> list[Problem]:
    return [
        Problem("", key=key, message=f'"{name}" is not known.', remedy=did_you_mean(name, allowed))
        for name in names
        if name not in allowed
    ]


def _only_reader(
    export: Sequence[ExportFile], recognised_by: Sequence[Reader | None], options: ReaderOptions
) -> Reader:
    """Return the reader of all recognised files; raise BadInput where there is none or more than one."""
    by_reader = _by_reader(export, recognised_by)
    if not by_reader:
        raise BadInput([_nothing_recognised(export, options)])
    leading = _leading(by_reader)
    if len(leading) == 1:
        return leading[0]
    remedy = "Keep files of one format in an export, or choose one with format."
    raise BadInput(
        Problem(files[0].name, message=f'is of format "{reader.name}", others are not.', remedy=remedy)
        for reader, files in by_reader.items()
    )


def _by_reader(
    files: Sequence[ExportFile], recognised_by: Sequence[Reader | None]
) -> dict[Reader, list[ExportFile]]:
    """Return the files that each reader recognises, in the order of the readers."""
    pairs = list(zip(files, recognised_by, strict=True))
    by_reader = {reader: [file for file, recogniser in pairs if recogniser is reader] for reader in readers()}
    return {reader: own for reader, own in by_reader.items() if own}


def _leading(by_reader: Mapping[Reader, Sequence[ExportFile]]) -> list[Reader]:
    """Return the readers, but for one that steps back as all its files accompany those of another.

    The words of an MMAX2 project are XML too.
    """
    return [
        reader
        for reader, files in by_reader.items()
        if not any(other is not reader and all(map(other.accompanies, files)) for other in by_reader)
    ]


def _nothing_recognised(export: Sequence[ExportFile], options: ReaderOptions) -> Problem:
    if not export:
        return Problem("", message="the export has no file.", remedy="Name the files that annotators wrote.")
    recognised_by = [(file.name, _recognise(file, readers())) for file in export]
    names = [f'{name} (format "{reader.name}")' if reader else name for name, reader in recognised_by]
    expected = "a known format" if options.format is None else f'format "{options.format}"'
    message = f"no file is in {expected}. {looked_at(names)}"
    return Problem("", message=message, remedy=to_be_looked_up(export))


def looked_at(names: Sequence[str]) -> str:
    """Return a sentence that lists the first files."""
    more = len(names) - NAMES_SHOWN
    return f"Looked at: {', '.join(names[:NAMES_SHOWN])}{f' and {more} more' if more > 0 else ''}."


# Which files are of which format, and which format counts where there are several.


@dataclass(frozen=True)
class Recognised:
    """Files that belong together: the reader of most of them, and what is with them.

    `read` are the files that it reads, `others` those of other formats by the readers' names, `unread`
    those that no reader knows.
    """

    reader: Reader
    read: tuple[ExportFile, ...]
    others: Mapping[str, tuple[ExportFile, ...]]
    unread: tuple[ExportFile, ...]


def recognise(files: Sequence[ExportFile]) -> Recognised | None:
    """Return the format of most of the files, None where no reader knows any.

    Raises BadInput for files that the system refuses.
    """
    by_reader = _by_reader(files, _recognised_by(files, readers()))
    leading = _leading(by_reader)
    if not leading:
        return None
    reader = max(leading, key=lambda candidate: len(by_reader[candidate]))
    options = ReaderOptions(format=reader.name if len(leading) > 1 else None)
    read = tuple(find_reader(files, options)[1])
    names_read = {file.name for file in read}
    own = {
        other.name: tuple(file for file in own_files if file.name not in names_read)
        for other, own_files in by_reader.items()
    }
    others = {name: own_files for name, own_files in own.items() if own_files and name != reader.name}
    recognised = names_read.union(file.name for group in others.values() for file in group)
    return Recognised(reader, read, others, tuple(file for file in files if file.name not in recognised))


# One export as annotations: read by the one reader that knows its files, each layer of it.

# The readers of tables that can have columns of what annotators are.
WITH_GROUPS = frozenset(("ratings", "parquet", "database", "excel", "crowd"))
# Texts above so many bytes are not kept in memory to tell what they are.
LARGEST = 500_000_000


def read_export(files: Sequence[tuple[Path, str]], options: ReaderOptions | None = None) -> Annotations:
    """Return what is in the files of one export, taken together, as `read_layers` does for one layer."""
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
    asked = tuple(source for source in sources if source is not None)
    layers = [replace(options, source=source, asked=asked) for source in sources]
    if options.database is not None:
        tables = [by_address(_with_column(layer)) for layer in layers]
        _require_marks(tables, [ExportFile(Path(), source.file) for source in tables[0].sources])
        return [_with_called(table, options) for table in tables]
    export = [ExportFile(path, name) for path, name in dict.fromkeys(files)]
    reader, recognised = find_reader(export, options)
    if options.groups and reader.name not in WITH_GROUPS:
        message = f'is read from tables with a row for each label, and these exports are "{reader.name}".'
        raise refused("", 0, KEY, message, IN_CAMPAIGN)
    with unpacked_together():
        annotations = _read(reader, recognised, layers)
    _require_marks(annotations, recognised)
    read = {file.name for file in recognised}
    unread = tuple(file.name for file in export if file.name not in read)
    # Of tables of ratings their reading says it.
    guessed = (
        ()
        if reader is ratings.READER
        else shortened([_as_encoded(file) for file in recognised if file.codec])
    )
    return [
        _with_called(replace(layer, unread=unread, warnings=(*layer.warnings, *guessed)), options)
        for layer in annotations
    ]


def _as_encoded(file: ExportFile) -> Problem:
    message = f"is not UTF-8 and was read as {WESTERN_CODECS[file.codec or '']}."
    return file.problem(message, "Look at letters with accents, or save the file as UTF-8.")


def read_table(files: Sequence[tuple[Path, str]], options: ReaderOptions) -> Annotations:
    """Return what a table of labels has, as `read_export` does; a text of any size may be one.

    What is too large for memory is a ratings table: nothing else is, and nobody looks for what it may be.
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
    return _with_called(annotations, options)


def _with_called(annotations: Annotations, options: ReaderOptions) -> Annotations:
    """Return the same, where who is called like a reference or a model is one; counts say it of everybody."""
    content = annotations.content
    if isinstance(content, CountedLayer):
        return annotations
    called, models = called_by_name(content.annotators, annotations.roles, options)
    roles = {**annotations.roles, **dict.fromkeys(called, REFERENCE), **dict.fromkeys(models, MODEL)}
    return replace(annotations, roles=roles, called_references=called, called_models=models)


def _read(reader: Reader, files: Sequence[ExportFile], layers: Sequence[ReaderOptions]) -> list[Annotations]:
    """Return each layer; copies of documents are read once for all of them, a table once for each."""
    whole = any(layer.source is None for layer in layers)
    leading = _with_column(layers[0])
    first = reader.read(files, replace(leading, source=None) if whole else leading)
    if isinstance(first, Export):
        # Of documents a column of labels that is named is the source.
        named = [replace(layer, source=layer.source or layer.columns.get("label")) for layer in layers]
        return assemble(with_one_spelling(first), named, reader.name)
    others = [reader.read(files, _with_column(layer)) for layer in layers[1:]]
    # What tables have besides labels is counted once.
    return [first, *(_without_besides(layer) for layer in others if isinstance(layer, Annotations))]


def _without_besides(layer: Annotations) -> Annotations:
    marks = layer.marks_read - sum(layer.not_compared.values())
    return replace(layer, marks_read=marks, not_compared={})


def _with_column(options: ReaderOptions) -> ReaderOptions:
    """Return the options of a layer of a table: its source is the column of labels."""
    if options.source is None:
        return options
    return replace(options, columns={**options.columns, "label": options.source})


def _require_marks(annotations: Sequence[Annotations], files: Sequence[ExportFile]) -> None:
    if any(layer.marks_read for layer in annotations):
        return
    remedy = (
        "A rating is a cell that is neither empty nor declared missing; a mark, a labelled stretch of text."
    )
    message = f"the export has no rating and no mark. {looked_at([file.name for file in files])}"
    raise BadInput([Problem("", message=message, remedy=remedy)])
